//! Memory as the system gives it: files that are mapped there, and large pages.
//!
//! This is the only module with unsafe code, two calls that nothing safe replaces. What they save is in `bench/record`.

use std::fs::File;
use std::ops::Deref;
use std::path::Path;

use memmap2::Mmap;

use crate::{Error, Result};

/// The bytes of a file: in memory, or mapped there.
#[derive(Debug)]
pub(crate) enum Pages {
    Memory(Vec<u8>),
    Mapped(Mmap),
}

impl Pages {
    /// Maps a file, or reads what cannot be mapped, such as a pipe.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let io = |error| Error::io(path, error);
        let file = File::open(path).map_err(io)?;
        match map(&file) {
            Ok(mapped) => Ok(Self::Mapped(mapped)),
            Err(_) => std::fs::read(path).map(Self::Memory).map_err(io),
        }
    }
}

#[allow(unsafe_code)]
fn map(file: &File) -> std::io::Result<Mmap> {
    // SAFETY: bytes of a map must not change while they are borrowed. Libraries are written beside their place and renamed, so a file that is open is never
    // written to by us: a newer library is another file. Whoever else writes to an open library, or cuts it, does what every mapped file forbids. All that is
    // read of the map is bytes, and any bytes are a value of their type.
    unsafe { Mmap::map(file) }
}

impl Deref for Pages {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Memory(bytes) => bytes,
            Self::Mapped(mapped) => mapped,
        }
    }
}

/// So many zeros, in large pages where the system has them: memory that is touched for the first time costs more than most matrices
/// take to fill, by the page.
pub(crate) fn zeros<T: Copy + Default>(len: usize) -> Vec<T> {
    let zeros = vec![T::default(); len];
    ask_for_large_pages(&zeros);
    zeros
}

/// Room for so many, in large pages where the system has them.
pub(crate) fn with_capacity<T>(len: usize) -> Vec<T> {
    let mut room = Vec::with_capacity(len);
    ask_for_large_pages(room.spare_capacity_mut());
    room
}

#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn ask_for_large_pages<T>(memory: &[T]) {
    const LARGE: usize = 2 << 20;
    let start = memory.as_ptr().cast::<u8>();
    let before = start.align_offset(LARGE);
    let len = size_of_val(memory).saturating_sub(before) / LARGE * LARGE;
    if len > 0 {
        // SAFETY: the range lies within memory that is ours, and begins and ends with a page. The advice changes how the system backs it, not what it
        // holds; a system that does not take it says so, and nothing is lost.
        unsafe { libc::madvise(start.wrapping_add(before).cast_mut().cast(), len, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(target_os = "linux"))]
fn ask_for_large_pages<T>(_: &[T]) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_are_zeros_whatever_their_number() {
        for len in [0, 1, 511, 1 << 18, (1 << 19) + 3] {
            let zeros: Vec<f64> = zeros(len);
            assert!(zeros.len() == len && zeros.iter().all(|&zero| zero == 0.0));
        }
    }
}

//! The bytes of a library: in memory, or a file that the system maps there.
//!
//! This is the only module with unsafe code, one call: nothing else gives a file's bytes without a copy. What it saves is in `bench/record`.

use std::fs::File;
use std::ops::Deref;
use std::path::Path;

use memmap2::Mmap;

use crate::{Error, Result};

#[derive(Debug)]
pub(super) enum Pages {
    Memory(Vec<u8>),
    Mapped(Mmap),
}

impl Pages {
    /// Maps a file, or reads what cannot be mapped, such as a pipe.
    pub(super) fn open(path: &Path) -> Result<Self> {
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

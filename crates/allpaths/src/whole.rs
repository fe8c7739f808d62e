//! Files and folders that appear whole or not at all: written beside their place, then moved there.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::{Error, Result};

/// Something that is removed again unless it is moved to its place.
struct Beside {
    path: PathBuf,
}

impl Beside {
    /// A name beside a path that no other writer has.
    fn new(path: &Path) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let mut name = OsString::from(".");
        name.push(path.file_name().unwrap_or_default());
        name.push(format!(".{}-{}.partial", std::process::id(), COUNT.fetch_add(1, Relaxed)));
        Self { path: path.with_file_name(name) }
    }
}

fn create(file: &Path, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(File::create_new(file)?);
    content(&mut out)?;
    out.into_inner()?.sync_all()
}

impl Drop for Beside {
    fn drop(&mut self) {
        // After a success there is nothing left to remove; after a failure nothing more can be done.
        let _ = if self.path.is_dir() { fs::remove_dir_all(&self.path) } else { fs::remove_file(&self.path) };
    }
}

/// Writes a file, in place of one that was there. A device or a pipe is written to as it is.
pub(crate) fn file(path: &Path, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    if fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir()) {
        let write = || {
            let mut out = BufWriter::new(File::options().write(true).open(path)?);
            content(&mut out)?;
            out.flush()
        };
        return write().map_err(|error| Error::io(path, error));
    }
    let beside = Beside::new(path);
    create(&beside.path, content)
        .and_then(|()| fs::rename(&beside.path, path))
        .map_err(|error| Error::io(path, error))
}

/// A file that is written bit by bit, and appears in its place when it is finished.
pub(crate) struct Pending {
    beside: Beside,
    path: PathBuf,
    out: BufWriter<File>,
}

impl Pending {
    pub(crate) fn create(path: &Path) -> Result<Self> {
        let beside = Beside::new(path);
        let file = File::create_new(&beside.path).map_err(|error| Error::io(path, error))?;
        Ok(Self { beside, path: path.to_owned(), out: BufWriter::with_capacity(1 << 16, file) })
    }

    /// Where it will appear.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Puts it in its place.
    pub(crate) fn finish(self) -> Result<()> {
        let Self { beside, path, out } = self;
        let file = out.into_inner().map_err(io::IntoInnerError::into_error);
        file.and_then(|file| file.sync_all())
            .and_then(|()| fs::rename(&beside.path, &path))
            .map_err(|error| Error::io(&path, error))
    }
}

impl Write for Pending {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Writes a folder of files, given by their names; a folder that is there must be empty.
pub(crate) fn folder(path: &Path, files: &[(String, Vec<u8>)]) -> Result<()> {
    let io = |error| Error::io(path, error);
    let is_there = path.try_exists().map_err(io)?;
    if is_there && fs::read_dir(path).map_err(io)?.next().is_some() {
        return Err(Error::settings(format!(
            "{}: the folder is not empty, it is left as it is",
            path.display()
        )));
    }
    let beside = Beside::new(path);
    let write = || {
        fs::create_dir(&beside.path)?;
        for (name, bytes) in files {
            create(&beside.path.join(name), |out| out.write_all(bytes))?;
        }
        if is_there {
            fs::remove_dir(path)?;
        }
        fs::rename(&beside.path, path)
    };
    write().map_err(io)
}

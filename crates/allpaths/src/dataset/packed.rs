//! Files inside files: gzip, and zip archives of TU datasets.
//!
//! A packed file may be a thousand times as large as it looks. So nothing is unpacked past a limit, and an
//! archive whose names lead out of it is refused.

use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};

use zip::ZipArchive;

use super::feed::Feed;
use super::text::shown;
use super::tu;
use crate::{Error, Result};

pub(super) fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x1f\x8b")
}

pub(super) fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// What a gzip file holds.
pub(super) fn unzip(path: &Path, bytes: &[u8], limit: u64) -> Result<Vec<u8>> {
    let mut left = limit;
    unpacked(path, flate2::bufread::MultiGzDecoder::new(bytes), limit, &mut left)
}

/// All that a stream unpacks to, unless it is more than is left of the limit.
fn unpacked(path: &Path, stream: impl Read, limit: u64, left: &mut u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = stream.take(left.saturating_add(1)).read_to_end(&mut bytes);
    if bytes.len() as u64 > *left {
        return Err(Error::file(path, format!("unpacks to more than {limit} bytes")).past_limit());
    }
    read.map_err(|error| Error::file(path, format!("cannot be unpacked: {error}")))?;
    *left -= bytes.len() as u64;
    Ok(bytes)
}

/// The files of a TU dataset in a zip archive, all at its root or all in one folder.
pub(super) struct Archive {
    path: PathBuf,
    files: ZipArchive<Cursor<Vec<u8>>>,
    /// The folder of the dataset's files with its slash, or nothing.
    folder: String,
    limit: u64,
    left: u64,
}

impl Archive {
    /// Opens an archive, and tells the name of the dataset in it.
    pub(super) fn open(path: &Path, bytes: Vec<u8>, limit: u64) -> Result<(Self, String)> {
        let wrong = |reason: String| Error::file(path, reason);
        let files =
            ZipArchive::new(Cursor::new(bytes)).map_err(|e| wrong(format!("cannot be unpacked: {e}")))?;
        let mut folders = Vec::new();
        let mut names = Vec::new();
        for name in files.file_names_raw() {
            let name = std::str::from_utf8(name)
                .map_err(|_| wrong(format!("the archive's name {} is not UTF-8 text", shown(name))))?;
            let leaves = |part: &str| part == ".." || part.contains([':', '\\']);
            if name.starts_with('/') || name.split('/').any(leaves) {
                return Err(wrong(format!("the archive's name {} leads out of it", shown(name.as_bytes()))));
            }
            let (folder, file) = name.split_at(name.rfind('/').map_or(0, |slash| slash + 1));
            if let Some(dataset) = tu::name_of(file).filter(|_| folder.matches('/').count() < 2) {
                folders.push(folder.to_owned());
                names.push(dataset.to_owned());
            }
        }
        let Some(name) = tu::only_name(path, names)? else {
            return Err(wrong(
                "an archive without a file whose name ends in _A.txt: not a TU dataset".into(),
            ));
        };
        let folder = folders.pop().unwrap_or_default();
        Ok((Self { path: path.to_owned(), files, folder, limit, left: limit }, name))
    }

    /// Where a file would be, for messages.
    pub(super) fn path(&self, file: &str) -> PathBuf {
        self.path.join(&self.folder).join(file)
    }

    /// A file, if the archive holds it.
    pub(super) fn read(&mut self, file: &str) -> Result<Option<Feed>> {
        let path = self.path(file);
        let Some(index) = self.files.index_for_name(&format!("{}{file}", self.folder)) else {
            return Ok(None);
        };
        let entry = self.files.by_index(index);
        let entry = entry.map_err(|error| Error::file(&path, format!("cannot be unpacked: {error}")))?;
        let bytes = unpacked(&path, entry, self.limit, &mut self.left)?;
        Ok(Some(Feed::new(&path, bytes)))
    }
}

//! Files of ours that are JSON, or have some in them, and say by which version they were written.

use std::path::Path;

use serde::Deserialize;

use crate::label::ID_VERSION;
use crate::{Error, Result};

/// What stands in all of them: the version of the files, and of the ids of features where there are any.
#[derive(Deserialize)]
struct Versions {
    version: u64,
    ids: Option<u64>,
}

/// Reads what a file holds, if this version of the program knows its versions; `what` is what it should be.
pub(crate) fn read<'a, T: Deserialize<'a>>(
    path: &Path,
    what: &str,
    version: u64,
    json: &'a [u8],
) -> Result<T> {
    let wrong = |error: serde_json::Error| Error::json(path, what, &error);
    // What a later version adds may be unknown here: the numbers come first.
    let found: Versions = serde_json::from_slice(json).map_err(wrong)?;
    for (found, known) in [(found.version, version), (found.ids.unwrap_or(ID_VERSION), ID_VERSION)] {
        if found != known {
            return Err(Error::version(path, found, known));
        }
    }
    serde_json::from_slice(json).map_err(wrong)
}

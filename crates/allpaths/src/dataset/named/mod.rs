//! Datasets by name: what is known of them, where they are, and how they come here.
//!
//! A [`Collection`] looks for a dataset in a folder of data, then in a cache, and fetches what is in neither from the site of
//! the TU Dortmund collection, once. What it fetches stays packed, as published: readers take it as it is. Its SHA-256 is written
//! beside it when it is first used, and compared whenever it is used again.

#[cfg(feature = "fetch")]
mod download;
mod published;
mod sha256;

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

pub use published::{PUBLISHED, Published};

#[cfg(feature = "fetch")]
use crate::Monitor;
use crate::{Error, Result, whole};

/// Where datasets are found by name.
///
/// Below the folder of data and the cache there is a folder `datasets`, and in it a folder `NAME` or a file `NAME.zip` for
/// each dataset.
///
/// # Example
///
/// ```
/// # use allpaths::Dataset;
/// # use allpaths::dataset::Collection;
/// # let folder = tempfile::tempdir()?;
/// # let mutag = folder.path().join("datasets/MUTAG");
/// # std::fs::create_dir_all(&mutag)?;
/// # std::fs::write(mutag.join("MUTAG_A.txt"), "1, 2\n")?;
/// # std::fs::write(mutag.join("MUTAG_graph_indicator.txt"), "1\n1\n")?;
/// let collection = Collection::from_environment().data(folder.path());
/// if let Some(place) = collection.locate("MUTAG")? {
///     assert_eq!(Dataset::read(place)?.name(), "MUTAG");
/// }
/// # assert!(collection.locate("MUTAG")?.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collection {
    data: Option<PathBuf>,
    cache: Option<PathBuf>,
    #[cfg_attr(not(feature = "fetch"), allow(dead_code))]
    site: String,
    #[cfg_attr(not(feature = "fetch"), allow(dead_code))]
    max_download: u64,
}

impl Default for Collection {
    fn default() -> Self {
        let site = "https://www.chrsmrrs.com/graphkerneldatasets".to_owned();
        Self { data: None, cache: None, site, max_download: 2 << 30 }
    }
}

/// Systems that keep caches in different places.
#[derive(Clone, Copy)]
enum System {
    MacOs,
    Windows,
    Other,
}

impl Collection {
    /// A collection without a place yet, of what the site of the TU Dortmund collection has.
    pub fn new() -> Self {
        Self::default()
    }

    /// The collection that the environment describes.
    ///
    /// | variable | names | if not set |
    /// |---|---|---|
    /// | `ALLPATHS_DATA` | the folder of data | there is none |
    /// | `ALLPATHS_CACHE` | the cache | `allpaths` among the caches of the system: in `$XDG_CACHE_HOME` or `~/.cache`, `~/Library/Caches`, `%LOCALAPPDATA%` |
    /// | `ALLPATHS_SITE` | the address below which there are files `NAME.zip` | the site of the TU Dortmund collection |
    pub fn from_environment() -> Self {
        let system = match () {
            () if cfg!(target_os = "macos") => System::MacOs,
            () if cfg!(windows) => System::Windows,
            () => System::Other,
        };
        Self::of_variables(system, |name| std::env::var_os(name))
    }

    fn of_variables(system: System, variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let variable = |name| variable(name).filter(|value| !value.is_empty());
        let folder = |name| variable(name).map(PathBuf::from);
        let caches = match system {
            System::MacOs => folder("HOME").map(|home| home.join("Library/Caches")),
            System::Windows => folder("LOCALAPPDATA"),
            // A relative path there is to be ignored, says who defined it.
            System::Other => folder("XDG_CACHE_HOME")
                .filter(|path| path.is_absolute())
                .or_else(|| folder("HOME").map(|home| home.join(".cache"))),
        };
        let default = Self::default();
        Self {
            data: folder("ALLPATHS_DATA"),
            cache: folder("ALLPATHS_CACHE").or_else(|| caches.map(|caches| caches.join("allpaths"))),
            site: variable("ALLPATHS_SITE").and_then(|site| site.into_string().ok()).unwrap_or(default.site),
            max_download: default.max_download,
        }
    }

    /// Sets the folder of data, which is looked into first and never written to.
    #[must_use]
    pub fn data(mut self, folder: impl Into<PathBuf>) -> Self {
        self.data = Some(folder.into());
        self
    }

    /// Sets the cache, which is where fetched datasets stay.
    #[must_use]
    pub fn cache(mut self, folder: impl Into<PathBuf>) -> Self {
        self.cache = Some(folder.into());
        self
    }

    /// Sets the address below which there are files `NAME.zip`. It begins with `https`; with `http` only on this machine.
    #[must_use]
    pub fn site(mut self, address: impl Into<String>) -> Self {
        self.site = address.into();
        self
    }

    /// Sets how many bytes a download may have, 2 GiB if not set.
    #[must_use]
    pub fn max_download(mut self, bytes: u64) -> Self {
        self.max_download = bytes;
        self
    }

    /// Where a published dataset is, if it is here. Nothing is read.
    pub fn find(&self, name: &str) -> Option<PathBuf> {
        Published::find(name)?;
        let roots = self.data.iter().chain(&self.cache);
        roots
            .flat_map(|root| [name.to_owned(), packed(name)].map(|file| root.join("datasets").join(file)))
            .find(|path| path.exists())
    }

    /// Where a published dataset is, if it is here, as in [`Collection::find`]; a packed one in the cache is compared with its
    /// checksum.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or its checksum is not the one of its first use.
    pub fn locate(&self, name: &str) -> Result<Option<PathBuf>> {
        let Some(path) = self.find(name) else { return Ok(None) };
        if self.cached(name).is_some_and(|cached| cached == path) {
            check(&path, &path)?;
        }
        Ok(Some(path))
    }

    /// Fetches a published dataset into the cache, unless it is here, and says where it is.
    ///
    /// A download that was cut off goes on where it ended, if the site has the same file still. What was fetched is read once, and
    /// takes its place only if it is the dataset. Several programs may fetch the same at a time: one does, the others wait for it.
    ///
    /// # Errors
    ///
    /// When no published dataset has the name; when it is not at the site, or that cannot be reached; when it is too large, or no such
    /// dataset, or not what was fetched before; and when the monitor was interrupted.
    #[cfg(feature = "fetch")]
    pub fn fetch(&self, name: &str, monitor: &Monitor) -> Result<PathBuf> {
        if Published::find(name).is_none() {
            let meant = Published::nearest(name)
                .map_or_else(String::new, |set| format!(": did you mean {}?", set.name));
            return Err(Error::settings(format!("no dataset {name:?} is known{meant}")));
        }
        if let Some(path) = self.locate(name)? {
            return Ok(path);
        }
        let Some(path) = self.cached(name) else {
            return Err(Error::settings("no folder to keep datasets in: name one in ALLPATHS_CACHE"));
        };
        let url = format!("{}/{}", self.site.trim_end_matches('/'), packed(name));
        download::Download { name, url, path: &path, limit: self.max_download, monitor }.run()?;
        Ok(path)
    }

    /// Where a fetched dataset stays.
    fn cached(&self, name: &str) -> Option<PathBuf> {
        self.cache.as_ref().map(|cache| cache.join("datasets").join(packed(name)))
    }
}

fn packed(name: &str) -> String {
    format!("{name}.zip")
}

/// Compares a file with the checksum kept for its place, or keeps its checksum if there is none.
fn check(file: &Path, place: &Path) -> Result<()> {
    let digest = File::open(file).and_then(sha256::digest).map_err(|error| Error::io(file, error))?;
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    let record = place.with_file_name(format!("{name}.sha256"));
    match fs::read_to_string(&record) {
        Ok(known) if known.split_whitespace().next() == Some(&digest) => Ok(()),
        Ok(_) => {
            let (place, record) = (place.display(), record.display());
            let reason = format!(
                "not what it was when it was first used: its SHA-256 is {digest}, {record} has another; remove {place} and \
                 {record} to fetch it anew"
            );
            Err(Error::file(file, reason))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            // The line that `sha256sum --check` reads. A cache that cannot be written to is still good to read.
            let _ = whole::file(&record, |out| writeln!(out, "{digest}  {name}"));
            Ok(())
        }
        Err(error) => Err(Error::io(&record, error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collection(system: System, variables: &[(&str, &str)]) -> Collection {
        Collection::of_variables(system, |name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into())
        })
    }

    #[test]
    #[cfg(unix)]
    fn caches_are_where_systems_keep_them() {
        let home = ("HOME", "/home/ada");
        for (system, variables, cache) in [
            (System::Other, [home, ("XDG_CACHE_HOME", "/tmp/c")].as_slice(), Some("/tmp/c/allpaths")),
            (System::Other, &[home, ("XDG_CACHE_HOME", "c")], Some("/home/ada/.cache/allpaths")),
            (System::Other, &[home, ("XDG_CACHE_HOME", "")], Some("/home/ada/.cache/allpaths")),
            (System::Other, &[home, ("ALLPATHS_CACHE", "c")], Some("c")),
            (System::Other, &[], None),
            (System::MacOs, &[home], Some("/home/ada/Library/Caches/allpaths")),
            (System::Windows, &[home, ("LOCALAPPDATA", "/local")], Some("/local/allpaths")),
            (System::Windows, &[home], None),
        ] {
            assert_eq!(collection(system, variables).cache.as_deref(), cache.map(Path::new), "{variables:?}");
        }
    }

    #[test]
    fn variables_are_settings() {
        let variables =
            [("ALLPATHS_DATA", "d"), ("ALLPATHS_CACHE", "c"), ("ALLPATHS_SITE", "https://mirror")];
        let set = Collection::new().data("d").cache("c").site("https://mirror");
        assert_eq!(collection(System::Other, &variables), set);
        assert_eq!(collection(System::Other, &[]), Collection::new());
    }

    #[test]
    fn data_come_before_the_cache_and_folders_before_archives() {
        let folder = tempfile::tempdir().unwrap();
        let (data, cache) = (folder.path().join("data"), folder.path().join("cache"));
        let collection = Collection::new().data(&data).cache(&cache);
        assert_eq!(collection.find("MUTAG"), None);
        for root in [&cache, &data] {
            fs::create_dir_all(root.join("datasets")).unwrap();
            let archive = root.join("datasets/MUTAG.zip");
            fs::write(&archive, "").unwrap();
            assert_eq!(collection.find("MUTAG"), Some(archive));
            let files = root.join("datasets/MUTAG");
            fs::create_dir(&files).unwrap();
            assert_eq!(collection.find("MUTAG"), Some(files));
        }
        fs::create_dir(data.join("datasets/unknown")).unwrap();
        assert_eq!([collection.find("unknown"), collection.find("../datasets/MUTAG")], [None, None]);
    }

    #[test]
    fn a_cached_file_must_stay_what_it_was() {
        let cache = tempfile::tempdir().unwrap();
        let collection = Collection::new().cache(cache.path());
        let archive = cache.path().join("datasets/MUTAG.zip");
        fs::create_dir(cache.path().join("datasets")).unwrap();
        fs::write(&archive, "abc").unwrap();
        for _ in 0..2 {
            assert_eq!(collection.locate("MUTAG").unwrap(), Some(archive.clone()));
            let record = fs::read_to_string(cache.path().join("datasets/MUTAG.zip.sha256")).unwrap();
            let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
            assert_eq!(record, format!("{digest}  MUTAG.zip\n"));
        }
        fs::write(&archive, "abd").unwrap();
        let error = collection.locate("MUTAG").unwrap_err();
        assert!(error.is_input() && error.to_string().contains("not what it was"), "{error}");
        assert_eq!(collection.find("MUTAG"), Some(archive), "which does not look at it");
        // What is in the folder of data is the user's own.
        let own = Collection::new().data(cache.path());
        assert!(own.locate("MUTAG").is_ok());
    }
}

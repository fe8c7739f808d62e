//! A file from the network that appears in its place whole and checked, or not at all.

use std::fs::{self, File, TryLockError};
use std::io::{Read, Write};
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use ureq::http::{Response, Uri};
use ureq::{Agent, Body};

use crate::dataset::{Format, Reader};
use crate::{Error, Monitor, Result};

/// How often a connection that was cut is made again.
const ATTEMPTS: usize = 5;
/// How long nothing may come before a connection counts as cut.
const PATIENCE: Duration = Duration::from_secs(60);
/// How often the monitor is looked at.
const GLANCE: Duration = Duration::from_millis(50);

pub(super) struct Download<'a> {
    pub(super) name: &'a str,
    pub(super) url: String,
    /// Where the file is to be.
    pub(super) path: &'a Path,
    pub(super) limit: u64,
    pub(super) monitor: &'a Monitor,
}

/// What came of an attempt.
enum Attempt {
    Complete,
    Cut(String),
}

impl Download<'_> {
    pub(super) fn run(&self) -> Result<()> {
        let is_local = is_local(&self.url)?;
        let folder = self.path.parent().unwrap_or(Path::new(""));
        fs::create_dir_all(folder).map_err(|error| Error::io(folder, error))?;
        let lock = beside(self.path, "lock");
        let _lock = self.lock(&lock)?;
        if self.path.exists() {
            // Another program fetched it while we waited.
            return super::check(self.path, self.path);
        }
        let partial = Partial::new(self.path, &self.url);
        let mut shown = 0.0;
        for attempt in 1.. {
            match self.attempt(is_local, &partial, &mut shown)? {
                Attempt::Complete => break,
                Attempt::Cut(_) if attempt < ATTEMPTS => {}
                Attempt::Cut(reason) => {
                    return Err(self.error(format!("cut off time and again: {reason}: try again later")));
                }
            }
        }
        self.judge(&partial.file).inspect_err(|_| partial.remove())?;
        fs::rename(&partial.file, self.path).map_err(|error| Error::io(self.path, error))?;
        partial.remove();
        self.monitor.advance(1.0 - shown);
        Ok(())
    }

    fn error(&self, reason: impl Into<String>) -> Error {
        Error::file(Path::new(&self.url), reason)
    }

    fn stopped(&self) -> Error {
        Error::stopped(format!("stopped before {} was fetched", self.name))
    }

    /// Waits until no other program fetches the same. The lock ends with its holder, whatever becomes of that.
    fn lock(&self, path: &Path) -> Result<File> {
        let open = File::options().create(true).write(true).truncate(false).open(path);
        let file = open.map_err(|error| Error::io(path, error))?;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                Err(TryLockError::WouldBlock) if self.monitor.is_interrupted() => return Err(self.stopped()),
                Err(TryLockError::WouldBlock) => std::thread::sleep(GLANCE),
                Err(TryLockError::Error(error)) => {
                    let reason =
                        format!("cannot be locked ({error}): name a cache on another disk in ALLPATHS_CACHE");
                    return Err(Error::file(path, reason));
                }
            }
        }
    }

    /// Fetches what is missing of the file, or all of it if the site has another by now.
    fn attempt(&self, is_local: bool, partial: &Partial, shown: &mut f64) -> Result<Attempt> {
        let (mut have, validator) = partial.state();
        let (head, body) = self.request(is_local, have, validator);
        let head = self.next(&head)?.unwrap_or_else(|| Err("no answer".to_owned())).map_err(|reason| {
            let (name, folder) = (self.name, self.path.parent().unwrap_or(Path::new("")).display());
            self.error(format!(
                "cannot be reached: {reason}; without a network, put the folder {name} or the file {name}.zip into {folder}"
            ))
        })?;
        match head.status {
            206 if have > 0 && head.start == Some(have) => {}
            206 | 416 if have > 0 => {
                partial.remove();
                return Ok(Attempt::Cut(format!("the site has no bytes after {have}")));
            }
            200 => have = 0,
            404 => {
                return Err(self.error("not found there (status 404): the site has no such dataset by now"));
            }
            status => return Err(self.error(format!("the site answers with status {status}"))),
        }
        let total = head.length.map(|length| have.saturating_add(length));
        if total.is_some_and(|total| total > self.limit) {
            partial.remove();
            return Err(self.too_large());
        }
        let mut file = partial.open(have, head.validator.as_deref())?;
        let io = |error| Error::io(&partial.file, error);
        while let Some(bytes) = self.next(&body)? {
            let bytes = match bytes {
                Ok(bytes) => bytes,
                Err(reason) => return Ok(Attempt::Cut(reason)),
            };
            have += bytes.len() as u64;
            if have > self.limit {
                drop(file);
                partial.remove();
                return Err(self.too_large());
            }
            file.write_all(&bytes).map_err(io)?;
            let share = total.map_or(0.0, |total| have as f64 / total as f64);
            if share > *shown {
                self.monitor.advance(share - *shown);
                *shown = share;
            }
        }
        // Less than was announced would have been a fault of the connection.
        file.sync_all().map_err(io)?;
        Ok(Attempt::Complete)
    }

    fn too_large(&self) -> Error {
        self.error(format!("larger than {} bytes: raise max_download if that is meant", self.limit))
    }

    /// Begins to receive, in a thread of its own: names are resolved and connections made at their own pace, and who waits can
    /// be interrupted nevertheless. The thread ends when nobody listens any more.
    fn request(
        &self,
        is_local: bool,
        have: u64,
        validator: Option<String>,
    ) -> (Receiver<Answer<Head>>, Receiver<Answer<Vec<u8>>>) {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .https_only(!is_local)
            .user_agent(concat!("allpaths/", env!("CARGO_PKG_VERSION")))
            .timeout_resolve(Some(PATIENCE))
            .timeout_connect(Some(PATIENCE))
            .timeout_per_read(Some(PATIENCE))
            .timeout_per_write(Some(PATIENCE));
        // What is on this machine needs no proxy, and has no business to send us elsewhere without encryption.
        let config = if is_local { config.proxy(None).max_redirects(0) } else { config };
        let mut request = config.build().new_agent().get(&self.url).header("accept-encoding", "identity");
        if let Some(validator) = validator {
            request = request.header("range", format!("bytes={have}-")).header("if-range", validator);
        }
        let ((to_head, head), (to_body, body)) = (sync_channel(1), sync_channel(4));
        std::thread::spawn(move || match request.call() {
            Ok(response) => {
                // Whoever asked may have gone.
                let _ = to_head.send(Ok(Head::of(&response)));
                receive(response, &to_body);
            }
            Err(error) => _ = to_head.send(Err(error.to_string())),
        });
        (head, body)
    }

    /// What comes next, if anything does.
    fn next<T>(&self, answers: &Receiver<T>) -> Result<Option<T>> {
        loop {
            if self.monitor.is_interrupted() {
                return Err(self.stopped());
            }
            match answers.recv_timeout(GLANCE) {
                Ok(answer) => return Ok(Some(answer)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
        }
    }

    /// Whether it is the dataset: reads all of it, so that no fault comes to light later.
    fn judge(&self, file: &Path) -> Result<()> {
        let bytes = fs::read(file).map_err(|error| Error::io(file, error))?;
        let data = Reader::new().format(Format::Tu).read_bytes(&self.url, bytes)?;
        if data.name() != self.name {
            return Err(self.error(format!("holds the dataset {}, not {}", data.name(), self.name)));
        }
        // A checksum may be kept of a file that was here before.
        super::check(file, self.path)
    }
}

/// What came over a connection, or why nothing did.
type Answer<T> = Result<T, String>;

struct Head {
    status: u16,
    /// How many bytes will come.
    length: Option<u64>,
    /// The number of the first of them.
    start: Option<u64>,
    /// What tells this version of the file from others.
    validator: Option<String>,
}

impl Head {
    fn of(response: &Response<Body>) -> Self {
        let header = |name| response.headers().get(name).and_then(|value| value.to_str().ok());
        // A weak tag is one of files that differ in their bytes.
        let tag = header("etag").filter(|tag| !tag.starts_with("W/"));
        let range = header("content-range").and_then(|range| range.strip_prefix("bytes "));
        Self {
            status: response.status().as_u16(),
            length: response.body().content_length(),
            start: range.and_then(|range| range.split_once('-')?.0.parse().ok()),
            validator: tag.or_else(|| header("last-modified")).map(str::to_owned),
        }
    }
}

/// Hands on what comes, until it ends or nobody listens.
fn receive(response: Response<Body>, to: &SyncSender<Answer<Vec<u8>>>) {
    let mut body = response.into_body().into_reader();
    loop {
        let mut bytes = vec![0; 1 << 16];
        let answer = match body.read(&mut bytes) {
            Ok(0) => return,
            Ok(read) => {
                bytes.truncate(read);
                Ok(bytes)
            }
            Err(error) => Err(error.to_string()),
        };
        let is_over = answer.is_err();
        if to.send(answer).is_err() || is_over {
            return;
        }
    }
}

/// What has come so far of a file, and which version of it that is.
struct Partial<'a> {
    url: &'a str,
    file: PathBuf,
    /// Two lines: the address and the validator.
    version: PathBuf,
}

impl<'a> Partial<'a> {
    fn new(path: &Path, url: &'a str) -> Self {
        Self { url, file: beside(path, "partial"), version: beside(path, "version") }
    }

    /// How many bytes there are and of which version, if the download can go on from there.
    fn state(&self) -> (u64, Option<String>) {
        let state = || {
            let version = fs::read_to_string(&self.version).ok()?;
            let (url, validator) = version.trim_end().split_once('\n')?;
            let length = fs::metadata(&self.file).ok()?.len();
            (url == self.url && length > 0).then(|| (length, validator.to_owned()))
        };
        state().map_or((0, None), |(length, validator)| (length, Some(validator)))
    }

    /// Opens the file to go on after so many bytes; 0 begins another version.
    fn open(&self, have: u64, validator: Option<&str>) -> Result<File> {
        let open = || {
            if have > 0 {
                return File::options().append(true).open(&self.file);
            }
            self.remove();
            let file = File::create(&self.file)?;
            // Last, so that what is there is never taken for another version.
            if let Some(validator) = validator {
                fs::write(&self.version, format!("{}\n{validator}\n", self.url))?;
            }
            Ok(file)
        };
        open().map_err(|error| Error::io(&self.file, error))
    }

    fn remove(&self) {
        // First what makes the other good to go on from. What is not there need not be removed.
        let _ = fs::remove_file(&self.version);
        let _ = fs::remove_file(&self.file);
    }
}

/// A hidden file beside another.
fn beside(path: &Path, what: &str) -> PathBuf {
    path.with_file_name(format!(".{}.{what}", path.file_name().unwrap_or_default().to_string_lossy()))
}

/// Whether an address is one of this machine, where encryption is of no use; any other must be encrypted.
fn is_local(url: &str) -> Result<bool> {
    let wrong = |reason: &str| Error::settings(format!("{url}: {reason}"));
    let uri: Uri =
        url.parse().map_err(|_| wrong("not an address such as https://example.org/datasets/MUTAG.zip"))?;
    let host = uri.host().unwrap_or_default();
    let is_loopback = host == "localhost"
        || host
            .trim_start_matches('[')
            .trim_end_matches(']')
            .parse()
            .is_ok_and(|host: IpAddr| host.is_loopback());
    match uri.scheme_str() {
        Some("https") if !host.is_empty() => Ok(false),
        Some("http") if is_loopback => Ok(true),
        _ => Err(wrong("datasets are fetched by https only, or by http from this machine")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_goes_without_encryption() {
        for (url, expected) in [
            ("https://example.org/x.zip", Ok(false)),
            ("https://127.0.0.1/x.zip", Ok(false)),
            ("http://127.0.0.1:8080/x.zip", Ok(true)),
            ("http://[::1]:8080/x.zip", Ok(true)),
            ("http://localhost/x.zip", Ok(true)),
            ("http://example.org/x.zip", Err(())),
            ("http://127.0.0.1.example.org/x.zip", Err(())),
            ("http://localhost@example.org/x.zip", Err(())),
            ("http://10.0.0.1/x.zip", Err(())),
            ("ftp://localhost/x.zip", Err(())),
            ("file:///etc/x.zip", Err(())),
            ("example.org/x.zip", Err(())),
            ("/x.zip", Err(())),
            ("", Err(())),
        ] {
            let found = is_local(url);
            assert!(found.as_ref().err().is_none_or(Error::is_usage), "{url}");
            assert_eq!(found.map_err(|_| ()), expected, "{url}");
        }
    }
}

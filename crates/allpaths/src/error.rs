//! The one error of this library: what is wrong, where, and what to do about it.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// A result of this library.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Something a caller can act on: a file that cannot be read, a graph that makes no sense, settings that
/// contradict each other.
///
/// The message names the place (`MUTAG_A.txt:418`) and what was expected there. A count that ran out of its
/// budget is not an error but an [`Outcome`](crate::count::Outcome).
#[derive(Debug)]
pub struct Error {
    /// Boxed, so that results are small: readers return one for every token.
    kind: Box<Kind>,
}

#[derive(Debug)]
enum Kind {
    Io { path: PathBuf, source: io::Error },
    Parse { path: PathBuf, line: Option<usize>, reason: String },
    Limit(Error),
    Graph(String),
    Settings(String),
    Stopped(String),
}

impl Error {
    fn new(kind: Kind) -> Self {
        Self { kind: Box::new(kind) }
    }

    /// A file or folder that the system would not read or write.
    pub(crate) fn io(path: &Path, source: io::Error) -> Self {
        Self::new(Kind::Io { path: path.to_owned(), source })
    }

    /// A line (counted from 1) that is not what the format asks for.
    pub(crate) fn parse(path: &Path, line: usize, reason: impl Into<String>) -> Self {
        Self::new(Kind::Parse { path: path.to_owned(), line: Some(line), reason: reason.into() })
    }

    /// A file or folder that is wrong as a whole.
    pub(crate) fn file(path: &Path, reason: impl Into<String>) -> Self {
        Self::new(Kind::Parse { path: path.to_owned(), line: None, reason: reason.into() })
    }

    /// A file of ours that is not the JSON it should be.
    pub(crate) fn json(path: &Path, what: &str, error: &serde_json::Error) -> Self {
        let reason = error.to_string();
        let place = format!(" at line {} column {}", error.line(), error.column());
        let reason = reason.strip_suffix(place.as_str()).unwrap_or(&reason);
        Self::parse(path, error.line().max(1), format!("not {what}: {reason}"))
    }

    /// A file of ours from another version.
    pub(crate) fn version(path: &Path, found: u64, known: u64) -> Self {
        let way_out = if found > known { "take a newer program" } else { "make the file again" };
        Self::file(path, format!("written in version {found}, this program reads version {known}: {way_out}"))
    }

    /// A graph that cannot be: an edge to a vertex that is not there, a label too few.
    pub(crate) fn graph(reason: impl Into<String>) -> Self {
        Self::new(Kind::Graph(reason.into()))
    }

    /// Settings that contradict each other or the graph they are applied to.
    pub(crate) fn settings(reason: impl Into<String>) -> Self {
        Self::new(Kind::Settings(reason.into()))
    }

    /// A job that a limit or somebody stopped, where that is to count as a failure.
    pub(crate) fn stopped(reason: impl Into<String>) -> Self {
        Self::new(Kind::Stopped(reason.into()))
    }

    /// What is wrong, without the place.
    pub(crate) fn reason(&self) -> &str {
        match &*self.kind {
            Kind::Io { .. } => "cannot be read or written",
            Kind::Parse { reason, .. }
            | Kind::Graph(reason)
            | Kind::Settings(reason)
            | Kind::Stopped(reason) => reason,
            Kind::Limit(error) => error.reason(),
        }
    }

    /// The same fault, and what to do about it.
    pub(crate) fn with_advice(mut self, advice: &str) -> Self {
        let mut kind = &mut *self.kind;
        while let Kind::Limit(error) = kind {
            kind = &mut *error.kind;
        }
        if let Kind::Parse { reason, .. }
        | Kind::Graph(reason)
        | Kind::Settings(reason)
        | Kind::Stopped(reason) = kind
        {
            *reason = format!("{reason}; {advice}");
        }
        self
    }

    /// The same fault, of data that ask for more memory than they may.
    pub(crate) fn past_limit(self) -> Self {
        Self::new(Kind::Limit(self))
    }

    /// Whether data ask for more memory than [`Reader::max_input`](crate::dataset::Reader::max_input) allows: a larger
    /// limit may be all that is needed.
    pub fn is_past_limit(&self) -> bool {
        matches!(*self.kind, Kind::Limit(_))
    }

    /// Whether the fault lies in the data (a file, a graph), not in the settings.
    pub fn is_input(&self) -> bool {
        !self.is_usage() && !self.is_stopped()
    }

    /// Whether a limit was reached, or somebody asked to stop.
    pub fn is_stopped(&self) -> bool {
        matches!(*self.kind, Kind::Stopped(_))
    }

    /// Whether the fault lies in the settings: other settings on the same data would work.
    pub fn is_usage(&self) -> bool {
        matches!(*self.kind, Kind::Settings(_))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.kind {
            Kind::Io { path, .. } => write!(f, "{}: cannot be read or written", path.display()),
            Kind::Parse { path, line: Some(line), reason } => {
                write!(f, "{}:{line}: {reason}", path.display())
            }
            Kind::Parse { path, line: None, reason } => write!(f, "{}: {reason}", path.display()),
            Kind::Graph(reason) | Kind::Settings(reason) | Kind::Stopped(reason) => f.write_str(reason),
            Kind::Limit(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &*self.kind {
            Kind::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}

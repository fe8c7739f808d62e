//! What was found, kept job by job in a folder, so that a run that was stopped goes on where it was.

use std::fs;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Finding, Job};
use crate::label::id_of_name;
use crate::{Error, Result, whole};

/// The folder in which findings are.
pub(super) struct Store {
    folder: PathBuf,
}

/// A finding, with what it is of.
#[derive(Serialize, Deserialize)]
struct Kept {
    of: Value,
    finding: Finding,
}

impl Store {
    pub(super) fn new(folder: PathBuf) -> Result<Self> {
        fs::create_dir_all(&folder).map_err(|error| Error::io(&folder, error))?;
        Ok(Self { folder })
    }

    /// What was found before by the same work on the same graphs, by this version of the program. What cannot be read counts as not found.
    pub(super) fn find(&self, job: &Job, graphs: &Value) -> Option<Finding> {
        let of = identity(job, graphs);
        let bytes = fs::read(self.path(job, &of)).ok()?;
        let kept: Kept = serde_json::from_slice(&bytes).ok()?;
        (kept.of == of).then_some(kept.finding)
    }

    pub(super) fn keep(&self, job: &Job, graphs: &Value, finding: &Finding) -> Result<()> {
        let of = identity(job, graphs);
        let path = self.path(job, &of);
        let kept = Kept { of, finding: finding.clone() };
        whole::file(&path, |out| Ok(serde_json::to_writer_pretty(out, &kept)?))
    }

    fn path(&self, job: &Job, of: &Value) -> PathBuf {
        let id = id_of_name(&of.to_string());
        self.folder.join(format!("{}-{}-{id:016x}.json", job.part.name(), job.dataset))
    }
}

/// All that a finding depends on.
fn identity(job: &Job, graphs: &Value) -> Value {
    serde_json::json!({ "program": env!("CARGO_PKG_VERSION"), "graphs": graphs, "work": job.work })
}

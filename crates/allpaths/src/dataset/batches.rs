//! A dataset a few graphs at a time.

use std::fmt;

use super::Dataset;
use super::tu::Tu;
use crate::Result;

/// The graphs of a dataset in batches, as [`Reader::stream`](super::Reader::stream) reads them.
///
/// A batch is a small [`Dataset`]: some graphs in a row, their classes and attributes, and what was noted of them.
/// Labels have the same codes in all batches; the alphabet of a batch begins with that of the one before. After an
/// error there are no more batches.
pub struct Batches {
    source: Source,
    size: usize,
}

enum Source {
    /// Files that are read on for each batch.
    Files(Box<Tu>),
    /// A dataset that is in memory, and how many of its graphs were handed out.
    Memory(Dataset, usize),
    Over,
}

impl Batches {
    pub(super) fn of_files(tu: Tu, size: usize) -> Self {
        Self { source: Source::Files(Box::new(tu)), size }
    }

    pub(super) fn of_memory(dataset: Dataset, size: usize) -> Self {
        Self { source: Source::Memory(dataset, 0), size }
    }

    fn read(&mut self) -> Result<Option<Dataset>> {
        match &mut self.source {
            Source::Files(tu) => tu.read_batch(self.size),
            Source::Memory(dataset, done) => {
                let start = *done;
                *done = dataset.graphs.len().min(start.saturating_add(self.size));
                let mut batch = dataset.pick(start..*done);
                // What was noted of the whole is told once.
                batch.notes = std::mem::take(&mut dataset.notes);
                batch.merged = std::mem::take(&mut dataset.merged);
                Ok(Some(batch).filter(|batch| !batch.graphs.is_empty()))
            }
            Source::Over => Ok(None),
        }
    }
}

impl Iterator for Batches {
    type Item = Result<Dataset>;

    fn next(&mut self) -> Option<Result<Dataset>> {
        let batch = self.read().transpose();
        if !matches!(batch, Some(Ok(_))) {
            self.source = Source::Over;
        }
        batch
    }
}

impl fmt::Debug for Batches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batches").field("size", &self.size).finish_non_exhaustive()
    }
}

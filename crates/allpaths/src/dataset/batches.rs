//! A dataset a few graphs at a time.

use std::fmt;

use super::Dataset;
use super::molecule::Molecules;
use super::tu::Tu;
use crate::Result;
use crate::graph::{Interner, VertexLabels};

/// The graphs of a dataset in batches, as [`Reader::stream`](super::Reader::stream) reads them.
///
/// A batch is a small [`Dataset`]: some graphs in a row, their classes and attributes, and what was noted of them.
/// Labels have the same codes in all batches; the alphabet of a batch begins with that of the one before. After an
/// error there are no more batches.
pub struct Batches {
    source: Source,
    size: usize,
    /// What unlabelled vertices are labelled with, and all such labels so far.
    labels: (VertexLabels, Interner),
}

enum Source {
    /// Files that are read on for each batch.
    Files(Box<Tu>),
    /// A file of molecules that is read on.
    Molecules(Box<Molecules>),
    /// A table that is read on.
    #[cfg(feature = "arrow")]
    Table(Box<super::table::TableFile>),
    /// A dataset that is in memory, and how many of its graphs were handed out.
    Memory(Box<Dataset>, usize),
    Over,
}

impl Batches {
    pub(super) fn of_files(tu: Tu, size: usize, labels: VertexLabels) -> Self {
        Self { source: Source::Files(Box::new(tu)), size, labels: (labels, Interner::default()) }
    }

    pub(super) fn of_molecules(molecules: Molecules, size: usize) -> Self {
        Self { source: Source::Molecules(Box::new(molecules)), size, labels: Default::default() }
    }

    #[cfg(feature = "arrow")]
    pub(super) fn of_table(table: super::table::TableFile, size: usize, labels: VertexLabels) -> Self {
        Self { source: Source::Table(Box::new(table)), size, labels: (labels, Interner::default()) }
    }

    pub(super) fn of_memory(dataset: Dataset, size: usize) -> Self {
        Self { source: Source::Memory(Box::new(dataset), 0), size, labels: Default::default() }
    }

    fn read(&mut self) -> Result<Option<Dataset>> {
        match &mut self.source {
            Source::Files(tu) => {
                let mut batch = tu.read_batch(self.size)?;
                if let Some(batch) = &mut batch {
                    batch.label_vertices(self.labels.0, &mut self.labels.1);
                }
                Ok(batch)
            }
            #[cfg(feature = "arrow")]
            Source::Table(table) => {
                let mut batch = table.read_batch(self.size)?;
                if let Some(batch) = &mut batch {
                    batch.label_vertices(self.labels.0, &mut self.labels.1);
                }
                Ok(batch)
            }
            Source::Molecules(molecules) => molecules.read_batch(self.size),
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

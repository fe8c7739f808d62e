//! Graphs that cannot be read, where the others can.

use std::collections::BTreeMap;

use crate::dataset::{Dataset, OnError};
use crate::{Error, Result};

/// What is wrong with graphs of the span, each by the first fault that was found.
pub(super) struct Faults {
    on_error: OnError,
    by_graph: BTreeMap<usize, Error>,
}

impl Faults {
    pub(super) fn new(on_error: OnError) -> Self {
        Self { on_error, by_graph: BTreeMap::new() }
    }

    /// Takes a fault of one graph, or fails if graphs are not to be left out.
    #[cold]
    pub(super) fn of_graph(&mut self, graph: usize, error: Error) -> Result<()> {
        match self.on_error {
            OnError::Fail => Err(error),
            OnError::Skip | OnError::Empty => {
                self.by_graph.entry(graph).or_insert(error);
                Ok(())
            }
        }
    }

    /// Takes a fault in the class of a graph, which a graph without vertices cannot do without either.
    #[cold]
    pub(super) fn of_class(&mut self, graph: usize, error: Error) -> Result<()> {
        match self.on_error {
            OnError::Empty => {
                Err(error.with_advice("leave such graphs out: one without vertices needs a class, too"))
            }
            OnError::Fail | OnError::Skip => self.of_graph(graph, error),
        }
    }

    /// A fault that tells nothing of which graph it is in: all fails.
    #[cold]
    pub(super) fn of_nobody(&self, error: Error) -> Error {
        match self.on_error {
            OnError::Fail => error,
            OnError::Skip | OnError::Empty => {
                error.with_advice("the line does not tell of which graph it is, so none can be left out")
            }
        }
    }

    /// Whether a graph, the first of the span being number `first` of the dataset, is as it should be; else notes what becomes of it.
    pub(super) fn note(&mut self, graph: usize, first: usize, dataset: &mut Dataset) -> Result<Fate> {
        let Some(error) = self.by_graph.remove(&graph) else { return Ok(Fate::Whole) };
        let reason = error.to_string();
        dataset.note_fault(&format!("graph {}", first + graph + 1), &reason, error, self.on_error)?;
        Ok(if self.on_error == OnError::Skip { Fate::LeftOut } else { Fate::Empty })
    }
}

/// What becomes of a graph.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Whole,
    LeftOut,
    Empty,
}

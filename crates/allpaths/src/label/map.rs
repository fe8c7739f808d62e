//! Which labels keep their names.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::graph::Labels;
use crate::{Error, Graph, Result};

/// Which labels to tell apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LabelChoice {
    /// Every one.
    #[default]
    All,
    /// So many: the commonest, one fewer, and all others as one.
    Commonest(usize),
}

impl LabelChoice {
    /// Whether graphs have to be seen to know which labels these are.
    pub(crate) fn is_learnt(self) -> bool {
        matches!(self, Self::Commonest(2..))
    }
}

/// The labels that keep their names, in order; all others are one label, `*`.
///
/// Learnt from graphs and applied to any: a label that the map does not know is one of the others.
///
/// # Example
///
/// ```
/// # use allpaths::{Graph, graph::GraphBuilder, label::{LabelChoice, LabelMap}};
/// let mut builder = GraphBuilder::undirected(4);
/// builder.vertex_labels(["C", "C", "O", "N"]);
/// let graph = builder.build()?;
/// let map = LabelMap::learn(LabelChoice::Commonest(3), &[graph])?;
/// assert_eq!(map.kept(), Some(["C".to_owned(), "N".to_owned()].as_slice())); // as common as O, and first by name
/// # Ok::<(), allpaths::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabelMap {
    /// The commonest first; nothing if every label keeps its name.
    kept: Option<Vec<String>>,
}

impl LabelMap {
    /// Every label keeps its name.
    pub fn all() -> Self {
        Self::default()
    }

    /// These labels keep their names.
    pub fn keeping(labels: Vec<String>) -> Self {
        Self { kept: Some(labels) }
    }

    /// The map that a choice makes of the labels of some graphs: the commonest keep their names, ties go by name.
    ///
    /// # Errors
    ///
    /// When no label at all is to be told apart.
    pub fn learn(choice: LabelChoice, graphs: &[Graph]) -> Result<Self> {
        let mut learner = LabelLearner::new(choice);
        learner.add(graphs);
        learner.finish()
    }

    /// The labels that keep their names, the commonest first; nothing if all do.
    pub fn kept(&self) -> Option<&[String]> {
        self.kept.as_deref()
    }
}

/// Learns a label map from graphs, some at a time.
#[derive(Clone, Debug)]
pub struct LabelLearner {
    choice: LabelChoice,
    /// How often each label was seen.
    seen: BTreeMap<String, u64>,
}

impl LabelLearner {
    /// Learns what a choice makes of the graphs to come.
    pub fn new(choice: LabelChoice) -> Self {
        Self { choice, seen: BTreeMap::new() }
    }

    /// Whether the map depends on the graphs at all.
    pub fn looks_at_graphs(&self) -> bool {
        self.choice != LabelChoice::All
    }

    /// Counts the labels of more graphs. A graph without labels has none.
    pub fn add(&mut self, graphs: &[Graph]) {
        if !self.looks_at_graphs() {
            return;
        }
        let labelled: Vec<&Labels> = graphs.iter().filter_map(Graph::vertex_labels).collect();
        for labels in labelled.chunk_by(|a, b| Arc::ptr_eq(a.alphabet(), b.alphabet())) {
            let names = labels[0].alphabet().names();
            let mut seen = vec![0u64; names.len()];
            labels.iter().flat_map(|labels| labels.codes()).for_each(|&code| seen[code as usize] += 1);
            for (name, times) in names.iter().zip(seen).filter(|&(_, times)| times > 0) {
                *self.seen.entry(name.clone()).or_default() += times;
            }
        }
    }

    /// The map: the commonest labels keep their names, ties go by name.
    ///
    /// # Errors
    ///
    /// When no label at all is to be told apart.
    pub fn finish(self) -> Result<LabelMap> {
        match self.choice {
            LabelChoice::All => Ok(LabelMap::all()),
            LabelChoice::Commonest(0) => {
                Err(Error::settings("0 labels leave nothing to tell: keep 1 or more"))
            }
            LabelChoice::Commonest(labels) => {
                let mut seen: Vec<(String, u64)> = self.seen.into_iter().collect();
                seen.sort_by_key(|&(_, times)| Reverse(times)); // stable: ties stay in the order of names
                Ok(LabelMap::keeping(seen.into_iter().take(labels - 1).map(|(name, _)| name).collect()))
            }
        }
    }
}

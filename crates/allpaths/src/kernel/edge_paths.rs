//! Edge paths: walks that use no edge twice, by the labels they read.

use serde::{Deserialize, Serialize};

use crate::count::{Convention, Goal, Job, Outcome, Walk};
use crate::embed::{EdgeLabels, Finder, Keys, Part};
use crate::label::{
    Booking, Cycles, Kind, LabelChoice, LabelMap, Labelling, Reading, Trie, sequence, vertices,
};
use crate::{AllPathsCycles, Graph};

/// Counts edge paths, or trails, by the labels they read: no edge is used twice, but vertices may be.
///
/// This is what Borgwardt and Kriegel call a path in their all-paths kernel. An undirected trail counts once, not once for each direction; a closed one
/// counts once for each vertex at which it can begin. Single vertices are trails of length 0. A feature is called `trail:C-C=O`. Left out
/// is what is longer than the longest length: to count all is as hard as they say.
///
/// # Complexity
///
/// The number of trails one edge shorter than the longest.
///
/// # Example
///
/// ```
/// # use allpaths::{Graph, GraphKernel, kernel::EdgePaths};
/// // 0---1
/// //  \ /
/// //   2---3
/// let graph = Graph::from_edges(4, [(0, 1), (1, 2), (2, 0), (2, 3)])?;
/// let features = GraphKernel::new(EdgePaths::up_to(4)).features(&[graph])?;
/// assert_eq!(features.count(0, "trail:*-*-*-*"), Some(2 + 3)); // 0-1-2-3, 1-0-2-3, and around from three vertices
/// assert_eq!(features.count(0, "trail:*-*-*-*-*"), Some(2)); // 2-0-1-2-3, and the other way around: 2-1-0-2-3
/// # Ok::<(), allpaths::Error>(())
/// ```
///
/// # Reference
///
/// Borgwardt and Kriegel, Shortest-path kernels on graphs, 2005, section 3.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct EdgePaths {
    max_length: usize,
    pub(super) labels: LabelChoice,
    pub(super) edge_labels: EdgeLabels,
}

impl Default for EdgePaths {
    fn default() -> Self {
        Self::up_to(AllPathsCycles::MAX_LENGTH)
    }
}

impl EdgePaths {
    /// Trails of up to so many edges.
    pub fn up_to(max_length: usize) -> Self {
        Self { max_length, labels: LabelChoice::All, edge_labels: EdgeLabels::default() }
    }

    /// Sets which labels are told apart: all by default, none with `LabelChoice::Commonest(1)`.
    #[must_use]
    pub fn labels(mut self, choice: LabelChoice) -> Self {
        self.labels = choice;
        self
    }

    /// Sets whether the labels of edges have a say.
    #[must_use]
    pub fn edge_labels(mut self, edge_labels: EdgeLabels) -> Self {
        self.edge_labels = edge_labels;
        self
    }

    pub(super) fn finder(&self, map: &LabelMap) -> Trails {
        Trails {
            max_length: self.max_length,
            labelling: Labelling::new(map.clone(), self.edge_labels.is_used()),
            vertices: Vec::new(),
            trie: Trie::default(),
            reading: Reading::default(),
        }
    }
}

/// Finds trails. Scratch, to be used for graph after graph.
pub(super) struct Trails {
    max_length: usize,
    labelling: Labelling,
    vertices: Vec<u64>,
    trie: Trie,
    reading: Reading,
}

impl Finder for Trails {
    fn find<K: Keys>(&mut self, graph: &Graph, job: Job<'_>, row: &mut Part<K>) -> Outcome {
        self.labelling.begin(graph);
        self.labelling.number();
        let mut sink = row.at(0);
        vertices(&self.labelling, &mut self.vertices, &mut sink);
        let booking = Booking { paths: true, cycles: Cycles::Off, convention: Convention::Distinct };
        self.trie.begin(graph, &self.labelling, booking);
        let Self { max_length, trie, .. } = self;
        let walk =
            Walk { graph, goal: Goal::Trails, max_length: *max_length, job, parts: 1, parallel: false };
        let (_, outcome) = walk.tell(trie);
        match outcome {
            Outcome::Complete => {
                let Self { trie, labelling, reading, .. } = self;
                sequence::drain(Kind::Trail, trie, labelling, booking, reading, &mut sink);
            }
            // Lengths are counted together, so none is finished.
            _ => row.clear(),
        }
        outcome
    }
}

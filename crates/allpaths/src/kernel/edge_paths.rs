//! Edge paths: walks that use no edge twice, by the labels they read.

use serde::{Deserialize, Serialize};

use crate::count::{Allowance, Convention, Ends, Job, Meter, Outcome, Tally};
use crate::embed::{EdgeLabels, Finder, Keys, Part};
use crate::graph::Arc;
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
/// The number of trails.
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
            used: Vec::new(),
            path: Vec::new(),
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
    /// By edge: whether it is on the trail.
    used: Vec<bool>,
    /// The vertices of the trail at hand.
    path: Vec<Visit>,
}

/// A vertex on the trail, how many of its arcs are done, by which edge it was reached, and what the tally knows.
#[derive(Clone, Copy)]
struct Visit {
    vertex: usize,
    next: usize,
    edge: usize,
    state: u32,
}

/// One end of a path that is not walked further.
#[derive(Clone, Copy)]
struct Last(Arc);

impl Ends for Last {
    fn len(self) -> u64 {
        1
    }

    fn each(self, mut hear: impl FnMut(Arc)) {
        hear(self.0);
    }
}

impl Trails {
    fn walk(&mut self, graph: &Graph, root: usize, meter: &mut Meter<'_>) {
        let Self { max_length, trie, used, path, .. } = self;
        path.push(Visit { vertex: root, next: 0, edge: usize::MAX, state: trie.root(root) });
        while let Some(top) = path.last_mut() {
            let Visit { vertex, state, .. } = *top;
            let Some(arc) = graph.arcs(vertex).nth(top.next).filter(|_| !meter.stopped()) else {
                let visit = path.pop().expect("there is a last one");
                if visit.edge != usize::MAX {
                    used[visit.edge] = false;
                }
                continue;
            };
            top.next += 1;
            let edge = graph.edge_of(arc);
            if used[edge] {
                continue;
            }
            meter.spend(1);
            let length = path.len();
            // An undirected loop reads the same in both directions, but is met once.
            if length == 1 && arc.target == root && !graph.is_directed() {
                trie.paths(state, length, Last(arc));
            }
            if length == *max_length {
                trie.paths(state, length, Last(arc));
            } else {
                used[edge] = true;
                let state = trie.step(state, length, arc);
                path.push(Visit { vertex: arc.target, next: 0, edge, state });
            }
        }
    }
}

impl Finder for Trails {
    fn find<K: Keys>(&mut self, graph: &Graph, job: Job<'_>, row: &mut Part<K>) -> Outcome {
        self.labelling.begin(graph);
        self.labelling.number();
        let mut sink = row.at(0);
        vertices(&self.labelling, &mut self.vertices, &mut sink);
        self.trie.begin(graph, &self.labelling);
        self.used.clear();
        self.used.resize(graph.size(), false);
        let allowance = Allowance::new(job);
        let mut meter = allowance.meter();
        if self.max_length > 0 {
            (0..graph.order()).for_each(|root| self.walk(graph, root, &mut meter));
        }
        drop(meter);
        let outcome = allowance.outcome();
        match outcome {
            Outcome::Complete => {
                let booking = Booking { paths: true, cycles: Cycles::Off, convention: Convention::Distinct };
                let Self { trie, labelling, reading, .. } = self;
                sequence::drain(Kind::Trail, trie, labelling, booking, reading, &mut sink);
            }
            // Lengths are counted together, so none is finished.
            _ => row.clear(),
        }
        outcome
    }
}

//! The cyclic pattern kernel: which cycles and which trees of bridges a graph has.

mod bridges;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::count::{Job, Outcome};
use crate::embed::{EdgeLabels, Finder, Keys, Part, Worker};
use crate::label::{Found, Kind, LabelChoice, LabelMap, Labelling, Piece, Sink, Spelling, spelt};
use crate::{AllPathsCycles, Graph, Result};
use bridges::Read;

/// Finds the simple cycles of a graph, by the labels around them, and the trees that its bridges form, by their shape and labels.
///
/// By default two graphs are compared by how many such patterns both have, each counted once however often it is there. An edge is a bridge if it is on
/// no cycle; what hangs together by bridges is a tree. A vertex without a bridge is in no tree. Cycles are called as
/// [`AllPathsCycles`] calls them, `cycle:C-C-C-`, trees by what is below each vertex from a centre on, `tree:C(-C(-O)=N)`.
///
/// The authors bound the number of cycles of a graph; here their length is bounded. Cycles follow the direction of arcs; bridges have none.
///
/// # Complexity
///
/// That of the paths up to one edge less than the longest cycle.
///
/// # Example
///
/// ```
/// # use allpaths::{Graph, GraphKernel, kernel::CyclicPattern};
/// // 0---1        0---1
/// //  \ /          \ /
/// //   2---3        2    3---4
/// let left = Graph::from_edges(4, [(0, 1), (1, 2), (2, 0), (2, 3)])?;
/// let right = Graph::from_edges(5, [(0, 1), (1, 2), (2, 0), (3, 4)])?;
/// let gram = GraphKernel::new(CyclicPattern::up_to(6)).fit(&[left, right])?.gram::<f64>()?;
/// assert_eq!(gram.values(), [2.0; 4]); // a triangle, and an edge
/// # Ok::<(), allpaths::Error>(())
/// ```
///
/// # Reference
///
/// Horváth, Gärtner and Wrobel, Cyclic pattern kernels for predictive graph mining, 2004.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CyclicPattern {
    max_length: usize,
    pub(super) labels: LabelChoice,
    pub(super) edge_labels: EdgeLabels,
}

impl Default for CyclicPattern {
    fn default() -> Self {
        Self::up_to(Self::MAX_LENGTH)
    }
}

impl CyclicPattern {
    /// The longest cycle if nobody says which.
    pub const MAX_LENGTH: usize = 8;

    /// Cycles of up to so many edges, and trees of any size.
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

    /// What finds the cycles.
    pub(super) fn cycles(&self) -> AllPathsCycles {
        AllPathsCycles::up_to(self.max_length)
            .without_paths()
            .without_vertices()
            .edge_labels(self.edge_labels)
    }

    pub(super) fn finder<'a>(&self, cycles: &'a AllPathsCycles, map: &LabelMap) -> Result<Patterns<'a>> {
        let labelling = Labelling::new(map.clone(), self.edge_labels.is_used());
        Ok(Patterns { cycles: Worker::new(cycles, map)?, labelling })
    }
}

/// Finds cycles and trees. Scratch, to be used for graph after graph.
pub(super) struct Patterns<'a> {
    cycles: Worker<'a>,
    labelling: Labelling,
}

impl Finder for Patterns<'_> {
    fn find<K: Keys>(&mut self, graph: &Graph, job: Job<'_>, row: &mut Part<K>) -> Outcome {
        let outcome = self.cycles.find(graph, job, row);
        let Self { labelling, .. } = self;
        labelling.begin(graph);
        labelling.number();
        let labels = labelling.vertices();
        // An undirected edge has an arc either way, a directed one has one.
        let edge = |u: u32, v: u32| {
            let arc = graph.arc(u as usize, v as usize).or_else(|| graph.arc(v as usize, u as usize));
            labelling.arc(arc.expect("bridges are edges").index)
        };
        let forest = bridges::forest(graph);
        let trees = bridges::trees(
            &forest,
            |v| labelling.piece(labels[v as usize]).id(),
            |u, v| labelling.edge_piece(edge(u, v)).id(),
        );
        let mut sink = row.at(0);
        for tree in trees {
            let id = spelt(|piece: &mut Piece| spell(piece, &tree, labelling, edge)).id();
            let length = tree.len() - 1;
            let found = Found { id, kind: Kind::Tree, length, times: 1, divisor: 1, again: true };
            sink.take(found, || spelt(|name: &mut String| spell(name, &tree, labelling, edge)));
        }
        outcome
    }
}

/// Each vertex, and in brackets what is below it, each after its edge.
fn spell(
    out: &mut impl Spelling,
    tree: &[Read],
    labelling: &Labelling,
    edge: impl Fn(u32, u32) -> u32,
) -> fmt::Result {
    out.write_str("tree:")?;
    let mut depth = 0;
    for &Read { vertex, parent, depth: deeper } in tree {
        if deeper > depth {
            out.write_str("(")?;
        }
        (deeper..depth).try_for_each(|_| out.write_str(")"))?;
        depth = deeper;
        if depth > 0 {
            out.edge(labelling, edge(parent, vertex))?;
        }
        out.vertex(labelling, labelling.vertices()[vertex as usize])?;
    }
    (0..depth).try_for_each(|_| out.write_str(")"))
}

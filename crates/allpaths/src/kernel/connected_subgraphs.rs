//! Connected subgraphs by isomorphism class: the subgraph kernel made finite.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::graphlet::classes::{self, Classes, LARGEST};
use super::graphlet::finder::{Class, Key, Met, Tally};
use super::walks::check_weights;
use crate::count::{Allowance, Job, Links, Outcome, Subgraph};
use crate::embed::{Finder, Keys, Part};
use crate::label::{Found, Kind, LabelChoice, LabelMap, Labelling, Piece, Sink, spelt};
use crate::{Error, Graph, Result};

/// Counts connected subgraphs of up to five vertices by isomorphism class, labels included. They need not be induced: a triangle has three paths of two
/// edges.
///
/// The subgraph kernel sums, over all pairs of isomorphic subgraphs, a weight. Here subgraphs hang together and are small, and the weight
/// depends on the number of vertices, 1 by default. Directions, loops and the labels of edges have no say. A feature is called by its vertices and edges,
/// `subgraph:[C,C,O]:01 12`.
///
/// # Complexity
///
/// The number of connected induced subgraphs; of those that are not induced, only different ones are looked at.
///
/// # Example
///
/// ```
/// # use allpaths::{Graph, GraphKernel, kernel::ConnectedSubgraphs};
/// let path = Graph::from_edges(3, [(0, 1), (1, 2)])?; // 3 vertices, 2 edges, 1 path
/// let triangle = Graph::from_edges(3, [(0, 1), (1, 2), (2, 0)])?; // 3 vertices, 3 edges, 3 paths, 1 triangle
/// let gram = GraphKernel::new(ConnectedSubgraphs::up_to(3)).fit(&[path, triangle])?.gram::<f64>()?;
/// assert_eq!(gram.values(), [9.0 + 4.0 + 1.0, 9.0 + 6.0 + 3.0, 9.0 + 6.0 + 3.0, 9.0 + 9.0 + 9.0 + 1.0]);
/// # Ok::<(), allpaths::Error>(())
/// ```
///
/// # Reference
///
/// Gärtner, Flach and Wrobel, On graph kernels: hardness results and efficient alternatives, 2003, who show that all subgraphs are too many.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ConnectedSubgraphs {
    max_size: usize,
    weights: Vec<f64>,
    pub(super) labels: LabelChoice,
}

impl Default for ConnectedSubgraphs {
    fn default() -> Self {
        Self::up_to(Self::MAX_SIZE)
    }
}

impl ConnectedSubgraphs {
    /// The most vertices if nobody says how many.
    pub const MAX_SIZE: usize = 4;

    /// Subgraphs of 1 to so many vertices, 5 at most, each size with weight 1.
    pub fn up_to(max_size: usize) -> Self {
        Self { max_size, weights: Vec::new(), labels: LabelChoice::All }
    }

    /// Sets what pairs of subgraphs weigh by their number of vertices, from 1.
    #[must_use]
    pub fn weights(mut self, weights: impl IntoIterator<Item = f64>) -> Self {
        self.weights = weights.into_iter().collect();
        self
    }

    /// Sets which labels are told apart: all by default, none with `LabelChoice::Commonest(1)`.
    #[must_use]
    pub fn labels(mut self, choice: LabelChoice) -> Self {
        self.labels = choice;
        self
    }

    /// The weight of each number of vertices from 0, if they are not all 1.
    pub(super) fn length_weights(&self) -> Option<Vec<f64>> {
        (!self.weights.is_empty()).then(|| [&[0.0], self.weights.as_slice()].concat())
    }

    pub(super) fn check(&self) -> Result<()> {
        match self.max_size {
            1..=LARGEST => check_weights(&self.weights, self.max_size, "sizes"),
            size => {
                Err(Error::settings(format!("connected subgraphs of {size} vertices: from 1 to {LARGEST}")))
            }
        }
    }

    pub(super) fn finder(&self, map: &LabelMap) -> Spanning {
        Spanning {
            max_size: self.max_size,
            labelling: Labelling::new(map.clone(), false),
            classes: (0..=self.max_size).map(|size| Classes::new(size.max(1))).collect(),
            spanning: FxHashMap::default(),
            found: Tally::default(),
        }
    }
}

/// Finds connected subgraphs. Scratch, to be used for graph after graph.
pub(super) struct Spanning {
    max_size: usize,
    labelling: Labelling,
    /// By size, from 0.
    classes: Vec<Classes>,
    /// By size and code: the connected subgraphs with the same vertices.
    spanning: FxHashMap<(usize, u16), Vec<u16>>,
    found: Tally,
}

impl Spanning {
    /// Gives what was found under names: of each induced subgraph all subgraphs with the same vertices.
    fn drain(&mut self, sink: &mut impl Sink) {
        let Self { labelling, classes, spanning, found, .. } = self;
        let mut all: FxHashMap<Key, u64> = FxHashMap::default();
        for (Key { size, code, labels }, times) in found.counts.drain() {
            let (size, classes) = (size as usize, &mut classes[size as usize]);
            for &code in spanning.entry((size, code)).or_insert_with(|| subgraphs(size, code)).iter() {
                let (code, labels) = classes.canonical(code, &labels[..size]);
                *all.entry(Key { size: size as u8, code, labels }).or_default() += times;
            }
        }
        for (Key { size, code, labels }, times) in all {
            let length = size as usize;
            let class = Class { prefix: "subgraph:[", labelling, labels: &labels[..length], code };
            let id = spelt(|piece: &mut Piece| class.spell(piece)).id();
            let found = Found { id, kind: Kind::Subgraph, length, times, divisor: 1, again: true };
            sink.take(found, || spelt(|name: &mut String| class.spell(name)));
        }
    }
}

/// The connected graphs with some of a graph's edges and all its vertices.
fn subgraphs(size: usize, code: u16) -> Vec<u16> {
    let (mut all, mut some) = (Vec::new(), code);
    loop {
        if classes::is_connected(size, some) {
            all.push(some);
        }
        if some == 0 {
            return all;
        }
        some = (some - 1) & code;
    }
}

impl Finder for Spanning {
    fn find<K: Keys>(&mut self, graph: &Graph, job: Job<'_>, row: &mut Part<K>) -> Outcome {
        let Self { labelling, found, .. } = self;
        labelling.begin(graph);
        labelling.number();
        found.labels.clear();
        found.labels.extend(labelling.vertices());
        let allowance = Allowance::new(job);
        let mut meter = allowance.meter();
        let links = Links::new(graph, |_| 1i64);
        let mut subgraph = Subgraph::new(&links, self.max_size);
        let mut met = Met::all(found);
        (0..graph.order()).for_each(|root| subgraph.each(root, &mut meter, &mut met));
        drop(meter);
        let outcome = allowance.outcome();
        match outcome {
            Outcome::Complete => self.drain(&mut row.at(0)),
            // Sizes are counted together, so none is finished.
            _ => found.counts.clear(),
        }
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_as_there_are_connected_labelled_graphs() {
        // OEIS A001187: connected graphs on numbered vertices are the connected spanning subgraphs of the complete graph.
        for (size, connected) in [(1, 1), (2, 1), (3, 4), (4, 38), (5, 728)] {
            let complete = ((1u32 << (size * (size - 1) / 2)) - 1) as u16;
            assert_eq!(subgraphs(size, complete).len(), connected);
        }
    }
}

//! Walks by the sequence of labels they read: the kernel on walks that never turn straight back, and what random walks of bounded length share with it.
//!
//! Walks are not walked. All that read the same sequence are one list, of where they end and how many end there, and a step makes of such a list one
//! for each label that can come next. So the time grows with the sequences, not with the walks: one list for each length where labels are all
//! the same.

use serde::{Deserialize, Serialize};

use crate::count::{Allowance, Job, Meter, Outcome};
use crate::embed::{EdgeLabels, Finder, Keys, Part};
use crate::label::{Found, Kind, LabelChoice, LabelMap, Labelling, Piece, Sink, Spelling, spelt, vertices};
use crate::{Error, Graph, Result};

/// Counts walks that never turn straight back, by the labels they read: `v(i)` is not `v(i + 2)`.
///
/// A walk begins at every vertex and goes in every direction, so on an undirected graph it counts once from each end; a single vertex is a walk of length
/// 0. Two graphs are compared by the sum, over all sequences of labels, of both numbers of walks that read it: each
/// walk turns back in neither graph, which is more than to forbid it in their product. A feature is called `walk:C-C=O`.
///
/// Left out: the closed form for walks without bound on a graph without labels (the Ihara zeta function).
///
/// # Complexity
///
/// At most the number of label sequences times the number of edges, at most the number of walks.
///
/// # Example
///
/// ```
/// # use allpaths::{Graph, GraphKernel, kernel::BacktracklessWalk};
/// let path = Graph::from_edges(3, [(0, 1), (1, 2)])?; // walks of length 0, 1, 2, 3: 3, 4, 2, 0
/// let triangle = Graph::from_edges(3, [(0, 1), (1, 2), (2, 0)])?; // 3, 6, 6, 6
/// let gram = GraphKernel::new(BacktracklessWalk::up_to(3)).fit(&[path, triangle])?.gram::<f64>()?;
/// assert_eq!(gram.values(), [29.0, 45.0, 45.0, 117.0]);
/// # Ok::<(), allpaths::Error>(())
/// ```
///
/// # Reference
///
/// Aziz, Wilson and Hancock, Backtrackless walks on a graph, 2013; Mahé et al., Extensions of marginalized graph kernels, 2004.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct BacktracklessWalk {
    max_length: usize,
    weights: Vec<f64>,
    pub(super) labels: LabelChoice,
    pub(super) edge_labels: EdgeLabels,
}

impl Default for BacktracklessWalk {
    fn default() -> Self {
        Self::up_to(Self::MAX_LENGTH)
    }
}

impl BacktracklessWalk {
    /// The longest length if nobody says which.
    pub const MAX_LENGTH: usize = 6;

    /// Walks of up to so many edges, each length with weight 1.
    pub fn up_to(max_length: usize) -> Self {
        Self { max_length, weights: Vec::new(), labels: LabelChoice::All, edge_labels: EdgeLabels::default() }
    }

    /// Sets what pairs of walks of each length weigh, from length 0.
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

    /// Sets whether the labels of edges have a say.
    #[must_use]
    pub fn edge_labels(mut self, edge_labels: EdgeLabels) -> Self {
        self.edge_labels = edge_labels;
        self
    }

    /// The weight of each length, if they are not all 1.
    pub(super) fn length_weights(&self) -> Option<&[f64]> {
        (!self.weights.is_empty()).then_some(&self.weights)
    }

    pub(super) fn check(&self, graphs: &[Graph]) -> Result<()> {
        check_weights(&self.weights, self.max_length + 1, "lengths")?;
        check_length(graphs, self.max_length)
    }

    pub(super) fn finder(&self, map: &LabelMap) -> Walks {
        Walks::new(Turn::Forbidden, self.max_length, map, self.edge_labels)
    }
}

/// Checks that there is a weight for each of so many, if there are any, and that they are ones.
pub(super) fn check_weights(weights: &[f64], expected: usize, of: &str) -> Result<()> {
    let is_weight = |weight: &f64| *weight >= 0.0 && weight.is_finite();
    match weights.iter().find(|&weight| !is_weight(weight)) {
        Some(weight) => Err(Error::settings(format!("a weight of {weight}: weights are 0 or more"))),
        None if !weights.is_empty() && weights.len() != expected => {
            Err(Error::settings(format!("{} weights for {expected} {of}: give one for each", weights.len())))
        }
        None => Ok(()),
    }
}

/// Checks that walks to such a length can be counted in 64 bits.
pub(super) fn check_length(graphs: &[Graph], max_length: usize) -> Result<()> {
    if max_length > 1000 {
        return Err(Error::settings(format!("walks of length {max_length} are beyond reason: 1000 at most")));
    }
    let too_many = |graph: &Graph| {
        let mut walks = vec![1u64; graph.order()];
        let total = |walks: &[u64]| walks.iter().fold(0u64, |sum, &n| sum.saturating_add(n));
        for _ in 0..max_length {
            let from =
                |v| graph.neighbours(v).iter().fold(0u64, |sum, &w| sum.saturating_add(walks[w as usize]));
            walks = (0..graph.order()).map(from).collect();
        }
        total(&walks) > u64::MAX / 2
    };
    match graphs.iter().position(too_many) {
        Some(number) => Err(Error::graph(format!(
            "graph {number} has more walks of length {max_length} than can be counted in 64 bits: take shorter ones"
        ))),
        None => Ok(()),
    }
}

/// Whether a walk may turn straight back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    Allowed,
    Forbidden,
}

/// Finds walks by label sequence. Scratch, to be used for graph after graph.
pub(super) struct Walks {
    turn: Turn,
    max_length: usize,
    labelling: Labelling,
    vertices: Vec<u64>,
    /// By arc: where it starts and where it ends.
    arcs: Vec<[u32; 2]>,
    /// The lists of the sequence at hand and of those it continues, one after the other.
    ends: Vec<End>,
    /// What was read: edges, each with the vertex after it.
    read: Vec<[u32; 2]>,
}

/// So many walks read the same and end with the same label in the same state.
#[derive(Clone, Copy)]
struct End {
    label: [u32; 2],
    /// The vertex where they end, or the arc they ended with where it matters from where they came.
    state: u32,
    times: u64,
}

impl Walks {
    pub(super) fn new(turn: Turn, max_length: usize, map: &LabelMap, edge_labels: EdgeLabels) -> Self {
        Self {
            turn,
            max_length,
            labelling: Labelling::new(map.clone(), edge_labels.is_used()),
            vertices: Vec::new(),
            arcs: Vec::new(),
            ends: Vec::new(),
            read: Vec::new(),
        }
    }

    /// Lists the ends of walks that are one arc longer than those of a list, from `begin` on, by label.
    fn step(&mut self, graph: &Graph, list: std::ops::Range<usize>, begin: usize) {
        let labels = self.labelling.vertices();
        for i in list {
            let End { state, times, .. } = self.ends[i];
            let (from, at) = match self.turn {
                Turn::Allowed => (None, state),
                Turn::Forbidden => (Some(self.arcs[state as usize][0]), self.arcs[state as usize][1]),
            };
            for arc in graph.arcs(at as usize).filter(|arc| from != Some(arc.target as u32)) {
                let label = [self.labelling.arc(arc.index), labels[arc.target]];
                let state = if self.turn == Turn::Allowed { arc.target } else { arc.index } as u32;
                self.ends.push(End { label, state, times });
            }
        }
        self.merge(begin);
    }

    /// Sorts a list, and makes one of all ends that are the same.
    fn merge(&mut self, begin: usize) {
        self.ends[begin..].sort_unstable_by_key(|end| (end.label, end.state));
        let mut last = begin;
        for i in begin + 1..self.ends.len() {
            let End { label, state, times } = self.ends[i];
            if (self.ends[last].label, self.ends[last].state) == (label, state) {
                self.ends[last].times += times;
            } else {
                last += 1;
                self.ends[last] = self.ends[i];
            }
        }
        self.ends.truncate(self.ends.len().min(last + 1));
    }

    /// Hands over the sequences of a list that begins somewhere, label by label, and all that continue them.
    fn grow(
        &mut self,
        graph: &Graph,
        begin: usize,
        first: (u32, Piece),
        meter: &mut Meter<'_>,
        sink: &mut impl Sink,
    ) {
        let end = self.ends.len();
        meter.spend((end - begin) as u64);
        let mut start = begin;
        while start < end && !meter.stopped() {
            let label = self.ends[start].label;
            let len = self.ends[start..end].iter().take_while(|end| end.label == label).count();
            let list = start..start + len;
            start = list.end;
            let times = self.ends[list.clone()].iter().map(|end| end.times).sum();
            self.read.push(label);
            let piece =
                first.1.then(self.labelling.edge_piece(label[0])).then(self.labelling.piece(label[1]));
            let length = self.read.len();
            let found = Found { id: piece.id(), kind: Kind::Walk, length, times, divisor: 1, again: false };
            let Self { labelling, read, .. } = &*self;
            sink.take(found, || {
                spelt(|name: &mut String| {
                    name.push_str(WALK);
                    name.vertex(labelling, first.0)?;
                    read.iter().try_for_each(|&[edge, vertex]| {
                        name.edge(labelling, edge)?;
                        name.vertex(labelling, vertex)
                    })
                })
            });
            if length < self.max_length {
                self.step(graph, list, end);
                self.grow(graph, end, (first.0, piece), meter, sink);
                self.ends.truncate(end);
            }
            self.read.pop();
        }
    }
}

const WALK: &str = "walk:";

impl Finder for Walks {
    fn find<K: Keys>(&mut self, graph: &Graph, job: Job<'_>, row: &mut Part<K>) -> Outcome {
        self.labelling.begin(graph);
        self.labelling.number();
        let mut sink = row.at(0);
        vertices(&self.labelling, &mut self.vertices, &mut sink);
        self.arcs.clear();
        let arcs = (0..graph.order()).flat_map(|v| graph.arcs(v));
        self.arcs.extend(arcs.map(|arc| [arc.source as u32, arc.target as u32]));
        let allowance = Allowance::new(job);
        let mut meter = allowance.meter();
        let sorted: Vec<usize> = self.labelling.by_label().collect();
        let labels = self.labelling.vertices().to_vec();
        let same = sorted.chunk_by(|&u, &v| labels[u] == labels[v]);
        let is_long = self.max_length > 0;
        for roots in same.filter(|_| is_long) {
            let label = labels[roots[0]];
            self.ends.clear();
            for arc in roots.iter().flat_map(|&v| graph.arcs(v)) {
                let state = if self.turn == Turn::Allowed { arc.target } else { arc.index } as u32;
                let label = [self.labelling.arc(arc.index), labels[arc.target]];
                self.ends.push(End { label, state, times: 1 });
            }
            self.merge(0);
            let piece = const { Piece::of(WALK) }.then(self.labelling.piece(label));
            self.grow(graph, 0, (label, piece), &mut meter, &mut sink);
        }
        drop(meter);
        let outcome = allowance.outcome();
        if outcome != Outcome::Complete {
            row.clear();
        }
        outcome
    }
}

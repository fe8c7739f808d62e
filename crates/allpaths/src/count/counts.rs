//! What a count finds.

use std::ops::Deref;

use serde::{Deserialize, Serialize};

use super::Subject;
use super::engine::{PairRows, Rooted};
use super::limits::Outcome;
use super::number::Count;
use crate::Graph;

/// What counts as one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Convention {
    /// A path is one whichever way it is read, a cycle is one wherever it starts: what a person expects.
    #[default]
    Distinct,
    /// The sums of the paper's matrices `P(l)`: a path for each ordered pair of ends, a cycle for each starting
    /// vertex and direction. On an undirected graph an edge walked to and fro is a cycle of length 2 here.
    Rooted,
}

impl Convention {
    /// The name that outputs use.
    pub fn name(self) -> &'static str {
        match self {
            Convention::Distinct => "distinct",
            Convention::Rooted => "rooted",
        }
    }
}

/// What the counts are of; it decides how rooted and distinct counts relate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    Graph,
    Vertex,
    Pair,
}

/// How far a count went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extent {
    pub(super) max_length: usize,
    pub(super) finished: usize,
    pub(super) outcome: Outcome,
}

/// Numbers of paths and cycles by length: of a graph, of a set of graphs, at a vertex, or between two vertices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    scope: Scope,
    directed: bool,
    convention: Convention,
    extent: Extent,
    /// Edges walked to and fro: the undirected cycles of length 2 in the rooted convention.
    to_and_fro: Count,
    subject: Subject,
    /// Paths of each finished length from 0, then cycles, as far as they were counted.
    numbers: Vec<Count>,
}

impl Counts {
    /// From the rooted counts of the whole graph.
    pub(super) fn of_graph(graph: &Graph, subject: Subject, extent: Extent, rooted: &Rooted) -> Self {
        let loops = graph.loops() as u64;
        let edges = graph.size() as u64 - loops;
        Self::of_part(graph, subject, extent, [graph.order() as u64, edges, loops], 2 * edges, rooted)
    }

    /// From the rooted counts of some of the paths and cycles of the graph; see [`Counts::filled`].
    pub(super) fn of_part(
        graph: &Graph,
        subject: Subject,
        extent: Extent,
        short: [u64; 3],
        to_and_fro: u64,
        rooted: &Rooted,
    ) -> Self {
        let counts = Self {
            scope: Scope::Graph,
            directed: graph.is_directed(),
            convention: Convention::Distinct,
            extent,
            to_and_fro: Count::from(to_and_fro),
            subject,
            numbers: Vec::new(),
        };
        counts.filled(short, rooted)
    }

    /// From the rooted counts of one vertex.
    pub(super) fn of_vertex(
        graph: &Graph,
        vertex: usize,
        subject: Subject,
        extent: Extent,
        rooted: &Rooted,
    ) -> Self {
        let degree = graph.neighbours(vertex).iter().filter(|&&w| w as usize != vertex).count();
        let counts = Self {
            scope: Scope::Vertex,
            directed: graph.is_directed(),
            convention: Convention::Distinct,
            extent,
            to_and_fro: Count::from(degree as u64),
            subject,
            numbers: Vec::new(),
        };
        let loops = (graph.neighbours(vertex).len() - degree) as u64;
        counts.filled([1, degree as u64, loops], rooted)
    }

    /// From the counts between two vertices.
    pub(super) fn of_pair(graph: &Graph, extent: Extent, paths: &[Count]) -> Self {
        let paths = (0..=extent.finished).map(|length| paths.get(length).cloned().unwrap_or_default());
        Self {
            scope: Scope::Pair,
            directed: graph.is_directed(),
            convention: Convention::Distinct,
            extent,
            to_and_fro: Count::ZERO,
            subject: Subject::Paths,
            numbers: paths.collect(),
        }
    }

    /// Divides rooted counts by their symmetry. `short` holds the vertices, edges and loops: what is shorter than two
    /// edges is the graph itself.
    fn filled(mut self, short: [u64; 3], rooted: &Rooted) -> Self {
        let lengths = 0..=self.extent.finished;
        // Nothing is longer than what was looked for.
        let divided = |kind: usize, length: usize, times: u64| {
            rooted.get(length).map_or(Count::ZERO, |counts| counts[kind].divided_exactly(times))
        };
        let mut numbers = Vec::with_capacity(2 * (self.extent.finished + 1));
        if self.subject.has_paths() {
            numbers.extend(lengths.clone().map(|length| match length {
                0 | 1 => Count::from(short[length]),
                _ => divided(0, length, self.readings()),
            }));
        }
        if self.subject.has_cycles() {
            numbers.extend(lengths.map(|length| match length {
                0 => Count::ZERO,
                1 => Count::from(short[2]),
                2 if !self.directed => Count::ZERO,
                _ => divided(1, length, self.turns(length)),
            }));
        }
        self.numbers = numbers;
        self
    }

    /// How often the rooted convention counts a cycle of at least two edges, or three if it has no direction.
    fn turns(&self, length: usize) -> u64 {
        let starts = if self.scope == Scope::Graph { length as u64 } else { 1 };
        if self.directed { starts } else { 2 * starts }
    }

    /// How often the rooted convention counts a path of at least one edge.
    fn readings(&self) -> u64 {
        if self.scope == Scope::Graph && !self.directed { 2 } else { 1 }
    }

    /// The same counts in the rooted convention.
    #[must_use]
    pub fn rooted(&self) -> Self {
        if self.convention == Convention::Rooted {
            return self.clone();
        }
        let readings = self.readings();
        let path =
            |(length, count): (usize, &Count)| if length == 0 { count.clone() } else { count * readings };
        let cycle = |(length, count): (usize, &Count)| match length {
            0 | 1 => count.clone(),
            2 if !self.directed => self.to_and_fro.clone(),
            _ => count * self.turns(length),
        };
        let [paths, cycles] = self.kinds();
        let numbers = paths.iter().enumerate().map(path).chain(cycles.iter().enumerate().map(cycle));
        Self { convention: Convention::Rooted, numbers: numbers.collect(), ..self.clone() }
    }

    /// The sum over many graphs, of the lengths that all of them finished. Its outcome is the gravest among
    /// theirs. The counts must be of one kind: all distinct or all rooted, of paths, cycles or both.
    pub fn sum<'a>(counts: impl IntoIterator<Item = &'a Counts>) -> Option<Self> {
        let mut counts = counts.into_iter();
        let mut sum = counts.next()?.clone();
        counts.for_each(|next| sum.add(next));
        Some(sum)
    }

    /// Adds those of other graphs, of the lengths that both finished. It does not matter which of them are added to which.
    pub(super) fn add(&mut self, next: &Self) {
        if next.extent.finished < self.extent.finished {
            let kinds = self.kinds().map(|counts| &counts[..counts.len().min(next.extent.finished + 1)]);
            self.numbers = kinds.concat();
            self.extent.finished = next.extent.finished;
        }
        self.extent.outcome = self.extent.outcome.max(next.extent.outcome);
        self.directed &= next.directed;
        self.to_and_fro += &next.to_and_fro;
        let paths = self.kinds()[0].len();
        let (paths, cycles) = self.numbers.split_at_mut(paths);
        for (mine, theirs) in [paths, cycles].into_iter().zip(next.kinds()) {
            mine.iter_mut().zip(theirs).for_each(|(mine, theirs)| *mine += theirs);
        }
    }

    /// How many paths have `length` edges.
    ///
    /// # Panics
    ///
    /// When paths were not counted, or not to that length: see [`Counts::finished`].
    pub fn paths(&self, length: usize) -> Count {
        self.path_counts().expect("paths were counted")[length].clone()
    }

    /// How many cycles have `length` edges.
    ///
    /// # Panics
    ///
    /// When cycles were not counted, or not to that length: see [`Counts::finished`].
    pub fn cycles(&self, length: usize) -> Count {
        self.cycle_counts().expect("cycles were counted")[length].clone()
    }

    /// Paths of each finished length from 0, if they were counted.
    pub fn path_counts(&self) -> Option<&[Count]> {
        self.subject.has_paths().then(|| self.kinds()[0])
    }

    /// Cycles of each finished length from 0, if they were counted.
    pub fn cycle_counts(&self) -> Option<&[Count]> {
        self.subject.has_cycles().then(|| self.kinds()[1])
    }

    /// Paths and cycles of each finished length from 0; nothing of what was not counted.
    fn kinds(&self) -> [&[Count]; 2] {
        let paths = if self.subject.has_paths() { self.extent.finished + 1 } else { 0 };
        let (paths, cycles) = self.numbers.split_at(paths);
        [paths, cycles]
    }

    /// The longest length that was asked for.
    pub fn max_length(&self) -> usize {
        self.extent.max_length
    }

    /// The longest length that was counted; less than [`Counts::max_length`] if the count was stopped early.
    pub fn finished(&self) -> usize {
        self.extent.finished
    }

    /// How the count ended.
    pub fn outcome(&self) -> Outcome {
        self.extent.outcome
    }

    /// What counts as one.
    pub fn convention(&self) -> Convention {
        self.convention
    }
}

/// Numbers of paths from and cycles through each vertex, by length: a slice with the counts of each vertex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByVertex {
    vertices: Vec<Counts>,
    total: Counts,
}

impl ByVertex {
    /// From the rooted counts of each vertex.
    pub(super) fn new(graph: &Graph, subject: Subject, extent: Extent, rows: &[Rooted]) -> Self {
        let of_vertex = |(v, rooted)| Counts::of_vertex(graph, v, subject, extent, rooted);
        let vertices = rows.iter().enumerate().map(of_vertex).collect();
        let sum = |length: usize, kind: usize| rows.iter().map(|row| &row[length][kind]).sum();
        let lengths = rows.first().map_or(0, Vec::len);
        let rooted = (0..lengths).map(|length| [sum(length, 0), sum(length, 1)]).collect();
        Self { vertices, total: Counts::of_graph(graph, subject, extent, &rooted) }
    }

    /// The counts of the whole graph.
    pub fn total(&self) -> &Counts {
        &self.total
    }

    /// The same counts in the rooted convention.
    #[must_use]
    pub fn rooted(&self) -> Self {
        Self { vertices: self.vertices.iter().map(Counts::rooted).collect(), total: self.total.rooted() }
    }
}

impl Deref for ByVertex {
    type Target = [Counts];

    fn deref(&self) -> &[Counts] {
        &self.vertices
    }
}

/// Numbers of paths between each pair of different vertices, by length. Rooted and distinct are the same here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByPair {
    extent: Extent,
    rows: PairRows,
}

impl ByPair {
    pub(super) fn new(extent: Extent, rows: PairRows) -> Self {
        Self { extent, rows }
    }

    /// How many paths of `length` edges lead from `source` to `target`.
    ///
    /// # Panics
    ///
    /// When there is no vertex `source`.
    pub fn paths(&self, source: usize, target: usize, length: usize) -> Count {
        let row = &self.rows[source];
        let found = row.binary_search_by_key(&target, |&(v, _)| v as usize).ok();
        let count = found.and_then(|i| row[i].1.get(length.checked_sub(1)?));
        Count::from(count.copied().unwrap_or(0))
    }

    /// The pairs that some path joins, by source and target; the counts start at length 1 and end at the last
    /// length that has any or was finished.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize, &[u128])> {
        self.rows.iter().enumerate().flat_map(|(source, row)| {
            row.iter().map(move |(target, counts)| (source, *target as usize, counts.as_slice()))
        })
    }

    /// The longest length that was asked for.
    pub fn max_length(&self) -> usize {
        self.extent.max_length
    }

    /// The longest length that was counted.
    pub fn finished(&self) -> usize {
        self.extent.finished
    }

    /// How the count ended.
    pub fn outcome(&self) -> Outcome {
        self.extent.outcome
    }
}

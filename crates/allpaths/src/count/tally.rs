//! What an enumerating engine tells, and who listens.
//!
//! An engine walks every simple path from every root and tells a [`Tally`] of each. The tally carries a small
//! [`Tally::State`] along the path (nothing for plain counts, a product for weights, a place in a tree of
//! labels for features) and books what it hears. The engine hands the state down by value, so a tally never
//! has to undo anything.
//!
//! Everything is told *rooted*: an undirected path once from each of its ends, a cycle once from each of its
//! vertices in each direction. Who wants distinct counts divides at the end.

use super::ring::Ring;
use crate::graph::{Arc, Mask};

/// The vertices at which a path can end that goes one step further than the one walked.
pub(crate) trait Ends: Copy {
    /// How many there are.
    fn len(self) -> u64;

    /// The vertex from which all of them are one step away.
    fn source(self) -> usize;

    /// The last arc of each such path.
    fn each(self, hear: impl FnMut(Arc));
}

/// Hears of every path and cycle, and books them.
pub(crate) trait Tally {
    /// Whether it is enough to hear how many paths and cycles there are that extend the path walked by one vertex
    /// at each end. Then the walk can stop two steps before the longest length, and not one.
    const JOINS: bool = false;

    /// Whether [`Tally::step`] books the path that it makes. Then [`Tally::paths`] is only told of the longest, which no step
    /// makes.
    const BOOKS_STEPS: bool = false;

    /// How many steps before the longest length the walk can stop.
    const REACH: usize = if Self::JOINS { 2 } else { 1 };

    /// What it remembers of the path walked so far.
    type State: Copy;

    /// A walk begins. One root may begin several: its walk is shared out between workers.
    fn root(&mut self, vertex: usize) -> Self::State;

    /// The path grows by an arc, to `length` edges.
    fn step(&mut self, state: Self::State, length: usize, arc: Arc) -> Self::State;

    /// Paths of `length` edges: the one walked, and one more step to each of the ends.
    fn paths(&mut self, state: Self::State, length: usize, ends: impl Ends);

    /// The path walked and one more arc make `length` edges and reach the goal of the walk: the root, for a
    /// cycle, or the chosen end. Finding the arc may take a search, so only those who need it ask.
    fn close(&mut self, state: Self::State, length: usize, arc: impl FnOnce() -> Arc);

    /// The vertices that have to be told as ends of paths from a root, as bits, the root among them; paths that end elsewhere may be left out where no told
    /// one goes on from them. Asked by those who book steps, in graphs of up to 128 vertices: most of the walk are its last steps, and of a path's two directions one
    /// may be enough.
    #[inline]
    fn ends(&self, _root: usize) -> u128 {
        !0
    }

    /// Whether it has to be told that an undirected edge leads back to where it comes from: as a cycle of two edges. Asked in graphs of up to 128 vertices,
    /// before the walk.
    #[inline]
    fn hears_to_and_fro(&self) -> bool {
        true
    }

    /// In place of [`Tally::paths`] and [`Tally::close`], for those who join: so many paths of `length` edges
    /// extend the one walked at both ends, and so many walks that reach the goal.
    fn joined(&mut self, _length: usize, _paths: u64, _closed: u64) {}
}

impl<T: Tally> Tally for &mut T {
    const JOINS: bool = T::JOINS;

    const BOOKS_STEPS: bool = T::BOOKS_STEPS;

    type State = T::State;

    #[inline]
    fn root(&mut self, vertex: usize) -> T::State {
        (**self).root(vertex)
    }

    #[inline(always)]
    fn step(&mut self, state: T::State, length: usize, arc: Arc) -> T::State {
        (**self).step(state, length, arc)
    }

    #[inline]
    fn paths(&mut self, state: T::State, length: usize, ends: impl Ends) {
        (**self).paths(state, length, ends);
    }

    #[inline]
    fn close(&mut self, state: T::State, length: usize, arc: impl FnOnce() -> Arc) {
        (**self).close(state, length, arc);
    }

    #[inline]
    fn ends(&self, root: usize) -> u128 {
        (**self).ends(root)
    }

    #[inline]
    fn hears_to_and_fro(&self) -> bool {
        (**self).hears_to_and_fro()
    }

    #[inline]
    fn joined(&mut self, length: usize, paths: u64, closed: u64) {
        (**self).joined(length, paths, closed);
    }
}

/// Books the paths and cycles of an undirected graph that differ in their ends and in what all others of their vertices have in common, whatever the order of those.
/// Each path is told once, from either end.
pub(crate) trait Joint {
    /// What it remembers of the vertices of a path.
    type State: Copy;

    /// The path of one vertex.
    fn alone(&self, vertex: usize) -> Self::State;

    /// A path with one more vertex.
    fn longer(&self, state: Self::State, vertex: usize) -> Self::State;

    /// An edge, between two vertices.
    fn edge(&mut self, first: usize, last: usize);

    /// A loop.
    fn turn(&mut self, vertex: usize);

    /// A vertex and those around it: every two make a path of two edges with it, and to each an edge leads to and fro.
    fn around<M: Mask>(&mut self, state: Self::State, row: M);

    /// A path of two edges less than `length`, and the vertices that extend it at its ends. Each of the ones with each of the others makes a path; one that is on both
    /// sides closes a cycle.
    fn join<M: Mask>(&mut self, state: Self::State, length: usize, before: M, after: M);
}

/// Plain counts by length, of the graph as a whole.
#[derive(Clone, Debug, Default)]
pub(crate) struct Totals {
    /// For each length: rooted paths, and walks that reached their goal.
    counts: Vec<[u128; 2]>,
}

const PATHS: usize = 0;
const CLOSED: usize = 1;

impl Totals {
    pub(crate) fn up_to(length: usize) -> Self {
        Self { counts: vec![[0; 2]; length + 1] }
    }

    /// Adds what another worker booked.
    pub(crate) fn merge(mut self, other: Self) -> Self {
        for (mine, theirs) in self.counts.iter_mut().zip(other.counts) {
            mine[PATHS] += theirs[PATHS];
            mine[CLOSED] += theirs[CLOSED];
        }
        self
    }

    /// What was booked, by length from 0: rooted paths, and walks that reached their goal.
    pub(crate) fn rooted<N>(self, each: impl Fn(usize, [u128; 2]) -> N) -> Vec<N> {
        self.counts.into_iter().enumerate().map(|(length, counts)| each(length, counts)).collect()
    }
}

impl Tally for Totals {
    type State = ();

    const JOINS: bool = true;

    #[inline]
    fn root(&mut self, _: usize) {}

    #[inline]
    fn step(&mut self, (): (), _: usize, _: Arc) {}

    #[inline]
    fn paths(&mut self, (): (), length: usize, ends: impl Ends) {
        self.counts[length][PATHS] += u128::from(ends.len());
    }

    #[inline]
    fn close(&mut self, (): (), length: usize, _: impl FnOnce() -> Arc) {
        self.counts[length][CLOSED] += 1;
    }

    #[inline]
    fn joined(&mut self, length: usize, paths: u64, closed: u64) {
        let [all_paths, all_closed] = &mut self.counts[length];
        *all_paths += u128::from(paths);
        *all_closed += u128::from(closed);
    }
}

/// Plain counts by length, of what starts at one root: the root must be an end, so nothing is joined.
#[derive(Clone, Debug, Default)]
pub(crate) struct FromRoot(pub(crate) Totals);

impl Tally for FromRoot {
    type State = ();

    #[inline]
    fn root(&mut self, _: usize) {}

    #[inline]
    fn step(&mut self, (): (), _: usize, _: Arc) {}

    #[inline]
    fn paths(&mut self, (): (), length: usize, ends: impl Ends) {
        self.0.paths((), length, ends);
    }

    #[inline]
    fn close(&mut self, (): (), length: usize, arc: impl FnOnce() -> Arc) {
        self.0.close((), length, arc);
    }

    /// They are twice the edges.
    #[inline]
    fn hears_to_and_fro(&self) -> bool {
        false
    }
}

/// Paths from one root by length and last vertex.
pub(crate) struct Row {
    order: usize,
    /// Length by length, from 1, one number for each vertex. They grow by ones: 64 bits last for centuries.
    counts: Vec<u64>,
}

impl Row {
    pub(crate) fn new(order: usize, max_length: usize) -> Self {
        Self { order, counts: vec![0; order * max_length] }
    }

    /// The vertices that were reached, each with its counts for lengths 1 to the longest, and a fresh start.
    pub(crate) fn drain(&mut self) -> Vec<(u32, Vec<u128>)> {
        let Self { order, counts } = self;
        let column =
            |v: usize| counts.get(v..).unwrap_or_default().iter().step_by(*order).map(|&n| u128::from(n));
        let reached = (0..*order)
            .filter(|&v| column(v).any(|n| n > 0))
            .map(|v| (v as u32, column(v).collect()))
            .collect();
        counts.fill(0);
        reached
    }
}

impl Tally for Row {
    type State = ();

    fn root(&mut self, _: usize) {}

    #[inline]
    fn step(&mut self, (): (), _: usize, _: Arc) {}

    #[inline]
    fn paths(&mut self, (): (), length: usize, ends: impl Ends) {
        let row = &mut self.counts[(length - 1) * self.order..length * self.order];
        ends.each(|arc| row[arc.target] += 1);
    }

    fn close(&mut self, (): (), _: usize, _: impl FnOnce() -> Arc) {}
}

/// Sums of products of weights, by length, of what starts at one root.
pub(crate) struct Products<'a, R> {
    /// By the place of the arc.
    weights: &'a [R],
    sums: Vec<[R; 2]>,
}

impl<'a, R: Ring> Products<'a, R> {
    pub(crate) fn new(weights: &'a [R], max_length: usize) -> Self {
        Self { weights, sums: vec![[R::zero(), R::zero()]; max_length + 1] }
    }

    /// The sums, and a fresh start.
    pub(crate) fn take(&mut self) -> Vec<[R; 2]> {
        let fresh = vec![[R::zero(), R::zero()]; self.sums.len()];
        std::mem::replace(&mut self.sums, fresh)
    }
}

impl<R: Ring + Copy> Tally for Products<'_, R> {
    type State = R;

    fn root(&mut self, _: usize) -> R {
        R::one()
    }

    #[inline]
    fn step(&mut self, state: R, _: usize, arc: Arc) -> R {
        let mut product = R::zero();
        product.add_product(&state, &self.weights[arc.index]);
        product
    }

    #[inline]
    fn paths(&mut self, state: R, length: usize, ends: impl Ends) {
        let mut sum = R::zero();
        ends.each(|arc| sum.add(&self.weights[arc.index]));
        self.sums[length][PATHS].add_product(&state, &sum);
    }

    #[inline]
    fn close(&mut self, state: R, length: usize, arc: impl FnOnce() -> Arc) {
        self.sums[length][CLOSED].add_product(&state, &self.weights[arc().index]);
    }
}

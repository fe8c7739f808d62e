//! The walk for labels of which only the ends and a sum count, in undirected graphs of up to 128 vertices.
//!
//! It begins in the middle of paths, as [`outward`](super::outward) does, and lets both ends go on, so that every path is walked once and not from both its
//! ends. The last step is not taken at one end but at both: whoever listens is told the two sets of vertices that extend a path walked, and books all pairs of
//! them. So the walk is over two steps before the longest length.
//!
//! A budget buys what it buys a walk from every root: all paths that are shorter than the longest by one edge are steps, once from each end.

use crate::count::limits::Meter;
use crate::count::tally::Joint;
use crate::graph::{Mask, Masks};

/// Walks from each middle outward.
pub(super) struct JointWalker<'a, M, T> {
    rows: &'a [M],
    max_length: usize,
    tally: &'a mut T,
    meter: Meter<'a>,
}

impl<'a, M: Mask, T: Joint> JointWalker<'a, M, T> {
    pub(super) fn new(masks: &'a Masks<M>, max_length: usize, tally: &'a mut T, meter: Meter<'a>) -> Self {
        Self { rows: masks.rows(), max_length, tally, meter }
    }

    /// Books everything, of one edge or more.
    pub(super) fn walk(mut self) {
        for middle in 0..self.rows.len() {
            if self.meter.stopped() {
                return;
            }
            self.around(middle);
        }
    }

    /// Books all whose middle is a vertex, or an edge between it and a smaller one.
    fn around(&mut self, middle: usize) {
        let row = self.rows[middle];
        if row.has(middle) {
            self.tally.turn(middle);
        }
        let row = row & !M::bit(middle);
        let smaller = row & M::below(middle);
        smaller.vertices().for_each(|first| self.tally.edge(first, middle));
        self.meter.spend(1);
        if self.max_length < 2 {
            return;
        }
        let (alone, degree) = (self.tally.alone(middle), u64::from(row.count()));
        self.tally.around(alone, row);
        self.meter.spend(degree);
        if self.max_length < 3 {
            return;
        }
        self.meter.spend(degree * degree.saturating_sub(1));
        for first in smaller.vertices() {
            let unvisited = !(M::bit(middle) | M::bit(first));
            let state = self.tally.longer(alone, first);
            self.extend(unvisited, self.rows[first], row, state, 3);
        }
        if self.max_length < 4 {
            return;
        }
        for last in row.vertices() {
            // Each two neighbours once.
            for first in (row & M::below(last)).vertices() {
                let unvisited = !(M::bit(middle) | M::bit(first) | M::bit(last));
                let state = self.tally.longer(self.tally.longer(alone, first), last);
                self.extend(unvisited, self.rows[first], self.rows[last], state, 4);
            }
        }
    }

    /// Books what is longer than a path by a vertex at each end, to `length` edges, and all that is longer still. `before` and `after` hold the neighbours of
    /// its ends.
    #[inline]
    fn extend(&mut self, unvisited: M, before: M, after: M, state: T::State, length: usize) {
        let (before, after) = (before & unvisited, after & unvisited);
        if before == M::EMPTY || after == M::EMPTY {
            return;
        }
        self.tally.join(state, length, before, after);
        if length < self.max_length {
            self.go_on(unvisited, before, after, state, length);
        }
    }

    /// Walks on, from one of `before` and one of `after`.
    fn go_on(&mut self, unvisited: M, before: M, after: M, state: T::State, length: usize) {
        let pairs = u64::from(before.count()) * u64::from(after.count());
        self.meter.spend(2 * (pairs - u64::from((before & after).count())));
        if length + 2 > self.max_length || self.meter.stopped() {
            return;
        }
        for first in before.vertices() {
            let (unvisited, state) = (unvisited & !M::bit(first), self.tally.longer(state, first));
            for last in (after & unvisited).vertices() {
                let (unvisited, state) = (unvisited & !M::bit(last), self.tally.longer(state, last));
                self.extend(unvisited, self.rows[first], self.rows[last], state, length + 2);
            }
        }
    }
}

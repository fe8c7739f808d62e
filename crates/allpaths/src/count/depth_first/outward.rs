//! Totals of undirected graphs of up to 128 vertices: walks from the middle outward.
//!
//! A path reads the same from both its ends, so walks from every root meet it twice. But it has one middle, a vertex
//! or an edge: walks that begin there and let both ends go on by a step at a time meet it once. Booked are, as in every
//! walk that joins, the pairs of vertices that extend the path at both ends.
//!
//! A path walked counts as two steps, as if it were walked from both its ends: a budget buys the same lengths.

use super::{Walk, Walker};
use crate::count::limits::Meter;
use crate::count::tally::Tally;
use crate::graph::{Mask, Masks};

/// Walks outward from each middle.
pub(super) struct OutwardWalker<'a, M, T> {
    rows: &'a [M],
    /// The vertices with more than one neighbour: no path goes on from the others.
    inner: M,
    max_length: usize,
    tally: T,
    meter: Meter<'a>,
}

impl<'a, M: Mask, T: Tally> OutwardWalker<'a, M, T> {
    pub(super) fn new(masks: &'a Masks<M>, walk: Walk<'a>, tally: T, meter: Meter<'a>) -> Self {
        let rows = masks.rows();
        let inner = rows.iter().enumerate().filter(|(_, row)| row.count() > 1);
        let inner = inner.fold(M::EMPTY, |inner, (v, _)| inner | M::bit(v));
        Self { rows, inner, max_length: walk.max_length, tally, meter }
    }

    /// Walks from a middle vertex, and from the edges between it and smaller ones. `row` holds its neighbours, `firsts`
    /// those of them to begin with.
    fn around(&mut self, middle: usize, row: M, firsts: M) {
        let unvisited = !M::bit(middle);
        let smaller = firsts & M::below(middle);
        let pairs = self.walk(unvisited, row, smaller, 1);
        self.book(3, pairs);
        if self.max_length < 4 {
            return;
        }
        let mut pairs = Pairs::default();
        for first in (firsts & self.inner).vertices() {
            let unvisited = unvisited & !M::bit(first);
            // Each two neighbours once.
            let lasts = row & M::below(first);
            if lasts != M::EMPTY {
                pairs.add(self.walk(unvisited, self.rows[first] & unvisited, lasts, 2));
            }
        }
        self.book(4, pairs);
    }

    /// Walks the paths of `length` edges that end with one of `lasts`, and from there on; `before` holds the unvisited
    /// neighbours of their first vertex. Gives the pairs that extend these paths, and books those of longer ones.
    fn walk(&mut self, unvisited: M, before: M, lasts: M, length: usize) -> Pairs {
        if length + 4 > self.max_length {
            return self.last_visits(unvisited, before, lasts);
        }
        let (mut pairs, mut longer) = (Pairs::default(), Pairs::default());
        for last in (lasts & self.inner).vertices() {
            let unvisited = unvisited & !M::bit(last);
            let (before, after) = (before & unvisited, self.rows[last] & unvisited);
            let here = Pairs::of(before, after);
            pairs.add(here);
            self.meter.spend(2 * here.apart());
            if self.meter.stopped() {
                break;
            }
            for first in (before & self.inner).vertices() {
                let unvisited = unvisited & !M::bit(first);
                let (before, lasts) = (self.rows[first] & unvisited, after & unvisited);
                // The last visits are many and short: no call for them.
                longer.add(if length + 6 > self.max_length {
                    self.last_visits(unvisited, before, lasts)
                } else {
                    self.walk(unvisited, before, lasts, length + 2)
                });
            }
        }
        self.book(length + 4, longer);
        pairs
    }

    /// As [`Self::walk`], but goes no further.
    #[inline(always)]
    fn last_visits(&self, unvisited: M, before: M, lasts: M) -> Pairs {
        let mut pairs = Pairs::default();
        for last in (lasts & self.inner).vertices() {
            let unvisited = unvisited & !M::bit(last);
            pairs.add(Pairs::of(before & unvisited, self.rows[last] & unvisited));
        }
        pairs
    }

    /// Books what extends paths to `length` edges, from both ends.
    #[inline(always)]
    fn book(&mut self, length: usize, pairs: Pairs) {
        self.tally.joined(length, 2 * pairs.apart(), 2 * pairs.equal);
    }
}

/// How many pairs of vertices extend a path, one at each end.
#[derive(Clone, Copy, Default)]
struct Pairs {
    all: u64,
    /// Those of a vertex with itself.
    equal: u64,
}

impl Pairs {
    #[inline(always)]
    fn of<M: Mask>(before: M, after: M) -> Self {
        let all = u64::from(before.count()) * u64::from(after.count());
        Self { all, equal: (before & after).count().into() }
    }

    #[inline(always)]
    fn add(&mut self, other: Self) {
        self.all += other.all;
        self.equal += other.equal;
    }

    /// Those of two different vertices.
    #[inline(always)]
    fn apart(self) -> u64 {
        self.all - self.equal
    }
}

impl<M: Mask, T: Tally> Walker<T> for OutwardWalker<'_, M, T> {
    fn resume(&mut self, prefix: &[u32]) {
        let middle = prefix[0] as usize;
        let row = self.rows[middle] & !M::bit(middle);
        let firsts = if let [_, first] = prefix { M::bit(*first as usize) } else { row };
        if prefix.len() == 1 && self.max_length >= 2 {
            self.meter.spend(1);
            let pairs = Pairs::of(row, row);
            self.tally.joined(2, pairs.apart(), pairs.equal);
        }
        if self.max_length >= 3 {
            // Paths of one edge, and of two with the middle inside.
            let each = if self.max_length == 3 { 1 } else { row.count() };
            self.meter.spend(u64::from(firsts.count() * each));
            if self.inner.has(middle) && !self.meter.stopped() {
                self.around(middle, row, firsts);
            }
        }
    }

    fn tally(&mut self) -> &mut T {
        &mut self.tally
    }

    fn finish(self) -> T {
        self.tally
    }
}

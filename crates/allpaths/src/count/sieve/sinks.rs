//! Where the sieve's contributions go.

use rustc_hash::FxHashMap;

use super::powers::Powers;
use crate::count::engine::{Rooted, add_rooted};
use crate::count::ring::Ring;

/// Takes what each subgraph contributes.
pub(super) trait Sink<R>: Send {
    /// Whether it looks at sums and traces only.
    const TOTALS_ONLY: bool = false;

    /// The weighted paths and cycles of length `length` that the subgraph brings: the entries of the power `length`
    /// of its matrix, off the diagonal times `path`, on it times `cycle`.
    fn take(&mut self, powers: &Powers<'_, R>, length: usize, path: &R, cycle: &R);

    /// For those who look at sums only: the sum of the entries off the diagonal, taken already.
    fn take_between(&mut self, _length: usize, _between: &R) {}

    /// Adds what another sink took.
    fn merge(self, other: Self) -> Self;
}

/// Sums over all vertices, by length.
pub(super) struct Total<R>(pub(super) Rooted<R>);

impl<R: Ring> Total<R> {
    pub(super) fn up_to(length: usize) -> Self {
        Self(vec![[R::zero(), R::zero()]; length + 1])
    }
}

impl<R: Ring> Sink<R> for Total<R> {
    const TOTALS_ONLY: bool = true;

    fn take(&mut self, powers: &Powers<'_, R>, length: usize, path: &R, cycle: &R) {
        let trace = powers.trace(length);
        let mut between = powers.sum(length);
        between.subtract(&trace);
        let [paths, cycles] = &mut self.0[length];
        paths.add_product(path, &between);
        cycles.add_product(cycle, &trace);
    }

    fn take_between(&mut self, length: usize, between: &R) {
        self.0[length][0].add(between);
    }

    fn merge(self, other: Self) -> Self {
        Self(add_rooted(self.0, other.0))
    }
}

/// Sums over the last vertices, by first vertex and length.
pub(super) struct ByVertex<R>(pub(super) FxHashMap<(u32, usize), [R; 2]>);

impl<R> Default for ByVertex<R> {
    fn default() -> Self {
        Self(FxHashMap::default())
    }
}

impl<R: Ring> Sink<R> for ByVertex<R> {
    fn take(&mut self, powers: &Powers<'_, R>, length: usize, path: &R, cycle: &R) {
        for (i, &vertex) in powers.members().iter().enumerate() {
            let around = powers.entry(length, i, i);
            let mut between = powers.row_sum(length, i);
            between.subtract(&around);
            let [paths, cycles] = self.0.entry((vertex, length)).or_insert_with(|| [R::zero(), R::zero()]);
            paths.add_product(path, &between);
            cycles.add_product(cycle, &around);
        }
    }

    fn merge(mut self, other: Self) -> Self {
        for (key, [paths, cycles]) in other.0 {
            let mine = self.0.entry(key).or_insert_with(|| [R::zero(), R::zero()]);
            mine[0].add(&paths);
            mine[1].add(&cycles);
        }
        self
    }
}

/// Sums by length and by the classes of the first and the last vertex.
pub(crate) struct ByEnds<'a, R> {
    /// The class of each vertex.
    class: &'a [u32],
    classes: usize,
    /// By length from 1, first class and last class.
    sums: Vec<[R; 2]>,
}

impl<'a, R: Ring> ByEnds<'a, R> {
    /// For vertices of so many classes.
    pub(super) fn up_to(length: usize, class: &'a [u32], classes: usize) -> Self {
        Self { class, classes, sums: vec![[R::zero(), R::zero()]; length * classes * classes] }
    }

    /// The sums over paths and over cycles of a length that begin and end with vertices of two classes. A cycle ends where
    /// it begins.
    pub(crate) fn of(&self, length: usize, [first, last]: [usize; 2]) -> &[R; 2] {
        &self.sums[((length - 1) * self.classes + first) * self.classes + last]
    }
}

impl<R: Ring> Sink<R> for ByEnds<'_, R> {
    fn take(&mut self, powers: &Powers<'_, R>, length: usize, path: &R, cycle: &R) {
        let members = powers.members();
        for (i, &source) in members.iter().enumerate() {
            let row = ((length - 1) * self.classes + self.class[source as usize] as usize) * self.classes;
            for (j, &target) in members.iter().enumerate() {
                let [paths, cycles] = &mut self.sums[row + self.class[target as usize] as usize];
                let (sum, factor) = if i == j { (cycles, cycle) } else { (paths, path) };
                // The largest subgraphs bring no cycles.
                if *factor != R::zero() {
                    sum.add_product(factor, &powers.entry(length, i, j));
                }
            }
        }
    }

    fn merge(self, other: Self) -> Self {
        Self { sums: add_rooted(self.sums, other.sums), ..self }
    }
}

/// Paths by first vertex, last vertex and length, and cycles where those are the same vertex; of all pairs, or of one.
pub(super) struct ByPair<R> {
    only: Option<(u32, u32)>,
    pub(super) sums: FxHashMap<(u32, u32, usize), R>,
}

impl<R> ByPair<R> {
    pub(super) fn of(only: Option<(u32, u32)>) -> Self {
        Self { only, sums: FxHashMap::default() }
    }
}

impl<R: Ring> Sink<R> for ByPair<R> {
    fn take(&mut self, powers: &Powers<'_, R>, length: usize, path: &R, cycle: &R) {
        let members = powers.members();
        let mut take = |i: usize, j: usize| {
            let factor = if i == j { cycle } else { path };
            if *factor == R::zero() {
                return;
            }
            let sum = self.sums.entry((members[i], members[j], length)).or_insert_with(R::zero);
            sum.add_product(factor, &powers.entry(length, i, j));
        };
        match self.only {
            None => {
                for i in 0..members.len() {
                    (0..members.len()).for_each(|j| take(i, j));
                }
            }
            Some((source, target)) => {
                let place = |vertex| members.iter().position(|&member| member == vertex);
                if let (Some(i), Some(j)) = (place(source), place(target)) {
                    take(i, j);
                }
            }
        }
    }

    fn merge(mut self, other: Self) -> Self {
        for (key, sum) in other.sums {
            self.sums.entry(key).or_insert_with(R::zero).add(&sum);
        }
        self
    }
}

//! Powers of the matrix of a subgraph: the first half of them, and what can be had from those of the others.

use super::subgraphs::{Subgraph, padded};
use crate::count::ring::Ring;

/// Room for the powers of one subgraph after the other.
pub(super) struct Scratch<R> {
    stride: usize,
    /// Powers 2, 3, ... in rows of `stride`, padded with zeros.
    matrices: Vec<Vec<R>>,
    /// Row sums and column sums of powers 1, 2, ...; of a symmetric matrix the row sums only.
    sums: [Vec<Vec<R>>; 2],
}

/// The powers of one subgraph's matrix.
pub(super) struct Powers<'a, R> {
    subgraph: &'a Subgraph<'a, R>,
    scratch: &'a Scratch<R>,
}

impl<R: Ring> Scratch<R> {
    pub(super) fn new(largest: usize, max_length: usize) -> Self {
        let (half, stride) = (max_length.div_ceil(2), padded(largest));
        let sums = vec![vec![R::zero(); largest]; max_length];
        Self {
            stride,
            matrices: vec![vec![R::zero(); largest * stride]; half.saturating_sub(1)],
            sums: [sums.clone(), sums],
        }
    }

    /// Computes what is needed for lengths up to `longest`: for all entries, or for [`Powers::sum`] and
    /// [`Powers::trace`] only; and, if asked, the row and column sums of all powers below the longest.
    pub(super) fn powers<'a>(
        &'a mut self,
        subgraph: &'a Subgraph<'a, R>,
        longest: usize,
        totals_only: bool,
        all_sums: bool,
    ) -> Powers<'a, R> {
        let lower = totals_only && subgraph.is_symmetric();
        let (size, half) = (subgraph.members().len(), longest.div_ceil(2));
        for power in 1..half {
            let (before, rest) = self.matrices.split_at_mut(power - 1);
            let source = before.last().map_or_else(|| subgraph.matrix(), Vec::as_slice);
            for (i, row) in rest[0].chunks_exact_mut(self.stride).take(size).enumerate() {
                // Of the last power of a symmetric matrix, what is above the diagonal is below it, too.
                let width = padded(if lower && power + 1 == half { i + 1 } else { size });
                let (row, weights) = (&mut row[..width], subgraph.row(i));
                row.as_chunks_mut::<4>().0.iter_mut().for_each(|entries| entries.fill(R::zero()));
                let mut out = subgraph.out(i);
                while out != 0 {
                    let j = out.trailing_zeros() as usize;
                    out &= out - 1;
                    R::add_scaled(row, &weights[j], &source[j * self.stride..][..width]);
                }
            }
        }
        let [row_sums, column_sums] = &mut self.sums;
        for power in 0..if all_sums { longest } else { half } {
            let (before, rest) = row_sums.split_at_mut(power);
            let before = before.last().map(Vec::as_slice);
            for (i, sum) in rest[0][..size].iter_mut().enumerate() {
                let weights = subgraph.row(i);
                *sum = R::zero();
                for j in bits(subgraph.out(i)) {
                    match before {
                        None => sum.add(&weights[j]),
                        Some(before) => sum.add_product(&weights[j], &before[j]),
                    }
                }
            }
            if subgraph.is_symmetric() {
                continue;
            }
            let (before, rest) = column_sums.split_at_mut(power);
            let sums = &mut rest[0][..size];
            sums.fill(R::zero());
            for i in 0..size {
                let weights = subgraph.row(i);
                for j in bits(subgraph.out(i)) {
                    match before.last() {
                        None => sums[j].add(&weights[j]),
                        Some(before) => sums[j].add_product(&weights[j], &before[i]),
                    }
                }
            }
        }
        self.computed(subgraph)
    }

    /// The powers that were computed last, of that subgraph.
    pub(super) fn computed<'a>(&'a self, subgraph: &'a Subgraph<'a, R>) -> Powers<'a, R> {
        Powers { subgraph, scratch: self }
    }
}

impl<R: Ring> Powers<'_, R> {
    /// The vertices of the subgraph, in the order of the rows.
    pub(super) fn members(&self) -> &[u32] {
        self.subgraph.members()
    }

    pub(super) fn subgraph(&self) -> &Subgraph<'_, R> {
        self.subgraph
    }

    fn size(&self) -> usize {
        self.members().len()
    }

    /// The rows of power `p + 1`.
    fn rows(&self, p: usize) -> impl Iterator<Item = &[R]> {
        let matrix =
            p.checked_sub(1).map_or_else(|| self.subgraph.matrix(), |place| &self.scratch.matrices[place]);
        matrix.chunks_exact(self.scratch.stride).take(self.size())
    }

    /// Row `i` of power `p + 1`.
    fn row(&self, p: usize, i: usize) -> &[R] {
        match p.checked_sub(1) {
            None => &self.subgraph.row(i)[..self.size()],
            Some(place) => &self.scratch.matrices[place][i * self.scratch.stride..][..self.size()],
        }
    }

    /// The row sums of power `p + 1`.
    pub(super) fn row_sums(&self, p: usize) -> &[R] {
        &self.scratch.sums[0][p][..self.size()]
    }

    /// The column sums of power `p + 1`.
    pub(super) fn column_sums(&self, p: usize) -> &[R] {
        let kind = usize::from(!self.subgraph.is_symmetric());
        &self.scratch.sums[kind][p][..self.size()]
    }

    /// The sum of all entries of a power.
    pub(super) fn sum(&self, length: usize) -> R {
        match halves(length) {
            (a, None) => {
                let mut sum = R::zero();
                self.row_sums(a).iter().for_each(|entry| sum.add(entry));
                sum
            }
            (a, Some(b)) => dot(self.column_sums(a), self.row_sums(b)),
        }
    }

    /// The sum of row `i` of a power.
    pub(super) fn row_sum(&self, length: usize, i: usize) -> R {
        match halves(length) {
            (a, None) => self.row_sums(a)[i].clone(),
            (a, Some(b)) => dot(self.row(a, i), self.row_sums(b)),
        }
    }

    /// Entry `(i, j)` of a power.
    pub(super) fn entry(&self, length: usize, i: usize, j: usize) -> R {
        match halves(length) {
            (a, None) => self.row(a, i)[j].clone(),
            (a, Some(b)) if self.subgraph.is_symmetric() => dot(self.row(a, i), self.row(b, j)),
            (a, Some(b)) => {
                let mut sum = R::zero();
                for (k, left) in self.row(a, i).iter().enumerate() {
                    sum.add_product(left, &self.row(b, k)[j]);
                }
                sum
            }
        }
    }

    /// The sum of the diagonal of a power.
    pub(super) fn trace(&self, length: usize) -> R {
        let mut trace = R::zero();
        match halves(length) {
            (a, Some(b)) if self.subgraph.is_symmetric() => {
                // What is above the diagonal counts for what is below it.
                let mut below = R::zero();
                for (i, (left, right)) in self.rows(a).zip(self.rows(b)).enumerate() {
                    left[..i]
                        .iter()
                        .zip(&right[..i])
                        .for_each(|(left, right)| below.add_product(left, right));
                    trace.add_product(&left[i], &right[i]);
                }
                trace.add(&below);
                trace.add(&below);
            }
            _ => (0..self.size()).for_each(|i| trace.add(&self.entry(length, i, i))),
        }
        trace
    }
}

/// A length as two halves: places in the lists of powers; nothing for the second half of length 1.
fn halves(length: usize) -> (usize, Option<usize>) {
    (length.div_ceil(2) - 1, (length / 2).checked_sub(1))
}

fn dot<R: Ring>(left: &[R], right: &[R]) -> R {
    let mut sum = R::zero();
    left.iter().zip(right).for_each(|(left, right)| sum.add_product(left, right));
    sum
}

/// The places of the bits that are set, ascending.
fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (word != 0).then(|| {
            let place = word.trailing_zeros() as usize;
            word &= word - 1;
            place
        })
    })
}

//! Gram matrices from rows of features: blocked, in parallel, only half of what is symmetric.

use std::ops::Range;

use super::gram::{Gram, Real};
use super::median::median;
use super::side::{Merge, Side};
use super::sums::{Block, Index, Minimum, Number, Product, Term};
use crate::{Error, Monitor, Result, threads};

/// A Gram matrix to be made.
pub(super) struct Plan<'a> {
    pub(super) left: &'a Side,
    pub(super) right: &'a Side,
    pub(super) normalized: bool,
    /// Whether entries are squared distances.
    pub(super) distances: bool,
    pub(super) crew: Crew,
}

/// Those who work on a matrix.
#[derive(Clone, Copy)]
pub(super) struct Crew {
    pub(super) threads: Option<usize>,
}

/// Rows that are made together: those of a block then stay in a cache.
const TOGETHER: usize = 16;

/// Rows that are mirrored at a time, by several threads.
const BAND: usize = 16 * TOGETHER;

impl Plan<'_> {
    /// The kernel, or the squared distance, of all of the left with all of the right.
    pub(super) fn fill<T: Real>(
        &self,
        limit: Option<u64>,
        monitor: &Monitor,
        shape: Shape,
    ) -> Result<Gram<T>> {
        let mut gram = Gram::new(self.left.rows(), self.right.rows(), limit)?;
        let largest = self.left.largest().max(self.right.largest());
        let products = self.right.merge.has_products();
        let fill = match (self.left.whole && self.right.whole, products) {
            (true, true) if largest <= f64::from(u16::MAX) => Self::fill_by::<u16, Product, T>,
            (true, false) if largest <= f64::from(u16::MAX) => Self::fill_by::<u16, Minimum, T>,
            (true, true) if largest <= f64::from(u32::MAX) => Self::fill_by::<u32, Product, T>,
            (true, false) if largest <= f64::from(u32::MAX) => Self::fill_by::<u32, Minimum, T>,
            (_, true) => Self::fill_by::<f64, Product, T>,
            (_, false) => Self::fill_by::<f64, Minimum, T>,
        };
        threads::on(self.crew.threads, || fill(self, &mut gram, monitor, shape))??;
        Ok(gram)
    }

    fn fill_by<N: Number, M: Term, T: Real>(
        &self,
        gram: &mut Gram<T>,
        monitor: &Monitor,
        shape: Shape,
    ) -> Result<()> {
        // A feature of one graph alone is met on the diagonal, which is known.
        let least = if shape == Shape::Lower { 2 } else { 1 };
        let index = Index::<N>::new(&self.right.vectors, least, self.crew.is_many());
        let (rows, columns) = (gram.rows(), gram.columns());
        let area = |rows: Range<usize>| rows.map(|row| shape.end(row, columns) as f64).sum::<f64>();
        let total = area(0..rows).max(1.0);
        self.crew.each(gram, |first, values| {
            if monitor.is_interrupted() {
                return;
            }
            let mut scratch = Scratch { sums: Vec::new(), common: Vec::new(), row: Vec::new() };
            for block in &index.blocks {
                for (row, values) in (first..).zip(values.chunks_mut(columns)) {
                    let end = shape.end(row, columns).min(block.start + block.len);
                    if end > block.start {
                        self.row::<N, M>(row, (&index, block), end - block.start, &mut scratch);
                        let out = values[block.start..end].iter_mut();
                        out.zip(&scratch.row).for_each(|(out, &value)| *out = T::rounded(value));
                    }
                }
            }
            if shape == Shape::Lower {
                for (row, values) in (first..).zip(values.chunks_mut(columns)) {
                    let own = if self.distances { 0.0 } else { self.own(self.left.diagonal[row]) };
                    values[row] = T::rounded(own);
                }
            }
            let last = (first + TOGETHER).min(rows);
            monitor.advance(area(first..last) / total);
        })?;
        match monitor.is_interrupted() {
            true => Err(Error::stopped("interrupted before the Gram matrix was complete")),
            false => Ok(()),
        }
    }

    /// The kernel of one graph with the first `len` of a block.
    fn row<N: Number, M: Term>(
        &self,
        row: usize,
        (index, block): (&Index<N>, &Block<N>),
        len: usize,
        scratch: &mut Scratch<N>,
    ) {
        let Self { left, right, .. } = self;
        let vectors = &left.vectors;
        let range = block.start..block.start + len;
        let Scratch { sums, common, row: out } = scratch;
        out.clear();
        for (cell, entries) in vectors.by_cell(&left.cells, row) {
            sums.clear();
            sums.resize(len, N::default());
            let entries = (&vectors.indices()[entries.clone()], &vectors.values()[entries]);
            index.add::<M>(entries, block, common, sums);
            let (own, owns) = (left.own[cell][row], &right.own[cell][range.clone()]);
            // Apart for each merge, or the loops would not be made into vector instructions.
            match right.merge {
                Merge::Products | Merge::Minima => add(out, sums, owns, |sum, _| sum),
                Merge::Cosine => add(out, sums, owns, |sum, other| Merge::Cosine.merged(sum, own, other)),
                Merge::MinMax => add(out, sums, owns, |sum, other| Merge::MinMax.merged(sum, own, other)),
            }
        }
        out.resize(len, 0.0);
        let (mine, theirs) = (left.diagonal[row], &right.diagonal[range]);
        if self.normalized {
            out.iter_mut()
                .zip(theirs)
                .for_each(|(value, &other)| *value = Merge::Cosine.merged(*value, mine, other));
        }
        if self.distances {
            let distance = |value: f64, other: f64| (self.own(mine) + self.own(other) - 2.0 * value).max(0.0);
            out.iter_mut().zip(theirs).for_each(|(value, &other)| *value = distance(*value, other));
        }
    }

    /// What a graph is to itself in the end.
    pub(super) fn own(&self, diagonal: f64) -> f64 {
        match self.normalized {
            true if diagonal > 0.0 => 1.0,
            _ => diagonal,
        }
    }
}

impl Crew {
    /// The median of the lower half of a square of squared distances; 1 where it is 0.
    pub(super) fn median<T: Real>(gram: &Gram<T>) -> f64 {
        let below = || (0..gram.rows()).flat_map(|row| &gram.row(row)[..row]).map(|&value| value.wide());
        median(below).filter(|&median| median > 0.0).unwrap_or(1.0)
    }

    /// Makes `exp(-rate d^2)` of all squared distances.
    pub(super) fn exponentiate<T: Real>(self, gram: &mut Gram<T>, rate: f64, shape: Shape) -> Result<()> {
        let columns = gram.columns();
        self.each(gram, |first, values| {
            for (row, values) in (first..).zip(values.chunks_mut(columns)) {
                let values = values[..shape.end(row, columns)].iter_mut();
                values.for_each(|value| *value = T::rounded((-rate * value.wide()).exp()));
            }
        })
    }

    /// Copies the lower half of a square to the upper.
    pub(super) fn mirror<T: Real>(self, gram: &mut Gram<T>) -> Result<()> {
        let n = gram.columns();
        threads::on(self.threads, || {
            for first in (0..n).step_by(BAND) {
                let last = (first + BAND).min(n);
                let (band, below) = gram.values_mut()[first * n..].split_at_mut((last - first) * n);
                for column in first..last {
                    for row in first..column {
                        band[(row - first) * n + column] = band[(column - first) * n + row];
                    }
                }
                let right = |(tile, rows): (usize, &mut [T])| {
                    mirror_right(rows, first + tile * TOGETHER, below, n);
                };
                threads::each(self.is_many(), band.chunks_mut(TOGETHER * n).enumerate(), right);
            }
        })
    }

    /// Does something for some rows at a time, told the number of the first.
    pub(super) fn each<T: Real>(
        self,
        gram: &mut Gram<T>,
        work: impl Fn(usize, &mut [T]) + Sync + Send,
    ) -> Result<()> {
        let size = (TOGETHER * gram.columns()).max(1);
        let values = gram.values_mut();
        threads::on(self.threads, || {
            let work = |(i, values): (usize, &mut [T])| work(i * TOGETHER, values);
            threads::each(self.is_many(), values.chunks_mut(size).enumerate(), work);
        })
    }

    fn is_many(self) -> bool {
        threads::count(self.threads) > 1
    }
}

/// Which entries are made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Whole,
    /// Of a square: those on and below the diagonal.
    Lower,
}

impl Shape {
    /// How many entries of a row are made.
    pub(super) fn end(self, row: usize, columns: usize) -> usize {
        match self {
            Shape::Whole => columns,
            Shape::Lower => row + 1,
        }
    }
}

struct Scratch<N> {
    sums: Vec<N>,
    common: Vec<(u32, N)>,
    row: Vec<f64>,
}

/// Adds the merged sums of a cell, of which the first finds nothing there.
#[inline(always)]
fn add<N: Number>(out: &mut Vec<f64>, sums: &[N], owns: &[f64], merged: impl Fn(f64, f64) -> f64) {
    let merged = sums.iter().zip(owns).map(|(&sum, &own)| merged(sum.value(), own));
    match out.is_empty() {
        true => out.extend(merged),
        false => out.iter_mut().zip(merged).for_each(|(out, merged)| *out += merged),
    }
}

/// Fills the right ends of some rows, of which `first` is the first, from the last rows of a square, tile by tile: reads and writes of
/// a tile then stay in a cache.
fn mirror_right<T: Real>(rows: &mut [T], first: usize, last: &[T], n: usize) {
    let begin = n - last.len() / n;
    for tile in (begin..n).step_by(TOGETHER) {
        let columns = tile..(tile + TOGETHER).min(n);
        for (row, values) in (first..).zip(rows.chunks_mut(n)) {
            let values = values[columns.clone()].iter_mut().zip(columns.clone());
            values.for_each(|(value, column)| *value = last[(column - begin) * n + row]);
        }
    }
}

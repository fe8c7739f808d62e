//! Gram matrices from rows of features: blocked, in parallel, only half of what is symmetric.

use std::ops::Range;

use rayon::prelude::*;

use super::gram::{Gram, Real};
use super::median::median;
use super::sums::{Block, Index, Minimum, Number, Product, Term};
use super::vectors::Vectors;
use crate::embed::{Cell, Column};
use crate::{Error, Monitor, Result, threads};

/// What the sums of a cell become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Merge {
    /// Sums of products as they are.
    Products,
    /// Over both lengths.
    Cosine,
    /// Sums of minima as they are.
    Minima,
    /// Over the sum of maxima, which is the sum of both less the sum of minima.
    MinMax,
}

impl Merge {
    fn has_products(self) -> bool {
        matches!(self, Merge::Products | Merge::Cosine)
    }

    /// What a value adds to the sum of a graph with itself.
    fn own(self, value: f64) -> f64 {
        if self.has_products() { value * value } else { value }
    }

    /// What a sum becomes, given those of both graphs with themselves.
    #[inline(always)]
    fn merged(self, sum: f64, left: f64, right: f64) -> f64 {
        let over = |whole: f64| if whole > 0.0 { sum / whole } else { 0.0 };
        match self {
            Merge::Products | Merge::Minima => sum,
            Merge::Cosine => over((left * right).sqrt()),
            Merge::MinMax => over(left + right - sum),
        }
    }
}

/// Graphs to be compared, with what each is to itself.
#[derive(Clone, Debug)]
pub(super) struct Side {
    vectors: Vectors,
    merge: Merge,
    by_cell: bool,
    /// The columns that are compared together.
    cells: Vec<Range<u32>>,
    /// By cell and graph: the sum with itself.
    own: Vec<Vec<f64>>,
    /// By graph: the kernel with itself.
    diagonal: Vec<f64>,
}

impl Side {
    pub(super) fn new(vectors: Vectors, merge: Merge, by_cell: bool) -> Self {
        let cells = vectors.cells(by_cell);
        let mut own = vec![vec![0.0; vectors.rows()]; cells.len()];
        (0..vectors.rows()).for_each(|row| {
            for (cell, range) in vectors.by_cell(&cells, row) {
                own[cell][row] = vectors.values()[range].iter().map(|&value| merge.own(value)).sum();
            }
        });
        let mut diagonal = vec![0.0; vectors.rows()];
        for own in &own {
            diagonal.iter_mut().zip(own).for_each(|(sum, &own)| *sum += merge.merged(own, own, own));
        }
        Self { vectors, merge, by_cell, cells, own, diagonal }
    }

    /// Other graphs, under the columns and cells of these. What they have beside these columns counts for what each is to itself.
    pub(super) fn beside(&self, others: &Vectors) -> Self {
        let mut side = Self::new(others.clone(), self.merge, self.by_cell);
        if self.by_cell {
            let cell =
                |vectors: &Vectors, cell: &Range<u32>| -> Cell { vectors.columns[cell.start as usize].cell };
            let theirs: Vec<Cell> = side.cells.iter().map(|range| cell(&side.vectors, range)).collect();
            let own = |range: &Range<u32>| match theirs.binary_search(&cell(&self.vectors, range)) {
                Ok(place) => std::mem::take(&mut side.own[place]),
                Err(_) => vec![0.0; others.rows()],
            };
            side.own = self.cells.iter().map(own).collect();
        }
        side.cells.clone_from(&self.cells);
        side.vectors = others.under(self.columns());
        side
    }

    pub(super) fn rows(&self) -> usize {
        self.vectors.rows()
    }

    pub(super) fn vectors(&self) -> &Vectors {
        &self.vectors
    }

    pub(super) fn columns(&self) -> &[Column] {
        &self.vectors.columns
    }

    /// A bound on every sum with these graphs, and on every value.
    fn largest(&self) -> f64 {
        self.own.iter().flatten().copied().fold(0.0, f64::max)
    }
}

/// A Gram matrix to be made.
pub(super) struct Plan<'a> {
    pub(super) left: &'a Side,
    pub(super) right: &'a Side,
    /// Whether all values are whole numbers.
    pub(super) whole: bool,
    pub(super) normalized: bool,
    /// Whether entries are squared distances.
    pub(super) distances: bool,
    pub(super) threads: Option<usize>,
}

/// Rows that are made together: those of a block then stay in a cache.
const TOGETHER: usize = 16;

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
        let fill = match (self.whole, products) {
            (true, true) if largest <= f64::from(u16::MAX) => Self::fill_by::<u16, Product, T>,
            (true, false) if largest <= f64::from(u16::MAX) => Self::fill_by::<u16, Minimum, T>,
            (true, true) if largest <= f64::from(u32::MAX) => Self::fill_by::<u32, Product, T>,
            (true, false) if largest <= f64::from(u32::MAX) => Self::fill_by::<u32, Minimum, T>,
            (_, true) => Self::fill_by::<f64, Product, T>,
            (_, false) => Self::fill_by::<f64, Minimum, T>,
        };
        fill(self, &mut gram, monitor, shape)?;
        Ok(gram)
    }

    fn fill_by<N: Number, M: Term, T: Real>(
        &self,
        gram: &mut Gram<T>,
        monitor: &Monitor,
        shape: Shape,
    ) -> Result<()> {
        // A feature of one graph alone is met on the diagonal, which is known.
        let shared = (shape == Shape::Lower).then(|| self.right.vectors.shared());
        let (left, right) = match &shared {
            Some(shared) => (shared, shared),
            None => (&self.left.vectors, &self.right.vectors),
        };
        let index = Index::<N>::new(right);
        let left = (left, left.values().iter().map(|&value| N::of(value)).collect::<Vec<_>>());
        let (rows, columns) = (gram.rows(), gram.columns());
        let area = |rows: Range<usize>| rows.map(|row| shape.end(row, columns) as f64).sum::<f64>();
        let total = area(0..rows).max(1.0);
        self.each(gram, |first, values| {
            if monitor.is_interrupted() {
                return;
            }
            let mut scratch = Scratch { sums: Vec::new(), common: Vec::new(), row: Vec::new() };
            for block in &index.blocks {
                for (row, values) in (first..).zip(values.chunks_mut(columns)) {
                    let end = shape.end(row, columns).min(block.start + block.len);
                    if end > block.start {
                        self.row::<N, M>(row, &left, (&index, block), end - block.start, &mut scratch);
                        let out = values[block.start..end].iter_mut();
                        out.zip(&scratch.row).for_each(|(out, &value)| *out = T::rounded(value));
                    }
                }
            }
            if shape == Shape::Lower {
                for (row, values) in (first..).zip(values.chunks_mut(columns)) {
                    values[row] = T::rounded(self.on_diagonal(row));
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
        (vectors, values): &(&Vectors, Vec<N>),
        (index, block): (&Index<N>, &Block<N>),
        len: usize,
        scratch: &mut Scratch<N>,
    ) {
        let Self { left, right, .. } = self;
        let range = block.start..block.start + len;
        let Scratch { sums, common, row: out } = scratch;
        out.clear();
        out.resize(len, 0.0);
        for (cell, entries) in vectors.by_cell(&left.cells, row) {
            sums.clear();
            sums.resize(len, N::default());
            index.add::<M>((&vectors.indices()[entries.clone()], &values[entries]), block, common, sums);
            let (own, owns) = (left.own[cell][row], &right.own[cell][range.clone()]);
            // Apart for each merge, or the loops would not be made into vector instructions.
            match right.merge {
                Merge::Products | Merge::Minima => add(out, sums, owns, |sum, _| sum),
                Merge::Cosine => add(out, sums, owns, |sum, other| Merge::Cosine.merged(sum, own, other)),
                Merge::MinMax => add(out, sums, owns, |sum, other| Merge::MinMax.merged(sum, own, other)),
            }
        }
        let (mine, theirs) = (left.diagonal[row], &right.diagonal[range]);
        if self.normalized {
            out.iter_mut()
                .zip(theirs)
                .for_each(|(value, &other)| *value = Merge::Cosine.merged(*value, mine, other));
        }
        if self.distances {
            let own =
                |diagonal: f64| if self.normalized { f64::from(u8::from(diagonal > 0.0)) } else { diagonal };
            let distance = |value: f64, other: f64| (own(mine) + own(other) - 2.0 * value).max(0.0);
            out.iter_mut().zip(theirs).for_each(|(value, &other)| *value = distance(*value, other));
        }
    }

    /// What a fitted graph is to itself: where sums were rounded, this was not.
    fn on_diagonal(&self, row: usize) -> f64 {
        match self.left.diagonal[row] {
            _ if self.distances => 0.0,
            own if self.normalized => f64::from(u8::from(own > 0.0)),
            own => own,
        }
    }

    /// The median of the lower half of a square of squared distances; 1 where it is 0.
    pub(super) fn median<T: Real>(gram: &Gram<T>) -> f64 {
        let below = || (0..gram.rows()).flat_map(|row| &gram.row(row)[..row]).map(|&value| value.wide());
        median(below).filter(|&median| median > 0.0).unwrap_or(1.0)
    }

    /// Makes `exp(-rate d^2)` of all squared distances.
    pub(super) fn exponentiate<T: Real>(&self, gram: &mut Gram<T>, rate: f64, shape: Shape) -> Result<()> {
        let columns = gram.columns();
        self.each(gram, |first, values| {
            for (row, values) in (first..).zip(values.chunks_mut(columns)) {
                let values = values[..shape.end(row, columns)].iter_mut();
                values.for_each(|value| *value = T::rounded((-rate * value.wide()).exp()));
            }
        })
    }

    /// Copies the lower half of a square to the upper.
    pub(super) fn mirror<T: Real>(gram: &mut Gram<T>) {
        /// A tile of so many rows and columns fits a cache in both orders.
        const TILE: usize = 16;
        let n = gram.columns();
        for first in (0..n).step_by(TILE) {
            let last = (first + TILE).min(n);
            let (above, below) = gram.values_mut()[first * n..].split_at_mut((last - first) * n);
            for column in first..last {
                for row in first..column {
                    above[(row - first) * n + column] = above[(column - first) * n + row];
                }
            }
            for tile in (last..n).step_by(TILE) {
                let columns = tile..(tile + TILE).min(n);
                for row in first..last {
                    let out = &mut above[(row - first) * n..][columns.clone()];
                    out.iter_mut()
                        .zip(columns.clone())
                        .for_each(|(out, column)| *out = below[(column - last) * n + row]);
                }
            }
        }
    }

    /// Does something for some rows at a time, told the number of the first.
    fn each<T: Real>(&self, gram: &mut Gram<T>, work: impl Fn(usize, &mut [T]) + Sync + Send) -> Result<()> {
        let size = (TOGETHER * gram.columns()).max(1);
        let values = gram.values_mut();
        threads::on(self.threads, || match threads::count(self.threads) {
            1 => values.chunks_mut(size).enumerate().for_each(|(i, values)| work(i * TOGETHER, values)),
            _ => values.par_chunks_mut(size).enumerate().for_each(|(i, values)| work(i * TOGETHER, values)),
        })
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
    fn end(self, row: usize, columns: usize) -> usize {
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

#[inline(always)]
fn add<N: Number>(out: &mut [f64], sums: &[N], owns: &[f64], merged: impl Fn(f64, f64) -> f64) {
    for ((out, &sum), &own) in out.iter_mut().zip(sums).zip(owns) {
        *out += merged(sum.value(), own);
    }
}

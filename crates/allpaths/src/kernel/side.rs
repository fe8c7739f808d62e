//! One side of a Gram matrix: graphs, with what each is to itself.

use std::ops::Range;

use super::vectors::Vectors;
use crate::embed::Cell;

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
    pub(super) fn has_products(self) -> bool {
        matches!(self, Merge::Products | Merge::Cosine)
    }

    /// What a value adds to the sum of a graph with itself.
    fn own(self, value: f64) -> f64 {
        if self.has_products() { value * value } else { value }
    }

    /// What a sum becomes, given those of both graphs with themselves.
    #[inline(always)]
    pub(super) fn merged(self, sum: f64, left: f64, right: f64) -> f64 {
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
    pub(super) vectors: Vectors,
    /// Whether all values are whole numbers.
    pub(super) whole: bool,
    pub(super) merge: Merge,
    by_cell: bool,
    /// The columns that are compared together.
    pub(super) cells: Vec<Range<u32>>,
    /// By cell and graph: the sum with itself.
    pub(super) own: Vec<Vec<f64>>,
    /// By graph: the kernel with itself.
    pub(super) diagonal: Vec<f64>,
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
        let whole = vectors.values().iter().all(|value| value.fract() == 0.0);
        Self { vectors, whole, merge, by_cell, cells, own, diagonal }
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
        side.vectors = others.under(&self.vectors.columns);
        side
    }

    /// Rows whose sums of products are the kernel, where that is made of products.
    pub(super) fn scaled(&self, normalized: bool) -> Vectors {
        let over = |square: f64| if square > 0.0 { 1.0 / square.sqrt() } else { 0.0 };
        let mut vectors = self.vectors.clone();
        for row in 0..self.rows() {
            let whole = if normalized { over(self.diagonal[row]) } else { 1.0 };
            for (cell, range) in self.vectors.by_cell(&self.cells, row) {
                let own = if self.merge == Merge::Cosine { over(self.own[cell][row]) } else { 1.0 };
                vectors.values_mut()[range].iter_mut().for_each(|value| *value *= own * whole);
            }
        }
        vectors
    }

    pub(super) fn rows(&self) -> usize {
        self.vectors.rows()
    }

    /// A bound on every sum with these graphs, and on every value.
    pub(super) fn largest(&self) -> f64 {
        self.own.iter().flatten().copied().fold(0.0, f64::max)
    }
}

//! Sums over the features that two graphs share: of products, or of the smaller values. All comparisons are made of these.
//!
//! The fitted graphs lie in blocks that fit a cache. In a block each common feature is a dense column of values, so that one feature
//! of a row is added for all graphs of the block at once, several to an instruction; a rare feature is a list of the few
//! graphs that have it. A row meets only columns of features it has.
//!
//! Whole numbers are summed as the narrowest integers that hold the largest sum, everything else as float64. Each sum is taken in the order
//! of columns, so that neither blocks nor threads have a say in it.

use std::cmp::Reverse;
use std::ops::Range;

use super::vectors::Vectors;
use crate::threads;

/// What is added up.
pub(super) trait Term: Copy + Sync {
    /// What two values of a feature give.
    fn of<N: Number>(x: N, y: N) -> N;
}

/// Products: of these are linear, cosine and rbf.
#[derive(Clone, Copy)]
pub(super) struct Product;

impl Term for Product {
    #[inline(always)]
    fn of<N: Number>(x: N, y: N) -> N {
        x.times(y)
    }
}

/// The smaller of two: intersection and minmax.
#[derive(Clone, Copy)]
pub(super) struct Minimum;

impl Term for Minimum {
    #[inline(always)]
    fn of<N: Number>(x: N, y: N) -> N {
        if x < y { x } else { y }
    }
}

/// What sums are made in.
pub(super) trait Number: Copy + Default + PartialOrd + Send + Sync {
    /// A value that was certified to fit.
    fn of(value: f64) -> Self;
    fn value(self) -> f64;
    fn plus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
}

macro_rules! number {
    ($($type:ty),*) => {
        $(impl Number for $type {
            #[inline(always)]
            #[allow(clippy::cast_sign_loss, clippy::cast_lossless)] // whole and in range, or a float as it is
            fn of(value: f64) -> Self {
                value as $type
            }

            #[inline(always)]
            #[allow(clippy::cast_lossless)]
            fn value(self) -> f64 {
                self as f64
            }

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self + other
            }

            #[inline(always)]
            fn times(self, other: Self) -> Self {
                self * other
            }
        })*
    };
}

number!(u16, u32, f64);

/// Graphs that others are summed against.
pub(super) struct Index<N> {
    /// By column: its place among the dense ones, or, after those, among the sparse ones; or [`NOWHERE`].
    places: Vec<u32>,
    dense: u32,
    sparse: usize,
    pub(super) blocks: Vec<Block<N>>,
}

/// The place of a column that is left out.
const NOWHERE: u32 = u32::MAX;

/// Some of the graphs.
pub(super) struct Block<N> {
    /// The first of them.
    pub(super) start: usize,
    pub(super) len: usize,
    /// The dense columns, one after the other.
    dense: Vec<N>,
    /// By sparse column: where its entries begin, and where the last end.
    offsets: Vec<u32>,
    /// Which graph of the block has it, ascending.
    rows: Vec<u16>,
    values: Vec<N>,
}

/// The most graphs of a block: sums of a row, and a few dense columns, stay in the first cache.
const BLOCK: usize = 2048;

/// Columns that one graph in so many has are dense: adding everywhere costs less than finding where to add.
const DENSE: usize = 6;

impl<N: Number> Index<N> {
    /// Of the features that at least so many graphs have.
    pub(super) fn new(vectors: &Vectors, least: usize, parallel: bool) -> Self {
        let graphs = vectors.graphs();
        let mut by_graphs: Vec<u32> =
            (0..graphs.len() as u32).filter(|&column| graphs[column as usize] >= least).collect();
        // The commonest first: their places are looked up most often, and should be close together.
        by_graphs.sort_by_key(|&column| Reverse(graphs[column as usize]));
        let dense = by_graphs.partition_point(|&column| graphs[column as usize] * DENSE >= vectors.rows());
        let mut places = vec![NOWHERE; graphs.len()];
        by_graphs.iter().zip(0..).for_each(|(&column, place)| places[column as usize] = place);
        let rows = vectors.rows();
        // As many for each thread, where there are few.
        let blocks = rows.div_ceil(BLOCK).max(1).next_multiple_of(if parallel { 2 } else { 1 });
        let len = rows.div_ceil(blocks).max(1);
        let (dense, sparse) = (dense as u32, by_graphs.len() - dense);
        let index = Self { places, dense, sparse, blocks: Vec::new() };
        let block = |start: usize| index.block(vectors, start, len.min(rows - start));
        let blocks = threads::map(parallel, (0..rows).step_by(len), block);
        Self { blocks, ..index }
    }

    fn block(&self, vectors: &Vectors, start: usize, len: usize) -> Block<N> {
        let mut dense = vec![N::default(); self.dense as usize * len];
        let mut offsets = vec![0u32; self.sparse + 1];
        self.each(vectors, start..start + len, |row, place, value| match place.checked_sub(self.dense) {
            None => dense[place as usize * len + row] = N::of(value),
            Some(sparse) => offsets[sparse as usize + 1] += 1,
        });
        for column in 1..offsets.len() {
            offsets[column] += offsets[column - 1];
        }
        let entries = offsets[offsets.len() - 1] as usize;
        let (mut rows, mut entry_values) = (vec![0u16; entries], vec![N::default(); entries]);
        let mut next = offsets.clone();
        self.each(vectors, start..start + len, |row, place, value| {
            if let Some(sparse) = place.checked_sub(self.dense) {
                let entry = &mut next[sparse as usize];
                rows[*entry as usize] = row as u16;
                entry_values[*entry as usize] = N::of(value);
                *entry += 1;
            }
        });
        Block { start, len, dense, offsets, rows, values: entry_values }
    }

    /// Goes through the values of some rows, counted from the first of these, with the places of their columns.
    fn each(&self, vectors: &Vectors, rows: Range<usize>, mut hear: impl FnMut(usize, u32, f64)) {
        for (row, graph) in rows.enumerate() {
            let range = vectors.row(graph);
            let (columns, values) = (&vectors.indices()[range.clone()], &vectors.values()[range]);
            for (&column, &value) in columns.iter().zip(values) {
                let place = self.places[column as usize];
                if place != NOWHERE {
                    hear(row, place, value);
                }
            }
        }
    }

    /// Adds the sums of a row with each graph of a block, or the first of them: as many as `sums` has room for.
    pub(super) fn add<T: Term>(
        &self,
        (columns, values): (&[u32], &[f64]),
        block: &Block<N>,
        common: &mut Vec<(u32, N)>,
        sums: &mut [N],
    ) {
        common.clear();
        for (&column, &x) in columns.iter().zip(values) {
            let (place, x) = (self.places[column as usize], N::of(x));
            let Some(sparse) = place.checked_sub(self.dense) else {
                common.push((place, x));
                continue;
            };
            if place == NOWHERE {
                continue;
            }
            let range = block.offsets[sparse as usize] as usize..block.offsets[sparse as usize + 1] as usize;
            for (&row, &y) in block.rows[range.clone()].iter().zip(&block.values[range]) {
                // Rows ascend.
                let Some(sum) = sums.get_mut(row as usize) else { break };
                *sum = sum.plus(T::of(x, y));
            }
        }
        let n = sums.len();
        let column = |place: u32| &block.dense[place as usize * block.len..][..n];
        let mut fours = common.chunks_exact(4);
        for four in &mut fours {
            let [(a, p), (b, q), (c, r), (d, s)] = [four[0], four[1], four[2], four[3]];
            let (a, b, c, d) = (column(a), column(b), column(c), column(d));
            for j in 0..n {
                let sum = sums[j].plus(T::of(p, a[j])).plus(T::of(q, b[j]));
                sums[j] = sum.plus(T::of(r, c[j])).plus(T::of(s, d[j]));
            }
        }
        for &(place, x) in fours.remainder() {
            sums.iter_mut().zip(column(place)).for_each(|(sum, &y)| *sum = sum.plus(T::of(x, y)));
        }
    }
}

//! How similar two rows can be at best, by summaries of a few numbers.
//!
//! Features are put into groups, so that all groups have about the same weight in the library: the commonest features have one for
//! themselves. For sums of minima a summary is the sum of a row's counts in each group, because the smaller of two sums is at least the
//! sum of what is smaller. For cosines it is the length of a row in each group, because no scalar product is larger than the
//! product of lengths (Cauchy and Schwarz).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Rows, Similarity};

pub(super) const GROUPS: usize = 64;

/// What a length of 1 is in a summary. Sums of products of 64 numbers stay below 2^31, for rows of length 1.
const ONE: f64 = 32_000.0;

pub(super) type Summary = [u16; GROUPS];

/// The summaries of all rows.
pub(super) struct Bounds {
    similarity: Similarity,
    /// The group of each column.
    groups: Vec<u8>,
    summaries: Vec<Summary>,
    /// Rows whose sums are too large for a summary: nothing bounds them.
    unbounded: Vec<u32>,
}

impl Bounds {
    pub(super) fn new(rows: &Rows, columns: usize, similarity: Similarity) -> Self {
        let mut weights = vec![0u64; columns];
        for place in 0..rows.columns.len() {
            let weight = &mut weights[rows.columns[place] as usize];
            *weight = weight.saturating_add(rows.counts.get(place));
        }
        let groups = grouped(&weights);
        let mut bounds =
            Self { similarity, groups, summaries: Vec::with_capacity(rows.len()), unbounded: Vec::new() };
        for row in 0..rows.len() {
            let norm = norm(rows.row(row).map(|(_, count)| count));
            match bounds.summary(rows.row(row), norm) {
                Some(summary) => bounds.summaries.push(summary),
                None => {
                    bounds.summaries.push([0; GROUPS]);
                    bounds.unbounded.push(row as u32);
                }
            }
        }
        bounds
    }

    /// The summary of a row of that length; nothing if it has no room.
    fn summary(&self, row: impl Iterator<Item = (u32, u64)>, norm: f64) -> Option<Summary> {
        let mut sums = [0u64; GROUPS];
        if self.similarity != Similarity::Cosine {
            for (column, count) in row {
                let sum = &mut sums[usize::from(self.groups[column as usize])];
                *sum = sum.saturating_add(count);
            }
            return sums.iter().all(|&sum| u16::try_from(sum).is_ok()).then(|| sums.map(|sum| sum as u16));
        }
        let mut squares = [0f64; GROUPS];
        for (column, count) in row {
            squares[usize::from(self.groups[column as usize])] += (count as f64) * (count as f64);
        }
        Some(squares.map(|square| if norm > 0.0 { scaled(square.sqrt() / norm) } else { 0 }))
    }

    /// The summary of a query, cut off where rows have no room for more.
    pub(super) fn of_query(&self, row: impl Iterator<Item = (u32, u64)> + Clone, norm: f64) -> Summary {
        self.summary(row.clone(), norm).unwrap_or_else(|| {
            let mut sums: Summary = [0; GROUPS];
            for (column, count) in row {
                let sum = &mut sums[usize::from(self.groups[column as usize])];
                *sum = sum.saturating_add(count.min(u64::from(u16::MAX)) as u16);
            }
            sums
        })
    }

    /// The largest sum of minima, or the largest cosine, of each row with a query.
    pub(super) fn each<'a>(&'a self, query: &'a Summary) -> Box<dyn Iterator<Item = f64> + 'a> {
        match self.similarity {
            Similarity::Cosine => {
                Box::new(self.summaries.iter().map(|row| f64::from(product(query, row)) / (ONE * ONE)))
            }
            _ => Box::new(self.summaries.iter().map(|row| f64::from(minima(query, row)))),
        }
    }

    pub(super) fn unbounded(&self) -> &[u32] {
        &self.unbounded
    }
}

/// The length of a row.
pub(super) fn norm(counts: impl Iterator<Item = u64>) -> f64 {
    counts.map(|count| (count as f64) * (count as f64)).sum::<f64>().sqrt()
}

/// A share of a length, never less than it is.
#[allow(clippy::cast_sign_loss)]
fn scaled(share: f64) -> u16 {
    (share * ONE * (1.0 + 1e-9)).ceil().min(ONE + 1.0) as u16
}

#[inline]
fn minima(one: &Summary, other: &Summary) -> u32 {
    one.iter().zip(other).map(|(&a, &b)| u32::from(a.min(b))).sum()
}

#[inline]
fn product(one: &Summary, other: &Summary) -> u32 {
    one.iter().zip(other).map(|(&a, &b)| u32::from(a) * u32::from(b)).sum()
}

/// A group for each column: the heaviest first, each into the group that is lightest so far.
fn grouped(weights: &[u64]) -> Vec<u8> {
    let mut order: Vec<u32> = (0..weights.len() as u32).collect();
    order.sort_by_key(|&column| Reverse(weights[column as usize]));
    let mut lightest: BinaryHeap<Reverse<(u64, u8)>> =
        (0..GROUPS as u8).map(|group| Reverse((0, group))).collect();
    let mut groups = vec![0; weights.len()];
    for column in order {
        let Some(Reverse((weight, group))) = lightest.pop() else { break };
        groups[column as usize] = group;
        lightest.push(Reverse((weight.saturating_add(weights[column as usize]), group)));
    }
    groups
}

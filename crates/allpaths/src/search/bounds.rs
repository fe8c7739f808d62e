//! How similar two rows can be at best, by summaries of a few numbers.
//!
//! Features are put into groups, so that all groups have about the same weight in the library: the commonest features have one for
//! themselves. For sums of minima a summary is the sum of a row's counts in each group, because the smaller of two sums is at least the
//! sum of what is smaller. For cosines it is the length of a row in each group, because no scalar product is larger than the
//! product of lengths (Cauchy and Schwarz).
//!
//! A second bound is for rows that are much larger than a query, whose summaries have room for all of it: a few bits for each row say which features it has not, so
//! what a query has of those is lost.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Library, Similarity};

pub(super) const GROUPS: usize = 64;

/// What a length of 1 is in a summary. Sums of products of 64 numbers stay below 2^31, for rows of length 1.
const ONE: f64 = 32_000.0;

pub(super) type Summary = [u16; GROUPS];

/// A summary as it stands in a file.
pub(super) type Packed = [u8; 2 * GROUPS];

/// Among how many bits the features of a row are spread.
const BITS: usize = 512;

/// Which features a row may have: each sets one bit, which others share.
pub(super) type Traits = [u8; BITS / 8];

/// The summaries of all rows.
pub(super) struct Bounds<'a> {
    similarity: Similarity,
    /// The group of each column.
    groups: &'a [u8],
    summaries: Cow<'a, [Packed]>,
    /// Rows whose sums are too large for a summary, or that cannot be read: nothing bounds them.
    unbounded: Vec<u32>,
}

impl<'a> Bounds<'a> {
    /// Sums of counts are in the library, lengths are summed up here.
    pub(super) fn new(library: &'a Library, similarity: Similarity) -> Self {
        let groups = library.groups();
        if similarity != Similarity::Cosine {
            let unbounded = library.unbounded();
            return Self { similarity, groups, summaries: Cow::Borrowed(library.summaries()), unbounded };
        }
        let mut unbounded = Vec::new();
        let mut packed_row = |row: usize| {
            let Ok(entries) = library.row(row) else {
                unbounded.push(row as u32);
                return [0; 2 * GROUPS];
            };
            let norm = norm(entries.iter().map(|(_, count)| count));
            // A share of a length always has room.
            summary(similarity, groups, entries.iter(), norm)
                .map_or([0; 2 * GROUPS], |summary| packed(&summary))
        };
        let summaries = (0..library.len()).map(&mut packed_row).collect();
        Self { similarity, groups, summaries: Cow::Owned(summaries), unbounded }
    }

    /// The summary of a query, cut off where rows have no room for more.
    pub(super) fn of_query(&self, row: impl Iterator<Item = (u32, u64)> + Clone, norm: f64) -> Summary {
        summary(self.similarity, self.groups, row.clone(), norm).unwrap_or_else(|| {
            let mut sums: Summary = [0; GROUPS];
            for (column, count) in row {
                let sum = &mut sums[usize::from(self.groups[column as usize])];
                *sum = sum.saturating_add(count.min(u64::from(u16::MAX)) as u16);
            }
            sums
        })
    }

    /// The largest sum of minima, or the largest cosine, of each row with a query.
    pub(super) fn each<'b>(&'b self, query: &'b Summary) -> Box<dyn Iterator<Item = f64> + 'b> {
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

/// The summary of a row of that length; nothing if it has no room.
pub(super) fn summary(
    similarity: Similarity,
    groups: &[u8],
    row: impl Iterator<Item = (u32, u64)>,
    norm: f64,
) -> Option<Summary> {
    let mut sums = [0u64; GROUPS];
    if similarity != Similarity::Cosine {
        for (column, count) in row {
            let sum = &mut sums[usize::from(groups[column as usize])];
            *sum = sum.saturating_add(count);
        }
        return sums.iter().all(|&sum| u16::try_from(sum).is_ok()).then(|| sums.map(|sum| sum as u16));
    }
    let mut squares = [0f64; GROUPS];
    for (column, count) in row {
        squares[usize::from(groups[column as usize])] += (count as f64) * (count as f64);
    }
    Some(squares.map(|square| if norm > 0.0 { scaled(square.sqrt() / norm) } else { 0 }))
}

pub(super) fn packed(summary: &Summary) -> Packed {
    let mut packed = [0; 2 * GROUPS];
    packed.as_chunks_mut::<2>().0.iter_mut().zip(summary).for_each(|(bytes, sum)| *bytes = sum.to_le_bytes());
    packed
}

/// The bit of a column, as its place among words of 64 bits and in there.
fn trait_of(column: u32) -> (usize, u32) {
    // By the golden ratio, as is usual: columns that are neighbours, and so about as common, are far apart.
    let bit = column.wrapping_mul(0x9e37_79b1) >> (u32::BITS - BITS.ilog2());
    ((bit / 64) as usize, bit % 64)
}

/// The bits of a row.
pub(super) fn traits(columns: impl Iterator<Item = u32>) -> Traits {
    let mut words = [0u64; BITS / 64];
    for (word, bit) in columns.map(trait_of) {
        words[word] |= 1 << bit;
    }
    let mut traits = [0; BITS / 8];
    traits.as_chunks_mut().0.iter_mut().zip(words).for_each(|(bytes, word)| *bytes = word.to_le_bytes());
    traits
}

/// What a query has of features that share a bit.
pub(super) struct Wanted {
    words: [u64; BITS / 64],
    weights: [f64; BITS],
    sum: f64,
}

impl Wanted {
    /// Of columns with what each weighs.
    pub(super) fn new(columns: impl Iterator<Item = (u32, f64)>) -> Self {
        let mut wanted = Self { words: [0; BITS / 64], weights: [0.0; BITS], sum: 0.0 };
        for (column, weight) in columns {
            let (word, bit) = trait_of(column);
            wanted.words[word] |= 1 << bit;
            wanted.weights[64 * word + bit as usize] += weight;
            wanted.sum += weight;
        }
        wanted
    }

    /// Whether what all columns weigh that a row may have is enough. It is asked of more than that, too, to end early where even that is too little.
    pub(super) fn is_had_by(&self, traits: &Traits, is_enough: impl Fn(f64) -> bool) -> bool {
        // A little more: what is taken off is rounded.
        let mut had = self.sum * (1.0 + 1e-9);
        self.words.iter().zip(traits.as_chunks().0).enumerate().all(|(place, (wanted, bytes))| {
            let mut missing = wanted & !u64::from_le_bytes(*bytes);
            while missing != 0 {
                had -= self.weights[64 * place + missing.trailing_zeros() as usize];
                missing &= missing - 1;
            }
            is_enough(had)
        })
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
fn minima(one: &Summary, other: &Packed) -> u32 {
    one.iter().zip(other.as_chunks::<2>().0).map(|(&a, &b)| u32::from(a.min(u16::from_le_bytes(b)))).sum()
}

#[inline]
fn product(one: &Summary, other: &Packed) -> u32 {
    one.iter()
        .zip(other.as_chunks::<2>().0)
        .map(|(&a, &b)| u32::from(a) * u32::from(u16::from_le_bytes(b)))
        .sum()
}

/// A group for each column: the heaviest first, each into the group that is lightest so far.
pub(super) fn grouped(weights: &[u64]) -> Vec<u8> {
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

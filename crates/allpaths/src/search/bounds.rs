//! How similar two rows can be at best, by summaries of a few numbers.
//!
//! Features are put into groups, so that all groups have about the same weight in the library: the commonest features have one for
//! themselves. For sums of minima a summary is the sum of a row's counts in each group, because the smaller of two sums is at least the
//! sum of what is smaller. For cosines it is the length of a row in each group, because no scalar product is larger than the
//! product of lengths (Cauchy and Schwarz).
//!
//! A second bound is for rows that are much larger than a query, whose summaries have room for all of it: a few bits for each row say which features it has not, so
//! what a query has of those is lost. The third is both: in each group a row has no more than its summary says, and no more of the query than of features that it may have.

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

    /// What is made of each row and its largest sum of minima, or its largest cosine, with a query.
    pub(super) fn each<T>(&self, query: &Summary, make: impl Fn(usize, f64) -> T) -> Vec<T> {
        let rows = self.summaries.iter().enumerate();
        match self.similarity {
            Similarity::Cosine => {
                rows.map(|(row, sums)| make(row, f64::from(product(query, sums)) / (ONE * ONE))).collect()
            }
            _ => rows.map(|(row, sums)| make(row, f64::from(minima(query, sums)))).collect(),
        }
    }

    /// What a row has at best of what is wanted, by its summary and its bits: the largest sum of minima, or the square of the query's longest part in its direction.
    pub(super) fn of_row(&self, row: usize, traits: &Traits, wanted: &Wanted) -> f64 {
        let had = wanted.by_group(traits);
        let groups = had.iter().zip(self.summaries[row].as_chunks::<2>().0);
        let groups = groups.map(|(&had, &row)| (had, f64::from(u16::from_le_bytes(row))));
        match self.similarity {
            Similarity::Cosine => {
                (groups.map(|(had, length)| had.sqrt() * length).sum::<f64>() / ONE).powi(2)
            }
            _ => groups.map(|(had, sum)| if had < sum { had } else { sum }).sum(),
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

/// Bits of a row, 64 a word.
#[inline]
fn words(traits: &Traits) -> [u64; BITS / 64] {
    let mut words = [0; BITS / 64];
    words.iter_mut().zip(traits.as_chunks().0).for_each(|(word, bytes)| *word = u64::from_le_bytes(*bytes));
    words
}

/// What a query has of features that a row may have.
pub(super) struct Wanted {
    columns: Vec<WantedColumn>,
    sum: f64,
    /// What features weigh that share a bit, in whole units, as binary digits: the lowest digit of all 512, then the next. So what is lost is counted 64 bits at a time.
    digits: Vec<[u64; BITS / 64]>,
    unit: f64,
}

struct WantedColumn {
    word: usize,
    bit: u32,
    group: u8,
    weight: f64,
}

impl Wanted {
    /// Of columns with what each weighs.
    pub(super) fn new(columns: impl Iterator<Item = (u32, f64)>, groups: &[u8]) -> Self {
        let (mut found, mut weights, mut sum) = (Vec::new(), [0.0; BITS], 0.0);
        for (column, weight) in columns {
            let (word, bit) = trait_of(column);
            weights[64 * word + bit as usize] += weight;
            sum += weight;
            found.push(WantedColumn { word, bit, group: groups[column as usize], weight });
        }
        let largest = weights.iter().copied().fold(0.0, f64::max);
        let unit = (largest / f64::from(u16::MAX)).max(1.0);
        // Rounded down, so that no more is taken off than a row lacks.
        #[allow(clippy::cast_sign_loss)]
        let units = weights.map(|weight| (weight / unit) as u16);
        let digits = (0..u16::BITS).map(|digit| {
            let mut words = [0; BITS / 64];
            for (place, units) in units.iter().enumerate() {
                words[place / 64] |= u64::from((units >> digit) & 1) << (place % 64);
            }
            words
        });
        let mut digits: Vec<_> = digits.collect();
        while digits.pop_if(|words| *words == [0; BITS / 64]).is_some() {}
        Self { columns: found, sum, digits, unit }
    }

    /// What all columns weigh at most that a row may have.
    pub(super) fn had(&self, traits: &Traits) -> f64 {
        let words = words(traits);
        let lacking = |digit: &[u64; BITS / 64]| -> u32 {
            digit.iter().zip(&words).map(|(wanted, had)| (wanted & !had).count_ones()).sum()
        };
        let lost = self.digits.iter().rev().fold(0, |lost, digit| 2 * lost + lacking(digit));
        // A little more: what is taken off is rounded.
        self.sum * (1.0 + 1e-9) - f64::from(lost) * self.unit
    }

    /// What the columns of each group weigh that a row may have.
    fn by_group(&self, traits: &Traits) -> [f64; GROUPS] {
        let words = words(traits);
        let mut had = [0.0; GROUPS];
        for &WantedColumn { word, bit, group, weight } in &self.columns {
            // No branch: whether a bit is set is hard to foretell.
            had[usize::from(group)] += weight * ((words[word] >> bit) & 1) as f64;
        }
        had
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

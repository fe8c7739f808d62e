//! Numbers as wide as they have to be.
//!
//! Most are small while there are many states, and large when few are left. So nobody says beforehand how wide they become.

use std::ops::Range;

use num_bigint::BigUint;

use super::amounts::{Amounts, Row};
use crate::count::number::Count;

/// Numbers one after the other, all of as many words, the lowest first: one more as soon as one of them might not fit.
pub(super) struct Numbers {
    width: usize,
    words: Vec<u64>,
}

/// Some of them.
#[derive(Clone, Copy)]
pub(super) struct Slice<'a> {
    width: usize,
    words: &'a [u64],
}

impl Amounts for Numbers {
    type Row<'a> = Slice<'a>;
    type Factor = u32;

    #[inline]
    fn unit() -> u32 {
        1
    }

    fn one() -> Self {
        Self { width: 1, words: vec![1] }
    }

    fn zeros(count: usize) -> Self {
        Self { width: 1, words: vec![0; count] }
    }

    fn len(&self) -> usize {
        self.words.len() / self.width
    }

    fn bytes(&self) -> usize {
        8 * self.words.capacity()
    }

    fn extend(&mut self, count: usize) -> Range<usize> {
        let (start, words) = (self.len(), count * self.width);
        if self.words.capacity() - self.words.len() < words {
            // They are most of the memory: no more than a quarter of it stands by.
            self.words.reserve_exact(words.max(self.words.len() / 4));
        }
        self.words.resize(self.words.len() + words, 0);
        start..start + count
    }

    fn row(&self, range: Range<usize>) -> Slice<'_> {
        Slice { width: self.width, words: &self.words[range.start * self.width..range.end * self.width] }
    }

    fn add(&mut self, range: Range<usize>, others: Slice<'_>, &times: &u32) {
        while self.width < others.width {
            self.widen();
        }
        let (mut start, mut theirs) = (range.start, others.words);
        loop {
            let mine = &mut self.words[start * self.width..range.end * self.width];
            let left = (range.end - start).min(theirs.len() / others.width);
            let added = if self.width == 1 {
                add_words(mine, theirs, times)
            } else {
                add_numbers(mine, self.width, theirs, others.width, times)
            };
            if added == left {
                return;
            }
            (start, theirs) = (start + added, &theirs[added * others.width..]);
            self.widen();
        }
    }
}

impl Numbers {
    #[cold]
    fn widen(&mut self) {
        let mut words = Vec::with_capacity(self.len() * (self.width + 1));
        for number in self.words.chunks_exact(self.width) {
            words.extend_from_slice(number);
            words.push(0);
        }
        (self.width, self.words) = (self.width + 1, words);
    }

    /// One of them.
    pub(super) fn count(&self, at: usize) -> Count {
        let words = self.row(at..at + 1).words;
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        Count::from(BigUint::from_bytes_le(&bytes))
    }
}

impl Row for Slice<'_> {
    fn is_empty(self) -> bool {
        self.words.is_empty()
    }

    fn look(self) -> u64 {
        self.words.iter().step_by(8).fold(0, |seen, word| seen ^ word)
    }

    fn each(self) -> impl Iterator<Item = Self> {
        self.words.chunks_exact(self.width).map(move |words| Self { words, ..self })
    }

    fn trimmed(self) -> (usize, Self) {
        let Self { width, words } = self;
        let at = words.iter().position(|&word| word != 0).map_or(0, |at| at / width);
        let end = words.iter().rposition(|&word| word != 0).map_or(0, |at| at / width + 1);
        (at, Self { width, words: &words[at * width..end * width] })
    }
}

/// Adds multiples of numbers to numbers of one word each, until one does not fit; says how many were added.
fn add_words(mine: &mut [u64], theirs: &[u64], times: u32) -> usize {
    for (at, (mine, &theirs)) in mine.iter_mut().zip(theirs).enumerate() {
        match u64::try_from(u128::from(theirs) * u128::from(times) + u128::from(*mine)) {
            Ok(sum) => *mine = sum,
            Err(_) => return at,
        }
    }
    mine.len().min(theirs.len())
}

/// Adds multiples of numbers to others that are as wide or wider, until one might not fit; says how many were added.
fn add_numbers(mine: &mut [u64], width: usize, theirs: &[u64], their_width: usize, times: u32) -> usize {
    let pairs = mine.chunks_exact_mut(width).zip(theirs.chunks_exact(their_width));
    let times = u128::from(times);
    for (at, (mine, theirs)) in pairs.enumerate() {
        // What comes from below adds less than one to their highest word.
        let highest = theirs.get(width - 1).map_or(0, |&word| u128::from(word));
        if u128::from(mine[width - 1]) + (highest + 1) * times > u128::from(u64::MAX) {
            return at;
        }
        let mut carry = 0;
        for (mine, theirs) in mine.iter_mut().zip(theirs.iter().chain(std::iter::repeat(&0))) {
            let sum = u128::from(*theirs) * times + u128::from(*mine) + carry;
            *mine = sum as u64;
            carry = sum >> 64;
        }
    }
    (mine.len() / width).min(theirs.len() / their_width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_become_as_wide_as_they_have_to() {
        let mut numbers = Numbers::zeros(1);
        numbers.add(0..1, Numbers::one().row(0..1), &7);
        assert_eq!(numbers.extend(2), 1..3);
        numbers.add(2..3, Numbers::one().row(0..1), &1);
        let (mut power, factor) = (BigUint::from(1u8), u32::MAX);
        for _ in 0..20 {
            let mut last = Numbers::zeros(1);
            last.add(0..1, numbers.row(2..3), &1);
            numbers.add(2..3, last.row(0..1), &(factor - 1));
            power *= factor;
            assert_eq!(numbers.count(2), Count::from(power.clone()));
            assert_eq!(numbers.count(0), Count::from(7u64));
            assert_eq!(numbers.len(), 3);
        }
        assert!(numbers.bytes() >= 3 * 10 * 8);
        let (first, rest) = numbers.row(1..3).trimmed();
        assert_eq!((first, rest.words.len()), (1, numbers.width));
        assert!(numbers.row(1..2).trimmed().1.is_empty());
    }

    #[test]
    fn what_does_not_fit_is_added_once() {
        let mut numbers = Numbers::zeros(4);
        let largest = [1, u64::MAX, u64::MAX, 3];
        for times in [1, 2] {
            numbers.add(0..3, Slice { width: 1, words: &largest }, &times);
        }
        let counts: Vec<Count> = (0..4).map(|at| numbers.count(at)).collect();
        let large = Count::from(3 * u128::from(u64::MAX));
        assert_eq!(
            counts,
            [Count::from(3u64), large.clone(), large, Count::from(0u64)],
            "the last has no room"
        );
    }
}

//! States of a frontier, each once, with what the pieces of paths and cycles amount to that it stands for, by length.

use std::ops::Range;

use super::amounts::{Amounts, Row};

/// A hash table of states with open addressing. All keys have the same number of words.
pub(super) struct Table<A> {
    words: usize,
    /// From one length to the next that a state can have.
    stride: usize,
    /// The upper half of each is that of a hash, the lower half the number of a state from 1; 0 where there is none.
    slots: Vec<u64>,
    /// For each state its key, where its amounts begin, and, in one word, the length of the first of them and how many there are. Whoever
    /// looks up a state needs all of it at once.
    entries: Vec<u64>,
    amounts: A,
}

/// Amounts by length, from the shortest on, one for each length or for every second.
#[derive(Clone, Copy)]
pub(super) struct Lengths<R> {
    pub(super) shortest: usize,
    pub(super) stride: usize,
    pub(super) amounts: R,
}

impl<R: Row> Lengths<R> {
    /// Without zeros at both ends.
    pub(super) fn trimmed(self) -> Self {
        let (first, amounts) = self.amounts.trimmed();
        Self { shortest: self.shortest + first * self.stride, amounts, ..self }
    }
}

/// Spreads a key over 64 bits.
pub(super) fn hash(key: &[u64]) -> u64 {
    let mut hash = 0u64;
    for &word in key {
        let product = u128::from(hash ^ word ^ 0x9e37_79b9_7f4a_7c15) * 0xa076_1d64_78bd_642f_u128;
        hash = (product >> 64) as u64 ^ product as u64;
    }
    hash ^ hash >> 29
}

impl<A: Amounts> Table<A> {
    pub(super) fn new(words: usize, stride: usize) -> Self {
        Self { words, stride, slots: vec![0; 16], entries: Vec::new(), amounts: A::zeros(0) }
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len() / (self.words + 2)
    }

    /// The memory it takes.
    pub(super) fn bytes(&self) -> usize {
        8 * (self.slots.capacity() + self.entries.capacity()) + self.amounts.bytes()
    }

    pub(super) fn key(&self, state: usize) -> &[u64] {
        let at = state * (self.words + 2);
        &self.entries[at..at + self.words]
    }

    /// The shortest length of a state, and where its amounts are.
    pub(super) fn row(&self, state: usize) -> (usize, Range<usize>) {
        let at = state * (self.words + 2) + self.words;
        let (start, lengths) = (self.entries[at] as usize, self.entries[at + 1]);
        ((lengths >> 32) as usize, start..start + lengths as u32 as usize)
    }

    pub(super) fn lengths(&self, state: usize) -> Lengths<A::Row<'_>> {
        let (shortest, range) = self.row(state);
        Lengths { shortest, stride: self.stride, amounts: self.amounts.row(range) }
    }

    /// Adds a multiple of amounts to those of a state. Lengths for which it has no room are left out.
    pub(super) fn add(&mut self, state: usize, lengths: Lengths<A::Row<'_>>, factor: &A::Factor) {
        let (shortest, Range { start, end }) = self.row(state);
        let skipped = (lengths.shortest - shortest) / self.stride;
        self.amounts.add((start + skipped).min(end)..end, lengths.amounts, factor);
    }

    /// The number of the state that is likely to have a hash, if any has.
    pub(super) fn guess(&self, hash: u64) -> Option<usize> {
        let slot = self.slots[hash as usize & (self.slots.len() - 1)];
        (slot as u32 as usize).checked_sub(1)
    }

    /// Reads some of the amounts, so that they are at hand.
    pub(super) fn look_at(&self, range: Range<usize>) -> u64 {
        self.amounts.row(range).look()
    }

    /// The number of a state, if it is there.
    pub(super) fn find(&self, hash: u64, key: &[u64]) -> Option<usize> {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                return None;
            }
            let state = (slot as u32 - 1) as usize;
            if slot >> 32 == hash >> 32 && self.key(state) == key {
                return Some(state);
            }
            at = (at + 1) & mask;
        }
    }

    /// Puts in a state that is not there, with room for so many lengths; gives its number.
    pub(super) fn insert(&mut self, hash: u64, key: &[u64], shortest: usize, count: usize) -> usize {
        let state = self.len();
        if 3 * (state + 1) > 2 * self.slots.len() {
            self.grow();
        }
        self.place(hash, state);
        self.entries.extend_from_slice(key);
        let range = self.amounts.extend(count);
        self.entries.extend([range.start as u64, (shortest as u64) << 32 | count as u64]);
        state
    }

    fn place(&mut self, hash: u64, state: usize) {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at] != 0 {
            at = (at + 1) & mask;
        }
        self.slots[at] = hash >> 32 << 32 | (state as u64 + 1);
    }

    fn grow(&mut self) {
        self.slots = vec![0; 2 * self.slots.len()];
        for state in 0..self.len() {
            self.place(hash(self.key(state)), state);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::numbers::Numbers;
    use super::*;
    use crate::count::number::Count;

    #[test]
    fn states_are_kept_once_each_with_their_numbers() {
        let mut table = Table::<Numbers>::new(2, 1);
        let mut added = Numbers::zeros(3);
        let key = |i: u64| [i / 7, i];
        for i in 0..1000 {
            assert_eq!(table.find(hash(&key(i)), &key(i)), None);
            assert_eq!(table.insert(hash(&key(i)), &key(i), 2, 3), i as usize);
        }
        for i in 0..1000 {
            let state = table.find(hash(&key(i)), &key(i)).unwrap();
            table.add(state, Lengths { shortest: 3, stride: 1, amounts: added.row(0..3) }, &2);
            (0..3).for_each(|at| added.add(at..at + 1, Numbers::one().row(0..1), &1));
        }
        assert_eq!(table.len(), 1000);
        let (shortest, range) = table.row(5);
        let counts: Vec<_> = range.map(|at| table.amounts.count(at)).collect();
        assert_eq!((shortest, counts), (2, [0u64, 10, 10].map(Count::from).to_vec()), "the last has no room");
        assert_eq!(table.lengths(5).trimmed().shortest, 3);
        assert!(table.bytes() >= 1000 * (2 + 3) * 8);
    }
}

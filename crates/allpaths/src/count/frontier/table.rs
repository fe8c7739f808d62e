//! States of a frontier, each once, with how many pieces of paths and cycles it stands for, by length.

use super::limbs::Number;

/// A hash table of states with open addressing. All keys have the same number of words.
pub(super) struct Table<N> {
    words: usize,
    /// From one length to the next that a state can have.
    stride: usize,
    /// The upper half of each is that of a hash, the lower half the number of a state from 1; 0 where there is none.
    slots: Vec<u64>,
    keys: Vec<u64>,
    rows: Vec<Row>,
    numbers: Vec<N>,
}

/// Where the numbers of a state are.
#[derive(Clone, Copy)]
struct Row {
    start: usize,
    /// The length of the first.
    shortest: u32,
    count: u32,
}

/// Numbers by length, from the shortest on, one for each length or for every second.
pub(super) struct Lengths<'a, N> {
    pub(super) shortest: usize,
    pub(super) stride: usize,
    pub(super) numbers: &'a [N],
}

// Derived, they would be for numbers of a size known to the compiler alone.
impl<N> Copy for Lengths<'_, N> {}

impl<N> Clone for Lengths<'_, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<N: Number> Lengths<'_, N> {
    /// Without zeros at both ends.
    pub(super) fn trimmed(self) -> Self {
        let Self { shortest, stride, numbers } = self;
        let Some(first) = numbers.iter().position(|n| !n.is_zero()) else {
            return Self { numbers: &[], ..self };
        };
        let last = numbers.iter().rposition(|n| !n.is_zero()).expect("one is not");
        Self { shortest: shortest + first * stride, numbers: &numbers[first..=last], stride }
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

impl<N: Number> Table<N> {
    pub(super) fn new(words: usize, stride: usize) -> Self {
        Self { words, stride, slots: vec![0; 16], keys: Vec::new(), rows: Vec::new(), numbers: Vec::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The memory it takes.
    pub(super) fn bytes(&self) -> usize {
        let Self { slots, keys, rows, numbers, .. } = self;
        8 * (slots.capacity() + keys.capacity())
            + size_of::<Row>() * rows.capacity()
            + size_of::<N>() * numbers.capacity()
    }

    pub(super) fn key(&self, state: usize) -> &[u64] {
        &self.keys[state * self.words..(state + 1) * self.words]
    }

    pub(super) fn lengths(&self, state: usize) -> Lengths<'_, N> {
        let Row { start, shortest, count } = self.rows[state];
        let numbers = &self.numbers[start..start + count as usize];
        Lengths { shortest: shortest as usize, stride: self.stride, numbers }
    }

    /// Adds a multiple of numbers to those of a state. Lengths for which it has no room are left out.
    pub(super) fn add(&mut self, state: usize, lengths: Lengths<'_, N>, times: u32) {
        let Row { start, shortest, count } = self.rows[state];
        let mine = &mut self.numbers[start..start + count as usize];
        let skipped = (lengths.shortest - shortest as usize) / self.stride;
        for (mine, theirs) in mine.iter_mut().skip(skipped).zip(lengths.numbers) {
            mine.add_times(theirs, times);
        }
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
        if 3 * (self.rows.len() + 1) > 2 * self.slots.len() {
            self.grow();
        }
        let state = self.rows.len();
        self.place(hash, state);
        self.keys.extend_from_slice(key);
        let start = self.numbers.len();
        if self.numbers.capacity() - start < count {
            // They are most of the memory: no more than a quarter of it stands by.
            self.numbers.reserve_exact(count.max(start / 4));
        }
        self.rows.push(Row { start, shortest: shortest as u32, count: count as u32 });
        self.numbers.resize(start + count, N::zero());
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
        for state in 0..self.rows.len() {
            self.place(hash(self.key(state)), state);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_kept_once_each_with_their_numbers() {
        let mut table = Table::<u64>::new(2, 1);
        let key = |i: u64| [i / 7, i];
        for i in 0..1000 {
            assert_eq!(table.find(hash(&key(i)), &key(i)), None);
            assert_eq!(table.insert(hash(&key(i)), &key(i), 2, 3), i as usize);
        }
        for i in 0..1000 {
            let state = table.find(hash(&key(i)), &key(i)).unwrap();
            table.add(state, Lengths { shortest: 3, stride: 1, numbers: &[i, i, i] }, 2);
        }
        assert_eq!(table.len(), 1000);
        let Lengths { shortest, numbers, .. } = table.lengths(5);
        assert_eq!((shortest, numbers), (2, &[0, 10, 10][..]), "the last has no room");
        let Lengths { shortest, numbers, .. } = table.lengths(5).trimmed();
        assert_eq!((shortest, numbers), (3, &[10, 10][..]));
        assert!(table.bytes() >= 1000 * (2 + 3) * 8);
    }
}

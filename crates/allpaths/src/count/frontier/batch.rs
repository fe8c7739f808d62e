//! What goes into a table, some at a time.
//!
//! States are all over the memory, and waiting for it takes longer than everything else. What is waited for at the same time is waited for once.

use std::hint::black_box;

use super::amounts::Amounts;
use super::table::{Lengths, Table};

/// So many go in together: about as many places as a processor waits for at once.
const TOGETHER: usize = 24;

/// States for one table.
pub(super) struct Batch<'a, A: Amounts + 'a> {
    keys: Vec<u64>,
    mates: Vec<u8>,
    items: Vec<Item<'a, A>>,
}

/// Amounts to be added to a state, multiplied by a factor.
pub(super) struct Item<'a, A: Amounts + 'a> {
    pub(super) hash: u64,
    pub(super) lengths: Lengths<A::Row<'a>>,
    pub(super) factor: A::Factor,
    pub(super) pieces: u8,
}

impl<'a, A: Amounts> Batch<'a, A> {
    pub(super) fn new() -> Self {
        Self { keys: Vec::new(), mates: Vec::new(), items: Vec::new() }
    }

    /// Puts one more in, with the mates that its key stands for; says whether it is time to take them out.
    pub(super) fn push(&mut self, key: &[u64], mates: &[u8], item: Item<'a, A>) -> bool {
        self.keys.extend_from_slice(key);
        self.mates.extend_from_slice(mates);
        self.items.push(item);
        self.items.len() == TOGETHER
    }

    pub(super) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.keys.clear();
        self.mates.clear();
        self.items.clear();
    }

    /// Has a look at where all of it goes.
    pub(super) fn fetch(&self, table: &Table<A>) {
        let mut states = [None; TOGETHER];
        for (state, item) in states.iter_mut().zip(&self.items) {
            *state = table.guess(item.hash);
        }
        let mut ranges = [const { 0..0 }; TOGETHER];
        for (range, &state) in ranges.iter_mut().zip(states.iter().flatten()) {
            *range = table.row(state).1;
        }
        black_box(ranges.into_iter().fold(0, |seen, range| seen ^ table.look_at(range)));
    }

    /// What is in it: keys, mates, and what is added.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&[u64], &[u8], &Item<'a, A>)> {
        let count = self.items.len().max(1);
        let (words, places) = (self.keys.len() / count, self.mates.len() / count);
        self.items.iter().enumerate().map(move |(at, item)| {
            (&self.keys[at * words..(at + 1) * words], &self.mates[at * places..(at + 1) * places], item)
        })
    }
}

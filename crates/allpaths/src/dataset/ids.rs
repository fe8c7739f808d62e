//! Numbers for the names that a file gives its vertices.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use super::text::{self, Text};

/// Numbers names in the order in which they are met; names are the same if their bytes are.
pub(super) struct Ids<'a> {
    /// Numbers of the names that are small integers: those are looked up, not hashed.
    integers: Vec<u32>,
    /// Integers from here on are hashed: a dense numbering is not longer than its file.
    limit: u64,
    others: FxHashMap<Cow<'a, [u8]>, u32>,
    count: u32,
}

const UNSEEN: u32 = u32::MAX;

impl<'a> Ids<'a> {
    pub(super) fn of(text: &Text) -> Self {
        Self {
            integers: Vec::new(),
            limit: text.bytes().len() as u64,
            others: FxHashMap::default(),
            count: 0,
        }
    }

    /// The number of a name, and whether the name is new. A new one is kept as `owned` gives it.
    #[inline]
    pub(super) fn number(&mut self, name: &[u8], owned: impl FnOnce() -> Cow<'a, [u8]>) -> (u32, bool) {
        let next = self.count;
        let number = match text::leading_number(name) {
            // `01` is not `1`.
            Some((integer, [])) if integer < self.limit && (name[0] != b'0' || name.len() == 1) => {
                let place = integer as usize;
                if place >= self.integers.len() {
                    self.integers.resize(place + 1, UNSEEN);
                }
                let number = &mut self.integers[place];
                if *number == UNSEEN {
                    *number = next;
                }
                *number
            }
            _ => {
                if let Some(&number) = self.others.get(name) {
                    number
                } else {
                    self.others.insert(owned(), next);
                    next
                }
            }
        };
        self.count += u32::from(number == next);
        (number, number == next)
    }
}

//! Numbers for the names that a file gives its vertices.

use std::hash::Hasher;

use rustc_hash::FxHasher;

use super::text::{self, Text};
use crate::graph::Names;

/// Numbers names in the order in which they are met; names are the same if their bytes are.
///
/// Large files look up two names for each edge, all over the place. So names are kept close together, and found
/// through a table that is small: a hash and a number for each.
pub(super) struct Ids {
    names: Names,
    /// Numbers of the names that are small integers: those are looked up, not hashed.
    integers: Vec<u32>,
    /// Integers from here on are hashed: a dense numbering is not longer than its file.
    limit: u64,
    /// Hash and number of the others, each at its hash or the next free place after it. A power of two of places, and
    /// half of them free.
    slots: Vec<(u32, u32)>,
    hashed: usize,
}

const NONE: u32 = u32::MAX;

impl Ids {
    pub(super) fn of(text: &Text) -> Self {
        Self {
            names: Names::default(),
            integers: Vec::new(),
            limit: text.bytes().len() as u64,
            slots: Vec::new(),
            hashed: 0,
        }
    }

    /// The number of a name that was met before.
    #[inline]
    pub(super) fn get(&self, name: &[u8]) -> Option<u32> {
        if let Some(integer) = self.integer(name) {
            return self.integers.get(integer).copied().filter(|&number| number != NONE);
        }
        let hash = hash(name);
        let mut place = hash as usize;
        loop {
            // A table that is empty has no last place to count in.
            let (known, number) = *self.slots.get(place & self.slots.len().wrapping_sub(1))?;
            if number == NONE {
                return None;
            }
            if known == hash && self.names.get(number as usize).as_bytes() == name {
                return Some(number);
            }
            place += 1;
        }
    }

    /// Numbers a name that was not met before.
    pub(super) fn add(&mut self, name: &str) -> u32 {
        let number = self.names.len() as u32;
        self.names.push(name);
        if let Some(integer) = self.integer(name.as_bytes()) {
            if integer >= self.integers.len() {
                self.integers.resize(integer + 1, NONE);
            }
            self.integers[integer] = number;
            return number;
        }
        self.hashed += 1;
        if 2 * self.hashed > self.slots.len() {
            let larger = vec![(0, NONE); (2 * self.slots.len()).max(16)];
            for slot in std::mem::replace(&mut self.slots, larger) {
                self.place(slot);
            }
        }
        self.place((hash(name.as_bytes()), number));
        number
    }

    fn place(&mut self, (hash, number): (u32, u32)) {
        if number == NONE {
            return;
        }
        let last = self.slots.len() - 1;
        let mut place = hash as usize & last;
        while self.slots[place].1 != NONE {
            place = (place + 1) & last;
        }
        self.slots[place] = (hash, number);
    }

    /// A name that is a small integer; `01` is not `1`.
    #[inline]
    fn integer(&self, name: &[u8]) -> Option<usize> {
        match text::leading_number(name) {
            Some((integer, [])) if integer < self.limit && (name[0] != b'0' || name.len() == 1) => {
                Some(integer as usize)
            }
            _ => None,
        }
    }

    /// Forgets all names, and keeps memory for others.
    pub(super) fn clear(&mut self) {
        self.names.clear();
        self.integers.clear();
        self.slots.clear();
        self.hashed = 0;
    }

    /// The names, by number.
    pub(super) fn names(&self) -> &Names {
        &self.names
    }

    pub(super) fn into_names(self) -> Names {
        self.names
    }
}

#[inline]
fn hash(name: &[u8]) -> u32 {
    let mut hasher = FxHasher::default();
    hasher.write(name);
    let hash = hasher.finish();
    (hash ^ hash >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_numbered_as_they_come() {
        let text = Text::new("x".as_ref(), vec![0; 100]);
        let mut ids = Ids::of(&text);
        let names: Vec<String> =
            (0..1000).map(|i| if i % 3 == 0 { i.to_string() } else { format!("v{i}") }).collect();
        for (i, name) in names.iter().chain([&"01".to_owned(), &String::new()]).enumerate() {
            assert_eq!(ids.get(name.as_bytes()), None);
            assert_eq!(ids.add(name), i as u32);
        }
        for (i, name) in names.iter().enumerate() {
            assert_eq!(ids.get(name.as_bytes()), Some(i as u32));
        }
        assert_eq!((ids.get(b"01"), ids.get(b""), ids.get(b"1")), (Some(1000), Some(1001), None));
        assert_eq!(ids.into_names().len(), 1002);
    }
}

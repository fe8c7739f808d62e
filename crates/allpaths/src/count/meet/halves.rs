//! Half-paths: from a middle vertex to one of the ends.

use super::sets::Packing;
use crate::count::limits::{Memory, Meter};
use crate::count::walks;

/// The way to one of the two ends, over vertices that are neither.
pub(super) struct Way {
    /// Where steps toward the end lead.
    pub(super) rows: Vec<Vec<u32>>,
    /// How many steps it is at least; [`FAR`] if nothing leads there.
    pub(super) distance: Vec<u32>,
}

/// Further than any path.
pub(super) const FAR: u32 = u32::MAX;

impl Way {
    /// The way over some arcs to an end, past the other one; `back` are the arcs turned around.
    pub(super) fn new(rows: &[Vec<u32>], back: &[Vec<u32>], [end, other]: [u32; 2], longest: usize) -> Self {
        let mut past = back.to_vec();
        past[other as usize].clear();
        let distances = walks::distances(&past, end, longest).into_iter();
        let mut distance: Vec<u32> = distances.map(|far| far.map_or(FAR, |far| far as u32)).collect();
        distance[other as usize] = FAR;
        Self { rows: rows.to_vec(), distance }
    }
}

/// What a half-path takes: its set, and as much again while that list grows or is sorted.
pub(in crate::count) const HALF_PATH_BYTES: usize = 2 * size_of::<u128>();

/// Memory is asked for so many half-paths at once.
const BATCH: usize = 1 << 12;

/// Finds all half-paths from a middle vertex.
pub(super) struct Halves<'a, 'b> {
    pub(super) way: &'a Way,
    pub(super) packing: Packing,
    pub(super) middle: u32,
    pub(super) longest: u32,
    pub(super) memory: &'a Memory,
    pub(super) meter: &'a mut Meter<'b>,
    /// By length, the sets of vertices between the middle and the end, with codes one more than their numbers.
    pub(super) found: Vec<Vec<u128>>,
    pub(super) number: usize,
}

impl Halves<'_, '_> {
    /// Books what ends one step after `v`, and goes on.
    pub(super) fn walk(&mut self, v: u32, set: u128, length: u32) {
        let way = self.way;
        if way.distance[v as usize] == 1 {
            self.found[length as usize + 1].push(set);
            self.number += 1;
            if self.number.is_multiple_of(BATCH) {
                self.memory.count(0, BATCH * HALF_PATH_BYTES);
            }
        }
        self.meter.spend(1);
        let left = self.longest - length - 1;
        if left == 0 || self.meter.stopped() || self.memory.is_full() {
            return;
        }
        for &w in &way.rows[v as usize] {
            let distance = way.distance[w as usize];
            if distance <= left
                && distance > 0
                && w != self.middle
                && let Some(set) = self.packing.with(set, w + 1)
            {
                self.walk(w, set, length + 1);
            }
        }
    }

    /// The memory that was asked for.
    pub(super) fn bytes(&self) -> usize {
        self.number / BATCH * BATCH * HALF_PATH_BYTES
    }
}

//! Encoding `sequence`: the labels of a path in order.
//!
//! Every rooted path is booked in both directions, so of two sequences that are each other's reverse one is enough: the smaller. A
//! sequence that is its own reverse was booked twice. It is the same with the rotations and reflections of a cycle: only its smallest
//! reading is kept, and the number of ways to read it so says how often each cycle was booked there.

use std::cmp::Ordering;

use super::id::{Name, Piece};
use super::labelling::{Spelling, spelt};
use super::trie::{Reading, Trie};
use super::{Booking, Found, Kind, Labelling, Sink};
use crate::count::Convention;

const PATH: &str = "path:";
const TRAIL: &str = "trail:";
const CYCLE: &str = "cycle:";

/// What names of a kind begin with.
const fn prefix(kind: Kind) -> &'static str {
    match kind {
        Kind::Cycle => CYCLE,
        Kind::Trail => TRAIL,
        _ => PATH,
    }
}

/// Hands all sequences of a graph to a sink, those that do not close as features of a kind.
pub(crate) fn drain(
    kind: Kind,
    trie: &Trie,
    labelling: &Labelling,
    booking: Booking,
    reading: &mut Reading,
    sink: &mut impl Sink,
) {
    let reverses = booking.reverses(labelling);
    trie.each(Piece::of(prefix(kind)), reverses, labelling, reading, |reading, paths, closed| {
        let length = reading.length();
        let (paths, closed) = booking.shares(length, labelling.is_directed(), paths, closed);
        sink.at(reading.place());
        if paths > 0 {
            let order = if reverses { reading.direction() } else { Ordering::Less };
            if order != Ordering::Greater {
                let id = reading.name().id();
                let divisor = if order == Ordering::Equal { 2 } else { 1 };
                let found = Found { id, kind, length, times: paths, divisor, again: false };
                sink.take(found, || reading.spelt(kind, labelling));
            }
        }
        if closed > 0 {
            let ways = match booking.convention {
                Convention::Rooted => Some(1),
                Convention::Distinct => reading.ways_around(reverses),
            };
            if let Some(divisor) = ways {
                let id = reading.cycle_name(labelling).id();
                let found = Found { id, kind: Kind::Cycle, length, times: closed, divisor, again: false };
                sink.take(found, || reading.spelt(Kind::Cycle, labelling));
            }
        }
    });
}

impl Reading {
    /// How the sequence compares with its reverse.
    #[inline]
    fn direction(&self) -> Ordering {
        // Most have two different ends.
        let [first, last] = self.ends();
        match first.cmp(&last) {
            Ordering::Equal => self.direction_within(),
            order => order,
        }
    }

    /// The same, where both ends are alike.
    #[inline(never)]
    fn direction_within(&self) -> Ordering {
        let length = self.length();
        for i in 0..length {
            let backwards = (self.vertex(length - i), self.edge(length - i - 1));
            match (self.vertex(i), self.edge(i)).cmp(&backwards) {
                Ordering::Equal => {}
                order => return order,
            }
        }
        Ordering::Equal
    }

    /// In how many ways a cycle reads like this; nothing if it reads smaller in another way.
    fn ways_around(&self, reverses: bool) -> Option<u64> {
        let length = self.length();
        // A loop is read in one way.
        let mut ways = 1;
        for start in 0..length {
            let forwards = |i: usize| ((start + i) % length, (start + i) % length);
            // From `start` backwards: vertex `start - i`, then the edge before it.
            let backwards = |i: usize| ((start + length - i) % length, (start + 2 * length - i - 1) % length);
            if start > 0 {
                ways += u64::from(self.reads_like(forwards)?);
            }
            if reverses && length > 2 {
                ways += u64::from(self.reads_like(backwards)?);
            }
        }
        Some(ways)
    }

    /// Whether the cycle reads the same another way, which gives the places of each vertex and the edge after it; nothing if that
    /// is smaller.
    fn reads_like(&self, way: impl Fn(usize) -> (usize, usize)) -> Option<bool> {
        for i in 0..self.length() {
            let (vertex, edge) = way(i);
            match (self.vertex(vertex), self.edge(edge)).cmp(&(self.vertex(i), self.edge(i))) {
                Ordering::Less => return None,
                Ordering::Greater => return Some(false),
                Ordering::Equal => {}
            }
        }
        Some(true)
    }

    /// What a cycle reads, whose last vertex is its first.
    fn cycle_name(&self, labelling: &Labelling) -> Name {
        (0..self.length()).fold(const { Name::begin(Piece::of(CYCLE)) }, |name, i| {
            name.with(labelling.piece(self.vertex(i))).with(labelling.edge_piece(self.edge(i)))
        })
    }

    /// The name of a path, or of a cycle, whose last vertex is its first.
    fn spelt(&self, kind: Kind, labelling: &Labelling) -> String {
        spelt(|name: &mut String| {
            name.push_str(prefix(kind));
            for i in 0..self.length() {
                name.vertex(labelling, self.vertex(i))?;
                name.edge(labelling, self.edge(i))?;
            }
            if kind == Kind::Cycle { Ok(()) } else { name.vertex(labelling, self.vertex(self.length())) }
        })
    }
}

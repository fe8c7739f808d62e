//! Encoding `composition`: the two ends of a path, and how often each label is between them.
//!
//! A coarser name than the sequence's: all sequences with the same ends and the same labels between them, in whatever order, are one
//! feature. The labels of edges, if asked for, make a second multiset. A multiset is spelt like a monomial, `C^2 N`.

use std::fmt;
use std::ops::Range;

use super::id::Piece;
use super::labelling::{Spelling, spelt};
use super::trie::{Reading, Trie};
use super::{Booking, Found, Kind, Labelling, Sink};

/// Labels, sorted to be counted. Scratch.
#[derive(Default)]
pub(crate) struct Multisets {
    vertices: Vec<u32>,
    edges: Vec<u32>,
}

/// Hands all compositions of a graph to a sink.
pub(crate) fn drain(
    trie: &Trie,
    labelling: &Labelling,
    booking: Booking,
    (reading, multisets): (&mut Reading, &mut Multisets),
    sink: &mut impl Sink,
) {
    let reverses = booking.reverses(labelling);
    trie.each(labelling, reading, |reading, paths, closed| {
        let length = reading.length();
        let (paths, closed) = booking.shares(length, labelling.is_directed(), paths, closed);
        let ends = [reading.vertex(0), reading.vertex(length)];
        // Of the two directions of a path one is enough.
        if paths > 0 && !(reverses && ends[0] > ends[1]) {
            let divisor = if reverses && ends[0] == ends[1] { 2 } else { 1 };
            multisets.of(labelling, Some(ends), reading, 1..length).give(paths, divisor, sink);
        }
        if closed > 0 {
            let divisor = booking.starts(length, labelling.is_directed());
            multisets.of(labelling, None, reading, 0..length).give(closed, divisor, sink);
        }
    });
}

/// A path or cycle by its labels, each multiset sorted.
#[derive(Clone, Copy)]
pub(crate) struct Composition<'a> {
    labelling: &'a Labelling,
    /// Of a path; a cycle has none.
    ends: Option<[u32; 2]>,
    /// Those between the ends, or all.
    vertices: &'a [u32],
    edges: &'a [u32],
}

impl Composition<'_> {
    /// Hands it over, found so many times.
    fn give(self, times: u64, divisor: u64, sink: &mut impl Sink) {
        let id = spelt(|piece: &mut Piece| self.spell(piece)).id();
        let kind = if self.ends.is_some() { Kind::Path } else { Kind::Cycle };
        let found = Found { id, kind, length: self.edges.len(), times, divisor, again: true };
        sink.take(found, || spelt(|name| self.spell(name)));
    }

    fn spell(self, out: &mut impl Spelling) -> fmt::Result {
        let Self { labelling, ends, vertices, edges } = self;
        let length = edges.len();
        match ends {
            Some([first, last]) => {
                write!(out, "path:{length}:[")?;
                out.vertex(labelling, first)?;
                out.write_str(",")?;
                monomial(out, vertices, |out, label| out.vertex(labelling, label))?;
                out.write_str(",")?;
                out.vertex(labelling, last)?;
            }
            None => {
                write!(out, "cycle:{length}:")?;
                monomial(out, vertices, |out, label| out.vertex(labelling, label))?;
            }
        }
        if labelling.has_edges() {
            out.write_str("|")?;
            monomial(out, edges, |out, edge| out.edge(labelling, edge))?;
        }
        if ends.is_some() { out.write_str("]") } else { Ok(()) }
    }
}

/// A sorted multiset, with exponents.
fn monomial<S: Spelling>(
    out: &mut S,
    sorted: &[u32],
    spell: impl Fn(&mut S, u32) -> fmt::Result,
) -> fmt::Result {
    for (i, run) in sorted.chunk_by(u32::eq).enumerate() {
        out.write_str(if i > 0 { " " } else { "" })?;
        spell(out, run[0])?;
        if run.len() > 1 {
            write!(out, "^{}", run.len())?;
        }
    }
    Ok(())
}

impl Multisets {
    /// The composition of a reading, of whose vertices some are taken.
    fn of<'a>(
        &'a mut self,
        labelling: &'a Labelling,
        ends: Option<[u32; 2]>,
        reading: &Reading,
        vertices: Range<usize>,
    ) -> Composition<'a> {
        self.vertices.clear();
        self.vertices.extend(vertices.map(|i| reading.vertex(i)));
        self.vertices.sort_unstable();
        self.edges.clear();
        self.edges.extend(reading.edges());
        self.edges.sort_unstable();
        Composition { labelling, ends, vertices: &self.vertices, edges: &self.edges }
    }
}

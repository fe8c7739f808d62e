//! Encoding `composition`: the two ends of a path, and how often each label is between them.
//!
//! A coarser name than the sequence's: all sequences with the same ends and the same labels between them, in whatever order, are one
//! feature. The labels of edges, if asked for, make a second multiset. A multiset is spelt like a monomial, `C^2 N`.

use std::{fmt, iter};

use super::id::Piece;
use super::labelling::{Spelling, spelt};
use super::trie::{Reading, Trie};
use super::{Booking, Found, Kind, Labelling, Sink};

/// Hands all compositions of a graph to a sink.
pub(crate) fn drain(
    trie: &Trie,
    labelling: &Labelling,
    booking: Booking,
    (reading, multisets): (&mut Reading, &mut Multisets),
    sink: &mut impl Sink,
) {
    trie.each(Piece::EMPTY, false, labelling, reading, |reading, paths, closed| {
        let length = reading.length();
        let ends = [reading.vertex(0), reading.vertex(length)];
        let alike = Alike { ends, inner: (1..length).map(|i| reading.vertex(i)), edges: reading.edges() };
        sink.at(reading.place());
        multisets.give(labelling, booking, alike, [paths, closed], sink);
    });
}

/// The labels that some walks have in common: of their ends, and, in no particular order, of the vertices between them and of
/// all edges.
pub(super) struct Alike<V, E> {
    pub(super) ends: [u32; 2],
    pub(super) inner: V,
    pub(super) edges: E,
}

/// Labels, sorted to be counted. Scratch.
#[derive(Default)]
pub(crate) struct Multisets {
    vertices: Vec<u32>,
    edges: Vec<u32>,
}

impl Multisets {
    /// Hands so many rooted paths, and so many cycles, to a sink.
    pub(super) fn give(
        &mut self,
        labelling: &Labelling,
        booking: Booking,
        alike: Alike<impl Iterator<Item = u32> + Clone, impl ExactSizeIterator<Item = u32> + Clone>,
        [paths, closed]: [u64; 2],
        sink: &mut impl Sink,
    ) {
        let Alike { ends, inner, edges } = alike;
        let (length, directed, reverses) =
            (edges.len(), labelling.is_directed(), booking.reverses(labelling));
        let (paths, closed) = booking.shares(length, directed, paths, closed);
        // Of the two directions of a path one is enough.
        if paths > 0 && !(reverses && ends[0] > ends[1]) {
            let divisor = if reverses && ends[0] == ends[1] { 2 } else { 1 };
            let composition = self.sorted(labelling, Some(ends), inner.clone(), edges.clone());
            composition.give(paths, divisor, sink);
        }
        if closed > 0 {
            let divisor = booking.starts(length, directed);
            let composition = self.sorted(labelling, None, iter::once(ends[0]).chain(inner), edges);
            composition.give(closed, divisor, sink);
        }
    }

    fn sorted<'a>(
        &'a mut self,
        labelling: &'a Labelling,
        ends: Option<[u32; 2]>,
        vertices: impl Iterator<Item = u32>,
        edges: impl Iterator<Item = u32>,
    ) -> Composition<'a> {
        self.vertices.clear();
        self.vertices.extend(vertices);
        self.vertices.sort_unstable();
        self.edges.clear();
        self.edges.extend(edges);
        self.edges.sort_unstable();
        Composition { labelling, ends, vertices: &self.vertices, edges: &self.edges }
    }
}

/// A path or cycle by its labels, each multiset sorted.
#[derive(Clone, Copy)]
struct Composition<'a> {
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

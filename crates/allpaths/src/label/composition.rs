//! Encoding `composition`: the two ends of a path, and how often each label is between them.
//!
//! A coarser name than the sequence's: all sequences with the same ends and the same labels between them, in whatever order, are one
//! feature. The labels of edges, if asked for, make a second multiset. A multiset is spelt like a monomial, `C^2 N`.

use std::{fmt, iter};

use super::id::Piece;
use super::interpolation::Polynomials;
use super::labelling::{Spelling, spelt};
use super::trie::{Reading, Trie};
use super::{Booking, Found, Kind, Labelling, Sink};
use crate::Graph;
use crate::count::{Job, Outcome};

/// The most labels for which compositions are found by the quotient engine where nobody asks for it: more take very many points.
const MOST_LABELS: usize = 6;

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
        let ends = reading.ends();
        let alike = Alike { ends, inner: (1..length).map(|i| reading.vertex(i)), edges: reading.edges() };
        sink.at(reading.place());
        multisets.give(labelling, booking, alike, [paths, closed], sink);
    });
}

/// What the quotient engine found. Scratch, to be used for graph after graph.
#[derive(Default)]
pub(crate) struct Compositions {
    found: Vec<Composed>,
}

/// Paths and cycles that are alike.
struct Composed {
    length: usize,
    ends: [u32; 2],
    /// How many inner vertices have which label, but the first label.
    inner: Vec<usize>,
    counts: [u64; 2],
}

impl Compositions {
    fn polynomials<'a>(graph: &'a Graph, labelling: &Labelling, max_length: usize) -> Polynomials<'a> {
        // How many vertices have the first label follows from the length.
        let variables = labelling.len().saturating_sub(1);
        let monomial = |label: usize| (1..=variables).map(|other| usize::from(other == label)).collect();
        let monomials = (0..labelling.len()).map(monomial).collect();
        Polynomials { graph, class: labelling.vertices().to_vec(), monomials, max_length }
    }

    /// Whether a graph is counted faster by the quotient engine than by a walk.
    pub(crate) fn prefer_quotients(graph: &Graph, labelling: &Labelling, max_length: usize) -> bool {
        let made = || Self::polynomials(graph, labelling, max_length);
        labelling.len() <= MOST_LABELS && Polynomials::are_faster(graph, max_length, made)
    }

    pub(crate) fn clear(&mut self) {
        self.found.clear();
    }

    /// Finds all paths and cycles to a length, by the quotient engine.
    pub(crate) fn interpolate(
        &mut self,
        graph: &Graph,
        labelling: &Labelling,
        max_length: usize,
        job: Job<'_>,
    ) -> Outcome {
        let book = |length, ends: [usize; 2], inner: &[usize], counts| {
            let ends = ends.map(|label| label as u32);
            self.found.push(Composed { length, ends, inner: inner.to_vec(), counts });
        };
        Self::polynomials(graph, labelling, max_length).find(job, book)
    }

    /// Hands all compositions of a graph to a sink.
    pub(crate) fn drain(
        &self,
        labelling: &Labelling,
        booking: Booking,
        multisets: &mut Multisets,
        sink: &mut impl Sink,
    ) {
        for &Composed { length, ends, ref inner, counts } in &self.found {
            let first = iter::repeat_n(0, length - 1 - inner.iter().sum::<usize>());
            let others = (1..).zip(inner).flat_map(|(label, &times)| iter::repeat_n(label, times));
            let alike = Alike { ends, inner: first.chain(others), edges: iter::repeat_n(0, length) };
            multisets.give(labelling, booking, alike, counts, sink);
        }
    }
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

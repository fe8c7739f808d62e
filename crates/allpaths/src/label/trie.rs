//! The tree of label sequences of one graph.
//!
//! A node is a sequence of labels that some path from some root reads. Its children stand together in a block of slots, one for
//! each pair of edge label and vertex label that follows its last label anywhere in the graph. So a step is two look-ups: the
//! place of the arc's pair in its block, and the block of the child. Paths are booked in the slot of their last label; a cycle
//! in the slot that reads the root's label again.

use super::id::{Name, Piece};
use super::labelling::Labelling;
use super::{Booked, Booking};
use crate::Graph;
use crate::count::{Ends, Tally};
use crate::graph::Arc;

/// Books paths and cycles under the labels they read from their root. Scratch, to be used for graph after graph.
#[derive(Default)]
pub(crate) struct Trie {
    slots: Vec<Slot>,
    /// How many cycles are booked in a slot that has any.
    closed: Vec<u64>,
    /// By arc: the place of its labels in a block.
    places: Vec<u32>,
    /// By label: where the pairs that follow it begin, and where the last end.
    follows: Vec<u32>,
    /// The pairs of edge label and vertex label that follow each label.
    pairs: Vec<Pair>,
    /// By vertex: its label.
    labels: Vec<u32>,
    /// By label: the vertices whose labels are not smaller, as bits; nothing where both directions of a path are booked.
    ends: Vec<u128>,
    /// By pair: the last label it was seen after, and its place there.
    seen: Vec<(u32, u32)>,
}

/// The label of an edge and of the vertex after it.
#[derive(Clone, Copy)]
struct Pair {
    edge: u32,
    vertex: u32,
    piece: Piece,
}

/// Small, since most of the time goes into reaching one: what few slots need is elsewhere.
#[derive(Clone, Copy, Default)]
struct Slot {
    paths: u64,
    /// Where the block of its children begins; 0 while there is none.
    child: u32,
    /// Which of [`Trie::closed`] is its own, counted from 1; 0 while it has none, as most never have.
    closed: u32,
}

impl Trie {
    /// Empties itself for a graph. Where paths are the same backwards, those that begin with their larger end may not all be booked.
    pub(crate) fn begin(&mut self, graph: &Graph, labelling: &Labelling, booking: Booking) {
        const NOWHERE: u32 = u32::MAX;
        let Self { slots, closed, places, follows, pairs, labels, ends, seen } = self;
        labels.clear();
        labels.extend(labelling.vertices());
        pairs.clear();
        places.clear();
        places.resize(graph.offsets()[graph.order()] as usize, 0);
        seen.clear();
        seen.resize(labelling.len() * labelling.edge_labels(), (NOWHERE, 0));
        follows.clear();
        for v in labelling.by_label() {
            let label = labels[v];
            if follows.len() == label as usize {
                follows.push(pairs.len() as u32);
            }
            for arc in graph.arcs(v) {
                let (edge, vertex) = (labelling.arc(arc.index), labels[arc.target]);
                let seen = &mut seen[edge as usize * labelling.len() + vertex as usize];
                if seen.0 != label {
                    *seen = (label, pairs.len() as u32 - follows[label as usize]);
                    let piece = labelling.edge_piece(edge).then(labelling.piece(vertex));
                    pairs.push(Pair { edge, vertex, piece });
                }
                places[arc.index] = seen.1;
            }
        }
        follows.push(pairs.len() as u32);
        ends.clear();
        if booking.reverses(labelling) && graph.order() <= 128 {
            ends.resize(labelling.len(), 0);
            labels.iter().enumerate().for_each(|(v, &label)| ends[label as usize] |= 1 << v);
            for label in (1..ends.len()).rev() {
                ends[label - 1] |= ends[label];
            }
        }
        // The roots: a sequence of one label has its block where its pairs are.
        slots.clear();
        slots.resize(pairs.len(), Slot::default());
        closed.clear();
    }

    /// Gives the slot of a sequence that ends with the label of a vertex a block for its children.
    #[inline(never)]
    fn grow(&mut self, slot: usize, vertex: usize) -> u32 {
        let (block, label) = (self.slots.len(), self.labels[vertex] as usize);
        let width = self.follows[label + 1] - self.follows[label];
        self.slots.resize(block + width as usize, Slot::default());
        self.slots[slot].child = block as u32;
        block as u32
    }

    /// How many cycles are booked in a slot.
    #[inline]
    fn closed(&self, slot: Slot) -> u64 {
        if slot.closed == 0 { 0 } else { self.closed[slot.closed as usize - 1] }
    }

    /// Goes through all sequences that some path or cycle reads, as names that begin with `prefix`. If one direction is enough, some of
    /// those that are larger than their reverse are left out.
    pub(crate) fn each(
        &self,
        prefix: Piece,
        one_way: bool,
        labelling: &Labelling,
        reading: &mut Reading,
        mut hear: impl FnMut(&Reading, u64, u64),
    ) {
        for label in 0..labelling.len() as u32 {
            let follows = |label: u32| [self.follows[label as usize], self.follows[label as usize + 1]];
            let [pair, end] = follows(label);
            let mut top = Children { slot: pair, pair, end };
            reading.0.clear();
            let name = Name::begin(prefix).with(labelling.piece(label));
            reading.0.push(Read { vertex: label, edge: 0, name, after: top });
            loop {
                if top.pair == top.end {
                    reading.0.pop();
                    match reading.0.last() {
                        Some(before) => top = before.after,
                        None => break,
                    }
                    continue;
                }
                let (slot, pair) = (self.slots[top.slot as usize], &self.pairs[top.pair as usize]);
                top.slot += 1;
                top.pair += 1;
                if slot.paths == 0 && slot.closed == 0 {
                    // What nothing reaches leads nowhere.
                    continue;
                }
                if one_way && pair.vertex < label && slot.child == 0 {
                    // A path that leads no further, as most do, and is read from its other end, as half of them are.
                    continue;
                }
                let last = reading.0.last_mut().expect("it begins with a label");
                last.after = top;
                let name = last.name.with(pair.piece);
                reading.0.push(Read { vertex: pair.vertex, edge: pair.edge, name, after: top });
                hear(reading, slot.paths, self.closed(slot));
                if slot.child == 0 {
                    reading.0.pop();
                } else {
                    let [pair, end] = follows(pair.vertex);
                    top = Children { slot: slot.child, pair, end };
                }
            }
        }
    }
}

impl Booked for Trie {
    #[inline]
    fn first(&self, vertex: usize) -> u32 {
        self.follows[self.labels[vertex] as usize]
    }

    #[inline]
    fn place(&self, block: u32, _: usize, arc: Arc) -> usize {
        (block + self.places[arc.index]) as usize
    }

    #[inline]
    fn next(&self, _: u32, place: usize, _: Arc) -> u32 {
        self.slots[place].child
    }
}

impl Tally for Trie {
    const BOOKS_STEPS: bool = true;

    /// Where the block begins in which the continuations of the path are booked.
    type State = u32;

    #[inline]
    fn root(&mut self, vertex: usize) -> u32 {
        self.first(vertex)
    }

    #[inline]
    fn step(&mut self, block: u32, length: usize, arc: Arc) -> u32 {
        let index = self.place(block, length, arc);
        let slot = &mut self.slots[index];
        slot.paths += 1;
        match slot.child {
            0 => self.grow(index, arc.target),
            child => child,
        }
    }

    #[inline]
    fn paths(&mut self, block: u32, _: usize, ends: impl Ends) {
        ends.each(|arc| self.slots[(block + self.places[arc.index]) as usize].paths += 1);
    }

    #[inline]
    fn ends(&self, root: usize) -> u128 {
        self.ends.get(self.labels[root] as usize).copied().unwrap_or(!0)
    }

    #[inline]
    fn hears_to_and_fro(&self) -> bool {
        self.ends.is_empty()
    }

    #[inline]
    fn close(&mut self, block: u32, _: usize, arc: impl FnOnce() -> Arc) {
        let slot = &mut self.slots[(block + self.places[arc().index]) as usize];
        if slot.closed == 0 {
            self.closed.push(0);
            slot.closed = self.closed.len() as u32;
        }
        self.closed[slot.closed as usize - 1] += 1;
    }
}

/// A sequence of labels, as the tree is gone through. Scratch.
#[derive(Default)]
pub(crate) struct Reading(Vec<Read>);

/// A vertex that was read.
#[derive(Clone, Copy)]
struct Read {
    vertex: u32,
    /// The edge before it; the first has none.
    edge: u32,
    /// All that was read up to here.
    name: Name,
    /// What to read after it.
    after: Children,
}

/// The children of a sequence that are still to be gone through.
#[derive(Clone, Copy)]
struct Children {
    slot: u32,
    pair: u32,
    end: u32,
}

impl Reading {
    /// How many edges it has.
    #[inline]
    pub(crate) fn length(&self) -> usize {
        self.0.len() - 1
    }

    /// The label of vertex `i`, from 0 to the length.
    #[inline]
    pub(crate) fn vertex(&self, i: usize) -> u32 {
        self.0[i].vertex
    }

    /// The label of the edge after vertex `i`.
    #[inline]
    pub(crate) fn edge(&self, i: usize) -> u32 {
        self.0[i + 1].edge
    }

    /// What is read in all.
    #[inline]
    pub(crate) fn name(&self) -> Name {
        self.0[self.0.len() - 1].name
    }

    /// The slot in which it is booked: the last that was gone to after the vertex before it.
    pub(crate) fn place(&self) -> usize {
        self.0[self.0.len() - 2].after.slot as usize - 1
    }

    /// The labels of the edges.
    pub(crate) fn edges(&self) -> impl ExactSizeIterator<Item = u32> + Clone + '_ {
        self.0[1..].iter().map(|read| read.edge)
    }
}

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
    /// Those in use, and more that are empty.
    slots: Vec<Slot>,
    /// How many are in use.
    used: usize,
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
    /// By vertex: how many pairs follow its label.
    widths: Vec<u32>,
    /// By label: an edge and the label as they stand in names, where all edges are called the same.
    pieces: Vec<Piece>,
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
        let Self { slots, used, closed, places, follows, pairs, labels, widths, pieces, ends, seen } = self;
        labels.clear();
        labels.extend(labelling.vertices());
        pieces.clear();
        if labelling.edge_labels() == 1 {
            let edge = labelling.edge_piece(0);
            pieces.extend((0..labelling.len() as u32).map(|label| edge.then(labelling.piece(label))));
        }
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
                    let piece = match pieces.get(vertex as usize) {
                        Some(&piece) => piece,
                        None => labelling.edge_piece(edge).then(labelling.piece(vertex)),
                    };
                    pairs.push(Pair { edge, vertex, piece });
                }
                places[arc.index] = seen.1;
            }
        }
        follows.push(pairs.len() as u32);
        let width = |&label: &u32| follows[label as usize + 1] - follows[label as usize];
        widths.clear();
        widths.extend(labels.iter().map(width));
        ends.clear();
        if booking.reverses(labelling) && graph.order() <= 128 {
            ends.resize(labelling.len(), 0);
            labels.iter().enumerate().for_each(|(v, &label)| ends[label as usize] |= 1 << v);
            for label in (1..ends.len()).rev() {
                ends[label - 1] |= ends[label];
            }
        }
        // The roots: a sequence of one label is booked nowhere, but its children are.
        slots[..*used].fill(Slot::default());
        *used = labelling.len() + pairs.len();
        if slots.len() < *used {
            slots.resize(*used, Slot::default());
        }
        for (slot, &pair) in slots.iter_mut().zip(&follows[..labelling.len()]) {
            slot.child = labelling.len() as u32 + pair;
        }
        closed.clear();
    }

    /// Where the block begins that holds the children of a sequence, of a path that ends at a vertex.
    #[inline(always)]
    fn block(&mut self, slot: u32, vertex: usize) -> u32 {
        match self.slots[slot as usize].child {
            0 => self.grow(slot, vertex),
            child => child,
        }
    }

    /// Gives a sequence, of a path that ends at a vertex, a block for its children.
    #[inline(never)]
    fn grow(&mut self, slot: u32, vertex: usize) -> u32 {
        let block = self.used;
        self.used += self.widths[vertex] as usize;
        if self.used > self.slots.len() {
            self.make_room();
        }
        self.slots[slot as usize].child = block as u32;
        block as u32
    }

    /// Adds empty slots: those in use, and as many more, but not many.
    #[cold]
    fn make_room(&mut self) {
        self.slots.resize(self.used + self.used.min(1 << 12), Slot::default());
    }

    /// How many cycles are booked in a slot, by what it says of them.
    #[inline]
    fn closed(&self, closed: u32) -> u64 {
        if closed == 0 { 0 } else { self.closed[closed as usize - 1] }
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
            let least = if one_way { label } else { 0 };
            reading.last = 0;
            reading.make_room();
            reading.read[0].vertex = label;
            reading.read[0].name = Name::begin(prefix).with(labelling.piece(label));
            let [mut pair, mut end] = self.following(label);
            let mut slot = self.slots[label as usize].child;
            let mut needed = self.needed(slot, pair, end, least);
            loop {
                if needed == 0 {
                    if end - pair > LOOK {
                        (slot, pair) = (slot + LOOK, pair + LOOK);
                        needed = self.needed(slot, pair, end, least);
                    } else if reading.last == 0 {
                        break;
                    } else {
                        reading.last -= 1;
                        Ahead { slot, pair, end, needed } = reading.read[reading.last].ahead;
                    }
                    continue;
                }
                let place = needed.trailing_zeros();
                needed &= needed - 1;
                let Slot { paths, child, closed } = self.slots[(slot + place) as usize];
                let Pair { edge, vertex, piece } = self.pairs[(pair + place) as usize];
                let name = reading.read[reading.last].name.with(piece);
                reading.last += 1;
                // Field by field: what is put together elsewhere first would have to be read back at once.
                let read = &mut reading.read[reading.last];
                read.vertex = vertex;
                read.edge = edge;
                read.name = name;
                read.slot = slot + place;
                hear(reading, paths, self.closed(closed));
                if child == 0 {
                    reading.last -= 1;
                    continue;
                }
                let ahead = &mut reading.read[reading.last - 1].ahead;
                ahead.slot = slot;
                ahead.pair = pair;
                ahead.end = end;
                ahead.needed = needed;
                reading.make_room();
                [pair, end] = self.following(vertex);
                slot = child;
                needed = self.needed(slot, pair, end, least);
            }
        }
    }

    /// Where the pairs that follow a label begin and end.
    #[inline]
    fn following(&self, label: u32) -> [u32; 2] {
        [self.follows[label as usize], self.follows[label as usize + 1]]
    }

    /// Which of the next slots of a block have to be gone to, as bits. Not those that nothing reaches, for they lead nowhere, and not those that lead no further, as
    /// most do, and end with a label below the least, for they are read from their other end. Which these are is as good as random: there is no branch for them.
    #[allow(clippy::needless_bitwise_bool)] // to be lazy takes branches
    #[inline(always)]
    fn needed(&self, slot: u32, pair: u32, end: u32, least: u32) -> u64 {
        let pairs = &self.pairs[pair as usize..end.min(pair + LOOK) as usize];
        let slots = &self.slots[slot as usize..][..pairs.len()];
        let mut needed = 0;
        for (place, (slot, pair)) in slots.iter().zip(pairs).enumerate() {
            let is_reached = (slot.paths | u64::from(slot.closed)) != 0;
            let is_needed = is_reached & ((slot.child != 0) | (pair.vertex >= least));
            needed |= u64::from(is_needed) << place;
        }
        needed
    }
}

/// How many slots are looked at together.
const LOOK: u32 = u64::BITS;

impl Booked for Trie {
    #[inline]
    fn first(&self, vertex: usize) -> u32 {
        self.labels[vertex]
    }

    #[inline]
    fn place(&self, slot: u32, _: usize, arc: Arc) -> usize {
        match self.slots.get(slot as usize) {
            Some(&Slot { child: block @ 1.., .. }) => (block + self.places[arc.index]) as usize,
            _ => usize::MAX,
        }
    }

    #[inline]
    fn next(&self, _: u32, place: usize, _: Arc) -> u32 {
        place as u32
    }

    #[inline]
    fn ends(&self, root: usize) -> u128 {
        Tally::ends(self, root)
    }
}

impl Tally for Trie {
    const BOOKS_STEPS: bool = true;

    /// The slot of what was read. A block for what continues it is made when there is something to book in it: many paths lead no further.
    type State = u32;

    #[inline]
    fn root(&mut self, vertex: usize) -> u32 {
        self.first(vertex)
    }

    #[inline(always)]
    fn step(&mut self, slot: u32, _: usize, arc: Arc) -> u32 {
        let place = self.block(slot, arc.source) + self.places[arc.index];
        self.slots[place as usize].paths += 1;
        place
    }

    #[inline]
    fn paths(&mut self, slot: u32, _: usize, ends: impl Ends) {
        if ends.len() > 0 {
            let block = self.block(slot, ends.source());
            ends.each(|arc| self.slots[(block + self.places[arc.index]) as usize].paths += 1);
        }
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
    fn close(&mut self, slot: u32, _: usize, arc: impl FnOnce() -> Arc) {
        let arc = arc();
        let place = self.block(slot, arc.source) + self.places[arc.index];
        let slot = &mut self.slots[place as usize];
        if slot.closed == 0 {
            self.closed.push(0);
            slot.closed = self.closed.len() as u32;
        }
        self.closed[slot.closed as usize - 1] += 1;
    }
}

/// A sequence of labels, as the tree is gone through. Scratch.
#[derive(Default)]
pub(crate) struct Reading {
    read: Vec<Read>,
    /// Which of them is the last; what is behind it was read before.
    last: usize,
}

/// A vertex that was read.
#[derive(Clone, Copy)]
struct Read {
    vertex: u32,
    /// The edge before it; the first has none.
    edge: u32,
    /// All that was read up to here.
    name: Name,
    /// Where that is booked; the first vertex alone is not.
    slot: u32,
    /// What to read after it.
    ahead: Ahead,
}

/// The slots of a block that are still to be gone to.
#[derive(Clone, Copy)]
struct Ahead {
    /// The first slot, and its pair, of those that were looked at.
    slot: u32,
    pair: u32,
    /// Where the pairs of the block end.
    end: u32,
    /// Which of those that were looked at have to be gone to.
    needed: u64,
}

impl Reading {
    const NOTHING: Read = Read {
        vertex: 0,
        edge: 0,
        name: Name::begin(Piece::EMPTY),
        slot: 0,
        ahead: Ahead { slot: 0, pair: 0, end: 0, needed: 0 },
    };

    /// Makes room for one vertex more.
    #[inline]
    fn make_room(&mut self) {
        if self.read.len() < self.last + 2 {
            self.read.resize(self.last + 8, Self::NOTHING);
        }
    }

    /// How many edges it has.
    #[inline]
    pub(crate) fn length(&self) -> usize {
        self.last
    }

    /// The label of vertex `i`, from 0 to the length.
    #[inline]
    pub(crate) fn vertex(&self, i: usize) -> u32 {
        self.read[i].vertex
    }

    /// The label of the edge after vertex `i`.
    #[inline]
    pub(crate) fn edge(&self, i: usize) -> u32 {
        self.read[i + 1].edge
    }

    /// The labels of the first and the last vertex.
    #[inline]
    pub(crate) fn ends(&self) -> [u32; 2] {
        [self.vertex(0), self.vertex(self.last)]
    }

    /// What is read in all.
    #[inline]
    pub(crate) fn name(&self) -> Name {
        self.read[self.last].name
    }

    /// The slot in which it is booked.
    #[inline]
    pub(crate) fn place(&self) -> usize {
        self.read[self.last].slot as usize
    }

    /// The labels of the edges.
    pub(crate) fn edges(&self) -> impl ExactSizeIterator<Item = u32> + Clone + '_ {
        self.read[1..=self.last].iter().map(|read| read.edge)
    }
}

//! The tree of label sequences of one graph.
//!
//! A node is a sequence of labels that some path from some root reads. Its children stand together in a block of slots, one for
//! each pair of edge label and vertex label that follows its last label anywhere in the graph. So a step is two look-ups: the
//! place of the arc's pair in its block, and the block of the child. Paths are booked in the slot of their last label; a cycle
//! in the slot that reads the root's label again.

use super::id::Piece;
use super::labelling::Labelling;
use crate::Graph;
use crate::count::{Ends, Tally};
use crate::graph::Arc;

/// Books paths and cycles under the labels they read from their root. Scratch, to be used for graph after graph.
#[derive(Default)]
pub(crate) struct Trie {
    slots: Vec<Slot>,
    /// By arc: the place of its labels in a block.
    places: Vec<u32>,
    /// By label: where the pairs that follow it begin, and where the last end.
    follows: Vec<u32>,
    /// The pairs of edge label and vertex label that follow each label, in order.
    pairs: Vec<Pair>,
    /// By vertex: its label.
    labels: Vec<u32>,
    sorted: Vec<u128>,
}

/// The label of an edge and of the vertex after it.
#[derive(Clone, Copy)]
struct Pair {
    edge: u32,
    vertex: u32,
    piece: Piece,
}

#[derive(Clone, Copy, Default)]
struct Slot {
    paths: u64,
    closed: u64,
    /// Where the block of its children begins; 0 while there is none.
    child: u32,
}

impl Trie {
    /// Empties itself for a graph.
    pub(crate) fn begin(&mut self, graph: &Graph, labelling: &Labelling) {
        let Self { slots, places, follows, pairs, labels, sorted } = self;
        labels.clear();
        labels.extend(labelling.vertices());
        sorted.clear();
        for arc in (0..graph.order()).flat_map(|v| graph.arcs(v)) {
            let words = [labels[arc.source], labelling.arc(arc.index), labels[arc.target], arc.index as u32];
            sorted.push(words.iter().fold(0, |key, &word| key << 32 | u128::from(word)));
        }
        sorted.sort_unstable();
        follows.clear();
        pairs.clear();
        places.clear();
        places.resize(sorted.len(), 0);
        let mut last = None;
        for &key in &*sorted {
            let [label, edge, vertex, arc] = [96, 64, 32, 0].map(|shift| (key >> shift) as u32);
            if last.replace(key >> 32) != Some(key >> 32) {
                while follows.len() <= label as usize {
                    follows.push(pairs.len() as u32);
                }
                let piece = labelling.edge_piece(edge).then(labelling.piece(vertex));
                pairs.push(Pair { edge, vertex, piece });
            }
            places[arc as usize] = pairs.len() as u32 - 1 - follows[label as usize];
        }
        follows.resize(labelling.len() + 1, pairs.len() as u32);
        // The roots: a sequence of one label has its block where its pairs are.
        slots.clear();
        slots.resize(pairs.len(), Slot::default());
    }

    /// The place of a new block for the children of a sequence that ends with `label`.
    #[cold]
    fn grow(&mut self, label: usize) -> u32 {
        let block = self.slots.len();
        let width = self.follows[label + 1] - self.follows[label];
        self.slots.resize(block + width as usize, Slot::default());
        block as u32
    }

    /// Goes through all sequences that some path or cycle reads.
    pub(crate) fn each(&self, reading: &mut Reading, labelling: &Labelling, mut hear: impl FnMut(&Reading, u64, u64)) {
        let frame = |block: u32, label: u32| {
            let pairs = self.follows[label as usize]..self.follows[label as usize + 1];
            Frame { slot: block, pair: pairs.start, end: pairs.end }
        };
        for label in 0..labelling.len() as u32 {
            reading.begin(label, labelling.piece(label));
            reading.frames.push(frame(self.follows[label as usize], label));
            while let Some(top) = reading.frames.last_mut() {
                if top.pair == top.end {
                    reading.frames.pop();
                    reading.pop();
                    continue;
                }
                let (slot, pair) = (self.slots[top.slot as usize], self.pairs[top.pair as usize]);
                top.slot += 1;
                top.pair += 1;
                if slot.paths == 0 && slot.closed == 0 {
                    // What nothing reaches leads nowhere.
                    continue;
                }
                reading.push(pair);
                hear(reading, slot.paths, slot.closed);
                match slot.child {
                    0 => reading.pop(),
                    block => reading.frames.push(frame(block, pair.vertex)),
                }
            }
        }
    }
}

impl Tally for Trie {
    /// Where the block begins in which the continuations of the path are booked.
    type State = u32;

    #[inline]
    fn root(&mut self, vertex: usize) -> u32 {
        self.follows[self.labels[vertex] as usize]
    }

    #[inline]
    fn step(&mut self, block: u32, arc: Arc) -> u32 {
        let slot = (block + self.places[arc.index]) as usize;
        match self.slots[slot].child {
            0 => {
                let child = self.grow(self.labels[arc.target] as usize);
                self.slots[slot].child = child;
                child
            }
            child => child,
        }
    }

    #[inline]
    fn paths(&mut self, block: u32, _: usize, ends: impl Ends) {
        ends.each(|arc| self.slots[(block + self.places[arc.index]) as usize].paths += 1);
    }

    #[inline]
    fn close(&mut self, block: u32, _: usize, arc: impl FnOnce() -> Arc) {
        self.slots[(block + self.places[arc().index]) as usize].closed += 1;
    }
}

/// A sequence of labels, as the tree is gone through: vertices and the edges between them. Scratch.
#[derive(Default)]
pub(crate) struct Reading {
    pub(crate) vertices: Vec<u32>,
    pub(crate) edges: Vec<u32>,
    /// As pieces of ids: what is read up to each vertex.
    pub(crate) pieces: Vec<Piece>,
    frames: Vec<Frame>,
}

/// How far the children of a sequence have been gone through.
struct Frame {
    slot: u32,
    pair: u32,
    end: u32,
}

impl Reading {
    fn begin(&mut self, label: u32, piece: Piece) {
        self.vertices.clear();
        self.edges.clear();
        self.pieces.clear();
        self.vertices.push(label);
        self.pieces.push(piece);
    }

    #[inline]
    fn push(&mut self, pair: Pair) {
        let before = self.pieces[self.edges.len()];
        self.edges.push(pair.edge);
        self.vertices.push(pair.vertex);
        self.pieces.push(before.then(pair.piece));
    }

    #[inline]
    fn pop(&mut self) {
        self.edges.pop();
        self.vertices.pop();
        self.pieces.pop();
    }

    /// How many edges it has.
    pub(crate) fn length(&self) -> usize {
        self.edges.len()
    }
}

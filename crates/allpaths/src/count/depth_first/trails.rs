//! The walk of trails: no edge twice, but vertices as often as edges lead to them.

use super::{Walk, Walker};
use crate::Graph;
use crate::count::limits::Meter;
use crate::count::tally::{Ends, Tally};
use crate::graph::Arc;

/// Walks trails. It tells of no cycles: a closed trail is a trail that ends where it began.
pub(super) struct TrailWalker<'a, T: Tally> {
    graph: &'a Graph,
    max_length: usize,
    tally: T,
    meter: Meter<'a>,
    /// By edge: whether it is on the trail.
    used: Vec<bool>,
    trail: Vec<Visit<T::State>>,
}

/// A vertex on the trail, how many of its arcs are done, and the edge by which it was reached.
#[derive(Clone, Copy)]
struct Visit<S> {
    vertex: usize,
    next: usize,
    edge: Option<usize>,
    state: S,
}

impl<'a, T: Tally> TrailWalker<'a, T> {
    pub(super) fn new(walk: Walk<'a>, tally: T, meter: Meter<'a>) -> Self {
        debug_assert!(!T::JOINS, "two vertices are no longer all that a longer trail needs");
        let Walk { graph, max_length, .. } = walk;
        Self { graph, max_length, tally, meter, used: vec![false; graph.size()], trail: Vec::new() }
    }

    /// Goes on to a vertex, and books the trails that are one edge longer where no step will.
    fn visit(&mut self, vertex: usize, edge: Option<usize>, state: T::State) {
        let length = self.trail.len() + 1;
        let ends = TrailEnds { graph: self.graph, vertex, used: &self.used };
        self.meter.spend(1);
        if !T::BOOKS_STEPS || length == self.max_length {
            self.tally.paths(state, length, ends);
        }
        // At the longest length nothing is left to do but to turn back.
        let next = if length == self.max_length { usize::MAX } else { 0 };
        self.trail.push(Visit { vertex, next, edge, state });
    }
}

impl<T: Tally> Walker<T> for TrailWalker<'_, T> {
    fn resume(&mut self, prefix: &[u32]) {
        let &[root] = prefix else {
            unreachable!("a prefix is a simple path, and trails are more: they are not cut")
        };
        let root = root as usize;
        if self.max_length == 0 {
            return;
        }
        let state = self.tally.root(root);
        // An undirected loop reads the same in both directions, but is met once: this is the other time.
        if let Some(arc) = self.graph.arcs(root).find(|arc| arc.target == root && !self.graph.is_directed()) {
            self.tally.paths(state, 1, Last(arc));
        }
        self.visit(root, None, state);
        while let Some(top) = self.trail.last_mut() {
            let Visit { vertex, next, state, edge } = *top;
            top.next = next.saturating_add(1);
            match self.graph.arcs(vertex).nth(next).filter(|_| !self.meter.stopped()) {
                None => {
                    self.trail.pop();
                    edge.into_iter().for_each(|edge| self.used[edge] = false);
                }
                Some(arc) => {
                    let edge = self.graph.edge_of(arc);
                    if !std::mem::replace(&mut self.used[edge], true) {
                        let state = self.tally.step(state, self.trail.len(), arc);
                        self.visit(arc.target, Some(edge), state);
                    }
                }
            }
        }
    }

    fn tally(&mut self) -> &mut T {
        &mut self.tally
    }

    fn finish(self) -> T {
        self.tally
    }
}

/// The arcs from a vertex whose edges are not on the trail.
#[derive(Clone, Copy)]
struct TrailEnds<'a> {
    graph: &'a Graph,
    vertex: usize,
    used: &'a [bool],
}

impl TrailEnds<'_> {
    fn arcs(self) -> impl Iterator<Item = Arc> {
        self.graph.arcs(self.vertex).filter(move |&arc| !self.used[self.graph.edge_of(arc)])
    }
}

impl Ends for TrailEnds<'_> {
    fn len(self) -> u64 {
        self.arcs().count() as u64
    }

    fn source(self) -> usize {
        self.vertex
    }

    fn each(self, hear: impl FnMut(Arc)) {
        self.arcs().for_each(hear);
    }
}

/// One end alone.
#[derive(Clone, Copy)]
struct Last(Arc);

impl Ends for Last {
    fn len(self) -> u64 {
        1
    }

    fn source(self) -> usize {
        self.0.source
    }

    fn each(self, mut hear: impl FnMut(Arc)) {
        hear(self.0);
    }
}

//! The walk over compressed rows, for graphs of any size.
//!
//! One word for each vertex says whether it is on the path, whether the goal is one step away, and how many of
//! its neighbours are not on the path. The last is kept up to date by whoever enters or leaves the path, except
//! at the last step of an undirected walk, where it is known: one less than before.

use super::{Goal, Walk, Walker};
use crate::count::limits::Meter;
use crate::count::tally::{Ends, Tally};
use crate::graph::{Arc, Graph, Rows};

/// The vertex is on the path. The highest bit, so that a comparison tells.
const VISITED: u32 = 1 << 31;
/// An arc leads from the vertex to the goal.
const CLOSES: u32 = 1 << 30;
/// The number of neighbours that are not on the path, the vertex itself not counted.
const OPEN_NEIGHBOURS: u32 = CLOSES - 1;

const FAR: u32 = u32::MAX;

/// Walks over rows; `OPEN` when every end counts, not only the goal's.
pub(super) struct RowWalker<'a, T: Tally, const OPEN: bool> {
    graph: &'a Graph,
    reverse: &'a Rows<'a>,
    goal: Goal,
    max_length: usize,
    tally: T,
    meter: Meter<'a>,
    words: Vec<u32>,
    target: usize,
    root: Option<usize>,
    /// Steps from each vertex to the target, if the walk is not open.
    distance: Vec<u32>,
    /// The vertices whose distance is known.
    reached: Vec<u32>,
    path: Vec<Visit<T::State>>,
}

/// A vertex on the path and how much of its row is done.
#[derive(Clone, Copy)]
struct Visit<S> {
    vertex: usize,
    next: usize,
    state: S,
}

impl<'a, T: Tally, const OPEN: bool> RowWalker<'a, T, OPEN> {
    pub(super) fn new(reverse: &'a Rows<'a>, walk: Walk<'a>, tally: T, meter: Meter<'a>) -> Self {
        let Walk { graph, goal, max_length, .. } = walk;
        let open_neighbours = |v| graph.neighbours(v).iter().filter(|&&w| w as usize != v).count() as u32;
        Self {
            graph,
            reverse,
            goal,
            max_length,
            tally,
            meter,
            words: (0..graph.order()).map(open_neighbours).collect(),
            target: 0,
            root: None,
            distance: if OPEN { Vec::new() } else { vec![FAR; graph.order()] },
            reached: Vec::new(),
            path: Vec::new(),
        }
    }

    /// Turns to another root.
    fn aim(&mut self, root: usize) {
        if self.root == Some(root) {
            return;
        }
        if self.root.is_some() {
            self.flag(|word| word & !CLOSES);
        }
        self.root = Some(root);
        self.target = self.goal.target(root);
        self.flag(|word| word | CLOSES);
        if !OPEN {
            self.measure(root);
        }
    }

    /// Changes the words of all vertices from which an arc leads to the target.
    fn flag(&mut self, change: impl Fn(u32) -> u32) {
        let target = self.target;
        for &v in self.reverse.row(target) {
            self.words[v as usize] = change(self.words[v as usize]);
        }
        if self.graph.neighbours(target).binary_search(&(target as u32)).is_ok() {
            self.words[target] = change(self.words[target]);
        }
    }

    /// Finds the distance to the target of all vertices that can matter.
    fn measure(&mut self, root: usize) {
        self.reached.drain(..).for_each(|v| self.distance[v as usize] = FAR);
        self.distance[self.target] = 0;
        self.reached.push(self.target as u32);
        let mut head = 0;
        while head < self.reached.len() {
            let v = self.reached[head] as usize;
            head += 1;
            let further = self.distance[v] + 1;
            if further as usize >= self.max_length {
                break;
            }
            for &u in self.reverse.row(v) {
                if self.distance[u as usize] == FAR && self.goal.admits(root, u as usize) {
                    self.distance[u as usize] = further;
                    self.reached.push(u);
                }
            }
        }
    }

    /// Puts `v` on the path.
    fn enter(&mut self, v: usize) {
        self.words[v] |= VISITED;
        for &u in self.reverse.row(v) {
            self.words[u as usize] -= 1;
        }
    }

    /// Takes `v` off the path.
    fn leave(&mut self, v: usize) {
        self.words[v] &= !VISITED;
        for &u in self.reverse.row(v) {
            self.words[u as usize] += 1;
        }
    }

    /// Whether the walk may go on to `w` with so many steps left after it.
    #[inline(always)]
    fn leads_on(&self, w: usize, left: usize) -> bool {
        self.words[w] < VISITED && (OPEN || self.distance[w] as usize <= left)
    }

    /// Books what continues a path of `length` edges that ends at `v`, of whose neighbours so many are open.
    #[inline(always)]
    fn visit(&mut self, v: usize, word: u32, open: u32, length: usize, state: T::State) {
        if word & CLOSES != 0 {
            let (graph, target) = (self.graph, self.target);
            self.tally.close(state, length + 1, || {
                graph.arcs(v).find(|arc| arc.target == target).expect("the word says there is an arc")
            });
        }
        if OPEN {
            let ends = RowEnds { graph: self.graph, words: &self.words, source: v, open };
            self.tally.paths(state, length + 1, ends);
        }
    }

    /// Visits `v` and everything after it.
    fn walk(&mut self, v: usize, length: usize, state: T::State) {
        let base = self.path.len();
        self.push(v, length, state);
        while self.path.len() > base {
            let Visit { vertex: source, next, state } = self.path[self.path.len() - 1];
            let length = length + self.path.len() - base;
            let row = &self.graph.neighbours(source)[next..];
            match row.iter().position(|&w| self.leads_on(w as usize, self.max_length - length)) {
                Some(skipped) if !self.meter.stopped() => {
                    let (target, place) = (row[skipped] as usize, next + skipped);
                    self.path.last_mut().expect("longer than its base").next = place + 1;
                    let index = self.graph.offsets()[source] as usize + place;
                    let state = self.tally.step(state, Arc { source, target, index });
                    self.push(target, length, state);
                }
                _ => {
                    self.leave(source);
                    self.path.pop();
                }
            }
        }
    }

    /// Visits `v`; if there is more than one step left after it, goes on or puts it on the path to go on later.
    fn push(&mut self, v: usize, length: usize, state: T::State) {
        let word = self.words[v];
        self.visit(v, word, word & OPEN_NEIGHBOURS, length, state);
        let mut visits = 1;
        match self.max_length - length {
            1 => {}
            2 if self.graph.is_directed() => {
                self.enter(v);
                visits += self.last_visits(v, length + 1, state, 0);
                self.leave(v);
            }
            2 => {
                // Every neighbour of `v` has `v` for a neighbour: no need to tell them all.
                self.words[v] |= VISITED;
                visits += self.last_visits(v, length + 1, state, 1);
                self.words[v] &= !VISITED;
            }
            _ => {
                self.enter(v);
                self.path.push(Visit { vertex: v, next: 0, state });
            }
        }
        if self.meter.spend(visits) {
            self.meter.report();
            self.tally.settle();
        }
    }

    /// Visits all neighbours of `v`, which have one step left; `taken` of their neighbours are on the path
    /// without their words saying so. Says how many it visited.
    fn last_visits(&mut self, v: usize, length: usize, state: T::State, taken: u32) -> u64 {
        let graph = self.graph;
        let mut visits = 0;
        for arc in graph.arcs(v) {
            let w = arc.target;
            if self.leads_on(w, 1) {
                let state = self.tally.step(state, arc);
                let word = self.words[w];
                self.visit(w, word, (word & OPEN_NEIGHBOURS) - taken, length, state);
                visits += 1;
            }
        }
        visits
    }
}

impl<T: Tally, const OPEN: bool> Walker<T> for RowWalker<'_, T, OPEN> {
    fn resume(&mut self, prefix: &[u32]) {
        let root = prefix[0] as usize;
        self.aim(root);
        if !OPEN {
            self.words[self.target] |= VISITED;
        }
        let mut state = self.tally.root(root);
        let (&last, before) = prefix.split_last().expect("a prefix has a root");
        for step in prefix.windows(2) {
            let (u, w) = (step[0] as usize, step[1] as usize);
            self.enter(u);
            let arc = self.graph.arcs(u).find(|arc| arc.target == w).expect("prefixes follow arcs");
            state = self.tally.step(state, arc);
        }
        if before.len() < self.max_length && !self.meter.stopped() {
            self.walk(last as usize, before.len(), state);
        }
        for &v in before {
            self.leave(v as usize);
        }
        if !OPEN {
            self.words[self.target] &= !VISITED;
        }
    }

    fn tally(&mut self) -> &mut T {
        &mut self.tally
    }

    fn finish(self) -> T {
        self.tally
    }
}

#[derive(Clone, Copy)]
struct RowEnds<'a> {
    graph: &'a Graph,
    words: &'a [u32],
    source: usize,
    open: u32,
}

impl Ends for RowEnds<'_> {
    #[inline(always)]
    fn len(self) -> u64 {
        self.open.into()
    }

    #[inline(always)]
    fn each(self, mut hear: impl FnMut(Arc)) {
        for arc in self.graph.arcs(self.source) {
            if self.words[arc.target] < VISITED && arc.target != self.source {
                hear(arc);
            }
        }
    }
}

//! The walk over compressed rows, for graphs of any size.
//!
//! One word for each vertex says whether it is on the path, whether the goal is one step away, and how many of
//! its neighbours are not on the path; for tallies that join, a second one says how many of those are one step from
//! the goal. The numbers are kept up to date by whoever enters or leaves the path, except at the last step of an
//! undirected walk, where it is known by how much they are behind.

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

/// What is known of a vertex.
#[derive(Clone, Copy)]
struct Word {
    /// Flags, and the number of neighbours that are not on the path.
    own: u32,
    /// How many of those are one step from the goal, and may be visited.
    common: u32,
}

impl Word {
    fn is_free(self) -> bool {
        self.own < VISITED
    }

    /// One if an arc leads to the goal.
    fn closes(self) -> u32 {
        (self.own & CLOSES) / CLOSES
    }

    fn open(self) -> u32 {
        self.own & OPEN_NEIGHBOURS
    }
}

/// What all walkers over one graph begin with.
pub(super) struct RowView<'a> {
    reverse: Rows<'a>,
    words: Vec<Word>,
}

impl<'a> RowView<'a> {
    pub(super) fn of(graph: &'a Graph) -> Self {
        let word = |v| {
            let open = graph.neighbours(v).iter().filter(|&&w| w as usize != v).count() as u32;
            Word { own: open, common: 0 }
        };
        Self { reverse: graph.reverse_rows(), words: (0..graph.order()).map(word).collect() }
    }
}

/// Walks over rows; `OPEN` when every end counts, not only the goal's.
pub(super) struct RowWalker<'a, T: Tally, const OPEN: bool> {
    graph: &'a Graph,
    reverse: &'a Rows<'a>,
    goal: Goal,
    max_length: usize,
    tally: T,
    meter: Meter<'a>,
    words: Vec<Word>,
    /// How many vertices that are not on the path are one step from the goal, and may be visited.
    before_target: u32,
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
    pub(super) fn new(view: &'a RowView<'a>, walk: Walk<'a>, tally: T, meter: Meter<'a>) -> Self {
        let Walk { graph, goal, max_length, .. } = walk;
        Self {
            graph,
            reverse: &view.reverse,
            goal,
            max_length,
            tally,
            meter,
            words: view.words.clone(),
            before_target: 0,
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
        if let Some(before) = self.root.replace(root) {
            self.flag(before, |word| word & !CLOSES, |common| common - 1);
        }
        self.target = self.goal.target(root);
        self.before_target = 0;
        self.flag(root, |word| word | CLOSES, |common| common + 1);
        if !OPEN {
            self.measure(root);
        }
    }

    /// Changes the words of all vertices from which an arc leads to the target, and the common neighbours of all
    /// vertices from which an arc leads to those.
    fn flag(&mut self, root: usize, own: impl Fn(u32) -> u32, common: impl Fn(u32) -> u32) {
        let target = self.target;
        for &v in self.reverse.row(target) {
            // Without joins even what may not be visited closes: that is the root itself.
            if T::JOINS && !self.goal.admits(root, v as usize) {
                continue;
            }
            let word = &mut self.words[v as usize].own;
            *word = own(*word);
            if T::JOINS {
                self.before_target += 1;
                for &u in self.reverse.row(v as usize) {
                    let word = &mut self.words[u as usize].common;
                    *word = common(*word);
                }
            }
        }
        if !T::JOINS && self.graph.neighbours(target).binary_search(&(target as u32)).is_ok() {
            self.words[target].own = own(self.words[target].own);
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
        let closes = if T::JOINS { self.words[v].closes() } else { 0 };
        self.words[v].own |= VISITED;
        self.before_target -= closes;
        for &u in self.reverse.row(v) {
            self.words[u as usize].own -= 1;
            self.words[u as usize].common -= closes;
        }
    }

    /// Takes `v` off the path.
    fn leave(&mut self, v: usize) {
        let closes = if T::JOINS { self.words[v].closes() } else { 0 };
        self.words[v].own &= !VISITED;
        self.before_target += closes;
        for &u in self.reverse.row(v) {
            self.words[u as usize].own += 1;
            self.words[u as usize].common += closes;
        }
    }

    /// Whether the walk may go on to `w` with so many steps left after it.
    #[inline(always)]
    fn leads_on(&self, w: usize, left: usize) -> bool {
        self.words[w].is_free() && (OPEN || self.distance[w] as usize <= left)
    }

    /// Books what continues a path of `length` edges that ends at `v`. `behind` is a vertex on the path whose
    /// neighbours, `v` among them, were not told; none has no say.
    #[inline(always)]
    fn visit(&mut self, v: usize, behind: Option<Word>, length: usize, state: T::State) {
        let word = self.words[v];
        let (untold, untold_closes) = behind.map_or((0, 0), |behind| (1, behind.closes()));
        let open = word.open() - untold;
        if T::JOINS {
            let before = self.before_target - untold_closes - word.closes();
            let common = u64::from(word.common - untold_closes);
            let pairs = if OPEN { u64::from(before) * u64::from(open) - common } else { 0 };
            self.tally.joined(length + 2, pairs, common);
            return;
        }
        if word.closes() == 1 {
            let (graph, target) = (self.graph, self.target);
            self.tally
                .close(state, length + 1, || graph.arc(v, target).expect("the word says there is an arc"));
        }
        if OPEN && (!T::BOOKS_STEPS || length + 1 == self.max_length) {
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
                    let state = self.tally.step(state, length, Arc { source, target, index });
                    self.push(target, length, state);
                }
                _ => {
                    self.leave(source);
                    self.path.pop();
                }
            }
        }
    }

    /// Visits `v`; if there are steps left after it, goes on or puts it on the path to go on later.
    fn push(&mut self, v: usize, length: usize, state: T::State) {
        self.visit(v, None, length, state);
        let mut visits = 1;
        match self.max_length - length - T::REACH {
            0 => {}
            1 if self.graph.is_directed() => {
                self.enter(v);
                visits += self.last_visits(v, None, length + 1, state);
                self.leave(v);
            }
            1 => {
                // Every neighbour of `v` has `v` for a neighbour: no need to tell them all.
                self.words[v].own |= VISITED;
                visits += self.last_visits(v, Some(self.words[v]), length + 1, state);
                self.words[v].own &= !VISITED;
            }
            _ => {
                self.enter(v);
                self.path.push(Visit { vertex: v, next: 0, state });
            }
        }
        self.meter.spend(visits);
    }

    /// Visits all neighbours of `v` that the walk may go on to, and goes no further. Says how many it visited.
    fn last_visits(&mut self, v: usize, behind: Option<Word>, length: usize, state: T::State) -> u64 {
        let (graph, left) = (self.graph, self.max_length - length);
        let mut visits = 0;
        for arc in graph.arcs(v) {
            if self.leads_on(arc.target, left) {
                let state = self.tally.step(state, length, arc);
                self.visit(arc.target, behind, length, state);
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
            self.words[self.target].own |= VISITED;
        }
        let mut state = self.tally.root(root);
        let (&last, before) = prefix.split_last().expect("a prefix has a root");
        for (length, step) in (1..).zip(prefix.windows(2)) {
            let (u, w) = (step[0] as usize, step[1] as usize);
            self.enter(u);
            let arc = self.graph.arc(u, w).expect("prefixes follow arcs");
            state = self.tally.step(state, length, arc);
        }
        if T::JOINS && !OPEN && before.is_empty() && self.max_length > 0 {
            // Nothing between the two ends: no vertex to join them.
            let direct = self.graph.neighbours(root).binary_search(&(self.target as u32)).is_ok();
            self.tally.joined(1, 0, direct.into());
        }
        if before.len() + T::REACH <= self.max_length && !self.meter.stopped() {
            self.walk(last as usize, before.len(), state);
        }
        for &v in before {
            self.leave(v as usize);
        }
        if !OPEN {
            self.words[self.target].own &= !VISITED;
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
    words: &'a [Word],
    source: usize,
    open: u32,
}

impl Ends for RowEnds<'_> {
    #[inline(always)]
    fn len(self) -> u64 {
        self.open.into()
    }

    #[inline(always)]
    fn source(self) -> usize {
        self.source
    }

    #[inline(always)]
    fn each(self, mut hear: impl FnMut(Arc)) {
        for arc in self.graph.arcs(self.source) {
            if self.words[arc.target].is_free() && arc.target != self.source {
                hear(arc);
            }
        }
    }
}

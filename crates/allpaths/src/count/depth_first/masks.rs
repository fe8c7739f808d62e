//! The walk over bit masks, for graphs of up to 128 vertices.

use super::{Goal, Walk, Walker};
use crate::count::limits::Meter;
use crate::count::tally::{Ends, Tally};
use crate::graph::{Arc, Mask, Masks};

/// Walks over masks; `OPEN` when every end counts, not only the goal's.
pub(super) struct MaskWalker<'a, M, T, const OPEN: bool> {
    masks: &'a Masks<M>,
    rows: &'a [M],
    offsets: &'a [u32],
    directed: bool,
    /// Whether an edge and the same back is something to tell.
    to_and_fro: bool,
    goal: Goal,
    max_length: usize,
    tally: T,
    meter: Meter<'a>,
    root: Option<usize>,
    target: usize,
    /// What reaches the target in one step, and may be visited.
    before_target: M,
    /// What reaches the target in at most so many steps.
    near: Vec<M>,
    /// What the tally wants to be told of as ends of paths.
    ends: M,
}

impl<'a, M: Mask, T: Tally, const OPEN: bool> MaskWalker<'a, M, T, OPEN> {
    pub(super) fn new(masks: &'a Masks<M>, walk: Walk<'a>, tally: T, meter: Meter<'a>) -> Self {
        let Walk { graph, goal, max_length, .. } = walk;
        let (rows, offsets) = (masks.rows(), graph.offsets());
        Self {
            masks,
            rows,
            offsets,
            directed: graph.is_directed(),
            to_and_fro: !OPEN || graph.is_directed() || tally.hears_to_and_fro(),
            goal,
            max_length,
            tally,
            meter,
            root: None,
            target: 0,
            before_target: M::EMPTY,
            near: Vec::new(),
            ends: !M::EMPTY,
        }
    }

    /// Turns to another root.
    fn aim(&mut self, root: usize) {
        if self.root == Some(root) {
            return;
        }
        self.root = Some(root);
        self.target = self.goal.target(root);
        let admitted = match self.goal {
            Goal::Everywhere => !M::EMPTY,
            _ => (0..self.rows.len())
                .filter(|&v| self.goal.admits(root, v))
                .fold(M::EMPTY, |set, v| set | M::bit(v)),
        };
        if T::BOOKS_STEPS {
            self.ends = M::of(self.tally.ends(root));
        }
        let into = |set| self.masks.into(set) & admitted;
        if T::JOINS {
            let row = self.rows[self.target];
            self.before_target = if self.directed { into(M::bit(self.target)) } else { row & admitted };
        }
        if !OPEN {
            let mut reached = M::bit(self.target);
            self.near.clear();
            self.near.push(reached);
            for _ in 0..self.max_length {
                reached = reached | into(reached);
                self.near.push(reached);
            }
        }
    }

    #[inline(always)]
    fn row(&self, vertex: usize) -> MaskRow<M> {
        // There is one for each vertex. Without a check, nothing is left of it where nobody asks for places of arcs.
        let start = self.offsets.get(vertex).copied().unwrap_or_default();
        MaskRow { vertex, start, targets: self.rows[vertex] }
    }

    /// Books what continues a path of `length` edges that ends with this row's vertex; gives the vertices it can
    /// go on to.
    #[inline(always)]
    fn visit(&mut self, row: MaskRow<M>, unvisited: M, length: usize, state: T::State) -> M {
        let free = row.targets & unvisited;
        if T::JOINS {
            let before = self.before_target & unvisited;
            let common = (before & free).count().into();
            let pairs = if OPEN { u64::from(before.count()) * u64::from(free.count()) - common } else { 0 };
            self.tally.joined(length + 2, pairs, common);
        } else {
            if row.targets.has(self.target) && (length != 1 || self.to_and_fro) {
                let target = self.target;
                self.tally.close(state, length + 1, || row.arc(target));
            }
            if OPEN && (!T::BOOKS_STEPS || length + 1 == self.max_length) {
                let free = if T::BOOKS_STEPS { free & self.ends } else { free };
                self.tally.paths(state, length + 1, MaskEnds { row, free });
            }
        }
        if OPEN { free } else { free & self.near[self.max_length - length - 1] }
    }

    /// Whether the tally wants to be told neither of a path that ends at `w`, nor of those one step longer, nor of a cycle. It wants to be told of the root.
    #[inline(always)]
    fn ends_nowhere(&self, w: usize, unvisited: M) -> bool {
        let on = self.rows[w] & (unvisited | M::bit(self.target));
        (on | M::bit(w)) & self.ends == M::EMPTY
    }

    fn walk(&mut self, v: usize, unvisited: M, length: usize, state: T::State) {
        let row = self.row(v);
        let mut free = self.visit(row, unvisited, length, state);
        let left = self.max_length - length - T::REACH;
        if left == 0 {
            return;
        }
        self.meter.spend(free.count().into());
        if self.meter.stopped() {
            return;
        }
        while free != M::EMPTY {
            let w = free.first();
            free = free.without_first();
            if T::BOOKS_STEPS && OPEN && left == 1 && self.ends_nowhere(w, unvisited) {
                continue;
            }
            let state = self.tally.step(state, length + 1, row.arc(w));
            let unvisited = unvisited & !M::bit(w);
            // The last visits are many and short: no call for them.
            if left == 1 {
                self.visit(self.row(w), unvisited, length + 1, state);
            } else {
                self.walk(w, unvisited, length + 1, state);
            }
        }
    }
}

impl<M: Mask, T: Tally, const OPEN: bool> Walker<T> for MaskWalker<'_, M, T, OPEN> {
    fn resume(&mut self, prefix: &[u32]) {
        let root = prefix[0] as usize;
        self.aim(root);
        let mut state = self.tally.root(root);
        let mut unvisited = !(M::bit(root) | M::bit(self.target));
        for (length, step) in (1..).zip(prefix.windows(2)) {
            let (u, w) = (step[0] as usize, step[1] as usize);
            state = self.tally.step(state, length, self.row(u).arc(w));
            unvisited = unvisited & !M::bit(w);
        }
        let length = prefix.len() - 1;
        if T::JOINS && !OPEN && length == 0 && self.max_length > 0 && self.rows[root].has(self.target) {
            // Nothing between the two ends: no vertex to join them.
            self.tally.joined(1, 0, 1);
        }
        if length + T::REACH <= self.max_length && !self.meter.stopped() {
            self.meter.spend(1);
            self.walk(prefix[length] as usize, unvisited, length, state);
        }
    }

    fn tally(&mut self) -> &mut T {
        &mut self.tally
    }

    fn finish(self) -> T {
        self.tally
    }
}

/// A vertex, where its row starts among all arcs, and the vertices in it.
#[derive(Clone, Copy)]
struct MaskRow<M> {
    vertex: usize,
    start: u32,
    targets: M,
}

impl<M: Mask> MaskRow<M> {
    /// The arc to a vertex of the row: its place is the number of smaller ones.
    #[inline(always)]
    fn arc(self, target: usize) -> Arc {
        let before = (self.targets & M::below(target)).count();
        Arc { source: self.vertex, target, index: (self.start + before) as usize }
    }
}

#[derive(Clone, Copy)]
struct MaskEnds<M> {
    row: MaskRow<M>,
    free: M,
}

impl<M: Mask> Ends for MaskEnds<M> {
    #[inline(always)]
    fn len(self) -> u64 {
        self.free.count().into()
    }

    #[inline(always)]
    fn source(self) -> usize {
        self.row.vertex
    }

    #[inline(always)]
    fn each(self, mut hear: impl FnMut(Arc)) {
        let mut free = self.free;
        while free != M::EMPTY {
            hear(self.row.arc(free.first()));
            free = free.without_first();
        }
    }
}

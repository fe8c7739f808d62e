//! Engine `depth-first`: walk every simple path, book the last step in bulk.
//!
//! From each root the walk visits every simple path that is at least one edge shorter than the longest length
//! asked for. At each visit all one-step continuations are booked at once: their number is a popcount, or a
//! degree minus a number of visited neighbours that is kept up to date. So the longest paths, by far the most,
//! are never walked.
//!
//! Where only totals matter, the walk stops one step earlier still. Between the first vertex walked and the last
//! lie the inner vertices of longer paths: with `a` unvisited vertices before the first, `b` after the last, and
//! `c` that are both, `a b - c` paths extend the one walked by a vertex at each end, and `c` cycles close around it.
//!
//! The cost is one *step* for each rooted path that is shorter than the longest length by one edge, or by two.
//!
//! Three walkers of simple paths share this file's driver: [`masks`] for graphs of up to 128 vertices, [`outward`] for totals of
//! those that are undirected, [`rows`] for all others. A fourth, [`trails`], has another rule: no edge twice. They tell a [`Tally`] and know nothing of what it books.
//! A fifth, [`joint`], tells of both ends of a path at once.
//!
//! What need not be walked is not: [`girth`] has totals of small graphs whose cycles are long, [`parts`] cuts graphs down to where cycles and paths between two vertices can be, and
//! [`chains`] goes through rows of vertices that leave no choice in one step.

mod chains;
mod girth;
mod joint;
mod masks;
mod outward;
mod parts;
mod rows;
mod trails;

use std::ops::Range;

use num_bigint::BigInt;

use super::Subject;
use super::engine::{Bounds, Method, PairRows, Question, Rooted, Run, Weight, add_rooted, widened};
use super::limits::{Allowance, Job, Limits, Outcome};
use super::number::Count;
use super::ring::Ring;
use super::tally::{FromRoot, Joint, Products, Row, Tally, Totals};
use super::walks;
use crate::Graph;
use crate::graph::{Mask, Masks};
use crate::threads;
use joint::JointWalker;
use masks::MaskWalker;
use outward::OutwardWalker;
use rows::{RowView, RowWalker};
use trails::TrailWalker;

/// The engine at work on a graph.
pub(super) struct DepthFirst<'a> {
    graph: &'a Graph,
}

impl<'a> DepthFirst<'a> {
    pub(super) fn new(graph: &'a Graph) -> Self {
        Self { graph }
    }

    fn walk<'b>(&self, goal: Goal, run: Run<'b>) -> Walk<'b>
    where
        'a: 'b,
    {
        let Run { max_length, job, parts, parallel } = run;
        Walk { graph: self.graph, goal, max_length, job, parts, parallel }
    }

    /// Paths from one vertex to another, by length.
    fn paths_between(&self, source: usize, target: usize, run: Run<'_>) -> Result<Vec<Count>, Outcome> {
        let walk = self.walk(Goal::Pair { source, target }, run);
        let totals = walk.total(|| Totals::up_to(run.max_length), Totals::merge)?;
        Ok(totals.rooted(|_, [_, reached]| reached.into()))
    }

    /// Totals of products in a ring, rooted. Sums of reals depend on their order, so it is fixed: root by root.
    fn products<R: Ring + Copy>(
        &self,
        subject: Subject,
        weight: Weight<'_, R>,
        run: Run<'_>,
    ) -> Result<Rooted<R>, Outcome> {
        let weights: Vec<R> = (0..self.graph.order()).flat_map(|v| self.graph.arcs(v)).map(weight).collect();
        let fresh = || Products::new(&weights, run.max_length);
        let goal = Goal::of(subject);
        let rows = self.walk(goal, run).by_root(fresh, Products::take)?;
        let mut sums = rows.into_iter().reduce(add_rooted).unwrap_or_default();
        for (length, [_, cycles]) in sums.iter_mut().enumerate().skip(2) {
            let once = *cycles;
            (1..goal.starts(length)).for_each(|_| cycles.add(&once));
        }
        Ok(sums)
    }
}

impl Method for DepthFirst<'_> {
    fn bounds(&self, question: Question, longest: usize, limits: &Limits) -> Bounds {
        // A walk takes steps to all lengths but the last ones.
        let walked = |length: usize| (length + 1).saturating_sub(question.reach());
        let small = walks::rough(self.graph, walked(longest));
        if small <= limits.steps.map_or(1e6, |steps| 1e6f64.min(steps as f64)) {
            return Bounds::Small(small);
        }
        let root = if let Question::Between(source, _) = question { Some(source) } else { None };
        let steps = walks::by_length(self.graph, walked(longest), root);
        // Over rows, each root first tells all that are two steps away how many neighbours they have in common with it:
        // as much work as a walk to there.
        let told = match (question, self.graph.order()) {
            (Question::Total, 129..) => {
                (0..self.graph.order()).map(|v| (self.graph.neighbours(v).len() as f64).powi(2)).sum()
            }
            _ => 0.0,
        };
        Bounds::Steps((0..=longest).map(|length| told + steps[walked(length)]).collect())
    }

    fn total(&self, subject: Subject, run: Run<'_>) -> Result<Rooted, Outcome> {
        let goal = Goal::of(subject);
        if !self.graph.is_directed() {
            if goal == Goal::Back {
                return self.cycles_in_blocks(run);
            }
            if let Some(totals) = girth::totals(self.graph, run) {
                run.job.monitor.advance(run.job.share);
                return Ok(totals);
            }
        }
        let totals = self.walk(goal, run).total(|| Totals::up_to(run.max_length), Totals::merge)?;
        // Nobody walks so long that 128 bits are not enough.
        Ok(totals.rooted(|length, [paths, closed]| {
            [paths, closed * u128::from(goal.starts(length))].map(Count::from)
        }))
    }

    fn by_vertex(&self, run: Run<'_>) -> Result<Vec<Rooted>, Outcome> {
        let fresh = || FromRoot(Totals::up_to(run.max_length));
        self.walk(Goal::Everywhere, run).by_root(fresh, |tally| {
            let totals = std::mem::replace(tally, fresh()).0;
            totals.rooted(|_, counts| counts.map(Count::from))
        })
    }

    fn by_pair(&self, run: Run<'_>) -> Result<PairRows, Outcome> {
        self.walk(Goal::Everywhere, run).by_root(|| Row::new(self.graph.order(), run.max_length), Row::drain)
    }

    fn between(&self, source: usize, target: usize, run: Run<'_>) -> Result<Vec<Count>, Outcome> {
        match self.graph.is_directed() {
            true => self.paths_between(source, target, run),
            false => self.paths_in_between([source, target], run),
        }
    }

    fn weighted(
        &self,
        subject: Subject,
        weight: Weight<'_, f64>,
        run: Run<'_>,
    ) -> Result<Rooted<f64>, Outcome> {
        self.products(subject, weight, run)
    }

    fn signed(
        &self,
        subject: Subject,
        sign: Weight<'_, i128>,
        run: Run<'_>,
    ) -> Result<Rooted<BigInt>, Outcome> {
        Ok(widened(self.products(subject, sign, run)?))
    }
}

/// What a walk is after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// All paths from every root; cycles are met on the way.
    Everywhere,
    /// Cycles alone, each from its smallest vertex: only larger ones are visited, and only while the root can
    /// still be reached in time.
    Back,
    /// Paths from one vertex to another, visiting only what can still reach it in time.
    Pair {
        /// The first vertex.
        source: usize,
        /// The last.
        target: usize,
    },
    /// All trails from every root: no edge is used twice, but vertices may be visited again.
    Trails,
}

impl Goal {
    fn of(subject: Subject) -> Self {
        if subject.has_paths() { Goal::Everywhere } else { Goal::Back }
    }

    /// How many starts of a cycle one meeting stands for.
    fn starts(self, length: usize) -> u64 {
        if self == Goal::Back { length as u64 } else { 1 }
    }

    fn roots(self, graph: &Graph) -> Range<usize> {
        match self {
            Goal::Pair { source, .. } => source..source + 1,
            _ => 0..graph.order(),
        }
    }

    /// Whether a walk from `root` may visit `vertex`.
    fn admits(self, root: usize, vertex: usize) -> bool {
        match self {
            Goal::Everywhere | Goal::Trails => true,
            Goal::Back => vertex > root,
            Goal::Pair { target, .. } => vertex != target,
        }
    }

    fn target(self, root: usize) -> usize {
        match self {
            Goal::Pair { target, .. } => target,
            _ => root,
        }
    }
}

/// A walk over one graph: what it is after and how far it goes.
#[derive(Clone, Copy)]
pub(crate) struct Walk<'a> {
    pub(crate) graph: &'a Graph,
    pub(crate) goal: Goal,
    pub(crate) max_length: usize,
    pub(crate) job: Job<'a>,
    /// Into how many parts to cut it, at least, where it can be cut; 1 for work not worth cutting.
    pub(crate) parts: usize,
    /// Whether the parts may be walked at the same time.
    pub(crate) parallel: bool,
}

/// One worker's walk.
trait Walker<T> {
    /// Books all that continues the path `prefix`, which is simple and admitted by the goal.
    fn resume(&mut self, prefix: &[u32]);

    fn tally(&mut self) -> &mut T;

    fn finish(self) -> T;
}

/// Something to do with walkers, whatever their kind.
trait Errand<T> {
    type Result;

    fn run<W: Walker<T> + Send>(self, new_walker: impl Fn(T) -> W + Sync + Send) -> Self::Result;
}

impl Walk<'_> {
    /// Walks everything into one tally.
    ///
    /// # Errors
    ///
    /// With the outcome, when it was stopped before the end.
    pub(crate) fn total<T: Tally<State: Send> + Send>(
        self,
        make: impl Fn() -> T + Sync + Send,
        merge: impl Fn(T, T) -> T + Sync + Send,
    ) -> Result<T, Outcome> {
        if self.parts == 1 {
            let (tally, outcome) = self.tell(make());
            self.job.monitor.advance(self.job.share);
            return if outcome == Outcome::Complete { Ok(tally) } else { Err(outcome) };
        }
        // Walks that share their first steps would all book them.
        const { assert!(!T::BOOKS_STEPS) };
        let allowance = Allowance::new(self.job);
        let prefixes = self.prefixes::<T>();
        let (make, merge, allowed) = (&make, &merge, &allowance);
        let errand = |prefixes, parallel| Total { prefixes, parallel, allowance: allowed, make, merge };
        let mut tally = self.with_walkers(&allowance, errand(&prefixes, self.parallel));
        if prefixes.length > 0 {
            // The walks began where the prefixes end: what is as short as those is still to be booked.
            let short = Walk { max_length: prefixes.length + T::REACH - 1, ..self };
            let roots = Prefixes::roots(self.goal.roots(self.graph));
            tally = merge(tally, short.with_walkers(&allowance, errand(&roots, false)));
        }
        match allowance.outcome() {
            Outcome::Complete => Ok(tally),
            stopped => Err(stopped),
        }
    }

    /// Walks from each root apart, and gives what `extract` takes out of the tally after each.
    ///
    /// # Errors
    ///
    /// With the outcome, when it was stopped before the end.
    pub(crate) fn by_root<T: Tally<State: Send> + Send, R: Send>(
        self,
        make: impl Fn() -> T + Sync + Send,
        extract: impl Fn(&mut T) -> R + Sync + Send,
    ) -> Result<Vec<R>, Outcome> {
        let allowance = Allowance::new(self.job);
        let roots = self.goal.roots(self.graph);
        let errand = ByRoot { roots, parallel: self.parallel, allowance: &allowance, make, extract };
        let rows = self.with_walkers(&allowance, errand);
        match allowance.outcome() {
            Outcome::Complete => Ok(rows),
            stopped => Err(stopped),
        }
    }

    /// Walks everything on this thread into a tally, and gives that back however it ended.
    pub(crate) fn tell<T: Tally<State: Send> + Send>(self, tally: T) -> (T, Outcome) {
        let allowance = Allowance::new(self.job);
        let tally = self.with_walkers(&allowance, Tell { roots: self.goal.roots(self.graph), tally });
        (tally, allowance.outcome())
    }

    /// Whether [`Walk::join`] can walk a graph.
    pub(crate) fn can_join(graph: &Graph) -> bool {
        !graph.is_directed() && graph.order() <= u128::CAPACITY
    }

    /// Walks all paths and cycles on this thread, each from its middle, into a tally that hears of pairs of ends.
    pub(crate) fn join<T: Joint>(self, tally: &mut T) -> Outcome {
        let allowance = Allowance::new(self.job);
        match self.graph.order() {
            0..=64 => self.join_masks::<u64, T>(tally, &allowance),
            _ => self.join_masks::<u128, T>(tally, &allowance),
        }
        allowance.outcome()
    }

    fn join_masks<M: Mask, T: Joint>(self, tally: &mut T, allowance: &Allowance<'_>) {
        debug_assert!(Self::can_join(self.graph) && self.goal == Goal::Everywhere);
        let masks = Masks::<M>::of(self.graph).expect("the kind of mask was chosen to fit");
        JointWalker::new(&masks, self.max_length, tally, allowance.meter()).walk();
    }

    /// Runs an errand with walkers of the kind that suits the graph.
    fn with_walkers<T: Tally<State: Send> + Send, E: Errand<T>>(
        self,
        allowance: &Allowance<'_>,
        errand: E,
    ) -> E::Result {
        match (self.graph.order(), self.goal) {
            (_, Goal::Trails) => errand.run(|tally| TrailWalker::new(self, tally, allowance.meter())),
            (0..=64, Goal::Everywhere) => self.with_masks::<u64, T, E, true>(allowance, errand),
            (0..=64, _) => self.with_masks::<u64, T, E, false>(allowance, errand),
            (65..=128, Goal::Everywhere) => self.with_masks::<u128, T, E, true>(allowance, errand),
            (65..=128, _) => self.with_masks::<u128, T, E, false>(allowance, errand),
            (_, Goal::Everywhere) => self.with_rows::<T, E, true>(allowance, errand),
            (_, _) => self.with_rows::<T, E, false>(allowance, errand),
        }
    }

    fn with_masks<M: Mask, T: Tally<State: Send> + Send, E: Errand<T>, const OPEN: bool>(
        self,
        allowance: &Allowance<'_>,
        errand: E,
    ) -> E::Result {
        let masks = Masks::<M>::of(self.graph).expect("the kind of mask was chosen to fit");
        if self.is_outward::<T>() {
            return errand.run(|tally| OutwardWalker::new(&masks, self, tally, allowance.meter()));
        }
        errand.run(|tally| MaskWalker::<M, T, OPEN>::new(&masks, self, tally, allowance.meter()))
    }

    fn with_rows<T: Tally<State: Send> + Send, E: Errand<T>, const OPEN: bool>(
        self,
        allowance: &Allowance<'_>,
        errand: E,
    ) -> E::Result {
        let view = RowView::of(self.graph);
        errand.run(|tally| RowWalker::<T, OPEN>::new(&view, self, tally, allowance.meter()))
    }

    /// Whether paths are walked from their middle outward.
    fn is_outward<T: Tally>(&self) -> bool {
        T::JOINS && self.goal == Goal::Everywhere && !self.graph.is_directed() && self.graph.order() <= 128
    }

    /// The beginnings of all walks, enough of them to share out.
    fn prefixes<T: Tally>(&self) -> Prefixes {
        let longest = match self.goal {
            // Beginnings are simple paths, and trails are more.
            Goal::Trails => 0,
            // From the middle, a walk can be cut at its first step alone.
            _ if self.is_outward::<T>() => 1,
            _ => 5,
        };
        let longest = longest.min(self.max_length.saturating_sub(T::REACH));
        let mut prefixes = Prefixes::roots(self.goal.roots(self.graph));
        while prefixes.count() < self.parts && prefixes.length < longest {
            let mut longer = Prefixes { length: prefixes.length + 1, vertices: Vec::new() };
            for prefix in prefixes.iter() {
                for &w in self.graph.neighbours(prefix[prefixes.length] as usize) {
                    if !prefix.contains(&w) && self.goal.admits(prefix[0] as usize, w as usize) {
                        longer.vertices.extend(prefix);
                        longer.vertices.push(w);
                    }
                }
            }
            prefixes = longer;
        }
        prefixes
    }
}

/// Simple paths of one length, from which walks go on.
struct Prefixes {
    length: usize,
    /// Path after path, `length + 1` vertices each.
    vertices: Vec<u32>,
}

impl Prefixes {
    fn roots(roots: Range<usize>) -> Self {
        Self { length: 0, vertices: roots.map(|root| root as u32).collect() }
    }

    fn count(&self) -> usize {
        self.vertices.len() / (self.length + 1)
    }

    fn iter(&self) -> impl Iterator<Item = &[u32]> + Send {
        self.vertices.chunks_exact(self.length + 1)
    }
}

/// Resumes all roots with one tally.
struct Tell<T> {
    roots: Range<usize>,
    tally: T,
}

impl<T> Errand<T> for Tell<T> {
    type Result = T;

    fn run<W: Walker<T> + Send>(self, new_walker: impl Fn(T) -> W + Sync + Send) -> T {
        let mut walker = new_walker(self.tally);
        self.roots.for_each(|root| walker.resume(&[root as u32]));
        walker.finish()
    }
}

/// Resumes all prefixes and merges the tallies.
struct Total<'a, N, F> {
    prefixes: &'a Prefixes,
    parallel: bool,
    allowance: &'a Allowance<'a>,
    make: N,
    merge: F,
}

impl<T, N, F> Errand<T> for Total<'_, N, F>
where
    T: Send,
    N: Fn() -> T + Sync + Send,
    F: Fn(T, T) -> T + Sync + Send,
{
    type Result = T;

    fn run<W: Walker<T> + Send>(self, new_walker: impl Fn(T) -> W + Sync + Send) -> T {
        let share = 1.0 / self.prefixes.count().max(1) as f64;
        let resume = |walker: &mut W, prefix: &[u32]| {
            walker.resume(prefix);
            self.allowance.advance(share);
        };
        let new_walker = || new_walker((self.make)());
        let walkers = threads::fold(self.parallel, self.prefixes.iter(), new_walker, resume);
        walkers.into_iter().map(W::finish).reduce(self.merge).unwrap_or_else(self.make)
    }
}

/// Resumes each root and takes something out of the tally after each.
struct ByRoot<'a, N, F> {
    roots: Range<usize>,
    parallel: bool,
    allowance: &'a Allowance<'a>,
    make: N,
    extract: F,
}

impl<T, R, N, F> Errand<T> for ByRoot<'_, N, F>
where
    R: Send,
    N: Fn() -> T + Sync + Send,
    F: Fn(&mut T) -> R + Sync + Send,
{
    type Result = Vec<R>;

    fn run<W: Walker<T> + Send>(self, new_walker: impl Fn(T) -> W + Sync + Send) -> Vec<R> {
        let share = 1.0 / self.roots.len().max(1) as f64;
        let row = |walker: &mut W, root: usize| {
            walker.resume(&[root as u32]);
            self.allowance.advance(share);
            (self.extract)(walker.tally())
        };
        let new_walker = || new_walker((self.make)());
        threads::map_with(self.parallel, self.roots, new_walker, row)
    }
}

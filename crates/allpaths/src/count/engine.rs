//! What every engine can do, and how it is run under limits.

use std::sync::atomic::AtomicU64;

use num_bigint::BigInt;
use serde::{Deserialize, Serialize};

use super::Subject;
use super::counts::Extent;
use super::depth_first::DepthFirst;
use super::frontier::Frontier;
use super::limits::{Job, Limits, Outcome};
use super::meet::Meet;
use super::number::Count;
use super::quotient::Quotient;
use super::ring::Ring;
use super::sieve::Sieve;
use crate::graph::Arc;
use crate::{Graph, Monitor};

/// How to count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Engine {
    /// Whatever is fastest for the graph at hand.
    #[default]
    Auto,
    /// Walk every path. Takes any graph; the cost grows with the number of paths.
    DepthFirst,
    /// The algorithm of Giscard and Wilson: sum over connected induced subgraphs. The cost grows with their number;
    /// lengths up to 62.
    Sieve,
    /// Signed sums of walks, by algebra. The cost grows with the graph and not with its paths: for dense graphs and large networks; lengths up
    /// to 9.
    Quotient,
    /// States of a frontier that sweeps over the graph. The cost grows with the width of the graph and not with its paths: for long paths in grids and
    /// road networks. Graphs without directions.
    Frontier,
    /// Half-paths from a vertex in the middle to both ends, and how many of them share no vertex. The cost grows with the number of half-paths: for one pair of
    /// vertices of many neighbours. Counts without weights.
    Meet,
}

impl Engine {
    /// The name that outputs use.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Auto => "auto",
            Engine::DepthFirst => "depth-first",
            Engine::Sieve => "sieve",
            Engine::Quotient => "quotient",
            Engine::Frontier => "frontier",
            Engine::Meet => "meet",
        }
    }

    /// The longest length that it counts.
    pub(crate) fn longest(self) -> usize {
        self.longest_for(Question::Total)
    }

    /// The longest length for which it answers a question.
    pub(super) fn longest_for(self, question: Question) -> usize {
        match self {
            Engine::Sieve => super::sieve::LONGEST,
            Engine::Quotient => super::quotient::longest(question),
            Engine::Auto | Engine::DepthFirst | Engine::Frontier | Engine::Meet => 1_000_000,
        }
    }

    /// Why it does not take a graph, where it does not.
    pub(crate) fn refuses(self, graph: &Graph) -> Option<&'static str> {
        (self == Engine::Frontier && graph.is_directed())
            .then_some("the frontier engine counts in graphs without directions: take another, or auto")
    }

    /// Why it does not answer a question about a graph, where it does not.
    pub(super) fn refusal(self, graph: &Graph, question: Question) -> Option<&'static str> {
        match self {
            Engine::Meet if question == Question::Weights => {
                Some("the meet engine counts without weights or signs: take another, or auto")
            }
            _ => self.refuses(graph),
        }
    }

    /// The engine set to work on a graph.
    pub(super) fn on(self, graph: &Graph, subject: Subject) -> Box<dyn Method + '_> {
        match self {
            Engine::Quotient => Box::new(Quotient::new(graph, subject)),
            Engine::Sieve => Box::new(Sieve::new(graph)),
            Engine::Frontier => Box::new(Frontier::new(graph, subject)),
            Engine::Meet => Box::new(Meet::new(graph)),
            _ => Box::new(DepthFirst::new(graph)),
        }
    }
}

/// Rooted numbers of paths and cycles, by length from 0.
pub(super) type Rooted<N = Count> = Vec<[N; 2]>;

/// What an arc weighs.
pub(super) type Weight<'a, R> = &'a (dyn Fn(Arc) -> R + Sync);

/// For each first vertex, the last vertices that some path reaches, ascending, with counts from length 1.
pub(super) type PairRows = Vec<Vec<(u32, Vec<u128>)>>;

/// An engine at work on a graph. Whatever it gives for lengths 0 and 1 is not looked at: those are the graph itself.
///
/// All counts are rooted: the sums of the matrices `P(l)`, off the diagonal and on it.
pub(super) trait Method: Sync {
    /// Bounds on the steps that runs to each length up to `longest` take, for one question.
    fn bounds(&self, question: Question, longest: usize, limits: &Limits) -> Bounds;

    /// Totals over the graph.
    fn total(&self, subject: Subject, run: Run<'_>) -> Result<Rooted, Outcome>;

    /// For each first vertex: the paths from it, and the cycles through it once for each direction.
    fn by_vertex(&self, run: Run<'_>) -> Result<Vec<Rooted>, Outcome>;

    /// For each pair of vertices.
    fn by_pair(&self, run: Run<'_>) -> Result<PairRows, Outcome>;

    /// For one pair of vertices; paths only.
    fn between(&self, source: usize, target: usize, run: Run<'_>) -> Result<Vec<Count>, Outcome>;

    /// Totals over the graph, each path and cycle with the product of its arcs' weights.
    fn weighted(
        &self,
        subject: Subject,
        weight: Weight<'_, f64>,
        run: Run<'_>,
    ) -> Result<Rooted<f64>, Outcome>;

    /// Totals over the graph, each path and cycle with the product of its arcs' signs.
    fn signed(
        &self,
        subject: Subject,
        sign: Weight<'_, i128>,
        run: Run<'_>,
    ) -> Result<Rooted<BigInt>, Outcome>;
}

/// Sums of signs that fit into 128 bits, as those that may not.
pub(super) fn widened(rooted: Rooted<i128>) -> Rooted<BigInt> {
    rooted.into_iter().map(|sums| sums.map(BigInt::from)).collect()
}

/// Adds rooted numbers, length by length.
pub(super) fn add_rooted<R: Ring>(mut mine: Rooted<R>, theirs: Rooted<R>) -> Rooted<R> {
    for (mine, theirs) in mine.iter_mut().zip(theirs) {
        mine[0].add(&theirs[0]);
        mine[1].add(&theirs[1]);
    }
    mine
}

/// The numbers of each vertex, from the paths between all pairs: a path and an arc back are a cycle.
pub(super) fn of_vertices(graph: &Graph, pairs: &PairRows, max_length: usize) -> Vec<Rooted> {
    let of_vertex = |(v, row): (u32, &Vec<(u32, Vec<u128>)>)| {
        let mut sums = vec![[Count::ZERO, Count::ZERO]; max_length + 1];
        for (w, paths) in row {
            let leads_back = graph.neighbours(*w as usize).binary_search(&v).is_ok();
            for (length, &paths) in (1..).zip(paths) {
                sums[length][0] += &Count::from(paths);
                if leads_back && length < max_length {
                    sums[length + 1][1] += &Count::from(paths);
                }
            }
        }
        sums
    };
    (0..).zip(pairs).map(of_vertex).collect()
}

/// What is asked, as far as it decides the cost.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Question {
    /// Numbers of the graph as a whole.
    Total,
    /// Something of each vertex or path.
    Each,
    /// The paths between all pairs of vertices.
    Pairs,
    /// Sums of weights or signs.
    Weights,
    /// The paths from one vertex to another.
    Between(usize, usize),
}

impl Question {
    /// How many of the last steps a walk does not take, but books in bulk; the first one may be among them.
    pub(super) fn reach(self) -> usize {
        match self {
            Question::Each | Question::Pairs | Question::Weights => 1,
            Question::Total | Question::Between(..) => 2,
        }
    }
}

/// How much runs to each length will take.
pub(super) enum Bounds {
    /// So little, to the longest, that it does not matter.
    Small(f64),
    /// So many steps at most, by length from 0; infinite where nobody knows.
    Steps(Vec<f64>),
}

impl Bounds {
    /// Whether there is so little to do that no other engine needs a thought.
    pub(super) fn are_little(&self) -> bool {
        matches!(self, Bounds::Small(steps) if *steps <= LITTLE)
    }
}

/// Steps of a walk that are over before other engines are ready.
pub(super) const LITTLE: f64 = 2e4;

/// One run: how far, and under what conditions.
#[derive(Clone, Copy)]
pub(super) struct Run<'a> {
    pub(super) max_length: usize,
    pub(super) job: Job<'a>,
    /// Into how many parts to cut it, at least, where it can be cut; 1 for work not worth cutting.
    pub(super) parts: usize,
    /// Whether the parts may run at the same time.
    pub(super) parallel: bool,
}

impl Run<'_> {
    /// The same run, which is no more than a share of the job.
    pub(super) fn share(self, share: f64) -> Self {
        Self { job: Job { share: self.job.share * share, ..self.job }, ..self }
    }
}

/// Runs an engine to growing lengths and keeps what the last run that came to its end found, with how far it went.
///
/// A run gives all its lengths or, when it is stopped, none. So a run that may be stopped is preceded by shorter ones,
/// as far as those cost little beside it; see [`schedule`].
pub(super) fn deepen<R: Default>(
    bounds: Bounds,
    [longest, max_length]: [usize; 2],
    limits: &Limits,
    job: Job<'_>,
    workers: usize,
    mut run: impl FnMut(Run<'_>) -> Result<R, Outcome>,
) -> (R, Extent) {
    let (only, several);
    let plan: &[(usize, f64)] = match bounds {
        Bounds::Small(steps) => {
            only = [(longest, steps)];
            &only
        }
        Bounds::Steps(bounds) => {
            several = schedule(&bounds, longest, limits);
            &several
        }
    };
    let all: f64 = plan.iter().map(|&(_, bound)| bound).sum();
    let share = |bound: f64| if all.is_finite() && all > 0.0 { bound / all } else { 1.0 / plan.len() as f64 };
    let (mut found, mut finished) = (R::default(), None);
    let mut last_steps = 0;
    let mut rest = plan;
    while let [(length, bound), after @ ..] = rest {
        let (length, bound) = (*length, *bound);
        rest = after;
        // Work of a few milliseconds is not worth cutting up. Where a longer walk is cut shows in its steps, so that must
        // not depend on the threads.
        #[allow(clippy::cast_sign_loss)] // a bound is not negative
        let parts = if bound > 1e6 { (bound / 1e5).min(1024.0) as usize } else { 1 };
        let parallel = parts > 1 && workers > 1;
        let taken = AtomicU64::new(0);
        let job = Job { share: job.share * share(bound), taken: Some(&taken), ..job };
        match run(Run { max_length: length, job, parts, parallel }) {
            Ok(result) => {
                (found, finished) = (result, Some(length));
                let steps = taken.into_inner();
                // Bounds go on growing where paths have long run out. A run that took hardly more than the one before it
                // shows that they have: no further ones are needed before the last.
                if limits.steps.is_none() && steps > 1_000_000 && steps < 2 * last_steps {
                    rest = &rest[rest.len().saturating_sub(1)..];
                }
                last_steps = steps;
            }
            Err(outcome) => {
                if let Some(finished) = finished {
                    return (found, Extent { max_length, finished, outcome });
                }
                // Lengths 0 and 1 are the graph itself: they cost nothing and are never refused.
                let monitor = Monitor::new();
                let job = Job::unlimited(&monitor);
                found = run(Run { max_length: longest.min(1), job, parts: 1, parallel: false })
                    .unwrap_or_default();
                if longest > 1 {
                    return (found, Extent { max_length, finished: 1, outcome });
                }
            }
        }
    }
    // No path or cycle is longer than the graph has vertices.
    (found, Extent { max_length, finished: max_length, outcome: Outcome::Complete })
}

/// The lengths of the runs, one after the other, with a bound on the steps of each.
///
/// Without limits, a shorter run comes first if it costs at most a twentieth of the next, so that somebody who loses
/// patience has something in hand. With a time limit, a quarter. With a budget, every length that may exceed it gets
/// a run of its own, after the longest that cannot.
fn schedule(bounds: &[f64], longest: usize, limits: &Limits) -> Vec<(usize, f64)> {
    let worthwhile = if limits.time.is_some() { 0.25 } else { 0.05 };
    let mut lengths = vec![longest];
    for length in (2..longest).rev() {
        let next = bounds[lengths[lengths.len() - 1]];
        let take = match limits.steps {
            Some(steps) => next > steps as f64,
            // Below this a run is over before anybody can stop it.
            None => next > 1e7 && bounds[length] <= worthwhile * next,
        };
        if take {
            lengths.push(length);
        }
    }
    lengths.reverse();
    lengths.into_iter().map(|length| (length, bounds[length])).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn schedules() {
        let bounds = [0.0, 1e2, 1e4, 1e6, 1e8, 1e10];
        let limited = |steps, time| Limits { steps, time, ..Limits::default() };
        let lengths = |bounds: &[f64], limits: &Limits| -> Vec<usize> {
            let plan = schedule(bounds, bounds.len() - 1, limits);
            plan.into_iter().map(|(length, _)| length).collect()
        };
        assert_eq!(lengths(&bounds, &limited(None, None)), [3, 4, 5]);
        assert_eq!(lengths(&bounds, &limited(Some(1_000_000), None)), [3, 4, 5]);
        assert_eq!(lengths(&bounds, &limited(Some(100_000_000_000), None)), [5]);
        assert_eq!(lengths(&bounds, &limited(Some(0), None)), [2, 3, 4, 5]);
        let doubling = [0.0, 1e7, 2e7, 4e7, 8e7, 1.6e8];
        assert_eq!(lengths(&doubling, &limited(None, None)), [5]);
        assert_eq!(lengths(&doubling, &limited(None, Some(Duration::from_secs(1)))), [3, 5]);
        assert_eq!(lengths(&[0.0], &limited(None, None)), [0]);
    }
}

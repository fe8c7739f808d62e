//! Counting simple paths and simple cycles, exactly.
//!
//! [`Counter`] holds the settings and counts; [`Counts`] is what it finds. How the counting is done is the
//! [`Engine`]'s business: every engine gives the same numbers, and differs in what it can bear.

mod counts;
mod depth_first;
mod limits;
mod number;
mod tally;
mod walks;

use std::time::Duration;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

pub use counts::{ByPair, Convention, Counts};
pub use limits::{Limits, Outcome};
pub use number::Count;

use crate::{Error, Graph, Monitor, Result};
use counts::Extent;
use depth_first::{Goal, Walk};
use limits::Job;
use tally::{Row, Totals};

/// How to count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Engine {
    /// Whatever is fastest for the graph at hand.
    #[default]
    Auto,
    /// Walk every path.
    DepthFirst,
}

impl Engine {
    /// The name that outputs use.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Auto => "auto",
            Engine::DepthFirst => "depth-first",
        }
    }

    /// The engine that does the work when this one is asked for.
    #[must_use]
    pub fn resolved(self) -> Self {
        match self {
            Engine::Auto | Engine::DepthFirst => Engine::DepthFirst,
        }
    }
}

/// What to count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Subject {
    /// Paths and cycles.
    #[default]
    Both,
    /// Paths alone.
    Paths,
    /// Cycles alone: faster than both, since only what leads back is walked.
    Cycles,
}

impl Subject {
    fn has_paths(self) -> bool {
        self != Subject::Cycles
    }

    fn has_cycles(self) -> bool {
        self != Subject::Paths
    }
}

/// Counts simple paths and simple cycles up to a length.
///
/// Length is the number of edges. A path visits no vertex twice and counts once, whichever way it is read; a
/// cycle of an undirected graph has at least three edges and counts once. A directed path or cycle follows its
/// arcs, and a directed cycle may have two edges. A self-loop is a cycle of length 1, and each vertex a path of
/// length 0. [`Counts::rooted`] gives the sums of the paper's matrices instead.
///
/// # Errors
///
/// When the settings contradict each other or the graph. A spent budget is not an error: the outcome in the
/// result says how far the count came.
///
/// # Complexity
///
/// The depth-first engine takes time proportional to the number of paths that are one edge shorter than
/// `max_length`, and memory proportional to the graph.
///
/// # Example
///
/// ```
/// # use allpaths::{Graph, Counter};
/// // 0---1
/// //  \ /
/// //   2---3
/// let graph = Graph::from_edges(4, [(0, 1), (1, 2), (2, 0), (2, 3)])?;
/// let counts = Counter::up_to(3).count(&graph)?;
/// assert_eq!(counts.paths(2), 5);
/// assert_eq!(counts.paths(3), 2);
/// assert_eq!(counts.cycles(3), 1);
/// assert_eq!(counts.rooted().cycles(3), 6); // from each vertex, in each direction
/// # Ok::<(), allpaths::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counter {
    max_length: usize,
    #[serde(default)]
    engine: Engine,
    #[serde(default)]
    subject: Subject,
    #[serde(default)]
    limits: Limits,
    #[serde(default)]
    threads: Option<usize>,
}

impl Counter {
    /// Counts lengths 0 to `max_length`, paths and cycles, on all processors, without limits.
    pub fn up_to(max_length: usize) -> Self {
        Self {
            max_length,
            engine: Engine::default(),
            subject: Subject::default(),
            limits: Limits::default(),
            threads: None,
        }
    }

    /// Sets the engine.
    #[must_use]
    pub fn engine(mut self, engine: Engine) -> Self {
        self.engine = engine;
        self
    }

    /// Sets what is counted.
    #[must_use]
    pub fn subject(mut self, subject: Subject) -> Self {
        self.subject = subject;
        self
    }

    /// Sets the most steps that a length of one graph may take; see [`Limits::steps`].
    #[must_use]
    pub fn budget(mut self, steps: u64) -> Self {
        self.limits.steps = Some(steps);
        self
    }

    /// Sets the most time for a call; see [`Limits::time`].
    #[must_use]
    pub fn time_limit(mut self, time: Duration) -> Self {
        self.limits.time = Some(time);
        self
    }

    /// Sets the number of threads. The counts do not depend on it.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// Counts in one graph.
    ///
    /// # Errors
    ///
    /// When the settings contradict each other.
    pub fn count(&self, graph: &Graph) -> Result<Counts> {
        self.count_under(graph, &Monitor::new())
    }

    /// Counts in one graph under the eyes of a monitor.
    ///
    /// # Errors
    ///
    /// As [`Counter::count`].
    pub fn count_under(&self, graph: &Graph, monitor: &Monitor) -> Result<Counts> {
        let job = self.job(monitor, 1.0);
        self.parallel(|| self.counts(graph, job))
    }

    /// Counts in each of many graphs, in their order.
    ///
    /// # Errors
    ///
    /// As [`Counter::count`].
    ///
    /// # Example
    ///
    /// ```
    /// # use allpaths::{Graph, Counter};
    /// let triangle = Graph::from_edges(3, [(0, 1), (1, 2), (2, 0)])?;
    /// let path = Graph::from_edges(3, [(0, 1), (1, 2)])?;
    /// let counts = Counter::up_to(3).count_each(&[triangle, path])?;
    /// assert_eq!(counts[0].cycles(3), 1);
    /// assert_eq!(counts[1].cycles(3), 0);
    /// # Ok::<(), allpaths::Error>(())
    /// ```
    pub fn count_each(&self, graphs: &[Graph]) -> Result<Vec<Counts>> {
        self.count_each_under(graphs, &Monitor::new())
    }

    /// Counts in each of many graphs under the eyes of a monitor.
    ///
    /// # Errors
    ///
    /// As [`Counter::count`].
    pub fn count_each_under(&self, graphs: &[Graph], monitor: &Monitor) -> Result<Vec<Counts>> {
        let job = self.job(monitor, 1.0 / graphs.len().max(1) as f64);
        self.parallel(|| match self.workers() {
            1 => graphs.iter().map(|graph| self.counts(graph, job)).collect(),
            _ => graphs.par_iter().with_min_len(16).map(|graph| self.counts(graph, job)).collect(),
        })
    }

    /// Counts for each vertex: the paths that start there and the cycles that pass through it.
    ///
    /// An undirected path starts at both its ends. So the paths of a length, summed over the vertices, are twice
    /// (directed: once) the total, and the cycles of length `l` are `l` times the total.
    ///
    /// # Errors
    ///
    /// As [`Counter::count`].
    ///
    /// # Example
    ///
    /// ```
    /// # use allpaths::{Graph, Counter};
    /// // 0---1
    /// //  \ /
    /// //   2---3
    /// let graph = Graph::from_edges(4, [(0, 1), (1, 2), (2, 0), (2, 3)])?;
    /// let counts = Counter::up_to(3).by_vertex(&graph)?;
    /// assert_eq!(counts[2].paths(1), 3);
    /// assert_eq!(counts[2].cycles(3), 1);
    /// assert_eq!(counts[3].cycles(3), 0);
    /// # Ok::<(), allpaths::Error>(())
    /// ```
    pub fn by_vertex(&self, graph: &Graph) -> Result<Vec<Counts>> {
        self.by_vertex_under(graph, &Monitor::new())
    }

    /// Counts for each vertex under the eyes of a monitor.
    ///
    /// # Errors
    ///
    /// As [`Counter::count`].
    pub fn by_vertex_under(&self, graph: &Graph, monitor: &Monitor) -> Result<Vec<Counts>> {
        let job = self.job(monitor, 1.0);
        let (rows, finished, outcome) = self.parallel(|| {
            self.deepen(graph, Goal::Everywhere, job, |walk| {
                let fresh = || Totals::up_to(walk.max_length);
                walk.by_root(fresh, |totals| std::mem::replace(totals, fresh()))
            })
        })?;
        let extent = Extent { max_length: self.max_length, finished, outcome };
        let count = |(v, totals)| Counts::of_vertex(graph, v, self.subject, extent, totals);
        Ok(rows.iter().enumerate().map(count).collect())
    }

    /// Counts the paths between each pair of vertices.
    ///
    /// An entry `(u, v)` holds the paths from `u` to `v`; on an undirected graph `(v, u)` holds the same paths.
    ///
    /// # Errors
    ///
    /// As [`Counter::count`], and when cycles alone were asked for.
    ///
    /// # Example
    ///
    /// ```
    /// # use allpaths::{Graph, Counter};
    /// // 0---1
    /// //  \ /
    /// //   2---3
    /// let graph = Graph::from_edges(4, [(0, 1), (1, 2), (2, 0), (2, 3)])?;
    /// let pairs = Counter::up_to(3).by_pair(&graph)?;
    /// assert_eq!(pairs.paths(0, 3, 2), 1); // 0-2-3
    /// assert_eq!(pairs.paths(0, 3, 3), 1); // 0-1-2-3
    /// # Ok::<(), allpaths::Error>(())
    /// ```
    pub fn by_pair(&self, graph: &Graph) -> Result<ByPair> {
        self.by_pair_under(graph, &Monitor::new())
    }

    /// Counts the paths between each pair of vertices under the eyes of a monitor.
    ///
    /// # Errors
    ///
    /// As [`Counter::by_pair`].
    pub fn by_pair_under(&self, graph: &Graph, monitor: &Monitor) -> Result<ByPair> {
        if !self.subject.has_paths() {
            return Err(Error::settings("cycles belong to no pair of vertices: count them by vertex"));
        }
        let job = self.job(monitor, 1.0);
        let (rows, finished, outcome) = self.parallel(|| {
            self.deepen(graph, Goal::Everywhere, job, |walk| {
                walk.by_root(|| Row::new(graph.order(), walk.max_length), |row: &mut Row| row.drain())
            })
        })?;
        Ok(ByPair::new(Extent { max_length: self.max_length, finished, outcome }, rows))
    }

    /// Counts the paths from one vertex to another.
    ///
    /// # Errors
    ///
    /// As [`Counter::count`], and when the two are the same vertex, one is not in the graph, or cycles alone were
    /// asked for.
    ///
    /// # Example
    ///
    /// ```
    /// # use allpaths::{Graph, Counter};
    /// let square = Graph::from_edges(4, [(0, 1), (1, 2), (2, 3), (3, 0)])?;
    /// let counts = Counter::up_to(3).between(&square, 0, 1)?;
    /// assert_eq!(counts.paths(1), 1);
    /// assert_eq!(counts.paths(3), 1);
    /// # Ok::<(), allpaths::Error>(())
    /// ```
    pub fn between(&self, graph: &Graph, source: usize, target: usize) -> Result<Counts> {
        self.between_under(graph, source, target, &Monitor::new())
    }

    /// Counts the paths from one vertex to another under the eyes of a monitor.
    ///
    /// # Errors
    ///
    /// As [`Counter::between`].
    pub fn between_under(
        &self,
        graph: &Graph,
        source: usize,
        target: usize,
        monitor: &Monitor,
    ) -> Result<Counts> {
        if source == target {
            return Err(Error::settings(
                "a path has two different ends: for cycles through a vertex, count by vertex",
            ));
        }
        if let Some(v) = [source, target].into_iter().find(|&v| v >= graph.order()) {
            return Err(Error::settings(format!(
                "there is no vertex {v}: the graph has {}, numbered from 0",
                graph.order()
            )));
        }
        if !self.subject.has_paths() {
            return Err(Error::settings("cycles have no ends: count them without a pair"));
        }
        let job = self.job(monitor, 1.0);
        let (totals, finished, outcome) = self.parallel(|| {
            self.deepen(graph, Goal::Pair { source, target }, job, |walk| {
                walk.total(|| Totals::up_to(walk.max_length), Totals::merge)
            })
        })?;
        Ok(Counts::of_pair(graph, Extent { max_length: self.max_length, finished, outcome }, &totals))
    }

    /// Counts one graph inside a larger job.
    fn counts(&self, graph: &Graph, job: Job<'_>) -> Counts {
        let goal = if self.subject.has_paths() { Goal::Everywhere } else { Goal::Back };
        let (totals, finished, outcome) = self
            .deepen(graph, goal, job, |walk| walk.total(|| Totals::up_to(walk.max_length), Totals::merge));
        let extent = Extent { max_length: self.max_length, finished, outcome };
        Counts::of_graph(graph, self.subject, extent, &totals)
    }

    /// Runs walks to growing lengths and keeps what the last one that came to its end found, with the length it
    /// went to.
    ///
    /// A walk gives all its lengths or, when it is stopped, none. So a walk that may be stopped is preceded by
    /// shorter ones, as far as those cost little beside it; see [`schedule`].
    fn deepen<R: Default>(
        &self,
        graph: &Graph,
        goal: Goal,
        job: Job<'_>,
        mut run: impl FnMut(Walk<'_>) -> std::result::Result<R, Outcome>,
    ) -> (R, usize, Outcome) {
        let longest = self.max_length.min(graph.order());
        let (lengths, bounds) = self.plan(graph, goal, longest);
        let all: f64 = bounds.iter().sum();

        let (mut found, mut finished) = (R::default(), None);
        for (max_length, bound) in lengths.into_iter().zip(bounds) {
            // A walk of a few milliseconds is not worth cutting up. Where a longer one is cut shows in its steps, so
            // that must not depend on the threads.
            #[allow(clippy::cast_sign_loss)] // bounds are not negative
            let parts = if bound > 1e6 { (bound / 1e5).min(4096.0) as usize } else { 1 };
            let parallel = parts > 1 && self.workers() > 1;
            let share = if bound < all { bound / all } else { 1.0 };
            let job = Job { share: job.share * share, ..job };
            match run(Walk { graph, goal, max_length, job, parts, parallel }) {
                Ok(result) => (found, finished) = (result, Some(max_length)),
                Err(stopped) => {
                    if let Some(finished) = finished {
                        return (found, finished, stopped);
                    }
                    // Lengths 0 and 1 are the graph itself: they cost nothing and are never refused.
                    let job = Job { monitor: &Monitor::new(), deadline: None, steps: None, share: 0.0 };
                    let max_length = longest.min(1);
                    found = run(Walk { graph, goal, max_length, job, parts: 1, parallel: false })
                        .unwrap_or_default();
                    if longest > 1 {
                        return (found, 1, stopped);
                    }
                }
            }
        }
        // No path or cycle is longer than the graph has vertices.
        (found, self.max_length, Outcome::Complete)
    }

    /// The longest lengths of the walks to run and a bound on the steps of each.
    fn plan(&self, graph: &Graph, goal: Goal, longest: usize) -> (Vec<usize>, Vec<f64>) {
        let small = walks::rough_step_bound(graph, longest);
        if small <= self.limits.steps.map_or(1e6, |steps| 1e6f64.min(steps as f64)) {
            return (vec![longest], vec![small]);
        }
        let root = match goal {
            Goal::Pair { source, .. } => Some(source),
            _ => None,
        };
        let bounds = walks::step_bounds(graph, longest, root);
        let lengths = schedule(&bounds, &self.limits);
        let bounds = lengths.iter().map(|&length| bounds[length]).collect();
        (lengths, bounds)
    }

    fn job<'a>(&self, monitor: &'a Monitor, share: f64) -> Job<'a> {
        Job { monitor, deadline: self.limits.deadline(), steps: self.limits.steps, share }
    }

    fn workers(&self) -> usize {
        self.threads.unwrap_or_else(rayon::current_num_threads)
    }

    /// Runs `work` where its parallel loops use the threads asked for.
    fn parallel<R: Send>(&self, work: impl FnOnce() -> R + Send) -> Result<R> {
        if self.max_length > LONGEST {
            return Err(Error::settings(format!(
                "a length of {} is beyond counting: ask for at most {LONGEST}",
                self.max_length
            )));
        }
        match self.threads {
            Some(0) => Err(Error::settings("0 threads cannot count: ask for 1 or more")),
            None | Some(1) => Ok(work()),
            Some(threads) => match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
                Ok(pool) => Ok(pool.install(work)),
                Err(error) => Err(Error::settings(format!("{threads} threads cannot be started: {error}"))),
            },
        }
    }
}

/// The longest length that can be asked for: results hold a number for each.
const LONGEST: usize = 1_000_000;

/// The longest lengths of the walks to run, one after the other, given bounds on their steps.
///
/// Without limits, a shorter walk comes first if it costs at most a twentieth of the next, so that somebody who
/// loses patience has something in hand. With a time limit, a quarter. With a budget, every length that may
/// exceed it gets a walk of its own, after the longest that cannot.
fn schedule(bounds: &[f64], limits: &Limits) -> Vec<usize> {
    let longest = bounds.len() - 1;
    let worthwhile = if limits.time.is_some() { 0.25 } else { 0.05 };
    let mut lengths = vec![longest];
    for length in (2..longest).rev() {
        let next = bounds[lengths[lengths.len() - 1]];
        let take = match limits.steps {
            Some(steps) => next > steps as f64,
            // Below this a walk is over before anybody can stop it.
            None => next > 1e7 && bounds[length] <= worthwhile * next,
        };
        if take {
            lengths.push(length);
        }
    }
    lengths.reverse();
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path_of_three() -> Graph {
        Graph::from_edges(3, [(0, 1), (1, 2)]).unwrap()
    }

    #[test]
    fn no_pair_is_joined_by_a_path_of_no_edges() {
        assert_eq!(Counter::up_to(0).by_pair(&path_of_three()).unwrap().pairs().count(), 0);
    }

    #[test]
    fn lengths_0_and_1_are_never_refused() {
        let monitor = Monitor::new();
        monitor.interrupt();
        let (graph, vertex) = (path_of_three(), Graph::from_edges(1, []).unwrap());
        for counter in [Counter::up_to(5).budget(0), Counter::up_to(5)] {
            let counts = counter.count_under(&graph, &monitor).unwrap();
            assert_ne!(counts.outcome(), Outcome::Complete);
            assert_eq!(counts.path_counts().unwrap(), [Count::from(3u64), Count::from(2u64)]);
            // There is nothing longer to be refused.
            let counts = counter.count_under(&vertex, &monitor).unwrap();
            assert_eq!((counts.outcome(), counts.finished()), (Outcome::Complete, 5));
        }
        let counts = Counter::up_to(1).budget(0).count(&graph).unwrap();
        assert_eq!((counts.outcome(), counts.paths(1)), (Outcome::Complete, Count::from(2u64)));
    }

    #[test]
    fn the_price_of_a_length_does_not_depend_on_threads() {
        // K_10 with a tail of three at each vertex: many paths that lead back to nowhere.
        let complete = (0..10).flat_map(|u| (0..u).map(move |v| (u, v)));
        let tails = (0..10).flat_map(|v| [(v, v + 10), (v + 10, v + 20), (v + 20, v + 30)]);
        let graph = Graph::from_edges(40, complete.chain(tails)).unwrap();
        let enough = |steps: u64, threads: usize| {
            let counter = Counter::up_to(7).subject(Subject::Cycles).budget(steps).threads(threads);
            counter.count(&graph).unwrap().outcome() == Outcome::Complete
        };
        let (mut less, mut price) = (0, 1 << 20);
        while less + 1 < price {
            let middle = u64::midpoint(less, price);
            if enough(middle, 1) { price = middle } else { less = middle }
        }
        for threads in [2, 5, 20] {
            assert!(enough(price, threads) && !enough(less, threads), "{threads} threads");
        }
    }

    #[test]
    fn schedules() {
        let bounds = [0.0, 1e2, 1e4, 1e6, 1e8, 1e10];
        let limited = |steps, time| Limits { steps, time };
        assert_eq!(schedule(&bounds, &limited(None, None)), [3, 4, 5]);
        assert_eq!(schedule(&bounds, &limited(Some(1_000_000), None)), [3, 4, 5]);
        assert_eq!(schedule(&bounds, &limited(Some(100_000_000_000), None)), [5]);
        assert_eq!(schedule(&bounds, &limited(Some(0), None)), [2, 3, 4, 5]);
        let doubling = [0.0, 1e7, 2e7, 4e7, 8e7, 1.6e8];
        assert_eq!(schedule(&doubling, &limited(None, None)), [5]);
        assert_eq!(schedule(&doubling, &limited(None, Some(Duration::from_secs(1)))), [3, 5]);
        assert_eq!(schedule(&[0.0], &limited(None, None)), [0]);
    }
}

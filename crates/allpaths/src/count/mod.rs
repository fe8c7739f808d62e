//! Counting simple paths and simple cycles, exactly.
//!
//! [`Counter`] holds the settings and counts; [`Counts`] is what it finds. How the counting is done is the
//! [`Engine`]'s business: every engine gives the same numbers, and differs in what it can bear.

mod auto;
mod blocks;
mod counts;
mod depth_first;
mod engine;
mod frontier;
mod limits;
mod matrices;
mod meet;
mod number;
mod quotient;
mod ring;
mod sieve;
mod tally;
mod walks;
mod weighted;

use std::slice::from_ref;
use std::time::Duration;

use serde::{Deserialize, Serialize};

pub(crate) use auto::is_algebra_faster;
pub use auto::{Estimate, Wanted};
#[doc(hidden)]
pub use auto::{amounts, half_paths};
pub use counts::{ByPair, ByVertex, Convention, Counts};
pub(crate) use depth_first::{Goal, Walk};
pub use engine::Engine;
pub(crate) use frontier::Frontier;
pub(crate) use limits::{Allowance, Job, Meter};
pub use limits::{Limits, Outcome};
pub use number::Count;
pub(crate) use quotient::{MOST_CLASSES, Quotient};
pub(crate) use ring::{Packed, Rounded};
pub(crate) use sieve::{Links, Sieve, Subgraph, Visitor};
pub(crate) use tally::{Ends, Joint, Tally};
pub(crate) use walks::most_paths_and_cycles;
pub use weighted::{SignedCounts, WeightedCounts};

use crate::{Error, Graph, Monitor, Result, threads};
use counts::Extent;
use engine::{Method, Question, Run, deepen};

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

    /// The longest length it counts.
    pub fn max_length(&self) -> usize {
        self.max_length
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

    /// Sets the most memory for what grows while one graph is counted; see [`Limits::memory`].
    #[must_use]
    pub fn memory_limit(mut self, bytes: u64) -> Self {
        self.limits.memory = Some(bytes);
        self
    }

    /// Sets all limits.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
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
        self.parallel(from_ref(graph), Question::Total, || self.counts(graph, job, 1))
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
        let counts = |graph| self.counts(graph, job, graphs.len());
        self.parallel(graphs, Question::Total, || threads::map(self.workers() > 1, graphs.iter(), counts))
    }

    /// Counts in all of many graphs together, the same as [`Counts::sum`] of [`Counter::count_each`]. No graph's own counts are kept.
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
    /// let counts = Counter::up_to(3).total(&[triangle, path])?;
    /// assert_eq!(counts.paths(1), 5);
    /// assert_eq!(counts.cycles(3), 1);
    /// # Ok::<(), allpaths::Error>(())
    /// ```
    pub fn total(&self, graphs: &[Graph]) -> Result<Counts> {
        self.total_under(graphs, &Monitor::new())
    }

    /// Counts in all of many graphs together under the eyes of a monitor.
    ///
    /// # Errors
    ///
    /// As [`Counter::count`].
    pub fn total_under(&self, graphs: &[Graph], monitor: &Monitor) -> Result<Counts> {
        let job = self.job(monitor, 1.0 / graphs.len().max(1) as f64);
        let add = |sum: &mut Option<Counts>, graph| {
            let counts = self.counts(graph, job, graphs.len());
            match sum {
                Some(sum) => sum.add(&counts),
                None => *sum = Some(counts),
            }
        };
        let sums = self.parallel(graphs, Question::Total, || {
            threads::fold(self.workers() > 1, graphs.iter(), || None, add)
        })?;
        // Where there are no graphs, there is as much as in one without vertices.
        let nothing = || self.count_under(&Graph::from_edges(0, [])?, monitor);
        Counts::sum(sums.iter().flatten()).map_or_else(nothing, Ok)
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
    pub fn by_vertex(&self, graph: &Graph) -> Result<ByVertex> {
        self.by_vertex_under(graph, &Monitor::new())
    }

    /// Counts for each vertex under the eyes of a monitor.
    ///
    /// # Errors
    ///
    /// As [`Counter::count`].
    pub fn by_vertex_under(&self, graph: &Graph, monitor: &Monitor) -> Result<ByVertex> {
        let job = self.job(monitor, 1.0);
        let question = Question::Each;
        let (rows, extent) = self.parallel(from_ref(graph), question, || {
            self.run(graph, question, job, 1, |method, run| method.by_vertex(run))
        })?;
        Ok(ByVertex::new(graph, self.subject, extent, &rows))
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
        let (job, question) = (self.job(monitor, 1.0), Question::Pairs);
        let (rows, extent) = self.parallel(from_ref(graph), question, || {
            self.run(graph, question, job, 1, |method, run| method.by_pair(run))
        })?;
        Ok(ByPair::new(extent, rows))
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
        let question = Question::Between(source, target);
        let (paths, extent) = self.parallel(from_ref(graph), question, || {
            self.run(graph, question, job, 1, |method, run| method.between(source, target, run))
        })?;
        Ok(Counts::of_pair(graph, extent, &paths))
    }

    /// Counts one of so many graphs inside a larger job.
    fn counts(&self, graph: &Graph, job: Job<'_>, graphs: usize) -> Counts {
        let (totals, extent) =
            self.run(graph, Question::Total, job, graphs, |method, run| method.total(self.subject, run));
        Counts::of_graph(graph, self.subject, extent, &totals)
    }

    /// Sets the engine to work on one of so many graphs, as often as the limits make it necessary.
    fn run<R: Default>(
        &self,
        graph: &Graph,
        question: Question,
        job: Job<'_>,
        graphs: usize,
        mut ask: impl FnMut(&dyn Method, Run<'_>) -> std::result::Result<R, Outcome>,
    ) -> (R, Extent) {
        let longest = self.max_length.min(graph.order());
        let at_work = |engine: Engine| {
            let method = engine.on(graph, self.subject);
            let bounds = method.bounds(question, longest, &self.limits);
            (method, bounds)
        };
        let (method, bounds) = match self.engine {
            Engine::Auto => match at_work(Engine::DepthFirst) {
                (walk, bounds) if bounds.are_little() => (walk, bounds),
                walk => match self.chosen(graph, question, graphs) {
                    Engine::DepthFirst => walk,
                    engine => at_work(engine),
                },
            },
            engine => at_work(engine),
        };
        let lengths = [longest, self.max_length];
        deepen(bounds, lengths, &self.limits, job, self.workers(), |run| ask(&*method, run))
    }

    fn job<'a>(&self, monitor: &'a Monitor, share: f64) -> Job<'a> {
        Job {
            monitor,
            deadline: self.limits.deadline(),
            steps: self.limits.steps,
            bytes: self.limits.memory,
            share,
            taken: None,
        }
    }

    fn workers(&self) -> usize {
        threads::count(self.threads)
    }

    /// Runs `work` where its parallel loops use the threads asked for.
    fn parallel<R: Send>(
        &self,
        graphs: &[Graph],
        question: Question,
        work: impl FnOnce() -> R + Send,
    ) -> Result<R> {
        if let Some(reason) = graphs.iter().find_map(|graph| self.engine.refusal(graph, question)) {
            return Err(Error::settings(reason));
        }
        let longest = self.engine.longest_for(question);
        if self.max_length > longest {
            let asked = self.max_length;
            let what = match self.engine {
                Engine::Sieve | Engine::Quotient => format!("the {} engine", self.engine.name()),
                Engine::Auto | Engine::DepthFirst | Engine::Frontier | Engine::Meet => "counting".to_owned(),
            };
            return Err(Error::settings(format!(
                "a length of {asked} is beyond {what}: ask for at most {longest}"
            )));
        }
        threads::on(self.threads, work)
    }
}

/// Walks every path from every vertex and books nothing but lengths: what tallies of labels are measured against. Gives the number of
/// rooted paths.
#[doc(hidden)]
pub fn walk_plainly(graph: &Graph, max_length: usize) -> u128 {
    let (monitor, goal) = (Monitor::new(), Goal::Everywhere);
    let walk = Walk { graph, goal, max_length, job: Job::unlimited(&monitor), parts: 1, parallel: false };
    let (tally, _) = walk.tell(tally::FromRoot(tally::Totals::up_to(max_length)));
    tally.0.rooted(|_, [paths, _]| paths).into_iter().sum()
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
}

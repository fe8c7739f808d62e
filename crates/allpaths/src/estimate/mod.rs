//! Numbers of paths and cycles where even the best engine would take too long: estimates from samples, with intervals.
//!
//! A sample is a random walk that visits no vertex twice. At each step it knows, for every arc it could take, how many walks of the length that is left begin with it
//! and do not turn straight back (`guide.rs`), and goes there in proportion. The number of walks times the share of them that each step
//! left open is an unbiased estimate of the number of paths (`draw.rs`): it is never above the number of walks, so a few thousand samples settle it. Cycles
//! are sampled in the same way from their vertex of least degree, with walks that return to it.
//!
//! What is short enough is counted, not sampled, and says so.

mod draw;
mod guide;
mod net;
mod statistics;
mod survey;

use std::slice::from_ref;
use std::time::{Duration, Instant};

use crate::count::{Count, Counter, Counts, Job, Outcome, Subject, Wanted};
use crate::{Error, Graph, Monitor, Result, threads};
use guide::Goal;
use net::Net;
use survey::{Found, MOST_WORK, Survey};

/// Estimates how many simple paths and cycles there are up to a length, each number with a confidence interval.
///
/// What counts as one is what [`Counter`] counts: a path and its reverse are one, and so are a cycle and its reverse on an undirected graph.
/// Lengths that are expected to take a second or less are counted. The result is the same for the same seed, whatever the number of threads.
///
/// # Complexity
///
/// For paths, length times edges, and for each sample the degrees along its path. For cycles, that for the surroundings of every vertex; where this
/// would be too much, for those of a sample of them.
///
/// # Example
///
/// ```
/// # use allpaths::{Estimator, Graph};
/// let complete = Graph::from_edges(20, (0..20).flat_map(|u| (0..u).map(move |v| (u, v))))?;
/// let estimates = Estimator::up_to(6).exact_seconds(0.0).seed(7).estimate(&complete)?;
/// let paths = estimates.paths(6).unwrap();
/// assert!(paths.low <= 195_350_400.0 && 195_350_400.0 <= paths.high); // 20 · 19 · 18 · 17 · 16 · 15 · 14 / 2
/// assert!(!paths.is_exact() && estimates.paths(2).unwrap().is_exact());
/// # Ok::<(), allpaths::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Estimator {
    max_length: usize,
    subject: Subject,
    error: f64,
    confidence: f64,
    seed: u64,
    exact_seconds: f64,
    max_samples: u64,
    time: Option<Duration>,
    threads: Option<usize>,
    most_work: f64,
}

impl Estimator {
    /// Estimates lengths 0 to `max_length` to within 1 % with a confidence of 95 %.
    pub fn up_to(max_length: usize) -> Self {
        Self {
            max_length,
            subject: Subject::default(),
            error: 0.01,
            confidence: 0.95,
            seed: 0,
            exact_seconds: Self::EXACT_SECONDS,
            max_samples: Self::MAX_SAMPLES,
            time: None,
            threads: None,
            most_work: MOST_WORK,
        }
    }

    /// How many seconds a length may be expected to take that is counted, if nobody says how many.
    pub const EXACT_SECONDS: f64 = 1.0;

    /// How many samples it draws for one number at most, if nobody says how many.
    pub const MAX_SAMPLES: u64 = 10_000_000;

    /// Sets what is estimated.
    #[must_use]
    pub fn subject(mut self, subject: Subject) -> Self {
        self.subject = subject;
        self
    }

    /// Sets how large half the interval may be, as a share of the number in its middle.
    #[must_use]
    pub fn error(mut self, error: f64) -> Self {
        self.error = error;
        self
    }

    /// Sets how often, over all seeds, an interval holds the true number.
    #[must_use]
    pub fn confidence(mut self, confidence: f64) -> Self {
        self.confidence = confidence;
        self
    }

    /// Sets the seed of the samples.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Sets how many seconds a length may be expected to take, on one processor and by the engine that [`Counter`] would choose, to be counted exactly. What is expected
    /// depends on the graph alone, not on the machine. Lengths 0 to 2 always are counted.
    #[must_use]
    pub fn exact_seconds(mut self, seconds: f64) -> Self {
        self.exact_seconds = seconds;
        self
    }

    /// Sets how many samples are drawn for one number at most; the interval is wider then.
    #[must_use]
    pub fn max_samples(mut self, samples: u64) -> Self {
        self.max_samples = samples;
        self
    }

    /// Sets the most time for a call.
    #[must_use]
    pub fn time_limit(mut self, time: Duration) -> Self {
        self.time = Some(time);
        self
    }

    /// Sets the number of threads. The estimates do not depend on it.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// Estimates the numbers of one graph.
    ///
    /// # Errors
    ///
    /// When error or confidence are not between 0 and 1, or walks of the longest length are too many for a double. Limits that are reached are no error: the
    /// outcome says so.
    pub fn estimate(&self, graph: &Graph) -> Result<Estimates> {
        self.estimate_under(graph, &Monitor::new())
    }

    /// Estimates the numbers of one graph under the eyes of a monitor.
    ///
    /// # Errors
    ///
    /// As [`Estimator::estimate`].
    pub fn estimate_under(&self, graph: &Graph, monitor: &Monitor) -> Result<Estimates> {
        for (name, share) in [("an error", self.error), ("a confidence", self.confidence)] {
            if !(share > 0.0 && share < 1.0) {
                return Err(Error::settings(format!(
                    "{name} of {share}: expected more than 0 and less than 1"
                )));
            }
        }
        let deadline = self.time.and_then(|time| Instant::now().checked_add(time));
        let job = Job { deadline, ..Job::unlimited(monitor) };
        threads::on(self.threads, || self.run(graph, job))?
    }

    fn run(&self, graph: &Graph, job: Job<'_>) -> Result<Estimates> {
        let counts = self.counted(graph, job)?;
        let exact = |counts: Option<&[Count]>| {
            counts.map(|counts| counts.iter().cloned().map(|count| Some(Interval::exact(count))).collect())
        };
        let mut estimates = Estimates {
            paths: exact(counts.path_counts()),
            cycles: exact(counts.cycle_counts()),
            confidence: self.confidence,
            seed: self.seed,
            outcome: job.stop(),
        };
        let first = counts.finished() + 1;
        if first <= self.max_length && graph.order() > 0 {
            let net = Net::of(graph);
            let directions = if graph.is_directed() { 1.0 } else { 2.0 };
            let order = graph.order();
            let kinds = [
                (&mut estimates.paths, Goal::Anywhere, order - 1),
                (&mut estimates.cycles, Goal::Back, order),
            ];
            for (stream, (rows, goal, last)) in (0..).zip(kinds) {
                let Some(rows) = rows else { continue };
                let lengths = first..=self.max_length.min(last);
                let (found, outcome) =
                    Survey { settings: self, net: &net, goal, lengths, job, stream }.run()?;
                rows.extend(
                    found.iter().map(|found| found.as_ref().map(|found| self.interval(found, directions))),
                );
                // No path has as many edges as the graph has vertices, and no cycle more.
                let zero = (rows.len() > last).then(|| Interval::exact(Count::from(0u64)));
                rows.resize(self.max_length + 1, zero);
                estimates.outcome = estimates.outcome.max(outcome);
            }
        }
        Ok(estimates)
    }

    /// Paths and cycles are found once in each direction, so many times.
    fn interval(&self, found: &Found, directions: f64) -> Interval {
        if found.most == 0.0 {
            return Interval::exact(Count::from(0u64));
        }
        let [low, high] = found.interval(self.confidence).map(|end| end / directions);
        Interval {
            value: found.moments.mean() / directions,
            low,
            high,
            samples: found.moments.samples,
            exact: None,
        }
    }

    /// What can be counted in no time.
    fn counted(&self, graph: &Graph, job: Job<'_>) -> Result<Counts> {
        let up_to = |length| Counter::up_to(length).subject(self.subject);
        let is_short = |&length: &usize| {
            let engines = up_to(length).estimates(from_ref(graph), Wanted::Totals);
            let chosen = engines.iter().find(|estimate| estimate.graphs > 0);
            chosen.and_then(|estimate| estimate.seconds).is_some_and(|seconds| seconds <= self.exact_seconds)
        };
        let longest = (3..=self.max_length).take_while(is_short).last().unwrap_or(self.max_length.min(2));
        let mut counter = up_to(longest);
        if let Some(deadline) = job.deadline.filter(|_| longest > 2) {
            counter = counter.time_limit(deadline.saturating_duration_since(Instant::now()));
        }
        counter.count_under(graph, &job.monitor.of_part())
    }
}

/// Numbers of paths and cycles by length, estimated or, where they are short, counted.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimates {
    paths: Option<Vec<Option<Interval>>>,
    cycles: Option<Vec<Option<Interval>>>,
    confidence: f64,
    seed: u64,
    outcome: Outcome,
}

impl Estimates {
    /// Paths of a length; nothing where it is longer than asked for, or the time was up before the first samples.
    pub fn paths(&self, length: usize) -> Option<&Interval> {
        self.paths.as_ref()?.get(length)?.as_ref()
    }

    /// Cycles of a length; nothing where [`Estimates::paths`] has nothing.
    pub fn cycles(&self, length: usize) -> Option<&Interval> {
        self.cycles.as_ref()?.get(length)?.as_ref()
    }

    /// How often, over all seeds, an interval holds the true number.
    pub fn confidence(&self) -> f64 {
        self.confidence
    }

    /// The seed of the samples.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// `Complete` when all intervals are as narrow as asked for; `Budget` when samples ran out.
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }
}

/// A number and what it may be.
#[derive(Clone, Debug, PartialEq)]
pub struct Interval {
    /// The estimate.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end. Infinite where nothing was found and nothing bounds what there may be.
    pub high: f64,
    /// How many samples it comes from: 0 for what was counted.
    pub samples: u64,
    /// The number itself, where it was counted.
    pub exact: Option<Count>,
}

impl Interval {
    fn exact(count: Count) -> Self {
        let value = count.to_f64();
        Self { value, low: value, high: value, samples: 0, exact: Some(count) }
    }

    /// Whether it was counted, not estimated.
    pub fn is_exact(&self) -> bool {
        self.exact.is_some()
    }

    /// Half the interval as a share of its middle: 0.01 for "plus or minus one percent".
    pub fn error(&self) -> f64 {
        if self.is_exact() { 0.0 } else { (self.high - self.value) / self.value }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where closed walks are not counted from every vertex, cycles are found all the same, with wider intervals.
    #[test]
    fn roots_can_be_sampled() {
        let edges = (0..30).flat_map(|v| [(v, (v + 1) % 30), (v, (v * v + 7) % 30)]).filter(|(u, v)| u != v);
        for graph in [Graph::from_edges(30, edges.clone()).unwrap(), Graph::from_arcs(30, edges).unwrap()] {
            let counts = Counter::up_to(6).subject(Subject::Cycles).count(&graph).unwrap();
            let estimator = Estimator { most_work: 0.0, ..Estimator::up_to(6) };
            let estimator = estimator
                .exact_seconds(0.0)
                .subject(Subject::Cycles)
                .error(0.05)
                .confidence(0.9)
                .max_samples(50_000);
            let mut held = 0;
            for seed in 0..100 {
                let estimates = estimator.clone().seed(seed).estimate(&graph).unwrap();
                let (found, truth) = (estimates.cycles(6).unwrap(), counts.cycles(6).to_f64());
                assert!(truth > 0.0 && found.error() <= 0.05, "{found:?}");
                held += u32::from(found.low <= truth && truth <= found.high);
            }
            // 90 are expected, and fewer than 78 are one in 10,000.
            assert!(held >= 78, "{held}");
        }
    }
}

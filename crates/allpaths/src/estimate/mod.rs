//! Numbers of paths and cycles where even the best engine would take too long: estimates from samples, with intervals.
//!
//! A sample is a random walk that visits no vertex twice. At each step it knows, for every arc it could take, how many walks of the length that is left begin with it
//! and do not turn straight back ([`guide`]), and goes there in proportion. The number of walks times the share of them that each step
//! left open is an unbiased estimate of the number of paths ([`draw`]): it is never above the number of walks, so a few thousand samples settle it. Cycles
//! are sampled in the same way from their vertex of least degree, with walks that return to it.
//!
//! What is short enough is counted, not sampled, and says so.

mod draw;
mod guide;
mod net;
mod statistics;

use std::slice::from_ref;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::count::{Count, Counter, Counts, Job, Outcome, Subject, Wanted};
use crate::random::ChaCha8;
use crate::{Error, Graph, Monitor, Result, threads};
use draw::Walker;
use guide::{Goal, Guide};
use net::Net;
use statistics::{Moments, quantile};

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
            let halves = if graph.is_directed() { 1.0 } else { 2.0 };
            for (stream, (rows, paths)) in
                [(&mut estimates.paths, true), (&mut estimates.cycles, false)].into_iter().enumerate()
            {
                let Some(rows) = rows else { continue };
                let goal = if paths { Goal::Anywhere } else { Goal::Back };
                let survey = Survey {
                    settings: self,
                    net: &net,
                    goal,
                    lengths: first..=self.max_length,
                    job,
                    stream: stream as u64,
                };
                let (moments, outcome) = survey.run()?;
                rows.extend(moments.iter().map(|moments| self.interval(moments.as_ref()?, halves)));
                rows.resize(self.max_length + 1, None);
                estimates.outcome = estimates.outcome.max(outcome);
            }
        }
        Ok(estimates)
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

    fn interval(&self, found: &Found, halves: f64) -> Option<Interval> {
        let Found { moments, most } = found;
        if *most == 0.0 {
            return Some(Interval::exact(Count::from(0u64)));
        }
        // Where all samples agree, what is left is rounding.
        let half = (quantile(self.confidence) * moments.error()).max(1e-14 * moments.mean());
        let (low, high) = match moments.mean() {
            // Nothing was found: were there as many as this, that would have been rarer than the confidence allows.
            0.0 => (0.0, most * (1.0 - (1.0 - self.confidence).powf(1.0 / moments.samples as f64))),
            mean => ((mean - half).max(0.0), mean + half),
        };
        (moments.samples > 0).then(|| Interval {
            value: moments.mean() / halves,
            low: low / halves,
            high: high / halves,
            samples: moments.samples,
            exact: None,
        })
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

/// The samples of one length, and what none of them can be above.
struct Found {
    moments: Moments,
    most: f64,
}

/// The sampling of paths or of cycles of some lengths.
struct Survey<'a> {
    settings: &'a Estimator,
    net: &'a Net,
    goal: Goal,
    lengths: std::ops::RangeInclusive<usize>,
    job: Job<'a>,
    stream: u64,
}

/// From where samples of one length begin: vertices in proportion to what they weigh.
struct Roots {
    /// Of all vertices up to and with each.
    sums: Vec<f64>,
    most: f64,
}

impl Roots {
    fn new(weights: impl Iterator<Item = f64>, is_mass: bool) -> Self {
        let sums: Vec<f64> = weights
            .scan(0.0, |sum, weight| {
                *sum += weight;
                Some(*sum)
            })
            .collect();
        let most = if is_mass { sums.last().copied().unwrap_or(0.0) } else { f64::INFINITY };
        Self { sums, most }
    }

    fn total(&self) -> f64 {
        self.sums.last().copied().unwrap_or(0.0)
    }

    fn weight(&self, root: usize) -> f64 {
        self.sums[root] - if root == 0 { 0.0 } else { self.sums[root - 1] }
    }

    fn draw(&self, random: &mut ChaCha8) -> usize {
        let place = random.unit() * self.total();
        self.sums.partition_point(|&sum| sum <= place).min(self.sums.len() - 1)
    }
}

/// More arcs than this are not looked at to find out how many closed walks there are from every vertex: a few minutes on one core.
const MOST_WORK: f64 = 1e11;

impl Survey<'_> {
    fn run(&self) -> Result<(Vec<Option<Found>>, Outcome)> {
        let longest = *self.lengths.end();
        let shared = (self.goal == Goal::Anywhere).then(|| Guide::anywhere(self.net, longest));
        let Some(roots) = self.roots(shared.as_ref()) else { return Ok((Vec::new(), self.job.stop())) };
        if let Some((length, _)) =
            self.lengths.clone().zip(&roots).find(|(_, roots)| !roots.total().is_finite())
        {
            return Err(Error::graph(format!(
                "there are more walks of length {length} than a double can hold: estimate shorter ones"
            )));
        }
        let mut found: Vec<Found> =
            roots.iter().map(|roots| Found { moments: Moments::default(), most: roots.most }).collect();
        for round in 0.. {
            let wanted: Vec<u64> = found.iter().map(|found| self.wanted(found)).collect();
            if wanted.iter().all(|&samples| samples == 0) {
                break;
            }
            let Some(moments) = self.sweep(shared.as_ref(), &roots, &wanted, round) else { break };
            found.iter_mut().zip(moments).for_each(|(found, moments)| found.moments.add(&moments));
        }
        let is_short = |found: &Found| found.most > 0.0 && !self.is_settled(&found.moments);
        let outcome =
            self.job.stop().max(if found.iter().any(is_short) { Outcome::Budget } else { Outcome::Complete });
        Ok((
            found
                .into_iter()
                .map(|found| (found.most == 0.0 || found.moments.samples > 0).then_some(found))
                .collect(),
            outcome,
        ))
    }

    fn is_settled(&self, moments: &Moments) -> bool {
        moments.mean() > 0.0
            && quantile(self.settings.confidence) * moments.error() <= self.settings.error * moments.mean()
    }

    /// How many more samples a length needs.
    fn wanted(&self, found: &Found) -> u64 {
        const FIRST: u64 = 2000;
        let Found { moments, most } = found;
        if *most == 0.0 || self.is_settled(moments) {
            return 0;
        }
        let half = quantile(self.settings.confidence) * moments.error();
        let factor = match moments.mean() {
            0.0 => 8.0,
            mean => (1.1 * (half / (self.settings.error * mean)).powi(2)).clamp(1.5, 64.0),
        };
        let target = if moments.samples == 0 { FIRST } else { (moments.samples as f64 * factor) as u64 };
        target.min(self.settings.max_samples).saturating_sub(moments.samples)
    }

    /// From where to begin, for each length. Nothing if it was stopped.
    fn roots(&self, shared: Option<&Guide>) -> Option<Vec<Roots>> {
        let (order, lengths) = (self.net.order(), self.lengths.clone());
        if let Some(guide) = shared {
            let mass = |length, v| guide.mass(self.net, v, length);
            return Some(
                lengths.map(|length| Roots::new((0..order).map(|v| mass(length, v)), true)).collect(),
            );
        }
        let some: Vec<usize> = (0..64.min(order)).map(|i| i * order / 64.min(order)).collect();
        let longest = *lengths.end();
        let work = |&v: &usize| Guide::default().back(self.net, v, longest) as f64;
        let work = some.iter().map(work).sum::<f64>() / some.len() as f64 * order as f64;
        if work > self.settings.most_work {
            // Pairs of arcs between which a cycle can pass.
            let weight = |v: usize| self.net.later(v) as f64 * (self.net.later(v) as f64 - 1.0).max(0.0);
            return Some(lengths.map(|_| Roots::new((0..order).map(weight), false)).collect());
        }
        let masses = |guide: &mut Guide, v: usize| -> Option<Vec<f64>> {
            guide.back(self.net, v, longest);
            self.job.monitor.advance(0.2 / order as f64);
            let masses = self.lengths.clone().map(|length| guide.mass(self.net, v, length)).collect();
            (self.job.stop() == Outcome::Complete).then_some(masses)
        };
        let masses: Vec<Vec<f64>> =
            (0..order).into_par_iter().map_init(Guide::default, masses).collect::<Option<_>>()?;
        Some((0..lengths.count()).map(|i| Roots::new(masses.iter().map(|masses| masses[i]), true)).collect())
    }

    /// Draws so many samples of each length. Nothing if it was stopped: half a round is not random.
    fn sweep(
        &self,
        shared: Option<&Guide>,
        roots: &[Roots],
        wanted: &[u64],
        round: u64,
    ) -> Option<Vec<Moments>> {
        let mut random = ChaCha8::stream(self.settings.seed, self.number(round, 0));
        let mut draws: Vec<(usize, usize)> = Vec::new();
        for (i, (roots, &wanted)) in roots.iter().zip(wanted).enumerate() {
            draws.extend((0..wanted).map(|_| (roots.draw(&mut random), i)));
        }
        draws.sort_unstable();
        let by_root: Vec<_> = draws.chunk_by(|a, b| a.0 == b.0).collect();
        let sample =
            |(guide, walker): &mut (Guide, Walker), draws: &&[(usize, usize)]| -> Option<Vec<Moments>> {
                let root = draws[0].0;
                let guide = match shared {
                    Some(guide) => guide,
                    None => {
                        guide.back(self.net, root, *self.lengths.end());
                        guide
                    }
                };
                let mut random = ChaCha8::stream(self.settings.seed, self.number(round, root as u64 + 1));
                let mut moments = vec![Moments::default(); roots.len()];
                for draws in draws.chunk_by(|a, b| a.1 == b.1) {
                    let i = draws[0].1;
                    let length = self.lengths.start() + i;
                    let mass = guide.mass(self.net, root, length);
                    let worth = mass * roots[i].total() / roots[i].weight(root);
                    draws.iter().for_each(|_| {
                        moments[i]
                            .hear(worth * walker.walk(self.net, guide, self.goal, root, length, &mut random))
                    });
                }
                // Nobody knows how many rounds there will be.
                self.job.monitor.advance(0.2 / by_root.len() as f64 / 2f64.powf(round as f64));
                (self.job.stop() == Outcome::Complete).then_some(moments)
            };
        let scratch = || (Guide::default(), Walker::new(self.net.order()));
        let found: Vec<Vec<Moments>> = by_root.par_iter().map_init(scratch, sample).collect::<Option<_>>()?;
        let mut sums = vec![Moments::default(); roots.len()];
        found.iter().for_each(|found| sums.iter_mut().zip(found).for_each(|(sum, moments)| sum.add(moments)));
        Some(sums)
    }

    /// A number for a stream of random numbers that no other has.
    fn number(&self, round: u64, root: u64) -> u64 {
        (self.stream << 63 | round << 40) + root
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
            let counts = Counter::up_to(7).subject(Subject::Cycles).count(&graph).unwrap();
            let estimator = Estimator { most_work: 0.0, ..Estimator::up_to(7) };
            let estimator = estimator.exact_seconds(0.0).subject(Subject::Cycles).error(0.05).confidence(0.9);
            let mut held = 0;
            for seed in 0..100 {
                let estimates = estimator.clone().seed(seed).estimate(&graph).unwrap();
                let (found, truth) = (estimates.cycles(7).unwrap(), counts.cycles(7).to_f64());
                assert!(truth > 0.0 && found.error() <= 0.05, "{found:?}");
                held += u32::from(found.low <= truth && truth <= found.high);
            }
            // 90 are expected, and fewer than 78 are one in 10,000.
            assert!(held >= 78, "{held}");
        }
    }
}

//! Figures 1 to 3: how time grows with the size of graphs and the length of paths.

use std::collections::BTreeMap;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::{Job, Part, Scale, Work};
use crate::count::{Convention, Counter, Engine, Job as Watched};
use crate::dataset::Dataset;
use crate::label::{Booking, Cycles, Found, LabelChoice, LabelMap, Labelling, Multisets, Sink, Sums};
use crate::{Error, Graph, Monitor, Result};

/// Times, in seconds, by what they depend on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// How many graphs were timed.
    pub graphs: usize,
    /// Ascending.
    pub points: Vec<Point>,
    /// The straight line that is nearest to the medians, where one is looked for.
    pub line: Option<Line>,
    /// By what factor the median grows when the length grows by one, over the last half of the lengths, where that is looked for.
    pub growth: Option<f64>,
    /// The share of graphs that could be decoded at the longest length, where that is the question.
    pub decoded: Option<f64>,
}

/// Times of all graphs of one size, or of one length.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// The number of vertices, or the length.
    pub x: f64,
    /// The median time.
    pub median: f64,
    /// A quarter of the times is below,
    pub low: f64,
    /// and a quarter above.
    pub high: f64,
}

/// A straight line through times.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Seconds at 0.
    pub intercept: f64,
    /// Seconds for each step.
    pub slope: f64,
    /// The share of the variance of times that it explains.
    pub r_squared: f64,
}

/// Time against the number of vertices.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Sizes {
    engine: Engine,
    length: usize,
    runs: usize,
    every: usize,
}

/// Time against the length.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Lengths {
    engine: Engine,
    longest: usize,
    runs: usize,
    every: usize,
}

/// Time to decode against the length.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Decoding {
    longest: usize,
    /// Whether it is the decoding, and not the counting before it, that is timed.
    decoding: bool,
    every: usize,
}

const ENGINES: [(Engine, &str); 2] = [(Engine::Sieve, "Sieve"), (Engine::DepthFirst, "Depth-first")];

pub(super) fn sizes(scale: Scale) -> Vec<Job> {
    let job = |(engine, method): (Engine, &'static str)| {
        let (runs, every) = if scale.quick { (1, 10) } else { (5, 1) };
        let work = Work::Sizes(Sizes { engine, length: 6, runs, every });
        let words = format!("--max-length 6 --engine {} --threads 1", engine.name());
        curve(Part::Figure1, "NCI1", method, words, work)
    };
    ENGINES.map(job).into()
}

pub(super) fn lengths(scale: Scale) -> Vec<Job> {
    let job = |(engine, method): (Engine, &'static str)| {
        let longest = match (engine, scale.quick) {
            (Engine::Sieve, true) => 6,
            (Engine::Sieve, false) => 8,
            (_, true) => 9,
            (_, false) => 12,
        };
        let (runs, every) = if scale.quick { (1, 80) } else { (5, 20) };
        let work = Work::Lengths(Lengths { engine, longest, runs, every });
        let words = format!("--max-length {longest} --engine {} --threads 1", engine.name());
        curve(Part::Figure2, "NCI1", method, words, work)
    };
    ENGINES.map(job).into()
}

pub(super) fn decoding(scale: Scale) -> Vec<Job> {
    let job = |(decoding, method): (bool, &'static str)| {
        let (longest, every) = if scale.quick { (4, 8) } else { (5, 1) };
        let work = Work::Decoding(Decoding { longest, decoding, every });
        let words = format!("--encoding exact --max-length {longest} --threads 1 -o features.npz");
        let mut job = curve(Part::Figure3, "MUTAG", method, words, work);
        job.command.0 = "embed";
        job
    };
    [(true, "Decoding"), (false, "Counting with the sieve")].map(job).into()
}

fn curve(part: Part, dataset: &'static str, method: &'static str, words: String, work: Work) -> Job {
    Job { part, dataset, method, reading: String::new(), paper: None, command: ("count", words), work }
}

impl Sizes {
    pub(super) fn run(&self, data: &Dataset, monitor: &Monitor) -> Result<Curve> {
        let data = data.sample(None, self.every);
        let mut by_size: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        for graph in data.graphs() {
            let seconds = counting(graph, self.engine, self.length, self.runs, monitor)?;
            by_size.entry(graph.order()).or_default().push(seconds);
        }
        // Through medians, each as often as there are graphs: a single graph with very many subgraphs says little about size.
        let medians = by_size
            .iter_mut()
            .flat_map(|(&size, times)| std::iter::repeat_n((size as f64, quantile(times, 0.5)), times.len()));
        let line = Line::nearest(&medians.collect::<Vec<_>>());
        Ok(Curve { line, ..Curve::of(data.graphs().len(), by_size) })
    }
}

impl Lengths {
    pub(super) fn run(&self, data: &Dataset, monitor: &Monitor) -> Result<Curve> {
        let data = data.sample(None, self.every);
        let mut by_length: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        for length in 1..=self.longest {
            let times = by_length.entry(length).or_default();
            for graph in data.graphs() {
                times.push(counting(graph, self.engine, length, self.runs, monitor)?);
            }
        }
        Ok(Curve::of(data.graphs().len(), by_length).growing())
    }
}

/// The median time to count paths and cycles of a graph.
fn counting(graph: &Graph, engine: Engine, length: usize, runs: usize, monitor: &Monitor) -> Result<f64> {
    let counter = Counter::up_to(length).engine(engine).threads(1);
    let mut times = Vec::new();
    for _ in 0..runs.max(1) {
        let clock = Instant::now();
        counter.count_under(graph, monitor)?;
        times.push(clock.elapsed().as_secs_f64());
    }
    stopped(monitor)?;
    Ok(quantile(&mut times, 0.5))
}

fn stopped(monitor: &Monitor) -> Result<()> {
    match monitor.is_interrupted() {
        true => Err(Error::stopped("interrupted before all graphs were timed")),
        false => Ok(()),
    }
}

/// Takes features and forgets them.
struct Nowhere;

impl Sink for Nowhere {
    fn take(&mut self, _: Found, _: impl FnOnce() -> String) {}
}

impl Decoding {
    pub(super) fn run(&self, data: &Dataset, monitor: &Monitor) -> Result<Curve> {
        let data = data.sample(None, self.every);
        let map = LabelMap::learn(LabelChoice::Commonest(3), data.graphs())?;
        let mut labelling = Labelling::new(map.clone(), false);
        let (mut sums, mut multisets) = (Sums::new(&[], &map)?, Multisets::default());
        let booking = Booking { paths: true, cycles: Cycles::Separate, convention: Convention::Distinct };
        let mut by_length: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        let mut decoded = 0;
        for length in 1..=self.longest {
            decoded = 0;
            for graph in data.graphs() {
                let job = Watched::unlimited(monitor);
                labelling.begin(graph);
                labelling.number();
                sums.clear();
                let clock = Instant::now();
                sums.sift(graph, &labelling, length, job);
                let counted = clock.elapsed();
                let clock = Instant::now();
                let outcome = sums.decode(&labelling, booking, job, &mut multisets, &mut Nowhere);
                decoded += usize::from(outcome == crate::count::Outcome::Complete);
                let time = if self.decoding { clock.elapsed() } else { counted };
                by_length.entry(length).or_default().push(time.as_secs_f64());
                stopped(monitor)?;
            }
        }
        let graphs = data.graphs().len();
        let share = decoded as f64 / graphs.max(1) as f64;
        let decoded = self.decoding.then_some(share);
        Ok(Curve { decoded, ..Curve::of(graphs, by_length).growing() })
    }
}

impl Curve {
    fn of(graphs: usize, times: BTreeMap<usize, Vec<f64>>) -> Self {
        let point = |(x, mut times): (usize, Vec<f64>)| {
            let [low, median, high] = [0.25, 0.5, 0.75].map(|share| quantile(&mut times, share));
            Point { x: x as f64, median, low, high }
        };
        let points = times.into_iter().map(point).collect();
        Self { graphs, points, line: None, growth: None, decoded: None }
    }

    /// With the factor by which the median grows.
    fn growing(mut self) -> Self {
        let later = &self.points[self.points.len() / 2..];
        if let (Some(first), Some(last), steps @ 1..) =
            (later.first(), later.last(), later.len().saturating_sub(1))
        {
            self.growth = Some((last.median / first.median).powf(1.0 / steps as f64));
        }
        self
    }
}

impl Line {
    /// The line of least squares; nothing for fewer than two different places.
    fn nearest(points: &[(f64, f64)]) -> Option<Self> {
        let n = points.len() as f64;
        let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), point| (x + point.0 / n, y + point.1 / n));
        let sum =
            |of: fn(f64, f64) -> f64| points.iter().map(|point| of(point.0 - x, point.1 - y)).sum::<f64>();
        let (xx, xy, yy) = (sum(|x, _| x * x), sum(|x, y| x * y), sum(|_, y| y * y));
        let slope = xy / xx;
        let r_squared = if yy > 0.0 { slope * xy / yy } else { 1.0 };
        (xx > 0.0).then_some(Self { intercept: y - slope * x, slope, r_squared })
    }
}

/// What a share of numbers is below: 0.5 for the median. Between two numbers in proportion.
pub(super) fn quantile(numbers: &mut [f64], share: f64) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let place = share * numbers.len().saturating_sub(1) as f64;
    let (below, above) = (place.floor(), place.ceil());
    #[allow(clippy::cast_sign_loss)] // places are not negative
    let at = |place: f64| numbers.get(place as usize).copied().unwrap_or(f64::NAN);
    at(below) + (place - below) * (at(above) - at(below))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_quantiles_by_hand() {
        assert!((quantile(&mut [4.0, 1.0, 2.0], 0.5) - 2.0).abs() < 1e-12);
        assert!((quantile(&mut [4.0, 1.0, 2.0, 3.0], 0.25) - 1.75).abs() < 1e-12);
        let exact = Line::nearest(&[(1.0, 5.0), (2.0, 7.0), (4.0, 11.0)]).unwrap();
        assert!((exact.intercept - 3.0).abs() < 1e-12 && (exact.slope - 2.0).abs() < 1e-12);
        assert!((exact.r_squared - 1.0).abs() < 1e-12);
        // Of 0, 0, 3 at 0, 1, 2: a slope of 3/2 through the mean (1, 1), which explains 9/2 of 6.
        let line = Line::nearest(&[(0.0, 0.0), (1.0, 0.0), (2.0, 3.0)]).unwrap();
        assert!((line.slope - 1.5).abs() < 1e-12 && (line.intercept + 0.5).abs() < 1e-12);
        assert!((line.r_squared - 0.75).abs() < 1e-12);
        assert_eq!(Line::nearest(&[(1.0, 1.0), (1.0, 2.0)]), None);
    }

    #[test]
    fn growth_is_over_the_last_half() {
        let times = (1..=4).map(|length| (length, vec![[9.0, 9.0, 1.0, 2.0][length - 1]])).collect();
        assert_eq!(Curve::of(1, times).growing().growth, Some(2.0));
    }
}

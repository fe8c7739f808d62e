//! `allpaths estimate`: about how many simple paths and cycles there are, where counting would take too long.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use allpaths::Estimator;
use allpaths::count::{Outcome, Subject};
use allpaths::estimate::{Estimates, Interval};
use serde::Serialize;

use crate::count::single;
use crate::input::InputArguments;
use crate::output::{self, OutputFormat};
use crate::watch::{self, Progress};
use crate::{Done, duration};

const EXAMPLES: &str = "\
Examples:
  allpaths estimate wiki.txt --max-length 8                     to within 1 % with a confidence of 95 %
  allpaths estimate wiki.txt --max-length 8 --error 0.001 --confidence 0.99 --seed 1
  allpaths estimate road.txt -l 20 --cycles-only --time-limit 1m --format json

What is printed is an estimate from random samples, with the interval that holds the true number as often as the confidence says.
Only lengths marked exact were counted; `allpaths count` counts all.
Exit codes: 0 done, 1 a fault of the program, 2 usage, 3 input, 4 stopped before an interval was as narrow as asked for.";

/// Estimate how many simple paths and cycles there are, with confidence intervals
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    input: InputArguments,

    /// Longest length to estimate, in edges
    #[arg(short = 'l', long, value_name = "LENGTH", default_value_t = 6)]
    max_length: usize,

    /// Half the width of an interval at most, as a share of the number
    #[arg(long, value_name = "SHARE", default_value_t = 0.01)]
    error: f64,

    /// How often an interval is to hold the true number
    #[arg(long, value_name = "SHARE", default_value_t = 0.95)]
    confidence: f64,

    /// Seed of the samples: the same seed gives the same numbers
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,

    /// Take only this graph of a dataset, numbered from 0
    #[arg(long, value_name = "NUMBER")]
    graph: Option<usize>,

    /// Estimate paths only
    #[arg(long, conflicts_with = "cycles_only")]
    paths_only: bool,

    /// Estimate cycles only
    #[arg(long)]
    cycles_only: bool,

    /// Count a length exactly where that is expected to take no more seconds; 0 to sample whatever is longer than 2
    #[arg(long, value_name = "SECONDS", default_value_t = Estimator::EXACT_SECONDS)]
    exact_seconds: f64,

    /// Most samples for one number; its interval may be wider then
    #[arg(long, value_name = "N", default_value_t = Estimator::MAX_SAMPLES)]
    max_samples: u64,

    /// Number of threads [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,

    /// Most time for each input, as in 500ms, 30s, 2m, 1h
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    time_limit: Option<Duration>,

    /// How to print
    #[arg(short, long, value_enum, default_value_t = OutputFormat::Table, value_name = "FORMAT")]
    format: OutputFormat,
}

/// What is printed as JSON.
#[derive(Serialize)]
struct Report {
    input: String,
    vertices: usize,
    edges: usize,
    directed: bool,
    /// For whoever reads the numbers without the command: these are no counts.
    what: &'static str,
    confidence: f64,
    error: f64,
    seed: u64,
    outcome: Outcome,
    lengths: Vec<Length>,
    seconds: f64,
}

#[derive(Serialize)]
struct Length {
    length: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    paths: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cycles: Option<Number>,
}

/// Paths or cycles.
type Column = fn(&Length) -> Option<&Number>;

#[derive(Serialize)]
struct Number {
    estimate: f64,
    low: f64,
    /// Nothing where there is no bound.
    high: Option<f64>,
    samples: u64,
    /// The count, as a text of all its digits, where it was counted.
    exact: Option<String>,
}

impl Number {
    fn of(interval: &Interval) -> Self {
        Self {
            estimate: interval.value,
            low: interval.low,
            high: interval.high.is_finite().then_some(interval.high),
            samples: interval.samples,
            exact: interval.exact.as_ref().map(ToString::to_string),
        }
    }

    /// The number for people, and how far it may be off.
    fn cells(&self) -> [String; 2] {
        match (&self.exact, self.high) {
            (Some(exact), _) => [output::grouped(exact), "exact".to_owned()],
            (None, Some(high)) if self.estimate == 0.0 => ["0".to_owned(), format!("at most {high:.2e}")],
            (None, None) => ["0".to_owned(), "no bound".to_owned()],
            (None, Some(high)) => {
                let percent = 100.0 * (high - self.estimate) / self.estimate;
                [output::rounded(significant(self.estimate)), format!("± {percent:.2} %")]
            }
        }
    }

    fn csv(&self) -> [String; 5] {
        let high = self.high.map_or_else(String::new, |high| high.to_string());
        let exact = self.exact.clone().unwrap_or_default();
        [self.estimate.to_string(), self.low.to_string(), high, self.samples.to_string(), exact]
    }
}

/// The first five digits: what follows them is noise.
fn significant(number: f64) -> f64 {
    let unit = 10f64.powf(number.log10().floor() - 4.0);
    // Dividing by a whole number keeps decimals short.
    if unit < 1.0 { (number / unit).round() / (1.0 / unit).round() } else { (number / unit).round() * unit }
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Done> {
    let inputs = arguments.input.read()?;
    let monitor = watch::monitor();
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut done = Done::All;
    for (i, input) in inputs.iter().enumerate() {
        let graph = single(input.graphs(arguments.graph)?)?;
        let progress = Progress::of(format!("estimating {}", input.name()), 1, &monitor);
        let start = Instant::now();
        let estimates = arguments.estimator().estimate_under(graph, &monitor)?;
        drop(progress);
        let report = Report {
            input: input.name(),
            vertices: graph.order(),
            edges: graph.size(),
            directed: graph.is_directed(),
            what: "estimates from samples, not counts",
            confidence: arguments.confidence,
            error: arguments.error,
            seed: arguments.seed,
            outcome: estimates.outcome(),
            lengths: arguments.lengths(&estimates),
            seconds: start.elapsed().as_secs_f64(),
        };
        match arguments.format {
            OutputFormat::Json => output::json(&mut out, &report)?,
            OutputFormat::Csv => report.write_csv(&mut out, i == 0)?,
            OutputFormat::Table => report.write_table(&mut out, i == 0)?,
        }
        out.flush()?;
        if report.outcome != Outcome::Complete {
            done = Done::StoppedEarly;
            eprintln!("allpaths: {}: {}", report.input, why(report.outcome));
        }
    }
    Ok(done)
}

fn why(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Time => {
            "the time was up before all intervals were as narrow as asked for: --time-limit sets it"
        }
        Outcome::Interrupted => "interrupted before all intervals were as narrow as asked for",
        _ => "some intervals are wider than asked for: --max-samples sets how many samples there may be",
    }
}

impl Arguments {
    fn estimator(&self) -> Estimator {
        let subject = match (self.paths_only, self.cycles_only) {
            (true, _) => Subject::Paths,
            (_, true) => Subject::Cycles,
            _ => Subject::Both,
        };
        let estimator = Estimator::up_to(self.max_length)
            .subject(subject)
            .error(self.error)
            .confidence(self.confidence)
            .seed(self.seed)
            .exact_seconds(self.exact_seconds)
            .max_samples(self.max_samples);
        let estimator = self.threads.into_iter().map(usize::from).fold(estimator, Estimator::threads);
        self.time_limit.into_iter().fold(estimator, Estimator::time_limit)
    }

    fn lengths(&self, estimates: &Estimates) -> Vec<Length> {
        let length = |length| Length {
            length,
            paths: estimates.paths(length).map(Number::of),
            cycles: estimates.cycles(length).map(Number::of),
        };
        (0..=self.max_length).map(length).collect()
    }
}

impl Report {
    fn write_csv(&self, out: &mut impl Write, with_header: bool) -> io::Result<()> {
        if with_header {
            writeln!(out, "input,length,what,estimate,low,high,samples,exact")?;
        }
        for row in &self.lengths {
            for (what, number) in [("paths", &row.paths), ("cycles", &row.cycles)] {
                if let Some(number) = number {
                    let place = [self.input.clone(), row.length.to_string(), what.to_owned()];
                    output::csv(out, &[&place[..], &number.csv()].concat())?;
                }
            }
        }
        Ok(())
    }

    fn write_table(&self, out: &mut impl Write, first: bool) -> io::Result<()> {
        let separator = if first { "" } else { "\n" };
        let kind = if self.directed { "directed" } else { "undirected" };
        writeln!(out, "{separator}{}: {} vertices, {} edges, {kind}", self.input, self.vertices, self.edges)?;
        let percent = 100.0 * self.confidence;
        writeln!(
            out,
            "estimates from samples, not counts; intervals at {percent} % confidence, seed {}\n",
            self.seed
        )?;
        let columns: [(&str, Column); 2] =
            [("paths", |row| row.paths.as_ref()), ("cycles", |row| row.cycles.as_ref())];
        let is_known = |&(_, number): &(&str, Column)| self.lengths.iter().any(|row| number(row).is_some());
        let columns: Vec<_> = columns.into_iter().filter(is_known).collect();
        let header = columns.iter().flat_map(|&(name, _)| [name.to_owned(), String::new()]);
        let header: Vec<String> = std::iter::once("length".to_owned()).chain(header).collect();
        let cells = |row: &Length| -> Vec<String> {
            let missing = || ["-".to_owned(), "not sampled".to_owned()];
            let numbers =
                columns.iter().flat_map(|(_, number)| number(row).map_or_else(missing, Number::cells));
            std::iter::once(row.length.to_string()).chain(numbers).collect()
        };
        output::table(out, 1, &header, &self.lengths.iter().map(cells).collect::<Vec<_>>())
    }
}

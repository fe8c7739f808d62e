//! The experiments of Giscard and Wilson, run again beside the numbers they report, and then better ones.
//!
//! [`Reproduction`] makes a list of jobs, one for each number or curve, does those that were not done before, and hands over [`Results`], which write
//! themselves as a page, as JSON and as figures. Where the paper is silent on a setting, each reading of it is a row of its own.

mod accuracy;
mod figures;
mod machines;
mod page;
mod paper;
mod results;
mod store;
mod table1;
mod table2;
mod table2_plus;
mod table3;

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub use accuracy::Accuracy;
pub use figures::{Curve, Line};
pub use results::{About, Results, Row};
pub use table3::Times;

use crate::dataset::Dataset;
use crate::{Error, Graph, Monitor, Result};
use accuracy::Validation;
use figures::{Decoding, Lengths, Sizes};
use store::Store;
use table3::Timing;

/// A part of the paper, or of what goes beyond it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// Exact against power encoding.
    Table1,
    /// Accuracies of five kernels on five datasets.
    Table2,
    /// Times of the same.
    Table3,
    /// Time against the size of graphs.
    Figure1,
    /// Time against the length of paths.
    Figure2,
    /// Time to decode the exact encoding.
    Figure3,
    /// Accuracies of kernels from the family that holds them all.
    Table2Plus,
}

impl Part {
    /// All of them, in the order of the report.
    pub const ALL: [Self; 7] = [
        Self::Table1,
        Self::Table2,
        Self::Table2Plus,
        Self::Table3,
        Self::Figure1,
        Self::Figure2,
        Self::Figure3,
    ];

    /// Its name, in one word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Table1 => "table1",
            Self::Table2 => "table2",
            Self::Table3 => "table3",
            Self::Figure1 => "figure1",
            Self::Figure2 => "figure2",
            Self::Figure3 => "figure3",
            Self::Table2Plus => "table2plus",
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Part {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|part| part.name() == name).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            Error::settings(format!("{name:?} is no part of the paper: take some of {names}"))
        })
    }
}

/// Runs the experiments.
///
/// # Errors
///
/// [`Reproduction::run`] fails when a dataset is damaged, the folder cannot be written to, or the monitor is told to interrupt; what was found until then is
/// kept in the folder, and the next run goes on from there. A dataset that is not there is no failure: the results say so.
///
/// # Example
///
/// ```no_run
/// # use allpaths::{Monitor, experiment::{Part, Reproduction}};
/// let reproduction = Reproduction::default().quick().only([Part::Table1]);
/// let results = reproduction.run("datasets".as_ref(), "report".as_ref(), &Monitor::new(), &mut |_| {})?;
/// results.write("report".as_ref())?; // report.html, results.json
/// # Ok::<(), allpaths::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reproduction {
    quick: bool,
    seed: u64,
    parts: Vec<Part>,
    threads: Option<usize>,
}

impl Default for Reproduction {
    fn default() -> Self {
        Self { quick: false, seed: 1, parts: Part::ALL.to_vec(), threads: None }
    }
}

/// What a run is about to do.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// Which job, from 1.
    pub number: usize,
    /// How many jobs there are.
    pub of: usize,
    /// What it is.
    pub title: &'a str,
    /// How long this and the rest may take, as far as what was done tells.
    pub left: Option<Duration>,
}

/// One number or curve to be found.
struct Job {
    part: Part,
    dataset: &'static str,
    /// The row it belongs to: a kernel, or an engine.
    method: &'static str,
    /// How the paper is read, where it can be read in several ways.
    reading: String,
    /// What the paper says.
    paper: Option<f64>,
    /// What the program is to be asked for the same: the words before the dataset and those after it.
    command: (&'static str, String),
    work: Work,
}

/// What is to be done; whatever a finding depends on besides the graphs.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Work {
    Accuracy(Validation),
    Times(Timing),
    Sizes(Sizes),
    Lengths(Lengths),
    Decoding(Decoding),
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Finding {
    /// How well a kernel classifies.
    Accuracy(Accuracy),
    /// How long it takes.
    Times(Times),
    /// How long something takes, by what it depends on.
    Curve(Curve),
}

/// How much work the experiments may be.
#[derive(Clone, Copy)]
struct Scale {
    quick: bool,
    seed: u64,
}

impl Scale {
    /// How often small datasets are split into folds anew.
    fn repeats(self, dataset: &str) -> usize {
        if self.quick || is_large(dataset) { 1 } else { 10 }
    }

    /// Of how many graphs one is taken, where all would take too long.
    fn every(self, dataset: &str) -> usize {
        if self.quick && is_large(dataset) { 8 } else { 1 }
    }
}

fn is_large(dataset: &str) -> bool {
    dataset.starts_with("NCI")
}

impl Reproduction {
    /// Makes it short: one repeat instead of ten, and one in eight of the graphs of NCI1 and NCI109.
    #[must_use]
    pub fn quick(mut self) -> Self {
        self.quick = true;
        self
    }

    /// Sets the seed of all folds.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Does some parts alone.
    #[must_use]
    pub fn only(mut self, parts: impl IntoIterator<Item = Part>) -> Self {
        self.parts = parts.into_iter().collect();
        self
    }

    /// Sets the number of threads: all processors by default. Times are those of one thread in any case.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// Runs what was not run before, with datasets from folders (or archives) below `data`, and keeps what it finds below `output`. Before each job `watch` is
    /// told what comes.
    ///
    /// # Errors
    ///
    /// When a dataset is damaged, or lacks classes; when `output` cannot be written to; and when the monitor is told to interrupt.
    pub fn run(
        &self,
        data: &Path,
        output: &Path,
        monitor: &Monitor,
        watch: &mut dyn FnMut(Step<'_>),
    ) -> Result<Results> {
        let store = Store::new(output.join("cells"))?;
        let jobs = self.jobs();
        let mut datasets = Vec::new();
        for name in paper::DATASETS {
            if jobs.iter().any(|job| job.dataset == name) {
                datasets.push(Source::read(data, name)?);
            }
        }
        let source = |job: &Job| datasets.iter().find(|source| source.name == job.dataset);
        let mut found: Vec<Option<Finding>> = Vec::new();
        for job in &jobs {
            let there = source(job).and_then(|source| source.data.as_ref().map(|_| &source.identity));
            found.push(there.and_then(|identity| store.find(job, identity)));
        }
        let cost = |job: &Job| source(job).map_or(0.0, |source| source.cost(&job.work));
        let mut left: f64 =
            jobs.iter().zip(&found).filter(|(_, found)| found.is_none()).map(|(job, _)| cost(job)).sum();
        let (clock, mut done) = (Instant::now(), 0.0);
        for (number, (job, found)) in (1..).zip(jobs.iter().zip(&mut found)) {
            let Some(source) = source(job).filter(|_| found.is_none()) else { continue };
            let Some(data) = &source.data else { continue };
            let per_cost = if done > 0.0 { Some(clock.elapsed().as_secs_f64() / done) } else { None };
            let of_rest = per_cost.and_then(|per_cost| Duration::try_from_secs_f64(per_cost * left).ok());
            watch(Step { number, of: jobs.len(), title: &job.title(), left: of_rest });
            let finding = job.work.run(data, source.read_seconds, self.threads, monitor)?;
            store.keep(job, &source.identity, &finding)?;
            *found = Some(finding);
            (done, left) = (done + cost(job), left - cost(job));
        }
        let rows = jobs
            .into_iter()
            .zip(found)
            .filter_map(|(job, found)| Some(Row::new(job, found?, data)))
            .collect();
        let about = datasets.iter().filter_map(Source::about).collect::<Result<_>>()?;
        let missing =
            datasets.iter().filter(|source| source.data.is_none()).map(|source| source.name.to_owned());
        Ok(Results::new(self, about, missing.collect(), rows))
    }

    /// All there is to do.
    fn jobs(&self) -> Vec<Job> {
        let scale = Scale { quick: self.quick, seed: self.seed };
        let of_part = |&part: &Part| match part {
            Part::Table1 => table1::jobs(scale),
            Part::Table2 => table2::jobs(scale),
            Part::Table2Plus => table2_plus::jobs(scale),
            Part::Table3 => table3::jobs(scale),
            Part::Figure1 => figures::sizes(scale),
            Part::Figure2 => figures::lengths(scale),
            Part::Figure3 => figures::decoding(scale),
        };
        Part::ALL.iter().filter(|part| self.parts.contains(part)).flat_map(of_part).collect()
    }
}

impl Job {
    fn title(&self) -> String {
        let words = [self.part.name(), self.dataset, self.method, &self.reading];
        words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(", ")
    }
}

impl Work {
    fn run(&self, data: &Dataset, read: f64, threads: Option<usize>, monitor: &Monitor) -> Result<Finding> {
        Ok(match self {
            Self::Accuracy(validation) => Finding::Accuracy(validation.run(data, threads, monitor)?),
            Self::Times(timing) => Finding::Times(timing.run(data, read, monitor)?),
            Self::Sizes(sizes) => Finding::Curve(sizes.run(data, monitor)?),
            Self::Lengths(lengths) => Finding::Curve(lengths.run(data, monitor)?),
            Self::Decoding(decoding) => Finding::Curve(decoding.run(data, monitor)?),
        })
    }
}

/// A dataset, if it is there.
struct Source {
    name: &'static str,
    data: Option<Dataset>,
    read_seconds: f64,
    /// What tells it from others of the same name.
    identity: Value,
}

impl Source {
    fn read(folder: &Path, name: &'static str) -> Result<Self> {
        let places: [PathBuf; 2] = [folder.join(name), folder.join(format!("{name}.zip"))];
        let place = places.iter().find(|place| place.exists());
        let clock = Instant::now();
        let data = place.map(Dataset::read).transpose()?;
        let read_seconds = clock.elapsed().as_secs_f64();
        let lacks_classes = |data: &Dataset| data.classes().is_none();
        if let Some(place) = place.filter(|_| data.as_ref().is_some_and(lacks_classes)) {
            return Err(Error::file(place, "its graphs have no classes to learn"));
        }
        let sum = |of: fn(&Graph) -> usize| data.iter().flat_map(Dataset::graphs).map(of).sum::<usize>();
        let graphs = data.as_ref().map_or(0, |data| data.graphs().len());
        let identity = json!([name, graphs, sum(Graph::order), sum(Graph::size)]);
        Ok(Self { name, data, read_seconds, identity })
    }

    fn graphs(&self) -> usize {
        self.data.as_ref().map_or(0, |data| data.graphs().len())
    }

    /// How much work is to be expected, in a unit of its own.
    fn cost(&self, work: &Work) -> f64 {
        let graphs = self.graphs() as f64;
        match work {
            Work::Accuracy(validation) => validation.cost(graphs),
            Work::Times(_) => 2e-6 * graphs * graphs,
            Work::Sizes(_) | Work::Lengths(_) | Work::Decoding(_) => 1e-2 * graphs,
        }
    }

    fn about(&self) -> Option<Result<About>> {
        self.data.as_ref().map(About::of)
    }
}

//! Accuracies, by cross-validation.

use serde::{Deserialize, Serialize};

use super::Work;
use crate::dataset::Dataset;
use crate::evaluate::{CrossValidation, Evaluation, Grid, Protocol};
use crate::kernel::{GraphKernel, Substructures};
use crate::{Graph, Monitor, Result};

/// A cross-validation to be run.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Validation {
    pub(super) grid: Grid,
    pub(super) repeats: usize,
    pub(super) seed: u64,
    pub(super) nested: bool,
    /// Graphs with more are left out.
    pub(super) max_vertices: Option<usize>,
    /// Of how many graphs one is taken.
    pub(super) every: usize,
}

/// How well a kernel classifies. Accuracies are in percent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Accuracy {
    /// How settings were chosen.
    pub protocol: Protocol,
    /// The number of folds.
    pub folds: usize,
    /// How often graphs were split into folds anew.
    pub repeats: usize,
    /// The seed of all splits.
    pub seed: u64,
    /// How many graphs there were.
    pub graphs: usize,
    /// The mean over repeats.
    pub accuracy_mean: f64,
    /// The standard deviation over repeats; over folds where there is one repeat.
    pub accuracy_std: f64,
    /// The accuracy of always saying the commonest class.
    pub baseline_majority: f64,
    /// How many settings were tried.
    pub settings: usize,
    /// The setting that was taken most often, in words.
    pub chosen: String,
    /// How many features the first kernel has for these graphs.
    pub features: usize,
    /// How long it took, in seconds.
    pub seconds: f64,
}

/// What is appended to `evaluate` for the same result.
pub(super) fn flags(validation: &Validation) -> String {
    let mut flags = String::new();
    let mut add = |flag: String| flags.push_str(&flag);
    if validation.repeats > 1 {
        add(format!(" --repeats {}", validation.repeats));
    }
    if validation.nested {
        add(" --nested".to_owned());
    }
    if validation.seed != 1 {
        add(format!(" --seed {}", validation.seed));
    }
    if let Some(most) = validation.max_vertices {
        add(format!(" --max-vertices {most}"));
    }
    if validation.every > 1 {
        add(format!(" --every {}", validation.every));
    }
    flags
}

const FOLDS: usize = 10;

impl Validation {
    /// Ten folds of all graphs.
    pub(super) fn new(grid: Grid, repeats: usize, seed: u64) -> Self {
        Self { grid, repeats, seed, nested: false, max_vertices: None, every: 1 }
    }

    pub(super) fn run(&self, data: &Dataset, threads: Option<usize>, monitor: &Monitor) -> Result<Accuracy> {
        let clock = std::time::Instant::now();
        let data = data.sample(self.max_vertices, self.every);
        let classes = data.classes().unwrap_or_default();
        let mut validation = CrossValidation::new(FOLDS).repeats(self.repeats).seed(self.seed);
        if self.nested {
            validation = validation.nested(5);
        }
        let validation = threads.into_iter().fold(validation, CrossValidation::threads);
        let found = validation.run_under(&self.grid, data.graphs(), classes, monitor)?;
        let features = match self.grid.kernels().first() {
            Some(kernel) => features(kernel, data.graphs(), monitor)?,
            None => 0,
        };
        Ok(Accuracy {
            protocol: found.protocol(),
            folds: FOLDS,
            repeats: self.repeats,
            seed: self.seed,
            graphs: data.graphs().len(),
            accuracy_mean: found.accuracy_mean(),
            accuracy_std: found.accuracy_std(),
            baseline_majority: found.baseline_majority(),
            settings: self.grid.candidates().count(),
            chosen: chosen(&found),
            features,
            seconds: clock.elapsed().as_secs_f64(),
        })
    }

    pub(super) fn cost(&self, graphs: f64) -> f64 {
        let graphs = graphs / self.every as f64;
        let fits = FOLDS * self.repeats * self.grid.candidates().count() * if self.nested { 5 } else { 1 };
        1e-7 * graphs * graphs * fits as f64
    }

    pub(super) fn work(self) -> Work {
        Work::Accuracy(self)
    }
}

/// How many features a kernel has, the empty bins of the paper's encoding among them.
fn features(kernel: &GraphKernel, graphs: &[Graph], monitor: &Monitor) -> Result<usize> {
    let features = match kernel.substructures() {
        Substructures::AllPathsCycles(paths) => paths.embed(graphs)?,
        _ => kernel.features_under(graphs, monitor)?,
    };
    Ok(features.features().len())
}

/// The setting that was taken most often.
fn chosen(found: &Evaluation) -> String {
    let most = found.chosen().iter().rev().max_by_key(|times| times.times);
    most.map_or_else(String::new, ToString::to_string)
}

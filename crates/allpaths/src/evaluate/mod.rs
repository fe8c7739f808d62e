//! How well a kernel classifies graphs it has not seen.
//!
//! [`CrossValidation`] splits a dataset into folds, learns from all but one and predicts that one; a [`Grid`] holds the kernels and machines that are
//! tried. Whatever is learnt, down to the scale of a kernel, is learnt from the graphs outside the fold. [`GraphClassifier`] chooses in the same way,
//! and trains on all graphs.

mod approximate;
mod classifier;
mod grid;
mod linear;
mod metrics;
mod model;
mod similarity;
mod telling;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use classifier::{FittedClassifier, GraphClassifier, Prediction};
pub use grid::{Candidate, Deciders, Grid};
pub use linear::{FittedLinear, LinearClassifier};
pub use metrics::{Confusion, Difference, Evaluation, Seconds, Times};
pub use model::Model;
pub use telling::{Telling, telling};

use crate::learn::Folds;
use crate::random::ChaCha8;
use crate::{Error, Graph, Monitor, Result, threads};
use grid::Choice;
use similarity::{ByMachine, Said, Similarities};

/// How settings were chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    /// Nothing was chosen.
    Fixed,
    /// The best of several, by the very accuracy that is reported: optimistic, and what many papers report.
    Selected,
    /// The best of several, by cross-validation inside the graphs that are learnt from: honest.
    Nested,
}

impl Protocol {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Selected => "selected",
            Self::Nested => "nested",
        }
    }
}

/// Cross-validation: stratified folds, several times over.
///
/// The same seed gives the same folds and the same numbers, on any machine and for any number of threads.
///
/// # Errors
///
/// [`CrossValidation::run`] fails when there are fewer graphs than folds, or settings contradict each other or the graphs.
///
/// # Example
///
/// ```
/// # use allpaths::{AllPathsCycles, Dataset, GraphKernel, evaluate::{CrossValidation, Grid}};
/// let demo = Dataset::demo(1);
/// let grid = Grid::new(GraphKernel::new(AllPathsCycles::up_to(5)).compared(|comparison| comparison.by_cell()));
/// let found = CrossValidation::new(10).run(&grid, &demo, demo.classes().unwrap())?;
/// assert!(found.accuracy_mean() > 90.0 && found.baseline_majority() < 63.0);
/// # Ok::<(), allpaths::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CrossValidation {
    folds: usize,
    repeats: usize,
    seed: u64,
    nested: bool,
    inner_folds: usize,
    threads: Option<usize>,
}

impl Default for CrossValidation {
    fn default() -> Self {
        Self { folds: 10, repeats: 1, seed: 1, nested: false, inner_folds: 5, threads: None }
    }
}

impl CrossValidation {
    /// So many folds, once.
    pub fn new(folds: usize) -> Self {
        Self { folds, ..Self::default() }
    }

    /// Sets how often graphs are split into folds anew.
    #[must_use]
    pub fn repeats(mut self, repeats: usize) -> Self {
        self.repeats = repeats;
        self
    }

    /// Sets the seed of all splits.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Chooses among several settings inside the graphs that are learnt from, by so many folds of those.
    #[must_use]
    pub fn nested(mut self, inner_folds: usize) -> Self {
        (self.nested, self.inner_folds) = (true, inner_folds);
        self
    }

    /// Sets the number of threads: all processors by default. The result is the same for any number.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// How settings of a grid are chosen.
    pub fn protocol(&self, grid: &Grid) -> Protocol {
        match grid.candidates().count() {
            0 | 1 => Protocol::Fixed,
            _ if self.nested => Protocol::Nested,
            _ => Protocol::Selected,
        }
    }

    /// Evaluates kernels and machines on graphs with classes.
    ///
    /// # Errors
    ///
    /// When there are fewer graphs than folds, or settings contradict each other or the graphs.
    pub fn run<G: AsRef<[Graph]> + ?Sized>(
        &self,
        grid: &Grid,
        graphs: &G,
        classes: &[i64],
    ) -> Result<Evaluation> {
        self.run_under(grid, graphs.as_ref(), classes, &Monitor::new())
    }

    /// Evaluates under the eyes of a monitor.
    ///
    /// # Errors
    ///
    /// As [`CrossValidation::run`], and when the monitor is told to interrupt.
    pub fn run_under(
        &self,
        grid: &Grid,
        graphs: &[Graph],
        classes: &[i64],
        monitor: &Monitor,
    ) -> Result<Evaluation> {
        check_classes(graphs, classes)?;
        if self.repeats == 0 {
            return Err(Error::settings("0 repeats evaluate nothing: ask for 1 or more"));
        }
        grid.check()?;
        let folds = (0..self.repeats as u64)
            .map(|repeat| Folds::random(classes, self.folds, &mut ChaCha8::stream(self.seed, repeat)))
            .collect::<Result<Vec<_>>>()?;
        threads::on(self.threads, || {
            let run = Run { settings: self, grid, classes, folds: &folds, monitor };
            run.all(graphs)
        })?
    }
}

fn check_classes(graphs: &[Graph], classes: &[i64]) -> Result<()> {
    match graphs.len() == classes.len() {
        true => Ok(()),
        false => Err(Error::settings(format!("{} classes given for {} graphs", classes.len(), graphs.len()))),
    }
}

/// A run, with what all its parts need.
struct Run<'a> {
    settings: &'a CrossValidation,
    grid: &'a Grid,
    classes: &'a [i64],
    folds: &'a [Folds],
    monitor: &'a Monitor,
}

/// Predictions for the graphs of a fold.
struct Predicted {
    test: Vec<usize>,
    /// By what was tried in the end: what was chosen, or each candidate alone.
    by_choice: Vec<(Choice, Vec<Said>)>,
}

impl Run<'_> {
    fn all(&self, graphs: &[Graph]) -> Result<Evaluation> {
        let alone = threads::count(self.settings.threads) == 1;
        let mut seconds = Seconds::default();
        let similarities = Similarities::new(self.grid, graphs, alone, self.monitor, &mut seconds)?;
        let clock = std::time::Instant::now();
        let parts: Vec<(usize, usize)> = (0..self.folds.len())
            .flat_map(|repeat| self.folds[repeat].numbers().map(move |fold| (repeat, fold)))
            .collect();
        let part = |&(repeat, fold): &(usize, usize)| {
            let predicted = self.fold(&similarities, repeat, fold);
            self.monitor.advance(1.0 / parts.len() as f64);
            predicted
        };
        let predicted: Vec<Predicted> =
            threads::map(!alone, parts.iter(), part).into_iter().collect::<Result<_>>()?;
        seconds.learn = clock.elapsed().as_secs_f64();
        let mut evaluation = self.evaluation(&parts, &predicted, seconds);
        evaluation.approximation_error = similarities.error();
        evaluation.outcomes = similarities.outcomes();
        Ok(evaluation)
    }

    /// Learns from the graphs outside a fold and predicts those in it.
    fn fold(&self, similarities: &Similarities<'_>, repeat: usize, fold: usize) -> Result<Predicted> {
        let (train, test) = self.folds[repeat].split(fold);
        let protocol = self.settings.protocol(self.grid);
        let by_choice = if protocol == Protocol::Nested {
            // A stream of its own for every fold of every repeat, none of which splits whole datasets.
            let stream = (1 << 32) + ((repeat as u64) << 16) + fold as u64;
            let random = ChaCha8::stream(self.settings.seed, stream);
            let chosen = self.choose(similarities, &train, random)?;
            let (cs, split) = (self.grid.some(&chosen.cs), (train.as_slice(), test.as_slice()));
            let said = similarities.predict_mean(chosen.kernel, &cs, self.classes, split, self.monitor)?;
            vec![(chosen, said)]
        } else {
            similarities
                .predict_all(self.classes, (&train, &test), self.monitor)?
                .into_iter()
                .flat_map(|kernel| kernel.alone)
                .enumerate()
                .map(|(candidate, said)| (self.grid.alone(candidate), said))
                .collect()
        };
        Ok(Predicted { test, by_choice })
    }

    /// What is best inside the graphs to learn from.
    fn choose(
        &self,
        similarities: &Similarities<'_>,
        train: &[usize],
        mut random: ChaCha8,
    ) -> Result<Choice> {
        choose(
            similarities,
            self.grid,
            self.classes,
            train,
            self.settings.inner_folds,
            &mut random,
            self.monitor,
        )
    }

    fn evaluation(&self, parts: &[(usize, usize)], predicted: &[Predicted], seconds: Seconds) -> Evaluation {
        let protocol = self.settings.protocol(self.grid);
        // What was chosen inside a fold is all there is of it; else the candidate that is right most often over all repeats.
        let tried = predicted.first().map_or(0, |part| part.by_choice.len());
        let mut right = vec![0usize; tried];
        for part in predicted {
            for (right, (_, said)) in right.iter_mut().zip(&part.by_choice) {
                *right += hits(said, &part.test, self.classes).filter(|&right| right).count();
            }
        }
        let best = (0..tried).rev().max_by_key(|&choice| right[choice]).unwrap_or(0);
        let mut chosen: BTreeMap<(usize, &[usize]), (&Choice, usize)> = BTreeMap::new();
        let mut predictions = vec![vec![0; self.classes.len()]; self.folds.len()];
        let mut decision_values = vec![vec![0.0; self.classes.len()]; self.folds.len()];
        for (&(repeat, _), part) in parts.iter().zip(predicted) {
            // Every fold has the best candidate, or what it chose.
            let Some((choice, said)) = part.by_choice.get(best) else { continue };
            chosen.entry((choice.kernel, &choice.cs)).or_insert((choice, 0)).1 += 1;
            for (&graph, said) in part.test.iter().zip(said) {
                (predictions[repeat][graph], decision_values[repeat][graph]) = (said.class, said.value);
            }
        }
        Evaluation {
            protocol,
            folds: self.settings.folds,
            repeats: self.settings.repeats,
            seed: self.settings.seed,
            classes: self.classes.to_vec(),
            fold_of: self.folds.to_vec(),
            predictions,
            decision_values,
            chosen: chosen.into_values().map(|(choice, times)| self.grid.times(choice, times)).collect(),
            seconds,
            approximation_error: None,
            outcomes: Vec::new(),
        }
    }
}

/// Whether each of some graphs is of the class that is said.
fn hits(said: &[Said], graphs: &[usize], classes: &[i64]) -> impl Iterator<Item = bool> {
    said.iter().zip(graphs).map(|(said, &graph)| said.class == classes[graph])
}

/// What is right most often in folds of some graphs, and what is taken with it.
fn choose(
    similarities: &Similarities<'_>,
    grid: &Grid,
    classes: &[i64],
    graphs: &[usize],
    folds: usize,
    random: &mut ChaCha8,
    monitor: &Monitor,
) -> Result<Choice> {
    let of_graphs: Vec<i64> = graphs.iter().map(|&graph| classes[graph]).collect();
    let folds = Folds::random(&of_graphs, folds.min(graphs.len()), random)?;
    let of_fold = |fold: usize| {
        let (train, test) = folds.split(fold);
        let of = |places: Vec<usize>| places.into_iter().map(|place| graphs[place]).collect::<Vec<_>>();
        let (train, test) = (of(train), of(test));
        let said = similarities.predict_all(classes, (&train, &test), monitor)?;
        let right = |said: ByMachine<Said>| said.map(|said| hits(&said, &test, classes).collect());
        Ok(said.into_iter().map(right).collect::<Vec<ByMachine<bool>>>())
    };
    let by_fold = threads::map(!similarities.alone(), folds.numbers(), of_fold);
    let by_fold: Vec<Vec<ByMachine<bool>>> = by_fold.into_iter().collect::<Result<_>>()?;
    let join = |all: Vec<ByMachine<bool>>, fold: Vec<ByMachine<bool>>| {
        all.into_iter().zip(fold).map(|(all, fold)| all.join(fold)).collect()
    };
    Ok(grid.choice(&by_fold.into_iter().reduce(join).unwrap_or_default()))
}

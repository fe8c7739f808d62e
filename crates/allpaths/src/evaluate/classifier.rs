//! A classifier of graphs: a kernel and a machine, chosen and trained on graphs with classes.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::grid::Grid;
use super::metrics::Seconds;
use super::similarity::Similarities;
use crate::count::Outcome;
use crate::kernel::{FittedKernel, Gram};
use crate::learn::{FittedSvm, Svm};
use crate::npz::Npz;
use crate::random::ChaCha8;
use crate::{Error, Graph, Monitor, Result, threads, versions};

/// Learns the classes of graphs: chooses a kernel and a C by cross-validation, and trains a machine on all graphs.
///
/// # Errors
///
/// [`GraphClassifier::fit`] fails when settings contradict each other or the graphs.
///
/// # Example
///
/// ```
/// # use allpaths::{Graph, evaluate::GraphClassifier};
/// let ring = |n| Graph::from_edges(n, (0..n).map(|u| (u, (u + 1) % n)));
/// let path = |n| Graph::from_edges(n, (1..n).map(|u| (u - 1, u)));
/// let graphs: Vec<Graph> = (5..25).flat_map(|n| [ring(n), path(n)]).collect::<Result<_, _>>()?;
/// let classes: Vec<i64> = (0..40).map(|i| i % 2).collect();
/// let classifier = GraphClassifier::new().fit(&graphs, &classes)?;
/// assert_eq!(classifier.predict(&[ring(30)?, path(30)?])?, [0, 1]);
/// # Ok::<(), allpaths::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GraphClassifier {
    grid: Grid,
    folds: usize,
    seed: u64,
    probabilities: bool,
    threads: Option<usize>,
}

impl Default for GraphClassifier {
    fn default() -> Self {
        Self::new()
    }
}

impl GraphClassifier {
    /// Chooses from the default menu, [`Grid::standard`].
    pub fn new() -> Self {
        Self::of(Grid::standard())
    }

    /// Chooses from a grid.
    pub fn of(grid: Grid) -> Self {
        Self { grid, folds: 5, seed: 1, probabilities: false, threads: None }
    }

    /// Sets by how many folds settings are chosen: 5 by default.
    #[must_use]
    pub fn folds(mut self, folds: usize) -> Self {
        self.folds = folds;
        self
    }

    /// Sets the seed of all splits.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Learns probabilities, too, from five more machines for each that decides.
    #[must_use]
    pub fn probabilities(mut self) -> Self {
        self.probabilities = true;
        self
    }

    /// Sets the number of threads: all processors by default. The result is the same for any number.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// Learns the classes of graphs.
    ///
    /// # Errors
    ///
    /// When settings contradict each other or the graphs.
    pub fn fit<G: AsRef<[Graph]> + ?Sized>(&self, graphs: &G, classes: &[i64]) -> Result<FittedClassifier> {
        self.fit_under(graphs.as_ref(), classes, &Monitor::new())
    }

    /// Learns under the eyes of a monitor.
    ///
    /// # Errors
    ///
    /// As [`GraphClassifier::fit`], and when the monitor is told to interrupt.
    pub fn fit_under(
        &self,
        graphs: &[Graph],
        classes: &[i64],
        monitor: &Monitor,
    ) -> Result<FittedClassifier> {
        self.grid.check()?;
        if self.grid.approximation().is_some() {
            return Err(Error::settings(
                "a classifier in a file compares with the graphs it learnt from: do not approximate",
            ));
        }
        super::check_classes(graphs, classes)?;
        threads::on(self.threads, || {
            let alone = threads::count(self.threads) == 1;
            let chosen = match self.grid.candidates().count() {
                1 => self.grid.alone(0),
                _ => {
                    let mut seconds = Seconds::default();
                    let similarities = Similarities::new(&self.grid, graphs, alone, monitor, &mut seconds)?;
                    let all: Vec<usize> = (0..graphs.len()).collect();
                    let random = &mut ChaCha8::new(self.seed);
                    super::choose(&similarities, &self.grid, classes, &all, self.folds, random, monitor)?
                }
            };
            let kernel = self.grid.kernels()[chosen.kernel]
                .clone()
                .compared(|comparison| comparison.on(alone.then_some(1)));
            let part = monitor.of_part();
            let kernel = kernel.fit_under(graphs, &part)?;
            let gram: Gram<f32> = kernel.gram_under(&part)?;
            let rows: Vec<usize> = (0..graphs.len()).collect();
            let cs = self.grid.some(&chosen.cs);
            let svm = self.grid.machine().clone().c(self.grid.cs()[chosen.best]);
            let svm = if self.probabilities { svm.probabilities(self.seed) } else { svm };
            let machine = svm.fit_mean(&gram, &rows, classes, &cs, monitor)?;
            Ok(FittedClassifier { kernel, settings: svm, cs, machine })
        })?
    }
}

/// A classifier that has learnt.
///
/// It can be kept in a file: [`FittedClassifier::write`].
#[derive(Clone, Debug)]
pub struct FittedClassifier {
    kernel: FittedKernel,
    settings: Svm,
    cs: Vec<f64>,
    machine: FittedSvm,
}

/// The version of the files.
const VERSION: u64 = 1;

/// What is no part of the kernel.
#[derive(Serialize, Deserialize)]
struct About {
    version: u64,
    settings: Svm,
    /// Of the machines whose mean it is; empty where there is one, with the C of the settings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    cs: Vec<f64>,
    machine: FittedSvm,
}

/// What a classifier says of a graph.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Prediction {
    /// Its class.
    pub class: i64,
    /// What the machines say, before anything decides: for two classes one value, positive for the first.
    pub decision_values: Vec<f64>,
    /// The probability of each class, ascending, if probabilities were learnt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probabilities: Option<Vec<f64>>,
    /// How counting ended in it.
    pub outcome: Outcome,
}

impl FittedClassifier {
    /// The kernel that was chosen, with the graphs it was fitted to.
    pub fn kernel(&self) -> &FittedKernel {
        &self.kernel
    }

    /// The settings of the machine, with the C that was right most often.
    pub fn svm(&self) -> &Svm {
        &self.settings
    }

    /// The C of the machine: several, ascending, where it is the mean of their machines.
    pub fn cs(&self) -> &[f64] {
        &self.cs
    }

    /// The machine.
    pub fn machine(&self) -> &FittedSvm {
        &self.machine
    }

    /// The classes, ascending.
    pub fn classes(&self) -> &[i64] {
        self.machine.classes()
    }

    /// The class of each graph.
    ///
    /// # Errors
    ///
    /// When graphs lack what the kernel counts.
    pub fn predict<G: AsRef<[Graph]> + ?Sized>(&self, graphs: &G) -> Result<Vec<i64>> {
        let predictions = self.predict_under(graphs.as_ref(), &Monitor::new())?;
        Ok(predictions.into_iter().map(|prediction| prediction.class).collect())
    }

    /// All that can be said of each graph, under the eyes of a monitor.
    ///
    /// # Errors
    ///
    /// As [`FittedClassifier::predict`], and when the monitor is told to interrupt.
    pub fn predict_under(&self, graphs: &[Graph], monitor: &Monitor) -> Result<Vec<Prediction>> {
        let others = self.kernel.count_under(graphs, monitor)?;
        let gram: Gram<f32> = self.kernel.against_counted(&others, monitor)?;
        let prediction = |row: usize| Prediction {
            class: self.machine.predict(gram.row(row)),
            decision_values: self.machine.decision_values(gram.row(row)),
            probabilities: self.machine.probabilities(gram.row(row)),
            outcome: others.outcomes()[row],
        };
        Ok((0..gram.rows()).map(prediction).collect())
    }

    /// Writes it to a file; read back, it predicts the same.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    ///
    /// # Panics
    ///
    /// Never: settings and numbers are JSON.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<()> {
        self.arrays().write(path)
    }

    /// What [`FittedClassifier::write`] writes to a file.
    ///
    /// # Errors
    ///
    /// When memory runs out.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        self.arrays().to_bytes()
    }

    fn arrays(&self) -> Npz {
        let cs = if self.cs.len() > 1 { self.cs.clone() } else { Vec::new() };
        let about =
            About { version: VERSION, settings: self.settings.clone(), cs, machine: self.machine.clone() };
        let about = serde_json::to_vec(&about).expect("finite numbers are JSON");
        self.kernel.arrays().array("classifier", about)
    }

    /// Reads what [`FittedClassifier::write`] wrote.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is damaged, or was written by another version.
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        Self::from_arrays(&Npz::read(path)?, path)
    }

    /// Takes what [`FittedClassifier::to_bytes`] gave.
    ///
    /// # Errors
    ///
    /// When it is damaged, or from another version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        const NAME: &str = "classifier";
        Self::from_arrays(&Npz::from_bytes(NAME, bytes)?, Path::new(NAME))
    }

    pub(super) fn from_arrays(npz: &Npz, path: &Path) -> Result<Self> {
        let Some(about) = npz.bytes("classifier") else {
            return Err(Error::file(path, "no \"classifier\" in it: not a trained classifier"));
        };
        let About { settings, cs, machine, .. } =
            versions::read(path, "a trained classifier", VERSION, about)?;
        let kernel = FittedKernel::from_arrays(npz, path)?;
        match machine.fits(kernel.rows()) {
            true => {
                let cs = if cs.is_empty() { vec![settings.cost()] } else { cs };
                Ok(Self { kernel, settings, cs, machine })
            }
            false => Err(Error::file(path, "its machine does not fit its kernel: the file is damaged")),
        }
    }
}

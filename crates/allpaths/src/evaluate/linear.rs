//! A classifier of graphs that can be read: a weight for each path and cycle.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::classifier::Prediction;
use super::grid::Grid;
use crate::count::Outcome;
use crate::embed::{AllPathsCycles, Features, Fitted};
use crate::learn::{FittedLinearSvm, Folds, LinearSvm};
use crate::npz::Npz;
use crate::random::ChaCha8;
use crate::{Error, Graph, Monitor, Result, threads, versions};

/// Learns the classes of graphs by a weight for each of their paths and cycles: chooses an embedding and a C by cross-validation, and trains a
/// linear machine on all graphs.
///
/// The machine learns from logarithms of counts, each graph's scaled to length 1.
///
/// # Errors
///
/// [`LinearClassifier::fit`] fails when settings contradict each other or the graphs.
///
/// # Example
///
/// ```
/// # use allpaths::{Dataset, evaluate::LinearClassifier};
/// let demo = Dataset::demo(1);
/// let classifier = LinearClassifier::new().fit(&demo, demo.classes().unwrap())?;
/// let found = classifier.predict(&Dataset::demo(2))?;
/// let right = found.iter().zip(Dataset::demo(2).classes().unwrap()).filter(|(one, other)| one == other).count();
/// assert!(right > 285); // of 300
/// # Ok::<(), allpaths::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinearClassifier {
    embeddings: Vec<AllPathsCycles>,
    /// Ascending.
    cs: Vec<f64>,
    svm: LinearSvm,
    folds: usize,
    seed: u64,
    threads: Option<usize>,
}

impl Default for LinearClassifier {
    fn default() -> Self {
        Self::new()
    }
}

impl LinearClassifier {
    /// Paths and cycles to length 6 by their labels, and one C of 1, 10 and 100.
    pub fn new() -> Self {
        Self {
            embeddings: vec![AllPathsCycles::default()],
            cs: vec![1.0, 10.0, 100.0],
            svm: LinearSvm::default(),
            folds: 5,
            seed: 1,
            threads: None,
        }
    }

    /// Chooses from the embeddings of the kernels of a grid, and from its C.
    ///
    /// # Errors
    ///
    /// When a kernel of the grid counts no paths, or its machines weigh classes.
    pub fn of(grid: &Grid) -> Result<Self> {
        grid.check()?;
        let mut embeddings: Vec<AllPathsCycles> = Vec::new();
        for kernel in grid.kernels() {
            let embedding = kernel.embedding()?;
            // Kernels that differ in how they compare count the same.
            if !embeddings.contains(&embedding) {
                embeddings.push(embedding);
            }
        }
        Ok(Self { embeddings, cs: grid.cs().to_vec(), svm: grid.machine().on_features()?, ..Self::new() })
    }

    /// Chooses from other embeddings.
    #[must_use]
    pub fn embeddings(mut self, embeddings: impl IntoIterator<Item = AllPathsCycles>) -> Self {
        self.embeddings = embeddings.into_iter().collect();
        self
    }

    /// Sets which C are tried.
    #[must_use]
    pub fn c(mut self, cs: impl IntoIterator<Item = f64>) -> Self {
        self.cs = cs.into_iter().collect();
        self.cs.sort_by(f64::total_cmp);
        self
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
    pub fn fit<G: AsRef<[Graph]> + ?Sized>(&self, graphs: &G, classes: &[i64]) -> Result<FittedLinear> {
        self.fit_under(graphs.as_ref(), classes, &Monitor::new())
    }

    /// Learns under the eyes of a monitor.
    ///
    /// # Errors
    ///
    /// As [`LinearClassifier::fit`], and when the monitor is told to interrupt.
    pub fn fit_under(&self, graphs: &[Graph], classes: &[i64], monitor: &Monitor) -> Result<FittedLinear> {
        super::check_classes(graphs, classes)?;
        threads::on(self.threads, || {
            let embed = |embedding: &AllPathsCycles| {
                let embedding = self.threads.into_iter().fold(embedding.clone(), AllPathsCycles::threads);
                embedding.fit_transform_under(graphs, &monitor.of_part())
            };
            let mut embedded = self.embeddings.iter().map(embed).collect::<Result<Vec<_>>>()?;
            let (place, c) = match (embedded.len(), self.cs.as_slice()) {
                (0, _) | (_, []) => {
                    return Err(Error::settings("without embeddings, or without C, there is nothing to try"));
                }
                (1, &[c]) => (0, c),
                _ => self.choose(&embedded, classes, monitor)?,
            };
            let (embedding, features) = embedded.swap_remove(place);
            let machine = self.svm.clone().c(c).fit_under(&features, classes, monitor)?;
            monitor.advance(1.0);
            Ok(FittedLinear { embedding, machine, outcomes: features.outcomes().to_vec() })
        })?
    }

    /// The embedding and the C that are right most often in folds of the graphs. Ties go to the first.
    fn choose(
        &self,
        embedded: &[(Fitted, Features)],
        classes: &[i64],
        monitor: &Monitor,
    ) -> Result<(usize, f64)> {
        let folds = Folds::random(classes, self.folds.min(classes.len()), &mut ChaCha8::new(self.seed))?;
        let right = |&(place, c): &(usize, f64)| -> Result<usize> {
            let features = &embedded[place].1;
            let mut right = 0;
            for fold in folds.numbers() {
                let (_, test) = folds.split(fold);
                let mut known: Vec<Option<i64>> = classes.iter().copied().map(Some).collect();
                test.iter().for_each(|&graph| known[graph] = None);
                let svm = self.svm.clone().c(c);
                let predicted =
                    svm.learn(features, features.features(), &known, monitor)?.predict(features)?;
                right += test.iter().filter(|&&graph| predicted[graph] == classes[graph]).count();
            }
            Ok(right)
        };
        let all: Vec<(usize, f64)> =
            (0..embedded.len()).flat_map(|place| self.cs.iter().map(move |&c| (place, c))).collect();
        let right: Vec<usize> = threads::map(true, all.iter(), right).into_iter().collect::<Result<_>>()?;
        let best = (0..all.len()).rev().max_by_key(|&candidate| right[candidate]).unwrap_or(0);
        Ok(all[best])
    }
}

/// A linear classifier that has learnt.
///
/// It can be kept in a file: [`FittedLinear::write`].
#[derive(Clone, Debug)]
pub struct FittedLinear {
    embedding: Fitted,
    machine: FittedLinearSvm,
    outcomes: Vec<Outcome>,
}

/// The version of the files.
const VERSION: u64 = 1;

/// What is no part of the embedding.
#[derive(Serialize, Deserialize)]
struct About {
    version: u64,
    machine: FittedLinearSvm,
    #[serde(default)]
    outcomes: Vec<Outcome>,
}

impl FittedLinear {
    /// The array by which its files are told from others.
    pub(super) const MARK: &str = "linear";

    /// The embedding that was chosen, with its columns.
    pub fn embedding(&self) -> &Fitted {
        &self.embedding
    }

    /// The machine.
    pub fn machine(&self) -> &FittedLinearSvm {
        &self.machine
    }

    /// How counting ended for each of the graphs that were learnt from.
    pub fn outcomes(&self) -> &[Outcome] {
        &self.outcomes
    }

    /// The classes, ascending.
    pub fn classes(&self) -> &[i64] {
        self.machine.classes()
    }

    /// The class of each graph.
    ///
    /// # Errors
    ///
    /// When graphs lack what is counted.
    pub fn predict<G: AsRef<[Graph]> + ?Sized>(&self, graphs: &G) -> Result<Vec<i64>> {
        let predictions = self.predict_under(graphs.as_ref(), &Monitor::new())?;
        Ok(predictions.into_iter().map(|prediction| prediction.class).collect())
    }

    /// All that can be said of each graph, under the eyes of a monitor.
    ///
    /// # Errors
    ///
    /// As [`FittedLinear::predict`], and when the monitor is told to interrupt.
    pub fn predict_under(&self, graphs: &[Graph], monitor: &Monitor) -> Result<Vec<Prediction>> {
        let features = self.embedding.transform_under(graphs, monitor)?;
        if monitor.is_interrupted() {
            return Err(Error::stopped("interrupted before all graphs were counted in"));
        }
        let prediction = |(decision_values, &outcome): (Vec<f64>, &Outcome)| Prediction {
            class: self.machine.decide(&decision_values),
            decision_values,
            probabilities: None,
            outcome,
        };
        let values = self.machine.decision_values(&features)?.into_iter();
        Ok(values.zip(features.outcomes()).map(prediction).collect())
    }

    /// Writes it to a file; read back, it predicts the same.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<()> {
        self.arrays()?.write(path)
    }

    /// What [`FittedLinear::write`] writes to a file.
    ///
    /// # Errors
    ///
    /// When memory runs out.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        self.arrays()?.to_bytes()
    }

    fn arrays(&self) -> Result<Npz> {
        let about =
            About { version: VERSION, machine: self.machine.clone(), outcomes: self.outcomes.clone() };
        let about = serde_json::to_vec(&about).expect("finite numbers are JSON");
        Ok(Npz::new().array(Self::MARK, about).array("embedding", self.embedding.to_bytes()?))
    }

    pub(super) fn from_arrays(npz: &Npz, path: &Path) -> Result<Self> {
        let bytes = |name: &str| {
            let missing = || Error::file(path, format!("no {name:?} in it: not a trained classifier"));
            npz.bytes(name).ok_or_else(missing)
        };
        let About { machine, outcomes, .. } =
            versions::read(path, "a trained classifier", VERSION, bytes(Self::MARK)?)?;
        let embedding = Fitted::parse(path, bytes("embedding")?)?;
        match machine.fits(embedding.columns()) {
            true => Ok(Self { embedding, machine, outcomes }),
            false => Err(Error::file(path, "its machine does not fit its columns: the file is damaged")),
        }
    }
}

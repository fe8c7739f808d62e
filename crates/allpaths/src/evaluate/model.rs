//! Trained classifiers of either kind, as they are in files.

use std::path::Path;

use super::classifier::{FittedClassifier, Prediction};
use super::linear::FittedLinear;
use crate::npz::Npz;
use crate::{Graph, Monitor, Result};

/// A classifier that has learnt, whatever it is made of.
///
/// # Example
///
/// ```
/// # use allpaths::{Dataset, Monitor, evaluate::{LinearClassifier, Model}};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("demo.model");
/// let demo = Dataset::demo(1);
/// LinearClassifier::new().fit(&demo, demo.classes().unwrap())?.write(&path)?;
/// let predictions = Model::read(&path)?.predict_under(demo.graphs(), &Monitor::new())?;
/// assert_eq!(predictions.len(), 300);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub enum Model {
    /// A kernel and a machine on its Gram matrix.
    Kernel(Box<FittedClassifier>),
    /// An embedding and a weight for each of its features.
    Linear(Box<FittedLinear>),
}

impl Model {
    /// Reads what [`FittedClassifier::write`] or [`FittedLinear::write`] wrote.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is damaged, or was written by another version.
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        Self::from_arrays(&Npz::read(path)?, path)
    }

    /// Takes what [`FittedClassifier::to_bytes`] or [`FittedLinear::to_bytes`] gave.
    ///
    /// # Errors
    ///
    /// When it is damaged, or from another version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        const NAME: &str = "classifier";
        Self::from_arrays(&Npz::from_bytes(NAME, bytes)?, Path::new(NAME))
    }

    fn from_arrays(npz: &Npz, path: &Path) -> Result<Self> {
        match npz.bytes(FittedLinear::MARK) {
            Some(_) => Ok(Self::Linear(Box::new(FittedLinear::from_arrays(npz, path)?))),
            None => Ok(Self::Kernel(Box::new(FittedClassifier::from_arrays(npz, path)?))),
        }
    }

    /// The classes, ascending.
    pub fn classes(&self) -> &[i64] {
        match self {
            Self::Kernel(classifier) => classifier.classes(),
            Self::Linear(classifier) => classifier.classes(),
        }
    }

    /// What it is made of: the name of its kernel, or `linear`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Kernel(classifier) => classifier.kernel().settings().substructures().name(),
            Self::Linear(_) => "linear",
        }
    }

    /// All that can be said of each graph, under the eyes of a monitor.
    ///
    /// # Errors
    ///
    /// When graphs lack what is counted, and when the monitor is told to interrupt.
    pub fn predict_under(&self, graphs: &[Graph], monitor: &Monitor) -> Result<Vec<Prediction>> {
        match self {
            Self::Kernel(classifier) => classifier.predict_under(graphs, monitor),
            Self::Linear(classifier) => classifier.predict_under(graphs, monitor),
        }
    }
}

impl From<FittedClassifier> for Model {
    fn from(classifier: FittedClassifier) -> Self {
        Self::Kernel(Box::new(classifier))
    }
}

impl From<FittedLinear> for Model {
    fn from(classifier: FittedLinear) -> Self {
        Self::Linear(Box::new(classifier))
    }
}

//! Classes of graphs: a kernel and a support vector machine, chosen by the graphs that are learnt from.

use allpaths::GraphKernel;
use allpaths::evaluate::{FittedClassifier, GraphClassifier, Grid, Prediction};
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::{exception, settings};
use crate::graph::dataset;
use crate::job;

/// Predicts the classes of graphs.
#[pyclass(frozen, module = "allpaths._native")]
pub(crate) struct Classifier {
    inner: FittedClassifier,
}

#[pymethods]
impl Classifier {
    /// The kernel is the program's default where none is given, and so are the C.
    #[staticmethod]
    #[pyo3(signature = (graphs, classes, kernel, cs, folds, seed, probabilities, threads, progress=None))]
    #[allow(clippy::too_many_arguments, clippy::needless_pass_by_value)] // all that there is to choose; as pyo3 gives it
    fn fit(
        graphs: &Bound<'_, PyAny>,
        classes: Vec<i64>,
        kernel: Option<&str>,
        cs: Option<Vec<f64>>,
        folds: usize,
        seed: u64,
        probabilities: bool,
        threads: usize,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let kernel = kernel.map(settings::<GraphKernel>).transpose()?;
        let grid =
            kernel.map_or_else(Grid::standard, |kernel| Grid::of([kernel]).c(Grid::standard().cs().to_vec()));
        let grid = cs.map_or(grid.clone(), |cs| grid.c(cs));
        let classifier = GraphClassifier::of(grid).folds(folds).seed(seed).threads(threads);
        let classifier = if probabilities { classifier.probabilities() } else { classifier };
        let data = dataset(graphs)?;
        let fit = |monitor: &_| classifier.fit_under(data.graphs(), &classes, monitor);
        Ok(Self { inner: job::run(graphs.py(), progress, fit)? })
    }

    #[pyo3(signature = (graphs, progress=None))]
    fn predict<'py>(
        &self,
        graphs: &Bound<'py, PyAny>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let predictions = self.predictions(graphs, progress)?;
        Ok(PyArray1::from_iter(graphs.py(), predictions.iter().map(|prediction| prediction.class)))
    }

    /// A row for each graph, a column for each class; nothing if probabilities were not learnt.
    #[pyo3(signature = (graphs, progress=None))]
    fn probabilities<'py>(
        &self,
        graphs: &Bound<'py, PyAny>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        let predictions = self.predictions(graphs, progress)?;
        let rows: Option<Vec<Vec<f64>>> =
            predictions.into_iter().map(|prediction| prediction.probabilities).collect();
        Ok(rows.map(|rows| PyArray2::from_vec2(graphs.py(), &rows)).transpose()?)
    }

    /// What an error costs: of several, the one that was right most often.
    #[getter]
    fn c(&self) -> f64 {
        self.inner.svm().cost()
    }

    /// The settings of the kernel.
    #[getter]
    fn kernel(&self) -> PyResult<String> {
        serde_json::to_string(self.inner.kernel().settings())
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// The numbers of the graphs that it leans on.
    fn support(&self) -> Vec<usize> {
        self.inner.machine().support()
    }

    #[staticmethod]
    fn from_bytes(data: &[u8]) -> PyResult<Self> {
        Ok(Self { inner: FittedClassifier::from_bytes(data).map_err(|error| exception(&error))? })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let bytes = self.inner.to_bytes().map_err(|error| exception(&error))?;
        Ok((py.get_type::<Self>().getattr("from_bytes")?, (PyBytes::new(py, &bytes),)))
    }
}

impl Classifier {
    fn predictions(
        &self,
        graphs: &Bound<'_, PyAny>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<Prediction>> {
        let data = dataset(graphs)?;
        job::run(graphs.py(), progress, |monitor| self.inner.predict_under(data.graphs(), monitor))
    }
}

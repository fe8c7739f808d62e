//! Classes of graphs: a kernel and a support vector machine, chosen by the graphs that are learnt from.

use allpaths::evaluate::{CrossValidation, Grid};
use allpaths::kernel::FittedKernel;
use allpaths::learn::{FittedSvm, Svm};
use allpaths::{Dataset, GraphKernel, Monitor};
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::{exception, settings};
use crate::graph::dataset;
use crate::job;

/// Predicts the classes of graphs.
#[pyclass(frozen, module = "allpaths._native")]
pub(crate) struct Classifier {
    kernel: FittedKernel,
    svm: FittedSvm,
    c: f64,
}

/// A classifier on its way through a pickle.
type Parts<'py> = (Bound<'py, PyBytes>, String, f64);

/// How to choose among kernels and C.
struct Choice {
    grid: Grid,
    folds: usize,
    seed: u64,
    threads: usize,
}

impl Choice {
    /// The best by cross-validation, if there is a choice, learnt from all graphs.
    fn fit(&self, data: &Dataset, classes: &[i64], monitor: &Monitor) -> allpaths::Result<Classifier> {
        let (graphs, threads) = (data.graphs(), self.threads);
        let mut candidates = self.grid.candidates();
        let (kernel, c) = match (candidates.next(), candidates.next()) {
            (Some(only), None) => (only.kernel.clone(), only.c),
            _ => {
                let folds = self.folds.min(graphs.len());
                let validation = CrossValidation::new(folds).seed(self.seed).threads(threads);
                let found = validation.run_under(&self.grid, graphs, classes, monitor)?;
                // Nothing is chosen inside folds here, so all take the same.
                let best = &found.chosen()[0];
                (best.kernel.clone(), best.c)
            }
        };
        let kernel = kernel.threads(threads).fit_under(graphs, monitor)?;
        let rows: Vec<usize> = (0..graphs.len()).collect();
        let svm = Svm::new(c).fit_under(&kernel.gram_under::<f64>(monitor)?, &rows, classes, monitor)?;
        Ok(Classifier { kernel, svm, c })
    }
}

#[pymethods]
impl Classifier {
    /// The kernel is the program's default where none is given, and so are the C.
    #[staticmethod]
    #[pyo3(signature = (graphs, classes, kernel, cs, folds, seed, threads, progress=None))]
    #[allow(clippy::too_many_arguments, clippy::needless_pass_by_value)] // all that there is to choose; as pyo3 gives it
    fn fit(
        graphs: &Bound<'_, PyAny>,
        classes: Vec<i64>,
        kernel: Option<&str>,
        cs: Option<Vec<f64>>,
        folds: usize,
        seed: u64,
        threads: usize,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let kernel = kernel.map(settings::<GraphKernel>).transpose()?;
        let grid =
            kernel.map_or_else(Grid::standard, |kernel| Grid::of([kernel]).c(Grid::standard().cs().to_vec()));
        let grid = cs.map_or(grid.clone(), |cs| grid.c(cs));
        let (choice, data) = (Choice { grid, folds, seed, threads }, dataset(graphs)?);
        job::run(graphs.py(), progress, |monitor| choice.fit(&data, &classes, monitor))
    }

    #[pyo3(signature = (graphs, progress=None))]
    fn predict<'py>(
        &self,
        graphs: &Bound<'py, PyAny>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let (py, data) = (graphs.py(), dataset(graphs)?);
        let gram =
            job::run(py, progress, |monitor| self.kernel.against_under::<f64>(data.graphs(), monitor))?;
        let classes = (0..data.graphs().len()).map(|row| self.svm.predict(gram.row(row)));
        Ok(PyArray1::from_iter(py, classes))
    }

    /// What an error costs.
    #[getter]
    fn c(&self) -> f64 {
        self.c
    }

    /// The settings of the kernel.
    #[getter]
    fn kernel(&self) -> PyResult<String> {
        serde_json::to_string(self.kernel.settings())
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// The numbers of the graphs that it leans on.
    fn support(&self) -> Vec<usize> {
        self.svm.support()
    }

    #[staticmethod]
    fn from_bytes(kernel: &[u8], svm: &str, c: f64) -> PyResult<Self> {
        let kernel = FittedKernel::from_bytes(kernel).map_err(|error| exception(&error))?;
        Ok(Self { kernel, svm: settings(svm)?, c })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Parts<'py>)> {
        let kernel = self.kernel.to_bytes().map_err(|error| exception(&error))?;
        let svm =
            serde_json::to_string(&self.svm).map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok((py.get_type::<Self>().getattr("from_bytes")?, (PyBytes::new(py, &kernel), svm, self.c)))
    }
}

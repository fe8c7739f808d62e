//! Kernels with the graphs they were fitted to.

use allpaths::GraphKernel;
use allpaths::kernel::{FittedKernel, Gram};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::{exception, settings};
use crate::graph::dataset;
use crate::job;
use crate::rows::names;

/// Compares graphs with those it was fitted to.
#[pyclass(frozen, module = "allpaths._native")]
pub(crate) struct Kernel(FittedKernel);

fn array(py: Python<'_>, rows: usize, gram: Gram<f64>) -> PyResult<Bound<'_, PyArray2<f64>>> {
    let columns = gram.columns();
    PyArray1::from_vec(py, gram.into_values()).reshape([rows, columns])
}

#[pymethods]
impl Kernel {
    #[staticmethod]
    #[pyo3(signature = (text, graphs, progress=None))]
    fn fit(text: &str, graphs: &Bound<'_, PyAny>, progress: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let (kernel, data) = (settings::<GraphKernel>(text)?, dataset(graphs)?);
        job::run(graphs.py(), progress, |monitor| kernel.fit_under(data.graphs(), monitor)).map(Self)
    }

    /// The fitted graphs with each other.
    #[pyo3(signature = (progress=None))]
    fn gram<'py>(
        &self,
        py: Python<'py>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let gram = job::run(py, progress, |monitor| self.0.gram_under(monitor))?;
        array(py, self.0.rows(), gram)
    }

    /// Other graphs with the fitted ones.
    #[pyo3(signature = (graphs, progress=None))]
    fn against<'py>(
        &self,
        graphs: &Bound<'py, PyAny>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (py, data) = (graphs.py(), dataset(graphs)?);
        let gram = job::run(py, progress, |monitor| self.0.against_under(data.graphs(), monitor))?;
        array(py, data.graphs().len(), gram)
    }

    #[getter]
    fn rows(&self) -> usize {
        self.0.rows()
    }

    /// How counting ended for each of the fitted graphs.
    #[getter]
    fn outcomes(&self) -> Vec<&'static str> {
        names(self.0.outcomes())
    }

    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        FittedKernel::from_bytes(bytes).map(Self).map_err(|error| exception(&error))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let bytes = self.0.to_bytes().map_err(|error| exception(&error))?;
        Ok((py.get_type::<Self>().getattr("from_bytes")?, (PyBytes::new(py, &bytes),)))
    }
}

//! Kernels by landmarks.

use allpaths::GraphKernel;
use allpaths::kernel::{FittedKernel, FittedNystroem, Landmarks, Nystroem as Settings};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::{exception, settings};
use crate::graph::dataset;
use crate::job;

/// A kernel that is approximated by its values with some graphs.
#[pyclass(frozen, module = "allpaths._native")]
pub(crate) struct Nystroem(FittedNystroem);

/// What makes it again, and of what.
type Reduced<'py> = (Bound<'py, PyAny>, (Bound<'py, PyBytes>, Vec<usize>));

#[pymethods]
impl Nystroem {
    #[staticmethod]
    #[pyo3(signature = (text, graphs, landmarks, sampling, seed, progress=None))]
    fn fit(
        text: &str,
        graphs: &Bound<'_, PyAny>,
        landmarks: usize,
        sampling: &str,
        seed: u64,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let (kernel, data) = (settings::<GraphKernel>(text)?, dataset(graphs)?);
        let sampling = Landmarks::ALL.into_iter().find(|known| known.name() == sampling);
        let sampling = sampling.ok_or_else(|| PyValueError::new_err("no such way to choose landmarks"))?;
        let nystroem = Settings::new(landmarks).sampling(sampling).seed(seed);
        job::run(graphs.py(), progress, |monitor| nystroem.fit_under(&kernel, data.graphs(), monitor))
            .map(Self)
    }

    /// Graphs as coordinates, and the share of the kernel's trace that those lose.
    #[pyo3(signature = (graphs, progress=None))]
    fn transform<'py>(
        &self,
        graphs: &Bound<'py, PyAny>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyArray2<f64>>, f64)> {
        let (py, data) = (graphs.py(), dataset(graphs)?);
        let found = job::run(py, progress, |monitor| self.0.transform_under(data.graphs(), monitor))?;
        let (error, columns) = (found.error(), found.coordinates.columns());
        let values = PyArray1::from_vec(py, found.coordinates.into_values());
        Ok((values.reshape([data.graphs().len(), columns])?, error))
    }

    /// Which of the fitted graphs are landmarks.
    #[getter]
    fn landmarks<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        #[allow(clippy::cast_possible_wrap)] // numbers of graphs in memory
        PyArray1::from_vec(py, self.0.landmarks().iter().map(|&graph| graph as i64).collect())
    }

    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8], landmarks: Vec<usize>) -> PyResult<Self> {
        let kernel = FittedKernel::from_bytes(bytes).map_err(|error| exception(&error))?;
        job::run(py, None, |monitor| FittedNystroem::of(kernel, landmarks, monitor)).map(Self)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let bytes = self.0.kernel().to_bytes().map_err(|error| exception(&error))?;
        let of_bytes = py.get_type::<Self>().getattr("from_bytes")?;
        Ok((of_bytes, (PyBytes::new(py, &bytes), self.0.landmarks().to_vec())))
    }

    /// How many coordinates there are.
    #[getter]
    fn rank(&self) -> usize {
        self.0.rank().max(1)
    }
}

//! Embeddings that know their columns.

use allpaths::AllPathsCycles;
use allpaths::embed::{Columns, Feature, Fitted};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::{exception, settings};
use crate::graph::dataset;
use crate::job;
use crate::rows::{Rows, rows};

/// Counts labelled paths and cycles in columns that were learnt.
#[pyclass(frozen, module = "allpaths._native")]
pub(crate) struct Embedding(Fitted);

impl Embedding {
    fn features(&self) -> &[Feature] {
        match self.0.columns() {
            Columns::Named(features) => features,
            Columns::Hashed(_) => &[],
        }
    }
}

#[pymethods]
impl Embedding {
    #[staticmethod]
    #[pyo3(signature = (text, graphs, progress=None))]
    fn fit<'py>(
        text: &str,
        graphs: &Bound<'py, PyAny>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Self, Rows<'py>)> {
        let (py, embedding, data) = (graphs.py(), settings::<AllPathsCycles>(text)?, dataset(graphs)?);
        let (fitted, features) =
            job::run(py, progress, |monitor| embedding.fit_transform_under(data.graphs(), monitor))?;
        Ok((Self(fitted), rows(py, &features)?))
    }

    #[pyo3(signature = (graphs, threads, progress=None))]
    fn transform<'py>(
        &self,
        graphs: &Bound<'py, PyAny>,
        threads: usize,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Rows<'py>> {
        let (py, data) = (graphs.py(), dataset(graphs)?);
        let fitted = self.0.clone().threads(Some(threads));
        let features = job::run(py, progress, |monitor| fitted.transform_under(data.graphs(), monitor))?;
        rows(py, &features)
    }

    #[getter]
    fn columns(&self) -> usize {
        self.0.columns().len()
    }

    /// What the columns are called; nothing where they are hashed.
    fn names(&self) -> Vec<&str> {
        self.features().iter().map(|feature| feature.name.as_str()).collect()
    }

    fn ids<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        PyArray1::from_iter(py, self.features().iter().map(|feature| feature.id))
    }

    fn lengths<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        PyArray1::from_iter(
            py,
            self.features().iter().map(|feature| feature.cell.length.cast_signed() as i64),
        )
    }

    /// The labels that keep their names; nothing if all do.
    fn labels(&self) -> Option<Vec<String>> {
        self.0.labels().kept().map(<[String]>::to_vec)
    }

    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        Fitted::from_bytes(bytes).map(Self).map_err(|error| exception(&error))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let bytes = self.0.to_bytes().map_err(|error| exception(&error))?;
        Ok((py.get_type::<Self>().getattr("from_bytes")?, (PyBytes::new(py, &bytes),)))
    }
}

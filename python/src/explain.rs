//! Why a model says what it says.

use allpaths::Dataset;
use allpaths::evaluate::Model;
use allpaths::explain::Explainer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::error::exception;
use crate::graph::dataset;
use crate::job;

/// Explains what a model, given as the bytes of its file, says of graphs: all numbers as JSON, and the page that shows them.
#[pyfunction]
#[pyo3(signature = (model, graphs, name, top, threads, progress=None))]
pub(crate) fn explain(
    model: &[u8],
    graphs: &Bound<'_, PyAny>,
    name: &str,
    top: usize,
    threads: usize,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(String, String)> {
    let model = Model::from_bytes(model).map_err(|error| exception(&error))?;
    let data = Dataset::from_graphs(name, dataset(graphs)?.graphs().to_vec());
    let explainer = Explainer::new(&model).top(top).threads(threads);
    let (found, page) = job::run(graphs.py(), progress, |monitor| {
        let found = explainer.explain_under(data.graphs(), monitor)?;
        let page = found.page(&data, model.name())?;
        Ok((found, page))
    })?;
    let json = serde_json::to_string(&found).map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok((json, page))
}

//! Counts as Python's own integers, which have no largest.

use allpaths::Counter;
use allpaths::count::{Count, Counts, Engine};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList};

use crate::error::settings;
use crate::graph::Graph;
use crate::job;

/// Paths and cycles of each finished length, where they were counted, and how it ended.
type Found<'py> = (Option<Bound<'py, PyList>>, Option<Bound<'py, PyList>>, &'static str);

pub(crate) fn integer<'py>(py: Python<'py>, count: &Count) -> PyResult<Bound<'py, PyAny>> {
    match count.to_u128() {
        Some(count) => Ok(count.into_pyobject(py)?.into_any()),
        None => py.get_type::<PyInt>().call1((count.to_string(),)),
    }
}

fn found<'py>(py: Python<'py>, counts: &Counts, rooted: bool) -> PyResult<Found<'py>> {
    let counts = if rooted { counts.rooted() } else { counts.clone() };
    let list = |counts: Option<&[Count]>| {
        let integers =
            |counts: &[Count]| counts.iter().map(|count| integer(py, count)).collect::<PyResult<Vec<_>>>();
        counts.map(|counts| PyList::new(py, integers(counts)?)).transpose()
    };
    Ok((list(counts.path_counts())?, list(counts.cycle_counts())?, counts.outcome().name()))
}

/// Checks that there is an engine of that name.
#[pyfunction]
pub(crate) fn check_engine(name: &str) -> PyResult<()> {
    let known = serde_json::from_value::<Engine>(name.into());
    known.map(|_| ()).map_err(|error| PyValueError::new_err(format!("engine: {error}")))
}

/// Counts in a graph.
#[pyfunction]
#[pyo3(signature = (graph, text, rooted, progress=None))]
pub(crate) fn count<'py>(
    py: Python<'py>,
    graph: &Bound<'py, Graph>,
    text: &str,
    rooted: bool,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Found<'py>> {
    let (counter, graph) = (settings::<Counter>(text)?, &graph.get().inner);
    found(py, &job::run(py, progress, |monitor| counter.count_under(graph, monitor))?, rooted)
}

/// Counts for each vertex of a graph.
#[pyfunction]
#[pyo3(signature = (graph, text, rooted, progress=None))]
pub(crate) fn count_by_vertex<'py>(
    py: Python<'py>,
    graph: &Bound<'py, Graph>,
    text: &str,
    rooted: bool,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Vec<Found<'py>>> {
    let (counter, graph) = (settings::<Counter>(text)?, &graph.get().inner);
    let counts = job::run(py, progress, |monitor| counter.by_vertex_under(graph, monitor))?;
    counts.iter().map(|counts| found(py, counts, rooted)).collect()
}

/// Counts the paths between two vertices.
#[pyfunction]
#[pyo3(signature = (graph, text, source, target, progress=None))]
pub(crate) fn count_between<'py>(
    py: Python<'py>,
    graph: &Bound<'py, Graph>,
    text: &str,
    source: usize,
    target: usize,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Found<'py>> {
    let (counter, graph) = (settings::<Counter>(text)?, &graph.get().inner);
    let counts = job::run(py, progress, |monitor| counter.between_under(graph, source, target, monitor))?;
    found(py, &counts, false)
}

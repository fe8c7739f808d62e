//! Molecules from SMILES, and libraries of graphs to be searched.

use allpaths::AllPathsCycles;
use allpaths::dataset::{Format, Reader};
use allpaths::search::{Library, LibraryBuilder, Similarity};
use numpy::PyArray1;
use pyo3::prelude::*;

use crate::error::settings;
use crate::graph::{Graph, dataset};
use crate::job;

/// The rows of the nearest graphs and their scores, for each query.
type Nearest<'py> = Vec<(Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<f64>>)>;

/// Reads SMILES, one a line.
#[pyfunction]
pub(crate) fn read_smiles(py: Python<'_>, smiles: String, text: &str) -> PyResult<(Vec<Graph>, Vec<String>)> {
    let reader = settings::<Reader>(text)?.format(Format::Smiles);
    let data = job::run(py, None, |_| reader.read_bytes("smiles", smiles))?;
    let graphs = data.graphs().iter().map(|graph| Graph { inner: graph.clone() }).collect();
    Ok((graphs, data.notes()))
}

/// Finds the graphs most similar to each of some others.
#[pyfunction]
#[pyo3(signature = (queries, library, text, measure, top, progress=None))]
pub(crate) fn nearest<'py>(
    queries: &Bound<'py, PyAny>,
    library: &Bound<'py, PyAny>,
    text: &str,
    measure: &str,
    top: usize,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Nearest<'py>> {
    let py = queries.py();
    let embedding = settings::<AllPathsCycles>(text)?;
    let similarity = settings::<Similarity>(&format!("{measure:?}"))?;
    let (queries, library) = (dataset(queries)?, dataset(library)?);
    let found = job::run(py, progress, |monitor| {
        let mut builder = LibraryBuilder::new(&embedding)?;
        builder.add(&library, monitor)?;
        let library: Library = builder.finish();
        let search = library.search(similarity);
        queries.graphs().iter().map(|graph| search.nearest(graph, top)).collect::<allpaths::Result<Vec<_>>>()
    })?;
    let arrays = |hits: Vec<allpaths::search::Hit>| {
        #[allow(clippy::cast_possible_wrap)] // rows are fewer than bytes of memory
        let rows = PyArray1::from_iter(py, hits.iter().map(|hit| hit.row as i64));
        (rows, PyArray1::from_iter(py, hits.iter().map(|hit| hit.score)))
    };
    Ok(found.into_iter().map(arrays).collect())
}

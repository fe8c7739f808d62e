//! Graphs from files, and into files.

use std::path::PathBuf;

use allpaths::dataset::{Collection, Reader, Writer};
use numpy::PyArray1;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

use crate::error::{exception, settings};
use crate::graph::{Graph, dataset};
use crate::job;

/// A name, graphs, their classes if they have any, what the reader had to decide, and what graphs are called.
type Read<'py> = (String, Vec<Graph>, Option<Bound<'py, PyArray1<i64>>>, Vec<String>, Option<Vec<String>>);

/// Reads a file or folder.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)] // as pyo3 gives it
pub(crate) fn read<'py>(py: Python<'py>, path: PathBuf, text: &str) -> PyResult<Read<'py>> {
    let reader: Reader = settings(text)?;
    let data = job::run(py, None, |_| reader.read(&path))?;
    let graphs = data.graphs().iter().map(|graph| Graph { inner: graph.clone() }).collect();
    let classes = data.classes().map(|classes| PyArray1::from_slice(py, classes));
    Ok((data.name().to_owned(), graphs, classes, data.notes(), data.names().map(<[String]>::to_vec)))
}

/// Writes graphs, with their classes and names if they have any, and says what is lost.
#[pyfunction]
#[pyo3(signature = (path, graphs, classes, names, text))]
#[allow(clippy::needless_pass_by_value)] // as pyo3 gives it
pub(crate) fn write(
    path: PathBuf,
    graphs: &Bound<'_, PyAny>,
    classes: Option<Vec<i64>>,
    names: Option<Vec<String>>,
    text: &str,
) -> PyResult<Vec<String>> {
    let writer: Writer = settings(text)?;
    let data = dataset(graphs)?;
    job::run(graphs.py(), None, |_| {
        let data = match classes {
            Some(classes) => data.with_classes(classes)?,
            None => data,
        };
        let data = match names {
            Some(names) => data.with_names(names)?,
            None => data,
        };
        writer.write(&data, &path)
    })
}

/// Where a published dataset is, by its name: fetched if it is nowhere yet.
#[pyfunction]
#[pyo3(signature = (name, progress=None))]
pub(crate) fn fetch(py: Python<'_>, name: &str, progress: Option<&Bound<'_, PyAny>>) -> PyResult<PathBuf> {
    let collection = Collection::from_environment();
    let found = job::run(py, progress, |monitor| match collection.locate(name)? {
        Some(place) => Ok(Ok(place)),
        None => Ok(collection.fetch(name, monitor)),
    })?;
    // What a server did wrong is the system's fault here, not that of a value.
    found.map_err(|error| match error.is_input() {
        true => PyOSError::new_err(error.to_string()),
        false => exception(&error),
    })
}

//! Errors of the library as exceptions of Python.

use std::error::Error as _;
use std::io;

use pyo3::PyErr;
use pyo3::exceptions::{PyRuntimeError, PyValueError};

/// The exception for an error: `OSError` or what is more precise where the system refused, `RuntimeError` where a limit was reached,
/// `ValueError` for all that is wrong with data or settings.
pub(crate) fn exception(error: &allpaths::Error) -> PyErr {
    match error.source().and_then(|source| source.downcast_ref::<io::Error>()) {
        Some(source) => io::Error::new(source.kind(), format!("{error}: {source}")).into(),
        None if error.is_stopped() => PyRuntimeError::new_err(error.to_string()),
        None => PyValueError::new_err(error.to_string()),
    }
}

/// The settings that a text stands for.
pub(crate) fn settings<T: for<'a> serde::Deserialize<'a>>(text: &str) -> Result<T, PyErr> {
    serde_json::from_str(text).map_err(|error| PyValueError::new_err(format!("settings: {error}")))
}

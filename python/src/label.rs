//! Labels of any kind as text.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyInt, PyString};

/// A label as text: strings as they are, whole numbers in decimal. What else has a stable text is up to `allpaths._labels.text`.
pub(crate) fn text(label: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(label) = label.cast::<PyString>() {
        return Ok(label.to_str()?.to_owned());
    }
    if label.is_exact_instance_of::<PyInt>()
        && let Ok(number) = label.extract::<i64>()
    {
        return Ok(number.to_string());
    }
    other(label)
}

#[cold]
fn other(label: &Bound<'_, PyAny>) -> PyResult<String> {
    static TEXT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    // Numbers of NumPy are whole numbers, too; True and False are not meant to be 1 and 0.
    if !label.is_instance_of::<PyBool>()
        && let Ok(number) = label.extract::<i64>()
    {
        return Ok(number.to_string());
    }
    TEXT.import(label.py(), "allpaths._labels", "text")?.call1((label,))?.extract()
}

/// All labels of something that can be gone through.
pub(crate) fn texts(labels: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if let Ok(numbers) = labels.extract::<numpy::PyReadonlyArray1<'_, i64>>() {
        return Ok(numbers.as_array().iter().map(ToString::to_string).collect());
    }
    labels.try_iter()?.map(|label| text(&label?)).collect()
}

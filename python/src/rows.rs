//! Sparse matrices for SciPy.

use allpaths::count::Outcome;
use allpaths::embed::Features;
use numpy::PyArray1;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;

/// Where each row begins and the last ends, columns, counts, how each row ended, and how many features had no column.
pub(crate) type Rows<'py> =
    (Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyArray1<i64>>, Vec<&'static str>, u64);

/// A matrix of counts as SciPy wants it: with indices of 32 bits where those suffice.
pub(crate) fn rows<'py>(py: Python<'py>, features: &Features) -> PyResult<Rows<'py>> {
    let (offsets, indices, counts) = features.compressed_rows();
    let (offsets, indices) = if i32::try_from(counts.len()).is_ok() {
        let offsets = offsets.iter().map(|&offset| offset.cast_signed() as i32);
        let indices = indices.iter().map(|&index| index.cast_signed());
        (PyArray1::from_iter(py, offsets).into_any(), PyArray1::from_iter(py, indices).into_any())
    } else {
        let offsets = offsets.iter().map(|&offset| offset.cast_signed() as i64);
        let indices = indices.iter().map(|&index| i64::from(index));
        (PyArray1::from_iter(py, offsets).into_any(), PyArray1::from_iter(py, indices).into_any())
    };
    let signed: Option<Vec<i64>> = counts.iter().map(|&count| i64::try_from(count).ok()).collect();
    let signed =
        signed.ok_or_else(|| PyOverflowError::new_err("a count is 2^63 or more: take a shorter length"))?;
    Ok((offsets, indices, PyArray1::from_vec(py, signed), names(features.outcomes()), features.unseen()))
}

/// How things ended, in words.
pub(crate) fn names(outcomes: &[Outcome]) -> Vec<&'static str> {
    outcomes.iter().map(|outcome| outcome.name()).collect()
}

//! Labels of any kind as text.

use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::PyValueError;
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

/// Labels as text, each text once.
#[derive(Default)]
pub(crate) struct Texts<'py> {
    /// Objects that were labels before: most graphs use few, again and again. Held, so that no other takes their place in memory.
    seen: Vec<(Bound<'py, PyAny>, u32)>,
    numbers: Vec<(i64, u32)>,
    texts: Vec<String>,
    places: Vec<u32>,
    /// The first that has no label.
    lacking: Option<usize>,
    given: usize,
}

/// More are not looked through: that would take longer than to read a label again.
const MOST: usize = 32;

impl<'py> Texts<'py> {
    /// All labels of something that can be gone through.
    pub(crate) fn of(labels: &Bound<'py, PyAny>) -> PyResult<Self> {
        let mut texts = Self::default();
        if let Ok(numbers) = labels.cast::<PyArray1<i64>>() {
            numbers.readonly().as_array().iter().for_each(|&number| texts.push_number(number));
            return Ok(texts);
        }
        for label in labels.try_iter()? {
            texts.push(Some(label?))?;
        }
        Ok(texts)
    }

    /// Adds a label, or that there is none.
    pub(crate) fn push(&mut self, label: Option<Bound<'py, PyAny>>) -> PyResult<()> {
        let Some(label) = label else {
            self.lacking.get_or_insert(self.places.len());
            self.places.push(0);
            return Ok(());
        };
        self.given += 1;
        let place = match self.seen.iter().find(|(seen, _)| seen.is(&label)) {
            Some(&(_, place)) => place,
            None => {
                self.texts.push(text(&label)?);
                let place = self.texts.len() as u32 - 1;
                if self.seen.len() < MOST {
                    self.seen.push((label, place));
                }
                place
            }
        };
        self.places.push(place);
        Ok(())
    }

    fn push_number(&mut self, number: i64) {
        self.given += 1;
        let place = self.numbers.iter().find(|(seen, _)| *seen == number).map(|&(_, place)| place);
        self.places.push(place.unwrap_or_else(|| {
            self.texts.push(number.to_string());
            let place = self.texts.len() as u32 - 1;
            if self.numbers.len() < MOST {
                self.numbers.push((number, place));
            }
            place
        }));
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// The labels; nothing if there is none at all. What some have and others lack is nobody's to guess.
    pub(crate) fn complete(self, what: &str, name: Option<&Bound<'py, PyAny>>) -> PyResult<Option<Self>> {
        match (self.lacking, name) {
            _ if self.given == 0 => Ok(None),
            (Some(lacking), Some(name)) => {
                Err(PyValueError::new_err(format!("{what} {lacking} has no attribute {name:?}, others have")))
            }
            _ => Ok(Some(self)),
        }
    }

    /// One after the other.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.places.iter().map(|&place| self.texts[place as usize].as_str())
    }
}

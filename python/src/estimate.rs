//! Estimates from samples.

use std::time::Duration;

use allpaths::Estimator;
use allpaths::count::Subject;
use allpaths::estimate::{Estimates, Interval};
use pyo3::prelude::*;
use serde::Deserialize;

use crate::count::integer;
use crate::error::settings;
use crate::graph::Graph;
use crate::job;

/// What Python says of an estimate.
#[derive(Deserialize)]
struct Settings {
    max_length: usize,
    subject: Subject,
    error: f64,
    confidence: f64,
    seed: u64,
    exact_seconds: f64,
    max_samples: u64,
    time: Option<Duration>,
    threads: usize,
}

impl Settings {
    fn estimator(&self) -> Estimator {
        let estimator = Estimator::up_to(self.max_length)
            .subject(self.subject)
            .error(self.error)
            .confidence(self.confidence)
            .seed(self.seed)
            .exact_seconds(self.exact_seconds)
            .max_samples(self.max_samples)
            .threads(self.threads);
        self.time.into_iter().fold(estimator, Estimator::time_limit)
    }

    /// What was asked for, by length.
    fn row<'a>(&self, estimates: &'a Estimates) -> Vec<Option<&'a Interval>> {
        let of_length = |length| match self.subject {
            Subject::Cycles => estimates.cycles(length),
            Subject::Paths | Subject::Both => estimates.paths(length),
        };
        (0..=self.max_length).map(of_length).collect()
    }
}

/// A number, its interval, the samples it comes from, and the count where there is one.
type Number<'py> = (f64, f64, f64, u64, Option<Bound<'py, PyAny>>);

/// Estimates how many paths or cycles of each length a graph has; nothing for lengths of which there are no samples.
#[pyfunction]
#[pyo3(signature = (graph, text, progress=None))]
pub(crate) fn estimate<'py>(
    py: Python<'py>,
    graph: &Bound<'py, Graph>,
    text: &str,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Vec<Option<Number<'py>>>> {
    let (settings, graph) = (settings::<Settings>(text)?, &graph.get().inner);
    let estimator = settings.estimator();
    let estimates = job::run(py, progress, |monitor| estimator.estimate_under(graph, monitor))?;
    let number = |interval: &Interval| {
        let Interval { value, low, high, samples, ref exact } = *interval;
        let exact = exact.as_ref().map(|count| integer(py, count)).transpose()?;
        Ok((value, low, high, samples, exact))
    };
    settings.row(&estimates).into_iter().map(|interval| interval.map(number).transpose()).collect()
}

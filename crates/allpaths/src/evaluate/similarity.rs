//! The kernels of a grid between all graphs, each matrix computed once where it is the same for all folds.

use std::borrow::Cow;
use std::time::Instant;

use super::approximate::Approximated;
use super::grid::Grid;
use super::metrics::Seconds;
use crate::kernel::{Gram, GraphKernel};
use crate::learn::{FittedSvm, Svm};
use crate::{Error, Graph, Monitor, Result};

/// What folds are cut from.
pub(super) struct Similarities<'a> {
    graphs: &'a [Graph],
    alone: bool,
    svm: Svm,
    cs: Vec<f64>,
    shared: Vec<(GraphKernel, Gram<f32>)>,
    variants: Vec<Variant>,
}

/// What machines say of a graph they have not seen.
#[derive(Clone, Copy)]
pub(super) struct Said {
    pub(super) class: i64,
    /// Of the first machine: for two classes the only one, positive for the first. 0 where only one class was there to learn.
    pub(super) value: f64,
}

impl Said {
    pub(super) fn new(class: i64, values: &[f64]) -> Self {
        Self { class, value: values.first().copied().unwrap_or(0.0) }
    }
}

/// Where a kernel of the grid comes from.
enum Variant {
    /// A matrix that all folds share.
    Shared(usize),
    /// The rbf over the distance in such a matrix, whose scale each fold learns.
    Distance(usize, f64),
    /// Each fold learns more than a scale.
    Learnt(Box<GraphKernel>),
    /// By landmarks.
    Approximated(Box<Approximated>),
}

/// A matrix with the rows of graphs to learn from, which have the same numbers as columns, and of others.
struct View<'a> {
    gram: Cow<'a, Gram<f32>>,
    train: Vec<usize>,
    test: Vec<usize>,
}

impl View<'_> {
    /// What a machine says of the others.
    fn said(&self, machine: &FittedSvm) -> Vec<Said> {
        let said = |&row: &usize| {
            let values = machine.decision_values(self.gram.row(row));
            Said::new(machine.decide(&values), &values)
        };
        self.test.iter().map(said).collect()
    }
}

impl<'a> Similarities<'a> {
    pub(super) fn new(
        grid: &Grid,
        graphs: &'a [Graph],
        alone: bool,
        monitor: &Monitor,
        seconds: &mut Seconds,
    ) -> Result<Self> {
        if let Some(nystroem) = grid.approximation() {
            let variant = |kernel: &GraphKernel| {
                let kernel = kernel.clone().compared(|comparison| comparison.on(alone.then_some(1)));
                let found = Approximated::new(kernel, nystroem, graphs, monitor, seconds)?;
                Ok(Variant::Approximated(Box::new(found)))
            };
            let variants = grid.kernels().iter().map(variant).collect::<Result<_>>()?;
            let (svm, cs) = (grid.machine().clone(), grid.cs().to_vec());
            return Ok(Self { graphs, alone, svm, cs, shared: Vec::new(), variants });
        }
        let mut shared: Vec<GraphKernel> = Vec::new();
        let mut variants = Vec::new();
        let mut place = |kernel: GraphKernel| match shared.iter().position(|other| *other == kernel) {
            Some(place) => place,
            None => {
                shared.push(kernel);
                shared.len() - 1
            }
        };
        for kernel in grid.kernels() {
            let kernel = kernel.clone().compared(|comparison| comparison.on(alone.then_some(1)));
            variants.push(match kernel.over_distance() {
                Some((base, factor)) if !base.learns() => Variant::Distance(place(base), factor),
                None if !kernel.learns() => Variant::Shared(place(kernel)),
                _ => Variant::Learnt(Box::new(kernel)),
            });
        }
        monitor.begin(2 * shared.len() + 1);
        let gram = |kernel: GraphKernel| {
            let clock = Instant::now();
            let fitted = kernel.fit_under(graphs, monitor)?;
            seconds.embed += clock.elapsed().as_secs_f64();
            let clock = Instant::now();
            let gram = fitted.gram_under(monitor)?;
            seconds.gram += clock.elapsed().as_secs_f64();
            Ok((kernel, gram))
        };
        let shared = shared.into_iter().map(gram).collect::<Result<_>>()?;
        Ok(Self { graphs, alone, svm: grid.machine().clone(), cs: grid.cs().to_vec(), shared, variants })
    }

    /// The largest error of an approximated kernel.
    pub(super) fn error(&self) -> Option<f64> {
        let error = |variant: &Variant| match variant {
            Variant::Approximated(kernel) => Some(kernel.error),
            _ => None,
        };
        self.variants.iter().filter_map(error).reduce(f64::max)
    }

    /// Whether all is done by one thread.
    pub(super) fn alone(&self) -> bool {
        self.alone
    }

    /// What each candidate of the grid says of the second graphs, having learnt from the first.
    pub(super) fn predict_all(
        &self,
        classes: &[i64],
        split: (&[usize], &[usize]),
        monitor: &Monitor,
    ) -> Result<Vec<Vec<Said>>> {
        let of_variant = |variant| self.predict(variant, &self.cs, classes, split, monitor);
        Ok((0..self.variants.len()).map(of_variant).collect::<Result<Vec<_>>>()?.concat())
    }

    /// What the mean of one kernel's machines says, of several C.
    pub(super) fn predict_mean(
        &self,
        variant: usize,
        cs: &[f64],
        classes: &[i64],
        split: (&[usize], &[usize]),
        monitor: &Monitor,
    ) -> Result<Vec<Said>> {
        if let Variant::Approximated(kernel) = &self.variants[variant] {
            return kernel.predict_mean((&self.svm, cs), self.graphs, classes, split, monitor);
        }
        let view = self.view(&self.variants[variant], split, monitor)?;
        let known: Vec<i64> = split.0.iter().map(|&graph| classes[graph]).collect();
        Ok(view.said(&self.svm.fit_mean(&view.gram, &view.train, &known, cs, monitor)?))
    }

    /// What one kernel says, for each C.
    pub(super) fn predict(
        &self,
        variant: usize,
        cs: &[f64],
        classes: &[i64],
        split: (&[usize], &[usize]),
        monitor: &Monitor,
    ) -> Result<Vec<Vec<Said>>> {
        if let Variant::Approximated(kernel) = &self.variants[variant] {
            return kernel.predict((&self.svm, cs), self.graphs, classes, split, monitor);
        }
        let view = self.view(&self.variants[variant], split, monitor)?;
        let known: Vec<i64> = split.0.iter().map(|&graph| classes[graph]).collect();
        let machines = self.svm.fit_path(&view.gram, &view.train, &known, cs, monitor)?;
        Ok(machines.iter().map(|machine| view.said(machine)).collect())
    }

    fn view(
        &self,
        variant: &Variant,
        (train, test): (&[usize], &[usize]),
        monitor: &Monitor,
    ) -> Result<View<'_>> {
        let gram = match variant {
            Variant::Shared(place) => {
                let gram = Cow::Borrowed(&self.shared[*place].1);
                return Ok(View { gram, train: train.to_vec(), test: test.to_vec() });
            }
            Variant::Distance(place, factor) => self.shared[*place].1.rbf_distance(train, test, *factor)?,
            Variant::Approximated(_) => return Err(Error::settings("an approximated kernel has no matrix")),
            Variant::Learnt(kernel) => {
                let part = monitor.of_part();
                let pick = |places: &[usize]| {
                    places.iter().map(|&graph| self.graphs[graph].clone()).collect::<Vec<_>>()
                };
                let fitted = kernel.fit_under(&pick(train), &part)?;
                fitted.gram_under(&part)?.above(fitted.against_under(&pick(test), &part)?)
            }
        };
        let rows = train.len()..train.len() + test.len();
        Ok(View { gram: Cow::Owned(gram), train: (0..train.len()).collect(), test: rows.collect() })
    }
}

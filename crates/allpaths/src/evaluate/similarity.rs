//! The kernels of a grid between all graphs, each matrix computed once where it is the same for all folds.

use std::borrow::Cow;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use super::approximate::Approximated;
use super::grid::Grid;
use super::metrics::Seconds;
use crate::count::Outcome;
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
    ends: Ends,
}

/// How counting ended for each graph: of several kernels, the gravest.
pub(super) struct Ends(Mutex<Vec<Outcome>>);

impl Ends {
    pub(super) fn new(graphs: usize) -> Self {
        Self(Mutex::new(vec![Outcome::Complete; graphs]))
    }

    pub(super) fn add(&self, graphs: impl IntoIterator<Item = usize>, outcomes: &[Outcome]) {
        let mut ends = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (graph, &outcome) in graphs.into_iter().zip(outcomes) {
            ends[graph] = ends[graph].max(outcome);
        }
    }
}

/// What machines say of a graph they have not seen.
#[derive(Clone, Copy, Debug)]
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

/// Something of each graph, by the machines of one kernel.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ByMachine<T> {
    /// For each C, by the machine with that C.
    pub(super) alone: Vec<Vec<T>>,
    /// By the mean of them all.
    pub(super) together: Vec<T>,
}

impl ByMachine<Said> {
    /// From the values that the machine of each C has for each graph, and what they stand for.
    pub(super) fn new(values: &[Vec<Vec<f64>>], decide: impl Fn(&[f64]) -> i64) -> Self {
        let said = |values: &Vec<f64>| Said::new(decide(values), values);
        let mean = |graph: usize| {
            let mut mean = values[0][graph].clone();
            for (place, mean) in mean.iter_mut().enumerate() {
                *mean = values.iter().map(|of_c| of_c[graph][place]).sum::<f64>() / values.len() as f64;
            }
            said(&mean)
        };
        let alone = values.iter().map(|of_c| of_c.iter().map(said).collect()).collect();
        Self { alone, together: (0..values[0].len()).map(mean).collect() }
    }
}

impl<T> ByMachine<T> {
    pub(super) fn map<U>(self, each: impl Fn(Vec<T>) -> Vec<U>) -> ByMachine<U> {
        let together = each(self.together);
        ByMachine { alone: self.alone.into_iter().map(each).collect(), together }
    }

    /// These graphs and then others.
    pub(super) fn join(mut self, others: Self) -> Self {
        self.alone.iter_mut().zip(others.alone).for_each(|(mine, theirs)| mine.extend(theirs));
        self.together.extend(others.together);
        self
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
    /// The values that a machine has for the others.
    fn values(&self, machine: &FittedSvm) -> Vec<Vec<f64>> {
        self.test.iter().map(|&row| machine.decision_values(self.gram.row(row))).collect()
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
        let ends = Ends::new(graphs.len());
        if let Some(nystroem) = grid.approximation() {
            let variant = |kernel: &GraphKernel| {
                let kernel = kernel.clone().compared(|comparison| comparison.on(alone.then_some(1)));
                let found = Approximated::new(kernel, nystroem, graphs, &ends, monitor, seconds)?;
                Ok(Variant::Approximated(Box::new(found)))
            };
            let variants = grid.kernels().iter().map(variant).collect::<Result<_>>()?;
            let (svm, cs) = (grid.machine().clone(), grid.cs().to_vec());
            return Ok(Self { graphs, alone, svm, cs, shared: Vec::new(), variants, ends });
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
            ends.add(0.., fitted.outcomes());
            let clock = Instant::now();
            let gram = fitted.gram_under(monitor)?;
            seconds.gram += clock.elapsed().as_secs_f64();
            Ok((kernel, gram))
        };
        let shared = shared.into_iter().map(gram).collect::<Result<_>>()?;
        let (svm, cs) = (grid.machine().clone(), grid.cs().to_vec());
        Ok(Self { graphs, alone, svm, cs, shared, variants, ends })
    }

    /// The largest error of an approximated kernel.
    pub(super) fn error(&self) -> Option<f64> {
        let error = |variant: &Variant| match variant {
            Variant::Approximated(kernel) => Some(kernel.error),
            _ => None,
        };
        self.variants.iter().filter_map(error).reduce(f64::max)
    }

    /// How counting ended for each graph so far.
    pub(super) fn outcomes(&self) -> Vec<Outcome> {
        self.ends.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether all is done by one thread.
    pub(super) fn alone(&self) -> bool {
        self.alone
    }

    /// What the machines of each kernel of the grid say of the second graphs, having learnt from the first.
    pub(super) fn predict_all(
        &self,
        classes: &[i64],
        split: (&[usize], &[usize]),
        monitor: &Monitor,
    ) -> Result<Vec<ByMachine<Said>>> {
        self.variants.iter().map(|variant| self.predict(variant, classes, split, monitor)).collect()
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
            return Ok(kernel.predict((&self.svm, cs), self.graphs, classes, split, monitor)?.together);
        }
        let view = self.view(&self.variants[variant], split, monitor)?;
        let known: Vec<i64> = split.0.iter().map(|&graph| classes[graph]).collect();
        let machine = self.svm.fit_mean(&view.gram, &view.train, &known, cs, monitor)?;
        Ok(ByMachine::new(&[view.values(&machine)], |values| machine.decide(values)).together)
    }

    fn predict(
        &self,
        variant: &Variant,
        classes: &[i64],
        split: (&[usize], &[usize]),
        monitor: &Monitor,
    ) -> Result<ByMachine<Said>> {
        if let Variant::Approximated(kernel) = variant {
            return kernel.predict((&self.svm, &self.cs), self.graphs, classes, split, monitor);
        }
        let view = self.view(variant, split, monitor)?;
        let known: Vec<i64> = split.0.iter().map(|&graph| classes[graph]).collect();
        let machines = self.svm.fit_path(&view.gram, &view.train, &known, &self.cs, monitor)?;
        let values: Vec<_> = machines.iter().map(|machine| view.values(machine)).collect();
        Ok(ByMachine::new(&values, |values| machines[0].decide(values)))
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
                let others = fitted.count_under(&pick(test), &part)?;
                self.ends.add(train.iter().copied(), fitted.outcomes());
                self.ends.add(test.iter().copied(), others.outcomes());
                fitted.gram_under(&part)?.above(fitted.against_counted(&others, &part)?)
            }
        };
        let rows = train.len()..train.len() + test.len();
        Ok(View { gram: Cow::Owned(gram), train: (0..train.len()).collect(), test: rows.collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_of_machines_decides() {
        // Three machines for two graphs; two of three are for class 1 of the first, but not by much.
        let values =
            [[[0.9], [-1.0]], [[-0.2], [-2.0]], [[-0.1], [0.3]]].map(|of_c| of_c.map(Vec::from).to_vec());
        let said = ByMachine::new(&values, |values| i64::from(values[0] < 0.0));
        let class = |said: &Said| said.class;
        assert_eq!(
            said.alone.iter().map(|of_c| of_c.iter().map(class).collect()).collect::<Vec<Vec<i64>>>(),
            [[0, 1], [1, 1], [1, 0]]
        );
        assert_eq!(said.together.iter().map(class).collect::<Vec<_>>(), [0, 1]);
        assert!((said.together[0].value - 0.2).abs() < 1e-12 && (said.together[1].value + 0.9).abs() < 1e-12);
        let right = said.map(|said| said.iter().map(|said| said.class == 1).collect());
        let both = right.clone().join(right);
        assert_eq!(both.alone[2], [true, false, true, false]);
        assert_eq!(both.together, [false, true, false, true]);
    }
}

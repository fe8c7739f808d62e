//! The kernels of a grid by their values with landmarks, without matrices of all pairs.

use std::time::Instant;

use super::metrics::Seconds;
use super::similarity::{ByMachine, Ends, Said};
use crate::dense::{self, dot};
use crate::kernel::cholesky::orthonormal;
use crate::kernel::{FittedNystroem, Gram, GraphKernel, Nystroem, Transformed};
use crate::learn::{FittedPlanes, Ground, Products, Svm};
use crate::{Graph, Monitor, Result};

/// One kernel of the grid.
pub(super) struct Approximated {
    kernel: GraphKernel,
    nystroem: Nystroem,
    /// Nothing where the kernel learns: each fold has its own.
    shared: Option<Shared>,
    /// What is lost with the landmarks of all folds.
    pub(super) error: f64,
}

/// All graphs by the landmarks of all folds.
struct Shared {
    fitted: FittedNystroem,
    rows: Gram<f64>,
    products: Products,
}

impl Approximated {
    /// Takes a few landmarks more than asked for, since each fold can use only those outside it.
    pub(super) fn new(
        kernel: GraphKernel,
        nystroem: Nystroem,
        graphs: &[Graph],
        ends: &Ends,
        monitor: &Monitor,
        seconds: &mut Seconds,
    ) -> Result<Self> {
        let more = nystroem.landmarks().saturating_add(nystroem.landmarks().div_ceil(8));
        let clock = Instant::now();
        let fitted = nystroem.with_landmarks(more).fit_under(&kernel, graphs, monitor)?;
        let others = fitted.kernel().count_under(graphs, monitor)?;
        seconds.embed += clock.elapsed().as_secs_f64();
        ends.add(0.., others.outcomes());
        let clock = Instant::now();
        let transformed = fitted.transform_counted(&others, monitor)?;
        let error = transformed.error();
        let shared = (!kernel.learns()).then(|| Shared::new(fitted, transformed));
        seconds.gram += clock.elapsed().as_secs_f64();
        Ok(Self { kernel, nystroem, shared, error })
    }

    /// What is said of the second graphs, having learnt from the first.
    pub(super) fn predict(
        &self,
        (svm, cs): (&Svm, &[f64]),
        graphs: &[Graph],
        classes: &[i64],
        (train, test): (&[usize], &[usize]),
        monitor: &Monitor,
    ) -> Result<ByMachine<Said>> {
        let known: Vec<i64> = train.iter().map(|&graph| classes[graph]).collect();
        let learn = |ground: Ground<'_>, train: &[usize], test: &[usize]| {
            let machines = svm.fit_coordinates_path(ground, train, &known, cs, monitor)?;
            let values = |machine: &FittedPlanes| {
                test.iter().map(|&row| machine.decision_values(ground.rows.row(row))).collect()
            };
            let values: Vec<_> = machines.iter().map(values).collect();
            Ok(ByMachine::new(&values, |values| machines[0].decide(values)))
        };
        if let Some(shared) = &self.shared {
            let barred = &shared.barred(train, self.nystroem.landmarks());
            return learn(
                Ground { rows: &shared.rows, products: Some(&shared.products), barred },
                train,
                test,
            );
        }
        let part = monitor.of_part();
        let fitted = self.nystroem.fit_among(&self.kernel, graphs, train, &part)?;
        let rows = fitted.transform_under(graphs, &part)?.coordinates;
        learn(Ground { rows: &rows, products: None, barred: &[] }, train, test)
    }
}

impl Shared {
    fn new(fitted: FittedNystroem, graphs: Transformed) -> Self {
        let rows = graphs.coordinates;
        let all: Vec<usize> = (0..rows.rows()).collect();
        Self { products: Products::of(&rows, &all), fitted, rows }
    }

    /// What a machine must not use that learns from some graphs and has so many landmarks: the directions at right angles to all that those landmarks say.
    fn barred(&self, train: &[usize], landmarks: usize) -> Vec<Vec<f64>> {
        /// A direction that has less than this share of a landmark's square is nothing of it: the rest is rounding.
        const ZERO: f64 = 1e-10;
        let mut is_known = vec![false; self.rows.rows()];
        train.iter().for_each(|&graph| is_known[graph] = true);
        let mut left = landmarks;
        let (mut barred, mut made_up) = (Vec::new(), Vec::new());
        for (place, &landmark) in self.fitted.landmarks().iter().enumerate() {
            let is_used = left > 0 && is_known[landmark];
            left -= usize::from(is_used);
            match self.fitted.direction(place) {
                Some(direction) if !is_used => barred.push(direction),
                None if is_used => made_up.push(self.rows.row(landmark)),
                _ => {}
            }
        }
        let barred = orthonormal(barred);
        // A landmark without a direction of its own is made up of others: what it has of those that are barred is not.
        let shares = made_up.into_iter().filter_map(|landmark| {
            let mut share = vec![0.0; landmark.len()];
            for direction in &barred {
                let by = dot(direction, landmark);
                dense::add(&mut share, by, direction);
            }
            (dot(&share, &share) > ZERO * dot(landmark, landmark)).then_some(share)
        });
        let free = orthonormal(shares);
        let mut barred = orthonormal(free.iter().cloned().chain(barred)).split_off(free.len());
        // None bars the bias.
        barred.iter_mut().for_each(|direction| direction.push(0.0));
        barred
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Compare;
    use crate::{AllPathsCycles, Dataset};

    /// Machines of a fold are those on coordinates by its own landmarks.
    #[test]
    fn folds_use_landmarks_of_their_own() {
        let demo = Dataset::demo(1).sample(None, 3);
        let (graphs, classes) = (demo.graphs(), demo.classes().unwrap());
        let test: Vec<usize> = (0..graphs.len()).step_by(4).collect();
        let train: Vec<usize> = (0..graphs.len()).filter(|graph| graph % 4 > 0).collect();
        let (svm, cs) = (Svm::default(), [1.0, 100.0]);
        for compare in [Compare::Cosine, Compare::MinMax] {
            for landmarks in [1, 12, 25, 1000] {
                let kernel = GraphKernel::new(AllPathsCycles::up_to(4)).compared(|c| c.compare(compare));
                let ends = Ends::new(graphs.len());
                let nystroem = Nystroem::new(landmarks);
                let monitor = Monitor::new();
                let of_all = Approximated::new(
                    kernel.clone(),
                    nystroem,
                    graphs,
                    &ends,
                    &monitor,
                    &mut Seconds::default(),
                )
                .unwrap();
                let found = of_all.predict((&svm, &cs), graphs, classes, (&train, &test), &monitor).unwrap();

                let chosen = of_all.shared.as_ref().unwrap().fitted.landmarks();
                let own: Vec<usize> =
                    chosen.iter().copied().filter(|graph| graph % 4 > 0).take(landmarks).collect();
                let alone: Vec<Graph> = own.iter().map(|&graph| graphs[graph].clone()).collect();
                let fitted = FittedNystroem::of(kernel.fit(&alone).unwrap(), own, &monitor).unwrap();
                let rows = fitted.transform(graphs).unwrap().coordinates;
                let known: Vec<i64> = train.iter().map(|&graph| classes[graph]).collect();
                let ground = Ground { rows: &rows, products: None, barred: &[] };
                let machines = svm.fit_coordinates_path(ground, &train, &known, &cs, &monitor).unwrap();
                for (machine, found) in machines.iter().zip(&found.alone) {
                    for (&graph, said) in test.iter().zip(found) {
                        let value = machine.decision_values(rows.row(graph))[0];
                        assert!((value - said.value).abs() < 1e-6, "{compare:?} {landmarks} {graph}");
                    }
                }
            }
        }
    }
}

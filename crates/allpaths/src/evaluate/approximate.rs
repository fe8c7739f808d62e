//! The kernels of a grid by their values with landmarks, without matrices of all pairs.

use std::time::Instant;

use super::metrics::Seconds;
use super::similarity::{ByMachine, Ends, Said};
use crate::kernel::cholesky::Cholesky;
use crate::kernel::nystroem::coordinates;
use crate::kernel::{Gram, GraphKernel, Nystroem, Transformed};
use crate::learn::{FittedPlanes, Svm};
use crate::{Graph, Monitor, Result};

/// One kernel of the grid.
pub(super) struct Approximated {
    kernel: GraphKernel,
    nystroem: Nystroem,
    /// Landmarks among all graphs, and the kernel of all graphs with them.
    landmarks: Vec<usize>,
    gram: Gram<f64>,
    /// What is lost with all of these landmarks.
    pub(super) error: f64,
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
        let gram: Gram<f64> = fitted.kernel().against_counted(&others, monitor)?;
        let own = fitted.kernel().own(&others);
        let landmarks = fitted.landmarks().to_vec();
        let all = Landmarked { gram: &gram, landmarks: &landmarks };
        let columns: Vec<usize> = (0..landmarks.len()).collect();
        let rows: Vec<usize> = (0..graphs.len()).collect();
        let error = Transformed { coordinates: all.coordinates(&columns, &rows)?, own }.error();
        seconds.gram += clock.elapsed().as_secs_f64();
        Ok(Self { kernel, nystroem, landmarks, gram, error })
    }

    /// What is said of the second graphs, having learnt from the first.
    pub(super) fn predict(
        &self,
        (svm, cs): (&Svm, &[f64]),
        graphs: &[Graph],
        classes: &[i64],
        split: (&[usize], &[usize]),
        monitor: &Monitor,
    ) -> Result<ByMachine<Said>> {
        let (train, test) = split;
        let coordinates = self.coordinates(graphs, split, monitor)?;
        let places: Vec<usize> = (0..train.len()).collect();
        let known: Vec<i64> = train.iter().map(|&graph| classes[graph]).collect();
        let of_c = |&c: &f64| svm.clone().c(c).fit_coordinates_under(&coordinates, &places, &known, monitor);
        let machines: Vec<FittedPlanes> = cs.iter().map(of_c).collect::<Result<_>>()?;
        let rows = train.len()..train.len() + test.len();
        let values = |machine: &FittedPlanes| {
            rows.clone().map(|row| machine.decision_values(coordinates.row(row))).collect()
        };
        let values: Vec<_> = machines.iter().map(values).collect();
        Ok(ByMachine::new(&values, |values| machines[0].decide(values)))
    }

    /// Coordinates of the graphs to learn from, then of the others.
    fn coordinates(
        &self,
        graphs: &[Graph],
        (train, test): (&[usize], &[usize]),
        monitor: &Monitor,
    ) -> Result<Gram<f64>> {
        let rows: Vec<usize> = train.iter().chain(test).copied().collect();
        if self.kernel.learns() {
            let part = monitor.of_part();
            let pick =
                |places: &[usize]| places.iter().map(|&graph| graphs[graph].clone()).collect::<Vec<_>>();
            let fitted = self.nystroem.fit_under(&self.kernel, &pick(train), &part)?;
            Ok(fitted.transform_under(&pick(&rows), &part)?.coordinates)
        } else {
            let mut is_known = vec![false; graphs.len()];
            train.iter().for_each(|&graph| is_known[graph] = true);
            let known = |place: &usize| is_known[self.landmarks[*place]];
            let mut columns: Vec<usize> = (0..self.landmarks.len()).filter(known).collect();
            columns.truncate(self.nystroem.landmarks());
            Landmarked { gram: &self.gram, landmarks: &self.landmarks }.coordinates(&columns, &rows)
        }
    }
}

/// The kernel of graphs with landmarks, which are among them.
struct Landmarked<'a> {
    gram: &'a Gram<f64>,
    landmarks: &'a [usize],
}

impl Landmarked<'_> {
    /// Coordinates of some graphs by some landmarks.
    fn coordinates(&self, columns: &[usize], rows: &[usize]) -> Result<Gram<f64>> {
        let entry = |row: usize, column: usize| self.gram.row(self.landmarks[row])[column];
        let square: Vec<f64> =
            columns.iter().flat_map(|&row| columns.iter().map(move |&column| entry(row, column))).collect();
        coordinates(&Cholesky::new(&square, columns.len()), self.gram, columns, rows, Some(1))
    }
}

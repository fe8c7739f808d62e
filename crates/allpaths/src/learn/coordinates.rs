//! Support vector machines on coordinates: a weight for each, as [`Nystroem`](crate::kernel::Nystroem) gives them.

use super::linear::{Examples, Plane, descend};
use super::output_codes::{nearest, sides};
use super::{Decoding, Svm};
use crate::kernel::Gram;
use crate::kernel::cholesky::dot;
use crate::{Error, Monitor, Result};

/// A support vector machine on coordinates that has learnt.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedPlanes {
    /// Ascending.
    classes: Vec<i64>,
    sides: Vec<Vec<i8>>,
    decoding: Decoding,
    planes: Vec<Plane>,
}

impl Examples for Gram<f64> {
    fn dot(&self, row: usize, weights: &[f64]) -> f64 {
        dot(self.row(row), weights)
    }

    fn add(&self, row: usize, by: f64, weights: &mut [f64]) {
        weights.iter_mut().zip(self.row(row)).for_each(|(weight, value)| *weight += by * value);
    }

    fn square(&self, row: usize) -> f64 {
        dot(self.row(row), self.row(row)) + 1.0
    }
}

impl Svm {
    /// Learns the classes of some rows of coordinates, by coordinate descent in the dual: a machine with the kernel that products of rows are, but for the
    /// bias, which is the weight of one more coordinate that is 1 everywhere. Probabilities are not learnt.
    ///
    /// # Errors
    ///
    /// When the settings make no sense, or there are no such rows.
    ///
    /// # Complexity
    ///
    /// Time grows with the number of rows times the number of coordinates, times some dozens or hundreds of rounds.
    ///
    /// # Example
    ///
    /// ```
    /// # use allpaths::{AllPathsCycles, Dataset, GraphKernel, kernel::Nystroem, learn::Svm};
    /// let demo = Dataset::demo(1);
    /// let classes = demo.classes().unwrap();
    /// let kernel = GraphKernel::new(AllPathsCycles::up_to(5)).compared(|comparison| comparison.by_cell());
    /// let rows = Nystroem::new(100).fit(&kernel, &demo.graphs()[..200])?.transform(&demo)?.coordinates;
    /// let known: Vec<usize> = (0..200).collect();
    /// let svm = Svm::new(10.0).fit_coordinates(&rows, &known, &classes[..200])?;
    /// let right = (200..300).filter(|&row| svm.predict(rows.row(row)) == classes[row]).count();
    /// assert!(right > 85); // of 100
    /// # Ok::<(), allpaths::Error>(())
    /// ```
    pub fn fit_coordinates(
        &self,
        rows: &Gram<f64>,
        known: &[usize],
        classes: &[i64],
    ) -> Result<FittedPlanes> {
        self.fit_coordinates_under(rows, known, classes, &Monitor::new())
    }

    /// Learns from coordinates under the eyes of a monitor.
    ///
    /// # Errors
    ///
    /// As [`Svm::fit_coordinates`], and when the monitor is told to interrupt.
    pub fn fit_coordinates_under(
        &self,
        rows: &Gram<f64>,
        known: &[usize],
        classes: &[i64],
        monitor: &Monitor,
    ) -> Result<FittedPlanes> {
        /// As that of LIBLINEAR: what is predicted hardly changes below it.
        const TOLERANCE: f64 = 0.1;
        let is_wrong = |number: f64| !(number > 0.0 && number.is_finite());
        let reason = match () {
            () if is_wrong(self.c) => "C must be a number above 0",
            () if known.len() != classes.len() => "a machine needs as many classes as examples",
            () if known.is_empty() => "a machine cannot learn from no examples",
            () if known.iter().any(|&row| row >= rows.rows()) => {
                "an example is outside the rows of coordinates"
            }
            () => "",
        };
        if !reason.is_empty() {
            return Err(Error::settings(reason));
        }
        let mut present = classes.to_vec();
        present.sort_unstable();
        present.dedup();
        let sides = sides(self.codes, present.len())?;
        let weights: Vec<f64> =
            present.iter().map(|&class| self.weight(class, present.len(), classes)).collect();
        let plane = |sides: &Vec<i8>| {
            let (mut signs, mut costs) = (vec![0.0; rows.rows()], vec![0.0; rows.rows()]);
            for (&row, class) in known.iter().zip(classes) {
                let place = present.partition_point(|other| other < class);
                (signs[row], costs[row]) = (f64::from(sides[place]), self.c * weights[place]);
            }
            descend(rows, (&signs, &costs), rows.columns(), (TOLERANCE, 1), monitor).map(|(plane, _)| plane)
        };
        let planes = sides.iter().map(plane).collect::<Result<Vec<_>>>()?;
        Ok(FittedPlanes { classes: present, sides, decoding: self.decoding, planes })
    }
}

impl FittedPlanes {
    /// The classes, ascending.
    pub fn classes(&self) -> &[i64] {
        &self.classes
    }

    /// What the machines say of a graph: positive for their first class, or the classes on that side.
    pub fn decision_values(&self, row: &[f64]) -> Vec<f64> {
        self.planes.iter().map(|plane| plane.of(row)).collect()
    }

    /// The class of a graph, given its coordinates.
    pub fn predict(&self, row: &[f64]) -> i64 {
        self.decide(&self.decision_values(row))
    }

    /// The class that decision values stand for.
    pub(crate) fn decide(&self, values: &[f64]) -> i64 {
        self.classes[nearest(&self.sides, self.decoding, values)]
    }
}

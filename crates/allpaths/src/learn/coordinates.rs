//! Support vector machines on coordinates: a weight for each, as [`Nystroem`](crate::kernel::Nystroem) gives them.

use super::newton::{Example, Newton, Products, value};
use super::output_codes::{nearest, sides};
use super::{Decoding, Svm};
use crate::kernel::Gram;
use crate::{Monitor, Result};

/// A support vector machine on coordinates that has learnt.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedPlanes {
    /// Ascending.
    classes: Vec<i64>,
    sides: Vec<Vec<i8>>,
    decoding: Decoding,
    /// Of each machine, a weight for each coordinate and the bias.
    planes: Vec<Vec<f64>>,
}

/// What machines learn from.
#[derive(Clone, Copy)]
pub(crate) struct Ground<'a> {
    pub(crate) rows: &'a Gram<f64>,
    /// Those of most rows, if they are known.
    pub(crate) products: Option<&'a Products>,
    /// Directions that weights are at right angles to, with a 0 for the bias.
    pub(crate) barred: &'a [Vec<f64>],
}

impl Svm {
    /// Learns the classes of some rows of coordinates: a machine with the kernel that products of rows are, but that errors cost their square, and that the
    /// bias is the weight of one more coordinate, which is 1 everywhere. Probabilities are not learnt.
    ///
    /// # Errors
    ///
    /// When the settings make no sense, or there are no such rows.
    ///
    /// # Complexity
    ///
    /// With n rows of m coordinates, about n m^2 / 2 multiplications, and m^3 / 6 for each of a few steps, whatever C is.
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
    ///
    /// # Reference
    ///
    /// Mangasarian, A finite Newton method for classification, 2002; Keerthi and DeCoste, A modified finite Newton method for fast solution of large scale
    /// linear SVMs, 2005.
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
        let ground = Ground { rows, products: None, barred: &[] };
        let mut one = self.fit_coordinates_path(ground, known, classes, &[self.c], monitor)?;
        Ok(one.remove(0)) // one C
    }

    /// The machines of several C, ascending: each goes on from the one before.
    pub(crate) fn fit_coordinates_path(
        &self,
        ground: Ground<'_>,
        known: &[usize],
        classes: &[i64],
        cs: &[f64],
        monitor: &Monitor,
    ) -> Result<Vec<FittedPlanes>> {
        self.check(ground.rows.rows(), known, classes, cs)?;
        let of_known;
        let products = match ground.products {
            Some(products) => products,
            None => {
                of_known = Products::of(ground.rows, known);
                &of_known
            }
        };
        let mut present = classes.to_vec();
        present.sort_unstable();
        present.dedup();
        let sides = sides(self.codes, present.len())?;
        let weights: Vec<f64> =
            present.iter().map(|&class| self.weight(class, present.len(), classes)).collect();
        let mut planes: Vec<Vec<Vec<f64>>> = vec![Vec::new(); cs.len()];
        for sides in &sides {
            let example = |(&row, class): (&usize, &i64)| {
                let place = present.partition_point(|other| other < class);
                Example { row, side: f64::from(sides[place]), weight: weights[place] }
            };
            let examples = known.iter().zip(classes).map(example).filter(|example| example.side != 0.0);
            let mut newton = Newton::new(ground.rows, ground.barred, products, examples.collect());
            for (&c, planes) in cs.iter().zip(&mut planes) {
                planes.push(newton.solve(c, monitor)?);
            }
        }
        let fitted = |planes| FittedPlanes {
            classes: present.clone(),
            sides: sides.clone(),
            decoding: self.decoding,
            planes,
        };
        Ok(planes.into_iter().map(fitted).collect())
    }
}

impl FittedPlanes {
    /// The classes, ascending.
    pub fn classes(&self) -> &[i64] {
        &self.classes
    }

    /// What the machines say of a graph: positive for their first class, or the classes on that side.
    pub fn decision_values(&self, row: &[f64]) -> Vec<f64> {
        self.planes.iter().map(|weights| value(weights, row)).collect()
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

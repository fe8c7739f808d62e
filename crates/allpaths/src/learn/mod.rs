//! Learning classes from Gram matrices and features: support vector machines.
//!
//! [`Svm`] learns from a [`Gram`] matrix and [`FittedSvm`] predicts from its rows; [`LinearSvm`] does the same on features, for data too many for a matrix.

mod coordinates;
mod folds;
mod linear;
mod newton;
mod output_codes;
mod platt;
mod smo;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use coordinates::FittedPlanes;
pub(crate) use coordinates::Ground;
pub use folds::Folds;
pub use linear::{FittedLinearSvm, LinearSvm};
pub(crate) use newton::Products;
pub use output_codes::{Decoding, OutputCodes};

use crate::kernel::{Gram, Real};
use crate::random::ChaCha8;
use crate::{Error, Monitor, Result};
use output_codes::{nearest, probabilities, sides};
use platt::Sigmoid;
use smo::{Solution, Solver};

/// A support vector machine on a Gram matrix (C-SVC), by sequential minimal optimisation.
///
/// Examples are rows of a matrix, by number: several machines can learn from parts of one matrix, and nothing is copied. With more than two classes
/// several two-sided machines decide together.
///
/// # Errors
///
/// [`Svm::fit`] fails when the settings make no sense, or the matrix is not one for the examples.
///
/// # Complexity
///
/// Time grows with the number of steps, usually a few for each example, times the number of examples.
///
/// # Example
///
/// ```
/// # use allpaths::{AllPathsCycles, Dataset, GraphKernel, learn::Svm};
/// let demo = Dataset::demo(1);
/// let (known, new) = demo.graphs().split_at(200);
/// let (classes, others) = demo.classes().unwrap().split_at(200);
/// let kernel = GraphKernel::new(AllPathsCycles::up_to(5)).compared(|comparison| comparison.by_cell()).fit(known)?;
/// let rows: Vec<usize> = (0..200).collect();
/// let svm = Svm::new(10.0).fit(&kernel.gram::<f64>()?, &rows, classes)?;
/// let gram = kernel.against::<f64>(new)?;
/// let right = others.iter().enumerate().filter(|&(row, &class)| svm.predict(gram.row(row)) == class).count();
/// assert!(right > 90); // of 100
/// # Ok::<(), allpaths::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Svm {
    c: f64,
    weights: ClassWeights,
    codes: OutputCodes,
    decoding: Decoding,
    tolerance: f64,
    probabilities: Option<u64>,
}

/// What an error on a graph of a class costs, as a factor of C.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClassWeights {
    /// As much in every class.
    #[default]
    Equal,
    /// More in smaller classes: all classes cost as much together.
    Balanced,
    /// By class; 1 for those that are not named.
    Given(Vec<(i64, f64)>),
}

impl Default for Svm {
    fn default() -> Self {
        Self {
            c: 1.0,
            weights: ClassWeights::default(),
            codes: OutputCodes::default(),
            decoding: Decoding::default(),
            tolerance: 1e-3,
            probabilities: None,
        }
    }
}

impl Svm {
    /// A machine for which an error costs `c`: the larger, the closer it fits the examples.
    pub fn new(c: f64) -> Self {
        Self { c, ..Self::default() }
    }

    /// Sets what an error costs.
    #[must_use]
    pub fn c(mut self, c: f64) -> Self {
        self.c = c;
        self
    }

    /// What an error costs.
    pub fn cost(&self) -> f64 {
        self.c
    }

    /// A machine on features that decides in the same way where there are more than two classes.
    ///
    /// # Errors
    ///
    /// When classes have weights, which machines on features do not know.
    pub(crate) fn on_features(&self) -> Result<LinearSvm> {
        match self.weights {
            ClassWeights::Equal => Ok(LinearSvm::new(self.c).codes(self.codes).decoding(self.decoding)),
            _ => Err(Error::settings(
                "a linear machine weighs all classes alike: leave the weights of classes out",
            )),
        }
    }

    /// Sets what errors cost in each class.
    #[must_use]
    pub fn weights(mut self, weights: ClassWeights) -> Self {
        self.weights = weights;
        self
    }

    /// Sets which machines are trained where there are more than two classes.
    #[must_use]
    pub fn codes(mut self, codes: OutputCodes) -> Self {
        self.codes = codes;
        self
    }

    /// Sets how machines decide together.
    #[must_use]
    pub fn decoding(mut self, decoding: Decoding) -> Self {
        self.decoding = decoding;
        self
    }

    /// Sets how far from optimal a solution may be: 0.001 by default, as LIBSVM's.
    #[must_use]
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// Learns probabilities, too, from decisions on held-out fifths of the examples, which are drawn by a seed.
    #[must_use]
    pub fn probabilities(mut self, seed: u64) -> Self {
        self.probabilities = Some(seed);
        self
    }

    /// Learns the classes of some rows of a matrix, whose columns have the same numbers.
    ///
    /// # Errors
    ///
    /// When the settings make no sense, or the matrix has no such rows and columns.
    pub fn fit<T: Real>(&self, gram: &Gram<T>, rows: &[usize], classes: &[i64]) -> Result<FittedSvm> {
        self.fit_under(gram, rows, classes, &Monitor::new())
    }

    /// Learns under the eyes of a monitor.
    ///
    /// # Errors
    ///
    /// As [`Svm::fit`], and when the monitor is told to interrupt.
    pub fn fit_under<T: Real>(
        &self,
        gram: &Gram<T>,
        rows: &[usize],
        classes: &[i64],
        monitor: &Monitor,
    ) -> Result<FittedSvm> {
        let mut path = self.fit_path(gram, rows, classes, &[self.c], monitor)?;
        Ok(path.remove(0)) // one for each C
    }

    /// A machine for each of several C, ascending: each goes on from where the one before it ended.
    pub(crate) fn fit_path<T: Real>(
        &self,
        gram: &Gram<T>,
        rows: &[usize],
        classes: &[i64],
        cs: &[f64],
        monitor: &Monitor,
    ) -> Result<Vec<FittedSvm>> {
        let each: Vec<&[f64]> = cs.chunks(1).collect();
        self.fit_means(gram, (rows, classes), &each, monitor)
    }

    /// The mean of the machines of several C, ascending. As sums of kernel values, machines of one kernel have a mean that is one, too.
    pub(crate) fn fit_mean<T: Real>(
        &self,
        gram: &Gram<T>,
        rows: &[usize],
        classes: &[i64],
        cs: &[f64],
        monitor: &Monitor,
    ) -> Result<FittedSvm> {
        let mut one = self.fit_means(gram, (rows, classes), &[cs], monitor)?;
        Ok(one.remove(0)) // one group of C
    }

    /// The mean of the machines of each group of C, all of them ascending.
    fn fit_means<T: Real>(
        &self,
        gram: &Gram<T>,
        (rows, classes): (&[usize], &[i64]),
        groups: &[&[f64]],
        monitor: &Monitor,
    ) -> Result<Vec<FittedSvm>> {
        self.check(gram.rows().min(gram.columns()), rows, classes, &groups.concat())?;
        let mut present = classes.to_vec();
        present.sort_unstable();
        present.dedup();
        let sides = sides(self.codes, present.len())?;
        let weights: Vec<f64> =
            present.iter().map(|&class| self.weight(class, present.len(), classes)).collect();
        let mut machines: Vec<Vec<Machine>> = vec![Vec::new(); groups.len()];
        for (number, sides) in sides.iter().enumerate() {
            let side = |class: &i64| sides[present.partition_point(|other| other < class)];
            let examples: Vec<(u32, bool)> = rows
                .iter()
                .zip(classes)
                .map(|(&row, class)| (row as u32, side(class)))
                .filter(|&(_, side)| side != 0)
                .map(|(row, side)| (row, side > 0))
                .collect();
            // Classes that share a side share the mean of their weights.
            let weight = |side: i8| {
                let of_side: Vec<f64> = sides
                    .iter()
                    .zip(&weights)
                    .filter(|(other, _)| **other == side)
                    .map(|(_, &weight)| weight)
                    .collect();
                of_side.iter().sum::<f64>() / of_side.len() as f64
            };
            let bounds = |&c: &f64| [c * weight(-1), c * weight(1)];
            let mut path = Path::new(gram, &examples, self.tolerance);
            for (cs, machines) in groups.iter().zip(&mut machines) {
                let bounds: Vec<[f64; 2]> = cs.iter().map(bounds).collect();
                let mut machine = path.mean(&bounds, monitor)?;
                if let Some(seed) = self.probabilities {
                    machine.sigmoid =
                        Some(self.sigmoid(gram, &examples, &bounds, (seed, number), monitor)?);
                }
                machines.push(machine);
            }
        }
        let fitted = |machines| FittedSvm {
            classes: present.clone(),
            sides: sides.clone(),
            decoding: self.decoding,
            machines,
        };
        Ok(machines.into_iter().map(fitted).collect())
    }

    /// Of so many rows, some are to be learnt from.
    fn check(&self, of: usize, rows: &[usize], classes: &[i64], cs: &[f64]) -> Result<()> {
        let is_wrong = |number: f64| !(number > 0.0 && number.is_finite());
        let reason = match &self.weights {
            _ if cs.iter().copied().any(is_wrong) => "C must be a number above 0",
            _ if is_wrong(self.tolerance) => "the tolerance must be a number above 0",
            ClassWeights::Given(weights) if weights.iter().any(|&(_, weight)| is_wrong(weight)) => {
                "the weight of a class must be a number above 0"
            }
            _ if rows.len() != classes.len() => "a machine needs as many classes as examples",
            _ if rows.is_empty() => "a machine cannot learn from no examples",
            _ if rows.iter().any(|&row| row >= of) => "an example is outside the rows that there are",
            _ => return Ok(()),
        };
        Err(Error::settings(reason))
    }

    fn weight(&self, class: i64, present: usize, classes: &[i64]) -> f64 {
        match &self.weights {
            ClassWeights::Equal => 1.0,
            ClassWeights::Balanced => {
                let of_class = classes.iter().filter(|&&other| other == class).count();
                classes.len() as f64 / (present * of_class) as f64
            }
            ClassWeights::Given(weights) => {
                weights.iter().find(|(other, _)| *other == class).map_or(1.0, |&(_, weight)| weight)
            }
        }
    }

    /// What makes probabilities of a machine's values: learnt from machines that did not see the examples in question.
    fn sigmoid<T: Real>(
        &self,
        gram: &Gram<T>,
        examples: &[(u32, bool)],
        bounds: &[[f64; 2]],
        (seed, machine): (u64, usize),
        monitor: &Monitor,
    ) -> Result<Sigmoid> {
        const FOLDS: usize = 5;
        let classes: Vec<i64> = examples.iter().map(|&(_, positive)| i64::from(positive)).collect();
        let mut values = Vec::with_capacity(examples.len());
        let folds =
            Folds::random(&classes, FOLDS.min(examples.len()), &mut ChaCha8::stream(seed, machine as u64))?;
        for fold in folds.numbers() {
            let (train, test) = folds.split(fold);
            let train: Vec<(u32, bool)> = train.into_iter().map(|example| examples[example]).collect();
            let sides = [false, true].map(|side| train.iter().any(|&(_, positive)| positive == side));
            let machine = match sides {
                [true, true] => Path::new(gram, &train, self.tolerance).mean(bounds, monitor)?,
                // One side alone: that is what it says.
                [_, positive] => Machine { bias: if positive { 1.0 } else { -1.0 }, ..Machine::default() },
            };
            values.extend(test.into_iter().map(|example| {
                let (row, positive) = examples[example];
                (machine.value(gram.row(row as usize)), positive)
            }));
        }
        Ok(Sigmoid::fit(&values))
    }
}

/// Machines of one set of examples with larger and larger bounds.
struct Path<'a, T> {
    examples: &'a [(u32, bool)],
    solver: Solver<'a, T>,
    last: Option<Solution>,
}

impl<'a, T: Real> Path<'a, T> {
    fn new(gram: &'a Gram<T>, examples: &'a [(u32, bool)], tolerance: f64) -> Self {
        Self { examples, solver: Solver::new(gram, examples, tolerance), last: None }
    }

    /// The mean of the machines with the next bounds.
    fn mean(&mut self, bounds: &[[f64; 2]], monitor: &Monitor) -> Result<Machine> {
        let mut machines = Vec::with_capacity(bounds.len());
        for &bounds in bounds {
            let solution = match self.last.take() {
                Some(solution) if solution.is_free => solution,
                _ => self.solver.solve(bounds, monitor)?,
            };
            machines.push(Machine::new(self.examples, &solution));
            self.last = Some(solution);
        }
        Ok(Machine::mean(machines))
    }
}

/// A support vector machine that has learnt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FittedSvm {
    /// Ascending.
    classes: Vec<i64>,
    sides: Vec<Vec<i8>>,
    decoding: Decoding,
    machines: Vec<Machine>,
}

/// One of the two-sided machines.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Machine {
    /// Columns of the matrix.
    support: Vec<u32>,
    coefficients: Vec<f64>,
    bias: f64,
    objective: f64,
    has_converged: bool,
    sigmoid: Option<Sigmoid>,
}

impl Machine {
    fn new(examples: &[(u32, bool)], solution: &Solution) -> Self {
        let support =
            || solution.coefficients.iter().zip(examples).filter(|(coefficient, _)| **coefficient != 0.0);
        Self {
            support: support().map(|(_, &(column, _))| column).collect(),
            coefficients: support().map(|(&coefficient, _)| coefficient).collect(),
            bias: solution.bias,
            objective: solution.objective,
            has_converged: solution.has_converged,
            sigmoid: None,
        }
    }

    /// The machine whose values are the means of theirs.
    fn mean(mut machines: Vec<Self>) -> Self {
        if machines.len() == 1 {
            return machines.remove(0);
        }
        let mean = |of: &dyn Fn(&Self) -> f64| machines.iter().map(of).sum::<f64>() / machines.len() as f64;
        let mut coefficients: BTreeMap<u32, f64> = BTreeMap::new();
        for machine in &machines {
            for (&column, coefficient) in machine.support.iter().zip(&machine.coefficients) {
                *coefficients.entry(column).or_default() += coefficient / machines.len() as f64;
            }
        }
        Self {
            support: coefficients.keys().copied().collect(),
            coefficients: coefficients.into_values().collect(),
            bias: mean(&|machine| machine.bias),
            objective: mean(&|machine| machine.objective),
            has_converged: machines.iter().all(|machine| machine.has_converged),
            sigmoid: None,
        }
    }

    fn value<T: Real>(&self, row: &[T]) -> f64 {
        let terms = self.support.iter().zip(&self.coefficients);
        terms.map(|(&column, coefficient)| coefficient * row[column as usize].wide()).sum::<f64>() + self.bias
    }
}

impl FittedSvm {
    /// The classes, ascending.
    pub fn classes(&self) -> &[i64] {
        &self.classes
    }

    /// The classes on the positive side of a machine, and those on the negative one.
    ///
    /// # Panics
    ///
    /// When there is no such machine.
    pub fn sides(&self, machine: usize) -> (Vec<i64>, Vec<i64>) {
        output_codes::by_side(&self.classes, &self.sides[machine])
    }

    /// How many machines there are: one for two classes.
    pub fn machines(&self) -> usize {
        self.machines.len()
    }

    /// The columns that a machine leans on with their coefficients, and its bias.
    pub(crate) fn combination(&self, machine: usize) -> (&[u32], &[f64], f64) {
        let Machine { support, coefficients, bias, .. } = &self.machines[machine];
        (support, coefficients, *bias)
    }

    /// The class of a graph, given the kernel with each graph of the matrix that was learnt from.
    ///
    /// # Panics
    ///
    /// When the row is shorter than a row of that matrix.
    pub fn predict<T: Real>(&self, row: &[T]) -> i64 {
        self.decide(&self.decision_values(row))
    }

    /// The class that decision values stand for.
    pub(crate) fn decide(&self, values: &[f64]) -> i64 {
        self.classes[nearest(&self.sides, self.decoding, values)]
    }

    /// What the machines say of a graph: positive for their first class, or the classes on that side.
    ///
    /// # Panics
    ///
    /// As [`FittedSvm::predict`].
    pub fn decision_values<T: Real>(&self, row: &[T]) -> Vec<f64> {
        self.machines.iter().map(|machine| machine.value(row)).collect()
    }

    /// The probability of each class, if probabilities were learnt. One class alone is certain.
    ///
    /// # Panics
    ///
    /// As [`FittedSvm::predict`].
    pub fn probabilities<T: Real>(&self, row: &[T]) -> Option<Vec<f64>> {
        let positive = |machine: &Machine| Some(machine.sigmoid?.probability(machine.value(row)));
        let positive: Option<Vec<f64>> = self.machines.iter().map(positive).collect();
        Some(probabilities(&self.sides, &positive?))
    }

    /// What each machine made as small as it could: half the square of the weights' length plus the cost of errors, negated, as LIBSVM prints it. Of the mean of
    /// several machines, the mean of theirs.
    pub fn objectives(&self) -> Vec<f64> {
        self.machines.iter().map(|machine| machine.objective).collect()
    }

    /// The columns of the examples that some machine leans on, ascending.
    pub fn support(&self) -> Vec<usize> {
        let mut support: Vec<usize> = self
            .machines
            .iter()
            .flat_map(|machine| &machine.support)
            .map(|&column| column as usize)
            .collect();
        support.sort_unstable();
        support.dedup();
        support
    }

    /// Whether every machine came as close to the optimum as was asked.
    pub fn has_converged(&self) -> bool {
        self.machines.iter().all(|machine| machine.has_converged)
    }

    /// Whether all columns it leans on are among the first so many, and its parts fit together.
    pub(crate) fn fits(&self, columns: usize) -> bool {
        self.sides.len() == self.machines.len()
            && !self.classes.is_empty()
            && (self.classes.len() > 1) != self.machines.is_empty()
            && self.sides.iter().all(|sides| sides.len() == self.classes.len())
            && self.machines.iter().all(|machine| {
                machine.support.len() == machine.coefficients.len()
                    && machine.support.iter().all(|&column| (column as usize) < columns)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AllPathsCycles, Dataset, GraphKernel};

    /// A mean of machines says the mean of what they say, of kernel values and of coordinates; probabilities are learnt from just that.
    #[test]
    fn a_mean_of_machines() {
        let demo = Dataset::demo(1);
        let gram: Gram<f64> = GraphKernel::new(AllPathsCycles::up_to(4)).fit(&demo).unwrap().gram().unwrap();
        let rows: Vec<usize> = (0..300).filter(|row| row % 3 == 0).collect();
        let four: Vec<i64> =
            rows.iter().map(|&row| 2 * demo.classes().unwrap()[row] + i64::from(row % 2 == 1)).collect();
        let cs = [1.0, 10.0, 100.0];
        let (svm, monitor) = (Svm::new(1.0), Monitor::new());
        let close =
            |one: &[f64], other: &[f64]| one.iter().zip(other).all(|(one, other)| (one - other).abs() < 1e-9);
        let mean = |all: &[Vec<f64>]| -> Vec<f64> {
            (0..all[0].len())
                .map(|x| all.iter().map(|values| values[x]).sum::<f64>() / all.len() as f64)
                .collect()
        };
        let one = svm.fit_mean(&gram, &rows, &four, &cs, &monitor).unwrap();
        let path = svm.fit_path(&gram, &rows, &four, &cs, &monitor).unwrap();
        for row in (0..300).map(|row| gram.row(row)) {
            let said: Vec<Vec<f64>> = path.iter().map(|machine| machine.decision_values(row)).collect();
            assert!(said[0] != said[1] && close(&one.decision_values(row), &mean(&said)));
        }
        let all = demo.classes().unwrap();
        let two: Vec<i64> = rows.iter().map(|&row| all[row]).collect();
        let sure = svm.probabilities(1).fit_mean(&gram, &rows, &two, &cs, &monitor).unwrap();
        let is_right =
            |&row: &usize| (sure.probabilities(gram.row(row)).unwrap()[1] > 0.5) == (all[row] == 1);
        assert!((0..300).filter(|row| row % 3 > 0).filter(is_right).count() > 160); // of 200
    }

    /// Machines that go on from where the one before ended are those that start from nothing.
    #[test]
    fn a_path_of_machines() {
        let demo = Dataset::demo(1);
        let gram: Gram<f32> = GraphKernel::new(AllPathsCycles::up_to(3)).fit(&demo).unwrap().gram().unwrap();
        let rows: Vec<usize> = (0..300).filter(|row| row % 4 != 0).collect();
        let two: Vec<i64> = rows.iter().map(|&row| demo.classes().unwrap()[row]).collect();
        let four: Vec<i64> = two.iter().zip(0..).map(|(class, i)| 2 * class + i % 2).collect();
        // The last ones are free of any bound, and so the same.
        let cs = [0.01, 0.1, 1.0, 10.0, 1000.0, 1e6, 1e9];
        for classes in [&two, &four] {
            for weights in [ClassWeights::Equal, ClassWeights::Balanced] {
                let svm = Svm::new(1.0).tolerance(1e-6).weights(weights);
                let path = svm.fit_path(&gram, &rows, classes, &cs, &Monitor::new()).unwrap();
                assert_eq!(path.len(), cs.len());
                for (&c, machine) in cs.iter().zip(&path) {
                    let alone = svm.clone().c(c).fit(&gram, &rows, classes).unwrap();
                    assert!(machine.has_converged() && alone.has_converged());
                    let close = |(one, other): (f64, f64)| (one - other).abs() <= 1e-4 * other.abs().max(1.0);
                    let objectives = machine.objectives().into_iter().zip(alone.objectives());
                    assert!({ objectives }.all(close), "C = {c}");
                    for row in 0..300 {
                        let values = |machine: &FittedSvm| machine.decision_values(gram.row(row));
                        assert!(values(machine).into_iter().zip(values(&alone)).all(close), "C = {c}, {row}");
                    }
                }
            }
        }
    }
}

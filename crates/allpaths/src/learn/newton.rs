//! Machines on coordinates whose errors cost their square, by Newton's method.
//!
//! Made small is half the square of the weights plus C times the squares of what examples *lack*, `max(0, 1 - y f)`. While the same examples lack something
//! that is a quadratic, with its bottom one Newton step away: a few steps are enough, whatever C is (Mangasarian, 2002; Keerthi and DeCoste, 2005). Of the
//! examples a step needs the sum of their outer products, which changes only by those that begin or cease to lack something.

use std::iter::once;

use crate::dense::{self, PRODUCTS, dot};
use crate::kernel::Gram;
use crate::kernel::cholesky::{Cholesky, leave_out, orthonormal};
use crate::{Error, Monitor, Result};

/// The sum of the outer products of some rows, with the 1 behind each that the bias is the weight of.
#[derive(Clone)]
pub(crate) struct Products {
    /// The lower triangle, row by row.
    sum: Vec<f64>,
    /// What each row of the coordinates weighs in it.
    weights: Vec<f64>,
}

/// A row to learn from.
pub(super) struct Example {
    pub(super) row: usize,
    /// 1 or -1.
    pub(super) side: f64,
    /// What an error costs, in units of C.
    pub(super) weight: f64,
}

impl Example {
    fn lacks(&self, value: f64) -> f64 {
        (1.0 - self.side * value).max(0.0)
    }
}

/// A machine that is being trained: it can go on from where it is with another C.
pub(super) struct Newton<'a> {
    rows: &'a Gram<f64>,
    /// Directions that weights are at right angles to, with a 0 for the bias.
    barred: &'a [Vec<f64>],
    examples: Vec<Example>,
    products: Products,
    /// The bias last.
    weights: Vec<f64>,
    /// By example, what the weights say of it.
    values: Vec<f64>,
}

impl<'a> Newton<'a> {
    /// Nothing learnt yet. The products of about these examples may be known.
    pub(super) fn new(
        rows: &'a Gram<f64>,
        barred: &'a [Vec<f64>],
        products: &Products,
        examples: Vec<Example>,
    ) -> Self {
        let shared: f64 = examples.iter().map(|example| products.weights[example.row]).sum();
        let is_near = 2.0 * shared > products.weights.iter().sum();
        Self {
            rows,
            barred,
            products: if is_near { products.clone() } else { Products::none(rows) },
            weights: vec![0.0; rows.columns() + 1],
            values: vec![0.0; examples.len()],
            examples,
        }
    }

    /// Goes on with another C. Gives the weights, the bias last.
    pub(super) fn solve(&mut self, c: f64, monitor: &Monitor) -> Result<Vec<f64>> {
        const STEPS: usize = 100;
        /// A step that promises less than this share of the cost is not worth taking: what is predicted hardly changes.
        const LITTLE: f64 = 1e-4;
        /// A shorter part of a step leads nowhere: what is left is rounding.
        const SHORTEST: f64 = 1e-6;
        let mut cost = self.cost(c, &self.weights, &self.values);
        for _ in 0..STEPS {
            if monitor.is_interrupted() {
                return Err(Error::stopped("interrupted before the machine was trained"));
            }
            self.count();
            let slope = self.slope(c);
            let step = self.step(c, &slope);
            let promise = -dot(&slope, &step);
            if promise <= LITTLE * cost {
                break;
            }
            // The whole step, but for where so many examples begin to lack something on the way that it would lead uphill.
            let along: Vec<f64> =
                self.examples.iter().map(|one| value(&step, self.rows.row(one.row))).collect();
            let moved = |at: &[f64], by: &[f64], part: f64| -> Vec<f64> {
                at.iter().zip(by).map(|(at, by)| at + part * by).collect()
            };
            let mut part = 1.0;
            let (weights, values, lower) = loop {
                let (weights, values) =
                    (moved(&self.weights, &step, part), moved(&self.values, &along, part));
                let found = self.cost(c, &weights, &values);
                if found <= cost - 1e-4 * part * promise {
                    break (weights, values, found);
                }
                part /= 2.0;
                if part < SHORTEST {
                    return Ok(self.weights.clone());
                }
            };
            (self.weights, self.values, cost) = (weights, values, lower);
        }
        Ok(self.weights.clone())
    }

    fn cost(&self, c: f64, weights: &[f64], values: &[f64]) -> f64 {
        let square = |(example, &value): (&Example, &f64)| example.weight * example.lacks(value).powi(2);
        dot(weights, weights) / 2.0 + c * self.examples.iter().zip(values).map(square).sum::<f64>()
    }

    /// Brings the products up to date: examples that lack something have a part in them.
    fn count(&mut self) {
        let mut weights = vec![0.0; self.rows.rows()];
        for (example, &value) in self.examples.iter().zip(&self.values) {
            weights[example.row] = if example.lacks(value) > 0.0 { example.weight } else { 0.0 };
        }
        self.products.reweigh(self.rows, weights);
    }

    /// The gradient of the cost.
    fn slope(&self, c: f64) -> Vec<f64> {
        let mut slope = self.weights.clone();
        let (bias, weights) = slope.split_last_mut().expect("there is a bias");
        for (example, &value) in self.examples.iter().zip(&self.values) {
            let by = -2.0 * c * example.weight * example.side * example.lacks(value);
            if by != 0.0 {
                dense::add(weights, by, self.rows.row(example.row));
                *bias += by;
            }
        }
        slope
    }

    /// From where the slope is such to the bottom of the quadratic, along what is not barred.
    fn step(&self, c: f64, slope: &[f64]) -> Vec<f64> {
        let mut curvature: Vec<f64> = self.products.sum.iter().map(|product| 2.0 * c * product).collect();
        (0..slope.len()).for_each(|place| curvature[place * (place + 3) / 2] += 1.0);
        let factor = Cholesky::beyond_one(curvature, slope.len());
        // In terms of the factor the quadratic is a sum of squares, and to stay at right angles is to leave out.
        let mut step: Vec<f64> = factor.coordinates(slope).into_iter().map(|x| -x).collect();
        let barred = self.barred.iter().map(|direction| factor.coordinates(direction));
        orthonormal(barred).iter().for_each(|direction| leave_out(direction, &mut step));
        factor.weights(step)
    }
}

/// What weights, the bias last, say of a row.
pub(super) fn value(weights: &[f64], row: &[f64]) -> f64 {
    let (bias, weights) = weights.split_last().expect("there is a bias");
    dot(row, weights) + bias
}

impl Products {
    fn none(rows: &Gram<f64>) -> Self {
        let size = rows.columns() + 1;
        Self { sum: vec![0.0; size * (size + 1) / 2], weights: vec![0.0; rows.rows()] }
    }

    /// Of some rows, each as it is.
    pub(crate) fn of(rows: &Gram<f64>, some: &[usize]) -> Self {
        let mut weights = vec![0.0; rows.rows()];
        some.iter().for_each(|&row| weights[row] = 1.0);
        let mut products = Self::none(rows);
        products.reweigh(rows, weights);
        products
    }

    /// Changes what rows weigh.
    fn reweigh(&mut self, rows: &Gram<f64>, weights: Vec<f64>) {
        let changes = weights.iter().zip(&self.weights).map(|(new, old)| new - old).enumerate();
        let changes: Vec<(usize, f64)> = changes.filter(|&(_, by)| by != 0.0).collect();
        changes.chunks(PRODUCTS).for_each(|some| self.add(rows, some));
        self.weights = weights;
    }

    /// Adds a few outer products, each so many times.
    fn add(&mut self, rows: &Gram<f64>, some: &[(usize, f64)]) {
        let size = rows.columns() + 1;
        // Rows that are missing weigh nothing.
        let mut times = [0.0; PRODUCTS];
        let mut values = [(); PRODUCTS].map(|()| vec![0.0; size]);
        for (place, &(row, by)) in some.iter().enumerate() {
            times[place] = by;
            values[place] = rows.row(row).iter().copied().chain(once(1.0)).collect();
        }
        dense::add_products(&mut self.sum, &values, &times);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::ChaCha8;

    fn random_rows(n: usize, size: usize, random: &mut ChaCha8) -> Gram<f64> {
        let mut rows = Gram::new(n, size, None).unwrap();
        rows.values_mut().iter_mut().for_each(|x| *x = random.unit() - 0.5);
        rows
    }

    /// Those of every other row, of which a few are on the wrong side; some cost more.
    fn examples(rows: &Gram<f64>, random: &mut ChaCha8) -> Vec<Example> {
        let example = |row: usize, wrong: bool| Example {
            row,
            side: if (rows.row(row)[0] > 0.1) == wrong { -1.0 } else { 1.0 },
            weight: 1.0 + (row % 3) as f64,
        };
        (0..rows.rows()).step_by(2).map(|row| example(row, random.below(10) == 0)).collect()
    }

    /// Half the square of the weights plus the cost of what is lacking is no less than what the dual gives, and equal at the optimum alone.
    #[test]
    fn primal_and_dual_meet() {
        let mut random = ChaCha8::new(3);
        for (n, size) in [(2, 1), (30, 7), (200, 40)] {
            let rows = random_rows(n, size, &mut random);
            let all = Products::of(&rows, &(0..n).collect::<Vec<_>>());
            for products in [&all, &Products::none(&rows)] {
                let mut newton = Newton::new(&rows, &[], products, examples(&rows, &mut random));
                for c in [0.1, 1.0, 1000.0, 10.0] {
                    let weights = newton.solve(c, &Monitor::new()).unwrap();
                    let mut primal = dot(&weights, &weights) / 2.0;
                    let mut dual = 0.0;
                    let mut sum = vec![0.0; size + 1];
                    for one in &newton.examples {
                        let lacks = one.lacks(value(&weights, rows.row(one.row)));
                        let coefficient = 2.0 * c * one.weight * lacks;
                        primal += c * one.weight * lacks * lacks;
                        dual += coefficient - coefficient.powi(2) / (4.0 * c * one.weight);
                        let row = rows.row(one.row).iter().copied().chain(once(1.0));
                        sum.iter_mut().zip(row).for_each(|(sum, x)| *sum += coefficient * one.side * x);
                    }
                    dual -= dot(&sum, &sum) / 2.0;
                    let gap = (primal - dual) / primal;
                    assert!((-1e-9..0.01).contains(&gap), "{n} {size} C = {c}: {primal} and {dual}");
                }
            }
        }
    }

    /// To be at right angles to directions is to see rows without what they have of them.
    #[test]
    fn what_is_barred_is_not_seen() {
        let mut random = ChaCha8::new(5);
        let rows = random_rows(120, 12, &mut random);
        let mut barred: Vec<Vec<f64>> =
            (0..4).map(|_| (0..12).map(|_| random.unit() - 0.5).chain(once(0.0)).collect()).collect();
        barred.push(barred[1].clone());
        barred.push(vec![0.0; 13]);
        let mut seen = rows.clone();
        let directions = orthonormal(barred.iter().cloned());
        assert_eq!(directions.len(), 4);
        for row in seen.values_mut().chunks_mut(12) {
            directions.iter().for_each(|direction| leave_out(&direction[..12], row));
        }
        let solve = |seen: &Gram<f64>, barred: &[Vec<f64>]| {
            let examples = examples(&rows, &mut ChaCha8::new(1));
            Newton::new(seen, barred, &Products::none(seen), examples).solve(10.0, &Monitor::new()).unwrap()
        };
        for (one, other) in solve(&rows, &barred).iter().zip(solve(&seen, &[])) {
            assert!((one - other).abs() < 1e-9, "{one} {other}");
        }
        assert_ne!(solve(&rows, &[]), solve(&seen, &[]));
    }
}

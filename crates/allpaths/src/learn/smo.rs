//! Sequential minimal optimisation: two coefficients at a time.
//!
//! The dual of the support vector machine, in signed coefficients `b = y a`: make `y'b - b'Kb / 2` as large as it goes, with the sum of `b` 0 and
//! each `b` between 0 and `C` on the side of its class. The gradient is `g = y - Kb`. At the best `b` no coefficient that may grow has a larger
//! gradient than one that may shrink; while there are such, the pair that promises most (Fan, Chen and Lin, 2005) is moved as far as it gains.
//!
//! Examples whose coefficient will stay at a bound are set aside ("shrinking"), and looked at again in the end. Kernel values are read where they
//! are, through the numbers of the examples: folds share one matrix.

use crate::kernel::{Gram, Real};
use crate::{Error, Monitor, Result};

/// Curvature below which a direction counts as flat.
const FLAT: f64 = 1e-12;

/// Steps between two looks at what can be set aside, at most.
const PATIENCE: usize = 1000;

/// A machine that is being trained: it can go on from where it is with another `C`.
pub(super) struct Solver<'a, T> {
    gram: &'a Gram<T>,
    tolerance: f64,
    /// The examples, those that are not set aside first.
    examples: Vec<Example>,
    gradients: Vec<f64>,
    active: usize,
    steps: usize,
}

/// All of an example but its gradient, which is used far more often.
#[derive(Clone, Copy)]
struct Example {
    /// Its place among those given.
    place: u32,
    /// Its row and column in the matrix.
    number: u32,
    sign: f64,
    /// The kernel with itself.
    own: f64,
    coefficient: f64,
    lower: f64,
    upper: f64,
}

impl Example {
    fn may_grow(&self) -> bool {
        self.coefficient < self.upper
    }

    fn may_shrink(&self) -> bool {
        self.coefficient > self.lower
    }
}

/// A trained machine: `f(x)` is the sum of coefficients times kernel values, plus the bias.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Solution {
    /// In the order of the examples that were given.
    pub(super) coefficients: Vec<f64>,
    pub(super) bias: f64,
    /// What was to be made as small as it goes: `a'Qa / 2 - sum of a`.
    pub(super) objective: f64,
    /// Whether no coefficient is at its upper bound, so that a larger `C` changes nothing.
    pub(super) is_free: bool,
    /// Whether the tolerance was reached.
    pub(super) has_converged: bool,
}

/// The largest gradient of those that may grow, with its place, and the smallest of those that may shrink.
struct Extremes {
    growing: (usize, f64),
    shrinking: f64,
}

impl<'a, T: Real> Solver<'a, T> {
    /// Nothing learnt yet from examples: rows (and columns) of a matrix, each on the positive side or not.
    pub(super) fn new(gram: &'a Gram<T>, examples: &[(u32, bool)], tolerance: f64) -> Self {
        let example = |(&(number, positive), place): (&(u32, bool), u32)| Example {
            place,
            number,
            sign: if positive { 1.0 } else { -1.0 },
            own: gram.row(number as usize)[number as usize].wide(),
            coefficient: 0.0,
            lower: 0.0,
            upper: 0.0,
        };
        let examples: Vec<Example> = examples.iter().zip(0..).map(example).collect();
        let gradients = examples.iter().map(|example| example.sign).collect();
        Self { gram, tolerance, active: examples.len(), examples, gradients, steps: 0 }
    }

    /// Goes on, with other bounds for the negative and the positive side. Bounds may only grow from one call to the next.
    pub(super) fn solve(&mut self, bounds: [f64; 2], monitor: &Monitor) -> Result<Solution> {
        for example in &mut self.examples {
            match example.sign > 0.0 {
                true => example.upper = bounds[1],
                false => example.lower = -bounds[0],
            }
        }
        let most = self.steps + (100 * self.examples.len()).max(10_000_000);
        let (mut near, mut far) = (Vec::new(), Vec::new());
        let mut extremes = self.extremes();
        let mut patience = 0;
        let has_converged = loop {
            if extremes.growing.1 - extremes.shrinking <= self.tolerance {
                if self.active == self.examples.len() {
                    break true;
                }
                self.reconsider();
                extremes = self.extremes();
                continue;
            }
            if self.steps == most {
                self.reconsider();
                extremes = self.extremes();
                break extremes.growing.1 - extremes.shrinking <= self.tolerance;
            }
            let first = extremes.growing.0;
            let second = self.partner(first, &mut near);
            extremes = self.step(first, second, &near, &mut far);
            self.steps += 1;
            patience += 1;
            if patience == PATIENCE.min(self.examples.len()) {
                if monitor.is_interrupted() {
                    return Err(Error::stopped("interrupted before the machine was trained"));
                }
                patience = 0;
                self.set_aside(&extremes);
                extremes = self.extremes();
            }
        };
        Ok(self.solution(&extremes, has_converged))
    }

    fn extremes(&self) -> Extremes {
        let mut extremes = Extremes { growing: (0, f64::NEG_INFINITY), shrinking: f64::INFINITY };
        for (place, (example, &gradient)) in self.examples.iter().zip(&self.gradients).enumerate().take(self.active) {
            extremes.meet(place, example, gradient);
        }
        extremes
    }

    /// The example that gains most if the first one grows and it shrinks; on the way, the kernel of the first with all.
    fn partner(&self, first: usize, near: &mut Vec<f64>) -> usize {
        let examples = &self.examples[..self.active];
        let Example { number, own, .. } = examples[first];
        let row = self.gram.row(number as usize);
        let highest = self.gradients[first];
        let (mut partner, mut most) = (first, 0.0);
        near.clear();
        for (place, (example, &gradient)) in examples.iter().zip(&self.gradients).enumerate() {
            let kernel = row[example.number as usize].wide();
            near.push(kernel);
            let slope = highest - gradient;
            if slope > 0.0 && example.may_shrink() {
                let curvature = (own + example.own - 2.0 * kernel).max(FLAT);
                let gain = slope * slope / curvature;
                if gain > most {
                    (partner, most) = (place, gain);
                }
            }
        }
        partner
    }

    /// Lets the first example grow and the second shrink, as far as that gains.
    fn step(&mut self, first: usize, second: usize, near: &[f64], far: &mut Vec<f64>) -> Extremes {
        let (one, other) = (self.examples[first], self.examples[second]);
        let curvature = (one.own + other.own - 2.0 * near[second]).max(FLAT);
        let best = (self.gradients[first] - self.gradients[second]) / curvature;
        let (room, reserve) = (one.upper - one.coefficient, other.coefficient - other.lower);
        let by = best.min(room).min(reserve);
        // At a bound exactly, or rounding would leave a little room forever.
        self.examples[first].coefficient = if by >= room { one.upper } else { one.coefficient + by };
        self.examples[second].coefficient = if by >= reserve { other.lower } else { other.coefficient - by };
        let row = self.gram.row(other.number as usize);
        let examples = &self.examples[..self.active];
        far.clear();
        far.extend(examples.iter().map(|example| row[example.number as usize].wide()));
        let mut extremes = Extremes { growing: (0, f64::NEG_INFINITY), shrinking: f64::INFINITY };
        let gradients = self.gradients[..self.active].iter_mut();
        for (place, ((example, gradient), (near, far))) in
            examples.iter().zip(gradients).zip(near.iter().zip(&*far)).enumerate()
        {
            *gradient -= by * (near - far);
            extremes.meet(place, example, *gradient);
        }
        extremes
    }

    /// Sets aside what is at a bound and far from leaving it.
    fn set_aside(&mut self, extremes: &Extremes) {
        let (growing, shrinking) = (extremes.growing.1, extremes.shrinking);
        let mut place = 0;
        while place < self.active {
            let (example, gradient) = (&self.examples[place], self.gradients[place]);
            let stays = (!example.may_grow() && gradient > growing) || (!example.may_shrink() && gradient < shrinking);
            if stays {
                self.active -= 1;
                self.examples.swap(place, self.active);
                self.gradients.swap(place, self.active);
            } else {
                place += 1;
            }
        }
    }

    /// Takes back what was set aside, with the gradients it has by now.
    fn reconsider(&mut self) {
        let support: Vec<(usize, f64)> = self
            .examples
            .iter()
            .filter(|example| example.coefficient != 0.0)
            .map(|example| (example.number as usize, example.coefficient))
            .collect();
        for (example, gradient) in self.examples.iter().zip(&mut self.gradients).skip(self.active) {
            let row = self.gram.row(example.number as usize);
            let sum: f64 = support.iter().map(|&(number, coefficient)| coefficient * row[number].wide()).sum();
            *gradient = example.sign - sum;
        }
        self.active = self.examples.len();
    }

    fn solution(&self, extremes: &Extremes, has_converged: bool) -> Solution {
        let mut coefficients = vec![0.0; self.examples.len()];
        let (mut free, mut sum, mut objective) = (0, 0.0, 0.0);
        let mut is_free = true;
        for (example, gradient) in self.examples.iter().zip(&self.gradients) {
            let Example { place, coefficient, sign, .. } = *example;
            coefficients[place as usize] = coefficient;
            objective -= coefficient * (sign + gradient) / 2.0;
            if example.may_grow() && example.may_shrink() {
                free += 1;
                sum += gradient;
            }
            is_free &= if sign > 0.0 { example.may_grow() } else { example.may_shrink() };
        }
        let bias = match free {
            0 => f64::midpoint(extremes.growing.1, extremes.shrinking),
            free => sum / f64::from(free),
        };
        Solution { coefficients, bias, objective, is_free, has_converged }
    }
}

impl Extremes {
    #[inline(always)]
    fn meet(&mut self, place: usize, example: &Example, gradient: f64) {
        if gradient > self.growing.1 && example.may_grow() {
            self.growing = (place, gradient);
        }
        if gradient < self.shrinking && example.may_shrink() {
            self.shrinking = gradient;
        }
    }
}

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
    /// The examples, those that are not set aside first; and by example, apart because these are read in every step:
    examples: Vec<Example>,
    /// its row and column in the matrix,
    numbers: Vec<u32>,
    /// the kernel with itself,
    owns: Vec<f64>,
    /// its gradient,
    gradients: Vec<f64>,
    /// and which ways its coefficient may move.
    moves: Vec<u8>,
    active: usize,
    steps: usize,
}

const MAY_GROW: u8 = 1;
const MAY_SHRINK: u8 = 2;

#[derive(Clone, Copy)]
struct Example {
    /// Its place among those given.
    place: u32,
    sign: f64,
    coefficient: f64,
    lower: f64,
    upper: f64,
}

impl Example {
    fn moves(&self) -> u8 {
        let grow = if self.coefficient < self.upper { MAY_GROW } else { 0 };
        let shrink = if self.coefficient > self.lower { MAY_SHRINK } else { 0 };
        grow | shrink
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
        let example = |(&(_, positive), place): (&(u32, bool), u32)| {
            let sign = if positive { 1.0 } else { -1.0 };
            Example { place, sign, coefficient: 0.0, lower: 0.0, upper: 0.0 }
        };
        let own = |&(number, _): &(u32, bool)| gram.row(number as usize)[number as usize].wide();
        Self {
            gram,
            tolerance,
            numbers: examples.iter().map(|&(number, _)| number).collect(),
            owns: examples.iter().map(own).collect(),
            gradients: examples.iter().map(|&(_, positive)| if positive { 1.0 } else { -1.0 }).collect(),
            moves: vec![0; examples.len()],
            active: examples.len(),
            examples: examples.iter().zip(0..).map(example).collect(),
            steps: 0,
        }
    }

    /// Goes on, with other bounds for the negative and the positive side. Bounds may only grow from one call to the next.
    pub(super) fn solve(&mut self, bounds: [f64; 2], monitor: &Monitor) -> Result<Solution> {
        for (example, moves) in self.examples.iter_mut().zip(&mut self.moves) {
            match example.sign > 0.0 {
                true => example.upper = bounds[1],
                false => example.lower = -bounds[0],
            }
            *moves = example.moves();
        }
        let most = self.steps + (100 * self.examples.len()).max(10_000_000);
        let mut near = vec![0.0; self.examples.len()];
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
            extremes = self.step(first, second, &near);
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
        let mut extremes = Extremes::none();
        for (place, (&gradient, &moves)) in self.gradients.iter().zip(&self.moves).enumerate().take(self.active) {
            extremes.meet(place, gradient, moves);
        }
        extremes
    }

    /// The example that gains most if the first one grows and it shrinks; on the way, the kernel of the first with all.
    fn partner(&self, first: usize, near: &mut [f64]) -> usize {
        let row = self.gram.row(self.numbers[first] as usize);
        let (own, highest) = (self.owns[first], self.gradients[first]);
        let examples = self.numbers.iter().zip(&self.owns).zip(self.gradients.iter().zip(&self.moves));
        let (mut partner, mut most) = (first, 0.0);
        for (place, (((&number, other), (gradient, moves)), near)) in
            examples.zip(near).enumerate().take(self.active)
        {
            let kernel = row[number as usize].wide();
            *near = kernel;
            let slope = highest - gradient;
            if slope > 0.0 && moves & MAY_SHRINK != 0 {
                let curvature = (own + other - 2.0 * kernel).max(FLAT);
                // The gain is the square over the curvature; dividing each time would take longer.
                if slope * slope > most * curvature {
                    (partner, most) = (place, slope * slope / curvature);
                }
            }
        }
        partner
    }

    /// Lets the first example grow and the second shrink, as far as that gains.
    fn step(&mut self, first: usize, second: usize, near: &[f64]) -> Extremes {
        let (one, other) = (self.examples[first], self.examples[second]);
        let curvature = (self.owns[first] + self.owns[second] - 2.0 * near[second]).max(FLAT);
        let best = (self.gradients[first] - self.gradients[second]) / curvature;
        let (room, reserve) = (one.upper - one.coefficient, other.coefficient - other.lower);
        let by = best.min(room).min(reserve);
        // At a bound exactly, or rounding would leave a little room forever.
        self.examples[first].coefficient = if by >= room { one.upper } else { one.coefficient + by };
        self.examples[second].coefficient = if by >= reserve { other.lower } else { other.coefficient - by };
        for place in [first, second] {
            self.moves[place] = self.examples[place].moves();
        }
        let row = self.gram.row(self.numbers[second] as usize);
        let examples = self.numbers.iter().zip(near).zip(self.gradients.iter_mut().zip(&self.moves));
        let mut extremes = Extremes::none();
        for (place, ((&number, near), (gradient, &moves))) in examples.enumerate().take(self.active) {
            *gradient -= by * (near - row[number as usize].wide());
            extremes.meet(place, *gradient, moves);
        }
        extremes
    }

    /// Sets aside what is at a bound and far from leaving it.
    fn set_aside(&mut self, extremes: &Extremes) {
        let (growing, shrinking) = (extremes.growing.1, extremes.shrinking);
        let mut place = 0;
        while place < self.active {
            let (moves, gradient) = (self.moves[place], self.gradients[place]);
            let stays = (moves & MAY_GROW == 0 && gradient > growing) || (moves & MAY_SHRINK == 0 && gradient < shrinking);
            if stays {
                self.active -= 1;
                self.examples.swap(place, self.active);
                self.numbers.swap(place, self.active);
                self.owns.swap(place, self.active);
                self.gradients.swap(place, self.active);
                self.moves.swap(place, self.active);
            } else {
                place += 1;
            }
        }
    }

    /// Takes back what was set aside, with the gradients it has by now.
    fn reconsider(&mut self) {
        let support: Vec<(usize, f64)> = self
            .numbers
            .iter()
            .zip(&self.examples)
            .filter(|(_, example)| example.coefficient != 0.0)
            .map(|(&number, example)| (number as usize, example.coefficient))
            .collect();
        for place in self.active..self.examples.len() {
            let row = self.gram.row(self.numbers[place] as usize);
            let sum: f64 = support.iter().map(|&(number, coefficient)| coefficient * row[number].wide()).sum();
            self.gradients[place] = self.examples[place].sign - sum;
        }
        self.active = self.examples.len();
    }

    fn solution(&self, extremes: &Extremes, has_converged: bool) -> Solution {
        let mut coefficients = vec![0.0; self.examples.len()];
        let (mut free, mut sum, mut objective) = (0, 0.0, 0.0);
        let mut is_free = true;
        for (example, gradient) in self.examples.iter().zip(&self.gradients) {
            let (Example { place, coefficient, sign, .. }, moves) = (*example, example.moves());
            coefficients[place as usize] = coefficient;
            objective -= coefficient * (sign + gradient) / 2.0;
            if moves == MAY_GROW | MAY_SHRINK {
                free += 1;
                sum += gradient;
            }
            is_free &= moves & if sign > 0.0 { MAY_GROW } else { MAY_SHRINK } != 0;
        }
        let bias = match free {
            0 => f64::midpoint(extremes.growing.1, extremes.shrinking),
            free => sum / f64::from(free),
        };
        Solution { coefficients, bias, objective, is_free, has_converged }
    }
}

impl Extremes {
    fn none() -> Self {
        Self { growing: (0, f64::NEG_INFINITY), shrinking: f64::INFINITY }
    }

    #[inline(always)]
    fn meet(&mut self, place: usize, gradient: f64, moves: u8) {
        if gradient > self.growing.1 && moves & MAY_GROW != 0 {
            self.growing = (place, gradient);
        }
        if gradient < self.shrinking && moves & MAY_SHRINK != 0 {
            self.shrinking = gradient;
        }
    }
}

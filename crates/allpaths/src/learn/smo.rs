//! Sequential minimal optimisation: two coefficients at a time.
//!
//! The dual of the support vector machine, in signed coefficients `b = y a`: make `y'b - b'Kb / 2` as large as it goes, with the sum of `b` 0 and
//! each `b` between 0 and `C` on the side of its class. The gradient is `g = y - Kb`. At the best `b` no coefficient that may grow has a larger
//! gradient than one that may shrink; while there are such, the pair that promises most (Fan, Chen and Lin, 2005) is moved as far as it gains.
//!
//! Examples whose coefficient will stay at a bound are set aside ("shrinking"), and looked at again in the end. Kernel values are read where they
//! are, through the numbers of the examples: folds share one matrix.

use std::ops::Range;

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
    /// and what its coefficient may not do.
    bars: Bars,
    active: usize,
    steps: usize,
}

/// By example: 0 if its coefficient may move that way, infinity if not. Added to a gradient, or taken from it, it leaves one that nobody
/// would choose: loops without branches are the faster ones here.
struct Bars {
    growing: Vec<f64>,
    shrinking: Vec<f64>,
}

/// How many examples are gone through at a time: what is extreme among them is found by vector instructions, where it is only if
/// it is the most extreme of all.
const TOGETHER: usize = 64;

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
    fn may_grow(&self) -> bool {
        self.coefficient < self.upper
    }

    fn may_shrink(&self) -> bool {
        self.coefficient > self.lower
    }
}

impl Bars {
    fn set(&mut self, place: usize, example: &Example) {
        self.growing[place] = if example.may_grow() { 0.0 } else { f64::INFINITY };
        self.shrinking[place] = if example.may_shrink() { 0.0 } else { f64::INFINITY };
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
            bars: Bars { growing: vec![0.0; examples.len()], shrinking: vec![0.0; examples.len()] },
            active: examples.len(),
            examples: examples.iter().zip(0..).map(example).collect(),
            steps: 0,
        }
    }

    /// Goes on, with other bounds for the negative and the positive side. Bounds may only grow from one call to the next.
    pub(super) fn solve(&mut self, bounds: [f64; 2], monitor: &Monitor) -> Result<Solution> {
        for (place, example) in self.examples.iter_mut().enumerate() {
            match example.sign > 0.0 {
                true => example.upper = bounds[1],
                false => example.lower = -bounds[0],
            }
            self.bars.set(place, example);
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

    /// Those of examples at hand, some at a time.
    fn blocks(&self) -> impl Iterator<Item = Range<usize>> + use<T> {
        let active = self.active;
        (0..active).step_by(TOGETHER).map(move |start| start..(start + TOGETHER).min(active))
    }

    fn extremes(&self) -> Extremes {
        let mut search = Search::default();
        self.blocks().for_each(|block| search.meet(&self.gradients, &self.bars, block));
        search.extremes(&self.gradients, &self.bars)
    }

    /// The example that gains most if the first one grows and it shrinks; on the way, the kernel of the first with all.
    fn partner(&self, first: usize, near: &mut [f64]) -> usize {
        let row = self.gram.row(self.numbers[first] as usize);
        let (own, highest) = (self.owns[first], self.gradients[first]);
        let (mut partner, mut most) = (first, 0.0);
        let mut room = [0.0; TOGETHER];
        for block in self.blocks() {
            let (near, gains) = (&mut near[block.clone()], &mut room[..block.len()]);
            gather(row, &self.numbers[block.clone()], near);
            let gradients = self.gradients[block.clone()].iter().zip(&self.bars.shrinking[block.clone()]);
            let kernels = near.iter().zip(&self.owns[block.clone()]);
            for ((gain, (kernel, other)), (gradient, bar)) in gains.iter_mut().zip(kernels).zip(gradients) {
                let slope = larger(highest - gradient - bar, 0.0);
                *gain = slope * slope / larger(own + other - 2.0 * kernel, FLAT);
            }
            let best = extreme(gains, 0.0, larger);
            if best > most {
                most = best;
                partner = block.start + place_of(gains, best);
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
            self.bars.set(place, &self.examples[place]);
        }
        let row = self.gram.row(self.numbers[second] as usize);
        let mut search = Search::default();
        let mut far = [0.0; TOGETHER];
        for block in self.blocks() {
            let far = &mut far[..block.len()];
            gather(row, &self.numbers[block.clone()], far);
            let kernels = near[block.clone()].iter().zip(&*far);
            let gradients = self.gradients[block.clone()].iter_mut();
            gradients.zip(kernels).for_each(|(gradient, (near, far))| *gradient -= by * (near - far));
            search.meet(&self.gradients, &self.bars, block);
        }
        search.extremes(&self.gradients, &self.bars)
    }

    /// Sets aside what is at a bound and far from leaving it.
    fn set_aside(&mut self, extremes: &Extremes) {
        let (growing, shrinking) = (extremes.growing.1, extremes.shrinking);
        let stays = |&place: &usize| {
            let (example, gradient) = (self.examples[place], self.gradients[place]);
            (!example.may_grow() && gradient > growing) || (!example.may_shrink() && gradient < shrinking)
        };
        let (aside, active): (Vec<usize>, Vec<usize>) = (0..self.active).partition(stays);
        if !aside.is_empty() {
            self.active = active.len();
            self.rearrange(active.into_iter().chain(aside));
        }
    }

    /// Puts the first examples into another order. Those at hand always ascend as they were given: kernel values are then read from the left
    /// to the right, which a processor foresees.
    fn rearrange(&mut self, order: impl Iterator<Item = usize>) {
        let order: Vec<usize> = order.collect();
        permute(&mut self.examples, &order);
        permute(&mut self.numbers, &order);
        permute(&mut self.owns, &order);
        permute(&mut self.gradients, &order);
        permute(&mut self.bars.growing, &order);
        permute(&mut self.bars.shrinking, &order);
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
            let sum: f64 =
                support.iter().map(|&(number, coefficient)| coefficient * row[number].wide()).sum();
            self.gradients[place] = self.examples[place].sign - sum;
        }
        self.active = self.examples.len();
        let mut order: Vec<usize> = (0..self.active).collect();
        order.sort_unstable_by_key(|&place| self.examples[place].place);
        self.rearrange(order.into_iter());
    }

    fn solution(&self, extremes: &Extremes, has_converged: bool) -> Solution {
        let mut coefficients = vec![0.0; self.examples.len()];
        let (mut free, mut sum, mut objective) = (0, 0.0, 0.0);
        let mut is_free = true;
        for (example, gradient) in self.examples.iter().zip(&self.gradients) {
            let Example { place, coefficient, sign, .. } = *example;
            let (may_grow, may_shrink) = (example.may_grow(), example.may_shrink());
            coefficients[place as usize] = coefficient;
            objective -= coefficient * (sign + gradient) / 2.0;
            if may_grow && may_shrink {
                free += 1;
                sum += gradient;
            }
            is_free &= if sign > 0.0 { may_grow } else { may_shrink };
        }
        let bias = match free {
            0 => f64::midpoint(extremes.growing.1, extremes.shrinking),
            free => sum / f64::from(free),
        };
        Solution { coefficients, bias, objective, is_free, has_converged }
    }
}

/// Looks for extremes, block by block.
struct Search {
    growing: f64,
    /// Where the largest gradient is.
    block: Range<usize>,
    shrinking: f64,
}

impl Default for Search {
    fn default() -> Self {
        Self { growing: f64::NEG_INFINITY, block: 0..0, shrinking: f64::INFINITY }
    }
}

impl Search {
    #[inline(always)]
    fn meet(&mut self, gradients: &[f64], bars: &Bars, block: Range<usize>) {
        let (mut up, mut down) = ([f64::NEG_INFINITY; TOGETHER], [f64::INFINITY; TOGETHER]);
        let barred = bars.growing[block.clone()].iter().zip(&bars.shrinking[block.clone()]);
        let both = gradients[block.clone()].iter().zip(barred);
        for ((up, down), (gradient, (growing, shrinking))) in up.iter_mut().zip(&mut down).zip(both) {
            (*up, *down) = (gradient - growing, gradient + shrinking);
        }
        let highest = extreme(&up, f64::NEG_INFINITY, larger);
        if highest > self.growing {
            (self.growing, self.block) = (highest, block);
        }
        self.shrinking = smaller(self.shrinking, extreme(&down, f64::INFINITY, smaller));
    }

    fn extremes(self, gradients: &[f64], bars: &Bars) -> Extremes {
        let of = self.block.clone().zip(&gradients[self.block.clone()]).zip(&bars.growing[self.block]);
        let place = of
            .filter(|((_, gradient), bar)| *gradient - *bar >= self.growing)
            .map(|((place, _), _)| place)
            .next();
        Extremes { growing: (place.unwrap_or(0), self.growing), shrinking: self.shrinking }
    }
}

/// The kernel values of some examples, by their numbers.
#[inline(always)]
fn gather<T: Real>(row: &[T], numbers: &[u32], values: &mut [f64]) {
    values.iter_mut().zip(numbers).for_each(|(value, &number)| *value = row[number as usize].wide());
}

// Unlike `f64::max` and `f64::min`, these are one instruction: nothing here is ever NaN.
#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[inline(always)]
fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// The largest or smallest of values, eight at a time.
#[inline(always)]
fn extreme(values: &[f64], none: f64, choose: impl Fn(f64, f64) -> f64) -> f64 {
    let mut lanes = [none; 8];
    let (eights, rest) = values.as_chunks::<8>();
    for eight in eights {
        lanes.iter_mut().zip(eight).for_each(|(lane, &value)| *lane = choose(*lane, value));
    }
    lanes.iter().chain(rest).fold(none, |a, &b| choose(a, b))
}

fn permute<T: Copy>(values: &mut [T], order: &[usize]) {
    let moved: Vec<T> = order.iter().map(|&place| values[place]).collect();
    values[..moved.len()].copy_from_slice(&moved);
}

/// Where a value is first.
fn place_of(values: &[f64], value: f64) -> usize {
    values.iter().position(|&other| other >= value).unwrap_or(0)
}

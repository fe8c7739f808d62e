//! Probabilities from decision values.

use serde::{Deserialize, Serialize};

/// The probability of the positive side, `1 / (1 + exp(a f + b))` of a decision value `f`.
///
/// Platt, Probabilistic outputs for support vector machines, 1999, fitted by Newton's method as Lin, Lin and Weng, A note on Platt's probabilistic
/// outputs, 2007.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Sigmoid {
    a: f64,
    b: f64,
}

impl Sigmoid {
    /// The sigmoid under which values and sides are most likely. Sides are taken as a little less than certain, so that a clean
    /// separation does not make it a step.
    pub(super) fn fit(values: &[(f64, bool)]) -> Self {
        const ROUNDS: usize = 100;
        const ENOUGH: f64 = 1e-5;
        const RIDGE: f64 = 1e-12;
        let positive = values.iter().filter(|(_, positive)| *positive).count() as f64;
        let negative = values.len() as f64 - positive;
        let targets = [1.0 / (negative + 2.0), (positive + 1.0) / (positive + 2.0)];
        let examples = || values.iter().map(|&(value, positive)| (value, targets[usize::from(positive)]));
        let surprise = |sigmoid: Self| {
            let one = |(value, target): (f64, f64)| {
                let x = sigmoid.a * value + sigmoid.b;
                // The same in both cases, without an overflow in either.
                if x >= 0.0 { target * x + (-x).exp().ln_1p() } else { (target - 1.0) * x + x.exp().ln_1p() }
            };
            examples().map(one).sum::<f64>()
        };
        let mut sigmoid = Self { a: 0.0, b: ((negative + 1.0) / (positive + 1.0)).ln() };
        let mut least = surprise(sigmoid);
        for _ in 0..ROUNDS {
            let (mut slope, mut curve) = ([0.0; 2], [RIDGE, 0.0, RIDGE]);
            for (value, target) in examples() {
                let p = sigmoid.probability(value);
                let (first, second) = (target - p, p * (1.0 - p));
                slope = [slope[0] + value * first, slope[1] + first];
                curve = [curve[0] + value * value * second, curve[1] + value * second, curve[2] + second];
            }
            if slope[0].abs() < ENOUGH && slope[1].abs() < ENOUGH {
                break;
            }
            let determinant = curve[0] * curve[2] - curve[1] * curve[1];
            let a = -(curve[2] * slope[0] - curve[1] * slope[1]) / determinant;
            let b = -(curve[0] * slope[1] - curve[1] * slope[0]) / determinant;
            let descent = slope[0] * a + slope[1] * b;
            let halves =
                std::iter::successors(Some(1.0), |step| Some(step / 2.0)).take_while(|&step| step > 1e-10);
            let better = halves
                .map(|step: f64| (step, Self { a: sigmoid.a + step * a, b: sigmoid.b + step * b }))
                .map(|(step, next)| (step, next, surprise(next)))
                .find(|&(step, _, found)| found < least + 1e-4 * step * descent);
            match better {
                Some((_, next, found)) => (sigmoid, least) = (next, found),
                None => break,
            }
        }
        sigmoid
    }

    /// The probability of the positive side.
    pub(super) fn probability(self, value: f64) -> f64 {
        let x = self.a * value + self.b;
        if x >= 0.0 { (-x).exp() / (1.0 + (-x).exp()) } else { 1.0 / (1.0 + x.exp()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_sigmoid_is_found() {
        // As many positive ones at each value as the sigmoid says, out of very many.
        let known = Sigmoid { a: -2.0, b: 0.5 };
        let at = |value: f64| {
            let positive = (known.probability(value) * 2000.0).round();
            (0..2000).map(move |i| (value, f64::from(i) < positive))
        };
        let values: Vec<(f64, bool)> = (-10..=10).flat_map(|i| at(f64::from(i) / 5.0)).collect();
        let found = Sigmoid::fit(&values);
        assert!((found.a - known.a).abs() < 0.02 && (found.b - known.b).abs() < 0.02, "{found:?}");
    }

    #[test]
    fn clean_separation_and_one_side_alone_stay_finite() {
        for values in [
            &[(-1.0, false), (1.0, true)][..],
            &[(0.3, true), (0.4, true)],
            &[(0.0, true), (0.0, false)],
            &[],
        ] {
            let sigmoid = Sigmoid::fit(values);
            assert!(
                [-1e9, 0.0, 1e9].iter().all(|&value| (0.0..=1.0).contains(&sigmoid.probability(value))),
                "{values:?}"
            );
        }
        let sigmoid = Sigmoid::fit(&[(-1.0, false), (-0.9, false), (1.0, true), (0.9, true)]);
        assert!(sigmoid.probability(1.0) > 0.6 && sigmoid.probability(-1.0) < 0.4);
    }
}

//! Encoding `power` by the quotient engine: classes as the coefficients of polynomials.
//!
//! A vertex whose label has the code `c` weighs `x^c`, so the paths between two end labels weigh a polynomial in `x` whose coefficients say how
//! many have which class. The engine evaluates it at 0, 1, 2, ..., and the values tell the coefficients: Newton's differences of order `j`, divided by
//! `j!`. Integers wrap, and dividing them by `j!` costs as many of the highest bits as that has factors of two; what is left must hold every count.
//! Digits packed into integers, as the sieve has them, would make every number wide.

use super::Bins;
use crate::Graph;
use crate::count::{
    Job, MOST_CLASSES, Outcome, Packed, Quotient, Subject, is_algebra_faster, most_paths_and_cycles,
};

/// How many points are evaluated at a time.
const TOGETHER: usize = 4;

impl Bins {
    /// At how many points polynomials have to be known.
    fn points(&self, max_length: usize) -> usize {
        let largest = self.codes().0.iter().max().map_or(0, |&code| code as usize);
        largest * max_length.saturating_sub(1) + 1
    }

    /// Whether a graph is counted faster by the quotient engine than by a walk.
    pub(crate) fn prefer_quotients(&self, graph: &Graph, max_length: usize) -> bool {
        is_algebra_faster(graph, max_length, || self.points(max_length))
            && self.width(graph, max_length).is_some()
    }

    /// How many bits all counts certainly fit into, and how many are lost on the way; nothing if that is too much.
    fn width(&self, graph: &Graph, max_length: usize) -> Option<[u32; 2]> {
        let bits = u64::BITS - most_paths_and_cycles(graph, max_length)?.leading_zeros();
        let lost: u32 = (1..self.points(max_length)).map(usize::trailing_zeros).sum();
        let classes = self.codes().0.len();
        (bits + lost <= i128::BITS && classes <= MOST_CLASSES).then_some([bits, lost])
    }

    /// Books all paths and cycles to a length, by the quotient engine.
    pub(crate) fn interpolate(&mut self, graph: &Graph, max_length: usize, job: Job<'_>) -> Outcome {
        let found = match self.width(graph, max_length) {
            None => return Outcome::Undecided,
            Some([bits, lost]) if bits + lost <= i64::BITS => {
                self.interpolate_in::<i64>(graph, max_length, bits, job)
            }
            Some([bits, _]) => self.interpolate_in::<i128>(graph, max_length, bits, job),
        };
        found.err().unwrap_or_default()
    }

    fn interpolate_in<R: Divided>(
        &mut self,
        graph: &Graph,
        max_length: usize,
        bits: u32,
        job: Job<'_>,
    ) -> Result<(), Outcome> {
        let (codes, class) = self.codes();
        let (codes, quotient) = (codes.to_vec(), Quotient::new(graph, Subject::Both));
        let power = |code: u32, point: usize| (0..code).fold(R::of(1), |power, _| power.times(R::of(point)));
        let from = |first: usize| {
            let weight = |&code: &u32| std::array::from_fn(|i| power(code, first + i));
            let weights: Vec<[R; TOGETHER]> = codes.iter().map(weight).collect();
            quotient.by_ends(&class, &weights, max_length, job)
        };
        let points = self.points(max_length);
        let values = (0..points).step_by(TOGETHER).map(from).collect::<Result<Vec<_>, _>>()?;
        for length in 1..=max_length {
            for pair in 0..codes.len() * codes.len() {
                let ends = [pair / codes.len(), pair % codes.len()];
                let of_kind = |kind: usize| {
                    let values = values.iter().flat_map(|values| values[length][pair][kind]);
                    coefficients(values.take(points).collect::<Vec<R>>())
                };
                for (class, (paths, cycles)) in of_kind(0).iter().zip(of_kind(1)).enumerate() {
                    let counts = [paths.digit(0, bits), cycles.digit(0, bits)];
                    if counts != [0, 0] {
                        self.book(length, ends, class, counts);
                    }
                }
            }
        }
        // A loop is a cycle of one edge.
        for (u, _) in graph.edges().filter(|(u, v)| u == v && max_length > 0) {
            self.book(1, [class[u] as usize; 2], 0, [0, 1]);
        }
        Ok(())
    }
}

/// Wrapping integers that can be divided.
trait Divided: Packed + Copy {
    fn of(n: usize) -> Self;

    fn times(self, other: Self) -> Self;

    fn minus(self, other: Self) -> Self;

    /// The quotient by a power of two and an odd number. As many of its highest bits as the power has zeros mean nothing.
    fn divided(self, twos: u32, odd: Self) -> Self;
}

macro_rules! divided {
    ($integer:ty) => {
        impl Divided for $integer {
            #[allow(clippy::cast_possible_wrap)] // it is what all integers do here
            fn of(n: usize) -> Self {
                n as $integer
            }

            fn times(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }

            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }

            fn divided(self, twos: u32, odd: Self) -> Self {
                // An odd number is its own inverse in the lowest three bits, and each round doubles them.
                let better = |x: $integer| x.wrapping_mul((2 as $integer).wrapping_sub(odd.wrapping_mul(x)));
                (self >> twos).wrapping_mul((0..6).fold(odd, |inverse, _| better(inverse)))
            }
        }
    };
}

divided!(i64);
divided!(i128);

/// The coefficients of the polynomial with these values at 0, 1, 2, ..., the constant first.
fn coefficients<R: Divided>(mut values: Vec<R>) -> Vec<R> {
    let number = values.len();
    for order in 1..number {
        (order..number).rev().for_each(|j| values[j] = values[j].minus(values[j - 1]));
    }
    let (mut twos, mut odd) = (0, R::of(1));
    for (j, difference) in values.iter_mut().enumerate().skip(1) {
        twos += j.trailing_zeros();
        odd = odd.times(R::of(j >> j.trailing_zeros()));
        *difference = difference.divided(twos, odd);
    }
    let mut coefficients = vec![R::of(0); number];
    for (i, difference) in values.into_iter().enumerate().rev() {
        // Times x - i, plus the next difference.
        for j in (0..number).rev() {
            let lower = if j > 0 { coefficients[j - 1] } else { difference };
            coefficients[j] = lower.minus(coefficients[j].times(R::of(i)));
        }
    }
    coefficients
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coefficients_come_back() {
        fn check<R: Divided>(polynomial: &[u64], bits: u32) {
            let lost: u32 = (1..polynomial.len()).map(usize::trailing_zeros).sum();
            let value = |point: usize| {
                polynomial.iter().rev().fold(R::of(0), |value, &coefficient| {
                    value.times(R::of(point)).minus(R::of(0).minus(R::of(coefficient as usize)))
                })
            };
            let found = coefficients((0..polynomial.len()).map(value).collect::<Vec<R>>());
            let found: Vec<u64> = found.iter().map(|c| c.digit(0, (bits - lost).min(64))).collect();
            assert_eq!(found, polynomial);
        }
        check::<i64>(&[7], 64);
        check::<i64>(&[7, 0, 5, 1 << 60, 1], 64);
        check::<i64>(&[3, 1, 4, 1, 5, 9, 2, 6, 5, 3, (1 << 56) - 1], 64);
        check::<i128>(&[u64::MAX, 1, 2, 0, 0, 0, 0, 0, 9, u64::MAX, 1 << 63, 5, 0, 0, 0, 0, u64::MAX], 128);
    }
}

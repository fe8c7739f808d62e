//! Labels by the quotient engine: paths as the coefficients of polynomials.
//!
//! A vertex weighs a monomial, which depends on its label: for the encoding `power`, `x` to the code of the label, for the encoding `composition` a variable for each label but one. So the paths between
//! two end labels weigh a polynomial whose coefficients say how many have which class or multiset. The engine evaluates it at all points of natural numbers with no larger sum than its degree, and the values tell the
//! coefficients: Newton's differences, of order `j` in a variable, divided by `j!`. Integers wrap, and dividing them by `j!` costs as many of the highest bits as that has factors of two; what is left must
//! hold every count. Digits packed into integers, as the sieve has them, would make every number wide.

use super::Bins;
use crate::Graph;
use crate::count::{
    Job, MOST_CLASSES, Outcome, Packed, Quotient, Subject, is_algebra_faster, most_paths_and_cycles,
};

/// How many points are evaluated at a time.
const TOGETHER: usize = 4;

/// The most points.
const MOST_POINTS: usize = 1 << 12;

/// What the vertices of a graph weigh, so that paths and cycles to a length are polynomials.
pub(super) struct Polynomials<'a> {
    pub(super) graph: &'a Graph,
    /// By vertex: its class.
    pub(super) class: Vec<u32>,
    /// By class: the monomial that its vertices weigh, as the exponents of the variables.
    pub(super) monomials: Vec<Vec<usize>>,
    pub(super) max_length: usize,
}

impl Polynomials<'_> {
    fn variables(&self) -> usize {
        self.monomials.first().map_or(0, Vec::len)
    }

    fn degree(&self) -> usize {
        let largest = self.monomials.iter().map(|monomial| monomial.iter().sum()).max().unwrap_or(0);
        largest * self.max_length.saturating_sub(1)
    }

    /// At how many points they have to be known.
    fn points(&self) -> usize {
        let degree = self.degree();
        (1..=self.variables()).fold(1usize, |points, i| points.saturating_mul(degree + i) / i)
    }

    /// Whether those of a graph can be found, and faster than by a walk; they are made only where there are enough paths to ask.
    pub(super) fn are_faster<'a>(
        graph: &'a Graph,
        max_length: usize,
        made: impl Fn() -> Polynomials<'a>,
    ) -> bool {
        is_algebra_faster(graph, max_length, || made().points()) && made().width().is_some()
    }

    /// How many bits all counts certainly fit into, and how many are lost on the way; nothing if that is too much.
    fn width(&self) -> Option<[u32; 2]> {
        let bits = u64::BITS - most_paths_and_cycles(self.graph, self.max_length)?.leading_zeros();
        // What is divided by a product of factorials is divided by no more than the factorial of the sum.
        let lost: u32 = (1..=self.degree()).map(usize::trailing_zeros).sum();
        let is_possible =
            bits + lost <= i128::BITS && self.monomials.len() <= MOST_CLASSES && self.points() <= MOST_POINTS;
        is_possible.then_some([bits, lost])
    }

    /// Finds all paths and cycles, and books them by length, places of the first and the last class, and exponents of the inner vertices.
    pub(super) fn find(
        &self,
        job: Job<'_>,
        book: impl FnMut(usize, [usize; 2], &[usize], [u64; 2]),
    ) -> Outcome {
        let found = match self.width() {
            None => return Outcome::Undecided,
            Some([bits, lost]) if bits + lost <= i64::BITS => self.find_in::<i64>(bits, job, book),
            Some([bits, _]) => self.find_in::<i128>(bits, job, book),
        };
        found.err().unwrap_or_default()
    }

    fn find_in<R: Divided>(
        &self,
        bits: u32,
        job: Job<'_>,
        mut book: impl FnMut(usize, [usize; 2], &[usize], [u64; 2]),
    ) -> Result<(), Outcome> {
        let (classes, quotient) = (self.monomials.len(), Quotient::new(self.graph, Subject::Both));
        let simplex = Simplex::new(self.variables(), self.degree());
        let weigh = |monomial: &[usize], point: &[usize]| {
            let factors = monomial.iter().zip(point).flat_map(|(&times, &x)| std::iter::repeat_n(x, times));
            factors.fold(R::of(1), |product, x| product.times(R::of(x)))
        };
        let at = |points: &[Vec<usize>]| {
            // The last points may be fewer.
            let weight = |monomial: &Vec<usize>| {
                std::array::from_fn(|i| weigh(monomial, &points[i.min(points.len() - 1)]))
            };
            let weights: Vec<[R; TOGETHER]> = self.monomials.iter().map(weight).collect();
            quotient.by_ends(&self.class, &weights, self.max_length, job)
        };
        let values = simplex.points.chunks(TOGETHER).map(at).collect::<Result<Vec<_>, _>>()?;
        for length in 1..=self.max_length {
            for pair in 0..classes * classes {
                let [paths, cycles] = [0, 1].map(|kind| {
                    let values = values.iter().flat_map(|values| values[length][pair][kind]);
                    simplex.coefficients(values.take(simplex.points.len()).collect::<Vec<R>>())
                });
                for (exponents, (paths, cycles)) in simplex.points.iter().zip(paths.iter().zip(&cycles)) {
                    let counts = [paths.digit(0, bits), cycles.digit(0, bits)];
                    if counts != [0, 0] {
                        book(length, [pair / classes, pair % classes], exponents, counts);
                    }
                }
            }
        }
        // A loop is a cycle of one edge.
        for (u, _) in self.graph.edges().filter(|(u, v)| u == v && self.max_length > 0) {
            book(1, [self.class[u] as usize; 2], &vec![0; self.variables()], [0, 1]);
        }
        Ok(())
    }
}

impl Bins {
    fn polynomials<'a>(&self, graph: &'a Graph, max_length: usize) -> Polynomials<'a> {
        let (codes, class) = self.codes();
        let monomials = codes.iter().map(|&code| vec![code as usize]).collect();
        Polynomials { graph, class, monomials, max_length }
    }

    /// Whether a graph is counted faster by the quotient engine than by a walk.
    pub(crate) fn prefer_quotients(&self, graph: &Graph, max_length: usize) -> bool {
        Polynomials::are_faster(graph, max_length, || self.polynomials(graph, max_length))
    }

    /// Books all paths and cycles to a length, by the quotient engine.
    pub(crate) fn interpolate(&mut self, graph: &Graph, max_length: usize, job: Job<'_>) -> Outcome {
        let polynomials = self.polynomials(graph, max_length);
        polynomials.find(job, |length, ends, class, counts| self.book(length, ends, class[0], counts))
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

/// All points of natural numbers whose sum is no larger than a degree, which are the exponents of all monomials to that degree as well.
struct Simplex {
    points: Vec<Vec<usize>>,
    /// Places of points that differ in one variable alone, in the order of that, for all variables.
    lines: Vec<Vec<usize>>,
}

impl Simplex {
    fn new(variables: usize, degree: usize) -> Self {
        let mut points = vec![Vec::new()];
        for _ in 0..variables {
            let with = |point: &Vec<usize>| {
                let (point, sum) = (point.clone(), point.iter().sum::<usize>());
                (0..=degree - sum).map(move |x| point.iter().copied().chain([x]).collect())
            };
            points = points.iter().flat_map(with).collect();
        }
        let mut lines = Vec::new();
        for variable in 0..variables {
            for first in points.iter().filter(|point| point[variable] == 0) {
                let place = |x| {
                    let mut point = first.clone();
                    point[variable] = x;
                    points.binary_search(&point).expect("its sum is no larger")
                };
                lines.push((0..=degree - first.iter().sum::<usize>()).map(place).collect());
            }
        }
        Self { points, lines }
    }

    /// The coefficients of the polynomial with these values at all points.
    fn coefficients<R: Divided>(&self, mut values: Vec<R>) -> Vec<R> {
        for change in [differences, to_powers] {
            for line in &self.lines {
                let mut along: Vec<R> = line.iter().map(|&place| values[place]).collect();
                change(&mut along);
                line.iter().zip(along).for_each(|(&place, value)| values[place] = value);
            }
        }
        values
    }
}

/// Turns values at 0, 1, 2, ... into Newton's differences.
fn differences<R: Divided>(values: &mut [R]) {
    for order in 1..values.len() {
        (order..values.len()).rev().for_each(|j| values[j] = values[j].minus(values[j - 1]));
    }
}

/// Turns differences into coefficients, the constant first.
fn to_powers<R: Divided>(differences: &mut [R]) {
    let number = differences.len();
    let (mut twos, mut odd) = (0, R::of(1));
    for (j, difference) in differences.iter_mut().enumerate().skip(1) {
        twos += j.trailing_zeros();
        odd = odd.times(R::of(j >> j.trailing_zeros()));
        *difference = difference.divided(twos, odd);
    }
    let mut coefficients = vec![R::of(0); number];
    for (i, &difference) in differences.iter().enumerate().rev() {
        // Times x - i, plus the next difference.
        for j in (0..number).rev() {
            let lower = if j > 0 { coefficients[j - 1] } else { difference };
            coefficients[j] = lower.minus(coefficients[j].times(R::of(i)));
        }
    }
    differences.copy_from_slice(&coefficients);
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
            let simplex = Simplex::new(1, polynomial.len() - 1);
            let found = simplex.coefficients((0..polynomial.len()).map(value).collect::<Vec<R>>());
            let found: Vec<u64> = found.iter().map(|c| c.digit(0, (bits - lost).min(64))).collect();
            assert_eq!(found, polynomial);
        }
        check::<i64>(&[7], 64);
        check::<i64>(&[7, 0, 5, 1 << 60, 1], 64);
        check::<i64>(&[3, 1, 4, 1, 5, 9, 2, 6, 5, 3, (1 << 56) - 1], 64);
        check::<i128>(&[u64::MAX, 1, 2, 0, 0, 0, 0, 0, 9, u64::MAX, 1 << 63, 5, 0, 0, 0, 0, u64::MAX], 128);
    }

    #[test]
    fn coefficients_of_several_variables_come_back() {
        let simplex = Simplex::new(3, 4);
        assert_eq!(simplex.points.len(), 35);
        let expected: Vec<usize> = (0..35).map(|i| i * i * 1_000_003 + 7).collect();
        let value = |point: &Vec<usize>| {
            let term = |(exponents, coefficient): (&Vec<usize>, &usize)| {
                exponents.iter().zip(point).fold(*coefficient, |term, (&e, &x)| term * x.pow(e as u32))
            };
            i64::of(simplex.points.iter().zip(&expected).map(term).sum())
        };
        let found = simplex.coefficients(simplex.points.iter().map(value).collect());
        // Dividing by 4! costs three bits.
        let found: Vec<usize> = found.iter().map(|c| c.digit(0, 61) as usize).collect();
        assert_eq!(found, expected);
    }
}

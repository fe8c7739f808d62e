//! Encoding `power` by the quotient engine: classes as the coefficients of polynomials.
//!
//! A vertex whose label has the code `c` weighs `x^c`, so the paths between two end labels weigh a polynomial in `x` whose coefficients say how
//! many have which class. The engine evaluates it at as many points as it has coefficients, modulo a prime that no count reaches, and
//! those points tell the coefficients. Digits packed into integers, as the sieve has them, would make every number wide; so they stay narrow.

use super::Bins;
use crate::Graph;
use crate::count::{
    Job, Outcome, Quotient, Residue, Ring, Subject, is_algebra_faster, most_paths_and_cycles,
};

impl Bins {
    /// At how many points polynomials of a length have to be known.
    fn points(&self, max_length: usize) -> usize {
        let largest = self.codes().0.iter().max().map_or(0, |&code| code as usize);
        largest * max_length.saturating_sub(1) + 1
    }

    /// Whether a graph is counted faster by the quotient engine than by a walk.
    pub(crate) fn prefer_quotients(&self, graph: &Graph, max_length: usize) -> bool {
        let evaluations = || self.points(max_length) * self.codes().0.len();
        is_algebra_faster(graph, max_length, evaluations) && fits(graph, max_length)
    }

    /// Books all paths and cycles to a length, by the quotient engine.
    pub(crate) fn interpolate(&mut self, graph: &Graph, max_length: usize, job: Job<'_>) -> Outcome {
        if !fits(graph, max_length) {
            return Outcome::Undecided;
        }
        self.evaluate(graph, max_length, job).err().unwrap_or_default()
    }

    fn evaluate(&mut self, graph: &Graph, max_length: usize, job: Job<'_>) -> Result<(), Outcome> {
        let (codes, class) = self.codes();
        let (codes, quotient) = (codes.to_vec(), Quotient::new(graph, Subject::Both));
        let points: Vec<Residue> = (1..=self.points(max_length) as u64).map(Residue::of).collect();
        let at = |point: &Residue| {
            let weights: Vec<Residue> = codes.iter().map(|&code| point.to_the(code.into())).collect();
            quotient.by_ends(&class, &weights, max_length, job)
        };
        let values = points.iter().map(at).collect::<Result<Vec<_>, _>>()?;
        let interpolation = Interpolation::new(points);
        for length in 1..=max_length {
            for pair in 0..codes.len() * codes.len() {
                let ends = [pair / codes.len(), pair % codes.len()];
                let of_kind = |kind: usize| {
                    interpolation
                        .coefficients(values.iter().map(|values| values[length][pair][kind]).collect())
                };
                let [paths, cycles] = [of_kind(0), of_kind(1)];
                for (class, (paths, cycles)) in paths.iter().zip(&cycles).enumerate() {
                    let counts = [paths.number(), cycles.number()];
                    if counts != [0, 0] {
                        self.book(length, ends, class, counts);
                    }
                }
            }
        }
        // A loop is a cycle of one edge.
        for (u, _) in graph.edges().filter(|(u, v)| u == v) {
            if max_length > 0 {
                self.book(1, [class[u] as usize; 2], 0, [0, 1]);
            }
        }
        Ok(())
    }
}

/// Whether all counts to a length are certainly below the prime.
fn fits(graph: &Graph, max_length: usize) -> bool {
    most_paths_and_cycles(graph, max_length).is_some_and(|most| most < Residue::PRIME)
}

/// Polynomials by their values at some points.
struct Interpolation {
    points: Vec<Residue>,
    /// By first and later point, what makes 1 of their difference.
    inverses: Vec<Vec<Residue>>,
}

impl Interpolation {
    fn new(points: Vec<Residue>) -> Self {
        let inverse = |i: usize, j: usize| points[j].minus(points[i]).inverse();
        let inverses = (0..points.len()).map(|i| {
            (0..points.len()).map(|j| if j > i { inverse(i, j) } else { Residue::zero() }).collect()
        });
        Self { inverses: inverses.collect(), points }
    }

    /// The coefficients of the polynomial with these values, the constant first. Newton's divided differences, multiplied out.
    fn coefficients(&self, mut values: Vec<Residue>) -> Vec<Residue> {
        let number = values.len();
        for step in 1..number {
            for j in (step..number).rev() {
                values[j] = values[j].minus(values[j - 1]).times(self.inverses[j - step][j]);
            }
        }
        let mut coefficients = vec![Residue::zero(); number];
        for i in (0..number).rev() {
            // Times x minus the point, plus the next difference.
            for j in (0..number).rev() {
                let shifted = if j > 0 { coefficients[j - 1] } else { values[i] };
                coefficients[j] = shifted.minus(coefficients[j].times(self.points[i]));
            }
        }
        coefficients
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coefficients_come_back() {
        let polynomial: Vec<Residue> = [7, 0, 5, 1 << 60, 1].map(Residue::of).to_vec();
        let points: Vec<Residue> = (1..=5).map(Residue::of).collect();
        let value = |point: &Residue| {
            polynomial.iter().rev().fold(Residue::zero(), |mut value, coefficient| {
                value = value.times(*point);
                value.add(coefficient);
                value
            })
        };
        let values = points.iter().map(value).collect();
        assert_eq!(Interpolation::new(points).coefficients(values), polynomial);
    }
}

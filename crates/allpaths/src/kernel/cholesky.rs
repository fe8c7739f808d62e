//! Cholesky factors of positive semidefinite matrices, which may lack rank.

use std::array;

use crate::dense::{self, SIDES, dot};

/// `P K P^T = L L^T`, as far as K has rank: the largest diagonal entry that is left comes first.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cholesky {
    /// Lower rows, one after the other: row `i` has `i + 1` entries.
    rows: Vec<f64>,
    /// Which rows of the matrix were taken, in that order.
    order: Vec<usize>,
}

/// Diagonal entries below this share of the largest are rounding.
const ZERO: f64 = 1e-10;

impl Cholesky {
    /// Factors a symmetric matrix of n rows. Takes about n^3 / 3 multiplications.
    pub(crate) fn new(matrix: &[f64], n: usize) -> Self {
        let mut left: Vec<f64> = (0..n).map(|i| matrix[i * n + i]).collect();
        let largest = left.iter().copied().fold(0.0, f64::max);
        // The factor column by column: what each row of the matrix has in it so far.
        let mut parts: Vec<Vec<f64>> = vec![Vec::new(); n];
        let mut order = Vec::new();
        let mut is_taken = vec![false; n];
        while order.len() < n {
            let free = (0..n).filter(|&i| !is_taken[i]);
            let Some(next) = free.reduce(|a, b| if left[b] > left[a] { b } else { a }) else { break };
            if left[next] <= ZERO * largest {
                break;
            }
            let root = left[next].sqrt();
            is_taken[next] = true;
            let pivot = parts[next].clone();
            for i in (0..n).filter(|&i| !is_taken[i]) {
                let value = (matrix[next * n + i] - dot(&pivot, &parts[i])) / root;
                parts[i].push(value);
                left[i] -= value * value;
            }
            parts[next].push(root);
            order.push(next);
        }
        let rows = order.iter().flat_map(|&i| std::mem::take(&mut parts[i])).collect();
        Self { rows, order }
    }

    /// Factors the identity plus a positive semidefinite matrix, each row in its turn. Their sum has n rows; its lower triangle is given, row by row.
    pub(crate) fn beyond_one(mut rows: Vec<f64>, n: usize) -> Self {
        let start = |i: usize| i * (i + 1) / 2;
        for first in (0..n).step_by(SIDES) {
            let end = n.min(first + SIDES);
            // What several rows have in columns above which all is done.
            let (above, below) = rows.split_at_mut(start(first));
            let place = |side: usize, j: usize| start(first + side) - start(first) + j;
            let sides = |j| array::from_fn(|side| below.get(place(side, j)).copied().unwrap_or(0.0));
            let mut sides: Vec<[f64; SIDES]> = (0..first).map(sides).collect();
            dense::solve(above, &mut sides);
            for (j, sides) in sides.iter().enumerate() {
                (first..end).zip(sides).for_each(|(i, &x)| below[place(i - first, j)] = x);
            }
            for i in first..end {
                let (above, row) = rows[..start(i + 1)].split_at_mut(start(i));
                for j in first..i {
                    let pivot = &above[start(j)..start(j + 1)];
                    row[j] = (row[j] - dot(&pivot[..j], &row[..j])) / pivot[j];
                }
                // What is left of an entry is never less than the identity has there: only rounding says so.
                row[i] = (row[i] - dot(&row[..i], &row[..i])).max(1.0).sqrt();
            }
        }
        Self { rows, order: (0..n).collect() }
    }

    /// Whether a row was taken: it is none that others make up.
    pub(crate) fn has(&self, row: usize) -> bool {
        self.order.contains(&row)
    }

    /// How many rows are independent.
    pub(crate) fn rank(&self) -> usize {
        self.order.len()
    }

    /// `L^-1 P k`: coordinates whose products are `k^T K^-1 k'`.
    pub(crate) fn coordinates(&self, k: &[f64]) -> Vec<f64> {
        let mut found: Vec<f64> = Vec::with_capacity(self.rank());
        let mut start = 0;
        for (i, &place) in self.order.iter().enumerate() {
            let row = &self.rows[start..=start + i];
            found.push((k[place] - dot(&row[..i], &found)) / row[i]);
            start += i + 1;
        }
        found
    }

    /// The same of several k side by side, [`SIDES`] of them at most.
    pub(crate) fn coordinates_of_several(&self, several: &[&[f64]]) -> Vec<[f64; SIDES]> {
        let sides = |&place: &usize| array::from_fn(|side| several.get(side).map_or(0.0, |k| k[place]));
        let mut found: Vec<[f64; SIDES]> = self.order.iter().map(sides).collect();
        dense::solve(&self.rows, &mut found);
        found
    }

    /// `L^-T x`: the weights of coordinates in the matrix's own terms, in the order in which its rows were taken.
    pub(crate) fn weights(&self, mut x: Vec<f64>) -> Vec<f64> {
        let mut end = self.rows.len();
        for i in (0..self.rank()).rev() {
            let row = &self.rows[end - i - 1..end];
            x[i] /= row[i];
            let by = x[i];
            dense::add(&mut x[..i], -by, row);
            end -= i + 1;
        }
        x
    }
}

/// As many directions as there are different ones among some, at right angles to each other and of length 1.
pub(crate) fn orthonormal(directions: impl IntoIterator<Item = Vec<f64>>) -> Vec<Vec<f64>> {
    /// A direction that has less than this share of its square left was made of the others: the rest is rounding.
    const ZERO: f64 = 1e-12;
    let mut found: Vec<Vec<f64>> = Vec::new();
    for mut direction in directions {
        let square = dot(&direction, &direction);
        found.iter().for_each(|other| leave_out(other, &mut direction));
        let left = dot(&direction, &direction);
        if left > ZERO * square {
            direction.iter_mut().for_each(|x| *x /= left.sqrt());
            found.push(direction);
        }
    }
    found
}

/// Takes from a vector what it has of a direction of length 1.
pub(crate) fn leave_out(direction: &[f64], vector: &mut [f64]) {
    let by = dot(direction, vector);
    dense::add(vector, -by, direction);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::ChaCha8;

    /// A matrix of products of random vectors has the products of its coordinates, whatever its rank.
    #[test]
    fn products_of_coordinates_are_the_matrix() {
        let mut random = ChaCha8::new(7);
        for (n, rank) in [(1, 1), (5, 5), (20, 3), (33, 33), (4, 0)] {
            let vectors: Vec<Vec<f64>> =
                (0..n).map(|_| (0..rank).map(|_| random.unit() - 0.5).collect()).collect();
            let product =
                |i: usize, j: usize| vectors[i].iter().zip(&vectors[j]).map(|(x, y)| x * y).sum::<f64>();
            let matrix: Vec<f64> = (0..n * n).map(|place| product(place / n, place % n)).collect();
            let factor = Cholesky::new(&matrix, n);
            assert_eq!(factor.rank(), rank);
            let rows: Vec<Vec<f64>> = matrix.chunks(n).map(|row| factor.coordinates(row)).collect();
            for (place, &value) in matrix.iter().enumerate() {
                assert!((dot(&rows[place / n], &rows[place % n]) - value).abs() < 1e-9, "{n} {rank} {place}");
            }
        }
    }

    /// The factor of the identity and a matrix solves equations with them.
    #[test]
    fn equations_are_solved() {
        let mut random = ChaCha8::new(9);
        for (n, rank) in [(1, 0), (2, 2), (30, 4), (17, 40), (50, 70)] {
            let vectors: Vec<Vec<f64>> =
                (0..n).map(|_| (0..rank).map(|_| random.unit() - 0.5).collect()).collect();
            let entry = |i: usize, j: usize| dot(&vectors[i], &vectors[j]) + f64::from(u8::from(i == j));
            let lower = (0..n).flat_map(|i| (0..=i).map(move |j| (i, j))).map(|(i, j)| entry(i, j)).collect();
            let factor = Cholesky::beyond_one(lower, n);
            let wanted: Vec<f64> = (0..n).map(|_| random.unit()).collect();
            let solution = factor.weights(factor.coordinates(&wanted));
            for (i, wanted) in wanted.iter().enumerate() {
                let found: f64 = solution.iter().enumerate().map(|(j, x)| entry(i, j) * x).sum();
                assert!((found - wanted).abs() < 1e-9, "{n} {rank} {i}");
            }
        }
    }
}

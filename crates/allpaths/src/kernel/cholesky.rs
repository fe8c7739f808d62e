//! Cholesky factors of positive semidefinite matrices, which may lack rank.

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
}

/// The sum of products, in eight sums that a processor adds side by side.
pub(crate) fn dot(left: &[f64], right: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (chunks, others) = (left.chunks_exact(8), right.chunks_exact(8));
    let rest = chunks.remainder().iter().zip(others.remainder()).map(|(x, y)| x * y).sum::<f64>();
    for (x, y) in chunks.zip(others) {
        for i in 0..8 {
            sums[i] += x[i] * y[i];
        }
    }
    sums.iter().sum::<f64>() + rest
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
}

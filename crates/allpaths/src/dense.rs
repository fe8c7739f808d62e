//! Loops over dense rows of numbers, in which learning by landmarks spends its time.
//!
//! Each is compiled for several kinds of processors, and the widest that there is is taken. All of them do the same in the same order, and
//! none rounds a product and a sum at once, so that results are the same everywhere.

use std::array;

use multiversion::multiversion;

/// How many numbers are added side by side.
const WIDE: usize = 16;

/// How many vectors a triangle is solved for at once.
pub(crate) const SIDES: usize = 16;

/// How many outer products are added at once.
pub(crate) const PRODUCTS: usize = 8;

/// The sum of products.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
pub(crate) fn dot(left: &[f64], right: &[f64]) -> f64 {
    let mut sums = [0.0; WIDE];
    let ((chunks, rest), (others, other_rest)) = (left.as_chunks::<WIDE>(), right.as_chunks::<WIDE>());
    for (x, y) in chunks.iter().zip(others) {
        for i in 0..WIDE {
            sums[i] += x[i] * y[i];
        }
    }
    sums.iter().sum::<f64>() + rest.iter().zip(other_rest).map(|(x, y)| x * y).sum::<f64>()
}

/// Adds a row so many times.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
pub(crate) fn add(to: &mut [f64], times: f64, row: &[f64]) {
    to.iter_mut().zip(row).for_each(|(to, x)| *to += times * x);
}

/// Solves `L x = b` for several b, which become x. Of the triangle L there are the lower rows, one after the other.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
pub(crate) fn solve(triangle: &[f64], sides: &mut [[f64; SIDES]]) {
    let mut start = 0;
    for i in 0..sides.len() {
        let row = &triangle[start..=start + i];
        let (solved, left) = sides.split_at_mut(i);
        let mut side = left[0];
        for (factor, known) in row.iter().zip(solved) {
            for place in 0..SIDES {
                side[place] -= factor * known[place];
            }
        }
        left[0] = side.map(|x| x / row[i]);
        start += i + 1;
    }
}

/// Adds the outer products of some rows with themselves, each so many times, to a triangle of lower rows.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
pub(crate) fn add_products(triangle: &mut [f64], rows: &[Vec<f64>; PRODUCTS], times: &[f64; PRODUCTS]) {
    let mut start = 0;
    for i in 0..rows[0].len() {
        let (chunks, rest) = triangle[start..=start + i].as_chunks_mut::<WIDE>();
        let by: [f64; PRODUCTS] = array::from_fn(|place| times[place] * rows[place][i]);
        let parts: [_; PRODUCTS] = array::from_fn(|place| rows[place][..=i].as_chunks::<WIDE>());
        let wide: [_; PRODUCTS] = array::from_fn(|place| &parts[place].0[..chunks.len()]);
        for (c, chunk) in chunks.iter_mut().enumerate() {
            // In registers, until all are added.
            let mut sums = *chunk;
            for place in 0..PRODUCTS {
                let part = &wide[place][c];
                for j in 0..WIDE {
                    sums[j] += by[place] * part[j];
                }
            }
            *chunk = sums;
        }
        for (by, (_, part)) in by.iter().zip(parts) {
            rest.iter_mut().zip(part).for_each(|(sum, x)| *sum += by * x);
        }
        start += i + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::ChaCha8;

    fn numbers(n: usize, random: &mut ChaCha8) -> Vec<f64> {
        (0..n).map(|_| random.unit() - 0.5).collect()
    }

    fn same(one: f64, other: f64) {
        assert_eq!(one.to_bits(), other.to_bits(), "{one} {other}");
    }

    /// To the last bit what one number after the other gives.
    #[test]
    fn wide_loops_are_the_plain_ones() {
        let mut random = ChaCha8::new(11);
        for n in [0, 1, 7, 16, 33, 70] {
            let (one, other) = (numbers(n, &mut random), numbers(n, &mut random));
            let (whole, mut sums) = (n / WIDE * WIDE, [0.0; WIDE]);
            (0..whole).for_each(|i| sums[i % WIDE] += one[i] * other[i]);
            let rest: f64 = (whole..n).map(|i| one[i] * other[i]).sum();
            same(dot(&one, &other), sums.iter().sum::<f64>() + rest);

            let mut added = one.clone();
            add(&mut added, 0.3, &other);
            (0..n).for_each(|i| same(added[i], one[i] + 0.3 * other[i]));

            let entry = |i: usize, j: usize| i * (i + 1) / 2 + j;
            let triangle = numbers(n * (n + 1) / 2, &mut random);
            let sides: Vec<[f64; SIDES]> = (0..n).map(|_| array::from_fn(|_| random.unit() - 0.5)).collect();
            let mut solved = sides.clone();
            solve(&triangle, &mut solved);
            for place in 0..SIDES {
                for i in 0..n {
                    let mut x = sides[i][place];
                    (0..i).for_each(|j| x -= triangle[entry(i, j)] * solved[j][place]);
                    same(solved[i][place], x / triangle[entry(i, i)]);
                }
            }

            let rows: [Vec<f64>; PRODUCTS] = array::from_fn(|_| numbers(n, &mut random));
            let times: [f64; PRODUCTS] = array::from_fn(|_| random.unit());
            let mut sum = triangle.clone();
            add_products(&mut sum, &rows, &times);
            for i in 0..n {
                for j in 0..=i {
                    let mut plain = triangle[entry(i, j)];
                    rows.iter().zip(times).for_each(|(row, times)| plain += times * row[i] * row[j]);
                    same(sum[entry(i, j)], plain);
                }
            }
        }
    }
}

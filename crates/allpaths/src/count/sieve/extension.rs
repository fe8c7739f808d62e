//! What one vertex more adds to the walks inside a subgraph.
//!
//! Let `A` be the matrix of a subgraph, and let `w` join it with arcs of weights `b` to its members, `c` from them, and
//! a loop of weight `a`. A walk in the larger subgraph stays in the smaller one, or it visits `w`: it comes in from
//! anywhere, turns around some loops from `w` back to `w`, and leaves to anywhere. With
//!
//! ```text
//! in(z)   = 1 + sum over k of z^(k+1) (1^T A^k c)
//! out(z)  = 1 + sum over k of z^(k+1) (b A^k 1)
//! turn(z) = a z + sum over k of z^(k+2) (b A^k c)
//! ```
//!
//! the walks that visit `w` have the generating function `in out / (1 - turn)`, and since
//! `det(I - z A') = det(I - z A) (1 - turn)`, the traces grow by `z turn' / (1 - turn)`. So a vertex with `d` links
//! costs `d^2` entries of each power, and no matrix of its own.

use super::powers::Powers;
use crate::count::ring::Ring;

/// Extends one subgraph by one vertex after the other, for walks of one length.
pub(super) struct Extension<R> {
    length: usize,
    /// What the smaller subgraph has: its closed walks taken from all.
    between: R,
    /// 0, 1, 2, ... as elements of the ring.
    integers: Vec<R>,
    links: Vec<(usize, R, R)>,
    come: Vec<R>,
    leave: Vec<R>,
    turn: Vec<R>,
    /// The coefficients of `1 / (1 - turn)`.
    turns: Vec<R>,
}

impl<R: Ring> Extension<R> {
    pub(super) fn new(length: usize) -> Self {
        let mut integers = vec![R::zero()];
        for k in 0..length {
            let mut next = integers[k].clone();
            next.add(&R::one());
            integers.push(next);
        }
        let series = vec![R::zero(); length + 1];
        Self {
            length,
            between: R::zero(),
            integers,
            links: Vec::new(),
            come: series.clone(),
            leave: series.clone(),
            turn: series.clone(),
            turns: series,
        }
    }

    /// Takes the smaller subgraph.
    pub(super) fn begin(&mut self, powers: &Powers<'_, R>) {
        self.between = powers.sum(self.length);
        self.between.subtract(&powers.trace(self.length));
    }

    /// Adds a vertex: the sum of the entries off the diagonal of the larger matrix to the power `length`.
    pub(super) fn with(&mut self, powers: &Powers<'_, R>, vertex: usize) -> R {
        let Self { length, links, come, leave, turn, turns, .. } = self;
        let length = *length;
        links.clear();
        links.extend(powers.subgraph().links_of(vertex).map(|(i, to, from)| (i, to.clone(), from.clone())));

        come[0] = R::one();
        leave[0] = R::one();
        turn[1] = powers.subgraph().loop_of(vertex).clone();
        for k in 0..length {
            let (mut arriving, mut leaving) = (R::zero(), R::zero());
            for (i, to, from) in &*links {
                match k.checked_sub(1) {
                    None => {
                        arriving.add(from);
                        leaving.add(to);
                    }
                    Some(p) => {
                        arriving.add_product(&powers.column_sums(p)[*i], from);
                        leaving.add_product(to, &powers.row_sums(p)[*i]);
                    }
                }
            }
            come[k + 1] = arriving;
            leave[k + 1] = leaving;
        }
        for k in 0..length - 1 {
            let mut around = R::zero();
            for (i, to, _) in &*links {
                match k {
                    0 => links
                        .iter()
                        .filter(|(j, ..)| i == j)
                        .for_each(|(_, _, from)| around.add_product(to, from)),
                    _ => {
                        let mut back = R::zero();
                        links
                            .iter()
                            .for_each(|(j, _, from)| back.add_product(&powers.entry(k, *i, *j), from));
                        around.add_product(to, &back);
                    }
                }
            }
            turn[k + 2] = around;
        }
        turns[0] = R::one();
        for n in 1..=length {
            let mut sum = R::zero();
            (1..=n).for_each(|m| sum.add_product(&turn[m], &turns[n - m]));
            turns[n] = sum;
        }
        self.sum()
    }

    /// Puts the series together.
    fn sum(&self) -> R {
        let (length, mut sum) = (self.length, self.between.clone());
        for n in 0..=length {
            let mut both = R::zero();
            (0..=n).for_each(|m| both.add_product(&self.come[m], &self.leave[n - m]));
            sum.add_product(&both, &self.turns[length - n]);
        }
        let mut closed = R::zero();
        for m in 1..=length {
            let mut slope = R::zero();
            slope.add_product(&self.integers[m], &self.turn[m]);
            closed.add_product(&slope, &self.turns[length - m]);
        }
        sum.subtract(&closed);
        sum
    }
}

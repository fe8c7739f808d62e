//! Numbers of a width that is known beforehand.
//!
//! They wrap, which does no harm: only what a path or cycle is made of reaches the result, and that fits.

use num_bigint::BigUint;

use crate::Graph;
use crate::count::number::Count;
use crate::count::walks;

/// What states are counted in.
pub(super) trait Number: Clone + Send + Sync {
    /// None of them.
    fn zero() -> Self;

    /// One of them.
    fn one() -> Self;

    /// `self += times other`.
    fn add_times(&mut self, other: &Self, times: u32);

    fn is_zero(&self) -> bool;

    fn count(&self) -> Count;
}

macro_rules! word {
    ($word:ty) => {
        impl Number for $word {
            fn zero() -> Self {
                0
            }

            fn one() -> Self {
                1
            }

            #[inline]
            fn add_times(&mut self, other: &Self, times: u32) {
                *self = self.wrapping_add(other.wrapping_mul(times.into()));
            }

            #[inline]
            fn is_zero(&self) -> bool {
                *self == 0
            }

            fn count(&self) -> Count {
                Count::from(*self)
            }
        }
    };
}

word!(u64);
word!(u128);

/// So many words, the lowest first.
#[derive(Clone, Copy)]
pub(super) struct Limbs<const WORDS: usize>([u64; WORDS]);

impl<const WORDS: usize> Number for Limbs<WORDS> {
    fn zero() -> Self {
        Self([0; WORDS])
    }

    fn one() -> Self {
        let mut one = Self::zero();
        one.0[0] = 1;
        one
    }

    #[inline]
    fn add_times(&mut self, other: &Self, times: u32) {
        let mut carry = 0;
        for (mine, &theirs) in self.0.iter_mut().zip(&other.0) {
            let sum = u128::from(theirs) * u128::from(times) + u128::from(*mine) + carry;
            *mine = sum as u64;
            carry = sum >> 64;
        }
    }

    #[inline]
    fn is_zero(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    fn count(&self) -> Count {
        let bytes: Vec<u8> = self.0.iter().flat_map(|word| word.to_le_bytes()).collect();
        Count::from(BigUint::from_bytes_le(&bytes))
    }
}

impl Number for BigUint {
    fn zero() -> Self {
        Self::ZERO
    }

    fn one() -> Self {
        Self::from(1u8)
    }

    fn add_times(&mut self, other: &Self, times: u32) {
        *self += other * times;
    }

    fn is_zero(&self) -> bool {
        *self == Self::ZERO
    }

    fn count(&self) -> Count {
        Count::from(self.clone())
    }
}

/// How many bits are certain to hold the number of paths, and of cycles, of each length to `longest` and of all together.
///
/// There are no more than walks that never turn straight back. And there are no more than permutations that send each vertex to
/// itself, to a neighbour, or to one more vertex, joined to all, which closes paths into cycles; those are a permanent, and less than the
/// product of the roots `(r!)^(1/r)` over rows with `r` entries (Bregman).
pub(super) fn bits(graph: &Graph, longest: usize) -> u32 {
    let walks = walks::paths_and_cycles(graph, longest).log2();
    let row = |entries: usize| (1..=entries).map(|i| (i as f64).log2()).sum::<f64>() / entries as f64;
    let rows: f64 = (0..graph.order()).map(|v| row(graph.neighbours(v).len() + 2)).sum();
    let permanent = rows + row(graph.order() + 1);
    // Two more for what doubles round, and for both together.
    #[allow(clippy::cast_sign_loss)] // made sure of
    let bits = walks.min(permanent).max(0.0).ceil() as u32;
    bits + 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_width_add_up_alike() {
        fn total<N: Number>() -> String {
            let mut sum = N::zero();
            let mut term = N::one();
            for times in [3, 5, u32::MAX, 7] {
                sum.add_times(&term, times);
                term.add_times(&sum, 2);
            }
            sum.count().to_string()
        }
        let expected = total::<BigUint>();
        assert_eq!(total::<u64>(), expected);
        assert_eq!(total::<u128>(), expected);
        assert_eq!(total::<Limbs<3>>(), expected);
        let mut power = Limbs::<3>::one();
        for _ in 0..150 {
            let half = power;
            power.add_times(&half, 1);
        }
        assert_eq!(power.count(), Count::from(BigUint::from(1u8) << 150));
        assert!(!power.is_zero() && Limbs::<3>::zero().is_zero());
    }

    #[test]
    fn bounds_hold_what_complete_graphs_have() {
        for order in 2..30u32 {
            let graph = Graph::from_edges(
                order as usize,
                (0..order as usize).flat_map(|u| (0..u).map(move |v| (u, v))),
            );
            // n! rooted paths of length n - 1, and fewer of all others together than twice that.
            let paths: f64 = (1..=order).map(|i| f64::from(i).log2()).sum();
            let bits = f64::from(bits(&graph.unwrap(), order as usize - 1));
            assert!(bits > paths && bits < 1.3 * paths + 12.0, "{order}: {bits} for {paths}");
        }
    }
}

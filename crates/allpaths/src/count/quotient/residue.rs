//! Integers modulo a prime.

use crate::count::ring::Ring;

/// An integer modulo the Mersenne prime `2^61 - 1`, from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Residue(u64);

impl Residue {
    /// The prime.
    pub(crate) const PRIME: u64 = (1 << 61) - 1;

    /// What is left of a number that is divided by the prime.
    pub(crate) fn of(n: u64) -> Self {
        Self(n % Self::PRIME)
    }

    /// The smallest number of which this is left.
    pub(crate) fn number(self) -> u64 {
        self.0
    }

    pub(crate) fn times(self, other: Self) -> Self {
        let mut product = Self(0);
        product.add_product(&self, &other);
        product
    }

    pub(crate) fn minus(self, other: Self) -> Self {
        let mut difference = self;
        difference.subtract(&other);
        difference
    }

    pub(crate) fn to_the(self, exponent: u64) -> Self {
        let half = || {
            let root = self.to_the(exponent / 2);
            root.times(root)
        };
        match exponent {
            0 => Self(1),
            _ if exponent % 2 == 1 => half().times(self),
            _ => half(),
        }
    }

    /// What makes 1 of it; nothing does of 0.
    pub(crate) fn inverse(self) -> Self {
        // Fermat.
        self.to_the(Self::PRIME - 2)
    }
}

impl Ring for Residue {
    fn zero() -> Self {
        Self(0)
    }

    fn one() -> Self {
        Self(1)
    }

    #[inline]
    fn add(&mut self, a: &Self) {
        let sum = self.0 + a.0;
        self.0 = sum.min(sum.wrapping_sub(Self::PRIME));
    }

    #[inline]
    fn subtract(&mut self, a: &Self) {
        let difference = self.0.wrapping_sub(a.0);
        self.0 = difference.min(difference.wrapping_add(Self::PRIME));
    }

    #[inline]
    fn add_product(&mut self, a: &Self, b: &Self) {
        // 2^61 leaves 1.
        let product = u128::from(a.0) * u128::from(b.0);
        let sum = (product as u64 & Self::PRIME) + (product >> 61) as u64;
        self.add(&Self(sum.min(sum.wrapping_sub(Self::PRIME))));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_is_that_of_integers_but_for_multiples_of_the_prime() {
        let numbers = [0, 1, 2, 3, 1 << 60, Residue::PRIME - 1, Residue::PRIME - 2, 123_456_789_123_456_789];
        let left = |n: u128| Residue((n % u128::from(Residue::PRIME)) as u64);
        for a in numbers {
            for b in numbers {
                let (x, y) = (Residue::of(a), Residue::of(b));
                let mut sum = x;
                sum.add(&y);
                assert_eq!(sum, left(u128::from(a) + u128::from(b)));
                assert_eq!(x.minus(y), left(u128::from(a) + u128::from(Residue::PRIME - b)));
                assert_eq!(x.times(y), left(u128::from(a) * u128::from(b)));
            }
            if a > 0 {
                assert_eq!(Residue::of(a).times(Residue::of(a).inverse()), Residue::of(1));
            }
        }
    }
}

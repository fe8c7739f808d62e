//! Exact numbers of any size.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul};

use num_bigint::{BigInt, BigUint};
use serde::{Serialize, Serializer};

/// An exact non-negative integer of any size: how many there are of something.
///
/// Counts print in decimal, compare with integers, and add up without ever wrapping. Up to 128 bits they are
/// held in place, beyond that on the heap.
///
/// # Example
///
/// ```
/// # use allpaths::count::Count;
/// let many = Count::from(u128::MAX) + Count::from(1u64);
/// assert_eq!(many.to_string(), "340282366920938463463374607431768211456");
/// assert_eq!(many.to_u64(), None);
/// assert_eq!(Count::from(45u64), 45);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Count(Repr);

/// `Large` holds only what `Small` cannot, so that the derived comparisons are right.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Repr {
    Small(u128),
    Large(BigUint),
}

impl Count {
    /// None of them.
    pub const ZERO: Self = Self(Repr::Small(0));

    /// The number, if 64 bits hold it.
    pub fn to_u64(&self) -> Option<u64> {
        self.to_u128().and_then(|n| n.try_into().ok())
    }

    /// The number, if 128 bits hold it.
    pub fn to_u128(&self) -> Option<u128> {
        match self.0 {
            Repr::Small(n) => Some(n),
            Repr::Large(_) => None,
        }
    }

    /// The nearest double; infinite past its range.
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            Repr::Small(n) => *n as f64,
            // Decimal digits parse to the nearest double, past 1e308 to infinity.
            Repr::Large(n) => n.to_string().parse().unwrap_or(f64::INFINITY),
        }
    }

    /// The number moved up or down, to no less than nothing.
    pub(crate) fn shifted(&self, by: impl Into<BigInt>) -> Self {
        let moved = by.into() + BigInt::from(self.big());
        Self::from(moved.to_biguint().unwrap_or_default())
    }

    /// The number divided by one that divides it.
    #[inline]
    pub(crate) fn divided_exactly(&self, divisor: u64) -> Self {
        // Most are small, and dividing 128 bits is slow.
        match self.to_u64() {
            Some(n) => {
                debug_assert_eq!(n % divisor, 0, "{n} is not a multiple of {divisor}");
                Self::from(n / divisor)
            }
            None => self.divided_slowly(divisor),
        }
    }

    #[cold]
    fn divided_slowly(&self, divisor: u64) -> Self {
        match &self.0 {
            Repr::Small(n) => {
                debug_assert_eq!(n % u128::from(divisor), 0, "{n} is not a multiple of {divisor}");
                Self(Repr::Small(n / u128::from(divisor)))
            }
            Repr::Large(n) => (n / divisor).into(),
        }
    }

    #[cold]
    fn add_slowly(&mut self, other: &Count) {
        *self = (self.big() + other.big()).into();
    }

    fn big(&self) -> BigUint {
        match &self.0 {
            Repr::Small(n) => BigUint::from(*n),
            Repr::Large(n) => n.clone(),
        }
    }
}

impl Default for Count {
    fn default() -> Self {
        Self::ZERO
    }
}

impl From<u64> for Count {
    fn from(n: u64) -> Self {
        Self(Repr::Small(n.into()))
    }
}

impl From<u128> for Count {
    fn from(n: u128) -> Self {
        Self(Repr::Small(n))
    }
}

impl From<BigUint> for Count {
    fn from(n: BigUint) -> Self {
        Self(u128::try_from(&n).map_or(Repr::Large(n), Repr::Small))
    }
}

impl PartialEq<u128> for Count {
    fn eq(&self, other: &u128) -> bool {
        self.to_u128() == Some(*other)
    }
}

impl AddAssign<&Count> for Count {
    #[inline]
    fn add_assign(&mut self, other: &Count) {
        if let (Repr::Small(a), Repr::Small(b)) = (&mut self.0, &other.0)
            && let Some(sum) = a.checked_add(*b)
        {
            *a = sum;
            return;
        }
        self.add_slowly(other);
    }
}

impl Add for Count {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self += &other;
        self
    }
}

impl Mul<u64> for &Count {
    type Output = Count;

    fn mul(self, factor: u64) -> Count {
        match &self.0 {
            Repr::Small(n) => match n.checked_mul(factor.into()) {
                Some(product) => Count(Repr::Small(product)),
                None => (self.big() * factor).into(),
            },
            Repr::Large(n) => (n * factor).into(),
        }
    }
}

impl<'a> Sum<&'a Count> for Count {
    fn sum<I: Iterator<Item = &'a Count>>(counts: I) -> Self {
        counts.fold(Self::ZERO, |mut sum, count| {
            sum += count;
            sum
        })
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Small(n) => n.fmt(f),
            Repr::Large(n) => n.fmt(f),
        }
    }
}

/// A decimal string: JSON readers would round a long number.
impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widens_and_narrows_without_a_wrong_digit() {
        let top = Count::from(u128::MAX);
        let over = top.clone() + Count::from(1u64);
        assert_eq!(over, Count::from(BigUint::from(1u8) << 128));
        assert!(over > top);
        assert_eq!(&over * 6, Count::from(BigUint::from(6u8) << 128));
        assert_eq!((&over * 6).divided_exactly(6), over);
        assert_eq!((&top * 2).divided_exactly(2), top);
        assert_eq!([over.clone(), over].iter().sum::<Count>(), Count::from(BigUint::from(2u8) << 128));
        assert_eq!(Count::from(BigUint::from(7u8)), 7);
        assert_eq!(Count::from(7u64).shifted(-3), 4);
        assert_eq!(top.shifted(1).shifted(-1), top);
    }

    #[test]
    fn nearest_double() {
        assert!((Count::from(BigUint::from(4u8) << 128).to_f64() - 2f64.powi(130)).abs() < 1.0);
        assert!(Count::from(BigUint::from(1u8) << 2000).to_f64().is_infinite());
    }
}

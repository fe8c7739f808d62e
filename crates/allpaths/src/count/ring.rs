//! The numbers that algebraic engines add and multiply.

use num_bigint::{BigInt, BigUint, Sign};

use super::number::Count;

/// A commutative ring: numbers to add, subtract and multiply. Weights of arcs are elements of one, and the weight
/// of a path is the product of its arcs'.
///
/// Wrapping integers are as good as unbounded ones as long as the final result fits: whatever wraps on the way
/// wraps back.
pub(crate) trait Ring: Clone + PartialEq + Send + Sync {
    /// Nothing.
    fn zero() -> Self;

    /// The weight of an arc that just counts.
    fn one() -> Self;

    /// `self += a`.
    fn add(&mut self, a: &Self);

    /// `self -= a`.
    fn subtract(&mut self, a: &Self);

    /// `self += a b`.
    fn add_product(&mut self, a: &Self, b: &Self);

    /// Adds a multiple of a row to a row of the same length, a multiple of four.
    #[inline]
    fn add_scaled(row: &mut [Self], factor: &Self, from: &[Self]) {
        row.iter_mut().zip(from).for_each(|(entry, term)| entry.add_product(factor, term));
    }
}

macro_rules! wrapping {
    ($integer:ty) => {
        impl Ring for $integer {
            #[inline]
            fn zero() -> Self {
                0
            }

            #[inline]
            fn one() -> Self {
                1
            }

            #[inline]
            fn add(&mut self, a: &Self) {
                *self = self.wrapping_add(*a);
            }

            #[inline]
            fn subtract(&mut self, a: &Self) {
                *self = self.wrapping_sub(*a);
            }

            #[inline]
            fn add_product(&mut self, a: &Self, b: &Self) {
                *self = self.wrapping_add(a.wrapping_mul(*b));
            }

            #[inline]
            fn add_scaled(row: &mut [Self], factor: &Self, from: &[Self]) {
                let chunks = row.as_chunks_mut::<4>().0.iter_mut().zip(from.as_chunks::<4>().0);
                if *factor == 1 {
                    // Where arcs just count, there is nothing to multiply.
                    for (entries, terms) in chunks {
                        (0..4).for_each(|i| entries[i] = entries[i].wrapping_add(terms[i]));
                    }
                } else {
                    for (entries, terms) in chunks {
                        (0..4).for_each(|i| entries[i].add_product(factor, &terms[i]));
                    }
                }
            }
        }
    };
}

wrapping!(i64);
wrapping!(i128);

impl Ring for f64 {
    fn zero() -> Self {
        0.0
    }

    fn one() -> Self {
        1.0
    }

    #[inline]
    fn add(&mut self, a: &Self) {
        *self += a;
    }

    #[inline]
    fn subtract(&mut self, a: &Self) {
        *self -= a;
    }

    #[inline]
    fn add_product(&mut self, a: &Self, b: &Self) {
        *self += a * b;
    }
}

impl Ring for BigInt {
    fn zero() -> Self {
        BigInt::ZERO
    }

    fn one() -> Self {
        1.into()
    }

    fn add(&mut self, a: &Self) {
        *self += a;
    }

    fn subtract(&mut self, a: &Self) {
        *self -= a;
    }

    fn add_product(&mut self, a: &Self, b: &Self) {
        *self += a * b;
    }
}

/// Ring elements that turn out to be counts.
pub(crate) trait Whole: Ring {
    /// The count; what is negative never was one.
    fn count(&self) -> Count;
}

impl Whole for i64 {
    fn count(&self) -> Count {
        Count::from(self.cast_unsigned())
    }
}

impl Whole for i128 {
    fn count(&self) -> Count {
        Count::from(self.cast_unsigned())
    }
}

impl Whole for BigInt {
    fn count(&self) -> Count {
        debug_assert_ne!(self.sign(), Sign::Minus, "a count is not negative");
        Count::from(BigUint::try_from(self.clone()).unwrap_or_default())
    }
}

/// Ring elements that hold counts side by side, as digits of so many bits each.
///
/// The digits are those of the final result: as long as it fits, wrapping on the way does no harm to them.
pub(crate) trait Packed: Ring {
    /// Two to the power of `place`.
    fn power_of_two(place: u32) -> Self;

    /// The digit that begins at the bit `place`, of at most 64 bits.
    fn digit(&self, place: u32, bits: u32) -> u64;
}

macro_rules! packed {
    ($integer:ty) => {
        impl Packed for $integer {
            fn power_of_two(place: u32) -> Self {
                1 << place
            }

            fn digit(&self, place: u32, bits: u32) -> u64 {
                (self.cast_unsigned() >> place) as u64 & lowest(bits)
            }
        }
    };
}

packed!(i64);
packed!(i128);

impl Packed for BigInt {
    fn power_of_two(place: u32) -> Self {
        BigInt::from(1) << place
    }

    fn digit(&self, place: u32, bits: u32) -> u64 {
        (self.magnitude() >> place).iter_u64_digits().next().unwrap_or(0) & lowest(bits)
    }
}

/// So many of the lowest bits.
fn lowest(bits: u32) -> u64 {
    u64::MAX.checked_shr(u64::BITS - bits).unwrap_or(0)
}

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

    /// Sets a row to a combination of rows: the sum of `factor row` over what is given. Rows are padded to multiples of
    /// four.
    #[inline]
    fn combine<'a>(row: &mut [Self], terms: impl Iterator<Item = (&'a Self, &'a [Self])>)
    where
        Self: 'a,
    {
        row.fill(Self::zero());
        for (factor, from) in terms {
            row.iter_mut().zip(from).for_each(|(entry, term)| entry.add_product(factor, term));
        }
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
            fn combine<'a>(row: &mut [Self], mut terms: impl Iterator<Item = (&'a Self, &'a [Self])>) {
                let (row, _) = row.as_chunks_mut::<4>();
                // Where arcs just count, there is nothing to multiply.
                let times = |factor: $integer, term: $integer| match factor {
                    1 => term,
                    _ => factor.wrapping_mul(term),
                };
                match terms.next() {
                    None => row.iter_mut().for_each(|entries| *entries = [0; 4]),
                    Some((factor, from)) => {
                        for (entries, terms) in row.iter_mut().zip(from.as_chunks::<4>().0) {
                            *entries = terms.map(|term| times(*factor, term));
                        }
                    }
                }
                for (factor, from) in terms {
                    for (entries, terms) in row.iter_mut().zip(from.as_chunks::<4>().0) {
                        for (entry, term) in entries.iter_mut().zip(terms) {
                            *entry = entry.wrapping_add(times(*factor, *term));
                        }
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

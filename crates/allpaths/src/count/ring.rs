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

    /// The memory that it takes beside its own size.
    #[inline]
    fn heap(&self) -> usize {
        0
    }

    /// Adds a multiple of a row to a row of the same length, a multiple of four.
    #[inline]
    fn add_scaled(row: &mut [Self], factor: &Self, from: &[Self]) {
        row.iter_mut().zip(from).for_each(|(entry, term)| entry.add_product(factor, term));
    }
}

pub(crate) fn product<R: Ring>(a: &R, b: &R) -> R {
    let mut product = R::zero();
    product.add_product(a, b);
    product
}

/// An integer as an element of a ring.
pub(crate) fn integer<R: Ring>(n: i64) -> R {
    let mut sum = R::zero();
    for bit in (0..u64::BITS - n.unsigned_abs().leading_zeros()).rev() {
        let half = sum.clone();
        sum.add(&half);
        if n.unsigned_abs() >> bit & 1 == 1 {
            sum.add(&R::one());
        }
    }
    let mut signed = R::zero();
    if n < 0 {
        signed.subtract(&sum);
    } else {
        signed.add(&sum);
    }
    signed
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

    fn heap(&self) -> usize {
        self.bits() as usize / 8
    }
}

/// Two rings at once: what is computed in one is computed in the other, too.
impl<A: Ring, B: Ring> Ring for (A, B) {
    fn zero() -> Self {
        (A::zero(), B::zero())
    }

    fn one() -> Self {
        (A::one(), B::one())
    }

    #[inline]
    fn add(&mut self, a: &Self) {
        self.0.add(&a.0);
        self.1.add(&a.1);
    }

    #[inline]
    fn subtract(&mut self, a: &Self) {
        self.0.subtract(&a.0);
        self.1.subtract(&a.1);
    }

    #[inline]
    fn add_product(&mut self, a: &Self, b: &Self) {
        self.0.add_product(&a.0, &b.0);
        self.1.add_product(&a.1, &b.1);
    }

    #[inline]
    fn heap(&self) -> usize {
        self.0.heap() + self.1.heap()
    }
}

/// Several elements side by side, each for itself.
impl<R: Ring, const N: usize> Ring for [R; N] {
    #[inline]
    fn zero() -> Self {
        std::array::from_fn(|_| R::zero())
    }

    #[inline]
    fn one() -> Self {
        std::array::from_fn(|_| R::one())
    }

    #[inline]
    fn add(&mut self, a: &Self) {
        self.iter_mut().zip(a).for_each(|(sum, a)| sum.add(a));
    }

    #[inline]
    fn subtract(&mut self, a: &Self) {
        self.iter_mut().zip(a).for_each(|(sum, a)| sum.subtract(a));
    }

    #[inline]
    fn add_product(&mut self, a: &Self, b: &Self) {
        self.iter_mut().zip(a.iter().zip(b)).for_each(|(sum, (a, b))| sum.add_product(a, b));
    }

    #[inline]
    fn heap(&self) -> usize {
        self.iter().map(R::heap).sum()
    }
}

/// A product, and the sum of the same products with one factor changed: dual numbers, whose second part is a derivative.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Dual<R> {
    pub(crate) whole: R,
    pub(crate) changed: R,
}

impl<R: Ring> Ring for Dual<R> {
    fn zero() -> Self {
        Self { whole: R::zero(), changed: R::zero() }
    }

    fn one() -> Self {
        Self { whole: R::one(), changed: R::zero() }
    }

    #[inline]
    fn add(&mut self, a: &Self) {
        self.whole.add(&a.whole);
        self.changed.add(&a.changed);
    }

    #[inline]
    fn subtract(&mut self, a: &Self) {
        self.whole.subtract(&a.whole);
        self.changed.subtract(&a.changed);
    }

    #[inline]
    fn add_product(&mut self, a: &Self, b: &Self) {
        self.whole.add_product(&a.whole, &b.whole);
        self.changed.add_product(&a.whole, &b.changed);
        self.changed.add_product(&a.changed, &b.whole);
    }

    #[inline]
    fn heap(&self) -> usize {
        self.whole.heap() + self.changed.heap()
    }
}

/// A real number as doubles have it, and how far from the truth that can be: what was rounded on the way is added up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rounded {
    value: f64,
    error: f64,
}

impl Rounded {
    /// A number that is what it is.
    pub(crate) fn exactly(value: f64) -> Self {
        Self { value, error: 0.0 }
    }

    pub(crate) fn value(self) -> f64 {
        self.value
    }

    /// How far from the truth the value can be.
    pub(crate) fn error(self) -> f64 {
        self.error
    }

    /// The same, known less well.
    pub(crate) fn within(self, error: f64) -> Self {
        Self { error: self.error.max(error), ..self }
    }

    /// Whether it is certainly more than nothing.
    pub(crate) fn is_positive(self) -> bool {
        self.value > self.error
    }

    /// Whether it is certainly less than nothing.
    pub(crate) fn is_negative(self) -> bool {
        -self.value > self.error
    }

    /// Whether it may be nothing. What is no number at all may not.
    pub(crate) fn may_vanish(self) -> bool {
        self.value.abs() <= self.error
    }

    /// A result with the errors of what it was made of. Doubles round to half an epsilon; the other half, and a little of the whole, is
    /// for the rounding of the error itself.
    #[inline]
    fn new(value: f64, errors: f64) -> Self {
        Self { value, error: (errors + value.abs() * f64::EPSILON) * (1.0 + 4.0 * f64::EPSILON) }
    }

    #[inline]
    pub(crate) fn times(self, other: Self) -> Self {
        let errors = self.value.abs() * other.error + (other.value.abs() + other.error) * self.error;
        Self::new(self.value * other.value, errors)
    }

    #[inline]
    pub(crate) fn minus(self, other: Self) -> Self {
        Self::new(self.value - other.value, self.error + other.error)
    }
}

impl Ring for Rounded {
    fn zero() -> Self {
        Self::exactly(0.0)
    }

    fn one() -> Self {
        Self::exactly(1.0)
    }

    #[inline]
    fn add(&mut self, a: &Self) {
        *self = Self::new(self.value + a.value, self.error + a.error);
    }

    #[inline]
    fn subtract(&mut self, a: &Self) {
        *self = self.minus(*a);
    }

    #[inline]
    fn add_product(&mut self, a: &Self, b: &Self) {
        self.add(&a.times(*b));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_cover_what_was_rounded() {
        let [tenth, large] = [0.1, 1e16].map(Rounded::exactly);
        let mut sum = Rounded::zero();
        (0..10).for_each(|_| sum.add(&tenth));
        let one = Rounded::one();
        assert!(sum.minus(one).may_vanish());
        assert!(sum.minus(one).minus(tenth).is_negative());
        // The digit that was lost is missed no more: what is left may be 1, or nothing.
        let mut lost = large;
        lost.add(&one);
        let left = lost.minus(large);
        assert!(left.may_vanish() && left.minus(one).may_vanish());
        // Errors are multiplied, too.
        assert!(left.times(large).minus(large).may_vanish());
        assert!(!Rounded::exactly(f64::NAN).may_vanish());
    }

    #[test]
    fn one_factor_is_changed_at_a_time() {
        let factors = [(2, 10), (3, 20), (5, 0)].map(|(whole, changed)| Dual { whole, changed });
        let all = factors.iter().fold(Dual::<i64>::one(), |all, next| product(&all, next));
        assert_eq!(all, Dual { whole: 2 * 3 * 5, changed: 10 * 3 * 5 + 2 * 20 * 5 });
    }

    #[test]
    fn digits_are_what_was_packed() {
        fn check<R: Packed>() {
            let mut packed = R::zero();
            for (place, digit) in [(0, 5), (8, 0), (16, 255), (56, 200)] {
                (0..digit).for_each(|_| packed.add(&R::power_of_two(place)));
            }
            let digits = [0, 8, 16, 24, 48, 56].map(|place| packed.digit(place, 8));
            assert_eq!(digits, [5, 0, 255, 0, 0, 200]);
            assert_eq!(packed.digit(0, 64), 5 | 255 << 16 | 200 << 56);
        }
        check::<i64>();
        check::<i128>();
        check::<BigInt>();
    }
}

//! What the pieces of a state amount to: how many there are, or what they weigh.

use std::ops::Range;

use crate::count::ring::Ring;

/// Amounts one after the other, to which multiples of others are added.
pub(super) trait Amounts: Send + Sync {
    /// Some of them.
    type Row<'a>: Row
    where
        Self: 'a;
    /// What they are multiplied by.
    type Factor;

    /// The factor that changes nothing.
    fn unit() -> Self::Factor;

    /// A single one.
    fn one() -> Self;

    /// So many zeros.
    fn zeros(count: usize) -> Self;

    fn len(&self) -> usize;

    /// The memory they take.
    fn bytes(&self) -> usize;

    /// Appends so many zeros; gives where they are.
    fn extend(&mut self, count: usize) -> Range<usize>;

    fn row(&self, range: Range<usize>) -> Self::Row<'_>;

    /// Adds multiples of others, one by one. Those beyond the range are left out.
    fn add(&mut self, range: Range<usize>, others: Self::Row<'_>, factor: &Self::Factor);
}

/// Some amounts, one after the other.
pub(super) trait Row: Copy {
    fn is_empty(self) -> bool;

    /// Reads something of each line of memory.
    fn look(self) -> u64;

    /// One by one.
    fn each(self) -> impl Iterator<Item = Self>;

    /// Without zeros at both ends, and how many there were at the first.
    fn trimmed(self) -> (usize, Self);
}

/// Elements of a ring.
pub(super) struct Elements<R> {
    elements: Vec<R>,
    /// The memory that they take elsewhere.
    heap: usize,
}

impl<R: Ring> Elements<R> {
    pub(super) fn into_vec(self) -> Vec<R> {
        self.elements
    }
}

impl<R: Ring> Amounts for Elements<R> {
    type Row<'a>
        = &'a [R]
    where
        R: 'a;
    type Factor = R;

    fn unit() -> R {
        R::one()
    }

    fn one() -> Self {
        Self { elements: vec![R::one()], heap: 0 }
    }

    fn zeros(count: usize) -> Self {
        Self { elements: vec![R::zero(); count], heap: 0 }
    }

    fn len(&self) -> usize {
        self.elements.len()
    }

    fn bytes(&self) -> usize {
        self.elements.capacity() * size_of::<R>() + self.heap
    }

    fn extend(&mut self, count: usize) -> Range<usize> {
        let start = self.len();
        if self.elements.capacity() - start < count {
            self.elements.reserve_exact(count.max(start / 4));
        }
        self.elements.resize(start + count, R::zero());
        start..start + count
    }

    fn row(&self, range: Range<usize>) -> &[R] {
        &self.elements[range]
    }

    fn add(&mut self, range: Range<usize>, others: &[R], factor: &R) {
        let is_one = *factor == R::one();
        for (mine, theirs) in self.elements[range].iter_mut().zip(others) {
            let before = mine.heap();
            if is_one {
                mine.add(theirs);
            } else {
                mine.add_product(theirs, factor);
            }
            self.heap = self.heap + mine.heap() - before;
        }
    }
}

impl<R: Ring> Row for &[R] {
    fn is_empty(self) -> bool {
        self.len() == 0
    }

    fn look(self) -> u64 {
        let lines = self.iter().step_by(64usize.div_ceil(size_of::<R>()));
        lines.filter(|&element| *element == R::zero()).count() as u64
    }

    fn each(self) -> impl Iterator<Item = Self> {
        self.chunks_exact(1)
    }

    fn trimmed(self) -> (usize, Self) {
        let is_some = |element: &R| *element != R::zero();
        let at = self.iter().position(is_some).unwrap_or(0);
        let end = self.iter().rposition(is_some).map_or(0, |last| last + 1);
        (at, &self[at..end])
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;

    use super::*;

    #[test]
    fn elements_are_added_where_there_is_room() {
        let mut elements = Elements::<i64>::zeros(2);
        assert_eq!(elements.extend(2), 2..4);
        let row = [0, 5, 7, 0];
        elements.add(1..3, &row, &-2);
        elements.add(1..3, &row, &1);
        assert_eq!(elements.row(0..4), [0, 0, -5, 0]);
        assert_eq!(row.trimmed(), (1, &row[1..3]));
        assert!(elements.row(0..2).trimmed().1.is_empty());
    }

    #[test]
    fn memory_elsewhere_is_counted() {
        let mut elements = Elements::<BigInt>::one();
        let before = elements.bytes();
        let (one, large) = (Elements::<BigInt>::one(), BigInt::from(1) << 8000u32);
        elements.add(0..1, one.row(0..1), &large);
        assert!(elements.bytes() >= before + 1000);
        elements.add(0..1, one.row(0..1), &-large);
        assert!(elements.bytes() < before + 1000);
    }
}

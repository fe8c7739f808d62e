//! Rows as bit masks, for graphs of up to 128 vertices.

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, Not};

use super::Graph;

/// A set of vertices held in the bits of one integer.
pub trait Mask:
    Copy + Debug + Eq + Send + Sync + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    /// How many vertices fit.
    const CAPACITY: usize;
    /// No vertex.
    const EMPTY: Self;

    /// Vertex `v` alone.
    fn bit(v: usize) -> Self;

    /// The vertices whose bits are set, as far as they fit.
    fn of(bits: u128) -> Self;

    /// How many vertices are in the set.
    fn count(self) -> u32;

    /// The smallest vertex in the set, which must not be empty.
    fn first(self) -> usize;

    /// The set without its smallest vertex.
    #[must_use]
    fn without_first(self) -> Self;

    /// Whether `v` is in the set.
    #[inline]
    fn has(self, v: usize) -> bool {
        self & Self::bit(v) != Self::EMPTY
    }

    /// The vertices 0 to `n - 1`.
    fn below(n: usize) -> Self;

    /// The vertices in the set, ascending.
    #[inline]
    fn vertices(mut self) -> impl Iterator<Item = usize> {
        std::iter::from_fn(move || {
            (self != Self::EMPTY).then(|| {
                let v = self.first();
                self = self.without_first();
                v
            })
        })
    }
}

macro_rules! mask {
    ($integer:ty) => {
        impl Mask for $integer {
            const CAPACITY: usize = <$integer>::BITS as usize;
            const EMPTY: Self = 0;

            #[inline]
            fn bit(v: usize) -> Self {
                1 << v
            }

            #[inline]
            fn of(bits: u128) -> Self {
                bits as $integer
            }

            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline]
            fn first(self) -> usize {
                self.trailing_zeros() as usize
            }

            #[inline]
            fn without_first(self) -> Self {
                self & self.wrapping_sub(1)
            }

            #[inline]
            fn below(n: usize) -> Self {
                if n >= Self::CAPACITY { !0 } else { (1 << n) - 1 }
            }
        }
    };
}

mask!(u64);
mask!(u128);

/// The rows of a graph as bit masks.
///
/// # Example
///
/// ```
/// # use allpaths::{Graph, graph::Masks};
/// let star = Graph::from_edges(4, [(0, 1), (0, 2), (0, 3)])?;
/// let masks: Masks<u64> = Masks::of(&star).expect("four vertices fit 64 bits");
/// assert_eq!(masks.row(0), 0b1110);
/// assert_eq!(masks.row(3), 0b0001);
/// # Ok::<(), allpaths::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Masks<M> {
    rows: Vec<M>,
}

impl<M: Mask> Masks<M> {
    /// The rows of `graph`, or nothing if it has more vertices than the mask has bits.
    pub fn of(graph: &Graph) -> Option<Self> {
        (graph.order() <= M::CAPACITY).then(|| {
            let row = |v| graph.neighbours(v).iter().fold(M::EMPTY, |row, &w| row | M::bit(w as usize));
            Self { rows: (0..graph.order()).map(row).collect() }
        })
    }

    /// The vertices that an edge from `v` leads to.
    ///
    /// # Panics
    ///
    /// When there is no vertex `v`.
    #[inline]
    pub fn row(&self, v: usize) -> M {
        self.rows[v]
    }

    /// All rows.
    pub(crate) fn rows(&self) -> &[M] {
        &self.rows
    }

    /// The vertices from which an edge leads into the set.
    pub fn into(&self, set: M) -> M {
        (0..self.rows.len())
            .filter(|&v| self.rows[v] & set != M::EMPTY)
            .fold(M::EMPTY, |found, v| found | M::bit(v))
    }
}

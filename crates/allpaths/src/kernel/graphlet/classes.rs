//! Small graphs up to isomorphism.
//!
//! The edges of a graph of up to five vertices are the bits of its code: bit `j (j - 1) / 2 + i` for vertices `i < j`. So the code of
//! a graph begins with that of its first vertices.

/// The most vertices.
pub(in crate::kernel) const LARGEST: usize = 5;

/// The bit of an edge.
#[inline]
pub(in crate::kernel) fn bit(i: usize, j: usize) -> usize {
    let (i, j) = (i.min(j), i.max(j));
    j * (j - 1) / 2 + i
}

/// The edges of a code, in the order of bits.
pub(in crate::kernel) fn edges(code: u16) -> impl Iterator<Item = (usize, usize)> {
    (1..LARGEST).flat_map(|j| (0..j).map(move |i| (i, j))).filter(move |&(i, j)| code >> bit(i, j) & 1 == 1)
}

/// The same graph with its vertices in another order: vertex `i` is the old vertex `order[i]`.
pub(in crate::kernel) fn reordered(code: u16, order: &[usize]) -> u16 {
    let mut new = 0;
    for j in 1..order.len() {
        for i in 0..j {
            new |= (code >> bit(order[i], order[j]) & 1) << bit(i, j);
        }
    }
    new
}

/// Whether the vertices hang together.
pub(in crate::kernel) fn is_connected(size: usize, code: u16) -> bool {
    let mut reached = 1u8;
    for _ in 1..size {
        for (i, j) in edges(code) {
            if reached >> i & 1 != reached >> j & 1 {
                reached |= 1 << i | 1 << j;
            }
        }
    }
    reached.count_ones() as usize == size
}

/// Smallest codes, each found once and kept.
pub(in crate::kernel) struct Classes {
    /// By which vertices are like the one before, and by code.
    smallest: Vec<Option<u16>>,
    orders: Vec<Vec<usize>>,
}

impl Classes {
    /// Of graphs with so many vertices.
    pub(in crate::kernel) fn new(size: usize) -> Self {
        let mut orders = vec![Vec::new()];
        for _ in 0..size {
            let longer = |order: Vec<usize>| {
                let others: Vec<usize> = (0..size).filter(|v| !order.contains(v)).collect();
                others.into_iter().map(move |v| [order.as_slice(), &[v]].concat())
            };
            orders = orders.into_iter().flat_map(longer).collect();
        }
        Self { smallest: vec![None; 1 << (size - 1 + size * (size - 1) / 2)], orders }
    }

    /// The code and the labels of a graph in an order of its vertices that depends on nothing else: by label, and then the one that makes
    /// the smallest code.
    pub(in crate::kernel) fn canonical(&mut self, code: u16, labels: &[u32]) -> (u16, [u32; LARGEST]) {
        let mut order: [usize; LARGEST] = std::array::from_fn(|i| i);
        let order = &mut order[..labels.len()];
        order.sort_by_key(|&i| labels[i]);
        let mut sorted = [0; LARGEST];
        sorted.iter_mut().zip(&*order).for_each(|(label, &i)| *label = labels[i]);
        (self.smallest(reordered(code, order), &sorted[..labels.len()]), sorted)
    }

    /// The smallest code of all graphs that are the same but for the order of vertices with equal labels, which stand together.
    pub(in crate::kernel) fn smallest(&mut self, code: u16, labels: &[u32]) -> u16 {
        let size = labels.len();
        let alike = (1..size).fold(0, |alike, i| alike | usize::from(labels[i] == labels[i - 1]) << (i - 1));
        let Self { smallest, orders } = self;
        *smallest[alike << (size * (size - 1) / 2) | code as usize].get_or_insert_with(|| {
            let keeps = |order: &&Vec<usize>| order.iter().zip(labels).all(|(&v, &label)| labels[v] == label);
            let codes = orders.iter().filter(keeps).map(|order| reordered(code, order));
            codes.min().unwrap_or(code)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn as_many_classes_as_there_are_graphs() {
        // OEIS A000088 and A001349.
        for (size, all, connected) in [(3, 4, 2), (4, 11, 6), (5, 34, 21)] {
            let mut classes = Classes::new(size);
            let smallest: BTreeSet<u16> = (0..1 << (size * (size - 1) / 2))
                .map(|code| classes.smallest(code, &vec![0; size]))
                .collect();
            assert_eq!(smallest.len(), all);
            assert_eq!(smallest.iter().filter(|&&code| is_connected(size, code)).count(), connected);
        }
    }

    #[test]
    fn labels_stay_where_they_are() {
        // Of three vertices, two alike: the lone edge joins these, or one of them and the third.
        let mut classes = Classes::new(3);
        let labels = [0, 0, 1];
        let codes = [bit(0, 1), bit(0, 2), bit(1, 2)].map(|bit| classes.smallest(1 << bit, &labels));
        assert_eq!(codes, [1 << bit(0, 1), 1 << bit(0, 2), 1 << bit(0, 2)]);
    }
}

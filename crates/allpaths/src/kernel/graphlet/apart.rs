//! Graphlets that do not hang together, counted without a look at them.
//!
//! What is beside a connected subgraph is neither in it nor joined to it. A vertex there makes a graphlet of one vertex more, an edge
//! or a pair without one makes a graphlet of two more. Beside an edge there can be three vertices more; how many of those triples have how many
//! edges follows from the edges, degrees and triangles there. Graphlets without edges are all sets of vertices that are left.

use super::classes::bit;
use super::finder::Tally;
use crate::count::Links;

/// Books graphlets of several components. Scratch of one graph.
pub(super) struct Apart<'a> {
    links: &'a Links<i64>,
    largest: usize,
    /// By vertex: whether it is beside the subgraph at hand.
    beside: Vec<bool>,
    /// Two edges, each pair met from both; and two edges with a vertex.
    two_edges: u64,
    two_edges_and_one: u64,
}

/// What is beside a subgraph.
struct Rest {
    order: u64,
    size: u64,
}

const EDGE: u16 = 1;

impl<'a> Apart<'a> {
    pub(super) fn new(links: &'a Links<i64>, largest: usize) -> Self {
        Self { links, largest, beside: vec![true; links.order()], two_edges: 0, two_edges_and_one: 0 }
    }

    /// Books what a connected subgraph makes together with up to three vertices beside it.
    pub(super) fn beside(&mut self, members: &[u32], code: u16, border: usize, found: &mut Tally) {
        let size = members.len();
        let order = (self.links.order() - size - border) as u64;
        if size < 2 || order == 0 {
            return;
        }
        let room = self.largest - size;
        if room >= 1 {
            found.add(size + 1, code, order);
        }
        if room >= 2 {
            self.mark(members, false);
            let rest = self.rest();
            found.add(size + 2, code, choose(order, 2) - rest.size);
            match size {
                2 => self.two_edges += rest.size,
                _ => found.add(size + 2, code | 1 << bit(size, size + 1), rest.size),
            }
            if room >= 3 {
                self.three(code, &rest, found);
            }
            self.mark(members, true);
        }
    }

    /// Books an edge with three vertices beside it: those without an edge, and those with one; others hang together.
    fn three(&mut self, code: u16, rest: &Rest, found: &mut Tally) {
        let (mut pairs, mut triangles) = (0, 0);
        for v in (0..self.beside.len()).filter(|&v| self.beside[v]) {
            let around = || self.links.neighbours(v).filter(|&w| self.beside[w]);
            pairs += choose(around().count() as u64, 2);
            for w in around().filter(|&w| w > v) {
                triangles +=
                    self.links.neighbours(w).filter(|&x| x > w && around().any(|other| other == x)).count()
                        as u64;
            }
        }
        let paths = pairs - 3 * triangles;
        let one_edge = rest.size * (rest.order.saturating_sub(2)) - 2 * paths - 3 * triangles;
        found.add(5, code, choose(rest.order, 3) - one_edge - paths - triangles);
        self.two_edges_and_one += one_edge;
    }

    /// Books what was met twice, and all that has no edges.
    pub(super) fn finish(self, found: &mut Tally) {
        let two_edges = EDGE | 1 << bit(2, 3);
        if self.largest >= 4 {
            found.add(4, two_edges, self.two_edges / 2);
        }
        if self.largest >= 5 {
            found.add(5, two_edges, self.two_edges_and_one / 2);
        }
        for size in 3..=self.largest {
            found.add(size, 0, choose(self.links.order() as u64, size as u64) - found.total(size));
        }
    }

    /// Marks a subgraph and its neighbours.
    fn mark(&mut self, members: &[u32], beside: bool) {
        for v in members.iter().map(|&v| v as usize) {
            self.beside[v] = beside;
            self.links.neighbours(v).for_each(|w| self.beside[w] = beside);
        }
    }

    /// Counts what is marked as beside.
    fn rest(&self) -> Rest {
        let all = || (0..self.beside.len()).filter(|&v| self.beside[v]);
        let degree = |v: usize| self.links.neighbours(v).filter(|&w| self.beside[w]).count() as u64;
        Rest { order: all().count() as u64, size: all().map(degree).sum::<u64>() / 2 }
    }
}

/// How many sets of `k` there are among `n`.
fn choose(n: u64, k: u64) -> u64 {
    let product =
        (0..k).fold(1u128, |product, i| product * u128::from(n.saturating_sub(i)) / u128::from(i + 1));
    u64::try_from(product).expect("graphs that are too large were refused")
}

//! Totals of small graphs in which no cycle is much shorter than the longest path.
//!
//! A walk that never turns straight back is a path unless it goes round a cycle, so up to the *girth*, the length `g` of the shortest cycle, there is little to
//! tell them apart. Such walks are counted by adding up rows. Of those of length `g` the cycles are no paths, and of those of length `g + 1` the cycles, and
//!
//! ```text
//! o---o           once round a cycle of length g, from any of its vertices v, either way, and a step before or after
//! |   |           that, to any of the deg(v) - 1 neighbours that do not turn back: 2 (deg(v) - 1) walks, of which
//! o---v---x       the one whose step is on the cycle, be it the first or the last, is counted twice.
//! ```
//!
//! Cycles are sums of others, modulo 2 and edge by edge: each is a sum of some of those that an edge closes in a spanning tree. So all sums are
//! gone through, which for molecules are few. A sum that is no cycle falls apart into several, and is too long to matter.
//!
//! Molecules have rings of five or six: this is how paths to length 6 are counted in most of them.

use crate::Graph;
use crate::count::engine::{Rooted, Run};
use crate::count::limits::Outcome;
use crate::count::number::Count;
use crate::count::walks;
use crate::graph::Mask;

/// A set of vertices or of edges.
type Set = u128;

/// How many edges may close a cycle.
const MOST_CLOSING: usize = 8;

/// Integers below this are exact as doubles, with room for what is added before as much is taken away.
const EXACT: f64 = 2e15;

/// Rooted paths and cycles of an undirected graph; nothing if a cycle is too short, if there are too many edges or cycles, or if there is a budget, which buys steps of a
/// walk.
pub(super) fn totals(graph: &Graph, run: Run<'_>) -> Option<Rooted> {
    let (order, size, longest) = (graph.order(), graph.size(), run.max_length);
    let is_small = order <= Set::CAPACITY && size <= Set::CAPACITY && size <= order + MOST_CLOSING;
    let is_plain = longest >= 3 && is_small && run.job.steps.is_none() && graph.loops() == 0;
    // Whoever is late hears of it from a walk.
    if !is_plain || run.job.stop() != Outcome::Complete {
        return None;
    }
    let cycles = LongCycles::of(graph, longest)?;
    let steps = walks::by_length(graph, longest + 1, None);
    if steps[longest + 1] > EXACT {
        return None;
    }
    let rooted = |length: usize| {
        // How many cycles there are, and how many other walks that are no paths.
        let (cycles, others) = match longest - length {
            0 => (cycles.longest, 2 * (2 * cycles.degrees - 3 * (longest as u64 - 1) * cycles.shorter)),
            1 => (cycles.shorter, 0),
            _ => (0, 0),
        };
        let closed = 2 * length as u64 * cycles;
        #[allow(clippy::cast_sign_loss)] // sums grow
        let walks = (steps[length + 1] - steps[length]) as u64;
        [walks - closed - others, closed].map(Count::from)
    };
    Some((0..=longest).map(rooted).collect())
}

/// The cycles of a graph in which none has fewer edges than the longest paths have, less one.
struct LongCycles {
    /// How many have as many edges as the longest paths.
    longest: u64,
    /// How many have one less.
    shorter: u64,
    /// How many neighbours the vertices of those have in all.
    degrees: u64,
}

impl LongCycles {
    /// Nothing if there are shorter ones, or too many edges that close a cycle.
    fn of(graph: &Graph, longest: usize) -> Option<Self> {
        let closed = closed_cycles(graph);
        if closed.len() > MOST_CLOSING {
            return None;
        }
        let mut found = Self { longest: 0, shorter: 0, degrees: 0 };
        let mut cycle: Set = 0;
        // In the order of Gray, which changes one summand at a time.
        for at in 1..1u32 << closed.len() {
            cycle ^= closed[at.trailing_zeros() as usize];
            match (cycle.count() as usize + 1).checked_sub(longest)? {
                0 => {
                    found.shorter += 1;
                    found.degrees += degrees(graph, cycle);
                }
                1 => found.longest += 1,
                _ => {}
            }
        }
        Some(found)
    }
}

/// The cycles, as sets of edges, that the edges outside a spanning tree close.
fn closed_cycles(graph: &Graph) -> Vec<Set> {
    let mut closed = Vec::new();
    let mut seen: Set = 0;
    // The edges on the way from the root of the tree.
    let mut way = vec![0; graph.order()];
    for root in 0..graph.order() {
        if seen.has(root) {
            continue;
        }
        seen |= Set::bit(root);
        let mut waiting = Set::bit(root);
        while waiting != 0 {
            let v = waiting.first();
            waiting = waiting.without_first();
            for arc in graph.arcs(v) {
                let around = way[v] ^ Set::bit(graph.edge_of(arc));
                let w = arc.target;
                if !seen.has(w) {
                    (seen, waiting) = (seen | Set::bit(w), waiting | Set::bit(w));
                    way[w] = around;
                } else if v < w && way[w] != around {
                    closed.push(way[w] ^ around);
                }
            }
        }
    }
    closed
}

/// How many neighbours the vertices of a cycle have in all: each is an end of two of its edges.
fn degrees(graph: &Graph, cycle: Set) -> u64 {
    let ends = cycle.vertices().map(|edge| graph.ends(edge));
    ends.flat_map(|(u, v)| [u, v]).map(|v| graph.neighbours(v).len() as u64).sum::<u64>() / 2
}

//! Totals of small graphs in which no cycle is much shorter than the longest path.
//!
//! A walk that never turns straight back is a path unless it goes round a cycle, so up to the *girth*, the length `g` of the shortest cycle, there is little to
//! tell them apart. Such walks are counted edge by edge, to half their length. Of those of length `g` the cycles are no paths, and of those of length `g + 1` the cycles, and
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

use std::ops::BitXor;

use crate::Graph;
use crate::count::engine::{Rooted, Run};
use crate::count::limits::Outcome;
use crate::count::number::Count;
use crate::graph::Mask;

/// How many vertices and edges there may be.
const MOST: usize = 128;
/// How many edges may close a cycle.
const MOST_CLOSING: usize = 8;
/// The least length to which walking takes longer.
const SHORTEST: usize = 5;

/// Rooted paths and cycles of an undirected graph; nothing if a cycle is too short, if there are too many edges or cycles, or if there is a budget, which buys steps of a
/// walk.
pub(super) fn totals(graph: &Graph, run: Run<'_>) -> Option<Rooted> {
    let (order, size, longest) = (graph.order(), graph.size(), run.max_length);
    if longest < SHORTEST || size > order + MOST_CLOSING || run.job.steps.is_some() || graph.loops() > 0 {
        return None;
    }
    // Whoever is late hears of it from a walk.
    if run.job.stop() != Outcome::Complete {
        return None;
    }
    let cycles = match order.max(size) {
        0..=64 => LongCycles::of::<u64>(graph, longest),
        65..=MOST => LongCycles::of::<u128>(graph, longest),
        _ => None,
    }?;
    let rooted = |(length, walks): (usize, u64)| {
        // How many cycles there are, and how many other walks that are no paths.
        let (cycles, others) = match longest - length {
            0 => (cycles.longest, 2 * (2 * cycles.degrees - 3 * (longest as u64 - 1) * cycles.shorter)),
            1 => (cycles.shorter, 0),
            _ => (0, 0),
        };
        let closed = 2 * length as u64 * cycles;
        [walks - closed - others, closed].map(Count::from)
    };
    Some(walks(graph, longest).into_iter().enumerate().map(rooted).collect())
}

/// How many walks there are that never turn straight back, by length. Few edges close a cycle, and no cycle is short, so there are not many more than paths.
///
/// Those that begin with an edge, in one of its two directions, go on as any that begin at its other end but turn back. Two of them that begin with the same edge in both directions make one that
/// is as long as both, less that edge: so half the length is enough.
fn walks(graph: &Graph, longest: usize) -> Vec<u64> {
    let order = graph.order();
    // By edge, in both directions: walks of some length that begin with it. By vertex: those that begin there.
    let mut begun = vec![[1u64; 2]; graph.size()];
    let (mut one, mut other) = ([0u64; MOST], [0u64; MOST]);
    let (mut from, mut longer) = (&mut one, &mut other);
    from.iter_mut().zip(graph.offsets().windows(2)).for_each(|(from, row)| *from = (row[1] - row[0]).into());
    let mut walks = Vec::with_capacity(longest + 2);
    walks.extend([order as u64, 2 * graph.size() as u64]);
    while walks.len() <= longest {
        longer[..order].fill(0);
        let [mut even, mut odd] = [0, 0];
        for ((u, v), begun) in graph.edges().zip(&mut begun) {
            // There are no more vertices, so this is no remainder; but it spares checks.
            let (u, v, [onward, back]) = (u % MOST, v % MOST, *begun);
            *begun = [from[v] - back, from[u] - onward];
            longer[u] += begun[0];
            longer[v] += begun[1];
            even += begun[0] * back + begun[1] * onward;
            odd += 2 * begun[0] * begun[1];
        }
        walks.extend([even, odd]);
        std::mem::swap(&mut from, &mut longer);
    }
    walks.truncate(longest + 1);
    walks
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
    /// Nothing if there are shorter ones, or too many edges that close a cycle. Sets of vertices and of edges are masks.
    fn of<M: Mask + BitXor<Output = M>>(graph: &Graph, longest: usize) -> Option<Self> {
        let closed = closed_cycles::<M>(graph);
        if closed.len() > MOST_CLOSING {
            return None;
        }
        let mut found = Self { longest: 0, shorter: 0, degrees: 0 };
        let mut cycle = M::EMPTY;
        // In the order of Gray, which changes one summand at a time.
        for at in 1..1u32 << closed.len() {
            cycle = cycle ^ closed[at.trailing_zeros() as usize];
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
fn closed_cycles<M: Mask + BitXor<Output = M>>(graph: &Graph) -> Vec<M> {
    let (mut closed, mut seen) = (Vec::new(), M::EMPTY);
    // The edges on the way from the root of the tree.
    let mut way = vec![M::EMPTY; graph.order()];
    for root in 0..graph.order() {
        if seen.has(root) {
            continue;
        }
        seen = seen | M::bit(root);
        let mut waiting = M::bit(root);
        while waiting != M::EMPTY {
            let v = waiting.first();
            waiting = waiting.without_first();
            for (w, edge) in graph.neighbours(v).iter().zip(graph.row_edges(v)) {
                let (w, around) = (*w as usize, way[v] ^ M::bit(*edge as usize));
                if !seen.has(w) {
                    (seen, waiting) = (seen | M::bit(w), waiting | M::bit(w));
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
fn degrees(graph: &Graph, cycle: impl Mask) -> u64 {
    let ends = cycle.vertices().map(|edge| graph.ends(edge));
    ends.flat_map(|(u, v)| [u, v]).map(|v| graph.neighbours(v).len() as u64).sum::<u64>() / 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::limits::Job;
    use crate::{Counter, Monitor};

    fn totals_to(graph: &Graph, max_length: usize) -> Option<Rooted> {
        let monitor = Monitor::new();
        totals(graph, Run { max_length, job: Job::unlimited(&monitor), parts: 1, parallel: false })
    }

    #[test]
    fn up_to_the_girth_and_one_more() {
        let outer = (0..5).flat_map(|v| [(v, (v + 1) % 5), (v, v + 5), (v + 5, (v + 2) % 5 + 5)]);
        let petersen = Graph::from_edges(10, outer).unwrap();
        for longest in 5..=6 {
            let found = totals_to(&petersen, longest).unwrap();
            // With a budget, all is walked.
            let walked = Counter::up_to(longest).budget(u64::MAX).count(&petersen).unwrap().rooted();
            for (length, [paths, _]) in found.iter().enumerate().skip(2) {
                assert_eq!(*paths, walked.paths(length), "paths of {length} to {longest}");
            }
            assert_eq!(found[longest][1], walked.cycles(longest), "cycles to {longest}");
        }
        // 960 walks, 10 cycles of six, 12 of five.
        assert_eq!(totals_to(&petersen, 6).unwrap()[6], [480, 120].map(|n: u64| Count::from(n)));
        assert!(totals_to(&petersen, 7).is_none(), "cycles of five are too short");
    }

    #[test]
    fn trees_have_no_cycles() {
        let star = Graph::from_edges(100, (1..100).map(|v| (0, v))).unwrap();
        let found = totals_to(&star, 40).unwrap();
        let paths = [2, 3, 40].map(|length| found[length][0].to_u64());
        assert_eq!(paths, [99 * 98, 0, 0].map(Some));
        let large = Graph::from_edges(200, (1..200).map(|v| (0, v))).unwrap();
        assert!(totals_to(&large, 5).is_none(), "sets have room for 128");
    }
}

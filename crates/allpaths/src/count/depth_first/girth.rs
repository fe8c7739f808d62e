//! Totals of small graphs in which no cycle is much shorter than the longest path.
//!
//! A walk that never turns straight back is a path unless it goes round a cycle, so up to the *girth*, the length `g` of the shortest cycle, there is little to
//! tell them apart. Such walks are counted to half their length. Of those of length `g` the cycles are no paths, and of those of length `g + 1` the cycles, and
//!
//! ```text
//! o---o           once round a cycle of length g, from any of its vertices v, either way, and a step before or after
//! |   |           that, to any of the deg(v) - 1 neighbours that do not turn back: 2 (deg(v) - 1) walks, of which
//! o---v---x       the one whose step is on the cycle, be it the first or the last, is counted twice.
//! ```
//!
//! Cycles are sums of others, modulo 2 and edge by edge: each is a sum of some of those that an edge closes with a tree. So all sums are
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
const SHORTEST: usize = 3;

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
/// With `w(a, v)` such walks of length `a` from vertex `v`, which has `d(v)` neighbours,
///
/// ```text
/// w(2, v)     = sum of w(1, u) over neighbours u of v  -  d(v)
/// w(a + 1, v) = sum of w(a, u) over neighbours u of v  -  (d(v) - 1) w(a - 1, v)
/// ```
///
/// Two from the same vertex, of lengths `a` and `b`, make one of length `a + b`, unless they begin with the same edge: so half the length is enough. Of pairs that do there are `B(a, b)`.
/// They go on from the other end of that edge, in any two ways but those that turn back, and these again begin with the same edge:
///
/// ```text
/// B(1, b)         = sum of w(b, v) over all vertices v
/// B(a + 1, b + 1) = sum of (d(v) - 2) w(a, v) w(b, v) over all vertices v  +  B(a, b)
/// ```
fn walks(graph: &Graph, longest: usize) -> Vec<u64> {
    let mut walks = Vec::with_capacity(longest + 2);
    walks.extend([graph.order() as u64, 2 * graph.size() as u64]);
    // Of lengths a - 1, a and a + 1, by vertex.
    let (mut shorter, mut now, mut longer) = (&mut [1u32; MOST], &mut [0u32; MOST], &mut [0u32; MOST]);
    now.iter_mut().zip(graph.offsets().windows(2)).for_each(|(degree, row)| *degree = row[1] - row[0]);
    let degrees = *now;
    // B(a, a) and B(a, a + 1).
    let mut alike = [walks[1], 0];
    // There are no more vertices; but it spares checks.
    let order = graph.order().min(MOST);
    while walks.len() < longest {
        let is_first = walks.len() == 2;
        longer[..order].fill(0);
        for (u, v) in graph.edges() {
            let (u, v) = (u % MOST, v % MOST);
            longer[u] += now[v];
            longer[v] += now[u];
        }
        // Of lengths a and a, and a and a + 1: all pairs, and with each its number of neighbours.
        let (mut pairs, mut degrees_of_pairs) = ([0; 2], [0; 2]);
        for v in 0..order {
            longer[v] = longer[v] + if is_first { 0 } else { shorter[v] } - degrees[v] * shorter[v];
            let [now, longer] = [now[v], longer[v]].map(u64::from);
            let degree = u64::from(degrees[v]);
            for (at, other) in [now, longer].into_iter().enumerate() {
                pairs[at] += now * other;
                degrees_of_pairs[at] += degree * now * other;
            }
        }
        walks.push(pairs[0] - alike[0]);
        if is_first {
            alike[1] = walks[2];
        }
        walks.push(pairs[1] - alike[1]);
        for at in 0..2 {
            alike[at] = alike[at] + degrees_of_pairs[at] - 2 * pairs[at];
        }
        (shorter, now, longer) = (now, longer, shorter);
    }
    if walks.len() == longest {
        let pairs: u64 = now[..order].iter().map(|&now| u64::from(now).pow(2)).sum();
        walks.push(pairs - alike[0]);
    }
    walks
}

/// The cycles of a graph in which none has fewer edges than the longest paths have, less one.
#[derive(Default)]
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
        let mut closed = [M::EMPTY; MOST_CLOSING];
        let number = closed_cycles(graph, &mut closed)?;
        let (mut found, mut cycle) = (Self::default(), M::EMPTY);
        // In the order of Gray, which changes one summand at a time.
        for at in 1..1u32 << number {
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

/// The cycles, as sets of edges, that edges close with trees of those before them. Gives how many there are, unless there is no room for them.
fn closed_cycles<M: Mask + BitXor<Output = M>>(graph: &Graph, closed: &mut [M]) -> Option<usize> {
    let (order, mut number) = (graph.order().min(MOST), 0);
    // By vertex: its tree, and the edges between it and some vertex of that, always the same.
    let mut tree: [u8; MOST] = std::array::from_fn(|v| v as u8);
    let mut way = [M::EMPTY; MOST];
    let mut alone = M::below(order);
    for (edge, (u, v)) in graph.edges().enumerate() {
        let (u, v) = (u % MOST, v % MOST);
        let around = way[u] ^ way[v] ^ M::bit(edge);
        if tree[u] == tree[v] {
            *closed.get_mut(number)? = around;
            number += 1;
            continue;
        }
        let (larger, smaller) = if alone.has(u) { (v, u) } else { (u, v) };
        let (kept, dropped) = (tree[larger], tree[smaller]);
        let joining = if alone.has(smaller) { smaller..smaller + 1 } else { 0..order };
        for w in joining {
            if tree[w] == dropped {
                (tree[w], way[w]) = (kept, way[w] ^ around);
            }
        }
        alone = alone & !(M::bit(u) | M::bit(v));
    }
    Some(number)
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
        let edges: Vec<_> =
            (0..5).flat_map(|v| [(v, (v + 1) % 5), (v, v + 5), (v + 5, (v + 2) % 5 + 5)]).collect();
        // In this order, trees of several vertices are joined.
        let scattered = (0..15).map(|i| edges[i * 4 % 15]);
        let petersen = Graph::from_edges(10, scattered).unwrap();
        for longest in SHORTEST..=6 {
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

//! What several test files share: the oracle, counts as plain numbers, and what holds for every graph.

#![allow(dead_code)] // each test file needs some of it

pub(crate) mod oracle;

use allpaths::count::{ByPair, Count, Counts, Subject};
use allpaths::{Counter, Graph};

/// A graph without labels or weights.
pub(crate) fn graph(directed: bool, order: usize, edges: &[(usize, usize)]) -> Graph {
    let edges = edges.iter().copied();
    if directed { Graph::from_arcs(order, edges) } else { Graph::from_edges(order, edges) }.unwrap()
}

/// Paths of each length, as plain numbers.
pub(crate) fn paths(counts: &Counts) -> Vec<u64> {
    numbers(counts.path_counts().expect("paths were counted"))
}

/// Cycles of each length, as plain numbers.
pub(crate) fn cycles(counts: &Counts) -> Vec<u64> {
    numbers(counts.cycle_counts().expect("cycles were counted"))
}

fn numbers(counts: &[Count]) -> Vec<u64> {
    counts.iter().map(|count| count.to_u64().expect("small enough for a test")).collect()
}

/// Paths of each length between two vertices, as [`Counter::by_pair`] has them.
pub(crate) fn pair_paths(pairs: &ByPair, u: usize, v: usize) -> Vec<u64> {
    numbers(&(0..=pairs.finished()).map(|length| pairs.paths(u, v, length)).collect::<Vec<_>>())
}

/// Checks a counter to `longest` against the oracle on a graph of two vertices or more: all paths and cycles, and what is between two pairs.
pub(crate) fn check_against_the_oracle(graph: &Graph, longest: usize, counter: &Counter) {
    let rooted = oracle::rooted(graph, longest);
    let distinct = rooted.clone().distinct(graph.is_directed());
    let counts = counter.count(graph).unwrap();
    assert_eq!(paths(&counts), distinct.paths(longest, |_| true));
    assert_eq!(cycles(&counts), distinct.cycles(longest, |_| true));
    check_relations("random", graph, counter);
    for (u, v) in [(0, 1), (graph.order() - 1, 0)] {
        let expected = rooted.paths(longest, |path| path[0] == u && path[path.len() - 1] == v);
        assert_eq!(paths(&counter.between(graph, u, v).unwrap()), expected, "{u} to {v}");
    }
}

/// Checks what all ways of counting one graph have to do with each other: rooted with distinct counts, paths or
/// cycles alone with both, vertices and pairs with the total.
pub(crate) fn check_relations(name: &str, graph: &Graph, counter: &Counter) {
    let counts = counter.count(graph).unwrap();
    let (paths, cycles) = (self::paths(&counts), self::cycles(&counts));
    let lengths = 0..paths.len();
    let turns = if graph.is_directed() { 1 } else { 2 };
    let degrees: usize =
        (0..graph.order()).map(|v| graph.neighbours(v).iter().filter(|&&w| w as usize != v).count()).sum();

    let rooted = counts.rooted();
    assert_eq!(rooted, rooted.rooted(), "{name}: rooted twice");
    let expected = |l: usize| if l == 0 { paths[0] } else { turns * paths[l] };
    assert_eq!(self::paths(&rooted), lengths.clone().map(expected).collect::<Vec<_>>(), "{name}: rooted");
    let expected = |l: usize| match l {
        0 | 1 => cycles[l],
        2 if !graph.is_directed() => degrees as u64,
        _ => turns * l as u64 * cycles[l],
    };
    assert_eq!(self::cycles(&rooted), lengths.clone().map(expected).collect::<Vec<_>>(), "{name}: rooted");

    let alone = counter.clone().subject(Subject::Paths).count(graph).unwrap();
    assert_eq!(alone.path_counts(), counts.path_counts(), "{name}: paths alone");
    assert_eq!(alone.cycle_counts(), None, "{name}: paths alone");
    let alone = counter.clone().subject(Subject::Cycles).count(graph).unwrap();
    assert_eq!(alone.cycle_counts(), counts.cycle_counts(), "{name}: cycles alone");
    assert_eq!(alone.path_counts(), None, "{name}: cycles alone");
    assert_eq!(alone.rooted().cycle_counts(), rooted.cycle_counts(), "{name}: rooted cycles alone");

    let by_vertex = counter.by_vertex(graph).unwrap();
    let sum = |at: fn(&Counts) -> Vec<u64>, l: usize, rooted: bool| -> u64 {
        by_vertex.iter().map(|counts| at(&if rooted { counts.rooted() } else { counts.clone() })[l]).sum()
    };
    assert_eq!(by_vertex.len(), graph.order(), "{name}: by vertex");
    let by_pair = counter.by_pair(graph).unwrap();
    for l in lengths {
        let starts = if l == 0 { paths[0] } else { turns * paths[l] };
        assert_eq!(sum(self::paths, l, false), starts, "{name}: paths of length {l} by vertex");
        assert_eq!(sum(self::paths, l, true), starts, "{name}: rooted paths of length {l} by vertex");
        assert_eq!(
            sum(self::cycles, l, false),
            l as u64 * cycles[l],
            "{name}: cycles of length {l} by vertex"
        );
        let all: u64 = self::cycles(&rooted)[l];
        assert_eq!(sum(self::cycles, l, true), all, "{name}: rooted cycles of length {l} by vertex");
        if l > 0 {
            let joined = by_pair.pairs().map(|(_, _, counts)| counts.get(l - 1).copied().unwrap_or(0));
            assert_eq!(joined.sum::<u128>(), u128::from(starts), "{name}: paths of length {l} by pair");
        }
    }
}

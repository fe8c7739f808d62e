//! The quotient engine against the oracle, on all small graphs, and against closed forms.

mod common;

use allpaths::count::{Count, Counts, Engine, Outcome, Subject};
use allpaths::{Counter, Graph};
use common::{check_relations, cycles, oracle, pair_paths, paths};
use proptest::collection::vec;
use proptest::prelude::*;

/// The longest length of the engine.
const LONGEST: usize = 9;

fn counter(length: usize) -> Counter {
    Counter::up_to(length).engine(Engine::Quotient)
}

fn complete(order: usize) -> Graph {
    Graph::from_edges(order, (0..order).flat_map(|u| (0..u).map(move |v| (u, v)))).unwrap()
}

/// `n (n-1) ... (n-k+1)`.
fn falling(n: usize, k: usize) -> u128 {
    (0..k).map(|i| n.saturating_sub(i) as u128).product()
}

/// Compares totals, rooted and distinct, with the oracle's; gives those found.
fn check_totals(graph: &Graph, longest: usize) -> Counts {
    let found = oracle::rooted(graph, longest);
    let distinct = found.clone().distinct(graph.is_directed());
    let counts = counter(longest).count(graph).unwrap();
    assert_eq!(counts.outcome(), Outcome::Complete);
    assert_eq!(paths(&counts), distinct.paths(longest, |_| true));
    assert_eq!(cycles(&counts), distinct.cycles(longest, |_| true));
    assert_eq!(cycles(&counts.rooted()), found.cycles(longest, |_| true));
    counts
}

/// Compares the counts of each vertex with the oracle's.
fn check_vertices(graph: &Graph, longest: usize) {
    let found = oracle::rooted(graph, longest);
    for (v, counts) in counter(longest).by_vertex(graph).unwrap().iter().enumerate() {
        assert_eq!(paths(counts), found.paths(longest, |path| path[0] == v));
        assert_eq!(cycles(&counts.rooted()), found.cycles(longest, |cycle| cycle[0] == v));
    }
}

#[test]
fn too_many_pairs_are_not_begun() {
    // Any two of 20,000 leaves are joined over the hub.
    let star = Graph::from_edges(20_001, (1..=20_000).map(|v| (0, v))).unwrap();
    let pairs = counter(4).by_pair(&star).unwrap();
    assert_eq!((pairs.outcome(), pairs.finished()), (Outcome::Memory, 1));
    assert_eq!(pairs.paths(0, 7, 1), 1);
}

#[test]
fn lengths_beyond_are_refused() {
    let graph = complete(4);
    let refused = counter(10).count(&graph).unwrap_err();
    assert_eq!(refused.to_string(), "a length of 10 is beyond the quotient engine: ask for at most 9");
    let refused = counter(8).by_pair(&graph).unwrap_err();
    assert_eq!(refused.to_string(), "a length of 8 is beyond the quotient engine: ask for at most 7");
    assert!(refused.is_usage());
}

/// The graph with the edges that the bits of a number choose, if it hangs together and no other naming of its vertices has a smaller number.
fn chosen(order: usize, bits: u32, namings: &[Vec<usize>]) -> Option<Graph> {
    let pairs: Vec<(usize, usize)> = (0..order).flat_map(|u| (0..u).map(move |v| (v, u))).collect();
    let edges: Vec<_> =
        pairs.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1).map(|(_, &pair)| pair).collect();
    let number = |names: &[usize]| -> u32 {
        let place = |(u, v): (usize, usize)| {
            let (u, v) = (names[u].min(names[v]), names[u].max(names[v]));
            v * (v - 1) / 2 + u
        };
        edges.iter().map(|&edge| 1 << place(edge)).sum()
    };
    let mut reached = 1u32;
    for _ in 0..order {
        for &(u, v) in &edges {
            if reached >> u & 1 == 1 || reached >> v & 1 == 1 {
                reached |= 1 << u | 1 << v;
            }
        }
    }
    let first = reached.count_ones() as usize == order && namings.iter().all(|names| number(names) >= bits);
    first.then(|| common::graph(false, order, &edges))
}

fn namings(order: usize) -> Vec<Vec<usize>> {
    if order == 0 {
        return vec![Vec::new()];
    }
    let shorter = namings(order - 1);
    let with = |names: &Vec<usize>, place: usize| {
        let mut names = names.clone();
        names.insert(place, order - 1);
        names
    };
    shorter.iter().flat_map(|names| (0..order).map(move |place| with(names, place))).collect()
}

#[test]
fn all_connected_graphs_of_up_to_six_vertices() {
    let mut numbers = Vec::new();
    for order in 1..=6 {
        let namings = namings(order);
        let pairs = order * (order - 1) / 2;
        let graphs: Vec<Graph> = (0..1 << pairs).filter_map(|bits| chosen(order, bits, &namings)).collect();
        numbers.push(graphs.len());
        for graph in &graphs {
            check_totals(graph, LONGEST);
            check_relations("small", graph, &counter(7));
        }
    }
    assert_eq!(numbers, [1, 1, 2, 6, 21, 112]);
}

#[test]
fn complete_graphs_of_seven_and_eight() {
    for order in [7, 8] {
        let counts = check_totals(&complete(order), LONGEST);
        assert!(counts.cycles(order).to_u64().unwrap() > 0);
        check_relations("complete", &complete(order), &counter(7));
        check_vertices(&complete(order), LONGEST);
    }
}

#[test]
fn complete_and_bipartite_graphs_have_closed_forms() {
    for order in [10, 11, 13] {
        let counts = counter(LONGEST).count(&complete(order)).unwrap();
        for length in 1..=LONGEST {
            assert_eq!(
                counts.paths(length),
                falling(order, length + 1) / 2,
                "K{order}: paths of length {length}"
            );
        }
        for length in 3..=LONGEST {
            assert_eq!(
                counts.cycles(length),
                falling(order, length) / (2 * length as u128),
                "K{order}: cycles of length {length}"
            );
        }
    }
    for (a, b) in [(4, 7), (6, 6), (5, 30)] {
        let graph = Graph::from_edges(a + b, (0..a).flat_map(|u| (a..a + b).map(move |v| (u, v)))).unwrap();
        let counts = counter(LONGEST).count(&graph).unwrap();
        for length in 1..=LONGEST {
            // Ends on both sides, or on one of them.
            let half = length.div_ceil(2);
            let expected = match length % 2 {
                1 => falling(a, half) * falling(b, half),
                _ => (falling(a, half + 1) * falling(b, half))
                    .midpoint(falling(a, half) * falling(b, half + 1)),
            };
            assert_eq!(counts.paths(length), expected, "K{a},{b}: paths of length {length}");
            let around = if length % 2 == 0 && length > 2 {
                falling(a, half) * falling(b, half) / length as u128
            } else {
                0
            };
            assert_eq!(counts.cycles(length), around, "K{a},{b}: cycles of length {length}");
        }
    }
}

#[test]
fn what_is_past_64_bits_is_counted() {
    // Each of ten hubs is joined with 20,000 leaves: a path of length 6 has four of one kind and three of the other, in turn.
    let (hubs, leaves) = (10, 20_000);
    let edges = (0..hubs).flat_map(|u| (hubs..hubs + leaves).map(move |v| (u, v)));
    let graph = Graph::from_edges(hubs + leaves, edges).unwrap();
    let counts = counter(6).count(&graph).unwrap();
    let of = |outer, inner| falling(outer, 4) * falling(inner, 3);
    let expected = of(leaves, hubs).midpoint(of(hubs, leaves));
    assert!(expected > u128::from(u64::MAX));
    assert_eq!(counts.paths(6), expected);
    let trees =
        Graph::from_edges(leaves + 3, (0..leaves).map(|v| (v + 3, v % 3)).chain([(0, 1), (1, 2)])).unwrap();
    check_alike(&trees, 5, &[Subject::Both]);
}

/// Compares totals with those of the depth-first engine.
fn check_alike(graph: &Graph, length: usize, subjects: &[Subject]) {
    for &subject in subjects {
        let by =
            |engine: Engine| Counter::up_to(length).engine(engine).subject(subject).count(graph).unwrap();
        assert_eq!(by(Engine::Quotient), by(Engine::DepthFirst));
    }
}

/// Random graphs, with loops if asked for.
fn graphs(
    orders: std::ops::RangeInclusive<usize>,
    edges: usize,
    loops: bool,
) -> impl Strategy<Value = Graph> {
    (any::<bool>(), orders).prop_flat_map(move |(directed, order)| {
        vec((0..order, 0..order), 0..=edges).prop_map(move |edges| {
            let edges: Vec<_> = edges.into_iter().filter(|(u, v)| loops || u != v).collect();
            common::graph(directed, order, &edges)
        })
    })
}

/// Graphs of eight to ten vertices with many edges: a row through all vertices, and more.
fn dense() -> impl Strategy<Value = Graph> {
    (8..=10usize).prop_flat_map(|order| {
        vec((0..order, 0..order), 6..=14).prop_map(move |more| {
            let row = (1..order).map(|v| (v - 1, v));
            common::graph(
                false,
                order,
                &row.chain(more.into_iter().filter(|(u, v)| u != v)).collect::<Vec<_>>(),
            )
        })
    })
}

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn random_graphs(graph in graphs(1..=7, 25, false), longest in 0..=LONGEST) {
        check_totals(&graph, longest);
        check_vertices(&graph, longest);
        check_relations("random", &graph, &counter(longest.min(7)));
    }

    #[test]
    fn random_graphs_with_loops(graph in graphs(1..=6, 20, true), longest in 0..=7usize) {
        check_totals(&graph, longest);
        check_relations("random", &graph, &counter(longest));
    }

    #[test]
    fn pairs_agree_with_the_oracle(graph in graphs(2..=6, 16, true), longest in 0..=7usize) {
        let rooted = oracle::rooted(&graph, longest);
        let by_pair = counter(longest).by_pair(&graph)?;
        for (u, v) in (0..graph.order()).flat_map(|u| (0..graph.order()).map(move |v| (u, v))).filter(|(u, v)| u != v) {
            let expected = rooted.paths(longest, |path| path[0] == u && path[path.len() - 1] == v);
            prop_assert_eq!(&pair_paths(&by_pair, u, v), &expected);
            prop_assert_eq!(&paths(&counter(longest).between(&graph, u, v)?), &expected);
        }
    }
}

proptest! {
    #![proptest_config(cases(50))]

    #[test]
    fn graphs_of_eight_to_ten_vertices(graph in dense()) {
        let counts = check_totals(&graph, LONGEST);
        prop_assert!(counts.paths(7) > Count::ZERO, "counts that are zero prove nothing");
    }

    #[test]
    fn threads_change_nothing(graph in graphs(20..=40, 500, true)) {
        for longest in [5, 6] {
            let (one, three) = (counter(longest).threads(1), counter(longest).threads(3));
            prop_assert_eq!(one.count(&graph)?, three.count(&graph)?);
            prop_assert_eq!(one.by_vertex(&graph)?, three.by_vertex(&graph)?);
            prop_assert_eq!(one.by_pair(&graph)?, three.by_pair(&graph)?);
        }
    }

    #[test]
    fn a_budget_gives_a_beginning(graph in graphs(1..=9, 30, true), steps in 0..100_000u64) {
        let (all, some) = (counter(6).count(&graph)?, counter(6).budget(steps).count(&graph)?);
        prop_assert!(some.finished() >= 1);
        prop_assert_eq!(some.outcome() == Outcome::Complete, some.finished() == 6);
        prop_assert_eq!(some.path_counts().unwrap(), &all.path_counts().unwrap()[..=some.finished()]);
        prop_assert_eq!(counter(6).budget(steps).threads(3).count(&graph)?, some);
    }
}

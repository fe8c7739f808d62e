//! Weights and signs, and the engines that are algebra on them, against the oracle.

mod common;

use allpaths::count::{Engine, Outcome};
use allpaths::graph::GraphBuilder;
use allpaths::{Counter, Graph, Monitor};
use common::{check_relations, cycles, oracle, pair_paths, paths};
use proptest::collection::vec;
use proptest::prelude::*;

const ENGINES: [Engine; 4] = [Engine::DepthFirst, Engine::Sieve, Engine::Quotient, Engine::Frontier];

/// Those that take a graph.
fn engines(graph: &Graph) -> impl Iterator<Item = Engine> {
    ENGINES.into_iter().filter(|&engine| !graph.is_directed() || engine != Engine::Frontier)
}

/// A graph whose edges weigh what is given.
fn weighted(directed: bool, order: usize, edges: &[(usize, usize, f64)]) -> Graph {
    let mut builder = if directed { GraphBuilder::directed(order) } else { GraphBuilder::undirected(order) };
    for &(u, v, _) in edges {
        builder.edge(u, v).unwrap();
    }
    builder.weights(edges.iter().map(|&(_, _, weight)| weight));
    builder.build().unwrap()
}

/// Random graphs, loops among their edges, with weights of either sign.
fn graphs() -> impl Strategy<Value = Graph> {
    (any::<bool>(), 1..=7usize).prop_flat_map(|(directed, order)| {
        let weight = prop_oneof![0.5..3.0, -3.0..-0.5];
        vec((0..order, 0..order, weight), 0..=16).prop_map(move |edges| weighted(directed, order, &edges))
    })
}

/// The weight of the edge between two vertices.
fn weight(graph: &Graph, u: usize, v: usize) -> f64 {
    let arc = graph.arcs(u).find(|arc| arc.target == v).unwrap();
    graph.weights().unwrap()[graph.edge_of(arc)]
}

/// The product of the weights along a list of vertices, perhaps back to the first.
fn product(graph: &Graph, vertices: &[usize], closed: bool) -> f64 {
    let back = closed.then(|| (vertices[vertices.len() - 1], vertices[0]));
    vertices.windows(2).map(|step| (step[0], step[1])).chain(back).map(|(u, v)| weight(graph, u, v)).product()
}

/// Sums by length, and the sums of absolute values that bound their rounding.
fn sums(longest: usize, products: impl Iterator<Item = (usize, f64)>) -> Vec<(f64, f64)> {
    let mut sums = vec![(0.0, 0.0); longest + 1];
    for (length, product) in products {
        sums[length].0 += product;
        sums[length].1 += product.abs();
    }
    sums
}

/// Walks are many more than paths: what they leave of the digits of algebra.
fn tolerance(engine: Engine) -> f64 {
    if matches!(engine, Engine::DepthFirst | Engine::Frontier) { 1e-12 } else { 1e-9 }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sums_agree_with_the_oracle(graph in graphs(), longest in 0..=6usize) {
        let rooted = oracle::rooted(&graph, longest);
        let distinct = rooted.clone().distinct(graph.is_directed());
        let of_paths = |found: &oracle::Found| {
            sums(longest, found.paths.iter().map(|path| (path.len() - 1, product(&graph, path, false))))
        };
        let of_cycles = |found: &oracle::Found| {
            sums(longest, found.cycles.iter().map(|cycle| (cycle.len(), product(&graph, cycle, true))))
        };
        for engine in engines(&graph) {
            let counter = Counter::up_to(longest).engine(engine);
            let found = counter.weighted(&graph)?;
            prop_assert_eq!(found.outcome(), Outcome::Complete);
            for (found, oracle) in [(&found, &distinct), (&found.rooted(), &rooted)] {
                for (found, expected) in [
                    (found.path_sums(), of_paths(oracle)),
                    (found.cycle_sums(), of_cycles(oracle)),
                ] {
                    prop_assert_eq!(found.len(), longest + 1);
                    for (found, (sum, size)) in found.iter().zip(expected) {
                        prop_assert!((found - sum).abs() <= tolerance(engine) * size.max(1.0), "{} is not {}", found, sum);
                    }
                }
            }
            for threads in [1, 2, 5] {
                prop_assert_eq!(&counter.clone().threads(threads).weighted(&graph)?, &found);
            }
        }
    }

    #[test]
    fn signs_agree_with_the_oracle(graph in graphs(), longest in 0..=6usize) {
        let rooted = oracle::rooted(&graph, longest);
        let distinct = rooted.clone().distinct(graph.is_directed());
        for engine in engines(&graph) {
            let found = Counter::up_to(longest).engine(engine).signed(&graph)?;
            for (counts, negative) in [(found.positive(), false), (found.negative(), true)] {
                let path = |path: &[usize]| (product(&graph, path, false) < 0.0) == negative;
                let cycle = |cycle: &[usize]| (product(&graph, cycle, true) < 0.0) == negative;
                prop_assert_eq!(paths(counts), distinct.paths(longest, path));
                prop_assert_eq!(cycles(counts), distinct.cycles(longest, cycle));
                prop_assert_eq!(paths(&counts.rooted()), rooted.paths(longest, path));
                prop_assert_eq!(cycles(&counts.rooted()), rooted.cycles(longest, cycle));
            }
        }
    }

    #[test]
    fn the_sieve_agrees_with_the_oracle(graph in graphs(), longest in 0..=8usize) {
        let counter = Counter::up_to(longest).engine(Engine::Sieve);
        let rooted = oracle::rooted(&graph, longest);
        let counts = counter.count(&graph)?.rooted();
        prop_assert_eq!(paths(&counts), rooted.paths(longest, |_| true));
        prop_assert_eq!(cycles(&counts), rooted.cycles(longest, |_| true));
        check_relations("random", &graph, &counter);
        let by_pair = counter.by_pair(&graph)?;
        for (u, v) in (0..graph.order()).flat_map(|u| (0..graph.order()).map(move |v| (u, v))).filter(|(u, v)| u != v) {
            let expected = rooted.paths(longest, |path| path[0] == u && path[path.len() - 1] == v);
            prop_assert_eq!(&pair_paths(&by_pair, u, v), &expected);
            prop_assert_eq!(&paths(&counter.between(&graph, u, v)?), &expected);
            if !graph.is_directed() {
                prop_assert_eq!(pair_paths(&by_pair, v, u), expected, "P is symmetric");
            }
        }
    }

    #[test]
    fn a_budget_of_the_sieve_gives_a_part_of_the_answer(graph in graphs(), steps in 0..200u64) {
        let counter = Counter::up_to(6).engine(Engine::Sieve);
        let (all, some) = (counter.count(&graph)?, counter.clone().budget(steps).count(&graph)?);
        prop_assert!(some.finished() >= 1);
        prop_assert_eq!(some.outcome() == Outcome::Complete, some.finished() == 6);
        prop_assert_eq!(some.path_counts().unwrap(), &all.path_counts().unwrap()[..=some.finished()]);
        prop_assert_eq!(counter.budget(steps).threads(3).count(&graph)?, some);
    }
}

#[test]
fn the_sieve_counts_a_complete_graph() {
    // n (n-1) ... (n-l) / 2 paths of length l.
    let order = 12;
    let pairs: Vec<_> = (0..order).flat_map(|u| (0..u).map(move |v| (u, v))).collect();
    let complete = common::graph(false, order, &pairs);
    let counts = Counter::up_to(11).engine(Engine::Sieve).count(&complete).unwrap();
    for length in 1..order {
        let expected: u128 = ((order - length)..=order).map(|factor| factor as u128).product::<u128>() / 2;
        assert_eq!(counts.paths(length), expected, "length {length}");
    }
}

#[test]
fn a_negative_triangle_is_unbalanced() {
    let triangle = weighted(false, 3, &[(0, 1, 1.0), (1, 2, 1.0), (2, 0, -1.0)]);
    for engine in ENGINES {
        let counts = Counter::up_to(3).engine(engine).signed(&triangle).unwrap();
        assert_eq!(paths(counts.positive()), [3, 2, 1, 0], "the friends, and the path over both");
        assert_eq!(paths(counts.negative()), [0, 1, 2, 0]);
        assert_eq!(cycles(counts.negative()), [0, 0, 0, 1]);
        assert_eq!((0..=3).map(|l| counts.balance(l)).collect::<Vec<_>>(), [None, None, None, Some(1.0)]);
    }
}

#[test]
fn a_square_with_one_negative_edge() {
    // Paths of three edges: one avoids the negative edge, three hold it. The square itself holds it.
    let square = weighted(false, 4, &[(0, 1, -2.0), (1, 2, 1.0), (2, 3, 1.0), (3, 0, 1.0)]);
    for engine in ENGINES {
        let counter = Counter::up_to(4).engine(engine);
        let counts = counter.signed(&square).unwrap();
        assert_eq!(paths(counts.positive()), [4, 3, 2, 1, 0]);
        assert_eq!(paths(counts.negative()), [0, 1, 2, 3, 0]);
        assert_eq!(cycles(counts.positive()), [0; 5]);
        assert_eq!(cycles(counts.negative()), [0, 0, 0, 0, 1]);
        let sums = counter.weighted(&square).unwrap();
        assert_eq!(sums.path_sums(), [4.0, 1.0, -2.0, -5.0, 0.0]);
        assert_eq!(sums.cycle_sums(), [0.0, 0.0, 0.0, 0.0, -2.0]);
        assert_eq!(sums.rooted().cycle_sums()[2..3], [2.0 * (4.0 + 1.0 + 1.0 + 1.0)], "each edge to and fro");
    }
}

#[test]
fn each_call_is_one_job() {
    let square = weighted(false, 4, &[(0, 1, -2.0), (1, 2, 1.0), (2, 3, 1.0), (3, 0, 1.0)]);
    for engine in ENGINES {
        let (counter, monitor) = (Counter::up_to(4).engine(engine), Monitor::new());
        monitor.begin(4);
        counter.signed_under(&square, &monitor).unwrap();
        assert!((monitor.progress() - 0.25).abs() < 1e-9, "{engine:?}");
        counter.weighted_under(&square, &monitor).unwrap();
        assert!((monitor.progress() - 0.5).abs() < 1e-9, "{engine:?}");
    }
}

#[test]
fn what_has_no_weight_or_sign_is_refused() {
    let bare = common::graph(false, 2, &[(0, 1)]);
    assert_eq!(Counter::up_to(2).weighted(&bare).unwrap_err().to_string(), "the graph has no weights");
    let zero = weighted(false, 2, &[(0, 1, 0.0)]);
    let refused = Counter::up_to(2).signed(&zero).unwrap_err();
    assert_eq!(refused.to_string(), "the edge from 0 to 1 has weight 0, which has no sign");
    assert!(refused.is_input());
    let refused = Counter::up_to(63).engine(Engine::Sieve).count(&bare).unwrap_err();
    assert_eq!(refused.to_string(), "a length of 63 is beyond the sieve engine: ask for at most 62");
}

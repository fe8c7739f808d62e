//! The meet engine against the oracle and against other engines.

mod common;

use std::time::Duration;

use allpaths::count::{Counts, Engine, Outcome};
use allpaths::graph::GraphBuilder;
use allpaths::{Counter, Graph, Monitor};
use proptest::collection::vec;
use proptest::prelude::*;

fn counter(length: usize) -> Counter {
    Counter::up_to(length).engine(Engine::Meet)
}

/// Each vertex is joined to those that are 1, 4 and 10 further, and to a few more.
fn tangle(order: usize, directed: bool) -> Graph {
    let steps = |v: usize| [v + 1, v + 4, v + 10, v * v + 3, 7 * v + 1];
    let edges: Vec<_> =
        (0..order).flat_map(|v| steps(v).map(|w| (v, w % order))).filter(|(v, w)| v != w).collect();
    common::graph(directed, order, &edges)
}

/// Longer than the oracle can, over more vertices than a mask has bits, in both kinds of graphs.
#[test]
fn agrees_with_walks() {
    for (order, directed, length) in
        [(30, false, 9), (40, true, 11), (90, false, 8), (300, false, 8), (300, true, 10)]
    {
        let graph = tangle(order, directed);
        for (source, target) in [(0, 1), (0, order / 2), (order - 1, 3)] {
            for length in [length - 1, length] {
                let walked =
                    Counter::up_to(length).engine(Engine::DepthFirst).between(&graph, source, target);
                for threads in [1, 3] {
                    let met = counter(length).threads(threads).between(&graph, source, target).unwrap();
                    assert_eq!(&met, walked.as_ref().unwrap(), "{order}: {source} to {target}");
                }
            }
        }
    }
}

/// (n - 2)! / (n - l - 1)! paths of length l: the sets of half-paths are all sets of their size.
#[test]
fn complete_graphs() {
    for order in [5, 12, 30] {
        let graph = Graph::from_edges(order, (0..order).flat_map(|u| (0..u).map(move |v| (u, v)))).unwrap();
        let counts = counter(6).between(&graph, 0, order - 1).unwrap();
        let mut product = 1;
        for length in 1..=6 {
            assert_eq!(counts.paths(length), product, "{order}: {length}");
            product *= (order as u128).saturating_sub(length as u128 + 1);
        }
    }
}

#[test]
fn a_count_without_memory_or_time_says_so_and_keeps_what_it_finished() {
    let graph = tangle(120, false);
    let between = |counter: &Counter| counter.between(&graph, 0, 60).unwrap();
    let full = between(&counter(11));
    let check = |counts: &Counts, outcome: Outcome| {
        assert_eq!(counts.outcome(), outcome);
        assert!((1..11).contains(&counts.finished()), "{}", counts.finished());
        assert_eq!(counts.path_counts().unwrap(), &full.path_counts().unwrap()[..=counts.finished()]);
    };
    for threads in [1, 3] {
        let counter = counter(11).threads(threads);
        check(&between(&counter.clone().memory_limit(100_000)), Outcome::Memory);
        check(&between(&counter.clone().time_limit(Duration::ZERO)), Outcome::Time);
        let some = between(&counter.clone().budget(5000));
        check(&some, Outcome::Budget);
        assert!(some.finished() > 3, "what takes less is counted");
        let monitor = Monitor::new();
        monitor.interrupt();
        check(&counter.between_under(&graph, 0, 60, &monitor).unwrap(), Outcome::Interrupted);
    }
    assert_eq!(between(&counter(11).memory_limit(1 << 33)), full);
    // Half-paths of more vertices than a set has room for.
    let line = Graph::from_edges(200, (1..200).map(|v| (v - 1, v))).unwrap();
    let counts = counter(199).between(&line, 0, 199).unwrap();
    assert_eq!((counts.outcome(), counts.finished()), (Outcome::Memory, 1));
}

#[test]
fn progress_ends_at_one() {
    for (length, target) in [(1, 1), (9, 60), (2, 60)] {
        let monitor = Monitor::new();
        counter(length).between_under(&tangle(120, false), 0, target, &monitor).unwrap();
        assert!(monitor.progress() > 0.999_999, "{}", monitor.progress());
    }
}

#[test]
fn weights_are_refused() {
    let mut builder = GraphBuilder::undirected(2);
    builder.edge(0, 1).unwrap();
    builder.weights([1.0]);
    let weighted = builder.build().unwrap();
    for refused in [counter(3).weighted(&weighted).map(drop), counter(3).signed(&weighted).map(drop)] {
        let refused = refused.unwrap_err();
        assert!(refused.is_usage());
        assert_eq!(
            refused.to_string(),
            "the meet engine counts without weights or signs: take another, or auto"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn agrees_with_the_oracle(
        directed: bool,
        order in 2..=8usize,
        ends in vec((0..8usize, 0..8usize), 0..=24),
        longest in 0..=10usize,
    ) {
        let edges: Vec<_> = ends.into_iter().map(|(u, v)| (u % order, v % order)).collect();
        let graph = common::graph(directed, order, &edges);
        common::check_against_the_oracle(&graph, longest, &counter(longest));
    }
}

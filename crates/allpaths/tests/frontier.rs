//! The frontier engine against known numbers, the oracle, and other engines.

mod common;
#[path = "../examples/edge_by_edge.rs"]
mod edge_by_edge;

use std::time::Duration;

use allpaths::count::{Count, Counts, Engine, Outcome, Subject};
use allpaths::graph::GraphBuilder;
use allpaths::{Counter, Graph, Monitor};
use proptest::collection::vec;
use proptest::prelude::*;

fn counter(length: usize) -> Counter {
    Counter::up_to(length).engine(Engine::Frontier)
}

fn grid(width: usize, height: usize) -> Graph {
    let vertices = 0..width * height;
    let right = vertices.clone().filter(|v| v % width + 1 < width).map(|v| (v, v + 1));
    let down = vertices.clone().filter(|v| v + width < width * height).map(|v| (v, v + width));
    Graph::from_edges(vertices.end, right.chain(down)).unwrap()
}

fn complete(order: usize) -> Graph {
    Graph::from_edges(order, (0..order).flat_map(|u| (0..u).map(move |v| (u, v)))).unwrap()
}

fn all(counts: &Counts) -> Count {
    counts.path_counts().unwrap().iter().sum()
}

/// OEIS A007764: paths from corner to corner of a grid with so many vertices on each side.
#[test]
fn self_avoiding_paths_between_corners() {
    let known: [u128; 9] =
        [1, 2, 12, 184, 8512, 1_262_816, 575_780_564, 789_360_053_252, 3_266_598_486_981_642];
    for (side, known) in (1..).zip(known).skip(1) {
        let (graph, last) = (grid(side, side), side * side - 1);
        for threads in [1, 3] {
            let counts = counter(last).threads(threads).between(&graph, 0, last).unwrap();
            assert_eq!(all(&counts), known, "{side} x {side}");
        }
        // The shortest are the ways to order as many steps right as down.
        let shortest = 2 * (side - 1);
        let binomial = (1..side as u128).fold(1, |n, i| n * (side as u128 - 1 + i) / i);
        let counts = counter(shortest).between(&graph, 0, last).unwrap();
        assert_eq!((counts.paths(shortest), all(&counts)), (binomial.into(), binomial.into()));
    }
}

/// Lengths that are bound by less than the graph are the beginning of those that are not.
#[test]
fn a_shorter_bound_changes_no_number() {
    let graph = grid(5, 6);
    for subject in [Subject::Both, Subject::Paths, Subject::Cycles] {
        let full = counter(30).subject(subject).count(&graph).unwrap();
        for length in (0..30).step_by(3) {
            let counts = counter(length).subject(subject).count(&graph).unwrap();
            assert_eq!(counts.path_counts(), full.path_counts().map(|counts| &counts[..=length]));
            assert_eq!(counts.cycle_counts(), full.cycle_counts().map(|counts| &counts[..=length]));
        }
    }
}

#[test]
fn pairs_sum_up_to_the_total() {
    let graph = grid(3, 5);
    let total = counter(15).count(&graph).unwrap();
    let mut sums = vec![Count::ZERO; 16];
    for (u, v) in (0..15).flat_map(|v| (0..v).map(move |u| (u, v))) {
        let between = counter(15).between(&graph, u, v).unwrap();
        sums.iter_mut().zip(between.path_counts().unwrap()).for_each(|(sum, count)| *sum += count);
    }
    assert_eq!(sums[1..], total.path_counts().unwrap()[1..]);
}

/// The check that large instances are compared with.
#[test]
fn agrees_edge_by_edge() {
    let check = |graph: &Graph, pair: (usize, usize), length: usize| {
        let between = counter(length).between(graph, pair.0, pair.1).unwrap();
        let checked = |pair| Count::from(edge_by_edge::count(graph, pair, length, 2));
        assert_eq!(all(&between), checked(Some(pair)), "{pair:?} to {length}");
        let total = counter(length).subject(Subject::Paths).count(graph).unwrap();
        assert_eq!(total.path_counts().unwrap()[1..].iter().sum::<Count>(), checked(None), "to {length}");
    };
    let triangles = (0..14).flat_map(|v| [(v, (v + 1) % 14), (v, (v + 2) % 14), (v, (v + 5) % 14)]);
    let loops = [(3, 3), (8, 8)];
    let odd = Graph::from_edges(14, triangles.chain(loops)).unwrap();
    for length in [1, 2, 5, 8, 12, 13, 20] {
        check(&grid(4, 4), (0, 15), length);
        check(&grid(3, 6), (7, 4), length);
        check(&odd, (2, 11), length);
    }
}

/// n!/(n-l-1)!/2 paths of length l, past 64, 128 and 192 bits; all vertices are twins.
#[test]
fn complete_graphs() {
    for order in [9, 25, 45] {
        let counts = counter(order).count(&complete(order)).unwrap();
        let mut product = Count::from(order as u64);
        for length in 1..order {
            if length >= 3 {
                // A cycle of so many vertices has two directions, and begins at each of them.
                assert_eq!(&counts.cycles(length) * (2 * length as u64), product, "{order}: {length}");
            }
            product = &product * (order - length) as u64;
            assert_eq!(&counts.paths(length) * 2, product, "{order}: {length}");
        }
    }
}

#[test]
fn agrees_with_walks_on_what_is_too_long_for_the_oracle() {
    // A ladder with rungs doubled by twins, a wheel, and halves that are joined completely.
    let ladder = (0..12).flat_map(|i| [(i, i + 3), (i % 12, 12 + i % 4), (i, (i + 5) % 16)]);
    let wheel = (1..14).flat_map(|v| [(0, v), (v, v % 13 + 1)]);
    let halves = (0..5).flat_map(|u| (5..14).map(move |v| (u, v)));
    let graphs = [
        Graph::from_edges(16, ladder.filter(|(u, v)| u != v)),
        Graph::from_edges(14, wheel),
        Graph::from_edges(14, halves),
    ];
    for graph in graphs.map(Result::unwrap) {
        for subject in [Subject::Both, Subject::Paths, Subject::Cycles] {
            for length in [4, 7, 10] {
                let by =
                    |engine| Counter::up_to(length).engine(engine).subject(subject).count(&graph).unwrap();
                assert_eq!(by(Engine::Frontier), by(Engine::DepthFirst), "{subject:?} to {length}");
            }
        }
        for (u, v) in [(0, 1), (3, 9), (0, 13)] {
            let by = |engine| Counter::up_to(10).engine(engine).between(&graph, u, v).unwrap();
            assert_eq!(by(Engine::Frontier), by(Engine::DepthFirst), "{u} to {v}");
        }
    }
}

#[test]
fn a_count_without_memory_or_time_says_so_and_keeps_what_it_finished() {
    let graph = grid(9, 9);
    let full = counter(40).count(&graph).unwrap();
    let check = |counts: &Counts, outcome: Outcome| {
        assert_eq!(counts.outcome(), outcome);
        assert!((1..40).contains(&counts.finished()), "{}", counts.finished());
        assert_eq!(counts.path_counts().unwrap(), &full.path_counts().unwrap()[..=counts.finished()]);
    };
    for threads in [1, 3] {
        let counter = counter(40).threads(threads);
        check(&counter.clone().memory_limit(100_000).count(&graph).unwrap(), Outcome::Memory);
        check(&counter.clone().time_limit(Duration::ZERO).count(&graph).unwrap(), Outcome::Time);
        let some = counter.clone().budget(100_000).count(&graph).unwrap();
        check(&some, Outcome::Budget);
        assert!(some.finished() > 3, "what takes less is counted");
        let monitor = Monitor::new();
        monitor.interrupt();
        check(&counter.count_under(&graph, &monitor).unwrap(), Outcome::Interrupted);
    }
    assert_eq!(counter(40).memory_limit(1 << 33).count(&graph).unwrap(), full);
    let pair = counter(40).memory_limit(10_000).between(&graph, 0, 80).unwrap();
    assert_eq!(pair.outcome(), Outcome::Memory);
    // A frontier of more vertices than states have room for.
    let wide =
        Graph::from_edges(400, (0..400).flat_map(|v| (1..=v.min(150)).map(move |d| (v - d, v)))).unwrap();
    let counts = counter(20).count(&wide).unwrap();
    assert_eq!((counts.outcome(), counts.finished()), (Outcome::Memory, 1));
    assert_eq!(counts.paths(1), wide.size() as u128);
}

#[test]
fn progress_ends_at_one() {
    for graph in
        [grid(4, 4), grid(9, 9), Graph::from_edges(5, []).unwrap(), Graph::from_edges(0, []).unwrap()]
    {
        for subject in [Subject::Both, Subject::Cycles] {
            let monitor = Monitor::new();
            counter(12).subject(subject).count_under(&graph, &monitor).unwrap();
            assert!(monitor.progress() > 0.999_999, "{}", monitor.progress());
        }
    }
    let monitor = Monitor::new();
    counter(12).between_under(&grid(9, 9), 0, 80, &monitor).unwrap();
    assert!(monitor.progress() > 0.999_999, "no path is so short: {}", monitor.progress());
}

#[test]
fn directions_are_refused() {
    let directed = Graph::from_arcs(3, [(0, 1), (1, 2)]).unwrap();
    let refused = counter(3).count(&directed).unwrap_err();
    assert!(refused.is_usage());
    assert_eq!(
        refused.to_string(),
        "the frontier engine counts in graphs without directions: take another, or auto"
    );
    assert!(counter(3).count_each(&[complete(3), directed.clone()]).is_err());
    assert!(counter(3).between(&directed, 0, 1).is_err());
    let arcs = weighted(&directed, |_, _| 1.0);
    assert!(counter(3).weighted(&arcs).is_err() && counter(3).signed(&arcs).is_err());
}

/// The same graph, whose edges weigh what is said of their ends.
fn weighted(graph: &Graph, weight: impl Fn(usize, usize) -> f64) -> Graph {
    let order = graph.order();
    let mut builder =
        if graph.is_directed() { GraphBuilder::directed(order) } else { GraphBuilder::undirected(order) };
    graph.edges().for_each(|(u, v)| _ = builder.edge(u, v).unwrap());
    builder.weights(graph.edges().map(|(u, v)| weight(u, v)));
    builder.build().unwrap()
}

/// Checks sums of weights, and signs, against a walk. Doubles are as good as what is summed up.
fn check_weights(graph: &Graph, longest: usize) {
    let size =
        weighted(graph, |u, v| graph.weights().unwrap()[graph.edge_of(graph.arc(u, v).unwrap())].abs());
    for subject in [Subject::Both, Subject::Paths, Subject::Cycles] {
        let by = |engine| Counter::up_to(longest).subject(subject).engine(engine);
        let sums = |engine, graph| by(engine).weighted(graph).unwrap();
        let [swept, walked] = [Engine::Frontier, Engine::DepthFirst].map(|engine| sums(engine, graph));
        let size = sums(Engine::DepthFirst, &size);
        for (swept, walked, size, is_asked) in [
            (swept.path_sums(), walked.path_sums(), size.path_sums(), subject != Subject::Cycles),
            (swept.cycle_sums(), walked.cycle_sums(), size.cycle_sums(), subject != Subject::Paths),
        ] {
            if !is_asked {
                continue;
            }
            assert_eq!(swept.len(), longest + 1);
            for ((swept, walked), size) in swept.iter().zip(walked).zip(size) {
                assert!((swept - walked).abs() <= 1e-12 * size, "{subject:?}: {swept} is not {walked}");
            }
        }
        let signed = |engine| by(engine).signed(graph).unwrap();
        assert_eq!(signed(Engine::Frontier), signed(Engine::DepthFirst), "{subject:?}");
    }
}

/// Vertices with the same neighbours, of which some weigh the same and others do not.
#[test]
fn twins_are_told_apart_by_weights() {
    let star = Graph::from_edges(9, (1..9).map(|v| (0, v))).unwrap();
    let halves = Graph::from_edges(9, (0..3).flat_map(|u| (3..9).map(move |v| (u, v)))).unwrap();
    let apart = Graph::from_edges(12, (0..4).flat_map(|u| [(u, u + 4), (u, (u + 1) % 4)])).unwrap();
    for graph in [star, halves, complete(7), apart] {
        for longest in [2, 3, 5, 9] {
            check_weights(&weighted(&graph, |_, _| -1.5), longest);
            check_weights(&weighted(&graph, |u, v| (u + v) as f64 - 5.5), longest);
            check_weights(&weighted(&graph, |u, v| if u.max(v) > 5 { 2.0 } else { 0.5 }), longest);
            // Of the triangles of a complete graph with one edge unlike all others, some are alike.
            check_weights(&weighted(&graph, |u, v| if u + v == 1 { -3.0 } else { 1.0 }), longest);
        }
    }
}

#[test]
fn graphs_with_little_to_weigh() {
    for edges in [vec![], vec![(0, 0)], vec![(0, 1), (1, 1)], vec![(0, 1), (2, 3), (3, 3)]] {
        let order = edges.iter().map(|&(u, v): &(usize, usize)| u.max(v) + 1).max().unwrap_or(0);
        let graph = Graph::from_edges(order, edges).unwrap();
        (0..4).for_each(|longest| check_weights(&weighted(&graph, |_, _| -2.5), longest));
    }
}

/// Where each edge weighs the same, paths of a length do.
#[test]
fn weights_of_what_is_too_long_to_walk() {
    let graph = grid(6, 6);
    let counts = counter(36).count(&graph).unwrap();
    let doubled = counter(36).weighted(&weighted(&graph, |_, _| 2.0)).unwrap();
    // All paths of odd length are negative then, and no cycle of a grid has odd length.
    let signed = counter(36).signed(&weighted(&graph, |_, _| -1.0)).unwrap();
    // Paths that end at the corner are negative, and those through it have two negative edges.
    let corner = counter(36).signed(&weighted(&graph, |u, _| if u == 0 { -1.0 } else { 1.0 })).unwrap();
    for length in 1..=36 {
        let power = (1u64 << length) as f64;
        for (sum, count) in
            [(doubled.paths(length), counts.paths(length)), (doubled.cycles(length), counts.cycles(length))]
        {
            assert!((sum - power * count.to_f64()).abs() <= 1e-12 * sum, "{length}: {sum}");
        }
        let negative = if length % 2 == 1 { counts.paths(length) } else { Count::ZERO };
        assert_eq!(signed.negative().paths(length), negative);
        assert_eq!(signed.negative().cycles(length), 0);
        assert_eq!(corner.negative().cycles(length), 0, "a cycle leaves a corner as it came");
    }
    let from_corner: Vec<Count> = (1..36).map(|v| counter(36).between(&graph, 0, v).unwrap()).fold(
        vec![Count::ZERO; 37],
        |mut sums, counts| {
            sums.iter_mut().zip(counts.path_counts().unwrap()).for_each(|(sum, count)| *sum += count);
            sums
        },
    );
    assert_eq!(corner.negative().path_counts().unwrap()[1..], from_corner[1..]);
}

/// n!/(n-l-1)!/2 paths of length l, past 64 and 128 bits, of which those of odd length are negative.
#[test]
fn signs_past_every_width() {
    for order in [9, 45] {
        let counts = counter(order).count(&complete(order)).unwrap();
        let signed = counter(order).signed(&weighted(&complete(order), |_, _| -2.0)).unwrap();
        for length in 1..=order {
            let [same, other] = match length % 2 {
                0 => [signed.positive(), signed.negative()],
                _ => [signed.negative(), signed.positive()],
            };
            assert_eq!((same.paths(length), other.paths(length)), (counts.paths(length), Count::ZERO));
            assert_eq!((same.cycles(length), other.cycles(length)), (counts.cycles(length), Count::ZERO));
        }
    }
}

#[test]
fn sums_of_reals_are_the_same_on_any_number_of_threads() {
    let graph = weighted(&grid(8, 8), |u, v| 1.0 / (u + 2 * v + 3) as f64);
    let sums = |threads| counter(30).threads(threads).weighted(&graph).unwrap();
    assert_eq!(sums(1), sums(3));
    assert_eq!(sums(1), sums(1), "nor on anything else");
}

/// Random graphs, with loops; some of their vertices get twins.
fn graphs() -> impl Strategy<Value = (usize, Vec<(usize, usize)>)> {
    (2..=7usize).prop_flat_map(|order| {
        (vec((0..order, 0..order), 0..=16), vec((0..order, any::<bool>()), 0..=2)).prop_map(
            move |(mut edges, twins)| {
                for (new, (v, is_joined)) in (order..).zip(&twins) {
                    let around = |&(a, b): &(usize, usize)| match (a == *v, b == *v) {
                        (true, false) => Some((new, b)),
                        (false, true) => Some((a, new)),
                        _ => None,
                    };
                    let copies: Vec<_> = edges.iter().filter_map(around).collect();
                    edges.extend(copies);
                    edges.extend(is_joined.then_some((*v, new)));
                }
                (order + twins.len(), edges)
            },
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn agrees_with_the_oracle((order, edges) in graphs(), longest in 0..=10usize) {
        let graph = common::graph(false, order, &edges);
        common::check_against_the_oracle(&graph, longest, &counter(longest));
    }

    #[test]
    fn weights_agree_with_walks((order, edges) in graphs(), longest in 0..=10usize, weights in vec(0..4usize, 25)) {
        let graph = common::graph(false, order, &edges);
        check_weights(&weighted(&graph, |u, v| [1.0, -0.75, 2.5, 1.0][weights[(u * v + u + v) % 25]]), longest);
    }

    /// Another order of the vertices is another order of elimination.
    #[test]
    fn orders_agree((order, edges) in graphs(), turn in 1..7usize) {
        let graph = common::graph(false, order, &edges);
        let turned: Vec<_> = edges.iter().map(|&(u, v)| ((u * 5 + turn) % 11, (v * 5 + turn) % 11)).collect();
        let turned = common::graph(false, 11, &turned);
        for subject in [Subject::Both, Subject::Cycles] {
            let [one, other] = [&graph, &turned].map(|graph| counter(9).subject(subject).count(graph).unwrap());
            prop_assert_eq!(one.cycle_counts(), other.cycle_counts());
            prop_assert_eq!(one.path_counts().map(|counts| &counts[1..]), other.path_counts().map(|counts| &counts[1..]));
        }
    }
}

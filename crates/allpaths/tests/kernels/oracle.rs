//! Kernels as their definitions have them: short, obvious, never optimised.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::related_work::walks;
use super::*;

pub(super) type Counts<K> = BTreeMap<K, f64>;

fn label(graph: &Graph, v: usize) -> &str {
    graph.vertex_labels().map_or("*", |labels| labels.name(v))
}

fn joined(graph: &Graph, u: usize, v: usize) -> bool {
    graph.arc(u, v).is_some() || graph.arc(v, u).is_some()
}

pub(super) fn dot<K: Ord>(x: &Counts<K>, y: &Counts<K>) -> f64 {
    x.iter().map(|(key, value)| value * y.get(key).unwrap_or(&0.0)).sum()
}

/// Sets of so many of the numbers below `n`.
fn sets(n: usize, size: usize) -> Vec<Vec<usize>> {
    match size {
        0 => vec![vec![]],
        _ => sets(n, size - 1)
            .into_iter()
            .flat_map(|set| {
                (set.last().map_or(0, |v| v + 1)..n).map(move |v| [set.as_slice(), &[v]].concat())
            })
            .collect(),
    }
}

fn orders(set: &[usize]) -> Vec<Vec<usize>> {
    match set {
        [] => vec![vec![]],
        _ => set
            .iter()
            .flat_map(|&first| {
                let rest: Vec<usize> = set.iter().copied().filter(|&v| v != first).collect();
                orders(&rest).into_iter().map(move |order| [&[first], order.as_slice()].concat())
            })
            .collect(),
    }
}

fn is_connected(set: &[usize], joined: impl Fn(usize, usize) -> bool) -> bool {
    let mut reached = vec![set[0]];
    for _ in set {
        reached = set.iter().copied().filter(|&v| reached.iter().any(|&u| u == v || joined(u, v))).collect();
    }
    reached.len() == set.len()
}

/// A graph written down: its labels, and for each pair of vertices whether they are joined.
type Written = (Vec<String>, Vec<bool>);

/// The smallest of all ways to write a graph down.
fn least(set: &[usize], label: impl Fn(usize) -> String, joined: impl Fn(usize, usize) -> bool) -> Written {
    let write = |order: &Vec<usize>| {
        let pairs = (0..order.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
        let edges = pairs.map(|(i, j)| joined(order[i], order[j])).collect();
        (order.iter().map(|&v| label(v)).collect(), edges)
    };
    orders(set).iter().map(write).min().unwrap()
}

/// Graphlets by the smallest of all ways to write them down.
fn graphlets(graph: &Graph, sizes: &[usize], all: bool, labels: bool) -> Counts<Written> {
    let mut counts = Counts::new();
    for set in sizes.iter().flat_map(|&size| sets(graph.order(), size)) {
        let name = |v| if labels { label(graph, v).to_owned() } else { String::new() };
        let joined = |u, v| joined(graph, u, v);
        if all || is_connected(&set, joined) {
            *counts.entry(least(&set, name, joined)).or_default() += 1.0;
        }
    }
    counts
}

/// Ordered pairs by labels and distance, which is a quarter of a whole number.
fn distances(graph: &Graph, weighted: bool) -> Counts<(String, String, i64)> {
    let n = graph.order();
    let mut distance = vec![vec![f64::INFINITY; n]; n];
    for (edge, (u, v)) in graph.edges().enumerate() {
        let length = if weighted { graph.weights().unwrap()[edge] } else { 1.0 };
        distance[u][v] = length;
        if !graph.is_directed() {
            distance[v][u] = length;
        }
    }
    for w in 0..n {
        for u in 0..n {
            for v in 0..n {
                distance[u][v] = distance[u][v].min(distance[u][w] + distance[w][v]);
            }
        }
    }
    let mut counts = Counts::new();
    for (u, v) in (0..n).flat_map(|u| (0..n).map(move |v| (u, v))).filter(|(u, v)| u != v) {
        if distance[u][v].is_finite() {
            let key = (label(graph, u).to_owned(), label(graph, v).to_owned(), (4.0 * distance[u][v]) as i64);
            *counts.entry(key).or_default() += 1.0;
        }
    }
    counts
}

/// Vertices by all that refinement puts into their labels, written out.
fn refined(graph: &Graph, rounds: usize, edge_labels: bool) -> Counts<(usize, String)> {
    let mut labels: Vec<String> = (0..graph.order()).map(|v| label(graph, v).to_owned()).collect();
    let mut counts = Counts::new();
    for round in 0..=rounds {
        labels.iter().for_each(|label| *counts.entry((round, label.clone())).or_default() += 1.0);
        let next = |v: usize| {
            let edge = |edge: usize| {
                graph.edge_labels().filter(|_| edge_labels).map_or("", |labels| labels.name(edge))
            };
            let mut around: Vec<String> = graph
                .arcs(v)
                .map(|arc| format!("{}{}", edge(graph.edge_of(arc)), labels[arc.target]))
                .collect();
            around.sort();
            format!("({}:{})", labels[v], around.join(","))
        };
        labels = (0..graph.order()).map(next).collect();
    }
    counts
}

/// Walks that use no edge twice, by what they read; on an undirected graph a walk and its reverse are one.
fn trails(graph: &Graph, longest: usize) -> Counts<Vec<String>> {
    fn one<T: Clone + Ord>(graph: &Graph, walk: Vec<T>) -> Vec<T> {
        let back = walk.iter().rev().cloned().collect();
        if graph.is_directed() { walk } else { walk.min(back) }
    }
    let is_trail = |walk: &Vec<usize>| {
        let edges: BTreeSet<_> = walk.windows(2).map(|step| one(graph, step.to_vec())).collect();
        edges.len() + 1 == walk.len()
    };
    let all = (0..=longest).flat_map(|length| walks(graph, length)).filter(is_trail);
    let all: BTreeSet<Vec<usize>> = all.map(|walk| one(graph, walk)).collect();
    let mut counts = Counts::new();
    for walk in all {
        let read = walk.iter().map(|&v| label(graph, v).to_owned()).collect();
        *counts.entry(one(graph, read)).or_default() += 1.0;
    }
    counts
}

/// Connected subgraphs, induced or not, by the smallest of all ways to write them down.
fn subgraphs(graph: &Graph, largest: usize) -> Counts<Written> {
    let mut counts = Counts::new();
    for set in (1..=largest).flat_map(|size| sets(graph.order(), size)) {
        let pairs = (0..set.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
        let edges: Vec<_> =
            pairs.map(|(i, j)| (set[i], set[j])).filter(|&(u, v)| joined(graph, u, v)).collect();
        for some in 0..1usize << edges.len() {
            let chosen = |u, v| {
                edges
                    .iter()
                    .enumerate()
                    .any(|(i, &edge)| some >> i & 1 == 1 && (edge == (u, v) || edge == (v, u)))
            };
            if is_connected(&set, chosen) {
                *counts.entry(least(&set, |v| label(graph, v).to_owned(), chosen)).or_default() += 1.0;
            }
        }
    }
    counts
}

fn minima<K: Ord>(x: &Counts<K>, y: &Counts<K>) -> f64 {
    x.iter().map(|(key, value)| value.min(*y.get(key).unwrap_or(&0.0))).sum()
}

/// Small graphs with few labels, so that they repeat.
pub(super) fn specs() -> impl Strategy<Value = Vec<random::Spec>> {
    prop::collection::vec(random::graphs(random::Texts { text: "[a-c]", ..random::LABEL }), 1..8)
}

fn agree<K: Ord>(
    kernel: impl Into<Substructures>,
    compare: Compare,
    graphs: &[Graph],
    count: impl Fn(&Graph) -> Counts<K>,
    compared: impl Fn(&Counts<K>, &Counts<K>) -> f64,
) -> Result<(), TestCaseError> {
    let counts: Vec<_> = graphs.iter().map(count).collect();
    let gram = square(&GraphKernel::new(kernel).comparison(Comparison::new(compare)), graphs);
    for (i, x) in counts.iter().enumerate() {
        let expected: Vec<f64> = counts.iter().map(|y| compared(x, y)).collect();
        prop_assert_eq!(gram.row(i), expected);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn graphlets_are_the_oracles(specs in specs(), all in any::<bool>(), labels in any::<bool>(), smallest in 3..=5usize, largest in 3..=5usize) {
        let graphs: Vec<Graph> = specs.iter().map(random::Spec::build).collect();
        let sizes = smallest.min(largest)..=largest;
        let settings = Graphlet::of_sizes(sizes.clone())
            .graphlets(if all { Graphlets::All } else { Graphlets::Connected })
            .labels(if labels { LabelChoice::All } else { LabelChoice::Commonest(1) });
        let sizes: Vec<usize> = sizes.collect();
        agree(settings, Compare::Linear, &graphs, |graph| graphlets(graph, &sizes, all, labels), dot)?;
    }

    #[test]
    fn distances_are_the_oracles(mut specs in specs(), weighted in any::<bool>()) {
        for spec in &mut specs {
            spec.weights = weighted.then(|| (0..spec.edges.len()).map(|edge| (edge * 7 % 5) as f64 / 4.0).collect());
        }
        let graphs: Vec<Graph> = specs.iter().map(random::Spec::build).collect();
        let lengths = if weighted { allpaths::kernel::Lengths::Weights } else { allpaths::kernel::Lengths::Edges };
        agree(ShortestPath::new().lengths(lengths), Compare::Linear, &graphs, |graph| distances(graph, weighted), dot)?;
    }

    #[test]
    fn trails_are_the_oracles(specs in specs(), longest in 0..=5usize) {
        let graphs: Vec<Graph> = specs.iter().map(random::Spec::build).collect();
        agree(EdgePaths::up_to(longest), Compare::Linear, &graphs, |graph| trails(graph, longest), dot)?;
    }

    #[test]
    fn connected_subgraphs_are_the_oracles(specs in specs(), largest in 1..=4usize) {
        let graphs: Vec<Graph> = specs.iter().map(random::Spec::build).collect();
        agree(ConnectedSubgraphs::up_to(largest), Compare::Linear, &graphs, |graph| subgraphs(graph, largest), dot)?;
    }

    #[test]
    fn refined_labels_are_the_oracles(specs in specs(), rounds in 0..4usize, edge_labels in any::<bool>()) {
        let graphs: Vec<Graph> = specs.iter().map(random::Spec::build).collect();
        let edge_labels = edge_labels && graphs.iter().all(|graph| graph.size() == 0 || graph.edge_labels().is_some());
        let settings = WeisfeilerLehman::new(rounds);
        let settings = if edge_labels { with_edge_labels(settings) } else { settings };
        let count = |graph: &Graph| refined(graph, rounds, edge_labels);
        agree(settings.clone(), Compare::Linear, &graphs, count, dot)?;
        agree(Substructures::OptimalAssignment(settings), Compare::Intersection, &graphs, count, minima)?;
    }
}

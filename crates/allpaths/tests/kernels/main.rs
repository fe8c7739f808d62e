//! Kernels: worked out by hand, against oracles, and what holds for every kernel and every graph.

#![allow(clippy::float_cmp)] // whole numbers are summed exactly, and bytes are to be the same

#[path = "../random/mod.rs"]
mod random;

mod by_hand;
mod comparisons;
mod oracle;
mod properties;
mod related_work;
mod settings;

use allpaths::embed::{EdgeLabels, Profile};
use allpaths::graph::GraphBuilder;
use allpaths::kernel::{
    BacktracklessWalk, Compare, Comparison, ConnectedSubgraphs, Counted, CyclicPattern, EdgePaths, Gram,
    Graphlet, Graphlets, NeighbourhoodPairs, RandomWalk, Samples, ShortestPath, Solver, Substructures,
    Tottering, TreePattern, TreeWeights, WeisfeilerLehman,
};
use allpaths::label::{Cycles, Encoding, LabelChoice};
use allpaths::{AllPathsCycles, Graph, GraphKernel};

fn labelled(labels: &[&str], edges: &[(usize, usize, &str)]) -> Graph {
    let mut builder = GraphBuilder::undirected(labels.len());
    builder.vertex_labels(labels);
    edges.iter().for_each(|&(u, v, _)| _ = builder.edge(u, v).unwrap());
    builder.edge_labels(edges.iter().map(|&(.., label)| label));
    builder.build().unwrap()
}

/// Every kernel that needs no edge labels or weights.
fn kernels() -> Vec<GraphKernel> {
    let triangle = || AllPathsCycles::of(Profile::triangle(2).unwrap());
    let substructures: Vec<Substructures> = vec![
        AllPathsCycles::up_to(3).into(),
        AllPathsCycles::up_to(3).encoding(Encoding::Composition).into(),
        AllPathsCycles::up_to(3).encoding(Encoding::Power).into(),
        AllPathsCycles::up_to(3).cycles(Cycles::Merged).min_graphs(2).into(),
        AllPathsCycles::up_to(3).hash_bits(4).into(),
        AllPathsCycles::paper(3).into(),
        triangle().into(),
        Substructures::AllPaths(AllPathsCycles::up_to(3)),
        ShortestPath::new().into(),
        ShortestPath::new().labels(LabelChoice::Commonest(1)).into(),
        Graphlet::default().into(),
        Graphlet::of_sizes(3..=4).graphlets(Graphlets::All).into(),
        Graphlet::of_sizes(4..=5).labels(LabelChoice::All).into(),
        WeisfeilerLehman::new(2).into(),
        Substructures::OptimalAssignment(WeisfeilerLehman::new(2)),
        Substructures::VertexHistogram,
        Substructures::EdgeHistogram,
        RandomWalk::up_to(3).into(),
        RandomWalk::up_to(3).weights([1.0, 0.5, 0.0, 2.0]).labels(LabelChoice::Commonest(1)).into(),
        BacktracklessWalk::up_to(3).into(),
        BacktracklessWalk::up_to(2).weights([0.0, 1.0, 3.0]).into(),
        EdgePaths::up_to(3).into(),
        NeighbourhoodPairs::up_to(2, 2).into(),
        CyclicPattern::up_to(5).into(),
        ConnectedSubgraphs::up_to(4).into(),
        ConnectedSubgraphs::up_to(3).weights([1.0, 0.5, 0.1]).into(),
    ];
    let mut kernels: Vec<GraphKernel> = substructures.into_iter().map(GraphKernel::new).collect();
    kernels.extend(on_pairs());
    kernels.extend(
        comparisons().into_iter().map(|comparison| GraphKernel::new(triangle()).comparison(comparison)),
    );
    kernels.push(GraphKernel::new(Graphlet::default().sampling(Samples::Number(50), 1)));
    kernels
}

/// Kernels that have no features.
fn on_pairs() -> Vec<GraphKernel> {
    let walks = || GraphKernel::new(RandomWalk::geometric(0.01));
    vec![
        walks(),
        walks().compared(Comparison::normalized),
        walks().compared(|comparison| comparison.compare(Compare::Cosine).rbf_distance(0.5)),
        GraphKernel::new(
            RandomWalk::geometric(0.005).solver(Solver::FixedPoint).labels(LabelChoice::Commonest(1)),
        ),
        GraphKernel::new(TreePattern::of_height(2)),
        GraphKernel::new(TreePattern::of_height(0)).compared(|comparison| comparison.rbf_distance(1.0)),
        GraphKernel::new(
            TreePattern::of_height(3)
                .lambda(0.2)
                .tree_weights(TreeWeights::Size)
                .tottering(Tottering::Excluded),
        ),
    ]
}

/// Every comparison that the settings allow.
fn comparisons() -> Vec<Comparison> {
    let mut all =
        vec![Comparison::new(Compare::Rbf), Comparison::new(Compare::Rbf).scale(2.0).counts(Counted::Log)];
    for compare in [Compare::Linear, Compare::Cosine, Compare::Intersection, Compare::MinMax] {
        for counted in [Counted::Raw, Counted::Log, Counted::Binary, Counted::Share] {
            let plain = Comparison::new(compare).counts(counted);
            all.extend([plain.clone(), plain.clone().normalized(), plain.clone().by_cell()]);
            all.extend([plain.clone().rbf_distance(0.5), plain.by_cell().rbf_distance(2.0)]);
        }
    }
    all
}

fn square(kernel: &GraphKernel, graphs: &[Graph]) -> Gram<f64> {
    kernel.fit(graphs).unwrap().gram().unwrap()
}

/// Two by two, row by row.
fn two_by_two(kernel: &GraphKernel, graphs: &[Graph; 2]) -> [f64; 4] {
    square(kernel, graphs).values().try_into().unwrap()
}

fn with_edge_labels(settings: WeisfeilerLehman) -> WeisfeilerLehman {
    settings.edge_labels(EdgeLabels::Used)
}

//! Two graphs, every kernel.

use allpaths::kernel::Lengths;

use super::*;

/// ```text
/// 0:C - 1:C = 2:O        0:C - 1:O
///                          \   /
///                           2:C
/// ```
fn pair() -> [Graph; 2] {
    let path = labelled(&["C", "C", "O"], &[(0, 1, "-"), (1, 2, "=")]);
    let triangle = labelled(&["C", "O", "C"], &[(0, 1, "-"), (1, 2, "-"), (2, 0, "-")]);
    [path, triangle]
}

fn linear() -> Comparison {
    Comparison::new(Compare::Linear)
}

#[test]
fn all_paths_and_cycles() {
    // Path: C 2, O 1; C-C 1, C-O 1; C-C-O 1. Triangle: C 2, O 1; C-C 1, C-O 2; C-C-O 2, C-O-C 1; the cycle.
    let kernel = GraphKernel::new(AllPathsCycles::up_to(3));
    assert_eq!(two_by_two(&kernel, &pair()), [1.0, 6.0 / 10.0, 6.0 / 10.0, 1.0]);
    let kernel = GraphKernel::new(AllPathsCycles::up_to(3)).comparison(linear());
    assert_eq!(two_by_two(&kernel, &pair()), [8.0, 10.0, 10.0, 16.0]);
    let kernel = GraphKernel::new(Substructures::AllPaths(AllPathsCycles::up_to(3)));
    assert_eq!(two_by_two(&kernel, &pair()), [1.0, 6.0 / 9.0, 6.0 / 9.0, 1.0]);
}

#[test]
fn shortest_paths() {
    // Ordered pairs. Path: CC1 2, CO1 1, OC1 1, CO2 1, OC2 1. Triangle: CC1 2, CO1 2, OC1 2.
    let kernel = GraphKernel::new(ShortestPath::new());
    assert_eq!(two_by_two(&kernel, &pair()), [8.0, 8.0, 8.0, 12.0]);
    // Without labels: 4 at distance 1 and 2 at 2; 6 at distance 1.
    let kernel = GraphKernel::new(ShortestPath::new().labels(LabelChoice::Commonest(1)));
    assert_eq!(two_by_two(&kernel, &pair()), [20.0, 24.0, 24.0, 36.0]);
}

#[test]
fn shortest_paths_by_weight() {
    // 0 -1/2- 1 -1/4- 2 and a long way from 0 to 2; the same without it.
    let graph = |edges: &[(usize, usize, f64)]| {
        let mut builder = GraphBuilder::undirected(3);
        edges.iter().for_each(|&(u, v, _)| _ = builder.edge(u, v).unwrap());
        builder.weights(edges.iter().map(|&(.., weight)| weight));
        builder.build().unwrap()
    };
    let graphs = [graph(&[(0, 1, 0.5), (1, 2, 0.25), (0, 2, 7.0)]), graph(&[(0, 1, 0.5), (1, 2, 0.25)])];
    let kernel = GraphKernel::new(ShortestPath::new().lengths(Lengths::Weights));
    // At 1/2, 1/4 and 3/4, two ordered pairs each.
    assert_eq!(two_by_two(&kernel, &graphs), [12.0; 4]);
    let features = kernel.features(&graphs).unwrap();
    assert_eq!(features.count(0, "distance:0.75:[*,*]"), Some(2));
}

#[test]
fn graphlets() {
    // A star of three rays, and a triangle with a tail.
    let star = Graph::from_edges(4, [(0, 1), (0, 2), (0, 3)]).unwrap();
    let paw = Graph::from_edges(4, [(0, 1), (1, 2), (2, 0), (2, 3)]).unwrap();
    let graphs = [star, paw];
    // Of three vertices: 3 paths; 2 paths, 1 triangle.
    let kernel = GraphKernel::new(Graphlet::of_sizes(3..=3)).comparison(linear());
    assert_eq!(two_by_two(&kernel, &graphs), [9.0, 6.0, 6.0, 5.0]);
    // Also those that do not hang together: 1 without edges; 1 with one edge.
    let kernel = GraphKernel::new(Graphlet::of_sizes(3..=3).graphlets(Graphlets::All)).comparison(linear());
    assert_eq!(two_by_two(&kernel, &graphs), [10.0, 6.0, 6.0, 6.0]);
    // Shares: 3/4 and 1/4 of 3 and 4 vertices; 1/2, 1/4 and 1/4.
    let kernel = GraphKernel::new(Graphlet::of_sizes(3..=4));
    assert_eq!(two_by_two(&kernel, &graphs), [0.625, 0.375, 0.375, 0.375]);
}

#[test]
fn labelled_graphlets() {
    // C-C=O is C-C-O with the O at an end; C-O-C has it in the middle.
    let middle = labelled(&["C", "O", "C"], &[(0, 1, "-"), (1, 2, "-")]);
    let [end, _] = pair();
    let settings = Graphlet::of_sizes(3..=3);
    let graphs = [end, middle];
    assert_eq!(two_by_two(&GraphKernel::new(settings.clone()), &graphs), [1.0; 4]);
    assert_eq!(
        two_by_two(&GraphKernel::new(settings.labels(LabelChoice::All)), &graphs),
        [1.0, 0.0, 0.0, 1.0]
    );
}

#[test]
fn weisfeiler_lehman() {
    // Plain: C 2, O 1 in both. After a round the path has C|C, C|CO, O|C, the triangle C|CO twice and O|CC.
    let kernel = GraphKernel::new(WeisfeilerLehman::new(1));
    assert_eq!(two_by_two(&kernel, &pair()), [5.0 + 3.0, 5.0 + 2.0, 5.0 + 2.0, 5.0 + 5.0]);
    // With edge labels, C|C-O= is not C|C-O-.
    let kernel = GraphKernel::new(with_edge_labels(WeisfeilerLehman::new(1)));
    assert_eq!(two_by_two(&kernel, &pair()), [5.0 + 3.0, 5.0, 5.0, 5.0 + 5.0]);
}

#[test]
fn optimal_assignment() {
    // Plain labels agree three times, and after a round once.
    let kernel = GraphKernel::optimal_assignment(WeisfeilerLehman::new(1));
    assert_eq!(two_by_two(&kernel, &pair()), [6.0, 4.0, 4.0, 6.0]);
    let kernel = kernel.compared(Comparison::normalized);
    assert_eq!(two_by_two(&kernel, &pair()), [1.0, 4.0 / 6.0, 4.0 / 6.0, 1.0]);
}

#[test]
fn histograms() {
    assert_eq!(two_by_two(&GraphKernel::new(Substructures::VertexHistogram), &pair()), [5.0; 4]);
    assert_eq!(two_by_two(&GraphKernel::new(Substructures::EdgeHistogram), &pair()), [2.0, 3.0, 3.0, 9.0]);
}

#[test]
fn every_comparison() {
    // Path 2 C, 1 O; 1 C-C, 1 C-O. Triangle 2 C, 1 O; 1 C-C, 2 C-O.
    let kernel = |comparison| GraphKernel::new(AllPathsCycles::up_to(1)).comparison(comparison);
    let values = |comparison| two_by_two(&kernel(comparison), &pair());
    assert_eq!(values(Comparison::new(Compare::Linear)), [7.0, 8.0, 8.0, 10.0]);
    let cosine = 8.0 / 70.0f64.sqrt();
    assert_eq!(values(Comparison::new(Compare::Cosine)), [1.0, cosine, cosine, 1.0]);
    assert_eq!(values(Comparison::new(Compare::Linear).normalized()), [1.0, cosine, cosine, 1.0]);
    assert_eq!(values(Comparison::new(Compare::Intersection)), [5.0, 5.0, 5.0, 6.0]);
    assert_eq!(values(Comparison::new(Compare::MinMax)), [1.0, 5.0 / 6.0, 5.0 / 6.0, 1.0]);
    assert_eq!(values(Comparison::new(Compare::MinMax).counts(Counted::Binary)), [1.0; 4]);
    // Vertices agree; of the edges two thirds do.
    let cells = f64::midpoint(1.0, 2.0 / 3.0);
    assert_eq!(values(Comparison::new(Compare::MinMax).by_cell()), [1.0, cells, cells, 1.0]);
    // C-O alone deviates: 1 and 2, by 1/2 from 3/2. So the distance is 2, and the only one.
    let e = (-1.0f64).exp();
    assert_eq!(values(Comparison::new(Compare::Rbf)), [1.0, e, e, 1.0]);
    let wide = (-4.0f64 / 9.0).exp();
    assert_eq!(values(Comparison::new(Compare::Rbf).scale(3.0)), [1.0, wide, wide, 1.0]);
    let half = (-0.5f64).exp();
    assert_eq!(values(Comparison::new(Compare::MinMax).rbf_distance(0.5)), [1.0, half, half, 1.0]);
}

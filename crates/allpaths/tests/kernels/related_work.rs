//! The kernels of the paper's related work: worked out by hand, and against what they stand for.

use std::time::Duration;

use allpaths::Monitor;
use allpaths::count::Limits;
use allpaths::embed::Stopped;
use proptest::prelude::*;

use super::oracle::specs;
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

fn linear(what: impl Into<Substructures>) -> GraphKernel {
    GraphKernel::new(what).comparison(Comparison::new(Compare::Linear))
}

fn assert_close(values: [f64; 4], expected: [f64; 4]) {
    for (value, expected) in values.into_iter().zip(expected) {
        assert!((value - expected).abs() <= 1e-12 * expected.abs(), "{value} {expected}");
    }
}

/// What can be said of walks in general: as sequences of vertices.
pub(super) fn walks(graph: &Graph, length: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = (0..graph.order()).map(|v| vec![v]).collect();
    for _ in 0..length {
        let longer = |walk: &Vec<usize>| -> Vec<Vec<usize>> {
            let next = graph.neighbours(walk[walk.len() - 1]);
            next.iter().map(|&w| [walk.as_slice(), &[w as usize]].concat()).collect()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

fn label(graph: &Graph, v: usize) -> &str {
    graph.vertex_labels().map_or("*", |labels| labels.name(v))
}

/// How many pairs of walks of a length, one in each graph, read the same, among those that are allowed.
fn common_walks(
    left: &Graph,
    right: &Graph,
    length: usize,
    allowed: impl Fn(&Graph, &[usize]) -> bool,
) -> f64 {
    let read = |graph: &Graph| -> Vec<Vec<String>> {
        let walks = walks(graph, length).into_iter().filter(|walk| allowed(graph, walk));
        walks.map(|walk| walk.iter().map(|&v| label(graph, v).to_owned()).collect()).collect()
    };
    let (left, right) = (read(left), read(right));
    left.iter().map(|walk| right.iter().filter(|other| *other == walk).count() as f64).sum()
}

#[test]
fn random_walks_of_bounded_length() {
    // Length 0: C 2, O 1 each. Length 1: CC 2, CO 1, OC 1; CC 2, CO 2, OC 2. Length 2, path: CCC 2, CCO 1, OCC 1, COC 1, OCO 1;
    // triangle: CCC 2, CCO 2, OCC 2, COC 4, OCO 2.
    let kernel = linear(RandomWalk::up_to(2));
    assert_eq!(two_by_two(&kernel, &pair()), [5.0 + 6.0 + 8.0, 5.0 + 8.0 + 14.0, 27.0, 5.0 + 12.0 + 32.0]);
    let weighted = linear(RandomWalk::up_to(2).weights([0.0, 1.0, 0.5]));
    assert_close(two_by_two(&weighted, &pair()), [6.0 + 4.0, 8.0 + 7.0, 15.0, 12.0 + 16.0]);
    let geometric = linear(RandomWalk::up_to(2).lambda(0.1));
    assert_close(two_by_two(&geometric, &pair()), [5.68, 5.94, 5.94, 6.52]);
}

#[test]
fn random_walks_of_all_lengths() {
    // Without labels, in a ring of n with a ring of m: n m pairs, each with four continuations.
    let ring = |n: usize| Graph::from_edges(n, (0..n).map(|v| (v, (v + 1) % n))).unwrap();
    let graphs = [ring(3), ring(5)];
    for solver in [Solver::ConjugateGradients, Solver::FixedPoint] {
        let kernel = GraphKernel::new(RandomWalk::geometric(0.1).solver(solver));
        assert_close(two_by_two(&kernel, &graphs), [9.0, 15.0, 15.0, 25.0].map(|pairs| pairs / 0.6));
    }
    // An edge C-O with itself: CC and OO, each leads to the other. With C-C-O: C with both C and O with O. x(C0) = 1, as O is not next to it;
    // x(C1) = 1 + l x(O), x(O) = 1 + l x(C1).
    let edge = labelled(&["C", "O"], &[(0, 1, "-")]);
    let [path, _] = pair();
    let kernel = GraphKernel::new(RandomWalk::geometric(0.1));
    let two = 2.0 / 0.9;
    // Path with itself: (0,0), (0,1), (1,0), (1,1), (2,2); 00-11, 01-10, 11-22 are edges.
    let (side, line) = (2.0 / 0.9, (3.0 + 4.0 * 0.1) / (1.0 - 2.0 * 0.01));
    assert_close(two_by_two(&kernel, &[edge, path]), [two, 1.0 + two, 1.0 + two, side + line]);
}

#[test]
fn lambda_has_a_bound() {
    let star = || Graph::from_edges(10, (1..10).map(|v| (0, v))).unwrap(); // its spectral radius is 3
    let fit = |lambda: f64| GraphKernel::new(RandomWalk::geometric(lambda)).fit(&[star()]);
    assert!(fit(0.111).is_ok());
    let error = fit(0.112).unwrap_err().to_string();
    assert_eq!(
        error,
        "graph 0 has a spectral radius of 3.0000, so walks of all lengths with lambda 0.112 have no sum: take a lambda below 0.1111, or a longest length"
    );
    // What was fitted is fine, what comes later is not.
    let fitted = GraphKernel::new(RandomWalk::geometric(0.2)).fit(&pair()).unwrap();
    assert!(
        fitted
            .against::<f64>(&[star()])
            .unwrap_err()
            .to_string()
            .starts_with("graph 0 has a spectral radius")
    );
    // Nothing goes around in a directed path: every lambda will do.
    let arcs = Graph::from_arcs(3, [(0, 1), (1, 2)]).unwrap();
    let gram = square(&GraphKernel::new(RandomWalk::geometric(0.9)), std::slice::from_ref(&arcs));
    assert_eq!(gram.values(), [9.0 + 0.9 * 4.0 + 0.9 * 0.9]);
}

#[test]
fn backtrackless_walks() {
    // Length 2, path: CCO, OCC. Triangle: CCO 2, OCC 2, COC 2. Shorter ones cannot turn.
    let kernel = linear(BacktracklessWalk::up_to(2));
    assert_eq!(two_by_two(&kernel, &pair()), [5.0 + 6.0 + 2.0, 5.0 + 8.0 + 4.0, 17.0, 5.0 + 12.0 + 12.0]);
    let bonds = linear(BacktracklessWalk::up_to(1).edge_labels(EdgeLabels::Used));
    // C-C 2, C=O 1, O=C 1; C-C 2, C-O 2, O-C 2.
    assert_eq!(two_by_two(&bonds, &pair()), [5.0 + 6.0, 5.0 + 4.0, 9.0, 5.0 + 12.0]);
}

#[test]
fn edge_paths() {
    // Path: C 2, O 1; CC, CO; CCO. Triangle: CC, CO 2; CCO 2, COC; closed: CCOC 2 from each C, OCCO 1 from O.
    let kernel = linear(EdgePaths::up_to(3));
    assert_eq!(two_by_two(&kernel, &pair()), [5.0 + 2.0 + 1.0, 5.0 + 3.0 + 2.0, 10.0, 5.0 + 5.0 + 5.0 + 5.0]);
    // A bow tie: around all six edges from the middle, with the first triangle either way and the second either way; both triangles can be the
    // first, and half of these walks are the reverse of others. From one of the other four vertices, the far triangle either way, and the reverses are walks from there.
    let bow = Graph::from_edges(5, [(0, 1), (1, 2), (2, 0), (0, 3), (3, 4), (4, 0)]).unwrap();
    let features = GraphKernel::new(EdgePaths::up_to(9)).features(&[bow]).unwrap();
    assert_eq!(features.count(0, "trail:*-*-*-*-*-*-*"), Some(2 * 2 * 2 / 2 + 4 * 2));
    assert_eq!(features.count(0, "trail:*-*-*-*-*-*-*-*").unwrap_or(0), 0);
    let looped = Graph::from_edges(2, [(0, 0), (0, 1)]).unwrap();
    let features = GraphKernel::new(EdgePaths::up_to(3)).features(&[looped]).unwrap();
    // The loop and the edge; the loop before the edge.
    assert_eq!([features.count(0, "trail:*-*"), features.count(0, "trail:*-*-*")], [Some(2), Some(1)]);
}

#[test]
fn neighbourhood_pairs() {
    // Radius 0, distance 0: C 2, O 1. Distance 1, ordered: CC 2, CO 1, OC 1; CC 2, CO 2, OC 2.
    let kernel = linear(NeighbourhoodPairs::up_to(0, 1));
    assert_eq!(two_by_two(&kernel, &pair()), [5.0 + 6.0, 5.0 + 8.0, 13.0, 5.0 + 12.0]);
    // Radius 1: no neighbourhood of the path is one of the triangle, where both C have the same.
    let kernel = linear(NeighbourhoodPairs::up_to(1, 0));
    assert_eq!(two_by_two(&kernel, &pair()), [5.0 + 3.0, 5.0, 5.0, 5.0 + 5.0]);
    // As its authors compare: one cell of two agrees; the other has nothing in common.
    let kernel = GraphKernel::new(NeighbourhoodPairs::up_to(1, 0));
    assert_close(two_by_two(&kernel, &pair()), [1.0, 0.5, 0.5, 1.0]);
    let named = kernel.features(&pair()).unwrap();
    assert!(named.features().iter().all(|feature| {
        feature.name.starts_with(&format!("pair:{}:{}:[", feature.cell.refinement, feature.cell.length))
    }));
}

#[test]
fn bonds_are_part_of_neighbourhoods() {
    let ether = labelled(&["C", "O", "C"], &[(0, 1, "-"), (1, 2, "-")]);
    let other = labelled(&["C", "O", "C"], &[(0, 1, "-"), (1, 2, "=")]);
    let settings = NeighbourhoodPairs::up_to(1, 0);
    let graphs = [ether, other];
    assert_eq!(two_by_two(&linear(settings.clone()), &graphs), [10.0; 4]);
    // Radius 1: C-O twice and O; C-O, C=O and O with both.
    let bonds = linear(settings.edge_labels(EdgeLabels::Used));
    assert_eq!(two_by_two(&bonds, &graphs), [5.0 + 5.0, 5.0 + 2.0, 7.0, 5.0 + 3.0]);
}

#[test]
fn tree_patterns() {
    // Height 1, without branches: CC 2, CO 1, OC 1; CC 2, CO 2, OC 2. With two leaves: C(C,O) 1; C(C,O) 2, and O(C,C): in the path
    // none. Each C(C,O) is matched in one way, O(C,C) with itself in two.
    let kernel = GraphKernel::new(TreePattern::of_height(1).lambda(0.5));
    assert_eq!(two_by_two(&kernel, &pair()), [6.0 + 0.5, 8.0 + 0.5 * 2.0, 9.0, 12.0 + 0.5 * (4.0 + 2.0)]);
    // The same, as one leaf more is one vertex more.
    let size = GraphKernel::new(TreePattern::of_height(1).lambda(0.5).tree_weights(TreeWeights::Size));
    assert_close(two_by_two(&size, &pair()), two_by_two(&kernel, &pair()));
    // Height 0: vertices.
    assert_eq!(two_by_two(&GraphKernel::new(TreePattern::of_height(0)), &pair()), [5.0; 4]);
}

#[test]
fn tree_patterns_that_do_not_totter() {
    // Height 2 in a star of three rays, without labels: only back and forth. In a path of three: one way from each end.
    let star = Graph::from_edges(4, [(0, 1), (0, 2), (0, 3)]).unwrap();
    let path = Graph::from_edges(3, [(0, 1), (1, 2)]).unwrap();
    let kernel = GraphKernel::new(TreePattern::of_height(2).lambda(0.5).tottering(Tottering::Excluded));
    // Star: from each ray 2 walks, or both rays as leaves. With itself: 3 x 3 roots, (2 x 2 + 0.5 x 2). With the path: 3 x 2 roots, 2 x 1.
    let values = two_by_two(&kernel, &[star, path]);
    assert_eq!(values, [9.0 * 5.0, 6.0 * 2.0, 12.0, 4.0]);
    let hub = Graph::from_edges(14, (1..14).map(|v| (0, v))).unwrap();
    let error = kernel.fit(&[hub]).unwrap_err().to_string();
    assert!(error.starts_with("graph 0 has a vertex with 13 neighbours of one label"), "{error}");
}

#[test]
fn cyclic_patterns() {
    // The tree C(-C)=O, and the cycle of C, C, O.
    let kernel = GraphKernel::new(CyclicPattern::default());
    assert_eq!(two_by_two(&kernel, &pair()), [1.0, 0.0, 0.0, 1.0]);
    // A ring of six with a pendant edge at one vertex, and at two: the same sets, however often.
    let ring = |pendants: usize| {
        let around = (0..6).map(|v| (v, (v + 1) % 6)).chain((0..pendants).map(|v| (3 * v, 6 + v)));
        Graph::from_edges(6 + pendants, around).unwrap()
    };
    assert_eq!(two_by_two(&kernel, &[ring(1), ring(2)]), [2.0; 4]);
    let features = kernel.features(&[ring(2)]).unwrap();
    let names: Vec<&str> = features.features().iter().map(|feature| feature.name.as_str()).collect();
    assert_eq!(names, ["cycle:*-*-*-*-*-*-", "tree:*(-*)"]);
    // Of a tree, all of it is one pattern.
    let tree = labelled(&["C", "C", "O", "N"], &[(0, 1, "-"), (0, 2, "="), (1, 3, "-")]);
    let bonds = GraphKernel::new(CyclicPattern::default().edge_labels(EdgeLabels::Used));
    let features = bonds.features(&[tree]).unwrap();
    assert_eq!(features.features().len(), 1);
    // Both centres are C; which is read first does not depend on their numbers.
    let name = &features.features()[0].name;
    assert!(
        ["tree:C(-C(-N)=O)", "tree:C(=O-C(-N))", "tree:C(-C(=O)-N)", "tree:C(-N-C(=O))"]
            .contains(&name.as_str()),
        "{name}"
    );
}

#[test]
fn connected_subgraphs() {
    // Vertices C 2, O 1 each; edges CC, CO; CC, CO 2; of three: C-C-O; C-C-O 2, C-O-C 1 and the triangle.
    let kernel = linear(ConnectedSubgraphs::up_to(3));
    assert_eq!(two_by_two(&kernel, &pair()), [5.0 + 2.0 + 1.0, 5.0 + 3.0 + 2.0, 10.0, 5.0 + 5.0 + 6.0]);
    let weighted = linear(ConnectedSubgraphs::up_to(3).weights([0.0, 1.0, 0.5]));
    assert_close(two_by_two(&weighted, &pair()), [2.5, 4.0, 4.0, 8.0]);
    // By intersection each feature bears the whole weight.
    let least = weighted.comparison(Comparison::new(Compare::Intersection));
    assert_eq!(two_by_two(&least, &pair()), [2.5, 2.5, 2.5, 3.0 + 2.0]);
}

#[test]
fn pairs_have_no_features() {
    let kernel = GraphKernel::new(TreePattern::default());
    let error = kernel.features(&pair()).unwrap_err();
    assert!(
        error.is_usage() && error.to_string().starts_with("tree-pattern is defined on pairs of graphs"),
        "{error}"
    );
    for comparison in [
        Comparison::new(Compare::MinMax),
        Comparison::new(Compare::Rbf),
        Comparison::new(Compare::Linear).by_cell(),
        Comparison::new(Compare::Linear).counts(Counted::Log),
        Comparison::new(Compare::Linear).standardized(true),
        Comparison::new(Compare::Linear).variance_cut(0.1),
    ] {
        let error = kernel.clone().comparison(comparison).fit(&pair()).unwrap_err();
        assert!(error.is_usage() && error.to_string().contains("has no features that could be"), "{error}");
    }
}

#[test]
fn pairs_are_watched_and_stopped() {
    let graphs = vec![Graph::from_edges(3, [(0, 1), (1, 2)]).unwrap(); 40];
    for kernel in on_pairs() {
        let monitor = Monitor::new();
        monitor.begin(2);
        let fitted = kernel.fit_under(&graphs, &monitor).unwrap();
        assert!((monitor.progress() - 0.5).abs() < 1e-9);
        fitted.gram_under::<f64>(&monitor).unwrap();
        assert!(monitor.progress() > 0.999);
        let late =
            fitted.clone().limits(Limits { time: Some(Duration::ZERO), ..Limits::default() }, Stopped::Keep);
        assert!(late.gram::<f64>().unwrap_err().is_stopped());
        let monitor = Monitor::new();
        monitor.interrupt();
        assert!(fitted.gram_under::<f64>(&monitor).unwrap_err().is_stopped());
        assert!(fitted.against_under::<f64>(&graphs, &monitor).unwrap_err().is_stopped());
        let small = fitted.max_bytes(Some(100));
        assert!(small.gram::<f64>().unwrap_err().to_string().contains("the limit is 100 B"));
    }
}

#[test]
fn settings_of_related_kernels_are_checked() {
    let kernels: [(Substructures, &str); 9] = [
        (RandomWalk::geometric(0.0).into(), "a lambda of 0"),
        (RandomWalk::geometric(0.1).weights([1.0]).into(), "weights of lengths are for bounded lengths"),
        (RandomWalk::up_to(2).weights([1.0]).into(), "1 weights for 3 lengths"),
        (BacktracklessWalk::up_to(1).weights([1.0, -1.0]).into(), "a weight of -1"),
        (BacktracklessWalk::up_to(5000).into(), "beyond reason"),
        (TreePattern::of_height(2).lambda(f64::NAN).into(), "a lambda of NaN"),
        (ConnectedSubgraphs::up_to(6).into(), "from 1 to 5"),
        (ConnectedSubgraphs::up_to(0).into(), "from 1 to 5"),
        (NeighbourhoodPairs::up_to(1, 5000).into(), "beyond reason"),
    ];
    for (what, reason) in kernels {
        let error = GraphKernel::new(what).fit(&pair()).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
    let complete = Graph::from_edges(30, (0..30).flat_map(|u| (0..u).map(move |v| (u, v)))).unwrap();
    let error = GraphKernel::new(RandomWalk::up_to(20)).fit(&[complete]).unwrap_err().to_string();
    assert!(error.contains("graph 0 has more walks of length 20 than can be counted"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn walks_are_those_of_the_definition(specs in specs()) {
        let graphs: Vec<Graph> = specs.iter().map(random::Spec::build).collect();
        let turns_back = |walk: &[usize]| walk.windows(3).any(|three| three[0] == three[2]);
        let plain = square(&linear(RandomWalk::up_to(3)), &graphs);
        let forwards = square(&linear(BacktracklessWalk::up_to(3)), &graphs);
        // So small a lambda that what is longer than 3 steps does not show, as no vertex has more than 8 neighbours.
        let geometric = square(&GraphKernel::new(RandomWalk::geometric(1e-6)), &graphs);
        for (i, j) in (0..graphs.len()).flat_map(|i| (0..graphs.len()).map(move |j| (i, j))) {
            let all = |length| common_walks(&graphs[i], &graphs[j], length, |_, _| true);
            prop_assert_eq!(plain.row(i)[j], (0..=3).map(all).sum::<f64>());
            let allowed = |length| common_walks(&graphs[i], &graphs[j], length, |_, walk| !turns_back(walk));
            prop_assert_eq!(forwards.row(i)[j], (0..=3).map(allowed).sum::<f64>());
            let series: f64 = (0..=3).map(|length| all(length) * 1e-6f64.powf(length as f64)).sum();
            prop_assert!((geometric.row(i)[j] - series).abs() <= 1e-12 * series, "{} {}", geometric.row(i)[j], series);
        }
    }

    #[test]
    fn both_solvers_agree(specs in specs()) {
        let graphs: Vec<Graph> = specs.iter().map(random::Spec::build).collect();
        let by = |solver| square(&GraphKernel::new(RandomWalk::geometric(0.01).solver(solver)), &graphs);
        let (gradients, points) = (by(Solver::ConjugateGradients), by(Solver::FixedPoint));
        for (a, b) in gradients.values().iter().zip(points.values()) {
            prop_assert!((a - b).abs() <= 1e-12 * a.abs(), "{a} {b}");
        }
    }

    #[test]
    fn trees_are_those_of_the_definition(specs in specs(), excluded in any::<bool>()) {
        let graphs: Vec<Graph> = specs.iter().map(random::Spec::build).collect();
        let tottering = if excluded { Tottering::Excluded } else { Tottering::Allowed };
        for weights in [TreeWeights::Branching, TreeWeights::Size] {
            let settings = TreePattern::of_height(2).lambda(0.5).tottering(tottering).tree_weights(weights);
            let gram = square(&GraphKernel::new(settings), &graphs);
            for (i, j) in (0..graphs.len()).flat_map(|i| (0..=i).map(move |j| (i, j))) {
                let expected = patterns([&graphs[i], &graphs[j]], 2, weights, excluded);
                prop_assert!((gram.row(i)[j] - expected).abs() <= 1e-12 * expected, "{} {}", gram.row(i)[j], expected);
            }
        }
    }
}

/// Pairs of tree patterns with lambda 1/2, by the recursion of Mahé and Vert: all ways to match neighbours, one after the other.
fn patterns(graphs: [&Graph; 2], height: usize, weights: TreeWeights, excluded: bool) -> f64 {
    type At = (usize, Option<usize>);
    struct Case<'a>([&'a Graph; 2], TreeWeights, bool);
    impl Case<'_> {
        fn children(&self, side: usize, (v, from): At) -> Vec<At> {
            let all = self.0[side].neighbours(v).iter().map(|&w| w as usize);
            all.filter(|&w| !self.2 || from != Some(w)).map(|w| (w, Some(v))).collect()
        }
        fn worth(&self, a: At, b: At, height: usize) -> f64 {
            if label(self.0[0], a.0) != label(self.0[1], b.0) {
                return 0.0;
            }
            let below = match height {
                0 => 1.0,
                _ => {
                    let all = self.matchings(&self.children(0, a), &self.children(1, b), height - 1);
                    (all - 1.0) * if self.1 == TreeWeights::Branching { 2.0 } else { 1.0 }
                }
            };
            below * if self.1 == TreeWeights::Size { 0.5 } else { 1.0 }
        }
        /// Of all matchings, the empty one included: the first is left out, or matched with one of the others.
        fn matchings(&self, left: &[At], right: &[At], height: usize) -> f64 {
            let Some((&first, rest)) = left.split_first() else { return 1.0 };
            let with = |i: usize| {
                let others = [&right[..i], &right[i + 1..]].concat();
                let child = if self.1 == TreeWeights::Branching { 0.5 } else { 1.0 };
                match self.worth(first, right[i], height) {
                    0.0 => 0.0,
                    worth => child * worth * self.matchings(rest, &others, height),
                }
            };
            self.matchings(rest, right, height) + (0..right.len()).map(with).sum::<f64>()
        }
    }
    let case = Case(graphs, weights, excluded);
    let roots = |side: usize| (0..graphs[side].order()).map(|v| (v, None));
    let sum: f64 =
        roots(0).flat_map(|a| roots(1).map(move |b| (a, b))).map(|(a, b)| case.worth(a, b, height)).sum();
    if weights == TreeWeights::Size { sum * 2.0f64.powf(height as f64 + 1.0) } else { sum }
}

//! What holds for every kernel.

use proptest::prelude::*;
use proptest::sample::Index;

use super::oracle::specs;
use super::*;

/// The smallest eigenvalue of a symmetric matrix, by Jacobi's rotations.
fn smallest_eigenvalue(gram: &Gram<f64>) -> f64 {
    let n = gram.rows();
    let mut a: Vec<Vec<f64>> = (0..n).map(|i| gram.row(i).to_vec()).collect();
    for _ in 0..50 {
        for p in 0..n {
            for q in 0..p {
                if a[p][q] == 0.0 {
                    continue;
                }
                let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                let t = theta.signum() / (theta.abs() + theta.hypot(1.0));
                let c = 1.0 / t.hypot(1.0);
                let s = t * c;
                for row in &mut a {
                    (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
                }
                (0..n).for_each(|k| {
                    (a[p][k], a[q][k]) = (c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]);
                });
            }
        }
    }
    (0..n).map(|i| a[i][i]).fold(f64::INFINITY, f64::min)
}

/// Solvers stop at a residual, and distances are differences of what they find: twelve digits are not to be had.
fn assert_near(values: &[f64], expected: &[f64], what: &str) {
    for (value, expected) in values.iter().zip(expected) {
        assert!((value - expected).abs() <= 1e-10 * expected.abs().max(1.0), "{what}: {value} {expected}");
    }
}

/// A vertex, several without edges, no vertex at all, and several components.
fn odd_graphs() -> Vec<Graph> {
    let single = labelled(&["a"], &[]);
    let edgeless = labelled(&["a", "b", "a"], &[]);
    let empty = Graph::from_edges(0, []).unwrap();
    let disconnected = Graph::from_edges(6, [(0, 1), (1, 2), (3, 4)]).unwrap();
    let looped = Graph::from_edges(2, [(0, 0), (0, 1)]).unwrap();
    let directed = Graph::from_arcs(5, [(0, 1), (1, 0), (1, 2), (2, 3), (3, 4), (4, 2)]).unwrap();
    vec![single, edgeless, empty, disconnected, looped, directed]
}

#[test]
fn odd_graphs_are_compared_like_any() {
    let graphs = odd_graphs();
    for kernel in kernels() {
        for graphs in [&graphs[..], &graphs[..3], &graphs[2..3], &[]] {
            let fitted = kernel.fit(graphs).unwrap();
            let gram = fitted.gram::<f64>().unwrap();
            assert_eq!((gram.rows(), gram.columns()), (graphs.len(), graphs.len()));
            assert!(gram.values().iter().all(|value| value.is_finite()), "{kernel:?}: {gram:?}");
            let others = fitted.against::<f64>(&odd_graphs()).unwrap();
            assert_eq!(others.columns(), graphs.len());
            assert!(others.values().iter().all(|value| value.is_finite()), "{kernel:?}: {others:?}");
        }
    }
}

#[test]
fn empty_graphs_are_nothing_to_anyone() {
    let empty = || Graph::from_edges(0, []).unwrap();
    let edge = Graph::from_edges(2, [(0, 1)]).unwrap();
    let graphs = [empty(), edge, empty()];
    for compare in [Compare::Cosine, Compare::MinMax] {
        let gram =
            square(&GraphKernel::new(AllPathsCycles::up_to(2)).comparison(Comparison::new(compare)), &graphs);
        assert_eq!(gram.values(), [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn symmetric_and_positive(specs in specs()) {
        let mut graphs: Vec<Graph> = specs.iter().map(random::Spec::build).collect();
        graphs.extend(odd_graphs());
        for kernel in kernels() {
            let gram = square(&kernel, &graphs);
            let n = gram.rows();
            let trace: f64 = (0..n).map(|i| gram.row(i)[i]).sum();
            for (i, j) in (0..n).flat_map(|i| (0..i).map(move |j| (i, j))) {
                prop_assert_eq!(gram.row(i)[j].to_bits(), gram.row(j)[i].to_bits());
            }
            let smallest = smallest_eigenvalue(&gram);
            prop_assert!(smallest >= -1e-9 * trace, "{:?}: {} of {}", kernel, smallest, trace);
        }
    }

    #[test]
    fn names_of_vertices_do_not_matter(spec in random::graphs(random::Texts { text: "[a-c]", ..random::LABEL }), places in prop::collection::vec(any::<Index>(), 8)) {
        let mut left: Vec<usize> = (0..spec.order).collect();
        let names: Vec<usize> = (0..spec.order).map(|v| left.remove(places[v].index(left.len()))).collect();
        let mut renamed = spec.clone();
        renamed.edges = spec.edges.iter().map(|&(u, v)| (names[u], names[v])).collect();
        if let (Some(new), Some(old)) = (&mut renamed.vertex_labels, &spec.vertex_labels) {
            (0..spec.order).for_each(|v| new[names[v]].clone_from(&old[v]));
        }
        renamed.vertex_attributes.clear();
        let graphs = [spec.build(), renamed.build()];
        // All but the last: samples depend on numbers.
        let kernels = kernels();
        for kernel in on_pairs() {
            let gram = square(&kernel, &graphs);
            assert_near(&gram.values()[1..], &[gram.values()[0]; 3], &format!("{kernel:?}"));
        }
        for kernel in kernels[..kernels.len() - 1].iter().filter(|kernel| kernel.substructures().has_features()) {
            let features = kernel.features(&graphs).unwrap();
            prop_assert_eq!(features.row(0), features.row(1), "{:?}", kernel);
        }
    }

    #[test]
    fn rectangles_are_blocks_of_squares(specs in specs(), others in specs()) {
        let graphs: Vec<Graph> = specs.iter().map(random::Spec::build).collect();
        let others: Vec<Graph> = others.iter().map(random::Spec::build).collect();
        let both = [graphs.as_slice(), &others].concat();
        for kernel in kernels() {
            let fitted = kernel.fit(&graphs).unwrap();
            let gram = fitted.gram::<f64>().unwrap();
            let again = fitted.against::<f64>(&graphs).unwrap();
            assert_near(again.values(), gram.values(), &format!("{kernel:?}, the fitted graphs"));
            let fresh = kernel.fit(&graphs).unwrap().against::<f64>(&graphs).unwrap();
            prop_assert_eq!(fresh.values(), again.values());
        }
        // Where nothing is learnt, graphs are the same to each other whatever was fitted.
        let triangle = || AllPathsCycles::of(Profile::triangle(2).unwrap());
        let mut kernels = vec![GraphKernel::new(ShortestPath::new()), GraphKernel::new(Graphlet::default()), GraphKernel::optimal_assignment(WeisfeilerLehman::new(2))];
        for compare in [Compare::Linear, Compare::Cosine, Compare::Intersection, Compare::MinMax] {
            for counted in [Counted::Raw, Counted::Log, Counted::Binary, Counted::Share] {
                let comparison = Comparison::new(compare).counts(counted);
                kernels.extend([comparison.clone(), comparison.clone().normalized(), comparison.by_cell()].map(|comparison| GraphKernel::new(triangle()).comparison(comparison)));
            }
        }
        kernels.extend([RandomWalk::up_to(3).lambda(0.3).into(), BacktracklessWalk::up_to(3).into(), EdgePaths::up_to(3).into(), NeighbourhoodPairs::up_to(2, 2).into(), CyclicPattern::up_to(5).into(), ConnectedSubgraphs::up_to(4).into()].map(|what: Substructures| GraphKernel::new(what)));
        kernels.extend(on_pairs().into_iter().filter(|kernel| !kernel.learns()));
        for kernel in kernels {
            let joint = square(&kernel, &both);
            let rectangle = kernel.fit(&graphs).unwrap().against::<f64>(&others).unwrap();
            for row in 0..others.len() {
                let expected = &joint.row(graphs.len() + row)[..graphs.len()];
                assert_near(rectangle.row(row), expected, &format!("{kernel:?}, other graphs"));
            }
        }
    }

    #[test]
    fn threads_do_not_matter(specs in prop::collection::vec(random::graphs(random::LABEL), 1..60)) {
        let graphs: Vec<Graph> = specs.iter().map(random::Spec::build).collect();
        for kernel in kernels() {
            let bits = |threads: usize| -> Vec<u64> {
                let fitted = kernel.clone().threads(threads).fit(&graphs).unwrap();
                let values = [fitted.gram::<f64>().unwrap(), fitted.against::<f64>(&graphs[..1]).unwrap()];
                values.iter().flat_map(|gram| gram.values().iter().map(|value| value.to_bits())).collect()
            };
            prop_assert_eq!(bits(1), bits(3), "{:?}", kernel);
        }
    }
}

//! Kernels by landmarks: exact where they must be, and better the more landmarks there are.

use allpaths::evaluate::{CrossValidation, Grid};
use allpaths::kernel::{
    Compare, Comparison, Landmarks, Nystroem, RandomWalk, ShortestPath, Transformed, WeisfeilerLehman,
};
use allpaths::{AllPathsCycles, Dataset, GraphKernel};

fn kernels() -> Vec<GraphKernel> {
    let paths = |comparison: Comparison| GraphKernel::new(AllPathsCycles::up_to(3)).comparison(comparison);
    let compares = [Compare::Linear, Compare::Cosine, Compare::Rbf, Compare::Intersection, Compare::MinMax];
    let mut kernels: Vec<GraphKernel> = compares.map(|compare| paths(Comparison::new(compare))).into();
    kernels.push(paths(Comparison::new(Compare::MinMax).by_cell()));
    kernels.push(paths(Comparison::new(Compare::MinMax).rbf_distance(1.0)));
    kernels.push(paths(Comparison::new(Compare::Linear).normalized()));
    kernels.push(GraphKernel::new(ShortestPath::new()));
    kernels.push(GraphKernel::new(WeisfeilerLehman::new(2)));
    kernels.push(GraphKernel::new(RandomWalk::up_to(3)).compared(Comparison::normalized));
    kernels
}

fn product(rows: &Transformed, i: usize, j: usize) -> f64 {
    rows.coordinates.row(i).iter().zip(rows.coordinates.row(j)).map(|(x, y)| x * y).sum()
}

/// Nyström's approximation is the kernel where one of the two graphs is a landmark, for every comparison.
#[test]
fn the_kernel_with_landmarks_is_exact() {
    let demo = Dataset::demo(1).sample(None, 5);
    for kernel in kernels() {
        for sampling in Landmarks::ALL {
            let fitted = Nystroem::new(20).sampling(sampling).fit(&kernel, &demo).unwrap();
            assert_eq!(fitted.landmarks().len(), 20);
            assert!(fitted.landmarks().is_sorted_by(|a, b| a < b));
            let rows = fitted.transform(&demo).unwrap();
            let gram = fitted.kernel().against::<f64>(&demo).unwrap();
            let largest = gram.values().iter().copied().fold(0.0, f64::max);
            for graph in 0..demo.graphs().len() {
                for (column, &landmark) in fitted.landmarks().iter().enumerate() {
                    let off = (product(&rows, graph, landmark) - gram.row(graph)[column]).abs();
                    assert!(off < 1e-6 * largest, "{kernel} {sampling:?} {graph} {landmark}: {off}");
                }
            }
            // What is lost is positive semidefinite: no graph is larger than it should be.
            for (graph, own) in rows.own.iter().enumerate() {
                assert!(product(&rows, graph, graph) < own * (1.0 + 1e-6), "{kernel} {graph}");
            }
        }
    }
}

#[test]
fn with_all_graphs_as_landmarks_nothing_is_lost() {
    let demo = Dataset::demo(1).sample(None, 10);
    for kernel in kernels() {
        let rows = Nystroem::new(1000).fit(&kernel, &demo).unwrap().transform(&demo).unwrap();
        assert!(rows.error() < 1e-6, "{kernel}: {}", rows.error());
        let gram = kernel.fit(&demo).unwrap().gram::<f64>().unwrap();
        for i in 0..demo.graphs().len() {
            assert!((rows.own[i] - gram.row(i)[i]).abs() <= 1e-9 * gram.row(i)[i], "{kernel}");
        }
    }
}

#[test]
fn more_landmarks_lose_less_and_seeds_decide() {
    let demo = Dataset::demo(1);
    let kernel = GraphKernel::new(AllPathsCycles::up_to(4));
    for sampling in Landmarks::ALL {
        let fit = |landmarks, seed| {
            Nystroem::new(landmarks).sampling(sampling).seed(seed).fit(&kernel, &demo).unwrap()
        };
        let error = |landmarks| fit(landmarks, 1).transform(&demo).unwrap().error();
        let errors = [5, 40, 150].map(error);
        assert!(errors[0] > errors[1] && errors[1] > errors[2], "{sampling:?}: {errors:?}");
        assert_eq!(fit(40, 3).landmarks(), fit(40, 3).landmarks());
        assert_ne!(fit(40, 3).landmarks(), fit(40, 4).landmarks());
    }
    assert!(Nystroem::new(0).fit(&kernel, &demo).unwrap_err().is_usage());
}

#[test]
fn evaluation_by_landmarks_is_near_the_exact_one() {
    let demo = Dataset::demo(1);
    let classes = demo.classes().unwrap();
    for comparison in [Comparison::new(Compare::MinMax).by_cell(), Comparison::new(Compare::Rbf)] {
        let grid = Grid::new(GraphKernel::new(AllPathsCycles::up_to(5)).comparison(comparison)).c([10.0]);
        let exact = CrossValidation::new(10).run(&grid, &demo, classes).unwrap();
        let run = |threads| {
            let by_landmarks = grid.clone().approximate(Nystroem::new(150));
            CrossValidation::new(10).threads(threads).run(&by_landmarks, &demo, classes).unwrap()
        };
        let near = run(2);
        assert!(
            (near.accuracy_mean() - exact.accuracy_mean()).abs() < 4.0,
            "{} {}",
            near.accuracy_mean(),
            exact.accuracy_mean()
        );
        assert!(near.approximation_error().unwrap() > 0.0);
        assert_eq!(exact.approximation_error(), None);
        let alone = run(1);
        assert_eq!(alone.accuracy_mean().to_bits(), near.accuracy_mean().to_bits());
        assert_eq!(alone.approximation_error(), near.approximation_error());
    }
}

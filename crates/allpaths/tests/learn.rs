//! Support vector machines beside LIBSVM's, on problems that are hardly any, and beside each other.
//!
//! Published data come from the folder `$ALLPATHS_DATA`, or else the folder `../shared` as seen from the project. Where they are not there, these
//! tests say so and pass.

use std::path::{Path, PathBuf};

use allpaths::graph::GraphBuilder;
use allpaths::kernel::{Compare, Comparison, Counted, Gram, Real, Substructures, WeisfeilerLehman};
use allpaths::learn::{ClassWeights, Decoding, FittedSvm, LinearSvm, OutputCodes, Svm};
use allpaths::{AllPathsCycles, Dataset, Graph, GraphKernel};
use libsvm_rs::predict::predict_values;
use libsvm_rs::train::svm_train;
use libsvm_rs::{KernelType, SvmModel, SvmNode, SvmParameter, SvmProblem};

/// A dataset, if the data are there.
fn data(name: &str) -> Option<Dataset> {
    let folder = std::env::var_os("ALLPATHS_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let path = folder.join("datasets").join(name);
    if !path.exists() {
        eprintln!("skipped: no {}", path.display());
    }
    path.exists().then(|| Dataset::read(path).unwrap())
}

/// LIBSVM's machine for examples of a Gram matrix.
struct Peer<'a> {
    model: SvmModel,
    gram: &'a Gram<f32>,
    rows: &'a [usize],
}

impl<'a> Peer<'a> {
    fn new(gram: &'a Gram<f32>, rows: &'a [usize], classes: &[i64], (c, eps): (f64, f64)) -> Self {
        Self::weighted(gram, rows, classes, (c, eps), &[])
    }

    fn weighted(
        gram: &'a Gram<f32>,
        rows: &'a [usize],
        classes: &[i64],
        (c, eps): (f64, f64),
        weights: &[(i64, f64)],
    ) -> Self {
        libsvm_rs::set_quiet(true);
        let labels = classes.iter().map(|&class| class as f64).collect();
        let instances = rows.iter().zip(1..).map(|(&row, serial)| nodes(gram, row, rows, serial)).collect();
        let weight = weights.iter().map(|&(class, weight)| (class as i32, weight)).collect();
        let kernel_type = KernelType::Precomputed;
        let parameter = SvmParameter { kernel_type, c, eps, weight, ..SvmParameter::default() };
        Self { model: svm_train(&SvmProblem { labels, instances }, &parameter), gram, rows }
    }

    /// The class of a row, and the decision values of all pairs, each positive for its smaller class as ours are.
    fn predict(&self, row: usize) -> (i64, Vec<f64>) {
        let classes = self.model.label.len();
        let mut values = vec![0.0; classes * (classes - 1) / 2];
        let class = predict_values(&self.model, &nodes(self.gram, row, self.rows, 0), &mut values) as i64;
        if let [first, second] = self.model.label[..] {
            values[0] *= if first < second { 1.0 } else { -1.0 };
        } else {
            assert!(self.model.label.is_sorted(), "classes are met in ascending order");
        }
        (class, values)
    }

    /// `a'Qa / 2 - sum of a` of the one machine for two classes.
    fn objective(&self) -> f64 {
        let [coefficients] = &self.model.sv_coef[..] else { panic!("two classes") };
        let support: Vec<(usize, f64)> = self
            .model
            .sv_indices
            .iter()
            .zip(coefficients)
            .map(|(&serial, &coefficient)| (self.rows[serial - 1], coefficient))
            .collect();
        let value = |row: usize| -> f64 {
            support.iter().map(|&(other, coefficient)| coefficient * self.gram.row(row)[other].wide()).sum()
        };
        support.iter().map(|&(row, coefficient)| coefficient * value(row) / 2.0 - coefficient.abs()).sum()
    }
}

/// A row as LIBSVM takes it: its number, then the kernel with each of the examples.
fn nodes(gram: &Gram<f32>, row: usize, rows: &[usize], serial: u32) -> Vec<SvmNode> {
    let number = SvmNode { index: 0, value: f64::from(serial) };
    let values =
        rows.iter().zip(1..).map(|(&column, index)| SvmNode { index, value: gram.row(row)[column].wide() });
    std::iter::once(number).chain(values).collect()
}

/// A matrix, examples of it to learn from, their classes, and the other rows.
struct Problem {
    gram: Gram<f32>,
    train: Vec<usize>,
    known: Vec<i64>,
    test: Vec<usize>,
}

impl Problem {
    /// Two thirds of a dataset's graphs of some classes, the smaller classes first, as LIBSVM orders classes by where it meets them.
    fn of(data: &Dataset, keep: impl Fn(i64) -> bool) -> Self {
        let classes = data.classes().unwrap();
        let minmax = Comparison::new(Compare::MinMax);
        let kernel = GraphKernel::new(WeisfeilerLehman::new(3)).comparison(minmax);
        let mut kept: Vec<usize> = (0..classes.len()).filter(|&graph| keep(classes[graph])).collect();
        kept.sort_by_key(|&graph| classes[graph]);
        let (test, train): (Vec<usize>, Vec<usize>) = kept.iter().partition(|&&graph| graph % 3 == 0);
        let known = train.iter().map(|&graph| classes[graph]).collect();
        Self { gram: kernel.fit(data.graphs()).unwrap().gram().unwrap(), train, known, test }
    }

    fn fit(&self, svm: &Svm) -> FittedSvm {
        svm.fit(&self.gram, &self.train, &self.known).unwrap()
    }

    fn rows(&self) -> impl Iterator<Item = usize> {
        self.train.iter().chain(&self.test).copied()
    }
}

/// Datasets with two classes, or two of their classes.
fn two_sided() -> Vec<(&'static str, Problem)> {
    let all = [("MUTAG", [-1, 1]), ("PTC_MR", [-1, 1]), ("ENZYMES", [2, 5])];
    let problem = |(name, classes): (&'static str, [i64; 2])| {
        Some((name, Problem::of(&data(name)?, |class| classes.contains(&class))))
    };
    all.into_iter().filter_map(problem).collect()
}

fn close(one: f64, other: f64, tolerance: f64) -> bool {
    (one - other).abs() <= tolerance * one.abs().max(other.abs()).max(1.0)
}

#[test]
fn the_same_machine_as_libsvm() {
    for (name, problem) in two_sided() {
        for c in [0.1, 1.0, 100.0] {
            let ours = problem.fit(&Svm::new(c).tolerance(1e-6));
            let theirs = Peer::new(&problem.gram, &problem.train, &problem.known, (c, 1e-6));
            assert!(ours.has_converged());
            let (one, other) = (ours.objectives()[0], theirs.objective());
            assert!(close(one, other, 1e-6), "{name}, C = {c}: {one} and {other}");
            for row in problem.rows() {
                let (class, values) = theirs.predict(row);
                let found = ours.decision_values(problem.gram.row(row));
                assert!(close(found[0], values[0], 1e-4), "{name}, C = {c}, {row}: {found:?}, {values:?}");
                // A value of 0 is a coin on its edge.
                assert!(ours.predict(problem.gram.row(row)) == class || found[0].abs() < 1e-4);
            }
        }
    }
}

/// With the tolerance that both have by default, the objective is as good.
#[test]
fn as_close_to_the_optimum_as_libsvm() {
    for (name, problem) in two_sided() {
        for c in [0.1, 1.0, 100.0] {
            let least = problem.fit(&Svm::new(c).tolerance(1e-7)).objectives()[0];
            let ours = problem.fit(&Svm::new(c)).objectives()[0];
            let theirs = Peer::new(&problem.gram, &problem.train, &problem.known, (c, 1e-3)).objective();
            for objective in [ours, theirs] {
                let above = (objective - least) / least.abs();
                assert!((-1e-9..1e-4).contains(&above), "{name}, C = {c}: {objective} above {least}");
            }
        }
    }
}

#[test]
fn class_weights_as_libsvm() {
    for (name, problem) in two_sided() {
        let classes = [problem.known[0], *problem.known.last().unwrap()];
        let size = |class| problem.known.iter().filter(|&&other| other == class).count() as f64;
        let balanced = classes.map(|class| (class, problem.known.len() as f64 / (2.0 * size(class))));
        let given = [(classes[0], 7.0)];
        let fit = |weights| problem.fit(&Svm::new(1.0).weights(weights).tolerance(1e-6));
        let plain = fit(ClassWeights::Equal);
        for (ours, weights) in [
            (fit(ClassWeights::Given(given.to_vec())), &given[..]),
            (fit(ClassWeights::Balanced), &balanced[..]),
        ] {
            let theirs = Peer::weighted(&problem.gram, &problem.train, &problem.known, (1.0, 1e-6), weights);
            assert!(close(ours.objectives()[0], theirs.objective(), 1e-6), "{name}");
            assert!(!close(ours.objectives()[0], plain.objectives()[0], 1e-6), "{name}: weights matter");
            for row in problem.rows() {
                let found = ours.decision_values(problem.gram.row(row))[0];
                assert!(close(found, theirs.predict(row).1[0], 1e-4), "{name}, {row}");
            }
        }
    }
}

#[test]
fn votes_of_pairs_as_libsvm() {
    let Some(data) = data("ENZYMES") else { return };
    let problem = Problem::of(&data, |_| true);
    let svm = Svm::new(10.0).codes(OutputCodes::OneVsOne).decoding(Decoding::Votes).tolerance(1e-6);
    let ours = problem.fit(&svm);
    let theirs = Peer::new(&problem.gram, &problem.train, &problem.known, (10.0, 1e-6));
    for row in problem.rows() {
        let (class, values) = theirs.predict(row);
        let found = ours.decision_values(problem.gram.row(row));
        assert_eq!(found.len(), 15);
        assert!(found.iter().zip(&values).all(|(one, other)| close(*one, *other, 1e-4)), "{row}");
        let mut votes = [0; 6];
        let pairs = (0..6).flat_map(|one| (one + 1..6).map(move |other| (one, other)));
        pairs
            .zip(&values)
            .for_each(|((one, other), &value)| votes[if value > 0.0 { one } else { other }] += 1);
        let most = *votes.iter().max().unwrap();
        let mut winners = ours.classes().iter().zip(votes).filter(|(_, votes)| *votes == most);
        let (&first, _) = winners.next().unwrap();
        assert_eq!(ours.predict(problem.gram.row(row)), first, "{row}: {values:?}");
        // LIBSVM gives ties to the first class, its twin in Rust to the last.
        assert!(first == class || winners.next().is_some(), "{row}: {values:?}");
    }
}

/// Each graph has so many vertices labelled `a` and `b`: with a linear kernel of labels it is that point of the plane.
fn points(points: &[(usize, usize)]) -> Vec<Graph> {
    let graph = |&(a, b): &(usize, usize)| {
        let mut builder = GraphBuilder::undirected(a + b);
        builder.vertex_labels(std::iter::repeat_n("a", a).chain(std::iter::repeat_n("b", b)));
        builder.build().unwrap()
    };
    points.iter().map(graph).collect()
}

fn gram<T: Real>(places: &[(usize, usize)]) -> Gram<T> {
    let kernel = GraphKernel::new(Substructures::VertexHistogram);
    let gram = kernel.fit(&points(places)).unwrap().gram().unwrap();
    let product = |one: (usize, usize), other: (usize, usize)| one.0 * other.0 + one.1 * other.1;
    let expected: Vec<T> = places
        .iter()
        .flat_map(|&one| places.iter().map(move |&other| T::rounded(product(one, other) as f64)))
        .collect();
    assert_eq!(gram.values(), expected);
    gram
}

fn fit(places: &[(usize, usize)], classes: &[i64], svm: &Svm) -> (FittedSvm, Vec<f64>) {
    let gram: Gram<f64> = gram(places);
    let rows: Vec<usize> = (0..places.len()).collect();
    let fitted = svm.fit(&gram, &rows, classes).unwrap();
    assert!(fitted.has_converged());
    let values = rows.iter().flat_map(|&row| fitted.decision_values(gram.row(row))).collect();
    (fitted, values)
}

#[test]
fn one_class_alone() {
    for svm in [Svm::new(1.0), Svm::new(1.0).probabilities(1)] {
        let (fitted, values) = fit(&[(1, 0), (0, 1), (2, 2)], &[7, 7, 7], &svm);
        assert_eq!((fitted.classes(), values.len()), (&[7][..], 0));
        assert_eq!(fitted.predict(&[1.0, 0.0, 2.0]), 7);
        assert!(fitted.objectives().is_empty() && fitted.support().is_empty());
        let probabilities = fitted.probabilities(&[1.0, 0.0, 2.0]);
        assert_eq!(probabilities, Some(vec![1.0]), "it is certain");
    }
}

#[test]
fn a_kernel_that_tells_nothing_apart() {
    // As many of each class: any threshold is as good as another. Otherwise the larger class.
    let same = [(1, 1); 5];
    let (fitted, values) = fit(&same, &[1, 1, 1, 2, 2], &Svm::new(1.0));
    assert!(values.iter().all(|&value| close(value, 1.0, 1e-9)), "{values:?}");
    assert_eq!(fitted.predict(&[2.0; 5]), 1);
    let (fitted, values) = fit(&same[1..], &[1, 2, 1, 2], &Svm::new(1.0).probabilities(1));
    assert!(values.iter().all(|&value| value.abs() <= 1.0), "{values:?}");
    let probabilities = fitted.probabilities(&[2.0; 4]).unwrap();
    assert!(close(probabilities[0], 0.5, 1e-6), "{probabilities:?}");
    // All errors cost, and nothing else: -2 C for each of the smaller class.
    let (fitted, _) = fit(&same, &[1, 1, 1, 2, 2], &Svm::new(3.0));
    assert!(close(fitted.objectives()[0], -12.0, 1e-9), "{:?}", fitted.objectives());
}

#[test]
fn graphs_without_features() {
    let (fitted, values) = fit(&[(0, 0), (0, 0), (0, 0)], &[1, 2, 2], &Svm::new(1.0));
    assert!(values.iter().all(|&value| value < 0.0), "{values:?}");
    assert_eq!(fitted.predict(&[0.0; 3]), 2);
    // One of them among others is an example like any other.
    let (fitted, values) = fit(&[(0, 0), (1, 0)], &[1, 2], &Svm::new(100.0));
    assert!(close(values[0], 1.0, 1e-3) && close(values[1], -1.0, 1e-3), "{values:?}");
    assert!(close(fitted.objectives()[0], -2.0, 1e-3));
}

#[test]
fn two_examples_by_hand() {
    // At distance d, both coefficients are 2 / d^2 and the objective is -2 / d^2, unless C is less.
    let places = [(3, 0), (0, 4)];
    let (fitted, values) = fit(&places, &[-1, 1], &Svm::new(1.0));
    assert!(close(fitted.objectives()[0], -2.0 / 25.0, 1e-12));
    assert!(close(values[0], 1.0, 1e-12) && close(values[1], -1.0, 1e-12), "{values:?}");
    assert_eq!(fitted.support(), [0, 1]);
    let (fitted, _) = fit(&places, &[-1, 1], &Svm::new(0.01));
    assert!(close(fitted.objectives()[0], 0.01 * 0.01 * 25.0 / 2.0 - 0.02, 1e-12));
}

#[test]
fn the_same_example_twice() {
    let (once, single) = fit(&[(1, 0), (0, 1)], &[1, 2], &Svm::new(10.0));
    let single = single[0];
    // Twice with one class: the same plane. Twice with both classes: a lost cause, and the others still count.
    let (twice, values) = fit(&[(1, 0), (0, 1), (1, 0), (0, 1)], &[1, 2, 1, 2], &Svm::new(10.0));
    assert!(close(values[0], single, 1e-3) && close(values[2], single, 1e-3), "{values:?}");
    assert!(close(once.objectives()[0], twice.objectives()[0], 1e-6));
    let (fitted, values) = fit(&[(1, 0), (1, 0)], &[1, 2], &Svm::new(10.0));
    assert!(close(values[0], values[1], 1e-9) && values[0].abs() <= 1.0, "{values:?}");
    assert!(close(fitted.objectives()[0], -20.0, 1e-9));
    let (_, values) = fit(&[(4, 0), (2, 2), (2, 2), (0, 4)], &[1, 1, 2, 2], &Svm::new(10.0));
    assert!(values[0] > 0.5 && values[3] < -0.5 && close(values[1], values[2], 1e-9), "{values:?}");
}

#[test]
fn settings_that_make_no_sense() {
    let gram: Gram<f64> = gram(&[(1, 0), (0, 1)]);
    for (svm, rows, classes) in [
        (Svm::new(0.0), &[0, 1][..], &[1, 2][..]),
        (Svm::new(f64::NAN), &[0, 1], &[1, 2]),
        (Svm::new(f64::INFINITY), &[0, 1], &[1, 2]),
        (Svm::new(1.0).tolerance(0.0), &[0, 1], &[1, 2]),
        (Svm::new(1.0).weights(ClassWeights::Given(vec![(1, -1.0)])), &[0, 1], &[1, 2]),
        (Svm::new(1.0), &[0, 1], &[1]),
        (Svm::new(1.0), &[], &[]),
        (Svm::new(1.0), &[0, 2], &[1, 2]),
    ] {
        assert!(svm.fit(&gram, rows, classes).unwrap_err().is_usage(), "{svm:?}");
    }
}

#[test]
fn single_precision_is_enough() {
    let demo = Dataset::demo(1);
    let kernel = GraphKernel::new(AllPathsCycles::up_to(4)).fit(&demo).unwrap();
    let (narrow, wide) = (kernel.gram::<f32>().unwrap(), kernel.gram::<f64>().unwrap());
    let rows: Vec<usize> = (0..200).collect();
    for c in [0.1, 1.0, 100.0] {
        let svm = Svm::new(c).tolerance(1e-6);
        let one = svm.fit(&narrow, &rows, &demo.classes().unwrap()[..200]).unwrap();
        let other = svm.fit(&wide, &rows, &demo.classes().unwrap()[..200]).unwrap();
        assert!(close(one.objectives()[0], other.objectives()[0], 1e-5));
        for row in 0..300 {
            let values = [one.decision_values(narrow.row(row))[0], other.decision_values(wide.row(row))[0]];
            assert!(close(values[0], values[1], 1e-3), "C = {c}, {row}: {values:?}");
        }
    }
}

#[test]
fn probabilities_are_such() {
    let demo = Dataset::demo(1);
    let minmax = GraphKernel::new(AllPathsCycles::up_to(2)).fit(&demo).unwrap();
    let gram: Gram<f32> = minmax.gram().unwrap();
    let rows: Vec<usize> = (0..300).collect();
    // Two classes, and three that are hard to tell apart.
    let two = demo.classes().unwrap().to_vec();
    let three: Vec<i64> = two.iter().zip(0..).map(|(class, i)| class + i % 2).collect();
    for codes in [OutputCodes::OneVsOne, OutputCodes::OneVsRest, OutputCodes::Exhaustive] {
        for classes in [&two, &three] {
            let machine = Svm::new(1.0).codes(codes).probabilities(1).fit(&gram, &rows, classes).unwrap();
            let mut met = Vec::new();
            for &row in &rows {
                let probabilities = machine.probabilities(gram.row(row)).unwrap();
                assert_eq!(probabilities.len(), machine.classes().len());
                assert!(probabilities.iter().all(|p| (0.0..=1.0).contains(p)), "{codes:?} {probabilities:?}");
                assert!(close(probabilities.iter().sum(), 1.0, 1e-9), "{codes:?} {probabilities:?}");
                met.push((machine.decision_values(gram.row(row))[0], probabilities[0]));
            }
            if classes == &two {
                met.sort_by(|one, other| one.0.total_cmp(&other.0));
                assert!(met.is_sorted_by(|one, other| one.1 <= other.1), "{codes:?}");
                assert!(met[0].1 < met[299].1);
            }
        }
    }
    // The seed of the held-out fifths is part of the settings.
    let fit = |seed| Svm::new(1.0).probabilities(seed).fit(&gram, &rows, &two).unwrap();
    assert_eq!(fit(1), fit(1));
    assert_ne!(fit(1), fit(2));
    assert_eq!(Svm::new(1.0).fit(&gram, &rows, &two).unwrap().probabilities(gram.row(0)), None);
}

/// A linear machine on features beside one on their cosines: they differ in the bias alone, which is a weight like others in the former.
#[test]
fn as_right_on_features_as_on_their_matrix() {
    for (name, data) in
        [("demo", Some(Dataset::demo(1))), ("MUTAG", data("MUTAG")), ("ENZYMES", data("ENZYMES"))]
    {
        let Some(data) = data else { continue };
        let all: Vec<usize> = (0..data.graphs().len()).collect();
        let (test, train): (Vec<usize>, Vec<usize>) = all.iter().partition(|&&graph| graph % 3 == 0);
        let (known, asked) = (data.pick(train.iter().copied()), data.pick(test.iter().copied()));
        let embedding = AllPathsCycles::up_to(5);
        let (fitted, features) = embedding.fit_transform(&known).unwrap();
        let linear = LinearSvm::new(10.0).fit(&features, known.classes().unwrap()).unwrap();
        let by_features = linear.predict(&fitted.transform(&asked).unwrap()).unwrap();

        let cosine = Comparison::new(Compare::Cosine).counts(Counted::Log);
        let kernel = GraphKernel::new(embedding).comparison(cosine);
        let gram: Gram<f64> = kernel.fit(&data).unwrap().gram().unwrap();
        let machine = Svm::new(10.0).fit(&gram, &train, known.classes().unwrap()).unwrap();
        let by_matrix: Vec<i64> = test.iter().map(|&graph| machine.predict(gram.row(graph))).collect();

        let right = |found: &[i64]| {
            let right = found.iter().zip(asked.classes().unwrap()).filter(|(one, other)| one == other);
            100.0 * right.count() as f64 / test.len() as f64
        };
        let (one, other) = (right(&by_features), right(&by_matrix));
        assert!((one - other).abs() <= 2.0, "{name}: {one} and {other}");
    }
}

#[test]
fn a_linear_machine_of_hardly_a_problem() {
    let features = |places: &[(usize, usize)]| AllPathsCycles::up_to(0).embed(&points(places)).unwrap();
    let places = features(&[(1, 0), (0, 1), (0, 0), (1, 0)]);
    let alone = LinearSvm::new(1.0).fit(&places, &[3; 4]).unwrap();
    assert_eq!((alone.machines(), alone.predict(&places).unwrap()), (0, vec![3; 4]));
    for normalized in [true, false] {
        let settings = LinearSvm::new(100.0).normalized(normalized).counts(Counted::Raw);
        let machine = settings.fit(&places, &[1, 2, 2, 1]).unwrap();
        assert_eq!(machine.predict(&places).unwrap(), [1, 2, 2, 1], "one has no features");
        let lost = settings.fit(&places, &[1, 2, 2, 2]).unwrap();
        let values = lost.decision_values(&places).unwrap();
        assert!(values.iter().flatten().all(|value| value.is_finite()), "{values:?}");
        assert_eq!(values[0], values[3]);
    }
    assert!(LinearSvm::new(1.0).fit(&places, &[1]).unwrap_err().is_usage());
    assert!(LinearSvm::new(-1.0).fit(&places, &[1, 1, 2, 2]).unwrap_err().is_usage());
    let other = AllPathsCycles::up_to(1).embed(&points(&[(2, 0)])).unwrap();
    let machine = LinearSvm::new(1.0).fit(&places, &[1, 2, 2, 1]).unwrap();
    assert!(machine.predict(&other).unwrap_err().is_usage(), "other columns");
}

//! Cross-validation is honest, and the same on any number of threads; classifiers keep in files.

use std::cmp::Ordering;
use std::path::Path;

use allpaths::count::{Limits, Outcome};
use allpaths::embed::Stopped;
use allpaths::evaluate::{
    CrossValidation, Deciders, FittedClassifier, GraphClassifier, Grid, LinearClassifier, Model, Protocol,
};
use allpaths::graph::{Attribute, GraphBuilder, Values};
use allpaths::kernel::{Compare, Comparison, Counted, Gram, Nystroem, WeisfeilerLehman};
use allpaths::label::{Binning, Cut, LabelChoice};
use allpaths::learn::{Folds, OutputCodes, Svm};
use allpaths::npz::Npz;
use allpaths::{AllPathsCycles, Dataset, Graph, GraphKernel, Monitor};

/// Numbers from a seed, good enough to mix graphs: the upper bits of a linear congruence.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % n) as usize
    }

    /// As many graphs of class 0 as of class 1, in random order.
    fn classes(&mut self, n: usize) -> Vec<i64> {
        let mut classes: Vec<i64> = (0..n).map(|i| i64::from(i % 2 == 0)).collect();
        (1..n).rev().for_each(|end| classes.swap(end, self.below(end as u64 + 1)));
        classes
    }

    /// A random tree. Vertices have one of some labels, the first ones more often, and a number `x` up to a size.
    fn tree(&mut self, order: usize, labels: &[&str], size: f64) -> Graph {
        let mut builder = GraphBuilder::undirected(order);
        let pick = |random: &mut Self| {
            let (one, other) = (random.below(labels.len() as u64), random.below(labels.len() as u64));
            labels[one.min(other)]
        };
        let names: Vec<&str> = (0..order).map(|_| pick(self)).collect();
        builder.vertex_labels(names);
        let numbers = (0..order).map(|_| Some(size * self.below(1000) as f64 / 1000.0)).collect();
        builder.vertex_attribute(Attribute::new("x", Values::Real(numbers)));
        for vertex in 1..order {
            builder.edge(self.below(vertex as u64), vertex).unwrap();
        }
        builder.build().unwrap()
    }
}

fn minmax(paths: AllPathsCycles) -> GraphKernel {
    GraphKernel::new(paths)
}

/// A kernel for each thing that is learnt from graphs.
fn learning() -> Vec<(&'static str, GraphKernel)> {
    let paths = AllPathsCycles::up_to(2);
    let compared = |comparison: Comparison| minmax(AllPathsCycles::up_to(2)).comparison(comparison);
    let linear = || Comparison::new(Compare::Linear).counts(Counted::Log);
    vec![
        ("commonest labels", minmax(paths.clone().labels(LabelChoice::Commonest(3)))),
        ("rare features", minmax(paths.clone().min_graphs(20))),
        ("bins", minmax(paths.clone().bins(Binning::new("x", Cut::Width, 3)))),
        ("quantiles", minmax(paths.bins(Binning::new("x", Cut::Quantiles, 3)))),
        ("variance cut", compared(linear().variance_cut(0.01))),
        ("standardised", compared(linear().standardized(true))),
        ("scale of rbf", compared(Comparison::new(Compare::Rbf).standardized(false))),
        ("standardised rbf", compared(Comparison::new(Compare::Rbf))),
        ("rbf over a distance", compared(Comparison::new(Compare::MinMax).rbf_distance(1.0))),
    ]
}

/// Graphs of noise, split in two; most of the second half can be changed beyond recognition.
struct Leak {
    graphs: Vec<Graph>,
    changed: Vec<Graph>,
    classes: Vec<i64>,
    train: Vec<usize>,
    kept: Vec<usize>,
}

impl Leak {
    const C: f64 = 100.0;
    const SEED: u64 = 3;

    fn new() -> Self {
        let mut random = Random(1);
        let classes = random.classes(120);
        let graphs: Vec<Graph> = (0..120).map(|_| random.tree(12, &["A", "B", "C", "D"], 1.0)).collect();
        let (train, test) = Folds::new(&classes, 2, Self::SEED).unwrap().split(0);
        let mut changed = graphs.clone();
        test[20..].iter().for_each(|&graph| changed[graph] = random.tree(40, &["Y", "Z", "D", "C"], 50.0));
        Self { graphs, changed, classes, train, kept: test[..20].to_vec() }
    }

    /// What cross-validation predicts for the graphs that stay what they are.
    fn honest(&self, cross_validation: &CrossValidation, grid: &Grid, graphs: &[Graph]) -> Vec<i64> {
        let found = cross_validation.clone().seed(Self::SEED).run(grid, graphs, &self.classes).unwrap();
        self.kept.iter().map(|&graph| found.predictions()[0][graph]).collect()
    }

    /// What a machine predicts for them if its kernel was fitted to these graphs.
    fn fitted_to(&self, kernel: &GraphKernel, graphs: &[Graph], fitted: &[usize]) -> Vec<i64> {
        let pick = |places: &[usize]| places.iter().map(|&place| graphs[place].clone()).collect::<Vec<_>>();
        let kernel = kernel.fit(&pick(fitted)).unwrap();
        let gram: Gram<f32> = kernel.gram().unwrap();
        let rows: Vec<usize> = (0..fitted.len()).filter(|&row| self.train.contains(&fitted[row])).collect();
        let known: Vec<i64> = rows.iter().map(|&row| self.classes[fitted[row]]).collect();
        let machine = Svm::new(Self::C).fit(&gram, &rows, &known).unwrap();
        let asked: Gram<f32> = kernel.against(&pick(&self.kept)).unwrap();
        (0..asked.rows()).map(|row| machine.predict(asked.row(row))).collect()
    }
}

#[test]
fn nothing_is_learnt_from_the_fold_that_is_predicted() {
    let leak = Leak::new();
    let everyone: Vec<usize> = (0..leak.graphs.len()).collect();
    for (name, kernel) in learning() {
        assert!(kernel.learns(), "{name}");
        let grid = Grid::new(kernel.clone()).c([Leak::C]);
        let honest = |graphs| leak.honest(&CrossValidation::new(2), &grid, graphs);
        assert_eq!(honest(&leak.graphs), honest(&leak.changed), "{name}");
        assert_eq!(honest(&leak.graphs), leak.fitted_to(&kernel, &leak.graphs, &leak.train), "{name}");
        // And this is what a leak looks like: the kernel has seen all graphs, the machine only its own.
        let leaky = |graphs| leak.fitted_to(&kernel, graphs, &everyone);
        assert_ne!(leaky(&leak.graphs), leaky(&leak.changed), "{name}: a leak would not be seen");
    }
}

#[test]
fn nothing_is_chosen_by_the_fold_that_is_predicted() {
    let leak = Leak::new();
    let grid = Grid::of(learning().into_iter().map(|(_, kernel)| kernel)).c([1.0, 100.0]);
    let nested = CrossValidation::new(2).nested(3);
    assert_eq!(nested.protocol(&grid), Protocol::Nested);
    let honest = |graphs| leak.honest(&nested, &grid, graphs);
    assert_eq!(honest(&leak.graphs), honest(&leak.changed));
    // Chosen by the very accuracy that is reported, it depends on the graphs that are predicted.
    let selected = |graphs| leak.honest(&CrossValidation::new(2), &grid, graphs);
    assert_ne!(selected(&leak.graphs), selected(&leak.changed), "a leak would not be seen");
}

#[test]
fn the_same_on_any_number_of_threads() {
    let mut random = Random(2);
    let classes: Vec<i64> = (0..60).map(|_| [1, 2, 4][random.below(3)]).collect();
    let graphs: Vec<Graph> = (0..60).map(|_| random.tree(10, &["A", "B", "C"], 1.0)).collect();
    let grid = Grid::of(learning().into_iter().map(|(_, kernel)| kernel)).c([0.1, 10.0]);
    let grid = grid.deciders(Deciders::NearBest);
    for cross_validation in [CrossValidation::new(5).repeats(2), CrossValidation::new(4).nested(3)] {
        let run = |threads| {
            let found = cross_validation.clone().threads(threads).run(&grid, &graphs, &classes).unwrap();
            (found.predictions().to_vec(), found.chosen().to_vec(), found.per_fold())
        };
        let one = run(1);
        assert!(one == run(2) && one == run(5), "{cross_validation:?}");
    }
    let fit = |threads| {
        let classifier = GraphClassifier::of(grid.clone()).folds(3).threads(threads).probabilities();
        let fitted = classifier.fit(&graphs, &classes).unwrap();
        (fitted.machine().clone(), fitted.predict_under(&graphs, &Monitor::new()).unwrap())
    };
    let one = fit(1);
    assert!(one == fit(2) && one == fit(5));
}

/// The pairs of a repeat that are in the same fold and of both classes, one by one.
#[allow(clippy::float_cmp)] // whole numbers
fn share_in_order(rows: &[Vec<f64>], repeat: f64) -> f64 {
    let of = |class: f64| rows.iter().filter(move |row| row[0] == repeat && row[3] == class);
    let (mut pairs, mut right) = (0.0, 0.0);
    for one in of(0.0) {
        for other in of(1.0).filter(|other| other[2] == one[2]) {
            pairs += 1.0;
            right += match one[5].partial_cmp(&other[5]) {
                Some(Ordering::Greater) => 1.0,
                Some(Ordering::Equal) => 0.5,
                _ => 0.0,
            };
        }
    }
    right / pairs
}

#[test]
fn the_area_is_a_share_of_pairs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("predictions.csv");
    let mut random = Random(4);
    let classes = random.classes(90);
    // The last ten are all alike, and their decision values ties.
    let alike = random.tree(9, &["A", "B", "C"], 1.0);
    let mut graphs: Vec<Graph> = (0..80).map(|_| random.tree(9, &["A", "B", "C"], 1.0)).collect();
    graphs.extend(std::iter::repeat_n(alike, 10));
    let one = Grid::new(minmax(AllPathsCycles::up_to(2)));
    let several = one.clone().c([0.1, 10.0]);
    let landmarks = one.clone().approximate(Nystroem::new(20));
    for (name, cross_validation, grid) in [
        ("fixed", CrossValidation::new(4).repeats(3), &one),
        ("selected", CrossValidation::new(4), &several),
        ("nested", CrossValidation::new(4).repeats(2).nested(3), &several),
        ("approximated", CrossValidation::new(4).repeats(2), &landmarks),
    ] {
        let found = cross_validation.run(grid, &graphs, &classes).unwrap();
        found.write_predictions(&path).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let numbers = |line: &str| line.split(',').map(|number| number.parse().unwrap()).collect();
        let rows: Vec<Vec<f64>> = text.lines().skip(1).map(numbers).collect();
        let repeats = rows.len() / graphs.len();
        let oracle =
            (0..repeats).map(|repeat| share_in_order(&rows, repeat as f64)).sum::<f64>() / repeats as f64;
        assert!((found.roc_auc().unwrap() - oracle).abs() < 1e-12, "{name}: {:?} {oracle}", found.roc_auc());
        // What decides is the sign.
        assert!(rows.iter().all(|row| row[5] == 0.0 || (row[5] > 0.0) == (row[4] == 0.0)), "{name}");
        let three: Vec<i64> = (0..90).map(|graph| graph % 3).collect();
        assert_eq!(cross_validation.run(grid, &graphs, &three).unwrap().roc_auc(), None, "{name}");
    }
}

/// Classes of noise: nothing is there to be found, and what seems to be is what was chosen for.
#[test]
fn chance_is_not_beaten_by_choosing() {
    let demo = Dataset::demo(1);
    let graphs = &demo.graphs()[..100];
    let refined = (0..6).map(|rounds| GraphKernel::new(WeisfeilerLehman::new(rounds)));
    let paths = (1..5).map(|length| minmax(AllPathsCycles::up_to(length)));
    let cs = [0.01, 0.1, 1.0, 10.0, 100.0];
    let cosine = |kernel: GraphKernel| kernel.compared(|comparison| comparison.compare(Compare::Cosine));
    let many = Grid::of(refined.map(cosine).chain(paths)).c(cs);
    let one = Grid::new(minmax(AllPathsCycles::up_to(3)));
    let seeds = 1..=10;
    let mean = |cross_validation: &CrossValidation, grid: &Grid, protocol| {
        let of_seed = |seed: u64| {
            let classes = Random(seed).classes(graphs.len());
            let found = cross_validation.clone().seed(seed).run(grid, graphs, &classes).unwrap();
            assert_eq!((found.protocol(), found.baseline_majority()), (protocol, 50.0));
            found.accuracy_mean()
        };
        seeds.clone().map(of_seed).sum::<f64>() / 10.0
    };
    let fixed = mean(&CrossValidation::new(10), &one, Protocol::Fixed);
    let selected = mean(&CrossValidation::new(10), &many, Protocol::Selected);
    let nested = mean(&CrossValidation::new(10).nested(5), &many, Protocol::Nested);
    // The mean over ten times a hundred coins deviates by 1.6 from 50.
    let chance = 45.0..55.0;
    assert!(chance.contains(&fixed) && chance.contains(&nested), "{fixed} {selected} {nested}");
    assert!(selected > 55.0, "{fixed} {selected} {nested}");
}

#[test]
fn runs_that_make_no_sense() {
    let demo = Dataset::demo(1);
    let (graphs, classes) = (demo.graphs(), demo.classes().unwrap());
    let grid = Grid::new(minmax(AllPathsCycles::up_to(1)));
    for (cross_validation, grid, classes) in [
        (CrossValidation::new(301), &grid, classes),
        (CrossValidation::new(1), &grid, classes),
        (CrossValidation::new(10).repeats(0), &grid, classes),
        (CrossValidation::new(10), &grid, &classes[1..]),
        (CrossValidation::new(10), &Grid::of([]), classes),
        (CrossValidation::new(10), &grid.clone().c([]), classes),
        (CrossValidation::new(10), &grid.clone().c([-1.0]), classes),
        (CrossValidation::new(10), &grid.clone().c([f64::NAN]), classes),
        (CrossValidation::new(10).threads(0), &grid, classes),
    ] {
        let error = cross_validation.run(grid, graphs, classes).unwrap_err();
        assert!(error.is_usage(), "{cross_validation:?}: {error}");
    }
    // A fold may hold the only graph of a class, or all be of one class.
    let rare: Vec<i64> = (0..20).map(|graph| i64::from(graph == 0)).collect();
    let found = CrossValidation::new(5).run(&grid, &graphs[..20], &rare).unwrap();
    assert_eq!((found.confusion().counts, found.balanced_accuracy()), (vec![vec![19, 0], vec![1, 0]], 50.0));
    let found = CrossValidation::new(5).run(&grid, &graphs[..20], &[4; 20]).unwrap();
    assert_eq!((found.accuracy_mean(), found.balanced_accuracy()), (100.0, 100.0));
}

/// Where nothing tells the C apart, all of them decide, and the values that are written are the mean of what each of them says alone.
#[test]
fn machines_that_are_as_good_decide_together() {
    let demo = Dataset::demo(1);
    let (graphs, classes) = (demo.graphs(), demo.classes().unwrap());
    let kernel = minmax(AllPathsCycles::up_to(4));
    let cs = [4.0, 4.5, 5.0];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("predictions.csv");
    for approximate in [None, Some(Nystroem::new(40))] {
        let values = |grid: &Grid| -> Vec<f64> {
            let grid = approximate.into_iter().fold(grid.clone(), Grid::approximate);
            let found = CrossValidation::new(4).nested(3).run(&grid, graphs, classes).unwrap();
            found.write_predictions(&path).unwrap();
            let lines = std::fs::read_to_string(&path).unwrap();
            let taken: usize = found.chosen().iter().map(|times| times.times).sum();
            assert_eq!(taken, 4);
            if found.protocol() == Protocol::Nested {
                assert!(found.chosen().iter().all(|times| times.cs == cs), "{:?}", found.chosen());
            }
            lines.lines().skip(1).map(|line| line.rsplit(',').next().unwrap().parse().unwrap()).collect()
        };
        let grid = Grid::new(kernel.clone()).c(cs).deciders(Deciders::NearBest);
        let together = values(&grid);
        let alone: Vec<Vec<f64>> = cs.iter().map(|&c| values(&grid.clone().c([c]))).collect();
        let apart = alone[0].iter().zip(&alone[2]).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(apart > 0.05, "one machine is not the mean: {apart}");
        for (graph, value) in together.iter().enumerate() {
            let mean = alone.iter().map(|values| values[graph]).sum::<f64>() / 3.0;
            // Machines that go on from a smaller C are as close to the optimum, but not the same.
            assert!((value - mean).abs() < 0.02, "{graph}: {value} {mean}");
        }
    }
    let fitted =
        GraphClassifier::of(Grid::new(kernel).c(cs).deciders(Deciders::NearBest)).fit(graphs, classes);
    assert_eq!(fitted.unwrap().cs(), cs);
}

fn said(classifier: &FittedClassifier, graphs: &[Graph]) -> Vec<allpaths::evaluate::Prediction> {
    classifier.predict_under(graphs, &Monitor::new()).unwrap()
}

#[test]
fn classifiers_keep_in_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.model");
    let mut random = Random(5);
    let graphs: Vec<Graph> = (0..60).map(|_| random.tree(10, &["A", "B", "C"], 1.0)).collect();
    let (known, asked) = graphs.split_at(40);
    let classes: Vec<i64> = (0..40).map(|i| [-5, 3, 8][i % 3]).collect();
    let mut grids: Vec<Grid> = learning().into_iter().map(|(_, kernel)| Grid::new(kernel)).collect();
    let pairs = Svm::default().codes(OutputCodes::OneVsOne);
    grids.extend([Grid::standard(), Grid::standard().svm(pairs)]);
    for grid in grids {
        for classes in [&classes[..], &[1; 40]] {
            let fitted =
                GraphClassifier::of(grid.clone()).folds(3).probabilities().fit(known, classes).unwrap();
            fitted.write(&path).unwrap();
            let read = FittedClassifier::read(&path).unwrap();
            assert_eq!(said(&read, asked), said(&fitted, asked), "{grid:?}");
            assert_eq!(
                (read.svm(), read.cs(), read.machine()),
                (fitted.svm(), fitted.cs(), fitted.machine())
            );
            assert!(read.cs().contains(&read.svm().cost()));
            assert_eq!(read.kernel().settings(), fitted.kernel().settings());
            assert!(said(&read, asked).iter().all(|one| {
                let sum: f64 = one.probabilities.as_ref().unwrap().iter().sum();
                (sum - 1.0).abs() < 1e-9 && fitted.classes().contains(&one.class)
            }));
        }
    }
}

#[test]
fn graphs_over_their_budget_are_told_of() {
    let mut random = Random(6);
    // Of two sizes, of which one is too large.
    let mut graphs: Vec<Graph> =
        (0..40).map(|i| random.tree([5, 30][i % 2], &["A", "B", "C"], 1.0)).collect();
    let classes = random.classes(40);
    let limits = Limits { steps: Some(100), ..Limits::default() };
    let expected: Vec<Outcome> = (0..40).map(|i| [Outcome::Complete, Outcome::Budget][i % 2]).collect();
    let paths = AllPathsCycles::up_to(4);
    let shared = minmax(paths.clone());
    let learnt = minmax(paths.labels(LabelChoice::Commonest(2)));
    let complete = GraphKernel::new(WeisfeilerLehman::new(1));
    let approximated = Grid::new(shared.clone()).approximate(Nystroem::new(10));
    for grid in [Grid::new(shared.clone()), Grid::of([complete.clone(), learnt]), approximated] {
        let run = |grid: Grid| CrossValidation::new(4).run(&grid, &graphs, &classes).unwrap();
        assert_eq!(run(grid.clone().limits(limits, Stopped::Skip)).outcomes(), expected);
        assert_eq!(run(grid).outcomes(), [Outcome::Complete; 40]);
    }
    let grid = Grid::new(shared.limits(limits, Stopped::Keep));
    let linear = LinearClassifier::of(&grid).unwrap().fit(&graphs, &classes).unwrap();
    assert_eq!(linear.outcomes(), expected);
    let kernel = GraphClassifier::of(grid).fit(&graphs, &classes).unwrap();
    assert_eq!(kernel.kernel().outcomes(), expected);
    graphs.reverse();
    for model in [kernel.to_bytes().unwrap(), linear.to_bytes().unwrap()] {
        let model = Model::from_bytes(&model).unwrap();
        let predictions = model.predict_under(&graphs, &Monitor::new()).unwrap();
        let outcomes: Vec<Outcome> = predictions.iter().map(|prediction| prediction.outcome).collect();
        assert!(outcomes.iter().rev().eq(&expected));
        if let Model::Linear(linear) = model {
            assert_eq!(linear.outcomes(), expected);
        }
    }
}

#[test]
fn damaged_and_foreign_files() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, path) = (folder.path().join("whole.model"), folder.path().join("a.model"));
    let demo = Dataset::demo(1).pick(0..40);
    let grid = Grid::new(minmax(AllPathsCycles::up_to(2)));
    let fitted = GraphClassifier::of(grid).fit(&demo, demo.classes().unwrap()).unwrap();
    fitted.write(&whole).unwrap();
    let refusal = |path: &Path| {
        let error = FittedClassifier::read(path).unwrap_err();
        assert!(error.is_input(), "{error}");
        error.to_string()
    };

    let bytes = std::fs::read(&whole).unwrap();
    for length in [0, 1, 100, bytes.len() / 2, bytes.len() - 1] {
        std::fs::write(&path, &bytes[..length]).unwrap();
        let words = refusal(&path);
        assert!(words.contains("a.model") && words.contains("not a file of NumPy arrays"), "{words}");
    }
    fitted.kernel().write(&path).unwrap();
    assert!(refusal(&path).contains("not a trained classifier"));
    refusal(&folder.path().join("none.model"));

    // The same arrays with another machine.
    let npz = Npz::read(&whole).unwrap();
    let about: serde_json::Value = serde_json::from_slice(npz.bytes("classifier").unwrap()).unwrap();
    let with = |pointer: &str, value: serde_json::Value| {
        let mut about = about.clone();
        *about.pointer_mut(pointer).unwrap() = value;
        let whole = ["ids", "refinements", "lengths", "indptr", "indices"];
        let copied = Npz::new().array("about", npz.bytes("about").unwrap().to_vec());
        let copied =
            whole.iter().fold(copied, |copy, name| copy.array(*name, npz.whole_numbers(name).unwrap()));
        let copied = ["data", "factors"]
            .iter()
            .fold(copied, |copy, name| copy.array(*name, npz.real_numbers(name).unwrap()));
        copied.array("classifier", serde_json::to_vec(&about).unwrap()).write(&path).unwrap();
    };
    with("/version", 1.into());
    assert_eq!(said(&FittedClassifier::read(&path).unwrap(), demo.graphs()), said(&fitted, demo.graphs()));
    with("/version", 2.into());
    assert!(refusal(&path).contains("written in version 2"));
    with("/machine/machines/0/support/0", 40.into());
    assert!(refusal(&path).contains("does not fit its kernel"));
    for (pointer, value) in [
        ("/machine/machines/0/coefficients", vec![1.0].into()),
        ("/machine/machines", Vec::<i64>::new().into()),
        ("/machine/sides", Vec::<i64>::new().into()),
        ("/machine/sides/0", vec![1].into()),
        ("/machine/classes", Vec::<i64>::new().into()),
        ("/machine/classes", vec![1, 2, 3].into()),
        ("/machine/machines/0/bias", "much".into()),
        ("/machine/machines/0/bias", serde_json::Value::Null),
        ("/machine", serde_json::Value::Null),
        ("/settings", 7.into()),
    ] {
        with(pointer, value);
        let words = refusal(&path);
        assert!(
            words.contains("not a trained classifier") || words.contains("damaged"),
            "{pointer}: {words}"
        );
    }
}

//! Features by algebra: what the sieve adds up and decodes is what the walk books.

mod random;

use allpaths::count::{Convention, Count, Engine, Limits, Outcome};
use allpaths::embed::{EdgeLabels, Features, Stopped};
use allpaths::graph::GraphBuilder;
use allpaths::label::{Cycles, Encoding, Kind, LabelChoice};
use allpaths::{AllPathsCycles, Counter, Graph};
use proptest::prelude::*;
use proptest::sample::select;

/// Small graphs with few labels, so that they repeat. Every other arc of a directed graph has one that leads back.
fn graphs() -> impl Strategy<Value = Graph> {
    let few = random::Texts { text: "[a-e]", ..random::LABEL };
    random::graphs(few).prop_map(|spec| {
        let vertex_labels = spec.vertex_labels.clone();
        let mut spec = random::Spec { vertex_labels, ..spec.bare() };
        if spec.directed {
            let back = spec.edges.iter().step_by(2).filter(|(u, v)| u != v).map(|&(u, v)| (v, u));
            spec.edges.extend(back.collect::<Vec<_>>());
        }
        spec.build()
    })
}

/// What all encodings have to choose from.
fn settings() -> impl Strategy<Value = AllPathsCycles> {
    let cycles = select(vec![Cycles::Separate, Cycles::Merged, Cycles::Off]);
    let convention = select(vec![Convention::Distinct, Convention::Rooted]);
    let labels = select(vec![LabelChoice::All, LabelChoice::Commonest(1), LabelChoice::Commonest(3)]);
    (0..6usize, cycles, convention, labels, any::<bool>()).prop_map(
        |(max_length, cycles, convention, labels, paths)| {
            let settings =
                AllPathsCycles::up_to(max_length).cycles(cycles).convention(convention).labels(labels);
            if paths { settings } else { settings.without_paths() }
        },
    )
}

/// What labels may weigh: the usual, other numbers that no sum confuses, and some that sums do.
fn codes() -> Vec<Vec<f64>> {
    let roots = [2.0f64, 3.0, 5.0, 7.0, 11.0, 13.0].map(|prime| prime.sqrt().exp());
    vec![Vec::new(), roots.to_vec(), vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]]
}

/// Vertices with these labels, each joined with all others.
fn complete(labels: &[&str]) -> Graph {
    let mut builder = GraphBuilder::undirected(labels.len());
    builder.vertex_labels(labels);
    for v in 1..labels.len() {
        (0..v).for_each(|u| _ = builder.edge(u, v).unwrap());
    }
    builder.build().unwrap()
}

fn longest(features: &Features) -> Option<usize> {
    features.features().iter().map(|feature| feature.cell.length).max()
}

#[test]
fn a_step_of_the_sieve_is_a_subgraph() {
    // 5 single vertices, 10 pairs, 10 triples, 5 quadruples.
    let settings = AllPathsCycles::up_to(4).encoding(Encoding::Power).engine(Engine::Sieve);
    let features = |steps| settings.clone().budget(steps).embed(&[complete(&["a"; 5])]).unwrap();
    let reached = |steps| longest(&features(steps));
    assert_eq!([31, 30, 25, 15, 14].map(reached), [Some(4), Some(3), Some(2), Some(1), Some(0)]);
    assert_eq!([31, 30].map(|steps| features(steps).outcome(0)), [Outcome::Complete, Outcome::Budget]);
}

#[test]
fn lengths_beyond_the_sieve_are_refused() {
    let settings = AllPathsCycles::up_to(63).encoding(Encoding::Power);
    assert!(settings.embed(&[complete(&["a"; 5])]).is_ok());
    let error = settings.engine(Engine::Sieve).embed(&[complete(&["a"; 5])]).unwrap_err();
    assert_eq!(error.to_string(), "a length of 63 is beyond the sieve engine: ask for at most 62");
}

#[test]
fn quotients_are_taken_where_paths_are_many() {
    // 40 vertices, each joined with all others: a walk to length 6 would take minutes.
    let labels: Vec<&str> = (0..40).map(|v| ["a", "b", "c", "a"][v % 4]).collect();
    let graphs = [complete(&labels)];
    let settings = AllPathsCycles::up_to(6).encoding(Encoding::Power).labels(LabelChoice::Commonest(3));
    let features = settings.embed(&graphs).unwrap();
    // The 20 vertices of code 0 alone: 20 * 19 * ... * 14 / 2 paths. And 10 * 9 * 8 * ... * 4 / 2 of one rarer label.
    let falling = |n: u64, k: u64| (n - k + 1..=n).product::<u64>();
    assert_eq!(features.count(0, "power:6:[a,0,a]@a,b,*"), Some(falling(20, 7) / 2));
    assert_eq!(features.count(0, "power:6:[b,5,b]@a,b,*").unwrap() % 2, 0);
    assert_eq!(features.count(0, "power:6:(12)@a,b,*"), Some(falling(10, 6) / 12));
    let total: u64 = (0..=10)
        .flat_map(|class| {
            let names = ["a", "b", "*"];
            let pairs = (0..3).flat_map(move |i| (i..3).map(move |j| (names[i], names[j])));
            pairs.map(move |(first, last)| format!("power:6:[{first},{class},{last}]@a,b,*"))
        })
        .filter_map(|name| features.count(0, &name))
        .sum();
    assert_eq!(total, falling(40, 7) / 2, "all paths have a class");
    assert_eq!(features, settings.engine(Engine::Quotient).embed(&graphs).unwrap());
}

#[test]
fn compositions_too_many_to_walk() {
    // Each of 40 vertices is joined with all others, and 20, 10 and 10 of them have the same label.
    let labels: Vec<&str> = (0..40).map(|v| ["a", "b", "a", "c"][v % 4]).collect();
    let graphs = [complete(&labels)];
    let settings = AllPathsCycles::up_to(6).encoding(Encoding::Composition).labels(LabelChoice::All);
    let features = settings.embed(&graphs).unwrap();
    let falling = |n: u64, k: u64| (n - k + 1..=n).product::<u64>();
    assert_eq!(features.count(0, "path:6:[a,a^5,a]"), Some(falling(20, 7) / 2));
    // The inner labels have 5! / (2! 2!) orders.
    let inner = 30 * falling(20, 2) * 9 * falling(9, 2);
    assert_eq!(features.count(0, "path:6:[b,a^2 b c^2,c]"), Some(10 * 10 * inner));
    assert_eq!(features.count(0, "cycle:3:a b c"), Some(20 * 10 * 10));
    assert_eq!(features, settings.clone().engine(Engine::Quotient).embed(&graphs).unwrap());
    let labelled =
        settings.engine(Engine::Quotient).edge_labels(EdgeLabels::Used).embed(&graphs).unwrap_err();
    assert_eq!(
        labelled.to_string(),
        "the quotient engine cannot tell edge labels apart: leave them out, or take the engine depth-first"
    );
}

/// A grid whose vertices are called a, b and c, in no order that a grid would have.
fn grid(width: usize, height: usize) -> Graph {
    let mut builder = GraphBuilder::undirected(width * height);
    builder.vertex_labels((0..width * height).map(|v| ["a", "b", "a", "a", "c"][v * v % 7 % 5]));
    for v in 0..width * height {
        if v % width + 1 < width {
            builder.edge(v, v + 1).unwrap();
        }
        if v + width < width * height {
            builder.edge(v, v + width).unwrap();
        }
    }
    builder.build().unwrap()
}

#[test]
fn classes_of_paths_too_long_to_walk() {
    const LENGTH: usize = 41;
    let graph = grid(6, 7);
    let settings = AllPathsCycles::up_to(LENGTH).encoding(Encoding::Power).engine(Engine::Frontier);
    let features = settings.embed(&graph).unwrap();
    assert_eq!(features.outcome(0), Outcome::Complete);
    let counts = Counter::up_to(LENGTH).engine(Engine::Frontier).count(&graph).unwrap();
    let mut sums = vec![[0; 2]; LENGTH + 1];
    for (feature, count) in features.features().iter().zip(features.row(0).1) {
        sums[feature.cell.length][usize::from(feature.kind == Kind::Cycle)] += u128::from(*count);
    }
    for (length, [paths, cycles]) in sums.into_iter().enumerate() {
        assert_eq!((counts.paths(length), counts.cycles(length)), (paths.into(), cycles.into()));
    }
    assert!(counts.path_counts().unwrap().iter().sum::<Count>() > Count::from(1_000_000_000u64));
    // The shorter ones can be walked.
    let short = AllPathsCycles::up_to(9).encoding(Encoding::Power).engine(Engine::DepthFirst);
    let short = short.embed(&graph).unwrap();
    for (feature, count) in short.features().iter().zip(short.row(0).1) {
        assert_eq!(features.count(0, &feature.name), Some(*count), "{}", feature.name);
    }
}

/// All vertices of a label are twins, and of two labels none.
#[test]
fn classes_of_a_complete_graph() {
    let labels: Vec<&str> = (0..14).map(|v| ["a", "b", "a"][v % 3]).collect();
    let settings = AllPathsCycles::up_to(13).encoding(Encoding::Power).engine(Engine::Frontier);
    let features = settings.embed(&[complete(&labels)]).unwrap();
    // 9 times a and 5 times b: all orders of 7 and 3 of them, and of those the ones that begin and end with a.
    let falling = |n: u64, k: u64| (n - k + 1..=n).product::<u64>();
    let inner = falling(8, 3) / falling(3, 3);
    assert_eq!(features.count(0, "power:9:[a,3,a]@a,b,*"), Some(falling(9, 7) * falling(5, 3) * inner / 2));
    // All orders of all but one a, of which as many are one cycle as it has beginnings and directions.
    let cycles = 9 * falling(13, 13) / 26;
    assert_eq!(features.count(0, "power:13:(5)@a,b,*"), Some(cycles));
}

#[test]
fn classes_that_take_too_much_leave_the_shorter_ones() {
    let graph = grid(6, 6);
    let settings = |length| AllPathsCycles::up_to(length).encoding(Encoding::Power).engine(Engine::Frontier);
    let check = |limits: Limits, outcome| {
        let features = settings(20).limits(limits).embed(&graph).unwrap();
        assert_eq!(features.outcome(0), outcome);
        let reached = longest(&features).unwrap();
        assert!((2..20).contains(&reached), "{outcome:?}: {reached}");
        assert_eq!(features.row(0), settings(reached).embed(&graph).unwrap().row(0));
    };
    check(Limits { memory: Some(60_000), ..Limits::default() }, Outcome::Memory);
    check(Limits { steps: Some(20_000), ..Limits::default() }, Outcome::Budget);
    // Past 62 bits: there are 30 * 29 * ... rooted paths of a length, and as many cycles with one edge more.
    let features = settings(29).embed(&complete(&["a"; 30])).unwrap();
    assert_eq!(features.outcome(0), Outcome::Undecided);
    let paths = |length: usize| (30 - length as u128..=30).product::<u128>();
    let all = |length: usize| (1..=length).map(|length| paths(length) + paths(length - 1)).sum::<u128>();
    let reached = longest(&features).unwrap();
    assert!(all(reached) < 1 << 62 && 1 << 62 <= all(reached + 1), "{reached}");
    assert_eq!(
        features.count(0, &format!("power:{reached}:[a,0,a]@a,*")).map(u128::from),
        Some(paths(reached) / 2)
    );
}

#[test]
fn the_frontier_engine_tells_what_it_cannot_name() {
    let settings = |encoding| AllPathsCycles::up_to(3).encoding(encoding).engine(Engine::Frontier);
    let refused = |encoding, graph: Graph| settings(encoding).embed(&[graph]).unwrap_err().to_string();
    assert_eq!(
        refused(Encoding::Sequence, complete(&["a"; 3])),
        "the frontier engine cannot name sequence features: take the engine depth-first, or the encoding power"
    );
    assert!(refused(Encoding::Composition, complete(&["a"; 3])).contains("cannot name composition features"));
    assert!(refused(Encoding::Exact, complete(&["a"; 3])).starts_with("the encoding exact is decoded from"));
    assert_eq!(
        refused(Encoding::Power, Graph::from_arcs(2, [(0, 1)]).unwrap()),
        "the frontier engine counts in graphs without directions: take another, or auto"
    );
    let labelled = settings(Encoding::Power).edge_labels(EdgeLabels::Used).embed(&[complete(&["a"; 3])]);
    assert!(labelled.unwrap_err().to_string().starts_with("the encoding power has no place for edge labels"));
}

#[test]
fn what_cannot_be_decided_is_not_guessed() {
    // Between any two vertices of the larger graph, there are 1, 8, 56 and 336 paths of the lengths from 1 to 4.
    let graphs = [complete(&["a", "b"]), complete(&["a", "b", "c", "a", "b", "c", "a", "b", "c", "a"])];
    let exact = AllPathsCycles::up_to(4).encoding(Encoding::Exact);
    let features = exact.embed(&graphs).unwrap();
    assert_eq!(features.outcomes(), [Outcome::Complete, Outcome::Undecided]);
    let reached = longest(&features).unwrap();
    assert!((1..4).contains(&reached));
    let composition =
        AllPathsCycles::up_to(reached).encoding(Encoding::Composition).labels(LabelChoice::Commonest(3));
    assert_eq!(features.row(1), composition.embed(&graphs).unwrap().row(1));

    let skipped = exact.clone().stopped(Stopped::Skip).embed(&graphs).unwrap();
    assert_eq!((skipped.row(0).0.len(), skipped.row(1).0.len()), (3, 0));
    let error = exact.stopped(Stopped::Fail).embed(&graphs).unwrap_err();
    assert_eq!(error.to_string(), "graph 1 was stopped before its end: undecided");
}

#[test]
fn codes_that_confuse_decide_nothing() {
    // Two paths from e to e, over a and d or over b and c. If those weigh 2 and 6, or 4 and 3, both weigh the same.
    let mut builder = GraphBuilder::undirected(6);
    builder.vertex_labels(["e", "a", "d", "b", "c", "e"]);
    for (u, v) in [(0, 1), (1, 2), (2, 5), (0, 3), (3, 4), (4, 5)] {
        builder.edge(u, v).unwrap();
    }
    let graphs = [builder.build().unwrap()];
    let exact = AllPathsCycles::up_to(3).encoding(Encoding::Exact).labels(LabelChoice::All);
    let outcome = |settings: AllPathsCycles| settings.embed(&graphs).unwrap().outcome(0);
    assert_eq!(outcome(exact.clone()), Outcome::Complete);
    // By how common they are and by name: e, a, b, c, d and all others.
    assert_eq!(outcome(exact.clone().codes([1.0, 2.0, 4.0, 3.0, 6.0, 7.0])), Outcome::Undecided);
    let error = exact.clone().codes([1.0, 2.0]).embed(&graphs).unwrap_err().to_string();
    assert!(error.starts_with("6 labels, all others as one among them, but 2 codes"), "{error}");
    let error = exact.encoding(Encoding::Power).codes([1.0, 2.0]).embed(&graphs).unwrap_err().to_string();
    assert_eq!(error, "the encoding power has codes of its own: only exact takes others");
}

#[test]
fn exact_sums_come_from_the_sieve() {
    let settings = AllPathsCycles::up_to(2).encoding(Encoding::Exact);
    let error = settings.engine(Engine::DepthFirst).embed(&[complete(&["a"; 5])]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the encoding exact is decoded from the sieve's sums: take the engine sieve, or the encoding composition"
    );
}

proptest! {
    #[test]
    fn what_exact_finds_is_the_composition(graph in graphs(), settings in settings(), codes in select(codes())) {
        let graphs = [graph];
        let exact = settings.clone().encoding(Encoding::Exact).codes(codes).embed(&graphs).unwrap();
        let composition = settings.encoding(Encoding::Composition).embed(&graphs).unwrap();
        if exact.outcome(0) == Outcome::Complete {
            prop_assert_eq!(exact, composition);
        } else {
            prop_assert_eq!(exact.outcome(0), Outcome::Undecided);
            let reached = longest(&exact);
            for feature in composition.features() {
                let (name, length) = (&feature.name, feature.cell.length);
                let found = exact.count(0, name);
                let expected = composition.count(0, name).filter(|_| Some(length) <= reached);
                prop_assert_eq!(found, expected, "{}", name);
            }
        }
    }

    #[test]
    fn power_classes_are_the_same_by_all_engines(graphs in prop::collection::vec(graphs(), 1..4), settings in settings()) {
        let settings = settings.encoding(Encoding::Power);
        let sifted = settings.clone().engine(Engine::Sieve).embed(&graphs).unwrap();
        for engine in [Engine::DepthFirst, Engine::Quotient, Engine::Auto] {
            prop_assert_eq!(&sifted, &settings.clone().engine(engine).embed(&graphs).unwrap());
        }
        let undirected: Vec<Graph> = graphs.into_iter().filter(|graph| !graph.is_directed()).collect();
        let [walked, swept] = [Engine::DepthFirst, Engine::Frontier]
            .map(|engine| settings.clone().engine(engine).embed(&undirected).unwrap());
        prop_assert_eq!(walked, swept);
    }

    #[test]
    fn compositions_are_the_same_by_quotients(graphs in prop::collection::vec(graphs(), 1..4), settings in settings()) {
        let settings = settings.encoding(Encoding::Composition);
        let walked = settings.clone().engine(Engine::DepthFirst).embed(&graphs).unwrap();
        for engine in [Engine::Quotient, Engine::Auto] {
            prop_assert_eq!(&walked, &settings.clone().engine(engine).embed(&graphs).unwrap());
        }
    }
}

//! Every format, there and back: what it can hold comes back the same, and what it cannot is in the notes.

mod batches;
mod random;
mod same;

use allpaths::dataset::{Format, Reader, Writer};
use allpaths::graph::{Attribute, Values};
use allpaths::{Dataset, Graph};
use proptest::prelude::*;
use random::{ANY, KEYS, LABEL, LINE, Spec, graphs};

/// A name for each format: reading and writing tell it by that.
const NAMES: [&str; 12] = [
    "x.zip",
    "x.csv",
    "x.tsv",
    "x.edges",
    "x.gml",
    "x.col",
    "x.mtx",
    "x.graphml",
    "x.g6",
    "x.s6",
    "x.json",
    "x.graphml.gz",
];

/// Writes and reads again, and expects that nothing is lost.
fn comes_back(name: &str, data: &Dataset, reader: &Reader) -> Result<(), TestCaseError> {
    let (bytes, lost) = Writer::new().bytes(data, name).unwrap();
    prop_assert_eq!(lost, Vec::<String>::new());
    let again = reader.read_bytes(name, bytes.clone());
    let again =
        again.map_err(|e| TestCaseError::fail(format!("{e}\n{}", String::from_utf8_lossy(&bytes))))?;
    prop_assert_eq!(again.graphs(), data.graphs(), "{}", String::from_utf8_lossy(&bytes));
    prop_assert_eq!(again.classes(), data.classes());
    prop_assert_eq!(again.question(), data.question());
    Ok(())
}

fn one_comes_back(name: &str, spec: &Spec) -> Result<(), TestCaseError> {
    comes_back(name, &Dataset::from_graphs("x", vec![spec.build()]), &Reader::new())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn gml(spec in graphs(KEYS)) {
        one_comes_back("x.gml", &spec)?;
        one_comes_back("x.gml.gz", &spec)?;
    }

    #[test]
    fn node_link(spec in graphs(ANY)) {
        one_comes_back("x.json", &spec)?;
    }

    #[test]
    fn graphml(specs in prop::collection::vec(graphs(ANY), 1..4)) {
        let data = Dataset::from_graphs("x", specs.iter().map(Spec::build).collect());
        comes_back("x.graphml", &data, &Reader::new())?;
    }

    #[test]
    fn edge_lists(spec in graphs(LINE), integers in any::<bool>()) {
        let spec = if integers { Spec { names: None, ..spec } } else { spec };
        let spec = spec.in_order_of_edges();
        let data = Dataset::from_graphs("x", vec![Spec { directed: false, ..spec.clone() }.build()]);
        for name in ["x.csv", "x.tsv", "x.edges"] {
            comes_back(name, &data, &Reader::new())?;
        }
        let (bytes, lost) = Writer::new().bytes(&Dataset::from_graphs("x", vec![spec.build()]), "x.csv").unwrap();
        prop_assert_eq!(lost.len(), usize::from(spec.directed));
        let again = Reader::new().directed(spec.directed).read_bytes("x.csv", bytes).unwrap();
        prop_assert_eq!(again.graphs(), [spec.build()]);
    }

    #[test]
    fn dimacs(spec in graphs(ANY), length in prop::option::of(0..9usize)) {
        let spec = Spec { directed: false, ..spec.bare().numbered_from_1() };
        one_comes_back("x.col", &spec)?;
        let pair = if spec.order > 0 { "t 1 1\n" } else { "" };
        let length = length.map_or(String::new(), |length| format!("l {length}\n"));
        let (bytes, _) = Writer::new().bytes(&Dataset::from_graphs("x", vec![spec.build()]), "x.col").unwrap();
        let asked = Reader::new().read_bytes("x.col", [&bytes, length.as_bytes(), pair.as_bytes()].concat()).unwrap();
        comes_back("x.col", &asked, &Reader::new())?;
    }

    #[test]
    fn matrix_market(spec in graphs(ANY)) {
        let weights = spec.weights.clone().map(|weights| weights.iter().map(|w| if *w == 0.0 { 1.0 } else { *w }).collect());
        let mut spec = Spec { weights, ..spec.bare().numbered_from_1() };
        if !spec.directed {
            spec.edges.iter_mut().for_each(|(u, v)| (*u, *v) = (*u.max(v), *u.min(v)));
        }
        one_comes_back("x.mtx", &spec)?;
    }

    #[test]
    fn graph6_and_sparse6(specs in prop::collection::vec(graphs(ANY), 0..4)) {
        let bare = |spec: &Spec, directed: bool| {
            let mut spec = Spec { directed, ..spec.clone().bare() };
            if directed {
                spec.edges.sort_unstable();
            } else {
                spec.edges.iter_mut().for_each(|(u, v)| (*u, *v) = (*u.min(v), *u.max(v)));
                spec.edges.sort_by_key(|&(u, v)| (v, u));
            }
            spec
        };
        let without_loops = |mut spec: Spec| {
            spec.edges.retain(|(u, v)| u != v);
            spec
        };
        let data = |build: &dyn Fn(&Spec) -> Spec| {
            Dataset::from_graphs("x", specs.iter().map(|spec| build(spec).build()).collect())
        };
        comes_back("x.g6", &data(&|spec| without_loops(bare(spec, false))), &Reader::new())?;
        comes_back("x.d6", &data(&|spec| bare(spec, true)), &Reader::new())?;
        comes_back("x.s6", &data(&|spec| bare(spec, false)), &Reader::new())?;
    }

    #[test]
    fn tu(specs in prop::collection::vec(graphs(LABEL), 0..4), classes in any::<bool>(), labels in any::<bool>()) {
        // The same things are known of every graph, and numbers are known everywhere.
        let column = |rows: usize, key: &str| {
            Attribute::new(key, Values::Real((0..rows).map(|row| Some(row as f64 / 4.0)).collect()))
        };
        let graph = |spec: &Spec| {
            let named = |rows: usize| Some((0..rows).map(|row| format!("{}", row % 3)).collect()).filter(|_| labels);
            let (order, size) = (spec.order, spec.edges.len());
            Spec {
                directed: false,
                vertex_labels: named(order),
                edge_labels: named(size),
                vertex_attributes: vec![column(order, "0"), column(order, "1")],
                edge_attributes: vec![column(size, "0")],
                ..spec.clone().bare()
            }.build()
        };
        let mut graphs: Vec<Graph> = specs.iter().map(graph).collect();
        if !classes {
            // Nothing tells of graphs at the end that have no vertices.
            graphs.truncate(graphs.iter().rposition(|graph| graph.order() > 0).map_or(0, |last| last + 1));
        }
        let has_rows = graphs.iter().any(|graph| graph.order() > 0) && graphs.iter().any(|graph| graph.size() > 0);
        let mut data = Dataset::from_graphs("x", graphs);
        if classes {
            let classes = data.graphs().iter().zip([1, -1, 0, 7]).map(|(_, class)| class).collect();
            data = data.with_classes(classes).unwrap();
        }
        prop_assume!(has_rows || data.graphs().is_empty());
        comes_back("x.zip", &data, &Reader::new())?;

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("DS");
        prop_assert_eq!(Writer::new().format(Format::Tu).write(&data, &path).unwrap(), Vec::<String>::new());
        let again = Dataset::read(&path).unwrap();
        prop_assert_eq!(again.graphs(), data.graphs());
        prop_assert_eq!(again.classes(), data.classes());
        prop_assert_eq!(again.name(), "DS");
        batches::compare(&again, &path).map_err(TestCaseError::fail)?;
        for file in ["x.zip", "x.graphml"] {
            let file = folder.path().join(file);
            Writer::new().write(&data, &file).unwrap();
            batches::compare(&Dataset::read(&file).unwrap(), &file).map_err(TestCaseError::fail)?;
        }
    }

}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 40, ..ProptestConfig::default() })]

    /// From each format to each: what is not the same afterwards was noted.
    #[test]
    fn what_is_lost_is_noted(specs in prop::collection::vec(graphs(ANY), 1..3), line in graphs(LINE), label in graphs(LABEL)) {
        let many = Dataset::from_graphs("x", specs.iter().map(Spec::build).collect());
        let one = |spec: &Spec| Dataset::from_graphs("x", vec![spec.build()]);
        for from in NAMES {
            for start in [&many, &one(&specs[0]), &one(&line), &one(&label)] {
                let first = same::there_and_back(start, from).map_err(TestCaseError::fail)?;
                let Some(first) = first else { continue };
                for to in NAMES {
                    same::there_and_back(&first, to).map_err(TestCaseError::fail)?;
                }
            }
        }
    }
}

/// Attributes under names that a format takes for something else, everywhere or with gaps, as numbers or as text.
#[test]
fn names_that_mean_something_else_are_noted() {
    let keys = [
        "id",
        "label",
        "vertex_label",
        "weight",
        "value",
        "Rating",
        "source",
        "target",
        "key",
        "directed",
        "",
        "a",
    ];
    let reals = Values::Real(vec![Some(1.0), Some(2.0)]);
    let texts = Values::Text(vec![Some("x".into()), Some("1".into())]);
    let gaps = Values::Real(vec![None, Some(2.0)]);
    for values in [&reals, &texts, &gaps, &Values::Text(vec![None, None])] {
        for (first, second) in keys.iter().flat_map(|first| keys.map(|second| (*first, second))) {
            if first == second {
                continue;
            }
            for is_known in [false, true] {
                let known = |text: &str| is_known.then(|| vec![text.to_owned(); 2]);
                let attributes =
                    vec![Attribute::new(first, values.clone()), Attribute::new(second, reals.clone())];
                let spec = Spec {
                    directed: false,
                    order: 2,
                    edges: vec![(0, 1), (1, 1)],
                    names: None,
                    vertex_labels: known("C"),
                    edge_labels: known("-"),
                    weights: is_known.then(|| vec![2.0, 3.0]),
                    vertex_attributes: attributes.clone(),
                    edge_attributes: attributes,
                };
                let data = Dataset::from_graphs("x", vec![spec.build()]);
                for name in NAMES {
                    same::there_and_back(&data, name)
                        .unwrap_or_else(|e| panic!("{first} {second} {values:?}: {e}"));
                }
            }
        }
    }
}

//! Published data with known statistics and known answers, from the folder `$ALLPATHS_DATA`, or else the
//! folder `../shared` as seen from the project. Where the data are not there, these tests say so and pass.

mod batches;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use allpaths::count::{Count, Engine, Outcome, Subject};
use allpaths::dataset::{Question, Reader};
use allpaths::graph::Labels;
use allpaths::label::{Encoding, LabelChoice};
use allpaths::{AllPathsCycles, Counter, Dataset, Graph};

/// A file or folder of the data, if the data are there.
fn data(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("ALLPATHS_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let path = folder.join(name);
    if !path.exists() {
        eprintln!("skipped: no {}", path.display());
    }
    path.exists().then_some(path)
}

/// What is said of a collection of graphs beside its files.
struct Statistics {
    name: &'static str,
    classes: &'static [(i64, usize)],
    vertices: usize,
    edges: usize,
    orders: (usize, usize),
    degree: usize,
    vertex_labels: usize,
    edge_labels: usize,
    isolated: usize,
}

const COLLECTIONS: [Statistics; 5] = [
    Statistics {
        name: "MUTAG",
        classes: &[(-1, 63), (1, 125)],
        vertices: 3371,
        edges: 3721,
        orders: (10, 28),
        degree: 4,
        vertex_labels: 7,
        edge_labels: 4,
        isolated: 0,
    },
    Statistics {
        name: "PTC_MR",
        classes: &[(-1, 192), (1, 152)],
        vertices: 4915,
        edges: 5054,
        orders: (2, 64),
        degree: 4,
        vertex_labels: 18,
        edge_labels: 4,
        isolated: 0,
    },
    Statistics {
        name: "NCI1",
        classes: &[(0, 2053), (1, 2057)],
        vertices: 122_747,
        edges: 132_753,
        orders: (3, 111),
        degree: 4,
        vertex_labels: 37,
        edge_labels: 0,
        isolated: 428,
    },
    Statistics {
        name: "NCI109",
        classes: &[(0, 2048), (1, 2079)],
        vertices: 122_494,
        edges: 132_604,
        orders: (4, 111),
        degree: 5,
        vertex_labels: 38,
        edge_labels: 0,
        isolated: 474,
    },
    Statistics {
        name: "ENZYMES",
        classes: &[(1, 100), (2, 100), (3, 100), (4, 100), (5, 100), (6, 100)],
        vertices: 19_580,
        edges: 37_282,
        orders: (2, 126),
        degree: 9,
        vertex_labels: 3,
        edge_labels: 0,
        isolated: 106,
    },
];

#[test]
fn collections() {
    for known in &COLLECTIONS {
        let Some(folder) = data(&format!("datasets/{}", known.name)) else { continue };
        let dataset = Dataset::read(folder).unwrap();
        let graphs = dataset.graphs();
        assert_eq!(dataset.name(), known.name);
        assert_eq!(dataset.notes(), [""; 0], "{}", known.name);

        let mut classes = BTreeMap::new();
        dataset.classes().unwrap().iter().for_each(|&class| *classes.entry(class).or_insert(0) += 1);
        assert_eq!(classes.into_iter().collect::<Vec<_>>(), known.classes, "{}", known.name);
        assert_eq!(dataset.classes().unwrap().len(), graphs.len(), "{}", known.name);

        assert_eq!(graphs.iter().map(Graph::order).sum::<usize>(), known.vertices, "{}", known.name);
        assert_eq!(graphs.iter().map(Graph::size).sum::<usize>(), known.edges, "{}", known.name);
        let orders = graphs.iter().map(Graph::order);
        assert_eq!((orders.clone().min(), orders.max()), (Some(known.orders.0), Some(known.orders.1)));
        let degrees =
            || graphs.iter().flat_map(|graph| (0..graph.order()).map(|v| graph.neighbours(v).len()));
        assert_eq!(degrees().max(), Some(known.degree), "{}", known.name);
        assert_eq!(degrees().filter(|&degree| degree == 0).count(), known.isolated, "{}", known.name);
        assert_eq!(used(graphs, Graph::vertex_labels), known.vertex_labels, "{}", known.name);
        assert_eq!(used(graphs, Graph::edge_labels), known.edge_labels, "{}", known.name);
    }
}

#[test]
fn collections_in_batches() {
    let rings = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/rings");
    let folders = ["MUTAG", "PTC_MR", "NCI1", "ENZYMES", "IMDB-BINARY"]
        .map(|name| data(&format!("datasets/{name}")))
        .into_iter()
        .flatten();
    for path in folders.chain([rings]) {
        let compared = batches::compare(&Dataset::read(&path).unwrap(), &path);
        assert_eq!(compared, Ok(()), "{}", path.display());
    }
}

/// How many different labels there are.
fn used(graphs: &[Graph], labels: fn(&Graph) -> Option<&Labels>) -> usize {
    let all = graphs.iter().filter_map(labels);
    all.flat_map(|labels| (0..labels.codes().len()).map(|i| labels.name(i))).collect::<BTreeSet<_>>().len()
}

#[test]
fn a_collection_with_every_arc_listed_twice() {
    let Some(folder) = data("datasets/IMDB-BINARY") else { return };
    let dataset = Dataset::read(folder).unwrap();
    let graphs = dataset.graphs();
    assert_eq!(graphs.len(), 1000);
    assert_eq!(dataset.classes().unwrap().iter().collect::<BTreeSet<_>>().len(), 2);
    let edges: usize = graphs.iter().map(Graph::size).sum();
    let mean = |total: usize| format!("{:.2}", total as f64 / 1000.0);
    assert_eq!((mean(graphs.iter().map(Graph::order).sum()), mean(edges)), ("19.77".into(), "96.53".into()));
    assert_eq!(graphs.iter().map(Graph::order).max(), Some(136));
    assert!(graphs.iter().all(|graph| graph.vertex_labels().is_none() && graph.loops() == 0));
    assert_eq!(dataset.notes(), [format!("merged {edges} repeated edges")]);
}

#[test]
fn networks() {
    for (name, vertices, edges, triangles) in [
        ("karate.gml", 34, 78, 45u128),
        ("dolphins.gml", 62, 159, 95),
        ("lesmis.gml", 77, 254, 467),
        ("facebook_combined.txt", 4039, 88_234, 1_612_010),
        ("inf-euroroad.txt", 1174, 1417, 32),
        ("soc-sign-bitcoinalpha.csv", 3783, 14_124, 22_153),
    ] {
        let Some(file) = data(&format!("networks/{name}")) else { continue };
        let dataset = Dataset::read(file).unwrap();
        let [graph] = dataset.graphs() else { panic!("{name}: one graph") };
        assert_eq!((graph.order(), graph.size()), (vertices, edges), "{name}");
        for subject in [Subject::Both, Subject::Cycles] {
            let counts = Counter::up_to(3).subject(subject).count(graph).unwrap();
            assert_eq!(counts.cycles(3), triangles, "{name}: {subject:?}");
        }
    }
}

#[test]
fn a_network_with_directions_and_weights() {
    let Some(file) = data("networks/soc-sign-bitcoinalpha.csv") else { return };
    let dataset = Reader::new().directed(true).read(file).unwrap();
    let graph = &dataset.graphs()[0];
    assert_eq!((graph.order(), graph.size()), (3783, 24_186));
    let weights = graph.weights().unwrap();
    let extreme = |pick: fn(f64, f64) -> f64| weights.iter().copied().reduce(pick);
    // As in the file: ratings from -10 to 10 are announced beside it, but none is negative.
    assert_eq!((extreme(f64::min), extreme(f64::max)), (Some(1.0), Some(10.0)));
    assert_eq!(dataset.notes(), ["read 3 columns of 4"]);
}

/// Instances of a path-counting competition, those whose answers were confirmed by enumeration.
#[test]
fn instances() {
    instances_by(&[Engine::Auto, Engine::Frontier, Engine::Meet], |instance, confirmed| {
        // This one takes the frontier engine more than a second.
        confirmed == "enumerated" && instance != "all_pairs/034.col"
    });
}

/// All whose answers are known, by whatever is fastest. `make test-long` runs it.
#[test]
#[ignore = "takes minutes"]
fn long_instances() {
    instances_by(&[Engine::Auto], |_, _| true);
}

/// Instances by name and by how their answers were confirmed.
fn instances_by(engines: &[Engine], is_taken: impl Fn(&str, &str) -> bool) {
    let Some(folder) = data("icgca") else { return };
    let answers = std::fs::read_to_string(folder.join("expected_counts.tsv")).unwrap();
    let mut asked = 0;
    for line in answers.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [instance, order, size, max_length, source, target, count, confirmed] = fields[..] else {
            panic!("{line}")
        };
        if count == "unknown" || !is_taken(instance, confirmed) {
            continue;
        }
        asked += 1;
        let dataset = Dataset::read(folder.join(instance)).unwrap();
        let graph = &dataset.graphs()[0];
        let number = |text: &str| text.parse::<usize>().ok();
        assert_eq!((Some(graph.order()), Some(graph.size())), (number(order), number(size)), "{instance}");
        let pair = number(source).zip(number(target)).map(|(s, t)| (s - 1, t - 1));
        assert_eq!(dataset.question(), Question { max_length: number(max_length), pair }, "{instance}");

        for &engine in engines {
            let counter = Counter::up_to(number(max_length).unwrap()).engine(engine);
            let counts = match pair {
                // All pairs one by one would take minutes.
                None if engine == Engine::Meet => continue,
                Some((source, target)) => counter.between(graph, source, target),
                None => counter.subject(Subject::Paths).count(graph),
            }
            .unwrap();
            let sum: Count = counts.path_counts().unwrap()[1..].iter().sum();
            assert_eq!(sum.to_string(), count, "{instance} by {}", engine.name());
        }
    }
    assert!(asked > 0);
}

/// Cycles of a road network by two engines that share no idea.
#[test]
fn cycles_of_roads() {
    let Some(file) = data("networks/inf-euroroad.txt") else { return };
    let dataset = Dataset::read(file).unwrap();
    let graph = &dataset.graphs()[0];
    let cycles = |engine| Counter::up_to(12).engine(engine).subject(Subject::Cycles).count(graph).unwrap();
    assert_eq!(cycles(Engine::Frontier), cycles(Engine::DepthFirst));
}

/// The exact encoding decodes the paths of molecules, as in the paper, and finds what walking them finds.
#[test]
fn exact_compositions_of_molecules() {
    let Some(folder) = data("datasets/MUTAG") else { return };
    let data = Dataset::read_tu(folder).unwrap();
    let settings = AllPathsCycles::up_to(4).labels(LabelChoice::Commonest(3));
    let exact = settings.clone().encoding(Encoding::Exact).embed(&data).unwrap();
    let complete = exact.outcomes().iter().filter(|&&outcome| outcome == Outcome::Complete).count();
    assert_eq!(complete, 188);
    assert_eq!(exact, settings.encoding(Encoding::Composition).embed(&data).unwrap());
}

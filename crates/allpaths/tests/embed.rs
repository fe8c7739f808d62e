//! Features by name: worked out by hand, against the oracle, and what holds for every graph.

mod common;
mod random;

use std::collections::BTreeMap;

use allpaths::count::{Convention, Outcome};
use allpaths::embed::{Columns, EdgeLabels, Features, Fitted, Profile, Stopped};
use allpaths::graph::{Attribute, GraphBuilder, Values};
use allpaths::label::{Binning, Cut, Cycles, Encoding, LabelChoice, id_of_name};
use allpaths::{AllPathsCycles, Counter, Graph};
use common::oracle;
use proptest::prelude::*;
use proptest::sample::{Index, select};

type Counted = BTreeMap<String, u64>;

/// A row by names.
fn named(features: &Features, row: usize) -> Counted {
    let (columns, counts) = features.row(row);
    let name = |column: u32| features.features()[column as usize].name.clone();
    columns.iter().map(|&column| name(column)).zip(counts.iter().copied()).collect()
}

fn counted(entries: &[(&str, u64)]) -> Counted {
    entries.iter().map(|&(name, count)| (name.to_owned(), count)).collect()
}

fn labelled(directed: bool, labels: &[&str], edges: &[(usize, usize, &str)]) -> Graph {
    let order = labels.len();
    let mut builder = if directed { GraphBuilder::directed(order) } else { GraphBuilder::undirected(order) };
    builder.vertex_labels(labels);
    edges.iter().for_each(|&(u, v, _)| _ = builder.edge(u, v).unwrap());
    builder.edge_labels(edges.iter().map(|&(.., label)| label));
    builder.build().unwrap()
}

/// Acetaldehyde and a ring to test with.
///
/// ```text
/// C - C = O        C - N
///                  |   |
///                  C - C - O (double)
/// ```
fn aldehyde() -> Graph {
    labelled(false, &["C", "C", "O"], &[(0, 1, "-"), (1, 2, "=")])
}

fn ring() -> Graph {
    let edges = [(0, 1, "-"), (1, 2, "-"), (2, 3, "-"), (3, 0, "-"), (2, 4, "=")];
    labelled(false, &["C", "N", "C", "C", "O"], &edges)
}

#[test]
fn sequences_by_hand() {
    let features = AllPathsCycles::up_to(2).embed(&[aldehyde()]).unwrap();
    let expected = [("vertex:C", 2), ("vertex:O", 1), ("path:C-C", 1), ("path:C-O", 1), ("path:C-C-O", 1)];
    assert_eq!(named(&features, 0), counted(&expected));

    let with_edges = AllPathsCycles::up_to(4).edge_labels(EdgeLabels::Used).without_vertices();
    let features = with_edges.embed(&[aldehyde(), ring()]).unwrap();
    assert_eq!(named(&features, 0), counted(&[("path:C-C", 1), ("path:C=O", 1), ("path:C-C=O", 1)]));
    // Ring 0=C 1=N 2=C 3=C, and 4=O on 2.
    let expected = [
        ("path:C-C", 2),
        ("path:C-N", 2),
        ("path:C=O", 1),
        ("path:C-C-C", 1),     // 0-3-2
        ("path:C-C-N", 2),     // 3-0-1, 3-2-1
        ("path:C-N-C", 1),     // 0-1-2
        ("path:C-C=O", 1),     // 3-2=4
        ("path:N-C=O", 1),     // 1-2=4
        ("path:C-C-C-N", 2),   // 0-3-2-1, 2-3-0-1
        ("path:C-C-N-C", 2),   // 3-0-1-2, 3-2-1-0
        ("path:C-C-C=O", 1),   // 0-3-2=4
        ("path:C-N-C=O", 1),   // 0-1-2=4
        ("path:C-C-N-C=O", 1), // 3-0-1-2=4
        ("path:N-C-C-C=O", 1), // 1-0-3-2=4
        ("cycle:C-C-C-N-", 1),
    ];
    assert_eq!(named(&features, 1), counted(&expected));
}

#[test]
fn compositions_by_hand() {
    let settings = AllPathsCycles::up_to(4).encoding(Encoding::Composition).without_vertices();
    let features = settings.embed(&[ring()]).unwrap();
    let expected = [
        ("path:1:[C,,C]", 2),
        ("path:1:[C,,N]", 2),
        ("path:1:[C,,O]", 1),
        ("path:2:[C,C,C]", 1),
        ("path:2:[C,C,N]", 2),
        ("path:2:[C,N,C]", 1),
        ("path:2:[C,C,O]", 1),
        ("path:2:[N,C,O]", 1),
        ("path:3:[C,C^2,N]", 2),
        ("path:3:[C,C N,C]", 2),
        ("path:3:[C,C^2,O]", 1),
        ("path:3:[C,C N,O]", 1),
        ("path:4:[C,C^2 N,O]", 1),
        ("path:4:[N,C^3,O]", 1),
        ("cycle:4:C^3 N", 1),
    ];
    assert_eq!(named(&features, 0), counted(&expected));
    let features = settings.edge_labels(EdgeLabels::Used).embed(&[aldehyde()]).unwrap();
    let expected = [("path:1:[C,,C|-]", 1), ("path:1:[C,,O|=]", 1), ("path:2:[C,C,O|- =]", 1)];
    assert_eq!(named(&features, 0), counted(&expected));
}

#[test]
fn power_classes_by_hand() {
    // Codes: C 0, N 1 (as common as O, first by name), everything else 2.
    let settings = AllPathsCycles::up_to(4).encoding(Encoding::Power);
    let features = settings.embed(&[ring()]).unwrap();
    let expected = [
        ("vertex:C", 3),
        ("vertex:N", 1),
        ("vertex:*", 1),
        ("power:1:[C,0,C]@C,N,*", 2),
        ("power:1:[C,0,N]@C,N,*", 2),
        ("power:1:[C,0,*]@C,N,*", 1),
        ("power:2:[C,0,C]@C,N,*", 1),
        ("power:2:[C,0,N]@C,N,*", 2),
        ("power:2:[C,1,C]@C,N,*", 1),
        ("power:2:[C,0,*]@C,N,*", 1),
        ("power:2:[N,0,*]@C,N,*", 1),
        ("power:3:[C,0,N]@C,N,*", 2),
        ("power:3:[C,1,C]@C,N,*", 2),
        ("power:3:[C,0,*]@C,N,*", 1),
        ("power:3:[C,1,*]@C,N,*", 1),
        ("power:4:[C,1,*]@C,N,*", 1),
        ("power:4:[N,0,*]@C,N,*", 1),
        ("power:4:(1)@C,N,*", 1),
    ];
    assert_eq!(named(&features, 0), counted(&expected));
}

#[test]
fn directed_sequences_are_read_one_way() {
    // a -> b -> a' and back to a: one cycle of length 3; a' -> a is a second arc between a's.
    let graph = labelled(true, &["a", "b", "a"], &[(0, 1, ""), (1, 2, ""), (2, 0, "")]);
    let features = AllPathsCycles::up_to(3).embed(&[graph]).unwrap();
    let expected = [
        ("vertex:a", 2),
        ("vertex:b", 1),
        ("path:a-b", 1),
        ("path:b-a", 1),
        ("path:a-a", 1),
        ("path:a-b-a", 1),
        ("path:b-a-a", 1),
        ("path:a-a-b", 1),
        ("cycle:a-a-b-", 1),
    ];
    assert_eq!(named(&features, 0), counted(&expected));
}

#[test]
fn loops_and_pairs_of_arcs() {
    let graph = labelled(true, &["a", "b"], &[(0, 1, ""), (1, 0, ""), (1, 1, "")]);
    let features = AllPathsCycles::up_to(2).without_vertices().embed(&[graph]).unwrap();
    let expected = [("path:a-b", 1), ("path:b-a", 1), ("cycle:b-", 1), ("cycle:a-b-", 1)];
    assert_eq!(named(&features, 0), counted(&expected));
    let graph = labelled(false, &["a", "b"], &[(0, 1, ""), (1, 1, "")]);
    let features = AllPathsCycles::up_to(2).without_vertices().embed(&graph).unwrap();
    assert_eq!(named(&features, 0), counted(&[("path:a-b", 1), ("cycle:b-", 1)]));
    let merged = AllPathsCycles::up_to(2).without_vertices().cycles(Cycles::Merged).embed(&[graph]).unwrap();
    assert_eq!(named(&merged, 0), counted(&[("path:a-b", 1), ("path:b-b", 1)]));
}

#[test]
fn odd_labels_stay_apart() {
    let labels = ["a-b", "a", "b", "", "*", "a\"b", "1.5", "\u{3b1}"];
    let edges: Vec<_> = (1..labels.len()).map(|v| (0, v, "x y")).collect();
    let features = AllPathsCycles::up_to(1).embed(&[labelled(false, &labels, &edges)]).unwrap();
    let vertices: Vec<_> = features.features().iter().take(8).map(|feature| feature.name.as_str()).collect();
    let spelt = ["\"\"", "\"*\"", "\"1.5\"", "\"a-b\"", "\"a\\\"b\"", "a", "b", "\u{3b1}"]
        .map(|label| format!("vertex:{label}"));
    assert_eq!(vertices, spelt);
    assert_eq!(named(&features, 0)["path:a-\"a-b\""], 1);
    let used = AllPathsCycles::up_to(1).edge_labels(EdgeLabels::Used);
    let features = used.embed(&[labelled(false, &["a", "b"], &[(0, 1, "x y")])]).unwrap();
    assert_eq!(named(&features, 0)["path:a{\"x y\"}b"], 1);
}

#[test]
fn graphs_without_labels_have_one() {
    let triangle = Graph::from_edges(3, [(0, 1), (1, 2), (2, 0)]).unwrap();
    let empty = Graph::from_edges(0, []).unwrap();
    let features = AllPathsCycles::up_to(3).embed(&[triangle, empty]).unwrap();
    let expected = [("vertex:*", 3), ("path:*-*", 3), ("path:*-*-*", 3), ("cycle:*-*-*-", 1)];
    assert_eq!(named(&features, 0), counted(&expected));
    assert_eq!(named(&features, 1), Counted::new());
}

/// Ids are a contract: these never change while the version of ids is 1.
#[test]
fn ids_are_what_they_were() {
    // Computed from the definition by another program.
    let known = [
        ("", 15_447_202_655_258_830_018u64),
        ("vertex:C", 12_899_562_794_302_235_231),
        ("path:C-C=O", 3_394_985_650_382_100_886),
        ("cycle:6:C^6", 7_308_869_186_614_484_509),
        ("power:2:[C,1,O]@C,O,*", 6_234_190_177_028_778_863),
    ];
    for (name, id) in known {
        assert_eq!(id_of_name(name), id, "{name}");
    }
    let features = AllPathsCycles::up_to(2).edge_labels(EdgeLabels::Used).embed(&[aldehyde()]).unwrap();
    for feature in features.features() {
        assert_eq!(feature.id, id_of_name(&feature.name), "{}", feature.name);
    }
}

#[test]
fn merged_cycles_are_paths_from_each_of_their_vertices() {
    let settings = AllPathsCycles::up_to(4).without_vertices();
    let apart = named(&settings.embed(&[ring()]).unwrap(), 0);
    let merged = named(&settings.clone().cycles(Cycles::Merged).embed(&[ring()]).unwrap(), 0);
    let off = named(&settings.cycles(Cycles::Off).embed(&[ring()]).unwrap(), 0);
    let sum = |row: &Counted| row.values().sum::<u64>();
    assert_eq!(sum(&apart), sum(&off) + 1);
    assert_eq!(sum(&merged), sum(&off) + 4);
    assert_eq!(merged["path:C-C-C-N-C"], 2); // from 0 and from 2
    assert_eq!(merged["path:C-C-N-C-C"], 1); // from 3
    assert_eq!(merged["path:N-C-C-C-N"], 1); // from 1
}

#[test]
fn edge_labels_that_are_not_there_are_missed() {
    let path = Graph::from_edges(2, [(0, 1)]).unwrap();
    let error =
        AllPathsCycles::up_to(1).edge_labels(EdgeLabels::Used).embed(&[aldehyde(), path]).unwrap_err();
    assert_eq!(error.to_string(), "graph 1 has no edge labels, which were asked for");
}

#[test]
fn a_fit_is_the_same_after_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("vocabulary.json");
    let settings = AllPathsCycles::up_to(3).encoding(Encoding::Power).labels(LabelChoice::Commonest(2));
    for settings in
        [settings, AllPathsCycles::of(Profile::triangle(2).unwrap()).edge_labels(EdgeLabels::Used)]
    {
        let fitted = settings.fit(&[ring()]).unwrap();
        fitted.write(&path).unwrap();
        let read = Fitted::read(&path).unwrap();
        assert_eq!((read.settings(), read.labels()), (fitted.settings(), fitted.labels()));
        let features = read.transform(&[aldehyde(), ring()]).unwrap();
        assert_eq!(features, fitted.transform(&[aldehyde(), ring()]).unwrap());
    }
}

#[test]
fn a_damaged_vocabulary_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("vocabulary.json");
    AllPathsCycles::up_to(2).fit(&[ring()]).unwrap().write(&path).unwrap();
    let whole = std::fs::read_to_string(&path).unwrap();
    for (damaged, reason) in [
        (whole.replace("path:C-N", "path:C-S"), "is not the id of"),
        (
            whole.replacen("\"version\":1", "\"version\":2", 1),
            "written in version 2, this program reads version 1: take a newer program",
        ),
        (whole.replacen("\"ids\":1", "\"ids\":9", 1), "written in version 9"),
        (whole[..whole.len() / 2].to_owned(), "not a vocabulary: EOF"),
        (whole.replacen("sequence", "sequins", 1), "unknown variant `sequins`"),
        (String::new(), "not a vocabulary"),
    ] {
        std::fs::write(&path, damaged).unwrap();
        let error = Fitted::read(&path).unwrap_err();
        assert!(error.is_input() && error.to_string().contains(reason), "{error}");
    }
    assert!(Fitted::read(folder.path().join("none.json")).unwrap_err().is_input());
}

#[test]
fn labels_that_were_not_seen_are_the_rest() {
    let sulphide = labelled(false, &["C", "S"], &[(0, 1, "-")]);
    let power = AllPathsCycles::up_to(1).encoding(Encoding::Power).labels(LabelChoice::All);
    let features = power.fit(&[ring()]).unwrap().transform(&sulphide).unwrap();
    // There was no label but C, N and O, so nothing was called `*`.
    assert_eq!((named(&features, 0), features.unseen()), (counted(&[("vertex:C", 1)]), 2));
    let few = AllPathsCycles::up_to(1).labels(LabelChoice::Commonest(2));
    let features = few.fit(&[ring()]).unwrap().transform(&[sulphide]).unwrap();
    assert_eq!(named(&features, 0), counted(&[("vertex:C", 1), ("vertex:*", 1), ("path:*-C", 1)]));
}

#[test]
fn rare_features_have_no_column() {
    let features = AllPathsCycles::up_to(1).min_graphs(2).embed(&[aldehyde(), ring()]).unwrap();
    let names: Vec<_> = features.features().iter().map(|feature| feature.name.as_str()).collect();
    assert_eq!(names, ["vertex:C", "vertex:O", "path:C-C", "path:C-O"]);
}

#[test]
fn a_graph_over_its_budget_keeps_what_was_finished() {
    let settings = AllPathsCycles::up_to(4).without_vertices();
    let all = named(&settings.embed(&[ring()]).unwrap(), 0);
    let finished = |length: usize| {
        let short: Counted = all
            .iter()
            .filter(|(name, _)| name.matches('-').count() <= length)
            .map(|(n, c)| (n.clone(), *c))
            .collect();
        short
    };
    // 5 vertices, and then 10 rooted paths of each further length before the last.
    for (steps, length) in [(5, 1), (14, 1), (15, 2), (10_000, 4)] {
        let features = settings.clone().budget(steps).embed(&[ring()]).unwrap();
        assert_eq!(named(&features, 0), finished(length), "{steps} steps");
        assert_eq!(features.outcome(0), if length == 4 { Outcome::Complete } else { Outcome::Budget });
    }
    let skipped = settings.clone().budget(5).stopped(Stopped::Skip).embed(&[aldehyde(), ring()]).unwrap();
    assert_eq!((skipped.outcome(1), named(&skipped, 1)), (Outcome::Budget, Counted::new()));
    let error = settings.budget(5).stopped(Stopped::Fail).embed(&[aldehyde(), ring()]).unwrap_err();
    assert!(error.is_stopped() && error.to_string().starts_with("graph "), "{error}");
}

#[test]
fn binned_attributes_are_labels() {
    let graph = |charges: [f64; 2]| {
        let mut builder = GraphBuilder::undirected(2);
        builder.vertex_labels(["C", "C"]).edge(0, 1).unwrap();
        builder.vertex_attribute(Attribute::new("charge", Values::Real(charges.map(Some).to_vec())));
        builder.build().unwrap()
    };
    let settings = AllPathsCycles::up_to(1).bins(Binning::new("charge", Cut::Width, 2));
    let fitted = settings.fit(&[graph([0.0, 1.0])]).unwrap();
    let features = fitted.transform(&[graph([0.2, 0.9]), graph([-5.0, 0.0])]).unwrap();
    assert_eq!(named(&features, 0), counted(&[("vertex:C_0", 1), ("vertex:C_1", 1), ("path:C_0-C_1", 1)]));
    assert_eq!((named(&features, 1), features.unseen()), (counted(&[("vertex:C_0", 2)]), 1));
}

/// Labels that need no quotes, as the oracle spells them.
fn label(graph: &Graph, v: usize) -> &str {
    graph.vertex_labels().map_or("*", |labels| labels.name(v))
}

fn link(graph: &Graph, (u, v): (usize, usize), edge_labels: bool) -> String {
    match graph.edge_labels().filter(|_| edge_labels) {
        Some(labels) => format!("{{{}}}", labels.name(graph.edge_of(graph.arc(u, v).unwrap()))),
        None => "-".to_owned(),
    }
}

/// A walk as its labels: vertex, edge, vertex, ... in pairs, with an empty edge after the last vertex of a path.
fn reading(graph: &Graph, walk: &[usize], closed: bool, edge_labels: bool) -> Vec<(String, String)> {
    let next = walk.iter().skip(1).copied().map(Some).chain([closed.then_some(walk[0])]);
    let edge =
        |(&u, v): (&usize, Option<usize>)| v.map_or(String::new(), |v| link(graph, (u, v), edge_labels));
    walk.iter().zip(next).map(|pair| (label(graph, *pair.0).to_owned(), edge(pair))).collect()
}

fn spelt(reading: &[(String, String)]) -> String {
    reading.iter().flat_map(|(vertex, edge)| [vertex.as_str(), edge]).collect()
}

fn monomial(labels: impl Iterator<Item = String>) -> String {
    let mut powers: BTreeMap<String, usize> = BTreeMap::new();
    labels.for_each(|label| *powers.entry(label).or_default() += 1);
    let factor = |(label, power): (String, usize)| if power > 1 { format!("{label}^{power}") } else { label };
    powers.into_iter().map(factor).collect::<Vec<_>>().join(" ")
}

/// All features of a graph, each path and cycle named apart.
fn by_oracle(graph: &Graph, max_length: usize, encoding: Encoding, edge_labels: bool) -> Counted {
    let found = oracle::rooted(graph, max_length).distinct(graph.is_directed());
    let mut counts = Counted::new();
    let mut book = |name: String| *counts.entry(name).or_default() += 1;
    let reversed = |walk: &[usize]| walk.iter().rev().copied().collect::<Vec<_>>();
    for path in &found.paths {
        let mut readings = vec![reading(graph, path, false, edge_labels)];
        if !graph.is_directed() {
            readings.push(reading(graph, &reversed(path), false, edge_labels));
        }
        let smallest = readings.into_iter().min().unwrap();
        let (length, sequence) = (path.len() - 1, spelt(&smallest));
        book(match encoding {
            _ if length == 0 => format!("vertex:{sequence}"),
            Encoding::Composition => {
                let ends = [&smallest[0].0, &smallest[length].0];
                let inner = monomial(smallest[1..length].iter().map(|(v, _)| v.clone()));
                let edges = monomial(smallest[..length].iter().map(|(_, e)| e.clone()));
                let edges = if edge_labels { format!("|{edges}") } else { String::new() };
                format!("path:{length}:[{},{inner},{}{edges}]", ends[0], ends[1])
            }
            _ => format!("path:{sequence}"),
        });
    }
    for cycle in &found.cycles {
        let length = cycle.len();
        let rotated = |walk: &[usize]| {
            let turn = |by: usize| [&walk[by..], &walk[..by]].concat();
            (0..length).map(turn).collect::<Vec<_>>()
        };
        let mut walks = rotated(cycle);
        if !graph.is_directed() {
            walks.extend(rotated(&reversed(cycle)));
        }
        let smallest = walks.iter().map(|walk| reading(graph, walk, true, edge_labels)).min().unwrap();
        book(match encoding {
            Encoding::Composition => {
                let vertices = monomial(smallest.iter().map(|(v, _)| v.clone()));
                let edges = monomial(smallest.iter().map(|(_, e)| e.clone()));
                let edges = if edge_labels { format!("|{edges}") } else { String::new() };
                format!("cycle:{length}:{vertices}{edges}")
            }
            _ => format!("cycle:{}", spelt(&smallest)),
        });
    }
    counts
}

/// Small graphs with few labels, so that they repeat.
fn graphs() -> impl Strategy<Value = random::Spec> {
    let few = random::Texts { text: "[a-c]", ..random::LABEL };
    random::graphs(few)
}

fn encodings() -> impl Strategy<Value = Encoding> {
    select(vec![Encoding::Sequence, Encoding::Composition])
}

proptest! {
    #[test]
    fn features_are_the_oracles(
        spec in graphs(),
        encoding in encodings(),
        edge_labels in any::<bool>(),
        max_length in 0..7usize,
    ) {
        let graph = spec.build();
        let edge_labels = edge_labels && graph.edge_labels().is_some();
        let used = if edge_labels { EdgeLabels::Used } else { EdgeLabels::Ignored };
        let features = AllPathsCycles::up_to(max_length).encoding(encoding).edge_labels(used).embed(&graph).unwrap();
        prop_assert_eq!(named(&features, 0), by_oracle(&graph, max_length, encoding, edge_labels));
        for feature in features.features() {
            prop_assert_eq!(feature.id, id_of_name(&feature.name), "{}", feature.name);
        }
    }

    #[test]
    fn names_of_vertices_do_not_matter(
        spec in graphs(),
        encoding in select(vec![Encoding::Sequence, Encoding::Composition, Encoding::Power]),
        rounds in 0..3usize,
        places in prop::collection::vec(any::<Index>(), 8),
    ) {
        // A permutation: each vertex in turn takes one of the places that are left.
        let mut left: Vec<usize> = (0..spec.order).collect();
        let names: Vec<usize> = (0..spec.order).map(|v| left.remove(places[v].index(left.len()))).collect();
        let mut renamed = spec.clone();
        renamed.edges = spec.edges.iter().map(|&(u, v)| (names[u], names[v])).collect();
        if let (Some(new), Some(old)) = (&mut renamed.vertex_labels, &spec.vertex_labels) {
            (0..spec.order).for_each(|v| new[names[v]].clone_from(&old[v]));
        }
        renamed.vertex_attributes.clear();
        let rounds = if encoding == Encoding::Power { 0 } else { rounds };
        let edges = match encoding {
            Encoding::Sequence if spec.edge_labels.is_some() => EdgeLabels::Used,
            _ => EdgeLabels::Ignored,
        };
        let settings = AllPathsCycles::of(Profile::new([(rounds, 4)]).unwrap()).encoding(encoding).edge_labels(edges);
        let features = settings.embed(&[spec.build(), renamed.build()]).unwrap();
        prop_assert_eq!(features.row(0), features.row(1));
    }

    #[test]
    fn counts_sum_to_those_without_labels(
        spec in graphs(),
        encoding in select(vec![Encoding::Sequence, Encoding::Composition, Encoding::Power]),
        rooted in any::<bool>(),
        labels in 1..4usize,
    ) {
        let graph = spec.build();
        let convention = if rooted { Convention::Rooted } else { Convention::Distinct };
        let settings = AllPathsCycles::up_to(5).encoding(encoding).convention(convention).labels(LabelChoice::Commonest(labels));
        let features = settings.embed(&graph).unwrap();
        let counts = Counter::up_to(5).count(&graph).unwrap();
        let counts = if rooted { counts.rooted() } else { counts };
        let (columns, values) = features.row(0);
        for length in 0..=5 {
            let sum = |cycles: bool| -> u64 {
                let of = |column: u32| {
                    let feature = &features.features()[column as usize];
                    feature.cell.length == length && (feature.kind == allpaths::label::Kind::Cycle) == cycles
                };
                columns.iter().zip(values).filter(|(column, _)| of(**column)).map(|(_, count)| count).sum()
            };
            prop_assert_eq!(counts.paths(length), u128::from(sum(false)), "paths of length {}", length);
            prop_assert_eq!(counts.cycles(length), u128::from(sum(true)), "cycles of length {}", length);
        }
    }

    #[test]
    fn threads_hashes_and_fits_agree(specs in prop::collection::vec(graphs(), 1..20), bits in 1..32u32) {
        let graphs: Vec<Graph> = specs.iter().map(random::Spec::build).collect();
        let settings = AllPathsCycles::of(Profile::triangle(3).unwrap());
        let (fitted, features) = settings.clone().threads(1).fit_transform(&graphs).unwrap();
        prop_assert_eq!(&settings.clone().threads(3).embed(&graphs).unwrap(), &features);
        prop_assert_eq!(&fitted.transform(&graphs).unwrap(), &features);
        prop_assert!(features.features().is_sorted_by_key(|f| (f.cell.refinement, f.kind, f.cell.length, f.name.clone())));
        let hashed = settings.hash_bits(bits).embed(&graphs).unwrap();
        prop_assert_eq!(hashed.columns(), &Columns::Hashed(bits));
        for row in 0..graphs.len() {
            let sum = |features: &Features| features.row(row).1.iter().sum::<u64>();
            prop_assert_eq!(sum(&hashed), sum(&features));
            for (name, count) in named(&features, row) {
                let column = (id_of_name(&name) >> (64 - bits)) as u32;
                let place = hashed.row(row).0.binary_search(&column).unwrap();
                prop_assert!(hashed.row(row).1[place] >= count);
            }
        }
    }
}

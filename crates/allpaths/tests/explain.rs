//! Shares sum to scores, occurrences are those of an obvious enumeration, and what is known to decide is found.

use std::collections::BTreeMap;

use allpaths::count::Convention;
use allpaths::embed::{EdgeLabels, Profile};
use allpaths::evaluate::{GraphClassifier, Grid, LinearClassifier, Model};
use allpaths::explain::{Explainer, Explanation, Method};
use allpaths::graph::GraphBuilder;
use allpaths::kernel::{Compare, Comparison, Counted, ShortestPath};
use allpaths::label::{Cycles, Encoding};
use allpaths::{AllPathsCycles, Dataset, Graph, GraphKernel, Monitor};

/// That vertices and edges have all of each score, which is what the model predicts.
fn sums(found: &Explanation, model: &Model, graphs: &[Graph], most: f64) {
    let predictions = model.predict_under(graphs, &Monitor::new()).unwrap();
    assert_eq!(found.graphs().len(), graphs.len());
    for (number, (graph, predicted)) in found.graphs().iter().zip(&predictions).enumerate() {
        assert_eq!(graph.class, predicted.class, "graph {number}");
        for (machine, about) in found.machines().iter().enumerate() {
            let (shares, score) = (&graph.shares[machine], graph.scores[machine]);
            assert_eq!(
                (shares.vertices.len(), shares.edges.len()),
                (graphs[number].order(), graphs[number].size())
            );
            let vertices = shares.vertices.iter().sum::<f64>() + about.bias;
            let edges = shares.edges.iter().sum::<f64>() + shares.alone + about.bias;
            let said = predicted.decision_values[machine];
            for (what, sum) in [("vertices", vertices), ("edges", edges), ("prediction", said)] {
                assert!(
                    (sum - score).abs() <= most * score.abs().max(1.0),
                    "graph {number}: {what} {sum}, {score}"
                );
            }
        }
    }
}

/// Random graphs in two or three classes: directed or not, with labels on vertices and edges, some with loops, one beyond 128 vertices.
fn some_graphs(directed: bool, classes: i64) -> (Vec<Graph>, Vec<i64>) {
    let mut state = 7u64;
    let mut below = move |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    let mut graphs = Vec::new();
    for number in 0..24 {
        let order = if number == 5 { 140 } else { 4 + below(8) as usize };
        let mut builder =
            if directed { GraphBuilder::directed(order) } else { GraphBuilder::undirected(order) };
        builder.vertex_labels((0..order).map(|_| ["C", "N", "O"][below(3) as usize]).collect::<Vec<_>>());
        let mut edges = std::collections::BTreeSet::new();
        for v in 1..order {
            edges.insert((below(v as u64) as usize, v));
        }
        for _ in 0..order / 3 {
            let (u, v) = (below(order as u64) as usize, below(order as u64) as usize);
            edges.insert(if directed { (u, v) } else { (u.min(v), u.max(v)) });
        }
        let labels: Vec<&str> = edges.iter().map(|_| ["-", "="][below(2) as usize]).collect();
        for (u, v) in edges {
            builder.edge(u, v).unwrap();
        }
        builder.edge_labels(labels);
        graphs.push(builder.build().unwrap());
    }
    let classes = graphs.iter().zip(0..).map(|(_, number)| number % classes).collect();
    (graphs, classes)
}

#[test]
fn shares_of_linear_models_sum_to_the_score() {
    let plain = AllPathsCycles::up_to(4);
    let refined = |text: &str| AllPathsCycles::of(text.parse::<Profile>().unwrap());
    let embeddings = [
        plain.clone(),
        plain.clone().edge_labels(EdgeLabels::Used),
        plain.clone().encoding(Encoding::Composition),
        plain.clone().encoding(Encoding::Composition).edge_labels(EdgeLabels::Used),
        plain.clone().encoding(Encoding::Power),
        plain.clone().cycles(Cycles::Merged),
        plain.clone().cycles(Cycles::Merged).encoding(Encoding::Composition),
        plain.clone().convention(Convention::Rooted),
        plain.clone().convention(Convention::Rooted).encoding(Encoding::Power).cycles(Cycles::Merged),
        plain.clone().cycles(Cycles::Off).without_vertices(),
        plain.clone().without_paths(),
        plain.clone().min_graphs(3),
        refined("0:3,1:2,2:0"),
        AllPathsCycles::paper(3),
    ];
    for directed in [false, true] {
        for classes in [2, 3] {
            let (graphs, classes) = some_graphs(directed, classes);
            for (number, embedding) in embeddings.iter().enumerate() {
                let linear = LinearClassifier::new().embeddings([embedding.clone()]).c([1.0]);
                let model = Model::from(linear.fit(&graphs, &classes).unwrap());
                let found = Explainer::new(&model).explain(&graphs).unwrap();
                assert_eq!(found.method(), Method::Shares, "{number}");
                sums(&found, &model, &graphs, 1e-9);
            }
        }
    }
}

#[test]
fn shares_of_kernels_that_are_sums_of_products_sum_to_the_score() {
    let (graphs, classes) = some_graphs(false, 3);
    let (known, new) = graphs.split_at(18);
    let profile = || AllPathsCycles::of("0:3,1:1".parse::<Profile>().unwrap());
    for comparison in [
        Comparison::new(Compare::Linear).counts(Counted::Log),
        Comparison::new(Compare::Linear).counts(Counted::Binary).normalized(),
        Comparison::new(Compare::Linear).counts(Counted::Log).standardized(true),
        Comparison::new(Compare::Cosine),
        Comparison::new(Compare::Cosine).by_cell(),
        Comparison::new(Compare::Linear).counts(Counted::Log).by_cell(),
        Comparison::new(Compare::Cosine).variance_cut(0.01),
    ] {
        let kernel = GraphKernel::new(profile()).comparison(comparison);
        let classifier = GraphClassifier::of(Grid::new(kernel)).fit(known, &classes[..18]).unwrap();
        let model = Model::from(classifier);
        // Graphs that were learnt from, and others with features that those lack.
        for graphs in [known, new] {
            let found = Explainer::new(&model).explain(graphs).unwrap();
            assert_eq!(found.method(), Method::Shares);
            // Predictions come from a matrix of float32.
            sums(&found, &model, graphs, 1e-3);
        }
    }
}

/// Every path and cycle of an undirected graph with its name, once.
fn enumerated(graph: &Graph, max_length: usize) -> Vec<(String, Vec<usize>)> {
    let label = |v: &usize| graph.vertex_labels().unwrap().name(*v).to_owned();
    let mut all = std::collections::BTreeSet::new();
    let mut open: Vec<Vec<usize>> = (0..graph.order()).map(|v| vec![v]).collect();
    while let Some(path) = open.pop() {
        let names: Vec<String> = path.iter().map(label).collect();
        let kind = if path.len() == 1 { "vertex" } else { "path" };
        let backwards: Vec<String> = names.iter().rev().cloned().collect();
        let mut vertices = path.clone();
        if vertices.first() > vertices.last() {
            vertices.reverse();
        }
        all.insert((format!("{kind}:{}", names.clone().min(backwards).join("-")), vertices));
        let last = path[path.len() - 1];
        for w in graph.neighbours(last).iter().map(|&w| w as usize) {
            if w == path[0] && path.len() > 2 && path.len() <= max_length {
                let n = path.len();
                let readings = (0..n).flat_map(|start| {
                    let forwards: Vec<usize> = (0..n).map(|i| path[(start + i) % n]).collect();
                    let backwards: Vec<usize> = (0..n).map(|i| path[(start + n - i) % n]).collect();
                    [forwards, backwards]
                });
                let of = |reading: &Vec<usize>| reading.iter().map(label).collect::<Vec<_>>();
                let name = readings.clone().map(|reading| of(&reading)).min().unwrap();
                let vertices = readings.min().unwrap();
                all.insert((format!("cycle:{}-", name.join("-")), vertices));
            }
            if !path.contains(&w) && path.len() <= max_length {
                open.push([path.as_slice(), &[w]].concat());
            }
        }
    }
    all.into_iter().collect()
}

#[test]
fn shares_are_those_of_an_enumeration() {
    let demo = Dataset::demo(3).pick(0..60);
    let linear = LinearClassifier::new().embeddings([AllPathsCycles::up_to(5)]).c([10.0]);
    let fitted = linear.fit(&demo, demo.classes().unwrap()).unwrap();
    let features = fitted.embedding().transform(&demo).unwrap();
    let weights: BTreeMap<&str, f64> =
        fitted.machine().weights(0).map(|(weight, feature)| (feature.name.as_str(), weight)).collect();
    let model = Model::from(fitted.clone());
    let found = Explainer::new(&model).explain(&demo).unwrap();
    for (number, graph) in demo.graphs().iter().enumerate() {
        let (columns, counts) = features.row(number);
        let logs: Vec<f64> = counts.iter().map(|&count| (count as f64).ln_1p()).collect();
        let length = logs.iter().map(|x| x * x).sum::<f64>().sqrt();
        let each: BTreeMap<&str, f64> = columns
            .iter()
            .zip(counts.iter().zip(&logs))
            .map(|(&column, (&count, log))| {
                let name = features.features()[column as usize].name.as_str();
                (name, weights[name] * log / length / count as f64)
            })
            .collect();
        let mut expected = vec![0.0; graph.order()];
        for (name, vertices) in enumerated(graph, 5) {
            let share = each[name.as_str()] / vertices.len() as f64;
            vertices.iter().for_each(|&v| expected[v] += share);
        }
        let shares = &found.graphs()[number].shares[0].vertices;
        for (v, (share, expected)) in shares.iter().zip(&expected).enumerate() {
            assert!((share - expected).abs() < 1e-9, "graph {number}, vertex {v}: {share}, not {expected}");
        }
    }
}

/// The ring of five that makes the class: with an O in class 1, without in class 0.
fn cause(graph: &Graph) -> Vec<Vec<usize>> {
    let of_five = |(name, vertices): (String, Vec<usize>)| {
        matches!(name.as_str(), "cycle:C-C-C-C-O-" | "cycle:C-C-C-C-C-").then_some(vertices)
    };
    enumerated(graph, 5).into_iter().filter_map(of_five).collect()
}

/// In how many graphs the five vertices that speak most for the class are in the ring that makes it.
fn finds_the_cause(model: &Model, data: &Dataset) -> usize {
    let found = Explainer::new(model).explain(data).unwrap();
    let is_found = |(number, graph): (usize, &Graph)| {
        // A positive score speaks for class 0.
        let sign = if data.classes().unwrap()[number] == 0 { 1.0 } else { -1.0 };
        let shares = &found.graphs()[number].shares[0].vertices;
        let mut vertices: Vec<usize> = (0..graph.order()).collect();
        vertices.sort_by(|&a, &b| (sign * shares[b]).total_cmp(&(sign * shares[a])));
        let mut top = vertices[..5].to_vec();
        top.sort_unstable();
        cause(graph).into_iter().any(|mut ring| {
            ring.sort_unstable();
            ring == top
        })
    };
    data.graphs().iter().enumerate().filter(|&(number, graph)| is_found((number, graph))).count()
}

#[test]
fn the_planted_cause_is_found() {
    let (known, new) = (Dataset::demo(1), Dataset::demo(2));
    let classes = known.classes().unwrap();
    let linear = Model::from(LinearClassifier::new().fit(&known, classes).unwrap());
    for data in [&known, &new] {
        let right = finds_the_cause(&linear, data);
        assert!(right >= 285, "{right} of 300 by shares");
    }
}

#[test]
fn occlusion_is_labelled_and_finds_the_cause() {
    let known = Dataset::demo(1);
    let minmax = GraphKernel::new(AllPathsCycles::up_to(5)).compared(Comparison::by_cell);
    let classifier =
        GraphClassifier::of(Grid::new(minmax).c([10.0])).fit(&known, known.classes().unwrap()).unwrap();
    let model = Model::from(classifier);
    let some = known.pick(0..40);
    let found = Explainer::new(&model).explain(&some).unwrap();
    assert_eq!(found.method(), Method::Occlusion);
    assert!(found.features().iter().all(Vec::is_empty));
    let right = finds_the_cause(&model, &some);
    assert!(right >= 36, "{right} of 40 by occlusion");

    // On plain labels, what goes through a vertex is what is gone without it.
    let graph = &some.graphs()[0];
    let score = |graph: &Graph| {
        model.predict_under(std::slice::from_ref(graph), &Monitor::new()).unwrap()[0].decision_values[0]
    };
    for vertex in 0..graph.order() {
        let place = |v: usize| if v > vertex { v - 1 } else { v };
        let mut builder = GraphBuilder::undirected(graph.order() - 1);
        let labels = graph.vertex_labels().unwrap();
        builder.vertex_labels((0..graph.order()).filter(|&v| v != vertex).map(|v| labels.name(v)));
        for (u, v) in graph.edges().filter(|&(u, v)| u != vertex && v != vertex) {
            builder.edge(place(u), place(v)).unwrap();
        }
        let share = score(graph) - score(&builder.build().unwrap());
        let told = found.graphs()[0].shares[0].vertices[vertex];
        assert!((share - told).abs() < 1e-4, "vertex {vertex}: {told}, not {share}");
    }
}

#[test]
fn kernels_without_paths_are_explained_by_deletion() {
    let demo = Dataset::demo(1).pick(0..30);
    let kernel = GraphKernel::new(ShortestPath::new());
    let model =
        Model::from(GraphClassifier::of(Grid::new(kernel)).fit(&demo, demo.classes().unwrap()).unwrap());
    let found = Explainer::new(&model).explain(&demo).unwrap();
    assert_eq!(found.method(), Method::Deletion);
    for (graph, explained) in demo.graphs().iter().zip(found.graphs()) {
        assert_eq!((explained.shares[0].vertices.len(), explained.shares[0].edges.len()), (graph.order(), 0));
    }
}

#[test]
fn models_come_back_from_files_and_threads_change_nothing() {
    let demo = Dataset::demo(1);
    let fitted = LinearClassifier::new().fit(&demo, demo.classes().unwrap()).unwrap();
    let back = Model::from_bytes(&fitted.to_bytes().unwrap()).unwrap();
    assert_eq!(back.name(), "linear");
    let model = Model::from(fitted);
    let json = |explainer: Explainer<'_>| serde_json::to_string(&explainer.explain(&demo).unwrap()).unwrap();
    let first = json(Explainer::new(&model).threads(1));
    assert_eq!(json(Explainer::new(&model).threads(3)), first);
    assert_eq!(json(Explainer::new(&back)), first);
    assert!(Model::from_bytes(b"no model").is_err());
}

//! Settings as data, what they refuse, and how a job is watched.

use std::ops::RangeInclusive;
use std::time::Duration;

use allpaths::Monitor;
use allpaths::count::{Limits, Outcome};
use allpaths::embed::Stopped;
use allpaths::kernel::{CATALOGUE, FittedKernel, Lengths};
use allpaths::npz::Npz;

use super::*;

#[test]
fn what_makes_no_sense_is_refused() {
    let edge = Graph::from_edges(2, [(0, 1)]).unwrap();
    let of = |comparison: Comparison| GraphKernel::new(AllPathsCycles::up_to(2)).comparison(comparison);
    let rbf = || Comparison::new(Compare::Rbf);
    let minmax = || Comparison::new(Compare::MinMax);
    let sampled = |samples| GraphKernel::new(Graphlet::default().sampling(samples, 0));
    for (kernel, reason) in [
        (of(rbf().by_cell()), "rbf has one scale"),
        (of(rbf().rbf_distance(1.0)), "rbf over the distance of rbf"),
        (of(rbf().scale(0.0)), "the scale of rbf is above 0"),
        (of(rbf().scale(f64::NAN)), "the scale of rbf is above 0"),
        (of(minmax().scale(1.0)), "a scale is for rbf alone"),
        (of(minmax().rbf_distance(-1.0)), "is above 0"),
        (of(minmax()).threads(0), "0 threads"),
        (
            GraphKernel::new(AllPathsCycles::up_to(2).hash_bits(8)).comparison(minmax().by_cell()),
            "hashed columns belong to no cell",
        ),
        (GraphKernel::new(AllPathsCycles::up_to(2).hash_bits(40)), "1 to 31 bits"),
        (GraphKernel::new(Graphlet::of_sizes(2..=3)), "3, 4 or 5 vertices"),
        (GraphKernel::new(Graphlet::of_sizes(5..=6)), "3, 4 or 5 vertices"),
        (GraphKernel::new(Graphlet::of_sizes(RangeInclusive::new(5, 4))), "larger than the largest"),
        (sampled(Samples::Number(0)), "0 samples"),
        (sampled(Samples::Bound { error: 2.0, risk: 0.1 }), "between 0 and 1"),
        (GraphKernel::new(WeisfeilerLehman::new(2000)), "beyond reason"),
        (GraphKernel::new(with_edge_labels(WeisfeilerLehman::new(1))), "graph 0 has no edge labels"),
        (GraphKernel::new(ShortestPath::new().lengths(Lengths::Weights)), "graph 0 has no weights"),
    ] {
        let error = kernel.fit(std::slice::from_ref(&edge)).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
    let mut builder = GraphBuilder::undirected(2);
    builder.edge(0, 1).unwrap();
    builder.weights([-1.0]);
    let kernel = GraphKernel::new(ShortestPath::new().lengths(Lengths::Weights));
    let error = kernel.fit(&[builder.build().unwrap()]).unwrap_err();
    assert_eq!(error.to_string(), "graph 0 has an edge of weight -1: lengths are 0 or more");
}

#[test]
fn memory_is_refused_with_advice() {
    let graphs = vec![Graph::from_edges(1, []).unwrap(); 10];
    let kernel =
        GraphKernel::new(Substructures::VertexHistogram).compared(|comparison| comparison.max_bytes(799));
    let fitted = kernel.fit(&graphs).unwrap();
    let error = fitted.gram::<f64>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "a Gram matrix of 10 x 10 float64: 800 B, but the limit is 799 B: take float32 (400 B) or fewer graphs"
    );
    assert!(fitted.gram::<f32>().is_ok());
}

#[test]
fn a_job_is_watched_and_stopped() {
    let graphs = vec![Graph::from_edges(3, [(0, 1), (1, 2)]).unwrap(); 40];
    let fitted = GraphKernel::new(AllPathsCycles::up_to(2)).fit(&graphs).unwrap();
    let monitor = Monitor::new();
    fitted.gram_under::<f64>(&monitor).unwrap();
    assert!(monitor.progress() > 0.999);
    let monitor = Monitor::new();
    monitor.interrupt();
    assert!(fitted.gram_under::<f64>(&monitor).unwrap_err().is_stopped());
    assert!(fitted.against_under::<f64>(&graphs, &monitor).unwrap_err().is_stopped());
}

#[test]
fn every_kernel_is_in_the_catalogue() {
    for kernel in kernels() {
        let name = kernel.substructures().name();
        assert!(CATALOGUE.iter().any(|about| about.name == name), "{name}");
    }
}

#[test]
fn settings_are_data() {
    for kernel in kernels() {
        let text = toml::to_string(&kernel).unwrap();
        assert!(text.contains(&format!("kernel = {:?}", kernel.substructures().name())), "{text}");
        assert_eq!(toml::from_str::<GraphKernel>(&text).unwrap(), kernel, "{text}");
    }
}

#[test]
fn samples_come_near_the_truth() {
    let graph = Graph::from_edges(12, (0..12).flat_map(|v| [(v, (v + 1) % 12), (v, (v + 3) % 12)])).unwrap();
    let shares = |settings: Graphlet| {
        let kernel = GraphKernel::new(settings.graphlets(Graphlets::All));
        let features = kernel.features(std::slice::from_ref(&graph)).unwrap();
        let (_, counts) = features.row(0);
        let sum: u64 = counts.iter().sum();
        let named = features.features().iter().zip(counts);
        named
            .map(|(feature, &count)| (feature.name.clone(), count as f64 / sum as f64))
            .collect::<std::collections::BTreeMap<_, _>>()
    };
    for size in 3..=5 {
        let complete = shares(Graphlet::of_sizes(size..=size));
        for seed in 0..5 {
            let sampled = shares(
                Graphlet::of_sizes(size..=size).sampling(Samples::Bound { error: 0.1, risk: 0.05 }, seed),
            );
            let error: f64 =
                complete.iter().map(|(name, share)| (share - sampled.get(name).unwrap_or(&0.0)).abs()).sum();
            assert!(error < 0.1, "{size} {seed}: {error}");
        }
    }
}

#[test]
fn fitted_kernels_are_kept_in_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kernel.model");
    let graphs = [
        labelled(&["C", "C", "O"], &[(0, 1, "-"), (1, 2, "=")]),
        Graph::from_edges(5, [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4)]).unwrap(),
        Graph::from_edges(0, []).unwrap(),
    ];
    let others = [labelled(&["C", "N", "O"], &[(0, 1, "-"), (1, 2, "="), (0, 2, "-")]), graphs[1].clone()];
    for kernel in kernels() {
        let fitted = kernel.fit(&graphs).unwrap();
        fitted.write(&path).unwrap();
        let read = FittedKernel::read(&path).unwrap();
        assert_eq!(read.settings(), &kernel);
        assert_eq!(read.outcomes(), fitted.outcomes());
        assert_eq!(read.gram::<f64>().unwrap(), fitted.gram::<f64>().unwrap(), "{kernel:?}");
        assert_eq!(read.against::<f64>(&others).unwrap(), fitted.against::<f64>(&others).unwrap());
    }
}

#[test]
fn damaged_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kernel.model");
    let graphs = [Graph::from_edges(3, [(0, 1), (1, 2)]).unwrap()];
    GraphKernel::new(ShortestPath::new()).fit(&graphs).unwrap().write(&path).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let reason = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        FittedKernel::read(&path).unwrap_err()
    };
    assert!(reason(&bytes[..bytes.len() / 2]).is_input());
    assert!(reason(b"").is_input());
    // Wherever a byte is changed, the file is read as it was or refused.
    for place in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[place] ^= 0x55;
        std::fs::write(&path, changed).unwrap();
        if let Ok(read) = FittedKernel::read(&path) {
            assert_eq!(read.gram::<f64>().unwrap().values(), [20.0], "byte {place}");
        }
    }
    let later = br#"{"version":9,"ids":1}"#.to_vec();
    Npz::new().array("about", later).write(&path).unwrap();
    let error = FittedKernel::read(&path).unwrap_err().to_string();
    assert!(
        error.ends_with("written in version 9, this program reads version 1: take a newer program"),
        "{error}"
    );
    Npz::new().array("other", vec![1u64]).write(&path).unwrap();
    let error = FittedKernel::read(&path).unwrap_err().to_string();
    assert!(error.ends_with("no \"about\" in it: not a fitted kernel"), "{error}");
}

#[test]
fn limits_hold_for_every_kernel() {
    // A path of 4 vertices: 16 ordered pairs are met, each vertex with itself, too, and 4 + 3 + 2 subgraphs are grown.
    let path = || Graph::from_edges(4, [(0, 1), (1, 2), (2, 3)]).unwrap();
    let kernels = [
        GraphKernel::new(ShortestPath::new()),
        GraphKernel::new(Graphlet::default()),
        GraphKernel::new(Graphlet::default().sampling(Samples::Number(9), 0)),
        GraphKernel::new(AllPathsCycles::up_to(3)),
        GraphKernel::new(RandomWalk::up_to(3)),
        GraphKernel::new(BacktracklessWalk::up_to(3)),
        GraphKernel::new(EdgePaths::up_to(3)),
        GraphKernel::new(NeighbourhoodPairs::up_to(1, 2)),
        GraphKernel::new(ConnectedSubgraphs::up_to(3)),
    ];
    for kernel in kernels {
        let under = |limits: Limits, stopped: Stopped| kernel.clone().limits(limits, stopped).fit(&[path()]);
        let steps = |steps: u64| Limits { steps: Some(steps), ..Limits::default() };
        let unlimited = kernel.fit(&[path()]).unwrap();
        let enough = under(steps(1000), Stopped::Fail).unwrap();
        assert_eq!(enough.outcomes(), [Outcome::Complete]);
        assert_eq!(enough.gram::<f64>().unwrap(), unlimited.gram::<f64>().unwrap());
        assert!(under(steps(1), Stopped::Fail).unwrap_err().is_stopped());
        let none = under(steps(1), Stopped::Skip).unwrap();
        assert_eq!(none.outcomes(), [Outcome::Budget]);
        assert_eq!(none.gram::<f64>().unwrap().values(), [0.0]);
        // What is kept is finished, so it is no more than there is.
        let kept = under(steps(1), Stopped::Keep).unwrap().against::<f64>(&[path()]).unwrap();
        assert!(kept.values()[0] <= unlimited.gram::<f64>().unwrap().values()[0], "{kernel:?}");
        let late = under(Limits { time: Some(Duration::ZERO), ..Limits::default() }, Stopped::Skip).unwrap();
        assert_eq!(late.outcomes(), [Outcome::Time]);

        let others =
            unlimited.limits(steps(1), Stopped::Skip).count_under(&[path()], &Monitor::new()).unwrap();
        assert_eq!(others.outcomes(), [Outcome::Budget]);
    }
}

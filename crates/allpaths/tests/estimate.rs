//! Estimates against the exact numbers.

#![allow(clippy::float_cmp)] // of numbers that are whole

use std::path::{Path, PathBuf};
use std::time::Duration;

use allpaths::count::{Outcome, Subject};
use allpaths::estimate::Interval;
use allpaths::{Counter, Dataset, Estimator, Graph, Monitor};

fn sampled(length: usize) -> Estimator {
    Estimator::up_to(length).exact_seconds(0.0)
}

/// A small world: a ring with chords, a few hubs, a loop.
fn world(directed: bool) -> Graph {
    let ring = (0..40).map(|v| (v, (v + 1) % 40));
    let chords = (0..40).map(|v| (v, (v * 7 + 3) % 40)).filter(|(u, v)| u != v);
    let hub = (5..40).step_by(3).map(|v| (v, 0));
    let edges: Vec<_> = ring.chain(chords).chain(hub).chain([(4, 4)]).collect();
    if directed { Graph::from_arcs(40, edges).unwrap() } else { Graph::from_edges(40, edges).unwrap() }
}

/// Over many seeds, intervals hold the truth as often as they say, and their middles are on both sides of it.
#[test]
fn intervals_hold_the_truth_as_often_as_they_say() {
    const SEEDS: u64 = 200;
    for directed in [false, true] {
        let graph = world(directed);
        let counts = Counter::up_to(7).count(&graph).unwrap();
        let mut held = [[0u32; 2]; 8];
        let mut above = [[0u32; 2]; 8];
        let mut differ = [[false; 2]; 8];
        for seed in 0..SEEDS {
            let estimates = sampled(7).error(0.05).confidence(0.9).seed(seed).estimate(&graph).unwrap();
            assert_eq!(estimates.outcome(), Outcome::Complete);
            for length in 3..=7 {
                let found = [estimates.paths(length).unwrap(), estimates.cycles(length).unwrap()];
                let truth = [counts.paths(length).to_f64(), counts.cycles(length).to_f64()];
                for (i, (found, truth)) in found.into_iter().zip(truth).enumerate() {
                    let is_sampled = found.error() <= 0.05 && found.samples >= 2000;
                    assert!(is_sampled || found.is_exact() && truth == 0.0, "length {length}: {found:?}");
                    held[length][i] += u32::from(found.low <= truth && truth <= found.high);
                    above[length][i] += u32::from(found.value > truth);
                    differ[length][i] |= found.error() > 1e-12;
                }
            }
        }
        assert!(differ[3..].as_flattened().iter().filter(|&&differ| differ).count() >= 5, "{differ:?}");
        for length in 3..=7 {
            for i in 0..2 {
                // 180 are expected; of 200 that are right with a probability of 0.9, fewer than 163 are one in 10,000. More is no fault: rounds overshoot.
                assert!(held[length][i] >= 163, "directed {directed}, length {length}: {held:?}");
                // All samples may agree: closed walks of three steps that do not turn back, say, are cycles.
                let agree = !differ[length][i];
                assert!(
                    agree || (65..=135).contains(&above[length][i]),
                    "directed {directed}, length {length}: {above:?}"
                );
            }
        }
    }
}

#[test]
fn what_is_short_is_counted() {
    let graph = world(false);
    let counts = Counter::up_to(6).count(&graph).unwrap();
    let estimates = Estimator::up_to(6).estimate(&graph).unwrap();
    for length in 0..=6 {
        let Interval { low, high, samples, exact, .. } = estimates.paths(length).unwrap();
        assert_eq!((exact.as_ref(), *samples), (Some(&counts.paths(length)), 0));
        assert!(low == high);
        assert_eq!(estimates.cycles(length).unwrap().exact, Some(counts.cycles(length)));
    }
    let estimates = sampled(3).subject(Subject::Cycles).estimate(&graph).unwrap();
    assert!(estimates.cycles(2).unwrap().is_exact() && !estimates.cycles(3).unwrap().is_exact());
    assert_eq!(estimates.cycles(1).unwrap().exact, Some(1u64.into()));
    assert_eq!(estimates.paths(1), None);
}

#[test]
fn where_there_are_no_walks_there_are_no_paths() {
    let tree = Graph::from_edges(7, [(0, 1), (0, 2), (1, 3), (1, 4), (2, 5), (2, 6)]).unwrap();
    let estimates = sampled(6).estimate(&tree).unwrap();
    // Walks that do not turn back are the paths of a tree, so all samples agree.
    let found = estimates.paths(4).unwrap();
    assert!((found.value - 4.0).abs() < 1e-9 && found.high - found.low < 1e-9, "{found:?}");
    assert_eq!(estimates.paths(5).unwrap().exact, Some(0u64.into()));
    assert_eq!(estimates.cycles(4).unwrap().exact, Some(0u64.into()));
    assert_eq!(estimates.outcome(), Outcome::Complete);
    let nothing = sampled(4).estimate(&Graph::from_edges(0, []).unwrap()).unwrap();
    assert_eq!(nothing.paths(0).unwrap().exact, Some(0u64.into()));
}

/// Two triangles that share a vertex: closed walks of six steps, but no cycle of that length.
#[test]
fn what_was_never_found_has_a_bound() {
    let bow = [(0, 1), (1, 2), (2, 0), (0, 3), (3, 4), (4, 0)];
    let estimates = sampled(6).seed(2).estimate(&Graph::from_edges(6, bow).unwrap()).unwrap();
    let found = estimates.cycles(6).unwrap();
    // No whole number but 0 is within the bound, so it is settled.
    assert!(found.value == 0.0 && found.low == 0.0 && found.high > 0.0 && found.high < 1.0, "{found:?}");
    assert_eq!((found.samples, estimates.outcome()), (2000, Outcome::Complete));
    // Too long for five vertices: nothing to sample.
    let estimates = sampled(6).estimate(&Graph::from_edges(5, bow).unwrap()).unwrap();
    assert_eq!([estimates.cycles(6), estimates.paths(5)].map(|found| found.unwrap().is_exact()), [true; 2]);
    // Ten samples are not enough for anything.
    let estimates = sampled(5).max_samples(10).estimate(&world(false)).unwrap();
    assert_eq!((estimates.paths(5).unwrap().samples, estimates.outcome()), (10, Outcome::Budget));
}

#[test]
fn threads_and_other_lengths_do_not_matter() {
    let graph = world(false);
    let on = |threads| sampled(6).threads(threads).seed(3).estimate(&graph).unwrap();
    let estimates = on(1);
    assert_eq!(on(3), estimates);
    assert_ne!(sampled(6).seed(4).estimate(&graph).unwrap().paths(6), estimates.paths(6));
}

#[test]
fn limits_hold_and_settings_are_checked() {
    let graph = world(true);
    let monitor = Monitor::new();
    monitor.interrupt();
    let estimates = sampled(6).estimate_under(&graph, &monitor).unwrap();
    assert_eq!((estimates.outcome(), estimates.paths(5)), (Outcome::Interrupted, None));
    let estimates = sampled(6).time_limit(Duration::ZERO).estimate(&graph).unwrap();
    assert_eq!(estimates.outcome(), Outcome::Time);
    for wrong in [sampled(4).error(0.0), sampled(4).error(f64::NAN), sampled(4).confidence(1.0)] {
        let error = wrong.estimate(&graph).unwrap_err();
        assert!(error.is_usage() && error.to_string().contains("more than 0 and less than 1"), "{error}");
    }
    let complete = Graph::from_edges(200, (0..200).flat_map(|u| (0..u).map(move |v| (u, v)))).unwrap();
    let error = sampled(150).subject(Subject::Paths).estimate(&complete).unwrap_err();
    assert!(error.to_string().contains("more walks of length"), "{error}");
}

/// Cycles of six in a network of 88,234 edges: within one percent of what the engines count.
#[test]
fn a_real_network() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let file =
        std::env::var_os("ALLPATHS_DATA").map_or(root, PathBuf::from).join("networks/facebook_combined.txt");
    let Ok(data) = Dataset::read(&file) else {
        eprintln!("skipped: no {}", file.display());
        return;
    };
    let graph = &data.graphs()[0];
    let counts = Counter::up_to(4).count(graph).unwrap();
    let estimates = sampled(4).confidence(0.999).seed(1).estimate(graph).unwrap();
    for (found, truth) in
        [(estimates.paths(4).unwrap(), counts.paths(4)), (estimates.cycles(4).unwrap(), counts.cycles(4))]
    {
        assert!(
            found.low <= truth.to_f64() && truth.to_f64() <= found.high && found.error() <= 0.01,
            "{found:?}"
        );
    }
}

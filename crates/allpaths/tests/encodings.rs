//! Features by algebra: what the sieve adds up and decodes is what the walk books.

mod random;

use allpaths::count::{Convention, Engine, Outcome};
use allpaths::label::{Cycles, Encoding, LabelChoice};
use allpaths::{AllPathsCycles, Graph};
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

/// Five vertices, each joined with all others.
fn complete() -> Graph {
    Graph::from_edges(5, (0..5).flat_map(|u| (0..u).map(move |v| (u, v)))).unwrap()
}

#[test]
fn a_step_of_the_sieve_is_a_subgraph() {
    // 5 single vertices, 10 pairs, 10 triples, 5 quadruples.
    let settings = AllPathsCycles::up_to(4).encoding(Encoding::Power).engine(Engine::Sieve);
    let features = |steps| settings.clone().budget(steps).embed(&[complete()]).unwrap();
    let longest = |steps| features(steps).features().iter().map(|feature| feature.cell.length).max();
    assert_eq!([31, 30, 25, 15, 14].map(longest), [Some(4), Some(3), Some(2), Some(1), Some(0)]);
    assert_eq!([31, 30].map(|steps| features(steps).outcome(0)), [Outcome::Complete, Outcome::Budget]);
}

#[test]
fn lengths_beyond_the_sieve_are_refused() {
    let settings = AllPathsCycles::up_to(63).encoding(Encoding::Power);
    assert!(settings.embed(&[complete()]).is_ok());
    let error = settings.engine(Engine::Sieve).embed(&[complete()]).unwrap_err();
    assert_eq!(error.to_string(), "a length of 63 is beyond the sieve engine: ask for at most 62");
}

proptest! {
    #[test]
    fn power_classes_are_the_same_by_both_engines(graphs in prop::collection::vec(graphs(), 1..4), settings in settings()) {
        let settings = settings.encoding(Encoding::Power);
        let sifted = settings.clone().engine(Engine::Sieve).embed(&graphs).unwrap();
        prop_assert_eq!(&sifted, &settings.engine(Engine::DepthFirst).embed(&graphs).unwrap());
    }
}

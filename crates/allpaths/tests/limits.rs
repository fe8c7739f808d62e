//! Counts that are stopped on the way, watched, or asked for the impossible.

use std::time::{Duration, Instant};

use allpaths::count::{Counts, Engine, Outcome, Subject};
use allpaths::{Counter, Error, Graph, Monitor};

/// Far more paths than anybody can wait for.
fn endless() -> Graph {
    complete(40)
}

fn complete(order: usize) -> Graph {
    Graph::from_edges(order, (0..order).flat_map(|u| (0..u).map(move |v| (u, v)))).unwrap()
}

/// `n (n-1) ... (n-k+1)`.
fn falling(n: usize, k: usize) -> u128 {
    (n - k + 1..=n).map(|factor| factor as u128).product()
}

/// Checks the finished lengths of [`endless`]: n!/(n-l-1)!/2 paths and n!/(n-l)!/(2l) cycles of length l.
fn check_stopped(counts: &Counts, reason: Outcome, started: Instant) {
    assert_eq!(counts.outcome(), reason);
    assert!(started.elapsed() < Duration::from_secs(5), "took {:?} to stop", started.elapsed());
    assert!((1..counts.max_length()).contains(&counts.finished()));
    assert_eq!(counts.path_counts().unwrap().len(), counts.finished() + 1);
    for length in 1..=counts.finished() {
        assert_eq!(counts.paths(length), falling(40, length + 1) / 2, "paths of length {length}");
    }
    for length in 3..=counts.finished() {
        assert_eq!(
            counts.cycles(length),
            falling(40, length) / (2 * length as u128),
            "cycles of length {length}"
        );
    }
}

#[test]
fn an_interrupted_count_stops_at_once_and_keeps_what_it_finished() {
    for threads in [1, 3] {
        let (graph, monitor, started) = (endless(), Monitor::new(), Instant::now());
        let counts = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(300));
                monitor.interrupt();
            });
            Counter::up_to(30)
                .engine(Engine::DepthFirst)
                .threads(threads)
                .count_under(&graph, &monitor)
                .unwrap()
        });
        check_stopped(&counts, Outcome::Interrupted, started);
        assert!(counts.finished() >= 3, "length 3 takes milliseconds, and {} is all", counts.finished());
        assert!(monitor.progress() < 1.0);
    }
}

#[test]
fn a_count_whose_time_is_up_stops_at_once_and_keeps_what_it_finished() {
    for (threads, time) in [(1, 0), (1, 300), (3, 0), (3, 300)] {
        let started = Instant::now();
        let counter = Counter::up_to(30)
            .engine(Engine::DepthFirst)
            .threads(threads)
            .time_limit(Duration::from_millis(time));
        check_stopped(&counter.count(&endless()).unwrap(), Outcome::Time, started);
    }
}

#[test]
fn time_and_steps_enough_are_no_limits() {
    let graph = complete(8);
    let counts = Counter::up_to(8).count(&graph).unwrap();
    let limited = Counter::up_to(8).time_limit(Duration::from_secs(3600)).budget(u64::MAX);
    assert_eq!(limited.count(&graph).unwrap(), counts);
    assert_eq!(Counter::up_to(8).time_limit(Duration::MAX).count(&graph).unwrap(), counts);
}

#[test]
fn the_sum_with_a_stopped_count_has_the_lengths_of_both() {
    let counts =
        [Counter::up_to(3), Counter::up_to(3).budget(0)].map(|counter| counter.count(&complete(5)).unwrap());
    let sum = Counts::sum(&counts).unwrap();
    assert_eq!((sum.outcome(), sum.finished(), sum.max_length()), (Outcome::Budget, 1, 3));
    assert_eq!(
        sum.path_counts().unwrap().iter().map(|count| count.to_u64().unwrap()).collect::<Vec<_>>(),
        [10, 20]
    );
    assert_eq!(Counts::sum([]), None);
}

/// Whatever is counted, a finished job is wholly done: cut up between threads or not, one graph or many.
#[test]
fn progress_ends_at_one() {
    type Job = fn(&Counter, &[Graph], &Monitor) -> Result<(), Error>;
    let jobs: [(&str, Job); 6] = [
        ("cycles", |counter, graphs, monitor| {
            counter.clone().subject(Subject::Cycles).count_under(&graphs[0], monitor).map(drop)
        }),
        ("count", |counter, graphs, monitor| counter.count_under(&graphs[0], monitor).map(drop)),
        ("count each", |counter, graphs, monitor| counter.count_each_under(graphs, monitor).map(drop)),
        ("by vertex", |counter, graphs, monitor| counter.by_vertex_under(&graphs[0], monitor).map(drop)),
        ("by pair", |counter, graphs, monitor| counter.by_pair_under(&graphs[0], monitor).map(drop)),
        ("between", |counter, graphs, monitor| counter.between_under(&graphs[0], 0, 1, monitor).map(drop)),
    ];
    // A tree, a ring, and rings that share a chain.
    let path = Graph::from_edges(5, [(0, 1), (1, 2), (2, 3), (3, 4)]).unwrap();
    let ring = Graph::from_edges(6, (0..6).map(|v| (v, (v + 1) % 6))).unwrap();
    let fused = (0..9).map(|v| (v, (v + 1) % 9)).chain([(0, 4)]);
    let fused = Graph::from_edges(9, fused).unwrap();
    for (name, job) in jobs {
        for (graphs, threads) in [
            (vec![complete(4); 50], 1),
            (vec![complete(10); 3], 1),
            (vec![complete(10); 3], 3),
            (vec![path.clone()], 1),
            (vec![ring.clone()], 1),
            (vec![fused.clone()], 1),
        ] {
            let monitor = Monitor::new();
            assert!(monitor.progress() <= 0.0);
            job(&Counter::up_to(9).threads(threads), &graphs, &monitor).unwrap();
            assert!(monitor.progress() > 0.999_999, "{name}: {}", monitor.progress());
        }
    }
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    let graph = complete(3);
    let cycles = Counter::up_to(3).subject(Subject::Cycles);
    let table = [
        (Counter::up_to(3).threads(0).count(&graph).err(), "0 threads cannot count: ask for 1 or more"),
        (
            Counter::up_to(1_000_001).count(&graph).err(),
            "a length of 1000001 is beyond counting: ask for at most 1000000",
        ),
        (
            Counter::up_to(3).between(&graph, 1, 1).err(),
            "a path has two different ends: for cycles through a vertex, count by vertex",
        ),
        (
            Counter::up_to(3).between(&graph, 0, 3).err(),
            "there is no vertex 3: the graph has 3, numbered from 0",
        ),
        (cycles.between(&graph, 0, 1).err(), "cycles have no ends: count them without a pair"),
        (cycles.by_pair(&graph).err(), "cycles belong to no pair of vertices: count them by vertex"),
    ];
    for (error, message) in table {
        let error = error.expect(message);
        assert_eq!(error.to_string(), message);
        assert!(error.is_usage() && !error.is_input(), "{message}");
    }
}

//! Engines beside each other: the numbers to beat, whether the right one is chosen, and the constants by which that is done.
//!
//! `make bench-engines` and `make calibrate` run it; other runs of the benchmarks pass it by.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use allpaths::count::{Count, Engine, Outcome, Subject, Wanted, amounts, half_paths};
use allpaths::graph::GraphBuilder;
use allpaths::label::{Encoding, LabelChoice};
use allpaths::{AllPathsCycles, Counter, Dataset, Graph};

fn main() {
    for task in std::env::args().skip(1) {
        match task.as_str() {
            "numbers" => numbers(),
            "choices" => choices(),
            "instances" => instances(),
            "calibrate" => calibrate(),
            _ => {}
        }
    }
}

fn read(name: &str) -> Option<Dataset> {
    let folder = std::env::var_os("ALLPATHS_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let dataset = Dataset::read(folder.join(name)).ok();
    if dataset.is_none() {
        eprintln!("skipped {name}: not in {}", folder.display());
    }
    dataset
}

/// The best of several times, in seconds; of one if that is long.
fn seconds<T>(mut work: impl FnMut() -> T) -> f64 {
    let (begin, mut best) = (Instant::now(), f64::INFINITY);
    for _ in 0..50 {
        let start = Instant::now();
        black_box(work());
        best = best.min(start.elapsed().as_secs_f64());
        if begin.elapsed().as_secs_f64() > 0.3 {
            break;
        }
    }
    best
}

/// So many different edges among some vertices, the same in every run.
fn edges(order: usize, size: usize, seed: u64) -> Vec<(usize, usize)> {
    let (mut state, mut edges) = (seed, std::collections::BTreeSet::new());
    let mut below = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    while edges.len() < size {
        let (u, v) = (below(order), below(order));
        if u != v {
            edges.insert((u.min(v), u.max(v)));
        }
    }
    edges.into_iter().collect()
}

fn random(order: usize, size: usize, seed: u64) -> Graph {
    Graph::from_edges(order, edges(order, size, seed)).unwrap()
}

fn complete(order: usize) -> Graph {
    Graph::from_edges(order, (0..order).flat_map(|u| (0..u).map(move |v| (u, v)))).unwrap()
}

fn ring(order: usize) -> Graph {
    Graph::from_edges(order, (0..order).map(|v| (v, (v + 1) % order))).unwrap()
}

fn grid(side: usize) -> Graph {
    let right = (0..side * side).filter(|v| v % side + 1 < side).map(|v| (v, v + 1));
    let down = (side..side * side).map(|v| (v - side, v));
    Graph::from_edges(side * side, right.chain(down)).unwrap()
}

fn counter(length: usize, subject: Subject, engine: Engine) -> Counter {
    Counter::up_to(length).subject(subject).engine(engine).threads(1)
}

/// The graph of 75 vertices and 2457 edges, under three labels.
fn labelled() -> [Graph; 1] {
    let mut builder = GraphBuilder::undirected(75);
    builder.vertex_labels((0..75).map(|v| ["a", "b", "c", "a", "a"][v % 5]));
    edges(75, 2457, 1).into_iter().for_each(|(u, v)| _ = builder.edge(u, v).unwrap());
    [builder.build().unwrap()]
}

/// Power classes of three labels to length 6, by quotients.
fn power() -> AllPathsCycles {
    let choice = LabelChoice::Commonest(3);
    AllPathsCycles::up_to(6).encoding(Encoding::Power).labels(choice).threads(1).engine(Engine::Quotient)
}

/// The numbers to beat, in milliseconds on one thread.
fn numbers() {
    let line = |name: &str, seconds: f64| println!("{name}: {:.2} ms", seconds * 1e3);
    let graph = random(75, 2457, 1);
    let quotient = |length, subject| counter(length, subject, Engine::Quotient);
    let totals = || {
        let paths = quotient(6, Subject::Paths).count(&graph).unwrap();
        (paths, quotient(7, Subject::Cycles).count(&graph).unwrap())
    };
    let start = Instant::now();
    black_box(totals());
    line("count/quotient/75-2457/paths-6-cycles-7 with planning", start.elapsed().as_secs_f64());
    line("count/quotient/75-2457/paths-6-cycles-7", seconds(totals));
    line("count/quotient/75-2457/pairs-6", seconds(|| quotient(6, Subject::Paths).by_pair(&graph).unwrap()));
    line(
        "count/quotient/75-2457/vertices-6",
        seconds(|| quotient(6, Subject::Both).by_vertex(&graph).unwrap()),
    );
    let plain = seconds(|| quotient(6, Subject::Both).count(&graph).unwrap());
    line("count/quotient/75-2457/6", plain);
    let (labelled, power) = (labelled(), power());
    let labels = seconds(|| power.embed(&labelled).unwrap());
    line("embed/power/75-2457/6", labels);
    println!("  which is {:.1} x the plain count", labels / plain);
    let composition = power.encoding(Encoding::Composition).labels(LabelChoice::All);
    line("embed/composition/75-2457/6", seconds(|| composition.embed(&labelled).unwrap()));
    let many = vec![graph.clone(); 500];
    let all = seconds(|| quotient(6, Subject::Both).count_each(&many).unwrap());
    line("count/quotient/5000 x 75-2457/6, from 500", 10.0 * all);
    if let Some(data) = read("datasets/IMDB-BINARY") {
        for engine in [Engine::Quotient, Engine::Auto] {
            let counter = counter(6, Subject::Paths, engine);
            let name = engine.name();
            line(
                &format!("count/{name}/imdb-binary/paths-6"),
                seconds(|| counter.count_each(data.graphs()).unwrap()),
            );
        }
    }
    if let Some(data) = read("networks/inf-euroroad.txt") {
        let counter = counter(30, Subject::Cycles, Engine::Frontier);
        line("count/frontier/euroroad/cycles-30", seconds(|| counter.count(&data.graphs()[0]).unwrap()));
    }
    if let Some(data) = read("networks/facebook_combined.txt") {
        for (name, length, subject) in [
            ("cycles-5", 5, Subject::Cycles),
            ("cycles-7", 7, Subject::Cycles),
            ("paths-6", 6, Subject::Paths),
        ] {
            let counter = quotient(length, subject);
            line(
                &format!("count/quotient/facebook/{name}"),
                seconds(|| counter.count(&data.graphs()[0]).unwrap()),
            );
        }
    }
}

/// The instances of a path-counting competition whose answers are known, by `auto` and by the frontier engine, one thread and two.
fn instances() {
    let folder = std::env::var_os("ALLPATHS_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from)
        .join("icgca");
    let Ok(answers) = std::fs::read_to_string(folder.join("expected_counts.tsv")) else {
        return eprintln!("skipped: no {}", folder.display());
    };
    for (engine, threads) in
        [(Engine::Auto, 1), (Engine::Auto, 2), (Engine::Frontier, 1), (Engine::Frontier, 2)]
    {
        let mut within = [0; 3];
        for line in answers.lines().skip(1) {
            let fields: Vec<&str> = line.split('\t').collect();
            let (instance, answer) = (fields[0], fields[6]);
            let Some(data) = read(&format!("icgca/{instance}")).filter(|_| answer != "unknown") else {
                continue;
            };
            let (graph, question) = (&data.graphs()[0], data.question());
            let counter = counter(question.max_length.unwrap_or(6), Subject::Paths, engine).threads(threads);
            let counter = counter.time_limit(Duration::from_secs(200));
            let start = Instant::now();
            let counts = match question.pair {
                Some((source, target)) => counter.between(graph, source, target),
                None => counter.count(graph),
            }
            .unwrap();
            let seconds = start.elapsed().as_secs_f64();
            let sum: Count = counts.path_counts().unwrap()[1..].iter().sum();
            let is_right = counts.outcome() == Outcome::Complete && sum.to_string() == answer;
            for (within, limit) in within.iter_mut().zip([1.0, 60.0, 200.0]) {
                *within += usize::from(is_right && seconds <= limit);
            }
            let result = if is_right { "right" } else { counts.outcome().name() };
            println!("{instance} by {}, threads {threads}: {result}, {seconds:.2} s", engine.name());
        }
        let [second, minute, longest] = within;
        println!(
            "{}, threads {threads}: {second} within 1 s, {minute} within 60 s, {longest} within 200 s",
            engine.name()
        );
    }
}

/// Forty graphs of all kinds, with the length to count to.
fn varied() -> Vec<(String, Graph, usize)> {
    let mut all = Vec::new();
    let mut add = |name: String, graph: Graph, length| all.push((name, graph, length));
    for (order, size, length) in [
        (12, 30, 9),
        (20, 60, 6),
        (20, 60, 9),
        (20, 150, 6),
        (30, 60, 8),
        (40, 300, 5),
        (50, 100, 9),
        (60, 900, 4),
        (60, 900, 6),
        (75, 2457, 3),
        (75, 2457, 6),
        (75, 2457, 7),
        (100, 150, 9),
        (100, 400, 6),
        (120, 3000, 5),
        (200, 400, 7),
        (200, 2000, 5),
        (200, 2000, 6),
        (500, 1000, 6),
        (500, 5000, 4),
        (1000, 1500, 6),
        (1000, 20_000, 4),
        (1000, 20_000, 6),
        (3000, 9000, 6),
    ] {
        add(format!("random {order} {size}"), random(order, size, 7), length);
    }
    for (order, length) in [(6, 5), (9, 8), (10, 9), (12, 11), (14, 13), (40, 6), (150, 5)] {
        add(format!("complete {order}"), complete(order), length);
    }
    add("ring 500".into(), ring(500), 9);
    add("star 1000".into(), Graph::from_edges(1001, (1..=1000).map(|v| (0, v))).unwrap(), 6);
    add("grid 20 x 20".into(), grid(20), 9);
    let halves = (0..20).flat_map(|u| (20..60).map(move |v| (u, v)));
    add("bipartite 20 40".into(), Graph::from_edges(60, halves).unwrap(), 6);
    let arcs = edges(60, 900, 3)
        .into_iter()
        .flat_map(|(u, v)| if (u + v) % 3 == 0 { vec![(u, v), (v, u)] } else { vec![(u, v)] });
    add("directed 60".into(), Graph::from_arcs(60, arcs).unwrap(), 6);
    for (name, length) in [("karate", 6), ("lesmis", 5), ("dolphins", 7)] {
        if let Some(data) = read(&format!("networks/{name}.gml")) {
            add(name.into(), data.graphs()[0].clone(), length);
        }
    }
    if let Some(data) = read("networks/inf-euroroad.txt") {
        add("euroroad".into(), data.graphs()[0].clone(), 9);
    }
    all
}

/// What plans of quotients take, by length, in seconds: the first count makes one, and all others have it.
fn plans() -> Vec<f64> {
    let small = ring(10);
    let plan = |length| {
        let counter = counter(length, Subject::Both, Engine::Quotient);
        let start = Instant::now();
        black_box(counter.count(&small).unwrap());
        let first = start.elapsed().as_secs_f64();
        (first - seconds(|| counter.count(&small).unwrap())).max(0.0)
    };
    (0..10).map(plan).collect()
}

/// Whether `auto` takes the fastest engine, or one that is not twice as slow. Each counts one graph, with all that this takes: plans, too.
fn choices() {
    let plans = plans();
    let (mut good, mut number) = (0, 0);
    for (name, graph, length) in varied() {
        let graphs = [graph];
        let estimates = Counter::up_to(length).estimates(&graphs, Wanted::Totals);
        let shortest = estimates.iter().filter_map(|estimate| estimate.seconds).fold(f64::INFINITY, f64::min);
        let mut measured = Vec::new();
        for estimate in &estimates {
            // What would take forever is not waited for.
            if estimate
                .seconds
                .is_some_and(|seconds| seconds < 1.0 || seconds < 30.0 * shortest && seconds < 20.0)
            {
                let counter = counter(length, Subject::Both, estimate.engine);
                let plan = if estimate.engine == Engine::Quotient { plans[length] } else { 0.0 };
                measured.push((plan + seconds(|| counter.count(&graphs[0]).unwrap()), estimate));
            }
        }
        let best = measured.iter().map(|(time, _)| *time).fold(f64::INFINITY, f64::min);
        let chosen = measured
            .iter()
            .find(|(_, estimate)| estimate.graphs > 0)
            .map_or(f64::INFINITY, |(time, _)| *time);
        number += 1;
        good += usize::from(chosen <= 2.0 * best);
        let each: Vec<String> = measured
            .iter()
            .map(|(time, estimate)| {
                let mark = if estimate.graphs > 0 { "*" } else { "" };
                format!(
                    "{}{mark} {:.3} ms (expected {:.3})",
                    estimate.engine.name(),
                    time * 1e3,
                    estimate.seconds.unwrap_or(f64::NAN) * 1e3
                )
            })
            .collect();
        println!("{name} to {length}: {:.2} x the best; {}", chosen / best, each.join(", "));
    }
    println!("{good} of {number} within twice the best");
}

/// The constants, in nanoseconds.
fn calibrate() {
    let plans: Vec<String> = plans().into_iter().map(|seconds| format!("{:.1e}", seconds * 1e9)).collect();
    println!("PLAN: {}", plans.join(", "));
    let time = |graph: &Graph, length, engine| {
        1e9 * seconds(|| counter(length, Subject::Both, engine).count(graph).unwrap())
    };
    let (small, large) = (random(100, 400, 5), random(2000, 8000, 5));
    println!("MASK_STEP: {:.2}", time(&small, 7, Engine::DepthFirst) / amounts(&small, 7)[0]);
    println!("ROW_STEP: {:.2}", time(&large, 6, Engine::DepthFirst) / amounts(&large, 6)[0]);
    let ten = complete(11);
    println!("SIEVE_ENTRY: {:.3}", time(&ten, 10, Engine::Sieve) / amounts(&ten, 10)[1]);
    // Guesses of states are far off, one way where graphs are small and the other where they are large: the middle of them all.
    let states = [
        (grid(6), 35),
        (grid(8), 16),
        (random(30, 45, 5), 29),
        (random(40, 60, 5), 15),
        (random(62, 159, 5), 8),
        (random(100, 120, 5), 30),
    ];
    let each = |(graph, length): &(Graph, usize)| {
        time(graph, *length, Engine::Frontier) / amounts(graph, *length)[2]
    };
    let entry = states.iter().map(|case| each(case).ln()).sum::<f64>() / states.len() as f64;
    println!("FRONTIER_ENTRY: {:.0}", entry.exp());
    // Small frontiers, but too many for the first order.
    let (long, length) = (ring(500), 9);
    let search = time(&long, length, Engine::Frontier) - amounts(&long, length)[2] * entry.exp();
    println!("FRONTIER_VERTEX: {:.0}", search / 500.0);
    // Short lengths take no rows, and small graphs nothing but expressions.
    let of_quotient = |graph: &Graph, length| {
        let [.., side_by_side, alone, nodes] = amounts(graph, length);
        (side_by_side, alone, nodes, time(graph, length, Engine::Quotient))
    };
    let (_, _, nodes, all) = of_quotient(&complete(4), 4);
    let node = all / nodes;
    let (_, alone, nodes, all) = of_quotient(&random(20_000, 200_000, 5), 3);
    let entry = (all - nodes * node) / alone;
    let (side_by_side, alone, nodes, all) = of_quotient(&random(1000, 10_000, 5), 6);
    let step = (all - nodes * node - alone * entry) / side_by_side;
    println!("QUOTIENT_STEP: {step:.3}");
    println!("QUOTIENT_ENTRY: {entry:.3}");
    println!("QUOTIENT_NODE: {node:.0}");
    // A class is a sum of up to five codes of up to 2: polynomials of degree 10, known from 11 points.
    let (labelled, power) = (labelled(), power());
    let labels = 1e9 * seconds(|| power.embed(&labelled).unwrap());
    println!("LABELS: {:.2}", labels / (11.0 * time(&labelled[0], 6, Engine::Quotient)));
    let (tangle, ends, length) = (random(300, 1500, 5), [0, 150], 10);
    let meet = counter(length, Subject::Paths, Engine::Meet);
    let between = 1e9 * seconds(|| meet.between(&tangle, ends[0], ends[1]).unwrap());
    println!("HALF_PATH: {:.0}", between / half_paths(&tangle, ends, length));
}

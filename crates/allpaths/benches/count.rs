//! Counting by enumeration, one thread and two.

use std::hint::black_box;
use std::path::{Path, PathBuf};

use allpaths::count::Subject;
use allpaths::{Counter, Dataset};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn data() -> PathBuf {
    std::env::var_os("ALLPATHS_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from)
}

fn count(c: &mut Criterion) {
    let mut group = c.benchmark_group("count/depth-first");
    group.sample_size(10);
    for (name, path, length, threads) in [
        ("mutag/6", "datasets/MUTAG", 6, 1),
        ("nci1/3", "datasets/NCI1", 3, 1),
        ("nci1/10", "datasets/NCI1", 10, 1),
        ("nci1/10/2-threads", "datasets/NCI1", 10, 2),
        ("enzymes/8", "datasets/ENZYMES", 8, 1),
        ("facebook/4", "networks/facebook_combined.txt", 4, 1),
        ("facebook/4/2-threads", "networks/facebook_combined.txt", 4, 2),
    ] {
        let path = data().join(path);
        let Ok(dataset) = Dataset::read(&path) else {
            eprintln!("skipped count/depth-first/{name}: no {}", path.display());
            continue;
        };
        let counter = Counter::up_to(length).threads(threads);
        let counts = counter.count_each(dataset.graphs()).unwrap();
        let paths =
            counts.iter().flat_map(|counts| counts.path_counts().unwrap()).map(|n| n.to_u64().unwrap());
        group.throughput(Throughput::Elements(paths.sum()));
        group.bench_function(name, |b| b.iter(|| counter.count_each(black_box(dataset.graphs())).unwrap()));
    }
    group.finish();

    let mut group = c.benchmark_group("count/depth-first/cycles");
    group.sample_size(10);
    for (name, path, length) in
        [("karate/12", "networks/karate.gml", 12), ("euroroad/24", "networks/inf-euroroad.txt", 24)]
    {
        let Ok(dataset) = Dataset::read(data().join(path)) else { continue };
        let counter = Counter::up_to(length).threads(1).subject(Subject::Cycles);
        group.bench_function(name, |b| b.iter(|| counter.count_each(black_box(dataset.graphs())).unwrap()));
    }
    group.finish();
}

criterion_group!(benches, count);
criterion_main!(benches);

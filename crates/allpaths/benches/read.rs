//! Reading files: bytes a second, by format.

use std::hint::black_box;
use std::path::{Path, PathBuf};

use allpaths::Dataset;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn data() -> PathBuf {
    std::env::var_os("ALLPATHS_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from)
}

fn size(path: &Path) -> u64 {
    match path.is_dir() {
        true => path
            .read_dir()
            .unwrap()
            .map(|entry| entry.unwrap())
            .filter(|entry| entry.file_name() != "README.txt")
            .map(|entry| entry.metadata().unwrap().len())
            .sum(),
        false => path.metadata().unwrap().len(),
    }
}

fn read(c: &mut Criterion) {
    let mut group = c.benchmark_group("read");
    for (name, path) in [
        ("tu/nci1", "datasets/NCI1"),
        ("tu/enzymes", "datasets/ENZYMES"),
        ("edge-list/facebook", "networks/facebook_combined.txt"),
        ("csv/bitcoinalpha", "networks/soc-sign-bitcoinalpha.csv"),
        ("gml/lesmis", "networks/lesmis.gml"),
        ("dimacs/all-pairs", "icgca/all_pairs/032.col"),
    ] {
        let path = data().join(path);
        if !path.exists() {
            eprintln!("skipped read/{name}: no {}", path.display());
            continue;
        }
        group.throughput(Throughput::Bytes(size(&path)));
        group.bench_function(name, |b| b.iter_with_large_drop(|| Dataset::read(black_box(&path)).unwrap()));
    }
    group.finish();
}

criterion_group!(benches, read);
criterion_main!(benches);

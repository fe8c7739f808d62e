//! Reading files: bytes a second, by format. Real files where there are any, and large ones made up here.

use std::hint::black_box;
use std::path::{Path, PathBuf};

use allpaths::dataset::{Reader, Writer};
use allpaths::graph::{Attribute, GraphBuilder, Values};
use allpaths::{Dataset, Graph};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};

fn data() -> PathBuf {
    std::env::var_os("ALLPATHS_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from)
}

fn size(path: &Path) -> u64 {
    if path.is_file() {
        return path.metadata().unwrap().len();
    }
    path.read_dir()
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.file_name() != "README.txt")
        .map(|entry| entry.metadata().unwrap().len())
        .sum()
}

fn real(c: &mut Criterion) {
    let mut group = c.benchmark_group("read");
    for (name, path) in [
        ("tu/nci1", "datasets/NCI1"),
        ("tu/enzymes", "datasets/ENZYMES"),
        ("edge-list/facebook", "networks/facebook_combined.txt"),
        ("csv/bitcoinalpha", "networks/soc-sign-bitcoinalpha.csv"),
        ("gml/lesmis", "networks/lesmis.gml"),
        ("dimacs/all-pairs", "icgca/all_pairs/032.col"),
        ("smiles/nci", "molecules/nci_first_5K.smi"),
        ("sdf/bzr", "molecules/bzr.sdf"),
    ] {
        let path = data().join(path);
        if !path.exists() {
            eprintln!("skipped read/{name}: no {}", path.display());
            continue;
        }
        group.throughput(Throughput::Bytes(size(&path)));
        group.bench_function(name, |b| b.iter_with_large_drop(|| Dataset::read(black_box(&path)).unwrap()));
    }
    let path = data().join("datasets/NCI1");
    if path.exists() {
        group.throughput(Throughput::Bytes(size(&path)));
        group.bench_function("tu-batches/nci1", |b| {
            b.iter(|| {
                Reader::new()
                    .stream(black_box(&path))
                    .unwrap()
                    .map(|batch| batch.unwrap().graphs().len())
                    .sum::<usize>()
            });
        });
    }
    group.finish();
}

/// Numbers that look random and are the same every time (a Weyl sequence, mixed).
struct Noise(u64);

impl Noise {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        ((x ^ x >> 31) % n as u64) as usize
    }
}

fn edges(order: usize, size: usize) -> Vec<(usize, usize)> {
    let mut noise = Noise(1);
    (0..size).map(|_| (noise.below(order), noise.below(order))).filter(|(u, v)| u != v).collect()
}

/// A network: people with names, and edges.
fn bare(order: usize, size: usize) -> GraphBuilder {
    let mut builder = GraphBuilder::undirected(order);
    for (u, v) in edges(order, size) {
        builder.edge(u, v).unwrap();
    }
    builder
}

/// A network with weights.
fn weighted(order: usize, size: usize) -> Graph {
    let mut builder = bare(order, size);
    let count = edges(order, size).len();
    let mut noise = Noise(2);
    builder.weights((0..count).map(|_| noise.below(1000) as f64 / 8.0 - 50.0));
    builder.build().unwrap()
}

/// A network with all that a file may say of it.
fn known(order: usize, size: usize) -> Graph {
    let mut builder = bare(order, size);
    let count = edges(order, size).len();
    let mut noise = Noise(3);
    builder.names((0..order).map(|v| format!("person {v}")));
    builder.vertex_labels((0..order).map(|_| ["analyst", "builder", "carrier"][noise.below(3)]));
    builder.weights((0..count).map(|_| noise.below(1000) as f64 / 8.0));
    let ages = (0..order).map(|_| Some(noise.below(90) as f64)).collect();
    builder.vertex_attribute(Attribute::new("age", Values::Real(ages)));
    builder.build().unwrap()
}

/// Molecules, as the TU collection has them.
fn molecules(count: usize) -> Dataset {
    let mut noise = Noise(4);
    let molecule = |_| {
        let order = 20 + noise.below(20);
        let mut builder = GraphBuilder::undirected(order);
        for v in 1..order {
            builder.edge(v - 1 - noise.below(v.min(3)), v).unwrap();
        }
        builder.vertex_labels((0..order).map(|_| ["0", "1", "2", "7"][noise.below(4)]));
        builder.edge_labels((1..order).map(|_| ["0", "1"][noise.below(2)]));
        builder.build().unwrap()
    };
    let graphs = (0..count).map(molecule).collect();
    let classes = [1, -1].into_iter().cycle().take(count).collect();
    Dataset::from_graphs("molecules", graphs).with_classes(classes).unwrap()
}

fn made_up(c: &mut Criterion) {
    let one = |graph: Graph| Dataset::from_graphs("x", vec![graph]);
    let plain = one(bare(100_000, 1_000_000).build().unwrap());
    let weighted = one(weighted(100_000, 1_000_000));
    let known = one(known(100_000, 300_000));
    let sparse = Dataset::from_graphs("x", (0..500).map(|_| bare(1000, 2000).build().unwrap()).collect());
    let molecules = molecules(50_000);
    let mut group = c.benchmark_group("read");
    for (name, file, data) in [
        ("tu-zip/molecules", "x.zip", &molecules),
        ("edge-list/random", "x.edges", &plain),
        ("csv/weighted", "x.csv", &weighted),
        ("csv/named", "x.csv", &known),
        ("gml/named", "x.gml", &known),
        ("gml/weighted", "x.gml", &weighted),
        ("dimacs/random", "x.col", &plain),
        ("matrix-market/pattern", "x.mtx", &plain),
        ("matrix-market/weighted", "x.mtx", &weighted),
        ("graphml/named", "x.graphml", &known),
        ("graphml/molecules", "x.graphml", &molecules),
        ("graph6/sparse", "x.g6", &sparse),
        ("sparse6/random", "x.s6", &plain),
        ("node-link/named", "x.json", &known),
        ("node-link-gzip/named", "x.json.gz", &known),
    ] {
        let (bytes, _) = Writer::new().bytes(data, file).unwrap();
        let unpacked = match file {
            "x.zip" => folder_size(data),
            "x.json.gz" => Writer::new().bytes(data, "x.json").unwrap().0.len() as u64,
            _ => bytes.len() as u64,
        };
        group.sample_size(10).throughput(Throughput::Bytes(unpacked));
        group.bench_function(name, |b| {
            let read = |bytes| Reader::new().read_bytes(file, black_box(bytes)).unwrap();
            b.iter_batched(|| bytes.clone(), read, BatchSize::PerIteration);
        });
    }
    group.finish();
}

/// How large a TU dataset is when it is not packed.
fn folder_size(data: &Dataset) -> u64 {
    let folder = tempfile::tempdir().unwrap();
    Writer::new().write(data, folder.path()).unwrap();
    size(folder.path())
}

criterion_group!(benches, real, made_up);
criterion_main!(benches);

//! Embedding, beside the plain walk of the same length: what it costs to name what is counted. One thread.

use std::hint::black_box;
use std::path::{Path, PathBuf};

use allpaths::count::walk_plainly;
use allpaths::embed::Profile;
use allpaths::label::Encoding;
use allpaths::{AllPathsCycles, Dataset, Monitor};
use criterion::{Criterion, criterion_group, criterion_main};

fn data() -> PathBuf {
    std::env::var_os("ALLPATHS_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from)
}

fn embed(c: &mut Criterion) {
    let mut group = c.benchmark_group("embed");
    group.sample_size(10);
    let refined = Profile::new([(1, 3)]).unwrap();
    for (name, dataset, settings) in [
        ("power/nci1/3", "NCI1", AllPathsCycles::up_to(3).encoding(Encoding::Power)),
        ("refined/nci1/3", "NCI1", AllPathsCycles::of(refined)),
        ("sequence/nci1/7", "NCI1", AllPathsCycles::up_to(7)),
        ("sequence/enzymes/8", "ENZYMES", AllPathsCycles::up_to(8)),
        ("triangle/nci1/4", "NCI1", AllPathsCycles::of(Profile::triangle(4).unwrap())),
    ] {
        let path = data().join("datasets").join(dataset);
        let Ok(dataset) = Dataset::read(&path) else {
            eprintln!("skipped embed/{name}: no {}", path.display());
            continue;
        };
        let length = settings.profile().max_length();
        let graphs = dataset.graphs();
        group.bench_function(format!("{name}/plain-walk"), |b| {
            b.iter(|| black_box(graphs).iter().map(|graph| walk_plainly(graph, length)).sum::<u128>());
        });
        let settings = settings.threads(1);
        let fitted = settings.fit(graphs).unwrap();
        group.bench_function(format!("{name}/ids"), |b| {
            b.iter(|| fitted.ids_under(black_box(graphs), &Monitor::new()).unwrap());
        });
        group.bench_function(format!("{name}/transform"), |b| {
            b.iter(|| fitted.transform(black_box(graphs)).unwrap());
        });
        group.bench_function(format!("{name}/fit-transform"), |b| {
            b.iter(|| settings.fit_transform(black_box(graphs)).unwrap());
        });
    }
    group.finish();
}

criterion_group!(benches, embed);
criterion_main!(benches);

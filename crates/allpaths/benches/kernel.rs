//! Gram matrices from graphs, one thread: counting and comparing.

use std::hint::black_box;
use std::path::{Path, PathBuf};

use allpaths::embed::Profile;
use allpaths::kernel::{Comparison, Graphlet, Graphlets, ShortestPath, Substructures, WeisfeilerLehman};
use allpaths::{AllPathsCycles, Dataset, GraphKernel};
use criterion::{Criterion, criterion_group, criterion_main};

fn data() -> PathBuf {
    std::env::var_os("ALLPATHS_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from)
}

fn kernel(c: &mut Criterion) {
    let triangle = Profile::triangle(4).expect("few rounds");
    let all = Graphlet::default().graphlets(Graphlets::All);
    let mut group = c.benchmark_group("kernel");
    group.sample_size(10);
    for (name, dataset, kernel) in [
        ("wl/nci1/5", "NCI1", GraphKernel::new(WeisfeilerLehman::new(5))),
        ("wl-oa/nci1/7", "NCI1", GraphKernel::optimal_assignment(WeisfeilerLehman::new(7))),
        ("wl-oa/enzymes/5", "ENZYMES", GraphKernel::optimal_assignment(WeisfeilerLehman::new(5))),
        ("shortest-path/nci1", "NCI1", GraphKernel::new(ShortestPath::new())),
        ("graphlet/enzymes/5", "ENZYMES", GraphKernel::new(Graphlet::default())),
        ("graphlet-all/enzymes/5", "ENZYMES", GraphKernel::new(all)),
        ("vertex-histogram/nci1", "NCI1", GraphKernel::new(Substructures::VertexHistogram)),
        ("apc/nci1/7", "NCI1", GraphKernel::new(AllPathsCycles::up_to(7))),
        (
            "apc-by-cell/nci1/triangle-4",
            "NCI1",
            GraphKernel::new(AllPathsCycles::of(triangle)).compared(Comparison::by_cell),
        ),
    ] {
        let path = data().join("datasets").join(dataset);
        let Ok(dataset) = Dataset::read(&path) else {
            eprintln!("skipped kernel/{name}: no {}", path.display());
            continue;
        };
        let kernel = kernel.threads(1);
        group.bench_function(name, |b| {
            b.iter(|| kernel.fit(black_box(&dataset)).unwrap().gram::<f64>().unwrap());
        });
    }
    group.finish();
}

criterion_group!(benches, kernel);
criterion_main!(benches);

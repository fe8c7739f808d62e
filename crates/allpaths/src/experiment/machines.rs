//! What the machines of the paper may have been: its appendix gives a kernel, a scale and a cut, and no C.

use super::paper::Compared;
use crate::embed::AllPathsCycles;
use crate::evaluate::Grid;
use crate::kernel::{Compare, Comparison, GraphKernel};

/// One way to read the appendix.
pub(super) struct Reading {
    /// What it is.
    pub(super) words: String,
    pub(super) grid: Grid,
    /// What the program takes for the same.
    pub(super) arguments: String,
}

/// What errors may cost.
const COSTS: [f64; 5] = [0.1, 1.0, 10.0, 100.0, 1000.0];

/// What they may cost where counts are compared as they are: products are large then.
const SMALL_COSTS: [f64; 5] = [1e-4, 1e-3, 1e-2, 0.1, 1.0];

/// A kernel, given also as arguments, with C = 1 and with C chosen.
pub(super) fn of_kernel(kernel: &GraphKernel, arguments: &str, compared: Compared) -> [Reading; 2] {
    let costs = if compared == Compared::Linear { SMALL_COSTS } else { COSTS };
    let (fixed, chosen) = (Grid::new(kernel.clone()), Grid::new(kernel.clone()).c(costs));
    [
        Reading { words: "C = 1".to_owned(), grid: fixed, arguments: format!("{arguments} --c 1") },
        Reading {
            words: "C chosen".to_owned(),
            grid: chosen,
            arguments: format!("{arguments} --c {}", list(&costs)),
        },
    ]
}

/// Paths and cycles by a radial basis function: with C = 1, C chosen, and both C and the scale chosen, the latter as a multiple of the median.
pub(super) fn of_paths(paths: &AllPathsCycles, cut: f64) -> [Reading; 3] {
    const FACTORS: [f64; 4] = [0.3, 1.0, 3.0, 10.0];
    let rbf = GraphKernel::new(paths.clone()).comparison(Comparison::new(Compare::Rbf).variance_cut(cut));
    let of_factor = |factor: f64| {
        let comparison = Comparison::new(Compare::Linear).variance_cut(cut).standardized(true);
        GraphKernel::new(paths.clone()).comparison(comparison.rbf_distance(factor))
    };
    let cut = format!("--variance-cut {cut:e}");
    let [fixed, chosen] = of_kernel(&rbf, &format!("--compare rbf {cut}"), Compared::Rbf);
    let arguments = format!(
        "--compare linear --standardize yes {cut} --grid rbf-distance={} --c {}",
        list(&FACTORS),
        list(&COSTS)
    );
    let grid = Grid::of(FACTORS.map(of_factor)).c(COSTS);
    [fixed, chosen, Reading { words: "C and scale chosen".to_owned(), grid, arguments }]
}

/// Numbers as the program takes them.
fn list(numbers: &[f64]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

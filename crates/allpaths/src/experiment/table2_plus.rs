//! Table 2+: kernels from the family that holds all paths and cycles and Weisfeiler-Lehman, by the paper's own protocol and by an honest one.

use super::accuracy::{Validation, flags};
use super::paper::{self, DATASETS};
use super::{Job, Part, Scale};
use crate::embed::{AllPathsCycles, EdgeLabels, Profile};
use crate::evaluate::Grid;
use crate::kernel::{Compare, Comparison, Counted, GraphKernel};

pub(super) const TUNED: &str = "Labelled paths and cycles, tuned";
pub(super) const DEFAULT: &str = "Default of the program";

pub(super) fn jobs(scale: Scale) -> Vec<Job> {
    let mut jobs = Vec::new();
    for dataset in DATASETS {
        let repeats = if scale.quick { 1 } else { 10 };
        let (grid, arguments) = tuned(dataset);
        let validation = Validation::new(grid, repeats, scale.seed);
        jobs.push(Job {
            part: Part::Table2Plus,
            dataset,
            method: TUNED,
            reading: String::new(),
            paper: paper::best(dataset),
            command: ("evaluate", format!("{arguments}{}", flags(&validation))),
            work: validation.work(),
        });
        let every = scale.every(dataset);
        let repeats = scale.repeats(dataset);
        let validation =
            Validation { nested: true, every, ..Validation::new(Grid::standard(), repeats, scale.seed) };
        jobs.push(Job {
            part: Part::Table2Plus,
            dataset,
            method: DEFAULT,
            reading: "chosen inside the training folds".to_owned(),
            paper: None,
            command: ("evaluate", flags(&validation).trim_start().to_owned()),
            work: validation.work(),
        });
    }
    jobs
}

/// The neighbourhood of what a search of the family (`evaluate --tuned`) finds for a dataset.
fn tuned(dataset: &str) -> (Grid, String) {
    let minmax = || Comparison::new(Compare::MinMax);
    let kernel = |profile: &[(usize, usize)], edge_labels, comparison: Comparison| {
        let paths = AllPathsCycles::of(Profile::fixed(profile)).edge_labels(edge_labels);
        GraphKernel::new(paths).comparison(comparison)
    };
    let factors = [1.0, 3.0];
    let (kernels, costs, arguments): (Vec<GraphKernel>, &[f64], &str) = match dataset {
        "MUTAG" => {
            let comparison = || Comparison::new(Compare::Cosine).counts(Counted::Log).rbf_distance(1.0);
            let of_length = |length| kernel(&[(0, length)], EdgeLabels::Used, comparison());
            let arguments =
                "--edge-labels --compare cosine --counts log --rbf-distance 1 --grid max-length=7,9";
            ([7, 9].map(of_length).to_vec(), &[10.0, 100.0], arguments)
        }
        "PTC_MR" => {
            let of_factor =
                |factor| kernel(&[(0, 5)], EdgeLabels::Used, minmax().by_cell().rbf_distance(factor));
            let arguments = "--edge-labels -l 5 --compare minmax --by-cell --grid rbf-distance=1,3";
            (factors.map(of_factor).to_vec(), &[1.0, 10.0], arguments)
        }
        "ENZYMES" => {
            let profile = [(0, 5), (1, 2), (2, 0)];
            let of_factor =
                |factor| kernel(&profile, EdgeLabels::Ignored, minmax().by_cell().rbf_distance(factor));
            let arguments = "--profile 0:5,1:2,2:0 --compare minmax --by-cell --grid rbf-distance=1,3";
            (factors.map(of_factor).to_vec(), &[1.0, 10.0], arguments)
        }
        _ => {
            let length = if dataset == "NCI1" { 2 } else { 3 };
            let only = kernel(&[(2, length)], EdgeLabels::Ignored, minmax().rbf_distance(1.0));
            let arguments = match length {
                2 => "--refine 2 -l 2 --compare minmax --rbf-distance 1",
                _ => "--refine 2 -l 3 --compare minmax --rbf-distance 1",
            };
            (vec![only], &[1.0, 10.0], arguments)
        }
    };
    let list = costs.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    (Grid::of(kernels).c(costs.iter().copied()), format!("{arguments} --c {list}"))
}

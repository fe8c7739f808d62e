//! Table 1: does it matter that the power encoding cannot tell all compositions of a path apart?

use super::accuracy::{Validation, flags};
use super::machines::{self, Reading};
use super::paper::CUT;
use super::{Job, Part, Scale};
use crate::embed::AllPathsCycles;
use crate::label::{Cycles, Encoding};

/// A dataset, its longest length, the largest graphs that are taken, and what the paper says of exact and of power.
const CELLS: [(&str, usize, Option<usize>, [f64; 2]); 2] =
    [("MUTAG", 4, None, [89.1, 89.8]), ("NCI1", 3, Some(16), [84.4, 83.3])];

pub(super) fn jobs(scale: Scale) -> Vec<Job> {
    let mut jobs = Vec::new();
    for (dataset, length, max_vertices, paper) in CELLS {
        for (encoding, paper) in [Encoding::Exact, Encoding::Power].into_iter().zip(paper) {
            let paths =
                AllPathsCycles::up_to(length).encoding(encoding).cycles(Cycles::Merged).without_vertices();
            let words = format!("--encoding {} -l {length} --cycles merged --vertices off", encoding.name());
            for Reading { words: reading, grid, arguments } in machines::of_paths(&paths, CUT) {
                let repeats = if scale.quick { 1 } else { 10 };
                let validation = Validation { max_vertices, ..Validation::new(grid, repeats, scale.seed) };
                jobs.push(Job {
                    part: Part::Table1,
                    dataset,
                    method: if encoding == Encoding::Exact { "Exact" } else { "Power" },
                    reading,
                    paper: Some(paper),
                    command: ("evaluate", format!("{words} {arguments}{}", flags(&validation))),
                    work: validation.work(),
                });
            }
        }
    }
    jobs
}

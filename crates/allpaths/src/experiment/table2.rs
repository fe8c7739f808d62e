//! Table 2: five kernels on five datasets, with the settings of the appendix.

use super::accuracy::{Validation, flags};
use super::machines::{self, Reading};
use super::paper::{APPENDIX, Appendix, CUT, Compared, Method};
use super::{Job, Part, Scale};
use crate::embed::AllPathsCycles;
use crate::kernel::{Compare, Counted, GraphKernel, Graphlet, ShortestPath, Substructures, WeisfeilerLehman};
use crate::label::{Encoding, LabelChoice};
use crate::learn::{OutputCodes, Svm};

pub(super) fn jobs(scale: Scale) -> Vec<Job> {
    let mut jobs = Vec::new();
    for appendix in &APPENDIX {
        for (method, Reading { words, grid, arguments }) in readings(appendix) {
            // The paper's toolbox has a machine for each pair of classes.
            let grid = grid.svm(Svm::default().codes(OutputCodes::OneVsOne));
            let (dataset, seed) = (appendix.dataset, scale.seed);
            let every = scale.every(dataset);
            let validation = Validation { every, ..Validation::new(grid, scale.repeats(dataset), seed) };
            jobs.push(Job {
                part: Part::Table2,
                dataset,
                method: method.name(),
                reading: words,
                paper: method.accuracy(dataset),
                command: ("evaluate", format!("{arguments} --output-codes one-vs-one{}", flags(&validation))),
                work: validation.work(),
            });
        }
    }
    jobs
}

/// The kernel that the appendix describes, and what the program takes for it.
pub(super) fn kernel(method: Method, appendix: &Appendix) -> (GraphKernel, String) {
    let all = readings(appendix);
    let (_, reading) = all.iter().find(|(of, _)| *of == method).expect("every method has readings");
    let arguments = reading.arguments.split(" --c ").next().unwrap_or_default();
    (reading.grid.kernels()[0].clone(), arguments.to_owned())
}

/// Every kernel in all readings, the most literal one first.
fn readings(appendix: &Appendix) -> Vec<(Method, Reading)> {
    let mut all: Vec<(Method, Reading)> = Vec::new();
    let mut add = |method, before: &str, reading: Reading, arguments: &str| {
        let Reading { words, grid, arguments: more } = reading;
        let arguments = [arguments, &more].join(" ").trim_start().to_owned();
        all.push((method, Reading { words: format!("{before}{words}"), grid, arguments }));
    };
    let &Appendix { length, cut, .. } = appendix;
    for reading in machines::of_paths(&AllPathsCycles::paper(length), cut) {
        add(Method::AllPathsCycles, "", reading, &format!("--preset paper -l {length}"));
    }
    let apart = AllPathsCycles::up_to(length).encoding(Encoding::Power);
    let [.., chosen] = machines::of_paths(&apart, cut);
    let words = "cycles apart, each once; vertices, too; ";
    add(Method::AllPathsCycles, words, chosen, &format!("--encoding power -l {length}"));

    let mut shortest_path = |compared: Compared, words: &str| {
        let kernel =
            GraphKernel::new(ShortestPath::new()).compared(|comparison| comparison.variance_cut(CUT));
        let (kernel, arguments) = compared.applied(kernel, true);
        let arguments = format!("--kernel shortest-path {arguments} --variance-cut {CUT:e}");
        for reading in machines::of_kernel(&kernel, &arguments, compared) {
            add(Method::ShortestPath, words, reading, "");
        }
    };
    shortest_path(appendix.shortest_path, "");
    if let Compared::RbfOfScale(_) = appendix.shortest_path {
        shortest_path(Compared::Rbf, "automatic scale, ");
    }

    let of_all_sizes = GraphKernel::new(Graphlet::of_sizes(3..=5));
    let [_, chosen] = machines::of_kernel(&of_all_sizes, "--kernel graphlet", Compared::Rbf);
    add(Method::Graphlet, "3 to 5 vertices, without labels, ", chosen, "");
    let labelled = GraphKernel::new(Graphlet::of_sizes(3..=3).labels(LabelChoice::All))
        .compared(|comparison| comparison.counts(Counted::Raw).normalized());
    let arguments = "--kernel graphlet --graphlet-sizes 3 --labels all --counts raw --normalize";
    let [_, chosen] = machines::of_kernel(&labelled, arguments, Compared::Rbf);
    add(Method::Graphlet, "3 vertices, with labels, ", chosen, "");

    for (method, levels) in [(Method::Wl, appendix.wl), (Method::WlOa, appendix.wl_oa)] {
        // `L` may be the number of levels or of rounds between them, and the cut may be of single features or of all that are cut together.
        let of = [
            (levels, true, "L rounds, "),
            (levels - 1, true, "L \u{2212} 1 rounds, "),
            (levels, false, "L rounds, no cut, "),
        ];
        for (rounds, is_cut, words) in of {
            let (kernel, arguments) = refined(method, rounds, appendix.refined, is_cut);
            let [fixed, chosen] = machines::of_kernel(&kernel, &arguments, appendix.refined);
            if rounds == levels && is_cut {
                add(method, words, fixed, "");
            }
            add(method, words, chosen, "");
        }
    }
    all
}

/// A kernel of Weisfeiler and Lehman.
fn refined(method: Method, rounds: usize, compared: Compared, is_cut: bool) -> (GraphKernel, String) {
    let labels = WeisfeilerLehman::new(rounds);
    let (name, substructures) = match method {
        Method::WlOa => ("wl-oa", Substructures::OptimalAssignment(labels)),
        _ => ("wl", Substructures::WeisfeilerLehman(labels)),
    };
    let mut kernel = GraphKernel::new(substructures);
    let mut arguments = format!("--kernel {name} --rounds {rounds}");
    if compared != Compared::Linear {
        let (with_rbf, more) = match method {
            // Over the distance that the sum of minima induces.
            Method::WlOa => {
                (kernel.compared(|comparison| comparison.rbf_distance(1.0)), "--rbf-distance 1".to_owned())
            }
            _ => compared.applied(kernel, false),
        };
        kernel = with_rbf;
        arguments = format!("{arguments} {more}");
    }
    if is_cut {
        kernel = kernel.compared(|comparison| comparison.variance_cut(CUT));
        arguments = format!("{arguments} --variance-cut {CUT:e}");
    }
    (kernel, arguments)
}

impl Compared {
    /// A kernel whose features are compared so, standardised or not, and what the program takes for that.
    fn applied(self, kernel: GraphKernel, standardized: bool) -> (GraphKernel, String) {
        let (compare, scale, words) = match self {
            Self::Linear => (Compare::Linear, None, "--compare linear".to_owned()),
            Self::Rbf => (Compare::Rbf, None, "--compare rbf".to_owned()),
            Self::RbfOfScale(scale) => {
                (Compare::Rbf, Some(scale), format!("--compare rbf --rbf-scale {scale}"))
            }
        };
        let kernel = kernel.compared(|comparison| {
            let comparison = comparison.compare(compare).standardized(standardized);
            scale.into_iter().fold(comparison, crate::kernel::Comparison::scale)
        });
        (kernel, format!("{words} --standardize {}", if standardized { "yes" } else { "no" }))
    }
}

//! The kernels and machines that are tried.

use serde::{Deserialize, Serialize};

use super::metrics::Times;
use crate::count::Limits;
use crate::embed::{AllPathsCycles, EdgeLabels, Profile, Stopped};
use crate::kernel::{Compare, Comparison, Counted, GraphKernel, Nystroem, WeisfeilerLehman};
use crate::learn::Svm;
use crate::{Error, Graph, Result};

/// Kernels, each with machines of several C.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Grid {
    kernels: Vec<GraphKernel>,
    /// Ascending.
    cs: Vec<f64>,
    svm: Svm,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    approximate: Option<Nystroem>,
}

/// One kernel with one C.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate<'a> {
    /// The kernel.
    pub kernel: &'a GraphKernel,
    /// What an error costs.
    pub c: f64,
}

impl Grid {
    /// One kernel, with C = 1.
    pub fn new(kernel: GraphKernel) -> Self {
        Self::of([kernel])
    }

    /// Several kernels, with C = 1.
    pub fn of(kernels: impl IntoIterator<Item = GraphKernel>) -> Self {
        Self { kernels: kernels.into_iter().collect(), cs: vec![1.0], svm: Svm::default(), approximate: None }
    }

    /// The default: two kernels and three C, among which each training set chooses.
    ///
    /// Both count labelled paths and cycles and compare by minmax, one from each end of the family. One looks far and refines little: paths and
    /// cycles to length 5 on plain labels, to 2 on once refined ones and vertices twice refined, compared cell by cell. The other refines a lot and
    /// looks no further: vertices after 0 to 5 rounds, compared at once. What proteins need and what molecules need differs in just that.
    pub fn standard() -> Self {
        let profile = |rounds: &[(usize, usize)]| AllPathsCycles::of(Profile::fixed(rounds));
        let minmax = Comparison::new(Compare::MinMax);
        let far = GraphKernel::new(profile(&[(0, 5), (1, 2), (2, 0)])).comparison(minmax.clone().by_cell());
        let refined = GraphKernel::new(WeisfeilerLehman::new(5)).comparison(minmax);
        Self::of([far, refined]).c([1.0, 10.0, 100.0])
    }

    /// A search of the family for certain graphs: many profiles, compared in three ways, as they are and as an rbf over their distance, with and without edge
    /// labels where all graphs have them. Takes its time, and memory for dozens of Gram matrices.
    pub fn tuned(graphs: &[Graph]) -> Self {
        let profiles: [&[(usize, usize)]; 12] = [
            &[(0, 3)],
            &[(0, 5)],
            &[(0, 7)],
            &[(0, 9)],
            &[(1, 4)],
            &[(2, 2)],
            &[(2, 3)],
            &[(0, 3), (1, 2), (2, 1), (3, 0)],
            &[(0, 4), (1, 3), (2, 2), (3, 1), (4, 0)],
            &[(0, 5), (1, 2), (2, 0)],
            &[(0, 0), (1, 0), (2, 0), (3, 0)],
            &[(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0)],
        ];
        let minmax = Comparison::new(Compare::MinMax);
        let comparisons =
            [minmax.clone().by_cell(), minmax, Comparison::new(Compare::Cosine).counts(Counted::Log)];
        let has_edge_labels = !graphs.is_empty() && graphs.iter().all(|graph| graph.edge_labels().is_some());
        let edge_labels = [EdgeLabels::Ignored, EdgeLabels::Used];
        let mut kernels = Vec::new();
        for &edge_labels in &edge_labels[..=usize::from(has_edge_labels)] {
            for rounds in profiles {
                for comparison in &comparisons {
                    let paths = AllPathsCycles::of(Profile::fixed(rounds)).edge_labels(edge_labels);
                    let kernel = GraphKernel::new(paths).comparison(comparison.clone());
                    let over = |factor| kernel.clone().compared(|comparison| comparison.rbf_distance(factor));
                    kernels.extend([kernel.clone(), over(1.0), over(3.0)]);
                }
            }
        }
        Self::of(kernels).c([1.0, 10.0, 100.0])
    }

    /// Sets which C are tried.
    #[must_use]
    pub fn c(mut self, cs: impl IntoIterator<Item = f64>) -> Self {
        self.cs = cs.into_iter().collect();
        self.cs.sort_by(f64::total_cmp);
        self.cs.dedup();
        self
    }

    /// Sets how much counting in each graph may cost, and what becomes of a graph that costs more.
    #[must_use]
    pub fn limits(mut self, limits: Limits, stopped: Stopped) -> Self {
        self.kernels = self.kernels.into_iter().map(|kernel| kernel.limits(limits, stopped)).collect();
        self
    }

    /// Sets the most bytes that a matrix of kernel values may take: what the machine has left by default.
    #[must_use]
    pub fn max_bytes(mut self, bytes: u64) -> Self {
        let within = |kernel: GraphKernel| kernel.compared(|comparison| comparison.max_bytes(bytes));
        self.kernels = self.kernels.into_iter().map(within).collect();
        self
    }

    /// Sets everything of the machine but C.
    #[must_use]
    pub fn svm(mut self, svm: Svm) -> Self {
        self.svm = svm;
        self
    }

    /// Approximates kernels by landmarks, with linear machines on top: no matrix of all pairs of graphs is made. [`CrossValidation`](super::CrossValidation) alone
    /// does that.
    ///
    /// Landmarks are chosen among all graphs, whatever their classes, and each fold takes those of them that it learns from; what a kernel learns, it learns in
    /// each fold from landmarks chosen there.
    #[must_use]
    pub fn approximate(mut self, nystroem: Nystroem) -> Self {
        self.approximate = Some(nystroem);
        self
    }

    /// How kernels are approximated, if they are.
    pub fn approximation(&self) -> Option<Nystroem> {
        self.approximate
    }

    /// The kernels.
    pub fn kernels(&self) -> &[GraphKernel] {
        &self.kernels
    }

    /// The C, ascending.
    pub fn cs(&self) -> &[f64] {
        &self.cs
    }

    /// The name of its kernels: `several` where there are kernels of different names.
    pub fn name(&self) -> &'static str {
        let mut names = self.kernels.iter().map(|kernel| kernel.substructures().name());
        match names.next() {
            Some(first) if names.all(|name| name == first) => first,
            _ => "several",
        }
    }

    pub(super) fn machine(&self) -> &Svm {
        &self.svm
    }

    /// Each kernel with each C. Of equally good ones the first is taken.
    pub fn candidates(&self) -> impl Iterator<Item = Candidate<'_>> {
        self.kernels.iter().flat_map(|kernel| self.cs.iter().map(move |&c| Candidate { kernel, c }))
    }

    /// The kernel and the C of a candidate.
    pub(super) fn place(&self, candidate: usize) -> (usize, f64) {
        (candidate / self.cs.len(), self.cs[candidate % self.cs.len()])
    }

    pub(super) fn times(&self, candidate: usize, times: usize) -> Times {
        let (kernel, c) = self.place(candidate);
        Times { kernel: self.kernels[kernel].clone(), c, times }
    }

    pub(super) fn check(&self) -> Result<()> {
        match self.candidates().next() {
            Some(_) => Ok(()),
            None => Err(Error::settings("a grid without kernels, or without C, has nothing to try")),
        }
    }
}

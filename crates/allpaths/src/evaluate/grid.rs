//! The kernels and machines that are tried.

use serde::{Deserialize, Serialize};

use super::metrics::Times;
use crate::kernel::GraphKernel;
use crate::learn::Svm;
use crate::{Error, Result};

/// Kernels, each with machines of several C.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Grid {
    kernels: Vec<GraphKernel>,
    /// Ascending.
    cs: Vec<f64>,
    svm: Svm,
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
        Self { kernels: kernels.into_iter().collect(), cs: vec![1.0], svm: Svm::default() }
    }

    /// The default: a small menu of kernels, from which each training set chooses.
    pub fn standard() -> Self {
        use crate::AllPathsCycles;
        use crate::embed::Profile;
        use crate::kernel::{Compare, Comparison};
        let cells = |profile: &str| {
            let profile: Profile = profile.parse().expect("a profile");
            GraphKernel::new(AllPathsCycles::of(profile)).comparison(Comparison::new(Compare::MinMax).by_cell())
        };
        let wl = GraphKernel::new(crate::kernel::WeisfeilerLehman::new(5)).comparison(Comparison::new(Compare::MinMax));
        let all = [wl, cells("triangle:4"), cells("0:4,1:0,2:0,3:0")];
        let rbf = all.clone().map(|kernel| kernel.compared(|comparison| comparison.rbf_distance(1.0)));
        Self::of(all.into_iter().chain(rbf)).c([1.0, 10.0, 100.0, 1000.0])
    }

    /// Sets which C are tried.
    #[must_use]
    pub fn c(mut self, cs: impl IntoIterator<Item = f64>) -> Self {
        self.cs = cs.into_iter().collect();
        self.cs.sort_by(f64::total_cmp);
        self.cs.dedup();
        self
    }

    /// Sets everything of the machine but C.
    #[must_use]
    pub fn svm(mut self, svm: Svm) -> Self {
        self.svm = svm;
        self
    }

    /// The kernels.
    pub fn kernels(&self) -> &[GraphKernel] {
        &self.kernels
    }

    /// The C, ascending.
    pub fn cs(&self) -> &[f64] {
        &self.cs
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

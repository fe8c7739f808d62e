//! The kernels and machines that are tried.

use serde::{Deserialize, Serialize};

use super::metrics::Times;
use super::similarity::ByMachine;
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
    #[serde(default, skip_serializing_if = "Deciders::is_default")]
    deciders: Deciders,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    approximate: Option<Nystroem>,
}

/// Which machines decide, once a kernel and a C were chosen inside the graphs that are learnt from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Deciders {
    /// The one that was right most often.
    #[default]
    Best,
    /// The kernel is the one whose machines are right most often when the mean of them all decides. In the end those decide, by their mean, that were right about as
    /// often as the best of that kernel: within two standard errors.
    ///
    /// Machines differ on the graphs near the border, where each is right by luck; their mean differs less. It is one machine again, since they share a kernel.
    NearBest,
}

impl Deciders {
    #[allow(clippy::trivially_copy_pass_by_ref)] // serde hands over references
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
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
        Self {
            kernels: kernels.into_iter().collect(),
            cs: vec![1.0],
            svm: Svm::default(),
            deciders: Deciders::default(),
            approximate: None,
        }
    }

    /// The default: two kernels and three C, among which each training set chooses.
    ///
    /// Both count labelled paths and cycles and compare by minmax, one from each end of the family. One looks far and refines little: paths and
    /// cycles to length 5 on plain labels, to 2 on once refined ones and vertices twice refined, compared cell by cell. The other refines a lot and
    /// looks no further: vertices after 0 to 5 rounds, compared at once. What proteins need and what molecules need differs in just that.
    /// Of the kernel that was chosen, the mean of the machines decides that are about as good as the best: [`Deciders::NearBest`].
    pub fn standard() -> Self {
        Self::standard_with(EdgeLabels::Ignored)
    }

    /// [`Grid::standard`], with edge labels or without.
    pub fn standard_with(edge_labels: EdgeLabels) -> Self {
        let profile =
            |rounds: &[(usize, usize)]| AllPathsCycles::of(Profile::fixed(rounds)).edge_labels(edge_labels);
        let minmax = Comparison::new(Compare::MinMax);
        let far = GraphKernel::new(profile(&[(0, 5), (1, 2), (2, 0)])).comparison(minmax.clone().by_cell());
        let refined = GraphKernel::new(WeisfeilerLehman::new(5).edge_labels(edge_labels)).comparison(minmax);
        Self::of([far, refined]).c([1.0, 10.0, 100.0]).deciders(Deciders::NearBest)
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

    /// Sets which machines decide where settings are chosen inside the graphs that are learnt from: the best one by default.
    #[must_use]
    pub fn deciders(mut self, deciders: Deciders) -> Self {
        self.deciders = deciders;
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

    /// One candidate alone.
    pub(super) fn alone(&self, candidate: usize) -> Choice {
        Choice {
            kernel: candidate / self.cs.len(),
            best: candidate % self.cs.len(),
            cs: vec![candidate % self.cs.len()],
        }
    }

    /// What is taken, given which graphs the machines of each kernel were right about. Of equally good ones the first is the best.
    pub(super) fn choice(&self, right: &[ByMachine<bool>]) -> Choice {
        let alone: Vec<&Vec<bool>> = right.iter().flat_map(|kernel| &kernel.alone).collect();
        match self.deciders {
            Deciders::Best => self.alone(best(alone.into_iter())),
            Deciders::NearBest => {
                let kernel = best(right.iter().map(|kernel| &kernel.together));
                let of_kernel = &right[kernel].alone;
                let best = best(of_kernel.iter());
                let is_near = |&c: &usize| are_alike(&of_kernel[best], &of_kernel[c]);
                Choice { kernel, best, cs: (0..self.cs.len()).filter(is_near).collect() }
            }
        }
    }

    /// Some of its C, by number.
    pub(super) fn some(&self, cs: &[usize]) -> Vec<f64> {
        cs.iter().map(|&c| self.cs[c]).collect()
    }

    pub(super) fn times(&self, choice: &Choice, times: usize) -> Times {
        Times { kernel: self.kernels[choice.kernel].clone(), cs: self.some(&choice.cs), times }
    }

    pub(super) fn check(&self) -> Result<()> {
        match self.candidates().next() {
            Some(_) => Ok(()),
            None => Err(Error::settings("a grid without kernels, or without C, has nothing to try")),
        }
    }
}

/// What was taken from a grid: a kernel and its machines whose mean decides, by number.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Choice {
    pub(super) kernel: usize,
    /// The C that was right most often with that kernel.
    pub(super) best: usize,
    /// Ascending, the best among them.
    pub(super) cs: Vec<usize>,
}

/// The place of what is right most often, the first of equals.
fn best<'a>(right: impl DoubleEndedIterator<Item = &'a Vec<bool>> + ExactSizeIterator) -> usize {
    let hits = |right: &Vec<bool>| right.iter().filter(|&&right| right).count();
    right.enumerate().rev().max_by_key(|(_, right)| hits(right)).map_or(0, |(place, _)| place)
}

/// Whether two are right equally often, as far as can be told: by McNemar's test, within two standard errors.
///
/// Graphs that both have right, or neither, do not count. The others, of which one alone has `a` right and the other alone `b`, are coins if both are equally good:
/// the standard deviation of `a - b` is the root of their number.
fn are_alike(first: &[bool], second: &[bool]) -> bool {
    let alone =
        |is: bool| first.iter().zip(second).filter(|&(&first, &second)| first == is && second != is).count();
    let (a, b) = (alone(true), alone(false));
    a.abs_diff(b).pow(2) <= 4 * (a + b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::ChaCha8;

    /// What is alike for coins is so in 19 of 20 cases, as a normal distribution has it, and what differs by much is not.
    #[test]
    fn coins_are_alike() {
        let random = &mut ChaCha8::new(1);
        let coins =
            |random: &mut ChaCha8, of: u32| (0..400).map(|_| random.below(10) < of).collect::<Vec<bool>>();
        let mut alike = [0; 2];
        for _ in 0..1000 {
            let first = coins(random, 7);
            alike[0] += usize::from(are_alike(&first, &coins(random, 7)));
            alike[1] += usize::from(are_alike(&first, &coins(random, 5)));
        }
        assert!((930..980).contains(&alike[0]) && alike[1] < 10, "{alike:?}");
    }

    #[test]
    fn only_what_one_alone_has_right_counts() {
        let right = |a: usize, b: usize| {
            let first: Vec<bool> = (0..100).map(|graph| graph < a || graph >= a + b).collect();
            (first, (0..100).map(|graph| graph >= a).collect::<Vec<bool>>())
        };
        for (a, b, expected) in [
            (0, 0, true),
            (4, 0, true),
            (5, 0, false),
            (6, 1, true),
            (8, 1, false),
            (30, 17, true),
            (30, 16, false),
        ] {
            let (first, second) = right(a, b);
            assert_eq!(
                (are_alike(&first, &second), are_alike(&second, &first)),
                (expected, expected),
                "{a} {b}"
            );
        }
    }

    #[test]
    fn edge_labels_are_asked_of_all_kernels_of_the_default() {
        for (edge_labels, asked) in [(EdgeLabels::Used, true), (EdgeLabels::Ignored, false)] {
            for kernel in Grid::standard_with(edge_labels).kernels() {
                assert_eq!(kernel.to_string().contains("with edge labels"), asked, "{kernel}");
            }
        }
    }

    #[test]
    fn machines_of_the_best_kernel_decide() {
        let grid = Grid::standard();
        let right = |wrong: usize| (0..100).map(|graph| graph >= wrong).collect::<Vec<bool>>();
        let kernel = |alone: [usize; 3], together: usize| ByMachine {
            alone: alone.map(right).to_vec(),
            together: right(together),
        };
        // The first kernel has the best machine, the second is better with all of its own; of those, C = 1 is far off.
        let near = [kernel([21, 19, 21], 21), kernel([40, 20, 21], 20)];
        assert_eq!(grid.choice(&near), Choice { kernel: 1, best: 1, cs: vec![1, 2] });
        let best = grid.clone().deciders(Deciders::Best);
        assert_eq!(best.choice(&near), Choice { kernel: 0, best: 1, cs: vec![1] });
        // Of equally good ones the first.
        let equal = [kernel([30, 5, 5], 5), kernel([5, 5, 5], 5)];
        assert_eq!(grid.choice(&equal), Choice { kernel: 0, best: 1, cs: vec![1, 2] });
        assert_eq!(best.choice(&equal), Choice { kernel: 0, best: 1, cs: vec![1] });
    }
}

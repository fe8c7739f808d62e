//! Kernels between graphs, as Gram matrices.
//!
//! A kernel counts substructures of graphs and compares the counts. [`GraphKernel`] holds both choices: which [`Substructures`]
//! (labelled paths and cycles, shortest paths, graphlets, refined vertices, ...) and which [`Comparison`] of their numbers. It is
//! fitted to some graphs and then compares those with each other, or others with them: [`FittedKernel`] gives [`Gram`] matrices. Two kernels, walks of all
//! lengths and tree patterns, count pairs in two graphs at once: what they give are Gram matrices alone.

mod catalogue;
pub(crate) mod cholesky;
mod comparison;
mod connected_subgraphs;
mod cyclic_pattern;
mod edge_paths;
mod engine;
mod file;
mod gram;
mod graphlet;
mod histogram;
mod induced;
mod linear_form;
mod median;
mod neighbourhoods;
pub(crate) mod nystroem;
mod pairs;
mod random_walk;
mod shortest_path;
mod side;
mod substructures;
mod summary;
mod sums;
mod tree_pattern;
mod vectors;
mod walks;
mod weisfeiler_lehman;
mod write;

use serde::{Deserialize, Serialize};

pub use catalogue::{About, CATALOGUE};
pub use comparison::{Compare, Comparison, FittedComparison};
pub use connected_subgraphs::ConnectedSubgraphs;
pub use cyclic_pattern::CyclicPattern;
pub use edge_paths::EdgePaths;
pub use gram::{Gram, Memory, Real};
pub use graphlet::{Graphlet, Graphlets, Samples, Sampling};
pub(crate) use linear_form::LinearForm;
pub use neighbourhoods::NeighbourhoodPairs;
pub use nystroem::{FittedNystroem, Landmarks, Nystroem, Transformed};
pub use random_walk::{RandomWalk, Solver};
pub use shortest_path::{Lengths, ShortestPath};
pub use substructures::Substructures;
pub use tree_pattern::{Tottering, TreePattern, TreeWeights};
pub use vectors::Counted;
pub use walks::BacktracklessWalk;
pub use weisfeiler_lehman::WeisfeilerLehman;
pub use write::check_gram_name;

use crate::count::{Limits, Outcome};
use crate::embed::{AllPathsCycles, Columns, Feature, Features, Stopped};
use crate::label::LabelMap;
use crate::{Error, Graph, Monitor, Result};
use pairs::{FittedPairs, Plain};
use substructures::Embedding;
use vectors::Vectors;

/// A kernel between graphs: what is counted in them, and how the counts are compared.
///
/// # Errors
///
/// [`GraphKernel::fit`] fails when the settings contradict each other or the graphs.
///
/// # Example
///
/// ```
/// # use allpaths::{AllPathsCycles, Graph, GraphKernel, kernel::{Compare, Comparison}};
/// let path = Graph::from_edges(3, [(0, 1), (1, 2)])?;
/// let triangle = Graph::from_edges(3, [(0, 1), (1, 2), (2, 0)])?;
/// let square = Graph::from_edges(4, [(0, 1), (1, 2), (2, 3), (3, 0)])?;
/// let kernel = GraphKernel::new(AllPathsCycles::up_to(4)).comparison(Comparison::new(Compare::MinMax).by_cell());
/// let fitted = kernel.fit(&[path, triangle])?;
/// assert_eq!(fitted.gram::<f64>()?.row(0)[0], 1.0);
/// let new = fitted.against::<f64>(&[square])?; // a row for the square, with a column for each fitted graph
/// assert_eq!((new.rows(), new.columns()), (1, 2));
/// # Ok::<(), allpaths::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GraphKernel {
    #[serde(flatten)]
    substructures: Substructures,
    comparison: Comparison,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    counting: Option<Counting>,
}

/// How much counting may cost, and what becomes of a graph that costs more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Counting {
    limits: Limits,
    stopped: Stopped,
}

impl GraphKernel {
    /// Counts these, and compares them as their authors do.
    pub fn new(substructures: impl Into<Substructures>) -> Self {
        let substructures = substructures.into();
        Self { comparison: substructures.default_comparison(), substructures, counting: None }
    }

    /// The optimal assignment kernel: labels of vertices, refined round by round, by intersection.
    pub fn optimal_assignment(labels: WeisfeilerLehman) -> Self {
        Self::new(Substructures::OptimalAssignment(labels))
    }

    /// Sets how counts are compared.
    #[must_use]
    pub fn comparison(mut self, comparison: Comparison) -> Self {
        self.comparison = comparison;
        self
    }

    /// Changes how counts are compared.
    #[must_use]
    pub fn compared(mut self, change: impl FnOnce(Comparison) -> Comparison) -> Self {
        self.comparison = change(self.comparison);
        self
    }

    /// Sets the number of threads: all processors by default. The result is the same for any number.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.comparison.threads = Some(threads);
        self
    }

    /// Whether anything is learnt from graphs that are fitted to: if not, the kernel of two graphs is the same whatever others there are.
    pub fn learns(&self) -> bool {
        self.substructures.learns() || self.comparison.learns()
    }

    /// The kernel whose distance is taken, and the factor of its square, where it is an rbf over a distance.
    pub(crate) fn over_distance(&self) -> Option<(Self, f64)> {
        let (comparison, factor) = self.comparison.over_distance()?;
        Some((Self { comparison, ..self.clone() }, factor))
    }

    /// Sets how much counting in each graph may cost, and what becomes of a graph that costs more, whatever the settings of what is counted
    /// say. [`FittedKernel::outcomes`] tells of each graph.
    #[must_use]
    pub fn limits(mut self, limits: Limits, stopped: Stopped) -> Self {
        self.counting = Some(Counting { limits, stopped });
        self
    }

    /// What is counted as an embedding of its own, where it is paths and cycles.
    ///
    /// # Errors
    ///
    /// When it is something else, or settings contradict each other.
    pub fn embedding(&self) -> Result<AllPathsCycles> {
        let paths = self.substructures.as_paths().ok_or_else(|| {
            let name = self.substructures.name();
            Error::settings(format!(
                "{name} has no paths to weigh: take apc, all-paths, wl, wl-oa or vertex-histogram"
            ))
        })??;
        let paths = match self.counting {
            Some(Counting { limits, stopped }) => paths.limits(limits).stopped(stopped),
            None => paths,
        };
        Ok(self.comparison.threads.into_iter().fold(paths, AllPathsCycles::threads))
    }

    /// What is counted.
    pub fn substructures(&self) -> &Substructures {
        &self.substructures
    }

    /// Counts in graphs what the kernel counts, under names: its explicit features.
    ///
    /// # Errors
    ///
    /// As [`GraphKernel::fit`].
    pub fn features<G: AsRef<[Graph]> + ?Sized>(&self, graphs: &G) -> Result<Features> {
        self.features_under(graphs.as_ref(), &Monitor::new())
    }

    /// Counts in graphs what the kernel counts, under the eyes of a monitor.
    ///
    /// # Errors
    ///
    /// As [`GraphKernel::fit`].
    pub fn features_under(&self, graphs: &[Graph], monitor: &Monitor) -> Result<Features> {
        self.substructures.check_features()?;
        let embedding = self.ready(self.substructures.fit(graphs)?);
        let (features, rows) = embedding.learn::<Feature>(graphs, monitor)?;
        Ok(Features::new(Columns::Named(features.into()), rows))
    }

    /// Counts in graphs, and learns from them what there is to learn.
    ///
    /// # Errors
    ///
    /// When the settings contradict each other or the graphs.
    pub fn fit<G: AsRef<[Graph]> + ?Sized>(&self, graphs: &G) -> Result<FittedKernel> {
        self.fit_under(graphs.as_ref(), &Monitor::new())
    }

    /// Counts in graphs and learns from them, under the eyes of a monitor.
    ///
    /// # Errors
    ///
    /// As [`GraphKernel::fit`].
    pub fn fit_under(&self, graphs: &[Graph], monitor: &Monitor) -> Result<FittedKernel> {
        self.comparison.check()?;
        if !self.substructures.has_features() {
            let labels = self.substructures.learn_labels(graphs)?;
            let graphs = FittedPairs::see(graphs, &labels);
            monitor.advance(1.0);
            return self.fitted_pairs(labels, graphs);
        }
        let embedding = self.ready(self.substructures.fit(graphs)?);
        let (vectors, outcomes) = self.vectors(&embedding, graphs, monitor)?;
        let comparison = self.comparison.fit_vectors(vectors, embedding.unseen())?;
        Ok(FittedKernel { kernel: self.clone(), body: Body::Features(embedding, comparison), outcomes })
    }

    /// A kernel on pairs, with graphs to compare others with.
    fn fitted_pairs(&self, labels: LabelMap, graphs: Vec<Plain>) -> Result<FittedKernel> {
        let outcomes = vec![Outcome::Complete; graphs.len()];
        let pairs = FittedPairs::new(&self.substructures, &self.comparison, labels, graphs)?;
        let pairs = pairs.time(self.counting.and_then(|counting| counting.limits.time));
        Ok(FittedKernel { kernel: self.clone(), body: Body::Pairs(pairs), outcomes })
    }

    /// What counts, on as many threads and under such limits as were asked for.
    fn ready(&self, mut embedding: Embedding) -> Embedding {
        if self.comparison.threads.is_some() {
            embedding = embedding.threads(self.comparison.threads);
        }
        match self.counting {
            Some(Counting { limits, stopped }) => embedding.limits(limits, stopped),
            None => embedding,
        }
    }

    fn vectors(
        &self,
        embedding: &Embedding,
        graphs: &[Graph],
        monitor: &Monitor,
    ) -> Result<(Vectors, Vec<Outcome>)> {
        let comparison = &self.comparison;
        if let Some(features) = embedding.hashed(graphs, monitor).transpose()? {
            comparison.check_columns(&features)?;
            return Ok((Vectors::of(&features, comparison.counted()), features.outcomes().to_vec()));
        }
        let (columns, rows) = embedding.learn(graphs, monitor)?;
        let outcomes = rows.outcomes.clone();
        let mut vectors = Vectors::new(columns, rows, comparison.counted());
        if let Some(weights) = self.substructures.length_weights() {
            // Products are of two features, and each bears half of the weight.
            let products = comparison.merge().has_products();
            vectors.weigh(|length| if products { weights[length].sqrt() } else { weights[length] });
        }
        Ok((vectors, outcomes))
    }
}

/// A kernel with the graphs it was fitted to.
///
/// It can be kept in a file: [`FittedKernel::write`].
#[derive(Clone, Debug)]
pub struct FittedKernel {
    kernel: GraphKernel,
    body: Body,
    outcomes: Vec<Outcome>,
}

/// The ways to compare.
#[derive(Clone, Debug)]
enum Body {
    /// By features that each graph has alone.
    Features(Embedding, FittedComparison),
    /// Pair by pair.
    Pairs(FittedPairs),
}

impl FittedKernel {
    /// The settings it was made with.
    pub fn settings(&self) -> &GraphKernel {
        &self.kernel
    }

    /// How many graphs it was fitted to.
    pub fn rows(&self) -> usize {
        self.outcomes.len()
    }

    /// How counting ended for each of the fitted graphs.
    pub fn outcomes(&self) -> &[Outcome] {
        &self.outcomes
    }

    /// Runs on another number of threads; all processors if none is given.
    #[must_use]
    pub fn threads(mut self, threads: Option<usize>) -> Self {
        self.body = match self.body {
            Body::Features(embedding, comparison) => {
                Body::Features(embedding.threads(threads), comparison.run_by(|run| run.threads = threads))
            }
            Body::Pairs(pairs) => Body::Pairs(pairs.run_by(|run| run.threads = threads)),
        };
        self
    }

    /// Counts in new graphs under other limits, with another way to treat graphs that are over their budget. What is compared pair by pair heeds
    /// the time alone.
    #[must_use]
    pub fn limits(mut self, limits: Limits, stopped: Stopped) -> Self {
        self.body = match self.body {
            Body::Features(embedding, comparison) => {
                Body::Features(embedding.limits(limits, stopped), comparison)
            }
            Body::Pairs(pairs) => Body::Pairs(pairs.time(limits.time)),
        };
        self
    }

    /// Sets the most bytes that a Gram matrix may take: what the machine has left if none is given.
    #[must_use]
    pub fn max_bytes(mut self, bytes: Option<u64>) -> Self {
        self.body = match self.body {
            Body::Features(embedding, comparison) => {
                Body::Features(embedding, comparison.run_by(|run| run.max_bytes = bytes))
            }
            Body::Pairs(pairs) => Body::Pairs(pairs.run_by(|run| run.max_bytes = bytes)),
        };
        self
    }

    /// The fitted graphs with each other.
    ///
    /// # Errors
    ///
    /// When the matrix is over its limit of memory.
    pub fn gram<T: Real>(&self) -> Result<Gram<T>> {
        self.gram_under(&Monitor::new())
    }

    /// The fitted graphs with each other, under the eyes of a monitor.
    ///
    /// # Errors
    ///
    /// As [`FittedKernel::gram`], and when the monitor is told to interrupt.
    pub fn gram_under<T: Real>(&self, monitor: &Monitor) -> Result<Gram<T>> {
        match &self.body {
            Body::Features(_, comparison) => comparison.gram_under(monitor),
            Body::Pairs(pairs) => pairs.gram_under(monitor),
        }
    }

    /// Other graphs with the fitted ones: a row for each of the others.
    ///
    /// # Errors
    ///
    /// When the graphs lack what the kernel counts, or the matrix is over its limit of memory.
    pub fn against<T: Real>(&self, graphs: &(impl AsRef<[Graph]> + ?Sized)) -> Result<Gram<T>> {
        self.against_under(graphs.as_ref(), &Monitor::new())
    }

    /// Other graphs with the fitted ones, under the eyes of a monitor, which sees counting and comparing as a job each.
    ///
    /// # Errors
    ///
    /// As [`FittedKernel::against`], and when the monitor is told to interrupt.
    pub fn against_under<T: Real>(&self, graphs: &[Graph], monitor: &Monitor) -> Result<Gram<T>> {
        self.against_counted(&self.count_under(graphs, monitor)?, monitor)
    }

    /// Counts in other graphs what is to be compared: the first half of [`FittedKernel::against_under`].
    ///
    /// # Errors
    ///
    /// When the graphs lack what the kernel counts.
    pub fn count_under(&self, graphs: &[Graph], monitor: &Monitor) -> Result<Others> {
        match &self.body {
            Body::Features(embedding, _) => {
                let (vectors, outcomes) = self.kernel.vectors(&embedding.with_rare(), graphs, monitor)?;
                Ok(Others { seen: Seen::Features(vectors), outcomes })
            }
            Body::Pairs(pairs) => {
                let seen = FittedPairs::see(graphs, pairs.labels());
                pairs.check(&seen)?;
                monitor.advance(1.0);
                Ok(Others { seen: Seen::Pairs(seen), outcomes: vec![Outcome::Complete; graphs.len()] })
            }
        }
    }

    /// The kernel of each of some graphs with itself.
    pub(crate) fn own(&self, others: &Others) -> Vec<f64> {
        match (&self.body, &others.seen) {
            (Body::Features(_, comparison), Seen::Features(vectors)) => comparison.own(vectors),
            (Body::Pairs(pairs), Seen::Pairs(graphs)) => pairs.own(graphs),
            _ => Vec::new(),
        }
    }

    /// Compares graphs with the fitted ones that were counted in: the second half of [`FittedKernel::against_under`].
    ///
    /// # Errors
    ///
    /// When the matrix is over its limit of memory, or the monitor is told to interrupt.
    pub fn against_counted<T: Real>(&self, others: &Others, monitor: &Monitor) -> Result<Gram<T>> {
        match (&self.body, &others.seen) {
            (Body::Features(_, comparison), Seen::Features(vectors)) => {
                comparison.against_vectors(vectors, monitor)
            }
            (Body::Pairs(pairs), Seen::Pairs(graphs)) => pairs.against_under(graphs, monitor),
            _ => Err(Error::settings("these graphs were counted in by another kernel")),
        }
    }
}

/// What a fitted kernel counted in graphs it was not fitted to.
#[derive(Clone, Debug)]
pub struct Others {
    seen: Seen,
    outcomes: Vec<Outcome>,
}

#[derive(Clone, Debug)]
enum Seen {
    Features(Vectors),
    Pairs(Vec<Plain>),
}

impl Others {
    /// How counting ended for each of the graphs.
    pub fn outcomes(&self) -> &[Outcome] {
        &self.outcomes
    }
}

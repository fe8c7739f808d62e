//! The graphlet kernel: small induced subgraphs by isomorphism class.

mod apart;
pub(super) mod classes;
pub(super) mod finder;

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use crate::label::{LabelChoice, LabelMap};
use crate::{Error, Graph, Result};
use finder::Subgraphs;

/// Which induced subgraphs are graphlets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Graphlets {
    /// Those that hang together.
    #[default]
    Connected,
    /// All.
    All,
}

/// Looks at random sets of vertices instead of all.
///
/// Every graph is sampled with the same random numbers, so what is found in a graph does not depend on the others.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sampling {
    /// How many sets of each size.
    pub samples: Samples,
    /// Where random numbers begin.
    pub seed: u64,
}

/// How many sets of vertices of each size are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Samples {
    /// So many.
    Number(u64),
    /// As many as make the distribution over classes, of each size, wrong by more than `error` (summed over classes) with a probability of
    /// `risk` at most.
    Bound {
        /// The error.
        error: f64,
        /// The probability of a larger one.
        risk: f64,
    },
}

impl Samples {
    /// How many sets of a size are looked at.
    ///
    /// For a bound that is `2 (a ln 2 + ln(1 / risk)) / error^2`, with `a` the number of classes: 4, 11 and 34 of 3, 4 and 5 vertices
    /// (Weissman et al., Inequalities for the L1 deviation of the empirical distribution, 2003).
    ///
    /// # Example
    ///
    /// ```
    /// # use allpaths::kernel::Samples;
    /// assert_eq!(Samples::Bound { error: 0.1, risk: 0.1 }.of_size(4), 1986);
    /// ```
    #[allow(clippy::cast_sign_loss)] // more than 0
    pub fn of_size(self, size: usize) -> u64 {
        let classes = match size {
            ..=3 => 4.0,
            4 => 11.0,
            5.. => 34.0,
        };
        match self {
            Samples::Number(samples) => samples,
            Samples::Bound { error, risk } => {
                (2.0 * (classes * std::f64::consts::LN_2 - risk.ln()) / (error * error)).ceil() as u64
            }
        }
    }
}

/// Counts induced subgraphs of 3 to 5 vertices by isomorphism class: graphlets.
///
/// By default connected ones, completely, and without labels; directions and loops have no say. Compared, by default, are their shares: the count of
/// each class over the sum of all. A graph with fewer vertices than the smallest graphlet has none. A feature is called
/// by its vertices and edges, `graphlet:[C,C,O]:01 12`.
///
/// A connected induced subgraph counts once, and all are found. In GraKeL 0.1.11 the first of a class counts twice, in every graph but the first that
/// has one, and some are missed: a vertex is taken for its parent where its number happens to be that of a place in the search. Numbers without these two
/// slips are ours.
///
/// # Complexity
///
/// Time grows with the number of connected induced subgraphs, with [`Graphlets::All`] also with that of pairs of edges; all labelled ones
/// take all sets of vertices, and a [`Sampling`] the number of samples.
///
/// # Example
///
/// ```
/// # use allpaths::{Graph, GraphKernel, kernel::Graphlet};
/// // 0---1
/// //  \ /
/// //   2---3
/// let graph = Graph::from_edges(4, [(0, 1), (1, 2), (2, 0), (2, 3)])?;
/// let features = GraphKernel::new(Graphlet::of_sizes(3..=4)).features(&[graph])?;
/// assert_eq!(features.count(0, "graphlet:[*,*,*]:01 02"), Some(2)); // a path
/// assert_eq!(features.count(0, "graphlet:[*,*,*]:01 02 12"), Some(1)); // a triangle
/// assert_eq!(features.count(0, "graphlet:[*,*,*,*]:01 02 12 03"), Some(1)); // all of it
/// # Ok::<(), allpaths::Error>(())
/// ```
///
/// # Reference
///
/// Shervashidze et al., Efficient graphlet kernels for large graph comparison, 2009; Pržulj, Biological network comparison using
/// graphlet degree distribution, 2007.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Graphlet {
    smallest: usize,
    largest: usize,
    graphlets: Graphlets,
    pub(super) labels: LabelChoice,
    sampling: Option<Sampling>,
}

impl Default for Graphlet {
    fn default() -> Self {
        Self::of_sizes(3..=5)
    }
}

impl Graphlet {
    /// Connected graphlets of these sizes, from 3 to 5 vertices.
    pub fn of_sizes(sizes: RangeInclusive<usize>) -> Self {
        Self {
            smallest: *sizes.start(),
            largest: *sizes.end(),
            graphlets: Graphlets::default(),
            labels: LabelChoice::Commonest(1),
            sampling: None,
        }
    }

    /// Sets which induced subgraphs count.
    #[must_use]
    pub fn graphlets(mut self, graphlets: Graphlets) -> Self {
        self.graphlets = graphlets;
        self
    }

    /// Sets which labels are told apart: none by default, all with `LabelChoice::All`.
    #[must_use]
    pub fn labels(mut self, choice: LabelChoice) -> Self {
        self.labels = choice;
        self
    }

    /// Looks at random sets of vertices instead of all.
    #[must_use]
    pub fn sampling(mut self, samples: Samples, seed: u64) -> Self {
        self.sampling = Some(Sampling { samples, seed });
        self
    }

    /// Checks the settings against each other and the graphs.
    pub(super) fn check(&self, graphs: &[Graph]) -> Result<()> {
        /// Beyond this, the sets of five vertices are too many for 64 bits.
        const MOST: usize = 18_000;
        self.check_settings()?;
        let all = self.graphlets == Graphlets::All && self.sampling.is_none();
        match graphs.iter().position(|graph| all && graph.order() > MOST) {
            Some(number) => Err(Error::graph(format!(
                "graph {number} has more than {MOST} vertices, too many to count all graphlets: count connected ones, or take samples"
            ))),
            None => Ok(()),
        }
    }

    fn check_settings(&self) -> Result<()> {
        let is_share = |x: f64| x > 0.0 && x < 1.0;
        let labelled = self.labels != LabelChoice::Commonest(1);
        let reason = match (self.smallest, self.largest, self.sampling.map(|sampling| sampling.samples)) {
            (..3, ..) | (_, 6.., _) => "graphlets have 3, 4 or 5 vertices",
            (smallest, largest, _) if smallest > largest => {
                "the smallest graphlets are larger than the largest"
            }
            (.., Some(Samples::Number(0))) => "0 samples show nothing: take 1 or more",
            (.., Some(Samples::Bound { error, risk })) if !is_share(error) || !is_share(risk) => {
                "error and risk of a sample are between 0 and 1"
            }
            (.., Some(Samples::Bound { .. })) if labelled => {
                "how many labelled graphlets there are is not known: say how many samples to take"
            }
            _ => return Ok(()),
        };
        Err(Error::settings(reason))
    }

    pub(super) fn finder(&self, map: &LabelMap) -> Subgraphs<'_> {
        Subgraphs::new(self, map)
    }
}

//! Weisfeiler-Lehman: vertices by their labels, after no, one, two, ... rounds of refinement.

use serde::{Deserialize, Serialize};

use crate::Result;
use crate::embed::{AllPathsCycles, EdgeLabels, Profile};
use crate::label::LabelChoice;

/// Counts vertices by labels that are refined round by round: each round puts into a vertex's label what labels its neighbours have.
///
/// Two vertices have the same label after `h` rounds when the trees of all walks of `h` steps from them are the same. Compared
/// linearly, this is the subtree kernel; with intersection the optimal assignment kernel: the best way to assign the vertices of one
/// graph to those of the other, two vertices being worth the number of rounds in which they agree. In the hierarchy of labels, the best
/// assignment is the sum of the smaller counts.
///
/// # Complexity
///
/// Rounds times the number of edges.
///
/// # Example
///
/// ```
/// # use allpaths::{Graph, GraphKernel, kernel::WeisfeilerLehman};
/// let path = Graph::from_edges(3, [(0, 1), (1, 2)])?;
/// let triangle = Graph::from_edges(3, [(0, 1), (1, 2), (2, 0)])?;
/// let graphs = [path, triangle];
/// // All labels are the same at first; after a round, vertices with two neighbours are.
/// let gram = GraphKernel::new(WeisfeilerLehman::new(1)).fit(&graphs)?.gram::<f64>()?;
/// assert_eq!(gram.values(), [9.0 + 4.0 + 1.0, 9.0 + 3.0, 9.0 + 3.0, 9.0 + 9.0]);
/// let gram = GraphKernel::optimal_assignment(WeisfeilerLehman::new(1)).fit(&graphs)?.gram::<f64>()?;
/// assert_eq!(gram.values(), [6.0, 4.0, 4.0, 6.0]);
/// # Ok::<(), allpaths::Error>(())
/// ```
///
/// # Reference
///
/// Shervashidze et al., Weisfeiler-Lehman graph kernels, 2011; Kriege, Giscard and Wilson, On valid optimal assignment kernels and
/// applications to graph classification, 2016.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct WeisfeilerLehman {
    rounds: usize,
    labels: LabelChoice,
    edge_labels: EdgeLabels,
}

impl Default for WeisfeilerLehman {
    fn default() -> Self {
        Self::new(Self::ROUNDS)
    }
}

impl WeisfeilerLehman {
    /// The number of rounds if nobody says which.
    pub const ROUNDS: usize = 5;

    /// Plain labels, and those of so many rounds.
    pub fn new(rounds: usize) -> Self {
        Self { rounds, labels: LabelChoice::All, edge_labels: EdgeLabels::default() }
    }

    /// How many rounds there are.
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// Sets which labels are told apart at first: all by default, none with `LabelChoice::Commonest(1)`.
    #[must_use]
    pub fn labels(mut self, choice: LabelChoice) -> Self {
        self.labels = choice;
        self
    }

    /// Sets whether the labels of edges have a say.
    #[must_use]
    pub fn edge_labels(mut self, edge_labels: EdgeLabels) -> Self {
        self.edge_labels = edge_labels;
        self
    }

    /// The same as a profile of paths that have no edges.
    ///
    /// # Errors
    ///
    /// When there are more than 1000 rounds.
    pub fn embedding(&self) -> Result<AllPathsCycles> {
        let profile = Profile::new((0..=self.rounds).map(|round| (round, 0)))?;
        Ok(AllPathsCycles::of(profile).labels(self.labels).edge_labels(self.edge_labels))
    }
}

//! What kernels count.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::comparison::{Compare, Comparison, Unseen};
use super::graphlet::Graphlet;
use super::histogram::Edges;
use super::shortest_path::ShortestPath;
use super::vectors::Counted;
use super::weisfeiler_lehman::WeisfeilerLehman;
use crate::count::Limits;
use crate::embed::{AllPathsCycles, Features, Fitted, Kept, Manner, Rows, Stopped};
use crate::label::{Bounds, Cycles, LabelMap};
use crate::{Graph, Monitor, Result};

/// What a kernel counts in graphs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kernel", rename_all = "kebab-case")]
pub enum Substructures {
    /// Labelled paths and cycles.
    #[serde(rename = "apc")]
    AllPathsCycles(AllPathsCycles),
    /// Labelled paths alone.
    AllPaths(AllPathsCycles),
    /// Pairs of vertices by distance.
    ShortestPath(ShortestPath),
    /// Small induced subgraphs.
    Graphlet(Graphlet),
    /// Vertices by labels that are refined round by round.
    #[serde(rename = "wl")]
    WeisfeilerLehman(WeisfeilerLehman),
    /// The same, to be assigned to each other.
    #[serde(rename = "wl-oa")]
    OptimalAssignment(WeisfeilerLehman),
    /// Vertices by label.
    VertexHistogram,
    /// Edges by label, each undirected edge once. GraKeL counts it in both directions, so its kernel is four times this.
    EdgeHistogram,
}

impl From<AllPathsCycles> for Substructures {
    fn from(settings: AllPathsCycles) -> Self {
        Self::AllPathsCycles(settings)
    }
}

impl From<ShortestPath> for Substructures {
    fn from(settings: ShortestPath) -> Self {
        Self::ShortestPath(settings)
    }
}

impl From<Graphlet> for Substructures {
    fn from(settings: Graphlet) -> Self {
        Self::Graphlet(settings)
    }
}

impl From<WeisfeilerLehman> for Substructures {
    fn from(settings: WeisfeilerLehman) -> Self {
        Self::WeisfeilerLehman(settings)
    }
}

impl Substructures {
    /// The name of the kernel.
    pub fn name(&self) -> &'static str {
        match self {
            Self::AllPathsCycles(_) => "apc",
            Self::AllPaths(_) => "all-paths",
            Self::ShortestPath(_) => "shortest-path",
            Self::Graphlet(_) => "graphlet",
            Self::WeisfeilerLehman(_) => "wl",
            Self::OptimalAssignment(_) => "wl-oa",
            Self::VertexHistogram => "vertex-histogram",
            Self::EdgeHistogram => "edge-histogram",
        }
    }

    /// How their authors compare them; minmax for our own.
    pub fn default_comparison(&self) -> Comparison {
        match self {
            Self::AllPathsCycles(_) | Self::AllPaths(_) => Comparison::new(Compare::MinMax),
            Self::OptimalAssignment(_) => Comparison::new(Compare::Intersection),
            Self::Graphlet(_) => Comparison::new(Compare::Linear).counts(Counted::Share),
            _ => Comparison::new(Compare::Linear),
        }
    }

    /// The settings as paths and cycles, where they are such.
    fn as_paths(&self) -> Option<Result<AllPathsCycles>> {
        match self {
            Self::AllPathsCycles(settings) => Some(Ok(settings.clone())),
            Self::AllPaths(settings) => Some(Ok(settings.clone().cycles(Cycles::Off))),
            Self::WeisfeilerLehman(settings) | Self::OptimalAssignment(settings) => {
                Some(settings.embedding())
            }
            Self::VertexHistogram => Some(Ok(AllPathsCycles::up_to(0))),
            Self::ShortestPath(_) | Self::Graphlet(_) | Self::EdgeHistogram => None,
        }
    }

    /// Whether the labels of edges are part of what is counted.
    pub(super) fn uses_edge_labels(&self) -> bool {
        self.as_paths().is_some_and(|paths| paths.is_ok_and(|paths| paths.uses_edge_labels()))
    }

    /// Whether what is counted in a graph depends on others that were fitted to.
    pub(super) fn learns(&self) -> bool {
        match (self, self.as_paths()) {
            (_, Some(paths)) => paths.is_ok_and(|paths| paths.learns()),
            (
                Self::ShortestPath(ShortestPath { labels, .. }) | Self::Graphlet(Graphlet { labels, .. }),
                _,
            ) => labels.is_learnt(),
            _ => false,
        }
    }

    /// Learns from graphs what has to be known before anything is counted.
    pub(super) fn fit(&self, graphs: &[Graph]) -> Result<Embedding> {
        match (self, self.as_paths()) {
            (_, Some(paths)) => Ok(Embedding::Paths(Box::new(paths?.fit_labels(graphs)?))),
            (
                Self::ShortestPath(ShortestPath { labels, .. }) | Self::Graphlet(Graphlet { labels, .. }),
                _,
            ) => self.embedding(Vec::new(), LabelMap::learn(*labels, graphs)?),
            _ => self.embedding(Vec::new(), LabelMap::all()),
        }
    }

    /// What counts, given what was learnt before.
    pub(super) fn embedding(&self, bins: Vec<Bounds>, labels: LabelMap) -> Result<Embedding> {
        let manner = Manner::default();
        Ok(match (self, self.as_paths()) {
            (_, Some(paths)) => Embedding::Paths(Box::new(paths?.fitted(bins, labels)?)),
            (Self::ShortestPath(settings), _) => Embedding::ShortestPath(settings.clone(), labels, manner),
            (Self::Graphlet(settings), _) => Embedding::Graphlet(settings.clone(), labels, manner),
            _ => Embedding::Edges(manner),
        })
    }
}

/// What counts in graphs, and knows which labels to tell apart.
#[derive(Clone, Debug)]
pub(super) enum Embedding {
    Paths(Box<Fitted>),
    ShortestPath(ShortestPath, LabelMap, Manner),
    Graphlet(Graphlet, LabelMap, Manner),
    Edges(Manner),
}

impl Embedding {
    /// On so many threads.
    pub(super) fn threads(self, threads: Option<usize>) -> Self {
        self.run_by(|fitted| fitted.threads(threads), |manner| Manner { threads, ..manner })
    }

    /// Under such limits, with such a way to treat graphs that are over their budget.
    pub(super) fn limits(self, limits: Limits, stopped: Stopped) -> Self {
        self.run_by(|fitted| fitted.limits(limits, stopped), |manner| Manner { limits, stopped, ..manner })
    }

    /// Changes how graphs are gone through.
    fn run_by(self, paths: impl FnOnce(Fitted) -> Fitted, others: impl FnOnce(Manner) -> Manner) -> Self {
        match self {
            Self::Paths(fitted) => Self::Paths(Box::new(paths(*fitted))),
            Self::ShortestPath(settings, labels, manner) => {
                Self::ShortestPath(settings, labels, others(manner))
            }
            Self::Graphlet(settings, labels, manner) => Self::Graphlet(settings, labels, others(manner)),
            Self::Edges(manner) => Self::Edges(others(manner)),
        }
    }

    /// Where columns were chosen, only those count.
    pub(super) fn unseen(&self) -> Unseen {
        match self {
            Self::Paths(fitted) if fitted.settings().drops_rare() => Unseen::Drop,
            _ => Unseen::Count,
        }
    }

    /// The same for graphs to be compared with the fitted ones: which features are rare was learnt from those.
    pub(super) fn with_rare(&self) -> Cow<'_, Self> {
        match self {
            Self::Paths(fitted) if fitted.settings().drops_rare() => {
                Cow::Owned(Self::Paths(Box::new(fitted.as_ref().clone().with_rare())))
            }
            _ => Cow::Borrowed(self),
        }
    }

    /// What was learnt: where bins end, and which labels keep their names.
    pub(super) fn learnt(&self) -> (&[Bounds], Cow<'_, LabelMap>) {
        match self {
            Self::Paths(fitted) => (fitted.bounds(), Cow::Borrowed(fitted.labels())),
            Self::ShortestPath(_, labels, _) | Self::Graphlet(_, labels, _) => (&[], Cow::Borrowed(labels)),
            Self::Edges(_) => (&[], Cow::Owned(LabelMap::all())),
        }
    }

    /// Embeds graphs in hashed columns, if that is what the settings ask for.
    pub(super) fn hashed(&self, graphs: &[Graph], monitor: &Monitor) -> Option<Result<Features>> {
        match self {
            Self::Paths(fitted) if fitted.settings().has_hashed_columns() => {
                Some(fitted.transform_under(graphs, monitor))
            }
            _ => None,
        }
    }

    /// Embeds graphs, with a column for each feature that one of them has.
    pub(super) fn learn<T: Kept>(&self, graphs: &[Graph], monitor: &Monitor) -> Result<(Vec<T>, Rows<u32>)> {
        match self {
            Self::Paths(fitted) => fitted.learn_under(graphs, monitor),
            Self::ShortestPath(settings, map, manner) => {
                settings.check(graphs)?;
                manner.learn(graphs, monitor, || Ok(settings.finder(map)), 1)
            }
            Self::Graphlet(settings, map, manner) => {
                settings.check(graphs)?;
                manner.learn(graphs, monitor, || Ok(settings.finder(map)), 1)
            }
            Self::Edges(manner) => manner.learn(graphs, monitor, || Ok(Edges::new()), 1),
        }
    }
}

//! What kernels count.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::comparison::{Compare, Comparison, Unseen};
use super::connected_subgraphs::ConnectedSubgraphs;
use super::cyclic_pattern::CyclicPattern;
use super::edge_paths::EdgePaths;
use super::graphlet::Graphlet;
use super::histogram::Edges;
use super::neighbourhoods::NeighbourhoodPairs;
use super::random_walk::RandomWalk;
use super::shortest_path::ShortestPath;
use super::tree_pattern::TreePattern;
use super::vectors::Counted;
use super::walks::BacktracklessWalk;
use super::weisfeiler_lehman::WeisfeilerLehman;
use crate::count::Limits;
use crate::embed::{AllPathsCycles, EdgeLabels, Features, Fitted, Kept, Manner, Rows, Stopped};
use crate::label::{Bounds, Cycles, LabelChoice, LabelMap};
use crate::{Error, Graph, Monitor, Result};

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
    /// Walks, of all lengths or of some.
    RandomWalk(RandomWalk),
    /// Walks that never turn straight back.
    BacktracklessWalk(BacktracklessWalk),
    /// Walks that use no edge twice.
    EdgePaths(EdgePaths),
    /// Pairs of neighbourhoods by distance.
    #[serde(rename = "nspdk")]
    NeighbourhoodPairs(NeighbourhoodPairs),
    /// Trees that can be laid into both graphs.
    TreePattern(TreePattern),
    /// Which cycles, and which trees of bridges.
    CyclicPattern(CyclicPattern),
    /// Small connected subgraphs, induced or not.
    ConnectedSubgraphs(ConnectedSubgraphs),
    /// Vertices by label.
    VertexHistogram,
    /// Edges by label, each undirected edge once. GraKeL counts it in both directions, so its kernel is four times this.
    EdgeHistogram,
}

/// Makes substructures of their settings.
macro_rules! from_settings {
    ($($kind:ident),*) => {
        $(impl From<$kind> for Substructures {
            fn from(settings: $kind) -> Self {
                Self::$kind(settings)
            }
        })*
    };
}

from_settings!(
    AllPathsCycles,
    ShortestPath,
    Graphlet,
    WeisfeilerLehman,
    RandomWalk,
    BacktracklessWalk,
    EdgePaths,
    NeighbourhoodPairs,
    TreePattern,
    CyclicPattern,
    ConnectedSubgraphs
);

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
            Self::RandomWalk(_) => "random-walk",
            Self::BacktracklessWalk(_) => "backtrackless-walk",
            Self::EdgePaths(_) => "edge-paths",
            Self::NeighbourhoodPairs(_) => "nspdk",
            Self::TreePattern(_) => "tree-pattern",
            Self::CyclicPattern(_) => "cyclic-pattern",
            Self::ConnectedSubgraphs(_) => "connected-subgraphs",
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
            Self::NeighbourhoodPairs(_) => Comparison::new(Compare::Cosine).by_cell(),
            Self::CyclicPattern(_) => Comparison::new(Compare::Linear).counts(Counted::Binary),
            _ => Comparison::new(Compare::Linear),
        }
    }

    /// The settings as paths and cycles, where they are such.
    pub(crate) fn as_paths(&self) -> Option<Result<AllPathsCycles>> {
        match self {
            Self::AllPathsCycles(settings) => Some(Ok(settings.clone())),
            Self::AllPaths(settings) => Some(Ok(settings.clone().cycles(Cycles::Off))),
            Self::WeisfeilerLehman(settings) | Self::OptimalAssignment(settings) => {
                Some(settings.embedding())
            }
            Self::VertexHistogram => Some(Ok(AllPathsCycles::up_to(0))),
            _ => None,
        }
    }

    /// Whether what is counted are features that each graph has alone; if not, the kernel is defined on pairs of graphs.
    pub fn has_features(&self) -> bool {
        match self {
            Self::RandomWalk(settings) => settings.has_features(),
            Self::TreePattern(_) => false,
            _ => true,
        }
    }

    /// An error that says so, where there are no features.
    pub(super) fn check_features(&self) -> Result<()> {
        match self.has_features() {
            true => Ok(()),
            false => Err(Error::settings(format!(
                "{} is defined on pairs of graphs: it has no features, only Gram matrices",
                self.name()
            ))),
        }
    }

    /// What products of features of a length weigh, by length, if not all weigh 1.
    pub(super) fn length_weights(&self) -> Option<Cow<'_, [f64]>> {
        match self {
            Self::RandomWalk(settings) => settings.length_weights().map(Cow::Owned),
            Self::BacktracklessWalk(settings) => settings.length_weights().map(Cow::Borrowed),
            Self::ConnectedSubgraphs(settings) => settings.length_weights().map(Cow::Owned),
            _ => None,
        }
    }

    /// Which labels are told apart, for what is no paths.
    fn labels(&self) -> LabelChoice {
        match self {
            Self::ShortestPath(ShortestPath { labels, .. })
            | Self::Graphlet(Graphlet { labels, .. })
            | Self::RandomWalk(RandomWalk { labels, .. })
            | Self::BacktracklessWalk(BacktracklessWalk { labels, .. })
            | Self::EdgePaths(EdgePaths { labels, .. })
            | Self::NeighbourhoodPairs(NeighbourhoodPairs { labels, .. })
            | Self::TreePattern(TreePattern { labels, .. })
            | Self::CyclicPattern(CyclicPattern { labels, .. })
            | Self::ConnectedSubgraphs(ConnectedSubgraphs { labels, .. }) => *labels,
            _ => LabelChoice::All,
        }
    }

    /// Whether the labels of edges have a say, for what is no paths.
    fn edge_labels(&self) -> EdgeLabels {
        match self {
            Self::BacktracklessWalk(BacktracklessWalk { edge_labels, .. })
            | Self::EdgePaths(EdgePaths { edge_labels, .. })
            | Self::NeighbourhoodPairs(NeighbourhoodPairs { edge_labels, .. })
            | Self::CyclicPattern(CyclicPattern { edge_labels, .. }) => *edge_labels,
            _ => EdgeLabels::Ignored,
        }
    }

    /// Whether the labels of edges are part of what is counted.
    pub(super) fn uses_edge_labels(&self) -> bool {
        match self.as_paths() {
            Some(paths) => paths.is_ok_and(|paths| paths.uses_edge_labels()),
            None => self.edge_labels().is_used(),
        }
    }

    /// Whether what is counted in a graph depends on others that were fitted to.
    pub(super) fn learns(&self) -> bool {
        match self.as_paths() {
            Some(paths) => paths.is_ok_and(|paths| paths.learns()),
            None => self.labels().is_learnt(),
        }
    }

    /// Learns from graphs which labels to tell apart, for what is no paths.
    pub(super) fn learn_labels(&self, graphs: &[Graph]) -> Result<LabelMap> {
        LabelMap::learn(self.labels(), graphs)
    }

    /// Learns from graphs what has to be known before anything is counted.
    pub(super) fn fit(&self, graphs: &[Graph]) -> Result<Embedding> {
        match self.as_paths() {
            Some(paths) => Ok(Embedding::Paths(Box::new(paths?.fit_labels(graphs)?))),
            None => self.embedding(Vec::new(), self.learn_labels(graphs)?),
        }
    }

    /// What counts, given what was learnt before.
    pub(super) fn embedding(&self, bins: Vec<Bounds>, labels: LabelMap) -> Result<Embedding> {
        Ok(match self.as_paths() {
            Some(paths) => Embedding::Paths(Box::new(paths?.fitted(bins, labels)?)),
            None => {
                let manner = Manner { edge_labels: self.edge_labels(), ..Manner::default() };
                Embedding::Others(Box::new(self.clone()), labels, manner)
            }
        })
    }
}

/// What counts in graphs, and knows which labels to tell apart.
#[derive(Clone, Debug)]
pub(super) enum Embedding {
    Paths(Box<Fitted>),
    /// What has a finder of its own.
    Others(Box<Substructures>, LabelMap, Manner),
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
            Self::Others(what, labels, manner) => Self::Others(what, labels, others(manner)),
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
    pub(super) fn learnt(&self) -> (&[Bounds], &LabelMap) {
        match self {
            Self::Paths(fitted) => (fitted.bounds(), fitted.labels()),
            Self::Others(_, labels, _) => (&[], labels),
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
        let (what, map, manner) = match self {
            Self::Paths(fitted) => return fitted.learn_under(graphs, monitor),
            Self::Others(what, map, manner) => (what.as_ref(), map, manner),
        };
        match what {
            Substructures::ShortestPath(settings) => {
                settings.check(graphs)?;
                manner.learn(graphs, monitor, || Ok(settings.finder(map)), 1)
            }
            Substructures::Graphlet(settings) => {
                settings.check(graphs)?;
                manner.learn(graphs, monitor, || Ok(settings.finder(map)), 1)
            }
            Substructures::RandomWalk(settings) => {
                settings.check_bounded(graphs)?;
                manner.learn(graphs, monitor, || Ok(settings.finder(map)), 1)
            }
            Substructures::BacktracklessWalk(settings) => {
                settings.check(graphs)?;
                manner.learn(graphs, monitor, || Ok(settings.finder(map)), 1)
            }
            Substructures::EdgePaths(settings) => {
                manner.learn(graphs, monitor, || Ok(settings.finder(map)), 1)
            }
            Substructures::NeighbourhoodPairs(settings) => {
                settings.check()?;
                manner.learn(graphs, monitor, || Ok(settings.finder(map)), 1)
            }
            Substructures::CyclicPattern(settings) => {
                let cycles = settings.cycles();
                manner.learn(graphs, monitor, || settings.finder(&cycles, map), 1)
            }
            Substructures::ConnectedSubgraphs(settings) => {
                settings.check()?;
                manner.learn(graphs, monitor, || Ok(settings.finder(map)), 1)
            }
            _ => manner.learn(graphs, monitor, || Ok(Edges::new()), 1),
        }
    }
}

//! What kernels count.

use serde::{Deserialize, Serialize};

use super::comparison::{Compare, Comparison};
use super::graphlet::Graphlet;
use super::histogram::Edges;
use super::shortest_path::ShortestPath;
use super::vectors::Counted;
use super::weisfeiler_lehman::WeisfeilerLehman;
use crate::embed::{AllPathsCycles, Features, Kept, Manner, Rows, Worker};
use crate::label::{Cycles, LabelChoice, LabelMap};
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
    /// Edges by label.
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

    /// Learns which labels keep their names.
    pub(super) fn labels(&self, graphs: &[Graph]) -> Result<LabelMap> {
        let choice = match (self, self.as_paths()) {
            (_, Some(paths)) => paths?.label_choice(),
            (Self::ShortestPath(settings), _) => settings.labels,
            (Self::Graphlet(settings), _) => settings.labels,
            _ => LabelChoice::All,
        };
        LabelMap::learn(choice, graphs)
    }

    /// Whether only features in columns that were chosen count.
    pub(super) fn chooses_columns(&self) -> bool {
        matches!(self, Self::AllPathsCycles(settings) | Self::AllPaths(settings) if settings.min_graphs > 1)
    }

    /// Embeds graphs in hashed columns, if that is what the settings ask for.
    pub(super) fn hashed(
        &self,
        map: &LabelMap,
        graphs: &[Graph],
        monitor: &Monitor,
        threads: Option<usize>,
    ) -> Option<Result<Features>> {
        let paths = self.as_paths()?.ok().filter(|paths| paths.hash_bits.is_some())?;
        let paths = threads.into_iter().fold(paths, AllPathsCycles::threads);
        Some(paths.with_labels(map.clone()).and_then(|fitted| fitted.transform_under(graphs, monitor)))
    }

    /// Embeds graphs, with a column for each feature that one of them has.
    pub(super) fn learn<T: Kept>(
        &self,
        map: &LabelMap,
        graphs: &[Graph],
        monitor: &Monitor,
        threads: Option<usize>,
    ) -> Result<(Vec<T>, Rows<u32>)> {
        let manner = Manner { threads, ..Manner::default() };
        match (self, self.as_paths()) {
            (_, Some(paths)) => {
                let paths = threads.into_iter().fold(paths?, AllPathsCycles::threads);
                paths.check()?;
                let worker = || Worker::new(&paths, map);
                paths.manner().learn(graphs, monitor, worker, paths.min_graphs)
            }
            (Self::ShortestPath(settings), _) => {
                settings.check(graphs)?;
                manner.learn(graphs, monitor, || Ok(settings.finder(map)), 1)
            }
            (Self::Graphlet(settings), _) => {
                settings.check(graphs)?;
                manner.learn(graphs, monitor, || Ok(settings.finder(map)), 1)
            }
            _ => manner.learn(graphs, monitor, || Ok(Edges::new()), 1),
        }
    }
}

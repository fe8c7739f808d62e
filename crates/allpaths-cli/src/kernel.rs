//! The arguments that say which kernel: shared by all subcommands that compare graphs.

use allpaths::GraphKernel;
use allpaths::kernel::{
    Compare, Counted, Graphlet, Graphlets, Lengths, ShortestPath, Substructures, WeisfeilerLehman,
};
use clap::ValueEnum;

use crate::Usage;
use crate::embedding::EmbeddingArguments;

/// What is counted, and how it is compared.
#[derive(clap::Args)]
#[allow(clippy::struct_excessive_bools)] // flags are flags
pub(crate) struct KernelArguments {
    /// What is counted in graphs; `allpaths kernels` says more
    #[arg(short, long, value_enum, default_value_t = KernelName::Apc, value_name = "KERNEL")]
    kernel: KernelName,

    /// Rounds of refinement of the kernels wl and wl-oa
    #[arg(long, value_name = "N", default_value_t = WeisfeilerLehman::ROUNDS)]
    rounds: usize,

    /// Sizes of graphlets: from 3 up to this, at most 5
    #[arg(long, value_name = "VERTICES", default_value_t = 5, value_parser = clap::value_parser!(u8).range(3..=5))]
    graphlet_size: u8,

    /// Count graphlets that do not hang together, too
    #[arg(long)]
    all_graphlets: bool,

    /// Let the weights of edges be the lengths of shortest paths
    #[arg(long)]
    weighted_lengths: bool,

    /// How counts are compared [default: what suits the kernel]
    #[arg(long, value_enum, value_name = "HOW")]
    compare: Option<CompareName>,

    /// What becomes of counts before they are compared [default: what suits the kernel]
    #[arg(long, value_enum, value_name = "WHAT")]
    counts: Option<CountsName>,

    /// Compare the paths and cycles of each length and refinement apart, and take the average
    #[arg(long)]
    by_cell: bool,

    /// Take exp(-G d^2 / median d^2) of the distance d that the kernel induces
    #[arg(long, value_name = "G")]
    rbf_distance: Option<f64>,

    /// Divide by both graphs' likeness to themselves
    #[arg(long)]
    normalize: bool,

    #[command(flatten)]
    embedding: EmbeddingArguments,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum KernelName {
    /// Simple paths and cycles, by their labels
    Apc,
    /// Simple paths alone
    AllPaths,
    /// Pairs of vertices, by labels and distance
    ShortestPath,
    /// Induced subgraphs of 3 to 5 vertices
    Graphlet,
    /// Vertices by labels refined after Weisfeiler and Lehman
    Wl,
    /// The same, optimally assigned to each other
    WlOa,
    /// Vertices by label
    VertexHistogram,
    /// Edges by label
    EdgeHistogram,
}

#[derive(Clone, Copy, ValueEnum)]
enum CompareName {
    /// Sum of products
    Linear,
    /// Cosine of the angle
    Cosine,
    /// Gaussian of the distance between standardised features
    Rbf,
    /// Sum of minima
    Intersection,
    /// Sum of minima over sum of maxima
    Minmax,
}

#[derive(Clone, Copy, ValueEnum)]
enum CountsName {
    /// As they are
    Raw,
    /// ln(1 + x)
    Log,
    /// 1 for whatever is there
    Binary,
    /// Their share in the graph's sum
    Share,
}

impl KernelArguments {
    /// The kernel they stand for.
    pub(crate) fn kernel(&self) -> Result<GraphKernel, Usage> {
        let (labels, edge_labels) = (self.embedding.labels(), self.embedding.edge_labels());
        let refined = || WeisfeilerLehman::new(self.rounds).labels(labels).edge_labels(edge_labels);
        let substructures = match self.kernel {
            KernelName::Apc => Substructures::AllPathsCycles(self.embedding.settings()?),
            KernelName::AllPaths => Substructures::AllPaths(self.embedding.settings()?),
            KernelName::ShortestPath => {
                let lengths = if self.weighted_lengths { Lengths::Weights } else { Lengths::Edges };
                ShortestPath::new().labels(labels).lengths(lengths).into()
            }
            KernelName::Graphlet => {
                let which = if self.all_graphlets { Graphlets::All } else { Graphlets::Connected };
                Graphlet::of_sizes(3..=usize::from(self.graphlet_size)).graphlets(which).into()
            }
            KernelName::Wl => Substructures::WeisfeilerLehman(refined()),
            KernelName::WlOa => Substructures::OptimalAssignment(refined()),
            KernelName::VertexHistogram => Substructures::VertexHistogram,
            KernelName::EdgeHistogram => Substructures::EdgeHistogram,
        };
        Ok(GraphKernel::new(substructures).compared(|mut comparison| {
            if let Some(compare) = self.compare {
                comparison = comparison.compare(compare.into());
            }
            if let Some(counts) = self.counts {
                comparison = comparison.counts(counts.into());
            }
            if self.by_cell {
                comparison = comparison.by_cell();
            }
            if self.normalize {
                comparison = comparison.normalized();
            }
            match self.rbf_distance {
                Some(g) => comparison.rbf_distance(g),
                None => comparison,
            }
        }))
    }
}

impl From<CompareName> for Compare {
    fn from(name: CompareName) -> Self {
        match name {
            CompareName::Linear => Compare::Linear,
            CompareName::Cosine => Compare::Cosine,
            CompareName::Rbf => Compare::Rbf,
            CompareName::Intersection => Compare::Intersection,
            CompareName::Minmax => Compare::MinMax,
        }
    }
}

impl From<CountsName> for Counted {
    fn from(name: CountsName) -> Self {
        match name {
            CountsName::Raw => Counted::Raw,
            CountsName::Log => Counted::Log,
            CountsName::Binary => Counted::Binary,
            CountsName::Share => Counted::Share,
        }
    }
}

//! The arguments that say which kernel: shared by all subcommands that compare graphs.

use std::ops::RangeInclusive;

use allpaths::embed::EdgeLabels;
use allpaths::kernel::{
    BacktracklessWalk, Compare, ConnectedSubgraphs, Counted, CyclicPattern, EdgePaths, Graphlet, Graphlets,
    Lengths, NeighbourhoodPairs, RandomWalk, Samples, ShortestPath, Solver, Substructures, Tottering,
    TreePattern, TreeWeights, WeisfeilerLehman,
};
use allpaths::{AllPathsCycles, GraphKernel};
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches, ValueEnum};

use crate::Usage;
use crate::embedding::EmbeddingArguments;

/// What is counted, and how it is compared; with what of that was said, so that nothing is passed over in silence.
pub(crate) struct KernelArguments {
    flags: Flags,
    given: Vec<&'static str>,
}

#[derive(clap::Args)]
#[allow(clippy::struct_excessive_bools)] // flags are flags
struct Flags {
    /// What is counted in graphs; `allpaths kernels` says more
    #[arg(short, long, value_enum, default_value_t = KernelName::Apc, value_name = "KERNEL")]
    kernel: KernelName,

    /// Rounds of refinement of the kernels wl and wl-oa
    #[arg(long, value_name = "N", default_value_t = WeisfeilerLehman::ROUNDS)]
    rounds: usize,

    /// Vertices of graphlets, from 3 to 5, as in 4 or 3-5
    #[arg(long, value_name = "SIZES", default_value = "3-5", value_parser = sizes, help_heading = "Graphlets")]
    graphlet_sizes: RangeInclusive<usize>,

    /// Count graphlets that do not hang together, too
    #[arg(long, help_heading = "Graphlets")]
    all_graphlets: bool,

    /// Look at so many random sets of vertices of each size, instead of all
    #[arg(long, value_name = "N", help_heading = "Graphlets")]
    graphlet_samples: Option<u64>,

    /// Look at as many random sets as it takes for the shares of all graphlets of a size to be wrong by this, in sum, at most
    #[arg(long, value_name = "ERROR", help_heading = "Graphlets", conflicts_with = "graphlet_samples")]
    graphlet_error: Option<f64>,

    /// Probability that they are wrong by more
    #[arg(
        long,
        value_name = "RISK",
        default_value_t = 0.05,
        help_heading = "Graphlets",
        requires = "graphlet_error"
    )]
    graphlet_risk: f64,

    /// Where the random numbers begin
    #[arg(long, value_name = "SEED", default_value_t = 0, help_heading = "Graphlets")]
    graphlet_seed: u64,

    /// Let the weights of edges be the lengths of shortest paths
    #[arg(long)]
    weighted_lengths: bool,

    /// Weight of a step of random walks, or of a branch of tree patterns [default: 0.01 for walks of all lengths, 1 up to --max-length, 0.1 for trees]
    #[arg(long, value_name = "LAMBDA", help_heading = "Walks, trees and neighbourhoods")]
    lambda: Option<f64>,

    /// What pairs weigh by length, from 0, for walks up to --max-length; by size, from 1, for connected subgraphs: as in 1,0.5,0.25
    #[arg(
        long,
        value_name = "WEIGHTS",
        value_delimiter = ',',
        help_heading = "Walks, trees and neighbourhoods"
    )]
    weights: Vec<f64>,

    /// How random walks of all lengths are summed up
    #[arg(long, value_enum, default_value_t = SolverName::ConjugateGradients, value_name = "SOLVER", help_heading = "Walks, trees and neighbourhoods")]
    solver: SolverName,

    /// Edges between the root and the leaves of tree patterns
    #[arg(long, value_name = "N", default_value_t = TreePattern::HEIGHT, help_heading = "Walks, trees and neighbourhoods")]
    height: usize,

    /// What the weights of tree patterns depend on
    #[arg(long, value_enum, default_value_t = TreeWeightsName::Branching, value_name = "WHAT", help_heading = "Walks, trees and neighbourhoods")]
    tree_weights: TreeWeightsName,

    /// Leave out tree patterns that turn straight back
    #[arg(long, help_heading = "Walks, trees and neighbourhoods")]
    no_tottering: bool,

    /// Largest radius of the neighbourhoods of nspdk
    #[arg(long, value_name = "N", default_value_t = NeighbourhoodPairs::RADIUS, help_heading = "Walks, trees and neighbourhoods")]
    radius: usize,

    /// Largest distance between two neighbourhoods
    #[arg(long, value_name = "N", default_value_t = NeighbourhoodPairs::DISTANCE, help_heading = "Walks, trees and neighbourhoods")]
    distance: usize,

    /// Most vertices of connected subgraphs, 5 or fewer
    #[arg(long, value_name = "N", default_value_t = ConnectedSubgraphs::MAX_SIZE, help_heading = "Walks, trees and neighbourhoods")]
    subgraph_size: usize,

    /// How counts are compared [default: what suits the kernel]
    #[arg(long, value_enum, value_name = "HOW")]
    compare: Option<CompareName>,

    /// What becomes of counts before they are compared [default: what suits the kernel]
    #[arg(long, value_enum, value_name = "WHAT")]
    counts: Option<CountsName>,

    /// Compare the paths and cycles of each length and refinement apart, and take the average
    #[arg(long)]
    by_cell: bool,

    /// Scale of the distance for rbf [default: the median distance]
    #[arg(long, value_name = "SCALE")]
    rbf_scale: Option<f64>,

    /// Take exp(-G d^2 / median d^2) of the distance d that the kernel induces
    #[arg(long, value_name = "G")]
    rbf_distance: Option<f64>,

    /// Leave out features whose variance is below this fraction of the sum of all variances
    #[arg(long, value_name = "FRACTION")]
    variance_cut: Option<f64>,

    /// Divide features by their deviation [default: for rbf alone]
    #[arg(long, value_enum, value_name = "WHETHER")]
    standardize: Option<Standardize>,

    /// Divide by both graphs' likeness to themselves
    #[arg(long)]
    normalize: bool,

    #[command(flatten)]
    embedding: EmbeddingArguments,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Standardize {
    /// All are as large then
    Yes,
    /// They stay as they are
    No,
}

#[derive(Clone, Copy, ValueEnum)]
enum SolverName {
    /// Fast; undirected graphs
    ConjugateGradients,
    /// One step after the other
    FixedPoint,
}

#[derive(Clone, Copy, ValueEnum)]
enum TreeWeightsName {
    /// Leaves
    Branching,
    /// Vertices
    Size,
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
    /// Pairs of walks that read the same labels, of all lengths or up to --max-length
    RandomWalk,
    /// Walks that never turn straight back
    BacktracklessWalk,
    /// Walks that use no edge twice
    EdgePaths,
    /// Pairs of neighbourhoods by distance
    Nspdk,
    /// Trees that can be laid into both graphs
    TreePattern,
    /// Which cycles, and which trees of bridges
    CyclicPattern,
    /// Connected subgraphs of a few vertices, induced or not
    ConnectedSubgraphs,
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

impl Args for KernelArguments {
    fn augment_args(command: Command) -> Command {
        Flags::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Flags::augment_args_for_update(command)
    }
}

impl FromArgMatches for KernelArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = |name: &&str| matches.value_source(name) == Some(ValueSource::CommandLine);
        let names = Self::NAMES.into_iter().chain(EmbeddingArguments::NAMES);
        Ok(Self { given: names.filter(given).collect(), flags: Flags::from_arg_matches(matches)? })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl KernelName {
    /// Whether an argument says something of this kernel.
    fn takes(self, name: &str) -> bool {
        let own: &[&str] = match self {
            KernelName::Apc | KernelName::AllPaths => &EmbeddingArguments::NAMES,
            KernelName::ShortestPath => &["labels", "weighted_lengths"],
            KernelName::Graphlet => return name.contains("graphlet") || name == "labels" || is_common(name),
            KernelName::Wl | KernelName::WlOa => &["rounds", "labels", "edge_labels"],
            KernelName::RandomWalk => &["max_length", "lambda", "weights", "solver", "labels"],
            KernelName::BacktracklessWalk => &["max_length", "weights", "labels", "edge_labels"],
            KernelName::EdgePaths | KernelName::CyclicPattern => &["max_length", "labels", "edge_labels"],
            KernelName::Nspdk => &["radius", "distance", "labels", "edge_labels"],
            KernelName::TreePattern => &["height", "lambda", "tree_weights", "no_tottering", "labels"],
            KernelName::ConnectedSubgraphs => &["subgraph_size", "weights", "labels"],
            KernelName::VertexHistogram | KernelName::EdgeHistogram => &[],
        };
        own.contains(&name) || is_common(name)
    }

    /// As it is given.
    fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

/// Whether an argument is one of every kernel: its name, or how counts are compared.
fn is_common(name: &str) -> bool {
    let comparing = ["compare", "counts", "by_cell", "rbf_scale", "rbf_distance", "variance_cut"];
    name == "kernel" || name == "standardize" || name == "normalize" || comparing.contains(&name)
}

impl KernelArguments {
    /// All of them but those that embed, for what cannot be combined with them.
    pub(crate) const NAMES: [&str; 26] = [
        "kernel",
        "rounds",
        "graphlet_sizes",
        "all_graphlets",
        "graphlet_samples",
        "graphlet_error",
        "graphlet_risk",
        "graphlet_seed",
        "weighted_lengths",
        "lambda",
        "weights",
        "solver",
        "height",
        "tree_weights",
        "no_tottering",
        "radius",
        "distance",
        "subgraph_size",
        "compare",
        "counts",
        "by_cell",
        "rbf_scale",
        "rbf_distance",
        "variance_cut",
        "standardize",
        "normalize",
    ];

    /// Whether any was given that says which kernel it is. Of edge labels alone the default has something to say, too.
    pub(crate) fn name_one(&self) -> bool {
        self.given.iter().any(|&name| name != "edge_labels")
    }

    pub(crate) fn edge_labels(&self) -> EdgeLabels {
        self.flags.embedding.edge_labels()
    }

    /// The kernel they stand for.
    ///
    /// # Errors
    ///
    /// When they contradict each other, or when one was given that says nothing of this kernel.
    pub(crate) fn kernel(&self) -> Result<GraphKernel, Usage> {
        Self::check(std::slice::from_ref(self))?;
        self.flags.kernel()
    }

    /// The kernels that several stand for: each argument has to say something of one of them.
    pub(crate) fn kernels(several: &[Self]) -> Result<Vec<GraphKernel>, Usage> {
        Self::check(several)?;
        several.iter().map(|one| one.flags.kernel()).collect()
    }

    fn check(several: &[Self]) -> Result<(), Usage> {
        let is_idle = |name: &&&str| !several.iter().any(|one| one.flags.kernel.takes(name));
        let Some(idle) = several.iter().flat_map(|one| &one.given).find(is_idle) else { return Ok(()) };
        let kernels: Vec<String> = KernelName::value_variants()
            .iter()
            .filter(|kernel| kernel.takes(idle))
            .map(|kernel| kernel.name())
            .collect();
        let (flag, kernel) = (idle.replace('_', "-"), several[0].flags.kernel.name());
        Err(Usage(format!(
            "--{flag} says nothing of the kernel {kernel}: leave it out, or take a --kernel that has it ({})",
            kernels.join(", ")
        )))
    }
}

impl Flags {
    fn kernel(&self) -> Result<GraphKernel, Usage> {
        let (choice, edge_labels) = (self.embedding.labels(), self.embedding.edge_labels());
        let labels = choice.unwrap_or_default();
        let length = |default: usize| self.embedding.max_length().unwrap_or(default);
        let weights = self.weights.iter().copied();
        let refined = || WeisfeilerLehman::new(self.rounds).labels(labels).edge_labels(edge_labels);
        let substructures = match self.kernel {
            KernelName::Apc => Substructures::AllPathsCycles(self.embedding.settings()?),
            KernelName::AllPaths => Substructures::AllPaths(self.embedding.settings()?),
            KernelName::ShortestPath => {
                let lengths = if self.weighted_lengths { Lengths::Weights } else { Lengths::Edges };
                ShortestPath::new().labels(labels).lengths(lengths).into()
            }
            KernelName::Graphlet => choice.into_iter().fold(self.graphlets(), Graphlet::labels).into(),
            KernelName::Wl => Substructures::WeisfeilerLehman(refined()),
            KernelName::WlOa => Substructures::OptimalAssignment(refined()),
            KernelName::RandomWalk => self.random_walk().labels(labels).into(),
            KernelName::BacktracklessWalk => {
                let walks = BacktracklessWalk::up_to(length(BacktracklessWalk::MAX_LENGTH)).weights(weights);
                walks.labels(labels).edge_labels(edge_labels).into()
            }
            KernelName::EdgePaths => {
                let trails = EdgePaths::up_to(length(AllPathsCycles::MAX_LENGTH));
                trails.labels(labels).edge_labels(edge_labels).into()
            }
            KernelName::Nspdk => {
                let pairs = NeighbourhoodPairs::up_to(self.radius, self.distance);
                pairs.labels(labels).edge_labels(edge_labels).into()
            }
            KernelName::TreePattern => self.tree_pattern().labels(labels).into(),
            KernelName::CyclicPattern => {
                let cycles = CyclicPattern::up_to(length(CyclicPattern::MAX_LENGTH));
                cycles.labels(labels).edge_labels(edge_labels).into()
            }
            KernelName::ConnectedSubgraphs => {
                ConnectedSubgraphs::up_to(self.subgraph_size).weights(weights).labels(labels).into()
            }
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
            if let Some(fraction) = self.variance_cut {
                comparison = comparison.variance_cut(fraction);
            }
            if let Some(standardize) = self.standardize {
                comparison = comparison.standardized(standardize == Standardize::Yes);
            }
            if let Some(scale) = self.rbf_scale {
                comparison = comparison.scale(scale);
            }
            match self.rbf_distance {
                Some(g) => comparison.rbf_distance(g),
                None => comparison,
            }
        }))
    }

    /// Walks of all lengths, or up to one.
    fn random_walk(&self) -> RandomWalk {
        let walks = match self.embedding.max_length() {
            Some(max_length) => RandomWalk::up_to(max_length),
            None => RandomWalk::default(),
        };
        let solver = match self.solver {
            SolverName::ConjugateGradients => Solver::ConjugateGradients,
            SolverName::FixedPoint => Solver::FixedPoint,
        };
        let walks = walks.solver(solver).weights(self.weights.iter().copied());
        self.lambda.into_iter().fold(walks, RandomWalk::lambda)
    }

    fn tree_pattern(&self) -> TreePattern {
        let weights = match self.tree_weights {
            TreeWeightsName::Branching => TreeWeights::Branching,
            TreeWeightsName::Size => TreeWeights::Size,
        };
        let tottering = if self.no_tottering { Tottering::Excluded } else { Tottering::Allowed };
        let trees = TreePattern::of_height(self.height).tree_weights(weights).tottering(tottering);
        self.lambda.into_iter().fold(trees, TreePattern::lambda)
    }

    /// Which graphlets, without labels.
    fn graphlets(&self) -> Graphlet {
        let which = if self.all_graphlets { Graphlets::All } else { Graphlets::Connected };
        let graphlets = Graphlet::of_sizes(self.graphlet_sizes.clone()).graphlets(which);
        let bound = self.graphlet_error.map(|error| Samples::Bound { error, risk: self.graphlet_risk });
        match self.graphlet_samples.map(Samples::Number).or(bound) {
            Some(samples) => graphlets.sampling(samples, self.graphlet_seed),
            None => graphlets,
        }
    }
}

/// `4`, or `3-5`.
fn sizes(text: &str) -> Result<RangeInclusive<usize>, String> {
    let (smallest, largest) = text.split_once('-').unwrap_or((text, text));
    match (smallest.trim().parse(), largest.trim().parse()) {
        (Ok(smallest), Ok(largest)) if 3 <= smallest && smallest <= largest && largest <= 5 => {
            Ok(smallest..=largest)
        }
        _ => Err("expected a number of vertices from 3 to 5, or two as in 3-5".to_owned()),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_named() {
        let command = KernelArguments::augment_args(clap::Command::new("test"));
        let names = KernelArguments::NAMES.into_iter().chain(EmbeddingArguments::NAMES);
        assert!(command.get_arguments().map(|argument| argument.get_id().as_str()).eq(names));
    }

    fn parsed(words: &str) -> KernelArguments {
        let command = KernelArguments::augment_args(Command::new("test")).no_binary_name(true);
        let matches = command.try_get_matches_from(words.split_whitespace()).unwrap();
        KernelArguments::from_arg_matches(&matches).unwrap()
    }

    #[test]
    fn what_a_kernel_does_not_take_is_refused() {
        for words in [
            "",
            "--max-length 3",
            "--kernel wl --rounds 3 --normalize",
            "--kernel graphlet --graphlet-seed 1",
        ] {
            assert!(parsed(words).kernel().is_ok(), "{words}");
        }
        for (words, flag) in [
            ("--rounds 3", "--rounds"),
            ("--kernel wl --max-length 3", "--max-length"),
            ("--kernel vertex-histogram --labels 2", "--labels"),
        ] {
            let error = parsed(words).kernel().err().map(|error| error.0).unwrap_or_default();
            assert!(error.starts_with(flag), "{words}: {error}");
        }
        // Of several kernels, one is enough.
        let several = [parsed("--rounds 3 --kernel wl"), parsed("--rounds 3 --kernel apc")];
        assert!(KernelArguments::kernels(&several).is_ok());
    }

    #[test]
    fn every_argument_says_something_of_a_kernel() {
        for name in KernelArguments::NAMES.into_iter().chain(EmbeddingArguments::NAMES) {
            assert!(KernelName::value_variants().iter().any(|kernel| kernel.takes(name)), "{name}");
        }
    }

    #[test]
    fn sizes_of_graphlets() {
        assert_eq!(sizes("4"), Ok(4..=4));
        assert_eq!(sizes("3 - 5"), Ok(3..=5));
        for wrong in ["", "2", "5-4", "3-6", "3-", "-3", "three"] {
            assert!(sizes(wrong).is_err(), "{wrong}");
        }
    }
}

//! The arguments that say which features to count: shared by all subcommands that embed graphs.

use allpaths::AllPathsCycles;
use allpaths::embed::{EdgeLabels, Profile};
use allpaths::label::{Binning, Cycles, Encoding, LabelChoice};
use clap::ValueEnum;

use crate::Usage;
use crate::engine::EngineName;

/// Which features, under which names.
#[derive(clap::Args)]
pub(crate) struct EmbeddingArguments {
    /// A set of choices under one name; it can be combined with --max-length alone
    #[arg(long, value_enum, value_name = "PRESET", help_heading = "Features", conflicts_with_all = ["encoding", "codes", "labels", "cycles", "paths", "vertices", "edge_labels", "profile", "refine"])]
    preset: Option<Preset>,

    /// What paths and cycles are called
    #[arg(long, value_enum, default_value_t = EncodingName::Sequence, value_name = "ENCODING", help_heading = "Features")]
    encoding: EncodingName,

    /// Numbers that labels weigh in the encoding exact, the commonest first, as in 1,1.4142,2.236 [default: 1, e, pi, ...]
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',', help_heading = "Features")]
    codes: Vec<f64>,

    /// Longest path or cycle, in edges [default: 6]
    #[arg(short = 'l', long, value_name = "LENGTH", help_heading = "Features", conflicts_with = "profile")]
    max_length: Option<usize>,

    /// Rounds of refinement: labels tell the neighbourhoods of vertices, too
    #[arg(long, value_name = "ROUNDS", help_heading = "Features", conflicts_with = "profile")]
    refine: Option<usize>,

    /// Longest length for each number of refinement rounds, as in 0:7,1:3,2:2, or triangle:4
    #[arg(long, value_name = "PROFILE", help_heading = "Features")]
    profile: Option<Profile>,

    /// Number of labels to tell apart: the commonest, and all others as one; `all` for every label [default: 3 for power and exact, 1 for graphlets, else all]
    #[arg(long, value_name = "K", value_parser = labels, help_heading = "Features")]
    labels: Option<LabelChoice>,

    /// Make a numeric attribute of vertices part of their labels, in bins: ATTRIBUTE=quantiles:4 or ATTRIBUTE=width:4; may be
    /// given several times
    #[arg(long, value_name = "BINS", help_heading = "Features")]
    bins: Vec<Binning>,

    /// Let the labels of edges be part of the names
    #[arg(long, help_heading = "Features")]
    edge_labels: bool,

    /// Where cycles are counted
    #[arg(long, value_enum, default_value_t = CyclesName::Separate, value_name = "WHERE", help_heading = "Features")]
    cycles: CyclesName,

    /// Count paths
    #[arg(long, value_enum, default_value_t = Switch::On, value_name = "SWITCH", help_heading = "Features")]
    paths: Switch,

    /// Count vertices by label
    #[arg(long, value_enum, default_value_t = Switch::On, value_name = "SWITCH", help_heading = "Features")]
    vertices: Switch,

    /// Learn no columns: take this many bits of each feature's id as its column
    #[arg(long, value_name = "BITS", help_heading = "Features")]
    hash_bits: Option<u32>,

    /// Drop features that fewer graphs have
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Features")]
    min_graphs: u64,

    /// How to count; the sieve knows the encodings power and exact alone, the frontier engine power
    #[arg(long, value_enum, default_value_t = EngineName::Auto, value_name = "ENGINE", help_heading = "Features")]
    engine: EngineName,
}

#[derive(Clone, Copy, ValueEnum)]
enum Preset {
    /// As Giscard and Wilson: power encoding, 3 labels, rooted counts, cycles with the paths, all bins
    Paper,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum EncodingName {
    /// Ends, and the sum of the codes 0, 1, 2, ... of the labels between
    Power,
    /// Ends, and how often each label is between
    Composition,
    /// What composition gives, decoded from real numbers as in the paper; short lengths
    Exact,
    /// All labels in order
    Sequence,
}

#[derive(Clone, Copy, ValueEnum)]
enum CyclesName {
    /// As features of their own, each cycle once
    Separate,
    /// With the paths, from each of their vertices
    Merged,
    /// Not at all
    Off,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Switch {
    On,
    Off,
}

/// `all`, or a number of labels.
fn labels(text: &str) -> Result<LabelChoice, String> {
    match text {
        "all" => Ok(LabelChoice::All),
        _ => match text.parse() {
            Ok(labels) if labels > 0 => Ok(LabelChoice::Commonest(labels)),
            _ => Err("expected a number of labels from 1, or all".to_owned()),
        },
    }
}

impl EmbeddingArguments {
    /// All of them, for what cannot be combined with them.
    pub(crate) const NAMES: [&str; 15] = [
        "preset",
        "encoding",
        "codes",
        "max_length",
        "refine",
        "profile",
        "labels",
        "bins",
        "edge_labels",
        "cycles",
        "paths",
        "vertices",
        "hash_bits",
        "min_graphs",
        "engine",
    ];

    /// Which labels to tell apart, if that was said, for kernels that take nothing else of these.
    pub(crate) fn labels(&self) -> Option<LabelChoice> {
        self.labels
    }

    /// The longest length, if that was said.
    pub(crate) fn max_length(&self) -> Option<usize> {
        self.max_length
    }

    /// Whether the labels of edges have a say.
    pub(crate) fn edge_labels(&self) -> EdgeLabels {
        if self.edge_labels { EdgeLabels::Used } else { EdgeLabels::Ignored }
    }

    /// The settings they stand for.
    pub(crate) fn settings(&self) -> Result<AllPathsCycles, Usage> {
        let max_length = self.max_length.unwrap_or(AllPathsCycles::MAX_LENGTH);
        let settings = match self.preset {
            Some(Preset::Paper) => AllPathsCycles::paper(max_length),
            None => {
                let short = || Profile::new([(self.refine.unwrap_or(0), max_length)]);
                let profile =
                    self.profile.clone().map_or_else(short, Ok).map_err(|error| Usage(error.to_string()))?;
                let mut settings = AllPathsCycles::of(profile)
                    .encoding(self.encoding.into())
                    .codes(self.codes.iter().copied())
                    .cycles(self.cycles.into())
                    .edge_labels(self.edge_labels());
                if let Some(choice) = self.labels {
                    settings = settings.labels(choice);
                }
                if self.paths == Switch::Off {
                    settings = settings.without_paths();
                }
                if self.vertices == Switch::Off {
                    settings = settings.without_vertices();
                }
                settings
            }
        };
        let settings = self.bins.iter().cloned().fold(settings, AllPathsCycles::bins);
        let settings = settings.min_graphs(self.min_graphs).engine(self.engine.into());
        Ok(self.hash_bits.map_or(settings.clone(), |bits| settings.hash_bits(bits)))
    }
}

impl From<EncodingName> for Encoding {
    fn from(name: EncodingName) -> Self {
        match name {
            EncodingName::Power => Encoding::Power,
            EncodingName::Composition => Encoding::Composition,
            EncodingName::Exact => Encoding::Exact,
            EncodingName::Sequence => Encoding::Sequence,
        }
    }
}

impl From<CyclesName> for Cycles {
    fn from(name: CyclesName) -> Self {
        match name {
            CyclesName::Separate => Cycles::Separate,
            CyclesName::Merged => Cycles::Merged,
            CyclesName::Off => Cycles::Off,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Args;

    use super::*;

    #[test]
    fn all_are_named() {
        let command = EmbeddingArguments::augment_args(clap::Command::new("test"));
        assert!(
            command.get_arguments().map(|argument| argument.get_id().as_str()).eq(EmbeddingArguments::NAMES)
        );
    }
}

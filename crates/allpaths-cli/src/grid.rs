//! The arguments that say which kernels and machines are tried.

use std::ffi::OsString;

use allpaths::Graph;
use allpaths::count::Limits;
use allpaths::embed::{EdgeLabels, Stopped};
use allpaths::evaluate::Grid;
use allpaths::learn::{ClassWeights, Decoding, OutputCodes, Svm};
use clap::{ArgMatches, Args, Command, CommandFactory, FromArgMatches, ValueEnum};

use crate::kernel::KernelArguments;
use crate::limits::OnBudget;
use crate::{Usage, size};

/// Kernels and machines.
#[derive(clap::Args)]
pub(crate) struct GridArguments {
    #[command(flatten)]
    kernel: KernelArguments,

    /// What an error costs the machine: a number, or several to choose from [default: 1; for the default kernel 1,10,100]
    #[arg(long, value_name = "C", value_delimiter = ',', help_heading = "Machine")]
    c: Vec<f64>,

    /// Try several values of a kernel's option: max-length=3,5,7; may be used several times
    #[arg(long, value_name = "OPTION=VALUES")]
    grid: Vec<String>,

    /// Search the family of kernels for the ones that suit these graphs; takes its time
    #[arg(long, conflicts_with_all = ["grid", "kernel"])]
    tuned: bool,

    /// Most memory that a matrix of kernel values may take, as in 500MB, 4GiB [default: what the machine has left]
    #[arg(long, value_name = "SIZE", value_parser = size::parse)]
    max_memory: Option<u64>,

    /// What to do with a graph that is over its budget
    #[arg(long, value_enum, default_value_t = OnBudget::Fail, value_name = "WHAT")]
    on_budget: OnBudget,

    /// Which machines are trained for more than two classes
    #[arg(long, value_enum, default_value_t = CodesName::OneVsRest, value_name = "CODES", help_heading = "Machine")]
    output_codes: CodesName,

    /// How several machines decide together
    #[arg(long, value_enum, default_value_t = DecodingName::Hinge, value_name = "HOW", help_heading = "Machine")]
    decoding: DecodingName,

    /// What errors cost in each class
    #[arg(long, value_enum, default_value_t = WeightsName::Equal, value_name = "WEIGHTS", help_heading = "Machine")]
    class_weights: WeightsName,
}

#[derive(Clone, Copy, ValueEnum)]
enum CodesName {
    /// One for each pair of classes
    OneVsOne,
    /// One for each class against the others
    OneVsRest,
    /// One for each way to split the classes in two
    Exhaustive,
}

#[derive(Clone, Copy, ValueEnum)]
enum DecodingName {
    /// Each has a vote
    Votes,
    /// A clear decision counts more
    Hinge,
}

#[derive(Clone, Copy, ValueEnum)]
enum WeightsName {
    /// As much in every class
    Equal,
    /// More in smaller classes
    Balanced,
}

impl GridArguments {
    /// The grid they stand for, and what it is called.
    ///
    /// `name` is the subcommand whose arguments these are; the program's own arguments are read anew for each combination of values.
    pub(crate) fn grid(&self, name: &'static str) -> anyhow::Result<(Grid, &'static str)> {
        let command = || crate::Arguments::command().mut_subcommand(name, |sub| sub.args_override_self(true));
        let parse = |more: &[OsString]| {
            let all = std::env::args_os().chain(more.iter().cloned());
            // Without more, these were read before: what is wrong is a value of the grid.
            let mut matches = command().try_get_matches_from(all).map_err(|error| usage("--grid", &error))?;
            matches.remove_subcommand().map(|(_, matches)| matches).ok_or_else(|| unreachable(name))
        };
        self.expanded(&parse)
    }

    /// The grid of a kernel given with its options in one word, `wl-oa --rounds 3`: what is not said of machines is taken from another grid.
    pub(crate) fn from_words(words: &str, other: &Grid) -> anyhow::Result<Grid> {
        let command =
            || Self::augment_args(Command::new("--against").args_override_self(true)).no_binary_name(true);
        let words: Vec<OsString> =
            ["--kernel"].into_iter().chain(words.split_whitespace()).map(OsString::from).collect();
        let parse = |more: &[OsString]| {
            command()
                .try_get_matches_from(words.iter().chain(more))
                .map_err(|error| usage("--against", &error))
        };
        let own = Self::from_arg_matches(&parse(&[])?)?;
        let (grid, _) = own.expanded(&parse)?;
        Ok(if own.c.is_empty() { grid.c(other.cs().iter().copied()) } else { grid })
    }

    /// The grid that suits some graphs, if it is to be searched for.
    pub(crate) fn tuned(&self, graphs: &[Graph]) -> Option<Grid> {
        self.tuned.then(|| self.with_machines(Grid::tuned(graphs)))
    }

    /// Whether edge labels are told apart.
    pub(crate) fn edge_labels(&self) -> EdgeLabels {
        self.kernel.edge_labels()
    }

    /// What becomes of a graph that is over its budget.
    pub(crate) fn stopped(&self) -> Stopped {
        self.on_budget.into()
    }

    /// The same grid within limits.
    pub(crate) fn within(&self, grid: Grid, limits: Limits) -> Grid {
        self.max_memory.into_iter().fold(grid.limits(limits, self.stopped()), Grid::max_bytes)
    }

    fn expanded(
        &self,
        parse: &dyn Fn(&[OsString]) -> anyhow::Result<ArgMatches>,
    ) -> anyhow::Result<(Grid, &'static str)> {
        let is_named = !self.grid.is_empty() || self.kernel.name_one();
        let grid = match is_named {
            false => Grid::standard_with(self.kernel.edge_labels()),
            true => {
                let arguments = |more: &Vec<OsString>| -> anyhow::Result<KernelArguments> {
                    Ok(KernelArguments::from_arg_matches(&parse(more)?)?)
                };
                let all = self.combinations()?.iter().map(arguments).collect::<anyhow::Result<Vec<_>>>()?;
                Grid::of(KernelArguments::kernels(&all)?)
            }
        };
        let name = match (self.tuned, is_named) {
            (true, _) => "tuned",
            (_, true) => grid.name(),
            (_, false) => "default",
        };
        Ok((self.with_machines(grid), name))
    }

    fn with_machines(&self, grid: Grid) -> Grid {
        let grid = if self.c.is_empty() { grid } else { grid.c(self.c.iter().copied()) };
        let codes = match self.output_codes {
            CodesName::OneVsOne => OutputCodes::OneVsOne,
            CodesName::OneVsRest => OutputCodes::OneVsRest,
            CodesName::Exhaustive => OutputCodes::Exhaustive,
        };
        let decoding = match self.decoding {
            DecodingName::Votes => Decoding::Votes,
            DecodingName::Hinge => Decoding::Hinge,
        };
        let weights = match self.class_weights {
            WeightsName::Equal => ClassWeights::Equal,
            WeightsName::Balanced => ClassWeights::Balanced,
        };
        grid.svm(Svm::default().codes(codes).decoding(decoding).weights(weights))
    }

    /// Arguments to add, for each combination of values.
    fn combinations(&self) -> Result<Vec<Vec<OsString>>, Usage> {
        let mut all = vec![Vec::new()];
        for option in &self.grid {
            let (name, values) = option.split_once('=').ok_or_else(|| {
                Usage(format!("--grid {option}: give an option and its values, as in max-length=3,5,7"))
            })?;
            let name = name.trim_start_matches('-');
            // A profile has commas of its own.
            let separator = if values.contains(';') { ';' } else { ',' };
            let with = |value: &str| match value {
                "on" => vec![OsString::from(format!("--{name}"))],
                "off" => Vec::new(),
                _ => vec![OsString::from(format!("--{name}={value}"))],
            };
            let values: Vec<Vec<OsString>> = values.split(separator).map(with).collect();
            all = all
                .iter()
                .flat_map(|one| values.iter().map(move |more| [one.as_slice(), more].concat()))
                .collect();
        }
        Ok(all)
    }
}

fn unreachable(name: &str) -> anyhow::Error {
    anyhow::anyhow!("{name}: its own arguments are not there")
}

/// What is wrong with words inside an argument, without the usage of the whole program.
fn usage(argument: &str, error: &clap::Error) -> anyhow::Error {
    let words = error.to_string();
    let end = ["\n\nUsage:", "\n\nFor more"].iter().filter_map(|mark| words.find(mark)).min();
    let words = words[..end.unwrap_or(words.len())].trim_start_matches("error: ").trim_end();
    Usage(format!("{argument}: {words}")).into()
}

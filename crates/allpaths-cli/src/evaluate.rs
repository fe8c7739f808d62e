//! `allpaths evaluate`: how well a kernel classifies graphs it has not seen.

use std::path::PathBuf;

use allpaths::evaluate::{Confusion, CrossValidation, Difference, Evaluation, Grid, Protocol, Times};
use serde::Serialize;

use crate::Done;
use crate::grid::GridArguments;
use crate::input::ReadingArguments;
use crate::output::{self, OutputFormat};
use crate::watch::{self, Progress};

const EXAMPLES: &str = "\
Examples:
  allpaths evaluate MUTAG/                                      the default kernel, settings chosen inside the training folds
  allpaths evaluate MUTAG/ --kernel wl-oa --rounds 5 --c 1      nothing to choose
  allpaths evaluate MUTAG/ --grid max-length=3,5,7 --c 1,10,100 --nested
  allpaths evaluate MUTAG/ --repeats 10 --against 'wl-oa --grid rounds=1,2,3,4,5'

Exit codes: 0 done, 1 a fault of the program, 2 usage, 3 input, 4 stopped early.";

/// Evaluate a kernel by cross-validation
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// File or TU folder to read, with classes
    #[arg(value_name = "INPUT")]
    input: PathBuf,

    #[command(flatten)]
    grid: GridArguments,

    /// Choose settings inside the training folds; without it, the best of several is reported as it is
    #[arg(long)]
    nested: bool,

    /// Number of folds
    #[arg(long, value_name = "N", default_value_t = 10)]
    folds: usize,

    /// Number of folds that training folds are split into where settings are chosen inside them
    #[arg(long, value_name = "N", default_value_t = 5)]
    inner_folds: usize,

    /// How often to split into folds anew
    #[arg(long, value_name = "N", default_value_t = 1)]
    repeats: usize,

    /// Seed of all splits
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    /// Another kernel with its options, to evaluate on the same folds: 'wl-oa --rounds 3'
    #[arg(long, value_name = "KERNEL")]
    against: Option<String>,

    /// Number of threads [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,

    /// How to print the result
    #[arg(short, long, value_enum, default_value_t = OutputFormat::Table, value_name = "FORMAT")]
    format: OutputFormat,

    #[command(flatten)]
    reading: ReadingArguments,
}

#[derive(Serialize)]
struct Report<'a> {
    dataset: &'a str,
    #[serde(flatten)]
    found: Found<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    against: Option<Against<'a>>,
}

#[derive(Serialize)]
struct Against<'a> {
    #[serde(flatten)]
    found: Found<'a>,
    difference: Difference,
}

#[derive(Serialize)]
struct Found<'a> {
    kernel: &'a str,
    settings: &'a Grid,
    protocol: Protocol,
    folds: usize,
    repeats: usize,
    seed: u64,
    accuracy_mean: f64,
    accuracy_std: f64,
    per_repeat: Vec<f64>,
    balanced_accuracy: f64,
    baseline_majority: f64,
    confusion: Confusion,
    chosen: &'a [Times],
    seconds: Seconds,
}

#[derive(Serialize)]
struct Seconds {
    read: f64,
    embed: f64,
    gram: f64,
    learn: f64,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Done> {
    let (grid, is_named) = arguments.grid.grid("evaluate")?;
    let against = match &arguments.against {
        Some(words) => {
            let (own, other) = GridArguments::from_words(words)?;
            Some(if own.has_c() { other } else { other.c(grid.cs().iter().copied()) })
        }
        None => None,
    };
    let input = arguments.reading.read(&arguments.input)?;
    let name = input.data.name();
    let Some(classes) = input.data.classes() else {
        return Err(crate::Usage(format!("{}: no classes to learn: evaluate takes graphs with classes", input.name())).into());
    };
    let cross_validation = arguments.cross_validation(is_named);
    let monitor = watch::monitor();
    let run = |grid: &Grid| {
        let _progress = Progress::of(format!("evaluating {name}"), 1, &monitor);
        cross_validation.run_under(grid, input.data.graphs(), classes, &monitor)
    };
    let first = run(&grid)?;
    let second = against.as_ref().map(run).transpose()?;
    let found = |evaluation, grid, is_named| arguments.found(evaluation, grid, is_named, input.seconds);
    let against = match (&against, &second) {
        (Some(grid), Some(second)) => {
            Some(Against { found: found(second, grid, true), difference: first.better_than(second)? })
        }
        _ => None,
    };
    let report = Report { dataset: name, found: found(&first, &grid, is_named), against };
    report.print(arguments.format)?;
    Ok(Done::All)
}

impl Arguments {
    fn cross_validation(&self, is_named: bool) -> CrossValidation {
        let mut cross_validation = CrossValidation::new(self.folds).repeats(self.repeats).seed(self.seed);
        // The default kernel is a menu, and choosing from it is part of learning.
        if self.nested || !is_named {
            cross_validation = cross_validation.nested(self.inner_folds);
        }
        match self.threads {
            Some(threads) => cross_validation.threads(threads.into()),
            None => cross_validation,
        }
    }

    fn found<'a>(&self, evaluation: &'a Evaluation, grid: &'a Grid, is_named: bool, read: f64) -> Found<'a> {
        let allpaths::evaluate::Seconds { embed, gram, learn } = evaluation.seconds();
        let mut names = grid.kernels().iter().map(|kernel| kernel.substructures().name());
        let first = names.next().unwrap_or_default();
        Found {
            kernel: match is_named {
                false => "default",
                true if names.all(|name| name == first) => first,
                true => "several",
            },
            settings: grid,
            protocol: evaluation.protocol(),
            folds: self.folds,
            repeats: self.repeats,
            seed: self.seed,
            accuracy_mean: evaluation.accuracy_mean(),
            accuracy_std: evaluation.accuracy_std(),
            per_repeat: evaluation.per_repeat(),
            balanced_accuracy: evaluation.balanced_accuracy(),
            baseline_majority: evaluation.baseline_majority(),
            confusion: evaluation.confusion(),
            chosen: evaluation.chosen(),
            seconds: Seconds { read, embed, gram, learn },
        }
    }
}

impl Report<'_> {
    fn print(&self, format: OutputFormat) -> anyhow::Result<()> {
        let mut out = std::io::stdout().lock();
        output::json(&mut out, self)
    }
}

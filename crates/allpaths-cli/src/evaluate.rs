//! `allpaths evaluate`: how well a kernel classifies graphs it has not seen.

use std::io::Write;
use std::path::PathBuf;

use allpaths::count::Outcome;
use allpaths::evaluate::{
    Confusion, CrossValidation, Difference, Evaluation, Grid, Protocol, Telling, Times, telling,
};
use allpaths::kernel::{Landmarks, Nystroem};
use serde::Serialize;

use crate::grid::GridArguments;
use crate::input::{Input, ReadingArguments};
use crate::limits::LimitArguments;
use crate::output::{self, OutputFormat};
use crate::watch::{self, Progress};
use crate::{Done, Usage};

const EXAMPLES: &str = "\
Examples:
  allpaths evaluate demo                                        the default kernel on graphs that come with the program
  allpaths evaluate MUTAG/ --repeats 10                         settings are chosen inside the training folds
  allpaths evaluate MUTAG/ --kernel wl-oa --rounds 5 --c 1      nothing to choose
  allpaths evaluate MUTAG/ --grid max-length=3,5,7 --c 1,10,100 --nested
  allpaths evaluate big.parquet --approximate nystroem:512      by landmarks, without a matrix of all pairs
  allpaths evaluate MUTAG/ --repeats 10 --against 'wl-oa --grid rounds=1,2,3,4,5'

Exit codes: 0 done, 1 a fault of the program, 2 usage, 3 input, 4 stopped early.";

/// Evaluate a kernel by cross-validation
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// File or TU folder to read, with classes; `demo` comes with the program
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

    /// Approximate kernels by landmarks, without a matrix of all pairs: nystroem:512, and perhaps how landmarks are chosen, as in nystroem:512:kmeans++;
    /// uniform, kmeans++ or leverage. It pays where graphs are many; with some thousand, for cosines and a large C, and not for the default kernel
    #[arg(long, value_name = "HOW", value_parser = approximation)]
    approximate: Option<Nystroem>,

    /// Another kernel with its options, to evaluate on the same folds: 'wl-oa --rounds 3'
    #[arg(long, value_name = "KERNEL")]
    against: Option<String>,

    /// Name so many features that tell classes apart, by a linear machine on all graphs [default: 5 for demo, else 0]
    #[arg(long, value_name = "N")]
    top: Option<usize>,

    /// Write the fold of each graph and what was predicted of it, as CSV
    #[arg(long, value_name = "FILE")]
    predictions: Option<PathBuf>,

    /// Leave out graphs with more vertices
    #[arg(long, value_name = "N", help_heading = "Input")]
    max_vertices: Option<usize>,

    /// Take one graph in so many, for a trial
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..), help_heading = "Input")]
    every: u32,

    #[command(flatten)]
    limits: LimitArguments,

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
    #[serde(skip_serializing_if = "Vec::is_empty")]
    top: Vec<Telling>,
    #[serde(skip)]
    graphs: usize,
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
    /// Of two classes.
    roc_auc: Option<f64>,
    baseline_majority: f64,
    confusion: Confusion,
    chosen: &'a [Times],
    #[serde(skip_serializing_if = "Option::is_none")]
    approximation_error: Option<f64>,
    outcome: Outcome,
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
    let (grid, name) = arguments.grid.grid("evaluate")?;
    let against =
        arguments.against.as_ref().map(|words| GridArguments::from_words(words, &grid)).transpose()?;
    let mut input = arguments.reading.read(&arguments.input)?;
    if let (Some(_), _) | (_, 2..) = (arguments.max_vertices, arguments.every) {
        input.data = input.data.sample(arguments.max_vertices, arguments.every as usize);
    }
    let classes = classes(&input)?;
    let ready = |grid: Grid| {
        let grid = arguments.grid.within(grid, arguments.limits.limits());
        arguments.approximate.into_iter().fold(grid, |grid, it| grid.approximate(it.seed(arguments.seed)))
    };
    let against = against.map(ready);
    let grid = ready(arguments.grid.tuned(input.data.graphs()).unwrap_or(grid));
    let cross_validation = arguments.cross_validation(name);
    let monitor = watch::monitor();
    let run = |grid: &Grid| {
        let _progress = Progress::of(format!("evaluating {}", input.data.name()), 1, &monitor);
        cross_validation.run_under(grid, input.data.graphs(), classes, &monitor)
    };
    let first = run(&grid)?;
    let second = against.as_ref().map(run).transpose()?;
    let found = |evaluation, grid, name| arguments.found(evaluation, grid, name, input.seconds);
    let against = match (&against, &second) {
        (Some(grid), Some(second)) => {
            Some(Against { found: found(second, grid, grid.name()), difference: first.better_than(second)? })
        }
        _ => None,
    };
    let top = arguments.top.unwrap_or(if input.is_built_in() { 5 } else { 0 });
    let report = Report {
        dataset: input.data.name(),
        found: found(&first, &grid, name),
        against,
        top: match first.chosen().iter().max_by_key(|choice| choice.times) {
            // Kernels on pairs of graphs have no features to tell of.
            Some(choice) if top > 0 && choice.kernel.substructures().has_features() => {
                telling(&choice.kernel, input.data.graphs(), classes, top, &monitor)?
            }
            _ => Vec::new(),
        },
        graphs: input.data.graphs().len(),
    };
    if let Some(path) = &arguments.predictions {
        first.write_predictions(path)?;
    }
    report.print(arguments.format)?;
    let mut outcomes = first.outcomes().to_vec();
    for (one, &other) in outcomes.iter_mut().zip(second.iter().flat_map(Evaluation::outcomes)) {
        *one = (*one).max(other);
    }
    Ok(Done::of(&outcomes))
}

/// A way to approximate kernels, as in `nystroem:512:leverage`.
fn approximation(text: &str) -> Result<Nystroem, String> {
    let mut words = text.split(':');
    let known = words.next() == Some("nystroem");
    let landmarks = words.next().and_then(|number| number.parse().ok()).filter(|&number: &usize| number > 0);
    let sampling = match words.next() {
        None => Some(Landmarks::Uniform),
        Some(name) => Landmarks::ALL.into_iter().find(|sampling| sampling.name() == name),
    };
    match (known, landmarks, sampling, words.next()) {
        (true, Some(landmarks), Some(sampling), None) => Ok(Nystroem::new(landmarks).sampling(sampling)),
        _ => Err("give a number of landmarks and perhaps how they are chosen, as in nystroem:512:kmeans++"
            .to_owned()),
    }
}

/// The classes of an input that is to be learnt from.
pub(crate) fn classes(input: &Input) -> Result<&[i64], Usage> {
    input.data.classes().ok_or_else(|| {
        Usage(format!(
            "{}: its graphs have no classes to learn: a TU folder has them in _graph_labels.txt",
            input.name()
        ))
    })
}

impl Arguments {
    fn cross_validation(&self, name: &str) -> CrossValidation {
        let mut cross_validation = CrossValidation::new(self.folds).repeats(self.repeats).seed(self.seed);
        // The default kernel is a menu, and choosing from it is part of learning.
        if self.nested || name == "default" {
            cross_validation = cross_validation.nested(self.inner_folds);
        }
        self.limits.threads().into_iter().fold(cross_validation, CrossValidation::threads)
    }

    fn found<'a>(&self, evaluation: &'a Evaluation, grid: &'a Grid, name: &'a str, read: f64) -> Found<'a> {
        let allpaths::evaluate::Seconds { embed, gram, learn } = evaluation.seconds();
        Found {
            kernel: name,
            settings: grid,
            protocol: evaluation.protocol(),
            folds: self.folds,
            repeats: self.repeats,
            seed: self.seed,
            accuracy_mean: evaluation.accuracy_mean(),
            accuracy_std: evaluation.accuracy_std(),
            per_repeat: evaluation.per_repeat(),
            balanced_accuracy: evaluation.balanced_accuracy(),
            roc_auc: evaluation.roc_auc(),
            baseline_majority: evaluation.baseline_majority(),
            confusion: evaluation.confusion(),
            chosen: evaluation.chosen(),
            approximation_error: evaluation.approximation_error(),
            outcome: evaluation.outcomes().iter().copied().max().unwrap_or_default(),
            seconds: Seconds { read, embed, gram, learn },
        }
    }
}

impl Found<'_> {
    /// What stands in a table, with some word for what there is none of.
    fn row(&self, none: &str) -> Vec<String> {
        let percent = |value: f64| format!("{value:.1}");
        vec![
            self.kernel.to_owned(),
            self.protocol.name().to_owned(),
            percent(self.accuracy_mean),
            percent(self.accuracy_std),
            percent(self.balanced_accuracy),
            percent(self.baseline_majority),
            self.roc_auc.map_or_else(|| none.to_owned(), |area| format!("{area:.3}")),
        ]
    }

    /// What the numbers mean.
    fn explain(&self, out: &mut impl Write) -> std::io::Result<()> {
        let settings = self.settings.candidates().count();
        let how = match self.protocol {
            Protocol::Fixed => "nothing was chosen".to_owned(),
            Protocol::Selected => {
                format!("the best of {settings} settings by this very accuracy: optimistic")
            }
            Protocol::Nested => format!("settings were chosen from {settings} inside the training folds"),
        };
        writeln!(out, "{}: {how}", self.kernel)?;
        if let (Some(nystroem), Some(error)) = (self.settings.approximation(), self.approximation_error) {
            let (landmarks, lost) = (nystroem.landmarks(), 100.0 * error);
            // On NCI1, kernels of which less is lost are within 1.5 points of what they reach exactly.
            let verdict = if lost > 10.0 { ", a lot: more of them lose less" } else { "" };
            writeln!(
                out,
                "  by {landmarks} landmarks, which lose {lost:.1} % of the kernel's trace{verdict}"
            )?;
        }
        if self.protocol != Protocol::Fixed {
            for chosen in self.chosen {
                writeln!(out, "  in {} of {} folds: {chosen}", chosen.times, self.folds * self.repeats)?;
            }
        }
        Ok(())
    }
}

impl Report<'_> {
    fn print(&self, format: OutputFormat) -> anyhow::Result<()> {
        let mut out = std::io::stdout().lock();
        let header =
            ["kernel", "protocol", "accuracy", "spread", "balanced", "majority", "AUC"].map(str::to_owned);
        let all = || std::iter::once(&self.found).chain(self.against.iter().map(|against| &against.found));
        match format {
            OutputFormat::Json => return output::json(&mut out, self),
            OutputFormat::Csv => {
                output::csv(&mut out, &header)?;
                all().try_for_each(|found| output::csv(&mut out, &found.row("")))?;
                return Ok(());
            }
            OutputFormat::Table => {}
        }
        let rows: Vec<Vec<String>> = all().map(|found| found.row("-")).collect();
        output::table(&mut out, 2, &header, &rows)?;
        let Found { folds, repeats, seed, .. } = self.found;
        let over = if repeats > 1 { "repeats" } else { "folds" };
        writeln!(
            out,
            "\n{}: {} graphs; {folds} folds, {repeats} repeat{}, seed {seed}; accuracies in percent, spread over {over}",
            self.dataset,
            self.graphs,
            if repeats == 1 { "" } else { "s" }
        )?;
        all().try_for_each(|found| found.explain(&mut out))?;
        if let Some(Against { found, difference }) = &self.against {
            let Difference { mean, standard_error } = difference;
            let (ours, theirs) = (self.found.kernel, found.kernel);
            writeln!(
                out,
                "{ours} against {theirs}: {mean:+.1} on the same folds, standard error {standard_error:.1}"
            )?;
        }
        if !self.top.is_empty() {
            writeln!(
                out,
                "\nwhat tells the classes apart, by the weights of a linear machine on all graphs:"
            )?;
            let row = |telling: &Telling| {
                vec![
                    telling.name.clone(),
                    telling.class.to_string(),
                    format!("{:+.2}", telling.weight),
                    telling.graphs.to_string(),
                ]
            };
            let header = ["feature", "class", "weight", "graphs"].map(str::to_owned);
            output::table(&mut out, 1, &header, &self.top.iter().map(row).collect::<Vec<_>>())?;
        }
        Ok(())
    }
}

//! `allpaths train`: a classifier of graphs, in a file.

use std::path::PathBuf;
use std::time::Instant;

use allpaths::evaluate::GraphClassifier;
use allpaths::kernel::GraphKernel;
use serde::Serialize;

use crate::Done;
use crate::evaluate::classes;
use crate::grid::GridArguments;
use crate::input::ReadingArguments;
use crate::limits::LimitArguments;
use crate::output::{self, OutputFormat};
use crate::watch::{self, Progress};

const EXAMPLES: &str = "\
Examples:
  allpaths train MUTAG/ -o mutag.model                     the default kernel, settings chosen by cross-validation
  allpaths train MUTAG/ --kernel wl --rounds 3 --c 10 -o mutag.model
  allpaths predict mutag.model new/

The file holds settings, the rows of these graphs and the machine, as arrays and JSON: no code.
Exit codes: 0 done, 1 a fault of the program, 2 usage, 3 input, 4 stopped early.";

/// Train a classifier on graphs with classes
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// File or TU folder to read, with classes; `demo` comes with the program
    #[arg(value_name = "INPUT")]
    input: PathBuf,

    /// File to write; one that is there is replaced
    #[arg(short, long, value_name = "MODEL")]
    output: PathBuf,

    #[command(flatten)]
    grid: GridArguments,

    /// Learn probabilities of classes, too
    #[arg(long)]
    probabilities: bool,

    /// Number of folds by which settings are chosen, where there are several
    #[arg(long, value_name = "N", default_value_t = 5)]
    folds: usize,

    /// Seed of all splits
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    limits: LimitArguments,

    /// How to print the summary
    #[arg(short, long, value_enum, default_value_t = OutputFormat::Table, value_name = "FORMAT")]
    format: OutputFormat,

    #[command(flatten)]
    reading: ReadingArguments,
}

/// What was trained.
#[derive(Serialize)]
struct Summary<'a> {
    dataset: &'a str,
    kernel: &'a str,
    settings: &'a GraphKernel,
    c: f64,
    graphs: usize,
    classes: &'a [i64],
    support: usize,
    seconds: Seconds,
}

#[derive(Serialize)]
struct Seconds {
    read: f64,
    train: f64,
    write: f64,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Done> {
    let (grid, _) = arguments.grid.grid("train")?;
    let input = arguments.reading.read(&arguments.input)?;
    let classes = classes(&input)?;
    let grid = arguments.grid.tuned(input.data.graphs()).unwrap_or(grid).limits(arguments.limits.limits());
    let mut classifier = GraphClassifier::of(grid).folds(arguments.folds).seed(arguments.seed);
    if arguments.probabilities {
        classifier = classifier.probabilities();
    }
    classifier = arguments.limits.threads().into_iter().fold(classifier, GraphClassifier::threads);
    let monitor = watch::monitor();
    let clock = Instant::now();
    let fitted = {
        let _progress = Progress::of(format!("learning from {}", input.data.name()), 1, &monitor);
        classifier.fit_under(input.data.graphs(), classes, &monitor)?
    };
    let train = clock.elapsed().as_secs_f64();
    let clock = Instant::now();
    fitted.write(&arguments.output)?;
    let settings = fitted.kernel().settings();
    let summary = Summary {
        dataset: input.data.name(),
        kernel: settings.substructures().name(),
        settings,
        c: fitted.svm().cost(),
        graphs: input.data.graphs().len(),
        classes: fitted.classes(),
        support: fitted.machine().support().len(),
        seconds: Seconds { read: input.seconds, train, write: clock.elapsed().as_secs_f64() },
    };
    if !fitted.machine().has_converged() {
        eprintln!("note: a machine did not come as close to its optimum as asked: a smaller C is easier");
    }
    summary.print(arguments.format)?;
    Ok(Done::All)
}

impl Summary<'_> {
    fn print(&self, format: OutputFormat) -> anyhow::Result<()> {
        let mut out = std::io::stdout().lock();
        let header = ["kernel", "C", "graphs", "classes", "support"].map(str::to_owned);
        let [c, graphs, classes, support] = [
            self.c.to_string(),
            self.graphs.to_string(),
            self.classes.len().to_string(),
            self.support.to_string(),
        ];
        let row = vec![self.settings.to_string(), c, graphs, classes, support];
        match format {
            OutputFormat::Json => output::json(&mut out, self),
            OutputFormat::Csv => {
                output::csv(&mut out, &header)?;
                Ok(output::csv(&mut out, &row)?)
            }
            OutputFormat::Table => Ok(output::table(&mut out, 1, &header, &[row])?),
        }
    }
}

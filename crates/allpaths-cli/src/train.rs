//! `allpaths train`: a classifier of graphs, in a file.

use std::path::{Path, PathBuf};
use std::time::Instant;

use allpaths::count::Outcome;
use allpaths::evaluate::{FittedClassifier, FittedLinear, GraphClassifier, Grid, LinearClassifier};
use allpaths::kernel::GraphKernel;
use allpaths::{AllPathsCycles, Graph, Monitor};
use clap::ValueEnum;
use serde::Serialize;

use crate::evaluate::classes;
use crate::grid::GridArguments;
use crate::input::ReadingArguments;
use crate::limits::LimitArguments;
use crate::output::{self, OutputFormat};
use crate::watch::{self, Progress};
use crate::{Done, Usage};

const EXAMPLES: &str = "\
Examples:
  allpaths train MUTAG/ -o mutag.model                     the default kernel, settings chosen by cross-validation
  allpaths train MUTAG/ --kernel wl --rounds 3 --c 10 -o mutag.model
  allpaths train MUTAG/ --model linear -o mutag.model      a weight for each path and cycle, for allpaths explain
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

    /// What is trained
    #[arg(long, value_enum, default_value_t = ModelName::Kernel, value_name = "MODEL")]
    model: ModelName,

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

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ModelName {
    /// A machine on a kernel
    Kernel,
    /// A weight for each feature: paths and cycles to length 6, or what --kernel and its options say
    Linear,
}

/// What was trained.
#[derive(Serialize)]
struct Summary<'a> {
    dataset: &'a str,
    kernel: &'a str,
    settings: Settings<'a>,
    /// Several where the mean of their machines decides.
    cs: Vec<f64>,
    graphs: usize,
    classes: &'a [i64],
    /// Graphs that a machine on a kernel leans on.
    #[serde(skip_serializing_if = "Option::is_none")]
    support: Option<usize>,
    /// Features that a linear machine weighs.
    #[serde(skip_serializing_if = "Option::is_none")]
    features: Option<usize>,
    outcome: Outcome,
    seconds: Seconds,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Settings<'a> {
    Kernel(&'a GraphKernel),
    Linear(&'a AllPathsCycles),
}

enum Trained {
    Kernel(Box<FittedClassifier>),
    Linear(Box<FittedLinear>),
}

#[derive(Serialize)]
struct Seconds {
    read: f64,
    train: f64,
    write: f64,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Done> {
    if arguments.probabilities && arguments.model == ModelName::Linear {
        return Err(Usage("--probabilities: a linear model learns none; leave it out".to_owned()).into());
    }
    let (grid, name) = arguments.grid.grid("train")?;
    let input = arguments.reading.read(&arguments.input)?;
    let classes = classes(&input)?;
    let grid = arguments.grid.tuned(input.data.graphs()).unwrap_or(grid);
    let grid = arguments.grid.within(grid, arguments.limits.limits());
    let monitor = watch::monitor();
    let clock = Instant::now();
    let trained = {
        let _progress = Progress::of(format!("learning from {}", input.data.name()), 1, &monitor);
        arguments.train(grid, name, (input.data.graphs(), classes), &monitor)?
    };
    let train = clock.elapsed().as_secs_f64();
    let clock = Instant::now();
    trained.write(&arguments.output)?;
    let seconds = Seconds { read: input.seconds, train, write: clock.elapsed().as_secs_f64() };
    trained.summary(input.data.name(), classes.len(), seconds).print(arguments.format)?;
    Ok(Done::of(trained.outcomes()))
}

impl Arguments {
    fn train(
        &self,
        grid: Grid,
        name: &str,
        (graphs, classes): (&[Graph], &[i64]),
        monitor: &Monitor,
    ) -> anyhow::Result<Trained> {
        let threads = self.limits.threads();
        if self.model == ModelName::Linear {
            let linear = LinearClassifier::of(&grid)?.folds(self.folds).seed(self.seed);
            // The default of kernels is a menu of theirs: refined labels are hard to read.
            let linear = if name == "default" { linear.embeddings([self.plain()]) } else { linear };
            let linear = threads.into_iter().fold(linear, LinearClassifier::threads);
            return Ok(Trained::Linear(Box::new(linear.fit_under(graphs, classes, monitor)?)));
        }
        let mut classifier = GraphClassifier::of(grid).folds(self.folds).seed(self.seed);
        if self.probabilities {
            classifier = classifier.probabilities();
        }
        classifier = threads.into_iter().fold(classifier, GraphClassifier::threads);
        let fitted = classifier.fit_under(graphs, classes, monitor)?;
        if !fitted.machine().has_converged() {
            eprintln!("note: a machine did not come as close to its optimum as asked: a smaller C is easier");
        }
        Ok(Trained::Kernel(Box::new(fitted)))
    }

    /// Paths and cycles by plain labels.
    fn plain(&self) -> AllPathsCycles {
        AllPathsCycles::default()
            .edge_labels(self.grid.edge_labels())
            .limits(self.limits.limits())
            .stopped(self.grid.stopped())
    }
}

impl Trained {
    fn write(&self, path: &Path) -> allpaths::Result<()> {
        match self {
            Self::Kernel(fitted) => fitted.write(path),
            Self::Linear(fitted) => fitted.write(path),
        }
    }

    fn outcomes(&self) -> &[Outcome] {
        match self {
            Self::Kernel(fitted) => fitted.kernel().outcomes(),
            Self::Linear(fitted) => fitted.outcomes(),
        }
    }

    fn summary<'a>(&'a self, dataset: &'a str, graphs: usize, seconds: Seconds) -> Summary<'a> {
        let outcome = self.outcomes().iter().copied().max().unwrap_or_default();
        match self {
            Self::Kernel(fitted) => {
                let settings = fitted.kernel().settings();
                Summary {
                    dataset,
                    kernel: settings.substructures().name(),
                    settings: Settings::Kernel(settings),
                    cs: fitted.cs().to_vec(),
                    graphs,
                    classes: fitted.classes(),
                    support: Some(fitted.machine().support().len()),
                    features: None,
                    outcome,
                    seconds,
                }
            }
            Self::Linear(fitted) => Summary {
                dataset,
                kernel: "linear",
                settings: Settings::Linear(fitted.embedding().settings()),
                cs: vec![fitted.machine().settings().cost()],
                graphs,
                classes: fitted.classes(),
                support: None,
                features: Some(fitted.embedding().columns().len()),
                outcome,
                seconds,
            },
        }
    }
}

impl Summary<'_> {
    fn print(&self, format: OutputFormat) -> anyhow::Result<()> {
        let mut out = std::io::stdout().lock();
        let (last, number) = match self.features {
            Some(features) => ("features", features),
            None => ("support", self.support.unwrap_or(0)),
        };
        let header = ["kernel", "C", "graphs", "classes", last].map(str::to_owned);
        let cs: Vec<String> = self.cs.iter().map(f64::to_string).collect();
        let [c, graphs, classes, number] =
            [cs.join(", "), self.graphs.to_string(), self.classes.len().to_string(), number.to_string()];
        let kernel = match self.settings {
            Settings::Kernel(kernel) => kernel.to_string(),
            Settings::Linear(paths) => format!("linear, lengths {}", paths.profile()),
        };
        let row = vec![kernel, c, graphs, classes, number];
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

//! `allpaths gram`: a kernel between all graphs, as a matrix in a file.

use std::path::PathBuf;
use std::time::Instant;

use allpaths::count::Outcome;
use allpaths::kernel::{FittedKernel, Gram, GraphKernel, Memory, Real, check_gram_name};
use serde::Serialize;

use crate::embedding::EmbeddingArguments;
use crate::input::ReadingArguments;
use crate::kernel::KernelArguments;
use crate::limits::{LimitArguments, OnBudget};
use crate::output::{self, OutputFormat};
use crate::watch::{self, Progress};
use crate::{Done, size};

const EXAMPLES: &str = "\
Examples:
  allpaths gram NCI1/ --kernel apc -l 7 --compare minmax -o nci1.npy
  allpaths gram NCI1/ --kernel apc --profile triangle:4 --by-cell -o cells.npy
  allpaths gram ENZYMES/ --kernel wl-oa --rounds 5 --normalize -o k.npy
  allpaths gram train/ --kernel shortest-path -o train.npy --save k.model
  allpaths gram test/ --load k.model -o test.npy          new graphs in rows, fitted ones in columns

The ending of the output's name tells what is written: .npy (NumPy), .csv, or .svm (precomputed kernels of LIBSVM).
Exit codes: 0 done, 1 a fault of the program, 2 usage, 3 input, 4 stopped early.";

/// Compare all graphs of a dataset by a kernel
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// File, TU folder or name of a dataset to read
    #[arg(value_name = "INPUT")]
    input: PathBuf,

    /// File to write; one that is there is replaced
    #[arg(short, long, value_name = "OUTPUT")]
    output: PathBuf,

    #[command(flatten)]
    kernel: KernelArguments,

    /// Write the fitted kernel to a file: settings, features and the rows of these graphs
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,

    /// Compare with the graphs of such a file, by its settings
    #[arg(long, value_name = "FILE", conflicts_with = "save", conflicts_with_all = KernelArguments::NAMES, conflicts_with_all = EmbeddingArguments::NAMES)]
    load: Option<PathBuf>,

    /// Write numbers of 32 bits
    #[arg(long)]
    float32: bool,

    /// Most memory that the matrix may take, as in 500MB, 4GiB [default: what the machine has left]
    #[arg(long, value_name = "SIZE", value_parser = size::parse)]
    max_memory: Option<u64>,

    #[command(flatten)]
    limits: LimitArguments,

    /// What to do with a graph that is over its budget
    #[arg(long, value_enum, default_value_t = OnBudget::Keep, value_name = "WHAT")]
    on_budget: OnBudget,

    /// How to print the summary
    #[arg(short, long, value_enum, default_value_t = OutputFormat::Table, value_name = "FORMAT")]
    format: OutputFormat,

    #[command(flatten)]
    reading: ReadingArguments,
}

/// What was done.
#[derive(Serialize)]
struct Summary<'a> {
    kernel: &'static str,
    settings: &'a GraphKernel,
    rows: usize,
    columns: usize,
    outcome: Outcome,
    seconds: Seconds,
}

#[derive(Default, Serialize)]
struct Seconds {
    read: f64,
    embed: f64,
    gram: f64,
    write: f64,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Done> {
    check_gram_name(&arguments.output)?;
    if arguments.float32 { arguments.run::<f32>() } else { arguments.run::<f64>() }
}

impl Arguments {
    fn run<T: Real + Into<f64> + Copy>(&self) -> anyhow::Result<Done>
    where
        Vec<T>: Into<allpaths::npz::Values>,
    {
        let kernel = self.kernel.kernel()?.limits(self.limits.limits(), self.on_budget.into());
        let kernel = self.limits.threads().into_iter().fold(kernel, GraphKernel::threads);
        let loaded = self.load.as_ref().map(FittedKernel::read).transpose()?;
        let input = self.reading.read(&self.input)?;
        let graphs = input.data.graphs();
        let columns = loaded.as_ref().map_or(graphs.len(), FittedKernel::rows);
        let memory = Memory::<T>::of(graphs.len(), columns);
        eprintln!("{memory}");
        memory.check(self.max_memory)?;

        let monitor = watch::monitor();
        let mut seconds = Seconds { read: input.seconds, ..Seconds::default() };
        let progress = Progress::of(format!("comparing {}", input.name()), 2, &monitor);
        let clock = Instant::now();
        let (fitted, others) = match loaded {
            Some(fitted) => {
                let fitted = fitted.threads(self.limits.threads());
                let fitted = fitted.limits(self.limits.limits(), self.on_budget.into());
                let others = fitted.count_under(graphs, &monitor)?;
                (fitted, Some(others))
            }
            None => (kernel.fit_under(graphs, &monitor)?, None),
        };
        seconds.embed = clock.elapsed().as_secs_f64();
        let clock = Instant::now();
        let fitted = fitted.max_bytes(self.max_memory);
        let (gram, outcomes): (Gram<T>, _) = match &others {
            Some(others) => (fitted.against_counted(others, &monitor)?, others.outcomes()),
            None => (fitted.gram_under(&monitor)?, fitted.outcomes()),
        };
        seconds.gram = clock.elapsed().as_secs_f64();
        drop(progress);
        let clock = Instant::now();
        gram.write(&self.output, input.data.classes())?;
        if let Some(path) = &self.save {
            fitted.write(path)?;
        }
        seconds.write = clock.elapsed().as_secs_f64();
        let summary = Summary {
            kernel: fitted.settings().substructures().name(),
            settings: fitted.settings(),
            rows: gram.rows(),
            columns: gram.columns(),
            outcome: outcomes.iter().copied().max().unwrap_or_default(),
            seconds,
        };
        summary.print(self.format)?;
        Ok(Done::of(outcomes))
    }
}

impl Summary<'_> {
    fn print(&self, format: OutputFormat) -> anyhow::Result<()> {
        let mut out = std::io::stdout().lock();
        let header = ["kernel", "rows", "columns", "outcome"].map(str::to_owned);
        let outcome = self.outcome.name().to_owned();
        let row = vec![self.kernel.to_owned(), self.rows.to_string(), self.columns.to_string(), outcome];
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

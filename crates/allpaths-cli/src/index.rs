//! `allpaths index`: a library of graphs in a file, ready to be searched by `allpaths similar`.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use allpaths::search::{Library, LibraryBuilder};
use allpaths::{AllPathsCycles, Monitor};
use serde::Serialize;

use crate::Done;
use crate::embedding::EmbeddingArguments;
use crate::input::ReadingArguments;
use crate::limits::LimitArguments;
use crate::output::{self, OutputFormat, grouped};
use crate::watch::{self, Progress};

const EXAMPLES: &str = "\
Examples:
  allpaths index library.smi -l 7 --edge-labels -o library.apx
  allpaths index drugs.csv --smiles-column smiles --on-error skip -o drugs.apx
  allpaths similar --query 'CC(=O)Oc1ccccc1C(=O)O' --in library.apx

Exit codes: 0 done, 1 a fault of the program, 2 usage, 3 input, 4 stopped early.";

/// Write a library of graphs to be searched by `similar`
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
    embedding: EmbeddingArguments,

    #[command(flatten)]
    limits: LimitArguments,

    /// How to print the summary
    #[arg(short, long, value_enum, default_value_t = OutputFormat::Table, value_name = "FORMAT")]
    format: OutputFormat,

    #[command(flatten)]
    reading: ReadingArguments,
}

#[derive(Serialize)]
struct Summary {
    input: String,
    graphs: usize,
    features: usize,
    seconds: Seconds,
}

#[derive(Serialize)]
struct Seconds {
    read: f64,
    write: f64,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Done> {
    let monitor = watch::monitor();
    let settings = arguments.embedding.settings()?.limits(arguments.limits.limits());
    let settings = arguments.limits.threads().into_iter().fold(settings, AllPathsCycles::threads);
    let clock = Instant::now();
    let Some(library) = read(&arguments.input, &arguments.reading, &settings, &monitor)? else {
        eprintln!("allpaths: stopped: nothing was written");
        return Ok(Done::StoppedEarly);
    };
    let read = clock.elapsed().as_secs_f64();
    let clock = Instant::now();
    library.write(&arguments.output)?;
    let summary = Summary {
        input: arguments.input.display().to_string(),
        graphs: library.len(),
        features: library.features(),
        seconds: Seconds { read, write: clock.elapsed().as_secs_f64() },
    };
    summary.print(arguments.format)?;
    Ok(Done::All)
}

/// Reads graphs a few at a time; nothing if somebody asked to stop.
pub(crate) fn read(
    input: &std::path::Path,
    reading: &ReadingArguments,
    settings: &AllPathsCycles,
    monitor: &Arc<Monitor>,
) -> anyhow::Result<Option<Library>> {
    let (labels, hydrogens) = reading.molecules();
    let mut builder = LibraryBuilder::new(settings)?.molecules(labels, hydrogens);
    let progress = Progress::counting(format!("reading {}", input.display()), monitor);
    for batch in reading.stream(input)? {
        builder.add(&batch?, monitor)?;
        if monitor.is_interrupted() {
            return Ok(None);
        }
        progress.count(builder.len() as u64);
    }
    Ok(Some(builder.finish()))
}

impl Summary {
    fn print(&self, format: OutputFormat) -> anyhow::Result<()> {
        let mut out = std::io::stdout().lock();
        match format {
            OutputFormat::Json => output::json(&mut out, self),
            OutputFormat::Csv => {
                output::csv(&mut out, &["graphs", "features"].map(str::to_owned))?;
                Ok(output::csv(&mut out, &[self.graphs.to_string(), self.features.to_string()])?)
            }
            OutputFormat::Table => {
                let rows = [("graphs", self.graphs), ("features", self.features)];
                let rows: Vec<Vec<String>> =
                    rows.iter().map(|(what, number)| vec![(*what).to_owned(), grouped(number)]).collect();
                Ok(output::table(&mut out, 1, &[self.input.clone(), String::new()], &rows)?)
            }
        }
    }
}

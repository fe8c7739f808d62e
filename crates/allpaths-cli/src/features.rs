//! `allpaths features`: what a file of features holds, by name.

use std::path::PathBuf;

use allpaths::embed::{Features, FileKind};
use serde::Serialize;

use crate::output::{self, OutputFormat, grouped};
use crate::{Done, Usage};

const EXAMPLES: &str = "\
Examples:
  allpaths features nci1.npz --top 20            the commonest
  allpaths features nci1.npz --format csv        all of them, for a spreadsheet";

/// List the features of a file by name, the commonest first
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// File that `allpaths embed` wrote (.npz, with its .json beside it)
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Show only so many
    #[arg(long, value_name = "N")]
    top: Option<usize>,

    /// How to print
    #[arg(short, long, value_enum, default_value_t = OutputFormat::Table, value_name = "FORMAT")]
    format: OutputFormat,
}

/// One feature, and how often it is found.
#[derive(Serialize)]
struct Line<'a> {
    name: &'a str,
    /// Graphs that have it.
    graphs: u64,
    /// Its count, summed over all graphs.
    total: u128,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Done> {
    if FileKind::of_name(&arguments.file).ok() != Some(FileKind::Npz) {
        let file = arguments.file.display();
        return Err(
            Usage(format!("{file}: only the names of .npz files can be listed: embed into one")).into()
        );
    }
    let (features, _) = Features::read_npz(&arguments.file)?;
    let mut lines: Vec<Line<'_>> =
        features.features().iter().map(|feature| Line { name: &feature.name, graphs: 0, total: 0 }).collect();
    let (_, columns, counts) = features.compressed_rows();
    for (&column, &count) in columns.iter().zip(counts) {
        let line = &mut lines[column as usize];
        line.graphs += 1;
        line.total += u128::from(count);
    }
    // Stable: what is equally common stays in the order of columns.
    lines.sort_by_key(|line| std::cmp::Reverse((line.graphs, line.total)));
    lines.truncate(arguments.top.unwrap_or(usize::MAX));
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let header = ["feature", "graphs", "total"].map(str::to_owned);
    match arguments.format {
        OutputFormat::Json => lines.iter().try_for_each(|line| output::json(&mut out, line))?,
        OutputFormat::Csv => {
            output::csv(&mut out, &header)?;
            for Line { name, graphs, total } in &lines {
                output::csv(&mut out, &[(*name).to_owned(), graphs.to_string(), total.to_string()])?;
            }
        }
        OutputFormat::Table => {
            let cells =
                |line: &Line<'_>| vec![line.name.to_owned(), grouped(&line.graphs), grouped(&line.total)];
            output::table(&mut out, 1, &header, &lines.iter().map(cells).collect::<Vec<_>>())?;
        }
    }
    Ok(Done::All)
}

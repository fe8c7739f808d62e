//! `allpaths view`: what one graph is made of, as a page.

use std::path::PathBuf;

use allpaths::Counter;
use allpaths::explain::View;

use crate::input::ReadingArguments;
use crate::limits::LimitArguments;
use crate::watch::{self, Progress};
use crate::{Done, Usage};

const EXAMPLES: &str = "\
Examples:
  allpaths view karate.gml --max-length 6 -o karate.html     drawn, counts by length, those of a vertex on a click
  allpaths view MUTAG/ --graph 17 -o molecule.html           one graph of a dataset

Graphs of more than 2,000 vertices are summed up, not drawn. The page needs nothing else: no network, no other file.
Exit codes: 0 done, 1 a fault of the program, 2 usage, 3 input, 4 stopped early.";

/// Show a graph: its drawing, its degrees, its paths and cycles
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// File, TU folder or name of a dataset to read
    #[arg(value_name = "INPUT")]
    input: PathBuf,

    /// Page to write; one that is there is replaced
    #[arg(short, long, value_name = "PAGE")]
    output: PathBuf,

    /// Longest path or cycle, in edges
    #[arg(short = 'l', long, value_name = "LENGTH", default_value_t = 6)]
    max_length: usize,

    /// Take this graph of a dataset, numbered from 0
    #[arg(long, value_name = "NUMBER")]
    graph: Option<usize>,

    #[command(flatten)]
    limits: LimitArguments,

    #[command(flatten)]
    reading: ReadingArguments,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Done> {
    let input = arguments.reading.read(&arguments.input)?;
    let graphs = input.data.graphs();
    let number = match (arguments.graph, graphs.len()) {
        (None, 1) => 0,
        (Some(number), count) if number < count => number,
        (None, count) => {
            let reason =
                format!("{}: has {count} graphs, a page shows one: choose with --graph", input.name());
            return Err(Usage(reason).into());
        }
        (Some(number), count) => {
            let reason = format!("{}: no graph {number}: there are {count}, from 0", input.name());
            return Err(Usage(reason).into());
        }
    };
    let name = match arguments.graph {
        Some(number) => format!("{}, graph {number}", input.data.name()),
        None => input.data.name().to_owned(),
    };
    let counter = Counter::up_to(arguments.max_length).limits(arguments.limits.limits());
    let counter = arguments.limits.threads().into_iter().fold(counter, Counter::threads);
    let monitor = watch::monitor();
    {
        let _progress = Progress::of(format!("counting in {name}"), 2, &monitor);
        View::new(counter).write(&arguments.output, &graphs[number], &name, &monitor)?;
    }
    println!("{}", arguments.output.display());
    Ok(Done::All)
}

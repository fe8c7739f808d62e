//! `allpaths convert`: the same graphs in another format.

use std::path::{Path, PathBuf};

use allpaths::dataset::{Dataset, Format, Writer};

use crate::format::FormatName;
use crate::input::{Input, ReadingArguments};
use crate::{Done, Usage};

const EXAMPLES: &str = "\
Examples:
  allpaths convert karate.gml -o karate.graphml            the name of the output tells the format
  allpaths convert MUTAG.zip -o MUTAG.s6                   all graphs of a dataset, one a line
  allpaths convert MUTAG.zip --graph 17 -o first.gml       one of them
  allpaths convert trust.csv --directed -o trust.mtx.gz    packed by gzip
  allpaths convert road.txt -o road --output-format tu     a folder

What the format cannot hold is left out, and a note on standard error says so.";

/// Write graphs in another format, and say what it cannot hold
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// File, TU folder or name of a dataset to read
    #[arg(value_name = "INPUT")]
    input: PathBuf,

    /// File to write, or folder for the TU format; a file that is there is replaced
    #[arg(short, long, value_name = "OUTPUT")]
    output: PathBuf,

    /// Format of the output; told by the ending of its name if not given
    #[arg(long, value_enum, value_name = "FORMAT")]
    output_format: Option<FormatName>,

    /// Take only this graph of a dataset, numbered from 0
    #[arg(long, value_name = "NUMBER")]
    graph: Option<usize>,

    #[command(flatten)]
    reading: ReadingArguments,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Done> {
    let output = &arguments.output;
    let format = arguments.format()?;
    check_apart(output, &arguments.input)?;
    let input = arguments.reading.read(&arguments.input)?;
    // A dataset that was given by its name is somewhere else.
    check_apart(output, &input.place)?;
    let chosen = arguments.chosen(&input)?;
    let data = chosen.as_ref().unwrap_or(&input.data);
    let count = data.graphs().len();
    if count > 1 && !format.holds_many() {
        let input = input.name();
        return Err(Usage(format!(
            "{input}: has {count} graphs, a file in {format} holds one: choose with --graph"
        ))
        .into());
    }
    for note in Writer::new().format(format).write(data, output)? {
        eprintln!("note: {}: {note}", output.display());
    }
    Ok(Done::All)
}

impl Arguments {
    fn format(&self) -> Result<Format, Usage> {
        let told = || if self.output.is_dir() { Some(Format::Tu) } else { Format::of_name(&self.output) };
        self.output_format.map(Format::from).or_else(told).ok_or_else(|| {
            let output = self.output.display();
            Usage(format!("{output}: the ending of the name tells no format: say which with --output-format"))
        })
    }

    /// A dataset of the graph asked for, if one is.
    fn chosen(&self, input: &Input) -> Result<Option<Dataset>, Usage> {
        let Some(number) = self.graph else { return Ok(None) };
        input.graphs(Some(number))?;
        Ok(Some(input.data.pick([number])))
    }
}

fn check_apart(output: &Path, input: &Path) -> Result<(), Usage> {
    match is_part_of(output, input) {
        true => Err(Usage(format!("{}: is the input, which is left as it is", output.display()))),
        false => Ok(()),
    }
}

/// Whether the output is there already as the input, or as one of its files.
fn is_part_of(output: &Path, input: &Path) -> bool {
    let (Ok(output), Ok(input)) = (output.canonicalize(), input.canonicalize()) else { return false };
    // A TU dataset may be named by one of its files.
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let shares_prefix =
        name(&input).strip_suffix("A.txt").is_some_and(|prefix| name(&output).starts_with(prefix));
    output.starts_with(&input) || (shares_prefix && output.parent() == input.parent())
}

//! `allpaths convert`: the same graphs in another format.

use std::path::{Path, PathBuf};

use allpaths::dataset::molecule::{AtomLabels, AtomPart};
use allpaths::dataset::{Dataset, Format, GraphColumns, Writer};

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
  allpaths convert drugs.smi -o drugs.sdf                  molecules, V2000 or, where they are too large for that, V3000

Graphs of any format are molecules if labels say which atoms and bonds they have, as in the graphs of SMILES: CH3, nH, O-, and - = # $ :.
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

    /// How Parquet and Arrow files say what a graph is
    #[arg(long, value_enum, value_name = "HOW", default_value_t = GraphColumnsName::Lists)]
    graph_columns: GraphColumnsName,

    /// Take only this graph of a dataset, numbered from 0
    #[arg(long, value_name = "NUMBER")]
    graph: Option<usize>,

    #[command(flatten)]
    reading: ReadingArguments,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq)]
enum GraphColumnsName {
    /// Lists, which other programs can read, such as source and target
    Lists,
    /// One value in place of lists, which Spark hands on faster
    Bytes,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Done> {
    let output = &arguments.output;
    let format = arguments.format()?;
    check_apart(output, &arguments.input)?;
    let input = arguments.reading_for(format).read(&arguments.input)?;
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
    let writer = Writer::new().format(format).graph_columns(arguments.graph_columns(format)?);
    for note in writer.write(data, output)? {
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

    fn graph_columns(&self, format: Format) -> Result<GraphColumns, Usage> {
        match self.graph_columns {
            GraphColumnsName::Lists => Ok(GraphColumns::Lists),
            GraphColumnsName::Bytes if matches!(format, Format::Parquet | Format::Arrow) => {
                Ok(GraphColumns::Bytes)
            }
            GraphColumnsName::Bytes => Err(Usage(format!(
                "--graph-columns bytes: {format} has no columns, files in Parquet and Arrow have"
            ))),
        }
    }

    /// How to read: molecules that stay molecules with all that a label can say, unless something else is asked for.
    fn reading_for(&self, format: Format) -> ReadingArguments {
        let (labels, hydrogens) = self.reading.molecules();
        let labels = match format.is_of_molecules() && labels == AtomLabels::default() {
            true => AtomLabels::with([
                AtomPart::Charge,
                AtomPart::Hydrogens,
                AtomPart::Aromatic,
                AtomPart::Isotope,
            ]),
            false => labels,
        };
        self.reading.like(labels, hydrogens)
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

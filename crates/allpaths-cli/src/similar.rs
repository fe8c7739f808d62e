//! `allpaths similar`: the graphs of a library that are most similar to others.

use std::path::PathBuf;
use std::time::Instant;

use allpaths::dataset::{Format, Reader};
use allpaths::search::{Hit, Library, Similarity};
use allpaths::{AllPathsCycles, Graph};
use serde::Serialize;

use crate::embedding::EmbeddingArguments;
use crate::input::ReadingArguments;
use crate::limits::LimitArguments;
use crate::output::{self, OutputFormat};
use crate::watch;
use crate::{Done, Usage, index};

const EXAMPLES: &str = "\
Examples:
  allpaths similar --query 'CC(=O)Oc1ccccc1C(=O)O' --in library.smi --edge-labels
  allpaths similar --queries new.smi --in library.apx --top 10 --format json
  allpaths similar --queries MUTAG/ --in MUTAG/ --measure cosine

Every answer is exact: graphs are left out of the comparison only where a bound shows that they cannot be among the best.
Of equally similar graphs those that come first in the library come first.
Exit codes: 0 done, 1 a fault of the program, 2 usage, 3 input, 4 stopped early.";

/// Find the graphs of a library that are most similar to others
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Molecule to look for, as SMILES; may be given several times
    #[arg(long, value_name = "SMILES", required_unless_present = "queries", conflicts_with = "queries")]
    query: Vec<String>,

    /// File, TU folder or name of a dataset with graphs to look for
    #[arg(long, value_name = "INPUT")]
    queries: Option<PathBuf>,

    /// Where to look: a file that `allpaths index` wrote, or any that can be read
    #[arg(long = "in", value_name = "LIBRARY")]
    library: PathBuf,

    /// How many graphs to find
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,

    /// What makes graphs similar
    #[arg(long, value_enum, default_value_t = MeasureName::Minmax, value_name = "MEASURE")]
    measure: MeasureName,

    #[command(flatten)]
    embedding: EmbeddingArguments,

    #[command(flatten)]
    limits: LimitArguments,

    /// How to print what was found
    #[arg(short, long, value_enum, default_value_t = OutputFormat::Table, value_name = "FORMAT")]
    format: OutputFormat,

    #[command(flatten)]
    reading: ReadingArguments,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum MeasureName {
    /// Sum of the smaller counts over sum of the larger ones: Tanimoto's coefficient
    Minmax,
    /// Sum of the smaller counts
    Intersection,
    /// Cosine of the angle between counts
    Cosine,
}

impl From<MeasureName> for Similarity {
    fn from(name: MeasureName) -> Self {
        match name {
            MeasureName::Minmax => Similarity::MinMax,
            MeasureName::Intersection => Similarity::Intersection,
            MeasureName::Cosine => Similarity::Cosine,
        }
    }
}

/// What was found for one graph.
#[derive(Serialize)]
struct Found {
    query: String,
    hits: Vec<Named>,
    /// How many graphs of the library were compared, and how many there are.
    compared: usize,
    library: usize,
    seconds: Seconds,
}

#[derive(Serialize)]
struct Named {
    rank: usize,
    name: String,
    #[serde(flatten)]
    hit: Hit,
}

/// How long it took to load the library, all queries taken together, and to search it for this one.
#[derive(Serialize)]
struct Seconds {
    load: f64,
    search: f64,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Done> {
    let clock = Instant::now();
    let Some(library) = arguments.library()? else {
        eprintln!("allpaths: stopped: nothing was searched");
        return Ok(Done::StoppedEarly);
    };
    let queries = arguments.queries(&library)?;
    let search = library.search(arguments.measure.into());
    let load = clock.elapsed().as_secs_f64();
    let mut found = Vec::new();
    for (query, graph) in queries {
        let clock = Instant::now();
        let (hits, compared) = search.nearest_comparing(&graph, arguments.top)?;
        let seconds = Seconds { load, search: clock.elapsed().as_secs_f64() };
        let named = |(hit, rank): (Hit, usize)| Named { rank, name: library.name(hit.row), hit };
        let hits = hits.into_iter().zip(1..).map(named).collect();
        found.push(Found { query, hits, compared, library: library.len(), seconds });
    }
    print(&found, arguments.format)?;
    Ok(Done::All)
}

impl Arguments {
    /// What to look in; nothing if somebody asked to stop.
    fn library(&self) -> anyhow::Result<Option<Library>> {
        let settings = self.embedding.settings()?;
        if self.library.is_file() && Library::is_in(&self.library)? {
            if settings != AllPathsCycles::default() {
                let library = self.library.display();
                let reason =
                    "an index has the features it was made with: leave out options that choose features";
                return Err(Usage(format!("{library}: {reason}")).into());
            }
            return Ok(Some(Library::read(&self.library)?));
        }
        let settings = settings.limits(self.limits.limits());
        let settings = self.limits.threads().into_iter().fold(settings, AllPathsCycles::threads);
        index::read(&self.library, &self.reading, &settings, &watch::monitor())
    }

    /// What to look for: graphs, and what they are called. Molecules are read as those of the library were.
    fn queries(&self, library: &Library) -> anyhow::Result<Vec<(String, Graph)>> {
        let (labels, hydrogens) = library.molecules();
        let Some(path) = &self.queries else {
            let reader =
                Reader::new().format(Format::Smiles).atom_labels(labels.clone()).hydrogens(hydrogens);
            let read = |smiles: &String| {
                let data = reader.read_bytes("--query", smiles.as_str())?;
                let graph = data.graphs().first().cloned();
                let none = || Usage("a query is empty: expected a SMILES".to_owned());
                Ok((smiles.clone(), graph.ok_or_else(none)?))
            };
            return self.query.iter().map(read).collect();
        };
        let input = self.reading.like(labels.clone(), hydrogens).read(path)?;
        let name = |row: usize| match input.data.names().map(|names| names[row].as_str()) {
            Some(name) if !name.is_empty() => name.to_owned(),
            _ => row.to_string(),
        };
        Ok(input.data.graphs().iter().enumerate().map(|(row, graph)| (name(row), graph.clone())).collect())
    }
}

fn print(found: &[Found], format: OutputFormat) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    if format == OutputFormat::Json {
        return found.iter().try_for_each(|found| output::json(&mut out, found));
    }
    let header = ["query", "name", "rank", "row", "score"].map(str::to_owned);
    let digits = |score: f64| match format {
        OutputFormat::Table => output::rounded(score),
        _ => score.to_string(),
    };
    let rows: Vec<Vec<String>> = found
        .iter()
        .flat_map(|found| found.hits.iter().map(move |named| (found, named)))
        .map(|(found, Named { rank, name, hit })| {
            vec![found.query.clone(), name.clone(), rank.to_string(), hit.row.to_string(), digits(hit.score)]
        })
        .collect();
    match format {
        OutputFormat::Table => output::table(&mut out, 2, &header, &rows)?,
        _ => {
            output::csv(&mut out, &header)?;
            rows.iter().try_for_each(|row| output::csv(&mut out, row))?;
        }
    }
    Ok(())
}

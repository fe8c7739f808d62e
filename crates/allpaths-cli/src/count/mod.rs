//! `allpaths count`: how many simple paths and cycles there are, by length.

mod explain;
mod print;
mod report;
mod weights;

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use allpaths::count::{Convention, Counts, Engine, Limits, Outcome, Subject, Wanted};
use allpaths::{Counter, Graph, Monitor};
use clap::ValueEnum;

use crate::engine::EngineName;
use crate::input::{Input, InputArguments};
use crate::limits::LimitArguments;
use crate::output::{self, OutputFormat};
use crate::size;
use crate::watch::{self, Progress};
use crate::{Done, Usage};
use report::Report;
use weights::Weighing;

const DEFAULT_LENGTH: usize = 6;

const EXAMPLES: &str = "\
Examples:
  allpaths count karate.gml --max-length 6                 paths and cycles by length
  allpaths count NCI1/ --max-length 3 --per-graph          a whole TU dataset, one row a graph
  allpaths count road.txt --pair 17,233 --max-length 20    between two vertices, by their names
  allpaths count karate.gml --max-length 5 --by vertex     paths from and cycles through each vertex
  allpaths count karate.gml -l 4 --by pair -o pairs.npz    between all pairs, as sparse matrices
  allpaths count trust.csv --directed --signed             positive and negative ones, and balance
  allpaths count instance.col --format json                DIMACS: length and pair come from the file
  allpaths count road.txt --cycles-only --max-length 30    long cycles: the engine frontier is chosen

A path repeats no vertex; a cycle repeats none but its ends. Length is the number of edges.
Exit codes: 0 done, 1 a fault of the program, 2 usage, 3 input, 4 stopped early.";

/// Count simple paths and cycles by length, exactly
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
#[allow(clippy::struct_excessive_bools)] // flags are flags
pub(crate) struct Arguments {
    #[command(flatten)]
    input: InputArguments,

    /// Longest length to count, in edges [default: what the file asks for, else 6]
    #[arg(short = 'l', long, value_name = "LENGTH")]
    max_length: Option<usize>,

    /// Count only the paths between two vertices, given by name
    #[arg(long, value_name = "FIRST,LAST", conflicts_with_all = ["by", "per_graph", "cycles_only"])]
    pair: Option<String>,

    /// Count for each vertex or pair of vertices
    #[arg(long, value_enum, value_name = "WHAT", conflicts_with = "per_graph")]
    by: Option<By>,

    /// With --by pair: write sparse matrices, one for each length, to a file for NumPy (.npz)
    #[arg(short, long, value_name = "FILE", requires = "by")]
    output: Option<PathBuf>,

    /// Tell positive from negative ones: those with an even or odd number of edges of negative weight. Balance is the
    /// share of negative cycles
    #[arg(long, conflicts_with_all = ["pair", "by", "per_graph"])]
    signed: bool,

    /// Sum weights, too: that of a path or cycle is the product of its edges' weights. A sum past 1.8e308 is an overflow
    #[arg(long, conflicts_with_all = ["pair", "by", "per_graph"])]
    weighted: bool,

    /// Give the counts of each graph of a dataset
    #[arg(long)]
    per_graph: bool,

    /// Take only this graph of a dataset, numbered from 0
    #[arg(long, value_name = "NUMBER")]
    graph: Option<usize>,

    /// Count paths only
    #[arg(long, conflicts_with = "cycles_only")]
    paths_only: bool,

    /// Count cycles only: faster than both
    #[arg(long)]
    cycles_only: bool,

    /// What counts as one
    #[arg(long, value_enum, default_value_t = ConventionName::Distinct, value_name = "CONVENTION")]
    convention: ConventionName,

    /// How to count
    #[arg(long, value_enum, default_value_t = EngineName::Auto, value_name = "ENGINE")]
    engine: EngineName,

    /// Count nothing: print what each engine is expected to take, and which one `auto` chooses
    #[arg(long)]
    explain_engine: bool,

    #[command(flatten)]
    limits: LimitArguments,

    /// Most memory for what grows while counting (states of a frontier, pairs), as in 500MB, 4GiB [default: 8GB]
    #[arg(long, value_name = "SIZE", value_parser = size::parse)]
    max_memory: Option<u64>,

    /// How to print
    #[arg(short, long, value_enum, default_value_t = OutputFormat::Table, value_name = "FORMAT")]
    format: OutputFormat,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum By {
    /// For each vertex: the paths that start there, the cycles that pass through it
    Vertex,
    /// For each pair of vertices: the paths between them
    Pair,
}

#[derive(Clone, Copy, ValueEnum)]
enum ConventionName {
    /// A path or cycle is one, whichever way it is read
    Distinct,
    /// The sums of the matrices of Giscard and Wilson: once for each start and direction
    Rooted,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Done> {
    arguments.check()?;
    let inputs = arguments.input.read()?;
    let monitor = watch::monitor();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut done = Done::All;
    for (i, input) in inputs.iter().enumerate() {
        if arguments.explain_engine {
            let graphs = input.graphs(arguments.graph)?;
            let counter = arguments.counter(arguments.length(input));
            let wanted = arguments.wanted(input, graphs)?;
            explain::Explanation::new(input, graphs, &counter, wanted).write(
                &mut out,
                arguments.format,
                i == 0,
            )?;
            continue;
        }
        let report = arguments.count(input, &monitor)?;
        match arguments.format {
            OutputFormat::Json => output::json(&mut out, &report)?,
            OutputFormat::Csv => report.write_csv(&mut out, i == 0)?,
            OutputFormat::Table => report.write_table(&mut out, i == 0)?,
        }
        out.flush()?;
        if report.outcome != Outcome::Complete {
            done = Done::StoppedEarly;
            eprintln!("allpaths: {}", report.why_stopped());
        }
    }
    Ok(done)
}

impl Arguments {
    /// What can be found out before anything is read.
    fn check(&self) -> Result<(), Usage> {
        let Some(output) = &self.output else { return Ok(()) };
        let name = output.display();
        let wrong = if self.by != Some(By::Pair) {
            "only --by pair is written to a file".to_owned()
        } else if self.input.len() > 1 {
            format!("holds the pairs of one graph, and there are {} inputs", self.input.len())
        } else if !output.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("npz")) {
            "expected a name that ends in .npz".to_owned()
        } else {
            return Ok(());
        };
        Err(Usage(format!("--output {name}: {wrong}")))
    }

    fn count<'a>(&self, input: &'a Input, monitor: &'a Arc<Monitor>) -> anyhow::Result<Report<'a>> {
        let asked = input.data.question();
        let counter = self.counter(self.length(input));
        let graphs = input.graphs(self.graph)?;
        // Where graphs get different engines, nobody but `auto` counts them all.
        let engine = counter.engine_for(graphs, self.wanted(input, graphs)?).unwrap_or(Engine::Auto);
        let mut report = Report::new(input, graphs, engine, self.convention());
        report.default_length = self.max_length.or(asked.max_length).is_none();

        let progress = Progress::of(format!("counting {}", report.input), self.jobs(graphs), monitor);
        let start = Instant::now();
        let weighing = Weighing {
            input,
            graphs,
            first: self.graph.unwrap_or(0),
            counter: &counter,
            convention: self.convention(),
            deadline: self.limits.limits().time.and_then(|time| start.checked_add(time)),
            monitor,
        };
        if self.by == Some(By::Vertex) {
            let graph = single(graphs)?;
            let counts = counter.by_vertex_under(graph, monitor)?;
            report.set_by_vertex(graph, &counts);
        } else if self.by == Some(By::Pair) {
            let graph = single(graphs)?;
            report.set_by_pair(graph, counter.by_pair_under(graph, monitor)?);
        } else if self.signed {
            report.set_signed(&weighing.signed()?);
            if self.weighted {
                report.set_weighted(&weighing.sums()?);
            }
        } else if let Some((source, target)) = self.ends(input, graphs)?.filter(|_| !self.weighted) {
            let graph = single(graphs)?;
            let counts = counter.between_under(graph, source, target, monitor)?;
            report.set_pair(graph, source, target, &counts);
        } else {
            // Rooted counts depend on whether a graph is directed, so they are those of each graph.
            let is_rooted = self.convention() == Convention::Rooted;
            let mut each = None;
            if self.per_graph || is_rooted {
                let counts = counter.count_each_under(graphs, monitor)?;
                each = Some(if is_rooted { counts.iter().map(Counts::rooted).collect() } else { counts });
            }
            let total = match each.as_deref().and_then(Counts::sum) {
                Some(total) => total,
                None => counter.total_under(graphs, monitor)?,
            };
            report.set_total(&total);
            if let Some(counts) = each.filter(|_| self.per_graph) {
                report.set_per_graph(graphs, self.graph.unwrap_or(0), &counts);
            }
            if self.weighted {
                report.set_weighted(&weighing.sums()?);
            }
        }
        report.seconds.count = start.elapsed().as_secs_f64();
        drop(progress);
        if let Some(path) = &self.output {
            report.write_pairs(path)?;
        }
        Ok(report)
    }

    fn length(&self, input: &Input) -> usize {
        self.max_length.or(input.data.question().max_length).unwrap_or(DEFAULT_LENGTH)
    }

    /// What is asked, as far as it decides between engines.
    fn wanted(&self, input: &Input, graphs: &[Graph]) -> anyhow::Result<Wanted> {
        Ok(match self.by {
            Some(By::Vertex) => Wanted::Vertices,
            Some(By::Pair) => Wanted::Pairs,
            None if self.signed || self.weighted => Wanted::Weights,
            None => self
                .ends(input, graphs)?
                .map_or(Wanted::Totals, |(source, target)| Wanted::Between(source, target)),
        })
    }

    /// How many calls under the eyes of the monitor there are: graphs are counted all at once, and weighed one by one.
    fn jobs(&self, graphs: &[Graph]) -> usize {
        let weighings = usize::from(self.signed) + usize::from(self.weighted);
        usize::from(!self.signed) + weighings * graphs.len()
    }

    fn counter(&self, max_length: usize) -> Counter {
        let subject = match (self.paths_only, self.cycles_only) {
            (true, _) => Subject::Paths,
            (_, true) => Subject::Cycles,
            _ => Subject::Both,
        };
        let counter = Counter::up_to(max_length).engine(self.engine.into()).subject(subject);
        let counter = counter.limits(Limits { memory: self.max_memory, ..self.limits.limits() });
        self.limits.threads().into_iter().fold(counter, Counter::threads)
    }

    fn convention(&self) -> Convention {
        match self.convention {
            ConventionName::Distinct => Convention::Distinct,
            ConventionName::Rooted => Convention::Rooted,
        }
    }

    /// The two vertices whose paths are asked for, by the arguments or by the file.
    fn ends(&self, input: &Input, graphs: &[Graph]) -> anyhow::Result<Option<(usize, usize)>> {
        let Some(names) = &self.pair else {
            return Ok(input.data.question().pair.filter(|_| !self.cycles_only && !self.per_graph));
        };
        let graph = single(graphs)?;
        // A name may itself hold a comma: take the cut at which both sides are vertices.
        let cuts = names.match_indices(',').map(|(at, _)| (&names[..at], &names[at + 1..]));
        let mut found =
            cuts.clone().filter_map(|(s, t)| Some((graph.vertex(s.trim())?, graph.vertex(t.trim())?)));
        match (found.next(), found.next()) {
            (Some(pair), None) => Ok(Some(pair)),
            (Some(_), Some(_)) => {
                Err(Usage(format!("--pair {names}: can be read in more than one way")).into())
            }
            (None, _) => {
                let missing =
                    cuts.flat_map(|(s, t)| [s.trim(), t.trim()]).find(|name| graph.vertex(name).is_none());
                Err(Usage(match missing {
                    Some(name) => format!("--pair {names}: {} has no vertex called {name:?}", input.name()),
                    None => format!("--pair {names}: expected two names with a comma between them"),
                })
                .into())
            }
        }
    }
}

/// The only graph, where there must be one.
pub(crate) fn single(graphs: &[Graph]) -> anyhow::Result<&Graph> {
    match graphs {
        [graph] => Ok(graph),
        _ => {
            let reason = format!(
                "vertices are those of one graph, and the input holds {}: choose with --graph",
                graphs.len()
            );
            Err(Usage(reason).into())
        }
    }
}

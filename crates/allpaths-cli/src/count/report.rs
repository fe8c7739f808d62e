//! What a count prints: the same facts as JSON, CSV or tables.

use std::io::{self, Write};

use allpaths::Graph;
use allpaths::count::{ByVertex, Convention, Count, Counts, Engine, Outcome};
use serde::{Serialize, Serializer};

use crate::input::Input;
use crate::output::{self, grouped};

/// The counts of one input. The fields are a contract: scripts read them.
#[derive(Serialize)]
pub(super) struct Report {
    pub(super) input: String,
    graphs: usize,
    vertices: usize,
    edges: usize,
    directed: bool,
    max_length: usize,
    engine: &'static str,
    #[serde(serialize_with = "convention_name")]
    convention: Convention,
    #[serde(skip_serializing_if = "Option::is_none")]
    pair: Option<[String; 2]>,
    #[serde(flatten)]
    counts: Lengths,
    #[serde(skip_serializing_if = "Option::is_none")]
    by_vertex: Option<Vec<VertexReport>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    per_graph: Option<Vec<GraphReport>>,
    pub(super) outcome: Outcome,
    pub(super) seconds: Seconds,
    /// Whether nobody chose the longest length.
    #[serde(skip)]
    pub(super) default_length: bool,
}

#[derive(Default, Serialize)]
pub(super) struct Seconds {
    read: f64,
    pub(super) count: f64,
}

#[derive(Serialize)]
struct VertexReport {
    vertex: String,
    #[serde(flatten)]
    counts: Lengths,
}

#[derive(Serialize)]
struct GraphReport {
    graph: usize,
    vertices: usize,
    edges: usize,
    #[serde(flatten)]
    counts: Lengths,
    outcome: Outcome,
}

/// Counts by length; none for a length that was left unfinished, absent where nobody asked.
#[derive(Default, Serialize)]
struct Lengths {
    #[serde(skip_serializing_if = "Option::is_none")]
    paths: Option<Vec<Option<Count>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cycles: Option<Vec<Option<Count>>>,
}

fn convention_name<S: Serializer>(convention: &Convention, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(convention.name())
}

impl Lengths {
    fn of(counts: &Counts, convention: Convention) -> Self {
        let counts = match convention {
            Convention::Distinct => counts.clone(),
            Convention::Rooted => counts.rooted(),
        };
        let padded = |finished: Option<&[Count]>| {
            finished.map(|finished| {
                (0..=counts.max_length()).map(|length| finished.get(length).cloned()).collect()
            })
        };
        Self { paths: padded(counts.path_counts()), cycles: padded(counts.cycle_counts()) }
    }

    fn columns(&self) -> impl Iterator<Item = (&'static str, &Vec<Option<Count>>)> {
        [("paths", &self.paths), ("cycles", &self.cycles)]
            .into_iter()
            .filter_map(|(name, counts)| Some((name, counts.as_ref()?)))
    }
}

impl Report {
    pub(super) fn new(input: &Input, graphs: &[Graph], engine: Engine, convention: Convention) -> Self {
        Self {
            input: input.name(),
            graphs: graphs.len(),
            vertices: graphs.iter().map(Graph::order).sum(),
            edges: graphs.iter().map(Graph::size).sum(),
            directed: graphs.iter().any(Graph::is_directed),
            max_length: 0,
            engine: engine.resolved().name(),
            convention,
            pair: None,
            counts: Lengths::default(),
            by_vertex: None,
            per_graph: None,
            outcome: Outcome::Complete,
            seconds: Seconds { read: input.seconds, count: 0.0 },
            default_length: false,
        }
    }

    pub(super) fn set_total(&mut self, counts: &Counts) {
        self.max_length = counts.max_length();
        self.outcome = counts.outcome();
        self.counts = Lengths::of(counts, self.convention);
    }

    pub(super) fn set_pair(&mut self, graph: &Graph, source: usize, target: usize, counts: &Counts) {
        self.pair = Some([source, target].map(|v| graph.name(v).into_owned()));
        self.set_total(counts);
    }

    pub(super) fn set_by_vertex(&mut self, graph: &Graph, counts: &ByVertex) {
        self.set_total(counts.total());
        let vertex = |(v, counts): (usize, &Counts)| VertexReport {
            vertex: graph.name(v).into_owned(),
            counts: Lengths::of(counts, self.convention),
        };
        self.by_vertex = Some(counts.iter().enumerate().map(vertex).collect());
    }

    /// Adds the counts of each graph; the first of them has number `first` in its dataset.
    pub(super) fn set_per_graph(&mut self, graphs: &[Graph], first: usize, counts: &[Counts]) {
        let report = |(i, (graph, counts)): (usize, (&Graph, &Counts))| GraphReport {
            graph: first + i,
            vertices: graph.order(),
            edges: graph.size(),
            counts: Lengths::of(counts, self.convention),
            outcome: counts.outcome(),
        };
        self.per_graph = Some(graphs.iter().zip(counts).enumerate().map(report).collect());
    }

    /// Why not all lengths are there, and what to do about it.
    pub(super) fn why_stopped(&self) -> String {
        let reason = match self.outcome {
            Outcome::Complete => "nothing was left out",
            Outcome::Budget => "the budget was too small for all lengths: --budget sets it",
            Outcome::Time => "the time was up before all lengths were counted: --time-limit sets it",
            Outcome::Interrupted => "interrupted before all lengths were counted",
        };
        format!("{}: {reason}", self.input)
    }

    /// One count a row: every combination of what was asked for and length.
    pub(super) fn write_csv(&self, out: &mut impl Write, with_header: bool) -> io::Result<()> {
        let groups: Vec<(Vec<String>, &Lengths)> = match (&self.by_vertex, &self.per_graph) {
            (Some(vertices), _) => vertices.iter().map(|v| (vec![v.vertex.clone()], &v.counts)).collect(),
            (_, Some(graphs)) => graphs
                .iter()
                .map(|g| (vec![g.graph.to_string(), g.vertices.to_string(), g.edges.to_string()], &g.counts))
                .collect(),
            _ => vec![(Vec::new(), &self.counts)],
        };
        if with_header {
            let keys: &[&str] = match (&self.by_vertex, &self.per_graph) {
                (Some(_), _) => &["vertex"],
                (_, Some(_)) => &["graph", "vertices", "edges"],
                _ => &[],
            };
            let columns = self.counts.columns().map(|(name, _)| name);
            let names = ["input"].into_iter().chain(keys.iter().copied()).chain(["length"]).chain(columns);
            output::csv(out, &names.map(str::to_owned).collect::<Vec<_>>())?;
        }
        for (keys, counts) in groups {
            for length in 0..=self.max_length {
                let numbers = counts.columns().map(|(_, counts)| text(&counts[length], ToString::to_string));
                let row = [self.input.clone()].into_iter().chain(keys.clone()).chain([length.to_string()]);
                output::csv(out, &row.chain(numbers).collect::<Vec<_>>())?;
            }
        }
        Ok(())
    }

    /// A title and a table; a blank line before, unless it is the first.
    pub(super) fn write_table(&self, out: &mut impl Write, first: bool) -> io::Result<()> {
        if !first {
            writeln!(out)?;
        }
        writeln!(out, "{}", self.title())?;
        if self.default_length {
            writeln!(out, "lengths up to {}, the default: --max-length sets another", self.max_length)?;
        }
        writeln!(out)?;
        match (&self.by_vertex, &self.per_graph) {
            (Some(vertices), _) => {
                let rows = vertices.iter().map(|v| (vec![v.vertex.clone()], &v.counts)).collect();
                self.write_wide(out, &["vertex"], rows)
            }
            (_, Some(graphs)) => {
                let key =
                    |g: &GraphReport| vec![g.graph.to_string(), grouped(&g.vertices), grouped(&g.edges)];
                let rows = graphs.iter().map(|g| (key(g), &g.counts)).collect();
                self.write_wide(out, &["graph", "vertices", "edges"], rows)
            }
            _ => self.write_long(out),
        }
    }

    fn title(&self) -> String {
        let kind = if self.directed { "directed" } else { "undirected" };
        let graphs =
            if self.graphs == 1 { String::new() } else { format!("{} graphs, ", grouped(&self.graphs)) };
        let what = match (&self.pair, self.convention) {
            (Some([first, last]), _) => format!("; paths from {first} to {last}"),
            (None, Convention::Distinct) => String::new(),
            (None, Convention::Rooted) => "; rooted counts".to_owned(),
        };
        let (vertices, edges) = (grouped(&self.vertices), grouped(&self.edges));
        format!("{}: {graphs}{vertices} vertices, {edges} edges, {kind}{what}", self.input)
    }

    /// A row for each length.
    fn write_long(&self, out: &mut impl Write) -> io::Result<()> {
        let header: Vec<String> = ["length"]
            .into_iter()
            .chain(self.counts.columns().map(|(name, _)| name))
            .map(str::to_owned)
            .collect();
        let row = |length: usize| {
            let numbers = self.counts.columns().map(|(_, counts)| text(&counts[length], grouped));
            [length.to_string()].into_iter().chain(numbers).collect()
        };
        let finished = |length: &usize| self.counts.columns().all(|(_, counts)| counts[*length].is_some());
        let lengths: Vec<usize> = (0..=self.max_length).filter(finished).collect();
        output::table(out, &header, &lengths.iter().map(|&length| row(length)).collect::<Vec<_>>())?;
        match (lengths.len(), self.max_length) {
            (first, last) if first < last => writeln!(out, "lengths {first} to {last} were not counted"),
            (first, last) if first == last => writeln!(out, "length {last} was not counted"),
            _ => Ok(()),
        }
    }

    /// A row for each vertex or graph, a column for each length of which there is any.
    fn write_wide(
        &self,
        out: &mut impl Write,
        keys: &[&str],
        rows: Vec<(Vec<String>, &Lengths)>,
    ) -> io::Result<()> {
        let columns: Vec<(&str, usize)> = self
            .counts
            .columns()
            .flat_map(|(name, counts)| {
                let any = |length: &usize| *length > 0 && counts[*length] != Some(Count::ZERO);
                (0..=self.max_length).filter(any).map(move |length| (name, length))
            })
            .collect();
        let titles = columns.iter().map(|(name, length)| format!("{name}({length})"));
        let header: Vec<String> = keys.iter().map(|&key| key.to_owned()).chain(titles).collect();
        let cell = |counts: &Lengths, name: &str, length: usize| {
            let found = counts.columns().find(|(known, _)| *known == name);
            found.map_or_else(String::new, |(_, counts)| text(&counts[length], grouped))
        };
        let rows: Vec<Vec<String>> = rows
            .into_iter()
            .map(|(mut row, counts)| {
                row.extend(columns.iter().map(|&(name, length)| cell(counts, name, length)));
                row
            })
            .collect();
        output::table(out, &header, &rows)
    }
}

/// A count, or a blank for a length that was left unfinished.
fn text(count: &Option<Count>, print: impl Fn(&Count) -> String) -> String {
    count.as_ref().map_or_else(String::new, print)
}

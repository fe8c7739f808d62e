//! What a count finds, as the program reports it: the fields are those of the JSON output.

use std::borrow::Cow;
use std::path::Path;

use allpaths::Graph;
use allpaths::count::{ByPair, ByVertex, Convention, Count, Counts, Engine, Outcome};
use serde::{Serialize, Serializer};

use super::weights::{Signed, Sums};
use crate::input::Input;

/// The counts of one input. The fields are a contract: scripts read them.
#[derive(Serialize)]
pub(super) struct Report<'a> {
    pub(super) input: String,
    pub(super) graphs: usize,
    pub(super) vertices: usize,
    pub(super) edges: usize,
    pub(super) directed: bool,
    pub(super) max_length: usize,
    engine: &'static str,
    #[serde(serialize_with = "convention_name")]
    pub(super) convention: Convention,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) pair: Option<[String; 2]>,
    #[serde(flatten)]
    pub(super) counts: Lengths,
    #[serde(flatten)]
    pub(super) signs: Option<Signs>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) weighted: Option<Lengths<Real>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) by_vertex: Option<Vec<VertexReport>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) by_pair: Option<Pairs<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) per_graph: Option<Vec<GraphReport>>,
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
pub(super) struct VertexReport {
    pub(super) vertex: String,
    #[serde(flatten)]
    pub(super) counts: Lengths,
}

#[derive(Serialize)]
pub(super) struct PairReport<'a> {
    pub(super) source: Cow<'a, str>,
    pub(super) target: Cow<'a, str>,
    #[serde(flatten)]
    pub(super) counts: Lengths,
}

#[derive(Serialize)]
pub(super) struct GraphReport {
    pub(super) graph: usize,
    pub(super) vertices: usize,
    pub(super) edges: usize,
    #[serde(flatten)]
    pub(super) counts: Lengths,
    outcome: Outcome,
}

/// Numbers by length; none for a length that was left unfinished, absent where nobody asked.
#[derive(Clone, Default, Serialize)]
pub(super) struct Lengths<N = Count> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) paths: Option<Vec<Option<N>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cycles: Option<Vec<Option<N>>>,
}

/// Positive and negative ones, and the share of negative cycles; none where there are no cycles.
#[derive(Serialize)]
pub(super) struct Signs {
    pub(super) positive: Lengths,
    pub(super) negative: Lengths,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) balance: Option<Vec<Option<Real>>>,
}

/// A real number, unless it was too large for a double somewhere on the way.
#[derive(Clone, Copy)]
pub(super) struct Real(pub(super) f64);

impl Real {
    pub(super) fn text(self, print: impl Fn(f64) -> String) -> String {
        if self.0.is_finite() { print(self.0) } else { "overflow".to_owned() }
    }
}

impl Serialize for Real {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // JSON would make it null, as a length that was left unfinished.
        if self.0.is_finite() { self.0.serialize(serializer) } else { serializer.serialize_str("overflow") }
    }
}

/// The paths between each pair of vertices that some path joins; each pair once if edges have no direction.
pub(super) struct Pairs<'a> {
    graph: &'a Graph,
    counts: ByPair,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde hands over references
fn convention_name<S: Serializer>(convention: &Convention, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(convention.name())
}

/// Numbers of finished lengths, and none for the others.
pub(super) fn padded<N: Clone>(finished: &[N], max_length: usize) -> Vec<Option<N>> {
    (0..=max_length).map(|length| finished.get(length).cloned()).collect()
}

impl Lengths {
    fn of(counts: &Counts, convention: Convention) -> Self {
        let counts = match convention {
            Convention::Distinct => Cow::Borrowed(counts),
            Convention::Rooted => Cow::Owned(counts.rooted()),
        };
        let padded = |finished: &[Count]| padded(finished, counts.max_length());
        Self { paths: counts.path_counts().map(padded), cycles: counts.cycle_counts().map(padded) }
    }
}

impl<N> Lengths<N> {
    pub(super) fn columns(&self) -> impl Iterator<Item = (&'static str, &Vec<Option<N>>)> {
        [("paths", &self.paths), ("cycles", &self.cycles)]
            .into_iter()
            .filter_map(|(name, counts)| Some((name, counts.as_ref()?)))
    }
}

impl Pairs<'_> {
    pub(super) fn iter(&self) -> impl Iterator<Item = PairReport<'_>> {
        let finished = self.counts.finished();
        let number = move |paths: &[u128], length: usize| {
            let count = length.checked_sub(1).and_then(|i| paths.get(i)).copied().unwrap_or(0);
            (length <= finished).then(|| Count::from(count))
        };
        let pairs = self.counts.pairs().filter(|(u, v, _)| self.graph.is_directed() || u < v);
        pairs.map(move |(source, target, paths)| PairReport {
            source: self.graph.name(source),
            target: self.graph.name(target),
            counts: Lengths {
                paths: Some((0..=self.counts.max_length()).map(|length| number(paths, length)).collect()),
                cycles: None,
            },
        })
    }

    /// The paths of the whole graph.
    fn total(&self, convention: Convention) -> Lengths {
        let mut sums = vec![Count::ZERO; self.counts.finished() + 1];
        sums[0] = Count::from(self.graph.order() as u64);
        for (u, v, paths) in self.counts.pairs() {
            // Each path without direction is there from both its ends.
            if self.graph.is_directed() || convention == Convention::Rooted || u < v {
                sums[1..].iter_mut().zip(paths).for_each(|(sum, &count)| *sum += &Count::from(count));
            }
        }
        Lengths { paths: Some(padded(&sums, self.counts.max_length())), cycles: None }
    }
}

impl Serialize for Pairs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'a> Report<'a> {
    pub(super) fn new(input: &Input, graphs: &[Graph], engine: Engine, convention: Convention) -> Self {
        Self {
            input: input.name(),
            graphs: graphs.len(),
            vertices: graphs.iter().map(Graph::order).sum(),
            edges: graphs.iter().map(Graph::size).sum(),
            directed: graphs.iter().any(Graph::is_directed),
            max_length: 0,
            engine: engine.name(),
            convention,
            pair: None,
            counts: Lengths::default(),
            signs: None,
            weighted: None,
            by_vertex: None,
            by_pair: None,
            output: None,
            per_graph: None,
            outcome: Outcome::Complete,
            seconds: Seconds { read: input.seconds, count: 0.0 },
            default_length: false,
        }
    }

    pub(super) fn set_total(&mut self, counts: &Counts) {
        self.max_length = counts.max_length();
        self.outcome = self.outcome.max(counts.outcome());
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

    pub(super) fn set_by_pair(&mut self, graph: &'a Graph, counts: ByPair) {
        self.max_length = counts.max_length();
        self.outcome = counts.outcome();
        let pairs = Pairs { graph, counts };
        self.counts = pairs.total(self.convention);
        self.by_pair = Some(pairs);
    }

    /// Moves the counts of pairs out of the report and into a file.
    pub(super) fn write_pairs(&mut self, path: &Path) -> allpaths::Result<()> {
        if let Some(Pairs { graph, counts }) = self.by_pair.take() {
            counts.write_npz(graph, path)?;
            self.output = Some(path.display().to_string());
        }
        Ok(())
    }

    pub(super) fn set_signed(&mut self, signed: &Signed) {
        self.set_total(&signed.total);
        self.signs = Some(Signs {
            positive: Lengths::of(&signed.positive, self.convention),
            negative: Lengths::of(&signed.negative, self.convention),
            balance: signed.balance.clone(),
        });
    }

    /// Adds sums of weights, of whatever the totals count.
    pub(super) fn set_weighted(&mut self, sums: &Sums) {
        self.outcome = self.outcome.max(sums.outcome);
        let padded = |sums: &[Real]| padded(sums, self.max_length);
        self.weighted = Some(Lengths {
            paths: self.counts.paths.as_ref().map(|_| padded(&sums.paths)),
            cycles: self.counts.cycles.as_ref().map(|_| padded(&sums.cycles)),
        });
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
            Outcome::Undecided => "the numbers found do not tell all lengths apart",
            Outcome::Memory if self.by_pair.is_some() => {
                "there are too many pairs to hold: take --pair, --by vertex, or shorter lengths"
            }
            Outcome::Memory => {
                "the graph is too wide for the memory allowed: --max-memory sets it, or take another engine or shorter lengths"
            }
            Outcome::Budget => "the budget was too small for all lengths: --budget sets it",
            Outcome::Time => "the time was up before all lengths were counted: --time-limit sets it",
            Outcome::Interrupted => "interrupted before all lengths were counted",
        };
        format!("{}: {reason}", self.input)
    }
}

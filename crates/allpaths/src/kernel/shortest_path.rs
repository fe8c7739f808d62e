//! The shortest-path kernel: pairs of vertices by their labels and their distance.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt::{self, Display};

use serde::{Deserialize, Serialize};

use crate::count::{Allowance, Job, Outcome};
use crate::embed::{Finder, Keys, Part};
use crate::label::{Found, Kind, LabelChoice, LabelMap, Labelling, Piece, Sink, Spelling, spelt};
use crate::{Error, Graph, Result};

/// What an edge adds to the length of a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lengths {
    /// Each edge 1.
    #[default]
    Edges,
    /// Its weight, which must not be negative. Sums are rounded to float32: what differs by less is the same length.
    Weights,
}

/// Counts ordered pairs of different vertices by both labels and the length of a shortest path between them.
///
/// Pairs that no path joins do not count; directed graphs are followed along their arcs. A feature is called `distance:3:[C,O]`.
///
/// # Complexity
///
/// The number of vertices times the number of edges; times a logarithm if edges have weights.
///
/// # Example
///
/// ```
/// # use allpaths::{Graph, GraphKernel, kernel::ShortestPath};
/// let path = Graph::from_edges(3, [(0, 1), (1, 2)])?; // 4 ordered pairs at distance 1, 2 at distance 2
/// let triangle = Graph::from_edges(3, [(0, 1), (1, 2), (2, 0)])?; // 6 at distance 1
/// let gram = GraphKernel::new(ShortestPath::new()).fit(&[path, triangle])?.gram::<f64>()?;
/// assert_eq!(gram.values(), [4.0 * 4.0 + 2.0 * 2.0, 4.0 * 6.0, 6.0 * 4.0, 6.0 * 6.0]);
/// # Ok::<(), allpaths::Error>(())
/// ```
///
/// # Reference
///
/// Borgwardt and Kriegel, Shortest-path kernels on graphs, 2005, with equality of labels and lengths.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ShortestPath {
    pub(super) labels: LabelChoice,
    lengths: Lengths,
}

impl ShortestPath {
    /// All labels are told apart, and each edge has length 1.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets which labels are told apart: all by default, none with `LabelChoice::Commonest(1)`.
    #[must_use]
    pub fn labels(mut self, choice: LabelChoice) -> Self {
        self.labels = choice;
        self
    }

    /// Sets what an edge adds to the length of a path.
    #[must_use]
    pub fn lengths(mut self, lengths: Lengths) -> Self {
        self.lengths = lengths;
        self
    }

    /// Checks that graphs have the lengths that are asked for.
    pub(super) fn check(&self, graphs: &[Graph]) -> Result<()> {
        if self.lengths == Lengths::Edges {
            return Ok(());
        }
        for (number, graph) in graphs.iter().enumerate() {
            match graph.weights() {
                None if graph.size() > 0 => {
                    return Err(Error::graph(format!("graph {number} has no weights, which were asked for")));
                }
                Some(weights) => {
                    if let Some(weight) =
                        weights.iter().find(|&&weight| !(weight >= 0.0 && weight.is_finite()))
                    {
                        let reason =
                            format!("graph {number} has an edge of weight {weight}: lengths are 0 or more");
                        return Err(Error::graph(reason));
                    }
                }
                None => {}
            }
        }
        Ok(())
    }

    pub(super) fn finder(&self, map: &LabelMap) -> Pairs {
        Pairs {
            lengths: self.lengths,
            labelling: Labelling::new(map.clone(), false),
            sources: Vec::new(),
            search: Search::default(),
        }
    }
}

/// Finds pairs by distance. Scratch, to be used for graph after graph.
pub(super) struct Pairs {
    lengths: Lengths,
    labelling: Labelling,
    /// The vertices by label.
    sources: Vec<usize>,
    search: Search,
}

/// Goes through what is reached from vertices of one label.
#[derive(Default)]
struct Search {
    /// By vertex: the last source from which it was met.
    met: Vec<u32>,
    queue: Vec<u32>,
    /// By distance and label: how many vertices were met there from sources of one label.
    table: Vec<u64>,
    heap: BinaryHeap<Reverse<(Length, u32)>>,
    distances: Vec<f64>,
    /// Distances and labels of what was met from sources of one label.
    pairs: Vec<(Length, u32)>,
}

impl Finder for Pairs {
    fn find<K: Keys>(&mut self, graph: &Graph, job: Job<'_>, row: &mut Part<K>) -> Outcome {
        let Self { lengths, labelling, sources, search } = self;
        labelling.begin(graph);
        labelling.number();
        sources.clear();
        sources.extend(labelling.by_label());
        search.met.clear();
        search.met.resize(graph.order(), u32::MAX);
        let (labels, mut sink) = (labelling.vertices(), row.at(0));
        let allowance = Allowance::new(job);
        let mut meter = allowance.meter();
        for sources in sources.chunk_by(|&u, &v| labels[u] == labels[v]) {
            if meter.stopped() {
                break;
            }
            let first = labels[sources[0]];
            let steps = match lengths {
                Lengths::Edges => search.by_edges(graph, labelling, sources, |length, last, times| {
                    give([first, last], length, length, times, labelling, &mut sink);
                }),
                Lengths::Weights => search.by_weights(graph, labelling, sources, |length, last, times| {
                    give([first, last], length.0 as f32, 0, times, labelling, &mut sink);
                }),
            };
            meter.spend(steps);
        }
        drop(meter);
        let outcome = allowance.outcome();
        if outcome != Outcome::Complete {
            row.clear();
        }
        outcome
    }
}

impl Search {
    /// Breadth first from each source. Returns how many vertices were met.
    fn by_edges(
        &mut self,
        graph: &Graph,
        labelling: &Labelling,
        sources: &[usize],
        mut hear: impl FnMut(usize, u32, u64),
    ) -> u64 {
        let Self { met, queue, table, .. } = self;
        let (labels, width) = (labelling.vertices(), labelling.len());
        table.clear();
        let mut steps = 0;
        for &source in sources {
            met[source] = source as u32;
            queue.clear();
            queue.push(source as u32);
            let (mut begin, mut distance) = (0, 0);
            while begin < queue.len() {
                let end = queue.len();
                for i in begin..end {
                    for &w in graph.neighbours(queue[i] as usize) {
                        if met[w as usize] != source as u32 {
                            met[w as usize] = source as u32;
                            queue.push(w);
                        }
                    }
                }
                table.resize(table.len().max((distance + 1) * width), 0);
                let counts = &mut table[distance * width..];
                queue[end..].iter().for_each(|&w| counts[labels[w as usize] as usize] += 1);
                (begin, distance) = (end, distance + 1);
            }
            steps += queue.len() as u64;
        }
        for (place, &times) in table.iter().enumerate().filter(|&(_, &times)| times > 0) {
            hear(place / width + 1, (place % width) as u32, times);
        }
        steps
    }

    /// By the algorithm of Dijkstra from each source. Returns how many vertices were met.
    fn by_weights(
        &mut self,
        graph: &Graph,
        labelling: &Labelling,
        sources: &[usize],
        mut hear: impl FnMut(Length, u32, u64),
    ) -> u64 {
        let Self { heap, distances, pairs, .. } = self;
        let labels = labelling.vertices();
        let weights = graph.weights().unwrap_or_default();
        pairs.clear();
        for &source in sources {
            distances.clear();
            distances.resize(graph.order(), f64::INFINITY);
            distances[source] = 0.0;
            heap.push(Reverse((Length(0.0), source as u32)));
            while let Some(Reverse((Length(distance), v))) = heap.pop() {
                if distance > distances[v as usize] {
                    continue;
                }
                for arc in graph.arcs(v as usize) {
                    let longer = distance + weights[graph.edge_of(arc)];
                    if longer < distances[arc.target] {
                        distances[arc.target] = longer;
                        heap.push(Reverse((Length(longer), arc.target as u32)));
                    }
                }
            }
            let reached = (0..graph.order()).filter(|&v| v != source && distances[v].is_finite());
            pairs.extend(reached.map(|v| (Length(f64::from(distances[v] as f32)), labels[v])));
        }
        pairs.sort_unstable();
        for same in pairs.chunk_by(|a, b| a == b) {
            hear(same[0].0, same[0].1, same.len() as u64);
        }
        (sources.len() + pairs.len()) as u64
    }
}

/// A length that is not negative, in order.
#[derive(Clone, Copy, PartialEq)]
struct Length(f64);

impl Eq for Length {}

impl PartialOrd for Length {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Length {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// Hands over pairs with these labels at a distance.
fn give(
    ends: [u32; 2],
    distance: impl Display + Copy,
    length: usize,
    times: u64,
    labelling: &Labelling,
    sink: &mut impl Sink,
) {
    let id = spelt(|piece: &mut Piece| name(piece, labelling, ends, distance)).id();
    let found = Found { id, kind: Kind::Pair, length, times, divisor: 1, again: false };
    sink.take(found, || spelt(|text: &mut String| name(text, labelling, ends, distance)));
}

fn name(
    out: &mut impl Spelling,
    labelling: &Labelling,
    [first, last]: [u32; 2],
    distance: impl Display,
) -> fmt::Result {
    write!(out, "distance:{distance}:[")?;
    out.vertex(labelling, first)?;
    out.write_str(",")?;
    out.vertex(labelling, last)?;
    out.write_str("]")
}

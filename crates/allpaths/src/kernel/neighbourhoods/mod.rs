//! NSPDK: pairs of neighbourhoods by distance.

mod hash;

use serde::{Deserialize, Serialize};

use crate::count::{Allowance, Job, Outcome};
use crate::embed::{EdgeLabels, Finder, Keys, Part};
use crate::label::{Found, Kind, LabelChoice, LabelMap, Labelling, Piece, Sink, Spelling, spelt};
use crate::{Error, Graph, Result};
use hash::{Hasher, Surroundings};

/// Counts ordered pairs of vertices, a vertex with itself included, by the neighbourhoods of both and the distance between: the neighbourhood subgraph
/// pairwise distance kernel.
///
/// The neighbourhood of radius `r` is the graph that all vertices within `r` steps induce, with its root; both of a pair have the same radius. Directed
/// graphs are gone through in either direction, and their arcs point in the neighbourhoods. By default each radius and each distance is compared
/// apart, by cosine, and the average is taken, as the authors do.
///
/// Neighbourhoods are told apart by a hash of 64 bits that isomorphic ones share. Others have different ones, chance aside, unless they are as
/// regular as no molecule is: tested for all graphs of up to six vertices. A feature is called by radius, distance and both hashes, each behind the label of
/// its root, `pair:1:3:[C.8d6f1c29a3b04e57,O.03c2a1f5d7e9b846]`. Left out: the hash of 32 bits or fewer that the authors put on top, under which
/// unlike pairs count as the same.
///
/// # Complexity
///
/// For each vertex the neighbourhoods of all radii, with a sort of each, and the vertices within the largest distance.
///
/// # Example
///
/// ```
/// # use allpaths::{Graph, GraphKernel, kernel::{Compare, Comparison, NeighbourhoodPairs}};
/// let path = Graph::from_edges(3, [(0, 1), (1, 2)])?;
/// let triangle = Graph::from_edges(3, [(0, 1), (1, 2), (2, 0)])?;
/// let kernel = GraphKernel::new(NeighbourhoodPairs::up_to(0, 1)).comparison(Comparison::new(Compare::Linear));
/// // Vertices alone: 3 and 3 at distance 0, 4 and 6 at distance 1.
/// assert_eq!(kernel.fit(&[path, triangle])?.gram::<f64>()?.values(), [25.0, 33.0, 33.0, 45.0]);
/// # Ok::<(), allpaths::Error>(())
/// ```
///
/// # Reference
///
/// Costa and De Grave, Fast neighborhood subgraph pairwise distance kernel, 2010.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct NeighbourhoodPairs {
    radius: usize,
    distance: usize,
    pub(super) labels: LabelChoice,
    pub(super) edge_labels: EdgeLabels,
}

impl Default for NeighbourhoodPairs {
    fn default() -> Self {
        Self::up_to(Self::RADIUS, Self::DISTANCE)
    }
}

impl NeighbourhoodPairs {
    /// The largest radius if nobody says which.
    pub const RADIUS: usize = 3;

    /// The largest distance if nobody says which.
    pub const DISTANCE: usize = 4;

    /// Neighbourhoods of radius 0 to the one given, at a distance of 0 to the one given.
    pub fn up_to(radius: usize, distance: usize) -> Self {
        Self { radius, distance, labels: LabelChoice::All, edge_labels: EdgeLabels::default() }
    }

    /// Sets which labels are told apart: all by default, none with `LabelChoice::Commonest(1)`.
    #[must_use]
    pub fn labels(mut self, choice: LabelChoice) -> Self {
        self.labels = choice;
        self
    }

    /// Sets whether the labels of edges have a say.
    #[must_use]
    pub fn edge_labels(mut self, edge_labels: EdgeLabels) -> Self {
        self.edge_labels = edge_labels;
        self
    }

    pub(super) fn check(&self) -> Result<()> {
        match self.radius.max(self.distance) {
            ..=1000 => Ok(()),
            most => {
                Err(Error::settings(format!("a radius or distance of {most} is beyond reason: 1000 at most")))
            }
        }
    }

    pub(super) fn finder(&self, map: &LabelMap) -> Neighbourhoods {
        Neighbourhoods {
            radius: self.radius as u32,
            distance: self.distance as u32,
            labelling: Labelling::new(map.clone(), self.edge_labels.is_used()),
            around: Surroundings::default(),
            hasher: Hasher::default(),
            met: Vec::new(),
            hashes: Vec::new(),
            pairs: Vec::new(),
        }
    }
}

/// Finds pairs of neighbourhoods. Scratch, to be used for graph after graph.
pub(super) struct Neighbourhoods {
    radius: u32,
    distance: u32,
    labelling: Labelling,
    around: Surroundings,
    hasher: Hasher,
    /// By vertex: the last root from which it was met.
    met: Vec<u32>,
    /// By radius and vertex.
    hashes: Vec<Vec<u64>>,
    /// Distance and both vertices.
    pairs: Vec<[u32; 3]>,
}

/// The vertices that are so many steps from a root at most, with the number of steps, in its order. `met` has, for each vertex, the last root from which
/// it was met.
fn reached(around: &Surroundings, root: u32, most: u32, met: &mut [u32]) -> Vec<(u32, u32)> {
    let mut reached = vec![(root, 0)];
    met[root as usize] = root;
    let mut head = 0;
    while let Some(&(v, steps)) = reached.get(head).filter(|(_, steps)| *steps < most) {
        head += 1;
        for &(w, _) in around.of(v) {
            if met[w as usize] != root {
                met[w as usize] = root;
                reached.push((w, steps + 1));
            }
        }
    }
    reached
}

/// A neighbourhood: the label of its root, and its hash.
type Class = (u32, u64);

impl Neighbourhoods {
    /// Hands over the pairs of neighbourhoods of a radius.
    fn drain(&self, radius: u32, sink: &mut impl Sink) {
        let labels = self.labelling.vertices();
        let hashes = &self.hashes[radius as usize];
        let mut classes: Vec<Class> = labels.iter().copied().zip(hashes.iter().copied()).collect();
        let of_vertex = classes.clone();
        classes.sort_unstable();
        classes.dedup();
        let number = |v: u32| classes.partition_point(|class| *class < of_vertex[v as usize]) as u32;
        let numbers: Vec<u32> = (0..labels.len() as u32).map(number).collect();
        let numbered = |&[distance, u, v]: &[u32; 3]| [distance, numbers[u as usize], numbers[v as usize]];
        let mut pairs: Vec<[u32; 3]> = self.pairs.iter().map(numbered).collect();
        pairs.sort_unstable();
        let piece = |&(label, hash): &Class| self.labelling.piece(label).then(Piece::dotted(hash));
        let pieces: Vec<Piece> = classes.iter().map(piece).collect();
        for apart in pairs.chunk_by(|a, b| a[0] == b[0]) {
            let distance = apart[0][0];
            let prefix = Piece::of(&prefix(radius, distance));
            for same in apart.chunk_by(|a, b| a == b) {
                let [a, b] = [same[0][1], same[0][2]].map(|class| class as usize);
                let piece = prefix.then(pieces[a]).then(const { Piece::of(",") }).then(pieces[b]);
                let found = Found {
                    id: piece.then(const { Piece::of("]") }).id(),
                    kind: Kind::Pair,
                    length: distance as usize,
                    times: same.len() as u64,
                    divisor: 1,
                    again: false,
                };
                sink.take(found, || self.name(radius, distance, [classes[a], classes[b]]));
            }
        }
    }

    fn name(&self, radius: u32, distance: u32, [a, b]: [Class; 2]) -> String {
        spelt(|name: &mut String| {
            name.push_str(&prefix(radius, distance));
            name.vertex(&self.labelling, a.0)?;
            std::fmt::Write::write_fmt(name, format_args!(".{:016x},", a.1))?;
            name.vertex(&self.labelling, b.0)?;
            std::fmt::Write::write_fmt(name, format_args!(".{:016x}]", b.1))
        })
    }
}

fn prefix(radius: u32, distance: u32) -> String {
    format!("pair:{radius}:{distance}:[")
}

impl Finder for Neighbourhoods {
    fn find<K: Keys>(&mut self, graph: &Graph, job: Job<'_>, row: &mut Part<K>) -> Outcome {
        let Self { labelling, around, hasher, met, hashes, pairs, .. } = self;
        labelling.begin(graph);
        labelling.number();
        around.begin(graph, labelling);
        hasher.begin(graph.order());
        met.clear();
        met.resize(graph.order(), u32::MAX);
        hashes.clear();
        hashes.resize(self.radius as usize + 1, Vec::new());
        pairs.clear();
        let allowance = Allowance::new(job);
        let mut meter = allowance.meter();
        for root in 0..graph.order() as u32 {
            if meter.stopped() {
                break;
            }
            let reached = reached(around, root, self.radius.max(self.distance), met);
            let within = |steps: u32| reached.partition_point(|&(_, distance)| distance <= steps);
            let mut last = (0, 0);
            for (radius, hashes) in (0..).zip(&mut *hashes) {
                let size = within(radius);
                // A neighbourhood that is all there is does not grow.
                if size > last.0 {
                    last = (size, hasher.hash(around, &reached[..size]));
                    meter.spend(size as u64);
                }
                hashes.push(last.1);
            }
            pairs.extend(reached[..within(self.distance)].iter().map(|&(v, distance)| [distance, root, v]));
            meter.spend(reached.len() as u64);
        }
        drop(meter);
        let outcome = allowance.outcome();
        if outcome == Outcome::Complete {
            (0..=self.radius).for_each(|radius| self.drain(radius, &mut row.at(radius as usize)));
        }
        outcome
    }
}

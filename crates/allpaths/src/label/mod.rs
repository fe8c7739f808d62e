//! What paths and cycles are called: the labelled encodings of the paper, and two of our own.
//!
//! | [`Encoding`] | a path is called by | its name |
//! |---|---|---|
//! | `Sequence` | all its labels in order, edges' labels between them if asked for | `path:C-C=O` |
//! | `Composition` | its two ends, and how often each label is between them | `path:4:[C,C^2 N,O]` |
//! | `Exact` | the same, found the paper's way: decoded from sums of products of real numbers | `path:4:[C,C^2 N,O]` |
//! | `Power` | its two ends, and the sum of its inner vertices' codes 0, 1, 2, ... | `power:2:[C,1,O]@C,O,*` |
//!
//! An undirected path is read in its smaller direction, so that its ends are an unordered pair; labels compare as the bytes of their
//! names. A cycle has no ends: its label covers all its vertices, and a sequence is read from where and in the direction
//! that make it smallest, with the edge that closes it at the end (`cycle:C-C-N-`). Directed graphs are never read backwards. A vertex alone
//! is called `vertex:C` in every encoding.
//!
//! [`id_of_name`] gives each name its 64-bit id; [`LabelMap`] decides which labels keep their names.

mod binning;
pub(crate) mod composition;
mod exact;
mod id;
mod interpolation;
mod kronecker;
mod labelling;
mod lexicon;
mod map;
mod name;
mod power;
mod refine;
pub(crate) mod sequence;
mod trie;

use serde::{Deserialize, Serialize};

pub use binning::{Binning, Cut};
pub(crate) use binning::{Bounds, relabelled};
pub(crate) use composition::{Compositions, Multisets};
pub(crate) use exact::{Sums, check_weights};
pub use id::{ID_VERSION, id_of_name};
pub(crate) use id::{Piece, mixed};
pub(crate) use labelling::{Labelling, Spelling, spelt};
pub use map::{LabelChoice, LabelLearner, LabelMap};
pub(crate) use power::Bins;
pub(crate) use trie::{Reading, Trie};

use crate::count::Convention;
use crate::graph::Arc;

/// How paths and cycles are named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Encoding {
    /// First label, last label and the sum of the codes between: the paper's power encoding.
    Power,
    /// First label, last label and the multiset of labels between, booked directly.
    Composition,
    /// What `Composition` gives, by the paper's exact encoding: labels weigh real numbers, and sums of their products are decoded by a
    /// search. Where that has no certain answer, the outcome is [`Undecided`](crate::count::Outcome::Undecided).
    Exact,
    /// The whole sequence of labels.
    #[default]
    Sequence,
}

impl Encoding {
    /// The name that outputs use.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Power => "power",
            Encoding::Composition => "composition",
            Encoding::Exact => "exact",
            Encoding::Sequence => "sequence",
        }
    }
}

/// Where cycles are booked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cycles {
    /// As features of their own, each cycle once.
    #[default]
    Separate,
    /// With the paths, as the paper does: a cycle is a path from each of its vertices back to it.
    Merged,
    /// Nowhere.
    Off,
}

/// What a feature counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Vertices.
    Vertex,
    /// Simple paths of one edge or more.
    Path,
    /// Simple cycles.
    Cycle,
    /// Edges, without the vertices they join.
    Edge,
    /// Pairs of vertices at some distance.
    Pair,
    /// Small subgraphs.
    Subgraph,
    /// Walks, which may come back to vertices and edges.
    Walk,
    /// Walks that use no edge twice.
    Trail,
    /// Trees.
    Tree,
}

/// What is booked, and how it counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Booking {
    pub(crate) paths: bool,
    pub(crate) cycles: Cycles,
    pub(crate) convention: Convention,
}

impl Booking {
    /// Of rooted paths and cycles of a length that read the same: how many count as paths, and how many as cycles.
    pub(crate) fn shares(self, length: usize, directed: bool, paths: u64, closed: u64) -> (u64, u64) {
        let paths = if self.paths { paths } else { 0 };
        if closed == 0 {
            return (paths, 0);
        }
        let rooted = self.convention == Convention::Rooted;
        let closed = match length {
            // To and fro along an edge is no cycle.
            2 if !directed && !rooted => 0,
            // A loop reads the same in both directions, but is met once.
            1 if !directed && !rooted && self.cycles == Cycles::Merged => 2 * closed,
            _ => closed,
        };
        match self.cycles {
            Cycles::Separate => (paths, closed),
            Cycles::Merged => (paths + closed, 0),
            Cycles::Off => (paths, 0),
        }
    }

    /// How many times a cycle of a length is met, over all its vertices and directions.
    fn starts(self, length: usize, directed: bool) -> u64 {
        match (self.convention, length) {
            (Convention::Rooted, _) | (_, 1) => 1,
            (Convention::Distinct, _) if directed => length as u64,
            (Convention::Distinct, _) => 2 * length as u64,
        }
    }

    /// Whether what is read backwards is the same.
    fn reverses(self, labelling: &Labelling) -> bool {
        self.convention == Convention::Distinct && !labelling.is_directed()
    }
}

/// Some number of a feature in a graph.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) id: u64,
    pub(crate) kind: Kind,
    pub(crate) length: usize,
    /// Found so often; what is found several times for one feature is added up.
    pub(crate) times: u64,
    /// Each is found so many times.
    pub(crate) divisor: u64,
    /// Whether more of the same may be found in the same graph.
    pub(crate) again: bool,
}

/// Takes the features of a graph.
pub(crate) trait Sink {
    /// Where that which is taken next was booked: see [`Booked`]. Only those who walk again want to know.
    #[inline]
    fn at(&mut self, _place: usize) {}

    /// `name` is only asked for where the feature is new.
    fn take(&mut self, found: Found, name: impl FnOnce() -> String);
}

/// What was booked while walking, for a second walk along the same paths: each is booked in a place, and what is drained from there says
/// which feature it is.
pub(crate) trait Booked {
    /// The state in which a walk from a vertex begins.
    fn first(&self, vertex: usize) -> u32;

    /// Where the path walked and one more arc are booked, `length` edges in all; beyond all places if they are not.
    fn place(&self, state: u32, length: usize, arc: Arc) -> usize;

    /// The state after that arc.
    fn next(&self, state: u32, place: usize, arc: Arc) -> u32;

    /// What [`Tally::ends`](crate::count::Tally::ends) was: the second walk leaves out what the first did.
    fn ends(&self, _root: usize) -> u128 {
        !0
    }
}

const VERTEX: &str = "vertex:";

/// The vertices, by label.
pub(crate) fn vertices(labelling: &Labelling, scratch: &mut Vec<u64>, sink: &mut impl Sink) {
    scratch.clear();
    scratch.resize(labelling.len(), 0);
    labelling.vertices().iter().for_each(|&label| scratch[label as usize] += 1);
    for (label, &times) in (0..).zip(&*scratch) {
        let id = const { Piece::of(VERTEX) }.then(labelling.piece(label)).id();
        sink.at(label as usize);
        sink.take(Found { id, kind: Kind::Vertex, length: 0, times, divisor: 1, again: false }, || {
            spelt(|name: &mut String| {
                name.push_str(VERTEX);
                name.vertex(labelling, label)
            })
        });
    }
}

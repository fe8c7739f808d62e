//! Histograms of labels: what a kernel must beat that claims to see structure.
//!
//! Vertices by label are paths of length 0, so only edges need a finder of their own.

use crate::Graph;
use crate::count::{Job, Outcome};
use crate::embed::{Finder, Keys, Part};
use crate::label::{Found, Kind, LabelMap, Labelling, Piece, Sink, Spelling, spelt};

/// Counts edges by their own labels, whatever they join. Edges without labels have one, `-`.
pub(super) struct Edges {
    labelling: Labelling,
    counts: Vec<u64>,
}

impl Edges {
    pub(super) fn new() -> Self {
        Self { labelling: Labelling::new(LabelMap::all(), true), counts: Vec::new() }
    }
}

impl Finder for Edges {
    fn find<K: Keys>(&mut self, graph: &Graph, job: Job<'_>, row: &mut Part<K>) -> Outcome {
        let Self { labelling, counts } = self;
        let stop = job.stop();
        if stop != Outcome::Complete {
            return stop;
        }
        labelling.begin(graph);
        counts.clear();
        counts.resize(labelling.edge_labels(), 0);
        let arcs = (0..graph.order()).flat_map(|v| graph.arcs(v));
        // An undirected edge is two arcs, a loop is one.
        let once = arcs.filter(|arc| graph.is_directed() || arc.source <= arc.target);
        once.for_each(|arc| counts[labelling.arc(arc.index) as usize] += 1);
        let mut sink = row.at(0);
        for (&times, edge) in counts.iter().zip(0..).filter(|&(&times, _)| times > 0) {
            let id = spelt(|piece: &mut Piece| name(piece, labelling, edge)).id();
            let found = Found { id, kind: Kind::Edge, length: 1, times, divisor: 1, again: false };
            sink.take(found, || spelt(|text: &mut String| name(text, labelling, edge)));
        }
        Outcome::Complete
    }
}

fn name(out: &mut impl Spelling, labelling: &Labelling, edge: u32) -> std::fmt::Result {
    out.write_str("edge:")?;
    out.edge(labelling, edge)
}

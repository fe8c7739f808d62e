//! Finds graphlets in graph after graph.

use std::fmt;

use rustc_hash::FxHashMap;

use super::apart::Apart;
use super::classes::{self, Classes, LARGEST};
use super::{Graphlet, Graphlets, Sampling};
use crate::Graph;
use crate::count::{Allowance, Job, Links, Meter, Outcome, Subgraph, Visitor};
use crate::embed::{Finder, Keys, Part};
use crate::label::{Found, Kind, LabelMap, Labelling, Piece, Sink, Spelling, spelt};
use crate::random::ChaCha8;

/// Finds graphlets. Scratch, to be used for graph after graph.
pub(in super::super) struct Subgraphs<'a> {
    settings: &'a Graphlet,
    labelling: Labelling,
    /// By size, from 0.
    classes: Vec<Option<Classes>>,
    found: Tally,
}

/// Graphlets as they are met, in whatever order of their vertices.
#[derive(Default)]
pub(in crate::kernel) struct Tally {
    /// By code, size and labels.
    pub(in crate::kernel) counts: FxHashMap<Key, u64>,
    pub(in crate::kernel) labels: Vec<u32>,
}

/// A graphlet with its vertices in some order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::kernel) struct Key {
    pub(in crate::kernel) size: u8,
    pub(in crate::kernel) code: u16,
    pub(in crate::kernel) labels: [u32; LARGEST],
}

impl Tally {
    /// Books graphlets whose vertices are not told apart.
    pub(super) fn add(&mut self, size: usize, code: u16, times: u64) {
        if times > 0 {
            *self.counts.entry(Key { size: size as u8, code, labels: [0; LARGEST] }).or_default() += times;
        }
    }

    /// How many of a size there are so far.
    pub(super) fn total(&self, size: usize) -> u64 {
        self.counts.iter().filter(|(key, _)| key.size as usize == size).map(|(_, &times)| times).sum()
    }

    #[inline]
    fn book(&mut self, code: u16, members: impl ExactSizeIterator<Item = usize>) {
        let (size, mut labels) = (members.len() as u8, [0; LARGEST]);
        members.zip(&mut labels).for_each(|(v, label)| *label = self.labels[v]);
        *self.counts.entry(Key { size, code, labels }).or_default() += 1;
    }
}

impl<'a> Subgraphs<'a> {
    pub(super) fn new(settings: &'a Graphlet, map: &LabelMap) -> Self {
        let sizes = settings.smallest..=settings.largest;
        Self {
            settings,
            labelling: Labelling::new(map.clone(), false),
            classes: (0..=LARGEST).map(|size| sizes.contains(&size).then(|| Classes::new(size))).collect(),
            found: Tally::default(),
        }
    }

    /// Gives what was found under names.
    fn drain(&mut self, sink: &mut impl Sink) {
        let Self { settings, labelling, classes, found } = self;
        for (Key { size, code, labels }, times) in found.counts.drain() {
            let size = size as usize;
            if size < settings.smallest {
                continue;
            }
            if settings.graphlets == Graphlets::Connected && !classes::is_connected(size, code) {
                continue;
            }
            let classes = classes[size].as_mut().expect("made for every size that is looked for");
            let (code, labels) = classes.canonical(code, &labels[..size]);
            let class = Class { prefix: "graphlet:[", labelling, labels: &labels[..size], code };
            let id = spelt(|piece: &mut Piece| class.spell(piece)).id();
            let found = Found { id, kind: Kind::Subgraph, length: size, times, divisor: 1, again: true };
            sink.take(found, || spelt(|name: &mut String| class.spell(name)));
        }
    }
}

impl Finder for Subgraphs<'_> {
    fn find<K: Keys>(&mut self, graph: &Graph, job: Job<'_>, row: &mut Part<K>) -> Outcome {
        let Self { settings, labelling, found, .. } = self;
        labelling.begin(graph);
        labelling.number();
        found.labels.clear();
        found.labels.extend(labelling.vertices());
        let allowance = Allowance::new(job);
        let mut meter = allowance.meter();
        let largest = settings.largest.min(graph.order());
        if largest >= settings.smallest {
            match (settings.sampling, settings.graphlets) {
                (Some(sampling), _) => sample(graph, settings, sampling, &mut meter, found),
                (None, Graphlets::All) if labelling.len() > 1 => {
                    Sets::new(graph).each(settings, &mut meter, found);
                }
                (None, graphlets) => {
                    let links = Links::new(graph, |_| 1i64);
                    let mut subgraph = Subgraph::new(&links, largest);
                    let mut apart = (graphlets == Graphlets::All).then(|| Apart::new(&links, largest));
                    let codes = [0; LARGEST + 1];
                    let mut met = Met { smallest: settings.smallest, codes, found, apart: apart.as_mut() };
                    (0..graph.order()).for_each(|root| subgraph.each(root, &mut meter, &mut met));
                    if let Some(apart) = apart.filter(|_| !meter.stopped()) {
                        apart.finish(found);
                    }
                }
            }
        }
        drop(meter);
        let outcome = allowance.outcome();
        match outcome {
            Outcome::Complete => self.drain(&mut row.at(0)),
            // Sizes are counted together, so none is finished.
            _ => found.counts.clear(),
        }
        outcome
    }
}

/// Books connected subgraphs.
pub(in crate::kernel) struct Met<'a, 'b> {
    smallest: usize,
    /// By size: the code of the subgraph at hand, and of those it grew from.
    codes: [u16; LARGEST + 1],
    found: &'a mut Tally,
    /// Hears of those that are smaller than the largest.
    apart: Option<&'a mut Apart<'b>>,
}

impl<'a> Met<'a, '_> {
    /// Books all connected induced subgraphs, from single vertices on.
    pub(in crate::kernel) fn all(found: &'a mut Tally) -> Self {
        Self { smallest: 1, codes: [0; LARGEST + 1], found, apart: None }
    }
}

impl Visitor<i64> for Met<'_, '_> {
    fn visit(&mut self, subgraph: &Subgraph<'_, i64>) {
        let members = subgraph.members();
        let last = members.len() - 1;
        let links = (0..last).filter(|&i| (subgraph.out(i) >> last | subgraph.out(last) >> i) & 1 == 1);
        let code = links.fold(self.codes[last], |code, i| code | 1 << classes::bit(i, last));
        self.codes[last + 1] = code;
        if let Some(apart) = self.apart.as_mut().filter(|_| members.len() < subgraph.largest()) {
            apart.beside(members, code, subgraph.border(), self.found);
        }
        if members.len() >= self.smallest {
            self.found.book(code, members.iter().map(|&v| v as usize));
        }
    }

    fn visit_with(&mut self, subgraph: &Subgraph<'_, i64>, vertex: usize) -> bool {
        let members = subgraph.members();
        let last = members.len();
        if last == 0 || last + 1 < self.smallest {
            return false;
        }
        let links = subgraph.links_of(vertex).map(|(place, ..)| place);
        let code = links.fold(self.codes[last], |code, i| code | 1 << classes::bit(i, last));
        let mut all = [0; LARGEST];
        all.iter_mut().zip(members).for_each(|(place, &v)| *place = v as usize);
        all[last] = vertex;
        self.found.book(code, all[..=last].iter().copied());
        true
    }
}

/// All sets of vertices.
struct Sets {
    order: usize,
    /// Whether two vertices are joined.
    joined: Vec<bool>,
    members: Vec<usize>,
}

impl Sets {
    fn new(graph: &Graph) -> Self {
        let order = graph.order();
        let mut joined = vec![false; order * order];
        for (u, v) in graph.edges() {
            joined[u * order + v] = true;
            joined[v * order + u] = true;
        }
        Self { order, joined, members: Vec::with_capacity(LARGEST) }
    }

    fn each(mut self, settings: &Graphlet, meter: &mut Meter<'_>, found: &mut Tally) {
        self.grow(0, settings, meter, found);
    }

    /// Takes one more vertex, after those that are in.
    fn grow(&mut self, code: u16, settings: &Graphlet, meter: &mut Meter<'_>, found: &mut Tally) {
        let (size, first) = (self.members.len(), self.members.last().map_or(0, |v| v + 1));
        for v in first..self.order {
            meter.spend(1);
            if meter.stopped() {
                return;
            }
            let row = &self.joined[v * self.order..][..self.order];
            let links = (0..size).filter(|&i| row[self.members[i]]);
            let code = links.fold(code, |code, i| code | 1 << classes::bit(i, size));
            self.members.push(v);
            if size + 1 >= settings.smallest {
                found.book(code, self.members.iter().copied());
            }
            if size + 1 < settings.largest {
                self.grow(code, settings, meter, found);
            }
            self.members.pop();
        }
    }
}

/// Random sets of vertices, of each size as many.
fn sample(graph: &Graph, settings: &Graphlet, sampling: Sampling, meter: &mut Meter<'_>, found: &mut Tally) {
    let mut random = ChaCha8::new(sampling.seed);
    let is_joined =
        |u: usize, v: usize| graph.arc(u, v).is_some() || (graph.is_directed() && graph.arc(v, u).is_some());
    let mut members = Vec::with_capacity(LARGEST);
    for size in settings.smallest..=settings.largest.min(graph.order()) {
        for _ in 0..sampling.samples.of_size(size) {
            meter.spend(size as u64);
            if meter.stopped() {
                return;
            }
            members.clear();
            while members.len() < size {
                let v = random.below(graph.order() as u32) as usize;
                if !members.contains(&v) {
                    members.push(v);
                }
            }
            let pairs = (1..size).flat_map(|j| (0..j).map(move |i| (i, j)));
            let edges = pairs.filter(|&(i, j)| is_joined(members[i], members[j]));
            let code = edges.fold(0, |code, (i, j)| code | 1 << classes::bit(i, j));
            found.book(code, members.iter().copied());
        }
    }
}

/// A graphlet in its own order.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Class<'a> {
    pub(in crate::kernel) prefix: &'static str,
    pub(in crate::kernel) labelling: &'a Labelling,
    pub(in crate::kernel) labels: &'a [u32],
    pub(in crate::kernel) code: u16,
}

impl Class<'_> {
    pub(in crate::kernel) fn spell(self, out: &mut impl Spelling) -> fmt::Result {
        out.write_str(self.prefix)?;
        for (i, &label) in self.labels.iter().enumerate() {
            out.write_str(if i > 0 { "," } else { "" })?;
            out.vertex(self.labelling, label)?;
        }
        out.write_str("]:")?;
        for (place, (i, j)) in classes::edges(self.code).enumerate() {
            write!(out, "{}{i}{j}", if place > 0 { " " } else { "" })?;
        }
        Ok(())
    }
}

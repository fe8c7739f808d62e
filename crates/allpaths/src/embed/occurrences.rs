//! Where in a graph its features are.
//!
//! A feature is a number of paths or cycles that are called the same. They are booked as always, and what is drained from each place says which
//! feature that is; then everything is walked a second time, and every path and cycle told with the feature of the place where it is
//! booked. So there is one way only in which things get their names.

use super::worker::{Worker, attempts, walk, walk_bins};
use crate::Graph;
use crate::count::{Ends, Job, Outcome, Tally};
use crate::graph::Arc;
use crate::label::{Booked, Booking, Encoding, Found, Kind, Sink};

/// A path, a cycle or a vertex of a graph, met once.
pub(crate) struct Occurrence<'a> {
    /// The feature that it is one of.
    pub(crate) key: u32,
    /// How much of the feature's count it makes when it is met like this: a path that is met from both its ends is a half each time.
    pub(crate) count: f64,
    /// The vertices that it visits, each once.
    pub(crate) vertices: &'a [u32],
    /// The edges that it follows.
    pub(crate) edges: &'a [u32],
}

impl Worker<'_> {
    /// Tells every occurrence of the features of a graph that have a key.
    pub(crate) fn occurrences(
        &mut self,
        graph: &Graph,
        job: Job<'_>,
        mut key: impl FnMut(&Found) -> Option<u32>,
        mut hear: impl FnMut(Occurrence<'_>) + Send,
    ) -> Outcome {
        self.labelling.begin(graph);
        let (mut outcome, mut done) = (Outcome::Complete, 0);
        for (refinement, max_length) in self.settings.profile.rounds() {
            (done..refinement).for_each(|_| self.labelling.refine(graph));
            done = refinement;
            let mut index = Index::new(&mut key);
            let again = Job { steps: None, ..job };
            outcome = outcome.max(if self.settings.encoding == Encoding::Power {
                let Self { labelling, bins, booking, .. } = self;
                let bins = bins.as_mut().expect("made for this encoding");
                let ready = |bins: &mut crate::label::Bins| bins.begin(labelling, *booking);
                let fill = |bins: &mut crate::label::Bins, length| walk_bins(graph, length, job, bins);
                let (outcome, length) = attempts(graph, max_length, bins, ready, fill);
                if self.settings.vertices {
                    bins.vertices(&mut index);
                    index.tell_vertices(&bins.codes().1, &mut hear);
                }
                bins.drain(labelling, *booking, &mut index);
                outcome.max(index.retell(graph, (&*bins, *booking), length, again, &mut hear))
            } else {
                self.number(&mut index);
                if self.settings.vertices {
                    index.tell_vertices(self.labelling.vertices(), &mut hear);
                }
                if max_length == 0 {
                    continue;
                }
                let (outcome, length) = self.fill_trie(graph, max_length, job);
                self.drain_trie(&mut index);
                outcome.max(index.retell(graph, (&self.trie, self.booking), length, again, &mut hear))
            });
        }
        outcome
    }
}

/// Which feature is booked in each place, and how often each of its occurrences is booked.
struct Index<K> {
    key: K,
    place: usize,
    vertices: Vec<Entry>,
    paths: Vec<Entry>,
    cycles: Vec<Entry>,
}

type Entry = Option<(u32, f64)>;

impl<K: FnMut(&Found) -> Option<u32>> Index<K> {
    fn new(key: K) -> Self {
        Self { key, place: 0, vertices: Vec::new(), paths: Vec::new(), cycles: Vec::new() }
    }

    fn tell_vertices(&self, places: &[u32], hear: &mut impl FnMut(Occurrence<'_>)) {
        for (vertex, &place) in (0..).zip(places) {
            if let Some((key, count)) = entry(&self.vertices, place as usize) {
                hear(Occurrence { key, count, vertices: &[vertex], edges: &[] });
            }
        }
    }

    /// Walks again.
    fn retell<B: Booked + Sync>(
        &self,
        graph: &Graph,
        (booked, booking): (&B, Booking),
        max_length: usize,
        job: Job<'_>,
        hear: &mut (impl FnMut(Occurrence<'_>) + Send),
    ) -> Outcome {
        if max_length == 0 {
            return Outcome::Complete;
        }
        let of_length = |length: usize| {
            let shares = |paths, closed| booking.shares(length, graph.is_directed(), paths, closed);
            let (as_path, (closed_path, cycle)) = (shares(1, 0).0, shares(0, 1));
            [as_path, closed_path, cycle].map(|times| times as f64)
        };
        let mut retelling = Retelling {
            graph,
            booked,
            paths: &self.paths,
            cycles: &self.cycles,
            factors: (0..=max_length).map(of_length).collect(),
            vertices: Vec::new(),
            edges: Vec::new(),
            hear,
        };
        walk(graph, max_length, job, &mut retelling)
    }
}

impl<K: FnMut(&Found) -> Option<u32>> Sink for Index<K> {
    fn at(&mut self, place: usize) {
        self.place = place;
    }

    fn take(&mut self, found: Found, _: impl FnOnce() -> String) {
        let Some(key) = (self.key)(&found) else { return };
        let entries = match found.kind {
            Kind::Vertex => &mut self.vertices,
            Kind::Cycle => &mut self.cycles,
            _ => &mut self.paths,
        };
        if entries.len() <= self.place {
            entries.resize(self.place + 1, None);
        }
        entries[self.place] = Some((key, 1.0 / found.divisor as f64));
    }
}

fn entry(entries: &[Entry], place: usize) -> Entry {
    entries.get(place).copied().flatten()
}

/// The second walk.
struct Retelling<'a, B, H> {
    graph: &'a Graph,
    booked: &'a B,
    paths: &'a [Entry],
    cycles: &'a [Entry],
    /// By length: how often a path counts as a path, and what closes as a path and as a cycle.
    factors: Vec<[f64; 3]>,
    /// The path walked.
    vertices: Vec<u32>,
    edges: Vec<u32>,
    hear: &'a mut H,
}

impl<B: Booked, H: FnMut(Occurrence<'_>)> Retelling<'_, B, H> {
    /// Goes one arc further, to `length` edges, and says where that is booked.
    fn go(&mut self, state: u32, length: usize, arc: Arc) -> usize {
        self.vertices.truncate(length);
        self.edges.truncate(length - 1);
        self.vertices.push(arc.target as u32);
        self.edges.push(self.graph.edge_of(arc) as u32);
        let place = self.booked.place(state, length, arc);
        self.tell(entry(self.paths, place), self.factors[length][0], length + 1);
        place
    }

    /// Tells what begins with so many vertices of the path walked.
    fn tell(&mut self, entry: Entry, times: f64, vertices: usize) {
        if let (Some((key, count)), true) = (entry, times > 0.0) {
            let (vertices, edges) = (&self.vertices[..vertices], self.edges.as_slice());
            (self.hear)(Occurrence { key, count: count * times, vertices, edges });
        }
    }
}

impl<B: Booked, H: FnMut(Occurrence<'_>)> Tally for Retelling<'_, B, H> {
    const BOOKS_STEPS: bool = true;

    type State = u32;

    fn root(&mut self, vertex: usize) -> u32 {
        self.vertices.clear();
        self.edges.clear();
        self.vertices.push(vertex as u32);
        self.booked.first(vertex)
    }

    fn step(&mut self, state: u32, length: usize, arc: Arc) -> u32 {
        let place = self.go(state, length, arc);
        self.booked.next(state, place, arc)
    }

    fn paths(&mut self, state: u32, length: usize, ends: impl Ends) {
        ends.each(|arc| {
            self.go(state, length, arc);
        });
    }

    fn ends(&self, root: usize) -> u128 {
        self.booked.ends(root)
    }

    fn close(&mut self, state: u32, length: usize, arc: impl FnOnce() -> Arc) {
        let arc = arc();
        self.edges.truncate(length - 1);
        self.edges.push(self.graph.edge_of(arc) as u32);
        let place = self.booked.place(state, length, arc);
        let [_, path, cycle] = self.factors[length];
        self.tell(entry(self.paths, place), path, length);
        self.tell(entry(self.cycles, place), cycle, length);
    }
}

//! The worker that finds labelled paths and cycles in graph after graph.

use super::AllPathsCycles;
use super::run::{Finder, Keys, Part};
use crate::Result;
use crate::count::{Engine, Goal, Job, Outcome, Tally, Walk};
use crate::graph::Graph;
use crate::label::{
    self, Bins, Booking, Compositions, Encoding, Kind, LabelMap, Labelling, Multisets, Reading, Sink, Sums,
    Trie,
};

/// The scratch of one thread.
pub(crate) struct Worker<'a> {
    pub(super) settings: &'a AllPathsCycles,
    pub(super) booking: Booking,
    pub(super) labelling: Labelling,
    pub(super) trie: Trie,
    reading: Reading,
    multisets: Multisets,
    compositions: Compositions,
    sums: Sums,
    pub(super) bins: Option<Bins>,
    vertices: Vec<u64>,
}

impl<'a> Worker<'a> {
    /// # Errors
    ///
    /// When the labels are too many for the encoding.
    pub(crate) fn new(settings: &'a AllPathsCycles, map: &LabelMap) -> Result<Self> {
        let bins = match settings.encoding {
            Encoding::Power => Some(Bins::new(map, settings.profile.max_length())?),
            _ => None,
        };
        Ok(Self {
            settings,
            booking: settings.booking(),
            labelling: Labelling::new(map.clone(), settings.edge_labels.is_used()),
            trie: Trie::default(),
            reading: Reading::default(),
            multisets: Multisets::default(),
            compositions: Compositions::default(),
            sums: Sums::new(&settings.codes, map)?,
            bins,
            vertices: Vec::new(),
        })
    }

    /// Numbers the labels, and hands the vertices over.
    pub(super) fn number(&mut self, sink: &mut impl Sink) {
        self.labelling.number();
        if self.settings.vertices {
            label::vertices(&self.labelling, &mut self.vertices, sink);
        }
    }

    fn trie(&mut self, graph: &Graph, max_length: usize, job: Job<'_>, sink: &mut impl Sink) -> Outcome {
        self.number(sink);
        if max_length == 0 {
            return job.stop();
        }
        if self.prefers_quotients(graph, max_length, job) {
            return self.compositions(graph, max_length, job, sink);
        }
        let (outcome, _) = self.fill_trie(graph, max_length, job);
        self.drain_trie(sink);
        outcome
    }

    /// Whether compositions are found by the quotient engine.
    fn prefers_quotients(&self, graph: &Graph, max_length: usize, job: Job<'_>) -> bool {
        let Self { settings, labelling, .. } = self;
        match settings.engine {
            _ if settings.encoding != Encoding::Composition => false,
            Engine::Quotient => true,
            Engine::Auto if job.steps.is_none() && !labelling.has_edges() => {
                Compositions::prefer_quotients(graph, labelling, max_length)
            }
            _ => false,
        }
    }

    fn compositions(
        &mut self,
        graph: &Graph,
        max_length: usize,
        job: Job<'_>,
        sink: &mut impl Sink,
    ) -> Outcome {
        let Self { labelling, compositions, multisets, booking, .. } = self;
        let find = |found: &mut Compositions, length| found.interpolate(graph, labelling, length, job);
        let (outcome, _) = attempts(graph, max_length, compositions, Compositions::clear, find);
        compositions.drain(labelling, *booking, multisets, sink);
        outcome
    }

    /// Books all sequences, and says to which length.
    pub(super) fn fill_trie(&mut self, graph: &Graph, max_length: usize, job: Job<'_>) -> (Outcome, usize) {
        let Self { labelling, trie, booking, .. } = self;
        let ready = |trie: &mut Trie| trie.begin(graph, labelling, *booking);
        attempts(graph, max_length, trie, ready, |trie, length| walk(graph, length, job, trie))
    }

    /// Hands over what was booked as sequences, or as compositions: those are what the encoding `exact` finds, too.
    pub(super) fn drain_trie(&mut self, sink: &mut impl Sink) {
        let Self { labelling, trie, reading, multisets, booking, .. } = self;
        match self.settings.encoding {
            Encoding::Composition | Encoding::Exact => {
                label::composition::drain(trie, labelling, *booking, (reading, multisets), sink);
            }
            _ => label::sequence::drain(Kind::Path, trie, labelling, *booking, reading, sink),
        }
    }

    fn exact(&mut self, graph: &Graph, max_length: usize, job: Job<'_>, sink: &mut impl Sink) -> Outcome {
        self.number(sink);
        let Self { labelling, sums, multisets, booking, .. } = self;
        let sift = |sums: &mut Sums, length| sums.sift(graph, labelling, length, job);
        let (outcome, _) = attempts(graph, max_length, sums, Sums::clear, sift);
        outcome.max(sums.decode(labelling, *booking, job, multisets, sink))
    }

    fn power(&mut self, graph: &Graph, max_length: usize, job: Job<'_>, sink: &mut impl Sink) -> Outcome {
        let Self { labelling, bins, booking, .. } = self;
        let bins = bins.as_mut().expect("made for this encoding");
        let ready = |bins: &mut Bins| bins.begin(labelling, *booking);
        let mut all = Vec::new();
        let (outcome, _) =
            attempts(graph, max_length, bins, ready, |bins, length| match self.settings.engine {
                Engine::Sieve => bins.sift(graph, length, job),
                Engine::Quotient => bins.interpolate(graph, length, job),
                Engine::Frontier => bins.sweep(graph, length, job, &mut all),
                Engine::Auto if job.steps.is_none() && bins.prefer_quotients(graph, length) => {
                    bins.interpolate(graph, length, job)
                }
                _ => walk_bins(graph, length, job, bins),
            });
        if self.settings.vertices {
            bins.vertices(sink);
        }
        bins.drain(labelling, *booking, sink);
        outcome
    }
}

impl Finder for Worker<'_> {
    fn find<K: Keys>(&mut self, graph: &Graph, job: Job<'_>, row: &mut Part<K>) -> Outcome {
        self.labelling.begin(graph);
        let (mut outcome, mut done) = (Outcome::Complete, 0);
        for (refinement, max_length) in self.settings.profile.rounds() {
            (done..refinement).for_each(|_| self.labelling.refine(graph));
            done = refinement;
            let mut sink = row.at(refinement);
            outcome = outcome.max(match self.settings.encoding {
                Encoding::Power => self.power(graph, max_length, job, &mut sink),
                Encoding::Exact => self.exact(graph, max_length, job, &mut sink),
                Encoding::Composition | Encoding::Sequence => self.trie(graph, max_length, job, &mut sink),
            });
        }
        outcome
    }
}

/// Goes as far as the budget allows: fills a tally, made ready before each attempt, to one length after the other from the longest,
/// until one is finished. Says which, too.
pub(super) fn attempts<T>(
    graph: &Graph,
    max_length: usize,
    tally: &mut T,
    mut ready: impl FnMut(&mut T),
    mut fill: impl FnMut(&mut T, usize) -> Outcome,
) -> (Outcome, usize) {
    let mut ended = Outcome::Complete;
    for max_length in (0..=max_length.min(graph.order())).rev() {
        ready(tally);
        if max_length == 0 {
            break;
        }
        let outcome = fill(tally, max_length);
        ended = ended.max(outcome);
        if outcome == Outcome::Complete {
            return (ended, max_length);
        }
    }
    (ended, 0)
}

/// Books power classes: from both ends of a path at once where that can be done.
pub(super) fn walk_bins(graph: &Graph, max_length: usize, job: Job<'_>, bins: &mut Bins) -> Outcome {
    if !Walk::can_join(graph) {
        return walk(graph, max_length, job, bins);
    }
    let outcome = everywhere(graph, max_length, job).join(bins);
    bins.mirror();
    outcome
}

pub(super) fn walk<T: Tally<State: Send> + Send>(
    graph: &Graph,
    max_length: usize,
    job: Job<'_>,
    tally: &mut T,
) -> Outcome {
    everywhere(graph, max_length, job).tell(tally).1
}

fn everywhere<'a>(graph: &'a Graph, max_length: usize, job: Job<'a>) -> Walk<'a> {
    Walk { graph, goal: Goal::Everywhere, max_length, job, parts: 1, parallel: false }
}

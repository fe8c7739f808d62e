//! The worker that finds labelled paths and cycles in graph after graph.

use super::AllPathsCycles;
use super::run::{Finder, Keys, Part};
use crate::Result;
use crate::count::{Goal, Job, Outcome, Walk};
use crate::graph::Graph;
use crate::label::{self, Bins, Booking, Encoding, LabelMap, Labelling, Multisets, Reading, Sink, Trie};

/// The scratch of one thread.
pub(crate) struct Worker<'a> {
    settings: &'a AllPathsCycles,
    booking: Booking,
    labelling: Labelling,
    trie: Trie,
    reading: Reading,
    multisets: Multisets,
    bins: Option<Bins>,
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
            bins,
            vertices: Vec::new(),
        })
    }

    fn trie(&mut self, graph: &Graph, max_length: usize, job: Job<'_>, sink: &mut impl Sink) -> Outcome {
        self.labelling.number();
        if self.settings.vertices {
            label::vertices(&self.labelling, &mut self.vertices, sink);
        }
        if max_length == 0 {
            return job.stop();
        }
        let Self { labelling, trie, reading, multisets, booking, .. } = self;
        let outcome = walk(graph, max_length, job, trie, |trie| trie.begin(graph, labelling));
        match self.settings.encoding {
            Encoding::Composition => {
                label::composition::drain(trie, labelling, *booking, (reading, multisets), sink);
            }
            _ => label::sequence::drain(trie, labelling, *booking, reading, sink),
        }
        outcome
    }

    fn power(&mut self, graph: &Graph, max_length: usize, job: Job<'_>, sink: &mut impl Sink) -> Outcome {
        let Self { labelling, bins, booking, .. } = self;
        let bins = bins.as_mut().expect("made for this encoding");
        let outcome = walk(graph, max_length, job, bins, |bins| bins.begin(labelling));
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
                _ => self.trie(graph, max_length, job, &mut sink),
            });
        }
        outcome
    }
}

/// Walks as far as the budget allows, and tells a tally that is made ready before each attempt.
fn walk<T: crate::count::Tally<State: Send> + Send>(
    graph: &Graph,
    max_length: usize,
    job: Job<'_>,
    tally: &mut T,
    mut ready: impl FnMut(&mut T),
) -> Outcome {
    let mut ended = Outcome::Complete;
    for max_length in (0..=max_length.min(graph.order())).rev() {
        ready(tally);
        if max_length == 0 {
            break;
        }
        let walk = Walk { graph, goal: Goal::Everywhere, max_length, job, parts: 1, parallel: false };
        let (_, outcome) = walk.tell(&mut *tally);
        ended = ended.max(outcome);
        if outcome == Outcome::Complete {
            break;
        }
    }
    ended
}

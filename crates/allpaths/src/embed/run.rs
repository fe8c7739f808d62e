//! Graphs into rows of features, whatever finds them: several at a time, on several threads.

use std::sync::{Mutex, PoisonError};

use super::features::{Entry, Rows};
use super::vocabulary::{self, Kept, Learner};
use super::{EdgeLabels, Stopped};
use crate::count::{Job, Limits, Outcome};
use crate::label::{Found, Sink};
use crate::{Error, Graph, Monitor, Result, threads};

/// Finds the features of graph after graph, with the scratch of one thread.
pub(crate) trait Finder: Send {
    /// Puts the features of a graph into the row at hand.
    fn find<K: Keys>(&mut self, graph: &Graph, job: Job<'_>, row: &mut Part<K>) -> Outcome;
}

/// Says under which key a feature is put into a row.
pub(crate) trait Keys {
    /// An id, or the number of a column.
    type Key: Copy + Ord + Send;

    /// The key of a feature; nothing if it has none. The name is only spelt where it is needed.
    fn key(&mut self, found: &Found, refinement: usize, name: impl FnOnce() -> String) -> Option<Self::Key>;
}

/// Rows in order, in parts, each with the number of the finder whose keys they have.
type Parts<K> = Vec<(usize, Rows<K>)>;

/// How graphs are gone through.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Manner {
    pub(crate) edge_labels: EdgeLabels,
    pub(crate) limits: Limits,
    pub(crate) stopped: Stopped,
    pub(crate) threads: Option<usize>,
}

impl Manner {
    /// Sets finders to graphs, on the threads at hand.
    fn run<F: Finder, K: Keys + Send>(
        self,
        graphs: &[Graph],
        monitor: &Monitor,
        finder: impl Fn() -> Result<F> + Sync + Send,
        keys: impl Fn() -> K + Sync + Send,
    ) -> Result<(Parts<K::Key>, Vec<K>)> {
        let unlabelled = |graph: &Graph| graph.size() > 0 && graph.edge_labels().is_none();
        if let Some(number) = graphs.iter().position(unlabelled).filter(|_| self.edge_labels.is_used()) {
            return Err(Error::graph(format!("graph {number} has no edge labels, which were asked for")));
        }
        let share = 1.0 / graphs.len().max(1) as f64;
        let deadline = self.limits.deadline();
        let job = Job {
            monitor,
            deadline,
            steps: self.limits.steps,
            bytes: self.limits.memory,
            share,
            taken: None,
        };
        let workers = threads::count(self.threads);
        let together = (graphs.len() / (16 * workers)).clamp(1, 64);
        // Finders that wait for something to do. Those that learn should be few: each meets most features.
        let idle: Mutex<Vec<(usize, F, Part<K>)>> = Mutex::default();
        let made = Mutex::new(0);
        let hire = || -> Result<_> {
            let mut made = made.lock().unwrap_or_else(PoisonError::into_inner);
            *made += 1;
            Ok((*made - 1, finder()?, Part::new(keys())))
        };
        let one = |graphs: &[Graph]| -> Result<_> {
            let waiting = idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let (number, mut finder, mut part) = waiting.map_or_else(hire, Ok)?;
            graphs.iter().for_each(|graph| part.add(&mut finder, graph, job, self.stopped));
            let rows = part.rows.take();
            idle.lock().unwrap_or_else(PoisonError::into_inner).push((number, finder, part));
            Ok((number, rows))
        };
        let parts = threads::map(workers, graphs.chunks(together).collect(), one);
        let parts = parts.into_iter().collect::<Result<Vec<_>>>()?;
        self.check(&parts)?;
        let mut idle = idle.into_inner().unwrap_or_else(PoisonError::into_inner);
        idle.sort_by_key(|&(number, ..)| number);
        Ok((parts, idle.into_iter().map(|(.., part)| part.keys).collect()))
    }

    /// Sets finders to graphs, and makes of the rows that each hands over what they are to be.
    pub(super) fn rows<F: Finder, K: Keys + Send, L: Copy + Ord + Send>(
        self,
        graphs: &[Graph],
        monitor: &Monitor,
        finder: impl Fn() -> Result<F> + Sync + Send,
        keys: impl Fn() -> K + Sync + Send,
        made: impl Fn(Rows<K::Key>) -> Rows<L> + Sync + Send,
    ) -> Result<Rows<L>> {
        threads::on(self.threads, || {
            let (parts, _) = self.run(graphs, monitor, finder, keys)?;
            let parts = threads::map(threads::count(self.threads), parts, |(_, rows)| made(rows));
            Ok(Rows::concatenated(parts))
        })?
    }

    /// Learns the columns that features of these graphs need, and embeds the graphs in them. Features that fewer than `min_graphs`
    /// have are dropped.
    pub(crate) fn learn<F: Finder, T: Kept>(
        self,
        graphs: &[Graph],
        monitor: &Monitor,
        finder: impl Fn() -> Result<F> + Sync + Send,
        min_graphs: u64,
    ) -> Result<(Vec<T>, Rows<u32>)> {
        threads::on(self.threads, || {
            let (parts, learners) = self.run(graphs, monitor, finder, Learner::<T>::default)?;
            Ok(vocabulary::settle(parts, learners, min_graphs, threads::count(self.threads)))
        })?
    }

    /// Fails if it should where a graph was stopped.
    fn check<K>(self, parts: &[(usize, Rows<K>)]) -> Result<()> {
        let outcomes = parts.iter().flat_map(|(_, rows)| &rows.outcomes);
        match outcomes.enumerate().find(|(_, outcome)| **outcome != Outcome::Complete) {
            Some((graph, outcome)) if self.stopped == Stopped::Fail => {
                Err(Error::stopped(format!("graph {graph} was stopped before its end: {}", outcome.name())))
            }
            _ => Ok(()),
        }
    }
}

/// The rows that one finder made, and what it learnt of their columns.
pub(crate) struct Part<K: Keys> {
    keys: K,
    rows: Rows<K::Key>,
    /// What was found in the graph at hand and may be found again.
    again: Vec<Entry<K::Key>>,
    /// The ids of what has no key there.
    unseen: Vec<u64>,
}

impl<K: Keys> Part<K> {
    fn new(keys: K) -> Self {
        Self { keys, rows: Rows::default(), again: Vec::new(), unseen: Vec::new() }
    }

    /// Takes features of labels that were refined so often into the row at hand.
    pub(crate) fn at(&mut self, refinement: usize) -> PartSink<'_, K> {
        PartSink { part: self, refinement }
    }

    /// Forgets what was put into the row at hand.
    pub(crate) fn clear(&mut self) {
        self.rows.clear_row();
        self.again.clear();
        self.unseen.clear();
    }

    /// Adds the row of a graph.
    fn add(&mut self, finder: &mut impl Finder, graph: &Graph, job: Job<'_>, stopped: Stopped) {
        // Its share of the job is reported when the row is done, not on the way.
        let outcome = finder.find(graph, Job { share: 0.0, ..job }, self);
        if outcome != Outcome::Complete && stopped == Stopped::Skip {
            self.clear();
        }
        self.rows.finish(&mut self.again, outcome);
        self.unseen.sort_unstable();
        self.unseen.dedup();
        self.rows.unseen += self.unseen.len() as u64;
        self.unseen.clear();
        job.monitor.advance(job.share);
    }
}

pub(crate) struct PartSink<'a, K: Keys> {
    part: &'a mut Part<K>,
    refinement: usize,
}

impl<K: Keys> Sink for PartSink<'_, K> {
    #[inline]
    fn take(&mut self, found: Found, name: impl FnOnce() -> String) {
        match self.part.keys.key(&found, self.refinement, name) {
            Some(key) if found.again => {
                let Found { times, divisor, .. } = found;
                self.part.again.push(Entry { key, times, divisor });
            }
            Some(key) => {
                // Most are found once, and division is slow.
                let count = if found.divisor == 1 { found.times } else { found.times / found.divisor };
                self.part.rows.keys.push(key);
                self.part.rows.counts.push(count);
            }
            None => self.part.unseen.push(found.id),
        }
    }
}

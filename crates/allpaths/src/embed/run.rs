//! Graphs into rows of features, whatever finds them: several at a time, on several threads.

use super::features::{Entry, Rows};
use super::vocabulary::{self, Kept, Learner};
use super::{EdgeLabels, Stopped};
use crate::count::{Engine, Job, Limits, Outcome};
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
    pub(crate) engine: Engine,
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
        if let Some(reason) = graphs.iter().find_map(|graph| self.engine.refuses(graph)) {
            return Err(Error::settings(reason));
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
        // Alone, all in one part: it need not be copied to any other.
        let together =
            if workers == 1 { graphs.len().max(1) } else { (graphs.len() / (16 * workers)).clamp(1, 64) };
        let team = threads::fold(
            workers > 1,
            graphs.chunks(together).enumerate(),
            || (finder(), Part::new(keys()), Vec::new()),
            |(finder, part, made), (place, graphs)| {
                if let Ok(finder) = finder {
                    let (first, rest) = graphs.split_at(graphs.len() / 16);
                    first.iter().for_each(|graph| part.add(finder, graph, job, self.stopped));
                    part.rows.make_room(rest.len());
                    rest.iter().for_each(|graph| part.add(finder, graph, job, self.stopped));
                    made.push((place, part.rows.take()));
                }
            },
        );
        let (mut parts, mut learnt) = (Vec::new(), Vec::new());
        for (number, (finder, part, made)) in team.into_iter().enumerate() {
            finder?;
            parts.extend(made.into_iter().map(|(place, rows)| (place, (number, rows))));
            learnt.push(part.keys);
        }
        parts.sort_by_key(|&(place, _)| place);
        let parts: Vec<_> = parts.into_iter().map(|(_, part)| part).collect();
        self.check(&parts)?;
        Ok((parts, learnt))
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
            let parts =
                threads::map(threads::count(self.threads) > 1, parts.into_iter(), |(_, rows)| made(rows));
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
                // Most are found once or twice, and division is slow.
                let count = match found.divisor {
                    1 => found.times,
                    2 => found.times / 2,
                    divisor => found.times / divisor,
                };
                self.part.rows.keys.push(key);
                self.part.rows.counts.push(count);
            }
            None => self.part.unseen.push(found.id),
        }
    }
}

//! Counting with weights and signs: sums of products along paths and cycles.

use std::slice::from_ref;

use num_bigint::BigInt;

use super::counts::{Convention, Counts, Extent};
use super::engine::{Question, Rooted};
use super::limits::Outcome;
use super::number::Count;
use super::{Counter, Subject};
use crate::graph::Arc;
use crate::{Error, Graph, Monitor, Result};

/// Sums of the weights of paths and cycles by length; the weight of each is the product of its edges' weights.
///
/// A length that no path has sums to 0, and each vertex is a path of weight 1. A sum that is too large for a double, or
/// was on the way, is not finite.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightedCounts {
    extent: Extent,
    convention: Convention,
    directed: bool,
    to_and_fro: f64,
    paths: Vec<f64>,
    cycles: Vec<f64>,
}

/// Positive and negative paths and cycles by length: those with an even and with an odd number of negative edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedCounts {
    positive: Counts,
    negative: Counts,
}

impl Counter {
    /// Sums the weights of paths and cycles up to the length.
    ///
    /// # Errors
    ///
    /// When the graph has no weights, and as [`Counter::count`].
    ///
    /// # Example
    ///
    /// ```
    /// # use allpaths::{graph::GraphBuilder, Counter};
    /// //  0
    /// //  | \     0-1 weighs 2, 1-2 weighs 3, 2-0 weighs -1
    /// //  1--2
    /// let mut builder = GraphBuilder::undirected(3);
    /// for (u, v) in [(0, 1), (1, 2), (2, 0)] {
    ///     builder.edge(u, v)?;
    /// }
    /// builder.weights([2.0, 3.0, -1.0]);
    /// let sums = Counter::up_to(3).weighted(&builder.build()?)?;
    /// assert_eq!(sums.paths(1), 4.0); // 2 + 3 - 1
    /// assert_eq!(sums.paths(2), 1.0); // 2 * 3 - 3 * 1 - 1 * 2
    /// assert_eq!(sums.cycles(3), -6.0);
    /// # Ok::<(), allpaths::Error>(())
    /// ```
    pub fn weighted(&self, graph: &Graph) -> Result<WeightedCounts> {
        self.weighted_under(graph, &Monitor::new())
    }

    /// Sums the weights of paths and cycles under the eyes of a monitor.
    ///
    /// # Errors
    ///
    /// As [`Counter::weighted`].
    pub fn weighted_under(&self, graph: &Graph, monitor: &Monitor) -> Result<WeightedCounts> {
        let weights = weights(graph)?;
        let weight = |arc: Arc| weights[graph.edge_of(arc)];
        let job = self.job(monitor, 1.0);
        let question = Question::Weights;
        let (rooted, extent) = self.parallel(from_ref(graph), question, || {
            self.run(graph, question, job, 1, |method, run| method.weighted(self.subject, &weight, run))
        })?;
        Ok(WeightedCounts::new(graph, weights, extent, &rooted))
    }

    /// Counts positive and negative paths and cycles up to the length.
    ///
    /// # Errors
    ///
    /// When the graph has no weights, or an edge of weight 0, which has no sign; and as [`Counter::count`].
    ///
    /// # Example
    ///
    /// ```
    /// # use allpaths::{graph::GraphBuilder, Counter};
    /// // Two friends and their common enemy: a balanced triangle.
    /// let mut builder = GraphBuilder::undirected(3);
    /// for (u, v) in [(0, 1), (1, 2), (2, 0)] {
    ///     builder.edge(u, v)?;
    /// }
    /// builder.weights([1.0, -1.0, -1.0]);
    /// let counts = Counter::up_to(3).signed(&builder.build()?)?;
    /// assert_eq!(counts.positive().cycles(3), 1);
    /// assert_eq!(counts.negative().paths(1), 2);
    /// assert_eq!(counts.balance(3), Some(0.0)); // no cycle of length 3 is negative
    /// # Ok::<(), allpaths::Error>(())
    /// ```
    pub fn signed(&self, graph: &Graph) -> Result<SignedCounts> {
        self.signed_under(graph, &Monitor::new())
    }

    /// Counts positive and negative paths and cycles under the eyes of a monitor.
    ///
    /// # Errors
    ///
    /// As [`Counter::signed`].
    pub fn signed_under(&self, graph: &Graph, monitor: &Monitor) -> Result<SignedCounts> {
        let weights = weights(graph)?;
        if let Some(((u, v), _)) = graph.edges().zip(weights).find(|(_, weight)| **weight == 0.0) {
            let (u, v) = (graph.name(u), graph.name(v));
            return Err(Error::graph(format!("the edge from {u} to {v} has weight 0, which has no sign")));
        }
        let sign = |arc: Arc| if weights[graph.edge_of(arc)] < 0.0 { -1 } else { 1 };
        let job = self.job(monitor, 1.0);
        let question = Question::Weights;
        let (both, extent) = self.parallel(from_ref(graph), question, || {
            self.run(graph, question, job, 1, |method, run| {
                let half = run.share(0.5);
                let all = method.total(self.subject, half)?;
                Ok((all, method.signed(self.subject, &sign, half)?))
            })
        })?;
        Ok(SignedCounts::new(graph, weights, self.subject, extent, &both))
    }
}

fn weights(graph: &Graph) -> Result<&[f64]> {
    graph.weights().ok_or_else(|| Error::graph("the graph has no weights"))
}

impl WeightedCounts {
    fn new(graph: &Graph, weights: &[f64], extent: Extent, rooted: &Rooted<f64>) -> Self {
        let directed = graph.is_directed();
        let edges = || graph.edges().zip(weights);
        // The sum of no doubles is -0, which nobody wants to read.
        let sum =
            |loops: bool| edges().filter(|((u, v), _)| (u == v) == loops).fold(0.0, |sum, (_, w)| sum + w);
        let squares = edges().filter(|((u, v), _)| u != v).fold(0.0, |sum, (_, w)| sum + w * w);
        let get = |length: usize, kind: usize| rooted.get(length).map_or(0.0, |sums| sums[kind]);
        let readings = if directed { 1.0 } else { 2.0 };
        let path = |length| match length {
            0 => graph.order() as f64,
            1 => sum(false),
            _ => get(length, 0) / readings,
        };
        let cycle = |length| match length {
            0 => 0.0,
            1 => sum(true),
            2 if !directed => 0.0,
            _ => get(length, 1) / (readings * length as f64),
        };
        Self {
            extent,
            convention: Convention::Distinct,
            directed,
            to_and_fro: 2.0 * squares,
            paths: (0..=extent.finished).map(path).collect(),
            cycles: (0..=extent.finished).map(cycle).collect(),
        }
    }

    /// The same sums in the rooted convention; see [`Counts::rooted`].
    #[must_use]
    pub fn rooted(&self) -> Self {
        if self.convention == Convention::Rooted {
            return self.clone();
        }
        let readings = if self.directed { 1.0 } else { 2.0 };
        let path = |(length, sum): (usize, &f64)| if length == 0 { *sum } else { sum * readings };
        let cycle = |(length, sum): (usize, &f64)| match length {
            0 | 1 => *sum,
            2 if !self.directed => self.to_and_fro,
            _ => sum * readings * length as f64,
        };
        Self {
            convention: Convention::Rooted,
            paths: self.paths.iter().enumerate().map(path).collect(),
            cycles: self.cycles.iter().enumerate().map(cycle).collect(),
            ..self.clone()
        }
    }

    /// The sum over the paths of `length` edges.
    ///
    /// # Panics
    ///
    /// When that length was not finished.
    pub fn paths(&self, length: usize) -> f64 {
        self.paths[length]
    }

    /// The sum over the cycles of `length` edges.
    ///
    /// # Panics
    ///
    /// When that length was not finished.
    pub fn cycles(&self, length: usize) -> f64 {
        self.cycles[length]
    }

    /// The sums over paths of each finished length, from 0.
    pub fn path_sums(&self) -> &[f64] {
        &self.paths
    }

    /// The sums over cycles of each finished length, from 0.
    pub fn cycle_sums(&self) -> &[f64] {
        &self.cycles
    }

    /// The longest length that was summed.
    pub fn finished(&self) -> usize {
        self.extent.finished
    }

    /// How it ended.
    pub fn outcome(&self) -> Outcome {
        self.extent.outcome
    }
}

impl SignedCounts {
    /// There are `all` of a kind, and their signs sum to `signs`: half of the sum and of the difference are positive and
    /// negative.
    fn new(
        graph: &Graph,
        weights: &[f64],
        subject: Subject,
        extent: Extent,
        (all, signs): &(Rooted, Rooted<BigInt>),
    ) -> Self {
        let part = |negative: bool| {
            let half = |all: &Count, signs: &BigInt| {
                // Both are counts, so neither the sum nor the difference is negative, and both are even.
                all.shifted(if negative { -signs } else { signs.clone() }).divided_exactly(2)
            };
            let of_length = |(length, (all, signs)): (usize, (&[Count; 2], &[BigInt; 2]))| match length {
                // Engines do not tell of these.
                0 | 1 => [Count::ZERO, Count::ZERO],
                _ => [half(&all[0], &signs[0]), half(&all[1], &signs[1])],
            };
            let rooted: Rooted = all.iter().zip(signs).enumerate().map(of_length).collect();
            let chosen = |loops: bool| {
                let edges = graph.edges().zip(weights);
                edges.filter(|((u, v), w)| (u == v) == loops && (**w < 0.0) == negative).count() as u64
            };
            // A vertex, and an edge walked to and fro, have no negative edge or two.
            let even = |n: usize| if negative { 0 } else { n as u64 };
            let short = [even(graph.order()), chosen(false), chosen(true)];
            let to_and_fro = even(2 * (graph.size() - graph.loops()));
            Counts::of_part(graph, subject, extent, short, to_and_fro, &rooted)
        };
        Self { positive: part(false), negative: part(true) }
    }

    /// Those with an even number of negative edges.
    pub fn positive(&self) -> &Counts {
        &self.positive
    }

    /// Those with an odd number of negative edges.
    pub fn negative(&self) -> &Counts {
        &self.negative
    }

    /// The share of negative cycles among those of `length` edges: 0 in a balanced network. Nothing if there are none,
    /// or if they were not counted.
    pub fn balance(&self, length: usize) -> Option<f64> {
        let count = |counts: &Counts| Some(counts.cycle_counts()?.get(length)?.to_f64());
        let (positive, negative) = (count(&self.positive)?, count(&self.negative)?);
        (positive + negative > 0.0).then(|| negative / (positive + negative))
    }
}

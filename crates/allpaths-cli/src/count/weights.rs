//! Counts by sign and sums of weights, over all graphs of an input.

use std::time::Instant;

use allpaths::count::{Convention, Count, Counts, Outcome, SignedCounts, WeightedCounts};
use allpaths::{Counter, Graph, Monitor};
use anyhow::Context;

use super::report::Real;
use crate::input::Input;

/// Graphs to be counted with the weights of their edges, one after the other, within one time limit.
pub(super) struct Weighing<'a> {
    pub(super) input: &'a Input,
    pub(super) graphs: &'a [Graph],
    /// The number of the first of the graphs.
    pub(super) first: usize,
    pub(super) counter: &'a Counter,
    pub(super) convention: Convention,
    /// When the time is up.
    pub(super) deadline: Option<Instant>,
    pub(super) monitor: &'a Monitor,
}

/// Counts of each sign, summed over graphs.
pub(super) struct Signed {
    pub(super) total: Counts,
    pub(super) positive: Counts,
    pub(super) negative: Counts,
    /// The share of negative cycles; none where there are no cycles.
    pub(super) balance: Option<Vec<Option<Real>>>,
}

/// Sums of weights by finished length, summed over graphs.
pub(super) struct Sums {
    pub(super) paths: Vec<Real>,
    pub(super) cycles: Vec<Real>,
    pub(super) outcome: Outcome,
}

impl Weighing<'_> {
    pub(super) fn signed(&self) -> anyhow::Result<Signed> {
        let each = self.each(|counter, graph| counter.signed_under(graph, self.monitor))?;
        let parts = |part: fn(&SignedCounts) -> &Counts| each.iter().map(part).cloned().collect::<Vec<_>>();
        let parts = [parts(SignedCounts::positive), parts(SignedCounts::negative)];
        // Edges walked to and fro are no cycles that could be balanced, so the share is one of distinct cycles.
        let [positive, negative] = [self.sum(&parts[0])?, self.sum(&parts[1])?];
        let balance = share(positive.cycle_counts(), negative.cycle_counts(), positive.max_length());
        let [positive, negative] = match self.convention {
            Convention::Distinct => [positive, negative],
            Convention::Rooted => {
                let rooted = |counts: &[Counts]| counts.iter().map(Counts::rooted).collect::<Vec<_>>();
                [self.sum(&rooted(&parts[0]))?, self.sum(&rooted(&parts[1]))?]
            }
        };
        let total = Counts::sum([&positive, &negative]).unwrap_or_else(|| positive.clone());
        Ok(Signed { total, positive, negative, balance })
    }

    pub(super) fn sums(&self) -> anyhow::Result<Sums> {
        let mut each = self.each(|counter, graph| counter.weighted_under(graph, self.monitor))?;
        if self.convention == Convention::Rooted {
            each = each.iter().map(WeightedCounts::rooted).collect();
        }
        let finished = each.iter().map(WeightedCounts::finished).min().unwrap_or(self.counter.max_length());
        let sum = |part: fn(&WeightedCounts) -> &[f64]| {
            // From 0.0, since the sum of no numbers would be -0.0.
            let total = |length: usize| each.iter().fold(0.0, |total, sums| total + part(sums)[length]);
            (0..=finished).map(|length| Real(total(length))).collect()
        };
        Ok(Sums {
            paths: sum(WeightedCounts::path_sums),
            cycles: sum(WeightedCounts::cycle_sums),
            outcome: each.iter().map(WeightedCounts::outcome).max().unwrap_or(Outcome::Complete),
        })
    }

    /// Counts each graph in the time that is left; errors name the graph.
    fn each<R>(&self, count: impl Fn(&Counter, &Graph) -> allpaths::Result<R>) -> anyhow::Result<Vec<R>> {
        let one = |(i, graph): (usize, &Graph)| {
            let left = |deadline: Instant| deadline.saturating_duration_since(Instant::now());
            let counter = match self.deadline.map(left) {
                Some(time) => self.counter.clone().time_limit(time),
                None => self.counter.clone(),
            };
            count(&counter, graph).with_context(|| match self.graphs.len() {
                1 => self.input.name(),
                _ => format!("{}: graph {}", self.input.name(), self.first + i),
            })
        };
        self.graphs.iter().enumerate().map(one).collect()
    }

    /// A sum over graphs; of none of them, the counts of a graph without vertices.
    fn sum(&self, counts: &[Counts]) -> allpaths::Result<Counts> {
        match Counts::sum(counts) {
            Some(sum) => Ok(sum),
            None => self.counter.count(&Graph::from_edges(0, [])?),
        }
    }
}

fn share(
    positive: Option<&[Count]>,
    negative: Option<&[Count]>,
    max_length: usize,
) -> Option<Vec<Option<Real>>> {
    let (positive, negative) = (positive?, negative?);
    let share = |length: usize| {
        let (positive, negative) = (positive.get(length)?.to_f64(), negative.get(length)?.to_f64());
        (positive + negative > 0.0).then(|| Real(negative / (positive + negative)))
    };
    Some((0..=max_length).map(share).collect())
}

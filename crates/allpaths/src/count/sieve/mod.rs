//! Engine `sieve`: the algorithm of Giscard and Wilson.
//!
//! A walk of length `l` from `u` to `v` that is no path stays inside fewer vertices than a path would. So take the
//! walks inside every connected set of vertices, with signs that cancel all that visit some vertex twice:
//!
//! ```text
//! P_uv(l) = sum over H of (-1)^(l+1-|H|) C(|N(H)|, l+1-|H|) (A_H^l)_uv      for u != v, |H| <= l + 1
//! P_uu(l) = sum over H of (-1)^(l-|H|)   C(|N(H)|, l-|H|)   (A_H^l)_uu      for |H| <= l
//! ```
//!
//! `H` runs over the connected induced subgraphs that hold `u` and `v`, `A_H` is the matrix of arc weights inside it,
//! `N(H)` the vertices outside that are joined to it, and `C` the binomial coefficient. Connected and joined are meant
//! without regard to direction. A walk whose support is `S` is counted in every `H` that contains `S`; the
//! coefficients of those sum to one if `S` is as large as the walk is long, else to nothing.
//!
//! Both formulas hold for directed, signed, weighted graphs and with self-loops. `P_uu(2)` counts every edge to and
//! fro: on an undirected graph it is the degree, which the distinct convention leaves out. (The paper's generating
//! functions, as printed, multiply by a power of `I - z A` where `I - z A_H` is needed; the formulas above are what they
//! expand to then.)
//!
//! One enumeration serves all lengths. Of the powers of `A_H` only the first half is computed, since
//! `A^k = A^a A^b`: sums and traces of the product take no more than the two factors. And of the largest subgraphs, by
//! far the most, not even that: they are one vertex more than another one, and [`extension`] says what that adds.
//!
//! Everything is generic over a commutative [`Ring`]: weights of any kind, labels as polynomials among them.

mod extension;
mod powers;
mod sinks;
mod subgraphs;

use std::collections::BTreeMap;
use std::ops::Range;

use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use super::Subject;
use super::engine::{Bounds, Method, PairRows, Question, Rooted, Run, Weight, widened};
use super::limits::{Allowance, Job, Limits, Outcome};
use super::number::Count;
use super::ring::{Ring, Whole};
use super::walks::{self, Width};
use crate::Graph;
use crate::graph::Arc;
use crate::threads;
use extension::Extension;
use powers::Scratch;
use sinks::{ByEnds, ByPair, ByVertex, Sink, Total};
pub(crate) use subgraphs::{Links, Subgraph, Visitor};

/// The longest length this engine counts: members of a subgraph are numbered by the bits of a word.
pub(super) const LONGEST: usize = 62;

/// The engine at work on a graph.
pub(crate) struct Sieve<'a> {
    graph: &'a Graph,
}

impl<'a> Sieve<'a> {
    pub(crate) fn new(graph: &'a Graph) -> Self {
        Self { graph }
    }

    /// Runs through the subgraphs of all roots into sinks and merges those, in a fixed order and grouping: sums of
    /// reals depend on it.
    fn sift<R: Ring, S: Sink<R>>(
        &self,
        weight: impl Fn(Arc) -> R,
        run: Run<'_>,
        make: impl Fn() -> S + Sync + Send,
    ) -> Result<S, Outcome> {
        const TOGETHER: usize = 8;
        let order = self.graph.order();
        let groups = order.div_ceil(TOGETHER);
        let links = Links::new(self.graph, weight);
        let allowance = Allowance::new(run.job);
        let new_worker = || Worker::new(&links, run.max_length);
        let one = |worker: &mut Worker<'_, R>, group: usize| {
            let mut sink = make();
            worker.sift(group * TOGETHER..order.min((group + 1) * TOGETHER), &allowance, &mut sink);
            allowance.advance(1.0 / groups as f64);
            sink
        };
        let sinks = threads::map_with(run.parallel, 0..groups, new_worker, one);
        let sink = sinks.into_iter().fold(make(), S::merge);
        match allowance.outcome() {
            Outcome::Complete => Ok(sink),
            stopped => Err(stopped),
        }
    }

    /// Sums what paths and cycles weigh, by length and by the classes of their first and last vertices.
    ///
    /// This is the forward encoding of Giscard and Wilson: an arc has the weight of the vertex it leaves, so a path weighs the product
    /// of all its vertices but the last, and a cycle that of all. `class` has the class of each vertex, `weights` what the vertices of
    /// each class weigh.
    ///
    /// # Errors
    ///
    /// With the outcome, when it was stopped before the end.
    pub(crate) fn by_ends<'c, R: Ring>(
        &self,
        class: &'c [u32],
        weights: &[R],
        max_length: usize,
        job: Job<'_>,
    ) -> Result<ByEnds<'c, R>, Outcome> {
        let run = Run { max_length, job, parts: 1, parallel: false };
        let weight = |arc: Arc| weights[class[arc.source] as usize].clone();
        self.sift(weight, run, || ByEnds::up_to(max_length, class, weights.len()))
    }

    /// Sums what paths and cycles weigh, as [`Sieve::by_ends`] does, by first vertex, last vertex and length; a cycle ends where it
    /// begins. `weights` has what each vertex weighs.
    ///
    /// # Errors
    ///
    /// With the outcome, when it was stopped before the end.
    pub(crate) fn by_pair_weighing<R: Ring>(
        &self,
        weights: &[R],
        max_length: usize,
        job: Job<'_>,
    ) -> Result<FxHashMap<(u32, u32, usize), R>, Outcome> {
        let run = Run { max_length, job, parts: 1, parallel: false };
        Ok(self.sift(|arc| weights[arc.source].clone(), run, || ByPair::of(None))?.sums)
    }

    /// An upper bound on all rooted paths and cycles to `max_length`, if there are certainly fewer than 2^62.
    pub(crate) fn most(&self, max_length: usize) -> Option<u64> {
        walks::most_paths_and_cycles(self.graph, max_length)
    }

    fn total_in<R: Whole>(&self, run: Run<'_>) -> Result<Rooted, Outcome> {
        let Total(sums) = self.sift(|_| R::one(), run, || Total::<R>::up_to(run.max_length))?;
        Ok(sums.iter().map(|[paths, cycles]| [paths.count(), cycles.count()]).collect())
    }
}

impl Method for Sieve<'_> {
    fn bounds(&self, _: Question, longest: usize, limits: &Limits) -> Bounds {
        match limits.steps {
            // A step is a subgraph, and nobody knows beforehand how many there are.
            Some(_) => Bounds::Steps(vec![f64::INFINITY; longest + 1]),
            None => match walks::rough(self.graph, longest) {
                small if small <= 1e6 => Bounds::Small(small),
                _ => Bounds::Steps(walks::by_length(self.graph, longest, None)),
            },
        }
    }

    fn total(&self, _: Subject, run: Run<'_>) -> Result<Rooted, Outcome> {
        match walks::width(self.graph, run.max_length) {
            Width::Narrow => self.total_in::<i64>(run),
            Width::Wide => self.total_in::<i128>(run),
            Width::Any => self.total_in::<BigInt>(run),
        }
    }

    fn by_vertex(&self, run: Run<'_>) -> Result<Vec<Rooted>, Outcome> {
        fn counts<R: Whole>(sieve: &Sieve<'_>, run: Run<'_>) -> Result<Vec<Rooted>, Outcome> {
            let ByVertex(rows) = sieve.sift(|_| R::one(), run, ByVertex::<R>::default)?;
            let none = || vec![[Count::ZERO, Count::ZERO]; run.max_length + 1];
            let mut counts = vec![none(); sieve.graph.order()];
            for ((vertex, length), [paths, cycles]) in rows {
                counts[vertex as usize][length] = [paths.count(), cycles.count()];
            }
            Ok(counts)
        }
        match walks::width(self.graph, run.max_length) {
            Width::Narrow => counts::<i64>(self, run),
            Width::Wide => counts::<i128>(self, run),
            Width::Any => counts::<BigInt>(self, run),
        }
    }

    fn by_pair(&self, run: Run<'_>) -> Result<PairRows, Outcome> {
        let entries = self.sift(|_| 1i128, run, || ByPair::of(None))?;
        let mut rows: Vec<BTreeMap<u32, Vec<u128>>> = vec![BTreeMap::new(); self.graph.order()];
        for ((source, target, length), count) in entries.sums.into_iter().filter(|((u, v, _), _)| u != v) {
            let counts = rows[source as usize].entry(target).or_insert_with(|| vec![0; run.max_length]);
            counts[length - 1] = count.cast_unsigned();
        }
        let reached = |row: BTreeMap<u32, Vec<u128>>| {
            row.into_iter().filter(|(_, counts)| counts.iter().any(|&n| n > 0))
        };
        Ok(rows.into_iter().map(|row| reached(row).collect()).collect())
    }

    fn between(&self, source: usize, target: usize, run: Run<'_>) -> Result<Vec<Count>, Outcome> {
        fn counts<R: Whole>(
            sieve: &Sieve<'_>,
            ends: (u32, u32),
            run: Run<'_>,
        ) -> Result<Vec<Count>, Outcome> {
            let entries = sieve.sift(|_| R::one(), run, || ByPair::<R>::of(Some(ends)))?;
            let count = |length| entries.sums.get(&(ends.0, ends.1, length)).map_or(Count::ZERO, R::count);
            Ok((0..=run.max_length).map(count).collect())
        }
        let ends = (source as u32, target as u32);
        match walks::width(self.graph, run.max_length) {
            Width::Narrow => counts::<i64>(self, ends, run),
            Width::Wide => counts::<i128>(self, ends, run),
            Width::Any => counts::<BigInt>(self, ends, run),
        }
    }

    fn weighted(&self, _: Subject, weight: Weight<'_, f64>, run: Run<'_>) -> Result<Rooted<f64>, Outcome> {
        Ok(self.sift(weight, run, || Total::up_to(run.max_length))?.0)
    }

    fn signed(&self, _: Subject, sign: Weight<'_, i128>, run: Run<'_>) -> Result<Rooted<BigInt>, Outcome> {
        Ok(widened(self.sift(sign, run, || Total::up_to(run.max_length))?.0))
    }
}

/// One worker's scratch.
struct Worker<'a, R> {
    subgraph: Subgraph<'a, R>,
    scratch: Scratch<R>,
    extension: Extension<R>,
    binomials: Binomials<R>,
    max_length: usize,
}

impl<'a, R: Ring> Worker<'a, R> {
    fn new(links: &'a Links<R>, max_length: usize) -> Self {
        let largest = (max_length + 1).min(links.order());
        Self {
            subgraph: Subgraph::new(links, largest),
            scratch: Scratch::new(largest, max_length),
            extension: Extension::new(max_length),
            binomials: Binomials { rows: Vec::new(), longest: max_length },
            max_length,
        }
    }

    fn sift<S: Sink<R>>(&mut self, roots: Range<usize>, allowance: &Allowance<'_>, sink: &mut S) {
        let Self { subgraph, scratch, extension, binomials, max_length } = self;
        let mut meter = allowance.meter();
        let mut visitor = Contributions { scratch, extension, binomials, max_length: *max_length, sink };
        roots.for_each(|root| subgraph.each(root, &mut meter, &mut visitor));
    }
}

/// Puts what each subgraph contributes into a sink.
struct Contributions<'a, R, S> {
    scratch: &'a mut Scratch<R>,
    extension: &'a mut Extension<R>,
    binomials: &'a mut Binomials<R>,
    max_length: usize,
    sink: &'a mut S,
}

impl<R: Ring, S: Sink<R>> Visitor<R> for Contributions<'_, R, S> {
    fn visit(&mut self, subgraph: &Subgraph<'_, R>) {
        let size = subgraph.members().len();
        // A lone vertex has no walk but around its loop.
        if size == 1 && subgraph.out(0) == 0 {
            return;
        }
        // The largest subgraphs bring paths of the longest length only, or are the whole graph: what surrounds them does
        // not matter.
        let border = if size == subgraph.largest() { 0 } else { subgraph.border() };
        let longest = self.max_length.min(size + border);
        let shortest = (size - 1).max(1);
        if shortest > longest {
            return;
        }
        // One vertex more will be all that is missing.
        let extended = S::TOTALS_ONLY && size == self.max_length;
        let powers = self.scratch.powers(subgraph, longest, S::TOTALS_ONLY && !extended, extended);
        let chosen = self.binomials.row(border);
        let zero = R::zero();
        for length in shortest..=longest {
            let path = chosen.get(length + 1 - size).unwrap_or(&zero);
            let cycle = length.checked_sub(size).and_then(|rest| chosen.get(rest)).unwrap_or(&zero);
            self.sink.take(&powers, length, path, cycle);
        }
        if extended {
            self.extension.begin(&powers);
        }
    }

    fn visit_with(&mut self, subgraph: &Subgraph<'_, R>, vertex: usize) -> bool {
        let extended = S::TOTALS_ONLY && subgraph.members().len() == self.max_length && self.max_length > 1;
        if extended {
            let powers = self.scratch.computed(subgraph);
            self.sink.take_between(self.max_length, &self.extension.with(&powers, vertex));
        }
        extended
    }
}

/// Binomial coefficients with the signs of the sieve: `(-1)^k C(n, k)` for `k` up to the longest length and one more.
struct Binomials<R> {
    rows: Vec<Vec<R>>,
    longest: usize,
}

impl<R: Ring> Binomials<R> {
    /// The coefficients for a border of `n` vertices.
    fn row(&mut self, n: usize) -> &[R] {
        while self.rows.len() <= n {
            let mut row = vec![R::one()];
            if let Some(above) = self.rows.last() {
                // (-1)^k C(n, k) = (-1)^k C(n-1, k) - (-1)^(k-1) C(n-1, k-1)
                for k in 1..=(self.longest + 1).min(above.len()) {
                    let mut entry = above.get(k).cloned().unwrap_or_else(R::zero);
                    entry.subtract(&above[k - 1]);
                    row.push(entry);
                }
            }
            self.rows.push(row);
        }
        &self.rows[n]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Monitor;
    use crate::count::limits::Job;

    fn complete(order: usize) -> Graph {
        Graph::from_edges(order, (0..order).flat_map(|u| (0..u).map(move |v| (u, v)))).unwrap()
    }

    #[test]
    fn integers_of_any_width_count_the_same() {
        let monitor = Monitor::new();
        let job = Job::unlimited(&monitor);
        let run = Run { max_length: 6, job, parts: 1, parallel: false };
        let graph = complete(7);
        let sieve = Sieve::new(&graph);
        let narrow = sieve.total_in::<i64>(run).unwrap();
        assert_eq!(narrow[6][0], 5040);
        assert_eq!(sieve.total_in::<i128>(run).unwrap(), narrow);
        assert_eq!(sieve.total_in::<BigInt>(run).unwrap(), narrow);
    }
}

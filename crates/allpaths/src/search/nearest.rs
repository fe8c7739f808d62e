//! The nearest rows of a library, those with the best bounds first.
//!
//! Rows are looked at in a few rounds, each of several times as many as all before: those with the best summaries come first. What they have of a query is bounded by
//! their bits, and, if that is enough, by bits and summaries together. Those that are still promising are compared, the best bounds first; a few of them early, for a
//! better score to beat.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::iter::once;
use std::ops::Range;

use serde::Serialize;

use super::bounds::{Bounds, Wanted, norm};
use super::{Counts, Library, Row, Similarity};
use crate::{Graph, Monitor, Result};

/// A graph that was found.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Hit {
    /// Its number in the library, from 0.
    pub row: usize,
    /// How similar it is.
    pub score: f64,
}

/// A hit by its place among others: the better one comes first, and of equals the one that is first in the library.
struct Placed(Hit);

impl Ord for Placed {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.score.total_cmp(&self.0.score).then(self.0.row.cmp(&other.0.row))
    }
}

impl PartialOrd for Placed {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Placed {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Placed {}

/// A library that is ready to be searched.
pub struct Search<'a> {
    library: &'a Library,
    similarity: Similarity,
    bounds: Bounds<'a>,
    /// The sum of each row's counts, or of their squares for cosines.
    sizes: Vec<f64>,
}

/// A graph as a row of counts that may have features no graph of the library has.
pub(super) struct Query {
    /// The count in each column of the library.
    counts: Vec<u64>,
    columns: Vec<(u32, u64)>,
    wanted: Wanted,
    /// The sum of all counts, or of their squares for cosines.
    size: f64,
    norm: f64,
}

/// What bounds a row is rounded up to so many levels.
const LEVELS: u16 = 1 << 12;

/// The level of rows that nothing bounds.
const UNBOUNDED: u16 = LEVELS + 1;

/// How many rows are looked at in the first round, and how many times as many with the next.
const FIRST: usize = 256;
const TIMES: usize = 8;

/// After so many promising rows so many are compared at once: that spares more of those that follow.
const PORTION: usize = 256;
const AT_ONCE: usize = 16;

/// So many are compared after each round.
const AFTER: usize = 64;

impl<'a> Search<'a> {
    pub(super) fn new(library: &'a Library, similarity: Similarity) -> Self {
        // A row that cannot be read is unbounded, so it is asked for, and that fails, unless the features it has not rule it out.
        let squares = |row: usize| {
            library.row(row).map_or(0.0, |row| size(row.iter().map(|(_, count)| count), similarity))
        };
        let sizes = match similarity {
            Similarity::Cosine => (0..library.len()).map(squares).collect(),
            _ => library.sizes().collect(),
        };
        Self { library, similarity, bounds: Bounds::new(library, similarity), sizes }
    }

    /// The so many graphs most similar to another, the best first, and of equals those that come first in the library. There are fewer only
    /// if the library is smaller.
    ///
    /// # Errors
    ///
    /// When the graph cannot be embedded, or a file is damaged where a graph is compared.
    ///
    /// # Complexity
    ///
    /// A pass over the summaries of all graphs, 128 bytes each, one over the bits of those that could be among the best by them, 64 bytes each, and one over the
    /// counts of those that still could.
    pub fn nearest(&self, graph: &Graph, top: usize) -> Result<Vec<Hit>> {
        Ok(self.nearest_comparing(graph, top)?.0)
    }

    /// As [`Search::nearest`], and how many graphs were compared.
    ///
    /// # Errors
    ///
    /// As [`Search::nearest`].
    pub fn nearest_comparing(&self, graph: &Graph, top: usize) -> Result<(Vec<Hit>, usize)> {
        let query = self.query(graph)?;
        let best = Best { hits: BinaryHeap::new(), top };
        let mut hunt = Hunt { search: self, query: &query, best, promising: BinaryHeap::new(), compared: 0 };
        if top == 0 {
            return Ok((Vec::new(), 0));
        }
        let levels = self.levels(&query);
        let at_or_above = at_or_above(&levels);
        let (mut left, mut enough) = (0..UNBOUNDED + 1, FIRST);
        while !left.is_empty() {
            let has_enough = |&level: &u16| at_or_above[usize::from(level)] >= enough;
            let start = left.clone().rev().find(has_enough).unwrap_or(left.start);
            hunt.look_at(&levels, start..left.end)?;
            hunt.compare(AFTER)?;
            left.end = start;
            // Of equals those that come first win, and the first row of all may be there.
            let is_hopeful = |&level: &u16| !hunt.best.rules_out(self.largest(level, &query), 0);
            left.start = left.clone().find(is_hopeful).unwrap_or(start);
            enough *= TIMES;
        }
        hunt.compare(usize::MAX)?;
        Ok((hunt.best.in_order(), hunt.compared))
    }

    /// The graph as a row, in the columns of the library.
    pub(super) fn query(&self, graph: &Graph) -> Result<Query> {
        let library = self.library;
        let rows = library.embedding.ids_under(std::slice::from_ref(graph), &Monitor::new())?;
        let (ids, found) = rows.row(0);
        let mut counts = vec![0; library.features()];
        let mut columns = Vec::new();
        for (id, &count) in ids.iter().zip(found) {
            if let Some(&column) = library.places.get(id) {
                counts[column as usize] = count;
                columns.push((column, count));
            }
        }
        // Always in the same order: sums of reals depend on it.
        columns.sort_unstable();
        let weight = |&(column, count): &(u32, u64)| (column, size(once(count), self.similarity));
        let wanted = Wanted::new(columns.iter().map(weight), library.groups());
        let size = size(found.iter().copied(), self.similarity);
        Ok(Query { counts, columns, wanted, size, norm: norm(found.iter().copied()) })
    }

    /// What bounds each row by its summary alone.
    fn levels(&self, query: &Query) -> Vec<u16> {
        let summary = self.bounds.of_query(query.columns.iter().copied(), query.norm);
        let level = |row: usize, bound: f64| {
            let share = match self.similarity {
                Similarity::Cosine => bound,
                Similarity::Intersection => share(bound, query.size),
                Similarity::MinMax => share(bound, query.size + self.sizes[row] - bound),
            };
            // Rounded up, and a little more: what is bounded is itself rounded.
            #[allow(clippy::cast_sign_loss)]
            let level = (share * (1.0 + 1e-9) * f64::from(LEVELS)).ceil() as u16;
            level.min(LEVELS)
        };
        let mut levels = self.bounds.each(&summary, level);
        self.bounds.unbounded().iter().for_each(|&row| levels[row as usize] = UNBOUNDED);
        levels
    }

    /// The largest score of a level.
    fn largest(&self, level: u16, query: &Query) -> f64 {
        let share = f64::from(level) / f64::from(LEVELS);
        match self.similarity {
            Similarity::Intersection => share * query.size,
            // A cosine of 1 may come out as a little more.
            _ if level == LEVELS => f64::INFINITY,
            _ => share,
        }
    }

    /// No score of a row is larger that has no more of what the query has.
    fn ceiling(&self, query: &Query, row: usize, had: f64) -> f64 {
        let ceiling = match self.similarity {
            Similarity::Cosine => share(had, query.size).sqrt(),
            Similarity::Intersection => had,
            Similarity::MinMax => share(had, query.size + self.sizes[row] - had),
        };
        // A little more: what is bounded is itself rounded. Sums of minima are whole numbers.
        let ceiling = ceiling * (1.0 + 1e-9);
        if self.similarity == Similarity::Intersection { ceiling.floor() } else { ceiling }
    }

    /// How similar a row is.
    pub(super) fn score(&self, query: &Query, row: usize) -> Result<f64> {
        let (entries, size) = (self.library.row(row)?, self.sizes[row]);
        Ok(match self.similarity {
            Similarity::Cosine => share(
                sum(&entries, |column, count| query.counts[column as usize] as f64 * count as f64),
                (query.size * size).sqrt(),
            ),
            similarity => {
                let common: u64 = sum(&entries, |column, count| query.counts[column as usize].min(count));
                match similarity {
                    Similarity::MinMax => share(common as f64, query.size + size - common as f64),
                    _ => common as f64,
                }
            }
        })
    }
}

/// How many rows there are of each level and all above.
fn at_or_above(levels: &[u16]) -> Vec<usize> {
    let mut rows = vec![0; usize::from(UNBOUNDED) + 1];
    levels.iter().for_each(|&level| rows[usize::from(level)] += 1);
    for level in (0..usize::from(UNBOUNDED)).rev() {
        rows[level] += rows[level + 1];
    }
    rows
}

/// A search under way.
struct Hunt<'a> {
    search: &'a Search<'a>,
    query: &'a Query,
    best: Best,
    /// Rows that could be among the best, by what bounds each: such numbers have their bits in the same order.
    promising: BinaryHeap<(u64, Reverse<u32>)>,
    compared: usize,
}

impl Hunt<'_> {
    /// Finds the promising rows of some levels. They are looked at in the order in which they stand in memory: to wait for it is what takes long.
    fn look_at(&mut self, levels: &[u16], range: Range<u16>) -> Result<()> {
        let Self { search, query, .. } = *self;
        let all_traits = search.library.traits();
        let mut found = 0;
        for (row, &level) in levels.iter().enumerate().filter(|(_, level)| range.contains(level)) {
            let traits = &all_traits[row];
            if self.best.rules_out(search.ceiling(query, row, query.wanted.had(traits)), row) {
                continue;
            }
            let bound = match level {
                UNBOUNDED => f64::INFINITY,
                _ => search.ceiling(query, row, search.bounds.of_row(row, traits, &query.wanted)),
            };
            if self.best.rules_out(bound, row) {
                continue;
            }
            self.promising.push((bound.to_bits(), Reverse(row as u32)));
            found += 1;
            if found % PORTION == 0 {
                self.compare(AT_ONCE)?;
            }
        }
        Ok(())
    }

    /// Compares so many of the promising rows, those with the best bounds first.
    fn compare(&mut self, most: usize) -> Result<()> {
        for _ in 0..most {
            let Some((bound, Reverse(row))) = self.promising.pop() else { break };
            let row = row as usize;
            if self.best.rules_out(f64::from_bits(bound), row) {
                // And so are all that are left.
                self.promising.clear();
                break;
            }
            self.best.offer(row, self.search.score(self.query, row)?);
            self.compared += 1;
        }
        Ok(())
    }
}

/// A sum over the entries of a row.
#[inline]
fn sum<S: std::iter::Sum<S>>(row: &Row<'_>, term: impl Fn(u32, u64) -> S) -> S {
    let columns = row.columns.iter().map(|&column| u32::from_le_bytes(column));
    match row.counts {
        Counts::Narrow(counts) => {
            columns.zip(counts).map(|(column, &count)| term(column, u16::from_le_bytes(count).into())).sum()
        }
        Counts::Wide(counts) => {
            columns.zip(counts).map(|(column, &count)| term(column, u64::from_le_bytes(count))).sum()
        }
    }
}

fn size(counts: impl Iterator<Item = u64>, similarity: Similarity) -> f64 {
    match similarity {
        Similarity::Cosine => counts.map(|count| (count as f64) * (count as f64)).sum(),
        _ => counts.map(|count| count as f64).sum(),
    }
}

/// A quotient, 0 where there is nothing to divide by.
fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

/// The best so far; the worst of them is at hand.
struct Best {
    hits: BinaryHeap<Placed>,
    top: usize,
}

impl Best {
    /// Whether a row with that score or a lower one is none of them: there are enough, and all come before it.
    fn rules_out(&self, score: f64, row: usize) -> bool {
        self.hits.len() == self.top
            && self.hits.peek().is_none_or(|worst| *worst < Placed(Hit { row, score }))
    }

    fn offer(&mut self, row: usize, score: f64) {
        if !self.rules_out(score, row) {
            if self.hits.len() == self.top {
                self.hits.pop();
            }
            self.hits.push(Placed(Hit { row, score }));
        }
    }

    /// All of them, the best first.
    fn in_order(self) -> Vec<Hit> {
        self.hits.into_sorted_vec().into_iter().map(|Placed(hit)| hit).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{AllPathsCycles, Dataset};

    /// The same by a look at every row.
    fn scanned(search: &Search<'_>, graph: &Graph, top: usize) -> Vec<Hit> {
        let query = search.query(graph).unwrap();
        let mut hits: Vec<Hit> = (0..search.library.len())
            .map(|row| Hit { row, score: search.score(&query, row).unwrap() })
            .collect();
        hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.row.cmp(&b.row)));
        hits.truncate(top);
        hits
    }

    fn graphs(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Graph>> {
        let graph = (1..8usize).prop_flat_map(|order| {
            let labels = prop::collection::vec(prop::sample::select(vec!["C", "N", "O"]), order);
            (labels, prop::collection::vec((0..order, 0..order), 0..12))
        });
        let built = graph.prop_map(|(labels, edges)| {
            let mut builder = crate::graph::GraphBuilder::undirected(labels.len());
            builder.vertex_labels(labels);
            for (u, v) in edges {
                builder.edge(u, v).unwrap();
            }
            builder.build().unwrap()
        });
        prop::collection::vec(built, count)
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 60, ..ProptestConfig::default() })]

        #[test]
        fn bounds_change_nothing(library in graphs(0..60), queries in graphs(1..4), top in 0..12usize) {
            let data = Dataset::from_graphs("library", library);
            let library = Library::new(&AllPathsCycles::up_to(4), &data).unwrap();
            for similarity in [Similarity::MinMax, Similarity::Intersection, Similarity::Cosine] {
                let search = library.search(similarity);
                for query in queries.iter().chain(data.graphs()) {
                    let (hits, compared) = search.nearest_comparing(query, top).unwrap();
                    prop_assert_eq!(hits, scanned(&search, query, top));
                    prop_assert!(compared <= library.len());
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 12, ..ProptestConfig::default() })]

        /// Several rounds, more promising rows than one portion, and ties between copies.
        #[test]
        fn rounds_change_nothing(library in graphs(300..500), queries in graphs(1..4), top in 1..40usize) {
            let copies = library.iter().chain(&library).chain(&library).chain(&library).chain(&library).cloned();
            let data = Dataset::from_graphs("library", copies.collect());
            let library = Library::new(&AllPathsCycles::up_to(4), &data).unwrap();
            for similarity in [Similarity::MinMax, Similarity::Intersection, Similarity::Cosine] {
                let search = library.search(similarity);
                for query in queries.iter().chain(&data.graphs()[..3]) {
                    let (hits, compared) = search.nearest_comparing(query, top).unwrap();
                    prop_assert_eq!(hits, scanned(&search, query, top));
                    prop_assert!(compared <= library.len());
                }
            }
        }
    }

    #[test]
    fn counts_past_a_summary_are_found() {
        // A complete graph has more paths than a summary has room for.
        let complete = |order: usize| {
            Graph::from_edges(order, (0..order).flat_map(|u| (0..u).map(move |v| (u, v)))).unwrap()
        };
        let data = Dataset::from_graphs("complete", (3..13).map(complete).collect());
        let library = Library::new(&AllPathsCycles::up_to(6), &data).unwrap();
        assert!(matches!(library.row(9).unwrap().counts, Counts::Wide(_)));
        for similarity in [Similarity::MinMax, Similarity::Intersection, Similarity::Cosine] {
            let search = library.search(similarity);
            for order in [4, 9, 12, 13] {
                let query = complete(order);
                assert_eq!(
                    search.nearest(&query, 3).unwrap(),
                    scanned(&search, &query, 3),
                    "{similarity:?} {order}"
                );
            }
        }
    }
}

//! The nearest rows of a library, those with the best bounds first.

use std::iter::once;

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

/// Bounds are sorted into so many classes.
const LEVELS: usize = 1 << 12;

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
    /// A pass over the summaries of all graphs, 128 bytes each, and one over the counts of those that could be among the best.
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
        let mut best = Best { hits: Vec::new(), top };
        let mut compared = 0;
        if top == 0 {
            return Ok((best.hits, compared));
        }
        let (order, starts) = self.by_bound(&query);
        let traits = self.library.traits();
        for level in (0..=LEVELS).rev() {
            // No score of this level or a lower one is larger.
            let largest = self.largest(level, &query);
            if best.is_above(largest) {
                break;
            }
            for &row in &order[starts[level]..starts[level + 1]] {
                let row = row as usize;
                let is_enough = |had: f64| !best.is_above(self.ceiling(&query, row, had));
                if query.wanted.is_had_by(&traits[row], is_enough) {
                    best.offer(row, self.score(&query, row)?);
                    compared += 1;
                }
            }
        }
        Ok((best.hits, compared))
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
        let wanted = Wanted::new(columns.iter().map(weight));
        let size = size(found.iter().copied(), self.similarity);
        Ok(Query { counts, columns, wanted, size, norm: norm(found.iter().copied()) })
    }

    /// All rows, sorted by what bounds them into levels, and where each level starts.
    fn by_bound(&self, query: &Query) -> (Vec<u32>, Vec<usize>) {
        let summary = self.bounds.of_query(query.columns.iter().copied(), query.norm);
        let level = |(bound, size): (f64, &f64)| {
            let share = match self.similarity {
                Similarity::Cosine => bound,
                Similarity::Intersection => share(bound, query.size),
                Similarity::MinMax => share(bound, query.size + size - bound),
            };
            // Rounded up, and a little more: what is bounded is itself rounded.
            #[allow(clippy::cast_sign_loss)]
            let level = (share * (1.0 + 1e-9) * LEVELS as f64).ceil() as usize;
            level.min(LEVELS) as u16
        };
        let mut levels: Vec<u16> = self.bounds.each(&summary).zip(&self.sizes).map(level).collect();
        self.bounds.unbounded().iter().for_each(|&row| levels[row as usize] = LEVELS as u16);
        let mut starts = vec![0; LEVELS + 2];
        levels.iter().for_each(|&level| starts[usize::from(level) + 1] += 1);
        for level in 0..=LEVELS {
            starts[level + 1] += starts[level];
        }
        let mut next = starts.clone();
        let mut order = vec![0; levels.len()];
        for (&level, row) in levels.iter().zip(0..) {
            let place = &mut next[usize::from(level)];
            order[*place] = row;
            *place += 1;
        }
        (order, starts)
    }

    /// The largest score of a level.
    fn largest(&self, level: usize, query: &Query) -> f64 {
        let share = level as f64 / LEVELS as f64;
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
        // A little more: what is bounded is itself rounded.
        ceiling * (1.0 + 1e-9)
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

/// The best so far, the best first.
pub(super) struct Best {
    pub(super) hits: Vec<Hit>,
    pub(super) top: usize,
}

impl Best {
    /// Whether there are enough, and all are above a score.
    fn is_above(&self, score: f64) -> bool {
        self.hits.len() == self.top && self.hits.last().is_some_and(|last| last.score > score)
    }

    pub(super) fn offer(&mut self, row: usize, score: f64) {
        let is_before = |hit: &Hit| hit.score.total_cmp(&score).reverse().then(hit.row.cmp(&row)).is_lt();
        let place = self.hits.partition_point(is_before);
        if place < self.top {
            self.hits.truncate(self.top - 1);
            self.hits.insert(place, Hit { row, score });
        }
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

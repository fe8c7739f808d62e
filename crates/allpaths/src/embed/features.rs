//! What embedding gives: graphs by named features, sparse.

use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::profile::Cell;
use super::write::Named;
use crate::count::Outcome;
use crate::label::Kind;
use crate::npz::Npz;
use crate::{Error, Result, pages};

/// A feature: what is counted, under its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Feature {
    /// The 64-bit id of the name; see [`id_of_name`](crate::label::id_of_name). In files it is a text: few programs read whole
    /// numbers of that size.
    #[serde(with = "text")]
    pub id: u64,
    /// What it says of the graph, to be read by people.
    pub name: String,
    /// Vertices, paths or cycles.
    pub kind: Kind,
    /// Their length, and how often labels were refined.
    #[serde(flatten)]
    pub cell: Cell,
}

impl Feature {
    /// What columns are sorted by: refinement, kind, length, name.
    pub(crate) fn order(&self) -> (usize, Kind, usize, &str) {
        (self.cell.refinement, self.kind, self.cell.length, &self.name)
    }
}

/// Numbers as text.
mod text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    #[allow(clippy::trivially_copy_pass_by_ref)] // as serde wants it
    pub(super) fn serialize<S: Serializer>(number: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(number)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// What the columns of a matrix of features stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Columns {
    /// A feature each, sorted by refinement, kind, length and name.
    Named(Arc<[Feature]>),
    /// So many bits of the features' ids: a column for each number that they can make.
    Hashed(u32),
}

impl Columns {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Columns::Named(features) => features.len(),
            Columns::Hashed(bits) => 1 << bits,
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Graphs by features: a sparse matrix of exact counts.
///
/// A row is a graph, a column a feature; only counts that are not 0 are held, by column within a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Features {
    columns: Columns,
    /// Row `i` is `offsets[i]..offsets[i + 1]` in `indices` and `counts`.
    offsets: Vec<usize>,
    indices: Vec<u32>,
    counts: Vec<u64>,
    outcomes: Vec<Outcome>,
    unseen: u64,
}

impl Features {
    pub(crate) fn new(columns: Columns, rows: Rows<u32>) -> Self {
        let Rows { offsets, keys, counts, outcomes, unseen } = rows;
        Self { columns, offsets, indices: keys, counts, outcomes, unseen }
    }

    /// Reads features that [`FeatureWriter`](super::FeatureWriter) wrote to an `.npz` file, with the classes of the graphs if there are
    /// any.
    ///
    /// # Errors
    ///
    /// When the file or the one beside it is missing or damaged, or when it has no names.
    pub fn read_npz(path: impl AsRef<Path>) -> Result<(Self, Option<Vec<i64>>)> {
        let path = path.as_ref();
        let Named { classes, outcomes, features, .. } = Named::read(path)?;
        let features = features.ok_or_else(|| {
            Error::file(
                path,
                "its columns are hashed, so its features have no names: embed without hash bits",
            )
        })?;
        let npz = Npz::read(path)?;
        let array = |name: &str| {
            let missing =
                || Error::file(path, format!("no whole numbers called {name:?}: not a matrix of features"));
            npz.whole_numbers(name).ok_or_else(missing)
        };
        let (shape, offsets, indices, counts) =
            (array("shape")?, array("indptr")?, array("indices")?, array("data")?);
        let is_whole = shape == [outcomes.len() as u64, features.len() as u64]
            && offsets.len() == outcomes.len() + 1
            && offsets[0] == 0
            && offsets.is_sorted()
            && offsets[outcomes.len()] == counts.len() as u64
            && indices.len() == counts.len()
            && indices.iter().all(|&column| column < features.len() as u64)
            && classes.as_ref().is_none_or(|classes| classes.len() == outcomes.len());
        let outcomes: Option<Vec<Outcome>> = outcomes.iter().map(|name| Outcome::of_name(name)).collect();
        let Some(outcomes) = outcomes.filter(|_| is_whole) else {
            return Err(Error::file(path, "does not fit the names beside it: embed again"));
        };
        let rows = Rows {
            offsets: offsets.into_iter().map(|offset| offset as usize).collect(),
            keys: indices.into_iter().map(|column| column as u32).collect(),
            counts,
            outcomes,
            unseen: 0,
        };
        Ok((Self::new(Columns::Named(features.into()), rows), classes))
    }

    /// How many graphs there are.
    pub fn rows(&self) -> usize {
        self.outcomes.len()
    }

    /// What the columns stand for.
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// The features that have columns of their own; none where columns are hashed.
    pub fn features(&self) -> &[Feature] {
        match &self.columns {
            Columns::Named(features) => features,
            Columns::Hashed(_) => &[],
        }
    }

    /// The columns and counts of a graph, by column.
    ///
    /// # Panics
    ///
    /// When there is no such row.
    pub fn row(&self, row: usize) -> (&[u32], &[u64]) {
        let range = self.offsets[row]..self.offsets[row + 1];
        (&self.indices[range.clone()], &self.counts[range])
    }

    /// How often a graph has a feature, by its name; nothing if no column is called that.
    ///
    /// # Panics
    ///
    /// When there is no such row.
    pub fn count(&self, row: usize, name: &str) -> Option<u64> {
        let column = self.features().iter().position(|feature| feature.name == name)? as u32;
        let (indices, counts) = self.row(row);
        Some(indices.binary_search(&column).map_or(0, |place| counts[place]))
    }

    /// How embedding a graph ended. A row that is not complete lacks the lengths that were not finished, or everything.
    ///
    /// # Panics
    ///
    /// When there is no such row.
    pub fn outcome(&self, row: usize) -> Outcome {
        self.outcomes[row]
    }

    /// How embedding ended for each graph.
    pub fn outcomes(&self) -> &[Outcome] {
        &self.outcomes
    }

    /// How many counts are not 0.
    pub fn nonzeros(&self) -> usize {
        self.counts.len()
    }

    /// How many of the graphs' features have no column, a feature of several graphs counted once for each.
    pub fn unseen(&self) -> u64 {
        self.unseen
    }

    /// The matrix as compressed sparse rows: where each row begins and the last ends, columns, counts.
    pub fn compressed_rows(&self) -> (&[usize], &[u32], &[u64]) {
        (&self.offsets, &self.indices, &self.counts)
    }
}

/// Rows of counts under keys: ids, or numbers of columns.
#[derive(Clone, Debug)]
pub(crate) struct Rows<K> {
    pub(crate) offsets: Vec<usize>,
    pub(crate) keys: Vec<K>,
    pub(crate) counts: Vec<u64>,
    pub(crate) outcomes: Vec<Outcome>,
    pub(crate) unseen: u64,
}

impl<K> Default for Rows<K> {
    fn default() -> Self {
        Self { offsets: vec![0], keys: Vec::new(), counts: Vec::new(), outcomes: Vec::new(), unseen: 0 }
    }
}

impl<K: Copy + Ord> Rows<K> {
    /// Ends a row. Of what was found more than once in it, everything under one key is added up, then divided.
    pub(super) fn finish(&mut self, again: &mut Vec<Entry<K>>, outcome: Outcome) {
        again.sort_by_key(|entry| entry.key);
        for same in again.chunk_by(|a, b| a.key == b.key) {
            self.keys.push(same[0].key);
            self.counts.push(same.iter().map(|entry| entry.times).sum::<u64>() / same[0].divisor);
        }
        again.clear();
        self.offsets.push(self.keys.len());
        self.outcomes.push(outcome);
    }

    /// Makes room for so many more rows, if they are like those that are finished: to move rows when they have outgrown their place takes longer than to write them.
    pub(super) fn make_room(&mut self, rows: usize) {
        let entries = self.keys.len() * rows / self.outcomes.len().max(1);
        let entries = entries + entries / 8;
        self.keys.reserve(entries);
        self.counts.reserve(entries);
        self.offsets.reserve(rows);
        self.outcomes.reserve(rows);
    }

    /// Takes the rows that are finished; there is room for as many more.
    pub(super) fn take(&mut self) -> Self {
        let (rows, entries) = (self.outcomes.len(), self.keys.len());
        let mut offsets = Vec::with_capacity(rows + 1);
        offsets.push(0);
        let (keys, counts) = (Vec::with_capacity(entries), Vec::with_capacity(entries));
        std::mem::replace(self, Self { offsets, keys, counts, outcomes: Vec::with_capacity(rows), unseen: 0 })
    }

    /// Drops what the row at hand holds so far.
    pub(super) fn clear_row(&mut self) {
        let begin = self.offsets[self.offsets.len() - 1];
        self.keys.truncate(begin);
        self.counts.truncate(begin);
    }
}

impl<K: Copy + Ord + Send> Rows<K> {
    /// The same rows under other keys, each sorted by them, with what is under one key added up; what has none is left out.
    pub(super) fn under<L: Copy + Ord>(self, key: impl Fn(K) -> Option<L>) -> Rows<L> {
        let Self { offsets, keys, counts, outcomes, unseen } = self;
        let mut rows = Rows { outcomes, unseen, ..Rows::default() };
        rows.reserve(offsets.len(), keys.len());
        let mut row: Vec<(L, u64)> = Vec::new();
        for range in offsets.windows(2).map(|ends| ends[0]..ends[1]) {
            let entries = keys[range.clone()].iter().zip(&counts[range]);
            row.extend(entries.filter_map(|(&old, &count)| key(old).map(|key| (key, count))));
            row.sort_unstable_by_key(|&(key, _)| key);
            for same in row.chunk_by(|a, b| a.0 == b.0) {
                rows.keys.push(same[0].0);
                rows.counts.push(same.iter().map(|&(_, count)| count).sum());
            }
            rows.offsets.push(rows.keys.len());
            row.clear();
        }
        rows
    }

    /// All rows, one part after the other.
    pub(crate) fn concatenated(mut parts: Vec<Self>) -> Self {
        if parts.len() == 1 {
            return parts.remove(0);
        }
        let (rows, entries) = parts
            .iter()
            .fold((0, 0), |(rows, entries), part| (rows + part.outcomes.len(), entries + part.keys.len()));
        let mut all = Self::default();
        all.reserve(rows, entries);
        all.outcomes.reserve_exact(rows);
        for part in parts {
            let before = all.keys.len();
            all.offsets.extend(part.offsets[1..].iter().map(|offset| before + offset));
            all.keys.extend(part.keys);
            all.counts.extend(part.counts);
            all.outcomes.extend(part.outcomes);
            all.unseen += part.unseen;
        }
        all
    }

    /// Sorts each row by key, and adds up what is under one.
    pub(crate) fn sorted(self) -> Self {
        self.under(Some)
    }
}

impl<K> Rows<K> {
    /// Makes room for so many rows, with so many entries in all.
    fn reserve(&mut self, rows: usize, entries: usize) {
        self.offsets.reserve_exact(rows);
        (self.keys, self.counts) = (pages::with_capacity(entries), pages::with_capacity(entries));
    }
}

/// Graphs by the ids of their features, without columns: what needs no fit and can be put together from anywhere.
#[derive(Clone, Debug)]
pub struct IdRows(pub(super) Rows<u64>);

impl IdRows {
    /// How many graphs there are.
    pub fn rows(&self) -> usize {
        self.0.outcomes.len()
    }

    /// The ids and counts of a graph, in no particular but always the same order.
    ///
    /// # Panics
    ///
    /// When there is no such row.
    pub fn row(&self, row: usize) -> (&[u64], &[u64]) {
        let range = self.0.offsets[row]..self.0.offsets[row + 1];
        (&self.0.keys[range.clone()], &self.0.counts[range])
    }

    /// How embedding each graph ended.
    pub fn outcomes(&self) -> &[Outcome] {
        &self.0.outcomes
    }

    /// How many counts there are.
    pub fn nonzeros(&self) -> usize {
        self.0.counts.len()
    }
}

/// Something found in a graph under a key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<K> {
    pub(super) key: K,
    pub(super) times: u64,
    pub(super) divisor: u64,
}

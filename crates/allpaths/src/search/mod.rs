//! The most similar graphs of a library, exactly, without a look at most of them.
//!
//! A [`Library`] holds graphs as rows of named counts. [`Library::search`] makes it ready for one [`Similarity`], and
//! [`Search::nearest`] finds the graphs nearest to another. What makes that fast is a bound (`bounds.rs`): a short
//! summary of each row says how similar it can be at best, and rows are compared in that order until none that is left can be among the best.

mod bounds;
mod file;
mod nearest;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

pub use nearest::{Hit, Search};

use crate::dataset::{AtomLabels, Dataset, Hydrogens};
use crate::embed::Fitted;
use crate::label::LabelMap;
use crate::{AllPathsCycles, Error, Monitor, Result};

/// How similar two rows of counts are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Similarity {
    /// The sum of the smaller counts, divided by that of the larger ones: Tanimoto's coefficient of counts, from 0 to 1.
    #[default]
    MinMax,
    /// The sum of the smaller counts.
    Intersection,
    /// The cosine of the angle between both, from 0 to 1.
    Cosine,
}

/// Graphs as rows of counts, to be searched.
///
/// # Example
///
/// ```
/// # use allpaths::{AllPathsCycles, dataset::Reader, search::{Library, Similarity}};
/// let drugs = Reader::new().read_bytes("drugs.smi", "CCO ethanol\nCCN ethylamine\nc1ccccc1 benzene\n")?;
/// let library = Library::new(&AllPathsCycles::up_to(4), &drugs)?;
/// let query = Reader::new().read_bytes("query.smi", "CCCO")?;
/// let hits = library.search(Similarity::MinMax).nearest(&query.graphs()[0], 2)?;
/// assert_eq!(library.name(hits[0].row), "ethanol");
/// assert_eq!(hits[0].score, 5.0 / 11.0); // of 11 vertices and paths, 5 are in both
/// # Ok::<(), allpaths::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Library {
    embedding: Fitted,
    molecules: Molecules,
    names: Vec<String>,
    /// The ids of the features, those of the most graphs first: what is looked up most stands together.
    ids: Vec<u64>,
    places: FxHashMap<u64, u32>,
    rows: Rows,
}

/// How molecules were read, and new ones are to be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Molecules {
    labels: AtomLabels,
    hydrogens: Hydrogens,
}

/// Row `i` is `offsets[i]..offsets[i + 1]` in `columns` and `counts`, by column.
#[derive(Clone, Debug, PartialEq)]
struct Rows {
    offsets: Vec<u64>,
    columns: Vec<u32>,
    counts: Counts,
}

/// Counts in as few bytes as hold all of them.
#[derive(Clone, Debug, PartialEq)]
enum Counts {
    Narrow(Vec<u16>),
    Wide(Vec<u64>),
}

impl Counts {
    fn new(counts: Vec<u64>) -> Self {
        match counts.iter().all(|&count| u16::try_from(count).is_ok()) {
            true => Counts::Narrow(counts.iter().map(|&count| count as u16).collect()),
            false => Counts::Wide(counts),
        }
    }

    fn len(&self) -> usize {
        match self {
            Counts::Narrow(counts) => counts.len(),
            Counts::Wide(counts) => counts.len(),
        }
    }

    #[inline]
    fn get(&self, place: usize) -> u64 {
        match self {
            Counts::Narrow(counts) => u64::from(counts[place]),
            Counts::Wide(counts) => counts[place],
        }
    }
}

impl Rows {
    fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    fn range(&self, row: usize) -> std::ops::Range<usize> {
        self.offsets[row] as usize..self.offsets[row + 1] as usize
    }

    /// The columns and counts of a row.
    fn row(&self, row: usize) -> impl Iterator<Item = (u32, u64)> + '_ {
        self.range(row).map(|place| (self.columns[place], self.counts.get(place)))
    }
}

impl Library {
    /// A library of all graphs of a dataset, by features that need not be learnt.
    ///
    /// # Errors
    ///
    /// When the settings contradict each other, or features depend on all graphs: on commonest labels, bins, or how many graphs have them.
    pub fn new(settings: &AllPathsCycles, data: &Dataset) -> Result<Self> {
        let mut builder = LibraryBuilder::new(settings)?;
        builder.add(data, &Monitor::new())?;
        Ok(builder.finish())
    }

    /// How many graphs there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many different features they have.
    pub fn features(&self) -> usize {
        self.ids.len()
    }

    /// What a graph is called in its file; its number from 0 if it has no name.
    ///
    /// # Panics
    ///
    /// When there is no such row.
    pub fn name(&self, row: usize) -> String {
        match self.names[row].as_str() {
            "" => row.to_string(),
            name => name.to_owned(),
        }
    }

    /// What atoms of molecules are called in it, and whether hydrogens are vertices: new molecules are to be read the same way.
    pub fn molecules(&self) -> (&AtomLabels, Hydrogens) {
        (&self.molecules.labels, self.molecules.hydrogens)
    }

    /// Makes it ready to be searched. Takes time proportional to its size.
    pub fn search(&self, similarity: Similarity) -> Search<'_> {
        Search::new(self, similarity)
    }

    fn of_rows(
        embedding: Fitted,
        molecules: Molecules,
        names: Vec<String>,
        ids: Vec<u64>,
        rows: Rows,
    ) -> Self {
        let places = ids.iter().copied().zip(0..).collect();
        Self { embedding, molecules, names, ids, places, rows }
    }
}

/// Collects graphs a few at a time, and makes a [`Library`] of them.
#[derive(Debug)]
pub struct LibraryBuilder {
    embedding: Fitted,
    molecules: Molecules,
    names: Vec<String>,
    ids: Vec<u64>,
    places: FxHashMap<u64, u32>,
    /// How many graphs have each feature.
    graphs: Vec<u32>,
    offsets: Vec<u64>,
    columns: Vec<u32>,
    counts: Vec<u64>,
}

impl LibraryBuilder {
    /// No graphs yet.
    ///
    /// # Errors
    ///
    /// As [`Library::new`].
    pub fn new(settings: &AllPathsCycles) -> Result<Self> {
        if settings.learns() || settings.has_hashed_columns() {
            return Err(Error::settings(
                "a library is searched by features that need no learning: leave out bins, numbers of labels, rare features and hash bits, and take the encoding sequence or composition",
            ));
        }
        Ok(Self {
            embedding: settings.with_labels(LabelMap::all())?,
            molecules: Molecules::default(),
            names: Vec::new(),
            ids: Vec::new(),
            places: FxHashMap::default(),
            graphs: Vec::new(),
            offsets: vec![0],
            columns: Vec::new(),
            counts: Vec::new(),
        })
    }

    /// Says how molecules were read.
    #[must_use]
    pub fn molecules(mut self, labels: AtomLabels, hydrogens: Hydrogens) -> Self {
        self.molecules = Molecules { labels, hydrogens };
        self
    }

    /// Adds the graphs of a dataset.
    ///
    /// # Errors
    ///
    /// When a graph cannot be embedded.
    pub fn add(&mut self, data: &Dataset, monitor: &Monitor) -> Result<()> {
        let rows = self.embedding.ids_under(data.graphs(), monitor)?;
        for row in 0..rows.rows() {
            let (ids, counts) = rows.row(row);
            for (&id, &count) in ids.iter().zip(counts) {
                let column = *self.places.entry(id).or_insert_with(|| {
                    self.ids.push(id);
                    self.graphs.push(0);
                    self.ids.len() as u32 - 1
                });
                self.graphs[column as usize] += 1;
                self.columns.push(column);
                self.counts.push(count);
            }
            self.offsets.push(self.columns.len() as u64);
        }
        let unnamed = || vec![String::new(); data.graphs().len()];
        self.names.extend(data.names().map_or_else(unnamed, <[String]>::to_vec));
        Ok(())
    }

    /// How many graphs were added.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether none was.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The library, its features sorted by how many graphs have them.
    pub fn finish(self) -> Library {
        let Self { embedding, molecules, names, ids, places: _, graphs, offsets, mut columns, mut counts } =
            self;
        let mut order: Vec<u32> = (0..ids.len() as u32).collect();
        order.sort_unstable_by_key(|&column| (u32::MAX - graphs[column as usize], ids[column as usize]));
        let mut numbers = vec![0; ids.len()];
        order.iter().zip(0..).for_each(|(&old, new)| numbers[old as usize] = new);
        let mut row: Vec<(u32, u64)> = Vec::new();
        for range in offsets.windows(2).map(|ends| ends[0] as usize..ends[1] as usize) {
            row.clear();
            row.extend(range.clone().map(|place| (numbers[columns[place] as usize], counts[place])));
            row.sort_unstable();
            for (place, &(column, count)) in range.zip(&row) {
                (columns[place], counts[place]) = (column, count);
            }
        }
        let ids = order.iter().map(|&column| ids[column as usize]).collect();
        let rows = Rows { offsets, columns, counts: Counts::new(counts) };
        Library::of_rows(embedding, molecules, names, ids, rows)
    }
}

//! The most similar graphs of a library, exactly, without a look at most of them.
//!
//! A [`Library`] holds graphs as rows of named counts. [`Library::search`] makes it ready for one [`Similarity`], and
//! [`Search::nearest`] finds the graphs nearest to another. What makes that fast is a bound (`bounds.rs`): a short
//! summary of each row, and a few bits, say how similar it can be at best, and rows are compared in that order until none that is left can be among the best.

mod bounds;
mod file;
mod nearest;

use std::path::PathBuf;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

pub use nearest::{Hit, Search};

use crate::dataset::{AtomLabels, Dataset, Hydrogens};
use crate::embed::Fitted;
use crate::label::LabelMap;
use crate::pages::Pages;
use crate::{AllPathsCycles, Error, Monitor, Result};
use file::Layout;

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
    /// The columns of features by their ids.
    places: FxHashMap<u64, u32>,
    /// Where it was read from, to say so.
    path: PathBuf,
    /// All else, as it stands in a file.
    pages: Arc<Pages>,
    layout: Layout,
}

/// How molecules were read, and new ones are to be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Molecules {
    labels: AtomLabels,
    hydrogens: Hydrogens,
}

/// The features of a graph: columns, ascending, and a count for each.
struct Row<'a> {
    columns: &'a [[u8; 4]],
    counts: Counts<'a>,
}

/// Counts in as few bytes as hold all of them.
#[derive(Clone, Copy)]
enum Counts<'a> {
    Narrow(&'a [[u8; 2]]),
    Wide(&'a [[u8; 8]]),
}

impl Row<'_> {
    fn iter(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        let count = |place: usize| match self.counts {
            Counts::Narrow(counts) => u16::from_le_bytes(counts[place]).into(),
            Counts::Wide(counts) => u64::from_le_bytes(counts[place]),
        };
        self.columns
            .iter()
            .enumerate()
            .map(move |(place, &column)| (u32::from_le_bytes(column), count(place)))
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
        self.layout.rows
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many different features they have.
    pub fn features(&self) -> usize {
        self.layout.features
    }

    /// What a graph is called in its file; its number from 0 if it has no name.
    ///
    /// # Panics
    ///
    /// When there is no such row.
    pub fn name(&self, row: usize) -> String {
        match self.layout.name(&self.pages, row) {
            [] => row.to_string(),
            name => String::from_utf8_lossy(name).into_owned(),
        }
    }

    /// What atoms of molecules are called in it, and whether hydrogens are vertices: new molecules are to be read the same way.
    pub fn molecules(&self) -> (&AtomLabels, Hydrogens) {
        (&self.molecules.labels, self.molecules.hydrogens)
    }

    /// Makes it ready to be searched. Takes time proportional to the number of graphs, and for cosines to all their counts.
    pub fn search(&self, similarity: Similarity) -> Search<'_> {
        Search::new(self, similarity)
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

    /// The library, its features sorted by how many graphs have them: what is looked up most stands together.
    ///
    /// # Panics
    ///
    /// Never: what was written in memory is read from there.
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
        let ids: Vec<u64> = order.iter().map(|&column| ids[column as usize]).collect();
        drop((order, numbers));
        file::assembled(&embedding, &molecules, &names, &ids, &offsets, (&columns, &counts))
    }
}

//! Files of features.
//!
//! | ending | what it holds | written |
//! |---|---|---|
//! | `.npz` | counts as compressed sparse rows, as SciPy's `load_npz` reads them; names, classes and outcomes in a `.json` beside it | at the end |
//! | `.svm` | the text format of LIBSVM: class, then column (from 1) and count of all that is not 0 | row by row |
//! | `.csv` | all counts under the names of their columns | row by row |
//! | `.parquet`, `.arrow` | a row for each graph: name, list of ids (or of hashed columns), list of counts, class, outcome | row by row |
//!
//! Every file appears whole or not at all.

#[cfg(feature = "arrow")]
mod arrow;
mod npz;
mod text;

use std::path::Path;

pub use npz::Named;

use super::features::{Columns, Features, IdRows};
use crate::count::Outcome;
use crate::whole::Pending;
use crate::{Error, Result};

/// A kind of file that holds features.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// Compressed sparse rows for NumPy and SciPy.
    Npz,
    /// The text format of LIBSVM.
    Svm,
    /// Comma-separated values, every column of every row.
    Csv,
    /// Apache Parquet.
    Parquet,
    /// Apache Arrow.
    Arrow,
}

impl FileKind {
    /// The kind that the ending of a name stands for.
    ///
    /// # Errors
    ///
    /// When it stands for none.
    pub fn of_name(path: &Path) -> Result<Self> {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        match ending.to_ascii_lowercase().as_str() {
            "npz" => Ok(FileKind::Npz),
            "svm" | "libsvm" => Ok(FileKind::Svm),
            "csv" => Ok(FileKind::Csv),
            "parquet" => Ok(FileKind::Parquet),
            "arrow" | "feather" => Ok(FileKind::Arrow),
            _ => Err(Error::settings(format!(
                "{}: the ending of the name tells no kind of file: end it in .npz, .svm, .csv, .parquet or .arrow",
                path.display()
            ))),
        }
    }

    /// Whether its rows hold ids, so that it needs no columns.
    pub fn holds_ids(self) -> bool {
        matches!(self, FileKind::Parquet | FileKind::Arrow)
    }
}

/// Writes features to a file, some rows at a time.
///
/// # Example
///
/// ```
/// # use allpaths::{AllPathsCycles, Graph, embed::{FeatureWriter, Fitted}};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("features.svm");
/// # let triangle = Graph::from_edges(3, [(0, 1), (1, 2), (2, 0)])?;
/// # let batches = [vec![triangle.clone()], vec![triangle]];
/// let fitted = AllPathsCycles::up_to(3).fit(&batches[0])?;
/// let mut writer = FeatureWriter::create(&path, fitted.columns())?;
/// for graphs in &batches {
///     writer.write(&fitted.transform(graphs)?, None)?;
/// }
/// writer.finish()?;
/// assert_eq!(std::fs::read_to_string(&path)?, "0 1:3 2:3 3:3 4:1\n".repeat(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct FeatureWriter(Kind);

enum Kind {
    Npz(npz::NpzWriter),
    Svm(Pending),
    Csv(text::CsvWriter),
    #[cfg(feature = "arrow")]
    Arrow(arrow::ArrowWriter),
}

impl FeatureWriter {
    /// Begins a file of the kind that its name tells, for rows with these columns.
    ///
    /// # Errors
    ///
    /// When the name tells no kind, when the kind cannot hold such columns, or when it cannot be written.
    pub fn create(path: impl AsRef<Path>, columns: &Columns) -> Result<Self> {
        let path = path.as_ref();
        let kind = match FileKind::of_name(path)? {
            FileKind::Npz => Kind::Npz(npz::NpzWriter::new(path, columns)),
            FileKind::Svm => Kind::Svm(Pending::create(path)?),
            FileKind::Csv => Kind::Csv(text::CsvWriter::create(path, columns)?),
            kind => Self::arrow(path, kind, columns)?,
        };
        Ok(Self(kind))
    }

    #[cfg(feature = "arrow")]
    fn arrow(path: &Path, kind: FileKind, columns: &Columns) -> Result<Kind> {
        Ok(Kind::Arrow(arrow::ArrowWriter::create(path, kind, matches!(columns, Columns::Hashed(_)))?))
    }

    #[cfg(not(feature = "arrow"))]
    fn arrow(path: &Path, _: FileKind, _: &Columns) -> Result<Kind> {
        Err(Error::settings(format!(
            "{}: this build has no feature \"arrow\", which writes such files",
            path.display()
        )))
    }

    /// Says what the graphs of the rows that are written next are called. Parquet and Arrow files have a column for that.
    pub fn names(&mut self, names: Option<&[String]>) {
        match &mut self.0 {
            #[cfg(feature = "arrow")]
            Kind::Arrow(writer) => writer.names = names.map(<[String]>::to_vec),
            _ => _ = names,
        }
    }

    /// Writes rows with the columns that the file was begun for, each with its class if there are classes.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn write(&mut self, features: &Features, classes: Option<&[i64]>) -> Result<()> {
        match &mut self.0 {
            Kind::Npz(writer) => {
                writer.write(features, classes);
                Ok(())
            }
            Kind::Svm(out) => text::svm(out, features, classes),
            Kind::Csv(writer) => writer.write(features, classes),
            #[cfg(feature = "arrow")]
            Kind::Arrow(writer) => {
                // Hashed columns stand for themselves.
                let ids: &[_] = match features.columns() {
                    Columns::Named(named) => named,
                    Columns::Hashed(_) => &[],
                };
                let row = |row: usize| {
                    let (columns, counts) = features.row(row);
                    let id = move |&column: &u32| {
                        ids.get(column as usize).map_or(u64::from(column), |feature| feature.id)
                    };
                    (columns.iter().map(id), counts)
                };
                writer.write(features.outcomes(), row, classes)
            }
        }
    }

    /// Writes rows of ids, in files that hold those.
    ///
    /// # Errors
    ///
    /// When the file holds columns, or cannot be written.
    pub fn write_ids(&mut self, rows: &IdRows, classes: Option<&[i64]>) -> Result<()> {
        match &mut self.0 {
            #[cfg(feature = "arrow")]
            Kind::Arrow(writer) => {
                let row = |row: usize| {
                    let (ids, counts) = rows.row(row);
                    (ids.iter().copied(), counts)
                };
                writer.write(rows.outcomes(), row, classes)
            }
            _ => {
                let _ = (rows, classes);
                Err(Error::settings("this kind of file holds columns, not ids: learn them first"))
            }
        }
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn finish(self) -> Result<()> {
        match self.0 {
            Kind::Npz(writer) => writer.finish(),
            Kind::Svm(out) => out.finish(),
            Kind::Csv(writer) => writer.finish(),
            #[cfg(feature = "arrow")]
            Kind::Arrow(writer) => writer.finish(),
        }
    }
}

/// The class of a graph, or 0 where there are none.
fn class(classes: Option<&[i64]>, row: usize) -> i64 {
    classes.map_or(0, |classes| classes[row])
}

/// The names of outcomes.
fn outcome_names(outcomes: &[Outcome]) -> impl Iterator<Item = &'static str> + '_ {
    outcomes.iter().map(|outcome| outcome.name())
}

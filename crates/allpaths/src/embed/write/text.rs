//! Features as text: for LIBSVM, and for spreadsheets.

use std::io::{self, Write};
use std::path::Path;

use super::class;
use crate::embed::features::{Columns, Features};
use crate::whole::Pending;
use crate::{Error, Result};

/// Rows as LIBSVM reads them: the class, then columns from 1 with their counts.
pub(super) fn svm(out: &mut Pending, features: &Features, classes: Option<&[i64]>) -> Result<()> {
    let path = out.path().to_owned();
    let mut write = || -> io::Result<()> {
        for row in 0..features.rows() {
            write!(out, "{}", class(classes, row))?;
            let (columns, counts) = features.row(row);
            for (&column, count) in columns.iter().zip(counts) {
                write!(out, " {}:{count}", u64::from(column) + 1)?;
            }
            writeln!(out)?;
        }
        Ok(())
    };
    write().map_err(|error| Error::io(&path, error))
}

/// Writes all counts, under a header of names.
pub(super) struct CsvWriter {
    out: Pending,
    columns: usize,
    /// Rows written so far.
    rows: usize,
    has_header: bool,
    names: Vec<String>,
}

/// The most columns of a table with all of them.
const MOST_COLUMNS: usize = 100_000;

impl CsvWriter {
    pub(super) fn create(path: &Path, columns: &Columns) -> Result<Self> {
        if columns.len() > MOST_COLUMNS {
            return Err(Error::settings(format!(
                "{}: a table of {} columns would be mostly zeros: write .npz or .svm, or keep fewer features",
                path.display(),
                columns.len()
            )));
        }
        let names = match columns {
            Columns::Named(features) => features.iter().map(|feature| quoted(&feature.name)).collect(),
            Columns::Hashed(_) => (0..columns.len()).map(|column| column.to_string()).collect(),
        };
        Ok(Self { out: Pending::create(path)?, columns: columns.len(), rows: 0, has_header: false, names })
    }

    pub(super) fn write(&mut self, features: &Features, classes: Option<&[i64]>) -> Result<()> {
        let path = self.out.path().to_owned();
        self.try_write(features, classes).map_err(|error| Error::io(&path, error))
    }

    fn try_write(&mut self, features: &Features, classes: Option<&[i64]>) -> io::Result<()> {
        if !std::mem::replace(&mut self.has_header, true) {
            let first = if classes.is_some() { "graph,class" } else { "graph" };
            write!(self.out, "{first}")?;
            self.names.iter().try_for_each(|name| write!(self.out, ",{name}"))?;
            writeln!(self.out)?;
        }
        for row in 0..features.rows() {
            write!(self.out, "{}", self.rows)?;
            if let Some(classes) = classes {
                write!(self.out, ",{}", classes[row])?;
            }
            let (columns, counts) = features.row(row);
            let mut held = columns.iter().zip(counts).peekable();
            for column in 0..self.columns as u32 {
                let count = held.next_if(|&(&next, _)| next == column).map_or(0, |(_, &count)| count);
                write!(self.out, ",{count}")?;
            }
            writeln!(self.out)?;
            self.rows += 1;
        }
        Ok(())
    }

    pub(super) fn finish(self) -> Result<()> {
        self.out.finish()
    }
}

fn quoted(name: &str) -> String {
    match name.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", name.replace('"', "\"\"")),
        false => name.to_owned(),
    }
}

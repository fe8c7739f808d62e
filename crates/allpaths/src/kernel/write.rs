//! Files of Gram matrices.

use std::io::{self, Write};
use std::path::Path;

use super::gram::{Gram, Real};
use crate::npz::{self, Values};
use crate::{Error, Result, whole};

/// A kind of file that holds a Gram matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileKind {
    Npy,
    Csv,
    Svm,
}

impl<T: Real + Into<f64> + Copy> Gram<T>
where
    Vec<T>: Into<Values>,
{
    /// Writes the matrix; the ending of the name tells how.
    ///
    /// `.npy` is an array for NumPy. `.csv` has a line for each row. `.svm` is what LIBSVM reads for precomputed kernels: class, number of
    /// the row and all values, with numbers from 1. The file appears whole or not at all.
    ///
    /// # Errors
    ///
    /// When the name tells no kind of file, or it cannot be written.
    pub fn write(&self, path: impl AsRef<Path>, classes: Option<&[i64]>) -> Result<()> {
        let path = path.as_ref();
        let shape = [self.rows(), self.columns()];
        match kind_of_name(path)? {
            FileKind::Npy => npz::write_npy(path, &shape, self.values().to_vec()),
            FileKind::Csv => {
                whole::file(path, |out| (0..self.rows()).try_for_each(|row| self.csv_row(out, row)))
            }
            FileKind::Svm => whole::file(path, |out| {
                (0..self.rows())
                    .try_for_each(|row| self.svm_row(out, row, classes.map_or(0, |classes| classes[row])))
            }),
        }
    }

    fn csv_row(&self, out: &mut dyn Write, row: usize) -> io::Result<()> {
        for (i, &value) in self.row(row).iter().enumerate() {
            let value: f64 = value.into();
            write!(out, "{}{value}", if i > 0 { "," } else { "" })?;
        }
        writeln!(out)
    }

    fn svm_row(&self, out: &mut dyn Write, row: usize, class: i64) -> io::Result<()> {
        write!(out, "{class} 0:{}", row + 1)?;
        for (i, &value) in self.row(row).iter().enumerate() {
            let value: f64 = value.into();
            write!(out, " {}:{value}", i + 1)?;
        }
        writeln!(out)
    }
}

/// Checks that the ending of a name tells how to write a matrix.
///
/// # Errors
///
/// When it does not.
pub fn check_gram_name(path: &Path) -> Result<()> {
    kind_of_name(path).map(|_| ())
}

fn kind_of_name(path: &Path) -> Result<FileKind> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    match ending.to_ascii_lowercase().as_str() {
        "npy" => Ok(FileKind::Npy),
        "csv" => Ok(FileKind::Csv),
        "svm" | "libsvm" => Ok(FileKind::Svm),
        _ => Err(Error::settings(format!(
            "{}: the ending of the name tells no kind of file: end it in .npy, .csv or .svm",
            path.display()
        ))),
    }
}

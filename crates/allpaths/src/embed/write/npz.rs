//! Features as a sparse matrix for SciPy, and what its rows and columns are called in a file beside it.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::outcome_names;
use crate::embed::features::{Columns, Feature, Features};
use crate::npz::Npz;
use crate::{Error, Result, whole};

/// Collects rows, and writes them at the end.
pub(super) struct NpzWriter {
    path: PathBuf,
    columns: Columns,
    offsets: Vec<u64>,
    indices: Vec<u32>,
    counts: Vec<u64>,
    classes: Option<Vec<i64>>,
    outcomes: Vec<String>,
}

/// What the rows and columns of a matrix are called: the `.json` beside an `.npz`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Named {
    /// The version of this format.
    pub version: u32,
    /// The class of each row, if there are classes.
    pub classes: Option<Vec<i64>>,
    /// How embedding each row ended.
    pub outcomes: Vec<String>,
    /// The feature of each column; absent where columns are hashed.
    pub features: Option<Vec<Feature>>,
}

impl Named {
    const VERSION: u32 = 1;

    /// Where it is, beside a matrix.
    pub fn path(matrix: &Path) -> PathBuf {
        matrix.with_extension("json")
    }

    /// Reads what is beside a matrix.
    ///
    /// # Errors
    ///
    /// When it is not there, not what it should be, or written by another version.
    pub fn read(matrix: &Path) -> Result<Self> {
        let path = Self::path(matrix);
        let text = std::fs::read_to_string(&path).map_err(|error| Error::io(&path, error))?;
        let named: Self = serde_json::from_str(&text)
            .map_err(|error| Error::json(&path, "what the columns of a matrix are called", &error))?;
        match named.version {
            Self::VERSION => Ok(named),
            version => Err(Error::version(&path, version.into(), Self::VERSION.into())),
        }
    }
}

impl NpzWriter {
    pub(super) fn new(path: &Path, columns: &Columns) -> Self {
        let (path, columns) = (path.to_owned(), columns.clone());
        let (indices, counts, outcomes) = (Vec::new(), Vec::new(), Vec::new());
        Self { path, columns, offsets: vec![0], indices, counts, classes: None, outcomes }
    }

    pub(super) fn write(&mut self, features: &Features, classes: Option<&[i64]>) {
        let (offsets, indices, counts) = features.compressed_rows();
        let before = self.counts.len() as u64;
        self.offsets.extend(offsets[1..].iter().map(|&offset| before + offset as u64));
        self.indices.extend(indices);
        self.counts.extend(counts);
        self.outcomes.extend(outcome_names(features.outcomes()).map(str::to_owned));
        if let Some(classes) = classes {
            self.classes.get_or_insert_default().extend(classes);
        }
    }

    pub(super) fn finish(self) -> Result<()> {
        let rows = self.outcomes.len();
        // SciPy has one type for both: 32 bits if they are enough.
        let narrow = i32::try_from(self.counts.len()).is_ok() && i32::try_from(self.columns.len()).is_ok();
        let npz = Npz::new()
            .scalar("format", vec!["csr".to_owned()])
            .array("shape", [rows, self.columns.len()].map(|n| (n as u64).cast_signed()).to_vec())
            .array("data", self.counts);
        let npz = if narrow {
            let indices: Vec<i32> = self.indices.into_iter().map(u32::cast_signed).collect();
            let offsets: Vec<i32> =
                self.offsets.into_iter().map(|offset| (offset as u32).cast_signed()).collect();
            npz.array("indices", indices).array("indptr", offsets)
        } else {
            npz.array("indices", self.indices.into_iter().map(i64::from).collect::<Vec<_>>())
                .array("indptr", self.offsets.into_iter().map(u64::cast_signed).collect::<Vec<_>>())
        };
        let features = match self.columns {
            Columns::Named(features) => Some(features.to_vec()),
            Columns::Hashed(_) => None,
        };
        let named =
            Named { version: Named::VERSION, classes: self.classes, outcomes: self.outcomes, features };
        whole::file(&Named::path(&self.path), |out| Ok(serde_json::to_writer(out, &named)?))?;
        npz.write(&self.path)
    }
}

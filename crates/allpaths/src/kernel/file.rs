//! Fitted kernels on disk: settings and labels as JSON, rows as arrays, together in one file that NumPy reads, too.

use std::borrow::Cow;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::pairs::Plain;
use super::vectors::Vectors;
use super::{Body, FittedKernel, GraphKernel};
use crate::count::Outcome;
use crate::embed::{Cell, Column};
use crate::label::{Bounds, ID_VERSION, LabelMap};
use crate::npz::Npz;
use crate::{Error, Result, versions};

/// The version of the files.
const VERSION: u64 = 1;

/// The graphs of kernels that compare pair by pair.
const PLAIN: [&str; 5] = ["directed", "orders", "labels", "degrees", "targets"];

/// What a kernel that is in no file is called in messages.
const IN_MEMORY: &str = "kernel";

/// What is no array.
#[derive(Serialize, Deserialize)]
struct About<'a> {
    version: u64,
    ids: u64,
    kernel: Cow<'a, GraphKernel>,
    bins: Cow<'a, [Bounds]>,
    labels: Cow<'a, LabelMap>,
    outcomes: Cow<'a, [Outcome]>,
}

impl FittedKernel {
    /// Writes it to a file, with the rows of the graphs it was fitted to; read back, it compares other graphs with them.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    ///
    /// # Example
    ///
    /// ```
    /// # use allpaths::{Graph, GraphKernel, kernel::{FittedKernel, ShortestPath}};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("k.model");
    /// let square = Graph::from_edges(4, [(0, 1), (1, 2), (2, 3), (3, 0)])?;
    /// let triangle = Graph::from_edges(3, [(0, 1), (1, 2), (2, 0)])?;
    /// GraphKernel::new(ShortestPath::new()).fit(&[square])?.write(&path)?;
    /// let gram = FittedKernel::read(&path)?.against::<f64>(&[triangle])?;
    /// assert_eq!(gram.values(), [48.0]); // 6 ordered pairs at distance 1, and 8
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write(&self, path: impl AsRef<Path>) -> Result<()> {
        self.arrays().write(path)
    }

    /// What [`FittedKernel::write`] writes to a file.
    ///
    /// # Errors
    ///
    /// When memory runs out.
    ///
    /// # Example
    ///
    /// ```
    /// # use allpaths::{Graph, GraphKernel, kernel::{FittedKernel, ShortestPath}};
    /// let square = Graph::from_edges(4, [(0, 1), (1, 2), (2, 3), (3, 0)])?;
    /// let fitted = GraphKernel::new(ShortestPath::new()).fit(&[square])?;
    /// assert_eq!(FittedKernel::from_bytes(&fitted.to_bytes()?)?.gram::<f64>()?, fitted.gram()?);
    /// # Ok::<(), allpaths::Error>(())
    /// ```
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        self.arrays().to_bytes()
    }

    /// All there is to write.
    pub(crate) fn arrays(&self) -> Npz {
        let (bins, labels) = match &self.body {
            Body::Features(embedding, _) => embedding.learnt(),
            Body::Pairs(pairs) => (&[] as &[Bounds], pairs.labels()),
        };
        let about = About {
            version: VERSION,
            ids: ID_VERSION,
            kernel: Cow::Borrowed(&self.kernel),
            bins: Cow::Borrowed(bins),
            labels: Cow::Borrowed(labels),
            outcomes: Cow::Borrowed(&self.outcomes),
        };
        let about = serde_json::to_vec(&about).expect("settings and labels are JSON");
        let comparison = match &self.body {
            Body::Features(_, comparison) => comparison,
            Body::Pairs(pairs) => {
                let arrays = PLAIN.into_iter().zip(Plain::arrays(pairs.graphs()));
                return arrays
                    .fold(Npz::new().array("about", about), |npz, (name, array)| npz.array(name, array));
            }
        };
        let (vectors, factors) = comparison.rows_and_factors();
        let of_columns = |of: fn(&Column) -> u64| vectors.columns.iter().map(of).collect::<Vec<u64>>();
        Npz::new()
            .array("about", about)
            .array("ids", of_columns(|column| column.id))
            .array("refinements", of_columns(|column| column.cell.refinement as u64))
            .array("lengths", of_columns(|column| column.cell.length as u64))
            .array("indptr", vectors.offsets().iter().map(|&offset| offset as u64).collect::<Vec<_>>())
            .array("indices", vectors.indices().iter().map(|&index| u64::from(index)).collect::<Vec<_>>())
            .array("data", vectors.values().to_vec())
            .array("factors", factors.unwrap_or_default().to_vec())
    }

    /// Reads what [`FittedKernel::write`] wrote.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is damaged, or was written by a later version.
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        Self::from_arrays(&Npz::read(path)?, path)
    }

    /// Takes what [`FittedKernel::to_bytes`] gave.
    ///
    /// # Errors
    ///
    /// When it is damaged, or from a later version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        Self::from_arrays(&Npz::from_bytes(IN_MEMORY, bytes)?, Path::new(IN_MEMORY))
    }

    /// What was written, read from a file of that name.
    pub(crate) fn from_arrays(npz: &Npz, path: &Path) -> Result<Self> {
        let missing = |name: &str| Error::file(path, format!("no {name:?} in it: not a fitted kernel"));
        let whole = |name: &str| npz.whole_numbers(name).ok_or_else(|| missing(name));
        let real = |name: &str| npz.real_numbers(name).ok_or_else(|| missing(name));
        let about = npz.bytes("about").ok_or_else(|| missing("about"))?;
        let About { kernel, bins, labels, outcomes, .. } =
            versions::read(path, "a fitted kernel", VERSION, about)?;
        let damaged = || Error::file(path, "its arrays do not fit together: the file is damaged");
        if !kernel.substructures.has_features() {
            let arrays =
                [whole(PLAIN[0])?, whole(PLAIN[1])?, whole(PLAIN[2])?, whole(PLAIN[3])?, whole(PLAIN[4])?];
            let graphs = Plain::from_arrays(arrays).filter(|graphs| graphs.len() == outcomes.len());
            let fitted = kernel.fitted_pairs(labels.into_owned(), graphs.ok_or_else(damaged)?)?;
            return Ok(Self { outcomes: outcomes.into_owned(), ..fitted });
        }
        let cells = whole("refinements")?.into_iter().zip(whole("lengths")?);
        let columns = cells.zip(whole("ids")?).map(|((refinement, length), id)| Column {
            cell: Cell { refinement: refinement as usize, length: length as usize },
            id,
        });
        let factors = real("factors")?;
        let rows = (whole("indptr")?, whole("indices")?, real("data")?);
        let vectors = Vectors::checked(columns.collect(), rows)
            .filter(|vectors| vectors.rows() == outcomes.len())
            .filter(|vectors| match kernel.comparison.has_factors() {
                true => factors.len() == vectors.columns.len(),
                false => factors.is_empty(),
            })
            .ok_or_else(damaged)?;
        let kernel = kernel.into_owned();
        let (bins, labels) = (bins.into_owned(), labels.into_owned());
        let embedding = kernel.ready(kernel.substructures.embedding(bins, labels)?);
        let comparison = kernel.comparison.read(vectors, factors, embedding.unseen())?;
        Ok(Self { kernel, body: Body::Features(embedding, comparison), outcomes: outcomes.into_owned() })
    }
}

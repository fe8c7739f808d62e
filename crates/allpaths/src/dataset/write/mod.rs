//! Files out: the same formats, and what each of them cannot hold.
//!
//! [`Writer`] is to files what [`Reader`](super::Reader) is: one file of code per format, one pass over the graphs.
//! Formats differ in what they have room for, so writing returns notes on what is lost; what both the graph and the
//! format hold is there when the file is read again.

mod dimacs;
mod edge_list;
mod gml;
mod graph6;
mod graphml;
mod losses;
mod matrix_market;
mod molecules;
mod node_link;
mod sheet;
mod tu;

use std::fmt;
use std::io::{self, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};

use super::format::{Format, is_gzip};
use super::{Dataset, Graph};
use crate::{Error, Result, whole};
use losses::Losses;

/// Writes graphs to files.
///
/// # Example
///
/// ```
/// # use allpaths::Dataset;
/// # use allpaths::dataset::{Format, Reader, Writer};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("trust.graphml.gz");
/// let trust = Reader::new().read_bytes("trust.csv", "source,target,weight\nann,bob,1\nbob,cy,-2\n")?;
/// let lost = Writer::new().write(&trust, &path)?;
/// assert!(lost.is_empty());
/// assert_eq!(Dataset::read(&path)?.graphs(), trust.graphs());
///
/// let (bytes, lost) = Writer::new().format(Format::Graph6).bytes(&trust, "trust.g6")?;
/// assert_eq!(bytes, b"Bg\n");
/// assert_eq!(lost, ["loses vertex names: no room in graph6", "loses weights: no room in graph6"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Writer {
    format: Option<Format>,
    graph_columns: GraphColumns,
}

/// How Parquet and Arrow files say what a graph is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GraphColumns {
    /// In lists, which other programs can read: `source`, `target`, `vertex_labels` and so on.
    #[default]
    Lists,
    /// In one value, `graph_bytes`, which an engine that hands rows on, as Spark does, copies as a whole where lists are dozens of values.
    ///
    /// In this order, with all numbers but weights in LEB128 (seven bits a byte, the lowest first, the highest bit set in all bytes but the last):
    ///
    /// 1. the version of this form, 1;
    /// 2. what there is, as a sum: 1 if edges have a direction, 2 for labels of vertices, 4 for labels of edges, 8 for weights;
    /// 3. how many vertices and how many edges;
    /// 4. of each edge its source and its target, numbered from 0;
    /// 5. labels of vertices, if there are any: how many are different, of each the length in bytes and its UTF-8, and for each vertex which of
    ///    them it has, numbered from 0;
    /// 6. labels of edges in the same way;
    /// 7. weights, if there are any: for each edge a double of eight bytes, little-endian.
    ///
    /// Nothing may follow. A table that has this column has none of those of lists.
    Bytes,
}

impl Writer {
    /// Tells the format by the ending of the name.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the format.
    #[must_use]
    pub fn format(mut self, format: Format) -> Self {
        self.format = Some(format);
        self
    }

    /// Sets how Parquet and Arrow files say what a graph is.
    #[must_use]
    pub fn graph_columns(mut self, columns: GraphColumns) -> Self {
        self.graph_columns = columns;
        self
    }

    /// Writes a file, or a folder of the TU format, and says what is lost in it.
    ///
    /// A name that ends in `.gz` is packed by gzip. A TU dataset goes into a zip archive if the name ends in `.zip`,
    /// else into a folder, which must be empty or not be there. A name that ends in a slash is a folder. The file or folder appears whole or not at all, in
    /// place of a file that was there.
    ///
    /// # Errors
    ///
    /// When the format cannot be told by the name, or holds one graph and there are more or none, or molecules, and a graph is none by its labels, or when the file cannot be
    /// written.
    pub fn write(&self, dataset: &Dataset, path: impl AsRef<Path>) -> Result<Vec<String>> {
        let path = path.as_ref();
        let is_folder = path.is_dir() || path.to_string_lossy().ends_with(std::path::is_separator);
        let told = || if is_folder { Ok(Format::Tu) } else { self.format_for(path) };
        let format = self.format.map_or_else(told, Ok)?;
        let mut losses = Losses::new(dataset, format)?;
        check(dataset, format, path)?;
        if format == Format::Tu && Format::of_name(path) != Some(Format::Tu) {
            let files = tu::files(dataset, path, &mut losses).map_err(|error| Error::io(path, error))?;
            whole::folder(path, &files)?;
        } else {
            whole::file(path, |file| self.put(file, dataset, format, path, &mut losses))?;
        }
        Ok(losses.into_notes())
    }

    /// The bytes of what would be a file of that name, and what is lost in it.
    ///
    /// # Errors
    ///
    /// As [`Writer::write`].
    pub fn bytes(&self, dataset: &Dataset, name: impl AsRef<Path>) -> Result<(Vec<u8>, Vec<String>)> {
        let path = name.as_ref();
        let format = self.format_for(path)?;
        let mut losses = Losses::new(dataset, format)?;
        check(dataset, format, path)?;
        let mut bytes = Vec::new();
        self.put(&mut bytes, dataset, format, path, &mut losses).map_err(|error| Error::io(path, error))?;
        Ok((bytes, losses.into_notes()))
    }

    fn format_for(&self, path: &Path) -> Result<Format> {
        self.format.or_else(|| Format::of_name(path)).ok_or_else(|| {
            let reason = "cannot tell the format to write by the ending of the name: say which";
            Error::settings(format!("{}: {reason}", path.display()))
        })
    }
}

/// Whether graphs are what a format can hold, before anything is written.
fn check(dataset: &Dataset, format: Format, path: &Path) -> Result<()> {
    match format.is_of_molecules() {
        true => molecules::check(dataset).map_err(|reason| Error::file(path, reason)),
        false => Ok(()),
    }
}

impl Writer {
    /// Writes one file.
    fn put(
        &self,
        out: &mut dyn Write,
        dataset: &Dataset,
        format: Format,
        path: &Path,
        losses: &mut Losses,
    ) -> io::Result<()> {
        if is_gzip(path) && format != Format::Tu {
            let mut packed = GzEncoder::new(out, Compression::default());
            self.put_plain(&mut packed, dataset, format, path, losses)?;
            return packed.finish().map(|_| ());
        }
        self.put_plain(out, dataset, format, path, losses)
    }

    #[cfg_attr(not(feature = "arrow"), allow(clippy::unused_self))] // only tables have columns
    fn put_plain(
        &self,
        out: &mut dyn Write,
        dataset: &Dataset,
        format: Format,
        path: &Path,
        losses: &mut Losses,
    ) -> io::Result<()> {
        let graphs = dataset.graphs();
        let mut one = |write: fn(&mut dyn Write, &Graph, &mut Losses) -> io::Result<()>| {
            graphs.iter().try_for_each(|graph| write(out, graph, losses))
        };
        match format {
            Format::Tu => tu::archive(out, dataset, path, losses),
            Format::EdgeList => edge_list::write(out, &graphs[0], path, losses),
            Format::Gml => one(gml::write),
            Format::Dimacs => dimacs::write(out, &graphs[0], dataset.question(), losses),
            Format::MatrixMarket => one(matrix_market::write),
            Format::GraphMl => graphml::write(out, graphs, losses),
            Format::Graph6 => one(graph6::write),
            Format::Sparse6 => one(graph6::write_sparse),
            Format::NodeLink => one(node_link::write),
            #[cfg(feature = "arrow")]
            Format::Parquet | Format::Arrow => super::table::write(out, dataset, format, self.graph_columns),
            #[cfg(not(feature = "arrow"))]
            Format::Parquet | Format::Arrow => {
                Err(io::Error::other("this build has no feature \"arrow\", which writes such files"))
            }
            Format::Smiles => molecules::smiles(out, dataset, losses),
            Format::Sdf => molecules::sdf(out, dataset, losses),
        }
    }
}

/// A number as the shortest decimal that reads back to the same number, and never as digits that could be taken for
/// a long integer.
struct Number(f64);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.abs();
        if size == 0.0 || (1e-5..9e15).contains(&size) {
            return write!(f, "{}", self.0);
        }
        // Some readers take an exponent only after a point.
        let text = format!("{:e}", self.0);
        match text.split_once('e') {
            Some((digits, exponent)) if !digits.contains('.') => write!(f, "{digits}.0e{exponent}"),
            _ => f.write_str(&text),
        }
    }
}

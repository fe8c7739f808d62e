//! Files in: which format, what the caller decides, and how much may be unpacked.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::format::{Format, plain_name};
use super::packed::{self, Archive};
use super::text::Text;
use super::tu::{self, Files, Tu};
use super::{Batches, Dataset, dimacs, edge_list, gml, graph6, graphml, matrix_market, node_link};
use crate::graph::{GraphBuilder, Interner, VertexLabels};
use crate::{Error, Result};

/// Reads graphs: which format, and how to take what a file leaves open.
///
/// # Example
///
/// ```
/// # use allpaths::dataset::{Format, Reader};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("trust.csv");
/// std::fs::write(&path, "source,target,weight\nann,bob,1\nbob,cy,-2\n")?;
/// let data = Reader::new().directed(true).format(Format::EdgeList).read(&path)?;
/// let graph = &data.graphs()[0];
/// assert_eq!(graph.name(2), "cy");
/// assert_eq!(graph.weights(), Some([1.0, -2.0].as_slice()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reader {
    format: Option<Format>,
    pub(super) directed: Option<bool>,
    max_input: u64,
    batch_size: usize,
    skips_edges: bool,
    vertex_labels: VertexLabels,
}

impl Default for Reader {
    fn default() -> Self {
        Self {
            format: None,
            directed: None,
            max_input: 4 << 30,
            batch_size: 1024,
            skips_edges: false,
            vertex_labels: VertexLabels::default(),
        }
    }
}

impl Reader {
    /// Tells the format by content and name, and takes edges as undirected unless the file says otherwise.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the format.
    #[must_use]
    pub fn format(mut self, format: Format) -> Self {
        self.format = Some(format);
        self
    }

    /// Sets whether edges have a direction, whatever the file says.
    #[must_use]
    pub fn directed(mut self, directed: bool) -> Self {
        self.directed = Some(directed);
        self
    }

    /// Sets how many bytes a small file may become: unpacked from an archive, or taken by vertices that it
    /// announces and never mentions. 4 GiB if not set. A file that is that long itself is not limited.
    ///
    /// # Example
    ///
    /// ```
    /// # use allpaths::dataset::Reader;
    /// let lonely = "p edge 1000000 0\n";
    /// let error = Reader::new().max_input(1 << 20).read_bytes("lonely.col", lonely).unwrap_err();
    /// assert!(error.is_past_limit());
    /// ```
    #[must_use]
    pub fn max_input(mut self, bytes: u64) -> Self {
        self.max_input = bytes;
        self
    }

    /// Sets how many graphs [`Reader::stream`] reads at a time, 1024 if not set.
    #[must_use]
    pub fn batch_size(mut self, graphs: usize) -> Self {
        self.batch_size = graphs;
        self
    }

    /// Leaves the edges of TU datasets unread, for a first look at vertices, classes and labels: most of the time goes into edges.
    /// Graphs of other formats have their edges nevertheless.
    #[must_use]
    pub fn skip_edges(mut self) -> Self {
        self.skips_edges = true;
        self
    }

    /// Sets what vertices are labelled with in graphs whose files give them no labels. Edges are then read in any case.
    #[must_use]
    pub fn vertex_labels(mut self, labels: VertexLabels) -> Self {
        self.vertex_labels = labels;
        self
    }

    /// Whether edges stay unread where they can.
    pub(super) fn skips_edges(&self) -> bool {
        self.skips_edges && self.vertex_labels == VertexLabels::None
    }

    /// Reads a file or folder.
    ///
    /// # Errors
    ///
    /// When it cannot be read or does not keep to its format.
    pub fn read(&self, path: impl AsRef<Path>) -> Result<Dataset> {
        let path = path.as_ref();
        if let Some((folder, name)) = self.tu_name(path)? {
            return Ok(self.labelled(Tu::new(Files::in_folder(folder), name, self).read()?));
        }
        let bytes = std::fs::read(path).map_err(|error| Error::io(path, error))?;
        self.read_bytes(path, bytes)
    }

    /// Reads the graphs of a file or folder in batches.
    ///
    /// Of a TU folder no more than a batch is in memory, however many graphs it has. Its files must be sorted by graph,
    /// as published ones are: the vertices of the first graph come first, and its arcs, then those of the second. Any
    /// other file is read as a whole, and handed out in batches.
    ///
    /// # Errors
    ///
    /// When the batch size is 0, or there is nothing to read; the batches have the errors of [`Reader::read`], and one
    /// when files are not sorted.
    ///
    /// # Example
    ///
    /// ```
    /// # use allpaths::dataset::Reader;
    /// # let rings = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/rings");
    /// let mut orders = Vec::new();
    /// for batch in Reader::new().batch_size(2).stream(rings)? {
    ///     orders.push(batch?.graphs().iter().map(|graph| graph.order()).sum::<usize>());
    /// }
    /// assert_eq!(orders, [7, 0]); // three and four vertices, and a graph without any
    /// # Ok::<(), allpaths::Error>(())
    /// ```
    pub fn stream(&self, path: impl AsRef<Path>) -> Result<Batches> {
        if self.batch_size == 0 {
            return Err(Error::settings("a batch of 0 graphs: there must be one at least"));
        }
        let path = path.as_ref();
        match self.tu_name(path)? {
            Some((folder, name)) => {
                let tu = Tu::new(Files::in_folder(folder), name, self);
                Ok(Batches::of_files(tu, self.batch_size, self.vertex_labels))
            }
            None => Ok(Batches::of_memory(self.read(path)?, self.batch_size)),
        }
    }

    /// Reads what would be the content of a file. The name tells the format, as far as names do, and stands in
    /// messages.
    ///
    /// # Errors
    ///
    /// As [`Reader::read`].
    ///
    /// # Example
    ///
    /// ```
    /// # use allpaths::dataset::Reader;
    /// let triangle = Reader::new().read_bytes("triangle.g6", "Bw\n")?;
    /// assert_eq!(triangle.graphs()[0].size(), 3);
    /// # Ok::<(), allpaths::Error>(())
    /// ```
    pub fn read_bytes(&self, name: impl AsRef<Path>, bytes: impl Into<Vec<u8>>) -> Result<Dataset> {
        let (path, bytes) = (name.as_ref(), bytes.into());
        if packed::is_zip(&bytes) && self.format.is_none_or(|format| format == Format::Tu) {
            let (archive, name) = Archive::open(path, bytes, self.max_input)?;
            return Ok(self.labelled(Tu::new(Files::Archive(archive), name, self).read()?));
        }
        let bytes =
            if packed::is_gzip(&bytes) { packed::unzip(path, &bytes, self.max_input)? } else { bytes };
        let text = Text::new(path, bytes);
        let told = || Format::of_name(path).unwrap_or_else(|| Format::of_content(&text));
        let dataset = match self.format.unwrap_or_else(told) {
            Format::Tu => {
                Err(Error::file(path, "not a folder or zip archive of the TU format, nor its _A.txt file"))
            }
            Format::EdgeList => edge_list::read(&text, self),
            Format::Gml => gml::read(&text, self),
            Format::Dimacs => dimacs::read(&text, self),
            Format::MatrixMarket => matrix_market::read(&text, self),
            Format::GraphMl => graphml::read(&text, self),
            Format::Graph6 | Format::Sparse6 => graph6::read(&text, self),
            Format::NodeLink => node_link::read(&text, self),
        };
        Ok(self.labelled(dataset?))
    }

    fn labelled(&self, mut dataset: Dataset) -> Dataset {
        dataset.label_vertices(self.vertex_labels, &mut Interner::default());
        dataset
    }

    /// The folder and name of a TU dataset, if the path is one.
    fn tu_name<'a>(&self, path: &'a Path) -> Result<Option<(&'a Path, String)>> {
        if self.format.is_some_and(|format| format != Format::Tu) {
            return Ok(None);
        }
        if path.is_dir() {
            return match tu::name_in(path)? {
                Some(name) => Ok(Some((path, name))),
                None => Err(Error::file(
                    path,
                    "a folder without a file whose name ends in _A.txt: not a TU dataset",
                )),
            };
        }
        let file =
            path.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_suffix("_A.txt"));
        let folder = path.parent().unwrap_or(Path::new(""));
        Ok(file
            .filter(|name| {
                self.format.is_some() || folder.join(format!("{name}_graph_indicator.txt")).exists()
            })
            .map(|name| (folder, name.to_owned())))
    }

    /// Whether edges have a direction, where the file does not say.
    pub(super) fn is_directed(&self) -> bool {
        self.directed.unwrap_or(false)
    }

    /// How many things of so many bytes each a file may ask for without listing them.
    pub(super) fn room(&self, bytes: u64) -> usize {
        usize::try_from(self.max_input / bytes).unwrap_or(usize::MAX)
    }

    /// Refuses a graph of so many vertices, if they need too much memory.
    pub(super) fn check_order(&self, order: u64, text: &Text, line: usize) -> Result<()> {
        // Rows take eight bytes a vertex while they are built, names about as much.
        const BYTES: u64 = 16;
        if order <= self.room(BYTES) as u64 {
            return Ok(());
        }
        let limit = self.max_input;
        let reason = format!("{order} vertices need more than the {limit} bytes that a file may ask for");
        Err(text.error(line, reason).past_limit())
    }
}

impl Dataset {
    /// The only graph of a file that holds one.
    pub(super) fn single(text: &Text, builder: GraphBuilder, notes: Vec<String>) -> Result<Self> {
        let mut dataset = Self { notes, ..Self::of_file(text) };
        dataset.build(text, builder)?;
        Ok(dataset)
    }

    /// A dataset without graphs yet, called by its file.
    pub(super) fn of_file(text: &Text) -> Self {
        Self::new(Path::new(plain_name(text.path())).file_stem().unwrap_or_default().to_string_lossy())
    }

    /// Says so if a file that could hold many graphs holds none.
    pub(super) fn note_if_empty(&mut self) {
        if self.graphs.is_empty() {
            self.notes.push("no graph in the file".to_owned());
        }
    }

    /// Builds one more graph.
    pub(super) fn build(&mut self, text: &Text, builder: GraphBuilder) -> Result<()> {
        let (graph, merged) = builder.build_noting().map_err(|e| text.whole_error(e.to_string()))?;
        self.push(graph, merged);
        Ok(())
    }
}

//! Files in: which format, what the caller decides, and how much may be unpacked.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::feed::Feed;
use super::format::{Format, plain_name};
use super::molecule::{AtomLabels, Hydrogens, Molecules, OnError};
use super::packed::{self, Archive};
use super::text::Text;
use super::tu::{self, Files, Tu};
use super::{Batches, Dataset, dimacs, edge_list, gml, graph6, graphml, matrix_market, node_link};
use crate::graph::{Graph, GraphBuilder, Interner, VertexLabels};
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
    pub(super) smiles_column: Option<String>,
    pub(super) target: Option<String>,
    pub(super) atom_labels: AtomLabels,
    pub(super) hydrogens: Hydrogens,
    pub(super) on_error: OnError,
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
            smiles_column: None,
            target: None,
            atom_labels: AtomLabels::default(),
            hydrogens: Hydrogens::default(),
            on_error: OnError::default(),
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

    /// Reads molecules from a table with a header, from the SMILES in the column of that name.
    ///
    /// # Example
    ///
    /// ```
    /// # use allpaths::dataset::Reader;
    /// let table = "id,smiles,active\n7,CCO,1\n8,c1ccccc1,0\n";
    /// let data = Reader::new().smiles_column("smiles").target("active").read_bytes("drugs.csv", table)?;
    /// assert_eq!(data.graphs()[1].order(), 6);
    /// assert_eq!(data.classes(), Some([1, 0].as_slice()));
    /// # Ok::<(), allpaths::Error>(())
    /// ```
    #[must_use]
    pub fn smiles_column(mut self, name: impl Into<String>) -> Self {
        self.smiles_column = Some(name.into());
        self
    }

    /// Takes classes of molecules from the column of that name, or from the property in an SDF file.
    #[must_use]
    pub fn target(mut self, name: impl Into<String>) -> Self {
        self.target = Some(name.into());
        self
    }

    /// Sets what atoms of molecules are called: [`AtomLabels::atom`] if not set, with charge, hydrogens and whether they are aromatic.
    #[must_use]
    pub fn atom_labels(mut self, labels: AtomLabels) -> Self {
        self.atom_labels = labels;
        self
    }

    /// Sets whether hydrogens of molecules are vertices.
    #[must_use]
    pub fn hydrogens(mut self, hydrogens: Hydrogens) -> Self {
        self.hydrogens = hydrogens;
        self
    }

    /// Sets what to do with graphs that cannot be read, where others follow: in all formats that hold many graphs.
    ///
    /// In a TU dataset a fault is one of a graph if its line says so by its place (classes, labels and attributes of graphs, vertices and arcs) or by its
    /// first vertex (arcs). In GraphML it is one of the graph that it stands in, as long as elements are nested as XML asks. What tells of no graph
    /// fails: an arc that is no two numbers, a vertex without a graph, lines that are missing, a tag that is not closed.
    ///
    /// # Example
    ///
    /// ```
    /// # use allpaths::dataset::{OnError, Reader};
    /// let data = Reader::new().on_error(OnError::Empty).read_bytes("x.smi", "CC\nC(\nCO\n")?;
    /// assert_eq!(data.graphs()[1].order(), 0);
    /// assert!(data.notes()[0].starts_with("line 2 is a graph without vertices: expected )"));
    /// # Ok::<(), allpaths::Error>(())
    /// ```
    #[must_use]
    pub fn on_error(mut self, what: OnError) -> Self {
        self.on_error = what;
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
            self.check_without_molecules(path)?;
            return Ok(self.labelled(Tu::new(Files::in_folder(folder), name, self).read()?));
        }
        let bytes = std::fs::read(path).map_err(|error| Error::io(path, error))?;
        self.read_bytes(path, bytes)
    }

    /// Reads the graphs of a file or folder in batches.
    ///
    /// Of a TU folder, of molecules and of tables no more than a batch is in memory, however many graphs there are. The files of a TU folder must be sorted by graph,
    /// as published ones are: the vertices of the first graph come first, and its arcs, then those of the second. Any
    /// other file, and one that is packed, is read as a whole, and handed out in batches.
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
                self.check_without_molecules(path)?;
                let tu = Tu::new(Files::in_folder(folder), name, self);
                Ok(Batches::of_files(tu, self.batch_size, self.vertex_labels))
            }
            None => self.stream_file(path),
        }
    }

    fn stream_file(&self, path: &Path) -> Result<Batches> {
        #[cfg(feature = "arrow")]
        if let Some(table) = self.open_table(path)? {
            return Ok(Batches::of_table(table, self.batch_size, self.vertex_labels));
        }
        match self.open_molecules(path)? {
            Some(molecules) => Ok(Batches::of_molecules(molecules, self.batch_size)),
            None => Ok(Batches::of_memory(self.read(path)?, self.batch_size)),
        }
    }

    /// Refuses what is asked for of molecules alone, for a file of other graphs.
    fn check_without_molecules(&self, path: &Path) -> Result<()> {
        let asked = match (&self.smiles_column, &self.target) {
            (None, None) => return Ok(()),
            (Some(_), _) => "a column of SMILES is asked for",
            (None, Some(_)) => "a target is asked for without a column of SMILES",
        };
        Err(Error::settings(format!("{}: {asked}, and the file is none of molecules", path.display())))
    }

    /// The format by the name of a file, and by what is asked for.
    fn format_of_name(&self, path: &Path) -> Option<Format> {
        if self.smiles_column.is_some() { Some(Format::Smiles) } else { Format::of_name(path) }
    }

    /// A file of molecules to be read on, if the path is one that is not packed.
    fn open_molecules(&self, path: &Path) -> Result<Option<Molecules>> {
        let format = self.format.or_else(|| self.format_of_name(path));
        let Some(format @ (Format::Smiles | Format::Sdf)) = format else { return Ok(None) };
        let Some(mut feed) = Feed::open(path)? else { return Ok(None) };
        feed.fill()?;
        match packed::is_gzip(feed.at_hand()) {
            true => Ok(None),
            false => Molecules::new(feed, format, self).map(Some),
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
            self.check_without_molecules(path)?;
            let (archive, name) = Archive::open(path, bytes, self.max_input)?;
            return Ok(self.labelled(Tu::new(Files::Archive(archive), name, self).read()?));
        }
        let bytes =
            if packed::is_gzip(&bytes) { packed::unzip(path, &bytes, self.max_input)? } else { bytes };
        if let Some(format) = self.table_format(path, &bytes) {
            self.check_without_molecules(path)?;
            return Ok(self.labelled(self.read_table(path, bytes, format)?));
        }
        let text = Text::new(path, bytes);
        let told = || self.format_of_name(path).unwrap_or_else(|| Format::of_content(&text));
        let format = self.format.unwrap_or_else(told);
        if !matches!(format, Format::Smiles | Format::Sdf) {
            self.check_without_molecules(path)?;
        }
        let dataset = match format {
            Format::Smiles | Format::Sdf => Molecules::new(text.into_feed(), format, self)?.read(),
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
            // Read before: they are no text.
            Format::Parquet | Format::Arrow => Err(Error::file(path, "not a table of graphs")),
        };
        Ok(self.labelled(dataset?))
    }

    /// The format of a table, if that is what the bytes are or what was asked for.
    fn table_format(&self, path: &Path, bytes: &[u8]) -> Option<Format> {
        let is_table = |format: &Format| matches!(format, Format::Parquet | Format::Arrow);
        match self.format.or_else(|| self.format_of_name(path)) {
            Some(format) => Some(format).filter(is_table),
            #[cfg(feature = "arrow")]
            None => super::table::looks_like(bytes),
            #[cfg(not(feature = "arrow"))]
            None => Some(Format::Parquet).filter(|_| bytes.starts_with(b"PAR1")),
        }
    }

    #[cfg(feature = "arrow")]
    fn read_table(&self, path: &Path, bytes: Vec<u8>, format: Format) -> Result<Dataset> {
        super::table::TableFile::of_bytes(path, bytes, format, self)?.read()
    }

    #[cfg(not(feature = "arrow"))]
    #[allow(clippy::unused_self)] // as above
    fn read_table(&self, path: &Path, _: Vec<u8>, _: Format) -> Result<Dataset> {
        Err(Error::settings(format!(
            "{}: this build has no feature \"arrow\", which reads such files",
            path.display()
        )))
    }

    /// A table to be read on, if the path is one that is not packed.
    #[cfg(feature = "arrow")]
    fn open_table(&self, path: &Path) -> Result<Option<super::table::TableFile>> {
        match self.format.or_else(|| self.format_of_name(path)) {
            Some(format @ (Format::Parquet | Format::Arrow)) if !super::format::is_gzip(path) => {
                self.check_without_molecules(path)?;
                super::table::TableFile::open(path, format, self).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// How many rows of a table are read at a time.
    #[cfg(feature = "arrow")]
    pub(super) fn rows_at_once(&self) -> usize {
        self.batch_size
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
        Self::of_path(text.path())
    }

    /// As [`Dataset::of_file`], by the name alone.
    pub(super) fn of_path(path: &Path) -> Self {
        Self::new(Path::new(plain_name(path)).file_stem().unwrap_or_default().to_string_lossy())
    }

    /// Says so if a file that could hold many graphs holds none.
    pub(super) fn note_if_empty(&mut self) {
        if self.graphs.is_empty() {
            self.notes.push("no graph in the file".to_owned());
        }
    }

    /// What becomes of a graph that cannot be read: it is left out, or is one without vertices, with a note; or all fails.
    pub(super) fn push_fault(&mut self, place: &str, error: Error, what: OnError) -> Result<()> {
        let reason = error.reason().to_owned();
        self.note_fault(place, &reason, error, what)?;
        if what == OnError::Empty {
            self.graphs.push(Graph::from_edges(0, [])?);
        }
        Ok(())
    }

    /// Notes what becomes of a graph that cannot be read, or fails.
    pub(super) fn note_fault(
        &mut self,
        place: &str,
        reason: &str,
        error: Error,
        what: OnError,
    ) -> Result<()> {
        match what {
            OnError::Skip => self.notes.push(format!("left out {place}: {reason}")),
            OnError::Empty if !error.is_past_limit() => {
                self.notes.push(format!("{place} is a graph without vertices: {reason}"));
            }
            OnError::Fail | OnError::Empty => return Err(error),
        }
        Ok(())
    }

    /// Builds one more graph.
    pub(super) fn build(&mut self, text: &Text, builder: GraphBuilder) -> Result<()> {
        let (graph, merged) = builder.build_noting().map_err(|e| text.whole_error(e.to_string()))?;
        self.push(graph, merged);
        Ok(())
    }
}

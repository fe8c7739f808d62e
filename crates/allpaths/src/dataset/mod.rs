//! Files in: graphs, and what is to be learnt of them.
//!
//! [`Dataset::read`] tells the format by content and name; [`Reader`] holds the choices. Every reader makes one
//! pass over its file, never guesses in silence (what it had to decide is in [`Dataset::notes`]) and names file
//! and line of what it does not understand.

mod columns;
mod dimacs;
mod edge_list;
mod gml;
mod records;
mod text;
mod tu;

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::graph::{Graph, GraphBuilder, Merged};
use crate::{Error, Result};
use text::Text;

/// Graphs read from a file or folder, with their classes if they have any.
#[derive(Clone, Debug, PartialEq)]
pub struct Dataset {
    name: String,
    graphs: Vec<Graph>,
    classes: Option<Vec<i64>>,
    attributes: Option<Vec<Vec<f64>>>,
    question: Question,
    notes: Vec<String>,
    merged: Merged,
}

/// What a file asks to be counted in its graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Question {
    /// The longest path to count, in edges.
    pub max_length: Option<usize>,
    /// The first and the last vertex of the paths to count.
    pub pair: Option<(usize, usize)>,
}

impl Dataset {
    /// Reads a file or folder, telling its format by content and name.
    ///
    /// # Errors
    ///
    /// When it cannot be read or does not keep to its format.
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        Reader::new().read(path)
    }

    /// Reads a folder in the format of the TU Dortmund collection.
    ///
    /// # Errors
    ///
    /// As [`Dataset::read`].
    pub fn read_tu(folder: impl AsRef<Path>) -> Result<Self> {
        Reader::new().format(Format::Tu).read(folder)
    }

    fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            graphs: Vec::new(),
            classes: None,
            attributes: None,
            question: Question::default(),
            notes: Vec::new(),
            merged: Merged::default(),
        }
    }

    fn push(&mut self, graph: Graph, merged: Merged) {
        self.graphs.push(graph);
        self.merged.repeats += merged.repeats;
        self.merged.conflicts += merged.conflicts;
    }

    /// The only graph of a file that holds one.
    fn single(path: &Path, builder: GraphBuilder, notes: Vec<String>) -> Result<Self> {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let mut dataset = Self { notes, ..Self::new(name) };
        let (graph, merged) = builder.build_noting().map_err(|e| Error::file(path, e.to_string()))?;
        dataset.push(graph, merged);
        Ok(dataset)
    }

    /// What the dataset is called: the prefix of a TU folder's files, the stem of a file's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The graphs, in the order of the file.
    pub fn graphs(&self) -> &[Graph] {
        &self.graphs
    }

    /// The class of each graph, if there are classes.
    pub fn classes(&self) -> Option<&[i64]> {
        self.classes.as_deref()
    }

    /// Real attributes of the graphs, column by column, if there are any.
    pub fn attributes(&self) -> Option<&[Vec<f64>]> {
        self.attributes.as_deref()
    }

    /// What the file asks to be counted.
    pub fn question(&self) -> Question {
        self.question
    }

    /// What the reader had to decide, in words: edges merged, columns not read, a line taken as a header.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = self.notes.clone();
        let many = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        if self.merged.repeats > 0 {
            notes.push(format!("merged {}", many(self.merged.repeats, "repeated edge")));
        }
        if self.merged.conflicts > 0 {
            notes.push(format!(
                "{} with a label or weight unlike its first listing's, which counts; if edges have a direction, \
                 read the file as directed",
                many(self.merged.conflicts, "listing")
            ));
        }
        notes
    }
}

/// The formats that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// A folder of text files that share a prefix, as in the TU Dortmund collection.
    Tu,
    /// One edge a line: two names, perhaps a weight; separated by blanks, commas, semicolons or tabs.
    EdgeList,
    /// Graph Modelling Language.
    Gml,
    /// The format of the DIMACS challenges and of path-counting competitions.
    Dimacs,
}

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
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reader {
    format: Option<Format>,
    directed: Option<bool>,
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

    /// Reads a file or folder.
    ///
    /// # Errors
    ///
    /// When it cannot be read or does not keep to its format.
    pub fn read(&self, path: impl AsRef<Path>) -> Result<Dataset> {
        let path = path.as_ref();
        if let Some((folder, name)) = self.tu_name(path)? {
            return tu::read(folder, &name, self);
        }
        let text = Text::read(path)?;
        match self.format.unwrap_or_else(|| told_format(&text)) {
            Format::Tu => Err(Error::file(path, "not a folder of the TU format, nor its _A.txt file")),
            Format::EdgeList => edge_list::read(&text, self),
            Format::Gml => gml::read(&text, self),
            Format::Dimacs => dimacs::read(&text, self),
        }
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
    fn is_directed(&self) -> bool {
        self.directed.unwrap_or(false)
    }
}

/// The format by the ending of the name, or else by how the content begins.
fn told_format(text: &Text) -> Format {
    let extension = text.path().extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase);
    match extension.as_deref() {
        Some("gml") => Format::Gml,
        Some("col" | "dimacs") => Format::Dimacs,
        Some("csv" | "tsv" | "edges" | "edgelist") => Format::EdgeList,
        _ if gml::looks_like(text) => Format::Gml,
        _ if dimacs::looks_like(text) => Format::Dimacs,
        _ => Format::EdgeList,
    }
}

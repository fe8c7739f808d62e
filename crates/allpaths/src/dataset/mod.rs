//! Files in and out: graphs, and what is to be learnt of them.
//!
//! [`Dataset::read`] tells the format by content and name; [`Reader`] holds the choices. Every reader makes one
//! pass over its file, never guesses in silence (what it had to decide is in [`Dataset::notes`]) and names file
//! and line of what it does not understand. [`Reader::stream`] reads a few graphs at a time, however many there are.
//! [`Writer`] writes the same formats and says what each cannot hold:
//!
//! | format | endings | graphs | vertices | edges | direction |
//! |---|---|---|---|---|---|
//! | TU | a folder, `.zip` | many, with classes | label, numbers | label, numbers | said by the caller |
//! | edge list | `.csv`, `.tsv`, `.edges`, `.edgelist` | one | name | all | said by the caller |
//! | GML | `.gml` | one | all | all | yes |
//! | DIMACS | `.col`, `.dimacs` | one, with a question | numbered from 1 | - | said by the caller |
//! | Matrix Market | `.mtx` | one | numbered from 1 | weight | yes |
//! | GraphML | `.graphml` | many | all | all | yes |
//! | graph6, digraph6 | `.g6`, `.d6` | many | - | - | yes |
//! | sparse6 | `.s6` | many | - | - | none |
//! | node-link JSON | `.json` | one | all | all | yes |
//! | a table | `.parquet`, `.arrow`, `.feather` | many, with names, classes and properties | label | label, weight | yes |
//! | SMILES | `.smi`, `.smiles`; read alone: a column of a table | many, with names, in tables classes and properties | label | label | none |
//! | SDF, molfiles | `.sdf`, `.mol` | many, with names, classes and properties | label, coordinates | label | none |
//!
//! *All* is a name (of vertices), a label, a weight (of edges) and attributes of numbers and text. Each file may be
//! packed by gzip: `.gml.gz`. [`molecule`] says how molecules become graphs. A [`Collection`] finds published datasets by their names.

mod batches;
mod columns;
mod demo;
mod dimacs;
mod edge_list;
mod feed;
mod format;
mod gml;
mod graph6;
mod graphml;
mod ids;
mod json;
mod matrix_market;
pub mod molecule;
mod named;
mod node_link;
mod packed;
mod reader;
mod records;
#[cfg(feature = "arrow")]
mod table;
mod text;
mod tu;
mod write;
mod xml;

use std::path::Path;

pub use batches::Batches;
pub use format::Format;
pub use molecule::{AtomLabels, Hydrogens, Molecule, OnError};
pub use named::{Collection, PUBLISHED, Published};
pub use reader::Reader;
#[cfg(feature = "arrow")]
pub use table::{COLUMNS as TABLE_COLUMNS, graphs_of_batch};
pub use write::{GraphColumns, Writer};

use crate::graph::{self, Attribute, Graph, Interner, Labels, Merged, VertexLabels};
use crate::{Error, Result};

/// Graphs read from a file or folder, with their classes if they have any.
#[derive(Clone, Debug, PartialEq)]
pub struct Dataset {
    name: String,
    graphs: Vec<Graph>,
    names: Option<Vec<String>>,
    classes: Option<Vec<i64>>,
    attributes: Option<Vec<Vec<f64>>>,
    properties: Vec<Attribute>,
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
            names: None,
            classes: None,
            attributes: None,
            properties: Vec::new(),
            question: Question::default(),
            notes: Vec::new(),
            merged: Merged::default(),
        }
    }

    /// A dataset of graphs at hand, without classes.
    ///
    /// # Example
    ///
    /// ```
    /// # use allpaths::{Dataset, Graph};
    /// let triangle = Graph::from_edges(3, [(0, 1), (1, 2), (2, 0)])?;
    /// let path = Graph::from_edges(3, [(0, 1), (1, 2)])?;
    /// let data = Dataset::from_graphs("small", vec![triangle, path]).with_classes(vec![1, -1])?;
    /// assert_eq!(data.classes(), Some([1, -1].as_slice()));
    /// # Ok::<(), allpaths::Error>(())
    /// ```
    pub fn from_graphs(name: impl Into<String>, graphs: Vec<Graph>) -> Self {
        let mut dataset = Self { graphs, ..Self::new(name) };
        dataset.share_alphabets();
        dataset
    }

    /// Gives each graph its class, as in [`Dataset::from_graphs`].
    ///
    /// # Errors
    ///
    /// When there are more or fewer classes than graphs.
    pub fn with_classes(mut self, classes: Vec<i64>) -> Result<Self> {
        self.check_number("classes", classes.len())?;
        self.classes = Some(classes);
        Ok(self)
    }

    /// Says what each graph is called.
    ///
    /// # Errors
    ///
    /// When there are more or fewer names than graphs.
    pub fn with_names(mut self, names: Vec<String>) -> Result<Self> {
        self.check_number("names", names.len())?;
        self.names = Some(names);
        Ok(self)
    }

    fn check_number(&self, what: &str, number: usize) -> Result<()> {
        match self.graphs.len() {
            graphs if graphs == number => Ok(()),
            graphs => Err(Error::graph(format!("{number} {what} given for {graphs} graphs"))),
        }
    }

    /// Some of the graphs by their numbers from 0, with their classes and attributes. Notes on reading are not taken
    /// over.
    ///
    /// # Panics
    ///
    /// When there is no graph of such a number.
    ///
    /// # Example
    ///
    /// ```
    /// # use allpaths::{Dataset, Graph};
    /// let triangle = Graph::from_edges(3, [(0, 1), (1, 2), (2, 0)])?;
    /// let path = Graph::from_edges(3, [(0, 1), (1, 2)])?;
    /// let data = Dataset::from_graphs("small", vec![triangle, path]).with_classes(vec![1, -1])?;
    /// let second = data.pick([1]);
    /// assert_eq!(second.graphs()[0].size(), 2);
    /// assert_eq!(second.classes(), Some([-1].as_slice()));
    /// # Ok::<(), allpaths::Error>(())
    /// ```
    #[must_use]
    pub fn pick(&self, graphs: impl IntoIterator<Item = usize>) -> Self {
        fn pick<T: Clone>(values: &[T], places: &[usize]) -> Vec<T> {
            places.iter().map(|&place| values[place].clone()).collect()
        }
        let places: Vec<usize> = graphs.into_iter().collect();
        let columns = self.attributes.as_ref();
        Self {
            graphs: pick(&self.graphs, &places),
            names: self.names.as_ref().map(|names| pick(names, &places)),
            classes: self.classes.as_ref().map(|classes| pick(classes, &places)),
            attributes: columns.map(|columns| columns.iter().map(|column| pick(column, &places)).collect()),
            properties: self
                .properties
                .iter()
                .map(|known| Attribute::new(known.name(), known.values().pick(places.iter().copied())))
                .collect(),
            question: self.question,
            ..Self::new(self.name.as_str())
        }
    }

    /// Takes one graph in so many, from the first, of those with at most so many vertices.
    ///
    /// # Example
    ///
    /// ```
    /// # use allpaths::{Dataset, Graph};
    /// let graphs = [5, 2, 3, 9, 4].map(|n| Graph::from_edges(n, [(0, 1)])).into_iter().collect::<Result<_, _>>()?;
    /// let some = Dataset::from_graphs("small", graphs).sample(Some(5), 2);
    /// assert!(some.graphs().iter().map(Graph::order).eq([5, 3]));
    /// # Ok::<(), allpaths::Error>(())
    /// ```
    #[must_use]
    pub fn sample(&self, max_vertices: Option<usize>, every: usize) -> Self {
        let fits = |place: &usize| max_vertices.is_none_or(|most| self.graphs[*place].order() <= most);
        self.pick((0..self.graphs.len()).filter(fits).step_by(every.max(1)))
    }

    /// Makes equal labels equal codes in all graphs.
    fn share_alphabets(&mut self) {
        graph::share_alphabets(self.graphs.iter_mut().filter_map(|graph| graph.vertex_labels_mut()));
        graph::share_alphabets(self.graphs.iter_mut().filter_map(|graph| graph.edge_labels_mut()));
    }

    /// Labels the vertices of graphs that have no labels.
    fn label_vertices(&mut self, labels: VertexLabels, interner: &mut Interner) {
        let bare =
            self.graphs.iter().map(|graph| labels.of(graph).filter(|_| graph.vertex_labels().is_none()));
        let mut code = |number: usize| interner.code(&number.to_string());
        let codes: Vec<Option<Vec<u32>>> =
            bare.map(|numbers| numbers.map(|numbers| numbers.into_iter().map(&mut code).collect())).collect();
        let alphabet = interner.alphabet();
        for (graph, codes) in self.graphs.iter_mut().zip(codes) {
            if let Some(codes) = codes {
                graph.set_vertex_labels(Labels::new(alphabet.clone(), codes));
            }
        }
    }

    fn push(&mut self, graph: Graph, merged: Merged) {
        self.graphs.push(graph);
        self.merged.repeats += merged.repeats;
        self.merged.conflicts += merged.conflicts;
    }

    /// What the dataset is called: the prefix of a TU folder's files, the stem of a file's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The graphs, in the order of the file.
    pub fn graphs(&self) -> &[Graph] {
        &self.graphs
    }

    /// What each graph is called in its file, if it gives them names; empty for one without.
    pub fn names(&self) -> Option<&[String]> {
        self.names.as_deref()
    }

    /// The class of each graph, if there are classes.
    pub fn classes(&self) -> Option<&[i64]> {
        self.classes.as_deref()
    }

    /// Real attributes of the graphs, column by column, if there are any.
    pub fn attributes(&self) -> Option<&[Vec<f64>]> {
        self.attributes.as_deref()
    }

    /// What else a file says of its graphs, under names: properties in an SDF file, and columns of a table beside those that say what a graph is. Columns in which all is
    /// numbers are numbers; of batches of molecules, each is asked on its own.
    ///
    /// # Example
    ///
    /// ```
    /// # use allpaths::{dataset::Reader, graph::Values};
    /// let table = "smiles,active,dose\nCCO,1,0.5\nCC,0,\n";
    /// let data = Reader::new().smiles_column("smiles").target("active").read_bytes("drugs.csv", table)?;
    /// assert_eq!(data.properties()[0].name(), "dose");
    /// assert_eq!(data.properties()[0].values(), &Values::Real(vec![Some(0.5), None]));
    /// # Ok::<(), allpaths::Error>(())
    /// ```
    pub fn properties(&self) -> &[Attribute] {
        &self.properties
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

/// Whether a column of that name says something else in a table of graphs than a property.
fn is_table_column(name: &str) -> bool {
    const COLUMNS: [&str; 10] = [
        "source",
        "target",
        "vertex_labels",
        "edge_labels",
        "weights",
        "vertices",
        "directed",
        "graph_bytes",
        "id",
        "y",
    ];
    COLUMNS.contains(&name)
}

impl AsRef<[Graph]> for Dataset {
    fn as_ref(&self) -> &[Graph] {
        &self.graphs
    }
}

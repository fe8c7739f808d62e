//! The formats, and how one is told from another.

use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::text::Text;
use super::{dimacs, gml, graph6};

/// A format that can be read and, but for molecules, written.
///
/// A file may be packed by gzip (`karate.gml.gz`), a TU dataset into a zip archive (`MUTAG.zip`). Endings tell them
/// apart ([`Format::of_name`]), and where they do not, the first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// A folder of text files that share a prefix, as in the TU Dortmund collection, or a zip archive of one.
    Tu,
    /// One edge a line: two names, perhaps a weight; separated by blanks, commas, semicolons or tabs.
    EdgeList,
    /// Graph Modelling Language.
    Gml,
    /// The format of the DIMACS challenges and of path-counting competitions.
    Dimacs,
    /// The adjacency matrix in the exchange format of the Matrix Market.
    MatrixMarket,
    /// GraphML, an XML format.
    #[serde(rename = "graphml")]
    GraphMl,
    /// graph6, or digraph6 for directed graphs: one graph a line, dense, without anything beside the edges.
    Graph6,
    /// sparse6: one undirected graph a line, short where edges are few.
    Sparse6,
    /// JSON with a list of nodes and a list of links, as networkx writes it.
    NodeLink,
    /// Apache Parquet, a graph in each row. The columns `source` and `target` are lists of whole numbers, the ends of edges. There may be
    /// `vertex_labels` and `edge_labels`, lists of strings or whole numbers; `weights`, lists of numbers; `vertices`, how many there are, for graphs without
    /// labels; `directed`; `id`, a string or whole number; and `y`, the class. Integers may have any width. A null says nothing: no labels, no name.
    /// Or `graph_bytes` says all that a graph is, beside `id` and `y`: see [`GraphColumns::Bytes`](super::GraphColumns::Bytes).
    Parquet,
    /// Apache Arrow, a file or a stream, with the columns of [`Format::Parquet`].
    Arrow,
    /// Molecules as SMILES: one a line with its name, or in a column of a table.
    Smiles,
    /// Molecules as MDL molfiles, V2000 or V3000, many in an SDF file.
    Sdf,
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 13] = [
        Format::Tu,
        Format::EdgeList,
        Format::Gml,
        Format::Dimacs,
        Format::MatrixMarket,
        Format::GraphMl,
        Format::Graph6,
        Format::Sparse6,
        Format::NodeLink,
        Format::Parquet,
        Format::Arrow,
        Format::Smiles,
        Format::Sdf,
    ];

    /// The format by the ending of a file's name, that of gzip aside.
    ///
    /// # Example
    ///
    /// ```
    /// # use allpaths::dataset::Format;
    /// assert_eq!(Format::of_name("karate.gml.gz"), Some(Format::Gml));
    /// assert_eq!(Format::of_name("karate.txt"), None);
    /// ```
    pub fn of_name(path: impl AsRef<Path>) -> Option<Self> {
        let extension = Path::new(plain_name(path.as_ref())).extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "zip" => Some(Format::Tu),
            "csv" | "tsv" | "edges" | "edgelist" => Some(Format::EdgeList),
            "gml" => Some(Format::Gml),
            "col" | "dimacs" => Some(Format::Dimacs),
            "mtx" => Some(Format::MatrixMarket),
            "graphml" => Some(Format::GraphMl),
            "g6" | "d6" => Some(Format::Graph6),
            "s6" => Some(Format::Sparse6),
            "json" => Some(Format::NodeLink),
            "parquet" => Some(Format::Parquet),
            "arrow" | "feather" => Some(Format::Arrow),
            "smi" | "smiles" => Some(Format::Smiles),
            "sdf" | "sd" | "mol" => Some(Format::Sdf),
            _ => None,
        }
    }

    /// The format by how the content begins.
    pub(super) fn of_content(text: &Text) -> Self {
        const MATRIX: &[u8] = b"%%MatrixMarket";
        match text.bytes().trim_ascii_start() {
            [b'<', ..] => Format::GraphMl,
            [b'{', ..] => Format::NodeLink,
            bytes if bytes.get(..MATRIX.len()).is_some_and(|start| start.eq_ignore_ascii_case(MATRIX)) => {
                Format::MatrixMarket
            }
            _ if gml::looks_like(text) => Format::Gml,
            _ if dimacs::looks_like(text) => Format::Dimacs,
            _ if graph6::looks_like(text) => Format::Graph6,
            _ => Format::EdgeList,
        }
    }
}

/// What a dataset may have, beside edges, and a file may have no room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// More graphs than one, or none.
    SeveralGraphs,
    Classes,
    GraphAttributes,
    /// What else is known of graphs, under names.
    Properties,
    Question,
    Names,
    VertexLabels,
    EdgeLabels,
    Weights,
    VertexAttributes,
    EdgeAttributes,
}

impl Format {
    /// What a file has room for.
    fn contents(self) -> &'static [Content] {
        use Content::{
            Classes, EdgeAttributes, EdgeLabels, GraphAttributes, Names, Properties, Question, SeveralGraphs,
            VertexAttributes, VertexLabels, Weights,
        };
        match self {
            Format::Tu => &[
                SeveralGraphs,
                Classes,
                GraphAttributes,
                VertexLabels,
                EdgeLabels,
                Weights,
                VertexAttributes,
                EdgeAttributes,
            ],
            Format::EdgeList => &[Names, EdgeLabels, Weights, EdgeAttributes],
            Format::Gml | Format::NodeLink => {
                &[Names, VertexLabels, EdgeLabels, Weights, VertexAttributes, EdgeAttributes]
            }
            Format::Dimacs => &[Names, Question],
            Format::MatrixMarket => &[Names, Weights],
            Format::GraphMl => {
                &[SeveralGraphs, Names, VertexLabels, EdgeLabels, Weights, VertexAttributes, EdgeAttributes]
            }
            Format::Graph6 | Format::Sparse6 => &[SeveralGraphs],
            Format::Parquet | Format::Arrow => {
                &[SeveralGraphs, Classes, Properties, VertexLabels, EdgeLabels, Weights]
            }
            // Classes and properties are read from tables alone.
            Format::Smiles => &[SeveralGraphs, VertexLabels, EdgeLabels],
            Format::Sdf => &[SeveralGraphs, Classes, Properties, VertexLabels, EdgeLabels, VertexAttributes],
        }
    }

    pub(super) fn holds(self, content: Content) -> bool {
        self.contents().contains(&content)
    }

    /// Whether a file may hold several graphs.
    ///
    /// # Example
    ///
    /// ```
    /// # use allpaths::dataset::Format;
    /// assert!(Format::GraphMl.holds_many());
    /// assert!(!Format::Gml.holds_many());
    /// ```
    pub fn holds_many(self) -> bool {
        self.holds(Content::SeveralGraphs)
    }
}

impl Format {
    /// Whether its graphs are molecules, with labels that say which atoms and bonds they have.
    ///
    /// # Example
    ///
    /// ```
    /// # use allpaths::dataset::Format;
    /// assert!(Format::Sdf.is_of_molecules());
    /// assert!(!Format::Parquet.is_of_molecules());
    /// ```
    pub fn is_of_molecules(self) -> bool {
        matches!(self, Format::Smiles | Format::Sdf)
    }
}

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Content::SeveralGraphs => "several graphs",
            Content::Classes => "classes",
            Content::GraphAttributes => "attributes of graphs",
            Content::Properties => "properties of graphs",
            Content::Question => "the question",
            Content::Names => "vertex names",
            Content::VertexLabels => "vertex labels",
            Content::EdgeLabels => "edge labels",
            Content::Weights => "weights",
            Content::VertexAttributes => "vertex attributes",
            Content::EdgeAttributes => "edge attributes",
        })
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Tu => "the TU format",
            Format::EdgeList => "an edge list",
            Format::Gml => "GML",
            Format::Dimacs => "DIMACS",
            Format::MatrixMarket => "Matrix Market",
            Format::GraphMl => "GraphML",
            Format::Graph6 => "graph6",
            Format::Sparse6 => "sparse6",
            Format::NodeLink => "node-link JSON",
            Format::Parquet => "Parquet",
            Format::Arrow => "Arrow",
            Format::Smiles => "SMILES",
            Format::Sdf => "SDF",
        })
    }
}

/// Whether a name says that the file is packed by gzip.
pub(super) fn is_gzip(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz"))
}

/// The name of a file without folders and without the ending of gzip.
pub(super) fn plain_name(path: &Path) -> &std::ffi::OsStr {
    let name = if is_gzip(path) { path.file_stem() } else { path.file_name() };
    name.unwrap_or_default()
}

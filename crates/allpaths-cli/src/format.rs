//! The names of formats, to read and to write.

use allpaths::dataset::Format;

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum FormatName {
    /// Folder of text files that share a prefix, as in the TU Dortmund collection, or a zip archive of it
    Tu,
    /// One edge a line: two names, perhaps a weight (CSV and TSV too)
    EdgeList,
    /// Graph Modelling Language
    Gml,
    /// DIMACS, with the question lines of path-counting competitions
    Dimacs,
    /// Adjacency matrix in the exchange format of the Matrix Market
    MatrixMarket,
    /// GraphML, an XML format
    #[value(name = "graphml")]
    GraphMl,
    /// graph6, or digraph6 for directed graphs: one graph a line
    Graph6,
    /// sparse6: one undirected graph a line, short where edges are few
    Sparse6,
    /// JSON with lists of nodes and links, as networkx writes it
    NodeLink,
    /// Apache Parquet: a graph in each row, with columns `source`, `target`, `vertex_labels`, `edge_labels`, `id`, `y`
    Parquet,
    /// Apache Arrow, with the same columns
    Arrow,
    /// Molecules as SMILES: one a line with its name, or in the column that --smiles-column names
    Smiles,
    /// Molecules as MDL molfiles, V2000 or V3000
    Sdf,
}

impl From<FormatName> for Format {
    fn from(name: FormatName) -> Self {
        match name {
            FormatName::Tu => Format::Tu,
            FormatName::EdgeList => Format::EdgeList,
            FormatName::Gml => Format::Gml,
            FormatName::Dimacs => Format::Dimacs,
            FormatName::MatrixMarket => Format::MatrixMarket,
            FormatName::GraphMl => Format::GraphMl,
            FormatName::Graph6 => Format::Graph6,
            FormatName::Sparse6 => Format::Sparse6,
            FormatName::NodeLink => Format::NodeLink,
            FormatName::Parquet => Format::Parquet,
            FormatName::Arrow => Format::Arrow,
            FormatName::Smiles => Format::Smiles,
            FormatName::Sdf => Format::Sdf,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;

    #[test]
    fn every_format_has_a_name() {
        let named: Vec<Format> = FormatName::value_variants().iter().map(|&name| name.into()).collect();
        assert_eq!(named, Format::ALL);
    }
}

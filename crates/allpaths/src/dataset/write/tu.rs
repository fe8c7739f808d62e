//! Datasets in the format of the TU Dortmund collection: a folder or a zip archive.
//!
//! Arcs are listed as published datasets list them: an undirected edge from both ends. Files are called by the folder
//! or archive. Weights, which the format does not know, become the first column of the edge attributes.

use std::io::{self, Cursor, Write};
use std::path::Path;

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::super::Dataset;
use super::super::tu::label_name;
use super::losses::Losses;
use super::{Graph, Number};
use crate::graph::{Attribute, Labels, Values};

/// Writes the files of a dataset into an archive, in a folder.
pub(super) fn archive(
    out: &mut dyn Write,
    dataset: &Dataset,
    path: &Path,
    losses: &mut Losses,
) -> io::Result<()> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files(dataset, path, losses)? {
        zip.start_file(format!("{}/{name}", prefix(path)), SimpleFileOptions::default())?;
        zip.write_all(&bytes)?;
    }
    out.write_all(zip.finish()?.get_ref())
}

/// What the files are called by: hidden ones would not be looked at by the reader.
fn prefix(path: &Path) -> String {
    let stem = if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("zip")) {
        path.file_stem()
    } else {
        path.file_name()
    };
    let name = stem.unwrap_or_default().to_string_lossy();
    match name.trim_start_matches('.') {
        "" => "graphs".to_owned(),
        name => name.to_owned(),
    }
}

/// The files of a dataset, with their names.
pub(super) fn files(
    dataset: &Dataset,
    path: &Path,
    losses: &mut Losses,
) -> io::Result<Vec<(String, Vec<u8>)>> {
    let graphs = kept(dataset, losses);
    let mut files = Files { prefix: prefix(path), files: Vec::new() };
    let mut first = 1;
    let (mut arcs, mut indicator) = (Vec::new(), Vec::new());
    for (i, graph) in graphs.iter().enumerate() {
        for (_, u, v) in self::arcs(graph) {
            writeln!(arcs, "{}, {}", first + u, first + v)?;
        }
        for _ in 0..graph.order() {
            writeln!(indicator, "{}", i + 1)?;
        }
        first += graph.order();
    }
    files.add("A", arcs);
    files.add("graph_indicator", indicator);
    if let Some(classes) = dataset.classes() {
        files.lines("graph_labels", classes)?;
    }
    if let Some(columns) = dataset.attributes().filter(|columns| !columns.is_empty()) {
        files.lines("graph_attributes", rows(columns, graphs.len()))?;
    }
    for kind in [VERTICES, EDGES] {
        if let Some(labels) = labels(graphs, kind, losses) {
            files.lines(&format!("{}_labels", kind.part), labels)?;
        }
        let columns = columns(graphs, kind, losses);
        if let Some(first) = columns.first() {
            files.lines(&format!("{}_attributes", kind.part), rows(&columns, first.len()))?;
        }
    }
    Ok(files.files)
}

/// The graphs that the format can tell: classes number all of them, vertices only those that have one.
fn kept<'a>(dataset: &'a Dataset, losses: &mut Losses) -> &'a [Graph] {
    let graphs = dataset.graphs();
    if dataset.classes().is_some() {
        return graphs;
    }
    let count = graphs.iter().rposition(|graph| graph.order() > 0).map_or(0, |last| last + 1);
    let why = "nothing names them where there are no classes";
    losses.lose_some(graphs.len() - count, ["empty graph at the end", "empty graphs at the end"], why);
    &graphs[..count]
}

/// The arcs as they are listed, each with its edge.
fn arcs(graph: &Graph) -> impl Iterator<Item = (usize, usize, usize)> + '_ {
    graph.edges().enumerate().flat_map(|(edge, (u, v))| {
        let is_twice = !graph.is_directed() && u != v;
        [Some((edge, u, v)), is_twice.then_some((edge, v, u))].into_iter().flatten()
    })
}

/// What there is a line for: a vertex, or an arc.
#[derive(Clone, Copy)]
struct Kind {
    name: &'static str,
    part: &'static str,
    rows: fn(&Graph) -> Vec<usize>,
    labels: fn(&Graph) -> Option<&Labels>,
    weights: fn(&Graph) -> Option<&[f64]>,
    attributes: fn(&Graph) -> &[Attribute],
}

const VERTICES: Kind = Kind {
    name: "vertex",
    part: "node",
    rows: |graph| (0..graph.order()).collect(),
    labels: Graph::vertex_labels,
    weights: |_| None,
    attributes: Graph::vertex_attributes,
};

const EDGES: Kind = Kind {
    name: "edge",
    part: "edge",
    rows: |graph| arcs(graph).map(|(edge, _, _)| edge).collect(),
    labels: Graph::edge_labels,
    weights: Graph::weights,
    attributes: Graph::edge_attributes,
};

struct Files {
    prefix: String,
    files: Vec<(String, Vec<u8>)>,
}

impl Files {
    fn add(&mut self, part: &str, bytes: Vec<u8>) {
        self.files.push((format!("{}_{part}.txt", self.prefix), bytes));
    }

    fn lines(
        &mut self,
        part: &str,
        lines: impl IntoIterator<Item = impl std::fmt::Display>,
    ) -> io::Result<()> {
        let mut bytes = Vec::new();
        lines.into_iter().try_for_each(|line| writeln!(bytes, "{line}"))?;
        self.add(part, bytes);
        Ok(())
    }
}

/// The label of each row, if every row has one that can be written.
fn labels<'a>(graphs: &'a [Graph], kind: Kind, losses: &mut Losses) -> Option<Vec<&'a str>> {
    graphs.iter().find_map(kind.labels)?;
    let of_graph = |graph: &'a Graph| {
        let rows = (kind.rows)(graph);
        let Some(labels) = (kind.labels)(graph) else { return rows.is_empty().then(Vec::new) };
        Some(rows.into_iter().map(|row| labels.name(row)).collect())
    };
    let fits =
        |name: &str| label_name(name) == name && !name.is_empty() && !name.contains(['\n', '\u{feff}']);
    let why = match graphs.iter().map(of_graph).collect::<Option<Vec<Vec<&str>>>>() {
        None => "some graphs have none",
        Some(names) if !names.iter().flatten().all(|name| fits(name)) => {
            "one cannot be written in the TU format"
        }
        Some(names) => return Some(names.concat()),
    };
    losses.lose(&format!("{} labels", kind.name), why);
    None
}

/// The columns of numbers that have a value in every row.
fn columns(graphs: &[Graph], kind: Kind, losses: &mut Losses) -> Vec<Vec<f64>> {
    let rows = |graph| (graph, (kind.rows)(graph));
    let graphs: Vec<(&Graph, Vec<usize>)> =
        graphs.iter().map(rows).filter(|(_, rows)| !rows.is_empty()).collect();
    let mut columns: Vec<Vec<f64>> = Vec::new();
    if graphs.iter().any(|(graph, _)| (kind.weights)(graph).is_some()) {
        let of_graph = |(graph, rows): &(&Graph, Vec<usize>)| {
            (kind.weights)(graph).map(|weights| rows.iter().map(|&row| weights[row]).collect())
        };
        match graphs.iter().map(of_graph).collect::<Option<Vec<Vec<f64>>>>() {
            Some(weights) => {
                losses.note("weights become the first edge attribute in the TU format".to_owned());
                columns.push(weights.concat());
            }
            None => losses.lose("weights", "some graphs have none"),
        }
    }
    let mut names: Vec<&str> = Vec::new();
    for attribute in graphs.iter().flat_map(|(graph, _)| (kind.attributes)(graph)) {
        if !names.contains(&attribute.name()) {
            names.push(attribute.name());
        }
    }
    let mut renamed = false;
    for name in names {
        let of_graph = |(graph, rows): &(&Graph, Vec<usize>)| numbers((kind.attributes)(graph), name, rows);
        match graphs.iter().map(of_graph).collect::<Option<Vec<Vec<f64>>>>() {
            Some(values) => {
                renamed |= name != columns.len().to_string();
                columns.push(values.concat());
            }
            None => {
                losses.lose(&format!("{} attribute {name:?}", kind.name), "it is not a number everywhere");
            }
        }
    }
    if renamed {
        losses.lose(&format!("names of {} attributes", kind.name), "columns are numbered in the TU format");
    }
    columns
}

/// The values of an attribute in some rows, if all of them are numbers.
fn numbers(attributes: &[Attribute], name: &str, rows: &[usize]) -> Option<Vec<f64>> {
    match attributes.iter().find(|attribute| attribute.name() == name)?.values() {
        Values::Real(values) => rows.iter().map(|&row| values[row]).collect(),
        Values::Text(_) => None,
    }
}

/// Columns as lines.
fn rows(columns: &[Vec<f64>], count: usize) -> impl Iterator<Item = String> + '_ {
    (0..count).map(|row| {
        let numbers: Vec<String> = columns.iter().map(|column| Number(column[row]).to_string()).collect();
        numbers.join(", ")
    })
}

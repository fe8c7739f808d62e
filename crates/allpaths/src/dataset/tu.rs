//! Datasets in the plain-text format of the TU Dortmund collection: a folder of files that share a prefix, or a
//! zip archive with them at its root or in one folder.
//!
//! | file | one line for each | holds |
//! |---|---|---|
//! | `DS_A.txt` | arc | `row, col`: vertices, numbered from 1 over the whole dataset |
//! | `DS_graph_indicator.txt` | vertex | its graph, numbered from 1 |
//! | `DS_graph_labels.txt`, optional | graph | its class, an integer |
//! | `DS_graph_attributes.txt`, optional | graph | reals, separated by commas |
//! | `DS_node_labels.txt`, optional | vertex | its label |
//! | `DS_node_attributes.txt`, optional | vertex | reals, separated by commas |
//! | `DS_edge_labels.txt`, optional | arc | its label |
//! | `DS_edge_attributes.txt`, optional | arc | reals, separated by commas |
//!
//! Edges are undirected unless the caller says otherwise; an edge may be listed from one end or from both.
//! There are as many graphs as classes; one that no vertex names is empty. Lines may be in any order of graphs.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::packed::Archive;
use super::text::{self, Text, shown};
use super::{Dataset, Reader};
use crate::graph::{About, Alphabet, Attribute, GraphBuilder, Interner, Labels, Values};
use crate::{Error, Result};

/// The name of the dataset in a folder: what stands before `_A.txt`.
pub(super) fn name_in(folder: &Path) -> Result<Option<String>> {
    let io = |error| Error::io(folder, error);
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(io)? {
        let file = entry.map_err(io)?.file_name();
        names.extend(file.to_str().and_then(name_of).map(str::to_owned));
    }
    only_name(folder, names)
}

/// The name of the dataset that a file lists the arcs of. Hidden files are not looked at: systems leave some in
/// folders and archives that differ from the real ones by a dot in front.
pub(super) fn name_of(file: &str) -> Option<&str> {
    file.strip_suffix("_A.txt").filter(|name| !name.starts_with('.'))
}

/// The only name that was found, if any was.
pub(super) fn only_name(place: &Path, mut names: Vec<String>) -> Result<Option<String>> {
    if names.len() < 2 {
        return Ok(names.pop());
    }
    names.sort();
    let reason = format!("holds several datasets ({}): name one by its _A.txt file", names.join(", "));
    Err(Error::file(place, reason))
}

/// Where the files of a dataset are.
pub(super) enum Files<'a> {
    Folder(&'a Path),
    Archive(Archive),
}

impl Files<'_> {
    fn path(&self, file: &str) -> PathBuf {
        match self {
            Files::Folder(folder) => folder.join(file),
            Files::Archive(archive) => archive.path(file),
        }
    }

    /// A file that may be missing.
    fn read(&mut self, file: &str) -> Result<Option<Text>> {
        let path = self.path(file);
        match self {
            Files::Folder(_) => match std::fs::read(&path) {
                Ok(bytes) => Ok(Some(Text::new(&path, bytes))),
                Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
                Err(error) => Err(Error::io(&path, error)),
            },
            Files::Archive(archive) => archive.read(file),
        }
    }

    /// A file without which there is no dataset.
    fn require(&mut self, file: &str) -> Result<Text> {
        self.read(file)?.ok_or_else(|| Error::io(&self.path(file), ErrorKind::NotFound.into()))
    }
}

pub(super) fn read(mut files: Files<'_>, name: &str, reader: &Reader) -> Result<Dataset> {
    let file = |part: &str| format!("{name}_{part}.txt");
    let vertices = Vertices::read(&files.require(&file("graph_indicator"))?, reader)?;
    let arcs = Arcs::read(&files.require(&file("A"))?, &vertices)?;
    let mut optional = |part: &str| files.read(&file(part));
    let classes = optional("graph_labels")?.map(|text| read_classes(&text, vertices.graphs)).transpose()?;
    let graphs = classes.as_ref().map_or(vertices.graphs, Vec::len);
    let mut attributes = |part: &str, lines: usize, what: &str| {
        optional(part)?.map(|text| read_attributes(&text, lines, what)).transpose()
    };
    let graph_attributes = attributes("graph_attributes", graphs, "graph")?;
    let vertex_attributes =
        attributes("node_attributes", vertices.graph.len(), "vertex")?.unwrap_or_default();
    let edge_attributes = attributes("edge_attributes", arcs.ends.len(), "arc")?.unwrap_or_default();
    let mut labels = |part: &str, lines: usize, what: &str| {
        optional(part)?.map(|text| read_labels(&text, lines, what)).transpose()
    };
    let vertex_labels = labels("node_labels", vertices.graph.len(), "vertex")?;
    let edge_labels = labels("edge_labels", arcs.ends.len(), "arc")?;

    let vertex_groups = Groups::new(graphs, &vertices.graph);
    let arc_groups = Groups::new(graphs, &arcs.graph);
    let mut dataset = Dataset::new(name);
    for graph in 0..graphs {
        let (vertex_lines, arc_lines) = (vertex_groups.get(graph), arc_groups.get(graph));
        let about = About {
            vertex_labels: vertex_labels.as_ref().map(|labels| labels.pick(&vertex_lines)),
            vertex_attributes: pick_attributes(&vertex_attributes, &vertex_lines),
            edge_labels: edge_labels.as_ref().map(|labels| labels.pick(&arc_lines)),
            edge_attributes: pick_attributes(&edge_attributes, &arc_lines),
            ..About::default()
        };
        let listed = arc_lines.pick(&arcs.ends);
        let order = vertex_lines.len();
        let builder = GraphBuilder::from_listing(reader.is_directed(), order, listed, about);
        let (graph, merged) = builder.build_noting()?;
        dataset.push(graph, merged);
    }
    dataset.classes = classes;
    dataset.attributes = graph_attributes;
    Ok(dataset)
}

/// Which graph each vertex belongs to, and its number there.
struct Vertices {
    path: PathBuf,
    graphs: usize,
    graph: Vec<u32>,
    local: Vec<u32>,
}

impl Vertices {
    fn read(text: &Text, reader: &Reader) -> Result<Self> {
        // Each graph takes memory, whether a vertex names it or not.
        let room = reader.room(512).max(text.bytes().len());
        let mut vertices =
            Self { path: text.path().to_owned(), graphs: 0, graph: Vec::new(), local: Vec::new() };
        let mut orders: Vec<u32> = Vec::new();
        for (i, line) in text.records().enumerate() {
            let number = text::leading_number(line.strip_prefix(b"+").unwrap_or(line));
            let Some((graph @ 1..=MOST_GRAPHS, [])) = number else {
                let expected =
                    format!("expected a graph number from 1 to {MOST_GRAPHS}, found {}", shown(line));
                return Err(text.error(i + 1, expected));
            };
            let graph = graph as usize - 1;
            if graph >= room {
                let reason =
                    format!("{} graphs need too much memory: raise max_input if that is meant", graph + 1);
                return Err(text.error(i + 1, reason));
            }
            if graph >= orders.len() {
                orders.resize(graph + 1, 0);
            }
            vertices.graph.push(graph as u32);
            vertices.local.push(orders[graph]);
            orders[graph] += 1;
        }
        vertices.graphs = orders.len();
        Ok(vertices)
    }
}

/// More would be a number mistaken for a graph's.
const MOST_GRAPHS: u64 = 1 << 28;

/// The arcs in the order of the file: their graph, and their ends within it.
struct Arcs {
    graph: Vec<u32>,
    ends: Vec<(u32, u32)>,
}

impl Arcs {
    fn read(text: &Text, vertices: &Vertices) -> Result<Self> {
        // A line has some ten bytes: a guess that seldom needs to grow.
        let guess = text.bytes().len() / 10;
        let mut arcs = Self { graph: Vec::with_capacity(guess), ends: Vec::with_capacity(guess) };
        let mut rest = text.bytes().trim_ascii_end();
        while !rest.is_empty() {
            let line = arcs.ends.len() + 1;
            let Some((u, v, after)) = pair(rest) else {
                let found = rest.split(|&byte| byte == b'\n').next().unwrap_or_default().trim_ascii();
                return Err(text.error(line, format!("expected two vertex numbers, found {}", shown(found))));
            };
            rest = after;
            let order = vertices.graph.len();
            let inside = |id: u64| (1..=order as u64).contains(&id).then(|| id as usize - 1);
            let (Some(u), Some(v)) = (inside(u), inside(v)) else {
                let which = if inside(u).is_none() { u } else { v };
                let listed = vertices.path.file_name().unwrap_or_default().display();
                let reason = format!("vertex {which} is not one of the {order} in {listed}, numbered from 1");
                return Err(text.error(line, reason));
            };
            if vertices.graph[u] != vertices.graph[v] {
                let (g, h) = (vertices.graph[u] + 1, vertices.graph[v] + 1);
                let reason = format!("vertex {} is in graph {g} and vertex {} in graph {h}", u + 1, v + 1);
                return Err(text.error(line, reason));
            }
            arcs.graph.push(vertices.graph[u]);
            arcs.ends.push((vertices.local[u], vertices.local[v]));
        }
        Ok(arcs)
    }
}

/// Two numbers with a comma, blanks, or both between them on a line of their own, and what follows it.
#[inline]
fn pair(bytes: &[u8]) -> Option<(u64, u64, &[u8])> {
    fn skip_blanks(mut bytes: &[u8]) -> &[u8] {
        while let [b' ' | b'\t' | b'\r', rest @ ..] = bytes {
            bytes = rest;
        }
        bytes
    }
    let (u, rest) = text::leading_number(skip_blanks(bytes))?;
    let after_blanks = skip_blanks(rest);
    let after_comma = after_blanks.strip_prefix(b",").unwrap_or(after_blanks);
    if after_comma.len() == rest.len() {
        return None;
    }
    let (v, rest) = text::leading_number(skip_blanks(after_comma))?;
    match skip_blanks(rest) {
        [] => Some((u, v, &[])),
        [b'\n', rest @ ..] => Some((u, v, rest)),
        _ => None,
    }
}

fn read_classes(text: &Text, graphs: usize) -> Result<Vec<i64>> {
    let class = |(i, line): (usize, &[u8])| {
        text::integer(line)
            .ok_or_else(|| text.error(i + 1, format!("expected a class, an integer, found {}", shown(line))))
    };
    let classes: Vec<i64> = text.records().enumerate().map(class).collect::<Result<_>>()?;
    if classes.len() < graphs {
        let reason = format!("a class for each of {graphs} graphs expected, found {}", classes.len());
        return Err(text.whole_error(reason));
    }
    Ok(classes)
}

/// Labels in the order of a file.
struct LabelColumn {
    alphabet: Arc<Alphabet>,
    codes: Vec<u32>,
}

impl LabelColumn {
    fn pick(&self, lines: &Lines<'_>) -> Labels {
        Labels::new(self.alphabet.clone(), lines.pick(&self.codes))
    }
}

/// Reads labels: integers are named by their decimal digits (`+1` and `01` are `1`), anything else by itself,
/// columns joined by commas.
fn read_labels(text: &Text, lines: usize, what: &str) -> Result<LabelColumn> {
    let mut interner = Interner::default();
    // Nearly all labels are one or two digits: those are looked up, not hashed.
    let mut known = [u32::MAX; 100];
    let mut codes = Vec::with_capacity(lines);
    for (i, line) in text.records().enumerate() {
        if line.is_empty() {
            return Err(text.error(i + 1, format!("expected the label of a {what}, found a blank line")));
        }
        let number = text::leading_number(line).filter(|(_, rest)| rest.is_empty()).map(|(number, _)| number);
        let code = match number {
            Some(number @ 0..100) => {
                let known = &mut known[number as usize];
                if *known == u32::MAX {
                    *known = interner.code(&number.to_string());
                }
                *known
            }
            _ => interner.code(&label_name(text.utf8(i + 1, line)?)),
        };
        codes.push(code);
    }
    check_lines(text, codes.len(), lines, what)?;
    Ok(LabelColumn { alphabet: interner.finish(), codes })
}

/// What a line with a label calls it.
pub(super) fn label_name(line: &str) -> String {
    let column = |column: &str| {
        let column = column.trim();
        column.parse().map_or_else(|_| column.to_owned(), |number: i64| number.to_string())
    };
    line.split(',').map(column).collect::<Vec<_>>().join(",")
}

/// Reads rows of reals, all of one width, as columns.
fn read_attributes(text: &Text, lines: usize, what: &str) -> Result<Vec<Vec<f64>>> {
    let mut columns: Vec<Vec<f64>> = Vec::new();
    let mut found = 0;
    for (i, line) in text.records().enumerate() {
        let mut width = 0;
        for field in line.split(|&byte| byte == b',') {
            let field = field.trim_ascii();
            let value = text::real(field).ok_or_else(|| {
                text.error(i + 1, format!("expected a finite number, found {}", shown(field)))
            })?;
            if i == 0 {
                columns.push(Vec::with_capacity(lines));
            }
            if let Some(column) = columns.get_mut(width) {
                column.push(value);
            }
            width += 1;
        }
        if width != columns.len() {
            return Err(
                text.error(i + 1, format!("expected {} numbers, as on line 1, found {width}", columns.len()))
            );
        }
        found += 1;
    }
    check_lines(text, found, lines, what)?;
    Ok(columns)
}

fn check_lines(text: &Text, found: usize, lines: usize, what: &str) -> Result<()> {
    if found == lines {
        return Ok(());
    }
    let reason = format!("expected a line for each {what}, {lines} in all, found {found}");
    Err(if found > lines { text.error(lines + 1, reason) } else { text.whole_error(reason) })
}

fn pick_attributes(columns: &[Vec<f64>], lines: &Lines<'_>) -> Vec<Attribute> {
    let attribute = |(i, column): (usize, &Vec<f64>)| {
        let values = lines.pick(column).into_iter().map(Some).collect();
        Attribute::new(i.to_string(), Values::Real(values))
    };
    columns.iter().enumerate().map(attribute).collect()
}

/// The lines of a file that belong to each graph.
struct Groups {
    starts: Vec<u32>,
    /// Line numbers by graph; absent when the file is in that order already, as all published ones are.
    order: Option<Vec<u32>>,
}

impl Groups {
    fn new(graphs: usize, graph_of: &[u32]) -> Self {
        let mut starts = vec![0u32; graphs + 1];
        for &graph in graph_of {
            starts[graph as usize + 1] += 1;
        }
        for graph in 0..graphs {
            starts[graph + 1] += starts[graph];
        }
        let order = (!graph_of.is_sorted()).then(|| {
            let mut next = starts.clone();
            let mut order = vec![0; graph_of.len()];
            for (line, &graph) in graph_of.iter().enumerate() {
                order[next[graph as usize] as usize] = line as u32;
                next[graph as usize] += 1;
            }
            order
        });
        Self { starts, order }
    }

    fn get(&self, graph: usize) -> Lines<'_> {
        let (start, end) = (self.starts[graph] as usize, self.starts[graph + 1] as usize);
        match &self.order {
            Some(order) => Lines::Scattered(&order[start..end]),
            None => Lines::Together(start, end),
        }
    }
}

enum Lines<'a> {
    Together(usize, usize),
    Scattered(&'a [u32]),
}

impl Lines<'_> {
    fn len(&self) -> usize {
        match self {
            Lines::Together(start, end) => end - start,
            Lines::Scattered(lines) => lines.len(),
        }
    }

    fn pick<T: Copy>(&self, column: &[T]) -> Vec<T> {
        match self {
            Lines::Together(start, end) => column[*start..*end].to_vec(),
            Lines::Scattered(lines) => lines.iter().map(|&line| column[line as usize]).collect(),
        }
    }
}

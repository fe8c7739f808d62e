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
//! There are as many graphs as classes; one that no vertex names is empty. Lines may be in any order of graphs, unless
//! they are read in batches.

mod faults;
mod groups;
mod values;
mod vertices;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::feed::Feed;
use super::packed::Archive;
use super::{Dataset, OnError, Reader};
use crate::graph::{About, GraphBuilder};
use crate::{Error, Result};
use faults::{Fate, Faults};
use groups::{Groups, Lines};
pub(super) use values::label_name;
use values::{Expected, LabelCodes, Numbers, read_classes};
use vertices::{Arcs, Span, Vertices};

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
pub(super) enum Files {
    /// In a folder. They stay open between batches; none where there is no such file.
    Folder(PathBuf, Vec<(String, Option<Feed>)>),
    /// In an archive, of which each file is unpacked once.
    Archive(Archive),
}

impl Files {
    pub(super) fn in_folder(folder: &Path) -> Self {
        Files::Folder(folder.to_owned(), Vec::new())
    }

    /// Reads on in a file that may be missing.
    fn read<R>(&mut self, name: &str, read: impl FnOnce(&mut Feed) -> Result<R>) -> Result<Option<R>> {
        match self {
            Files::Folder(folder, open) => {
                let place = match open.iter().position(|(known, _)| known == name) {
                    Some(place) => place,
                    None => {
                        open.push((name.to_owned(), Feed::open(&folder.join(name))?));
                        open.len() - 1
                    }
                };
                open[place].1.as_mut().map(read).transpose()
            }
            Files::Archive(archive) => archive.read(name)?.as_mut().map(read).transpose(),
        }
    }

    /// Reads on in a file without which there is no dataset.
    fn require<R>(&mut self, name: &str, read: impl FnOnce(&mut Feed) -> Result<R>) -> Result<R> {
        let path = match self {
            Files::Folder(folder, _) => folder.join(name),
            Files::Archive(archive) => archive.path(name),
        };
        self.read(name, read)?.ok_or_else(|| Error::io(&path, ErrorKind::NotFound.into()))
    }
}

/// A dataset that is read from its first graph to its last.
pub(super) struct Tu {
    name: String,
    files: Files,
    directed: bool,
    skips_edges: bool,
    on_error: OnError,
    /// What is read next.
    span: Span,
    vertex_labels: LabelCodes,
    edge_labels: LabelCodes,
    graph_attributes: Numbers,
    vertex_attributes: Numbers,
    edge_attributes: Numbers,
    is_over: bool,
}

impl Tu {
    pub(super) fn new(files: Files, name: String, reader: &Reader) -> Self {
        Self {
            name,
            files,
            directed: reader.is_directed(),
            skips_edges: reader.skips_edges(),
            on_error: reader.on_error,
            span: Span { graphs: 0, vertices: 0, most: None, room: reader.room(512) },
            vertex_labels: LabelCodes::default(),
            edge_labels: LabelCodes::default(),
            graph_attributes: Numbers::default(),
            vertex_attributes: Numbers::default(),
            edge_attributes: Numbers::default(),
            is_over: false,
        }
    }

    /// Reads all graphs.
    pub(super) fn read(mut self) -> Result<Dataset> {
        self.read_on()
    }

    /// Reads so many graphs more, or those that are left; nothing when none is.
    pub(super) fn read_batch(&mut self, most: usize) -> Result<Option<Dataset>> {
        if self.is_over {
            return Ok(None);
        }
        self.span.most = Some(most);
        let before = self.span.graphs;
        let batch = self.read_on()?;
        // All of its graphs may be left out; then its notes are still to be told.
        Ok(Some(batch).filter(|_| self.span.graphs > before))
    }

    fn read_on(&mut self) -> Result<Dataset> {
        let Self { name, files, span, .. } = self;
        let file = |part: &str| format!("{name}_{part}.txt");
        let faults = &mut Faults::new(self.on_error);
        let vertices = files.require(&file("graph_indicator"), |feed| Vertices::read(feed, *span, faults))?;
        let with_edges = !self.skips_edges;
        let arcs = match with_edges {
            true => files.require(&file("A"), |feed| Arcs::read(feed, &vertices, faults))?,
            false => Arcs::default(),
        };
        let classes = files.read(&file("graph_labels"), |feed| read_classes(feed, &vertices, faults))?;
        let graphs = classes.as_ref().map_or_else(|| vertices.graphs(), |(classes, _)| classes.len());
        let is_last = vertices.ended && classes.as_ref().is_none_or(|&(_, ended)| ended);

        let of_graphs = Expected { lines: graphs, is_last, what: "graph", graphs: None };
        let of_vertices =
            Expected { lines: vertices.graph.len(), is_last, what: "vertex", graphs: Some(&vertices.graph) };
        let of_arcs = Expected { lines: arcs.ends.len(), is_last, what: "arc", graphs: Some(&arcs.graph) };
        let mut numbers = |part: &str, numbers: &mut Numbers, expected: Expected<'_>| {
            files.read(&file(part), |feed| numbers.read(feed, expected, faults))
        };
        let attributes = numbers("graph_attributes", &mut self.graph_attributes, of_graphs)?;
        let vertex_attributes =
            numbers("node_attributes", &mut self.vertex_attributes, of_vertices)?.unwrap_or_default();
        let edge_attributes = match with_edges {
            true => numbers("edge_attributes", &mut self.edge_attributes, of_arcs)?.unwrap_or_default(),
            false => Vec::new(),
        };
        let mut labels = |part: &str, codes: &mut LabelCodes, expected: Expected<'_>| {
            files.read(&file(part), |feed| codes.read(feed, expected, faults))
        };
        let vertex_labels = labels("node_labels", &mut self.vertex_labels, of_vertices)?;
        let edge_labels = match with_edges {
            true => labels("edge_labels", &mut self.edge_labels, of_arcs)?,
            false => None,
        };

        let vertex_groups = Groups::new(graphs, &vertices.graph);
        let arc_groups = Groups::new(graphs, &arcs.graph);
        let mut dataset = Dataset::new(name.as_str());
        let mut kept = Vec::with_capacity(graphs);
        for graph in 0..graphs {
            let (vertex_lines, arc_lines) = match faults.note(graph, span.graphs, &mut dataset)? {
                Fate::Whole => (vertex_groups.get(graph), arc_groups.get(graph)),
                Fate::Empty => (Lines::Scattered(&[]), Lines::Scattered(&[])),
                Fate::LeftOut => continue,
            };
            kept.push(graph);
            let about = About {
                vertex_labels: vertex_labels.as_ref().map(|labels| vertex_lines.pick_labels(labels)),
                vertex_attributes: vertex_lines.pick_attributes(&vertex_attributes),
                edge_labels: edge_labels.as_ref().map(|labels| arc_lines.pick_labels(labels)),
                edge_attributes: arc_lines.pick_attributes(&edge_attributes),
                ..About::default()
            };
            let listed = arc_lines.pick(&arcs.ends);
            let builder = GraphBuilder::from_listing(self.directed, vertex_lines.len(), listed, about);
            let (graph, merged) = builder.build_noting()?;
            dataset.push(graph, merged);
        }
        let of_kept = |column: Vec<f64>| kept.iter().map(|&graph| column[graph]).collect();
        dataset.attributes = attributes.map(|columns| columns.into_iter().map(of_kept).collect());
        dataset.classes = classes.map(|(classes, _)| kept.iter().map(|&graph| classes[graph]).collect());
        self.span.graphs += graphs;
        self.span.vertices += vertices.graph.len();
        self.is_over = is_last;
        Ok(dataset)
    }
}

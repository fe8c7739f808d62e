//! A graph as rows and columns, as far as a format has room for them: what GML, GraphML, JSON and edge lists share.

use std::borrow::Cow;

use rustc_hash::FxHashSet;

use super::losses::Losses;
use crate::graph::{Attribute, Graph, Labels, Values};

/// What a format can hold, and what it takes for something else.
#[derive(Clone, Copy)]
pub(super) struct Rules {
    /// Whether it can hold a text.
    pub(super) text: fn(&str) -> bool,
    /// How it writes the name of an attribute.
    pub(super) key: fn(&str) -> Cow<'_, str>,
    /// What the label of a vertex is called; nothing if it has no room for anything of vertices but names.
    pub(super) vertex_label: Option<&'static str>,
    /// Names that no attribute can have, because they place a vertex or an edge.
    pub(super) taken: [&'static [&'static str]; 2],
    /// Whether it takes an edge attribute for the weight, if there is none: by its name, and by whether every edge
    /// has a number there.
    pub(super) is_weight: fn(&str, bool) -> bool,
}

impl Rules {
    /// Those of formats that read records: see [`Records`](super::super::records::Records).
    pub(super) const RECORDS: Self = Self {
        text: |_| true,
        key: |name| name.into(),
        vertex_label: Some("label"),
        taken: [&[], &[]],
        is_weight: |key, is_number| is_number && matches!(key, "weight" | "value"),
    };
}

pub(super) enum Cell<'a> {
    Real(f64),
    Text(&'a str),
}

/// A value for each vertex or edge, or for some of them.
pub(super) struct Column<'a> {
    pub(super) key: Cow<'a, str>,
    cells: Cells<'a>,
}

#[derive(Clone, Copy)]
enum Cells<'a> {
    Labels(&'a Labels),
    Weights(&'a [f64]),
    Values(&'a Values),
}

impl<'a> Column<'a> {
    pub(super) fn cell(&self, row: usize) -> Option<Cell<'a>> {
        match self.cells {
            Cells::Labels(labels) => Some(Cell::Text(labels.name(row))),
            Cells::Weights(weights) => Some(Cell::Real(weights[row])),
            Cells::Values(Values::Real(values)) => values[row].map(Cell::Real),
            Cells::Values(Values::Text(values)) => values[row].as_deref().map(Cell::Text),
        }
    }

    fn len(&self) -> usize {
        match self.cells {
            Cells::Labels(labels) => labels.codes().len(),
            Cells::Weights(weights) => weights.len(),
            Cells::Values(values) => values.len(),
        }
    }

    fn cells(&self) -> impl Iterator<Item = Option<Cell<'a>>> + '_ {
        (0..self.len()).map(|row| self.cell(row))
    }

    pub(super) fn is_real(&self) -> bool {
        !matches!(self.cells, Cells::Labels(_) | Cells::Values(Values::Text(_)))
    }

    pub(super) fn is_label(&self) -> bool {
        matches!(self.cells, Cells::Labels(_))
    }

    /// Whether all values are whole numbers that an integer of 64 bits holds.
    pub(super) fn is_whole(&self) -> bool {
        self.is_real()
            && self
                .cells()
                .flatten()
                .all(|cell| matches!(cell, Cell::Real(x) if x.fract() == 0.0 && x.abs() < 9e15))
    }
}

/// A graph as a format can hold it.
pub(super) struct Sheet<'a> {
    graph: &'a Graph,
    has_names: bool,
    pub(super) vertices: Vec<Column<'a>>,
    pub(super) edges: Vec<Column<'a>>,
}

impl<'a> Sheet<'a> {
    pub(super) fn new(graph: &'a Graph, rules: Rules, losses: &mut Losses) -> Self {
        let has_names = graph.has_names() && can_name(graph, rules, losses);
        let mut picked = Picked { rules, kind: "vertex", takes_weight: false, columns: Vec::new() };
        if let Some(key) = rules.vertex_label {
            picked.labels(key, graph.vertex_labels(), losses);
            picked.attributes(key, graph.vertex_attributes(), losses);
        }
        let vertices = picked.columns;
        let weights =
            graph.weights().map(|weights| Column { key: "weight".into(), cells: Cells::Weights(weights) });
        let columns: Vec<_> = weights.into_iter().collect();
        let mut picked = Picked { rules, kind: "edge", takes_weight: columns.is_empty(), columns };
        picked.labels("label", graph.edge_labels(), losses);
        picked.attributes("label", graph.edge_attributes(), losses);
        Self { graph, has_names, vertices, edges: picked.columns }
    }

    /// What a vertex is called: its number, if there are no names or the format cannot hold them.
    pub(super) fn name(&self, vertex: usize) -> Cow<'a, str> {
        if self.has_names { self.graph.name(vertex) } else { vertex.to_string().into() }
    }
}

/// Whether every vertex is called by an integer, written as integers are.
pub(super) fn has_integer_names(graph: &Graph) -> bool {
    let is_integer = |name: &str| name.parse().is_ok_and(|integer: i64| integer.to_string() == name);
    !graph.has_names() || (0..graph.order()).all(|v| is_integer(&graph.name(v)))
}

/// Whether the names can be written and are all different.
fn can_name(graph: &Graph, rules: Rules, losses: &mut Losses) -> bool {
    let mut seen = FxHashSet::default();
    let names = || (0..graph.order()).map(|v| graph.name(v));
    let why = if !names().all(|name| (rules.text)(&name)) {
        format!("one cannot be written in {}", losses.format())
    } else if !names().all(|name| seen.insert(name)) {
        "two are the same".to_owned()
    } else {
        return true;
    };
    losses.lose("vertex names", &why);
    false
}

/// The columns that were found to fit.
struct Picked<'a> {
    rules: Rules,
    kind: &'static str,
    /// Whether the format may take an attribute for the weight, because there is none.
    takes_weight: bool,
    columns: Vec<Column<'a>>,
}

impl<'a> Picked<'a> {
    fn has(&self, key: &str) -> bool {
        self.columns.iter().any(|column| column.key == key)
    }

    fn can_write(&self, column: &Column<'a>) -> bool {
        column.cells().flatten().all(|cell| match cell {
            Cell::Real(_) => true,
            Cell::Text(text) => (self.rules.text)(text),
        })
    }

    fn labels(&mut self, key: &'static str, labels: Option<&'a Labels>, losses: &mut Losses) {
        let Some(labels) = labels else { return };
        let column = Column { key: key.into(), cells: Cells::Labels(labels) };
        if self.can_write(&column) {
            self.columns.push(column);
        } else {
            losses.lose(
                &format!("{} labels", self.kind),
                &format!("one cannot be written in {}", losses.format()),
            );
        }
    }

    /// Picks attributes, unless they would be taken for something else. `label` is what labels are called.
    fn attributes(&mut self, label: &str, attributes: &'a [Attribute], losses: &mut Losses) {
        let taken = self.rules.taken[usize::from(self.kind == "edge")];
        for attribute in attributes {
            let key = (self.rules.key)(attribute.name());
            let column = Column { key, cells: Cells::Values(attribute.values()) };
            let key = &*column.key;
            let is_complete = column.len() > 0 && column.cells().all(|cell| cell.is_some());
            let is_weight = (self.rules.is_weight)(key, is_complete && column.is_real());
            let why = if column.len() > 0 && column.cells().all(|cell| cell.is_none()) {
                "it has no value".to_owned()
            } else if taken.contains(&key) || self.has(key) {
                format!("something else is called {key:?} in {}", losses.format())
            } else if key == label && is_complete || is_weight && self.takes_weight {
                format!("it would be taken for a label or weight in {}", losses.format())
            } else if !(self.rules.text)(key) && !key.is_empty() || !self.can_write(&column) {
                format!("it cannot be written in {}", losses.format())
            } else {
                if key != attribute.name() {
                    losses.note(format!("{} attribute {:?} is called {key:?}", self.kind, attribute.name()));
                }
                self.columns.push(column);
                continue;
            };
            losses.lose(&format!("{} attribute {:?}", self.kind, attribute.name()), &why);
        }
    }
}

//! A graph told as records: vertices with an id, edges between ids, and attributes of both.

use std::borrow::Cow;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Dataset;
use super::columns::Columns;
use super::text::{Text, shown};
use crate::graph::{About, GraphBuilder, Labels};
use crate::{Error, Result};

/// Collects the records of one graph, in any order, and builds it.
#[derive(Default)]
pub(super) struct Records<'a> {
    numbers: FxHashMap<Cow<'a, str>, u32>,
    /// The ids in the order in which they were met, each with where that was and its place among the vertices.
    met: Vec<Met<'a>>,
    declared: u32,
    edges: Vec<(u32, u32)>,
    /// Attributes of the vertices, begun by [`Records::vertex`].
    pub(super) vertices: Columns,
    /// Attributes of the edges, begun by [`Records::edge`].
    pub(super) links: Columns,
}

struct Met<'a> {
    id: Cow<'a, str>,
    line: usize,
    place: Option<u32>,
}

/// What a vertex attribute called `label` is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LabelRule {
    /// The vertex's name, if no two are equal; else its label.
    NameIfUnique,
    /// Its label.
    Label,
}

impl<'a> Records<'a> {
    fn number(&mut self, id: Cow<'a, str>, line: usize) -> u32 {
        let next = self.met.len() as u32;
        let number = *self.numbers.entry(id.clone()).or_insert(next);
        if number == next {
            self.met.push(Met { id, line, place: None });
        }
        number
    }

    /// Declares a vertex.
    pub(super) fn vertex(&mut self, text: &Text, line: usize, id: Cow<'a, str>) -> Result<()> {
        let number = self.number(id, line);
        let met = &mut self.met[number as usize];
        if met.place.is_some() {
            return Err(text.error(line, format!("there is a vertex {} already", shown(met.id.as_bytes()))));
        }
        met.place = Some(self.declared);
        self.declared += 1;
        self.vertices.begin();
        Ok(())
    }

    /// Lists an edge; its ends may be declared later.
    pub(super) fn edge(&mut self, line: usize, source: Cow<'a, str>, target: Cow<'a, str>) {
        let ends = (self.number(source, line), self.number(target, line));
        self.edges.push(ends);
        self.links.begin();
    }

    /// Builds the graph.
    pub(super) fn finish(
        mut self,
        text: &Text,
        directed: bool,
        rule: LabelRule,
        notes: Vec<String>,
    ) -> Result<Dataset> {
        let mut ids = vec![Cow::Borrowed(""); self.declared as usize];
        let mut places = Vec::with_capacity(self.met.len());
        for met in self.met {
            let Some(place) = met.place else { return Err(undeclared(text, met.line, &met.id)) };
            places.push(place);
            ids[place as usize] = met.id;
        }
        let place = |number: u32| places[number as usize];
        let listed = self.edges.iter().map(|&(u, v)| (place(u), place(v))).collect();

        let mut about = About::default();
        let labels = self.vertices.take_texts("label");
        match labels {
            Some(labels) if rule == LabelRule::NameIfUnique && all_differ(&labels) => {
                about.names = Some(labels.iter().collect());
            }
            Some(labels) => about.vertex_labels = Some(Labels::from_names(labels)),
            None => {}
        }
        about.names.get_or_insert_with(|| ids.iter().collect());
        about.edge_labels = self.links.take_texts("label").map(Labels::from_names);
        about.weights = self.links.take_reals("weight").or_else(|| self.links.take_reals("value"));
        about.vertex_attributes = self.vertices.into_attributes();
        about.edge_attributes = self.links.into_attributes();
        let builder = GraphBuilder::from_listing(directed, ids.len(), listed, about);
        Dataset::single(text.path(), builder, notes)
    }
}

fn undeclared(text: &Text, line: usize, id: &str) -> Error {
    text.error(line, format!("the edge ends at {}, which is no vertex of the graph", shown(id.as_bytes())))
}

fn all_differ(names: &[String]) -> bool {
    let mut seen = FxHashSet::default();
    names.iter().all(|name| seen.insert(name))
}

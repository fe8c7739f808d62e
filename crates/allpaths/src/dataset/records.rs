//! A graph told as records: vertices with an id, edges between ids, and attributes of both.

use super::Reader;
use super::columns::Columns;
use super::ids::Ids;
use super::text::{Text, shown};
use crate::graph::{About, GraphBuilder, Labels};
use crate::{Error, Result};

/// Collects the records of one graph, in any order, and builds it; then those of the next.
///
/// A record begins in [`Records::vertices`] or [`Records::links`], gets its attributes there, and is placed by
/// [`Records::vertex`] or [`Records::edge`].
pub(super) struct Records<'a> {
    text: &'a Text,
    ids: Ids,
    /// By number of the id.
    met: Vec<Met>,
    declared: u32,
    edges: Vec<(u32, u32)>,
    /// Attributes of the vertices.
    pub(super) vertices: Columns<'a>,
    /// Attributes of the edges.
    pub(super) links: Columns<'a>,
}

/// Where an id was met first, and its place among the vertices once it is declared.
struct Met {
    at: usize,
    place: Option<u32>,
}

/// What a vertex attribute called `label` is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LabelRule {
    /// The vertex's name, if no two are equal, and then its label is in `vertex_label`; else its label.
    NameIfUnique,
    /// Its label.
    Label,
}

impl<'a> Records<'a> {
    pub(super) fn new(text: &'a Text, reader: &Reader) -> Self {
        Self {
            text,
            ids: Ids::of(text),
            met: Vec::new(),
            declared: 0,
            edges: Vec::new(),
            vertices: Columns::new(text, reader),
            links: Columns::new(text, reader),
        }
    }

    #[inline]
    fn number(&mut self, at: usize, id: &str) -> u32 {
        self.ids.get(id.as_bytes()).unwrap_or_else(|| {
            self.met.push(Met { at, place: None });
            self.ids.add(id)
        })
    }

    /// Places the vertex begun last; `at` is where to point if that is wrong.
    pub(super) fn vertex(&mut self, at: usize, id: &str) -> Result<()> {
        let number = self.number(at, id);
        let met = &mut self.met[number as usize];
        if met.place.is_some() {
            let reason = format!("there is a vertex {} already", shown(id.as_bytes()));
            return Err(self.text.error_at(at, reason));
        }
        met.place = Some(self.declared);
        self.declared += 1;
        Ok(())
    }

    /// Places the edge begun last; its ends may be declared later.
    pub(super) fn edge(&mut self, at: usize, source: &str, target: &str) {
        let ends = (self.number(at, source), self.number(at, target));
        self.edges.push(ends);
    }

    /// The graph, ready to be built, and notes on what was not taken.
    pub(super) fn finish(
        &mut self,
        directed: bool,
        rule: LabelRule,
        notes: &mut Vec<String>,
    ) -> Result<GraphBuilder> {
        let names = self.ids.names();
        let mut places = Vec::with_capacity(self.met.len());
        // The number of the id at each place.
        let mut numbers = vec![0; self.declared as usize];
        for (number, met) in self.met.iter().enumerate() {
            let place = met.place.ok_or_else(|| undeclared(self.text, met.at, names.get(number)))?;
            places.push(place);
            numbers[place as usize] = number;
        }
        self.vertices.check(self.text, notes)?;
        self.links.check(self.text, notes)?;
        let place = |number: u32| places[number as usize];
        let listed = self.edges.iter().map(|&(u, v)| (place(u), place(v))).collect();

        let mut about = About::default();
        let mut labels = "label";
        if rule == LabelRule::NameIfUnique && self.vertices.all_differ(labels) {
            about.names = self.vertices.take_texts(labels).map(Iterator::collect);
            labels = "vertex_label";
        }
        about.vertex_labels = self.vertices.take_texts(labels).map(Labels::from_names);
        about.names.get_or_insert_with(|| numbers.iter().map(|&number| names.get(number)).collect());
        about.edge_labels = self.links.take_texts("label").map(Labels::from_names);
        about.weights = self.links.take_reals("weight").or_else(|| self.links.take_reals("value"));
        about.vertex_attributes = self.vertices.take_attributes();
        about.edge_attributes = self.links.take_attributes();
        self.ids.clear();
        self.met.clear();
        self.declared = 0;
        self.edges.clear();
        Ok(GraphBuilder::from_listing(directed, numbers.len(), listed, about))
    }
}

fn undeclared(text: &Text, at: usize, id: &str) -> Error {
    text.error_at(at, format!("the edge ends at {}, which is no vertex of the graph", shown(id.as_bytes())))
}

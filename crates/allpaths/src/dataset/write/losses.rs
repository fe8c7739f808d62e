//! What a format has no room for.

use super::super::format::Content;
use super::super::{Dataset, Format, Question, is_table_column};
use crate::graph::Graph;
use crate::{Error, Result};

/// Collects what is lost, each thing once, in the order in which it was found.
pub(super) struct Losses {
    format: Format,
    notes: Vec<String>,
    counts: Vec<Counted>,
}

/// Things that are lost one by one, over all graphs.
struct Counted {
    things: [&'static str; 2],
    why: String,
    count: usize,
}

impl Losses {
    /// Begins with what the format has no room for at all. Refuses several graphs for a format of one.
    pub(super) fn new(dataset: &Dataset, format: Format) -> Result<Self> {
        let mut losses = Self { format, notes: Vec::new(), counts: Vec::new() };
        let count = dataset.graphs().len();
        if count != 1 && !format.holds_many() {
            let many: Vec<String> = Format::ALL
                .iter()
                .filter(|other| other.holds_many() && !other.is_of_molecules())
                .map(ToString::to_string)
                .collect();
            return Err(Error::settings(format!(
                "the dataset has {count} graphs, a file in {format} holds one; several fit in {}",
                many.join(", ")
            )));
        }
        let any = |has: fn(&Graph) -> bool| dataset.graphs().iter().any(has);
        for (content, is_there) in [
            (Content::Classes, dataset.classes().is_some()),
            (Content::GraphAttributes, dataset.attributes().is_some()),
            (Content::Properties, !dataset.properties().is_empty()),
            (Content::Question, dataset.question() != Question::default()),
            (Content::Names, any(Graph::has_names)),
            (Content::VertexLabels, any(|graph| graph.vertex_labels().is_some())),
            (Content::EdgeLabels, any(|graph| graph.edge_labels().is_some())),
            (Content::Weights, any(|graph| graph.weights().is_some())),
            (Content::VertexAttributes, any(|graph| !graph.vertex_attributes().is_empty())),
            (Content::EdgeAttributes, any(|graph| !graph.edge_attributes().is_empty())),
        ] {
            if is_there && !format.holds(content) {
                losses.lose(&content.to_string(), &format!("no room in {format}"));
            }
        }
        if matches!(format, Format::Parquet | Format::Arrow) {
            for known in dataset.properties().iter().filter(|known| is_table_column(known.name())) {
                losses.lose(
                    &format!("the property {:?}", known.name()),
                    "tables of graphs have a column of that name",
                );
            }
        }
        if any(Graph::is_directed) {
            match format {
                Format::Sparse6 => losses.lose("directions of edges", "no room in sparse6"),
                Format::Tu | Format::EdgeList | Format::Dimacs => {
                    losses.note(format!(
                        "that edges have a direction is not said in {format}: read it as directed"
                    ));
                }
                _ => {}
            }
        }
        Ok(losses)
    }

    pub(super) fn format(&self) -> Format {
        self.format
    }

    pub(super) fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Notes that something is lost, and why.
    pub(super) fn lose(&mut self, what: &str, why: &str) {
        self.note(format!("loses {what}: {why}"));
    }

    /// Notes that so many things are lost. They are called differently when it is one and when they are more.
    pub(super) fn lose_some(&mut self, count: usize, things: [&'static str; 2], why: &str) {
        match self.counts.iter_mut().find(|counted| counted.things == things) {
            Some(counted) => counted.count += count,
            None => self.counts.push(Counted { things, why: why.to_owned(), count }),
        }
    }

    /// Notes that the names are lost, unless they are the numbers from 1 that the format gives.
    pub(super) fn lose_names_but_numbers(&mut self, graph: &Graph) {
        if graph.has_names() && (0..graph.order()).any(|v| graph.name(v) != (v + 1).to_string()) {
            let why = format!("vertices are numbered from 1 in {}", self.format);
            self.lose("vertex names", &why);
        }
    }

    pub(super) fn into_notes(mut self) -> Vec<String> {
        for Counted { things: [one, many], why, count } in std::mem::take(&mut self.counts) {
            match count {
                0 => {}
                1 => self.lose(&format!("1 {one}"), &why),
                _ => self.lose(&format!("{count} {many}"), &why),
            }
        }
        self.notes
    }
}

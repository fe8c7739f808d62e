//! Whether a file holds a dataset, except for what the notes say it does not.

use std::collections::BTreeMap;

use allpaths::dataset::{Format, Reader, Writer};
use allpaths::graph::{Attribute, Labels, Values};
use allpaths::{Dataset, Graph};

/// Writes and reads again, and checks that all that changed was noted. Gives back what was read, or nothing where the
/// format refuses several graphs.
pub(crate) fn there_and_back(data: &Dataset, name: &str) -> Result<Option<Dataset>, String> {
    let Ok((bytes, lost)) = Writer::new().bytes(data, name) else { return Ok(None) };
    let mut reader = Reader::new();
    if lost.iter().any(|note| note.starts_with("that edges have a direction is not said")) {
        reader = reader.directed(true);
    }
    let shown = || format!("{name}: {lost:#?}\n{}", String::from_utf8_lossy(&bytes));
    let again = reader.read_bytes(name, bytes.clone()).map_err(|error| format!("{error}\n{}", shown()))?;
    match Comparison::new(name, &lost).datasets(data, &again) {
        Ok(()) => Ok(Some(again)),
        Err(difference) => Err(format!("{difference}\n{}", shown())),
    }
}

struct Comparison<'a> {
    format: Format,
    lost: &'a [String],
}

impl<'a> Comparison<'a> {
    fn new(name: &str, lost: &'a [String]) -> Self {
        Self { format: Format::of_name(name).expect("a name that tells the format"), lost }
    }

    fn says(&self, start: &str) -> bool {
        self.lost.iter().any(|note| note.starts_with(start))
    }

    fn loses(&self, what: &str) -> bool {
        self.says(&format!("loses {what}:"))
    }

    /// Whether some of a kind are lost, however many.
    fn loses_some(&self, what: &str) -> bool {
        self.lost.iter().any(|note| note.starts_with("loses ") && note.contains(what))
    }

    fn datasets(&self, old: &Dataset, new: &Dataset) -> Result<(), String> {
        check("classes", old.classes() == new.classes() || self.loses("classes"))?;
        check("questions", old.question() == new.question() || self.loses("the question"))?;
        let count = old.graphs().len();
        check("numbers of graphs", count == new.graphs().len() || self.loses_some("empty graph"))?;
        // A file that does not say which edges have a direction is read with all of one kind.
        let all_directed = self.says("that edges have a direction is not said");
        let pairs = old.graphs().iter().zip(new.graphs());
        pairs
            .filter(|(old, _)| old.is_directed() || !all_directed)
            .try_for_each(|(old, new)| self.graphs(old, new))
    }

    fn graphs(&self, old: &Graph, new: &Graph) -> Result<(), String> {
        let directions_lost = self.loses("directions of edges");
        check("directions", old.is_directed() == new.is_directed() || directions_lost)?;
        check("numbers of vertices", old.order() == new.order() || self.loses_some("isolated vert"))?;
        // Vertices that moved are known by their names.
        let moved = self.loses_some("isolated vert") || self.loses("the order of the vertices");
        let names_lost = self.loses("vertex names");
        if !moved {
            let numbers_from_1 = matches!(self.format, Format::Dimacs | Format::MatrixMarket);
            let is_number =
                |v: usize| numbers_from_1 && !old.has_names() && new.name(v) == (v + 1).to_string();
            let is_same = |v: usize| old.name(v) == new.name(v) || is_number(v);
            check("vertex names", names_lost || (0..old.order()).all(is_same))?;
            let is_same = named(old.vertex_labels()) == named(new.vertex_labels());
            check("vertex labels", is_same || self.loses("vertex labels"))?;
            self.attributes("vertex", old.vertex_attributes(), new.vertex_attributes())?;
        }
        let directed = old.is_directed() && !directions_lost;
        let old_name = |v: usize| if moved && !names_lost { old.name(v).into_owned() } else { v.to_string() };
        let new_name = |v: usize| if moved { new.name(v).into_owned() } else { v.to_string() };
        let mut before = self.edges(old, directed, old_name);
        let after = self.edges(new, directed, new_name);
        if self.loses_some("self-loop") && !old.is_directed() {
            before.retain(|(u, v), _| u != v);
        }
        if self.loses_some("of weight 0") {
            before.retain(|_, edge| edge.weight != Some(0.0));
        }
        if before != after {
            return Err(format!("edges differ: {before:?} became {after:?}"));
        }
        self.attributes("edge", old.edge_attributes(), new.edge_attributes())
    }

    /// The edges by their ends, with label and weight where those are kept.
    fn edges(
        &self,
        graph: &Graph,
        directed: bool,
        name: impl Fn(usize) -> String,
    ) -> BTreeMap<(String, String), Edge> {
        let has_labels = !self.loses("edge labels");
        let has_weights = !self.loses("weights") && !self.says("weights become");
        let mut edges = BTreeMap::new();
        for (i, (u, v)) in graph.edges().enumerate() {
            let (u, v) = (name(u), name(v));
            let edge = Edge {
                label: graph.edge_labels().filter(|_| has_labels).map(|labels| labels.name(i).to_owned()),
                weight: graph.weights().filter(|_| has_weights).map(|weights| weights[i]),
            };
            edges.entry(if directed || u < v { (u, v) } else { (v, u) }).or_insert(edge);
        }
        edges
    }

    fn attributes(&self, kind: &str, old: &[Attribute], new: &[Attribute]) -> Result<(), String> {
        if self.loses(&format!("{kind} attributes")) || self.loses(&format!("names of {kind} attributes")) {
            return Ok(());
        }
        for attribute in old.iter().filter(|attribute| !attribute.values().is_empty()) {
            let known = format!("{kind} attribute {:?}", attribute.name());
            let name = format!("{:?}", attribute.name());
            let called = format!("{known} is called ");
            let called = self.lost.iter().find_map(|note| note.strip_prefix(&called)).unwrap_or(&name);
            let is_number = self.says(&format!("{known} is text that reads as numbers"));
            let is_same = |other: &Attribute| {
                format!("{:?}", other.name()) == called
                    && is_same_values(attribute.values(), other.values(), is_number)
            };
            check(&known, new.iter().any(is_same) || self.loses(&known))?;
        }
        Ok(())
    }
}

#[derive(Debug, PartialEq)]
struct Edge {
    label: Option<String>,
    weight: Option<f64>,
}

fn check(what: &str, is_same: bool) -> Result<(), String> {
    if is_same { Ok(()) } else { Err(format!("{what}: not the same")) }
}

/// Labels by name; none if there is nothing to label.
fn named(labels: Option<&Labels>) -> Option<Vec<&str>> {
    let names = labels.map(|labels| (0..labels.codes().len()).map(|i| labels.name(i)).collect::<Vec<_>>());
    names.filter(|names| !names.is_empty())
}

fn is_same_values(old: &Values, new: &Values, is_number: bool) -> bool {
    match (old, new) {
        (Values::Text(old), Values::Real(new)) if is_number => {
            let number = |text: &Option<String>| text.as_ref().and_then(|text| text.parse::<f64>().ok());
            old.iter().map(number).collect::<Vec<_>>() == *new
        }
        _ => old == new,
    }
}

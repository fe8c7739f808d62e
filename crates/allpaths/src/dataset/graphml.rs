//! GraphML: graphs as XML.
//!
//! ```xml
//! <graphml xmlns="http://graphml.graphdrawing.org/xmlns">
//!   <key id="d0" for="node" attr.name="label" attr.type="string"><default>C</default></key>
//!   <key id="d1" for="edge" attr.name="weight" attr.type="double"/>
//!   <graph edgedefault="undirected">
//!     <node id="n0"/>
//!     <node id="n1"><data key="d0">O</data></node>
//!     <edge source="n0" target="n1"><data key="d1">0.5</data></edge>
//!   </graph>
//! </graphml>
//! ```
//!
//! - A file may hold several graphs. Vertices are called by their `id`.
//! - A key's `attr.name` is the name of an attribute and its `attr.type` says whether it is a number; without a type
//!   it is text. A vertex's `label` is its label, an edge's `label` its label and its `weight` (or `value`) its
//!   weight, if every one has it. The `id` of an edge is an attribute of it.
//! - Edges have a direction if `edgedefault` says so; an edge that says otherwise is an error, because a graph holds
//!   edges of one kind, and so are hyperedges and graphs inside a node. Ports, the data of graphs, and elements
//!   inside data (as yEd draws with) are not read.

use std::borrow::Cow;

use super::columns::{Columns, Value};
use super::records::{LabelRule, Records};
use super::text::{Text, shown};
use super::xml::{Tag, Xml};
use super::{Dataset, OnError, Reader};
use crate::graph::Graph;
use crate::{Error, Result};

pub(super) fn read(text: &Text, reader: &Reader) -> Result<Dataset> {
    let mut file = File { text, reader, xml: Xml::new(text)?, keys: Vec::new(), unread: Vec::new() };
    let mut dataset = Dataset::of_file(text);
    let mut records = Records::new(text, reader);
    let mut met = 0;
    let root = file.xml.root()?;
    if root.name() != "graphml" {
        return Err(text.error_at(root.at, format!("expected <graphml>, found <{}>", root.name())));
    }
    while let Some(tag) = file.xml.child(&root)? {
        match tag.name() {
            "key" => file.read_key(&tag)?,
            "graph" => {
                let notes = dataset.notes.len();
                if let Err(error) = file.read_graph(&tag, &mut records, &mut dataset) {
                    dataset.notes.truncate(notes);
                    records = Records::new(text, reader);
                    // From its beginning to its end by tags alone: where those are wrong, so is the file.
                    file.xml.go_back(&tag);
                    if reader.on_error == OnError::Fail || file.xml.skip(&tag).is_err() {
                        return Err(error);
                    }
                    number_fault(&mut dataset, met, error, reader.on_error)?;
                }
                met += 1;
            }
            _ => file.pass(&tag)?,
        }
    }
    dataset.note_if_empty();
    if !file.unread.is_empty() {
        dataset.notes.push(format!("elements not read: {}", file.unread.join(", ")));
    }
    dataset.share_alphabets();
    Ok(dataset)
}

/// Notes a graph that cannot be read, by its number from 1 and the line that is wrong.
fn number_fault(dataset: &mut Dataset, met: usize, error: Error, what: OnError) -> Result<()> {
    let reason = error.to_string();
    dataset.note_fault(&format!("graph {}", met + 1), &reason, error, what)?;
    if what == OnError::Empty {
        dataset.graphs.push(Graph::from_edges(0, [])?);
    }
    Ok(())
}

struct File<'a> {
    text: &'a Text,
    reader: &'a Reader,
    xml: Xml<'a>,
    keys: Vec<Key<'a>>,
    /// Names of elements that were passed over, each once, and not endlessly many.
    unread: Vec<&'a str>,
}

/// What data under a key is.
struct Key<'a> {
    id: Cow<'a, str>,
    /// Nothing if it names no attribute: then its data is not read.
    name: Option<Cow<'a, str>>,
    is_number: bool,
    of_vertices: bool,
    of_edges: bool,
    default: Option<Value<'a>>,
}

impl<'a> File<'a> {
    /// Passes over an element that means nothing here, and remembers to say so.
    fn pass(&mut self, tag: &Tag<'a>) -> Result<()> {
        if tag.name() != "desc" {
            self.leave(tag.name());
        }
        self.xml.skip(tag)
    }

    fn leave(&mut self, name: &'a str) {
        const MOST: usize = 8;
        if self.unread.len() <= MOST && !self.unread.contains(&name) {
            self.unread.push(if self.unread.len() < MOST { name } else { "..." });
        }
    }

    fn read_key(&mut self, tag: &Tag<'a>) -> Result<()> {
        let [id, name, kind, domain] = self.xml.values(["id", "attr.name", "attr.type", "for"])?;
        let Some(id) = id else {
            return Err(self.text.error_at(tag.at, "expected an id in each key, found none"));
        };
        let is_number = match kind.as_deref() {
            Some("int" | "long" | "float" | "double") => true,
            None | Some("string" | "boolean") => false,
            Some(other) => {
                let expected = "attr.type boolean, int, long, float, double or string";
                let reason = format!("expected {expected}, found {}", shown(other.as_bytes()));
                return Err(self.text.error_at(tag.at, reason));
            }
        };
        let domain = domain.as_deref().unwrap_or("all");
        let mut key = Key {
            id,
            name,
            is_number,
            of_vertices: matches!(domain, "node" | "all"),
            of_edges: matches!(domain, "edge" | "all"),
            default: None,
        };
        while let Some(child) = self.xml.child(tag)? {
            if child.name() == "default" {
                let (value, nested) = self.xml.content(&child)?;
                if let Some(name) = nested {
                    self.leave(name);
                }
                key.default = Some(self.value(&key, child.at, value)?);
            } else {
                self.pass(&child)?;
            }
        }
        self.keys.push(key);
        Ok(())
    }

    fn value(&self, key: &Key<'a>, at: usize, text: Cow<'a, str>) -> Result<Value<'a>> {
        if !key.is_number {
            return Ok(Value::Text(text));
        }
        match Value::number(text.trim_ascii()) {
            Some(Value::Real(x)) => Ok(Value::Real(x)),
            Some(Value::Text(digits)) => Ok(Value::Text(digits.into_owned().into())),
            None => {
                let name = shown(key.name.as_ref().unwrap_or(&key.id).as_bytes());
                let reason = format!("expected a finite number as {name}, found {}", shown(text.as_bytes()));
                Err(self.text.error_at(at, reason))
            }
        }
    }

    fn read_graph(
        &mut self,
        graph: &Tag<'a>,
        records: &mut Records<'a>,
        dataset: &mut Dataset,
    ) -> Result<()> {
        let [edgedefault] = self.xml.values(["edgedefault"])?;
        let says_directed = match edgedefault.as_deref() {
            Some("directed") => true,
            None | Some("undirected") => false,
            Some(other) => {
                let found = shown(other.as_bytes());
                let reason = format!("expected edgedefault directed or undirected, found {found}");
                return Err(self.text.error_at(graph.at, reason));
            }
        };
        while let Some(tag) = self.xml.child(graph)? {
            match tag.name() {
                "node" => {
                    let [id] = self.xml.values(["id"])?;
                    let Some(id) = id else {
                        return Err(self.text.error_at(tag.at, "expected an id in each node, found none"));
                    };
                    records.vertices.begin();
                    records.vertex(tag.at, &id)?;
                    self.read_data(&tag, &mut records.vertices)?;
                }
                "edge" => self.read_edge(&tag, says_directed, records)?,
                "hyperedge" => {
                    return Err(self
                        .text
                        .error_at(tag.at, "expected edges between two vertices, found a hyperedge"));
                }
                "data" => self.xml.skip(&tag)?,
                _ => self.pass(&tag)?,
            }
        }
        for key in &self.keys {
            let (Some(name), Some(default)) = (&key.name, &key.default) else { continue };
            let domains = [(key.of_vertices, &mut records.vertices), (key.of_edges, &mut records.links)];
            for (_, columns) in domains.into_iter().filter(|(of_these, _)| *of_these) {
                let bytes = if let Value::Text(text) = default { text.len() } else { 0 };
                if columns.gaps(name).saturating_mul(bytes + 16) > self.reader.room(1) {
                    return Err(self
                        .text
                        .whole_error("the default of a key takes too much memory")
                        .past_limit());
                }
                columns.fill(name.clone(), default);
            }
        }
        let directed = self.reader.directed.unwrap_or(says_directed);
        let builder = records.finish(directed, LabelRule::Label, &mut dataset.notes)?;
        dataset.build(self.text, builder)
    }

    fn read_edge(&mut self, tag: &Tag<'a>, says_directed: bool, records: &mut Records<'a>) -> Result<()> {
        let [source, target, directed, id, from, to] =
            self.xml.values(["source", "target", "directed", "id", "sourceport", "targetport"])?;
        let (Some(source), Some(target)) = (source, target) else {
            let reason = "expected a source and a target in each edge, found one missing";
            return Err(self.text.error_at(tag.at, reason));
        };
        let directed = directed.map(|directed| matches!(&*directed, "true" | "1"));
        if self.reader.directed.is_none() && directed.is_some_and(|directed| directed != says_directed) {
            let (edges, edge) =
                if says_directed { ("directed", "undirected") } else { ("undirected", "directed") };
            let reason = format!(
                "expected {edges} edges only, found an edge that is {edge}: say how to take all of them"
            );
            return Err(self.text.error_at(tag.at, reason));
        }
        if from.is_some() || to.is_some() {
            self.leave("port");
        }
        records.links.begin();
        records.edge(tag.at, &source, &target);
        if let Some(id) = id {
            records.links.set("id", Value::Text(id));
        }
        self.read_data(tag, &mut records.links)
    }

    /// Reads what a node or an edge holds.
    fn read_data(&mut self, parent: &Tag<'a>, columns: &mut Columns<'a>) -> Result<()> {
        while let Some(tag) = self.xml.child(parent)? {
            match tag.name() {
                "data" => {
                    let [id] = self.xml.values(["key"])?;
                    let (text, nested) = self.xml.content(&tag)?;
                    let Some(key) = self.keys.iter().find(|key| Some(&key.id) == id.as_ref()) else {
                        let found = id.map_or_else(|| "none".into(), |id| shown(id.as_bytes()));
                        let reason = format!("expected the id of a key above the graph, found {found}");
                        return Err(self.text.error_at(tag.at, reason));
                    };
                    match (&key.name, nested) {
                        (Some(name), None) => columns.set(name.clone(), self.value(key, tag.at, text)?),
                        (_, nested) => self.leave(nested.unwrap_or("data")),
                    }
                }
                "graph" => {
                    return Err(self
                        .text
                        .error_at(tag.at, "expected graphs side by side, found one inside a node"));
                }
                _ => self.pass(&tag)?,
            }
        }
        Ok(())
    }
}

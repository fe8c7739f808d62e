//! GraphML: one `<graph>` for each graph, one `<key>` for each attribute that any of them has.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};

use super::losses::Losses;
use super::sheet::{Cell, Column, Rules, Sheet};
use super::{Graph, Number};

pub(super) fn write(out: &mut dyn Write, graphs: &[Graph], losses: &mut Losses) -> io::Result<()> {
    let rules = Rules { text: is_xml, ..Rules::RECORDS };
    let sheets: Vec<Sheet<'_>> = graphs.iter().map(|graph| Sheet::new(graph, rules, losses)).collect();
    let mut keys = Keys(Vec::new());
    for sheet in &sheets {
        sheet.vertices.iter().for_each(|column| keys.add("node", column));
        sheet.edges.iter().for_each(|column| keys.add("edge", column));
    }
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">")?;
    for (i, key) in keys.0.iter().enumerate() {
        let (domain, name, kind) = (key.domain, Escaped(&key.name), key.kind);
        writeln!(out, "  <key id=\"d{i}\" for=\"{domain}\" attr.name=\"{name}\" attr.type=\"{kind}\"/>")?;
    }
    for (i, (graph, sheet)) in graphs.iter().zip(&sheets).enumerate() {
        let direction = if graph.is_directed() { "directed" } else { "undirected" };
        writeln!(out, "  <graph id=\"G{i}\" edgedefault=\"{direction}\">")?;
        let places = keys.places("node", &sheet.vertices);
        for v in 0..graph.order() {
            write!(out, "    <node id=\"{}\"", Escaped(&sheet.name(v)))?;
            write_cells(out, "node", &sheet.vertices, &places, v)?;
        }
        let places = keys.places("edge", &sheet.edges);
        for (i, (u, v)) in graph.edges().enumerate() {
            let [u, v] = [u, v].map(|end| sheet.name(end));
            write!(out, "    <edge source=\"{}\" target=\"{}\"", Escaped(&u), Escaped(&v))?;
            write_cells(out, "edge", &sheet.edges, &places, i)?;
        }
        writeln!(out, "  </graph>")?;
    }
    writeln!(out, "</graphml>")
}

/// The attributes of all graphs: those of the same name and type are one.
struct Keys<'a>(Vec<Key<'a>>);

struct Key<'a> {
    domain: &'static str,
    name: Cow<'a, str>,
    kind: &'static str,
}

impl<'a> Keys<'a> {
    fn place(&self, domain: &str, column: &Column<'_>) -> Option<usize> {
        let is_same = |key: &Key<'_>| {
            key.domain == domain && key.name == column.key && (key.kind == "string") != column.is_real()
        };
        self.0.iter().position(is_same)
    }

    fn add(&mut self, domain: &'static str, column: &Column<'a>) {
        let kind = match (column.is_real(), column.is_whole()) {
            (false, _) => "string",
            (_, true) => "long",
            _ => "double",
        };
        match self.place(domain, column) {
            None => self.0.push(Key { domain, name: column.key.clone(), kind }),
            Some(place) if kind == "double" => self.0[place].kind = kind,
            Some(_) => {}
        }
    }

    fn places(&self, domain: &str, columns: &[Column<'_>]) -> Vec<usize> {
        columns.iter().filter_map(|column| self.place(domain, column)).collect()
    }
}

/// Writes the data of a node or edge, and the end of it.
fn write_cells(
    out: &mut dyn Write,
    tag: &str,
    columns: &[Column<'_>],
    places: &[usize],
    row: usize,
) -> io::Result<()> {
    let mut is_empty = true;
    for (column, place) in columns.iter().zip(places) {
        let Some(cell) = column.cell(row) else { continue };
        let start = if is_empty { ">" } else { "" };
        match cell {
            Cell::Real(x) => write!(out, "{start}<data key=\"d{place}\">{}</data>", Number(x))?,
            Cell::Text(text) => write!(out, "{start}<data key=\"d{place}\">{}</data>", Escaped(text))?,
        }
        is_empty = false;
    }
    if is_empty { writeln!(out, "/>") } else { writeln!(out, "</{tag}>") }
}

/// Whether XML can hold a text: most control characters have no place in it.
fn is_xml(text: &str) -> bool {
    text.chars().all(
        |c| !matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}'),
    )
}

struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        for character in self.0.chars() {
            match character {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                // Readers turn these into blanks or other line ends.
                '\t' | '\n' | '\r' | '\u{85}' | '\u{2028}' => write!(f, "&#{};", u32::from(character))?,
                _ => f.write_char(character)?,
            }
        }
        Ok(())
    }
}

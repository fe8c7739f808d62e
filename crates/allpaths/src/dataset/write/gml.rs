//! Graph Modelling Language.
//!
//! Names are written as `label`, which readers take for names, and as `id` where they are integers; vertex labels as
//! `vertex_label`. Characters beyond ASCII are written as references, as the language asks.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};

use super::losses::Losses;
use super::sheet::{Cell, Column, Rules, Sheet, has_integer_names};
use super::{Graph, Number};

pub(super) fn write(out: &mut dyn Write, graph: &Graph, losses: &mut Losses) -> io::Result<()> {
    let rules = Rules {
        key,
        vertex_label: Some("vertex_label"),
        taken: [&["id", "label"], &["source", "target"]],
        ..Rules::RECORDS
    };
    let sheet = Sheet::new(graph, rules, losses);
    let is_integer = has_integer_names(graph);
    let id = |v: usize| if is_integer { sheet.name(v) } else { v.to_string().into() };
    writeln!(out, "graph [\n  directed {}", u8::from(graph.is_directed()))?;
    for v in 0..graph.order() {
        write!(out, "  node [ id {} label {}", id(v), Quoted(&sheet.name(v)))?;
        write_cells(out, &sheet.vertices, v)?;
    }
    for (i, (u, v)) in graph.edges().enumerate() {
        write!(out, "  edge [ source {} target {}", id(u), id(v))?;
        write_cells(out, &sheet.edges, i)?;
    }
    writeln!(out, "]")
}

fn write_cells(out: &mut dyn Write, columns: &[Column<'_>], row: usize) -> io::Result<()> {
    for column in columns {
        match column.cell(row) {
            Some(Cell::Real(x)) => write!(out, " {} {}", column.key, Number(x))?,
            Some(Cell::Text(text)) => write!(out, " {} {}", column.key, Quoted(text))?,
            None => {}
        }
    }
    writeln!(out, " ]")
}

/// A key: letters, digits and underscores, a letter first.
fn key(name: &str) -> Cow<'_, str> {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(fits) {
        return name.into();
    }
    let prefix = if name.starts_with(|c: char| c.is_ascii_alphabetic()) { "" } else { "attribute_" };
    prefix.chars().chain(name.chars().map(|c| if fits(c) { c } else { '_' })).collect()
}

struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        f.write_char('"')?;
        for character in self.0.chars() {
            match character {
                '"' => f.write_str("&quot;")?,
                '&' => f.write_str("&amp;")?,
                ' '..='~' | '\n' | '\t' => f.write_char(character)?,
                _ => write!(f, "&#{};", u32::from(character))?,
            }
        }
        f.write_char('"')
    }
}

//! JSON in the node-link form of networkx. Ids are numbers if all names are integers.

use std::fmt;
use std::io::{self, Write};

use super::losses::Losses;
use super::sheet::{Cell, Column, Rules, Sheet, has_integer_names};
use super::{Graph, Number};

pub(super) fn write(out: &mut dyn Write, graph: &Graph, losses: &mut Losses) -> io::Result<()> {
    let rules = Rules { taken: [&["id"], &["source", "target"]], ..Rules::RECORDS };
    let sheet = Sheet::new(graph, rules, losses);
    let is_integer = has_integer_names(graph);
    let id =
        |v: usize| if is_integer { sheet.name(v).into_owned() } else { Quoted(&sheet.name(v)).to_string() };
    writeln!(out, "{{")?;
    writeln!(out, "\"directed\": {}, \"multigraph\": false, \"graph\": {{}},", graph.is_directed())?;
    writeln!(out, "\"nodes\": [")?;
    for v in 0..graph.order() {
        write!(out, "{{\"id\": {}", id(v))?;
        write_cells(out, &sheet.vertices, v, v + 1 == graph.order())?;
    }
    writeln!(out, "],\n\"links\": [")?;
    for (i, (u, v)) in graph.edges().enumerate() {
        write!(out, "{{\"source\": {}, \"target\": {}", id(u), id(v))?;
        write_cells(out, &sheet.edges, i, i + 1 == graph.size())?;
    }
    writeln!(out, "]\n}}")
}

fn write_cells(out: &mut dyn Write, columns: &[Column<'_>], row: usize, is_last: bool) -> io::Result<()> {
    for column in columns {
        match column.cell(row) {
            Some(Cell::Real(x)) => write!(out, ", {}: {}", Quoted(&column.key), Number(x))?,
            Some(Cell::Text(text)) => write!(out, ", {}: {}", Quoted(&column.key), Quoted(text))?,
            None => {}
        }
    }
    writeln!(out, "}}{}", if is_last { "" } else { "," })
}

struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        f.write_char('"')?;
        for character in self.0.chars() {
            match character {
                '"' | '\\' => write!(f, "\\{character}")?,
                '\0'..' ' => write!(f, "\\u{:04x}", u32::from(character))?,
                _ => f.write_char(character)?,
            }
        }
        f.write_char('"')
    }
}

//! Edge lists: separated by commas if the name ends in `.csv`, else by tabs.
//!
//! The first line names the columns, so that nothing has to be told by looks. A file that is neither CSV nor TSV has
//! no such line where it can do without: vertices called by integers, and nothing beside the edges but weights.

use std::io::{self, Write};
use std::path::Path;

use super::super::columns::Value;
use super::super::edge_list::WEIGHTS;
use super::super::format::plain_name;
use super::losses::Losses;
use super::sheet::{Cell, Column, Rules, Sheet, has_integer_names};
use super::{Graph, Number};

pub(super) fn write(out: &mut dyn Write, graph: &Graph, path: &Path, losses: &mut Losses) -> io::Result<()> {
    let rules = Rules {
        text: |text| !text.is_empty() && !text.contains(['\n', '\t']),
        vertex_label: None,
        taken: [&[], &["source", "target"]],
        is_weight: |key, _| WEIGHTS.contains(&key.to_lowercase().as_str()),
        ..Rules::RECORDS
    };
    let sheet = Sheet::new(graph, rules, losses);
    note_order(graph, losses);
    for column in sheet.edges.iter().filter(|column| !column.is_label() && is_numbers(column, graph.size())) {
        losses.note(format!("edge attribute {:?} is text that reads as numbers", column.key));
    }
    let extension = Path::new(plain_name(path)).extension().unwrap_or_default().to_ascii_lowercase();
    let separator = if extension == "csv" { ',' } else { '\t' };
    let is_plain = extension != "csv" && extension != "tsv";
    let has_only_weights = sheet.edges.iter().all(|column| column.key == "weight" && column.is_real());
    if !(is_plain && has_only_weights && has_integer_names(graph)) {
        write!(out, "source{separator}target")?;
        for column in &sheet.edges {
            write!(out, "{separator}{}", quoted(&column.key, separator))?;
        }
        writeln!(out)?;
    }
    for (i, (u, v)) in graph.edges().enumerate() {
        let [u, v] = [u, v].map(|end| quoted(&sheet.name(end), separator));
        write!(out, "{u}{separator}{v}")?;
        for column in &sheet.edges {
            match column.cell(i) {
                Some(Cell::Real(x)) => write!(out, "{separator}{}", Number(x))?,
                Some(Cell::Text(text)) => write!(out, "{separator}{}", quoted(text, separator))?,
                None => write!(out, "{separator}")?,
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Notes what a list of edges does not tell of the vertices.
fn note_order(graph: &Graph, losses: &mut Losses) {
    let mut seen = vec![false; graph.order()];
    let (mut latest, mut in_order) = (0, true);
    for v in graph.edges().flat_map(|(u, v)| [u, v]) {
        if !std::mem::replace(&mut seen[v], true) {
            in_order &= latest <= v;
            latest = v;
        }
    }
    let isolated = seen.iter().filter(|seen| !**seen).count();
    losses.lose_some(isolated, ["isolated vertex", "isolated vertices"], "no room in an edge list");
    if !in_order {
        losses.lose("the order of the vertices", "they come in the order in which edges name them");
    }
}

/// Whether a column of text would be taken for numbers.
fn is_numbers(column: &Column<'_>, rows: usize) -> bool {
    !column.is_real()
        && (0..rows).filter_map(|row| column.cell(row)).all(|cell| match cell {
            Cell::Real(_) => true,
            Cell::Text(text) => matches!(Value::number(text), Some(Value::Real(_))),
        })
}

/// A field, in quotes if it would not be read as it is.
fn quoted(text: &str, separator: char) -> String {
    let is_plain = !text.is_empty()
        && text.trim_ascii().len() == text.len()
        && !text.starts_with(['#', '%'])
        && !text.contains(['"', separator]);
    if is_plain { text.to_owned() } else { format!("\"{}\"", text.replace('"', "\"\"")) }
}

//! The format of the DIMACS challenges, with the question lines of path-counting competitions.
//!
//! ```text
//! c a comment
//! p edge 4 3        vertices and edges (`p col` too)
//! e 1 2             an edge; vertices are numbered from 1
//! e 2 3
//! e 3 4
//! l 3               count paths of at most 3 edges
//! t 1 4             between vertices 1 and 4
//! ```
//!
//! `p` comes first. Real files announce a number of edges that counts each twice, or repeats them: a different
//! number is a note, not an error. Edges are undirected unless the caller says otherwise.

use super::text::{self, Text, shown};
use super::{Dataset, Question, Reader};
use crate::Result;
use crate::graph::{About, GraphBuilder};

/// Whether the first line that is no comment announces a graph.
pub(super) fn looks_like(text: &Text) -> bool {
    let mut lines = text.lines().filter(|line| !line.is_empty() && *line != b"c" && !line.starts_with(b"c "));
    lines.next().is_some_and(|line| line.starts_with(b"p edge") || line.starts_with(b"p col"))
}

pub(super) fn read(text: &Text, reader: &Reader) -> Result<Dataset> {
    let mut announced: Option<(usize, usize)> = None;
    let mut question = Question::default();
    let mut listed = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let wrong =
            |expected: &str| Err(text.error(i + 1, format!("expected {expected}, found {}", shown(line))));
        let (kind, rest) = line.split_at(line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len()));
        if kind.is_empty() || kind == b"c" {
            continue;
        }
        if kind == b"p" {
            let rest = rest.trim_ascii();
            let rest = rest.strip_prefix(b"edge").or_else(|| rest.strip_prefix(b"col"));
            let (Some(Some([order, size])), None) = (rest.map(numbers), announced) else {
                return wrong("one line \"p edge VERTICES EDGES\"");
            };
            if order >= 1 << 30 {
                return wrong("fewer than 2^30 vertices");
            }
            reader.check_order(order, text, i + 1)?;
            announced = Some((order as usize, size as usize));
            continue;
        }
        let Some((order, _)) = announced else {
            return wrong("a line \"p edge VERTICES EDGES\" before any other");
        };
        let vertices = |rest| {
            numbers(rest)
                .filter(|ends: &[u64; 2]| ends.iter().all(|id| (1..=order as u64).contains(id)))
                .map(|[u, v]| (u as u32 - 1, v as u32 - 1))
        };
        match kind {
            b"e" => match vertices(rest) {
                Some(ends) => listed.push(ends),
                None => return wrong(&format!("\"e U V\" with vertices from 1 to {order}")),
            },
            b"l" => match numbers(rest) {
                Some([length]) => question.max_length = Some(usize::try_from(length).unwrap_or(usize::MAX)),
                None => return wrong("\"l LENGTH\""),
            },
            b"t" => match vertices(rest) {
                Some((s, t)) => question.pair = Some((s as usize, t as usize)),
                None => return wrong(&format!("\"t S T\" with vertices from 1 to {order}")),
            },
            _ => return wrong("a line that starts with c, p, e, l or t"),
        }
    }
    let Some((order, size)) = announced else {
        return Err(text.whole_error("no line \"p edge VERTICES EDGES\""));
    };
    let found = listed.len();
    let names = (1..=order).map(|id| id.to_string()).collect();
    let about = About { names: Some(names), ..About::default() };
    let builder = GraphBuilder::from_listing(reader.is_directed(), order, listed, about);
    let mut dataset = Dataset::single(text, builder, Vec::new())?;
    if found != size {
        dataset.notes.push(format!("{size} edges announced, {found} listed"));
    }
    dataset.question = question;
    Ok(dataset)
}

/// Exactly so many numbers, separated by blanks.
fn numbers<const N: usize>(mut rest: &[u8]) -> Option<[u64; N]> {
    let mut found = [0; N];
    for number in &mut found {
        let blanks = rest.trim_ascii_start();
        if blanks.len() == rest.len() {
            return None;
        }
        (*number, rest) = text::leading_number(blanks)?;
    }
    rest.trim_ascii().is_empty().then_some(found)
}

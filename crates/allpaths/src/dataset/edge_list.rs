//! Edge lists: one edge a line, as plain text, CSV or TSV.
//!
//! ```text
//! # a comment, as is a line that starts with %
//! source,target,weight
//! ann,bob,0.5
//! bob,cy,-1
//! ```
//!
//! - The first line with an edge shows what separates columns: a tab, else a comma, else a semicolon, else
//!   blanks. Between commas, semicolons and tabs a name may stand in double quotes (`""` for a quote inside).
//! - Vertices are called what the file calls them, byte for byte (`1` and `01` are two), and numbered in the
//!   order in which they appear. Gaps in numeric ids mean nothing.
//! - A first line is a header if it names its first two columns by words that headers use (`source`, `target`,
//!   `from`, `to`, ...) or if they are no integers and those of the next line are.
//! - With a header the weight is in the column called `weight`, `w`, `value`, `sign` or `rating`, the edge's label
//!   in the column `label` if every line has one, and all other columns are kept as attributes. Without one it is the third column, if that is a number on the first line;
//!   further columns are not read. Where there are weights, each line must have one.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use super::columns::{Columns, Value};
use super::text::{self, Text, shown};
use super::{Dataset, Reader};
use crate::Result;
use crate::graph::{About, GraphBuilder, Labels, Names};

pub(super) fn read(text: &Text, reader: &Reader) -> Result<Dataset> {
    let is_edge = |line: &[u8]| !matches!(line.trim_ascii_start(), [] | [b'#' | b'%', ..]);
    let mut lines = text.rows().enumerate().filter(|(_, line)| is_edge(line)).peekable();
    let mut notes = Vec::new();
    let Some(&(_, first)) = lines.peek() else {
        notes.push("no edge in the file: a graph without vertices".to_owned());
        let nothing = GraphBuilder::from_listing(reader.is_directed(), 0, Vec::new(), About::default());
        return Dataset::single(text.path(), nothing, notes);
    };
    let separator = Separator::of(first.trim_ascii());
    let mut fields = Vec::new();
    let (line, content) = lines.next().expect("it was peeked at");
    separator.split(text, line + 1, content, &mut fields)?;
    let layout = match Layout::of_header(&fields, lines.peek().map(|&(_, next)| (separator, next))) {
        Some(layout) => {
            notes.push(format!("took line {} as a header", line + 1));
            layout
        }
        None => {
            let layout = Layout::of_first_line(&fields);
            if layout.unread > 0 {
                notes.push(format!("read {} columns of {}", layout.read(), fields.len()));
            }
            layout
        }
    };
    let mut edges = Edges::new(text);
    if !layout.has_header {
        edges.take(line + 1, &fields, &layout)?;
    }
    for (line, content) in lines {
        separator.split(text, line + 1, content, &mut fields)?;
        edges.take(line + 1, &fields, &layout)?;
    }
    edges.finish(reader, layout, notes)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Separator {
    Blanks,
    Byte(u8),
}

impl Separator {
    fn of(line: &[u8]) -> Self {
        b"\t,;"
            .iter()
            .find(|byte| line.contains(byte))
            .map_or(Separator::Blanks, |&byte| Separator::Byte(byte))
    }

    /// Cuts a line into fields, without blanks and quotes around them.
    fn split<'a>(
        self,
        text: &Text,
        number: usize,
        line: &'a [u8],
        fields: &mut Vec<Cow<'a, [u8]>>,
    ) -> Result<()> {
        fields.clear();
        match self {
            Separator::Blanks => {
                let words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
                fields.extend(words.map(Cow::Borrowed));
            }
            Separator::Byte(byte) if !line.contains(&b'"') => {
                fields.extend(line.split(|&b| b == byte).map(|field| Cow::Borrowed(field.trim_ascii())));
            }
            Separator::Byte(byte) => {
                let mut rest = Some(line);
                while let Some(bytes) = rest {
                    let (field, after) = split_quoted(bytes, byte).ok_or_else(|| {
                        text.error(number, "expected a closing quote before the end of the field")
                    })?;
                    fields.push(field);
                    rest = after;
                }
            }
        }
        Ok(())
    }
}

/// The first field, perhaps in quotes, and what follows its separator, if there is one.
#[allow(clippy::type_complexity)]
fn split_quoted(line: &[u8], separator: u8) -> Option<(Cow<'_, [u8]>, Option<&[u8]>)> {
    let line = skip_blanks(line, separator);
    let Some(mut rest) = line.strip_prefix(b"\"") else {
        let end = memchr::memchr(separator, line);
        let field = line[..end.unwrap_or(line.len())].trim_ascii();
        return Some((Cow::Borrowed(field), end.map(|end| &line[end + 1..])));
    };
    let mut field = Vec::new();
    loop {
        let quote = memchr::memchr(b'"', rest)?;
        field.extend_from_slice(&rest[..quote]);
        rest = &rest[quote + 1..];
        match rest.strip_prefix(b"\"") {
            Some(after) => {
                field.push(b'"');
                rest = after;
            }
            None => break,
        }
    }
    match skip_blanks(rest, separator) {
        [] => Some((Cow::Owned(field), None)),
        [byte, after @ ..] if *byte == separator => Some((Cow::Owned(field), Some(after))),
        _ => None,
    }
}

/// What follows the blanks in front. A tab is a blank, unless it separates.
fn skip_blanks(bytes: &[u8], separator: u8) -> &[u8] {
    let is_content = |byte: &u8| !byte.is_ascii_whitespace() || *byte == separator;
    &bytes[bytes.iter().position(is_content).unwrap_or(bytes.len())..]
}

/// Which column holds what.
struct Layout {
    ends: [usize; 2],
    weight: Option<usize>,
    /// Columns that become attributes, with their names.
    others: Vec<(usize, String)>,
    unread: usize,
    has_header: bool,
}

impl Layout {
    fn of_header(fields: &[Cow<'_, [u8]>], next: Option<(Separator, &[u8])>) -> Option<Self> {
        const SOURCES: [&str; 9] = ["source", "from", "src", "tail", "u", "node1", "id1", "fromnodeid", "i"];
        const TARGETS: [&str; 10] =
            ["target", "to", "dst", "head", "v", "node2", "id2", "tonodeid", "j", "dest"];
        const WEIGHTS: [&str; 5] = ["weight", "w", "value", "sign", "rating"];
        let names: Vec<String> =
            fields.iter().map(|name| String::from_utf8_lossy(name).to_lowercase()).collect();
        let find = |words: &[&str]| names.iter().position(|name| words.contains(&name.as_str()));
        let ends = match (find(&SOURCES), find(&TARGETS)) {
            (Some(source), Some(target)) => [source, target],
            _ => {
                let integers = |fields: &[Cow<'_, [u8]>], wanted: bool| {
                    fields.len() >= 2
                        && fields[..2].iter().all(|field| text::integer(field).is_some() == wanted)
                };
                let (separator, line) = next?;
                let mut below = Vec::new();
                separator.split(&Text::new("".as_ref(), Vec::new()), 0, line, &mut below).ok()?;
                if !integers(fields, false) || !integers(&below, true) {
                    return None;
                }
                [0, 1]
            }
        };
        let weight = find(&WEIGHTS).filter(|place| !ends.contains(place));
        let others = fields
            .iter()
            .enumerate()
            .filter(|(i, _)| !ends.contains(i) && weight != Some(*i))
            .map(|(i, name)| (i, String::from_utf8_lossy(name).into_owned()))
            .collect();
        Some(Self { ends, weight, others, unread: 0, has_header: true })
    }

    fn of_first_line(fields: &[Cow<'_, [u8]>]) -> Self {
        let weight = fields.get(2).is_some_and(|field| text::real(field).is_some()).then_some(2);
        let read = if weight.is_some() { 3 } else { 2 };
        let unread = fields.len().saturating_sub(read);
        Self { ends: [0, 1], weight, others: Vec::new(), unread, has_header: false }
    }

    fn read(&self) -> usize {
        2 + usize::from(self.weight.is_some())
    }
}

/// The edges as they come, with the vertices that they name.
struct Edges<'a> {
    text: &'a Text,
    listed: Vec<(u32, u32)>,
    weights: Vec<f64>,
    columns: Columns,
    names: Names,
    /// Vertices called by a small number, which are looked up, not hashed.
    numbered: Vec<u32>,
    named: FxHashMap<Cow<'a, [u8]>, u32>,
}

impl<'a> Edges<'a> {
    fn new(text: &'a Text) -> Self {
        Self {
            text,
            listed: Vec::new(),
            weights: Vec::new(),
            columns: Columns::default(),
            names: Names::default(),
            numbered: Vec::new(),
            named: FxHashMap::default(),
        }
    }

    fn take(&mut self, line: usize, fields: &[Cow<'a, [u8]>], layout: &Layout) -> Result<()> {
        let [u, v] = layout.ends.map(|place| fields.get(place).filter(|field| !field.is_empty()));
        let (Some(u), Some(v)) = (u, v) else {
            let found = fields.iter().map(|field| shown(field)).collect::<Vec<_>>().join(" ");
            return Err(self.text.error(line, format!("expected the names of two vertices, found {found}")));
        };
        let ends = (self.vertex(line, u)?, self.vertex(line, v)?);
        self.listed.push(ends);
        if let Some(place) = layout.weight {
            let field = fields.get(place).map_or(b"".as_slice(), |field| field);
            let weight = text::real(field).ok_or_else(|| {
                let reason =
                    format!("expected a weight, a number, in column {}, found {}", place + 1, shown(field));
                self.text.error(line, reason)
            })?;
            self.weights.push(weight);
        }
        if !layout.others.is_empty() {
            self.columns.begin();
        }
        for (place, name) in &layout.others {
            if let Some(field) = fields.get(*place).filter(|field| !field.is_empty()) {
                let field = self.text.utf8(line, field)?;
                let value = Value::number(field).unwrap_or_else(|| Value::Text(field.to_owned()));
                self.columns.set(name, value);
            }
        }
        Ok(())
    }

    fn vertex(&mut self, line: usize, name: &Cow<'a, [u8]>) -> Result<u32> {
        const UNSEEN: u32 = u32::MAX;
        let next = self.names.len() as u32;
        let number = match text::leading_number(name) {
            // A dense numbering is not longer than its file; `01` is not `1`.
            Some((number, []))
                if number < self.text.bytes().len() as u64 && (name[0] != b'0' || name.len() == 1) =>
            {
                let number = number as usize;
                if number >= self.numbered.len() {
                    self.numbered.resize(number + 1, UNSEEN);
                }
                if self.numbered[number] == UNSEEN {
                    self.numbered[number] = next;
                }
                self.numbered[number]
            }
            _ => match self.named.get(name) {
                Some(&number) => number,
                None => {
                    self.named.insert(name.clone(), next);
                    next
                }
            },
        };
        if number == next {
            self.names.push(self.text.utf8(line, name)?);
        }
        Ok(number)
    }

    fn finish(mut self, reader: &Reader, layout: Layout, notes: Vec<String>) -> Result<Dataset> {
        let order = self.names.len();
        let about = About {
            names: Some(self.names),
            edge_labels: self.columns.take_texts("label").map(Labels::from_names),
            weights: layout.weight.map(|_| self.weights),
            edge_attributes: self.columns.into_attributes(),
            ..About::default()
        };
        let builder = GraphBuilder::from_listing(reader.is_directed(), order, self.listed, about);
        Dataset::single(self.text.path(), builder, notes)
    }
}

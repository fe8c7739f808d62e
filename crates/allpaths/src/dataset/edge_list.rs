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
//! - A first line is a header if it calls two columns by words that headers use for the ends of an edge (`source`,
//!   `target`, `from`, `to`, ...), or if its first two fields are no integers and those of the next line are.
//! - With a header the weight is in the column called `weight`, `w`, `value`, `sign` or `rating`, the edge's label
//!   in the column `label` if every line has one, and all other columns are kept as attributes: as numbers if
//!   there is nothing else in the column. Without a header the weight is the third column, if that is a number
//!   on the first line; further columns are not read. Where there are weights, each line must have one.

use std::borrow::Cow;

use super::columns::{Columns, Value};
use super::ids::Ids;
use super::text::{self, Text, shown};
use super::{Dataset, Reader};
use crate::Result;
use crate::graph::{About, GraphBuilder, Labels};

pub(super) fn read(text: &Text, reader: &Reader) -> Result<Dataset> {
    let is_edge = |line: &[u8]| !matches!(line.trim_ascii_start(), [] | [b'#' | b'%', ..]);
    let mut lines = text.rows().enumerate().filter(|(_, line)| is_edge(line)).peekable();
    let mut notes = Vec::new();
    let Some((line, content)) = lines.next() else {
        notes.push("no edge in the file: a graph without vertices".to_owned());
        let builder = GraphBuilder::from_listing(reader.is_directed(), 0, Vec::new(), About::default());
        return Dataset::single(text, builder, notes);
    };
    let separator = Separator::of(content.trim_ascii());
    let mut fields = Vec::new();
    separator.split(text, line + 1, content, &mut fields)?;
    let mut edges = Edges::new(text, reader);
    if let Some(layout) = Layout::of_header(&fields, lines.peek().map(|&(_, next)| (separator, next))) {
        notes.push(format!("took line {} as a header", line + 1));
        for (field, name) in fields.iter().enumerate().filter(|(field, _)| !layout.has(*field)) {
            let name = String::from_utf8_lossy(name).into_owned();
            edges.others.push((field, edges.columns.place(name.into())));
        }
        edges.layout = layout;
    } else {
        edges.layout = Layout::of_first_line(&fields);
        let read = (0..fields.len()).filter(|&field| edges.layout.has(field)).count();
        if fields.len() > read {
            notes.push(format!("read {read} columns of {}", fields.len()));
        }
        edges.take(line + 1, &fields)?;
    }
    let layout = edges.layout;
    let is_plain =
        edges.others.is_empty() && layout.ends == [0, 1] && layout.weight.is_none_or(|place| place == 2);
    for (line, content) in lines {
        let plain = if is_plain { separator.plain(content, layout.weight.is_some()) } else { None };
        if let Some((u, v, weight)) = plain {
            edges.add(line + 1, u, v, weight)?;
        } else {
            separator.split(text, line + 1, content, &mut fields)?;
            edges.take(line + 1, &fields)?;
        }
    }
    edges.finish(reader, notes)
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Separator {
    Blanks,
    Byte(u8),
}

impl Separator {
    pub(super) fn of(line: &[u8]) -> Self {
        b"\t,;"
            .iter()
            .find(|byte| line.contains(byte))
            .map_or(Separator::Blanks, |&byte| Separator::Byte(byte))
    }

    /// Two names at the start of a line, and a weight if there is to be one, without quotes: what most lines are, and
    /// so worth a way of its own. Nothing if the line is anything else.
    #[inline]
    #[allow(clippy::type_complexity)]
    fn plain(self, line: &[u8], has_weight: bool) -> Option<(&[u8], &[u8], Option<f64>)> {
        let (u, rest) = self.cut(line)?;
        let (v, rest) = self.cut(rest)?;
        let weight = if has_weight { Some(text::number(self.cut(rest)?.0)?) } else { None };
        Some((u, v, weight))
    }

    /// The first field, unless it is empty or in quotes, and what follows its separator.
    #[inline]
    fn cut(self, line: &[u8]) -> Option<(&[u8], &[u8])> {
        let (line, end) = match self {
            Separator::Blanks => {
                let line = line.trim_ascii_start();
                (line, line.iter().position(u8::is_ascii_whitespace))
            }
            Separator::Byte(separator) => (line, line.iter().position(|&byte| byte == separator)),
        };
        let (field, rest) = end.map_or((line, [].as_slice()), |end| (&line[..end], &line[end + 1..]));
        let field = field.trim_ascii();
        (!matches!(field, [] | [b'"', ..])).then_some((field, rest))
    }

    /// Cuts a line into fields, without blanks and quotes around them.
    fn split<'a>(
        self,
        text: &Text,
        number: usize,
        line: &'a [u8],
        fields: &mut Vec<Cow<'a, [u8]>>,
    ) -> Result<()> {
        self.fields(line, fields).map_err(|reason| text.error(number, reason))
    }

    /// Cuts a line into fields, without blanks and quotes around them, or says what is wrong with it.
    pub(super) fn fields<'a>(
        self,
        line: &'a [u8],
        fields: &mut Vec<Cow<'a, [u8]>>,
    ) -> std::result::Result<(), &'static str> {
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
                    let (field, after) = split_quoted(bytes, byte)
                        .ok_or("expected a closing quote before the end of the field")?;
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

/// What a header calls the weight, in lower case.
pub(super) const WEIGHTS: [&str; 5] = ["weight", "w", "value", "sign", "rating"];

/// Which column holds what.
#[derive(Clone, Copy, Default)]
struct Layout {
    ends: [usize; 2],
    weight: Option<usize>,
}

impl Layout {
    fn of_header(fields: &[Cow<'_, [u8]>], next: Option<(Separator, &[u8])>) -> Option<Self> {
        // Single letters are not among them: those are as likely to be vertices.
        const SOURCES: [&str; 7] = ["source", "from", "src", "tail", "node1", "id1", "fromnodeid"];
        const TARGETS: [&str; 8] = ["target", "to", "dst", "dest", "head", "node2", "id2", "tonodeid"];
        let names: Vec<String> =
            fields.iter().map(|name| String::from_utf8_lossy(name).to_lowercase()).collect();
        let find = |words: &[&str]| names.iter().position(|name| words.contains(&name.as_str()));
        let ends = if let (Some(source), Some(target)) = (find(&SOURCES), find(&TARGETS)) {
            [source, target]
        } else {
            let integers = |fields: &[Cow<'_, [u8]>], wanted: bool| {
                fields.len() >= 2 && fields[..2].iter().all(|field| text::integer(field).is_some() == wanted)
            };
            let (separator, line) = next?;
            let mut below = Vec::new();
            separator.split(&Text::new("".as_ref(), Vec::new()), 0, line, &mut below).ok()?;
            if !integers(fields, false) || !integers(&below, true) {
                return None;
            }
            [0, 1]
        };
        let weight = find(&WEIGHTS).filter(|place| !ends.contains(place));
        Some(Self { ends, weight })
    }

    fn of_first_line(fields: &[Cow<'_, [u8]>]) -> Self {
        let weight = fields.get(2).is_some_and(|field| text::real(field).is_some()).then_some(2);
        Self { ends: [0, 1], weight }
    }

    fn has(&self, field: usize) -> bool {
        self.ends.contains(&field) || self.weight == Some(field)
    }
}

/// The edges as they come, with the vertices that they name.
struct Edges<'a> {
    text: &'a Text,
    layout: Layout,
    /// Fields that become attributes, with their columns.
    others: Vec<(usize, usize)>,
    listed: Vec<(u32, u32)>,
    weights: Vec<f64>,
    columns: Columns<'a>,
    ids: Ids,
}

impl<'a> Edges<'a> {
    fn new(text: &'a Text, reader: &Reader) -> Self {
        Self {
            text,
            layout: Layout::default(),
            others: Vec::new(),
            listed: Vec::new(),
            weights: Vec::new(),
            columns: Columns::new(text, reader),
            ids: Ids::of(text),
        }
    }

    fn take(&mut self, line: usize, fields: &[Cow<'a, [u8]>]) -> Result<()> {
        let [u, v] = self.layout.ends.map(|place| fields.get(place).filter(|field| !field.is_empty()));
        let (Some(u), Some(v)) = (u, v) else {
            let found = fields.iter().map(|field| shown(field)).collect::<Vec<_>>().join(" ");
            return Err(self.text.error(line, format!("expected the names of two vertices, found {found}")));
        };
        let weight = match self.layout.weight {
            None => None,
            Some(place) => {
                let field = fields.get(place).map_or(b"".as_slice(), |field| field);
                let weight = text::number(field).ok_or_else(|| {
                    let reason = format!(
                        "expected a weight, a number, in column {}, found {}",
                        place + 1,
                        shown(field)
                    );
                    self.text.error(line, reason)
                })?;
                Some(weight)
            }
        };
        self.add(line, u, v, weight)?;
        self.columns.begin();
        for &(place, column) in &self.others {
            let value = match fields.get(place) {
                Some(Cow::Borrowed(field)) if !field.is_empty() => {
                    Cow::Borrowed(self.text.utf8(line, field)?)
                }
                Some(Cow::Owned(field)) if !field.is_empty() => {
                    Cow::Owned(self.text.utf8(line, field)?.to_owned())
                }
                _ => continue,
            };
            self.columns.set_at(column, Value::Text(value));
        }
        Ok(())
    }

    /// Adds an edge.
    #[inline]
    fn add(&mut self, line: usize, u: &[u8], v: &[u8], weight: Option<f64>) -> Result<()> {
        let ends = (self.vertex(line, u)?, self.vertex(line, v)?);
        self.listed.push(ends);
        self.weights.extend(weight);
        Ok(())
    }

    #[inline]
    fn vertex(&mut self, line: usize, name: &[u8]) -> Result<u32> {
        match self.ids.get(name) {
            Some(number) => Ok(number),
            None => Ok(self.ids.add(self.text.utf8(line, name)?)),
        }
    }

    fn finish(mut self, reader: &Reader, mut notes: Vec<String>) -> Result<Dataset> {
        self.columns.check(self.text, &mut notes)?;
        let names = self.ids.into_names();
        let order = names.len();
        let edge_labels = self.columns.take_texts("label").map(Labels::from_names);
        self.columns.tell_numbers();
        let about = About {
            names: Some(names),
            edge_labels,
            weights: self.layout.weight.map(|_| self.weights),
            edge_attributes: self.columns.take_attributes(),
            ..About::default()
        };
        let builder = GraphBuilder::from_listing(reader.is_directed(), order, self.listed, about);
        Dataset::single(self.text, builder, notes)
    }
}

//! Adjacency matrices in the exchange format of the Matrix Market.
//!
//! ```text
//! %%MatrixMarket matrix coordinate real symmetric
//! % a comment
//! 3 3 2             rows, columns, entries
//! 2 1 0.5           row, column, value; numbered from 1
//! 3 2 -1
//! ```
//!
//! - `coordinate` lists entries, `array` gives every value, column by column. Of a matrix that is `symmetric` or
//!   `skew-symmetric` only the lower triangle is given.
//! - The entry in row i and column j is the edge from i to j, its value the weight; `pattern` has no values.
//!   Zeros are no edges. Vertices are called by their numbers.
//! - Edges of a symmetric matrix have no direction, those of others have, unless the caller says otherwise. A
//!   skew-symmetric one has each edge both ways, with opposite weights.
//! - Complex values are refused, and so are matrices that are not square.

use super::text::{self, Text, shown};
use super::{Dataset, Reader};
use crate::Result;
use crate::graph::{About, GraphBuilder};

pub(super) fn read(text: &Text, reader: &Reader) -> Result<Dataset> {
    let mut lines = text.lines().enumerate();
    let header = Header::read(text, lines.next().map_or(b"".as_slice(), |(_, line)| line))?;
    let mut lines = lines.filter(|(_, line)| !matches!(line, [] | [b'%', ..]));
    let Some((line, sizes)) = lines.next() else {
        return Err(text.whole_error("no line with the size of the matrix"));
    };
    let (order, entries) = header.size(text, line + 1, sizes)?;
    reader.check_order(order as u64, text, line + 1)?;
    let mut matrix = Matrix::new(header, reader.directed);
    let mut dense = header.places(order);
    let mut found = 0;
    for (i, line) in lines {
        found += 1;
        if found > entries {
            let reason =
                format!("expected no more than the {entries} entries announced, found {}", shown(line));
            return Err(text.error(i + 1, reason));
        }
        let wrong = |expected: &str| text.error(i + 1, format!("expected {expected}, found {}", shown(line)));
        let (u, v, rest) = match (header.layout, dense.as_mut().and_then(Iterator::next)) {
            (Layout::Coordinate, _) => {
                entry(line, order).ok_or_else(|| wrong(&format!("a row and a column from 1 to {order}")))?
            }
            (Layout::Array, Some((u, v))) => (u, v, line),
            (Layout::Array, None) => return Err(wrong("no more entries")),
        };
        let value = match (header.field, rest) {
            (Field::Pattern, []) => 1.0,
            (Field::Pattern, _) => return Err(wrong("a row and a column and no value")),
            (Field::Number, value) => text::number(value).ok_or_else(|| wrong("a finite value"))?,
        };
        if header.symmetry == Symmetry::Skew && u == v && value != 0.0 {
            return Err(wrong("no value on the diagonal of a skew-symmetric matrix"));
        }
        matrix.take(u, v, value);
    }
    if found < entries {
        return Err(text.whole_error(format!("expected the {entries} entries announced, found {found}")));
    }
    matrix.finish(text, order)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Layout {
    Coordinate,
    Array,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Field {
    Pattern,
    Number,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Symmetry {
    General,
    Symmetric,
    Skew,
}

#[derive(Clone, Copy)]
struct Header {
    layout: Layout,
    field: Field,
    symmetry: Symmetry,
}

impl Header {
    fn read(text: &Text, line: &[u8]) -> Result<Self> {
        let expected = |what: &str, found: &str| {
            text.error(1, format!("expected {what}, found {}", shown(found.as_bytes())))
        };
        let line = String::from_utf8_lossy(line).to_ascii_lowercase();
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let ["%%matrixmarket", "matrix", layout, field, symmetry] = words[..] else {
            return Err(expected("\"%%MatrixMarket matrix LAYOUT FIELD SYMMETRY\"", &line));
        };
        let header = Self {
            layout: match layout {
                "coordinate" => Layout::Coordinate,
                "array" => Layout::Array,
                _ => return Err(expected("the layout coordinate or array", layout)),
            },
            field: match field {
                "pattern" => Field::Pattern,
                "real" | "double" | "integer" | "unsigned-integer" => Field::Number,
                _ => return Err(expected("the field pattern, real or integer", field)),
            },
            symmetry: match symmetry {
                "general" => Symmetry::General,
                "symmetric" => Symmetry::Symmetric,
                "skew-symmetric" => Symmetry::Skew,
                _ => return Err(expected("the symmetry general, symmetric or skew-symmetric", symmetry)),
            },
        };
        let needs_values = header.layout == Layout::Array || header.symmetry == Symmetry::Skew;
        if header.field == Field::Pattern && needs_values {
            return Err(expected("values in an array or a skew-symmetric matrix", field));
        }
        Ok(header)
    }

    /// The numbers of vertices and of entries, from the line that announces them.
    fn size(self, text: &Text, number: usize, line: &[u8]) -> Result<(usize, usize)> {
        let numbers: Option<Vec<u64>> = line
            .split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty())
            .map(|word| text::leading_number(word).filter(|(_, rest)| rest.is_empty()).map(|(n, _)| n))
            .collect();
        let (rows, columns, entries) = match (self.layout, numbers.as_deref()) {
            (Layout::Coordinate, Some(&[rows, columns, entries])) => (rows, columns, Some(entries)),
            (Layout::Array, Some(&[rows, columns])) => (rows, columns, None),
            (layout, _) => {
                let sizes =
                    if layout == Layout::Coordinate { "ROWS COLUMNS ENTRIES" } else { "ROWS COLUMNS" };
                return Err(text.error(number, format!("expected \"{sizes}\", found {}", shown(line))));
            }
        };
        if rows != columns {
            let reason = format!("expected a square matrix, found {rows} rows and {columns} columns");
            return Err(text.error(number, reason));
        }
        if rows >= 1 << 30 {
            return Err(text.error(number, format!("expected fewer than 2^30 rows, found {rows}")));
        }
        let entries = entries.unwrap_or_else(|| match self.symmetry {
            Symmetry::General => rows * rows,
            Symmetry::Symmetric => rows * (rows + 1) / 2,
            Symmetry::Skew => rows * rows.saturating_sub(1) / 2,
        });
        Ok((rows as usize, usize::try_from(entries).unwrap_or(usize::MAX)))
    }

    /// The places of an array's values: column by column.
    fn places(self, order: usize) -> Option<impl Iterator<Item = (u32, u32)>> {
        let first = move |column: u32| match self.symmetry {
            Symmetry::General => 0,
            Symmetry::Symmetric => column,
            Symmetry::Skew => column + 1,
        };
        let order = order as u32;
        (self.layout == Layout::Array)
            .then(|| (0..order).flat_map(move |column| (first(column)..order).map(move |row| (row, column))))
    }
}

/// The row and the column of an entry, from 0, and its value.
#[inline]
fn entry(line: &[u8], order: usize) -> Option<(u32, u32, &[u8])> {
    let blank = |rest: &[u8]| rest.first().is_none_or(u8::is_ascii_whitespace);
    let (row, rest) = text::leading_number(line).filter(|(_, rest)| blank(rest))?;
    let (column, rest) = text::leading_number(rest.trim_ascii_start()).filter(|(_, rest)| blank(rest))?;
    let inside = |id: u64| (1..=order as u64).contains(&id).then(|| id as u32 - 1);
    Some((inside(row)?, inside(column)?, rest.trim_ascii_start()))
}

/// The entries as edges.
struct Matrix {
    header: Header,
    directed: bool,
    listed: Vec<(u32, u32)>,
    weights: Vec<f64>,
    zeros: usize,
}

impl Matrix {
    fn new(header: Header, directed: Option<bool>) -> Self {
        let directed = directed.unwrap_or(header.symmetry != Symmetry::Symmetric);
        Self { header, directed, listed: Vec::new(), weights: Vec::new(), zeros: 0 }
    }

    fn take(&mut self, u: u32, v: u32, value: f64) {
        if value == 0.0 {
            self.zeros += 1;
            return;
        }
        self.listed.push((u, v));
        self.weights.push(value);
        if u == v {
            return;
        }
        match self.header.symmetry {
            Symmetry::Symmetric if self.directed => {
                self.listed.push((v, u));
                self.weights.push(value);
            }
            Symmetry::Skew => {
                self.listed.push((v, u));
                self.weights.push(-value);
            }
            _ => {}
        }
    }

    fn finish(self, text: &Text, order: usize) -> Result<Dataset> {
        let mut notes = Vec::new();
        if self.zeros > 0 && self.header.layout == Layout::Coordinate {
            notes.push(format!("entries of value 0, which are no edges: {}", self.zeros));
        }
        let about = About {
            names: Some((1..=order).map(|id| id.to_string()).collect()),
            weights: (self.header.field == Field::Number).then_some(self.weights),
            ..About::default()
        };
        let builder = GraphBuilder::from_listing(self.directed, order, self.listed, about);
        Dataset::single(text, builder, notes)
    }
}

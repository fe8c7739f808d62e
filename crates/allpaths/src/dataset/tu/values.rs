//! What is known of some graphs in a row, their vertices and arcs: a line for each.

use std::sync::Arc;

use super::super::feed::Feed;
use super::super::text::{self, shown};
use super::faults::Faults;
use super::vertices::Vertices;
use crate::graph::{Alphabet, Interner};
use crate::{Error, Result};

/// The classes of the graphs in the span, and whether none follows.
pub(super) fn read_classes(
    feed: &mut Feed,
    vertices: &Vertices,
    faults: &mut Faults,
) -> Result<(Vec<i64>, bool)> {
    let most = vertices.span.most.unwrap_or(usize::MAX);
    let mut classes = Vec::new();
    while classes.len() < most && feed.next()? {
        let line = feed.line();
        let class = text::integer(line);
        if class.is_none() {
            let error = feed.error(format!("expected a class, an integer, found {}", shown(line)));
            faults.of_class(classes.len(), error)?;
        }
        classes.push(class.unwrap_or(0));
    }
    let ended = !feed.fill()?;
    if ended && feed.passed() < vertices.highest {
        let (graphs, found) = (vertices.highest, feed.passed());
        return Err(feed.whole_error(format!("a class for each of {graphs} graphs expected, found {found}")));
    }
    Ok((classes, ended))
}

/// How many lines a file is to have for a span.
#[derive(Clone, Copy)]
pub(super) struct Expected<'a> {
    pub(super) lines: usize,
    /// Whether none may follow.
    pub(super) is_last: bool,
    /// What there is a line for.
    pub(super) what: &'static str,
    /// The graph of each line; none where there is one for each graph.
    pub(super) graphs: Option<&'a [u32]>,
}

impl Expected<'_> {
    /// The graph of a line.
    fn graph(&self, line: usize) -> usize {
        self.graphs.map_or(line, |graphs| graphs[line] as usize)
    }

    /// Moves on to the next line; false when so many were found as there should be.
    #[inline(always)]
    fn next(&self, feed: &mut Feed, found: usize) -> Result<bool> {
        if found < self.lines {
            return if feed.next()? { Ok(true) } else { Err(self.too_few(feed, found)) };
        }
        if self.is_last && feed.next()? {
            return self.too_many(feed);
        }
        Ok(false)
    }

    #[cold]
    fn too_few(&self, feed: &Feed, found: usize) -> Error {
        let (what, passed) = (self.what, feed.passed());
        let lines = passed + self.lines - found;
        let all = if self.is_last { "in all" } else { "or more" };
        feed.whole_error(format!("expected a line for each {what}, {lines} {all}, found {passed}"))
    }

    #[cold]
    fn too_many(&self, feed: &mut Feed) -> Result<bool> {
        let lines = feed.passed() - 1;
        while feed.next()? {}
        let (what, found) = (self.what, feed.passed());
        let reason = format!("expected a line for each {what}, {lines} in all, found {found}");
        Err(feed.error_at(lines + 1, reason))
    }
}

/// Labels in the order of a file.
pub(super) struct LabelColumn {
    pub(super) alphabet: Arc<Alphabet>,
    pub(super) codes: Vec<u32>,
}

/// Gives labels their codes: integers are named by their decimal digits (`+1` and `01` are `1`), anything else by
/// itself, columns joined by commas.
pub(super) struct LabelCodes {
    interner: Interner,
    /// Nearly all labels are one or two digits: those are looked up, not hashed.
    digits: [u32; 100],
}

impl Default for LabelCodes {
    fn default() -> Self {
        Self { interner: Interner::default(), digits: [u32::MAX; 100] }
    }
}

impl LabelCodes {
    pub(super) fn read(
        &mut self,
        feed: &mut Feed,
        expected: Expected<'_>,
        faults: &mut Faults,
    ) -> Result<LabelColumn> {
        let mut codes = Vec::with_capacity(expected.lines);
        while expected.next(feed, codes.len())? {
            let line = feed.line();
            let number =
                text::leading_number(line).filter(|(_, rest)| rest.is_empty()).map(|(number, _)| number);
            let code = match number {
                Some(number @ 0..100) => {
                    let known = &mut self.digits[number as usize];
                    if *known == u32::MAX {
                        *known = self.interner.code(&number.to_string());
                    }
                    *known
                }
                _ if line.is_empty() => {
                    let what = expected.what;
                    let error = feed.error(format!("expected a label for each {what}, found a blank line"));
                    faults.of_graph(expected.graph(codes.len()), error)?;
                    0
                }
                _ => match feed.utf8() {
                    Ok(line) => self.interner.code(&label_name(line)),
                    Err(error) => {
                        faults.of_graph(expected.graph(codes.len()), error)?;
                        0
                    }
                },
            };
            codes.push(code);
        }
        Ok(LabelColumn { alphabet: self.interner.alphabet(), codes })
    }
}

/// What a line with a label calls it.
pub(in crate::dataset) fn label_name(line: &str) -> String {
    let column = |column: &str| {
        let column = column.trim();
        column.parse().map_or_else(|_| column.to_owned(), |number: i64| number.to_string())
    };
    line.split(',').map(column).collect::<Vec<_>>().join(",")
}

/// Reads rows of reals as columns.
#[derive(Default)]
pub(super) struct Numbers {
    /// How many there are in each row.
    width: Option<usize>,
}

impl Numbers {
    pub(super) fn read(
        &mut self,
        feed: &mut Feed,
        expected: Expected<'_>,
        faults: &mut Faults,
    ) -> Result<Vec<Vec<f64>>> {
        if self.width.is_none() && feed.next()? {
            self.width = Some(fields(feed.line()).count());
            feed.put_back();
        }
        let width = self.width.unwrap_or(0);
        let mut columns: Vec<Vec<f64>> = (0..width).map(|_| Vec::with_capacity(expected.lines)).collect();
        let mut rows = 0;
        while expected.next(feed, rows)? {
            rows += 1;
            if let Err(error) = push_row(feed, &mut columns) {
                faults.of_graph(expected.graph(rows - 1), error)?;
                columns.iter_mut().for_each(|column| column.resize(rows, 0.0));
            }
        }
        Ok(columns)
    }
}

/// Adds the numbers of a line to the columns.
fn push_row(feed: &Feed, columns: &mut [Vec<f64>]) -> Result<()> {
    let mut found = 0;
    for field in fields(feed.line()) {
        let value = text::real(field)
            .ok_or_else(|| feed.error(format!("expected a finite number, found {}", shown(field))))?;
        if let Some(column) = columns.get_mut(found) {
            column.push(value);
        }
        found += 1;
    }
    match columns.len() {
        width if width == found => Ok(()),
        width => Err(feed.error(format!("expected {width} numbers, as on line 1, found {found}"))),
    }
}

fn fields(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|&byte| byte == b',').map(<[u8]>::trim_ascii)
}

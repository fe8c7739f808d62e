//! Which vertices and arcs some graphs in a row have.

use std::path::PathBuf;

use super::super::feed::Feed;
use super::super::text::{self, shown};
use super::faults::Faults;
use crate::{Error, Result};

/// Where to begin, and how far to go.
#[derive(Clone, Copy)]
pub(super) struct Span {
    /// How many graphs come before.
    pub(super) graphs: usize,
    /// How many vertices they have.
    pub(super) vertices: usize,
    /// How many graphs to read, sorted by graph; all of them in any order if not given.
    pub(super) most: Option<usize>,
    /// How many graphs fit in memory.
    pub(super) room: usize,
}

/// A complaint about lines that come too late.
fn unsorted(feed: &Feed, line: usize, what: &str) -> Error {
    feed.error_at(
        line,
        format!("{what}: reading in batches needs files sorted by graph, read this one whole"),
    )
}

/// Which graph of the span each vertex belongs to, and its number there.
pub(super) struct Vertices {
    pub(super) span: Span,
    path: PathBuf,
    pub(super) graph: Vec<u32>,
    local: Vec<u32>,
    /// The highest number of a graph that was met, from 1.
    pub(super) highest: usize,
    /// Whether no vertex follows.
    pub(super) ended: bool,
}

impl Vertices {
    pub(super) fn read(feed: &mut Feed, span: Span, faults: &Faults) -> Result<Self> {
        // Each graph takes memory, whether a vertex names it or not.
        let room = span.room.max(feed.size());
        let end = span.most.map_or(usize::MAX, |most| span.graphs.saturating_add(most));
        let path = feed.path().to_owned();
        let mut vertices = Self { span, path, graph: Vec::new(), local: Vec::new(), highest: 0, ended: true };
        let mut orders: Vec<u32> = Vec::new();
        let mut latest = span.graphs;
        while feed.next()? {
            let line = feed.line();
            let number = text::leading_number(line.strip_prefix(b"+").unwrap_or(line));
            let Some((graph @ 1..=MOST_GRAPHS, [])) = number else {
                let expected =
                    format!("expected a graph number from 1 to {MOST_GRAPHS}, found {}", shown(line));
                return Err(faults.of_nobody(feed.error(expected)));
            };
            let graph = graph as usize - 1;
            vertices.highest = vertices.highest.max(graph + 1);
            if graph >= end {
                feed.put_back();
                vertices.ended = false;
                break;
            }
            if span.most.is_some() && graph < latest {
                let what = format!("graph {} after graph {}", graph + 1, latest + 1);
                return Err(unsorted(feed, feed.passed(), &what));
            }
            latest = graph;
            let graph = graph - span.graphs;
            if graph >= room {
                return Err(feed.error(format!("{} graphs need too much memory", graph + 1)).past_limit());
            }
            if graph >= orders.len() {
                orders.resize(graph + 1, 0);
            }
            vertices.graph.push(graph as u32);
            vertices.local.push(orders[graph]);
            orders[graph] += 1;
        }
        Ok(vertices)
    }

    /// How many graphs there are in the span, as far as vertices tell.
    pub(super) fn graphs(&self) -> usize {
        match self.span.most {
            Some(most) if !self.ended => most,
            _ => self.highest.saturating_sub(self.span.graphs),
        }
    }

    /// The place of a vertex in the span.
    #[inline]
    fn place(&self, id: u64) -> Option<usize> {
        // Those before the span, and 0, become large.
        let place = (id as usize).wrapping_sub(self.span.vertices + 1);
        (place < self.graph.len()).then_some(place)
    }

    /// The graph of an arc, and its ends there.
    #[inline]
    fn arc(&self, u: u64, v: u64) -> Option<(u32, (u32, u32))> {
        let (u, v) = (self.place(u)?, self.place(v)?);
        (self.graph[u] == self.graph[v]).then(|| (self.graph[u], (self.local[u], self.local[v])))
    }

    /// Whether a vertex comes after the span.
    fn follows(&self, id: u64) -> bool {
        !self.ended && id > self.seen()
    }

    /// How many vertices there are up to the end of the span.
    fn seen(&self) -> u64 {
        (self.span.vertices + self.graph.len()) as u64
    }

    /// A complaint about an arc that is not one, or comes too late.
    #[cold]
    fn misplaced(&self, feed: &Feed, line: usize, u: u64, v: u64) -> Error {
        let is_none = |id: u64| id == 0 || (self.ended && id > self.seen());
        if let Some(id) = [u, v].into_iter().find(|&id| is_none(id)) {
            let (seen, file) = (self.seen(), self.path.file_name().unwrap_or_default().display());
            return feed
                .error_at(line, format!("vertex {id} is not one of the {seen} in {file}, numbered from 1"));
        }
        match [u, v].map(|id| self.place(id).map(|place| self.span.graphs + self.graph[place] as usize + 1)) {
            [Some(g), Some(h)] if g != h => {
                feed.error_at(line, format!("vertex {u} is in graph {g} and vertex {v} in graph {h}"))
            }
            [Some(g), None] => {
                unsorted(feed, line, &format!("vertex {v} does not stand with vertex {u} of graph {g}"))
            }
            _ => unsorted(feed, line, &format!("an arc of vertex {u} after one of a later graph")),
        }
    }
}

/// More would be a number mistaken for a graph's.
const MOST_GRAPHS: u64 = 1 << 28;

/// The arcs in the order of the file: their graph in the span, and their ends within it.
#[derive(Default)]
pub(super) struct Arcs {
    pub(super) graph: Vec<u32>,
    pub(super) ends: Vec<(u32, u32)>,
}

impl Arcs {
    pub(super) fn read(feed: &mut Feed, vertices: &Vertices, faults: &mut Faults) -> Result<Self> {
        // A vertex has some two arcs: a guess that seldom needs to grow.
        let guess = 2 * vertices.graph.len() + vertices.graph.len() / 2;
        let mut arcs = Self { graph: Vec::with_capacity(guess), ends: Vec::with_capacity(guess) };
        let is_sorted = vertices.span.most.is_some();
        let mut latest = 0;
        while feed.fill()? {
            let lines = feed.at_hand();
            let (mut rest, before) = (lines, arcs.ends.len());
            while !rest.is_empty() {
                let line = feed.passed() + arcs.ends.len() - before + 1;
                let Some((u, v, after)) = pair(rest) else {
                    let found = rest.split(|&byte| byte == b'\n').next().unwrap_or_default().trim_ascii();
                    let reason = format!("expected two vertex numbers, found {}", shown(found));
                    return Err(faults.of_nobody(feed.error_at(line, reason)));
                };
                let (graph, ends) = match vertices.arc(u, v).filter(|&(graph, _)| graph >= latest) {
                    Some(arc) => arc,
                    None if vertices.follows(u) => break,
                    None => {
                        let error = vertices.misplaced(feed, line, u, v);
                        // An arc is one of its first vertex's graph. There it stays, as a loop, so that labels of arcs find theirs.
                        let Some(arc) = vertices.arc(u, u).filter(|&(graph, _)| graph >= latest) else {
                            return Err(faults.of_nobody(error));
                        };
                        faults.of_graph(arc.0 as usize, error)?;
                        arc
                    }
                };
                latest = if is_sorted { graph } else { 0 };
                arcs.graph.push(graph);
                arcs.ends.push(ends);
                rest = after;
            }
            let (passed, is_over) = (lines.len() - rest.len(), !rest.is_empty());
            feed.pass(passed, arcs.ends.len() - before);
            if is_over {
                break;
            }
        }
        Ok(arcs)
    }
}

/// Two numbers with a comma, blanks, or both between them on a line of their own, and what follows it.
#[inline]
fn pair(bytes: &[u8]) -> Option<(u64, u64, &[u8])> {
    fn skip_blanks(mut bytes: &[u8]) -> &[u8] {
        while let [b' ' | b'\t' | b'\r', rest @ ..] = bytes {
            bytes = rest;
        }
        bytes
    }
    let (u, rest) = text::leading_number(skip_blanks(bytes))?;
    let after_blanks = skip_blanks(rest);
    let after_comma = after_blanks.strip_prefix(b",").unwrap_or(after_blanks);
    if after_comma.len() == rest.len() {
        return None;
    }
    let (v, rest) = text::leading_number(skip_blanks(after_comma))?;
    match skip_blanks(rest) {
        [] => Some((u, v, &[])),
        [b'\n', rest @ ..] => Some((u, v, rest)),
        _ => None,
    }
}

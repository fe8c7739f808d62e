//! What one graph is made of, as a page: its drawing, its degrees and labels, its paths and cycles by length and by vertex.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use super::page::render;
use crate::count::{Counter, Counts};
use crate::report::drawing::{Drawing, Legend};
use crate::report::layout::LARGEST;
use crate::report::{Axis, Chart, Mark, Series, Unit};
use crate::{Graph, Monitor, Result, whole};

const TEMPLATE: &str = include_str!("view.html");

/// Shows a graph: drawn, with counts by length, and by vertex where it has at most [`View::LARGEST`].
///
/// # Example
///
/// ```
/// # use allpaths::{Counter, Graph, Monitor, explain::View};
/// let square = Graph::from_edges(4, [(0, 1), (1, 2), (2, 3), (3, 0)])?;
/// let page = View::new(Counter::up_to(4)).page(&square, "square", &Monitor::new())?;
/// assert!(page.starts_with("<!doctype html>"));
/// # Ok::<(), allpaths::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct View {
    counter: Counter,
}

#[derive(Serialize)]
struct Page<'a> {
    name: &'a str,
    order: usize,
    size: usize,
    loops: usize,
    directed: bool,
    /// Whether it is too large to be drawn, and to be counted in vertex by vertex.
    large: bool,
    largest: usize,
    asked: usize,
    finished: usize,
    outcome: &'static str,
    /// As text: they may be larger than a script's numbers. By length.
    paths: Vec<String>,
    cycles: Vec<String>,
    degrees: Vec<(usize, usize)>,
    /// The commonest first.
    label_counts: Vec<(String, usize)>,
    labels: Vec<String>,
    shown: Vec<String>,
    molecules: bool,
    chart: String,
    graph: Option<Drawing>,
    /// By vertex and length: paths from it, and cycles through it.
    by_vertex: Vec<[Vec<String>; 2]>,
}

impl View {
    /// Graphs with more vertices are not drawn: a page then sums them up.
    pub const LARGEST: usize = LARGEST;

    /// Shows what a counter counts, under its limits.
    pub fn new(counter: Counter) -> Self {
        Self { counter }
    }

    /// Writes the page of a graph: see [`View::page`].
    ///
    /// # Errors
    ///
    /// As [`View::page`], and when it cannot be written.
    pub fn write(&self, path: impl AsRef<Path>, graph: &Graph, name: &str, monitor: &Monitor) -> Result<()> {
        let page = self.page(graph, name, monitor)?;
        whole::file(path.as_ref(), |out| out.write_all(page.as_bytes()))
    }

    /// The page of a graph: one file that needs nothing else.
    ///
    /// # Errors
    ///
    /// When the settings of the counter contradict each other or the graph.
    pub fn page(&self, graph: &Graph, name: &str, monitor: &Monitor) -> Result<String> {
        let large = graph.order() > LARGEST;
        let counts = self.counter.count_under(graph, monitor)?;
        let by_vertex = match large {
            true => Vec::new(),
            false => {
                let found = self.counter.by_vertex_under(graph, monitor)?;
                let of = |counts: &Counts| [texts(counts.path_counts()), texts(counts.cycle_counts())];
                found.iter().map(of).collect()
            }
        };
        let mut degrees: BTreeMap<usize, usize> = BTreeMap::new();
        (0..graph.order()).for_each(|v| *degrees.entry(graph.neighbours(v).len()).or_default() += 1);
        let mut legend = Legend::of(name);
        let drawing = (!large).then(|| legend.drawing(graph));
        let page = Page {
            name,
            order: graph.order(),
            size: graph.size(),
            loops: graph.loops(),
            directed: graph.is_directed(),
            large,
            largest: LARGEST,
            asked: counts.max_length(),
            finished: counts.finished(),
            outcome: counts.outcome().name(),
            paths: texts(counts.path_counts()),
            cycles: texts(counts.cycle_counts()),
            degrees: degrees.into_iter().collect(),
            label_counts: label_counts(graph),
            labels: legend.names().to_vec(),
            shown: legend.shown(),
            molecules: legend.is_of_molecules(),
            chart: chart(&counts, name).to_string(),
            graph: drawing,
            by_vertex,
        };
        render(TEMPLATE, name, &page)
    }
}

fn texts(counts: Option<&[crate::count::Count]>) -> Vec<String> {
    counts.unwrap_or_default().iter().map(ToString::to_string).collect()
}

fn label_counts(graph: &Graph) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    if let Some(labels) = graph.vertex_labels() {
        (0..graph.order()).for_each(|v| *counts.entry(labels.name(v)).or_default() += 1);
    }
    let mut counts: Vec<(String, usize)> =
        counts.into_iter().map(|(label, count)| (label.to_owned(), count)).collect();
    counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    counts
}

/// Paths and cycles by length, on a logarithmic scale.
fn chart(counts: &Counts, name: &str) -> Chart {
    let series = |what: &str, counts: Option<&[crate::count::Count]>| {
        let mark = |(length, count): (usize, &crate::count::Count)| {
            // Places on a logarithmic axis: what a double loses of a large number is not seen.
            let y: f64 = count.to_string().parse().unwrap_or(0.0);
            (y > 0.0).then_some(Mark { x: length as f64, y, low: y, high: y })
        };
        Series {
            name: what.to_owned(),
            marks: counts.unwrap_or_default().iter().enumerate().filter_map(mark).collect(),
            joined: true,
            line: None,
        }
    };
    let axis = |title: &str, logarithmic| Axis { title: title.to_owned(), logarithmic, unit: Unit::None };
    Chart {
        title: format!("Paths and cycles of {name} by length"),
        x: axis("length (edges)", false),
        y: axis("how many", true),
        series: vec![series("paths", counts.path_counts()), series("cycles", counts.cycle_counts())],
    }
}

//! What decided, as a page: one file that needs nothing else.
//!
//! The page holds numbers and places as JSON, and draws a graph when it comes into view. Nothing that was read goes into it as markup.

use std::path::Path;

use minijinja::{AutoEscape, Environment};
use serde::Serialize;

use super::{Contribution, Explanation, FeatureWeight, GraphExplanation, Machine, Method};
use crate::report::drawing::{Drawing, Legend};
use crate::{Dataset, Error, Result, whole};

const TEMPLATE: &str = include_str!("why.html");

/// The features of a machine that are listed at most, for and against together.
const MOST_FEATURES: usize = 1000;

#[derive(Serialize)]
struct Page<'a> {
    dataset: &'a str,
    model: &'a str,
    method: Method,
    machines: &'a [Machine],
    classes: &'a [i64],
    labels: Vec<String>,
    shown: Vec<String>,
    molecules: bool,
    features: Vec<Vec<Row<'a>>>,
    all_features: Vec<usize>,
    cells: Vec<Vec<[f64; 6]>>,
    graphs: Vec<Graph<'a>>,
}

/// Name, kind, refinement, length, weight, graphs that have it, what it adds to all, graphs to which it adds most.
type Row<'a> = (&'a str, crate::label::Kind, usize, usize, Rounded, usize, Rounded, &'a [usize]);

/// Name, how often, what it adds, where.
type Top<'a> = (&'a str, u64, Rounded, &'a [u32]);

#[derive(Serialize)]
struct Graph<'a> {
    name: &'a str,
    /// The class that was given, if one was.
    class: Option<i64>,
    predicted: i64,
    scores: Vec<Rounded>,
    #[serde(flatten)]
    drawing: Drawing,
    /// By machine and vertex.
    vertices: Vec<Vec<Rounded>>,
    /// By machine and edge.
    bonds: Vec<Vec<Rounded>>,
    /// By machine.
    top: Vec<Vec<Top<'a>>>,
}

/// A number with as many digits as a page shows.
struct Rounded(f64);

impl Serialize for Rounded {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let rounded = (self.0 * 1e4).round() / 1e4;
        // Zero takes one byte, not two.
        if rounded == 0.0 { serializer.serialize_u8(0) } else { serializer.serialize_f64(rounded) }
    }
}

fn rounded(values: &[f64]) -> Vec<Rounded> {
    values.iter().copied().map(Rounded).collect()
}

fn row(feature: &FeatureWeight) -> Row<'_> {
    let FeatureWeight { feature, weight, graphs, sum, examples } = feature;
    let cell = feature.cell;
    let (name, kind) = (feature.name.as_str(), feature.kind);
    (name, kind, cell.refinement, cell.length, Rounded(*weight), *graphs, Rounded(*sum), examples)
}

fn graph<'a>(
    data: &'a Dataset,
    number: usize,
    found: &'a GraphExplanation,
    legend: &mut Legend,
) -> Graph<'a> {
    let top = |top: &'a Vec<Contribution>| {
        let short = |found: &'a Contribution| {
            (found.name.as_str(), found.count, Rounded(found.share), found.vertices.as_slice())
        };
        top.iter().map(short).collect()
    };
    Graph {
        name: data.names().map_or("", |names| names[number].as_str()),
        class: data.classes().and_then(|classes| classes.get(number).copied()),
        predicted: found.class,
        scores: rounded(&found.scores),
        drawing: legend.drawing(&data.graphs()[number]),
        vertices: found.shares.iter().map(|shares| rounded(&shares.vertices)).collect(),
        bonds: found.shares.iter().map(|shares| rounded(&shares.edges)).collect(),
        top: found.top.iter().map(top).collect(),
    }
}

impl Explanation {
    /// Writes the page that shows it: see [`Explanation::page`].
    ///
    /// # Errors
    ///
    /// When these are not as many graphs, or it cannot be written.
    pub fn write_page(&self, path: impl AsRef<Path>, data: &Dataset, model: &str) -> Result<()> {
        let page = self.page(data, model)?;
        whole::file(path.as_ref(), |out| out.write_all(page.as_bytes()))
    }

    /// Writes a picture of each graph to a folder, vertices coloured by their shares: `graph-0.svg` and so on, with the number of the score behind it
    /// where there are several.
    ///
    /// # Errors
    ///
    /// When these are not as many graphs, or a picture cannot be written.
    pub fn write_svgs(&self, folder: impl AsRef<Path>, data: &Dataset) -> Result<()> {
        self.check(data)?;
        let folder = folder.as_ref();
        std::fs::create_dir_all(folder).map_err(|error| Error::io(folder, error))?;
        let mut legend = Legend::of(data.name());
        let drawings: Vec<Drawing> = data.graphs().iter().map(|graph| legend.drawing(graph)).collect();
        for machine in 0..self.machines.len() {
            let of = |found: &'_ GraphExplanation| found.shares[machine].vertices.clone();
            let scale = self.graphs.iter().flat_map(of).map(f64::abs).fold(0.0, f64::max);
            for (number, (found, drawing)) in self.graphs.iter().zip(&drawings).enumerate() {
                let behind = if self.machines.len() > 1 { format!("-{machine}") } else { String::new() };
                let title =
                    format!("graph {number}: predicted {}, score {:.3}", found.class, found.scores[machine]);
                let svg = drawing.svg(&legend, &found.shares[machine].vertices, scale, &title);
                let path = folder.join(format!("graph-{number}{behind}.svg"));
                whole::file(&path, |out| out.write_all(svg.as_bytes()))?;
            }
        }
        Ok(())
    }

    fn check(&self, data: &Dataset) -> Result<()> {
        match (self.graphs.len(), data.graphs().len()) {
            (one, other) if one == other => Ok(()),
            (one, other) => Err(Error::settings(format!("{one} graphs were explained, not {other}"))),
        }
    }

    /// The page that shows it: the graphs drawn with their shares, and what features weigh. `data` are the graphs that were explained, `model` says
    /// what the model is.
    ///
    /// # Errors
    ///
    /// When these are not as many graphs.
    ///
    /// # Example
    ///
    /// ```
    /// # use allpaths::{Dataset, evaluate::{LinearClassifier, Model}, explain::Explainer};
    /// let demo = Dataset::demo(1).pick(0..40);
    /// let model = Model::from(LinearClassifier::new().fit(&demo, demo.classes().unwrap())?);
    /// let page = Explainer::new(&model).explain(&demo)?.page(&demo, "linear")?;
    /// assert!(page.starts_with("<!doctype html>"));
    /// # Ok::<(), allpaths::Error>(())
    /// ```
    pub fn page(&self, data: &Dataset, model: &str) -> Result<String> {
        self.check(data)?;
        let mut legend = Legend::of(data.name());
        let mut graphs: Vec<Graph<'_>> = Vec::with_capacity(self.graphs.len());
        for (number, found) in self.graphs.iter().enumerate() {
            graphs.push(graph(data, number, found, &mut legend));
        }
        let mut classes: Vec<i64> = self
            .machines
            .iter()
            .flat_map(|machine| machine.positive.iter().chain(&machine.negative))
            .copied()
            .collect();
        classes.sort_unstable();
        classes.dedup();
        let cells = |cells: &Vec<super::CellWeight>| {
            let numbers = |found: &super::CellWeight| {
                let cell = [found.cell.refinement as f64, found.cell.length as f64, found.features as f64];
                [cell[0], cell[1], cell[2], found.positive, found.negative, found.moved]
            };
            cells.iter().map(numbers).collect()
        };
        let page = Page {
            dataset: data.name(),
            model,
            method: self.method,
            machines: &self.machines,
            classes: &classes,
            labels: legend.names().to_vec(),
            shown: legend.shown(),
            molecules: legend.is_of_molecules(),
            features: self
                .features
                .iter()
                .map(|all| all.iter().take(MOST_FEATURES).map(row).collect())
                .collect(),
            all_features: self.features.iter().map(Vec::len).collect(),
            cells: self.cells.iter().map(cells).collect(),
            graphs,
        };
        render(TEMPLATE, data.name(), &page)
    }
}

/// A page with data in it.
pub(super) fn render(template: &str, title: &str, data: &impl Serialize) -> Result<String> {
    let wrong = |error: String| Error::settings(format!("the page cannot be made: {error}"));
    let data = serde_json::to_string(data).map_err(|error| wrong(error.to_string()))?;
    // Inside a script nothing ends it but its own end: no text may look like that.
    let data = data.replace('<', "\\u003c");
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    let context = minijinja::context! { title, program => env!("CARGO_PKG_VERSION"), data };
    environment
        .template_from_str(template)
        .and_then(|template| template.render(context))
        .map_err(|error| wrong(format!("{error:#}")))
}

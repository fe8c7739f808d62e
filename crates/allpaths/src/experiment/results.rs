//! What the experiments found, as data.

use std::fs;
use std::path::Path;

use serde::Serialize;

use super::{Finding, Job, Part, Reproduction, page};
use crate::dataset::Dataset;
use crate::label::{LabelChoice, LabelMap};
use crate::{Error, Result, threads, whole};

/// The version of `results.json`.
const VERSION: u64 = 1;

/// What the experiments found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Results {
    version: u64,
    program: &'static str,
    quick: bool,
    seed: u64,
    threads: usize,
    parts: Vec<Part>,
    datasets: Vec<About>,
    missing: Vec<String>,
    rows: Vec<Row>,
}

/// What is known of a dataset.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct About {
    /// Its name.
    pub name: String,
    /// How many graphs it has.
    pub graphs: usize,
    /// How many classes.
    pub classes: usize,
    /// The share of the commonest class, in percent.
    pub majority: f64,
    /// The mean number of vertices.
    pub vertices: f64,
    /// The labels of vertices that the paper's encoding tells apart; all others are one.
    pub labels: Vec<String>,
}

/// A number or curve that was found, beside the paper's.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The part it belongs to.
    pub part: Part,
    /// The dataset.
    pub dataset: String,
    /// The kernel, or the engine.
    pub method: String,
    /// How the paper is read, where it can be read in several ways.
    pub reading: String,
    /// What the paper says: percent, or seconds.
    pub paper: Option<f64>,
    /// How much more was found: in percent, where accuracies are compared.
    pub difference: Option<f64>,
    /// What to run for the same.
    pub command: String,
    /// What was found.
    #[serde(flatten)]
    pub found: Finding,
}

impl About {
    pub(super) fn of(data: &Dataset) -> Result<Self> {
        let mut classes = data.classes().unwrap_or_default().to_vec();
        classes.sort_unstable();
        let sizes = classes.chunk_by(|one, other| one == other).map(<[i64]>::len);
        let graphs = data.graphs().len();
        let vertices: usize = data.graphs().iter().map(crate::Graph::order).sum();
        let map = LabelMap::learn(LabelChoice::Commonest(3), data.graphs())?;
        Ok(Self {
            name: data.name().to_owned(),
            graphs,
            classes: sizes.clone().count(),
            majority: 100.0 * sizes.max().unwrap_or(0) as f64 / graphs.max(1) as f64,
            vertices: vertices as f64 / graphs.max(1) as f64,
            labels: map.kept().unwrap_or_default().to_vec(),
        })
    }
}

impl Row {
    pub(super) fn new(job: Job, found: Finding, data: &Path) -> Self {
        let difference = match (&found, job.paper) {
            (Finding::Accuracy(found), Some(paper)) => Some(found.accuracy_mean - paper),
            _ => None,
        };
        let (verb, arguments) = job.command;
        let place = data.join(job.dataset);
        let command = format!("allpaths {verb} {} {arguments}", quoted(&place.display().to_string()));
        Self {
            part: job.part,
            dataset: job.dataset.to_owned(),
            method: job.method.to_owned(),
            reading: job.reading,
            paper: job.paper,
            difference,
            command: command.trim_end().to_owned(),
            found,
        }
    }
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:@,".contains(c);
    match word.chars().all(is_plain) && !word.is_empty() {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

impl Results {
    pub(super) fn new(
        reproduction: &Reproduction,
        datasets: Vec<About>,
        missing: Vec<String>,
        rows: Vec<Row>,
    ) -> Self {
        let mut parts = reproduction.parts.clone();
        parts.sort_unstable();
        parts.dedup();
        Self {
            version: VERSION,
            program: env!("CARGO_PKG_VERSION"),
            quick: reproduction.quick,
            seed: reproduction.seed,
            threads: threads::count(reproduction.threads),
            parts,
            datasets,
            missing,
            rows,
        }
    }

    /// The numbers and curves.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// What is known of the datasets that were there.
    pub fn datasets(&self) -> &[About] {
        &self.datasets
    }

    /// How many graphs a dataset has.
    pub(super) fn graphs(&self, dataset: &str) -> usize {
        self.datasets.iter().find(|about| about.name == dataset).map_or(0, |about| about.graphs)
    }

    /// The datasets that were not there.
    pub fn missing(&self) -> &[String] {
        &self.missing
    }

    /// Whether this is the short form.
    pub fn is_quick(&self) -> bool {
        self.quick
    }

    pub(super) fn seed(&self) -> u64 {
        self.seed
    }

    pub(super) fn threads(&self) -> usize {
        self.threads
    }

    /// Those of a part.
    pub(super) fn of(&self, part: Part) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.part == part)
    }

    /// Writes `report.html`, `results.json` and `figures/*.svg` into a folder.
    ///
    /// # Errors
    ///
    /// When they cannot be written.
    pub fn write(&self, folder: &Path) -> Result<()> {
        let figures = folder.join("figures");
        fs::create_dir_all(&figures).map_err(|error| Error::io(&figures, error))?;
        let page = page::Page::of(self)?;
        for (name, svg) in &page.figures {
            whole::file(&figures.join(format!("{name}.svg")), |out| out.write_all(svg.as_bytes()))?;
        }
        whole::file(&folder.join("results.json"), |out| Ok(serde_json::to_writer_pretty(out, self)?))?;
        whole::file(&folder.join("report.html"), |out| out.write_all(page.html.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_a_shell() {
        assert_eq!(quoted("../data/NCI1"), "../data/NCI1");
        assert_eq!(quoted("my data/NCI1"), "'my data/NCI1'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}

//! What the experiments found, as a page.

use minijinja::{AutoEscape, Environment};
use serde::Serialize;

use super::figures::Point;
use super::paper::{self, DATASETS};
use super::table2_plus::TUNED;
use super::{About, Accuracy, Curve, Finding, Part, Results, Row};
use crate::evaluate::Protocol;
use crate::report::{Axis, Chart, Mark, Series, Unit, seconds};
use crate::{Error, Result};

const TEMPLATE: &str = include_str!("report.html");

/// A page, and its figures by name.
pub(super) struct Page {
    pub(super) html: String,
    pub(super) figures: Vec<(String, String)>,
}

#[derive(Serialize)]
struct Context<'a> {
    program: &'a str,
    quick: bool,
    seed: u64,
    threads: usize,
    missing: String,
    datasets: &'a [About],
    best: Vec<Best>,
    above: usize,
    tables: Vec<Table<'a>>,
    times: Vec<TimeRow<'a>>,
    figures: Vec<Figure>,
    commands: &'a [Row],
}

/// The tuned family beside the best kernel of the paper.
#[derive(Serialize)]
struct Best {
    dataset: String,
    found: String,
    paper: String,
    is_above: bool,
}

/// Accuracies: rows are kernels in all readings, columns are datasets.
#[derive(Serialize)]
struct Table<'a> {
    part: &'static str,
    datasets: Vec<&'a str>,
    groups: Vec<Group<'a>>,
}

#[derive(Serialize)]
struct Group<'a> {
    method: &'a str,
    /// What the paper says, by dataset.
    paper: Option<Vec<String>>,
    rows: Vec<Line<'a>>,
}

#[derive(Serialize)]
struct Line<'a> {
    reading: &'a str,
    /// What was found, by dataset.
    cells: Vec<Option<Cell<'a>>>,
}

#[derive(Serialize)]
struct Cell<'a> {
    mean: String,
    std: String,
    difference: Option<String>,
    /// How far it is from the paper: `near`, `below` or `above`.
    side: &'static str,
    note: String,
    thinned: bool,
    features: &'a usize,
}

#[derive(Serialize)]
struct TimeRow<'a> {
    dataset: &'a str,
    method: &'a str,
    read: String,
    embed: String,
    gram: String,
    learn: String,
    paper: Option<String>,
    ratio_embed: Option<String>,
    ratio: Option<String>,
    thinned: bool,
}

#[derive(Serialize)]
struct Figure {
    name: String,
    title: &'static str,
    svg: String,
    caption: String,
}

impl Page {
    pub(super) fn of(results: &Results) -> Result<Self> {
        let figures: Vec<Figure> = [Part::Figure1, Part::Figure2, Part::Figure3]
            .into_iter()
            .filter_map(|part| figure(results, part))
            .collect();
        let best = best(results);
        let context = Context {
            program: env!("CARGO_PKG_VERSION"),
            quick: results.is_quick(),
            seed: results.seed(),
            threads: results.threads(),
            missing: results.missing().join(", "),
            datasets: results.datasets(),
            above: best.iter().filter(|best| best.is_above).count(),
            best,
            tables: [Part::Table1, Part::Table2, Part::Table2Plus]
                .into_iter()
                .filter_map(|part| table(results, part))
                .collect(),
            times: results.of(Part::Table3).filter_map(|row| times(row, results)).collect(),
            figures,
            commands: results.rows(),
        };
        let mut environment = Environment::new();
        environment.set_auto_escape_callback(|_| AutoEscape::Html);
        let html = environment
            .template_from_str(TEMPLATE)
            .and_then(|template| template.render(&context))
            .map_err(|error| Error::settings(format!("the page cannot be made: {error:#}")))?;
        let figures = context.figures.into_iter().map(|figure| (figure.name, figure.svg)).collect();
        Ok(Self { html, figures })
    }
}

fn accuracy(row: &Row) -> Option<&Accuracy> {
    match &row.found {
        Finding::Accuracy(accuracy) => Some(accuracy),
        _ => None,
    }
}

fn best(results: &Results) -> Vec<Best> {
    let tuned = results.of(Part::Table2Plus).filter(|row| row.method == TUNED);
    let beside = |row: &Row| {
        let (found, paper) = (accuracy(row)?.accuracy_mean, paper::best(&row.dataset)?);
        let [found_words, paper_words] = [found, paper].map(|value| format!("{value:.1}"));
        Some(Best {
            dataset: row.dataset.clone(),
            found: found_words,
            paper: paper_words,
            is_above: found > paper,
        })
    };
    tuned.filter_map(beside).collect()
}

fn table(results: &Results, part: Part) -> Option<Table<'_>> {
    let rows: Vec<&Row> = results.of(part).collect();
    let has = |dataset: &&str| rows.iter().any(|row| row.dataset == **dataset);
    let datasets: Vec<&str> = DATASETS.into_iter().filter(|dataset| has(dataset)).collect();
    let mut methods: Vec<&str> = Vec::new();
    rows.iter().for_each(|row| {
        if !methods.contains(&row.method.as_str()) {
            methods.push(&row.method);
        }
    });
    let group = |method: &&'_ str| {
        let of_method = || rows.iter().filter(|row| row.method == **method);
        let at = |dataset: &str, reading: Option<&str>| {
            let is_it =
                |row: &&&Row| row.dataset == dataset && reading.is_none_or(|reading| row.reading == reading);
            of_method().find(is_it).copied()
        };
        let paper = |dataset: &&str| at(dataset, None).and_then(|row| row.paper);
        let known: Vec<Option<f64>> = datasets.iter().map(paper).collect();
        let words = |value: &Option<f64>| value.map_or_else(String::new, |value| format!("{value:.1}"));
        let mut readings: Vec<&str> = Vec::new();
        of_method().for_each(|row| {
            if !readings.contains(&row.reading.as_str()) {
                readings.push(&row.reading);
            }
        });
        let line = |reading: &str| {
            let row = rows.iter().find(|row| row.reading == reading && row.method == **method);
            let cells =
                datasets.iter().map(|dataset| at(dataset, Some(reading)).and_then(|row| cell(row, results)));
            Some(Line { reading: &row?.reading, cells: cells.collect() })
        };
        Group {
            method: rows.iter().find(|row| row.method == **method).map_or("", |row| row.method.as_str()),
            paper: known.iter().any(Option::is_some).then(|| known.iter().map(words).collect()),
            rows: readings.into_iter().filter_map(line).collect(),
        }
    };
    let groups: Vec<Group<'_>> = methods.iter().map(group).collect();
    (!rows.is_empty()).then(|| Table { part: part.name(), datasets, groups })
}

/// How far from the paper a number may be and still count as the same, in percent.
const NEAR: f64 = 2.0;

fn cell<'a>(row: &'a Row, results: &Results) -> Option<Cell<'a>> {
    let found = accuracy(row)?;
    let how = match found.protocol {
        Protocol::Fixed => "nothing was chosen".to_owned(),
        Protocol::Selected => {
            format!("the best of {} settings by this accuracy: {}", found.settings, found.chosen)
        }
        Protocol::Nested => {
            format!(
                "chosen from {} settings inside the training folds, mostly {}",
                found.settings, found.chosen
            )
        }
    };
    let over = if found.repeats > 1 {
        format!("{} repeats", found.repeats)
    } else {
        "the folds of one repeat".to_owned()
    };
    Some(Cell {
        mean: format!("{:.1}", found.accuracy_mean),
        std: format!("{:.1}", found.accuracy_std),
        difference: row.difference.map(|difference| format!("{difference:+.1}").replace('-', "\u{2212}")),
        side: match row.difference {
            Some(difference) if difference > NEAR => "above",
            Some(difference) if difference < -NEAR => "below",
            _ => "near",
        },
        note: format!("{} graphs; spread over {over}; {how}; {} features", found.graphs, found.features),
        thinned: found.graphs < results.graphs(&row.dataset) && row.part != Part::Table1,
        features: &found.features,
    })
}

fn times<'a>(row: &'a Row, results: &Results) -> Option<TimeRow<'a>> {
    let Finding::Times(found) = &row.found else { return None };
    let ratio = |time: f64| {
        let times = row.paper? / time;
        Some(if times >= 10.0 { format!("{times:.0}") } else { format!("{times:.1}") })
    };
    Some(TimeRow {
        dataset: &row.dataset,
        method: &row.method,
        read: seconds(found.read),
        embed: seconds(found.embed),
        gram: seconds(found.gram),
        learn: seconds(found.learn),
        paper: row.paper.map(|paper| format!("{paper} s")),
        ratio_embed: ratio(found.embed),
        ratio: ratio(found.embed + found.gram),
        thinned: found.graphs < results.graphs(&row.dataset),
    })
}

fn figure(results: &Results, part: Part) -> Option<Figure> {
    let curves: Vec<(&Row, &Curve)> = results
        .of(part)
        .filter_map(|row| match &row.found {
            Finding::Curve(curve) => Some((row, curve)),
            _ => None,
        })
        .collect();
    let (first, _) = curves.first()?;
    let by_size = part == Part::Figure1;
    let title = match part {
        Part::Figure1 => "Time to count all paths and cycles to length 6, by the size of the graph",
        Part::Figure2 => "Time to count all paths and cycles, by their greatest length",
        _ => "Time to decode the exact encoding, by the greatest length",
    };
    let x = if by_size { "vertices" } else { "greatest length (edges)" };
    let series = |(row, curve): &(&Row, &Curve)| {
        let mark = |&Point { x, median, low, high }: &Point| Mark { x, y: median, low, high };
        let ends = |line: super::Line| {
            let at = |x: f64| (x, line.intercept + line.slope * x);
            Some([at(curve.points.first()?.x), at(curve.points.last()?.x)])
        };
        Series {
            name: row.method.clone(),
            marks: curve.points.iter().map(mark).collect(),
            joined: !by_size,
            line: curve.line.and_then(ends),
        }
    };
    let chart = Chart {
        title: format!("{title}; {}", first.dataset),
        x: Axis { title: x.to_owned(), logarithmic: false, unit: Unit::None },
        y: Axis {
            title: "time for one graph, one thread".to_owned(),
            logarithmic: true,
            unit: Unit::Seconds,
        },
        series: curves.iter().map(series).collect(),
    };
    let captions: Vec<String> = curves.iter().map(|(row, curve)| caption(row, curve)).collect();
    Some(Figure {
        name: part.name().to_owned(),
        title,
        svg: chart.to_string(),
        caption: format!(
            "{}. Points are medians, bars hold the middle half. {}",
            first.dataset,
            captions.join(" ")
        ),
    })
}

fn caption(row: &Row, curve: &Curve) -> String {
    let of_line = |line: super::Line| {
        format!(
            "; the dashed line is the straight one nearest to the medians, {} a vertex, which explains {:.0} % of their variance",
            seconds(line.slope.max(0.0)),
            100.0 * line.r_squared
        )
    };
    let of_growth = |growth: f64| {
        format!(
            "; the median grows {growth:.2}-fold with each further edge, over the last half of the lengths"
        )
    };
    let of_decoded =
        |share: f64| format!("; {:.0} % of the graphs are decoded at the longest length", 100.0 * share);
    let more = [curve.line.map(of_line), curve.growth.map(of_growth), curve.decoded.map(of_decoded)];
    format!("{}: {} graphs{}.", row.method, curve.graphs, more.into_iter().flatten().collect::<String>())
}

//! `allpaths predict`: the classes of new graphs, by a trained classifier.

use std::path::PathBuf;
use std::time::Instant;

use allpaths::count::Outcome;
use allpaths::evaluate::{Model, Prediction};
use serde::Serialize;

use crate::Done;
use crate::input::ReadingArguments;
use crate::output::{self, OutputFormat};
use crate::watch::{self, Progress};

const EXAMPLES: &str = "\
Examples:
  allpaths predict mutag.model new/
  allpaths predict mutag.model new/ --format json

Where the graphs have classes, the share of right predictions is told, too.
Exit codes: 0 done, 1 a fault of the program, 2 usage, 3 input, 4 stopped early.";

/// Predict the classes of graphs
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// What `allpaths train` wrote
    #[arg(value_name = "MODEL")]
    model: PathBuf,

    /// File or TU folder to read
    #[arg(value_name = "INPUT")]
    input: PathBuf,

    /// How to print the predictions
    #[arg(short, long, value_enum, default_value_t = OutputFormat::Table, value_name = "FORMAT")]
    format: OutputFormat,

    #[command(flatten)]
    reading: ReadingArguments,
}

#[derive(Serialize)]
struct Report<'a> {
    input: String,
    kernel: &'a str,
    classes: &'a [i64],
    predictions: Vec<Numbered>,
    /// In percent, where the classes are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    accuracy: Option<f64>,
    seconds: Seconds,
}

#[derive(Serialize)]
struct Numbered {
    graph: usize,
    #[serde(flatten)]
    prediction: Prediction,
}

#[derive(Serialize)]
struct Seconds {
    read: f64,
    predict: f64,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Done> {
    let classifier = Model::read(&arguments.model)?;
    let input = arguments.reading.read(&arguments.input)?;
    let monitor = watch::monitor();
    let clock = Instant::now();
    let predictions = {
        let _progress = Progress::of(format!("predicting {}", input.data.name()), 2, &monitor);
        classifier.predict_under(input.data.graphs(), &monitor)?
    };
    let seconds = Seconds { read: input.seconds, predict: clock.elapsed().as_secs_f64() };
    let accuracy = input.data.classes().filter(|classes| !classes.is_empty()).map(|classes| {
        let right =
            predictions.iter().zip(classes).filter(|(prediction, class)| prediction.class == **class).count();
        100.0 * right as f64 / classes.len() as f64
    });
    let outcomes: Vec<Outcome> = predictions.iter().map(|prediction| prediction.outcome).collect();
    let numbered = |(graph, prediction)| Numbered { graph, prediction };
    let report = Report {
        input: input.name(),
        kernel: classifier.name(),
        classes: classifier.classes(),
        predictions: predictions.into_iter().enumerate().map(numbered).collect(),
        accuracy,
        seconds,
    };
    report.print(arguments.format)?;
    Ok(Done::of(&outcomes))
}

impl Report<'_> {
    fn print(&self, format: OutputFormat) -> anyhow::Result<()> {
        let mut out = std::io::stdout().lock();
        let mut header = vec!["graph".to_owned(), "class".to_owned()];
        if self.predictions.iter().any(|numbered| numbered.prediction.probabilities.is_some()) {
            header.extend(self.classes.iter().map(|class| format!("probability of {class}")));
        }
        let row = |numbered: &Numbered| {
            let Numbered { graph, prediction } = numbered;
            let probabilities = prediction.probabilities.iter().flatten().map(|p| format!("{p:.3}"));
            [graph.to_string(), prediction.class.to_string()]
                .into_iter()
                .chain(probabilities)
                .collect::<Vec<_>>()
        };
        let rows: Vec<Vec<String>> = self.predictions.iter().map(row).collect();
        match format {
            OutputFormat::Json => return output::json(&mut out, self),
            OutputFormat::Csv => {
                output::csv(&mut out, &header)?;
                rows.iter().try_for_each(|row| output::csv(&mut out, row))?;
            }
            OutputFormat::Table => output::table(&mut out, 0, &header, &rows)?,
        }
        if let Some(accuracy) = self.accuracy {
            eprintln!("{}: {accuracy:.1} % of the predictions are the classes that were given", self.input);
        }
        Ok(())
    }
}

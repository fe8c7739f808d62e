//! `allpaths reproduce`: every table and figure of the paper, beside its own numbers.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use allpaths::experiment::{Finding, Part, Reproduction, Results, Row, Step};

use crate::output;
use crate::watch::{self, Progress};
use crate::{Done, Usage};

const EXAMPLES: &str = "\
Examples:
  allpaths reproduce --data datasets/ -o report/                       all of it; it says how long the rest may take
  allpaths reproduce --data datasets/ -o report/ --quick               two minutes
  allpaths reproduce --data datasets/ -o report/ --only table2,figure1

The folder of data has the folders (or .zip files) MUTAG, PTC_MR, NCI1, NCI109 and ENZYMES, or some of them: those that `allpaths
datasets fetch` keeps in its cache will do. Stopped and started again, it goes on where it was.

Exit codes: 0 done, 1 a fault of the program, 2 usage, 3 input, 4 stopped early.";

/// Run the paper's experiments again, and write a report
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Folder with the datasets [default: `datasets` in `$ALLPATHS_DATA`]
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,

    /// Folder for report.html, results.json and figures; what is finished is kept there
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,

    /// One repeat, and fewer graphs of the largest datasets
    #[arg(long)]
    quick: bool,

    /// Some parts alone: table1, table2, table2plus, table3, figure1, figure2, figure3
    #[arg(long, value_name = "PARTS", value_delimiter = ',')]
    only: Vec<Part>,

    /// Seed of all folds
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    /// Number of threads [default: one for each processor]; times are always those of one
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Done> {
    let data = arguments.data()?;
    let mut reproduction = Reproduction::default().seed(arguments.seed);
    if arguments.quick {
        reproduction = reproduction.quick();
    }
    if !arguments.only.is_empty() {
        reproduction = reproduction.only(arguments.only.iter().copied());
    }
    if let Some(threads) = arguments.threads {
        reproduction = reproduction.threads(threads.into());
    }
    let monitor = watch::monitor();
    let mut progress = None;
    let mut watch = |step: Step<'_>| {
        drop(progress.take());
        eprintln!("{}", line(step));
        progress = Some(Progress::of(step.title.to_owned(), 1, &monitor));
    };
    let results = reproduction.run(&data, &arguments.output, &monitor, &mut watch);
    drop(progress);
    let results = results.map_err(|error| match error.is_stopped() {
        true => {
            eprintln!("allpaths: what is finished is kept in {}", arguments.output.display());
            error
        }
        false => error,
    })?;
    if results.datasets().is_empty() {
        return Err(Usage(format!(
            "{}: none of {} is there; `allpaths datasets fetch MUTAG` brings one",
            data.display(),
            results.missing().join(", ")
        ))
        .into());
    }
    results.write(&arguments.output)?;
    summary(&results, &arguments.output.join("report.html").display().to_string())?;
    Ok(Done::All)
}

/// What comes now, and how long the rest may take.
fn line(step: Step<'_>) -> String {
    let left = step.left.map_or_else(String::new, |left| format!("; about {} left", words(left)));
    format!("[{}/{}] {}{left}", step.number, step.of, step.title)
}

fn words(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..100 => format!("{seconds} s"),
        seconds => format!("{} min", seconds.div_ceil(60)),
    }
}

impl Arguments {
    fn data(&self) -> Result<PathBuf, Usage> {
        let from_environment = || {
            let root = std::env::var_os("ALLPATHS_DATA").filter(|root| !root.is_empty())?;
            Some(PathBuf::from(root).join("datasets"))
        };
        self.data.clone().or_else(from_environment).ok_or_else(|| {
            Usage("no folder of datasets: name one with --data, or set ALLPATHS_DATA".to_owned())
        })
    }
}

/// Accuracies of all rows, and where the report is.
fn summary(results: &Results, report: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let header = ["part", "dataset", "kernel", "reading", "accuracy", "spread", "paper"].map(str::to_owned);
    let row = |row: &Row| match &row.found {
        Finding::Accuracy(found) => Some(vec![
            row.part.to_string(),
            row.dataset.clone(),
            row.method.clone(),
            row.reading.clone(),
            format!("{:.1}", found.accuracy_mean),
            format!("{:.1}", found.accuracy_std),
            row.paper.map_or_else(|| "-".to_owned(), |paper| format!("{paper:.1}")),
        ]),
        _ => None,
    };
    let rows: Vec<Vec<String>> = results.rows().iter().filter_map(row).collect();
    if !rows.is_empty() {
        output::table(&mut out, 4, &header, &rows)?;
        writeln!(out)?;
    }
    if !results.missing().is_empty() {
        writeln!(out, "not found, and left out: {}", results.missing().join(", "))?;
    }
    writeln!(out, "{report}")?;
    Ok(())
}

//! `allpaths embed`: graphs as rows of named counts, in a file.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::time::Instant;

use allpaths::count::{Limits, Outcome};
use allpaths::embed::{Columns, FeatureWriter, FileKind, Fitted};
use allpaths::label::LabelMap;
use allpaths::{AllPathsCycles, Dataset, Monitor};
use serde::Serialize;

use crate::embedding::EmbeddingArguments;
use crate::input::{ReadingArguments, is_standard_input};
use crate::limits::{LimitArguments, OnBudget};
use crate::output::{self, OutputFormat, grouped};
use crate::parts::{self, Manifest, Part, Shard};
use crate::watch::{self, Progress};
use crate::{Done, Usage};

const EXAMPLES: &str = "\
Examples:
  allpaths embed NCI1/ --preset paper -l 3 -o nci1.npz              the 81 features of the paper
  allpaths embed MUTAG/ -l 7 --edge-labels -o mutag.svm --save-vocabulary mutag.vocab.json
  allpaths embed NCI1/ --profile 0:7,1:3,2:2 -o nci1.parquet        refined labels for short paths
  allpaths embed new/ --vocabulary mutag.vocab.json -o new.npz      in the columns learnt before
  allpaths embed 'parts/*.parquet' --hash-bits 18 -o out/ --resume  a part for each file; stopped, it goes on

The ending of the output's name tells what is written: .npz (SciPy; names in a .json beside it), .svm
(LIBSVM), .csv (every column), .parquet or .arrow (ids and counts, a row a graph). Without columns to
learn (.parquet, .arrow, --hash-bits, --vocabulary), graphs are read and written a few at a time. Several inputs go to a folder, a part for each.
Exit codes: 0 done, 1 a fault of the program, 2 usage, 3 input, 4 stopped early.";

/// Count labelled paths and cycles as features of graphs
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Files, TU folders or names of datasets to read; patterns such as 'parts/*.parquet', folders of files, or - for
    /// standard input
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<PathBuf>,

    /// File to write; one that is there is replaced. A folder, for a part of each input
    #[arg(short, long, value_name = "OUTPUT")]
    output: PathBuf,

    /// Kind of the parts in a folder
    #[arg(long, value_enum, default_value_t = PartKind::Parquet, value_name = "KIND", help_heading = "Parts")]
    parts: PartKind,

    /// Go on in a folder where another run ended, however it ended: what is there in the end has the same bytes
    #[arg(long, help_heading = "Parts")]
    resume: bool,

    /// Take one in N inputs: 1/N, 2/N, ... N/N together take all
    #[arg(long, value_name = "I/N", help_heading = "Parts")]
    shard: Option<Shard>,

    #[command(flatten)]
    embedding: EmbeddingArguments,

    /// Write what was learnt to a file: settings, labels and columns
    #[arg(long, value_name = "FILE", conflicts_with = "vocabulary")]
    save_vocabulary: Option<PathBuf>,

    /// Use the settings, labels and columns of such a file
    #[arg(long, value_name = "FILE", conflicts_with_all = EmbeddingArguments::NAMES)]
    vocabulary: Option<PathBuf>,

    #[command(flatten)]
    limits: LimitArguments,

    /// What to do with a graph that is over its budget
    #[arg(long, value_enum, default_value_t = OnBudget::Keep, value_name = "WHAT")]
    on_budget: OnBudget,

    /// How to print the summary
    #[arg(short, long, value_enum, default_value_t = OutputFormat::Table, value_name = "FORMAT")]
    format: OutputFormat,

    #[command(flatten)]
    reading: ReadingArguments,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum PartKind {
    /// Ids and counts, or columns and counts with --hash-bits; for pyarrow and Spark
    Parquet,
    /// The same, as Arrow files
    Arrow,
    /// LIBSVM
    Svm,
    /// SciPy
    Npz,
    /// Every column
    Csv,
}

impl PartKind {
    fn ending(self) -> &'static str {
        match self {
            PartKind::Parquet => "parquet",
            PartKind::Arrow => "arrow",
            PartKind::Svm => "svm",
            PartKind::Npz => "npz",
            PartKind::Csv => "csv",
        }
    }
}

/// What was done.
#[derive(Default, Serialize)]
struct Summary {
    input: String,
    /// Files that were written into a folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    parts: Option<usize>,
    graphs: u64,
    /// Columns; absent where there are only ids.
    features: Option<usize>,
    nonzeros: u64,
    unseen: u64,
    outcome: Outcome,
    /// Graphs that are not complete.
    incomplete: u64,
    seconds: Seconds,
}

#[derive(Default, Serialize)]
struct Seconds {
    read: f64,
    embed: f64,
    write: f64,
}

impl Seconds {
    fn add(&mut self, other: &Self) {
        self.read += other.read;
        self.embed += other.embed;
        self.write += other.write;
    }
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Done> {
    let output = &arguments.output;
    let is_folder = arguments.is_folder();
    let names_a_file = FileKind::of_name(output).is_ok() && !output.is_dir();
    if is_folder && names_a_file && !output.to_string_lossy().ends_with(std::path::is_separator) {
        let output = output.display();
        return Err(Usage(format!("{output}: parts go to a folder: end its name in /")).into());
    }
    let name = Path::new("part").with_extension(arguments.parts.ending());
    let kind = FileKind::of_name(if is_folder { &name } else { output })?;
    let monitor = watch::monitor();
    let settings = arguments.settings()?;
    let learns = arguments.vocabulary.is_none() && !settings.has_hashed_columns();
    let wants_columns = !kind.holds_ids() || arguments.save_vocabulary.is_some() || settings.drops_rare();
    let at_once = learns && wants_columns || settings.has_bins();
    let summary = if is_folder {
        if at_once {
            return Err(Usage(
                "parts need columns that do not depend on the graphs: give --vocabulary or --hash-bits"
                    .to_owned(),
            )
            .into());
        }
        arguments.in_parts(&settings, kind, &monitor)?
    } else if at_once {
        arguments.at_once(&settings, &monitor)?
    } else {
        let inputs = &arguments.inputs;
        let fitted = arguments.fitted(&settings, inputs)?;
        arguments.in_batches(&fitted, kind, &inputs[0], output, &monitor)?
    };
    if monitor.is_interrupted() {
        match summary.parts {
            Some(parts) => eprintln!("allpaths: stopped: {parts} parts are written, --resume goes on"),
            None => eprintln!("allpaths: stopped: nothing was written"),
        }
        return Ok(Done::StoppedEarly);
    }
    summary.print(arguments.format)?;
    match summary.outcome {
        Outcome::Complete => Ok(Done::All),
        outcome => Ok(Done::incomplete(summary.incomplete, summary.graphs, outcome)),
    }
}

impl Arguments {
    fn settings(&self) -> Result<AllPathsCycles, Usage> {
        let settings = self.embedding.settings()?.stopped(self.on_budget.into()).limits(self.limits.limits());
        Ok(self.limits.threads().into_iter().fold(settings, AllPathsCycles::threads))
    }

    /// Whether there is to be a part for each input.
    fn is_folder(&self) -> bool {
        let output = &self.output;
        let is_folder = output.is_dir() || output.to_string_lossy().ends_with(std::path::is_separator);
        is_folder || self.resume || self.shard.is_some() || parts::are_many(&self.inputs)
    }

    /// An error in the graphs, with the name of the input and where those graphs begin in it; settings speak for themselves.
    fn about_input(input: &Path, first: u64, error: allpaths::Error) -> anyhow::Error {
        let input = input.display();
        match (error.is_usage(), first) {
            (true, _) => error.into(),
            (false, 0) => anyhow::Error::new(error).context(input.to_string()),
            (false, _) => anyhow::Error::new(error).context(format!("{input}: counted from graph {first}")),
        }
    }

    /// Reads everything, learns the columns, writes everything.
    fn at_once(&self, settings: &AllPathsCycles, monitor: &Arc<Monitor>) -> anyhow::Result<Summary> {
        let input = self.reading.read(&self.inputs[0])?;
        let _progress = Progress::of(format!("embedding {}", input.name()), 1, monitor);
        let mut summary = Summary::of(&input.name(), None);
        summary.seconds.read = input.seconds;
        let clock = Instant::now();
        let (fitted, features) = settings
            .fit_transform_under(input.data.graphs(), monitor)
            .map_err(|error| Self::about_input(&self.inputs[0], 0, error))?;
        summary.seconds.embed = clock.elapsed().as_secs_f64();
        summary.features = Some(features.columns().len());
        summary.unseen = features.unseen();
        summary.add(features.outcomes(), features.nonzeros());
        if monitor.is_interrupted() {
            return Ok(summary);
        }
        let clock = Instant::now();
        let mut writer = FeatureWriter::create(&self.output, features.columns())?;
        writer.names(input.data.names());
        writer.write(&features, input.data.classes())?;
        writer.finish()?;
        if let Some(path) = &self.save_vocabulary {
            fitted.write(path)?;
        }
        summary.seconds.write = clock.elapsed().as_secs_f64();
        Ok(summary)
    }

    /// A part for each input, and a manifest of those that are done.
    fn in_parts(
        &self,
        settings: &AllPathsCycles,
        kind: FileKind,
        monitor: &Arc<Monitor>,
    ) -> anyhow::Result<Summary> {
        let folder = &self.output;
        let inputs = parts::expanded(&self.inputs)?;
        if self.resume && inputs.iter().any(|input| is_standard_input(input)) {
            return Err(Usage("standard input cannot be read again: leave out --resume".to_owned()).into());
        }
        let shard = self.shard.unwrap_or_default();
        let works = parts::works(&inputs, folder, self.parts.ending(), shard)?;
        let fitted = self.fitted(settings, &inputs)?;
        // Threads change no byte; all else does.
        let mut about = fitted.clone().threads(None).to_bytes()?;
        about.extend(serde_json::to_vec(&self.reading.reader())?);
        about.extend(self.parts.ending().as_bytes());
        let mut manifest = Manifest::open(folder, (shard, inputs.len()), &about, self.resume)?;
        let mut all = Summary::of(&folder.display().to_string(), self.columns(&fitted, kind));
        all.parts = Some(0);
        for work in &works {
            let part = match manifest.find(work)? {
                Some(part) => part.clone(),
                None => {
                    let done = self.in_batches(&fitted, kind, &work.input, &work.output, monitor)?;
                    if monitor.is_interrupted() {
                        break;
                    }
                    all.seconds.add(&done.seconds);
                    let Summary { graphs, nonzeros, unseen, incomplete, outcome, .. } = done;
                    let part = Part::counted(graphs, nonzeros, unseen, incomplete, outcome);
                    manifest.add(work, &part)?;
                    part
                }
            };
            all.add_part(&part);
        }
        Ok(all)
    }

    /// The columns of a file; nothing if it holds ids.
    fn columns<'a>(&self, fitted: &'a Fitted, kind: FileKind) -> Option<&'a Columns> {
        // Files of ids need no columns, but those that were learnt before say which ids count.
        let by_ids = kind.holds_ids() && self.vocabulary.is_none() && !fitted.settings().has_hashed_columns();
        (!by_ids).then(|| fitted.columns())
    }

    /// An embedding that has nothing to learn any more; what it learnt goes to a file if one is asked for.
    fn fitted(&self, settings: &AllPathsCycles, inputs: &[PathBuf]) -> anyhow::Result<Fitted> {
        let limits = self.limits.limits();
        let fitted = match &self.vocabulary {
            Some(path) => {
                let fitted = Fitted::read(path)?.threads(self.limits.threads());
                fitted.limits(limits, self.on_budget.into())
            }
            None => settings.with_labels(self.label_map(settings, inputs)?)?,
        };
        if let Some(path) = &self.save_vocabulary {
            fitted.write(path)?;
        }
        Ok(fitted)
    }

    /// Reads, embeds and writes a few graphs at a time.
    fn in_batches(
        &self,
        fitted: &Fitted,
        kind: FileKind,
        input: &Path,
        output: &Path,
        monitor: &Arc<Monitor>,
    ) -> anyhow::Result<Summary> {
        let start = Instant::now();
        let limits = self.limits.limits();
        let columns = self.columns(fitted, kind);
        let by_ids = columns.is_none();
        let mut summary = Summary::of(&input.display().to_string(), columns);
        let mut writer = FeatureWriter::create(output, fitted.columns())?;
        let progress = Progress::counting(format!("embedding {}", input.display()), monitor);
        let deadline = limits.time.and_then(|time| start.checked_add(time));
        let mut stream = self.reading.stream(input)?;
        std::thread::scope(|scope| -> anyhow::Result<()> {
            // One thread reads ahead while the others embed.
            let (sender, batches) = sync_channel(2);
            scope.spawn(move || {
                loop {
                    let clock = Instant::now();
                    let Some(batch) = stream.next() else { return };
                    let seconds = clock.elapsed().as_secs_f64();
                    if sender.send((batch, seconds)).is_err() {
                        return;
                    }
                }
            });
            for (batch, seconds) in batches {
                let batch: Dataset = batch?;
                summary.seconds.read += seconds;
                let clock = Instant::now();
                let left = deadline.map(|deadline| deadline.saturating_duration_since(clock));
                let limits = Limits { time: left, ..limits };
                let fitted = if left.is_some() {
                    &fitted.clone().limits(limits, self.on_budget.into())
                } else {
                    fitted
                };
                writer.names(batch.names());
                if by_ids {
                    let rows = fitted
                        .ids_under(batch.graphs(), monitor)
                        .map_err(|error| Self::about_input(input, summary.graphs, error))?;
                    summary.seconds.embed += clock.elapsed().as_secs_f64();
                    summary.add(rows.outcomes(), rows.nonzeros());
                    let clock = Instant::now();
                    writer.write_ids(&rows, batch.classes())?;
                    summary.seconds.write += clock.elapsed().as_secs_f64();
                } else {
                    let features = fitted
                        .transform_under(batch.graphs(), monitor)
                        .map_err(|error| Self::about_input(input, summary.graphs, error))?;
                    summary.seconds.embed += clock.elapsed().as_secs_f64();
                    summary.add(features.outcomes(), features.nonzeros());
                    summary.unseen += features.unseen();
                    let clock = Instant::now();
                    writer.write(&features, batch.classes())?;
                    summary.seconds.write += clock.elapsed().as_secs_f64();
                }
                progress.count(summary.graphs);
                if monitor.is_interrupted() {
                    break;
                }
            }
            Ok(())
        })?;
        if !monitor.is_interrupted() {
            let clock = Instant::now();
            writer.finish()?;
            summary.seconds.write += clock.elapsed().as_secs_f64();
        }
        Ok(summary)
    }

    /// Which labels keep their names: where that depends on how common they are, a first pass over the graphs counts them.
    fn label_map(&self, settings: &AllPathsCycles, inputs: &[PathBuf]) -> anyhow::Result<LabelMap> {
        let mut learner = settings.label_learner();
        if learner.looks_at_graphs() {
            if inputs.iter().any(|input| is_standard_input(input)) {
                let reason = "standard input is read once, and which labels are common takes a first look";
                return Err(Usage(format!("{reason}: give --vocabulary")).into());
            }
            for input in inputs {
                for batch in self.reading.vertices(input)? {
                    learner.add(batch?.graphs());
                }
            }
        }
        Ok(learner.finish()?)
    }
}

impl Summary {
    fn of(input: &str, columns: Option<&Columns>) -> Self {
        Self { input: input.to_owned(), features: columns.map(Columns::len), ..Self::default() }
    }

    fn add(&mut self, outcomes: &[Outcome], nonzeros: usize) {
        self.graphs += outcomes.len() as u64;
        self.nonzeros += nonzeros as u64;
        self.incomplete += outcomes.iter().filter(|&&outcome| outcome != Outcome::Complete).count() as u64;
        self.outcome = outcomes.iter().copied().fold(self.outcome, Outcome::max);
    }

    fn add_part(&mut self, part: &Part) {
        self.parts = self.parts.map(|parts| parts + 1);
        self.graphs += part.graphs;
        self.nonzeros += part.nonzeros;
        self.unseen += part.unseen;
        self.incomplete += part.incomplete;
        self.outcome = self.outcome.max(part.outcome);
    }

    fn print(&self, format: OutputFormat) -> anyhow::Result<()> {
        let mut out = std::io::stdout().lock();
        match format {
            OutputFormat::Json => output::json(&mut out, self),
            OutputFormat::Csv => {
                let header = ["graphs", "features", "nonzeros", "unseen", "outcome"];
                let features = self.features.map_or_else(String::new, |features| features.to_string());
                let row =
                    [self.graphs.to_string(), features, self.nonzeros.to_string(), self.unseen.to_string()];
                output::csv(&mut out, &header.map(str::to_owned))?;
                Ok(output::csv(&mut out, &[row.as_slice(), &[self.outcome.name().to_owned()]].concat())?)
            }
            OutputFormat::Table => {
                let mut rows: Vec<_> = self.parts.iter().map(|parts| ("parts", grouped(parts))).collect();
                rows.push(("graphs", grouped(&self.graphs)));
                rows.extend(self.features.map(|features| ("features", grouped(&features))));
                rows.push(("counts that are not 0", grouped(&self.nonzeros)));
                if self.unseen > 0 {
                    rows.push(("features without a column", grouped(&self.unseen)));
                }
                let rows: Vec<Vec<String>> =
                    rows.into_iter().map(|(what, number)| vec![what.to_owned(), number]).collect();
                Ok(output::table(&mut out, 1, &[self.input.clone(), String::new()], &rows)?)
            }
        }
    }
}

//! The arguments that say what to read and how.

use std::path::{Path, PathBuf};
use std::time::Instant;

use allpaths::Graph;
use allpaths::dataset::{Dataset, Reader};
use allpaths::graph::VertexLabels;

use crate::format::FormatName;
use crate::{Usage, size};

#[derive(clap::Args)]
pub(crate) struct InputArguments {
    /// Files or TU folders to read
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,

    #[command(flatten)]
    reading: ReadingArguments,
}

/// How to read, whatever it is.
#[derive(clap::Args)]
pub(crate) struct ReadingArguments {
    /// Take edges as directed, whatever the file says
    #[arg(long, help_heading = "Input")]
    directed: bool,

    /// Format of the input; told by content and name if not given
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = "Input")]
    input_format: Option<FormatName>,

    /// What to label vertices with where the input gives them no labels
    #[arg(long, value_enum, default_value_t = VertexLabelName::None, value_name = "WHAT", help_heading = "Input")]
    vertex_label: VertexLabelName,

    /// Most memory that a small file may ask for, unpacked or in vertices it only announces [default: 4GiB]
    #[arg(long, value_name = "SIZE", value_parser = size::parse, help_heading = "Input")]
    max_input: Option<u64>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum VertexLabelName {
    /// The number of neighbours
    Degree,
    /// The core number
    Core,
    /// Nothing: all vertices are alike
    None,
}

impl From<VertexLabelName> for VertexLabels {
    fn from(name: VertexLabelName) -> Self {
        match name {
            VertexLabelName::Degree => VertexLabels::Degree,
            VertexLabelName::Core => VertexLabels::Core,
            VertexLabelName::None => VertexLabels::None,
        }
    }
}

/// One input, read.
pub(crate) struct Input {
    pub(crate) path: PathBuf,
    pub(crate) data: Dataset,
    pub(crate) seconds: f64,
}

impl InputArguments {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.inputs.len()
    }

    /// Reads all inputs, or fails before anything is printed.
    pub(crate) fn read(&self) -> allpaths::Result<Vec<Input>> {
        self.inputs.iter().map(|path| self.reading.read(path)).collect()
    }
}

impl ReadingArguments {
    /// Reads one input; what had to be decided goes to standard error.
    pub(crate) fn read(&self, path: &Path) -> allpaths::Result<Input> {
        let start = Instant::now();
        let data = self.reader().read(path)?;
        for note in data.notes() {
            eprintln!("note: {}: {note}", path.display());
        }
        Ok(Input { path: path.to_owned(), data, seconds: start.elapsed().as_secs_f64() })
    }

    fn reader(&self) -> Reader {
        let mut reader = Reader::new().vertex_labels(self.vertex_label.into());
        if self.directed {
            reader = reader.directed(true);
        }
        if let Some(format) = self.input_format {
            reader = reader.format(format.into());
        }
        if let Some(bytes) = self.max_input {
            reader = reader.max_input(bytes);
        }
        reader
    }

    /// Reads one input a few graphs at a time for a first look, without edges where that is faster.
    pub(crate) fn vertices(
        &self,
        path: &Path,
    ) -> allpaths::Result<impl Iterator<Item = allpaths::Result<Dataset>>> {
        self.reader().skip_edges().stream(path)
    }

    /// Reads one input a few graphs at a time; what had to be decided goes to standard error.
    pub(crate) fn stream(
        &self,
        path: &Path,
    ) -> allpaths::Result<impl Iterator<Item = allpaths::Result<Dataset>>> {
        let name = path.display().to_string();
        let note =
            move |batch: &Dataset| batch.notes().iter().for_each(|note| eprintln!("note: {name}: {note}"));
        Ok(self.reader().stream(path)?.inspect(move |batch| _ = batch.as_ref().map(&note)))
    }
}

impl Input {
    /// The path as it was given.
    pub(crate) fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// All graphs, or the one with that number.
    pub(crate) fn graphs(&self, number: Option<usize>) -> Result<&[Graph], Usage> {
        let graphs = self.data.graphs();
        match number {
            None => Ok(graphs),
            Some(number) if number < graphs.len() => Ok(&graphs[number..=number]),
            Some(number) => {
                let (name, count) = (self.name(), graphs.len());
                Err(Usage(format!("{name}: no graph {number}: there are {count}, numbered from 0")))
            }
        }
    }
}

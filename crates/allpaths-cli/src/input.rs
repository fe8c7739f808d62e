//! The arguments that say what to read and how.

use std::path::{Path, PathBuf};
use std::time::Instant;

use allpaths::dataset::{Dataset, Format, Reader};

#[derive(clap::Args)]
pub(crate) struct InputArguments {
    /// Files or TU folders to read
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,

    /// Take edges as directed, whatever the file says
    #[arg(long, help_heading = "Input")]
    directed: bool,

    /// Format of the input; told by content and name if not given
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = "Input")]
    input_format: Option<InputFormat>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum InputFormat {
    /// Folder of text files that share a prefix, as in the TU Dortmund collection
    Tu,
    /// One edge a line: two names, perhaps a weight (CSV and TSV too)
    EdgeList,
    /// Graph Modelling Language
    Gml,
    /// DIMACS, with the question lines of path-counting competitions
    Dimacs,
}

/// One input, read.
pub(crate) struct Input {
    pub(crate) path: PathBuf,
    pub(crate) data: Dataset,
    pub(crate) seconds: f64,
}

impl InputArguments {
    /// Reads all inputs, or fails before anything is printed.
    pub(crate) fn read(&self) -> allpaths::Result<Vec<Input>> {
        self.inputs.iter().map(|path| self.read_one(path)).collect()
    }

    fn read_one(&self, path: &Path) -> allpaths::Result<Input> {
        let mut reader = Reader::new();
        if self.directed {
            reader = reader.directed(true);
        }
        if let Some(format) = self.input_format {
            reader = reader.format(match format {
                InputFormat::Tu => Format::Tu,
                InputFormat::EdgeList => Format::EdgeList,
                InputFormat::Gml => Format::Gml,
                InputFormat::Dimacs => Format::Dimacs,
            });
        }
        let start = Instant::now();
        let data = reader.read(path)?;
        for note in data.notes() {
            eprintln!("note: {}: {note}", path.display());
        }
        Ok(Input { path: path.to_owned(), data, seconds: start.elapsed().as_secs_f64() })
    }
}

impl Input {
    /// The path as it was given.
    pub(crate) fn name(&self) -> String {
        self.path.display().to_string()
    }
}

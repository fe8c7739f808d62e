//! The arguments that say what to read and how.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Instant;

use allpaths::Graph;
use allpaths::dataset::{AtomLabels, Collection, Dataset, Hydrogens, OnError, Published, Reader};
use allpaths::graph::VertexLabels;

use crate::format::FormatName;
use crate::watch::{self, Progress};
use crate::{Usage, size};

#[derive(clap::Args)]
pub(crate) struct InputArguments {
    /// Files, TU folders or names of datasets to read
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,

    #[command(flatten)]
    reading: ReadingArguments,
}

/// How to read, whatever it is.
#[derive(Clone, clap::Args)]
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

    #[command(flatten)]
    molecules: MoleculeArguments,
}

/// How to read molecules, and files of which one graph may be wrong.
#[derive(Clone, clap::Args)]
struct MoleculeArguments {
    /// Read molecules from a table with a header: the SMILES are in this column
    #[arg(long, value_name = "COLUMN", help_heading = "Molecules")]
    smiles_column: Option<String>,

    /// Column of a table, or property in an SDF file, with the class of each molecule
    #[arg(long, value_name = "NAME", help_heading = "Molecules")]
    target: Option<String>,

    /// What atoms are called: `element`, `atom` (with charge, hydrogens, aromatic), or a list such as element,charge of
    /// charge, hydrogens, aromatic, isotope and ring
    #[arg(long, value_name = "WHAT", default_value_t = AtomLabels::default(), help_heading = "Molecules")]
    atom_label: AtomLabels,

    /// Whether hydrogens are vertices
    #[arg(long, value_enum, default_value_t = HydrogenName::Implicit, value_name = "WHAT", help_heading = "Molecules")]
    hydrogens: HydrogenName,

    /// What to do with a graph that cannot be read, where a file holds many and tells which one is wrong
    #[arg(long, value_enum, default_value_t = OnErrorName::Fail, value_name = "WHAT", help_heading = "Input")]
    on_error: OnErrorName,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum HydrogenName {
    /// Only those that say more: isotopes, ions, bridges
    Implicit,
    /// All of them, written or not
    Explicit,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum OnErrorName {
    /// Fail
    Fail,
    /// Leave it out, and say why on standard error
    Skip,
    /// Put a graph without vertices in its place, and say why on standard error
    Empty,
}

impl From<HydrogenName> for Hydrogens {
    fn from(name: HydrogenName) -> Self {
        match name {
            HydrogenName::Implicit => Hydrogens::Implicit,
            HydrogenName::Explicit => Hydrogens::Explicit,
        }
    }
}

impl MoleculeArguments {
    fn apply(&self, reader: Reader) -> Reader {
        let reader =
            reader.atom_labels(self.atom_label.clone()).hydrogens(self.hydrogens.into()).on_error(match self
                .on_error
            {
                OnErrorName::Fail => OnError::Fail,
                OnErrorName::Skip => OnError::Skip,
                OnErrorName::Empty => OnError::Empty,
            });
        let reader = self.smiles_column.iter().fold(reader, Reader::smiles_column);
        self.target.iter().fold(reader, Reader::target)
    }
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
    /// Where it was found.
    pub(crate) place: PathBuf,
    pub(crate) data: Dataset,
    pub(crate) seconds: f64,
}

impl InputArguments {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.inputs.len()
    }

    /// Reads all inputs, or fails before anything is printed.
    pub(crate) fn read(&self) -> anyhow::Result<Vec<Input>> {
        self.inputs.iter().map(|path| self.reading.read(path)).collect()
    }
}

impl ReadingArguments {
    /// Reads one input; what had to be decided goes to standard error.
    pub(crate) fn read(&self, path: &Path) -> anyhow::Result<Input> {
        let place = place(path)?;
        let start = Instant::now();
        let data = match path {
            _ if is_demo(path) => Dataset::demo(1),
            _ if is_standard_input(path) => read_standard_input(&self.reader())?,
            _ => self.reader().read(&place)?,
        };
        for note in data.notes() {
            eprintln!("note: {}: {note}", path.display());
        }
        Ok(Input { path: path.to_owned(), place, data, seconds: start.elapsed().as_secs_f64() })
    }

    /// What atoms are called, and whether hydrogens are vertices.
    pub(crate) fn molecules(&self) -> (AtomLabels, Hydrogens) {
        (self.molecules.atom_label.clone(), self.molecules.hydrogens.into())
    }

    /// The same, but for how molecules are read.
    pub(crate) fn like(&self, atom_label: AtomLabels, hydrogens: Hydrogens) -> Self {
        let hydrogens = match hydrogens {
            Hydrogens::Implicit => HydrogenName::Implicit,
            Hydrogens::Explicit => HydrogenName::Explicit,
        };
        let molecules = MoleculeArguments { atom_label, hydrogens, ..self.molecules.clone() };
        Self { molecules, ..self.clone() }
    }

    /// Whether the input is said to be of a format that is read on as it comes.
    fn has_lines(&self) -> bool {
        cfg!(unix) && matches!(self.input_format, Some(FormatName::Smiles | FormatName::Sdf))
    }

    pub(crate) fn reader(&self) -> Reader {
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
        self.molecules.apply(reader)
    }

    /// Reads one input a few graphs at a time for a first look, without edges where that is faster.
    pub(crate) fn vertices(
        &self,
        path: &Path,
    ) -> anyhow::Result<impl Iterator<Item = allpaths::Result<Dataset>>> {
        Self::batches(&self.reader().skip_edges(), path, false)
    }

    /// Reads one input a few graphs at a time; what had to be decided goes to standard error.
    pub(crate) fn stream(
        &self,
        path: &Path,
    ) -> anyhow::Result<impl Iterator<Item = allpaths::Result<Dataset>>> {
        let name = path.display().to_string();
        let note =
            move |batch: &Dataset| batch.notes().iter().for_each(|note| eprintln!("note: {name}: {note}"));
        Ok(Self::batches(&self.reader(), path, self.has_lines())?
            .inspect(move |batch| _ = batch.as_ref().map(&note)))
    }

    fn batches(
        reader: &Reader,
        path: &Path,
        is_read_on: bool,
    ) -> anyhow::Result<Box<dyn Iterator<Item = allpaths::Result<Dataset>> + Send>> {
        Ok(match path {
            _ if is_demo(path) => Box::new(std::iter::once(Ok(Dataset::demo(1)))),
            _ if is_standard_input(path) && !is_read_on => {
                Box::new(std::iter::once(Ok(read_standard_input(reader)?)))
            }
            _ => Box::new(reader.stream(place(path)?)?),
        })
    }
}

/// Whether what is asked for comes with the program.
fn is_demo(path: &Path) -> bool {
    path == Path::new("demo") && !path.exists()
}

/// Whether an input is what another program pipes in.
pub(crate) fn is_standard_input(path: &Path) -> bool {
    path == Path::new("-")
}

fn read_standard_input(reader: &Reader) -> anyhow::Result<Dataset> {
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(reader.read_bytes("-", bytes)?)
}

/// Where an input is: at its path, or if there is nothing, where the dataset of that name is, fetched if need be.
fn place(path: &Path) -> anyhow::Result<PathBuf> {
    if is_standard_input(path) {
        return Ok("/dev/stdin".into());
    }
    // What cannot be looked at is somewhere, and the reader says what is wrong with it.
    if is_demo(path) || path.try_exists().unwrap_or(true) {
        return Ok(path.to_owned());
    }
    let name = path.to_str().unwrap_or_default();
    if Published::find(name).is_some() {
        return by_name(name);
    }
    let is_name = !name.is_empty() && !name.contains(['/', '\\', '.']);
    if is_name { Err(Missing::new(name).into()) } else { Ok(path.to_owned()) }
}

/// Where a published dataset is.
fn by_name(name: &str) -> anyhow::Result<PathBuf> {
    let collection = Collection::from_environment();
    if let Some(place) = collection.locate(name)? {
        return Ok(place);
    }
    let monitor = watch::monitor();
    let progress = Progress::of(format!("fetching {name}"), 1, &monitor);
    let place = collection.fetch(name, &monitor)?;
    drop(progress);
    eprintln!("note: {name}: fetched into {}", place.display());
    Ok(place)
}

/// An input that is neither a file or folder nor the name of a dataset.
#[derive(Debug)]
pub(crate) struct Missing(String);

impl Missing {
    /// Another input that is not there, or is not what it was.
    pub(crate) fn because(reason: String) -> Self {
        Self(reason)
    }

    fn new(name: &str) -> Self {
        let meant =
            Published::nearest(name).map_or_else(String::new, |set| format!(" did you mean {}?", set.name));
        Self(format!(
            "{name}: no such file or folder, nor a dataset of that name:{meant} `allpaths datasets` lists those known by name"
        ))
    }
}

impl std::fmt::Display for Missing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Missing {}

impl Input {
    /// Whether it came with the program.
    pub(crate) fn is_built_in(&self) -> bool {
        is_demo(&self.path)
    }

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

//! Files of molecules, a few at a time: SMILES a line, in a column of a table, or SDF.
//!
//! - `.smi`: a SMILES and, after a blank, the name of the molecule. Blank lines are passed over.
//! - A table (CSV, TSV) with a header: the SMILES are in the column that [`Reader::smiles_column`] names. The first line shows what
//!   separates columns.
//! - `.sdf`, `.mol`: see `sdf.rs`.
//!
//! The class of a molecule is in the column, or in the property, that [`Reader::target`] names. All others are properties of the graph.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::labels::{Hydrogens, Labeller};
use super::{Molecule, Scratch, sdf};
use crate::dataset::columns::{Columns, Value};
use crate::dataset::edge_list::Separator;
use crate::dataset::feed::Feed;
use crate::dataset::format::Format;
use crate::dataset::text::{integer, shown};
use crate::dataset::{Dataset, Reader};
use crate::graph::{Graph, GraphBuilder, Labels};
use crate::{Error, Result};

/// What to do with a graph that cannot be read, where others follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnError {
    /// Fail.
    #[default]
    Fail,
    /// Leave it out, and note why.
    Skip,
    /// Put a graph without vertices in its place, and note why.
    Empty,
}

/// A file of molecules that is read on for each batch.
pub(in crate::dataset) struct Molecules {
    feed: Feed,
    layout: Layout,
    labeller: Labeller,
    hydrogens: Hydrogens,
    on_error: OnError,
    molecule: Molecule,
    scratch: Scratch,
    /// Properties of the molecule read last.
    found: Vec<Property>,
    /// How many properties a batch may have.
    room: usize,
    started: bool,
}

/// Where things stand in the file.
enum Layout {
    Lines,
    /// A table of which the header is not read yet.
    Headed {
        smiles: String,
        target: Option<String>,
    },
    Table {
        separator: Separator,
        smiles: usize,
        target: Option<usize>,
        names: Vec<String>,
    },
    Records {
        target: Option<String>,
    },
}

/// What a property is called, or the number of its column, and its value.
pub(super) type Property = (Key, String);

/// How a property is told.
pub(super) enum Key {
    Name(String),
    Column(usize),
}

/// A molecule as it was read, what it is called and its class; or the line and the reason why not.
pub(super) type Record = std::result::Result<(String, Option<i64>), (usize, String)>;

impl Molecules {
    pub(in crate::dataset) fn new(feed: Feed, format: Format, reader: &Reader) -> Result<Self> {
        let target = reader.target.clone();
        let layout = match (format, &reader.smiles_column) {
            (Format::Sdf, None) => Layout::Records { target },
            (Format::Sdf, Some(_)) => return Err(Error::settings("an SDF file has no column of SMILES")),
            (_, Some(smiles)) => Layout::Headed { smiles: smiles.clone(), target },
            (_, None) if target.is_some() => {
                return Err(Error::settings(
                    "a target is a column beside the SMILES: say with the SMILES column which those are",
                ));
            }
            (_, None) => Layout::Lines,
        };
        Ok(Self {
            layout,
            labeller: Labeller::new(reader.atom_labels.clone()),
            hydrogens: reader.hydrogens,
            on_error: reader.on_error,
            molecule: Molecule::default(),
            scratch: Scratch::default(),
            found: Vec::new(),
            // As in other files: a value takes more than a byte, and only gaps can need more.
            room: reader.room(16).max(feed.size()),
            feed,
            started: false,
        })
    }

    /// Reads the rest, as one dataset.
    pub(in crate::dataset) fn read(mut self) -> Result<Dataset> {
        let mut dataset = self.read_batch(usize::MAX)?.unwrap_or_else(|| Dataset::of_path(self.feed.path()));
        dataset.note_if_empty();
        Ok(dataset)
    }

    /// Reads so many molecules, or what is left; nothing if nothing is.
    pub(in crate::dataset) fn read_batch(&mut self, size: usize) -> Result<Option<Dataset>> {
        let mut dataset = Dataset::of_path(self.feed.path());
        let mut codes: Vec<Vec<u32>> = Vec::new();
        let (mut names, mut classes) = (Vec::new(), Vec::new());
        if let Layout::Headed { .. } = self.layout {
            self.read_header()?;
        }
        let mut columns: Columns<'static> = Columns::with_room(self.room);
        let places: Vec<usize> = match &self.layout {
            Layout::Table { names, .. } => {
                names.iter().map(|name| columns.place(name.clone().into())).collect()
            }
            _ => Vec::new(),
        };
        while dataset.graphs.len() < size {
            self.found.clear();
            let Some(record) = self.next()? else { break };
            let (name, class) = match record {
                Ok((name, class)) => {
                    let (graph, _) = self.build()?;
                    dataset.graphs.push(graph);
                    codes.push(self.labeller.codes(&self.molecule));
                    (name, class)
                }
                Err((line, reason)) => {
                    let mut error = self.feed.error_at(line, reason);
                    if self.on_error == OnError::Empty && self.has_target() {
                        let advice = "leave such lines out: a graph without vertices has no class";
                        error = self.feed.error_at(line, format!("{}; {advice}", error.reason()));
                        return Err(error);
                    }
                    dataset.push_fault(&format!("line {line}"), error, self.on_error)?;
                    if self.on_error == OnError::Skip {
                        continue;
                    }
                    codes.push(Vec::new());
                    self.found.clear();
                    (String::new(), None)
                }
            };
            names.push(name);
            classes.extend(class);
            columns.begin();
            for (key, value) in self.found.drain(..) {
                match key {
                    Key::Column(column) => columns.set_at(places[column], Value::Text(value.into())),
                    Key::Name(name) => columns.set(name, Value::Text(value.into())),
                }
            }
        }
        if !columns.had_room() {
            let reason = "too many different properties, most of them without a value, to hold in memory";
            return Err(self.feed.whole_error(reason).past_limit());
        }
        columns.tell_numbers();
        dataset.properties = columns.take_attributes();
        if dataset.graphs.is_empty() && dataset.notes.is_empty() && self.started {
            return Ok(None);
        }
        self.started = true;
        let alphabet = self.labeller.alphabet();
        for (graph, codes) in dataset.graphs.iter_mut().zip(codes) {
            graph.set_vertex_labels(Labels::new(alphabet.clone(), codes));
        }
        dataset.classes = self.has_target().then_some(classes);
        dataset.names = names.iter().any(|name| !name.is_empty()).then_some(names);
        Ok(Some(dataset))
    }

    fn has_target(&self) -> bool {
        match &self.layout {
            Layout::Lines => false,
            Layout::Headed { target, .. } | Layout::Records { target } => target.is_some(),
            Layout::Table { target, .. } => target.is_some(),
        }
    }

    /// The molecule at hand as a graph whose vertices have no labels yet.
    fn build(&mut self) -> Result<(Graph, crate::graph::Merged)> {
        let mut builder: GraphBuilder = self.labeller.unlabelled(&self.molecule);
        if let Layout::Records { .. } = self.layout {
            sdf::add_coordinates(&mut builder, &self.scratch, self.molecule.atoms.len());
        }
        builder.build_noting().map_err(|error| self.feed.error(error.to_string()))
    }

    /// Reads one molecule; nothing at the end of the file.
    fn next(&mut self) -> Result<Option<Record>> {
        let Self { feed, molecule, scratch, found, .. } = self;
        let hydrogens = self.hydrogens;
        match &self.layout {
            Layout::Records { target } => {
                sdf::read(feed, target.as_deref(), molecule, hydrogens, scratch, found)
            }
            Layout::Lines | Layout::Headed { .. } => {
                while feed.next()? {
                    let line = feed.line();
                    if line.is_empty() {
                        continue;
                    }
                    let end = line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len());
                    let (smiles, name) = line.split_at(end);
                    let name = String::from_utf8_lossy(name.trim_ascii_start()).into_owned();
                    let read = molecule.read_smiles(smiles, hydrogens, scratch);
                    let wrong = |fault: super::Fault| (feed.passed(), fault.about(smiles));
                    return Ok(Some(read.map(|()| (name, None)).map_err(wrong)));
                }
                Ok(None)
            }
            &Layout::Table { separator, smiles, target, .. } => {
                while feed.next()? {
                    let row = feed.row();
                    if row.is_empty() {
                        continue;
                    }
                    let line = feed.passed();
                    let mut fields = Vec::new();
                    let record = match separator.fields(row, &mut fields) {
                        Err(reason) => Err((line, reason.to_owned())),
                        Ok(()) => {
                            let others = fields.iter().enumerate().filter(|(column, field)| {
                                *column != smiles && Some(*column) != target && !field.is_empty()
                            });
                            let text = |field: &[u8]| String::from_utf8_lossy(field).into_owned();
                            found.extend(others.map(|(column, field)| (Key::Column(column), text(field))));
                            read_row(&fields, smiles, target, molecule, hydrogens, scratch)
                                .map(|class| (String::new(), class))
                                .map_err(|reason| (line, reason))
                        }
                    };
                    return Ok(Some(record));
                }
                Ok(None)
            }
        }
    }

    /// Finds the columns by the names in the first line.
    fn read_header(&mut self) -> Result<()> {
        let Layout::Headed { smiles, target } = &self.layout else { return Ok(()) };
        let feed = &mut self.feed;
        if !feed.next()? {
            return Err(feed.whole_error("expected a header, found an empty file"));
        }
        let separator = Separator::of(feed.row());
        let mut fields = Vec::new();
        separator.fields(feed.row(), &mut fields).map_err(|reason| feed.error(reason))?;
        let column = |name: &str| {
            fields.iter().position(|field| **field == *name.as_bytes()).ok_or_else(|| {
                let columns: Vec<Cow<'_, str>> =
                    fields.iter().map(|field| String::from_utf8_lossy(field)).collect();
                feed.error(format!("no column {name:?}: there are {}", columns.join(", ")))
            })
        };
        let smiles = column(smiles)?;
        let target = target.as_deref().map(column).transpose()?;
        let names = fields.iter().map(|field| String::from_utf8_lossy(field).into_owned()).collect();
        self.layout = Layout::Table { separator, smiles, target, names };
        Ok(())
    }
}

/// The class of a row whose molecule was read.
fn read_row(
    fields: &[Cow<'_, [u8]>],
    smiles: usize,
    target: Option<usize>,
    molecule: &mut Molecule,
    hydrogens: Hydrogens,
    scratch: &mut Scratch,
) -> std::result::Result<Option<i64>, String> {
    let smiles =
        fields.get(smiles).filter(|smiles| !smiles.is_empty()).ok_or("expected a SMILES, found nothing")?;
    molecule.read_smiles(smiles, hydrogens, scratch).map_err(|fault| fault.about(smiles))?;
    let found = target.map(|target| fields.get(target).map_or([].as_slice(), |field| &**field));
    found.map(class_of).transpose()
}

/// A class as it is written, perhaps with zeros after a point.
pub(super) fn class_of(text: &[u8]) -> std::result::Result<i64, String> {
    let point = text
        .iter()
        .position(|&byte| byte == b'.')
        .filter(|&point| text[point + 1..].iter().all(|&byte| byte == b'0'));
    let whole = &text[..point.unwrap_or(text.len())];
    integer(whole).ok_or_else(|| format!("expected a whole number as class, found {}", shown(text)))
}

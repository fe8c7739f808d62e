//! What atoms and bonds are called as vertices and edges.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::{Atom, Bond, Molecule};
use crate::graph::{About, Alphabet, Graph, GraphBuilder, Interner, Labels};
use crate::{Error, Result};

/// Whether hydrogens are vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Hydrogens {
    /// They are not, but for those that say more than that there is one: isotopes, ions, bridges.
    #[default]
    Implicit,
    /// All of them are, written or not.
    Explicit,
}

/// What may be part of an atom's label beside its element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomPart {
    /// A sign and, from 2 on, a number behind everything: `N+`, `Fe+2`.
    Charge,
    /// How many hydrogens are bound to it and are no vertices: `CH3`, `NH`.
    Hydrogens,
    /// Lower case, if it is aromatic: `c`, `nH`.
    Aromatic,
    /// A mass number in front: `13C`.
    Isotope,
    /// `_ring` at the end, if it is in a ring: `C_ring`.
    Ring,
}

impl AtomPart {
    const ALL: [(AtomPart, &'static str); 5] = [
        (AtomPart::Charge, "charge"),
        (AtomPart::Hydrogens, "hydrogens"),
        (AtomPart::Aromatic, "aromatic"),
        (AtomPart::Isotope, "isotope"),
        (AtomPart::Ring, "ring"),
    ];
}

/// What the vertices of molecules are called: their elements, and what else is asked for; by default [`AtomLabels::atom`].
///
/// # Example
///
/// ```
/// # use allpaths::dataset::{AtomLabels, Molecule};
/// let pyrrole = Molecule::from_smiles("c1cc[nH]c1")?;
/// let names = |labels: &str| -> Result<_, allpaths::Error> {
///     let graph = pyrrole.graph(&labels.parse()?);
///     Ok(graph.vertex_labels().map(|labels| [labels.name(0).to_owned(), labels.name(3).to_owned()]).unwrap())
/// };
/// assert_eq!(names("element")?, ["C", "N"]);
/// assert_eq!(names("atom")?, ["cH", "nH"]); // charge, hydrogens, aromatic
/// assert_eq!(names("element,aromatic")?, ["c", "n"]);
/// # Ok::<(), allpaths::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct AtomLabels {
    parts: Vec<AtomPart>,
}

impl Default for AtomLabels {
    fn default() -> Self {
        Self::atom()
    }
}

impl AtomLabels {
    /// Elements alone.
    pub fn element() -> Self {
        Self { parts: Vec::new() }
    }

    /// Elements with charge, hydrogens and whether they are aromatic.
    pub fn atom() -> Self {
        Self { parts: vec![AtomPart::Charge, AtomPart::Hydrogens, AtomPart::Aromatic] }
    }

    /// Elements with some parts.
    pub fn with(parts: impl IntoIterator<Item = AtomPart>) -> Self {
        Self { parts: parts.into_iter().collect() }
    }

    fn has(&self, part: AtomPart) -> bool {
        self.parts.contains(&part)
    }

    /// What an atom is called.
    fn text(&self, atom: &Atom) -> String {
        let mut text = String::new();
        if self.has(AtomPart::Isotope) && atom.isotope > 0 {
            text += &atom.isotope.to_string();
        }
        text += atom.element.symbol();
        if self.has(AtomPart::Aromatic) && atom.is_aromatic {
            text.make_ascii_lowercase();
        }
        if self.has(AtomPart::Hydrogens) {
            match atom.hydrogens {
                0 => {}
                1 => text.push('H'),
                many => text.extend(["H", many.to_string().as_str()]),
            }
        }
        if self.has(AtomPart::Charge) {
            text += &charge(atom.charge);
        }
        if self.has(AtomPart::Ring) && atom.is_in_ring {
            text += "_ring";
        }
        text
    }

    /// A number that two atoms share if and only if they are called the same.
    fn key(&self, atom: &Atom) -> u64 {
        let part = |part: AtomPart, value: u64| if self.has(part) { value } else { 0 };
        u64::from(atom.element.number())
            | part(AtomPart::Charge, u64::from(atom.charge.cast_unsigned())) << 8
            | part(AtomPart::Hydrogens, u64::from(atom.hydrogens)) << 16
            | part(AtomPart::Aromatic, u64::from(atom.is_aromatic)) << 24
            | part(AtomPart::Ring, u64::from(atom.is_in_ring)) << 25
            | part(AtomPart::Isotope, u64::from(atom.isotope)) << 32
    }
}

/// A charge as it is written: nothing, a sign, or a sign and a number.
pub(super) fn charge(charge: i8) -> String {
    let sign = if charge < 0 { '-' } else { '+' };
    match charge.unsigned_abs() {
        0 => String::new(),
        1 => sign.to_string(),
        size => format!("{sign}{size}"),
    }
}

impl FromStr for AtomLabels {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        if text == "atom" {
            return Ok(Self::atom());
        }
        let part = |word: &str| AtomPart::ALL.iter().find(|(_, name)| *name == word).map(|(part, _)| *part);
        let mut words = text.split(',');
        let parts: Option<Vec<AtomPart>> =
            if words.next() == Some("element") { words.map(part).collect() } else { None };
        parts.map(Self::with).ok_or_else(|| {
            Error::settings(format!(
                "{text:?}: expected atom, or element and then any of charge, hydrogens, aromatic, isotope, ring, as in element,charge"
            ))
        })
    }
}

impl TryFrom<String> for AtomLabels {
    type Error = Error;

    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

impl From<AtomLabels> for String {
    fn from(labels: AtomLabels) -> Self {
        labels.to_string()
    }
}

impl fmt::Display for AtomLabels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("element")?;
        AtomPart::ALL
            .iter()
            .filter(|(part, _)| self.has(*part))
            .try_for_each(|(_, name)| write!(f, ",{name}"))
    }
}

/// Makes graphs of molecules that share their alphabets.
pub(in crate::dataset) struct Labeller {
    labels: AtomLabels,
    interner: Interner,
    elements: [u32; 128],
    codes: FxHashMap<u64, u32>,
    bonds: Arc<Alphabet>,
}

impl Labeller {
    pub(in crate::dataset) fn new(labels: AtomLabels) -> Self {
        let bonds = Labels::from_names(Bond::SIGNS).alphabet().clone();
        Self {
            labels,
            interner: Interner::default(),
            elements: [u32::MAX; 128],
            codes: FxHashMap::default(),
            bonds,
        }
    }

    /// The codes of a molecule's atoms.
    pub(super) fn codes(&mut self, molecule: &Molecule) -> Vec<u32> {
        molecule.atoms.iter().map(|atom| self.code(atom)).collect()
    }

    #[inline]
    fn code(&mut self, atom: &Atom) -> u32 {
        let Self { labels, interner, elements, codes, .. } = self;
        let key = labels.key(atom);
        let mut new = || interner.code(&labels.text(atom));
        match elements.get_mut(key as usize) {
            Some(code) if *code != u32::MAX => *code,
            Some(code) => {
                *code = new();
                *code
            }
            None => *codes.entry(key).or_insert_with(new),
        }
    }

    /// A molecule as a graph whose vertices have no labels yet.
    pub(super) fn unlabelled(&self, molecule: &Molecule) -> GraphBuilder {
        let listed = molecule.bonds.iter().map(|bond| bond.ends).collect();
        let codes = molecule.bonds.iter().map(|bond| bond.code()).collect();
        let about = About { edge_labels: Some(Labels::new(self.bonds.clone(), codes)), ..About::default() };
        GraphBuilder::from_listing(false, molecule.atoms.len(), listed, about)
    }

    /// All that atoms have been called so far.
    pub(super) fn alphabet(&self) -> Arc<Alphabet> {
        self.interner.alphabet()
    }
}

impl Molecule {
    /// The graph of its atoms and bonds, under labels.
    ///
    /// # Panics
    ///
    /// When it has 2^30 atoms or more.
    pub fn graph(&self, labels: &AtomLabels) -> Graph {
        let mut labeller = Labeller::new(labels.clone());
        let codes = labeller.codes(self);
        let graph = labeller.unlabelled(self).build().expect("atoms and bonds that were checked");
        graph.with_vertex_labels(Labels::new(labeller.alphabet(), codes))
    }
}

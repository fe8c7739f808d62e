//! Molecules out of graphs: what labels say of atoms and bonds, read back.

use std::sync::Arc;

use super::{Atom, Bond, Element, Molecule, Scratch};
use crate::graph::{Alphabet, Graph};
use crate::{Error, Result};

impl Molecule {
    /// The molecule that a graph is by its labels: those that [`AtomLabels`](super::AtomLabels) gives to atoms, and the signs of bonds.
    ///
    /// What labels do not say is lost, as are isotopes by default. Hydrogens are what labels say; where none in the alphabet of the
    /// graph has any, as with elements alone, they are filled in.
    ///
    /// # Errors
    ///
    /// When labels are missing or none of an atom or a bond, when edges have directions, or aromatic rings cannot be drawn.
    ///
    /// # Example
    ///
    /// ```
    /// # use allpaths::dataset::{AtomLabels, Molecule};
    /// let molecule = Molecule::from_smiles("OC(=O)c1ccc[nH]1")?;
    /// let graph = molecule.graph(&AtomLabels::atom());
    /// assert_eq!(Molecule::from_graph(&graph)?.to_smiles(), molecule.to_smiles());
    /// # Ok::<(), allpaths::Error>(())
    /// ```
    pub fn from_graph(graph: &Graph) -> Result<Self> {
        Dictionary::default().molecule(graph).map_err(Error::graph)
    }
}

/// What the labels of an alphabet say of atoms. Graphs of a dataset share theirs.
#[derive(Default)]
pub(in crate::dataset) struct Dictionary {
    alphabet: Option<Arc<Alphabet>>,
    atoms: Vec<Option<Atom>>,
    has_hydrogens: bool,
    scratch: Scratch,
}

impl Dictionary {
    /// Whether labels say how many hydrogens the atoms of the last graph have.
    pub(in crate::dataset) fn has_hydrogens(&self) -> bool {
        self.has_hydrogens
    }

    /// The molecule that a graph is, or why it is none.
    pub(in crate::dataset) fn molecule(&mut self, graph: &Graph) -> std::result::Result<Molecule, String> {
        let mut molecule = Molecule::default();
        if graph.order() == 0 {
            return Ok(molecule);
        }
        if graph.is_directed() {
            return Err("edges have directions, and bonds have none".into());
        }
        let labels = graph.vertex_labels().ok_or("vertices have no labels that say which atoms they are")?;
        self.learn(labels.alphabet());
        for (v, &code) in labels.codes().iter().enumerate() {
            let atom = self.atoms[code as usize].ok_or_else(|| {
                format!(
                    "the label {:?} of vertex {v} is none of an atom, as CH3, nH or O- are",
                    labels.name(v)
                )
            })?;
            let fills = !self.has_hydrogens && atom.element != Element::ANY;
            molecule.atoms.push(Atom { fills, ..atom });
        }
        let signs = match graph.edge_labels() {
            None if graph.size() > 0 => {
                return Err("edges have no labels that say which bonds they are".into());
            }
            signs => signs,
        };
        for (edge, (u, v)) in graph.edges().enumerate() {
            let sign = signs.map_or("-", |signs| signs.name(edge));
            let Some(code) = Bond::SIGNS.iter().position(|known| *known == sign) else {
                let known = Bond::SIGNS.join(" ");
                return Err(format!("the label {sign:?} of edge {edge} is no bond: those are {known}"));
            };
            if u == v {
                return Err(format!("vertex {v} is joined to itself"));
            }
            let is_aromatic = code == 4;
            let order = if is_aromatic { 1 } else { code as u8 + 1 };
            molecule.bonds.push(Bond { is_aromatic, ..Bond::new(u as u32, v as u32, order) });
        }
        let settled = molecule.settle(&mut self.scratch);
        settled.map_err(|(atom, reason)| format!("{reason}, at vertex {atom}"))?;
        Ok(molecule)
    }

    fn learn(&mut self, alphabet: &Arc<Alphabet>) {
        if self.alphabet.as_ref().is_some_and(|known| Arc::ptr_eq(known, alphabet)) {
            return;
        }
        self.atoms = alphabet.names().iter().map(|label| atom_of(label)).collect();
        self.has_hydrogens = self.atoms.iter().flatten().any(|atom| atom.hydrogens > 0);
        self.alphabet = Some(alphabet.clone());
    }
}

/// The atom that a label says, as [`AtomLabels`](super::AtomLabels) writes it: `13C`, `cH`, `NH3+`, `O-2`, `C_ring`.
fn atom_of(label: &str) -> Option<Atom> {
    let label = label.strip_suffix("_ring").unwrap_or(label);
    let (isotope, label) = split(label, |c| c.is_ascii_digit());
    let isotope = if isotope.is_empty() { 0 } else { isotope.parse().ok().filter(|&mass| mass < 1000)? };
    let (first, rest) = label.split_at_checked(1)?;
    let (more, label) = split(rest, |c| c.is_ascii_lowercase());
    let element = Element::of_symbol(&(first.to_ascii_uppercase() + more))?;
    let is_aromatic = first.chars().all(|c| c.is_ascii_lowercase());
    let (hydrogens, label) = match label.strip_prefix('H').map(|label| split(label, |c| c.is_ascii_digit())) {
        None => (0, label),
        Some(("", label)) => (1, label),
        Some((digits, label)) => (digits.parse().ok()?, label),
    };
    let charge = match label {
        "" => 0,
        "+" => 1,
        "-" => -1,
        _ => label
            .parse()
            .ok()
            .filter(|charge| label.starts_with(['+', '-']) && (-15..=15).contains(charge))?,
    };
    Some(Atom { element, charge, isotope, hydrogens, is_aromatic, ..Atom::default() })
}

/// The characters in front that are of a kind, and the rest.
fn split(text: &str, is: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c| !is(c)).unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::AtomLabels;
    use crate::graph::GraphBuilder;

    #[test]
    fn labels_of_atoms_and_others() {
        let told = |label: &str| {
            let atom = atom_of(label)?;
            let Atom { isotope, hydrogens, charge, is_aromatic, .. } = atom;
            Some((isotope, atom.element.symbol(), hydrogens, charge, is_aromatic))
        };
        for (label, expected) in [
            ("C", (0, "C", 0, 0, false)),
            ("cH", (0, "C", 1, 0, true)),
            ("13CH3", (13, "C", 3, 0, false)),
            ("NH3+", (0, "N", 3, 1, false)),
            ("O-2", (0, "O", 0, -2, false)),
            ("se+", (0, "Se", 0, 1, true)),
            ("HH", (0, "H", 1, 0, false)),
            ("2H", (2, "H", 0, 0, false)),
            ("*", (0, "*", 0, 0, false)),
            ("Hg+2", (0, "Hg", 0, 2, false)),
            ("C_ring", (0, "C", 0, 0, false)),
        ] {
            assert_eq!(told(label), Some(expected), "{label}");
        }
        for label in ["", "7", "Xx", "C4", "CH3++", "C+16", "CH300", "1000C", "é", "C H", "_ring", "H-H"] {
            assert_eq!(told(label), None, "{label}");
        }
    }

    #[test]
    fn hydrogens_that_no_label_has_are_filled_in() {
        let graph = |smiles: &str, labels: &str| {
            Molecule::from_smiles(smiles).unwrap().graph(&labels.parse::<AtomLabels>().unwrap())
        };
        let back = |smiles: &str, labels: &str| {
            Molecule::from_graph(&graph(smiles, labels)).map(|molecule| molecule.to_smiles())
        };
        assert_eq!(back("CC(=O)Oc1ccccc1", "element").unwrap(), "CC(=O)Oc1ccccc1");
        // Without hydrogens, nothing says that there is one at the nitrogen.
        assert!(back("c1cc[nH]c1", "element,aromatic").unwrap_err().to_string().contains("[nH], at vertex"));
        // A carbon without hydrogens, because another label has some.
        assert_eq!(back("[C]C", "atom").unwrap(), "[C]C");
        assert_eq!(back("[13CH3]C", "element,hydrogens,isotope").unwrap(), "[13CH3]C");
    }

    #[test]
    fn graphs_that_are_no_molecules() {
        let said =
            |builder: GraphBuilder| Molecule::from_graph(&builder.build().unwrap()).unwrap_err().to_string();
        let pair = |vertex: &str, edge: Option<&str>, edges: &[(usize, usize)]| {
            let mut builder = GraphBuilder::undirected(2);
            for &(u, v) in edges {
                builder.edge(u, v).unwrap();
            }
            builder.vertex_labels([vertex, vertex]);
            if let Some(edge) = edge {
                builder.edge_labels(edges.iter().map(|_| edge));
            }
            said(builder)
        };
        assert_eq!(
            pair("7", Some("-"), &[(0, 1)]),
            "the label \"7\" of vertex 0 is none of an atom, as CH3, nH or O- are"
        );
        assert_eq!(
            pair("C", Some("1"), &[(0, 1)]),
            "the label \"1\" of edge 0 is no bond: those are - = # $ :"
        );
        assert!(pair("C", None, &[(0, 1)]).contains("edges have no labels"));
        assert!(pair("C", Some("-"), &[(1, 1)]).contains("vertex 1 is joined to itself"));
        assert!(said(GraphBuilder::undirected(1)).contains("vertices have no labels"));
        assert!(said(GraphBuilder::directed(1)).contains("directions"));
    }
}

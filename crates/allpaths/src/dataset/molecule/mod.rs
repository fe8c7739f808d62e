//! Molecules: atoms and bonds as chemists write them, and the graphs they are.
//!
//! A [`Molecule`] comes from a SMILES string or from a molfile, always by the same steps, so that it does not matter how
//! it was drawn:
//!
//! 1. Hydrogens that are written as atoms become a number of their neighbour, unless they say more than that.
//! 2. Aromatic atoms and bonds are given single and double bonds (a perfect matching), or refused where there is no way to.
//! 3. Hydrogens that are left out are filled in, to the next usual valence.
//! 4. Rings are found, and which of them are aromatic: by electrons, 4n + 2 of them, in single rings and in fused ones.
//!
//! [`AtomLabels`] says what a vertex is called when the molecule becomes a [`Graph`](crate::Graph); edges are called by
//! the signs of their bonds, `-`, `=`, `#`, `$` and `:` for aromatic ones, so that names of features read as SMILES do.

mod aromatic;
mod element;
mod kekule;
mod labels;
mod read;
mod rings;
mod sdf;
mod smiles;
mod topology;
mod unlabel;
mod write;

pub use element::Element;
pub use labels::{AtomLabels, AtomPart, Hydrogens};
pub(super) use read::Molecules;
pub use read::OnError;
use smiles::Fault;
pub(super) use unlabel::Dictionary;
pub(super) use write::Written;

use crate::{Error, Result};
use topology::Topology;

/// An atom, with what is known of it beside its bonds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Atom {
    /// What it is.
    pub element: Element,
    /// Its charge.
    pub charge: i8,
    /// Its mass number; 0 if none is given.
    pub isotope: u16,
    /// How many hydrogens it has that are no atoms of their own.
    pub hydrogens: u8,
    /// Its atom class, a number that means nothing here; 0 if none is given.
    pub class: u32,
    /// Whether it is part of an aromatic ring.
    pub is_aromatic: bool,
    /// Whether it is part of any ring.
    pub is_in_ring: bool,
    /// How many of its electrons are unpaired, as far as a file says so.
    radicals: u8,
    /// Whether its hydrogens were left out, and are to be filled in.
    fills: bool,
}

/// A bond between two atoms, given by their places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bond {
    /// The atoms it joins.
    pub ends: (u32, u32),
    /// Single (1) to quadruple (4); of aromatic bonds, what it is in one way to draw the ring.
    pub order: u8,
    /// Whether it is part of an aromatic ring.
    pub is_aromatic: bool,
    /// Whether it is part of any ring.
    pub is_in_ring: bool,
}

impl Bond {
    fn new(u: u32, v: u32, order: u8) -> Self {
        Self { ends: (u, v), order, is_aromatic: false, is_in_ring: false }
    }

    /// The sign that stands for it in SMILES and in the names of features.
    pub fn sign(self) -> &'static str {
        Self::SIGNS[self.code() as usize]
    }

    const SIGNS: [&'static str; 5] = ["-", "=", "#", "$", ":"];

    /// The place of its sign.
    fn code(self) -> u32 {
        if self.is_aromatic { 4 } else { u32::from(self.order.clamp(1, 4)) - 1 }
    }
}

/// Atoms and bonds, with rings and aromaticity known.
///
/// # Example
///
/// ```
/// # use allpaths::dataset::Molecule;
/// let kekule = Molecule::from_smiles("C1=CC=CC=C1O")?;
/// assert_eq!(kekule.to_smiles(), "c1ccccc1O");
/// assert_eq!(kekule.atoms()[6].hydrogens, 1);
/// # Ok::<(), allpaths::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Molecule {
    atoms: Vec<Atom>,
    bonds: Vec<Bond>,
}

/// Memory that is used again for each molecule of a file.
#[derive(Default)]
struct Scratch {
    topology: Topology,
    smiles: smiles::Scratch,
    kekule: kekule::Scratch,
    rings: rings::Rings,
    aromatic: aromatic::Scratch,
    /// Where the atoms of a molfile are.
    coordinates: Vec<[f64; 3]>,
    /// What the bonds and hydrogens of some atoms of a molfile add up to: places and sums.
    valences: Vec<(u32, u8)>,
}

impl Molecule {
    /// Reads a SMILES string.
    ///
    /// All of OpenSMILES is read: bracket atoms with isotope, charge, hydrogens and class, ring closures to `%99`, aromatic atoms,
    /// dots. Chirality and the directions of bonds are checked, and left out: a graph has no place for them.
    ///
    /// # Errors
    ///
    /// When it is no SMILES, or its aromatic atoms cannot be given double bonds; the message says at which character.
    ///
    /// # Example
    ///
    /// ```
    /// # use allpaths::dataset::Molecule;
    /// let error = Molecule::from_smiles("CC(=O").unwrap_err();
    /// assert_eq!(error.to_string(), "expected ) to end the branch, found the end, at character 3 of \"CC(=O\"");
    /// ```
    pub fn from_smiles(smiles: &str) -> Result<Self> {
        let mut molecule = Self::default();
        molecule
            .read_smiles(smiles.as_bytes(), Hydrogens::Implicit, &mut Scratch::default())
            .map_err(|fault| Error::graph(fault.about(smiles.as_bytes())))?;
        Ok(molecule)
    }

    /// Reads a SMILES string in place of what was held before.
    fn read_smiles(
        &mut self,
        smiles: &[u8],
        hydrogens: Hydrogens,
        scratch: &mut Scratch,
    ) -> std::result::Result<(), Fault> {
        scratch.smiles.parse(smiles, self)?;
        self.finish(hydrogens, scratch)
            .map_err(|(atom, reason)| Fault::new(scratch.smiles.place_of(atom), reason))
    }

    /// All that follows reading: aromatic bonds are `is_aromatic` until now, whatever they will be. An error names an atom.
    fn finish(
        &mut self,
        hydrogens: Hydrogens,
        scratch: &mut Scratch,
    ) -> std::result::Result<(), (usize, &'static str)> {
        if hydrogens == Hydrogens::Implicit && self.atoms.iter().any(|atom| atom.element == Element::H) {
            self.fold_hydrogens(&mut scratch.smiles.places);
        }
        self.settle(scratch)?;
        if hydrogens == Hydrogens::Explicit {
            self.unfold_hydrogens();
        }
        Ok(())
    }

    /// Finds all that bonds, charges and hydrogens imply, and leaves hydrogens that are atoms as they are.
    fn settle(&mut self, scratch: &mut Scratch) -> std::result::Result<(), (usize, &'static str)> {
        let Scratch { topology, kekule, rings, aromatic, .. } = scratch;
        topology.build(self.atoms.len(), &mut self.bonds);
        kekule.assign(self, topology)?;
        self.fill_hydrogens(topology);
        if topology.rings() > 0 {
            for bond in self.bonds.iter().filter(|bond| bond.is_in_ring) {
                self.atoms[bond.ends.0 as usize].is_in_ring = true;
                self.atoms[bond.ends.1 as usize].is_in_ring = true;
            }
            rings.find(self, topology);
            aromatic.perceive(self, topology, rings);
        }
        Ok(())
    }

    /// The atoms.
    pub fn atoms(&self) -> &[Atom] {
        &self.atoms
    }

    /// The bonds.
    pub fn bonds(&self) -> &[Bond] {
        &self.bonds
    }

    /// Makes hydrogens that are atoms a number of the atoms they are bound to. Those with an isotope, a charge or a class, and
    /// those between atoms, at `*` or at other hydrogens, stay.
    fn fold_hydrogens(&mut self, places: &mut Vec<u32>) {
        const STAYS: u32 = u32::MAX;
        const LONELY: u32 = u32::MAX - 1;
        // The neighbour of each hydrogen that may go.
        let mut neighbour: Vec<u32> =
            self.atoms.iter().map(|atom| if atom.is_plain_hydrogen() { LONELY } else { STAYS }).collect();
        for bond in &self.bonds {
            let (u, v) = bond.ends;
            for (h, other) in [(u, v), (v, u)] {
                let known = &mut neighbour[h as usize];
                if *known != STAYS {
                    let element = self.atoms[other as usize].element;
                    let holds = bond.order == 1
                        && *known == LONELY
                        && element != Element::H
                        && element != Element::ANY;
                    *known = if holds { other } else { STAYS };
                }
            }
        }
        let stays = |atom: u32| neighbour[atom as usize] >= LONELY;
        if (0..self.atoms.len() as u32).all(stays) {
            return;
        }
        for &other in neighbour.iter().filter(|&&other| other < LONELY) {
            let hydrogens = &mut self.atoms[other as usize].hydrogens;
            *hydrogens = hydrogens.saturating_add(1);
        }
        self.bonds.retain(|bond| stays(bond.ends.0) && stays(bond.ends.1));
        let mut next = 0;
        let numbers: Vec<u32> = (0..self.atoms.len() as u32)
            .map(|atom| {
                let number = next;
                next += u32::from(stays(atom));
                number
            })
            .collect();
        for bond in &mut self.bonds {
            bond.ends = (numbers[bond.ends.0 as usize], numbers[bond.ends.1 as usize]);
        }
        let mut all = 0..self.atoms.len() as u32;
        let mut same = all.clone();
        self.atoms.retain(|_| all.next().is_some_and(stays));
        places.retain(|_| same.next().is_none_or(stays));
    }

    /// Gives atoms the hydrogens that were left out: as many as the next usual valence has room for.
    fn fill_hydrogens(&mut self, topology: &Topology) {
        for v in 0..self.atoms.len() {
            if self.atoms[v].fills {
                let taken = self.valence(topology, v) + self.atoms[v].radicals;
                let atom = &mut self.atoms[v];
                let valences = atom.element.under(atom.charge).valences();
                let room = valences.iter().find(|&&valence| valence >= taken);
                atom.hydrogens = atom.hydrogens.saturating_add(room.map_or(0, |valence| valence - taken));
            }
        }
    }

    /// What an atom's bonds and hydrogens add up to.
    fn valence(&self, topology: &Topology, v: usize) -> u8 {
        let bonds = topology.neighbours(v).iter().map(|&(_, bond)| self.bonds[bond as usize].order);
        bonds.fold(self.atoms[v].hydrogens, u8::saturating_add)
    }

    /// Makes all hydrogens atoms.
    fn unfold_hydrogens(&mut self) {
        for v in 0..self.atoms.len() {
            for _ in 0..std::mem::take(&mut self.atoms[v].hydrogens) {
                self.bonds.push(Bond::new(v as u32, self.atoms.len() as u32, 1));
                self.atoms.push(Atom { element: Element::H, ..Atom::default() });
            }
        }
    }
}

/// The rings of any graph, as those of a molecule are found: vertices in order around each.
#[cfg(feature = "report")]
pub(crate) fn rings_of(order: usize, edges: impl Iterator<Item = (usize, usize)>) -> Vec<Vec<u32>> {
    let bonds = edges.filter(|(u, v)| u != v).map(|(u, v)| Bond::new(u as u32, v as u32, 1)).collect();
    let mut molecule = Molecule { atoms: vec![Atom::default(); order], bonds };
    let (mut topology, mut rings) = (Topology::default(), rings::Rings::default());
    topology.build(order, &mut molecule.bonds);
    rings.find(&molecule, &topology);
    rings.rings.into_iter().map(|ring| ring.atoms).collect()
}

impl Atom {
    /// Whether it says nothing but that there is a hydrogen.
    fn is_plain_hydrogen(&self) -> bool {
        self.element == Element::H
            && (self.charge, self.isotope, self.class, self.hydrogens, self.radicals) == (0, 0, 0, 0, 0)
    }
}

//! SMILES out: what is read back is the same molecule.

use std::fmt::Write as _;

use super::labels::charge;
use super::topology::Topology;
use super::{Bond, Element, Molecule};

impl Molecule {
    /// The molecule as SMILES, with aromatic atoms in lower case. From each atom on, neighbours follow in order, so that the same
    /// molecule with other places may read differently: this is no canonical form. SMILES has numbers for 99 rings that are open at one place;
    /// a molecule with more than those cannot be told by it.
    ///
    /// # Example
    ///
    /// ```
    /// # use allpaths::dataset::Molecule;
    /// let molecule = Molecule::from_smiles("O=C([O-])C1=CC=CN1.[Na+]")?;
    /// assert_eq!(molecule.to_smiles(), "O=C([O-])c1ccc[nH]1.[Na+]");
    /// # Ok::<(), allpaths::Error>(())
    /// ```
    pub fn to_smiles(&self) -> String {
        self.written().smiles
    }

    /// The molecule as SMILES, with the order of its atoms there.
    pub(in crate::dataset) fn written(&self) -> Written {
        let mut bonds = self.bonds.clone();
        let mut topology = Topology::default();
        topology.build(self.atoms.len(), &mut bonds);
        let mut writer = Writer {
            molecule: self,
            topology,
            tree: vec![Vec::new(); self.atoms.len()],
            closures: vec![Vec::new(); self.atoms.len()],
            numbers: vec![None; self.bonds.len()],
            free: (1..100).rev().collect(),
            out: String::new(),
            order: Vec::with_capacity(self.atoms.len()),
            is_told: true,
        };
        let mut is_met = vec![false; self.atoms.len()];
        for root in 0..self.atoms.len() as u32 {
            if !is_met[root as usize] {
                if root > 0 {
                    writer.out.push('.');
                }
                writer.plan(root, &mut is_met);
                writer.write(root);
            }
        }
        Written { smiles: writer.out, order: writer.order, is_told: writer.is_told }
    }
}

/// A molecule as SMILES.
pub(in crate::dataset) struct Written {
    pub(in crate::dataset) smiles: String,
    /// The atoms in the order in which they stand there.
    pub(in crate::dataset) order: Vec<u32>,
    /// Whether there were numbers for all rings.
    pub(in crate::dataset) is_told: bool,
}

/// Elements whose hydrogens may be left out.
const ORGANIC: [Element; 10] = [
    Element::B,
    Element::C,
    Element::N,
    Element::O,
    Element::P,
    Element::S,
    Element::F,
    Element::CL,
    Element::BR,
    Element::I,
];

impl Molecule {
    /// What the bonds and hydrogens of each atom add up to, where a molfile must say so: an ion, a metal, or an atom with another valence than the usual one, which readers
    /// fill in differently.
    pub(in crate::dataset) fn odd_valences(&self) -> Vec<Option<u8>> {
        let mut bonds = self.bonds.clone();
        let mut topology = Topology::default();
        topology.build(self.atoms.len(), &mut bonds);
        let odd = |v: usize| {
            let (atom, valence) = (&self.atoms[v], self.valence(&topology, v));
            let is_usual = ORGANIC.contains(&atom.element)
                && atom.charge == 0
                && atom.element.valences().first() == Some(&valence);
            (!is_usual).then_some(valence)
        };
        (0..self.atoms.len()).map(odd).collect()
    }
}

struct Writer<'a> {
    molecule: &'a Molecule,
    topology: Topology,
    /// The atoms that follow each atom, with the bonds to them.
    tree: Vec<Vec<(u32, u32)>>,
    /// The bonds of each atom that close rings.
    closures: Vec<Vec<u32>>,
    /// The number of a ring closure that is open.
    numbers: Vec<Option<u8>>,
    /// Numbers that are not in use, the smallest last.
    free: Vec<u8>,
    out: String,
    order: Vec<u32>,
    is_told: bool,
}

/// What is still to be written: an atom reached by a bond, or the end of a branch.
enum Piece {
    Atom(u32, Option<u32>),
    Open,
    Close,
}

impl Writer<'_> {
    /// Decides which bonds are followed and which close rings: those that lead back to an atom met before.
    fn plan(&mut self, root: u32, is_met: &mut [bool]) {
        let mut is_used = vec![false; self.molecule.bonds.len()];
        let sorted = |topology: &Topology, v: u32| {
            let mut next = topology.neighbours(v as usize).to_vec();
            next.sort_unstable_by(|a, b| b.cmp(a));
            next
        };
        is_met[root as usize] = true;
        let mut walk = vec![(root, sorted(&self.topology, root))];
        while let Some((v, next)) = walk.last_mut() {
            let v = *v;
            let Some((w, bond)) = next.pop() else {
                walk.pop();
                continue;
            };
            if std::mem::replace(&mut is_used[bond as usize], true) {
                continue;
            }
            if is_met[w as usize] {
                self.closures[v as usize].push(bond);
                self.closures[w as usize].push(bond);
            } else {
                is_met[w as usize] = true;
                self.tree[v as usize].push((w, bond));
                walk.push((w, sorted(&self.topology, w)));
            }
        }
    }

    fn write(&mut self, root: u32) {
        let mut pieces = vec![Piece::Atom(root, None)];
        while let Some(piece) = pieces.pop() {
            match piece {
                Piece::Open => self.out.push('('),
                Piece::Close => self.out.push(')'),
                Piece::Atom(v, by) => {
                    if let Some(bond) = by {
                        self.sign(bond);
                    }
                    self.atom(v);
                    self.order.push(v);
                    for bond in std::mem::take(&mut self.closures[v as usize]) {
                        self.closure(bond);
                    }
                    let next = std::mem::take(&mut self.tree[v as usize]);
                    if let Some((&(last, bond), branches)) = next.split_last() {
                        pieces.push(Piece::Atom(last, Some(bond)));
                        for &(w, bond) in branches.iter().rev() {
                            pieces.extend([Piece::Close, Piece::Atom(w, Some(bond)), Piece::Open]);
                        }
                    }
                }
            }
        }
    }

    /// The sign of a bond, where it is needed.
    fn sign(&mut self, bond: u32) {
        let bond: Bond = self.molecule.bonds[bond as usize];
        let [one, other] = [bond.ends.0, bond.ends.1].map(|v| &self.molecule.atoms[v as usize]);
        // In a ring, an atom that can be any may be aromatic as well.
        let may_be = |atom: &super::Atom| is_lower(atom) || (bond.is_in_ring && atom.element == Element::ANY);
        let is_told = (is_lower(one) || is_lower(other)) && may_be(one) && may_be(other);
        match (bond.is_aromatic, bond.order) {
            (true, _) if is_told => {}
            (false, 1) if !is_told => {}
            _ => self.out.push_str(bond.sign()),
        }
    }

    fn closure(&mut self, bond: u32) {
        let number = match self.numbers[bond as usize].take() {
            Some(number) => {
                let place = self.free.partition_point(|&other| other > number);
                self.free.insert(place, number);
                number
            }
            None => {
                self.sign(bond);
                // More than 99 rings open at one place are in no molecule that SMILES can tell.
                self.is_told &= !self.free.is_empty();
                let number = self.free.pop().unwrap_or(0);
                self.numbers[bond as usize] = Some(number);
                number
            }
        };
        _ = if number < 10 { write!(self.out, "{number}") } else { write!(self.out, "%{number}") };
    }

    fn atom(&mut self, v: u32) {
        let atom = &self.molecule.atoms[v as usize];
        let mut symbol = atom.element.symbol().to_owned();
        let is_lower = is_lower(atom);
        if is_lower {
            symbol.make_ascii_lowercase();
        }
        if self.is_bare(v as usize) {
            self.out.push_str(&symbol);
            return;
        }
        let isotope = if atom.isotope > 0 { atom.isotope.to_string() } else { String::new() };
        let hydrogens = match atom.hydrogens {
            0 => String::new(),
            1 => "H".into(),
            many => format!("H{many}"),
        };
        let class = if atom.class > 0 { format!(":{}", atom.class) } else { String::new() };
        _ = write!(self.out, "[{isotope}{symbol}{hydrogens}{}{class}]", charge(atom.charge));
    }

    /// Whether an atom needs no brackets: its hydrogens are those that are filled in.
    fn is_bare(&self, v: usize) -> bool {
        let atom = &self.molecule.atoms[v];
        if atom.charge != 0 || atom.isotope != 0 || atom.class != 0 {
            return false;
        }
        if atom.element == Element::ANY {
            return atom.hydrogens == 0;
        }
        if !ORGANIC.contains(&atom.element)
            || (atom.is_aromatic && atom.element != Element::C && atom.hydrogens > 0)
        {
            return false;
        }
        let taken = self.molecule.valence(&self.topology, v) - atom.hydrogens;
        let room = atom.element.valences().iter().find(|&&valence| valence >= taken);
        // Beyond all usual valences readers do not agree on what is filled in.
        room.is_some_and(|valence| valence - taken == atom.hydrogens)
    }
}

/// Whether an atom is written in lower case.
fn is_lower(atom: &super::Atom) -> bool {
    atom.is_aromatic && atom.element != Element::ANY
}

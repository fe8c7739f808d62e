//! Which rings are aromatic, by the electrons they share: the model that RDKit documents as its own.
//!
//! An atom may take part if it has at most three neighbours, hydrogens included, its usual valence, and no more than one
//! double bond. It gives the ring one electron by a double bond in the ring; two by a lone pair; none where a double bond leads out of
//! the ring to an element that draws the electrons away, or where it has an empty orbital, as in the cation of tropylium. A ring of such atoms
//! is aromatic with 4n + 2 electrons. So are up to six fused rings together, counted along atoms of at most two of them: azulene is aromatic, though neither of its
//! rings is. The bonds between such rings are not, unless they are in an aromatic ring alone.

use super::rings::{Ring, Rings};
use super::topology::Topology;
use super::{Element, Molecule};

/// Memory that is used again for each molecule.
#[derive(Default)]
pub(super) struct Scratch {
    /// The electrons of each atom, fewest and most; nothing if it cannot take part.
    given: Vec<Option<(u8, u8)>>,
    /// The rings all of whose atoms take part.
    rings: Vec<usize>,
    /// In how many rings at hand an atom or a bond is.
    atoms: Vec<u8>,
    bonds: Vec<u8>,
}

/// Rings of more atoms are not looked at together with others.
const LARGEST_FUSED: usize = 24;
/// More rings are not taken together.
const MOST_FUSED: usize = 6;
/// More sets of rings are not tried in one molecule.
const MOST_SETS: usize = 10_000;

impl Scratch {
    /// Marks aromatic atoms and bonds; no mark is set before.
    pub(super) fn perceive(&mut self, molecule: &mut Molecule, topology: &Topology, rings: &Rings) {
        let rings = &rings.rings;
        self.given.clear();
        self.given.resize(molecule.atoms.len(), None);
        for &v in rings.iter().flat_map(|ring| &ring.atoms) {
            self.given[v as usize] = electrons(molecule, topology, v as usize);
        }
        self.rings.clear();
        self.rings.extend(
            (0..rings.len())
                .filter(|&ring| rings[ring].atoms.iter().all(|&v| self.given[v as usize].is_some())),
        );
        if self.rings.is_empty() {
            return;
        }
        self.atoms.clear();
        self.atoms.resize(molecule.atoms.len(), 0);
        self.bonds.clear();
        self.bonds.resize(molecule.bonds.len(), 0);
        for i in 0..self.rings.len() {
            self.try_set(&[self.rings[i]], rings, molecule);
        }
        let is_open =
            |ring: &usize| rings[*ring].bonds.iter().any(|&bond| !molecule.bonds[bond as usize].is_aromatic);
        if self.rings.len() > 1 && self.rings.iter().any(is_open) {
            self.try_fused(rings, molecule);
        }
    }

    /// Tries sets of fused rings, small ones first, while there are bonds to win in their system.
    fn try_fused(&mut self, rings: &[Ring], molecule: &mut Molecule) {
        let candidates: Vec<usize> =
            self.rings.iter().copied().filter(|&ring| rings[ring].atoms.len() <= LARGEST_FUSED).collect();
        let shares = |a: usize, b: usize| rings[a].bonds.iter().any(|bond| rings[b].bonds.contains(bond));
        let fused: Vec<Vec<usize>> = (0..candidates.len())
            .map(|i| {
                (0..candidates.len()).filter(|&j| j != i && shares(candidates[i], candidates[j])).collect()
            })
            .collect();
        let mut sets: Vec<Vec<usize>> = (0..candidates.len()).map(|i| vec![i]).collect();
        let mut tried = 0;
        for _ in 2..=MOST_FUSED.min(candidates.len()) {
            // Each connected set of one more ring, once.
            let mut larger: Vec<Vec<usize>> = Vec::new();
            for set in &sets {
                for &next in set.iter().flat_map(|&i| &fused[i]) {
                    if !set.contains(&next) {
                        let mut with = set.clone();
                        with.push(next);
                        with.sort_unstable();
                        larger.push(with);
                    }
                }
                if larger.len() > MOST_SETS {
                    break;
                }
            }
            larger.sort_unstable();
            larger.dedup();
            for set in &larger {
                tried += 1;
                if tried > MOST_SETS {
                    return;
                }
                let chosen: Vec<usize> = set.iter().map(|&i| candidates[i]).collect();
                let is_open = |&ring: &usize| {
                    rings[ring].bonds.iter().any(|&bond| !molecule.bonds[bond as usize].is_aromatic)
                };
                if chosen.iter().any(is_open) {
                    self.try_set(&chosen, rings, molecule);
                }
            }
            sets = larger;
        }
    }

    /// Marks rings as aromatic if together they are.
    fn try_set(&mut self, set: &[usize], rings: &[Ring], molecule: &mut Molecule) {
        for &ring in set {
            rings[ring].atoms.iter().for_each(|&v| self.atoms[v as usize] += 1);
            rings[ring].bonds.iter().for_each(|&bond| self.bonds[bond as usize] += 1);
        }
        let (mut fewest, mut most) = (0, 0);
        for &v in set.iter().flat_map(|&ring| &rings[ring].atoms) {
            // An atom of two rings is met twice, and one of three is inside.
            let times = &mut self.atoms[v as usize];
            if let (1 | 2, Some((few, many))) = (*times, self.given[v as usize]) {
                fewest += u32::from(few);
                most += u32::from(many);
            }
            *times = 0;
        }
        let is_aromatic =
            if most >= 6 { (fewest..=most).any(|electrons| electrons % 4 == 2) } else { most == 2 };
        for &ring in set {
            for &v in rings[ring].atoms.iter().filter(|_| is_aromatic) {
                molecule.atoms[v as usize].is_aromatic = true;
            }
            for &bond in &rings[ring].bonds {
                molecule.bonds[bond as usize].is_aromatic |= is_aromatic && self.bonds[bond as usize] == 1;
            }
        }
        set.iter().flat_map(|&ring| &rings[ring].bonds).for_each(|&bond| self.bonds[bond as usize] = 0);
    }
}

/// How many electrons an atom gives to a ring, fewest and most; nothing if it cannot be aromatic.
fn electrons(molecule: &Molecule, topology: &Topology, v: usize) -> Option<(u8, u8)> {
    let atom = &molecule.atoms[v];
    let bonds = || topology.neighbours(v).iter().map(|&(w, bond)| (w, molecule.bonds[bond as usize]));
    let within = bonds().any(|(_, bond)| bond.is_in_ring && bond.order > 1);
    if atom.element == Element::ANY {
        return Some(if within { (1, 1) } else { (0, 2) });
    }
    let number = atom.element.number();
    if number > 18 && atom.element != Element::SE && atom.element != Element::TE {
        return None;
    }
    let usual = i16::from(*atom.element.valences().first().filter(|&&valence| valence > 1)?);
    let neighbours = i16::try_from(topology.neighbours(v).len()).unwrap_or(i16::MAX);
    let degree = neighbours.saturating_add(i16::from(atom.hydrogens));
    let charged = i16::from(*atom.element.under(atom.charge).valences().first()?);
    let valence = i16::from(molecule.valence(topology, v));
    let multiple = bonds().filter(|(_, bond)| bond.order > 1).count();
    if degree > 3 || valence > charged || multiple > 1 {
        return None;
    }
    // Where hydrogens were given and are too few, electrons are left over.
    let unpaired = if atom.fills { i16::from(atom.radicals) } else { charged - valence };
    if unpaired > 0 && (atom.element != Element::C || atom.charge != 0) {
        return None;
    }
    let pairs = (atom.element.outer_electrons()? - usual - i16::from(atom.charge)).max(0);
    let mut left = usual - degree + pairs - unpaired;
    let unsaturated = bonds().map(|(_, bond)| i16::from(bond.order) - 1).sum::<i16>();
    if left > 1 && unsaturated > 1 {
        left = 1;
    }
    let outside = bonds().find(|(_, bond)| !bond.is_in_ring && bond.order > 1);
    let is_drawn = outside.is_some_and(|(w, _)| molecule.atoms[w as usize].element.draws_from(atom.element));
    match left {
        ..0 => None,
        0 if outside.is_some() => Some((0, 0)),
        0 => within.then_some((1, 1)),
        1 if outside.is_some() => Some(if is_drawn { (0, 0) } else { (1, 1) }),
        1 if multiple > 0 => Some((1, 1)),
        1 => (atom.charge == 1).then_some((0, 0)),
        _ => Some(if (left - i16::from(is_drawn)) % 2 == 1 { (1, 1) } else { (2, 2) }),
    }
}

//! Rings: a smallest set of smallest ones.
//!
//! A shortest ring is sought through a bond that no ring found so far has, until all bonds in rings have one. Where
//! rings are fused along bonds, and hardly anything else is drawn, that is as many as there are independent ones. Cages have more:
//! there all rings that are shortest from one of their atoms are candidates (Horton), of which independent ones are taken, short ones first.

use super::Molecule;
use super::topology::Topology;

/// The rings of a molecule, as atoms in order and as the bonds that follow each.
#[derive(Default)]
pub(super) struct Rings {
    pub(super) rings: Vec<Ring>,
    /// Rings of molecules before, whose memory is used again.
    spare: Vec<Ring>,
    covered: Vec<bool>,
    search: Search,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Ring {
    pub(super) atoms: Vec<u32>,
    pub(super) bonds: Vec<u32>,
}

/// A search by breadth among bonds in rings.
#[derive(Default)]
struct Search {
    /// The atom and the bond before each atom, and how far it is; stamped with the number of the search.
    before: Vec<(u32, u32, u32)>,
    stamps: Vec<u32>,
    stamp: u32,
    queue: Vec<u32>,
}

/// Cages of more bonds than these are left with a ring for each bond.
const LARGEST_CAGE: usize = 400;

impl Rings {
    pub(super) fn find(&mut self, molecule: &Molecule, topology: &Topology) {
        self.spare.append(&mut self.rings);
        self.covered.clear();
        self.covered.resize(molecule.bonds.len(), false);
        self.search.begin(molecule.atoms.len());
        for bond in 0..molecule.bonds.len() {
            if molecule.bonds[bond].is_in_ring && !self.covered[bond] {
                let mut ring = self.spare.pop().unwrap_or_default();
                let (u, v) = molecule.bonds[bond].ends;
                self.search.run(u, Some(v), bond as u32, molecule, topology);
                self.search.close(&mut ring, v, u, bond as u32);
                ring.bonds.iter().for_each(|&bond| self.covered[bond as usize] = true);
                self.rings.push(ring);
            }
        }
        let in_rings = self.covered.iter().filter(|&&covered| covered).count();
        if self.rings.len() < topology.rings() && in_rings <= LARGEST_CAGE {
            self.find_in_cages(molecule, topology);
        }
    }

    /// A smallest set by Horton's candidates.
    fn find_in_cages(&mut self, molecule: &Molecule, topology: &Topology) {
        let mut candidates: Vec<Ring> = Vec::new();
        let in_rings: Vec<u32> =
            (0..molecule.bonds.len() as u32).filter(|&bond| self.covered[bond as usize]).collect();
        let mut column = vec![0; molecule.bonds.len()];
        in_rings.iter().zip(0..).for_each(|(&bond, place)| column[bond as usize] = place);
        for root in 0..molecule.atoms.len() as u32 {
            if !topology.neighbours(root as usize).iter().any(|&(_, bond)| self.covered[bond as usize]) {
                continue;
            }
            self.search.run(root, None, u32::MAX, molecule, topology);
            for &bond in &in_rings {
                candidates.extend(self.search.around(bond, root, molecule));
            }
        }
        candidates.sort_by_key(|ring| ring.bonds.len());
        // Rows of bits in echelon form: a candidate that reduces to nothing depends on shorter ones.
        let words = in_rings.len().div_ceil(64);
        let mut rows: Vec<(usize, Vec<u64>)> = Vec::new();
        self.spare.append(&mut self.rings);
        for ring in candidates {
            let mut bits = vec![0u64; words];
            for &bond in &ring.bonds {
                let place: usize = column[bond as usize];
                bits[place / 64] ^= 1 << (place % 64);
            }
            for (pivot, row) in &rows {
                if bits[pivot / 64] >> (pivot % 64) & 1 == 1 {
                    bits.iter_mut().zip(row).for_each(|(bit, other)| *bit ^= other);
                }
            }
            if let Some(word) = bits.iter().position(|&word| word != 0) {
                rows.push((word * 64 + bits[word].trailing_zeros() as usize, bits));
                self.rings.push(ring);
                if self.rings.len() == topology.rings() {
                    return;
                }
            }
        }
    }
}

impl Search {
    fn begin(&mut self, order: usize) {
        if self.stamps.len() < order {
            self.stamps.resize(order, 0);
            self.before.resize(order, (0, 0, 0));
        }
    }

    /// Goes out from an atom along bonds in rings but one, until another atom is reached.
    fn run(&mut self, root: u32, target: Option<u32>, but: u32, molecule: &Molecule, topology: &Topology) {
        self.stamp += 1;
        self.queue.clear();
        self.queue.push(root);
        self.stamps[root as usize] = self.stamp;
        self.before[root as usize] = (root, u32::MAX, 0);
        let mut at = 0;
        while let Some(&v) = self.queue.get(at) {
            at += 1;
            let far = self.before[v as usize].2 + 1;
            for &(w, bond) in topology.neighbours(v as usize) {
                if bond == but
                    || self.stamps[w as usize] == self.stamp
                    || !molecule.bonds[bond as usize].is_in_ring
                {
                    continue;
                }
                self.stamps[w as usize] = self.stamp;
                self.before[w as usize] = (v, bond, far);
                if Some(w) == target {
                    return;
                }
                self.queue.push(w);
            }
        }
    }

    /// The ring of the way back from an atom to the root, and the bond between them.
    fn close(&self, ring: &mut Ring, from: u32, root: u32, bond: u32) {
        ring.atoms.clear();
        ring.bonds.clear();
        let mut v = from;
        while v != root {
            let (before, by, _) = self.before[v as usize];
            ring.atoms.push(v);
            ring.bonds.push(by);
            v = before;
        }
        ring.atoms.push(root);
        ring.bonds.push(bond);
    }

    /// The ring of a bond and the ways from the root to its ends, if those share nothing but the root.
    fn around(&self, bond: u32, root: u32, molecule: &Molecule) -> Option<Ring> {
        let (u, v) = molecule.bonds[bond as usize].ends;
        let reached = |w: u32| self.stamps[w as usize] == self.stamp;
        if !reached(u)
            || !reached(v)
            || self.before[u as usize].1 == bond
            || self.before[v as usize].1 == bond
        {
            return None;
        }
        let mut ring = Ring::default();
        self.close(&mut ring, u, root, bond);
        let mut other = Ring::default();
        self.close(&mut other, v, root, bond);
        // Both end at the root and with the bond.
        other.atoms.pop();
        other.bonds.pop();
        if other.atoms.iter().any(|atom| ring.atoms.contains(atom)) {
            return None;
        }
        ring.bonds.pop();
        ring.atoms.extend(other.atoms.into_iter().rev());
        ring.bonds.extend(other.bonds.into_iter().rev());
        ring.bonds.push(bond);
        Some(ring)
    }
}

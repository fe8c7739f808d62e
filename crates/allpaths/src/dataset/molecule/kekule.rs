//! Single and double bonds for aromatic rings.
//!
//! An aromatic atom with room for one more bond must have exactly one double bond, to another such atom. That is a perfect
//! matching of those atoms; Edmonds' algorithm finds one in any graph, rings of five and seven included.

use super::topology::Topology;
use super::{Element, Molecule};

/// Memory that is used again for each molecule.
#[derive(Default)]
pub(super) struct Scratch {
    room: Vec<Room>,
    /// Who shares a double bond with whom.
    mate: Vec<u32>,
    search: Search,
}

/// Whether an atom takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Room {
    No,
    /// It may have a double bond: an atom that can be any.
    May,
    Must,
}

const NONE: u32 = u32::MAX;

impl Scratch {
    /// Gives all aromatic bonds an order, and takes the marks from them. An error names an atom.
    pub(super) fn assign(
        &mut self,
        molecule: &mut Molecule,
        topology: &Topology,
    ) -> Result<(), (usize, &'static str)> {
        let mut is_any = molecule.atoms.iter().any(|atom| atom.is_aromatic);
        for bond in &mut molecule.bonds {
            // Between two rings, not in one: a single bond, whatever its atoms are.
            bond.is_aromatic &= bond.is_in_ring;
            is_any |= bond.is_aromatic;
        }
        if !is_any {
            return Ok(());
        }
        let is_in_ring = |v: usize| {
            topology.neighbours(v).iter().any(|&(_, bond)| molecule.bonds[bond as usize].is_in_ring)
        };
        if let Some(v) = (0..molecule.atoms.len()).find(|&v| molecule.atoms[v].is_aromatic && !is_in_ring(v))
        {
            return Err((v, "expected an aromatic atom to be in a ring"));
        }
        let order = molecule.atoms.len();
        self.room.clear();
        self.room.extend((0..order).map(|v| room_of(molecule, topology, v)));
        self.mate.clear();
        self.mate.resize(order, NONE);
        self.pair_up(molecule, topology)?;
        for bond in &mut molecule.bonds {
            if bond.is_aromatic {
                bond.is_aromatic = false;
                bond.order = if self.mate[bond.ends.0 as usize] == bond.ends.1 { 2 } else { 1 };
            }
        }
        molecule.atoms.iter_mut().for_each(|atom| atom.is_aromatic = false);
        Ok(())
    }

    fn pair_up(&mut self, molecule: &Molecule, topology: &Topology) -> Result<(), (usize, &'static str)> {
        let Self { room, mate, search } = self;
        let partners = |v: usize| {
            let room = &*room;
            topology
                .neighbours(v)
                .iter()
                .filter(move |&&(w, bond)| {
                    molecule.bonds[bond as usize].is_aromatic && room[w as usize] != Room::No
                })
                .map(|&(w, _)| w)
        };
        // Along a ring, whoever comes first takes the next.
        for v in 0..room.len() {
            if room[v] == Room::Must
                && mate[v] == NONE
                && let Some(w) =
                    partners(v).find(|&w| mate[w as usize] == NONE && room[w as usize] == Room::Must)
            {
                mate[v] = w;
                mate[w as usize] = v as u32;
            }
        }
        for v in 0..room.len() {
            if room[v] == Room::Must
                && mate[v] == NONE
                && !search.augment(v, mate, &partners, |w| room[w] == Room::May)
            {
                return Err((v, UNMATCHED));
            }
        }
        Ok(())
    }
}

/// Whether an atom has room for one more bond.
fn room_of(molecule: &Molecule, topology: &Topology, v: usize) -> Room {
    let atom = &molecule.atoms[v];
    let is_bound = topology.neighbours(v).iter().any(|&(_, bond)| molecule.bonds[bond as usize].is_aromatic);
    if !atom.is_aromatic && !is_bound {
        return Room::No;
    }
    if atom.element == Element::ANY {
        return Room::May;
    }
    // A carbon has one double bond at most: what room is left is for hydrogens.
    let mut bonds = topology.neighbours(v).iter().map(|&(_, bond)| molecule.bonds[bond as usize]);
    if atom.element == Element::C && bonds.any(|bond| bond.order > 1) {
        return Room::No;
    }
    let taken = molecule.valence(topology, v).saturating_add(atom.radicals);
    let valences = atom.element.under(atom.charge).valences();
    match valences.iter().find(|&&valence| valence >= taken) {
        Some(&valence) if valence > taken => Room::Must,
        _ => Room::No,
    }
}

const UNMATCHED: &str = "expected aromatic rings that can be drawn with single and double bonds: a hydrogen or a charge may be missing, as in [nH]";

/// Edmonds' search for an augmenting path: a tree of alternating paths, in which odd rings are shrunk to their first atom.
#[derive(Default)]
struct Search {
    parent: Vec<u32>,
    base: Vec<u32>,
    is_outer: Vec<bool>,
    queue: Vec<u32>,
    marked: Vec<bool>,
    in_blossom: Vec<bool>,
}

impl Search {
    /// Finds a partner for an atom, others changing theirs; false if there is no way.
    fn augment<I: Iterator<Item = u32>>(
        &mut self,
        root: usize,
        mate: &mut [u32],
        partners: &impl Fn(usize) -> I,
        is_spare: impl Fn(usize) -> bool,
    ) -> bool {
        let order = mate.len();
        self.parent.clear();
        self.parent.resize(order, NONE);
        self.is_outer.clear();
        self.is_outer.resize(order, false);
        self.base.clear();
        self.base.extend(0..order as u32);
        self.queue.clear();
        self.queue.push(root as u32);
        self.is_outer[root] = true;
        let mut at = 0;
        while let Some(&v) = self.queue.get(at) {
            at += 1;
            if v as usize != root && is_spare(v as usize) {
                // It can do without its partner, which then is one without.
                let partner = std::mem::replace(&mut mate[v as usize], NONE);
                self.flip(partner, mate);
                return true;
            }
            for w in partners(v as usize) {
                let (vi, wi) = (v as usize, w as usize);
                if self.base[vi] == self.base[wi] || mate[vi] == w {
                    continue;
                }
                if wi == root || (mate[wi] != NONE && self.parent[mate[wi] as usize] != NONE) {
                    self.shrink(v, w, mate);
                } else if self.parent[wi] == NONE {
                    self.parent[wi] = v;
                    if mate[wi] == NONE {
                        self.flip(w, mate);
                        return true;
                    }
                    self.is_outer[mate[wi] as usize] = true;
                    self.queue.push(mate[wi]);
                }
            }
        }
        false
    }

    /// Exchanges paired and unpaired bonds on the path back from an atom without a partner.
    fn flip(&self, end: u32, mate: &mut [u32]) {
        let mut v = end;
        while v != NONE {
            let before = self.parent[v as usize];
            let next = mate[before as usize];
            mate[v as usize] = before;
            mate[before as usize] = v;
            v = next;
        }
    }

    /// Makes an odd ring, closed by a bond between two outer atoms, one with the atom it hangs on.
    fn shrink(&mut self, v: u32, w: u32, mate: &[u32]) {
        let base = self.common(v, w, mate);
        self.in_blossom.clear();
        self.in_blossom.resize(mate.len(), false);
        self.mark_path(v, base, w, mate);
        self.mark_path(w, base, v, mate);
        for i in 0..mate.len() {
            if self.in_blossom[self.base[i] as usize] {
                self.base[i] = base;
                if !self.is_outer[i] {
                    self.is_outer[i] = true;
                    self.queue.push(i as u32);
                }
            }
        }
    }

    /// The first atom on both ways back.
    fn common(&mut self, v: u32, w: u32, mate: &[u32]) -> u32 {
        self.marked.clear();
        self.marked.resize(mate.len(), false);
        let mut a = v;
        loop {
            a = self.base[a as usize];
            self.marked[a as usize] = true;
            if mate[a as usize] == NONE {
                break;
            }
            a = self.parent[mate[a as usize] as usize];
        }
        let mut b = w;
        loop {
            b = self.base[b as usize];
            if self.marked[b as usize] {
                return b;
            }
            b = self.parent[mate[b as usize] as usize];
        }
    }

    fn mark_path(&mut self, v: u32, base: u32, child: u32, mate: &[u32]) {
        let (mut v, mut child) = (v, child);
        while self.base[v as usize] != base {
            let partner = mate[v as usize];
            self.in_blossom[self.base[v as usize] as usize] = true;
            self.in_blossom[self.base[partner as usize] as usize] = true;
            self.parent[v as usize] = child;
            child = partner;
            v = self.parent[partner as usize];
        }
    }
}

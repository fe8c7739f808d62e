//! Who is bound to whom, and which bonds are in rings.

use super::Bond;

/// The neighbours of each atom, with the bonds to them.
#[derive(Default)]
pub(super) struct Topology {
    offsets: Vec<u32>,
    arcs: Vec<(u32, u32)>,
    rings: usize,
    walk: Vec<Step>,
    /// In which order the walk met the atoms, from 1.
    number: Vec<u32>,
    /// The first atom that can be reached from what the walk met from here on.
    low: Vec<u32>,
}

/// An atom on the walk, the bond that led to it, and the arc to follow next.
struct Step {
    atom: u32,
    by: u32,
    next: u32,
}

impl Topology {
    /// Lists the neighbours, and marks the bonds in rings.
    pub(super) fn build(&mut self, order: usize, bonds: &mut [Bond]) {
        self.offsets.clear();
        self.offsets.resize(order + 2, 0);
        for bond in bonds.iter() {
            self.offsets[bond.ends.0 as usize + 2] += 1;
            self.offsets[bond.ends.1 as usize + 2] += 1;
        }
        for v in 2..order + 2 {
            self.offsets[v] += self.offsets[v - 1];
        }
        self.arcs.clear();
        self.arcs.resize(bonds.len() * 2, (0, 0));
        for (bond, i) in bonds.iter().zip(0..) {
            for (u, v) in [bond.ends, (bond.ends.1, bond.ends.0)] {
                let next = &mut self.offsets[u as usize + 1];
                self.arcs[*next as usize] = (v, i);
                *next += 1;
            }
        }
        self.mark_rings(order, bonds);
    }

    /// A bond is in a ring unless it is a bridge: nothing beyond it leads back past it.
    fn mark_rings(&mut self, order: usize, bonds: &mut [Bond]) {
        let Self { offsets, arcs, walk, number, low, .. } = self;
        number.clear();
        number.resize(order, 0);
        low.clear();
        low.resize(order, 0);
        let (mut met, mut parts) = (0, 0);
        for root in 0..order {
            if number[root] > 0 {
                continue;
            }
            parts += 1;
            walk.push(Step { atom: root as u32, by: u32::MAX, next: offsets[root] });
            while let Some(Step { atom, by, next }) = walk.last_mut() {
                let (v, by) = (*atom as usize, *by);
                if number[v] == 0 {
                    met += 1;
                    (number[v], low[v]) = (met, met);
                }
                if *next < offsets[v + 1] {
                    let (w, bond) = arcs[*next as usize];
                    *next += 1;
                    if number[w as usize] == 0 {
                        walk.push(Step { atom: w, by: bond, next: offsets[w as usize] });
                    } else if bond != by {
                        bonds[bond as usize].is_in_ring = true;
                        low[v] = low[v].min(number[w as usize]);
                    }
                } else {
                    walk.pop();
                    if let Some(above) = walk.last() {
                        let above = above.atom as usize;
                        low[above] = low[above].min(low[v]);
                        bonds[by as usize].is_in_ring = low[v] < number[v];
                    }
                }
            }
        }
        self.rings = bonds.len() + parts - order;
    }

    /// How many independent rings there are.
    pub(super) fn rings(&self) -> usize {
        self.rings
    }

    /// The neighbours of an atom, with the bonds to them.
    #[inline]
    pub(super) fn neighbours(&self, v: usize) -> &[(u32, u32)] {
        &self.arcs[self.offsets[v] as usize..self.offsets[v + 1] as usize]
    }
}

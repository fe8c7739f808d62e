//! From quotients to expressions, one vertex of the quotient after the other.
//!
//! - A vertex with one neighbour becomes a factor of that: a matrix times a vector.
//! - A vertex with two neighbours that are adjacent becomes a factor of the edge between them: a product that is needed on edges alone.
//! - What hangs on the rest by one vertex, and is a tree without it, is summed up while that vertex is pinned: rows times matrices.
//! - What hangs on two adjacent vertices, and is a tree without one of them, becomes a factor of the edge between them: rows on edges alone.
//! - Where all that does not suffice, a vertex is held fixed, and the rest is a quotient like any other. In that, another vertex than the one
//!   it hangs on may be pinned for what hangs on the rest.
//!
//! Quotients of treewidth two do not come to the last, in all lengths that are short enough for networks: paths to 6, cycles to 7.

use super::pattern::{END, FIRST, LAST, MOST, Pattern};
use super::plan::{Id, Nodes, Term};

/// A set of vertices of a quotient.
type Set = u16;

fn members(set: Set) -> impl Iterator<Item = usize> + Clone {
    (0..MOST).filter(move |v| set >> v & 1 == 1)
}

/// A quotient of which some is expressed already.
#[derive(Clone)]
struct Rest {
    alive: Set,
    /// Matrices between vertices that are left, from either side.
    matrices: [[Option<Id>; MOST]; MOST],
    vectors: [Option<Id>; MOST],
    /// Whether a vertex is held fixed.
    is_held: bool,
}

/// A part that hangs on two adjacent vertices, and what it is on all edges.
struct Handle {
    pin: usize,
    last: usize,
    block: Set,
    edges: Id,
}

impl Rest {
    fn new(nodes: &mut Nodes, pattern: &Pattern, end: u8, fixed: Option<usize>) -> Self {
        let all = (1 << pattern.order) - 1;
        let alive = fixed.map_or(all, |vertex| all & !(1 << vertex));
        let mut rest =
            Self { alive, matrices: [[None; MOST]; MOST], vectors: [None; MOST], is_held: fixed.is_some() };
        let arcs = |v: usize, w: usize| (pattern.arcs[v][w], pattern.arcs[w][v]);
        for v in members(alive) {
            rest.vectors[v] = own(nodes, pattern, end, v);
            for w in members(alive).filter(|&w| w != v) {
                let (there, back) = arcs(v, w);
                rest.matrices[v][w] = (there + back > 0).then(|| nodes.arcs(there, back));
            }
            if let Some((there, back)) =
                fixed.map(|fixed| arcs(fixed, v)).filter(|(there, back)| there + back > 0)
            {
                let given = nodes.given(there, back);
                rest.multiply(nodes, v, given);
            }
        }
        rest
    }

    fn multiply(&mut self, nodes: &mut Nodes, v: usize, factor: Id) {
        self.vectors[v] = Some(nodes.times(self.vectors[v].into_iter().chain([factor])));
    }

    fn neighbours(&self, v: usize) -> Set {
        members(self.alive).filter(|&w| self.matrices[v][w].is_some()).fold(0, |set, w| set | 1 << w)
    }

    fn remove(&mut self, v: usize) {
        self.alive &= !(1 << v);
        (0..MOST).for_each(|w| (self.matrices[v][w], self.matrices[w][v]) = (None, None));
    }

    /// The parts that hang together, of some vertices.
    fn components(&self, mut set: Set) -> Vec<Set> {
        let mut components = Vec::new();
        while set != 0 {
            let mut component = set & set.wrapping_neg();
            loop {
                let reached =
                    members(component).fold(component, |reached, v| reached | self.neighbours(v)) & set;
                if reached == component {
                    break;
                }
                component = reached;
            }
            components.push(component);
            set &= !component;
        }
        components
    }

    /// Expresses all it can but the vertices kept, or one if none is.
    fn reduce(&mut self, nodes: &mut Nodes, kept: Set) {
        while self.fold_leaf(nodes, kept)
            || self.fold_triangle(nodes, kept)
            || self.fold_block(nodes, kept)
            || self.fold_handle(nodes, kept)
            || (self.is_held && self.fold_around(nodes, kept))
        {}
    }

    fn fold_leaf(&mut self, nodes: &mut Nodes, kept: Set) -> bool {
        let leaf = |&v: &usize| self.neighbours(v).is_power_of_two();
        let Some(v) = members(self.alive & !kept).find(leaf) else { return false };
        let w = self.neighbours(v).trailing_zeros() as usize;
        let matrix = self.matrices[w][v].expect("they are neighbours");
        let sums = nodes.apply(matrix, self.vectors[v]);
        self.multiply(nodes, w, sums);
        self.remove(v);
        true
    }

    fn fold_triangle(&mut self, nodes: &mut Nodes, kept: Set) -> bool {
        let mut best: Option<((usize, bool), [usize; 3], Id)> = None;
        for v in members(self.alive & !kept) {
            let around = self.neighbours(v);
            if around.count_ones() != 2 {
                continue;
            }
            let (u, w) = (around.ilog2() as usize, around.trailing_zeros() as usize);
            if self.matrices[u][w].is_none() {
                continue;
            }
            let (left, right) =
                (self.matrices[u][v].expect("a neighbour"), self.matrices[v][w].expect("a neighbour"));
            let sampled = nodes.sampled(left, self.vectors[v], right);
            // What is there already costs nothing.
            let price = (nodes.price(sampled), self.vectors[v].is_some());
            if best.is_none_or(|(least, ..)| price < least) {
                best = Some((price, [v, u, w], sampled));
            }
        }
        let Some((_, [v, u, w], sampled)) = best else { return false };
        let product = nodes.times(self.matrices[u][w].into_iter().chain([sampled]));
        self.matrices[u][w] = Some(product);
        self.matrices[w][u] = Some(nodes.transposed(product));
        self.remove(v);
        true
    }

    /// Sums up the smallest part that hangs on the rest by one vertex, which is pinned.
    fn fold_block(&mut self, nodes: &mut Nodes, kept: Set) -> bool {
        let mut best: Option<((u32, usize), usize, Set, Id)> = None;
        for pin in members(self.alive) {
            for block in self.components(self.alive & !(1 << pin)) {
                if block & kept != 0 || block & self.neighbours(pin) == 0 {
                    continue;
                }
                for last in members(block) {
                    let Some(row) = self.pinned(nodes, pin, block, last) else { break };
                    let sums = nodes.sums(row);
                    let price = (block.count_ones(), nodes.price(sums));
                    if best.is_none_or(|(least, ..)| price < least) {
                        best = Some((price, pin, block, sums));
                    }
                }
            }
        }
        let Some((_, pin, block, sums)) = best else { return false };
        self.multiply(nodes, pin, sums);
        members(block).for_each(|v| self.remove(v));
        true
    }

    /// Sums up the smallest part that hangs on the rest by two adjacent vertices, one of which is pinned.
    fn fold_handle(&mut self, nodes: &mut Nodes, kept: Set) -> bool {
        let mut best: Option<((u32, usize), Handle)> = None;
        for pin in members(self.alive) {
            // What hangs on both of two vertices that are told apart is a row of the first.
            let lasts = self.neighbours(pin) & if kept >> pin & 1 == 1 { !kept } else { !0 };
            for last in members(lasts) {
                // What the last vertex contributes itself stays with it.
                let mut bare = self.clone();
                (bare.vectors[last], bare.matrices[pin][last]) = (None, None);
                for block in self.components(self.alive & !(1 << pin | 1 << last)) {
                    if block & kept != 0 || block & self.neighbours(last) == 0 {
                        continue;
                    }
                    let Some(row) = bare.pinned(nodes, pin, block | 1 << last, last) else { continue };
                    let edges = nodes.edges(row);
                    let price = (block.count_ones(), nodes.price(edges));
                    if best.as_ref().is_none_or(|&(least, _)| price < least) {
                        best = Some((price, Handle { pin, last, block, edges }));
                    }
                }
            }
        }
        let Some((_, Handle { pin, last, block, edges })) = best else { return false };
        let product = nodes.times(self.matrices[pin][last].into_iter().chain([edges]));
        self.matrices[pin][last] = Some(product);
        self.matrices[last][pin] = Some(nodes.transposed(product));
        members(block).for_each(|v| self.remove(v));
        true
    }

    /// Sums up a part that hangs on the rest by one vertex, while another is pinned.
    fn fold_around(&mut self, nodes: &mut Nodes, kept: Set) -> bool {
        for joint in members(self.alive) {
            for block in self.components(self.alive & !(1 << joint)) {
                if block & kept != 0 || block & self.neighbours(joint) == 0 {
                    continue;
                }
                // What the joint contributes itself stays with it.
                let mut bare = self.clone();
                bare.vectors[joint] = None;
                for pin in members(block) {
                    let around = block & !(1 << pin) | 1 << joint;
                    if let Some(row) = bare.pinned(nodes, pin, around, joint) {
                        let gathered = nodes.gathered(row, self.vectors[pin]);
                        self.multiply(nodes, joint, gathered);
                        members(block).for_each(|v| self.remove(v));
                        return true;
                    }
                }
            }
        }
        false
    }

    /// The row of a block at its last vertex, with one vertex pinned; nothing if the block is no tree.
    fn pinned(&self, nodes: &mut Nodes, pin: usize, block: Set, last: usize) -> Option<Id> {
        let ends: u32 = members(block).map(|v| (self.neighbours(v) & block).count_ones()).sum();
        let is_tree = ends == 2 * (block.count_ones() - 1) && self.components(block).len() == 1;
        is_tree.then(|| self.branch(nodes, pin, block & !(1 << last), last))
    }

    /// The row at a vertex of a tree, with all branches beyond it.
    fn branch(&self, nodes: &mut Nodes, pin: usize, beyond: Set, v: usize) -> Id {
        let mut factors: Vec<Id> = self.vectors[v].into_iter().collect();
        factors.extend(self.matrices[pin][v].map(|matrix| nodes.row(matrix)));
        for w in members(self.neighbours(v) & beyond) {
            let row = self.branch(nodes, pin, beyond & !(1 << w), w);
            factors.push(nodes.onward(row, self.matrices[w][v].expect("a neighbour")));
        }
        nodes.times(factors)
    }
}

/// What a vertex of a quotient contributes by itself, where the end of a path is to be of a class.
fn own(nodes: &mut Nodes, pattern: &Pattern, end: u8, v: usize) -> Option<Id> {
    let label = (pattern.labels[v] > 0).then(|| nodes.label(pattern.labels[v]));
    let end = if pattern.roots[v] & END != 0 { nodes.end(end) } else { None };
    let factors: Vec<Id> = label.into_iter().chain(end).collect();
    (!factors.is_empty()).then(|| nodes.times(factors))
}

/// The terms of a quotient that takes no vertex held fixed; nothing if it does.
pub(super) fn term(
    nodes: &mut Nodes,
    pattern: &Pattern,
    end: u8,
    slot: usize,
    coefficient: i64,
) -> Option<Term> {
    let mut rest = Rest::new(nodes, pattern, end, None);
    let term = Term::new(slot, coefficient);
    let term = match (pattern.root(FIRST), pattern.root(LAST)) {
        (Some(first), Some(last)) => {
            rest.reduce(nodes, 1 << first | 1 << last);
            let row = rest.pinned(nodes, first, rest.alive & !(1 << first), last)?;
            Term { row: Some(row), vector: rest.vectors[first], ..term }
        }
        (root, _) => {
            rest.reduce(nodes, root.map_or(0, |root| 1 << root));
            if rest.alive.count_ones() > 1 {
                return None;
            }
            let left = rest.vectors[rest.alive.trailing_zeros() as usize];
            match root {
                Some(_) => Term { vector: left, ..term },
                None => Term { sums: left.into_iter().collect(), ..term },
            }
        }
    };
    term.made_of().for_each(|id| nodes.need(id));
    Some(term)
}

/// The terms of a quotient with a vertex held fixed; nothing if that does not suffice either.
pub(super) fn held_term(
    [outer, nodes]: [&mut Nodes; 2],
    pattern: &Pattern,
    end: u8,
    slot: usize,
    coefficient: i64,
) -> Option<Term> {
    let (first, last) = (pattern.root(FIRST), pattern.root(LAST));
    let mut best: Option<(usize, Term)> = None;
    for fixed in 0..pattern.order {
        // The rows of pairs are given one after the other.
        if last.is_some() && first != Some(fixed) {
            continue;
        }
        let root = last.or(first).filter(|&root| root != fixed);
        let mut rest = Rest::new(nodes, pattern, end, Some(fixed));
        rest.reduce(nodes, root.map_or(0, |root| 1 << root));
        let components = rest.components(rest.alive);
        if components.iter().any(|component| component.count_ones() > 1) {
            continue;
        }
        let mut term = Term {
            fixed: own(outer, pattern, end, fixed),
            at_fixed: first == Some(fixed),
            ..Term::new(slot, coefficient)
        };
        for v in members(rest.alive) {
            let vector = rest.vectors[v]
                .expect("the vertex held fixed is a neighbour, or was one of some that are summed");
            if Some(v) != root {
                term.sums.push(vector);
            } else if last.is_some() {
                term.row = Some(vector);
            } else {
                term.vector = Some(vector);
            }
        }
        let price = term.made_of().map(|id| nodes.price(id)).sum();
        if best.as_ref().is_none_or(|&(least, ..)| price < least) {
            best = Some((price, term));
        }
    }
    let (_, term) = best?;
    term.made_of().for_each(|id| nodes.need(id));
    term.fixed.iter().for_each(|&id| outer.need(id));
    Some(term)
}

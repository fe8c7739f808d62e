//! How quotients are evaluated: expressions that share what they have in common.
//!
//! An expression is a vector (a number for each vertex), a matrix that is nothing but on the edges of the graph, or a row: the numbers that
//! belong to one *pinned* vertex, which is any vertex in turn. No other matrix is ever there as a whole. Equal expressions are one node.

use rustc_hash::FxHashMap;

use super::pattern::Traits;

/// A node of a plan.
pub(super) type Id = u32;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Node {
    /// Vector: what vertices weigh, to a power.
    Label(u8),
    /// Vector: 1 for vertices of a class, where the end of a path is to be one.
    End(u8),
    /// Vector: the row of an arc matrix (see [`Node::Arcs`]) at a vertex that is held fixed outside the plan.
    Given([u8; 2]),
    /// Vector: a matrix times a vector, or times ones.
    Apply(Id, Option<Id>),
    /// Vector: for each pinned vertex, the sum of its row.
    Sums(Id),
    /// Vector: the rows of all pinned vertices, each times that vertex's entry of a vector, added up.
    Gathered(Id, Option<Id>),
    /// Matrix: for each pinned vertex, its row where the graph has edges.
    Edges(Id),
    /// Matrix: another one with rows and columns exchanged.
    Turned(Id),
    /// Matrix: what arcs weigh, to a power, times what the arcs back weigh, to a power.
    Arcs([u8; 2]),
    /// Matrix: the product of a matrix, a diagonal one and a matrix, on the edges alone.
    Sampled(Id, Option<Id>, Id),
    /// Row: of a matrix.
    Row(Id),
    /// Row: a row times a matrix.
    Onward(Id, Id),
    /// The product, entry by entry, of vectors, of matrices, or of rows and vectors.
    Times(Box<[Id]>),
    /// The sum of multiples of vectors, or of rows.
    Linear(Box<[Entry]>),
}

/// A summand of [`Node::Linear`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Entry {
    pub(super) id: Id,
    /// Of a row: the vector whose entry at the pinned vertex is a factor.
    pub(super) pin: Option<Id>,
    pub(super) coefficient: i64,
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Vector,
    Matrix,
    Row,
}

/// Nodes, each after those it is made of.
#[derive(Debug)]
pub(super) struct Nodes {
    traits: Traits,
    /// How many classes the ends of paths have.
    ends: usize,
    nodes: Vec<Node>,
    sorts: Vec<Sort>,
    /// How many there are of each, over all classes of ends: one if it is the same for all.
    copies: Vec<usize>,
    ids: FxHashMap<Node, Id>,
    /// Those that are certainly needed.
    needed: Vec<bool>,
}

impl Nodes {
    pub(super) fn new(traits: Traits, ends: u8) -> Self {
        Self {
            traits,
            ends: usize::from(ends),
            nodes: Vec::new(),
            sorts: Vec::new(),
            copies: Vec::new(),
            ids: FxHashMap::default(),
            needed: Vec::new(),
        }
    }

    pub(super) fn get(&self, id: Id) -> &Node {
        &self.nodes[id as usize]
    }

    pub(super) fn sort(&self, id: Id) -> Sort {
        self.sorts[id as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// By node: whether it is needed.
    pub(super) fn are_needed(&self) -> &[bool] {
        &self.needed
    }

    /// The nodes that are needed, each after those it is made of.
    pub(super) fn needed(&self) -> impl Iterator<Item = Id> + '_ {
        (0..).zip(&self.needed).filter(|&(_, &needed)| needed).map(|(id, _)| id)
    }

    /// What a node is made of.
    pub(super) fn parts(&self, id: Id) -> Vec<Id> {
        match self.get(id) {
            Node::Label(_) | Node::End(_) | Node::Given(_) | Node::Arcs(_) => Vec::new(),
            &(Node::Apply(first, second) | Node::Gathered(first, second)) => {
                [first].into_iter().chain(second).collect()
            }
            &Node::Sampled(left, middle, right) => [left, right].into_iter().chain(middle).collect(),
            &(Node::Sums(part) | Node::Row(part) | Node::Edges(part) | Node::Turned(part)) => vec![part],
            &Node::Onward(row, matrix) => vec![row, matrix],
            Node::Times(factors) => factors.to_vec(),
            Node::Linear(entries) => {
                entries.iter().flat_map(|entry| [entry.id].into_iter().chain(entry.pin)).collect()
            }
        }
    }

    /// The factors of a product, or the node alone.
    pub(super) fn factors<'a>(&'a self, id: &'a Id) -> &'a [Id] {
        match self.get(*id) {
            Node::Times(factors) => factors,
            _ => std::slice::from_ref(id),
        }
    }

    fn add(&mut self, node: Node, sort: Sort) -> Id {
        if let Some(&id) = self.ids.get(&node) {
            return id;
        }
        let id = self.nodes.len() as Id;
        let own = if matches!(node, Node::End(_)) { self.ends } else { 1 };
        self.nodes.push(node.clone());
        self.sorts.push(sort);
        self.needed.push(false);
        self.copies.push(self.parts(id).iter().map(|&part| self.copies[part as usize]).fold(own, usize::max));
        self.ids.insert(node, id);
        id
    }

    /// Marks a node, and what it is made of, as needed.
    pub(super) fn need(&mut self, id: Id) {
        if !std::mem::replace(&mut self.needed[id as usize], true) {
            self.parts(id).into_iter().for_each(|part| self.need(part));
        }
    }

    /// Marks no other nodes as needed than those of some terms, and what they are made of.
    pub(super) fn need_only(&mut self, terms: &[Term]) {
        self.needed.fill(false);
        terms.iter().flat_map(Term::made_of).for_each(|id| self.need(id));
    }

    /// How many products of rows with matrices, and of matrices on edges, it would take to have this node, too, for all classes of ends.
    pub(super) fn price(&self, id: Id) -> usize {
        let mut seen = Vec::new();
        self.visit(id, &mut seen);
        let is_product = |&&id: &&Id| matches!(self.get(id), Node::Onward(..) | Node::Sampled(..));
        seen.iter().filter(is_product).map(|&id| self.copies[id as usize]).sum()
    }

    fn visit(&self, id: Id, seen: &mut Vec<Id>) {
        if !self.needed[id as usize] && !seen.contains(&id) {
            seen.push(id);
            self.parts(id).into_iter().for_each(|part| self.visit(part, seen));
        }
    }

    pub(super) fn label(&mut self, power: u8) -> Id {
        self.add(Node::Label(power), Sort::Vector)
    }

    /// What makes paths end in a class; nothing for the last, which stands for all of them.
    pub(super) fn end(&mut self, class: u8) -> Option<Id> {
        (usize::from(class) + 1 < self.ends).then(|| self.add(Node::End(class), Sort::Vector))
    }

    /// Arcs between two blocks, taken so often there and back; what is symmetric counts both ways as one.
    fn powers(&self, there: u8, back: u8) -> [u8; 2] {
        if self.traits.symmetric { [there, 0] } else { [there, back] }
    }

    pub(super) fn given(&mut self, there: u8, back: u8) -> Id {
        self.add(Node::Given(self.powers(there, back)), Sort::Vector)
    }

    pub(super) fn arcs(&mut self, there: u8, back: u8) -> Id {
        self.add(Node::Arcs(self.powers(there, back)), Sort::Matrix)
    }

    /// Whether a row is nothing but at the neighbours of its vertex.
    pub(super) fn is_on_edges(&self, id: Id) -> bool {
        self.factors(&id).iter().any(|&factor| match self.get(factor) {
            Node::Row(_) => true,
            Node::Linear(entries) => {
                self.is_row(factor) && entries.iter().all(|entry| self.is_on_edges(entry.id))
            }
            _ => false,
        })
    }

    pub(super) fn is_row(&self, id: Id) -> bool {
        self.sort(id) == Sort::Row
    }

    /// Whether a matrix is 1 on all edges.
    pub(super) fn is_unit(&self, id: Id) -> bool {
        self.traits.symmetric && self.traits.plain && *self.get(id) == Node::Arcs([1, 0])
    }

    pub(super) fn apply(&mut self, matrix: Id, vector: Option<Id>) -> Id {
        self.add(Node::Apply(matrix, vector), Sort::Vector)
    }

    pub(super) fn sums(&mut self, row: Id) -> Id {
        self.add(Node::Sums(row), Sort::Vector)
    }

    pub(super) fn gathered(&mut self, row: Id, vector: Option<Id>) -> Id {
        self.add(Node::Gathered(row, vector), Sort::Vector)
    }

    pub(super) fn edges(&mut self, row: Id) -> Id {
        self.add(Node::Edges(row), Sort::Matrix)
    }

    /// The product of two matrices and a diagonal one between them, on edges. Of that and of the same turned around one is made, with nothing to
    /// multiply by if possible.
    pub(super) fn sampled(&mut self, left: Id, middle: Option<Id>, right: Id) -> Id {
        let (turned_left, turned_right) = (self.transposed(right), self.transposed(left));
        let rank = |nodes: &Self, left, right| (!nodes.is_unit(right), left, right);
        if rank(self, turned_left, turned_right) < rank(self, left, right) {
            let sampled = self.add(Node::Sampled(turned_left, middle, turned_right), Sort::Matrix);
            return self.add(Node::Turned(sampled), Sort::Matrix);
        }
        self.add(Node::Sampled(left, middle, right), Sort::Matrix)
    }

    pub(super) fn row(&mut self, matrix: Id) -> Id {
        self.add(Node::Row(matrix), Sort::Row)
    }

    pub(super) fn onward(&mut self, row: Id, matrix: Id) -> Id {
        self.add(Node::Onward(row, matrix), Sort::Row)
    }

    /// The product, entry by entry.
    pub(super) fn times(&mut self, factors: impl IntoIterator<Item = Id>) -> Id {
        let mut flat = Vec::new();
        for factor in factors {
            match self.get(factor) {
                Node::Times(factors) => flat.extend(factors),
                _ => flat.push(factor),
            }
        }
        if flat.len() > 1 {
            // All matrices are nothing but on the edges, where the unit is 1.
            let unit = flat.iter().copied().find(|&factor| self.is_unit(factor));
            flat.retain(|&factor| Some(factor) != unit);
            flat.extend(unit.filter(|_| flat.is_empty()));
        }
        flat.sort_unstable();
        if let [only] = flat[..] {
            return only;
        }
        let sort = if flat.iter().any(|&factor| self.sort(factor) == Sort::Row) {
            Sort::Row
        } else {
            self.sort(flat[0])
        };
        self.add(Node::Times(flat.into()), sort)
    }

    /// A sum.
    pub(super) fn linear(&mut self, entries: Vec<Entry>) -> Id {
        match entries[..] {
            [Entry { coefficient: 1, pin: None, id }] => id,
            _ => {
                let sort = self.sort(entries[0].id);
                self.add(Node::Linear(entries.into()), sort)
            }
        }
    }

    /// A matrix with rows and columns exchanged.
    pub(super) fn transposed(&mut self, matrix: Id) -> Id {
        match self.get(matrix).clone() {
            Node::Arcs([there, back]) if !self.traits.symmetric => self.arcs(back, there),
            Node::Turned(matrix) => matrix,
            Node::Edges(_) => self.add(Node::Turned(matrix), Sort::Matrix),
            Node::Sampled(left, middle, right) => {
                let (left, right) = (self.transposed(left), self.transposed(right));
                self.sampled(right, middle, left)
            }
            Node::Times(factors) => {
                let factors: Vec<Id> = factors.iter().map(|&factor| self.transposed(factor)).collect();
                self.times(factors)
            }
            _ => matrix,
        }
    }
}

/// A quotient's contribution: a coefficient times sums of vectors, times a vector or row where one is told apart.
#[derive(Clone, Debug)]
pub(super) struct Term {
    /// Where it belongs; see [`slot`](super::slot).
    pub(super) slot: usize,
    pub(super) coefficient: i64,
    /// Vectors, each of which is summed up.
    pub(super) sums: Vec<Id>,
    /// The vector of those that start at each vertex.
    pub(super) vector: Option<Id>,
    /// The row of those that end at each vertex.
    pub(super) row: Option<Id>,
    /// Where a vertex is held fixed: what that itself contributes, by nodes of the outer plan.
    pub(super) fixed: Option<Id>,
    /// Whether the vertex held fixed is the one told apart as the first.
    pub(super) at_fixed: bool,
}

impl Term {
    pub(super) fn new(slot: usize, coefficient: i64) -> Self {
        Self { slot, coefficient, sums: Vec::new(), vector: None, row: None, fixed: None, at_fixed: false }
    }

    /// The nodes that it takes.
    pub(super) fn made_of(&self) -> impl Iterator<Item = Id> + '_ {
        self.sums.iter().copied().chain(self.vector).chain(self.row)
    }
}

/// What is evaluated together: vectors and matrices, then sums of rows.
#[derive(Debug, Default)]
pub(super) struct Stage {
    pub(super) whole: Vec<Id>,
    pub(super) pinned: Pinned,
}

/// Rows to be made for each vertex, and what becomes of them.
#[derive(Debug, Default)]
pub(super) struct Pinned {
    /// Rows that others are made of, or that are products of rows with matrices.
    pub(super) rows: Vec<Id>,
    /// By node, the place among these rows.
    pub(super) places: Vec<usize>,
    /// The nodes [`Node::Sums`], [`Node::Gathered`] and [`Node::Edges`].
    pub(super) sums: Vec<Id>,
}

impl Pinned {
    fn new(nodes: &Nodes, sums: Vec<Id>, ends: impl Iterator<Item = Id>) -> Self {
        let mut made = vec![false; nodes.len()];
        let summed = sums.iter().flat_map(|&sum| nodes.factors(&nodes.parts(sum)[0]).to_vec());
        let mut open: Vec<Id> = summed.filter(|&id| nodes.is_row(id)).chain(ends).collect();
        while let Some(id) = open.pop() {
            if !std::mem::replace(&mut made[id as usize], true) {
                let mut parts = nodes.parts(id);
                if matches!(nodes.get(id), Node::Linear(_)) {
                    // Products are made while they are added up.
                    parts = parts.iter().flat_map(|part| nodes.factors(part)).copied().collect();
                }
                open.extend(parts.into_iter().filter(|&part| nodes.is_row(part)));
            }
        }
        let rows: Vec<Id> = (0..).zip(made).filter(|&(_, made)| made).map(|(id, _)| id).collect();
        let mut places = vec![usize::MAX; nodes.len()];
        rows.iter().enumerate().for_each(|(place, &id)| places[id as usize] = place);
        Self { rows, places, sums }
    }

    /// How many rows are multiplied by matrices: those that are nothing but at the neighbours of their vertex, and others.
    pub(super) fn onward(&self, nodes: &Nodes) -> [f64; 2] {
        let onward =
            |&id: &Id| if let Node::Onward(source, _) = nodes.get(id) { Some(*source) } else { None };
        let sources: Vec<Id> = self.rows.iter().filter_map(onward).collect();
        let near = sources.iter().filter(|&&source| nodes.is_on_edges(source)).count();
        [near as f64, (sources.len() - near) as f64]
    }
}

impl Amounts {
    const NONE: Self = Self { inside: [0.0; 3], ends: [0.0; 3], sampled: 0.0, applied: 0.0, needed: 0.0 };
}

/// All quotients of a question.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) nodes: Nodes,
    pub(super) terms: Vec<Term>,
    pub(super) stages: Vec<Stage>,
    /// The rows of the terms.
    pub(super) ends: Pinned,
    /// Quotients that take a vertex held fixed, all vertices in turn.
    pub(super) held: Option<Box<Plan>>,
    pub(super) amounts: Amounts,
}

/// How much of everything there is in a plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct Amounts {
    /// Rows that are multiplied by matrices, near and far (see [`Pinned::onward`]), and all products and sums of rows: before the terms.
    pub(super) inside: [f64; 3],
    /// The same for the rows of terms.
    pub(super) ends: [f64; 3],
    /// Products on edges.
    pub(super) sampled: f64,
    /// Matrices times vectors.
    pub(super) applied: f64,
    /// All expressions.
    pub(super) needed: f64,
}

impl Plan {
    /// Puts everything in order. Rows of a plan whose vertex is held fixed are vectors.
    pub(super) fn new(nodes: Nodes, terms: Vec<Term>, held: Option<Box<Plan>>) -> Self {
        let mut phases = vec![0; nodes.len()];
        let mut stages: Vec<(Vec<Id>, Vec<Id>)> = vec![Default::default()];
        for id in nodes.needed() {
            let phase = nodes.parts(id).into_iter().map(|part| phases[part as usize]).max().unwrap_or(0);
            phases[id as usize] = phase;
            match (nodes.get(id), nodes.sort(id)) {
                (Node::Sums(_) | Node::Gathered(..) | Node::Edges(_), _) => {
                    stages[phase].1.push(id);
                    phases[id as usize] = phase + 1;
                    stages.resize(stages.len().max(phase + 2), Default::default());
                }
                (_, Sort::Row) => {}
                _ => stages[phase].0.push(id),
            }
        }
        let stage = |(whole, sums)| Stage { whole, pinned: Pinned::new(&nodes, sums, [].into_iter()) };
        let stages = stages.into_iter().map(stage).collect();
        let ends = terms.iter().filter_map(|term| term.row).filter(|&row| nodes.sort(row) == Sort::Row);
        let ends = Pinned::new(&nodes, Vec::new(), ends);
        let mut plan = Self { nodes, terms, stages, ends, held, amounts: Amounts::NONE };
        plan.amounts = plan.amounts();
        plan
    }

    fn amounts(&self) -> Amounts {
        let nodes = &self.nodes;
        let count =
            |which: fn(&Node) -> bool| nodes.needed().filter(|&id| which(nodes.get(id))).count() as f64;
        let of = |pinned: &Pinned| {
            let [near, far] = pinned.onward(nodes);
            let summands =
                |&id: &Id| if let Node::Linear(entries) = nodes.get(id) { entries.len() } else { 1 };
            let rows = pinned.rows.iter().map(summands).sum::<usize>() + pinned.sums.len();
            [near, far, rows as f64]
        };
        let [near, far, rows] = of(&self.ends);
        let terms = self.terms.iter().filter(|term| term.row.is_some()).count() as f64;
        let add = |[a, b, c]: [f64; 3], [x, y, z]: [f64; 3]| [a + x, b + y, c + z];
        Amounts {
            inside: self.stages.iter().map(|stage| of(&stage.pinned)).fold([0.0; 3], add),
            ends: [near, far, rows + terms],
            sampled: count(|node| matches!(node, Node::Sampled(..))),
            applied: count(|node| matches!(node, Node::Apply(..))),
            needed: nodes.needed().count() as f64,
        }
    }
}

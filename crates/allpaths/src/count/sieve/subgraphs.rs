//! All connected induced subgraphs up to a size, each once.
//!
//! Reverse search (Avis and Fukuda) without its memory: every subgraph but a single vertex has one parent, and the
//! tree of children is walked depth first. A subgraph belongs to the tree of its smallest vertex, the root. Its
//! candidates are the neighbours, larger than the root, in the order in which they were met. A child takes one of
//! them, keeps those after it as candidates, and adds the neighbours that only the vertex taken has: so a vertex that
//! was passed over stays out of the whole branch, and no subgraph is met twice.
//!
//! Connectivity and neighbours are those of the underlying undirected graph.

use super::super::ring::Ring;
use crate::Graph;
use crate::count::limits::Meter;

/// Neighbours in either direction, with the weights of the arcs between.
pub(crate) struct Links<R> {
    offsets: Vec<usize>,
    links: Vec<Link<R>>,
    loops: Vec<R>,
    symmetric: bool,
}

/// A neighbour; the weight is zero where there is no arc in that direction.
#[derive(Clone)]
struct Link<R> {
    vertex: u32,
    to: R,
    from: R,
}

impl<R: Ring> Links<R> {
    /// The links of a graph whose arcs have the weights given.
    pub(crate) fn new(graph: &Graph, weight: impl Fn(crate::graph::Arc) -> R) -> Self {
        let order = graph.order();
        let arcs = || (0..order).flat_map(|v| graph.arcs(v));
        let mut loops = vec![R::zero(); order];
        // Each arc is a link of both its ends; two between the same vertices become one below.
        let mut starts = vec![0; order + 2];
        for arc in arcs().filter(|arc| arc.source != arc.target) {
            starts[arc.source + 2] += 1;
            starts[arc.target + 2] += 1;
        }
        for v in 0..order {
            starts[v + 2] += starts[v + 1];
        }
        let mut links = vec![Link { vertex: 0, to: R::zero(), from: R::zero() }; starts[order + 1]];
        for arc in arcs() {
            let (u, v, weight) = (arc.source, arc.target, weight(arc));
            if u == v {
                loops[u] = weight;
                continue;
            }
            links[starts[u + 1]] = Link { vertex: v as u32, to: weight.clone(), from: R::zero() };
            links[starts[v + 1]] = Link { vertex: u as u32, to: R::zero(), from: weight };
            starts[u + 1] += 1;
            starts[v + 1] += 1;
        }
        let mut packed =
            Self { offsets: vec![0], links: Vec::with_capacity(links.len()), loops, symmetric: true };
        for v in 0..order {
            let row = &mut links[starts[v]..starts[v + 1]];
            row.sort_unstable_by_key(|link| link.vertex);
            for link in row {
                match packed.links[packed.offsets[v]..].last_mut() {
                    Some(last) if last.vertex == link.vertex => {
                        last.to.add(&link.to);
                        last.from.add(&link.from);
                    }
                    _ => packed.links.push(link.clone()),
                }
            }
            packed.offsets.push(packed.links.len());
        }
        packed.symmetric = packed.links.iter().all(|link| link.to == link.from);
        packed
    }

    fn row(&self, v: usize) -> &[Link<R>] {
        &self.links[self.offsets[v]..self.offsets[v + 1]]
    }

    /// The neighbours of a vertex in either direction, ascending, without itself.
    pub(crate) fn neighbours(&self, v: usize) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.row(v).iter().map(|link| link.vertex as usize)
    }

    pub(crate) fn order(&self) -> usize {
        self.loops.len()
    }
}

/// Rows are padded with zeros to this many entries, so that they can be added four at a time.
pub(super) fn padded(size: usize) -> usize {
    size.next_multiple_of(4)
}

/// Is shown every subgraph.
pub(crate) trait Visitor<R> {
    /// A subgraph.
    fn visit(&mut self, subgraph: &Subgraph<'_, R>);

    /// A subgraph of the largest size: the one visited last that was smaller, and one more vertex. False if it would
    /// rather see it whole.
    fn visit_with(&mut self, _subgraph: &Subgraph<'_, R>, _vertex: usize) -> bool {
        false
    }
}

/// A connected induced subgraph, as it grows and shrinks.
pub(crate) struct Subgraph<'a, R> {
    links: &'a Links<R>,
    largest: usize,
    members: Vec<u32>,
    /// How many vertices outside are neighbours of members.
    border: usize,
    /// One more than a member's place; nothing for all others.
    place: Vec<u8>,
    /// How many members each vertex is a neighbour of.
    touched: Vec<u8>,
    candidates: Vec<u32>,
    /// Weights of the arcs between members, row by row; zero where there is no member.
    matrix: Vec<R>,
    stride: usize,
    /// The members to which an arc leads from each member.
    rows: Vec<u64>,
}

impl<'a, R: Ring> Subgraph<'a, R> {
    /// Subgraphs of at most `largest` vertices.
    pub(crate) fn new(links: &'a Links<R>, largest: usize) -> Self {
        Self {
            links,
            largest,
            members: Vec::new(),
            border: 0,
            place: vec![0; links.order()],
            touched: vec![0; links.order()],
            candidates: Vec::new(),
            matrix: vec![R::zero(); largest * padded(largest)],
            stride: padded(largest),
            rows: vec![0; largest],
        }
    }

    /// The most vertices a subgraph has here.
    pub(crate) fn largest(&self) -> usize {
        self.largest
    }

    /// The vertices, in the order in which they came in.
    pub(crate) fn members(&self) -> &[u32] {
        &self.members
    }

    /// How many vertices outside are neighbours of members; not known for a subgraph of the largest size.
    pub(crate) fn border(&self) -> usize {
        self.border
    }

    /// The row of member `i` in the matrix of arc weights, padded.
    pub(crate) fn row(&self, i: usize) -> &[R] {
        &self.matrix[i * self.stride..][..padded(self.members.len())]
    }

    /// All rows, padded.
    pub(super) fn matrix(&self) -> &[R] {
        &self.matrix
    }

    /// Whether every matrix is symmetric.
    pub(super) fn is_symmetric(&self) -> bool {
        self.links.symmetric
    }

    /// The places of the members to which an arc leads from member `i`, as bits.
    pub(crate) fn out(&self, i: usize) -> u64 {
        self.rows[i]
    }

    /// The links of a vertex outside to members: their places, and the weights to and from them.
    pub(crate) fn links_of(&self, w: usize) -> impl Iterator<Item = (usize, &R, &R)> {
        self.links.row(w).iter().filter_map(|link| {
            let place = (self.place[link.vertex as usize] as usize).checked_sub(1)?;
            Some((place, &link.to, &link.from))
        })
    }

    /// The weight of the loop at a vertex.
    pub(super) fn loop_of(&self, w: usize) -> &R {
        &self.links.loops[w]
    }

    /// Visits every subgraph whose smallest vertex is `root`, unless the meter says stop.
    pub(crate) fn each(&mut self, root: usize, meter: &mut Meter<'_>, visitor: &mut impl Visitor<R>) {
        meter.spend(1);
        self.enter(root, root);
        visitor.visit(self);
        self.grow(root, 0, meter, visitor);
        self.leave(root);
        self.candidates.clear();
    }

    fn grow(&mut self, root: usize, start: usize, meter: &mut Meter<'_>, visitor: &mut impl Visitor<R>) {
        if self.members.len() >= self.largest || meter.stopped() {
            return;
        }
        let end = self.candidates.len();
        meter.spend((end - start) as u64);
        let last = self.members.len() + 1 == self.largest;
        for i in start..end {
            let w = self.candidates[i] as usize;
            if last && visitor.visit_with(self, w) {
                continue;
            }
            self.join(w);
            if last {
                visitor.visit(self);
                self.part();
                continue;
            }
            self.place[w] = self.members.len() as u8;
            self.touch(w, root);
            visitor.visit(self);
            self.grow(root, i + 1, meter, visitor);
            self.leave(w);
            self.candidates.truncate(end);
        }
    }

    /// Takes the first member in.
    fn enter(&mut self, w: usize, root: usize) {
        self.join(w);
        self.place[w] = 1;
        self.touched[w] = 1;
        self.border += 1;
        self.touch(w, root);
        self.touched[w] -= 1;
    }

    /// Adds `w` to the members and to the matrix, and tells nobody.
    fn join(&mut self, w: usize) {
        let (j, stride) = (self.members.len(), self.stride);
        self.members.push(w as u32);
        let own = &self.links.loops[w];
        self.rows[j] = u64::from(*own != R::zero()) << j;
        self.matrix[j * stride + j] = own.clone();
        for link in self.links.row(w) {
            if let Some(i) = (self.place[link.vertex as usize] as usize).checked_sub(1) {
                self.rows[j] |= u64::from(link.to != R::zero()) << i;
                self.rows[i] |= u64::from(link.from != R::zero()) << j;
                self.matrix[j * stride + i] = link.to.clone();
                self.matrix[i * stride + j] = link.from.clone();
            }
        }
    }

    /// Takes the last member out of the members and the matrix, and tells nobody.
    fn part(&mut self) {
        self.members.pop();
        let (j, stride) = (self.members.len(), self.stride);
        self.matrix[j * stride..][..=j].fill(R::zero());
        for i in 0..j {
            self.matrix[i * stride + j] = R::zero();
            self.rows[i] &= (1 << j) - 1;
        }
    }

    /// Tells the neighbours of `w` that it came in.
    fn touch(&mut self, w: usize, root: usize) {
        // It was outside, and a neighbour.
        self.border -= 1;
        for link in self.links.row(w) {
            let x = link.vertex as usize;
            self.touched[x] += 1;
            if self.touched[x] == 1 && self.place[x] == 0 {
                self.border += 1;
                if x > root {
                    self.candidates.push(x as u32);
                }
            }
        }
    }

    /// Takes the last member out.
    fn leave(&mut self, w: usize) {
        self.part();
        self.place[w] = 0;
        for link in self.links.row(w) {
            let x = link.vertex as usize;
            self.touched[x] -= 1;
            self.border -= usize::from(self.touched[x] == 0 && self.place[x] == 0);
        }
        self.border += usize::from(!self.members.is_empty());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Monitor;
    use crate::count::limits::{Allowance, Job};

    /// The vertex sets of all connected induced subgraphs up to a size, with their borders below the largest size.
    fn subgraphs(graph: &Graph, largest: usize) -> Vec<(Vec<u32>, Option<usize>)> {
        let monitor = Monitor::new();
        let allowance = Allowance::new(Job::unlimited(&monitor));
        let links = Links::new(graph, |_| 1i64);
        let mut subgraph = Subgraph::new(&links, largest);
        let mut found = Found(Vec::new());
        for root in 0..graph.order() {
            subgraph.each(root, &mut allowance.meter(), &mut found);
        }
        found.0.sort();
        found.0
    }

    struct Found(Vec<(Vec<u32>, Option<usize>)>);

    impl Visitor<i64> for Found {
        fn visit(&mut self, subgraph: &Subgraph<'_, i64>) {
            let mut members = subgraph.members().to_vec();
            members.sort_unstable();
            let border = (members.len() < subgraph.largest()).then(|| subgraph.border());
            self.0.push((members, border));
        }
    }

    #[test]
    fn each_once_with_its_border() {
        // 0---1
        //  \ /
        //   2---3
        let graph = Graph::from_edges(4, [(0, 1), (1, 2), (2, 0), (2, 3)]).unwrap();
        let expected: [(&[u32], Option<usize>); 11] = [
            (&[0], Some(2)),
            (&[0, 1], Some(1)),
            (&[0, 1, 2], None),
            (&[0, 2], Some(2)),
            (&[0, 2, 3], None),
            (&[1], Some(2)),
            (&[1, 2], Some(2)),
            (&[1, 2, 3], None),
            (&[2], Some(3)),
            (&[2, 3], Some(2)),
            (&[3], Some(1)),
        ];
        let expected: Vec<_> = expected.iter().map(|(members, border)| (members.to_vec(), *border)).collect();
        assert_eq!(subgraphs(&graph, 3), expected);
    }

    #[test]
    fn a_complete_graph_has_all_subsets() {
        let complete = Graph::from_edges(7, (0..7).flat_map(|u| (0..u).map(move |v| (u, v)))).unwrap();
        assert_eq!(subgraphs(&complete, 7).len(), 127);
    }
}

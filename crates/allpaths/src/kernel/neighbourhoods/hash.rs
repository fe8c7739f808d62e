//! A hash of the graph around a vertex that does not depend on how vertices are numbered.
//!
//! Vertices begin with their label and their distance from the root, and take in, round by round, what their neighbours have, until no round tells more
//! of them apart. That settles all trees, and most other graphs. Where some vertices are still alike, each of them is marked in turn, and what becomes
//! of all others then goes into the hash as well: that also tells two triangles from a hexagon, with a hub or without.
//!
//! Isomorphic neighbourhoods have the same hash. Others share one, chance aside, only if marking one vertex leaves them alike: no pair with up to six vertices
//! does, as a test shows; strongly regular graphs with the same parameters may.

use crate::Graph;
use crate::label::{Labelling, mixed};

/// Neighbours in either direction, with what stands between them.
#[derive(Default)]
pub(super) struct Surroundings {
    offsets: Vec<usize>,
    near: Vec<(u32, u64)>,
    labels: Vec<u64>,
}

/// Words without a pattern that keep apart what is hashed for different ends.
const FORWARDS: u64 = 0x3c6e_f372_fe94_f82b;
const BACKWARDS: u64 = 0xa54f_f53a_5f1d_36f1;
const MARK: u64 = 0x510e_527f_ade6_82d1;
const VERTEX: u64 = 0x9b05_688c_2b3e_6c1f;

impl Surroundings {
    /// Turns to another graph.
    pub(super) fn begin(&mut self, graph: &Graph, labelling: &Labelling) {
        let Self { offsets, near, labels } = self;
        labels.clear();
        labels.extend(labelling.vertices().iter().map(|&label| labelling.piece(label).id()));
        offsets.clear();
        near.clear();
        let mut links = Vec::new();
        for arc in (0..graph.order()).flat_map(|v| graph.arcs(v)) {
            let edge = mixed(FORWARDS, labelling.edge_piece(labelling.arc(arc.index)).id());
            links.push((arc.source as u32, arc.target as u32, edge));
            if graph.is_directed() {
                links.push((arc.target as u32, arc.source as u32, mixed(BACKWARDS, edge)));
            }
        }
        links.sort_unstable();
        let mut links = links.into_iter().peekable();
        for v in 0..graph.order() as u32 {
            offsets.push(near.len());
            while let Some((_, w, edge)) = links.next_if(|&(source, ..)| source == v) {
                near.push((w, edge));
            }
        }
        offsets.push(near.len());
    }

    /// The neighbours of a vertex, with what stands between.
    pub(super) fn of(&self, v: u32) -> &[(u32, u64)] {
        &self.near[self.offsets[v as usize]..self.offsets[v as usize + 1]]
    }
}

/// Hashes neighbourhoods. Scratch, to be used for one after the other.
#[derive(Default)]
pub(super) struct Hasher {
    /// By vertex: its place among the members, if it is one.
    places: Vec<u32>,
    /// By place: where its links begin, and where the last end.
    starts: Vec<usize>,
    links: Vec<(u32, u64)>,
    first: Vec<u64>,
    colours: Vec<u64>,
    next: Vec<u64>,
    sorted: Vec<u64>,
}

const OUTSIDE: u32 = u32::MAX;

impl Hasher {
    /// Turns to a graph of so many vertices.
    pub(super) fn begin(&mut self, order: usize) {
        self.places.clear();
        self.places.resize(order, OUTSIDE);
    }

    /// The hash of the graph that some vertices induce, each with its distance from the root, which is the first.
    pub(super) fn hash(&mut self, around: &Surroundings, members: &[(u32, u32)]) -> u64 {
        let Self { places, starts, links, first, .. } = self;
        members.iter().zip(0..).for_each(|(&(v, _), place)| places[v as usize] = place);
        starts.clear();
        links.clear();
        first.clear();
        for &(v, distance) in members {
            starts.push(links.len());
            let inside = around.of(v).iter().map(|&(w, edge)| (places[w as usize], edge));
            links.extend(inside.filter(|&(place, _)| place != OUTSIDE));
            first.push(mixed(around.labels[v as usize], VERTEX ^ u64::from(distance)));
        }
        starts.push(links.len());
        members.iter().for_each(|&(v, _)| places[v as usize] = OUTSIDE);
        let all = self.refine(None);
        // Trees are settled: all their vertices that are alike are so for good.
        if self.classes() == members.len() || self.links.len() < 2 * members.len() {
            return all;
        }
        self.first.clone_from(&self.colours);
        let ambiguous: Vec<usize> = (0..members.len()).filter(|&place| !self.is_alone(place)).collect();
        let marked = ambiguous.iter().map(|&place| mixed(MARK, self.refine(Some(place))));
        mixed(all, marked.fold(0, u64::wrapping_add))
    }

    /// How many members there are that differ. Leaves the colours sorted.
    fn classes(&mut self) -> usize {
        self.sorted.clone_from(&self.colours);
        self.sorted.sort_unstable();
        self.sorted.chunk_by(|a, b| a == b).count()
    }

    /// Whether no other member had the same colour when they were sorted and `first` was set.
    fn is_alone(&self, place: usize) -> bool {
        let colour = self.first[place];
        let at = self.sorted.partition_point(|&other| other < colour);
        self.sorted.get(at + 1) != Some(&colour)
    }

    /// Lets members take in their neighbours until no more of them differ; gives what all of them are then.
    fn refine(&mut self, marked: Option<usize>) -> u64 {
        self.colours.clone_from(&self.first);
        marked.into_iter().for_each(|place| self.colours[place] = mixed(self.colours[place], MARK));
        let mut before = self.classes();
        loop {
            let Self { colours, next, links, starts, .. } = self;
            next.clear();
            next.extend(starts.windows(2).zip(&*colours).map(|(row, &own)| {
                let near = links[row[0]..row[1]].iter().map(|&(w, edge)| mixed(edge, colours[w as usize]));
                mixed(own, near.fold(0, u64::wrapping_add))
            }));
            std::mem::swap(colours, next);
            let classes = self.classes();
            if classes == before {
                let all = self.colours.iter().map(|&colour| mixed(VERTEX, colour));
                return mixed(all.fold(0, u64::wrapping_add), self.colours.first().copied().unwrap_or(0));
            }
            before = classes;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::label::LabelMap;

    /// Whether two graphs, given by their edges, are the same but for the order of vertices other than the first.
    fn isomorphic(order: usize, a: &[(usize, usize)], b: &[(usize, usize)]) -> bool {
        fn extend(order: usize, a: &[Vec<bool>], b: &[Vec<bool>], map: &mut Vec<usize>) -> bool {
            let v = map.len();
            if v == order {
                return true;
            }
            (0..order).filter(|&w| (v == 0) == (w == 0)).any(|w| {
                let fits = !map.contains(&w) && (0..v).all(|u| a[u][v] == b[map[u]][w]);
                map.push(w);
                let found = fits && extend(order, a, b, map);
                map.pop();
                found
            })
        }
        let matrix = |edges: &[(usize, usize)]| {
            let mut matrix = vec![vec![false; order]; order];
            edges.iter().for_each(|&(u, v)| (matrix[u][v], matrix[v][u]) = (true, true));
            matrix
        };
        extend(order, &matrix(a), &matrix(b), &mut Vec::new())
    }

    /// The hash of a connected graph around vertex 0; nothing if it is not connected.
    fn hash(order: usize, edges: &[(usize, usize)]) -> Option<u64> {
        let graph = Graph::from_edges(order, edges.iter().copied()).unwrap();
        let mut labelling = Labelling::new(LabelMap::all(), false);
        labelling.begin(&graph);
        labelling.number();
        let (mut around, mut hasher) = (Surroundings::default(), Hasher::default());
        around.begin(&graph, &labelling);
        hasher.begin(order);
        let members = super::super::reached(&around, 0, order as u32, &mut vec![u32::MAX; order]);
        (members.len() == order).then(|| hasher.hash(&around, &members))
    }

    fn edges(order: usize, code: u32) -> Vec<(usize, usize)> {
        let pairs = (1..order).flat_map(|v| (0..v).map(move |u| (u, v)));
        pairs.enumerate().filter(|&(bit, _)| code >> bit & 1 == 1).map(|(_, pair)| pair).collect()
    }

    #[test]
    fn the_same_exactly_where_graphs_are() {
        // OEIS A126100: connected rooted graphs.
        for (order, expected) in [(1, 1), (2, 1), (3, 3), (4, 11), (5, 58), (6, 407)] {
            let mut classes: BTreeMap<u64, Vec<(usize, usize)>> = BTreeMap::new();
            for code in 0..1 << (order * (order - 1) / 2) {
                let edges = edges(order, code);
                let Some(hash) = hash(order, &edges) else { continue };
                let same = classes.entry(hash).or_insert_with(|| edges.clone());
                assert!(isomorphic(order, same, &edges), "{same:?} {edges:?}");
            }
            // As many as there are: then no class has two hashes.
            assert_eq!(classes.len(), expected);
        }
    }

    #[test]
    fn what_refinement_alone_does_not_see() {
        let hub = |edges: &[(usize, usize)]| [(1..7).map(|v| (0, v)).collect(), edges.to_vec()].concat();
        let ring = hub(&[(1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 1)]);
        let triangles = hub(&[(1, 2), (2, 3), (3, 1), (4, 5), (5, 6), (6, 4)]);
        assert_ne!(hash(7, &ring), hash(7, &triangles));
        let renamed = hub(&[(1, 5), (5, 3), (3, 6), (6, 2), (2, 4), (4, 1)]);
        assert_eq!(hash(7, &ring), hash(7, &renamed));
    }
}

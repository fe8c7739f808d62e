//! The one way to make a graph: list its edges, say what is known of them, build.

use rustc_hash::FxHashSet;

use super::{About, Attribute, Graph, Labels, Names, Values};
use crate::{Error, Result};

/// Collects edges and what is known of them, checks them and builds a [`Graph`].
///
/// Edges are listed in any order. An undirected edge may be listed from one end or from both; that is one
/// edge. An edge listed more often than that is merged into its first listing, whose label, weight and
/// attributes it keeps; [`GraphBuilder::build_noting`] says how many were.
///
/// # Example
///
/// ```
/// # use allpaths::graph::GraphBuilder;
/// // O=C=O
/// let mut builder = GraphBuilder::undirected(3);
/// builder.edge(0, 1)?;
/// builder.edge(1, 2)?;
/// builder.vertex_labels(["O", "C", "O"]).edge_labels(["=", "="]);
/// let dioxide = builder.build()?;
/// assert_eq!(dioxide.vertex_labels().unwrap().name(1), "C");
/// # Ok::<(), allpaths::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct GraphBuilder {
    directed: bool,
    order: usize,
    listed: Vec<(u32, u32)>,
    about: About,
}

/// Vertices and listed edges stay below this, so that a number of either fits 30 bits and of arcs 31.
const LARGEST: usize = 1 << 30;

/// What the builder merged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Edges that had been listed before.
    pub repeats: usize,
    /// Listings whose label or weight differs from that of the listing that was kept.
    pub conflicts: usize,
}

impl GraphBuilder {
    /// A graph whose edges have no direction.
    pub fn undirected(order: usize) -> Self {
        Self { directed: false, order, listed: Vec::new(), about: About::default() }
    }

    /// A graph whose edges lead from their first vertex to their second.
    pub fn directed(order: usize) -> Self {
        Self { directed: true, ..Self::undirected(order) }
    }

    /// Lists an edge.
    ///
    /// # Errors
    ///
    /// When an end is not below the number of vertices.
    pub fn edge(&mut self, u: usize, v: usize) -> Result<&mut Self> {
        if u >= self.order || v >= self.order {
            return Err(Error::graph(format!(
                "edge {u} to {v}: the graph has {} vertices, numbered from 0",
                self.order
            )));
        }
        self.listed.push((u as u32, v as u32));
        Ok(self)
    }

    /// Names the vertices, in vertex order. Names that are the vertex numbers, `0`, `1`, ..., are none.
    pub fn names<S: AsRef<str>>(&mut self, names: impl IntoIterator<Item = S>) -> &mut Self {
        self.about.names = Some(names.into_iter().collect());
        self
    }

    /// Labels the vertices, in vertex order.
    pub fn vertex_labels<S: AsRef<str>>(&mut self, labels: impl IntoIterator<Item = S>) -> &mut Self {
        self.about.vertex_labels = Some(Labels::from_names(labels));
        self
    }

    /// Labels the edges, in the order in which they are listed.
    pub fn edge_labels<S: AsRef<str>>(&mut self, labels: impl IntoIterator<Item = S>) -> &mut Self {
        self.about.edge_labels = Some(Labels::from_names(labels));
        self
    }

    /// Weighs the edges, in the order in which they are listed. Weights may be negative.
    pub fn weights(&mut self, weights: impl IntoIterator<Item = f64>) -> &mut Self {
        self.about.weights = Some(weights.into_iter().collect());
        self
    }

    /// Adds an attribute of the vertices, in vertex order.
    pub fn vertex_attribute(&mut self, attribute: Attribute) -> &mut Self {
        self.about.vertex_attributes.push(attribute);
        self
    }

    /// Adds an attribute of the edges, in the order in which they are listed.
    pub fn edge_attribute(&mut self, attribute: Attribute) -> &mut Self {
        self.about.edge_attributes.push(attribute);
        self
    }

    /// Everything at once, for readers, which know that their edges are inside.
    pub(crate) fn from_listing(directed: bool, order: usize, listed: Vec<(u32, u32)>, about: About) -> Self {
        debug_assert!(listed.iter().all(|&(u, v)| (u as usize) < order && (v as usize) < order));
        Self { directed, order, listed, about }
    }

    /// Checks everything and builds the graph.
    ///
    /// # Errors
    ///
    /// When there is a name, label, weight or attribute too few or too many, a weight or an attribute's value
    /// that is not a finite number, two attributes of one name, or 2^30 or more vertices or edges.
    pub fn build(self) -> Result<Graph> {
        self.build_noting().map(|(graph, _)| graph)
    }

    /// Builds the graph and says what was merged on the way.
    ///
    /// # Errors
    ///
    /// As [`GraphBuilder::build`].
    pub fn build_noting(self) -> Result<(Graph, Merged)> {
        self.check()?;
        let Self { directed, order, listed, mut about } = self;
        about.names = about.names.filter(|names| !names.are_numbers());
        let mut merged = Merged::default();
        if !directed && is_in_order(&listed) {
            let numbered = listed.iter().zip(0..).map(|(&(u, v), edge)| (u, v, edge));
            let (offsets, targets, arc_edges) = mirror(order, numbered);
            return Ok((Graph { directed, offsets, targets, arc_edges, edges: listed, about }, merged));
        }
        let mut found = Listings::sorted(directed, order, &listed);
        let mut edges = listed;
        if found.has_repeats {
            let kept = found.merge(&about, edges.len(), &mut merged);
            edges = kept.iter().map(|&i| edges[i as usize]).collect();
            about.edge_labels = about.edge_labels.map(|labels| {
                let codes = kept.iter().map(|&i| labels.codes()[i as usize]).collect();
                Labels::new(labels.alphabet().clone(), codes)
            });
            about.weights = about.weights.map(|w| kept.iter().map(|&i| w[i as usize]).collect());
            for attribute in &mut about.edge_attributes {
                let values = attribute.values().pick(kept.iter().map(|&i| i as usize));
                *attribute = Attribute::new(attribute.name(), values);
            }
        }
        let (offsets, targets, arc_edges) = if directed { found.split() } else { found.mirrored() };
        Ok((Graph { directed, offsets, targets, arc_edges, edges, about }, merged))
    }

    fn check(&self) -> Result<()> {
        if self.order >= LARGEST || self.listed.len() >= LARGEST {
            return Err(Error::graph(format!(
                "{} vertices and {} edges: a graph can have up to 2^30 of each",
                self.order,
                self.listed.len()
            )));
        }
        let about = &self.about;
        let given = |what: &str, count: Option<usize>, wanted: usize| match count {
            Some(count) if count != wanted => {
                Err(Error::graph(format!("{count} {what} given, {wanted} expected")))
            }
            _ => Ok(()),
        };
        let listed = self.listed.len();
        given("vertex names", about.names.as_ref().map(Names::len), self.order)?;
        given("vertex labels", about.vertex_labels.as_ref().map(|l| l.codes().len()), self.order)?;
        given("edge labels", about.edge_labels.as_ref().map(|l| l.codes().len()), listed)?;
        given("edge weights", about.weights.as_ref().map(Vec::len), listed)?;
        for attribute in &about.vertex_attributes {
            given("values of a vertex attribute", Some(attribute.values().len()), self.order)?;
        }
        for attribute in &about.edge_attributes {
            given("values of an edge attribute", Some(attribute.values().len()), listed)?;
        }
        if let Some(weight) = about.weights.iter().flatten().find(|w| !w.is_finite()) {
            return Err(Error::graph(format!("an edge weight is {weight}, not a finite number")));
        }
        for attributes in [&about.vertex_attributes, &about.edge_attributes] {
            let mut names = FxHashSet::default();
            if let Some(twice) = attributes.iter().find(|attribute| !names.insert(attribute.name())) {
                return Err(Error::graph(format!("two attributes are called {:?}", twice.name())));
            }
        }
        for attribute in about.vertex_attributes.iter().chain(&about.edge_attributes) {
            let Values::Real(values) = attribute.values() else { continue };
            if let Some(x) = values.iter().flatten().find(|x| !x.is_finite()) {
                let reason =
                    format!("a value of attribute {:?} is {x}, not a finite number", attribute.name());
                return Err(Error::graph(reason));
            }
        }
        Ok(())
    }
}

/// Every listing as one integer in the row of its first vertex (undirected: of its smaller one): the other
/// vertex above, the number of the listing below, and whether it was turned around in the lowest bit. Sorting a
/// row sorts it by vertex, equal vertices by listing.
struct Listings {
    offsets: Vec<u32>,
    keys: Vec<u64>,
    /// Whether an edge is listed more than once, from either end.
    has_repeats: bool,
}

fn key(target: u32, listing: usize, turned: bool) -> u64 {
    u64::from(target) << 32 | (listing as u64) << 1 | u64::from(turned)
}

fn target(key: u64) -> u32 {
    (key >> 32) as u32
}

fn listing(key: u64) -> u32 {
    key as u32 >> 1
}

fn is_turned(key: u64) -> bool {
    key & 1 == 1
}

/// Most rows hold two or three keys, nearly in order: not worth a call.
#[inline]
fn sort(row: &mut [u64]) {
    if row.len() > 8 {
        return row.sort_unstable();
    }
    for i in 1..row.len() {
        let mut j = i;
        while j > 0 && row[j - 1] > row[j] {
            row.swap(j - 1, j);
            j -= 1;
        }
    }
}

impl Listings {
    /// All listings in rows, each row sorted.
    fn sorted(directed: bool, order: usize, listed: &[(u32, u32)]) -> Self {
        let row = |u: u32, v: u32| if directed { u } else { u.min(v) } as usize;
        let mut offsets = vec![0u32; order + 1];
        for &(u, v) in listed {
            offsets[row(u, v)] += 1;
        }
        // Each entry becomes the end of its row; filling the rows from behind turns it into the start.
        let mut total = 0;
        for end in &mut offsets {
            total += *end;
            *end = total;
        }
        let mut keys = vec![0u64; listed.len()];
        for (i, &(u, v)) in listed.iter().enumerate().rev() {
            let turned = !directed && v < u;
            let place = &mut offsets[row(u, v)];
            *place -= 1;
            keys[*place as usize] = key(if turned { u } else { v }, i, turned);
        }
        let mut has_repeats = false;
        for v in 0..order {
            let row = &mut keys[offsets[v] as usize..offsets[v + 1] as usize];
            sort(row);
            has_repeats = has_repeats || row.windows(2).any(|pair| target(pair[0]) == target(pair[1]));
        }
        Self { offsets, keys, has_repeats }
    }

    /// Keeps the first listing of each edge and numbers edges in that order. Returns the listings kept,
    /// ascending; afterwards the keys hold edge numbers where they held listings.
    fn merge(&mut self, about: &About, listed: usize, merged: &mut Merged) -> Vec<u32> {
        const DROPPED: u32 = u32::MAX;
        #[allow(clippy::float_cmp)] // the same weight is one that reads the same
        let differ = |i: u32, j: u32| {
            let (i, j) = (i as usize, j as usize);
            about.edge_labels.as_ref().is_some_and(|l| l.codes()[i] != l.codes()[j])
                || about.weights.as_ref().is_some_and(|w| w[i] != w[j])
        };
        let mut numbers = vec![0u32; listed];
        let (mut read, mut write) = (0, 0);
        for v in 0..self.offsets.len() - 1 {
            let end = self.offsets[v + 1] as usize;
            self.offsets[v] = write as u32;
            while read < end {
                let first = self.keys[read];
                self.keys[write] = first;
                write += 1;
                read += 1;
                // An edge may be listed once from each end; what is more than that is a repeat.
                let mut times = [usize::from(!is_turned(first)), usize::from(is_turned(first))];
                while read < end && target(self.keys[read]) == target(first) {
                    let again = self.keys[read];
                    times[usize::from(is_turned(again))] += 1;
                    merged.conflicts += usize::from(differ(listing(first), listing(again)));
                    numbers[listing(again) as usize] = DROPPED;
                    read += 1;
                }
                merged.repeats += times[0].max(times[1]) - 1;
            }
        }
        *self.offsets.last_mut().expect("one more than vertices") = write as u32;
        self.keys.truncate(write);

        let mut kept = Vec::with_capacity(write);
        for (i, number) in numbers.iter_mut().enumerate() {
            if *number != DROPPED {
                *number = kept.len() as u32;
                kept.push(i as u32);
            }
        }
        for key in &mut self.keys {
            *key = self::key(target(*key), numbers[listing(*key) as usize] as usize, false);
        }
        kept
    }

    /// The rows as they are: offsets, targets, edges.
    fn split(self) -> (Vec<u32>, Vec<u32>, Vec<u32>) {
        let (targets, edges) = self.keys.iter().map(|&key| (target(key), listing(key))).unzip();
        (self.offsets, targets, edges)
    }

    /// The rows with each edge in those of both its ends: offsets, targets, edges.
    fn mirrored(self) -> (Vec<u32>, Vec<u32>, Vec<u32>) {
        let order = self.offsets.len() - 1;
        let row = |v: usize| &self.keys[self.offsets[v] as usize..self.offsets[v + 1] as usize];
        let edges =
            (0..order).flat_map(|u| row(u).iter().map(move |&key| (u as u32, target(key), listing(key))));
        mirror(order, edges)
    }
}

/// Rows with each edge, given by its ends and its number, in those of both its ends: offsets, targets, edges.
///
/// Edges come by their smaller vertex, then by their larger, or the other way around. Either way a row gets its
/// smaller vertices in order, then its larger ones in order, and needs no sorting.
fn mirror(
    order: usize,
    listed: impl Iterator<Item = (u32, u32, u32)> + Clone,
) -> (Vec<u32>, Vec<u32>, Vec<u32>) {
    let mut offsets = vec![0u32; order + 2];
    listed.clone().for_each(|(u, v, _)| {
        offsets[u as usize + 2] += 1;
        offsets[v as usize + 2] += u32::from(u != v);
    });
    for v in 0..order {
        offsets[v + 2] += offsets[v + 1];
    }
    let total = offsets[order + 1] as usize;
    let (mut targets, mut edges) = (vec![0; total], vec![0; total]);
    // One entry further on stands the start of each row; filling the row turns it into the end, which is the start of
    // the next.
    let mut place = |v: u32, target: u32, edge: u32| {
        let next = &mut offsets[v as usize + 1];
        targets[*next as usize] = target;
        edges[*next as usize] = edge;
        *next += 1;
    };
    listed.for_each(|(u, v, edge)| {
        place(u, v, edge);
        if u != v {
            place(v, u, edge);
        }
    });
    offsets.truncate(order + 1);
    (offsets, targets, edges)
}

/// Whether undirected edges come in one of the orders that [`mirror`] asks for, and none twice, as in many files.
fn is_in_order(listed: &[(u32, u32)]) -> bool {
    let by_smaller = |&(u, v): &(u32, u32)| (u.min(v), u.max(v));
    let by_larger = |&(u, v): &(u32, u32)| (u.max(v), u.min(v));
    listed.is_sorted_by(|a, b| by_smaller(a) < by_smaller(b))
        || listed.is_sorted_by(|a, b| by_larger(a) < by_larger(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_directions_are_one_edge_and_a_third_listing_is_a_repeat() {
        let mut builder = GraphBuilder::undirected(3);
        for (u, v) in [(0, 1), (1, 0), (2, 1), (0, 1), (2, 2), (2, 2)] {
            builder.edge(u, v).unwrap();
        }
        let (graph, merged) = builder.build_noting().unwrap();
        assert_eq!(graph.edges().collect::<Vec<_>>(), [(0, 1), (2, 1), (2, 2)]);
        assert_eq!(graph.neighbours(2), [1, 2]);
        assert_eq!(graph.loops(), 1);
        assert_eq!(merged, Merged { repeats: 2, conflicts: 0 });
    }

    #[test]
    fn any_order_of_edges_makes_the_same_rows() {
        // 0---1    4
        //  \ / \
        //   2---3 with a loop
        let by_smaller = [(0, 1), (2, 0), (1, 2), (1, 3), (3, 2), (3, 3)];
        let by_larger = [(1, 0), (0, 2), (1, 2), (1, 3), (2, 3), (3, 3)];
        let neither = [(3, 3), (1, 2), (0, 1), (3, 2), (2, 0), (1, 3)];
        for edges in [by_smaller, by_larger, neither] {
            let graph = Graph::from_edges(5, edges).unwrap();
            let rows: Vec<&[u32]> = (0..5).map(|v| graph.neighbours(v)).collect();
            assert_eq!(rows, [&[1, 2][..], &[0, 2, 3], &[0, 1, 3], &[1, 2, 3], &[]]);
            for arc in (0..5).flat_map(|v| graph.arcs(v)) {
                let (u, v) = edges[graph.edge_of(arc)];
                assert!((u, v) == (arc.source, arc.target) || (v, u) == (arc.source, arc.target));
            }
        }
    }

    #[test]
    fn directed_arcs_and_their_opposites_are_two() {
        let mut builder = GraphBuilder::directed(2);
        for (u, v) in [(0, 1), (1, 0), (1, 0)] {
            builder.edge(u, v).unwrap();
        }
        let (graph, merged) = builder.build_noting().unwrap();
        assert_eq!(graph.size(), 2);
        assert_eq!(merged, Merged { repeats: 1, conflicts: 0 });
    }

    #[test]
    fn the_first_listing_keeps_its_label_and_weight() {
        let mut builder = GraphBuilder::undirected(3);
        for (u, v) in [(1, 2), (0, 1), (1, 0), (2, 0)] {
            builder.edge(u, v).unwrap();
        }
        builder.edge_labels(["a", "b", "c", "d"]).weights([1.0, 2.0, 2.0, 4.0]);
        let (graph, merged) = builder.build_noting().unwrap();
        assert_eq!(merged, Merged { repeats: 0, conflicts: 1 });
        let arc = graph.arcs(0).find(|arc| arc.target == 1).unwrap();
        assert_eq!(graph.edge_labels().unwrap().name(graph.edge_of(arc)), "b");
        assert_eq!(graph.weights().unwrap(), [1.0, 2.0, 4.0]);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let message = |result: Result<Graph>| result.unwrap_err().to_string();
        let mut builder = GraphBuilder::undirected(2);
        assert!(builder.edge(0, 2).unwrap_err().to_string().contains("2 vertices"));
        builder.edge(0, 1).unwrap().vertex_labels(["a"]);
        assert_eq!(message(builder.build()), "1 vertex labels given, 2 expected");
        let mut builder = GraphBuilder::undirected(2);
        builder.edge(0, 1).unwrap().weights([f64::NAN]);
        assert!(message(builder.build()).contains("finite"));
    }
}

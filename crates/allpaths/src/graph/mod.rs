//! The ground every stage stands on: a graph in compressed rows.
//!
//! [`Graph`] holds the structure (who is joined to whom) and, beside it, whatever the file said of vertices
//! and edges: names, labels, weights, further attributes. It never changes once built; [`GraphBuilder`]
//! checks everything on the way in, so that nothing has to be checked later.

mod attributes;
mod builder;
mod derived;
mod labels;
mod masks;
mod names;
#[cfg(feature = "petgraph")]
pub mod petgraph;

use std::borrow::Cow;

pub use attributes::{Attribute, Values};
pub use builder::{GraphBuilder, Merged};
pub use derived::VertexLabels;
pub use labels::{Alphabet, Labels};
pub(crate) use labels::{Interner, share_alphabets};
pub use masks::{Mask, Masks};
pub(crate) use names::Names;

use crate::Result;

/// A graph, directed or not, with what is known of its vertices and edges.
///
/// Vertices are numbered from 0. An undirected edge appears in the rows of both its ends, a self-loop once in
/// its vertex's row. Rows are sorted and hold no vertex twice: repeated edges were merged by the builder.
///
/// # Example
///
/// ```
/// # use allpaths::Graph;
/// // 0---1
/// //  \ /
/// //   2---3
/// let graph = Graph::from_edges(4, [(0, 1), (1, 2), (2, 0), (2, 3)])?;
/// assert_eq!(graph.order(), 4);
/// assert_eq!(graph.size(), 4);
/// assert_eq!(graph.neighbours(2), [0, 1, 3]);
/// # Ok::<(), allpaths::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Graph {
    directed: bool,
    /// Row `v` is `offsets[v]..offsets[v + 1]` in `targets` and `arc_edges`.
    offsets: Vec<u32>,
    targets: Vec<u32>,
    arc_edges: Vec<u32>,
    /// The ends of each edge, as first listed.
    edges: Vec<(u32, u32)>,
    about: About,
}

/// What is known beside the structure. Each is absent where the file says nothing of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct About {
    pub(crate) names: Option<Names>,
    pub(crate) vertex_labels: Option<Labels>,
    pub(crate) edge_labels: Option<Labels>,
    pub(crate) weights: Option<Vec<f64>>,
    pub(crate) vertex_attributes: Vec<Attribute>,
    pub(crate) edge_attributes: Vec<Attribute>,
}

/// One direction of an edge, as it stands in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arc {
    /// Where it starts.
    pub source: usize,
    /// Where it ends.
    pub target: usize,
    /// Its place among all arcs: row after row, by target within a row.
    pub index: usize,
}

impl Graph {
    /// An undirected graph without labels or weights.
    ///
    /// # Errors
    ///
    /// When an edge names a vertex that is not below `order`.
    pub fn from_edges(order: usize, edges: impl IntoIterator<Item = (usize, usize)>) -> Result<Self> {
        Self::build(GraphBuilder::undirected(order), edges)
    }

    /// A directed graph without labels or weights.
    ///
    /// # Errors
    ///
    /// When an arc names a vertex that is not below `order`.
    pub fn from_arcs(order: usize, arcs: impl IntoIterator<Item = (usize, usize)>) -> Result<Self> {
        Self::build(GraphBuilder::directed(order), arcs)
    }

    fn build(mut builder: GraphBuilder, edges: impl IntoIterator<Item = (usize, usize)>) -> Result<Self> {
        for (u, v) in edges {
            builder.edge(u, v)?;
        }
        builder.build()
    }

    /// How many vertices there are.
    pub fn order(&self) -> usize {
        self.offsets.len() - 1
    }

    /// How many edges there are, self-loops included, each undirected edge once.
    pub fn size(&self) -> usize {
        self.edges.len()
    }

    /// How many edges are self-loops.
    pub fn loops(&self) -> usize {
        self.edges.iter().filter(|(u, v)| u == v).count()
    }

    /// Whether edges have a direction.
    pub fn is_directed(&self) -> bool {
        self.directed
    }

    /// The vertices that an edge from `v` leads to, ascending; `v` itself among them if it has a loop.
    ///
    /// # Panics
    ///
    /// When there is no vertex `v`.
    pub fn neighbours(&self, v: usize) -> &[u32] {
        &self.targets[self.offsets[v] as usize..self.offsets[v + 1] as usize]
    }

    /// The arcs that start at `v`, by target.
    ///
    /// # Panics
    ///
    /// When there is no vertex `v`.
    pub fn arcs(&self, v: usize) -> impl ExactSizeIterator<Item = Arc> + '_ {
        let start = self.offsets[v] as usize;
        self.neighbours(v).iter().enumerate().map(move |(i, &w)| Arc {
            source: v,
            target: w as usize,
            index: start + i,
        })
    }

    /// The arc from one vertex to another, if there is one. Takes a search in a row.
    ///
    /// # Panics
    ///
    /// When there is no vertex `source`.
    pub fn arc(&self, source: usize, target: usize) -> Option<Arc> {
        let place = self.neighbours(source).binary_search(&u32::try_from(target).ok()?).ok()?;
        Some(Arc { source, target, index: self.offsets[source] as usize + place })
    }

    /// The edges with their ends in the order in which they were first listed.
    pub fn edges(&self) -> impl ExactSizeIterator<Item = (usize, usize)> + '_ {
        self.edges.iter().map(|&(u, v)| (u as usize, v as usize))
    }

    /// The ends of an edge, in the order in which they were first listed.
    pub(crate) fn ends(&self, edge: usize) -> (usize, usize) {
        let (u, v) = self.edges[edge];
        (u as usize, v as usize)
    }

    /// The edge that an arc belongs to: a position in [`Graph::edges`].
    pub fn edge_of(&self, arc: Arc) -> usize {
        self.arc_edges[arc.index] as usize
    }

    /// Where each row starts among all arcs, and where the last one ends.
    pub(crate) fn offsets(&self) -> &[u32] {
        &self.offsets
    }

    /// What vertex `v` is called in its file; its number where the file gives no names.
    ///
    /// # Panics
    ///
    /// When there is no vertex `v`.
    pub fn name(&self, v: usize) -> Cow<'_, str> {
        match &self.about.names {
            Some(names) => Cow::Borrowed(names.get(v)),
            None => Cow::Owned(v.to_string()),
        }
    }

    /// Whether the vertices have names of their own.
    pub fn has_names(&self) -> bool {
        self.about.names.is_some()
    }

    /// The vertex of that name. Takes time proportional to the number of vertices.
    pub fn vertex(&self, name: &str) -> Option<usize> {
        match &self.about.names {
            Some(names) => names.position(name),
            None => name.parse().ok().filter(|&v| v < self.order()),
        }
    }

    /// A label for each vertex, if there are any.
    pub fn vertex_labels(&self) -> Option<&Labels> {
        self.about.vertex_labels.as_ref()
    }

    /// A label for each edge, in the order of [`Graph::edges`], if there are any.
    pub fn edge_labels(&self) -> Option<&Labels> {
        self.about.edge_labels.as_ref()
    }

    /// The same graph under other vertex labels.
    pub(crate) fn with_vertex_labels(mut self, labels: Labels) -> Self {
        self.set_vertex_labels(labels);
        self
    }

    pub(crate) fn set_vertex_labels(&mut self, labels: Labels) {
        debug_assert_eq!(labels.codes().len(), self.order());
        self.about.vertex_labels = Some(labels);
    }

    pub(crate) fn vertex_labels_mut(&mut self) -> Option<&mut Labels> {
        self.about.vertex_labels.as_mut()
    }

    pub(crate) fn edge_labels_mut(&mut self) -> Option<&mut Labels> {
        self.about.edge_labels.as_mut()
    }

    /// A weight for each edge, in the order of [`Graph::edges`], if there are any.
    pub fn weights(&self) -> Option<&[f64]> {
        self.about.weights.as_deref()
    }

    /// Whatever else is known of the vertices.
    pub fn vertex_attributes(&self) -> &[Attribute] {
        &self.about.vertex_attributes
    }

    /// Whatever else is known of the edges, in the order of [`Graph::edges`].
    pub fn edge_attributes(&self) -> &[Attribute] {
        &self.about.edge_attributes
    }

    /// The arcs turned around, without loops: row `v` of the result lists where arcs into `v` come from.
    /// Borrows the graph's own rows when they are the same.
    pub(crate) fn reverse_rows(&self) -> Rows<'_> {
        if !self.directed && self.loops() == 0 {
            return Rows { offsets: Cow::Borrowed(&self.offsets), targets: Cow::Borrowed(&self.targets) };
        }
        let arcs = || (0..self.order()).flat_map(|v| self.arcs(v)).filter(|arc| arc.source != arc.target);
        let mut offsets = vec![0; self.order() + 1];
        arcs().for_each(|arc| offsets[arc.target + 1] += 1);
        for v in 0..self.order() {
            offsets[v + 1] += offsets[v];
        }
        let mut next = offsets.clone();
        let mut targets = vec![0; offsets[self.order()] as usize];
        for arc in arcs() {
            targets[next[arc.target] as usize] = arc.source as u32;
            next[arc.target] += 1;
        }
        Rows { offsets: Cow::Owned(offsets), targets: Cow::Owned(targets) }
    }
}

/// A graph alone, where many could be.
impl AsRef<[Graph]> for Graph {
    fn as_ref(&self) -> &[Graph] {
        std::slice::from_ref(self)
    }
}

/// Rows without anything beside them.
pub(crate) struct Rows<'a> {
    offsets: Cow<'a, [u32]>,
    targets: Cow<'a, [u32]>,
}

impl Rows<'_> {
    pub(crate) fn row(&self, v: usize) -> &[u32] {
        &self.targets[self.offsets[v] as usize..self.offsets[v + 1] as usize]
    }
}

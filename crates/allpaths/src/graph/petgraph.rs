//! Graphs of the crate `petgraph`, both ways (feature `petgraph`).
//!
//! Vertices and edges keep their numbers. A `petgraph` graph carries one thing for each vertex and each edge: here a
//! [`Vertex`] and an [`Edge`], which hold name, label and weight. Further attributes stay behind.

use petgraph::EdgeType;
use petgraph::graph::{Graph as Petgraph, IndexType};
use petgraph::visit::EdgeRef;

use super::{Graph, GraphBuilder, Merged};
use crate::{Error, Result};

/// What a vertex of a `petgraph` graph carries; see [`Graph::from_petgraph`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vertex {
    /// Its name.
    pub name: Option<String>,
    /// Its label.
    pub label: Option<String>,
}

/// What an edge of a `petgraph` graph carries; see [`Graph::from_petgraph`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Edge {
    /// Its label.
    pub label: Option<String>,
    /// Its weight.
    pub weight: Option<f64>,
}

impl Graph {
    /// The same graph for `petgraph`, whose type says whether edges have a direction.
    ///
    /// # Errors
    ///
    /// When edges have a direction here and not there, or the other way around.
    ///
    /// # Example
    ///
    /// ```
    /// # use allpaths::Graph;
    /// use petgraph::Undirected;
    ///
    /// let triangle = Graph::from_edges(3, [(0, 1), (1, 2), (2, 0)])?;
    /// let theirs = triangle.to_petgraph::<Undirected>()?;
    /// assert_eq!(theirs.edge_count(), 3);
    ///
    /// let (ours, _) = Graph::from_petgraph(&theirs, Clone::clone, Clone::clone)?;
    /// assert_eq!(ours, triangle);
    /// # Ok::<(), allpaths::Error>(())
    /// ```
    pub fn to_petgraph<Ty: EdgeType>(&self) -> Result<Petgraph<Vertex, Edge, Ty>> {
        if self.is_directed() != Ty::is_directed() {
            let (here, there) = if self.is_directed() { ("a", "none") } else { ("no", "one") };
            return Err(Error::settings(format!(
                "edges have {here} direction, those of the type asked for {there}"
            )));
        }
        let mut theirs = Petgraph::with_capacity(self.order(), self.size());
        for v in 0..self.order() {
            theirs.add_node(Vertex {
                name: self.has_names().then(|| self.name(v).into_owned()),
                label: self.vertex_labels().map(|labels| labels.name(v).to_owned()),
            });
        }
        for (i, (u, v)) in self.edges().enumerate() {
            let edge = Edge {
                label: self.edge_labels().map(|labels| labels.name(i).to_owned()),
                weight: self.weights().map(|weights| weights[i]),
            };
            theirs.add_edge((u as u32).into(), (v as u32).into(), edge);
        }
        Ok(theirs)
    }

    /// A graph of `petgraph`, with what its vertices and edges carry as the functions tell it. Parallel edges are
    /// merged, as by [`GraphBuilder::build_noting`].
    ///
    /// # Errors
    ///
    /// When some vertices or edges have a name, label or weight and others have not, or when a weight is not a finite
    /// number.
    ///
    /// # Example
    ///
    /// ```
    /// # use allpaths::Graph;
    /// use allpaths::graph::petgraph::{Edge, Vertex};
    /// use petgraph::graph::DiGraph;
    ///
    /// let mut theirs: DiGraph<&str, i32> = DiGraph::new();
    /// let (c, o) = (theirs.add_node("C"), theirs.add_node("O"));
    /// theirs.add_edge(c, o, 2);
    /// let vertex = |label: &&str| Vertex { label: Some((*label).into()), ..Vertex::default() };
    /// let edge = |&weight: &i32| Edge { weight: Some(weight.into()), ..Edge::default() };
    /// let (ours, _) = Graph::from_petgraph(&theirs, vertex, edge)?;
    /// assert!(ours.is_directed());
    /// assert_eq!(ours.weights(), Some([2.0].as_slice()));
    /// # Ok::<(), allpaths::Error>(())
    /// ```
    pub fn from_petgraph<N, E, Ty: EdgeType, Ix: IndexType>(
        theirs: &Petgraph<N, E, Ty, Ix>,
        vertex: impl Fn(&N) -> Vertex,
        edge: impl Fn(&E) -> Edge,
    ) -> Result<(Self, Merged)> {
        let order = theirs.node_count();
        let mut builder =
            if Ty::is_directed() { GraphBuilder::directed(order) } else { GraphBuilder::undirected(order) };
        for edge in theirs.edge_references() {
            builder.edge(edge.source().index(), edge.target().index())?;
        }
        let (names, labels) = theirs.node_weights().map(vertex).map(|v| (v.name, v.label)).unzip();
        all("vertices have a name", names)?.into_iter().for_each(|names| _ = builder.names(names));
        all("vertices have a label", labels)?
            .into_iter()
            .for_each(|labels| _ = builder.vertex_labels(labels));
        let (labels, weights) = theirs.edge_weights().map(edge).map(|e| (e.label, e.weight)).unzip();
        all("edges have a label", labels)?.into_iter().for_each(|labels| _ = builder.edge_labels(labels));
        all("edges have a weight", weights)?.into_iter().for_each(|weights| _ = builder.weights(weights));
        builder.build_noting()
    }
}

/// All values, or nothing where there is none.
fn all<T>(what: &str, values: Vec<Option<T>>) -> Result<Option<Vec<T>>> {
    let (count, total) = (values.iter().flatten().count(), values.len());
    if count == 0 {
        return Ok(None);
    }
    if count < total {
        return Err(Error::graph(format!("{count} of {total} {what}: all or none can have one")));
    }
    Ok(Some(values.into_iter().flatten().collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use petgraph::{Directed, Undirected};

    fn dioxide(directed: bool) -> Graph {
        let mut builder = if directed { GraphBuilder::directed(4) } else { GraphBuilder::undirected(4) };
        builder.edge(1, 0).unwrap().edge(1, 2).unwrap().edge(2, 2).unwrap();
        builder.names(["a", "b", "c", "d"]).vertex_labels(["O", "C", "O", "C"]);
        builder.edge_labels(["=", "=", "-"]).weights([2.0, -2.5, 1.0]);
        builder.build().unwrap()
    }

    #[test]
    fn there_and_back() {
        let (graph, merged) = Graph::from_petgraph(
            &dioxide(false).to_petgraph::<Undirected>().unwrap(),
            Clone::clone,
            Clone::clone,
        )
        .unwrap();
        assert_eq!((graph, merged), (dioxide(false), Merged::default()));
        let theirs = dioxide(true).to_petgraph::<Directed>().unwrap();
        assert_eq!(Graph::from_petgraph(&theirs, Clone::clone, Clone::clone).unwrap().0, dioxide(true));
        let bare = Graph::from_edges(3, [(0, 1)]).unwrap();
        let theirs = bare.to_petgraph::<Undirected>().unwrap();
        assert_eq!(Graph::from_petgraph(&theirs, Clone::clone, Clone::clone).unwrap().0, bare);
    }

    #[test]
    fn parallel_edges_are_merged_and_halves_refused() {
        let mut theirs: Petgraph<(), Option<f64>, Undirected, u8> = Petgraph::default();
        let (a, b) = (theirs.add_node(()), theirs.add_node(()));
        theirs.add_edge(a, b, Some(1.0));
        theirs.add_edge(a, b, Some(2.0));
        let vertex = |(): &()| Vertex::default();
        let edge = |weight: &Option<f64>| Edge { weight: *weight, ..Edge::default() };
        let (graph, merged) = Graph::from_petgraph(&theirs, vertex, edge).unwrap();
        assert_eq!((graph.size(), merged), (1, Merged { repeats: 1, conflicts: 1 }));
        theirs.add_edge(a, a, None);
        let error = Graph::from_petgraph(&theirs, vertex, edge).unwrap_err();
        assert_eq!(error.to_string(), "2 of 3 edges have a weight: all or none can have one");
    }

    #[test]
    fn directions_must_agree() {
        let error = dioxide(true).to_petgraph::<Undirected>().unwrap_err();
        assert_eq!(error.to_string(), "edges have a direction, those of the type asked for none");
        assert!(dioxide(false).to_petgraph::<Directed>().is_err());
    }
}

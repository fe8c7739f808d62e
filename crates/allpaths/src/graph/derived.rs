//! Labels that the structure of a graph gives its vertices.

use serde::{Deserialize, Serialize};

use super::Graph;

/// What vertices are labelled with where a file gives them no labels.
///
/// # Example
///
/// ```
/// # use allpaths::{dataset::Reader, graph::VertexLabels};
/// // A triangle with a tail.
/// let edges = "0 1\n1 2\n2 0\n2 3\n";
/// let data = Reader::new().vertex_labels(VertexLabels::Degree).read_bytes("tail.txt", edges)?;
/// let labels = data.graphs()[0].vertex_labels().unwrap();
/// assert_eq!(["0", "1", "2", "3"].map(|name| labels.name(data.graphs()[0].vertex(name).unwrap())), ["2", "2", "3", "1"]);
/// # Ok::<(), allpaths::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VertexLabels {
    /// Nothing.
    #[default]
    None,
    /// The number of its neighbours, in whatever direction, itself not counted.
    Degree,
    /// Its core number: the largest `k` such that it is in a subgraph where every vertex has `k` neighbours.
    Core,
}

impl VertexLabels {
    /// A number for each vertex, if there are to be any.
    pub(crate) fn of(self, graph: &Graph) -> Option<Vec<usize>> {
        match self {
            VertexLabels::None => None,
            VertexLabels::Degree => Some(neighbours(graph).iter().map(Vec::len).collect()),
            VertexLabels::Core => Some(core_numbers(&neighbours(graph))),
        }
    }
}

/// The different neighbours of each vertex, in either direction.
fn neighbours(graph: &Graph) -> Vec<Vec<usize>> {
    let mut rows = vec![Vec::new(); graph.order()];
    for (u, v) in graph.edges().filter(|(u, v)| u != v) {
        rows[u].push(v);
        rows[v].push(u);
    }
    for row in &mut rows {
        row.sort_unstable();
        row.dedup();
    }
    rows
}

/// Takes vertices away, always one with the fewest neighbours left (Batagelj and Zaversnik).
fn core_numbers(neighbours: &[Vec<usize>]) -> Vec<usize> {
    let mut left: Vec<usize> = neighbours.iter().map(Vec::len).collect();
    let mut waiting = vec![Vec::new(); left.iter().max().map_or(0, |most| most + 1)];
    left.iter().enumerate().for_each(|(v, &degree)| waiting[degree].push(v));
    let mut cores = vec![None; left.len()];
    let mut degree = 0;
    while degree < waiting.len() {
        let Some(v) = waiting[degree].pop() else {
            degree += 1;
            continue;
        };
        // Whoever lost neighbours waits in several places; the first one found is the right one.
        if cores[v].is_some() || left[v] > degree {
            continue;
        }
        cores[v] = Some(degree);
        for &w in neighbours[v].iter().filter(|&&w| cores[w].is_none()) {
            if left[w] > degree {
                left[w] -= 1;
                waiting[left[w]].push(w);
            }
        }
    }
    cores.into_iter().map(Option::unwrap_or_default).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn degrees_and_cores() {
        // A complete graph on 0 to 3, a tail 3-4-5, a triangle 5-6-7, a loop at 7, and 8 alone.
        let edges =
            [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7), (7, 5), (7, 7)];
        let graph = Graph::from_edges(9, edges).unwrap();
        assert_eq!(VertexLabels::Degree.of(&graph).unwrap(), [3, 3, 3, 4, 2, 3, 2, 2, 0]);
        assert_eq!(VertexLabels::Core.of(&graph).unwrap(), [3, 3, 3, 3, 2, 2, 2, 2, 0]);
        assert_eq!(VertexLabels::None.of(&graph), None);
        // Directed both ways, they are the same neighbours.
        let both = edges.into_iter().flat_map(|(u, v)| [(u, v), (v, u)]);
        let directed = Graph::from_arcs(9, both).unwrap();
        assert_eq!(VertexLabels::Core.of(&directed), VertexLabels::Core.of(&graph));
        assert_eq!(VertexLabels::Degree.of(&directed), VertexLabels::Degree.of(&graph));
    }
}

//! The oracle: every simple path and cycle by plain recursion, never optimised. Engines must agree with it.

use std::collections::BTreeSet;

use allpaths::Graph;

/// Vertex lists. A cycle's list does not repeat its first vertex at the end.
#[derive(Clone, Default)]
pub(crate) struct Found {
    pub(crate) paths: Vec<Vec<usize>>,
    pub(crate) cycles: Vec<Vec<usize>>,
}

/// All paths and cycles up to a length, from each of their vertices and in each direction in which they can be
/// walked; an undirected edge walked to and fro is a cycle here.
pub(crate) fn rooted(graph: &Graph, max_length: usize) -> Found {
    let mut neighbours = vec![BTreeSet::new(); graph.order()];
    for (u, v) in graph.edges() {
        neighbours[u].insert(v);
        if !graph.is_directed() {
            neighbours[v].insert(u);
        }
    }
    let mut found = Found::default();
    for root in 0..graph.order() {
        extend(&neighbours, max_length, &mut vec![root], &mut found);
    }
    found
}

fn extend(neighbours: &[BTreeSet<usize>], max_length: usize, path: &mut Vec<usize>, found: &mut Found) {
    found.paths.push(path.clone());
    if path.len() > max_length {
        return;
    }
    for &next in &neighbours[path[path.len() - 1]] {
        if next == path[0] {
            found.cycles.push(path.clone());
        }
        if !path.contains(&next) {
            path.push(next);
            extend(neighbours, max_length, path, found);
            path.pop();
        }
    }
}

impl Found {
    /// Each path and cycle once: undirected paths from their smaller end, cycles from their smallest vertex and,
    /// undirected, by way of the smaller of its two neighbours.
    pub(crate) fn distinct(mut self, directed: bool) -> Self {
        self.paths.retain(|path| directed || path[0] <= path[path.len() - 1]);
        self.cycles.retain(|cycle| {
            let once = directed || cycle.len() == 1 || cycle[1] < cycle[cycle.len() - 1];
            cycle.iter().all(|&v| cycle[0] <= v) && once
        });
        self
    }

    /// How many paths of each length satisfy a condition.
    pub(crate) fn paths(&self, max_length: usize, condition: impl Fn(&[usize]) -> bool) -> Vec<u64> {
        tally(max_length, self.paths.iter().filter(|path| condition(path)).map(|path| path.len() - 1))
    }

    /// How many cycles of each length satisfy a condition.
    pub(crate) fn cycles(&self, max_length: usize, condition: impl Fn(&[usize]) -> bool) -> Vec<u64> {
        tally(max_length, self.cycles.iter().filter(|cycle| condition(cycle)).map(Vec::len))
    }
}

fn tally(max_length: usize, lengths: impl Iterator<Item = usize>) -> Vec<u64> {
    let mut counts = vec![0; max_length + 1];
    lengths.for_each(|length| counts[length] += 1);
    counts
}

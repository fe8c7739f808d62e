//! The forest of bridges of a graph, and names for its trees.

use std::cmp::Reverse;

use crate::Graph;
use crate::count::Links;
use crate::label::mixed;

/// The bridges of a graph as a forest: for each vertex those it is joined to by an edge without which they would not be connected.
///
/// Directions have no say, nor do loops.
pub(super) fn forest(graph: &Graph) -> Vec<Vec<u32>> {
    let links = Links::new(graph, |_| 1i64);
    let near: Vec<Vec<u32>> =
        (0..graph.order()).map(|v| links.neighbours(v).map(|w| w as u32).collect()).collect();
    let mut forest = vec![Vec::new(); graph.order()];
    // When a vertex was met, and the earliest that can be reached from below it without the edge to its parent (Tarjan).
    let (mut met, mut earliest) = (vec![0u32; graph.order()], vec![0u32; graph.order()]);
    let mut clock = 0;
    let mut path: Vec<(u32, u32, usize)> = Vec::new();
    for root in 0..graph.order() {
        if met[root] == 0 {
            clock += 1;
            (met[root], earliest[root]) = (clock, clock);
            path.push((root as u32, u32::MAX, 0));
        }
        while let Some((v, parent, next)) = path.last_mut() {
            let (v, parent) = (*v as usize, *parent);
            if let Some(&w) = near[v].get(*next) {
                *next += 1;
                if met[w as usize] == 0 {
                    clock += 1;
                    (met[w as usize], earliest[w as usize]) = (clock, clock);
                    path.push((w, v as u32, 0));
                } else if w != parent {
                    earliest[v] = earliest[v].min(met[w as usize]);
                }
                continue;
            }
            path.pop();
            if parent != u32::MAX {
                let u = parent as usize;
                earliest[u] = earliest[u].min(earliest[v]);
                if earliest[v] > met[u] {
                    forest[u].push(v as u32);
                    forest[v].push(parent);
                }
            }
        }
    }
    forest
}

/// A vertex of a tree as it is read: how deep it is, and from which vertex it was reached.
pub(super) struct Read {
    pub(super) vertex: u32,
    pub(super) parent: u32,
    pub(super) depth: usize,
}

/// The trees of a forest that have edges, each as its vertices in an order that does not depend on their numbers: from a centre, depth first.
///
/// `label` tells what a vertex is, `edge` what joins two.
pub(super) fn trees(
    forest: &[Vec<u32>],
    label: impl Fn(u32) -> u64,
    edge: impl Fn(u32, u32) -> u64,
) -> Vec<Vec<Read>> {
    let mut seen = vec![false; forest.len()];
    let mut hashes = vec![0u64; forest.len()];
    let mut all = Vec::new();
    for v in 0..forest.len() as u32 {
        if seen[v as usize] || forest[v as usize].is_empty() {
            continue;
        }
        let tree = outwards(forest, v);
        tree.iter().for_each(|&(v, _)| seen[v as usize] = true);
        // From bottom to top: what hangs below a vertex, in whatever order.
        let mut hash = |root: u32| {
            for &(v, parent) in outwards(forest, root).iter().rev() {
                let below = forest[v as usize].iter().filter(|&&w| w != parent);
                let below = below.map(|&w| mixed(edge(v, w), hashes[w as usize]));
                hashes[v as usize] = mixed(label(v), below.fold(1, u64::wrapping_add));
            }
            hashes[root as usize]
        };
        let root = centres(forest, v).into_iter().min_by_key(|&centre| hash(centre)).unwrap_or(v);
        hash(root);
        let mut read = Vec::new();
        let mut waiting = vec![Read { vertex: root, parent: u32::MAX, depth: 0 }];
        while let Some(next) = waiting.pop() {
            let Read { vertex, parent, depth } = next;
            let begin = waiting.len();
            let below = forest[vertex as usize].iter().filter(|&&w| w != parent);
            waiting.extend(below.map(|&w| Read { vertex: w, parent: vertex, depth: depth + 1 }));
            waiting[begin..].sort_by_key(|below| {
                Reverse(mixed(edge(vertex, below.vertex), hashes[below.vertex as usize]))
            });
            read.push(next);
        }
        all.push(read);
    }
    all
}

/// The vertices of a tree with their parents, those near a root first.
fn outwards(forest: &[Vec<u32>], root: u32) -> Vec<(u32, u32)> {
    let mut order = vec![(root, u32::MAX)];
    let mut head = 0;
    while let Some(&(v, parent)) = order.get(head) {
        head += 1;
        order.extend(forest[v as usize].iter().filter(|&&w| w != parent).map(|&w| (w, v)));
    }
    order
}

/// The one or two vertices in the middle of the longest paths of a tree.
fn centres(forest: &[Vec<u32>], v: u32) -> Vec<u32> {
    let farthest = |root: u32| {
        let order = outwards(forest, root);
        let mut parents = std::collections::BTreeMap::new();
        order.iter().for_each(|&(v, parent)| _ = parents.insert(v, parent));
        let mut path = vec![order[order.len() - 1].0];
        while let Some(&parent) = path.last().and_then(|last| parents.get(last)).filter(|&&v| v != u32::MAX) {
            path.push(parent);
        }
        path
    };
    let longest = farthest(farthest(v)[0]);
    let middle = longest.len() / 2;
    match longest.len() % 2 {
        1 => vec![longest[middle]],
        _ => vec![longest[middle - 1], longest[middle]],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bridges_are_what_disconnects() {
        // Two triangles, joined by a path of two edges, a pendant vertex, an edge apart and a vertex alone.
        let edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 6), (6, 4), (6, 7), (8, 9)];
        let graph = Graph::from_edges(11, edges).unwrap();
        let forest = forest(&graph);
        let components = |without: Option<(usize, usize)>| {
            let mut of: Vec<usize> = (0..11).collect();
            for _ in 0..11 {
                for &(u, v) in edges.iter().filter(|&&edge| Some(edge) != without) {
                    let least = of[u].min(of[v]);
                    (of[u], of[v]) = (least, least);
                }
            }
            of.iter().enumerate().filter(|&(v, &least)| v == least).count()
        };
        for (u, v) in edges {
            let is_bridge = components(Some((u, v))) > components(None);
            assert_eq!(forest[u].contains(&(v as u32)), is_bridge, "{u} {v}");
            assert_eq!(forest[v].contains(&(u as u32)), is_bridge, "{u} {v}");
        }
        assert_eq!(trees(&forest, |_| 0, |_, _| 0).iter().map(Vec::len).collect::<Vec<_>>(), [3, 2, 2]);
    }

    #[test]
    fn trees_are_read_alike_exactly_where_they_are_alike() {
        // OEIS A000055: trees. Each vertex is joined to an earlier one, in all ways, and numbered backwards as well.
        for (order, expected) in [(2, 1), (3, 1), (4, 2), (5, 3), (6, 6), (7, 11)] {
            let mut parents = vec![vec![]];
            for v in 1..order {
                let longer =
                    |tree: Vec<usize>| (0..v).map(move |parent| [tree.as_slice(), &[parent]].concat());
                parents = parents.into_iter().flat_map(longer).collect();
            }
            let mut found = std::collections::BTreeSet::new();
            for tree in parents {
                let edges = || tree.iter().zip(1..).map(|(&parent, v)| (parent, v));
                let depths = |graph: Graph| {
                    let all = trees(&forest(&graph), |_| 0, |_, _| 0);
                    assert_eq!(all.len(), 1);
                    all[0].iter().map(|read| read.depth).collect::<Vec<_>>()
                };
                let backwards = edges().map(|(u, v)| (order - 1 - u, order - 1 - v));
                let read = depths(Graph::from_edges(order, edges()).unwrap());
                assert_eq!(read, depths(Graph::from_edges(order, backwards).unwrap()));
                found.insert(read);
            }
            assert_eq!(found.len(), expected);
        }
    }
}

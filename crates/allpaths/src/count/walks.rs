//! How much work an enumeration will be, before it starts.

use super::engine::LITTLE;
use crate::Graph;

/// An upper bound on the steps of a depth-first walk to `max_length` that takes no time to find: as if every
/// vertex had the largest degree, or if even that is little, as if all were neighbours.
pub(crate) fn rough(graph: &Graph, max_length: usize) -> f64 {
    let (order, arcs) = (graph.order() as f64, f64::from(graph.offsets()[graph.order()]));
    let most = order + arcs * order;
    if max_length <= 3 && most <= LITTLE {
        return most;
    }
    let degree = graph.offsets().windows(2).map(|row| row[1] - row[0]).max().map_or(0.0, f64::from);
    let onward = if graph.is_directed() { degree } else { (degree - 1.0).max(0.0) };
    let (mut paths, mut steps) = (graph.order() as f64, 0.0);
    for length in 0..max_length {
        steps += paths;
        paths *= if length == 0 { degree } else { onward };
        if steps.is_infinite() || paths == 0.0 {
            break;
        }
    }
    steps
}

/// An upper bound on the steps of a depth-first walk, for each longest length from 0 to `max_length`.
///
/// A walk to length `l` takes one step for each rooted path of length 0 to `l - 1`, and every path is a walk
/// that never turns straight back. Those are easy to count: with `w(l, v)` the number of such walks of length
/// `l` from `v`,
///
/// ```text
/// w(l + 1, v) = sum of w(l, u) over neighbours u  -  (degree(v) - 1) w(l - 1, v)
/// ```
///
/// because of the walks that a neighbour continues, those that return to `v` at once must go. On directed
/// graphs, where turning back needs an arc of its own, plain walks bound the paths.
///
/// Only the walks from `root` count, if one is given. Values past the range of doubles are infinite.
///
/// # Complexity
///
/// Time proportional to `max_length` times the number of arcs.
pub(crate) fn by_length(graph: &Graph, max_length: usize, root: Option<usize>) -> Vec<f64> {
    let order = graph.order();
    let from_roots = |walks: &[f64]| root.map_or_else(|| walks.iter().sum(), |v| walks[v]);
    let [mut before, mut now, mut next] = [vec![0.0; order], vec![1.0; order], vec![0.0; order]];
    let mut bounds = Vec::with_capacity(max_length + 1);
    bounds.push(0.0);
    for length in 0..max_length {
        bounds.push(bounds[length] + from_roots(&now));
        if length + 1 == max_length {
            break;
        }
        for (v, next) in next.iter_mut().enumerate() {
            let (mut onward, mut degree) = (0.0, 0.0);
            for &u in graph.neighbours(v) {
                if u as usize != v {
                    onward += now[u as usize];
                    degree += 1.0;
                }
            }
            let back = match (graph.is_directed(), length) {
                (true, _) | (_, 0) => 0.0,
                // A walk of one step returns to `v` from each neighbour; later ones cannot have turned before.
                (_, 1) => degree * before[v],
                _ => (degree - 1.0) * before[v],
            };
            // Rounding may leave a little less than nothing, and infinity minus infinity nothing at all.
            *next = if onward.is_infinite() { onward } else { (onward - back).max(0.0) };
        }
        // What was known before is overwritten.
        std::mem::swap(&mut before, &mut now);
        std::mem::swap(&mut now, &mut next);
    }
    bounds
}

/// An upper bound on the rooted paths and cycles of all lengths up to `max_length` together.
///
/// A path never turns straight back, nor does a cycle, unless it is an edge to and fro.
pub(crate) fn paths_and_cycles(graph: &Graph, max_length: usize) -> f64 {
    by_length(graph, max_length + 1, None)[max_length + 1] + 2.0 * graph.size() as f64
}

/// An upper bound on all rooted paths and cycles to `max_length`, if there are certainly fewer than 2^62.
pub(crate) fn most_paths_and_cycles(graph: &Graph, max_length: usize) -> Option<u64> {
    // Doubles hold the bound to a few parts in 10^13.
    let most = paths_and_cycles(graph, max_length) * (1.0 + 1e-9);
    #[allow(clippy::cast_sign_loss)] // it is not negative
    (most < 2f64.powi(62)).then_some(most as u64)
}

/// How wide integers must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    /// 64 bits.
    Narrow,
    /// 128 bits.
    Wide,
    /// As many as it takes.
    Any,
}

/// The narrowest integers that are certain to hold every rooted total to `max_length`.
///
/// A path is a walk that never turns straight back, so there are no more of one length than of the other.
pub(crate) fn width(graph: &Graph, max_length: usize) -> Width {
    let mut most = rough(graph, max_length + 1);
    if most >= 2f64.powi(62) {
        most = paths_and_cycles(graph, max_length);
    }
    match most.max(2.0 * graph.size() as f64) {
        // A double bounds what it stands for to a few parts in 10^13; a factor of two is plenty.
        most if most < 2f64.powi(62) => Width::Narrow,
        most if most < 2f64.powi(126) => Width::Wide,
        _ => Width::Any,
    }
}

/// How far each vertex is from one, along rows of neighbours; nothing if that is further than `longest`.
pub(crate) fn distances(rows: &[Vec<u32>], from: u32, longest: usize) -> Vec<Option<usize>> {
    let mut distance = vec![None; rows.len()];
    distance[from as usize] = Some(0);
    let (mut queue, mut head) = (vec![from], 0);
    while let Some(&v) = queue.get(head) {
        head += 1;
        let further = distance[v as usize].map(|distance: usize| distance + 1).filter(|&d| d <= longest);
        for &w in rows[v as usize].iter().filter(|_| further.is_some()) {
            if distance[w as usize].is_none() {
                distance[w as usize] = further;
                queue.push(w);
            }
        }
    }
    distance
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_have_no_other_walks_than_paths() {
        // 0-1-2-3: 4 vertices, 6 rooted paths of length 1, 4 of length 2, 2 of length 3.
        let path = Graph::from_edges(4, [(0, 1), (1, 2), (2, 3)]).unwrap();
        assert_eq!(by_length(&path, 5, None), [0.0, 4.0, 10.0, 14.0, 16.0, 16.0]);
        assert_eq!(by_length(&path, 3, Some(0)), [0.0, 1.0, 2.0, 3.0]);
    }

    #[test]
    fn a_cycle_is_walked_round_and_round() {
        let square = Graph::from_edges(4, [(0, 1), (1, 2), (2, 3), (3, 0)]).unwrap();
        assert!((rough(&square, 6) - 44.0).abs() < 1e-9);
        assert_eq!(by_length(&square, 6, None), [0.0, 4.0, 12.0, 20.0, 28.0, 36.0, 44.0]);
    }

    #[test]
    fn integers_widen_before_a_count_can_overflow() {
        use Width::{Any, Narrow, Wide};
        let complete = Graph::from_edges(60, (0..60).flat_map(|u| (0..u).map(move |v| (u, v)))).unwrap();
        // 60 * 59 * 58^(l-1) walks of length l: 2^62 is passed at length 10, 2^126 at length 21.
        let widths = [5, 9, 10, 20, 21, 62].map(|length| width(&complete, length));
        assert_eq!(widths, [Narrow, Narrow, Wide, Wide, Any, Any]);
    }

    #[test]
    fn too_many_is_infinite_and_not_nonsense() {
        let complete = Graph::from_edges(100, (0..100).flat_map(|u| (0..u).map(move |v| (u, v)))).unwrap();
        assert!(by_length(&complete, 400, None)[400].is_infinite());
    }
}

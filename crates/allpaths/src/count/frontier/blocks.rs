//! Parts of a graph that can be counted one by one.

use std::borrow::Cow;

use crate::count::walks::distances;

/// The vertices of each part that stays in one piece whichever vertex is taken out; an edge alone is one. Each cycle is inside one of them.
///
/// Hopcroft and Tarjan, without recursion.
pub(super) fn blocks(rows: &[Vec<u32>]) -> Vec<Vec<u32>> {
    const UNSEEN: u32 = u32::MAX;
    let mut seen = vec![UNSEEN; rows.len()];
    let mut low = vec![UNSEEN; rows.len()];
    let (mut blocks, mut time) = (Vec::new(), 0);
    for root in 0..rows.len() {
        if seen[root] != UNSEEN {
            continue;
        }
        let (mut path, mut waiting) = (vec![(root as u32, 0)], Vec::new());
        (seen[root], low[root], time) = (time, time, time + 1);
        while let Some((v, next)) = path.last_mut() {
            let v = *v as usize;
            if let Some(&w) = rows[v].get(*next) {
                *next += 1;
                if seen[w as usize] == UNSEEN {
                    (seen[w as usize], low[w as usize], time) = (time, time, time + 1);
                    waiting.push(w);
                    path.push((w, 0));
                } else {
                    // The edge back to where we came from makes no difference: a block ends at its first vertex anyway.
                    low[v] = low[v].min(seen[w as usize]);
                }
                continue;
            }
            path.pop();
            if let Some(&(u, _)) = path.last() {
                low[u as usize] = low[u as usize].min(low[v]);
                if low[v] >= seen[u as usize] {
                    let first = waiting.iter().rposition(|&w| w as usize == v).expect("it was put there");
                    let mut block = waiting.split_off(first);
                    block.push(u);
                    blocks.push(block);
                }
            }
        }
    }
    blocks
}

/// The vertices of each part that hangs together.
pub(super) fn components(rows: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut is_seen = vec![false; rows.len()];
    let mut components = Vec::new();
    for root in 0..rows.len() {
        if std::mem::replace(&mut is_seen[root], true) {
            continue;
        }
        let (mut component, mut head) = (vec![root as u32], 0);
        while let Some(&v) = component.get(head) {
            head += 1;
            for &w in &rows[v as usize] {
                if !std::mem::replace(&mut is_seen[w as usize], true) {
                    component.push(w);
                }
            }
        }
        components.push(component);
    }
    components
}

/// The neighbours of each of some vertices among them, numbered by their places.
pub(super) fn induced(rows: &[Vec<u32>], vertices: &[u32]) -> Vec<Vec<u32>> {
    let mut place = vec![u32::MAX; rows.len()];
    vertices.iter().zip(0..).for_each(|(&v, at)| place[v as usize] = at);
    let row =
        |&v: &u32| rows[v as usize].iter().map(|&w| place[w as usize]).filter(|&at| at != u32::MAX).collect();
    vertices.iter().map(row).collect()
}

/// What paths of at most `longest` edges between two vertices can visit: the part of the graph, and the two vertices in it. Nothing if there are
/// no such paths.
pub(super) fn between(
    rows: &[Vec<u32>],
    mut ends: [u32; 2],
    longest: usize,
) -> Option<(Vec<Vec<u32>>, [u32; 2])> {
    let mut rows = Cow::Borrowed(rows);
    loop {
        let [from, to] = ends.map(|end| distances(&rows, end, longest));
        let is_near = |v: usize| from[v].zip(to[v]).is_some_and(|(a, b)| a + b <= longest);
        if !is_near(ends[0] as usize) {
            return None;
        }
        let near: Vec<u32> = (0..rows.len() as u32).filter(|&v| is_near(v as usize)).collect();
        // With an edge between the ends, every path is a cycle, and inside a block.
        let mut closed = induced(&rows, &near);
        let place = |end: u32| near.iter().position(|&v| v == end).expect("an end is near") as u32;
        let [s, t] = ends.map(place);
        if !closed[s as usize].contains(&t) {
            closed[s as usize].push(t);
            closed[t as usize].push(s);
        }
        let mut block = blocks(&closed).into_iter().find(|block| block.contains(&s) && block.contains(&t))?;
        block.sort_unstable();
        let kept: Vec<u32> = block.iter().map(|&at| near[at as usize]).collect();
        let is_all = kept.len() == rows.len();
        rows = Cow::Owned(induced(&rows, &kept));
        ends = ends.map(|end| kept.iter().position(|&v| v == end).expect("an end is in its block") as u32);
        if is_all {
            return Some((rows.into_owned(), ends));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two triangles that share vertex 2, a tail at 4, and an edge apart.
    fn bow_tie() -> Vec<Vec<u32>> {
        vec![vec![1, 2], vec![0, 2], vec![0, 1, 3, 4], vec![2, 4], vec![2, 3, 5], vec![4], vec![7], vec![6]]
    }

    #[test]
    fn cycles_are_inside_blocks() {
        let mut found = blocks(&bow_tie());
        found.iter_mut().for_each(|block| block.sort_unstable());
        found.sort();
        assert_eq!(found, [vec![0, 1, 2], vec![2, 3, 4], vec![4, 5], vec![6, 7]]);
        assert_eq!(components(&bow_tie()).iter().map(Vec::len).collect::<Vec<_>>(), [6, 2]);
    }

    #[test]
    fn only_what_lies_between_is_kept() {
        let (rows, ends) = between(&bow_tie(), [0, 2], 5).unwrap();
        assert_eq!((rows.len(), ends), (3, [0, 2]));
        let (rows, _) = between(&bow_tie(), [0, 2], 1).unwrap();
        assert_eq!(rows.len(), 2, "the other way is too long");
        assert_eq!(between(&bow_tie(), [0, 5], 5).unwrap().0.len(), 6);
        assert!(between(&bow_tie(), [0, 5], 2).is_none());
        assert!(between(&bow_tie(), [0, 6], 9).is_none());
    }
}

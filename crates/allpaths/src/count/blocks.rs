//! Parts of a graph that can be counted one by one.

use std::borrow::Cow;

use super::walks::distances;

/// Tells the vertices of each part that stays in one piece whichever vertex is taken out; an edge alone is one. Each cycle is inside one of
/// them. Rows may have loops, which make no difference.
///
/// Hopcroft and Tarjan, without recursion.
pub(super) fn each_block<'a>(order: usize, row: impl Fn(usize) -> &'a [u32], mut hear: impl FnMut(&[u32])) {
    const UNSEEN: u32 = u32::MAX;
    /// When a vertex was seen, and the earliest that what comes after it leads back to.
    #[derive(Clone, Copy)]
    struct Times {
        seen: u32,
        low: u32,
    }
    let mut times = vec![Times { seen: UNSEEN, low: UNSEEN }; order];
    let (mut path, mut waiting, mut time) = (Vec::new(), Vec::new(), 0);
    for root in 0..order {
        if times[root].seen != UNSEEN {
            continue;
        }
        waiting.clear();
        path.push((root as u32, 0));
        (times[root], time) = (Times { seen: time, low: time }, time + 1);
        while let Some((v, next)) = path.last_mut() {
            let v = *v as usize;
            if let Some(&w) = row(v).get(*next) {
                *next += 1;
                let seen = times[w as usize].seen;
                if seen == UNSEEN {
                    (times[w as usize], time) = (Times { seen: time, low: time }, time + 1);
                    waiting.push(w);
                    path.push((w, 0));
                } else {
                    // The edge back to where we came from makes no difference: a block ends at its first vertex anyway.
                    times[v].low = times[v].low.min(seen);
                }
                continue;
            }
            path.pop();
            if let Some(&(u, _)) = path.last() {
                let low = times[v].low;
                times[u as usize].low = times[u as usize].low.min(low);
                if low >= times[u as usize].seen {
                    let first = waiting.iter().rposition(|&w| w as usize == v).expect("it was put there");
                    waiting.push(u);
                    hear(&waiting[first..]);
                    waiting.truncate(first);
                }
            }
        }
    }
}

/// The vertices of each block.
pub(super) fn blocks(rows: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut blocks = Vec::new();
    each_block(rows.len(), |v| &rows[v], |block| blocks.push(block.to_vec()));
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

/// Cuts parts out of a graph of so many vertices.
pub(super) struct Cutter {
    /// The place of each vertex in the part.
    place: Vec<u32>,
}

impl Cutter {
    pub(super) fn new(order: usize) -> Self {
        Self { place: vec![u32::MAX; order] }
    }

    /// The neighbours of each of some vertices among them, numbered by their places; without loops.
    pub(super) fn induced<'a>(
        &mut self,
        row: impl Fn(usize) -> &'a [u32],
        vertices: &[u32],
    ) -> Vec<Vec<u32>> {
        vertices.iter().zip(0..).for_each(|(&v, at)| self.place[v as usize] = at);
        let place = |&w: &u32| Some(self.place[w as usize]).filter(|&at| at != u32::MAX);
        let induced = |&v: &u32| row(v as usize).iter().filter(|&&w| w != v).filter_map(place).collect();
        let rows = vertices.iter().map(induced).collect();
        vertices.iter().for_each(|&v| self.place[v as usize] = u32::MAX);
        rows
    }
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
        let mut cutter = Cutter::new(rows.len());
        let mut closed = cutter.induced(|v| &rows[v], &near);
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
        rows = Cow::Owned(cutter.induced(|v| &rows[v], &kept));
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

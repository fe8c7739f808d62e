//! In which order vertices are eliminated.
//!
//! What counts is the *frontier*: the vertices left that have an eliminated neighbour. A state says something of each of them, so the number of
//! states grows like a power of its size. A beam search takes the cheapest beginnings of orders, by the sum of those powers, and
//! tries every continuation.

use rustc_hash::FxHashMap;

/// How many states a vertex of the frontier stands for, as far as anybody can tell beforehand.
const STATES: f64 = 2.5;

/// How many beginnings are kept.
const BEAM: usize = 48;

/// So few states are counted before a better order is found.
pub(in crate::count) const CHEAP: f64 = 2e3;

/// The largest frontier that states have room for.
pub(super) const WIDEST: usize = 120;

/// An order of all vertices, and what it is expected to cost, in states.
#[derive(Clone, Debug)]
pub(super) struct Order {
    pub(super) vertices: Vec<u32>,
    pub(super) cost: f64,
}

/// Which vertices may come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// Those of the frontier.
    Frontier,
    /// Those, and their neighbours.
    Beyond,
}

/// The best order that was found, or nothing if the frontier becomes too large in all. Vertices of `fixed` are in the frontier from the
/// beginning. `class` numbers twins alike.
pub(super) fn best(rows: &[Vec<u32>], fixed: &[u32], class: &[u32]) -> Option<Order> {
    let quick = quick(rows, fixed, class);
    if quick.as_ref().is_some_and(|order| order.cost < CHEAP) {
        return quick;
    }
    // Long orders are found by looking at fewer: time is for counting.
    let beam = (BEAM * 400 / rows.len().max(400)).max(4);
    let orders = [Rule::Frontier, Rule::Beyond].map(|rule| search(rows, fixed, class, rule, beam));
    orders.into_iter().chain([quick]).flatten().min_by(|a, b| a.cost.total_cmp(&b.cost))
}

/// An order that takes little time to find: one beginning, and what is cheapest next.
pub(super) fn quick(rows: &[Vec<u32>], fixed: &[u32], class: &[u32]) -> Option<Order> {
    search(rows, fixed, class, Rule::Frontier, 1)
}

/// The beginning of an order.
#[derive(Clone)]
struct Beginning {
    eliminated: Vec<u64>,
    frontier: Vec<u32>,
    in_frontier: Vec<u64>,
    /// Tells sets of eliminated vertices apart.
    hash: u64,
    /// Logarithm of the number of states.
    states: f64,
    cost: f64,
    /// Its last vertex, and the place of what comes before in the trace.
    last: usize,
}

fn has(set: &[u64], v: u32) -> bool {
    set[v as usize / 64] >> (v % 64) & 1 == 1
}

fn flip(set: &mut [u64], v: u32) {
    set[v as usize / 64] ^= 1 << (v % 64);
}

/// A random-looking number for each vertex.
fn mix(v: u32) -> u64 {
    let mut z = u64::from(v + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z ^ z >> 27
}

/// A vertex that might come next.
struct Candidate {
    beginning: usize,
    vertex: u32,
    hash: u64,
    states: f64,
    cost: f64,
}

struct Search<'a> {
    rows: &'a [Vec<u32>],
    class: &'a [u32],
    members: Vec<u32>,
    rule: Rule,
    /// How many of each class the frontier has; of the beginning that is looked at.
    present: Vec<u32>,
    marked: Vec<bool>,
}

impl Search<'_> {
    /// What a vertex adds to the logarithm of the number of states where so many of its class are in the frontier already: twins cannot be
    /// told apart, so only how many there are of each kind counts.
    fn gain(present: u32) -> f64 {
        ((STATES + f64::from(present)) / f64::from(present + 1)).ln()
    }

    /// What becomes of the number of states when `v` is eliminated, and how large the frontier is then.
    fn after(&mut self, beginning: &Beginning, v: u32) -> (f64, usize) {
        let (mut states, mut width) = (beginning.states, beginning.frontier.len());
        let class = self.class[v as usize] as usize;
        if has(&beginning.in_frontier, v) {
            self.present[class] -= 1;
            states -= Self::gain(self.present[class]);
            width -= 1;
        }
        let mut come = 0;
        for &w in &self.rows[v as usize] {
            if !has(&beginning.eliminated, w) && !has(&beginning.in_frontier, w) {
                let class = self.class[w as usize] as usize;
                states += Self::gain(self.present[class]);
                self.present[class] += 1;
                come += 1;
            }
        }
        if come > 0 {
            for &w in &self.rows[v as usize] {
                if !has(&beginning.eliminated, w) && !has(&beginning.in_frontier, w) {
                    self.present[self.class[w as usize] as usize] -= 1;
                }
            }
        }
        if has(&beginning.in_frontier, v) {
            self.present[class] += 1;
        }
        (states, width + come)
    }

    fn candidates(&mut self, beginning: &Beginning) -> Vec<u32> {
        let left = |v: &u32| !has(&beginning.eliminated, *v);
        if beginning.frontier.is_empty() {
            return (0..self.rows.len() as u32).filter(left).collect();
        }
        let mut next = beginning.frontier.clone();
        if self.rule == Rule::Beyond {
            next.iter().for_each(|&v| self.marked[v as usize] = true);
            for &v in &beginning.frontier {
                for &w in &self.rows[v as usize] {
                    if !self.marked[w as usize] && left(&w) {
                        self.marked[w as usize] = true;
                        next.push(w);
                    }
                }
            }
            next.iter().for_each(|&v| self.marked[v as usize] = false);
        }
        next
    }

    fn extend(&mut self, place: usize, beginning: &Beginning, found: &mut Vec<Candidate>) {
        beginning.frontier.iter().for_each(|&v| self.present[self.class[v as usize] as usize] += 1);
        let mut tried: Vec<u32> = Vec::new();
        for vertex in self.candidates(beginning) {
            // Of twins, one is as good as the other.
            let class = self.class[vertex as usize];
            if self.members[class as usize] > 1 && has(&beginning.in_frontier, vertex) {
                if tried.contains(&class) {
                    continue;
                }
                tried.push(class);
            }
            let (states, width) = self.after(beginning, vertex);
            if width <= WIDEST {
                let hash = beginning.hash ^ mix(vertex);
                let cost = beginning.cost + states.exp();
                found.push(Candidate { beginning: place, vertex, hash, states, cost });
            }
        }
        beginning.frontier.iter().for_each(|&v| self.present[self.class[v as usize] as usize] = 0);
    }

    fn advance(&self, beginning: &Beginning, candidate: &Candidate, last: usize) -> Beginning {
        let mut next = beginning.clone();
        let v = candidate.vertex;
        flip(&mut next.eliminated, v);
        if has(&next.in_frontier, v) {
            flip(&mut next.in_frontier, v);
            next.frontier.retain(|&w| w != v);
        }
        for &w in &self.rows[v as usize] {
            if !has(&next.eliminated, w) && !has(&next.in_frontier, w) {
                flip(&mut next.in_frontier, w);
                next.frontier.push(w);
            }
        }
        Beginning { hash: candidate.hash, states: candidate.states, cost: candidate.cost, last, ..next }
    }
}

fn search(rows: &[Vec<u32>], fixed: &[u32], class: &[u32], rule: Rule, beam: usize) -> Option<Order> {
    let order = rows.len();
    let words = order.div_ceil(64);
    let mut members = vec![0; order];
    class.iter().for_each(|&class| members[class as usize] += 1);
    let mut search =
        Search { rows, class, members, rule, present: vec![0; order], marked: vec![false; order] };
    let mut first = Beginning {
        eliminated: vec![0; words],
        frontier: fixed.to_vec(),
        in_frontier: vec![0; words],
        hash: 0,
        states: fixed.len() as f64 * Search::gain(0),
        cost: 0.0,
        last: usize::MAX,
    };
    fixed.iter().for_each(|&v| flip(&mut first.in_frontier, v));
    let mut kept = vec![first];
    let mut trace: Vec<(u32, usize)> = Vec::new();
    for _ in 0..order {
        let mut found = Vec::new();
        for (place, beginning) in kept.iter().enumerate() {
            search.extend(place, beginning, &mut found);
        }
        // What was eliminated is all that matters, not in which order: the cheapest stands for all.
        let mut cheapest: FxHashMap<u64, usize> = FxHashMap::default();
        for (place, candidate) in found.iter().enumerate() {
            let known = cheapest.entry(candidate.hash).or_insert(place);
            if candidate.cost < found[*known].cost {
                *known = place;
            }
        }
        let mut chosen: Vec<&Candidate> = cheapest.into_values().map(|place| &found[place]).collect();
        let by_cost = |a: &&Candidate, b: &&Candidate| {
            a.cost.total_cmp(&b.cost).then(a.beginning.cmp(&b.beginning)).then(a.vertex.cmp(&b.vertex))
        };
        if chosen.len() > beam {
            chosen.select_nth_unstable_by(beam, by_cost);
            chosen.truncate(beam);
        }
        chosen.sort_unstable_by(by_cost);
        kept = chosen
            .into_iter()
            .map(|candidate| {
                let beginning = &kept[candidate.beginning];
                trace.push((candidate.vertex, beginning.last));
                search.advance(beginning, candidate, trace.len() - 1)
            })
            .collect();
    }
    let best = kept.first()?;
    let (mut vertices, mut at) = (Vec::with_capacity(order), best.last);
    while let Some(&(vertex, before)) = trace.get(at) {
        vertices.push(vertex);
        at = before;
    }
    vertices.reverse();
    Some(Order { vertices, cost: best.cost })
}

/// Numbers twins alike: vertices with the same neighbours, apart from each other. Those of `alone` are nobody's.
pub(super) fn twins(rows: &[Vec<u32>], alone: &[u32]) -> Vec<u32> {
    let mut class: Vec<u32> = (0..rows.len() as u32).collect();
    // Twins that are neighbours have the same neighbourhood with themselves in it, others without.
    for closed in [false, true] {
        let mut known: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
        for (v, row) in (0..).zip(rows) {
            if alone.contains(&v) || class[v as usize] != v {
                continue;
            }
            let mut row = row.clone();
            if closed {
                row.push(v);
            }
            row.sort_unstable();
            let first = *known.entry(row).or_insert(v);
            class[v as usize] = first;
        }
    }
    class
}

/// Numbers twins alike that are, and others not.
pub(super) fn told_apart(class: &[u32], is_alike: impl Fn(u32, u32) -> bool) -> Vec<u32> {
    let mut firsts: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    let first = |(v, class): (u32, &u32)| {
        let firsts = firsts.entry(*class).or_default();
        firsts.iter().copied().find(|&first| is_alike(first, v)).unwrap_or_else(|| {
            firsts.push(v);
            v
        })
    };
    (0..).zip(class).map(first).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(order: usize, edges: &[(u32, u32)]) -> Vec<Vec<u32>> {
        let mut rows = vec![Vec::new(); order];
        for &(u, v) in edges {
            rows[u as usize].push(v);
            rows[v as usize].push(u);
        }
        rows
    }

    fn widest(rows: &[Vec<u32>], order: &[u32]) -> usize {
        let place = |v: u32| order.iter().position(|&w| w == v).unwrap();
        let is_cut = |v: u32, at: usize| place(v) > at && rows[v as usize].iter().any(|&w| place(w) <= at);
        (0..order.len()).map(|at| order.iter().filter(|&&v| is_cut(v, at)).count()).max().unwrap()
    }

    #[test]
    fn a_grid_is_swept_along_its_shorter_side() {
        let (width, height) = (4u32, 12u32);
        let mut edges = Vec::new();
        for v in 0..width * height {
            edges.extend((v % width + 1 < width).then_some((v, v + 1)));
            edges.extend((v + width < width * height).then_some((v, v + width)));
        }
        let rows = rows(48, &edges);
        let class = twins(&rows, &[]);
        for order in [best(&rows, &[], &class), quick(&rows, &[], &class)] {
            let vertices = order.unwrap().vertices;
            let mut sorted = vertices.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..48).collect::<Vec<_>>(), "every vertex once");
            assert!(widest(&rows, &vertices) <= 5);
        }
    }

    #[test]
    fn twins_have_the_same_neighbours() {
        // 0 and 1 are joined to 2 and 3; 2 and 3 also to each other, and 3 to 4.
        let rows = rows(5, &[(0, 2), (0, 3), (1, 2), (1, 3), (2, 3), (3, 4)]);
        assert_eq!(twins(&rows, &[]), [0, 0, 2, 3, 4]);
        assert_eq!(twins(&rows, &[0]), [0, 1, 2, 3, 4], "an end is nobody's twin");
        let triangle = self::rows(3, &[(0, 1), (1, 2), (2, 0)]);
        assert_eq!(twins(&triangle, &[]), [0, 0, 0]);
        assert_eq!(told_apart(&[0, 1, 0, 0, 1], |u, v| u % 2 == v % 2), [0, 1, 0, 3, 4]);
    }

    #[test]
    fn frontiers_too_large_are_refused() {
        let edges: Vec<_> = (0..200).flat_map(|u| (0..u).map(move |v| (u, v))).collect();
        let complete = rows(200, &edges);
        assert!(best(&complete, &[], &(0..200).collect::<Vec<_>>()).is_none());
    }
}

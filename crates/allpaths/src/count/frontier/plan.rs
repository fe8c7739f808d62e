//! What is to be counted, and what is known of each step before any state is.

use super::order::Order;

/// Something to be counted in a graph without loops or directions.
#[derive(Clone, Debug)]
pub(super) struct Task {
    /// The neighbours of each vertex.
    pub(super) rows: Vec<Vec<u32>>,
    /// The ends of paths that are given: none, one or both.
    pub(super) fixed: Vec<u32>,
    /// Whether paths count. Their ends that are not given may be any.
    pub(super) paths: bool,
    /// Whether cycles count.
    pub(super) cycles: bool,
    /// The longest length.
    pub(super) longest: usize,
    /// From one length of the pieces of a state to the next; see [`stride`].
    pub(super) stride: usize,
}

impl Task {
    /// Whether a vertex may become the end of a path.
    pub(super) fn has_free_ends(&self) -> bool {
        self.paths && self.fixed.len() < 2
    }

    /// Whether nothing is too long.
    pub(super) fn is_unbound(&self) -> bool {
        self.longest >= self.rows.len()
    }
}

/// 2 if the graph has no cycle of odd length, else 1. Then all pieces of a state together are of even length, or of odd length: the colours of their
/// ends tell which. That takes ends that are known: it does not hold where any vertex may be an end.
pub(super) fn stride(rows: &[Vec<u32>]) -> usize {
    let mut colour: Vec<Option<bool>> = vec![None; rows.len()];
    for root in 0..rows.len() {
        if colour[root].is_some() {
            continue;
        }
        colour[root] = Some(false);
        let mut waiting = vec![root];
        while let Some(v) = waiting.pop() {
            let other = colour[v].map(|colour| !colour);
            for &w in &rows[v] {
                let w = w as usize;
                if colour[w].is_none() {
                    colour[w] = other;
                    waiting.push(w);
                } else if colour[w] != other {
                    return 1;
                }
            }
        }
    }
    2
}

/// The elimination of a vertex: its neighbours that are not in the frontier come in, and then the vertex goes.
#[derive(Debug)]
pub(super) struct Step {
    /// The vertex at each place of the frontier, with those that come in.
    pub(super) vertices: Vec<u32>,
    /// The place of the vertex.
    pub(super) vertex: u8,
    /// Places of its neighbours that are not eliminated.
    pub(super) neighbours: Vec<u8>,
    /// For each place, the first place of its twins; its own, if it has none.
    pub(super) twin: Vec<u8>,
    /// The frontier after it.
    pub(super) after: Frontier,
}

/// The frontier after a step.
#[derive(Debug)]
pub(super) struct Frontier {
    /// For each of its places, the one it had.
    pub(super) from: Vec<u8>,
    /// For each place before, the one it has now. What is no place stays as it is.
    pub(super) to: [u8; 256],
    /// The places of twins, where there are two or more.
    pub(super) classes: Vec<Vec<u8>>,
    /// For each place, the first of its twins.
    pub(super) twin: Vec<u8>,
    /// Whether the vertex is a given end.
    pub(super) is_fixed: Vec<bool>,
    /// How far it is from one place to another over vertices that are left, row by row; [`FAR`] if nothing leads there.
    pub(super) distance: Vec<u32>,
    /// How many vertices are eliminated.
    pub(super) eliminated: usize,
    pub(super) packing: Packing,
}

/// Further than any path.
pub(super) const FAR: u32 = 1 << 24;

/// How states of a frontier are kept: so many bits for each place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Packing {
    pub(super) places: usize,
    pub(super) bits: u32,
    pub(super) words: usize,
}

impl Packing {
    pub(super) fn of(places: usize) -> Self {
        // Untouched, done, tied to an end, or in one of so many pairs.
        let codes = 3 + places / 2;
        let bits = usize::BITS - (codes - 1).leading_zeros();
        let each = (64 / bits) as usize;
        Self { places, bits, words: places.div_ceil(each) }
    }
}

/// The steps of an order, one after the other.
pub(super) struct Steps<'a> {
    task: &'a Task,
    class: &'a [u32],
    order: std::slice::Iter<'a, u32>,
    is_left: Vec<bool>,
    frontier: Vec<u32>,
    /// For each vertex its place in the frontier.
    place: Vec<Option<u8>>,
    distances: Vec<u32>,
    queue: Vec<u32>,
}

impl<'a> Steps<'a> {
    pub(super) fn new(task: &'a Task, order: &'a Order, class: &'a [u32]) -> Self {
        let vertices = task.rows.len();
        Self {
            task,
            class,
            order: order.vertices.iter(),
            is_left: vec![true; vertices],
            frontier: task.fixed.clone(),
            place: vec![None; vertices],
            distances: vec![FAR; vertices],
            queue: Vec::new(),
        }
    }

    /// How far it is between all places.
    fn measured(&mut self) -> Vec<u32> {
        let Self { task, is_left, frontier, distances, queue, .. } = self;
        let mut all = Vec::with_capacity(frontier.len() * frontier.len());
        for &source in &*frontier {
            measure(task, is_left, source, distances, queue);
            all.extend(frontier.iter().map(|&w| distances[w as usize]));
            queue.iter().for_each(|&w| distances[w as usize] = FAR);
        }
        all
    }
}

impl Iterator for Steps<'_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        let &v = self.order.next()?;
        let Self { task, class, is_left, frontier, place, .. } = self;
        frontier.iter().zip(0..).for_each(|(&w, at)| place[w as usize] = Some(at));
        let row = || task.rows[v as usize].iter().copied().filter(|&w| is_left[w as usize]);
        for w in row().chain([v]) {
            if place[w as usize].is_none() {
                place[w as usize] = Some(frontier.len() as u8);
                frontier.push(w);
            }
        }
        let at = |w: u32| place[w as usize].expect("it is in the frontier");
        let vertex = at(v);
        let neighbours = row().map(at).collect();
        // Twins of the vertex are twins of each other, but it is eliminated and they are not.
        let twin = first_twins(frontier, class, Some(v));
        frontier.iter().for_each(|&w| place[w as usize] = None);
        is_left[v as usize] = false;
        let (vertices, extended) = (frontier.clone(), frontier.len());
        let mut to = std::array::from_fn(|other| other as u8);
        let mut from = Vec::with_capacity(extended - 1);
        for old in (0..extended as u8).filter(|&old| old != vertex) {
            to[old as usize] = from.len() as u8;
            from.push(old);
        }
        frontier.remove(vertex as usize);
        let distance = self.measured();
        let Self { task, class, frontier, .. } = self;
        let after_twin = first_twins(frontier, class, None);
        let places = 0..frontier.len() as u8;
        let firsts = places.clone().filter(|&first| after_twin[first as usize] == first);
        let members = |first| places.clone().filter(|&at| after_twin[at as usize] == first).collect();
        let after = Frontier {
            classes: firsts.map(members).filter(|members: &Vec<u8>| members.len() > 1).collect(),
            is_fixed: frontier.iter().map(|v| task.fixed.contains(v)).collect(),
            from,
            to,
            distance,
            eliminated: task.rows.len() - self.order.len(),
            packing: Packing::of(frontier.len()),
            twin: after_twin,
        };
        Some(Step { vertices, vertex, neighbours, twin, after })
    }
}

/// For each place, the first place of a vertex of the same class; `alone` is in no class.
fn first_twins(frontier: &[u32], class: &[u32], alone: Option<u32>) -> Vec<u8> {
    let first = |&v: &u32| {
        let is_twin = |&w: &u32| v == w || class[v as usize] == class[w as usize] && Some(w) != alone;
        let is_alone = Some(v) == alone;
        frontier.iter().position(|w| if is_alone { v == *w } else { is_twin(w) }).expect("it is its own")
            as u8
    };
    frontier.iter().map(first).collect()
}

/// Distances from a vertex over those that are left, no further than paths are long; what was reached is in the queue.
fn measure(task: &Task, is_left: &[bool], source: u32, distances: &mut [u32], queue: &mut Vec<u32>) {
    queue.clear();
    queue.push(source);
    distances[source as usize] = 0;
    let mut head = 0;
    while let Some(&v) = queue.get(head) {
        head += 1;
        let further = distances[v as usize] + 1;
        if further as usize > task.longest {
            break;
        }
        for &w in &task.rows[v as usize] {
            if is_left[w as usize] && distances[w as usize] == FAR {
                distances[w as usize] = further;
                queue.push(w);
            }
        }
    }
}

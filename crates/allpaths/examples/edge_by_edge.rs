//! Counts the paths of a DIMACS file modulo a prime, by length, edge by edge.
//!
//! A check of numbers that nobody can enumerate: it shares nothing with the engines of the library, which take whole vertices in an order of their own and count
//! in exact integers. It is short rather than fast, and takes some gigabytes where the engines take less.
//!
//! ```text
//! cargo run --release --example edge_by_edge -- instance.col [threads]
//! ```
//!
//! It goes through the edges once and remembers, for all ways to take some of them, which vertices of the frontier (those with edges before and after) are ends of
//! the same piece of a path. The two ends of the path count as joined from the beginning: a path between them is a cycle that closes when no other piece is left.
//! For all pairs, two more vertices are joined to all others: then each path is met in both directions, and so is each vertex alone.

use std::collections::hash_map::Entry;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use allpaths::{Dataset, Graph};
use rustc_hash::FxHashMap;

/// 2^61 - 1.
const PRIME: u64 = (1 << 61) - 1;

/// For each slot of the frontier, in five bits, the slot that has the other end of its piece: its own, if the vertex has no edge yet. The highest bit says whether
/// the number of edges is odd: where all cycles are even the state decides that, and half of all numbers need no place.
type State = u128;
const ODD: State = 1 << 127;
const SLOTS: usize = 25;
/// A slot without a vertex.
const EMPTY: usize = 30;
/// A vertex with two edges.
const INNER: usize = 31;

/// By half the number of edges, how many ways lead to a state.
type Ways = Box<[u64]>;
type Shards = Vec<Mutex<FxHashMap<State, Ways>>>;

fn mate(state: State, slot: usize) -> usize {
    (state >> (5 * slot)) as usize & 31
}

fn with(state: State, slot: usize, mate: usize) -> State {
    state & !(31 << (5 * slot)) | (mate as u128) << (5 * slot)
}

/// An edge between two slots, and what happens before and after it.
struct Step {
    slots: [usize; 2],
    enter: Vec<usize>,
    leave: Vec<usize>,
    /// So many edges at least are still to be taken after it, unless a path is complete.
    ahead: usize,
}

/// How far it is, by the edges that are left, from an end of the path to any other vertex that has been met: whatever was taken has to be reached from there.
fn ahead(left: &[[usize; 2]], is_met: &[bool], ends: [usize; 2]) -> usize {
    let distance = |end: usize| {
        if is_met[end] {
            return 0;
        }
        let mut reached = vec![false; is_met.len()];
        reached[end] = true;
        for distance in 1.. {
            let border =
                left.iter().flat_map(|&[u, v]| [[u, v], [v, u]]).filter(|&[u, v]| reached[u] && !reached[v]);
            let border: Vec<usize> = border.map(|[_, v]| v).collect();
            if border.is_empty() || border.iter().any(|&v| is_met[v]) {
                return distance;
            }
            border.iter().for_each(|&v| reached[v] = true);
        }
        unreachable!("there are no more vertices")
    };
    ends.map(distance).into_iter().max().unwrap_or(0)
}

/// The edges in the order of their first vertices, and the slots of the ends. Also how wide the frontier becomes, and a guess at all states there can be.
fn steps(
    order: &[usize],
    edges: &[[usize; 2]],
    ends: [usize; 2],
    look_ahead: bool,
) -> (Vec<Step>, [usize; 2], usize, f64) {
    let mut rank = vec![0; order.len()];
    order.iter().enumerate().for_each(|(place, &v)| rank[v] = place);
    let mut edges = edges.to_vec();
    edges.iter_mut().for_each(|edge| edge.sort_by_key(|&v| rank[v]));
    edges.sort_by_key(|&[u, v]| [rank[u], rank[v]]);
    let mut last = vec![0; order.len()];
    edges.iter().enumerate().for_each(|(i, edge)| edge.iter().for_each(|&v| last[v] = i));
    let (mut slot, mut holders) = (vec![None; order.len()], Vec::<Option<usize>>::new());
    let mut take = |v: usize, holders: &mut Vec<Option<usize>>| {
        let free = holders.iter().position(Option::is_none).unwrap_or(holders.len());
        holders.resize(holders.len().max(free + 1), None);
        (holders[free], slot[v]) = (Some(v), Some(free));
        free
    };
    let at = ends.map(|v| take(v, &mut holders));
    let (mut steps, mut is_met, mut states) = (Vec::new(), vec![false; order.len()], 0.0);
    for (i, edge) in edges.iter().enumerate() {
        let mut enter = Vec::new();
        let slots = edge.map(|v| match holders.iter().position(|&holder| holder == Some(v)) {
            Some(slot) => slot,
            None => {
                enter.push(take(v, &mut holders));
                enter[enter.len() - 1]
            }
        });
        let leave: Vec<usize> = (0..2).filter(|&k| last[edge[k]] == i).map(|k| slots[k]).collect();
        leave.iter().for_each(|&slot| holders[slot] = None);
        edge.iter().for_each(|&v| is_met[v] = true);
        let ahead = if look_ahead { ahead(&edges[i + 1..], &is_met, ends) } else { 0 };
        states += 3f64.powf(holders.iter().flatten().count() as f64);
        steps.push(Step { slots, enter, leave, ahead });
    }
    (steps, at, holders.len(), states)
}

/// An order that begins with a vertex and goes on with the one that lets the frontier grow least.
fn greedy(first: usize, rows: &[Vec<usize>]) -> Vec<usize> {
    let (mut is_done, mut is_reached) = (vec![false; rows.len()], vec![false; rows.len()]);
    let mut order = Vec::new();
    let mut next = Some(first);
    while let Some(v) = next {
        order.push(v);
        is_done[v] = true;
        rows[v].iter().chain([&v]).for_each(|&w| is_reached[w] = true);
        let growth =
            |v: usize| 2 * rows[v].iter().filter(|&&w| !is_reached[w]).count() + usize::from(!is_reached[v]);
        next = (0..rows.len()).filter(|&v| !is_done[v]).min_by_key(|&v| growth(v));
    }
    order
}

/// What taking an edge makes of a state.
enum Taken {
    State(State),
    /// The only piece is closed.
    Path,
    Nothing,
}

fn take(state: State, [a, b]: [usize; 2]) -> Taken {
    let [x, y] = [mate(state, a), mate(state, b)];
    if x == INNER || y == INNER {
        return Taken::Nothing;
    }
    if x == b {
        let is_piece = |slot: usize| ![slot, EMPTY, INNER].contains(&mate(state, slot));
        let others = (0..SLOTS).filter(|&slot| slot != a && slot != b).any(is_piece);
        return if others { Taken::Nothing } else { Taken::Path };
    }
    let mut joined = with(with(state, x, y), y, x);
    if x != a {
        joined = with(joined, a, INNER);
    }
    if y != b {
        joined = with(joined, b, INNER);
    }
    Taken::State(joined)
}

/// What is left of a state when vertices go; nothing if one of them is an end.
fn without(mut state: State, leave: &[usize]) -> Option<State> {
    for &slot in leave {
        if ![slot, INNER].contains(&mate(state, slot)) {
            return None;
        }
        state = with(state, slot, EMPTY);
    }
    Some(state)
}

fn add(sum: &mut [u64], ways: &[u64]) {
    for (sum, &ways) in sum.iter_mut().zip(ways) {
        let more = *sum + ways;
        *sum = if more < PRIME { more } else { more - PRIME };
    }
}

/// The same with an edge more, as far as ways are no longer than `longest`; nothing if there are none. Where one number stands for all lengths, none is too long.
fn longer(state: State, ways: &[u64], longest: usize) -> Option<(State, Ways)> {
    let mut longer: Ways = ways.into();
    if let [_] = ways {
        return Some((state, longer));
    }
    if state & ODD != 0 {
        longer.rotate_right(1);
        longer[0] = 0;
    }
    let state = state ^ ODD;
    let half = (longest + 1).saturating_sub(usize::from(state & ODD != 0)).div_ceil(2);
    longer[half..].fill(0);
    longer.iter().any(|&ways| ways > 0).then_some((state, longer))
}

/// How many paths lead from one end to the other.
fn paths(steps: &[Step], ends: [usize; 2], max_length: Option<usize>, threads: usize) -> u64 {
    let shards = || -> Shards { (0..512).map(|_| Mutex::default()).collect() };
    let insert = |shards: &Shards, state: State, ways: Ways| {
        let hash = (state ^ state >> 64) as u64;
        let shard = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 55;
        match shards[shard as usize].lock().unwrap().entry(state) {
            Entry::Vacant(place) => {
                place.insert(ways);
            }
            Entry::Occupied(mut place) => add(place.get_mut(), &ways),
        }
    };
    let empty = (0..SLOTS).fold(0, |state, slot| with(state, slot, EMPTY));
    let joined = with(with(empty, ends[0], ends[1]), ends[1], ends[0]);
    let mut nothing = vec![0; max_length.map_or(1, |length| length / 2 + 2)].into_boxed_slice();
    let found = Mutex::new(nothing.clone());
    nothing[0] = 1;
    let longest = max_length.unwrap_or(usize::MAX - 1);
    let mut now = shards();
    insert(&now, joined, nothing);
    for step in steps {
        let (next, turn) = (shards(), AtomicUsize::new(0));
        let work = || {
            while let Some(shard) = now.get(turn.fetch_add(1, Relaxed)) {
                for (state, ways) in std::mem::take(&mut *shard.lock().unwrap()) {
                    let state = step.enter.iter().fold(state, |state, &slot| with(state, slot, slot));
                    match take(state, step.slots) {
                        Taken::State(joined) => {
                            let left = without(joined, &step.leave);
                            if let Some((state, ways)) = left
                                .and_then(|state| longer(state, &ways, longest.saturating_sub(step.ahead)))
                            {
                                insert(&next, state, ways);
                            }
                        }
                        Taken::Path => {
                            if let Some((_, ways)) = longer(state, &ways, longest) {
                                add(&mut found.lock().unwrap(), &ways);
                            }
                        }
                        Taken::Nothing => {}
                    }
                    if let Some(state) = without(state, &step.leave) {
                        insert(&next, state, ways);
                    }
                }
            }
        };
        std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
        now = next;
    }
    let found = found.into_inner().unwrap();
    found.iter().fold(0, |sum, &ways| (sum + ways) % PRIME)
}

/// How many paths of up to a length there are, modulo the prime: of one pair of vertices, or of all.
pub(crate) fn count(graph: &Graph, pair: Option<(usize, usize)>, max_length: usize, threads: usize) -> u64 {
    let order = graph.order();
    // A path has an edge less than vertices: longer bounds do not bind.
    let mut max_length = Some(max_length).filter(|&length| length + 1 < order);
    let mut edges: Vec<[usize; 2]> = graph.edges().map(|(u, v)| [u, v]).filter(|[u, v]| u != v).collect();
    let mut rows = vec![Vec::new(); order];
    edges.iter().for_each(|&[u, v]| [(u, v), (v, u)].iter().for_each(|&(u, v)| rows[u].push(v)));
    let ends = pair.map_or([order, order + 1], |(source, target)| [source, target]);
    if pair.is_none() {
        edges.extend((0..order).flat_map(|v| ends.map(|end| [v, end])));
        max_length = max_length.map(|length| length + 2);
    }
    let orders = (0..order).map(|first| greedy(first, &rows)).chain([(0..order).collect()]);
    let orders = orders.map(|mut vertices| {
        vertices.extend(ends.iter().filter(|&&end| end >= order));
        vertices
    });
    let states = |vertices: &Vec<usize>| steps(vertices, &edges, ends, false).3;
    let best = orders.min_by(|one, other| states(one).total_cmp(&states(other)));
    let (steps, ends, width, _) = steps(&best.expect("one is as they are numbered"), &edges, ends, true);
    assert!(width <= SLOTS, "{width} vertices at a time are too many");
    let found = paths(&steps, ends, max_length, threads);
    match pair {
        Some(_) => found,
        // Half of what is left when vertices alone are taken away.
        None => {
            let twice = u128::from(found + PRIME - order as u64);
            (twice * u128::from(PRIME.div_ceil(2)) % u128::from(PRIME)) as u64
        }
    }
}

#[allow(dead_code)] // it is a module of tests, too
fn main() {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().expect("a DIMACS file with a line `l`, and a line `t` for one pair");
    let threads = arguments.next().map_or(1, |n| n.parse().expect("a number of threads"));
    let dataset = Dataset::read(&file).unwrap_or_else(|error| panic!("{error}"));
    let question = dataset.question();
    let max_length = question.max_length.expect("a line `l` with the longest length");
    println!("{} modulo {PRIME}", count(&dataset.graphs()[0], question.pair, max_length, threads));
}

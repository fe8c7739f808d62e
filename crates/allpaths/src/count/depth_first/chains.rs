//! Walks over what is left of a graph when its chains are taken in one step.
//!
//! Where a vertex has two neighbours, a path that comes from one goes on to the other. So a *chain* of such vertices is as good as one edge that is as
//! long as the chain, and only the vertices between chains, its *hubs*, are visited. There may be several chains between two hubs.
//!
//! Chains are looked for inside blocks, since a cycle never leaves its block: so what hangs from a cycle, or lies between two, is never visited, and
//! the chains become longer. A block without hubs is a cycle.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::count::engine::Run;
use crate::count::limits::{Allowance, Meter, Outcome};
use crate::threads;

/// A chain, as it leaves a hub.
#[derive(Clone, Copy, Debug)]
struct Chain {
    /// The hub that it leads to.
    to: u32,
    /// Its place in the row of that hub.
    back: u32,
    length: u32,
}

/// Hubs and the chains between them, of several parts of a graph; what is in one part cannot be reached from another.
#[derive(Debug, Default)]
pub(super) struct Chains {
    /// Row `h` is `offsets[h]..offsets[h + 1]` in `chains`.
    offsets: Vec<u32>,
    chains: Vec<Chain>,
    /// The lengths of cycles without a hub.
    rings: Vec<usize>,
}

/// Not in the part that is looked at.
const OUTSIDE: u32 = u32::MAX;
/// In it, and inside a chain.
const INSIDE: u32 = u32::MAX - 1;

/// How many of a part's vertices may be hubs if other walks are not to be faster: those over masks are, in small parts.
fn most_hubs(vertices: usize) -> usize {
    if vertices <= u128::BITS as usize { vertices / 3 } else { vertices * 2 / 3 }
}

/// Finds the chains of one part after the other.
pub(super) struct Finder<R> {
    /// The neighbours of each vertex, loops among them.
    row: R,
    /// The hub that each vertex of the part is, if it is one.
    place: Vec<u32>,
    found: Chains,
}

impl<'a, R: Fn(usize) -> &'a [u32]> Finder<R> {
    pub(super) fn new(order: usize, row: R) -> Self {
        let found = Chains { offsets: vec![0], ..Chains::default() };
        Self { row, place: vec![OUTSIDE; order], found }
    }

    /// Takes a part in which every vertex has two neighbours at least, `ends` apart; those become hubs in any case. Gives the hubs that the ends are; nothing if there are
    /// too many of them.
    pub(super) fn take<const N: usize>(&mut self, part: &[u32], ends: [u32; N]) -> Option<[u32; N]> {
        part.iter().for_each(|&v| self.place[v as usize] = INSIDE);
        let is_hub = |&v: &u32| ends.contains(&v) || self.neighbours(v).count() != 2;
        let hubs: Vec<u32> = part.iter().copied().filter(is_hub).collect();
        let first = self.found.offsets.len() as u32 - 1;
        hubs.iter().zip(first..).for_each(|(&v, hub)| self.place[v as usize] = hub);
        let are_few = hubs.len() <= most_hubs(part.len());
        if hubs.is_empty() {
            self.found.rings.push(part.len());
        } else if are_few {
            for &v in &hubs {
                let chains: Vec<Chain> = self.neighbours(v).map(|w| self.chain(v, w)).collect();
                self.found.chains.extend(chains);
                self.found.offsets.push(self.found.chains.len() as u32);
            }
        }
        let ends = ends.map(|end| self.place[end as usize]);
        part.iter().for_each(|&v| self.place[v as usize] = OUTSIDE);
        are_few.then_some(ends)
    }

    pub(super) fn finish(self) -> Chains {
        self.found
    }

    /// The neighbours of a vertex in the part.
    fn neighbours(&self, v: u32) -> impl Iterator<Item = u32> {
        let row = (self.row)(v as usize);
        row.iter().copied().filter(move |&w| w != v && self.place[w as usize] != OUTSIDE)
    }

    /// The chain that leaves the hub `from` by way of `next`.
    fn chain(&self, from: u32, next: u32) -> Chain {
        let (mut before, mut v, mut length) = (from, next, 1);
        while self.place[v as usize] == INSIDE {
            let after = self.neighbours(v).find(|&w| w != before).expect("two neighbours");
            (before, v, length) = (v, after, length + 1);
        }
        let back = self.neighbours(v).position(|w| w == before).expect("an edge has two ends") as u32;
        Chain { to: self.place[v as usize], back, length }
    }
}

/// From where a walk goes on.
#[derive(Clone, Debug)]
struct Beginning {
    aim: Aim,
    /// The hubs that were visited, the first one and the last one among them.
    visited: Vec<u32>,
    length: usize,
}

/// Where walks are to arrive, and by which ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Aim {
    target: u32,
    /// The first chain, in the row of the target, by which they may arrive.
    earliest: u32,
    /// The least hub that they may visit.
    least: u32,
}

impl Chains {
    fn row(&self, hub: u32) -> &[Chain] {
        &self.chains[self.offsets[hub as usize] as usize..self.offsets[hub as usize + 1] as usize]
    }

    fn hubs(&self) -> u32 {
        self.offsets.len() as u32 - 1
    }

    /// Cycles by length, each once: from its least hub, by the earlier of its two chains there.
    pub(super) fn cycles(&self, run: Run<'_>) -> Result<Vec<u128>, Outcome> {
        let from = |(target, first): (u32, u32)| {
            let Chain { to, length, .. } = self.row(target)[first as usize];
            let aim = Aim { target, earliest: first + 1, least: target + 1 };
            let leads_on = to >= aim.least && length as usize <= run.max_length;
            leads_on.then(|| Beginning { aim, visited: vec![to], length: length as usize })
        };
        let firsts =
            (0..self.hubs()).flat_map(|hub| (0..self.row(hub).len() as u32).map(move |at| (hub, at)));
        let mut sums = self.walk(firsts.filter_map(from).collect(), run)?;
        for &length in &self.rings {
            if let Some(sum) = sums.get_mut(length) {
                *sum += 1;
            }
        }
        Ok(sums)
    }

    /// Paths between two hubs by length.
    pub(super) fn between(&self, [source, target]: [u32; 2], run: Run<'_>) -> Result<Vec<u128>, Outcome> {
        let aim = Aim { target, earliest: 0, least: 0 };
        self.walk(vec![Beginning { aim, visited: vec![source], length: 0 }], run)
    }

    /// Walks on from some beginnings.
    fn walk(&self, mut beginnings: Vec<Beginning>, run: Run<'_>) -> Result<Vec<u128>, Outcome> {
        let allowance = Allowance::new(run.job);
        let mut walker = Walker::new(self, run.max_length, allowance.meter());
        while !beginnings.is_empty() && beginnings.len() < run.parts && !walker.meter.stopped() {
            let before = std::mem::take(&mut beginnings);
            before.iter().for_each(|beginning| walker.advance(beginning, &mut beginnings));
        }
        let share = 1.0 / beginnings.len().max(1) as f64;
        if beginnings.is_empty() {
            allowance.advance(share);
        }
        let start = || Walker::new(self, run.max_length, allowance.meter());
        let walkers = threads::fold(run.parallel, beginnings.iter(), start, |walker, beginning| {
            walker.resume(beginning);
            allowance.advance(share);
        });
        let mut sums = walker.finish();
        for walker in walkers {
            sums.iter_mut().zip(walker.finish()).for_each(|(sum, more)| *sum += more);
        }
        match allowance.outcome() {
            Outcome::Complete => Ok(sums),
            stopped => Err(stopped),
        }
    }
}

const FAR: u32 = u32::MAX;

/// One worker's walk.
struct Walker<'a> {
    chains: &'a Chains,
    max_length: usize,
    sums: Vec<u128>,
    meter: Meter<'a>,
    aim: Option<Aim>,
    /// What is left to the target from each hub, at least.
    distance: Vec<u32>,
    /// The hubs whose distance is known.
    reached: Vec<u32>,
    nearest: BinaryHeap<Reverse<(u32, u32)>>,
    is_visited: Vec<bool>,
    path: Vec<Visit>,
}

/// A hub on the path, and how much of its row is done.
#[derive(Clone, Copy)]
struct Visit {
    hub: u32,
    next: u32,
    length: usize,
}

impl<'a> Walker<'a> {
    fn new(chains: &'a Chains, max_length: usize, meter: Meter<'a>) -> Self {
        let hubs = chains.hubs() as usize;
        Self {
            chains,
            max_length,
            sums: vec![0; max_length + 1],
            meter,
            aim: None,
            distance: vec![FAR; hubs],
            reached: Vec::new(),
            nearest: BinaryHeap::new(),
            is_visited: vec![false; hubs],
            path: Vec::new(),
        }
    }

    fn finish(self) -> Vec<u128> {
        self.sums
    }

    /// Turns to another aim: finds the distances to it.
    fn aim(&mut self, aim: Aim) {
        if self.aim.replace(aim) == Some(aim) {
            return;
        }
        self.reached.drain(..).for_each(|hub| self.distance[hub as usize] = FAR);
        for chain in &self.chains.row(aim.target)[aim.earliest as usize..] {
            self.nearest.push(Reverse((chain.length, chain.to)));
        }
        while let Some(Reverse((distance, hub))) = self.nearest.pop() {
            let is_known = self.distance[hub as usize] != FAR;
            if is_known || hub < aim.least || hub == aim.target || distance as usize > self.max_length {
                continue;
            }
            self.distance[hub as usize] = distance;
            self.reached.push(hub);
            for chain in self.chains.row(hub) {
                self.nearest.push(Reverse((distance + chain.length, chain.to)));
            }
        }
    }

    /// Whether the target can be reached from a hub that is `length` from the beginning.
    fn is_in_time(&self, hub: u32, length: usize) -> bool {
        let distance = self.distance[hub as usize];
        distance != FAR && length + distance as usize <= self.max_length
    }

    /// The next hub after the last one of `visit`, if there is one left; what arrives is booked on the way.
    #[inline(always)]
    fn onward(&mut self, aim: Aim, visit: &mut Visit) -> Option<Visit> {
        let row = &self.chains.row(visit.hub)[visit.next as usize..];
        for (chain, next) in row.iter().zip(visit.next + 1..) {
            let length = visit.length + chain.length as usize;
            if chain.to == aim.target {
                if chain.back >= aim.earliest && length <= self.max_length {
                    self.sums[length] += 1;
                }
            } else if !self.is_visited[chain.to as usize] && self.is_in_time(chain.to, length) {
                visit.next = next;
                return Some(Visit { hub: chain.to, next: 0, length });
            }
        }
        None
    }

    /// Sets out from a beginning, if the target can be reached from there.
    fn set_out(&mut self, beginning: &Beginning) -> Option<Visit> {
        let Beginning { aim, visited, length } = beginning;
        self.aim(*aim);
        let &hub = visited.last().expect("a walk begins somewhere");
        if !self.is_in_time(hub, *length) {
            return None;
        }
        visited.iter().for_each(|&hub| self.is_visited[hub as usize] = true);
        Some(Visit { hub, next: 0, length: *length })
    }

    fn come_back(&mut self, beginning: &Beginning) {
        beginning.visited.iter().for_each(|&hub| self.is_visited[hub as usize] = false);
    }

    /// Walks all that goes on from a beginning.
    fn resume(&mut self, beginning: &Beginning) {
        let Some(first) = self.set_out(beginning) else { return };
        let aim = beginning.aim;
        self.path.push(first);
        self.meter.spend(1);
        while let Some(mut visit) = self.path.pop() {
            if self.meter.stopped() {
                self.path.clear();
                self.is_visited.fill(false);
                return;
            }
            if let Some(after) = self.onward(aim, &mut visit) {
                self.is_visited[after.hub as usize] = true;
                self.path.push(visit);
                self.path.push(after);
                self.meter.spend(1);
            } else {
                self.is_visited[visit.hub as usize] = false;
            }
        }
        self.come_back(beginning);
    }

    /// Goes on by one hub, in all ways.
    fn advance(&mut self, beginning: &Beginning, after: &mut Vec<Beginning>) {
        let Some(mut visit) = self.set_out(beginning) else { return };
        self.meter.spend(1);
        while let Some(Visit { hub, length, .. }) = self.onward(beginning.aim, &mut visit) {
            let visited = [&beginning.visited[..], &[hub]].concat();
            after.push(Beginning { visited, length, ..*beginning });
        }
        self.come_back(beginning);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Monitor;
    use crate::count::limits::Job;

    /// A complete graph of six whose edges are chains of one, two or three edges, by its rows.
    fn rows() -> Vec<Vec<u32>> {
        let mut rows: Vec<Vec<u32>> = vec![Vec::new(); 6];
        for (u, v) in (0..6).flat_map(|v| (0..v).map(move |u| (u, v))) {
            let mut last = u;
            for _ in 0..(u + v) % 3 {
                let next = rows.len();
                rows[last].push(next as u32);
                rows.push(vec![last as u32]);
                last = next;
            }
            rows[last].push(v as u32);
            rows[v].push(last as u32);
        }
        rows
    }

    fn chains(rows: &[Vec<u32>]) -> Option<Chains> {
        let mut finder = Finder::new(rows.len(), |v| &rows[v][..]);
        finder.take(&(0..rows.len() as u32).collect::<Vec<_>>(), [])?;
        Some(finder.finish())
    }

    #[test]
    fn a_walk_cut_into_parts_finds_the_same() {
        let chains = chains(&rows()).unwrap();
        assert_eq!((chains.hubs(), chains.chains.len()), (6, 30));
        let monitor = Monitor::new();
        let found = |parts, parallel| {
            let run = Run { max_length: 18, job: Job::unlimited(&monitor), parts, parallel };
            (chains.cycles(run).unwrap(), chains.between([1, 4], run).unwrap())
        };
        let (cycles, paths) = found(1, false);
        // Each set of three hubs or more, in every cyclic order; and those between the two, in every order.
        assert_eq!(cycles.iter().sum::<u128>(), 20 + 15 * 3 + 6 * 12 + 60);
        assert_eq!(paths.iter().sum::<u128>(), 1 + 4 + 12 + 24 + 24);
        for parts in [2, 10, 100, 10_000] {
            assert_eq!(found(parts, true), (cycles.clone(), paths.clone()));
        }
    }

    #[test]
    fn many_hubs_are_left_to_others() {
        let complete: Vec<Vec<u32>> = (0..4).map(|u| (0..4).filter(|&v| v != u).collect()).collect();
        assert!(chains(&complete).is_none());
        let ring: Vec<Vec<u32>> = (0..4).map(|v| vec![(v + 1) % 4, (v + 3) % 4]).collect();
        assert_eq!(chains(&ring).unwrap().rings, [4]);
    }
}

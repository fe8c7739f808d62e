//! Engine `meet`: the paths between two vertices, by half-paths that meet in the middle.
//!
//! A path of length `l` has a vertex after `l / 2` steps, rounded down. For each vertex in that place, the half-paths to both ends are found, each as the
//! set of the vertices on it ([`halves`]): no more are walked than can reach their end in time. A pair of them is a path if they share no vertex, and how many such
//! pairs there are is found without looking at each ([`sets`]). A million paths are a thousand half-paths on either side.

mod halves;
mod sets;

use num_bigint::BigInt;

use super::Subject;
use super::auto::drawn;
use super::engine::{Bounds, Method, PairRows, Question, Rooted, Run, Weight, of_vertices};
use super::limits::{Allowance, Limits, Memory, Meter, Outcome};
use super::number::Count;
use super::walks;
use crate::Graph;
use crate::threads;
pub(in crate::count) use halves::HALF_PATH_BYTES;
use halves::{FAR, Halves, Way};
use sets::{Disjoint, Packing, merged};

/// The engine at work on a graph.
pub(super) struct Meet<'a> {
    graph: &'a Graph,
}

/// Where arcs lead, and where they come from, without loops.
struct Arcs {
    onward: Vec<Vec<u32>>,
    back: Vec<Vec<u32>>,
}

impl<'a> Meet<'a> {
    pub(super) fn new(graph: &'a Graph) -> Self {
        Self { graph }
    }

    fn arcs(&self) -> Arcs {
        let reverse = self.graph.reverse_rows();
        let onward =
            |v: usize| self.graph.neighbours(v).iter().copied().filter(|&w| w as usize != v).collect();
        let vertices = 0..self.graph.order();
        Arcs {
            onward: vertices.clone().map(onward).collect(),
            back: vertices.map(|v| reverse.row(v).to_vec()).collect(),
        }
    }

    /// About how many half-paths there are, for paths to a length; nothing if sets have no room for them.
    pub(super) fn expected(&self, ends: [usize; 2], longest: usize) -> Option<f64> {
        let Some(pair) = Pair::new(&self.arcs(), ends, longest).ok()? else { return Some(0.0) };
        let Pair { ways: [to_source, to_target], ends: [source, target], .. } = &pair;
        let [half, rest] = pair.halves();
        // From an end, as far as the other can still be reached.
        let count = |way: &Way, end: u32, length: u32| {
            let leads_on = |w: u32, length: usize| match way.distance[w as usize] {
                0 | FAR => false,
                distance => distance as usize + length <= longest,
            };
            let neighbours = |v: usize| way.rows[v].as_slice();
            drawn(way.rows.len(), neighbours, length as usize + 1, Some(end as usize), DRAWS, leads_on)
        };
        Some(count(to_target, *source, half) + count(to_source, *target, rest))
    }

    /// The paths of a pair, by length.
    fn pair(arcs: &Arcs, ends: [usize; 2], run: Run<'_>) -> Result<Vec<u128>, Outcome> {
        let allowance = Allowance::new(run.job);
        let counts = match Pair::new(arcs, ends, run.max_length)? {
            Some(pair) => pair.count(&allowance, run),
            None => {
                allowance.advance(1.0);
                vec![0; run.max_length + 1]
            }
        };
        // Whoever was late hears of it even where there was nothing to do.
        drop(allowance.meter());
        match allowance.outcome() {
            Outcome::Complete => Ok(counts),
            stopped => Err(stopped),
        }
    }
}

/// Paths that are drawn to tell how many there are.
const DRAWS: u32 = 200;

/// What lies between two vertices.
struct Pair {
    /// The ways to the first and to the last vertex.
    ways: [Way; 2],
    ends: [u32; 2],
    packing: Packing,
    longest: usize,
}

impl Pair {
    /// The vertices that paths to a length can visit; nothing if there are no such paths.
    ///
    /// # Errors
    ///
    /// When there are too many of them for a set of those on a half-path to have room.
    fn new(arcs: &Arcs, ends: [usize; 2], longest: usize) -> Result<Option<Self>, Outcome> {
        let [source, target] = ends.map(|end| end as u32);
        let from = walks::distances(&arcs.onward, source, longest);
        let to = walks::distances(&arcs.back, target, longest);
        let is_near = |v: usize| from[v].zip(to[v]).is_some_and(|(from, to)| from + to <= longest);
        if !is_near(ends[0]) {
            return Ok(None);
        }
        let near: Vec<usize> = (0..from.len()).filter(|&v| is_near(v)).collect();
        let mut number = vec![None; from.len()];
        near.iter().zip(0..).for_each(|(&v, new)| number[v] = Some(new));
        let renumbered = |rows: &[Vec<u32>]| -> Vec<Vec<u32>> {
            let row = |&v: &usize| rows[v].iter().filter_map(|&w| number[w as usize]).collect();
            near.iter().map(row).collect()
        };
        let (onward, back) = (renumbered(&arcs.onward), renumbered(&arcs.back));
        let [source, target] = ends.map(|end| number[end].expect("an end is near"));
        let members = longest.div_ceil(2).saturating_sub(1);
        let packing = Packing::of(near.len(), members).ok_or(Outcome::Memory)?;
        let to_source = Way::new(&back, &onward, [source, target], longest);
        let to_target = Way::new(&onward, &back, [target, source], longest);
        Ok(Some(Self { ways: [to_source, to_target], ends: [source, target], packing, longest }))
    }

    /// How long half-paths to the first and to the last vertex are at most.
    fn halves(&self) -> [u32; 2] {
        let half = self.longest / 2;
        [half, self.longest - half].map(|length| length as u32)
    }

    /// The paths by length.
    fn count(&self, allowance: &Allowance<'_>, run: Run<'_>) -> Vec<u128> {
        let [source, target] = self.ends;
        let limits = self.halves();
        let is_near = |&v: &u32| {
            let near = |(way, limit): (&Way, u32)| (1..=limit).contains(&way.distance[v as usize]);
            self.ways.iter().zip(limits).all(near)
        };
        let middles: Vec<u32> = (0..self.ways[0].rows.len() as u32).filter(is_near).collect();
        let memory = Memory::new(run.job.bytes.unwrap_or(Memory::MOST));
        let new_worker = || (Disjoint::new(self.packing, self.ways[0].rows.len()), allowance.meter());
        let of_middle = |(disjoint, meter): &mut (Disjoint, Meter<'_>), &middle: &u32| {
            let counts = self.through(middle, &memory, disjoint, meter);
            allowance.advance(1.0 / middles.len() as f64);
            counts
        };
        let mut counts = vec![0; self.longest + 1];
        for through in threads::map_with(run.parallel, middles.iter(), new_worker, of_middle) {
            counts.iter_mut().zip(through).for_each(|(sum, count)| *sum += count);
        }
        if middles.is_empty() {
            allowance.advance(1.0);
        }
        if memory.is_full() {
            allowance.give_up(Outcome::Memory);
        }
        // An arc has nothing in the middle.
        if self.longest > 0 && self.ways[1].rows[source as usize].contains(&target) {
            counts[1] = 1;
        }
        counts
    }

    /// The paths that have a vertex in the middle, by length.
    fn through(
        &self,
        middle: u32,
        memory: &Memory,
        disjoint: &mut Disjoint,
        meter: &mut Meter<'_>,
    ) -> Vec<u128> {
        let mut bytes = 0;
        let mut found = |way, longest: u32| {
            let (packing, found) = (self.packing, vec![Vec::new(); longest as usize + 1]);
            let mut halves = Halves { way, packing, middle, longest, memory, meter, found, number: 0 };
            halves.walk(middle, 0, 0);
            bytes += halves.bytes();
            halves.found
        };
        let [half, rest] = self.halves();
        let families = [found(&self.ways[0], half), found(&self.ways[1], rest)];
        let mut counts = vec![0; self.longest + 1];
        if !meter.stopped() && !memory.is_full() {
            let families = self.shared(families);
            for (before, one) in families[0].iter().enumerate().filter(|(_, one)| !one.is_empty()) {
                for after in [before, before + 1].into_iter().filter(|after| before + after <= self.longest) {
                    counts[before + after] = disjoint.pairs(one, &families[1][after]);
                    meter.spend(std::mem::take(&mut disjoint.taken));
                }
            }
        }
        memory.count(bytes, 0);
        counts
    }

    /// Sets without the vertices that are on one side alone: those cannot be shared, and without them many sets are the same.
    fn shared(&self, families: [Vec<Vec<u128>>; 2]) -> [Vec<Vec<sets::Weighted>>; 2] {
        let packing = self.packing;
        let mut sides = vec![0u8; self.ways[0].rows.len() + 1];
        for (side, family) in [1, 2].into_iter().zip(&families) {
            for code in family.iter().flatten().flat_map(|&set| packing.members(set)) {
                sides[code as usize] |= side;
            }
        }
        let is_shared: Vec<bool> = sides.into_iter().map(|sides| sides == 3).collect();
        let of_length = |mut sets: Vec<u128>| {
            sets.iter_mut().for_each(|set| *set = packing.only(*set, &is_shared));
            merged(sets)
        };
        families.map(|family| family.into_iter().map(of_length).collect())
    }
}

impl Method for Meet<'_> {
    fn bounds(&self, question: Question, longest: usize, limits: &Limits) -> Bounds {
        if limits.steps.is_some() {
            // Nobody knows, and what a budget allows must not depend on guesses.
            return Bounds::Steps(
                (0..=longest).map(|length| if length < 2 { 0.0 } else { f64::INFINITY }).collect(),
            );
        }
        let reach = longest.div_ceil(2) + 1;
        let order = self.graph.order() as f64;
        let (walks, pairs) = match question {
            Question::Between(source, target) if !self.graph.is_directed() => {
                let walks = [source, target].map(|end| walks::by_length(self.graph, reach, Some(end)));
                (walks, 1.0)
            }
            Question::Between(..) => ([walks::by_length(self.graph, reach, None), vec![0.0; reach + 1]], 1.0),
            _ => ([walks::by_length(self.graph, reach, None), vec![0.0; reach + 1]], order),
        };
        let steps = |length: usize| pairs * (walks[0][length / 2 + 1] + walks[1][length.div_ceil(2) + 1]);
        match steps(longest) {
            few if few < 1e6 => Bounds::Small(few),
            _ => Bounds::Steps((0..=longest).map(steps).collect()),
        }
    }

    fn total(&self, _: Subject, run: Run<'_>) -> Result<Rooted, Outcome> {
        let mut sums = vec![[Count::ZERO, Count::ZERO]; run.max_length + 1];
        for counts in self.by_vertex(run)? {
            for (sums, counts) in sums.iter_mut().zip(&counts) {
                sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
            }
        }
        Ok(sums)
    }

    fn by_vertex(&self, run: Run<'_>) -> Result<Vec<Rooted>, Outcome> {
        Ok(of_vertices(self.graph, &self.by_pair(run)?, run.max_length))
    }

    fn by_pair(&self, run: Run<'_>) -> Result<PairRows, Outcome> {
        let (order, arcs) = (self.graph.order(), self.arcs());
        let share = 1.0 / (order * order.saturating_sub(1)).max(1) as f64;
        let mut rows: PairRows = vec![Vec::new(); order];
        for (u, row) in rows.iter_mut().enumerate() {
            for v in (0..order).filter(|&v| u != v) {
                let paths = Self::pair(&arcs, [u, v], run.share(share))?;
                if paths.iter().any(|&paths| paths > 0) {
                    row.push((v as u32, paths[1..].to_vec()));
                }
            }
        }
        if order < 2 {
            run.job.monitor.advance(run.job.share);
        }
        Ok(rows)
    }

    fn between(&self, source: usize, target: usize, run: Run<'_>) -> Result<Vec<Count>, Outcome> {
        let paths = Self::pair(&self.arcs(), [source, target], run)?;
        Ok(paths.into_iter().map(Count::from).collect())
    }

    fn weighted(&self, _: Subject, _: Weight<'_, f64>, _: Run<'_>) -> Result<Rooted<f64>, Outcome> {
        Err(Outcome::Undecided)
    }

    fn signed(&self, _: Subject, _: Weight<'_, i128>, _: Run<'_>) -> Result<Rooted<BigInt>, Outcome> {
        Err(Outcome::Undecided)
    }
}

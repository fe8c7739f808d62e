//! Engine `frontier`: long paths in graphs that are nowhere wide, such as grids and road networks.
//!
//! Vertices are eliminated one after the other. Of everything that was decided so far, only what the vertices of the *frontier* have to do with
//! it matters: whether each is untouched, done, or the end of a piece, and of which. Pieces of paths and cycles that agree in that are one state,
//! and are counted and not listed. What it takes grows with the number of states, which depends on how wide the frontier becomes, and not with the number of paths.
//!
//! [`order`] finds an order with small frontiers, [`plan`] what is known of each step, [`state`] has the states, [`bound`] drops those that cannot
//! become short enough paths, [`table`] keeps the others, which [`batch`] hands in, [`machine`] takes them from step to step, [`numbers`] are what they count, and [`blocks`] cuts the graph
//! into parts that are counted one by one.

mod batch;
mod blocks;
mod bound;
mod machine;
mod numbers;
mod order;
mod plan;
mod state;
mod table;

use std::sync::OnceLock;

use super::Subject;
use super::engine::{Bounds, Method, PairRows, Question, Rooted, Run, Weight, of_vertices};
use super::limits::{Allowance, Limits, Memory, Outcome};
use super::number::Count;
use super::walks;
use crate::Graph;
use machine::Conditions;
pub(super) use order::CHEAP;
use order::Order;
use plan::Task;

/// The most vertices of a part: an order for more would take too long to find.
const MOST_VERTICES: usize = 50_000;

/// About how many transitions a state has.
const TRANSITIONS: f64 = 10.0;

/// The engine at work on a graph without directions.
pub(super) struct Frontier<'a> {
    graph: &'a Graph,
    subject: Subject,
    /// What totals are counted by.
    parts: OnceLock<Option<Vec<Part>>>,
}

/// A part of the graph, and the order in which its vertices are eliminated.
struct Part {
    rows: Vec<Vec<u32>>,
    fixed: Vec<u32>,
    class: Vec<u32>,
    order: Order,
}

impl Part {
    fn new(rows: Vec<Vec<u32>>, fixed: Vec<u32>) -> Option<Self> {
        if rows.len() > MOST_VERTICES {
            return None;
        }
        let class = order::twins(&rows, &fixed);
        let order = order::best(&rows, &fixed, &class)?;
        Some(Self { rows, fixed, class, order })
    }
}

/// What is counted in a part.
#[derive(Clone, Copy)]
struct Aim {
    paths: bool,
    cycles: bool,
}

impl<'a> Frontier<'a> {
    pub(super) fn new(graph: &'a Graph, subject: Subject) -> Self {
        Self { graph, subject, parts: OnceLock::new() }
    }

    /// The neighbours of each vertex, without itself.
    fn rows(&self) -> Vec<Vec<u32>> {
        let row = |v: usize| self.graph.neighbours(v).iter().copied().filter(|&w| w as usize != v).collect();
        (0..self.graph.order()).map(row).collect()
    }

    /// The parts of the graph inside which all paths are, or all cycles.
    fn pieces(&self, subject: Subject) -> Vec<Vec<Vec<u32>>> {
        let rows = self.rows();
        let (parts, fewest) = match subject {
            Subject::Cycles => (blocks::blocks(&rows), 3),
            _ => (blocks::components(&rows), 2),
        };
        let parts = parts.into_iter().filter(|part| part.len() >= fewest);
        parts.map(|part| blocks::induced(&rows, &part)).collect()
    }

    /// The parts for totals, or nothing if a frontier is too wide.
    fn parts(&self) -> Option<&[Part]> {
        let find = || self.pieces(self.subject).into_iter().map(|rows| Part::new(rows, Vec::new())).collect();
        self.parts.get_or_init(find).as_deref()
    }

    /// About how many states there are, from orders that take little time to find; infinite if a frontier is too wide.
    pub(super) fn expected(&self, question: Question, longest: usize) -> f64 {
        let cost = |rows: &[Vec<u32>], fixed: &[u32]| {
            if rows.len() > MOST_VERTICES {
                return f64::INFINITY;
            }
            let class = order::twins(rows, fixed);
            order::quick(rows, fixed, &class).map_or(f64::INFINITY, |order| order.cost)
        };
        match question {
            Question::Between(source, target) => {
                let ends = [source as u32, target as u32];
                blocks::between(&self.rows(), ends, longest).map_or(0.0, |(rows, ends)| cost(&rows, &ends))
            }
            _ => self.pieces(self.subject).iter().map(|rows| cost(rows, &[])).sum(),
        }
    }

    /// Paths and cycles, each once, in one part after the other.
    fn distinct(parts: &[Part], aim: Aim, run: Run<'_>) -> Result<Vec<[Count; 2]>, Outcome> {
        let allowance = Allowance::new(run.job);
        let share = 1.0 / parts.len().max(1) as f64;
        let bytes = run.job.bytes.unwrap_or(Memory::MOST);
        let conditions = Conditions { allowance: &allowance, bytes, parallel: run.parallel, share };
        let mut sums = machine::nothing(run.max_length);
        for Part { rows, fixed, class, order } in parts {
            let Aim { paths, cycles } = aim;
            let stride = if paths && fixed.is_empty() { 1 } else { plan::stride(rows) };
            let (rows, fixed) = (rows.clone(), fixed.clone());
            let task = Task { rows, fixed, paths, cycles, longest: run.max_length, stride };
            machine::add(&mut sums, &machine::run(&task, order, class, conditions)?);
        }
        if parts.is_empty() {
            allowance.advance(1.0);
        }
        // Whoever was late hears of it even where there was nothing to do.
        drop(allowance.meter());
        match allowance.outcome() {
            Outcome::Complete => {
                let [paths, cycles] = sums;
                Ok((0..=run.max_length).map(|length| [paths.count(length), cycles.count(length)]).collect())
            }
            stopped => Err(stopped),
        }
    }

    /// Paths between two vertices by length, with the neighbours of each vertex.
    fn pair(rows: &[Vec<u32>], ends: [usize; 2], run: Run<'_>) -> Result<Vec<Count>, Outcome> {
        let parts = Self::between_part(rows, ends, run.max_length)?;
        let aim = Aim { paths: true, cycles: false };
        Ok(Self::distinct(&parts, aim, run)?.into_iter().map(|[paths, _]| paths).collect())
    }

    /// The part between two vertices, if anything is.
    fn between_part(rows: &[Vec<u32>], ends: [usize; 2], longest: usize) -> Result<Vec<Part>, Outcome> {
        match blocks::between(rows, ends.map(|end| end as u32), longest) {
            None => Ok(Vec::new()),
            Some((rows, ends)) => Ok(vec![Part::new(rows, ends.to_vec()).ok_or(Outcome::Memory)?]),
        }
    }
}

impl Method for Frontier<'_> {
    fn bounds(&self, question: Question, longest: usize, limits: &Limits) -> Bounds {
        if limits.steps.is_some() {
            // Nobody knows, and what a budget allows must not depend on guesses.
            return Bounds::Steps(
                (0..=longest).map(|length| if length < 2 { 0.0 } else { f64::INFINITY }).collect(),
            );
        }
        let most = TRANSITIONS * self.expected(question, longest);
        if most < 1e6 {
            return Bounds::Small(most);
        }
        let root = if let Question::Between(source, _) = question { Some(source) } else { None };
        let walks = walks::by_length(self.graph, longest, root);
        Bounds::Steps(walks.into_iter().map(|steps| steps.min(most)).collect())
    }

    fn total(&self, subject: Subject, run: Run<'_>) -> Result<Rooted, Outcome> {
        let parts = self.parts().ok_or(Outcome::Memory)?;
        let aim = Aim { paths: subject.has_paths(), cycles: subject.has_cycles() };
        let distinct = Self::distinct(parts, aim, run)?;
        let rooted = |(length, [paths, cycles]): (u64, &[Count; 2])| [paths * 2, cycles * (2 * length)];
        Ok((0..).zip(&distinct).map(rooted).collect())
    }

    fn by_vertex(&self, run: Run<'_>) -> Result<Vec<Rooted>, Outcome> {
        Ok(of_vertices(self.graph, &self.by_pair(run)?, run.max_length))
    }

    fn by_pair(&self, run: Run<'_>) -> Result<PairRows, Outcome> {
        let order = self.graph.order();
        let neighbours = self.rows();
        let mut rows: PairRows = vec![Vec::new(); order];
        let share = 1.0 / (order * order.saturating_sub(1) / 2).max(1) as f64;
        for (u, v) in (0..order).flat_map(|v| (0..v).map(move |u| (u, v))) {
            let paths = Self::pair(&neighbours, [u, v], run.share(share))?;
            let numbers = paths[1..].iter().map(Count::to_u128).collect::<Option<Vec<_>>>();
            let paths = numbers.ok_or(Outcome::Memory)?;
            if paths.iter().any(|&paths| paths > 0) {
                rows[u].push((v as u32, paths.clone()));
                rows[v].push((u as u32, paths));
            }
        }
        rows.iter_mut().for_each(|row| row.sort_unstable_by_key(|&(v, _)| v));
        if order < 2 {
            run.job.monitor.advance(run.job.share);
        }
        Ok(rows)
    }

    fn between(&self, source: usize, target: usize, run: Run<'_>) -> Result<Vec<Count>, Outcome> {
        Self::pair(&self.rows(), [source, target], run)
    }

    fn weighted(&self, _: Subject, _: Weight<'_, f64>, _: Run<'_>) -> Result<Rooted<f64>, Outcome> {
        Err(Outcome::Undecided)
    }

    fn signed(&self, _: Subject, _: Weight<'_, i128>, _: Run<'_>) -> Result<Rooted<i128>, Outcome> {
        Err(Outcome::Undecided)
    }
}

//! Engine `frontier`: long paths in graphs that are nowhere wide, such as grids and road networks.
//!
//! Vertices are eliminated one after the other. Of everything that was decided so far, only what the vertices of the *frontier* have to do with
//! it matters: whether each is untouched, done, or the end of a piece, and of which. Pieces of paths and cycles that agree in that are one state,
//! and are counted and not listed. What it takes grows with the number of states, which depends on how wide the frontier becomes, and not with the number of paths.
//!
//! What the pieces of a state amount to is a number for each length, or an element of a commutative ring ([`amounts`]): all that is done to numbers is that multiples of some are added
//! to others, and a multiple may as well be a weight. Then a path weighs the product of its edges' weights and of its inner vertices' weights ([`weights`]), which is how [`labels`] are told
//! apart. Vertices with the same neighbours are twins only where they also weigh the same.
//!
//! [`order`] finds an order with small frontiers, [`plan`] what is known of each step, [`state`] has the states, [`bound`] drops those that cannot
//! become short enough paths, [`table`] keeps the others, which [`batch`] hands in, [`machine`] takes them from step to step, [`numbers`] are what they count, and [`blocks`](super::blocks) cuts the graph
//! into parts that are counted one by one.

mod amounts;
mod batch;
mod bound;
mod labels;
mod machine;
mod numbers;
mod order;
mod plan;
mod state;
mod table;
mod weights;

use std::borrow::Cow;
use std::sync::OnceLock;

use num_bigint::BigInt;

use super::Subject;
use super::blocks;
use super::engine::{Bounds, Method, PairRows, Question, Rooted, Run, Weight, of_vertices};
use super::limits::{Allowance, Limits, Memory, Outcome};
use super::number::Count;
use super::ring::{Ring, integer};
use super::walks::{self, Width};
use crate::Graph;
use crate::graph::Arc;
use amounts::Elements;
use machine::{Conditions, Found};
pub(super) use order::CHEAP;
use order::Order;
use plan::Task;
use weights::{Alike, Weighed, Weights};

/// The most vertices of a part: an order for more would take too long to find.
const MOST_VERTICES: usize = 50_000;

/// About how many transitions a state has.
const TRANSITIONS: f64 = 10.0;

/// The engine at work on a graph without directions.
pub(crate) struct Frontier<'a> {
    graph: &'a Graph,
    subject: Subject,
    /// What totals are counted by.
    parts: OnceLock<Option<Vec<Part>>>,
}

/// A part of the graph, and the order in which its vertices are eliminated.
#[derive(Clone)]
struct Part {
    /// What its vertices are in the graph; nothing where nobody asks.
    vertices: Vec<u32>,
    rows: Vec<Vec<u32>>,
    fixed: Vec<u32>,
    class: Vec<u32>,
    order: Order,
}

impl Part {
    fn new(vertices: Vec<u32>, rows: Vec<Vec<u32>>, fixed: Vec<u32>) -> Option<Self> {
        if rows.len() > MOST_VERTICES {
            return None;
        }
        let class = order::twins(&rows, &fixed);
        let order = order::best(&rows, &fixed, &class)?;
        Some(Self { vertices, rows, fixed, class, order })
    }

    /// With twins told apart that are not alike; nothing if a frontier is too wide then.
    fn told_apart(&self, is_alike: impl Fn(u32, u32) -> bool) -> Option<Cow<'_, Self>> {
        let class = order::told_apart(&self.class, is_alike);
        if class == self.class {
            return Some(Cow::Borrowed(self));
        }
        let order = order::best(&self.rows, &self.fixed, &class)?;
        Some(Cow::Owned(Self { class, order, ..self.clone() }))
    }

    /// For each vertex, its neighbours, ascending, with what `weight` says of two vertices of the graph.
    fn edges<R>(&self, weight: impl Fn(usize, usize) -> R) -> Vec<Vec<(u32, R)>> {
        let row = |(&v, row): (&u32, &Vec<u32>)| {
            let edge = |&w: &u32| (w, weight(v as usize, self.vertices[w as usize] as usize));
            let mut edges: Vec<_> = row.iter().map(edge).collect();
            edges.sort_unstable_by_key(|&(w, _)| w);
            edges
        };
        self.vertices.iter().zip(&self.rows).map(row).collect()
    }
}

/// What is counted in a part.
#[derive(Clone, Copy)]
struct Aim {
    paths: bool,
    cycles: bool,
}

impl Aim {
    fn of(subject: Subject) -> Self {
        Self { paths: subject.has_paths(), cycles: subject.has_cycles() }
    }
}

impl<'a> Frontier<'a> {
    pub(crate) fn new(graph: &'a Graph, subject: Subject) -> Self {
        Self { graph, subject, parts: OnceLock::new() }
    }

    /// The neighbours of each vertex, without itself.
    fn rows(&self) -> Vec<Vec<u32>> {
        let row = |v: usize| self.graph.neighbours(v).iter().copied().filter(|&w| w as usize != v).collect();
        (0..self.graph.order()).map(row).collect()
    }

    /// The parts of the graph inside which all paths are, or all cycles: their vertices, and the neighbours of those.
    fn pieces(&self, subject: Subject) -> Vec<(Vec<u32>, Vec<Vec<u32>>)> {
        let rows = self.rows();
        let (parts, fewest) = match subject {
            Subject::Cycles => (blocks::blocks(&rows), 3),
            _ => (blocks::components(&rows), 2),
        };
        let mut cutter = blocks::Cutter::new(rows.len());
        let of_part = |part: Vec<u32>| {
            let rows = cutter.induced(|v| &rows[v], &part);
            (part, rows)
        };
        parts.into_iter().filter(|part| part.len() >= fewest).map(of_part).collect()
    }

    /// The parts for totals, or nothing if a frontier is too wide.
    fn parts(&self) -> Option<&[Part]> {
        let find = || {
            let part = |(vertices, rows)| Part::new(vertices, rows, Vec::new());
            self.pieces(self.subject).into_iter().map(part).collect()
        };
        self.parts.get_or_init(find).as_deref()
    }

    /// About how many states there are, from orders that take little time to find; infinite if a frontier is too wide.
    pub(super) fn expected(&self, question: Question, longest: usize) -> f64 {
        let cost = |rows: &[Vec<u32>], fixed: &[u32]| {
            if rows.len() > MOST_VERTICES {
                return f64::INFINITY;
            }
            let class = match question {
                // Nobody knows yet which of them weigh the same.
                Question::Weights => (0..rows.len() as u32).collect(),
                _ => order::twins(rows, fixed),
            };
            order::quick(rows, fixed, &class).map_or(f64::INFINITY, |order| order.cost)
        };
        match question {
            Question::Between(source, target) => {
                let ends = [source as u32, target as u32];
                blocks::between(&self.rows(), ends, longest).map_or(0.0, |(rows, ends)| cost(&rows, &ends))
            }
            _ => self.pieces(self.subject).iter().map(|(_, rows)| cost(rows, &[])).sum(),
        }
    }

    /// What paths and cycles amount to, each once, in one part after the other; all that is a share of what the allowance is for.
    fn found<W: Weights>(
        parts: &[(Cow<'_, Part>, W)],
        aim: Aim,
        run: Run<'_>,
        allowance: &Allowance<'_>,
        share: f64,
    ) -> Result<Found<W::Amounts>, Outcome> {
        let bytes = run.job.bytes.unwrap_or(Memory::MOST);
        let conditions =
            Conditions { allowance, bytes, parallel: run.parallel, share: share / parts.len().max(1) as f64 };
        let mut sums = machine::nothing(run.max_length);
        for (part, weights) in parts {
            let Aim { paths, cycles } = aim;
            let Part { rows, fixed, class, order, .. } = &**part;
            let stride = if paths && fixed.is_empty() { 1 } else { plan::stride(rows) };
            let (rows, fixed) = (rows.clone(), fixed.clone());
            let task = Task { rows, fixed, paths, cycles, longest: run.max_length, stride };
            machine::add(&mut sums, &machine::run(&task, weights, order, class, conditions)?);
        }
        if parts.is_empty() {
            allowance.advance(share);
        }
        // Whoever was late hears of it even where there was nothing to do.
        drop(allowance.meter());
        match allowance.outcome() {
            Outcome::Complete => Ok(sums),
            stopped => Err(stopped),
        }
    }

    /// Paths and cycles, each once.
    fn distinct(parts: &[Part], aim: Aim, run: Run<'_>) -> Result<Vec<[Count; 2]>, Outcome> {
        let parts: Vec<_> = parts.iter().map(|part| (Cow::Borrowed(part), Alike)).collect();
        let [paths, cycles] = Self::found(&parts, aim, run, &Allowance::new(run.job), 1.0)?;
        Ok((0..=run.max_length).map(|length| [paths.count(length), cycles.count(length)]).collect())
    }

    /// What paths and cycles weigh, each once: the product of the weights of their edges, which are the same both ways.
    fn weighed<R: Ring>(
        &self,
        subject: Subject,
        weight: impl Fn(Arc) -> R,
        run: Run<'_>,
    ) -> Result<Rooted<R>, Outcome> {
        let weight = |u, v| weight(self.graph.arc(u, v).expect("a row has the ends of arcs"));
        let mut parts = Vec::new();
        for part in self.parts().ok_or(Outcome::Memory)? {
            let order = part.rows.len();
            let (edges, inner, may_end) = (part.edges(weight), vec![R::one(); order], vec![true; order]);
            let weights = Weighed { edges, inner, may_end };
            let part = part.told_apart(|u, v| weights.is_alike(u, v)).ok_or(Outcome::Memory)?;
            parts.push((part, weights));
        }
        let allowance = Allowance::new(run.job);
        let found = Self::found(&parts, Aim::of(subject), run, &allowance, 1.0)?;
        let [paths, cycles] = found.map(Elements::into_vec);
        Ok(paths.into_iter().zip(cycles).map(Into::into).collect())
    }

    /// Paths between two vertices by length, with the neighbours of each vertex.
    fn pair(rows: &[Vec<u32>], ends: [usize; 2], run: Run<'_>) -> Result<Vec<Count>, Outcome> {
        let parts = Self::between_part(rows, ends, run.max_length)?;
        let distinct = Self::distinct(&parts, Aim::of(Subject::Paths), run)?;
        Ok(distinct.into_iter().map(|[paths, _]| paths).collect())
    }

    /// The part between two vertices, if anything is.
    fn between_part(rows: &[Vec<u32>], ends: [usize; 2], longest: usize) -> Result<Vec<Part>, Outcome> {
        match blocks::between(rows, ends.map(|end| end as u32), longest) {
            None => Ok(Vec::new()),
            Some((rows, ends)) => {
                Ok(vec![Part::new(Vec::new(), rows, ends.to_vec()).ok_or(Outcome::Memory)?])
            }
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
        let distinct = Self::distinct(parts, Aim::of(subject), run)?;
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

    fn weighted(
        &self,
        subject: Subject,
        weight: Weight<'_, f64>,
        run: Run<'_>,
    ) -> Result<Rooted<f64>, Outcome> {
        // Sums of reals depend on their order, and that must not depend on the threads.
        let weighed = self.weighed(subject, weight, Run { parallel: false, ..run })?;
        let rooted =
            |(length, [paths, cycles]): (i32, [f64; 2])| [2.0 * paths, 2.0 * f64::from(length) * cycles];
        Ok((0..).zip(weighed).map(rooted).collect())
    }

    fn signed(
        &self,
        subject: Subject,
        sign: Weight<'_, i128>,
        run: Run<'_>,
    ) -> Result<Rooted<BigInt>, Outcome> {
        fn rooted<R: Ring + Into<BigInt>>(
            frontier: &Frontier<'_>,
            subject: Subject,
            sign: Weight<'_, i128>,
            run: Run<'_>,
        ) -> Result<Rooted<BigInt>, Outcome> {
            let signs = [integer::<R>(1), integer::<R>(-1)];
            let sums = frontier.weighed(subject, |arc| signs[usize::from(sign(arc) < 0)].clone(), run)?;
            let rooted = |(length, sums): (u64, [R; 2])| {
                let [paths, cycles]: [BigInt; 2] = sums.map(Into::into);
                [paths * 2, cycles * 2 * length]
            };
            Ok((0..).zip(sums).map(rooted).collect())
        }
        match walks::width(self.graph, run.max_length) {
            Width::Narrow => rooted::<i64>(self, subject, sign, run),
            Width::Wide => rooted::<i128>(self, subject, sign, run),
            Width::Any => rooted::<BigInt>(self, subject, sign, run),
        }
    }
}

//! Cycles, and paths between two vertices, where they can be: in parts of the graph.
//!
//! A cycle stays in one block, and a path between two vertices in what lies between them, near enough. Each part is walked by itself, by [`chains`](super::chains)
//! where it has many.

use std::borrow::Cow;
use std::sync::atomic::Ordering::Relaxed;

use super::chains::Finder;
use super::{DepthFirst, Goal};
use crate::Graph;
use crate::count::blocks::{self, Cutter};
use crate::count::engine::{Rooted, Run};
use crate::count::limits::{Job, Outcome};
use crate::count::number::Count;
use crate::count::tally::Totals;

impl DepthFirst<'_> {
    /// Rooted cycles of an undirected graph, block by block.
    pub(super) fn cycles_in_blocks(&self, run: Run<'_>) -> Result<Rooted, Outcome> {
        let (graph, order) = (self.graph, self.graph.order());
        let row = |v: usize| graph.neighbours(v);
        let (mut finder, mut others) = (Finder::new(order, row), Vec::new());
        blocks::each_block(order, row, |block| {
            if block.len() > 2 && finder.take(block, []).is_none() {
                // In the order of the graph, which may be a good one to begin from.
                let mut block = block.to_vec();
                block.sort_unstable();
                others.push(block);
            }
        });
        let run = run.share(1.0 / (others.len() + 1) as f64);
        let mut cycles = finder.finish().cycles(run)?;
        cycles.iter_mut().for_each(|sum| *sum *= 2);
        let mut cutter = Cutter::new(order);
        for block in others {
            let part = if block.len() == order {
                Cow::Borrowed(graph)
            } else {
                Cow::Owned(from_rows(&cutter.induced(row, &block)))
            };
            let walk = DepthFirst::new(&part).walk(Goal::Back, rest(run));
            let found = walk.total(|| Totals::up_to(run.max_length), Totals::merge)?;
            let found = found.rooted(|_, [_, cycles]| cycles);
            cycles.iter_mut().zip(found).for_each(|(sum, more)| *sum += more);
        }
        let rooted = |(length, cycles): (u128, u128)| [Count::ZERO, Count::from(cycles * length)];
        Ok((0..).zip(cycles).map(rooted).collect())
    }

    /// Paths between two vertices of an undirected graph, by length.
    pub(super) fn paths_in_between(&self, ends: [usize; 2], run: Run<'_>) -> Result<Vec<Count>, Outcome> {
        let rows: Vec<Vec<u32>> = (0..self.graph.order())
            .map(|v| self.graph.neighbours(v).iter().copied().filter(|&w| w as usize != v).collect())
            .collect();
        let ends = ends.map(|end| end as u32);
        let Some((rows, ends)) = blocks::between(&rows, ends, run.max_length) else {
            run.job.monitor.advance(run.job.share);
            return Ok(vec![Count::ZERO; run.max_length + 1]);
        };
        let mut finder = Finder::new(rows.len(), |v| &rows[v][..]);
        let part: Vec<u32> = (0..rows.len() as u32).collect();
        if let Some(ends) = finder.take(&part, ends) {
            let sums = finder.finish().between(ends, run)?;
            return Ok(sums.into_iter().map(Count::from).collect());
        }
        let part = if rows.len() == self.graph.order() {
            Cow::Borrowed(self.graph)
        } else {
            Cow::Owned(from_rows(&rows))
        };
        let [source, target] = ends.map(|end| end as usize);
        DepthFirst::new(&part).paths_between(source, target, run)
    }
}

/// What is left of a run of which parts were done.
fn rest(run: Run<'_>) -> Run<'_> {
    let taken = run.job.taken.map_or(0, |taken| taken.load(Relaxed));
    let steps = run.job.steps.map(|steps| steps.saturating_sub(taken));
    Run { job: Job { steps, ..run.job }, ..run }
}

/// A graph by the neighbours of each vertex.
fn from_rows(rows: &[Vec<u32>]) -> Graph {
    let edges = rows.iter().enumerate().flat_map(|(v, row)| row.iter().map(move |&w| (v, w as usize)));
    Graph::from_edges(rows.len(), edges.filter(|(v, w)| v < w)).expect("neighbours are vertices")
}

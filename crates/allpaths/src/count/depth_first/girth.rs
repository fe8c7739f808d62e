//! Totals where no cycle is much shorter than the longest path.
//!
//! A walk that never turns straight back is a path unless it goes round a cycle, so up to the *girth*, the length `g` of the shortest cycle, there is little to
//! tell them apart. Walks are counted by adding up rows, without walking; of those of length `g` the cycles are no paths, and of those of length `g + 1` the cycles, and
//!
//! ```text
//! o---o           round a cycle of length g, from any of its vertices v either way, and one step before or after
//! |   |           that, to any of the deg(v) - 1 neighbours that do not turn back: 2 (deg(v) - 1) walks, of which
//! o---v---x       the one that is on the cycle before and after is counted twice.
//! ```
//!
//! Molecules have rings of five or six, and trees have none: so this is how paths to length 6 are counted in most molecules, and to any length in trees.

use super::parts;
use crate::Graph;
use crate::count::engine::{Rooted, Run};
use crate::count::limits::Outcome;
use crate::count::number::Count;
use crate::count::walks;

/// Rooted paths and cycles of an undirected graph; nothing if a cycle is too short, if there are so many that looking for short ones would not pay, or if there is a budget: that
/// buys steps of a walk.
pub(super) fn totals(graph: &Graph, run: Run<'_>) -> Option<Result<Rooted, Outcome>> {
    let (order, longest) = (graph.order(), run.max_length);
    let are_many = graph.size() > order + order / 4;
    if longest < 3 || are_many || graph.loops() > 0 || run.job.steps.is_some() {
        return None;
    }
    let steps = walks::by_length(graph, longest + 1, None);
    if steps[longest + 1] > EXACT {
        return None;
    }
    let (chains, _) = parts::chains_of_blocks(graph, 1.0);
    let cycles = match chains.cycles(run) {
        Ok(cycles) => cycles,
        Err(outcome) => return Some(Err(outcome)),
    };
    let girth = cycles.iter().position(|sum| sum.number > 0).unwrap_or(usize::MAX);
    if longest > girth.saturating_add(1) {
        return None;
    }
    let rooted = |length: usize| {
        let closed = 2 * length as u128 * cycles[length].number;
        let around = match cycles.get(girth) {
            Some(shortest) if length == girth + 1 => {
                2 * (2 * shortest.degrees - 3 * girth as u128 * shortest.number)
            }
            _ => 0,
        };
        // An edge to and fro is no walk of these.
        #[allow(clippy::cast_sign_loss)] // sums grow
        let walks = (steps[length + 1] - steps[length]) as u128;
        [walks - closed - around, closed].map(Count::from)
    };
    Some(Ok((0..=longest).map(rooted).collect()))
}

/// Integers below this are exact as doubles, with room for what is added before as much is taken away.
const EXACT: f64 = 2e15;

//! A plan at work on a graph: sums as a whole, for each vertex, and for each pair.

use std::sync::Arc as Shared;

use super::evaluate::{self, Evaluator, Values, added};
use super::pattern::Kind;
use super::plan::{Plan, Term};
use super::slot;
use super::support::Support;
use crate::count::limits::{Allowance, Outcome};
use crate::count::ring::{Ring, integer, product};
use crate::threads;

/// What all terms sum to, by slot: as a whole, and for each vertex.
#[derive(Debug, PartialEq)]
pub(super) struct Answer<R> {
    sums: Vec<R>,
    vectors: Vec<Vec<R>>,
}

impl<R: Ring> Answer<R> {
    fn new(plan: &Plan, order: usize) -> Self {
        let held = plan.held.iter().flat_map(|held| &held.terms);
        let terms = || plan.terms.iter().chain(held.clone());
        let slots = terms().map(|term| term.slot + 1).max().unwrap_or(0);
        let has_vectors = terms().any(|term| term.row.is_none() && (term.vector.is_some() || term.at_fixed));
        let entries = if has_vectors { order } else { 0 };
        Self { sums: vec![R::zero(); slots], vectors: vec![vec![R::zero(); entries]; slots] }
    }

    /// Adds the terms of a plan; of one with a vertex held fixed, that and what it contributes itself.
    fn add(&mut self, plan: &Plan, values: &Values<R>, held: Option<(usize, &Values<R>)>) {
        for term in plan.terms.iter().filter(|term| term.row.is_none()) {
            let scalar = scalar(term, values, held);
            match (term.vector, held) {
                (Some(vector), _) => {
                    let entries = self.vectors[term.slot].iter_mut().zip(values.of(vector));
                    entries.for_each(|(sum, entry)| sum.add_product(&scalar, entry));
                }
                (None, Some((vertex, _))) if term.at_fixed => self.vectors[term.slot][vertex].add(&scalar),
                _ => self.sums[term.slot].add(&scalar),
            }
        }
    }

    fn merge(&mut self, other: &Self) {
        let mine = self.sums.iter_mut().chain(self.vectors.iter_mut().flatten());
        mine.zip(other.sums.iter().chain(other.vectors.iter().flatten()))
            .for_each(|(mine, theirs)| mine.add(theirs));
    }

    pub(super) fn sum(&self, length: usize, kind: Kind) -> R {
        self.sums.get(slot(length, kind, 0)).cloned().unwrap_or_else(R::zero)
    }

    pub(super) fn at(&self, length: usize, kind: Kind, end: u8, vertex: usize) -> R {
        let vector = self.vectors.get(slot(length, kind, end));
        vector.and_then(|vector| vector.get(vertex)).cloned().unwrap_or_else(R::zero)
    }
}

/// What is the same for all vertices of a term.
fn scalar<R: Ring>(term: &Term, values: &Values<R>, held: Option<(usize, &Values<R>)>) -> R {
    let sums = term.sums.iter().map(|&id| added(values.of(id).iter()));
    let fixed = term.fixed.and_then(|id| held.map(|(vertex, outer)| outer.of(id)[vertex].clone()));
    sums.chain(fixed).fold(integer(term.coefficient), |scalar, factor| product(&scalar, &factor))
}

/// Rows of numbers of paths, by length from 1 and last vertex, for some first vertices side by side.
pub(super) type PathRows<R> = Vec<Vec<evaluate::Lanes<R>>>;

/// A plan at work.
pub(super) struct Labour<'a, R> {
    pub(super) plan: Shared<Plan>,
    pub(super) evaluator: Evaluator<'a, R>,
}

impl<'a, R: Ring> Labour<'a, R> {
    pub(super) fn new(
        plan: Shared<Plan>,
        support: &'a Support<R>,
        allowance: &'a Allowance<'a>,
        parallel: bool,
    ) -> Self {
        let passes = plan.stages.iter().filter(|stage| !stage.pinned.sums.is_empty()).count();
        let passes = passes + usize::from(!plan.ends.rows.is_empty()) + usize::from(plan.held.is_some());
        let share = if plan.held.is_some() { 0.0 } else { 1.0 / passes.max(1) as f64 };
        Self { plan, evaluator: Evaluator { support, allowance, parallel, share } }
    }

    /// The vectors of the plan, and what all terms without rows sum to.
    pub(super) fn answer(&self) -> Result<(Values<R>, Answer<R>), Outcome> {
        const TOGETHER: usize = 4;
        let (plan, order) = (&self.plan, self.evaluator.support.order());
        let values = self.evaluator.values(plan, None)?;
        let mut answer = Answer::new(plan, order);
        answer.add(plan, &values, None);
        if let Some(held) = plan.held.as_ref().filter(|held| held.terms.iter().any(|term| term.row.is_none()))
        {
            let inner = self.alone();
            let some = |group: usize| -> Result<Answer<R>, Outcome> {
                let mut answer = Answer::new(plan, order);
                for vertex in group * TOGETHER..order.min((group + 1) * TOGETHER) {
                    answer.add(held, &inner.values(held, Some(vertex))?, Some((vertex, &values)));
                    self.evaluator.allowance.advance(1.0 / order as f64);
                }
                Ok(answer)
            };
            let groups = order.div_ceil(TOGETHER);
            for part in threads::map(self.evaluator.parallel, 0..groups, some) {
                answer.merge(&part?);
            }
        }
        Ok((values, answer))
    }

    /// The same evaluator on this thread alone.
    fn alone(&self) -> Evaluator<'_, R> {
        let Evaluator { support, allowance, .. } = self.evaluator;
        Evaluator { support, allowance, parallel: false, share: 0.0 }
    }

    /// Gives what `take` makes of the rows of all vertices, some at a time, of the first of these vertices, and of how many they are.
    pub(super) fn rows<T: Send>(
        &self,
        values: &Values<R>,
        take: impl Fn(&PathRows<R>, usize, usize) -> T + Sync,
    ) -> Result<Vec<T>, Outcome> {
        let (plan, evaluator) = (&self.plan, &self.evaluator);
        let batches = evaluator.pinning(&plan.nodes, values, &plan.ends, |rows, first, pins| {
            Ok(take(&self.path_rows(values, rows, first, pins)?, first, pins))
        })?;
        batches.into_iter().collect()
    }

    /// The rows of some vertices.
    pub(super) fn path_rows(
        &self,
        values: &Values<R>,
        rows: &mut evaluate::Rows<R>,
        first: usize,
        pins: usize,
    ) -> Result<PathRows<R>, Outcome> {
        let (plan, order) = (&self.plan, self.evaluator.support.order());
        let held = plan.held.iter().flat_map(|held| &held.terms);
        let longest =
            plan.terms.iter().chain(held).filter(|term| term.row.is_some()).map(|term| term.slot / 2).max();
        let zeros = std::array::from_fn(|_| R::zero());
        let mut sums: PathRows<R> = vec![vec![zeros; order]; longest.unwrap_or(0)];
        for term in &plan.terms {
            let Some(row) = term.row else { continue };
            let coefficient: R = integer(term.coefficient);
            for (sums, entries) in sums[term.slot / 2 - 1].iter_mut().zip(rows.of_term(plan, row)) {
                sums.iter_mut().zip(entries).for_each(|(sum, entry)| sum.add_product(&coefficient, entry));
            }
        }
        if let Some(held) = &plan.held {
            let inner = self.alone();
            for lane in 0..pins {
                let outer = Some((first + lane, values));
                let values = inner.values(held, Some(first + lane))?;
                for term in &held.terms {
                    let Some(row) = term.row else { continue };
                    let scalar = scalar(term, &values, outer);
                    let sums = sums[term.slot / 2 - 1].iter_mut().zip(values.of(row));
                    sums.for_each(|(sums, entry)| sums[lane].add_product(&scalar, entry));
                }
                self.evaluator.allowance.advance(1.0 / order as f64);
            }
        }
        Ok(sums)
    }
}

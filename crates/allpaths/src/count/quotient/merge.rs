//! The terms of a sum as one expression: what several have in common at their end is done once, as in Horner's rule.
//!
//! Matrices are linear, so `f A v + f A w` is `f A (v + w)`: one product with a matrix for two. The same goes on inside, where `v` and `w` may end alike
//! again. What is needed elsewhere stays as it is: without it, sums of different lengths have more in common.

use super::plan::{Entry, Id, Node, Nodes, Sort, Term};

/// A product of expressions, times a number, and for rows times an entry at the pinned vertex.
struct Summand {
    coefficient: i64,
    pin: Option<Id>,
    factors: Vec<Id>,
}

/// What summands that are alike have in common: all factors but one, and the matrix that this one is a product with.
#[derive(PartialEq)]
struct Frame {
    others: Vec<Id>,
    matrix: Id,
    sort: Sort,
}

/// Merges the terms of each slot that are vectors or rows.
pub(super) fn merged(nodes: &mut Nodes, terms: &[Term]) -> Vec<Term> {
    let once = Merging { nodes, kept: Vec::new() }.terms(terms);
    nodes.need_only(&once);
    // Now it is known what is needed elsewhere.
    let kept = nodes.are_needed().to_vec();
    let twice = Merging { nodes, kept }.terms(terms);
    nodes.need_only(&twice);
    twice
}

struct Merging<'a> {
    nodes: &'a mut Nodes,
    /// By node: whether it is needed elsewhere.
    kept: Vec<bool>,
}

impl Merging<'_> {
    fn terms(&mut self, terms: &[Term]) -> Vec<Term> {
        let (mut mergeable, others): (Vec<&Term>, Vec<&Term>) =
            terms.iter().partition(|term| term.sums.is_empty());
        mergeable.sort_by_key(|term| term.slot);
        let mut merged: Vec<Term> = others.into_iter().cloned().collect();
        for slot in mergeable.chunk_by(|a, b| a.slot == b.slot) {
            let summand = |term: &&Term| {
                let (pin, id) = term.row.map_or((None, term.vector), |row| (term.vector, Some(row)));
                let id = id.expect("what is not summed up is a vector or a row");
                self.summand(term.coefficient, pin, id)
            };
            let summands = slot.iter().map(summand).collect();
            let (sign, id) = self.sum(summands);
            let (row, vector) = if slot[0].row.is_some() { (Some(id), None) } else { (None, Some(id)) };
            merged.push(Term { vector, row, ..Term::new(slot[0].slot, sign) });
        }
        merged
    }

    fn summand(&self, coefficient: i64, pin: Option<Id>, id: Id) -> Summand {
        Summand { coefficient, pin, factors: self.nodes.factors(&id).to_vec() }
    }

    /// The sum of some products, as a sign and an expression.
    fn sum(&mut self, mut summands: Vec<Summand>) -> (i64, Id) {
        while let Some((Frame { mut others, matrix, sort }, members)) = self.largest(&summands) {
            let mut inner = Vec::new();
            for &(member, factor) in members.iter().rev() {
                let Summand { coefficient, pin, factors } = summands.remove(member);
                let (id, _) = self.product(factors[factor]).expect("it was found as one");
                inner.push(self.summand(coefficient, pin, id));
            }
            let (coefficient, inner) = self.sum(inner);
            others.push(match sort {
                Sort::Row => self.nodes.onward(inner, matrix),
                _ => self.nodes.apply(matrix, Some(inner)),
            });
            summands.push(Summand { coefficient, pin: None, factors: others });
        }
        let entry =
            |Summand { coefficient, pin, factors }| Entry { id: self.nodes.times(factors), pin, coefficient };
        let mut entries: Vec<Entry> = summands.into_iter().map(entry).collect();
        entries.sort_unstable();
        // What differs in its sign alone is one expression.
        let sign = entries[0].coefficient.signum();
        entries.iter_mut().for_each(|entry| entry.coefficient *= sign);
        (sign, self.nodes.linear(entries))
    }

    /// What is multiplied by a matrix to make a node, and the matrix.
    fn product(&self, id: Id) -> Option<(Id, Id)> {
        match *self.nodes.get(id) {
            Node::Apply(matrix, Some(vector)) => Some((vector, matrix)),
            Node::Onward(row, matrix) => Some((row, matrix)),
            _ => None,
        }
    }

    /// The largest set of summands that are alike, if there are two: what they have in common, and the places of summands and of their factors.
    fn largest(&self, summands: &[Summand]) -> Option<(Frame, Vec<(usize, usize)>)> {
        let mut sets: Vec<(Frame, Vec<(usize, usize)>)> = Vec::new();
        for (place, summand) in summands.iter().enumerate() {
            for (factor, &id) in summand.factors.iter().enumerate() {
                let Some((_, matrix)) = self.product(id) else { continue };
                if self.kept.get(id as usize).is_some_and(|&kept| kept) {
                    continue;
                }
                let mut others = summand.factors.clone();
                others.remove(factor);
                let frame = Frame { others, matrix, sort: self.nodes.sort(id) };
                match sets.iter_mut().find(|(other, _)| *other == frame) {
                    // A square has the same factor twice.
                    Some((_, members)) if members.last().is_some_and(|&(last, _)| last == place) => {}
                    Some((_, members)) => members.push((place, factor)),
                    None => sets.push((frame, vec![(place, factor)])),
                }
            }
        }
        let most = sets.iter().map(|(_, members)| members.len()).max().filter(|&most| most > 1)?;
        sets.into_iter().find(|(_, members)| members.len() == most)
    }
}

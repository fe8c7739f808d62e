//! Paths and cycles by the labels of their ends, with what their other vertices weigh.
//!
//! A vertex weighs something where it is inside a path, and the ends are restricted: a run for each label counts the paths with both ends there, and one for each pair of labels
//! those with their ends in either, so that the difference has one end in each. A cycle has no ends. It is read from each of its vertices, and sums of products in which one factor is
//! left out are what the derivative of a product is.

use std::borrow::Cow;

use super::weights::Weighed;
use super::{Aim, Frontier, Part};
use crate::Graph;
use crate::count::Subject;
use crate::count::engine::{Method, Rooted, Run};
use crate::count::limits::{Allowance, Job, Outcome};
use crate::count::number::Count;
use crate::count::ring::{Dual, Ring, integer, product};

impl Frontier<'_> {
    /// All rooted paths and cycles up to each length from 0 to `max_length`.
    ///
    /// # Errors
    ///
    /// With the outcome, when it was stopped before the end.
    pub(crate) fn all(&self, max_length: usize, job: Job<'_>) -> Result<Vec<Count>, Outcome> {
        let run = Run { max_length, job, parts: 1, parallel: false };
        let rooted = self.total(self.subject, run)?;
        // Edges to and fro, and loops.
        let mut all = Count::from(2 * self.graph.size() as u64);
        let up_to = |of_length: &[Count; 2]| {
            of_length.iter().for_each(|count| all += count);
            all.clone()
        };
        Ok(rooted.iter().map(up_to).collect())
    }

    /// Sums what paths and cycles weigh, by length, and by the classes of their first and last vertices, as [`Quotient::by_ends`] does. A vertex inside a path weighs what
    /// `weights` has for its class, a cycle all its vertices but the first. Loops are left out.
    ///
    /// # Errors
    ///
    /// With the outcome, when it was stopped before the end.
    ///
    /// [`Quotient::by_ends`]: super::quotient::Quotient::by_ends
    pub(crate) fn by_ends<R: Ring>(
        graph: &Graph,
        class: &[u32],
        weights: &[R],
        max_length: usize,
        job: Job<'_>,
    ) -> Result<Vec<Rooted<R>>, Outcome> {
        let (run, allowance) = (Run { max_length, job, parts: 1, parallel: false }, Allowance::new(job));
        let classes = weights.len();
        let share = 1.0 / (classes * (classes + 3) / 2).max(1) as f64;
        let mut sums = vec![vec![[R::zero(), R::zero()]; classes * classes]; max_length + 1];

        // Paths with both ends in one class, and those with their ends in two classes, which are among those with ends in either.
        let frontier = Frontier::new(graph, Subject::Paths);
        let parts = frontier.labelled(class)?;
        let ending = |ends: [usize; 2]| {
            let may_end = |class: usize| ends.contains(&class);
            let weigh = |class: usize| weights[class].clone();
            let parts: Vec<_> = parts.iter().map(|part| part.laden(class, weigh, may_end)).collect();
            let [paths, _] = Self::found(&parts, Aim::of(Subject::Paths), run, &allowance, share)?;
            Ok(paths.into_vec())
        };
        let alone = (0..classes).map(|class| ending([class; 2])).collect::<Result<Vec<_>, _>>()?;
        for first in 0..classes {
            for (sums, paths) in sums.iter_mut().zip(&alone[first]) {
                sums[first * classes + first][0] = product(paths, &integer(2));
            }
            for last in 0..first {
                let both = ending([first, last])?.into_iter().zip(alone[first].iter().zip(&alone[last]));
                for (sums, (mut paths, (one, other))) in sums.iter_mut().zip(both) {
                    paths.subtract(one);
                    paths.subtract(other);
                    sums[last * classes + first][0] = paths.clone();
                    sums[first * classes + last][0] = paths;
                }
            }
        }

        // A cycle begins at each of its vertices, which then does not weigh, and has two directions.
        let frontier = Frontier::new(graph, Subject::Cycles);
        let parts = frontier.labelled(class)?;
        for first in 0..classes {
            let weigh = |class: usize| Dual {
                whole: weights[class].clone(),
                changed: if class == first { R::one() } else { R::zero() },
            };
            let parts: Vec<_> = parts.iter().map(|part| part.laden(class, weigh, |_| false)).collect();
            let [_, cycles] = Self::found(&parts, Aim::of(Subject::Cycles), run, &allowance, share)?;
            for (sums, cycles) in sums.iter_mut().zip(cycles.into_vec()) {
                sums[first * classes + first][1] = product(&cycles.changed, &integer(2));
            }
        }
        // An edge to and fro.
        if let Some(sums) = sums.get_mut(2) {
            let arcs = (0..graph.order()).flat_map(|v| graph.arcs(v)).filter(|arc| arc.source != arc.target);
            for [first, inner] in arcs.map(|arc| [arc.source, arc.target].map(|v| class[v] as usize)) {
                sums[first * classes + first][1].add(&weights[inner]);
            }
        }
        Ok(sums)
    }

    /// The parts, with twins of different classes told apart.
    fn labelled(&self, class: &[u32]) -> Result<Vec<Cow<'_, Part>>, Outcome> {
        let mut parts = Vec::new();
        for part in self.parts().ok_or(Outcome::Memory)? {
            let class = |v: u32| class[part.vertices[v as usize] as usize];
            parts.push(part.told_apart(|u, v| class(u) == class(v)).ok_or(Outcome::Memory)?);
        }
        Ok(parts)
    }
}

impl Part {
    /// The part with what its vertices weigh inside a path, and whether paths may end there, both by their classes.
    fn laden<R: Ring>(
        &self,
        class: &[u32],
        weigh: impl Fn(usize) -> R,
        may_end: impl Fn(usize) -> bool,
    ) -> (Cow<'_, Self>, Weighed<R>) {
        let classes = || self.vertices.iter().map(|&v| class[v as usize] as usize);
        let edges = self.edges(|_, _| R::one());
        let weights = Weighed {
            edges,
            inner: classes().map(weigh).collect(),
            may_end: classes().map(may_end).collect(),
        };
        (Cow::Borrowed(self), weights)
    }
}

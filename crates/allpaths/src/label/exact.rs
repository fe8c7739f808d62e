//! Encoding `exact`: compositions as Giscard and Wilson find them, decoded from sums of real numbers.
//!
//! A label weighs a real number `s`, an arc what the vertex weighs that it leaves. What the sieve then sums up for two vertices is
//!
//! ```text
//! P_uv(l) = s_u * sum over multisets c of l - 1 labels of  m(c) * product over the labels i of s_i^c_i
//! ```
//!
//! with `m(c)` the number of paths that have just these labels between their ends. The weights are such that no integers but the right
//! ones can give that sum, and those are searched for; the same sieve counts the paths, so that their number is known.
//!
//! With doubles this works as long as there are few paths between two vertices. Every sum here comes with a bound on its error, so
//! that the right integers are never missed. Where others fit as well, or the search would take too long, the answer is that there is
//! none: [`Outcome::Undecided`]. [`composition`](super::composition) gives the same features without all this; the encoding is
//! here as the reference that it is in the paper.

use std::cmp::Reverse;
use std::iter;

use super::composition::{Alike, Multisets};
use super::{Booking, LabelMap, Labelling, Sink};
use crate::count::{Job, Outcome, Rounded, Sieve};
use crate::{Error, Graph, Result};

/// The most ways to spread labels over the inner vertices of a path that are searched.
const MOST_TERMS: usize = 1 << 10;

/// The most steps of a search for one sum: some milliseconds.
const MOST_STEPS: u32 = 1 << 20;

/// What the label of a code weighs if nobody says: `1, e, pi` as in the paper, then `e` to what the square roots of 2, 3, 5, ... have
/// behind the point.
///
/// No product of weights should be a sum of others, so those after the first must not satisfy any polynomial equation with integer
/// coefficients. By the theorem of Lindemann and Weierstrass, all but `pi` satisfy none; of `pi` and `e` together nobody knows.
fn weight(code: u32) -> f64 {
    let is_prime = |n: &u32| (2..*n).take_while(|d| d * d <= *n).all(|d| !n.is_multiple_of(d));
    match code.checked_sub(3) {
        None => [1.0, std::f64::consts::E, std::f64::consts::PI][code as usize],
        Some(place) => {
            let prime = (2..).filter(is_prime).nth(place as usize).expect("there are infinitely many");
            f64::from(prime).sqrt().fract().exp()
        }
    }
}

/// Checks what labels are to weigh, the commonest first. Whether no product is a sum of others is not: where one is, features are undecided.
///
/// # Errors
///
/// When a weight is no number that products of many of them can be made of, or is there twice.
pub(crate) fn check_weights(weights: &[f64]) -> Result<()> {
    // Products as long as the longest path stay far from where doubles end.
    const RANGE: std::ops::RangeInclusive<f64> = 1e-3..=1e3;
    let reason = match weights.iter().find(|weight| !RANGE.contains(weight)) {
        Some(weight) => format!("a label cannot weigh {weight}: codes are numbers from 0.001 to 1000"),
        None => match weights.iter().enumerate().find(|&(i, weight)| weights[..i].contains(weight)) {
            Some((_, weight)) => format!("two labels cannot both weigh {weight}: codes are all different"),
            None => return Ok(()),
        },
    };
    Err(Error::settings(reason))
}

/// What the sieve found for each pair of vertices. Scratch, to be used for graph after graph.
#[derive(Default)]
pub(crate) struct Sums {
    /// What labels weigh, by code, if somebody says so.
    weights: Vec<f64>,
    /// By length, then by ends.
    sums: Vec<Sum>,
    /// What each label weighs, and how many vertices have it.
    labels: Vec<(f64, usize)>,
}

/// The paths of a length from one vertex to another, or the cycles through one.
#[derive(Clone, Copy)]
struct Sum {
    length: usize,
    ends: Ends,
    /// How many there are.
    count: u64,
    /// What they weigh together.
    weight: Rounded,
}

/// The labels of the first and the last vertex.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Ends {
    labels: [u32; 2],
    closed: bool,
}

impl Sums {
    /// Labels weigh so much, the commonest first; what is usual if there is nothing.
    ///
    /// # Errors
    ///
    /// When there are more labels.
    pub(crate) fn new(weights: &[f64], map: &LabelMap) -> Result<Self> {
        // All labels that are not kept are one.
        let labels = map.kept().map_or(0, |kept| kept.len() + 1);
        match weights.len() {
            codes @ 1.. if codes < labels => Err(Error::settings(format!(
                "{labels} labels, all others as one among them, but {codes} codes: give as many, or tell fewer labels apart"
            ))),
            _ => Ok(Self { weights: weights.to_vec(), ..Self::default() }),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.sums.clear();
        self.labels.clear();
    }

    /// Sums up all paths and cycles to a length.
    pub(crate) fn sift(
        &mut self,
        graph: &Graph,
        labelling: &Labelling,
        max_length: usize,
        job: Job<'_>,
    ) -> Outcome {
        let sieve = Sieve::new(graph);
        // Doubles hold every number up to there.
        if sieve.most(max_length).is_none_or(|most| most > 1 << f64::MANTISSA_DIGITS) {
            return Outcome::Undecided;
        }
        let labels = labelling.vertices();
        self.labels.resize(labelling.len(), (0.0, 0));
        for (&label, code) in labels.iter().zip(labelling.codes()) {
            let (weight, times) = &mut self.labels[label as usize];
            *weight = self.weights.get(code as usize).copied().unwrap_or_else(|| self::weight(code));
            *times += 1;
        }
        let weight = |&label: &u32| (1i64, Rounded::exactly(self.labels[label as usize].0));
        let weights: Vec<_> = labels.iter().map(weight).collect();
        let found = match sieve.by_pair_weighing(&weights, max_length, job) {
            Ok(found) => found,
            Err(stopped) => return stopped,
        };
        let sum = |((u, v, length), (count, weight)): ((u32, u32, usize), (i64, Rounded))| {
            let ends = Ends { labels: [u, v].map(|end| labels[end as usize]), closed: u == v };
            Sum { length, ends, count: count.cast_unsigned(), weight }
        };
        self.sums.extend(found.into_iter().map(sum).filter(|sum| sum.count > 0));
        self.sums.sort_by_key(|sum| (sum.length, sum.ends));
        Outcome::Complete
    }

    /// Finds the compositions and hands them to a sink, length by length as far as there is one answer.
    pub(crate) fn decode(
        &self,
        labelling: &Labelling,
        booking: Booking,
        job: Job<'_>,
        multisets: &mut Multisets,
        sink: &mut impl Sink,
    ) -> Outcome {
        for sums in self.sums.chunk_by(|a, b| a.length == b.length) {
            let length = sums[0].length;
            let mut found = Vec::new();
            for sums in sums.chunk_by(|a, b| a.ends == b.ends) {
                let ends = sums[0].ends;
                let [paths, closed] = ends.count(1);
                if booking.shares(length, labelling.is_directed(), paths, closed) == (0, 0) {
                    continue;
                }
                match self.decoded(length, ends, sums, job) {
                    Ok(terms) => found.extend(terms.into_iter().map(|(inner, count)| (ends, inner, count))),
                    Err(stopped) => return stopped,
                }
            }
            for (ends, inner, count) in found {
                let edges = iter::repeat_n(0, length);
                let alike = Alike { ends: ends.labels, inner: inner.into_iter(), edges };
                multisets.give(labelling, booking, alike, ends.count(count), sink);
            }
        }
        Outcome::Complete
    }

    /// Of paths or cycles with the same ends: how many have which labels between.
    fn decoded(
        &self,
        length: usize,
        ends: Ends,
        sums: &[Sum],
        job: Job<'_>,
    ) -> Result<Vec<(Vec<u32>, u64)>, Outcome> {
        let terms = self.terms(length, ends).ok_or(Outcome::Undecided)?;
        let weights: Vec<Rounded> = terms.iter().map(|&(_, weight)| weight).collect();
        let mut counts = vec![0; terms.len()];
        for sum in sums {
            match job.stop() {
                Outcome::Complete => {}
                stopped => return Err(stopped),
            }
            let found = made_up(&weights, sum.count, sum.weight).ok_or(Outcome::Undecided)?;
            counts.iter_mut().zip(found).for_each(|(count, more)| *count += more);
        }
        let found = terms.into_iter().map(|(inner, _)| inner).zip(counts);
        Ok(found.filter(|&(_, count)| count > 0).collect())
    }

    /// The labels that paths and cycles can have between their ends, each sorted, with what they weigh together with the first; the
    /// heaviest first. Nothing if they are too many.
    fn terms(&self, length: usize, Ends { labels, closed }: Ends) -> Option<Vec<(Vec<u32>, Rounded)>> {
        let mut left: Vec<usize> = self.labels.iter().map(|&(_, times)| times).collect();
        let ends = if closed { &labels[..1] } else { &labels };
        ends.iter().for_each(|&end| left[end as usize] -= 1);
        let weight = |label: u32| Rounded::exactly(self.labels[label as usize].0);
        let mut terms = vec![(Vec::new(), weight(labels[0]))];
        for _ in 1..length {
            let mut longer = Vec::new();
            for (inner, product) in &terms {
                for label in inner.last().copied().unwrap_or(0)..left.len() as u32 {
                    let used = inner.iter().filter(|&&other| other == label).count();
                    if used < left[label as usize] {
                        let inner = inner.iter().copied().chain([label]).collect();
                        longer.push((inner, product.times(weight(label))));
                    }
                }
            }
            terms = longer;
            if terms.len() > MOST_TERMS {
                return None;
            }
        }
        // So that whatever is later in order weighs no more than what is before, errors and all.
        let error = terms.iter().map(|(_, weight)| weight.error()).fold(0.0, f64::max);
        terms.iter_mut().for_each(|(_, weight)| *weight = weight.within(error));
        // Weights are not negative, and the bits of such doubles are in their order.
        terms.sort_by_key(|(_, weight)| Reverse(weight.value().to_bits()));
        Some(terms)
    }
}

impl Ends {
    /// So many paths and cycles: all are one or the other.
    fn count(self, count: u64) -> [u64; 2] {
        if self.closed { [0, count] } else { [count, 0] }
    }
}

/// How many of each weight, the heaviest first, are so many in all and weigh so much together. Nothing if there is no answer or more
/// than one, or if it takes too long to find.
fn made_up(weights: &[Rounded], count: u64, weight: Rounded) -> Option<Vec<u64>> {
    let mut search = Search { weights, taken: vec![0; weights.len()], found: None, steps: MOST_STEPS };
    search.take(0, count, weight)?;
    search.found
}

struct Search<'a> {
    weights: &'a [Rounded],
    taken: Vec<u64>,
    found: Option<Vec<u64>>,
    /// How many are left.
    steps: u32,
}

impl Search<'_> {
    /// Takes so many of the weights from a place on, in all ways that can weigh so much. Nothing when there is no point in going on.
    fn take(&mut self, place: usize, count: u64, weight: Rounded) -> Option<()> {
        let lightest = *self.weights.last()?;
        let next = self.weights.get(place + 1);
        let all_or_none = if next.is_some() { 0 } else { count };
        for taken in all_or_none..=count {
            self.steps = self.steps.checked_sub(1)?;
            let times = |weight: Rounded, times: u64| weight.times(Rounded::exactly(times as f64));
            let (count, weight) = (count - taken, weight.minus(times(self.weights[place], taken)));
            self.taken[place] = taken;
            match next {
                // Too much is left for those that are lighter: more of this one.
                Some(&next) if weight.minus(times(next, count)).is_positive() => {}
                Some(_) if weight.minus(times(lightest, count)).is_negative() => break,
                Some(_) => self.take(place + 1, count, weight)?,
                None if !weight.may_vanish() => {}
                None if self.found.is_some() => return None,
                None => self.found = Some(self.taken.clone()),
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exactly<const N: usize>(weights: [f64; N]) -> [Rounded; N] {
        weights.map(Rounded::exactly)
    }

    #[test]
    fn weights_are_numbers_from_1_to_pi() {
        let weights: Vec<f64> = (0..20).map(weight).collect();
        assert!((weights[3] - (2f64.sqrt() - 1.0).exp()).abs() < 1e-15);
        assert!(weights.iter().all(|weight| (1.0..3.2).contains(weight)));
        let mut sorted = weights.clone();
        sorted.sort_by(f64::total_cmp);
        assert!(sorted.windows(2).all(|pair| pair[1] - pair[0] > 1e-3));
    }

    #[test]
    fn weights_that_cannot_be_told_apart_are_refused() {
        assert!(check_weights(&[]).is_ok());
        assert!(check_weights(&[2.0, 0.5, 1000.0]).is_ok());
        for wrong in [0.0, -1.0, 1e9, 1e-9, f64::NAN, f64::INFINITY] {
            let error = check_weights(&[1.0, wrong]).unwrap_err().to_string();
            assert!(error.starts_with("a label cannot weigh"), "{error}");
        }
        let error = check_weights(&[1.0, 2.5, 2.5]).unwrap_err().to_string();
        assert_eq!(error, "two labels cannot both weigh 2.5: codes are all different");
    }

    #[test]
    fn one_answer_is_found() {
        let weights = exactly([weight(2), weight(1), weight(0)]);
        let sum: f64 = [(3.0, 2), (5.0, 1), (4.0, 0)].iter().map(|&(times, code)| times * weight(code)).sum();
        // As far off as a few dozen roundings may be.
        let sum = Rounded::exactly(sum).within(1e-14);
        assert_eq!(made_up(&weights, 12, sum), Some(vec![3, 5, 4]));
    }

    #[test]
    fn two_answers_are_none() {
        // 4 = 3 + 1 = 2 + 2, but 5 = 3 + 2 only.
        let weights = exactly([3.0, 2.0, 1.0]);
        assert_eq!(made_up(&weights, 2, Rounded::exactly(4.0)), None);
        assert_eq!(made_up(&weights, 2, Rounded::exactly(5.0)), Some(vec![1, 1, 0]));
        // If it were known less well, 6 might be meant.
        assert_eq!(made_up(&weights, 2, Rounded::exactly(5.0).within(1.0)), None);
    }

    #[test]
    fn what_cannot_be_found_is_none() {
        let weights = exactly([3.0, 2.0, 1.0]);
        for sum in [5.5, 7.0, 1.0, f64::INFINITY, f64::NAN] {
            assert_eq!(made_up(&weights, 2, Rounded::exactly(sum)), None, "{sum}");
        }
        assert_eq!(made_up(&[], 1, Rounded::exactly(1.0)), None);
        // Too many ways for a search.
        assert_eq!(made_up(&exactly([5.0, 4.0, 3.0, 2.0, 1.0]), 1000, Rounded::exactly(3000.5)), None);
    }
}

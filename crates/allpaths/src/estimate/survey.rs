//! How samples are shared out over lengths and vertices, round by round, until they are enough.

use std::ops::RangeInclusive;

use super::Estimator;
use super::draw::Walker;
use super::guide::{Goal, Guide};
use super::net::Net;
use super::statistics::{Moments, quantile};
use crate::count::{Job, Outcome};
use crate::random::ChaCha8;
use crate::{Error, Result, threads};

/// The samples of one length, and what none of them can be above.
pub(super) struct Found {
    pub(super) moments: Moments,
    pub(super) most: f64,
}

impl Found {
    /// The ends of the interval that holds the number with such a confidence.
    pub(super) fn interval(&self, confidence: f64) -> [f64; 2] {
        let Self { moments, most } = self;
        match moments.mean() {
            // Nothing was found: were there as many as this, that would be rarer than the confidence allows.
            0.0 => [0.0, most * (1.0 - (1.0 - confidence).powf(1.0 / moments.samples as f64))],
            mean => {
                // Where all samples agree, what is left is rounding.
                let half = (quantile(confidence) * moments.error()).max(1e-14 * mean);
                [(mean - half).max(0.0), mean + half]
            }
        }
    }
}

/// The sampling of paths or of cycles of some lengths.
pub(super) struct Survey<'a> {
    pub(super) settings: &'a Estimator,
    pub(super) net: &'a Net,
    pub(super) goal: Goal,
    pub(super) lengths: RangeInclusive<usize>,
    pub(super) job: Job<'a>,
    /// A number of its own, 0 or 1, for the random numbers.
    pub(super) stream: u64,
}

/// From where samples of one length begin: vertices in proportion to what they weigh.
struct Roots {
    /// Of all vertices up to and with each.
    sums: Vec<f64>,
    most: f64,
}

impl Roots {
    fn new(weights: impl Iterator<Item = f64>, is_mass: bool) -> Self {
        let sums: Vec<f64> = weights
            .scan(0.0, |sum, weight| {
                *sum += weight;
                Some(*sum)
            })
            .collect();
        let total = sums.last().copied().unwrap_or(0.0);
        // Where nothing weighs anything there is nothing to find.
        let most = if is_mass || total == 0.0 { total } else { f64::INFINITY };
        Self { sums, most }
    }

    fn total(&self) -> f64 {
        self.sums.last().copied().unwrap_or(0.0)
    }

    fn weight(&self, root: usize) -> f64 {
        self.sums[root] - if root == 0 { 0.0 } else { self.sums[root - 1] }
    }

    fn draw(&self, random: &mut ChaCha8) -> usize {
        let place = random.unit() * self.total();
        self.sums.partition_point(|&sum| sum <= place).min(self.sums.len() - 1)
    }
}

/// More arcs than this are not looked at to find out how many closed walks there are from every vertex: a few minutes on one core.
pub(super) const MOST_WORK: f64 = 1e11;

impl Survey<'_> {
    /// Draws samples until every length is settled; nothing of a length before its first samples. An error if there are more walks than a double holds.
    pub(super) fn run(&self) -> Result<(Vec<Option<Found>>, Outcome)> {
        let longest = *self.lengths.end();
        let shared = (self.goal == Goal::Anywhere).then(|| Guide::anywhere(self.net, longest));
        let Some(roots) = self.roots(shared.as_ref()) else { return Ok((Vec::new(), self.job.stop())) };
        if let Some((length, _)) =
            self.lengths.clone().zip(&roots).find(|(_, roots)| !roots.total().is_finite())
        {
            return Err(Error::graph(format!(
                "there are more walks of length {length} than a double can hold: estimate shorter ones"
            )));
        }
        let mut found: Vec<Found> =
            roots.iter().map(|roots| Found { moments: Moments::default(), most: roots.most }).collect();
        for round in 0.. {
            let wanted: Vec<u64> = found.iter().map(|found| self.wanted(found)).collect();
            if wanted.iter().all(|&samples| samples == 0) {
                break;
            }
            let Some(moments) = self.sweep(shared.as_ref(), &roots, &wanted, round) else { break };
            found.iter_mut().zip(moments).for_each(|(found, moments)| found.moments.add(&moments));
        }
        let is_short = |found: &Found| !self.is_settled(found);
        let outcome =
            self.job.stop().max(if found.iter().any(is_short) { Outcome::Budget } else { Outcome::Complete });
        let is_known = |found: &Found| found.most == 0.0 || found.moments.samples > 0;
        Ok((found.into_iter().map(|found| is_known(&found).then_some(found)).collect(), outcome))
    }

    /// Whether the interval is as narrow as asked for, or holds no number of paths but 0.
    fn is_settled(&self, found: &Found) -> bool {
        let (mean, [_, high]) = (found.moments.mean(), found.interval(self.settings.confidence));
        found.most == 0.0
            || found.moments.samples > 0
                && if mean > 0.0 { high - mean <= self.settings.error * mean } else { high < 1.0 }
    }

    /// How many more samples a length needs.
    fn wanted(&self, found: &Found) -> u64 {
        const FIRST: u64 = 2000;
        if self.is_settled(found) {
            return 0;
        }
        let (mean, samples) = (found.moments.mean(), found.moments.samples);
        let factor = match mean {
            0.0 => 8.0,
            _ => {
                let error = (found.interval(self.settings.confidence)[1] - mean) / mean;
                (1.1 * (error / self.settings.error).powi(2)).clamp(1.5, 64.0)
            }
        };
        #[allow(clippy::cast_sign_loss)] // neither is negative
        let target = if samples == 0 { FIRST } else { (samples as f64 * factor) as u64 };
        target.min(self.settings.max_samples).saturating_sub(samples)
    }

    /// From where to begin, for each length. Nothing if it was stopped.
    fn roots(&self, shared: Option<&Guide>) -> Option<Vec<Roots>> {
        let (order, lengths) = (self.net.order(), self.lengths.clone());
        if let Some(guide) = shared {
            let mass = |length, v| guide.mass(self.net, v, length);
            return Some(
                lengths.map(|length| Roots::new((0..order).map(|v| mass(length, v)), true)).collect(),
            );
        }
        let some: Vec<usize> = (0..64.min(order)).map(|i| i * order / 64.min(order)).collect();
        let longest = *lengths.end();
        let work = |&v: &usize| Guide::default().back(self.net, v, longest) as f64;
        let work = some.iter().map(work).sum::<f64>() / some.len() as f64 * order as f64;
        if work > self.settings.most_work {
            // Pairs of arcs between which a cycle can pass.
            let weight = |v: usize| self.net.later(v) as f64 * (self.net.later(v) as f64 - 1.0).max(0.0);
            return Some(lengths.map(|_| Roots::new((0..order).map(weight), false)).collect());
        }
        let masses = |guide: &mut Guide, v: usize| -> Option<Vec<f64>> {
            guide.back(self.net, v, longest);
            self.job.monitor.advance(0.2 / order as f64);
            let masses = self.lengths.clone().map(|length| guide.mass(self.net, v, length)).collect();
            (self.job.stop() == Outcome::Complete).then_some(masses)
        };
        let masses: Vec<Vec<f64>> =
            threads::map_with(true, 0..order, Guide::default, masses).into_iter().collect::<Option<_>>()?;
        Some((0..lengths.count()).map(|i| Roots::new(masses.iter().map(|masses| masses[i]), true)).collect())
    }

    /// Draws so many samples of each length. Nothing if it was stopped: half a round is not random.
    fn sweep(
        &self,
        shared: Option<&Guide>,
        roots: &[Roots],
        wanted: &[u64],
        round: u64,
    ) -> Option<Vec<Moments>> {
        let mut random = ChaCha8::stream(self.settings.seed, self.number(round, 0));
        let mut draws: Vec<(usize, usize)> = Vec::new();
        for (i, (roots, &wanted)) in roots.iter().zip(wanted).enumerate() {
            draws.extend((0..wanted).map(|_| (roots.draw(&mut random), i)));
        }
        draws.sort_unstable();
        let by_root: Vec<_> = draws.chunk_by(|a, b| a.0 == b.0).collect();
        let sample =
            |(guide, walker): &mut (Guide, Walker), draws: &&[(usize, usize)]| -> Option<Vec<Moments>> {
                let root = draws[0].0;
                let guide = match shared {
                    Some(guide) => guide,
                    None => {
                        guide.back(self.net, root, *self.lengths.end());
                        guide
                    }
                };
                let mut random = ChaCha8::stream(self.settings.seed, self.number(round, root as u64 + 1));
                let mut moments = vec![Moments::default(); roots.len()];
                for draws in draws.chunk_by(|a, b| a.1 == b.1) {
                    let i = draws[0].1;
                    let length = self.lengths.start() + i;
                    let mass = guide.mass(self.net, root, length);
                    let worth = mass * roots[i].total() / roots[i].weight(root);
                    for _ in draws {
                        let share = walker.walk(self.net, guide, self.goal, root, length, &mut random);
                        moments[i].hear(worth * share);
                    }
                }
                // Nobody knows how many rounds there will be.
                self.job.monitor.advance(0.2 / by_root.len() as f64 / 2f64.powf(round as f64));
                (self.job.stop() == Outcome::Complete).then_some(moments)
            };
        let scratch = || (Guide::default(), Walker::new(self.net.order()));
        let found = threads::map_with(true, by_root.iter(), scratch, sample);
        let found: Vec<Vec<Moments>> = found.into_iter().collect::<Option<_>>()?;
        let mut sums = vec![Moments::default(); roots.len()];
        found.iter().for_each(|found| sums.iter_mut().zip(found).for_each(|(sum, moments)| sum.add(moments)));
        Some(sums)
    }

    /// A number for a stream of random numbers that no other has.
    fn number(&self, round: u64, root: u64) -> u64 {
        (self.stream << 63 | round << 40) + root
    }
}

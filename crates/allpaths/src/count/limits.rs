//! How much a count may cost, and how it ended.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::Monitor;

/// How a count ended. Anything but `Complete` leaves the longer lengths uncounted; those that are given are
/// exact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// All lengths were counted.
    #[default]
    Complete,
    /// The numbers that were found do not tell the features of the next length apart, or have no room for them. Only embedding by the
    /// sieve ends like this: the encoding `exact`, whose real numbers are too coarse for long paths, and `power` past 2^62 paths.
    Undecided,
    /// The next length would have taken more memory than allowed: the states of the frontier engine, the half-paths of the meet engine, or the
    /// paths between all pairs of a large network.
    Memory,
    /// The next length would have taken more steps than allowed.
    Budget,
    /// The time was up.
    Time,
    /// Somebody asked it to stop.
    Interrupted,
}

impl Outcome {
    /// The name that outputs use.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Complete => "complete",
            Outcome::Undecided => "undecided",
            Outcome::Memory => "memory",
            Outcome::Budget => "budget",
            Outcome::Time => "time",
            Outcome::Interrupted => "interrupted",
        }
    }

    const ALL: [Self; 6] = [
        Outcome::Complete,
        Outcome::Undecided,
        Outcome::Memory,
        Outcome::Budget,
        Outcome::Time,
        Outcome::Interrupted,
    ];

    /// The outcome of that name.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.name() == name)
    }

    fn from_code(code: u8) -> Self {
        Self::ALL[code as usize]
    }
}

/// How much a count may cost; without limits by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// The most steps (vertices visited) that counting one graph up to some length may take. The lengths that
    /// need no more are counted, whatever the machine and the number of threads.
    pub steps: Option<u64>,
    /// The most time for the whole call.
    pub time: Option<Duration>,
    /// The most bytes for what grows while one graph is counted: the states of the frontier engine, the half-paths of the meet engine,
    /// and the paths between all pairs by the quotient engine. 8 GB unless it is set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
}

impl Limits {
    /// The moment at which the time is up, for a call that begins now.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.time.and_then(|time| Instant::now().checked_add(time))
    }
}

/// Who watches a call, until when it may run and how much of it one graph is.
#[derive(Clone, Copy)]
pub(crate) struct Job<'a> {
    pub(crate) monitor: &'a Monitor,
    pub(crate) deadline: Option<Instant>,
    pub(crate) steps: Option<u64>,
    pub(crate) bytes: Option<u64>,
    pub(crate) share: f64,
    /// Where the steps taken are added up.
    pub(crate) taken: Option<&'a AtomicU64>,
}

impl<'a> Job<'a> {
    /// A job without limits that nobody watches.
    pub(crate) fn unlimited(monitor: &'a Monitor) -> Self {
        Self { monitor, deadline: None, steps: None, bytes: None, share: 0.0, taken: None }
    }

    /// The reason to stop now that does not depend on steps.
    pub(crate) fn stop(&self) -> Outcome {
        if self.monitor.is_interrupted() {
            Outcome::Interrupted
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Outcome::Time
        } else {
            Outcome::Complete
        }
    }
}

/// The steps that all workers of one walk have left, and why they should stop.
pub(crate) struct Allowance<'a> {
    job: Job<'a>,
    spent: AtomicU64,
    stop: AtomicU8,
}

impl<'a> Allowance<'a> {
    pub(crate) fn new(job: Job<'a>) -> Self {
        Self { job, spent: AtomicU64::new(0), stop: AtomicU8::new(Outcome::Complete as u8) }
    }

    pub(crate) fn meter(&self) -> Meter<'_> {
        Meter { allowance: self, unreported: 0, stopped: false }
    }

    /// How the walk ended, once every meter has reported.
    pub(crate) fn outcome(&self) -> Outcome {
        Outcome::from_code(self.stop.load(Relaxed))
    }

    /// Stops everybody for a reason of its own.
    pub(crate) fn give_up(&self, outcome: Outcome) {
        self.stop.fetch_max(outcome as u8, Relaxed);
    }

    /// Reports that a share of this walk is done.
    pub(crate) fn advance(&self, share: f64) {
        self.job.monitor.advance(self.job.share * share);
    }

    /// Books steps and says whether to stop.
    fn report(&self, steps: u64) -> bool {
        let spent = self.spent.fetch_add(steps, Relaxed) + steps;
        if let Some(taken) = self.job.taken {
            taken.fetch_add(steps, Relaxed);
        }
        let outcome = match self.job.steps {
            Some(limit) if spent > limit => Outcome::Budget,
            _ => self.job.stop(),
        };
        if outcome != Outcome::Complete {
            self.give_up(outcome);
        }
        self.outcome() != Outcome::Complete
    }
}

/// The memory of what grows, all workers together.
pub(crate) struct Memory {
    limit: u64,
    used: AtomicU64,
    full: AtomicBool,
}

impl Memory {
    /// The most bytes, where nobody says otherwise.
    pub(crate) const MOST: u64 = 8_000_000_000;

    pub(crate) fn new(limit: u64) -> Self {
        Self { limit, used: AtomicU64::new(0), full: AtomicBool::new(false) }
    }

    /// Books that something takes so much, and took so much before.
    pub(crate) fn count(&self, before: usize, after: usize) {
        let change = (after as u64).wrapping_sub(before as u64);
        if self.used.fetch_add(change, Relaxed).wrapping_add(change) > self.limit {
            self.full.store(true, Relaxed);
        }
    }

    /// Whether there was more at some time than is allowed.
    pub(crate) fn is_full(&self) -> bool {
        self.full.load(Relaxed)
    }
}

/// One worker's view of the allowance: cheap to ask, reports now and then.
pub(crate) struct Meter<'a> {
    allowance: &'a Allowance<'a>,
    unreported: u64,
    stopped: bool,
}

/// Steps between two reports: some tens of microseconds.
const INTERVAL: u64 = 1 << 14;

impl Meter<'_> {
    /// Books steps, and now and then tells the others and hears from them.
    #[inline]
    pub(crate) fn spend(&mut self, steps: u64) {
        self.unreported += steps;
        if self.unreported >= INTERVAL {
            self.report();
        }
    }

    #[cold]
    fn report(&mut self) {
        self.stopped |= self.allowance.report(std::mem::take(&mut self.unreported));
    }

    /// Whether to give up.
    #[inline]
    pub(crate) fn stopped(&self) -> bool {
        self.stopped
    }
}

impl Drop for Meter<'_> {
    fn drop(&mut self) {
        self.report();
    }
}

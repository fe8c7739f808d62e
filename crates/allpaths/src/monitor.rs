//! How a long job is watched and stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// The line between a long job and whoever waits for it: how far it has come, and a switch to stop it.
///
/// Share it between threads: the job writes progress into it and looks at the switch every few microseconds,
/// a progress bar or a signal handler does the opposite.
///
/// # Example
///
/// ```
/// # use allpaths::{Counter, Graph, Monitor, count::Outcome};
/// let monitor = Monitor::new();
/// monitor.interrupt(); // from a handler of Ctrl-C, say
/// let complete = Graph::from_edges(40, (0..40).flat_map(|u| (0..u).map(move |v| (u, v))))?;
/// let counts = Counter::up_to(30).count_under(&complete, &monitor)?;
/// assert_eq!(counts.outcome(), Outcome::Interrupted);
/// # Ok::<(), allpaths::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Monitor {
    interrupted: Arc<AtomicBool>,
    done: AtomicU64,
    /// How many jobs are the whole; 0 is 1.
    jobs: AtomicUsize,
}

/// The whole of a job, in the unit of `done`: fine enough for any share, with room against rounding.
const WHOLE: f64 = (1u64 << 53) as f64;

impl Monitor {
    /// A monitor of a job that has not begun.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the job to stop as soon as it can.
    pub fn interrupt(&self) {
        self.interrupted.store(true, Relaxed);
    }

    /// Whether the job was asked to stop.
    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Relaxed)
    }

    /// Begins anew, with so many jobs (calls under the eyes of this monitor) that together are the whole. Without that,
    /// the whole is one job.
    ///
    /// # Example
    ///
    /// ```
    /// # use allpaths::{Counter, Graph, Monitor};
    /// let monitor = Monitor::new();
    /// monitor.begin(2);
    /// let triangle = Graph::from_edges(3, [(0, 1), (1, 2), (2, 0)])?;
    /// Counter::up_to(3).count_under(&triangle, &monitor)?;
    /// assert_eq!(monitor.progress(), 0.5);
    /// # Ok::<(), allpaths::Error>(())
    /// ```
    pub fn begin(&self, jobs: usize) {
        self.jobs.store(jobs, Relaxed);
        self.done.store(0, Relaxed);
    }

    /// How much of all jobs is done, from 0 to 1. A guide for the eye: the parts of a job are not equally long.
    pub fn progress(&self) -> f64 {
        (self.done.load(Relaxed) as f64 / WHOLE).min(1.0)
    }

    /// The monitor of a part of the job that is stopped with it, and whose progress is of no interest.
    pub(crate) fn of_part(&self) -> Self {
        Self { interrupted: Arc::clone(&self.interrupted), ..Self::default() }
    }

    /// Reports that a further share of a job is done.
    pub(crate) fn advance(&self, share: f64) {
        let share = share / self.jobs.load(Relaxed).max(1) as f64;
        #[allow(clippy::cast_sign_loss)] // shares are not negative
        self.done.fetch_add((share * WHOLE) as u64, Relaxed);
    }
}

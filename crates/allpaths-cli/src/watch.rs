//! Watching a long job: a progress bar on a terminal, and Ctrl-C.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;
use std::time::Duration;

use allpaths::Monitor;
use indicatif::{ProgressBar, ProgressStyle};

/// The job that Ctrl-C stops. One at a time: the program does one thing after the other.
static CURRENT: OnceLock<Arc<Monitor>> = OnceLock::new();

/// The monitor of the program's work. The first Ctrl-C asks it to stop, a second one ends the program.
pub(crate) fn monitor() -> Arc<Monitor> {
    let monitor = CURRENT.get_or_init(|| {
        // Without a handler Ctrl-C ends the program at once, which is no worse than it was.
        let _ = ctrlc::set_handler(|| match CURRENT.get() {
            Some(monitor) if !monitor.is_interrupted() => {
                eprintln!("allpaths: stopping; press Ctrl-C again to end at once");
                monitor.interrupt();
            }
            _ => std::process::exit(4),
        });
        Arc::new(Monitor::new())
    });
    Arc::clone(monitor)
}

/// A progress bar for as long as it lives, on a terminal, once the job has taken a second.
pub(crate) struct Progress {
    thread: Option<(Sender<()>, JoinHandle<()>)>,
    count: Arc<AtomicU64>,
}

/// How it is known how far a job has come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Measure {
    Share,
    Graphs,
}

impl Progress {
    /// Shows how far so many jobs have come that begin now.
    pub(crate) fn of(what: String, jobs: usize, monitor: &Arc<Monitor>) -> Self {
        monitor.begin(jobs);
        Self::new(what, monitor, Measure::Share)
    }

    /// Shows how many graphs are done, where nobody knows how many there are.
    pub(crate) fn counting(what: String, monitor: &Arc<Monitor>) -> Self {
        Self::new(what, monitor, Measure::Graphs)
    }

    /// Says how many graphs are done.
    pub(crate) fn count(&self, graphs: u64) {
        self.count.store(graphs, Relaxed);
    }

    fn new(what: String, monitor: &Arc<Monitor>, measure: Measure) -> Self {
        let count = Arc::new(AtomicU64::new(0));
        if !std::io::stderr().is_terminal() {
            return Self { thread: None, count };
        }
        let (monitor, graphs) = (Arc::clone(monitor), Arc::clone(&count));
        let (stop, stopped) = channel();
        let thread = std::thread::spawn(move || {
            const FINE: u64 = 10_000;
            const PATIENCE: Duration = Duration::from_secs(1);
            let over = stopped.recv_timeout(PATIENCE);
            if over != Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
                return;
            }
            let (bar, style) = match measure {
                Measure::Share => (ProgressBar::new(FINE), "{msg} [{bar:30}] {percent} %, {elapsed} so far"),
                Measure::Graphs => (ProgressBar::no_length(), "{msg}: {human_pos} graphs, {elapsed} so far"),
            };
            let bar = bar.with_message(what).with_elapsed(PATIENCE);
            bar.set_style(
                ProgressStyle::with_template(style).expect("the template is right").progress_chars("=> "),
            );
            while stopped.recv_timeout(Duration::from_millis(100)).is_err() {
                bar.set_position(match measure {
                    #[allow(clippy::cast_sign_loss)] // progress is not negative
                    Measure::Share => (monitor.progress() * FINE as f64) as u64,
                    Measure::Graphs => graphs.load(Relaxed),
                });
            }
            bar.finish_and_clear();
        });
        Self { thread: Some((stop, thread)), count }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.thread.take() {
            // The thread may have ended by itself; a bar that fails is no reason to fail.
            let _ = stop.send(());
            let _ = thread.join();
        }
    }
}

//! Watching a long job: a progress bar on a terminal, and Ctrl-C.

use std::io::IsTerminal;
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
}

impl Progress {
    /// Shows how far so many jobs have come that begin now.
    pub(crate) fn of(what: String, jobs: usize, monitor: &Arc<Monitor>) -> Self {
        monitor.begin(jobs);
        if !std::io::stderr().is_terminal() {
            return Self { thread: None };
        }
        let monitor = Arc::clone(monitor);
        let (stop, stopped) = channel();
        let thread = std::thread::spawn(move || {
            const FINE: u64 = 10_000;
            const PATIENCE: Duration = Duration::from_secs(1);
            let over = stopped.recv_timeout(PATIENCE);
            if over != Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
                return;
            }
            let bar = ProgressBar::new(FINE).with_message(what).with_elapsed(PATIENCE);
            let style = "{msg} [{bar:30}] {percent} %, {elapsed} so far";
            bar.set_style(
                ProgressStyle::with_template(style).expect("the template is right").progress_chars("=> "),
            );
            while stopped.recv_timeout(Duration::from_millis(100)).is_err() {
                #[allow(clippy::cast_sign_loss)] // progress is not negative
                bar.set_position((monitor.progress() * FINE as f64) as u64);
            }
            bar.finish_and_clear();
        });
        Self { thread: Some((stop, thread)) }
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

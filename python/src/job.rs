//! Long jobs: without the interpreter's lock, and with an ear for Ctrl-C.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use allpaths::Monitor;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::error::exception;

/// How often somebody looks whether a signal came: a person does not notice, and the job does not either.
const PERIOD: Duration = Duration::from_millis(50);

/// Does the work on a thread of its own, and waits for it here. Python runs its handlers of signals on its main thread alone, so the one
/// that called has to be free for them; when one raises an exception, the work is told to stop. Meanwhile `progress` hears how much
/// is done.
///
/// The thread is a pool of one, so that nothing of the work ends up in the pool that all of the process share: that one does not
/// survive a fork.
pub(crate) fn run<R: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Monitor) -> allpaths::Result<R> + Send,
) -> PyResult<R> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .map_err(|error| PyRuntimeError::new_err(format!("no thread can be started: {error}")))?;
    let progress = progress.map(|progress| progress.clone().unbind());
    let monitor = Monitor::new();
    let look = |py: Python<'_>| -> PyResult<()> {
        py.check_signals()?;
        if let Some(progress) = &progress {
            progress.call1(py, (monitor.progress(),))?;
        }
        Ok(())
    };
    py.detach(|| {
        let (sender, receiver) = channel();
        let mut raised = None;
        let mut result = None;
        pool.in_place_scope(|scope| {
            scope.spawn(|_| {
                let sender = sender; // gone when the work is done, or fails
                result = Some(work(&monitor));
                drop(sender);
            });
            while receiver.recv_timeout(PERIOD) == Err::<(), _>(RecvTimeoutError::Timeout) {
                raised = Python::attach(look).err();
                if raised.is_some() {
                    monitor.interrupt();
                    break;
                }
            }
        });
        match (raised, result) {
            (Some(exception), _) => Err(exception),
            (None, Some(result)) => result.map_err(|error| exception(&error)),
            (None, None) => Err(PyRuntimeError::new_err("the work ended without a result")),
        }
    })
}

//! Long jobs: without the interpreter's lock, and with an ear for Ctrl-C.

use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
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
pub(crate) fn run<R: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Monitor) -> allpaths::Result<R> + Send,
) -> PyResult<R> {
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
        thread::scope(|scope| {
            let (sender, receiver) = channel::<()>();
            let monitor = &monitor;
            let at_work = move || {
                let _sender = sender; // gone when the work is done, or fails
                work(monitor)
            };
            let worker = thread::Builder::new()
                .spawn_scoped(scope, at_work)
                .map_err(|error| PyRuntimeError::new_err(format!("no thread can be started: {error}")))?;
            let mut raised = None;
            while raised.is_none() && receiver.recv_timeout(PERIOD) == Err(RecvTimeoutError::Timeout) {
                raised = Python::attach(look).err();
            }
            if raised.is_some() {
                monitor.interrupt();
            }
            let result = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            raised.map_or_else(|| result.map_err(|error| exception(&error)), Err)
        })
    })
}

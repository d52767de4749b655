//! Work that Ctrl-C can stop while Python waits for it.
//!
//! Python notices a signal only when its main thread runs Python code again. So the work has a thread of its own, and the
//! thread that waits for it looks for signals between. The interpreter is free for other threads meanwhile.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use sundry::Control;

/// The time between two looks for signals.
pub const LOOK: Duration = Duration::from_millis(50);

/// A flag that stops work, with the control that looks at it.
pub struct Stop {
    flag: Arc<AtomicBool>,
    /// The control for the work.
    pub control: Control,
}

impl Stop {
    /// A control with a time limit that begins now.
    ///
    /// # Errors
    /// The number of seconds is no duration.
    pub fn after(py: Python<'_>, seconds: Option<f64>) -> PyResult<Stop> {
        let deadline = duration(py, seconds)?.and_then(|timeout| Instant::now().checked_add(timeout));
        let flag = Arc::new(AtomicBool::new(false));
        let control = Control::default().with_stop(Arc::clone(&flag)).with_deadline(deadline);
        Ok(Stop { flag, control })
    }

    /// Asks the work to stop.
    pub fn set(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }
}

/// A duration from seconds.
///
/// # Errors
/// The number is negative or no number.
pub fn duration(py: Python<'_>, seconds: Option<f64>) -> PyResult<Option<Duration>> {
    let Some(seconds) = seconds else { return Ok(None) };
    if seconds == f64::INFINITY {
        return Ok(None);
    }
    Duration::try_from_secs_f64(seconds).map(Some).map_err(|_| {
        let message = format!("the time limit {seconds} is not a number of seconds");
        super::errors::wrong_option(py, &message, "timeout is a number of seconds such as 60 or 0.5")
    })
}

/// Does some work in a thread of its own, and stops it at a signal.
///
/// # Errors
/// A handler of a signal has raised an exception, such as `KeyboardInterrupt`; or the work has panicked, which is a defect.
pub fn run<T: Send>(py: Python<'_>, stop: &Stop, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    run_watched(py, stop, |_| Ok(()), work)
}

/// Does some work as [`run`] does, and calls a function at each look, in the thread that waits.
///
/// # Errors
/// Those of [`run`], and those of the function.
pub fn run_watched<T: Send>(
    py: Python<'_>,
    stop: &Stop,
    mut watch: impl FnMut(Python<'_>) -> PyResult<()> + Send,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    py.detach(|| {
        thread::scope(|scope| {
            let (finish, finished) = sync_channel(1);
            let worker = scope.spawn(move || {
                let result = work();
                // The receiver is there until the thread has ended.
                let _ = finish.send(());
                result
            });
            let mut interrupted = Ok(());
            while finished.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                if interrupted.is_ok() {
                    interrupted = Python::attach(|py| watch(py).and_then(|()| py.check_signals()));
                    if interrupted.is_err() {
                        stop.set();
                    }
                }
            }
            let result = worker.join().map_err(|_| panicked())?;
            interrupted.map(|()| result)
        })
    })
}

/// The exception for a thread that has ended with a panic.
pub fn panicked() -> PyErr {
    PyRuntimeError::new_err(
        "internal error: a search has panicked; this is a defect of sundry, please report it",
    )
}

//! Searches as iterators of solutions.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sundry::pipeline::{Event, Summary};
use sundry::{Error, Model, Sampler};

use crate::end::{self, End};
use crate::formula::Formula;
use crate::interruptible::{LOOK, Stop};
use crate::mailbox::{Mail, Mailbox};
use crate::solution::Solution;
use crate::summary::{Progress, progress};

/// The number of solutions that wait for a reader. A search that is further ahead waits.
const ROOM: usize = 1024;

/// The best set of a run that is still on its way.
struct Present {
    progress: Progress,
    models: Vec<Arc<Model>>,
}

/// A search in a thread of its own, and the iterator of its solutions. Dropping the iterator stops the search.
#[pyclass(frozen, module = "sundry._native")]
pub struct Run {
    formula: Py<Formula>,
    stop: Stop,
    mailbox: Arc<Mailbox<Arc<Model>, Present, End>>,
    /// The best set so far.
    present: std::sync::Mutex<Vec<Arc<Model>>>,
    /// Called with figures when they change.
    on_progress: Option<Py<PyAny>>,
}

impl Run {
    /// Starts a search. With `eager`, the solutions of a set come as soon as they are found, also those that better
    /// ones replace later.
    ///
    /// # Errors
    /// No thread can be started.
    pub fn start(
        formula: Py<Formula>,
        sampler: Sampler,
        stop: Stop,
        eager: bool,
        on_progress: Option<Py<PyAny>>,
    ) -> PyResult<Run> {
        let mailbox = Arc::new(Mailbox::new(ROOM));
        let sender = Arc::clone(&mailbox);
        thread::Builder::new()
            .name("sundry-sample".to_string())
            .spawn(move || {
                let mut handed_out = HandedOut::default();
                let search = AssertUnwindSafe(|| search(&sampler, &sender, eager, &mut handed_out));
                let end = catch_unwind(search).ok();
                let rest = match &end {
                    Some(Ok(summary)) => {
                        summary.solutions().iter().map(|rated| Arc::clone(&rated.model)).collect()
                    }
                    _ => Vec::new(),
                };
                sender.close(rest.into_iter().filter(|model| handed_out.is_new(model)), end);
            })
            .map_err(|error| PyOSError::new_err(format!("no thread can be started: {error}")))?;
        Ok(Run { formula, stop, mailbox, present: std::sync::Mutex::default(), on_progress })
    }

    fn solution(&self, py: Python<'_>, model: Arc<Model>) -> Solution {
        let solution = sundry::Solution::new(self.formula.get().formula.clone(), model);
        Solution { solution, formula: self.formula.clone_ref(py) }
    }

    /// Keeps the best set and reports its figures.
    fn note(&self, py: Python<'_>, Present { progress, models }: Present) -> PyResult<()> {
        *self.present.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = models;
        if let Some(callback) = &self.on_progress {
            callback.call1(py, progress)?;
        }
        Ok(())
    }
}

/// The solutions that the iterator has handed out of a set that changes.
#[derive(Default)]
struct HandedOut {
    /// By address. The models are kept, so that none gets the address of another.
    models: Vec<Arc<Model>>,
    addresses: HashSet<*const Model>,
}

impl HandedOut {
    /// Whether a model was not handed out before; from now on it was.
    fn is_new(&mut self, model: &Arc<Model>) -> bool {
        let is_new = self.addresses.insert(Arc::as_ptr(model));
        if is_new {
            self.models.push(Arc::clone(model));
        }
        is_new
    }
}

/// Searches and sends what is found.
fn search(
    sampler: &Sampler,
    mailbox: &Mailbox<Arc<Model>, Present, End>,
    eager: bool,
    handed_out: &mut HandedOut,
) -> Result<Summary, Error> {
    sampler.observe(&mut |event| {
        let is_wanted = match event {
            Event::Solutions(found) => mailbox.send(found.models().map(Arc::new)),
            Event::Set(set) => {
                let progress = progress(set.solutions.len(), set.covered, set.lower_bound, set.seconds);
                let models: Vec<Arc<Model>> =
                    set.solutions.iter().map(|rated| Arc::clone(&rated.model)).collect();
                let new: Vec<Arc<Model>> = match eager {
                    true => models.iter().filter(|model| handed_out.is_new(model)).cloned().collect(),
                    false => Vec::new(),
                };
                (new.is_empty() || mailbox.send(new)) && mailbox.report(Present { progress, models })
            }
            // The summary counts wrong models.
            Event::Preparing(_) | Event::Rejected(_) => true,
        };
        if is_wanted { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })
}

#[pymethods]
impl Run {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Solution>> {
        if let Some(model) = self.mailbox.take() {
            return Ok(Some(self.solution(py, model)));
        }
        loop {
            match py.detach(|| self.mailbox.receive(LOOK)) {
                Mail::Item(model) => return Ok(Some(self.solution(py, model))),
                Mail::Progress(present) => self.note(py, present).inspect_err(|_| self.stop.set())?,
                Mail::Nothing => {}
                Mail::End => break,
            }
            py.check_signals().inspect_err(|_| self.stop.set())?;
        }
        self.mailbox.at_end(|end| end::check(py, end)).map(|()| None)
    }

    /// Asks the search to stop. The iterator hands out what there is, and ends.
    fn stop(&self) {
        self.stop.set();
    }

    /// The best set so far, of strategies that improve one.
    fn present(&self, py: Python<'_>) -> Vec<Solution> {
        let models = self.present.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
        models.into_iter().map(|model| self.solution(py, model)).collect()
    }

    /// The figures of the run, once it has ended and all solutions are read.
    fn figures<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.mailbox.at_end(|end| end::figures(py, end, &self.formula.get().formula))
    }

    /// The solutions of the final set, once the run has ended.
    fn final_set(&self, py: Python<'_>) -> Vec<Solution> {
        let models = self.mailbox.at_end(|end| match end {
            Some(Some(Ok(summary))) => {
                summary.solutions().iter().map(|rated| Arc::clone(&rated.model)).collect()
            }
            _ => Vec::new(),
        });
        models.into_iter().map(|model| self.solution(py, model)).collect()
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        self.stop.set();
        self.mailbox.abandon();
    }
}

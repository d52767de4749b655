//! A respondent that says what a solver executed, as far as its build counts that or it prints statistics.

use std::fs;
use std::hash::BuildHasher;
use std::io;
use std::sync::Arc;

use rustc_hash::FxBuildHasher;
use sundry_counters::{CounterError, CounterProvider, FileCounters, Preparation};

use super::{Circumstances, Inquiry, Respondent};
use crate::reply::Reply;
use crate::solver::Solver;

/// A solver with the way in which its work is counted.
#[derive(Clone, Debug)]
pub struct Counted {
    inner: Solver,
    counters: Arc<dyn CounterProvider>,
}

impl Counted {
    /// Has the work of a solver counted for questions that [want](Inquiry::is_counted) that.
    pub fn new(inner: Solver, counters: Arc<dyn CounterProvider>) -> Counted {
        Counted { inner, counters }
    }
}

impl Respondent for Counted {
    same_as_inner!();

    /// Asks the solver. If the question wants that, the reply says what the solver executed, unless a run left no counters.
    ///
    /// # Errors
    /// The solver cannot be asked, or its counters cannot be read.
    fn ask(&self, inquiry: &Inquiry, circumstances: Circumstances<'_>) -> io::Result<Reply> {
        let folder = circumstances.folder.join("counters");
        fs::create_dir_all(&folder)?;
        // A build that counts must not write beside its objects, whether anybody wants to know or not.
        let Preparation { environment, arguments, closing_commands, .. } = self.counters.prepare(&folder)?;
        // Counters that are written at the end of a process are those of all its scripts.
        let processes = circumstances.processes.filter(|_| closing_commands.is_some());
        let (arguments, commands) = match inquiry.is_counted {
            true => (arguments, closing_commands.unwrap_or_default()),
            false => Default::default(),
        };
        let solver = self.inner.clone().instrumented(environment, arguments).closing_with(commands);
        let mut reply = solver.ask(inquiry, circumstances.sharing(processes))?;
        if inquiry.is_counted {
            let output = format!("{}{}", reply.finished.output.text, reply.finished.errors.text);
            reply.executed = match self.counters.take(&folder, &output) {
                Ok(files) => Some(places(&files)),
                Err(CounterError::Missing) => None,
                Err(error) => return Err(io::Error::other(error.to_string())),
            };
        }
        // What is left is removed with the folder above.
        let _ = fs::remove_dir_all(&folder);
        Ok(reply)
    }
}

/// Hashes of the lines that were executed at all.
fn places(files: &[FileCounters]) -> Vec<u32> {
    let lines = files.iter().flat_map(|file| file.lines.iter().map(|counter| (file.file, counter.line)));
    // The upper half of these hashes is the better one.
    lines.map(|place| (FxBuildHasher.hash_one(place) >> 32) as u32).collect()
}

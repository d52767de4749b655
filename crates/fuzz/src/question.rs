//! A formula put to solvers.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use sundry_external::{Limits, Reply, Solver};
use sundry_smtlib::{Formula, print_formula};
use sundry_term::TermStore;

/// Where and how solvers are run.
#[derive(Clone, Copy, Debug)]
pub struct Desk<'a> {
    /// A folder for the files of one thread.
    pub folder: &'a Path,
    /// What each run may use.
    pub limits: &'a Limits,
    /// Set when work is to end.
    pub interrupted: &'a AtomicBool,
    /// Nanoseconds that solvers took, all runs together.
    pub spent: &'a AtomicU64,
}

/// The script that asks whether a formula is satisfiable; with `get-model` if a model is wanted.
pub fn script(store: &TermStore, formula: &Formula, wants_model: bool) -> String {
    let text = print_formula(store, formula);
    if wants_model {
        return format!("(set-option :produce-models true)\n{text}(get-model)\n");
    }
    text
}

impl Desk<'_> {
    /// Gives a solver a script, with the names of operators that it knows.
    ///
    /// # Errors
    /// The script cannot be written, or the solver not be started.
    pub fn ask(&self, solver: &Solver, script: &str) -> io::Result<Reply> {
        let path = self.folder.join("question.smt2");
        fs::write(&path, solver.profile().dialect.spell(script).as_bytes())?;
        let reply = solver.run(&path, self.folder, self.limits, self.interrupted)?;
        let nanoseconds = u64::try_from(reply.finished.wall.as_nanos()).unwrap_or(u64::MAX);
        self.spent.fetch_add(nanoseconds, Ordering::Relaxed);
        Ok(reply)
    }
}

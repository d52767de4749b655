//! Replies of solvers.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::process::Finished;

/// The answer of a solver to `check-sat`.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// There is a model.
    Sat,
    /// There is no model.
    Unsat,
    /// The solver gave up.
    Unknown,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Sat => "sat",
            Verdict::Unsat => "unsat",
            Verdict::Unknown => "unknown",
        })
    }
}

/// The reason for which a solver did not answer all questions.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// The time limit was reached.
    Timeout,
    /// The solver exceeded its memory limit, or the system killed it, as it does when memory is short.
    Memory,
    /// The solver wrote too large a file.
    File,
    /// The caller stopped it.
    Interrupted,
    /// The solver crashed, failed an assertion, or a sanitizer stopped it: the [signature](crate::signature) of that.
    Crash(String),
    /// The solver itself says that its model is wrong.
    InvalidModel(String),
    /// The solver does not know something in the input.
    Unsupported(String),
    /// The solver reports another error.
    Error(String),
    /// The solver ended without an answer or a message.
    NoAnswer,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Timeout => f.write_str("out of time"),
            Fault::Memory => f.write_str("out of memory"),
            Fault::File => f.write_str("too large a file"),
            Fault::Interrupted => f.write_str("interrupted"),
            Fault::Crash(signature) => write!(f, "crash: {signature}"),
            Fault::InvalidModel(message) => write!(f, "invalid model, as it says: {message}"),
            Fault::Unsupported(message) => write!(f, "not supported: {message}"),
            Fault::Error(message) => write!(f, "error: {message}"),
            Fault::NoAnswer => f.write_str("no answer"),
        }
    }
}

/// The answer of a solver to one `check-sat`, with its model.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Answer {
    /// The verdict.
    pub verdict: Verdict,
    /// The expressions printed after the answer: models, values, cores. Empty if an error came first.
    pub behind: Vec<String>,
}

/// The reply of a solver to a script.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The answers to `check-sat`, in order; none after an error.
    pub answers: Vec<Answer>,
    /// The first error that it reports, if any.
    pub error: Option<String>,
    /// The fault, if any. An error after an answer does not count, since it says nothing about the answer.
    pub fault: Option<Fault>,
    /// Hashes of the places in the solver that it executed, or of the sizes of its statistics; `None` if nobody wanted to know, or the run
    /// left no counters.
    pub executed: Option<Vec<u32>>,
    /// The process.
    pub finished: Finished,
}

impl Reply {
    /// The reply of a solver that was not asked, for this reason.
    pub(crate) fn not_asked(reason: String) -> Reply {
        Reply {
            answers: Vec::new(),
            error: None,
            fault: Some(Fault::Unsupported(reason)),
            executed: None,
            finished: Finished::default(),
        }
    }

    /// Whether a limit on time or memory ended the run.
    pub fn is_cut(&self) -> bool {
        matches!(self.fault, Some(Fault::Timeout | Fault::Memory))
    }

    /// The answers that count: all that were printed, unless there was a crash.
    pub fn answers(&self) -> &[Answer] {
        match self.fault {
            None | Some(Fault::Timeout | Fault::Memory | Fault::File | Fault::InvalidModel(_)) => {
                &self.answers
            }
            _ => &[],
        }
    }

    /// The answer to the only `check-sat`; events after its output do not matter, except a crash.
    pub fn verdict(&self) -> Option<Verdict> {
        match self.answers() {
            [answer] => Some(answer.verdict),
            _ => None,
        }
    }
}

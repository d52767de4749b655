//! What is told of a defect.

use std::collections::BTreeSet;
use std::time::Duration;

use sundry_external::{Fault, Reply, Respondent, Verdict};
use sundry_term::{Op, SymbolKind, TermStore};

use crate::judge::defect::{Defect, Witness};
use crate::reduce::Subject;

/// A defect that showed twice on the same script.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What is wrong.
    pub defect: Defect,
    /// Who says so.
    pub witness: Witness,
    /// The command of the solver.
    pub solver: String,
    /// The seed.
    pub seed: String,
    /// The number of the mutant; 0 is the seed itself.
    pub mutant: usize,
    /// The script on which it shows.
    pub script: String,
    /// What was done to the whole seed before it was changed.
    pub rewritten: Option<&'static str>,
    /// What was changed to come from the seed to it: each literal with what took its place.
    pub changes: Vec<(String, String)>,
    /// What all solvers say of the smallest script.
    pub said: Vec<Vote>,
    /// Whether these releases of the solver show it too, the oldest first.
    pub releases: Vec<(String, DefectStatus)>,
    /// A smaller script that shows it too; none where nobody confirms it.
    pub reduction: Option<Reduction>,
    /// Whether the campaign ended before it was as small as it gets: when it goes on, the same mutant is tried again.
    pub is_cut_short: bool,
}

/// Whether a defect shows.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum DefectStatus {
    /// It does.
    Yes,
    /// The solver answers rightly.
    No,
    /// The solver does not answer, or something else is wrong.
    Undecided,
}

/// A script on which a solver did not answer in time, and another at once.
#[derive(Clone, Debug)]
pub struct SlowCase {
    /// The command of the solver.
    pub solver: String,
    /// How long it was let.
    pub time: Duration,
    /// The command of the other.
    pub other: String,
    /// How long that took.
    pub other_time: Duration,
    /// The seed.
    pub seed: String,
    /// The number of the mutant.
    pub mutant: usize,
    /// The script.
    pub script: String,
}

/// A smaller script that shows the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reduction {
    /// The script.
    pub script: String,
    /// The operators in it: findings with the same ones probably have the same cause.
    pub skeleton: String,
    /// How many scripts were tried.
    pub checks: usize,
    /// Whether nothing was left to try; otherwise time was over.
    pub is_finished: bool,
}

/// What one solver says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Vote {
    /// Its command.
    pub solver: String,
    /// Its answer.
    pub word: Decision,
    /// All that it printed, standard error last.
    pub output: String,
}

impl Vote {
    pub(crate) fn of(solver: &dyn Respondent, reply: &Reply) -> Vote {
        let output = format!("{}{}", reply.finished.output.text, reply.finished.errors.text);
        Vote { solver: solver.name().to_string(), word: word(reply), output }
    }
}

/// A solver's answer, or why there is none.
pub type Decision = Result<Verdict, Option<Fault>>;

/// What a solver says, as far as it decides: its last answer.
pub(crate) fn word(reply: &Reply) -> Decision {
    let last = reply.answers().last().map(|answer| answer.verdict);
    last.filter(|&verdict| verdict != Verdict::Unknown).ok_or_else(|| reply.fault.clone())
}

/// The operators in a script, each once, in alphabetic order; connectives and literals are left out.
pub(crate) fn skeleton(store: &TermStore, subject: &Subject) -> String {
    let mut names = BTreeSet::new();
    for term in store.reachable(&subject.roots()) {
        match store.op(term) {
            Op::Constant(_) | Op::Not | Op::And | Op::Or | Op::Implies | Op::Ite | Op::Xor | Op::Equal => {}
            Op::Apply(symbol) if store.symbol(symbol).kind != SymbolKind::Declared => {}
            Op::Apply(_) if store.args(term).is_empty() => {}
            Op::Apply(_) => {
                names.insert("function");
            }
            op => {
                names.insert(op.name());
            }
        }
    }
    names.into_iter().collect::<Vec<_>>().join(" ")
}

//! The report of a defect.

use std::collections::BTreeSet;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sundry_external::{Fault, Reply, SolverOption, Verdict, command_with_options};
use sundry_term::{Op, SymbolKind, TermStore};

use crate::judge::defect::{Defect, Witness};
use crate::judge::evidence::Evidence;
use crate::judge::helpers::Heard;
use crate::reduce::Subject;
use crate::seed::synthesis::asks_for_functions;
use crate::tree::Tree;

/// A defect that showed twice on the same script.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The defect.
    pub defect: Defect,
    /// The witness of the defect.
    pub witness: Witness,
    /// The evidence for a person that the reply is wrong, beyond the replies themselves.
    pub evidence: Option<Evidence>,
    /// The command of the solver.
    pub solver: String,
    /// The options, behind the command, without any of which it does not show.
    pub options: Vec<SolverOption>,
    /// Single options with which it goes away, if it shows without options.
    pub cures: Vec<SolverOption>,
    /// The seed.
    pub seed: String,
    /// The number of the mutant; 0 is the seed itself.
    pub mutant: usize,
    /// The script on which it shows.
    pub script: String,
    /// The rewriting of the whole seed before it was changed.
    pub rewritten: Option<&'static str>,
    /// Whether an unchanged seed shows it: this one, or the other one of a fusion.
    pub in_seed: bool,
    /// The changes that lead from the seed to the mutant: each literal with its replacement.
    pub changes: Vec<(String, String)>,
    /// The answers of all solvers to the smallest script.
    pub said: Vec<Vote>,
    /// Whether these releases of the solver show it too, the oldest first.
    pub releases: Vec<(String, DefectStatus)>,
    /// A smaller script that shows the defect too; `None` if it is unconfirmed.
    pub reduction: Option<Reduction>,
    /// Whether the campaign ended before the reduction did: when the campaign continues, it tries the same mutant
    /// again.
    pub is_cut_short: bool,
}

impl Finding {
    /// The command of the solver with the options that the defect needs.
    pub fn command(&self) -> String {
        command_with_options(&self.solver, &self.options)
    }

    /// Whether the script asks for functions instead of a model.
    pub fn asks_for_functions(&self) -> bool {
        Tree::read(&self.script).is_ok_and(|script| asks_for_functions(&script))
    }
}

/// Whether a defect shows.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum DefectStatus {
    /// The defect shows.
    Yes,
    /// The solver answers rightly.
    No,
    /// The solver does not answer, or something else is wrong.
    Undecided,
    /// The release does not take the options with which the defect shows.
    OptionsRefused,
}

/// A script on which one solver did not answer in time, while another answered quickly.
#[derive(Clone, Debug)]
pub struct SlowCase {
    /// The command of the solver.
    pub solver: String,
    /// The time that the solver was given.
    pub time: Duration,
    /// The command of the other.
    pub other: String,
    /// The time that the other solver took.
    pub other_time: Duration,
    /// The seed.
    pub seed: String,
    /// The number of the mutant; 0 is the seed itself.
    pub mutant: usize,
    /// The script.
    pub script: String,
    /// A smaller script that shows the same, if the script is the seed itself.
    pub reduced: Option<String>,
    /// Releases of the solver, the oldest first, with the pace of each on the smallest script.
    pub releases: Vec<(String, ReleasePace)>,
}

/// The pace of a release on a script on which another one is slow.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReleasePace {
    /// The release is slow, too.
    Slow,
    /// The release decides the script in time.
    Fast,
    /// The release does not decide the script, for another reason than the limit on its time.
    Undecided,
}

/// A smaller script that shows the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reduction {
    /// The script.
    pub script: String,
    /// The operators in it: findings with the same ones probably have the same cause.
    pub skeleton: String,
    /// The number of scripts that were tried.
    pub checks: usize,
    /// Whether all changes were tried; otherwise the time was over.
    pub is_finished: bool,
}

/// The vote of one solver.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Vote {
    /// The command of the solver.
    pub solver: String,
    /// The answer of the solver.
    pub word: Decision,
    /// All that it printed, standard error last.
    pub output: String,
    /// The commands that it got before the script, which it needs and the solver with the defect does not.
    pub preamble: Vec<&'static str>,
}

impl Vote {
    pub(crate) fn of(heard: &Heard<'_>) -> Vote {
        let Heard { solver, reply, preamble } = heard;
        let output = format!("{}{}", reply.finished.output.text, reply.finished.errors.text);
        Vote { solver: solver.name().to_string(), word: word(reply), output, preamble: preamble.clone() }
    }
}

/// The answer of a solver, or the reason for which there is none.
pub type Decision = Result<Verdict, Option<Fault>>;

/// The decision of a solver in a reply: its last answer.
pub(crate) fn word(reply: &Reply) -> Decision {
    let last = reply.answers().last().map(|answer| answer.verdict);
    last.filter(|&verdict| verdict != Verdict::Unknown).ok_or_else(|| reply.fault.clone())
}

/// The operators in a script, each once, in alphabetic order; connectives and literals are left out.
pub fn skeleton(store: &TermStore, subject: &Subject) -> String {
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

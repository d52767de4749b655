//! Figures of the work of a campaign.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sundry_external::{Fault, Reply, Respondent};

use crate::campaign::history::Answers;
use crate::judge::finding::word;
use crate::judge::tree::is_refused;
use crate::options::configured::Configured;

/// The number of runs of a solver that a limit ended before the solver had answered all questions.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Overruns {
    /// Runs that the limit on time or on processor time ended.
    pub timeouts: usize,
    /// Runs that the limit on memory ended.
    pub memory_outs: usize,
}

impl Overruns {
    /// The overruns of a run with `asked` questions.
    pub(crate) fn of(reply: &Reply, asked: usize) -> Overruns {
        let is_cut = reply.answers().len() < asked;
        Overruns {
            timeouts: usize::from(is_cut && reply.fault == Some(Fault::Timeout)),
            memory_outs: usize::from(is_cut && reply.fault == Some(Fault::Memory)),
        }
    }

    /// Whether there are no overruns.
    pub fn is_none(&self) -> bool {
        *self == Overruns::default()
    }
}

impl std::ops::AddAssign for Overruns {
    fn add_assign(&mut self, other: Overruns) {
        self.timeouts += other.timeouts;
        self.memory_outs += other.memory_outs;
    }
}

/// The runs of a solver with an option, and perhaps others.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct OptionRuns {
    /// All runs.
    pub runs: usize,
    /// Runs without an answer: unknown, out of time, not supported together with the script.
    pub missing: usize,
    /// The runs among these that a limit ended.
    #[serde(flatten)]
    pub overruns: Overruns,
}

impl std::ops::AddAssign for OptionRuns {
    fn add_assign(&mut self, other: OptionRuns) {
        self.runs += other.runs;
        self.missing += other.missing;
        self.overruns += other.overruns;
    }
}

/// The runs of a solver on mutants that it did not decide within its limits.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Undecided {
    /// Mutants that the solver refuses: something is not supported, or is an error.
    pub refused: usize,
    /// Mutants to which the solver answers `unknown`, or nothing.
    pub unknown: usize,
    /// The mutants, of all these and of those that a limit ended, that another solver under test decides.
    pub decided_by_others: usize,
}

impl std::ops::AddAssign for Undecided {
    fn add_assign(&mut self, other: Undecided) {
        self.refused += other.refused;
        self.unknown += other.unknown;
        self.decided_by_others += other.decided_by_others;
    }
}

/// The work so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Mutants that were put to solvers.
    pub mutants: usize,
    /// Replies of the solvers under test to mutants.
    pub replies: usize,
    /// Replies without an answer: unknown, out of time, not supported.
    pub missing: usize,
    /// Replies with counters of what was executed.
    pub counted: usize,
    /// The replies to mutants by strategy.
    pub answers: BTreeMap<&'static str, Answers>,
    /// Replies with something wrong.
    pub suspicious: usize,
    /// Defects among these that did not show again.
    pub vanished: usize,
    /// The overruns of solvers and references on the seed and its mutants, by the command, if there are any.
    pub overruns: BTreeMap<String, Overruns>,
    /// The mutants without options that a solver under test does not decide, by its command, if there are any.
    pub undecided: BTreeMap<String, Undecided>,
    /// Mutants that were put to some solver with options.
    pub varied: usize,
    /// The runs on mutants with each option, by the command of the solver and the argument.
    pub options: BTreeMap<String, BTreeMap<String, OptionRuns>>,
    /// Time that the solvers under test took for mutants.
    pub asking: Duration,
    /// Effort of the solvers under test for mutants: the time of processors, or a part of the time in which solvers waited.
    pub effort: Duration,
    /// The time for following up suspicions: asking others, asking again, reducing.
    pub following: Duration,
}

impl Tally {
    /// The number of replies by which a solver refuses a mutant: something is not supported, or is an error.
    pub fn refused(&self) -> usize {
        self.answers.values().map(|answers| answers.refused).sum()
    }

    /// Counts a run on a mutant with `asked` questions: with its options, if there are any, and otherwise among the overruns.
    pub(crate) fn note_reply(&mut self, solver: &Configured<'_>, reply: &Reply, asked: usize) {
        if solver.options.is_empty() {
            self.note_overruns(solver, reply, asked);
            return;
        }
        let run = OptionRuns {
            runs: 1,
            missing: usize::from(word(reply).is_err()),
            overruns: Overruns::of(reply, asked),
        };
        let options = self.options.entry(solver.solver.name().to_string()).or_default();
        for option in &solver.options {
            *options.entry(option.argument.clone()).or_default() += run;
        }
    }

    /// Counts the solvers that do not decide a mutant.
    pub(crate) fn note_undecided(&mut self, replies: &[(Configured<'_>, Reply)]) {
        let is_decided = replies.iter().any(|(_, reply)| word(reply).is_ok());
        for (solver, reply) in replies.iter().filter(|(_, reply)| word(reply).is_err()) {
            let is_refusal = is_refused(reply);
            *self.undecided.entry(solver.name().to_string()).or_default() += Undecided {
                refused: usize::from(is_refusal),
                unknown: usize::from(!is_refusal && !reply.is_cut()),
                decided_by_others: usize::from(is_decided),
            };
        }
    }

    /// Counts the overruns of a run with `asked` questions.
    pub(crate) fn note_overruns(&mut self, solver: &dyn Respondent, reply: &Reply, asked: usize) {
        let overruns = Overruns::of(reply, asked);
        if !overruns.is_none() {
            *self.overruns.entry(solver.name().to_string()).or_default() += overruns;
        }
    }
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.mutants += other.mutants;
        self.replies += other.replies;
        self.missing += other.missing;
        self.counted += other.counted;
        for (strategy, answers) in other.answers {
            *self.answers.entry(strategy).or_default() += answers;
        }
        self.suspicious += other.suspicious;
        self.vanished += other.vanished;
        other
            .overruns
            .into_iter()
            .for_each(|(solver, runs)| *self.overruns.entry(solver).or_default() += runs);
        for (solver, runs) in other.undecided {
            *self.undecided.entry(solver).or_default() += runs;
        }
        self.varied += other.varied;
        for (solver, options) in other.options {
            let own = self.options.entry(solver).or_default();
            for (argument, runs) in options {
                *own.entry(argument).or_default() += runs;
            }
        }
        self.asking += other.asking;
        self.effort += other.effort;
        self.following += other.following;
    }
}

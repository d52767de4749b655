//! Questions to the solver as others see them, and answers that are known before a question is put.

use sundry_term::{TermId, TermStore};

use crate::explore::{ExploreStatistics, Test};
use crate::input::{Input, VariableId, Variables};
use crate::solve::Answer;

/// A branch that was tried, and what came of it.
pub struct Question<'e> {
    /// The number of the question, from 1 on. Branches that the core of an earlier question refutes have that of the question before them.
    pub number: u64,
    /// The branch, by a number that is the same in all explorations with the same options.
    pub branch: u64,
    /// The number of the test whose path leads to the branch.
    pub test: u64,
    /// The input of that test, whose values stay where the question says nothing of them.
    pub input: &'e Input,
    /// Whether the solver was asked; otherwise, an earlier core refutes the branch.
    pub was_asked: bool,
    /// The work of the answer, in instructions of a plain run that take as long.
    pub work: u64,
    /// The conditions that the solver was asked for, with the bounds of lengths, if the observer wants them.
    pub conditions: &'e [TermId],
    /// The answer.
    pub answer: &'e Answer,
    /// Inputs of the partial solutions.
    pub partials: &'e [Input],
    /// The variables.
    pub variables: &'e Variables,
    /// The terms of the conditions.
    pub store: &'e TermStore,
}

impl Question<'_> {
    /// The answer, so that another exploration can take the same way without the question.
    pub fn known(&self) -> KnownAnswer {
        let changes = |input: &Input| input.changes_from(self.input);
        let kind = match self.answer {
            Answer::Solution(solution) => KnownKind::Solution(changes(solution)),
            Answer::Impossible if self.was_asked => KnownKind::Impossible,
            Answer::Impossible => KnownKind::Refuted,
            Answer::Unknown => KnownKind::Unknown,
        };
        KnownAnswer { kind, work: self.work, partials: self.partials.iter().map(changes).collect() }
    }
}

/// Values that variables get.
pub type Changes = Vec<(VariableId, u64)>;

/// An answer that is known before the question is put.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum KnownKind {
    /// An input takes the branch, which has these values and else those of the input that leads to the branch.
    Solution(Changes),
    /// A solver has found that no input does.
    Impossible,
    /// No input does, by the core of an earlier question.
    Refuted,
    /// A solver has not found out.
    Unknown,
}

/// An answer of an earlier exploration with the same options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnownAnswer {
    /// The answer.
    pub kind: KnownKind,
    /// The work of the answer, in instructions of a plain run that take as long.
    pub work: u64,
    /// The values of partial solutions that differ from those of the input that leads to the branch.
    pub partials: Vec<Changes>,
}

impl KnownAnswer {
    /// The answer and the partial solutions for a branch to which an input leads; `None` if there are no such variables.
    pub(crate) fn apply(&self, input: &Input, variables: &Variables) -> Option<(Answer, Vec<Input>)> {
        let changed = |changes: &Changes| {
            let mut input = input.clone();
            for &(id, value) in changes {
                if !variables.has_value(id, value) {
                    return None;
                }
                input.set(id, value);
            }
            Some(input)
        };
        let answer = match &self.kind {
            KnownKind::Solution(changes) => Answer::Solution(changed(changes)?),
            KnownKind::Impossible | KnownKind::Refuted => Answer::Impossible,
            KnownKind::Unknown => Answer::Unknown,
        };
        Some((answer, self.partials.iter().map(changed).collect::<Option<_>>()?))
    }
}

/// Receives what an exploration does. A function of tests is an observer too.
pub trait Observer {
    /// Receives a test that was run.
    fn test(&mut self, test: &Test<'_>);

    /// Receives a shorter input with the error of the last test, whose path is known already.
    fn shortened(&mut self, _test: &Test<'_>) {}

    /// Receives a branch that was tried now. Answers that were known before are left out.
    fn question(&mut self, _question: &Question<'_>) {}

    /// Whether questions come with their conditions, which take time to collect.
    fn wants_conditions(&self) -> bool {
        false
    }

    /// Inputs that somebody else has found since the last call. Like partial solutions, they are run if they bring something new. The exploration asks before each round
    /// of questions.
    fn imports(&mut self, _variables: &Variables) -> Vec<Input> {
        Vec::new()
    }

    /// Whether the exploration has found enough and ends. The exploration asks before each run of an input and before each round of questions.
    fn has_enough(&self) -> bool {
        false
    }

    /// Hears that a branch was tried or a test was run. The function counts what there is.
    fn step(&mut self, _count: &dyn Fn() -> ExploreStatistics) {}
}

impl<F: FnMut(&Test<'_>)> Observer for F {
    fn test(&mut self, test: &Test<'_>) {
        self(test);
    }
}

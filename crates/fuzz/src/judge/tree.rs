//! Judging the replies of a solver to a script with theories that Sundry does not know, by the replies of others and its own.
//!
//! The evaluator does not know such a script, so nobody but the solver itself judges its models: it is asked the same script
//! with the values of its model as definitions, to which `unsat` contradicts its answer.

use std::io;

use sundry_external::{Fault, Reply, Respondent, Verdict};

use crate::ask::asker::Asker;
use crate::judge::defect::{Defect, Witness};
use crate::judge::oracle::Examination;
use crate::seed::synthesis::violation;
use crate::seed::tree::{TreeQuestion, question_alone, with_model};

/// Judges replies with the help of others.
#[derive(Clone)]
pub(crate) struct TreeExaminer<'a> {
    pub(crate) asker: Asker<'a>,
    /// The references that know the theories of the script, without the solver that is judged.
    pub(crate) references: Vec<&'a dyn Respondent>,
    /// The solver without options, if it is judged with some. It is heard where no reference decides.
    pub(crate) itself: Option<&'a dyn Respondent>,
    /// The other solvers under test, which are heard where none of these decides.
    pub(crate) peers: Vec<&'a dyn Respondent>,
}

/// The answers of others to a question.
#[derive(Default)]
struct Others {
    agreeing: Vec<String>,
    opposing: Vec<String>,
}

impl Others {
    /// Whether any of them decides the question.
    fn decide(&self) -> bool {
        !self.agreeing.is_empty() || !self.opposing.is_empty()
    }

    /// The answers of some solvers to the question with this number, beside the verdict of another solver.
    fn of(
        solvers: &[&dyn Respondent],
        replies: &[(&dyn Respondent, &Reply)],
        number: usize,
        verdict: Verdict,
    ) -> Others {
        let mut others = Others::default();
        for solver in solvers {
            let reply = replies.iter().find(|(other, _)| other.name() == solver.name());
            match reply.and_then(|(_, reply)| reply.answers().get(number)).map(|answer| answer.verdict) {
                Some(other) if other == verdict => others.agreeing.push(solver.name().to_string()),
                Some(Verdict::Unknown) | None => {}
                Some(_) => others.opposing.push(solver.name().to_string()),
            }
        }
        others
    }
}

/// The position of the peers among the groups of solvers that are heard.
const PEERS: usize = 2;

/// Whether a reply decides any question.
fn decides(reply: &Reply) -> bool {
    reply.answers().iter().any(|answer| answer.verdict != Verdict::Unknown)
}

/// Whether a solver says that it does not know something in a script, or that the script is wrong.
pub(crate) fn is_refused(reply: &Reply) -> bool {
    matches!(reply.fault, Some(Fault::Unsupported(_) | Fault::Error(_) | Fault::NoAnswer))
}

/// The opposite of an answer; `None` for an unknown one.
fn opposite(verdict: Verdict) -> Option<Verdict> {
    match verdict {
        Verdict::Sat => Some(Verdict::Unsat),
        Verdict::Unsat => Some(Verdict::Sat),
        Verdict::Unknown => None,
    }
}

impl TreeExaminer<'_> {
    /// The defect of a reply, if any, given the status that the script records for each question, and replies of others to the
    /// same question; those whose reply is missing are asked.
    ///
    /// # Errors
    /// A solver cannot be started.
    pub(crate) fn examine(
        &self,
        question: &TreeQuestion,
        recorded: &[Option<Verdict>],
        solver: &dyn Respondent,
        reply: &Reply,
        others: &[(&dyn Respondent, &Reply)],
    ) -> io::Result<Option<Examination>> {
        if let Some(Fault::Crash(signature)) = &reply.fault {
            return Ok(Some(Examination {
                defect: Defect::Crash(signature.clone()),
                witness: Witness::Itself,
            }));
        }
        let asked = self.replies(question, solver, reply, others)?;
        let replies: Vec<(&dyn Respondent, &Reply)> =
            asked.iter().map(|(other, reply)| (*other, reply)).chain(others.iter().copied()).collect();
        for (number, answer) in reply.answers().iter().enumerate() {
            let Some(right) = opposite(answer.verdict) else { continue };
            let is_recorded = recorded.get(number).copied().flatten() == Some(right);
            // The first group in which anybody decides has the word.
            let said = self.groups().map(|group| Others::of(&group, &replies, number, answer.verdict));
            let deciding = said.into_iter().enumerate().find(|(_, said)| said.decide());
            let witness = match deciding {
                Some((_, said)) if !said.agreeing.is_empty() => continue,
                Some((PEERS, said)) => Witness::Opposed(said.opposing),
                Some((_, said)) => Witness::Solvers(said.opposing),
                None if is_recorded => Witness::Recorded,
                None => continue,
            };
            return Ok(Some(Examination { defect: Defect::WrongAnswer { right }, witness }));
        }
        if matches!(reply.fault, Some(Fault::InvalidModel(_))) {
            return Ok(Some(Examination { defect: Defect::InvalidModel, witness: Witness::Itself }));
        }
        let is_refuted = self.refuted(question, solver, reply)?.is_some();
        let examination = Examination { defect: Defect::InvalidModel, witness: Witness::OwnModel };
        Ok(is_refuted.then_some(examination))
    }

    /// A solver, other than the one that is judged, that takes the script of a question and does not crash on it.
    ///
    /// # Errors
    /// A solver cannot be started.
    pub(crate) fn reader(
        &self,
        question: &TreeQuestion,
        solver: &dyn Respondent,
    ) -> io::Result<Option<&dyn Respondent>> {
        for other in self.groups().into_iter().flatten().filter(|other| other.name() != solver.name()) {
            let reply = self.asker.ask(other, &question.inquiry)?;
            if !is_refused(&reply) && !matches!(reply.fault, Some(Fault::Crash(_))) {
                return Ok(Some(other));
            }
        }
        Ok(None)
    }

    /// The groups of solvers that are heard, in this order, until a solver decides.
    fn groups(&self) -> [Vec<&dyn Respondent>; PEERS + 1] {
        [self.references.clone(), self.itself.into_iter().collect(), self.peers.clone()]
    }

    /// The replies of the solvers that are [heard](Self::groups), without the given ones; none if the judged solver decides
    /// nothing.
    fn replies(
        &self,
        question: &TreeQuestion,
        solver: &dyn Respondent,
        reply: &Reply,
        others: &[(&dyn Respondent, &Reply)],
    ) -> io::Result<Vec<(&dyn Respondent, Reply)>> {
        let mut replies = Vec::new();
        if !decides(reply) {
            return Ok(replies);
        }
        for group in self.groups() {
            let mut is_decided = false;
            for &other in group.iter().filter(|other| other.name() != solver.name()) {
                is_decided |= match others.iter().find(|(there, _)| there.name() == other.name()) {
                    Some((_, reply)) => decides(reply),
                    None => {
                        let reply = self.asker.ask(other, &question.inquiry)?;
                        let is_decided = decides(&reply);
                        replies.push((other, reply));
                        is_decided
                    }
                };
            }
            if is_decided {
                break;
            }
        }
        Ok(replies)
    }

    /// The script of a question with the model or the functions of the solver for it, if the solver says that these are wrong, with its answer.
    pub(crate) fn refuted(
        &self,
        question: &TreeQuestion,
        solver: &dyn Respondent,
        reply: &Reply,
    ) -> io::Result<Option<(TreeQuestion, Verdict)>> {
        let answers = reply.answers().iter().enumerate();
        for (number, answer) in answers.filter(|(_, answer)| answer.verdict == Verdict::Sat) {
            let Some(found) = answer.behind.first() else { continue };
            let (valued, refutation) = if question.wants_model {
                let alone = question_alone(&question.tree, number);
                (alone.and_then(|tree| with_model(&tree, found)), Verdict::Unsat)
            } else {
                (violation(&question.tree, found), Verdict::Sat)
            };
            let Some(valued) = valued.map(|tree| TreeQuestion::new(tree, false)) else { continue };
            if self.asker.ask(solver, &valued.inquiry)?.verdict() == Some(refutation) {
                return Ok(Some((valued, refutation)));
            }
        }
        Ok(None)
    }
}

//! Judging the replies of a solver to a script with theories that Sundry does not know, by the replies of others and its own.
//!
//! The evaluator does not know such a script, so nobody but the solver itself judges its models: it is asked the same script
//! with the values of its model as definitions, to which `unsat` contradicts its answer.

use std::io;

use sundry_external::{Fault, Reply, Respondent, Verdict};

use crate::ask::asker::Asker;
use crate::judge::defect::{Defect, Witness};
use crate::judge::oracle::Examination;
use crate::seed::tree::{TreeQuestion, with_model};

/// Judges replies with the help of others.
#[derive(Clone)]
pub(crate) struct TreeExaminer<'a> {
    pub(crate) asker: Asker<'a>,
    /// The references that know the theories of the script.
    pub(crate) references: Vec<&'a dyn Respondent>,
    /// The other solvers under test, which are heard where there is no reference.
    pub(crate) peers: Vec<&'a dyn Respondent>,
}

/// The answers of others to a question.
#[derive(Default)]
struct Others {
    agreeing: Vec<String>,
    opposing: Vec<String>,
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
        let replies = || {
            let own = asked.iter().map(|(other, reply)| (*other, reply));
            own.chain(others.iter().copied()).filter(|(other, _)| other.name() != solver.name())
        };
        for (number, answer) in reply.answers().iter().enumerate() {
            let Some(right) = opposite(answer.verdict) else { continue };
            let mut said = Others::default();
            for (other, reply) in replies() {
                match reply.answers().get(number).map(|answer| answer.verdict) {
                    Some(verdict) if verdict == right => said.opposing.push(other.name().to_string()),
                    Some(verdict) if verdict == answer.verdict => {
                        said.agreeing.push(other.name().to_string())
                    }
                    _ => {}
                }
            }
            let is_recorded = recorded.get(number).copied().flatten() == Some(right);
            let witness = match (&said.agreeing[..], said.opposing.is_empty()) {
                ([], false) if self.references.is_empty() => Witness::Opposed(said.opposing),
                ([], false) => Witness::Solvers(said.opposing),
                ([], true) if is_recorded => Witness::Recorded,
                _ => continue,
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

    /// The replies of those who are to be heard and are not among these, if the solver decides anything.
    fn replies(
        &self,
        question: &TreeQuestion,
        solver: &dyn Respondent,
        reply: &Reply,
        others: &[(&dyn Respondent, &Reply)],
    ) -> io::Result<Vec<(&dyn Respondent, Reply)>> {
        let mut replies = Vec::new();
        if reply.answers().iter().all(|answer| answer.verdict == Verdict::Unknown) {
            return Ok(replies);
        }
        let heard = if self.references.is_empty() { &self.peers } else { &self.references };
        for &other in heard {
            let is_there = others.iter().any(|(there, _)| there.name() == other.name());
            if !is_there && other.name() != solver.name() {
                replies.push((other, self.asker.ask(other, &question.inquiry)?));
            }
        }
        Ok(replies)
    }

    /// The script with the model of the solver, if the solver says that this script has no model.
    pub(crate) fn refuted(
        &self,
        question: &TreeQuestion,
        solver: &dyn Respondent,
        reply: &Reply,
    ) -> io::Result<Option<TreeQuestion>> {
        let [answer] = reply.answers() else { return Ok(None) };
        let model = answer.behind.first().filter(|_| answer.verdict == Verdict::Sat && question.wants_model);
        let Some(tree) = model.and_then(|model| with_model(&question.tree, model)) else { return Ok(None) };
        let valued = TreeQuestion::new(tree, false);
        let again = self.asker.ask(solver, &valued.inquiry)?;
        Ok((again.verdict() == Some(Verdict::Unsat)).then_some(valued))
    }
}

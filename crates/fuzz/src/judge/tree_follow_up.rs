//! The follow-up of a defect on a script with theories that Sundry does not know.

use std::collections::BTreeSet;
use std::io;
use std::time::Instant;

use sundry_external::{Reply, Respondent, Verdict};
use sundry_smtlib::ScriptText;
use sundry_term::TermStore;

use crate::ask::asker::Asker;
use crate::ask::preamble::for_another;
use crate::judge::defect::{Defect, Witness};
use crate::judge::evidence::Evidence;
use crate::judge::finding::{DefectStatus, Reduction, Vote, word};
use crate::judge::follow_up::FollowedUp;
use crate::judge::helpers::{Heard, Helpers};
use crate::judge::oracle::Examination;
use crate::judge::tree::{TreeExaminer, is_refused};
use crate::options::configured::Configured;
use crate::reduce::{Check, reduce_tree};
use crate::seed::tree::{TreeQuestion, with_model};
use crate::tree::Tree;
use crate::tree::sorting::Sorting;

/// Operators that do not tell one defect from another.
const CONNECTIVES: [&str; 7] = ["not", "and", "or", "=>", "xor", "=", "ite"];

/// The examiner of replies, and those who help to follow up.
pub(crate) struct TreeFollowUp<'a> {
    pub(crate) examiner: TreeExaminer<'a>,
    pub(crate) helpers: Helpers<'a>,
}

impl TreeFollowUp<'_> {
    /// Reduces the script as long as it shows the same defect, and asks all solvers about the result.
    ///
    /// # Errors
    /// A solver cannot be started.
    pub(crate) fn pursue(
        &self,
        question: &TreeQuestion,
        solver: &Configured<'_>,
        examination: &Examination,
    ) -> io::Result<FollowedUp> {
        let Examination { defect, witness } = examination;
        let (mut witness, mut question, mut reduction) = (witness.clone(), question.clone(), None);
        if witness.confirms(defect)
            && let Some((reduced, confirmed)) = self.smallest(&question, solver, defect)?
        {
            witness = confirmed.unwrap_or(witness);
            question = reduced.question;
            reduction = Some(reduced.reduction);
        }
        let (examiner, wants_model) = (&self.examiner, question.wants_model);
        let status = |solver: &Configured<'_>| {
            let examiner = examiner.clone();
            let mut check = SameDefect {
                examiner,
                solver,
                defect,
                wants_model,
                reader: None,
                until: None,
                witness: None,
            };
            check.look(question.tree.clone())
        };
        let solver = match &reduction {
            // While the script became smaller, another defect of the same kind may have taken the place of the first.
            Some(_) => solver.with_fewest_options(|fewer| Ok(status(fewer)? == DefectStatus::Yes))?,
            None => solver.clone(),
        };
        let replies = self.helpers.replies(&solver, &question.inquiry)?;
        let said = replies.iter().map(Vote::of).collect();
        let evidence = self.evidence(&question, &solver, defect, &replies)?;
        let releases = self.helpers.on_releases(&solver, status)?;
        let cures = match &reduction {
            Some(_) => self.helpers.cures(&solver, status)?,
            None => Vec::new(),
        };
        Ok(FollowedUp { witness, evidence, reduction, said, releases, options: solver.options, cures })
    }

    /// The smallest script found with the defect, and its witness; without a request for models if that makes no difference. `None` if
    /// the defect does not show again.
    fn smallest(
        &self,
        question: &TreeQuestion,
        solver: &dyn Respondent,
        defect: &Defect,
    ) -> io::Result<Option<(Smallest, Option<Witness>)>> {
        let asker = Asker { interrupted: self.helpers.interrupted, ..self.examiner.asker };
        let examiner = TreeExaminer { asker, ..self.examiner.clone() };
        let until = Some(Instant::now() + self.helpers.reduction);
        // What crashes a solver may be no script at all, which nobody repairs, so that another solver has to take it.
        let reader = match defect {
            Defect::Crash(_) => examiner.reader(question, solver)?,
            _ => None,
        };
        let without_models = question.wants_model && *defect != Defect::InvalidModel;
        for wants_model in without_models.then_some(false).into_iter().chain([question.wants_model]) {
            let examiner = examiner.clone();
            let mut check =
                SameDefect { examiner, solver, defect, wants_model, reader, until, witness: None };
            if let Some(reduced) = reduce_tree(question.tree.clone(), &mut check)? {
                let question = TreeQuestion::new(reduced.subject, wants_model);
                let reduction = Reduction {
                    script: question.inquiry.text.to_string(),
                    skeleton: skeleton(&question.tree),
                    checks: reduced.checks,
                    is_finished: reduced.is_finished,
                };
                return Ok(Some((Smallest { question, reduction }, check.witness)));
            }
        }
        Ok(None)
    }

    /// A script with the values of a model to which the solver contradicts itself, if there is one.
    fn evidence(
        &self,
        question: &TreeQuestion,
        solver: &dyn Respondent,
        defect: &Defect,
        replies: &[Heard<'_>],
    ) -> io::Result<Option<Evidence>> {
        let examiner = &self.examiner;
        let reply_of = |name: &str| replies.iter().find(|heard| heard.solver.name() == name);
        match defect {
            Defect::InvalidModel => {
                let Some(own) = reply_of(solver.name()) else { return Ok(None) };
                let valued = examiner.refuted(question, solver, &own.reply)?;
                Ok(valued.map(|(valued, answer)| Evidence::Model {
                    whose: solver.name().to_string(),
                    script: valued.inquiry.text.into_string(),
                    answer: Ok(answer),
                }))
            }
            Defect::WrongAnswer { right: Verdict::Sat } if question.count == 1 => {
                let request = TreeQuestion::new(question.tree.clone(), true);
                for other in replies.iter().map(|heard| heard.solver) {
                    if other.name() == solver.name() {
                        continue;
                    }
                    let completed = for_another(&request.inquiry, solver, other);
                    let request = completed.as_ref().map_or(&request.inquiry, |(completed, _)| completed);
                    let reply = examiner.asker.ask(other, request)?;
                    let [answer] = reply.answers() else { continue };
                    let model = answer.behind.first().filter(|_| answer.verdict == Verdict::Sat);
                    let Some(tree) = model.and_then(|model| with_model(&question.tree, model)) else {
                        continue;
                    };
                    let valued = TreeQuestion::new(tree, false);
                    let answer = word(&examiner.asker.ask(solver, &valued.inquiry)?);
                    // A solver may not know how another one writes values.
                    if answer == Ok(Verdict::Sat) {
                        let (whose, script) = (other.name().to_string(), valued.inquiry.text.into_string());
                        return Ok(Some(Evidence::Model { whose, script, answer }));
                    }
                }
                Ok(None)
            }
            _ => Ok(None),
        }
    }
}

/// A script that was made smaller.
struct Smallest {
    question: TreeQuestion,
    reduction: Reduction,
}

/// The operators of a script that it does not declare, each once, in alphabetic order, without connectives.
fn skeleton(tree: &Tree) -> String {
    let Sorting { declared, places, .. } = Sorting::of(tree);
    let applied = places.into_iter().filter_map(|place| Some(place.application?.operator));
    let names: BTreeSet<String> = applied
        .map(|name| if declared.classes.has(&name) { "function".to_string() } else { name })
        .filter(|name| !CONNECTIVES.contains(&&**name))
        .collect();
    names.into_iter().collect::<Vec<_>>().join(" ")
}

/// Whether a solver has the same defect, also on other scripts.
struct SameDefect<'e> {
    examiner: TreeExaminer<'e>,
    solver: &'e dyn Respondent,
    defect: &'e Defect,
    wants_model: bool,
    /// A solver that has to take smaller scripts.
    reader: Option<&'e dyn Respondent>,
    /// The time at which the work has to end.
    until: Option<Instant>,
    /// The witness of the last confirmed script.
    witness: Option<Witness>,
}

impl SameDefect<'_> {
    fn look(&mut self, tree: Tree) -> io::Result<DefectStatus> {
        let question = TreeQuestion::new(tree, self.wants_model);
        if question.count == 0 {
            return Ok(DefectStatus::Undecided);
        }
        let reply = self.examiner.asker.ask(self.solver, &question.inquiry)?;
        let examination = self.examiner.examine(&question, &[], self.solver, &reply, &[])?;
        Ok(match examination {
            Some(Examination { defect, witness })
                if defect == *self.defect && witness.confirms(&defect) && self.is_taken(&question)? =>
            {
                self.witness = Some(witness);
                DefectStatus::Yes
            }
            None if self.is_right(&question, &reply) => DefectStatus::No,
            _ => DefectStatus::Undecided,
        })
    }

    /// Whether the reader, if there is one, takes the script.
    fn is_taken(&self, question: &TreeQuestion) -> io::Result<bool> {
        let Some(reader) = self.reader else { return Ok(true) };
        Ok(!is_refused(&self.examiner.asker.ask(reader, &question.inquiry)?))
    }

    /// Whether a reply without a detected fault is right if the other is not.
    fn is_right(&self, question: &TreeQuestion, reply: &Reply) -> bool {
        let has_all = word(reply).is_ok() && reply.answers().len() == question.count;
        has_all
            && match self.defect {
                Defect::WrongAnswer { right } => {
                    reply.answers().iter().any(|answer| answer.verdict == *right)
                }
                _ => true,
            }
    }
}

impl Check<Tree> for SameDefect<'_> {
    type Error = io::Error;

    fn shows(&mut self, _: &mut TermStore, tree: &Tree, _: &ScriptText) -> io::Result<bool> {
        Ok(self.look(tree.clone())? == DefectStatus::Yes)
    }

    fn goes_on(&self) -> bool {
        self.examiner.asker.goes_on_until(self.until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_tell_defects_apart() {
        let text = "(declare-fun f (Int) Int) (declare-const a (Set Int))
            (assert (and (set.member (f 1) (set.union a a)) (not (= a a)))) (check-sat)";
        let tree = Tree::read(text).expect("parentheses match");
        assert_eq!(skeleton(&tree), "function set.member set.union");
    }
}

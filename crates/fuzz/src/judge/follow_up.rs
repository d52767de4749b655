//! The follow-up of a defect that showed twice: it is reduced, and all solvers are asked about the result.

use std::borrow::Cow;
use std::io;
use std::time::{Duration, Instant};

use sundry_external::{Reply, Respondent, SolverOption, Verdict};
use sundry_smtlib::{Command, ScriptText};
use sundry_term::{TermId, TermStore};

use crate::ask::allowance::limits_within;
use crate::ask::asker::Asker;
use crate::ask::question::{Question, script};
use crate::judge::defect::{Defect, Witness};
use crate::judge::evidence::Evidence;
use crate::judge::finding::{DefectStatus, Reduction, Vote, skeleton, word};
use crate::judge::helpers::Helpers;
use crate::judge::model::{ModelVerdict, judge_answer};
use crate::judge::oracle::{Examination, Examiner};
use crate::options::configured::Configured;
use crate::reduce::{Check, Reduced, Subject, reduce_changed};
use crate::seed::status::SeedModel;

/// The factor from a solver's time for the whole script to its limit while the script is reduced.
const TIME_FACTOR: u32 = 4;
/// The least limit of a solver while a script is reduced.
const LEAST_TIME: Duration = Duration::from_millis(200);

/// A solver with a defect.
#[derive(Copy, Clone)]
pub(crate) struct Suspect<'s> {
    /// The solver, with the options that the defect needs.
    pub(crate) solver: &'s Configured<'s>,
    pub(crate) defect: &'s Defect,
    /// The witness of the defect.
    pub(crate) witness: &'s Witness,
    /// The script that shows the defect, and its questions.
    pub(crate) question: &'s Question,
    /// A model of the seed.
    pub(crate) model: Option<&'s SeedModel>,
    /// The changes that lead from the seed to the mutant.
    pub(crate) changes: &'s [(TermId, TermId)],
    /// The time that the solver took to show the defect.
    pub(crate) time: Duration,
}

/// The result of following up a defect.
pub(crate) struct FollowedUp {
    /// The options that the defect needs on the smallest script.
    pub(crate) options: Vec<SolverOption>,
    /// The witness for the smallest script.
    pub(crate) witness: Witness,
    /// The evidence for the defect on the smallest script.
    pub(crate) evidence: Option<Evidence>,
    /// A smaller script; `None` if the defect is unconfirmed, or did not show again.
    pub(crate) reduction: Option<Reduction>,
    /// The votes on the smallest script.
    pub(crate) said: Vec<Vote>,
    /// Whether these releases of the solver show it too.
    pub(crate) releases: Vec<(String, DefectStatus)>,
    /// Options, each of which alone makes it go away.
    pub(crate) cures: Vec<SolverOption>,
}

/// The examiner of replies, and those who help to follow up.
#[derive(Copy, Clone)]
pub(crate) struct FollowUp<'a> {
    pub(crate) examiner: Examiner<'a>,
    pub(crate) helpers: Helpers<'a>,
}

impl FollowUp<'_> {
    /// Reduces the formula as long as it shows the same defect, and asks all solvers about the result.
    ///
    /// # Errors
    /// A solver cannot be started.
    pub(crate) fn pursue(self, store: &mut TermStore, suspect: Suspect<'_>) -> io::Result<FollowedUp> {
        let Suspect { question, defect, .. } = suspect;
        let (mut witness, mut subject, mut reduction) =
            (suspect.witness.clone(), question.subject.clone(), None);
        if witness.confirms(defect)
            && let Some((reduced, confirmed)) = self.smallest(store, suspect)?
        {
            witness = confirmed.unwrap_or(witness);
            subject = reduced.subject;
            let Reduced { text, checks, is_finished, .. } = reduced;
            let skeleton = skeleton(store, &subject);
            reduction = Some(Reduction { script: text, skeleton, checks, is_finished });
        }
        let inquiry = match &reduction {
            Some(_) => Cow::Owned(subject.inquiry(store, subject.text(store))),
            None => Cow::Borrowed(&question.inquiry),
        };
        let solver = match &reduction {
            Some(_) => self.with_fewest_options(store, suspect, &subject, &inquiry.text)?,
            None => suspect.solver.clone(),
        };
        let suspect = Suspect { solver: &solver, ..suspect };
        let replies = self.helpers.replies(&solver, &inquiry)?;
        let said = replies.iter().map(Vote::of).collect();
        let smallest = match &reduction {
            Some(_) => Question::of_subject(store, subject.clone(), inquiry.text.clone()),
            None => Some(question.clone()),
        };
        let evidence = match &smallest {
            Some(question) => Evidence::of(store, self.examiner, question, (&solver, defect), &replies)?,
            None => None,
        };
        let mut status = |solver: &Configured<'_>| {
            self.status_of(store, Suspect { solver, ..suspect }, &subject, &inquiry.text)
        };
        let releases = self.helpers.on_releases(&solver, &mut status)?;
        let cures = match &reduction {
            Some(_) => self.helpers.cures(&solver, status)?,
            None => Vec::new(),
        };
        let options = solver.options;
        Ok(FollowedUp { options, witness, evidence, reduction, said, releases, cures })
    }

    /// The solver without the options that the defect no longer needs on a script: while the script became smaller, another
    /// defect of the same kind may have taken the place of the first.
    fn with_fewest_options<'s>(
        self,
        store: &mut TermStore,
        suspect: Suspect<'s>,
        subject: &Subject,
        text: &ScriptText,
    ) -> io::Result<Configured<'s>> {
        suspect.solver.with_fewest_options(|solver| {
            let status = self.status_of(store, Suspect { solver, ..suspect }, subject, text)?;
            Ok(status == DefectStatus::Yes)
        })
    }

    /// Whether a solver shows the same defect on a script.
    fn status_of(
        self,
        store: &mut TermStore,
        suspect: Suspect<'_>,
        subject: &Subject,
        text: &ScriptText,
    ) -> io::Result<DefectStatus> {
        SameDefect { examiner: self.examiner, suspect, until: None, witness: None }.look(store, subject, text)
    }

    /// The smallest script found with the defect, and its witness. `None` if the defect does not show again.
    fn smallest(
        self,
        store: &mut TermStore,
        suspect: Suspect<'_>,
    ) -> io::Result<Option<(Reduced, Option<Witness>)>> {
        let until = Some(Instant::now() + self.helpers.reduction);
        let asker = Asker { interrupted: self.helpers.interrupted, ..self.examiner.asker };
        let whole = asker.limits.time();
        let usual = (suspect.time * TIME_FACTOR).max(LEAST_TIME).min(whole);
        // Printed without definitions, the script may not show the defect.
        let with_definitions = definitions_kept(store, suspect.question);
        let changes = suspect.changes;
        for subject in std::iter::once(suspect.question.subject.clone()).chain(with_definitions) {
            // On a busy machine it may need more time than is usual for it.
            for time in [usual, whole] {
                let limits = limits_within(asker.limits, time);
                let examiner = Examiner { asker: Asker { limits: &limits, ..asker }, ..self.examiner };
                let mut check = SameDefect { examiner, suspect, until, witness: None };
                if let Some(reduced) = reduce_changed(store, subject.clone(), changes, &mut check)? {
                    return Ok(Some((reduced, check.witness)));
                }
            }
        }
        Ok(None)
    }
}

/// A plain question that keeps the definitions of its script for shared terms, which its subject lacks. `None` if
/// there are no definitions.
fn definitions_kept(store: &TermStore, question: &Question) -> Option<Subject> {
    let asked = question.asked.first().filter(|_| question.is_plain())?;
    let script = script(store, &asked.formula, asked.expected != Some(Verdict::Unsat));
    let has_definitions = script.commands.iter().any(|(command, _)| matches!(command, Command::Define(_)));
    has_definitions.then(|| Subject::of_script(&script))
}

/// Whether a solver has the same defect, also on other scripts.
struct SameDefect<'e> {
    examiner: Examiner<'e>,
    suspect: Suspect<'e>,
    /// The time at which the work has to end.
    until: Option<Instant>,
    /// The witness of the last confirmed script.
    witness: Option<Witness>,
}

impl SameDefect<'_> {
    fn look(
        &mut self,
        store: &mut TermStore,
        subject: &Subject,
        text: &ScriptText,
    ) -> io::Result<DefectStatus> {
        let Some(mut question) = Question::of_subject(store, subject.clone(), text.clone()) else {
            return Ok(DefectStatus::Undecided);
        };
        let Suspect { solver, model, .. } = self.suspect;
        question.definitions.clone_from(&self.suspect.question.definitions);
        let reply = self.examiner.asker.ask(solver, &question.inquiry)?;
        let examination = self.examiner.examine(store, &question, model, solver, &reply)?;
        match examination {
            Some(Examination { defect, witness })
                if defect == *self.suspect.defect && witness.confirms(&defect) =>
            {
                self.witness = Some(witness);
                Ok(DefectStatus::Yes)
            }
            None if self.is_right(store, &question, &reply) => Ok(DefectStatus::No),
            _ => Ok(DefectStatus::Undecided),
        }
    }

    /// Whether a reply without a detected fault is right if the other is not.
    fn is_right(&self, store: &mut TermStore, question: &Question, reply: &Reply) -> bool {
        let (answers, control) = (reply.answers(), self.examiner.asker.control);
        let has_all = word(reply).is_ok() && answers.len() == question.asked.len();
        has_all
            && match self.suspect.defect {
                Defect::WrongAnswer { right } => answers.iter().any(|answer| answer.verdict == *right),
                Defect::InvalidModel => question.asked.iter().zip(answers).all(|(asked, answer)| {
                    let escapes = self.suspect.solver.capabilities().escapes;
                    let text = answer.behind.first();
                    let judged =
                        text.map(|text| judge_answer(store, &asked.formula, (text, escapes), control));
                    match judged {
                        // No model was asked for here.
                        None => answers.len() > 1,
                        Some(judged) => matches!(judged, Some((_, ModelVerdict::Valid))),
                    }
                }),
                _ => true,
            }
    }
}

impl Check for SameDefect<'_> {
    type Error = io::Error;

    fn shows(&mut self, store: &mut TermStore, subject: &Subject, text: &ScriptText) -> io::Result<bool> {
        Ok(self.look(store, subject, text)? == DefectStatus::Yes)
    }

    fn goes_on(&self) -> bool {
        self.examiner.asker.goes_on_until(self.until)
    }
}

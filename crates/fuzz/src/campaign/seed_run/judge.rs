//! The treatment of replies: the status of the seed, and the faults of an answer.

use std::io;
use std::sync::atomic::Ordering;
use std::time::Instant;

use sundry_external::{Reply, Respondent, Verdict};
use sundry_smtlib::{Formula, print_term};

use super::SeedRun;
use crate::ask::allowance::{Allowance, time_of};
use crate::ask::asker::Asker;
use crate::ask::question::{Question, inquiry};
use crate::ask::style::with_objectives;
use crate::campaign::history::undecided;
use crate::campaign::slow::{Heard, note_slow_solvers};
use crate::campaign::work::SeedWork;
use crate::campaign::{Context, Event};
use crate::judge::defect::Defect;
use crate::judge::finding::{Finding, word};
use crate::judge::follow_up::{FollowUp, FollowedUp, Suspect};
use crate::judge::model::judge_reply;
use crate::judge::oracle::{Examination, Examiner};
use crate::mutate::generator::Mutant;
use crate::mutate::stream::MutantQuestion;
use crate::options::configured::Configured;
use crate::options::culprit::Culprit;
use crate::reduce::{Reduced, reduce};
use crate::seed::status::{SeedModel, SeedStatus, pairs};

impl SeedRun {
    /// Whether a model of a mutant is also a model of the seed, which was considered unsatisfiable. Then the solvers
    /// that said so are wrong, and the mutants do not have the intended status.
    pub(super) fn is_refuted_by(
        &mut self,
        asker: Asker<'_>,
        mutant_question: &MutantQuestion,
        solver: &dyn Respondent,
        reply: &Reply,
    ) -> io::Result<bool> {
        let says_sat =
            mutant_question.question.asked.iter().zip(reply.answers()).any(|(asked, answer)| {
                asked.expected == Some(Verdict::Unsat) && answer.verdict == Verdict::Sat
            });
        if !says_sat {
            return Ok(false);
        }
        let formula = Formula::of_assertions(&self.store, mutant_question.mutant.assertions.clone());
        let reply = asker.ask(solver, &inquiry(&self.store, &formula, true))?;
        let answer =
            judge_reply(&mut self.store, &formula, (&reply, solver.capabilities().escapes), asker.control);
        let Some((model, _)) = answer else { return Ok(false) };
        let model = SeedModel { model, whose: solver.name().to_string() };
        if model.satisfies(&self.store, &self.formula, &[], asker.control) {
            self.refuted = Some(SeedStatus { verdict: Verdict::Sat, model: Some(model) });
        }
        Ok(self.refuted.is_some())
    }

    /// Asks everybody about the seed.
    pub(super) fn judge_seed(&mut self, context: Context<'_>) -> io::Result<()> {
        let Context { campaign, asker, .. } = context;
        let formula = self.formula.clone();
        let mut question = match &self.objectives[..] {
            [] => Question::plain(&self.store, formula, None),
            objectives => with_objectives(&self.store, formula, None, objectives),
        };
        let replies = asker.ask_all(campaign.solvers, &question.inquiry)?;
        let words = asker.ask_all(campaign.references, &question.inquiry)?;
        for (solver, reply) in pairs(campaign.solvers, &replies).chain(pairs(campaign.references, &words)) {
            self.ledger.tally.note_overruns(solver, reply, question.asked.len());
        }
        // Soft assertions and objectives are known to some solvers only: those under test are taken at their word.
        let deciding = if campaign.references.is_empty() || !self.objectives.is_empty() {
            pairs(campaign.solvers, &replies)
        } else {
            pairs(campaign.references, &words)
        };
        let (store, formula) = (&mut self.store, &self.formula);
        let told =
            self.refuted.clone().or_else(|| SeedStatus::of_replies(store, formula, deciding, asker.control));
        // A solver with a model is right, whatever the others answer.
        self.known = match told {
            Some(SeedStatus { model: Some(_), .. }) => told,
            _ => {
                let replies = pairs(campaign.solvers, &replies);
                SeedStatus::of_models(store, formula, replies, asker.control).or(told)
            }
        };
        self.allowances =
            replies.iter().map(|reply| word(reply).is_ok().then(|| Allowance::new(reply))).collect();
        self.ledger.undecided = undecided(pairs(campaign.solvers, &replies));
        question.asked[0].expected = self.status();
        let mutant = Mutant::default();
        let mutant_question = MutantQuestion { mutant, question, keeps_status: true };
        for (number, (solver, reply)) in pairs(campaign.solvers, &replies).enumerate() {
            if !self.judge(context, &mutant_question, &Configured::plain(solver), reply)? {
                // Its mutants would show the same defect again and again.
                self.allowances[number] = None;
            }
        }
        self.varied_allowances.clone_from(&self.allowances);
        let (tested, others): (Vec<_>, Vec<_>) =
            (pairs(campaign.solvers, &replies).collect(), pairs(campaign.references, &words).collect());
        self.note_slow_solvers(context, 0, &mutant_question.question, &tested, &others)?;
        if let Some(question) = self.whole.clone() {
            let replies = asker.ask_all(campaign.solvers, &question.inquiry)?;
            let replied: Vec<_> = pairs(campaign.solvers, &replies).collect();
            for &(solver, reply) in &replied {
                self.judge_whole(context, question.clone(), solver, reply)?;
            }
            self.note_slow_solvers(context, 0, &question, &replied, &[])?;
        }
        // Once is enough if the seed is judged again.
        if let Some(verbatim) = self.verbatim.take() {
            let cut: Vec<bool> = replies.iter().map(Reply::is_cut).collect();
            self.judge_as_written(context, &verbatim, &cut)?;
        }
        if self.refuted.is_some() {
            // There are no more mutants: the existing ones do not fit the status of the seed.
            self.known = None;
        }
        Ok(())
    }

    /// Reports solvers that are slow where others are fast, given the replies of solvers under test and of references.
    pub(super) fn note_slow_solvers(
        &mut self,
        context: Context<'_>,
        mutant: usize,
        question: &Question,
        tested: &[(&dyn Respondent, &Reply)],
        references: &[(&dyn Respondent, &Reply)],
    ) -> io::Result<()> {
        let (inquiry, count) = (&question.inquiry, question.asked.len());
        let heard = Heard { mutant, inquiry, count, tested, references };
        note_slow_solvers(context, &mut self.ledger, heard, |check| {
            let reduced = reduce(&mut self.store, question.subject.clone(), check)?;
            Ok(reduced.map(|Reduced { subject, text, .. }| {
                let inquiry = subject.inquiry(&self.store, subject.text(&self.store));
                (text, inquiry)
            }))
        })
    }

    /// Judges a reply and follows up its defect, if any. Returns whether the reply is right. If work has to end
    /// before the defect is examined completely, nothing is reported, and another run repeats the mutant.
    pub(super) fn judge(
        &mut self,
        context: Context<'_>,
        mutant_question: &MutantQuestion,
        solver: &Configured<'_>,
        reply: &Reply,
    ) -> io::Result<bool> {
        let begin = Instant::now();
        let control = context.asker.control.with_grace();
        let context = Context { asker: Asker { control: &control, ..context.asker }, ..context };
        let examined = self.examine(context, mutant_question, solver, reply)?;
        let is_certain = examined.as_ref().is_some_and(|it| it.witness.confirms(&it.defect));
        if !is_certain && control.stopped() {
            self.ledger.is_cut_short = true;
            return Ok(examined.is_none());
        }
        let Some(examination) = examined else { return Ok(true) };
        self.ledger.tally.suspicious += 1;
        if !self.ledger.is_known_with(solver, &examination) {
            let repeated = Culprit::find(solver, |solver| {
                let reply = context.asker.uninterrupted().ask(solver, &mutant_question.question.inquiry)?;
                let examined = self.examine(context, mutant_question, solver, &reply)?;
                Ok(examined.filter(|again| again.defect == examination.defect).map(|again| (again, reply)))
            })?;
            match repeated {
                // Without some of the options, it may be one that is known.
                Some(culprit) if !self.ledger.seen.is_worthwhile(culprit.solver.name(), &examination) => {}
                Some(culprit) => {
                    let finding = self.pursue(context, mutant_question, &culprit)?;
                    self.ledger.is_cut_short |= finding.is_cut_short;
                    (context.tell)(Event::Found(Box::new(finding)));
                }
                None if control.stopped() => self.ledger.is_cut_short = true,
                None => self.ledger.tally.vanished += 1,
            }
        }
        self.ledger.tally.following += begin.elapsed();
        Ok(false)
    }

    /// The defect of a reply, if any.
    pub(super) fn examine(
        &mut self,
        context: Context<'_>,
        mutant_question: &MutantQuestion,
        solver: &Configured<'_>,
        reply: &Reply,
    ) -> io::Result<Option<Examination>> {
        let model = known_model(self.known.as_ref(), mutant_question);
        examiner(context, solver).examine(&mut self.store, &mutant_question.question, model, solver, reply)
    }

    /// Reduces a defect that showed again, and asks all solvers about the result.
    fn pursue(
        &mut self,
        context: Context<'_>,
        mutant_question: &MutantQuestion,
        culprit: &Culprit<'_>,
    ) -> io::Result<Finding> {
        let MutantQuestion { mutant, question, .. } = mutant_question;
        let Culprit { solver, examination, reply } = culprit;
        let Examination { defect, witness } = examination;
        let examiner = examiner(context, solver);
        let follow_up = FollowUp { examiner, helpers: context.helpers(solver.solver) };
        let model = known_model(self.known.as_ref(), mutant_question);
        let (time, changes) = (time_of(reply), &mutant.changes[..]);
        let suspect = Suspect { solver, defect, witness, question, model, changes, time };
        let store = &mut self.store;
        let FollowedUp { options, witness, evidence, reduction, said, releases, cures } =
            follow_up.pursue(store, suspect)?;
        let is_interrupted = context.asker.interrupted.load(Ordering::Relaxed);
        let is_cut_short = self.ledger.note_followed_up(
            solver.name(),
            examination,
            &witness,
            reduction.as_ref(),
            is_interrupted,
        );
        let in_seed = mutant.number == 0 || self.is_in_partner(examiner, mutant, solver, defect)?;
        let text = |term| print_term(&self.store, term);
        Ok(Finding {
            defect: defect.clone(),
            witness,
            evidence,
            solver: solver.solver.name().to_string(),
            options,
            cures,
            seed: self.ledger.name.clone(),
            mutant: mutant.number,
            script: question.script().to_string(),
            rewritten: mutant.rewritten,
            in_seed,
            changes: mutant.changes.iter().map(|&(from, to)| (text(from), text(to))).collect(),
            said,
            releases,
            reduction,
            is_cut_short,
        })
    }

    /// Whether the other seed of a fusion alone shows a defect of the same kind.
    fn is_in_partner(
        &mut self,
        examiner: Examiner<'_>,
        mutant: &Mutant,
        solver: &Configured<'_>,
        defect: &Defect,
    ) -> io::Result<bool> {
        if mutant.partner.is_empty() {
            return Ok(false);
        }
        let formula = Formula::of_assertions(&self.store, mutant.partner.clone());
        // Both seeds of a fusion have the same status.
        let question = Question::plain(&self.store, formula, self.status());
        let reply = examiner.asker.ask(solver, &question.inquiry)?;
        let model = self.known.as_ref().and_then(|known| known.model.as_ref());
        let examined = examiner.examine(&mut self.store, &question, model, solver, &reply)?;
        Ok(examined.is_some_and(|it| it.witness.confirms(&it.defect) && it.defect == *defect))
    }
}

/// The examiner of a reply. It is not interrupted, because a partial examination would look like an unconfirmed
/// defect. A solver with options is compared with itself without them, unless there is a newer release.
pub(super) fn examiner<'a>(context: Context<'a>, solver: &Configured<'_>) -> Examiner<'a> {
    let Context { campaign, asker, .. } = context;
    let newest = campaign.releases.iter().rfind(|release| release.is_release_of(solver));
    let itself = campaign.solvers.iter().find(|it| it.name() == solver.solver.name());
    let newest = newest.or(itself.filter(|_| !solver.options.is_empty())).map(|it| &**it);
    Examiner { asker: asker.uninterrupted(), references: campaign.references, newest }
}

/// A model of the seed, if mutants keep its status.
fn known_model<'k>(known: Option<&'k SeedStatus>, mutant_question: &MutantQuestion) -> Option<&'k SeedModel> {
    known.filter(|_| mutant_question.keeps_status).and_then(|known| known.model.as_ref())
}

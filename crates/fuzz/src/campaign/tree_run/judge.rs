//! The treatment of replies: defects are followed up, and slow solvers reported.

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use sundry_external::{Reply, Respondent};

use super::TreeRun;
use crate::ask::allowance::Allowance;
use crate::campaign::slow::{Heard, note_slow_solvers};
use crate::campaign::{Context, Event};
use crate::judge::finding::Finding;
use crate::judge::follow_up::FollowedUp;
use crate::judge::oracle::Examination;
use crate::judge::tree::TreeExaminer;
use crate::judge::tree_follow_up::TreeFollowUp;
use crate::mutate::tree::TreeMutant;
use crate::options::configured::Configured;
use crate::options::culprit::Culprit;
use crate::reduce::{Reduced, reduce_tree};
use crate::seed::tree::TreeQuestion;

impl TreeRun {
    /// The examiner of replies to the seed and its mutants. A solver with options is compared with itself without them, too: the two
    /// cannot both be right.
    fn examiner<'c>(&self, context: Context<'c>, solver: &Configured<'_>) -> TreeExaminer<'c> {
        let Context { campaign, asker, .. } = context;
        let taking_part = |solvers: &'c [Arc<dyn Respondent>], allowances: &[Option<Allowance>]| {
            let pairs = solvers.iter().zip(allowances).filter(|(_, allowance)| allowance.is_some());
            let others = pairs.map(|(other, _)| &**other).filter(|other| other.name() != solver.name());
            others.collect::<Vec<&'c dyn Respondent>>()
        };
        let references = taking_part(campaign.references, &self.references);
        let (itself, peers): (Vec<_>, Vec<_>) = taking_part(campaign.solvers, &self.allowances)
            .into_iter()
            .partition(|other| other.name() == solver.solver.name());
        TreeExaminer { asker: asker.uninterrupted(), references, itself: itself.first().copied(), peers }
    }

    /// Judges a reply and follows up its defect, if any, given the replies of others. Returns whether the reply is right. If work has
    /// to end before the defect is examined completely, nothing is reported, and another run repeats the mutant.
    pub(super) fn judge(
        &mut self,
        context: Context<'_>,
        mutant: &TreeMutant,
        question: &TreeQuestion,
        solver: &Configured<'_>,
        reply: &Reply,
        others: &[(&dyn Respondent, &Reply)],
    ) -> io::Result<bool> {
        let begin = Instant::now();
        let recorded = if mutant.number == 0 { &self.seed.recorded[..] } else { &[] };
        let examiner = self.examiner(context, solver);
        let Some(first) = examiner.examine(question, recorded, solver, reply, others)? else {
            return Ok(true);
        };
        self.ledger.tally.suspicious += 1;
        if !self.ledger.is_known_with(solver, &first) {
            let repeated = Culprit::find(solver, |solver| {
                let examiner = self.examiner(context, solver);
                let reply = examiner.asker.ask(solver, &question.inquiry)?;
                let examined = examiner.examine(question, recorded, solver, &reply, &[])?;
                Ok(examined.filter(|again| again.defect == first.defect).map(|again| (again, reply)))
            })?;
            match repeated {
                // Without some of the options, it may be one that is known.
                Some(culprit) if !self.ledger.seen.is_worthwhile(culprit.solver.name(), &first) => {}
                Some(Culprit { solver, examination, .. }) => {
                    let finding = self.pursue(context, mutant, question, &solver, examination)?;
                    self.ledger.is_cut_short |= finding.is_cut_short;
                    (context.tell)(Event::Found(Box::new(finding)));
                }
                None if context.asker.control.stopped() => self.ledger.is_cut_short = true,
                None => self.ledger.tally.vanished += 1,
            }
        }
        self.ledger.tally.following += begin.elapsed();
        Ok(false)
    }

    /// Reduces the script of a defect that showed twice, and asks all solvers about the result.
    fn pursue(
        &mut self,
        context: Context<'_>,
        mutant: &TreeMutant,
        question: &TreeQuestion,
        solver: &Configured<'_>,
        examination: Examination,
    ) -> io::Result<Finding> {
        let (examiner, helpers) = (self.examiner(context, solver), context.helpers(solver.solver));
        let follow_up = TreeFollowUp { examiner, helpers };
        let FollowedUp { witness, evidence, reduction, said, releases, options, cures } =
            follow_up.pursue(question, solver, &examination)?;
        let is_interrupted = context.asker.interrupted.load(Ordering::Relaxed);
        let is_cut_short = self.ledger.note_followed_up(
            solver.name(),
            &examination,
            &witness,
            reduction.as_ref(),
            is_interrupted,
        );
        Ok(Finding {
            options,
            cures,
            defect: examination.defect,
            witness,
            evidence,
            solver: solver.solver.name().to_string(),
            seed: self.ledger.name.clone(),
            mutant: mutant.number,
            script: question.inquiry.text.to_string(),
            rewritten: None,
            in_seed: mutant.number == 0,
            changes: mutant.changes.clone(),
            said,
            releases,
            reduction,
            is_cut_short,
        })
    }

    /// Reports solvers that are slow where others are fast, given the replies of solvers under test and of references.
    pub(super) fn note_slow_solvers(
        &mut self,
        context: Context<'_>,
        mutant: &TreeMutant,
        question: &TreeQuestion,
        tested: &[(&dyn Respondent, &Reply)],
        references: &[(&dyn Respondent, &Reply)],
    ) -> io::Result<()> {
        let TreeQuestion { inquiry, count, .. } = question;
        let heard = Heard { mutant: mutant.number, inquiry, count: *count, tested, references };
        note_slow_solvers(context, &mut self.ledger, heard, |check| {
            let reduced = reduce_tree(question.tree.clone(), check)?;
            Ok(reduced.map(|Reduced { subject, text, .. }| (text, TreeQuestion::new(subject, false).inquiry)))
        })
    }
}

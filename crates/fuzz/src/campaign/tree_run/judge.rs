//! The treatment of replies: defects are followed up, and slow solvers reported.

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use sundry_external::{Reply, Respondent};

use super::TreeRun;
use crate::ask::allowance::{Allowance, time_of};
use crate::campaign::{Context, Event};
use crate::judge::finding::{Finding, SlowCase};
use crate::judge::follow_up::FollowedUp;
use crate::judge::oracle::Examination;
use crate::judge::slow::{is_fast_beside, is_slow};
use crate::judge::tree::TreeExaminer;
use crate::judge::tree_follow_up::TreeFollowUp;
use crate::mutate::tree::TreeMutant;
use crate::seed::tree::TreeQuestion;

impl TreeRun {
    /// The examiner of replies to the seed and its mutants.
    fn examiner<'c>(&self, context: Context<'c>, solver: &dyn Respondent) -> TreeExaminer<'c> {
        let Context { campaign, asker, .. } = context;
        let taking_part = |solvers: &'c [Arc<dyn Respondent>], allowances: &[Option<Allowance>]| {
            let pairs = solvers.iter().zip(allowances).filter(|(_, allowance)| allowance.is_some());
            let others = pairs.map(|(other, _)| &**other).filter(|other| other.name() != solver.name());
            others.collect::<Vec<&'c dyn Respondent>>()
        };
        TreeExaminer {
            asker: asker.uninterrupted(),
            references: taking_part(campaign.references, &self.references),
            peers: taking_part(campaign.solvers, &self.allowances),
        }
    }

    /// Judges a reply and follows up its defect, if any, given the replies of others. Returns whether the reply is right. If work has
    /// to end before the defect is examined completely, nothing is reported, and another run repeats the mutant.
    pub(super) fn judge(
        &mut self,
        context: Context<'_>,
        mutant: &TreeMutant,
        question: &TreeQuestion,
        solver: &dyn Respondent,
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
        if self.ledger.seen.is_worthwhile(solver.name(), &first) {
            let again = examiner.asker.ask(solver, &question.inquiry)?;
            let examined = examiner.examine(question, recorded, solver, &again, &[])?;
            match examined.filter(|examined| examined.defect == first.defect) {
                Some(examination) => {
                    let finding = self.pursue(context, mutant, question, solver, examination)?;
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
        solver: &dyn Respondent,
        examination: Examination,
    ) -> io::Result<Finding> {
        let Context { campaign, asker, .. } = context;
        let follow_up = TreeFollowUp {
            examiner: self.examiner(context, solver),
            interrupted: asker.interrupted,
            solvers: campaign.solvers,
            references: campaign.references,
            releases: campaign.releases,
            reduction: campaign.settings.reduction,
        };
        let FollowedUp { witness, evidence, reduction, said, releases, options, cures } =
            follow_up.pursue(question, solver, &examination)?;
        let is_interrupted = asker.interrupted.load(Ordering::Relaxed);
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
            solver: solver.name().to_string(),
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

    /// Reports solvers that did not answer in time while another one answered quickly.
    pub(super) fn note_slow_solvers(
        &self,
        context: Context<'_>,
        mutant: &TreeMutant,
        question: &TreeQuestion,
        tested: &[(&dyn Respondent, &Reply)],
        others: &[(&dyn Respondent, &Reply)],
    ) {
        for &(solver, slow) in
            tested.iter().filter(|(_, reply)| is_slow(context.asker, reply, question.count))
        {
            let fast = others.iter().find(|(_, reply)| is_fast_beside(reply, slow));
            let Some(&(other, reply)) = fast else { continue };
            (context.tell)(Event::Slow(Box::new(SlowCase {
                solver: solver.name().to_string(),
                time: time_of(slow),
                other: other.name().to_string(),
                other_time: time_of(reply),
                seed: self.ledger.name.clone(),
                mutant: mutant.number,
                script: question.inquiry.text.to_string(),
                reduced: None,
                releases: Vec::new(),
            })));
        }
    }
}

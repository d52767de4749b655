//! Scripts on which a solver is slow and another one is fast.

use std::io;
use std::time::Instant;

use sundry_external::{Reply, Respondent};

use super::SeedRun;
use crate::ask::allowance::time_of;
use crate::campaign::{Context, Event};
use crate::judge::finding::SlowCase;
use crate::judge::slow::{SlowHere, is_fast_beside, is_slow};
use crate::mutate::stream::MutantQuestion;
use crate::reduce::reduce;

impl SeedRun {
    /// Reports solvers that did not answer in time while another, under test or not, answered quickly. References that have
    /// not been asked are asked only about the first of these mutants. Where the script is the seed itself, it is reduced, and
    /// releases are asked, too.
    pub(super) fn note_slow_solvers(
        &mut self,
        context: Context<'_>,
        mutant_question: &MutantQuestion,
        replies: &[(&dyn Respondent, &Reply)],
        others: &[(&dyn Respondent, &Reply)],
    ) -> io::Result<()> {
        let Context { campaign, asker, .. } = context;
        let question = &mutant_question.question;
        let asked = question.asked.len();
        for &(solver, slow) in replies.iter().filter(|(_, reply)| is_slow(asker, reply, asked)) {
            let mut all = replies.iter().chain(others);
            let fast = all.find(|(_, reply)| is_fast_beside(reply, slow));
            let mut fast = fast.map(|&(other, reply)| (other, time_of(reply)));
            if self.ledger.seen.note_slow(solver.name()) && fast.is_none() && others.is_empty() {
                for reference in campaign.references.iter().filter(|it| it.name() != solver.name()) {
                    let reply = asker.ask(&**reference, &question.inquiry)?;
                    if is_fast_beside(&reply, slow) {
                        fast = Some((&**reference, time_of(&reply)));
                        break;
                    }
                }
            }
            let Some((other, other_time)) = fast else { continue };
            let mut case = SlowCase {
                solver: solver.name().to_string(),
                time: time_of(slow),
                other: other.name().to_string(),
                other_time,
                seed: self.ledger.name.clone(),
                mutant: mutant_question.mutant.number,
                script: question.script().to_string(),
                reduced: None,
                releases: Vec::new(),
            };
            if case.mutant == 0 {
                self.follow_up_slow(context, mutant_question, (solver, other), &mut case)?;
            }
            (context.tell)(Event::Slow(Box::new(case)));
        }
        Ok(())
    }

    /// Reduces a script that is slow here and fast there, and asks releases of the slow solver.
    fn follow_up_slow(
        &mut self,
        context: Context<'_>,
        mutant_question: &MutantQuestion,
        (solver, other): (&dyn Respondent, &dyn Respondent),
        case: &mut SlowCase,
    ) -> io::Result<()> {
        let Context { campaign, asker, .. } = context;
        let question = &mutant_question.question;
        let until = Instant::now() + campaign.settings.reduction;
        let mut check = SlowHere { asker, solver, other, asked: question.asked.len(), until };
        let reduced = reduce(&mut self.store, question.subject.clone(), &mut check)?;
        let smallest = match &reduced {
            Some(reduced) => {
                let text = reduced.subject.text(&self.store);
                reduced.subject.inquiry(&self.store, text)
            }
            None => question.inquiry.clone(),
        };
        for release in campaign.releases.iter().filter(|release| release.is_release_of(solver)) {
            let is_slow = check.is_slow(&**release, &smallest)?;
            case.releases.push((release.name().to_string(), is_slow));
        }
        case.reduced = reduced.map(|reduced| reduced.text);
        Ok(())
    }
}

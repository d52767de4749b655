//! The seed as it is written, put to the solvers: once as it stands, and once with a request for a model after each
//! question that is answered `sat`.

use std::io;
use std::sync::Arc;

use sundry_external::{Reply, Respondent, Verdict};

use super::SeedRun;
use crate::ask::question::Question;
use crate::campaign::Context;
use crate::mutate::generator::Mutant;
use crate::mutate::stream::MutantQuestion;
use crate::options::configured::Configured;
use crate::seed::status::pairs;
use crate::seed::verbatim::Verbatim;

impl SeedRun {
    /// Puts the seed to the solvers as it is written, and judges their answers to all questions, with their models. Solvers that a
    /// limit has cut on its formula, which `cut` says of each, are left out.
    pub(super) fn judge_as_written(
        &mut self,
        context: Context<'_>,
        verbatim: &Verbatim,
        cut: &[bool],
    ) -> io::Result<()> {
        let Context { campaign, asker, .. } = context;
        let mut expected = vec![None; verbatim.count()];
        let solvers = campaign.solvers.iter().zip(cut).filter(|&(_, &is_cut)| !is_cut);
        let solvers: Vec<Arc<dyn Respondent>> = solvers.map(|(solver, _)| Arc::clone(solver)).collect();
        if solvers.is_empty() {
            return Ok(());
        }
        let mut question = verbatim.question(&self.store, &expected, |_| false);
        let replies = asker.ask_all(&solvers, &question.inquiry)?;
        let words = asker.ask_all(campaign.references, &question.inquiry)?;
        for (number, (expected, asked)) in expected.iter_mut().zip(&mut question.asked).enumerate() {
            *expected = agreed(number, replies.iter().chain(&words));
            asked.expected = *expected;
        }
        let (tested, others): (Vec<_>, Vec<_>) =
            (pairs(&solvers, &replies).collect(), pairs(campaign.references, &words).collect());
        self.note_slow_solvers(context, 0, &question, &tested, &others)?;
        for (solver, reply) in tested {
            let is_right = self.judge_whole(context, question.clone(), solver, reply)?;
            let says_sat = |number| says(reply, number, Verdict::Sat);
            if !is_right || !(0..verbatim.count()).any(says_sat) {
                continue;
            }
            let with_models = verbatim.question(&self.store, &expected, says_sat);
            let reply = asker.ask(solver, &with_models.inquiry)?;
            self.judge_whole(context, with_models, solver, &reply)?;
        }
        Ok(())
    }

    /// Judges the reply to a script that asks for all that the seed asks for. Returns whether the reply is right.
    pub(super) fn judge_whole(
        &mut self,
        context: Context<'_>,
        question: Question,
        solver: &dyn Respondent,
        reply: &Reply,
    ) -> io::Result<bool> {
        self.ledger.tally.note_overruns(solver, reply, question.asked.len());
        let mutant_question = MutantQuestion { mutant: Mutant::default(), question, keeps_status: true };
        self.judge(context, &mutant_question, &Configured::plain(solver), reply)
    }
}

/// Whether a reply has this verdict on the question with this number.
fn says(reply: &Reply, number: usize, verdict: Verdict) -> bool {
    reply.answers().get(number).is_some_and(|answer| answer.verdict == verdict)
}

/// The verdict of at least two respondents on a question, if none has the opposite.
fn agreed<'r>(number: usize, replies: impl Iterator<Item = &'r Reply>) -> Option<Verdict> {
    let (mut sat, mut unsat) = (0, 0);
    for reply in replies {
        sat += usize::from(says(reply, number, Verdict::Sat));
        unsat += usize::from(says(reply, number, Verdict::Unsat));
    }
    match (sat, unsat) {
        (2.., 0) => Some(Verdict::Sat),
        (0, 2..) => Some(Verdict::Unsat),
        _ => None,
    }
}

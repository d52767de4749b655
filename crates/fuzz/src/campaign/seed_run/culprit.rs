//! The options without which a defect does not show.

use std::io;

use sundry_external::{Reply, Respondent};

use super::SeedRun;
use super::judge::examiner;
use crate::campaign::Context;
use crate::judge::defect::Defect;
use crate::judge::oracle::Examination;
use crate::mutate::stream::MutantQuestion;
use crate::options::configured::Configured;

/// A defect that showed again, with the options that it needs.
pub(super) struct Culprit<'s> {
    pub(super) solver: Configured<'s>,
    pub(super) examination: Examination,
    /// The reply that shows it.
    pub(super) reply: Reply,
}

impl SeedRun {
    /// Repeats a defect with as few options of the solver as possible. `None` if the defect does not show again.
    pub(super) fn culprit<'s>(
        &mut self,
        context: Context<'_>,
        mutant_question: &MutantQuestion,
        solver: &Configured<'s>,
        defect: &Defect,
    ) -> io::Result<Option<Culprit<'s>>> {
        let mut culprit = None;
        let fewest = solver.with_fewest_options(|fewer| {
            let found = self.repeat(context, mutant_question, fewer.clone(), defect)?;
            let shows = found.is_some();
            culprit = found.or(culprit.take());
            Ok(shows)
        })?;
        match culprit {
            Some(_) => Ok(culprit),
            None => self.repeat(context, mutant_question, fewest, defect),
        }
    }

    /// The same defect with these options, if it shows.
    fn repeat<'s>(
        &mut self,
        context: Context<'_>,
        mutant_question: &MutantQuestion,
        solver: Configured<'s>,
        defect: &Defect,
    ) -> io::Result<Option<Culprit<'s>>> {
        let reply = examiner(context, &solver).asker.ask(&solver, &mutant_question.question.inquiry)?;
        let examined = self.examine(context, mutant_question, &solver, &reply)?;
        let examination = examined.filter(|examined| examined.defect == *defect);
        Ok(examination.map(|examination| Culprit { solver, examination, reply }))
    }

    /// Whether the last defects of this kind on the seed, with one of the options or with all of them, were all alike.
    pub(super) fn is_known_with(&self, solver: &Configured<'_>, examination: &Examination) -> bool {
        let single = solver.options.iter().map(|option| Configured::new(solver.solver, vec![option.clone()]));
        let mut all = single.chain([solver.clone()]);
        all.any(|configured| !self.ledger.seen.is_worthwhile(configured.name(), examination))
    }
}

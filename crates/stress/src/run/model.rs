//! The models of solvers under test.
//!
//! A search looks for slow inputs, but an invalid model that it meets is worth more. Inputs are measured without models, since making one takes time; where a
//! solver under test answers `sat` quickly, it is asked once more, for its model.

use std::io;

use sundry_external::{Inquiry, Respondent, Verdict};
use sundry_fuzz::wrong_model;
use sundry_term::Control;

use crate::run::contest::{Contest, Contestant, Place};
use crate::run::measured::{Measured, is_defect};

/// The share of the limit up to which a solver answers quickly.
const QUICK: f64 = 0.1;

/// The greatest work of judging a model, in units of a [`Control`]: about a second.
const MOST_WORK: u64 = 100_000_000;

impl Contest {
    /// Whether a solver under test that answered `sat` quickly has a model that is wrong, as far as that can be evaluated, or crashes over it.
    pub(crate) fn has_wrong_model(
        &self,
        inquiry: &Inquiry,
        measured: &Measured,
        place: Place<'_>,
    ) -> io::Result<bool> {
        for (target, effort) in self.targets.iter().zip(&measured.targets) {
            let is_quick = effort.amount <= QUICK * self.ceiling(target).amount();
            if is_quick
                && effort.verdict() == Some(Verdict::Sat)
                && self.model_is_wrong(target, inquiry, place)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn model_is_wrong(&self, target: &Contestant, inquiry: &Inquiry, place: Place<'_>) -> io::Result<bool> {
        let text = format!("(set-option :produce-models true)\n{}(get-model)\n", &*inquiry.text);
        let Ok(inquiry) = Inquiry::parse(&text) else { return Ok(false) };
        let reply = self.ask(target, self.limits, &inquiry, place)?;
        let control = Control::default().with_work(MOST_WORK);
        let escapes = target.solver.capabilities().escapes;
        Ok(match reply.fault {
            Some(fault) => is_defect(&fault),
            None => wrong_model(&inquiry, (&reply, escapes), &control).is_some(),
        })
    }
}

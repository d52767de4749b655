//! The status of a seed, which determines that of its mutants.

use std::sync::Arc;

use sundry_external::{Reply, Respondent, Verdict};
use sundry_smtlib::Formula;
use sundry_term::{Control, Model, SymbolId, TermId, TermStore, evaluate_within};

use crate::judge::model::{ModelVerdict, judge_model, judge_reply};

/// The status of a formula.
#[derive(Clone, PartialEq, Debug)]
pub struct SeedStatus {
    /// Whether the formula is satisfiable.
    pub verdict: Verdict,
    /// A model of it.
    pub model: Option<SeedModel>,
}

impl SeedStatus {
    /// The common answer of solvers: `None` if they disagree, unless a model decides.
    pub(crate) fn of_replies<'s>(
        store: &mut TermStore,
        formula: &Formula,
        replies: impl Iterator<Item = (&'s dyn Respondent, &'s Reply)>,
        control: &Control,
    ) -> Option<SeedStatus> {
        let (mut sat, mut unsat) = (false, false);
        for (solver, reply) in replies {
            match reply.verdict() {
                Some(Verdict::Sat) => {
                    match judge_reply(store, formula, (reply, solver.capabilities().escapes), control) {
                        Some((model, ModelVerdict::Valid)) => {
                            return Some(SeedStatus::with_model(solver, model));
                        }
                        // A solver that gives a wrong model may be wrong altogether.
                        Some((_, ModelVerdict::Invalid(_))) => {}
                        _ => sat = true,
                    }
                }
                Some(Verdict::Unsat) => unsat = true,
                _ => {}
            }
        }
        let verdict = match (sat, unsat) {
            (true, false) => Verdict::Sat,
            (false, true) => Verdict::Unsat,
            _ => return None,
        };
        Some(SeedStatus { verdict, model: None })
    }

    /// The status that a model of some solver decides.
    pub(crate) fn of_models<'s>(
        store: &mut TermStore,
        formula: &Formula,
        replies: impl Iterator<Item = (&'s dyn Respondent, &'s Reply)>,
        control: &Control,
    ) -> Option<SeedStatus> {
        let mut satisfied = replies.filter(|(_, reply)| reply.verdict() == Some(Verdict::Sat));
        satisfied.find_map(|(solver, reply)| {
            match judge_reply(store, formula, (reply, solver.capabilities().escapes), control) {
                Some((model, ModelVerdict::Valid)) => Some(SeedStatus::with_model(solver, model)),
                _ => None,
            }
        })
    }

    fn with_model(solver: &dyn Respondent, model: Model) -> SeedStatus {
        SeedStatus {
            verdict: Verdict::Sat,
            model: Some(SeedModel { model, whose: solver.name().to_string() }),
        }
    }
}

/// Respondents with their replies.
pub(crate) fn pairs<'s>(
    respondents: &'s [Arc<dyn Respondent>],
    replies: &'s [Reply],
) -> impl Iterator<Item = (&'s dyn Respondent, &'s Reply)> {
    respondents.iter().map(|it| &**it).zip(replies)
}

/// A model of a seed.
#[derive(Clone, PartialEq, Debug)]
pub struct SeedModel {
    /// The model.
    pub model: Model,
    /// Whose it is.
    pub whose: String,
}

impl SeedModel {
    /// Whether the model is also one of this formula, in which some constants stand for terms over the symbols of the
    /// seed.
    pub fn satisfies(
        &self,
        store: &TermStore,
        formula: &Formula,
        definitions: &[(SymbolId, TermId)],
        control: &Control,
    ) -> bool {
        if definitions.is_empty() {
            return judge_model(store, formula, &self.model, control) == ModelVerdict::Valid;
        }
        let mut model = self.model.clone();
        for &(symbol, term) in definitions {
            if let Ok(value) = evaluate_within(store, &model, term, control) {
                model.set_constant(symbol, value);
            }
        }
        judge_model(store, formula, &model, control) == ModelVerdict::Valid
    }
}

//! The claims of a run about tuples, as scripts that other solvers have to find unsatisfiable.

use std::sync::Arc;

use sundry_term::{Model, Op, TermId, TermStore};

use crate::obligations::{Obligation, Writer, any_of};
use crate::problem::Problem;

/// A claim that makes tuples impossible.
pub(super) enum Claim<'a> {
    /// No solution exists.
    Unsatisfiable,
    /// No solutions exist besides these.
    OnlyThese(&'a [Arc<Model>]),
    /// No solution has all terms of one of these sets.
    NeverTogether(Vec<Vec<TermId>>),
}

/// The script of a claim; none where nothing is claimed. The store has the terms of the problem, with the same ids.
pub(super) fn obligations(problem: &Problem, store: TermStore, claim: &Claim<'_>) -> Vec<Obligation> {
    let mut writer = Writer::new(problem, store);
    match claim {
        Claim::Unsatisfiable => writer.unsatisfiable(),
        Claim::OnlyThese(models) => {
            let all: Vec<TermId> =
                models.iter().map(|model| is_model(problem, &mut writer.store, model)).collect();
            let one = any_of(&mut writer.store, &all);
            let another = writer.store.make(Op::Not, &[one]);
            writer.never("further", &format!("A solution besides {}.", all.len()), another);
        }
        Claim::NeverTogether(sets) if sets.is_empty() => {}
        Claim::NeverTogether(sets) => {
            let all: Vec<TermId> = sets.iter().map(|set| all_of(&mut writer.store, set)).collect();
            let some = any_of(&mut writer.store, &all);
            let claim =
                format!("A solution with one of {} sets of values that exclude one another.", all.len());
            writer.never("impossible", &claim, some);
        }
    }
    writer.found
}

/// The term that says that the constants of the problem have the values of a model, but for auxiliary ones.
fn is_model(problem: &Problem, store: &mut TermStore, model: &Model) -> TermId {
    let values: Vec<TermId> = problem
        .shown()
        .filter_map(|symbol| {
            let value = model.constant(symbol)?.clone();
            let (constant, value) = (store.symbol_term(symbol), store.constant(value));
            Some(store.make(Op::Equal, &[constant, value]))
        })
        .collect();
    all_of(store, &values)
}

/// The conjunction; true of nothing.
fn all_of(store: &mut TermStore, terms: &[TermId]) -> TermId {
    match terms {
        [] => store.bool(true),
        [only] => *only,
        _ => store.make(Op::And, terms),
    }
}

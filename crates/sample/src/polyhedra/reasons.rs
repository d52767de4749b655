//! The reasons for which a formula holds at a solution: terms whose values, if they stay, keep it true.
//!
//! A conjunction that is false needs one false conjunct, a choice its condition and the chosen value, and so on. Where there is a choice of
//! reasons, it is random: other reasons give other polyhedra.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use sundry_term::{Evaluator, Op, TermId, TermStore, Value};

/// Marks the terms, among these in ascending order, that the assertions need.
pub(super) fn needed_terms(
    store: &TermStore,
    terms: &[TermId],
    assertions: &[TermId],
    evaluator: &Evaluator<'_>,
    random: &mut ChaCha8Rng,
) -> Vec<bool> {
    let mut needed = vec![false; terms.last().map_or(0, |last| last.index() + 1)];
    assertions.iter().for_each(|assertion| needed[assertion.index()] = true);
    let is_true = |term: TermId| evaluator.value(term) == Some(&Value::Bool(true));
    for &term in terms.iter().rev() {
        if !needed[term.index()] {
            continue;
        }
        let arguments = store.args(term);
        // The value of an argument that decides the result by itself.
        let deciding = match store.op(term) {
            Op::And => Some(false),
            Op::Or | Op::Implies => Some(true),
            Op::Ite => {
                let chosen = if is_true(arguments[0]) { arguments[1] } else { arguments[2] };
                needed[arguments[0].index()] = true;
                needed[chosen.index()] = true;
                continue;
            }
            _ => None,
        };
        let decides = |position: &usize| {
            let is_premise = store.op(term) == Op::Implies && position + 1 < arguments.len();
            deciding == Some(is_true(arguments[*position]) ^ is_premise)
        };
        let reasons: Vec<usize> = (0..arguments.len()).filter(decides).collect();
        if reasons.is_empty() {
            arguments.iter().for_each(|argument| needed[argument.index()] = true);
        } else if !reasons.iter().any(|&position| needed[arguments[position].index()]) {
            let position = reasons[random.random_range(0..reasons.len())];
            needed[arguments[position].index()] = true;
        }
    }
    needed
}

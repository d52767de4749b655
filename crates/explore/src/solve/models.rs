//! Inputs as models of conditions, and models as inputs.

use rustc_hash::FxHashSet;
use sundry_term::{BitVector, Evaluator, Model, SymbolId, TermId, Value};

use crate::input::{Input, VariableId, Variables};
use crate::symbolic::Terms;

/// An input with the values that a model gives variables, whose symbols in the model are these. A partial solution may exceed the bounds of a length: the
/// input gets the greatest length then, as the run of it does.
pub(super) fn with_model(
    input: &Input,
    model: &Model,
    symbols: &[(VariableId, SymbolId)],
    variables: &Variables,
) -> Input {
    let mut input = input.clone();
    for &(id, symbol) in symbols {
        if let Some(value) = model.constant(symbol).and_then(|value| value.as_bit_vector()?.to_u64()) {
            let most = variables.value_count(id).map_or(u64::MAX, |count| count - 1);
            input.set(id, value.min(most));
        }
    }
    input
}

/// Whether conditions on these variables hold for an input.
pub(super) fn holds(
    conditions: &[TermId],
    input: &Input,
    concerned: &FxHashSet<VariableId>,
    variables: &Variables,
    terms: &Terms,
) -> bool {
    let mut model = Model::default();
    for &id in concerned {
        let variable = variables.variable(id);
        let value = BitVector::from_u64(variable.width, variables.value(input, id));
        model.set_constant(variable.symbol, Value::BitVec(value));
    }
    let mut evaluator = Evaluator::new(&terms.store, &model);
    evaluator.evaluate(conditions).is_ok()
        && conditions.iter().all(|&condition| evaluator.value(condition) == Some(&Value::Bool(true)))
}

//! Arrays given by a function of their index, as tables.
//!
//! There are three ways, and the first that applies is taken: a chain of `ite` over points is read off; a body that
//! only compares its index with fixed values is the same for all other indices, so it is evaluated at those values
//! and at one other; a small index sort is evaluated throughout. Other functions have no table, and pretending
//! otherwise would make a wrong model.

use dashu_ratio::RBig;
use rustc_hash::FxHashSet;
use sundry_term::{
    ArrayValue, BitVector, DatatypeOp, EvaluationError, Evaluator, Float, FunctionValue, Model, Op,
    RoundingMode, SequenceValue, Sort, SortId, SymbolId, SymbolKind, TermId, TermStore, Text, Value,
};

use super::resolve::ground_value;
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::model_values::{ArrayContent, ArrayDefinition, ModelTerms};
use crate::walk::{applications_of_symbols, post_order};

/// Largest index sort that is evaluated throughout.
const MAX_TABULATED: u64 = 1 << 12;

/// Arguments of a function, one for each parameter.
pub(super) struct Point(pub(super) Vec<Value>);

/// The points at which a condition holds, if it is an equality of each parameter with a fixed value, or a disjunction
/// of such.
pub(super) fn points(
    store: &TermStore,
    model_terms: &ModelTerms,
    parameters: &[SymbolId],
    condition: TermId,
) -> Option<Vec<Point>> {
    let alternatives = match store.op(condition) {
        Op::Or => store.args(condition),
        _ => std::slice::from_ref(&condition),
    };
    alternatives.iter().map(|&alternative| point(store, model_terms, parameters, alternative)).collect()
}

fn point(
    store: &TermStore,
    model_terms: &ModelTerms,
    parameters: &[SymbolId],
    condition: TermId,
) -> Option<Point> {
    let equalities = match store.op(condition) {
        Op::And => store.args(condition),
        _ => std::slice::from_ref(&condition),
    };
    let place = |term| parameters.iter().position(|&p| Some(p) == store.constant_symbol(term));
    let mut arguments = vec![None; parameters.len()];
    for &equality in equalities {
        let (position, value) = match (store.op(equality), store.args(equality)) {
            (Op::Equal, &[left, right]) => match (place(left), place(right)) {
                (Some(position), None) => (position, ground_value(store, model_terms, right)?),
                (None, Some(position)) => (position, ground_value(store, model_terms, left)?),
                _ => return None,
            },
            // A truth value stands for its equality with true.
            (Op::Not, &[negated]) => (place(negated)?, Value::Bool(false)),
            _ => (place(equality)?, Value::Bool(true)),
        };
        if arguments[position].replace(value).is_some() {
            return None;
        }
    }
    arguments.into_iter().collect::<Option<Vec<Value>>>().map(Point)
}

/// The value of an array given by a function; `raw` defines all that the function uses.
pub(super) fn tabulate(
    store: &mut TermStore,
    model_terms: &mut ModelTerms,
    raw: &Model,
    array: &ArrayDefinition,
) -> Result<Value, Diagnostic> {
    let sort = store.symbol(array.symbol).result;
    let Some((index, _)) = store.array_parts(sort) else {
        return Err(cannot(array, "it has no array sort"));
    };
    let function = match array.content {
        ArrayContent::Function(symbol) => raw.function(symbol).cloned(),
        ArrayContent::Lambda { parameter, body } => {
            Some(FunctionValue::Body { parameters: vec![parameter], body })
        }
    };
    let (parameter, body) = match function {
        None => return Ok(Value::default_of(store, sort)),
        Some(FunctionValue::Table { entries, default }) => {
            let entries = entries.into_iter().filter_map(|(mut point, value)| Some((point.pop()?, value)));
            return Ok(from_entries(store, index, default, entries));
        }
        Some(FunctionValue::Body { parameters, body }) => match parameters[..] {
            [parameter] => (parameter, body),
            _ => return Err(cannot(array, "its function has several arguments")),
        },
    };
    if depends_on_another_parameter(store, parameter, body) {
        return Err(cannot(array, "it depends on a parameter of an enclosing function"));
    }
    if let Some(value) = read_chain(store, model_terms, parameter, body, index) {
        return Ok(value);
    }
    let places = places_to_look_at(store, model_terms, raw, parameter, body, index).ok_or_else(|| {
        cannot(array, "it has too many indices and does more than compare them with values")
    })?;
    let elements = evaluate_at(store, model_terms, raw, parameter, body, &places)
        .map_err(|error| cannot(array, &error.to_string()))?;
    // The last place represents all indices that the body does not look at.
    let Some(default) = elements.last().cloned() else {
        return Err(cannot(array, "the model does not give the values of all its elements"));
    };
    Ok(from_entries(store, index, default, places.into_iter().zip(elements)))
}

/// The values of a body for these values of its parameter; `None` if a value is open.
fn evaluate_at(
    store: &mut TermStore,
    model_terms: &mut ModelTerms,
    raw: &Model,
    parameter: SymbolId,
    body: TermId,
    places: &[Value],
) -> Result<Vec<Value>, EvaluationError> {
    let (index, element) = (store.symbol(parameter).result, store.sort_of(body));
    let function = store.declare("@lambda", &[index], element);
    let mut model = raw.clone();
    model.set_function(function, FunctionValue::Body { parameters: vec![parameter], body });
    let mut calls = Vec::with_capacity(places.len());
    for place in places {
        let argument = value_term(store, model_terms, index, place);
        for (_, symbol) in applications_of_symbols(store, argument) {
            if let Some(value) = model_terms.element_value(symbol) {
                model.set_constant(symbol, value.clone());
            }
        }
        calls.push(store.make(Op::Apply(function), &[argument]));
    }
    let mut evaluator = Evaluator::new(store, &model);
    evaluator.evaluate(&calls)?;
    let values = calls.iter().map(|&call| evaluator.value(call).cloned());
    // Without one of them, the roles of the others are ambiguous.
    Ok(values.collect::<Option<_>>().unwrap_or_default())
}

fn cannot(array: &ArrayDefinition, reason: &str) -> Diagnostic {
    let message = format!("this array value cannot be tabulated: {reason}");
    Diagnostic::new(DiagnosticKind::Unsupported, array.span, message).with_help(
        "array values are read as tables: constant arrays, stores, and comparisons of the index with values",
    )
}

fn from_entries(
    store: &TermStore,
    index: SortId,
    default: Value,
    entries: impl Iterator<Item = (Value, Value)>,
) -> Value {
    let array = ArrayValue::constant(store, index, default);
    Value::Array(entries.fold(array, |array, (index, element)| array.store(index, element)))
}

fn depends_on_another_parameter(store: &TermStore, parameter: SymbolId, body: TermId) -> bool {
    applications_of_symbols(store, body)
        .into_iter()
        .any(|(_, symbol)| symbol != parameter && store.symbol(symbol).kind == SymbolKind::Parameter)
}

/// Reads off a chain of `ite` over indices.
fn read_chain(
    store: &TermStore,
    model_terms: &ModelTerms,
    parameter: SymbolId,
    body: TermId,
    index: SortId,
) -> Option<Value> {
    let mut entries: Vec<(Value, Value)> = Vec::new();
    let mut rest = body;
    while store.op(rest) == Op::Ite {
        let &[condition, value, otherwise] = store.args(rest) else { return None };
        let value = ground_value(store, model_terms, value)?;
        for Point(mut place) in points(store, model_terms, &[parameter], condition)? {
            entries.push((place.pop()?, value.clone()));
        }
        rest = otherwise;
    }
    let default = ground_value(store, model_terms, rest)?;
    // The first condition that holds decides, so it is entered last.
    Some(from_entries(store, index, default, entries.into_iter().rev()))
}

/// Indices whose elements determine all others: the last of them represents those not listed. `None` if there are too
/// many.
fn places_to_look_at(
    store: &TermStore,
    model_terms: &ModelTerms,
    raw: &Model,
    parameter: SymbolId,
    body: TermId,
    index: SortId,
) -> Option<Vec<Value>> {
    if let Some(mut places) = compared_values(store, model_terms, raw, parameter, body) {
        let known: FxHashSet<Value> = places.iter().cloned().collect();
        let count = known.len() as u64 + 1;
        let mut values = (0..count).map_while(|number| nth_value(store, index, number));
        if let Some(other) = values.find(|value| !known.contains(value)) {
            places.push(other);
            return Some(places);
        }
        if store.cardinality(index) == known.len() as u64 {
            return Some(places);
        }
    }
    let count = store.cardinality(index);
    if count > MAX_TABULATED {
        return None;
    }
    (0..count).map(|number| nth_value(store, index, number)).collect()
}

/// The values that the parameter is compared with, each once, if comparisons are its only uses, here and in the
/// functions that it is passed to.
fn compared_values(
    store: &TermStore,
    model_terms: &ModelTerms,
    raw: &Model,
    parameter: SymbolId,
    body: TermId,
) -> Option<Vec<Value>> {
    let mut values = Vec::new();
    let mut known = FxHashSet::default();
    let mut handed_to = FxHashSet::from_iter([parameter]);
    let mut bodies = vec![(parameter, body)];
    while let Some((parameter, body)) = bodies.pop() {
        for Use { op, arguments, positions } in uses(store, parameter, body)? {
            let found: Vec<Value> = match (op, called_function(raw, op)) {
                (Op::Equal | Op::Distinct, _) => {
                    let others = (0..arguments.len()).filter(|position| !positions.contains(position));
                    others
                        .map(|position| ground_value(store, model_terms, arguments[position]))
                        .collect::<Option<_>>()?
                }
                (_, Some(FunctionValue::Table { entries, .. })) => {
                    let keys = entries.keys();
                    keys.flat_map(|key| positions.iter().map(|&position| key[position].clone())).collect()
                }
                (_, Some(FunctionValue::Body { parameters, body })) => {
                    let inner = positions.iter().map(|&position| (parameters[position], *body));
                    bodies.extend(inner.filter(|(parameter, _)| handed_to.insert(*parameter)));
                    Vec::new()
                }
                _ => return None,
            };
            values.extend(found.into_iter().filter(|value| known.insert(value.clone())));
        }
    }
    Some(values)
}

fn called_function(raw: &Model, op: Op) -> Option<&FunctionValue> {
    match op {
        Op::Apply(symbol) => raw.function(symbol),
        _ => None,
    }
}

/// An application with a parameter among its arguments.
struct Use<'a> {
    op: Op,
    arguments: &'a [TermId],
    /// The positions of the parameter.
    positions: Vec<usize>,
}

/// The applications in a body that have the parameter among their arguments; `None` if the body is the parameter
/// itself.
fn uses(store: &TermStore, parameter: SymbolId, body: TermId) -> Option<Vec<Use<'_>>> {
    let is_parameter = |term: TermId| store.constant_symbol(term) == Some(parameter);
    if is_parameter(body) {
        return None;
    }
    let mut seen = FxHashSet::default();
    let mut found = Vec::new();
    for term in post_order(store, body, |term| seen.insert(term)) {
        let arguments = store.args(term);
        let positions: Vec<usize> = (0..arguments.len()).filter(|&i| is_parameter(arguments[i])).collect();
        if !positions.is_empty() {
            found.push(Use { op: store.op(term), arguments, positions });
        }
    }
    Some(found)
}

/// The value with a number in some numbering of the values of a sort, from 0; for arrays only the constant ones, for
/// datatypes only the first.
fn nth_value(store: &TermStore, sort: SortId, number: u64) -> Option<Value> {
    if number >= store.cardinality(sort) {
        return None;
    }
    Some(match *store.sort(sort) {
        Sort::Bool => Value::Bool(number == 1),
        Sort::BitVec(width) => Value::BitVec(BitVector::from_u64(width, number)),
        Sort::Uninterpreted { .. } => Value::Uninterpreted { sort, index: u32::try_from(number).ok()? },
        Sort::Int => Value::Int(number.into()),
        Sort::Real => Value::Real(RBig::from(number).into()),
        Sort::String => Value::String(Text::from_int(&number.into())),
        Sort::RoundingMode => Value::RoundingMode(*RoundingMode::ALL.get(number as usize)?),
        Sort::Float(format) => Value::Float(Float::numbered(format, number).into()),
        Sort::RegLan | Sort::Datatype { .. } => return (number == 0).then(|| Value::default_of(store, sort)),
        Sort::Sequence(element) => {
            let length = usize::try_from(number).ok()?;
            let elements = vec![Value::default_of(store, element); length];
            Value::Sequence(SequenceValue::new(elements.into())?)
        }
        Sort::Array { index, element } => {
            Value::Array(ArrayValue::constant(store, index, nth_value(store, element, number)?))
        }
    })
}

/// A term with this value.
fn value_term(store: &mut TermStore, model_terms: &mut ModelTerms, sort: SortId, value: &Value) -> TermId {
    match value {
        Value::Datatype(datatype) => {
            let constructor = datatype.constructor();
            let sorts = store.field_sorts(sort, constructor).unwrap_or_default().to_vec();
            let fields: Vec<TermId> = sorts
                .into_iter()
                .zip(datatype.fields())
                .map(|(sort, field)| value_term(store, model_terms, sort, field))
                .collect();
            store.make(Op::Datatype(DatatypeOp::Construct { constructor, sort }), &fields)
        }
        Value::Sequence(sequence) => {
            let Sort::Sequence(element) = *store.sort(sort) else { unreachable!("a value of the sort") };
            let elements = sequence.elements().iter();
            let elements: Vec<TermId> =
                elements.map(|value| value_term(store, model_terms, element, value)).collect();
            store.sequence_term(sort, &elements)
        }
        Value::Uninterpreted { sort, index } => model_terms.element_term(store, *sort, *index),
        Value::Array(array) => {
            let (index_sort, element_sort) = store.array_parts(sort).unwrap_or((sort, sort));
            let default = value_term(store, model_terms, element_sort, array.default());
            let mut term = store.make(Op::ConstArray(sort), &[default]);
            for (index, element) in array.entries() {
                let index = value_term(store, model_terms, index_sort, index);
                let element = value_term(store, model_terms, element_sort, element);
                term = store.make(Op::Store, &[term, index, element]);
            }
            term
        }
        other => store.value_term(sort, other),
    }
}

//! Uninterpreted functions, by congruence on demand.
//!
//! Applications of one function with equal arguments under the candidate assignment must have
//! equal results. Ackermann's full expansion was rejected for the same reason as in `arrays`.

use rustc_hash::FxHashMap;
use sundry_circuit::{Aig, Edge, NodeKind, OpenFunction};
use sundry_term::{Control, SymbolId};

use super::arrays::ArrayView;
use super::arrays_and_functions::ArraysAndFunctions;
use super::datum::{Datum, Key};
use super::lemma::{Lemma, LemmaKind};
use super::numbers::Solution;

/// The work of looking at an application, and of its lemma, in the units of [`Control::spend`].
const WORK_OF_APPLICATION: u32 = 64;

/// A function of which only congruence is known.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Function {
    /// A declared function.
    Declared(SymbolId),
    /// The results of an operation that the standard leaves open.
    Open(OpenFunction),
}

/// An application of an uninterpreted function.
#[derive(Clone, Debug)]
pub(crate) struct Application {
    pub(crate) function: Function,
    pub(crate) arguments: Box<[Datum]>,
    pub(crate) result: Datum,
}

/// Keys of an application's arguments: equal keys mean equal arguments.
pub(crate) fn argument_keys(view: &ArrayView<'_>, application: &Application) -> Vec<Key> {
    application.arguments.iter().map(|argument| view.key(argument)).collect()
}

/// Finds pairs of applications with equal arguments and unequal results.
pub(crate) fn check_functions(
    theories: &mut ArraysAndFunctions,
    aig: &mut Aig,
    value: &dyn Fn(Edge) -> bool,
    control: &Control,
) -> Vec<Lemma> {
    let mut clashes = Vec::new();
    {
        let view = ArrayView::new(&theories.arrays, value, theories.numbers.solution(), control);
        let mut table: FxHashMap<(Function, Vec<Key>), usize> = FxHashMap::default();
        for (number, application) in theories.applications.iter().enumerate() {
            if control.spend(WORK_OF_APPLICATION).is_err() {
                break;
            }
            let keys = argument_keys(&view, application);
            let first = *table.entry((application.function, keys)).or_insert(number);
            if view.key(&theories.applications[first].result) != view.key(&application.result) {
                clashes.push((first, number));
            }
        }
    }
    let mut lemmas = Vec::new();
    for (left, right) in clashes {
        if control.spend(WORK_OF_APPLICATION).is_err() {
            break;
        }
        let left = theories.applications[left].clone();
        let right = theories.applications[right].clone();
        let mut clause = vec![theories.equal(aig, &left.result, &right.result, &mut lemmas)];
        for (one, other) in left.arguments.iter().zip(&right.arguments) {
            clause.push(!theories.equal(aig, one, other, &mut lemmas));
        }
        lemmas.push(Lemma { kind: LemmaKind::FunctionCongruence, clause });
    }
    lemmas
}

/// The application of a class whose result all get.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Representative {
    First,
    Last,
}

/// A step of congruence closure: gives all applications with equal arguments the result of one of them, as far as results are inputs of the
/// circuit or variables. Returns whether something has changed; then other arguments may have become equal.
pub(crate) fn join_congruent(
    theories: &ArraysAndFunctions,
    aig: &Aig,
    value: &dyn Fn(Edge) -> bool,
    representative: Representative,
    (inputs, numbers): (&mut [u64], &mut Solution),
    control: &Control,
) -> bool {
    let mut changes: Vec<(&Datum, &Datum)> = Vec::new();
    {
        let view = ArrayView::new(&theories.arrays, value, numbers, control);
        let mut table: FxHashMap<(Function, Vec<Key>), &Datum> = FxHashMap::default();
        let mut in_order: Vec<&Application> = theories.applications.iter().collect();
        if representative == Representative::Last {
            in_order.reverse();
        }
        for application in in_order {
            if control.spend(WORK_OF_APPLICATION).is_err() {
                break;
            }
            let model = *table
                .entry((application.function, argument_keys(&view, application)))
                .or_insert(&application.result);
            if view.key(model) != view.key(&application.result) {
                changes.push((model, &application.result));
            }
        }
    }
    let mut has_changed = false;
    for (model, result) in changes {
        match (model, result) {
            (Datum::Bits(model), Datum::Bits(result)) => {
                for (&from, &to) in model.iter().zip(result) {
                    let NodeKind::Input(number) = aig.kind(to.node()) else { continue };
                    let word = u64::from(value(from) != to.is_complemented()).wrapping_neg();
                    has_changed |= std::mem::replace(&mut inputs[number as usize], word) != word;
                }
            }
            (Datum::Number(model), Datum::Number(result)) => {
                let Some(variable) = result.as_variable() else { continue };
                let number = model.value(numbers);
                has_changed |= number != *numbers.value(variable);
                numbers.set(variable, number);
            }
            _ => {}
        }
    }
    has_changed
}

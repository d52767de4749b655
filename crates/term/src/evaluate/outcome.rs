//! Results of evaluation: a value, or the identity of an open value.
//!
//! The standard leaves some results open, such as quotients by zero, but the same application to the same values has
//! the same result. So an open result is identified by its operator and arguments, and `(= (/ x 0) (/ y 0))` holds if
//! `x` and `y` are equal, whatever the quotients are.

use rustc_hash::FxHashMap;

use crate::chosen::ChosenResults;
use crate::entity_id;
use crate::model::Model;
use crate::op::Op;
use crate::theory::Open;
use crate::value::Value;

/// A value, or one that is open.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Outcome {
    Known(Value),
    Open(OpenId),
}

entity_id! {
    /// Identity of an open value: equal ones are the same value under every interpretation.
    pub(super) struct OpenId, "open"
}

impl Outcome {
    /// The value, if known.
    pub(super) fn known(&self) -> Option<&Value> {
        match self {
            Outcome::Known(value) => Some(value),
            Outcome::Open(_) => None,
        }
    }

    /// The truth value, if known.
    pub(super) fn as_bool(&self) -> Option<bool> {
        self.known()?.as_bool()
    }
}

/// All open values of one evaluation.
pub(super) struct OpenValues {
    /// The results that the model chooses, if it does.
    chosen: Option<ChosenResults>,
    ids: FxHashMap<(Op, Vec<Outcome>), OpenId>,
    reasons: Vec<Open>,
}

impl OpenValues {
    pub(super) fn new(model: &Model) -> OpenValues {
        OpenValues { chosen: model.chosen_results().cloned(), ids: FxHashMap::default(), reasons: Vec::new() }
    }

    /// The value of an application that the standard leaves open for a reason.
    pub(super) fn of(&mut self, op: Op, arguments: Vec<Outcome>, reason: Open) -> Outcome {
        if let Some(chosen) = &self.chosen
            && let Some(arguments) = arguments.iter().map(Outcome::known).collect::<Option<Vec<&Value>>>()
            && let Some(value) = chosen.of(op, &arguments)
        {
            return Outcome::Known(value);
        }
        let next = OpenId::new(self.reasons.len());
        let id = *self.ids.entry((op, arguments)).or_insert(next);
        if id == next {
            self.reasons.push(reason);
        }
        Outcome::Open(id)
    }

    /// The value of an application with an open argument: its value if that does not depend on the argument, or an
    /// open value.
    pub(super) fn apply(&mut self, op: Op, arguments: &[&Outcome]) -> Outcome {
        let decided = match op {
            Op::And => of_any(arguments, false).or_else(|| of_all(arguments, true)),
            Op::Or => of_any(arguments, true).or_else(|| of_all(arguments, false)),
            Op::Implies => {
                arguments.split_last().and_then(|(&conclusion, premises)| match of_any(premises, false) {
                    Some(_) => Some(Outcome::Known(Value::Bool(true))),
                    None if conclusion.as_bool() == Some(true) => Some(conclusion.clone()),
                    None => {
                        let all_hold = premises.iter().all(|premise| premise.as_bool() == Some(true));
                        all_hold.then(|| conclusion.clone())
                    }
                })
            }
            Op::Ite => match arguments[0].as_bool() {
                Some(condition) => Some(arguments[if condition { 1 } else { 2 }].clone()),
                None => (arguments[1] == arguments[2]).then(|| arguments[1].clone()),
            },
            Op::Equal => equality(arguments).map(|equal| Outcome::Known(Value::Bool(equal))),
            Op::Distinct => {
                let some_equal = (1..arguments.len()).any(|i| arguments[..i].contains(&arguments[i]));
                some_equal.then_some(Outcome::Known(Value::Bool(false)))
            }
            _ => None,
        };
        decided.unwrap_or_else(|| {
            let reason = arguments.iter().find_map(|argument| self.reason(argument));
            let arguments = arguments.iter().map(|&argument| argument.clone()).collect();
            self.of(op, arguments, reason.expect("an argument is open"))
        })
    }

    /// The reason for which a value is open, if it is.
    pub(super) fn reason(&self, outcome: &Outcome) -> Option<Open> {
        match outcome {
            Outcome::Known(_) => None,
            Outcome::Open(id) => Some(self.reasons[id.index()]),
        }
    }
}

/// This truth value, if an argument has it.
fn of_any(arguments: &[&Outcome], value: bool) -> Option<Outcome> {
    let any = arguments.iter().any(|argument| argument.as_bool() == Some(value));
    any.then_some(Outcome::Known(Value::Bool(value)))
}

/// This truth value, if all arguments have it; the other arguments, if they are one and the same.
fn of_all(arguments: &[&Outcome], value: bool) -> Option<Outcome> {
    let mut others = arguments.iter().filter(|argument| argument.as_bool() != Some(value));
    match others.next() {
        None => Some(Outcome::Known(Value::Bool(value))),
        Some(&first) => others.all(|&other| other == first).then(|| first.clone()),
    }
}

/// Whether all outcomes are equal, if that is determined.
fn equality(arguments: &[&Outcome]) -> Option<bool> {
    let first = arguments[0];
    if arguments.iter().all(|&argument| argument == first) {
        return Some(true);
    }
    let mut known = arguments.iter().filter_map(|argument| argument.known());
    let value = known.next()?;
    known.any(|other| other != value).then_some(false)
}

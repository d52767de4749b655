//! Evaluation of function bodies on demand: only the chosen branch of a conditional, and only the arguments of a
//! connective up to the one that decides its value.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::outcome::{OpenValues, Outcome};
use super::{Control, EvaluationError, Op, SymbolId, TermId, TermStore, Value, apply};
use crate::traverse::ascending_from;
use crate::universe::Universes;

/// A body prepared for evaluation: one step for each term, each step after those it uses.
pub(super) struct Body {
    steps: Vec<Step>,
    /// Arguments of all steps in turn: positions of steps.
    arguments: Vec<u32>,
}

struct Step {
    kind: StepKind,
    first_argument: usize,
    arity: usize,
}

enum StepKind {
    /// The argument of the call under this number.
    Parameter(usize),
    Literal(Value),
    Symbol(SymbolId),
    Operator(Op),
}

impl Body {
    pub(super) fn compile(store: &TermStore, parameters: &[SymbolId], body: TermId) -> Body {
        let numbers: FxHashMap<SymbolId, usize> = parameters.iter().copied().zip(0..).collect();
        let mut positions: FxHashMap<TermId, u32> = FxHashMap::default();
        let mut compiled = Body { steps: Vec::new(), arguments: Vec::new() };
        for (position, term) in (0..).zip(ascending_from(store, body, |_| false)) {
            positions.insert(term, position);
            let kind = match store.op(term) {
                Op::Constant(_) => {
                    StepKind::Literal(store.value(term).expect("a literal has a value").clone())
                }
                Op::Apply(symbol) => match numbers.get(&symbol) {
                    Some(&number) => StepKind::Parameter(number),
                    None => StepKind::Symbol(symbol),
                },
                op => StepKind::Operator(op),
            };
            let arguments = store.args(term);
            let first_argument = compiled.arguments.len();
            compiled.arguments.extend(arguments.iter().map(|argument| positions[argument]));
            compiled.steps.push(Step { kind, first_argument, arity: arguments.len() });
        }
        compiled
    }

    /// The number of steps.
    pub(super) fn length(&self) -> usize {
        self.steps.len()
    }

    fn arguments(&self, step: &Step) -> &[u32] {
        &self.arguments[step.first_argument..step.first_argument + step.arity]
    }
}

/// The point that an evaluation reached.
pub(super) enum Progress {
    /// The end, with the value.
    Value(Outcome),
    /// A call of a function given by a body, whose result is needed first.
    Call(SymbolId, Vec<Outcome>),
}

/// The evaluation of a body for some arguments.
pub(super) struct Evaluation {
    body: Rc<Body>,
    /// Values by step; steps that are not needed stay empty.
    values: Vec<Option<Outcome>>,
    /// The steps that are waited for, innermost last, each with how many of its arguments were looked at.
    waiting: Vec<(u32, usize)>,
}

impl Evaluation {
    pub(super) fn new(body: Rc<Body>) -> Self {
        let root = body.length() as u32 - 1;
        Evaluation { values: vec![None; body.length()], waiting: vec![(root, 0)], body }
    }

    /// Takes the result of the call that was needed first.
    pub(super) fn resume(&mut self, result: Outcome) {
        let (step, _) = self.waiting.pop().expect("a step waits for the call");
        self.values[step as usize] = Some(result);
    }

    /// Evaluates up to the end or up to the next call whose result is needed first.
    pub(super) fn advance(
        &mut self,
        store: &TermStore,
        universes: &Universes,
        parameters: &[Outcome],
        open: &mut OpenValues,
        control: &Control,
        mut look_up: impl FnMut(SymbolId, Vec<Outcome>, &mut OpenValues) -> Result<Progress, EvaluationError>,
    ) -> Result<Progress, EvaluationError> {
        let body = Rc::clone(&self.body);
        while let Some(&mut (position, ref mut looked_at)) = self.waiting.last_mut() {
            control.spend(1)?;
            let step = &body.steps[position as usize];
            let arguments = body.arguments(step);
            let decided = match next(&step.kind, arguments, &self.values, looked_at) {
                Next::Argument(argument) => {
                    self.waiting.push((argument, 0));
                    continue;
                }
                Next::Decided(value) => Some(value),
                Next::Complete => None,
            };
            let argument = |i: usize| self.values[arguments[i] as usize].as_ref().expect("it was waited for");
            let value = match (decided, &step.kind) {
                (Some(value), _) => value,
                (None, StepKind::Parameter(i)) => parameters[*i].clone(),
                (None, StepKind::Literal(value)) => Outcome::Known(value.clone()),
                (None, StepKind::Operator(op)) => {
                    apply(store, universes, *op, step.arity, argument, open, control)?
                }
                (None, StepKind::Symbol(symbol)) => {
                    let arguments = (0..step.arity).map(|i| argument(i).clone()).collect();
                    match look_up(*symbol, arguments, open)? {
                        Progress::Value(value) => value,
                        call => return Ok(call),
                    }
                }
            };
            self.values[position as usize] = Some(value);
            self.waiting.pop();
        }
        let value = self.values.last().and_then(Option::as_ref);
        Ok(Progress::Value(value.expect("the last step is the body itself").clone()))
    }
}

/// The next need of a step.
enum Next {
    /// The value of this step.
    Argument(u32),
    /// Nothing more: this is its value, whatever the values of the remaining arguments.
    Decided(Outcome),
    /// Nothing more: all arguments have values.
    Complete,
}

/// The next need of a step; `looked_at` counts its arguments that have values.
fn next(kind: &StepKind, arguments: &[u32], values: &[Option<Outcome>], looked_at: &mut usize) -> Next {
    let value = |i: usize| values[arguments[i] as usize].as_ref();
    let op = match kind {
        StepKind::Operator(op) => Some(*op),
        _ => None,
    };
    if op == Some(Op::Ite)
        && let Some(condition) = value(0).and_then(Outcome::as_bool)
    {
        let branch = if condition { 1 } else { 2 };
        return match value(branch) {
            Some(value) => Next::Decided(value.clone()),
            None => Next::Argument(arguments[branch]),
        };
    }
    while *looked_at < arguments.len() {
        let Some(outcome) = value(*looked_at) else { return Next::Argument(arguments[*looked_at]) };
        let is_last = *looked_at + 1 == arguments.len();
        let deciding = match op {
            Some(Op::And) => Some((false, false)),
            Some(Op::Or) => Some((true, true)),
            Some(Op::Implies) if !is_last => Some((false, true)),
            _ => None,
        };
        if let (Some((value, result)), Some(found)) = (deciding, outcome.as_bool())
            && value == found
        {
            return Next::Decided(Outcome::Known(Value::Bool(result)));
        }
        *looked_at += 1;
    }
    Next::Complete
}

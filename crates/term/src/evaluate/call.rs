//! Values of symbols: constants, tables, and calls of function bodies.
//!
//! Bodies call one another. Calls run on an explicit stack, each body is prepared once, and a call
//! with arguments seen before is answered from memory, so that bodies that call others twice do
//! not double the work at every level.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::outcome::{OpenValues, Outcome};
use super::{
    EvaluationError, FunctionValue, Model, Op, Open, SymbolId, SymbolKind, TermId, TermStore, Value, apply,
};
use crate::sort::SortId;
use crate::traverse::ascending_from;

/// The symbols of a store under a model.
pub(super) struct Calls<'a> {
    store: &'a TermStore,
    model: &'a Model,
    /// The functions given by a body that were called, by symbol.
    functions: FxHashMap<SymbolId, Function>,
}

/// A function given by a body, and the calls of it so far.
struct Function {
    body: Rc<Body>,
    results: FxHashMap<Vec<Outcome>, Outcome>,
    /// Whether a call of it is on the stack.
    active: bool,
}

/// A body prepared for evaluation: one step for each term, each step after those it uses.
struct Body {
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

/// A call under way.
struct Frame {
    symbol: SymbolId,
    arguments: Vec<Outcome>,
    body: Rc<Body>,
    /// Values of the steps done.
    values: Vec<Outcome>,
}

/// What came of looking up a symbol.
enum Lookup {
    Value(Outcome),
    /// A call of a function given by a body, with a result not known yet.
    Call(Vec<Outcome>),
}

impl<'a> Calls<'a> {
    pub(super) fn new(store: &'a TermStore, model: &'a Model) -> Self {
        Calls { store, model, functions: FxHashMap::default() }
    }

    /// The value of a symbol applied to arguments.
    pub(super) fn value(
        &mut self,
        symbol: SymbolId,
        arguments: Vec<Outcome>,
        open: &mut OpenValues,
    ) -> Result<Outcome, EvaluationError> {
        match self.look_up(symbol, arguments, open)? {
            Lookup::Value(value) => Ok(value),
            Lookup::Call(arguments) => {
                let mut stack = Vec::new();
                let result = self.run(&mut stack, symbol, arguments, open);
                for frame in stack {
                    self.function(frame.symbol).active = false;
                }
                result
            }
        }
    }

    /// Answers what needs no body, or a call of a body that was answered before.
    fn look_up(
        &mut self,
        symbol: SymbolId,
        arguments: Vec<Outcome>,
        open: &mut OpenValues,
    ) -> Result<Lookup, EvaluationError> {
        let declared = self.store.symbol(symbol);
        let value = match (self.model.constant(symbol), self.model.function(symbol)) {
            (Some(value), _) if arguments.is_empty() => value,
            (_, Some(FunctionValue::Table { entries, default })) => {
                let known: Option<Vec<Value>> = arguments.iter().map(|it| it.known().cloned()).collect();
                match known {
                    Some(arguments) => entries.get(&arguments).unwrap_or(default),
                    None if entries.values().all(|value| value == default) => default,
                    None => {
                        let arguments: Vec<&Outcome> = arguments.iter().collect();
                        return Ok(Lookup::Value(open.apply(Op::Apply(symbol), &arguments)));
                    }
                }
            }
            (_, Some(FunctionValue::Body { parameters, body })) => {
                self.prepare(symbol, parameters, *body)?;
                return Ok(match self.function(symbol).results.get(&arguments) {
                    Some(value) => Lookup::Value(value.clone()),
                    None => Lookup::Call(arguments),
                });
            }
            _ if declared.kind == SymbolKind::Parameter => {
                let name = declared.name.to_string();
                return Err(EvaluationError::UnboundParameter { symbol, name });
            }
            _ if declared.kind == SymbolKind::Variable => {
                return Ok(Lookup::Value(open.of(Op::Apply(symbol), arguments, Open::Quantifier)));
            }
            _ => match self.model.open(symbol) {
                Some(reason) => return Ok(Lookup::Value(open.of(Op::Apply(symbol), arguments, reason))),
                None => {
                    let default = Value::default_of(self.store, declared.result);
                    return Ok(Lookup::Value(Outcome::Known(default)));
                }
            },
        };
        if value.has_sort(self.store, declared.result) {
            Ok(Lookup::Value(Outcome::Known(value.clone())))
        } else {
            Err(self.ill_sorted(symbol))
        }
    }

    fn function(&mut self, symbol: SymbolId) -> &mut Function {
        self.functions.get_mut(&symbol).expect("a function is prepared before it is called")
    }

    /// Compiles a body, unless that was done before.
    fn prepare(
        &mut self,
        symbol: SymbolId,
        parameters: &[SymbolId],
        body: TermId,
    ) -> Result<(), EvaluationError> {
        if self.functions.contains_key(&symbol) {
            return Ok(());
        }
        let declared = self.store.symbol(symbol);
        let sorts: Vec<SortId> = parameters.iter().map(|&p| self.store.symbol(p).result).collect();
        if sorts[..] != declared.arguments[..] || self.store.sort_of(body) != declared.result {
            return Err(self.ill_sorted(symbol));
        }
        let body = Rc::new(Body::compile(self.store, parameters, body));
        self.functions.insert(symbol, Function { body, results: FxHashMap::default(), active: false });
        Ok(())
    }

    fn ill_sorted(&self, symbol: SymbolId) -> EvaluationError {
        EvaluationError::IllSortedValue { symbol, name: self.store.symbol(symbol).name.to_string() }
    }

    /// Runs a call and those below it. On an error the stack is left as it was then.
    fn run(
        &mut self,
        stack: &mut Vec<Frame>,
        symbol: SymbolId,
        arguments: Vec<Outcome>,
        open: &mut OpenValues,
    ) -> Result<Outcome, EvaluationError> {
        stack.push(self.enter(symbol, arguments)?);
        loop {
            let frame = stack.last_mut().expect("the loop ends with the last frame");
            if let Some((callee, arguments)) = self.advance(frame, open)? {
                stack.push(self.enter(callee, arguments)?);
                continue;
            }
            let Frame { symbol, arguments, mut values, .. } = stack.pop().expect("it was just there");
            let result = values.pop().expect("the last step is the body itself");
            let function = self.function(symbol);
            function.active = false;
            function.results.insert(arguments, result.clone());
            match stack.last_mut() {
                Some(caller) => caller.values.push(result),
                None => return Ok(result),
            }
        }
    }

    fn enter(&mut self, symbol: SymbolId, arguments: Vec<Outcome>) -> Result<Frame, EvaluationError> {
        let store = self.store;
        let function = self.function(symbol);
        if function.active {
            let name = store.symbol(symbol).name.to_string();
            return Err(EvaluationError::CyclicFunction { symbol, name });
        }
        function.active = true;
        let body = Rc::clone(&function.body);
        let values = Vec::with_capacity(body.steps.len());
        Ok(Frame { symbol, arguments, body, values })
    }

    /// Goes on with a call to its end (`None`) or to the next call that must come first.
    fn advance(
        &mut self,
        frame: &mut Frame,
        open: &mut OpenValues,
    ) -> Result<Option<(SymbolId, Vec<Outcome>)>, EvaluationError> {
        let body = Rc::clone(&frame.body);
        for step in &body.steps[frame.values.len()..] {
            let positions = &body.arguments[step.first_argument..step.first_argument + step.arity];
            let argument = |i: usize| &frame.values[positions[i] as usize];
            let value = match &step.kind {
                StepKind::Parameter(i) => frame.arguments[*i].clone(),
                StepKind::Literal(value) => Outcome::Known(value.clone()),
                StepKind::Operator(op) => apply(self.store, *op, step.arity, argument, open),
                StepKind::Symbol(symbol) => {
                    let arguments = (0..step.arity).map(|i| argument(i).clone()).collect();
                    match self.look_up(*symbol, arguments, open)? {
                        Lookup::Value(value) => value,
                        Lookup::Call(arguments) => return Ok(Some((*symbol, arguments))),
                    }
                }
            };
            frame.values.push(value);
        }
        Ok(None)
    }
}

impl Body {
    fn compile(store: &TermStore, parameters: &[SymbolId], body: TermId) -> Body {
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
}

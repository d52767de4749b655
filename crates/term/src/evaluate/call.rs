//! Values of symbols: constants, tables, and calls of function bodies.
//!
//! Bodies call one another. Calls run on an explicit stack, each body is prepared once, and the result of a call with
//! the same arguments is remembered, so that bodies that call others twice do not double the work at every level. The
//! evaluator evaluates only the parts of a body on which its value depends (`lazy.rs`); otherwise recursion would
//! never end.
//!
//! Recursion is limited, since a definition may not terminate: a call that takes too many steps, or that depends on
//! itself, is open. So is any function of which only other values are known.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::lazy::{Body, Evaluation, Progress};
use super::outcome::{OpenValues, Outcome};
use super::{
    Control, EvaluationError, FunctionValue, Model, Op, Open, SymbolId, SymbolKind, TermId, TermStore, Value,
};
use crate::sort::SortId;
use crate::universe::Universes;

/// The maximal number of steps of recursive functions to which one application is unrolled.
const MAX_UNROLLED: usize = 1 << 18;
/// The maximal number of steps of recursive functions for all applications together.
const MAX_UNROLLED_IN_ALL: usize = 1 << 22;

/// The symbols of a store under a model.
pub(super) struct Calls<'a> {
    store: &'a TermStore,
    model: &'a Model,
    /// The model with values within its universes, if some declared sorts have finitely many elements.
    within: Option<Model>,
    /// The symbols whose values are not within the universes.
    outside: Vec<SymbolId>,
    /// The called functions that are given by a body, by symbol.
    functions: FxHashMap<SymbolId, Function>,
    /// The steps of recursive functions that may still be taken: by the present application, and by all.
    steps_left: usize,
    steps_left_in_all: usize,
    control: Control,
}

/// A function given by a body, and its calls so far.
struct Function {
    body: Rc<Body>,
    /// Whether the body may apply the function again.
    is_recursive: bool,
    /// The results of its calls; none yet for those on the stack.
    results: FxHashMap<Vec<Outcome>, Option<Outcome>>,
    /// The number of its calls on the stack.
    active: usize,
}

/// A call under way.
struct Frame {
    symbol: SymbolId,
    arguments: Vec<Outcome>,
    evaluation: Evaluation,
}

/// The result of looking up a symbol.
enum Lookup {
    Value(Outcome),
    /// A call of a function given by a body, whose result is not known yet.
    Call(Vec<Outcome>),
}

impl<'a> Calls<'a> {
    pub(super) fn new(store: &'a TermStore, model: &'a Model, control: &Control) -> Self {
        let (steps_left, steps_left_in_all) = (0, MAX_UNROLLED_IN_ALL);
        let (within, outside) = match model.universes().is_empty() {
            true => (None, Vec::new()),
            false => {
                let (within, outside) = model.within_universes(store);
                (Some(within), outside)
            }
        };
        let (functions, control) = (FxHashMap::default(), control.clone());
        Calls { store, model, within, outside, functions, steps_left, steps_left_in_all, control }
    }

    /// The numbers of elements of declared sorts.
    pub(super) fn universes(&self) -> &'a Universes {
        self.model.universes()
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
                self.steps_left = MAX_UNROLLED.min(self.steps_left_in_all);
                let before = self.steps_left;
                let result = self.run(&mut stack, symbol, arguments.clone(), open);
                self.steps_left_in_all -= before - self.steps_left;
                for frame in stack {
                    let function = self.function(frame.symbol);
                    function.active -= 1;
                    function.results.remove(&frame.arguments);
                }
                if let Some(result) = result? {
                    return Ok(result);
                }
                let result = open.of(Op::Apply(symbol), arguments.clone(), Open::Recursion);
                self.function(symbol).results.insert(arguments, Some(result.clone()));
                Ok(result)
            }
        }
    }

    /// Answers a symbol that needs no body, or a call of a body that was answered before.
    fn look_up(
        &mut self,
        symbol: SymbolId,
        arguments: Vec<Outcome>,
        open: &mut OpenValues,
    ) -> Result<Lookup, EvaluationError> {
        if let Some(definition) = self.store.definition(symbol) {
            if arguments.iter().any(|argument| argument.known().is_none()) {
                let arguments: Vec<&Outcome> = arguments.iter().collect();
                return Ok(Lookup::Value(open.apply(Op::Apply(symbol), &arguments)));
            }
            self.prepare(symbol, &definition.parameters, definition.body)?;
            return Ok(self.call(symbol, arguments, open));
        }
        let declared = self.store.symbol(symbol);
        if let Some(FunctionValue::Body { parameters, body }) = self.model.function(symbol)
            && (!arguments.is_empty() || self.model.constant(symbol).is_none())
        {
            self.prepare(symbol, parameters, *body)?;
            return Ok(self.call(symbol, arguments, open));
        }
        if self.outside.contains(&symbol) {
            return Err(self.ill_sorted(symbol));
        }
        let values = self.within.as_ref().unwrap_or(self.model);
        let value = match (values.constant(symbol), values.function(symbol)) {
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
            (_, Some(FunctionValue::Body { .. })) => unreachable!("bodies are called before"),
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
                    let default = default.within(self.store, self.model.universes(), declared.result);
                    return Ok(Lookup::Value(Outcome::Known(default.expect("every sort has an element 0"))));
                }
            },
        };
        if value.has_sort_within(self.store, self.model.universes(), declared.result) {
            Ok(Lookup::Value(Outcome::Known(value.clone())))
        } else {
            Err(self.ill_sorted(symbol))
        }
    }

    /// Answers a call of a prepared function from memory, if it can.
    fn call(&mut self, symbol: SymbolId, arguments: Vec<Outcome>, open: &mut OpenValues) -> Lookup {
        let function = self.function(symbol);
        match function.results.get(&arguments) {
            Some(Some(value)) => Lookup::Value(value.clone()),
            // The value depends on itself: any will do.
            Some(None) if function.is_recursive => {
                Lookup::Value(open.of(Op::Apply(symbol), arguments, Open::Recursion))
            }
            _ => Lookup::Call(arguments),
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
        let is_recursive = declared.kind == SymbolKind::Defined;
        let function = Function { body, is_recursive, results: FxHashMap::default(), active: 0 };
        self.functions.insert(symbol, function);
        Ok(())
    }

    fn ill_sorted(&self, symbol: SymbolId) -> EvaluationError {
        EvaluationError::IllSortedValue { symbol, name: self.store.symbol(symbol).name.to_string() }
    }

    /// Runs a call and those below it; `None` where that takes too many steps. Then and on an error the stack is
    /// left as it was.
    fn run(
        &mut self,
        stack: &mut Vec<Frame>,
        symbol: SymbolId,
        arguments: Vec<Outcome>,
        open: &mut OpenValues,
    ) -> Result<Option<Outcome>, EvaluationError> {
        let mut next = Some((symbol, arguments));
        let control = self.control.clone();
        loop {
            if let Some((symbol, arguments)) = next.take() {
                match self.enter(symbol, arguments)? {
                    Some(frame) => stack.push(frame),
                    None => return Ok(None),
                }
            }
            let frame = stack.last_mut().expect("the loop ends with the last frame");
            let (store, universes) = (self.store, self.universes());
            let look_up =
                |symbol, arguments, open: &mut OpenValues| match self.look_up(symbol, arguments, open)? {
                    Lookup::Value(value) => Ok(Progress::Value(value)),
                    Lookup::Call(arguments) => Ok(Progress::Call(symbol, arguments)),
                };
            let evaluation = &mut frame.evaluation;
            let result =
                match evaluation.advance(store, universes, &frame.arguments, open, &control, look_up)? {
                    Progress::Value(result) => result,
                    Progress::Call(symbol, arguments) => {
                        next = Some((symbol, arguments));
                        continue;
                    }
                };
            let Frame { symbol, arguments, .. } = stack.pop().expect("it was just there");
            let function = self.function(symbol);
            function.active -= 1;
            function.results.insert(arguments, Some(result.clone()));
            match stack.last_mut() {
                Some(caller) => caller.evaluation.resume(result),
                None => return Ok(Some(result)),
            }
        }
    }

    /// Begins a call; `None` where no steps are left for it.
    fn enter(&mut self, symbol: SymbolId, arguments: Vec<Outcome>) -> Result<Option<Frame>, EvaluationError> {
        let store = self.store;
        let function = self.functions.get_mut(&symbol).expect("a function is prepared before it is called");
        if function.is_recursive {
            match self.steps_left.checked_sub(function.body.length()) {
                Some(left) => self.steps_left = left,
                None => return Ok(None),
            }
            function.results.insert(arguments.clone(), None);
        } else if function.active > 0 {
            let name = store.symbol(symbol).name.to_string();
            return Err(EvaluationError::CyclicFunction { symbol, name });
        }
        function.active += 1;
        let evaluation = Evaluation::new(Rc::clone(&function.body));
        Ok(Some(Frame { symbol, arguments, evaluation }))
    }
}

//! The evaluator: the value of any term under any model, total and exact.
//!
//! The evaluator judges every solver, so it shares no code with any: it works on the terms as they were read, by the
//! definitions of the SMT-LIB theories. Arguments have smaller ids than applications, so evaluation is one pass over
//! the reachable terms, in ascending order. Recursion was rejected because inputs nest terms arbitrarily deep.
//!
//! If the standard leaves a result open, the value is open too ([`Open`]), and so is every term that depends on it,
//! unless its value is the same whatever the result. So a term that is false here is false under every
//! interpretation.

mod call;
mod lazy;
mod operation;
mod outcome;

use std::fmt;

use crate::arguments::Arguments;
use crate::control::{Control, Stopped};
use crate::model::{FunctionValue, Model};
use crate::op::{Op, SymbolId};
use crate::store::{SymbolKind, TermId, TermStore};
use crate::theory::{Halt, Open};
use crate::universe::Universes;
use crate::value::Value;
use call::Calls;
pub use operation::{evaluate_operator, evaluate_operator_within};
use outcome::{OpenValues, Outcome};

/// The reason for which a model gives a term no value. The model is at fault, unless the value is open or work had to
/// stop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EvaluationError {
    /// The body of a function calls the function again, directly or through others.
    CyclicFunction {
        /// The function that was called while being evaluated.
        symbol: SymbolId,
        /// The name of the symbol.
        name: String,
    },
    /// A parameter occurs outside the body it belongs to.
    UnboundParameter {
        /// The parameter.
        symbol: SymbolId,
        /// The name of the symbol.
        name: String,
    },
    /// The value of a symbol is not of the symbol's sort.
    IllSortedValue {
        /// The constant or function.
        symbol: SymbolId,
        /// The name of the symbol.
        name: String,
    },
    /// The standard leaves the value open.
    Open {
        /// The reason.
        reason: Open,
    },
    /// Work had to stop. Neither the model nor the term is at fault.
    Stopped(Stopped),
}

impl From<Stopped> for EvaluationError {
    fn from(reason: Stopped) -> Self {
        EvaluationError::Stopped(reason)
    }
}

impl fmt::Display for EvaluationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvaluationError::CyclicFunction { name, .. } => {
                write!(f, "the model defines function '{name}' by itself")
            }
            EvaluationError::UnboundParameter { name, .. } => {
                write!(f, "parameter '{name}' occurs outside the function it belongs to")
            }
            EvaluationError::IllSortedValue { name, .. } => {
                write!(f, "the model's value of '{name}' is not of its sort")
            }
            EvaluationError::Open { reason } => write!(f, "the value depends on {reason}"),
            EvaluationError::Stopped(reason) => write!(f, "{reason} while the value was computed"),
        }
    }
}

impl std::error::Error for EvaluationError {}

/// Values of terms under one model, each computed once.
///
/// ```
/// use sundry_term::{BitVector, Evaluator, Model, Op, TermStore, Value};
///
/// let mut store = TermStore::new();
/// let byte = store.bit_vec_sort(8)?;
/// let x = store.declare("x", &[], byte);
/// let x_term = store.symbol_term(x);
/// let square = store.term(Op::BvMul, &[x_term, x_term])?;
///
/// let mut model = Model::new();
/// model.set_constant(x, Value::BitVec(BitVector::from_u64(8, 20)));
/// let mut evaluator = Evaluator::new(&store, &model);
/// evaluator.evaluate(&[square])?;
/// assert_eq!(evaluator.value(square), Some(&Value::BitVec(BitVector::from_u64(8, 400 % 256))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Evaluator<'a> {
    store: &'a TermStore,
    /// Values by term.
    values: Vec<Option<Outcome>>,
    /// Marks by term; all false between calls.
    marked: Vec<bool>,
    symbols: Calls<'a>,
    open: OpenValues,
    control: Control,
}

impl<'a> Evaluator<'a> {
    /// Creates an evaluator without values.
    pub fn new(store: &'a TermStore, model: &'a Model) -> Self {
        Evaluator::with_control(store, model, &Control::default())
    }

    /// Creates an evaluator without values that stops when its control says so.
    pub fn with_control(store: &'a TermStore, model: &'a Model, control: &Control) -> Self {
        let symbols = Calls::new(store, model, control);
        let open = OpenValues::new(model);
        Evaluator { store, values: Vec::new(), marked: Vec::new(), symbols, open, control: control.clone() }
    }

    /// Evaluates every term below the roots, themselves included, as far as not done before.
    ///
    /// # Errors
    /// The model is not well-formed at a place that the terms need, or work has to stop. Terms that have a value by
    /// then keep it.
    pub fn evaluate(&mut self, roots: &[TermId]) -> Result<(), EvaluationError> {
        for term in self.pending(roots)? {
            self.control.spend(1 + self.store.arity(term))?;
            self.evaluate_application(term)?;
        }
        Ok(())
    }

    /// The value of a term; `None` when it is open, or was not below any root yet.
    pub fn value(&self, term: TermId) -> Option<&Value> {
        self.values.get(term.index())?.as_ref()?.known()
    }

    /// The reason for which the value of a term is open; `None` if it is not open, or the term was not below any root
    /// yet.
    pub fn open(&self, term: TermId) -> Option<Open> {
        self.open.reason(self.values.get(term.index())?.as_ref()?)
    }

    /// The terms below the roots that have no value yet, in ascending order: arguments have smaller ids.
    fn pending(&mut self, roots: &[TermId]) -> Result<Vec<TermId>, Stopped> {
        let is_first = self.values.is_empty();
        let size = roots.iter().map(|root| root.index() + 1).max().unwrap_or(0);
        if size > self.values.len() {
            self.values.resize(size, None);
            self.marked.resize(size, false);
        }
        // Later calls often ask for little that is new, for which a sweep over all that is done would be long.
        let mut found = Vec::new();
        let result =
            if is_first { self.sweep(roots, size, &mut found) } else { self.search(roots, &mut found) };
        if let Err(stopped) = result {
            self.marked.fill(false);
            return Err(stopped);
        }
        debug_assert!(found.is_sorted());
        Ok(found)
    }

    /// Finds the pending terms by one descending sweep, which meets every term after its uses.
    fn sweep(&mut self, roots: &[TermId], size: usize, found: &mut Vec<TermId>) -> Result<(), Stopped> {
        let mut waiting = 0;
        self.mark(roots, |_| waiting += 1);
        let mut next = size;
        while waiting > 0 {
            next -= 1;
            self.control.spend(1)?;
            if self.marked[next] {
                let term = TermId::new(next);
                self.marked[next] = false;
                found.push(term);
                self.mark(self.store.args(term), |_| waiting += 1);
                waiting -= 1;
            }
        }
        found.reverse();
        Ok(())
    }

    /// Finds the pending terms in time that depends only on their number.
    fn search(&mut self, roots: &[TermId], found: &mut Vec<TermId>) -> Result<(), Stopped> {
        self.mark(roots, |term| found.push(term));
        let mut next = 0;
        while let Some(&term) = found.get(next) {
            self.control.spend(1)?;
            self.mark(self.store.args(term), |argument| found.push(argument));
            next += 1;
        }
        found.sort_unstable();
        found.iter().for_each(|term| self.marked[term.index()] = false);
        Ok(())
    }

    /// Marks the terms that have no value yet, and shows those that were not marked before.
    fn mark(&mut self, terms: &[TermId], mut show: impl FnMut(TermId)) {
        for &term in terms {
            if self.values[term.index()].is_none() && !self.marked[term.index()] {
                self.marked[term.index()] = true;
                show(term);
            }
        }
    }

    /// Evaluates a term whose arguments were evaluated.
    fn evaluate_application(&mut self, term: TermId) -> Result<(), EvaluationError> {
        // Arguments are below the application, in the table of values too.
        let (below, rest) = self.values.split_at_mut(term.index());
        let arguments = self.store.args(term);
        let outcome =
            |i: usize| below[arguments[i].index()].as_ref().expect("arguments are evaluated before");
        rest[0] = Some(match self.store.op(term) {
            Op::Constant(_) => Outcome::Known(self.store.value(term).expect("a literal has a value").clone()),
            Op::Apply(symbol) => {
                let arguments = (0..arguments.len()).map(|i| outcome(i).clone()).collect();
                self.symbols.value(symbol, arguments, &mut self.open)?
            }
            op => {
                let universes = self.symbols.universes();
                apply(self.store, universes, op, arguments.len(), outcome, &mut self.open, &self.control)?
            }
        });
        Ok(())
    }
}

/// The value of an operator that has a meaning of its own, on values that may be open.
fn apply<'v>(
    store: &TermStore,
    universes: &Universes,
    op: Op,
    count: usize,
    outcome: impl Fn(usize) -> &'v Outcome + Copy,
    open: &mut OpenValues,
    control: &Control,
) -> Result<Outcome, Stopped> {
    if let Some(i) = (0..count).find(|&i| outcome(i).known().is_none()) {
        debug_assert!(open.reason(outcome(i)).is_some());
        let arguments: Vec<&Outcome> = (0..count).map(outcome).collect();
        return Ok(open.apply(op, &arguments));
    }
    let value = |i: usize| outcome(i).known().expect("no argument is open");
    Ok(match operation::apply(store, universes, op, Arguments::new(count, value, control)) {
        Ok(value) => Outcome::Known(value),
        Err(Halt::Open(reason)) => open.of(op, (0..count).map(|i| outcome(i).clone()).collect(), reason),
        Err(Halt::Stopped(reason)) => return Err(reason),
    })
}

/// The value of one term under a model.
///
/// The effort grows with the term's position in the store. Callers that evaluate many terms under one model should
/// keep an [`Evaluator`].
///
/// # Errors
/// The model is not well-formed at a place that the term needs, or the value is open.
pub fn evaluate(store: &TermStore, model: &Model, term: TermId) -> Result<Value, EvaluationError> {
    evaluate_within(store, model, term, &Control::default())
}

/// Evaluates a term like [`evaluate`], until a control stops the work.
///
/// # Errors
/// The errors of [`evaluate`], or the control stopped the work.
pub fn evaluate_within(
    store: &TermStore,
    model: &Model,
    term: TermId,
    control: &Control,
) -> Result<Value, EvaluationError> {
    let mut evaluator = Evaluator::with_control(store, model, control);
    evaluator.evaluate(&[term])?;
    match evaluator.values.swap_remove(term.index()).expect("the root has just been evaluated") {
        Outcome::Known(value) => Ok(value),
        open @ Outcome::Open(_) => {
            let reason = evaluator.open.reason(&open).expect("it is open");
            Err(EvaluationError::Open { reason })
        }
    }
}

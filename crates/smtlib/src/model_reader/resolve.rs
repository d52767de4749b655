//! The resolution of definitions to values.
//!
//! Almost every value is a literal, a chain of stores or a chain of `ite` over points, and is read off directly. The
//! rest is evaluated: all definitions together form a model of bodies, and the evaluator computes the value of any
//! term under it.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use sundry_term::{
    ArithmeticOp, ArrayValue, DatatypeOp, Evaluator, FloatOp, FunctionValue, Model, Op, Open, SequenceOp,
    SymbolId, TermId, TermStore, Value, evaluate_operator,
};

use super::definitions::Definition;
use super::tabulate::{Point, points, tabulate};
use super::{ReadModel, UnusedDefinition};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::model_values::{ArrayContent, ModelTerms};
use crate::source::Span;
use crate::walk::{applications_of_symbols, post_order};

/// Makes the model of these definitions, for the declared symbols.
pub(super) fn resolve(
    store: &mut TermStore,
    model_terms: &mut ModelTerms,
    definitions: &[Definition],
    symbols: &[SymbolId],
    span: Span,
) -> Result<ReadModel, Diagnostic> {
    let mut resolver = Resolver {
        definitions: definitions.iter().map(|definition| (definition.symbol, definition)).collect(),
        arrays: model_terms.arrays.iter().map(|array| (array.symbol, array.content)).collect(),
        raw: Model::new(),
        pending: Vec::new(),
        span,
    };
    for number in model_terms.algebraic_numbers() {
        resolver.raw.set_open(number, Open::AlgebraicNumber);
    }
    resolver.read_off(store, model_terms, definitions);
    resolver.fill_in_elements(store, model_terms, definitions);
    resolver.tabulate_arrays(store, model_terms)?;
    resolver.evaluate_pending(store)?;

    let used = resolver.used_symbols(store, definitions);
    let mut model = resolver.finished_model(store, definitions);
    for (sort, count) in model_terms.universes.iter() {
        model.set_universe(sort, count);
    }
    let missing =
        symbols.iter().copied().filter(|symbol| !resolver.definitions.contains_key(symbol)).collect();
    let unused = definitions
        .iter()
        .filter(|definition| !definition.is_declared && !used.contains(&definition.symbol))
        .map(|definition| UnusedDefinition { name: definition.name.to_string(), span: definition.span })
        .collect();
    Ok(ReadModel { model, span, missing, unused })
}

struct Resolver<'d> {
    definitions: FxHashMap<SymbolId, &'d Definition>,
    /// The contents of the constants that stand for arrays given by functions.
    arrays: FxHashMap<SymbolId, ArrayContent>,
    /// Values of all defined symbols, auxiliary or not; bodies if no value is known yet.
    raw: Model,
    /// Constants that still have a body instead of a value.
    pending: Vec<SymbolId>,
    span: Span,
}

impl Resolver<'_> {
    /// Takes over every definition: as a value if one can be read off, else as a body.
    fn read_off(&mut self, store: &TermStore, model_terms: &ModelTerms, definitions: &[Definition]) {
        for definition in definitions {
            let symbol = definition.symbol;
            if !definition.parameters.is_empty() {
                let table = function_table(store, model_terms, &definition.parameters, definition.body);
                self.raw.set_function(symbol, table.unwrap_or_else(|| body_of(definition)));
            } else if let Some(value) = ground_value(store, model_terms, definition.body) {
                self.raw.set_constant(symbol, value);
            } else {
                self.raw.set_function(symbol, body_of(definition));
                self.pending.push(symbol);
            }
        }
    }

    /// Sets the values of the constants that stand for elements, if a body uses them.
    fn fill_in_elements(&mut self, store: &TermStore, model_terms: &ModelTerms, definitions: &[Definition]) {
        let arrays = model_terms.arrays.iter().filter_map(|array| match array.content {
            ArrayContent::Lambda { body, .. } => Some(body),
            ArrayContent::Function(_) => None,
        });
        let unread = definitions.iter().filter(|definition| {
            matches!(self.raw.function(definition.symbol), Some(FunctionValue::Body { .. }))
        });
        let bodies: Vec<TermId> = unread.map(|definition| definition.body).chain(arrays).collect();
        for (_, symbol) in bodies.into_iter().flat_map(|body| applications_of_symbols(store, body)) {
            if let Some(value) = model_terms.element_value(symbol) {
                self.raw.set_constant(symbol, value.clone());
            }
        }
    }

    // ---- arrays given by functions

    /// Sets the values of the constants that stand for arrays, each after those it depends on.
    fn tabulate_arrays(
        &mut self,
        store: &mut TermStore,
        model_terms: &mut ModelTerms,
    ) -> Result<(), Diagnostic> {
        let mut open = model_terms.arrays.clone();
        while !open.is_empty() {
            let unknown: FxHashSet<SymbolId> = open.iter().map(|array| array.symbol).collect();
            let before = open.len();
            let mut blocked = Vec::new();
            for array in open {
                let needed = self.symbols_below(store, used_by_array(store, array.content));
                if needed.iter().any(|symbol| unknown.contains(symbol)) {
                    blocked.push(array);
                    continue;
                }
                let value = tabulate(store, model_terms, &self.raw, &array)?;
                self.raw.set_constant(array.symbol, value);
            }
            if blocked.len() == before {
                let message = "this array value is defined by itself";
                return Err(Diagnostic::new(DiagnosticKind::Syntax, blocked[0].span, message));
            }
            open = blocked;
        }
        Ok(())
    }

    /// The given symbols, and all symbols that their definitions use, directly or not.
    fn symbols_below(&self, store: &TermStore, start: Vec<SymbolId>) -> FxHashSet<SymbolId> {
        let mut seen: FxHashSet<SymbolId> = start.iter().copied().collect();
        let mut stack = start;
        while let Some(symbol) = stack.pop() {
            let used = match (self.definitions.get(&symbol), self.arrays.get(&symbol)) {
                (Some(definition), _) => symbols_in(store, definition.body),
                (None, Some(&content)) => used_by_array(store, content),
                (None, None) => continue,
            };
            stack.extend(used.into_iter().filter(|&other| seen.insert(other)));
        }
        seen
    }

    // ---- everything else

    fn evaluate_pending(&mut self, store: &mut TermStore) -> Result<(), Diagnostic> {
        let roots: Vec<TermId> = self.pending.iter().map(|&symbol| store.symbol_term(symbol)).collect();
        if roots.is_empty() {
            return Ok(());
        }
        let mut evaluator = Evaluator::new(store, &self.raw);
        evaluator.evaluate(&roots).map_err(|error| {
            Diagnostic::new(DiagnosticKind::Syntax, self.span, format!("the model has no values: {error}"))
        })?;
        let value = |&root: &TermId| {
            evaluator.value(root).cloned().ok_or(evaluator.open(root).unwrap_or(Open::Unnamed))
        };
        let values: Vec<Result<Value, Open>> = roots.iter().map(value).collect();
        for (&symbol, value) in self.pending.iter().zip(values) {
            match value {
                Ok(value) => self.raw.set_constant(symbol, value),
                Err(reason) => self.raw.set_open(symbol, reason),
            }
        }
        Ok(())
    }

    /// The symbols that the definitions of declared symbols use, directly or not.
    fn used_symbols(&self, store: &TermStore, definitions: &[Definition]) -> FxHashSet<SymbolId> {
        let declared = definitions.iter().filter(|definition| definition.is_declared);
        self.symbols_below(store, declared.map(|definition| definition.symbol).collect())
    }

    /// The values of the declared symbols, and of the symbols that the remaining bodies among them use.
    fn finished_model(&self, store: &TermStore, definitions: &[Definition]) -> Model {
        let mut model = Model::new();
        let mut seen = FxHashSet::default();
        let declared = definitions.iter().filter(|definition| definition.is_declared);
        let mut stack: Vec<SymbolId> = declared.map(|definition| definition.symbol).collect();
        while let Some(symbol) = stack.pop() {
            if !seen.insert(symbol) {
                continue;
            }
            if let Some(reason) = self.raw.open(symbol) {
                model.set_open(symbol, reason);
            } else if let Some(value) = self.raw.constant(symbol) {
                model.set_constant(symbol, value.clone());
            } else if let Some(function) = self.raw.function(symbol) {
                if let FunctionValue::Body { body, .. } = function {
                    stack.extend(symbols_in(store, *body));
                }
                model.set_function(symbol, function.clone());
            }
        }
        model
    }
}

fn body_of(definition: &Definition) -> FunctionValue {
    FunctionValue::Body { parameters: definition.parameters.clone(), body: definition.body }
}

fn used_by_array(store: &TermStore, content: ArrayContent) -> Vec<SymbolId> {
    match content {
        ArrayContent::Lambda { body, .. } => symbols_in(store, body),
        ArrayContent::Function(function) => vec![function],
    }
}

fn symbols_in(store: &TermStore, body: TermId) -> Vec<SymbolId> {
    applications_of_symbols(store, body).into_iter().map(|(_, symbol)| symbol).collect()
}

/// The value of a term made of literals, elements, constant arrays and stores only.
pub(super) fn ground_value(store: &TermStore, model_terms: &ModelTerms, root: TermId) -> Option<Value> {
    let leaf = |term: TermId| match (store.constant_symbol(term), store.op(term)) {
        (Some(symbol), _) => model_terms.element_value(symbol).cloned(),
        (None, Op::Constant(_)) => store.value(term).cloned(),
        (None, op) => evaluate_operator(store, op, &[]).ok(),
    };
    if store.args(root).is_empty() {
        return leaf(root);
    }
    let mut values: FxHashMap<TermId, Value> = FxHashMap::default();
    let mut seen = FxHashSet::default();
    let applications = post_order(store, root, |term| seen.insert(term));
    for term in applications {
        let arguments = store.args(term);
        let value = |position: usize| {
            let argument = arguments[position];
            values.get(&argument).cloned().or_else(|| leaf(argument))
        };
        let result = match store.op(term) {
            Op::ConstArray(sort) => {
                let (index, _) = store.array_parts(sort)?;
                Value::Array(ArrayValue::constant(store, index, value(0)?))
            }
            Op::Store => Value::Array(value(0)?.as_array()?.store(value(1)?, value(2)?)),
            op @ (Op::Arithmetic(ArithmeticOp::Sub | ArithmeticOp::Divide | ArithmeticOp::ToReal)
            | Op::Float(FloatOp::Fp)
            | Op::Sequence(SequenceOp::Unit | SequenceOp::Concat)
            | Op::Datatype(DatatypeOp::Construct { .. })) => {
                let arguments: Option<Vec<Value>> = (0..arguments.len()).map(value).collect();
                let arguments = arguments?;
                evaluate_operator(store, op, &arguments.iter().collect::<Vec<_>>()).ok()?
            }
            _ => return None,
        };
        values.insert(term, result);
    }
    values.remove(&root)
}

/// The table of a function whose body is a chain of `ite` over points.
fn function_table(
    store: &TermStore,
    model_terms: &ModelTerms,
    parameters: &[SymbolId],
    body: TermId,
) -> Option<FunctionValue> {
    let mut entries: BTreeMap<Vec<Value>, Value> = BTreeMap::new();
    let mut rest = body;
    while store.op(rest) == Op::Ite {
        let &[condition, value, otherwise] = store.args(rest) else { return None };
        let value = ground_value(store, model_terms, value)?;
        for Point(arguments) in points(store, model_terms, parameters, condition)? {
            // The first condition that holds decides.
            entries.entry(arguments).or_insert_with(|| value.clone());
        }
        rest = otherwise;
    }
    let default = ground_value(store, model_terms, rest)?;
    entries.retain(|_, value| *value != default);
    Some(FunctionValue::Table { entries, default })
}

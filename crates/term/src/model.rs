//! Models: what the declared symbols stand for.
//!
//! A model is data without a store: symbols and values. Ordered maps keep every listing the same
//! from run to run. Functions come as tables (what the solver finds) or as bodies (what other
//! solvers print); turning one into the other was rejected, since a body may cover a domain that
//! no table can.

use std::collections::BTreeMap;

use crate::op::SymbolId;
use crate::store::TermId;
use crate::theory::Open;
use crate::value::Value;

/// The meaning of a function symbol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FunctionValue {
    /// Finitely many points, and one value everywhere else.
    Table {
        /// Result by arguments.
        entries: BTreeMap<Vec<Value>, Value>,
        /// Result for all other arguments.
        default: Value,
    },
    /// The value of a term in which the parameters stand for the arguments.
    Body {
        /// Parameter symbols, one for each argument.
        parameters: Vec<SymbolId>,
        /// The term; it may use the parameters and any declared symbol.
        body: TermId,
    },
}

/// Values of constants and functions. What is left out has the default value of its sort.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Model {
    constants: BTreeMap<SymbolId, Value>,
    functions: BTreeMap<SymbolId, FunctionValue>,
    open: BTreeMap<SymbolId, Open>,
}

impl Model {
    /// The model that leaves everything out.
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives a constant its value, instead of the one it had.
    pub fn set_constant(&mut self, symbol: SymbolId, value: Value) {
        self.constants.insert(symbol, value);
    }

    /// Gives a function its value, instead of the one it had.
    pub fn set_function(&mut self, symbol: SymbolId, value: FunctionValue) {
        self.functions.insert(symbol, value);
    }

    /// Says that a constant or function has a value that cannot be told.
    pub fn set_open(&mut self, symbol: SymbolId, reason: Open) {
        self.open.insert(symbol, reason);
    }

    /// Why the value of a constant or function cannot be told, `None` when the model says nothing of the kind.
    pub fn open(&self, symbol: SymbolId) -> Option<Open> {
        self.open.get(&symbol).copied()
    }

    /// The value of a constant, `None` when the model leaves it out.
    pub fn constant(&self, symbol: SymbolId) -> Option<&Value> {
        self.constants.get(&symbol)
    }

    /// The value of a function, `None` when the model leaves it out.
    pub fn function(&self, symbol: SymbolId) -> Option<&FunctionValue> {
        self.functions.get(&symbol)
    }

    /// All constants with values, in the order of their declaration.
    pub fn constants(&self) -> impl Iterator<Item = (SymbolId, &Value)> {
        self.constants.iter().map(|(&symbol, value)| (symbol, value))
    }

    /// All functions with values, in the order of their declaration.
    pub fn functions(&self) -> impl Iterator<Item = (SymbolId, &FunctionValue)> {
        self.functions.iter().map(|(&symbol, value)| (symbol, value))
    }
}

//! The names under which solutions show values, prepared once for each formula.

use std::collections::HashMap;

use pyo3::prelude::*;
use pyo3::types::PyString;
use sundry::Formula;

use sundry::term::{SortDisplay, SymbolId};

/// A name, its sort in SMT-LIB, the sorts of the arguments, and the names of its values.
pub type Declaration = (String, String, Vec<String>, Vec<String>);

/// A constant or function that solutions show.
pub struct Named {
    /// The name.
    pub name: String,
    /// The name as an object, made once.
    pub key: Py<PyString>,
    /// The constant or function.
    pub symbol: SymbolId,
    /// The names of its values, where the text of the formula gives some.
    pub levels: Vec<Py<PyString>>,
}

/// All constants and functions that solutions show, in order of declaration.
pub struct Names {
    /// The entries.
    pub all: Vec<Named>,
    positions: HashMap<String, usize>,
}

impl Names {
    /// The names of a formula.
    pub fn new(py: Python<'_>, formula: &Formula) -> Names {
        let parts = formula.parts();
        let store = &parts.problem.store;
        let named = |name: &str, symbol: SymbolId, levels: Vec<Py<PyString>>| Named {
            name: name.to_string(),
            key: PyString::intern(py, name).unbind(),
            symbol,
            levels,
        };
        let mut all: Vec<Named> = match &parts.columns {
            None => {
                let symbols = parts.problem.symbols.iter();
                symbols.map(|&symbol| named(&store.symbol(symbol).name, symbol, Vec::new())).collect()
            }
            Some(columns) => {
                let levels = |column: &sundry::read::Column| {
                    column.levels.iter().map(|level| PyString::new(py, level.name()).unbind()).collect()
                };
                columns.iter().map(|column| named(&column.name, column.symbol, levels(column))).collect()
            }
        };
        // Of several symbols with one name, the last declared is the one in scope.
        let last: HashMap<String, SymbolId> =
            all.iter().map(|named| (named.name.clone(), named.symbol)).collect();
        all.retain(|named| last[&named.name] == named.symbol);
        let positions =
            all.iter().enumerate().map(|(position, named)| (named.name.clone(), position)).collect();
        Names { all, positions }
    }

    /// The declarations with their sorts in SMT-LIB.
    pub fn declarations(&self, py: Python<'_>, formula: &Formula) -> Vec<Declaration> {
        let store = &formula.parts().problem.store;
        let sort = |sort| SortDisplay::new(store, sort).to_string();
        let declaration = |named: &Named| {
            let symbol = store.symbol(named.symbol);
            let arguments = symbol.arguments.iter().map(|&argument| sort(argument)).collect();
            let levels = named.levels.iter().map(|level| level.bind(py).to_string()).collect();
            (named.name.clone(), sort(symbol.result), arguments, levels)
        };
        self.all.iter().map(declaration).collect()
    }

    /// The entry with a name.
    pub fn get(&self, name: &str) -> Option<&Named> {
        self.positions.get(name).map(|&position| &self.all[position])
    }
}

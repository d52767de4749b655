//! Functions that a script defines by recursion (`define-fun-rec`): their definitions are part of the store, because
//! no model chooses them.
//!
//! Definitions that are not recursive need no place here: readers replace calls by bodies.

use crate::op::SymbolId;
use crate::sort::SortId;
use crate::store::{SymbolKind, TermId, TermStore};

/// The definition of a recursive function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionDefinition {
    /// The parameters in the body, one for each argument.
    pub parameters: Box<[SymbolId]>,
    /// The term that an application equals; it may apply the function itself.
    pub body: TermId,
    /// The functions that were defined together with it, itself among them, in order.
    pub together: Box<[SymbolId]>,
}

impl TermStore {
    /// Declares a function, or a constant, that [`define_functions`](Self::define_functions) will define.
    pub fn declare_defined(&mut self, name: &str, arguments: &[SortId], result: SortId) -> SymbolId {
        self.new_symbol(name, arguments, result, SymbolKind::Defined)
    }

    /// Gives functions that are defined together their parameters and bodies, which may apply any of them.
    ///
    /// # Panics
    /// When a parameter or body has another sort than its function, or the symbol is not one to be defined.
    pub fn define_functions(&mut self, group: Vec<(SymbolId, Vec<SymbolId>, TermId)>) {
        let together: Box<[SymbolId]> = group.iter().map(|&(symbol, ..)| symbol).collect();
        for (symbol, parameters, body) in group {
            let declared = self.symbol(symbol);
            assert_eq!(declared.kind, SymbolKind::Defined, "'{}' is not to be defined", declared.name);
            let sorts = parameters.iter().map(|&parameter| self.symbol(parameter).result);
            assert!(sorts.eq(declared.arguments.iter().copied()), "parameters of '{}'", declared.name);
            assert_eq!(self.sort_of(body), declared.result, "the body of '{}'", declared.name);
            let parameters = parameters.into();
            let definition = FunctionDefinition { parameters, body, together: together.clone() };
            self.definitions.insert(symbol, definition);
        }
    }

    /// The definition of a recursive function; `None` for any other symbol.
    pub fn definition(&self, symbol: SymbolId) -> Option<&FunctionDefinition> {
        self.definitions.get(&symbol)
    }
}

//! The store of terms: a hash-consed directed acyclic graph.
//!
//! Equal applications are one node, so equality of terms is equality of ids, and every argument has a smaller id than
//! the application: ascending ids are a topological order. Interning simplifies nothing: the store keeps terms as
//! they are requested.

mod datatypes;
mod literals;
mod sorts;
mod terms;

use std::fmt;

use hashbrown::HashTable;
use rustc_hash::FxHashMap;

use crate::definition::FunctionDefinition;
use crate::entity_id;
use crate::op::{BinderId, ConstantId, SymbolId};
use crate::sort::{Sort, SortDeclaration, SortId};
use crate::theory::datatype::{Constructor, ConstructorId, Datatype};
use crate::value::Value;
use sorts::SortEntry;
use terms::Node;

entity_id! {
    /// Identity of a term in its store; arguments come before applications.
    pub struct TermId, "t"
}

/// The kind of a symbol's declaration.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum SymbolKind {
    /// A constant or function whose value a model chooses.
    Declared,
    /// A function that is defined by recursion.
    Defined,
    /// A bound parameter of a function or array value given by a body.
    Parameter,
    /// A variable bound by a quantifier.
    Variable,
}

/// A declared constant (no arguments), function, or bound parameter.
///
/// Two declarations of one name are two symbols; scoping by name is the reader's task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// The name without quotes.
    pub name: Box<str>,
    /// Sorts of the arguments; empty for a constant.
    pub arguments: Box<[SortId]>,
    /// Sort of an application.
    pub result: SortId,
    /// Declared, defined, or bound.
    pub kind: SymbolKind,
}

/// The hash-consed store of sorts, symbols, literal values and terms.
#[derive(Clone)]
pub struct TermStore {
    sorts: Vec<SortEntry>,
    sort_ids: FxHashMap<Sort, SortId>,
    sort_declarations: Vec<SortDeclaration>,
    datatypes: Vec<Datatype>,
    constructors: Vec<Constructor>,
    /// The sorts of the fields of each constructor, for each sort of its datatype.
    field_sorts: FxHashMap<(SortId, ConstructorId), Box<[SortId]>>,
    binders: Vec<Box<[SymbolId]>>,
    binder_ids: FxHashMap<Box<[SymbolId]>, BinderId>,
    symbols: Vec<Symbol>,
    pub(crate) definitions: FxHashMap<SymbolId, FunctionDefinition>,
    constants: Vec<Value>,
    constant_ids: FxHashMap<Value, ConstantId>,
    nodes: Vec<Node>,
    arguments: Vec<TermId>,
    table: HashTable<TermId>,
    /// Whether some term is a number that has no bits.
    has_numbers: bool,
    /// Whether some sort is of floating-point values.
    has_floats: bool,
}

impl Default for TermStore {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for TermStore {
    /// The sizes only: a store may hold millions of terms.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TermStore")
            .field("sorts", &self.sorts.len())
            .field("symbols", &self.symbols.len())
            .field("terms", &self.nodes.len())
            .finish_non_exhaustive()
    }
}

impl TermStore {
    /// An empty store.
    pub fn new() -> Self {
        let mut store = TermStore {
            sorts: Vec::new(),
            sort_ids: FxHashMap::default(),
            sort_declarations: Vec::new(),
            datatypes: Vec::new(),
            constructors: Vec::new(),
            field_sorts: FxHashMap::default(),
            binders: Vec::new(),
            binder_ids: FxHashMap::default(),
            symbols: Vec::new(),
            definitions: FxHashMap::default(),
            constants: Vec::new(),
            constant_ids: FxHashMap::default(),
            nodes: Vec::new(),
            arguments: Vec::new(),
            has_numbers: false,
            has_floats: false,
            table: HashTable::new(),
        };
        for sort in SortId::FIXED {
            store.intern_sort(sort).expect("these sorts are legal");
        }
        store
    }

    /// Declares a constant (no arguments) or function.
    pub fn declare(&mut self, name: &str, arguments: &[SortId], result: SortId) -> SymbolId {
        self.new_symbol(name, arguments, result, SymbolKind::Declared)
    }

    /// A fresh bound parameter, for bodies of functions.
    pub fn parameter(&mut self, name: &str, sort: SortId) -> SymbolId {
        self.new_symbol(name, &[], sort, SymbolKind::Parameter)
    }

    /// A fresh variable, for a quantifier.
    pub fn variable(&mut self, name: &str, sort: SortId) -> SymbolId {
        self.new_symbol(name, &[], sort, SymbolKind::Variable)
    }

    pub(crate) fn new_symbol(
        &mut self,
        name: &str,
        arguments: &[SortId],
        result: SortId,
        kind: SymbolKind,
    ) -> SymbolId {
        let id = SymbolId::new(self.symbols.len());
        self.symbols.push(Symbol { name: name.into(), arguments: arguments.into(), result, kind });
        id
    }

    /// The symbol with an id.
    pub fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.index()]
    }

    /// The number of symbols; their ids are the numbers below it.
    pub fn symbol_count(&self) -> usize {
        self.symbols.len()
    }

    /// Interns a list of bound variables, for a quantifier.
    pub fn binder(&mut self, variables: &[SymbolId]) -> BinderId {
        if let Some(&id) = self.binder_ids.get(variables) {
            return id;
        }
        let id = BinderId::new(self.binders.len());
        self.binders.push(variables.into());
        self.binder_ids.insert(variables.into(), id);
        id
    }

    /// Whether any quantifier was made.
    pub fn has_quantifiers(&self) -> bool {
        !self.binders.is_empty()
    }

    /// The variables of a quantifier.
    pub fn bound_variables(&self, id: BinderId) -> &[SymbolId] {
        &self.binders[id.index()]
    }
}

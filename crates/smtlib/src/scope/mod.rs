//! The meaning of names at a point of a script: symbols and sorts, with the levels of push and pop.
//!
//! There is one table per name space, indexed by [`NameId`], and a trail that remembers what to undo
//! ([`undo`]). The usual stack of hash maps was rejected: look-ups would walk it, and scripts nest
//! `let` as deep as they are long.

mod builtin;
mod undo;

use rustc_hash::{FxHashMap, FxHashSet};
use sundry_term::{
    ConstructorId, DatatypeId, Op, SortDeclarationId, SortId, SymbolId, TermId, TermStore, TheorySet,
};

use crate::integers::Integers;
use crate::macros::Macro;
use crate::names::{NameId, Names};
use crate::operators::operator;
use crate::source::Span;

pub(crate) use undo::Mark;

use undo::Undo;

/// The meaning of a symbol.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Binding {
    /// A term: a declared constant, a definition without parameters, a `let` variable, a
    /// parameter or the name of a named term.
    Term(TermId),
    /// A declared function with arguments.
    Function(SymbolId),
    /// A definition with parameters, by its position among the macros.
    Macro(usize),
    /// An operator of a theory.
    Operator(Op),
    /// A constructor of a datatype.
    Constructor(ConstructorId),
    /// A selector of a datatype: the constructor, and which of its fields.
    Selector(ConstructorId, u32),
}

/// The meaning of a sort name.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum SortBinding {
    /// A sort of a theory that has a name without indices.
    Theory(SortId),
    /// The name of the sort constructor of arrays.
    Array,
    /// The name of the sort constructor of sequences.
    Sequence,
    /// A declared sort.
    Declared(SortDeclarationId),
    /// A declared datatype.
    Datatype(DatatypeId),
    /// A definition of a sort, by its position among them.
    Defined(usize),
}

/// A definition of a sort: its body, and placeholder sorts for its parameters.
#[derive(Clone, Debug)]
pub(crate) struct SortDefinition {
    pub(crate) parameters: Vec<SortId>,
    pub(crate) body: SortId,
}

/// The maximal number of operators that calls of definitions may build together: nested definitions can double their
/// size with every line of input.
const MAX_EXPANDED: usize = 10_000_000;

/// The maximal sum of the widths of wide literals: a small number of characters makes a million bits.
pub(crate) const MAX_LITERAL_BITS: u64 = 1 << 32;

/// The meaning of names, with undo.
pub(crate) struct Scope {
    /// The theories that the text may use.
    pub(crate) theories: TheorySet,
    /// Whether numerals are reals: where the logic has reals and no integers.
    pub(crate) numerals_are_real: bool,
    names: Names,
    symbols: Vec<Option<Binding>>,
    sorts: FxHashMap<NameId, SortBinding>,
    trail: Vec<Undo>,
    levels: Vec<Mark>,
    /// Whether declarations survive `pop`; to be changed only while nothing is bound.
    pub(crate) global_declarations: bool,
    /// The names defined so far, if the text may contain only definitions and information about itself. Such a text
    /// may define a name again: it is a collection, and a definition that a later one hides was reported before.
    pub(crate) only_definitions: Option<FxHashSet<NameId>>,
    pub(crate) macros: Vec<Macro>,
    pub(crate) sort_definitions: Vec<SortDefinition>,
    /// The number of operators that calls of macros have built so far.
    pub(crate) expanded: usize,
    /// The maximal number of operators that they may build.
    pub(crate) max_expanded: usize,
    /// The number of bits so far of literals that are wider than their text.
    pub(crate) literal_bits: u64,
    /// The facts about the integers in terms.
    pub(crate) integers: Integers,
    declared_symbols: Vec<SymbolId>,
    declared_sorts: Vec<SortDeclarationId>,
    named_terms: Vec<(NameId, TermId)>,
    /// The first place of each term in the text, if anybody wants to know.
    pub(crate) places: Option<FxHashMap<TermId, Span>>,
}

impl Scope {
    /// A scope that knows the operators and sorts of these theories.
    pub(crate) fn new(store: &mut TermStore, theories: TheorySet) -> Self {
        let mut scope = Scope {
            theories,
            numerals_are_real: false,
            names: Names::default(),
            symbols: Vec::new(),
            sorts: FxHashMap::default(),
            trail: Vec::new(),
            levels: Vec::new(),
            global_declarations: false,
            only_definitions: None,
            macros: Vec::new(),
            sort_definitions: Vec::new(),
            expanded: 0,
            max_expanded: MAX_EXPANDED,
            literal_bits: 0,
            integers: Integers::default(),
            declared_symbols: Vec::new(),
            declared_sorts: Vec::new(),
            named_terms: Vec::new(),
            places: None,
        };
        scope.bind_builtins(store);
        scope
    }

    // ---- names

    /// The id of a name. A new name stands for the operator that it names, if any.
    pub(crate) fn name(&mut self, text: &str) -> NameId {
        let name = self.names.intern(text);
        if name.index() == self.symbols.len() {
            self.symbols.push(operator(self.theories, text).map(Binding::Operator));
        }
        name
    }

    // ---- symbols

    /// The text of a name.
    pub(crate) fn text(&self, name: NameId) -> &str {
        self.names.text(name)
    }

    /// The meaning of a symbol here.
    pub(crate) fn symbol(&self, name: NameId) -> Option<Binding> {
        self.symbols[name.index()]
    }

    /// Replaces the meaning of a symbol without trace, and returns the old one: for variables, whose binder restores
    /// it.
    pub(crate) fn replace_symbol(&mut self, name: NameId, binding: Option<Binding>) -> Option<Binding> {
        std::mem::replace(&mut self.symbols[name.index()], binding)
    }

    /// Binds a symbol until the level ends.
    pub(crate) fn bind_symbol(&mut self, name: NameId, binding: Binding) {
        let old = self.replace_symbol(name, Some(binding));
        self.trail.push(Undo::Symbol(name, old));
    }

    /// Binds the name of a declared constant or function.
    pub(crate) fn bind_declared(&mut self, name: NameId, store: &mut TermStore, symbol: SymbolId) {
        let binding = match store.symbol(symbol).arguments.is_empty() {
            true => Binding::Term(store.symbol_term(symbol)),
            false => Binding::Function(symbol),
        };
        self.bind_symbol(name, binding);
        self.declared_symbols.push(symbol);
        self.trail.push(Undo::DeclaredSymbol);
    }

    /// A name that a text of definitions has defined before; none elsewhere.
    pub(crate) fn defined_in_text(&mut self, name: &str) -> Option<NameId> {
        let id = self.name(name);
        self.only_definitions.as_ref()?.contains(&id).then_some(id)
    }

    /// Binds a name that an annotation gives to a term.
    pub(crate) fn bind_named(&mut self, name: NameId, term: TermId) {
        self.bind_symbol(name, Binding::Term(term));
        self.named_terms.push((name, term));
        self.trail.push(Undo::Named);
    }

    /// The symbols with a meaning here, in order of first appearance.
    pub(crate) fn bound_names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().filter(|&(name, _)| self.symbol(name).is_some()).map(|(_, text)| text)
    }

    /// The names of sorts here, in order of first appearance.
    pub(crate) fn sort_names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().filter(|&(name, _)| self.sort(name).is_some()).map(|(_, text)| text)
    }

    /// The declared symbols, in order of declaration.
    pub(crate) fn declared_symbols(&self) -> &[SymbolId] {
        &self.declared_symbols
    }

    /// The terms that annotations have named, in order.
    pub(crate) fn named_terms(&self) -> impl ExactSizeIterator<Item = (&str, TermId)> + DoubleEndedIterator {
        self.named_terms.iter().map(|&(name, term)| (self.names.text(name), term))
    }

    // ---- sorts

    /// The meaning of a sort name here.
    pub(crate) fn sort(&self, name: NameId) -> Option<SortBinding> {
        self.sorts.get(&name).copied()
    }

    /// Binds a sort name until the level ends.
    pub(crate) fn bind_sort(&mut self, name: NameId, binding: SortBinding) {
        let old = self.replace_sort(name, Some(binding));
        self.trail.push(Undo::Sort(name, old));
        if let SortBinding::Declared(declaration) = binding {
            self.declared_sorts.push(declaration);
            self.trail.push(Undo::DeclaredSort);
        }
    }

    /// Lets names of sorts denote these placeholders, until the hidden meanings are [shown again](Self::show_sorts).
    pub(crate) fn hide_sorts(
        &mut self,
        parameters: impl Iterator<Item = (NameId, SortId)>,
    ) -> Vec<(NameId, Option<SortBinding>)> {
        let hide =
            |(name, sort): (NameId, SortId)| (name, self.replace_sort(name, Some(SortBinding::Theory(sort))));
        parameters.map(hide).collect()
    }

    /// Restores the meanings of names of sorts.
    pub(crate) fn show_sorts(&mut self, hidden: Vec<(NameId, Option<SortBinding>)>) {
        for (name, binding) in hidden.into_iter().rev() {
            self.replace_sort(name, binding);
        }
    }

    /// Replaces the meaning of a sort name without trace, and returns the old one.
    fn replace_sort(&mut self, name: NameId, binding: Option<SortBinding>) -> Option<SortBinding> {
        match binding {
            Some(binding) => self.sorts.insert(name, binding),
            None => self.sorts.remove(&name),
        }
    }

    /// Binds the names of a datatype, its constructors and selectors.
    pub(crate) fn bind_datatype(&mut self, store: &TermStore, datatype: DatatypeId) {
        let name = self.name(&store.datatype(datatype).name);
        self.bind_sort(name, SortBinding::Datatype(datatype));
        self.bind_constructors(store, datatype);
    }

    /// Binds the names of a datatype's constructors and selectors.
    pub(crate) fn bind_constructors(&mut self, store: &TermStore, datatype: DatatypeId) {
        for &constructor in &store.datatype(datatype).constructors {
            let declared = store.constructor(constructor);
            let name = self.name(&declared.name);
            self.bind_symbol(name, Binding::Constructor(constructor));
            for (field, position) in declared.fields.iter().zip(0..) {
                let name = self.name(&field.selector);
                self.bind_symbol(name, Binding::Selector(constructor, position));
            }
        }
    }

    /// The declared sorts, in order of declaration.
    pub(crate) fn declared_sorts(&self) -> &[SortDeclarationId] {
        &self.declared_sorts
    }
}

//! Terms that only values of a model may contain: elements of declared sorts, and arrays given as a function of their
//! index.
//!
//! There are no literals for these, nor for irrational numbers. The reader makes a constant symbol of each element,
//! to which the model gives the element as its value. An array given by `lambda` or `as-array` likewise becomes a
//! constant, whose value is tabulated once all definitions are read.

use rustc_hash::{FxHashMap, FxHashSet};
use sundry_term::{Sort, SortDisplay, SortId, SymbolId, TermId, TermStore, Universes, Value};

use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::lexer::shorten;
use crate::reader::{sort_error, sort_mismatch, unsupported};
use crate::scope::Binding;
use crate::sorts::show_sort;
use crate::source::Span;
use crate::terms::SpannedTerm;

/// The name of an element of a declared sort, without quotes. It starts with `@`, which the standard reserves for
/// names that solvers invent.
pub(crate) fn element_name(store: &TermStore, sort: SortId, index: u32) -> String {
    let sort = SortDisplay::new(store, sort).to_string().replace('|', "");
    format!("@{sort}!{index}")
}

/// The function by which an array value is given.
#[derive(Copy, Clone, Debug)]
pub(crate) enum ArrayContent {
    /// A body in which the parameter stands for the index.
    Lambda { parameter: SymbolId, body: TermId },
    /// A function of one argument.
    Function(SymbolId),
}

/// An array value given by a function, and the constant that stands for it until it is tabulated.
#[derive(Copy, Clone, Debug)]
pub(crate) struct ArrayDefinition {
    pub(crate) symbol: SymbolId,
    pub(crate) content: ArrayContent,
    pub(crate) span: Span,
}

/// Elements and array values met while models are read.
#[derive(Default)]
pub(crate) struct ModelTerms {
    /// The elements of the present model by sort and name.
    elements: FxHashMap<(SortId, Box<str>), u32>,
    taken: FxHashSet<(SortId, u32)>,
    /// The constants that stand for elements, whatever the model.
    element_symbols: FxHashMap<(SortId, u32), SymbolId>,
    /// The values of the constants that stand for elements.
    element_values: FxHashMap<SymbolId, Value>,
    /// The constants that stand for irrational numbers, by the texts that define the numbers.
    algebraic_numbers: FxHashMap<Box<str>, SymbolId>,
    /// The numbers of elements of declared sorts in the present model.
    pub(crate) universes: Universes,
    /// The array values of the present model that are still to be tabulated.
    pub(crate) arrays: Vec<ArrayDefinition>,
}

impl ModelTerms {
    /// Forgets the data of the last model.
    pub(crate) fn start_model(&mut self) {
        self.elements.clear();
        self.taken.clear();
        self.universes = Universes::default();
        self.arrays.clear();
    }

    /// Sets the number of elements of a declared sort. Elements with names get the numbers below it. Returns the
    /// names that denote other terms now.
    pub(crate) fn set_universe(
        &mut self,
        store: &mut TermStore,
        sort: SortId,
        count: u32,
    ) -> Vec<(Box<str>, TermId)> {
        self.universes.set(sort, count);
        let of_sort = self.elements.iter().filter(|((other, _), _)| *other == sort);
        let mut named: Vec<(u32, Box<str>)> =
            of_sort.map(|((_, name), &index)| (index, name.clone())).collect();
        if named.iter().all(|&(index, _)| index < count) {
            return Vec::new();
        }
        named.sort_unstable();
        self.taken.retain(|&(other, _)| other != sort);
        let mut renumbered = Vec::with_capacity(named.len());
        for (index, (_, name)) in (0..).zip(named) {
            self.taken.insert((sort, index));
            self.elements.insert((sort, name.clone()), index);
            renumbered.push((name, self.element_term(store, sort, index)));
        }
        renumbered
    }

    /// The element that a constant stands for, if it stands for one.
    pub(crate) fn element_value(&self, symbol: SymbolId) -> Option<&Value> {
        self.element_values.get(&symbol)
    }

    /// The term of an irrational number; equal texts define equal numbers.
    pub(crate) fn algebraic_number(&mut self, store: &mut TermStore, text: &str) -> TermId {
        let fresh = || store.declare("@algebraic", &[], SortId::REAL);
        let symbol = *self.algebraic_numbers.entry(text.into()).or_insert_with(fresh);
        store.symbol_term(symbol)
    }

    /// The constants that stand for irrational numbers.
    pub(crate) fn algebraic_numbers(&self) -> impl Iterator<Item = SymbolId> {
        self.algebraic_numbers.values().copied()
    }

    /// The term of the element of this name in the present model.
    pub(crate) fn element(
        &mut self,
        store: &mut TermStore,
        name: &str,
        sort: SortId,
        span: Span,
    ) -> Result<TermId, Diagnostic> {
        if !matches!(store.sort(sort), Sort::Uninterpreted { .. }) {
            let sort = show_sort(store, sort);
            return Err(sort_mismatch(span, format!("'{}' is not a value of sort {sort}", shorten(name))));
        }
        let index = match self.elements.get(&(sort, name.into())) {
            Some(&index) => index,
            None => self.new_element(name, sort, span)?,
        };
        Ok(self.element_term(store, sort, index))
    }

    /// Numbers an element: with the number in its name if that is free.
    fn new_element(&mut self, name: &str, sort: SortId, span: Span) -> Result<u32, Diagnostic> {
        let digits = name.len() - name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let mut index = name[name.len() - digits..].parse().unwrap_or(0);
        while !self.taken.insert((sort, index)) {
            index = index.checked_add(1).ok_or_else(|| {
                Diagnostic::new(DiagnosticKind::Limit, span, "the number of this element is too large")
            })?;
        }
        self.elements.insert((sort, name.into()), index);
        Ok(index)
    }

    /// The constant that stands for the element with this number.
    pub(crate) fn element_term(&mut self, store: &mut TermStore, sort: SortId, index: u32) -> TermId {
        let symbol = *self.element_symbols.entry((sort, index)).or_insert_with(|| {
            let symbol = store.declare(&element_name(store, sort, index), &[], sort);
            self.element_values.insert(symbol, Value::Uninterpreted { sort, index });
            symbol
        });
        store.symbol_term(symbol)
    }

    /// The term of an array value given as `(lambda ((x S)) body)`.
    pub(crate) fn lambda(
        &mut self,
        store: &mut TermStore,
        body: SpannedTerm,
        parameters: &[SymbolId],
    ) -> Result<TermId, Diagnostic> {
        let &[parameter] = parameters else {
            return Err(unsupported(
                body.span,
                "an array value with several indices",
                "multi-dimensional arrays",
            ));
        };
        let (index, element) = (store.symbol(parameter).result, store.sort_of(body.term));
        let content = ArrayContent::Lambda { parameter, body: body.term };
        self.array(store, index, element, content, body.span)
    }

    /// The term of an array value given as `(_ as-array f)`.
    pub(crate) fn as_array(
        &mut self,
        store: &mut TermStore,
        name: &str,
        binding: Option<Binding>,
        span: Span,
    ) -> Result<TermId, Diagnostic> {
        let Some(Binding::Function(function)) = binding else {
            let message = format!("'{}' is not a function of this model", shorten(name));
            return Err(Diagnostic::new(DiagnosticKind::Unknown, span, message));
        };
        let symbol = store.symbol(function);
        let &[index] = &symbol.arguments[..] else {
            return Err(unsupported(span, "an array value with several indices", "multi-dimensional arrays"));
        };
        let element = symbol.result;
        self.array(store, index, element, ArrayContent::Function(function), span)
    }

    fn array(
        &mut self,
        store: &mut TermStore,
        index: SortId,
        element: SortId,
        content: ArrayContent,
        span: Span,
    ) -> Result<TermId, Diagnostic> {
        let sort =
            store.intern_sort(Sort::Array { index, element }).map_err(|error| sort_error(span, &error))?;
        let symbol = store.declare("@array", &[], sort);
        self.arrays.push(ArrayDefinition { symbol, content, span });
        Ok(store.symbol_term(symbol))
    }
}

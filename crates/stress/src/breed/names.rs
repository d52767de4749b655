//! Names in inputs that are made of others.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use sundry_smtlib::Formula;
use sundry_term::{DatatypeId, Op, SortDeclarationId, SymbolId, SymbolKind, TermId, TermStore, substitute};

/// The declared symbols that occur in some assertions, in order of declaration.
pub(crate) fn symbols(store: &TermStore, assertions: &[TermId]) -> Vec<SymbolId> {
    Formula::of_assertions(store, assertions.to_vec()).symbols
}

fn is_constant(store: &TermStore, symbol: SymbolId) -> bool {
    let symbol = store.symbol(symbol);
    symbol.kind == SymbolKind::Declared && symbol.arguments.is_empty()
}

/// The meaning of a name among terms.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Meaning {
    /// A declared or defined symbol.
    Symbol(SymbolId),
    /// A constructor or selector of a datatype.
    Datatype(DatatypeId),
    /// A variable that a quantifier binds.
    Bound,
}

/// The meaning of a name among sorts.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum SortMeaning {
    Declared(SortDeclarationId),
    Datatype(DatatypeId),
}

/// All names that occur in some assertions, with their meanings.
#[derive(Clone, Default, Debug)]
pub(crate) struct Names {
    terms: BTreeMap<Box<str>, Meaning>,
    sorts: BTreeMap<Box<str>, SortMeaning>,
}

impl Names {
    /// The names in assertions.
    pub(crate) fn of(store: &TermStore, assertions: &[TermId]) -> Names {
        let formula = Formula::of_assertions(store, assertions.to_vec());
        let mut names = Names::default();
        for term in store.reachable(assertions) {
            if let Op::Forall(binder) | Op::Exists(binder) = store.op(term) {
                let bound = store.bound_variables(binder).iter();
                names.terms.extend(bound.map(|&it| (store.symbol(it).name.clone(), Meaning::Bound)));
            }
        }
        for &symbol in formula.symbols.iter().chain(formula.definitions.iter().flatten()) {
            names.terms.insert(store.symbol(symbol).name.clone(), Meaning::Symbol(symbol));
        }
        for &sort in &formula.sorts {
            names.sorts.insert(store.sort_declaration(sort).name.clone(), SortMeaning::Declared(sort));
        }
        for &id in formula.datatypes.iter().flatten() {
            let datatype = store.datatype(id);
            names.sorts.insert(datatype.name.clone(), SortMeaning::Datatype(id));
            for &constructor in &datatype.constructors {
                let constructor = store.constructor(constructor);
                let selectors = constructor.fields.iter().map(|field| &field.selector);
                let own = selectors.chain([&constructor.name]);
                names.terms.extend(own.map(|name| (name.clone(), Meaning::Datatype(id))));
            }
        }
        names
    }

    /// A name with this stem that none of the symbols has.
    pub(crate) fn fresh(&self, stem: &str) -> String {
        let numbered = (0..).map(|number| format!("{stem}{number}"));
        numbered
            .into_iter()
            .find(|name| !self.terms.contains_key(name.as_str()))
            .expect("there are more names than symbols")
    }

    /// Adds the names of an assertion that comes to stand beside the others, and returns the assertion. A constant whose name means
    /// something else there is renamed: to one of its sort that has been made for such a case before, so that constants that
    /// were equal stay so. Nothing is added if something else has such a name: functions, sorts and datatypes are not renamed.
    pub(crate) fn settle(
        &mut self,
        store: &mut TermStore,
        assertion: TermId,
        renamed: &mut FxHashMap<SymbolId, SymbolId>,
    ) -> Option<TermId> {
        let newcomers = Names::of(store, &[assertion]);
        let differs = |name, meaning| self.sorts.get(name).is_some_and(|taken| taken != meaning);
        if newcomers.sorts.iter().any(|(name, meaning)| differs(name, meaning)) {
            return None;
        }
        let mut clashes = Vec::new();
        for (name, meaning) in &newcomers.terms {
            match self.terms.get(name) {
                // A quantifier binds its names for its body alone.
                None | Some(Meaning::Bound) => {}
                Some(_) if *meaning == Meaning::Bound => {}
                Some(taken) if taken == meaning => {}
                Some(_) => match *meaning {
                    Meaning::Symbol(symbol) if is_constant(store, symbol) => clashes.push(symbol),
                    _ => return None,
                },
            }
        }
        for (name, meaning) in newcomers.terms {
            let taken = self.terms.entry(name).or_insert(meaning);
            if *taken == Meaning::Bound {
                *taken = meaning;
            }
        }
        self.sorts.extend(newcomers.sorts);
        let mut replacements = FxHashMap::default();
        for symbol in clashes {
            let new = match renamed.get(&symbol) {
                Some(&known) => known,
                None => {
                    let (name, result) = (store.symbol(symbol).name.clone(), store.symbol(symbol).result);
                    let name = self.fresh(&format!("{name}_"));
                    let new = store.declare(&name, &[], result);
                    self.terms.insert(name.into(), Meaning::Symbol(new));
                    renamed.insert(symbol, new);
                    new
                }
            };
            replacements.insert(store.symbol_term(symbol), store.symbol_term(new));
        }
        if replacements.is_empty() {
            Some(assertion)
        } else {
            substitute(store, assertion, &replacements).ok()
        }
    }
}

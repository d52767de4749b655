//! Names of new symbols beside those of a formula.

use std::collections::BTreeSet;

use sundry_smtlib::Formula;
use sundry_term::{DatatypeId, Op, SortId, SymbolId, TermId, TermStore};

/// Every name that means something in these formulas: declared and defined symbols, bound variables, constructors and
/// selectors. (Sorts have names of their own.)
pub(crate) fn names(store: &TermStore, roots: &[TermId]) -> BTreeSet<Box<str>> {
    let formula = Formula::of_assertions(store, roots.to_vec());
    let mut names: BTreeSet<Box<str>> = BTreeSet::new();
    let symbols = formula.symbols.iter().chain(formula.definitions.iter().flatten());
    names.extend(symbols.map(|&symbol| store.symbol(symbol).name.clone()));
    for &datatype in formula.datatypes.iter().flatten() {
        names.extend(names_of_datatype(store, datatype).map(Box::from));
    }
    for term in store.reachable(roots) {
        if let Op::Forall(binder) | Op::Exists(binder) = store.op(term) {
            names.extend(store.bound_variables(binder).iter().map(|&it| store.symbol(it).name.clone()));
        }
    }
    names
}

/// The names of the constructors and selectors of a datatype.
pub(crate) fn names_of_datatype(store: &TermStore, datatype: DatatypeId) -> impl Iterator<Item = &str> {
    store.datatype(datatype).constructors.iter().flat_map(|&constructor| {
        let constructor = store.constructor(constructor);
        let selectors = constructor.fields.iter().map(|field| &*field.selector);
        [&*constructor.name].into_iter().chain(selectors)
    })
}

/// A source of names that begin in a way in which no name of a formula does.
#[derive(Clone, Debug)]
pub(crate) struct FreshNames {
    prefix: String,
    count: usize,
}

impl FreshNames {
    /// Creates a source of names that do not occur in these formulas; the names begin with this stem.
    pub(crate) fn beside(store: &TermStore, roots: &[TermId], stem: &str) -> FreshNames {
        let names = names(store, roots);
        let mut prefix = stem.to_string();
        while names.iter().any(|name| name.starts_with(&prefix)) {
            prefix.push('_');
        }
        FreshNames { prefix, count: 0 }
    }

    /// The next name.
    pub(crate) fn next_name(&mut self) -> String {
        self.count += 1;
        format!("{}{}", self.prefix, self.count - 1)
    }

    /// A constant with the next name.
    pub(crate) fn declare(&mut self, store: &mut TermStore, sort: SortId) -> SymbolId {
        let name = self.next_name();
        store.declare(&name, &[], sort)
    }
}

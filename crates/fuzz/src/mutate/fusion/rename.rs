//! Renaming the symbols of a formula, so that it can stand beside another.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use sundry_smtlib::Formula;
use sundry_term::{DatatypeOp, Op, Sort, SortId, SymbolId, SymbolKind, TermId, TermStore};

use crate::mutate::fresh::{names, names_of_datatype};

/// The partner of a formula with other symbols: neither these nor its bound variables and declared sorts have a name
/// of the formula. `None` if datatypes, or declared sorts with parameters, would have to be renamed, or if functions
/// are recursive; a datatype that is the same in both stays.
pub fn renamed_apart(store: &mut TermStore, formula: &[TermId], partner: &[TermId]) -> Option<Vec<TermId>> {
    let mut taken = names(store, formula);
    let sorts = renamed_sorts(store, formula, partner)?;
    let theirs = Formula::of_assertions(store, formula.to_vec()).datatypes;
    for &datatype in Formula::of_assertions(store, partner.to_vec()).datatypes.iter().flatten() {
        let is_the_same = theirs.iter().flatten().any(|&other| other == datatype);
        if !is_the_same && names_of_datatype(store, datatype).any(|name| taken.contains(name)) {
            return None;
        }
    }
    // A name that the partner has already is none to give away.
    let own = names(store, partner);
    let mut renaming = Renaming { sorts, symbols: FxHashMap::default() };
    let mut results: FxHashMap<TermId, TermId> = FxHashMap::default();
    for term in store.reachable(partner) {
        let arguments: Vec<TermId> = store.args(term).iter().map(|argument| results[argument]).collect();
        let mut symbol = |store: &mut TermStore, symbol| renaming.symbol(store, symbol, &mut taken, &own);
        let op = match store.op(term) {
            Op::Apply(applied) => Op::Apply(symbol(store, applied)?),
            Op::Forall(binder) | Op::Exists(binder) => {
                let variables = store.bound_variables(binder).to_vec();
                let mut renamed = Vec::with_capacity(variables.len());
                for variable in variables {
                    renamed.push(symbol(store, variable)?);
                }
                let renamed = store.binder(&renamed);
                if matches!(store.op(term), Op::Forall(_)) {
                    Op::Forall(renamed)
                } else {
                    Op::Exists(renamed)
                }
            }
            Op::ConstArray(sort) => Op::ConstArray(renaming.sort(store, sort)?),
            Op::Datatype(DatatypeOp::Construct { constructor, sort }) => {
                Op::Datatype(DatatypeOp::Construct { constructor, sort: renaming.sort(store, sort)? })
            }
            op => op,
        };
        results.insert(term, store.term(op, &arguments).ok()?);
    }
    Some(partner.iter().map(|assertion| results[assertion]).collect())
}

struct Renaming {
    sorts: FxHashMap<SortId, SortId>,
    symbols: FxHashMap<SymbolId, SymbolId>,
}

impl Renaming {
    fn sort(&self, store: &mut TermStore, sort: SortId) -> Option<SortId> {
        store.replace_in_sort(sort, &self.sorts).ok()
    }

    /// The replacement of a symbol: the symbol itself, unless its name is taken or its sort is another one.
    fn symbol(
        &mut self,
        store: &mut TermStore,
        symbol: SymbolId,
        taken: &mut BTreeSet<Box<str>>,
        own: &BTreeSet<Box<str>>,
    ) -> Option<SymbolId> {
        if let Some(&known) = self.symbols.get(&symbol) {
            return Some(known);
        }
        let old = store.symbol(symbol).clone();
        let result = self.sort(store, old.result)?;
        let arguments =
            old.arguments.iter().map(|&sort| self.sort(store, sort)).collect::<Option<Vec<_>>>()?;
        let mut name = old.name.to_string();
        while taken.contains(name.as_str()) || name != *old.name && own.contains(name.as_str()) {
            name.push('_');
        }
        let is_same = name == *old.name && result == old.result && arguments == *old.arguments;
        let renamed = match old.kind {
            _ if is_same && old.kind != SymbolKind::Defined => symbol,
            // The definition would have to be renamed as well.
            SymbolKind::Defined => return None,
            SymbolKind::Declared => store.declare(&name, &arguments, result),
            SymbolKind::Variable => store.variable(&name, result),
            SymbolKind::Parameter => store.parameter(&name, result),
        };
        if name != *old.name {
            taken.insert(name.into());
        }
        self.symbols.insert(symbol, renamed);
        Some(renamed)
    }
}

/// New sorts for the declared ones of the partner whose name the formula has.
fn renamed_sorts(
    store: &mut TermStore,
    formula: &[TermId],
    partner: &[TermId],
) -> Option<FxHashMap<SortId, SortId>> {
    let theirs = Formula::of_assertions(store, formula.to_vec());
    let own = Formula::of_assertions(store, partner.to_vec());
    let mut taken: BTreeSet<Box<str>> = BTreeSet::new();
    taken.extend(theirs.sorts.iter().map(|&sort| store.sort_declaration(sort).name.clone()));
    taken.extend(theirs.datatypes.iter().flatten().map(|&datatype| store.datatype(datatype).name.clone()));
    let own_names: Vec<Box<str>> =
        own.sorts.iter().map(|&sort| store.sort_declaration(sort).name.clone()).collect();
    let mut renamed = FxHashMap::default();
    for declaration in own.sorts {
        let old = store.sort_declaration(declaration).clone();
        if !taken.contains(&old.name) {
            continue;
        }
        if old.arity > 0 || !own.datatypes.is_empty() {
            return None;
        }
        let mut name = old.name.to_string();
        while taken.contains(name.as_str()) || own_names.iter().any(|own| **own == name) {
            name.push('_');
        }
        let fresh = store.declare_sort(&name, 0);
        taken.insert(name.into());
        let mut sort =
            |declaration| store.intern_sort(Sort::Uninterpreted { declaration, arguments: [].into() }).ok();
        renamed.insert(sort(declaration)?, sort(fresh)?);
    }
    let has_clash = own.datatypes.iter().flatten().any(|datatype| {
        let is_the_same = theirs.datatypes.iter().flatten().any(|other| other == datatype);
        !is_the_same && taken.contains(&store.datatype(*datatype).name)
    });
    (!has_clash).then_some(renamed)
}

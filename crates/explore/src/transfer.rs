//! Terms of one store in another one.
//!
//! Lanes of solvers build terms of their own, so that each has a store, and a collection keeps the terms that something refers to. A transfer remembers what it has
//! moved, so that terms that come later move their new parts only. Parts move in the order of their ids, which stays the order among terms that are moved together.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use sundry_term::{Op, Sort, SortId, SymbolId, TermId, TermStore};

use crate::solve::unknown_below;

/// The terms and symbols that have been moved from a store to another.
#[derive(Default)]
pub struct Transfer {
    terms: FxHashMap<TermId, TermId>,
    symbols: FxHashMap<SymbolId, SymbolId>,
}

impl Transfer {
    /// Moves terms and their parts, in the order of their ids.
    pub fn all(&mut self, terms: &[TermId], from: &TermStore, to: &mut TermStore) {
        for part in from.reachable(terms) {
            self.part(part, from, to);
        }
    }

    /// A term of the first store in the second one.
    pub fn term(&mut self, term: TermId, from: &TermStore, to: &mut TermStore) -> TermId {
        for part in unknown_below(from, term, &self.terms) {
            self.part(part, from, to);
        }
        self.terms[&term]
    }

    /// Moves a term whose arguments have been moved.
    fn part(&mut self, part: TermId, from: &TermStore, to: &mut TermStore) {
        let op = match from.op(part) {
            Op::Constant(_) => {
                let value = from.value(part).expect("literals have values").clone();
                self.terms.insert(part, to.constant(value));
                return;
            }
            Op::Apply(symbol) => Op::Apply(self.symbol(symbol, from, to)),
            Op::ConstArray(sort) => Op::ConstArray(moved_sort(sort, from, to)),
            // Terms of programs have no other operators with ids of a store in them.
            op => op,
        };
        let arguments: SmallVec<[TermId; 4]> =
            from.args(part).iter().map(|argument| self.terms[argument]).collect();
        self.terms.insert(part, to.make(op, &arguments));
    }

    /// The term of the second store, if it has been moved.
    pub fn moved(&self, term: TermId) -> Option<TermId> {
        self.terms.get(&term).copied()
    }

    /// A symbol of the first store in the second one.
    fn symbol(&mut self, symbol: SymbolId, from: &TermStore, to: &mut TermStore) -> SymbolId {
        *self.symbols.entry(symbol).or_insert_with(|| {
            let declared = from.symbol(symbol);
            let result = moved_sort(declared.result, from, to);
            to.declare(&declared.name, &[], result)
        })
    }

    /// The symbol of the second store, if it has been moved.
    pub fn moved_symbol(&self, symbol: SymbolId) -> Option<SymbolId> {
        self.symbols.get(&symbol).copied()
    }
}

fn moved_sort(sort: SortId, from: &TermStore, to: &mut TermStore) -> SortId {
    let moved = match *from.sort(sort) {
        Sort::Array { index, element } => {
            Sort::Array { index: moved_sort(index, from, to), element: moved_sort(element, from, to) }
        }
        ref other => other.clone(),
    };
    to.intern_sort(moved).expect("the sort is legal in every store")
}

#[cfg(test)]
mod tests {
    use sundry_term::SortDisplay;

    use super::*;

    #[test]
    fn terms_are_the_same_in_another_store() {
        let (mut from, mut to) = (TermStore::new(), TermStore::new());
        to.declare("another", &[], SortId::BOOL);
        let [index, element] = [5, 8].map(|width| from.bit_vec_sort(width).expect("a width"));
        let sort = from.array_sort(index, element);
        let [i, x] = [("i", index), ("x", element)].map(|(name, sort)| {
            let symbol = from.declare(name, &[], sort);
            from.symbol_term(symbol)
        });
        let array = from.make(Op::ConstArray(sort), &[x]);
        let stored = from.make(Op::Store, &[array, i, x]);
        let selected = from.make(Op::Select, &[stored, i]);
        let equal = from.make(Op::Equal, &[selected, x]);

        let mut transfer = Transfer::default();
        let moved = transfer.term(equal, &from, &mut to);
        let count = to.term_count();
        assert_eq!(transfer.term(equal, &from, &mut to), moved);
        assert_eq!(to.term_count(), count);
        let mut back = Transfer::default();
        let mut third = TermStore::new();
        let returned = back.term(moved, &to, &mut third);
        assert_eq!(text(&third, returned), text(&from, equal));
    }

    /// The symbols and sorts of a term and its parts.
    fn text(store: &TermStore, term: TermId) -> String {
        let name = store.constant_symbol(term).map_or("", |symbol| &store.symbol(symbol).name);
        let parts: Vec<String> = store.args(term).iter().map(|&part| text(store, part)).collect();
        format!("({name}: {} {})", SortDisplay::new(store, store.sort_of(term)), parts.join(" "))
    }
}

//! Terms and names while a text is read.
//!
//! Constants keep the names of the text as far as SMT-LIB allows it, so that predicates and printed formulas speak of
//! the same things as the text. A name that no solver would take as a constant's gets a form that is free.

use rustc_hash::FxHashSet;
use sundry_smtlib::{Span, can_be_declared};
use sundry_term::{BitVector, Op, SortId, SymbolId, TermId, TermStore};

use crate::model::{Assertion, Column, Level, Note, SystemModel};

/// A model that grows.
#[derive(Default)]
pub(crate) struct Builder {
    pub(crate) store: TermStore,
    pub(crate) model: Parts,
    /// The names of constants in SMT-LIB.
    taken: FxHashSet<String>,
    /// The names of columns.
    shown: FxHashSet<String>,
}

/// Everything of a model but its terms.
#[derive(Default)]
pub(crate) struct Parts {
    pub(crate) assertions: Vec<Assertion>,
    pub(crate) symbols: Vec<SymbolId>,
    pub(crate) columns: Vec<Column>,
    pub(crate) groups: Vec<crate::model::Group>,
    pub(crate) notes: Vec<Note>,
}

impl Builder {
    /// Declares a Boolean constant; one that is not shown is auxiliary.
    pub(crate) fn boolean(&mut self, name: &str, is_shown: bool) -> TermId {
        let symbol = self.declare(name, SortId::BOOL);
        if is_shown {
            self.show(name, symbol, Vec::new());
        }
        self.store.symbol_term(symbol)
    }

    /// Declares a constant with these values and asserts that it has one of them.
    pub(crate) fn levels(&mut self, name: &str, levels: Vec<Level>, span: Span) -> SymbolId {
        let width = width_of(levels.len());
        let sort = self.store.bit_vec_sort(width).expect("a count has few bits");
        let symbol = self.declare(name, sort);
        let count = levels.len() as u64;
        if count < 1 << width {
            let constant = self.store.symbol_term(symbol);
            let last = self.store.bit_vector(BitVector::from_u64(width, count - 1));
            let is_one = self.store.make(Op::BvUle, &[constant, last]);
            self.assert(is_one, span);
        }
        self.show(name, symbol, levels);
        symbol
    }

    fn declare(&mut self, name: &str, sort: SortId) -> SymbolId {
        let name = self.free_name(name);
        let symbol = self.store.declare(&name, &[], sort);
        self.taken.insert(name);
        self.model.symbols.push(symbol);
        symbol
    }

    fn show(&mut self, name: &str, symbol: SymbolId, levels: Vec<Level>) {
        let mut shown = name.to_string();
        while !self.shown.insert(shown.clone()) {
            shown.push('\'');
        }
        self.model.columns.push(Column { name: shown, symbol, levels });
    }

    /// A name that SMT-LIB allows and no constant has, as much like this one as possible.
    fn free_name(&self, name: &str) -> String {
        let legal = |c: char| if matches!(c, '|' | '\\') || c.is_control() { '_' } else { c };
        let mut free: String = name.chars().map(legal).collect();
        if !can_be_declared(&free) {
            free.insert(0, '_');
        }
        while self.taken.contains(&free) {
            free.push('_');
        }
        free
    }

    /// Adds something that has to hold.
    pub(crate) fn assert(&mut self, term: TermId, span: Span) {
        self.model.assertions.push(Assertion { term, span });
    }

    /// Adds a remark.
    pub(crate) fn note(&mut self, span: Span, message: impl Into<String>) {
        self.model.notes.push(Note { span, message: message.into() });
    }

    /// The conjunction; true if there are no terms.
    pub(crate) fn all_of(&mut self, terms: &[TermId]) -> TermId {
        match terms {
            [] => self.store.bool(true),
            [one] => *one,
            _ => self.store.make(Op::And, terms),
        }
    }

    /// The disjunction; false if there are no terms.
    pub(crate) fn any_of(&mut self, terms: &[TermId]) -> TermId {
        match terms {
            [] => self.store.bool(false),
            [one] => *one,
            _ => self.store.make(Op::Or, terms),
        }
    }

    /// The negation.
    pub(crate) fn not(&mut self, term: TermId) -> TermId {
        self.store.make(Op::Not, &[term])
    }

    /// The number of these terms that are true, as a bit-vector wide enough for it.
    pub(crate) fn count(&mut self, terms: &[TermId]) -> TermId {
        let width = width_of(terms.len() + 1);
        let one = self.store.bit_vector(BitVector::one(width));
        let zero = self.store.bit_vector(BitVector::zero(width));
        let ones: Vec<TermId> =
            terms.iter().map(|&term| self.store.make(Op::Ite, &[term, one, zero])).collect();
        match ones[..] {
            [] => zero,
            [one] => one,
            _ => self.store.make(Op::BvAdd, &ones),
        }
    }

    /// Whether at least `least` and at most `most` of some terms hold.
    pub(crate) fn between(&mut self, terms: &[TermId], least: u64, most: u64) -> TermId {
        let all = terms.len() as u64;
        if least > all || least > most {
            return self.store.bool(false);
        }
        if (least, most.min(all)) == (1, all) {
            return self.any_of(terms);
        }
        let count = self.count(terms);
        let width = width_of(terms.len() + 1);
        let number = |store: &mut TermStore, value| store.bit_vector(BitVector::from_u64(width, value));
        if least == most {
            let exactly = number(&mut self.store, least);
            return self.store.make(Op::Equal, &[count, exactly]);
        }
        let mut bounds = Vec::new();
        if least > 0 {
            let least = number(&mut self.store, least);
            bounds.push(self.store.make(Op::BvUle, &[least, count]));
        }
        if most < all {
            let most = number(&mut self.store, most);
            bounds.push(self.store.make(Op::BvUle, &[count, most]));
        }
        self.all_of(&bounds)
    }

    /// The model in its present state.
    pub(crate) fn finish(self) -> SystemModel {
        let Parts { assertions, symbols, columns, groups, notes } = self.model;
        SystemModel { store: self.store, assertions, symbols, columns, groups, notes }
    }
}

/// The number of bits that `count` different values take, at least one.
pub(crate) fn width_of(count: usize) -> u32 {
    usize::BITS - count.saturating_sub(1).max(1).leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_hold_all_values() {
        let widths: Vec<u32> = [1, 2, 3, 4, 5, 8, 9, 64, 65].into_iter().map(width_of).collect();
        assert_eq!(widths, [1, 1, 2, 2, 3, 3, 4, 6, 7]);
    }

    #[test]
    fn names_stay_what_they_are_where_that_is_possible() {
        let mut builder = Builder::default();
        for name in ["File system", "and", "a|b", "a\\b", "a_b", ".x", "12", "12", "true", "größe"] {
            builder.boolean(name, true);
        }
        let names: Vec<String> =
            builder.model.symbols.iter().map(|&it| builder.store.symbol(it).name.to_string()).collect();
        let expected = ["File system", "_and", "a_b", "a_b_", "a_b__", "_.x", "12", "12_", "_true", "größe"];
        assert_eq!(names, expected);
        let columns: Vec<&str> = builder.model.columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(columns, ["File system", "and", "a|b", "a\\b", "a_b", ".x", "12", "12'", "true", "größe"]);
    }
}

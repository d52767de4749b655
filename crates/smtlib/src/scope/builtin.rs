//! The names that a text knows before it declares any: the sorts and constants of its theories.
//!
//! Operators are not among them: a name stands for the operator that it names as soon as it occurs
//! (`Scope::name`), so that a new scope costs the same however many operators there are.

use sundry_term::{
    FloatFormat, Op, RoundingMode, Sort, SortId, StringOp, TermId, TermStore, TheoryName, Value,
};

use super::{Binding, Scope, SortBinding};

impl Scope {
    /// Binds the names of the sorts and constants of this scope's theories.
    pub(super) fn bind_builtins(&mut self, store: &mut TermStore) {
        self.add_constant("true", store.bool(true));
        self.add_constant("false", store.bool(false));
        self.add_sorts(store);
        self.add_constants(store);
    }

    /// Adds the sorts of the theories that have names without indices. Every text knows `Int`, even one without the
    /// theory of integers, because conversions of bit-vectors have that sort.
    fn add_sorts(&mut self, store: &mut TermStore) {
        let mut sorts = vec![
            (TheoryName::Core, "Bool", SortBinding::Theory(SortId::BOOL)),
            (TheoryName::Core, "Int", SortBinding::Theory(SortId::INT)),
            (TheoryName::Arrays, "Array", SortBinding::Array),
            (TheoryName::Reals, "Real", SortBinding::Theory(SortId::REAL)),
            (TheoryName::FloatingPoint, "RoundingMode", SortBinding::Theory(SortId::ROUNDING_MODE)),
            (TheoryName::Strings, "String", SortBinding::Theory(SortId::STRING)),
            (TheoryName::Strings, "RegLan", SortBinding::Theory(SortId::REG_LAN)),
        ];
        let named = FloatFormat::NAMED.map(|format| (format, format!("Float{}", format.width())));
        if self.theories.contains(TheoryName::FloatingPoint) {
            for (format, name) in &named {
                let sort = store.intern_sort(Sort::Float(*format)).expect("a legal sort");
                sorts.push((TheoryName::FloatingPoint, name, SortBinding::Theory(sort)));
            }
        }
        sorts.push((TheoryName::Sequences, "Seq", SortBinding::Sequence));
        for (theory, name, binding) in sorts {
            if self.theories.contains(theory) {
                let name = self.name(name);
                self.sorts.insert(name, binding);
            }
        }
    }

    /// Adds the constants of the theories.
    fn add_constants(&mut self, store: &mut TermStore) {
        if self.theories.contains(TheoryName::FloatingPoint) {
            for mode in RoundingMode::ALL {
                let term = store.constant(Value::RoundingMode(mode));
                self.add_constant(mode.name(), term);
                self.add_constant(mode.long_name(), term);
            }
        }
        if self.theories.contains(TheoryName::Strings) {
            for op in [StringOp::ReNone, StringOp::ReAll, StringOp::ReAllChar] {
                let term = store.make(Op::String(op), &[]);
                self.add_constant(op.name(), term);
                if op == StringOp::ReNone {
                    self.add_constant("re.nostr", term);
                }
            }
        }
    }

    fn add_constant(&mut self, name: &str, term: TermId) {
        let name = self.name(name);
        self.replace_symbol(name, Some(Binding::Term(term)));
    }
}

//! The logic of a formula, derived from its sorts and operators.
//!
//! Solvers choose their methods by the logic, so a mutant with the logic `ALL` would miss most of them, and solvers
//! refuse a mutant with a logic that is too small.

use rustc_hash::FxHashSet;
use sundry_term::{ArithmeticOp, Op, Sort, SortId, SymbolKind, TermId, TermStore};

use crate::mutate::vocabulary::is_linear;

/// The logics that solvers know by name, without `QF_`.
const KNOWN: &[&str] = &[
    "UF", "AX", "BV", "ABV", "UFBV", "AUFBV", "FP", "BVFP", "ABVFP", "UFFP", "AUFBVFP", "LIA", "NIA", "LRA",
    "NRA", "LIRA", "NIRA", "UFLIA", "UFNIA", "UFLRA", "UFNRA", "ALIA", "AUFLIA", "AUFNIA", "AUFLIRA",
    "AUFNIRA", "S", "SLIA", "SNIA", "DT", "UFDT", "UFDTLIA", "UFDTNIA",
];

/// The sorts and operators that occur in a formula.
#[derive(Copy, Clone, Default)]
struct Contents {
    quantifiers: bool,
    arrays: bool,
    functions: bool,
    datatypes: bool,
    bit_vectors: bool,
    floats: bool,
    strings: bool,
    integers: bool,
    reals: bool,
    nonlinear: bool,
    /// Whether both kinds of numbers, or numbers and bit-vectors, are converted to one another.
    conversions: bool,
    /// Functions defined by recursion, which no logic with a name has.
    recursion: bool,
}

/// The smallest logic with a name that all solvers know which contains these formulas; else `ALL`.
pub fn logic_of(store: &TermStore, formulas: &[TermId]) -> String {
    let contents = contents(store, formulas);
    let name = contents.name();
    if !contents.conversions && !contents.recursion && KNOWN.contains(&name.as_str()) {
        let prefix = if contents.quantifiers { "" } else { "QF_" };
        return format!("{prefix}{name}");
    }
    "ALL".to_string()
}

fn contents(store: &TermStore, formulas: &[TermId]) -> Contents {
    let mut contents = Contents::default();
    let mut sorts = FxHashSet::default();
    for term in store.reachable(formulas) {
        sorts.insert(store.sort_of(term));
        let arguments = store.args(term);
        match store.op(term) {
            Op::Forall(binder) | Op::Exists(binder) => {
                contents.quantifiers = true;
                // A variable need not occur in the body.
                sorts.extend(
                    store.bound_variables(binder).iter().map(|&variable| store.symbol(variable).result),
                );
            }
            Op::Apply(symbol) if store.symbol(symbol).kind == SymbolKind::Defined => {
                contents.recursion = true
            }
            Op::Apply(symbol) if store.symbol(symbol).kind == SymbolKind::Declared => {
                contents.functions |= !arguments.is_empty();
            }
            op @ Op::Arithmetic(arithmetic) => {
                contents.nonlinear |= !is_linear(store, op, arguments);
                contents.conversions |=
                    matches!(arithmetic, ArithmeticOp::UnsignedToInt | ArithmeticOp::SignedToInt)
                        || matches!(arithmetic, ArithmeticOp::IntToBits(_));
            }
            _ => {}
        }
    }
    contents.add_sorts(store, sorts);
    contents
}

impl Contents {
    /// Adds sorts, with those of which they are made.
    fn add_sorts(&mut self, store: &TermStore, sorts: FxHashSet<SortId>) {
        let mut pending: Vec<SortId> = sorts.iter().copied().collect();
        let mut seen = sorts;
        while let Some(sort) = pending.pop() {
            self.add_sort(store.sort(sort));
            let parts = store.sort(sort).parts();
            let constructors = match store.sort(sort) {
                Sort::Datatype { declaration, .. } => &store.datatype(*declaration).constructors[..],
                _ => &[],
            };
            let fields = constructors.iter().filter_map(|&it| store.field_sorts(sort, it)).flatten().copied();
            // Arrays over declared sorts need no functions.
            let is_new =
                |&part: &SortId| !matches!(store.sort(part), Sort::Uninterpreted { .. }) && seen.insert(part);
            pending.extend(parts.into_iter().chain(fields).filter(is_new));
        }
    }

    fn add_sort(&mut self, sort: &Sort) {
        match sort {
            Sort::Int => self.integers = true,
            Sort::Real => self.reals = true,
            Sort::BitVec(_) => self.bit_vectors = true,
            Sort::Float(_) | Sort::RoundingMode => self.floats = true,
            // Solvers know sequences wherever they know strings.
            Sort::String | Sort::RegLan | Sort::Sequence(_) => self.strings = true,
            Sort::Array { .. } => self.arrays = true,
            Sort::Uninterpreted { .. } => self.functions = true,
            Sort::Datatype { .. } => self.datatypes = true,
            Sort::Bool => {}
        }
    }

    /// The name that the standard's scheme gives, without `QF_`.
    fn name(self) -> String {
        let numbers = match (self.integers, self.reals, self.nonlinear) {
            (false, false, _) => "",
            (true, false, false) => "LIA",
            (true, false, true) => "NIA",
            (false, true, false) => "LRA",
            (false, true, true) => "NRA",
            (true, true, false) => "LIRA",
            (true, true, true) => "NIRA",
        };
        // Alone, arrays have a logic of another name.
        let others = self.functions || self.datatypes || self.bit_vectors || self.floats || self.strings;
        let arrays = match (self.arrays, others || !numbers.is_empty()) {
            (false, _) => "",
            (true, true) => "A",
            (true, false) => "AX",
        };
        let parts = [
            (self.functions, "UF"),
            (self.datatypes, "DT"),
            (self.bit_vectors, "BV"),
            (self.floats, "FP"),
            (self.strings, "S"),
        ];
        let middle: String = parts.iter().filter(|(has, _)| *has).map(|&(_, name)| name).collect();
        let name = format!("{arrays}{middle}{numbers}");
        if name.is_empty() { "UF".to_string() } else { name }
    }
}

#[cfg(test)]
mod tests {
    use sundry_smtlib::{SourceText, TheorySet, parse_script};

    use super::*;

    fn logic(text: &str) -> String {
        let mut store = TermStore::new();
        let script = parse_script(&mut store, &SourceText::new("test", text), TheorySet::ALL);
        let formula = script.expect("a legal script").formula();
        logic_of(&store, &formula.assertions)
    }

    #[test]
    fn the_logic_names_what_occurs() {
        let x = "(declare-fun x () Int) (declare-fun y () Int) (declare-fun p () Bool)";
        assert_eq!(logic(&format!("{x} (assert p)")), "QF_UF");
        assert_eq!(logic(&format!("{x} (assert (< (* 2 x) y))")), "QF_LIA");
        assert_eq!(logic(&format!("{x} (assert (< (* x y) y))")), "QF_NIA");
        assert_eq!(logic(&format!("{x} (assert (< (div x y) y))")), "QF_NIA");
        assert_eq!(logic(&format!("{x} (assert (< (to_real x) 0.5))")), "QF_LIRA");
        assert_eq!(logic(&format!("{x} (assert (forall ((z Int)) (< z x)))")), "LIA");
        assert_eq!(logic(&format!("{x} (assert (forall ((z (_ BitVec 2))) p))")), "BV");
        assert_eq!(logic(&format!("{x} (assert (= x (str.len \"a\")))")), "QF_SLIA");
        assert_eq!(logic(&format!("{x} (assert (= #b01 ((_ int_to_bv 2) x)))")), "ALL");
        assert_eq!(logic("(declare-fun a () (Array Int Int)) (assert (= a a))"), "QF_ALIA");
        let list = "(declare-datatype L ((nil) (cons (head Real) (tail L)))) (declare-fun l () L) (assert (= l nil))";
        assert_eq!(logic(list), "ALL");
        let array = "(declare-fun a () (Array (_ BitVec 2) (_ BitVec 2)))";
        assert_eq!(logic(&format!("{array} (assert (= (select a #b00) #b01))")), "QF_ABV");
        assert_eq!(logic("(declare-sort U 0) (declare-fun a () (Array U U)) (assert (= a a))"), "QF_AX");
        assert_eq!(logic("(declare-fun a () (Array Bool Bool)) (assert (= a a))"), "QF_AX");
        assert_eq!(logic("(declare-fun f () (_ FloatingPoint 5 11)) (assert (fp.isNaN f))"), "QF_FP");
        assert_eq!(logic("(declare-fun x () String) (assert (= x (str.at x 0)))"), "QF_SLIA");
    }
}

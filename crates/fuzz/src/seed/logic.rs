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
    /// As part of a name: whether arithmetic is about differences of two constants alone.
    differences: bool,
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

/// Whether formulas stay inside a logic: solvers may answer wrongly about what goes beyond the logic that a script names. A
/// name of a form that is not known counts as a logic that contains everything.
pub fn logic_contains(store: &TermStore, logic: &str, formulas: &[TermId]) -> bool {
    let Some(most) = Contents::of_name(logic) else { return true };
    contents(store, formulas).is_within(most) && (!most.differences || are_differences(store, formulas))
}

/// Whether all terms with numbers are constants, literals, or differences of constants that are compared with a literal.
fn are_differences(store: &TermStore, formulas: &[TermId]) -> bool {
    use ArithmeticOp::{Less, LessOrEqual, Sub};
    let is_number = |term: TermId| matches!(store.sort_of(term), SortId::INT | SortId::REAL);
    let is_literal = |term: TermId| match store.op(term) {
        Op::Arithmetic(Sub) => matches!(*store.args(term), [only] if store.value(only).is_some()),
        _ => store.value(term).is_some(),
    };
    let is_constant = |term: TermId| matches!(store.op(term), Op::Apply(_)) && store.args(term).is_empty();
    store.reachable(formulas).into_iter().all(|term| {
        let arguments = store.args(term);
        let of_numbers = arguments.iter().any(|&argument| is_number(argument));
        match store.op(term) {
            Op::Equal | Op::Distinct | Op::Arithmetic(Less | LessOrEqual) if of_numbers => {
                arguments.iter().all(|&argument| is_literal(argument) || is_constant(argument))
                    || arguments.len() == 2
                        && arguments.iter().any(|&argument| is_literal(argument))
                        && arguments.iter().all(|&argument| {
                            is_literal(argument) || store.op(argument) == Op::Arithmetic(Sub)
                        })
            }
            Op::Arithmetic(Sub) if arguments.len() == 2 => arguments.iter().all(|&it| is_constant(it)),
            Op::Arithmetic(_) if is_number(term) => is_literal(term),
            _ if of_numbers || is_number(term) => is_literal(term) || is_constant(term),
            _ => true,
        }
    })
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

/// A part of the name of a logic, and what its presence adds.
type Part = (&'static str, fn(&mut Contents));

/// The parts of names of logics, such that none is the beginning of a later one.
const PARTS: &[Part] = &[
    ("AX", |all| (all.arrays, all.functions) = (true, true)),
    ("UF", |all| all.functions = true),
    ("DT", |all| all.datatypes = true),
    ("BV", |all| all.bit_vectors = true),
    ("FP", |all| all.floats = true),
    ("LIRA", |all| (all.integers, all.reals) = (true, true)),
    ("NIRA", |all| (all.integers, all.reals, all.nonlinear) = (true, true, true)),
    ("LIA", |all| all.integers = true),
    ("NIA", |all| (all.integers, all.nonlinear) = (true, true)),
    ("LRA", |all| all.reals = true),
    ("NRA", |all| (all.reals, all.nonlinear) = (true, true)),
    ("IDL", |all| (all.integers, all.differences) = (true, true)),
    ("RDL", |all| (all.reals, all.differences) = (true, true)),
    ("A", |all| all.arrays = true),
    // Strings have lengths, whether the name says so or not.
    ("S", |all| (all.strings, all.integers) = (true, true)),
];

impl Contents {
    /// The most that formulas of a logic contain; `None` if the name is not made of known parts.
    fn of_name(logic: &str) -> Option<Contents> {
        let without = logic.strip_prefix("QF_");
        let mut contents = Contents { quantifiers: without.is_none(), ..Contents::default() };
        let mut rest = without.unwrap_or(logic);
        while !rest.is_empty() {
            let (name, add) = PARTS.iter().find(|(name, _)| rest.starts_with(name))?;
            add(&mut contents);
            rest = &rest[name.len()..];
        }
        Some(contents)
    }

    fn is_within(self, most: Contents) -> bool {
        [
            (self.quantifiers, most.quantifiers),
            (self.arrays, most.arrays),
            (self.functions, most.functions),
            (self.datatypes, most.datatypes),
            (self.bit_vectors, most.bit_vectors),
            (self.floats, most.floats),
            (self.strings, most.strings),
            (self.integers, most.integers),
            (self.reals, most.reals),
            (self.nonlinear, most.nonlinear),
            (self.conversions, most.conversions),
            (self.recursion, most.recursion),
        ]
        .into_iter()
        .all(|(occurs, is_allowed)| is_allowed || !occurs)
    }

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
    fn logics_contain_what_their_names_say() {
        let fits = |logic: &str, text: &str| {
            let mut store = TermStore::new();
            let script = parse_script(&mut store, &SourceText::new("test", text), TheorySet::ALL);
            logic_contains(&store, logic, &script.expect("a legal script").formula().assertions)
        };
        let x =
            "(declare-fun x () Int) (declare-fun y () Int) (declare-fun z () Int) (declare-fun p () Bool)";
        for inside in ["(< (- x y) 3)", "(= (- x y) (- 3))", "(distinct x y)", "(and p (<= x y))"] {
            assert!(fits("QF_IDL", &format!("{x} (assert {inside})")), "{inside}");
        }
        for outside in ["(< (+ x y) 3)", "(< (- x y) z)", "(< (- (- x y) z) 3)", "(= (ite p x y) z)"] {
            assert!(!fits("QF_IDL", &format!("{x} (assert {outside})")), "{outside}");
            assert!(fits("QF_UFLIA", &format!("{x} (assert {outside})")), "{outside}");
        }
        let product = format!("{x} (assert (= (* x y) z))");
        assert!(!fits("QF_LIA", &product) && fits("QF_UFNIA", &product) && !fits("QF_NRA", &product));
        let for_all = format!("{x} (assert (forall ((i Int)) (< i x)))");
        assert!(!fits("QF_LIA", &for_all) && fits("LIA", &for_all));
        assert!(fits("QF_S", &format!("{x} (assert (= x (str.len \"a\")))")));
        assert!(fits("ALL", &product) && fits("HORN", &for_all));
        assert!(!fits("QF_BV", "(declare-fun f () (_ FloatingPoint 5 11)) (assert (fp.isNaN f))"));
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

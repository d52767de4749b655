//! Features that a formula may need of a solver, as far as solvers differ in them.

use std::fmt;

use rustc_hash::FxHashSet;
use sundry_smtlib::Command;
use sundry_term::{ArithmeticOp, Op, Sort, SortId, SymbolId, SymbolKind, TermId, TermStore};

/// A theory, a part of one that some solvers lack, or a group of commands.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Feature {
    /// Integers.
    Integers,
    /// Reals.
    Reals,
    /// Bit-vectors.
    BitVectors,
    /// Floating-point numbers of single and double precision.
    FloatingPoint,
    /// Floating-point numbers of half and quadruple precision.
    HalfAndQuadruple,
    /// Floating-point numbers of other formats.
    OtherFormats,
    /// Arrays.
    Arrays,
    /// Functions with arguments.
    Functions,
    /// Declared sorts.
    Sorts,
    /// Strings.
    Strings,
    /// Regular expressions.
    RegularExpressions,
    /// Sequences.
    Sequences,
    /// Datatypes.
    Datatypes,
    /// Quantifiers.
    Quantifiers,
    /// Integers of bit-vectors without a sign, and bit-vectors of integers.
    Conversions,
    /// Integers of bit-vectors with a sign.
    SignedConversions,
    /// `push` and `pop`.
    Levels,
    /// `check-sat-assuming`.
    Assumptions,
    /// `get-unsat-core`.
    Cores,
    /// `get-model`.
    Models,
    /// `check-synth`, in the language of SyGuS.
    Synthesis,
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Feature::Integers => "integers",
            Feature::Reals => "reals",
            Feature::BitVectors => "bit-vectors",
            Feature::FloatingPoint => "floating point",
            Feature::HalfAndQuadruple => "floating point of half and quadruple precision",
            Feature::OtherFormats => "floating point of unusual formats",
            Feature::Arrays => "arrays",
            Feature::Functions => "functions",
            Feature::Sorts => "declared sorts",
            Feature::Strings => "strings",
            Feature::RegularExpressions => "regular expressions",
            Feature::Sequences => "sequences",
            Feature::Datatypes => "datatypes",
            Feature::Quantifiers => "quantifiers",
            Feature::Conversions => "conversions between integers and bit-vectors",
            Feature::SignedConversions => "sbv_to_int",
            Feature::Levels => "push and pop",
            Feature::Assumptions => "check-sat-assuming",
            Feature::Cores => "unsatisfiable cores",
            Feature::Models => "models",
            Feature::Synthesis => "synthesis of functions",
        })
    }
}

/// A set of features.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Features(u32);

impl Features {
    /// The features that some commands need: the sorts and operators of their terms, and the commands themselves.
    /// Numbers do not count, because many solvers without integers and reals read them as parts of floating-point
    /// values. Models do not count either, because a script is useful without them.
    pub fn of_commands<'c>(store: &TermStore, commands: impl IntoIterator<Item = &'c Command>) -> Features {
        let mut needs = Needs { store, features: Features::default(), sorts: FxHashSet::default() };
        let mut roots = Vec::new();
        for command in commands {
            needs.add_command(command, &mut roots);
        }
        needs.add_terms(&roots);
        needs.features
    }

    /// The features that a sort needs.
    pub fn of_sort(store: &TermStore, sort: SortId) -> Features {
        let mut needs = Needs { store, features: Features::default(), sorts: FxHashSet::default() };
        needs.add_sort(sort);
        needs.features
    }

    /// Adds a feature.
    pub fn insert(&mut self, feature: Feature) {
        self.0 |= 1 << feature as u32;
    }

    /// Whether a feature is among them.
    pub fn contains(self, feature: Feature) -> bool {
        self.0 & 1 << feature as u32 != 0
    }
}

/// Collects the features that a script needs.
struct Needs<'a> {
    store: &'a TermStore,
    features: Features,
    /// The sorts that were looked into.
    sorts: FxHashSet<SortId>,
}

impl Needs<'_> {
    /// Adds the features that a command needs besides those of its terms, which go to `roots`.
    fn add_command(&mut self, command: &Command, roots: &mut Vec<TermId>) {
        roots.extend(command.terms());
        match command {
            Command::DeclareSymbol(symbol) => self.add_symbol(*symbol),
            Command::DefineRecursive(group) => {
                for &symbol in group {
                    self.add_symbol(symbol);
                    roots.extend(self.store.definition(symbol).map(|definition| definition.body));
                }
            }
            Command::DeclareSort(_) => self.features.insert(Feature::Sorts),
            Command::DeclareDatatypes(group) => {
                self.features.insert(Feature::Datatypes);
                for &datatype in group {
                    for &constructor in &self.store.datatype(datatype).constructors {
                        let fields = &self.store.constructor(constructor).fields;
                        fields.iter().for_each(|field| self.add_sort(field.sort));
                    }
                }
            }
            Command::Push(_) | Command::Pop(_) => self.features.insert(Feature::Levels),
            Command::CheckSatAssuming(_) => self.features.insert(Feature::Assumptions),
            Command::GetUnsatCore | Command::GetUnsatAssumptions => self.features.insert(Feature::Cores),
            _ => {}
        }
    }

    fn add_symbol(&mut self, symbol: SymbolId) {
        let symbol = self.store.symbol(symbol);
        if !symbol.arguments.is_empty() {
            self.features.insert(Feature::Functions);
        }
        symbol.arguments.iter().for_each(|&sort| self.add_sort(sort));
        self.add_sort(symbol.result);
    }

    fn add_terms(&mut self, roots: &[TermId]) {
        for term in self.store.reachable(roots) {
            let op = self.store.op(term);
            match op {
                Op::Apply(symbol) if self.store.symbol(symbol).kind == SymbolKind::Declared => {
                    self.add_symbol(symbol);
                }
                Op::Forall(binder) | Op::Exists(binder) => {
                    self.features.insert(Feature::Quantifiers);
                    self.store.bound_variables(binder).iter().for_each(|&variable| self.add_symbol(variable));
                }
                _ => self.features.add(feature_of(op)),
            }
            let sort = self.store.sort_of(term);
            let is_number = matches!(op, Op::Constant(_)) && matches!(sort, SortId::INT | SortId::REAL);
            if !is_number {
                self.add_sort(sort);
            }
        }
    }

    fn add_sort(&mut self, sort: SortId) {
        if !self.sorts.insert(sort) {
            return;
        }
        let sort = self.store.sort(sort);
        match *sort {
            Sort::Bool => {}
            Sort::Int => self.features.insert(Feature::Integers),
            Sort::Real => self.features.insert(Feature::Reals),
            Sort::BitVec(_) => self.features.insert(Feature::BitVectors),
            Sort::RoundingMode => self.features.insert(Feature::FloatingPoint),
            Sort::Float(format) => {
                self.features.insert(Feature::FloatingPoint);
                self.features.add(match (format.exponent_bits(), format.significand_bits()) {
                    (8, 24) | (11, 53) => None,
                    (5, 11) | (15, 113) => Some(Feature::HalfAndQuadruple),
                    _ => Some(Feature::OtherFormats),
                });
            }
            Sort::Array { .. } => self.features.insert(Feature::Arrays),
            Sort::Sequence(_) => self.features.insert(Feature::Sequences),
            Sort::String => self.features.insert(Feature::Strings),
            Sort::RegLan => self.features.insert(Feature::RegularExpressions),
            Sort::Uninterpreted { .. } => self.features.insert(Feature::Sorts),
            Sort::Datatype { .. } => self.features.insert(Feature::Datatypes),
        }
        sort.parts().into_iter().for_each(|part| self.add_sort(part));
    }
}

impl Features {
    fn add(&mut self, feature: Option<Feature>) {
        feature.into_iter().for_each(|feature| self.insert(feature));
    }
}

/// The feature that an operator needs in addition to the sorts of its arguments and its result.
fn feature_of(op: Op) -> Option<Feature> {
    match op {
        Op::Arithmetic(ArithmeticOp::UnsignedToInt | ArithmeticOp::IntToBits(_)) => {
            Some(Feature::Conversions)
        }
        Op::Arithmetic(ArithmeticOp::SignedToInt) => Some(Feature::SignedConversions),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use sundry_smtlib::{SourceText, TheorySet, parse_script};

    use super::*;

    const ALL: [Feature; 20] = {
        use Feature::*;
        [
            Integers,
            Reals,
            BitVectors,
            FloatingPoint,
            HalfAndQuadruple,
            OtherFormats,
            Arrays,
            Functions,
            Sorts,
            Strings,
            RegularExpressions,
            Sequences,
            Datatypes,
            Quantifiers,
            Conversions,
            SignedConversions,
            Levels,
            Assumptions,
            Cores,
            Models,
        ]
    };

    fn needs(text: &str) -> Vec<Feature> {
        let mut store = TermStore::new();
        let script = parse_script(&mut store, &SourceText::new("script", text), TheorySet::ALL);
        let script = script.unwrap_or_else(|error| panic!("{text}: {error:?}"));
        let features = Features::of_commands(&store, script.commands.iter().map(|(command, _)| command));
        ALL.iter().copied().filter(|&feature| features.contains(feature)).collect()
    }

    #[test]
    fn sorts_operators_and_commands_show_what_is_needed() {
        use Feature::*;
        assert_eq!(needs("(declare-fun x () Int) (assert (= x 3)) (check-sat)"), [Integers]);
        assert_eq!(needs("(declare-fun |Real| () (Array (_ BitVec 3) Bool))"), [BitVectors, Arrays]);
        assert_eq!(needs("(assert (str.in_re \"Int\" re.all)) ; Real"), [Strings, RegularExpressions]);
        assert_eq!(
            needs("(declare-const p Bool) (push 1) (check-sat-assuming (p)) (pop 1)"),
            [Levels, Assumptions]
        );
        assert_eq!(needs("(declare-datatypes ((D 0)) (((d (x Real)))))"), [Reals, Datatypes]);
        assert_eq!(needs("(declare-sort U 0) (declare-fun f (U) U)"), [Functions, Sorts]);
        assert_eq!(needs("(declare-fun f () Bool) (declare-const g Bool) (get-model)"), []);
        assert_eq!(
            needs("(declare-const x (_ BitVec 3)) (assert (= (sbv_to_int x) (ubv_to_int x)))"),
            [Integers, BitVectors, Conversions, SignedConversions]
        );
        assert_eq!(needs("(assert (forall ((x (Seq Int))) true))"), [Integers, Sequences, Quantifiers]);
        assert_eq!(
            needs("(define-fun-rec f ((n Int)) Real (ite (< n 0) 0.5 (f (- n 1)))) (assert (= (f 1) 0.5))"),
            [Integers, Reals, Functions]
        );
    }

    #[test]
    fn formats_differ() {
        use Feature::*;
        assert_eq!(needs("(declare-const x (_ FloatingPoint 8 24))"), [FloatingPoint]);
        assert_eq!(needs("(declare-const x (_ FloatingPoint 3 5))"), [FloatingPoint, OtherFormats]);
        assert_eq!(needs("(assert (fp.isNaN ((_ to_fp 11 53) RNE 0.1)))"), [FloatingPoint]);
        assert_eq!(
            needs("(assert (fp.isNaN ((_ to_fp_unsigned 11 24) RNE #b01)))"),
            [BitVectors, FloatingPoint, OtherFormats]
        );
        assert_eq!(needs("(declare-const x Float16)"), [FloatingPoint, HalfAndQuadruple]);
    }
}

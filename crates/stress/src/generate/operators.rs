//! The operators of a logic that random terms are made of, with weights: those that solvers find hard are drawn more often.
//!
//! The signatures of `fuzz` have every operator alike, which suits mutants of formulas that are interesting already; of such terms
//! nearly all are decided by simplification.

use sundry_term::{ArithmeticOp, ConstructorId, DatatypeOp, FloatOp, Op, Sort, SortId, StringOp, TermStore};

use crate::generate::material::{Arithmetic, Material};

/// The sort of an argument, and whether it is a literal.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Argument {
    /// Any term of this sort.
    Term(SortId),
    /// A literal of this sort that is no zero.
    Literal(SortId),
}

/// An operator with the sorts that it takes and gives.
#[derive(Clone, Debug)]
pub(crate) struct Operator {
    pub(crate) op: Op,
    pub(crate) arguments: Vec<Argument>,
    pub(crate) result: SortId,
    /// The number of times that the operator is in the urn.
    pub(crate) weight: u32,
}

/// All operators of some material.
#[derive(Debug, Default)]
pub(crate) struct Operators {
    all: Vec<Operator>,
}

const B: SortId = SortId::BOOL;
const I: SortId = SortId::INT;
const R: SortId = SortId::REAL;
const S: SortId = SortId::STRING;
const M: SortId = SortId::ROUNDING_MODE;

impl Operators {
    pub(crate) fn of(store: &TermStore, material: &Material) -> Operators {
        let mut operators = Operators::default();
        let sorts: Vec<SortId> = material.sorts().collect();
        let arithmetic = material.arithmetic();
        for &function in material.functions() {
            let symbol = store.symbol(function);
            operators.add(5, Op::Apply(function), &symbol.arguments, symbol.result);
        }
        for &sort in &sorts {
            operators.add(1, Op::Ite, &[B, sort, sort], sort);
            match *store.sort(sort) {
                Sort::BitVec(width) => operators.bit_vectors(store, &sorts, sort, width),
                Sort::Float(_) => operators.floats(store, &sorts, sort),
                Sort::Array { index, element } => {
                    operators.add(6, Op::Store, &[sort, index, element], sort);
                    operators.add(4, Op::Select, &[sort, index], element);
                    operators.add(2, Op::Equal, &[sort, sort], B);
                }
                Sort::Int if arithmetic != Arithmetic::Differences => {
                    operators.integers(arithmetic == Arithmetic::Products);
                }
                Sort::Real if arithmetic != Arithmetic::Differences => {
                    operators.reals(arithmetic == Arithmetic::Products, sorts.contains(&I));
                }
                Sort::String => operators.strings(),
                Sort::Datatype { declaration, .. } => {
                    for &constructor in &store.datatype(declaration).constructors {
                        operators.constructor(store, sort, constructor);
                    }
                    operators.add(6, Op::Equal, &[sort, sort], B);
                }
                Sort::Uninterpreted { .. } => operators.add(2, Op::Equal, &[sort, sort], B),
                _ => {}
            }
        }
        operators
    }

    /// The operators with a result of a sort.
    pub(crate) fn with_result(&self, sort: SortId) -> Vec<&Operator> {
        self.all.iter().filter(|operator| operator.result == sort).collect()
    }

    /// The operators with a truth value as result that say something of a term of a sort.
    pub(crate) fn predicates_on(&self, sort: SortId) -> Vec<&Operator> {
        let is_about = |operator: &&Operator| {
            let is_own = |argument: &Argument| matches!(argument, Argument::Term(own) if *own == sort);
            operator.result == B && operator.op != Op::Ite && operator.arguments.iter().any(is_own)
        };
        self.all.iter().filter(is_about).collect()
    }

    fn add(&mut self, weight: u32, op: Op, arguments: &[SortId], result: SortId) {
        let arguments = arguments.iter().map(|&sort| Argument::Term(sort)).collect();
        self.all.push(Operator { op, arguments, result, weight });
    }

    /// An operator whose last argument is a literal.
    fn add_with_literal(&mut self, weight: u32, op: Op, sort: SortId) {
        let arguments = vec![Argument::Term(sort), Argument::Literal(sort)];
        self.all.push(Operator { op, arguments, result: sort, weight });
    }

    fn constructor(&mut self, store: &TermStore, sort: SortId, constructor: ConstructorId) {
        let fields = store.field_sorts(sort, constructor).unwrap_or_default();
        self.add(4, Op::Datatype(DatatypeOp::Construct { constructor, sort }), fields, sort);
        for (&field_sort, field) in fields.iter().zip(0..) {
            self.add(3, Op::Datatype(DatatypeOp::Select { constructor, field }), &[sort], field_sort);
        }
        self.add(1, Op::Datatype(DatatypeOp::Test(constructor)), &[sort], B);
    }

    fn bit_vectors(&mut self, store: &TermStore, sorts: &[SortId], sort: SortId, width: u32) {
        use Op::{
            BvAdd, BvAnd, BvAshr, BvLshr, BvMul, BvNeg, BvNot, BvOr, BvSdiv, BvShl, BvSle, BvSlt, BvSmod,
            BvSrem, BvSub, BvUdiv, BvUle, BvUlt, BvUrem, BvXor,
        };
        let hard = [(9, BvMul), (2, BvUdiv), (3, BvUrem), (1, BvSdiv), (1, BvSrem), (1, BvSmod)];
        let easy = [BvAdd, BvSub, BvXor, BvAnd, BvOr, BvShl, BvLshr, BvAshr].map(|op| (1, op));
        for (weight, op) in hard.into_iter().chain(easy).chain([(2, BvAdd)]) {
            self.add(weight, op, &[sort, sort], sort);
        }
        self.add(1, BvNot, &[sort], sort);
        self.add(1, BvNeg, &[sort], sort);
        for (weight, op) in [(6, Op::Equal), (1, BvUlt), (1, BvUle), (1, BvSlt), (1, BvSle)] {
            self.add(weight, op, &[sort, sort], B);
        }
        for &other in sorts {
            let Some(narrower) = store.bit_vec_width(other).filter(|&other| other < width) else { continue };
            let rest = width - narrower;
            self.add(1, Op::ZeroExtend(rest), &[other], sort);
            self.add(1, Op::SignExtend(rest), &[other], sort);
            self.add(1, Op::Extract { high: narrower - 1, low: 0 }, &[sort], other);
            self.add(1, Op::Extract { high: width - 1, low: rest }, &[sort], other);
            if rest == narrower {
                self.add(1, Op::Concat, &[other, other], sort);
            }
        }
    }

    fn floats(&mut self, store: &TermStore, sorts: &[SortId], sort: SortId) {
        use FloatOp::*;
        let Sort::Float(format) = *store.sort(sort) else { return };
        for (weight, op) in [(4, Add), (2, Sub), (6, Mul), (3, Div)] {
            self.add(weight, Op::Float(op), &[M, sort, sort], sort);
        }
        self.add(3, Op::Float(Fma), &[M, sort, sort, sort], sort);
        self.add(3, Op::Float(Sqrt), &[M, sort], sort);
        self.add(1, Op::Float(RoundToIntegral), &[M, sort], sort);
        self.add(1, Op::Float(Neg), &[sort], sort);
        self.add(1, Op::Float(Abs), &[sort], sort);
        if format.width() <= 8 {
            // The remainder has a circuit that grows with the range of exponents.
            self.add(1, Op::Float(Rem), &[sort, sort], sort);
        }
        // Ordered comparisons exclude values that are no numbers, which satisfy anything else easily.
        for (weight, op) in [(3, Lt), (3, Leq), (4, Eq)] {
            self.add(weight, Op::Float(op), &[sort, sort], B);
        }
        self.add(1, Op::Float(IsNormal), &[sort], B);
        self.add(1, Op::Float(IsSubnormal), &[sort], B);
        for &other in sorts {
            match *store.sort(other) {
                Sort::Float(_) if other != sort => self.add(1, Op::Float(ToFp(format)), &[M, other], sort),
                Sort::BitVec(width) => {
                    self.add(1, Op::Float(ToFp(format)), &[M, other], sort);
                    self.add(1, Op::Float(ToFpUnsigned(format)), &[M, other], sort);
                    self.add(1, Op::Float(ToUbv(width)), &[M, sort], other);
                    self.add(1, Op::Float(ToSbv(width)), &[M, sort], other);
                    if width == format.width() {
                        self.add(2, Op::Float(ToFp(format)), &[other], sort);
                    }
                }
                _ => {}
            }
        }
    }

    fn integers(&mut self, has_products: bool) {
        use ArithmeticOp::*;
        self.add(4, Op::Arithmetic(Add), &[I, I], I);
        self.add(2, Op::Arithmetic(Sub), &[I, I], I);
        if has_products {
            self.add(9, Op::Arithmetic(Mul), &[I, I], I);
            self.add(1, Op::Arithmetic(Mod), &[I, I], I);
            self.add(1, Op::Arithmetic(Div), &[I, I], I);
        }
        self.add_with_literal(if has_products { 1 } else { 6 }, Op::Arithmetic(Mul), I);
        self.add_with_literal(1, Op::Arithmetic(Div), I);
        self.add_with_literal(1, Op::Arithmetic(Mod), I);
        self.comparisons(I);
    }

    fn reals(&mut self, has_products: bool, has_integers: bool) {
        use ArithmeticOp::*;
        self.add(4, Op::Arithmetic(Add), &[R, R], R);
        self.add(2, Op::Arithmetic(Sub), &[R, R], R);
        if has_products {
            self.add(9, Op::Arithmetic(Mul), &[R, R], R);
            self.add(1, Op::Arithmetic(Divide), &[R, R], R);
        }
        self.add_with_literal(if has_products { 1 } else { 6 }, Op::Arithmetic(Mul), R);
        self.comparisons(R);
        if has_integers {
            self.add(3, Op::Arithmetic(ToReal), &[I], R);
            self.add(2, Op::Arithmetic(ToInt), &[R], I);
            self.add(1, Op::Arithmetic(IsInt), &[R], B);
        }
    }

    fn comparisons(&mut self, sort: SortId) {
        use ArithmeticOp::{Less, LessOrEqual};
        self.add(5, Op::Equal, &[sort, sort], B);
        self.add(2, Op::Arithmetic(Less), &[sort, sort], B);
        self.add(2, Op::Arithmetic(LessOrEqual), &[sort, sort], B);
    }

    fn strings(&mut self) {
        use StringOp::*;
        self.add(8, Op::String(Concat), &[S, S], S);
        self.add(2, Op::String(Substring), &[S, I, I], S);
        self.add(2, Op::String(Replace), &[S, S, S], S);
        self.add(1, Op::String(At), &[S, I], S);
        self.add(1, Op::String(FromInt), &[I], S);
        self.add(5, Op::String(Length), &[S], I);
        self.add(2, Op::String(IndexOf), &[S, S, I], I);
        self.add(1, Op::String(ToInt), &[S], I);
        self.add(6, Op::Equal, &[S, S], B);
        for op in [Contains, PrefixOf, SuffixOf, LessOrEqual] {
            self.add(1, Op::String(op), &[S, S], B);
        }
    }
}

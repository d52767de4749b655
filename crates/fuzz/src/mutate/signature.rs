//! Operators that terms of certain sorts can be made with: which sorts each takes, and which it gives.

use std::collections::{BTreeMap, BTreeSet};

use sundry_term::{
    ArithmeticOp, DatatypeOp, FloatFormat, FloatOp, Op, SequenceOp, Sort, SortId, StringOp, TermStore,
};

use crate::mutate::vocabulary::Vocabulary;

const B: SortId = SortId::BOOL;
const I: SortId = SortId::INT;
const R: SortId = SortId::REAL;
const S: SortId = SortId::STRING;
const E: SortId = SortId::REG_LAN;
const M: SortId = SortId::ROUNDING_MODE;

/// An operator with the sorts of its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Signature {
    pub(crate) op: Op,
    pub(crate) arguments: Box<[SortId]>,
}

/// Operators by the sort of their results.
#[derive(Clone, Debug, Default)]
pub(crate) struct Signatures {
    by_result: BTreeMap<SortId, Vec<Signature>>,
    /// The operators with a truth value as result, by the sort of the first argument.
    predicates: BTreeMap<SortId, Vec<Signature>>,
}

impl Signatures {
    /// The operators on the sorts of a vocabulary, conversions between them included, and its functions. Those
    /// that not all solvers know are left out.
    pub(crate) fn of(store: &TermStore, vocabulary: &Vocabulary) -> Signatures {
        let mut sorts: BTreeSet<SortId> = vocabulary.sorts().collect();
        if sorts.remove(&E) {
            sorts.insert(S);
        }
        let is_sequence = |&sort: &SortId| sort == S || matches!(store.sort(sort), Sort::Sequence(_));
        if sorts.iter().any(is_sequence) {
            // There is hardly a theory of strings without their lengths.
            sorts.insert(I);
        }
        sorts.extend([B]);
        let mut all = Signatures::default();
        for &function in vocabulary.functions() {
            let symbol = store.symbol(function).clone();
            all.add(Op::Apply(function), &symbol.arguments, symbol.result);
        }
        for &sort in &sorts {
            all.add_all(&[Op::Equal, Op::Distinct], &[sort, sort], B);
            all.add(Op::Ite, &[B, sort, sort], sort);
            match store.sort(sort).clone() {
                Sort::Int => all.integers(),
                Sort::Real => all.reals(sorts.contains(&I)),
                Sort::BitVec(width) => all.bit_vectors(store, sort, width, &sorts),
                Sort::Float(format) => all.floats(store, sort, format, &sorts),
                Sort::String => all.strings(),
                Sort::Array { index, element } => {
                    all.add(Op::Store, &[sort, index, element], sort);
                    all.add(Op::Select, &[sort, index], element);
                }
                Sort::Sequence(element) => all.sequences(sort, element),
                Sort::Datatype { .. } => all.datatype(store, sort),
                _ => {}
            }
        }
        let retain = |signatures: &mut Vec<Signature>| signatures.retain(|it| vocabulary.allows(it.op));
        all.by_result.values_mut().for_each(retain);
        all.predicates.values_mut().for_each(retain);
        all
    }

    /// The operators with a result of a sort.
    pub(crate) fn with_result(&self, sort: SortId) -> &[Signature] {
        self.by_result.get(&sort).map_or(&[], Vec::as_slice)
    }

    /// The operators that say something of terms of a sort.
    pub(crate) fn predicates_on(&self, sort: SortId) -> &[Signature] {
        self.predicates.get(&sort).map_or(&[], Vec::as_slice)
    }

    /// All sorts that some operator takes.
    pub(crate) fn sorts_of_arguments(&self) -> BTreeSet<SortId> {
        self.by_result.values().flatten().flat_map(|signature| signature.arguments.iter().copied()).collect()
    }

    fn add(&mut self, op: Op, arguments: &[SortId], result: SortId) {
        let signature = Signature { op, arguments: arguments.into() };
        if let (B, Some(&first)) = (result, arguments.first()) {
            self.predicates.entry(first).or_default().push(signature.clone());
        }
        self.by_result.entry(result).or_default().push(signature);
    }

    fn add_all(&mut self, ops: &[Op], arguments: &[SortId], result: SortId) {
        ops.iter().for_each(|&op| self.add(op, arguments, result));
    }

    fn integers(&mut self) {
        use ArithmeticOp::*;
        self.add_all(&[Add, Sub, Mul, Div, Mod].map(Op::Arithmetic), &[I, I], I);
        self.add_all(&[Abs, Sub].map(Op::Arithmetic), &[I], I);
        self.add_all(&[Less, LessOrEqual, Greater, GreaterOrEqual].map(Op::Arithmetic), &[I, I], B);
    }

    fn reals(&mut self, with_integers: bool) {
        use ArithmeticOp::*;
        self.add_all(&[Add, Sub, Mul, Divide].map(Op::Arithmetic), &[R, R], R);
        self.add(Op::Arithmetic(Sub), &[R], R);
        self.add_all(&[Less, LessOrEqual, Greater, GreaterOrEqual].map(Op::Arithmetic), &[R, R], B);
        if with_integers {
            self.add(Op::Arithmetic(ToReal), &[I], R);
            self.add(Op::Arithmetic(ToInt), &[R], I);
            self.add(Op::Arithmetic(IsInt), &[R], B);
        }
    }

    fn bit_vectors(&mut self, store: &TermStore, sort: SortId, width: u32, sorts: &BTreeSet<SortId>) {
        use Op::*;
        let binary = [
            BvAnd, BvOr, BvXor, BvNand, BvNor, BvXnor, BvAdd, BvSub, BvMul, BvUdiv, BvUrem, BvSdiv, BvSrem,
            BvSmod, BvShl, BvLshr, BvAshr,
        ];
        self.add_all(&binary, &[sort, sort], sort);
        self.add_all(&[BvNot, BvNeg, RotateLeft(1), RotateRight(width / 2)], &[sort], sort);
        let relations = [BvUlt, BvUle, BvUgt, BvUge, BvSlt, BvSle, BvSgt, BvSge];
        self.add_all(&relations, &[sort, sort], B);
        if sorts.contains(&I) {
            self.add(Arithmetic(ArithmeticOp::UnsignedToInt), &[sort], I);
            self.add(Arithmetic(ArithmeticOp::IntToBits(width)), &[I], sort);
        }
        for &other in sorts {
            let Some(wider) = store.bit_vec_width(other) else { continue };
            if wider == 1 {
                self.add(BvComp, &[sort, sort], other);
            }
            if wider > width {
                self.add_all(&[ZeroExtend(wider - width), SignExtend(wider - width)], &[sort], other);
                let low = wider - width;
                self.add_all(
                    &[Extract { high: width - 1, low: 0 }, Extract { high: wider - 1, low }],
                    &[other],
                    sort,
                );
            }
            if wider == 2 * width {
                self.add(Concat, &[sort, sort], other);
            }
        }
    }

    fn floats(&mut self, store: &TermStore, sort: SortId, format: FloatFormat, sorts: &BTreeSet<SortId>) {
        use FloatOp::*;
        self.add_all(&[Add, Sub, Mul, Div].map(Op::Float), &[M, sort, sort], sort);
        self.add(Op::Float(Fma), &[M, sort, sort, sort], sort);
        self.add_all(&[Sqrt, RoundToIntegral].map(Op::Float), &[M, sort], sort);
        self.add_all(&[Rem, Min, Max].map(Op::Float), &[sort, sort], sort);
        self.add_all(&[Abs, Neg].map(Op::Float), &[sort], sort);
        self.add_all(&[Leq, Lt, Geq, Gt, Eq].map(Op::Float), &[sort, sort], B);
        let tests = [IsNormal, IsSubnormal, IsZero, IsInfinite, IsNan, IsNegative, IsPositive];
        self.add_all(&tests.map(Op::Float), &[sort], B);
        for &other in sorts {
            match *store.sort(other) {
                Sort::Float(_) if other != sort => self.add(Op::Float(ToFp(format)), &[M, other], sort),
                Sort::BitVec(width) => {
                    self.add_all(&[ToFp(format), ToFpUnsigned(format)].map(Op::Float), &[M, other], sort);
                    self.add_all(&[ToUbv(width), ToSbv(width)].map(Op::Float), &[M, sort], other);
                    if width == format.width() {
                        self.add(Op::Float(ToFp(format)), &[other], sort);
                    }
                }
                Sort::Real => {
                    self.add(Op::Float(ToFp(format)), &[M, R], sort);
                    self.add(Op::Float(ToReal), &[sort], R);
                }
                _ => {}
            }
        }
    }

    fn strings(&mut self) {
        use StringOp::*;
        self.add(Op::String(Concat), &[S, S], S);
        self.add(Op::String(At), &[S, I], S);
        self.add(Op::String(Substring), &[S, I, I], S);
        self.add_all(&[Replace, ReplaceAll].map(Op::String), &[S, S, S], S);
        self.add_all(&[FromInt, FromCode].map(Op::String), &[I], S);
        self.add_all(&[Length, ToInt, ToCode].map(Op::String), &[S], I);
        self.add(Op::String(IndexOf), &[S, S, I], I);
        self.add_all(&[Less, LessOrEqual, PrefixOf, SuffixOf, Contains].map(Op::String), &[S, S], B);
        self.add(Op::String(IsDigit), &[S], B);
        self.add_all(&[InRe, InRe].map(Op::String), &[S, E], B);
        self.add(Op::String(ReLiteral), &[S], E);
        self.add_all(&[ReConcat, ReUnion, ReInter, ReDiff].map(Op::String), &[E, E], E);
        let unary = [ReStar, RePlus, ReOpt, ReComp, RePower(2), ReLoop(1, 3)];
        self.add_all(&unary.map(Op::String), &[E], E);
    }

    fn sequences(&mut self, sort: SortId, element: SortId) {
        use SequenceOp::*;
        self.add(Op::Sequence(Unit), &[element], sort);
        self.add(Op::Sequence(Concat), &[sort, sort], sort);
        self.add(Op::Sequence(At), &[sort, I], sort);
        self.add(Op::Sequence(Extract), &[sort, I, I], sort);
        self.add(Op::Sequence(Replace), &[sort, sort, sort], sort);
        self.add(Op::Sequence(Nth), &[sort, I], element);
        self.add(Op::Sequence(Length), &[sort], I);
        self.add(Op::Sequence(IndexOf), &[sort, sort, I], I);
        self.add_all(&[PrefixOf, SuffixOf, Contains].map(Op::Sequence), &[sort, sort], B);
    }

    fn datatype(&mut self, store: &TermStore, sort: SortId) {
        let Sort::Datatype { declaration, .. } = *store.sort(sort) else { return };
        let constructors = store.datatype(declaration).constructors.to_vec();
        for constructor in constructors {
            let fields = store.field_sorts(sort, constructor).unwrap_or_default();
            self.add(Op::Datatype(DatatypeOp::Construct { constructor, sort }), fields, sort);
            for (&field_sort, field) in fields.iter().zip(0..) {
                self.add(Op::Datatype(DatatypeOp::Select { constructor, field }), &[sort], field_sort);
            }
            self.add(Op::Datatype(DatatypeOp::Test(constructor)), &[sort], B);
        }
    }
}

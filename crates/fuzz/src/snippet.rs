//! Random formulas over the terms of a seed, to be joined to its literals (live predicate injection: Yao,
//! Huang, Tang, Shi, Wu & Zhang, "Skeletal approximation enumeration for SMT solver testing", ESEC/FSE 2021,
//! Algorithm 1). Whether a snippet holds does not matter, so it may say anything.

use rand::Rng;
use rand::seq::{IndexedRandom, IteratorRandom};
use sundry_term::{ArithmeticOp, FloatOp, Op, Sort, SortId, StringOp, TermId, TermStore};

use crate::vocabulary::{Vocabulary, random_literal};

/// Deepest nesting of operators in an argument of a predicate.
const DEPTH: u32 = 2;

/// A source of random formulas.
pub struct Snippets<'v, 'r, R> {
    vocabulary: &'v Vocabulary,
    random: &'r mut R,
}

impl<'v, 'r, R: Rng> Snippets<'v, 'r, R> {
    /// Formulas over these terms; arithmetic stays linear where theirs is.
    pub fn new(vocabulary: &'v Vocabulary, random: &'r mut R) -> Self {
        Snippets { vocabulary, random }
    }

    /// An atom, or one or two of them under a connective.
    pub fn formula(&mut self, store: &mut TermStore) -> TermId {
        match self.random.random_range(0..6) {
            0 => self.atom(store),
            1 => {
                let atom = self.atom(store);
                store.make(Op::Not, &[atom])
            }
            choice => {
                let op = [Op::And, Op::Or, Op::Implies, Op::Xor][choice - 2];
                let both = [self.atom(store), self.atom(store)];
                store.make(op, &both)
            }
        }
    }

    /// A predicate on terms of some sort that the seed has.
    fn atom(&mut self, store: &mut TermStore) -> TermId {
        let Some(sort) = self.vocabulary.sorts().choose(self.random) else {
            let value = self.random.random();
            return store.bool(value);
        };
        if sort == SortId::BOOL {
            return self.known(store, sort).unwrap_or_else(|| store.bool(true));
        }
        let predicates = predicates(store.sort(sort));
        let (op, count) = *predicates.choose(self.random).expect("everything can be equal");
        let arguments: Option<Vec<TermId>> = (0..count).map(|_| self.term(store, sort, DEPTH)).collect();
        match arguments {
            Some(arguments) => store.make(op, &arguments),
            None => store.bool(false),
        }
    }

    /// A term of this sort: one of the seed or a literal, or an operator on such.
    fn term(&mut self, store: &mut TermStore, sort: SortId, depth: u32) -> Option<TermId> {
        if depth == 0 || self.random.random_range(0..3) == 0 {
            return self.leaf(store, sort);
        }
        let depth = depth - 1;
        if self.random.random_range(0..6) == 0
            && let Some(application) = self.application(store, sort, depth)
        {
            return Some(application);
        }
        let Some((op, sorts)) = self.operator(store, sort) else { return self.leaf(store, sort) };
        let mut arguments = Vec::with_capacity(sorts.len());
        for (position, &sort) in sorts.iter().enumerate() {
            // Products and quotients of linear arithmetic have one unknown.
            let is_scale = position > 0 && self.vocabulary.is_linear() && is_product(op);
            arguments.push(match is_scale {
                true => random_literal(store, sort, self.random)?,
                false => self.term(store, sort, depth)?,
            });
        }
        store.term(op, &arguments).ok()
    }

    fn leaf(&mut self, store: &mut TermStore, sort: SortId) -> Option<TermId> {
        if self.random.random_range(0..4) == 0
            && let Some(literal) = random_literal(store, sort, self.random)
        {
            return Some(literal);
        }
        self.known(store, sort)
    }

    /// A term of the seed, or a literal where it has none.
    fn known(&mut self, store: &mut TermStore, sort: SortId) -> Option<TermId> {
        let known = self.vocabulary.terms(sort);
        // Symbols and other short terms more often than long ones, which come later.
        let short = &known[..known.len().min(8)];
        let from = if self.random.random() { short } else { known };
        from.choose(self.random).copied().or_else(|| random_literal(store, sort, self.random))
    }

    /// A declared function of the seed with a result of this sort, applied; or an array read.
    fn application(&mut self, store: &mut TermStore, sort: SortId, depth: u32) -> Option<TermId> {
        let functions = self.vocabulary.functions().iter().copied();
        let fitting = functions.filter(|&function| store.symbol(function).result == sort);
        if let Some(function) = fitting.choose(self.random) {
            let sorts = store.symbol(function).arguments.clone();
            let arguments: Option<Vec<TermId>> =
                sorts.iter().map(|&sort| self.term(store, sort, depth)).collect();
            return store.term(Op::Apply(function), &arguments?).ok();
        }
        let arrays = self.vocabulary.sorts().filter_map(|array| Some((array, store.array_parts(array)?)));
        let (array, (index, _)) = arrays.filter(|&(_, (_, element))| element == sort).choose(self.random)?;
        let arguments = [self.term(store, array, depth)?, self.term(store, index, depth)?];
        store.term(Op::Select, &arguments).ok()
    }

    /// An operator with a result of this sort, and the sorts of its arguments.
    fn operator(&mut self, store: &TermStore, sort: SortId) -> Option<(Op, Vec<SortId>)> {
        use ArithmeticOp::{Abs, Add, Div, Divide, Mod, Mul, Sub};
        const I: SortId = SortId::INT;
        const S: SortId = SortId::STRING;
        let has_strings = !self.vocabulary.terms(S).is_empty();
        let mut choose = |ops: &[Op]| ops.choose(self.random).copied();
        Some(match *store.sort(sort) {
            Sort::Int if has_strings && choose(&[Op::And, Op::Or])? == Op::And => {
                match choose(&[StringOp::Length, StringOp::ToInt, StringOp::IndexOf].map(Op::String))? {
                    op @ Op::String(StringOp::IndexOf) => (op, vec![S, S, I]),
                    op => (op, vec![S]),
                }
            }
            Sort::Int => match choose(&[Add, Sub, Mul, Div, Mod, Abs].map(Op::Arithmetic))? {
                op @ Op::Arithmetic(Abs) => (op, vec![I]),
                op => (op, vec![I, I]),
            },
            Sort::Real => (choose(&[Add, Sub, Mul, Divide].map(Op::Arithmetic))?, vec![sort; 2]),
            Sort::BitVec(_) => {
                use Op::*;
                let op = choose(&[
                    BvAnd, BvOr, BvXor, BvAdd, BvSub, BvMul, BvUdiv, BvUrem, BvSdiv, BvSrem, BvSmod, BvShl,
                    BvLshr, BvAshr, BvNot, BvNeg,
                ])?;
                (op, vec![sort; if matches!(op, BvNot | BvNeg) { 1 } else { 2 }])
            }
            Sort::Float(_) => {
                use FloatOp::*;
                let op =
                    choose(&[Add, Sub, Mul, Div, Fma, Sqrt, Rem, RoundToIntegral, Abs, Neg].map(Op::Float))?;
                let mode = SortId::ROUNDING_MODE;
                let sorts = match op {
                    Op::Float(Fma) => vec![mode, sort, sort, sort],
                    Op::Float(Sqrt | RoundToIntegral) => vec![mode, sort],
                    Op::Float(Rem) => vec![sort; 2],
                    Op::Float(Abs | Neg) => vec![sort],
                    _ => vec![mode, sort, sort],
                };
                (op, sorts)
            }
            Sort::String => {
                use StringOp::*;
                match choose(&[Concat, At, Substring, Replace, FromInt].map(Op::String))? {
                    op @ Op::String(At) => (op, vec![S, I]),
                    op @ Op::String(Substring) => (op, vec![S, I, I]),
                    op @ Op::String(Replace) => (op, vec![S; 3]),
                    op @ Op::String(FromInt) => (op, vec![I]),
                    op => (op, vec![S; 2]),
                }
            }
            Sort::Array { index, element } => (Op::Store, vec![sort, index, element]),
            _ => return None,
        })
    }
}

fn is_product(op: Op) -> bool {
    use ArithmeticOp::{Div, Divide, Mod, Mul};
    matches!(op, Op::Arithmetic(Mul | Div | Mod | Divide))
}

/// The predicates on terms of a sort, with how many they take.
fn predicates(sort: &Sort) -> Vec<(Op, usize)> {
    let two = |ops: &[Op]| ops.iter().map(|&op| (op, 2)).collect::<Vec<_>>();
    let mut all = two(&[Op::Equal, Op::Distinct]);
    match sort {
        Sort::Int | Sort::Real => {
            use ArithmeticOp::*;
            all.extend(two(&[Less, LessOrEqual, Greater, GreaterOrEqual].map(Op::Arithmetic)));
        }
        Sort::BitVec(_) => {
            use Op::*;
            all.extend(two(&[BvUlt, BvUle, BvUgt, BvUge, BvSlt, BvSle, BvSgt, BvSge]));
        }
        Sort::Float(_) => {
            use FloatOp::*;
            all.extend(two(&[Leq, Lt, Geq, Gt, Eq].map(Op::Float)));
            all.extend(
                [IsNormal, IsSubnormal, IsZero, IsInfinite, IsNan, IsNegative].map(|op| (Op::Float(op), 1)),
            );
        }
        Sort::String => {
            use StringOp::*;
            all.extend(two(&[Less, LessOrEqual, PrefixOf, SuffixOf, Contains].map(Op::String)));
        }
        _ => {}
    }
    all
}

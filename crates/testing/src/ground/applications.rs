//! Applications of the operators of each theory, by the sort of their result.

use rand::Rng;
use rand::seq::IndexedRandom;
use sundry_term::{
    ArithmeticOp, DatatypeOp, FloatFormat, FloatOp, Op, SequenceOp, Sort, SortId, StringOp, TermId,
    TermStore, Text, Value,
};

use super::{GroundTerms, Theory, float_sort};

impl GroundTerms {
    pub(super) fn truth(&mut self, store: &mut TermStore, depth: u32) -> TermId {
        let choice = self.random.random_range(0..10);
        if choice == 0 {
            let op = *self.one_of(&[Op::And, Op::Or, Op::Xor, Op::Implies]);
            return self.apply(store, op, &[SortId::BOOL, SortId::BOOL], depth);
        }
        match self.theory {
            Theory::Arithmetic => {
                use ArithmeticOp::*;
                if choice == 1 {
                    return self.apply(store, Op::Arithmetic(IsInt), &[SortId::REAL], depth);
                }
                if choice == 2 {
                    let divisor = self.random.random_range(1..20);
                    return self.apply(store, Op::Arithmetic(Divisible(divisor)), &[SortId::INT], depth);
                }
                let sort = *self.one_of(&[SortId::INT, SortId::REAL]);
                let compare = [Less, LessOrEqual, Greater, GreaterOrEqual].map(Op::Arithmetic);
                let op = if choice == 3 { Op::Equal } else { *self.one_of(&compare) };
                self.apply(store, op, &[sort, sort], depth)
            }
            Theory::Float(format) => {
                use FloatOp::*;
                let sort = float_sort(store, format);
                if choice < 4 {
                    let op = *self.one_of(&[
                        IsNormal,
                        IsSubnormal,
                        IsZero,
                        IsInfinite,
                        IsNan,
                        IsNegative,
                        IsPositive,
                    ]);
                    return self.apply(store, Op::Float(op), &[sort], depth);
                }
                let compare = [Leq, Lt, Geq, Gt, Eq].map(Op::Float);
                let op = if choice == 4 { Op::Equal } else { *self.one_of(&compare) };
                self.apply(store, op, &[sort, sort], depth)
            }
            Theory::Strings => {
                use StringOp::*;
                const S: SortId = SortId::STRING;
                let (op, sorts): (StringOp, &[SortId]) = *self.one_of(&[
                    (Less, &[S, S][..]),
                    (LessOrEqual, &[S, S]),
                    (PrefixOf, &[S, S]),
                    (SuffixOf, &[S, S]),
                    (Contains, &[S, S]),
                    (IsDigit, &[S]),
                    (InRe, &[S, SortId::REG_LAN]),
                    (InRe, &[S, SortId::REG_LAN]),
                    (InRe, &[S, SortId::REG_LAN]),
                ]);
                if choice == 1 {
                    return self.apply(store, Op::Equal, &[S, S], depth);
                }
                self.apply(store, Op::String(op), sorts, depth)
            }
            Theory::Datatypes => {
                let sort = self.own_sort();
                if choice < 4 {
                    let sort = if choice == 1 { SortId::INT } else { sort };
                    return self.apply(store, Op::Equal, &[sort, sort], depth);
                }
                let Sort::Datatype { declaration, .. } = *store.sort(sort) else {
                    unreachable!("a sort of a datatype")
                };
                let constructor = *self.one_of(&store.datatype(declaration).constructors);
                self.apply(store, Op::Datatype(DatatypeOp::Test(constructor)), &[sort], depth)
            }
            Theory::Sequences => {
                use SequenceOp::*;
                let sort = self.own_sort();
                if choice < 4 {
                    return self.apply(store, Op::Equal, &[sort, sort], depth);
                }
                let op = *self.one_of(&[Contains, PrefixOf, SuffixOf]);
                self.apply(store, Op::Sequence(op), &[sort, sort], depth)
            }
        }
    }

    /// A sort of a datatype, or of sequences.
    pub(super) fn own_sort(&mut self) -> SortId {
        let choice = self.random.random_range(0..self.sorts.len());
        self.sorts[choice]
    }

    /// A sequence made of others.
    pub(super) fn sequence(
        &mut self,
        store: &mut TermStore,
        sort: SortId,
        element: SortId,
        depth: u32,
    ) -> TermId {
        use SequenceOp::*;
        const I: SortId = SortId::INT;
        let nested = self.sorts[2];
        if sort == self.sorts[0] && self.random.random_range(0..10) == 0 {
            return self.apply(store, Op::Sequence(Nth), &[nested, I], depth);
        }
        let (op, sorts): (SequenceOp, &[SortId]) = match self.random.random_range(0..11) {
            0 => (Unit, &[element]),
            1 => (Concat, &[sort, sort]),
            2 => (Concat, &[sort, sort, sort]),
            3 => (At, &[sort, I]),
            4 | 5 => (Extract, &[sort, I, I]),
            6 | 7 => (Replace, &[sort, sort, sort]),
            8 => (ReplaceAll, &[sort, sort, sort]),
            9 => (Reverse, &[sort]),
            _ => (Update, &[sort, I, sort]),
        };
        self.apply(store, Op::Sequence(op), sorts, depth)
    }

    /// A value of a datatype made or selected from another.
    pub(super) fn datatype(&mut self, store: &mut TermStore, sort: SortId, depth: u32) -> TermId {
        if self.random.random_range(0..3) == 0
            && let Some(selection) = self.selection(store, sort, depth)
        {
            return selection;
        }
        let Sort::Datatype { declaration, .. } = *store.sort(sort) else {
            unreachable!("a sort of a datatype")
        };
        let constructor = *self.one_of(&store.datatype(declaration).constructors);
        let fields = store.field_sorts(sort, constructor).expect("a constructor of the sort").to_vec();
        self.apply(store, Op::Datatype(DatatypeOp::Construct { constructor, sort }), &fields, depth)
    }

    /// A selector of this sort applied to a value that has the field, most of the time.
    fn selection(&mut self, store: &mut TermStore, sort: SortId, depth: u32) -> Option<TermId> {
        let mut choices = Vec::new();
        for &from in &self.sorts {
            let Sort::Datatype { declaration, .. } = *store.sort(from) else { continue };
            for &constructor in &store.datatype(declaration).constructors {
                let fields = store.field_sorts(from, constructor).unwrap_or_default();
                let fields = fields.iter().zip(0..).filter(|&(&field, _)| field == sort);
                choices.extend(fields.map(|(_, field)| (from, constructor, field)));
            }
        }
        let &(from, constructor, field) = choices.choose(&mut self.random)?;
        let select = Op::Datatype(DatatypeOp::Select { constructor, field });
        if self.random.random_range(0..4) == 0 {
            return Some(self.apply(store, select, &[from], depth));
        }
        let fields = store.field_sorts(from, constructor).expect("a constructor of the sort").to_vec();
        let construct = Op::Datatype(DatatypeOp::Construct { constructor, sort: from });
        let value = self.apply(store, construct, &fields, depth.saturating_sub(1));
        Some(store.make(select, &[value]))
    }

    pub(super) fn integer(&mut self, store: &mut TermStore, depth: u32) -> TermId {
        const I: SortId = SortId::INT;
        const S: SortId = SortId::STRING;
        if self.theory == Theory::Strings && self.random.random_range(0..3) > 0 {
            use StringOp::*;
            let (op, sorts): (StringOp, &[SortId]) = *self.one_of(&[
                (Length, &[S][..]),
                (IndexOf, &[S, S, I]),
                (IndexOf, &[S, S, I]),
                (ToCode, &[S]),
                (ToInt, &[S]),
            ]);
            return self.apply(store, Op::String(op), sorts, depth);
        }
        if self.theory == Theory::Sequences && self.random.random_range(0..4) > 0 {
            use SequenceOp::*;
            let sort = self.own_sort();
            let (op, sorts): (SequenceOp, &[SortId]) = match self.random.random_range(0..4) {
                0 => (Length, &[sort]),
                1 => (Nth, &[self.sorts[0], I]),
                _ => (IndexOf, &[sort, sort, I]),
            };
            return self.apply(store, Op::Sequence(op), sorts, depth);
        }
        if self.theory == Theory::Datatypes
            && self.random.random_range(0..3) > 0
            && let Some(selection) = self.selection(store, I, depth)
        {
            return selection;
        }
        use ArithmeticOp::*;
        let choice = self.random.random_range(0..if self.theory == Theory::Arithmetic { 12 } else { 4 });
        let (op, sorts): (ArithmeticOp, &[SortId]) = match choice {
            0 | 1 => (Add, &[I, I]),
            2 => (Sub, &[I, I]),
            3 => (Sub, &[I]),
            4 | 5 => (Mul, &[I, I]),
            6 => (Div, &[I, I]),
            7 => (Mod, &[I, I]),
            8 => (Abs, &[I]),
            9 => (ToInt, &[SortId::REAL]),
            10 => (Add, &[I, I, I]),
            _ => {
                let sort = self.bits(store);
                let op = *self.one_of(&[UnsignedToInt, SignedToInt]);
                return self.apply(store, Op::Arithmetic(op), &[sort], depth);
            }
        };
        self.apply(store, Op::Arithmetic(op), sorts, depth)
    }

    pub(super) fn real(&mut self, store: &mut TermStore, depth: u32) -> TermId {
        use ArithmeticOp::*;
        const R: SortId = SortId::REAL;
        if let Theory::Float(format) = self.theory {
            let sort = float_sort(store, format);
            return self.apply(store, Op::Float(FloatOp::ToReal), &[sort], depth);
        }
        let (op, sorts): (ArithmeticOp, &[SortId]) = *self.one_of(&[
            (Add, &[R, R][..]),
            (Sub, &[R, R]),
            (Sub, &[R]),
            (Mul, &[R, R]),
            (Divide, &[R, R]),
            (ToReal, &[SortId::INT]),
        ]);
        self.apply(store, Op::Arithmetic(op), sorts, depth)
    }

    pub(super) fn float(&mut self, store: &mut TermStore, format: FloatFormat, depth: u32) -> TermId {
        use FloatOp::*;
        let sort = float_sort(store, format);
        const M: SortId = SortId::ROUNDING_MODE;
        let (op, sorts): (FloatOp, Vec<SortId>) = match self.random.random_range(0..24) {
            0..3 => (Add, vec![M, sort, sort]),
            3..5 => (Sub, vec![M, sort, sort]),
            5..8 => (Mul, vec![M, sort, sort]),
            8..11 => (Div, vec![M, sort, sort]),
            11..13 => (Fma, vec![M, sort, sort, sort]),
            13..15 => (Sqrt, vec![M, sort]),
            15..17 => (Rem, vec![sort, sort]),
            17 => (RoundToIntegral, vec![M, sort]),
            18 => (*self.one_of(&[Min, Max]), vec![sort, sort]),
            19 => (*self.one_of(&[Abs, Neg]), vec![sort]),
            20 => (ToFp(format), vec![M, SortId::REAL]),
            21 => {
                let bits = self.bits(store);
                (*self.one_of(&[ToFp(format), ToFpUnsigned(format)]), vec![M, bits])
            }
            22 => (ToFp(format), vec![store.bit_vec_sort(format.width()).expect("a legal width")]),
            _ => {
                let other = *self.one_of(&[(2, 5), (3, 4), (5, 11), (8, 24)]);
                let other = FloatFormat::new(other.0, other.1).expect("a legal format");
                let other = float_sort(store, other);
                let value = self.literal(store, other);
                let mode = self.term(store, M, 0);
                return store.make(Op::Float(ToFp(format)), &[mode, value]);
            }
        };
        // Reals and modes are not computed, so that they stay simple.
        let arguments: Vec<TermId> = sorts
            .iter()
            .map(|&sort| match sort {
                SortId::REAL | SortId::ROUNDING_MODE => self.literal(store, sort),
                _ => self.term(store, sort, depth),
            })
            .collect();
        store.make(Op::Float(op), &arguments)
    }

    pub(super) fn bit_vector(&mut self, store: &mut TermStore, width: u32, depth: u32) -> TermId {
        let sort = store.bit_vec_sort(width).expect("a legal width");
        match self.theory {
            Theory::Float(format) if self.random.random_range(0..3) > 0 => {
                let float = float_sort(store, format);
                let op = *self.one_of(&[FloatOp::ToUbv(width), FloatOp::ToSbv(width)]);
                self.apply(store, Op::Float(op), &[SortId::ROUNDING_MODE, float], depth)
            }
            Theory::Arithmetic if self.random.random_range(0..3) > 0 => {
                self.apply(store, Op::Arithmetic(ArithmeticOp::IntToBits(width)), &[SortId::INT], depth)
            }
            Theory::Sequences if width == 3 && self.random.random_range(0..3) > 0 => {
                self.apply(store, Op::Sequence(SequenceOp::Nth), &[self.sorts[1], SortId::INT], depth)
            }
            _ => {
                let op = *self.one_of(&[Op::BvAdd, Op::BvMul, Op::BvXor]);
                self.apply(store, op, &[sort, sort], depth)
            }
        }
    }

    pub(super) fn string(&mut self, store: &mut TermStore, depth: u32) -> TermId {
        use StringOp::*;
        const S: SortId = SortId::STRING;
        const I: SortId = SortId::INT;
        const R: SortId = SortId::REG_LAN;
        let (op, sorts): (StringOp, &[SortId]) = *self.one_of(&[
            (Concat, &[S, S][..]),
            (Concat, &[S, S, S]),
            (At, &[S, I]),
            (Substring, &[S, I, I]),
            (Substring, &[S, I, I]),
            (Replace, &[S, S, S]),
            (Replace, &[S, S, S]),
            (ReplaceAll, &[S, S, S]),
            (ReplaceRe, &[S, R, S]),
            (ReplaceReAll, &[S, R, S]),
            (FromCode, &[I]),
            (FromInt, &[I]),
        ]);
        self.apply(store, Op::String(op), sorts, depth)
    }

    pub(super) fn regex(&mut self, store: &mut TermStore, depth: u32) -> TermId {
        use StringOp::*;
        const R: SortId = SortId::REG_LAN;
        let (least, most) = (self.random.random_range(0..3), self.random.random_range(0..5));
        let (op, sorts): (StringOp, &[SortId]) = *self.one_of(&[
            (ReConcat, &[R, R][..]),
            (ReConcat, &[R, R]),
            (ReUnion, &[R, R]),
            (ReUnion, &[R, R]),
            (ReInter, &[R, R]),
            (ReStar, &[R]),
            (RePlus, &[R]),
            (ReOpt, &[R]),
            (ReDiff, &[R, R]),
            (ReComp, &[R]),
            (RePower(least), &[R]),
            (ReLoop(least, most), &[R]),
        ]);
        if self.random.random_range(0..8) == 0 {
            let arguments = [self.character(store), self.character(store)];
            return store.make(Op::String(ReRange), &arguments);
        }
        self.apply(store, Op::String(op), sorts, depth)
    }

    /// A string, mostly of one character.
    fn character(&mut self, store: &mut TermStore) -> TermId {
        if self.random.random_range(0..6) == 0 {
            return self.literal(store, SortId::STRING);
        }
        let character = self.random.random_range(0x60..0x65);
        store.constant(Value::String(Text::new(&[character]).expect("a character of the theory")))
    }
}

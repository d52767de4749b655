//! Application of each kind of operator to random operands.

use rand::Rng;
use sundry_term::{Op, SortId, TermId, TermStore};

use super::Generator;

/// A kind of operators that take their operands in the same way.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Operation {
    /// One of several operators on Bool.
    Boolean,
    /// Equality or distinctness of any sort.
    Equality,
    /// If-then-else over any sort.
    Choice,
    /// Concatenation.
    Concatenation,
    /// A slice.
    Slice,
    /// Extension, repetition, rotation.
    Rearrangement,
    /// An operator from one bit-vector to another of the same width.
    Unary,
    /// Operators on bit-vectors that take any number.
    Many,
    /// Operators on exactly two bit-vectors.
    Binary,
    /// An operator from bit-vectors to one bit.
    OneBit,
    /// Order and overflow of bit-vectors.
    Predicate,
    /// The element of an array.
    Select,
    /// An array with one element replaced.
    Store,
    /// A constant array.
    ConstantArray,
    /// A declared function.
    Function,
}

impl Operation {
    /// All kinds, the frequent ones several times.
    pub const ALL: [Operation; 24] = {
        use Operation::*;
        [
            Boolean,
            Boolean,
            Boolean,
            Equality,
            Equality,
            Choice,
            Choice,
            Concatenation,
            Slice,
            Slice,
            Rearrangement,
            Unary,
            Many,
            Many,
            Many,
            Binary,
            Binary,
            OneBit,
            Predicate,
            Predicate,
            Select,
            Store,
            ConstantArray,
            Function,
        ]
    };
}

impl Generator {
    /// The operation on random operands; `None` if it does not apply to any.
    pub(super) fn apply(&mut self, store: &mut TermStore, operation: Operation) -> Option<TermId> {
        match operation {
            Operation::Boolean => Some(self.boolean(store)),
            Operation::Equality => Some(self.equality(store)),
            Operation::Choice => Some(self.choice(store)),
            Operation::Concatenation => self.concatenation(store),
            Operation::Slice => Some(self.slice(store)),
            Operation::Rearrangement => self.rearrangement(store),
            Operation::Unary => Some(self.unary(store)),
            Operation::Many => Some(self.many(store)),
            Operation::Binary => Some(self.binary(store)),
            Operation::OneBit => Some(self.one_bit(store)),
            Operation::Predicate => Some(self.predicate(store)),
            Operation::Select => self.select(store),
            Operation::Store => self.store(store),
            Operation::ConstantArray => self.constant_array(store),
            Operation::Function => self.function(store),
        }
    }

    /// The given number of operands of one sort, later ones often related to the first.
    fn operands(&mut self, store: &mut TermStore, sort: SortId, count: usize) -> Vec<TermId> {
        let first = self.operand(store, sort);
        let mut operands = vec![first];
        for _ in 1..count {
            operands.push(self.operand_beside(store, first));
        }
        operands
    }

    /// Two, sometimes more.
    fn some_arity(&mut self) -> usize {
        if self.chance(75) { 2 } else { self.random.random_range(3..=5) }
    }

    fn boolean(&mut self, store: &mut TermStore) -> TermId {
        let op = self.one_of(&[Op::Not, Op::And, Op::And, Op::Or, Op::Or, Op::Xor, Op::Implies]);
        let arity = match op {
            Op::Not => 1,
            Op::And | Op::Or if self.chance(4) => 1,
            _ => self.some_arity(),
        };
        let operands = self.operands(store, SortId::BOOL, arity);
        store.make(op, &operands)
    }

    fn equality(&mut self, store: &mut TermStore) -> TermId {
        let sort = if self.chance(50) { self.bit_vector_sort(store) } else { self.some_sort() };
        let arity = self.some_arity();
        let operands = self.operands(store, sort, arity);
        let op = if self.chance(70) { Op::Equal } else { Op::Distinct };
        store.make(op, &operands)
    }

    fn choice(&mut self, store: &mut TermStore) -> TermId {
        let condition = self.operand(store, SortId::BOOL);
        let sort = if self.chance(50) { self.bit_vector_sort(store) } else { self.some_sort() };
        let yes = self.operand(store, sort);
        let no = self.operand_beside(store, yes);
        store.make(Op::Ite, &[condition, yes, no])
    }

    fn concatenation(&mut self, store: &mut TermStore) -> Option<TermId> {
        let mut operands = Vec::new();
        let mut width = 0;
        for _ in 0..self.some_arity() {
            let sort = self.bit_vector_sort(store);
            width += store.bit_vec_width(sort)?;
            operands.push(self.operand(store, sort));
        }
        (width <= self.options.greatest_width).then(|| store.make(Op::Concat, &operands))
    }

    fn slice(&mut self, store: &mut TermStore) -> TermId {
        let sort = self.bit_vector_sort(store);
        let operand = self.operand(store, sort);
        let width = store.width(operand).expect("a bit-vector");
        let low = self.random.random_range(0..width);
        let low = if self.chance(40) { 0 } else { low };
        let high = self.random.random_range(low..width);
        store.make(Op::Extract { high, low }, &[operand])
    }

    fn rearrangement(&mut self, store: &mut TermStore) -> Option<TermId> {
        let sort = self.bit_vector_sort(store);
        let operand = self.operand(store, sort);
        let width = store.width(operand)?;
        let by = self.random.random_range(0..=8);
        let op = match self.random.random_range(0..5) {
            0 => Op::Repeat(self.random.random_range(1..=4)),
            1 => Op::ZeroExtend(by),
            2 => Op::SignExtend(by),
            3 => Op::RotateLeft(self.random.random_range(0..=2 * width)),
            _ => Op::RotateRight(self.random.random_range(0..=2 * width)),
        };
        let result = match op {
            Op::Repeat(times) => width * times,
            Op::ZeroExtend(by) | Op::SignExtend(by) => width + by,
            _ => width,
        };
        (result <= self.options.greatest_width.max(width)).then(|| store.make(op, &[operand]))
    }

    fn unary(&mut self, store: &mut TermStore) -> TermId {
        let sort = self.bit_vector_sort(store);
        let operand = self.operand(store, sort);
        let op = self.one_of(&[Op::BvNot, Op::BvNeg]);
        store.make(op, &[operand])
    }

    fn many(&mut self, store: &mut TermStore) -> TermId {
        let sort = self.bit_vector_sort(store);
        let op = self.one_of(&[
            Op::BvAnd,
            Op::BvAnd,
            Op::BvOr,
            Op::BvOr,
            Op::BvXor,
            Op::BvXnor,
            Op::BvAdd,
            Op::BvAdd,
            Op::BvSub,
            Op::BvMul,
        ]);
        let arity = self.some_arity();
        // More than two operands of `bvsub` are common, but not in the standard, and Z3 reads them wrongly.
        let arity = if op == Op::BvSub { 2 } else { arity };
        let operands = self.operands(store, sort, arity);
        store.make(op, &operands)
    }

    fn binary(&mut self, store: &mut TermStore) -> TermId {
        let sort = self.bit_vector_sort(store);
        let op = self.one_of(&[
            Op::BvNand,
            Op::BvNor,
            Op::BvUdiv,
            Op::BvUrem,
            Op::BvSdiv,
            Op::BvSrem,
            Op::BvSmod,
            Op::BvShl,
            Op::BvShl,
            Op::BvLshr,
            Op::BvLshr,
            Op::BvAshr,
        ]);
        let operands = self.operands(store, sort, 2);
        store.make(op, &operands)
    }

    fn one_bit(&mut self, store: &mut TermStore) -> TermId {
        let sort = self.bit_vector_sort(store);
        let op = self.one_of(&[Op::BvComp, Op::BvRedAnd, Op::BvRedOr]);
        let arity = if op == Op::BvComp { 2 } else { 1 };
        let operands = self.operands(store, sort, arity);
        store.make(op, &operands)
    }

    fn predicate(&mut self, store: &mut TermStore) -> TermId {
        let sort = self.bit_vector_sort(store);
        let op = if self.chance(60) {
            self.one_of(&[
                Op::BvUlt,
                Op::BvUle,
                Op::BvUgt,
                Op::BvUge,
                Op::BvSlt,
                Op::BvSle,
                Op::BvSgt,
                Op::BvSge,
            ])
        } else {
            self.one_of(&[
                Op::BvNego,
                Op::BvUaddo,
                Op::BvSaddo,
                Op::BvUmulo,
                Op::BvSmulo,
                Op::BvUsubo,
                Op::BvSsubo,
                Op::BvSdivo,
            ])
        };
        let arity = if op == Op::BvNego { 1 } else { 2 };
        let operands = self.operands(store, sort, arity);
        store.make(op, &operands)
    }

    fn some_array_sort(&mut self) -> Option<SortId> {
        let sorts = std::mem::take(&mut self.array_sorts);
        let sort = (!sorts.is_empty()).then(|| self.one_of(&sorts));
        self.array_sorts = sorts;
        sort
    }

    fn select(&mut self, store: &mut TermStore) -> Option<TermId> {
        let sort = self.some_array_sort()?;
        let (index, _) = store.array_parts(sort)?;
        let array = self.operand(store, sort);
        let index = self.index(store, array, index);
        Some(store.make(Op::Select, &[array, index]))
    }

    fn store(&mut self, store: &mut TermStore) -> Option<TermId> {
        let sort = self.some_array_sort()?;
        let (index, element) = store.array_parts(sort)?;
        let array = self.operand(store, sort);
        let index = self.index(store, array, index);
        let element = if self.chance(10) {
            store.make(Op::Select, &[array, index])
        } else {
            self.operand(store, element)
        };
        Some(store.make(Op::Store, &[array, index, element]))
    }

    /// An index, sometimes the one that was written last.
    fn index(&mut self, store: &mut TermStore, array: TermId, sort: SortId) -> TermId {
        match (store.op(array), store.args(array)) {
            (Op::Store, &[_, written, _]) if self.chance(40) => self.operand_beside(store, written),
            _ => self.operand(store, sort),
        }
    }

    fn constant_array(&mut self, store: &mut TermStore) -> Option<TermId> {
        if !self.options.constant_arrays {
            return None;
        }
        let sort = self.some_array_sort()?;
        let (_, element) = store.array_parts(sort)?;
        let element = self.operand(store, element);
        Some(store.make(Op::ConstArray(sort), &[element]))
    }

    fn function(&mut self, store: &mut TermStore) -> Option<TermId> {
        if self.functions.is_empty() {
            return None;
        }
        let position = self.random.random_range(0..self.functions.len());
        let function = self.functions[position];
        let sorts = store.symbol(function).arguments.clone();
        let operands: Vec<TermId> = sorts.iter().map(|&sort| self.operand(store, sort)).collect();
        Some(store.make(Op::Apply(function), &operands))
    }
}

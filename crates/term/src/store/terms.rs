//! Terms: applications of operators, hash-consed, and access to them.

use std::hash::{BuildHasher, Hash, Hasher};

use rustc_hash::{FxBuildHasher, FxHasher};

use super::{TermId, TermStore};
use crate::control::{Control, Stopped};
use crate::op::{Op, SymbolId};
use crate::sort::{Sort, SortId};
use crate::theory::arithmetic::ArithmeticOp;
use crate::typecheck::{self, ResultSort, SortError};
use crate::value::Value;

#[derive(Copy, Clone)]
pub(super) struct Node {
    op: Op,
    sort: SortId,
    first_argument: u32,
    arity: u32,
}

fn hash_application(op: Op, arguments: &[TermId]) -> u64 {
    let mut hasher = FxHasher::default();
    op.hash(&mut hasher);
    arguments.hash(&mut hasher);
    // The hash needs one more mixing round, because the table takes its buckets from the low bits.
    FxBuildHasher.hash_one(hasher.finish().rotate_left(26))
}

impl TermStore {
    /// Interns the application of an operator, checking arity, argument sorts and indices.
    ///
    /// # Errors
    /// A description of the fault of the application.
    pub fn term(&mut self, op: Op, arguments: &[TermId]) -> Result<TermId, SortError> {
        if let Some(id) = self.find(op, arguments) {
            return Ok(id);
        }
        let sort = match typecheck::result_sort(self, op, arguments)? {
            ResultSort::Interned(sort) => sort,
            ResultSort::BitVec(width) => self.bit_vec_sort(width)?,
            ResultSort::Sort(sort) => self.intern_sort(sort)?,
        };
        Ok(self.insert(op, arguments, sort))
    }

    /// [`term`](Self::term) for applications that are well-sorted by construction.
    ///
    /// # Panics
    /// When the application is not well-sorted.
    pub fn make(&mut self, op: Op, arguments: &[TermId]) -> TermId {
        match self.term(op, arguments) {
            Ok(id) => id,
            Err(error) => panic!("ill-sorted term built internally: {error}"),
        }
    }

    /// The term of a constant symbol.
    ///
    /// # Panics
    /// When the symbol takes arguments.
    pub fn symbol_term(&mut self, symbol: SymbolId) -> TermId {
        self.make(Op::Apply(symbol), &[])
    }

    pub(super) fn find(&self, op: Op, arguments: &[TermId]) -> Option<TermId> {
        let hash = hash_application(op, arguments);
        self.table
            .find(hash, |&id| {
                let node = &self.nodes[id.index()];
                node.op == op && self.args(id) == arguments
            })
            .copied()
    }

    pub(super) fn insert(&mut self, op: Op, arguments: &[TermId], sort: SortId) -> TermId {
        let id = TermId::new(self.nodes.len());
        let first_argument = u32::try_from(self.arguments.len()).expect("argument positions are 32-bit");
        self.arguments.extend_from_slice(arguments);
        self.nodes.push(Node { op, sort, first_argument, arity: arguments.len() as u32 });
        self.has_numbers |= sort == SortId::REAL || sort == SortId::INT && self.has_no_bits(op, arguments);
        let (nodes, all_arguments) = (&self.nodes, &self.arguments);
        self.table.insert_unique(hash_application(op, arguments), id, |&other| {
            let node = &nodes[other.index()];
            let start = node.first_argument as usize;
            hash_application(node.op, &all_arguments[start..start + node.arity as usize])
        });
        id
    }

    /// Whether some term is a real, or an integer of which nothing but its sort is known: other integers are computed from words of bits.
    pub fn has_numbers(&self) -> bool {
        self.has_numbers
    }

    /// Whether an integer may be any, whatever the arguments are: it is declared, read from an array, or the result of a division
    /// by what may be zero.
    pub fn has_no_bits(&self, op: Op, arguments: &[TermId]) -> bool {
        let may_be_zero = |&divisor: &TermId| match self.value(divisor) {
            Some(Value::Int(number)) => number.is_zero(),
            _ => true,
        };
        match op {
            Op::Apply(_) | Op::Select => true,
            Op::Arithmetic(ArithmeticOp::Div | ArithmeticOp::Mod) => arguments[1..].iter().any(may_be_zero),
            _ => false,
        }
    }

    /// The operator of a term.
    pub fn op(&self, term: TermId) -> Op {
        self.nodes[term.index()].op
    }

    /// The arguments of a term.
    #[inline]
    pub fn args(&self, term: TermId) -> &[TermId] {
        let node = &self.nodes[term.index()];
        let start = node.first_argument as usize;
        &self.arguments[start..start + node.arity as usize]
    }

    /// The number of arguments of a term.
    pub(crate) fn arity(&self, term: TermId) -> u32 {
        self.nodes[term.index()].arity
    }

    /// The sort of a term.
    pub fn sort_of(&self, term: TermId) -> SortId {
        self.nodes[term.index()].sort
    }

    /// Whether the term is a truth value.
    pub fn is_bool(&self, term: TermId) -> bool {
        self.sort_of(term) == SortId::BOOL
    }

    /// The width of a bit-vector term, `None` for other sorts.
    pub fn width(&self, term: TermId) -> Option<u32> {
        self.bit_vec_width(self.sort_of(term))
    }

    /// The number of bits of a term's value: 1 for Bool, the width of a bit-vector or of a floating-point format, 0 for any other sort.
    pub fn bits(&self, term: TermId) -> u32 {
        match self.sort(self.sort_of(term)) {
            Sort::Bool => 1,
            Sort::BitVec(width) => *width,
            Sort::Float(format) => format.width(),
            _ => 0,
        }
    }

    /// The symbol of a declared constant's term, `None` for any other.
    pub fn constant_symbol(&self, term: TermId) -> Option<SymbolId> {
        match self.op(term) {
            Op::Apply(symbol) if self.nodes[term.index()].arity == 0 => Some(symbol),
            _ => None,
        }
    }

    /// The number of terms.
    pub fn term_count(&self) -> usize {
        self.nodes.len()
    }

    /// Every term reachable from `roots`, arguments before applications, ascending ids.
    pub fn reachable(&self, roots: &[TermId]) -> Vec<TermId> {
        self.reachable_within(roots, &Control::default()).expect("nothing stops this control")
    }

    /// The terms below some roots, like [`reachable`](Self::reachable), until a control stops the work.
    ///
    /// # Errors
    /// The reason for which the control stopped it.
    pub fn reachable_within(&self, roots: &[TermId], control: &Control) -> Result<Vec<TermId>, Stopped> {
        let Some(highest) = roots.iter().map(|root| root.index()).max() else { return Ok(Vec::new()) };
        let mut marked = vec![false; highest + 1];
        for root in roots {
            marked[root.index()] = true;
        }
        // Arguments have smaller ids: one descending sweep marks everything.
        for index in (0..=highest).rev() {
            control.spend(1)?;
            if marked[index] {
                for argument in self.args(TermId::new(index)) {
                    marked[argument.index()] = true;
                }
            }
        }
        Ok((0..=highest).filter(|&index| marked[index]).map(TermId::new).collect())
    }
}

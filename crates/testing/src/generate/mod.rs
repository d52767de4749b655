//! Random well-sorted formulas over all operators, and random models.
//!
//! Terms grow bottom-up in pools by sort: each step applies a random operator to random members,
//! recent ones preferred, so that formulas are deep and parts are shared. Operands are often
//! related (the same twice, a term and its complement, literals at bounds), because laws of
//! algebra, and bugs in their use, need that. Growing top-down from a grammar was rejected: it
//! makes trees without sharing, whose size explodes or stays trivial.
//!
//! Everything follows from the seed; the same seed and options give the same formula.

mod model;
mod operation;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use rand::Rng;
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use sundry_term::{BitVector, Op, Sort, SortId, SymbolId, TermId, TermStore};

pub use model::random_model;
pub use operation::Operation;

/// The features of the generated formulas.
#[derive(Clone, Debug)]
pub struct Options {
    /// Applications of operators, about.
    pub operations: usize,
    /// Usual widths of bit-vectors.
    pub widths: RangeInclusive<u32>,
    /// The percentage of widths that are above the usual ones.
    pub wide_percent: u32,
    /// The greatest width above the usual ones; concatenations stay below it too.
    pub greatest_width: u32,
    /// Declared constants of each sort, at most.
    pub constants: usize,
    /// Whether formulas have arrays.
    pub arrays: bool,
    /// Whether formulas have arrays of arrays, of Bool, and over Bool.
    pub unusual_arrays: bool,
    /// Whether formulas have constant arrays.
    pub constant_arrays: bool,
    /// Whether formulas have declared functions.
    pub functions: bool,
    /// Whether formulas have declared sorts.
    pub uninterpreted_sorts: bool,
}

impl Default for Options {
    /// Everything, small.
    fn default() -> Self {
        Options {
            operations: 30,
            widths: 1..=8,
            wide_percent: 5,
            greatest_width: 70,
            constants: 3,
            arrays: true,
            unusual_arrays: true,
            constant_arrays: true,
            functions: true,
            uninterpreted_sorts: true,
        }
    }
}

impl Options {
    /// Bit-vectors and Bool only.
    pub fn bit_vectors() -> Self {
        Options { arrays: false, functions: false, uninterpreted_sorts: false, ..Options::default() }
    }
}

/// A source of random terms over symbols that it declares.
pub struct Generator {
    random: ChaCha8Rng,
    options: Options,
    /// Sorts that symbols are declared of.
    sorts: Vec<SortId>,
    array_sorts: Vec<SortId>,
    functions: Vec<SymbolId>,
    /// Terms so far, by sort.
    pools: BTreeMap<SortId, Vec<TermId>>,
    symbols: usize,
}

impl Generator {
    /// A generator with sorts and functions declared in the store.
    pub fn new(store: &mut TermStore, seed: u64, options: Options) -> Self {
        let mut generator = Generator {
            random: ChaCha8Rng::seed_from_u64(seed),
            options,
            sorts: vec![SortId::BOOL],
            array_sorts: Vec::new(),
            functions: Vec::new(),
            pools: BTreeMap::new(),
            symbols: 0,
        };
        generator.choose_sorts(store);
        generator.declare_functions(store);
        generator
    }

    fn choose_sorts(&mut self, store: &mut TermStore) {
        for _ in 0..self.random.random_range(1..=3) {
            let width = self.some_width();
            let sort = store.bit_vec_sort(width).expect("a legal width");
            self.sorts.push(sort);
        }
        if self.options.uninterpreted_sorts && self.chance(50) {
            let declaration = store.declare_sort("Element", 0);
            let sort = store.intern_sort(Sort::Uninterpreted { declaration, arguments: [].into() });
            self.sorts.push(sort.expect("no parameters are needed"));
        }
        if self.options.arrays {
            for _ in 0..self.random.random_range(0..=2) {
                let unusual = self.options.unusual_arrays && self.chance(50);
                let candidates: Vec<SortId> = self
                    .sorts
                    .iter()
                    .copied()
                    .filter(|&sort| unusual || store.bit_vec_width(sort).is_some())
                    .collect();
                let (index, element) = (self.one_of(&candidates), self.one_of(&candidates));
                let sort = store.array_sort(index, element);
                self.sorts.push(sort);
                self.array_sorts.push(sort);
            }
        }
    }

    fn declare_functions(&mut self, store: &mut TermStore) {
        if !self.options.functions {
            return;
        }
        for number in 0..self.random.random_range(0..=2) {
            let arity = self.random.random_range(1..=3);
            let arguments: Vec<SortId> = (0..arity).map(|_| self.some_sort()).collect();
            let result = self.some_sort();
            self.functions.push(store.declare(&format!("f{number}"), &arguments, result));
        }
    }

    /// A Boolean term over about as many operators as the options say.
    pub fn formula(&mut self, store: &mut TermStore) -> TermId {
        for _ in 0..self.options.operations {
            self.grow(store);
        }
        let count = self.random.random_range(1..=4);
        let mut parts: Vec<TermId> = (0..count).map(|_| self.recent_bool(store)).collect();
        if parts.len() == 1 {
            return parts[0];
        }
        for part in &mut parts {
            if self.chance(30) {
                *part = store.make(Op::Not, &[*part]);
            }
        }
        store.make(if self.chance(70) { Op::And } else { Op::Or }, &parts)
    }

    /// Applies one more random operator, and returns the term.
    pub fn grow(&mut self, store: &mut TermStore) -> TermId {
        loop {
            let operation = self.one_of(&Operation::ALL);
            if let Some(term) = self.apply(store, operation) {
                self.keep(store, term);
                return term;
            }
        }
    }

    /// A Boolean term, from the latest ones if possible.
    fn recent_bool(&mut self, store: &mut TermStore) -> TermId {
        let pool = self.pools.get(&SortId::BOOL).map_or(&[][..], |pool| pool);
        let recent = pool[pool.len().saturating_sub(5)..].to_vec();
        if recent.is_empty() { self.operand(store, SortId::BOOL) } else { self.one_of(&recent) }
    }

    fn keep(&mut self, store: &TermStore, term: TermId) {
        self.pools.entry(store.sort_of(term)).or_default().push(term);
    }

    // ---- choices

    fn chance(&mut self, percent: u32) -> bool {
        self.random.random_range(0..100) < percent
    }

    fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        *choices.choose(&mut self.random).expect("there is a choice")
    }

    fn some_width(&mut self) -> u32 {
        let usual = *self.options.widths.end();
        if usual < self.options.greatest_width && self.chance(self.options.wide_percent) {
            return self.random.random_range(usual + 1..=self.options.greatest_width);
        }
        self.random.random_range(self.options.widths.clone())
    }

    fn some_sort(&mut self) -> SortId {
        let sorts = std::mem::take(&mut self.sorts);
        let sort = self.one_of(&sorts);
        self.sorts = sorts;
        sort
    }

    /// A bit-vector sort of which there are terms, or a declared one.
    fn bit_vector_sort(&mut self, store: &TermStore) -> SortId {
        let is_bit_vector = |sort: &SortId| store.bit_vec_width(*sort).is_some();
        let declared: Vec<SortId> = self.sorts.iter().copied().filter(is_bit_vector).collect();
        let present: Vec<SortId> = self.pools.keys().copied().filter(is_bit_vector).collect();
        // Sorts that only pieces have are met less often.
        if present.is_empty() || self.chance(70) { self.one_of(&declared) } else { self.one_of(&present) }
    }

    // ---- operands

    /// A term of this sort: grown before, a declared constant, or a literal.
    fn operand(&mut self, store: &mut TermStore, sort: SortId) -> TermId {
        let literal = sort == SortId::BOOL && self.chance(3);
        if literal || store.bit_vec_width(sort).is_some() && self.chance(15) {
            return self.literal(store, sort);
        }
        if self.chance(8)
            && let Some(adapted) = self.adapted(store, sort)
        {
            return adapted;
        }
        let pool = self.pools.entry(sort).or_default();
        let constants = pool.iter().filter(|&&term| store.args(term).is_empty()).count();
        if constants == 0 || constants < self.options.constants && self.random.random_range(0..100) < 15 {
            let symbol = store.declare(&format!("x{}", self.symbols), &[], sort);
            self.symbols += 1;
            let term = store.symbol_term(symbol);
            pool.push(term);
            return term;
        }
        let (length, recent) = (pool.len(), pool.len().min(4));
        let position = if self.random.random_range(0..100) < 40 {
            self.random.random_range(length - recent..length)
        } else {
            self.random.random_range(0..length)
        };
        pool[position]
    }

    /// A further operand beside another one of its sort, often a relative.
    fn operand_beside(&mut self, store: &mut TermStore, other: TermId) -> TermId {
        let sort = store.sort_of(other);
        if !self.chance(25) {
            return self.operand(store, sort);
        }
        let width = store.bit_vec_width(sort);
        match (self.random.random_range(0..5), width) {
            (0, _) => other,
            (1, Some(_)) => store.make(Op::BvNot, &[other]),
            (2, Some(_)) => store.make(Op::BvNeg, &[other]),
            (3, Some(_)) => {
                let literal = self.literal(store, sort);
                let op = self.one_of(&[Op::BvAdd, Op::BvXor, Op::BvMul]);
                store.make(op, &[other, literal])
            }
            (1, None) if sort == SortId::BOOL => store.make(Op::Not, &[other]),
            // An operand of the operand, if it has the sort.
            _ => {
                let related = store.args(other).iter().copied().find(|&below| store.sort_of(below) == sort);
                related.unwrap_or(other)
            }
        }
    }

    /// A bit-vector of this sort made from one of another width.
    fn adapted(&mut self, store: &mut TermStore, sort: SortId) -> Option<TermId> {
        let width = store.bit_vec_width(sort)?;
        let other_sort = self.bit_vector_sort(store);
        let other_width = store.bit_vec_width(other_sort)?;
        let other = *self.pools.get(&other_sort)?.last()?;
        if other_width > width {
            let low = self.random.random_range(0..=other_width - width);
            return Some(store.make(Op::Extract { high: low + width - 1, low }, &[other]));
        }
        let by = width - other_width;
        let op = self.one_of(&[Op::ZeroExtend(by), Op::SignExtend(by)]);
        Some(store.make(op, &[other]))
    }

    /// A literal of Bool or a bit-vector sort, often at a bound.
    fn literal(&mut self, store: &mut TermStore, sort: SortId) -> TermId {
        match store.bit_vec_width(sort) {
            Some(width) => {
                let value = some_bits(&mut self.random, width);
                store.bit_vector(value)
            }
            None => {
                let value = self.chance(50);
                store.bool(value)
            }
        }
    }
}

/// Random bits of this width, often a bound, a power of two or a mask.
fn some_bits(random: &mut ChaCha8Rng, width: u32) -> BitVector {
    let bit = random.random_range(0..width);
    let power = BitVector::zero(width).with_bit(bit, true);
    match random.random_range(0..12) {
        0 => BitVector::zero(width),
        1 => BitVector::one(width),
        2 => BitVector::ones(width),
        3 => BitVector::min_signed(width),
        4 => BitVector::min_signed(width).not(),
        5 => power,
        6 => power.sub(&BitVector::one(width)),
        7 => power.neg(),
        8 => BitVector::from_u64(width, u64::from(width)),
        _ => BitVector::from_bits(width, |_| random.random()),
    }
}

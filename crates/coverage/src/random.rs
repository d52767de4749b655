//! Random predicates over the constants of a formula.
//!
//! Terms of bit-vector arithmetic, logic and comparison grow from the top, each along one branch down to a depth that
//! is drawn for it, 4 on average. Source: Dutra, Bachrach & Sen, *GuidedSampler* (FMCAD 2019), who draw them from a
//! grammar of the same operators.

use rand::Rng;
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashSet;
use sundry_term::{BitVector, Control, Op, SortId, SymbolId, TermId, TermStore};

use crate::predicates::Predicate;

/// Depths of predicates.
const DEPTHS: std::ops::RangeInclusive<u32> = 2..=6;

/// The greatest width at which products are drawn: circuits grow with its square.
const WIDEST_PRODUCT: u32 = 16;

/// The work of making a predicate, in the units of [`Control::spend`].
const WORK_OF_PREDICATE: u32 = 128;

/// Random predicates over these constants, called `p0`, `p1`, ... unless something else has these names. The same
/// seed gives the same predicates. The list is empty if there is no Boolean or bit-vector constant and no array of
/// bit-vectors, and shorter if the control stops the work.
pub fn random_predicates(
    store: &mut TermStore,
    symbols: &[SymbolId],
    count: usize,
    seed: u64,
    control: &Control,
) -> Vec<Predicate> {
    let mut generator =
        Generator { random: ChaCha8Rng::seed_from_u64(seed), bools: Vec::new(), words: Vec::new() };
    for &symbol in symbols {
        generator.add(store, symbol);
    }
    if generator.bools.is_empty() && generator.words.is_empty() {
        return Vec::new();
    }
    let taken: FxHashSet<String> =
        symbols.iter().map(|&symbol| store.symbol(symbol).name.to_string()).collect();
    let names = (0..).map(|number| format!("p{number}")).filter(|name| !taken.contains(name));
    names
        .take(count)
        .take_while(|_| control.spend(WORK_OF_PREDICATE).is_ok())
        .map(|name| {
            let depth = generator.random.random_range(DEPTHS);
            Predicate { name, term: generator.bool(store, depth) }
        })
        .collect()
}

struct Generator {
    random: ChaCha8Rng,
    /// Boolean constants.
    bools: Vec<TermId>,
    /// Bit-vector constants, and elements of arrays.
    words: Vec<TermId>,
}

impl Generator {
    fn add(&mut self, store: &mut TermStore, symbol: SymbolId) {
        let declared = store.symbol(symbol);
        if !declared.arguments.is_empty() {
            return;
        }
        let sort = declared.result;
        if sort == SortId::BOOL {
            self.bools.push(store.symbol_term(symbol));
        } else if store.bit_vec_width(sort).is_some() {
            self.words.push(store.symbol_term(symbol));
        } else if let Some((index, element)) = store.array_parts(sort)
            && let (Some(width), Some(_)) = (store.bit_vec_width(index), store.bit_vec_width(element))
        {
            let array = store.symbol_term(symbol);
            let place = BitVector::from_u64(width, self.random.random_range(0..4));
            let place = store.bit_vector(place);
            self.words.push(store.make(Op::Select, &[array, place]));
        }
    }

    /// A Boolean term of this depth.
    fn bool(&mut self, store: &mut TermStore, depth: u32) -> TermId {
        if depth == 0 || self.words.is_empty() && depth == 1 {
            return self.bool_leaf(store);
        }
        if self.words.is_empty() || depth > 1 && self.random.random_range(0..5) < 2 {
            let op = self.one_of(&[Op::Not, Op::And, Op::Or, Op::Xor, Op::Implies]);
            let deep = self.bool(store, depth - 1);
            if op == Op::Not {
                return store.make(op, &[deep]);
            }
            let other_depth = self.random.random_range(0..depth);
            let other = self.bool(store, other_depth);
            return self.pair(store, op, deep, other);
        }
        let op = self.one_of(&[Op::Equal, Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle]);
        let leaf = self.some_word();
        let width = store.width(leaf).expect("a bit-vector");
        let deep = self.word(store, width, depth - 1);
        let other_depth = self.random.random_range(0..depth);
        let other = self.word(store, width, other_depth);
        self.pair(store, op, deep, other)
    }

    fn bool_leaf(&mut self, store: &mut TermStore) -> TermId {
        if let Some(&term) = self.bools.choose(&mut self.random)
            && (self.words.is_empty() || self.random.random())
        {
            return term;
        }
        let word = self.some_word();
        let bit = self.random.random_range(0..store.width(word).expect("a bit-vector"));
        let bit = store.make(Op::Extract { high: bit, low: bit }, &[word]);
        let one = store.bit_vector(BitVector::one(1));
        store.make(Op::Equal, &[bit, one])
    }

    /// A bit-vector term of this width and depth.
    fn word(&mut self, store: &mut TermStore, width: u32, depth: u32) -> TermId {
        if depth == 0 {
            return self.word_leaf(store, width);
        }
        let mut ops = vec![
            Op::BvNot,
            Op::BvNeg,
            Op::BvAnd,
            Op::BvOr,
            Op::BvXor,
            Op::BvAdd,
            Op::BvSub,
            Op::BvShl,
            Op::BvLshr,
            Op::BvAshr,
            Op::Ite,
        ];
        if width <= WIDEST_PRODUCT {
            ops.push(Op::BvMul);
        }
        let op = self.one_of(&ops);
        let deep = self.word(store, width, depth - 1);
        match op {
            Op::BvNot | Op::BvNeg => store.make(op, &[deep]),
            Op::Ite => {
                let condition_depth = self.random.random_range(0..depth);
                let condition = self.bool(store, condition_depth);
                let other = self.word_leaf(store, width);
                store.make(op, &[condition, deep, other])
            }
            _ => {
                let other_depth = self.random.random_range(0..depth);
                let other = self.word(store, width, other_depth);
                self.pair(store, op, deep, other)
            }
        }
    }

    /// A constant of this width, or made so wide, or a literal.
    fn word_leaf(&mut self, store: &mut TermStore, width: u32) -> TermId {
        if self.random.random_range(0..4) == 0 {
            let value = BitVector::from_bits(width, |_| self.random.random());
            return store.bit_vector(value);
        }
        let fitting: Vec<TermId> =
            self.words.iter().copied().filter(|&word| store.width(word) == Some(width)).collect();
        if let Some(&word) = fitting.choose(&mut self.random)
            && self.random.random_range(0..4) > 0
        {
            return word;
        }
        let word = self.some_word();
        let own = store.width(word).expect("a bit-vector");
        match own.cmp(&width) {
            std::cmp::Ordering::Equal => word,
            std::cmp::Ordering::Greater => {
                let low = self.random.random_range(0..=own - width);
                store.make(Op::Extract { high: low + width - 1, low }, &[word])
            }
            std::cmp::Ordering::Less => {
                let by = width - own;
                let op = self.one_of(&[Op::ZeroExtend(by), Op::SignExtend(by)]);
                store.make(op, &[word])
            }
        }
    }

    fn some_word(&mut self) -> TermId {
        *self.words.choose(&mut self.random).expect("there is a word")
    }

    /// Two operands in a random order.
    fn pair(&mut self, store: &mut TermStore, op: Op, left: TermId, right: TermId) -> TermId {
        let arguments = if self.random.random() { [left, right] } else { [right, left] };
        store.make(op, &arguments)
    }

    fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        *choices.choose(&mut self.random).expect("there is a choice")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of operators on the longest path down to a leaf.
    fn depth(store: &TermStore, term: TermId) -> u32 {
        let below = store.args(term).iter().map(|&below| depth(store, below) + 1);
        match store.op(term) {
            Op::Extract { .. } | Op::ZeroExtend(_) | Op::SignExtend(_) | Op::Select => 0,
            Op::Equal if store.width(store.args(term)[0]) == Some(1) => 0,
            _ => below.max().unwrap_or(0),
        }
    }

    #[test]
    fn predicates_have_the_depth_of_the_paper_and_follow_from_the_seed() {
        let mut store = TermStore::new();
        let (byte, word) =
            (store.bit_vec_sort(8).expect("a width"), store.bit_vec_sort(33).expect("a width"));
        let array = store.array_sort(byte, word);
        let symbols: Vec<SymbolId> =
            [("p", SortId::BOOL), ("x", byte), ("y", word), ("z", byte), ("a", array)]
                .map(|(name, sort)| store.declare(name, &[], sort))
                .to_vec();
        let predicates = random_predicates(&mut store, &symbols, 400, 1, &Control::default());
        assert!(predicates.iter().all(|predicate| store.is_bool(predicate.term)));
        let depths: u32 = predicates.iter().map(|predicate| depth(&store, predicate.term)).sum();
        let mean = f64::from(depths) / 400.0;
        assert!((3.5..4.5).contains(&mean), "{mean}");
        assert_eq!(random_predicates(&mut store, &symbols, 400, 1, &Control::default()), predicates);
        assert_ne!(random_predicates(&mut store, &symbols, 400, 2, &Control::default()), predicates);
        let bools = random_predicates(&mut store, &symbols[..1], 10, 1, &Control::default());
        assert!(bools.iter().all(|predicate| store.is_bool(predicate.term)));
        assert_eq!(random_predicates(&mut store, &[], 10, 1, &Control::default()), []);
    }
}

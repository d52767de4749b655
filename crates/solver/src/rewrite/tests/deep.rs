//! Terms that are very deep or very wide: no overflow of the stack, and time that grows with the
//! size only.

use std::time::{Duration, Instant};

use sundry_term::{BitVector, Op, SortId, TermId, TermStore};

use super::{Rewriter, rewrite_all};

const DEPTH: usize = 100_000;

/// Far more than it takes, far less than quadratic behaviour would.
const LIMIT: Duration = Duration::from_secs(60);

/// Symbols of the sorts that chains are made of.
struct Symbols {
    bools: [TermId; 3],
    words: [TermId; 3],
    array: TermId,
}

impl Symbols {
    fn new(store: &mut TermStore) -> Symbols {
        let word = store.bit_vec_sort(16).unwrap();
        let array = store.array_sort(word, word);
        let mut declare = |name: &str, sort| {
            let symbol = store.declare(name, &[], sort);
            store.symbol_term(symbol)
        };
        Symbols {
            bools: ["p", "q", "r"].map(|name| declare(name, SortId::BOOL)),
            words: ["x", "y", "z"].map(|name| declare(name, word)),
            array: declare("a", array),
        }
    }
}

fn rewrites_a_chain(
    step: impl Fn(&mut TermStore, &Symbols, TermId, usize) -> TermId,
    start: fn(&Symbols) -> TermId,
) {
    let mut store = TermStore::new();
    let symbols = Symbols::new(&mut store);
    let mut chain = start(&symbols);
    for number in 0..DEPTH {
        chain = step(&mut store, &symbols, chain, number);
    }
    let size = store.reachable(&[chain]).len();
    let begin = Instant::now();
    let result = rewrite_all(&mut store, &mut Rewriter::default(), &[chain])[0];
    assert!(begin.elapsed() < LIMIT, "{:?} for {size} terms", begin.elapsed());
    assert!(store.reachable(&[result]).len() <= 8 * size);
}

#[test]
fn chains_of_connectives() {
    for op in [Op::And, Op::Or, Op::Xor, Op::Implies, Op::Equal] {
        rewrites_a_chain(
            |store, symbols, chain, number| store.make(op, &[symbols.bools[number % 3], chain]),
            |symbols| symbols.bools[0],
        );
    }
}

#[test]
fn alternating_connectives() {
    rewrites_a_chain(
        |store, symbols, chain, number| {
            let op = [Op::And, Op::Or, Op::Xor][number % 3];
            let fresh = store.declare("s", &[], SortId::BOOL);
            let fresh = store.symbol_term(fresh);
            let not = store.make(Op::Not, &[chain]);
            let chain = store.make(op, &[not, fresh]);
            store.make(Op::Ite, &[symbols.bools[number % 2], chain, fresh])
        },
        |symbols| symbols.bools[0],
    );
}

#[test]
fn chains_of_bit_vector_operators() {
    use Op::*;
    for op in [BvAnd, BvOr, BvXor, BvXnor, BvAdd, BvSub, BvMul, BvUdiv, BvUrem, BvSrem, BvShl, BvAshr] {
        rewrites_a_chain(
            |store, symbols, chain, number| store.make(op, &[chain, symbols.words[number % 3]]),
            |symbols| symbols.words[0],
        );
    }
}

#[test]
fn chains_with_literals() {
    use Op::*;
    for op in [BvAnd, BvXor, BvAdd, BvMul] {
        rewrites_a_chain(
            |store, symbols, chain, number| {
                let literal = store.bit_vector(BitVector::from_u64(16, number as u64 * 40503));
                let inner = store.make(op, &[literal, chain]);
                let condition = store.make(BvUlt, &[inner, literal]);
                store.make(Ite, &[condition, inner, symbols.words[1]])
            },
            |symbols| symbols.words[0],
        );
    }
}

#[test]
fn chains_of_slices_and_extensions() {
    rewrites_a_chain(
        |store, symbols, chain, number| {
            let high = store.make(Op::Extract { high: 15, low: 9 }, &[chain]);
            let low = store.make(Op::Extract { high: 9, low: 1 }, &[chain]);
            match number % 3 {
                0 => store.make(Op::Concat, &[low, high]),
                1 => store.make(Op::ZeroExtend(9), &[high]),
                _ => {
                    let extended = store.make(Op::SignExtend(7), &[low]);
                    store.make(Op::BvXor, &[extended, symbols.words[0]])
                }
            }
        },
        |symbols| symbols.words[0],
    );
}

#[test]
fn chains_of_choices() {
    rewrites_a_chain(
        |store, symbols, chain, number| {
            let literal = store.bit_vector(BitVector::from_u64(16, number as u64));
            let condition = store.make(Op::Equal, &[chain, literal]);
            store.make(Op::Ite, &[condition, symbols.words[number % 3], chain])
        },
        |symbols| symbols.words[0],
    );
}

#[test]
fn chains_of_writes_that_are_read() {
    rewrites_a_chain(
        |store, symbols, chain, number| {
            let index = store.bit_vector(BitVector::from_u64(16, number as u64));
            let element = store.make(Op::Select, &[chain, symbols.words[number % 3]]);
            store.make(Op::Store, &[chain, index, element])
        },
        |symbols| symbols.array,
    );
}

#[test]
fn wide_applications() {
    let mut store = TermStore::new();
    let word = store.bit_vec_sort(16).unwrap();
    let bit = store.bit_vec_sort(1).unwrap();
    let many = |sort, store: &mut TermStore| -> Vec<TermId> {
        let symbols = (0..DEPTH).map(|_| store.declare("s", &[], sort)).collect::<Vec<_>>();
        symbols.into_iter().map(|symbol| store.symbol_term(symbol)).collect()
    };
    let (bools, words, bits) =
        (many(SortId::BOOL, &mut store), many(word, &mut store), many(bit, &mut store));
    let applications = [
        (Op::And, &bools),
        (Op::Or, &bools),
        (Op::Xor, &bools),
        (Op::Implies, &bools),
        (Op::Equal, &words),
        (Op::Distinct, &words),
        (Op::BvAnd, &words),
        (Op::BvXor, &words),
        (Op::BvAdd, &words),
        (Op::BvMul, &words),
        (Op::BvAnd, &bits),
        (Op::Concat, &bits),
    ];
    for (op, arguments) in applications {
        let term = store.make(op, arguments);
        let begin = Instant::now();
        let result = rewrite_all(&mut store, &mut Rewriter::default(), &[term])[0];
        assert!(begin.elapsed() < LIMIT, "{op:?}: {:?}", begin.elapsed());
        assert!(store.reachable(&[result]).len() <= 8 * DEPTH, "{op:?}");
    }
}

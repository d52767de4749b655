//! Random formulas: rewriting keeps the value of every term, ends in normal forms, and does not
//! make formulas larger.

use std::collections::BTreeMap;
use std::sync::Arc;

use dashu_ratio::RBig;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sundry_smtlib::print_term;
use sundry_term::{
    BitVector, ChosenResults, Evaluator, Float, FloatFormat, FloatOp, Model, Op, RoundingMode, Sort, SortId,
    SymbolId, TermId, TermStore, Value,
};
use sundry_testing::generate::{Generator, Options, random_model};

use super::{Rewriter, rewrite_all};
use crate::rewrite::Rule;

/// Formulas and models for each of them.
const FORMULAS: u64 = 4000;
const MODELS: u64 = 12;

/// The rules on floating point.
const OF_FLOATS: [Rule; 9] = [
    Rule::FloatOrder,
    Rule::FloatDifference,
    Rule::FloatSigns,
    Rule::FloatClass,
    Rule::FloatToLess,
    Rule::FloatSame,
    Rule::FloatSameExtremes,
    Rule::FloatSameFormat,
    Rule::FloatUnit,
];

/// A store with a random formula, and everything that was made on the way to it.
fn random_terms(seed: u64, options: Options) -> (TermStore, Vec<TermId>) {
    let mut store = TermStore::new();
    Generator::new(&mut store, seed, options).formula(&mut store);
    let terms = (0..store.term_count()).map(TermId::new).collect();
    (store, terms)
}

/// Rewrites terms, and compares them with the results under models. What has rewritten them.
fn keeps_values(
    store: &mut TermStore,
    terms: &[TermId],
    what: &str,
    mut model: impl FnMut(&TermStore) -> Model,
) -> Rewriter {
    let mut rewriter = Rewriter::default();
    let normal = rewrite_all(store, &mut rewriter, terms);
    for _ in 0..MODELS {
        let model = model(store);
        let mut evaluator = Evaluator::new(store, &model);
        evaluator.evaluate(terms).unwrap();
        evaluator.evaluate(&normal).unwrap();
        for (&before, &after) in terms.iter().zip(&normal) {
            assert_eq!(store.sort_of(before), store.sort_of(after), "{what}: {before:?}");
            assert_eq!(
                evaluator.value(before),
                evaluator.value(after),
                "{what}: {}\nbecame {}",
                print_term(store, before),
                print_term(store, after),
            );
        }
    }
    rewriter
}

#[test]
fn random_terms_keep_their_values() {
    let mut counts: BTreeMap<Rule, u64> = BTreeMap::new();
    for seed in 0..FORMULAS {
        let (mut store, terms) = random_terms(seed, Options::default());
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let model = |store: &TermStore| random_model(store, &terms, &mut random);
        let rewriter = keeps_values(&mut store, &terms, &format!("seed {seed}"), model);
        for &rule in Rule::ALL {
            *counts.entry(rule).or_default() += rewriter.count(rule);
        }
    }
    let has_words = |rule: &Rule| !OF_FLOATS.contains(rule);
    let never: Vec<Rule> =
        Rule::ALL.iter().copied().filter(|rule| counts[rule] == 0 && has_words(rule)).collect();
    assert!(never.len() <= 3, "rules that random formulas never need: {never:?}");
}

/// Random applications of floating-point operators to symbols and to one another.
fn float_terms(random: &mut ChaCha8Rng) -> (TermStore, Vec<TermId>, Vec<SymbolId>) {
    use FloatOp::*;
    let mut store = TermStore::new();
    let format = FloatFormat::new(3, 4).expect("a legal format");
    let sort = store.intern_sort(Sort::Float(format)).expect("a legal sort");
    let symbols: Vec<SymbolId> = ["x", "y"].map(|name| store.declare(name, &[], sort)).into();
    let mut values: Vec<TermId> = symbols.iter().map(|&symbol| store.symbol_term(symbol)).collect();
    let modes = RoundingMode::ALL.map(|mode| store.constant(Value::RoundingMode(mode)));
    let one = Float::from_rational(format, &RBig::ONE, RoundingMode::TowardZero);
    for literal in [Float::zero(format, true), one.neg(), one] {
        values.push(store.constant(Value::Float(Arc::new(literal))));
    }
    let mut terms = values.clone();
    for _ in 0..30 {
        let mode = *modes.choose(random).expect("some");
        let [a, b, c] = std::array::from_fn(|_| *values.choose(random).expect("some"));
        let value = match random.random_range(0..12) {
            0 => store.make(Op::Float(Add), &[mode, a, b]),
            1 => store.make(Op::Float(Sub), &[mode, a, b]),
            2 => store.make(Op::Float(Mul), &[mode, a, b]),
            3 => store.make(Op::Float(Fma), &[mode, a, b, c]),
            4 => store.make(Op::Float(Div), &[mode, a, b]),
            5 | 6 => store.make(Op::Float(Neg), &[a]),
            7 | 8 => store.make(Op::Float(Abs), &[a]),
            9 => store.make(Op::Float(Max), &[a, b]),
            10 => store.make(Op::Float(Min), &[a, a]),
            _ => store.make(Op::Float(ToFp(format)), &[mode, a]),
        };
        values.push(value);
        terms.push(value);
        let relation = *[Lt, Leq, Gt, Geq, Eq].choose(random).expect("some");
        let count = random.random_range(2..=3);
        terms.push(store.make(Op::Float(relation), &[a, b, c][3 - count..]));
        let class =
            *[IsNan, IsZero, IsInfinite, IsNormal, IsSubnormal, IsNegative].choose(random).expect("some");
        terms.push(store.make(Op::Float(class), &[value]));
    }
    (store, terms, symbols)
}

#[test]
fn float_terms_keep_their_values() {
    let mut counts: BTreeMap<Rule, u64> = BTreeMap::new();
    for seed in 0..FORMULAS / 8 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let (mut store, terms, symbols) = float_terms(&mut random);
        let format = FloatFormat::new(3, 4).expect("a legal format");
        let model = |_: &TermStore| {
            let mut model = Model::new();
            model.set_chosen_results(ChosenResults::default());
            for &symbol in &symbols {
                let bits = BitVector::from_u64(format.width(), random.random_range(0..1 << format.width()));
                model.set_constant(symbol, Value::Float(Arc::new(Float::from_bits(format, &bits))));
            }
            model
        };
        let rewriter = keeps_values(&mut store, &terms, &format!("seed {seed}"), model);
        OF_FLOATS.iter().for_each(|&rule| *counts.entry(rule).or_default() += rewriter.count(rule));
    }
    assert!(counts.values().all(|&count| count > 0), "rules that random terms never need: {counts:?}");
}

/// Conjunctions, disjunctions, sums of up to 40 members, of symbols and of one another; and what the symbols usually
/// are, so that none of the former is decided by chance.
fn wide_terms(
    random: &mut ChaCha8Rng,
    width: Option<u32>,
) -> (TermStore, Vec<TermId>, Vec<(SymbolId, bool)>) {
    let mut store = TermStore::new();
    let (sort, not, ops): (SortId, Op, &[Op]) = match width {
        None => (SortId::BOOL, Op::Not, &[Op::And, Op::Or, Op::And, Op::Or, Op::Xor, Op::Equal]),
        Some(width) => {
            let sort = store.bit_vec_sort(width).unwrap();
            (sort, Op::BvNot, &[Op::BvAnd, Op::BvOr, Op::BvAnd, Op::BvOr, Op::BvXor, Op::BvAdd])
        }
    };
    let symbols: Vec<(SymbolId, bool)> =
        (0..40).map(|_| (store.declare("s", &[], sort), random.random())).collect();
    let mut terms: Vec<TermId> = symbols
        .iter()
        .map(|&(symbol, is_usual)| {
            let term = store.symbol_term(symbol);
            if is_usual { term } else { store.make(not, &[term]) }
        })
        .collect();
    for _ in 0..12 {
        let count = random.random_range(2..=40);
        let mut members: Vec<TermId> = terms.choose_multiple(random, count).copied().collect();
        // What was made last, nearly always: so they are nested.
        members.extend(terms.last());
        let op = *ops.choose(random).expect("some");
        let made = store.make(op, &members);
        let made = if random.random() { made } else { store.make(not, &[made]) };
        terms.push(made);
    }
    (store, terms, symbols)
}

/// Rules bound how many members they look at: what is beyond must not get lost.
#[test]
fn wide_terms_keep_their_values() {
    for seed in 0..FORMULAS / 4 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let width = if seed % 2 == 0 { None } else { Some(3) };
        let (mut store, terms, symbols) = wide_terms(&mut random, width);
        let model = |_: &TermStore| {
            let mut model = Model::new();
            for &(symbol, usual) in &symbols {
                let mut bit = || usual ^ (random.random_range(0..40) == 0);
                model.set_constant(
                    symbol,
                    match width {
                        None => Value::Bool(bit()),
                        Some(width) => Value::BitVec(BitVector::from_bits(width, |_| bit())),
                    },
                );
            }
            model
        };
        keeps_values(&mut store, &terms, &format!("seed {seed}"), model);
    }
}

/// Rewriting leaves results alone, but for a few terms: rules bound how far they look, so a chain of them may end
/// early.
#[test]
fn results_are_normal() {
    let (mut all, mut changed) = (0, 0);
    for seed in 0..FORMULAS {
        let (mut store, terms) = random_terms(seed, Options::default());
        let normal = rewrite_all(&mut store, &mut Rewriter::default(), &terms);
        let results = store.reachable(&normal);
        let again = rewrite_all(&mut store, &mut Rewriter::default(), &results);
        all += results.len();
        changed += results.iter().zip(&again).filter(|(before, after)| before != after).count();
    }
    assert!(changed * 1000 <= all, "{changed} of {all} terms change when rewritten again");
}

/// Rewriting makes no formula much larger, and most of them smaller.
#[test]
fn results_are_not_larger() {
    let (mut all_before, mut all_after) = (0, 0);
    for seed in 0..FORMULAS {
        let (mut store, terms) = random_terms(seed, Options { operations: 100, ..Options::default() });
        let root = *terms.last().expect("a formula");
        let before = store.reachable(&[root]).len();
        let normal = rewrite_all(&mut store, &mut Rewriter::default(), &[root]);
        let after = store.reachable(&normal).len();
        assert!(after <= 3 * before + 20, "seed {seed}: {before} terms became {after}");
        all_before += before;
        all_after += after;
    }
    assert!(all_after < all_before, "{all_before} terms became {all_after}");
}

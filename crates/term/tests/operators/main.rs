//! The evaluator on every operator of Core, bit-vectors and arrays.
//!
//! Values are compared with definitions on machine integers that share no code with the evaluator ([`meaning`]): all
//! values at small widths, random ones up to 64 bits. The operators come from [`Op::plain`].

mod meaning;

use proptest::prelude::*;
use sundry_term::{
    Evaluator, Model, Op, SortId, SymbolId, TermId, TermStore, TheoryName, Value, evaluate, evaluate_operator,
};

use meaning::{binary, bits, unary};

/// The operators of Core, bit-vectors and arrays that have no indices.
fn plain_operators() -> impl Iterator<Item = Op> {
    let tested = [TheoryName::Core, TheoryName::BitVectors, TheoryName::Arrays];
    Op::plain().iter().copied().filter(move |op| tested.contains(&op.theory()))
}

/// The plain operators that apply to `count` bit-vectors of one width.
fn plain_on_bit_vectors(count: usize) -> Vec<Op> {
    let mut s = Symbols::bit_vectors(count, 4);
    let terms = s.terms.clone();
    plain_operators().filter(|&op| s.store.term(op, &terms).is_ok()).collect()
}

fn binary_operators() -> Vec<Op> {
    plain_on_bit_vectors(2)
}

/// The one-place operators, with indices that `w` bits have.
fn unary_operators(w: u32) -> Vec<Op> {
    use Op::*;
    let mut operators = plain_on_bit_vectors(1);
    operators.extend((0..w).flat_map(|high| (0..=high).map(move |low| Extract { high, low })));
    operators.extend((1..4).map(Repeat));
    operators
        .extend((0..10).flat_map(|by| [ZeroExtend(by), SignExtend(by), RotateLeft(by), RotateRight(by)]));
    operators
}

struct Symbols {
    store: TermStore,
    sort: SortId,
    symbols: Vec<SymbolId>,
    terms: Vec<TermId>,
}

impl Symbols {
    /// `count` constants of bit-vectors of this width.
    fn bit_vectors(count: usize, width: u32) -> Symbols {
        let mut store = TermStore::new();
        let sort = store.bit_vec_sort(width).unwrap();
        Self::declare(store, count, sort)
    }

    fn declare(mut store: TermStore, count: usize, sort: SortId) -> Symbols {
        let symbols: Vec<_> = (0..count).map(|i| store.declare(&format!("x{i}"), &[], sort)).collect();
        let terms = symbols.iter().map(|&symbol| store.symbol_term(symbol)).collect();
        Symbols { store, sort, symbols, terms }
    }

    fn model(&self, values: impl IntoIterator<Item = Value>) -> Model {
        let mut model = Model::new();
        for (&symbol, value) in self.symbols.iter().zip(values) {
            model.set_constant(symbol, value);
        }
        model
    }

    fn value(&self, term: TermId, values: impl IntoIterator<Item = Value>) -> Value {
        evaluate(&self.store, &self.model(values), term).unwrap()
    }
}

#[test]
fn two_place_operators_exhaustively() {
    for w in 1..=4 {
        let mut s = Symbols::bit_vectors(2, w);
        let terms = s.terms.clone();
        let operators = binary_operators();
        let applications: Vec<TermId> = operators.iter().map(|&op| s.store.make(op, &terms)).collect();
        for a in 0..1 << w {
            for b in 0..1 << w {
                let model = s.model([bits(w, a), bits(w, b)]);
                let mut evaluator = Evaluator::new(&s.store, &model);
                evaluator.evaluate(&applications).unwrap();
                for (&op, &term) in operators.iter().zip(&applications) {
                    assert_eq!(
                        evaluator.value(term),
                        Some(&binary(op, w, a, b)),
                        "{op:?} {a} {b} of {w} bits"
                    );
                }
            }
        }
    }
}

#[test]
fn one_place_operators_exhaustively() {
    for w in 1..=5 {
        let mut s = Symbols::bit_vectors(1, w);
        for op in unary_operators(w) {
            let term = s.store.make(op, &s.terms);
            for a in 0..1 << w {
                assert_eq!(s.value(term, [bits(w, a)]), unary(op, w, a), "{op:?} {a} of {w} bits");
            }
        }
    }
}

#[test]
fn left_associative_operators() {
    use Op::*;
    for op in [BvAnd, BvOr, BvXor, BvXnor, BvAdd, BvSub, BvMul, Concat] {
        let w = 2;
        let mut s = Symbols::bit_vectors(4, w);
        let terms = s.terms.clone();
        let application = s.store.make(op, &terms);
        let nested = terms[1..].iter().fold(terms[0], |left, &right| s.store.make(op, &[left, right]));
        assert_ne!(application, nested);
        for all in 0..1u128 << (4 * w) {
            let values = || (0..4).map(|i| bits(w, all >> (i * w) & 3));
            assert_eq!(s.value(application, values()), s.value(nested, values()), "{op:?} {all}");
        }
    }
}

#[test]
fn equality_is_chainable_and_distinctness_pairwise() {
    for count in 2..=4 {
        let w = 2;
        let mut s = Symbols::bit_vectors(count, w);
        let terms = s.terms.clone();
        let equal = s.store.make(Op::Equal, &terms);
        let distinct = s.store.make(Op::Distinct, &terms);
        for all in 0..1u128 << (count as u32 * w) {
            let numbers: Vec<u128> = (0..count as u32).map(|i| all >> (i * w) & 3).collect();
            let values = || numbers.iter().map(|&number| bits(w, number));
            let chain = numbers.windows(2).all(|pair| pair[0] == pair[1]);
            let pairwise = (0..count).all(|i| (0..i).all(|j| numbers[i] != numbers[j]));
            assert_eq!(s.value(equal, values()), Value::Bool(chain));
            assert_eq!(s.value(distinct, values()), Value::Bool(pairwise));
        }
    }
}

#[test]
fn truth_functions_exhaustively() {
    for count in 1..=4 {
        let mut s = Symbols::declare(TermStore::new(), count, SortId::BOOL);
        let terms = s.terms.clone();
        let mut check = |op: Op, meaning: &dyn Fn(&[bool]) -> bool| {
            let Ok(term) = s.store.term(op, &terms) else { return 0 };
            for all in 0..1u32 << count {
                let inputs: Vec<bool> = (0..count).map(|i| all >> i & 1 == 1).collect();
                let value = s.value(term, inputs.iter().map(|&input| Value::Bool(input)));
                assert_eq!(value, Value::Bool(meaning(&inputs)), "{op:?} {inputs:?}");
            }
            1
        };
        let checked = check(Op::Not, &|v| !v[0])
            + check(Op::And, &|v| !v.contains(&false))
            + check(Op::Or, &|v| v.contains(&true))
            + check(Op::Xor, &|v| v.iter().filter(|&&value| value).count() % 2 == 1)
            // a => (b => (c => d))
            + check(Op::Implies, &|v| v[..v.len() - 1].contains(&false) || v[v.len() - 1])
            + check(Op::Equal, &|v| !v.contains(&true) || !v.contains(&false))
            + check(Op::Distinct, &|v| v.len() == 2 && v[0] != v[1])
            + check(Op::Ite, &|v| if v[0] { v[1] } else { v[2] });
        assert_eq!(checked, [3, 6, 7, 6][count - 1], "operators on {count} truth values");
    }
}

/// Besides the operators on bit-vectors there are those on truth values, which have their tests here, and those on
/// arrays, which have theirs in `arrays.rs`.
#[test]
fn every_named_operator_is_covered() {
    use Op::*;
    let on_bit_vectors = [plain_on_bit_vectors(1), plain_on_bit_vectors(2)].concat();
    let (on_bit_vectors, others): (Vec<Op>, Vec<Op>) =
        plain_operators().partition(|op| on_bit_vectors.contains(op));
    assert_eq!(others, [Not, And, Or, Xor, Implies, Ite, Select, Store]);
    assert_eq!(on_bit_vectors.len(), 46);
    for op in plain_operators() {
        assert_eq!(Op::from_name(op.name()), Some(op));
    }
    assert_eq!(Op::from_name("literal"), None);
    assert_eq!(Op::from_indexed_name("extract", &[7, 4]), Some(Extract { high: 7, low: 4 }));
    assert_eq!(Op::from_indexed_name("extract", &[7]), None);
}

#[test]
fn if_then_else_over_every_sort() {
    let mut store = TermStore::new();
    let declaration = store.declare_sort("S", 0);
    let uninterpreted =
        store.intern_sort(sundry_term::Sort::Uninterpreted { declaration, arguments: [].into() }).unwrap();
    let byte = store.bit_vec_sort(8).unwrap();
    let array = store.array_sort(byte, uninterpreted);
    for sort in [SortId::BOOL, byte, uninterpreted, array] {
        let mut s = Symbols::declare(store.clone(), 2, sort);
        let condition = s.store.declare("c", &[], SortId::BOOL);
        let condition_term = s.store.symbol_term(condition);
        let ite = s.store.make(Op::Ite, &[condition_term, s.terms[0], s.terms[1]]);
        let first = match s.sort {
            SortId::BOOL => Value::Bool(true),
            sort if sort == byte => bits(8, 7),
            sort if sort == uninterpreted => Value::Uninterpreted { sort, index: 3 },
            _ => {
                let element = Value::Uninterpreted { sort: uninterpreted, index: 9 };
                Value::Array(
                    Value::default_of(&s.store, array).as_array().unwrap().store(bits(8, 1), element),
                )
            }
        };
        let second = Value::default_of(&s.store, sort);
        assert_ne!(first, second);
        for choice in [true, false] {
            let mut model = s.model([first.clone(), second.clone()]);
            model.set_constant(condition, Value::Bool(choice));
            let expected = if choice { &first } else { &second };
            assert_eq!(evaluate(&s.store, &model, ite).as_ref(), Ok(expected));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn two_place_operators_up_to_64_bits(w in 1u32..=64, a in any::<u64>(), b in any::<u64>(), shift in 0u32..64) {
        let mut s = Symbols::bit_vectors(2, w);
        let operators = binary_operators();
        let cut = |number: u64| u128::from(number) & ((1 << w) - 1);
        // A small second operand makes shifts and quotients interesting.
        for (a, b) in [(cut(a), cut(b)), (cut(a), cut(b >> shift)), (cut(a), cut(a))] {
            let model = s.model([bits(w, a), bits(w, b)]);
            for &op in &operators {
                // Twice the width is more than the definitions here can compute.
                let beyond = op == Op::Concat && w > 32;
                if !beyond {
                    let term = s.store.make(op, &s.terms);
                    let value = evaluate(&s.store, &model, term).unwrap();
                    prop_assert_eq!(value, binary(op, w, a, b), "{:?} {} {} of {} bits", op, a, b, w);
                }
            }
        }
    }
}

/// Folding of constants goes by the same definitions as evaluating terms.
#[test]
fn operators_apply_to_values_without_terms() {
    let store = TermStore::new();
    for (a, b) in [(0, 0), (3, 1), (2, 3)] {
        for op in binary_operators() {
            let value = evaluate_operator(&store, op, &[&bits(2, a), &bits(2, b)]);
            assert_eq!(value, Ok(binary(op, 2, a, b)), "{op:?} {a} {b}");
        }
    }
    let [yes, no] = [true, false].map(Value::Bool);
    assert_eq!(evaluate_operator(&store, Op::Implies, &[&yes, &yes, &no]), Ok(no));
}

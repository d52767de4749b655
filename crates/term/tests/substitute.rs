//! Substitution: simultaneous, sharing, and safe on deep terms.

use rustc_hash::FxHashMap;
use sundry_term::{BitVector, Op, SortError, SortId, TermId, TermStore, substitute};

fn replacements<const N: usize>(pairs: [(TermId, TermId); N]) -> FxHashMap<TermId, TermId> {
    FxHashMap::from_iter(pairs)
}

fn bytes<const N: usize>(names: [&str; N]) -> (TermStore, [TermId; N]) {
    let mut store = TermStore::new();
    let byte = store.bit_vec_sort(8).unwrap();
    let terms = names.map(|name| {
        let symbol = store.declare(name, &[], byte);
        store.symbol_term(symbol)
    });
    (store, terms)
}

#[test]
fn replacement_is_simultaneous() {
    let (mut store, [x, y]) = bytes(["x", "y"]);
    let difference = store.make(Op::BvSub, &[x, y]);
    let swapped = substitute(&mut store, difference, &replacements([(x, y), (y, x)])).unwrap();
    assert_eq!(swapped, store.make(Op::BvSub, &[y, x]));
}

#[test]
fn larger_terms_are_replaced_as_a_whole() {
    let (mut store, [x, y, z]) = bytes(["x", "y", "z"]);
    let sum = store.make(Op::BvAdd, &[x, y]);
    let product = store.make(Op::BvMul, &[sum, x]);
    let result = substitute(&mut store, product, &replacements([(sum, z), (x, y)])).unwrap();
    assert_eq!(result, store.make(Op::BvMul, &[z, y]));
    assert_eq!(substitute(&mut store, product, &replacements([(product, x)])), Ok(x));
}

#[test]
fn a_replacement_may_contain_what_it_replaces() {
    let (mut store, [x, y]) = bytes(["x", "y"]);
    let sum = store.make(Op::BvAdd, &[x, y]);
    let result = substitute(&mut store, sum, &replacements([(x, sum)])).unwrap();
    assert_eq!(result, store.make(Op::BvAdd, &[sum, y]));
}

#[test]
fn unaffected_terms_keep_their_identity() {
    let (mut store, [x, y, z]) = bytes(["x", "y", "z"]);
    let sum = store.make(Op::BvAdd, &[x, y]);
    let count = store.term_count();
    assert_eq!(substitute(&mut store, sum, &replacements([(z, x)])), Ok(sum));
    assert_eq!(substitute(&mut store, sum, &replacements([])), Ok(sum));
    assert_eq!(store.term_count(), count);
}

#[test]
fn other_sorts_are_refused() {
    let (mut store, [x, y]) = bytes(["x", "y"]);
    let equal = store.make(Op::Equal, &[x, x]);
    let wide = store.bit_vector(BitVector::zero(9));
    let error = SortError::Replacement { expected: "(_ BitVec 8)".into(), found: "(_ BitVec 9)".into() };
    assert_eq!(
        error.to_string(),
        "a term of sort (_ BitVec 8) cannot be replaced by one of sort (_ BitVec 9)"
    );
    assert_eq!(substitute(&mut store, equal, &replacements([(x, wide)])), Err(error));
    // A replacement that does not occur does no harm.
    assert_eq!(substitute(&mut store, equal, &replacements([(y, wide)])), Ok(equal));
}

#[test]
fn deep_terms() {
    let (mut store, [x, y]) = bytes(["x", "y"]);
    let (mut over_x, mut over_y) = (x, y);
    for _ in 0..100_000 {
        over_x = store.make(Op::BvNot, &[over_x]);
        over_y = store.make(Op::BvNot, &[over_y]);
    }
    assert_eq!(substitute(&mut store, over_x, &replacements([(x, y)])), Ok(over_y));
}

#[test]
fn parameters_of_a_body_are_replaced_by_arguments() {
    let (mut store, [x]) = bytes(["x"]);
    let parameter = store.parameter("p", SortId::BOOL);
    let parameter = store.symbol_term(parameter);
    let body = store.make(Op::Not, &[parameter]);
    let argument = store.make(Op::Equal, &[x, x]);
    let result = substitute(&mut store, body, &replacements([(parameter, argument)])).unwrap();
    assert_eq!(result, store.make(Op::Not, &[argument]));
}

//! The store: identity of terms and sorts, and every complaint about ill-sorted applications.

use sundry_term::{
    BitVector, MAX_SORT_DEPTH, MAX_SORT_PARTS, MAX_WIDTH, Op, Sort, SortDisplay, SortError, SortId, TermId,
    TermStore, Value, quote_symbol,
};

struct Fixture {
    store: TermStore,
    byte: SortId,
    array: SortId,
    yes: TermId,
    x: TermId,
    y: TermId,
    bit: TermId,
    a: TermId,
}

fn fixture() -> Fixture {
    let mut store = TermStore::new();
    let byte = store.bit_vec_sort(8).unwrap();
    let single = store.bit_vec_sort(1).unwrap();
    let array = store.array_sort(byte, SortId::BOOL);
    let yes = store.bool(true);
    let [x, y, bit, a] = [("x", byte), ("y", byte), ("bit", single), ("a", array)].map(|(name, sort)| {
        let symbol = store.declare(name, &[], sort);
        store.symbol_term(symbol)
    });
    Fixture { store, byte, array, yes, x, y, bit, a }
}

#[test]
fn equal_applications_are_one_term() {
    let Fixture { mut store, x, y, .. } = fixture();
    let sum = store.make(Op::BvAdd, &[x, y]);
    let count = store.term_count();
    assert_eq!(store.make(Op::BvAdd, &[x, y]), sum);
    assert_eq!(store.term_count(), count);
    assert_ne!(store.make(Op::BvAdd, &[y, x]), sum, "nothing is simplified");
    assert_ne!(store.make(Op::BvSub, &[x, y]), sum);
    let low = store.make(Op::Extract { high: 3, low: 0 }, &[x]);
    assert_ne!(store.make(Op::Extract { high: 4, low: 0 }, &[x]), low);
    assert_eq!((store.op(sum), store.args(sum), store.width(sum)), (Op::BvAdd, &[x, y][..], Some(8)));
}

#[test]
fn literals_are_interned_by_value() {
    let Fixture { mut store, .. } = fixture();
    let value = BitVector::from_u64(8, 200);
    let literal = store.bit_vector(value.clone());
    assert_eq!(store.constant(Value::BitVec(value.clone())), literal);
    assert_eq!(store.value(literal), Some(&Value::BitVec(value)));
    assert_ne!(store.bit_vector(BitVector::from_u64(9, 200)), literal);
    assert_eq!(store.bool(true), store.bool(true));
    assert_ne!(store.bool(true), store.bool(false));
}

#[test]
fn declarations_of_one_name_are_different_symbols() {
    let Fixture { mut store, byte, .. } = fixture();
    let [first, second] = [0; 2].map(|_| store.declare("same", &[], byte));
    assert_ne!(first, second);
    assert_ne!(store.symbol_term(first), store.symbol_term(second));
    let term = store.symbol_term(first);
    assert_eq!(store.constant_symbol(term), Some(first));
}

#[test]
fn many_terms_are_found_again() {
    let Fixture { mut store, x, .. } = fixture();
    let mut chain = vec![x];
    for step in 0..100_000u32 {
        let last = chain[chain.len() - 1];
        chain.push(store.make(if step % 3 == 0 { Op::BvNot } else { Op::BvNeg }, &[last]));
    }
    let count = store.term_count();
    for (step, pair) in chain.windows(2).enumerate() {
        assert!(pair[0] < pair[1], "arguments come first");
        assert_eq!(store.make(if step % 3 == 0 { Op::BvNot } else { Op::BvNeg }, &[pair[0]]), pair[1]);
    }
    assert_eq!(store.term_count(), count);
    assert_eq!(store.reachable(&[chain[100_000]]), chain);
}

#[test]
fn reachable_terms_ascend_and_leave_others_out() {
    let Fixture { mut store, x, y, a, .. } = fixture();
    let sum = store.make(Op::BvAdd, &[x, y]);
    let product = store.make(Op::BvMul, &[sum, sum]);
    let other = store.make(Op::Select, &[a, x]);
    assert_eq!(store.reachable(&[product]), [x, y, sum, product]);
    assert_eq!(store.reachable(&[other, x]), [x, a, other]);
    assert_eq!(store.reachable(&[]), []);
}

#[test]
fn sorts_of_applications() {
    let mut f = fixture();
    let (x, y, a, bit, yes) = (f.x, f.y, f.a, f.bit, f.yes);
    let cases = [
        (Op::And, vec![yes], "Bool"),
        (Op::Equal, vec![a, a, a], "Bool"),
        (Op::Ite, vec![yes, x, y], "(_ BitVec 8)"),
        (Op::Concat, vec![x, bit, y], "(_ BitVec 17)"),
        (Op::Extract { high: 7, low: 7 }, vec![x], "(_ BitVec 1)"),
        (Op::Repeat(3), vec![x], "(_ BitVec 24)"),
        (Op::ZeroExtend(0), vec![x], "(_ BitVec 8)"),
        (Op::SignExtend(5), vec![x], "(_ BitVec 13)"),
        (Op::RotateLeft(100), vec![x], "(_ BitVec 8)"),
        (Op::BvAdd, vec![x, y, x], "(_ BitVec 8)"),
        (Op::BvComp, vec![x, y], "(_ BitVec 1)"),
        (Op::BvRedOr, vec![x], "(_ BitVec 1)"),
        (Op::BvUlt, vec![x, y], "Bool"),
        (Op::BvNego, vec![x], "Bool"),
        (Op::Select, vec![a, x], "Bool"),
        (Op::Store, vec![a, x, yes], "(Array (_ BitVec 8) Bool)"),
        (Op::ConstArray(f.array), vec![yes], "(Array (_ BitVec 8) Bool)"),
    ];
    for (op, arguments, expected) in cases {
        let term = f.store.term(op, &arguments).unwrap();
        assert_eq!(SortDisplay::new(&f.store, f.store.sort_of(term)).to_string(), expected, "{op:?}");
    }
}

#[test]
fn ill_sorted_applications_are_explained() {
    let mut f = fixture();
    let (x, a, bit, yes) = (f.x, f.a, f.bit, f.yes);
    let g = f.store.declare("g", &[f.byte, SortId::BOOL], f.byte);
    let cases = [
        (Op::Not, vec![], "'not' takes 1 argument, found 0"),
        (Op::And, vec![], "'and' takes at least 1 argument, found 0"),
        (Op::Equal, vec![x], "'=' takes at least 2 arguments, found 1"),
        (Op::Implies, vec![yes], "'=>' takes at least 2 arguments, found 1"),
        (Op::BvUdiv, vec![x, x, x], "'bvudiv' takes 2 arguments, found 3"),
        (Op::Apply(g), vec![x], "'g' takes 2 arguments, found 1"),
        (Op::Apply(g), vec![x, x], "argument 2 of 'g' has sort (_ BitVec 8), expected Bool"),
        (Op::Or, vec![yes, x], "argument 2 of 'or' has sort (_ BitVec 8), expected Bool"),
        (Op::Equal, vec![x, yes], "argument 2 of '=' has sort Bool, expected (_ BitVec 8)"),
        (
            Op::Distinct,
            vec![x, x, a],
            "argument 3 of 'distinct' has sort (Array (_ BitVec 8) Bool), expected (_ BitVec 8)",
        ),
        (Op::Ite, vec![x, x, x], "argument 1 of 'ite' has sort (_ BitVec 8), expected Bool"),
        (Op::Ite, vec![yes, x, bit], "argument 3 of 'ite' has sort (_ BitVec 1), expected (_ BitVec 8)"),
        (Op::BvNot, vec![yes], "argument 1 of 'bvnot' has sort Bool, expected a bit-vector"),
        (Op::BvAdd, vec![x, bit], "argument 2 of 'bvadd' has sort (_ BitVec 1), expected (_ BitVec 8)"),
        (Op::BvUlt, vec![yes, yes], "argument 1 of 'bvult' has sort Bool, expected a bit-vector"),
        (Op::Concat, vec![x, yes], "argument 2 of 'concat' has sort Bool, expected a bit-vector"),
        (Op::Select, vec![x, x], "argument 1 of 'select' has sort (_ BitVec 8), expected an array"),
        (Op::Select, vec![a, bit], "argument 2 of 'select' has sort (_ BitVec 1), expected (_ BitVec 8)"),
        (Op::Store, vec![a, x, x], "argument 3 of 'store' has sort (_ BitVec 8), expected Bool"),
        (Op::ConstArray(f.array), vec![x], "argument 1 of 'const' has sort (_ BitVec 8), expected Bool"),
        (Op::ConstArray(f.byte), vec![x], "'const': 'as const' needs an array sort"),
        (Op::Extract { high: 8, low: 0 }, vec![x], "'extract': index 8 is outside an argument of 8 bits"),
        (Op::Extract { high: 1, low: 2 }, vec![x], "'extract': the high index 1 is below the low index 2"),
        (Op::Repeat(0), vec![x], "'repeat': repeats at least once"),
        (
            Op::Repeat(u32::MAX),
            vec![x],
            "bit-vector of 34359738360 bits is too wide, the limit is 1048576 bits",
        ),
        (
            Op::ZeroExtend(u32::MAX),
            vec![x],
            "bit-vector of 4294967303 bits is too wide, the limit is 1048576 bits",
        ),
    ];
    let count = f.store.term_count();
    for (op, arguments, expected) in cases {
        let error = f.store.term(op, &arguments).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
    assert_eq!(f.store.term_count(), count, "nothing is interned");
}

#[test]
fn illegal_sorts_are_refused() {
    let mut store = TermStore::new();
    assert_eq!(store.bit_vec_sort(0), Err(SortError::ZeroWidth));
    assert_eq!(
        store.bit_vec_sort(MAX_WIDTH + 1),
        Err(SortError::TooWide { width: u64::from(MAX_WIDTH) + 1 })
    );
    assert!(store.bit_vec_sort(MAX_WIDTH).is_ok());
    let pair = store.declare_sort("Pair", 2);
    let wrong = Sort::Uninterpreted { declaration: pair, arguments: [SortId::BOOL].into() };
    assert_eq!(store.intern_sort(wrong).unwrap_err().to_string(), "'Pair' takes 2 arguments, found 1");
}

#[test]
fn sorts_are_nested_to_a_limit() {
    let mut store = TermStore::new();
    let mut sort = SortId::BOOL;
    for _ in 0..MAX_SORT_DEPTH {
        sort = store.intern_sort(Sort::Array { index: SortId::BOOL, element: sort }).unwrap();
    }
    let deeper = store.intern_sort(Sort::Array { index: SortId::BOOL, element: sort });
    assert_eq!(deeper, Err(SortError::TooDeep));
    // Values of the deepest sort are compared, printed and dropped without harm.
    let value = Value::default_of(&store, sort);
    assert_eq!(value, value.clone());
    assert!(value.has_sort(&store, sort));
    assert!(format!("{value:?}").contains("else Bool(false)"));
}

#[test]
fn sorts_that_are_written_out_have_a_limited_number_of_parts() {
    let mut store = TermStore::new();
    let mut sort = SortId::BOOL;
    for _ in 0..MAX_SORT_PARTS.ilog2() - 1 {
        sort = store.intern_sort(Sort::Array { index: sort, element: sort }).unwrap();
    }
    assert_eq!(format!("{}", SortDisplay::new(&store, sort)).matches("Bool").count(), 1 << 15);
    let larger = store.intern_sort(Sort::Array { index: sort, element: sort });
    assert_eq!(larger, Err(SortError::TooManyParts));
}

#[test]
fn cardinalities_saturate() {
    let mut store = TermStore::new();
    let bits = |store: &mut TermStore, width| store.bit_vec_sort(width).unwrap();
    let (pair, byte, wide) = (bits(&mut store, 2), bits(&mut store, 8), bits(&mut store, 64));
    let functions = store.array_sort(pair, byte);
    let many = store.array_sort(byte, SortId::BOOL);
    let declaration = store.declare_sort("S", 0);
    let free = store.intern_sort(Sort::Uninterpreted { declaration, arguments: [].into() }).unwrap();
    let sorts = [SortId::BOOL, pair, byte, functions, wide, many, free];
    let expected = [2, 4, 256, 1 << 32, u64::MAX, u64::MAX, u64::MAX];
    assert_eq!(sorts.map(|sort| store.cardinality(sort)), expected);
}

#[test]
fn sorts_and_names_are_printed_as_they_are_written() {
    let mut store = TermStore::new();
    let pair = store.declare_sort("a pair", 2);
    let byte = store.bit_vec_sort(8).unwrap();
    let array = store.array_sort(byte, SortId::BOOL);
    let sort = store
        .intern_sort(Sort::Uninterpreted { declaration: pair, arguments: [array, byte].into() })
        .unwrap();
    assert_eq!(
        SortDisplay::new(&store, sort).to_string(),
        "(|a pair| (Array (_ BitVec 8) Bool) (_ BitVec 8))"
    );
    for plain in ["x", "x!1", "<=", "@a", ".b", "~"] {
        assert_eq!(quote_symbol(plain), plain);
    }
    for quoted in ["", "1x", "a b", "let", "_", "assert", "check-sat", "é"] {
        assert_eq!(quote_symbol(quoted), format!("|{quoted}|"));
    }
}

//! The bookkeeping of the blaster: what is asked of the abstraction, what is kept, what is refused.

use std::time::Instant;

use sundry_circuit::{
    Abstraction, Aig, BitsOfTerms, Blaster, BuildError, Edge, FreeInputs, Refusal, Simulation, TooLarge,
    UNINTERPRETED_WIDTH, Unsupported,
};
use sundry_term::{BitVector, Control, Op, Sort, SortId, TermId, TermStore, TheoryName};

use crate::common::declare;

/// An abstraction that records the questions to it.
#[derive(Default)]
struct Recorder {
    leaves: Vec<(TermId, u32)>,
    equalities: Vec<(TermId, TermId)>,
    /// The number of words that each `distinct` compares.
    distinct: Vec<usize>,
}

impl Abstraction for Recorder {
    fn leaf(
        &mut self,
        aig: &mut Aig,
        store: &TermStore,
        term: TermId,
        width: u32,
        bits: BitsOfTerms<'_>,
    ) -> Box<[Edge]> {
        self.leaves.push((term, width));
        FreeInputs.leaf(aig, store, term, width, bits)
    }

    fn equality(&mut self, aig: &mut Aig, _: &TermStore, left: TermId, right: TermId) -> Edge {
        self.equalities.push((left, right));
        aig.input()
    }

    fn distinct(&mut self, aig: &mut Aig, words: Vec<Box<[Edge]>>) -> Edge {
        self.distinct.push(words.len());
        aig.input()
    }
}

/// Arrays from 4 to 8 bits.
fn array(store: &mut TermStore, name: &str) -> TermId {
    let index = store.bit_vec_sort(4).expect("a width");
    let element = store.bit_vec_sort(8).expect("a width");
    let sort = store.array_sort(index, element);
    let symbol = store.declare(name, &[], sort);
    store.symbol_term(symbol)
}

/// Comparing each of many words with each other would take more nodes than all else.
#[test]
fn many_words_are_left_to_the_abstraction() {
    let mut store = TermStore::new();
    let words: Vec<TermId> =
        (0..2000).map(|number| declare(&mut store, &format!("w{number}"), Some(16)).1).collect();
    let distinct = store.make(Op::Distinct, &words);
    let few = store.make(Op::Distinct, &words[..200]);
    let (mut aig, mut blaster, mut recorder) = (Aig::new(), Blaster::new(), Recorder::default());
    blaster.blast(&store, &mut aig, &mut recorder, &[distinct, few]).expect("small");
    assert_eq!(recorder.distinct, [2000]);
    assert!(aig.node_count() < 1 << 21);
}

#[test]
fn what_is_below_arrays_is_blasted() {
    let mut store = TermStore::new();
    let (a, b) = (array(&mut store, "a"), array(&mut store, "b"));
    let (_, i) = declare(&mut store, "i", Some(4));
    let (_, e) = declare(&mut store, "e", Some(8));
    let (_, c) = declare(&mut store, "c", None);
    let sum = store.make(Op::BvAdd, &[e, e]);
    let stored = store.make(Op::Store, &[a, i, sum]);
    let chosen = store.make(Op::Ite, &[c, stored, b]);
    let read = store.make(Op::Select, &[chosen, i]);
    let constant = store.make(Op::ConstArray(store.sort_of(a)), &[e]);
    let equal = store.make(Op::Equal, &[chosen, constant]);
    let (mut aig, mut blaster, mut recorder) = (Aig::new(), Blaster::new(), Recorder::default());
    blaster.blast(&store, &mut aig, &mut recorder, &[read, equal]).expect("small");
    assert_eq!(recorder.leaves, [(i, 4), (e, 8), (c, 1), (read, 8)]);
    assert_eq!(recorder.equalities, [(chosen, constant)]);
    for term in [a, b, stored, chosen, constant] {
        assert_eq!(blaster.bits(term), None);
    }
    assert_eq!(blaster.bits(sum).map(<[Edge]>::len), Some(8));
    assert_eq!(blaster.bits(equal).map(<[Edge]>::len), Some(1));
    // Nothing is asked for twice.
    blaster.blast(&store, &mut aig, &mut recorder, &[read, equal, chosen]).expect("small");
    assert_eq!((recorder.leaves.len(), recorder.equalities.len()), (4, 1));
}

#[test]
fn array_equalities_are_asked_once_for_each_pair() {
    let mut store = TermStore::new();
    let [a, b, c] = ["a", "b", "c"].map(|name| array(&mut store, name));
    let distinct = store.make(Op::Distinct, &[c, a, b]);
    let equal = store.make(Op::Equal, &[b, a, c]);
    let same = store.make(Op::Equal, &[a, a]);
    let repeated = store.make(Op::Distinct, &[a, b, a]);
    let (mut aig, mut blaster, mut recorder) = (Aig::new(), Blaster::new(), Recorder::default());
    let roots = [distinct, equal, same, repeated];
    blaster.blast(&store, &mut aig, &mut recorder, &roots).expect("small");
    recorder.equalities.sort_unstable();
    assert_eq!(recorder.equalities, [(a, b), (a, c), (b, c)]);
    assert_eq!(blaster.bits(same), Some(&[Edge::TRUE][..]));
    assert_eq!(blaster.bits(repeated), Some(&[Edge::FALSE][..]));
    let mut simulation = Simulation::new();
    // The equalities were asked in this order: c = a, c = b, a = b; then none.
    simulation.run(&aig, &[0b0011, 0b0101, 0b1001]);
    let word = |term| simulation.word(blaster.bits(term).expect("blasted")[0]) & 0b1111;
    assert_eq!(word(distinct), 0b0000);
    assert_eq!(word(equal), 0b0001);
}

#[test]
fn functions_and_uninterpreted_sorts_are_leaves() {
    let mut store = TermStore::new();
    let declaration = store.declare_sort("U", 0);
    let sort = store.intern_sort(Sort::Uninterpreted { declaration, arguments: [].into() }).expect("a sort");
    let function = store.declare("f", &[sort, SortId::BOOL], sort);
    let (u, v) = (store.declare("u", &[], sort), store.declare("v", &[], sort));
    let (u, v) = (store.symbol_term(u), store.symbol_term(v));
    let equal = store.make(Op::Equal, &[u, v]);
    let applied = store.make(Op::Apply(function), &[u, equal]);
    let chosen = store.make(Op::Ite, &[equal, applied, v]);
    let root = store.make(Op::Distinct, &[chosen, u, v]);
    let (mut aig, mut blaster, mut recorder) = (Aig::new(), Blaster::new(), Recorder::default());
    blaster.blast(&store, &mut aig, &mut recorder, &[root]).expect("small");
    let width = UNINTERPRETED_WIDTH;
    assert_eq!(recorder.leaves, [(u, width), (v, width), (applied, width)]);
    assert_eq!(blaster.bits(chosen).map(<[Edge]>::len), Some(width as usize));
}

#[test]
fn defined_terms_are_not_looked_below() {
    let mut store = TermStore::new();
    let (_, x) = declare(&mut store, "x", Some(8));
    let (_, y) = declare(&mut store, "y", Some(8));
    let sum = store.make(Op::BvAdd, &[x, y]);
    let negated = store.make(Op::BvNot, &[sum]);
    let (mut aig, mut blaster, mut recorder) = (Aig::new(), Blaster::new(), Recorder::default());
    let bits: Vec<Edge> = (0..8).map(|_| aig.input()).collect();
    blaster.define(&store, sum, &bits);
    blaster.blast(&store, &mut aig, &mut recorder, &[negated]).expect("small");
    assert!(recorder.leaves.is_empty());
    assert_eq!(blaster.bits(x), None);
    let expected: Vec<Edge> = bits.iter().map(|&bit| !bit).collect();
    assert_eq!(blaster.bits(negated), Some(&expected[..]));
}

#[test]
fn quotient_and_remainder_share_one_divider() {
    let mut store = TermStore::new();
    let (_, x) = declare(&mut store, "x", Some(24));
    let (_, y) = declare(&mut store, "y", Some(24));
    let (mut aig, mut blaster) = (Aig::new(), Blaster::new());
    let quotient = store.make(Op::BvUdiv, &[x, y]);
    blaster.blast(&store, &mut aig, &mut FreeInputs, &[quotient]).expect("small");
    let before = aig.node_count();
    let remainder = store.make(Op::BvUrem, &[x, y]);
    blaster.blast(&store, &mut aig, &mut FreeInputs, &[remainder]).expect("small");
    assert_eq!(aig.node_count(), before);
    let signed = [Op::BvSdiv, Op::BvSrem, Op::BvSmod].map(|op| store.make(op, &[x, y]));
    blaster.blast(&store, &mut aig, &mut FreeInputs, &signed).expect("small");
    assert!(aig.node_count() < 2 * before + 1000);
}

#[test]
fn related_operations_share_nodes() {
    let mut store = TermStore::new();
    let (_, x) = declare(&mut store, "x", Some(32));
    let (_, y) = declare(&mut store, "y", Some(32));
    let (mut aig, mut blaster) = (Aig::new(), Blaster::new());
    let difference = store.make(Op::BvSub, &[x, y]);
    let product = store.make(Op::BvMul, &[x, y]);
    blaster.blast(&store, &mut aig, &mut FreeInputs, &[difference, product]).expect("small");
    let mut before = aig.node_count();
    let mut added = |store: &mut TermStore, op, arguments: [TermId; 2]| {
        let term = store.make(op, &arguments);
        blaster.blast(store, &mut aig, &mut FreeInputs, &[term]).expect("small");
        std::mem::replace(&mut before, aig.node_count()).abs_diff(aig.node_count())
    };
    assert_eq!(added(&mut store, Op::BvMul, [y, x]), 0);
    // The last carry and nothing else.
    assert!(added(&mut store, Op::BvUlt, [x, y]) <= 4);
    assert_eq!(added(&mut store, Op::BvUge, [x, y]), 0);
    assert_eq!(added(&mut store, Op::BvUgt, [y, x]), 0);
    assert!(added(&mut store, Op::BvSlt, [x, y]) <= 6);
    // The exclusive ors are there; the conjunction of 32 is new.
    assert_eq!(added(&mut store, Op::Equal, [x, y]), 31);
    // The product of one bit more shares all but the new column.
    assert!(added(&mut store, Op::BvUmulo, [x, y]) < 700);
}

#[test]
fn constants_make_small_circuits() {
    let mut store = TermStore::new();
    let (_, x) = declare(&mut store, "x", Some(64));
    let mut nodes = |op, value: u64| {
        let constant = store.bit_vector(BitVector::from_u64(64, value));
        let term = store.make(op, &[x, constant]);
        let (mut aig, mut blaster) = (Aig::new(), Blaster::new());
        blaster.blast(&store, &mut aig, &mut FreeInputs, &[term]).expect("small");
        aig.and_count()
    };
    for op in [Op::BvShl, Op::BvLshr, Op::BvAshr, Op::BvAnd, Op::BvXor] {
        assert_eq!(nodes(op, 13), 0, "{op:?}");
    }
    for op in [Op::BvMul, Op::BvUdiv, Op::BvUrem] {
        assert_eq!(nodes(op, 1 << 16), 0, "{op:?}");
    }
    assert_eq!(nodes(Op::Equal, 12345), 63);
    assert!(nodes(Op::BvAdd, 1) <= 64 * 4);
    // One addition and one subtraction instead of sixty additions.
    assert!(nodes(Op::BvMul, u64::MAX << 4) < 64 * 8 * 2);
    assert!(nodes(Op::BvUlt, 1 << 63) <= 1);
    // The divisor fits into the last partial remainder at most.
    assert!(nodes(Op::BvUdiv, u64::MAX - 2) < 64 * 8);
}

#[test]
fn extended_factors_make_small_products() {
    let mut store = TermStore::new();
    let (_, x) = declare(&mut store, "x", Some(32));
    let (_, y) = declare(&mut store, "y", Some(32));
    let mut nodes = |extension| {
        let factors = [x, y].map(|factor| store.make(extension, &[factor]));
        let product = store.make(Op::BvMul, &factors);
        let (mut aig, mut blaster) = (Aig::new(), Blaster::new());
        blaster.blast(&store, &mut aig, &mut FreeInputs, &[product]).expect("small");
        aig.and_count()
    };
    // The rows of 32 bits each, whatever the width of the product.
    let (half, double) = (nodes(Op::ZeroExtend(32)), nodes(Op::ZeroExtend(96)));
    assert_eq!(half, double);
    assert!(half < 32 * 32 * 10);
    assert!(nodes(Op::SignExtend(32)) < half * 8 / 5);
}

#[test]
fn circuits_that_cannot_be_built_are_refused() {
    let mut store = TermStore::new();
    let (_, x) = declare(&mut store, "x", Some(1 << 16));
    let (_, y) = declare(&mut store, "y", Some(1 << 16));
    let (mut aig, mut blaster) = (Aig::new(), Blaster::new());
    for op in [Op::BvMul, Op::BvUmulo, Op::BvSmulo, Op::BvUdiv, Op::BvSmod] {
        let term = store.make(op, &[x, y]);
        let refused = blaster.blast(&store, &mut aig, &mut FreeInputs, &[term]);
        assert!(
            matches!(refused, Err(BuildError::Refused(Refusal::TooLarge(TooLarge { term: found, .. }))) if found == term),
            "{op:?}"
        );
    }
    let two = store.bit_vector(BitVector::from_u64(1 << 16, 2));
    let doubled = store.make(Op::BvMul, &[x, two]);
    let sum = store.make(Op::BvAdd, &[doubled, y]);
    blaster.blast(&store, &mut aig, &mut FreeInputs, &[sum]).expect("linear circuits are built");
    blaster.set_node_limit(0);
    let (_, z) = declare(&mut store, "z", Some(2));
    let square = store.make(Op::BvMul, &[z, z]);
    let refused = blaster.blast(&store, &mut aig, &mut FreeInputs, &[square]).expect_err("no room");
    assert_eq!(
        refused.to_string(),
        "the circuit would pass the limit of 0 gates: this operation adds up to 32"
    );
}

#[test]
fn many_small_operations_do_not_pass_the_limit_either() {
    let mut store = TermStore::new();
    let words: Vec<TermId> = (0..40).map(|i| declare(&mut store, &format!("x{i}"), Some(32)).1).collect();
    let sum = words.windows(2).map(|pair| store.make(Op::BvAdd, &[pair[0], pair[1]])).collect::<Vec<_>>();
    let (mut aig, mut blaster) = (Aig::new(), Blaster::new());
    blaster.set_node_limit(5_000);
    let refused = blaster.blast(&store, &mut aig, &mut FreeInputs, &sum);
    assert!(matches!(refused, Err(BuildError::Refused(Refusal::TooLarge(_)))));
    assert!(aig.node_count() <= 5_000);
    let all_distinct = store.make(Op::Distinct, &words);
    blaster.set_node_limit(50_000);
    let refused = blaster.blast(&store, &mut aig, &mut FreeInputs, &[all_distinct]);
    assert!(
        matches!(refused, Err(BuildError::Refused(Refusal::TooLarge(found))) if found.term == all_distinct)
    );
}

#[test]
fn terms_of_other_theories_are_refused() {
    let mut store = TermStore::new();
    let number = store.declare("n", &[], SortId::INT);
    let number = store.symbol_term(number);
    let sort = store.bit_vec_sort(4).expect("a width");
    let array = store.array_sort(sort, SortId::REAL);
    let reals = store.declare("r", &[], array);
    let reals = store.symbol_term(reals);
    let equal = store.make(Op::Equal, &[number, number]);
    let same = store.make(Op::Equal, &[reals, reals]);
    for (root, term, theory) in [(equal, number, TheoryName::Integers), (same, reals, TheoryName::Reals)] {
        let refused = Blaster::new().blast(&store, &mut Aig::new(), &mut FreeInputs, &[root]);
        assert_eq!(refused, Err(BuildError::Refused(Refusal::Unsupported(Unsupported { term, theory }))));
    }
}

#[test]
fn building_stops_when_time_is_up_and_goes_on_later() {
    let mut store = TermStore::new();
    let (_, x) = declare(&mut store, "x", Some(64));
    let (_, y) = declare(&mut store, "y", Some(64));
    let product = store.make(Op::BvMul, &[x, y]);
    let (mut aig, mut blaster) = (Aig::new(), Blaster::new());
    blaster.set_control(&Control::default().with_deadline(Some(Instant::now())));
    assert_eq!(blaster.blast(&store, &mut aig, &mut FreeInputs, &[product]), Err(BuildError::Stopped));
    assert_eq!(blaster.bits(product), None);
    blaster.set_control(&Control::default());
    blaster.blast(&store, &mut aig, &mut FreeInputs, &[product]).expect("small");
    assert_eq!(blaster.bits(product).map(<[Edge]>::len), Some(64));
}

#[test]
fn deep_terms_need_no_deep_stack() {
    let mut store = TermStore::new();
    let (_, x) = declare(&mut store, "x", Some(4));
    let (_, a) = declare(&mut store, "a", None);
    let (mut sum, mut either) = (x, a);
    for _ in 0..100_000 {
        let inner = store.make(Op::BvXor, &[sum, x]);
        sum = store.make(Op::BvNeg, &[inner]);
        either = store.make(Op::Xor, &[either, a]);
    }
    let (mut aig, mut blaster) = (Aig::new(), Blaster::new());
    blaster.blast(&store, &mut aig, &mut FreeInputs, &[sum, either]).expect("linear");
    assert_eq!(blaster.bits(either).map(<[Edge]>::len), Some(1));
}

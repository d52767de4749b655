//! Mutants by other operators are well-sorted, and differ in one operator for each change.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use sundry_fuzz::OperatorMutator;
use sundry_smtlib::{Formula, SourceText, TheorySet, parse_script, print_formula};
use sundry_term::TermStore;

const SEED: &str = "
    (declare-fun x () Int) (declare-fun r () Real) (declare-fun s () String) (declare-fun f () Float16)
    (declare-fun b () (_ BitVec 5)) (declare-fun p () Bool)
    (assert (or p (< (+ x (str.len s)) (div x 3)) (fp.lt f (fp.add RNE f f))))
    (assert (=> (bvult b (bvadd b #b00011)) (str.prefixof s (str.++ s \"a\"))))
    (assert (forall ((y Int)) (distinct (to_real y) (- r))))";

#[test]
fn mutants_are_well_sorted() {
    let mut store = TermStore::new();
    let script = parse_script(&mut store, &SourceText::new("seed", SEED), TheorySet::ALL);
    let seed = script.expect("a legal script").formula();
    let mut mutator = OperatorMutator::default();
    let mut random = ChaCha8Rng::seed_from_u64(0);
    let mut texts = std::collections::BTreeSet::new();
    for round in 0..300 {
        let mut assertions = seed.assertions.clone();
        let changes = mutator.mutate(&mut store, &mut assertions, 1 + round % 3, &mut random);
        assert!(changes.len() <= 1 + round % 3);
        for (from, to) in changes {
            assert_eq!(store.sort_of(from), store.sort_of(to));
            assert_eq!(store.args(from), store.args(to));
            assert_ne!(store.op(from), store.op(to));
        }
        let text = print_formula(&store, &Formula::of_assertions(&store, assertions));
        let mut other = TermStore::new();
        let read = parse_script(&mut other, &SourceText::new("mutant", text.clone()), TheorySet::ALL);
        assert!(read.is_ok(), "{text}{read:?}");
        texts.insert(text);
    }
    assert!(texts.len() > 100, "{} different mutants", texts.len());
}

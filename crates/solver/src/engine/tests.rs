//! Answers of engines and their replicas: what they hold, and how much they may take.

use sundry_sat::{Options as SatOptions, Verdict};
use sundry_term::{Op, Sort};

use super::*;

/// An engine with an array that is written at one place and read at another, both open, after a check that
/// found a model, and the condition that what is read at the same place is not what was written.
fn after_a_model() -> (TermStore, Engine, Lit) {
    after_a_model_with(SatOptions::default())
}

fn after_a_model_with(sat: SatOptions) -> (TermStore, Engine, Lit) {
    let mut store = TermStore::new();
    let byte = store.bit_vec_sort(8).expect("a width");
    let array = store.intern_sort(Sort::Array { index: byte, element: byte }).expect("a sort");
    let mut symbol = |name: &str, sort| {
        let symbol = store.declare(name, &[], sort);
        store.symbol_term(symbol)
    };
    let (a, i, j, v) = (symbol("a", array), symbol("i", byte), symbol("j", byte), symbol("v", byte));
    let written = store.make(Op::Store, &[a, i, v]);
    let read = store.make(Op::Select, &[written, j]);
    let same_place = store.make(Op::Equal, &[i, j]);
    let other_value = store.make(Op::Distinct, &[read, v]);
    let both = store.make(Op::And, &[same_place, other_value]);
    let mut engine = Engine::new(&EngineOptions { sat, ..EngineOptions::default() }, &Control::default());
    let edge = engine.bits(&mut store, both).expect("a small circuit")[0];
    let condition = engine.literal(edge);
    assert_eq!(engine.check(Query::default()).verdict(), Verdict::Sat);
    (store, engine, condition)
}

#[test]
fn a_replica_answers_alike_and_goes_its_own_way() {
    let (store, mut engine, condition) = after_a_model_with(SatOptions::for_many_calls());
    let assumptions = [condition];
    let impossible = Query::assuming(&assumptions);
    let replica = engine.replica().expect("nothing is simplified");
    let start = || replica.start(SatOptions::default(), &Control::default());
    let mut other = start().expect("there is no limit");
    assert_eq!(other.check(impossible).verdict(), Verdict::Unsat);
    let _ = other.check(Query::default()).model().expect("there is one").model(&store);
    other.add_clause(&[condition]);
    assert_eq!(other.check(Query::default()).verdict(), Verdict::Unsat);
    assert_eq!(engine.check(Query::default()).verdict(), Verdict::Sat);
    assert_eq!(engine.check(impossible).verdict(), Verdict::Unsat);
}

#[test]
fn candidates_of_a_check_share_its_ticks() {
    // Reads at many places of one array that all have to differ: each candidate breaks some congruence.
    let mut store = TermStore::new();
    let byte = store.bit_vec_sort(8).expect("a width");
    let array = store.intern_sort(Sort::Array { index: byte, element: byte }).expect("a sort");
    let symbol = store.declare("a", &[], array);
    let a = store.symbol_term(symbol);
    let places: Vec<TermId> = (0..24)
        .map(|number| {
            let place = store.declare(&format!("i{number}"), &[], byte);
            store.symbol_term(place)
        })
        .collect();
    let reads: Vec<TermId> = places.iter().map(|&place| store.make(Op::Select, &[a, place])).collect();
    let different = store.make(Op::Distinct, &reads);
    let mut engine = Engine::new(&EngineOptions::default(), &Control::default());
    engine.assert(&mut store, different).expect("a small circuit");
    const TICKS: u64 = 50_000;
    let (mut checks, mut verdict) = (0, Verdict::Unknown);
    while verdict == Verdict::Unknown {
        let before = engine.statistics().sat.ticks;
        verdict = engine.check(Query::default().within(TICKS)).verdict();
        let spent = engine.statistics().sat.ticks - before;
        assert!(spent < 2 * TICKS, "{spent} ticks");
        assert!(checks < 100, "no progress");
        checks += 1;
    }
    // Lemmas stay, so that the next check continues where the last one ended.
    assert!(verdict == Verdict::Sat && checks > 1, "{verdict:?} after {checks} checks");
    let _ = engine.last_model().expect("there is one").model(&store);
}

#[test]
fn a_check_ends_when_the_work_of_lemmas_is_used_up() {
    let (_, mut engine, condition) = after_a_model();
    engine.set_control(&Control::default().with_work(1));
    assert_eq!(engine.check(Query::assuming(&[condition])).verdict(), Verdict::Unknown);
    engine.set_control(&Control::default());
    assert_eq!(engine.check(Query::assuming(&[condition])).verdict(), Verdict::Unsat);
}

#[test]
fn what_a_theory_refutes_is_no_model() {
    let (store, mut engine, condition) = after_a_model();
    let model = engine.last_model().expect("there is one").model(&store);
    let refuted = engine.statistics().refuted_candidates;
    let assumptions = [condition];
    let impossible = Query::assuming(&assumptions);
    assert_eq!(engine.check(impossible).verdict(), Verdict::Unsat);
    assert!(engine.statistics().refuted_candidates > refuted, "the lemma was missing");
    assert!(engine.keeps_models());
    let last = engine.last_model().expect("lemmas do not take it away");
    assert_eq!(last.model(&store), model, "a candidate that was refuted passes for a model");
    assert_eq!(engine.check(Query::default()).verdict(), Verdict::Sat);
    let _ = engine.last_model().expect("there is one").model(&store);
}

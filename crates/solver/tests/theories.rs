//! Theories that plug in: a small one, which says what the declared function `parity` is, decides formulas together with the
//! theories of the engine; one that is not complete leads to no answer; and refuted assignments can be had.

use std::ops::ControlFlow;

use sundry_smtlib::{SourceText, TheorySet, parse_script};
use sundry_solver::{
    Aig, Assignment, Edge, Engine, EngineOptions, Leaf, Lemma, LemmaKind, Observer, PartialOrigin,
    PartialSolution, Query, Theory, TheoryAnswer, Verdict,
};
use sundry_term::{Control, Evaluator, Model, Op, TermId, TermStore, Value};

/// `(parity x)` is whether an odd number of the bits of `x` are 1.
#[derive(Clone, Default)]
struct Parity {
    /// The result and the argument of each application.
    applications: Vec<(Edge, Vec<Edge>)>,
}

impl Theory for Parity {
    fn name(&self) -> &'static str {
        "parity"
    }

    fn owns(&self, store: &TermStore, term: TermId) -> bool {
        matches!(store.op(term), Op::Apply(symbol) if &*store.symbol(symbol).name == "parity")
    }

    fn register(&mut self, _aig: &mut Aig, _store: &TermStore, leaf: Leaf<'_>) -> Vec<Lemma> {
        let argument = leaf.arguments[0].expect("a word");
        self.applications.push((leaf.bits[0], argument.to_vec()));
        Vec::new()
    }

    fn is_trivial(&self) -> bool {
        self.applications.is_empty()
    }

    fn check(&mut self, _aig: &mut Aig, Assignment { value, .. }: Assignment<'_>) -> TheoryAnswer {
        let mut lemmas = Vec::new();
        for (result, argument) in &self.applications {
            let is_odd = argument.iter().filter(|&&bit| value(bit)).count() % 2 == 1;
            if value(*result) != is_odd {
                // Another argument, or the other result.
                let mut clause: Vec<Edge> =
                    argument.iter().map(|&bit| bit.complement_if(value(bit))).collect();
                clause.push(result.complement_if(!is_odd));
                lemmas.push(Lemma { kind: LemmaKind::Plugged("parity"), clause });
            }
        }
        if lemmas.is_empty() { TheoryAnswer::Consistent } else { TheoryAnswer::Refuted(lemmas) }
    }

    fn boxed(&self) -> Box<dyn Theory> {
        Box::new(self.clone())
    }
}

/// A theory that can say nothing of any assignment.
#[derive(Clone)]
struct Ignorant;

impl Theory for Ignorant {
    fn name(&self) -> &'static str {
        "ignorant"
    }

    fn is_trivial(&self) -> bool {
        false
    }

    fn check(&mut self, _aig: &mut Aig, _assignment: Assignment<'_>) -> TheoryAnswer {
        TheoryAnswer::Undecided
    }

    fn boxed(&self) -> Box<dyn Theory> {
        Box::new(self.clone())
    }
}

const DECLARATIONS: &str = "(declare-fun parity ((_ BitVec 4)) Bool) (declare-const x (_ BitVec 4))
    (declare-const y (_ BitVec 4)) (declare-const a (Array (_ BitVec 4) (_ BitVec 4)))";

fn engine(assertions: &str, theory: impl Theory + 'static) -> (TermStore, Vec<TermId>, Engine) {
    let mut store = TermStore::new();
    let source = SourceText::new("formula", format!("{DECLARATIONS} {assertions}"));
    let script = parse_script(&mut store, &source, TheorySet::DECIDED).expect("a script");
    let assertions = script.formula().assertions;
    let theories: Vec<Box<dyn Theory>> = vec![Box::new(theory)];
    let mut engine =
        Engine::new(&EngineOptions { theories, ..EngineOptions::default() }, &Control::default());
    engine.assert_initial(&mut store, &assertions).expect("a small circuit");
    (store, assertions, engine)
}

/// The values of terms in a model.
fn values(store: &TermStore, model: &Model, terms: &[TermId]) -> Vec<Value> {
    let mut evaluator = Evaluator::new(store, model);
    evaluator.evaluate(terms).expect("the model is complete");
    terms.iter().map(|&term| evaluator.value(term).expect("a value").clone()).collect()
}

#[test]
fn a_theory_plugs_in() {
    for (assertions, expected) in [
        ("(assert (parity x)) (assert (= x #b0110))", Verdict::Unsat),
        ("(assert (parity x)) (assert (= x #b0111))", Verdict::Sat),
        ("(assert (parity x)) (assert (not (parity (bvnot x))))", Verdict::Unsat),
        ("(assert (= (parity x) (parity (bvadd x #b0001)))) (assert (bvugt x #b0100))", Verdict::Sat),
        ("(assert (parity x)) (assert (parity y)) (assert (parity (bvxor x y)))", Verdict::Unsat),
        // With arrays, of which the same place has the same element.
        (
            "(assert (parity (select a x))) (assert (not (parity (select a y)))) (assert (= x y))",
            Verdict::Unsat,
        ),
        (
            "(assert (parity (select a x))) (assert (not (parity (select a y)))) (assert (= x (bvmul y y)))",
            Verdict::Sat,
        ),
    ] {
        let (store, asserted, mut engine) = engine(assertions, Parity::default());
        let checked = engine.check(Query::default());
        assert_eq!(checked.verdict(), expected, "{assertions}");
        let Ok(found) = checked.model() else { continue };
        let model = found.model(&store);
        assert!(
            values(&store, &model, &asserted).iter().all(|value| *value == Value::Bool(true)),
            "{assertions}"
        );
        for term in
            store.reachable(&asserted).into_iter().filter(|&term| Parity::default().owns(&store, term))
        {
            let found = values(&store, &model, &[term, store.args(term)[0]]);
            let [Value::Bool(result), Value::BitVec(argument)] = &found[..] else { panic!("{found:?}") };
            let is_odd = argument.to_u64().expect("4 bits").count_ones() % 2 == 1;
            assert_eq!(*result, is_odd, "{assertions}");
        }
    }
}

#[test]
fn lemmas_are_counted_by_the_name_that_the_theory_gives_them() {
    let (_, _, mut engine) =
        engine("(assert (parity x)) (assert (not (parity (bvnot x))))", Parity::default());
    assert_eq!(engine.check(Query::default()).verdict(), Verdict::Unsat);
    let lemmas = engine.statistics().lemmas;
    assert!(lemmas[&LemmaKind::Plugged("parity")] >= 8, "{lemmas:?}");
}

#[test]
fn a_replica_has_the_theory_too() {
    let (_, _, mut engine) = engine("(assert (parity x)) (assert (not (parity y)))", Parity::default());
    assert_eq!(engine.check(Query::default()).verdict(), Verdict::Sat);
    let replica = engine.replica();
    // Where the SAT solver has simplified its clauses, replicas do not exist.
    if let Some(replica) = replica {
        let started = replica.start(Default::default(), &Default::default());
        assert_eq!(started.expect("there is no limit").check(Query::default()).verdict(), Verdict::Sat);
    }
}

#[test]
fn what_an_incomplete_theory_cannot_decide_is_unknown() {
    let (_, _, mut undecided) = engine("(assert (bvult x y))", Ignorant);
    assert_eq!(undecided.check(Query::default()).verdict(), Verdict::Unknown);
    // What the circuit alone refutes has no model, whatever the theory is.
    let (_, _, mut refuted) = engine("(assert (and (bvult x y) (bvult y x)))", Ignorant);
    assert_eq!(refuted.check(Query::default()).verdict(), Verdict::Unsat);
}

#[test]
fn refuted_assignments_can_be_had() {
    let (store, _, mut engine) = engine(
        "(assert (distinct (select a x) (select a y))) (assert (= (select (store a x y) y) x))
         (assert (parity (bvadd x y))) (assert (not (parity (bvmul x y)))) (assert (parity (select a (bvand x y))))",
        Parity::default(),
    );
    let mut refuted: Vec<PartialSolution> = Vec::new();
    let mut receive = |partial: PartialSolution| {
        if matches!(partial.origin, PartialOrigin::Refuted(_)) {
            refuted.push(partial);
        }
        ControlFlow::Continue(())
    };
    let observer = Observer { store: &store, most: 1000, receive: &mut receive };
    let verdict = engine.check_and_report(Query::default(), observer).verdict();
    assert_ne!(verdict, Verdict::Unknown);
    assert_eq!(refuted.len() as u64, engine.statistics().refuted_candidates);
    assert!(!refuted.is_empty(), "no theory objects to anything");
    for PartialSolution { model, origin } in &refuted {
        let PartialOrigin::Refuted(theory) = origin else { continue };
        assert!(["arrays and functions", "parity"].contains(theory), "{theory}");
        assert!(model.constants().count() >= 2, "{model:?}");
    }
}

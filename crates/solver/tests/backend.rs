//! The SAT solver behind an engine is whatever has the traits: one that records calls and passes them on changes no answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sundry_sat::{
    AddClauses, Assignment, Backend, Cadical, Cnf, Constrain, Interrupt, Limits, Lit, Phases, Propagate,
    ReadClauses, ReadStatistics, RootFacts, Solve, Statistics, Var, Verdict, WatchRestarts,
};
use sundry_solver::{Answer, Engine, EngineOptions, Query, Session, Tracking};
use sundry_term::{Control, Op, TermId, TermStore};

/// The number of uses of each capability.
#[derive(Default)]
struct Calls {
    started: AtomicU64,
    variables: AtomicU64,
    clauses: AtomicU64,
    solved: AtomicU64,
    values: AtomicU64,
    constraints: AtomicU64,
}

/// A solver that counts calls and passes them on.
struct Recorder<S> {
    inner: S,
    calls: Arc<Calls>,
}

fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

impl<S: AddClauses> AddClauses for Recorder<S> {
    fn new_var(&mut self) -> Var {
        count(&self.calls.variables);
        self.inner.new_var()
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        count(&self.calls.clauses);
        self.inner.add_clause(clause);
    }
}

impl<S: Solve> Solve for Recorder<S> {
    fn solve(&mut self, assumptions: &[Lit]) -> Verdict {
        count(&self.calls.solved);
        self.inner.solve(assumptions)
    }

    fn value(&self, literal: Lit) -> bool {
        count(&self.calls.values);
        self.inner.value(literal)
    }

    fn assignment(&self, into: &mut Assignment) {
        self.inner.assignment(into);
    }

    fn failed(&self, assumption: Lit) -> bool {
        self.inner.failed(assumption)
    }
}

impl<S: Constrain> Constrain for Recorder<S> {
    fn constrain(&mut self, clause: &[Lit]) {
        count(&self.calls.constraints);
        self.inner.constrain(clause);
    }

    fn constraint_failed(&self) -> bool {
        self.inner.constraint_failed()
    }
}

impl<S: Phases> Phases for Recorder<S> {
    fn set_phase(&mut self, literal: Lit) {
        self.inner.set_phase(literal);
    }

    fn clear_phase(&mut self, var: Var) {
        self.inner.clear_phase(var);
    }
}

impl<S: RootFacts> RootFacts for Recorder<S> {
    fn fixed(&self, literal: Lit) -> Option<bool> {
        self.inner.fixed(literal)
    }
}

impl<S: ReadClauses> ReadClauses for Recorder<S> {
    fn clauses(&mut self) -> Option<Cnf> {
        self.inner.clauses()
    }
}

impl<S: Interrupt> Interrupt for Recorder<S> {
    fn set_limits(&mut self, limits: Limits) {
        self.inner.set_limits(limits);
    }
}

/// Searches of this solver cannot be watched.
impl<S> WatchRestarts for Recorder<S> {}

impl<S> Propagate for Recorder<S> {}

impl<S: ReadStatistics> ReadStatistics for Recorder<S> {
    fn statistics(&self) -> Statistics {
        self.inner.statistics()
    }

    fn ticks(&self) -> u64 {
        self.inner.ticks()
    }
}

/// Options with a recorder before CaDiCaL, and its counts.
fn recording() -> (EngineOptions, Arc<Calls>) {
    let calls = Arc::<Calls>::default();
    let counted = Arc::clone(&calls);
    let backend = Backend::new(move |options| {
        count(&counted.started);
        Box::new(Recorder { inner: Cadical::new(options), calls: Arc::clone(&counted) })
    });
    (EngineOptions { backend, ..EngineOptions::for_many_calls() }, calls)
}

/// `x * y = 35` and `x < y` over 8 bits.
fn formula() -> (TermStore, Vec<TermId>) {
    let mut store = TermStore::new();
    let byte = store.bit_vec_sort(8).expect("a width");
    let [x, y] = ["x", "y"].map(|name| {
        let symbol = store.declare(name, &[], byte);
        store.symbol_term(symbol)
    });
    let product = store.make(Op::BvMul, &[x, y]);
    let number = store.bit_vector(sundry_term::BitVector::from_u64(8, 35));
    let assertions = vec![store.make(Op::Equal, &[product, number]), store.make(Op::BvUlt, &[x, y])];
    (store, assertions)
}

#[test]
fn a_recording_solver_takes_the_place_of_cadical() {
    let (options, calls) = recording();
    let mut models = Vec::new();
    for options in [options, EngineOptions::for_many_calls()] {
        let (mut store, assertions) = formula();
        let mut engine = Engine::new(&options, &Control::default());
        engine.assert_initial(&mut store, &assertions).expect("a small circuit");
        let edge = engine.bits(&mut store, assertions[1]).expect("a small circuit")[0];
        let literal = engine.literal(edge);
        let found = engine.check(Query { at_least_one: &[literal], ..Query::default() }).model();
        models.push(found.expect("5 and 7, say").model(&store));
        let replica = engine.replica().expect("nothing is simplified");
        let mut other = replica.start(options.sat.clone(), &Control::default()).expect("there is no limit");
        assert_eq!(other.check(Query::assuming(&[!literal])).verdict(), Verdict::Unsat);
    }
    assert_eq!(models[0], models[1], "the recorder changes an answer");
    let counts = [&calls.started, &calls.solved, &calls.constraints].map(|it| it.load(Ordering::Relaxed));
    assert_eq!(counts, [2, 2, 1], "an engine and its replica, which ask once each");
    for counter in [&calls.variables, &calls.clauses, &calls.values] {
        assert!(counter.load(Ordering::Relaxed) > 0, "a circuit has variables, clauses and inputs");
    }
}

#[test]
fn a_session_has_the_solver_of_its_options() {
    let (options, calls) = recording();
    let (mut store, assertions) = formula();
    let mut session = Session::new(options);
    assertions.iter().for_each(|&assertion| session.assert(assertion, Tracking::Named));
    assert!(matches!(session.check(&mut store, &[], &Limits::default()), Answer::Sat(_)));
    assert_eq!(calls.solved.load(Ordering::Relaxed), 1);
}

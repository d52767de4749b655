//! The conjunctive normal form of random formulas, evaluated and asked of solvers.

use std::collections::BTreeSet;
use std::time::Duration;

use rand::Rng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rustc_hash::FxHashMap;
use sundry_fuzz::{Naming, NormalForm, conjunctive_normal_form};
use sundry_smtlib::{Formula, SourceText, TheorySet, parse_script, print_formula, print_term};
use sundry_term::{Model, Op, SortId, SymbolId, TermId, TermStore, Value, evaluate, substitute};
use sundry_testing::generate::{Generator, Options, random_model};
use sundry_testing::oracle::{Answer, Oracle};

const NAMINGS: [Naming; 2] = [Naming::Equivalent, Naming::Implied];

/// A formula of Boolean constants: every connective with up to four arguments, parts shared.
fn connectives(store: &mut TermStore, atoms: usize, random: &mut ChaCha8Rng) -> TermId {
    let mut terms: Vec<TermId> = (0..atoms)
        .map(|number| {
            let symbol = store.declare(&format!("p{number}"), &[], SortId::BOOL);
            store.symbol_term(symbol)
        })
        .collect();
    terms.push(store.bool(random.random()));
    for _ in 0..random.random_range(1..24) {
        let ops = [Op::Not, Op::And, Op::Or, Op::Xor, Op::Implies, Op::Equal, Op::Distinct, Op::Ite];
        let op = *ops.choose(random).expect("there are operators");
        let count = match op {
            Op::Not => 1,
            Op::Ite => 3,
            Op::And | Op::Or => random.random_range(1..5),
            _ => random.random_range(2..5),
        };
        let mut part = || {
            let recent = terms.len().saturating_sub(5);
            let from = if random.random() { &terms[recent..] } else { &terms[..] };
            *from.choose(random).expect("there are terms")
        };
        let arguments: Vec<TermId> = (0..count).map(|_| part()).collect();
        terms.push(store.make(op, &arguments));
    }
    *terms.last().expect("there are terms")
}

/// The truth value of a conjunction.
fn holds(store: &TermStore, model: &Model, formulas: &[TermId]) -> bool {
    formulas.iter().all(|&formula| evaluate(store, model, formula) == Ok(Value::Bool(true)))
}

/// The model with the values of the formulas that new symbols represent.
fn extended(store: &TermStore, model: &Model, form: &NormalForm) -> Model {
    let mut extended = model.clone();
    for &(symbol, meaning) in &form.definitions {
        extended.set_constant(symbol, evaluate(store, model, meaning).expect("a value"));
    }
    extended
}

fn is_literal(store: &TermStore, term: TermId) -> bool {
    let atom = if store.op(term) == Op::Not { store.args(term)[0] } else { term };
    let has_truth_arguments = store.args(atom).iter().any(|&argument| store.is_bool(argument));
    let is_connective = match store.op(atom) {
        Op::Equal | Op::Distinct | Op::Ite => has_truth_arguments,
        op => matches!(op, Op::Not | Op::And | Op::Or | Op::Implies | Op::Xor),
    };
    !is_connective
}

fn assert_is_clause(store: &TermStore, clause: TermId) {
    let is_clause = match store.op(clause) {
        Op::Or => store.args(clause).iter().all(|&literal| is_literal(store, literal)),
        _ => is_literal(store, clause),
    };
    assert!(is_clause, "{}", print_term(store, clause));
}

/// Every assignment to these symbols.
fn assignments(symbols: &[SymbolId]) -> impl Iterator<Item = Model> + '_ {
    (0..1u32 << symbols.len()).map(|bits| {
        let mut model = Model::new();
        for (position, &symbol) in symbols.iter().enumerate() {
            model.set_constant(symbol, Value::Bool(bits >> position & 1 == 1));
        }
        model
    })
}

#[test]
fn all_models_of_connectives_are_kept_and_none_is_added() {
    let mut with_names = 0;
    for seed in 0..150 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut store = TermStore::new();
        let assertions = [(); 2].map(|()| connectives(&mut store, 4, &mut random));
        for naming in NAMINGS {
            let form = conjunctive_normal_form(&mut store, &assertions, naming);
            form.clauses.iter().for_each(|&clause| assert_is_clause(&store, clause));
            with_names += usize::from(!form.definitions.is_empty());
            let old = Formula::of_assertions(&store, assertions.to_vec()).symbols;
            for model in assignments(&old) {
                let truth = holds(&store, &model, &assertions);
                let extended = extended(&store, &model, &form);
                assert_eq!(holds(&store, &extended, &form.clauses), truth, "seed {seed}, {naming:?}");
            }
            let all: BTreeSet<SymbolId> =
                old.iter().copied().chain(form.definitions.iter().map(|&(symbol, _)| symbol)).collect();
            let all: Vec<SymbolId> = all.into_iter().collect();
            if all.len() <= 11 {
                for model in assignments(&all) {
                    let is_kept = !holds(&store, &model, &form.clauses) || holds(&store, &model, &assertions);
                    assert!(is_kept, "seed {seed}, {naming:?}: a model is added");
                }
            }
        }
    }
    assert!(with_names > 50, "only {with_names} forms have names");
}

#[test]
fn formulas_over_terms_keep_their_values() {
    for seed in 0..200 {
        let mut store = TermStore::new();
        let options = Options { operations: 60, ..Options::default() };
        let mut generator = Generator::new(&mut store, seed, options);
        let assertions = [(); 3].map(|()| generator.formula(&mut store));
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        for naming in NAMINGS {
            let form = conjunctive_normal_form(&mut store, &assertions, naming);
            for _ in 0..20 {
                let model = random_model(&store, &assertions, &mut random);
                let extended = extended(&store, &model, &form);
                let truth = holds(&store, &model, &assertions);
                assert_eq!(holds(&store, &extended, &form.clauses), truth, "seed {seed}, {naming:?}");
            }
        }
    }
}

/// Formulas with parts that stay atoms: quantifiers, truth values as arguments, conditional terms.
const SEEDS: [&str; 3] = [
    "(declare-fun x () Int) (declare-fun y () Int) (declare-fun p () Bool) (declare-fun q (Bool Int) Bool)
     (assert (=> (or (< x y 7) (not p)) (and (not (<= x 3)) (ite p (> x y) (distinct x y 2)))))
     (assert (xor (> x 2) (or p (and (< y 5) (= p (q (and p (< x y)) y) (> y x))))))
     (assert (not (and (or (= x 1) (and (> y 2) (> y 3) p)) (or p (< x 1) (and (= y 2) (= x 3))) (q p 0))))",
    "(declare-fun x () Real) (declare-fun p () Bool) (declare-fun r () Bool)
     (assert (or p (not (forall ((z Real) (p0 Bool)) (or p0 (and (> z x) (< z (ite p x 2.0))))))))
     (assert (ite (and p (< x 1)) (=> r p (> x 2)) (or (and p r) (and (not p) (not r)) (= x 1))))",
    "(declare-fun b () (_ BitVec 4)) (declare-fun c () (_ BitVec 4)) (declare-fun p0 () Bool)
     (assert (distinct (bvult b c) (xor p0 (bvslt c b) (= b c) (= b #x7) (bvule #x3 c))))
     (assert (or (and p0 (bvult b #x4)) (and (bvult c b) (= c #x1)) (and (not p0) (distinct b c #x0))))",
];

#[test]
fn solvers_find_no_difference() {
    let limit = Duration::from_secs(60);
    for seed in SEEDS {
        let mut store = TermStore::new();
        let source = SourceText::new("seed", seed);
        let script = parse_script(&mut store, &source, TheorySet::ALL).expect("a legal script");
        let assertions = script.formula().assertions;
        for naming in NAMINGS {
            let form = conjunctive_normal_form(&mut store, &assertions, naming);
            assert!(!form.definitions.is_empty(), "something is too large to be distributed");
            let before = store.make(Op::And, &assertions);
            let after = store.make(Op::And, &form.clauses);
            let meanings: FxHashMap<TermId, TermId> = form
                .definitions
                .iter()
                .map(|&(symbol, meaning)| (store.symbol_term(symbol), meaning))
                .collect();
            let defined = substitute(&mut store, after, &meanings).expect("truth values for truth values");
            let differs = store.make(Op::Xor, &[before, defined]);
            let not_before = store.make(Op::Not, &[before]);
            let adds = store.make(Op::And, &[after, not_before]);
            for claim in [differs, adds] {
                let text = print_formula(&store, &Formula::of_assertions(&store, vec![claim]));
                for oracle in [Oracle::Z3, Oracle::Cvc5] {
                    let answers = oracle.run(&text, limit);
                    assert_eq!(answers.answers, [Answer::Unsat], "{oracle}: {:?}\n{text}", answers.other);
                }
            }
        }
    }
}

#[test]
fn forms_grow_linearly() {
    let literals = |store: &TermStore, form: &NormalForm| {
        let count = |&clause: &TermId| if store.op(clause) == Op::Or { store.args(clause).len() } else { 1 };
        form.clauses.iter().map(count).sum::<usize>()
    };
    const DEPTH: usize = 20_000;
    for op in [Op::Xor, Op::Equal, Op::And, Op::Or, Op::Implies, Op::Ite] {
        let mut store = TermStore::new();
        let fresh = |store: &mut TermStore, number: usize| {
            let symbol = store.declare(&format!("a{number}"), &[], SortId::BOOL);
            store.symbol_term(symbol)
        };
        let mut formula = fresh(&mut store, DEPTH);
        for number in 0..DEPTH {
            let atom = fresh(&mut store, number);
            let negated = store.make(Op::Not, &[formula]);
            // Conjunctions and disjunctions take turns; both parts of others occur in both directions.
            formula = match op {
                Op::Ite => store.make(op, &[atom, formula, negated]),
                _ => store.make(op, &[atom, negated]),
            };
        }
        for naming in NAMINGS {
            let form = conjunctive_normal_form(&mut store, &[formula], naming);
            let length = literals(&store, &form);
            assert!(length < 30 * DEPTH, "{op:?}, {naming:?}: {length} literals");
        }
    }
    // A long disjunction in many clauses.
    let mut store = TermStore::new();
    let symbols: Vec<TermId> = (0..600)
        .map(|number| {
            let symbol = store.declare(&format!("a{number}"), &[], SortId::BOOL);
            store.symbol_term(symbol)
        })
        .collect();
    let long = store.make(Op::Or, &symbols[..300]);
    let assertions: Vec<TermId> =
        symbols[300..].iter().map(|&symbol| store.make(Op::Or, &[symbol, long])).collect();
    let form = conjunctive_normal_form(&mut store, &assertions, Naming::Equivalent);
    assert_eq!(form.definitions, [(form.definitions[0].0, long)]);
    assert!(literals(&store, &form) <= 2 * 300 + 301 + 2 * 300);
}

#[test]
fn nothing_true_is_asserted_and_nothing_false_lost() {
    let mut store = TermStore::new();
    let p = store.declare("p", &[], SortId::BOOL);
    let p = store.symbol_term(p);
    let [yes, no] = [true, false].map(|value| store.bool(value));
    let not = store.make(Op::Not, &[p]);
    let tautology = store.make(Op::Or, &[p, not]);
    let form = conjunctive_normal_form(&mut store, &[yes, tautology], Naming::Equivalent);
    assert_eq!(form, NormalForm::default());
    let only = store.make(Op::Or, &[no, p, no]);
    let form = conjunctive_normal_form(&mut store, &[only, no], Naming::Equivalent);
    assert_eq!(form.clauses, [p, no]);
}

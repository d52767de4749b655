//! Terms without bits: a small theory of the order of integers owns constants of sort `Int` and what compares them, plugs
//! in beside the theories of the engine, instead of the engine's own theory of numbers, and gives its constants their values. Without any such terms are
//! unsupported.

use sundry_smtlib::{SourceText, TheorySet, parse_script};
use sundry_solver::{
    Aig, Answer, Assignment, BuildError, Edge, Engine, EngineOptions, Leaf, Lemma, LemmaKind, Limits, Query,
    Refusal, Session, Theory, TheoryAnswer, Tracking, UnknownReason, Unsupported, Verdict,
};
use sundry_term::{
    ArithmeticOp, Control, Evaluator, Model, Op, SortId, SymbolId, TermId, TermStore, TheoryName, Value,
};

/// A constant plus a number; without a constant, the number itself.
type Side = (Option<SymbolId>, i64);

/// The order of integers: constants and literals compared by `<` and `=`.
#[derive(Clone, Default)]
struct Order {
    /// Edges that say that the left side is less than the right one.
    less: Vec<(Edge, Side, Side)>,
}

/// The outcome of an assignment: values of constants, or the edges of a cycle that contradicts itself.
type Values = Result<Vec<(Option<SymbolId>, i64)>, Vec<Edge>>;

impl Order {
    fn side(store: &TermStore, term: TermId) -> Option<Side> {
        match (store.constant_symbol(term), store.value(term)) {
            (Some(symbol), _) => Some((Some(symbol), 0)),
            (_, Some(Value::Int(number))) => Some((None, i64::try_from(number).ok()?)),
            _ => None,
        }
    }

    fn is_less(&self, value: &dyn Fn(Edge) -> bool) -> Vec<(Side, Side, i64, Edge)> {
        let bound = |&(edge, left, right): &(Edge, Side, Side)| match value(edge) {
            true => (left, right, -1, !edge),
            false => (right, left, 0, edge),
        };
        self.less.iter().map(bound).collect()
    }

    /// Constants that meet all bounds `left - right <= most`, as distances from one another (Bellman & Ford).
    fn values(&self, value: &dyn Fn(Edge) -> bool) -> Values {
        let bounds = self.is_less(value);
        let mut nodes: Vec<Option<SymbolId>> = vec![None];
        nodes.extend(bounds.iter().flat_map(|bound| [bound.0.0, bound.1.0]));
        nodes.sort_unstable();
        nodes.dedup();
        let place = |side: &Side| nodes.binary_search(&side.0).expect("a node");
        let mut distances = vec![0; nodes.len()];
        let mut reasons = vec![None; nodes.len()];
        for _ in 0..=nodes.len() {
            let mut changed = None;
            for (number, (left, right, most, _)) in bounds.iter().enumerate() {
                let limit = distances[place(right)] + right.1 - left.1 + most;
                if distances[place(left)] > limit {
                    distances[place(left)] = limit;
                    reasons[place(left)] = Some(number);
                    changed = Some(place(left));
                }
            }
            let Some(last) = changed else {
                let zero = distances[place(&(None, 0))];
                return Ok(nodes.iter().zip(&distances).map(|(&node, at)| (node, at - zero)).collect());
            };
            // Back into a cycle, and once around it.
            let back = |node: usize| reasons[node].map(|number: usize| place(&bounds[number].1));
            let mut walk = std::iter::successors(Some(last), |&node| back(node)).skip(nodes.len());
            if let Some(start) = walk.next() {
                let mut cycle: Vec<usize> = vec![start];
                cycle.extend(walk.take_while(|&node| node != start));
                let clause = |node: usize| bounds[reasons[node].expect("it is on the cycle")].3;
                return Err(cycle.into_iter().map(clause).collect());
            }
        }
        unreachable!("distances that change for so long do so in a cycle")
    }
}

impl Theory for Order {
    fn name(&self) -> &'static str {
        "order"
    }

    fn owns(&self, store: &TermStore, term: TermId) -> bool {
        let is_side =
            |&term: &TermId| store.sort_of(term) == SortId::INT && Order::side(store, term).is_some();
        match store.op(term) {
            Op::Apply(_) => is_side(&term),
            Op::Equal | Op::Arithmetic(ArithmeticOp::Less) => {
                store.args(term).len() == 2 && store.args(term).iter().all(is_side)
            }
            _ => false,
        }
    }

    fn register(&mut self, aig: &mut Aig, store: &TermStore, leaf: Leaf<'_>) -> Vec<Lemma> {
        let &[atom] = leaf.bits else { return Vec::new() };
        let sides = store.args(leaf.term).iter().map(|&side| Order::side(store, side).expect("it is owned"));
        let [left, right] = sides.collect::<Vec<Side>>()[..] else { unreachable!("it has two sides") };
        if store.op(leaf.term) != Op::Equal {
            self.less.push((atom, left, right));
            return Vec::new();
        }
        // Two numbers are equal where neither is less.
        let (below, above) = (aig.input(), aig.input());
        self.less.extend([(below, left, right), (above, right, left)]);
        let clauses = [vec![atom, below, above], vec![!atom, !below], vec![!atom, !above]];
        clauses.map(|clause| Lemma { kind: LemmaKind::Plugged("equality"), clause }).to_vec()
    }

    fn is_trivial(&self) -> bool {
        self.less.is_empty()
    }

    fn check(&mut self, _aig: &mut Aig, Assignment { value, .. }: Assignment<'_>) -> TheoryAnswer {
        match self.values(value) {
            Ok(_) => TheoryAnswer::Consistent,
            Err(clause) => TheoryAnswer::Refuted(vec![Lemma { kind: LemmaKind::Plugged("cycle"), clause }]),
        }
    }

    fn complete(&self, _store: &TermStore, value: &dyn Fn(Edge) -> bool, model: &mut Model) {
        for (symbol, number) in self.values(value).into_iter().flatten() {
            if let Some(symbol) = symbol {
                model.set_constant(symbol, Value::Int(number.into()));
            }
        }
    }

    fn boxed(&self) -> Box<dyn Theory> {
        Box::new(self.clone())
    }
}

fn with_order() -> EngineOptions {
    EngineOptions {
        theories: vec![Box::new(Order::default())],
        has_numbers: false,
        ..EngineOptions::default()
    }
}

fn parsed(assertions: &str) -> (TermStore, Vec<TermId>) {
    const DECLARATIONS: &str = "(declare-const x Int) (declare-const y Int) (declare-const z Int)
        (declare-const p Bool) (declare-const b (_ BitVec 4)) (declare-const a (Array (_ BitVec 4) (_ BitVec 4)))";
    let mut store = TermStore::new();
    let source = SourceText::new("formula", format!("{DECLARATIONS} {assertions}"));
    let script = parse_script(&mut store, &source, TheorySet::ALL).expect("a script");
    (store, script.formula().assertions)
}

/// Formulas of order, with the answer.
const FORMULAS: [(&str, Verdict); 14] = [
    ("(assert (< x y)) (assert (< y z))", Verdict::Sat),
    ("(assert (< x y)) (assert (< y z)) (assert (< z x))", Verdict::Unsat),
    ("(assert (not (< x y))) (assert (not (< y z))) (assert (not (< z x)))", Verdict::Sat),
    ("(assert (= x y)) (assert (= y z)) (assert (not (= x z)))", Verdict::Unsat),
    ("(assert (or (< x y) (< y x))) (assert (= x y))", Verdict::Unsat),
    ("(assert (not (= x y))) (assert (not (= y z))) (assert (not (= x z)))", Verdict::Sat),
    // Literals are places on the same line.
    ("(assert (< 3 x)) (assert (< x 5)) (assert (not (= x 4)))", Verdict::Unsat),
    ("(assert (< 3 x)) (assert (< x 6)) (assert (not (= x 4)))", Verdict::Sat),
    ("(assert (= x 7)) (assert (= y 9)) (assert (< x z)) (assert (< z y))", Verdict::Sat),
    ("(assert (= x 7)) (assert (= y 8)) (assert (< x z)) (assert (< z y))", Verdict::Unsat),
    // Two places for three different numbers.
    (
        "(assert (< 0 x)) (assert (< x 3)) (assert (< 0 y)) (assert (< y 3)) (assert (< 0 z)) (assert (< z 3))
         (assert (not (= x y))) (assert (not (= y z))) (assert (not (= x z)))",
        Verdict::Unsat,
    ),
    // Together with other theories.
    ("(assert (= p (< x y))) (assert (= (not p) (< y x))) (assert (= x y))", Verdict::Unsat),
    ("(assert (= (< x y) (bvult b #b0100))) (assert (< y x)) (assert (= (bvmul b b) #b0001))", Verdict::Sat),
    (
        "(assert (ite (< x 4) (= (select a b) #b0001) (= (select a #b0010) #b0000))) (assert (= b #b0010))
         (assert (not (= (select a b) #b0000))) (assert (not (< x 4)))",
        Verdict::Unsat,
    ),
];

#[test]
fn a_theory_of_terms_without_bits_plugs_in() {
    for (text, expected) in FORMULAS {
        let (mut store, assertions) = parsed(text);
        let mut engine = Engine::new(&with_order(), &Control::default());
        engine.assert_initial(&mut store, &assertions).expect("all terms have an owner or a circuit");
        let checked = engine.check(Query::default());
        assert_eq!(checked.verdict(), expected, "{text}");
        let Ok(found) = checked.model() else { continue };
        let model = found.model(&store);
        let mut evaluator = Evaluator::new(&store, &model);
        evaluator.evaluate(&assertions).expect("the model is complete");
        let holds = |&term: &TermId| evaluator.value(term) == Some(&Value::Bool(true));
        assert!(assertions.iter().all(holds), "{text}: {model:?}");
    }
}

#[test]
fn sessions_ask_the_theory_at_every_height() {
    for (text, expected) in FORMULAS {
        let (mut store, assertions) = parsed(text);
        let mut session = Session::new(with_order());
        for &assertion in &assertions {
            session.push();
            session.assert(assertion, Tracking::Named);
        }
        for height in (1..=assertions.len()).rev() {
            // A session judges its models.
            let answer = session.check(&mut store, &[], &Limits::default());
            let is_expected = match answer {
                Answer::Sat(_) => expected == Verdict::Sat || height < assertions.len(),
                Answer::Unsat(_) => expected == Verdict::Unsat,
                Answer::Unknown(_) => false,
            };
            assert!(is_expected, "{text} at height {height}: {answer:?}");
            session.pop();
        }
    }
}

#[test]
fn lemmas_are_about_atoms() {
    let (mut store, assertions) = parsed("(assert (< x y)) (assert (< y z)) (assert (= x z))");
    let mut engine = Engine::new(&with_order(), &Control::default());
    engine.assert_initial(&mut store, &assertions).expect("all terms have an owner");
    assert_eq!(engine.check(Query::default()).verdict(), Verdict::Unsat);
    let lemmas = engine.statistics().lemmas;
    assert_eq!(lemmas[&LemmaKind::Plugged("equality")], 3);
    assert!(lemmas[&LemmaKind::Plugged("cycle")] >= 1, "{lemmas:?}");
}

#[test]
fn what_nobody_owns_is_unsupported() {
    let refused = |text: &str, options: &EngineOptions| {
        let (mut store, assertions) = parsed(text);
        let mut engine = Engine::new(options, &Control::default());
        let initially = engine.assert_initial(&mut store, &assertions);
        let mut session = Session::new(options.clone());
        assertions.iter().for_each(|&assertion| session.assert(assertion, Tracking::Silent));
        let Err(BuildError::Refused(Refusal::Unsupported(error))) = initially else {
            panic!("{text}: {initially:?}")
        };
        let answer = session.check(&mut store, &[], &Limits::default());
        assert!(
            matches!(answer, Answer::Unknown(UnknownReason::Unsupported(same)) if same == error),
            "{text}: {answer:?}"
        );
        let Unsupported { term, theory } = error;
        assert_eq!(theory, TheoryName::Integers, "{text}");
        sundry_smtlib::print_term(&store, term)
    };
    let without = EngineOptions { has_numbers: false, ..EngineOptions::default() };
    assert_eq!(refused("(assert (or p (< x y)))", &without), "x");
    // The theory has integers, but no sums, no choices and no functions of them.
    assert_eq!(refused("(assert (< (+ x 1) y))", &with_order()), "(+ x 1)");
    assert_eq!(refused("(assert (< (ite p x y) z))", &with_order()), "(ite p x y)");
    assert_eq!(refused("(declare-fun f (Int) Bool) (assert (f x))", &with_order()), "(f x)");
}

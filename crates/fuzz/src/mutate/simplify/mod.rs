//! Formulas that simplification alone decides: mutants of these test the same simplifications of a solver again and
//! again, and nothing beyond them.

mod identities;

use identities::{by_identity, number};
use rustc_hash::{FxHashMap, FxHashSet};
use sundry_term::{Model, Op, TermId, TermStore, Value, evaluate};

use crate::mutate::random_literal::has_literals;

/// Whether these assertions hold together, where that follows from literals and connectives alone.
pub fn decided(store: &mut TermStore, assertions: &[TermId]) -> Option<bool> {
    let conjunction = Simplifier::of_connectives().conjunction(store, assertions);
    truth(store, conjunction)
}

/// The work of evaluations after which terms without symbols stay as they are.
const MOST_WORK: usize = 100_000_000;

/// Simplifies formulas of one store, and remembers the terms that it has simplified.
#[derive(Clone, Debug, Default)]
pub(crate) struct Simplifier {
    simple: FxHashMap<TermId, TermId>,
    /// Simplified terms without symbols, such as negative numbers, which are applications.
    ground: FxHashSet<TermId>,
    /// The work of evaluations so far, in terms.
    work: usize,
    /// Whether only literals and connectives are simplified, and no terms of theories by their identities.
    only_connectives: bool,
}

impl Simplifier {
    /// A simplifier that knows no identities of theories.
    pub(crate) fn of_connectives() -> Simplifier {
        Simplifier { only_connectives: true, ..Simplifier::default() }
    }

    /// The simplified conjunction of these assertions.
    pub(crate) fn conjunction(&mut self, store: &mut TermStore, assertions: &[TermId]) -> TermId {
        let mut open = assertions.to_vec();
        while let Some(&term) = open.last() {
            if self.simple.contains_key(&term) {
                open.pop();
                continue;
            }
            let before = open.len();
            open.extend(store.args(term).iter().filter(|argument| !self.simple.contains_key(argument)));
            if open.len() == before {
                let simplified = self.simplified(store, term);
                self.simple.insert(term, simplified);
                open.pop();
            }
        }
        let conjunction: Vec<TermId> = assertions.iter().map(|assertion| self.simple[assertion]).collect();
        connected(store, Op::And, &conjunction)
    }

    /// The simplified term, given its simplified arguments.
    fn simplified(&mut self, store: &mut TermStore, term: TermId) -> TermId {
        let op = store.op(term);
        let arguments: Vec<TermId> = store.args(term).iter().map(|argument| self.simple[argument]).collect();
        if is_symbolic(op) || !arguments.iter().all(|argument| self.ground.contains(argument)) {
            return simplified(store, term, &arguments, !self.only_connectives);
        }
        let made = if arguments.is_empty() { term } else { store.term(op, &arguments).unwrap_or(term) };
        let value = self.value(store, made);
        let made = value.map_or(made, |value| store.value_term(store.sort_of(made), &value));
        self.ground.insert(made);
        made
    }

    /// The value of a term without symbols, unless the term is a literal or a number already.
    fn value(&mut self, store: &TermStore, term: TermId) -> Option<Value> {
        let is_simple = store.value(term).is_some() || number(store, term).is_some();
        if is_simple || !has_literals(store, store.sort_of(term)) || self.work > MOST_WORK {
            return None;
        }
        // An evaluator has room for all terms up to this one.
        self.work += store.term_count();
        evaluate(store, &Model::new(), term).ok()
    }
}

/// Whether an application depends on more than its arguments.
fn is_symbolic(op: Op) -> bool {
    matches!(op, Op::Apply(_) | Op::Forall(_) | Op::Exists(_))
}

fn truth(store: &TermStore, term: TermId) -> Option<bool> {
    match store.value(term) {
        Some(&Value::Bool(value)) => Some(value),
        _ => None,
    }
}

/// Arguments of a connective that are taken into the one around it, at most: deep nesting takes linear time.
const FLATTENED: usize = 8;

/// The simplified term, given its simplified arguments, some of which have symbols.
fn simplified(store: &mut TermStore, term: TermId, arguments: &[TermId], with_identities: bool) -> TermId {
    let op = store.op(term);
    if arguments.is_empty() {
        return term;
    }
    match (op, arguments) {
        (Op::And | Op::Or, _) => return connected(store, op, arguments),
        (Op::Implies, [premises @ .., conclusion]) => {
            let mut parts: Vec<TermId> = premises.iter().map(|&premise| negation(store, premise)).collect();
            parts.push(*conclusion);
            return connected(store, Op::Or, &parts);
        }
        (Op::Not, &[argument]) => return negation(store, argument),
        (Op::Ite, &[condition, then, otherwise]) => match truth(store, condition) {
            Some(true) => return then,
            Some(false) => return otherwise,
            None if then == otherwise => return then,
            None if store.is_bool(then) => {
                let denied = negation(store, condition);
                match (truth(store, then), truth(store, otherwise)) {
                    (Some(true), _) => return connected(store, Op::Or, &[condition, otherwise]),
                    (Some(false), _) => return connected(store, Op::And, &[denied, otherwise]),
                    (_, Some(true)) => return connected(store, Op::Or, &[denied, then]),
                    (_, Some(false)) => return connected(store, Op::And, &[condition, then]),
                    _ => {}
                }
            }
            None => {}
        },
        (Op::Distinct, all) => {
            let different: FxHashSet<TermId> = all.iter().copied().collect();
            if different.len() < all.len() {
                return store.bool(false);
            }
        }
        _ => {}
    }
    let Ok(made) = store.term(op, arguments) else { return term };
    match store.op(made) {
        Op::Forall(_) | Op::Exists(_) if truth(store, arguments[0]).is_some() => arguments[0],
        Op::Equal if arguments.windows(2).all(|pair| pair[0] == pair[1]) => store.bool(true),
        _ if !with_identities => made,
        _ => by_identity(store, op, arguments).unwrap_or(made),
    }
}

fn negation(store: &mut TermStore, term: TermId) -> TermId {
    match (store.op(term), truth(store, term)) {
        (_, Some(value)) => store.bool(!value),
        (Op::Not, _) => store.args(term)[0],
        _ => store.make(Op::Not, &[term]),
    }
}

/// A conjunction or disjunction.
fn connected(store: &mut TermStore, op: Op, arguments: &[TermId]) -> TermId {
    // The value that decides alone.
    let strong = op == Op::Or;
    let mut kept = Vec::new();
    let mut seen = FxHashSet::default();
    let is_nested = |argument: TermId| store.op(argument) == op && store.args(argument).len() <= FLATTENED;
    let parts = |&argument: &TermId| match is_nested(argument) {
        true => store.args(argument).to_vec(),
        false => vec![argument],
    };
    let parts: Vec<TermId> = arguments.iter().flat_map(parts).collect();
    for argument in parts {
        match truth(store, argument) {
            Some(value) if value == strong => return argument,
            Some(_) => continue,
            None => {}
        }
        let opposite = negation(store, argument);
        if seen.contains(&opposite) {
            return store.bool(strong);
        }
        if seen.insert(argument) {
            kept.push(argument);
        }
    }
    kept.sort_unstable();
    match kept[..] {
        [] => store.bool(!strong),
        [only] => only,
        _ => store.make(op, &kept),
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;
    use sundry_smtlib::{Formula, SourceText, TheorySet, parse_script, print_term};

    use super::*;
    use crate::mutate::injection::Snippets;
    use crate::mutate::random_literal::random_literal;
    use crate::mutate::vocabulary::Vocabulary;

    fn decide(assertions: &str) -> Option<bool> {
        decide_with(&mut Simplifier::of_connectives(), assertions)
    }

    fn decide_with(simplifier: &mut Simplifier, assertions: &str) -> Option<bool> {
        let text = format!(
            "(declare-fun p () Bool) (declare-fun q () Bool) (declare-fun x () Int) (declare-fun s () String)\
             (declare-fun b () (_ BitVec 8)) {assertions}"
        );
        let mut store = TermStore::new();
        let script = parse_script(&mut store, &SourceText::new("test", text), TheorySet::ALL);
        let formula = script.expect("a legal script").formula();
        let conjunction = simplifier.conjunction(&mut store, &formula.assertions);
        truth(&store, conjunction)
    }

    #[test]
    fn literals_and_connectives_decide() {
        assert_eq!(decide(""), Some(true));
        assert_eq!(decide("(assert (=> p (or p q)))"), Some(true));
        assert_eq!(decide("(assert p) (assert (not p))"), Some(false));
        assert_eq!(decide("(assert (< (+ 1 1) (str.len \"a\")))"), Some(false));
        assert_eq!(decide("(assert (ite (= x x) q q))"), None);
        assert_eq!(decide("(assert (distinct x 3 x))"), Some(false));
        assert_eq!(decide("(assert (= (ite (= s s) x 4) x))"), Some(true));
        assert_eq!(decide("(assert (and (or p q) (< x 3)))"), None);
        assert_eq!(
            decide("(assert (str.in_re \"b\" (re.++ (str.to_re \"a\") (str.to_re \"b\"))))"),
            Some(false)
        );
        assert_eq!(decide("(assert (<= 0 (- 1)))"), Some(false));
        assert_eq!(decide("(assert (< x x))"), None);
    }

    #[test]
    fn identities_decide() {
        for valid in [
            "(<= 6 6 7)",
            "(not (< x x))",
            "(= (- x x) 0)",
            "(< (+ x 1) (+ 2 x))",
            "(distinct (* 2 x) (+ (* 2 x) 1))",
            "(= (= p true) p)",
            "(xor p (not p))",
            "(= (ite p q true) (or (not p) q))",
            "(=> (< x 3) (> 3 x))",
            "(str.prefixof \"\" s)",
            "(str.<= s s)",
            "(bvule b #xff)",
            "(bvule b (bvor b #x00))",
            "(= (bvxor b b) (bvand #x00 b))",
            "(= (bvadd b #x01) (bvadd #x01 b))",
        ] {
            let decided = decide_with(&mut Simplifier::default(), &format!("(assert {valid})"));
            assert_eq!(decided, Some(true), "{valid}");
        }
        for open in
            ["(<= 6 x 7)", "(bvsle #x00 b)", "(bvult b #xff)", "(< (* x x) (* 2 x))", "(= (ite p q true) q)"]
        {
            let decided = decide_with(&mut Simplifier::default(), &format!("(assert {open})"));
            assert_eq!(decided, None, "{open}");
        }
    }

    /// Evaluates random formulas before and after.
    #[test]
    fn simplification_preserves_the_meaning() {
        let text =
            "(declare-fun p () Bool) (declare-fun x () Int) (declare-fun y () Int) (declare-fun r () Real)
            (declare-fun s () String) (declare-fun t () String) (declare-fun b () (_ BitVec 3))
            (declare-fun c () (_ BitVec 3)) (assert (or p (= x y) (= r 0.5) (= s t) (= b c)))";
        let mut store = TermStore::new();
        let script = parse_script(&mut store, &SourceText::new("test", text), TheorySet::ALL);
        let formula = script.expect("a legal script").formula();
        let vocabulary = Vocabulary::of(&store, &formula.assertions);
        let mut snippets = Snippets::new(&mut store, vocabulary);
        let mut random = ChaCha8Rng::seed_from_u64(3);
        let (mut simplifier, mut changed) = (Simplifier::default(), 0);
        for _ in 0..3_000 {
            let original = snippets.formula(&mut store, &mut random);
            let simplified = simplifier.conjunction(&mut store, &[original]);
            changed += usize::from(simplified != original);
            let symbols = Formula::of_assertions(&store, vec![original]).symbols;
            for _ in 0..4 {
                let mut model = Model::new();
                for &symbol in &symbols {
                    let sort = store.symbol(symbol).result;
                    let literal =
                        random_literal(&mut store, sort, &mut random).expect("a sort with literals");
                    let value = evaluate(&store, &Model::new(), literal).expect("a literal");
                    model.set_constant(symbol, value);
                }
                // What the standard leaves open has no value.
                if let Ok(value) = evaluate(&store, &model, original) {
                    assert_eq!(
                        evaluate(&store, &model, simplified),
                        Ok(value),
                        "{}",
                        print_term(&store, original)
                    );
                }
            }
        }
        assert!(changed > 1_000, "{changed} formulas were simplified");
    }

    #[test]
    fn what_the_standard_leaves_open_does_not_decide() {
        assert_eq!(decide("(assert (= (div 1 0) 2))"), None);
        assert_eq!(decide("(assert (forall ((y Int)) (= y y)))"), Some(true));
        assert_eq!(decide("(assert (exists ((y Int)) (= y x)))"), None);
    }
}

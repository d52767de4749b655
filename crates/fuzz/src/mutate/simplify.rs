//! Formulas that simplification alone decides: mutants of these test the same simplifications of a solver again and
//! again, and nothing beyond them.

use rustc_hash::{FxHashMap, FxHashSet};
use sundry_term::{Model, Op, TermId, TermStore, Value, evaluate};

use crate::mutate::random_literal::has_literals;

/// Whether these assertions hold together, where that follows from literals and connectives alone.
pub fn decided(store: &mut TermStore, assertions: &[TermId]) -> Option<bool> {
    let mut simple = FxHashMap::default();
    for term in store.reachable(assertions) {
        let simplified = simplified(store, term, &simple);
        simple.insert(term, simplified);
    }
    let conjunction: Vec<TermId> = assertions.iter().map(|assertion| simple[assertion]).collect();
    let conjunction = connected(store, Op::And, &conjunction);
    truth(store, conjunction)
}

fn truth(store: &TermStore, term: TermId) -> Option<bool> {
    match store.value(term) {
        Some(&Value::Bool(value)) => Some(value),
        _ => None,
    }
}

/// Arguments of a connective that are taken into the one around it, at most: deep nesting takes linear time.
const FLATTENED: usize = 8;

/// The simplified term, given its simplified arguments.
fn simplified(store: &mut TermStore, term: TermId, simple: &FxHashMap<TermId, TermId>) -> TermId {
    let op = store.op(term);
    let arguments: Vec<TermId> = store.args(term).iter().map(|argument| simple[argument]).collect();
    if arguments.is_empty() {
        return term;
    }
    match (op, &arguments[..]) {
        (Op::And | Op::Or, _) => return connected(store, op, &arguments),
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
            None => {}
        },
        (Op::Equal, all) if all.windows(2).all(|pair| pair[0] == pair[1]) => return store.bool(true),
        (Op::Distinct, all) => {
            let different: FxHashSet<TermId> = all.iter().copied().collect();
            if different.len() < all.len() {
                return store.bool(false);
            }
        }
        _ => {}
    }
    let Ok(made) = store.term(op, &arguments) else { return term };
    let is_ground = arguments.iter().all(|&argument| store.value(argument).is_some());
    if !is_ground || !has_literals(store, store.sort_of(made)) || matches!(op, Op::Apply(_)) {
        return made;
    }
    match evaluate(store, &Model::new(), made) {
        Ok(value) => store.value_term(store.sort_of(made), &value),
        Err(_) => made,
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
    match kept[..] {
        [] => store.bool(!strong),
        [only] => only,
        _ => store.make(op, &kept),
    }
}

#[cfg(test)]
mod tests {
    use sundry_smtlib::{SourceText, TheorySet, parse_script};

    use super::*;

    fn decide(assertions: &str) -> Option<bool> {
        let text = format!(
            "(declare-fun p () Bool) (declare-fun q () Bool) (declare-fun x () Int) (declare-fun s () String)\
             {assertions}"
        );
        let mut store = TermStore::new();
        let script = parse_script(&mut store, &SourceText::new("test", text), TheorySet::ALL);
        let formula = script.expect("a legal script").formula();
        decided(&mut store, &formula.assertions)
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
        assert_eq!(decide("(assert (str.in_re \"b\" (re.++ (str.to_re \"a\") (str.to_re \"b\"))))"), None);
    }

    #[test]
    fn what_the_standard_leaves_open_does_not_decide() {
        assert_eq!(decide("(assert (= (div 1 0) 2))"), None);
        assert_eq!(decide("(assert (forall ((y Int)) (= y y)))"), Some(true));
        assert_eq!(decide("(assert (exists ((y Int)) (= y x)))"), None);
    }
}

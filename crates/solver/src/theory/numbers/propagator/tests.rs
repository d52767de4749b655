//! Whatever the propagator says is asked of the simplex too.

use std::collections::BTreeSet;
use std::sync::Arc;

use rand::seq::IteratorRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sundry_circuit::Aig;
use sundry_linear::{Outcome, Rational};
use sundry_term::{Control, SortId};

use super::super::{Expression, Numbers};
use super::sums::CANDIDATES_BEFORE;
use super::*;
use crate::theory::lemma::LemmaKind;

/// A literal for an input of the circuit.
fn literal_of(edge: Edge) -> Option<Lit> {
    Some(Var::from_index(edge.node() as usize).literal(!edge.is_complemented()))
}

/// Whether the simplex refutes that these literals are true together. Differences have integer values where they have any.
fn is_refuted(numbers: &Numbers, literals: impl Iterator<Item = Lit>) -> bool {
    let mut simplex = numbers.simplex.clone();
    for literal in literals {
        let is_of = |edge: Edge| literal_of(edge).expect("all have one").var() == literal.var();
        let atom = numbers.atoms.iter().find(|atom| is_of(atom.edge)).expect("a literal of a bound");
        let holds = literal_of(atom.edge) == Some(literal);
        let (side, bound) = atom.bound(holds);
        if simplex.assert(atom.variable, side, bound.clone(), 0).is_err() {
            return true;
        }
    }
    simplex.check(&Control::default()) != Ok(Outcome::Feasible)
}

/// Random bounds of numbers, of differences, and of sums with factors up to this one.
fn random_numbers(random: &mut ChaCha8Rng, greatest: i64) -> Numbers {
    let (mut numbers, mut aig) = (Numbers::default(), Aig::new());
    let sort = if random.random() { SortId::INT } else { SortId::REAL };
    let symbols: Vec<Arc<Expression>> = (0..4).map(|_| numbers.fresh(sort)).collect();
    for _ in 0..25 {
        let one = symbols[random.random_range(0..4)].clone();
        let other =
            symbols[random.random_range(0..4)].scaled(&Rational::from(random.random_range(-1..=greatest)));
        let number = Expression::constant(Rational::from(random.random_range(-6..6)));
        let one = one.scaled(&Rational::from(random.random_range(1..=greatest.max(1))));
        let expression = one.plus(&other, &Rational::ONE).minus(&number);
        numbers.is_at_most_zero(&mut aig, &expression, random.random());
    }
    numbers
}

#[test]
fn the_simplex_confirms_what_follows_from_differences() {
    confirm(0, 0);
}

#[test]
fn the_simplex_confirms_contradictions_of_sums() {
    confirm(3, CANDIDATES_BEFORE);
}

/// Begins a search that goes on with some of the levels of the last one, as CaDiCaL does.
fn go_on(propagator: &mut BoundPropagator, levels: &mut Vec<Vec<Lit>>, random: &mut ChaCha8Rng) {
    levels.truncate(random.random_range(1..=levels.len()));
    propagator.begin();
    propagator.assign(&levels[0]);
    for time in 0..2 {
        if time > 0 && levels.len() > 1 {
            propagator.backtrack(0);
        }
        for literals in &levels[1..] {
            propagator.open_level();
            propagator.assign(literals);
        }
    }
}

/// Asks a propagator about random bounds, with factors up to this one and so many refuted candidates.
fn confirm(greatest: i64, candidates: usize) {
    let (mut followed, mut refuted) = (0, 0);
    for seed in 0..60 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut numbers = random_numbers(&mut random, greatest);
        numbers.refuted = candidates;
        numbers.contested = numbers.atoms.iter().map(|atom| atom.variable).collect();
        let mut propagator = BoundPropagator::default();
        let variables = propagator.learn(&numbers, literal_of);
        if variables.is_empty() {
            continue;
        }
        propagator.begin();
        // The literals that followed when they became true.
        let mut given: BTreeSet<Lit> = BTreeSet::new();
        // The true literals by levels, the first of which has no decision.
        let mut levels: Vec<Vec<Lit>> = vec![Vec::new()];
        for _ in 0..100 {
            let known: BTreeSet<Var> = levels.iter().flatten().map(|literal| literal.var()).collect();
            let open: Vec<Var> = variables.iter().copied().filter(|var| !known.contains(var)).collect();
            if random.random_bool(0.1) {
                go_on(&mut propagator, &mut levels, &mut random);
                // A literal that followed before.
                let true_before =
                    |literal: Lit| levels.iter().flatten().take_while(move |&&other| other != literal);
                if let Some(&literal) =
                    levels.iter().flatten().filter(|literal| given.contains(literal)).choose(&mut random)
                {
                    let reason = propagator.reason(literal);
                    let others = reason.iter().filter(|&&other| other != literal);
                    let mut is_false =
                        others.map(|&other| true_before(literal).any(|&before| before == !other));
                    assert!(is_false.all(|is_false| is_false), "seed {seed}");
                    assert!(is_refuted(&numbers, reason.iter().map(|&other| !other)), "seed {seed}");
                }
                continue;
            }
            if open.is_empty() || random.random_bool(0.1) {
                let level = random.random_range(0..levels.len());
                if level + 1 < levels.len() {
                    levels.truncate(level + 1);
                    propagator.backtrack(level);
                }
                continue;
            }
            propagator.open_level();
            // Several at once, which may contradict each other.
            let decisions: BTreeSet<Var> = (0..3).map(|_| open[random.random_range(0..open.len())]).collect();
            let decisions: Vec<Lit> = decisions.into_iter().map(|var| var.literal(random.random())).collect();
            propagator.assign(&decisions);
            given.retain(|literal| !decisions.contains(literal));
            levels.push(decisions);
            while let Some(literal) = propagator.propagate() {
                let is_true = |literal: Lit| levels.iter().flatten().any(|&other| other == literal);
                assert!(!is_true(!literal), "seed {seed}: refutations come first");
                let reason = propagator.reason(literal);
                assert!(reason.iter().all(|&other| other == literal || is_true(!other)), "seed {seed}");
                assert!(
                    reason.contains(&literal) && is_refuted(&numbers, reason.iter().map(|&other| !other))
                );
                if !is_true(literal) {
                    levels.last_mut().expect("there is one").push(literal);
                    given.insert(literal);
                    propagator.assign(&[literal]);
                    followed += 1;
                }
            }
            if let Some(clause) = propagator.refutation() {
                refuted += 1;
                let is_true = |literal: Lit| levels.iter().flatten().any(|&other| other == literal);
                assert!(clause.iter().all(|&literal| is_true(!literal)), "seed {seed}");
                assert!(is_refuted(&numbers, clause.iter().map(|&literal| !literal)), "seed {seed}");
                levels.pop();
                propagator.backtrack(levels.len() - 1);
            } else {
                let asserted = levels.iter().flatten().copied();
                assert!(!is_refuted(&numbers, asserted), "seed {seed}: the rest has a solution");
            }
        }
    }
    assert!(followed > 300 && refuted > 30, "{followed} followed, {refuted} refuted");
}

#[test]
fn bounds_of_one_variable_imply_each_other_by_clauses() {
    for seed in 0..40 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut numbers = random_numbers(&mut random, 1);
        let order: Vec<Vec<Lit>> = numbers
            .take_lemmas()
            .into_iter()
            .filter(|lemma| lemma.kind == LemmaKind::NumberOrder)
            .map(|lemma| lemma.clause.into_iter().filter_map(literal_of).collect())
            .collect();
        for clause in &order {
            assert!(is_refuted(&numbers, clause.iter().map(|&literal| !literal)), "seed {seed}");
        }
        for one in &numbers.atoms {
            // The bounds that follow by clauses alone.
            let mut implied: BTreeSet<Lit> = literal_of(one.edge).into_iter().collect();
            while let Some(next) = order.iter().find_map(|clause| {
                let open: Vec<Lit> = clause.iter().copied().filter(|&lit| !implied.contains(&!lit)).collect();
                (open.len() == 1 && !implied.contains(&open[0])).then(|| open[0])
            }) {
                implied.insert(next);
            }
            for other in numbers.atoms.iter().filter(|other| other.variable == one.variable) {
                let follows = one.at_most <= other.at_most;
                let literal = literal_of(other.edge).expect("all have one");
                assert_eq!(implied.contains(&literal), follows, "seed {seed}");
            }
        }
    }
}

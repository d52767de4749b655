//! Occurrences of literals in a formula, with the direction in which each may change.
//!
//! A formula grows weaker if a part at a positive place grows weaker, or one at a negative place stronger. Places are
//! reached through conjunctions, disjunctions, negations, implications and the branches of conditionals. A part
//! elsewhere (below `=`, `xor`, a quantifier, or as the argument of a function) has no such direction, and the whole
//! application counts as a literal.

use rand::Rng;
use rustc_hash::FxHashMap;
use sundry_term::{Op, TermId, TermStore};

use crate::mutate::rules::Direction;

/// A place in a formula: the arguments to follow from its root.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LiteralPlace {
    /// The path to the place: each application with the number of the argument that is taken.
    path: Vec<(TermId, usize)>,
    /// The literal at the place.
    pub literal: TermId,
    /// The direction in which the literal must change, so that the formula changes in the wanted direction.
    pub direction: Direction,
}

/// The number of literals of a formula as a tree, which may be very large.
#[derive(Default)]
pub struct Counts(FxHashMap<TermId, f64>);

impl Counts {
    /// The number of literals of a formula.
    fn of(&mut self, store: &TermStore, root: TermId) -> f64 {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.0.contains_key(&term) {
                stack.pop();
                continue;
            }
            let parts: Vec<TermId> =
                directed_parts(store, term).map(|(part, _)| store.args(term)[part]).collect();
            let before = stack.len();
            stack.extend(parts.iter().filter(|part| !self.0.contains_key(part)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let count = parts.iter().map(|part| self.0[part]).sum::<f64>();
            self.0.insert(term, if parts.is_empty() { 1.0 } else { count.min(f64::MAX / 4.0) });
        }
        self.0[&root]
    }
}

/// The arguments of a term through which a direction goes, with whether it is turned round.
fn directed_parts(store: &TermStore, term: TermId) -> impl Iterator<Item = (usize, bool)> + use<> {
    let count = store.args(term).len();
    let (parts, turned) = match store.op(term) {
        Op::And | Op::Or => (0..count, 0..0),
        Op::Not => (0..1, 0..1),
        Op::Implies => (0..count, 0..count - 1),
        Op::Ite if store.is_bool(term) => (1..3, 0..0),
        _ => (0..0, 0..0),
    };
    parts.map(move |part| (part, turned.contains(&part)))
}

/// A random place of a literal in a formula, uniformly distributed, given the direction in which the whole formula
/// changes.
pub fn random_place(
    store: &TermStore,
    counts: &mut Counts,
    root: TermId,
    direction: Direction,
    random: &mut impl Rng,
) -> LiteralPlace {
    counts.of(store, root);
    let (mut term, mut direction, mut path) = (root, direction, Vec::new());
    loop {
        let arguments = store.args(term);
        let mut chosen = None;
        let mut sum = 0.0;
        for (part, turned) in directed_parts(store, term) {
            let weight = counts.0[&arguments[part]];
            sum += weight;
            if random.random_bool((weight / sum).clamp(0.0, 1.0)) {
                chosen = Some((part, turned));
            }
        }
        // A negated atom is one literal, since rules handle both together.
        let is_literal = store.op(term) == Op::Not && directed_parts(store, arguments[0]).next().is_none();
        let Some((part, turned)) = chosen.filter(|_| !is_literal) else {
            return LiteralPlace { path, literal: term, direction };
        };
        path.push((term, part));
        term = arguments[part];
        direction = if turned { direction.dual() } else { direction };
    }
}

impl LiteralPlace {
    /// The formula with something else in this place.
    pub fn replace(&self, store: &mut TermStore, literal: TermId) -> TermId {
        let mut result = literal;
        for &(term, part) in self.path.iter().rev() {
            let mut arguments = store.args(term).to_vec();
            arguments[part] = result;
            result = store.make(store.op(term), &arguments);
        }
        result
    }
}

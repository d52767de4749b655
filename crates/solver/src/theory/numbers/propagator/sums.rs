//! Bounds of sums that contradict each other, found by a simplex while the SAT solver searches.
//!
//! Source: Dutertre & de Moura, *A Fast Linear-Arithmetic Solver for DPLL(T)* (CAV 2006): bounds are asserted as they are decided and taken back cheaply, since
//! values stay as they are. Integers are checked in candidates only.
//!
//! A formula may have thousands of sums, each of which makes all pivots longer. So only those bounds of sums are asserted whose sums have refuted candidates before.

use rustc_hash::{FxHashMap, FxHashSet};
use sundry_linear::{Balance, Mark, Outcome, Prices, Simplex, Tag, Variable};
use sundry_sat::{Lit, Var};
use sundry_term::Control;

use super::super::Numbers;
use super::super::atoms::BoundAtom;
use super::super::check::tag;
use super::trail::Trail;

/// The prices of checks, in entries of the tableau: what one contradiction saves is a candidate, which has values for thousands of bounds.
const PRICES: Prices = Prices { start: 5_000_000, for_found: 200_000, for_asked: 200 };

/// The candidates that numbers refute before bounds of sums are checked during a search. Where it takes a smaller number of candidates, checks cost more
/// than they save.
pub(super) const CANDIDATES_BEFORE: usize = 250;

/// The longest check, in the units of [`Control::spend`].
const LONGEST_CHECK: u64 = 20_000_000;

/// A simplex that hears of bounds as they are decided.
#[derive(Default)]
pub(super) struct SumPropagator {
    simplex: Simplex,
    /// Bounds, and the literal of each.
    bounds: Vec<(BoundAtom, Lit)>,
    /// The places of bounds by the variables of their literals.
    places: FxHashMap<Var, usize>,
    /// The bounds that are true: the place of each, and whether it is the upper one.
    trail: Trail<(usize, bool), Mark>,
    /// Whether bounds are checked at all.
    is_needed: bool,
    /// The variables whose bounds have refuted candidates.
    contested: FxHashSet<Variable>,
    balance: Balance,
}

impl SumPropagator {
    /// Learns which numbers there are, and whether their candidates are refuted often enough.
    pub(super) fn learn_variables(&mut self, numbers: &Numbers) {
        self.is_needed = numbers.refuted >= CANDIDATES_BEFORE;
        if self.is_needed {
            self.simplex.adopt(&numbers.simplex);
            self.contested.clone_from(&numbers.contested);
        }
    }

    /// Learns a bound with its literal.
    pub(super) fn learn_bound(&mut self, atom: &BoundAtom, literal: Lit) {
        self.places.insert(literal.var(), self.bounds.len());
        self.bounds.push((atom.clone(), literal));
    }

    /// The work so far: an entry of the tableau counts as one unit of [`Control::spend`].
    pub(super) fn work(&self) -> u64 {
        self.simplex.work()
    }

    /// Forgets what is true. What is learned comes before it.
    pub(super) fn forget(&mut self) {
        self.trail.begin();
        self.settle();
    }

    pub(super) fn begin(&mut self) {
        self.trail.begin();
    }

    /// Takes back what is not true any more.
    fn settle(&mut self) {
        if let Some((_, mark)) = self.trail.settle() {
            self.simplex.backtrack(mark);
        }
    }

    pub(super) fn assign(&mut self, literals: &[Lit]) {
        if !self.is_needed {
            return;
        }
        for literal in literals {
            let Some(&place) = self.places.get(&literal.var()) else { continue };
            let (atom, of_atom) = &self.bounds[place];
            if !self.simplex.is_sum(atom.variable) || self.contested.contains(&atom.variable) {
                self.trail.assign((place, of_atom == literal));
            }
        }
    }

    pub(super) fn open_level(&mut self) {
        self.trail.open_level();
    }

    pub(super) fn backtrack(&mut self, level: usize) {
        self.trail.backtrack(level);
    }

    /// Looks for a contradiction among the bounds that are true: a clause that not all of them hold.
    pub(super) fn check(&mut self) -> Option<Vec<Lit>> {
        self.settle();
        if self.trail.next().is_none() || !self.balance.allows_next(&PRICES) {
            return None;
        }
        let before = self.simplex.work();
        let conflict = self.find_conflict();
        self.balance.note(&PRICES, self.simplex.work() - before, usize::from(conflict.is_some()));
        Some(self.negation(&conflict?))
    }

    /// Asserts what is true and looks for values within all bounds. `None` where there are some, or where the search takes long.
    fn find_conflict(&mut self) -> Option<Vec<Tag>> {
        while let Some((place, is_upper)) = self.trail.next() {
            let mark = self.simplex.mark();
            let (atom, _) = &self.bounds[place];
            let (side, limit) = atom.bound(is_upper);
            if let Err(tags) = self.simplex.assert(atom.variable, side, limit.clone(), tag(place, is_upper)) {
                return Some(tags);
            }
            self.trail.note_asserted(mark);
        }
        match self.simplex.check(&Control::default().with_work(LONGEST_CHECK)) {
            Ok(Outcome::Conflict(tags)) => Some(tags),
            Ok(Outcome::Feasible) | Err(_) => None,
        }
    }

    /// A clause that not all bounds with these tags hold.
    fn negation(&self, tags: &[Tag]) -> Vec<Lit> {
        let negated = |tag: &Tag| {
            let (_, literal) = self.bounds[*tag as usize / 2];
            if tag % 2 == 1 { !literal } else { literal }
        };
        tags.iter().map(negated).collect()
    }
}

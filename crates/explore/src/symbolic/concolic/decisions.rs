//! Decisions with conditions of their own: divisions that may trap, and places with several outcomes.

use sundry_term::{Op, TermId};
use sundry_wasm::BinaryOp;

use crate::symbolic::{Decision, DecisionKind, Shadow, Terms};

/// The width of the operands of an integer division, if it is one, and whether it has signs.
fn division(op: BinaryOp) -> Option<(u32, bool)> {
    use BinaryOp::*;
    match op {
        I32DivS | I32RemS => Some((32, true)),
        I32DivU | I32RemU => Some((32, false)),
        I64DivS | I64RemS => Some((64, true)),
        I64DivU | I64RemU => Some((64, false)),
        _ => None,
    }
}

impl Shadow<'_> {
    /// Decides whether a division traps. Whether it does not.
    pub(super) fn check_division(
        &mut self,
        place: u32,
        op: BinaryOp,
        operands: (TermId, TermId),
        values: (u64, u64),
    ) -> bool {
        let Some((width, is_signed)) = division(op) else { return true };
        let mask = u64::MAX >> (64 - width);
        let divisor = self.terms.word(operands.1, width);
        let is_zero = self.terms.equals(divisor, 0);
        self.decide(place, DecisionKind::Trap, is_zero, values.1 & mask == 0);
        if values.1 & mask == 0 {
            return false;
        }
        if is_signed && matches!(op, BinaryOp::I32DivS | BinaryOp::I64DivS) {
            let least = 1 << (width - 1);
            let dividend = self.terms.word(operands.0, width);
            let is_least = self.terms.equals(dividend, least);
            let is_minus_one = self.terms.equals(divisor, mask);
            let overflows = self.terms.apply(Op::And, &[is_least, is_minus_one]);
            let does = values.0 & mask == least && values.1 & mask == mask;
            self.decide(place, DecisionKind::Trap, overflows, does);
            return !does;
        }
        true
    }

    /// Adds a decision with several outcomes: the one of the run, and others by outcome. An outcome is none if its condition is false.
    pub(super) fn choose(
        &mut self,
        place: u32,
        kind: DecisionKind,
        outcome: u64,
        conditions: Vec<(u64, TermId)>,
    ) {
        let possible = |terms: &Terms, term| terms.value(term) != Some(0);
        let Some(&(_, condition)) = conditions.iter().find(|(other, _)| *other == outcome) else { return };
        self.limit_decisions();
        if self.is_over || self.is_decided(condition) {
            return;
        }
        let alternatives =
            conditions.into_iter().filter(|&(other, term)| other != outcome && possible(self.terms, term));
        let alternatives = alternatives.collect();
        self.path.decisions.push(Decision { place, kind, outcome, condition, alternatives });
        self.learn(condition, true);
    }

    /// The condition that a word is one of these numbers.
    pub(super) fn is_one_of(&mut self, term: TermId, numbers: &[u64]) -> TermId {
        let equalities: Vec<TermId> = numbers.iter().map(|&number| self.terms.equals(term, number)).collect();
        self.any(&equalities)
    }

    /// The disjunction of conditions.
    pub(super) fn any(&mut self, conditions: &[TermId]) -> TermId {
        match *conditions {
            [single] => single,
            [] => self.terms.store.bool(false),
            _ => self.terms.apply(Op::Or, conditions),
        }
    }
}
/// Groups numbers by what they lead to, in the order of the first.
pub(super) fn group(targets: impl Iterator<Item = (u64, u32)>) -> Vec<(u32, Vec<u64>)> {
    let mut groups: Vec<(u32, Vec<u64>)> = Vec::new();
    let mut positions = rustc_hash::FxHashMap::default();
    for (number, target) in targets {
        let position = *positions.entry(target).or_insert(groups.len());
        if position == groups.len() {
            groups.push((target, Vec::new()));
        }
        groups[position].1.push(number);
    }
    groups
}

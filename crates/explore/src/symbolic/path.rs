//! The path condition of a run.

use rustc_hash::FxHashMap;
use sundry_term::TermId;

/// A kind of place at which a run decides where to go.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum DecisionKind {
    /// A conditional branch or a choice.
    Branch,
    /// A branch to one of several targets.
    Table,
    /// A call through a table.
    Indirect,
    /// Whether an instruction traps.
    Trap,
    /// Whether a read gets as many bytes as it asks for.
    Length,
    /// The region that an address is in.
    Bounds,
    /// A value that had to be concrete.
    Fixed,
    /// An assumption of the program.
    Assumption,
}

/// The outcome that stands for all which no run has taken.
pub const OTHERS: u64 = u64::MAX;

/// A decision that depends on the input.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The number of the instruction.
    pub place: u32,
    /// The kind of the place.
    pub kind: DecisionKind,
    /// The outcome of the run.
    pub outcome: u64,
    /// The condition under which the outcome is this one.
    pub condition: TermId,
    /// Other outcomes, with their conditions.
    pub alternatives: Vec<(u64, TermId)>,
}

/// The decisions of a run so far.
#[derive(Default)]
pub struct Path {
    /// The decisions in their order.
    pub decisions: Vec<Decision>,
    /// Conditions that hold, or do not hold.
    known: FxHashMap<TermId, bool>,
}

impl Path {
    /// The truth value of a condition, if an earlier decision was about the same.
    pub fn known(&self, condition: TermId) -> Option<bool> {
        self.known.get(&condition).copied()
    }

    /// Adds a decision between a condition and its negation.
    pub fn decide(
        &mut self,
        place: u32,
        kind: DecisionKind,
        holds: bool,
        condition: TermId,
        negation: TermId,
    ) {
        self.known.insert(condition, holds);
        self.known.insert(negation, !holds);
        let (condition, other) = if holds { (condition, negation) } else { (negation, condition) };
        let alternatives = vec![(u64::from(!holds), other)];
        self.decisions.push(Decision { place, kind, outcome: u64::from(holds), condition, alternatives });
    }

    /// Adds a decision with any number of outcomes, given the condition of this one and its negation.
    pub fn decide_among(
        &mut self,
        place: u32,
        kind: DecisionKind,
        outcome: u64,
        (condition, negation): (TermId, TermId),
    ) {
        self.known.insert(condition, true);
        self.known.insert(negation, false);
        let alternatives = vec![(OTHERS, negation)];
        let outcome = if outcome == OTHERS { OTHERS - 1 } else { outcome };
        self.decisions.push(Decision { place, kind, outcome, condition, alternatives });
    }
}

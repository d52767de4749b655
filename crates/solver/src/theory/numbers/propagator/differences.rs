//! Bounds of numbers and of differences of two numbers, in a graph that says what follows from them.

use rustc_hash::FxHashMap;
use sundry_linear::{Constraint, DifferenceMark, Differences, Length, Node, Rational, Variable};
use sundry_sat::{Lit, Var};

use super::super::Numbers;
use super::super::atoms::BoundAtom;
use super::trail::Trail;

/// The units of [`Control::spend`](sundry_term::Control::spend) for an edge that is looked at.
const WORK_OF_EDGE: u64 = 1;

/// A graph of differences that hears of bounds as they are decided.
#[derive(Default)]
pub(super) struct DifferencePropagator {
    graph: Differences,
    /// The node that is zero, where there are nodes.
    zero: Option<Node>,
    nodes: FxHashMap<Variable, Node>,
    /// The literal of each constraint.
    literals: Vec<Lit>,
    /// The constraints of each variable of the SAT solver: that where it is true, and that where it is false.
    constraints: FxHashMap<Var, [Constraint; 2]>,
    /// The constraints that are true.
    trail: Trail<Constraint, DifferenceMark>,
    /// Constraints that were learned after some of the trail had been asserted, which may follow.
    new: Vec<Constraint>,
    /// Constraints that follow and were not handed out.
    followed: Vec<Constraint>,
    /// The number of entries of the trail for which it is known what follows.
    exhausted: usize,
}

impl DifferencePropagator {
    /// Learns a bound with its literal, if it is one of a number or a difference.
    pub(super) fn learn_bound(&mut self, numbers: &Numbers, atom: &BoundAtom, literal: Lit) {
        let Some((left, right)) = difference(numbers, atom.variable) else { return };
        let lengths = Length::of(&atom.at_most).zip(Length::of(&atom.at_least));
        let Some((at_most, at_least)) = lengths else { return };
        let [left, right] = [left, right].map(|variable| self.node(variable));
        let below = self.graph.new_constraint(left, right, at_most);
        let above = self.graph.new_constraint(right, left, at_least.negated());
        self.literals.extend([literal, !literal]);
        if self.exhausted > 0 {
            self.new.extend([below, above]);
        }
        let by_value = if literal.is_negative() { [above, below] } else { [below, above] };
        self.constraints.insert(literal.var(), by_value);
    }

    /// The node of a variable, or of zero.
    fn node(&mut self, variable: Option<Variable>) -> Node {
        let graph = &mut self.graph;
        match variable {
            Some(variable) => *self.nodes.entry(variable).or_insert_with(|| graph.new_node()),
            None => *self.zero.get_or_insert_with(|| graph.new_node()),
        }
    }

    /// The work so far, in the units of [`Control::spend`](sundry_term::Control::spend).
    pub(super) fn work(&self) -> u64 {
        self.graph.work() * WORK_OF_EDGE
    }

    pub(super) fn begin(&mut self) {
        self.trail.begin();
    }

    pub(super) fn assign(&mut self, literals: &[Lit]) {
        for literal in literals {
            if let Some(constraints) = self.constraints.get(&literal.var()) {
                self.trail.assign(constraints[usize::from(literal.is_negative())]);
            }
        }
    }

    pub(super) fn open_level(&mut self) {
        self.trail.open_level();
    }

    pub(super) fn backtrack(&mut self, level: usize) {
        self.trail.backtrack(level);
    }

    /// Takes back what is not true any more.
    fn settle(&mut self) {
        if let Some((first, mark)) = self.trail.settle() {
            self.graph.backtrack(mark);
            self.followed.clear();
            self.exhausted = self.exhausted.min(first);
            if first == 0 {
                // They are found as all others are.
                self.new.clear();
            }
        }
    }

    /// Asserts the next constraint of the trail.
    ///
    /// # Errors
    /// The constraint contradicts those before: a cycle of constraints that do not all hold.
    fn assert(&mut self, next: Constraint) -> Result<(), Vec<Constraint>> {
        let mark = self.graph.mark();
        self.graph.assert(next)?;
        self.trail.note_asserted(mark);
        Ok(())
    }

    /// A literal that follows.
    ///
    /// # Errors
    /// The bounds that are true contradict each other: a clause that not all of them hold.
    pub(super) fn propagate(&mut self) -> Result<Option<Lit>, Vec<Lit>> {
        self.settle();
        // Contradictions come first.
        while let Some(constraint) = self.trail.next() {
            self.assert(constraint).map_err(|cycle| self.negation(&cycle))?;
        }
        while let Some(new) = self.new.pop() {
            if self.graph.follow_new(new) {
                self.followed.push(new);
            }
        }
        while self.followed.is_empty() {
            let Some(constraint) = self.trail.get(self.exhausted) else { return Ok(None) };
            self.exhausted += 1;
            self.graph.follow(constraint, &mut self.followed);
        }
        Ok(self.followed.pop().map(|constraint| self.literals[constraint.index()]))
    }

    /// A clause of the bounds from which a literal follows, and the literal.
    pub(super) fn reason(&mut self, literal: Lit) -> Vec<Lit> {
        let constraint = self.constraints[&literal.var()][usize::from(literal.is_negative())];
        // The literal may have followed in an earlier search, which goes on.
        self.settle();
        while !self.graph.holds(constraint) {
            let next = self.trail.next().expect("the literal is true");
            self.assert(next).expect("literals that others follow from do not contradict each other");
        }
        let reasons = self.graph.explain(constraint);
        let mut clause = self.negation(&reasons);
        clause.push(literal);
        clause
    }

    /// A clause that not all of these constraints hold.
    fn negation(&self, constraints: &[Constraint]) -> Vec<Lit> {
        constraints.iter().map(|constraint| !self.literals[constraint.index()]).collect()
    }
}

/// The two variables of which a variable is the difference; `None` among them is zero.
fn difference(numbers: &Numbers, variable: Variable) -> Option<(Option<Variable>, Option<Variable>)> {
    let Some(sum) = numbers.simplex.sum_of(variable) else { return Some((Some(variable), None)) };
    match &sum[..] {
        [(one, plus), (other, minus)] if plus.is_one() && *minus == Rational::MINUS_ONE => {
            Some((Some(*one), Some(*other)))
        }
        [(one, minus), (other, plus)] if plus.is_one() && *minus == Rational::MINUS_ONE => {
            Some((Some(*other), Some(*one)))
        }
        _ => None,
    }
}

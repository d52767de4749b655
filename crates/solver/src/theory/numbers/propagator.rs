//! Bounds that follow while the SAT solver searches: differences of two numbers.
//!
//! A candidate has a value for every bound, and is refuted by bounds most of which were decided long before the last one. So the bounds of numbers, and of differences
//! of two of them, are heard of as they are decided: [`Differences`] says when they contradict each other, and which others follow. Everything else waits for
//! the candidate, since a check of the simplex takes far longer than the propagation of clauses that it would interrupt.
//!
//! The propagator knows nothing that the simplex does not know too. So its silence means nothing, and a candidate is checked as if there were no propagator.

#[cfg(test)]
mod tests;

use rustc_hash::FxHashMap;
use sundry_circuit::Edge;
use sundry_linear::{Constraint, DifferenceMark, Differences, Length, Node, Rational, Variable};
use sundry_sat::{Lit, Propagator, Var};

use super::Numbers;

/// The units of [`Control::spend`](sundry_term::Control::spend) for an edge that is looked at.
const WORK_OF_EDGE: u64 = 1;

/// The bounds of differences, for a SAT solver that asks.
#[derive(Default)]
pub(crate) struct BoundPropagator {
    graph: Differences,
    /// The node that is zero, where there are nodes.
    zero: Option<Node>,
    nodes: FxHashMap<Variable, Node>,
    /// The number of atoms that were looked at.
    known: usize,
    /// Atoms that have no literals yet.
    waiting: Vec<usize>,
    /// The literal of each constraint.
    literals: Vec<Lit>,
    /// The constraints of each variable of the SAT solver: that where it is true, and that where it is false.
    constraints: FxHashMap<Var, [Constraint; 2]>,
    /// The constraints that are true, in the order in which the SAT solver has named them.
    assigned: Vec<Constraint>,
    /// The number of assigned constraints where each level begins.
    levels: Vec<usize>,
    /// The mark before each constraint that was asserted: the first ones of those assigned.
    marks: Vec<DifferenceMark>,
    /// Constraints that follow and were not handed out.
    followed: Vec<Constraint>,
    /// The number of assigned constraints for which it is known what follows.
    exhausted: usize,
    contradiction: Option<Vec<Constraint>>,
    /// The work that was accounted for.
    reported: u64,
}

impl BoundPropagator {
    /// Learns which bounds there are. Returns the variables of the SAT solver that are new among those that matter.
    pub(crate) fn learn(&mut self, numbers: &Numbers, literal_of: impl Fn(Edge) -> Option<Lit>) -> Vec<Var> {
        self.begin();
        let mut new = Vec::new();
        let candidates = std::mem::take(&mut self.waiting).into_iter().chain(self.known..numbers.atoms.len());
        self.known = numbers.atoms.len();
        for number in candidates {
            let atom = &numbers.atoms[number];
            if !atom.is_own_input {
                continue;
            }
            let Some((left, right)) = difference(numbers, atom.variable) else { continue };
            let lengths = Length::of(&atom.at_most).zip(Length::of(&atom.at_least));
            let Some((at_most, at_least)) = lengths else { continue };
            let Some(literal) = literal_of(atom.edge) else {
                self.waiting.push(number);
                continue;
            };
            let [left, right] = [left, right].map(|variable| self.node(variable));
            let below = self.graph.new_constraint(left, right, at_most);
            let above = self.graph.new_constraint(right, left, at_least.negated());
            self.literals.extend([literal, !literal]);
            let by_value = if literal.is_negative() { [above, below] } else { [below, above] };
            self.constraints.insert(literal.var(), by_value);
            new.push(literal.var());
        }
        new
    }

    /// The node of a variable, or of zero.
    fn node(&mut self, variable: Option<Variable>) -> Node {
        let graph = &mut self.graph;
        match variable {
            Some(variable) => *self.nodes.entry(variable).or_insert_with(|| graph.new_node()),
            None => *self.zero.get_or_insert_with(|| graph.new_node()),
        }
    }

    /// The work since the last report, in the units of [`Control::spend`](sundry_term::Control::spend).
    pub(crate) fn take_work(&mut self) -> u64 {
        let work = self.graph.work();
        (work - std::mem::replace(&mut self.reported, work)) * WORK_OF_EDGE
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

impl Propagator for BoundPropagator {
    fn begin(&mut self) {
        self.levels.insert(0, 0);
        self.backtrack(0);
    }

    fn assign(&mut self, literals: &[Lit]) {
        for literal in literals {
            if let Some(constraints) = self.constraints.get(&literal.var()) {
                self.assigned.push(constraints[usize::from(literal.is_negative())]);
            }
        }
    }

    fn open_level(&mut self) {
        self.levels.push(self.assigned.len());
    }

    fn backtrack(&mut self, level: usize) {
        let Some(&count) = self.levels.get(level) else { return };
        self.levels.truncate(level);
        self.assigned.truncate(count);
        if let Some(&mark) = self.marks.get(count) {
            self.graph.backtrack(mark);
            self.marks.truncate(count);
        }
        self.exhausted = self.exhausted.min(count);
        self.followed.clear();
        self.contradiction = None;
    }

    fn propagate(&mut self) -> Option<Lit> {
        // Contradictions come first.
        while let Some(&constraint) = self.assigned.get(self.marks.len()) {
            let mark = self.graph.mark();
            if let Err(cycle) = self.graph.assert(constraint) {
                self.contradiction = Some(cycle);
                return None;
            }
            self.marks.push(mark);
        }
        while self.followed.is_empty() {
            let &constraint = self.assigned.get(self.exhausted)?;
            self.exhausted += 1;
            self.graph.follow(constraint, &mut self.followed);
        }
        self.followed.pop().map(|constraint| self.literals[constraint.index()])
    }

    fn reason(&mut self, literal: Lit) -> Vec<Lit> {
        let constraint = self.constraints[&literal.var()][usize::from(literal.is_negative())];
        let reasons = self.graph.explain(constraint);
        let mut clause = self.negation(&reasons);
        clause.push(literal);
        clause
    }

    fn refutation(&mut self) -> Option<Vec<Lit>> {
        let cycle = self.contradiction.take()?;
        Some(self.negation(&cycle))
    }
}

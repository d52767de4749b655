//! Bounds as edges of the circuit: `variable <= number` is an input, and its complement the next bound above.
//!
//! Every comparison of expressions is such a bound of a variable, or of a variable that is defined as the sum: sums that differ by a factor
//! and a constant share their variable, and bounds of one variable are ordered by lemmas.

use sundry_circuit::{Aig, Edge};
use sundry_linear::{Rational, Side, Value, Variable, scale_to_coprime_integers};

use super::Numbers;
use super::expression::Expression;
use crate::theory::lemma::{Lemma, LemmaKind};

/// An edge that says where a variable is: at most one value where it is true, at least another one where it is false.
#[derive(Clone, Debug)]
pub(super) struct BoundAtom {
    pub(super) edge: Edge,
    pub(super) variable: Variable,
    pub(super) at_most: Value,
    pub(super) at_least: Value,
    /// Whether the edge is an input that was made for this bound.
    pub(super) is_own_input: bool,
    /// Whether only facts about products name the bound.
    pub(super) is_only_of_facts: bool,
}

impl BoundAtom {
    /// The bound of the variable where the edge has a value.
    pub(super) fn bound(&self, value: bool) -> (Side, &Value) {
        if value { (Side::Upper, &self.at_most) } else { (Side::Lower, &self.at_least) }
    }
}

impl Numbers {
    /// The edge that is true exactly where an expression is at most zero, or less than zero.
    pub(crate) fn is_at_most_zero(&mut self, aig: &mut Aig, expression: &Expression, strict: bool) -> Edge {
        if let Some(number) = expression.as_constant() {
            return Edge::from_bool(number.is_negative() || number.is_zero() && !strict);
        }
        match self.bound_of(expression, strict) {
            (variable, Side::Upper, bound) => self.at_most(aig, variable, bound),
            (variable, Side::Lower, bound) => self.at_least(aig, variable, bound),
        }
    }

    /// The bound that says that an expression is at most zero, or less than zero.
    pub(super) fn bound_of(&mut self, expression: &Expression, strict: bool) -> (Variable, Side, Value) {
        let (variable, factor) = self.variable_of(expression);
        let limit = -(&expression.constant / &factor);
        match (factor.is_negative(), strict) {
            (false, false) => (variable, Side::Upper, limit.into()),
            (false, true) => (variable, Side::Upper, Value::below(limit)),
            (true, false) => (variable, Side::Lower, limit.into()),
            (true, true) => (variable, Side::Lower, Value::above(limit)),
        }
    }

    /// The edge that is true exactly where an expression is zero.
    pub(crate) fn is_zero(&mut self, aig: &mut Aig, expression: &Expression) -> Edge {
        if let Some(number) = expression.as_constant() {
            return Edge::from_bool(number.is_zero());
        }
        let (variable, factor) = self.variable_of(expression);
        let value = -(&expression.constant / &factor);
        if self.simplex.is_integer(variable) && !value.is_integer() {
            return Edge::FALSE;
        }
        let at_most = self.at_most(aig, variable, value.clone().into());
        let at_least = self.at_least(aig, variable, value.into());
        aig.and(at_most, at_least)
    }

    /// The edge that is true exactly where two expressions are equal.
    pub(crate) fn equal(&mut self, aig: &mut Aig, left: &Expression, right: &Expression) -> Edge {
        self.is_zero(aig, &left.minus(right))
    }

    /// [`equal`](Self::equal) of numbers that are better different: decisions try that first.
    pub(crate) fn equal_if_needed(&mut self, aig: &mut Aig, left: &Expression, right: &Expression) -> Edge {
        let difference = left.minus(right);
        let edge = self.is_zero(aig, &difference);
        if edge.is_constant().is_none() {
            // One of the two bounds of the equality, which is false then.
            let bound = self.is_at_most_zero(aig, &difference, false);
            self.better_false.insert(bound.regular(), bound.is_complemented());
        }
        edge
    }

    /// The variable of which an expression is a multiple plus a constant, and the factor. Sums have a variable that
    /// is defined for them.
    pub(super) fn variable_of(&mut self, expression: &Expression) -> (Variable, Rational) {
        if let [(variable, factor)] = &expression.terms[..] {
            return (*variable, factor.clone());
        }
        let (sum, scale) = primitive_sum(&expression.terms);
        if let Some(&variable) = self.sums.get(&sum) {
            return (variable, scale);
        }
        let variable = self.simplex.define(&sum);
        self.sums.insert(sum, variable);
        (variable, scale)
    }

    /// [`variable_of`](Self::variable_of) an expression whose variable was made before.
    pub(super) fn known_variable_of(&self, expression: &Expression) -> Option<(Variable, Rational)> {
        let (sum, scale) = primitive_sum(&expression.terms);
        Some((*self.sums.get(&sum)?, scale))
    }

    /// Notes that an edge is true for ever, if that is a bound.
    pub(crate) fn note_fact(&mut self, edge: Edge) {
        let Some(&place) = self.atom_places.get(&edge.regular()) else { return };
        let BoundAtom { edge: positive, variable, at_most, at_least, .. } = self.atoms[place].clone();
        let holds = edge == positive;
        let (side, bound) = if holds { (Side::Upper, at_most) } else { (Side::Lower, at_least) };
        // Facts that contradict each other are for the SAT solver, which has them as clauses.
        let _ = self.simplex.bound_for_ever(variable, side, bound);
    }

    /// The edge of `variable <= value`.
    pub(super) fn at_most(&mut self, aig: &mut Aig, variable: Variable, value: Value) -> Edge {
        let value = if self.simplex.is_integer(variable) { value.floor().into() } else { value };
        if self.simplex.bound(variable, Side::Upper).is_some_and(|bound| *bound <= value) {
            return Edge::TRUE;
        }
        if self.simplex.bound(variable, Side::Lower).is_some_and(|bound| *bound > value) {
            return Edge::FALSE;
        }
        let is_for_fact = self.makes_facts;
        if let Some(&edge) = self.atoms_of(variable).get(&value) {
            self.atoms[self.atom_places[&edge.regular()]].is_only_of_facts &= is_for_fact;
            return edge;
        }
        let edge = aig.input();
        self.add_atom(edge, variable, value);
        let atom = self.atoms.last_mut().expect("it was added");
        (atom.is_own_input, atom.is_only_of_facts) = (true, is_for_fact);
        edge
    }

    /// The edge of `variable >= value`.
    pub(super) fn at_least(&mut self, aig: &mut Aig, variable: Variable, value: Value) -> Edge {
        let below = if self.simplex.is_integer(variable) {
            let least = -(&Value::ZERO - &value).floor();
            (&least - &Rational::ONE).into()
        } else if value.infinitesimal.is_zero() {
            Value::below(value.rational)
        } else {
            value.rational.into()
        };
        !self.at_most(aig, variable, below)
    }

    /// Makes an edge mean `variable <= value`, with its order among the other bounds of the variable.
    pub(super) fn add_atom(&mut self, edge: Edge, variable: Variable, value: Value) {
        let at_least = if self.simplex.is_integer(variable) {
            (&value.rational + &Rational::ONE).into()
        } else if value.infinitesimal.is_zero() {
            Value::above(value.rational.clone())
        } else {
            value.rational.clone().into()
        };
        let known = self.atoms_of(variable);
        let lower = known.range(..&value).next_back().map(|(_, &lower)| lower);
        let higher = known.range(&value..).next().map(|(_, &higher)| higher);
        known.insert(value.clone(), edge);
        let order = |clause: Vec<Edge>| Lemma { kind: LemmaKind::NumberOrder, clause };
        self.pending.extend(lower.map(|lower| order(vec![!lower, edge])));
        self.pending.extend(higher.map(|higher| order(vec![!edge, higher])));
        self.atom_places.insert(edge.regular(), self.atoms.len());
        let (is_own_input, is_only_of_facts) = (false, false);
        let atom = BoundAtom { edge, variable, at_most: value, at_least, is_own_input, is_only_of_facts };
        self.atoms.push(atom);
    }

    fn atoms_of(&mut self, variable: Variable) -> &mut std::collections::BTreeMap<Value, Edge> {
        if self.atoms_by_variable.len() <= variable.index() {
            self.atoms_by_variable.resize_with(variable.index() + 1, Default::default);
        }
        &mut self.atoms_by_variable[variable.index()]
    }
}

/// A sum whose factors are integers without a common divisor, the first one positive, and the factor by which it is the sum of an expression.
fn primitive_sum(terms: &[(Variable, Rational)]) -> (Vec<(Variable, Rational)>, Rational) {
    let scale = scale_to_coprime_integers(terms.iter().map(|(_, factor)| factor)).expect("no factor is zero");
    let scale = if terms[0].1.is_negative() { -scale } else { scale };
    (terms.iter().map(|(variable, factor)| (*variable, factor * &scale)).collect(), scale.reciprocal())
}

//! Products of unknowns, by facts about the values that a candidate gives them.
//!
//! The result of a product is a variable. Where a candidate gives it another value than that of the factors, the facts about these values
//! refute the candidate: what the product is where one factor keeps its value, and on which side of the tangent plane it is elsewhere
//! (Cimatti, Griggio, Irfan, Roveri & Sebastiani, *Incremental linearization*, TOCL 2018). That finds models, and refutes where few values are
//! possible; after a number of facts the product stays undecided.

use std::cmp::Ordering;

use sundry_circuit::{Aig, Edge};
use sundry_linear::{Rational, Variable};

use super::Numbers;
use super::expression::{Expression, Solution};
use crate::theory::lemma::{Lemma, LemmaKind};

/// Candidates of one question that facts about one product may refute.
const MAXIMAL_REFUTED: usize = 200;

/// Bits of values above which no facts are made.
const MAXIMAL_BITS: usize = 1024;

/// A product of two expressions that are no numbers.
#[derive(Clone, Debug)]
pub(super) struct Product {
    pub(super) a: Expression,
    pub(super) b: Expression,
    pub(super) result: Variable,
    /// Candidates of the present question that facts about the product have refuted.
    refuted: usize,
}

impl Product {
    /// Whether a solution gives the result the value of the product.
    pub(super) fn is_right(&self, solution: &Solution) -> bool {
        *solution.value(self.result) == &self.a.value(solution) * &self.b.value(solution)
    }

    /// Forgets how many candidates of earlier questions the product has refuted.
    pub(super) fn begin_question(&mut self) {
        self.refuted = 0;
    }
}

impl Numbers {
    /// The product of two expressions.
    pub(super) fn product(&mut self, a: &Expression, b: &Expression) -> Expression {
        if let Some(number) = a.as_constant() {
            return b.scaled(number);
        }
        if let Some(number) = b.as_constant() {
            return a.scaled(number);
        }
        for key in [(a.clone(), b.clone()), (b.clone(), a.clone())] {
            if let Some(&known) = self.product_results.get(&key) {
                return Expression::variable(known);
            }
        }
        let is_integer = self.is_integer(a) && self.is_integer(b);
        let result = self.simplex.new_variable(is_integer);
        if a == b {
            let bound =
                self.simplex.bound_for_ever(result, sundry_linear::Side::Lower, Rational::ZERO.into());
            bound.expect("the variable is new");
        }
        self.product_results.insert((a.clone(), b.clone()), result);
        self.products.push(Product { a: a.clone(), b: b.clone(), result, refuted: 0 });
        Expression::variable(result)
    }

    /// The facts that a solution violates; `None` where there is a wrong product, and no facts about it are made any more.
    pub(super) fn check_products(&mut self, aig: &mut Aig, solution: &Solution) -> Option<Vec<Lemma>> {
        let (mut lemmas, mut bounds) = (Vec::new(), None);
        let mut is_undecided = false;
        for number in 0..self.products.len() {
            let Product { a, b, result, refuted } = self.products[number].clone();
            let (at_a, at_b) = (a.value(solution), b.value(solution));
            let product = &at_a * &at_b;
            let order = solution.value(result).cmp(&product);
            if order == Ordering::Equal {
                continue;
            }
            if refuted == MAXIMAL_REFUTED || product.bit_length() > MAXIMAL_BITS {
                is_undecided = true;
                continue;
            }
            self.products[number].refuted += 1;
            self.makes_facts = true;
            let result = Expression::variable(result);
            let bounds = bounds.get_or_insert_with(|| self.tightest_bounds());
            let mut facts = self.facts_at_bounds(aig, bounds, [&a, &b, &result], solution, order);
            if facts.is_empty() {
                facts = self.facts(aig, [&a, &b, &result], solution, order);
            }
            self.makes_facts = false;
            lemmas.extend(facts.into_iter().map(|clause| Lemma { kind: LemmaKind::NumberProduct, clause }));
        }
        if lemmas.is_empty() && is_undecided { None } else { Some(lemmas) }
    }

    /// Facts about the product at the values of its factors in a solution, where it is wrongly less or greater than theirs.
    fn facts(
        &mut self,
        aig: &mut Aig,
        [a, b, result]: [&Expression; 3],
        solution: &Solution,
        order: Ordering,
    ) -> Vec<Vec<Edge>> {
        let mut facts = self.facts_near(aig, [a, b, result], solution, order);
        // One factor keeps its value, and the result is linear in the other.
        for (factor, other) in [(a, b), (b, a)] {
            let at = factor.value(solution);
            if at.is_integer() {
                let is_right = self.equal(aig, result, &other.scaled(&at));
                let is_there = self.equal(aig, factor, &Expression::constant(at));
                facts.push(vec![!is_there, is_right]);
            }
        }
        // The result is zero where a factor is.
        let zero = [a, b, result].map(|expression| self.is_zero(aig, expression));
        facts.push(vec![!zero[0], zero[2]]);
        facts.push(vec![!zero[1], zero[2]]);
        facts.push(vec![zero[0], zero[1], !zero[2]]);
        facts
    }
}

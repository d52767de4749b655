//! Linear expressions over the variables of the simplex.

use sundry_linear::{Rational, Simplex, Variable, WantedBound};

/// A constant plus a sum of multiples of variables, sorted by variables, without zeros.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Expression {
    pub(super) constant: Rational,
    pub(super) terms: Vec<(Variable, Rational)>,
}

impl Expression {
    /// A number.
    pub(crate) fn constant(constant: Rational) -> Expression {
        Expression { constant, terms: Vec::new() }
    }

    /// A variable.
    pub(crate) fn variable(variable: Variable) -> Expression {
        Expression { constant: Rational::ZERO, terms: vec![(variable, Rational::ONE)] }
    }

    /// The number that the expression is, if there is no variable in it.
    pub(crate) fn as_constant(&self) -> Option<&Rational> {
        self.terms.is_empty().then_some(&self.constant)
    }

    /// The expression times a number.
    pub(crate) fn scaled(&self, factor: &Rational) -> Expression {
        if factor.is_zero() {
            return Expression::default();
        }
        let scale = |(variable, theirs): &(Variable, Rational)| (*variable, theirs * factor);
        Expression { constant: &self.constant * factor, terms: self.terms.iter().map(scale).collect() }
    }

    /// The sum of the expression and a multiple of another one.
    pub(crate) fn plus(&self, other: &Expression, factor: &Rational) -> Expression {
        let mut constant = self.constant.clone();
        constant.add_product(&other.constant, factor);
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            match (left.peek(), right.peek()) {
                (None, None) => break,
                (Some(one), Some(two)) if one.0 == two.0 => {
                    let mut sum = one.1.clone();
                    sum.add_product(&two.1, factor);
                    if !sum.is_zero() {
                        terms.push((one.0, sum));
                    }
                    left.next();
                    right.next();
                }
                (Some(one), two) if two.is_none_or(|two| one.0 < two.0) => {
                    terms.push((one.0, one.1.clone()));
                    left.next();
                }
                (_, Some(two)) => {
                    let product = &two.1 * factor;
                    if !product.is_zero() {
                        terms.push((two.0, product));
                    }
                    right.next();
                }
                (Some(_), None) => unreachable!("the second case has it"),
            }
        }
        Expression { constant, terms }
    }

    /// The variable that the expression is, if it is no other sum.
    pub(crate) fn as_variable(&self) -> Option<Variable> {
        match &self.terms[..] {
            [(variable, factor)] if *factor == Rational::ONE && self.constant.is_zero() => Some(*variable),
            _ => None,
        }
    }

    /// The difference of two expressions.
    pub(crate) fn minus(&self, other: &Expression) -> Expression {
        self.plus(other, &Rational::MINUS_ONE)
    }

    /// The value of the expression under values of its variables.
    pub(crate) fn value(&self, solution: &Solution) -> Rational {
        let mut value = self.constant.clone();
        for (variable, factor) in &self.terms {
            value.add_product(factor, solution.value(*variable));
        }
        value
    }
}

/// A number for each variable. Variables that were made later are zero.
#[derive(Clone, Default, Debug)]
pub(crate) struct Solution {
    pub(super) values: Vec<Rational>,
}

impl Solution {
    /// The present values of the first variables of a simplex, at a number for δ that fits its bounds and those wanted.
    pub(super) fn present(simplex: &Simplex, count: usize, wanted: &[WantedBound]) -> Solution {
        let delta = simplex.choose_delta(wanted);
        let variables = (0..count).map(Variable::from_index);
        Solution { values: variables.map(|variable| simplex.value(variable).at(&delta)).collect() }
    }

    pub(crate) fn value(&self, variable: Variable) -> &Rational {
        self.values.get(variable.index()).unwrap_or(&Rational::ZERO)
    }

    /// Gives a variable another value.
    pub(crate) fn set(&mut self, variable: Variable, value: Rational) {
        if self.values.len() <= variable.index() {
            self.values.resize(variable.index() + 1, Rational::ZERO);
        }
        self.values[variable.index()] = value;
    }
}

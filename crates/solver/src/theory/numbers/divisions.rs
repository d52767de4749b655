//! Quotients, remainders and integer parts, by numbers and by unknowns.

use std::sync::Arc;

use sundry_circuit::{Aig, OpenFunction};
use sundry_linear::Rational;
use sundry_term::{ArithmeticOp, Op, SortId};

use super::expression::Expression;
use super::{Numbers, OpenResult};
use crate::theory::datum::Datum;

impl Numbers {
    /// The greatest integer that is not greater than an expression.
    pub(super) fn floor(&mut self, expression: &Arc<Expression>) -> Expression {
        if self.is_integer(expression) {
            return (**expression).clone();
        }
        if let Some(number) = expression.as_constant() {
            return Expression::constant(number.floor());
        }
        if let Some(&known) = self.floors.get(expression) {
            return Expression::variable(known);
        }
        let variable = self.simplex.new_variable(true);
        self.floors.insert(expression.clone(), variable);
        let floor = Expression::variable(variable);
        self.holds_for_ever(&floor.minus(expression));
        let next = floor.plus(&Expression::constant(Rational::ONE), &Rational::ONE);
        self.bound_for_ever(&expression.minus(&next), true);
        floor
    }

    /// Quotient and remainder of an integer by a number other than zero.
    pub(super) fn divide(&mut self, dividend: &Expression, divisor: &Rational) -> (Expression, Expression) {
        if let Some(number) = dividend.as_constant() {
            let quotient = number / divisor;
            let quotient = if divisor.is_negative() { quotient.ceiling() } else { quotient.floor() };
            let quotient = Expression::constant(quotient);
            let remainder = dividend.minus(&quotient.scaled(divisor));
            return (quotient, remainder);
        }
        let key = (dividend.clone(), divisor.clone());
        let known = self.quotients.get(&key).copied();
        let quotient = Expression::variable(known.unwrap_or_else(|| {
            let variable = self.simplex.new_variable(true);
            self.quotients.insert(key, variable);
            variable
        }));
        let remainder = dividend.minus(&quotient.scaled(divisor));
        if known.is_none() {
            self.holds_for_ever(&remainder.scaled(&Rational::MINUS_ONE));
            let most = Expression::constant(&divisor.magnitude() - &Rational::ONE);
            self.holds_for_ever(&remainder.minus(&most));
        }
        (quotient, remainder)
    }

    /// A quotient or remainder.
    pub(super) fn division(
        &mut self,
        aig: &mut Aig,
        operator: ArithmeticOp,
        dividend: &Expression,
        divisor: &Expression,
    ) -> Expression {
        if let Some(number) = divisor.as_constant() {
            if number.is_zero() {
                return self.open_division(operator, dividend);
            }
            return match operator {
                ArithmeticOp::Divide => dividend.scaled(&number.reciprocal()),
                ArithmeticOp::Div => self.divide(dividend, &number.clone()).0,
                _ => self.divide(dividend, &number.clone()).1,
            };
        }
        let key = (dividend.clone(), divisor.clone());
        let is_integer = operator != ArithmeticOp::Divide;
        let by_zero = self.is_zero(aig, divisor);
        let known = self.divisions.get(&(operator == ArithmeticOp::Divide, key.clone())).cloned();
        let (quotient, remainder) = known.unwrap_or_else(|| {
            let quotient = Expression::variable(self.simplex.new_variable(is_integer));
            let product = self.product(&quotient, divisor);
            let remainder = dividend.minus(&product);
            if is_integer {
                // 0 <= remainder < |divisor|
                let negative = self.is_at_most_zero(aig, &remainder, true);
                self.state(vec![by_zero, !negative]);
                let sign = self.is_at_most_zero(aig, divisor, true);
                for (unless, sign) in [(sign, Rational::MINUS_ONE), (!sign, Rational::ONE)] {
                    let small = self.is_at_most_zero(aig, &remainder.plus(divisor, &sign), true);
                    self.state(vec![by_zero, unless, small]);
                }
            } else {
                self.equal_unless(aig, by_zero, &remainder, &Expression::default());
            }
            self.divisions
                .insert((operator == ArithmeticOp::Divide, key), (quotient.clone(), remainder.clone()));
            (quotient, remainder)
        });
        let result = if operator == ArithmeticOp::Mod { remainder } else { quotient };
        let open = self.open_division(operator, dividend);
        self.choice(aig, by_zero, &open, &result)
    }

    /// The result of a division by zero: any number, but the same for the same dividend.
    fn open_division(&mut self, operator: ArithmeticOp, dividend: &Expression) -> Expression {
        let key = (operator, dividend.clone());
        if let Some(&known) = self.open_divisions.get(&key) {
            return Expression::variable(known);
        }
        let variable = self.simplex.new_variable(operator != ArithmeticOp::Divide);
        self.open_divisions.insert(key, variable);
        let result = Expression::variable(variable);
        self.new_open_results.push(OpenResult {
            function: OpenFunction { op: Op::Arithmetic(operator), sort: SortId::REAL },
            argument: Datum::Number(Arc::new(dividend.clone())),
            result: Arc::new(result.clone()),
        });
        result
    }
}

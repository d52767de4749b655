//! Terms as linear expressions, and comparisons as edges.
//!
//! A term that is not linear gets a variable: a quotient by a number with its bounds, a choice with what it equals under its condition, a product of
//! unknowns with the facts that `products.rs` finds. Words of bits are sums of their bits.

use std::sync::Arc;

use sundry_circuit::{Aig, BitsOfTerms, Edge, OpenFunction, real_number};
use sundry_linear::{Rational, Side, Variable};
use sundry_term::{ArithmeticOp, FloatOp, Op, Sort, SortId, TermId, TermStore, Value};

use super::expression::Expression;
use super::{Numbers, OpenResult};
use crate::theory::datum::Datum;
use crate::theory::lemma::{Lemma, LemmaKind};

/// Terms of an expression above which it gets a variable of its own: sums of sums would take quadratic space.
const LONGEST_EXPRESSION: usize = 64;

/// Whether values of a sort are numbers.
pub(crate) fn is_number_sort(sort: SortId) -> bool {
    sort == SortId::INT || sort == SortId::REAL
}

impl Numbers {
    /// Enters a term that this theory owns. Returns its bits, if its sort has any.
    pub(crate) fn leaf(
        &mut self,
        aig: &mut Aig,
        store: &TermStore,
        term: TermId,
        bits: BitsOfTerms<'_>,
    ) -> Box<[Edge]> {
        if is_number_sort(store.sort_of(term)) {
            let expression = self.make_expression(aig, store, term, bits);
            let expression = self.shortened(expression);
            self.expressions.insert(term, Arc::new(expression));
            return Box::new([]);
        }
        if let (Op::Float(FloatOp::ToFp(format)), &[mode, number]) = (store.op(term), store.args(term)) {
            return self.float_of_real(aig, store, [mode, number], format, bits);
        }
        let arguments: Vec<Arc<Expression>> =
            store.args(term).iter().map(|&argument| self.expression(store, argument, bits)).collect();
        let edge = match store.op(term) {
            Op::Equal => self.chain(aig, &arguments, |numbers, aig, a, b| numbers.equal(aig, a, b)),
            Op::Distinct => {
                let mut equalities = Vec::new();
                for (position, left) in arguments.iter().enumerate() {
                    for right in &arguments[position + 1..] {
                        equalities.push(self.equal(aig, left, right));
                    }
                }
                !aig.or_many(&equalities)
            }
            Op::Arithmetic(operator) => match operator {
                ArithmeticOp::Less => self.chain(aig, &arguments, |numbers, aig, a, b| {
                    numbers.is_at_most_zero(aig, &a.minus(b), true)
                }),
                ArithmeticOp::LessOrEqual => self.chain(aig, &arguments, |numbers, aig, a, b| {
                    numbers.is_at_most_zero(aig, &a.minus(b), false)
                }),
                ArithmeticOp::Greater => self.chain(aig, &arguments, |numbers, aig, a, b| {
                    numbers.is_at_most_zero(aig, &b.minus(a), true)
                }),
                ArithmeticOp::GreaterOrEqual => self.chain(aig, &arguments, |numbers, aig, a, b| {
                    numbers.is_at_most_zero(aig, &b.minus(a), false)
                }),
                ArithmeticOp::IsInt => {
                    let floor = self.floor(&arguments[0]);
                    self.equal(aig, &arguments[0], &floor)
                }
                ArithmeticOp::Divisible(divisor) => {
                    let divisor = Rational::from(i64::from(divisor));
                    let (_, remainder) = self.divide(&arguments[0], &divisor);
                    self.is_zero(aig, &remainder)
                }
                ArithmeticOp::IntToBits(width) => return self.low_bits(aig, &arguments[0], width),
                other => unreachable!("{other:?} has a number as its result"),
            },
            other => unreachable!("{} is not owned", other.name()),
        };
        Box::new([edge])
    }

    /// The conjunction of what holds between each expression and the next.
    fn chain(
        &mut self,
        aig: &mut Aig,
        arguments: &[Arc<Expression>],
        holds: impl Fn(&mut Numbers, &mut Aig, &Expression, &Expression) -> Edge,
    ) -> Edge {
        let pairs: Vec<Edge> =
            arguments.windows(2).map(|pair| holds(self, aig, &pair[0], &pair[1])).collect();
        aig.and_many(&pairs)
    }

    /// The expression of a number that is a literal, is owned by this theory, or has bits.
    pub(crate) fn expression(
        &mut self,
        store: &TermStore,
        term: TermId,
        bits: BitsOfTerms<'_>,
    ) -> Arc<Expression> {
        if let Some(known) = self.expressions.get(&term) {
            return known.clone();
        }
        let expression = match (store.value(term), bits(term)) {
            (Some(Value::Int(number)), _) => Expression::constant(Rational::from(number.clone())),
            (None, Some(bits)) => self.signed_word(bits),
            _ => match real_number(store, term) {
                Some(Value::Real(number)) => Expression::constant(Rational::from(&*number)),
                other => unreachable!("{other:?} is no number that is known"),
            },
        };
        let expression = Arc::new(expression);
        self.expressions.insert(term, expression.clone());
        expression
    }

    fn make_expression(
        &mut self,
        aig: &mut Aig,
        store: &TermStore,
        term: TermId,
        bits: BitsOfTerms<'_>,
    ) -> Expression {
        let is_integer = store.sort_of(term) == SortId::INT;
        let operator = match store.op(term) {
            Op::Constant(_) => return (*self.expression(store, term, bits)).clone(),
            Op::Apply(_) | Op::Select => {
                let variable = self.simplex.new_variable(is_integer);
                if let Some(symbol) = store.constant_symbol(term) {
                    self.symbols.push((symbol, variable));
                }
                return Expression::variable(variable);
            }
            Op::Ite => {
                let condition = bits(store.args(term)[0]).expect("conditions have a bit")[0];
                let [then, otherwise] =
                    [1, 2].map(|position| self.expression(store, store.args(term)[position], bits));
                return self.choice(aig, condition, &then, &otherwise);
            }
            Op::Float(FloatOp::ToReal) => return self.real(store, term, bits),
            Op::Arithmetic(operator) => operator,
            other => unreachable!("{} is not owned", other.name()),
        };
        let arguments: Vec<Arc<Expression>> =
            store.args(term).iter().map(|&argument| self.expression(store, argument, bits)).collect();
        let first = &*arguments[0];
        match operator {
            ArithmeticOp::Sub if arguments.len() == 1 => first.scaled(&Rational::MINUS_ONE),
            ArithmeticOp::Sub => arguments[1..].iter().fold(first.clone(), |sum, next| sum.minus(next)),
            ArithmeticOp::Add => {
                arguments[1..].iter().fold(first.clone(), |sum, next| sum.plus(next, &Rational::ONE))
            }
            ArithmeticOp::Mul => {
                arguments[1..].iter().fold(first.clone(), |product, next| self.product(&product, next))
            }
            ArithmeticOp::Divide | ArithmeticOp::Div | ArithmeticOp::Mod => arguments[1..]
                .iter()
                .fold(first.clone(), |quotient, next| self.division(aig, operator, &quotient, next)),
            ArithmeticOp::Abs => {
                let negative = self.is_at_most_zero(aig, first, true);
                self.choice(aig, negative, &first.scaled(&Rational::MINUS_ONE), first)
            }
            ArithmeticOp::ToReal => first.clone(),
            ArithmeticOp::ToInt => self.floor(&arguments[0]),
            other => unreachable!("{other:?} has bits or is a comparison"),
        }
    }

    /// A floating-point value as a real.
    fn real(&mut self, store: &TermStore, term: TermId, bits: BitsOfTerms<'_>) -> Expression {
        let argument = store.args(term)[0];
        let sort = store.sort_of(argument);
        let Sort::Float(format) = *store.sort(sort) else { unreachable!("it is a floating-point value") };
        let word = bits(argument).expect("floating-point values have bits");
        let (number, is_new) = self.real_of_float(word, format);
        if is_new {
            self.new_open_results.push(OpenResult {
                function: OpenFunction { op: Op::Float(FloatOp::ToReal), sort },
                argument: Datum::Bits(word.into()),
                result: Arc::new(number.clone()),
            });
        }
        number
    }

    /// An expression that is short: a long one gets a variable.
    fn shortened(&mut self, expression: Expression) -> Expression {
        if expression.terms.len() <= LONGEST_EXPRESSION {
            return expression;
        }
        let (variable, factor) = self.variable_of(&expression);
        Expression { constant: expression.constant, terms: vec![(variable, factor)] }
    }

    /// Whether an expression takes integers only.
    pub(super) fn is_integer(&self, expression: &Expression) -> bool {
        let is_integer = |(variable, factor): &(Variable, Rational)| {
            factor.is_integer() && self.simplex.is_integer(*variable)
        };
        expression.constant.is_integer() && expression.terms.iter().all(is_integer)
    }

    /// The bit as the number 0 or 1.
    pub(super) fn bit(&mut self, bit: Edge) -> Expression {
        if let Some(value) = bit.is_constant() {
            return Expression::constant(Rational::from(i64::from(value)));
        }
        let positive = bit.regular();
        let variable = match self.bits.get(&positive) {
            Some(&variable) => variable,
            None => {
                let variable = self.simplex.new_variable(true);
                self.bits.insert(positive, variable);
                self.add_atom(!positive, variable, Rational::ZERO.into());
                let bounds = [(Side::Lower, Rational::ZERO), (Side::Upper, Rational::ONE)];
                for (side, bound) in bounds {
                    let result = self.simplex.bound_for_ever(variable, side, bound.into());
                    result.expect("zero is below one");
                }
                variable
            }
        };
        let number = Expression::variable(variable);
        if bit.is_complemented() { Expression::constant(Rational::ONE).minus(&number) } else { number }
    }

    /// Bits as a number, without their sign.
    fn word(&mut self, bits: &[Edge]) -> Expression {
        let mut sum = Expression::default();
        let mut weight = Rational::ONE;
        for &bit in bits {
            sum = sum.plus(&self.bit(bit), &weight);
            weight = &weight + &weight;
        }
        sum
    }

    /// Bits in two's complement as a number.
    fn signed_word(&mut self, bits: &[Edge]) -> Expression {
        let (&sign, rest) = bits.split_last().expect("integers have a sign");
        let weight = rest.iter().fold(Rational::MINUS_ONE, |weight, _| &weight + &weight);
        self.word(rest).plus(&self.bit(sign), &weight)
    }

    /// The low bits of an integer in two's complement.
    fn low_bits(&mut self, aig: &mut Aig, integer: &Expression, width: u32) -> Box<[Edge]> {
        let bits: Box<[Edge]> = (0..width).map(|_| aig.input()).collect();
        let above = Expression::variable(self.simplex.new_variable(true));
        let modulus = (0..width).fold(Rational::ONE, |weight, _| &weight + &weight);
        let rest = integer.minus(&self.word(&bits)).minus(&above.scaled(&modulus));
        self.holds_for_ever(&rest);
        self.holds_for_ever(&rest.scaled(&Rational::MINUS_ONE));
        bits
    }

    /// Bounds an expression for ever: it is at most zero.
    pub(super) fn holds_for_ever(&mut self, expression: &Expression) {
        self.bound_for_ever(expression, false);
    }

    pub(super) fn bound_for_ever(&mut self, expression: &Expression, strict: bool) {
        let (variable, side, bound) = self.bound_of(expression, strict);
        let result = self.simplex.bound_for_ever(variable, side, bound);
        result.expect("a new variable takes part, which has no bounds");
    }

    /// A choice between two expressions.
    pub(super) fn choice(
        &mut self,
        aig: &mut Aig,
        condition: Edge,
        then: &Expression,
        otherwise: &Expression,
    ) -> Expression {
        if let Some(value) = condition.is_constant() {
            return if value { then.clone() } else { otherwise.clone() };
        }
        let difference = then.minus(otherwise);
        if let Some(difference) = difference.as_constant() {
            return otherwise.plus(&self.bit(condition), difference);
        }
        let is_integer = self.is_integer(then) && self.is_integer(otherwise);
        let choice = Expression::variable(self.simplex.new_variable(is_integer));
        for (unless, value) in [(!condition, then), (condition, otherwise)] {
            self.equal_unless(aig, unless, &choice, value);
        }
        choice
    }

    /// States that two expressions are equal unless an edge is true.
    pub(super) fn equal_unless(
        &mut self,
        aig: &mut Aig,
        unless: Edge,
        left: &Expression,
        right: &Expression,
    ) {
        let difference = left.minus(right);
        for sign in [Rational::ONE, Rational::MINUS_ONE] {
            let bound = self.is_at_most_zero(aig, &difference.scaled(&sign), false);
            self.state(vec![unless, bound]);
        }
    }

    /// States a clause that the definition of a term says.
    pub(super) fn state(&mut self, clause: Vec<Edge>) {
        self.pending.push(Lemma { kind: LemmaKind::NumberDefinition, clause });
    }
}

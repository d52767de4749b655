//! The polyhedron around a solution: the reasons for which the formula holds there, as bounds of linear forms.
//!
//! Terms that are not linear are made so by staying where they are at the solution: a product keeps all factors but one, a quotient keeps its
//! remainder or moves within one multiple of the divisor, and terms without a linear form keep their arguments.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashMap;
use sundry_linear::Rational;
use sundry_term::{ArithmeticOp, Evaluator, Op, SortId, SymbolId, TermId, TermStore, Value};

use super::form::Form;
use super::polyhedron::{Constraint, Polyhedron, Restriction};
use super::reasons::needed_terms;

/// The maximal number of terms of all forms together, which bounds memory and time.
const LARGEST: usize = 4_000_000;

/// The maximal number of terms that are to remain distinct: each pair of them is a constraint.
const LONGEST_DISTINCT: usize = 400;

/// Makes the polyhedron around one solution.
struct Around<'a> {
    store: &'a TermStore,
    evaluator: &'a Evaluator<'a>,
    variables: &'a FxHashMap<SymbolId, u32>,
    random: &'a mut ChaCha8Rng,
    /// The forms, not zero, of the numbers that are needed.
    forms: FxHashMap<TermId, Form>,
    polyhedron: Polyhedron,
}

/// The polyhedron of what satisfies the assertions, which the evaluator has found true, for one choice of reasons. `terms` are all terms below
/// the assertions, in ascending order; the variables are numbered. `None` where the polyhedron would be too large, or a value is open.
pub(super) fn polyhedron_around(
    store: &TermStore,
    terms: &[TermId],
    assertions: &[TermId],
    variables: &FxHashMap<SymbolId, u32>,
    evaluator: &Evaluator<'_>,
    random: &mut ChaCha8Rng,
) -> Option<Polyhedron> {
    let needed = needed_terms(store, terms, assertions, evaluator, random);
    let polyhedron = Polyhedron::default();
    let mut around = Around { store, evaluator, variables, random, forms: FxHashMap::default(), polyhedron };
    let mut size = 0;
    for &term in terms.iter().filter(|term| needed[term.index()]) {
        let form = around.enter(term)?;
        if form.is_zero() {
            continue;
        }
        size += form.terms().len();
        around.forms.insert(term, form);
        if size > LARGEST {
            return None;
        }
    }
    Some(around.polyhedron)
}

impl Around<'_> {
    /// Adds the constraints that keep a needed term, and returns its form, which is zero where the term keeps its value. `None` where a value is open.
    fn enter(&mut self, term: TermId) -> Option<Form> {
        let arguments = self.store.args(term);
        let first_is_number = arguments.first().is_some_and(|&first| is_number(self.store, first));
        match self.store.op(term) {
            Op::Apply(symbol) if arguments.is_empty() => {
                return Some(self.variables.get(&symbol).map_or_else(Form::default, |&v| Form::variable(v)));
            }
            Op::Ite => {
                let holds = self.evaluator.value(arguments[0]) == Some(&Value::Bool(true));
                return Some(self.form(arguments[if holds { 1 } else { 2 }]));
            }
            Op::Equal if first_is_number => {
                let are_equal = self.is_true(term)?;
                let pairs = arguments.windows(2).map(|pair| (pair[0], pair[1]));
                self.relate(pairs, are_equal, are_equal)?;
            }
            Op::Distinct if first_is_number => {
                let are_distinct = self.is_true(term)?;
                if arguments.len() > LONGEST_DISTINCT {
                    return None;
                }
                let pairs_of =
                    |left: usize| arguments[left + 1..].iter().map(move |&right| (arguments[left], right));
                self.relate((0..arguments.len()).flat_map(pairs_of), !are_distinct, are_distinct)?;
            }
            Op::Arithmetic(operator) => return self.arithmetic(term, operator, arguments),
            _ => self.keep(arguments),
        }
        Some(Form::default())
    }

    /// The form of a number, or the constraints of a comparison.
    fn arithmetic(&mut self, term: TermId, operator: ArithmeticOp, arguments: &[TermId]) -> Option<Form> {
        use ArithmeticOp::*;
        let first = self.form(arguments[0]);
        match operator {
            Less | LessOrEqual => self.order(arguments, operator == Less, self.is_true(term)?)?,
            Greater | GreaterOrEqual => {
                let reversed: Vec<TermId> = arguments.iter().rev().copied().collect();
                self.order(&reversed, operator == Greater, self.is_true(term)?)?;
            }
            Add => {
                let sum = |sum: Form, &next: &TermId| sum.plus(&self.form(next), &Rational::ONE);
                return Some(arguments[1..].iter().fold(first, sum));
            }
            Sub if arguments.len() == 1 => return Some(first.scaled(&Rational::MINUS_ONE)),
            Sub => {
                let difference = |sum: Form, &next: &TermId| sum.plus(&self.form(next), &Rational::MINUS_ONE);
                return Some(arguments[1..].iter().fold(first, difference));
            }
            Mul => return self.product(arguments),
            ToReal => return Some(first),
            Divide | Div | Mod if arguments.len() == 2 => {
                self.keep(&arguments[1..]);
                let divisor = self.value(arguments[1])?;
                if !divisor.is_zero() {
                    return self.quotient(operator, arguments[0], &divisor);
                }
                self.keep(&arguments[..1]);
            }
            Abs => {
                let value = self.value(arguments[0])?;
                let is_negative = value.is_negative();
                let bound = Some(-&value);
                let (least, most) = if is_negative { (None, bound) } else { (bound, None) };
                self.bound(first.clone(), least, most);
                let sign = if is_negative { Rational::MINUS_ONE } else { Rational::ONE };
                return Some(first.scaled(&sign));
            }
            // The fraction stays.
            ToInt => {
                self.change_by_multiples(first.clone(), Rational::ONE);
                return Some(first);
            }
            IsInt => self.change_by_multiples(first, Rational::ONE),
            Divisible(divisor) => self.change_by_multiples(first, Rational::from(i64::from(divisor))),
            IntToBits(width) => {
                let modulus = (0..width).fold(Rational::ONE, |power, _| &power + &power);
                self.change_by_multiples(first, modulus);
            }
            Divide | Div | Mod | UnsignedToInt | SignedToInt => self.keep(arguments),
        }
        Some(Form::default())
    }

    /// A product in which one factor changes.
    fn product(&mut self, arguments: &[TermId]) -> Option<Form> {
        let changing: Vec<usize> =
            (0..arguments.len()).filter(|&position| self.forms.contains_key(&arguments[position])).collect();
        if changing.is_empty() {
            return Some(Form::default());
        }
        let chosen = changing[self.random.random_range(0..changing.len())];
        let mut factor = Rational::ONE;
        for (position, &argument) in arguments.iter().enumerate() {
            if position != chosen {
                self.keep(&[argument]);
                factor = &factor * &self.value(argument)?;
            }
        }
        Some(self.form(arguments[chosen]).scaled(&factor))
    }

    /// A quotient or remainder by a number that is not zero.
    fn quotient(&mut self, operator: ArithmeticOp, dividend: TermId, divisor: &Rational) -> Option<Form> {
        let form = self.form(dividend);
        if operator == ArithmeticOp::Divide {
            return Some(form.scaled(&divisor.reciprocal()));
        }
        if form.is_zero() {
            return Some(form);
        }
        let is_quotient = operator == ArithmeticOp::Div;
        let size = divisor.magnitude();
        if self.random.random() {
            // The remainder stays.
            self.change_by_multiples(form.clone(), size);
            return Some(if is_quotient { form.scaled(&divisor.reciprocal()) } else { Form::default() });
        }
        let value = self.value(dividend)?;
        let remainder = &value - &(&(&value / &size).floor() * &size);
        let most = &(&size - &Rational::ONE) - &remainder;
        self.bound(form.clone(), Some(-&remainder), Some(most));
        Some(if is_quotient { Form::default() } else { form })
    }

    /// An order of numbers, each at most the next one or less than it, that holds or fails at one place.
    fn order(&mut self, terms: &[TermId], is_strict: bool, holds: bool) -> Option<()> {
        let mut failing = Vec::new();
        for pair in terms.windows(2) {
            let difference = &self.value(pair[0])? - &self.value(pair[1])?;
            if holds {
                self.at_most_zero(pair[0], pair[1], &difference, is_strict);
            } else if difference.is_positive() || (is_strict && difference.is_zero()) {
                failing.push((pair[0], pair[1], difference));
            }
        }
        if !holds {
            let (left, right, difference) = failing.swap_remove(self.random.random_range(0..failing.len()));
            self.at_most_zero(right, left, &-difference, !is_strict);
        }
        Some(())
    }

    /// The difference of two terms, which has this value, remains at most zero, or below it.
    fn at_most_zero(&mut self, left: TermId, right: TermId, difference: &Rational, is_strict: bool) {
        let form = self.form(left).plus(&self.form(right), &Rational::MINUS_ONE);
        let is_integer = self.store.sort_of(left) == SortId::INT;
        let gap = if is_strict && is_integer { Rational::ONE } else { Rational::ZERO };
        let most = Some(-&(difference + &gap));
        let is_open = is_strict && !is_integer;
        self.restrict(form, Restriction::Bounds { least: None, most, is_open });
    }

    /// Pairs that are equal, or unequal, remain so: all of them, or one.
    fn relate(
        &mut self,
        pairs: impl Iterator<Item = (TermId, TermId)>,
        are_equal: bool,
        all: bool,
    ) -> Option<()> {
        let mut reasons = Vec::new();
        for (left, right) in pairs {
            let difference = &self.value(left)? - &self.value(right)?;
            if difference.is_zero() == are_equal {
                reasons.push((left, right, difference));
            }
        }
        if !all {
            let chosen = self.random.random_range(0..reasons.len());
            reasons = vec![reasons.swap_remove(chosen)];
        }
        for (left, right, difference) in reasons {
            let form = self.form(left).plus(&self.form(right), &Rational::MINUS_ONE);
            match are_equal {
                true if form.is_zero() => {}
                true => self.polyhedron.equalities.push(form),
                false => self.restrict(form, Restriction::Not(-difference)),
            }
        }
        Some(())
    }

    fn bound(&mut self, form: Form, least: Option<Rational>, most: Option<Rational>) {
        self.restrict(form, Restriction::Bounds { least, most, is_open: false });
    }

    fn change_by_multiples(&mut self, form: Form, number: Rational) {
        self.restrict(form, Restriction::MultipleOf(number));
    }

    /// Restricts the change of a form, unless that is zero anyway.
    fn restrict(&mut self, form: Form, restriction: Restriction) {
        if !form.is_zero() {
            self.polyhedron.constraints.push(Constraint { form, restriction });
        }
    }

    /// Numbers among these terms keep their values.
    fn keep(&mut self, terms: &[TermId]) {
        let forms = terms.iter().filter_map(|term| self.forms.get(term).cloned());
        self.polyhedron.equalities.extend(forms);
    }

    fn form(&self, term: TermId) -> Form {
        self.forms.get(&term).cloned().unwrap_or_default()
    }

    fn is_true(&self, term: TermId) -> Option<bool> {
        Some(*self.evaluator.value(term)? == Value::Bool(true))
    }

    fn value(&self, term: TermId) -> Option<Rational> {
        rational(self.evaluator.value(term)?)
    }
}

fn is_number(store: &TermStore, term: TermId) -> bool {
    matches!(store.sort_of(term), SortId::INT | SortId::REAL)
}

/// A number as this module computes with it.
pub(super) fn rational(value: &Value) -> Option<Rational> {
    match value {
        Value::Int(number) => Some(Rational::from(number.clone())),
        Value::Real(number) => Some(Rational::from(&**number)),
        _ => None,
    }
}

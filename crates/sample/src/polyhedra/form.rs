//! Linear forms: sums of variables with factors, without a constant.

use sundry_linear::Rational;

/// A sum of variables, each with a factor that is not zero, in ascending order of the variables.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Form(Vec<(u32, Rational)>);

impl Form {
    /// A variable.
    pub(super) fn variable(variable: u32) -> Form {
        Form(vec![(variable, Rational::ONE)])
    }

    /// The form with these factors of the variables, in ascending order; factors may be zero.
    pub(super) fn new(terms: impl Iterator<Item = (u32, Rational)>) -> Form {
        Form(terms.filter(|(_, factor)| !factor.is_zero()).collect())
    }

    /// The variables and their factors.
    pub(super) fn terms(&self) -> &[(u32, Rational)] {
        &self.0
    }

    /// Whether the form is zero whatever the variables are.
    pub(super) fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// The multiple of the form by a factor.
    pub(super) fn scaled(&self, factor: &Rational) -> Form {
        if factor.is_one() {
            return self.clone();
        }
        Form::new(self.0.iter().map(|(variable, own)| (*variable, own * factor)))
    }

    /// The sum of this form and a multiple of another.
    pub(super) fn plus(&self, other: &Form, factor: &Rational) -> Form {
        let (mut left, mut right) = (self.0.iter().peekable(), other.0.iter().peekable());
        let mut sum = Vec::with_capacity(self.0.len() + other.0.len());
        while let Some(&&(variable, _)) = match (left.peek(), right.peek()) {
            (Some(l), Some(r)) => Some(if l.0 <= r.0 { l } else { r }),
            (l, r) => l.or(r),
        } {
            let mut total = Rational::ZERO;
            if let Some((_, own)) = left.next_if(|term| term.0 == variable) {
                total = own.clone();
            }
            if let Some((_, theirs)) = right.next_if(|term| term.0 == variable) {
                total.add_product(theirs, factor);
            }
            sum.push((variable, total));
        }
        Form::new(sum.into_iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Form {
        /// The form with these factors of the first variables.
        pub(crate) fn of(factors: &[i64]) -> Form {
            Form::new((0..).zip(factors.iter().copied().map(Rational::from)))
        }

        /// The value of the form where the variables have these values.
        pub(crate) fn value(&self, values: &[Rational]) -> Rational {
            let mut sum = Rational::ZERO;
            self.0.iter().for_each(|(variable, factor)| sum.add_product(&values[*variable as usize], factor));
            sum
        }
    }

    #[test]
    fn sums_leave_out_what_cancels() {
        let number = Rational::from;
        let form = Form::variable(0).plus(&Form::variable(2), &number(3));
        let other = Form::variable(2).plus(&Form::variable(5), &number(1));
        let difference = form.plus(&other, &number(-3));
        assert_eq!(difference.terms(), &[(0, number(1)), (5, number(-3))]);
        let values: Vec<Rational> = (0..6).map(number).collect();
        assert_eq!(difference.value(&values), number(-15));
        assert!(difference.plus(&difference, &number(-1)).is_zero());
    }
}

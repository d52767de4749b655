//! Values under which products are right, within the bounds of a candidate.
//!
//! Facts refute a candidate at one point after the other, and where numbers are real, seldom end at a point that has to be met exactly. Here factors
//! get numbers instead: then their products are linear in the other factors, and the simplex finds the rest. That finds models, and
//! says nothing where it finds none.

use std::vec::IntoIter;

use dashu_int::ops::SquareRootRem;
use sundry_linear::{
    IntegerOutcome, Mark, Met, Rational, SearchLimits, Side, Simplex, Tag, Variable, WantedBound,
};
use sundry_term::{Control, Stopped};

use super::products::Product;
use super::{Expression, Numbers, Solution};

/// Numbers that one search tries for factors, at most.
const MAXIMAL_TRIED: usize = 100;

/// Numbers that all searches may try for each candidate with wrong products: as many checks of the simplex as the candidate takes, within a factor.
const TRIED_FOR_CANDIDATE: usize = 4;

/// The work of looking at a variable, in the units of [`Control::spend`].
const WORK_OF_VARIABLE: u32 = 8;

/// Small numbers that are tried for a factor.
const SMALL: [i64; 3] = [0, 1, -1];

/// The tag of bounds that give factors their numbers. Nobody asks for their conflicts.
const TAG: Tag = 0;

impl Numbers {
    /// Makes products of reals right in the present solution, if numbers for factors are found under which they are. The bounds are those that the candidate wants,
    /// without those that only facts about products name: facts hold anyway, and their bounds leave less and less around points where products are wrong. The
    /// simplex has no bounds of the candidate.
    ///
    /// # Errors
    /// The control stopped the search.
    pub(super) fn correct_products(&mut self, control: &Control) -> Result<(), Stopped> {
        let is_wrong = |product: &&Product| !product.is_right(&self.solution);
        let are_integers = |product: &Product| self.simplex.is_integer(product.result);
        if self.products.iter().filter(is_wrong).all(are_integers) {
            return Ok(());
        }
        self.candidates_to_fix += 1;
        if self.numbers_tried > TRIED_FOR_CANDIDATE * self.candidates_to_fix {
            return Ok(());
        }
        let wanted: Vec<WantedBound> = self.wanted_by_formula().cloned().collect();
        let (simplex, count) = (self.simplex.clone(), self.simplex.variable_count());
        let mut search = Search { simplex, count, products: &self.products, wanted, control, tried: 0 };
        let found = if search.meets_bounds(false)? { search.run()? } else { None };
        self.numbers_tried += search.tried;
        if let Some(solution) = found {
            self.solution = solution;
        }
        Ok(())
    }
}

/// A search for numbers of factors.
struct Search<'n> {
    /// A copy, which may have more sums.
    simplex: Simplex,
    /// The variables of the original.
    count: usize,
    products: &'n [Product],
    wanted: Vec<WantedBound>,
    control: &'n Control,
    /// Numbers that were tried.
    tried: usize,
}

/// What is tried to make one product right.
struct Choice {
    /// The bounds before it.
    before: Mark,
    rest: IntoIter<Fixed>,
}

/// A factor that gets a number, with the other factor and the result.
struct Fixed {
    factor: Expression,
    number: Rational,
    other: Expression,
    result: Variable,
}

impl Search<'_> {
    fn run(&mut self) -> Result<Option<Solution>, Stopped> {
        let mut choices: Vec<Choice> = Vec::new();
        let work_of_look = WORK_OF_VARIABLE * self.count as u32;
        loop {
            self.control.spend(work_of_look)?;
            let solution = Solution::present(&self.simplex, self.count, &self.wanted);
            match self.products.iter().find(|product| !product.is_right(&solution)) {
                Some(product) => {
                    let (before, rest) = (self.simplex.mark(), self.options(product, &solution).into_iter());
                    choices.push(Choice { before, rest });
                }
                None if self.are_integers(&solution) => return Ok(Some(solution)),
                None => {
                    // The search for integers moves sums without asking for bounds that are not asserted.
                    let limits = SearchLimits::default();
                    if self.meets_bounds(true)?
                        && self.simplex.check_integers(self.control, limits)? == IntegerOutcome::Solved
                    {
                        continue;
                    }
                }
            }
            if !self.fix_next(&mut choices)? {
                return Ok(None);
            }
        }
    }

    /// Gives a factor the next number for which there are values, and takes back choices that have none. Returns whether there is one.
    fn fix_next(&mut self, choices: &mut Vec<Choice>) -> Result<bool, Stopped> {
        while let Some(Choice { before, rest }) = choices.last_mut() {
            self.simplex.backtrack(*before);
            let Some(fixed) = rest.next() else {
                choices.pop();
                continue;
            };
            if self.tried == MAXIMAL_TRIED {
                return Ok(false);
            }
            self.tried += 1;
            if self.fix(&fixed)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Gives a factor its number. Returns whether there are values then.
    fn fix(&mut self, Fixed { factor, number, other, result }: &Fixed) -> Result<bool, Stopped> {
        let rest = factor.minus(&Expression::constant(number.clone()));
        let product =
            if factor == other { Expression::constant(number * number) } else { other.scaled(number) };
        let error = Expression::variable(*result).minus(&product);
        if !self.assert_zero(&rest) || !self.assert_zero(&error) {
            return Ok(false);
        }
        self.meets_bounds(false)
    }

    /// Looks for values within all bounds, of which it asserts those that are violated, or all. Returns whether there are any.
    fn meets_bounds(&mut self, all: bool) -> Result<bool, Stopped> {
        let wanted: Vec<&WantedBound> = self.wanted.iter().collect();
        let met = self.simplex.meet(&wanted, all, self.control)?;
        Ok(!matches!(met, Met::Conflict(_)))
    }

    /// Asserts that an expression is zero. Returns whether other bounds do not contradict it at once.
    fn assert_zero(&mut self, Expression { constant, terms }: &Expression) -> bool {
        let (variable, factor) = match &terms[..] {
            [] => return constant.is_zero(),
            [(variable, factor)] => (*variable, factor.clone()),
            _ => (self.simplex.define(terms), Rational::ONE),
        };
        let value = &(-constant.clone()) * &factor.reciprocal();
        let mut assert = |side| self.simplex.assert(variable, side, value.clone().into(), TAG).is_ok();
        assert(Side::Lower) && assert(Side::Upper)
    }

    fn are_integers(&self, solution: &Solution) -> bool {
        let mut variables = (0..self.count).map(Variable::from_index);
        variables.all(|it| !self.simplex.is_integer(it) || solution.value(it).is_integer())
    }

    /// What may be tried to make a product right, the most promising first: factors of many products, and numbers near the present ones.
    fn options(&self, product: &Product, solution: &Solution) -> Vec<Fixed> {
        let Product { a, b, result, .. } = product;
        let occurs = |factor: &Expression| {
            self.products.iter().filter(|product| [&product.a, &product.b].contains(&factor)).count()
        };
        let mut ways = if a == b { vec![(a, b)] } else { vec![(a, b), (b, a)] };
        ways.sort_by_key(|(factor, _)| std::cmp::Reverse(occurs(factor)));
        let numbers = ways.iter().map(|(factor, other)| {
            let (at, there) = (factor.value(solution), other.value(solution));
            let fitting = if a == b {
                square_root(solution.value(*result)).map_or(vec![], |root| vec![root.clone(), -root])
            } else if there.is_zero() {
                vec![]
            } else {
                vec![solution.value(*result) * &there.reciprocal()]
            };
            let near = [at.floor(), at.ceiling()];
            let mut numbers: Vec<Rational> = Vec::new();
            for number in fitting.into_iter().chain([at]).chain(near).chain(SMALL.map(Rational::from)) {
                if !numbers.contains(&number) {
                    numbers.push(number);
                }
            }
            numbers.into_iter().map(|number| Fixed {
                factor: (*factor).clone(),
                number,
                other: (*other).clone(),
                result: *result,
            })
        });
        numbers.flatten().collect()
    }
}

/// The root of a number that is a square.
fn square_root(number: &Rational) -> Option<Rational> {
    let root = |number: &Rational| {
        let (_, magnitude) = number.to_big().numerator().clone().into_parts();
        let (root, rest) = magnitude.sqrt_rem();
        rest.is_zero().then(|| Rational::from(dashu_int::IBig::from(root)))
    };
    if number.is_negative() {
        return None;
    }
    Some(&root(&number.numerator())? * &root(&number.denominator())?.reciprocal())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_of_squares_are_exact() {
        let quotient = |a: i64, b: i64| &Rational::from(a) * &Rational::from(b).reciprocal();
        assert_eq!(square_root(&quotient(49, 4)), Some(quotient(7, 2)));
        assert_eq!(square_root(&Rational::ZERO), Some(Rational::ZERO));
        assert_eq!(
            [quotient(2, 1), quotient(4, 3), quotient(-4, 1)].map(|it| square_root(&it)),
            [None, None, None]
        );
    }
}

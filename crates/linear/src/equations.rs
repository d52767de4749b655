//! Linear equations over the integers: solved by elimination, or refuted by a sum that no integers give this value.
//!
//! A variable with the factor 1 or -1 is eliminated. Where there is none, the variable with the least factor is replaced by a new one, so that the
//! other factors become remainders, as in Euclid's algorithm (Pugh, *The Omega test*, 1991). An equation whose factors have a
//! divisor that does not divide its constant is a refutation: divided by it, the equation says that a sum of integers is no integer.
//!
//! At a vertex the tight bounds are equations as well. If they have no integer solution, that sum is where to branch: no integers are
//! between its two halves (Dillig, Dillig & Aiken, *Cuts from proofs*, CAV 2009).

use rustc_hash::FxHashMap;
use sundry_term::{Control, Stopped};

use crate::bounds::Tag;
use crate::rational::Rational;
use crate::tableau::{Sum, add_to_sum};

/// Bits of a factor above which a system is left alone.
const MAXIMAL_BITS: usize = 1024;

/// The work of an elimination for each term, in the units of [`Control::spend`].
const WORK_OF_TERM: u32 = 16;

/// A sum that equals a constant.
#[derive(Clone, Debug)]
pub(crate) struct Equation {
    pub(crate) sum: Sum,
    pub(crate) constant: Rational,
    /// The bounds that say so, sorted.
    pub(crate) tags: Vec<Tag>,
}

/// The value of an eliminated variable.
struct Solved {
    sum: Sum,
    constant: Rational,
    tags: Vec<Tag>,
}

/// Equations solved so far.
#[derive(Default)]
pub(crate) struct Equations {
    solved: FxHashMap<u32, Solved>,
    /// New variables as sums over the first ones, by number.
    new: FxHashMap<u32, Sum>,
    next: u32,
}

/// The outcome of adding an equation.
#[derive(Debug)]
pub(crate) enum Added {
    /// The equations have a solution.
    Solvable,
    /// The sum, over the first variables, has this value by the equations with these tags, which is no integer.
    Refuted { sum: Sum, value: Rational, tags: Vec<Tag> },
    /// The numbers are too large.
    TooLarge,
}

impl Equations {
    /// No equations. Variables from `next` on are new.
    pub(crate) fn new(next: u32) -> Equations {
        Equations { next, ..Equations::default() }
    }

    /// Adds an equation over integer variables with integer factors.
    ///
    /// # Errors
    /// The control stopped the work.
    pub(crate) fn add(&mut self, equation: Equation, control: &Control) -> Result<Added, Stopped> {
        let Equation { mut sum, mut constant, mut tags } = equation;
        while let Some((variable, factor)) =
            sum.iter().find(|entry| self.solved.contains_key(&entry.0)).cloned()
        {
            let solved = &self.solved[&variable];
            control.spend(WORK_OF_TERM * (1 + solved.sum.len() as u32))?;
            add_to_sum(&mut sum, &[(variable, Rational::MINUS_ONE)], &factor);
            add_to_sum(&mut sum, &solved.sum, &factor);
            constant.add_product(&solved.constant, &-&factor);
            tags.extend_from_slice(&solved.tags);
        }
        tags.sort_unstable();
        tags.dedup();
        loop {
            control.spend(WORK_OF_TERM * (1 + sum.len() as u32))?;
            let divisor =
                sum.iter().fold(Rational::ZERO, |so_far, (_, factor)| so_far.common_divisor(factor));
            if divisor.is_zero() {
                return Ok(match constant.is_zero() {
                    true => Added::Solvable,
                    false => Added::Refuted { sum, value: constant, tags },
                });
            }
            if divisor.bit_length() > MAXIMAL_BITS {
                return Ok(Added::TooLarge);
            }
            let reciprocal = divisor.reciprocal();
            sum.iter_mut().for_each(|(_, factor)| *factor = &*factor * &reciprocal);
            constant = &constant * &reciprocal;
            if !constant.is_integer() {
                return Ok(Added::Refuted { sum: self.over_first(&sum), value: constant, tags });
            }
            let (variable, least) =
                sum.iter().min_by_key(|(_, factor)| factor.magnitude()).cloned().expect("there is a divisor");
            let mut rest = sum.clone();
            add_to_sum(&mut rest, &[(variable, Rational::MINUS_ONE)], &least);
            if least.magnitude().is_one() {
                // variable = (constant - rest) / least
                let constant = &constant * &least;
                rest.iter_mut().for_each(|(_, factor)| *factor = -(&*factor * &least));
                self.solved.insert(variable, Solved { sum: rest, constant, tags });
                return Ok(Added::Solvable);
            }
            // new = variable + rounded quotients of the rest
            let new = self.next;
            self.next += 1;
            let quotients: Sum = rest
                .iter()
                .map(|(variable, factor)| (*variable, nearest_integer(&(factor / &least))))
                .filter(|(_, quotient)| !quotient.is_zero())
                .collect();
            let mut definition = quotients.clone();
            add_to_sum(&mut definition, &[(variable, Rational::ONE)], &Rational::ONE);
            let definition = self.over_first(&definition);
            self.new.insert(new, definition);
            add_to_sum(&mut rest, &quotients, &-&least);
            add_to_sum(&mut rest, &[(new, Rational::ONE)], &least);
            let mut value = vec![(new, Rational::ONE)];
            add_to_sum(&mut value, &quotients, &Rational::MINUS_ONE);
            self.solved.insert(variable, Solved { sum: value, constant: Rational::ZERO, tags: Vec::new() });
            sum = rest;
        }
    }

    /// A sum as one over the first variables.
    fn over_first(&self, sum: &[(u32, Rational)]) -> Sum {
        let mut result = Sum::new();
        for (variable, factor) in sum {
            match self.new.get(variable) {
                Some(definition) => add_to_sum(&mut result, definition, factor),
                None => add_to_sum(&mut result, &[(*variable, Rational::ONE)], factor),
            }
        }
        result
    }
}

fn nearest_integer(number: &Rational) -> Rational {
    let half = &Rational::ONE / &Rational::from(2);
    (number + &half).floor()
}

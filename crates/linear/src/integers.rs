//! Integer values for integer variables: a test by divisors, cuts, and branch and bound.
//!
//! The search is complete for bounded variables, and ends by itself after a number of nodes. Its conflicts name asserted bounds only:
//! where both halves of a branch are refuted, the two conflicts without the branch itself are one.

use sundry_term::{Control, Stopped};

use crate::bounds::{FIRST_OF_BRANCHES, Side, Tag};
use crate::rational::Rational;
use crate::simplex::{Mark, Outcome, Simplex, Variable};
use crate::value::Value;

/// The outcome of a search for integers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IntegerOutcome {
    /// All values are within bounds, and those of integer variables are integers.
    Solved,
    /// No integers meet the bounds with these tags, sorted.
    Conflict(Vec<Tag>),
    /// The search has used up its nodes. Whoever goes on may split here: the variable is at most this integer, or at
    /// least the next one.
    Branch(Variable, Rational),
}

/// How far a search for integers goes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct SearchLimits {
    /// Nodes of branch and bound.
    pub nodes: usize,
    /// Rounds of cuts before the first branch.
    pub rounds_of_cuts: usize,
}

impl Default for SearchLimits {
    fn default() -> Self {
        SearchLimits { nodes: 200, rounds_of_cuts: 5 }
    }
}

/// A branch that was taken.
struct Branch {
    mark: Mark,
    variable: u32,
    floor: Rational,
    /// The side that is tried first: `Upper` is "at most the floor".
    first: Side,
    /// The conflict of the first half.
    first_conflict: Option<Vec<Tag>>,
}

impl Branch {
    fn bound(&self, side: Side) -> Value {
        match side {
            Side::Upper => self.floor.clone().into(),
            Side::Lower => (&self.floor + &Rational::ONE).into(),
        }
    }
}

impl Simplex {
    /// Finds values within all bounds that are integers where they have to be.
    ///
    /// # Errors
    /// The control stopped the search. Bounds and rows are as before.
    pub fn check_integers(
        &mut self,
        control: &Control,
        limits: SearchLimits,
    ) -> Result<IntegerOutcome, Stopped> {
        let (mark, count) = (self.mark(), self.variable_count());
        let outcome = self.search(control, limits);
        self.backtrack(mark);
        self.truncate(count);
        if outcome == Ok(IntegerOutcome::Solved) {
            // The values stay as they are: rows of cuts leave, and take nothing with them.
            debug_assert!(self.first_fraction().is_none());
        }
        outcome
    }

    fn search(&mut self, control: &Control, limits: SearchLimits) -> Result<IntegerOutcome, Stopped> {
        let mut branches: Vec<Branch> = Vec::new();
        let mut nodes = 0;
        let mut rounds = 0;
        loop {
            let conflict = match self.check(control)? {
                Outcome::Conflict(tags) => Some(tags),
                Outcome::Feasible => self.divisor_conflict(control)?,
            };
            if let Some(tags) = conflict {
                if let Some(tags) = self.learn(tags, &mut branches) {
                    return Ok(IntegerOutcome::Conflict(tags));
                }
                continue;
            }
            let Some(variable) = self.fraction_to_split() else { return Ok(IntegerOutcome::Solved) };
            if branches.is_empty() && rounds < limits.rounds_of_cuts {
                rounds += 1;
                match self.add_cuts(control)? {
                    Ok(0) => rounds = limits.rounds_of_cuts,
                    Ok(_) => continue,
                    Err(tags) => return Ok(IntegerOutcome::Conflict(tags)),
                }
            }
            nodes += 1;
            if nodes > limits.nodes {
                return Ok(match branches.into_iter().next() {
                    Some(Branch { variable, floor, .. }) => IntegerOutcome::Branch(Variable(variable), floor),
                    None => {
                        let floor = self.value(Variable(variable)).floor();
                        IntegerOutcome::Branch(Variable(variable), floor)
                    }
                });
            }
            self.branch(variable, &mut branches);
        }
    }

    /// Splits at the value of a variable. The nearer half comes first.
    fn branch(&mut self, variable: u32, branches: &mut Vec<Branch>) {
        let value = self.value(Variable(variable));
        let floor = value.floor();
        let distance = &value.rational - &floor;
        let is_low = &distance + &distance < Rational::ONE;
        let first = if is_low { Side::Upper } else { Side::Lower };
        let branch = Branch { mark: self.mark(), variable, floor, first, first_conflict: None };
        let (bound, tag) = (branch.bound(first), tag_of(branches.len()));
        branches.push(branch);
        self.assert(Variable(variable), first, bound, tag).expect("the value was within its bounds");
    }

    /// Goes back to the last branch on which a conflict depends, and into its other half. Without such a branch, the tags
    /// of a conflict of asserted bounds are returned.
    fn learn(&mut self, mut tags: Vec<Tag>, branches: &mut Vec<Branch>) -> Option<Vec<Tag>> {
        while let Some(branch) = branches.last_mut() {
            self.backtrack(branch.mark);
            let Ok(place) = tags.binary_search(&tag_of(branches.len() - 1)) else {
                branches.pop();
                continue;
            };
            tags.remove(place);
            let branch = branches.last_mut().expect("it was there");
            match branch.first_conflict.take() {
                Some(first) => {
                    tags.extend(first);
                    tags.sort_unstable();
                    tags.dedup();
                    branches.pop();
                }
                None => {
                    branch.first_conflict = Some(tags);
                    let side = branch.first.opposite();
                    let (variable, bound) = (Variable(branch.variable), branch.bound(side));
                    match self.assert(variable, side, bound, tag_of(branches.len() - 1)) {
                        Ok(()) => return None,
                        Err(conflict) => tags = conflict,
                    }
                }
            }
        }
        Some(tags)
    }

    /// Some integer variable whose value is no integer.
    pub(crate) fn first_fraction(&self) -> Option<u32> {
        self.fractions().next()
    }

    /// The integer variables whose values are no integers.
    pub(crate) fn fractions(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.variable_count() as u32)
            .filter(|&number| self.is_integer(Variable(number)) && !self.value(Variable(number)).is_integer())
    }

    /// The variable to split: one with the smallest range between its bounds, of these the first.
    fn fraction_to_split(&self) -> Option<u32> {
        let range = |number: u32| {
            let bound = |side| self.bound(Variable(number), side).map(|value| value.rational.clone());
            Some(&bound(Side::Upper)? - &bound(Side::Lower)?)
        };
        self.fractions().min_by_key(|&number| {
            let range = range(number);
            (range.is_none(), range)
        })
    }

    /// The bounds of a row that have no integer solution by divisors: with every fixed variable replaced by its value, the factors of the
    /// others have a common divisor that does not divide the constant.
    fn divisor_conflict(&mut self, control: &Control) -> Result<Option<Vec<Tag>>, Stopped> {
        for number in 0..self.tableau().row_count() {
            let row = self.tableau().row(number);
            control.spend(row.sum.len() as u32)?;
            if let Some(tags) = self.divisor_conflict_of(number) {
                return Ok(Some(tags));
            }
        }
        Ok(None)
    }

    fn divisor_conflict_of(&self, number: u32) -> Option<Vec<Tag>> {
        let row = self.tableau().row(number);
        let is_integer = |&(variable, _): &(u32, Rational)| self.is_integer(Variable(variable));
        if !self.is_integer(Variable(row.basic)) || !row.sum.iter().all(is_integer) {
            return None;
        }
        let mut denominator = Rational::ONE;
        for (_, factor) in row.sum.iter().filter(|(_, factor)| !factor.is_integer()) {
            let their = factor.denominator();
            denominator = &(&denominator * &their) / &denominator.common_divisor(&their);
        }
        if denominator.is_one() {
            return None;
        }
        let mut divisor = Rational::ZERO;
        let mut constant = Rational::ZERO;
        let mut tags = Vec::new();
        let basic = (row.basic, Rational::MINUS_ONE);
        for (variable, factor) in row.sum.iter().chain([&basic]) {
            let factor = factor * &denominator;
            let bounds = [Side::Lower, Side::Upper].map(|side| self.bound_of(*variable, side));
            match bounds {
                [Some(lower), Some(upper)] if lower.value == upper.value => {
                    constant.add_product(&factor, &lower.value.rational);
                    lower.cause.add_to(&mut tags);
                    upper.cause.add_to(&mut tags);
                }
                _ => divisor = divisor.common_divisor(&factor),
            }
        }
        let divides =
            if divisor.is_zero() { constant.is_zero() } else { (&constant / &divisor).is_integer() };
        if divides {
            return None;
        }
        tags.sort_unstable();
        tags.dedup();
        Some(tags)
    }
}

/// The tag of the bounds of a branch, by its depth.
fn tag_of(depth: usize) -> Tag {
    FIRST_OF_BRANCHES + depth as Tag
}

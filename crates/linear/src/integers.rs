//! Integer values for integer variables: a test by divisors, small moves, cuts, and branch and bound.
//!
//! The search is complete for bounded variables, and ends by itself after a number of nodes. Its conflicts name asserted bounds only:
//! where both halves of a branch are refuted, the two conflicts without the branch itself are one. Variables without bounds are
//! looked for in boxes first, since branches might run away from zero for ever; a conflict that needs the box is none.

use sundry_term::{Control, Stopped};

use crate::bounds::{FIRST_OF_BRANCHES, Side, Tag};
use crate::equations::{Added, Equation, Equations};
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
    /// The search has used up its nodes. Whoever goes on may split here: the sum of integers is at most this integer, or at
    /// least the next one.
    Branch(Vec<(Variable, Rational)>, Rational),
}

/// The extent of a search for integers.
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

/// The sizes of boxes around zero.
const BOXES: [i64; 3] = [1 << 5, 1 << 10, 1 << 20];

/// Nodes of the search without a box that comes first.
const NODES_WITHOUT_BOX: usize = 50;

/// Bits of numerator and denominator of a factor above which no branch is at a sum.
const BITS_OF_BRANCH: usize = 128;

/// The tag of the bounds of a box.
const TAG_OF_BOX: Tag = FIRST_OF_BRANCHES;

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

/// The way on from a vertex whose values are not all integers.
enum Split {
    /// No integers meet the bounds with these tags.
    Conflict(Vec<Tag>),
    /// The value of this variable has to be an integer.
    At(u32),
}

/// The outcome of a search in one box.
enum Searched {
    Ended(IntegerOutcome),
    /// There is nothing in the box.
    BoxIsEmpty,
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
        if self.fractions().next().is_none() {
            return Ok(IntegerOutcome::Solved);
        }
        let (mark, count) = (self.mark(), self.variable_count());
        let mut outcome = None;
        let boxes = [None].into_iter().chain(BOXES.map(Some));
        for (round, most) in boxes.enumerate() {
            let nodes = if round == 0 { limits.nodes.min(NODES_WITHOUT_BOX) } else { limits.nodes };
            let searched = self.search_box(control, SearchLimits { nodes, ..limits }, most, count);
            self.backtrack(mark);
            self.truncate(count);
            match searched? {
                Searched::BoxIsEmpty => {}
                Searched::Ended(branch @ IntegerOutcome::Branch(..)) => {
                    outcome.get_or_insert(branch);
                }
                Searched::Ended(ended) => return Ok(ended),
            }
        }
        Ok(outcome.expect("without a box, a search ends with a branch at least"))
    }

    /// Searches with bounds for all integer variables that have none and are no sums.
    fn search_box(
        &mut self,
        control: &Control,
        limits: SearchLimits,
        most: Option<i64>,
        count: usize,
    ) -> Result<Searched, Stopped> {
        if let Some(most) = most {
            for variable in (0..count as u32).map(Variable) {
                let is_sum = self.definition(variable.0).is_some();
                for side in [Side::Lower, Side::Upper] {
                    if is_sum || !self.is_integer(variable) || self.bound(variable, side).is_some() {
                        continue;
                    }
                    let number = Rational::from(if side == Side::Upper { most } else { -most });
                    if self.assert(variable, side, number.into(), TAG_OF_BOX).is_err() {
                        return Ok(Searched::BoxIsEmpty);
                    }
                }
            }
        }
        let ended = self.search(control, limits, count)?;
        Ok(match ended {
            IntegerOutcome::Conflict(tags) if tags.contains(&TAG_OF_BOX) => Searched::BoxIsEmpty,
            ended => Searched::Ended(ended),
        })
    }

    fn search(
        &mut self,
        control: &Control,
        limits: SearchLimits,
        count: usize,
    ) -> Result<IntegerOutcome, Stopped> {
        let mut branches: Vec<Branch> = Vec::new();
        let mut nodes = 0;
        let mut rounds = 0;
        let mut was_cube_tried = false;
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
            self.patch(control)?;
            if self.fractions().next().is_none() {
                return Ok(IntegerOutcome::Solved);
            }
            if !was_cube_tried {
                was_cube_tried = true;
                // Without a cube, the values are others than before.
                self.round_center_of_cube(control)?;
                continue;
            }
            if branches.is_empty() && rounds < limits.rounds_of_cuts {
                rounds += 1;
                match self.add_cuts(control)? {
                    Ok(0) => rounds = limits.rounds_of_cuts,
                    Ok(_) => continue,
                    Err(tags) => return Ok(IntegerOutcome::Conflict(tags)),
                }
            }
            let variable = match self.split(control)? {
                Split::Conflict(tags) => {
                    if let Some(tags) = self.learn(tags, &mut branches) {
                        return Ok(IntegerOutcome::Conflict(tags));
                    }
                    continue;
                }
                Split::At(variable) => variable,
            };
            nodes += 1;
            if nodes > limits.nodes {
                let (variable, floor) = match branches.into_iter().next() {
                    Some(Branch { variable, floor, .. }) => (variable, floor),
                    None => (variable, self.kept_value(variable).floor()),
                };
                let sum = match self.definition(variable) {
                    Some(sum) if variable as usize >= count => sum.clone(),
                    _ => vec![(variable, Rational::ONE)],
                };
                let sum = sum.into_iter().map(|(variable, factor)| (Variable(variable), factor)).collect();
                return Ok(IntegerOutcome::Branch(sum, floor));
            }
            self.branch(variable, &mut branches);
        }
    }

    /// The place of the next branch: the sum that the tight bounds give a value that is no integer, or a variable.
    fn split(&mut self, control: &Control) -> Result<Split, Stopped> {
        let mut equations = Equations::new(self.variable_count() as u32);
        let mut tight = Vec::new();
        for number in 0..self.variable_count() as u32 {
            if !self.is_integer(Variable(number)) || self.is_idle(number) {
                continue;
            }
            let value = self.kept_value(number);
            let at = [Side::Lower, Side::Upper]
                .map(|side| self.bound_of(number, side).filter(|bound| bound.value == *value));
            let sum = || self.definition(number).cloned().unwrap_or_else(|| vec![(number, Rational::ONE)]);
            let constant = value.rational.clone();
            match at {
                [Some(lower), Some(upper)] => {
                    let mut tags = Vec::new();
                    lower.cause.add_to(&mut tags);
                    upper.cause.add_to(&mut tags);
                    let equation = Equation { sum: sum(), constant, tags };
                    if let Added::Refuted { tags, .. } = equations.add(equation, control)? {
                        return Ok(Split::Conflict(tags));
                    }
                }
                [None, None] => {}
                _ if self.row_of(number).is_none() => {
                    tight.push(Equation { sum: sum(), constant, tags: Vec::new() })
                }
                _ => {}
            }
        }
        for equation in tight {
            match equations.add(equation, control)? {
                Added::Solvable => {}
                Added::TooLarge => break,
                Added::Refuted { sum, value, .. } => {
                    let is_small = |(_, factor): &(u32, Rational)| factor.bit_length() <= BITS_OF_BRANCH;
                    if sum.is_empty() || value.is_integer() || !sum.iter().all(is_small) {
                        break;
                    }
                    if let [(variable, _)] = sum[..] {
                        return Ok(Split::At(variable));
                    }
                    let sum: Vec<(Variable, Rational)> =
                        sum.into_iter().map(|(variable, factor)| (Variable(variable), factor)).collect();
                    let at = self.define(&sum).0;
                    self.wake(at);
                    return Ok(Split::At(at));
                }
            }
        }
        Ok(Split::At(self.fraction_to_split().expect("some value is no integer")))
    }

    /// Splits at the value of a variable. The nearer half comes first.
    fn branch(&mut self, variable: u32, branches: &mut Vec<Branch>) {
        let value = self.kept_value(variable);
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

    /// The integer variables whose values are no integers.
    pub(crate) fn fractions(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.variable_count() as u32)
            .filter(|&number| self.is_integer(Variable(number)) && !self.is_idle(number))
            .filter(|&number| !self.kept_value(number).is_integer())
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

    /// The bounds of some row that have no integer solution by divisors.
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

    /// The bounds of a row that have no integer solution: with every fixed variable replaced by its value, the others are
    /// multiples of the divisor that their factors have in common. That has to divide the constant, or leave a value for the one
    /// variable that is no integer.
    fn divisor_conflict_of(&self, number: u32) -> Option<Vec<Tag>> {
        let row = self.tableau().row(number);
        let basic = (row.basic, Rational::MINUS_ONE);
        let (mut divisor, mut constant, mut tags) = (Rational::ZERO, Rational::ZERO, Vec::new());
        let mut denominator = Rational::ONE;
        let mut other = None;
        for (variable, factor) in row.sum.iter().chain([&basic]) {
            match [Side::Lower, Side::Upper].map(|side| self.bound_of(*variable, side)) {
                [Some(lower), Some(upper)] if lower.value == upper.value => {
                    constant.add_product(factor, &lower.value.rational);
                    lower.cause.add_to(&mut tags);
                    upper.cause.add_to(&mut tags);
                }
                _ if self.is_integer(Variable(*variable)) => {
                    let theirs = factor.denominator();
                    let multiple = &(&denominator * &theirs) / &denominator.common_divisor(&theirs);
                    divisor = (&divisor * &(&multiple / &denominator)).common_divisor(&(factor * &multiple));
                    denominator = multiple;
                }
                [Some(lower), Some(upper)] if other.is_none() => {
                    lower.cause.add_to(&mut tags);
                    upper.cause.add_to(&mut tags);
                    other = Some((factor, &lower.value, &upper.value));
                }
                _ => return None,
            }
        }
        let divisor = &divisor / &denominator;
        let has_solution = match other {
            None if divisor.is_zero() => constant.is_zero(),
            None => (&constant / &divisor).is_integer(),
            Some(_) if divisor.is_zero() => true,
            Some((factor, lower, upper)) => {
                // The values start + step * k, for integers k.
                let start = -(&constant / factor);
                let step = (&divisor / factor).magnitude();
                let from_start = lower - &Value::from(start.clone());
                let steps = -from_start.scaled(&-step.reciprocal()).floor();
                let mut least = start;
                least.add_product(&step, &steps);
                !Side::Upper.forbids(upper, &least.into())
            }
        };
        if has_solution {
            return None;
        }
        tags.sort_unstable();
        tags.dedup();
        Some(tags)
    }
}

/// The tag of the bounds of a branch, by its depth.
fn tag_of(depth: usize) -> Tag {
    TAG_OF_BOX + 1 + depth as Tag
}

//! The general simplex: values within bounds, or a set of bounds that no values meet.

mod variables;

use sundry_term::{Control, Stopped};

use crate::bounds::{Bound, Cause, Side, Tag};
use crate::rational::Rational;
use crate::suspects::Suspects;
use crate::tableau::{Sum, Tableau};
use crate::value::Value;
use crate::watch::Watch;

/// The work of an entry of the tableau, in the units of [`Control::spend`].
const WORK_OF_ENTRY: u32 = 2;

/// Pivots in one check after which variables are chosen by Bland's rule, which never goes round in circles.
const PIVOTS_BEFORE_BLAND: u32 = 1000;

/// A variable of a [`Simplex`].
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Variable(pub(crate) u32);

impl Variable {
    /// The number of the variable, in the order in which variables were made.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The variable with a number.
    pub fn from_index(index: usize) -> Variable {
        Variable(u32::try_from(index).expect("variables are numbered by 32 bits"))
    }
}

/// A place on the trail of bounds, to go back to.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Mark(usize);

/// The outcome of a check over the rationals.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// All values are within their bounds.
    Feasible,
    /// No values meet the bounds with these tags, sorted. No subset of them would be a conflict by the same row.
    Conflict(Vec<Tag>),
}

#[derive(Clone, Debug)]
struct VariableState {
    value: Value,
    lower: Option<Bound>,
    upper: Option<Bound>,
    /// The row in which the variable is basic.
    row: Option<u32>,
    is_integer: bool,
    /// The sum of other variables that the variable was made for, over variables that are no sums.
    definition: Option<Sum>,
    /// Whether the variable is a sum that has no row at present: no bound needs it, and its value is not kept.
    is_idle: bool,
}

impl VariableState {
    fn bound(&self, side: Side) -> Option<&Bound> {
        match side {
            Side::Lower => self.lower.as_ref(),
            Side::Upper => self.upper.as_ref(),
        }
    }

    /// The side on which the value is out of bounds.
    fn violated(&self) -> Option<Side> {
        [Side::Lower, Side::Upper]
            .into_iter()
            .find(|&side| self.bound(side).is_some_and(|bound| side.forbids(&bound.value, &self.value)))
    }
}

/// A bound that was replaced.
#[derive(Clone, Debug)]
struct Undo {
    variable: u32,
    side: Side,
    before: Option<Bound>,
}

/// Variables, rows and bounds, with a value for each variable that meets all rows, and the bounds of nonbasic variables.
#[derive(Clone, Default, Debug)]
pub struct Simplex {
    variables: Vec<VariableState>,
    tableau: Tableau,
    /// Basic variables among which all are that are out of bounds.
    suspects: Suspects,
    trail: Vec<Undo>,
    pivots: u64,
    /// The entries of the tableau that were looked at.
    work: u64,
    /// The values before pivots, where somebody wants to see them.
    pub(crate) watch: Option<Watch>,
}

impl Simplex {
    /// A simplex without variables.
    pub fn new() -> Simplex {
        Simplex::default()
    }

    /// The number of variables.
    pub fn variable_count(&self) -> usize {
        self.variables.len()
    }

    /// The pivots so far.
    pub fn pivots(&self) -> u64 {
        self.pivots
    }

    /// The entries of the tableau that were looked at so far.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// The present end of the trail of bounds.
    pub fn mark(&self) -> Mark {
        Mark(self.trail.len())
    }

    /// Takes back all bounds that were asserted since a mark.
    pub fn backtrack(&mut self, mark: Mark) {
        while self.trail.len() > mark.0 {
            let Undo { variable, side, before } = self.trail.pop().expect("it is longer");
            let state = &mut self.variables[variable as usize];
            match side {
                Side::Lower => state.lower = before,
                Side::Upper => state.upper = before,
            }
        }
    }

    /// Bounds a variable for ever, whatever is taken back. Bounds that can be taken back come after these.
    ///
    /// # Errors
    /// The bounds for ever contradict each other.
    ///
    /// # Panics
    /// When there are bounds that can be taken back.
    pub fn bound_for_ever(&mut self, variable: Variable, side: Side, value: Value) -> Result<(), Vec<Tag>> {
        assert!(self.trail.is_empty(), "bounds for ever come first");
        let value = self.rounded(variable, side, value);
        let result = self.enter(variable.0, side, value, Cause::Permanent);
        self.trail.clear();
        result
    }

    /// Asserts a bound of a variable. It may be taken back.
    ///
    /// # Errors
    /// The tags of a conflict: that of this bound, and that of the bound on the other side.
    pub fn assert(&mut self, variable: Variable, side: Side, value: Value, tag: Tag) -> Result<(), Vec<Tag>> {
        let value = self.rounded(variable, side, value);
        self.enter(variable.0, side, value, Cause::Asserted(tag))
    }

    /// The bound for a variable that says the same as this one: an integer for integers.
    fn rounded(&self, variable: Variable, side: Side, value: Value) -> Value {
        if !self.is_integer(variable) || value.is_integer() {
            return value;
        }
        match side {
            Side::Lower => (-(&Value::ZERO - &value).floor()).into(),
            Side::Upper => value.floor().into(),
        }
    }

    pub(crate) fn enter(
        &mut self,
        variable: u32,
        side: Side,
        value: Value,
        cause: Cause,
    ) -> Result<(), Vec<Tag>> {
        if self.is_idle(variable) {
            self.wake(variable);
        }
        let state = &mut self.variables[variable as usize];
        // A bound that is no tighter changes nothing.
        if state.bound(side).is_some_and(|bound| !side.forbids(&value, &bound.value)) {
            return Ok(());
        }
        if let Some(other) = state.bound(side.opposite())
            && side.forbids(&value, &other.value)
        {
            let mut tags = Vec::new();
            cause.add_to(&mut tags);
            other.cause.add_to(&mut tags);
            tags.sort_unstable();
            tags.dedup();
            return Err(tags);
        }
        let moved = side.forbids(&value, &state.value).then(|| &value - &state.value);
        let is_basic = state.row.is_some();
        let place = match side {
            Side::Lower => &mut state.lower,
            Side::Upper => &mut state.upper,
        };
        let before = place.replace(Bound { value, cause });
        self.trail.push(Undo { variable, side, before });
        match moved {
            Some(_) if is_basic => {
                self.suspects.insert(variable);
            }
            Some(difference) => self.shift(variable, &difference),
            None => {}
        }
        Ok(())
    }

    /// Changes the value of a nonbasic variable, and of the basic variables that depend on it.
    pub(crate) fn shift(&mut self, variable: u32, difference: &Value) {
        let count = self.tableau.column(variable).len();
        self.work += count as u64;
        for place in 0..count {
            let row = self.tableau.row_of_column(variable, place);
            let factor = row.factor(variable).expect("columns list rows");
            self.variables[row.basic as usize].value.add_product(difference, factor);
            self.suspects.insert(row.basic);
        }
        let value = &mut self.variables[variable as usize].value;
        *value = &*value + difference;
    }

    /// Finds values within all bounds.
    ///
    /// # Errors
    /// The control stopped the search. Bounds and rows are as before.
    pub fn check(&mut self, control: &Control) -> Result<Outcome, Stopped> {
        let mut pivots = 0;
        while let Some(leaving) = self.suspects.first() {
            let state = &self.variables[leaving as usize];
            let (Some(number), Some(side)) = (state.row, state.violated()) else {
                self.suspects.remove(leaving);
                continue;
            };
            let Some(entering) = self.entering(number, side, pivots >= PIVOTS_BEFORE_BLAND) else {
                return Ok(Outcome::Conflict(self.explain(number, side)));
            };
            let target = state.bound(side).expect("it is violated").value.clone();
            if self.watch.as_ref().is_some_and(Watch::is_open) {
                self.keep_values();
            }
            let work = self.pivot_and_update(number, entering, &target);
            pivots += 1;
            control.spend(WORK_OF_ENTRY.saturating_mul(work as u32))?;
        }
        Ok(Outcome::Feasible)
    }

    /// A nonbasic variable of a row that can bring the basic one, which is out of bounds on a side, back.
    fn entering(&self, number: u32, side: Side, first: bool) -> Option<u32> {
        let can_move = |&(variable, ref factor): &(u32, Rational)| {
            let towards = self.needed(side, factor);
            let state = &self.variables[variable as usize];
            state.bound(towards).is_none_or(|bound| bound.value != state.value)
        };
        let mut candidates =
            self.tableau.row(number).sum.iter().filter(|entry| can_move(entry)).map(|entry| entry.0);
        if first {
            candidates.next()
        } else {
            // Integers that are not basic have integer values.
            candidates.min_by_key(|&variable| {
                (self.variables[variable as usize].is_integer, self.tableau.column_length(variable))
            })
        }
    }

    /// The side to which a variable with this factor must move where the sum is out of bounds on a side.
    fn needed(&self, side: Side, factor: &Rational) -> Side {
        if factor.is_negative() { side } else { side.opposite() }
    }

    /// The bounds that keep the basic variable of a row out of its own one.
    fn explain(&self, number: u32, side: Side) -> Vec<Tag> {
        let row = self.tableau.row(number);
        let mut tags = Vec::new();
        let own = self.variables[row.basic as usize].bound(side).expect("it is violated");
        own.cause.add_to(&mut tags);
        for (variable, factor) in &row.sum {
            let bound = self.variables[*variable as usize].bound(self.needed(side, factor));
            bound.expect("it cannot move").cause.add_to(&mut tags);
        }
        tags.sort_unstable();
        tags.dedup();
        tags
    }

    /// Makes a nonbasic variable basic, and gives the basic one this value.
    fn pivot_and_update(&mut self, number: u32, entering: u32, target: &Value) -> usize {
        let row = self.tableau.row(number);
        let leaving = row.basic;
        let factor = row.factor(entering).expect("it is in the row").reciprocal();
        let difference = (target - &self.variables[leaving as usize].value).scaled(&factor);
        self.shift(entering, &difference);
        self.exchange(number, entering)
    }

    /// Makes a nonbasic variable of a row basic. Values stay.
    pub(crate) fn exchange(&mut self, number: u32, entering: u32) -> usize {
        let leaving = self.tableau.row(number).basic;
        self.variables[leaving as usize].row = None;
        self.variables[entering as usize].row = Some(number);
        self.suspects.remove(leaving);
        self.suspects.insert(entering);
        self.pivots += 1;
        let work = self.tableau.pivot(number, entering);
        self.work += work as u64;
        work
    }

    /// Removes the variables that were made last, down to this number. They have no bounds any more.
    pub(crate) fn truncate(&mut self, count: usize) {
        while self.variables.len() > count {
            let last = self.variables.len() as u32 - 1;
            if self.variables[last as usize].row.is_none()
                && let Some(&number) = self.tableau.column(last).first()
            {
                let leaving = self.tableau.row(number).basic;
                self.exchange(number, last);
                // A nonbasic variable is within its bounds.
                let state = &self.variables[leaving as usize];
                if let Some(side) = state.violated() {
                    let target = &state.bound(side).expect("it is violated").value;
                    let difference = target - &state.value;
                    self.shift(leaving, &difference);
                }
            }
            if let Some(number) = self.variables[last as usize].row
                && let Some(renumbered) = self.tableau.remove_row(number)
            {
                self.variables[renumbered as usize].row = Some(number);
            }
            self.suspects.remove(last);
            self.tableau.remove_variable();
            self.variables.pop();
        }
    }

    pub(crate) fn tableau(&self) -> &Tableau {
        &self.tableau
    }

    /// Gives a variable a value. All values together have to meet all rows, and the bounds of nonbasic variables.
    pub(crate) fn set_value(&mut self, variable: u32, value: Value) {
        self.variables[variable as usize].value = value;
        self.suspects.insert(variable);
    }

    /// The rows in which a nonbasic variable occurs.
    pub(crate) fn column(&mut self, variable: u32) -> Vec<u32> {
        self.tableau.column(variable).to_vec()
    }

    pub(crate) fn row_of(&self, variable: u32) -> Option<u32> {
        self.variables[variable as usize].row
    }

    pub(crate) fn bound_of(&self, variable: u32, side: Side) -> Option<&Bound> {
        self.variables[variable as usize].bound(side)
    }
}

//! The variables of a simplex, the sums that some of them are, and their values.

use std::borrow::Cow;

use super::{Simplex, Variable, VariableState};
use crate::bounds::Side;
use crate::rational::Rational;
use crate::tableau::{Sum, add_to_sum};
use crate::value::{Value, choose_delta};
use crate::wanted::WantedBound;

impl Simplex {
    /// Makes a variable. It has no bounds.
    pub fn new_variable(&mut self, is_integer: bool) -> Variable {
        let number = self.variables.len() as u32;
        let (value, definition) = (Value::ZERO, None);
        let state = VariableState {
            value,
            lower: None,
            upper: None,
            row: None,
            is_integer,
            definition,
            is_idle: false,
        };
        self.variables.push(state);
        self.tableau.add_variable();
        Variable(number)
    }

    /// Makes a variable that equals a sum for ever. It is an integer where all parts of the sum are. It gets its row when it gets a bound.
    pub fn define(&mut self, sum: &[(Variable, Rational)]) -> Variable {
        let is_integer =
            sum.iter().all(|(variable, factor)| factor.is_integer() && self.is_integer(*variable));
        let sum: Vec<(u32, Rational)> =
            sum.iter().map(|(variable, factor)| (variable.0, factor.clone())).collect();
        let definition = self.over_undefined(&sum);
        let defined = self.new_variable(is_integer);
        self.variables[defined.index()].definition = Some(definition);
        self.variables[defined.index()].is_idle = true;
        defined
    }

    /// Takes over the variables that another simplex has in addition to those that both have, and its bounds, which have to hold for ever. Where these
    /// contradict each other, the other simplex says so itself.
    ///
    /// # Panics
    /// When this simplex has bounds that can be taken back.
    pub fn adopt(&mut self, other: &Simplex) {
        for state in &other.variables[self.variables.len()..] {
            self.new_variable(state.is_integer);
            let own = self.variables.last_mut().expect("it is new");
            own.definition.clone_from(&state.definition);
            own.is_idle = own.definition.is_some();
        }
        for (number, state) in other.variables.iter().enumerate() {
            for side in [Side::Lower, Side::Upper] {
                if let Some(bound) = state.bound(side) {
                    self.bound_for_ever(Variable(number as u32), side, bound.value.clone()).ok();
                }
            }
        }
    }

    /// Gives a sum that has none its row and its value.
    pub(crate) fn wake(&mut self, variable: u32) {
        let definition = self.definition(variable).expect("only sums are idle").clone();
        let variables = &self.variables;
        let sum = self.tableau.over_nonbasic(&definition, |variable| variables[variable as usize].row);
        let value = self.value_of_sum(&definition);
        self.work += sum.len() as u64;
        let row = self.tableau.add_row(variable, sum);
        let state = &mut self.variables[variable as usize];
        state.row = Some(row);
        state.value = value;
        state.is_idle = false;
    }

    /// The present value of a sum over variables that are no sums.
    pub(crate) fn value_of_sum(&self, sum: &Sum) -> Value {
        let mut value = Value::ZERO;
        for (variable, factor) in sum {
            value.add_product(&self.variables[*variable as usize].value, factor);
        }
        value
    }

    /// Takes the rows away of sums that have no bounds: every pivot would change them.
    pub fn rest(&mut self) {
        for variable in 0..self.variables.len() as u32 {
            let state = &self.variables[variable as usize];
            let has_bounds = state.lower.is_some() || state.upper.is_some();
            if has_bounds || state.definition.is_none() {
                continue;
            }
            let Some(number) = state.row else { continue };
            self.variables[variable as usize].row = None;
            self.variables[variable as usize].is_idle = true;
            self.suspects.remove(variable);
            if let Some(renumbered) = self.tableau.remove_row(number) {
                self.variables[renumbered as usize].row = Some(number);
            }
        }
    }

    /// A sum as one over variables that are no sums themselves.
    fn over_undefined(&self, sum: &[(u32, Rational)]) -> Sum {
        let mut result = Sum::new();
        for (variable, factor) in sum {
            match self.definition(*variable) {
                Some(definition) => add_to_sum(&mut result, definition, factor),
                None => add_to_sum(&mut result, &[(*variable, Rational::ONE)], factor),
            }
        }
        result
    }

    /// The sum that a variable was made for, over variables that are no sums themselves.
    pub(crate) fn definition(&self, variable: u32) -> Option<&Sum> {
        self.variables[variable as usize].definition.as_ref()
    }

    /// The sum that a variable was made for, over variables that are no sums themselves.
    pub fn sum_of(&self, variable: Variable) -> Option<Vec<(Variable, Rational)>> {
        let sum = self.definition(variable.0)?;
        Some(sum.iter().map(|(part, factor)| (Variable(*part), factor.clone())).collect())
    }

    /// Whether a variable was made for a sum.
    pub fn is_sum(&self, variable: Variable) -> bool {
        self.definition(variable.0).is_some()
    }

    /// Whether a variable takes integers only.
    pub fn is_integer(&self, variable: Variable) -> bool {
        self.variables[variable.index()].is_integer
    }

    /// The present value of a variable.
    pub fn value(&self, variable: Variable) -> Cow<'_, Value> {
        let state = &self.variables[variable.index()];
        match &state.definition {
            Some(definition) if state.is_idle => Cow::Owned(self.value_of_sum(definition)),
            _ => Cow::Borrowed(&state.value),
        }
    }

    /// Values of all variables, given those of the first ones: later variables have to be sums of them. `None` where one is not, or where a value
    /// is not within the present bounds.
    pub fn complete(&self, values: &[Rational]) -> Option<Vec<Rational>> {
        let mut values = values.to_vec();
        for (number, state) in self.variables.iter().enumerate() {
            if number >= values.len() {
                let mut value = Rational::ZERO;
                for (variable, factor) in state.definition.as_ref()? {
                    value.add_product(&values[*variable as usize], factor);
                }
                values.push(value);
            }
            let value = Value::from(values[number].clone());
            let is_above = state.upper.as_ref().is_some_and(|bound| value > bound.value);
            if is_above || state.lower.as_ref().is_some_and(|bound| value < bound.value) {
                return None;
            }
        }
        Some(values)
    }

    /// The present value of a variable that is not idle.
    pub(crate) fn kept_value(&self, variable: u32) -> &Value {
        debug_assert!(!self.is_idle(variable), "values of idle sums are not kept");
        &self.variables[variable as usize].value
    }

    /// Whether a variable is a sum that no bound needs.
    pub(crate) fn is_idle(&self, variable: u32) -> bool {
        self.variables[variable as usize].is_idle
    }

    /// The present bound of a variable on a side.
    pub fn bound(&self, variable: Variable, side: Side) -> Option<&Value> {
        self.variables[variable.index()].bound(side).map(|bound| &bound.value)
    }

    /// A number for δ with which the values of all variables keep their order to one another, and to their bounds and those wanted.
    pub fn choose_delta(&self, wanted: &[WantedBound]) -> Rational {
        let bounds = self.variables.iter().flat_map(|state| state.lower.iter().chain(&state.upper));
        let unasserted = wanted.iter().filter(|bound| self.is_idle(bound.variable.0));
        let unasserted: Vec<Value> = unasserted
            .flat_map(|bound| [self.value(bound.variable).into_owned(), bound.limit.clone()])
            .collect();
        let values = self.variables.iter().filter(|state| !state.is_idle).map(|state| &state.value);
        choose_delta(values.chain(bounds.map(|bound| &bound.value)).chain(&unasserted))
    }
}

//! Answers without the engine.

use sundry_term::TermId;

use super::neighbours::neighbours;
use super::sets::MOST_VALUES;
use super::{Answer, Solver};
use crate::input::{Input, Variables};
use crate::symbolic::Terms;

/// The greatest number of partial solutions: there is one for each selection of conditions, and most are of paths that are known.
const MOST_PARTIALS: usize = 4;

impl Solver {
    /// The answer for conditions on one variable with a small number of values.
    pub(super) fn enumerate(
        &mut self,
        part: &[TermId],
        input: &Input,
        variables: &Variables,
        terms: &Terms,
        receive: &mut dyn FnMut(Input),
    ) -> Option<Answer> {
        let &[variable] = &*self.variables_of(part[part.len() - 1], variables, terms) else { return None };
        if part.iter().any(|&condition| *self.variables_of(condition, variables, terms) != [variable]) {
            return None;
        }
        let symbol = variables.variable(variable).symbol;
        let count = variables.value_count(variable).filter(|&count| count <= MOST_VALUES)?;
        let most = self.options.partials.min(MOST_PARTIALS);
        let found = self.sets.enumerate(part, (symbol, count), most, &terms.store)?;
        let with = |value| {
            let mut input = input.clone();
            input.set(variable, value);
            input
        };
        self.statistics.partials += found.partials.len() as u64;
        found.partials.into_iter().for_each(|value| receive(with(value)));
        Some(found.solution.map_or(Answer::Impossible, |value| Answer::Solution(with(value))))
    }

    /// An input that differs from this one in one variable and satisfies all conditions, if one is found.
    pub(super) fn neighbour(
        &mut self,
        part: &[TermId],
        input: &Input,
        variables: &Variables,
        terms: &Terms,
        receive: &mut dyn FnMut(Input),
    ) -> Option<Input> {
        let of_goal = self.variables_of(part[part.len() - 1], variables, terms);
        let mut depends = |condition: &TermId| {
            let set = self.variables_of(*condition, variables, terms);
            of_goal.iter().any(|variable| set.binary_search(variable).is_ok())
        };
        let (goal, path) = part.split_last()?;
        let mut relevant: Vec<TermId> = path.iter().copied().filter(|condition| depends(condition)).collect();
        relevant.push(*goal);
        let most = self.options.partials.min(MOST_PARTIALS);
        let found = neighbours(&relevant, &of_goal, (input, variables), most, &terms.store)?;
        let with = |(variable, value)| {
            let mut input = input.clone();
            input.set(variable, value);
            input
        };
        self.statistics.partials += found.partials.len() as u64;
        found.partials.into_iter().for_each(|change| receive(with(change)));
        found.solution.map(with)
    }
}

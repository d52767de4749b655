//! Answers without the engine.

use sundry_term::TermId;

use super::neighbours::{Change, neighbours};
use super::sets::MOST_VALUES;
use super::{Answer, Knowledge, Solver};
use crate::input::Input;

/// The greatest number of partial solutions: there is one for each selection of conditions, and most are of paths that are known.
const MOST_PARTIALS: usize = 4;

/// An input with a change.
fn changed(input: &Input, (variable, value): Change) -> Input {
    let mut input = input.clone();
    input.set(variable, value);
    input
}

impl Solver {
    /// The answer for conditions on one variable with a small number of values.
    pub(super) fn enumerate(
        &mut self,
        part: &[TermId],
        input: &Input,
        knowledge: &Knowledge,
        receive: &mut dyn FnMut(Input),
    ) -> Option<Answer> {
        let &[variable] = knowledge.variables_of(part[part.len() - 1]) else { return None };
        if part.iter().any(|&condition| *knowledge.variables_of(condition) != [variable]) {
            return None;
        }
        let variables = &knowledge.variables;
        let symbol = variables.variable(variable).symbol;
        let count = variables.value_count(variable).filter(|&count| count <= MOST_VALUES)?;
        let most = self.options.partials.min(MOST_PARTIALS);
        let found =
            self.sets.enumerate(part, (symbol, count), most, &knowledge.terms.store, &self.control)?;
        let with = |value| changed(input, (variable, value));
        self.statistics.partials += found.partials.len() as u64;
        found.partials.into_iter().for_each(|value| receive(with(value)));
        Some(found.solution.map_or(Answer::Impossible, |value| Answer::Solution(with(value))))
    }

    /// An input that differs from this one in one variable and satisfies all conditions, if one is found.
    pub(super) fn neighbour(
        &mut self,
        part: &[TermId],
        input: &Input,
        knowledge: &Knowledge,
        receive: &mut dyn FnMut(Input),
    ) -> Option<Input> {
        let of_goal = knowledge.variables_of(part[part.len() - 1]);
        let depends = |condition: &TermId| {
            let set = knowledge.variables_of(*condition);
            of_goal.iter().any(|variable| set.binary_search(variable).is_ok())
        };
        let (goal, path) = part.split_last()?;
        let mut relevant: Vec<TermId> = path.iter().copied().filter(|condition| depends(condition)).collect();
        relevant.push(*goal);
        let most = self.options.partials.min(MOST_PARTIALS);
        let found =
            neighbours(&relevant, of_goal, (input, &knowledge.variables), most, &knowledge.terms.store)?;
        let with = |change| changed(input, change);
        self.statistics.partials += found.partials.len() as u64;
        found.partials.into_iter().for_each(|change| receive(with(change)));
        found.solution.map(with)
    }
}

//! Inputs that differ from the one that leads to a branch in a single variable, tried before the solver is asked.
//!
//! Most branches of a parser depend on one byte more than on others. A question to the solver makes a circuit of the whole path condition; 64 inputs at once are
//! evaluated on it in a small part of that time. Inputs that satisfy the goal and not the path before it are partial solutions.

use rustc_hash::{FxHashMap, FxHashSet};
use sundry_lanes::{LANES, Memory, Program};
use sundry_term::{Control, TermId, TermStore};

use super::sets::readable_first;
use crate::input::{Input, VariableId, Variables};

/// The greatest number of variables that are changed for a goal.
const MOST_VARIABLES: usize = 16;

/// The greatest number of values of a variable that are tried.
const MOST_VALUES: u64 = 256;

/// The greatest number of values that are tried for all variables of a goal. Where these have more, each has a sample.
const MOST_TRIES: usize = 512;

/// The greatest work for a goal and for the other conditions, in units of a [`Control`]: some milliseconds.
const MOST_WORK: u64 = 400_000;

/// A variable and a value that it gets.
pub(super) type Change = (VariableId, u64);

/// Changes of an input.
pub(super) struct Neighbours {
    /// A change with which all conditions hold.
    pub(super) solution: Option<Change>,
    /// Changes with which the goal holds and other conditions do not, each another selection of them.
    pub(super) partials: Vec<Change>,
}

/// Tries changes of an input for conditions, of which the last is the goal and all others hold for the input. They are those that depend on variables of the
/// goal. `None` if this cannot be evaluated, or takes too long, or no change satisfies the goal.
pub(super) fn neighbours(
    conditions: &[TermId],
    variables_of_goal: &[VariableId],
    (input, variables): (&Input, &Variables),
    most_partials: usize,
    store: &TermStore,
) -> Option<Neighbours> {
    let &goal = conditions.last()?;
    let changes = changes_for(goal, variables_of_goal, (input, variables), store)?;
    let control = Control::default().with_work(MOST_WORK);
    let program = Program::with_definitions(store, conditions, &[], &control).ok()?;
    let mut memory = program.memory();
    load(&program, &mut memory, (input, variables));
    for (lane, &change) in changes.iter().enumerate() {
        put(&program, &mut memory, lane, change, variables);
    }
    program.run(store, &mut memory, &control).ok()?;
    let masks: Vec<u64> = program.roots().iter().map(|&root| memory.mask(root)).collect();
    let mut found = Neighbours { solution: None, partials: Vec::new() };
    let mut selections = FxHashSet::default();
    for (lane, &change) in changes.iter().enumerate() {
        let selection: Vec<bool> = masks.iter().map(|mask| mask >> lane & 1 == 1).collect();
        if selection.iter().all(|&holds| holds) {
            found.solution.get_or_insert(change);
        } else if found.partials.len() < most_partials && selections.insert(selection) {
            found.partials.push(change);
        }
    }
    Some(found)
}

/// Up to [`LANES`] changes that satisfy the goal: of all its variables in turn, those to values that people can read first. `None` if there are none.
fn changes_for(
    goal: TermId,
    variables_of_goal: &[VariableId],
    (input, variables): (&Input, &Variables),
    store: &TermStore,
) -> Option<Vec<Change>> {
    let control = Control::default().with_work(MOST_WORK);
    let program = Program::with_definitions(store, &[goal], &[], &control).ok()?;
    let mut memory = program.memory();
    let variables_of_goal = &variables_of_goal[..variables_of_goal.len().min(MOST_VARIABLES)];
    let step = (variables_of_goal.len() * MOST_VALUES as usize).div_ceil(MOST_TRIES);
    let mut tries: Vec<Change> = Vec::new();
    for (number, &variable) in variables_of_goal.iter().enumerate() {
        let Some(count) = variables.value_count(variable) else { continue };
        let sample = readable_first(count.min(MOST_VALUES)).skip(number % step).step_by(step);
        tries.extend(sample.map(|value| (variable, value)));
    }
    let mut found: Vec<(usize, Change)> = Vec::new();
    let mut counts: FxHashMap<VariableId, usize> = FxHashMap::default();
    for tries in tries.chunks(LANES) {
        load(&program, &mut memory, (input, variables));
        for (lane, &change) in tries.iter().enumerate() {
            put(&program, &mut memory, lane, change, variables);
        }
        program.run(store, &mut memory, &control).ok()?;
        let mask = memory.mask(program.roots()[0]);
        for (_, &change) in tries.iter().enumerate().filter(|(lane, _)| mask >> lane & 1 == 1) {
            let rank = counts.entry(change.0).or_default();
            found.push((*rank, change));
            *rank += 1;
        }
    }
    found.sort_unstable_by_key(|&(rank, (variable, _))| (rank, variable));
    found.truncate(LANES);
    (!found.is_empty()).then(|| found.into_iter().map(|(_, change)| change).collect())
}

/// Gives all lanes the values of an input.
fn load(program: &Program, memory: &mut Memory, (input, variables): (&Input, &Variables)) {
    for &(symbol, slot) in program.constants() {
        if let Some(variable) = variables.of_symbol(symbol) {
            memory.columns_mut(slot)[0] = [variables.value(input, variable); LANES];
        }
    }
}

/// Gives a lane the value of a change.
fn put(
    program: &Program,
    memory: &mut Memory,
    lane: usize,
    (variable, value): Change,
    variables: &Variables,
) {
    if let Some(slot) = program.slot_of(variables.variable(variable).symbol) {
        memory.columns_mut(slot)[0][lane] = value;
    }
}

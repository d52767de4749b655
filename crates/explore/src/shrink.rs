//! Shorter and simpler inputs with the same error.

use std::ops::ControlFlow;

use crate::input::{Input, VariableId, Variables};
use crate::run::Run;

/// The greatest number of runs in which parts of an input are left out, and of those in which values become simpler.
const MOST_RUNS: usize = 300;

/// The number of instructions of all these runs after which none begins. Runs without an end, each of which takes the whole budget of a run, would take minutes otherwise.
const MOST_STEPS: u64 = 1 << 30;

/// Bytes that become simple one by one.
const FEW_BYTES: usize = 8;

/// Runs inputs, and says which runs show an error.
pub struct Check<'c> {
    /// Runs an input.
    pub run: &'c mut dyn FnMut(&Input) -> Run,
    /// Whether a run shows the error.
    pub shows: &'c dyn Fn(&Run) -> bool,
    /// The plain instructions that take as long as one instruction of these runs.
    pub work_of_step: u64,
}

/// An input as short and as simple as possible with the error that an input has. First, parts are left out, halves first and single bytes last, as long as a run shows the same error
/// (after Zeller & Hildebrandt, *Simplifying and isolating failure-inducing input*, 2002); then bytes become those of an input that says nothing, in the same way, or come near them. Returns it with its
/// run; `None` if there is no such input.
pub fn shrunk(check: Check<'_>, input: &Input, variables: &Variables) -> Option<(Input, Run)> {
    let mut shrinker = Shrinker { check, input: input.clone(), run: None, runs: 0, work: 0 };
    // A limit ends a pass, and nothing else: what was found by then counts.
    let _ = shrinker.leave_out(variables);
    shrinker.runs = 0;
    let _ = shrinker.simplify(variables);
    let Shrinker { input, run, .. } = shrinker;
    run.map(|run| (input, run))
}

struct Shrinker<'c> {
    check: Check<'c>,
    /// The best input so far.
    input: Input,
    /// The run of that input; `None` as long as it is the given one.
    run: Option<Run>,
    runs: usize,
    work: u64,
}

impl Shrinker<'_> {
    /// Keeps an input if it shows the error. Breaks at a limit.
    fn attempt(&mut self, candidate: Input) -> ControlFlow<(), bool> {
        if self.runs == MOST_RUNS || self.work >= MOST_STEPS {
            return ControlFlow::Break(());
        }
        self.runs += 1;
        let run = (self.check.run)(&candidate);
        self.work = self.work.saturating_add(run.steps.saturating_mul(self.check.work_of_step));
        let shows = (self.check.shows)(&run);
        if shows {
            (self.input, self.run) = (candidate, Some(run));
        }
        ControlFlow::Continue(shows)
    }

    fn leave_out(&mut self, variables: &Variables) -> ControlFlow<()> {
        let sources = variables.sources().iter().enumerate();
        for (source, _) in sources.filter(|(_, source)| source.may_be_shorter()) {
            let mut bytes = variables.content(&self.input, source);
            let mut part = bytes.len().div_ceil(2);
            while part > 0 {
                let mut start = 0;
                while start < bytes.len() {
                    let mut shorter = bytes.clone();
                    shorter.drain(start..(start + part).min(bytes.len()));
                    let mut candidate = self.input.clone();
                    variables.set_bytes(&mut candidate, source, &shorter);
                    match self.attempt(candidate)? {
                        true => bytes = shorter,
                        false => start += part,
                    }
                }
                part /= 2;
            }
        }
        ControlFlow::Continue(())
    }

    fn simplify(&mut self, variables: &Variables) -> ControlFlow<()> {
        let value =
            |input: &Input, id: VariableId| (variables.value(input, id), variables.variable(id).default);
        for (source, described) in variables.sources().iter().enumerate() {
            let end = described.first + variables.length(&self.input, source);
            // From the end and one by one, since the high bytes of a number come last: numbers become small rather than round. Only many bytes change together first.
            let mut changed: Vec<VariableId> = (described.first..end).rev().collect();
            let mut part = changed.len();
            while part > 0 {
                changed.retain(|&id| {
                    let (value, default) = value(&self.input, id);
                    value != default
                });
                for ids in changed.chunks(part) {
                    let mut candidate = self.input.clone();
                    ids.iter().for_each(|&id| candidate.set(id, variables.variable(id).default));
                    self.attempt(candidate)?;
                }
                part = if part > 2 * FEW_BYTES { part / 2 } else { usize::from(part > 1) };
            }
            for id in changed {
                self.approach(id, value(&self.input, id))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Brings a byte, which has a value and cannot have its default, near that default, by halving the distance.
    fn approach(&mut self, id: VariableId, (mut value, mut default): (u64, u64)) -> ControlFlow<()> {
        while value.abs_diff(default) > 1 {
            let middle = u64::midpoint(value, default);
            let mut candidate = self.input.clone();
            candidate.set(id, middle);
            match self.attempt(candidate)? {
                true => value = middle,
                false => default = middle,
            }
        }
        ControlFlow::Continue(())
    }
}

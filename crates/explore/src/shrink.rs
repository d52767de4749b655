//! Shorter inputs with the same error.

use crate::input::{Input, Variables};
use crate::run::Run;

/// The greatest number of runs for one error.
const MOST_RUNS: usize = 300;

/// The number of instructions of all these runs after which none begins. Runs without an end, each of which takes the whole budget of a run, would take minutes otherwise.
const MOST_STEPS: u64 = 1 << 30;

/// Runs inputs, and says which runs show an error.
pub struct Check<'c> {
    /// Runs an input.
    pub run: &'c mut dyn FnMut(&Input) -> Run,
    /// Whether a run shows the error.
    pub shows: &'c dyn Fn(&Run) -> bool,
    /// The plain instructions that take as long as one instruction of these runs.
    pub work_of_step: u64,
}

/// An input as short as possible with the error that an input has: parts are left out, halves first and single bytes last, as long as a run shows the same error
/// (after Zeller & Hildebrandt, *Simplifying and isolating failure-inducing input*, 2002). Returns it with its run; `None` if nothing can be left out.
pub fn shrunk(check: Check<'_>, input: &Input, variables: &Variables) -> Option<(Input, Run)> {
    let Check { run, shows, work_of_step } = check;
    let mut best: Option<(Input, Run)> = None;
    let (mut runs, mut work) = (0, 0_u64);
    for (source, _) in variables.sources().iter().enumerate().filter(|(_, source)| source.may_be_shorter()) {
        let mut bytes = variables.content(input, source);
        let mut part = bytes.len().div_ceil(2);
        while part > 0 {
            let mut start = 0;
            while start < bytes.len() {
                if runs == MOST_RUNS || work >= MOST_STEPS {
                    return best;
                }
                runs += 1;
                let mut shorter = bytes.clone();
                shorter.drain(start..(start + part).min(bytes.len()));
                let mut candidate = best.as_ref().map_or(input, |(shorter, _)| shorter).clone();
                variables.set_bytes(&mut candidate, source, &shorter);
                let tried = run(&candidate);
                work = work.saturating_add(tried.steps.saturating_mul(work_of_step));
                if shows(&tried) {
                    (best, bytes) = (Some((candidate, tried)), shorter);
                } else {
                    start += part;
                }
            }
            part /= 2;
        }
    }
    best
}

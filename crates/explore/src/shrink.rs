//! Shorter inputs with the same error.

use crate::finding::Finding;
use crate::input::{Input, Variables};
use crate::run::{Run, Runner};

/// The greatest number of plain runs for one error.
const MOST_RUNS: usize = 300;

/// The number of instructions of all these runs after which none begins. Runs without an end, each of which takes the whole budget of a run, would take minutes otherwise.
const MOST_STEPS: u64 = 1 << 30;

/// An input as short as possible with the error that an input has: parts are left out, halves first and single bytes last, as long as a plain run shows the same error
/// (after Zeller & Hildebrandt, *Simplifying and isolating failure-inducing input*, 2002). Returns it with its run; `None` if nothing can be left out.
pub fn shrunk(
    runner: &mut Runner<'_>,
    (finding, bad_exits): (&Finding, &[u32]),
    input: &Input,
    variables: &Variables,
) -> Option<(Input, Run)> {
    let mut best: Option<(Input, Run)> = None;
    let (mut runs, mut steps) = (0, 0);
    for (source, _) in variables.sources().iter().enumerate().filter(|(_, source)| source.may_be_shorter()) {
        let mut bytes = variables.content(input, source);
        let mut part = bytes.len().div_ceil(2);
        while part > 0 {
            let mut start = 0;
            while start < bytes.len() {
                if runs == MOST_RUNS || steps >= MOST_STEPS {
                    return best;
                }
                runs += 1;
                let mut shorter = bytes.clone();
                shorter.drain(start..(start + part).min(bytes.len()));
                let mut candidate = best.as_ref().map_or(input, |(shorter, _)| shorter).clone();
                variables.set_bytes(&mut candidate, source, &shorter);
                let run = runner.replay(&candidate, variables, true);
                steps += run.steps;
                if Finding::of(&run, bad_exits, runner.program).as_ref() == Some(finding) {
                    (best, bytes) = (Some((candidate, run)), shorter);
                } else {
                    start += part;
                }
            }
            part /= 2;
        }
    }
    best
}

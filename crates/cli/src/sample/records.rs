//! What is told of a run: the one-line summary and the record.

use std::collections::BTreeMap;

use serde_json::Value;
use sundry_report::{CurveRecord, Ending, RunRecord, SolutionRecord, percent};
use sundry_sample::{CurvePoint, Goal, Outcome, StopReason, Validity};

use crate::arguments::SampleArguments;
use crate::failure::Status;
use crate::formula::LoadedFormula;
use crate::values::{counted, grouped};

/// Whether no complete set has fewer solutions.
fn is_proved_minimal(outcome: &Outcome) -> bool {
    outcome.is_complete() && outcome.solutions.len() <= outcome.lower_bound
}

/// One line for people.
pub fn summary(outcome: &Outcome, goal: &Goal) -> String {
    if outcome.stopped_by == StopReason::Unsatisfiable {
        return "unsatisfiable: there is no solution".to_string();
    }
    let reason = match outcome.stopped_by {
        StopReason::Deadline => "; stopped by --timeout",
        StopReason::Interrupted => "; interrupted",
        StopReason::Memory => "; stopped by --memory",
        StopReason::MaximalSolutions => "; stopped by --max-solutions",
        StopReason::Effort => "; the rest is too hard for this --effort",
        _ => "",
    };
    if outcome.solutions.is_empty() {
        return format!("no solution found yet{reason}");
    }
    let solutions = counted(outcome.solutions.len(), "solution");
    let mut text = if outcome.is_complete() {
        format!("{solutions}, complete")
    } else {
        format!("coverage {}, {solutions}", coverage(outcome))
    };
    if is_proved_minimal(outcome) {
        text.push_str(", proved minimal");
        return text;
    }
    if outcome.lower_bound > 0 {
        // A set that was cut, or stopped growing on purpose, covers less than the bound is about.
        let what = if outcome.is_complete() || goal.target >= 1.0 { "" } else { " for all of it" };
        text.push_str(&format!(", at least {} needed{what}", outcome.lower_bound));
    }
    text + reason
}

fn coverage(outcome: &Outcome) -> String {
    let validity = outcome.validity;
    let share = percent(outcome.covered, validity.valid + validity.unknown);
    match validity.unknown {
        0 => share,
        unknown => {
            let total = validity.valid + validity.impossible + unknown;
            format!("{share} ({} of {} AST-bits unknown)", grouped(unknown), grouped(total))
        }
    }
}

/// The record of a run.
pub fn run_record(
    arguments: &SampleArguments,
    formula: &LoadedFormula,
    outcome: &Outcome,
    status: Status,
) -> RunRecord {
    let total = formula.problem.ast_bits.total() as u64;
    let validity = match outcome.stopped_by {
        // Where there is no solution, nothing can be covered.
        StopReason::Unsatisfiable => Validity { valid: 0, impossible: total, unknown: 0 },
        _ => outcome.validity,
    };
    RunRecord {
        formula: formula.name().to_string(),
        strategy: arguments.strategy.name().to_string(),
        options: options(arguments),
        seed: arguments.limits.seed,
        version: env!("CARGO_PKG_VERSION").to_string(),
        solutions: outcome.solutions.len(),
        covered: outcome.covered,
        valid: validity.valid,
        impossible: validity.impossible,
        unknown: validity.unknown,
        total,
        coverage: outcome.coverage(),
        complete: outcome.is_complete(),
        lower_bound: outcome.lower_bound,
        proved_minimal: is_proved_minimal(outcome),
        seconds: outcome.seconds,
        seconds_to_target: outcome.milestones.target,
        seconds_complete: outcome.milestones.complete,
        seconds_minimal: outcome.milestones.minimal,
        stopped_by: ending(outcome.stopped_by),
        rejected: outcome.rejected.len(),
        status: status.code(),
        per_solution: outcome
            .solutions
            .iter()
            .map(|rated| SolutionRecord { gain: rated.gain, seconds: rated.seconds })
            .collect(),
        curve: outcome
            .curve
            .iter()
            .map(|&CurvePoint { seconds, solutions, covered }| CurveRecord { seconds, solutions, covered })
            .collect(),
    }
}

/// Why a run ended, as records have it.
pub fn ending(reason: StopReason) -> Ending {
    match reason {
        StopReason::Complete => Ending::Complete,
        StopReason::Target => Ending::Target,
        StopReason::MaximalSolutions => Ending::MaximalSolutions,
        StopReason::Deadline => Ending::Timeout,
        StopReason::Interrupted => Ending::Interrupted,
        StopReason::Memory => Ending::Memory,
        StopReason::Unsatisfiable => Ending::Unsatisfiable,
        StopReason::Effort => Ending::Effort,
        StopReason::NothingNew => Ending::NothingNew,
    }
}

/// The options that the result depends on, by their long names.
pub fn options(arguments: &SampleArguments) -> BTreeMap<String, Value> {
    let goal = arguments.goal.goal();
    let mut options = arguments.strategy.options();
    options.insert("target".to_string(), Value::from(goal.target));
    options.insert("max-solutions".to_string(), Value::from(goal.max_solutions));
    let timeout = arguments.limits.timeout.map(|timeout| timeout.as_secs_f64());
    options.insert("timeout".to_string(), Value::from(timeout));
    options
}

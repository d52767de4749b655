//! How a run at volume ended: what is told of it, its status and its record.

use sundry_report::VolumeRecord;
use sundry_sample::{StopReason, VolumeStatistics};

use super::super::records::options;
use super::receiver::Received;
use crate::arguments::SampleArguments;
use crate::console::Console;
use crate::failure::{Failure, Status};
use crate::formula::LoadedFormula;
use crate::values::{counted, grouped};

/// A run that has ended.
pub struct Ended {
    /// Its record.
    pub record: VolumeRecord,
    /// How many solutions of earlier runs are repetitions.
    repeated: u64,
}

impl Ended {
    /// The end of a run.
    pub fn new(
        arguments: &SampleArguments,
        formula: &LoadedFormula,
        received: &Received,
        reason: StopReason,
        statistics: &VolumeStatistics,
    ) -> Self {
        let earlier = received.earlier.as_ref();
        // What neither of both remembers is not known to be different.
        let windows = [statistics.window, earlier.and_then(|earlier| earlier.window())];
        let window = windows.into_iter().flatten().min();
        let record = VolumeRecord {
            formula: formula.name().to_string(),
            strategy: arguments.strategy.name().to_string(),
            options: options(arguments),
            seed: arguments.limits.seed,
            version: env!("CARGO_PKG_VERSION").to_string(),
            solutions: received.count,
            earlier: earlier.map_or(0, |earlier| earlier.count),
            candidates: statistics.candidates,
            valid: statistics.valid,
            epochs: statistics.epochs,
            questions: statistics.questions,
            rejected: statistics.rejected,
            window: window.map(|window| window as u64),
            seconds: formula.start.elapsed().as_secs_f64(),
            stopped_by: reason.name().to_string(),
            status: status(arguments, received.count, reason, statistics).code(),
        };
        Ended { record, repeated: earlier.map_or(0, |earlier| earlier.repeated) }
    }

    /// Tells it in a line, and what is our fault.
    pub fn tell(&self, console: &Console) {
        let name = &self.record.formula;
        if self.record.rejected > 0 {
            let message = format_args!(
                "internal error: {name}: {} of the solver's models did not satisfy the formula and were \
                 discarded; please report the formula",
                self.record.rejected
            );
            console.failure(&Failure::new(Status::Internal, message));
        }
        console.line(format_args!("{name}: {}", self.summary()));
    }

    fn summary(&self) -> String {
        let VolumeRecord { solutions, earlier, window, seconds, .. } = self.record;
        let stopped_by = &self.record.stopped_by;
        let is = |reason: StopReason| stopped_by == reason.name();
        if is(StopReason::Unsatisfiable) && earlier > 0 {
            let found = counted(earlier as usize, "solution");
            return format!("unsatisfiable: {found} in its file are those of another formula");
        }
        if is(StopReason::Unsatisfiable) {
            return "unsatisfiable: there is no solution".to_string();
        }
        let ended = match () {
            () if is(StopReason::Deadline) => "; stopped by --timeout",
            () if is(StopReason::Interrupted) => "; interrupted",
            () => "",
        };
        if solutions == 0 {
            return format!("no solution found yet{ended}");
        }
        if is(StopReason::Complete) && window.is_none() && self.repeated == 0 {
            return format!("{} in {seconds:.1} s", self.all());
        }
        let unique = match (window, self.repeated) {
            (Some(window), _) => format!("unique within a window of {}", grouped(window)),
            (None, 0) => "all different".to_string(),
            (None, repeated) => {
                format!(
                    "all different but for {} that the file had before",
                    counted(repeated as usize, "repetition")
                )
            }
        };
        let new = match earlier {
            0 => String::new(),
            _ => format!(", {} of them new,", grouped(solutions - earlier)),
        };
        format!("{}{new} in {seconds:.1} s, {unique}{ended}", counted(solutions as usize, "solution"))
    }
}

impl Ended {
    /// What it means that there are no more.
    fn all(&self) -> String {
        let VolumeRecord { solutions, earlier, strategy, options, .. } = &self.record;
        let new = match earlier {
            0 => String::new(),
            _ => format!(", {} of them new", grouped(solutions - earlier)),
        };
        let count = counted(*solutions as usize, "solution");
        match options.get("project").filter(|names| !names.is_null()) {
            Some(_) => format!("all {count} that differ in the named constants"),
            // Guided sampling drops solutions.
            None if strategy.starts_with("guided") => {
                format!("{count}{new}; there are no others but of classes met before")
            }
            None => format!("all {count}{new}"),
        }
    }
}

fn status(
    arguments: &SampleArguments,
    count: u64,
    reason: StopReason,
    statistics: &VolumeStatistics,
) -> Status {
    let is_limited = arguments.goal.goal().max_solutions.is_some();
    match reason {
        _ if statistics.rejected > 0 => Status::Internal,
        StopReason::Unsatisfiable => Status::Attention,
        StopReason::MaximalSolutions | StopReason::Complete => Status::Done,
        StopReason::Deadline if count > 0 && !is_limited => Status::Done,
        _ => Status::Limit,
    }
}

//! How a run at volume ended: what is told of it, its status and its record.

use sundry_report::{Ending, UniformRecord, VolumeRecord};
use sundry_sample::{SolutionCount, StopReason, UniformStatistics, VolumeStatistics};

use super::super::records::{ending, options};
use super::receiver::Received;
use crate::arguments::SampleArguments;
use crate::console::Console;
use crate::failure::{Failure, Status};
use crate::formula::LoadedFormula;
use crate::values::{counted, grouped};

/// What a run has counted.
pub enum Figures {
    /// A search that brings each solution once.
    Search(VolumeStatistics),
    /// Independent draws.
    Draw(UniformStatistics),
}

impl Default for Figures {
    fn default() -> Self {
        Figures::Search(VolumeStatistics::default())
    }
}

impl Figures {
    fn search(&self) -> VolumeStatistics {
        match self {
            Figures::Search(statistics) => statistics.clone(),
            Figures::Draw(_) => VolumeStatistics::default(),
        }
    }

    fn questions(&self) -> u64 {
        match self {
            Figures::Search(statistics) => statistics.questions,
            Figures::Draw(statistics) => statistics.questions,
        }
    }

    fn rejected(&self) -> u64 {
        match self {
            Figures::Search(statistics) => statistics.rejected,
            Figures::Draw(statistics) => statistics.rejected,
        }
    }

    fn uniform(&self) -> Option<UniformRecord> {
        let Figures::Draw(statistics) = self else { return None };
        let log2 = |count| match count {
            SolutionCount::Exact(count) => (count as f64).log2(),
            SolutionCount::AboutLog2(log2) => log2,
        };
        Some(UniformRecord {
            exact: statistics.exact,
            solutions_log2: statistics.solutions.map(|count| log2(count) + statistics.free_bits as f64),
            free_bits: statistics.free_bits,
            hash_bits: statistics.hash_bits,
            threshold: statistics.threshold,
            cells: statistics.cells,
            misses: statistics.misses,
        })
    }
}

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
        figures: &Figures,
    ) -> Self {
        let statistics = figures.search();
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
            questions: figures.questions(),
            rejected: figures.rejected(),
            window: window.map(|window| window as u64),
            seconds: formula.begun.start.elapsed().as_secs_f64(),
            stopped_by: ending(reason),
            uniform: figures.uniform(),
            status: status(arguments, received.count, reason, figures.rejected()).code(),
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
        if self.record.stopped_by == Ending::Unsatisfiable && self.record.earlier > 0 {
            let message = format_args!(
                "internal error: {name} was found to be unsatisfiable, and its file has {} that satisfy it; please \
                 report the formula",
                counted(self.record.earlier as usize, "solution")
            );
            console.failure(&Failure::new(Status::Internal, message));
        }
        console.line(format_args!("{name}: {}", self.summary()));
    }

    fn summary(&self) -> String {
        let VolumeRecord { solutions, earlier, window, seconds, .. } = self.record;
        let ended = match self.record.stopped_by {
            Ending::Unsatisfiable => return "unsatisfiable: there is no solution".to_string(),
            Ending::Timeout => "; stopped by --timeout",
            Ending::Interrupted => "; interrupted",
            Ending::NothingNew => "; a long search found no further one, but there may be more",
            _ => "",
        };
        if solutions == 0 {
            return format!("no solution found yet{ended}");
        }
        if let Some(uniform) = &self.record.uniform {
            return format!(
                "{} in {seconds:.1} s, {}{ended}",
                counted(solutions as usize, "draw"),
                self.uniformity(uniform)
            );
        }
        if self.record.stopped_by == Ending::Complete && window.is_none() && self.repeated == 0 {
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
    /// How likely solutions are.
    fn uniformity(&self, uniform: &UniformRecord) -> String {
        let count = match uniform.solutions_log2 {
            Some(log2) if uniform.exact && log2 < 53.0 => {
                format!(" of {} solutions", grouped(log2.exp2().round() as u64))
            }
            Some(log2) => format!(" of about 2^{log2:.0} solutions"),
            None => String::new(),
        };
        match (uniform.exact, uniform.hash_bits) {
            (true, _) => format!("exactly uniform{count}"),
            (false, Some(_)) => format!("uniform within the tolerance{count}"),
            (false, None) => "nothing is known of how likely each solution is".to_string(),
        }
    }

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
            None if *solutions == 1 => "the only solution".to_string(),
            None => format!("all {count}{new}"),
        }
    }
}

fn status(arguments: &SampleArguments, count: u64, reason: StopReason, rejected: u64) -> Status {
    let is_limited = arguments.goal.goal().max_solutions.is_some();
    match reason {
        _ if rejected > 0 => Status::Internal,
        // What the file has was judged.
        StopReason::Unsatisfiable if count > 0 => Status::Internal,
        StopReason::Unsatisfiable => Status::Attention,
        StopReason::MaximalSolutions | StopReason::Complete => Status::Done,
        StopReason::Deadline | StopReason::NothingNew if count > 0 && !is_limited => Status::Done,
        _ => Status::Limit,
    }
}

//! How a run ended: its status, its record, and the line that is reported of it.

use sundry::Over;
use sundry::pipeline::{Part, SetSummary, StopReason, Summary, TupleCounts, TupleSummary};
use sundry::record::{PartRecord, RunHead, RunRecord, UniformRecord, VolumeRecord, ending, uniform_record};
use sundry_report::percent;

use super::plan::SamplePlan;
use super::receiver::Received;
use crate::console::Console;
use crate::failure::{Failure, FailureKind, Status};
use crate::formula::LoadedFormula;
use crate::values::{counted, grouped};

/// A run that has ended.
pub struct Ended<'a> {
    /// What was asked for.
    pub plan: &'a SamplePlan,
    /// The formula.
    pub formula: &'a LoadedFormula,
    /// What the run has brought.
    pub summary: &'a Summary,
    /// What was written of solutions that were handed out as they were found.
    pub received: &'a Received,
}

impl Ended<'_> {
    /// The status of the run.
    pub fn status(&self) -> Status {
        let Summary { stopped_by, rejected, part, .. } = self.summary;
        let count = self.received.count;
        let is_limited = self.plan.max_solutions.is_some();
        match (stopped_by, part) {
            _ if *rejected > 0 => Status::Internal,
            // What the file has was judged.
            (StopReason::Unsatisfiable, _) if count > 0 => Status::Internal,
            (StopReason::Unsatisfiable, _) => Status::Attention,
            (_, Part::Set(set)) => {
                let has_number =
                    self.plan.max_solutions.is_some_and(|wanted| set.solutions.len() as u64 >= wanted);
                if has_number || set.has_reached_target { Status::Done } else { Status::Limit }
            }
            (StopReason::MaximalSolutions, _) => Status::Done,
            (StopReason::Complete, Part::Tuples(tuples)) if tuples.tuples.open() == 0 => Status::Done,
            (_, Part::Tuples(_)) => Status::Limit,
            (StopReason::Complete, _) => Status::Done,
            (StopReason::Deadline | StopReason::NothingNew, _) if count > 0 && !is_limited => Status::Done,
            _ => Status::Limit,
        }
    }

    /// The record of the run.
    pub fn record(&self, status: Status) -> RunRecord {
        let Summary { stopped_by, rejected, part, .. } = self.summary;
        let since_reading = self.formula.begun.start.elapsed().as_secs_f64();
        let head = RunHead {
            formula: self.formula.name().to_string(),
            strategy: self.plan.strategy.to_string(),
            options: self.plan.options.clone(),
            seed: self.plan.seed,
            version: env!("CARGO_PKG_VERSION").to_string(),
            solutions: match part {
                Part::Set(_) | Part::Tuples(_) => self.summary.solutions().len() as u64,
                Part::Volume(_) | Part::Uniform(_) => self.received.count,
            },
            seconds: if matches!(part, Part::Set(_)) { self.summary.seconds } else { since_reading },
            stopped_by: ending(*stopped_by),
            rejected: *rejected,
            status,
        };
        let mut part = self.formula.formula.figures(self.summary);
        if let (PartRecord::Volume(volume), Some(earlier)) = (&mut part, &self.received.earlier) {
            volume.earlier = earlier.count;
            // What neither of both remembers is not known to be different.
            let earlier = earlier.window().map(|window| window as u64);
            volume.window = [volume.window, earlier].into_iter().flatten().min();
        }
        RunRecord { head, part }
    }

    /// Reports the run in a line, and what is our fault.
    pub fn report(&self, record: &RunRecord, console: &Console) {
        let name = self.formula.name();
        let Summary { stopped_by, rejected, part, .. } = self.summary;
        let earlier = self.received.earlier.as_ref().map_or(0, |earlier| earlier.count);
        // Of a set, each wrong model was reported when it came.
        if *rejected > 0 && !matches!(part, Part::Set(_)) {
            let message = format_args!(
                "internal error: {name}: {rejected} of the solver's models did not satisfy the formula and were \
                 discarded; please report the formula"
            );
            console.failure(&Failure::new(FailureKind::Internal, message).mentioning(name));
        }
        if *stopped_by == StopReason::Unsatisfiable && earlier > 0 {
            let message = format_args!(
                "internal error: {name} was found to be unsatisfiable, and its file has {} that satisfy it; please \
                 report the formula",
                counted(earlier as usize, "solution")
            );
            console.failure(&Failure::new(FailureKind::Internal, message).mentioning(name));
        }
        console.line(format_args!("{name}: {}", self.line(record)));
    }

    /// What the run has brought, in a line.
    fn line(&self, record: &RunRecord) -> String {
        let reason = self.summary.stopped_by;
        if reason == StopReason::Unsatisfiable {
            return "unsatisfiable: there is no solution".to_string();
        }
        let is_set = !matches!(record.part, PartRecord::Volume(_));
        let ended = match reason {
            StopReason::Deadline => "; stopped by --timeout",
            StopReason::Interrupted => "; interrupted",
            StopReason::Memory => "; stopped by --memory",
            StopReason::MaximalSolutions if is_set => "; stopped by --max-solutions",
            StopReason::Effort => "; the rest is too hard for this --effort",
            StopReason::NothingNew => "; a long search found no other solution, but there may be more",
            _ => "",
        };
        let seconds = record.head.seconds;
        if record.head.solutions == 0 {
            let within = match &self.summary.part {
                Part::Tuples(_) => format!(", in {seconds:.1} s"),
                _ => String::new(),
            };
            return format!("no solution found yet{ended}{within}");
        }
        match &self.summary.part {
            Part::Set(set) => self.line_of_set(set, ended),
            Part::Tuples(tuples) => format!("{}, in {seconds:.1} s", self.line_of_tuples(tuples, ended)),
            Part::Volume(_) => self.line_of_search(record, ended),
            Part::Uniform(statistics) => {
                let draws = counted(record.head.solutions as usize, "draw");
                format!("{draws} in {seconds:.1} s, {}{ended}", uniformity(&uniform_record(statistics)))
            }
        }
    }

    fn line_of_set(&self, set: &SetSummary, ended: &str) -> String {
        let solutions = counted(set.solutions.len(), "solution");
        let mut text = if set.is_complete() {
            format!("{solutions}, complete")
        } else {
            format!("coverage {}, {solutions}", coverage(set))
        };
        if set.is_proved_minimal() {
            text.push_str(", proved minimal");
            return text;
        }
        if set.lower_bound > 0 {
            // A set that was cut, or stopped growing on purpose, covers less than the bound is about.
            let what =
                if set.is_complete() || self.plan.sampling.target >= 1.0 { "" } else { " for all of it" };
            text.push_str(&format!(", at least {} needed{what}", set.lower_bound));
        }
        text + ended
    }

    fn line_of_tuples(&self, outcome: &TupleSummary, ended: &str) -> String {
        let TupleCounts { all, covered, impossible } = outcome.tuples;
        let tuple = if outcome.is_mixed { "combination" } else { tuple(outcome.strength) };
        let factors = match self.plan.sampling.over {
            Over::Values => counted(outcome.factors, "factor"),
            Over::Bits => counted(outcome.factors, "bit"),
            Over::Predicates => counted(outcome.factors, "predicate"),
        };
        let solutions = match outcome.is_all {
            true if outcome.solutions.len() == 1 => "the only solution".to_string(),
            true => format!("all {}", counted(outcome.solutions.len(), "solution")),
            false => counted(outcome.solutions.len(), "solution"),
        };
        if outcome.tuples.open() > 0 {
            let share = percent(covered, all - impossible);
            // Where nothing stopped the run, the solver has given up on the rest.
            let ended = match self.summary.stopped_by {
                StopReason::Complete => {
                    let open = usize::try_from(outcome.tuples.open()).unwrap_or(usize::MAX);
                    format!("; the solver gave up on {}", counted(open, tuple))
                }
                _ => ended.to_string(),
            };
            return format!("{solutions} with {share} of the {tuple}s of {factors}{ended}");
        }
        let mut text = format!("{solutions} with all {} valid {tuple}s of {factors}", grouped(covered));
        if impossible > 0 {
            let verb = if impossible == 1 { "is" } else { "are" };
            text.push_str(&format!(" ({} {verb} impossible)", grouped(impossible)));
        }
        match outcome.lower_bound {
            _ if outcome.is_all => {}
            bound if bound >= outcome.solutions.len() => text.push_str(", proved minimal"),
            bound => text.push_str(&format!(", at least {bound} needed")),
        }
        text
    }

    fn line_of_search(&self, record: &RunRecord, ended: &str) -> String {
        let RunHead { solutions, seconds, .. } = record.head;
        let PartRecord::Volume(VolumeRecord { earlier, window, .. }) = record.part else {
            return String::new();
        };
        let repeated = self.received.earlier.as_ref().map_or(0, |earlier| earlier.repeated);
        if self.summary.stopped_by == StopReason::Complete && window.is_none() && repeated == 0 {
            return format!("{} in {seconds:.1} s", self.all(solutions, earlier));
        }
        let unique = match (window, repeated) {
            (Some(window), _) => format!("unique within a window of {}", grouped(window)),
            (None, 0) => "all different".to_string(),
            (None, repeated) => {
                format!(
                    "all different except for {} in the earlier file",
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

    /// What it means that there are no more solutions.
    fn all(&self, solutions: u64, earlier: u64) -> String {
        let new = match earlier {
            0 => String::new(),
            _ => format!(", {} of them new", grouped(solutions - earlier)),
        };
        let count = counted(solutions as usize, "solution");
        match &self.plan.project {
            Some(_) => format!("all {count} that differ in the named constants"),
            // Guided sampling drops solutions.
            None if self.plan.strategy.starts_with("guided") => {
                format!("{count}{new}; all other solutions are of classes that occurred before")
            }
            None if solutions == 1 => "the only solution".to_string(),
            None => format!("all {count}{new}"),
        }
    }
}

fn coverage(set: &SetSummary) -> String {
    let validity = set.validity;
    let share = percent(set.covered(), validity.valid + validity.unknown);
    match validity.unknown {
        0 => share,
        unknown => {
            let total = validity.valid + validity.impossible + unknown;
            format!("{share} ({} of {} AST-bits unknown)", grouped(unknown), grouped(total))
        }
    }
}

/// What a tuple of a strength is called.
pub fn tuple(strength: usize) -> &'static str {
    match strength {
        1 => "value",
        2 => "pair",
        _ => "triple",
    }
}

/// How likely solutions are.
fn uniformity(uniform: &UniformRecord) -> String {
    let solutions = match uniform.undrawn {
        0 => "solutions",
        _ => "values of the Boolean and bit-vector constants (others are not drawn, but found for each)",
    };
    let count = match uniform.solutions_log2 {
        Some(log2) if uniform.exact && log2 < 53.0 => {
            format!(" of {} {solutions}", grouped(log2.exp2().round() as u64))
        }
        Some(log2) => format!(" of about 2^{log2:.0} {solutions}"),
        None => String::new(),
    };
    match (uniform.exact, uniform.hash_bits) {
        (true, _) => format!("exactly uniform{count}"),
        (false, Some(_)) => format!("uniform within the tolerance{count}"),
        (false, None) => "with no uniformity guarantee".to_string(),
    }
}

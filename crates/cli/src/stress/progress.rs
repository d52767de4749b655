//! Reports of a campaign while it runs: a line with figures, and a line for each finding.

use std::path::Path;
use std::time::Instant;

use indicatif::ProgressBar;
use sundry_external::Meter;
use sundry_fuzz::Finding;
use sundry_stress::{Generation, Measure, State};

use crate::campaign::share_in_solvers;
use crate::console::Console;
use crate::progress::style;
use crate::values::{counted, grouped};

/// The progress of a run.
pub struct Progress<'a> {
    console: &'a Console,
    bar: ProgressBar,
    start: Instant,
    meter: &'a Meter,
    threads: usize,
    unit: &'static str,
    /// Runs since the last generation.
    runs: u64,
    line: String,
}

impl<'a> Progress<'a> {
    /// The progress of a run that began at `start`.
    pub fn new(
        console: &'a Console,
        start: Instant,
        meter: &'a Meter,
        threads: usize,
        measure: Measure,
    ) -> Self {
        let bar = console.bars().add(ProgressBar::new_spinner());
        bar.set_style(style("{elapsed:>5} {msg}"));
        let unit = measure.unit();
        Progress { console, bar, start, meter, threads, unit, runs: 0, line: "first generation".to_string() }
    }

    /// The share of the threads' time that solvers took.
    fn share_in_solvers(&self) -> f64 {
        share_in_solvers(self.meter, self.start, self.threads)
    }

    /// Shows that an input was run.
    pub fn run(&mut self) {
        self.runs += 1;
        self.show();
    }

    /// Shows a state.
    pub fn update(&mut self, state: &State) {
        let Some(last) = state.history.last() else { return };
        self.runs = 0;
        let cases = state.cases.0.iter().filter(|case| !case.is_contradiction).count();
        let lines = match last.total_lines {
            0 => String::new(),
            lines => format!(", {} covered", grouped(lines as u64)),
        };
        let multiple = match last.limit_multiple() {
            1 => String::new(),
            multiple => format!(" × {multiple}"),
        };
        self.line = format!(
            "generation {}: best {:.2} {}, mean {:.2}, {} at the limit{multiple}{lines}, complexity {:.0}, {}, {}",
            last.number,
            last.best_score,
            self.unit,
            last.mean_score,
            last.stopped,
            last.mean_complexity,
            counted(cases, "case"),
            counted(state.cases.confirmed().count(), "finding"),
        );
        self.show();
        self.console.detail(format_args!("{}", self.line));
        // Time for somebody who has confused two solvers to stop.
        if let Some(warning) = no_gap_warning(last).filter(|_| last.number == 0) {
            self.console.line(warning);
        }
    }

    fn show(&self) {
        let share = 100.0 * self.share_in_solvers();
        self.bar.set_message(format!("{} (+{} runs, {share:.0} % in solvers)", self.line, self.runs));
    }

    /// Reports a defect that is new.
    pub fn defect(&self, finding: &Finding, folder: &Path) {
        self.console.line(format_args!("{}: {}: {}", finding.solver, finding.defect, folder.display()));
    }

    /// Reports a slow input.
    pub fn finding(&self, state: &State, case: usize, folder: &Path) {
        let Some((_, _, slow)) = state.cases.confirmed().find(|&(number, ..)| number == case) else { return };
        self.console.line(format_args!("{}: {}", super::report::title(slow), folder.display()));
    }

    /// Ends the line.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// The warning that no reference was faster on any input so far, if that is so.
pub fn no_gap_warning(last: &Generation) -> Option<String> {
    (last.runs > 0 && last.easier_elsewhere == 0).then(|| {
        format!(
            "on each of {}, a solver under test was at least as fast as the references; perhaps --target and --reference are \
             exchanged, or another --logic or other seeds help",
            counted(last.runs as usize, "input")
        )
    })
}

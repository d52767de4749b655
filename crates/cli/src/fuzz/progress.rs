//! What is told of a campaign: a line while it runs, a line for each new defect, and a summary.

use std::path::Path;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use sundry_external::Verdict;
use sundry_fuzz::{Finding, Tally};

use super::Turn;
use super::findings::Findings;
use crate::console::Console;
use crate::failure::Failure;
use crate::values::{counted, grouped};

/// What became of a seed in a turn.
pub enum Outcome {
    /// It is no formula.
    Unreadable(Failure),
    /// Some mutants were made, unless its status is not known.
    Tested {
        /// Whether it is satisfiable.
        status: Option<Verdict>,
        /// Its last mutant.
        mutant: usize,
        /// What was done.
        tally: Tally,
        /// Whether this was its first turn.
        is_new: bool,
        /// Whether this was its last.
        is_over: bool,
    },
}

/// Figures of all seeds together.
pub struct Sum<'a> {
    console: &'a Console,
    bar: ProgressBar,
    start: Instant,
    seeds: usize,
    begun: usize,
    over: usize,
    unreadable: usize,
    unknown: usize,
    tally: Tally,
    defects: usize,
    /// Whether the time was over.
    pub is_out_of_time: bool,
}

impl<'a> Sum<'a> {
    /// Nothing yet.
    pub fn new(console: &'a Console, seeds: usize, start: Instant) -> Self {
        let bar = console.bars().add(ProgressBar::new(seeds as u64));
        let style = ProgressStyle::with_template("{elapsed:>5} [{bar:30}] {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "));
        Sum {
            console,
            bar,
            start,
            seeds,
            begun: 0,
            over: 0,
            unreadable: 0,
            unknown: 0,
            tally: Tally::default(),
            defects: 0,
            is_out_of_time: false,
        }
    }

    /// Keeps a finding, and tells of it if it is a new defect.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn found(
        &mut self,
        finding: &Finding,
        findings: &mut Findings,
        output: &Path,
    ) -> Result<(), Failure> {
        let known = findings.bugs().len();
        let folder = findings.add(finding)?;
        self.defects = findings.bugs().len();
        if let Some(folder) = folder.filter(|_| self.defects > known) {
            let doubt = if finding.witness.confirms(&finding.defect) { "" } else { " (not confirmed)" };
            self.console.line(format_args!(
                "{}: {}{doubt}: {}",
                finding.solver,
                finding.defect,
                output.join(folder).display()
            ));
        }
        Ok(())
    }

    /// Adds a turn.
    pub fn turn(&mut self, seed: &Path, turn: Turn) {
        match turn.outcome {
            Outcome::Unreadable(failure) => {
                self.unreadable += 1;
                self.over += 1;
                self.console.detail(format_args!("{}: left out: {}", seed.display(), failure.headline()));
            }
            Outcome::Tested { status, tally, is_new, is_over, mutant } => {
                self.begun += usize::from(is_new);
                self.over += usize::from(is_over);
                self.tally += tally;
                if status.is_none() {
                    self.unknown += 1;
                    self.console
                        .detail(format_args!("{}: left out: its status is not known", seed.display()));
                } else if is_over {
                    let status = status.unwrap_or(Verdict::Unknown);
                    self.console.detail(format_args!(
                        "{}: {status}, {}",
                        seed.display(),
                        counted(mutant, "mutant")
                    ));
                }
            }
        }
        self.bar.set_position(self.over as u64);
        let seconds = self.start.elapsed().as_secs_f64();
        self.bar.set_message(format!(
            "{} of {} begun, {} mutants ({:.0}/s), {}",
            grouped(self.begun as u64),
            counted(self.seeds, "seed"),
            grouped(self.tally.mutants as u64),
            self.tally.mutants as f64 / seconds,
            counted(self.defects, "defect"),
        ));
    }

    /// The last words; `spent` is the time of all solvers together.
    pub fn finish(&self, findings: &Findings, output: &Path, spent: Duration, threads: usize) {
        self.bar.finish_and_clear();
        let seconds = self.start.elapsed().as_secs_f64();
        let share = 100.0 * spent.as_secs_f64() / (seconds * threads as f64);
        self.console.line(format_args!(
            "{}, {} in {seconds:.0} s, {share:.0} % of it in solvers; {} without an answer",
            counted(self.begun - self.unknown, "seed"),
            counted(self.tally.mutants, "mutant"),
            counted(self.tally.missing, "reply").replace("replys", "replies"),
        ));
        for (count, why) in [
            (self.unreadable, "that cannot be read"),
            (self.unknown, "of which nobody knows whether it is satisfiable"),
        ] {
            if count > 0 {
                self.console.line(format_args!("{} {why} left out", counted(count, "seed")));
            }
        }
        if self.tally.vanished > 0 {
            let vanished = counted(self.tally.vanished, "finding");
            self.console.line(format_args!("{vanished} did not show again"));
        }
        if self.is_out_of_time {
            self.console.line("stopped by --timeout; the same command goes on");
        }
        let (all, confirmed) = (findings.bugs().len(), findings.confirmed());
        if all == 0 {
            self.console.line("no defect found");
            return;
        }
        for bug in findings.bugs() {
            self.console.detail(format_args!(
                "{}: {}: {} ({})",
                bug.folder.display(),
                bug.solver,
                bug.defect,
                bug.skeleton
            ));
        }
        self.console.line(format_args!(
            "{} confirmed, {} not, in {}",
            counted(confirmed, "defect"),
            all - confirmed,
            output.display()
        ));
    }
}

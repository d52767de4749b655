//! What is told of a campaign: a line while it runs, a line for each new defect, and a summary.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use indicatif::ProgressBar;
use sundry_external::{Meter, OptionPool, Verdict};
use sundry_fuzz::{Bug, Bugs, Finding, Kind, LeftOut, Overruns, SlowCase, Tally, Tested, Turn, TurnOutcome};

use super::slow_cases::SlowCases;
use super::summary::{End, SUMMARY, Summary};
use crate::campaign;
use crate::campaign::findings::Findings;
use crate::campaign::json_file;
use crate::campaign::replay::CampaignCommand;
use crate::console::Console;
use crate::failure::Failure;
use crate::output::OutputFolder;
use crate::progress::style;
use crate::values::{counted, grouped};

/// Figures of all seeds together.
pub struct Sum<'a> {
    console: &'a Console,
    bar: ProgressBar,
    start: Instant,
    /// The time and memory that solvers took.
    meter: &'a Meter,
    threads: usize,
    seeds: &'a [PathBuf],
    /// The options of the solvers under test, by command.
    pools: &'a BTreeMap<String, OptionPool>,
    /// The kind of counters that the first solver has.
    counters: &'a str,
    begun: usize,
    over: usize,
    trees: usize,
    unreadable: usize,
    /// The defects of Sundry that ended seeds.
    broken: Vec<Failure>,
    left_out: BTreeMap<LeftOut, usize>,
    tally: Tally,
    end: Option<End>,
}

impl<'a> Sum<'a> {
    /// Nothing yet.
    pub fn new(
        console: &'a Console,
        seeds: &'a [PathBuf],
        start: Instant,
        meter: &'a Meter,
        threads: usize,
        pools: &'a BTreeMap<String, OptionPool>,
        counters: &'a str,
    ) -> Self {
        let bar = console.bars().add(ProgressBar::new(seeds.len() as u64));
        bar.set_style(style("{elapsed:>5} [{bar:30}] {msg}"));
        Sum {
            console,
            bar,
            start,
            meter,
            threads,
            seeds,
            pools,
            counters,
            begun: 0,
            over: 0,
            trees: 0,
            unreadable: 0,
            broken: Vec::new(),
            left_out: BTreeMap::new(),
            tally: Tally::default(),
            end: None,
        }
    }

    /// Notes why the campaign ends; the first reason counts.
    pub fn end(&mut self, end: End) {
        self.end.get_or_insert(end);
    }

    fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// The share of the threads' time that solvers took.
    fn share_in_solvers(&self) -> f64 {
        campaign::share_in_solvers(self.meter, self.start, self.threads)
    }

    /// Keeps a finding, and tells of it if it is a new defect.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn found(
        &mut self,
        finding: &Finding,
        findings: &mut Findings,
        output: &OutputFolder,
    ) -> Result<(), Failure> {
        if let Some(folder) = findings.add(finding)? {
            let doubt = if finding.witness.confirms(&finding.defect) { "" } else { " (not confirmed)" };
            self.console.line(format_args!(
                "{}: {}{doubt}: {}",
                finding.command(),
                finding.defect,
                output.path().join(folder).display()
            ));
        }
        Ok(())
    }

    /// Tells of a seed on which a solver is slow.
    pub fn slow(&self, case: &SlowCase, report: &Path) {
        self.console.line(format_args!(
            "{}: slow on a seed that {} decides in {:.2} s: {}",
            case.solver,
            case.other,
            case.other_time.as_secs_f64(),
            report.display()
        ));
    }

    /// Checks that no defect of Sundry has shown.
    ///
    /// # Errors
    /// The first defect, if one has.
    pub fn broken(&mut self) -> Result<(), Failure> {
        if self.broken.is_empty() { Ok(()) } else { Err(self.broken.swap_remove(0)) }
    }

    /// Whether no seed at all could be read.
    pub fn has_read_nothing(&self) -> bool {
        self.unreadable == self.seeds.len()
    }

    /// Adds a turn.
    pub fn turn(&mut self, turn: Turn<Failure>, bugs: &Bugs) {
        let seed = &self.seeds[turn.seed];
        match turn.outcome {
            TurnOutcome::Unreadable(failure) => {
                self.unreadable += 1;
                self.over += 1;
                self.console.line(format_args!("{}: left out: {}", seed.display(), failure.headline()));
            }
            TurnOutcome::Broken { mutant, error } => {
                self.over += 1;
                self.console.line(format_args!(
                    "{}: left out from mutant {mutant} on: {}",
                    seed.display(),
                    error.headline()
                ));
                self.broken.push(error);
            }
            TurnOutcome::Tested(tested) => {
                let Tested { status, left_out, is_tree, tally, standing, is_over, position } = *tested;
                let is_new = standing.is_some();
                self.begun += usize::from(is_new);
                self.trees += usize::from(is_new && is_tree);
                self.over += usize::from(is_over);
                self.tally += tally;
                if let Some(reason) = left_out {
                    *self.left_out.entry(reason).or_default() += 1;
                    self.console.detail(format_args!("{}: left out, as one {}", seed.display(), why(reason)));
                } else if is_over {
                    let status = status.unwrap_or(Verdict::Unknown);
                    self.console.detail(format_args!(
                        "{}: {status}, {}",
                        seed.display(),
                        counted(position.mutant, "mutant")
                    ));
                }
            }
        }
        self.bar.set_position(self.over as u64);
        self.bar.set_message(format!(
            "{} of {} begun, {} mutants ({:.0}/s, {:.0} % in solvers), {}",
            grouped(self.begun as u64),
            counted(self.seeds.len(), "seed"),
            grouped(self.tally.mutants as u64),
            self.tally.mutants as f64 / self.seconds(),
            100.0 * self.share_in_solvers(),
            by_kind(bugs),
        ));
    }

    fn left_out(&self, reason: LeftOut) -> usize {
        self.left_out.get(&reason).copied().unwrap_or_default()
    }

    /// The seeds of which mutants were made, or were to be judged alone.
    fn tested(&self) -> usize {
        self.begun - self.left_out.values().sum::<usize>()
    }

    /// What limits have ended, of all solvers together.
    fn overruns(&self) -> Overruns {
        let mut sum = Overruns::default();
        self.tally.overruns.values().for_each(|&runs| sum += runs);
        sum
    }

    /// The options that the builds do not take, with the reasons.
    fn dropped_options(&self) -> BTreeMap<String, BTreeMap<String, String>> {
        let dropping = self.pools.iter().filter(|(_, pool)| !pool.dropped.is_empty());
        dropping.map(|(solver, pool)| (solver.clone(), pool.dropped.clone())).collect()
    }

    fn summary(&self, bugs: &Bugs, command: &CampaignCommand, not_begun: usize) -> Summary {
        let confirmed = |kind| count(bugs, |bug| bug.confirmed && bug.kind == kind);
        let Overruns { timeouts, memory_outs } = self.overruns();
        Summary {
            seeds: self.tested(),
            trees: self.trees,
            unreadable: self.unreadable,
            broken: self.broken.len(),
            not_begun,
            unknown: self.left_out(LeftOut::Unknown),
            trivial: self.left_out(LeftOut::Trivial),
            undecided: self.left_out(LeftOut::Undecided),
            barren: self.left_out(LeftOut::Barren),
            mutants: self.tally.mutants,
            replies: self.tally.replies,
            missing: self.tally.missing,
            counted: self.tally.counted,
            refused: self.tally.refused(),
            timeouts,
            memory_outs,
            overruns: self.tally.overruns.clone(),
            undecided_mutants: self.tally.undecided.clone(),
            varied: self.tally.varied,
            options: self.tally.options.clone(),
            dropped_options: self.dropped_options(),
            suspicious: self.tally.suspicious,
            vanished: self.tally.vanished,
            seconds: self.seconds(),
            seconds_on_mutants: self.tally.asking.as_secs_f64(),
            seconds_on_findings: self.tally.following.as_secs_f64(),
            threads: self.threads,
            share_in_solvers: self.share_in_solvers(),
            confirmed: Kind::ALL.map(|kind| (kind.name(), confirmed(kind))).into(),
            doubtful: count(bugs, |bug| !bug.confirmed),
            cut_short: bugs.iter().filter(|bug| bug.cut_short).count(),
            without_operators: bugs.coarse(),
            stopped_by: self.end,
            command: command.words.clone(),
            folder: command.folder.clone(),
        }
    }

    /// The last words, and the same as JSON, given the number of seeds that had no turn. Whether all was done.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(
        &self,
        findings: &Findings,
        slow: &SlowCases,
        command: &CampaignCommand,
        output: &OutputFolder,
        not_begun: usize,
    ) -> Result<bool, Failure> {
        self.bar.finish_and_clear();
        let bugs = findings.bugs();
        json_file::write(output, SUMMARY, &self.summary(findings.bugs(), command, not_begun))?;
        self.console.line(format_args!(
            "{}, {} in {:.1} s ({:.2} of it in solvers), {} of {} without an answer",
            counted(self.tested(), "seed"),
            counted(self.tally.mutants, "mutant"),
            self.seconds(),
            self.share_in_solvers(),
            grouped(self.tally.missing as u64),
            grouped(self.tally.replies as u64),
        ));
        if self.trees > 0 {
            self.console.line(format_args!(
                "{} with something that Sundry does not know: solvers judged their models themselves, and refused mutants {} times",
                counted(self.trees, "seed"),
                grouped(self.tally.refused() as u64),
            ));
        }
        let unreadable = (self.unreadable, "that cannot be read");
        let others = self.left_out.iter().map(|(&reason, &count)| (count, why(reason)));
        for (count, why) in std::iter::once(unreadable).chain(others).filter(|&(count, _)| count > 0) {
            self.console.line(format_args!("{} {why} left out", counted(count, "seed")));
        }
        if self.tally.varied > 0 {
            let varied = counted(self.tally.varied, "mutant");
            self.console.line(format_args!("{varied} with options of the solvers"));
        }
        for (solver, dropped) in self.dropped_options() {
            let options = counted(dropped.len(), "option");
            self.console.detail(format_args!("{solver}: {options} dropped, as summary.json says"));
        }
        if self.tally.vanished > 0 {
            let vanished = counted(self.tally.vanished, "finding");
            self.console.line(format_args!("{vanished} did not show again"));
        }
        let timeouts = self.overruns().timeouts;
        if timeouts > 0 {
            self.console.line(format_args!("{}{slow}", counted(timeouts, "timeout")));
        }
        for (solver, &runs) in &self.tally.overruns {
            self.console.line(format_args!("{solver}: {}", words(runs)));
        }
        for (solver, undecided) in &self.tally.undecided {
            if undecided.decided_by_others > 0 {
                let mutants = counted(undecided.decided_by_others, "mutant");
                self.console
                    .line(format_args!("{solver} does not decide {mutants} that another solver decides"));
            }
        }
        // Statistics are a matter of the solver; other counters are what the user built.
        let kind = self.counters;
        if !matches!(kind, "statistics" | "none") && self.tally.counted == 0 && self.tally.replies > 0 {
            self.console.line(format_args!(
                "no run left counters of the kind '{kind}': is the first solver built for them?"
            ));
        }
        if not_begun > 0 {
            let verb = if not_begun == 1 { "was" } else { "were" };
            self.console.line(format_args!("{} {verb} not begun", counted(not_begun, "seed")));
        }
        if let Some(end) = self.end {
            let why = match end {
                End::Timeout => "stopped by --timeout",
                End::Budget => "stopped by --budget",
                End::Interrupt => "interrupted",
                End::Memory => "stopped by --memory",
                End::Error => "ended by an error",
            };
            self.console.line(format_args!("{why}; the same command continues"));
        }
        for bug in bugs.iter() {
            let Bug { folder, defect, skeleton, .. } = bug;
            self.console.detail(format_args!("{}: {defect} ({skeleton})", folder.display()));
        }
        match bugs.iter().len() {
            // The failure says it.
            0 if self.has_read_nothing() => {}
            0 => self.console.line("no defect found"),
            count => {
                self.console.line(format_args!("{}, in {}", by_kind(bugs), output.path().display()));
                let coarse = bugs.coarse();
                if coarse < count {
                    self.console.line(format_args!("{coarse} if operators do not count as a difference"));
                }
            }
        }
        Ok(self.end.is_none())
    }
}

/// What is told of the runs that limits have ended.
fn words(Overruns { timeouts, memory_outs }: Overruns) -> String {
    let timeouts = (timeouts > 0).then(|| counted(timeouts, "timeout"));
    let memory_outs = (memory_outs > 0).then(|| format!("{} out of memory", counted(memory_outs, "run")));
    timeouts.into_iter().chain(memory_outs).collect::<Vec<_>>().join(", ")
}

/// The reason for which a seed has no mutants, in words.
pub fn why(reason: LeftOut) -> &'static str {
    match reason {
        LeftOut::Unknown => "of which nobody knows whether it is satisfiable",
        LeftOut::Trivial => "that simplification alone decides",
        LeftOut::Undecided => "that every solver under test refuses, leaves open or gets wrong",
        LeftOut::Barren => "of which nothing makes mutants",
    }
}

/// How many defects there are of some kind, without findings that may be others of them.
fn count(bugs: &Bugs, is_of_kind: impl Fn(&Bug) -> bool) -> usize {
    bugs.iter().filter(|bug| !bug.cut_short && is_of_kind(bug)).count()
}

/// How many defects of each kind there are.
fn by_kind(bugs: &Bugs) -> String {
    let mut kinds: Vec<(usize, &str)> =
        Kind::ALL.map(|kind| (count(bugs, |bug| bug.confirmed && bug.kind == kind), kind.name())).to_vec();
    kinds.push((count(bugs, |bug| !bug.confirmed), "suspicion"));
    kinds.push((bugs.iter().filter(|bug| bug.cut_short).count(), "unreduced finding"));
    let present = kinds.into_iter().filter(|&(count, _)| count > 0);
    let texts: Vec<String> = present.map(|(count, noun)| counted(count, noun)).collect();
    if texts.is_empty() { "no defect yet".to_string() } else { texts.join(", ") }
}

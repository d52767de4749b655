//! `sundry fuzz`: solvers on mutants of seeds, in parallel, and a folder for each bug.
//!
//! The campaign itself is library code ([`sundry_fuzz::conduct`]). Here are its files, what is said about it, and the exit
//! code.

mod course;
mod journal;
mod option_pools;
mod page;
mod plan;
mod progress;
mod slow_cases;
mod slow_report;
mod summary;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use sundry::Stopped;
use sundry_external::Meter;
use sundry_fuzz::{
    Asker, Campaign, Context, Event, JournalLine, LeftOut, Report, Schedule, Seeds, SlowTime, TurnOutcome,
    Work,
};
use sundry_fuzz::{Journal, Workplace, begin_seed, conduct};

use crate::arguments::{FuzzArguments, MutantPlace};
use crate::campaign::cannot_run;
use crate::campaign::findings::Findings;
use crate::campaign::html_page::Parts;
use crate::campaign::replay::CampaignCommand;
use crate::campaign::solvers::recorders;
use crate::commands;
use crate::console::Console;
use crate::failure::{Failure, Status};
use crate::interrupt::{self, Stop};
use crate::output::{OutputFolder, REDIRECTION, RunFolder, write_results};
use crate::panics;
use course::Course;
use journal::JournalFile;
use plan::Plan;
use progress::Sum;
pub use slow_cases::SlowCases;
use summary::End;

/// What the folder of a campaign is for.
const PURPOSE: &str = "a campaign writes to a folder, with a folder in it for each defect";

/// Runs the job.
///
/// # Errors
/// A solver or seed cannot be used, another campaign is at work in the folder, or a finding cannot be written.
pub fn run(arguments: &FuzzArguments, stop: &Stop, console: &Console) -> Result<Status, Failure> {
    run_plan(Plan::resolve(arguments, stop, console)?, stop, console)
}

fn run_plan(mut plan: Plan, stop: &Stop, console: &Console) -> Result<Status, Failure> {
    // What somebody else is writing is left alone, before any solver is asked.
    let is_campaign = plan.replay.is_none();
    let output = is_campaign.then(|| OutputFolder::new(&plan.output, PURPOSE)).transpose()?;
    let _lock = output.as_ref().map(OutputFolder::lock).transpose()?;
    let workplace = commands::prepare(&plan.solvers.limits, console)?;
    plan.solvers.probe(&workplace.folder, plan.deadline, plan.checks_itself, console)?;
    if is_campaign {
        // From the first file of the campaign on, a signal asks for its summary.
        interrupt::watch(stop);
    }
    let (journal, campaign_files) = match &output {
        Some(output) => {
            let (journal, file) = journal::open(output.path(), &plan.description())?;
            (journal, Some((output, file)))
        }
        None => (journal::read(&plan.output, &plan.description(), console), None),
    };
    let pools = option_pools::of_campaign(&plan, !journal.is_new, output.as_ref(), &workplace.folder, stop)?;
    plan.settings.options.pools = pools;
    let meter = Arc::new(Meter::default());
    let recorders = recorders(plan.transcript.as_deref(), plan.trace.as_deref())?;
    let [tested, references, releases] = plan.solvers.respondents(&meter, &recorders, &plan.counters);
    let slow_time = SlowTime::default();
    let campaign = Campaign {
        solvers: &tested,
        references: &references,
        releases: &releases,
        partners: &plan.seeds,
        settings: &plan.settings,
        slow_time: &slow_time,
    };
    let workshop = Workshop { place: &workplace.folder, plan: &plan, stop };
    let Some((output, journal_file)) = campaign_files else {
        let mutant = plan.replay.as_ref().expect("only a mutant that is made again has no folder");
        return workshop.with_folder(|asker| replay(campaign, asker, &plan, mutant, &journal, console));
    };
    let command = CampaignCommand::of_this_process();
    let mut findings = Findings::open(output, plan.solvers.versions())?.with_command(command.clone());
    findings.add_overruns(&journal.overruns);
    let course = Course::of(&journal, plan.start);
    let mut files = Files {
        findings,
        slow: SlowCases::open(output)?,
        versions: plan.solvers.versions(),
        journal: journal_file,
        course,
        output,
    };
    if !journal.done.is_empty() {
        console.note(plan.output.display(), "continuing the campaign of this folder where it stopped");
    }
    let schedule = Schedule::new(&plan.seeds, &journal.done, plan.budget);
    let pools = &plan.settings.options.pools;
    let mut sum =
        Sum::new(console, &plan.seeds.0, plan.start, &meter, plan.threads, pools, &plan.counters_kind);
    let mut take = |report, is_whole| files.take(report, &mut sum, is_whole);
    let conducted =
        conduct(campaign, &schedule, &workshop, plan.threads, &plan.control, &stop.interrupted, &mut take);
    if conducted.error.is_some() {
        sum.end(End::Error);
    }
    if let Some(limit) = conducted.limit {
        sum.end(if limit == Stopped::Memory { End::Memory } else { End::Timeout });
    }
    if schedule.is_cut_by_budget() {
        sum.end(End::Budget);
    }
    if stop.interrupted.load(Ordering::Relaxed) {
        sum.end(End::Interrupt);
    }
    // What was found before an error is reported all the same.
    let course = &files.course;
    let (seeds, random_seed, threads) = (&plan.seeds.0, plan.settings.seed, plan.threads);
    let names = plan.page_names();
    let page = page::Campaign { command: &command.words, names: &names, seeds, random_seed, threads, course };
    let foot = page.foot(&files.slow.section(Some(&names)));
    let parts = Parts { head: &page.head(), foot: &foot, names: Some(&names) };
    let closed = files.findings.close(parts);
    let is_whole =
        sum.finish(&files.findings, &files.slow, &command, output, course.not_begun(plan.seeds.0.len()));
    conducted.error.map_or(Ok(()), Err)?;
    closed?;
    let is_whole = is_whole?;
    sum.broken()?;
    if sum.has_read_nothing() {
        return Err(Failure::usage("none of the seeds can be read"));
    }
    Ok(if files.findings.has_confirmed() {
        Status::Attention
    } else if is_whole {
        Status::Done
    } else {
        Status::Limit
    })
}

/// The place where all threads run solvers: each in a folder of its own.
struct Workshop<'a> {
    place: &'a RunFolder,
    plan: &'a Plan,
    stop: &'a Stop,
}

impl Workshop<'_> {
    fn with_folder<T>(&self, work: impl FnOnce(Asker<'_>) -> Result<T, Failure>) -> Result<T, Failure> {
        let folder = self.place.folder()?;
        work(Asker {
            folder: folder.path(),
            limits: &self.plan.solvers.limits,
            interrupted: &self.stop.interrupted,
            control: &self.plan.control,
            processes: None,
        })
    }
}

impl Workplace for Workshop<'_> {
    type Error = Failure;

    fn with_asker(&self, work: &Work<'_>) -> Result<(), Failure> {
        let work = |asker: Asker<'_>| work(asker).map_err(|error| cannot_run(&error));
        panics::catch(|| self.with_folder(work))?
    }

    fn shield(&self, work: &mut dyn FnMut()) -> Result<(), Failure> {
        panics::catch(work)
    }
}

/// The files of a campaign.
struct Files<'a> {
    findings: Findings,
    slow: SlowCases,
    /// The versions of the solvers, as they report them, by command.
    versions: BTreeMap<String, Option<String>>,
    journal: JournalFile,
    course: Course,
    output: &'a OutputFolder,
}

impl Files<'_> {
    /// Keeps and shows what a thread reports. Turns are noted only while all that was found could be written: the others
    /// come again another time.
    fn take(&mut self, report: Report<Failure>, sum: &mut Sum<'_>, is_whole: bool) -> Result<(), Failure> {
        match report {
            Report::Event(Event::Found(finding)) => sum.found(&finding, &mut self.findings, self.output),
            Report::Event(Event::Slow(case)) => {
                if let Some(report) = self.slow.add(&case, &self.versions)? {
                    sum.slow(&case, &report);
                }
                self.findings.set_slow(self.slow.as_json());
                Ok(())
            }
            Report::Turn(turn) => {
                let result = match &turn.outcome {
                    TurnOutcome::Tested(tested) if is_whole => {
                        self.findings.add_overruns(&tested.position.overruns);
                        let moment = Some(self.course.turn(tested, self.findings.bugs()));
                        self.journal.note(&JournalLine { position: tested.position.clone(), moment })
                    }
                    TurnOutcome::Tested(_) => Ok(()),
                    TurnOutcome::Unreadable(failure) => {
                        self.course.failed(turn.seed, "cannot be read", failure.headline().to_string());
                        Ok(())
                    }
                    TurnOutcome::Broken { error, .. } => {
                        self.course.failed(
                            turn.seed,
                            "ended by a defect of Sundry",
                            error.headline().to_string(),
                        );
                        Ok(())
                    }
                };
                sum.turn(turn, self.findings.bugs());
                result
            }
        }
    }
}

/// Prints a mutant: as it was in the campaign of the folder for findings, if there is one.
fn replay(
    campaign: Campaign<'_>,
    asker: Asker<'_>,
    plan: &Plan,
    place: &MutantPlace,
    journal: &Journal,
    console: &Console,
) -> Result<Status, Failure> {
    let seeds = &plan.seeds;
    let number = match (&place.seed, seeds.0.len()) {
        (None, 1) => 0,
        (None, _) => {
            return Err(
                Failure::usage("--replay takes one seed").with_help("name the seed, as in --replay FILE:N")
            );
        }
        (Some(named), _) => seeds
            .0
            .iter()
            .position(|seed| seed == named)
            .ok_or_else(|| Failure::usage(format_args!("{} is not one of the seeds", named.display())))?,
    };
    let context = Context { campaign, asker, tell: &|_| {} };
    let seed = seeds.seed(number, context.asker.control)?;
    let mut seed_run = begin_seed(context, seed).map_err(|error| cannot_run(&error))?;
    if seed_run.left_out(campaign.settings) == Some(LeftOut::Unknown) {
        return Err(Failure::usage(
            "no solver decides whether the seed is satisfiable, so it has no mutants",
        ));
    }
    if let Some(position) = journal.done.get(&number) {
        seed_run.set_novelty(position.novelty.clone());
    }
    for (solver, options) in campaign.solvers.iter().zip(seed_run.options_for(context, place.number)) {
        if !options.is_empty() {
            let arguments: Vec<String> = options.into_iter().map(|option| option.argument).collect();
            console.note(solver.name(), format_args!("was asked with {}", arguments.join(" ")));
        }
    }
    match seed_run.skip_to(place.number, campaign.settings) {
        Some(script) => write_results(script.as_bytes(), REDIRECTION).map(|()| Status::Done),
        None => Err(Failure::usage(format_args!("there is no mutant {}", place.number))),
    }
}

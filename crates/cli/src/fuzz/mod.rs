//! `sundry fuzz`: solvers on mutants of seeds, in parallel, and a folder for each defect.

mod findings;
mod journal;
mod kept;
mod kind;
mod page;
mod progress;
mod seeds;
mod settings;
mod slow;
mod solvers;
mod work;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use sundry_external::Limits;
use sundry_fuzz::{Asker, Campaign, Context, Event, SeedRun};
use sundry_term::{Control, Stopped};

use crate::arguments::{FuzzArguments, MutantPlace, StrategyName};
use crate::commands;
use crate::console::Console;
use crate::failure::{Failure, FailureKind, Status};
use crate::interrupt::{self, Stop};
use crate::output::{OutputFolder, REDIRECTION, RunFolder, write_results};
use crate::panics;
use findings::Findings;
use journal::Journal;
use progress::{End, Outcome, Sum};
use seeds::seeds;
use settings::{description, settings};
use slow::SlowCases;
use solvers::Solvers;
use work::{SeedFiles, Turn, Work, read};

/// How often the clock is looked at.
const LOOK: Duration = Duration::from_millis(100);
/// What the folder of a campaign is for.
const PURPOSE: &str = "what a campaign finds goes to a folder, with one in it for each defect";

/// Runs the job.
///
/// # Errors
/// A solver or seed cannot be used, another campaign is at work in the folder, or a finding cannot be written.
pub fn run(arguments: &FuzzArguments, stop: &Stop, console: &Console) -> Result<Status, Failure> {
    let start = Instant::now();
    let mut solvers = Solvers::read(&arguments.solvers)?;
    if arguments.strategies.contains(&StrategyName::Opfuzz) && solvers.references.is_empty() {
        return Err(Failure::usage("--strategy opfuzz takes a --reference to compare with"));
    }
    let settings = settings(arguments);
    let seeds = seeds(&arguments.seeds, &arguments.output, console)?;
    // What somebody else is writing is left alone, before any solver is asked.
    let is_campaign = arguments.replay.is_none();
    let output = is_campaign.then(|| OutputFolder::new(&arguments.output, PURPOSE)).transpose()?;
    let _lock = output.as_ref().map(OutputFolder::lock).transpose()?;
    let workplace = commands::prepare(&solvers.limits, console)?;
    let place = &workplace.folder;
    let deadline = arguments.limits.deadline(start);
    solvers.probe(place, deadline, arguments.solvers.self_check, console)?;
    let [tested, references, releases] = solvers.respondents();
    let campaign = Campaign {
        solvers: &tested,
        references: &references,
        releases: &releases,
        partners: &SeedFiles(&seeds),
        settings: &settings,
    };
    let spent = AtomicU64::new(0);
    let control = arguments.limits.control(start, stop);
    let workshop = Workshop { place, limits: &solvers.limits, stop, control: &control, spent: &spent };
    if let Some(mutant) = &arguments.replay {
        return workshop.with_desk(|asker| replay(campaign, asker, &seeds, mutant));
    }
    let output = output.as_ref().expect("a campaign has a folder");
    let journal = Journal::open(output.path(), &description(arguments, campaign, &seeds))?;
    let mut findings = Findings::open(output, solvers.versions())?;
    findings.add_overruns(&journal.overruns);
    let mut files = Files { findings, slow: SlowCases::open(output)?, journal, output };
    if !files.journal.done.is_empty() {
        console.note(arguments.output.display(), "the campaign of this folder goes on where it stopped");
    }
    interrupt::watch(stop);
    let work = Work::new(&seeds, &files.journal, arguments.budget);
    let threads = arguments.limits.threads().min(seeds.len()).max(1);
    let mut sum = Sum::new(console, &seeds, start, &spent, threads);
    let failure = conduct(campaign, workshop, &work, &mut files, &mut sum);
    if work.is_cut_by_budget() {
        sum.end(End::Budget);
    }
    if stop.interrupted.load(Ordering::Relaxed) {
        sum.end(End::Interrupt);
    }
    // What was found before a failure is told all the same.
    let closed = files.findings.close();
    let is_whole = sum.finish(&files.findings, &files.slow, output);
    failure?;
    closed?;
    let is_whole = is_whole?;
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

/// What all threads use to run solvers.
#[derive(Copy, Clone)]
struct Workshop<'a> {
    /// Where their folders are.
    place: &'a RunFolder,
    limits: &'a Limits,
    stop: &'a Stop,
    control: &'a Control,
    /// Nanoseconds that solvers took.
    spent: &'a AtomicU64,
}

impl Workshop<'_> {
    /// Does some work at a desk with a folder of its own.
    fn with_desk<T>(self, work: impl FnOnce(Asker<'_>) -> Result<T, Failure>) -> Result<T, Failure> {
        let Workshop { place, limits, stop, control, spent } = self;
        let folder = place.folder()?;
        work(Asker { folder: folder.path(), limits, interrupted: &stop.interrupted, control, spent })
    }
}

/// The files of a campaign.
struct Files<'a> {
    findings: Findings,
    slow: SlowCases,
    journal: Journal,
    output: &'a OutputFolder,
}

/// Has threads share the work, and keeps and tells what they report, until all is done or somebody stops it.
///
/// # Errors
/// A solver cannot be run, or a file not be written: the first of these.
fn conduct(
    campaign: Campaign<'_>,
    workshop: Workshop<'_>,
    work: &Work<'_>,
    files: &mut Files<'_>,
    sum: &mut Sum<'_>,
) -> Result<(), Failure> {
    let mut failure = None;
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..sum.threads() {
            let sender = sender.clone();
            scope.spawn(move || {
                let tell = |event| drop(sender.send(News::Event(event)));
                let share = |asker: Asker<'_>| {
                    let context = Context { campaign, asker, tell: &tell };
                    work.share(context, &|turn| drop(sender.send(News::Turn(turn))))
                };
                let result = panics::catch(|| workshop.with_desk(share));
                if let Err(failure) = result.and_then(|result| result) {
                    drop(sender.send(News::Failed(failure)));
                }
            });
        }
        drop(sender);
        loop {
            if let Some(end) = end_of(workshop.control) {
                sum.end(end);
                workshop.stop.interrupted.store(true, Ordering::Relaxed);
            }
            let news = match receiver.recv_timeout(LOOK) {
                Ok(news) => news,
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
                Err(mpsc::RecvTimeoutError::Timeout) => continue,
            };
            if let Err(error) = files.take(news, sum, failure.is_none()) {
                failure.get_or_insert(error);
                workshop.stop.interrupted.store(true, Ordering::Relaxed);
            }
        }
    });
    // All threads may have seen the end before anybody looked here.
    if let Some(end) = end_of(workshop.control) {
        sum.end(end);
    }
    failure.map_or(Ok(()), Err)
}

/// The limit that ends a campaign, once one does.
fn end_of(control: &Control) -> Option<End> {
    match control.check() {
        Err(Stopped::Deadline) => Some(End::Timeout),
        Err(Stopped::Memory) => Some(End::Memory),
        Ok(()) | Err(Stopped::Interrupted) => None,
    }
}

impl Files<'_> {
    /// Keeps and tells some news. Turns are noted only while all that was found could be written: the others come
    /// again another time.
    fn take(&mut self, news: News, sum: &mut Sum<'_>, is_written: bool) -> Result<(), Failure> {
        match news {
            News::Event(Event::Found(finding)) => sum.found(&finding, &mut self.findings, self.output),
            News::Event(Event::Slow(case)) => self.slow.add(&case),
            News::Turn(turn) => {
                let result = match &turn.outcome {
                    Outcome::Tested { position, .. } if is_written => {
                        self.findings.add_overruns(&position.overruns);
                        self.journal.note(position)
                    }
                    Outcome::Tested { .. } | Outcome::Unreadable(_) => Ok(()),
                };
                sum.turn(turn, &self.findings);
                result
            }
            News::Failed(failure) => Err(failure),
        }
    }
}

/// What threads tell.
#[expect(clippy::large_enum_variant, reason = "there is one for each turn, which takes seconds")]
enum News {
    Event(Event),
    Turn(Turn),
    Failed(Failure),
}

/// Prints a mutant.
fn replay(
    campaign: Campaign<'_>,
    asker: Asker<'_>,
    seeds: &[PathBuf],
    place: &MutantPlace,
) -> Result<Status, Failure> {
    let path = match (&place.seed, seeds) {
        (None, [only]) => only,
        (None, _) => {
            return Err(Failure::usage("--replay takes one seed")
                .with_help("name one of several as in --replay FILE:N"));
        }
        (Some(named), _) => seeds
            .iter()
            .find(|seed| *seed == named)
            .ok_or_else(|| Failure::usage(format_args!("{} is none of the seeds", named.display())))?,
    };
    let context = Context { campaign, asker, tell: &|_| {} };
    let mut seed_run =
        SeedRun::begin(context, read(path, context.asker.control)?).map_err(|error| cannot_run(&error))?;
    if seed_run.status().is_none() {
        return Err(Failure::usage("nobody knows whether the seed is satisfiable, so it has no mutants"));
    }
    match seed_run.skip_to(place.number, campaign.settings) {
        Some(script) => write_results(script.as_bytes(), REDIRECTION).map(|()| Status::Done),
        None => Err(Failure::usage(format_args!("there is no mutant {}", place.number))),
    }
}

fn cannot_run(error: &std::io::Error) -> Failure {
    Failure::new(FailureKind::Limit, format_args!("cannot run the solver {error}"))
}

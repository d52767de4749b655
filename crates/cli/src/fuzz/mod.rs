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
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use sundry_fuzz::{Campaign, Course, Desk, Event, Laboratory};

use crate::arguments::{FuzzArguments, MutantPlace, StrategyName};
use crate::console::Console;
use crate::failure::{Failure, Status};
use crate::interrupt;
use crate::output::{temporary_folder, write_results};
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

/// Runs the job.
///
/// # Errors
/// A solver or seed folder cannot be used, or a finding cannot be written.
pub fn run(arguments: &FuzzArguments, console: &Console) -> Result<Status, Failure> {
    let start = Instant::now();
    let mut solvers = Solvers::read(&arguments.solvers, console)?;
    let limits = solvers.limits.clone();
    if arguments.strategies.contains(&StrategyName::Opfuzz) && solvers.references.is_empty() {
        return Err(Failure::new(Status::Input, "--strategy opfuzz takes a --reference to compare with"));
    }
    let settings = settings(arguments);
    let stop = Arc::new(AtomicBool::new(false));
    let spent = AtomicU64::new(0);
    let folder = temporary_folder()?;
    let desk = Desk { folder: folder.path(), limits: &limits, interrupted: &stop, spent: &spent };
    solvers.probe(desk, arguments.solvers.self_check, console)?;
    let seeds = seeds(&arguments.seeds, &arguments.output, console)?;
    let campaign = Campaign {
        solvers: &solvers.tested,
        references: &solvers.references,
        releases: &solvers.releases,
        partners: &SeedFiles(&seeds),
        settings: &settings,
    };
    if let Some(place) = &arguments.replay {
        return replay(campaign, desk, &seeds, place);
    }
    let mut findings = Findings::open(&arguments.output, solvers.versions())?;
    let mut slow = SlowCases::open(&arguments.output)?;
    let mut journal = Journal::open(&arguments.output, &description(arguments, campaign, &seeds))?;
    if !journal.done.is_empty() {
        console.note(arguments.output.display(), "the campaign of this folder goes on where it stopped");
    }
    interrupt::watch(&stop);
    let work = Work::new(&seeds, &journal, arguments.budget);
    let deadline = arguments.limits.deadline(start);
    let threads = arguments.limits.threads().min(seeds.len()).max(1);
    let mut sum = Sum::new(console, seeds.len(), start, &spent, threads);
    let mut failure = None;
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..threads {
            let (sender, work, limits, stop, spent) = (sender.clone(), &work, &limits, &*stop, &spent);
            scope.spawn(move || {
                let tell = |event| drop(sender.send(News::Event(event)));
                let result = panics::catch(|| {
                    let folder = temporary_folder()?;
                    let desk = Desk { folder: folder.path(), limits, interrupted: stop, spent };
                    let laboratory = Laboratory { campaign, desk, tell: &tell };
                    work.share(laboratory, &|turn| drop(sender.send(News::Turn(turn))))
                });
                if let Err(failure) = result.and_then(|result| result) {
                    drop(sender.send(News::Failed(failure)));
                }
            });
        }
        drop(sender);
        loop {
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                sum.end(End::Timeout);
                stop.store(true, Ordering::Relaxed);
            }
            let news = match receiver.recv_timeout(LOOK) {
                Ok(news) => news,
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
                Err(mpsc::RecvTimeoutError::Timeout) => continue,
            };
            let result = match news {
                News::Event(Event::Found(finding)) => sum.found(&finding, &mut findings, &arguments.output),
                News::Event(Event::Slow(case)) => slow.add(&case),
                News::Turn(turn) => {
                    let result = match turn.outcome {
                        // What was found there could not be written.
                        _ if failure.is_some() => Ok(()),
                        Outcome::Tested { ref position, .. } => journal.note(position),
                        Outcome::Unreadable(_) => Ok(()),
                    };
                    sum.turn(&seeds[turn.seed], turn, &findings);
                    result
                }
                News::Failed(failure) => Err(failure),
            };
            if let Err(error) = result {
                failure.get_or_insert(error);
                stop.store(true, Ordering::Relaxed);
            }
        }
    });
    if work.is_cut_by_budget() {
        sum.end(End::Budget);
    }
    if stop.load(Ordering::Relaxed) {
        sum.end(End::Interrupt);
    }
    // What was found before a failure is told all the same.
    let closed = findings.close();
    let is_whole = sum.finish(&findings, &slow, &arguments.output);
    if let Some(failure) = failure {
        return Err(failure);
    }
    closed?;
    let is_whole = is_whole?;
    Ok(if findings.has_confirmed() {
        Status::Attention
    } else if is_whole {
        Status::Done
    } else {
        Status::Limit
    })
}

/// What threads tell.
enum News {
    Event(Event),
    Turn(Turn),
    Failed(Failure),
}

/// Prints a mutant.
fn replay(
    campaign: Campaign<'_>,
    desk: Desk<'_>,
    seeds: &[PathBuf],
    place: &MutantPlace,
) -> Result<Status, Failure> {
    let path = match (&place.seed, seeds) {
        (None, [only]) => only,
        (None, _) => {
            return Err(Failure::new(Status::Input, "--replay takes one seed")
                .with_help("name one of several as in --replay FILE:N"));
        }
        (Some(named), _) => seeds.iter().find(|seed| *seed == named).ok_or_else(|| {
            Failure::new(Status::Input, format_args!("{} is none of the seeds", named.display()))
        })?,
    };
    let laboratory = Laboratory { campaign, desk, tell: &|_| {} };
    let mut course = Course::begin(laboratory, read(path)?).map_err(|error| cannot_run(&error))?;
    if course.status().is_none() {
        return Err(Failure::new(
            Status::Input,
            "nobody knows whether the seed is satisfiable, so it has no mutants",
        ));
    }
    match course.skip_to(place.number, campaign.settings) {
        Some(script) => write_results(script.as_bytes()).map(|()| Status::Done),
        None => Err(Failure::new(Status::Input, format_args!("there is no mutant {}", place.number))),
    }
}

fn cannot_run(error: &std::io::Error) -> Failure {
    Failure::new(Status::Limit, format_args!("a solver cannot be run: {error}"))
}

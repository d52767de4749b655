//! `sundry fuzz`: solvers on mutants of seeds, in parallel, and a folder for each defect.

mod findings;
mod journal;
mod page;
mod progress;
mod solvers;

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use sundry_fuzz::{Campaign, Course, Desk, Finding, Generator, Seed, Settings, Strategy};

use crate::arguments::{FuzzArguments, StrategyName};
use crate::console::Console;
use crate::failure::{Failure, Status};
use crate::formula::Input;
use crate::interrupt;
use crate::output::{temporary_folder, write_results};
use crate::panics;
use crate::walk::formulas_below;
use findings::Findings;
use journal::{Description, Journal, Position};
use progress::{Outcome, Sum};
use solvers::Solvers;

/// Mutants of one seed before another gets its turn: what a limit cuts off is the end of each, not all of some.
const TURN: usize = 10;
/// How often the clock is looked at.
const LOOK: Duration = Duration::from_millis(100);

/// Runs the job.
///
/// # Errors
/// A solver or seed folder cannot be used, or a finding cannot be written.
pub fn run(arguments: &FuzzArguments, console: &Console) -> Result<Status, Failure> {
    let start = Instant::now();
    let mut solvers = Solvers::read(&arguments.solvers)?;
    let limits = solvers.limits.clone();
    if arguments.strategy == StrategyName::Opfuzz && solvers.references.is_empty() {
        return Err(Failure::new(Status::Input, "--strategy opfuzz takes a --reference to compare with"));
    }
    let settings = settings(arguments);
    let stop = Arc::new(AtomicBool::new(false));
    let spent = AtomicU64::new(0);
    let folder = temporary_folder()?;
    let desk = Desk { folder: folder.path(), limits: &limits, interrupted: &stop, spent: &spent };
    solvers.check(desk)?;
    solvers.settle_dialects(desk)?;
    let campaign = Campaign {
        solvers: &solvers.tested,
        references: &solvers.references,
        releases: &solvers.releases,
        settings: &settings,
    };
    let seeds = seeds(arguments, console)?;
    if let Some(number) = arguments.replay {
        return replay(campaign, desk, &seeds, number);
    }
    let mut findings = Findings::open(&arguments.output, solvers.versions(desk)?)?;
    let mut journal = Journal::open(&arguments.output, &description(arguments, &seeds))?;
    if !journal.done.is_empty() {
        console.note(arguments.output.display(), "the campaign of this folder goes on where it stopped");
    }
    interrupt::watch(&stop);
    let work = Work::new(&seeds, &journal);
    let deadline = arguments.limits.deadline(start);
    let threads = arguments.limits.threads().min(seeds.len()).max(1);
    let mut sum = Sum::new(console, seeds.len(), start, &spent, threads);
    let mut failure = None;
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..threads {
            let (sender, work, limits, stop, spent) = (sender.clone(), &work, &limits, &*stop, &spent);
            scope.spawn(move || {
                let found = |finding| drop(sender.send(Event::Found(Box::new(finding))));
                let result = panics::catch(|| {
                    let folder = temporary_folder()?;
                    let desk = Desk { folder: folder.path(), limits, interrupted: stop, spent };
                    work.share(campaign, desk, &found, &|turn| drop(sender.send(Event::Turn(turn))))
                });
                if let Err(failure) = result.and_then(|result| result) {
                    drop(sender.send(Event::Failed(failure)));
                }
            });
        }
        drop(sender);
        loop {
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                sum.is_out_of_time = true;
                stop.store(true, Ordering::Relaxed);
            }
            let event = match receiver.recv_timeout(LOOK) {
                Ok(event) => event,
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
                Err(mpsc::RecvTimeoutError::Timeout) => continue,
            };
            let result = match event {
                Event::Found(finding) => sum.found(&finding, &mut findings, &arguments.output),
                Event::Turn(turn) => {
                    let result = match turn.outcome {
                        Outcome::Tested { ref position, .. } => journal.note(position),
                        Outcome::Unreadable(_) => Ok(()),
                    };
                    sum.turn(&seeds[turn.seed], turn, &findings);
                    result
                }
                Event::Failed(failure) => Err(failure),
            };
            if let Err(error) = result {
                failure.get_or_insert(error);
                stop.store(true, Ordering::Relaxed);
            }
        }
    });
    if let Some(failure) = failure {
        return Err(failure);
    }
    sum.finish(&findings, &arguments.output, stop.load(Ordering::Relaxed));
    Ok(if findings.confirmed() > 0 {
        Status::Attention
    } else if stop.load(Ordering::Relaxed) {
        Status::Limit
    } else {
        Status::Done
    })
}

/// What threads tell.
enum Event {
    Found(Box<Finding>),
    Turn(Turn),
    Failed(Failure),
}

/// What was done in one turn.
struct Turn {
    /// The number of the seed.
    seed: usize,
    outcome: Outcome,
}

/// A seed that waits for its turn.
enum Waiting {
    New,
    Begun(Box<Course>),
}

/// The seeds of which mutants are left, those that waited longest first.
struct Work<'a> {
    seeds: &'a [PathBuf],
    /// How far the seeds are that were begun before.
    done: BTreeMap<usize, Position>,
    queue: Mutex<VecDeque<(usize, Waiting)>>,
}

impl<'a> Work<'a> {
    fn new(seeds: &'a [PathBuf], journal: &Journal) -> Self {
        let queue = (0..seeds.len()).map(|number| (number, Waiting::New)).collect();
        Work { seeds, done: journal.done.clone(), queue: Mutex::new(queue) }
    }

    /// Does turns until none is left.
    fn share(
        &self,
        campaign: Campaign<'_>,
        desk: Desk<'_>,
        found: &dyn Fn(Finding),
        tell: &dyn Fn(Turn),
    ) -> Result<(), Failure> {
        let queue = || self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        while !desk.interrupted.load(Ordering::Relaxed) {
            let Some((seed, waiting)) = queue().pop_front() else { break };
            let is_new = matches!(waiting, Waiting::New);
            let mut course = match waiting {
                Waiting::Begun(course) => course,
                Waiting::New => match self.begin(seed, campaign, desk, found)? {
                    Ok(course) => Box::new(course),
                    Err(outcome) => {
                        tell(Turn { seed, outcome });
                        continue;
                    }
                },
            };
            let mut found_here = |finding| found(finding);
            course.advance(campaign, desk, TURN, &mut found_here).map_err(|error| cannot_run(&error))?;
            let is_over = course.is_over(campaign.settings);
            let position = Position { seed, mutant: course.last(), seen: course.seen().clone() };
            let (status, tally) = (course.status(), std::mem::take(&mut course.tally));
            let outcome = Outcome::Tested { status, position, tally, is_new, is_over };
            tell(Turn { seed, outcome });
            if !is_over {
                queue().push_back((seed, Waiting::Begun(course)));
            }
        }
        Ok(())
    }

    /// A seed with its status; or why it is left out.
    fn begin(
        &self,
        number: usize,
        campaign: Campaign<'_>,
        desk: Desk<'_>,
        found: &dyn Fn(Finding),
    ) -> Result<Result<Course, Outcome>, Failure> {
        let seed = match read(&self.seeds[number]) {
            Ok(seed) => seed,
            Err(failure) => return Ok(Err(Outcome::Unreadable(failure))),
        };
        let done = self.done.get(&number);
        // What the solvers say of the seed was told before.
        let mut found_here = |finding| {
            if done.is_none() {
                found(finding)
            }
        };
        let begun = Course::begin(campaign, seed, number as u64, desk, &mut found_here);
        let mut course = begun.map_err(|error| cannot_run(&error))?;
        if let Some(Position { mutant, seen, .. }) = done {
            course.go_on_from(*mutant, seen, campaign.settings);
        }
        Ok(Ok(course))
    }
}

fn settings(arguments: &FuzzArguments) -> Settings {
    Settings {
        mutants: if arguments.no_mutation { 0 } else { arguments.mutants.get() },
        changes: arguments.changes.get(),
        generator: match arguments.strategy {
            StrategyName::Pst => Generator::Approximation(Strategy::Transform),
            StrategyName::Lpi => Generator::Approximation(Strategy::Inject),
            StrategyName::Both => Generator::Approximation(Strategy::Both),
            StrategyName::Opfuzz => Generator::Operators,
        },
        seed: arguments.limits.seed,
        reduction: arguments.reduction_timeout,
    }
}

fn description(arguments: &FuzzArguments, seeds: &[PathBuf]) -> Description {
    Description {
        solvers: arguments.solvers.solvers.clone(),
        references: arguments.solvers.references.clone(),
        releases: arguments.solvers.releases.clone(),
        seeds: seeds.to_vec(),
        changes: arguments.changes.get(),
        strategy: format!("{:?}", arguments.strategy).to_lowercase(),
        seed: arguments.limits.seed,
    }
}

fn read(path: &Path) -> Result<Seed, Failure> {
    let source = Input::from_argument(path).read()?;
    Seed::read(&source).map_err(|diagnostic| Failure::at(&diagnostic, &source))
}

/// Prints a mutant.
fn replay(
    campaign: Campaign<'_>,
    desk: Desk<'_>,
    seeds: &[PathBuf],
    number: usize,
) -> Result<Status, Failure> {
    let [path] = seeds else {
        return Err(Failure::new(Status::Input, "--replay takes one seed"));
    };
    let mut course =
        Course::begin(campaign, read(path)?, 0, desk, &mut |_| {}).map_err(|error| cannot_run(&error))?;
    if course.status().is_none() {
        return Err(Failure::new(
            Status::Input,
            "nobody knows whether the seed is satisfiable, so it has no mutants",
        ));
    }
    match course.skip_to(number, campaign.settings) {
        Some(script) => write_results(script.as_bytes()).map(|()| Status::Done),
        None => Err(Failure::new(Status::Input, format_args!("there is no mutant {number}"))),
    }
}

fn cannot_run(error: &std::io::Error) -> Failure {
    Failure::new(Status::Limit, format_args!("a solver cannot be run: {error}"))
}

/// The files of all seeds.
fn seeds(arguments: &FuzzArguments, console: &Console) -> Result<Vec<PathBuf>, Failure> {
    let mut seeds = Vec::new();
    let own = arguments.output.canonicalize().into_iter().collect::<Vec<_>>();
    for path in &arguments.seeds {
        if !path.is_dir() {
            seeds.push(path.clone());
            continue;
        }
        let (found, failures) = formulas_below(path, &own);
        failures.iter().for_each(|failure| console.failure(failure));
        seeds.extend(found);
    }
    if seeds.is_empty() {
        return Err(Failure::new(Status::Input, "there is no .smt2 file to start from"));
    }
    Ok(seeds)
}

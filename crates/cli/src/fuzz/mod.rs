//! `sundry fuzz`: solvers on mutants of seeds, in parallel, and a folder for each defect.

mod findings;
mod journal;
mod kind;
mod page;
mod progress;
mod seeds;
mod slow;
mod solvers;

use std::collections::{BTreeMap, VecDeque};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use sundry_fuzz::{
    Campaign, Course, Desk, Event, Form, Laboratory, Method, Partners, Seed, Settings, Strategy,
};
use sundry_smtlib::SourceText;

use crate::arguments::{FormName, FuzzArguments, MutantPlace, StrategyName};
use crate::console::Console;
use crate::failure::{Failure, Status};
use crate::formula::Input;
use crate::interrupt;
use crate::output::{temporary_folder, write_results};
use crate::panics;
use findings::Findings;
use journal::{Description, Journal, Position};
use progress::{End, Outcome, Sum};
use seeds::seeds;
use slow::SlowCases;
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
    let mut solvers = Solvers::read(&arguments.solvers, console)?;
    let limits = solvers.limits.clone();
    if arguments.strategy == StrategyName::Opfuzz && solvers.references.is_empty() {
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
    if let Some(failure) = failure {
        return Err(failure);
    }
    findings.close()?;
    if work.is_budget_spent() {
        sum.end(End::Budget);
    }
    if stop.load(Ordering::Relaxed) {
        sum.end(End::Interrupt);
    }
    let is_whole = sum.finish(&findings, &slow, &arguments.output);
    Ok(if findings.confirmed() > 0 {
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
    /// How many mutants may still be made, if that is limited.
    budget: Option<AtomicUsize>,
}

impl<'a> Work<'a> {
    fn new(seeds: &'a [PathBuf], journal: &Journal, budget: Option<NonZeroUsize>) -> Self {
        let queue = (0..seeds.len()).map(|number| (number, Waiting::New)).collect();
        let budget = budget.map(|budget| AtomicUsize::new(budget.get()));
        Work { seeds, done: journal.done.clone(), queue: Mutex::new(queue), budget }
    }

    /// Takes the mutants of a turn from the budget; how many there are.
    fn reserve(&self) -> usize {
        let Some(budget) = &self.budget else { return TURN };
        let taken = |left: usize| Some(left.saturating_sub(TURN));
        let left = budget.fetch_update(Ordering::Relaxed, Ordering::Relaxed, taken);
        left.unwrap_or_default().min(TURN)
    }

    /// Gives back what a turn has left.
    fn give_back(&self, count: usize) {
        if let Some(budget) = &self.budget {
            budget.fetch_add(count, Ordering::Relaxed);
        }
    }

    fn is_budget_spent(&self) -> bool {
        self.budget.as_ref().is_some_and(|budget| budget.load(Ordering::Relaxed) == 0)
    }

    /// Does turns until none is left.
    fn share(&self, laboratory: Laboratory<'_>, tell: &dyn Fn(Turn)) -> Result<(), Failure> {
        let settings = laboratory.campaign.settings;
        let queue = || self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        while !laboratory.desk.interrupted.load(Ordering::Relaxed) {
            let Some((seed, waiting)) = queue().pop_front() else { break };
            let is_new = matches!(waiting, Waiting::New);
            let mut course = match waiting {
                Waiting::Begun(course) => course,
                Waiting::New => match read(&self.seeds[seed]) {
                    Ok(read) => Box::new(self.begin(laboratory, seed, read)?),
                    Err(failure) => {
                        tell(Turn { seed, outcome: Outcome::Unreadable(failure) });
                        continue;
                    }
                },
            };
            let count = self.reserve();
            if count == 0 {
                break;
            }
            course.advance(laboratory, count).map_err(|error| cannot_run(&error))?;
            self.give_back(count.saturating_sub(course.tally.mutants));
            let is_over = course.is_over(settings);
            let position = Position { seed, mutant: course.last(), seen: course.seen().clone() };
            let (status, is_trivial) = (course.status(), course.is_trivial());
            let tally = std::mem::take(&mut course.tally);
            tell(Turn {
                seed,
                outcome: Outcome::Tested { status, is_trivial, position, tally, is_new, is_over },
            });
            if !is_over {
                queue().push_back((seed, Waiting::Begun(course)));
            }
        }
        Ok(())
    }

    /// Begins with a seed, or goes on with it.
    fn begin(&self, laboratory: Laboratory<'_>, number: usize, seed: Seed) -> Result<Course, Failure> {
        let done = self.done.get(&number);
        // What the solvers say of the seed was told before.
        let silent = |_| {};
        let tell = if done.is_none() { laboratory.tell } else { &silent };
        let begun = Course::begin(Laboratory { tell, ..laboratory }, seed);
        let mut course = begun.map_err(|error| cannot_run(&error))?;
        if let Some(Position { mutant, seen, .. }) = done {
            course.go_on_from(*mutant, seen, laboratory.campaign.settings);
        }
        Ok(course)
    }
}

fn settings(arguments: &FuzzArguments) -> Settings {
    Settings {
        mutants: if arguments.no_mutation { 0 } else { arguments.mutants.get() },
        changes: arguments.changes.get(),
        methods: methods(arguments),
        forms: forms(arguments.form),
        seed: arguments.limits.seed,
        reduction: arguments.reduction_timeout,
    }
}

/// How mutants are made.
fn methods(arguments: &FuzzArguments) -> Vec<Method> {
    let both = Method::Approximation(Strategy::Both);
    match arguments.strategy {
        StrategyName::Pst => vec![Method::Approximation(Strategy::Transform)],
        StrategyName::Lpi => vec![Method::Approximation(Strategy::Inject)],
        StrategyName::Both => vec![both],
        StrategyName::Opfuzz => vec![Method::Operators],
        StrategyName::Fusion => vec![Method::Fusion],
        StrategyName::All if arguments.solvers.references.is_empty() => vec![both, Method::Fusion],
        StrategyName::All => vec![both, Method::Fusion, Method::Operators],
    }
}

/// How mutants are asked about: each of these as often as it stands here.
fn forms(form: FormName) -> Vec<Form> {
    match form {
        FormName::Plain => vec![Form::Plain],
        FormName::Core => vec![Form::Core],
        FormName::Assumptions => vec![Form::Assumptions],
        FormName::Incremental => vec![Form::Incremental],
        FormName::Mixed => [vec![Form::Plain; 4], Form::ALL.to_vec()].concat(),
    }
}

fn description(arguments: &FuzzArguments, campaign: Campaign<'_>, seeds: &[PathBuf]) -> Description {
    Description {
        solvers: campaign.solvers.iter().map(|solver| solver.name.clone()).collect(),
        references: arguments.solvers.references.clone(),
        releases: arguments.solvers.releases.clone(),
        seeds: seeds.to_vec(),
        changes: arguments.changes.get(),
        strategy: format!("{:?}", arguments.strategy).to_lowercase(),
        form: format!("{:?}", arguments.form).to_lowercase(),
        seed: arguments.limits.seed,
    }
}

fn read(path: &Path) -> Result<Seed, Failure> {
    let source = Input::from_argument(path).read()?;
    Seed::read(&source).map_err(|diagnostic| Failure::at(&diagnostic, &source))
}

/// The seeds as partners of each other.
struct SeedFiles<'a>(&'a [PathBuf]);

impl Partners for SeedFiles<'_> {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn read(&self, number: usize) -> Option<SourceText> {
        Input::from_argument(self.0.get(number)?).read().ok()
    }
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

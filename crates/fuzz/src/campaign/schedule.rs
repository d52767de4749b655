//! The schedule of a campaign: seeds take turns.
//!
//! The next seed is the one with the least solver time so far, so that a small number of hard seeds does not take the
//! time of many others, and a limit cuts off the end of each seed instead of some seeds entirely. The time of a turn counts less the
//! more mutants of the seed have brought something new, by the same weights as the [shares](crate::mutate::shares) of strategies.
//! New seeds, which have to be judged before they have mutants, get half of the time: mutants of the first seeds run while others
//! wait.

use std::collections::BTreeMap;
use std::io;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sundry_external::Verdict;
use sundry_term::Control;

use crate::campaign::Context;
use crate::campaign::history::Standing;
use crate::campaign::journal::SeedPosition;
use crate::campaign::tally::Tally;
use crate::campaign::work::{self, LeftOut, SeedWork};
use crate::mutate::shares::Record;
use crate::seed::{Partners, Seed};

/// Mutants of one seed, at most, before another gets its turn. Processes that answer several mutants live for one turn, so that
/// short turns cost starts.
const TURN: usize = 30;
/// Mutants of the first turn of a seed, at most: all seeds get some early.
const FIRST_TURN: usize = 10;
/// The least time that a turn counts for. A seed that solvers are not asked about gives way to others, too.
const LEAST_TURN: Duration = Duration::from_millis(1);

/// The seeds of a campaign, by their numbers. All of them may be partners of each other.
pub trait Seeds: Partners {
    /// The error for which a seed cannot be read.
    type Error: Send;

    /// The seed with this number.
    ///
    /// # Errors
    /// The seed cannot be read, or there was no time to.
    fn seed(&self, number: usize, control: &Control) -> Result<Seed, Self::Error>;
}

/// Runs work that may have a defect, and returns a panic of the work as an error.
pub type Shield<'s, E> = dyn Fn(&mut dyn FnMut()) -> Result<(), E> + 's;

/// The work of one turn.
#[derive(Clone, Debug)]
pub struct Turn<E> {
    /// The number of the seed.
    pub seed: usize,
    /// The outcome for the seed.
    pub outcome: TurnOutcome<E>,
}

/// The outcome of a turn for a seed.
#[derive(Clone, Debug)]
pub enum TurnOutcome<E> {
    /// The seed is not a formula.
    Unreadable(E),
    /// A defect of Sundry ended the turn. The seed gets no other one.
    Broken {
        /// The number of the last mutant that was made.
        mutant: usize,
        /// The defect.
        error: E,
    },
    /// The turn made some mutants, unless the status of the seed is unknown.
    Tested(Box<Tested>),
}

/// A seed after a turn.
#[derive(Clone, Debug)]
pub struct Tested {
    /// The status of the seed; `None` if it is unknown.
    pub status: Option<Verdict>,
    /// The reason for which there are no mutants, if there are none.
    pub left_out: Option<LeftOut>,
    /// Whether the seed has something that Sundry does not know.
    pub is_tree: bool,
    /// The progress of the seed.
    pub position: SeedPosition,
    /// The work of the turn.
    pub tally: Tally,
    /// The seed as the solvers find it, if this was its first turn in this run.
    pub standing: Option<Standing>,
    /// Whether this was its last turn.
    pub is_over: bool,
}

/// The seeds that wait for their turn.
struct Queue {
    /// The number of the next seed that nobody has begun.
    next_new: usize,
    /// The seeds that were begun, by the weighted solver time that each has taken.
    begun: BTreeMap<(Duration, usize), Box<dyn SeedWork>>,
    /// The time that went into judging new seeds.
    judging: Duration,
    /// The time that went into mutants.
    mutating: Duration,
}

/// A seed in its turn.
#[derive(Default)]
struct Place {
    /// The mutants; `None` before the seed is read.
    seed_run: Option<Box<dyn SeedWork>>,
    /// The solver time that it has taken, of each turn divided by the weight of the seed.
    spent: Duration,
    /// The time of the turn that went into judging the seed, and into mutants.
    judging: Duration,
    mutating: Duration,
}

impl Queue {
    fn is_empty(&self, seeds: usize) -> bool {
        self.next_new >= seeds && self.begun.is_empty()
    }

    /// Takes the next seed of this many: its number, and what was done with it.
    fn pop(&mut self, seeds: usize) -> Option<(usize, Place)> {
        let has_new = self.next_new < seeds;
        if has_new && (self.begun.is_empty() || self.judging <= self.mutating) {
            self.next_new += 1;
            return Some((self.next_new - 1, Place::default()));
        }
        let ((spent, seed), seed_run) = self.begun.pop_first()?;
        Some((seed, Place { seed_run: Some(seed_run), spent, ..Place::default() }))
    }
}

/// The seeds of which mutants are left, and how many mutants may still be made.
pub struct Schedule<'a, S> {
    seeds: &'a S,
    /// The progress of the seeds that an earlier run has begun.
    done: &'a BTreeMap<usize, SeedPosition>,
    queue: Mutex<Queue>,
    budget: Option<AtomicUsize>,
}

impl<'a, S: Seeds> Schedule<'a, S> {
    /// A turn for each seed, after the positions of an earlier run; with a limit on the mutants of all seeds
    /// together, if there is one.
    pub fn new(seeds: &'a S, done: &'a BTreeMap<usize, SeedPosition>, budget: Option<NonZeroUsize>) -> Self {
        let queue =
            Queue { next_new: 0, begun: BTreeMap::new(), judging: Duration::ZERO, mutating: Duration::ZERO };
        let budget = budget.map(|budget| AtomicUsize::new(budget.get()));
        Schedule { seeds, done, queue: Mutex::new(queue), budget }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the mutants of a turn from the budget, and returns their number.
    fn reserve(&self) -> usize {
        let Some(budget) = &self.budget else { return TURN };
        let taken = |left: usize| Some(left.saturating_sub(TURN));
        let left = budget.fetch_update(Ordering::Relaxed, Ordering::Relaxed, taken);
        left.unwrap_or_default().min(TURN)
    }

    /// Returns the unused mutants of a turn.
    fn give_back(&self, count: usize) {
        if let Some(budget) = &self.budget {
            budget.fetch_add(count, Ordering::Relaxed);
        }
    }

    /// Whether the budget is spent, and there would be more to do.
    pub fn is_cut_by_budget(&self) -> bool {
        let is_spent = self.budget.as_ref().is_some_and(|budget| budget.load(Ordering::Relaxed) == 0);
        is_spent && !self.queue().is_empty(self.seeds.count())
    }

    /// Takes turns until none is left, or the asker is interrupted. Several threads may do so concurrently, each with
    /// a separate asker. A turn that panics, which `shield` finds out,
    /// costs its seed only.
    ///
    /// # Errors
    /// A solver cannot be run.
    pub fn work(
        &self,
        context: Context<'_>,
        shield: &Shield<'_, S::Error>,
        report: &dyn Fn(Turn<S::Error>),
    ) -> io::Result<()> {
        while !context.asker.interrupted.load(Ordering::Relaxed) {
            let mut count = self.reserve();
            if count == 0 {
                break;
            }
            let Some((seed, mut place)) = self.queue().pop(self.seeds.count()) else {
                self.give_back(count);
                break;
            };
            if place.seed_run.is_none() {
                self.give_back(count.saturating_sub(FIRST_TURN));
                count = count.min(FIRST_TURN);
            }
            let mut outcome = Ok(None);
            if let Err(error) = shield(&mut || outcome = self.turn(context, seed, &mut place, count)) {
                let mutant = place.seed_run.as_ref().map_or(0, |seed_run| seed_run.last());
                let made = place.seed_run.map_or(0, |mut seed_run| seed_run.tally().mutants);
                self.give_back(count.saturating_sub(made));
                report(Turn { seed, outcome: TurnOutcome::Broken { mutant, error } });
                continue;
            }
            let Some(outcome) = outcome? else { break };
            let waits = matches!(&outcome, TurnOutcome::Tested(tested) if !tested.is_over);
            report(Turn { seed, outcome });
            let Place { seed_run, spent, judging, mutating } = place;
            let mut queue = self.queue();
            queue.judging += judging;
            queue.mutating += mutating;
            if let Some(seed_run) = seed_run.filter(|_| waits) {
                queue.begun.insert((spent, seed), seed_run);
            }
        }
        Ok(())
    }

    /// Takes the turn of a seed, unless it is interrupted before the seed is judged.
    fn turn(
        &self,
        context: Context<'_>,
        seed: usize,
        place: &mut Place,
        count: usize,
    ) -> io::Result<Option<TurnOutcome<S::Error>>> {
        let settings = context.campaign.settings;
        let begin = Instant::now();
        let is_new = place.seed_run.is_none();
        let seed_run = match &mut place.seed_run {
            Some(seed_run) => seed_run,
            None => match self.seeds.seed(seed, context.asker.control) {
                Ok(read) => place.seed_run.insert(self.begin(context, seed, read)?),
                Err(_) if context.asker.control.stopped() => return Ok(None),
                Err(error) => {
                    self.give_back(count);
                    return Ok(Some(TurnOutcome::Unreadable(error)));
                }
            },
        };
        place.judging = begin.elapsed();
        if is_new && context.asker.interrupted.load(Ordering::Relaxed) {
            // A seed that was interrupted has not been judged: another run starts it anew.
            return Ok(None);
        }
        let before = seed_run.last();
        seed_run.advance(context, count)?;
        self.give_back(count.saturating_sub(seed_run.tally().mutants));
        let is_over = seed_run.is_over(settings);
        let (status, left_out) = (seed_run.status(), seed_run.left_out(settings));
        let tally = std::mem::take(seed_run.tally());
        let brought = Record { tried: seed_run.last() as u64, brought: seed_run.novelty().mutants() as u64 };
        place.spent += tally.effort.max(LEAST_TURN).div_f64(brought.factor());
        let position = SeedPosition {
            seed,
            mutant: seed_run.last(),
            seen: seed_run.seen().clone(),
            novelty: seed_run.novelty().after(before),
            overruns: tally.overruns.clone(),
        };
        let is_tree = seed_run.is_tree();
        let undecided = seed_run.undecided().clone();
        let standing = is_new.then_some(Standing { status, left_out, undecided });
        place.mutating = begin.elapsed() - place.judging;
        let tested = Tested { status, left_out, is_tree, position, tally, standing, is_over };
        Ok(Some(TurnOutcome::Tested(Box::new(tested))))
    }

    /// Starts a seed, or continues it.
    fn begin(&self, context: Context<'_>, number: usize, seed: Seed) -> io::Result<Box<dyn SeedWork>> {
        let done = self.done.get(&number);
        // An earlier run has reported the answers of the solvers to the seed.
        let silent = |_| {};
        let tell = if done.is_none() { context.tell } else { &silent };
        let mut seed_run = work::begin_seed(Context { tell, ..context }, seed)?;
        if let Some(position) = done {
            seed_run.tally().overruns.clear();
            seed_run.go_on_from(position, context.campaign.settings);
        }
        Ok(seed_run)
    }
}

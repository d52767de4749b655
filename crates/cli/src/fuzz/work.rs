//! The work of a campaign, shared by threads: a turn of each seed, again and again.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use sundry_fuzz::{Context, Partners, Seed, SeedRun};
use sundry_smtlib::SourceText;
use sundry_term::Control;

use super::cannot_run;
use super::journal::{Journal, Position};
use super::progress::Outcome;
use crate::failure::Failure;
use crate::input::Input;

/// Mutants of one seed before another gets its turn.
const TURN: usize = 10;
/// What a turn counts for, at least.
const LEAST_TURN: Duration = Duration::from_millis(1);

/// What was done in one turn.
pub struct Turn {
    /// The number of the seed.
    pub seed: usize,
    /// What became of it.
    pub outcome: Outcome,
}

/// A seed that waits for its turn.
enum Waiting {
    New,
    Begun(Box<SeedRun>),
}

/// The seeds of which mutants are left. That with which solvers were busy for the shortest time is next, so that a few
/// hard ones do not take the time of many others, and what a limit cuts off is the end of each, not all of some.
pub struct Work<'a> {
    seeds: &'a [PathBuf],
    /// How far the seeds are that were begun before.
    done: BTreeMap<usize, Position>,
    queue: Mutex<BTreeMap<(Duration, usize), Waiting>>,
    /// How many mutants may still be made, if that is limited.
    budget: Option<AtomicUsize>,
}

impl<'a> Work<'a> {
    /// With a limit on the mutants of all seeds together, if any.
    pub fn new(seeds: &'a [PathBuf], journal: &Journal, budget: Option<NonZeroUsize>) -> Self {
        let queue = (0..seeds.len()).map(|number| ((Duration::ZERO, number), Waiting::New)).collect();
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

    /// Whether as many mutants were made as are wanted, and there would be more.
    pub fn is_cut_by_budget(&self) -> bool {
        let is_spent = self.budget.as_ref().is_some_and(|budget| budget.load(Ordering::Relaxed) == 0);
        is_spent && !self.queue.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// Does turns until none is left.
    ///
    /// # Errors
    /// A solver cannot be run.
    pub fn share(&self, context: Context<'_>, tell: &dyn Fn(Turn)) -> Result<(), Failure> {
        let settings = context.campaign.settings;
        let queue = || self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        let is_interrupted = || context.asker.interrupted.load(Ordering::Relaxed);
        while !is_interrupted() {
            let count = self.reserve();
            if count == 0 {
                break;
            }
            let Some(((spent, seed), waiting)) = queue().pop_first() else {
                self.give_back(count);
                break;
            };
            let is_new = matches!(waiting, Waiting::New);
            let mut seed_run = match waiting {
                Waiting::Begun(seed_run) => seed_run,
                Waiting::New => match read(&self.seeds[seed], context.asker.control) {
                    Ok(read) => Box::new(self.begin(context, seed, read)?),
                    // Who was stopped said nothing of the seed.
                    Err(_) if context.asker.control.stopped() => break,
                    Err(failure) => {
                        self.give_back(count);
                        tell(Turn { seed, outcome: Outcome::Unreadable(failure) });
                        continue;
                    }
                },
            };
            if is_new && is_interrupted() {
                // Who was stopped said nothing of the seed: it is begun anew another time.
                break;
            }
            seed_run.advance(context, count).map_err(|error| cannot_run(&error))?;
            self.give_back(count.saturating_sub(seed_run.tally.mutants));
            let is_over = seed_run.is_over(settings);
            let (status, left_out) = (seed_run.status(), seed_run.left_out(settings));
            let tally = std::mem::take(&mut seed_run.tally);
            let (asking, overruns) = (tally.asking, tally.overruns.clone());
            let position =
                Position { seed, mutant: seed_run.last(), seen: seed_run.seen().clone(), overruns };
            tell(Turn {
                seed,
                outcome: Outcome::Tested { status, left_out, position, tally, is_new, is_over },
            });
            if !is_over {
                // Also one that solvers are not asked about gives way to others.
                let spent = spent + asking.max(LEAST_TURN);
                queue().insert((spent, seed), Waiting::Begun(seed_run));
            }
        }
        Ok(())
    }

    /// Begins with a seed, or goes on with it.
    fn begin(&self, context: Context<'_>, number: usize, seed: Seed) -> Result<SeedRun, Failure> {
        let done = self.done.get(&number);
        // What the solvers say of the seed was told before.
        let silent = |_| {};
        let tell = if done.is_none() { context.tell } else { &silent };
        let begun = SeedRun::begin(Context { tell, ..context }, seed);
        let mut seed_run = begun.map_err(|error| cannot_run(&error))?;
        if let Some(Position { mutant, seen, .. }) = done {
            seed_run.tally.overruns.clear();
            seed_run.go_on_from(*mutant, seen, context.campaign.settings);
        }
        Ok(seed_run)
    }
}

/// A seed.
///
/// # Errors
/// It cannot be read, or there was no time to.
pub fn read(path: &Path, control: &Control) -> Result<Seed, Failure> {
    let source = Input::from_argument(path).read(control)?;
    Seed::read(&source, control).map_err(|diagnostic| Failure::at(&diagnostic, &source))
}

/// The seeds as partners of each other.
pub struct SeedFiles<'a>(pub &'a [PathBuf]);

impl Partners for SeedFiles<'_> {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn read(&self, number: usize, control: &Control) -> Option<SourceText> {
        Input::from_argument(self.0.get(number)?).read(control).ok()
    }
}

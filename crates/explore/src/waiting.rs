//! Inputs that wait to be run, the set *T* of the paper, and those that have been there.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use rustc_hash::FxHashSet;

use crate::explore::Origin;
use crate::input::Input;
use crate::trace::Edge;
use crate::tree::{OpenBranch, Renumbered};

/// The greatest number of candidates that have plain runs before it is their turn.
const MOST_AHEAD: usize = 64;

/// The way of a plain run.
pub struct Replayed {
    /// The number of the path.
    pub path: u64,
    /// The edges that it took, each with the number of times.
    pub counts: Vec<(Edge, u8)>,
    /// Instructions executed.
    pub steps: u64,
    /// The processor time.
    pub time: Duration,
}

/// An input that waits.
pub struct Waiting {
    /// The input.
    pub input: Input,
    /// The origin of the input.
    pub origin: Origin,
    /// The branch of which it is a solution.
    pub branch: Option<OpenBranch>,
    /// The plain run of the input, if there was one.
    pub replayed: Option<Replayed>,
}

/// Inputs in the order in which they are run. None waits twice, but for solutions.
#[derive(Default)]
pub struct WaitingInputs {
    waiting: VecDeque<Waiting>,
    /// Fingerprints of all inputs so far. With 128 bits, two inputs share one by accident in no exploration that ends.
    known: FxHashSet<u128>,
}

impl WaitingInputs {
    /// Adds an input, unless it was added before.
    pub fn add(&mut self, input: Input, origin: Origin) {
        if self.known.insert(fingerprint(&input)) {
            self.waiting.push_back(Waiting { input, origin, branch: None, replayed: None });
        }
    }

    /// Adds the solution of a branch. Even an input that was dropped before has to be run now, since the branch is reached by it.
    pub fn add_solution(&mut self, input: Input, branch: OpenBranch) {
        self.known.insert(fingerprint(&input));
        let branch = Some(branch);
        self.waiting.push_back(Waiting { input, origin: Origin::Solution, branch, replayed: None });
    }

    /// Adds a mutant whose plain run was new.
    pub fn add_mutant(&mut self, input: Input) {
        self.known.insert(fingerprint(&input));
        self.waiting.push_back(Waiting { input, origin: Origin::Mutant, branch: None, replayed: None });
    }

    /// Takes the next input.
    pub fn next(&mut self) -> Option<Waiting> {
        self.waiting.pop_front()
    }

    /// Gives candidates plain runs, unless the first one that waits has one.
    pub fn replay_ahead(&mut self, replay: impl FnOnce(Vec<Input>) -> Vec<Replayed>) {
        let is_candidate = |waiting: &Waiting| matches!(waiting.origin, Origin::Partial | Origin::Imported);
        let first = self.waiting.front();
        if !first.is_some_and(|first| is_candidate(first) && first.replayed.is_none()) {
            return;
        }
        let candidates = || self.waiting.iter().filter(|waiting| is_candidate(waiting)).take(MOST_AHEAD);
        let runs = replay(candidates().map(|waiting| waiting.input.clone()).collect());
        let candidates = self.waiting.iter_mut().filter(|waiting| is_candidate(waiting));
        for (candidate, run) in candidates.zip(runs) {
            candidate.replayed = Some(run);
        }
    }

    /// Follows the new numbers of nodes. Solutions of branches that are no more are removed; returns their number.
    pub fn renumber(&mut self, numbers: &Renumbered) -> u64 {
        let before = self.waiting.len();
        self.waiting.retain_mut(|waiting| match waiting.branch {
            None => true,
            Some(branch) => {
                waiting.branch = numbers.branch(branch);
                waiting.branch.is_some()
            }
        });
        (before - self.waiting.len()) as u64
    }

    /// The number of inputs that are known.
    pub fn known_count(&self) -> usize {
        self.known.len()
    }
}

fn fingerprint(input: &Input) -> u128 {
    let half = |seed: u8| {
        let mut hasher = DefaultHasher::new();
        (seed, input).hash(&mut hasher);
        u128::from(hasher.finish())
    };
    half(0) << 64 | half(1)
}

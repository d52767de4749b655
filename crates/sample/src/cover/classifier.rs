//! The solver of classification: its questions, turn by turn.
//!
//! A question is that some target of a chunk is covered, as in CadiBack (Biere, Froleyks & Wang, *CadiBack: Extracting
//! Backbones with CaDiCaL*, SAT 2023); a model retires all targets that it covers, a refutation the chunk,
//! and facts of the solver retire targets without a question. A chunk is one target after each model, and
//! tenfold after each refutation. Nothing is assumed, no phases are set, and the solver simplifies its clauses:
//! so one refutation helps the next, and models stay close to one another and are cheap. (Flipping single
//! literals of a model, as CadiBack does, retires next to nothing here, for every gate fixes its output.)

use sundry_coverage::BitSet;
use sundry_solver::Verdict;

use crate::effort::Effort;
use crate::problem::Candidate;
use crate::steering::Steering;
use crate::strategy::Goal;
use crate::targets::Target;

/// Ticks that one question may take at first; twice as many with each pass through what was too hard.
const PATIENCE: u64 = 100_000_000;
/// The number of passes in a row without decisions after which the rest is too hard.
const PASSES_IN_VAIN: u32 = 3;
/// The factor by which chunks grow with each refutation.
const GROWTH: usize = 10;

/// The knowledge of others about targets, and the time to work.
pub(super) struct Turn {
    /// Targets that some model was seen to cover.
    pub(super) possible: BitSet,
    /// Targets that no model covers.
    pub(super) impossible: BitSet,
    pub(super) ticks: u64,
    /// Whether the turn ends with the first model, since growing waits for it.
    pub(super) until_model: bool,
}

/// The findings of a turn.
pub(super) struct Findings {
    /// Models of which each covers something that was not known to be possible.
    pub(super) models: Vec<Candidate>,
    /// All targets of which it is known now that no model covers them.
    pub(super) impossible: BitSet,
    /// The work of this turn.
    pub(super) ticks: u64,
    pub(super) state: State,
}

impl Findings {
    /// The findings of a turn in which nothing was done, with this number of targets.
    pub(super) fn nothing(targets: usize) -> Self {
        Findings { models: Vec::new(), impossible: BitSet::new(targets), ticks: 0, state: State::Going }
    }
}

/// The state of classification after a turn.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum State {
    /// Some targets are not decided yet.
    Going,
    /// Some targets are not decided yet, but the goal needs no more than is known.
    Enough,
    /// All targets are decided, or the rest is too hard.
    Over,
}

/// A solver for the questions of classification.
pub(super) struct Classifier {
    steering: Steering,
    goal: Goal,
    effort: Effort,
    possible: BitSet,
    impossible: BitSet,
    /// The number of targets that the next question is about.
    chunk: usize,
    /// Ticks that the present question has taken in earlier turns.
    asked: u64,
    /// Ticks that a question may take.
    patience: u64,
    /// Targets that were too hard by themselves.
    aside: BitSet,
    passes_in_vain: u32,
    /// The clock at the last answer that decided something.
    last_success: u64,
}

impl Classifier {
    pub(super) fn new(steering: Steering, goal: Goal, effort: Effort) -> Self {
        let count = steering.targets.count();
        let last_success = steering.clock();
        Classifier {
            steering,
            goal,
            effort,
            possible: BitSet::new(count),
            impossible: BitSet::new(count),
            chunk: 1,
            asked: 0,
            patience: PATIENCE,
            aside: BitSet::new(count),
            passes_in_vain: 0,
            last_success,
        }
    }

    /// Asks questions until the turn is over.
    pub(super) fn work(&mut self, turn: Turn) -> Findings {
        let Turn { possible, impossible, ticks, until_model } = turn;
        self.possible.union_with(&possible);
        self.impossible.union_with(&impossible);
        let start = self.steering.clock();
        let mut models = Vec::new();
        let state = loop {
            let open = self.open();
            let state = self.state(&open);
            let left = (start + ticks).saturating_sub(self.steering.clock());
            let is_awaited = until_model && !models.is_empty();
            if state != State::Going || left == 0 || is_awaited || self.steering.control().stopped() {
                break state;
            }
            if open.is_empty() {
                self.begin_pass();
            } else {
                models.extend(self.ask(open, left));
            }
        };
        let ticks = self.steering.clock() - start;
        Findings { models, impossible: self.impossible.clone(), ticks, state }
    }

    /// Targets still to be decided. What the solver knows for certain is taken from it.
    fn open(&mut self) -> Vec<Target> {
        let mut open = BitSet::new(self.possible.length());
        open.insert_complement(&self.possible);
        open.subtract(&self.impossible);
        open.subtract(&self.aside);
        let (known, open): (Vec<Target>, Vec<Target>) = (open.iter().map(Target::from_index))
            .partition(|&target| self.steering.fixed(target) == Some(false));
        self.rule_out(&known);
        open
    }

    fn rule_out(&mut self, targets: &[Target]) {
        targets.iter().for_each(|target| self.impossible.insert(target.index()));
    }

    fn state(&self, open: &[Target]) -> State {
        let validity = || self.steering.targets.validity(&self.possible, &self.impossible);
        if self.goal.needs_no_more_than(validity) {
            return State::Enough;
        }
        let since = self.steering.clock() - self.last_success;
        let is_in_vain = self.passes_in_vain >= PASSES_IN_VAIN
            || self.effort.for_deciding(self.last_success).is_some_and(|limit| since > limit);
        if is_in_vain || open.is_empty() && self.aside.is_empty() { State::Over } else { State::Going }
    }

    /// Begins again with what was too hard.
    fn begin_pass(&mut self) {
        self.aside = BitSet::new(self.possible.length());
        self.patience = self.patience.saturating_mul(2);
        self.passes_in_vain += 1;
    }

    /// Asks one question, or continues it, for at most this number of ticks. Returns the model, if one was found.
    fn ask(&mut self, mut open: Vec<Target>, ticks: u64) -> Option<Candidate> {
        open.truncate(self.chunk);
        let before = self.steering.clock();
        let left = self.patience.saturating_sub(self.asked).max(1);
        let verdict = self.steering.check(&[], &open, Some(left.min(ticks)));
        let now = self.steering.clock();
        if verdict == Verdict::Unknown {
            self.asked += now - before;
            if self.asked >= self.patience {
                self.give_up(&open);
            }
            return None;
        }
        (self.last_success, self.passes_in_vain, self.asked) = (now, 0, 0);
        if verdict == Verdict::Unsat {
            self.chunk = self.chunk.saturating_mul(GROWTH);
            self.rule_out(&open);
            return None;
        }
        self.chunk = 1;
        let covered = self.steering.current();
        self.possible.union_with(&covered);
        Some(Candidate { covered, model: self.steering.model() })
    }

    /// Asks about less, and not about a target any more that is too hard by itself.
    fn give_up(&mut self, chunk: &[Target]) {
        if let [only] = chunk {
            self.aside.insert(only.index());
        }
        self.chunk = 1;
        self.asked = 0;
    }
}

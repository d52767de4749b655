//! Growing one solution until nothing can be added to it.

use std::sync::Arc;

use rand::Rng;
use sundry_coverage::BitSet;
use sundry_solver::{Lit, Verdict};

use super::member::Member;
use super::{Candidate, Cover};
use crate::problem::Rejection;
use crate::targets::Target;

/// Ticks that one check may take at first.
const FIRST_PATIENCE: u64 = 20_000_000;
/// Ticks that one check may take for each gate of large circuits: carrying values through all of them takes about five.
const PATIENCE_PER_GATE: u64 = 20;

/// The share of open targets known to be possible, one in this number, up to which a solution is extended by others,
/// too.
const SHARE_KNOWN: usize = 256;

/// The maximal number of times that the patience for extensions is halved.
const MAXIMAL_RELUCTANCE: u32 = 6;

/// The part of the patience, one in this number, for a start where there is a solution to start from in any case.
const PART_WITH_RESERVE: u64 = 8;

/// The values that decisions try for inputs of which neither value is open, or both are.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Indifference {
    /// The one that explored models have less often.
    Rarer,
    /// Zeros, which make arithmetic easy.
    Zero,
    /// Ones.
    One,
    /// Any.
    Random,
}

impl Indifference {
    pub(super) const ALL: [Self; 4] =
        [Indifference::Rarer, Indifference::Zero, Indifference::One, Indifference::Random];
}

/// The present way of growing solutions.
pub(super) struct Growing {
    /// The model that was found first, until something has grown from it.
    pub(super) first: Option<Member>,
    /// Search only near models that are known: further away it is too hard.
    pub(super) stay_near: bool,
    /// The share of the wanted targets that decisions then head for.
    boldness: f64,
    /// Ticks that one check may take; more when nothing else is left to do.
    pub(super) patience: u64,
    /// The number of times that patience is halved where a model is extended: one more with each failed attempt.
    pub(super) reluctance: u32,
    /// The values that decisions try for inputs that need no particular value.
    pub(super) indifference: Indifference,
    /// Open targets that were too hard for the present patience.
    pub(super) aside: BitSet,
    /// The clock at the last success.
    last_success: u64,
}

impl Growing {
    /// The way of growing at first, with this number of targets and gates.
    pub(super) fn new(targets: usize, gates: usize) -> Self {
        Growing {
            first: None,
            stay_near: false,
            boldness: 1.0,
            patience: FIRST_PATIENCE.max(PATIENCE_PER_GATE * gates as u64),
            reluctance: 0,
            indifference: Indifference::Rarer,
            aside: BitSet::new(targets),
            last_success: 0,
        }
    }
}

/// The outcome of growing a further solution.
pub(super) enum Growth {
    /// A solution that covers something new.
    Member(Member),
    /// No target is open any more.
    Complete,
    /// All that is known to be possible is covered; the rest is not decided yet.
    Unclassified,
    /// Some targets are open, but none could be decided with the present patience.
    OutOfPatience,
    /// No solution exists.
    Unsatisfiable,
    /// A limit was reached.
    Stopped,
    /// The solver proposed a model that was not accepted.
    Rejected(Rejection),
}

impl Cover<'_> {
    /// Whether something that is known to be possible is not covered yet.
    pub(super) fn has_something_to_grow(&self) -> bool {
        let mut open = self.open();
        open.subtract(&self.growing.aside);
        open.intersects(&self.known.possible)
    }

    /// Grows the next solution of the set.
    pub(super) fn grow_next(&mut self) -> Growth {
        let mut open = self.open();
        if open.is_empty() && !self.members.is_empty() {
            return Growth::Complete;
        }
        let any_open = !open.is_empty();
        open.subtract(&self.growing.aside);
        if any_open && open.is_empty() {
            return Growth::OutOfPatience;
        }
        let all_open = open.clone();
        if self.is_classifying() && any_open {
            open.intersect_with(&self.known.possible);
            if open.is_empty() {
                return self.grow_ahead(&all_open);
            }
        }
        let targets = |set: &BitSet| -> Vec<Target> { set.iter().map(Target::from_index).collect() };
        self.prefer_open(&open);
        if self.members.is_empty() && open.is_empty() {
            // Every bit is constant: any model is a complete set.
            return match self.steering.check(&[], &[], None) {
                Verdict::Sat => {
                    let candidate = self.look();
                    self.accept(candidate).map_or_else(Growth::Rejected, Growth::Member)
                }
                Verdict::Unsat => Growth::Unsatisfiable,
                Verdict::Unknown => Growth::Stopped,
            };
        }
        let start = match (self.growing.first.take(), self.best_near()) {
            (Some(first), _) if self.growing.stay_near => {
                Some(Candidate { covered: first.covered, model: Arc::unwrap_or_clone(first.solution.model) })
            }
            (_, Some(near)) => Some(near),
            _ => match self.find_start(&targets(&open)) {
                Start::Found => None,
                Start::Known(candidate) => Some(candidate),
                Start::None if self.open().is_empty() => return Growth::Complete,
                Start::None => return Growth::OutOfPatience,
                Start::Stopped => return Growth::Stopped,
            },
        };
        // Asking for impossible targets is wasted work, but where next to nothing is known, most of the rest is
        // possible.
        let is_much_known = open.count() * SHARE_KNOWN > all_open.count();
        let wanted = targets(if is_much_known { &open } else { &all_open });
        self.extend_to_member(start, wanted)
    }

    /// Extends a model as far as possible, the last one found unless another is given.
    pub(super) fn extend_to_member(&mut self, start: Option<Candidate>, wanted: Vec<Target>) -> Growth {
        let member = if self.near.is_active() {
            let start = start.unwrap_or_else(|| self.look());
            self.accept(start).and_then(|member| self.climb_from(member))
        } else {
            let candidate = self.extend(&[], start, wanted);
            self.accept(candidate)
        };
        member.map_or_else(Growth::Rejected, Growth::Member)
    }

    /// Looks for a model that covers one of the wanted targets, with this number of ticks for each check.
    ///
    /// Where only models near the last one are found quickly, decisions follow that model except for some of the wanted
    /// targets: more of them as long as that succeeds, fewer otherwise.
    pub(super) fn search(&mut self, assumptions: &[Lit], wanted: &[Target], patience: u64) -> Verdict {
        if !self.growing.stay_near {
            return self.steering.check(assumptions, wanted, Some(patience));
        }
        loop {
            self.steering.prefer_last_model();
            let changes = (wanted.len() as f64 * self.growing.boldness) as usize;
            for _ in 0..changes {
                let index = self.steering.random.random_range(0..wanted.len());
                self.steering.prefer(wanted[index]);
            }
            let ticks = if changes > 0 { patience / 4 } else { patience };
            match self.steering.check(assumptions, wanted, Some(ticks)) {
                Verdict::Unknown if changes > 0 && !self.steering.control().stopped() => {
                    self.growing.boldness /= 8.0;
                }
                verdict => {
                    if verdict == Verdict::Sat {
                        self.growing.boldness = (2.0 * self.growing.boldness).min(1.0);
                    }
                    return verdict;
                }
            }
        }
    }

    /// Phases towards these targets, which are open.
    pub(super) fn prefer_open(&mut self, open: &BitSet) {
        let (frequency, indifference) = (&self.known.frequency, self.growing.indifference);
        self.steering.prefer_inputs(|group, random| {
            let (zero, one) = (Target::new(group, false), Target::new(group, true));
            match (open.contains(zero.index()), open.contains(one.index())) {
                (true, false) => false,
                (false, true) => true,
                _ => match indifference {
                    Indifference::Rarer => frequency[one.index()] < frequency[zero.index()],
                    Indifference::Zero => false,
                    Indifference::One => true,
                    Indifference::Random => random.random(),
                },
            }
        });
    }

    /// A model that covers one of the wanted targets. A refuted disjunction proves all of them
    /// impossible; one that is too hard is split (chunks as in CadiBack; Biere, Froleyks & Wang,
    /// SAT 2023). Targets that are too hard by themselves are set aside, and all that are left when
    /// there was no success for long.
    fn find_start(&mut self, wanted: &[Target]) -> Start {
        // With a solution in reserve, there is no need to wait long for another.
        let patience = self.patience() / if self.harvest.has_reserve() { PART_WITH_RESERVE } else { 1 };
        let mut chunks: Vec<Vec<Target>> = vec![wanted.to_vec()];
        while let Some(mut chunk) = chunks.pop() {
            chunk.retain(|target| !self.known.impossible.contains(target.index()));
            if chunk.is_empty() {
                continue;
            }
            match self.search(&[], &chunk, patience.max(1)) {
                Verdict::Sat => {
                    self.growing.last_success = self.steering.clock();
                    return Start::Found;
                }
                Verdict::Unsat => {
                    chunk.iter().for_each(|target| self.known.impossible.insert(target.index()));
                    self.growing.last_success = self.steering.clock();
                }
                Verdict::Unknown if self.steering.control().stopped() => return Start::Stopped,
                Verdict::Unknown if self.harvest.has_reserve() => {
                    return self.best_reserved().map_or(Start::None, Start::Known);
                }
                Verdict::Unknown if chunk.len() == 1 => self.set_aside(&chunk),
                Verdict::Unknown if self.is_growing_in_vain() => {
                    self.set_aside(&chunk);
                    chunks.iter().for_each(|chunk| self.set_aside(chunk));
                    break;
                }
                Verdict::Unknown => {
                    let half = chunk.split_off(chunk.len() / 2);
                    chunks.extend([half, chunk]);
                }
            }
        }
        Start::None
    }

    /// Leaves targets out of the search until there is more patience.
    fn set_aside(&mut self, targets: &[Target]) {
        targets.iter().for_each(|target| self.growing.aside.insert(target.index()));
    }

    /// Whether there was no success for so long that other work comes first.
    fn is_growing_in_vain(&self) -> bool {
        let since = self.steering.clock() - self.growing.last_success;
        self.is_out_of_work()
            || self.budget.fruitless(self.growing.last_success).is_some_and(|limit| since > limit)
    }

    /// Extends a model, the last one found unless another is given: keeps the wanted targets that it covers and asks
    /// for more of them until none is left. `assumptions` hold throughout, and the model satisfies them.
    ///
    /// Proving that nothing more can be added may be hard, each time anew, where starting the next solution is easy. So
    /// patience falls with each extension that ends without any answer.
    pub(super) fn extend(
        &mut self,
        assumptions: &[Lit],
        start: Option<Candidate>,
        mut wanted: Vec<Target>,
    ) -> Candidate {
        let (mut covered, mut model) = match start {
            Some(Candidate { covered, model }) => (covered, Some(model)),
            None => (self.look_at_targets(), None),
        };
        let bundle = self.steering.new_bundle();
        let mut assumed = assumptions.to_vec();
        assumed.push(bundle);
        let mut gained = false;
        loop {
            wanted.retain(|&target| {
                let covered = covered.contains(target.index());
                if covered {
                    self.steering.add_to_bundle(bundle, target);
                }
                !covered
            });
            if wanted.is_empty() || self.steering.control().stopped() {
                break;
            }
            // Most models are followed by better ones, so they are not read before that is known, if possible.
            if !self.steering.keeps_models() {
                model.get_or_insert_with(|| self.steering.model());
            }
            match self.search(&assumed, &wanted, self.patience() >> self.growing.reluctance) {
                Verdict::Sat => {
                    covered = self.look_at_targets();
                    model = None;
                    gained = true;
                }
                Verdict::Unsat => {
                    self.growing.reluctance = self.growing.reluctance.saturating_sub(1);
                    break;
                }
                Verdict::Unknown if gained => break,
                Verdict::Unknown => {
                    self.growing.reluctance = (self.growing.reluctance + 1).min(MAXIMAL_RELUCTANCE);
                    break;
                }
            }
        }
        self.steering.retire_bundle(bundle);
        Candidate { covered, model: model.unwrap_or_else(|| self.steering.model()) }
    }
}

/// Whether there is a model to start from.
enum Start {
    /// The engine has it.
    Found,
    /// Classification has found it.
    Known(Candidate),
    /// The wanted targets are impossible, or set aside.
    None,
    Stopped,
}

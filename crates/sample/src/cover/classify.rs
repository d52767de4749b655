//! Classification: which targets are possible at all, found out by itself before solutions are grown.
//!
//! This is the extraction of a backbone: a target is impossible where its opposite is true in all models. As in
//! CadiBack (Biere, Froleyks & Wang, *CadiBack: Extracting Backbones with CaDiCaL*, SAT 2023), a question is
//! that some target of a chunk is covered; a model retires all targets that it covers, a refutation the chunk,
//! and facts of the solver retire targets without a question. A chunk is one target after each model, and
//! tenfold after each refutation. Nothing is assumed, no phases are set, and the solver simplifies its clauses:
//! so one refutation helps the next, and models stay close to one another and are cheap. (Flipping single
//! literals of a model, as CadiBack does, retires next to nothing here, for every gate fixes its output.)
//!
//! None of this goes with growing, which asks under changing assumptions for models that are far from one
//! another, where a solver that simplifies is slower. So classification has a solver of its own, with a copy
//! of the clauses. Questions of both kinds to one solver were rejected: on some formulas, multipliers among them,
//! it took three to five times as long until everything was decided.
//!
//! The models are solutions: too many, but a complete set at once. They are in reserve until what they cover is
//! covered by fewer.

use rand::Rng;
use sundry_coverage::BitSet;
use sundry_solver::{SatOptions, Verdict};

use super::phases::Phase;
use super::{Candidate, Cover, Member, greedy_order_of};
use crate::steering::Steering;
use crate::strategy::{Step, Strategy};
use crate::targets::Target;

/// Gates above which a second copy of circuit and clauses takes too much memory.
const MAXIMAL_GATES: usize = 4_000_000;
/// Ticks of the first visit; the others wait until all that is known to be possible is covered.
const FIRST_VISIT: u64 = 100_000_000;
/// Visits in succession that decide nothing, after which what is left is set aside.
const VISITS_IN_VAIN: u32 = 3;
/// How much chunks grow with each refutation.
const GROWTH: usize = 10;

/// How far classification is.
pub(super) enum Classification {
    /// Not begun.
    Ahead,
    /// Some targets are not decided yet.
    Begun(Box<Classifier>),
    /// All is decided, or what is left is too hard.
    Over,
}

/// A solver for the questions of classification.
pub(super) struct Classifier {
    steering: Steering,
    /// How many targets the next question is about.
    chunk: usize,
    /// Targets that were too hard by themselves.
    aside: BitSet,
    /// How often growing has waited for classification.
    visits: u32,
    /// How many visits there were since something was decided.
    visits_in_vain: u32,
    /// The clock at which this visit ends.
    until: u64,
    /// The clock at the last answer that decided something.
    last_success: u64,
}

impl Classifier {
    /// Ticks that one visit, and one question, may take.
    fn patience(&self) -> u64 {
        FIRST_VISIT << self.visits.min(20)
    }
}

impl Cover<'_> {
    /// Whether growing leaves it to classification what is possible.
    pub(super) fn is_classifying(&self) -> bool {
        matches!(self.classification, Classification::Begun(_))
    }

    /// One question of classification, or on to the next phase.
    pub(super) fn classify(&mut self) -> Option<Step> {
        let state = std::mem::replace(&mut self.classification, Classification::Over);
        let classifier = match state {
            Classification::Begun(classifier) => Some(classifier),
            Classification::Ahead if self.steering.gates() <= MAXIMAL_GATES => self.begin_classification(),
            _ => None,
        };
        let Some(mut classifier) = classifier else {
            self.phase = Phase::Explore;
            return None;
        };
        let before = classifier.steering.clock();
        let open = self.unclassified(&classifier);
        let ends = open.is_empty() || before >= classifier.until || self.is_enough_possible();
        if ends {
            return Some(self.leave_classification(classifier, open.is_empty()));
        }
        let step = self.ask(&mut classifier, open);
        self.budget.spend(classifier.steering.clock() - before);
        self.classification = Classification::Begun(classifier);
        step
    }

    /// Goes on with other work: for good where everything has been asked and nothing is left, or what is left is
    /// too hard.
    fn leave_classification(&mut self, mut classifier: Box<Classifier>, asked_all: bool) -> Step {
        let since = classifier.steering.clock() - classifier.last_success;
        let limit = self.budget.fruitless(classifier.last_success).unwrap_or(u64::MAX);
        classifier.visits += 1;
        classifier.visits_in_vain += 1;
        let is_in_vain = since > limit || classifier.visits_in_vain == VISITS_IN_VAIN;
        self.phase = if classifier.visits == 1 { Phase::Explore } else { Phase::Grow };
        if is_in_vain || asked_all && classifier.aside.is_empty() {
            // Where something is left, it is as hard as what growing sets aside.
            self.aside.insert_complement(&self.possible);
            self.aside.subtract(&self.impossible);
        } else {
            self.classification = Classification::Begun(classifier);
        }
        self.reduce_reserve();
        if self.reserve.is_empty() { Step::Learned } else { self.tell() }
    }

    /// Goes on with classification, longer than before.
    pub(super) fn return_to_classification(&mut self) {
        if let Classification::Begun(classifier) = &mut self.classification {
            classifier.until = classifier.steering.clock() + classifier.patience();
            classifier.aside = BitSet::new(self.possible.length());
        }
        self.phase = Phase::Classify;
    }

    fn begin_classification(&mut self) -> Option<Box<Classifier>> {
        let seed = self.steering.random.random_range(0..1 << 30);
        let steering = self.steering.fork(SatOptions { seed, ..SatOptions::default() })?;
        let clock = steering.clock();
        Some(Box::new(Classifier {
            steering,
            chunk: 1,
            aside: BitSet::new(self.possible.length()),
            visits: 0,
            visits_in_vain: 0,
            until: clock + FIRST_VISIT,
            last_success: clock,
        }))
    }

    /// Targets still to be decided. What the solver knows for certain is taken from it.
    fn unclassified(&mut self, classifier: &Classifier) -> Vec<Target> {
        let mut open = BitSet::new(self.possible.length());
        open.insert_complement(&self.possible);
        open.subtract(&self.impossible);
        open.subtract(&classifier.aside);
        let (known, open): (Vec<Target>, Vec<Target>) = (open.iter().map(Target::from_index))
            .partition(|&target| classifier.steering.fixed(target) == Some(false));
        self.rule_out(&known);
        open
    }

    fn rule_out(&mut self, targets: &[Target]) {
        targets.iter().for_each(|target| self.impossible.insert(target.index()));
    }

    /// Whether a target below complete coverage can be reached with what is known to be possible.
    fn is_enough_possible(&self) -> bool {
        let validity = self.validity();
        self.goal.target < 1.0 && self.goal.reached(validity.valid, validity)
    }

    fn ask(&mut self, classifier: &mut Classifier, mut open: Vec<Target>) -> Option<Step> {
        let patience = classifier.patience();
        let Classifier { steering, chunk, aside, visits_in_vain, last_success, .. } = classifier;
        open.truncate(*chunk);
        match steering.check(&[], &open, Some(patience)) {
            Verdict::Sat => {
                (*last_success, *visits_in_vain) = (steering.clock(), 0);
                *chunk = 1;
                let covered = steering.current();
                self.note(&covered);
                let candidate = Candidate { covered, model: steering.model() };
                Some(self.keep_in_reserve(candidate))
            }
            Verdict::Unsat => {
                (*last_success, *visits_in_vain) = (steering.clock(), 0);
                *chunk = chunk.saturating_mul(GROWTH);
                self.rule_out(&open);
                None
            }
            Verdict::Unknown => {
                if let [only] = open[..]
                    && !steering.control().stopped()
                {
                    aside.insert(only.index());
                }
                *chunk = 1;
                None
            }
        }
    }

    /// Judges a candidate, and reports it as a solution for the time being.
    pub(super) fn keep_in_reserve(&mut self, candidate: Candidate) -> Step {
        match self.accept(candidate) {
            Ok(member) => {
                if self.reserve.is_empty() {
                    self.reserve.extend(self.first.clone());
                }
                let solution = member.solution.clone();
                self.reserve.push(member);
                Step::Found(Box::new(solution))
            }
            Err(rejection) => self.reject(rejection),
        }
    }

    /// Leaves those in reserve that are needed.
    fn reduce_reserve(&mut self) {
        let mut covered = self.covered.clone();
        let order = greedy_order_of(&self.reserve, &self.steering.targets);
        let mut reserve: Vec<Option<Member>> = self.reserve.drain(..).map(Some).collect();
        for index in order {
            if let Some(member) = reserve[index].take_if(|member| !member.covered.is_subset(&covered)) {
                covered.union_with(&member.covered);
                self.reserve.push(member);
            }
        }
    }

    /// The solution in reserve that adds most.
    pub(super) fn best_reserved(&self) -> Option<Candidate> {
        let gain = |member: &&Member| self.steering.targets.weight_beyond(&member.covered, &self.covered);
        let best = self.reserve.iter().rev().max_by_key(gain)?;
        Some(Candidate { covered: best.covered.clone(), model: best.solution.model.clone() })
    }
}

#[cfg(test)]
mod tests {
    use sundry_term::{Control, Op, Sort, TermStore};

    use super::super::covered_by_all;
    use super::super::tests::{entangled, grown};
    use super::*;
    use crate::effort::Effort;
    use crate::problem::{Problem, Solution};
    use crate::run::Goal;

    fn cover<'a>(problem: &'a Problem, goal: Goal, seed: u64) -> Cover<'a> {
        let Ok(cover) = Cover::new(problem, goal, Effort::Normal, seed, 1, &Control::default(), &mut |_| {})
        else {
            panic!("the formula is small")
        };
        cover
    }

    /// Works until something else than classification is next. What was reported by then.
    fn classified(cover: &mut Cover<'_>) -> Vec<Solution> {
        let mut reported = Vec::new();
        while matches!(cover.phase, Phase::First | Phase::Glance | Phase::Classify) {
            match cover.step(&mut |_| {}) {
                Step::Found(solution) => reported.push(*solution),
                Step::Replaced(solutions) => reported = solutions,
                Step::Learned => {}
                Step::Failed(failure) => panic!("{failure}"),
                Step::Stopped(reason) => panic!("{reason:?}"),
            }
        }
        reported
    }

    /// Reads at two places of an array, which has been written at a third.
    fn reads() -> Problem {
        let mut store = TermStore::new();
        let place = store.bit_vec_sort(4).expect("a width");
        let array = store.intern_sort(Sort::Array { index: place, element: place }).expect("a sort");
        let symbols = [("a", array), ("i", place), ("j", place), ("k", place)]
            .map(|(name, sort)| store.declare(name, &[], sort));
        let [a, i, j, k] = symbols.map(|symbol| store.symbol_term(symbol));
        let written = store.make(Op::Store, &[a, i, j]);
        let [left, right] = [j, k].map(|index| store.make(Op::Select, &[written, index]));
        let assertions = vec![store.make(Op::BvUlt, &[left, right]), store.make(Op::BvUle, &[i, j])];
        Problem::new(store, assertions, symbols.to_vec())
    }

    #[test]
    fn classification_finds_what_growing_finds() {
        for problem in [entangled(), reads()] {
            let expected = grown(&problem, 0, &Control::default());
            for seed in 0..5 {
                let mut cover = cover(&problem, Goal::default(), seed);
                let reported = classified(&mut cover);
                assert!(!cover.is_classifying(), "seed {seed}: something is left");
                assert_eq!(cover.possible, expected.covered, "seed {seed}");
                assert_eq!(cover.impossible, expected.impossible, "seed {seed}");
                // What was reported is complete, though nothing has grown yet.
                let together = covered_by_all(&cover.reserve, cover.possible.length());
                assert_eq!((together, reported.len()), (cover.possible.clone(), cover.reserve.len()));
            }
        }
    }

    #[test]
    fn growing_takes_the_place_of_the_reserve() {
        let problem = entangled();
        let mut cover = cover(&problem, Goal::default(), 1);
        classified(&mut cover);
        let reserved = cover.reserve.len();
        while matches!(cover.phase, Phase::Explore | Phase::Grow) {
            if let Step::Replaced(solutions) = cover.step(&mut |_| {}) {
                let mut covered = BitSet::new(cover.possible.length());
                for solution in &solutions {
                    covered.union_with(&cover.steering.targets.covered_by(&solution.bits));
                }
                assert_eq!(covered, cover.possible, "an intermediate set is not complete");
            }
        }
        assert!(cover.reserve.is_empty() && cover.members.len() < reserved);
    }

    #[test]
    fn a_lower_target_needs_no_complete_classification() {
        let problem = entangled();
        let mut cover = cover(&problem, Goal { target: 0.6, max_solutions: None }, 1);
        classified(&mut cover);
        assert!(cover.is_classifying());
        let mut reason = None;
        while reason.is_none() {
            if let Step::Stopped(stopped) = cover.step(&mut |_| {}) {
                reason = Some(stopped);
            }
        }
        assert_eq!(reason, Some(crate::StopReason::Target));
        assert!(cover.has_reached_target());
    }
}

//! Classification: the decision which targets are possible at all, made separately before and beside growing.
//!
//! This is the extraction of a backbone: a target is impossible where its opposite is true in all models. The questions
//! of a [`Classifier`] do not suit growing, which asks under changing assumptions for models that are far from one
//! another, where a solver that simplifies is slower. So classification has a solver of its own, with a copy of the
//! clauses. Questions of both kinds to one solver were rejected: on some formulas, multipliers among them, it took
//! three to five times as long until everything was decided.
//!
//! The classifier begins while random models are explored. Its findings are reported at once, so that complete
//! coverage is known as early on one thread as on two; the solver that explores learns of it when both are done. Where that takes
//! long, classification and growing work side by side, on two threads if there are as many, and
//! exchange what they know when a turn is over. Turns are measured by clocks of work, so the result is the same for any
//! number of threads: while growing does some work, the classifier does as much. Where growing has no target left that
//! is known to be possible, it looks for one itself now and then ([`super::ahead`]): a classifier that is stuck with
//! one target would keep it from others that are easy.
//!
//! The models are solutions: too many of them, but a complete set at once. They are in reserve until what they cover is
//! covered by fewer.

use std::collections::VecDeque;
use std::sync::Arc;

use rand::Rng;
use sundry_coverage::BitSet;
use sundry_solver::SatOptions;

use super::classifier::{Classifier, Findings, State, Turn};
use super::member::{Member, covered_by_all, those_needed};
use super::phases::Phase;
use super::{Candidate, Cover};
use crate::side_worker::Colleague;
use crate::strategy::Step;
use crate::targets::Target;

/// Gates above which a second copy of circuit and clauses takes too much memory.
const MAXIMAL_GATES: usize = 4_000_000;

/// The shares of the work that the classifier and growing take.
#[derive(Copy, Clone)]
pub(super) struct Pace {
    /// Ticks for which the classifier works alone.
    alone: u64,
    /// Ticks of a turn beside growing, at least.
    turn: u64,
    /// Ticks of a turn while growing waits for a model: to interrupt questions makes them harder.
    waiting: u64,
}

impl Default for Pace {
    fn default() -> Self {
        Pace { alone: 60_000_000, turn: 10_000_000, waiting: 100_000_000 }
    }
}

/// The state of classification.
pub(super) enum Classification {
    /// Classification has not begun.
    Ahead(Pace),
    /// Some targets are not decided yet.
    Begun(Begun),
    /// All targets are decided, or the rest is too hard.
    Over,
}

/// Classification at work.
pub(super) struct Begun {
    classifier: Colleague<Turn, Findings>,
    pace: Pace,
    /// The report on this turn, where it was there early.
    heard: Option<Heard>,
    /// The state in the last report.
    state: State,
    /// The ticks of all its work.
    ticks: u64,
    /// The clock of growing when this turn began.
    since: u64,
    /// The clock of growing when this turn ends.
    until: u64,
}

/// A report of the classifier: its models are to be reported, but growing has not learned from it yet.
struct Heard {
    /// The targets that each model covers.
    covered: Vec<BitSet>,
    /// Targets that were not known to be impossible before.
    impossible: BitSet,
    ticks: u64,
    state: State,
}

/// The solutions that classification has brought.
#[derive(Default)]
pub(super) struct Harvest {
    /// Models that have not been reported yet.
    found: VecDeque<Candidate>,
    /// Solutions in reserve: they cover something that no member of the set does.
    reserve: Vec<Member>,
}

impl Harvest {
    /// The solutions in reserve.
    pub(super) fn reserve(&self) -> &[Member] {
        &self.reserve
    }

    /// Whether some solutions are in reserve.
    pub(super) fn has_reserve(&self) -> bool {
        !self.reserve.is_empty()
    }

    /// Gives up what a set that covers these targets has no need of.
    pub(super) fn retain_beyond(&mut self, covered: &BitSet) {
        self.reserve.retain(|reserved| !reserved.covered.is_subset(covered));
    }

    /// Gives up all solutions in reserve.
    pub(super) fn give_up_reserve(&mut self) {
        self.reserve.clear();
    }
}

impl Cover<'_> {
    /// Whether growing leaves the decision what is possible to classification.
    pub(super) fn is_classifying(&self) -> bool {
        matches!(self.classification, Classification::Begun(_))
    }

    /// Begins classification, or waits for it, until it is over or there is something to grow. Returns what was found.
    pub(super) fn classify(&mut self) -> Option<Step> {
        if let Some(step) = self.take_in() {
            return Some(step);
        }
        match &self.classification {
            &Classification::Ahead(pace) => {
                self.begin_classification(pace);
                self.phase = Phase::Explore;
                return None;
            }
            Classification::Begun(begun)
                if begun.state == State::Going
                    && (begun.ticks < begun.pace.alone || !self.has_something_to_grow()) =>
            {
                self.take_findings();
                if self.credit.available().is_some() && !self.has_something_to_grow() {
                    self.phase = Phase::Grow;
                }
                return None;
            }
            _ => {}
        }
        self.phase = Phase::Grow;
        self.reduce_reserve();
        Some(if self.harvest.has_reserve() { self.report() } else { Step::Learned })
    }

    /// Reports the findings of classification as soon as they are there. That moment depends on threads, so only data
    /// that exploring does not look at may change.
    pub(super) fn overhear(&mut self) -> Option<Step> {
        // Models that wait to be reported come first: what is needed beside them is known when they are in reserve.
        if !self.harvest.found.is_empty() {
            return None;
        }
        let findings = self.unheard()?.take_early()?;
        self.hear_now(findings);
        Some(self.take_in().unwrap_or(Step::Learned))
    }

    /// Explores beside classification.
    pub(super) fn explore_beside(&mut self) -> Option<Step> {
        self.listen().or_else(|| {
            self.explore();
            if self.exploration.is_over() {
                self.hear_out();
                self.phase = Phase::Classify;
            }
            None
        })
    }

    /// Waits for the report on this turn, if it may have been overheard. Whether it was depends on threads, and what comes after exploring looks at all that is
    /// known.
    fn hear_out(&mut self) {
        if let Some(classifier) = self.unheard() {
            let findings = classifier.take();
            self.hear_now(findings);
        }
    }

    /// The classifier, where its report on this turn may be heard before the turn of exploring is over. Walks that begin at its models would change what
    /// exploring looks at.
    fn unheard(&mut self) -> Option<&mut Colleague<Turn, Findings>> {
        match &mut self.classification {
            Classification::Begun(begun) if begun.heard.is_none() && !self.near.is_active() => {
                Some(&mut begun.classifier)
            }
            _ => None,
        }
    }

    /// Takes notice of a report before the turn of exploring is over.
    fn hear_now(&mut self, findings: Findings) {
        let report = self.hear(findings);
        if let Classification::Begun(begun) = &mut self.classification {
            begun.heard = Some(report);
        }
    }

    /// Takes the findings of classification, when as much was grown meanwhile.
    pub(super) fn listen(&mut self) -> Option<Step> {
        if let Classification::Begun(begun) = &self.classification
            && self.harvest.found.is_empty()
            && self.steering.clock() >= begun.until
        {
            self.take_findings();
        }
        self.take_in()
    }

    /// Ends classification, where it is still at work.
    pub(super) fn end_classification(&mut self) {
        self.classification = Classification::Over;
        self.harvest.found.clear();
    }

    fn begin_classification(&mut self, pace: Pace) {
        self.classification = Classification::Over;
        if self.steering.gates() > MAXIMAL_GATES {
            return;
        }
        let seed = self.steering.random.random_range(0..1 << 30);
        let superseded = Arc::default();
        let control = self.steering.control().with_superseded(Arc::clone(&superseded));
        let options = SatOptions { seed, ..SatOptions::default() };
        let Some(start) = self.steering.replica(options, control) else { return };
        let (goal, effort) = (self.goal, self.budget.effort());
        let count = self.steering.targets.count();
        let classifier = Colleague::new(self.threads, superseded, move || {
            let mut classifier = start().map(|steering| Classifier::new(steering, goal, effort));
            move |turn| match &mut classifier {
                Ok(classifier) => classifier.work(turn),
                // If there was no time to begin, there is no time for anything else.
                Err(_) => Findings::nothing(count),
            }
        });
        let clock = self.steering.clock();
        let alone = pace.alone.max(pace.turn);
        let until = clock + alone;
        let state = State::Going;
        let mut begun = Begun { classifier, pace, heard: None, state, ticks: 0, since: clock, until };
        begun.classifier.give(self.turn(alone, false));
        self.classification = Classification::Begun(begun);
    }

    fn turn(&self, ticks: u64, until_model: bool) -> Turn {
        let (possible, impossible) = (self.known.possible.clone(), self.known.impossible.clone());
        Turn { possible, impossible, ticks, until_model }
    }

    /// Learns the findings of the classifier, and gives it another turn: for as long as growing took for its own,
    /// or until there is something to grow.
    fn take_findings(&mut self) {
        let state = std::mem::replace(&mut self.classification, Classification::Over);
        let Classification::Begun(mut begun) = state else { return };
        let heard = begun.heard.take().unwrap_or_else(|| self.hear(begun.classifier.take()));
        let Heard { covered, impossible, ticks, state } = heard;
        self.rule_out(&impossible);
        covered.iter().for_each(|covered| self.known.pool.add(covered));
        self.budget.spend(ticks);
        begun.ticks += ticks;
        if state == State::Over {
            // Where something is left, it is as hard as what growing sets aside.
            self.growing.aside.insert_complement(&self.known.possible);
            self.growing.aside.subtract(&self.known.impossible);
            return;
        }
        let clock = self.steering.clock();
        let is_waiting = !self.has_something_to_grow();
        if is_waiting {
            self.credit.earn(ticks);
        }
        let beside = begun.pace.turn.max(clock - begun.since);
        let ticks = if is_waiting { begun.pace.waiting } else { beside };
        (begun.since, begun.until, begun.state) = (clock, clock + beside, state);
        begun.classifier.give(self.turn(ticks, is_waiting));
        self.classification = Classification::Begun(begun);
    }

    /// Takes notice of a report.
    fn hear(&mut self, findings: Findings) -> Heard {
        let Findings { models, mut impossible, ticks, state } = findings;
        impossible.subtract(&self.known.impossible);
        self.known.impossible.union_with(&impossible);
        models.iter().for_each(|model| self.known.possible.union_with(&model.covered));
        let covered = models.iter().map(|model| model.covered.clone()).collect();
        self.harvest.found.extend(self.needed(models));
        Heard { covered, impossible, ticks, state }
    }

    /// Notes that these targets are impossible, as facts for the solver of growing as well.
    pub(super) fn learn_impossible(&mut self, mut impossible: BitSet) {
        impossible.subtract(&self.known.impossible);
        self.rule_out(&impossible);
        self.known.impossible.union_with(&impossible);
    }

    /// Makes it a fact for the solver of growing that these targets are impossible.
    fn rule_out(&mut self, impossible: &BitSet) {
        impossible.iter().for_each(|index| self.steering.rule_out(Target::from_index(index)));
    }

    /// Reports the next model of classification that covers something that no member does.
    fn take_in(&mut self) -> Option<Step> {
        if let Some(step) = self.take_near() {
            return Some(step);
        }
        while let Some(candidate) = self.harvest.found.pop_front() {
            if !candidate.covered.is_subset(&self.covered) {
                return Some(self.keep_in_reserve(candidate));
            }
        }
        None
    }

    /// Judges a candidate, and reports it as a solution for the time being.
    pub(super) fn keep_in_reserve(&mut self, candidate: Candidate) -> Step {
        match self.accept(candidate) {
            Ok(member) => {
                let solution = member.solution.clone();
                self.reserve(member);
                match self.walk_from(&solution) {
                    Ok(()) => Step::Found(solution),
                    Err(rejection) => self.reject(rejection),
                }
            }
            Err(rejection) => self.reject(rejection),
        }
    }

    /// Puts a solution in reserve.
    pub(super) fn reserve(&mut self, member: Member) {
        if self.harvest.reserve.is_empty() {
            self.harvest.reserve.extend(self.growing.first.clone());
        }
        self.harvest.reserve.push(member);
    }

    /// Leaves those in reserve that are needed.
    fn reduce_reserve(&mut self) {
        let sets = self.harvest.reserve.iter().map(|member| &member.covered).collect();
        let needed = those_needed(sets, self.covered.clone(), &self.steering.targets);
        self.harvest.reserve = select(std::mem::take(&mut self.harvest.reserve), &needed);
    }

    /// The models of classification that add something to the set and its reserve: judging the others would be wasted
    /// work.
    fn needed(&self, models: Vec<Candidate>) -> Vec<Candidate> {
        let mut covered = covered_by_all(&self.harvest.reserve, self.covered.length());
        covered.union_with(&self.covered);
        let sets = models.iter().map(|model| &model.covered).collect();
        let needed = those_needed(sets, covered, &self.steering.targets);
        select(models, &needed)
    }

    /// The solution in reserve that adds most.
    pub(super) fn best_reserved(&self) -> Option<Candidate> {
        let gain = |member: &&Member| self.steering.targets.weight_beyond(&member.covered, &self.covered);
        let best = self.harvest.reserve.iter().rev().max_by_key(gain)?;
        Some(Candidate { covered: best.covered.clone(), model: (*best.solution.model).clone() })
    }
}

/// The items with these numbers, in this order.
fn select<T>(items: Vec<T>, numbers: &[usize]) -> Vec<T> {
    let mut items: Vec<Option<T>> = items.into_iter().map(Some).collect();
    numbers.iter().filter_map(|&number| items[number].take()).collect()
}

#[cfg(test)]
mod tests;

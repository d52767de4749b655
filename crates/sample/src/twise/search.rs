//! The search: solutions one after the other, each the best that is found, until every tuple is covered, impossible or
//! too hard.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use rand::Rng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rustc_hash::FxHashSet;
use sundry_coverage::{greedy_beginning, greedy_order};
use sundry_term::{Model, Value};
use tracing::debug_span;

use super::bound::lower_bound;
use super::claims::{self, Claim};
use super::compact::compact;
use super::rating::{Greedy, Open, Rating, different_bits};
use super::space::{Candidate, NoSolution, Space};
use super::{TWiseOptions, TupleCounts};
use crate::obligations::Obligation;
use crate::pipeline::{Covered, Event, Part, Progress, RatedSolution, Request, Summary, TupleSummary};
use crate::problem::{Problem, Rejection};
use crate::strategy::{Purpose, StopReason};

/// The number of solutions from which a step starts; with many factors, it starts from fewer.
const STARTS: usize = 12;
const FACTORS_FOR_ALL_STARTS: usize = 128;
const MIN_STARTS: usize = 2;

/// The number of solutions found one by one that are put into the best order; the others follow roughly in that order.
const ORDERED: usize = 100;

/// The random stream of the order of equal solutions.
const ORDER: u64 = 2;

/// The number of questions without another solution that ends the filling.
const FRUITLESS: usize = 1000;

pub(super) struct Run<'a> {
    problem: &'a Problem,
    options: &'a TWiseOptions,
    request: &'a Request,
    /// The targets to be covered, as far as they are known at the beginning.
    everything: Open,
    open: Open,
    counts: TupleCounts,
    /// Items that exclude one another, which make everything impossible that is.
    together: Vec<Vec<usize>>,
    /// All solutions, where they were listed and claims are to be written.
    listed: Option<Vec<Arc<Model>>>,
    /// Tuples that are too hard for the solver, unless a solution has them by chance.
    undecided: Vec<Vec<usize>>,
    /// The candidates found, and the same as solutions.
    candidates: Vec<Candidate>,
    solutions: Vec<RatedSolution>,
    pub(super) is_all: bool,
    rejected: u64,
    start: Instant,
    receive: &'a mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    /// Whether the receiver wants no more.
    has_enough: bool,
}

impl<'a> Run<'a> {
    pub(super) fn new(
        problem: &'a Problem,
        options: &'a TWiseOptions,
        request: &'a Request,
        open: Open,
        start: Instant,
        receive: &'a mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> Self {
        Run {
            problem,
            options,
            request,
            everything: open.clone(),
            counts: TupleCounts { all: open.last().open(), ..TupleCounts::default() },
            open,
            together: Vec::new(),
            listed: None,
            undecided: Vec::new(),
            candidates: Vec::new(),
            solutions: Vec::new(),
            is_all: false,
            rejected: 0,
            start,
            receive,
            has_enough: false,
        }
    }

    fn is_enough(&self) -> bool {
        self.has_enough || self.request.max_solutions.is_some_and(|most| self.solutions.len() as u64 >= most)
    }

    fn take(&mut self, candidate: Candidate, model: Arc<Model>) {
        let hard = self.undecided.len();
        self.undecided.retain(|tuple| !tuple.iter().all(|item| candidate.list.contains(item)));
        let gain = self.open.take(&candidate) + (hard - self.undecided.len()) as u64;
        self.counts.covered += gain;
        self.candidates.push(candidate);
        let seconds = self.start.elapsed().as_secs_f64();
        self.solutions.push(RatedSolution { model, gain, seconds });
        let progress = Progress {
            solutions: &self.solutions,
            covered: Covered::Tuples(self.counts),
            lower_bound: 0,
            purpose: Purpose::Covering,
            seconds,
        };
        self.has_enough |= (self.receive)(Event::Set(progress)).is_break();
    }

    /// Counts a model that is wrong: a defect. One that could not be judged in time is neither right nor wrong.
    fn reject(&mut self, rejection: &Rejection) {
        self.rejected += u64::from(matches!(rejection, Rejection::Wrong(_)));
    }

    /// Chooses the best of all solutions, in the best order. Tuples that none of them has are impossible.
    pub(super) fn choose(&mut self, mut all: Vec<(Candidate, Arc<Model>)>) -> StopReason {
        // Which one is the first of equal ones should not be left to chance.
        all.sort_by_cached_key(|(_, model)| std::cmp::Reverse(values_from_the_last(self.problem, model)));
        self.open.count_only(&different_bits(&all));
        self.everything = self.open.clone();
        let mut rest = self.open.clone();
        for (candidate, _) in &all {
            rest.take(candidate);
        }
        self.counts.impossible = rest.last().open();
        if self.request.obligations {
            self.listed = Some(all.iter().map(|(_, model)| model.clone()).collect());
        }
        let count = all.len();
        let candidates = all.iter().map(|it| &it.0).collect();
        let chances = self.options.fill.then(|| self.shuffled(count));
        let order = greedy_order(count, &mut Greedy { candidates, open: self.open.clone(), chances });
        let mut all: Vec<Option<(Candidate, Arc<Model>)>> = all.into_iter().map(Some).collect();
        for number in order {
            if self.is_enough() {
                return StopReason::MaximalSolutions;
            }
            if self.counts.open() == 0 && !self.options.fill {
                return StopReason::Complete;
            }
            let (candidate, model) = all[number].take().expect("an order names each once");
            self.take(candidate, model);
        }
        self.is_all = self.solutions.len() == count;
        StopReason::Complete
    }

    /// The numbers below a limit in an order that the seed decides.
    fn shuffled(&self, count: usize) -> Vec<usize> {
        let mut random = ChaCha8Rng::seed_from_u64(self.request.seed);
        random.set_stream(ORDER);
        let mut numbers: Vec<usize> = (0..count).collect();
        numbers.shuffle(&mut random);
        numbers
    }

    /// Solutions until every tuple is covered, impossible, or too hard.
    fn search(&mut self, space: &mut Space<'_>) -> StopReason {
        let _span = debug_span!("search").entered();
        let starts = (STARTS * FACTORS_FOR_ALL_STARTS / space.factors.count).clamp(MIN_STARTS, STARTS);
        while self.open.last().open() > 0 {
            if self.is_enough() {
                return StopReason::MaximalSolutions;
            }
            if self.request.control.stopped() {
                return self.request.control.reason().into();
            }
            let mut best: Option<(Rating, Candidate, Arc<Model>)> = None;
            for _ in 0..starts {
                let Some(start) = self.start(space) else { break };
                let rating = self.open.rate(&start, &Rating::default());
                let (candidate, rating) = space.climb(start, rating, |old, rating, new, to_beat| {
                    self.open.rate_change(old, rating, new, to_beat)
                });
                if best.as_ref().is_none_or(|(least, ..)| rating > *least) {
                    match space.solution(&candidate) {
                        Ok(model) => best = Some((rating, candidate, model)),
                        Err(rejection) => self.reject(&rejection),
                    }
                }
            }
            if let Some((_, candidate, model)) = best {
                self.take(candidate, model);
            }
        }
        StopReason::Complete
    }

    /// Searches as [`search`](Self::search) does, with a good order, and without solutions that the others make
    /// needless: for each of those there may be one more.
    pub(super) fn search_and_order(&mut self, space: &mut Space<'_>) -> StopReason {
        loop {
            let reason = self.search(space);
            // A run that is stopped hands out what it has, which was found in a good order.
            if self.request.control.stopped() {
                return reason;
            }
            self.put_in_order();
            if reason != StopReason::MaximalSolutions || self.is_enough() {
                return reason;
            }
        }
    }

    /// A solution with a tuple that is still missing. What turns out to be impossible on the way is closed.
    fn start(&mut self, space: &mut Space<'_>) -> Option<Candidate> {
        let mut counts = vec![0; space.factors.factor_of.len()];
        self.open.tuples[self.open.tuples.len().min(2) - 1].count_by_item(&mut counts);
        while !self.request.control.stopped() {
            let tuple = self.open.last().some_open(space.random.random())?;
            let preferred = space.preferred(&counts);
            match space.solve(&tuple, &preferred) {
                Ok(candidate) => return Some(candidate),
                Err(NoSolution::Together(items)) => {
                    self.counts.impossible += self.open.close(&items);
                    self.together.push(items);
                }
                Err(_) if self.request.control.stopped() => return None,
                Err(refusal) => {
                    self.rejected += u64::from(refusal == NoSolution::Rejected);
                    self.open.close(&tuple);
                    self.undecided.push(tuple);
                }
            }
        }
        None
    }

    /// Looks for fewer solutions that show the same.
    pub(super) fn compact(&mut self, space: &mut Space<'_>) {
        let _span = debug_span!("compact").entered();
        if !space.has_one_layout() {
            return;
        }
        let mut set = self.candidates.clone();
        let bound = lower_bound(space, &set.iter().collect::<Vec<_>>());
        let count = set.len();
        compact(space, self.everything.last(), bound, &mut set);
        if set.len() == count {
            return;
        }
        let models: Result<Vec<Arc<Model>>, _> =
            set.iter().map(|candidate| space.solution(candidate)).collect();
        let seconds = self.start.elapsed().as_secs_f64();
        match models {
            Ok(models) => {
                self.is_all = false;
                self.candidates = set;
                self.solutions =
                    models.into_iter().map(|model| RatedSolution { model, gain: 0, seconds }).collect();
                self.put_in_order();
            }
            Err(rejection) => self.reject(&rejection),
        }
    }

    /// Puts the solutions into the best order, without those that are not needed for the tuples.
    fn put_in_order(&mut self) {
        loop {
            let before = self.candidates.len();
            let candidates = self.candidates.iter().collect();
            let open = self.everything.clone();
            let order = greedy_beginning(before, ORDERED, &mut Greedy { candidates, open, chances: None });
            let mut open = self.everything.clone();
            let unordered = std::mem::take(&mut self.candidates).into_iter().zip(self.solutions.drain(..));
            let mut unordered: Vec<Option<_>> = unordered.map(Some).collect();
            for number in order {
                let (candidate, solution) = unordered[number].take().expect("an order names each once");
                let gain = open.take(&candidate);
                if gain > 0 {
                    self.candidates.push(candidate);
                    self.solutions.push(RatedSolution { gain, ..solution });
                }
            }
            // Without those that were left out, another order may be better.
            if self.candidates.len() == before {
                return;
            }
        }
    }

    /// Random solutions behind the others.
    pub(super) fn fill(&mut self, space: &mut Space<'_>) -> StopReason {
        let mut seen: FxHashSet<u128> =
            self.candidates.iter().map(|candidate| candidate.fingerprint).collect();
        // Where there are auxiliary constants, solutions may differ and look the same.
        let has_auxiliary = !self.problem.roles.auxiliary.is_empty();
        let mut shown: BTreeSet<Vec<Value>> = BTreeSet::new();
        if has_auxiliary {
            shown.extend(self.solutions.iter().map(|solution| shown_values(self.problem, &solution.model)));
        }
        let mut fruitless = 0;
        while !self.is_enough() && fruitless < FRUITLESS {
            if self.request.control.stopped() {
                return self.request.control.reason().into();
            }
            fruitless += 1;
            match space.solve(&[], &[]) {
                Ok(candidate) if seen.insert(candidate.fingerprint) => match space.solution(&candidate) {
                    Ok(model) => {
                        if !has_auxiliary || shown.insert(shown_values(self.problem, &model)) {
                            fruitless = 0;
                            self.take(candidate, model);
                        }
                    }
                    Err(rejection) => self.reject(&rejection),
                },
                Err(NoSolution::Rejected) => self.rejected += 1,
                _ => {}
            }
        }
        if self.is_enough() { StopReason::MaximalSolutions } else { StopReason::Complete }
    }

    /// The reasons why tuples are impossible, as scripts.
    fn claims(&self, space: &Space<'_>, stopped_by: StopReason) -> Vec<Obligation> {
        let mut store = space.store().clone();
        let claim = match &self.listed {
            _ if stopped_by == StopReason::Unsatisfiable => Claim::Unsatisfiable,
            Some(models) => Claim::OnlyThese(models),
            None => {
                let mut terms = |items: &Vec<usize>| {
                    items.iter().map(|&item| space.factors.term_of(item, &mut store)).collect()
                };
                Claim::NeverTogether(self.together.iter().map(&mut terms).collect())
            }
        };
        claims::obligations(self.problem, store, &claim)
    }

    pub(super) fn outcome(self, space: &Space<'_>, stopped_by: StopReason) -> Summary {
        let candidates: Vec<&Candidate> = self.candidates.iter().collect();
        let lower_bound = lower_bound(space, &candidates);
        let obligations = if self.request.obligations { self.claims(space, stopped_by) } else { Vec::new() };
        let part = Part::Tuples(TupleSummary {
            factors: space.factors.count - space.factors.fillers,
            strength: self.options.strength.min(space.factors.count - space.factors.fillers),
            is_mixed: space.factors.fillers > 0,
            tuples: self.counts,
            lower_bound,
            is_all: self.is_all,
            obligations,
            solutions: self.solutions,
        });
        let seconds = self.start.elapsed().as_secs_f64();
        Summary { stopped_by, rejected: self.rejected, seconds, part }
    }
}

/// The values of a model's constants that are not auxiliary.
fn shown_values(problem: &Problem, model: &Model) -> Vec<Value> {
    problem.shown().filter_map(|symbol| model.constant(symbol).cloned()).collect()
}

/// The values of a model's constants, the one that was declared last first.
fn values_from_the_last(problem: &Problem, model: &Model) -> Vec<Value> {
    problem.symbols.iter().rev().filter_map(|&symbol| model.constant(symbol).cloned()).collect()
}

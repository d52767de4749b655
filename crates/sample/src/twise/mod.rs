//! Few solutions that show all combinations of a few values: t-wise coverage under constraints.
//!
//! A *factor* is a constant with its values, a bit, or a predicate; a *tuple* of strength t is a combination of values
//! of t different factors. A tuple is valid if a solution has it, which is decided by solving; a set of solutions is
//! complete if it has all valid tuples. For a configurable system that is a constrained covering array (Cohen, Dwyer &
//! Shi, *Constructing Interaction Test Suites for Highly-Configurable Systems in the Presence of Constraints: A Greedy
//! Approach*, TSE 2008).
//!
//! Solutions are chosen one after the other. Of two, the better one covers more AST-bits that were not covered before;
//! if that is the same, more new values, then more new pairs, and so on up to the strength; if all of that is the same, more
//! bits of the constants are 1, that is: more options are on. So every beginning of the list is a good test set for a
//! smaller budget.
//!
//! Where a formula has few solutions in all, each step takes the best one of all. Elsewhere a step starts at several
//! solutions that the solver finds, each with another tuple that is still missing, and changes each bit by bit while
//! that makes it better. A tuple that the solver refutes is impossible, and so is everything that has those of its values
//! that the refutation took.

mod claims;
mod compact;
mod factors;
mod space;
mod tuples;

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rustc_hash::{FxHashMap, FxHashSet};
use sundry_coverage::Predicate;
use sundry_lanes::Unsupported;
use sundry_solver::TooLarge;
use sundry_term::{Model, Value};

use crate::greedy::{Gains, greedy_beginning, greedy_order};
use crate::obligations::Obligation;
use crate::problem::Problem;
use crate::steering::Control;
use crate::strategy::StopReason;
use claims::Claim;
use space::{Candidate, NoSolution, Space};
use tuples::{Tuples, items_of, without};

/// The greatest strength.
pub const MAX_STRENGTH: usize = 3;

/// Memory for the tuples, at most.
const MAX_BYTES: usize = 2 << 30;

/// Of a formula with at most so many solutions all are listed.
const ALL: usize = 4096;

/// From how many solutions a step starts, with up to so many factors; with more of them, from fewer.
const STARTS: usize = 12;
const FACTORS_FOR_ALL_STARTS: usize = 128;
const MIN_STARTS: usize = 2;

/// Among how many factors the lower bound is sought.
const BOUNDING_FACTORS: usize = 24;

/// A candidate is rated by what has changed if that is less than this part of its items.
const WORTH_A_CHANGE: usize = 4;

/// So many solutions that were found one by one are put into the best order, and the others roughly into that order.
const ORDERED: usize = 100;

/// So many questions without another solution end the filling.
const FRUITLESS: usize = 1000;

/// What factors are.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Over {
    /// Booleans, bit-vectors of up to 6 bits, and the bits of wider ones. Arrays and functions are no factors.
    Values,
    /// The bits of all nodes of the formula.
    Bits,
    /// Predicates of the user.
    Predicates,
}

/// What to cover.
#[derive(Clone, Debug)]
pub struct TWiseOptions {
    /// How many values a tuple has: 1 to [`MAX_STRENGTH`].
    pub strength: usize,
    /// What factors are.
    pub over: Over,
    /// The predicates for [`Over::Predicates`].
    pub predicates: Vec<Predicate>,
    /// How many solutions there may be.
    pub max_solutions: Option<usize>,
    /// Whether to go on when everything is covered, up to `max_solutions` or to the last solution of the formula.
    pub fill: bool,
    /// Whether to write what the run claims as scripts for other solvers.
    pub obligations: bool,
    /// Seed of all randomness.
    pub seed: u64,
    /// When time is up.
    pub control: Control,
}

/// A solution in its place in the list.
#[derive(Clone, Debug)]
pub struct TWiseSolution {
    /// Values of all declared symbols.
    pub model: Model,
    /// How many tuples it has that none before it has.
    pub gain: u64,
}

/// What is known about the tuples of the strength.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct TupleCounts {
    /// Combinations of values of different factors.
    pub all: u64,
    /// Those that the solutions have.
    pub covered: u64,
    /// Those that no solution of the formula has, proved.
    pub impossible: u64,
}

impl TupleCounts {
    /// Those that are neither covered nor proved impossible.
    pub fn open(&self) -> u64 {
        self.all - self.covered - self.impossible
    }
}

/// What a run has found.
#[derive(Clone, Debug)]
pub struct TWiseOutcome {
    /// The solutions, the best first.
    pub solutions: Vec<TWiseSolution>,
    /// How many factors there are.
    pub factors: usize,
    /// How many values a tuple has: what was asked for, or the number of factors if that is less.
    pub strength: usize,
    /// What they cover.
    pub tuples: TupleCounts,
    /// No set that covers as much has fewer solutions than this.
    pub lower_bound: usize,
    /// Whether these are all solutions of the formula.
    pub is_all: bool,
    /// Models of the solver that the evaluator rejects: defects.
    pub rejected: u64,
    /// If wanted, what makes tuples impossible: that there are no solutions (`unsatisfiable`) or none besides those that
    /// were listed (`further`), or that some sets of values exclude one another (`impossible`).
    pub obligations: Vec<Obligation>,
    /// Why it ended.
    pub stopped_by: StopReason,
}

/// How far a run is.
#[derive(Copy, Clone, Debug)]
pub struct TWiseProgress<'a> {
    /// Solutions so far.
    pub solutions: &'a [TWiseSolution],
    /// Tuples so far.
    pub tuples: TupleCounts,
}

/// Why a run could not start.
#[derive(Debug)]
pub enum TWiseError {
    /// An operation has too large a circuit.
    TooLarge(TooLarge),
    /// Something in the formula cannot be evaluated for many models at once.
    Unsupported(Unsupported),
    /// There is nothing whose values could be combined.
    NoFactors,
    /// There are more tuples than memory is meant for: so many values.
    TooManyTuples {
        /// Values of all factors together.
        values: usize,
    },
    /// Time was up before.
    Stopped(StopReason),
}

/// Covers the tuples of a formula.
///
/// # Errors
/// The run could not start.
pub fn sample_twise(
    problem: &Problem,
    options: &TWiseOptions,
    progress: &mut dyn FnMut(&TWiseProgress<'_>),
) -> Result<TWiseOutcome, TWiseError> {
    let mut random = ChaCha8Rng::seed_from_u64(options.seed);
    random.set_stream(1);
    let mut space = Space::new(problem, options, random)?;
    if space.factors.count == 0 {
        return Err(TWiseError::NoFactors);
    }
    // With fewer factors, all combinations of all of them are what there is.
    let strength = options.strength.min(space.factors.count);
    let open = Open::new(&space, strength)?;
    let all = open.last().open();
    let mut run = Run {
        problem,
        options,
        everything: open.clone(),
        open,
        counts: TupleCounts { all, ..TupleCounts::default() },
        together: Vec::new(),
        listed: None,
        undecided: Vec::new(),
        candidates: Vec::new(),
        solutions: Vec::new(),
        is_all: false,
        rejected: 0,
        progress,
    };
    let reason = if !space.has_solution() {
        if options.control.stopped() { options.control.reason() } else { StopReason::Unsatisfiable }
    } else if let Some(solutions) = space.all(ALL) {
        run.choose(solutions)
    } else {
        run.search_and_order(&mut space)
    };
    // A list that is to go on need not be short.
    if reason == StopReason::Complete && !options.fill {
        run.compact(&mut space);
    }
    let reason = match reason {
        StopReason::Complete if options.fill && !run.is_all => run.fill(&mut space),
        reason => reason,
    };
    Ok(run.outcome(&space, reason))
}

/// What makes a solution better than another, in this order.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
struct Rating {
    /// New AST-bits.
    bits: u64,
    /// New tuples of strength 1, 2, and 3.
    tuples: [u64; MAX_STRENGTH],
    /// Bits of constants that are 1.
    ones: i64,
}

/// What is not covered yet.
#[derive(Clone)]
struct Open {
    /// By strength less one.
    tuples: Vec<Tuples>,
    /// Bits of nodes that were never 1, and never 0.
    never_one: Vec<u64>,
    never_zero: Vec<u64>,
}

impl Open {
    fn new(space: &Space<'_>, strength: usize) -> Result<Self, TWiseError> {
        let factor_of = &space.factors.factor_of;
        let bytes = (1..=strength).map(|strength| Tuples::bytes(strength, factor_of.len()));
        if bytes.sum::<Option<usize>>().is_none_or(|bytes| bytes > MAX_BYTES) {
            let values = factor_of.iter().filter(|factor| factor.is_some()).count();
            return Err(TWiseError::TooManyTuples { values });
        }
        let tuples = (1..=strength).map(|strength| Tuples::new(strength, factor_of)).collect();
        let mask = |block: usize| u64::MAX >> (64 - (space.bits() - 64 * block).min(64));
        let bits: Vec<u64> = (0..space.bits().div_ceil(64)).map(mask).collect();
        Ok(Open { tuples, never_one: bits.clone(), never_zero: bits })
    }

    /// The tuples of the strength that is asked for.
    fn last(&self) -> &Tuples {
        &self.tuples[self.tuples.len() - 1]
    }

    /// The rating of a candidate. Where it is less than `to_beat`, something between.
    fn rate(&self, candidate: &Candidate, to_beat: &Rating) -> Rating {
        self.rating(candidate, to_beat, |tuples| tuples.gain(&candidate.list, &candidate.items))
    }

    /// The same for a candidate that has many items of another one, whose rating is known.
    fn rate_change(&self, old: &Candidate, rating: &Rating, new: &Candidate, to_beat: &Rating) -> Rating {
        let gone = items_of(&without(&old.items, &new.items));
        let come = items_of(&without(&new.items, &old.items));
        if come.len() * WORTH_A_CHANGE > new.list.len() {
            return self.rate(new, to_beat);
        }
        self.rating(new, to_beat, |tuples| {
            rating.tuples[tuples.strength() - 1] - tuples.gain_with(&old.list, &old.items, &gone)
                + tuples.gain_with(&new.list, &new.items, &come)
        })
    }

    /// The rating of a candidate, of which `gain` tells how many tuples of a strength are new. The greater the strength,
    /// the more work that is, so it is left out where what comes before is less than in the rating to beat.
    fn rating(&self, candidate: &Candidate, to_beat: &Rating, gain: impl Fn(&Tuples) -> u64) -> Rating {
        let words = self.never_one.iter().zip(&self.never_zero).zip(&candidate.bits);
        let new = |((never_one, never_zero), bits): ((&u64, &u64), &u64)| {
            u64::from((never_one & bits | never_zero & !bits).count_ones())
        };
        let mut rating =
            Rating { bits: words.map(new).sum(), tuples: [0; MAX_STRENGTH], ones: candidate.ones };
        for (position, tuples) in self.tuples.iter().enumerate() {
            let (so_far, needed) = (&rating.tuples[..position], &to_beat.tuples[..position]);
            if (rating.bits, so_far) < (to_beat.bits, needed) {
                rating.tuples[position..].fill(u64::MAX);
                break;
            }
            rating.tuples[position] = gain(tuples);
        }
        rating
    }

    /// Covers what a candidate has. How many tuples of the strength are new.
    fn take(&mut self, candidate: &Candidate) -> u64 {
        for (word, bits) in candidate.bits.iter().enumerate() {
            self.never_one[word] &= !bits;
            self.never_zero[word] &= bits;
        }
        let mut gain = 0;
        for tuples in &mut self.tuples {
            gain = tuples.take(&candidate.list, &candidate.items);
        }
        gain
    }

    /// Counts only these bits of nodes from now on.
    fn count_only(&mut self, bits: &[u64]) {
        for words in [&mut self.never_one, &mut self.never_zero] {
            words.iter_mut().zip(bits).for_each(|(word, bits)| *word &= bits);
        }
    }

    /// Closes what has all of these items. How many tuples of the strength that are.
    fn close(&mut self, together: &[usize]) -> u64 {
        let mut closed = 0;
        for tuples in &mut self.tuples {
            closed = tuples.close(together);
        }
        closed
    }
}

struct Run<'a> {
    problem: &'a Problem,
    options: &'a TWiseOptions,
    /// What there is to be covered, as far as that is known at the beginning.
    everything: Open,
    open: Open,
    counts: TupleCounts,
    /// Items that exclude one another, which make everything impossible that is.
    together: Vec<Vec<usize>>,
    /// All solutions, where they were listed and claims are to be written.
    listed: Option<Vec<Model>>,
    /// Tuples that are too hard for the solver, unless a solution has them by chance.
    undecided: Vec<Vec<usize>>,
    /// What was found, and the same as solutions.
    candidates: Vec<Candidate>,
    solutions: Vec<TWiseSolution>,
    is_all: bool,
    rejected: u64,
    progress: &'a mut dyn FnMut(&TWiseProgress<'_>),
}

impl Run<'_> {
    fn is_enough(&self) -> bool {
        self.options.max_solutions.is_some_and(|most| self.solutions.len() >= most)
    }

    fn take(&mut self, candidate: Candidate, model: Model) {
        let hard = self.undecided.len();
        self.undecided.retain(|tuple| !tuple.iter().all(|item| candidate.list.contains(item)));
        let gain = self.open.take(&candidate) + (hard - self.undecided.len()) as u64;
        self.counts.covered += gain;
        self.candidates.push(candidate);
        self.solutions.push(TWiseSolution { model, gain });
        (self.progress)(&TWiseProgress { solutions: &self.solutions, tuples: self.counts });
    }

    /// Of all solutions those that are best, in the best order. What none of them has is impossible.
    fn choose(&mut self, mut all: Vec<(Candidate, Model)>) -> StopReason {
        // Which one is the first of equal ones should not be left to chance.
        all.sort_by_cached_key(|(_, model)| std::cmp::Reverse(values_from_the_last(self.problem, model)));
        self.open.count_only(&different_bits(&all));
        self.everything = self.open.clone();
        let mut rest = self.open.clone();
        for (candidate, _) in &all {
            rest.take(candidate);
        }
        self.counts.impossible = rest.last().open();
        if self.options.obligations {
            self.listed = Some(all.iter().map(|(_, model)| model.clone()).collect());
        }
        let order = greedy_order(
            all.len(),
            &mut Greedy { candidates: all.iter().map(|it| &it.0).collect(), open: self.open.clone() },
        );
        let count = all.len();
        let mut all: Vec<Option<(Candidate, Model)>> = all.into_iter().map(Some).collect();
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

    /// Solutions until every tuple is covered, impossible, or too hard.
    fn search(&mut self, space: &mut Space<'_>) -> StopReason {
        let starts = (STARTS * FACTORS_FOR_ALL_STARTS / space.factors.count).clamp(MIN_STARTS, STARTS);
        while self.open.last().open() > 0 {
            if self.is_enough() {
                return StopReason::MaximalSolutions;
            }
            if self.options.control.stopped() {
                return self.options.control.reason();
            }
            let mut best: Option<(Rating, Candidate, Model)> = None;
            for _ in 0..starts {
                let Some(start) = self.start(space) else { break };
                let rating = self.open.rate(&start, &Rating::default());
                let (candidate, rating) = space.climb(start, rating, |old, rating, new, to_beat| {
                    self.open.rate_change(old, rating, new, to_beat)
                });
                if best.as_ref().is_none_or(|(least, ..)| rating > *least) {
                    match space.solution(&candidate) {
                        Some(model) => best = Some((rating, candidate, model)),
                        None => self.rejected += 1,
                    }
                }
            }
            if let Some((_, candidate, model)) = best {
                self.take(candidate, model);
            }
        }
        StopReason::Complete
    }

    /// The same, in a good order, and without solutions that the others make needless: for each of those there may be
    /// one more.
    fn search_and_order(&mut self, space: &mut Space<'_>) -> StopReason {
        loop {
            let reason = self.search(space);
            // Who stops a run wants to have what there is; it was found in a good order.
            if self.options.control.stopped() {
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
        while !self.options.control.stopped() {
            let tuple = self.open.last().some_open(space.random.random())?;
            let preferred = space.preferred(&counts);
            match space.solve(&tuple, &preferred) {
                Ok(candidate) => return Some(candidate),
                Err(NoSolution::Together(items)) => {
                    self.counts.impossible += self.open.close(&items);
                    self.together.push(items);
                }
                Err(_) if self.options.control.stopped() => return None,
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
    fn compact(&mut self, space: &mut Space<'_>) {
        if !space.has_one_layout() {
            return;
        }
        let mut set = self.candidates.clone();
        let strength = self.everything.tuples.len();
        let bound = lower_bound(space, strength, &set.iter().collect::<Vec<_>>());
        let count = set.len();
        compact::compact(space, strength, bound, &mut set);
        if set.len() == count {
            return;
        }
        let models: Option<Vec<Model>> = set.iter().map(|candidate| space.solution(candidate)).collect();
        if let Some(models) = models {
            self.is_all = false;
            self.candidates = set;
            self.solutions = models.into_iter().map(|model| TWiseSolution { model, gain: 0 }).collect();
            self.put_in_order();
        }
    }

    /// Puts the solutions into the best order, without those that are not needed for the tuples.
    fn put_in_order(&mut self) {
        loop {
            let before = self.candidates.len();
            let candidates = self.candidates.iter().collect();
            let open = self.everything.clone();
            let order = greedy_beginning(before, ORDERED, &mut Greedy { candidates, open });
            let mut open = self.everything.clone();
            let unordered = std::mem::take(&mut self.candidates).into_iter().zip(self.solutions.drain(..));
            let mut unordered: Vec<Option<_>> = unordered.map(Some).collect();
            for number in order {
                let (candidate, solution) = unordered[number].take().expect("an order names each once");
                let gain = open.take(&candidate);
                if gain > 0 {
                    self.candidates.push(candidate);
                    self.solutions.push(TWiseSolution { gain, ..solution });
                }
            }
            // Without those that were left out, another order may be better.
            if self.candidates.len() == before {
                return;
            }
        }
    }

    /// Random solutions behind the others.
    fn fill(&mut self, space: &mut Space<'_>) -> StopReason {
        let mut seen: FxHashSet<u128> =
            self.candidates.iter().map(|candidate| candidate.fingerprint).collect();
        let mut fruitless = 0;
        while !self.is_enough() && fruitless < FRUITLESS {
            if self.options.control.stopped() {
                return self.options.control.reason();
            }
            fruitless += 1;
            match space.solve(&[], &[]) {
                Ok(candidate) if seen.insert(candidate.fingerprint) => match space.solution(&candidate) {
                    Some(model) => {
                        fruitless = 0;
                        self.take(candidate, model);
                    }
                    None => self.rejected += 1,
                },
                Err(NoSolution::Rejected) => self.rejected += 1,
                _ => {}
            }
        }
        if self.is_enough() { StopReason::MaximalSolutions } else { StopReason::Complete }
    }

    /// What makes tuples impossible, as scripts.
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

    fn outcome(self, space: &Space<'_>, stopped_by: StopReason) -> TWiseOutcome {
        let candidates: Vec<&Candidate> = self.candidates.iter().collect();
        let strength = self.everything.tuples.len();
        let lower_bound = lower_bound(space, strength, &candidates);
        let obligations = if self.options.obligations { self.claims(space, stopped_by) } else { Vec::new() };
        TWiseOutcome {
            factors: space.factors.count,
            strength,
            tuples: self.counts,
            lower_bound,
            is_all: self.is_all,
            rejected: self.rejected,
            obligations,
            stopped_by,
            solutions: self.solutions,
        }
    }
}

/// Candidates that are put in order.
struct Greedy<'a> {
    candidates: Vec<&'a Candidate>,
    open: Open,
}

impl Gains for Greedy<'_> {
    type Gain = Rating;

    fn gain(&self, item: usize, to_beat: Option<&Rating>) -> Rating {
        self.open.rate(self.candidates[item], to_beat.unwrap_or(&Rating::default()))
    }

    fn take(&mut self, item: usize) {
        self.open.take(self.candidates[item]);
    }
}

/// One of all bits of nodes that are equal in all solutions, or opposite in all of them.
fn different_bits(all: &[(Candidate, Model)]) -> Vec<u64> {
    let words = all.first().map_or(0, |(first, _)| first.bits.len());
    let mut different = vec![0; words];
    let mut seen: FxHashSet<Vec<u64>> = FxHashSet::default();
    for bit in 0..64 * words {
        let value = |(candidate, _): &(Candidate, Model)| candidate.bits[bit / 64] >> (bit % 64) & 1;
        let opposite = all.first().map_or(0, value);
        let column = all.chunks(64).map(|block| {
            block.iter().enumerate().fold(0, |word, (lane, it)| word | (value(it) ^ opposite) << lane)
        });
        if seen.insert(column.collect()) {
            different[bit / 64] |= 1 << (bit % 64);
        }
    }
    different
}

/// The values of a model's constants, the one that was declared last first.
fn values_from_the_last(problem: &Problem, model: &Model) -> Vec<Value> {
    problem.symbols.iter().rev().filter_map(|&symbol| model.constant(symbol).cloned()).collect()
}

/// How many solutions it takes at least to show all combinations of the values of some factors that these show.
fn lower_bound(space: &Space<'_>, strength: usize, candidates: &[&Candidate]) -> usize {
    let mut values: Vec<FxHashSet<usize>> = vec![FxHashSet::default(); space.factors.count];
    let of_factor = |item: usize| space.factors.factor_of[item].expect("lists have items only");
    for &item in candidates.iter().flat_map(|candidate| &candidate.list) {
        values[of_factor(item)].insert(item);
    }
    // The factors of the most values promise most.
    let mut factors: Vec<usize> = (0..values.len()).collect();
    factors.sort_by_key(|&factor| std::cmp::Reverse(values[factor].len()));
    factors.truncate(BOUNDING_FACTORS);
    let chosen = |factor: &usize| factors.contains(factor);
    let rows: Vec<FxHashMap<usize, usize>> = candidates
        .iter()
        .map(|candidate| {
            let items = candidate.list.iter().map(|&item| (of_factor(item), item));
            items.filter(|(factor, _)| chosen(factor)).collect()
        })
        .collect();
    let shown = |together: &[usize]| {
        let combinations: FxHashSet<Vec<Option<usize>>> =
            rows.iter().map(|row| together.iter().map(|factor| row.get(factor).copied()).collect()).collect();
        combinations.len()
    };
    combinations(&factors, strength).iter().map(|it| shown(it)).max().unwrap_or(0)
}

/// All choices of so many of these.
fn combinations(of: &[usize], count: usize) -> Vec<Vec<usize>> {
    let mut chosen: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..count {
        chosen = chosen
            .iter()
            .flat_map(|some| {
                let behind = some.last().map_or(0, |last| last + 1);
                (behind..of.len()).map(|next| [&some[..], &[next]].concat())
            })
            .collect();
    }
    chosen.into_iter().map(|some| some.into_iter().map(|number| of[number]).collect()).collect()
}

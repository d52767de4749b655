//! Millions of solutions: few calls of the solver, many combinations of what they find.
//!
//! An *epoch* starts at a solution near a random assignment. Its *neighbours* differ in one condition, a bit of a
//! constant or of what is read from an array, and in little else. Their differences to the base are joined, up to six
//! of them, and what that makes is a candidate that only has to be evaluated. Source: Dutra, Bachrach & Sen, *SMTSampler:
//! Efficient Stimulus Generation from Complex SMT Constraints* (ICCAD 2018).
//!
//! What goes beyond it:
//! - Constants that follow from others (`x = y + 1`) are computed and not combined; so most combinations keep such
//!   equations.
//! - Flipping one bit is tried by evaluation first. Where that is a solution it is the nearest one, and the solver is
//!   asked only where it is not.
//! - 64 candidates are evaluated at a time (`sundry-lanes`), on the assertions as written.
//!
//! With predicates of the user, the conditions are the predicates, and what has a class that the epoch has seen is
//! dropped (Dutra, Bachrach & Sen, *GuidedSampler: Coverage-guided Sampling of SMT Solutions*, FMCAD 2019).
//!
//! The names of the GuidedSampler paper:
//!
//! | name | here |
//! | --- | --- |
//! | S0, SMTSampler | [`VolumeStrategy::Combine`] |
//! | S1, neighbours that differ in predicates | [`Guidance::Neighbours`] |
//! | S2, samples of known classes are dropped | [`Guidance::Classes`] |
//! | S3, GuidedSampler: bases of random classes | [`Guidance::Bases`] |
//! | BH, baseline with hard constraints on the class | [`VolumeStrategy::ClassesHard`] |
//! | BS, baseline with soft constraints on the class | [`VolumeStrategy::ClassesSoft`] |
//!
//! Arrays and functions take part with their points: the indices (arguments) at which the base or a neighbour has
//! another element than its default. The element at each point is combined as a constant is, and so is the default;
//! an index that is no point keeps the default.

mod epoch;
mod finder;
mod unique;

use std::convert::Infallible;
use std::ops::ControlFlow;
use std::time::Instant;

use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rustc_hash::FxHashSet;
use sundry_coverage::Predicate;
use sundry_lanes::{Column, LANES};
use sundry_solver::Verdict;
use sundry_term::{Model, SymbolId};

use crate::enumeration::{Enumeration, is_enumerable};
use crate::error::SampleError;
use crate::pipeline::{Event, Part, Request, Solutions, Summary};
use crate::problem::Problem;
use crate::rows::{Judge, Layout, Position};
use crate::strategy::StopReason;
use epoch::{Differences, LEVELS, Pairs};
use finder::{Finder, Subject};
pub use unique::Unique;

/// How many neighbours the solver is asked for in an epoch.
const QUESTIONS: usize = 48;

/// How many neighbours are combined.
const NEIGHBOURS: usize = 512;

/// A level of which less than this share is valid is the last.
const VALID: f64 = 0.5;

/// A level of which less than this share is new is the last.
const FRESH: f64 = 0.05;

/// So many epochs that find nothing new raise the question whether there is more.
const FRUITLESS: u32 = 8;

/// Where solutions cannot be walked over, the run ends once so many epochs in a row, and half of all, found nothing new.
const PATIENCE: u32 = 128;

/// The same where an epoch is a single random class, which often has no solution.
const PATIENCE_WITH_CLASSES: u32 = 16_384;

/// How many solutions are walked over before epochs are tried again.
const WALK: usize = 1024;

/// How far sampling is guided by predicates: each step includes those before it.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Guidance {
    /// Neighbours differ in predicates, instead of bits (S1).
    Neighbours,
    /// A sample of a class that the epoch has seen is dropped (S2).
    Classes,
    /// An epoch starts at a solution of a random class, as far as there is one (S3).
    Bases,
}

/// Where solutions come from.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum VolumeStrategy {
    /// SMTSampler (S0): combinations of neighbours that differ in bits.
    Combine,
    /// GuidedSampler: combinations of neighbours that differ in predicates.
    Guide(Guidance),
    /// BH: a solution of a random class, where there is one, for each call of the solver.
    ClassesHard,
    /// BS: a solution near a random class for each few calls of the solver.
    ClassesSoft,
    /// Every solution, once for all those in which the constants of [`VolumeOptions::project`] have the same values.
    All,
}

/// What solutions of [`VolumeStrategy::Combine`] start at and differ in: the three variants of SMTSampler.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub enum Granularity {
    /// Bits of constants and of what is read (SMTbit).
    #[default]
    Bit,
    /// Constants and what is read as a whole (SMTbv): a random value is taken as a whole or not at all.
    Value,
    /// Nodes of the circuit (SMTsat), those in between included.
    Gate,
}

/// How to sample at volume.
#[derive(Clone, Debug)]
pub struct VolumeOptions {
    /// Where solutions come from.
    pub strategy: VolumeStrategy,
    /// What neighbours differ in; of use for [`VolumeStrategy::Combine`] only.
    pub granularity: Granularity,
    /// The predicates that say which class a solution is in, which are terms of the problem.
    pub predicates: Vec<Predicate>,
    /// The constants that tell solutions apart for [`VolumeStrategy::All`]: Booleans and bit-vectors. Those that have
    /// the same values of all these count as one. `None` stands for all symbols.
    pub project: Option<Vec<SymbolId>>,
    /// Which of the runs with this seed it is: another stream takes other solutions first, so a run that goes on where
    /// one was cut does not find the same again.
    pub stream: u64,
    /// Memory for what was found before, in bytes.
    pub memory: usize,
}

impl VolumeOptions {
    /// A strategy without predicates, which remembers as many solutions as fit into a gibibyte.
    pub fn new(strategy: VolumeStrategy) -> Self {
        VolumeOptions {
            strategy,
            granularity: Granularity::default(),
            predicates: Vec::new(),
            project: None,
            stream: 0,
            memory: 1 << 30,
        }
    }
}

/// What a run has counted.
#[derive(Clone, Debug, Default)]
pub struct VolumeStatistics {
    /// Epochs that were begun.
    pub epochs: u64,
    /// Calls of the solver.
    pub questions: u64,
    /// Candidates that were evaluated.
    pub candidates: u64,
    /// Of those, solutions.
    pub valid: u64,
    /// Of those, found for the first time.
    pub unique: u64,
    /// The number of latest solutions that are known to be different; `None` if that is all.
    pub window: Option<usize>,
}

/// Samples a formula until time is up, there are enough solutions, or nothing new is found.
///
/// # Errors
/// Sampling could not start.
pub(crate) fn sample(
    problem: &Problem,
    options: &VolumeOptions,
    request: &Request,
    start: Instant,
    receive: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
) -> Result<Summary, SampleError> {
    let VolumeOptions { strategy, granularity, predicates, project, stream, memory } = options;
    let Request { seed, control, max_solutions, .. } = request;
    let summary = |stopped_by, rejected, statistics| {
        let part = Part::Volume(statistics);
        Summary { stopped_by, rejected, seconds: start.elapsed().as_secs_f64(), part }
    };
    let enumerated = match (strategy, project) {
        (VolumeStrategy::All, Some(project)) => project,
        _ => &problem.symbols,
    };
    let not_enumerable = enumerated.iter().copied().find(|&symbol| !is_enumerable(&problem.store, symbol));
    if let (VolumeStrategy::All, Some(symbol)) = (strategy, not_enumerable) {
        return Err(SampleError::NotEnumerable(symbol));
    }
    let conditions = if *strategy == VolumeStrategy::Combine { &[][..] } else { predicates };
    let mut finder = Finder::new(problem, conditions, *seed, control)?;
    let formula = &mut finder.formula;
    let enumeration = match not_enumerable {
        None => Some(formula.enumeration(enumerated).map_err(|error| formula.not_ready(error))?),
        Some(_) => None,
    };
    let judge = formula.judge(problem, predicates)?;
    let layout = Layout::new(formula.store(), judge.program());
    let mut random = ChaCha8Rng::seed_from_u64(*seed);
    // Never another one of those that other tasks have.
    random.set_stream(1 | stream << 8);
    if formula.first().is_none() {
        let reason = if control.stopped() { control.reason().into() } else { StopReason::Unsatisfiable };
        return Ok(summary(reason, 0, VolumeStatistics::default()));
    }
    let mut sampler = Sampler {
        problem,
        finder,
        judge,
        layout,
        random,
        strategy: *strategy,
        granularity: if *strategy == VolumeStrategy::Combine { *granularity } else { Granularity::Bit },
        unique: Unique::new(*memory),
        classes: FxHashSet::default(),
        statistics: VolumeStatistics::default(),
        rejected: 0,
        left: max_solutions.unwrap_or(u64::MAX),
        receive,
        base: Vec::new(),
        batch: Batch::default(),
    };
    let ControlFlow::Break(reason) = sampler.run(enumeration);
    sampler.statistics.questions = sampler.finder.formula.questions();
    sampler.statistics.window = sampler.unique.window();
    Ok(summary(reason, sampler.rejected, sampler.statistics))
}

struct Sampler<'a> {
    problem: &'a Problem,
    finder: Finder,
    judge: Judge,
    layout: Layout,
    random: ChaCha8Rng,
    strategy: VolumeStrategy,
    granularity: Granularity,
    unique: Unique,
    /// The classes that the epoch has seen, where it drops what repeats one.
    classes: FxHashSet<Vec<u64>>,
    statistics: VolumeStatistics,
    /// Solutions of the solver that the evaluation rejects: defects.
    rejected: u64,
    /// How many more solutions are wanted.
    left: u64,
    receive: &'a mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    /// The row of the epoch's first solution.
    base: Vec<u64>,
    batch: Batch,
}

/// Candidates to be judged together, one row behind the other. Rows may have no words at all.
#[derive(Default)]
struct Batch {
    words: Vec<u64>,
    count: usize,
}

impl Batch {
    /// Adds a row, which is answered.
    fn push(&mut self, row: impl IntoIterator<Item = u64>) -> &mut [u64] {
        let start = self.words.len();
        self.words.extend(row);
        self.count += 1;
        &mut self.words[start..]
    }

    /// Takes the last row away, which has so many words.
    fn pop(&mut self, width: usize) {
        self.words.truncate(self.words.len() - width);
        self.count -= 1;
    }

    fn clear(&mut self) {
        self.words.clear();
        self.count = 0;
    }
}

type Flow = ControlFlow<StopReason>;

impl Sampler<'_> {
    /// Works until there is a reason to stop.
    fn run(&mut self, mut enumeration: Option<Enumeration>) -> ControlFlow<StopReason, Infallible> {
        if let (VolumeStrategy::All, Some(enumeration)) = (self.strategy, &mut enumeration) {
            loop {
                self.walk(enumeration, usize::MAX)?;
            }
        }
        let draws_classes =
            matches!(self.strategy, VolumeStrategy::ClassesHard | VolumeStrategy::ClassesSoft);
        let patience = if draws_classes { PATIENCE_WITH_CLASSES } else { PATIENCE };
        let mut fruitless = 0;
        loop {
            let unique = self.statistics.unique;
            self.epoch()?;
            fruitless = if self.statistics.unique > unique { 0 } else { fruitless + 1 };
            if let Some(enumeration) = enumeration.as_mut().filter(|_| !draws_classes) {
                if fruitless >= FRUITLESS {
                    self.walk(enumeration, WALK)?;
                    fruitless = 0;
                }
            } else if fruitless >= patience && 2 * u64::from(fruitless) >= self.statistics.epochs {
                return ControlFlow::Break(StopReason::NothingNew);
            }
        }
    }

    /// Tells the next solutions of a walk, at most so many, without those that were told before. It ends the run
    /// where there is no further one.
    fn walk(&mut self, enumeration: &mut Enumeration, most: usize) -> Flow {
        let mut batch = 1;
        let mut count = 0;
        while count < most {
            self.check_time()?;
            let mut models = Vec::new();
            let mut end = None;
            while models.len() < batch && end.is_none() {
                match self.finder.formula.next_of(enumeration, None) {
                    Ok(model) => models.push(model),
                    Err(Verdict::Unsat) => end = Some(StopReason::Complete),
                    Err(_) => end = Some(self.finder.formula.control().reason().into()),
                }
            }
            self.tell(&mut models)?;
            if let Some(reason) = end {
                return ControlFlow::Break(reason);
            }
            count += models.len();
            // The first come soon, and the others with little to do for each.
            batch = LANES.min(2 * batch);
        }
        ControlFlow::Continue(())
    }

    /// Judges models of the solver, at most 64, and tells those that are new.
    fn tell(&mut self, models: &mut [Model]) -> Flow {
        if models.is_empty() {
            return ControlFlow::Continue(());
        }
        self.classes.clear();
        self.layout.clear();
        for model in models.iter_mut() {
            self.layout.complete(self.finder.formula.store(), model, &mut self.random);
            self.layout.add_points(self.finder.formula.store(), model);
        }
        self.judge.place_points(&self.layout);
        let mut new = 0u64;
        for (lane, model) in models.iter().enumerate() {
            let row = self.batch.push(self.layout.row(self.finder.formula.store(), model));
            // A walk comes to each solution once.
            let is_new = self.strategy == VolumeStrategy::All
                || self.unique.insert(self.layout.fingerprint(self.finder.formula.store(), row));
            new |= u64::from(is_new) << lane;
        }
        let Verdicts { solutions, .. } = self.judge_and_tell(new, &mut Level::default())?;
        self.rejected += models.len() as u64 - u64::from(solutions.count_ones());
        ControlFlow::Continue(())
    }

    /// One epoch: a base, its neighbours, their combinations.
    fn epoch(&mut self) -> Flow {
        self.check_time()?;
        self.statistics.epochs += 1;
        self.classes.clear();
        let mut base = match self.find_base() {
            Ok(model) => model,
            // A random class may be empty, or hard.
            Err(_) if self.strategy == VolumeStrategy::ClassesHard => return ControlFlow::Continue(()),
            Err(Verdict::Unsat) => return ControlFlow::Break(StopReason::Unsatisfiable),
            Err(_) => return ControlFlow::Break(self.finder.formula.control().reason().into()),
        };
        self.layout.complete(self.finder.formula.store(), &mut base, &mut self.random);
        self.layout.clear();
        self.layout.add_points(self.finder.formula.store(), &base);
        if matches!(self.strategy, VolumeStrategy::ClassesHard | VolumeStrategy::ClassesSoft) {
            self.rebase(&base);
            self.neighbours(&[], &[])?;
            return ControlFlow::Continue(());
        }
        let values = self.finder.stay_near();
        let (flips, done) = match self.granularity {
            Granularity::Bit => self.nearest(&base)?,
            Granularity::Value | Granularity::Gate => Default::default(),
        };
        let mut neighbours = self.ask(&done, &values);
        for model in &mut neighbours {
            // What the formula does not depend on stays as it is.
            for (symbol, value) in base.constants() {
                if model.constant(symbol).is_none() {
                    model.set_constant(symbol, value.clone());
                }
            }
            self.layout.add_points(self.finder.formula.store(), model);
        }
        self.rebase(&base);
        let first = self.neighbours(&flips, &neighbours)?;
        self.combine(&first)
    }

    fn find_base(&mut self) -> Result<Model, Verdict> {
        match self.strategy {
            VolumeStrategy::Guide(Guidance::Bases) | VolumeStrategy::ClassesSoft => {
                self.finder.base_of_random_class(&mut self.random)
            }
            VolumeStrategy::ClassesHard => self.finder.of_random_class(&mut self.random),
            VolumeStrategy::Combine | VolumeStrategy::Guide(_) | VolumeStrategy::All => {
                self.finder.base(self.granularity, &mut self.random)
            }
        }
    }

    /// Makes a model the base of what comes, with the points that the layout has now.
    fn rebase(&mut self, base: &Model) {
        self.judge.place_points(&self.layout);
        self.base = self.layout.row(self.finder.formula.store(), base);
    }

    /// Neighbours by flipping one bit: the bits, and the subjects of which the neighbours differ from the base. A
    /// neighbour that differs in several predicates is none, and one for each predicate is enough.
    fn nearest(&mut self, base: &Model) -> ControlFlow<StopReason, (Vec<Position>, FxHashSet<Subject>)> {
        self.rebase(base);
        let mut positions = self.layout.positions();
        positions.shuffle(&mut self.random);
        let is_guided = matches!(self.strategy, VolumeStrategy::Guide(_));
        let class = if is_guided { self.class_of_base()? } else { Vec::new() };
        let mut found = Vec::new();
        let mut done = FxHashSet::default();
        for chunk in positions.chunks(LANES) {
            self.check_time()?;
            for &position in chunk {
                let (word, bit) = self.layout.place(position);
                self.batch.push(self.base.iter().copied())[word] ^= 1 << bit;
            }
            let valid = self.judge_batch()?;
            let classes = if is_guided { self.judge.classes() } else { Vec::new() };
            for (lane, &position) in chunk.iter().enumerate().filter(|(lane, _)| valid >> lane & 1 == 1) {
                if is_guided {
                    if let Some(predicate) = only_difference(&class, &classes, lane)
                        && done.insert(Subject::Predicate(predicate))
                    {
                        found.push(position);
                    }
                } else {
                    done.extend(self.layout.bit_at(position).map(|(symbol, bit)| Subject::Bit(symbol, bit)));
                    found.push(position);
                }
            }
        }
        ControlFlow::Continue((found, done))
    }

    /// The class of the base.
    fn class_of_base(&mut self) -> ControlFlow<StopReason, Vec<u64>> {
        self.batch.push(self.base.iter().copied());
        self.judge_batch()?;
        ControlFlow::Continue(self.judge.classes().iter().map(|column| column[0]).collect())
    }

    /// Neighbours by the solver, for some of the conditions that are not done.
    fn ask(&mut self, done: &FxHashSet<Subject>, values: &[bool]) -> Vec<Model> {
        let mut open = self.finder.differences(self.granularity, values, done);
        open.shuffle(&mut self.random);
        open.truncate(QUESTIONS);
        let mut neighbours = Vec::new();
        for difference in open {
            if self.finder.formula.control().stopped() {
                break;
            }
            neighbours.extend(self.finder.neighbour(&difference, values, &mut self.random));
        }
        neighbours
    }

    /// The differences of base and neighbours, which are samples themselves.
    fn neighbours(&mut self, flips: &[Position], models: &[Model]) -> ControlFlow<StopReason, Differences> {
        let width = self.layout.width();
        let mut all = Differences::new(width);
        all.push(vec![0; width]);
        for model in models {
            let row = self.layout.row(self.finder.formula.store(), model);
            all.push(row.iter().zip(&self.base).map(|(word, base)| word ^ base));
        }
        let by_solver = all.count();
        for &position in flips {
            let (word, bit) = self.layout.place(position);
            all.push((0..width).map(|other| if other == word { 1 << bit } else { 0 }));
        }
        let mut valid = Differences::new(width);
        let mut level = Level::default();
        for start in (0..all.count()).step_by(LANES) {
            // The base is the solver's.
            if start > 0 {
                self.check_time()?;
            }
            let chunk: Vec<usize> = (start..all.count().min(start + LANES)).collect();
            let mut new = 0u64;
            for &number in &chunk {
                let row = self.base.iter().zip(all.get(number)).map(|(base, difference)| base ^ difference);
                let row = self.batch.push(row);
                let fingerprint = self.layout.fingerprint(self.finder.formula.store(), row);
                new |= u64::from(self.unique.insert(fingerprint)) << (number - start);
            }
            level.candidates += chunk.len() as u64;
            let Verdicts { solutions, .. } = self.judge_and_tell(new, &mut level)?;
            for (lane, &number) in chunk.iter().enumerate() {
                match solutions >> lane & 1 == 1 {
                    true if number > 0 => valid.push(all.get(number).iter().copied()),
                    true => {}
                    false => self.rejected += u64::from(number < by_solver),
                }
            }
        }
        valid.choose(NEIGHBOURS, &mut self.random);
        ControlFlow::Continue(valid)
    }

    /// Levels of combinations, each of what was valid in the level before with the neighbours.
    fn combine(&mut self, first: &Differences) -> Flow {
        let mut before = first.clone();
        for _ in 1..LEVELS {
            if before.count() == 0 {
                break;
            }
            let mut level = Level::default();
            let mut valid = Differences::new(self.layout.width());
            let mut pairs = Pairs::new(before.count(), first.count(), self.layout.width());
            let mut pending: Vec<(usize, usize)> = Vec::with_capacity(LANES);
            loop {
                self.check_time()?;
                while pending.len() < LANES
                    && let Some((left, right)) = pairs.next(&mut self.random)
                {
                    let differences = before.get(left).iter().zip(first.get(right));
                    let row =
                        self.base.iter().zip(differences).map(|(base, (left, right))| base ^ (left | right));
                    let row = self.batch.push(row);
                    let fingerprint = self.layout.fingerprint(self.finder.formula.store(), row);
                    level.candidates += 1;
                    if self.unique.insert(fingerprint) {
                        pending.push((left, right));
                    } else {
                        self.batch.pop(self.layout.width());
                    }
                }
                if pending.is_empty() {
                    break;
                }
                let Verdicts { kept, .. } =
                    self.judge_and_tell(u64::MAX >> (LANES - pending.len()), &mut level)?;
                for (lane, (left, right)) in pending.drain(..).enumerate() {
                    if kept >> lane & 1 == 1 {
                        valid.push(
                            before.get(left).iter().zip(first.get(right)).map(|(left, right)| left | right),
                        );
                    }
                }
            }
            if level.is_last() {
                break;
            }
            before = valid;
        }
        ControlFlow::Continue(())
    }

    /// Judges the batch and tells the solutions among the new lanes. What was found just before time was up is judged
    /// all the same, unless that takes long.
    fn judge_and_tell(&mut self, new: u64, level: &mut Level) -> ControlFlow<StopReason, Verdicts> {
        let solutions = self.judge_batch()?;
        level.judged += u64::from(new.count_ones());
        level.valid += u64::from((solutions & new).count_ones());
        let kept = first_lanes(self.of_new_classes(solutions & new), self.left);
        self.statistics.unique += u64::from(kept.count_ones());
        self.left -= u64::from(kept.count_ones());
        if kept != 0 {
            let solutions =
                Solutions::in_lanes(self.finder.formula.store(), &self.judge, &self.problem.symbols, kept);
            if (self.receive)(Event::Solutions(solutions)).is_break() || self.left == 0 {
                return ControlFlow::Break(StopReason::MaximalSolutions);
            }
        }
        ControlFlow::Continue(Verdicts { solutions, kept })
    }

    /// Those lanes whose class the epoch has not seen, where that matters.
    fn of_new_classes(&mut self, lanes: u64) -> u64 {
        match self.strategy {
            VolumeStrategy::Guide(guidance) if guidance >= Guidance::Classes && lanes != 0 => {
                let classes = self.judge.classes();
                let is_new = |lane: &usize| {
                    lanes >> lane & 1 == 1
                        && self.classes.insert(classes.iter().map(|column| column[*lane]).collect())
                };
                (0..LANES).filter(is_new).fold(0, |kept, lane| kept | 1 << lane)
            }
            _ => lanes,
        }
    }

    /// The mask of the solutions in the batch, which is empty afterwards.
    fn judge_batch(&mut self) -> ControlFlow<StopReason, u64> {
        let lanes = u64::MAX >> (LANES - self.batch.count);
        self.batch.words.resize(LANES * self.layout.width(), 0);
        let control = self.finder.formula.control().with_grace();
        let judged =
            self.judge.solutions(self.finder.formula.store(), &self.layout, &self.batch.words, &control);
        let solutions = match judged {
            Ok(solutions) => solutions & lanes,
            Err(reason) => return ControlFlow::Break(reason.into()),
        };
        self.statistics.candidates += self.batch.count as u64;
        self.statistics.valid += u64::from(solutions.count_ones());
        self.batch.clear();
        ControlFlow::Continue(solutions)
    }

    fn check_time(&self) -> Flow {
        match self.finder.formula.control().stopped() {
            true => ControlFlow::Break(self.finder.formula.control().reason().into()),
            false => ControlFlow::Continue(()),
        }
    }
}

/// The first `most` of some lanes.
fn first_lanes(lanes: u64, most: u64) -> u64 {
    let mut rest = lanes;
    for _ in 0..most.min(64) {
        rest &= rest.wrapping_sub(1);
    }
    lanes & !rest
}

/// What became of the lanes of a batch.
struct Verdicts {
    /// Those that are solutions.
    solutions: u64,
    /// Those that were told: solutions that are new, and not of a class that is to be dropped.
    kept: u64,
}

/// The only predicate in which the class of a lane differs from another class.
fn only_difference(class: &[u64], classes: &[Column], lane: usize) -> Option<usize> {
    let mut only = None;
    for (block, (word, column)) in class.iter().zip(classes).enumerate() {
        let difference = word ^ column[lane];
        if difference != 0 && (only.is_some() || !difference.is_power_of_two()) {
            return None;
        }
        if difference != 0 {
            only = Some(64 * block + difference.trailing_zeros() as usize);
        }
    }
    only
}

/// How a level went.
#[derive(Default)]
struct Level {
    candidates: u64,
    judged: u64,
    valid: u64,
}

impl Level {
    /// Whether so little of it is new, or valid, that no further one is worth its while.
    fn is_last(&self) -> bool {
        (self.judged as f64) < FRESH * self.candidates as f64
            || (self.valid as f64) < VALID * self.judged as f64
    }
}

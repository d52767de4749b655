//! SMTSampler (S0) and GuidedSampler (S1 to S3): epochs of a base, its neighbours, and their combinations.
//!
//! Source: Dutra, Bachrach & Sen, *SMTSampler* (ICCAD 2018) and *GuidedSampler* (FMCAD 2019). What differs between the four
//! is a [`Guide`]: whether neighbours differ in bits or in predicates (S1), whether samples of known classes are dropped
//! (S2, in [`Sampler`]), and whether a base is of a random class (S3).

use std::convert::Infallible;
use std::ops::ControlFlow;

use rand::seq::SliceRandom;
use rustc_hash::FxHashSet;
use sundry_lanes::{Column, LANES};
use sundry_solver::Verdict;
use sundry_term::Model;
use tracing::debug_span;

use super::epoch::{Differences, LEVELS, Pairs};
use super::finder::Subject;
use super::sampler::{Flow, Level, Sampler, Verdicts};
use super::types::Granularity;
use crate::enumeration::Enumeration;
use crate::rows::Position;
use crate::strategy::StopReason;

/// The number of neighbours that the solver is asked for in an epoch.
const QUESTIONS: usize = 48;

/// The number of walks from the base of an epoch where there are numbers, and of solutions of each.
const WALKS: usize = 8;
const STEPS: usize = 16;

/// The number of neighbours that are combined.
const NEIGHBOURS: usize = 512;

/// The number of epochs without new solutions that raises the question whether there are more.
const FRUITLESS: u32 = 8;

/// The number of epochs in a row, at least half of all, without new solutions that ends a run where walks are
/// impossible.
const PATIENCE: u32 = 128;

/// The number of solutions that are walked over before epochs are tried again.
const WALK: usize = 1024;

/// The guidance of epochs.
#[derive(Copy, Clone)]
pub(super) struct Guide {
    /// The unit in which bases and neighbours differ, where no predicates lead.
    pub(super) granularity: Granularity,
    /// Whether neighbours differ in predicates (S1 to S3) instead of bits (S0).
    pub(super) by_predicates: bool,
    /// Whether a base is of a random class, as far as there is one (S3).
    pub(super) random_classes: bool,
}

impl Sampler<'_> {
    /// Runs epochs until nothing new is found. Where solutions can be walked over, a walk continues when epochs are
    /// fruitless, and its end is that of the run.
    pub(super) fn combine_epochs(
        &mut self,
        guide: Guide,
        mut enumeration: Option<Enumeration>,
    ) -> ControlFlow<StopReason, Infallible> {
        let mut fruitless = 0;
        loop {
            let unique = self.statistics.unique;
            self.epoch(guide)?;
            fruitless = if self.statistics.unique > unique { 0 } else { fruitless + 1 };
            if let Some(enumeration) = &mut enumeration {
                if fruitless >= FRUITLESS {
                    self.walk(enumeration, WALK, false)?;
                    fruitless = 0;
                }
            } else if fruitless >= PATIENCE && 2 * u64::from(fruitless) >= self.statistics.epochs {
                return ControlFlow::Break(StopReason::NothingNew);
            }
        }
    }

    /// Runs one epoch: a base, its neighbours, their combinations.
    fn epoch(&mut self, guide: Guide) -> Flow {
        let _span = debug_span!("epoch").entered();
        self.begin_epoch()?;
        let mut base = match self.find_base(guide) {
            Ok(model) => model,
            Err(Verdict::Unsat) => return ControlFlow::Break(StopReason::Unsatisfiable),
            Err(_) => return ControlFlow::Break(self.control().reason().into()),
        };
        self.lay_out(&mut base);
        let values = self.finder.stay_near();
        let (flips, done) = match guide.granularity {
            Granularity::Bit => self.nearest(&base, guide)?,
            Granularity::Value | Granularity::Gate => Default::default(),
        };
        let mut neighbours = self.ask(guide, &done, &values);
        neighbours.extend(self.walk_from(&base));
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

    fn find_base(&mut self, guide: Guide) -> Result<Model, Verdict> {
        if guide.random_classes {
            self.finder.base_of_random_class(&mut self.random)
        } else {
            self.finder.base(guide.granularity, &mut self.random)
        }
    }

    /// Finds neighbours by flipping one bit: returns the bits, and the subjects in which the neighbours differ from the
    /// base. A neighbour that differs in several predicates does not count, and one for each predicate is enough.
    fn nearest(&mut self, base: &Model, guide: Guide) -> Flow<(Vec<Position>, FxHashSet<Subject>)> {
        self.rebase(base);
        let mut positions = self.layout.positions();
        positions.shuffle(&mut self.random);
        let is_guided = guide.by_predicates;
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
    fn class_of_base(&mut self) -> Flow<Vec<u64>> {
        self.batch.push(self.base.iter().copied());
        self.judge_batch()?;
        ControlFlow::Continue(self.judge.classes().iter().map(|column| column[0]).collect())
    }

    /// Neighbours by the solver, for some of the conditions that are not done.
    fn ask(&mut self, guide: Guide, done: &FxHashSet<Subject>, values: &[bool]) -> Vec<Model> {
        let mut open = self.finder.differences(guide.granularity, values, done);
        open.shuffle(&mut self.random);
        open.truncate(QUESTIONS);
        let mut neighbours = Vec::new();
        for difference in open {
            if self.control().stopped() {
                break;
            }
            neighbours.extend(self.finder.neighbour(&difference, values, &mut self.random));
        }
        neighbours
    }

    /// Solutions in the polyhedra around the base, where the formula has numbers.
    fn walk_from(&mut self, base: &Model) -> Vec<Model> {
        let Some(walker) = &self.walker else { return Vec::new() };
        let mut base = base.clone();
        self.problem.complete(&mut base);
        let control = self.finder.formula.control().clone();
        let mut found = Vec::new();
        for _ in 0..WALKS {
            if let Some(mut walking) = walker.walk_from(self.problem, &base, &control, &mut self.random) {
                found.extend((0..STEPS).map(|_| walking.walk(&mut self.random)));
            }
        }
        found
    }

    /// The differences of base and neighbours, which are samples themselves.
    fn neighbours(&mut self, flips: &[Position], models: &[Model]) -> Flow<Differences> {
        let width = self.layout.width();
        let mut all = Differences::new(width);
        all.push(vec![0; width]);
        for model in models {
            let row = self.layout.row(self.store(), model);
            all.push(row.iter().zip(&self.base).map(|(word, base)| word ^ base));
        }
        let by_solver = all.count();
        for &position in flips {
            let (word, bit) = self.layout.place(position);
            all.push((0..width).map(|other| if other == word { 1 << bit } else { 0 }));
        }
        let mut valid = self.report(&all, by_solver)?;
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
                    self.judge_and_report(u64::MAX >> (LANES - pending.len()), &mut level)?;
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

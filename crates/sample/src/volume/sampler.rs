//! The common part of all ways to sample at volume: candidates are rows, judged 64 at a time, and those that are new
//! solutions are handed out.

use std::ops::ControlFlow;

use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashSet;
use sundry_lanes::LANES;
use sundry_term::{Control, Model, TermStore};

use super::epoch::Differences;
use super::finder::Finder;
use super::types::VolumeStatistics;
use super::unique::Unique;
use crate::pipeline::{Event, Solutions};
use crate::polyhedra::Walker;
use crate::problem::Problem;
use crate::rows::{Judge, Layout};
use crate::strategy::StopReason;

/// A level of which less than this share is valid is the last.
const VALID: f64 = 0.5;

/// A level of which less than this share is new is the last.
const FRESH: f64 = 0.05;

/// The flow of a run: it continues, or there is a reason to stop.
pub(super) type Flow<T = ()> = ControlFlow<StopReason, T>;

/// A run: where solutions come from, how they are judged, and who receives them.
pub(super) struct Sampler<'a> {
    pub(super) problem: &'a Problem,
    pub(super) finder: Finder,
    pub(super) judge: Judge,
    pub(super) layout: Layout,
    /// The walker of a formula over numbers.
    pub(super) walker: Option<Walker>,
    pub(super) random: ChaCha8Rng,
    pub(super) unique: Unique,
    /// The classes that the epoch has seen, where it drops what repeats one (S2).
    pub(super) classes: Option<FxHashSet<Vec<u64>>>,
    pub(super) statistics: VolumeStatistics,
    /// Solutions of the solver that the evaluation rejects: defects.
    pub(super) rejected: u64,
    /// The number of solutions that are still wanted.
    pub(super) left: u64,
    pub(super) receive: &'a mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    /// The row of the epoch's first solution.
    pub(super) base: Vec<u64>,
    pub(super) batch: Batch,
}

/// Candidates to be judged together, one row behind the other. Rows may have no words at all.
#[derive(Default)]
pub(super) struct Batch {
    words: Vec<u64>,
    count: usize,
}

impl Batch {
    /// Adds a row, which is answered.
    pub(super) fn push(&mut self, row: impl IntoIterator<Item = u64>) -> &mut [u64] {
        let start = self.words.len();
        self.words.extend(row);
        self.count += 1;
        &mut self.words[start..]
    }

    /// Removes the last row, which has this number of words.
    pub(super) fn pop(&mut self, width: usize) {
        self.words.truncate(self.words.len() - width);
        self.count -= 1;
    }

    fn clear(&mut self) {
        self.words.clear();
        self.count = 0;
    }
}

impl Sampler<'_> {
    pub(super) fn store(&self) -> &TermStore {
        self.finder.formula.store()
    }

    pub(super) fn control(&self) -> &Control {
        self.finder.formula.control()
    }

    /// Begins an epoch.
    pub(super) fn begin_epoch(&mut self) -> Flow {
        self.check_time()?;
        self.statistics.epochs += 1;
        self.forget_classes();
        ControlFlow::Continue(())
    }

    fn forget_classes(&mut self) {
        if let Some(classes) = &mut self.classes {
            classes.clear();
        }
    }

    /// Gives a base values of all symbols, and begins a layout with its points.
    pub(super) fn lay_out(&mut self, base: &mut Model) {
        self.layout.complete(base, &mut self.random);
        self.layout.clear();
        self.layout.add_points(self.finder.formula.store(), base);
    }

    /// Makes a model the base of what comes, with the points that the layout has now.
    pub(super) fn rebase(&mut self, base: &Model) {
        self.judge.place_points(&self.layout);
        self.base = self.layout.row(self.finder.formula.store(), base);
    }

    /// Judges models of the solver, at most 64, and hands out those that are new; all of them where each is found once.
    pub(super) fn report_models(&mut self, models: &mut [Model], each_once: bool) -> Flow {
        if models.is_empty() {
            return ControlFlow::Continue(());
        }
        self.forget_classes();
        self.layout.clear();
        for model in models.iter_mut() {
            self.layout.complete(model, &mut self.random);
            self.layout.add_points(self.finder.formula.store(), model);
        }
        self.judge.place_points(&self.layout);
        let mut new = 0u64;
        for (lane, model) in models.iter().enumerate() {
            let row = self.batch.push(self.layout.row(self.finder.formula.store(), model));
            let is_new =
                each_once || self.unique.insert(self.layout.fingerprint(self.finder.formula.store(), row));
            new |= u64::from(is_new) << lane;
        }
        let Verdicts { solutions, .. } = self.judge_and_report(new, &mut Level::default())?;
        self.rejected += models.len() as u64 - u64::from(solutions.count_ones());
        ControlFlow::Continue(())
    }

    /// Reports the solutions that differ in these ways from the base, the first `by_solver` of which the solver has
    /// found. Returns those that are solutions, without the base itself.
    pub(super) fn report(&mut self, all: &Differences, by_solver: usize) -> Flow<Differences> {
        let mut valid = Differences::new(self.layout.width());
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
            let Verdicts { solutions, .. } = self.judge_and_report(new, &mut level)?;
            for (lane, &number) in chunk.iter().enumerate() {
                match solutions >> lane & 1 == 1 {
                    true if number > 0 => valid.push(all.get(number).iter().copied()),
                    true => {}
                    false => self.rejected += u64::from(number < by_solver),
                }
            }
        }
        ControlFlow::Continue(valid)
    }

    /// Judges the batch and hands out the solutions among the new lanes. What was found just before time was up is judged
    /// all the same, unless that takes long.
    pub(super) fn judge_and_report(&mut self, new: u64, level: &mut Level) -> Flow<Verdicts> {
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

    /// The lanes whose class the epoch has not seen, where classes matter.
    fn of_new_classes(&mut self, lanes: u64) -> u64 {
        let Some(seen) = self.classes.as_mut().filter(|_| lanes != 0) else { return lanes };
        let classes = self.judge.classes();
        let is_new = |lane: &usize| {
            lanes >> lane & 1 == 1 && seen.insert(classes.iter().map(|column| column[*lane]).collect())
        };
        (0..LANES).filter(is_new).fold(0, |kept, lane| kept | 1 << lane)
    }

    /// The mask of the solutions in the batch, which is empty afterwards.
    pub(super) fn judge_batch(&mut self) -> Flow<u64> {
        let control = self.finder.formula.control().with_grace();
        let Batch { words, count } = &mut self.batch;
        let store = self.finder.formula.store();
        let solutions = match self.judge.solutions(store, &self.layout, words, *count, &control) {
            Ok(solutions) => solutions,
            Err(reason) => return ControlFlow::Break(reason.into()),
        };
        self.statistics.candidates += self.batch.count as u64;
        self.statistics.valid += u64::from(solutions.count_ones());
        self.batch.clear();
        ControlFlow::Continue(solutions)
    }

    pub(super) fn check_time(&self) -> Flow {
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

/// The verdicts on the lanes of a batch.
pub(super) struct Verdicts {
    /// The lanes that are solutions.
    pub(super) solutions: u64,
    /// The lanes that were handed out: solutions that are new, and not of a class that is to be dropped.
    pub(super) kept: u64,
}

/// The outcome of a level.
#[derive(Default)]
pub(super) struct Level {
    pub(super) candidates: u64,
    judged: u64,
    valid: u64,
}

impl Level {
    /// Whether so little of it is new, or valid, that no further one is worth its while.
    pub(super) fn is_last(&self) -> bool {
        (self.judged as f64) < FRESH * self.candidates as f64
            || (self.valid as f64) < VALID * self.judged as f64
    }
}

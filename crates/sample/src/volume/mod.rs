//! Millions of solutions from a small number of solver calls: many combinations of the solutions that these find.
//!
//! An *epoch* starts at a solution near a random assignment. Its *neighbours* differ in one condition, a bit of a
//! constant or of what is read from an array, and in little else. Their differences to the base are joined, up to six
//! of them, and the result is a candidate that only has to be evaluated. Source: Dutra, Bachrach & Sen, *SMTSampler:
//! Efficient Stimulus Generation from Complex SMT Constraints* (ICCAD 2018).
//!
//! Extensions of that method:
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
//! Formulas over integers and reals have no values that are combined bit by bit: [`walks`] find their solutions. With predicates,
//! walks from the base of an epoch are neighbours like those of the solver.
//!
//! Arrays and functions take part with their points: the indices (arguments) at which the base or a neighbour has
//! another element than its default. The element at each point is combined as a constant is, and so is the default;
//! any other index keeps the default.

mod all;
mod classes;
mod combine;
mod epoch;
mod finder;
mod sampler;
mod types;
mod unique;
mod walks;

use std::ops::ControlFlow;
use std::time::Instant;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use sundry_solver::EngineOptions;
use sundry_term::{SortId, SymbolId};

use crate::error::SampleError;
use crate::formula_engine::FormulaEngine;
use crate::hopper::Hopper;
use crate::pipeline::{Event, Part, Request, Summary};
use crate::polyhedra::Walker;
use crate::problem::Problem;
use crate::ranges::{FARTHEST, is_listable};
use crate::rows::Layout;
use crate::strategy::StopReason;
use classes::Baseline;
use combine::Guide;
use finder::Finder;
use sampler::{Batch, Sampler};
pub use types::{Granularity, Guidance, VolumeOptions, VolumeStatistics, VolumeStrategy};
pub use unique::Unique;
use walks::Walks;

/// The distance from a solution beyond which integers are not combined bit by bit.
const FARTHEST_COMBINED: u64 = 1 << 16;

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
    if let (VolumeStrategy::Combine, Some(walker)) = (strategy, Walker::new(problem)) {
        let (reason, rejected, statistics) = walk(problem, walker, options, request, receive)?;
        return Ok(summary(reason, rejected, statistics));
    }
    let enumerated = match (strategy, project) {
        (VolumeStrategy::All, Some(project)) => project,
        _ => &problem.symbols,
    };
    let not_listable = enumerated.iter().copied().find(|&symbol| !is_listable(&problem.store, symbol));
    if let (VolumeStrategy::All, Some(symbol)) = (strategy, not_listable) {
        return Err(SampleError::NotEnumerable(symbol));
    }
    let conditions = if *strategy == VolumeStrategy::Combine { &[][..] } else { predicates };
    let mut finder = Finder::new(problem, conditions, *seed, control)?;
    let formula = &mut finder.formula;
    if formula.first().is_none() {
        let reason = if control.stopped() { control.reason().into() } else { StopReason::Unsatisfiable };
        return Ok(summary(reason, 0, VolumeStatistics::default()));
    }
    let farthest = if *strategy == VolumeStrategy::All { FARTHEST } else { FARTHEST_COMBINED };
    let ranges = formula.find_ranges(enumerated.iter().copied(), farthest);
    let ranges = ranges.map_err(|error| formula.not_ready(error))?;
    let is_unbounded = |symbol: &SymbolId| {
        problem.store.symbol(*symbol).result == SortId::INT && !ranges.contains_key(symbol)
    };
    let unbounded = enumerated.iter().copied().find(is_unbounded);
    if let (VolumeStrategy::All, Some(symbol)) = (strategy, unbounded) {
        if control.stopped() {
            return Ok(summary(control.reason().into(), 0, VolumeStatistics::default()));
        }
        return Err(SampleError::Unbounded(symbol));
    }
    let enumeration = match not_listable.or(unbounded) {
        None => Some(formula.enumeration(enumerated, &ranges).map_err(|error| formula.not_ready(error))?),
        Some(_) => None,
    };
    let judge = formula.judge(problem, predicates).map_err(|reason| SampleError::Stopped(reason.into()))?;
    let layout = Layout::new(formula.store(), &judge, &ranges);
    let random = stream_of(*seed, *stream);
    let drops_known_classes =
        matches!(strategy, VolumeStrategy::Guide(guidance) if *guidance >= Guidance::Classes);
    let mut sampler = Sampler {
        problem,
        finder,
        judge,
        layout,
        walker: Walker::new(problem),
        random,
        unique: Unique::new(*memory),
        classes: drops_known_classes.then(Default::default),
        statistics: VolumeStatistics::default(),
        rejected: 0,
        left: max_solutions.unwrap_or(u64::MAX),
        receive,
        base: Vec::new(),
        batch: Batch::default(),
    };
    let ControlFlow::Break(reason) = match (strategy, enumeration) {
        (VolumeStrategy::All, Some(mut enumeration)) => sampler.report_all(&mut enumeration),
        (VolumeStrategy::All, None) => unreachable!("other formulas are refused above"),
        (VolumeStrategy::ClassesHard, _) => sampler.draw_classes(Baseline::Hard),
        (VolumeStrategy::ClassesSoft, _) => sampler.draw_classes(Baseline::Soft),
        (VolumeStrategy::Combine, enumeration) => {
            let guide = Guide { granularity: *granularity, by_predicates: false, random_classes: false };
            sampler.combine_epochs(guide, enumeration)
        }
        (VolumeStrategy::Guide(guidance), enumeration) => {
            let random_classes = *guidance >= Guidance::Bases;
            let guide = Guide { granularity: Granularity::Bit, by_predicates: true, random_classes };
            sampler.combine_epochs(guide, enumeration)
        }
    };
    sampler.statistics.questions = sampler.finder.formula.questions();
    sampler.statistics.window = sampler.unique.window();
    Ok(summary(reason, sampler.rejected, sampler.statistics))
}

/// The solutions of a formula over numbers. Returns why they end, how many were not accepted, and the counts.
fn walk(
    problem: &Problem,
    walker: Walker,
    options: &VolumeOptions,
    request: &Request,
    receive: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
) -> Result<(StopReason, u64, VolumeStatistics), SampleError> {
    let Request { seed, control, max_solutions, .. } = request;
    let options_of_engine = EngineOptions::for_many_calls();
    let (mut formula, finder) =
        FormulaEngine::with_finder(problem, *seed, &options_of_engine, control, &mut |_| {})
            .map_err(|error| error.for_run(control))?;
    let Some(first) = formula.take_first() else {
        let reason = if control.stopped() { control.reason().into() } else { StopReason::Unsatisfiable };
        return Ok((reason, 0, VolumeStatistics::default()));
    };
    let mut walks = Walks {
        problem,
        formula,
        walker,
        hopper: finder.map(Hopper::new),
        random_is_hard: false,
        random: stream_of(*seed, options.stream),
        unique: Unique::new(options.memory),
        statistics: VolumeStatistics::default(),
        rejected: 0,
        left: max_solutions.unwrap_or(u64::MAX),
        receive,
        batch: Vec::new(),
    };
    let ControlFlow::Break(reason) = walks.run(first.model);
    walks.statistics.questions = walks.formula.questions();
    walks.statistics.window = walks.unique.window();
    Ok((reason, walks.rejected, walks.statistics))
}

/// Random numbers that no other task has.
fn stream_of(seed: u64, stream: u64) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(1 | stream << 8);
    random
}

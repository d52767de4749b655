//! One pipeline for all ways to sample: a [`Request`] goes in, [`Event`]s come out, a [`Summary`] says how it ended.

mod best;
mod drive;
mod event;
mod request;
mod solutions;
mod summary;

use std::ops::ControlFlow;
use std::time::Instant;

use tracing::info_span;

pub use self::event::{Covered, Event, Progress, RatedSolution};
pub use self::request::{Method, Request};
pub use self::solutions::{PlainSolutions, PlainValue, Solutions};
pub use self::summary::{CurvePoint, Milestones, Part, SetSummary, Summary, TupleSummary};
use crate::cover::Cover;
use crate::early_end::Unprepared;
use crate::error::SampleError;
use crate::not_ready::NotReady;
use crate::pan::Pan;
use crate::problem::Problem;
use crate::strategy::{Goal, Preparation, StopReason, Strategy};
use crate::twise::{self, TWiseOptions};
use crate::uniform::{self, UniformStatistics};
use crate::volume::{self, VolumeStatistics};
use drive::{Ending, drive};

/// Samples a formula until no solution is left, the request is met, or time is up. All
/// solutions found until then are handed out: sets are in the summary, other solutions come as events. A receiver that
/// has enough breaks, and the run ends as if the number of solutions asked for were reached.
///
/// # Errors
/// Sampling cannot start: [`SampleError`] says why. A run that is stopped before it starts is not an error; its
/// summary has no solutions.
///
/// ```
/// use std::ops::ControlFlow;
/// use sundry_sample::{Event, Problem, Request, StopReason, sample};
/// use sundry_term::{Op, SortId, TermStore};
///
/// let mut store = TermStore::new();
/// let symbols = ["p", "q"].map(|name| store.declare(name, &[], SortId::BOOL));
/// let [p, q] = symbols.map(|symbol| store.symbol_term(symbol));
/// let either = store.make(Op::Or, &[p, q]);
/// let problem = Problem::new(store, vec![either], symbols.to_vec());
///
/// let mut count = 0;
/// let summary = sample(&problem, &Request::all(None), &mut |event| {
///     if let Event::Solutions(solutions) = event {
///         count += solutions.count();
///     }
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!((count, summary.stopped_by), (3, StopReason::Complete));
/// # Ok::<(), sundry_sample::SampleError>(())
/// ```
pub fn sample(
    problem: &Problem,
    request: &Request,
    receive: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
) -> Result<Summary, SampleError> {
    let _span = info_span!("sample", method = request.method.name()).entered();
    let start = Instant::now();
    if request.max_solutions == Some(0) {
        return Ok(nothing(problem, request, StopReason::MaximalSolutions, start));
    }
    let result = match &request.method {
        Method::Cover { .. } | Method::Pan { .. } => sample_set(problem, request, start, receive),
        Method::TWise(options) => twise::sample(problem, options, request, start, receive),
        Method::Volume(options) => volume::sample(problem, options, request, start, receive),
        Method::Uniform(options) => uniform::sample(problem, options, request, start, receive),
    };
    match result {
        Err(SampleError::Stopped(reason)) => Ok(nothing(problem, request, reason, start)),
        result => result,
    }
}

/// Samples a formula with a strategy of the caller, until the target share of its AST-bits is covered, there are
/// `max_solutions`, or the strategy ends.
pub fn sample_with(
    problem: &Problem,
    strategy: &mut dyn Strategy,
    target: f64,
    max_solutions: Option<usize>,
    receive: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
) -> Summary {
    let ending = Ending { goal: Goal { target, max_solutions }, stops_at_goal: true, prunes: false };
    drive(problem, strategy, &ending, Instant::now(), receive)
}

/// Samples a set that covers AST-bits.
fn sample_set(
    problem: &Problem,
    request: &Request,
    start: Instant,
    receive: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
) -> Result<Summary, SampleError> {
    let Request { method, seed, threads, max_solutions, control, is_last, .. } = request;
    let max_solutions = max_solutions.map(|most| usize::try_from(most).unwrap_or(usize::MAX));
    let goal = |target: f64| Goal { target, max_solutions };
    let mut has_enough = false;
    let on_preparation = &mut |preparation: Preparation| {
        has_enough |= receive(Event::Preparing(preparation)).is_break();
    };
    let (prepared, target): (Result<Box<dyn Strategy + '_>, NotReady>, f64) = match method {
        Method::Cover { target, effort } => {
            let threads = (*threads).max(1);
            let cover = Cover::new(problem, goal(*target), *effort, *seed, threads, control, on_preparation);
            (cover.map(|cover| Box::new(cover) as Box<dyn Strategy>), *target)
        }
        Method::Pan { target, options } => {
            let pan = Pan::new(problem, goal(*target), options.clone(), *seed, control, on_preparation);
            (pan.map(|pan| Box::new(pan) as Box<dyn Strategy>), *target)
        }
        _ => unreachable!("other methods have no set that covers AST-bits"),
    };
    let mut strategy = match prepared {
        Ok(strategy) => strategy,
        Err(NotReady::Stopped { model, engine }) => {
            Box::new(Unprepared::new(problem, model, engine, control))
        }
        Err(error) => return Err(error.for_run(control)),
    };
    if has_enough {
        return Err(SampleError::Stopped(StopReason::MaximalSolutions));
    }
    let prunes = matches!(method, Method::Cover { .. });
    let ending = Ending { goal: goal(target), stops_at_goal: false, prunes };
    let summary = drive(problem, &mut *strategy, &ending, start, receive);
    if *is_last {
        std::mem::forget(strategy);
    }
    Ok(summary)
}

/// The summary of a run that was stopped before it began.
fn nothing(problem: &Problem, request: &Request, stopped_by: StopReason, start: Instant) -> Summary {
    let part = match &request.method {
        Method::Cover { .. } | Method::Pan { .. } => Part::Set(SetSummary::nothing(problem)),
        Method::TWise(TWiseOptions { strength, .. }) => Part::Tuples(TupleSummary::nothing(*strength)),
        Method::Volume(_) => Part::Volume(VolumeStatistics::default()),
        Method::Uniform(_) => Part::Uniform(UniformStatistics::default()),
    };
    Summary { stopped_by, rejected: 0, seconds: start.elapsed().as_secs_f64(), part }
}

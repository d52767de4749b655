//! A small set of solutions that shows all combinations of a few values: t-wise coverage under constraints.
//!
//! A *factor* is a constant with its values, a bit, or a predicate; a *tuple* of strength t is a combination of values
//! of t different factors. A tuple is valid if a solution has it, which is decided by solving; a set of solutions is
//! complete if it has all valid tuples. For a configurable system that is a constrained covering array (Cohen, Dwyer &
//! Shi, *Constructing Interaction Test Suites for Highly-Configurable Systems in the Presence of Constraints: A Greedy
//! Approach*, TSE 2008).
//!
//! Solutions are chosen one after the other. Of two, the better one covers more AST-bits that were not covered before;
//! if that is the same, more new values, then more new pairs, and so on up to the strength; if all of that is the same,
//! more bits of the constants are 1, that is: more options are on (or heavier values, where values have weights). So
//! every beginning of the list is a good test set for a smaller budget. Where all solutions are listed and the list
//! continues after the tuples are covered, the seed decides between solutions without new pairs that add as many
//! triples.
//!
//! Other criteria were tried on made-up systems and on known faults (`benches/RESULTS.md`): beginning with a smallest
//! set for the AST-bits, which takes more solutions later than it saves; the weighted sum of all that is new; typical values
//! first, or rare ones; covering the tuples once more instead of random solutions in the end. No criterion is better on
//! the whole.
//!
//! Where a formula has a small number of solutions, each step takes the best of all. Elsewhere a step starts at several
//! solutions that the solver finds, each with another tuple that is still missing, and changes each bit by bit while
//! that makes it better. A tuple that the solver refutes is impossible, and so is everything that has those of its values
//! that the refutation took.

mod bound;
mod claims;
mod classes;
mod compact;
mod factors;
mod rating;
mod search;
mod space;
mod tuples;
mod types;
mod wanted;

use std::ops::ControlFlow;
use std::time::Instant;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

pub use self::types::{MAX_STRENGTH, Over, TWiseOptions, TupleCounts};
use crate::error::SampleError;
use crate::pipeline::{Event, Request, Summary};
use crate::problem::Problem;
use crate::strategy::StopReason;
use rating::Open;
use search::Run;
use space::Space;

/// The maximal number of solutions of a formula of which all are listed.
const ALL: usize = 4096;

/// Covers the tuples of a formula.
///
/// # Errors
/// The run could not start.
pub(crate) fn sample(
    problem: &Problem,
    options: &TWiseOptions,
    request: &Request,
    start: Instant,
    receive: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
) -> Result<Summary, SampleError> {
    let control = &request.control;
    let mut random = ChaCha8Rng::seed_from_u64(request.seed);
    random.set_stream(1);
    if let Some(group) = problem.roles.groups.iter().find(|group| group.strength > MAX_STRENGTH) {
        return Err(SampleError::TooClose(group.strength));
    }
    let mut space = Space::new(problem, options, request, random)?;
    if space.factors.count == 0 {
        return Err(SampleError::NoFactors);
    }
    let open = Open::new(&space, space.factors.strength)?;
    let mut run = Run::new(problem, options, request, open, start, receive);
    let reason = if !space.has_solution() {
        if control.stopped() { control.reason().into() } else { StopReason::Unsatisfiable }
    } else if let Some(solutions) = space.all(ALL) {
        run.choose(solutions)
    } else {
        run.search_and_order(&mut space)
    };
    // A list that is to be continued need not be short.
    if reason == StopReason::Complete && !options.fill {
        run.compact(&mut space);
    }
    let reason = match reason {
        StopReason::Complete if options.fill && !run.is_all => run.fill(&mut space),
        reason => reason,
    };
    Ok(run.outcome(&space, reason))
}

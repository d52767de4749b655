//! Counters of what solvers execute, as the command line names them.

use std::sync::Arc;

use sundry_counters::{CounterProvider, Dialect, Statistics};
use sundry_external::Solver;

use crate::arguments::CountersArgument;
use crate::failure::Failure;

/// The counters of a build, if an argument names any.
///
/// # Errors
/// The kind is unknown, or its files cannot be read.
pub fn of_build(argument: &CountersArgument) -> Result<Option<Arc<dyn CounterProvider>>, Failure> {
    if argument.is_none() {
        return Ok(None);
    }
    let CountersArgument { kind, path } = argument;
    let provider = sundry_counters::open(kind, path.as_deref()).map_err(Failure::usage)?;
    Ok(Some(provider))
}

/// The statistics that a solver of a known kind prints about its work.
pub fn of_kind(solver: &Solver) -> Option<Arc<dyn CounterProvider>> {
    let dialect: Dialect = solver.profile().family.parse().ok()?;
    Some(Arc::new(Statistics::new(dialect)))
}

/// The counters of each solver under test: those of the argument for the first, or the statistics of all of which the kind is known
/// if the argument is plainly `statistics`.
///
/// # Errors
/// The kind is unknown, or its files cannot be read.
pub fn of_solvers(
    argument: &CountersArgument,
    solvers: &[Solver],
) -> Result<Vec<Option<Arc<dyn CounterProvider>>>, Failure> {
    if argument.kind == "statistics" && argument.path.is_none() {
        return Ok(solvers.iter().map(of_kind).collect());
    }
    let mut counters = vec![None; solvers.len()];
    let build = of_build(argument)?;
    counters.iter_mut().take(1).for_each(|first| first.clone_from(&build));
    Ok(counters)
}

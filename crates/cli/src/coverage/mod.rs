//! `sundry coverage`: what models, of whatever origin, cover of a formula.
//!
//! Models are read as solvers print them, or as rows of CSV and JSON lines, and evaluated on the assertions as written;
//! nothing is solved but for what rows have no room for, unless `--decide` asks what can be covered at all. Then the
//! two ways check one another: a model that covers what was proved impossible is a defect, and is reported as one.

mod listing;
mod measuring;
mod plan;
mod predicates;
mod text;
mod wires;

use sundry_report::CoverageRecord;
use tracing::info_span;

use crate::arguments::CoverageArguments;
use crate::console::Console;
use crate::failure::{Failure, Status};
use crate::interrupt::{self, Stop};
use crate::output::{REDIRECTION, write_results};
use measuring::Measuring;
use plan::CoveragePlan;

/// Runs the job.
///
/// # Errors
/// The formula or a file of models cannot be read, or the result cannot be written.
pub fn run(arguments: &CoverageArguments, stop: &Stop, console: &Console) -> Result<Status, Failure> {
    let plan = CoveragePlan::new(arguments, stop)?;
    let mut measuring = Measuring::new(&plan, console)?;
    interrupt::watch(stop);
    info_span!("measure").in_scope(|| {
        plan.models.iter().try_for_each(|input| measuring.measure_file(input, plan.strict, console))
    })?;
    let stopped = measuring.stopped;
    let decided = plan.deciding.as_ref().map(|deciding| measuring.decide(deciding)).transpose()?;
    if let Some(listing) = &plan.listing {
        measuring.list_ast_bits(listing, decided.as_ref())?;
    }
    let record = measuring.record(decided);
    let text = if plan.json { record.to_json() } else { text::describe(&record) };
    write_results(text.as_bytes(), REDIRECTION)?;
    Ok(status(&record).max(stopped.map_or(Status::Done, |_| Status::Limit)))
}

fn status(record: &CoverageRecord) -> Status {
    if record.models.iter().any(|model| !model.satisfies) {
        Status::Attention
    } else if is_undecided(record) {
        Status::Limit
    } else {
        Status::Done
    }
}

/// Whether something was to be decided and is not.
fn is_undecided(record: &CoverageRecord) -> bool {
    let Some(decided) = &record.decided else { return false };
    let predicates = record.predicates.iter().flat_map(|record| &record.predicates);
    decided.unknown > 0
        || predicates.into_iter().any(|record| record.can_hold.is_none() || record.can_fail.is_none())
}

//! The options that the solvers under test take, as a campaign finds them out once and keeps them in its folder.
//!
//! The options of a mutant depend on them, so a campaign that continues reads them instead of asking the solvers again.

use std::collections::BTreeMap;

use sundry_external::OptionPool;

use super::plan::Plan;
use crate::campaign::json_file;
use crate::failure::Failure;
use crate::interrupt::Stop;
use crate::output::{OutputFolder, RunFolder};

/// The list of options in the folder of a campaign.
const NAME: &str = "options.json";

/// The options by the command of the solver; without solvers that take none.
type OptionPools = BTreeMap<String, OptionPool>;

/// The options of the solvers under test: those in the folder of a campaign that continues, and otherwise those that the
/// builds take. They are written to `output`, if there is one. A campaign that is stopped meanwhile has none, and finds them out
/// when it continues.
///
/// # Errors
/// The list cannot be read or written, or a solver cannot be run.
pub fn of_campaign(
    plan: &Plan,
    is_continued: bool,
    output: Option<&OutputFolder>,
    place: &RunFolder,
    stop: &Stop,
) -> Result<OptionPools, Failure> {
    if plan.settings.options.percent == 0 {
        return Ok(OptionPools::new());
    }
    let known = if is_continued { json_file::read(&plan.output.join(NAME))? } else { None };
    if let Some(pools) = known {
        return Ok(pools);
    }
    let pools = plan.solvers.option_pools(place, plan.deadline, stop)?;
    if let Some(output) = output.filter(|_| !pools.is_empty()) {
        json_file::write(output, NAME, &pools)?;
    }
    Ok(pools)
}

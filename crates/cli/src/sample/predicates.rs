//! Predicates of a file, or made of a formula.

use sundry::Control;

use super::plan::SamplePlan;
use crate::console::Console;
use crate::failure::{Failure, FailureKind};
use crate::formula::{LoadedFormula, failure_of};
use crate::input::Input;
use crate::interrupt::{Begun, Stop};
use crate::output::OutputFile;
use crate::progress::FormulaProgress;

/// Reads a formula, and the predicates of the file that the command line names for it.
///
/// # Errors
/// The formula or the file of predicates cannot be read.
pub fn read(
    plan: &SamplePlan,
    input: &Input,
    stop: &Stop,
    console: &Console,
) -> Result<LoadedFormula, Failure> {
    let begun = Begun::now(plan.timeout, stop);
    let format = plan.input_format;
    let formula = match &plan.predicates.file {
        None => LoadedFormula::read(input, format, begun, console)?,
        Some(path) => {
            let file = Input::from_argument(path);
            LoadedFormula::read_with_predicates(input, format, &file, begun, console)?
        }
    };
    formula.with_integer_bits(plan.integer_bits)
}

/// Makes predicates if none come from a file, and saves them if that is wanted.
///
/// # Errors
/// The formula has nothing to make predicates of, the formula is too large to decide them, or they cannot be saved.
pub fn complete(
    plan: &SamplePlan,
    formula: &mut LoadedFormula,
    saved: Option<&OutputFile>,
    control: &Control,
    progress: &FormulaProgress<'_>,
) -> Result<(), Failure> {
    if plan.predicates.are_made() {
        progress.tell("making predicates".to_string());
        make_predicates(plan, formula, control)?;
    }
    saved.map_or(Ok(()), |file| file.replace(formula.formula.predicate_definitions().as_bytes()))
}

/// Makes the predicates that the command line wants made.
fn make_predicates(plan: &SamplePlan, loaded: &mut LoadedFormula, control: &Control) -> Result<(), Failure> {
    let (seed, formula) = (plan.seed, &mut loaded.formula);
    let made = match (plan.predicates.random, plan.predicates.internal) {
        (Some(count), _) => {
            formula.set_random_predicates(count.get(), seed, control);
            Ok(())
        }
        (None, Some(count)) => formula.set_internal_predicates(count.get(), seed, control),
        (None, None) => Ok(()),
    };
    made.map_err(|error| failure_of(loaded, &error))?;
    if loaded.formula.predicates().is_empty() && !control.stopped() {
        let message = "the formula has nothing to make predicates of";
        return Err(
            Failure::of(FailureKind::Input, loaded.name(), message).with_help("use --strategy smtsampler")
        );
    }
    Ok(())
}

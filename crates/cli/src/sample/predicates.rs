//! Predicates of a file, or made of a formula.

use sundry_coverage::{Predicate, random_predicates};
use sundry_sample::{Control, internal_predicates};
use sundry_smtlib::print_term;
use sundry_term::quote_symbol;

use super::plan::SamplePlan;
use crate::console::Console;
use crate::failure::{Failure, FailureKind};
use crate::formula::{LoadedFormula, predicate_failure};
use crate::input::Input;
use crate::interrupt::{Begun, Stop};
use crate::output::OutputFile;
use crate::progress::FormulaProgress;

/// A formula, with the predicates that a file has.
pub struct Subject {
    /// The formula.
    pub formula: LoadedFormula,
    /// The predicates of the file; none where there is none.
    pub predicates: Vec<Predicate>,
}

/// Reads a formula, and the predicates of the file that the command line names for it.
///
/// # Errors
/// One of both cannot be read.
pub fn read(plan: &SamplePlan, input: &Input, stop: &Stop, console: &Console) -> Result<Subject, Failure> {
    let begun = Begun::now(plan.timeout, stop);
    let format = plan.input_format;
    let (formula, predicates) = match &plan.predicates.file {
        None => (LoadedFormula::read(input, format, begun, console)?, Vec::new()),
        Some(path) => {
            let file = Input::from_argument(path);
            LoadedFormula::read_with_predicates(input, format, &file, begun, console)?
        }
    };
    Ok(Subject { formula, predicates })
}

/// Predicates that are made if none come from a file, and saved if that is wanted.
///
/// # Errors
/// There is nothing to make them of, the formula is too large to decide them, or they cannot be saved.
pub fn complete(
    plan: &SamplePlan,
    subject: &mut Subject,
    saved: Option<&OutputFile>,
    control: &Control,
    progress: &FormulaProgress<'_>,
) -> Result<(), Failure> {
    if plan.predicates.are_made() {
        progress.tell("making predicates".to_string());
        subject.predicates = make_predicates(plan, &mut subject.formula, control)?;
    }
    saved.map_or(Ok(()), |file| {
        file.replace(print_predicates(&subject.formula, &subject.predicates).as_bytes())
    })
}

/// The predicates that are to be made; none unless the command line says so.
fn make_predicates(
    plan: &SamplePlan,
    formula: &mut LoadedFormula,
    control: &Control,
) -> Result<Vec<Predicate>, Failure> {
    let seed = plan.seed;
    let problem = &mut formula.problem;
    let predicates = if let Some(count) = plan.predicates.random {
        random_predicates(&mut problem.store, &problem.symbols, count.get(), seed, control)
    } else if let Some(count) = plan.predicates.internal {
        internal_predicates(problem, count.get(), seed, control)
            .map_err(|error| predicate_failure(formula, &error))?
    } else {
        return Ok(Vec::new());
    };
    if predicates.is_empty() && !control.stopped() {
        let message = "there is nothing in it to make predicates of";
        return Err(
            Failure::of(FailureKind::Input, formula.name(), message).with_help("use --strategy smtsampler")
        );
    }
    Ok(predicates)
}

/// The predicates as definitions, for `--predicates`.
fn print_predicates(formula: &LoadedFormula, predicates: &[Predicate]) -> String {
    let print = |predicate: &Predicate| {
        let term = print_term(&formula.problem.store, predicate.term);
        format!("(define-fun {} () Bool {term})\n", quote_symbol(&predicate.name))
    };
    predicates.iter().map(print).collect()
}

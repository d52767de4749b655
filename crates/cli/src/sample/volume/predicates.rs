//! Predicates that are made of a formula, where none are given.

use sundry_coverage::{Predicate, random_predicates};
use sundry_sample::{Control, internal_predicates};
use sundry_smtlib::print_term;
use sundry_term::quote_symbol;

use crate::arguments::SampleArguments;
use crate::failure::{Failure, Status};
use crate::formula::{LoadedFormula, predicate_failure};

/// The predicates that are to be made; none unless the command line says so.
///
/// # Errors
/// There is nothing to make them of, or the formula is too large to decide them.
pub fn make_predicates(
    arguments: &SampleArguments,
    formula: &mut LoadedFormula,
    control: &Control,
) -> Result<Vec<Predicate>, Failure> {
    let wanted = arguments.strategy.volume();
    let seed = arguments.limits.seed;
    let problem = &mut formula.problem;
    let predicates = if let Some(count) = wanted.random_predicates {
        random_predicates(&mut problem.store, &problem.symbols, count.get(), seed)
    } else if let Some(count) = wanted.internal_predicates {
        internal_predicates(problem, count.get(), seed, control)
            .map_err(|error| predicate_failure(formula, &error))?
    } else {
        return Ok(Vec::new());
    };
    if predicates.is_empty() && !control.stopped() {
        let message = format_args!("{}: there is nothing in it to make predicates of", formula.name());
        return Err(Failure::new(Status::Input, message).with_help("use --strategy smtsampler"));
    }
    Ok(predicates)
}

/// The predicates as definitions, for `--predicates`.
pub fn print_predicates(formula: &LoadedFormula, predicates: &[Predicate]) -> String {
    let print = |predicate: &Predicate| {
        let term = print_term(&formula.problem.store, predicate.term);
        format!("(define-fun {} () Bool {term})\n", quote_symbol(&predicate.name))
    };
    predicates.iter().map(print).collect()
}

//! Formulas that cannot be sampled as the command line asks: the message, with the place and a remedy.

use std::fmt::Display;

use sundry_sample::{MAX_STRENGTH, Method, Over, SampleError, TWiseOptions};
use sundry_smtlib::{Diagnostic, DiagnosticKind};
use sundry_solver::Refusal;
use sundry_term::quote_symbol;

use crate::failure::{Failure, FailureKind};
use crate::formula::LoadedFormula;
use crate::values::counted;

use super::ending::tuple;
use super::plan::SamplePlan;

/// The failure of a run that could not start.
pub fn cannot_start(formula: &LoadedFormula, plan: &SamplePlan, error: &SampleError) -> Failure {
    let name = formula.name();
    let failure = |kind, message: &dyn Display| Failure::of(kind, name, message);
    match error {
        SampleError::Refused(error) => refused(formula, error),
        SampleError::Unsupported(error) => {
            failure(FailureKind::Unsupported, error).with_help("the strategies cover and pan can sample it")
        }
        SampleError::NotEnumerable(symbol) => {
            let symbol = quote_symbol(&formula.problem.store.symbol(*symbol).name);
            let message = format_args!(
                "the values of {symbol} cannot be listed: it is an array, a function or of a declared sort"
            );
            let help = "--project NAME,NAME lists the values of the constants that are named";
            failure(FailureKind::Unsupported, &message).with_help(help)
        }
        SampleError::NoFactors => failure(FailureKind::Input, error).with_help(
            "it has no Boolean or bit-vector constants; --over bits combines the bits of its operations",
        ),
        SampleError::TooClose(_) => {
            failure(FailureKind::Usage, error).with_help(format_args!("up to {MAX_STRENGTH} are"))
        }
        SampleError::TooManyTuples { values } => {
            let Method::TWise(TWiseOptions { strength, over, .. }) = plan.method else {
                return failure(FailureKind::Limit, error);
            };
            let message = format_args!(
                "{} have too many {}s to be counted",
                counted(*values, "value"),
                tuple(strength)
            );
            let help = match (strength, over) {
                (3.., _) => "use --strength 2",
                (_, Over::Bits) => "use --over values, or predicates",
                _ => "combine predicates: --predicates FILE",
            };
            failure(FailureKind::Limit, &message).with_help(help)
        }
        SampleError::Stopped(_) => failure(FailureKind::Limit, error),
    }
}

/// The failure of a formula without a circuit, at the assertion that has the term at fault.
fn refused(formula: &LoadedFormula, error: &Refusal) -> Failure {
    let problem = &formula.problem;
    let term = error.term();
    let is_own = term.index() < problem.store.term_count();
    let assertion = problem
        .assertions
        .iter()
        .copied()
        .find(|&assertion| is_own && problem.store.reachable(&[assertion]).binary_search(&term).is_ok());
    let (diagnosis, kind, help) = match error {
        Refusal::TooLarge(_) => (
            DiagnosticKind::Limit,
            FailureKind::Limit,
            "narrower bit-vectors need fewer gates; products and quotients grow with the square of the width",
        ),
        Refusal::Unsupported(_) => (
            DiagnosticKind::Unsupported,
            FailureKind::Unsupported,
            "sundry fuzz and sundry reduce know all theories",
        ),
    };
    match assertion.and_then(|assertion| formula.place_of_assertion(assertion)) {
        Some(span) => {
            let diagnostic = Diagnostic::new(diagnosis, span, error.to_string()).with_help(help);
            Failure::at(&diagnostic, &formula.source).with_kind(kind)
        }
        None => Failure::of(kind, formula.name(), error).with_help(help),
    }
}

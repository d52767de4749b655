//! Formulas that cannot be sampled as the command line asks: the message, with the place and a remedy.

use sundry::pipeline::SampleError;
use sundry::{Error, MAX_STRENGTH, Over, Strategy};

use crate::failure::{Failure, FailureKind};
use crate::formula::{LoadedFormula, failure_of};
use crate::values::counted;

use super::ending::tuple;
use super::plan::SamplePlan;

/// The failure of a run that could not start, with what the command line can do about it.
pub fn cannot_start(formula: &LoadedFormula, plan: &SamplePlan, error: &Error) -> Failure {
    let failure = failure_of(formula, error);
    match error.cause() {
        None | Some(SampleError::Stopped(_) | SampleError::Undecided(_)) => failure,
        Some(SampleError::Refused(_)) if failure.kind() == FailureKind::Unsupported => {
            failure.with_help("sundry fuzz and sundry reduce know all theories")
        }
        Some(SampleError::Refused(_)) => failure,
        Some(SampleError::Unsupported(_)) => failure.with_help(
            "smtsampler, guided and t-wise judge such formulas one solution at a time; cover gives a small set",
        ),
        Some(SampleError::NotEnumerable(_)) => {
            failure.with_help("--project NAME,NAME lists the values of the constants that are named")
        }
        Some(SampleError::Unbounded(_)) => failure.with_help(
            "assert bounds, such as (<= 0 n 99); or --project NAME,NAME lists the values of the constants that are named",
        ),
        Some(SampleError::NoFactors) => failure.with_help(
            "the formula has no constants with values to combine; --over bits combines the bits of its operations",
        ),
        Some(SampleError::TooClose(_)) => {
            failure.with_kind(FailureKind::Usage).with_help(format_args!("at most {MAX_STRENGTH} values can be combined"))
        }
        Some(SampleError::TooManyTuples { values }) => too_many_tuples(formula, plan, *values),
    }
}

fn too_many_tuples(formula: &LoadedFormula, plan: &SamplePlan, values: usize) -> Failure {
    let Strategy::TWise(strength) = plan.sampling.strategy else {
        return Failure::of(FailureKind::Limit, formula.name(), "there are too many combinations");
    };
    let message =
        format_args!("{} have too many {}s to be counted", counted(values, "value"), tuple(strength));
    let help = match (strength, plan.sampling.over) {
        (3.., _) => "use --strength 2",
        (_, Over::Bits) => "use --over values, or predicates",
        _ => "combine predicates: --predicates FILE",
    };
    Failure::of(FailureKind::Limit, formula.name(), message).with_help(help)
}

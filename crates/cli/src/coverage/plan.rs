//! The models to measure and the way to measure them, resolved once from the arguments: nothing below sees options.

use std::iter;
use std::path::PathBuf;

use sundry_report::Measure;

use super::listing::Listing;
use crate::arguments::{CoverageArguments, CoverageMeasure, InputFormat};
use crate::failure::Failure;
use crate::input::Input;
use crate::interrupt::{Begun, Stop};

/// The task of the job.
pub struct CoveragePlan {
    /// The formula.
    pub formula: Input,
    /// The language of the formula, where somebody says so.
    pub input_format: Option<InputFormat>,
    /// The number of low bits of integers that are AST-bits.
    pub integer_bits: u32,
    /// The units in which coverage is measured.
    pub measure: Measure,
    /// Files with models.
    pub models: Vec<Input>,
    /// A file with predicates.
    pub predicates: Option<Input>,
    /// Whether models that leave out a symbol are refused.
    pub strict: bool,
    /// Whether to decide what can be covered, and how.
    pub deciding: Option<Deciding>,
    /// Where a table of all AST-bits goes.
    pub listing: Option<Listing>,
    /// Whether the figures are printed as JSON.
    pub json: bool,
    /// When the job began, and what stops it: reading, measuring and deciding.
    pub begun: Begun,
}

/// The way to decide what can be covered.
pub struct Deciding {
    /// The seed of all random choices.
    pub seed: u64,
    /// The number of threads that may work.
    pub threads: usize,
}

impl CoveragePlan {
    /// Resolves the arguments of a job that begins now.
    ///
    /// # Errors
    /// More than one input is standard input, options contradict each other, or a file cannot be written.
    pub fn new(arguments: &CoverageArguments, stop: &Stop) -> Result<Self, Failure> {
        let CoverageArguments {
            formula,
            models,
            measure,
            predicates,
            strict,
            decide,
            ast_bits,
            json,
            integers,
            limits,
            messages: _,
        } = arguments;
        if ast_bits.is_some() && *measure == CoverageMeasure::Wire {
            return Err(Failure::usage(
                "--ast-bits lists AST-bits, and --measure wire counts points of wires",
            ));
        }
        let files = iter::once(&formula.formula).chain(models).chain(predicates);
        let listing = ast_bits.as_deref().map(|file| Listing::new(file, files.map(PathBuf::as_path)));
        let plan = CoveragePlan {
            formula: Input::from_argument(&formula.formula),
            input_format: formula.format.input_format,
            integer_bits: integers.integer_bits,
            measure: match measure {
                CoverageMeasure::Ast => Measure::Ast,
                CoverageMeasure::Wire => Measure::Wire,
            },
            models: models.iter().map(|path| Input::from_argument(path)).collect(),
            predicates: predicates.as_deref().map(Input::from_argument),
            strict: *strict,
            deciding: decide.then(|| Deciding { seed: limits.seed, threads: limits.threads() }),
            listing: listing.transpose()?,
            json: *json,
            begun: Begun::now(limits.timeout, stop),
        };
        let inputs = iter::once(&plan.formula).chain(&plan.models).chain(&plan.predicates);
        if inputs.filter(|&input| *input == Input::Standard).count() > 1 {
            return Err(Failure::usage("standard input (-) can be read only once"));
        }
        Ok(plan)
    }
}

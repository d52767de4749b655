//! Predicates of a file, or made of a formula.

use sundry_coverage::{Predicate, random_predicates};
use sundry_sample::{Control, internal_predicates};
use sundry_smtlib::print_term;
use sundry_term::quote_symbol;

use crate::arguments::{Plan, SampleArguments};
use crate::console::Console;
use crate::failure::{Failure, Status};
use crate::formula::{LoadedFormula, predicate_failure};
use crate::input::Input;
use crate::interrupt::Stop;
use crate::model::tell_unused;
use crate::output::OutputFile;
use crate::progress::FormulaProgress;

/// Refuses predicates that several formulas cannot have.
///
/// # Errors
/// They are to be saved, or come from standard input.
pub fn check_several(arguments: &SampleArguments) -> Result<(), Failure> {
    let wanted = arguments.strategy.predicates();
    let refuse = |message: &str, help: &str| Err(Failure::new(Status::Input, message).with_help(help));
    if wanted.save_predicates.is_some() {
        return refuse(
            "--save-predicates goes with one formula only, for each has predicates of its own",
            "call sundry once for each formula, or leave it out",
        );
    }
    if wanted.predicates.as_ref().is_some_and(|path| path.as_os_str() == "-") {
        return refuse(
            "predicates for several formulas cannot come from standard input (-), which is read once",
            "put them into a file",
        );
    }
    Ok(())
}

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
pub fn read(
    arguments: &SampleArguments,
    input: &Input,
    stop: &Stop,
    console: &Console,
) -> Result<Subject, Failure> {
    let begun = arguments.limits.begin(stop);
    let format = arguments.format.input_format;
    let (formula, predicates) = match &arguments.strategy.predicates().predicates {
        None => (LoadedFormula::read(input, format, begun, console)?, Vec::new()),
        Some(path) => {
            let file = Input::from_argument(path);
            LoadedFormula::read_with_predicates(input, format, &file, begun, console)?
        }
    };
    if !matches!(arguments.strategy.plan(), Plan::TWise) {
        tell_unused(&formula, console);
    }
    Ok(Subject { formula, predicates })
}

/// Predicates that are made if none come from a file, and saved if that is wanted.
///
/// # Errors
/// There is nothing to make them of, the formula is too large to decide them, or they cannot be saved.
pub fn complete(
    arguments: &SampleArguments,
    subject: &mut Subject,
    saved: Option<&OutputFile>,
    control: &Control,
    progress: &FormulaProgress<'_>,
) -> Result<(), Failure> {
    if arguments.strategy.predicates().are_made() {
        progress.tell("making predicates".to_string());
        subject.predicates = make_predicates(arguments, &mut subject.formula, control)?;
    }
    saved.map_or(Ok(()), |file| {
        file.replace(print_predicates(&subject.formula, &subject.predicates).as_bytes())
    })
}

/// The predicates that are to be made; none unless the command line says so.
fn make_predicates(
    arguments: &SampleArguments,
    formula: &mut LoadedFormula,
    control: &Control,
) -> Result<Vec<Predicate>, Failure> {
    let wanted = arguments.strategy.predicates();
    let seed = arguments.limits.seed;
    let problem = &mut formula.problem;
    let predicates = if let Some(count) = wanted.random_predicates {
        random_predicates(&mut problem.store, &problem.symbols, count.get(), seed, control)
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
fn print_predicates(formula: &LoadedFormula, predicates: &[Predicate]) -> String {
    let print = |predicate: &Predicate| {
        let term = print_term(&formula.problem.store, predicate.term);
        format!("(define-fun {} () Bool {term})\n", quote_symbol(&predicate.name))
    };
    predicates.iter().map(print).collect()
}

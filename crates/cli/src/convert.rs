//! `sundry convert`: a model in another language as a script in SMT-LIB.

use crate::arguments::{ConvertArguments, InputFormat};
use crate::console::Console;
use crate::failure::{Failure, FailureKind, Status};
use crate::input::Input;
use crate::interrupt::Stop;
use crate::model::{format_of, script_of};
use crate::output::{OutputFile, named_file, write_results};

/// The task of the job, resolved once from the arguments.
struct ConvertPlan {
    /// The model.
    input: Input,
    /// The language of the model, where somebody says so.
    input_format: Option<InputFormat>,
    /// A file for the script; without it, the script goes to standard output.
    output: Option<OutputFile>,
}

impl ConvertPlan {
    /// Resolves the arguments of the job.
    ///
    /// # Errors
    /// The output cannot be written, or is the model itself.
    fn new(arguments: &ConvertArguments) -> Result<Self, Failure> {
        let ConvertArguments { formula, output, memory: _, messages: _ } = arguments;
        let input = Input::from_argument(&formula.formula);
        input.check()?;
        let output = named_file(output.as_deref()).map(OutputFile::new).transpose()?;
        if let Some(path) = input.path()
            && output.as_ref().is_some_and(|file| file.is_same_as(path))
        {
            let message = format!("the output {} is the model itself", path.display());
            return Err(Failure::usage(message).mentioning(path.display()).with_help("choose another name"));
        }
        Ok(ConvertPlan { input, input_format: formula.format.input_format, output })
    }
}

/// Runs the job.
///
/// # Errors
/// The model cannot be read, or the script cannot be written.
pub fn run(arguments: &ConvertArguments, stop: &Stop, console: &Console) -> Result<Status, Failure> {
    let ConvertPlan { input, input_format, output } = ConvertPlan::new(arguments)?;
    let control = stop.control();
    let source = input.read(&control)?;
    let Some(format) = format_of(input_format, &input, &source) else {
        let message = "this is not a model in DIMACS, UVL or PICT";
        let help = "--input-format names the language if the file name does not; SMT-LIB needs no conversion";
        return Err(Failure::of(FailureKind::Input, source.name(), message).with_help(help));
    };
    let script = script_of(format, &source, &control, console)?;
    match output {
        Some(file) => file.replace(script.as_bytes())?,
        None => write_results(script.as_bytes(), "-o FILE")?,
    }
    Ok(Status::Done)
}

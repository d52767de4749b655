//! `sundry convert`: a model in another language as a script in SMT-LIB.

use sundry_models::print_model_as_script;

use crate::arguments::ConvertArguments;
use crate::console::Console;
use crate::failure::{Failure, FailureKind, Status};
use crate::input::Input;
use crate::interrupt::Stop;
use crate::model::{format_of, parse};
use crate::output::{OutputFile, write_results};

/// Runs the job.
///
/// # Errors
/// The model cannot be read, or the script cannot be written.
pub fn run(arguments: &ConvertArguments, stop: &Stop, console: &Console) -> Result<Status, Failure> {
    let ConvertArguments { formula, output, .. } = arguments;
    let input = Input::from_argument(&formula.formula);
    let control = stop.control();
    let source = input.read(&control)?;
    let Some(format) = format_of(formula.format.input_format, &input, &source) else {
        let message = "this is no model in DIMACS, UVL or PICT";
        let help =
            "where the name does not tell the language, --input-format does; SMT-LIB needs no conversion";
        return Err(Failure::of(FailureKind::Input, source.name(), message).with_help(help));
    };
    let file = output.as_deref().map(OutputFile::new).transpose()?;
    if let Some(path) = input.path()
        && file.as_ref().is_some_and(|file| file.is_same_as(path))
    {
        let message = format!("the output {} is the model itself", path.display());
        return Err(Failure::usage(message).mentioning(path.display()).with_help("choose another name"));
    }
    let script = print_model_as_script(&parse(format, &source, &control, console)?, source.name());
    match file {
        Some(file) => file.replace(script.as_bytes())?,
        None => write_results(script.as_bytes(), "-o FILE")?,
    }
    Ok(Status::Done)
}

//! `sundry solve`: a solver that answers SMT-LIB scripts, from a file or in a conversation.
//!
//! The habits are those of the SMT-LIB standard and of SMT-COMP: answers and errors on standard
//! output, one per command and flushed at once; after an error the next command is read. The exit
//! status is that of all jobs.

mod arguments;
mod channels;
mod input;
mod interrupt;

use std::path::Path;

use sundry::script::{Interpreter, InterpreterOptions, ScriptStatus};
use sundry_models::print_model_as_script;
use sundry_smtlib::SourceText;
use sundry_term::Control;

pub use arguments::{LONG_ABOUT, SolveArguments};

use crate::arguments::InputFormat;
use crate::console::Console;
use crate::failure::{Failure, Status};
use crate::input::Input;
use crate::interrupt::Stop;
use crate::model::{format_of, parse};
use channels::ConsoleChannels;
use input::{Arrival, ScriptText};
use interrupt::Interruption;

/// Runs the job.
///
/// # Errors
/// The script cannot be read or the answers cannot be written.
pub fn run(arguments: &SolveArguments, stop: &Stop, console: &Console) -> Result<Status, Failure> {
    let interruption = Interruption::install(stop);
    let conditions =
        InterpreterOptions { timeout: arguments.timeout, seed: arguments.seed, control: stop.control() };
    let control = conditions.control();
    let mut script = interruption.while_waiting(|| open(arguments, &control, console))?;
    let mut interpreter = Interpreter::new(conditions, ConsoleChannels::new(console));
    interpreter.begin_with(control);
    while !interpreter.is_finished() {
        let position = interpreter.position();
        let arrival = match script.is_stream() {
            true => {
                let arrival = interruption.while_waiting(|| script.wait(position));
                // Whoever writes the script may take as long as it takes.
                interpreter.begin();
                arrival
            }
            false => script.wait(position),
        };
        let arrival = arrival.map_err(|error| Failure::reading(Path::new(script.source().name()), &error))?;
        let response = match arrival {
            Arrival::End => break,
            Arrival::NoText(message) => Some(interpreter.refuse_text(message)),
            Arrival::Command => interpreter.step(script.source(), script.is_stream()),
        };
        match response {
            None if !script.is_stream() => break,
            None => {}
            Some(response) => {
                if let Some(line) = interpreter.line(response) {
                    interpreter.channels().answer(&script.source().encode(&line))?;
                }
            }
        }
    }
    let status = match interpreter.status() {
        ScriptStatus::Done => Status::Done,
        ScriptStatus::Error => Status::Input,
        ScriptStatus::Limit => Status::Limit,
        ScriptStatus::Defect => Status::Internal,
    };
    // The program ends here: giving back every term and clause one by one would only take time.
    std::mem::forget(interpreter);
    Ok(status)
}

/// The script; of a model in another language, the script that asks whether it has a solution.
fn open(arguments: &SolveArguments, control: &Control, console: &Console) -> Result<ScriptText, Failure> {
    let said = arguments.format.input_format;
    let input = arguments.input.as_deref().map_or(Input::Standard, Input::from_argument);
    match input {
        // A conversation is in SMT-LIB.
        Input::Standard if said.is_none_or(|said| said == InputFormat::Smt2) => {
            Ok(ScriptText::stream(&Input::Standard.to_string(), Box::new(Input::Standard.open()?)))
        }
        input => {
            let source = input.read(control)?;
            Ok(ScriptText::whole(match format_of(said, &input, &source) {
                None => source,
                Some(format) => {
                    let model = parse(format, &source, control, console)?;
                    SourceText::new(source.name(), print_model_as_script(&model, source.name()))
                }
            }))
        }
    }
}

//! `sundry solve`: a solver that answers SMT-LIB scripts, from a file or in a conversation.
//!
//! The habits are those of the SMT-LIB standard and of SMT-COMP: answers and errors on standard
//! output, one per command and flushed at once; after an error the next command is read. The exit
//! status is that of all jobs.

mod arguments;
mod input;
mod interpreter;
mod interrupt;
mod options;
mod reply;
mod written;

use std::path::Path;

pub use arguments::{LONG_ABOUT, SolveArguments};

use crate::console::Console;
use crate::failure::{Failure, Status};
use crate::formula::Input;
use crate::output::write_results;
use input::{Arrival, ScriptText};
use interpreter::{Conditions, Interpreter};
use interrupt::Interruption;

/// Runs the job.
///
/// # Errors
/// The script cannot be read or the answers cannot be written.
pub fn run(arguments: &SolveArguments, console: &Console) -> Result<Status, Failure> {
    let interruption = Interruption::install();
    let mut script = open(arguments.input.as_deref())?;
    let stop = interruption.stop_flag();
    let conditions = Conditions { timeout: arguments.timeout, seed: arguments.seed, stop };
    let mut interpreter = Interpreter::new(conditions, console);
    while !interpreter.is_finished() {
        let position = interpreter.position();
        let arrival = match script.is_stream() {
            true => interruption.while_waiting(|| script.wait(position)),
            false => script.wait(position),
        };
        let arrival = arrival.map_err(|error| Failure::reading(Path::new(script.source().name()), &error))?;
        let answer = match arrival {
            Arrival::End => break,
            Arrival::NoText(message) => interpreter.error(message),
            Arrival::Command => match interpreter.step(script.source()) {
                None if !script.is_stream() => break,
                answer => answer.unwrap_or_default(),
            },
        };
        if !answer.is_empty() {
            write_results(answer.as_bytes())?;
        }
    }
    let status = interpreter.status();
    // The program ends here: giving back every term and clause one by one would only take time.
    std::mem::forget(interpreter);
    Ok(status)
}

fn open(path: Option<&Path>) -> Result<ScriptText, Failure> {
    match path.map_or(Input::Standard, Input::from_argument) {
        Input::Standard => Ok(ScriptText::stream(&Input::Standard.to_string(), Box::new(std::io::stdin()))),
        file => Ok(ScriptText::whole(file.read()?)),
    }
}

//! `sundry solve`: a solver that answers SMT-LIB scripts, from a file or in a conversation.
//!
//! The habits are those of the SMT-LIB standard and of SMT-COMP: answers and errors on standard
//! output, one per command and flushed at once; after an error the next command is read. The exit
//! status is that of all jobs.

mod channels;
mod input;
mod interrupt;

use std::path::Path;

use sundry::Control;
use sundry::read::SourceText;
use sundry::script::{
    FloatMethod, FloatOptions, FloatStrategy, Interpreter, InterpreterOptions, ScriptStatus, Waypoint,
};

use crate::arguments::{
    FloatMethodArgument, FloatStrategyArgument, InputFormat, PartialPoints, SolveArguments,
};
use crate::console::Console;
use crate::failure::{Failure, Status};
use crate::input::Input;
use crate::interrupt::Stop;
use crate::model::{format_of, script_of};
use crate::output::OutputFile;
use channels::ConsoleChannels;
use input::{Arrival, ScriptText};
use interrupt::Interruption;

/// The task of the job, resolved once from the arguments.
struct SolvePlan {
    /// The script.
    input: Input,
    /// The language of the script, where somebody says so.
    input_format: Option<InputFormat>,
    /// The limits of answers, and the seed of randomness.
    options: InterpreterOptions,
    /// The file for partial solutions, and their largest number for each check.
    partial: Option<(OutputFile, usize)>,
}

impl SolvePlan {
    /// Resolves the arguments of the job.
    ///
    /// # Errors
    /// The file for partial solutions cannot be written, or is the script itself.
    fn new(arguments: &SolveArguments, stop: &Stop) -> Result<Self, Failure> {
        let SolveArguments {
            input,
            format,
            timeout,
            seed,
            floats,
            float_strategy,
            partial,
            partial_points,
            partial_limit,
            memory: _,
            messages: _,
        } = arguments;
        let input = input.as_deref().map_or(Input::Standard, Input::from_argument);
        let partial = partial.as_deref().map(OutputFile::new).transpose()?;
        if let (Some(path), Some(file)) = (input.path(), &partial) {
            file.require_other_than(path, "script")?;
        }
        Ok(SolvePlan {
            input,
            input_format: format.input_format,
            options: InterpreterOptions {
                timeout: *timeout,
                seed: *seed,
                floats: float_options(*floats, *float_strategy, *partial_points),
                control: stop.control(),
            },
            partial: partial.map(|file| (file, *partial_limit)),
        })
    }
}

/// The options for formulas over floating-point values.
fn float_options(
    method: FloatMethodArgument,
    strategy: FloatStrategyArgument,
    partial: PartialPoints,
) -> FloatOptions {
    FloatOptions {
        method: match method {
            FloatMethodArgument::Both => FloatMethod::Both,
            FloatMethodArgument::Circuit => FloatMethod::Circuit,
            FloatMethodArgument::Search => FloatMethod::Search,
        },
        strategy: match strategy {
            FloatStrategyArgument::BasinHopping => FloatStrategy::BasinHopping,
            FloatStrategyArgument::Annealing => FloatStrategy::Annealing,
            FloatStrategyArgument::Swarm => FloatStrategy::Swarm,
        },
        partial: match partial {
            PartialPoints::Minima => Waypoint::LocalMinimum,
            PartialPoints::Accepted => Waypoint::Accepted,
        },
    }
}

/// Runs the job.
///
/// # Errors
/// The script cannot be read or the answers cannot be written.
pub fn run(arguments: &SolveArguments, stop: &Stop, console: &Console) -> Result<Status, Failure> {
    let interruption = Interruption::install(stop);
    let plan = SolvePlan::new(arguments, stop)?;
    let control = plan.options.control();
    let mut script = interruption.while_waiting(|| open(&plan, &control, console))?;
    let mut channels = ConsoleChannels::new(console);
    if let Some((file, limit)) = &plan.partial {
        channels.write_partial_solutions(file, *limit)?;
    }
    let mut interpreter = Interpreter::new(plan.options, channels);
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
    if let Some(failure) = interpreter.channels().take_failure() {
        return Err(failure);
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
fn open(plan: &SolvePlan, control: &Control, console: &Console) -> Result<ScriptText, Failure> {
    let said = plan.input_format;
    match &plan.input {
        // A conversation is in SMT-LIB.
        Input::Standard if said.is_none_or(|said| said == InputFormat::Smt2) => {
            Ok(ScriptText::stream(&Input::Standard.to_string(), Box::new(Input::Standard.open()?)))
        }
        input => {
            let source = input.read(control)?;
            Ok(ScriptText::whole(match format_of(said, input, &source) {
                None => source,
                Some(format) => SourceText::new(source.name(), script_of(format, &source, control, console)?),
            }))
        }
    }
}

//! The script to shrink, and the behaviour to keep, resolved once from the arguments: nothing below sees options.

use std::time::{Duration, Instant};

use sundry::Control;
use sundry_external::Limits;
use sundry_fuzz::Pace;

use crate::arguments::ReduceArguments;
use crate::commands;
use crate::failure::Failure;
use crate::input::Input;
use crate::interrupt::Stop;
use crate::output::{OutputFile, named_file};

/// The task of the job.
pub struct ReducePlan {
    /// The script.
    pub script: Input,
    /// Whether the script is reduced as a tree of expressions, whatever is known of it.
    pub as_tree: bool,
    /// The behaviour that a smaller script has to keep.
    pub wanted: Wanted,
    /// The limits of each run of a command.
    pub limits: Limits,
    /// A file for the smallest script; without it, the script goes to standard output.
    pub output: Option<OutputFile>,
    /// When the job began.
    pub start: Instant,
    /// When the job has to end.
    pub deadline: Option<Instant>,
    /// The control that stops the job.
    pub control: Control,
}

/// The behaviour that a smaller script has to keep.
pub enum Wanted {
    /// A command behaves in the same way.
    Same {
        /// The command.
        command: String,
        /// The text that the command has to print; without any text, the same as for the whole script.
        matches: Vec<String>,
        /// The number of scripts that are checked at the same time.
        jobs: usize,
    },
    /// A command stays slow.
    Slow {
        /// The slow command.
        slow: String,
        /// The command that has to stay faster.
        fast: Option<String>,
        /// The times that count as slow.
        pace: Pace,
    },
}

impl ReducePlan {
    /// Resolves the arguments of a job that begins now.
    ///
    /// # Errors
    /// There is no such script, the output cannot be written, or nothing says what a smaller script has to show.
    pub fn new(arguments: &ReduceArguments, stop: &Stop) -> Result<Self, Failure> {
        let start = Instant::now();
        let deadline = arguments.timeout.and_then(|timeout: Duration| start.checked_add(timeout));
        let script = Input::from_argument(&arguments.script);
        script.check()?;
        Ok(ReducePlan {
            script,
            as_tree: arguments.tree,
            wanted: Wanted::new(arguments)?,
            limits: commands::limits(arguments.check_timeout, arguments.check_memory),
            output: named_file(arguments.output.as_deref()).map(OutputFile::new).transpose()?,
            start,
            deadline,
            control: stop.control().with_deadline(deadline),
        })
    }
}

impl Wanted {
    fn new(arguments: &ReduceArguments) -> Result<Self, Failure> {
        let ReduceArguments { check, matches, slow, fast, factor, at_least, check_timeout, jobs, .. } =
            arguments;
        match (check, slow) {
            (Some(command), _) => {
                Ok(Wanted::Same { command: command.clone(), matches: matches.clone(), jobs: jobs.get() })
            }
            (None, Some(slow)) => Ok(Wanted::Slow {
                slow: slow.clone(),
                fast: fast.clone(),
                pace: Pace { factor: *factor, at_least: *at_least, limit: *check_timeout },
            }),
            (None, None) => Err(Failure::usage("nothing says what a smaller script has to show")
                .with_help("add --check COMMAND or --slow COMMAND")),
        }
    }
}

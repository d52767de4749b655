//! The command line, defined once: parsing, `--help`, completions and man pages come from it.
//!
//! A folder's worth of options per job: each job has its own module.

mod cc;
mod convert;
mod coverage;
mod effects;
mod explore;
mod fuzz;
mod merge;
mod reduce;
mod sample;
mod solve;
mod solvers;
mod strategy;
mod stress;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use sundry::Control;
use sundry::coverage::INTEGER_BITS;

use crate::console::Verbosity;
use crate::interrupt::Stop;
use crate::log::LogFilter;
use crate::memory::Amount;
use crate::values::parse_integer_bits;
pub use cc::CcArguments;
pub use convert::ConvertArguments;
pub use coverage::{CoverageArguments, CoverageMeasure};
pub use effects::check as check_effects;
pub use explore::{ExploreArguments, ExploreNumbers, KeptTests};
pub use fuzz::{FormName, FuzzArguments, MutantPlace, StrategyName};
pub use merge::MergeArguments;
pub use reduce::ReduceArguments;
pub use sample::{OutputFormat, SampleArguments};
pub use solve::{FloatMethodArgument, FloatStrategyArgument, PartialPoints, SolveArguments};
pub use solvers::SolverArguments;
pub use strategy::StrategyArguments;
pub use stress::{
    CountersArgument, CoverageRulesName, MeasureName, ObjectiveName, StressArguments, VariantName,
};

const ABOUT: &str = "Turns logical constraints into tests: many different solutions instead of one";

const LONG_ABOUT: &str = "\
Sundry turns logical constraints into tests. A formula in SMT-LIB, the common language of solvers, \
says what a valid test input is; Sundry finds a small set of solutions that together exercise everything the \
formula leaves open, checks every one of them, and reports exactly how much they cover.

Start with:  sundry sample FORMULA.smt2";

const EXIT_CODES: &str = "\
Exit codes:
  0  done: the coverage or number of solutions asked for is reached
  1  done, and something was found that you must look at: the formula to
     sample is unsatisfiable, a model does not satisfy it, a solver has a defect
  2  the command line or an input is at fault
  3  a limit (time, memory, Ctrl-C, a full disk) stopped it; results so far are kept
  4  a defect of sundry
Results go to standard output, everything else to standard error.
For several formulas, the exit code is the highest of their codes.
With --message-format json, or with --json, each error is one JSON object on a line of
standard error: {\"error\": {\"kind\", \"message\", \"file\", \"line\", \"column\", \"help\", \"exit_code\"}}.";

/// The whole command line.
#[derive(Parser, Debug)]
#[command(name = "sundry", version, about = ABOUT, long_about = LONG_ABOUT, after_long_help = EXIT_CODES)]
#[command(propagate_version = true, max_term_width = 100)]
#[command(subcommand_value_name = "JOB", subcommand_help_heading = "Jobs")]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub job: Job,
}

/// What to do.
#[derive(Subcommand, Debug)]
pub enum Job {
    /// Find a small, diverse set of solutions that covers a formula
    #[command(long_about = sample::LONG_ABOUT)]
    Sample(Box<SampleArguments>),
    /// Measure what models cover of a formula
    #[command(long_about = coverage::LONG_ABOUT)]
    Coverage(CoverageArguments),
    /// Write a model in DIMACS, UVL or PICT as a script in SMT-LIB
    #[command(long_about = convert::LONG_ABOUT)]
    Convert(ConvertArguments),
    /// Answer an SMT-LIB script: satisfiable or not, models, cores
    #[command(long_about = solve::LONG_ABOUT)]
    Solve(SolveArguments),
    /// Test SMT solvers: find wrong answers, invalid models and crashes
    #[command(long_about = fuzz::LONG_ABOUT)]
    Fuzz(Box<FuzzArguments>),
    /// Stress SMT solvers: find small inputs on which one is slow and another one fast
    #[command(long_about = stress::LONG_ABOUT)]
    Stress(Box<StressArguments>),
    /// Merge what campaigns of fuzz or stress have found
    #[command(long_about = merge::LONG_ABOUT)]
    Merge(MergeArguments),
    /// Explore a program: tests for its paths, and its errors
    #[command(long_about = explore::LONG_ABOUT)]
    Explore(Box<ExploreArguments>),
    /// Shrink a script while a command keeps behaving the same on it
    #[command(long_about = reduce::LONG_ABOUT)]
    Reduce(Box<ReduceArguments>),
    /// Compile C and C++ to a WebAssembly module that can be explored
    #[command(long_about = cc::LONG_ABOUT)]
    Cc(Box<CcArguments>),
    /// Print a completion script for a shell
    #[command(long_about = COMPLETIONS_ABOUT)]
    Completions {
        /// The shell
        shell: Shell,

        #[command(flatten)]
        format: MessageFormatArgument,
    },
    /// Print a manual page
    #[command(long_about = MAN_ABOUT)]
    Man {
        /// The job that the page is about; without it, sundry as a whole
        job: Option<String>,

        #[command(flatten)]
        format: MessageFormatArgument,
    },
}

const COMPLETIONS_ABOUT: &str = "\
Print a completion script for a shell, for example

  bash:  sundry completions bash > ~/.local/share/bash-completion/completions/sundry
  zsh:   sundry completions zsh > ~/.zfunc/_sundry    (with ~/.zfunc in $fpath)
  fish:  sundry completions fish > ~/.config/fish/completions/sundry.fish";

const MAN_ABOUT: &str = "\
Print a manual page, for example

  sundry man > sundry.1
  sundry man sample | man -l -";

impl Job {
    /// How much the program reports on standard error.
    pub fn verbosity(&self) -> Verbosity {
        self.messages().map_or(Verbosity::Normal, MessageArguments::verbosity)
    }

    /// How errors are written. Whoever asks for figures in JSON gets errors in JSON too, unless the command line says how.
    pub fn message_format(&self) -> MessageFormat {
        let (said, is_json) = match self {
            Job::Completions { format, .. } | Job::Man { format, .. } => (format.message_format, false),
            Job::Sample(arguments) => (arguments.messages.format.message_format, arguments.output.json),
            Job::Coverage(arguments) => (arguments.messages.format.message_format, arguments.json),
            Job::Explore(arguments) => (arguments.messages.format.message_format, arguments.json),
            _ => (self.messages().and_then(|messages| messages.format.message_format), false),
        };
        said.unwrap_or(if is_json { MessageFormat::Json } else { MessageFormat::Text })
    }

    /// The options about the log, of jobs that work on something.
    pub fn log(&self) -> Option<&LogArguments> {
        self.messages().map(|messages| &messages.log)
    }

    /// The options about messages, of jobs that work on something.
    fn messages(&self) -> Option<&MessageArguments> {
        match self {
            Job::Sample(arguments) => Some(&arguments.messages),
            Job::Coverage(arguments) => Some(&arguments.messages),
            Job::Convert(arguments) => Some(&arguments.messages),
            Job::Solve(arguments) => Some(&arguments.messages),
            Job::Fuzz(arguments) => Some(&arguments.messages),
            Job::Stress(arguments) => Some(&arguments.messages),
            Job::Merge(arguments) => Some(&arguments.messages),
            Job::Explore(arguments) => Some(&arguments.messages),
            Job::Reduce(arguments) => Some(&arguments.messages),
            Job::Cc(arguments) => Some(&arguments.messages),
            Job::Completions { .. } | Job::Man { .. } => None,
        }
    }
}

impl Job {
    /// The memory that the program may use, where somebody says so.
    pub fn memory(&self) -> Option<Amount> {
        match self {
            Job::Sample(arguments) => arguments.limits.memory.memory,
            Job::Coverage(arguments) => arguments.limits.memory.memory,
            Job::Convert(arguments) => arguments.memory.memory,
            Job::Solve(arguments) => arguments.memory.memory,
            Job::Fuzz(arguments) => arguments.limits.memory.memory,
            Job::Stress(arguments) => arguments.limits.memory.memory,
            Job::Explore(arguments) => arguments.memory.memory,
            Job::Reduce(arguments) => arguments.memory.memory,
            Job::Merge(_) | Job::Cc(_) | Job::Completions { .. } | Job::Man { .. } => None,
        }
    }
}

/// The option about memory, the same for all jobs.
#[derive(Args, Copy, Clone, Debug)]
pub struct MemoryArgument {
    /// Stop when the program itself uses more memory than this, and keep what was found: an amount such as 512M
    /// or 2G, or a share of what there is such as 50% [default: 75% of what machine and container have left; of limits
    /// on the address space (ulimit -v) never more than half]
    #[arg(long, value_name = "AMOUNT", value_parser = crate::memory::parse_amount, help_heading = "Limits")]
    pub memory: Option<Amount>,
}

/// Options about messages, the same for all jobs.
#[derive(Args, Clone, Debug)]
pub struct MessageArguments {
    /// Print errors only: no progress, notes or summary
    #[arg(short, long, help_heading = "Messages", conflicts_with = "verbose")]
    quiet: bool,

    /// Print every step
    #[arg(short, long, help_heading = "Messages")]
    verbose: bool,

    #[command(flatten)]
    format: MessageFormatArgument,

    #[command(flatten)]
    log: LogArguments,
}

/// Options about the log, the same for all jobs.
#[derive(Args, Clone, Debug)]
#[group(skip)]
pub struct LogArguments {
    /// Log the phases of the work and the time that each takes, at a level (off, error, warn, info, debug, trace) for everything or
    /// for one crate (such as sundry_solver=debug); commas separate several
    #[arg(long, value_name = "LEVEL|CRATE=LEVEL", help_heading = "Messages")]
    pub log: Option<LogFilter>,

    /// Write the log to the end of this file instead of standard error
    #[arg(long, value_name = "FILE", requires = "log", help_heading = "Messages")]
    pub log_file: Option<PathBuf>,
}

/// How errors are written.
#[derive(ValueEnum, Copy, Clone, PartialEq, Eq, Debug)]
pub enum MessageFormat {
    /// Lines for people
    Text,
    /// One JSON object per line and error, for programs
    Json,
}

/// Says how errors are written, the same for all jobs.
#[derive(Args, Copy, Clone, Debug)]
#[group(skip)]
pub struct MessageFormatArgument {
    /// How errors are written to standard error [default: text; with --json, json]
    #[arg(long, value_name = "FORMAT", value_enum, help_heading = "Messages")]
    message_format: Option<MessageFormat>,
}

impl MessageArguments {
    fn verbosity(&self) -> Verbosity {
        match (self.quiet, self.verbose) {
            (true, _) => Verbosity::Quiet,
            (_, true) => Verbosity::Verbose,
            _ => Verbosity::Normal,
        }
    }
}

/// Options about limits, the same for all jobs.
#[derive(Args, Clone, Debug)]
pub struct LimitArguments {
    /// Stop after this many seconds, and keep what was found. When several formulas are sampled, the limit is for each
    #[arg(short, long, value_name = "SECONDS", value_parser = crate::values::parse_seconds)]
    #[arg(allow_negative_numbers = true, help_heading = "Limits")]
    pub timeout: Option<Duration>,

    #[command(flatten)]
    pub memory: MemoryArgument,

    /// Number of threads; 0 means one for each processor
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0, help_heading = "Limits")]
    threads: usize,

    /// Seed of all random choices; the same seed and options give the same solutions, with any number
    /// of threads
    #[arg(short, long, value_name = "N", default_value_t = 0, help_heading = "Limits")]
    pub seed: u64,
}

impl LimitArguments {
    /// The moment at which work that began at `start` stops.
    pub fn deadline(&self, start: Instant) -> Option<Instant> {
        // A moment too far away to be represented is no limit.
        self.timeout.and_then(|timeout| start.checked_add(timeout))
    }

    /// The same limits, without one on time.
    pub fn without_timeout(&self) -> LimitArguments {
        LimitArguments { timeout: None, ..self.clone() }
    }

    /// What stops work that began at `start`: time that is up, or somebody who sets `stop`.
    pub fn control(&self, start: Instant, stop: &Stop) -> Control {
        stop.control().with_deadline(self.deadline(start))
    }

    /// The number of threads, at least 1.
    pub fn threads(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        }
    }
}

/// Names a formula on the command line.
#[derive(Args, Clone, Debug)]
pub struct FormulaArgument {
    /// The formula in SMT-LIB, or a model in DIMACS, UVL or PICT; `-` reads standard input
    #[arg(value_name = "FORMULA")]
    pub formula: PathBuf,

    #[command(flatten)]
    pub format: InputFormatArgument,
}

/// Says how much of integers is measured, the same for sampling and measuring.
#[derive(Args, Copy, Clone, Debug)]
#[group(skip)]
pub struct IntegerBitsArgument {
    /// How many low bits of each integer are AST-bits, in two's complement, besides its sign: fewer where the values that matter
    /// are small (8 shows differences up to 255), 0 for the sign alone, more for values beyond 2^64. Integers that are values of
    /// bit-vectors count as integers. A run is faster and takes fewer solutions with fewer bits; coverages can be compared only with the
    /// same number
    #[arg(long, value_name = "N", default_value_t = INTEGER_BITS, value_parser = parse_integer_bits)]
    #[arg(help_heading = "Measuring")]
    pub integer_bits: u32,
}

/// Languages that formulas are written in.
#[derive(ValueEnum, Copy, Clone, PartialEq, Eq, Debug)]
pub enum InputFormat {
    /// Scripts in SMT-LIB
    Smt2,
    /// DIMACS CNF, with names of variables in comments ('c 12 NAME', 'c 12$ NAME' for auxiliary ones)
    Dimacs,
    /// Feature models in the Universal Variability Language
    Uvl,
    /// Models of PICT: parameters with values, and constraints
    Pict,
}

/// Says which language a formula is written in.
#[derive(Args, Copy, Clone, Debug)]
#[group(skip)]
pub struct InputFormatArgument {
    /// The language of the input [default: chosen by the file name (.smt2, .dimacs, .cnf, .uvl, .pict), else by the first
    /// words of the text; PICT models in files with other names need this option]
    #[arg(long = "input-format", value_name = "FORMAT", value_enum, help_heading = "Input")]
    pub input_format: Option<InputFormat>,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn every_option_has_a_help_text() {
        for job in Arguments::command().get_subcommands() {
            assert!(job.get_about().is_some(), "{}", job.get_name());
            for argument in job.get_arguments() {
                assert!(argument.get_help().is_some(), "{} {}", job.get_name(), argument.get_id());
            }
        }
    }
}

//! Experiments: the program against published figures and against other solvers.
//!
//! Programs run as processes, as users run them. A folder keeps the result of each run, so that an interrupted
//! experiment continues where it was, and tables can be printed again. None of this is a test: figures depend on the
//! machine.

mod backbone;
mod campaigns;
mod exactness;
mod faults;
mod limits;
mod published;
mod reducing;
mod runs;
mod sampling;
mod solving;
mod statistics;
mod subjects;
mod suite;
mod workers;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

/// Experiments with Sundry.
#[derive(Parser)]
#[command(name = "sundry-bench", version)]
struct Arguments {
    #[command(subcommand)]
    experiment: Experiment,
}

#[derive(Subcommand)]
enum Experiment {
    /// Sample formulas and compare the numbers of solutions with published ones (PanSampler, tables I to VI)
    Sample(sampling::SampleArguments),
    /// Find the known faults of configurable systems, and compare with published figures (PanSampler, tables VII, VIII)
    Faults(faults::FaultsArguments),
    /// Make up configurable systems with faults, as `faults` takes them
    Subjects(subjects::SubjectsArguments),
    /// Classify all AST-bits as possible or impossible, beside a backbone extractor on the same clauses
    Backbone(backbone::BackboneArguments),
    /// Decide formulas, and each with an impossible AST-bit asserted, beside other solvers
    Solve(solving::SolveArguments),
    /// Let Bitwuzla confirm that complete runs claim only impossible things to be impossible
    Exactness(exactness::ExactnessArguments),
    /// Make scripts that show bugs of solvers smaller, beside ddSMT
    Reduce(reducing::ReduceArguments),
    /// See how soon after its time the program ends
    Limits(limits::LimitsArguments),
    /// Test solvers with each strategy of `sundry fuzz` for the same time
    Fuzz(campaigns::CampaignsArguments),
}

/// The formulas and the folder of results; the same for all experiments.
#[derive(Args, Clone)]
struct SuiteArguments {
    /// Folders of formulas (every .smt2 file below)
    #[arg(required = true, value_name = "DIR")]
    formulas: Vec<PathBuf>,
    /// Only the formulas that this file names, one a line, relative to the folder and without .smt2
    #[arg(long, value_name = "FILE")]
    list: Option<PathBuf>,
    #[command(flatten)]
    runs: RunsArguments,
}

/// The way in which the program runs on many inputs, and the folder of results.
#[derive(Args, Clone)]
struct RunsArguments {
    /// Folder of results; inputs that have a result there are not run again
    #[arg(long, value_name = "DIR")]
    results: PathBuf,
    /// Runs at the same time
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// The program; the one built beside this one if not given
    #[arg(long, value_name = "FILE")]
    sundry: Option<PathBuf>,
}

impl RunsArguments {
    /// The program under test.
    fn program(&self) -> Result<PathBuf, String> {
        program(self.sundry.as_deref())
    }

    /// The folder of results, which is created if it is missing.
    fn results(&self) -> Result<PathBuf, String> {
        std::fs::create_dir_all(&self.results)
            .map_err(|error| format!("{}: {error}", self.results.display()))?;
        Ok(self.results.clone())
    }
}

/// The program under test: the given one, or else the one built beside this one.
fn program(given: Option<&Path>) -> Result<PathBuf, String> {
    let program = match given {
        Some(program) => program.to_path_buf(),
        None => {
            let own = std::env::current_exe().map_err(|error| error.to_string())?;
            own.with_file_name("sundry")
        }
    };
    if program.is_file() {
        Ok(program)
    } else {
        Err(format!("{} is not there: cargo build --release builds it", program.display()))
    }
}

fn main() -> ExitCode {
    let result = match Arguments::parse().experiment {
        Experiment::Sample(arguments) => sampling::run(&arguments),
        Experiment::Faults(arguments) => faults::run(&arguments),
        Experiment::Subjects(arguments) => subjects::run(&arguments),
        Experiment::Backbone(arguments) => backbone::run(&arguments),
        Experiment::Solve(arguments) => solving::run(&arguments),
        Experiment::Exactness(arguments) => exactness::run(&arguments),
        Experiment::Reduce(arguments) => reducing::run(&arguments),
        Experiment::Limits(arguments) => limits::run(&arguments),
        Experiment::Fuzz(arguments) => campaigns::run(&arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

//! Arguments of `sundry solve`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::{InputFormatArgument, MemoryArgument, MessageArguments};
use crate::values::parse_seconds;

/// What the job is about.
pub const LONG_ABOUT: &str = "\
Answer the questions of an SMT-LIB script: is there a solution (check-sat), which (get-model, \
get-value), and if there is none, why (get-unsat-core, get-unsat-assumptions).

The script is a file or standard input. Commands are answered one by one as they arrive, so a \
program or a person can hold a conversation with the solver. Logics: bit-vectors, integers, reals, floating point, arrays, \
uninterpreted functions and sorts, without quantifiers. Every model is checked against all \
assertions before `sat` is printed. After an error, the script continues. Messages for people go to \
standard error, or where :diagnostic-output-channel says; on \"stdout\" they are comments, and come \
with :verbosity 1 only.

A model in DIMACS, UVL or PICT is answered with sat or unsat; `sundry sample -n 1` shows a solution.

Examples:
  sundry solve formula.smt2
  sundry solve --timeout 60 formula.smt2
  (cat formula.smt2; echo '(get-model)') | sundry solve
  get_env().factory.add_generic_solver(\"sundry\", [\"sundry\", \"solve\"], [QF_BV, QF_AUFBV])
      in Python: pySMT asks it, as Solver(name=\"sundry\", logic=QF_BV)";

const EXIT_CODES: &str = "\
Exit codes:
  0  every command was carried out; the answers may be sat, unsat or unknown
  2  the script has an error, or cannot be read
  3  a limit (time, memory, Ctrl-C) stopped a check: the answer was unknown
  4  a defect of sundry
Of several, the highest counts. Answers and (error \"...\") go to standard output, notes to
standard error.";

/// Ways to decide formulas over floating-point values.
#[derive(ValueEnum, Copy, Clone, PartialEq, Eq, Debug)]
pub enum FloatMethodArgument {
    /// Circuits and search take turns of counted work, and the first answer counts
    Both,
    /// Circuits alone: each operation becomes clauses for a SAT solver, which finds solutions and proves that there is none
    Circuit,
    /// Search alone: it computes with the processor's arithmetic how far values are from satisfying the formula, and moves
    /// them closer; without a solution it goes on until a limit. Formulas that it cannot read (arrays, functions) get circuits
    Search,
}

/// Ways to search for floating-point values.
#[derive(ValueEnum, Copy, Clone, PartialEq, Eq, Debug)]
pub enum FloatStrategyArgument {
    /// Local minima, each found from a random change of the one before
    BasinHopping,
    /// Simulated annealing: random steps, of which those in the wrong direction become rarer
    Annealing,
    /// A swarm of points that fly towards the best ones known
    Swarm,
}

/// Points of the search that are partial solutions.
#[derive(ValueEnum, Copy, Clone, PartialEq, Eq, Debug)]
pub enum PartialPoints {
    /// Assignments that no single step improves
    Minima,
    /// Each assignment that the search goes on from
    Accepted,
}

/// Arguments of `sundry solve`.
#[derive(Args, Debug)]
#[command(after_long_help = EXIT_CODES)]
pub struct SolveArguments {
    /// The script; without it, or with -, standard input
    #[arg(value_name = "FILE")]
    pub input: Option<PathBuf>,

    #[command(flatten)]
    pub format: InputFormatArgument,

    /// Stop each answer after this many seconds, with reading the part of the file before it; a check then
    /// answers unknown
    #[arg(short, long, value_name = "SECONDS", value_parser = parse_seconds)]
    #[arg(allow_negative_numbers = true, help_heading = "Limits")]
    pub timeout: Option<Duration>,

    /// Write the partial solutions that each check passes on its way, as lines of JSON
    ///
    /// Partial solutions are assignments that satisfy some of the assertions; as inputs of a program whose path the assertions are, they take other paths. Each line has
    /// the values, the assertions that they satisfy (counted from 0), and the 'origin': 'pivot' (the values of integers and reals before a pivot of the
    /// simplex, rounded), 'refuted' (an assignment that the theory in 'refuted_by' has refuted), 'congruence' (such an assignment in which equal arguments of
    /// functions have been given equal results), 'restart' (what the SAT solver tried last before it started again), or 'optimisation' (a point of the search for floats).
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub partial: Option<PathBuf>,

    /// The points of the search for floats that are partial solutions: its local minima, or each assignment that it goes on from
    #[arg(long, value_name = "POINTS", value_enum, default_value = "minima", help_heading = "Output")]
    pub partial_points: PartialPoints,

    /// Largest number of different partial solutions of a check
    #[arg(long, value_name = "N", default_value_t = 1000, help_heading = "Output")]
    pub partial_limit: usize,

    /// The way to decide formulas over floating-point values
    #[arg(long, value_name = "METHOD", value_enum, default_value = "both", help_heading = "Floating point")]
    pub floats: FloatMethodArgument,

    /// The way to search for floating-point values; all find solutions only, and differ in time
    #[arg(
        long,
        value_name = "STRATEGY",
        value_enum,
        default_value = "basin-hopping",
        help_heading = "Floating point"
    )]
    pub float_strategy: FloatStrategyArgument,

    /// Seed of all random choices; the script's option :random-seed replaces it
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Limits")]
    pub seed: u32,

    #[command(flatten)]
    pub memory: MemoryArgument,

    #[command(flatten)]
    pub messages: MessageArguments,
}

//! Arguments of `sundry convert`.

use std::path::PathBuf;

use clap::Args;

use super::{FormulaArgument, MemoryArgument, MessageArguments};

/// What the job is about.
pub const LONG_ABOUT: &str = "\
Write a model of a configurable system, in DIMACS CNF, UVL or PICT, as a script in SMT-LIB.

Other solvers read the script, so they can check what sundry reports about the model. Constants have the names of \
the model; comments say which values the numbers of a parameter stand for.";

const EXAMPLES: &str = "\
Examples:
  sundry convert phone.uvl
      the script on standard output
  sundry convert volume.txt --input-format pict -o volume.smt2
      a model of PICT with another name
  sundry sample phone.uvl -n 1 > model.txt; sundry convert phone.uvl -o phone.smt2
      a solution in SMT-LIB, and the formula that it satisfies

Exit codes: 0 written; 2 bad command line or input.";

/// Arguments of `sundry convert`.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct ConvertArguments {
    #[command(flatten)]
    pub formula: FormulaArgument,

    /// File for the script instead of standard output (-)
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub memory: MemoryArgument,

    #[command(flatten)]
    pub messages: MessageArguments,
}

//! Arguments of `sundry reduce`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::{MemoryArgument, MessageArguments};
use crate::values::{parse_count, parse_seconds};

/// What the job is about.
pub const LONG_ABOUT: &str = "\
Shrink a script while a command keeps behaving the same on it, or stays slow.

The command gets the file of a script as its last argument. With --check, Sundry accepts a smaller script if the command \
ends with the same exit code and prints the same as for the whole script; with --match, if it prints these texts. With \
--slow, Sundry accepts a smaller script if the command still takes long; with --fast as well, if it still takes many \
times as long as the other command, which has to end as it does for the whole script, without a new error.

Sundry removes commands, replaces terms by simpler terms of the same sort, and narrows sorts, datatypes and functions, \
until no change makes the script smaller; then symbols get short names. In a script with something that Sundry does not \
know, Sundry removes and replaces expressions by their parentheses and the declarations. Whenever Sundry finds a smaller script, it writes \
that script.";

const EXAMPLES: &str = "\
Examples:
  sundry reduce bug.smt2 --check z3 -o small.smt2
      z3 answers the same to small.smt2 as to bug.smt2
  sundry reduce crash.smt2 --check 'cvc5 --strings-exp' --match 'Fatal failure'
      cvc5 still fails, whatever else it prints
  sundry reduce wrong.smt2 --check ./disagree.sh
      a script of your own decides, by its exit code and what it prints
  sundry reduce slow.smt2 --slow z3 --fast cvc5 --factor 20
      z3 takes at least half a second, and 20 times as long as cvc5
  sundry reduce slow.smt2 --slow 'z3 smt.arith.solver=2' --at-least 2
      z3 takes at least two seconds

Exit codes: 0 the script is as small as it gets; 2 bad command line or input; 3 a
limit stopped it, the smallest script so far is kept; 4 a defect of sundry.";

/// Arguments of `sundry reduce`.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct ReduceArguments {
    /// The script in SMT-LIB; `-` reads standard input
    #[arg(value_name = "SCRIPT")]
    pub script: PathBuf,

    /// The command that must keep behaving the same; the script's file is its last argument
    #[arg(short, long, value_name = "COMMAND", required_unless_present = "slow", help_heading = "Check")]
    pub check: Option<String>,

    /// A text that the command has to print, to either output; then the rest of its behaviour may change. Repeat for
    /// several
    #[arg(short, long = "match", value_name = "TEXT", conflicts_with = "slow", help_heading = "Check")]
    pub matches: Vec<String>,

    /// The command that must stay slow
    #[arg(long, value_name = "COMMAND", conflicts_with = "check", help_heading = "Check")]
    pub slow: Option<String>,

    /// The command that must stay faster than the slow one
    #[arg(long, value_name = "COMMAND", requires = "slow", help_heading = "Check")]
    pub fast: Option<String>,

    /// How many times as long the slow command takes as the fast one, in processor time
    #[arg(long, value_name = "NUMBER", default_value = "5", value_parser = parse_factor, requires = "fast")]
    #[arg(allow_negative_numbers = true, help_heading = "Check")]
    pub factor: f64,

    /// Seconds of processor time that the slow command takes at least
    #[arg(long, value_name = "SECONDS", default_value = "0.5", value_parser = parse_seconds, requires = "slow")]
    #[arg(allow_negative_numbers = true, help_heading = "Check")]
    pub at_least: Duration,

    /// Maximum seconds for each run of a command. A run that exceeds this limit counts as the outcome 'timeout'. For smaller
    /// scripts, the limit is about four times the time of the whole script
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = parse_seconds)]
    #[arg(help_heading = "Check")]
    pub check_timeout: Duration,

    /// Memory for each run of the command, in MiB
    #[arg(long, value_name = "MIB", default_value = "4096", value_parser = parse_count)]
    #[arg(help_heading = "Check")]
    pub check_memory: NonZeroUsize,

    /// Scripts to check at the same time; the result is the same for any number
    #[arg(short, long, value_name = "N", default_value = "1", value_parser = parse_count)]
    #[arg(conflicts_with = "slow", help_heading = "Check")]
    pub jobs: NonZeroUsize,

    /// Reduce the script as a tree of expressions, by its parentheses alone. Sundry does so by itself with scripts that have
    /// something that it does not know, such as theories of one solver
    #[arg(long, help_heading = "Reduction")]
    pub tree: bool,

    /// Stop after this many seconds, and keep the smallest script so far
    #[arg(short, long, value_name = "SECONDS", value_parser = parse_seconds)]
    #[arg(allow_negative_numbers = true, help_heading = "Limits")]
    pub timeout: Option<Duration>,

    /// File for the smallest script instead of standard output (-)
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub memory: MemoryArgument,

    #[command(flatten)]
    pub messages: MessageArguments,
}

/// A number greater than 1.
fn parse_factor(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(factor) if factor > 1.0 && factor.is_finite() => Ok(factor),
        _ => Err("expected a number greater than 1".to_string()),
    }
}

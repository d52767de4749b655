//! Arguments of `sundry reduce`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::MessageArguments;
use crate::values::{parse_count, parse_seconds};

/// What the job is about.
pub const LONG_ABOUT: &str = "\
Make a script smaller while a command still does the same with it.

The command gets the file of a script as its last argument. A smaller script is taken when the command ends with \
the same exit code as for the whole, and prints the same; with --match, when it prints these texts. Commands of \
the script are removed, terms replaced by simpler ones of the same sort, bit-vectors and floating-point formats \
made narrower, until nothing is left that can go. The smallest script so far is written whenever there is one.";

const EXAMPLES: &str = "\
Examples:
  sundry reduce bug.smt2 --check z3 -o small.smt2
      z3 answers the same to small.smt2 as to bug.smt2
  sundry reduce crash.smt2 --check 'cvc5 --strings-exp' --match 'Fatal failure'
      cvc5 still fails, whatever else it prints
  sundry reduce wrong.smt2 --check ./disagree.sh
      a script of your own decides, by its exit code and what it prints

Exit codes: 0 the script is as small as it gets; 2 bad command line or input; 3 a
limit stopped it, the smallest script so far is kept; 4 a defect of sundry.";

/// Arguments of `sundry reduce`.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct ReduceArguments {
    /// The script in SMT-LIB; `-` reads standard input
    #[arg(value_name = "SCRIPT")]
    pub script: PathBuf,

    /// The command that is to do the same with a smaller script; the file is its last argument
    #[arg(short, long, value_name = "COMMAND", help_heading = "Check")]
    pub check: String,

    /// A text that the command has to print, to either output, instead of the same as for the whole
    /// script. Repeat for several
    #[arg(short, long = "match", value_name = "TEXT", help_heading = "Check")]
    pub matches: Vec<String>,

    /// Seconds for each run of the command; running longer is an outcome like others
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = parse_seconds)]
    #[arg(help_heading = "Check")]
    pub check_timeout: Duration,

    /// Memory for each run of the command, in MiB
    #[arg(long, value_name = "MIB", default_value = "4096", value_parser = parse_count)]
    #[arg(help_heading = "Check")]
    pub check_memory: NonZeroUsize,

    /// Stop after this many seconds, and keep the smallest script so far
    #[arg(short, long, value_name = "SECONDS", value_parser = parse_seconds)]
    #[arg(allow_negative_numbers = true, help_heading = "Limits")]
    pub timeout: Option<Duration>,

    /// File for the smallest script; without it, standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub messages: MessageArguments,
}

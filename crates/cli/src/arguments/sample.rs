//! Arguments of `sundry sample`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{InputFormatArgument, IntegerBitsArgument, LimitArguments, MessageArguments, StrategyArguments};
use crate::values::{parse_count, parse_share};

/// What the job is about.
pub const LONG_ABOUT: &str = "\
Find a small, diverse set of solutions that together cover what the formula leaves open.

A formula over Booleans, bit-vectors, floating point, arrays and uninterpreted functions is a graph of operations. \
Every bit of every operation can be 0 or 1; each of these possibilities is an AST-bit. A set of \
solutions covers an AST-bit when in one of them the bit has that value. AST-bits that no solution \
covers are proved impossible and excluded, so that 100 % means: everything that can happen \
happens in one of these solutions.

Formulas are scripts in SMT-LIB. Models of configurable systems are formulas too: DIMACS CNF with the names of \
variables in comments, feature models in UVL, and models of PICT. Tables (--format csv, jsonl) show their own names \
and values; with --strength, a parameter of PICT is one factor with its values, and a feature is on or off. What a \
model says that cannot be expressed exactly is refused with its place. `sundry convert` writes a model in SMT-LIB.

Every solution is checked on the formula as written before it is printed. Solutions are ordered so \
that the first ones cover most: the beginning of the list is the best choice for a smaller test set.";

const EXAMPLES: &str = "\
Examples:
  sundry sample formula.smt2
      all that can be covered, as SMT-LIB models on standard output
  sundry sample formula.smt2 -n 10 --timeout 60 --format jsonl -o tests.jsonl
      at most 10 solutions, at most a minute, one JSON object per line
  sundry sample formula.smt2 -r 95% --record run.json > models.txt
      stop at 95 % coverage; figures of the run as JSON
  sundry sample formulas/ -t 60 -o solutions/ --summary summary.csv
      every .smt2 file below a folder, in parallel; a table of all at the end
  sundry sample formula.smt2 --strategy smtsampler -n 1000000 --format csv -o million.csv
      many solutions, as they are found; none comes twice
  sundry sample formula.smt2 --strategy smtsampler -n 2000000 --format csv -o million.csv --resume
      continues that file, even after a kill, until there are two million solutions in it
  sundry sample formulas/ --strategy smtsampler -t 10 -o solutions/ --record runs.jsonl --resume
      ten seconds for each formula; the same command continues a batch that was killed
  sundry sample options.smt2 --strength 2 --format csv
      a small set of solutions with all pairs of values that are possible
  sundry sample options.smt2 --strength 3 --fill -n 1000 --format csv -o tests.csv
      1000 tests, or all there are, the best first
  sundry sample options.smt2 --strategy all --project mode,port
      every combination of values of two constants, with a solution for each
  sundry sample formula.smt2 --strategy uniform -n 1000
      solutions that are all equally likely
  sundry sample volume.pict --strength 2 --format csv
      tests for a model of PICT that show all pairs of its values
  generate | sundry sample - | head -20
      from standard input

Files given with -o always hold the best set found so far, even when sundry is
killed. Strategies at volume append solutions as they find them; a kill may cut the
last one, which --resume removes. Ctrl-C ends the search and prints what there is; a
second Ctrl-C kills.

Exit codes: 0 the coverage or number asked for is reached; 1 the formula is
unsatisfiable; 2 bad command line or input; 3 stopped by a limit or Ctrl-C, results
so far are kept; 4 a defect of sundry. Of several formulas, the highest.";

/// Arguments of `sundry sample`.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct SampleArguments {
    /// Formulas in SMT-LIB, models in DIMACS, UVL or PICT, or folders of them (every .smt2 file below); `-` reads
    /// standard input. Compressed ones (gzip, bzip2, xz, Zstandard) are expanded
    #[arg(value_name = "FILE|DIR", required = true)]
    pub inputs: Vec<PathBuf>,

    #[command(flatten)]
    pub format: InputFormatArgument,

    #[command(flatten)]
    pub goal: GoalArguments,

    #[command(flatten)]
    pub integers: IntegerBitsArgument,

    #[command(flatten)]
    pub limits: LimitArguments,

    #[command(flatten)]
    pub strategy: StrategyArguments,

    #[command(flatten)]
    pub output: OutputArguments,

    #[command(flatten)]
    pub messages: MessageArguments,
}

/// When there is enough.
#[derive(Args, Clone, Debug)]
#[group(skip)]
pub struct GoalArguments {
    /// Coverage at which to stop: 1 (everything that can be covered), 0.95 or 95%
    #[arg(short = 'r', long, value_name = "COVERAGE", default_value = "1", value_parser = parse_share)]
    #[arg(allow_negative_numbers = true, help_heading = "Goal")]
    pub target: f64,

    /// Maximum number of solutions per formula, including those already in a resumed file [default: as many as the
    /// coverage takes]
    #[arg(short = 'n', long, value_name = "N", value_parser = parse_count, help_heading = "Goal")]
    max_solutions: Option<NonZeroUsize>,
}

impl GoalArguments {
    /// The greatest number of solutions.
    pub fn max_solutions(&self) -> Option<u64> {
        self.max_solutions.map(|most| usize::from(most) as u64)
    }
}

/// How solutions are written.
#[derive(ValueEnum, Copy, Clone, PartialEq, Eq, Debug)]
pub enum OutputFormat {
    /// Models in SMT-LIB, one after another: `( (define-fun x () Bool true) ... )`
    Smt2,
    /// JSON lines: an object per solution, with the value of each symbol as text
    Jsonl,
    /// A column per symbol and a row per solution
    Csv,
}

/// The places for results.
#[derive(Args, Clone, Debug)]
#[group(skip)]
pub struct OutputArguments {
    /// How solutions are written
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value = "smt2")]
    #[arg(help_heading = "Output")]
    pub format: OutputFormat,

    /// File for the solutions instead of standard output (-); for several formulas a folder, which
    /// gets one file for each
    #[arg(short, long, value_name = "PATH", help_heading = "Output")]
    pub output: Option<PathBuf>,

    /// File for the figures of the run, as JSON; for several formulas JSON lines, one for each
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub record: Option<PathBuf>,

    /// File for a CSV table with a row for each formula
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub summary: Option<PathBuf>,

    /// Folder for what the run claims to be impossible, as SMT-LIB scripts that every solver must find
    /// unsatisfiable: impossible AST-bits, AST-bits that exclude one another, smaller complete sets;
    /// of t-wise sets, values that exclude one another, or that there are no solutions but those listed
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub obligations: Option<PathBuf>,

    /// Take up a batch again: formulas that the --record file has from a run with the same options
    /// are not run again. Strategies at volume go on with the files of -o, also of one formula: what is
    /// there stays, counts for -n and is never written again. Files are read and their solutions judged first
    #[arg(long, help_heading = "Output")]
    pub resume: bool,

    /// Print the figures of the run as JSON on standard output (what --record writes), instead of the
    /// solutions of one formula or the table of several
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

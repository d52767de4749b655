//! Arguments of `sundry explore`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum, value_parser};
use sundry_explore::{FloatMethod, StrategyKind};
use sundry_wasm::FloatCode;

use super::{MemoryArgument, MessageArguments};
use crate::values::{parse_count, parse_seconds};

/// What the job is about.
pub const LONG_ABOUT: &str = "\
Explore a program: find inputs that take its paths, and inputs that show its errors.

The program is a WebAssembly module, which compilers for C, C++, Rust and other languages make. Sundry runs the module with \
concrete values and terms over its input beside them. Where a branch depends on the input, a solver is asked for an input \
that goes the other way. The assignments that the solver passes before it finds one are inputs too, and open further paths: \
this is multiplex symbolic execution (MuSE). With --function, one function is called with symbolic arguments instead.

Errors are traps (division by zero, unreachable code after abort, accesses outside of the memory), failed assertions, \
accesses beyond a block of the heap or near address 0, blocks that are used after they were freed, freed twice or never, an \
exhausted stack, statuses named by --bad-exit, and runs without an end. Each is reported once, with the smallest input that shows it.";

const EXAMPLES: &str = "\
Examples:
  sundry explore parser.wasm --stdin 16 -o out
      reads up to 16 bytes from standard input; out/ gets the tests and the errors
  sundry explore convert.wasm --file picture.gif=seed.gif -o out -- picture.gif
      starts from a valid file, all bytes of which may change
  sundry explore tool.wasm --arg 4 --stdin 8 -t 60 --strategy bfs
      one argument of up to four bytes, for a minute, shortest paths first
  sundry explore library.wasm --function parse_number -o out
      calls one function with symbolic arguments, and pointers to new objects
  sundry explore parser.wasm --replay out/errors/01-division-by-zero
      runs the program with the input of an error, and shows what happens

Exit codes: 0 nothing found; 1 errors found; 2 bad command line or module; 3 a limit
stopped it before anything was found; 4 a defect of sundry.";

/// Search strategies by name.
#[derive(ValueEnum, Copy, Clone, PartialEq, Eq, Debug)]
pub enum SearchName {
    /// Directions that no run has taken first, then those tried least
    Coverage,
    /// The branch opened last
    Dfs,
    /// The branch with the fewest decisions before it
    Bfs,
    /// Any branch
    Rss,
    /// A branch at the end of a random walk and one that covers something new, in turns
    Rcn,
}

impl SearchName {
    /// The strategy of this name.
    pub fn kind(self) -> StrategyKind {
        match self {
            SearchName::Coverage => StrategyKind::Coverage,
            SearchName::Dfs => StrategyKind::DepthFirst,
            SearchName::Bfs => StrategyKind::BreadthFirst,
            SearchName::Rss => StrategyKind::RandomState,
            SearchName::Rcn => StrategyKind::RandomCoverNew,
        }
    }
}

/// Ways to decide conditions on floating-point values.
#[derive(ValueEnum, Copy, Clone, PartialEq, Eq, Debug)]
pub enum ExploreFloats {
    /// Circuits and search take turns of counted work, and the first answer counts
    Both,
    /// Circuits alone: each operation becomes clauses for a SAT solver, which finds inputs and proves that there is none
    #[value(alias = "blast")]
    Circuit,
    /// Search alone: it computes with the processor's arithmetic how far values are from meeting the conditions, and moves them closer
    #[value(alias = "optimise")]
    Search,
    /// Software: each operation becomes a call of a library of integer code, whose branches are decisions of the path; conditions are about bits, and
    /// there are more and simpler ones
    Soft,
}

impl ExploreFloats {
    /// The method of the solver.
    pub fn method(self) -> FloatMethod {
        match self {
            ExploreFloats::Both => FloatMethod::Both,
            // Software leaves no floats in conditions.
            ExploreFloats::Circuit | ExploreFloats::Soft => FloatMethod::Circuit,
            ExploreFloats::Search => FloatMethod::Search,
        }
    }

    /// The code that float instructions become.
    pub fn code(self) -> FloatCode {
        match self {
            ExploreFloats::Soft => FloatCode::Library,
            ExploreFloats::Both | ExploreFloats::Circuit | ExploreFloats::Search => FloatCode::Instructions,
        }
    }
}

/// Readings of words.
#[derive(ValueEnum, Copy, Clone, PartialEq, Eq, Debug)]
pub enum ExploreNumbers {
    /// Bits, which become clauses for a SAT solver
    Bits,
    /// Integers where that is possible: the simplex decides conditions and its pivots are partial solutions; other conditions, and integers
    /// that are wrong for the bits, get bits
    Integers,
}

/// Tests to keep.
#[derive(ValueEnum, Copy, Clone, PartialEq, Eq, Debug)]
pub enum KeptTests {
    /// Those that take a direction which no test before took
    New,
    /// All
    All,
}

/// Arguments of `sundry explore`.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct ExploreArguments {
    /// The program: a WebAssembly module with WASI (sundry cc, or cargo build --target=wasm32-wasip1)
    #[arg(value_name = "MODULE")]
    pub module: PathBuf,

    /// Arguments of the program that do not change, after those of --arg
    #[arg(value_name = "ARGUMENT", last = true)]
    pub arguments: Vec<String>,

    /// Standard input: so many symbolic bytes at most, or a file to start from, FILE+N with room for so many bytes more
    #[arg(long, value_name = "N|FILE[+N]", help_heading = "Input")]
    pub stdin: Option<String>,

    /// An argument of the program with so many symbolic bytes at most; repeat for several
    #[arg(long, value_name = "N", help_heading = "Input")]
    pub arg: Vec<u32>,

    /// A file that the program can read: so many symbolic bytes at most, or a file to start from, FILE+N with room for so many bytes more; repeat for several
    #[arg(long, value_name = "NAME=N|FILE[+N]", help_heading = "Input")]
    pub file: Vec<String>,

    /// Make the first looks at the clock symbolic; without it, the clock is fixed, and moves on by a millisecond at each look
    #[arg(long, value_name = "LOOKS", num_args = 0..=1, require_equals = true, default_missing_value = "8")]
    #[arg(value_parser = value_parser!(u32).range(1..=4096), help_heading = "Input")]
    pub symbolic_clock: Option<u32>,

    /// Make the first random bytes symbolic; without it, they are fixed by --seed
    #[arg(long, value_name = "BYTES", num_args = 0..=1, require_equals = true, default_missing_value = "64")]
    #[arg(value_parser = value_parser!(u32).range(1..=65536), help_heading = "Input")]
    pub symbolic_random: Option<u32>,

    /// A variable of the program's environment, which does not change; repeat for several
    #[arg(long, value_name = "NAME=VALUE", help_heading = "Input")]
    pub env: Vec<String>,

    /// A folder with inputs to start from: files, an output folder of AFL++, or one of an exploration
    #[arg(long, value_name = "FOLDER", help_heading = "Input")]
    pub seeds: Option<PathBuf>,

    /// Call this function with symbolic arguments instead of running the program. Its pointers lead to new objects of the size that their
    /// types say, whose contents are symbolic, or are null. Name it as in the source; it need not be exported
    #[arg(long, value_name = "NAME", help_heading = "Function")]
    pub function: Option<String>,

    /// Elements of what a pointer to numbers leads to; texts (char) have a zero behind them. Structs and pointers are single
    #[arg(long, value_name = "N", default_value = "8", value_parser = parse_count, help_heading = "Function")]
    pub elements: NonZeroUsize,

    /// The object of this pointer has so many bytes, all of them symbolic: --object text=16, --object list->name=4; repeat for several
    #[arg(long, value_name = "NAME=BYTES", help_heading = "Function")]
    pub object: Vec<String>,

    /// Pointers from an argument to the furthest object; those in it are null
    #[arg(long, value_name = "N", default_value_t = 3, help_heading = "Function")]
    pub pointer_depth: u32,

    /// No pointer that leads to a new object is null
    #[arg(long, help_heading = "Function")]
    pub never_null: bool,

    /// The branch that is taken next
    #[arg(long, value_name = "STRATEGY", value_enum, default_value = "coverage", help_heading = "Search")]
    pub strategy: SearchName,

    /// Partial solutions that are taken as inputs, at most, for each question to the solver; 0 for none
    #[arg(long, value_name = "N", default_value_t = 64, help_heading = "Search")]
    pub partial: usize,

    /// Run partial solutions symbolically even where a plain run shows that they bring nothing new
    #[arg(long, help_heading = "Search")]
    pub keep_repetitions: bool,

    /// The greatest share of the work that goes to plain runs of mutants, which are inputs with random changes; 0 for no mutants. The share follows what mutants and
    /// questions find
    #[arg(long, value_name = "PERCENT", default_value_t = 90, value_parser = value_parser!(u8).range(0..=99), help_heading = "Search")]
    pub mutants: u8,

    /// The procedure for conditions on floating-point values
    #[arg(long, value_name = "METHOD", value_enum, default_value = "both", help_heading = "Search")]
    pub floats: ExploreFloats,

    /// The reading of words in conditions
    #[arg(long, value_name = "READING", value_enum, default_value = "bits", help_heading = "Search")]
    pub numbers: ExploreNumbers,

    /// The solver as a black box: a new one for each whole path condition, no partial solutions, no mutants
    #[arg(long, conflicts_with_all = ["partial", "keep_repetitions", "mutants"], help_heading = "Search")]
    pub plain: bool,

    /// The greatest number of symbolic runs
    #[arg(long, value_name = "N", value_parser = parse_count, help_heading = "Limits")]
    pub max_paths: Option<NonZeroUsize>,

    /// The greatest number of decisions of a run; the rest of a run that has made them is concrete
    #[arg(long, value_name = "N", default_value_t = 20_000, help_heading = "Limits")]
    pub depth: usize,

    /// Instructions that a run may execute; a run that needs more has no end
    #[arg(long, value_name = "N", default_value_t = 100_000_000, help_heading = "Limits")]
    pub steps: u64,

    /// The greatest memory of paths, their inputs and conditions, by a count that is the same on all machines. Where it is reached, open branches that
    /// the strategy would take last are given up, and their number is reported
    #[arg(long, value_name = "AMOUNT", default_value = "2G", value_parser = crate::memory::parse_bytes, help_heading = "Limits")]
    pub tree_memory: u64,

    /// Stop after this many seconds, and keep what was found
    #[arg(short, long, value_name = "SECONDS", value_parser = parse_seconds)]
    #[arg(allow_negative_numbers = true, help_heading = "Limits")]
    pub timeout: Option<Duration>,

    /// Stop when no test has taken a new direction or shown a new error for this many seconds, and keep what was found
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    #[arg(allow_negative_numbers = true, help_heading = "Limits")]
    pub idle: Option<Duration>,

    /// Threads. Tests are the same with any number, unless the clock ends the exploration; those beyond --lanes have nothing to do
    #[arg(short, long, value_name = "N", default_value = "1", value_parser = parse_count, help_heading = "Limits")]
    pub jobs: NonZeroUsize,

    /// Solvers among which the questions are divided, for as many threads. Each learns from its own questions only, so that more of
    /// them take more work, and tests are others
    #[arg(long, value_name = "N", default_value = "2", value_parser = parse_count, help_heading = "Search")]
    pub lanes: NonZeroUsize,

    /// Seed of all random choices
    #[arg(short, long, value_name = "N", default_value_t = 0, help_heading = "Limits")]
    pub seed: u64,

    /// An exit status that counts as an error; repeat for several
    #[arg(long, value_name = "STATUS", help_heading = "Errors", value_parser = clap::value_parser!(u32).range(..=255))]
    pub bad_exit: Vec<u32>,

    /// A native build of the program, best with AddressSanitizer: the input of each error is tried on it, and the record says which
    /// errors it confirms
    #[arg(long, value_name = "COMMAND", help_heading = "Errors")]
    pub native: Option<String>,

    /// Run the program once with the input in this folder of a test, and show what happens
    #[arg(long, value_name = "FOLDER", help_heading = "Errors")]
    #[arg(conflicts_with_all = ["stdin", "arg", "file", "symbolic_clock", "symbolic_random", "seeds", "output", "queries", "afl", "native", "function", "json"])]
    pub replay: Option<PathBuf>,

    /// Folder for tests, errors and the record
    #[arg(short, long, value_name = "FOLDER", help_heading = "Output")]
    pub output: Option<PathBuf>,

    /// Continue the exploration in the folder, with the same options
    #[arg(long, requires = "output", help_heading = "Output")]
    pub resume: bool,

    /// Tests that are written
    #[arg(long, value_name = "WHICH", value_enum, default_value = "new", requires = "output")]
    #[arg(help_heading = "Output")]
    pub tests: KeptTests,

    /// Folder that instances of AFL++ share (their -o): inputs that take new directions go to FOLDER/sundry/queue, and what the
    /// instances find meanwhile is taken up
    #[arg(long, value_name = "FOLDER", help_heading = "Output")]
    pub afl: Option<PathBuf>,

    /// Folder for the questions to the solver: a formula in SMT-LIB for each, with its answer and its partial solutions
    #[arg(long, value_name = "FOLDER", help_heading = "Output")]
    pub queries: Option<PathBuf>,

    /// Print the record as JSON
    #[arg(long, help_heading = "Output")]
    pub json: bool,

    #[command(flatten)]
    pub memory: MemoryArgument,

    #[command(flatten)]
    pub messages: MessageArguments,
}

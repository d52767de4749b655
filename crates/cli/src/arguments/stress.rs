//! Arguments of `sundry stress`.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use sundry_stress::{Mix, Variant};

use super::{LimitArguments, MessageArguments};
use crate::values::{parse_count, parse_seconds, parse_share};

/// What the job is about.
pub const LONG_ABOUT: &str = "\
Find small inputs on which one SMT solver is slow and another one is fast.

Sundry breeds formulas: it runs each on the solver under test and on a reference, prefers those on which the first \
takes long and the second does not, those that execute new lines of the solver, and those that are simple, and makes the next \
generation of them by exchanging assertions and changing terms. An input that runs into the limit is run again with a long \
one, made as small as possible, and written to a folder of its own, with a report that is ready to file. \
This is the multi-objective search of MulStringFuzz, for every theory that Sundry reads.

Contradictory answers, wrong models and crashes that turn up on the way are judged and reported as by sundry fuzz.";

const EXAMPLES: &str = "\
Examples:
  sundry stress --target 'z3 smt.string_solver=z3str3' --reference 'cvc5 --strings-exp'
      breeds formulas about strings until you press Ctrl-C; the same command continues
  sundry stress --target z3 --reference bitwuzla --logic QF_BV -t 3600
      bit-vectors, for an hour
  sundry stress --target ./z3-cov --counters gcov=build/ --reference cvc5 --logic QF_NIA seeds/
      starts from your formulas, and prefers inputs that execute new lines of z3
  sundry stress --target z3 --reference z3-4.8.10 --release z3-4.8.10 --release z3-4.12 --logic QF_FP
      looks for regressions between two releases

Exit codes: 0 nothing found; 1 slow inputs or defects found; 2 bad command line or input,
or a solver that cannot be used; 3 a limit stopped it before anything was found; 4 a
defect of sundry.";

/// What these options mean here.
const TIMEOUT: &str =
    "Stop after this many seconds, and keep what was found; the same command continues the campaign";
const SEED: &str = "Seed of all random choices";
const THREADS: &str = "Number of inputs that are run at the same time; 0 means one for each processor";

/// Objectives and strategies by name.
#[derive(ValueEnum, Serialize, Deserialize, Copy, Clone, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum VariantName {
    /// Difference of efforts, coverage and complexity; crowding by executed lines
    Default,
    /// The effort of the solver under test instead of the difference
    OnlyTime,
    /// Without coverage
    NoCoverage,
    /// Without complexity
    NoComplexity,
    /// Crowding by scores, as in plain NSGA-II
    DefaultCrowding,
    /// A baseline: the effort of the solver under test alone, and nothing else (after StringFuzz, our reimplementation)
    #[value(name = "stringfuzz")]
    #[serde(rename = "stringfuzz")]
    StringFuzz,
    /// The same baseline with the difference of efforts
    #[value(name = "stringfuzz-difference")]
    #[serde(rename = "stringfuzz-difference")]
    StringFuzzDifference,
}

/// Objectives by name.
#[derive(ValueEnum, Serialize, Deserialize, Copy, Clone, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum ObjectiveName {
    /// Inputs that take the solver under test much time
    Time,
    /// Inputs that take the solver under test much memory
    Memory,
}

/// Measures of time by name.
#[derive(ValueEnum, Serialize, Deserialize, Copy, Clone, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum MeasureName {
    /// Seconds of processor time
    Processor,
    /// The units of work that solvers count themselves (z3's rlimit, cvc5's resource units): the same in every run
    Resource,
}

/// Rules of the coverage score, by name.
#[derive(ValueEnum, Serialize, Deserialize, Copy, Clone, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum CoverageRulesName {
    /// As the text of the paper: growth of a count scores
    Text,
    /// As the listing of Algorithm 2: the whole count of a grown line scores
    Listing,
}

impl From<VariantName> for Variant {
    fn from(name: VariantName) -> Variant {
        match name {
            VariantName::Default => Variant::Default,
            VariantName::OnlyTime => Variant::OnlyTime,
            VariantName::NoCoverage => Variant::NoCoverage,
            VariantName::NoComplexity => Variant::NoComplexity,
            VariantName::DefaultCrowding => Variant::DefaultCrowding,
            VariantName::StringFuzz => Variant::StringFuzz,
            VariantName::StringFuzzDifference => Variant::StringFuzzDifference,
        }
    }
}

/// Counters by kind, with their place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CountersArgument {
    /// The kind.
    pub kind: String,
    /// The folder or file that the kind needs, if any.
    pub path: Option<PathBuf>,
}

impl CountersArgument {
    /// Whether there are no counters.
    pub fn is_none(&self) -> bool {
        self.kind == "none"
    }
}

pub(super) fn parse_counters(text: &str) -> Result<CountersArgument, String> {
    let (kind, path) = match text.split_once('=') {
        Some((kind, path)) => (kind, Some(PathBuf::from(path))),
        None => (text, None),
    };
    Ok(CountersArgument { kind: kind.to_string(), path })
}

fn parse_factor(text: &str) -> Result<f64, String> {
    let factor: f64 = text.parse().map_err(|_| format!("'{text}' is not a number"))?;
    if factor.is_finite() && factor >= 1.0 { Ok(factor) } else { Err("a factor is at least 1".to_string()) }
}

/// Arguments of `sundry stress`.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES)]
#[command(mut_arg("timeout", |argument| argument.help(TIMEOUT)), mut_arg("seed", |argument| argument.help(SEED)))]
#[command(mut_arg("threads", |argument| argument.help(THREADS)))]
pub struct StressArguments {
    /// Formulas in SMT-LIB to start from, folders of them, or patterns; without any, the first generation is made up
    #[arg(value_name = "FILE|DIR|PATTERN")]
    pub seeds: Vec<PathBuf>,

    /// Command of the solver under test; the formula's file is its last argument. 'built-in' is Sundry's own solver. With
    /// several, all of them have to be slow
    #[arg(
        long = "target",
        value_name = "COMMAND",
        required_unless_present = "write_runtime",
        help_heading = "Solvers"
    )]
    pub targets: Vec<String>,

    /// Command of a solver that has to be fast, which may be another release of the same. With several, one of them has to
    /// be fast
    #[arg(long = "reference", value_name = "COMMAND", required_unless_present = "write_runtime")]
    #[arg(help_heading = "Solvers")]
    pub references: Vec<String>,

    /// Command of a release of the solver under test, the oldest first: a report says which one is the first that is slow.
    /// Repeat for several
    #[arg(long = "release", value_name = "COMMAND", help_heading = "Solvers")]
    pub releases: Vec<String>,

    /// TOML file with profiles of further kinds of solvers
    #[arg(long, value_name = "FILE", help_heading = "Solvers")]
    pub profiles: Option<PathBuf>,

    /// Seconds of processor time for each run of a solver in the search; with --measure resource, a safety net
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = parse_seconds, help_heading = "Solvers")]
    pub limit: Duration,

    /// How often the limit may be doubled: each time that three quarters of the population reach it, after 8 generations for the
    /// first time, so that the search can tell slow inputs from slower ones; 0 keeps the limit, so that there is time for more inputs
    #[arg(long, value_name = "N", default_value = "0", help_heading = "Solvers")]
    #[arg(value_parser = clap::value_parser!(u32).range(..=16))]
    pub limit_doublings: u32,

    /// Memory for each run of a solver, in MiB
    #[arg(long, value_name = "MIB", default_value = "8192", value_parser = parse_count, help_heading = "Solvers")]
    pub solver_memory: NonZeroUsize,

    /// How time is measured
    #[arg(long, value_name = "NAME", value_enum, default_value = "processor", help_heading = "Solvers")]
    pub measure: MeasureName,

    /// Units of work that the solver under test gets with --measure resource [default: what takes some seconds, by its profile]
    #[arg(long, value_name = "N", help_heading = "Solvers")]
    pub target_units: Option<NonZeroU64>,

    /// Units of work that each reference gets with --measure resource [default: by its profile]
    #[arg(long, value_name = "N", help_heading = "Solvers")]
    pub reference_units: Option<NonZeroU64>,

    /// Counters of the solver under test: gcov=DIR (the folder of its .gcno files), llvm, edges, statistics=z3, =cvc or =plain
    /// (what it prints about its work, for programs that nobody can rebuild), none. Without counters, coverage is no objective
    #[arg(long, value_name = "KIND[=PATH]", default_value = "none", value_parser = parse_counters)]
    #[arg(help_heading = "Solvers")]
    pub counters: CountersArgument,

    /// Write the sources to link into a solver so that it delivers counters when it is stopped to this folder, instead of
    /// searching; their heads say how
    #[arg(long, value_name = "DIR", help_heading = "Solvers", exclusive = true)]
    pub write_runtime: Option<PathBuf>,

    /// What to look for
    #[arg(long, value_name = "NAME", value_enum, default_value = "time", help_heading = "Search")]
    pub objective: ObjectiveName,

    /// Logic of the inputs that are made up, and of all scripts [default: QF_SLIA for inputs that are made up; scripts name
    /// the smallest that fits]
    #[arg(long, value_name = "LOGIC", help_heading = "Search")]
    pub logic: Option<String>,

    /// Where the first generation comes from, in proportions: the shapes of StringFuzz, random formulas of the logic, and seeds
    /// [default: generators=80,random=20 for strings, random=100 for other logics, and seeds=100 beside them where there are
    /// seeds]
    #[arg(long, value_name = "SOURCE=N,…", help_heading = "Search")]
    pub mix: Option<Mix>,

    /// Inputs of a generation
    #[arg(long, value_name = "N", default_value = "40", value_parser = parse_count, help_heading = "Search")]
    pub population: NonZeroUsize,

    /// Probability that two parents exchange assertions
    #[arg(long, value_name = "SHARE", default_value = "0.75", value_parser = parse_share, help_heading = "Search")]
    pub crossover: f64,

    /// Probability of each mutation of a child
    #[arg(long, value_name = "SHARE", default_value = "0.25", value_parser = parse_share, help_heading = "Search")]
    pub mutation: f64,

    /// Mutations that a child may undergo. The paper does not say how many; StringFuzz makes four in each child, which 16 make
    /// on average, and with 1, three quarters of all children are new combinations of their parents only
    #[arg(long, value_name = "N", default_value = "16", value_parser = parse_count, help_heading = "Search")]
    pub mutations: NonZeroUsize,

    /// Largest complexity of an input that is bred: the sum of the levels of all its nodes
    #[arg(long, value_name = "N", default_value = "100000", help_heading = "Search")]
    pub max_complexity: u64,

    /// Objectives and crowding
    #[arg(long, value_name = "NAME", value_enum, default_value = "default", help_heading = "Search")]
    pub variant: VariantName,

    /// Rules of the coverage score
    #[arg(long, value_name = "NAME", value_enum, default_value = "text", help_heading = "Search")]
    pub coverage_rules: CoverageRulesName,

    /// Keep the coverage score that an input had when it was new, instead of scoring survivors again
    #[arg(long, help_heading = "Search")]
    pub keep_first_coverage: bool,

    /// Compare efforts as they are; without this option, efforts below a twentieth of the limit, and such that differ by less than a
    /// quarter, count as equal
    #[arg(long, help_heading = "Search")]
    pub exact_times: bool,

    /// Let inputs on which the target is as fast as the references compete with slow ones by their lines and their size, as in the
    /// paper; without this option, all are better that take the target half of the limit more
    #[arg(long, help_heading = "Search")]
    pub keep_fast: bool,

    /// Let copies of an input take several places of a generation, as in the paper; without this option, a child that exists is
    /// changed until it is new
    #[arg(long, help_heading = "Search")]
    pub keep_copies: bool,

    /// Print the input of the case with this number, as the record has it, instead of searching
    #[arg(long, value_name = "N", help_heading = "Search")]
    pub replay: Option<usize>,

    /// Stop after this many generations
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub generations: Option<u64>,

    /// Stop breeding when solvers have computed for this many seconds of processor time, whatever else the machine does
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, help_heading = "Limits")]
    pub solver_budget: Option<Duration>,

    /// Stop after this many findings
    #[arg(long, value_name = "N", value_parser = parse_count, help_heading = "Limits")]
    pub findings: Option<NonZeroUsize>,

    #[command(flatten)]
    pub limits: LimitArguments,

    /// Seconds of processor time for the run that confirms a slow input; 0 follows nothing up
    #[arg(long, value_name = "SECONDS", default_value = "300", value_parser = parse_seconds)]
    #[arg(help_heading = "Findings")]
    pub confirm: Duration,

    /// How many times as long as the fastest reference the solver under test has to take
    #[arg(long, value_name = "FACTOR", default_value = "10", value_parser = parse_factor, help_heading = "Findings")]
    pub factor: f64,

    /// Seconds to spend on shrinking one finding; 0 leaves findings as they are
    #[arg(long, value_name = "SECONDS", default_value = "600", value_parser = parse_seconds)]
    #[arg(help_heading = "Findings")]
    pub reduction_timeout: Duration,

    /// Folder for findings; a campaign that was stopped continues there
    #[arg(short, long, value_name = "DIR", default_value = "stress", help_heading = "Output")]
    pub output: PathBuf,

    #[command(flatten)]
    pub messages: MessageArguments,
}

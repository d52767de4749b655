//! Arguments of `sundry fuzz`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};

use super::stress::{CountersArgument, parse_counters};
use super::{LimitArguments, MessageArguments, SolverArguments};
use crate::values::{parse_count, parse_seconds};

/// What the job is about.
pub const LONG_ABOUT: &str = "\
Test SMT solvers: find wrong answers, invalid models and crashes.

Sundry makes mutants of each seed formula in ways that determine their answer: it replaces literals of a \
satisfiable seed by weaker ones, and those of an unsatisfiable seed by stronger ones. A solver that \
answers otherwise, gives a model that does not satisfy the mutant, or crashes, has a defect. A defect that \
shows again, and that another witness confirms (a model of the formula, the evaluator, other solvers), is made as \
small as possible and written to a folder of its own.

The references decide whether a seed is satisfiable; without references, the solvers under test do. Seeds on \
which they disagree, or that none of them solves in time, are left out and counted.";

const EXAMPLES: &str = "\
Examples:
  sundry fuzz --solver z3 seeds/
      tests z3 on 300 mutants of every .smt2 file below seeds/, findings to ./findings
  sundry fuzz --solver ./z3-old --reference z3 --reference 'cvc5 --strings-exp' -t 600 seeds/strings
      tests an old release against newer solvers for ten minutes
  sundry fuzz --solver z3 --no-mutation reports/
      judges what z3 says of the formulas themselves

Exit codes: 0 no defect found; 1 defects found; 2 bad command line or input, or a
solver that cannot be run; 3 a limit stopped it before anything was found; 4 a
defect of sundry.";

/// What these options mean here.
const TIMEOUT: &str =
    "Stop after this many seconds, and keep what was found; the same command continues the campaign";
const SEED: &str = "Seed of all random choices: which mutants there are, with any number of threads";

/// The strategies by name.
#[derive(ValueEnum, Serialize, Deserialize, Copy, Clone, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum StrategyName {
    /// Predicate symbol transformation: another predicate on the same terms
    Pst,
    /// Live predicate injection: a random formula joined to a literal
    Lpi,
    /// Either, at random
    Both,
    /// Type-aware operator mutation: another operator on the same terms. The answer of such mutants is unknown, so this
    /// strategy needs a --reference, which is asked about each mutant. Seeds with theories that Sundry does not know have only
    /// mutants of this kind, also by other terms of the same sort
    Opfuzz,
    /// Semantic fusion: two seeds of the same status become one formula, with variables of both tied together
    Fusion,
    /// Random formulas that hold in a known model of a satisfiable seed, in place of its literals and beside them
    Model,
    /// All of them in turn; opfuzz only with a --reference, or of seeds with theories that Sundry does not know
    All,
}

/// A mutant of a campaign.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MutantPlace {
    /// Its seed; the only one if it is not named.
    pub seed: Option<PathBuf>,
    /// Its number.
    pub number: usize,
}

fn parse_place(text: &str) -> Result<MutantPlace, String> {
    let (seed, number) = match text.rsplit_once(':') {
        Some((seed, number)) => (Some(seed.into()), number),
        None => (None, text),
    };
    let number = number.parse().map_err(|_| format!("'{number}' is not the number of a mutant"))?;
    Ok(MutantPlace { seed, number })
}

/// The ways to ask by name.
#[derive(ValueEnum, Serialize, Deserialize, Copy, Clone, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum FormName {
    /// All assertions and one check-sat
    Plain,
    /// Named assertions and get-unsat-core
    Core,
    /// check-sat-assuming and get-unsat-assumptions
    Assumptions,
    /// push, pop and several check-sat
    Incremental,
    /// Calls of definitions with parameters: those of the seed, and one of a part of the mutant
    Definitions,
    /// Five in nine plain, one of each other form
    Mixed,
}

/// Arguments of `sundry fuzz`.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES)]
#[command(mut_arg("timeout", |argument| argument.help(TIMEOUT)), mut_arg("seed", |argument| argument.help(SEED)))]
pub struct FuzzArguments {
    /// Seed formulas in SMT-LIB, folders of them (every .smt2 file below), or patterns such as 'seeds/**/*.smt2';
    /// compressed or not
    #[arg(value_name = "FILE|DIR|PATTERN", required = true)]
    pub seeds: Vec<PathBuf>,

    #[command(flatten)]
    pub solvers: SolverArguments,

    /// Mutants of each seed
    #[arg(long, value_name = "N", default_value = "300", value_parser = parse_count)]
    #[arg(help_heading = "Mutants")]
    pub mutants: NonZeroUsize,

    /// Judge what the solvers say of the seeds themselves
    #[arg(long, help_heading = "Mutants", conflicts_with = "mutants")]
    pub no_mutation: bool,

    /// Maximum number of literals, or operators, changed in one step
    #[arg(long, value_name = "N", default_value = "5", value_parser = parse_count)]
    #[arg(help_heading = "Mutants")]
    pub changes: NonZeroUsize,

    /// How mutants are made: one of these, or several in turn, with commas between them
    #[arg(long = "strategy", value_name = "NAMES", value_enum, value_delimiter = ',', default_value = "all")]
    #[arg(help_heading = "Mutants")]
    pub strategies: Vec<StrategyName>,

    /// Approximate earlier mutants, too, so that changes accumulate (pst, lpi, both); without this option, each mutant starts
    /// from the conjunctive normal form of its seed, or from the seed as it is
    #[arg(long, help_heading = "Mutants")]
    pub accumulate: bool,

    /// How solvers are asked about mutants
    #[arg(long, value_name = "NAME", value_enum, default_value = "mixed", help_heading = "Mutants")]
    pub form: FormName,

    /// Percentage of the mutants on which each solver under test runs with one to three of its own options, drawn at random
    /// from those of its profile that its build takes; 0 for none. A report names the options without which a defect does not
    /// show
    #[arg(long, value_name = "PERCENT", default_value = "25", value_parser = clap::value_parser!(u8).range(..=100))]
    #[arg(help_heading = "Mutants")]
    pub vary_options: u8,

    /// Observations that show that a mutant reaches something new in a solver, beside answers and errors: strategies, forms and
    /// seeds that bring more of them get more mutants. 'statistics' is what z3, cvc4 and cvc5 print about their work; gcov=DIR (the
    /// folder of its .gcno files), llvm and edges are counters of the first solver under test; none
    #[arg(long, value_name = "KIND[=PATH]", default_value = "statistics", value_parser = parse_counters)]
    #[arg(help_heading = "Mutants")]
    pub counters: CountersArgument,

    /// Start solvers anew for every mutant. Without this option, a process of a solver that can do so (z3, cvc5, cvc4 and Bitwuzla
    /// can) answers up to ten mutants of a seed, with a reset behind each, which takes less time than to start. In both cases, a
    /// defect is reported only if a solver that was started anew shows it again
    #[arg(long, help_heading = "Mutants")]
    pub process_per_mutant: bool,

    /// Prefer strategies, forms and seeds that make solvers slower, too. Another run then makes other mutants, but the same
    /// folder still continues and replays its campaign
    #[arg(long, help_heading = "Mutants")]
    pub time_classes: bool,

    /// Print the mutant with this number instead of testing: of the only seed, or of this one of several. The other options are
    /// those of the campaign, with its folder; its limits have no effect, and neither do the files that it writes
    #[arg(long, value_name = "[FILE:]N", help_heading = "Mutants", value_parser = parse_place)]
    pub replay: Option<MutantPlace>,

    /// Total number of mutants in this run; the same command continues the campaign
    #[arg(long, value_name = "N", value_parser = parse_count, help_heading = "Limits")]
    pub budget: Option<NonZeroUsize>,

    #[command(flatten)]
    pub limits: LimitArguments,

    /// Seconds to spend on shrinking one finding; a quarter of them for a seed on which a solver is slow; 0 leaves findings as
    /// they are
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = parse_seconds)]
    #[arg(help_heading = "Limits")]
    pub reduction_timeout: Duration,

    /// Folder for findings; a campaign that was stopped continues there
    #[arg(short, long, value_name = "DIR", default_value = "findings", help_heading = "Output")]
    pub output: PathBuf,

    /// Write all questions to solvers and their replies to this file, as lines of JSON
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub transcript: Option<PathBuf>,

    /// Write each question to solvers to a numbered file in this folder, as the solvers get it, and beside it what each of them
    /// printed
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub trace: Option<PathBuf>,

    #[command(flatten)]
    pub messages: MessageArguments,
}

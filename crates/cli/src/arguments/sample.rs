//! Arguments of `sundry sample`.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::Value;
use sundry_sample::{Goal, Guidance, PanOptions, StrategyKind, VolumeStrategy};

use super::{LimitArguments, MessageArguments};
use crate::failure::{Failure, Status};
use crate::values::{parse_count, parse_share};

/// What the job is about.
pub const LONG_ABOUT: &str = "\
Find few, different solutions of a formula that together cover what the formula leaves open.

A formula over Booleans, bit-vectors, arrays and uninterpreted functions is a graph of operations. \
Every bit of every operation can be 0 or 1; each of these possibilities is an AST-bit. A set of \
solutions covers an AST-bit when in one of them the bit has that value. AST-bits that no solution \
covers are proved impossible and counted out, so that 100 % means: everything that can happen, \
happens in one of these solutions.

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
      goes on with that file, also where it was cut, until there are two million in it
  sundry sample formulas/ --strategy smtsampler -t 10 -o solutions/ --record runs.jsonl --resume
      ten seconds for each formula; the same command goes on where the batch was killed
  generate | sundry sample - | head -20
      from standard input

Files given with -o always hold the best set found so far, even when sundry is
killed; those of strategies at volume hold what was found so far, the last solution
perhaps in part, which --resume cuts off. Ctrl-C ends the
search and prints what there is; a second one kills.

Exit codes: 0 the coverage or number asked for is reached; 1 the formula is
unsatisfiable; 2 bad command line or input; 3 stopped by a limit or Ctrl-C, results
so far are kept; 4 a defect of sundry. Of several formulas, the highest.";

/// Arguments of `sundry sample`.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct SampleArguments {
    /// Formulas in SMT-LIB, or folders of them (every .smt2 file below); `-` reads standard input
    #[arg(value_name = "FILE|DIR", required = true)]
    pub inputs: Vec<PathBuf>,

    #[command(flatten)]
    pub goal: GoalArguments,

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
    target: f64,

    /// Number of solutions at most, of each formula, with those that a file of --resume has; without it, as many as
    /// the coverage takes
    #[arg(short = 'n', long, value_name = "N", value_parser = parse_count, help_heading = "Goal")]
    max_solutions: Option<NonZeroUsize>,
}

impl GoalArguments {
    /// The goal of a run.
    pub fn goal(&self) -> Goal {
        Goal { target: self.target, max_solutions: self.max_solutions.map(usize::from) }
    }
}

/// The strategies by name.
#[derive(ValueEnum, Copy, Clone, PartialEq, Eq, Debug)]
pub enum StrategyName {
    /// Few solutions, complete coverage, with proofs
    Cover,
    /// PanSampler as published: the best of several diverse candidates, again and again
    Pan,
    /// Millions of solutions, by combining neighbours of a solution (SMTSampler)
    Smtsampler,
    /// Millions of solutions of many classes of --predicates (GuidedSampler)
    Guided,
    /// A solution of a random class of --predicates, again and again
    ClassesHard,
    /// A solution near a random class of --predicates, again and again
    ClassesSoft,
}

/// How far `guided` is guided. Each step includes those before it.
#[derive(ValueEnum, Copy, Clone, PartialEq, Eq, Debug)]
pub enum GuidanceName {
    /// Neighbours differ in predicates (S1)
    Neighbours,
    /// Solutions of a class that was met shortly before are dropped (S2)
    Classes,
    /// The search starts at solutions of random classes (S3)
    Bases,
}

/// How solutions are searched.
#[derive(Args, Clone, Debug)]
#[group(skip)]
pub struct StrategyArguments {
    /// How solutions are searched
    #[arg(long, value_name = "NAME", value_enum, default_value = "cover", help_heading = "Strategy")]
    strategy: StrategyName,

    #[command(flatten)]
    pan: PanArguments,

    #[command(flatten)]
    volume: VolumeArguments,
}

/// Options of the strategies that find solutions by the million.
#[derive(Args, Clone, Debug)]
#[group(skip)]
#[command(next_help_heading = "Strategies smtsampler, guided, classes-hard, classes-soft")]
pub struct VolumeArguments {
    /// Boolean definitions in SMT-LIB over the symbols of the formula, of each of several: which of them hold is the
    /// class of a solution
    #[arg(long, value_name = "FILE")]
    pub predicates: Option<PathBuf>,

    /// Take so many random predicates over the symbols of the formula
    #[arg(long, value_name = "N", value_parser = parse_count, conflicts_with = "predicates")]
    pub random_predicates: Option<NonZeroUsize>,

    /// Take so many bits of the formula's own operations that may be 0 and 1
    #[arg(long, value_name = "N", value_parser = parse_count)]
    #[arg(conflicts_with_all = ["predicates", "random_predicates"])]
    pub internal_predicates: Option<NonZeroUsize>,

    /// Write the predicates that were taken to a file, for --predicates
    #[arg(long, value_name = "FILE")]
    pub save_predicates: Option<PathBuf>,

    /// How far the strategy guided is guided [default: bases]
    #[arg(long, value_name = "STEP", value_enum)]
    guidance: Option<GuidanceName>,

    /// Memory in MiB for solutions found before; if there are more, none is like one of the latest. Of several
    /// formulas, for each that is worked on [default: 1024]
    #[arg(long, value_name = "MIB", value_parser = parse_count)]
    memory: Option<NonZeroUsize>,
}

impl VolumeArguments {
    fn first_given(&self) -> Option<&'static str> {
        [
            ("predicates", self.predicates.is_some()),
            ("random-predicates", self.random_predicates.is_some()),
            ("internal-predicates", self.internal_predicates.is_some()),
            ("save-predicates", self.save_predicates.is_some()),
            ("guidance", self.guidance.is_some()),
            ("memory", self.memory.is_some()),
        ]
        .into_iter()
        .find_map(|(name, is_given)| is_given.then_some(name))
    }

    /// Whether predicates are given or to be made.
    fn has_predicates(&self) -> bool {
        self.predicates.is_some() || self.random_predicates.is_some() || self.internal_predicates.is_some()
    }

    /// Memory for solutions found before, in bytes.
    pub fn memory(&self) -> usize {
        self.memory.map_or(1024, usize::from).saturating_mul(1 << 20)
    }

    fn guidance(&self) -> Guidance {
        match self.guidance {
            Some(GuidanceName::Neighbours) => Guidance::Neighbours,
            Some(GuidanceName::Classes) => Guidance::Classes,
            Some(GuidanceName::Bases) | None => Guidance::Bases,
        }
    }

    fn record(&self) -> BTreeMap<String, Value> {
        let predicates = self.predicates.as_ref().map(|path| path.display().to_string());
        let count = |count: Option<NonZeroUsize>| Value::from(count.map(usize::from));
        BTreeMap::from([
            ("predicates".to_string(), Value::from(predicates)),
            ("random-predicates".to_string(), count(self.random_predicates)),
            ("internal-predicates".to_string(), count(self.internal_predicates)),
            ("memory".to_string(), Value::from(self.memory() >> 20)),
        ])
    }
}

/// What a run is to bring.
pub enum Plan {
    /// A set of solutions, in the best order.
    Set(StrategyKind),
    /// Solutions as they are found.
    Volume(VolumeStrategy),
}

/// Options of the strategy `pan` only.
#[derive(Args, Clone, Debug)]
#[group(skip)]
#[command(next_help_heading = "Strategy pan")]
struct PanArguments {
    /// Candidates among which each solution is chosen [default: 50]
    #[arg(long, value_name = "N", value_parser = parse_count)]
    candidates: Option<NonZeroUsize>,

    /// Let constraints make solutions differ, not the search (Alt-1)
    #[arg(long)]
    no_diversity: bool,

    /// Rate candidates by their distance to the solutions so far, not by coverage (Alt-2)
    #[arg(long)]
    manhattan: bool,

    /// Take each chosen candidate as it is, without improving it (Alt-3)
    #[arg(long)]
    no_optimisation: bool,

    /// Ask every candidate for an AST-bit that is not covered yet
    #[arg(long)]
    push_uncovered: bool,
}

impl PanArguments {
    fn options(&self) -> PanOptions {
        PanOptions {
            candidates: self.candidates.map_or(PanOptions::default().candidates, NonZeroUsize::get),
            no_diversity: self.no_diversity,
            manhattan: self.manhattan,
            no_optimisation: self.no_optimisation,
            push_uncovered: self.push_uncovered,
        }
    }

    fn switches(&self) -> [(&'static str, bool); 4] {
        [
            ("no-diversity", self.no_diversity),
            ("manhattan", self.manhattan),
            ("no-optimisation", self.no_optimisation),
            ("push-uncovered", self.push_uncovered),
        ]
    }

    fn record(&self) -> BTreeMap<String, Value> {
        let switches = self.switches().into_iter();
        let switches = switches.map(|(name, is_set)| (name.to_string(), Value::from(is_set)));
        switches.chain([("candidates".to_string(), Value::from(self.options().candidates))]).collect()
    }

    /// The first option that is given.
    fn first_given(&self) -> Option<&'static str> {
        if self.candidates.is_some() {
            return Some("candidates");
        }
        self.switches().into_iter().find(|&(_, is_set)| is_set).map(|(name, _)| name)
    }
}

impl StrategyArguments {
    /// Refuses options of a strategy that was not chosen, which would have no effect, and strategies that need
    /// predicates without any.
    ///
    /// # Errors
    /// There is one.
    pub fn check(&self) -> Result<(), Failure> {
        let is_volume = matches!(self.plan(), Plan::Volume(_));
        let foreign = match self.strategy {
            StrategyName::Pan => None,
            _ => self.pan.first_given().map(|option| (option, "pan")),
        };
        let foreign = foreign
            .or_else(|| self.volume.first_given().filter(|_| !is_volume).map(|option| (option, "guided")));
        if let Some((option, strategy)) = foreign {
            let message = format_args!("--{option} belongs to another strategy");
            let help = format_args!("add --strategy {strategy}");
            return Err(Failure::new(Status::Input, message).with_help(help));
        }
        if self.volume.guidance.is_some() && self.strategy != StrategyName::Guided {
            let message = "--guidance belongs to the strategy guided";
            return Err(Failure::new(Status::Input, message).with_help("add --strategy guided"));
        }
        if is_volume && self.strategy != StrategyName::Smtsampler && !self.volume.has_predicates() {
            let message =
                format_args!("the strategy {} is about predicates, and there are none", self.name());
            let help = "add --predicates FILE, --random-predicates N or --internal-predicates N; \
                        --strategy smtsampler needs none";
            return Err(Failure::new(Status::Input, message).with_help(help));
        }
        Ok(())
    }

    /// What the run is to bring.
    pub fn plan(&self) -> Plan {
        match self.strategy {
            StrategyName::Cover => Plan::Set(StrategyKind::Cover),
            StrategyName::Pan => Plan::Set(StrategyKind::Pan(self.pan.options())),
            StrategyName::Smtsampler => Plan::Volume(VolumeStrategy::Combine),
            StrategyName::Guided => Plan::Volume(VolumeStrategy::Guide(self.volume.guidance())),
            StrategyName::ClassesHard => Plan::Volume(VolumeStrategy::ClassesHard),
            StrategyName::ClassesSoft => Plan::Volume(VolumeStrategy::ClassesSoft),
        }
    }

    /// The name of the strategy, as on the command line.
    pub fn name(&self) -> &'static str {
        match self.strategy {
            StrategyName::Cover => "cover",
            StrategyName::Pan => "pan",
            StrategyName::Smtsampler => "smtsampler",
            StrategyName::Guided => match self.volume.guidance() {
                Guidance::Neighbours => "guided-neighbours",
                Guidance::Classes => "guided-classes",
                Guidance::Bases => "guided",
            },
            StrategyName::ClassesHard => "classes-hard",
            StrategyName::ClassesSoft => "classes-soft",
        }
    }

    /// Options of strategies at volume.
    pub fn volume(&self) -> &VolumeArguments {
        &self.volume
    }

    /// The options of the strategy by their long names, for records.
    pub fn options(&self) -> BTreeMap<String, Value> {
        match self.plan() {
            Plan::Set(StrategyKind::Cover) => BTreeMap::new(),
            Plan::Set(StrategyKind::Pan(_)) => self.pan.record(),
            Plan::Volume(_) => self.volume.record(),
        }
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

/// Where results go.
#[derive(Args, Clone, Debug)]
#[group(skip)]
pub struct OutputArguments {
    /// How solutions are written
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value = "smt2")]
    #[arg(help_heading = "Output")]
    pub format: OutputFormat,

    /// File for the solutions instead of standard output; for several formulas a folder, which gets
    /// one file for each
    #[arg(short, long, value_name = "PATH", help_heading = "Output")]
    pub output: Option<PathBuf>,

    /// File for the figures of the run, as JSON; for several formulas JSON lines, one for each
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub record: Option<PathBuf>,

    /// File for a CSV table with a row for each formula
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub summary: Option<PathBuf>,

    /// Folder for what the run claims to be impossible, as SMT-LIB scripts that every solver must find
    /// unsatisfiable: impossible AST-bits, AST-bits that exclude one another, smaller complete sets
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub obligations: Option<PathBuf>,

    /// Take up a batch again: formulas that the --record file has from a run with the same options
    /// are not run again. Strategies at volume go on with the files of -o, also of one formula: what is
    /// there stays, counts for -n and is never written again
    #[arg(long, help_heading = "Output")]
    pub resume: bool,

    /// Print the figures of the run as JSON on standard output (what --record writes), instead of the
    /// solutions of one formula or the table of several
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

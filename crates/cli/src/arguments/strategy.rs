//! How solutions are searched: the strategies and the options of each.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::Value;
use sundry::{Effort, Granularity, Guidance, LEAST_TOLERANCE, MAX_STRENGTH, Over, PanOptions, Strategy};

use crate::failure::Failure;
use crate::sample::SamplingPlan;
use crate::values::parse_count;

/// The strategies by name.
#[derive(ValueEnum, Copy, Clone, PartialEq, Eq, Debug)]
pub enum StrategyName {
    /// A small set of solutions with complete coverage, and proofs
    Cover,
    /// PanSampler as published: the best of several diverse candidates, again and again
    Pan,
    /// A small set of solutions that shows all pairs of values, or all triples (covering arrays)
    #[value(name = "t-wise")]
    TWise,
    /// Every solution, once
    All,
    /// Independent solutions that are all equally likely, with repetitions
    Uniform,
    /// Millions of solutions, by combining neighbours of a solution (SMTSampler)
    Smtsampler,
    /// Millions of solutions of many classes of --predicates (GuidedSampler)
    Guided,
    /// A solution of a random class of --predicates, again and again
    ClassesHard,
    /// A solution near a random class of --predicates, again and again
    ClassesSoft,
}

use StrategyName::{All, ClassesHard, ClassesSoft, Cover, Guided, Pan, Smtsampler, TWise, Uniform};

/// What solutions of `smtsampler` start at and differ in.
#[derive(ValueEnum, Copy, Clone, PartialEq, Eq, Debug)]
pub enum GranularityName {
    /// Single bits of constants, and of what is read from arrays
    Bit,
    /// Whole constants, and whole elements
    Bv,
    /// Nodes of the circuit
    Sat,
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

/// What `t-wise` combines.
#[derive(ValueEnum, Copy, Clone, PartialEq, Eq, Debug)]
pub enum OverName {
    /// Values of Booleans and of bit-vectors of up to 6 bits; each bit of wider ones
    Values,
    /// The bits of all operations, as AST-bits are
    Bits,
    /// Whether predicates hold
    Predicates,
}

/// How solutions are searched.
#[derive(Args, Clone, Debug)]
#[group(skip)]
pub struct StrategyArguments {
    /// How solutions are searched [default: cover; t-wise where --strength is given, guided where predicates are]
    #[arg(long, value_name = "NAME", value_enum, help_heading = "Strategy")]
    strategy: Option<StrategyName>,

    #[command(flatten)]
    cover: CoverArguments,

    #[command(flatten)]
    pan: PanArguments,

    #[command(flatten)]
    twise: TWiseArguments,

    #[command(flatten)]
    all: AllArguments,

    #[command(flatten)]
    uniform: UniformArguments,

    #[command(flatten)]
    predicates: PredicateArguments,

    #[command(flatten)]
    volume: VolumeArguments,
}

/// Options of the strategy `cover` only.
#[derive(Args, Clone, Debug)]
#[group(skip)]
#[command(next_help_heading = "Strategy cover")]
pub struct CoverArguments {
    /// How long to go on once coverage is complete [default: normal]
    #[arg(long, value_name = "EFFORT", value_enum)]
    effort: Option<EffortName>,
}

/// How long `cover` goes on once coverage is complete, to make the set smaller, to prove it minimal and to move
/// coverage to its first solutions; and how long it tries to decide AST-bits that are too hard at first.
#[derive(ValueEnum, Copy, Clone, PartialEq, Eq, Debug)]
pub enum EffortName {
    /// A moment: the first complete set, nearly as it was found
    Low,
    /// As long again as completeness took, for some seconds: almost always the smallest set
    Normal,
    /// Four times as long as completeness took, at least about ten seconds: more proofs, better prefixes
    High,
    /// Until everything is decided or nothing helps any more: minutes, or until --timeout
    Max,
}

/// Options of the strategy `t-wise` only.
#[derive(Args, Clone, Debug)]
#[group(skip)]
#[command(next_help_heading = "Strategy t-wise")]
pub struct TWiseArguments {
    /// How many values are combined: all pairs (2), triples (3), or just each value (1) [default: 2]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u8).range(1..=MAX_STRENGTH as i64))]
    strength: Option<u8>,

    /// What is combined [default: values; predicates where they are given]
    #[arg(long, value_name = "WHAT", value_enum)]
    over: Option<OverName>,

    /// Continue after everything is covered, up to -n or until there are no more solutions
    ///
    /// The list is in the best order found: each solution adds as many new AST-bits as possible, then values, then pairs,
    /// then triples. So its beginning is a good test set for any budget. Solutions that add nothing new come last, at
    /// random; another --seed gives others.
    #[arg(long)]
    fill: bool,
}

impl TWiseArguments {
    /// How many values are combined.
    pub fn strength(&self) -> usize {
        self.strength.map_or(2, usize::from)
    }
}

/// Options of the strategy `all` only.
#[derive(Args, Clone, Debug)]
#[group(skip)]
#[command(next_help_heading = "Strategy all")]
pub struct AllArguments {
    /// Write one solution for each combination of values of these constants (Booleans and bit-vectors), instead of every
    /// solution
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',')]
    project: Option<Vec<String>>,
}

/// Options of the strategy `uniform` only.
#[derive(Args, Clone, Debug)]
#[group(skip)]
#[command(next_help_heading = "Strategy uniform")]
pub struct UniformArguments {
    /// How far the probability of a solution may be from uniform: with 0.3, it is between 1/1.3 and 1.3 times the uniform
    /// probability. Draws are exactly uniform where all solutions can be listed [default: 0.3]
    #[arg(long, value_name = "SHARE", value_parser = parse_tolerance, conflicts_with = "quick")]
    tolerance: Option<f64>,

    /// Fast random solutions from random solver decisions, with no uniformity guarantee
    #[arg(long)]
    quick: bool,
}

impl UniformArguments {
    /// By how much probabilities may differ.
    pub fn tolerance(&self) -> f64 {
        self.tolerance.unwrap_or(0.3)
    }
}

fn parse_tolerance(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(tolerance) if tolerance.is_finite() && tolerance >= LEAST_TOLERANCE => Ok(tolerance),
        _ => Err(format!("it must be a number from {LEAST_TOLERANCE}, such as 0.3")),
    }
}

/// Predicates of the user, or made for them.
#[derive(Args, Clone, Debug)]
#[group(skip)]
#[command(next_help_heading = "Predicates, for guided, classes-hard, classes-soft, t-wise")]
pub struct PredicateArguments {
    /// Boolean definitions in SMT-LIB over the symbols of the formula (of each formula, if there are several). Which of them
    /// hold is the class of a solution
    #[arg(long, value_name = "FILE")]
    pub predicates: Option<PathBuf>,

    /// Draw N random predicates over the symbols of the formula
    #[arg(long, value_name = "N", value_parser = parse_count, conflicts_with = "predicates")]
    pub random_predicates: Option<NonZeroUsize>,

    /// Take N bits of the formula's own operations, each of which can be 0 and can be 1
    #[arg(long, value_name = "N", value_parser = parse_count)]
    #[arg(conflicts_with_all = ["predicates", "random_predicates"])]
    pub internal_predicates: Option<NonZeroUsize>,

    /// Write the predicates in use to a file that --predicates can read
    #[arg(long, value_name = "FILE")]
    pub save_predicates: Option<PathBuf>,
}

impl PredicateArguments {
    /// Whether predicates are given or to be made.
    pub(super) fn is_given(&self) -> bool {
        self.predicates.is_some() || self.are_made()
    }

    /// Whether predicates are to be made.
    pub fn are_made(&self) -> bool {
        self.random_predicates.is_some() || self.internal_predicates.is_some()
    }

    fn record(&self) -> BTreeMap<String, Value> {
        let predicates = self.predicates.as_ref().map(|path| path.display().to_string());
        let count = |count: Option<NonZeroUsize>| Value::from(count.map(usize::from));
        BTreeMap::from([
            ("predicates".to_string(), Value::from(predicates)),
            ("random-predicates".to_string(), count(self.random_predicates)),
            ("internal-predicates".to_string(), count(self.internal_predicates)),
        ])
    }
}

/// Options of the strategies that find solutions by the million.
#[derive(Args, Clone, Debug)]
#[group(skip)]
#[command(next_help_heading = "Strategies smtsampler, guided, classes-hard, classes-soft")]
pub struct VolumeArguments {
    /// What smtsampler mutates: single bits, whole values, or circuit nodes [default: bit]
    #[arg(long, value_name = "WHAT", value_enum)]
    granularity: Option<GranularityName>,

    /// How far the strategy guided is guided [default: bases]
    #[arg(long, value_name = "STEP", value_enum)]
    guidance: Option<GuidanceName>,

    /// Memory (MiB) for detecting duplicates, per formula in progress. When it is full, only recent solutions are checked
    /// for duplicates [default: 1024]
    #[arg(long, value_name = "MIB", value_parser = parse_count)]
    remembered: Option<NonZeroUsize>,
}

impl VolumeArguments {
    /// What solutions of smtsampler differ in.
    pub fn granularity(&self) -> Granularity {
        match self.granularity {
            Some(GranularityName::Bit) | None => Granularity::Bit,
            Some(GranularityName::Bv) => Granularity::Value,
            Some(GranularityName::Sat) => Granularity::Gate,
        }
    }

    /// Memory for solutions found before, in bytes.
    pub fn remembered(&self) -> usize {
        self.remembered.map_or(1024, usize::from).saturating_mul(1 << 20)
    }

    fn guidance(&self) -> Guidance {
        match self.guidance {
            Some(GuidanceName::Neighbours) => Guidance::Neighbours,
            Some(GuidanceName::Classes) => Guidance::Classes,
            Some(GuidanceName::Bases) | None => Guidance::Bases,
        }
    }
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
}

impl StrategyArguments {
    /// The strategy that is named, or else the one that the other options are about.
    pub(super) fn strategy(&self) -> StrategyName {
        match self.strategy {
            Some(strategy) => strategy,
            None if self.twise.strength.is_some() || self.twise.over.is_some() => TWise,
            None if self.predicates.is_given() => Guided,
            None => Cover,
        }
    }

    /// Refuses strategies that need predicates without any.
    ///
    /// # Errors
    /// There is none.
    pub fn check(&self) -> Result<(), Failure> {
        let strategy = self.strategy();
        let is_about_predicates = match strategy {
            Guided | ClassesHard | ClassesSoft => true,
            TWise => self.twise.over == Some(OverName::Predicates),
            _ => false,
        };
        if is_about_predicates && !self.predicates.is_given() {
            let message = format!("the strategy {} is about predicates, and there are none", self.name());
            let help = "add --predicates FILE, --random-predicates N or --internal-predicates N; \
                        --strategy smtsampler needs none";
            return Err(Failure::usage(message).with_help(help));
        }
        Ok(())
    }

    /// How solutions are searched, towards a share of the AST-bits where the strategy has such a goal.
    pub fn sampling(&self, target: f64) -> SamplingPlan {
        let strategy = match self.strategy() {
            Cover => Strategy::Cover,
            Pan => Strategy::Pan(self.pan.options()),
            TWise => Strategy::TWise(self.twise.strength()),
            All => Strategy::All,
            Uniform if self.uniform.quick => Strategy::Quick,
            Uniform => Strategy::Uniform(self.uniform.tolerance()),
            Smtsampler => Strategy::SmtSampler(self.volume.granularity()),
            Guided => Strategy::Guided(self.volume.guidance()),
            ClassesHard => Strategy::ClassesHard,
            ClassesSoft => Strategy::ClassesSoft,
        };
        let (effort, over, fill) = (self.effort(), self.over(), self.twise.fill);
        SamplingPlan { strategy, target, effort, over, fill }
    }

    /// The name of the strategy, as in records.
    pub fn name(&self) -> &'static str {
        match (self.strategy(), self.volume.guidance(), self.volume.granularity()) {
            (Guided, Guidance::Neighbours, _) => "guided-neighbours",
            (Guided, Guidance::Classes, _) => "guided-classes",
            (Smtsampler, _, Granularity::Value) => "smtsampler-bv",
            (Smtsampler, _, Granularity::Gate) => "smtsampler-sat",
            (strategy, ..) => name_of(strategy),
        }
    }

    /// How long the strategy cover goes on once coverage is complete.
    pub fn effort(&self) -> Effort {
        match self.cover.effort {
            Some(EffortName::Low) => Effort::Low,
            Some(EffortName::Normal) | None => Effort::Normal,
            Some(EffortName::High) => Effort::High,
            Some(EffortName::Max) => Effort::Max,
        }
    }

    /// Options of strategies at volume.
    pub fn volume(&self) -> &VolumeArguments {
        &self.volume
    }

    /// What the strategy t-wise combines.
    pub fn over(&self) -> Over {
        match self.twise.over {
            Some(OverName::Bits) => Over::Bits,
            Some(OverName::Predicates) => Over::Predicates,
            None if self.predicates.is_given() => Over::Predicates,
            Some(OverName::Values) | None => Over::Values,
        }
    }

    /// Whether predicates make a difference: to what is searched, or because they are to be saved.
    pub(super) fn uses_predicates(&self) -> bool {
        self.strategy() != TWise
            || self.over() == Over::Predicates
            || self.predicates.save_predicates.is_some()
    }

    /// Where predicates come from.
    pub fn predicates(&self) -> &PredicateArguments {
        &self.predicates
    }

    /// The names of the constants that tell solutions apart for the strategy all, if not all of them.
    pub fn project(&self) -> Option<&[String]> {
        self.all.project.as_deref()
    }

    /// The options of the strategy by their long names, for records.
    pub fn options(&self) -> BTreeMap<String, Value> {
        match self.strategy() {
            Cover => BTreeMap::from([("effort".to_string(), Value::from(self.effort().name()))]),
            Pan => self.pan.record(),
            TWise => {
                let mut options = self.predicates.record();
                options.insert("strength".to_string(), Value::from(self.twise.strength()));
                options.insert("fill".to_string(), Value::from(self.twise.fill));
                let over = match self.over() {
                    Over::Values => "values",
                    Over::Bits => "bits",
                    Over::Predicates => "predicates",
                };
                options.insert("over".to_string(), Value::from(over));
                options
            }
            All => BTreeMap::from([("project".to_string(), Value::from(self.project()))]),
            Uniform => BTreeMap::from([
                ("tolerance".to_string(), Value::from(self.uniform.tolerance())),
                ("quick".to_string(), Value::from(self.uniform.quick)),
            ]),
            Smtsampler | Guided | ClassesHard | ClassesSoft => {
                let mut options = self.predicates.record();
                options.insert("remembered".to_string(), Value::from(self.volume.remembered() >> 20));
                options
            }
        }
    }
}

/// The name of a strategy on the command line.
pub(super) fn name_of(strategy: StrategyName) -> &'static str {
    match strategy {
        Cover => "cover",
        Pan => "pan",
        TWise => "t-wise",
        All => "all",
        Uniform => "uniform",
        Smtsampler => "smtsampler",
        Guided => "guided",
        ClassesHard => "classes-hard",
        ClassesSoft => "classes-soft",
    }
}

//! The options of each strategy, and beside them which strategies have them.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use serde_json::Value;
use sundry::{Granularity, Guidance, LEAST_TOLERANCE, MAX_STRENGTH, PanOptions};

use super::names::StrategyName::{
    self, All, ClassesHard, ClassesSoft, Cover, Guided, Pan, Smtsampler, TWise, Uniform,
};
use super::names::{EffortName, GranularityName, GuidanceName, OverName};
use crate::values::parse_count;

/// Options, as fields of their arguments, with the strategies that have them; the most likely strategy first.
pub type Owners = &'static [(&'static [&'static str], &'static [StrategyName])];

/// Options that only some strategies have.
pub trait Owned {
    /// Which strategies have which of these options.
    const OWNERS: Owners;
}

/// The owners of all options that only some strategies have.
pub const OWNERS: [Owners; 7] = [
    CoverArguments::OWNERS,
    PanArguments::OWNERS,
    TWiseArguments::OWNERS,
    AllArguments::OWNERS,
    UniformArguments::OWNERS,
    PredicateArguments::OWNERS,
    VolumeArguments::OWNERS,
];

/// Options of the strategy `cover` only.
#[derive(Args, Clone, Debug)]
#[group(skip)]
#[command(next_help_heading = "Strategy cover")]
pub struct CoverArguments {
    /// How long to continue once coverage is complete [default: normal]
    #[arg(long, value_name = "EFFORT", value_enum)]
    pub(super) effort: Option<EffortName>,
}

impl Owned for CoverArguments {
    const OWNERS: Owners = &[(&["effort"], &[Cover])];
}

/// Options of the strategy `t-wise` only.
#[derive(Args, Clone, Debug)]
#[group(skip)]
#[command(next_help_heading = "Strategy t-wise")]
pub struct TWiseArguments {
    /// How many values are combined: all pairs (2), triples (3), or just each value (1) [default: 2]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u8).range(1..=MAX_STRENGTH as i64))]
    pub(super) strength: Option<u8>,

    /// What is combined [default: values; predicates where they are given]
    #[arg(long, value_name = "WHAT", value_enum)]
    pub(super) over: Option<OverName>,

    /// Continue after everything is covered, up to -n or until there are no more solutions
    ///
    /// The list is in the best order found: each solution adds as many new AST-bits as possible, then values, then pairs,
    /// then triples. So its beginning is a good test set for any budget. Solutions that add nothing new come last, at
    /// random; another --seed gives others.
    #[arg(long)]
    pub(super) fill: bool,
}

impl Owned for TWiseArguments {
    const OWNERS: Owners = &[(&["strength", "over", "fill"], &[TWise])];
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
    /// Write one solution for each combination of values of these constants (no arrays, functions or reals), instead of every
    /// solution
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',')]
    pub(super) project: Option<Vec<String>>,
}

impl Owned for AllArguments {
    const OWNERS: Owners = &[(&["project"], &[All])];
}

/// Options of the strategy `uniform` only.
#[derive(Args, Clone, Debug)]
#[group(skip)]
#[command(next_help_heading = "Strategy uniform")]
pub struct UniformArguments {
    /// How far the probability of a solution may be from uniform: with 0.3, it is between 1/1.3 and 1.3 times the uniform
    /// probability. Draws are exactly uniform where all solutions can be listed [default: 0.3]
    #[arg(long, value_name = "SHARE", value_parser = parse_tolerance, conflicts_with = "quick")]
    pub(super) tolerance: Option<f64>,

    /// Fast random solutions from random solver decisions, with no uniformity guarantee
    #[arg(long)]
    pub(super) quick: bool,
}

impl Owned for UniformArguments {
    const OWNERS: Owners = &[(&["tolerance", "quick"], &[Uniform])];
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
        _ => Err(format!("expected a number of at least {LEAST_TOLERANCE}, such as 0.3")),
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

impl Owned for PredicateArguments {
    const OWNERS: Owners = &[(
        &["predicates", "random_predicates", "internal_predicates", "save_predicates"],
        &[Guided, ClassesHard, ClassesSoft, TWise],
    )];
}

impl PredicateArguments {
    /// Whether predicates are given or to be made.
    pub fn is_given(&self) -> bool {
        self.predicates.is_some() || self.are_made()
    }

    /// Whether predicates are to be made.
    pub fn are_made(&self) -> bool {
        self.random_predicates.is_some() || self.internal_predicates.is_some()
    }

    pub(super) fn record(&self) -> BTreeMap<String, Value> {
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
    pub(super) granularity: Option<GranularityName>,

    /// How far the strategy guided is guided [default: bases]
    #[arg(long, value_name = "STEP", value_enum)]
    pub(super) guidance: Option<GuidanceName>,

    /// Memory (MiB) for detecting duplicates, per formula in progress. When it is full, only recent solutions are checked
    /// for duplicates [default: 1024]
    #[arg(long, value_name = "MIB", value_parser = parse_count)]
    pub(super) remembered: Option<NonZeroUsize>,
}

impl Owned for VolumeArguments {
    const OWNERS: Owners = &[
        (&["granularity"], &[Smtsampler]),
        (&["guidance"], &[Guided]),
        (&["remembered"], &[Smtsampler, Guided, ClassesHard, ClassesSoft]),
    ];
}

impl VolumeArguments {
    /// What solutions of smtsampler differ in.
    pub fn granularity(&self) -> Granularity {
        match self.granularity {
            Some(GranularityName::Bit) | None => Granularity::Bit,
            Some(GranularityName::Value) => Granularity::Value,
            Some(GranularityName::Gate) => Granularity::Gate,
        }
    }

    /// Memory for solutions found before, in bytes.
    pub fn remembered(&self) -> usize {
        self.remembered.map_or(1024, usize::from).saturating_mul(1 << 20)
    }

    pub(super) fn guidance(&self) -> Guidance {
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
pub struct PanArguments {
    /// Candidates among which each solution is chosen [default: 50]
    #[arg(long, value_name = "N", value_parser = parse_count)]
    pub(super) candidates: Option<NonZeroUsize>,

    /// Let constraints make solutions differ, not the search (Alt-1)
    #[arg(long)]
    pub(super) no_diversity: bool,

    /// Rate candidates by their distance to the solutions so far, not by coverage (Alt-2)
    #[arg(long)]
    pub(super) manhattan: bool,

    /// Take each chosen candidate as it is, without improving it (Alt-3)
    #[arg(long)]
    pub(super) no_optimisation: bool,

    /// Ask every candidate for an AST-bit that is not covered yet
    #[arg(long)]
    pub(super) push_uncovered: bool,
}

impl Owned for PanArguments {
    const OWNERS: Owners =
        &[(&["candidates", "no_diversity", "manhattan", "no_optimisation", "push_uncovered"], &[Pan])];
}

impl PanArguments {
    pub(super) fn options(&self) -> PanOptions {
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

    pub(super) fn record(&self) -> BTreeMap<String, Value> {
        let switches = self.switches().into_iter();
        let switches = switches.map(|(name, is_set)| (name.to_string(), Value::from(is_set)));
        switches.chain([("candidates".to_string(), Value::from(self.options().candidates))]).collect()
    }
}

#[cfg(test)]
mod tests {
    use clap::Command;

    use super::*;

    /// Every option of a group has owners, and nothing else does.
    fn check<T: Args + Owned>() {
        let command = T::augment_args(Command::new("options"));
        let mut options: Vec<&str> =
            command.get_arguments().map(|argument| argument.get_id().as_str()).collect();
        let mut owned: Vec<&str> = T::OWNERS.iter().flat_map(|(options, _)| *options).copied().collect();
        options.sort_unstable();
        owned.sort_unstable();
        assert_eq!(options, owned);
    }

    #[test]
    fn every_option_of_a_strategy_has_owners() {
        check::<CoverArguments>();
        check::<PanArguments>();
        check::<TWiseArguments>();
        check::<AllArguments>();
        check::<UniformArguments>();
        check::<PredicateArguments>();
        check::<VolumeArguments>();
    }
}

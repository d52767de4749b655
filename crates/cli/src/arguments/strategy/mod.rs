//! The choice of a strategy: from its options to one way to sample.
//!
//! The strategy may follow from other options; the options themselves are in `options.rs`, their words in `names.rs`.

mod names;
mod options;

use std::collections::BTreeMap;

use clap::Args;
use serde_json::Value;
use sundry::{Effort, Granularity, Guidance, Over, Strategy};

use crate::failure::Failure;
use crate::sample::SamplingPlan;
use names::StrategyName::{All, ClassesHard, ClassesSoft, Cover, Guided, Pan, Smtsampler, TWise, Uniform};
use names::{EffortName, OverName};
use options::{
    AllArguments, CoverArguments, PanArguments, PredicateArguments, TWiseArguments, UniformArguments,
    VolumeArguments,
};

pub use names::StrategyName;
pub use options::OWNERS;

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
    /// The strategy has no predicates.
    pub fn check(&self) -> Result<(), Failure> {
        let strategy = self.strategy();
        let is_about_predicates = match strategy {
            Guided | ClassesHard | ClassesSoft => true,
            TWise => self.twise.over == Some(OverName::Predicates),
            _ => false,
        };
        if is_about_predicates && !self.predicates.is_given() {
            let message = format!("the strategy {} needs predicates, and none are given", self.name());
            let help = "add --predicates FILE, --random-predicates N or --internal-predicates N; \
                        --strategy smtsampler needs none";
            return Err(Failure::usage(message).with_help(help));
        }
        Ok(())
    }

    /// The way to sample, towards a share of the AST-bits where the strategy has such a goal.
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
            (strategy, ..) => strategy.name(),
        }
    }

    /// How long the strategy cover continues once coverage is complete.
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

    /// The options about predicates.
    pub fn predicates(&self) -> &PredicateArguments {
        &self.predicates
    }

    /// The names of the constants that distinguish solutions for the strategy all, unless all do.
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

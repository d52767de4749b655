//! The task of a campaign, once its arguments are resolved: nothing below sees options.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use sundry::Control;
use sundry_counters::CounterProvider;
use sundry_fuzz::{ApproximationBase, AskingStyle, MutationMethod, Settings, Technique, Variation};

use crate::arguments::{FormName, FuzzArguments, MutantPlace, StrategyName};
use crate::campaign::counters;
use crate::campaign::page_names::PageNames;
use crate::campaign::seeds::{SeedFiles, seeds};
use crate::campaign::solvers::Solvers;
use crate::console::Console;
use crate::failure::Failure;
use crate::interrupt::Stop;

/// The task of a campaign, and the limits that end it.
pub struct Plan {
    /// The solvers, which nobody has asked anything yet.
    pub solvers: Solvers,
    /// Whether the solvers under test check their own answers.
    pub checks_itself: bool,
    /// The counters of each solver under test.
    pub counters: Vec<Option<Arc<dyn CounterProvider>>>,
    /// The seeds.
    pub seeds: SeedFiles,
    /// The work for each seed.
    pub settings: Settings,
    /// The mutant to print, if nothing is to be tested.
    pub replay: Option<MutantPlace>,
    /// The folder of the campaign.
    pub output: PathBuf,
    /// A file for all questions and replies, if they are to be written down.
    pub transcript: Option<PathBuf>,
    /// A folder for each question with the answers to it, if they are to be kept.
    pub trace: Option<PathBuf>,
    /// The maximal number of mutants of this run, if there is one.
    pub budget: Option<NonZeroUsize>,
    /// The number of threads that share the work.
    pub threads: usize,
    /// When the run began, and when it has to end.
    pub start: Instant,
    /// The moment at which the run has to end, if there is one.
    pub deadline: Option<Instant>,
    /// The control that stops the run.
    pub control: Control,
    /// The names of the options that decide on the mutants.
    strategies: Vec<StrategyName>,
    form: FormName,
    /// The kind of the counters.
    pub counters_kind: String,
}

/// All that decides on the mutants of a campaign. A campaign of another description cannot continue it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Description {
    /// The commands of the solvers under test.
    solvers: Vec<String>,
    /// The commands of the references.
    references: Vec<String>,
    /// The commands of the releases.
    releases: Vec<String>,
    /// The seeds in order.
    seeds: Vec<PathBuf>,
    /// Changes in one step.
    changes: usize,
    /// The ways to make mutants.
    strategies: Vec<StrategyName>,
    /// Whether approximations accumulate changes.
    #[serde(default)]
    accumulate: bool,
    /// The way to ask solvers about mutants.
    form: FormName,
    /// The percentage of mutants that run with options of the solvers.
    #[serde(default)]
    vary_options: u8,
    /// The kind of the counters that show what is new.
    counters: String,
    /// Whether more time is something new.
    time_classes: bool,
    /// Seed of all random choices.
    seed: u64,
}

impl Plan {
    /// Resolves and checks the arguments of a run that begins now.
    ///
    /// # Errors
    /// A solver or a seed is none, or options do not fit together.
    pub fn resolve(arguments: &FuzzArguments, stop: &Stop, console: &Console) -> Result<Plan, Failure> {
        let start = Instant::now();
        let is_campaign = arguments.replay.is_none();
        // The command of a campaign makes a mutant again: neither may the time of the campaign end that, nor its files be lost.
        let limits = match is_campaign {
            true => arguments.limits.clone(),
            false => arguments.limits.without_timeout(),
        };
        let control = limits.control(start, stop);
        let solvers = Solvers::read(&arguments.solvers, &control)?;
        if arguments.strategies.contains(&StrategyName::Opfuzz) && solvers.references.is_empty() {
            return Err(Failure::usage("--strategy opfuzz needs a --reference to compare with"));
        }
        let seeds = SeedFiles(seeds(&arguments.seeds, &arguments.output, console)?);
        let settings = Settings {
            mutants: if arguments.no_mutation { 0 } else { arguments.mutants.get() },
            changes: arguments.changes.get(),
            methods: methods(arguments),
            approximation_base: if arguments.accumulate {
                ApproximationBase::Mutants
            } else {
                ApproximationBase::Seed
            },
            forms: forms(arguments.form),
            options: Variation { percent: arguments.vary_options, ..Variation::default() },
            shares_processes: !arguments.process_per_mutant,
            time_classes: arguments.time_classes,
            seed: arguments.limits.seed,
            reduction: arguments.reduction_timeout,
        };
        Ok(Plan {
            counters: counters::of_solvers(&arguments.counters, &solvers.tested)?,
            solvers,
            checks_itself: arguments.solvers.self_check,
            threads: arguments.limits.threads().min(seeds.0.len()).max(1),
            seeds,
            settings,
            replay: arguments.replay.clone(),
            output: arguments.output.clone(),
            transcript: arguments.transcript.clone().filter(|_| is_campaign),
            trace: arguments.trace.clone().filter(|_| is_campaign),
            budget: arguments.budget,
            start,
            deadline: limits.deadline(start),
            control,
            strategies: arguments.strategies.clone(),
            form: arguments.form,
            counters_kind: arguments.counters.kind.clone(),
        })
    }

    /// The names of all solvers and seeds for pages.
    pub fn page_names(&self) -> PageNames {
        let Solvers { tested, references, releases, .. } = &self.solvers;
        let solvers = tested.iter().chain(references).chain(releases).map(|solver| solver.name.as_str());
        let seeds: Vec<String> = self.seeds.0.iter().map(|seed| seed.display().to_string()).collect();
        PageNames::of(solvers, seeds.iter().map(String::as_str))
    }

    /// All that decides on the mutants. A solver that checks itself has further arguments, which are part of its name.
    pub fn description(&self) -> Description {
        let names =
            |solvers: &[sundry_external::Solver]| solvers.iter().map(|solver| solver.name.clone()).collect();
        Description {
            solvers: names(&self.solvers.tested),
            references: names(&self.solvers.references),
            releases: names(&self.solvers.releases),
            seeds: self.seeds.0.clone(),
            changes: self.settings.changes,
            strategies: self.strategies.clone(),
            accumulate: self.settings.approximation_base == ApproximationBase::Mutants,
            form: self.form,
            vary_options: self.settings.options.percent,
            counters: self.counters_kind.clone(),
            time_classes: self.settings.time_classes,
            seed: self.settings.seed,
        }
    }
}

/// The ways to make mutants, each once.
fn methods(arguments: &FuzzArguments) -> Vec<MutationMethod> {
    let mut methods = Vec::new();
    for &strategy in &arguments.strategies {
        let named = match strategy {
            StrategyName::Pst => vec![MutationMethod::Approximation(Technique::PredicateTransformation)],
            StrategyName::Lpi => vec![MutationMethod::Approximation(Technique::PredicateInjection)],
            StrategyName::Both => vec![MutationMethod::Approximation(Technique::Both)],
            StrategyName::Opfuzz => vec![MutationMethod::Operators],
            StrategyName::Fusion => vec![MutationMethod::Fusion],
            StrategyName::Model => vec![MutationMethod::Model],
            StrategyName::All => vec![
                MutationMethod::Approximation(Technique::Both),
                MutationMethod::Fusion,
                MutationMethod::Model,
                MutationMethod::Operators,
            ],
        };
        for method in named {
            if !methods.contains(&method) {
                methods.push(method);
            }
        }
    }
    methods
}

/// The ways to ask about mutants: each as often as it stands here.
fn forms(form: FormName) -> Vec<AskingStyle> {
    match form {
        FormName::Plain => vec![AskingStyle::Plain],
        FormName::Core => vec![AskingStyle::Core],
        FormName::Assumptions => vec![AskingStyle::Assumptions],
        FormName::Incremental => vec![AskingStyle::Incremental],
        FormName::Definitions => vec![AskingStyle::Definitions],
        FormName::Mixed => [vec![AskingStyle::Plain; 4], AskingStyle::ALL.to_vec()].concat(),
    }
}

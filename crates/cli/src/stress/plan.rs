//! The task of a campaign, once its arguments are resolved: nothing below sees options.

use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use sundry::Control;
use sundry::term::TermStore;
use sundry_counters::CounterProvider;
use sundry_evolve::Parameters;
use sundry_external::{Limits, Meter, Solver};
use sundry_stress::{
    Breeding, Campaign, Contest, Contestant, CoverageRules, FollowUp, Material, Measure, Mix, RunLimits,
    Scoring, State, Tally, Variant,
};

use crate::arguments::{CoverageRulesName, MeasureName, ObjectiveName, StressArguments, VariantName};
use crate::campaign::counters;
use crate::campaign::seeds::{SeedFiles, seeds};
use crate::campaign::solvers::Solvers;
use crate::commands;
use crate::console::Console;
use crate::failure::Failure;
use crate::interrupt::Stop;

/// The logic of inputs that are made up where nobody names one: that of the paper.
const STRINGS: &str = "QF_SLIA";

/// The share of the limit up to which efforts do not differ for the search.
const NOISE: f64 = 0.05;

/// The share of the limit above which an input is slow for the search. The score of an input at which the target is stopped is about twice the limit.
const SLOW: f64 = 0.5;

/// The task of a campaign, and the limits that end it.
pub struct Plan {
    /// The solvers, which nobody has asked anything yet.
    pub solvers: Solvers,
    /// Counters of the solver under test, if it has any.
    pub counters: Option<Arc<dyn CounterProvider>>,
    /// The seeds.
    pub seeds: SeedFiles,
    /// The logic of inputs that are made up.
    pub logic: String,
    /// The proportions of the first generation, if somebody wants others than usual.
    pub mix: Option<Mix>,
    /// Inputs of a generation.
    pub population: usize,
    /// The case to print, if nothing is to be searched.
    pub replay: Option<usize>,
    /// The folder of the campaign.
    pub output: PathBuf,
    /// The number of inputs that are run at the same time.
    pub threads: usize,
    /// When the run began, and when it has to end.
    pub start: Instant,
    /// The moment at which the run has to end, if there is one.
    pub deadline: Option<Instant>,
    /// The control that stops the run.
    pub control: Control,
    /// The measure of effort.
    pub measure: Measure,
    run_limits: RunLimits,
    units: [Option<NonZeroU64>; 2],
    scoring: Scoring,
    parameters: Parameters,
    seed: u64,
    factor: f64,
    confirm: Duration,
    reduction: Duration,
    generations: Option<u64>,
    solver_budget: Option<f64>,
    findings: Option<usize>,
    description: Description,
}

/// All that decides on what is bred. A campaign of another description cannot continue it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Description {
    targets: Vec<String>,
    references: Vec<String>,
    seeds: Vec<PathBuf>,
    counters: String,
    logic: Option<String>,
    mix: Option<String>,
    max_complexity: u64,
    objective: ObjectiveName,
    measure: MeasureName,
    units: [Option<NonZeroU64>; 2],
    limit_seconds: f64,
    limit_doublings: u32,
    solver_memory_mib: usize,
    variant: VariantName,
    coverage_rules: CoverageRulesName,
    keep_first_coverage: bool,
    exact_times: bool,
    keep_fast: bool,
    keep_copies: bool,
    population: usize,
    crossover: f64,
    mutation: f64,
    mutations: usize,
    seed: u64,
}

impl Plan {
    /// Resolves and checks the arguments of a run that begins now.
    ///
    /// # Errors
    /// A solver or a seed is none, or options do not fit together.
    pub fn resolve(arguments: &StressArguments, stop: &Stop, console: &Console) -> Result<Plan, Failure> {
        let start = Instant::now();
        let control = arguments.limits.control(start, stop);
        let limits = commands::limits(Limits::default().wall, arguments.solver_memory);
        let run_limits = RunLimits { processor: arguments.limit, memory: limits.memory.unwrap_or(u64::MAX) };
        if arguments.limit.is_zero() {
            return Err(Failure::usage("--limit 0 lets no solver run").with_help("the default is 5 s"));
        }
        let named = [&arguments.targets[..], &arguments.references, &arguments.releases];
        let solvers = Solvers::named(named, arguments.profiles.as_deref(), limits, &control)?;
        let seeds = match arguments.seeds.is_empty() {
            true => Vec::new(),
            false => seeds(&arguments.seeds, &arguments.output, console)?,
        };
        let units = [arguments.target_units, arguments.reference_units];
        let measure = match (arguments.objective, arguments.measure) {
            (ObjectiveName::Memory, MeasureName::Resource) => {
                return Err(Failure::usage(
                    "--measure says how time is measured, and --objective memory looks for memory",
                ));
            }
            (ObjectiveName::Memory, _) if arguments.limit_doublings > 0 => {
                return Err(Failure::usage(
                    "--limit-doublings raises the limit on time, and --objective memory looks for memory",
                ));
            }
            (ObjectiveName::Memory, _) => Measure::Memory,
            (ObjectiveName::Time, MeasureName::Resource) => Measure::Resource,
            (ObjectiveName::Time, MeasureName::Processor) => Measure::Processor,
        };
        if let Some(logic) = &arguments.logic {
            Material::of_logic(&mut TermStore::new(), logic).map_err(Failure::usage)?;
        }
        if arguments.mix.is_some_and(|mix| mix.seeds > 0) && seeds.is_empty() {
            return Err(
                Failure::usage("--mix wants seeds, and there are none").with_help("name files or folders")
            );
        }
        let counters = counters::of_build(&arguments.counters)?;
        let logic = arguments.logic.clone().unwrap_or_else(|| STRINGS.to_string());
        let scoring = Scoring {
            variant: arguments.variant.into(),
            has_counters: counters.is_some(),
            coverage: match arguments.coverage_rules {
                CoverageRulesName::Text => CoverageRules::Text,
                CoverageRulesName::Listing => CoverageRules::Listing,
            },
            keeps_first_coverage: arguments.keep_first_coverage,
            // What depends on the limit is set in `campaign`.
            noise: 0.0,
            slow: None,
            exact_times: arguments.exact_times,
            // The inputs have lengths of strings, which some solvers refuse under this name: they say the smallest logic that fits.
            logic: arguments.logic.clone().filter(|logic| logic != "QF_S"),
            made_up: Some(logic.clone()),
            largest: Some(arguments.max_complexity),
        };
        let description = Description {
            targets: arguments.targets.clone(),
            references: arguments.references.clone(),
            seeds: seeds.clone(),
            counters: arguments.counters.kind.clone(),
            logic: arguments.logic.clone(),
            mix: arguments.mix.map(|mix| mix.to_string()),
            max_complexity: arguments.max_complexity,
            objective: arguments.objective,
            measure: arguments.measure,
            units,
            limit_seconds: arguments.limit.as_secs_f64(),
            limit_doublings: arguments.limit_doublings,
            solver_memory_mib: arguments.solver_memory.get(),
            variant: arguments.variant,
            coverage_rules: arguments.coverage_rules,
            keep_first_coverage: arguments.keep_first_coverage,
            exact_times: arguments.exact_times,
            keep_fast: arguments.keep_fast,
            keep_copies: arguments.keep_copies,
            population: arguments.population.get(),
            crossover: arguments.crossover,
            mutation: arguments.mutation,
            mutations: arguments.mutations.get(),
            seed: arguments.limits.seed,
        };
        Ok(Plan {
            solvers,
            counters,
            seeds: SeedFiles(seeds),
            logic,
            mix: arguments.mix,
            population: arguments.population.get(),
            replay: arguments.replay,
            output: arguments.output.clone(),
            threads: arguments.limits.threads(),
            start,
            deadline: arguments.limits.deadline(start),
            control,
            measure,
            run_limits,
            units,
            parameters: Parameters {
                scheme: scoring.variant.scheme(),
                crossover: arguments.crossover,
                mutation: arguments.mutation,
                mutations: arguments.mutations.get(),
                crowding: scoring.variant.crowding(scoring.has_counters),
                keeps_copies: arguments.keep_copies,
            },
            scoring,
            seed: arguments.limits.seed,
            factor: arguments.factor,
            confirm: arguments.confirm,
            reduction: arguments.reduction_timeout,
            generations: arguments.generations,
            solver_budget: arguments.solver_budget.map(|budget| budget.as_secs_f64()),
            findings: arguments.findings.map(Into::into),
            description,
        })
    }

    /// All that decides on what is bred.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// The seed of all random choices.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Has a solver that counts write its counters below a folder also before the search, and not beside its objects.
    ///
    /// # Errors
    /// The folder cannot be prepared.
    pub fn instrument(&mut self, folder: &Path) -> Result<(), Failure> {
        if let (Some(counters), Some(target)) = (&self.counters, self.solvers.tested.first_mut()) {
            let folder = folder.join("probing");
            let prepared = counters.prepare(&folder).map_err(|error| Failure::writing(&folder, &error))?;
            *target = target.clone().instrumented(prepared.environment, Vec::new());
        }
        Ok(())
    }

    /// The solvers and how they are measured, once they were probed.
    pub fn contest(&self, meter: &Arc<Meter>) -> Contest {
        let mut targets = contestants(&self.solvers.tested, self.units[0]);
        if let Some(first) = targets.first_mut() {
            first.counters.clone_from(&self.counters);
        }
        Contest {
            targets,
            references: contestants(&self.solvers.references, self.units[1]),
            measure: self.measure,
            limits: self.run_limits,
            multiple: 1,
            meter: Arc::clone(meter),
            stopwatches: Arc::default(),
        }
    }

    /// The campaign for these solvers.
    pub fn campaign(&self, contest: &Contest) -> Campaign {
        let follow_up = FollowUp {
            releases: contestants(&self.solvers.releases, self.units[0]),
            confirm: self.confirm,
            factor: self.factor,
            reduction: self.reduction,
        };
        let limit = contest.limit_amount();
        let slow = (!self.description.keep_fast).then_some(SLOW * limit);
        Campaign {
            breeding: Breeding {
                parameters: self.parameters,
                scoring: Scoring { noise: NOISE * limit, slow, ..self.scoring.clone() },
                seed: self.seed,
                factor: self.factor,
                doublings: self.description.limit_doublings,
            },
            follow_up: (!self.confirm.is_zero()).then_some(follow_up),
            generations: self.generations,
            solver_budget: self.solver_budget,
            findings: self.findings,
            deadline: self.deadline,
        }
    }

    /// The solvers of the search, with whether each is a reference and what it has answered.
    pub fn tallies<'a>(&'a self, state: &'a State) -> impl Iterator<Item = (&'a Solver, bool, &'a Tally)> {
        let [tested, references] = [&self.solvers.tested, &self.solvers.references];
        let tested = tested.iter().zip(&state.targets).map(|(solver, tally)| (solver, false, tally));
        tested.chain(references.iter().zip(&state.references).map(|(solver, tally)| (solver, true, tally)))
    }

    /// The variant that the search has in fact, in words.
    pub fn effective_variant(&self) -> String {
        let name = match self.scoring.variant {
            Variant::Default => "default",
            Variant::OnlyTime => "only-time",
            Variant::NoCoverage => "no-coverage",
            Variant::NoComplexity => "no-complexity",
            Variant::DefaultCrowding => "default-crowding",
            Variant::StringFuzz => "stringfuzz",
            Variant::StringFuzzDifference => "stringfuzz-difference",
        };
        match (self.scoring.has_counters, self.scoring.variant) {
            (_, Variant::StringFuzz | Variant::StringFuzzDifference) => name.to_string(),
            (false, Variant::Default) => {
                "no-coverage with default-crowding, because nothing is counted".to_string()
            }
            (false, _) => {
                format!("{name}, without coverage and with default-crowding, because nothing is counted")
            }
            (true, _) => name.to_string(),
        }
    }
}

fn contestants(solvers: &[Solver], units: Option<NonZeroU64>) -> Vec<Contestant> {
    let units = units.map(NonZeroU64::get);
    solvers.iter().map(|solver| Contestant { solver: solver.clone(), units, counters: None }).collect()
}

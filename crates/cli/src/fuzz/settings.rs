//! What the command line says of mutants.

use std::path::PathBuf;

use sundry_fuzz::{AskingStyle, Campaign, Method, Settings, Technique};

use super::journal::Description;
use crate::arguments::{FormName, FuzzArguments, StrategyName};

/// How much is done for each seed.
pub fn settings(arguments: &FuzzArguments) -> Settings {
    Settings {
        mutants: if arguments.no_mutation { 0 } else { arguments.mutants.get() },
        changes: arguments.changes.get(),
        methods: methods(arguments),
        forms: forms(arguments.form),
        seed: arguments.limits.seed,
        reduction: arguments.reduction_timeout,
    }
}

/// How mutants are made, each way once.
fn methods(arguments: &FuzzArguments) -> Vec<Method> {
    let mut methods = Vec::new();
    for &strategy in &arguments.strategies {
        let named = match strategy {
            StrategyName::Pst => vec![Method::Approximation(Technique::PredicateTransformation)],
            StrategyName::Lpi => vec![Method::Approximation(Technique::PredicateInjection)],
            StrategyName::Both => vec![Method::Approximation(Technique::Both)],
            StrategyName::Opfuzz => vec![Method::Operators],
            StrategyName::Fusion => vec![Method::Fusion],
            StrategyName::Model => vec![Method::Model],
            StrategyName::All => {
                let mut all = vec![Method::Approximation(Technique::Both), Method::Fusion, Method::Model];
                all.extend((!arguments.solvers.references.is_empty()).then_some(Method::Operators));
                all
            }
        };
        for method in named {
            if !methods.contains(&method) {
                methods.push(method);
            }
        }
    }
    methods
}

/// How mutants are asked about: each of these as often as it stands here.
fn forms(form: FormName) -> Vec<AskingStyle> {
    match form {
        FormName::Plain => vec![AskingStyle::Plain],
        FormName::Core => vec![AskingStyle::Core],
        FormName::Assumptions => vec![AskingStyle::Assumptions],
        FormName::Incremental => vec![AskingStyle::Incremental],
        FormName::Mixed => [vec![AskingStyle::Plain; 4], AskingStyle::ALL.to_vec()].concat(),
    }
}

/// What decides on the mutants of a campaign.
pub fn description(arguments: &FuzzArguments, campaign: Campaign<'_>, seeds: &[PathBuf]) -> Description {
    Description {
        solvers: campaign.solvers.iter().map(|solver| solver.name().to_string()).collect(),
        references: arguments.solvers.references.clone(),
        releases: arguments.solvers.releases.clone(),
        seeds: seeds.to_vec(),
        changes: arguments.changes.get(),
        strategies: arguments.strategies.clone(),
        form: arguments.form,
        seed: arguments.limits.seed,
    }
}

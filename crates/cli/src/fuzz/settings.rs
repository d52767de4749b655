//! What the command line says of mutants.

use std::path::PathBuf;

use sundry_fuzz::{Campaign, Form, Method, Settings, Strategy};

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

/// How mutants are made.
fn methods(arguments: &FuzzArguments) -> Vec<Method> {
    let both = Method::Approximation(Strategy::Both);
    match arguments.strategy {
        StrategyName::Pst => vec![Method::Approximation(Strategy::Transform)],
        StrategyName::Lpi => vec![Method::Approximation(Strategy::Inject)],
        StrategyName::Both => vec![both],
        StrategyName::Opfuzz => vec![Method::Operators],
        StrategyName::Fusion => vec![Method::Fusion],
        StrategyName::Model => vec![Method::Model],
        StrategyName::All if arguments.solvers.references.is_empty() => {
            vec![both, Method::Fusion, Method::Model]
        }
        StrategyName::All => vec![both, Method::Fusion, Method::Model, Method::Operators],
    }
}

/// How mutants are asked about: each of these as often as it stands here.
fn forms(form: FormName) -> Vec<Form> {
    match form {
        FormName::Plain => vec![Form::Plain],
        FormName::Core => vec![Form::Core],
        FormName::Assumptions => vec![Form::Assumptions],
        FormName::Incremental => vec![Form::Incremental],
        FormName::Mixed => [vec![Form::Plain; 4], Form::ALL.to_vec()].concat(),
    }
}

/// What decides on the mutants of a campaign.
pub fn description(arguments: &FuzzArguments, campaign: Campaign<'_>, seeds: &[PathBuf]) -> Description {
    Description {
        solvers: campaign.solvers.iter().map(|solver| solver.name.clone()).collect(),
        references: arguments.solvers.references.clone(),
        releases: arguments.solvers.releases.clone(),
        seeds: seeds.to_vec(),
        changes: arguments.changes.get(),
        strategy: format!("{:?}", arguments.strategy).to_lowercase(),
        form: format!("{:?}", arguments.form).to_lowercase(),
        seed: arguments.limits.seed,
    }
}

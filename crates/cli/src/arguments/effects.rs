//! Options that would have no effect where they stand, in one table. They are refused, with what would give them one:
//! whoever writes an option expects something of it.

use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory};
use sundry_evolve::Scheme;
use sundry_stress::Variant;

use super::strategy::OWNERS;
use super::strategy::StrategyName::{Cover, Pan, TWise};
use super::{
    Arguments, CoverageMeasure, ExploreArguments, FloatMethodArgument, Job, MeasureName, SampleArguments,
    SolveArguments, StressArguments,
};
use crate::failure::Failure;

/// Options that have an effect under a condition only.
struct Effect {
    job: &'static str,
    /// The options, as fields of their arguments.
    options: &'static [&'static str],
    /// Whether they have one here.
    holds: fn(&Job) -> bool,
    /// Why they have none elsewhere, behind "has no effect".
    otherwise: &'static str,
    /// What would give them one.
    help: &'static str,
}

const EFFECTS: &[Effect] = &[
    Effect {
        job: "sample",
        options: &["format"],
        holds: |job| sampling(job, |arguments| arguments.output.output.is_some() || !is_batch(arguments)),
        otherwise: "for several formulas without -o: only figures are printed",
        help: "add -o FOLDER",
    },
    Effect {
        job: "sample",
        options: &["format"],
        holds: |job| sampling(job, |arguments| arguments.output.output.is_some() || !arguments.output.json),
        otherwise: "with --json and without -o: the figures take the place of the solutions",
        help: "add -o FILE, or leave --json out",
    },
    Effect {
        job: "sample",
        options: &["target"],
        holds: |job| sampling(job, |arguments| matches!(arguments.strategy.strategy(), Cover | Pan)),
        otherwise: "with this strategy: only cover and pan work towards a coverage of AST-bits",
        help: "use --max-solutions or --timeout",
    },
    Effect {
        job: "sample",
        options: &["integer_bits"],
        holds: |job| sampling(job, |arguments| matches!(arguments.strategy.strategy(), Cover | Pan | TWise)),
        otherwise: "with this strategy: only cover, pan and t-wise look at AST-bits",
        help: "use another strategy",
    },
    Effect {
        job: "sample",
        options: &["predicates", "random_predicates", "internal_predicates"],
        holds: |job| sampling(job, |arguments| arguments.strategy.uses_predicates()),
        otherwise: "with --over values or --over bits",
        help: "use --over predicates",
    },
    Effect {
        job: "sample",
        options: &["save_predicates"],
        holds: |job| sampling(job, |arguments| arguments.strategy.predicates().is_given()),
        otherwise: "where there are no predicates",
        help: "add --random-predicates N or --internal-predicates N",
    },
    Effect {
        job: "coverage",
        options: &["decide", "integer_bits"],
        holds: |job| matches!(job, Job::Coverage(arguments) if arguments.measure == CoverageMeasure::Ast),
        otherwise: "with --measure wire: it is about AST-bits",
        help: "use --measure ast",
    },
    Effect {
        job: "coverage",
        options: &["seed", "threads"],
        holds: |job| matches!(job, Job::Coverage(arguments) if arguments.decide),
        otherwise: "without --decide: measuring makes no random choices and uses one thread",
        help: "add --decide",
    },
    Effect {
        job: "fuzz",
        options: &["strategies", "changes", "form", "budget", "seed"],
        holds: |job| matches!(job, Job::Fuzz(arguments) if !arguments.no_mutation),
        otherwise: "with --no-mutation: it is about mutants",
        help: "leave --no-mutation out",
    },
    Effect {
        job: "stress",
        options: &["crossover", "mutation", "mutations", "keep_copies", "exact_times", "keep_fast"],
        holds: |job| stressing(job, |arguments| Variant::from(arguments.variant).scheme() != Scheme::Culling),
        otherwise: "with this variant: StringFuzz mutates copies of the three best inputs four times each",
        help: "use another --variant",
    },
    Effect {
        job: "stress",
        options: &["coverage_rules", "keep_first_coverage"],
        holds: |job| stressing(job, |arguments| !arguments.counters.is_none()),
        otherwise: "without --counters: there is no coverage to score",
        help: "add --counters KIND",
    },
    Effect {
        job: "stress",
        options: &["coverage_rules", "keep_first_coverage"],
        holds: |job| stressing(job, |arguments| Variant::from(arguments.variant).has_coverage()),
        otherwise: "with this variant: coverage is no objective",
        help: "use another --variant",
    },
    Effect {
        job: "stress",
        options: &["target_units", "reference_units"],
        holds: |job| stressing(job, |arguments| arguments.measure == MeasureName::Resource),
        otherwise: "without --measure resource: solvers do not count their work",
        help: "add --measure resource",
    },
    Effect {
        job: "stress",
        options: &["releases", "reduction_timeout"],
        holds: |job| stressing(job, |arguments| !arguments.confirm.is_zero()),
        otherwise: "with --confirm 0: nothing is followed up",
        help: "leave --confirm 0 out",
    },
    Effect {
        job: "solve",
        options: &["float_strategy", "partial_points"],
        holds: |job| solving(job, |arguments| arguments.floats != FloatMethodArgument::Circuit),
        otherwise: "with --floats circuit: nothing is searched",
        help: "use --floats both or --floats search",
    },
    Effect {
        job: "solve",
        options: &["partial_points", "partial_limit"],
        holds: |job| solving(job, |arguments| arguments.partial.is_some()),
        otherwise: "without --partial: no partial solutions are written",
        help: "add --partial FILE",
    },
    Effect {
        job: "explore",
        options: &["elements", "object", "pointer_depth", "never_null"],
        holds: |job| exploring(job, |arguments| arguments.function.is_some()),
        otherwise: "without --function: it is about the arguments of a function",
        help: "add --function NAME",
    },
    Effect {
        job: "explore",
        options: &["native"],
        holds: |job| exploring(job, |arguments| arguments.function.is_none()),
        otherwise: "with --function: a native program cannot be given the arguments of a function",
        help: "leave --function out",
    },
];

fn exploring(job: &Job, holds: impl FnOnce(&ExploreArguments) -> bool) -> bool {
    matches!(job, Job::Explore(arguments) if holds(arguments))
}

fn solving(job: &Job, holds: impl FnOnce(&SolveArguments) -> bool) -> bool {
    matches!(job, Job::Solve(arguments) if holds(arguments))
}

fn sampling(job: &Job, holds: impl FnOnce(&SampleArguments) -> bool) -> bool {
    matches!(job, Job::Sample(arguments) if holds(arguments))
}

fn stressing(job: &Job, holds: impl FnOnce(&StressArguments) -> bool) -> bool {
    matches!(job, Job::Stress(arguments) if holds(arguments))
}

fn is_batch(arguments: &SampleArguments) -> bool {
    !matches!(&arguments.inputs[..], [one] if !one.is_dir())
}

/// Refuses options of a job that are written on the command line and have no effect there.
///
/// # Errors
/// There is such an option.
pub fn check(job: &Job, matches: &ArgMatches) -> Result<(), Failure> {
    let Some((name, matches)) = matches.subcommand() else { return Ok(()) };
    let is_given = |option: &&&str| matches.value_source(option) == Some(ValueSource::CommandLine);
    if let Job::Sample(arguments) = job {
        let strategy = arguments.strategy.strategy();
        for (options, of) in OWNERS.into_iter().flatten().filter(|(_, of)| !of.contains(&strategy)) {
            if let Some(option) = options.iter().find(is_given) {
                let (option, strategy) = (long(name, option), arguments.strategy.name());
                let owners: Vec<&str> = of.iter().map(|owner| owner.name()).collect();
                let message = format_args!(
                    "{option} has no effect with the strategy {strategy}: it is an option of {}",
                    owners.join(", ")
                );
                let help = format_args!("add --strategy {}, or leave {option} out", owners[0]);
                return Err(Failure::usage(message).with_help(help));
            }
        }
    }
    for Effect { job: of, options, holds, otherwise, help } in EFFECTS {
        if *of == name
            && !holds(job)
            && let Some(option) = options.iter().find(is_given)
        {
            let option = long(name, option);
            let message = format_args!("{option} has no effect {otherwise}");
            return Err(Failure::usage(message).with_help(format_args!("{help}, or leave {option} out")));
        }
    }
    Ok(())
}

/// An option as it is written.
fn long(job: &str, option: &str) -> String {
    let command = Arguments::command();
    let mut arguments = command.find_subcommand(job).into_iter().flat_map(clap::Command::get_arguments);
    let found = arguments.find(|argument| argument.get_id() == option);
    format!("--{}", found.and_then(clap::Arg::get_long).unwrap_or(option))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_name_options_that_there_are() {
        let command = Arguments::command();
        let of_strategies = OWNERS.into_iter().flatten().map(|(options, _)| ("sample", *options));
        let of_jobs = EFFECTS.iter().map(|effect| (effect.job, effect.options));
        for (job, options) in of_strategies.chain(of_jobs) {
            let command = command.find_subcommand(job).expect(job);
            for option in options {
                assert!(
                    command.get_arguments().any(|argument| argument.get_id() == option),
                    "{job} {option}"
                );
            }
        }
    }
}

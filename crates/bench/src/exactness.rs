//! Claims of impossibility, confirmed by another solver.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use sundry_report::{Alignment, Table};
use sundry_testing::oracle::{Answer, Oracle};

use crate::SuiteArguments;
use crate::runs::Runner;
use crate::suite::{self, Formula};
use crate::workers;

/// Arguments of the experiment.
#[derive(Args)]
pub struct ExactnessArguments {
    #[command(flatten)]
    suite: SuiteArguments,
    /// Time limit of each run
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    seconds: f64,
    /// Time limit of the other solver for each script
    #[arg(long, value_name = "SECONDS", default_value_t = 300.0)]
    solver_seconds: f64,
    /// Options for `sundry sample`
    #[arg(last = true)]
    options: Vec<String>,
}

/// The answers of the other solver to the claims of one kind.
#[derive(Copy, Clone, Default)]
struct Count {
    confirmed: usize,
    undecided: usize,
    refuted: usize,
}

/// A claim: the kind is the part of the name before the number.
struct Claim {
    kind: String,
    path: PathBuf,
    verdict: Answer,
}

/// Runs the experiment and prints its table.
///
/// # Errors
/// A claim is refuted, or something cannot be run.
pub fn run(arguments: &ExactnessArguments) -> Result<(), String> {
    let formulas = suite::formulas(&arguments.suite)?;
    let results = arguments.suite.runs.results()?;
    let work = |formula: &Formula| check(arguments, formula, &results);
    let tell = |formula: &Formula, result: &Result<Vec<Claim>, String>| match result {
        Ok(claims) => {
            let confirmed = claims.iter().filter(|claim| claim.verdict == Answer::Unsat).count();
            format!("{}: {confirmed} of {} claims confirmed", formula.name, claims.len())
        }
        Err(message) => format!("{}: {message}", formula.name),
    };
    let mut counts: Vec<(String, Count)> = Vec::new();
    let (mut failures, mut refuted) = (Vec::new(), Vec::new());
    for result in workers::map(&formulas, arguments.suite.runs.jobs, work, tell) {
        match result {
            Ok(claims) => {
                for claim in claims {
                    count(&mut counts, &claim);
                    if claim.verdict == Answer::Sat {
                        refuted.push(claim.path.display().to_string());
                    }
                }
            }
            Err(message) => failures.push(message),
        }
    }
    use Alignment::{Left, Right};
    let mut table = Table::new(&[
        ("claim", Left),
        ("scripts", Right),
        ("confirmed", Right),
        ("undecided", Right),
        ("refuted", Right),
    ]);
    for (kind, Count { confirmed, undecided, refuted }) in counts {
        let numbers = [confirmed + undecided + refuted, confirmed, undecided, refuted];
        table.push([kind].into_iter().chain(numbers.map(|number| number.to_string())));
    }
    println!("\n{table}");
    for message in &failures {
        println!("not run: {message}");
    }
    match refuted.is_empty() {
        true => Ok(()),
        false => Err(format!("refuted: {}", refuted.join(" "))),
    }
}

fn count(counts: &mut Vec<(String, Count)>, claim: &Claim) {
    let position = counts.iter().position(|(kind, _)| *kind == claim.kind).unwrap_or_else(|| {
        counts.push((claim.kind.clone(), Count::default()));
        counts.len() - 1
    });
    let count = &mut counts[position].1;
    match claim.verdict {
        Answer::Unsat => count.confirmed += 1,
        Answer::Unknown => count.undecided += 1,
        Answer::Sat => count.refuted += 1,
    }
}

/// Samples a formula and asks about every script that it writes.
fn check(arguments: &ExactnessArguments, formula: &Formula, results: &Path) -> Result<Vec<Claim>, String> {
    let folder = results.join("obligations").join(formula.file_name());
    let mut options = arguments.options.clone();
    options.extend(["--obligations".into(), folder.display().to_string()]);
    let runner = Runner {
        program: arguments.suite.runs.program()?,
        limit: arguments.seconds,
        options,
        results: results.to_path_buf(),
    };
    let run = runner.run(formula, &[])?;
    let Some(record) = run.record else { return Err(format!("{}: {}", formula.name, run.error.trim())) };
    if !record.set.complete {
        return Err(format!("{}: not complete, {} AST-bits unknown", formula.name, record.set.unknown));
    }
    let mut scripts: Vec<PathBuf> = match fs::read_dir(&folder) {
        Ok(entries) => entries.filter_map(|entry| Some(entry.ok()?.path())).collect(),
        Err(error) => return Err(format!("{}: {error}", folder.display())),
    };
    scripts.sort();
    scripts.into_iter().map(|path| ask(path, arguments.solver_seconds)).collect()
}

fn ask(path: PathBuf, seconds: f64) -> Result<Claim, String> {
    let script = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let answers = Oracle::Bitwuzla.run(&script, Duration::from_secs_f64(seconds));
    let verdict = match (&answers.answers[..], &answers.other[..]) {
        (&[answer], []) => answer,
        // Out of time, or of memory, or not supported: no answer either way.
        _ => Answer::Unknown,
    };
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let kind = name.split('-').next().unwrap_or_default().to_string();
    Ok(Claim { kind, path, verdict })
}

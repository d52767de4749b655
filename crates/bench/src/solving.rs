//! Deciding formulas, compared with other solvers: the same answers, and the times.
//!
//! Each formula is asked twice: as written, and with one of its impossible AST-bits asserted, which makes it
//! unsatisfiable. All solvers take their turn at a script before the next script comes, so that other work of the
//! machine affects them alike.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use clap::Args;
use serde::{Deserialize, Serialize};
use sundry_report::{Alignment, Table};
use sundry_sample::{Control, Covered, Event, Request, obligation_of_ast_bit, sample};
use sundry_term::Op;
use sundry_testing::oracle::Oracle;
use sundry_testing::process;

use crate::SuiteArguments;
use crate::statistics::{cell, geometric_mean};
use crate::suite::{self, Formula};
use crate::workers;

/// The time from which times are compared; shorter times are noise.
const FLOOR: f64 = 0.01;
/// Solvers are given this much longer than they know of before they are killed.
const GRACE: Duration = Duration::from_secs(5);

/// Arguments of the experiment.
#[derive(Args)]
pub struct SolveArguments {
    #[command(flatten)]
    suite: SuiteArguments,
    /// Time limit of each solver for each script
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    seconds: f64,
    /// Time limit of the search for an impossible AST-bit of a formula
    #[arg(long, value_name = "SECONDS", default_value_t = 20.0)]
    search_seconds: f64,
}

/// The solvers in the order of their turns.
const SOLVERS: [&str; 3] = ["sundry", "bitwuzla", "z3"];

/// The result of a solver on a script.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Trial {
    /// `sat`, `unsat`, or another outcome.
    answer: String,
    seconds: f64,
}

/// All solvers on one script.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Comparison {
    /// The script.
    name: String,
    limit: f64,
    trials: Vec<Trial>,
}

/// Runs the experiment and prints its tables.
///
/// # Errors
/// Two solvers disagree, or something cannot be run.
pub fn run(arguments: &SolveArguments) -> Result<(), String> {
    let formulas = suite::formulas(&arguments.suite)?;
    let results = arguments.suite.runs.results()?;
    let program = arguments.suite.runs.program()?;
    eprintln!("writing scripts with an impossible AST-bit asserted");
    let write = |formula: &Formula| impossible_script(formula, &results, arguments.search_seconds);
    let tell = |formula: &Formula, result: &Result<Option<PathBuf>, String>| match result {
        Ok(Some(_)) => format!("{}: written", formula.name),
        Ok(None) => format!("{}: no AST-bit is known to be impossible", formula.name),
        Err(message) => format!("{}: {message}", formula.name),
    };
    let scripts = workers::map(&formulas, arguments.suite.runs.jobs, write, tell);
    let mut questions: Vec<(String, PathBuf)> = Vec::new();
    for (formula, script) in formulas.iter().zip(scripts) {
        questions.push((formula.name.clone(), formula.path.clone()));
        questions.extend(script?.map(|path| (format!("{} with an impossible AST-bit", formula.name), path)));
    }
    let compare =
        |(name, path): &(String, PathBuf)| compare(&program, name, path, arguments.seconds, &results);
    let tell = |(name, _): &(String, PathBuf), result: &Result<Comparison, String>| match result {
        Ok(comparison) => {
            let trials = SOLVERS.iter().zip(&comparison.trials);
            let texts: Vec<String> = trials
                .map(|(solver, trial)| format!("{solver} {} {:.3} s", trial.answer, trial.seconds))
                .collect();
            format!("{name}: {}", texts.join(", "))
        }
        Err(message) => format!("{name}: {message}"),
    };
    let comparisons: Vec<Comparison> = workers::map(&questions, arguments.suite.runs.jobs, compare, tell)
        .into_iter()
        .collect::<Result<_, _>>()?;
    let startup = start_up_times(&program, &results)?;
    print_tables(&comparisons, &startup);
    let disagreements: Vec<&str> =
        comparisons.iter().filter(|one| one.disagrees()).map(|one| one.name.as_str()).collect();
    if disagreements.is_empty() {
        Ok(())
    } else {
        Err(format!("disagreement on {}", disagreements.join(", ")))
    }
}

/// The formula with one of its impossible AST-bits asserted, as a file. Which one follows from the
/// name of the formula; those of constants are left out, they would make it trivial.
fn impossible_script(formula: &Formula, results: &Path, seconds: f64) -> Result<Option<PathBuf>, String> {
    let folder = results.join("impossible");
    let path = folder.join(format!("{}.smt2", formula.file_name()));
    if path.exists() {
        return Ok(Some(path));
    }
    let fail = |error: std::io::Error| format!("{}: {error}", path.display());
    fs::create_dir_all(&folder).map_err(fail)?;
    let problem = formula.read()?;
    let deadline = Instant::now() + Duration::from_secs_f64(seconds);
    let control = Control::default().with_deadline(Some(deadline));
    let request = Request { control, ..Request::cover() };
    let summary = sample(&problem, &request, &mut |event| match event {
        Event::Set(progress) => match progress.covered {
            // The impossible AST-bits are known, so the set need not get smaller.
            Covered::AstBits { validity, .. } if validity.unknown == 0 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        },
        _ => ControlFlow::Continue(()),
    });
    let summary = summary.map_err(|error| error.to_string())?;
    let impossible = &summary.set().ok_or("no set that covers AST-bits")?.impossible;
    let is_interesting =
        |&number: &usize| !matches!(problem.store.op(problem.ast_bits.ast_bit(number).term), Op::Constant(_));
    let impossible: Vec<usize> = impossible.iter().filter(is_interesting).collect();
    if impossible.is_empty() {
        return Ok(None);
    }
    let hash = formula.name.bytes().fold(0u64, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into()));
    let chosen = impossible[(hash % impossible.len() as u64) as usize];
    fs::write(&path, obligation_of_ast_bit(&problem, chosen).script).map_err(fail)?;
    Ok(Some(path))
}

fn command(solver: &str, sundry: &Path, script: &Path, seconds: f64) -> Command {
    let mut command = match solver {
        "sundry" => {
            let mut command = Command::new(sundry);
            command.args(["solve", "--quiet", "--timeout", &seconds.to_string()]);
            command
        }
        "bitwuzla" => Command::new(Oracle::Bitwuzla.program()),
        _ => Command::new(Oracle::Z3.program()),
    };
    command.arg(script);
    command
}

fn trial(solver: &str, sundry: &Path, script: &Path, seconds: f64) -> Result<Trial, String> {
    let limit = Duration::from_secs_f64(seconds);
    let limit = if solver == "sundry" { limit + GRACE } else { limit };
    let finished = process::run(&mut command(solver, sundry, script, seconds), limit)
        .map_err(|error| format!("{solver} does not start: {error}"))?;
    let known = ["sat", "unsat", "unknown"];
    let (output, errors) = (&finished.output.text, &finished.errors.text);
    let mut lines = output.lines().map(str::trim);
    let answer = match lines.find(|line| known.contains(line)) {
        _ if finished.stopped.is_some() => "timeout".to_string(),
        Some(answer) => answer.to_string(),
        None => output.lines().chain(errors.lines()).next().unwrap_or("nothing").to_string(),
    };
    Ok(Trial { answer, seconds: finished.wall.as_secs_f64() })
}

/// The kept comparison, or a new one, which is kept.
fn compare(
    sundry: &Path,
    name: &str,
    script: &Path,
    seconds: f64,
    results: &Path,
) -> Result<Comparison, String> {
    let path = results.join(format!("{}.json", name.replace(['/', ' '], "_")));
    let kept = fs::read(&path).ok().and_then(|bytes| serde_json::from_slice::<Comparison>(&bytes).ok());
    if let Some(kept) = kept.filter(|kept| kept.limit == seconds) {
        return Ok(kept);
    }
    let trials =
        SOLVERS.iter().map(|solver| trial(solver, sundry, script, seconds)).collect::<Result<_, _>>()?;
    let comparison = Comparison { name: name.to_string(), limit: seconds, trials };
    let text = serde_json::to_string(&comparison).map_err(|error| error.to_string())?;
    fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(comparison)
}

/// Seconds that each solver takes for an empty script: the least of five tries.
fn start_up_times(sundry: &Path, results: &Path) -> Result<Vec<f64>, String> {
    let script = results.join("empty.smt2");
    fs::write(&script, "(set-logic QF_BV)\n(check-sat)\n").map_err(|error| error.to_string())?;
    let least = |solver: &&str| {
        let times = (0..5).map(|_| trial(solver, sundry, &script, 60.0).map(|trial| trial.seconds));
        times.collect::<Result<Vec<f64>, _>>().map(|times| times.into_iter().fold(f64::INFINITY, f64::min))
    };
    SOLVERS.iter().map(least).collect()
}

impl Comparison {
    fn disagrees(&self) -> bool {
        let says = |answer: &str| self.trials.iter().any(|trial| trial.answer == answer);
        says("sat") && says("unsat")
    }

    /// Whether a solver has decided it.
    fn decided(&self, solver: usize) -> bool {
        matches!(self.trials[solver].answer.as_str(), "sat" | "unsat")
    }

    /// Seconds of a solver, the limit if it did not decide, minus its time for an empty script.
    fn seconds(&self, solver: usize, startup: f64) -> f64 {
        let seconds =
            if self.decided(solver) { self.trials[solver].seconds.min(self.limit) } else { self.limit };
        (seconds - startup).max(FLOOR)
    }

    fn ratio(&self, startup: &[f64]) -> f64 {
        self.seconds(0, startup[0]) / self.seconds(1, startup[1])
    }
}

fn print_tables(comparisons: &[Comparison], startup: &[f64]) {
    use Alignment::{Left, Right};
    let mut families: BTreeMap<&str, Vec<&Comparison>> = BTreeMap::new();
    for comparison in comparisons {
        let (plain, _) = comparison.name.split_once(" with ").unwrap_or((&comparison.name, ""));
        let family = plain.rsplit_once('/').map_or("", |(family, _)| family);
        families.entry(family).or_default().push(comparison);
    }
    let mut table = Table::new(&[
        ("family", Left),
        ("scripts", Right),
        ("sundry decides", Right),
        ("bitwuzla", Right),
        ("z3", Right),
        ("seconds", Right),
        ("bitwuzla", Right),
        ("z3", Right),
        ("ratio to bitwuzla", Right),
        ("without start-up", Right),
    ]);
    let none = [0.0; SOLVERS.len()];
    let everything: Vec<&Comparison> = comparisons.iter().collect();
    for (family, group) in families.into_iter().chain([("all", everything)]) {
        let decided = |solver: usize| group.iter().filter(|one| one.decided(solver)).count().to_string();
        let seconds =
            |solver: usize| cell(geometric_mean(group.iter().map(|one| one.seconds(solver, 0.0))), 3);
        table.push([
            family.to_string(),
            group.len().to_string(),
            decided(0),
            decided(1),
            decided(2),
            seconds(0),
            seconds(1),
            seconds(2),
            cell(geometric_mean(group.iter().map(|one| one.ratio(&none))), 3),
            cell(geometric_mean(group.iter().map(|one| one.ratio(startup))), 3),
        ]);
    }
    println!("\nGeometric means, times of at least {FLOOR} s, undecided ones at the limit\n\n{table}");
    let starts: Vec<String> =
        SOLVERS.iter().zip(startup).map(|(solver, seconds)| format!("{solver} {seconds:.3} s")).collect();
    println!("start-up: {}", starts.join(", "));
    let mut slowest: Vec<&Comparison> = comparisons.iter().collect();
    slowest.sort_by(|left, right| right.ratio(startup).total_cmp(&left.ratio(startup)));
    println!("\nfarthest behind bitwuzla:");
    for comparison in slowest.iter().take(25) {
        println!(
            "  {:7.2} times, {:.3} s: {} ({})",
            comparison.ratio(startup),
            comparison.seconds(0, 0.0),
            comparison.name,
            comparison.trials[0].answer
        );
    }
}

//! Scripts made smaller by `sundry reduce` and by ddSMT, with the same checks.
//!
//! The bugs are wrong answers and invalid models of old releases of solvers; a check is a shell script that a
//! tool runs for each script that it tries. Both tools run on a bug in turn, as often as wanted; times are
//! medians.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use clap::Args;
use serde::{Deserialize, Serialize};
use sundry_report::{Alignment, Table};
use sundry_testing::process;

use crate::statistics::{geometric_mean, median};

/// Arguments of the experiment.
#[derive(Args)]
pub struct ReduceArguments {
    /// Folder of the bugs: scripts, and INDEX.csv with the columns file, solver, kind, old_answer and truth
    #[arg(value_name = "DIR")]
    bugs: PathBuf,
    /// Folder of the releases: z3-4.8.10.0 is the solver that the index calls `z3-solver 4.8.10.0`, cvc4 `Debian cvc4
    /// 1.8`
    #[arg(long, value_name = "DIR")]
    solvers: PathBuf,
    /// A release of z3 without these bugs
    #[arg(long, value_name = "FILE")]
    reference: PathBuf,
    /// The program ddsmt
    #[arg(long, value_name = "FILE")]
    ddsmt: PathBuf,
    /// Folder of checks, reduced scripts and figures; bugs that have figures there are not run again
    #[arg(long, value_name = "DIR")]
    results: PathBuf,
    /// Checks at the same time
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// Runs of each tool
    #[arg(long, value_name = "N", default_value_t = 3)]
    repeat: usize,
    /// Time limit of each run
    #[arg(long, value_name = "SECONDS", default_value_t = 600.0)]
    seconds: f64,
    /// The program; the one built beside this one if not given
    #[arg(long, value_name = "FILE")]
    sundry: Option<PathBuf>,
}

/// A line of the index.
#[derive(Deserialize)]
struct Bug {
    file: String,
    solver: String,
    kind: String,
    old_answer: String,
    truth: String,
}

/// The result of a tool.
#[derive(Clone, Serialize, Deserialize)]
struct Run {
    /// Bytes of the script that is left.
    bytes: usize,
    /// Seconds of the whole process.
    seconds: f64,
    /// The number of times that the tool ran the check.
    checks: usize,
}

/// The results of both tools.
#[derive(Serialize, Deserialize)]
struct Comparison {
    /// Bytes of the whole script.
    bytes: usize,
    sundry: Run,
    ddsmt: Run,
}

/// Runs the experiment and prints its table.
///
/// # Errors
/// A program cannot be run, or the result of a tool does not show the bug.
pub fn run(arguments: &ReduceArguments) -> Result<(), String> {
    let index = arguments.bugs.join("INDEX.csv");
    let mut reader =
        csv::Reader::from_path(&index).map_err(|error| format!("{}: {error}", index.display()))?;
    let bugs: Vec<Bug> = reader
        .deserialize()
        .collect::<Result<_, _>>()
        .map_err(|error| format!("{}: {error}", index.display()))?;
    fs::create_dir_all(&arguments.results)
        .map_err(|error| format!("{}: {error}", arguments.results.display()))?;
    let mut table = table();
    let (mut times, mut no_larger, mut faster) = (Vec::new(), 0, 0);
    for bug in &bugs {
        let Comparison { bytes, sundry, ddsmt } = compare(arguments, bug)?;
        let ratio = sundry.seconds / ddsmt.seconds;
        eprintln!("{}: {} and {} bytes, {ratio:.3} of the time", bug.file, sundry.bytes, ddsmt.bytes);
        table.push([
            bug.file.trim_end_matches(".smt2").to_string(),
            bytes.to_string(),
            sundry.bytes.to_string(),
            ddsmt.bytes.to_string(),
            sundry.checks.to_string(),
            ddsmt.checks.to_string(),
            format!("{:.2}", sundry.seconds),
            format!("{:.2}", ddsmt.seconds),
            format!("{ratio:.3}"),
        ]);
        times.push(ratio);
        no_larger += usize::from(sundry.bytes <= ddsmt.bytes);
        faster += usize::from(ratio < 1.0);
    }
    println!("\n{table}");
    println!(
        "{} bugs: {no_larger} at most as large as what ddSMT leaves, {faster} faster, geometric mean of the ratio of times {:.3}",
        bugs.len(),
        geometric_mean(times),
    );
    Ok(())
}

fn table() -> Table {
    use Alignment::{Left, Right};
    Table::new(&[
        ("bug", Left),
        ("bytes", Right),
        ("sundry", Right),
        ("ddSMT", Right),
        ("checks", Right),
        ("ddSMT", Right),
        ("seconds", Right),
        ("ddSMT", Right),
        ("ratio", Right),
    ])
}

/// The kept figures of a bug, or new ones, which are kept.
fn compare(arguments: &ReduceArguments, bug: &Bug) -> Result<Comparison, String> {
    let name = bug.file.trim_end_matches(".smt2");
    let folder = arguments.results.join(name);
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let folder = folder.canonicalize().map_err(|error| format!("{}: {error}", folder.display()))?;
    let kept = folder.join(format!("jobs-{}.json", arguments.jobs));
    if let Some(comparison) = fs::read(&kept).ok().and_then(|text| serde_json::from_slice(&text).ok()) {
        return Ok(comparison);
    }
    let source = arguments.bugs.join(&bug.file);
    let text = fs::read_to_string(&source).map_err(|error| format!("{}: {error}", source.display()))?;
    // Comments do not count.
    let lines = text.lines().filter(|line| !line.starts_with(';'));
    let text: String = lines.flat_map(|line| [line, "\n"]).collect();
    let script = folder.join("whole.smt2");
    write(&script, &text)?;
    let check = folder.join("check.sh");
    write(&check, &check_text(arguments, bug, &folder)?)?;
    fs::set_permissions(&check, fs::Permissions::from_mode(0o755))
        .map_err(|error| format!("{}: {error}", check.display()))?;
    let mut runs: [Vec<Run>; 2] = Default::default();
    for _ in 0..arguments.repeat.max(1) {
        for (tool, runs) in ["sundry", "ddsmt"].into_iter().zip(&mut runs) {
            runs.push(run_tool(arguments, tool, &script, &check, &folder)?);
        }
    }
    let [sundry, ddsmt] = runs.map(|runs| {
        let seconds: Vec<f64> = runs.iter().map(|run| run.seconds).collect();
        // Time-dependent results may differ between runs, so the largest one counts.
        let largest = runs.iter().max_by_key(|run| run.bytes).expect("there is a run").clone();
        Run { seconds: median(&seconds), ..largest }
    });
    let comparison = Comparison { bytes: text.len(), sundry, ddsmt };
    write(&kept, &serde_json::to_string(&comparison).map_err(|error| error.to_string())?)?;
    Ok(comparison)
}

/// Runs a tool on a script, and the check on its result.
fn run_tool(
    arguments: &ReduceArguments,
    tool: &str,
    script: &Path,
    check: &Path,
    folder: &Path,
) -> Result<Run, String> {
    let left = folder.join(format!("{tool}.smt2"));
    // If nothing can be removed, ddSMT writes nothing.
    fs::copy(script, &left).map_err(|error| format!("{}: {error}", left.display()))?;
    let count = folder.join("count");
    write(&count, "")?;
    let jobs = arguments.jobs.to_string();
    let mut command = match tool {
        "sundry" => {
            let mut command = Command::new(crate::program(arguments.sundry.as_deref())?);
            command.arg("reduce").arg(script).arg("--check").arg(format!("'{}'", check.display()));
            command.args(["--quiet", "--jobs", &jobs, "-o"]).arg(&left);
            command
        }
        _ => {
            let mut command = Command::new(&arguments.ddsmt);
            command.args(["--ignore-output", "--jobs", &jobs]).arg(script).arg(&left).arg(check);
            command
        }
    };
    let finished = process::run(&mut command, Duration::from_secs_f64(arguments.seconds))
        .map_err(|error| format!("{tool}: {error}"))?;
    let checks = fs::read(&count).map_err(|error| format!("{}: {error}", count.display()))?.len();
    let text = fs::read(&left).map_err(|error| format!("{}: {error}", left.display()))?;
    if checks == 0 {
        return Err(format!("{tool} does not run on {}: {}", script.display(), finished.errors.text.trim()));
    }
    let shown = Command::new(check).arg(&left).status().map_err(|error| error.to_string())?;
    if finished.stopped.is_some() || !shown.success() {
        let what = if finished.stopped.is_some() { "does not end in time" } else { "leaves what is no bug" };
        return Err(format!("{tool} {what} on {}", script.display()));
    }
    Ok(Run { bytes: text.len(), seconds: finished.wall.as_secs_f64(), checks })
}

/// The check: its exit code is 0 where the script that is its argument shows the bug.
fn check_text(arguments: &ReduceArguments, bug: &Bug, folder: &Path) -> Result<String, String> {
    let absolute = |path: &Path| path.canonicalize().map_err(|error| format!("{}: {error}", path.display()));
    let (release, options) = match bug.solver.rsplit_once(' ') {
        Some(("z3-solver", version)) => (format!("z3-{version}"), ""),
        Some(("Debian cvc4", _)) => ("cvc4".to_string(), " --lang smt2 --strings-exp"),
        _ => return Err(format!("{}: the solver '{}' is not known here", bug.file, bug.solver)),
    };
    let solver = absolute(&arguments.solvers.join(release))?;
    let reference = absolute(&arguments.reference)?;
    let head = format!(
        "#!/bin/sh\nprintf x >> '{count}'\nsolver() {{ timeout 10 '{solver}'{options} \"$@\" 2> /dev/null; }}\n\
         reference() {{ timeout 10 '{reference}' \"$@\" 2> /dev/null; }}\n",
        count = folder.join("count").display(),
        solver = solver.display(),
        reference = reference.display(),
    );
    let first = |words: &str| words.split([' ', ',', '(']).next().unwrap_or_default().to_string();
    let (answer, truth) = (first(&bug.old_answer), first(&bug.truth));
    let body = match &*bug.kind {
        "soundness" => format!(
            "[ \"$(solver \"$1\" | head -n 1)\" = {answer} ] || exit 1\n\
             [ \"$(reference \"$1\" | head -n 1)\" = {truth} ]\n"
        ),
        // The definitions of the model take the place of the declarations.
        "invalid model" => String::from(
            "model=$({ cat \"$1\"; echo '(get-model)'; } | solver -in)\n\
             [ \"$(echo \"$model\" | head -n 1)\" = sat ] || exit 1\n\
             [ \"$(reference \"$1\" | head -n 1)\" = sat ] || exit 1\n\
             { echo \"$model\" | sed '1,2d;$d'; grep -v '^(declare\\|^(set' \"$1\"; } > \"$1.model\"\n\
             answer=$(reference \"$1.model\" | head -n 1)\nrm -f \"$1.model\"\n[ \"$answer\" = unsat ]\n",
        ),
        kind => return Err(format!("{}: no check for the kind '{kind}'", bug.file)),
    };
    Ok(head + &body)
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

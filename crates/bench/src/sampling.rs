//! Sampling beside published figures: the experiments of the PanSampler paper.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use sundry_report::{Alignment, Ending, Table};

use crate::SuiteArguments;
use crate::published::{LEVELS, Levels, Prototype, prototype, published};
use crate::runs::{Run, Runner, SetRunRecord, kept};
use crate::statistics::{cell, geometric_mean, mean};
use crate::suite::{self, Formula};
use crate::workers;

/// Arguments of the experiment.
#[derive(Args)]
pub struct SampleArguments {
    #[command(flatten)]
    suite: SuiteArguments,
    /// Time limit of each formula
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    seconds: f64,
    /// Published figures: benchmark,tool,coverage_percent,solutions,seconds
    #[arg(long, value_name = "CSV")]
    published: Option<PathBuf>,
    /// The sampler to compare with
    #[arg(long, value_name = "NAME", default_value = "PanSampler")]
    tool: String,
    /// Figures of a prototype below which no run should end
    #[arg(long, value_name = "CSV")]
    prototype: Option<PathBuf>,
    /// Results of another experiment whose counts of valid AST-bits are the base of all shares; each
    /// run ends when it has covered 99.5 % of them
    #[arg(long, value_name = "DIR")]
    valid_from: Option<PathBuf>,
    /// The coverage level of the table by families, in percent
    #[arg(long, value_name = "PERCENT", default_value = "99.5", value_parser = LEVELS)]
    family_level: String,
    /// Options for `sundry sample`
    #[arg(last = true)]
    options: Vec<String>,
}

/// A formula with our figures and the published ones.
struct Row {
    family: String,
    run: Run,
    ours: Levels,
    published: Levels,
}

/// Runs the experiment and prints its tables.
pub fn run(arguments: &SampleArguments) -> Result<(), String> {
    let formulas = suite::formulas(&arguments.suite)?;
    let published = match &arguments.published {
        Some(path) => published(path, &arguments.tool)?,
        None => BTreeMap::new(),
    };
    let prototype = arguments.prototype.as_deref().map(prototype).transpose()?.unwrap_or_default();
    let valid: Option<BTreeMap<String, u64>> = match &arguments.valid_from {
        Some(folder) => Some(kept(folder)?.into_iter().map(|run| (run.name.clone(), run.base())).collect()),
        None => None,
    };
    let runner = Runner {
        program: arguments.suite.runs.program()?,
        limit: arguments.seconds,
        options: arguments.options.clone(),
        results: arguments.suite.runs.results()?,
    };
    let work = |formula: &Formula| match valid.as_ref().and_then(|valid| valid.get(&formula.name)) {
        Some(&valid) => run_towards(&runner, formula, valid),
        None => runner.run(formula, &[]),
    };
    let tell = |formula: &Formula, result: &Result<Run, String>| match result {
        Ok(run) => run.describe(),
        Err(message) => format!("{}: {message}", formula.name),
    };
    let runs = workers::map(&formulas, arguments.suite.runs.jobs, work, tell);
    let mut rows = Vec::new();
    for (formula, run) in formulas.iter().zip(runs) {
        let run = run?;
        let base = valid.as_ref().and_then(|valid| valid.get(&formula.name).copied());
        rows.push(Row {
            family: formula.family().to_string(),
            ours: run.levels(base.unwrap_or(run.base())),
            published: published.get(&formula.name).copied().unwrap_or_default(),
            run,
        });
    }
    print_tables(&rows, &arguments.family_level);
    print_remarks(&rows, &prototype);
    Ok(())
}

/// Runs a formula until 99.5 % of the AST-bits known to be valid are covered. The program counts shares of the
/// AST-bits that it has not proved impossible; a run for one solution reports their number.
fn run_towards(runner: &Runner, formula: &Formula, valid: u64) -> Result<Run, String> {
    let probe = Runner {
        program: runner.program.clone(),
        limit: runner.limit,
        options: runner.options.clone(),
        results: runner.results.join("probes"),
    };
    std::fs::create_dir_all(&probe.results).map_err(|error| error.to_string())?;
    let base = probe.run(formula, &["--max-solutions".into(), "1".into()])?.base();
    let target = if base == 0 { 1.0 } else { (0.995 * valid as f64 / base as f64).min(1.0) };
    runner.run(formula, &["--target".into(), target.to_string()])
}

fn print_tables(rows: &[Row], family_level: &str) {
    println!("\nBy coverage level (shares of the valid or unknown AST-bits)\n\n{}", level_table(rows));
    println!("By family, at {family_level} %\n\n{}", family_table(rows, family_level));
    let complete = rows.iter().filter(|row| row.is(|record| record.set.complete)).count();
    let minimal = rows.iter().filter(|row| row.is(|record| record.set.proved_minimal)).count();
    println!("{} formulas: {complete} complete, {minimal} of them proved minimal", rows.len());
    let memory = rows.iter().map(|row| row.run.peak_memory).max().unwrap_or(0);
    let seconds = rows.iter().map(|row| row.run.seconds).fold(0.0, f64::max);
    println!("at most {} MiB, {seconds:.1} s", memory >> 20);
}

impl Row {
    fn is(&self, test: impl Fn(&SetRunRecord) -> bool) -> bool {
        self.run.record.as_ref().is_some_and(test)
    }
}

fn level_table(rows: &[Row]) -> Table {
    use Alignment::{Left, Right};
    let mut table = Table::new(&[
        ("level", Left),
        ("#suc", Right),
        ("published", Right),
        ("common", Right),
        ("#sol", Right),
        ("published", Right),
        ("ratio of means", Right),
        ("geometric mean ratio", Right),
        ("worse on", Right),
        ("seconds", Right),
        ("published", Right),
    ]);
    for (position, level) in LEVELS.iter().enumerate() {
        let common: Vec<_> =
            rows.iter().filter_map(|row| row.ours[position].zip(row.published[position])).collect();
        let ours = mean(common.iter().map(|(ours, _)| ours.solutions as f64));
        let theirs = mean(common.iter().map(|(_, theirs)| theirs.solutions as f64));
        let ratio = geometric_mean(
            common.iter().map(|(ours, theirs)| ours.solutions as f64 / theirs.solutions as f64),
        );
        let all = mean(rows.iter().filter_map(|row| row.ours[position]).map(|ours| ours.solutions as f64));
        table.push([
            format!("{level} %"),
            rows.iter().filter(|row| row.ours[position].is_some()).count().to_string(),
            rows.iter().filter(|row| row.published[position].is_some()).count().to_string(),
            common.len().to_string(),
            cell(if common.is_empty() { all } else { ours }, 2),
            cell(theirs, 2),
            cell(ours / theirs, 3),
            cell(ratio, 3),
            common.iter().filter(|(ours, theirs)| ours.solutions > theirs.solutions).count().to_string(),
            cell(mean(rows.iter().filter_map(|row| row.ours[position]).map(|ours| ours.seconds)), 2),
            cell(mean(common.iter().map(|(_, theirs)| theirs.seconds)), 2),
        ]);
    }
    table
}

fn family_table(rows: &[Row], level: &str) -> Table {
    use Alignment::{Left, Right};
    let mut table = Table::new(&[
        ("family", Left),
        ("formulas", Right),
        ("complete", Right),
        ("minimal", Right),
        ("unknown", Right),
        ("#suc", Right),
        ("published", Right),
        ("#sol", Right),
        ("published", Right),
        ("seconds", Right),
        ("published", Right),
    ]);
    let position = LEVELS.iter().position(|&known| known == level).expect("one of the levels");
    let mut families: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in rows {
        families.entry(&row.family).or_default().push(row);
    }
    for (family, rows) in families {
        let common: Vec<_> =
            rows.iter().filter_map(|row| row.ours[position].zip(row.published[position])).collect();
        let reached: Vec<_> = rows.iter().filter_map(|row| row.ours[position]).collect();
        let compared = !common.is_empty();
        let solutions = match compared {
            true => mean(common.iter().map(|(ours, _)| ours.solutions as f64)),
            false => mean(reached.iter().map(|ours| ours.solutions as f64)),
        };
        let seconds = match compared {
            true => mean(common.iter().map(|(ours, _)| ours.seconds)),
            false => mean(reached.iter().map(|ours| ours.seconds)),
        };
        table.push([
            family.to_string(),
            rows.len().to_string(),
            rows.iter().filter(|row| row.is(|record| record.set.complete)).count().to_string(),
            rows.iter().filter(|row| row.is(|record| record.set.proved_minimal)).count().to_string(),
            rows.iter()
                .map(|row| row.run.record.as_ref().map_or(0, |record| record.set.unknown))
                .sum::<u64>()
                .to_string(),
            reached.len().to_string(),
            rows.iter().filter(|row| row.published[position].is_some()).count().to_string(),
            cell(solutions, 2),
            cell(mean(common.iter().map(|(_, theirs)| theirs.solutions as f64)), 2),
            cell(seconds, 2),
            cell(mean(common.iter().map(|(_, theirs)| theirs.seconds)), 2),
        ]);
    }
    table
}

/// Prints the names of formulas that need attention.
fn print_remarks(rows: &[Row], prototype: &BTreeMap<String, Prototype>) {
    for row in rows {
        let mut remarks = Vec::new();
        match &row.run.record {
            None => remarks.push(format!("failed: {}", row.run.error.trim())),
            Some(record) if record.head.stopped_by == Ending::Unsatisfiable => {
                remarks.push("unsatisfiable".into())
            }
            Some(record) if record.set.unknown > 0 => {
                remarks.push(format!("{} AST-bits unknown", record.set.unknown));
            }
            Some(_) => {}
        }
        for (position, level) in LEVELS.iter().enumerate() {
            match (row.ours[position], row.published[position]) {
                (Some(ours), Some(theirs)) if ours.solutions > theirs.solutions => remarks.push(format!(
                    "{} solutions at {level} % where {} are published",
                    ours.solutions, theirs.solutions
                )),
                (None, Some(_)) => remarks.push(format!("{level} % not reached, though published")),
                _ => {}
            }
        }
        if let Some(known) = prototype.get(&row.run.name).filter(|known| known.is_complete()) {
            remarks.extend(below(row, known));
        }
        if !remarks.is_empty() {
            println!("{}: {}", row.run.name, remarks.join("; "));
        }
    }
}

/// The measures in which a run is worse than a complete one of the prototype.
fn below(row: &Row, known: &Prototype) -> Vec<String> {
    let mut found = Vec::new();
    if !row.is(|record| record.set.complete) {
        found.push("not complete, though the prototype is".into());
    }
    if known.solutions.is_some_and(|known| row.is(|record| record.head.solutions > known as u64)) {
        found.push("more solutions than the prototype".into());
    }
    for (level, theirs) in known.levels() {
        let position = LEVELS.iter().position(|&known| known == level).expect("one of the levels");
        let ours = row.ours[position].map_or(usize::MAX, |ours| ours.solutions);
        if theirs.is_some_and(|theirs| ours > theirs) {
            found.push(format!("behind the prototype at {level} %"));
        }
    }
    found
}

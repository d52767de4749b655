//! The number of solutions that find known faults: the experiment of the PanSampler paper's tables VII and VIII.
//!
//! A subject is a configurable system, `X.smt2`, with its known faults as predicates, `X.faults.smt2`. The sampler
//! sees only the first file; the experiment then counts the faults that the beginnings of its list of solutions find.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use clap::Args;
use serde::{Deserialize, Serialize};
use sundry_report::{Alignment, CoverageRecord, Table};
use sundry_testing::process;

use crate::published::{FaultRow, rows, share};
use crate::statistics::{cell, mean};
use crate::{RunsArguments, workers};

/// Rates of faults that are found, in percent as in the published tables, and all of them.
const RATES: [&str; 8] = ["70", "80", "90", "95", "98", "99", "99.5", "100"];

/// A process that runs longer than this is killed: that is a defect.
const LIMIT: Duration = Duration::from_secs(3600);

/// Arguments of the experiment.
#[derive(Args)]
pub struct FaultsArguments {
    /// Folder of subjects: X.smt2 with X.faults.smt2
    #[arg(value_name = "DIR")]
    subjects: PathBuf,
    /// Published figures: subject,tool,fault_detection_percent,solutions,seconds
    #[arg(long, value_name = "CSV")]
    published: Option<PathBuf>,
    /// Number of seeds, from 1 on; their mean counts
    #[arg(long, value_name = "N", default_value_t = 5)]
    seeds: u64,
    #[command(flatten)]
    runs: RunsArguments,
    /// Options for `sundry sample` [default: --strength 3 --fill -n 1000]
    #[arg(last = true)]
    options: Vec<String>,
}

/// A run of one subject with one seed.
#[derive(Clone, Debug)]
struct Job {
    subject: String,
    seed: u64,
}

/// The result of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Run {
    /// The command line of the sampler after the name of the program.
    arguments: Vec<String>,
    /// SeedStatus faults.
    faults: usize,
    /// The number of faults that the first solution finds, the first two, and so on.
    found: Vec<u64>,
    /// Seconds of the sampler's process.
    seconds: f64,
}

impl Run {
    /// The number of solutions that find a share of the faults.
    fn solutions(&self, rate: &str) -> Option<usize> {
        // A hair less, so that 90 % of 10 is 9.
        let wanted = share(rate) * self.faults as f64 - 1e-6;
        self.found.iter().position(|&found| found as f64 >= wanted).map(|position| position + 1)
    }
}

/// Runs the experiment and prints its tables.
pub fn run(arguments: &FaultsArguments) -> Result<(), String> {
    let program = arguments.runs.program()?;
    arguments.runs.results()?;
    let subjects = subjects(&arguments.subjects)?;
    let published = match &arguments.published {
        Some(path) => rows::<FaultRow>(path)?,
        None => Vec::new(),
    };
    let of_seeds =
        |subject: &String| (1..=arguments.seeds).map(|seed| Job { subject: subject.clone(), seed }).collect();
    let jobs: Vec<Job> = subjects.iter().flat_map::<Vec<Job>, _>(of_seeds).collect();
    let work = |job: &Job| run_or_read(arguments, &program, job);
    let tell = |job: &Job, result: &Result<Run, String>| {
        let what = match result {
            Ok(run) => format!("{} solutions in {:.1} s", run.found.len(), run.seconds),
            Err(message) => message.clone(),
        };
        format!("{}, seed {}: {what}", job.subject, job.seed)
    };
    let results = workers::map(&jobs, arguments.runs.jobs, work, tell);
    let mut runs: BTreeMap<String, Vec<Run>> = BTreeMap::new();
    for (job, result) in jobs.into_iter().zip(results) {
        runs.entry(job.subject).or_default().push(result?);
    }
    println!("{}", by_subject(&runs, &published));
    println!("{}", totals(&runs, &published));
    Ok(())
}

/// The names of the subjects of a folder.
fn subjects(folder: &Path) -> Result<Vec<String>, String> {
    let fail = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(fail)? {
        let name = entry.map_err(fail)?.file_name().to_string_lossy().into_owned();
        names.extend(name.strip_suffix(".faults.smt2").map(str::to_string));
    }
    names.sort();
    if names.is_empty() { Err(format!("{} has no *.faults.smt2", folder.display())) } else { Ok(names) }
}

fn run_or_read(arguments: &FaultsArguments, program: &Path, job: &Job) -> Result<Run, String> {
    let Job { subject, seed } = job;
    let file =
        |extension: &str| arguments.subjects.join(format!("{subject}.{extension}")).display().to_string();
    let mut sample =
        vec!["sample".to_string(), file("smt2"), "--quiet".into(), "--seed".into(), seed.to_string()];
    match &arguments.options[..] {
        [] => sample.extend(["--strength", "3", "--fill", "-n", "1000"].map(String::from)),
        options => sample.extend(options.iter().cloned()),
    }
    let path = arguments.runs.results.join(format!("{subject}-{seed}.json"));
    let kept: Option<Run> = fs::read(&path).ok().and_then(|text| serde_json::from_slice(&text).ok());
    if let Some(kept) = kept.filter(|run| run.arguments == sample) {
        return Ok(kept);
    }
    let models = arguments.runs.results.join(format!("{subject}-{seed}.models")).display().to_string();
    let output = ["-o".to_string(), models.clone()];
    let (_, seconds) = execute(program, &[&sample[..], &output[..]].concat())?;
    let measure = [
        "coverage".to_string(),
        file("smt2"),
        models,
        "--json".into(),
        "--predicates".into(),
        file("faults.smt2"),
    ];
    let (measured, _) = execute(program, &measure)?;
    let measured: CoverageRecord = serde_json::from_str(&measured)
        .map_err(|error| format!("{subject}: sundry coverage --json: {error}"))?;
    let run = Run {
        arguments: sample,
        faults: measured.predicates.map_or(0, |predicates| predicates.predicates.len()),
        found: measured.models.iter().filter_map(|model| Some(model.predicates.as_ref()?.held)).collect(),
        seconds,
    };
    if run.found.len() < measured.models.len() {
        return Err(format!("{subject}: there are models that do not satisfy the formula"));
    }
    let text = serde_json::to_string(&run).map_err(|error| error.to_string())?;
    fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(run)
}

/// Runs the program; its output and the seconds that it took.
fn execute(program: &Path, arguments: &[String]) -> Result<(String, f64), String> {
    let finished = process::run(Command::new(program).args(arguments), LIMIT)
        .map_err(|error| format!("{}: {error}", program.display()))?;
    match finished.stopped {
        Some(_) => Err(format!("sundry {}: did not end in time", arguments.join(" "))),
        None if finished.output.text.is_empty() && !finished.errors.text.is_empty() => {
            Err(format!("sundry {}: {}", arguments.join(" "), finished.errors.text))
        }
        None => Ok((finished.output.text, finished.wall.as_secs_f64())),
    }
}

/// The solutions that published tools needed on a subject, by tool.
fn others<'p>(published: &'p [FaultRow], subject: &str, rate: &str) -> Vec<(&'p str, usize)> {
    let of = published.iter().filter(|row| row.subject == subject && row.fault_detection_percent == rate);
    of.filter_map(|row| Some((row.tool.as_str(), row.solutions?))).collect()
}

/// The mean of the seeds; none where not all of them get there.
fn average(runs: &[Run], rate: &str) -> Option<f64> {
    let needed: Option<Vec<usize>> = runs.iter().map(|run| run.solutions(rate)).collect();
    Some(mean(needed?.into_iter().map(|solutions| solutions as f64)))
}

fn count(value: Option<usize>) -> String {
    value.map_or("-".into(), |value| value.to_string())
}

/// A row for each subject and rate.
fn by_subject(runs: &BTreeMap<String, Vec<Run>>, published: &[FaultRow]) -> Table {
    use Alignment::{Left, Right};
    let mut table = Table::new(&[
        ("subject", Left),
        ("faults", Right),
        ("rate", Right),
        ("mean", Right),
        ("least", Right),
        ("most", Right),
        ("published", Left),
        ("at most the best", Left),
    ]);
    for (subject, runs) in runs {
        for rate in RATES {
            let solutions = average(runs, rate);
            let of_seeds = || runs.iter().map(|run| run.solutions(rate));
            let others = others(published, subject, rate);
            let best = others.iter().map(|&(_, solutions)| solutions).min();
            let is_fine = match (solutions, best) {
                (_, None) => "",
                (Some(ours), Some(best)) if ours <= best as f64 => "yes",
                _ => "NO",
            };
            let list: Vec<String> =
                others.iter().map(|(tool, solutions)| format!("{tool} {solutions}")).collect();
            table.push(vec![
                subject.clone(),
                runs[0].faults.to_string(),
                format!("{rate} %"),
                cell(solutions.unwrap_or(f64::NAN), 1),
                count(of_seeds().flatten().min()),
                if of_seeds().all(|it| it.is_some()) {
                    count(of_seeds().flatten().max())
                } else {
                    "-".into()
                },
                list.join(", "),
                is_fine.into(),
            ]);
        }
    }
    table
}

/// For each rate, the number of subjects that reach it and the mean number of solutions, beside those of published
/// tools on the same subjects.
fn totals(runs: &BTreeMap<String, Vec<Run>>, published: &[FaultRow]) -> Table {
    use Alignment::Right;
    let mut tools: Vec<&str> = published.iter().map(|row| row.tool.as_str()).collect();
    tools.sort_unstable();
    tools.dedup();
    let mut columns = vec![("rate".to_string(), Right)];
    for tool in ["Sundry"].iter().chain(&tools) {
        columns.extend([(format!("{tool} subjects"), Right), ("solutions".to_string(), Right)]);
    }
    let columns: Vec<(&str, Alignment)> = columns.iter().map(|(name, side)| (name.as_str(), *side)).collect();
    let mut table = Table::new(&columns);
    for rate in RATES {
        let mut cells = vec![format!("{rate} %")];
        let ours: Vec<f64> = runs.values().filter_map(|runs| average(runs, rate)).collect();
        cells.extend([ours.len().to_string(), cell(mean(ours.iter().copied()), 1)]);
        for tool in &tools {
            let of_tool = |subject: &String| {
                others(published, subject, rate)
                    .into_iter()
                    .find(|(name, _)| name == tool)
                    .map(|(_, solutions)| solutions as f64)
            };
            let theirs: Vec<f64> = runs.keys().filter_map(of_tool).collect();
            cells.extend([theirs.len().to_string(), cell(mean(theirs.iter().copied()), 1)]);
        }
        table.push(cells);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_reached_by_prefixes() {
        let run = Run { arguments: Vec::new(), faults: 10, found: vec![6, 7, 7, 9, 10], seconds: 0.0 };
        let reached: Vec<Option<usize>> = RATES.iter().map(|rate| run.solutions(rate)).collect();
        let expected = [Some(2), Some(4), Some(4), Some(5), Some(5), Some(5), Some(5), Some(5)];
        assert_eq!(reached, expected);
        let stuck = Run { found: vec![8, 9], ..run.clone() };
        assert_eq!(stuck.solutions("95"), None);
        assert_eq!(average(&[run.clone(), run.clone(), stuck], "95"), None);
        let late = Run { found: vec![1, 2, 3, 4, 10], ..run.clone() };
        assert_eq!(average(&[run.clone(), run, late], "70"), Some(3.0));
    }
}

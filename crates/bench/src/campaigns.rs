//! Campaigns of `sundry fuzz` with different strategies, each of the same length, side by side.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;
use serde::Deserialize;
use sundry_report::{Alignment, Table};

/// Arguments of the experiment.
#[derive(Args)]
pub struct CampaignsArguments {
    /// Other arguments of `sundry fuzz`: solvers, references, releases and seeds
    #[arg(required = true, last = true, value_name = "ARGUMENTS")]
    arguments: Vec<String>,
    /// The strategies
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "all,both,pst,lpi,model,fusion,opfuzz"
    )]
    strategies: Vec<String>,
    /// Length of each campaign
    #[arg(long, value_name = "SECONDS", default_value_t = 1800)]
    seconds: u32,
    /// Folder of findings; strategies that have a summary there are not run again
    #[arg(long, value_name = "DIR")]
    results: PathBuf,
    /// The program; the one built beside this one if not given
    #[arg(long, value_name = "FILE")]
    sundry: Option<PathBuf>,
}

/// The figures of a campaign, as `sundry fuzz` writes them.
#[derive(Deserialize)]
struct Summary {
    seeds: usize,
    mutants: usize,
    replies: usize,
    missing: usize,
    seconds: f64,
    threads: usize,
    share_in_solvers: f64,
    doubtful: usize,
    /// Seeds at which a defect of Sundry showed.
    broken: usize,
    stopped_by: Option<String>,
}

impl Summary {
    /// Checks that the campaign made all its mutants, or as many as its limits allow.
    fn check(&self, strategy: &str) -> Result<(), String> {
        match self.stopped_by.as_deref() {
            Some(why @ ("interrupt" | "error")) => Err(format!(
                "{strategy}: the campaign has ended early ({why}); remove its folder to repeat it"
            )),
            _ if self.broken > 0 => {
                Err(format!("{strategy}: a defect of Sundry has ended {} of its seeds", self.broken))
            }
            _ => Ok(()),
        }
    }
}

/// The kinds of defects, with the words of the index.
#[derive(Copy, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    WrongAnswer,
    InvalidModel,
    WrongCore,
    Crash,
}

/// A defect in the index that `sundry fuzz` writes.
#[derive(Clone, Deserialize)]
struct Bug {
    solver: String,
    kind: Kind,
    defect: String,
    confirmed: bool,
    skeleton: String,
    releases: Option<(String, String)>,
    fixed: Option<bool>,
    bytes: usize,
    seed: String,
    mutant: usize,
    in_seed: bool,
    #[serde(default)]
    cut_short: bool,
}

#[derive(Deserialize)]
struct Index {
    bugs: Vec<Bug>,
}

/// Runs the campaigns, and prints a table of them and a list of their findings.
///
/// # Errors
/// The program cannot be run, or its results cannot be read.
pub fn run(arguments: &CampaignsArguments) -> Result<(), String> {
    let right = |name| (name, Alignment::Right);
    let mut table = Table::new(&[
        ("strategy", Alignment::Left),
        right("seeds"),
        right("mutants"),
        right("per hour"),
        right("ms each"),
        right("in solvers"),
        right("no answer"),
        right("wrong answers"),
        right("invalid models"),
        right("crashes"),
        right("of both fixed"),
        right("coarsely"),
        right("in seeds"),
        right("suspicions"),
    ]);
    let mut lists = BTreeMap::new();
    for strategy in &arguments.strategies {
        let folder = arguments.results.join(strategy);
        if !folder.join("summary.json").exists() {
            // The findings of an interrupted run would count, but not its time.
            if folder.exists() {
                fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
            }
            campaign(arguments, strategy, &folder)?;
        }
        let summary: Summary = read(&folder.join("summary.json"))?;
        summary.check(strategy)?;
        let index = folder.join("index.json");
        let bugs = if index.exists() { read::<Index>(&index)?.bugs } else { Vec::new() };
        let confirmed: Vec<Bug> = bugs.into_iter().filter(|bug| bug.confirmed && !bug.cut_short).collect();
        let (of_seeds, found): (Vec<Bug>, Vec<Bug>) = confirmed.into_iter().partition(|bug| bug.in_seed);
        let count = |kind: Kind| found.iter().filter(|bug| bug.kind == kind).count().to_string();
        let fixed: Vec<&Bug> =
            found.iter().filter(|bug| bug.kind != Kind::Crash && bug.fixed == Some(true)).collect();
        let coarsely: BTreeSet<_> = fixed.iter().map(|bug| (last_release(bug), &bug.defect)).collect();
        table.push([
            strategy.clone(),
            summary.seeds.to_string(),
            summary.mutants.to_string(),
            format!("{:.0}", summary.mutants as f64 / summary.seconds * 3600.0),
            format!(
                "{:.1}",
                1000.0 * summary.seconds * summary.threads as f64 / summary.mutants.max(1) as f64
            ),
            format!("{:.3}", summary.share_in_solvers),
            format!("{:.3}", summary.missing as f64 / summary.replies.max(1) as f64),
            count(Kind::WrongAnswer),
            count(Kind::InvalidModel),
            count(Kind::Crash),
            fixed.len().to_string(),
            coarsely.len().to_string(),
            of_seeds.len().to_string(),
            summary.doubtful.to_string(),
        ]);
        lists.insert(strategy, found);
    }
    println!("{table}");
    for (strategy, bugs) in lists {
        println!("\n{strategy}: what no unchanged seed shows\n");
        for bug in bugs {
            let Bug { solver, defect, skeleton, bytes, seed, mutant, .. } = &bug;
            let solver = file_name(solver);
            let last = file_name(last_release(&bug));
            let seed = Path::new(&seed).file_stem().unwrap_or_default().to_string_lossy();
            let fixed = if bug.fixed == Some(true) { ", fixed now" } else { "" };
            println!(
                "- {solver}, last in {last}{fixed}: {defect}; {bytes} bytes; {skeleton}; {seed}, mutant {mutant}"
            );
        }
    }
    Ok(())
}

/// The last release that shows a defect, or the solver with which it was found.
fn last_release(bug: &Bug) -> &str {
    bug.releases.as_ref().map_or(&bug.solver, |(_, last)| last)
}

/// A command without the folders of its program.
fn file_name(command: &str) -> &str {
    command.rsplit('/').next().unwrap_or_default()
}

fn campaign(arguments: &CampaignsArguments, strategy: &str, folder: &Path) -> Result<(), String> {
    let program = crate::program(arguments.sundry.as_deref())?;
    eprintln!("{strategy}: {} s", arguments.seconds);
    let mut command = Command::new(&program);
    command.args(["fuzz", "--quiet", "--strategy", strategy, "-t", &arguments.seconds.to_string(), "-o"]);
    let status = command
        .arg(folder)
        .args(&arguments.arguments)
        .status()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    // Defects were found, or time was over.
    match status.code() {
        Some(0 | 1 | 3) => Ok(()),
        _ => Err(format!("{strategy}: sundry fuzz ended with {status}")),
    }
}

fn read<T: for<'a> Deserialize<'a>>(path: &Path) -> Result<T, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
}

//! The folder of a finding: its formulas, and a text that people read and can put into an issue tracker.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::hash::BuildHasher;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::FxBuildHasher;
use sundry_counters::CounterProvider;
use sundry_external::Verdict;
use sundry_stress::{Case, Effort, Measure, Outcome, SlowInput, State, Timed};

use crate::campaign::findings::{FORMULA, REDUCED};
use crate::campaign::replay::{CampaignCommand, describe_replay};
use crate::campaign::solver_names::SolverNames;
use crate::failure::Failure;
use crate::output::OutputFolder;
use crate::untrusted::{markdown, markdown_block, markdown_code};
use crate::values::counted;

/// Lines that are listed as those executed most often.
const HOTTEST: usize = 10;
/// Lines as close as this to a listed one are mostly of the same loop, and are not listed.
const NEIGHBOURS: u32 = 10;

/// Facts about the solvers of a campaign that its reports state.
#[derive(Debug)]
pub struct Solvers {
    /// What solvers say of their versions, by command.
    pub versions: BTreeMap<String, Option<String>>,
    /// The counters of the first solver under test, where it has some.
    pub counters: Option<Arc<dyn CounterProvider>>,
    /// The command of the campaign.
    pub command: CampaignCommand,
}

impl Solvers {
    fn version(&self, solver: &str) -> String {
        self.versions.get(solver).and_then(Option::as_deref).map_or_else(String::new, markdown)
    }

    fn names(&self) -> SolverNames {
        SolverNames::of(self.versions.keys().map(String::as_str))
    }
}

/// The title of a finding: which solver takes how long for what, and since when.
pub fn title(finding: &SlowInput) -> String {
    let unit = finding.measure.unit();
    let target = slowest(&finding.targets);
    let reference = fastest(&finding.references);
    let mut title =
        target.map_or_else(String::new, |target| format!("{} takes {}", target.solver, middle(target, unit)));
    if let Some(reference) = reference {
        let _ = write!(title, ", {} takes {}", reference.solver, middle(reference, unit));
    }
    if let Some(release) = finding.regression() {
        let _ = write!(title, " (a regression: slow since {})", release.release);
    }
    title
}

fn slowest(all: &[Timed]) -> Option<&Timed> {
    all.iter().max_by(|one, other| amount(one).total_cmp(&amount(other)))
}

fn fastest(all: &[Timed]) -> Option<&Timed> {
    let decided = all.iter().filter(|timed| timed.median().is_some_and(|effort| effort.verdict().is_some()));
    decided.min_by(|one, other| amount(one).total_cmp(&amount(other)))
}

fn amount(timed: &Timed) -> f64 {
    timed.median().map_or(0.0, |effort| effort.amount)
}

/// The effort in the middle, in words.
fn middle(timed: &Timed, unit: &str) -> String {
    timed.median().map_or_else(
        || "no time".to_string(),
        |effort| {
            let more = if effort.is_stopped() { "more than " } else { "" };
            format!("{more}{:.2} {unit}", effort.amount)
        },
    )
}

/// The name of the folder of a finding, the same in every run.
pub fn folder_of(finding: &SlowInput, script: &str) -> PathBuf {
    let number = FxBuildHasher.hash_one(finding.smallest(script)) as u32;
    PathBuf::from(format!("slow-{number:08x}"))
}

/// Writes the folder of the case with a number, if it is confirmed.
///
/// # Errors
/// A file cannot be written.
pub fn write_finding(
    output: &OutputFolder,
    state: &State,
    number: usize,
    solvers: &Solvers,
) -> Result<Option<PathBuf>, Failure> {
    let Some((_, case, finding)) = state.cases.confirmed().find(|&(case, ..)| case == number) else {
        return Ok(None);
    };
    let path = folder_of(finding, &case.script);
    let folder = output.folder(&path)?;
    let write = |name: &str, text: &str| folder.file(Path::new(name))?.replace(text.as_bytes());
    write(FORMULA, &case.script)?;
    if let Some(reduced) = &finding.reduced {
        write(REDUCED, &reduced.script)?;
    }
    let replay = solvers.command.replay(&number.to_string());
    write("report.md", &describe(finding, case, solvers, replay.as_deref()))?;
    Ok(Some(output.path().join(path)))
}

/// The text about a finding, with the lines for a shell that print the formula as it was found.
fn describe(finding: &SlowInput, case: &Case, solvers: &Solvers, replay: Option<&str>) -> String {
    let (unit, script, names) = (finding.measure.unit(), &case.script, solvers.names());
    let mut text = format!("# {}\n\n", markdown(&names.in_text(&title(finding))));
    let _ = writeln!(text, "Platform: {} on {}.\n", std::env::consts::OS, std::env::consts::ARCH);
    let file = if finding.reduced.is_some() { REDUCED } else { FORMULA };
    let _ = writeln!(text, "`{file}`:\n\n{}", markdown_block(finding.smallest(script), "smt2"));
    let commands: Vec<String> = finding
        .targets
        .iter()
        .chain(fastest(&finding.references))
        .map(|timed| format!("{} {file}", names.get(&timed.solver)))
        .collect();
    let _ = writeln!(text, "{}", markdown_block(&commands.join("\n"), "sh"));
    text += TIMES;
    for timed in finding.targets.iter().chain(&finding.references) {
        row(&mut text, timed, (unit, &names), solvers);
    }
    if finding.reduced.is_some() {
        let _ = write!(text, "\nThe whole formula (`formula.smt2`):\n\n{TIMES}");
        for timed in finding.whole.iter().chain(&finding.whole_references) {
            row(&mut text, timed, (unit, &names), solvers);
        }
    }
    if !finding.releases.is_empty() {
        text += "\n| release | version | answer | effort |\n| --- | --- | --- | --- |\n";
        for release in &finding.releases {
            let (name, effort) = (markdown_code(names.get(&release.release)), &release.effort);
            let (version, answer) = (solvers.version(&release.release), answer(effort));
            let more = if effort.is_stopped() { "more than " } else { "" };
            let _ = writeln!(text, "| {name} | {version} | {answer} | {more}{:.2} {unit} |", effort.amount);
        }
    }
    if let Some(counters) = &solvers.counters {
        text += &hottest_lines(finding, &**counters, &names);
    }
    let _ = writeln!(
        text,
        "\n{}. The formula was bred in generation {}; it has {}.",
        match finding.measure {
            Measure::Memory => "Efforts are the most resident memory",
            Measure::Processor | Measure::Resource => "Efforts are seconds of processor time",
        },
        case.generation,
        counted(script.len(), "byte")
    );
    if let Some(replay) = replay {
        text += &describe_replay(replay);
    }
    if let Some(reduced) = &finding.reduced {
        let _ = writeln!(
            text,
            "\nReducing it tried {} and left {}{}.",
            counted(reduced.checks, "script"),
            counted(reduced.script.len(), "byte"),
            if reduced.is_finished { "" } else { "; it was stopped before it was finished" }
        );
    }
    text
}

/// The places where the first solver under test spends its time, where lines of source files are counted.
fn hottest_lines(finding: &SlowInput, counters: &dyn CounterProvider, names: &SolverNames) -> String {
    let files = &finding.executed.counters;
    let mut lines: Vec<(u64, u32, u32)> = files
        .iter()
        .flat_map(|file| file.lines.iter().map(|counter| (counter.count, file.file, counter.line)))
        .collect();
    if lines.is_empty() || counters.unit() != "lines" {
        return String::new();
    }
    lines.sort_unstable_by_key(|&(count, file, line)| (Reverse(count), file, line));
    let mut listed: Vec<(u64, u32, u32)> = Vec::new();
    for (count, file, line) in lines {
        let is_near =
            |&(_, other, near): &(u64, u32, u32)| other == file && near.abs_diff(line) <= NEIGHBOURS;
        if !listed.iter().any(is_near) {
            listed.push((count, file, line));
        }
        if listed.len() == HOTTEST {
            break;
        }
    }
    let solver = finding.targets.first().map_or("", |timed| names.get(&timed.solver));
    let mut text = format!(
        "\nThe lines that {} executes most often within the limit of the search:\n\n| line | executions |\n| --- | --- |\n",
        markdown_code(solver)
    );
    for (count, file, line) in listed {
        let file = counters.file_name(file).unwrap_or_else(|| format!("file {file}"));
        let _ = writeln!(text, "| {} | {count} |", markdown_code(&format!("{file}:{line}")));
    }
    text
}

/// The head of a table of [`row`]s.
const TIMES: &str = "| solver | version | answer | effort | runs |\n| --- | --- | --- | --- | --- |\n";

fn row(text: &mut String, timed: &Timed, (unit, names): (&str, &SolverNames), solvers: &Solvers) {
    let Some(median) = timed.median() else { return };
    let more = if median.is_stopped() { "more than " } else { "" };
    let spread = match (timed.runs.first(), timed.runs.last()) {
        (Some(first), Some(last)) if timed.runs.len() > 1 => {
            format!(" ({:.2} to {:.2})", first.amount, last.amount)
        }
        _ => String::new(),
    };
    let _ = writeln!(
        text,
        "| {} | {} | {} | {more}{:.2} {unit}{spread} | {} |",
        markdown_code(names.get(&timed.solver)),
        solvers.version(&timed.solver),
        answer(median),
        median.amount,
        timed.runs.len()
    );
}

/// The answer of a solver, in words.
pub fn answer(effort: &Effort) -> String {
    match &effort.outcome {
        Outcome::Decided(Verdict::Sat) => "sat".to_string(),
        Outcome::Decided(_) => "unsat".to_string(),
        Outcome::Unknown => "unknown".to_string(),
        Outcome::Limit => "stopped at its limit".to_string(),
        Outcome::Net => "stopped at another limit".to_string(),
        Outcome::Failed(fault) => markdown(&fault.to_string()),
    }
}

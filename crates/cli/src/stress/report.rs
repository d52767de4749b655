//! The folder of a finding: its formulas, and a text that people read and can put into an issue tracker.

use std::fmt::Write;
use std::hash::BuildHasher;
use std::path::{Path, PathBuf};

use rustc_hash::FxBuildHasher;
use sundry_external::Verdict;
use sundry_stress::{Effort, Measure, Outcome, SlowInput, State, Timed};

use crate::campaign::findings::{FORMULA, REDUCED};
use crate::failure::Failure;
use crate::output::OutputFolder;
use crate::untrusted::{markdown, markdown_block, markdown_code};
use crate::values::counted;

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
    write("report.md", &describe(finding, &case.script, case.generation))?;
    Ok(Some(output.path().join(path)))
}

/// The text about a finding.
fn describe(finding: &SlowInput, script: &str, generation: u64) -> String {
    let unit = finding.measure.unit();
    let mut text = format!("# {}\n\n", markdown(&title(finding)));
    let _ = writeln!(text, "{}", markdown_block(finding.smallest(script), "smt2"));
    text += "| solver | answer | effort | runs |\n| --- | --- | --- | --- |\n";
    for timed in finding.targets.iter().chain(&finding.references) {
        row(&mut text, timed, unit);
    }
    if finding.reduced.is_some() {
        text += "\nThe whole formula (`formula.smt2`):\n\n| solver | answer | effort | runs |\n| --- | --- | --- | --- |\n";
        for timed in finding.whole.iter().chain(&finding.whole_references) {
            row(&mut text, timed, unit);
        }
    }
    if !finding.releases.is_empty() {
        text += "\n| release | answer | effort |\n| --- | --- | --- |\n";
        for release in &finding.releases {
            let (name, effort) = (markdown_code(&release.release), &release.effort);
            let more = if effort.is_stopped() { "more than " } else { "" };
            let _ = writeln!(text, "| {name} | {} | {more}{:.2} {unit} |", answer(effort), effort.amount);
        }
    }
    let _ = writeln!(
        text,
        "\n{}. The formula was bred in generation {generation}; it has {}.",
        match finding.measure {
            Measure::Memory => "Efforts are the most resident memory",
            Measure::Processor | Measure::Resource => "Efforts are seconds of processor time",
        },
        counted(script.len(), "byte")
    );
    if let Some(reduced) = &finding.reduced {
        let _ = writeln!(
            text,
            "Reducing it tried {} and left {}{}.",
            counted(reduced.checks, "script"),
            counted(reduced.script.len(), "byte"),
            if reduced.is_finished { "" } else { "; it was stopped before it was finished" }
        );
    }
    text
}

fn row(text: &mut String, timed: &Timed, unit: &str) {
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
        "| {} | {} | {more}{:.2} {unit}{spread} | {} |",
        markdown_code(&timed.solver),
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

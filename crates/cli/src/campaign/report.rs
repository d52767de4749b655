//! The text about a finding that people read, and can put into an issue tracker.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use sundry_external::Verdict;
use sundry_fuzz::{Decision, Defect, DefectStatus, Evidence, Finding, Vote};

use super::findings::SolverEntry;
use super::options_section::options_section;
use super::solver_names::{SolverNames, without_folders};
use crate::untrusted::{markdown, markdown_block, markdown_code};

/// Characters of a solver's answer in a table, of its output, and of a term, at most.
const SHORT_WORD: usize = 200;
const SHORT_OUTPUT: usize = 4000;
const SHORT_TERM: usize = 300;

/// The script of a finding with the values of a model as definitions.
pub const WITH_MODEL: &str = "with-model.smt2";

/// The text about a finding, with what its solvers say of their versions. `script` is the name of the file with its smallest
/// script, and `replay` is the command that prints the formula as it was found, if the campaign has one.
pub fn describe(
    finding: &Finding,
    solvers: &BTreeMap<String, SolverEntry>,
    script: &str,
    replay: Option<&str>,
) -> String {
    let releases = finding.releases.iter().map(|(release, _)| release.as_str());
    let command = finding.command();
    let commands = [&*finding.solver, &command];
    let names = SolverNames::of(solvers.keys().map(String::as_str).chain(commands).chain(releases));
    let mut text = String::new();
    head(&mut text, finding, solvers, &names);
    reproduction(&mut text, finding, script, &names);
    evidence(&mut text, finding, &names);
    text.push_str(&options_section(finding));
    others(&mut text, finding, solvers, &names);
    releases_of(&mut text, finding, &names);
    origin(&mut text, finding, replay);
    text
}

/// Appends the defect, and the version that has it.
fn head(text: &mut String, finding: &Finding, solvers: &BTreeMap<String, SolverEntry>, names: &SolverNames) {
    let solver = markdown_code(names.get(&finding.command()));
    let _ = writeln!(text, "# {solver}: {}\n", markdown(&finding.defect.to_string()));
    let (expected, actual) = match &finding.defect {
        Defect::WrongAnswer { right: Verdict::Sat } => ("`sat`", "`unsat`".to_string()),
        Defect::WrongAnswer { .. } => ("`unsat`", "`sat`".to_string()),
        Defect::InvalidModel => {
            ("a model that satisfies all assertions", "a model that does not".to_string())
        }
        Defect::SatisfiableCore => ("an unsatisfiable core", "a satisfiable one".to_string()),
        Defect::StrayCore => ("a core of assertions", "one with something that was not asserted".to_string()),
        Defect::Crash(signature) => ("an answer", format!("a crash: {}", markdown(signature))),
    };
    let _ =
        writeln!(text, "- Expected: {expected}; {}.", markdown(&names.in_text(&finding.witness.to_string())));
    let _ = writeln!(text, "- Actual: {actual}.");
    let version = solvers.get(&finding.solver).and_then(|entry| entry.version.as_deref());
    let _ = writeln!(text, "- Version: {}.", markdown(version.unwrap_or("unknown")));
    let _ = writeln!(text, "- Platform: {} on {}.\n", std::env::consts::OS, std::env::consts::ARCH);
}

/// Appends the script, and the output of the solver.
fn reproduction(text: &mut String, finding: &Finding, script: &str, names: &SolverNames) {
    let smallest = finding.reduction.as_ref().map_or(&finding.script, |reduction| &reduction.script);
    let command = finding.command();
    let _ = writeln!(text, "## Reproduction\n\n`{script}`:\n\n{}", markdown_block(smallest, "smt2"));
    text.push_str(&markdown_block(&format!("{} {script}", names.get(&command)), "sh"));
    if let Some(own) = finding.said.iter().find(|vote| vote.solver == command) {
        let _ = write!(text, "\nprints\n\n{}", printed(own));
    }
    if let Some(reduction) = finding.reduction.as_ref().filter(|reduction| !reduction.is_finished) {
        let _ = writeln!(
            text,
            "\nThe script may become smaller: reducing was stopped after {} attempts.",
            reduction.checks
        );
    }
}

/// Appends the reason why the reply is wrong.
fn evidence(text: &mut String, finding: &Finding, names: &SolverNames) {
    match &finding.evidence {
        None => {}
        Some(Evidence::Model { whose, answer, .. }) => {
            let whose = markdown_code(names.get(whose));
            let _ = writeln!(
                text,
                "\n## Evidence\n\nThe script has a model ({whose} prints it). `{WITH_MODEL}` is the script with the values of that \
                 model as definitions; {} answers `{}` to it{}.",
                markdown_code(names.get(&finding.command())),
                markdown(&answer_of(answer)),
                if *answer == Ok(Verdict::Sat) { ", which contradicts its other answer" } else { "" }
            );
        }
        Some(Evidence::FalseAssertion { assertion, values }) => {
            let _ = writeln!(
                text,
                "\n## Evidence\n\nUnder the model that the solver prints, this assertion is false:\n\n{}\n\
                 | term | value |\n| --- | --- |",
                markdown_block(assertion, "smt2")
            );
            for (term, value) in values {
                let cell = |term: &str| markdown_code(&shortened(term, SHORT_TERM));
                let _ = writeln!(text, "| {} | {} |", cell(term), cell(value));
            }
        }
    }
}

/// Appends the answers of all solvers.
fn others(
    text: &mut String,
    finding: &Finding,
    solvers: &BTreeMap<String, SolverEntry>,
    names: &SolverNames,
) {
    let command = finding.command();
    text.push_str("\n## Solvers\n\n| solver | version | answers |\n| --- | --- | --- |\n");
    for Vote { solver, word, .. } in &finding.said {
        let plain = if *solver == command { &finding.solver } else { solver };
        let version = solvers.get(plain).and_then(|entry| entry.version.as_deref()).unwrap_or("");
        let (solver, version) = (markdown_code(names.get(solver)), markdown(version));
        let word = markdown(&shortened(&answer_of(word), SHORT_WORD));
        let _ = writeln!(text, "| {solver} | {version} | {word} |");
    }
    let others = finding.said.iter().filter(|vote| vote.solver != command);
    for vote in others.filter(|vote| !vote.output.trim().is_empty()) {
        let _ = write!(text, "\n{} prints\n\n{}", markdown_code(names.get(&vote.solver)), printed(vote));
    }
}

fn releases_of(text: &mut String, finding: &Finding, names: &SolverNames) {
    if finding.releases.is_empty() {
        return;
    }
    text.push_str("\n## Releases\n\n| release | shows it |\n| --- | --- |\n");
    for (release, shown) in &finding.releases {
        let shown = match shown {
            DefectStatus::Yes => "yes",
            DefectStatus::No => "no",
            DefectStatus::Undecided => "no right answer",
            DefectStatus::OptionsRefused => "does not take the options",
        };
        let _ = writeln!(text, "| {} | {shown} |", markdown_code(names.get(release)));
    }
}

/// Appends the origin of the script.
fn origin(text: &mut String, finding: &Finding, replay: Option<&str>) {
    let origin = match finding.mutant {
        0 => "the seed itself".to_string(),
        number => format!("mutant {number}"),
    };
    let rewritten = finding.rewritten.map_or_else(String::new, |how| format!(" of the seed {how}"));
    let seed = Path::new(&finding.seed)
        .file_name()
        .map_or_else(|| finding.seed.clone(), |name| name.to_string_lossy().into());
    let _ = writeln!(
        text,
        "\n## Origin\n\nFound by Sundry {} with the seed {}, {origin}{rewritten}; that formula is `formula.smt2`.",
        env!("CARGO_PKG_VERSION"),
        markdown_code(&seed)
    );
    if let Some(replay) = replay.filter(|_| finding.mutant > 0) {
        let _ = write!(text, "The following command prints it again:\n\n{}", markdown_block(replay, "sh"));
    }
    if !finding.changes.is_empty() {
        text.push_str("\nLiterals that were replaced, on the way from the seed:\n\n");
        for (from, to) in &finding.changes {
            let _ = writeln!(text, "- {}\n  by {}", markdown_code(from), markdown_code(to));
        }
    }
}

/// The output of a solver as a block.
fn printed(vote: &Vote) -> String {
    markdown_block(&shortened(without_folders(&vote.output).trim(), SHORT_OUTPUT), "")
}

/// The answer of a solver in a word, or the reason for which there is none.
fn answer_of(word: &Decision) -> String {
    match word {
        Ok(verdict) => verdict.to_string(),
        Err(Some(fault)) => fault.to_string(),
        Err(None) => "unknown".to_string(),
    }
}

/// The beginning of a text.
fn shortened(text: &str, length: usize) -> String {
    match text.char_indices().nth(length) {
        Some((end, _)) => format!("{} …", &text[..end]),
        None => text.to_string(),
    }
}

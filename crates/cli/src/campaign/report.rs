//! The text about a finding that people read, and can put into an issue tracker.

use std::collections::BTreeMap;
use std::fmt::Write;

use sundry_fuzz::{DefectStatus, Finding, Vote};

use super::findings::SolverEntry;
use crate::untrusted::{markdown, markdown_block, markdown_code};

/// Characters of a solver's answer in a table, and of its output, at most.
const SHORT_WORD: usize = 200;
const SHORT_OUTPUT: usize = 4000;

/// The text about a finding, with what its solvers say of their versions.
pub fn describe(finding: &Finding, solvers: &BTreeMap<String, SolverEntry>) -> String {
    let solver = markdown_code(&finding.solver);
    let mut text = format!("# {solver}: {}\n\n", markdown(&finding.defect.to_string()));
    let _ = writeln!(text, "{}.\n", markdown(&finding.witness.to_string()));
    let script = finding.reduction.as_ref().map_or(&finding.script, |reduction| &reduction.script);
    let _ = writeln!(text, "{}", markdown_block(script, "smt2"));
    text += "| solver | version | says |\n| --- | --- | --- |\n";
    for Vote { solver, word, .. } in &finding.said {
        let version = solvers.get(solver).and_then(|entry| entry.version.as_deref()).unwrap_or("");
        let word = match word {
            Ok(verdict) => verdict.to_string(),
            Err(Some(fault)) => fault.to_string(),
            Err(None) => "unknown".to_string(),
        };
        let (solver, version) = (markdown_code(solver), markdown(version));
        let _ = writeln!(text, "| {solver} | {version} | {} |", markdown(&shortened(&word, SHORT_WORD)));
    }
    for Vote { solver, output, .. } in finding.said.iter().filter(|said| !said.output.trim().is_empty()) {
        let output = markdown_block(&shortened(output.trim(), SHORT_OUTPUT), "");
        let _ = write!(text, "\n{} prints:\n\n{output}", markdown_code(solver));
    }
    if !finding.releases.is_empty() {
        text += "\n| release | shows it |\n| --- | --- |\n";
        for (release, shown) in &finding.releases {
            let shown = match shown {
                DefectStatus::Yes => "yes",
                DefectStatus::No => "no",
                DefectStatus::Undecided => "no right answer",
            };
            let _ = writeln!(text, "| {} | {shown} |", markdown_code(release));
        }
    }
    let origin = match finding.mutant {
        0 => "the seed itself".to_string(),
        number => format!("mutant {number}"),
    };
    let rewritten = finding.rewritten.map_or_else(String::new, |how| format!(" of the seed {how}"));
    let _ = writeln!(
        text,
        "\nFound with {}, {origin}{rewritten}; that formula is `formula.smt2`.",
        markdown_code(&finding.seed)
    );
    if let Some(reduction) = finding.reduction.as_ref().filter(|reduction| !reduction.is_finished) {
        let _ = writeln!(text, "Reducing it was stopped after {} attempts.", reduction.checks);
    }
    if !finding.changes.is_empty() {
        text += "\nLiterals that were replaced, on the way from the seed:\n\n";
        for (from, to) in &finding.changes {
            let _ = writeln!(text, "- {}\n  by {}", markdown_code(from), markdown_code(to));
        }
    }
    text
}

/// The beginning of a text.
fn shortened(text: &str, length: usize) -> String {
    match text.char_indices().nth(length) {
        Some((end, _)) => format!("{} …", &text[..end]),
        None => text.to_string(),
    }
}

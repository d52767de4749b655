//! The text about a finding in the form that the tracker of its solver asks for, ready to be filed: nothing of the machine or the campaign
//! is in it.

use std::collections::BTreeMap;
use std::fmt::Write;

use sundry_fuzz::{Defect, Finding};

use super::findings::SolverEntry;
use super::report::{Report, outcome, printed};
use crate::untrusted::{markdown, markdown_block, markdown_code};

/// A form of issues.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Tracker {
    /// The form of z3 on GitHub, with the headings of its fields.
    Z3,
    /// The form of cvc5 on GitHub.
    Cvc5,
    /// Any other: a text without given fields.
    Other,
}

impl Tracker {
    /// The tracker for the program of a command.
    fn of(command: &str) -> Tracker {
        let words = shlex::split(command).unwrap_or_default();
        let program = words.first().map_or("", |word| word.rsplit('/').next().unwrap_or_default());
        match program {
            _ if program.starts_with("z3") => Tracker::Z3,
            _ if program.starts_with("cvc5") => Tracker::Cvc5,
            _ => Tracker::Other,
        }
    }
}

/// The text of an issue, with what solvers say of their versions. The first line is its title.
pub fn issue(finding: &Finding, solvers: &BTreeMap<String, SolverEntry>) -> String {
    let report = Report::new(finding, solvers);
    let command = report.names.get(&report.command);
    let (expected, actual) = outcome(finding);
    let operators = finding.reduction.as_ref().map_or("", |reduction| &*reduction.skeleton);
    let about = if operators.is_empty() { String::new() } else { format!(" ({})", markdown(operators)) };
    let title = format!("{}{about}", markdown(&finding.defect.to_string()));
    let script = markdown_block(report.script(), "smt2");
    let output = report.own().map_or_else(String::new, printed);
    let version = markdown(report.version());
    let (system, architecture) = (std::env::consts::OS, std::env::consts::ARCH);
    let mut text = String::new();
    match Tracker::of(&finding.solver) {
        Tracker::Z3 => {
            let category = match finding.defect {
                Defect::Crash(_) => "Crash/Assertion failure",
                _ => "Incorrect result (SAT/UNSAT/Unknown)",
            };
            let _ = write!(
                text,
                "# [Bug] {title}\n\n### Bug Category\n\n{category}\n\n### Bug Description\n\n{} gives {actual} instead of {expected}.\n\n\
                 ### Minimal Reproduction\n\n{script}\n### Expected Behavior\n\n{expected}\n\n### Actual Behavior\n\n{actual}\n\n{output}\n\
                 ### Z3 Version\n\n{version}\n\n### Platform\n\n{system} {architecture}\n\n### Interface Used\n\n\
                 Command line (z3 executable)\n\n### Additional Context\n",
                markdown_code(command)
            );
        }
        Tracker::Cvc5 => {
            let arguments =
                command.split_once(' ').map_or("none".to_string(), |(_, rest)| markdown_code(rest));
            let _ = write!(
                text,
                "# {title}\n\n**Describe the bug**\n\ncvc5 gives {actual} instead of {expected} on this script:\n\n{script}\n{output}\n\
                 **Command line arguments**: {arguments}\n\n**cvc5 version/commit**: {version}\n\n\
                 **Operating system**: {system} on {architecture}\n"
            );
        }
        Tracker::Other => {
            let _ = write!(
                text,
                "# {title}\n\n{} gives {actual} instead of {expected} on this script:\n\n{script}\n{output}\n\
                 Version: {version}\n\nPlatform: {system} on {architecture}\n",
                markdown_code(command)
            );
        }
    }
    // The script with a model is a file here, and a block there.
    report.append_evidence(&mut text, true);
    report.append_answers(&mut text);
    report.append_releases(&mut text);
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::campaign::report::tests::finding;

    fn text(solver: &str) -> String {
        let version = Some("version 1".to_string());
        let entry = SolverEntry { version, ..SolverEntry::default() };
        let other = ("/home/me/other".to_string(), SolverEntry::default());
        issue(&finding(solver), &BTreeMap::from([(solver.to_string(), entry), other]))
    }

    #[test]
    fn each_tracker_gets_its_fields_and_nothing_of_this_machine() {
        let z3 = text("/home/me/bin/z3-4.12 -st");
        for part in [
            "# [Bug] unsat instead of sat (mod)\n",
            "### Minimal Reproduction\n\n```smt2\n(assert (mod))\n",
            "### Z3 Version\n\nversion 1\n",
        ] {
            assert!(z3.contains(part), "{part}: {z3}");
        }
        let cvc5 = text("/home/me/cvc5 --strings-exp");
        for part in [
            "**Command line arguments**: `--strings-exp`",
            "**cvc5 version/commit**: version 1\n",
            "instead of `sat`",
        ] {
            assert!(cvc5.contains(part), "{part}: {cvc5}");
        }
        let other = text("/home/me/yices");
        assert!(other.contains("`yices` gives `unsat` instead of `sat`"), "{other}");
        // The evidence is in the text.
        assert!(
            [z3, cvc5, other]
                .iter()
                .all(|text| !text.contains("/home/me") && text.contains("(define-fun x () Int 0)"))
        );
    }
}

//! The text about a finding in the form that the tracker of its solver asks for, ready to be filed: nothing of the machine or the campaign
//! is in it.

use std::collections::BTreeMap;
use std::fmt::Write;

use sundry_fuzz::{Defect, Finding};

use super::findings::SolverEntry;
use super::options_section::options_section;
use super::report::Report;
use super::wording::Wording;
use crate::untrusted::{markdown, markdown_block, markdown_code, one_line};

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

    /// The marks before the headings of further sections: deeper than those of the form.
    fn level(self) -> &'static str {
        if self == Tracker::Z3 { "####" } else { "###" }
    }
}

/// The text of an issue, with what solvers say of their versions: its title in a block, then the text itself.
pub fn issue(finding: &Finding, solvers: &BTreeMap<String, SolverEntry>) -> String {
    let tracker = Tracker::of(&finding.solver);
    let report = Report::new(finding, solvers, tracker.level());
    let command = report.names.get(&report.command);
    let Wording { expected, actual, complaint } = Wording::of(finding);
    let version = markdown(report.version());
    let (system, architecture) = (std::env::consts::OS, std::env::consts::ARCH);
    // The title is plain text: there, marks of Markdown would be seen.
    let title = markdown_block(&one_line(&title(finding, tracker)), "");
    let mut text = format!("The title:\n\n{title}\nThe text:\n\n");
    let reproduction = {
        let script = markdown_block(report.script(), "smt2");
        let output =
            report.own().map_or_else(String::new, |own| format!("\nprints\n\n{}", report.printed(own)));
        let file = report.file;
        format!("{script}\nWith that script in the file `{file}`,\n\n{}{output}", report.command_block())
    };
    let command = markdown_code(command);
    let _ = match tracker {
        Tracker::Z3 => {
            let category = match finding.defect {
                Defect::Crash(_) => "Crash/Assertion failure",
                _ => "Incorrect result (SAT/UNSAT/Unknown)",
            };
            write!(
                text,
                "### Bug Category\n\n{category}\n\n### Bug Description\n\n{command} {complaint}.\n\n\
                 ### Minimal Reproduction\n\n{reproduction}\n### Expected Behavior\n\n{expected}\n\n\
                 ### Actual Behavior\n\n{actual}\n\n### Z3 Version\n\n{version}\n\n\
                 ### Platform\n\n{system} {architecture}\n\n### Interface Used\n\n\
                 Command line (z3 executable)\n\n### Additional Context\n"
            )
        }
        Tracker::Cvc5 => {
            let words = report.names.get(&report.command).split_once(' ');
            let arguments = words.map_or("none".to_string(), |(_, arguments)| markdown_code(arguments));
            write!(
                text,
                "**Describe the bug**\n\ncvc5 {complaint}. Expected: {expected}.\n\n{reproduction}\n\
                 **Command line arguments**: {arguments}\n\n**cvc5 version/commit**: {version}\n\n\
                 **Operating system**: {system} on {architecture}\n"
            )
        }
        Tracker::Other => write!(
            text,
            "{command} {complaint}. Expected: {expected}.\n\n{reproduction}\n\
             Version: {version}\n\nPlatform: {system} on {architecture}\n"
        ),
    };
    // The script with a model is a file here, and a block there.
    report.append_evidence(&mut text, true);
    text.push_str(&options_section(finding, report.level));
    report.append_answers(&mut text);
    report.append_releases(&mut text);
    text
}

/// The defect, with the operators of the script and the options that tell it from others.
fn title(finding: &Finding, tracker: Tracker) -> String {
    let mark = if tracker == Tracker::Z3 { "[Bug] " } else { "" };
    let operators = finding.reduction.as_ref().map_or("", |reduction| &*reduction.skeleton);
    let about = if operators.is_empty() { String::new() } else { format!(" ({operators})") };
    let options: Vec<&str> = finding.options.iter().map(|option| option.argument.as_str()).collect();
    let with = if options.is_empty() { String::new() } else { format!(" with {}", options.join(" ")) };
    format!("{mark}{}{about}{with}", finding.defect)
}

#[cfg(test)]
mod tests {
    use sundry_external::{SolverOption, Standing};

    use super::*;
    use crate::campaign::report::tests::finding;

    fn text_of(finding: &Finding) -> String {
        let version = Some("version 1".to_string());
        let entry = SolverEntry { version, ..SolverEntry::default() };
        let other = ("/home/me/other".to_string(), SolverEntry::default());
        issue(finding, &BTreeMap::from([(finding.solver.clone(), entry), other]))
    }

    fn text(solver: &str) -> String {
        text_of(&finding(solver))
    }

    #[test]
    fn each_tracker_gets_its_fields_and_nothing_of_this_machine() {
        let z3 = text("/home/me/bin/z3-4.12 -st");
        for part in [
            "The title:\n\n```\n[Bug] unsat instead of sat (mod)\n```\n",
            "### Bug Description\n\n`z3-4.12 -st` answers `unsat` instead of `sat`.\n",
            "### Minimal Reproduction\n\n```smt2\n(assert (mod))\n",
            "```sh\nz3-4.12 -st reduced.smt2\n```\n\nprints\n\n```\nunsat\n```\n",
            "### Z3 Version\n\nversion 1\n",
            "### Additional Context\n\n#### Evidence\n",
            "\n#### Solvers\n",
        ] {
            assert!(z3.contains(part), "{part}: {z3}");
        }
        let cvc5 = text("/home/me/cvc5 --strings-exp");
        for part in [
            "**Command line arguments**: `--strings-exp`",
            "**cvc5 version/commit**: version 1\n",
            "cvc5 answers `unsat` instead of `sat`.",
            "\n### Evidence\n",
        ] {
            assert!(cvc5.contains(part), "{part}: {cvc5}");
        }
        let other = text("/home/me/yices");
        assert!(other.contains("`yices` answers `unsat` instead of `sat`."), "{other}");
        // The evidence is in the text.
        assert!(
            [z3, cvc5, other]
                .iter()
                .all(|text| !text.contains("/home/me") && text.contains("(define-fun x () Int 0)"))
        );
    }

    #[test]
    fn titles_are_plain_text() {
        let mut finding = finding("z3");
        finding.defect = Defect::Crash("fpa2bv_converter.cpp\n<b>".into());
        if let Some(reduction) = &mut finding.reduction {
            reduction.skeleton = "< str.<= *".into();
        }
        let text = text_of(&finding);
        assert!(text.contains("\n[Bug] crash: fpa2bv_converter.cpp <b> (< str.<= *)\n"), "{text}");
        assert!(text.contains("crashes: fpa2bv\\_converter.cpp \\<b\\>."), "{text}");
    }

    #[test]
    fn an_issue_names_the_options_that_matter() {
        let option = |standing| SolverOption { name: "x".into(), argument: "--x".into(), standing };
        let needed = Finding { options: vec![option(Standing::Experimental)], ..finding("cvc5") };
        let text = text_of(&needed);
        assert!(text.contains("\nunsat instead of sat (mod) with --x\n"), "{text}");
        let remark = "\n### Options\n\nThe defect comes with `--x` (an experimental or expert option), and goes without.\n";
        assert!(text.contains(remark), "{text}");
        let cured = Finding { cures: vec![option(Standing::Regular)], ..finding("z3") };
        let text = text_of(&cured);
        let remark = "\n#### Options\n\nThe defect shows with the default options. It goes away with `--x` (a regular option).\n";
        assert!(text.contains(remark), "{text}");
    }
}

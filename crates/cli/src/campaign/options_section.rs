//! The part of a report about options of the solver.

use std::fmt::Write;

use sundry_external::{SolverOption, Standing};
use sundry_fuzz::Finding;

use crate::untrusted::markdown_code;

/// The section about the options without which a defect does not show, or with which it goes away, with these marks before its heading; empty if
/// no option makes a difference, as far as is known.
pub fn options_section(finding: &Finding, level: &str) -> String {
    let mut text = String::new();
    if !finding.options.is_empty() {
        let options = listed(&finding.options);
        let goes = if finding.options.len() == 1 { "without" } else { "if any of them is left out" };
        let _ = writeln!(text, "\n{level} Options\n\nThe defect comes with {options}, and goes {goes}.");
    } else if !finding.cures.is_empty() {
        let options = listed(&finding.cures);
        let each = if finding.cures.len() == 1 { "" } else { " each of them alone:" };
        let _ = writeln!(
            text,
            "\n{level} Options\n\nThe defect shows with the default options. It goes away with{each} {options}."
        );
    }
    text
}

/// The arguments, with what is to be known about an option that is no regular one.
fn listed(options: &[SolverOption]) -> String {
    let text = |SolverOption { argument, standing, .. }: &SolverOption| {
        let argument = markdown_code(argument);
        let remark = match standing {
            Standing::Regular => "a regular option",
            Standing::Experimental => "an experimental or expert option",
            Standing::Unknown => "an option that the build lists and Sundry's table does not have",
        };
        format!("{argument} ({remark})")
    };
    let texts: Vec<String> = options.iter().map(text).collect();
    texts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::super::report;
    use super::*;

    fn finding(options: &[(&str, Standing)], cures: &[(&str, Standing)]) -> Finding {
        let all = |options: &[(&str, Standing)]| {
            let option = |&(argument, standing): &(&str, Standing)| SolverOption {
                name: String::new(),
                argument: argument.to_string(),
                standing,
            };
            options.iter().map(option).collect()
        };
        Finding { options: all(options), cures: all(cures), ..report::tests::finding("z3") }
    }

    #[test]
    fn a_report_says_which_options_matter() {
        let (regular, experimental) = (("a=1", Standing::Regular), ("b=2", Standing::Experimental));
        let comes = options_section(&finding(&[regular], &[]), "##");
        let text = "\n## Options\n\nThe defect comes with `a=1` (a regular option), and goes without.\n";
        assert_eq!(comes, text);
        let both = options_section(&finding(&[regular, experimental], &[]), "##");
        assert!(
            both.contains("`b=2` (an experimental or expert option), and goes if any of them is left out."),
            "{both}"
        );
        let goes = options_section(&finding(&[], &[experimental, ("c=3", Standing::Unknown)]), "##");
        assert!(goes.contains("It goes away with each of them alone: `b=2` (an exp"), "{goes}");
        assert_eq!(options_section(&finding(&[], &[]), "##"), "");
    }
}

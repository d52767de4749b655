//! The part of a report about the seed and the mutant: how the script came about, and how to make it again.

use std::fmt::Write;
use std::path::Path;

use sundry_fuzz::Finding;

use super::replay::describe_replay;
use super::report::shortened;
use crate::untrusted::markdown_code;

/// Characters of a term, at most.
const SHORT_TERM: usize = 120;
/// Changes that are listed, at most.
const LISTED: usize = 5;

/// The section about the origin of the script, with the lines for a shell that print it again, if the campaign has them.
pub fn origin_section(finding: &Finding, replay: Option<&str>) -> String {
    let name = Path::new(&finding.seed).file_name();
    let seed = name.map_or_else(|| finding.seed.clone(), |name| name.to_string_lossy().into());
    let found =
        format!("Found by Sundry {} with the seed {}", env!("CARGO_PKG_VERSION"), markdown_code(&seed));
    let mut text = String::from("\n## Origin\n\n");
    if finding.mutant == 0 {
        let _ =
            writeln!(text, "{found}, which shows the defect itself; `formula.smt2` is what the solver got.");
        return text;
    }
    let rewritten = finding.rewritten.map_or_else(String::new, |how| format!(" of the seed {how}"));
    let _ = writeln!(text, "{found}, mutant {}{rewritten}; that formula is `formula.smt2`.", finding.mutant);
    if finding.in_seed {
        text.push_str("The other seed shows the same defect alone, without any change.\n");
    }
    if let Some(replay) = replay {
        text.push_str(&describe_replay(replay));
    }
    // In a reduced script, little of the changes is left.
    let changes = if finding.reduction.is_none() { &finding.changes[..] } else { &[] };
    if !changes.is_empty() {
        text.push_str("\nTerms that were replaced, on the way from the seed:\n\n");
        let term = |term: &str| markdown_code(&shortened(term, SHORT_TERM));
        for (from, to) in changes.iter().take(LISTED) {
            let _ = writeln!(text, "- {}\n  by {}", term(from), term(to));
        }
        if changes.len() > LISTED {
            let _ = writeln!(text, "\n{} more are not listed.", changes.len() - LISTED);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::report::tests::finding;
    use super::*;

    #[test]
    fn a_report_says_whether_a_seed_shows_the_defect() {
        let seed = Finding { mutant: 0, in_seed: true, ..finding("z3") };
        let text = origin_section(&seed, Some("sundry fuzz"));
        assert!(text.contains("with the seed `s.smt2`, which shows the defect itself;"), "{text}");
        assert!(!text.contains("sundry fuzz"), "{text}");
        let fused = Finding { in_seed: true, rewritten: Some("fused with another"), ..finding("z3") };
        let text = origin_section(&fused, Some("sundry fuzz"));
        assert!(text.contains("mutant 3 of the seed fused with another; that formula"), "{text}");
        assert!(
            text.contains("The other seed shows the same defect alone")
                && text.contains("```sh\nsundry fuzz\n"),
            "{text}"
        );
        assert!(!origin_section(&finding("z3"), None).contains("alone"));
    }

    #[test]
    fn changes_are_listed_only_where_nothing_is_reduced() {
        let changes = vec![("(f x)".to_string(), "g".repeat(200)); 7];
        let reduced = Finding { changes: changes.clone(), ..finding("z3") };
        assert!(!origin_section(&reduced, None).contains("(f x)"));
        let text = origin_section(&Finding { reduction: None, ..reduced }, None);
        assert_eq!(text.matches("- `(f x)`\n").count(), LISTED, "{text}");
        assert!(text.contains("ggg …`") && text.ends_with("2 more are not listed.\n"), "{text}");
    }
}

//! The report on a script on which a solver is slow.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use super::slow_cases::Entry;
use crate::untrusted::{markdown, markdown_code};

/// The report on a script with this name, given the versions of solvers by command. It names solvers and seeds without their folders.
pub fn report(entry: &Entry, name: &Path, versions: &BTreeMap<String, Option<String>>) -> String {
    let names = entry.names();
    let solver = |command: &str| {
        let version = versions.get(command).and_then(Option::as_deref);
        let version = version.map(|version| format!(" ({})", markdown(version))).unwrap_or_default();
        format!("{}{version}", markdown(names.solver(command)))
    };
    let smallest = entry.reduced.as_deref().unwrap_or(name);
    let mut text = format!("# {} is slow\n\n", markdown(names.solver(&entry.solver)));
    let mut line = |name: &str, value: String| {
        // Writing to a string does not fail.
        let _ = writeln!(text, "- {name}: {value}");
    };
    line("Slow", format!("{}: no answer within {:.2} s", solver(&entry.solver), entry.seconds));
    line("Fast", format!("{}: an answer after {:.2} s", solver(&entry.other), entry.other_seconds));
    line("Script", markdown_code(&smallest.display().to_string()));
    if entry.reduced.is_some() {
        line("Reduced from", markdown_code(&name.display().to_string()));
    }
    line("Command", markdown_code(&format!("{} {}", names.solver(&entry.solver), smallest.display())));
    line("Releases", markdown(&entry.releases_in_words(&names)));
    let origin = match entry.mutant {
        0 => "the seed itself".to_string(),
        number => format!("mutant {number}"),
    };
    line("Found with", format!("{}, {origin}", markdown(names.seed(&entry.seed))));
    if entry.reduced.is_none() && entry.mutant > 0 {
        line("Remark", "scripts of mutants are neither reduced nor given to releases".to_string());
    }
    text
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use sundry_fuzz::ReleasePace;

    use super::*;

    #[test]
    fn a_report_says_who_is_slow_on_what_and_since_when() {
        let entry = Entry {
            solver: "/opt/z3".into(),
            seconds: 10.0,
            other: "/opt/cvc5 --strings-exp".into(),
            other_seconds: 0.25,
            seed: "/home/me/seeds/door.smt2".into(),
            mutant: 0,
            reduced: Some(PathBuf::from("door-0-reduced.smt2")),
            releases: vec![("/old/z3-4.8".into(), ReleasePace::Fast), ("/opt/z3".into(), ReleasePace::Slow)],
        };
        let versions = BTreeMap::from([("/opt/z3".to_string(), Some("Z3 version 5".to_string()))]);
        let text = report(&entry, Path::new("door-0.smt2"), &versions);
        for part in [
            "# z3 is slow",
            "z3 (Z3 version 5): no answer within 10.00 s",
            "cvc5 --strings-exp: an answer after 0.25 s",
            "`z3 door-0-reduced.smt2`",
            "slow: z3; fast: z3-4.8",
            "door.smt2, the seed itself",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(!text.contains("/opt") && !text.contains("/home"), "{text}");
    }
}

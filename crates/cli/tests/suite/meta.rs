//! Help, version, completions and manual pages.

use crate::common::Place;

#[test]
fn help_teaches() {
    let folder = Place::new();
    let help = folder.run(&["--help"]).expect(0).out;
    for word in ["sample", "coverage", "completions", "man", "Exit codes:", "Start with:"] {
        assert!(help.contains(word), "'{word}' is not in\n{help}");
    }
    let help = folder.run(&["sample", "--help"]).expect(0).out;
    for word in [
        "AST-bit",
        "Examples:",
        "--target",
        "--timeout <SECONDS>",
        "Exit codes:",
        "--record",
        "Ctrl-C",
        "[default: 1]",
    ] {
        assert!(help.contains(word), "'{word}' is not in\n{help}");
    }
    assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
    let help = folder.run(&["coverage", "--help"]).expect(0).out;
    assert!(help.contains("--strict") && help.contains("--decide") && help.contains("Examples:"), "{help}");
}

#[test]
fn version_is_that_of_the_package() {
    let run = Place::new().run(&["--version"]).expect(0);
    assert_eq!(run.out, format!("sundry {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn wrong_arguments_are_the_users_fault() {
    let folder = Place::new();
    for arguments in [
        &[][..],
        &["sample"],
        &["nonsense"],
        &["sample", "f.smt2", "--nonsense"],
        &["sample", "f.smt2", "-r", "2"],
        &["sample", "f.smt2", "-n", "0"],
        &["sample", "f.smt2", "-t", "-1"],
        &["sample", "f.smt2", "--format", "xml"],
        &["coverage", "f.smt2"],
        &["completions", "nonsense"],
        &["man", "nonsense"],
    ] {
        let run = folder.run(arguments).expect(2);
        assert_eq!(run.out, "", "{arguments:?}");
        assert!(!run.err.is_empty(), "{arguments:?}");
    }
}

#[test]
fn completions_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = Place::new().run(&["completions", shell]).expect(0);
        assert!(run.out.contains("max-solutions"), "{shell}");
    }
}

#[test]
fn manual_pages() {
    let folder = Place::new();
    let whole = folder.run(&["man"]).expect(0).out;
    assert!(whole.contains(".TH sundry 1") && whole.contains("Exit codes"), "{whole}");
    let sample = folder.run(&["man", "sample"]).expect(0).out;
    assert!(sample.contains(".TH sundry-sample 1") && sample.contains("max\\-solutions"), "{sample}");
}

/// Jobs without an option for their output say what does the same.
#[test]
fn an_output_that_a_job_does_not_have() {
    let folder = Place::new();
    for arguments in [
        &["man", "-o", "page"][..],
        &["completions", "bash", "-o", "script"],
        &["coverage", "f.smt2", "m.txt", "-o", "figures"],
        &["coverage", "f.smt2", "m.txt", "--output=figures"],
        &["solve", "f.smt2", "-o", "answers"],
    ] {
        let run = folder.run(arguments).expect(2);
        assert!(run.err.contains("with '> FILE' that goes to a file\n"), "{}", run.err);
        assert!(run.err.contains(&format!("Usage: sundry {} ", arguments[0])), "{}", run.err);
    }
    let run = folder.run(&["sample", "f.smt2", "-x"]).expect(2);
    assert!(!run.err.contains("> FILE"), "{}", run.err);
}

//! The programs in `examples/`, as their users run them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The output of a program with these arguments.
fn output(program: &str, arguments: &[&Path]) -> String {
    // Cargo builds examples beside tests.
    let tests = std::env::current_exe().expect("this test runs");
    let folder = tests.parent().and_then(Path::parent).expect("target/debug").join("examples");
    let output = Command::new(folder.join(program)).args(arguments).output().expect("the example was built");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

/// A formula in the folder of the repository.
fn formula(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

/// A file with this text.
fn file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).expect("it can be written");
    path
}

#[test]
fn formulas_are_built_without_text() {
    assert!(output("build", &[]).contains("exclude each other"));
}

#[test]
fn solutions_are_found_and_measured() {
    let options = formula("options.smt2");
    let models = output("sample", &[&options]);
    assert!(models.contains("(define-fun "), "{models}");
    let measured = output("coverage", &[&options, &file("programs.models", &models)]);
    assert!(
        measured.contains("178 of the 178 AST-bits"),
        "what `sample` finds covers everything: {measured}"
    );
    assert!(output("own_strategy", &[&options]).contains("cover"));
    let some = output("stream", &[&options, Path::new("3")]);
    assert_eq!(some.lines().count(), 3, "{some}");
}

#[test]
fn predicates_are_decided() {
    let predicates = file("programs.predicates.smt2", "(define-fun never () Bool false)\n");
    let text = output("predicates", &[&formula("options.smt2"), &predicates]);
    assert_eq!(text, "never: can hold: no, can fail: yes\n");
}

#[test]
fn pairs_of_a_model_have_a_table() {
    let table = output("pairs", &[&formula("backup.pict")]);
    assert!(table.lines().count() > 3, "{table}");
}

//! Whatever is wrong with an input: one clear message, exit code 2, nothing written.

use crate::common::{Place, UNSATISFIABLE};

/// Samples a formula and checks that it is refused with these words and no output at all.
#[track_caller]
fn refused(content: impl AsRef<[u8]>, place: &str, words: &[&str]) {
    let folder = Place::new();
    folder.write("f.smt2", content);
    let run = folder.run(&["sample", "f.smt2", "-o", "out.smt2", "--record", "run.json"]).expect(2);
    assert_eq!(run.out, "");
    assert!(run.err.starts_with(place), "{}", run.err);
    for word in words {
        assert!(run.err.contains(word), "'{word}' is not in\n{}", run.err);
    }
    assert_eq!(run.err.matches("error:").count(), 1, "{}", run.err);
    assert_eq!(folder.names("."), ["f.smt2"], "nothing is written");
}

#[test]
fn truncated_in_the_middle_of_a_term() {
    let text = "(declare-const x (_ BitVec 8))\n(assert (= x #x0";
    refused(text, "f.smt2:2:9: error: ", &["not closed", "2 | (assert (= x #x0\n", "^"]);
}

#[test]
fn truncated_in_a_string_and_in_a_quoted_symbol() {
    refused("(echo \"abc", "f.smt2:1:7: error: ", &[]);
    refused("(declare-const |abc Bool)\n", "f.smt2:1:16: error: ", &[]);
}

#[test]
fn widths_that_do_not_fit() {
    let text = "(declare-const x (_ BitVec 8))\n(assert (= x #x012))\n";
    refused(text, "f.smt2:2:14: error: ", &["(_ BitVec 12)", "(_ BitVec 8)", "^^^^^"]);
    let text = "(declare-const x (_ BitVec 8))\n(assert (= #b1 ((_ extract 8 8) x)))\n";
    refused(text, "f.smt2:2:", &["extract"]);
}

#[test]
fn widths_that_no_bit_vector_has() {
    refused("(declare-const x (_ BitVec 0))", "f.smt2:1:18: error: ", &["width 0"]);
    refused("(declare-const x (_ BitVec 1048577))", "f.smt2:1:18: error: ", &["1048577", "1048576"]);
    refused("(declare-const x (_ BitVec 99999999999999999999))", "f.smt2:1:", &[]);
}

#[test]
fn names_that_nobody_declared() {
    refused("(assert (not q))\n", "f.smt2:1:14: error: unknown symbol 'q'", &["1 | (assert (not q))"]);
    refused("(declare-const x Color)\n", "f.smt2:1:18: error: ", &["Color"]);
    refused("(declare-const x Bool)\n(asert x)\n", "f.smt2:2:2: error: ", &["asert"]);
}

#[test]
fn theories_that_are_not_supported() {
    refused("(declare-const x String)", "f.smt2:1:18: error: ", &["String", "not supported", "help: "]);
    refused("(declare-const x (Seq Bool))", "f.smt2:1:", &["Seq"]);
    refused("(assert (forall ((p Bool)) p))", "f.smt2:1:", &["forall"]);
}

#[test]
fn bytes_that_are_no_text() {
    refused(b"(declare-const x Bool)\n(assert \xff)\n", "f.smt2:2:9: error: ", &["'ÿ'", "|...|"]);
    refused(b"\xff\xfe(\0a\0)\0", "f.smt2:1:1: error: ", &["UTF-16", "iconv"]);
}

#[test]
fn nothing_in_it() {
    refused("", "error: f.smt2: ", &["no SMT-LIB command"]);
    refused(" \n; only a comment\n", "error: f.smt2: ", &["no SMT-LIB command"]);
}

#[test]
fn no_such_file() {
    let folder = Place::new();
    let run = folder.run(&["sample", "missing.smt2", "-o", "out"]).expect(2);
    assert!(run.err.starts_with("error: cannot read missing.smt2: No such file"), "{}", run.err);
    assert!(folder.names(".").is_empty());
}

#[cfg(unix)]
#[test]
fn no_way_to_the_file() {
    // Permissions do not stop every user; a path below a file stops all.
    let folder = Place::with(&[("file", "")]);
    let run = folder.run(&["sample", "file/f.smt2"]).expect(2);
    assert!(run.err.starts_with("error: cannot read file/f.smt2: Not a directory"), "{}", run.err);
}

#[test]
fn a_folder_without_formulas() {
    let folder = Place::with(&[("d/readme.txt", "")]);
    let run = folder.run(&["sample", "d", "-o", "out"]).expect(2);
    assert!(run.err.starts_with("error: there is no formula below d"), "{}", run.err);
    assert_eq!(folder.names("."), ["d"]);
}

#[test]
fn a_folder_where_a_formula_is_due() {
    let folder = Place::with(&[("d/f.smt2", UNSATISFIABLE), ("m.txt", "()")]);
    let run = folder.run(&["coverage", "d", "m.txt"]).expect(2);
    assert!(run.err.starts_with("error: cannot read d: Is a directory"), "{}", run.err);
}

#[test]
fn an_operation_too_large_for_a_circuit_is_a_limit() {
    let text = "(declare-const x (_ BitVec 1000000))\n(assert (= x (bvmul x x)))\n";
    let folder = Place::with(&[("f.smt2", text)]);
    let run = folder.run(&["sample", "f.smt2", "-o", "out"]).expect(3);
    assert!(run.err.starts_with("f.smt2:2:1: error: the circuit"), "{}", run.err);
    assert_eq!(folder.names("."), ["f.smt2"]);
}

#[test]
fn deep_nesting_is_no_problem() {
    let depth = 100_000;
    let text = format!(
        "(declare-const p Bool)\n(assert {}p{})\n(check-sat)\n",
        "(not ".repeat(depth),
        ")".repeat(depth)
    );
    let run = Place::new().run_with_input(&["sample", "-", "-n", "1"], text).expect(0);
    assert!(run.out.contains("(define-fun p () Bool true)"), "{}", run.err);
    let open = "(assert (and ".to_string() + &"(not ".repeat(depth);
    let run = Place::new().run_with_input(&["sample", "-"], open).expect(2);
    assert!(run.err.starts_with("<stdin>:1:"), "{}", &run.err[..200.min(run.err.len())]);
}

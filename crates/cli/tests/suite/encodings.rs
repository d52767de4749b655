//! Texts as editors and other programs write them: Latin-1, byte-order marks, any line breaks.

use crate::common::Place;

/// A formula over `|größe|`, of which both values are needed, in Latin-1.
const LATIN1: &[u8] =
    b"; gr\xf6\xdfer\n(declare-const |gr\xf6\xdfe| Bool)\n(assert (or |gr\xf6\xdfe| (not |gr\xf6\xdfe|)))\n(check-sat)\n";

#[test]
fn names_in_latin1_are_written_as_utf8_and_read_back() {
    let folder = Place::new();
    folder.write("f.smt2", LATIN1);
    let run = folder.run(&["sample", "f.smt2", "-o", "models.smt2"]).expect(0);
    assert!(run.err.contains("f.smt2:1:5: note: this byte is not UTF-8"), "{}", run.err);
    assert!(
        folder.read("models.smt2").contains("(define-fun |größe| () Bool"),
        "{}",
        folder.read("models.smt2")
    );
    let run = folder.run(&["coverage", "f.smt2", "models.smt2", "--strict"]).expect(0);
    assert!(run.out.contains("models.smt2#2"), "{}", run.out);
    let csv = folder.run(&["sample", "f.smt2", "--format", "csv", "--quiet"]).expect(0).out;
    assert!(csv.starts_with("größe\n"), "{csv}");
    let lines = folder.run(&["sample", "f.smt2", "--format", "jsonl", "--quiet"]).expect(0).out;
    for line in lines.lines() {
        let solution: serde_json::Value = serde_json::from_str(line).expect("JSON");
        assert!(solution["größe"].is_string(), "{line}");
    }
}

/// Who speaks Latin-1 is answered in Latin-1: as a script, and as a conversation.
#[test]
fn answers_are_in_the_encoding_of_the_questions() {
    let folder = Place::new();
    let script = [LATIN1, b"(get-value (|gr\xf6\xdfe|))\n(echo \"\xe4\")\n"].concat();
    folder.write("f.smt2", &script);
    let answers = [
        folder.command(&["solve", "f.smt2"]).output().expect("the program starts"),
        folder.command(&["solve"]).write_stdin(script).output().expect("the program starts"),
    ];
    for output in answers {
        let expected: [&[u8]; 2] =
            [b"sat\n((|gr\xf6\xdfe| true))\n\"\xe4\"\n", b"sat\n((|gr\xf6\xdfe| false))\n\"\xe4\"\n"];
        assert!(expected.contains(&&output.stdout[..]), "{}", String::from_utf8_lossy(&output.stdout));
        assert_eq!(output.status.code(), Some(0));
    }
}

#[test]
fn marks_and_line_breaks_do_not_matter() {
    let lines = ["; all of it (", "(declare-const p Bool)", "(assert (and p (not p)))", "(check-sat)", ""];
    for line_break in ["\n", "\r\n", "\r"] {
        let script = format!("\u{feff}{}", lines.join(line_break));
        let folder = Place::with(&[("f.smt2", &script)]);
        assert_eq!(folder.run(&["solve", "f.smt2"]).expect(0).out, "unsat\n");
        assert_eq!(folder.run_with_input(&["solve"], script).expect(0).out, "unsat\n");
        folder.run(&["sample", "f.smt2"]).expect(1);
    }
    let wrong = Place::with(&[("f.smt2", "\u{feff}(declare-const p Bool)\r; |ä|\r\n(assert q)\r")]);
    let run = wrong.run(&["sample", "f.smt2"]).expect(2);
    assert!(run.err.starts_with("f.smt2:3:9: error: unknown symbol 'q'"), "{}", run.err);
}

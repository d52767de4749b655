//! What `sample` writes as rows is measured as its models are.

use serde_json::Value;

use crate::common::{Place, SMALL, example};

/// Everything that can be sampled, with names that need quotation marks.
const WIDE: &str = "\
(declare-sort S 0)
(declare-const p Bool)
(declare-const |odd, \"name\"| (_ BitVec 5))
(declare-const x (_ BitVec 8))
(declare-const s S)
(declare-const t S)
(declare-const m (Array (_ BitVec 8) (_ BitVec 8)))
(declare-fun f (Bool (_ BitVec 2)) (_ BitVec 8))
(declare-fun g (S) S)
(assert (=> p (distinct s t (g s))))
(assert (= (f p ((_ extract 1 0) x)) (select m x)))
(assert (bvult |odd, \"name\"| #b10000))
(check-sat)
";

/// Only where the sort has one element, of which rows do not tell.
const ONE_ELEMENT: &str = "\
(declare-sort S 0)
(declare-const x S)
(declare-const p Bool)
(assert (= (store ((as const (Array S (_ BitVec 1))) #b0) x #b1) ((as const (Array S (_ BitVec 1))) #b1)))
(assert (or p (not p)))
";

/// The figures of the models in a file.
fn figures(place: &Place, formula: &str, file: &str) -> Value {
    let run = place.run(&["coverage", formula, file, "--strict", "--json"]).expect(0);
    assert_eq!(run.err, "");
    let mut record: Value = serde_json::from_str(&run.out).expect("JSON");
    for model in record["models"].as_array_mut().expect("models") {
        model["model"].take();
    }
    record
}

/// Samples in each format, and compares what is measured.
fn goes_round(place: &Place, formula: &str, strategy: &str) {
    let names = ["out.txt", "out.csv", "out.jsonl"];
    for (name, format) in names.iter().zip(["smt2", "csv", "jsonl"]) {
        let arguments = ["sample", formula, "--strategy", strategy, "-n", "40", "-f", format, "-o", name];
        place.run(&arguments).expect(0);
    }
    let models = figures(place, formula, names[0]);
    assert!(models["models"].as_array().is_some_and(|models| !models.is_empty()));
    for name in &names[1..] {
        assert_eq!(figures(place, formula, name), models, "{formula} {name}");
        // How a file begins tells its format, too.
        place.write("input", place.read(name));
        assert_eq!(figures(place, formula, "input"), models, "{formula} {name}");
    }
}

#[test]
fn rows_are_measured_as_models_are() {
    let place = Place::with(&[("small.smt2", SMALL), ("wide.smt2", WIDE), ("one.smt2", ONE_ELEMENT)]);
    let models = ["backup.pict", "coffee.uvl", "mailer.dimacs"].map(example);
    for formula in ["small.smt2", "wide.smt2"].into_iter().chain(models.iter().map(String::as_str)) {
        goes_round(&place, formula, "smtsampler");
    }
    goes_round(&place, "one.smt2", "cover");
}

#[test]
fn rows_may_be_compressed_or_piped() {
    let place = Place::with(&[("f.smt2", SMALL)]);
    let rows = place.run(&["sample", "f.smt2", "-f", "csv"]).expect(0).out;
    let run = place.run_with_input(&["coverage", "f.smt2", "-", "--decide"], rows.clone()).expect(0);
    assert!(run.out.ends_with("complete\n"), "{}", run.out);
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut encoder, rows.as_bytes()).expect("compressed");
    place.write("rows.csv.gz", encoder.finish().expect("compressed"));
    let run = place.run(&["coverage", "f.smt2", "rows.csv.gz", "--decide"]).expect(0);
    assert!(run.out.ends_with("complete\n"), "{}", run.out);
}

/// Auxiliary variables have no column: any values of them will do.
#[test]
fn what_rows_leave_open_is_looked_for() {
    let text = "c 1 x\nc 2$ y\nc 3 z\np cnf 3 4\n1 2 0\n-1 -2 0\n2 3 0\n-2 -3 0\n";
    let place = Place::with(&[("f.dimacs", text), ("rows.csv", "x,z\ntrue,true\nfalse,false\ntrue,false\n")]);
    let run = place.run(&["coverage", "f.dimacs", "rows.csv", "--strict"]).expect(1);
    assert!(
        run.err.starts_with("rows.csv:4:1: error: rows.csv#3 does not satisfy the formula"),
        "{}",
        run.err
    );
    assert_eq!(run.err.lines().count(), 1, "{}", run.err);
}

#[test]
fn rows_of_others_may_have_another_order_and_more() {
    let place = Place::with(&[
        ("f.smt2", SMALL),
        ("rows.csv", "note,x,p\r\n\"a\r\nb\",#x3,true\r\nc,(_ bv12 4),\"false\"\r\n"),
        ("lines.jsonl", "{\"x\":\"#x3\",\"p\":true,\"k\":\"?\"}\n\n{\"p\":\"false\",\"x\":\"#xc\"}"),
    ]);
    for (file, unknown) in
        [("rows.csv", "rows.csv:1:1: note: 'note' "), ("lines.jsonl", "lines.jsonl:1:1: note: 'k' ")]
    {
        let run = place.run(&["coverage", "f.smt2", file]).expect(0);
        assert!(run.out.ends_with("17 of 22 AST-bits covered (77.27 %)\n"), "{}", run.out);
        // What all rows leave out is told once.
        assert_eq!(
            run.err.matches("leaves out 1 symbol: 'unused', which counts as zero").count(),
            1,
            "{}",
            run.err
        );
        assert!(run.err.contains(unknown), "{}", run.err);
        place.run(&["coverage", "f.smt2", file, "--strict"]).expect(2);
    }
}

#[test]
fn rows_that_are_none_are_told_with_their_places() {
    let place = Place::with(&[("f.smt2", SMALL)]);
    let backup = example("backup.pict");
    for (formula, file, content, words) in [
        (
            "f.smt2",
            "a.csv",
            "p,x\ntrue,#x3\ntrue,#x3,1\n",
            "a.csv:3:1: error: this row has 3 cells, and the heading has 2",
        ),
        (
            "f.smt2",
            "a.csv",
            "p,x\ntrue,#x3\ntrue",
            "a.csv:3:1: error: this row has 1 cell, and the heading has 2",
        ),
        (
            "f.smt2",
            "a.csv",
            "p,x\n\n\"true\",#x33\n",
            "a.csv:3:8: error: the value of 'x' has sort (_ BitVec 8)\n",
        ),
        ("f.smt2", "a.csv", "p,x\ntrue,#x\n", "a.csv:2:6: error: the value of 'x': "),
        ("f.smt2", "a.csv", "p,x\ntrue,\n", "a.csv:2:6: error: the value of 'x': "),
        ("f.smt2", "a.csv", "p,x\nyes,#x3\n", "a.csv:2:1: error: the value of 'p': "),
        (
            "f.smt2",
            "a.csv",
            "p,x\n\"true,#x3\n",
            "a.csv:2:1: error: the quotation mark of a cell is never closed",
        ),
        ("f.smt2", "a.csv", "p,x,p\n", "a.csv:1:5: error: the table has two columns 'p'"),
        ("f.smt2", "a.csv", "", "error: a.csv: the file contains no model"),
        ("f.smt2", "a.csv", "p,x\n", "error: a.csv: the file contains no model"),
        ("f.smt2", "letter", "Dear reader\n", "letter:1:1: error: this is neither a model nor the heading"),
        (
            "f.smt2",
            "a.jsonl",
            "{\"p\":\"true\"}\n{\"p\":\"yes\"}\n",
            "a.jsonl:2:1: error: the value of 'p': ",
        ),
        ("f.smt2", "a.jsonl", "{\"p\":\"true\"}\n{\"p\":1}\n", "a.jsonl:2:"),
        ("f.smt2", "a.jsonl", "{\"p\":\"true\"}\n{\"p\":\"true\"", "a.jsonl:2:"),
        (
            "f.smt2",
            "a.jsonl",
            "{\"p\":\"true\",\"p\":\"false\"}\n",
            "a.jsonl:1:1: error: this object has 'p' twice",
        ),
        ("f.smt2", "a.jsonl", "[\"true\"]\n", "a.jsonl:1:1: error: "),
        (&backup, "a.csv", "Target,Keep\ntape,8\n", "a.csv:2:6: error: the value of 'Keep': there is no '8'"),
    ] {
        place.write(file, content);
        let run = place.run(&["coverage", formula, file]).expect(2);
        assert!(run.err.contains(words), "{content:?}\n{}", run.err);
        assert_eq!(run.out, "", "{content:?}");
    }
    place.write("wrong.csv", "p,x,unused\nfalse,#x3,#x00\ntrue,#x3,#x00\n");
    let run = place.run(&["coverage", "f.smt2", "wrong.csv"]).expect(1);
    assert!(
        run.err
            .starts_with("wrong.csv:2:1: error: wrong.csv#1 does not satisfy the formula: the assertion at "),
        "{}",
        run.err
    );
    assert!(run.out.contains("wrong.csv#1  invalid"), "{}", run.out);
}

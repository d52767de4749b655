//! Measuring models.

use crate::common::{Place, SMALL, UNSATISFIABLE};

const TWO: &str = "\
( (define-fun p () Bool true) (define-fun x () (_ BitVec 4) #x3) (define-fun unused () (_ BitVec 8) #x00) )
( (define-fun p () Bool false) (define-fun x () (_ BitVec 4) #xc) (define-fun unused () (_ BitVec 8) #x00) )
";

#[test]
fn gains_are_counted_model_by_model() {
    let folder = Place::with(&[("f.smt2", SMALL), ("m.txt", TWO)]);
    let run = folder.run(&["coverage", "f.smt2", "m.txt"]).expect(0);
    // Nodes: p, x, the constant, x = #x3, and the assertion: 1 + 4 + 4 + 1 + 1 bits with two values.
    assert!(run.out.contains("m.txt#1    11       11\n"), "{}", run.out);
    // The second model flips p, x and x = #x3.
    assert!(run.out.contains("m.txt#2     6       17\n"), "{}", run.out);
    assert!(run.out.ends_with("17 of 22 AST-bits covered (77.27 %)\n"), "{}", run.out);
    assert_eq!(run.err, "");
}

#[test]
fn deciding_makes_the_share_exact() {
    let folder = Place::with(&[("f.smt2", SMALL), ("m.txt", TWO)]);
    let run = folder.run(&["coverage", "f.smt2", "m.txt", "--decide"]).expect(0);
    let conclusion = "17 of the 17 AST-bits that can be covered (100 %); 5 of 22 are impossible; complete\n";
    assert!(run.out.ends_with(conclusion), "{}", run.out);
    let run = folder.run(&["coverage", "f.smt2", "m.txt", "--decide", "--json"]).expect(0);
    let record: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(record["total"], 22);
    assert_eq!(record["covered"], 17);
    assert_eq!(record["decided"]["valid"], 17);
    assert_eq!(record["decided"]["impossible"], 5);
    assert_eq!(record["decided"]["complete"], true);
    assert_eq!(record["models"][1]["gain"], 6);
    let half = TWO.lines().next().expect("a model").to_string();
    let run = folder.run_with_input(&["coverage", "f.smt2", "-", "--decide"], half).expect(0);
    assert!(run.out.contains("11 of the 17 AST-bits that can be covered (64.70 %)"), "{}", run.out);
}

#[test]
fn a_table_says_what_is_known_of_each_ast_bit() {
    let formula = "(declare-const x (_ BitVec 2))\n(assert (bvult x #b10))\n";
    let model = "((define-fun x () (_ BitVec 2) #b01))";
    let folder = Place::with(&[("f.smt2", formula), ("m.txt", model)]);
    let table = |more: &[&str]| {
        let arguments = [&["coverage", "f.smt2", "m.txt", "--ast-bits", "bits.csv"], more].concat();
        folder.run(&arguments).expect(0);
        folder.read("bits.csv")
    };
    let open = table(&[]);
    assert!(
        open.starts_with("line,column,term,bit,value,state\n2,16,x,0,0,uncovered\n2,16,x,0,1,covered\n"),
        "{open}"
    );
    assert_eq!((open.lines().count(), open.matches(",covered").count()), (11, 5));
    let decided = table(&["--decide"]);
    let rows = "2,16,x,0,0,possible\n2,16,x,0,1,covered\n2,16,x,1,0,covered\n2,16,x,1,1,impossible\n";
    assert!(decided.contains(rows), "{decided}");
    assert!(
        decided.ends_with("2,9,(bvult x #b10),0,0,impossible\n2,9,(bvult x #b10),0,1,covered\n"),
        "{decided}"
    );

    let run = folder.run(&["coverage", "f.smt2", "m.txt", "--ast-bits", "m.txt"]).expect(2);
    assert!(run.err.contains("the output m.txt is the input itself"), "{}", run.err);
    let wires = ["coverage", "f.smt2", "m.txt", "--ast-bits", "bits.csv", "--measure", "wire"];
    let run = folder.run(&wires).expect(2);
    assert!(run.err.contains("--measure wire counts points of wires"), "{}", run.err);
}

#[test]
fn models_that_satisfy_nothing_are_named() {
    let wrong = "(model (define-fun p () Bool true) (define-fun x () (_ BitVec 4) #x4)\n\
                 (define-fun unused () (_ BitVec 8) #x00))";
    let folder = Place::with(&[("f.smt2", SMALL), ("m.txt", TWO), ("w.txt", wrong)]);
    let run = folder.run(&["coverage", "f.smt2", "m.txt", "w.txt"]).expect(1);
    let message =
        "w.txt:1:1: error: w.txt#1 does not satisfy the formula: the assertion at f.smt2:5:1 is false";
    assert!(run.err.starts_with(message), "{}", run.err);
    assert!(run.out.contains("w.txt#1  invalid"), "{}", run.out);
    assert!(run.out.contains("17 of 22"), "{}", run.out);
    let run = folder.run(&["coverage", "f.smt2", "w.txt", "--json"]).expect(1);
    let record: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(record["models"][0]["satisfies"], false);
    assert_eq!(record["models"][0]["fault"], "the assertion at f.smt2:5:1 is false");
    assert_eq!(record["covered"], 0);
}

#[test]
fn symbols_left_out_are_zero_or_refused() {
    let short = "sat\n(\n  (define-fun extra () Bool true)\n)\n";
    let folder = Place::with(&[("f.smt2", SMALL), ("m.txt", short)]);
    let run = folder.run(&["coverage", "f.smt2", "m.txt"]).expect(0);
    let note = "m.txt:2:1: note: m.txt#1 leaves out 3 symbols: 'p', 'x', 'unused', which count as zero\n";
    assert!(run.err.starts_with(note), "{}", run.err);
    assert!(run.err.contains("m.txt:3:15: note: 'extra' is not declared by the formula"), "{}", run.err);
    let run = folder.run(&["coverage", "f.smt2", "m.txt", "--strict"]).expect(2);
    assert!(run.err.starts_with("m.txt:2:1: error: m.txt#1 leaves out 3 symbols"), "{}", run.err);
    assert_eq!(run.out, "");
}

#[test]
fn files_that_hold_no_models_are_refused() {
    let folder = Place::with(&[
        ("f.smt2", SMALL),
        ("empty.txt", ""),
        ("unsat.txt", "unsat\n"),
        ("sort.txt", "((define-fun x () (_ BitVec 5) #b00000))"),
        ("cut.txt", "((define-fun x () (_ BitVec 4) #x"),
    ]);
    for (file, words) in [
        ("empty.txt", "error: empty.txt: the file contains no model"),
        ("unsat.txt", "error: unsat.txt: the file contains no model"),
        ("sort.txt", "sort.txt:1:14: error: "),
        ("cut.txt", "cut.txt:1:"),
        ("missing.txt", "error: cannot read missing.txt"),
    ] {
        let run = folder.run(&["coverage", "f.smt2", file]).expect(2);
        assert!(run.err.starts_with(words), "{}", run.err);
        assert_eq!(run.out, "");
    }
    folder.run(&["coverage", "-", "-"]).expect(2);
}

#[test]
fn nothing_of_an_unsatisfiable_formula_can_be_covered() {
    let folder = Place::with(&[("f.smt2", UNSATISFIABLE), ("m.txt", "((define-fun p () Bool true))")]);
    let run = folder.run(&["coverage", "f.smt2", "m.txt", "--decide"]).expect(1);
    assert!(run.out.contains("0 of the 0 AST-bits that can be covered"), "{}", run.out);
    assert!(run.out.contains("4 of 4 are impossible"), "{}", run.out);
}

const PREDICATES: &str = "\
(define-fun below ((y (_ BitVec 4)) (z (_ BitVec 4))) Bool (bvult y z))
(define-fun eight () (_ BitVec 4) #x8)
(define-fun low () Bool (below x eight))
(define-fun holds () Bool p)
(define-fun never () Bool (and p (not (= x #x3))))
";

#[test]
fn classes_of_predicates_are_counted() {
    let wrong = "((define-fun p () Bool true) (define-fun x () (_ BitVec 4) #x4))";
    let files = [("f.smt2", SMALL), ("m.txt", TWO), ("w.txt", wrong), ("p.smt2", PREDICATES)];
    let folder = Place::with(&files);
    let run = folder.run(&["coverage", "f.smt2", "m.txt", "m.txt", "--predicates", "p.smt2"]).expect(0);
    assert!(run.out.contains("model    gain  covered  held   of all  both ways  classes\n"), "{}", run.out);
    assert!(run.out.contains("m.txt#1    11       11     2  66.66 %          0        1\n"), "{}", run.out);
    assert!(run.out.contains("m.txt#2     6       17     2  66.66 %          2        2\n"), "{}", run.out);
    let conclusion = "\n3 predicates in p.smt2: 2 (66.66 %) held, 3 (100 %) failed, 2 (66.66 %) did both\n\
        did not hold: 'never'\n\
        2 classes, entropy 1.00 bits\n\
        class  models    share\n\
        000         2  50.00 %\n\
        110         2  50.00 %\n";
    assert!(run.out.ends_with(conclusion), "{}", run.out);
    // A model that does not satisfy the formula is in no class, though all predicates would hold in it.
    let run =
        folder.run(&["coverage", "f.smt2", "w.txt", "m.txt", "--predicates", "p.smt2", "--json"]).expect(1);
    let record: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(record["models"][0]["predicates"], serde_json::Value::Null);
    assert_eq!(record["models"][1]["predicates"]["class"], "110");
    assert_eq!(record["predicates"]["entropy"], 1.0);
    assert_eq!(record["predicates"]["classes"][0]["class"], "000");
    assert_eq!(record["predicates"]["predicates"][2]["name"], "never");
    assert_eq!(record["predicates"]["predicates"][2]["fails"], 2);
    assert_eq!(record["predicates"]["predicates"][2]["can_hold"], serde_json::Value::Null);
}

#[test]
fn deciding_tells_which_predicates_can_hold() {
    let predicates =
        format!("{PREDICATES}(define-fun high () Bool (= x #xf)) (define-fun valid () Bool (or p (not p)))");
    let half = TWO.lines().next().expect("a model");
    let folder = Place::with(&[("f.smt2", SMALL), ("m.txt", half), ("p.smt2", &predicates)]);
    let run = folder.run(&["coverage", "f.smt2", "m.txt", "--predicates", "p.smt2", "--decide"]).expect(0);
    let words = "can hold and did not: 'high'\ncannot hold: 'never'\n\
        can fail and did not: 'low', 'holds'\ncannot fail: 'valid'\n1 class, entropy 0.00 bits\n";
    assert!(run.out.contains(words), "{}", run.out);
    let folder = Place::with(&[("f.smt2", UNSATISFIABLE), ("m.txt", "((define-fun p () Bool true))")]);
    folder.write("p.smt2", "(define-fun f () Bool p)");
    let run = folder.run(&["coverage", "f.smt2", "m.txt", "--predicates", "p.smt2", "--decide"]).expect(1);
    assert!(run.out.contains("cannot hold: 'f'\ncannot fail: 'f'\n0 classes"), "{}", run.out);
}

#[test]
fn predicates_that_cannot_be_read_are_refused() {
    let folder = Place::with(&[
        ("f.smt2", SMALL),
        ("m.txt", TWO),
        ("none.smt2", "(define-fun eight () (_ BitVec 4) #x8)"),
        ("unknown.smt2", "(define-fun low () Bool\n (bvult y #x8))"),
        ("declares.smt2", "(declare-const y (_ BitVec 4))"),
        ("sorts.smt2", "(define-fun low () Bool (bvult x #x08))"),
    ]);
    for (file, words) in [
        ("none.smt2", "error: none.smt2: there is no predicate in it\n  = help: a predicate is a Boolean"),
        ("unknown.smt2", "unknown.smt2:2:9: error: unknown symbol 'y'"),
        ("declares.smt2", "declares.smt2:1:2: error: 'declare-const' does not belong among definitions"),
        ("sorts.smt2", "sorts.smt2:1:"),
        ("missing.smt2", "error: cannot read missing.smt2"),
    ] {
        let run = folder.run(&["coverage", "f.smt2", "m.txt", "--predicates", file]).expect(2);
        assert!(run.err.starts_with(words), "{}", run.err);
        assert_eq!(run.out, "");
    }
    folder.run(&["coverage", "f.smt2", "-", "--predicates", "-"]).expect(2);
}

/// Six terms: n, two numerals, two comparisons, their disjunction. With the root, 3 * 64 + 4 points.
const WIRES: &str = "(declare-const n Int)\n(assert (or (< n 0) (> n 5)))\n";

#[test]
fn points_of_wires_are_counted_as_other_samplers_do() {
    let model = |number: &str| format!("((define-fun n () Int {number}))\n");
    let [six, seven, minus] = ["6", "7", "(- 1)"].map(model);
    let folder = Place::with(&[
        ("f.smt2", WIRES),
        ("a.txt", &(six + &seven)),
        ("b.txt", &minus),
        ("c.txt", &(minus.clone() + &seven)),
    ]);
    let run = folder.run(&["coverage", "f.smt2", "a.txt", "--measure", "wire"]).expect(0);
    // 6 and 7 differ in one bit.
    assert!(
        run.out.ends_with("a.txt#2     1        1\n1 of 196 points of wires covered (0.51 %)\n"),
        "{}",
        run.out
    );
    // -1 is below 0, so that (> n 5) is not seen: its value stays true.
    let arguments = ["coverage", "f.smt2", "a.txt", "b.txt", "c.txt", "--measure", "wire"];
    let run = folder.run(&arguments).expect(0);
    assert!(run.out.contains("b.txt#1    62       63\n"), "{}", run.out);
    let files = "\nfile   models  covered   of all  of union\na.txt       2        1   0.51 %    1.58 %\n";
    assert!(run.out.contains(files), "{}", run.out);
    assert!(run.out.contains("\nb.txt       1        0   0.00 %    0.00 %\n"), "{}", run.out);
    assert!(run.out.contains("\nc.txt       2       62  31.63 %   98.41 %\n"), "{}", run.out);
    assert!(
        run.out.ends_with("The union of what each file covers by itself has 63 points.\n"),
        "{}",
        run.out
    );
    let run = folder.run(&[&arguments[..], &["--json"]].concat()).expect(0);
    let record: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!((&record["measure"], &record["total"]), (&"wire".into(), &196.into()));
    assert_eq!(
        (&record["wires"]["union"], &record["wires"]["files"][2]["covered"]),
        (&63.into(), &62.into())
    );
    assert_eq!(record["wires"]["files"][0]["of_union"], 1.0 / 63.0);
}

#[test]
fn points_of_wires_are_not_decided() {
    let folder = Place::with(&[("f.smt2", WIRES), ("m.txt", "((define-fun n () Int 6))")]);
    for option in [&["--decide"][..], &["--integer-bits", "8"]] {
        let arguments = ["coverage", "f.smt2", "m.txt", "--measure", "wire"];
        let run = folder.run(&[&arguments[..], option].concat()).expect(2);
        assert!(run.err.contains("has no effect with --measure wire"), "{}", run.err);
    }
    let run = folder.run(&["coverage", "f.smt2", "m.txt", "--measure", "ast", "--json"]).expect(0);
    assert!(run.out.contains("\"measure\": \"ast\""), "{}", run.out);
}

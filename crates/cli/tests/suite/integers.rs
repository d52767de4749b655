//! Integers that are values of bit-vectors, for every job that solves, and integers of any size.

use serde_json::Value;

use crate::common::Place;

/// 12 bits in Boolean and bit-vector nodes, and 65 in each integer.
const SUMS: &str = "\
(set-logic ALL)
(define-fun low ((n Int)) Bool (<= n 20))
(declare-const x (_ BitVec 4))
(declare-const y (_ BitVec 4))
(declare-const high Bool)
(assert (= high (not (low (+ (ubv_to_int x) (bv2nat y))))))
(assert (= (mod (bv2nat x) 3) 1))
(check-sat)
";

#[test]
fn every_strategy_samples_them() {
    let folder = Place::with(&[("f.smt2", SUMS)]);
    for options in [
        &["--strategy", "cover"][..],
        &["--strategy", "pan"],
        &["--strength", "2"],
        &["--strategy", "all"],
        &["--strategy", "smtsampler", "-n", "20"],
        &["--strategy", "uniform", "-n", "20"],
    ] {
        let mut arguments = vec!["sample", "f.smt2", "-o", "models"];
        arguments.extend(options);
        folder.run(&arguments).expect(0);
        let run = folder.run(&["coverage", "f.smt2", "models", "--decide"]).expect(0);
        assert!(run.out.contains("444 of 936 are impossible"), "{options:?}: {}", run.out);
        if options[1] == "all" {
            assert_eq!(run.out.lines().filter(|line| line.starts_with("models#")).count(), 5 * 16);
        }
        if ["cover", "all"].contains(&options[1]) {
            assert!(run.out.contains("; complete"), "{options:?}: {}", run.out);
        }
    }
}

#[test]
fn scripts_ask_about_them() {
    let run = Place::new()
        .run_with_input(
            &["solve"],
            "(declare-const x (_ BitVec 8))\n(declare-const n Int)\n(assert (= (* 3 (ubv_to_int x)) 300))\n\
             (check-sat)\n(get-value (x (sbv_to_int x) (- (ubv_to_int x) 101)))\n\
             (assert (> (div 1000 (ubv_to_int x)) 9))\n(assert (< (abs (sbv_to_int x)) 100))\n(check-sat)\n",
        )
        .expect(0);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines[..4].join(""), "sat((x #x64) ((sbv_to_int x) 100) ((- (ubv_to_int x) 101) (- 1)))");
    assert_eq!(lines[4..], ["unsat"]);
}

#[test]
fn integers_of_any_size_are_sampled_and_measured() {
    let text = "(declare-const n Int)\n(declare-const r Real)\n(assert (= (mod n 4) 3))\n(assert (< 0.0 r (to_real n)))\n";
    let folder = Place::with(&[("f.smt2", text)]);
    for strategy in ["cover", "pan"] {
        let arguments = ["sample", "f.smt2", "--strategy", strategy, "-o", "models", "--timeout", "20"];
        let run = folder.run(&arguments);
        assert!([0, 3].contains(&run.code), "{}", run.err);
        let run = folder.run(&["coverage", "f.smt2", "models", "--decide", "--timeout", "20"]);
        assert!(run.out.contains("AST-bits"), "{}", run.out);
        assert!(!run.out.contains("not a solution"), "{}", run.out);
    }
}

/// Odd numbers from 1 to 99.
const ODD: &str = "(declare-const n Int)\n(assert (= (mod n 2) 1))\n(assert (< 0 n 100))\n";

#[test]
fn integers_have_as_many_bits_as_somebody_wants() {
    let folder = Place::with(&[("f.smt2", ODD)]);
    // Six nodes are integers: n, its remainder, and four numerals. Two are Boolean.
    for (bits, total) in [("0", 2 * (6 + 2)), ("5", 2 * (6 * 6 + 2)), ("100", 2 * (6 * 101 + 2))] {
        let arguments = ["sample", "f.smt2", "--integer-bits", bits, "-o", "models", "--record", "run.json"];
        folder.run(&[&arguments[..], &["--obligations", "claims"]].concat()).expect(0);
        let record: Value = serde_json::from_str(&folder.read("run.json")).expect("JSON");
        assert_eq!(record["options"]["integer-bits"], bits.parse::<u64>().expect("a number"));
        assert_eq!((&record["total"], &record["complete"]), (&Value::from(total), &Value::from(true)));
        let run = folder.run(&["coverage", "f.smt2", "models", "--integer-bits", bits, "--decide", "--json"]);
        let measured: Value = serde_json::from_str(&run.expect(0).out).expect("JSON");
        assert_eq!(measured["integer_bits"], bits.parse::<u64>().expect("a number"));
        assert_eq!((&measured["total"], &measured["covered"]), (&record["total"], &record["covered"]));
        assert_eq!(measured["decided"]["complete"], true);
        let claim = folder.run(&["solve", "claims/impossible.smt2"]).expect(0);
        assert_eq!(claim.out, "unsat\n");
    }
}

#[test]
fn a_batch_with_another_number_of_bits_is_another_batch() {
    let folder = Place::with(&[("in/f.smt2", ODD)]);
    let run = |bits: &str| {
        let arguments = ["sample", "in", "--integer-bits", bits, "-o", "models", "--record", "r.jsonl"];
        folder.run(&[&arguments[..], &["--resume", "-v"]].concat()).expect(0).err
    };
    assert!(!run("3").contains("taken from the record"));
    assert!(run("3").contains("taken from the record"));
    assert!(!run("4").contains("taken from the record"));
}

#[test]
fn numbers_of_bits_that_make_no_sense_are_refused() {
    let folder = Place::with(&[("f.smt2", ODD), ("m.txt", "((define-fun n () Int 3))")]);
    for bits in ["1025", "-1", "many"] {
        let number = format!("--integer-bits={bits}");
        for job in [&["sample", "f.smt2", &number][..], &["coverage", "f.smt2", "m.txt", &number]] {
            let run = folder.run(job).expect(2);
            assert!(run.err.contains("from 0, which leaves the sign alone, to 1024"), "{}", run.err);
        }
    }
    let run = folder.run(&["sample", "f.smt2", "--strategy", "all", "--integer-bits", "8"]).expect(2);
    assert!(run.err.contains("--integer-bits has no effect with this strategy"), "{}", run.err);
}

#[test]
fn operators_of_other_solvers_are_read() {
    let run = Place::new()
        .run_with_input(
            &["solve"],
            "(declare-const x (_ BitVec 4))\n(assert (implies true (iff (= (bvinc x) #x0) true)))\n(check-sat)\n\
             (get-value ((bvdec x) (bvredxor x) (ext_rotate_left #x9 x) (if true x #x0) ((_ nat2bv 4) 5)))\n",
        )
        .expect(0);
    let values = "sat(((bvdec x) #xe) ((bvredxor x) #b0) ((ext_rotate_left #x9 x) #xc) ((if true x #x0) #xf) \
                  (((_ nat2bv 4) 5) #x5))";
    assert_eq!(run.out.replace("\n ", " ").replace('\n', ""), values);
}

#[test]
fn integers_with_bounds_are_listed_and_combined() {
    let text = "(declare-const a Int)\n(declare-const b Int)\n(declare-const r Real)\n\
                (assert (<= 0 (+ a b) 5))\n(assert (<= (- 3) (- a b) 3))\n(assert (> r (to_real a)))\n";
    let folder =
        Place::with(&[("f.smt2", text), ("p.smt2", "(define-fun more () Bool (> r (to_real (* 2 a))))\n")]);
    let all = ["sample", "f.smt2", "--strategy", "all", "--format", "csv"];
    let run = folder.run(&all).expect(2);
    assert!(run.err.contains("the values of r cannot be listed"), "{}", run.err);
    assert!(run.err.contains("--project NAME,NAME"), "{}", run.err);
    let run = folder.run(&[&all[..], &["--project", "a,b"]].concat()).expect(0);
    assert_eq!(run.out.lines().count(), 1 + 21);
    assert!(run.err.contains("all 21 solutions"), "{}", run.err);
    // Seven values of each number, and three signs of the real.
    let run = folder
        .run(&["sample", "f.smt2", "--strength", "2", "--format", "csv", "--record", "r.json"])
        .expect(0);
    let record: Value = serde_json::from_str(&folder.read("r.json")).expect("JSON");
    assert_eq!((record["factors"].as_u64(), record["open"].as_u64()), (Some(3), Some(0)), "{}", run.err);
    let arguments =
        ["--strategy", "guided", "--predicates", "p.smt2", "-n", "500", "--format", "csv", "-o", "g.csv"];
    folder.run(&[&["sample", "f.smt2"], &arguments[..]].concat()).expect(0);
    let run = folder.run(&["coverage", "f.smt2", "g.csv", "--predicates", "p.smt2", "--json"]).expect(0);
    let measured: Value = serde_json::from_str(&run.out).expect("a record");
    assert_eq!(measured["models"].as_array().map(Vec::len), Some(500));
    let unbounded = Place::with(&[("f.smt2", "(declare-const n Int)\n(assert (< 3 n))\n")]);
    let run = unbounded.run(&all).expect(2);
    assert!(run.err.contains("the values of n cannot be listed: the solver proves no bounds"), "{}", run.err);
    assert!(run.err.contains("assert bounds"), "{}", run.err);
}

#[test]
fn sets_count_the_bits_that_were_asked_for() {
    let formulas = [
        ("2", "(declare-const p Int)(declare-const q Int)(declare-const r Int)(assert (< p (+ r (- q))))"),
        ("4", "(declare-const x Int)(declare-const y Int)(assert (> (+ x 1) y))"),
        ("8", "(declare-const p Int)(declare-const x Int)(assert (= (- p) x))"),
        ("0", "(declare-const p Int)(declare-const x Real)(assert (= (to_real (+ 1 p)) x))"),
    ];
    for (bits, formula) in formulas {
        let place = Place::with(&[("f.smt2", formula)]);
        let arguments = ["sample", "f.smt2", "-j", "1", "-t", "60", "--integer-bits", bits, "-o", "f.models"];
        let run = place.run(&arguments).expect(0);
        assert!(run.err.contains("complete"), "{formula}: {}", run.err);
        let run =
            place.run(&["coverage", "f.smt2", "f.models", "--integer-bits", bits, "--decide"]).expect(0);
        assert!(run.out.contains("(100 %)"), "{formula}: {}", run.out);
    }
}

#[test]
fn open_results_beside_declared_sorts_have_solutions() {
    let formula = "(declare-sort S 0)(declare-const a S)(declare-const b S)(declare-const x Int)
        (assert (distinct a b))(assert (= 3 (div x 0)))(assert (< 0 x 3))";
    let place = Place::with(&[("f.smt2", formula)]);
    for strategy in ["cover", "pan"] {
        let run = place.run(&["sample", "f.smt2", "-j", "1", "--strategy", strategy, "-t", "60"]);
        assert!(
            run.out.contains("define-fun x") && !run.err.contains("internal error"),
            "{strategy}: {}",
            run.err
        );
    }
}

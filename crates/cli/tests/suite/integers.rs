//! Integers that are values of bit-vectors, for every job that solves, and integers of any size.

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

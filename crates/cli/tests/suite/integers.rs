//! Integers that are values of bit-vectors, for every job that solves; and the message for all others.

use crate::common::Place;

/// 12 bits in Boolean and bit-vector nodes; integers have none.
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
        assert!(run.out.contains(" of 26 are impossible"), "{options:?}: {}", run.out);
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
        .expect(2);
    let lines: Vec<&str> = run.out.lines().collect();
    assert!(lines[0].contains("2:18: a symbol of sort 'Int' is not supported yet (integers); integers are"));
    assert_eq!(lines[1..5].join(""), "sat((x #x64) ((sbv_to_int x) 100) ((- (ubv_to_int x) 101) (- 1)))");
    assert!(lines[5].contains("the quotient (div 1000 (ubv_to_int x)) is not supported"), "{lines:?}");
    assert!(lines[5].contains("a divisor must be a number other than 0"), "{lines:?}");
    assert_eq!(lines[6..], ["unsat"]);
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

//! `sundry reduce`, with small shell scripts as what is to be kept.
#![cfg(unix)]

use crate::common::Place;

const SCRIPT: &str = "\
(set-logic QF_BV)
(set-info :source |somewhere|)
(declare-const x (_ BitVec 32))
(declare-const y (_ BitVec 32))
(declare-fun f ((_ BitVec 32)) (_ BitVec 32))
(define-fun twice ((z (_ BitVec 32))) (_ BitVec 32) (bvadd z z))
(assert (and (bvult x y) (= (twice x) (bvmul (f y) (bvudiv x #x00000010)))))
(push 1)
(assert (or (bvugt x #x00000fff) (not (= y (f x)))))
(check-sat)
(pop 1)
(check-sat)
";

fn check(place: &Place, body: &str) -> String {
    place.write("check.sh", body);
    format!("sh '{}'", place.path("check.sh").display())
}

#[test]
fn what_the_check_needs_is_kept() {
    let place = Place::with(&[("script.smt2", SCRIPT)]);
    let check = check(&place, "grep -q bvudiv \"$1\" && grep -q check-sat \"$1\"\n");
    let run = place.run(&["reduce", "script.smt2", "--check", &check]).expect(0);
    // One application of the operator, as narrow as can be.
    assert_eq!(run.out, "(assert (= #b0 (bvudiv #b0 #b0)))\n(check-sat)\n");
    assert!(run.err.contains(" bytes left, "), "{}", run.err);
}

#[test]
fn exit_codes_and_output_are_kept() {
    let place = Place::with(&[("script.smt2", SCRIPT)]);
    let body = "grep -c 'check-sat' \"$1\"; grep -q push \"$1\" && exit 7; exit 0\n";
    let check = check(&place, body);
    let run = place.run(&["reduce", "script.smt2", "--check", &check, "-o", "small.smt2"]).expect(0);
    assert_eq!(run.out, "");
    assert_eq!(place.read("small.smt2"), "(push 1)\n(check-sat)\n(check-sat)\n");
}

#[test]
fn texts_to_match_count_alone() {
    let place = Place::with(&[("script.smt2", SCRIPT)]);
    let body = "wc -c < \"$1\"; grep -q bvmul \"$1\" && echo 'Fatal failure' >&2; exit 1\n";
    let check = check(&place, body);
    let arguments = ["reduce", "script.smt2", "--check", &check, "--match", "Fatal failure"];
    let run = place.run(&arguments).expect(0);
    assert!(run.out.contains("bvmul") && !run.out.contains("bvudiv"), "{}", run.out);
    let none = place.run(&["reduce", "script.smt2", "--check", &check, "--match", "other"]).expect(2);
    assert!(none.err.contains("--match"), "{}", none.err);
}

#[test]
fn limits_keep_the_smallest_so_far() {
    let place = Place::with(&[("script.smt2", SCRIPT)]);
    let check = check(&place, "sleep 0.2; grep -q bvudiv \"$1\"\n");
    let arguments = ["reduce", "script.smt2", "--check", &check, "--timeout", "1", "-o", "small.smt2"];
    let run = place.run(&arguments).expect(3);
    assert!(run.err.contains("stopped before it was finished"), "{}", run.err);
    assert!(place.read("small.smt2").contains("bvudiv"));
}

#[test]
fn bad_input_is_told() {
    let place = Place::with(&[("script.smt2", SCRIPT), ("broken.smt2", "(assert (")]);
    let broken = place.run(&["reduce", "broken.smt2", "--check", "true"]).expect(2);
    assert!(broken.err.contains("broken.smt2:1:"), "{}", broken.err);
    let missing = place.run(&["reduce", "script.smt2", "--check", "no-such-command"]).expect(2);
    assert!(missing.err.contains("'no-such-command' cannot be run"), "{}", missing.err);
    let quotes = place.run(&["reduce", "script.smt2", "--check", "sh 'a"]).expect(2);
    assert!(quotes.err.contains("--check: the command sh 'a has quotes"), "{}", quotes.err);
}

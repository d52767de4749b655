//! Floating-point values in the jobs that list, combine and guide.

use crate::common::Place;

const SMALL: &str = "(declare-const x (_ FloatingPoint 3 4))\n(declare-const y (_ FloatingPoint 3 4))\n\
                     (assert (fp.lt x y))\n(assert (= (fp.add RNE x y) (fp #b0 #b100 #b010)))\n";

const LARGE: &str = "(declare-const x Float32)\n(declare-const y Float32)\n(declare-const m RoundingMode)\n\
                     (assert (fp.lt x y))\n(assert (fp.eq (fp.add m x y) ((_ to_fp 8 24) RNE 3.0)))\n";

#[test]
fn floats_are_listed_combined_and_guided() {
    let predicates =
        "(define-fun near () Bool (fp.lt (fp.sub RNE y x) (fp #b0 #x80 #b00000000000000000000000)))\n";
    let place = Place::with(&[("s.smt2", SMALL), ("l.smt2", LARGE), ("p.smt2", predicates)]);
    for strategy in ["all", "smtsampler"] {
        let run = place.run(&["sample", "s.smt2", "--strategy", strategy, "--format", "csv"]).expect(0);
        assert_eq!(run.out.lines().count(), 1 + 91, "{strategy}: {}", run.err);
    }
    place.run(&["sample", "l.smt2", "--strategy", "smtsampler", "-n", "200", "-o", "many.txt"]).expect(0);
    place.run(&["coverage", "l.smt2", "many.txt"]).expect(0);
    let resumed = ["sample", "l.smt2", "--strategy", "smtsampler", "-n", "300", "-o", "many.txt", "--resume"];
    place.run(&resumed).expect(0);
    let guided =
        ["--strategy", "guided", "--predicates", "p.smt2", "-n", "50", "--format", "csv", "-o", "g.csv"];
    place.run(&[&["sample", "l.smt2"], &guided[..]].concat()).expect(0);
    let run = place.run(&["coverage", "l.smt2", "g.csv", "--predicates", "p.smt2"]).expect(0);
    assert!(run.out.contains("2 classes"), "{}", run.out);
    let run = place
        .run(&["sample", "l.smt2", "--strength", "2", "--format", "csv", "--record", "r.json"])
        .expect(0);
    let record: serde_json::Value = serde_json::from_str(&place.read("r.json")).expect("JSON");
    assert_eq!((record["factors"].as_u64(), record["open"].as_u64()), (Some(3), Some(0)), "{}", run.err);
    // Draws are of rows that lanes evaluate.
    let run = place.run(&["sample", "l.smt2", "--strategy", "uniform", "-n", "5"]).expect(2);
    assert!(run.err.contains("smtsampler, guided and t-wise"), "{}", run.err);
}

/// Circuits have no solution of this formula for long, where the search by optimisation has one at once.
#[test]
fn a_sample_begins_with_what_the_search_finds() {
    let text = "(declare-const x Float64) (declare-const y Float64) (declare-const z Float64)
        (define-fun n ((v Real)) Float64 ((_ to_fp 11 53) RNE v))
        (define-fun circle ((s Float64) (t Float64)) Float64 (fp.add RNE (fp.mul RNE s s) (fp.mul RNE t t)))
        (assert (fp.lt (n 999.5) (circle x y) (n 1000.5)))
        (assert (fp.lt (n 899.5) (circle y z) (n 900.5)))
        (assert (fp.lt (n 16.9) (fp.div RNE (circle x z) (fp.mul RNE y z)) (n 17.1)))\n";
    let place = Place::with(&[("f.smt2", text)]);
    for strategy in
        [&["--strategy", "cover", "--timeout", "15"][..], &["--strategy", "smtsampler", "-n", "1"]]
    {
        let run = place.run(&[&["sample", "f.smt2", "--format", "csv"], strategy].concat());
        assert!(run.out.lines().count() >= 2, "{strategy:?}: {}", run.err);
    }
}

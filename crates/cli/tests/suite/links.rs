//! Symbolic links among the inputs.

use std::os::unix::fs::symlink;

use crate::common::{Place, SMALL};

#[test]
fn a_formula_has_one_name_in_table_record_and_folder() {
    let place = Place::with(&[("set/z.smt2", SMALL), ("elsewhere/deep/real.smt2", SMALL)]);
    for (target, link) in [
        ("z.smt2", "set/a.smt2"),
        ("../elsewhere/deep/real.smt2", "set/link.smt2"),
        ("../elsewhere/deep/real.smt2", "set/other.smt2"),
        (".", "set/loop"),
        ("../set", "set/up"),
    ] {
        symlink(target, place.path(link)).expect("link");
    }
    let run = place.run(&["sample", "set", "-o", "out", "--record", "runs"]).expect(0);
    let rows: Vec<&str> = run.out.lines().skip(1).filter_map(|row| row.split(' ').next()).collect();
    assert_eq!(rows[..2], ["set/link.smt2", "set/z.smt2"], "{}", run.out);
    assert!(run.out.contains("\n2 formulas: 2 complete"), "{}", run.out);
    assert_eq!(place.names("out"), ["link.models.smt2", "z.models.smt2"]);
    assert!(place.read("runs").contains("\"formula\":\"set/link.smt2\""));
    // A folder that is named by a link has its own place.
    let run = place.run(&["sample", "set/up/z.smt2", "set/link.smt2", "-o", "again"]).expect(0);
    assert_eq!(place.names("again"), ["link.models.smt2", "z.models.smt2"], "{}", run.out);
}

#[test]
fn links_that_lead_nowhere_are_told() {
    let place = Place::with(&[("set/z.smt2", SMALL)]);
    symlink("round.smt2", place.path("set/round.smt2")).expect("link");
    symlink("missing.smt2", place.path("set/gone.smt2")).expect("link");
    let run = place.run(&["sample", "set", "-o", "out"]).expect(2);
    assert!(run.err.contains("error: cannot read set/gone.smt2: No such file"), "{}", run.err);
    assert!(run.err.contains("error: cannot read set/round.smt2: "), "{}", run.err);
    assert!(run.out.contains("3 formulas: 1 complete") && run.out.contains("2 failed"), "{}", run.out);
    assert_eq!(place.names("out"), ["z.models.smt2"]);
}

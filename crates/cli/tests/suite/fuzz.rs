//! `sundry fuzz`, with a solver that is wrong on purpose.
#![cfg(unix)]

use std::fs;
use std::path::Path;

use crate::common::{Place, Run};

const SEED: &str = "\
(set-logic QF_BV)
(declare-const x (_ BitVec 4))
(declare-const y (_ BitVec 4))
(assert (bvult x y))
(assert (or (= (bvadd x y) #x9) (bvsle y #x2)))
(check-sat)
";

const UNSATISFIABLE: &str = "\
(declare-const x (_ BitVec 4))
(declare-const y (_ BitVec 4))
(assert (bvult x y))
(assert (bvule y x))
(check-sat)
";

/// A solver that answers right, except for formulas with signed comparisons: those have no model, it says.
fn faulty(place: &Place) -> String {
    let solver = env!("CARGO_BIN_EXE_sundry");
    let text =
        format!("if grep -q 'bvsl\\|bvsg' \"$1\"; then echo unsat; else exec '{solver}' solve \"$1\"; fi\n");
    place.write("faulty.sh", text);
    format!("sh '{}'", place.path("faulty.sh").display())
}

fn right() -> String {
    format!("'{}' solve", env!("CARGO_BIN_EXE_sundry"))
}

fn fuzz(place: &Place, more: &[&str]) -> Run {
    let mut arguments = vec!["fuzz", "seeds", "--mutants", "40"];
    arguments.extend(more);
    place.run(&arguments)
}

/// The whole content of a folder, by names.
fn content(folder: &Path) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut stack = vec![folder.to_path_buf()];
    while let Some(path) = stack.pop() {
        if path.is_dir() {
            stack.extend(fs::read_dir(path).expect("a folder").map(|entry| entry.expect("an entry").path()));
        } else if path.file_name().is_some_and(|name| name != "journal.jsonl") {
            files.push((path.display().to_string(), fs::read_to_string(&path).expect("text")));
        }
    }
    files.sort();
    files
}

#[test]
fn a_right_solver_has_no_defects() {
    let place = Place::with(&[("seeds/sat.smt2", SEED), ("seeds/unsat.smt2", UNSATISFIABLE)]);
    let run = fuzz(&place, &["--solver", &right()]).expect(0);
    assert!(run.err.contains("2 seeds, ") && run.err.contains("no defect found"), "{}", run.err);
    assert_eq!(place.names("findings"), ["journal.jsonl"]);
}

#[test]
fn a_wrong_solver_is_found_out() {
    let place = Place::with(&[("seeds/sat.smt2", SEED), ("seeds/unsat.smt2", UNSATISFIABLE)]);
    let solver = faulty(&place);
    // The seed itself shows it.
    let run = fuzz(&place, &["--solver", &solver, "--reference", &right()]).expect(1);
    assert!(run.err.contains("unsat instead of sat: findings/001"), "{}", run.err);
    let report = place.read("findings/001/report.md");
    assert!(report.contains("| unsat |") && report.contains("| sat |"), "{report}");
    let reduced = place.read("findings/001/reduced.smt2");
    assert!(reduced.contains("bvs") && reduced.len() < 160, "{reduced}");
    assert!(place.read("findings/index.json").contains("\"confirmed\": true"));
}

#[test]
fn mutants_find_what_seeds_do_not_show() {
    let seed = SEED.replace("bvsle", "bvule");
    let place = Place::with(&[("seeds/sat.smt2", &seed)]);
    let solver = faulty(&place);
    // The solver's own model of the seed is a model of all mutants: no other solver is needed.
    let run = fuzz(&place, &["--solver", &solver]).expect(1);
    assert!(run.err.contains(": unsat instead of sat: findings/001"), "{}", run.err);
    let index = place.read("findings/index.json");
    assert!(index.contains("\"in_seed\": false"), "{index}");
    let number: usize = index
        .lines()
        .find_map(|line| line.trim().strip_prefix("\"mutant\": ")?.strip_suffix(',')?.parse().ok())
        .expect("the number of the mutant");
    let replayed = fuzz(&place, &["--solver", &solver, "--replay", &number.to_string()]).expect(0);
    assert_eq!(replayed.out, place.read("findings/001/formula.smt2"));
}

#[test]
fn the_seeds_alone_are_judged_on_request() {
    let place = Place::with(&[("seeds/sat.smt2", SEED), ("seeds/none.smt2", "(assert")]);
    let solver = faulty(&place);
    let run = place.run(&["fuzz", "seeds", "--no-mutation", "--solver", &solver, "--reference", &right()]);
    let run = run.expect(1);
    assert!(
        run.err.contains("0 mutants") && run.err.contains("1 seed that cannot be read left out"),
        "{}",
        run.err
    );
}

#[test]
fn a_campaign_that_was_cut_off_goes_on() {
    let seed = SEED.replace("bvsle", "bvule");
    let whole = Place::with(&[("seeds/sat.smt2", &seed)]);
    let solver = faulty(&whole);
    fuzz(&whole, &["--solver", &solver]).expect(1);
    let expected = content(&whole.path("findings"));
    // A kill in the middle leaves the journal of a few turns, and the findings of these.
    let parts = Place::with(&[("seeds/sat.smt2", &seed)]);
    parts.run(&["fuzz", "seeds", "--mutants", "20", "--solver", &solver]);
    let run = fuzz(&parts, &["--solver", &solver]).expect(1);
    assert!(run.err.contains("goes on where it stopped"), "{}", run.err);
    let found = content(&parts.path("findings"));
    assert_eq!(found.len(), expected.len());
    for ((name, text), (expected_name, expected_text)) in found.iter().zip(&expected) {
        if name.ends_with("reduced.smt2") {
            assert_eq!(text, expected_text, "{name}, {expected_name}");
        }
    }
    let other = fuzz(&parts, &["--solver", &solver, "--seed", "7"]).expect(2);
    assert!(other.err.contains("other options"), "{}", other.err);
}

#[test]
fn solvers_that_do_not_work_are_told() {
    let place = Place::with(&[("seeds/sat.smt2", SEED), ("garbage.sh", "echo hello\n")]);
    let missing = fuzz(&place, &["--solver", "no-such-solver"]).expect(2);
    assert!(missing.err.contains("'no-such-solver' cannot be used"), "{}", missing.err);
    let garbage = format!("sh '{}'", place.path("garbage.sh").display());
    let run = fuzz(&place, &["--solver", &garbage]).expect(2);
    assert!(run.err.contains("hello"), "{}", run.err);
    let run = fuzz(&place, &["--solver", "z3 'a"]).expect(2);
    assert!(run.err.contains("quotes"), "{}", run.err);
}

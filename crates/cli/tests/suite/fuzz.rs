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

/// The defects in the index.
fn bugs(place: &Place) -> Vec<serde_json::Value> {
    let index: serde_json::Value = serde_json::from_str(&place.read("findings/index.json")).expect("JSON");
    index["bugs"].as_array().expect("a list").clone()
}

/// Formulas and reports of all defects, and the index.
fn content(place: &Place) -> Vec<(String, String)> {
    let mut files = vec![("index".to_string(), place.read("findings/index.json"))];
    for bug in bugs(place) {
        let folder = bug["folder"].as_str().expect("a name");
        for name in ["formula.smt2", "reduced.smt2"] {
            let name = format!("findings/{folder}/{name}");
            files.push((name.clone(), place.read(&name)));
        }
    }
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
    let bug = &bugs(&place)[0];
    let folder = bug["folder"].as_str().expect("a name");
    assert!(folder.starts_with("sh-wrong-unsat-"), "{folder}");
    assert!(run.err.contains(&format!("unsat instead of sat: findings/{folder}")), "{}", run.err);
    let report = place.read(&format!("findings/{folder}/report.md"));
    assert!(report.contains("| unsat |") && report.contains("| sat |"), "{report}");
    let reduced = place.read(&format!("findings/{folder}/reduced.smt2"));
    assert!(reduced.contains("bvs") && reduced.len() < 160, "{reduced}");
    assert!(place.read("findings/index.html").contains(&format!("{folder}/report.md")));
    assert_eq!((&bug["confirmed"], &bug["bytes"]), (&true.into(), &reduced.len().into()));
}

#[test]
fn mutants_find_what_seeds_do_not_show() {
    let seed = SEED.replace("bvsle", "bvule");
    let place = Place::with(&[("seeds/sat.smt2", &seed)]);
    let solver = faulty(&place);
    // The solver's own model of the seed is a model of all mutants: no other solver is needed.
    let run = fuzz(&place, &["--solver", &solver]).expect(1);
    assert!(run.err.contains(": unsat instead of sat: findings/sh-wrong-unsat-"), "{}", run.err);
    for bug in bugs(&place) {
        assert_eq!(bug["in_seed"], false);
        let number = bug["mutant"].to_string();
        let replayed = fuzz(&place, &["--solver", &solver, "--replay", &number]).expect(0);
        let folder = bug["folder"].as_str().expect("a name");
        assert_eq!(replayed.out, place.read(&format!("findings/{folder}/formula.smt2")));
    }
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
    let place = Place::with(&[("seeds/one.smt2", &seed), ("seeds/two.smt2", &seed.replace("#x9", "#x3"))]);
    let solver = faulty(&place);
    fuzz(&place, &["--solver", &solver, "-j", "1"]).expect(1);
    let expected = content(&place);
    fs::remove_dir_all(place.path("findings")).expect("removed");
    // With fewer mutants, all is left as if a kill had come between two turns.
    let part = ["fuzz", "seeds", "--mutants", "20", "--solver", &solver];
    place.run(&part);
    let run = fuzz(&place, &["--solver", &solver]).expect(1);
    assert!(run.err.contains("goes on where it stopped"), "{}", run.err);
    assert_eq!(content(&place), expected);
    let other = fuzz(&place, &["--solver", &solver, "--seed", "7"]).expect(2);
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

/// Seeds of the theories that Sundry solves, and z3 as a reference; without them there is nothing to do.
#[test]
fn our_own_solver_has_no_defects() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let z3 = root.join(".venv/bin/z3");
    let logics = ["QF_BV", "QF_ABV"].map(|logic| root.join("../shared/seeds").join(logic));
    if !z3.exists() || !logics.iter().all(|logic| logic.exists()) {
        return;
    }
    let place = Place::new();
    let (solver, reference) = (right(), z3.display().to_string());
    let mut arguments = vec!["fuzz", "--solver", &solver, "--reference", &reference, "--mutants", "6"];
    let logics = logics.map(|logic| logic.display().to_string());
    arguments.extend(logics.iter().map(String::as_str));
    let run = place.run(&arguments).expect(0);
    assert!(run.err.contains("no defect found"), "{}", run.err);
}

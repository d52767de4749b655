//! The forms of questions in which `sundry fuzz` puts mutants to solvers.
#![cfg(unix)]

use crate::common::{Place, right};
use crate::fuzz::{SEED, UNSATISFIABLE, bugs, fuzz};

/// Tests a solver that says `words` to every script with `mark` in it, on one seed, and gives what was found.
fn found_with(form: &str, seed: &str, mark: &str, words: &str) -> Vec<serde_json::Value> {
    let place = Place::with(&[("seeds/seed.smt2", seed)]);
    let text =
        format!("if grep -q '{mark}' \"$1\"; then printf '{words}'; else exec {} \"$1\"; fi\n", right());
    place.write("faulty.sh", text);
    let solver = place.script("faulty.sh");
    let run = fuzz(&place, &["--solver", &solver, "--form", form, "--mutants", "8"]).expect(1);
    let bugs = bugs(&place);
    for bug in &bugs {
        let folder = bug["folder"].as_str().expect("a name");
        let reduced = place.read(&format!("findings/{folder}/reduced.smt2"));
        assert!(reduced.contains(mark), "{reduced}{}", run.err);
    }
    bugs
}

#[test]
fn all_ways_to_ask_are_judged() {
    let satisfiable = SEED.replace("bvsle", "bvule");
    let kinds = |bugs: Vec<serde_json::Value>| -> Vec<String> {
        bugs.iter().map(|bug| format!("{}: {}", bug["kind"], bug["witness"])).collect()
    };
    let incremental =
        kinds(found_with("incremental", &satisfiable, "(push", "unsat\\nunsat\\nunsat\\nunsat\\n"));
    assert!(!incremental.is_empty());
    assert!(incremental.iter().all(|it| it.starts_with("\"wrong-answer\": \"the formula has a model")));
    let assumed = kinds(found_with("assumptions", &satisfiable, "check-sat-assuming", "unsat\\n()\\n"));
    assert!(!assumed.is_empty());
    assert!(assumed.iter().all(|it| it.starts_with("\"wrong-answer\": \"the formula has a model")));
    let cores = kinds(found_with("core", UNSATISFIABLE, "get-unsat-core", "unsat\\n(part0)\\n"));
    assert!(!cores.is_empty());
    assert!(cores.iter().all(|it| it.starts_with("\"wrong-core\": \"the formula has a model")), "{cores:?}");
    let strays = kinds(found_with("core", UNSATISFIABLE, "get-unsat-core", "unsat\\n(part0 other)\\n"));
    assert!(!strays.is_empty());
    // Whichever it names is left out while the script gets smaller.
    assert!(strays.iter().all(|it| it.starts_with("\"wrong-core\": \"the core has ")), "{strays:?}");
}

#[test]
fn soft_assertions_stay_in_mutants() {
    let seed = SEED
        .replace("bvsle", "bvule")
        .replace("(check-sat)", "(assert-soft (= x #x1) :weight 2)\n(check-sat)");
    let place = Place::with(&[("seeds/soft.smt2", &seed)]);
    let text = format!(
        "if grep -q 'assert-soft' \"$1\" && grep -q 'bvsl\\|bvsg' \"$1\"; then echo unsat\n\
         else grep -v 'assert-soft' \"$1\" > hard.smt2; exec {} hard.smt2; fi\n",
        right()
    );
    place.write("faulty.sh", text);
    let solver = place.script("faulty.sh");
    fuzz(&place, &["--solver", &solver]).expect(1);
    let bugs = bugs(&place);
    assert!(!bugs.is_empty());
    for bug in bugs {
        assert_eq!(bug["defect"], "unsat instead of sat");
        let reduced =
            place.read(&format!("findings/{}/reduced.smt2", bug["folder"].as_str().expect("a name")));
        assert!(reduced.contains("(assert-soft (= x #x1) :weight 2)"), "{reduced}");
    }
}

#[test]
fn several_cores_of_one_question_are_judged_apart() {
    let seed = "(set-option :produce-unsat-cores true)(set-option :produce-unsat-assumptions true)(set-logic QF_UF)\n\
        (declare-const p Bool)(assert p)(check-sat-assuming ((not p)))(get-unsat-core)(get-unsat-assumptions)\n";
    // No assertion has a name, so the core is empty; without the assumption, the formula is satisfiable.
    for (assumptions, status) in [("((not p))", 0), ("()", 1)] {
        let place = Place::with(&[("seeds/seed.smt2", seed)]);
        let script = format!(
            "if grep -q get-unsat-assumptions \"$1\"; then printf 'unsat\\n()\\n{assumptions}\\n'; else exec {} \"$1\"; fi\n",
            right()
        );
        place.write("solver.sh", script);
        let run = fuzz(&place, &["--solver", &place.script("solver.sh"), "--no-mutation"]).expect(status);
        assert_eq!(run.err.contains("wrong core"), status == 1, "{}", run.err);
    }
}

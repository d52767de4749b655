//! `sundry fuzz` with our own solver in the process: as a reference and under test.
#![cfg(unix)]

use crate::common::Place;

const SEED: &str = "(declare-const x (_ BitVec 4)) (declare-const y (_ BitVec 4))
    (assert (bvult x y)) (assert (bvsle y #x2)) (check-sat)";

#[test]
fn it_is_a_witness_against_others() {
    let place =
        Place::with(&[("seed.smt2", SEED), ("wrong.sh", "grep -q bvsle \"$1\" && echo unsat || echo sat\n")]);
    let arguments =
        ["fuzz", "seed.smt2", "--solver", "sh wrong.sh", "--reference", "built-in", "--no-mutation"];
    let solver = place.script("wrong.sh");
    let arguments = arguments.map(|argument| if argument == "sh wrong.sh" { &solver } else { argument });
    let run = place.run(&arguments).expect(1);
    assert!(run.err.contains("unsat instead of sat"), "{}", run.err);
    let index: serde_json::Value = serde_json::from_str(&place.read("findings/index.json")).expect("JSON");
    let folder = index["bugs"][0]["folder"].as_str().expect("a name");
    let report = place.read(&format!("findings/{folder}/report.md"));
    assert!(report.contains("built-in"), "{report}");
}

#[test]
fn it_is_tested_as_others_are() {
    let place = Place::with(&[("seed.smt2", SEED)]);
    let arguments = ["fuzz", "seed.smt2", "--solver", "built-in", "--mutants", "60"];
    let run = place.run(&arguments).expect(0);
    assert!(run.err.contains("60 mutants") && run.err.contains("no defect found"), "{}", run.err);
    let summary: serde_json::Value =
        serde_json::from_str(&place.read("findings/summary.json")).expect("JSON");
    assert_eq!(summary["mutants"], 60, "{summary}");
    // Its name is all of its command.
    let run = place.run(&["fuzz", "seed.smt2", "--solver", "built-in --fast"]);
    assert_eq!(run.code, 2, "{}", run.err);
}

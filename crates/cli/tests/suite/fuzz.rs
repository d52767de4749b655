//! `sundry fuzz`, with a solver that is wrong on purpose.
#![cfg(unix)]

use std::fs;
use std::path::Path;

use sundry_external::{Respondent, Transcript};

use crate::common::{Place, Run, right};

pub const SEED: &str = "\
(set-logic QF_BV)
(declare-const x (_ BitVec 4))
(declare-const y (_ BitVec 4))
(assert (bvult x y))
(assert (or (= (bvadd x y) #x9) (bvsle y #x2)))
(check-sat)
";

pub const UNSATISFIABLE: &str = "\
(declare-const x (_ BitVec 4))
(declare-const y (_ BitVec 4))
(assert (bvult x y))
(assert (bvule y x))
(check-sat)
";

/// A solver that answers right, except for formulas with signed comparisons: those have no model, it says.
pub fn faulty(place: &Place) -> String {
    let solver = env!("CARGO_BIN_EXE_sundry");
    let text =
        format!("if grep -q 'bvsl\\|bvsg' \"$1\"; then echo unsat; else exec '{solver}' solve \"$1\"; fi\n");
    place.write("faulty.sh", text);
    place.script("faulty.sh")
}

pub fn fuzz(place: &Place, more: &[&str]) -> Run {
    let mut arguments = vec!["fuzz", "seeds"];
    if !more.contains(&"--mutants") && !more.contains(&"--no-mutation") {
        arguments.extend(["--mutants", "40"]);
    }
    arguments.extend(more);
    place.run(&arguments)
}

/// The defects in the index.
pub fn bugs(place: &Place) -> Vec<serde_json::Value> {
    let index: serde_json::Value = serde_json::from_str(&place.read("findings/index.json")).expect("JSON");
    index["bugs"].as_array().expect("a list").clone()
}

/// Formulas and reports of all defects, and the index.
pub fn content(place: &Place) -> Vec<(String, String)> {
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
fn a_transcript_has_all_questions_with_their_replies() {
    let place = Place::with(&[("seeds/sat.smt2", SEED)]);
    let solver = faulty(&place);
    let run = fuzz(&place, &["--solver", &solver, "--mutants", "5", "--transcript", "replies.jsonl"]);
    assert!(run.code < 2, "{}", run.err);
    let transcript = Transcript::read(place.read("replies.jsonl").as_bytes()).expect("it can be read");
    let names: Vec<String> = transcript.respondents().map(|replay| replay.name().to_string()).collect();
    assert_eq!(names, [solver]);
}

#[test]
fn a_right_solver_has_no_defects() {
    let place = Place::with(&[("seeds/sat.smt2", SEED), ("seeds/unsat.smt2", UNSATISFIABLE)]);
    let run = fuzz(&place, &["--solver", &right()]).expect(0);
    assert!(run.err.contains("2 seeds, ") && run.err.contains("no defect found"), "{}", run.err);
    assert_eq!(place.names("findings"), ["index.html", "index.json", "journal.jsonl", "summary.json"]);
    assert_eq!(bugs(&place).len(), 0);
    let summary: serde_json::Value =
        serde_json::from_str(&place.read("findings/summary.json")).expect("JSON");
    assert_eq!((&summary["seeds"], &summary["mutants"]), (&2.into(), &80.into()));
    assert_eq!((&summary["confirmed"]["wrong answer"], &summary["stopped_by"]), (&0.into(), &().into()));
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
    assert!(report.contains("- Expected: `sat`; ") && report.contains("- Actual: `unsat`.\n"), "{report}");
    // The command that makes a mutant again has its paths, and nothing else has any.
    let (before, _) = report.split_once("## Origin").expect("a section");
    assert!(!before.contains(&place.path("").display().to_string()), "{report}");
    let reduced = place.read(&format!("findings/{folder}/reduced.smt2"));
    assert!(reduced.contains("bvs") && reduced.len() < 160, "{reduced}");
    assert!(place.read("findings/index.html").contains(&format!("{folder}/report.md")));
    assert_eq!((&bug["confirmed"], &bug["bytes"]), (&true.into(), &reduced.len().into()));
}

#[test]
fn a_model_is_evidence() {
    let place = Place::with(&[("seeds/sat.smt2", SEED)]);
    let text =
        format!("if grep -q 'bvsle [a-z]' \"$1\"; then echo unsat; else exec {} \"$1\"; fi\n", right());
    place.write("faulty.sh", text);
    let solver = place.script("faulty.sh");
    fuzz(&place, &["--solver", &solver, "--reference", &right(), "--no-mutation"]).expect(1);
    let folder = bugs(&place)[0]["folder"].as_str().expect("a name").to_string();
    let report = place.read(&format!("findings/{folder}/report.md"));
    let script = place.read(&format!("findings/{folder}/with-model.smt2"));
    assert!(script.contains("(define-fun") && !script.contains("(declare-"), "{script}");
    // The text of the operator is still there, so the solver does not contradict itself.
    assert!(
        report.contains("`sundry solve` prints it") && report.contains("answers `unsat` to it."),
        "{report}"
    );
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
        let report = place.read(&format!("findings/{folder}/report.md"));
        assert!(report.contains(&format!("--replay seeds/sat.smt2:{number}\n")), "{report}");
    }
}

#[test]
fn releases_tell_which_of_them_show_a_defect() {
    let place = Place::with(&[("seeds/sat.smt2", SEED)]);
    let old = faulty(&place);
    let script = |name: &str, text: &str| {
        place.write(name, text);
        place.script(name)
    };
    let newer = script("newer.sh", &format!("exec {old} \"$1\"\n"));
    let text = format!("if grep -q bvs \"$1\"; then echo unknown; else exec {} \"$1\"; fi\n", right());
    let undecided = script("undecided.sh", &text);
    let newest = script("newest.sh", &format!("exec {} \"$1\"\n", right()));
    let right = right();
    let mut arguments = vec!["--no-mutation", "--solver", &old, "--solver", &newer, "--reference", &right];
    for release in [&old, &newer, &undecided] {
        arguments.extend(["--release", release]);
    }
    // Both under test show it, on one seed: that is one defect.
    fuzz(&place, &arguments).expect(1);
    let found = bugs(&place);
    assert_eq!((found.len(), &found[0]["count"], &found[0]["fixed"]), (1, &1.into(), &false.into()));
    assert_eq!(found[0]["releases"], serde_json::json!([&old, &newer]));
    let folder = found[0]["folder"].as_str().expect("a name");
    let report = place.read(&format!("findings/{folder}/report.md"));
    assert!(report.contains("| `sh newer.sh` | yes |"), "{report}");
    assert!(report.contains("| `sh undecided.sh` | not decided |"), "{report}");
    arguments.extend(["--release", &newest, "-o", "again"]);
    fuzz(&place, &arguments).expect(1);
    let index: serde_json::Value = serde_json::from_str(&place.read("again/index.json")).expect("JSON");
    assert_eq!(index["bugs"][0]["fixed"], true);
}

#[test]
fn seeds_that_simplification_decides_have_no_mutants() {
    let trivial = "(declare-const p Bool)(assert (or p (not p)))(check-sat)";
    let place = Place::with(&[("seeds/trivial.smt2", trivial), ("seeds/unsat.smt2", UNSATISFIABLE)]);
    let run = fuzz(&place, &["--solver", &right(), "--budget", "20"]).expect(3);
    assert!(run.err.contains("1 seed that simplification alone decides left out"), "{}", run.err);
    assert!(run.err.contains("20 mutants") && run.err.contains("stopped by --budget"), "{}", run.err);
}

#[test]
fn models_of_seeds_make_mutants() {
    let satisfiable = SEED.replace("bvsle", "bvule");
    let place = Place::with(&[("seeds/sat.smt2", &satisfiable), ("seeds/unsat.smt2", UNSATISFIABLE)]);
    let run = fuzz(&place, &["--solver", &faulty(&place), "--strategy", "model"]).expect(1);
    assert!(run.err.contains("1 seed of which nothing makes mutants left out"), "{}", run.err);
    for bug in bugs(&place) {
        assert_eq!(bug["defect"], "unsat instead of sat");
        assert_eq!(
            bug["witness"].as_str().map(|text| text.starts_with("the formula has a model")),
            Some(true)
        );
    }
}

/// What a solver gets wrong only where something that assertions share is defined is made small with the definition.
#[test]
fn what_shows_only_with_definitions_keeps_them() {
    let shared = "(declare-const x (_ BitVec 8)) (declare-const y (_ BitVec 8)) (declare-const p Bool)
        (assert (bvult #x01 (bvmul (bvadd x y) x))) (assert (bvult (bvmul (bvadd x y) x) #xf0)) (assert p) (check-sat)";
    let place = Place::with(&[("seeds/shared.smt2", shared)]);
    let text = format!("if grep -q 'define-fun' \"$1\"; then echo unsat; else exec {} \"$1\"; fi\n", right());
    place.write("faulty.sh", text);
    let solver = place.script("faulty.sh");
    fuzz(&place, &["--solver", &solver, "--reference", &right(), "--no-mutation"]).expect(1);
    let found = bugs(&place);
    assert_eq!((found.len(), &found[0]["reduced"]), (1, &true.into()), "{found:?}");
    let folder = found[0]["folder"].as_str().expect("a name");
    let reduced = place.read(&format!("findings/{folder}/reduced.smt2"));
    assert!(reduced.contains("(define-fun ") && !reduced.contains(" p"), "{reduced}");
}

#[test]
fn strategies_take_turns() {
    let place = Place::with(&[("seeds/sat.smt2", SEED)]);
    let arguments = ["--solver", &right(), "--strategy", "pst,opfuzz,model"];
    let refused = fuzz(&place, &arguments).expect(2);
    assert!(refused.err.contains("opfuzz needs a --reference"), "{}", refused.err);
    let run = fuzz(&place, &[&arguments[..], &["--reference", &right()]].concat()).expect(0);
    assert!(run.err.contains("40 mutants"), "{}", run.err);
    let journal = place.read("findings/journal.jsonl");
    assert!(journal.contains("\"strategies\":[\"pst\",\"opfuzz\",\"model\"]"), "{journal}");
}

#[test]
fn what_a_solver_is_slow_on_is_kept() {
    let place = Place::with(&[("seeds/unsat.smt2", UNSATISFIABLE)]);
    let text = format!("if grep -q 'part0' \"$1\"; then sleep 9; else exec {} \"$1\"; fi\n", right());
    place.write("slow.sh", text);
    let solver = place.script("slow.sh");
    let arguments = ["--solver", &solver, "--reference", &right(), "--form", "core", "--mutants", "2"];
    let run = fuzz(&place, &[&arguments[..], &["--solver-timeout", "1"]].concat()).expect(0);
    // The solver has a fifth of the time for the second mutant, which says nothing about its speed.
    let place_of_scripts = "1 where another solver took a tenth of the time; 1 script kept in findings/slow";
    assert!(run.err.contains(&format!("2 timeouts, {place_of_scripts}")), "{}", run.err);
    assert!(run.err.contains(&format!("{solver}: 2 timeouts\n")), "{}", run.err);
    let file = |name: &str| -> serde_json::Value {
        serde_json::from_str(&place.read(&format!("findings/{name}"))).expect("JSON")
    };
    let (summary, index) = (file("summary.json"), file("index.json"));
    assert_eq!((&summary["timeouts"], &summary["memory_outs"]), (&2.into(), &0.into()));
    assert_eq!(summary["overruns"][&solver], serde_json::json!({"timeouts": 2, "memory_outs": 0}));
    assert_eq!(
        (&index["solvers"][&solver]["timeouts"], &index["solvers"][&right()]["timeouts"]),
        (&2.into(), &0.into())
    );
    assert!(place.read("findings/index.html").contains("<td class=\"number\">2</td>"));
    let list: serde_json::Value = serde_json::from_str(&place.read("findings/slow/slow.json")).expect("JSON");
    let scripts = list["scripts"].as_object().expect("a list");
    for (name, entry) in scripts {
        assert!(place.read(&format!("findings/slow/{name}")).contains(":named part0"));
        assert_eq!(entry["solver"], solver.as_str());
    }
    assert_eq!(scripts.len(), 1);
}

#[test]
fn a_seed_on_which_a_solver_is_slow_is_reduced() {
    let place = Place::with(&[("seeds/sat.smt2", SEED)]);
    let text =
        format!("if grep -q bvsle \"$1\"; then while :; do :; done; else exec {} \"$1\"; fi\n", right());
    place.write("slow.sh", text);
    let solver = place.script("slow.sh");
    let limits = ["--solver-timeout", "0.5", "--no-mutation"];
    let arguments =
        ["--solver", &solver, "--reference", &right(), "--release", &solver, "--release", &right()];
    let run = fuzz(&place, &[&arguments[..], &limits].concat()).expect(0);
    assert!(
        run.err.contains("1 where another solver took a tenth of the time; 1 script kept"),
        "{}",
        run.err
    );
    let list: serde_json::Value = serde_json::from_str(&place.read("findings/slow/slow.json")).expect("JSON");
    let (name, entry) = list["scripts"].as_object().and_then(|all| all.iter().next()).expect("one script");
    assert_eq!((&entry["mutant"], &entry["solver"]), (&0.into(), &solver.as_str().into()));
    let reduced = place.read(&format!("findings/slow/{}", entry["reduced"].as_str().expect("a file")));
    assert!(reduced.contains("bvsle"), "{reduced}");
    assert!(reduced.len() < place.read(&format!("findings/slow/{name}")).len(), "{reduced}");
    assert_eq!(entry["releases"], serde_json::json!([[&solver, "slow"], [&right(), "fast"]]));
    assert!(place.read("findings/index.html").contains("Slow here, fast there"));
    let index: serde_json::Value = serde_json::from_str(&place.read("findings/index.json")).expect("JSON");
    assert_eq!(index["slow"], list);
    let report = Path::new(name).with_extension("md");
    assert!(run.err.contains(&format!("findings/slow/{}", report.display())), "{}", run.err);
    let report = place.read(&format!("findings/slow/{}", report.display()));
    assert!(report.contains("is slow\n") && report.contains("the seed itself"), "{report}");
}

#[test]
fn a_solver_without_the_counters_that_it_should_have_is_reported() {
    let place = Place::with(&[("seeds/unsat.smt2", UNSATISFIABLE)]);
    let arguments = ["--solver", &right(), "--reference", &right(), "--mutants", "3"];
    let run = fuzz(&place, &[&arguments[..], &["--counters", "edges"]].concat()).expect(0);
    assert!(run.err.contains("no run left counters of the kind 'edges'"), "{}", run.err);
    let run = fuzz(&place, &[&arguments[..], &["-o", "other", "--counters", "gcov"]].concat()).expect(2);
    assert!(run.err.contains("gcov=PATH"), "{}", run.err);
}

/// Limits that end runs on the seed are counted too, and once only, however often the campaign goes on.
#[test]
fn what_limits_have_ended_is_told_of_each_solver() {
    let place = Place::with(&[("seeds/sat.smt2", SEED), ("seeds/unsat.smt2", UNSATISFIABLE)]);
    let script = |name: &str, body: &str| {
        place
            .write(name, format!("if grep -q bvadd \"$1\"; then {body}; else exec {} \"$1\"; fi\n", right()));
        place.script(name)
    };
    // The system kills where memory is short.
    let (slow, greedy) = (script("slow.sh", "sleep 30"), script("greedy.sh", "kill -KILL $$"));
    let arguments = ["--no-mutation", "--solver", &slow, "--solver", &greedy, "--solver-timeout", "1"];
    for _ in 0..2 {
        fuzz(&place, &arguments).expect(0);
    }
    let index: serde_json::Value = serde_json::from_str(&place.read("findings/index.json")).expect("JSON");
    let overruns = |solver: &String| {
        let entry = &index["solvers"][solver];
        (entry["timeouts"].as_u64(), entry["memory_outs"].as_u64())
    };
    assert_eq!((overruns(&slow), overruns(&greedy)), ((Some(1), Some(0)), (Some(0), Some(1))));
    let run = fuzz(&place, &[&arguments[..], &["-o", "again"]].concat()).expect(0);
    assert!(run.err.contains(&format!("{slow}: 1 timeout\n")), "{}", run.err);
    assert!(run.err.contains(&format!("{greedy}: 1 run out of memory\n")), "{}", run.err);
}

/// What a solver prints must not reach the terminal as it is, nor leave its place in a report.
#[test]
fn bytes_of_solvers_are_shown_and_not_sent() {
    let place = Place::with(&[("seeds/sat.smt2", SEED)]);
    let hostile = r"\033]0;mine\007\033[2J|x| `y` <b>z\n```\n# Heading\n";
    let text = format!(
        "if grep -q bvult \"$1\"; then printf 'ASSERTION VIOLATION {hostile}'; exit 1; else exec {} \"$1\"; fi\n",
        right()
    );
    place.write("z3-hostile", format!("#!/bin/sh\n{text}"));
    let program = place.path("z3-hostile");
    fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("mode");
    let solver = program.display().to_string();
    let run = fuzz(&place, &["--no-mutation", "--solver", &solver]).expect(1);
    assert!(
        run.err.contains(r"crash: ASSERTION VIOLATION \u{1b}]0;mine\u{7}\u{1b}[2J|x| `y` <b>z"),
        "{}",
        run.err
    );
    let folder = bugs(&place)[0]["folder"].as_str().expect("a name").to_string();
    let report = place.read(&format!("findings/{folder}/report.md"));
    let page = place.read("findings/index.html");
    assert!(!report.contains(['\x1b', '\x07']) && !page.contains(['\x1b', '\x07']));
    assert!(report.contains(r"\|x\| \`y\` \<b\>z") && page.contains("&lt;b&gt;z"), "{report}");
    let block = "\n````\nASSERTION VIOLATION ";
    assert!(report.contains(block) && report.contains("\n```\n# Heading\n````\n"), "{report}");
    // Nor where a solver is of no use.
    place.write("rude.sh", format!("printf '{hostile}'\n"));
    let rude = place.script("rude.sh");
    let refused = fuzz(&place, &["--solver", &rude, "-o", "other"]).expect(2);
    assert!(refused.err.contains(r"\u{1b}]0;mine\u{7}\u{1b}[2J"), "{}", refused.err);
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
    assert!(run.err.contains("continuing the campaign of this folder where it stopped"), "{}", run.err);
    assert_eq!(content(&place), expected);
    let other = fuzz(&place, &["--solver", &solver, "--seed", "7"]).expect(2);
    assert!(other.err.contains("other options"), "{}", other.err);
}

#[test]
fn solvers_that_do_not_work_are_told() {
    let place = Place::with(&[("seeds/sat.smt2", SEED), ("garbage.sh", "echo hello\n")]);
    let missing = fuzz(&place, &["--solver", "no-such-solver"]).expect(2);
    assert!(missing.err.contains("'no-such-solver' cannot be used"), "{}", missing.err);
    let garbage = place.script("garbage.sh");
    let run = fuzz(&place, &["--solver", &garbage]).expect(2);
    assert!(run.err.contains("hello"), "{}", run.err);
    let run = fuzz(&place, &["--solver", "z3 'a"]).expect(2);
    assert!(run.err.contains("quotes"), "{}", run.err);
}

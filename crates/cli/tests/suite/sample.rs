//! Sampling one formula.

use std::collections::BTreeSet;

use crate::common::{HARD, Place, SMALL, UNSATISFIABLE, example};

#[test]
fn models_define_every_declared_symbol() {
    let folder = Place::with(&[("f.smt2", SMALL)]);
    let run = folder.run(&["sample", "f.smt2"]).expect(0);
    assert_eq!(run.out.matches("(define-fun p () Bool ").count(), run.out.matches("(\n").count());
    assert_eq!(
        run.out.matches("(define-fun unused () (_ BitVec 8) ").count(),
        run.out.matches("(\n").count()
    );
    assert!(run.err.starts_with("f.smt2: "), "{}", run.err);
    assert!(run.err.contains("complete"), "{}", run.err);
    assert_eq!(run.err.lines().count(), 1, "no progress where there is no terminal:\n{}", run.err);
}

#[test]
fn examples_are_sampled_completely() {
    for name in ["options.smt2", "power-of-two.smt2", "memory.smt2", "scheduler.smt2"] {
        let folder = Place::new();
        let formula = example(name);
        let run = folder.run(&["sample", &formula, "--timeout", "60", "-o", "models"]).expect(0);
        assert!(run.err.contains(", complete"), "{}", run.err);
        // What was written is read back, satisfies the formula, and covers everything there is.
        let run = folder.run(&["coverage", &formula, "models", "--strict", "--decide"]).expect(0);
        assert!(run.out.contains("(100 %)") && run.out.ends_with("; complete\n"), "{}", run.out);
    }
}

#[test]
fn an_unsatisfiable_formula_leaves_no_file() {
    let folder = Place::with(&[("f.smt2", UNSATISFIABLE)]);
    let run = folder.run(&["sample", "f.smt2", "-o", "out", "--record", "run.json"]).expect(1);
    assert_eq!(run.err, "f.smt2: unsatisfiable: there is no solution\n");
    assert_eq!(run.out, "");
    assert_eq!(folder.names("."), ["f.smt2", "run.json"]);
    let record: serde_json::Value = serde_json::from_str(&folder.read("run.json")).expect("JSON");
    assert_eq!(record["stopped_by"], "unsatisfiable");
    assert_eq!(record["solutions"], 0);
    assert_eq!(record["status"], 1);
    folder.run(&["sample", &example("unsatisfiable.smt2")]).expect(1);
}

#[test]
fn json_lines_have_every_symbol_in_every_solution() {
    let folder = Place::with(&[("f.smt2", SMALL)]);
    let run = folder.run(&["sample", "f.smt2", "--format", "jsonl", "-q"]).expect(0);
    assert_eq!(run.err, "");
    let mut values = BTreeSet::new();
    for line in run.out.lines() {
        let solution: serde_json::Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(solution.as_object().expect("object").len(), 3, "{line}");
        assert_eq!(solution["p"] == "true", solution["x"] == "#x3", "{line}");
        assert!(solution["unused"].is_string());
        values.insert(solution["p"].to_string());
    }
    assert_eq!(values.len(), 2, "{}", run.out);
}

#[test]
fn csv_has_a_column_for_every_symbol() {
    let folder = Place::with(&[("f.smt2", SMALL)]);
    let run = folder.run(&["sample", "f.smt2", "--format", "csv"]).expect(0);
    let mut lines = run.out.lines();
    assert_eq!(lines.next(), Some("p,x,unused"));
    assert!(lines.clone().count() >= 2);
    assert!(lines.all(|line| line.split(',').count() == 3), "{}", run.out);
}

#[test]
fn the_number_of_solutions_can_be_limited() {
    let folder = Place::with(&[("f.smt2", SMALL)]);
    let run = folder.run(&["sample", "f.smt2", "-n", "1"]).expect(0);
    assert_eq!(run.out.matches("(define-fun p ").count(), 1);
    assert!(run.err.contains("coverage "), "{}", run.err);
    let run = folder.run(&["sample", "f.smt2", "-n", "1", "--json"]).expect(0);
    let record: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(record["solutions"], 1);
    assert_eq!(record["complete"], false);
    assert_eq!(record["proved_minimal"], false);
}

#[test]
fn the_record_adds_up() {
    let folder = Place::with(&[("f.smt2", SMALL)]);
    folder.run(&["sample", "f.smt2", "-r", "1", "--seed", "7", "--record", "run.json", "-o", "m"]).expect(0);
    let record: serde_json::Value = serde_json::from_str(&folder.read("run.json")).expect("JSON");
    let number = |key: &str| record[key].as_u64().unwrap_or_else(|| panic!("{key} in {record}"));
    assert_eq!(record["formula"], "f.smt2");
    assert_eq!(record["strategy"], "cover");
    assert_eq!(number("seed"), 7);
    assert_eq!(record["options"]["target"], 1.0);
    assert_eq!(number("valid") + number("impossible") + number("unknown"), number("total"));
    assert_eq!(number("covered"), number("valid"));
    let gains = record["per_solution"].as_array().expect("list");
    assert_eq!(gains.len() as u64, number("solutions"));
    assert_eq!(gains.iter().map(|one| one["gain"].as_u64().expect("number")).sum::<u64>(), number("covered"));
    assert!(gains.windows(2).all(|pair| pair[0]["gain"].as_u64() >= pair[1]["gain"].as_u64()));
    assert!(record["complete"] == true && record["stopped_by"] == "complete", "{record}");
    assert_eq!(record["version"], env!("CARGO_PKG_VERSION"));
}

#[test]
fn the_same_seed_gives_the_same_bytes_with_any_number_of_threads() {
    let folder = Place::new();
    let formula = example("options.smt2");
    let with = |threads| folder.run(&["sample", &formula, "--seed", "3", "-j", threads]).expect(0).out;
    let one = with("1");
    assert_eq!(with("1"), one);
    assert_eq!(with("3"), one);
}

#[test]
fn of_several_questions_the_first_counts() {
    let text =
        "(declare-const p Bool)\n(push 1)\n(assert p)\n(check-sat)\n(pop 1)\n(assert (not p))\n(check-sat)\n";
    let run = Place::new().run_with_input(&["sample", "-"], text).expect(0);
    assert!(run.err.starts_with("<stdin>:4:1: note: the script asks 2 questions"), "{}", run.err);
    assert!(run.out.contains("(define-fun p () Bool true)"), "{}", run.out);
    // Without a question, what is asserted at the end counts.
    let text = "(declare-const p Bool)\n(push 1)\n(assert p)\n(pop 1)\n(assert (not p))\n";
    let run = Place::new().run_with_input(&["sample", "-"], text).expect(0);
    assert!(run.out.contains("(define-fun p () Bool false)"), "{}", run.out);
}

#[test]
fn time_stops_the_search_and_keeps_what_there_is() {
    let folder = Place::with(&[("f.smt2", HARD)]);
    let arguments = ["sample", "f.smt2", "--timeout", "3", "-o", "models", "--record", "run.json"];
    let run = folder.run(&arguments).expect(3);
    assert!(run.err.contains("unknown)") && run.err.contains("stopped by --timeout"), "{}", run.err);
    assert!(folder.read("models").contains("(define-fun found () Bool false)"));
    let record: serde_json::Value = serde_json::from_str(&folder.read("run.json")).expect("JSON");
    assert_eq!(record["stopped_by"], "timeout");
    assert_eq!(record["complete"], false);
    let run = folder.run(&["coverage", "f.smt2", "models"]).expect(0);
    assert!(!run.out.contains("invalid"), "{}", run.out);
}

#[test]
fn verbose_tells_steps_and_quiet_nothing() {
    let folder = Place::with(&[("f.smt2", SMALL)]);
    let run = folder.run(&["sample", "f.smt2", "--verbose", "-o", "m"]).expect(0);
    assert!(run.err.contains("1 assertion, 3 symbols, "), "{}", run.err);
    let run = folder.run(&["sample", "f.smt2", "--quiet", "-o", "m"]).expect(0);
    assert_eq!((run.out.as_str(), run.err.as_str()), ("", ""));
    folder.run(&["sample", "f.smt2", "--quiet", "--verbose"]).expect(2);
}

#[test]
fn the_strategy_of_the_paper_works_too() {
    let folder = Place::with(&[("f.smt2", SMALL)]);
    let arguments = ["sample", "f.smt2", "--strategy", "pan", "--candidates", "5", "--json", "-o", "m"];
    let run = folder.run(&arguments).expect(0);
    let record: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(record["strategy"], "pan");
    assert_eq!(record["options"]["candidates"], 5);
    assert_eq!(record["options"]["manhattan"], false);
    folder.run(&["coverage", "f.smt2", "m"]).expect(0);
    let run = folder.run(&["sample", "f.smt2", "--candidates", "5"]).expect(2);
    assert!(run.err.contains("--strategy pan"), "{}", run.err);
}

/// Every claim that something is impossible is a script that has no solution.
#[test]
fn obligations_are_unsatisfiable_scripts() {
    let folder = Place::with(&[("set/f.smt2", SMALL), ("set/none.smt2", UNSATISFIABLE)]);
    folder.run(&["sample", "set/f.smt2", "--obligations", "claims"]).expect(0);
    assert_eq!(folder.names("claims"), ["exclusive.smt2", "impossible.smt2"]);
    for name in ["exclusive.smt2", "impossible.smt2"] {
        assert_eq!(folder.run(&["solve", &format!("claims/{name}")]).expect(0).out, "unsat\n", "{name}");
    }
    // What a batch has written below its own input is no formula of the next one.
    for _ in 0..2 {
        folder.run(&["sample", "set", "--obligations", "set/all", "-q"]).expect(1);
        assert_eq!(folder.names("set/all"), ["f", "none"]);
        assert_eq!(folder.names("set/all/f"), ["exclusive.smt2", "impossible.smt2"]);
        assert_eq!(folder.names("set/all/none"), ["unsatisfiable.smt2"]);
    }
    folder.write("file", "");
    let run = folder.run(&["sample", "set/f.smt2", "--obligations", "file"]).expect(2);
    assert!(run.err.contains("it is not a folder"), "{}", run.err);
}

/// What is told of a run names what it is doing, also before there is a solution.
#[test]
fn each_phase_is_told() {
    let folder = Place::with(&[("f.smt2", SMALL)]);
    let run = folder.run(&["sample", "f.smt2", "-v"]).expect(0);
    let mut rest = &*run.err;
    for phase in [
        "f.smt2: building the circuit of the assertions\n",
        "f.smt2: looking for a first solution\n",
        "f.smt2: building the circuits of all AST-bits\n",
        " s: coverage ",
    ] {
        rest = rest.split_once(phase).unwrap_or_else(|| panic!("no '{phase}' in its place: {}", run.err)).1;
    }
    for strategy in ["t-wise", "all", "uniform"] {
        let run = folder.run(&["sample", "f.smt2", "-v", "--strategy", strategy, "-n", "9"]).expect(0);
        let phase = "f.smt2: building the circuit, and looking for a first solution\n";
        assert!(run.err.contains(phase), "{}", run.err);
    }
    let going_on = ["sample", "f.smt2", "-v", "--strategy", "all", "-o", "out", "--resume"];
    assert!(folder.run(&going_on).expect(0).err.contains("f.smt2: reading out\n"));
}

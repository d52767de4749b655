//! Sampling many formulas.

use crate::common::{Place, SMALL, UNSATISFIABLE};

fn several() -> Place {
    Place::with(&[
        ("set/b.smt2", SMALL),
        ("set/a/b.smt2", SMALL),
        ("set/a/bad.smt2", "(assert"),
        ("set/none.smt2", UNSATISFIABLE),
        ("set/readme.txt", "not a formula"),
    ])
}

#[test]
fn a_folder_is_sampled_whatever_single_formulas_do() {
    let folder = several();
    let run = folder
        .run(&["sample", "set", "-o", "out", "--summary", "sum.csv", "--record", "runs.jsonl", "-j", "2"])
        .expect(2);
    assert!(run.err.contains("set/a/bad.smt2:1:8: error: "), "{}", run.err);
    assert_eq!(folder.names("out"), ["a", "b.models.smt2"]);
    assert_eq!(folder.names("out/a"), ["b.models.smt2"]);
    assert_eq!(folder.read("out/b.models.smt2"), folder.read("out/a/b.models.smt2"));

    let order = ["set/a/b.smt2", "set/a/bad.smt2", "set/b.smt2", "set/none.smt2"];
    let rows: Vec<&str> = run.out.lines().skip(1).take(4).collect();
    assert!(rows.iter().zip(order).all(|(row, name)| row.starts_with(name)), "{}", run.out);
    assert!(run.out.contains("4 formulas: 2 complete"), "{}", run.out);
    assert!(run.out.contains("1 unsatisfiable, 1 failed"), "{}", run.out);

    let csv = folder.read("sum.csv");
    assert!(csv.starts_with("formula,strategy,seed,"), "{csv}");
    assert!(csv.lines().skip(1).zip(order).all(|(row, name)| row.starts_with(name)), "{csv}");
    let records = folder.read("runs.jsonl");
    let names: Vec<serde_json::Value> = records
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON")["formula"].clone())
        .collect();
    assert_eq!(names, order);
}

#[test]
fn the_number_of_threads_changes_nothing_but_times() {
    let folder = several();
    let solutions = |out: &str, threads: &str| {
        let run = folder.run(&["sample", "set", "-o", out, "-j", threads]).expect(2);
        let cut = |line: &str| line.split_whitespace().take(4).map(str::to_string).collect::<Vec<_>>();
        (folder.read(&format!("{out}/a/b.models.smt2")), run.out.lines().map(cut).collect::<Vec<_>>())
    };
    assert_eq!(solutions("one", "1"), solutions("four", "4"));
}

#[test]
fn files_can_be_named_one_by_one() {
    let folder = several();
    let run = folder.run(&["sample", "set/b.smt2", "set/a/b.smt2", "set/b.smt2", "-o", "out"]).expect(0);
    assert!(run.out.contains("2 formulas: 2 complete"), "{}", run.out);
    assert_eq!(folder.names("out"), ["a", "b.models.smt2"]);
    let run = folder.run(&["sample", "set/b.smt2", "missing.smt2"]).expect(2);
    assert!(run.err.contains("error: cannot read missing.smt2: "), "{}", run.err);
    assert!(run.out.contains("1 complete") && run.out.contains("1 failed"), "{}", run.out);
    folder.run(&["sample", "set/b.smt2", "-"]).expect(2);
}

#[test]
fn what_a_batch_has_written_is_no_input_of_the_next() {
    let folder = several();
    let first = folder.run(&["sample", "set", "-o", "set/out"]).expect(2);
    assert!(first.out.contains("4 formulas"), "{}", first.out);
    let second = folder.run(&["sample", "set", "-o", "set/out"]).expect(2);
    assert!(second.out.contains("4 formulas"), "{}", second.out);
    let run = folder.run(&["sample", "set", "-o", "set"]).expect(2);
    assert!(run.err.contains("is the input folder itself"), "{}", run.err);
}

#[test]
fn outputs_of_a_batch_that_cannot_be_written_are_refused() {
    let folder = several();
    folder.write("file", "kept");
    for output in ["file", "file/below", "/dev/null"] {
        let run = folder.run(&["sample", "set", "-o", output]).expect(2);
        assert!(run.err.contains("error: cannot write "), "{}", run.err);
    }
    let run = folder.run(&["sample", "set", "--record", "set/b.smt2"]).expect(2);
    assert!(run.err.contains("is the formula itself"), "{}", run.err);
    assert_eq!(folder.read("set/b.smt2"), SMALL);
}

#[test]
fn json_takes_the_place_of_the_table() {
    let run = several().run(&["sample", "set", "--json"]).expect(2);
    assert_eq!(run.out.lines().count(), 4);
    let first: serde_json::Value = serde_json::from_str(run.out.lines().next().expect("line")).expect("JSON");
    assert_eq!(first["complete"], true);
}

#[test]
fn a_batch_is_taken_up_where_it_was_left() {
    let folder = several();
    folder.run(&["sample", "set", "--record", "runs.jsonl"]).expect(2);
    // As a kill would leave it: some formulas missing, one line half written.
    let lines: Vec<String> = folder.read("runs.jsonl").lines().map(str::to_string).collect();
    let marked = lines[0].replace("\"stopped_by\":\"complete\"", "\"stopped_by\":\"target\"");
    folder.write("runs.jsonl", format!("{marked}\n{}", &lines[2][..lines[2].len() / 2]));
    let resume = ["sample", "set", "--record", "runs.jsonl", "--resume", "--verbose"];
    let run = folder.run(&resume).expect(2);
    assert!(run.err.contains("set/a/b.smt2: taken from the record"), "{}", run.err);
    assert_eq!(run.err.matches("taken from the record").count(), 1, "{}", run.err);
    let records = folder.read("runs.jsonl");
    assert_eq!(records.lines().count(), 4);
    assert!(records.starts_with(&marked), "{records}");

    // Other options are another batch.
    let mut other = resume.to_vec();
    other.extend(["--seed", "1"]);
    let run = folder.run(&other).expect(2);
    assert!(!run.err.contains("taken from the record"), "{}", run.err);
    folder.run(&["sample", "set", "--resume"]).expect(2);
    // The earlier runs have kept no solutions.
    let mut keep = other.clone();
    keep.extend(["-o", "out"]);
    for times in [1, 3] {
        let run = folder.run(&keep).expect(2);
        assert_eq!(run.err.matches("taken from the record").count(), times, "{}", run.err);
        assert_eq!(folder.names("out"), ["a", "b.models.smt2"]);
    }
}

//! Explorations with several threads and with little memory.

use serde_json::Value;

use crate::common::Place;
use crate::explore::place_with_labels;

/// An exploration into a folder.
fn explore(place: &Place, output: &str, more: &[&str]) -> Value {
    let fixed = ["explore", "labels.wasm", "--stdin", "6", "--tests", "all", "--lanes", "3", "--json"];
    let run = place.run(&[&fixed[..], &["-o", output], more].concat());
    serde_json::from_str(&run.out).expect("JSON")
}

/// The description of every test.
fn tests(place: &Place, output: &str) -> Vec<String> {
    let names = place.names(&format!("{output}/tests"));
    names.iter().map(|name| place.read(&format!("{output}/tests/{name}/test.json"))).collect()
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let place = place_with_labels();
    for strategy in ["coverage", "dfs"] {
        let output = |jobs: &str| format!("{strategy}{jobs}");
        for jobs in ["1", "2", "4"] {
            explore(&place, &output(jobs), &["--strategy", strategy, "-j", jobs]);
        }
        let (alone, journal) = (tests(&place, &output("1")), place.read(&format!("{strategy}1/journal")));
        assert!(alone.len() > 100, "{}", alone.len());
        for jobs in ["2", "4"] {
            assert_eq!(tests(&place, &output(jobs)), alone, "{strategy}, {jobs} threads");
            assert_eq!(place.read(&format!("{}/journal", output(jobs))), journal);
        }
    }
}

#[test]
fn an_exploration_goes_on_with_another_number_of_threads() {
    let place = place_with_labels();
    for (output, jobs, other) in [("one", "1", "4"), ("two", "2", "1")] {
        explore(&place, output, &["-j", jobs, "--max-paths", "50"]);
        explore(&place, output, &["-j", other, "--resume"]);
    }
    assert_eq!(tests(&place, "one"), tests(&place, "two"));
    assert_eq!(place.read("one/journal"), place.read("two/journal"));
}

#[test]
fn branches_that_are_given_up_for_memory_are_reported() {
    let place = place_with_labels();
    let record = explore(&place, "out", &["--tree-memory", "64K"]);
    assert_eq!((&record["end"], &record["is_complete"]), (&"exhausted".into(), &false.into()));
    let given_up = record["given_up_branches"].as_u64().expect("a number");
    assert!(given_up > 0 && record["collections"].as_u64() > Some(0), "{record}");
    let run = place.run(&["explore", "labels.wasm", "--stdin", "6", "--lanes", "3", "--tree-memory", "64K"]);
    let line = format!("{given_up} open branches given up at the limit of memory; --tree-memory raises it\n");
    assert!(
        run.out.contains(&line) && run.out.contains("(all branches that could be decided)"),
        "{}",
        run.out
    );
    let run = place.run(&["explore", "labels.wasm", "--stdin", "6", "--tree-memory", "50%"]).expect(2);
    assert!(run.err.contains("expected an amount such as 512M or 2G"), "{}", run.err);
}

#[test]
fn an_exploration_ends_when_nothing_is_new_any_more() {
    let place = place_with_labels();
    let run =
        place.run(&["explore", "labels.wasm", "--stdin", "40", "--idle", "0.5", "-t", "120", "-o", "out"]);
    let record: Value = serde_json::from_str(&place.read("out/record.json")).expect("JSON");
    assert_eq!((&record["end"], &record["is_complete"]), (&"idle".into(), &false.into()));
    assert!(run.out.contains("(stopped after the greatest time without anything new)"), "{}", run.out);
    assert!(record["tests"].as_u64() > Some(0) && record["open_branches"].as_u64() > Some(0), "{record}");
}

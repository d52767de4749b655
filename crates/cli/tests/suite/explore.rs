//! Exploring programs.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use sundry_testing::skipped::skip;

use crate::common::Place;

/// A file of the repository.
fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// A place with the module of the tour.
pub fn place_with_labels() -> Place {
    let place = Place::with(&[]);
    fs::copy(repository("examples/explore/labels.wasm"), place.path("labels.wasm")).expect("copied");
    place
}

#[test]
fn errors_of_a_program_are_found_shown_in_lines_and_replayed() {
    let place = place_with_labels();
    let run = place.run(&["explore", "labels.wasm", "--stdin", "6", "-o", "out"]).expect(1);
    assert!(run.out.contains("access beyond a block of the heap"), "{}", run.out);
    assert!(run.out.contains("in quoted at examples/explore/labels.c:"), "{}", run.out);
    assert!(run.out.contains("(all paths)"), "{}", run.out);
    let folder = "out/errors/01-heap-overflow";
    assert!(place.path(folder).join("stdin").exists() && place.path(folder).join("test.ktest").exists());
    let replay = place.run(&["explore", "labels.wasm", "--replay", folder]).expect(1);
    assert!(replay.out.starts_with("access beyond a block of the heap after "), "{}", replay.out);
    let test =
        fs::read_dir(place.path("out/tests")).expect("tests").next().expect("a test").expect("readable");
    let test = test.path().display().to_string();
    place.run(&["explore", "labels.wasm", "--replay", &test]).expect(0);
}

#[test]
fn the_same_seed_gives_the_same_record() {
    let place = place_with_labels();
    let mut records = ["a", "b"].map(|output| {
        let run = place
            .run(&["explore", "labels.wasm", "--stdin", "5", "--json", "--seed", "9", "-o", output])
            .expect(1);
        serde_json::from_str::<Value>(&run.out).expect("JSON")
    });
    for record in &mut records {
        record["seconds"] = Value::Null;
        record["times"] = Value::Null;
        record["curve"] = Value::Null;
        for error in record["errors"].as_array_mut().expect("a list") {
            error["folder"] = Value::Null;
        }
    }
    assert_eq!(records[0], records[1]);
    assert_eq!(records[0]["is_complete"], true);
    assert_eq!(records[0]["diverged"], 0);
}

#[test]
fn a_file_to_start_from_has_room_for_more_bytes_where_asked() {
    let place = place_with_labels();
    place.write("seed", "ab");
    place.write("seed+1", "abc");
    let paths = |stdin: &str| {
        let run = place.run(&["explore", "labels.wasm", "--stdin", stdin, "--json"]);
        let record: Value = serde_json::from_str(&run.out).expect("a record");
        record["paths"].as_u64().expect("a number")
    };
    let [two, five] = ["seed", "seed+3"].map(paths);
    assert_eq!([two, five], ["2", "5"].map(paths), "all bytes may change, up to the capacity");
    assert_eq!(paths("seed+1"), paths("3"), "a file of that name has no room");
    let run = place.run(&["explore", "labels.wasm", "--stdin", "seed+9999999"]).expect(2);
    assert!(run.err.contains("seed+9999999: at most"), "{}", run.err);
}

#[test]
fn strategies_and_the_black_box_find_the_same_number_of_paths() {
    let place = place_with_labels();
    let paths = |more: &[&str]| {
        let arguments = [&["explore", "labels.wasm", "--stdin", "4", "--json"], more].concat();
        let run = place.run(&arguments);
        serde_json::from_str::<Value>(&run.out).expect("JSON")["paths"].as_u64().expect("a number")
    };
    let expected = paths(&[]);
    assert!(expected > 10);
    for more in [
        &["--strategy", "dfs"][..],
        &["--strategy", "bfs", "--partial", "0"],
        &["--strategy", "rss", "--keep-repetitions"],
        &["--strategy", "rcn"],
        &["--plain"],
    ] {
        assert_eq!(paths(more), expected, "{more:?}");
    }
}

#[test]
fn a_native_build_confirms_errors_or_does_not() {
    let place = place_with_labels();
    place.write("fails.sh", "read -r label || [ -n \"$label\" ] && echo AddressSanitizer >&2");
    let confirmations = |native: &str| {
        let run =
            place.run(&["explore", "labels.wasm", "--stdin", "6", "--json", "--native", native]).expect(1);
        let record: Value = serde_json::from_str(&run.out).expect("JSON");
        let errors = record["errors"].as_array().expect("a list").clone();
        errors.into_iter().map(|error| error["native"].clone()).collect::<Vec<Value>>()
    };
    let script = format!("sh {}", place.path("fails.sh").display());
    assert_eq!(confirmations(&script), ["confirmed", "confirmed"]);
    assert_eq!(confirmations("true"), ["wasm-only", "wasm-only"]);
    let run = place.run(&["explore", "labels.wasm", "--stdin", "6", "--native", "./missing"]).expect(2);
    assert!(run.err.contains("--native: cannot run"), "{}", run.err);
}

#[test]
fn tests_come_with_coverage_a_script_and_a_report() {
    let place = place_with_labels();
    let run = place.run(&["explore", "labels.wasm", "--stdin", "6", "-o", "out"]).expect(1);
    assert!(run.out.contains("28 of 28 lines covered"), "{}", run.out);
    let trace = place.read("out/coverage.info");
    assert!(trace.contains("SF:examples/explore/labels.c") && trace.contains("FNDA:"), "{trace}");
    assert!(place.read("out/coverage.html").contains("labels.c"));
    assert!(place.read("out/junit.xml").contains("failures=\"2\""));
    assert!(place.read("out/run.sh").starts_with("#!/bin/sh"));
}

#[test]
fn the_curve_has_every_executed_instruction_once() {
    let place = place_with_labels();
    place.run(&["explore", "labels.wasm", "--stdin", "6", "-o", "out"]).expect(1);
    let curve: serde_json::Value = serde_json::from_str(&place.read("out/curve.json")).expect("JSON");
    let functions = curve["functions"].as_array().expect("a list");
    let mut gained = vec![0; functions.len()];
    let mut covered = 0;
    for point in curve["points"].as_array().expect("a list") {
        for pair in point["new"].as_array().expect("a list") {
            let (position, count) =
                (pair[0].as_u64().expect("a number"), pair[1].as_u64().expect("a number"));
            gained[position as usize] += count;
            covered += count;
        }
        assert_eq!(point["covered"], covered, "{point}");
    }
    assert!(functions.iter().any(|function| function["file"] == "examples/explore/labels.c"));
    for (function, gained) in functions.iter().zip(gained) {
        assert!(gained <= function["instructions"].as_u64().expect("a number"), "{function}");
    }
}

#[test]
fn a_limit_keeps_what_was_found() {
    let place = place_with_labels();
    let run =
        place.run(&["explore", "labels.wasm", "--stdin", "4", "--max-paths", "2", "-o", "out"]).expect(3);
    assert!(run.out.contains("2 tests, 2 paths (stopped at the greatest number of paths)"), "{}", run.out);
    assert!(place.path("out/record.json").exists());
}

#[test]
fn what_is_no_program_is_refused() {
    let place = Place::with(&[("text.wasm", "no module"), ("empty.wasm", "\0asm\u{1}\0\0\0")]);
    let run = place.run(&["explore", "text.wasm", "--stdin", "4"]).expect(2);
    assert!(run.err.contains("the file is no WebAssembly module"), "{}", run.err);
    let run = place.run(&["explore", "empty.wasm", "--stdin", "4"]).expect(2);
    assert!(run.err.contains("exports no function `_start`"), "{}", run.err);
    let run = place.run(&["explore", "missing.wasm"]).expect(2);
    assert!(run.err.contains("missing.wasm"), "{}", run.err);
    let labels = place_with_labels();
    let run = labels.run(&["explore", "labels.wasm", "--stdin", "nowhere"]).expect(2);
    assert!(run.err.contains("a number of bytes, the name of a file"), "{}", run.err);
    let run = labels.run(&["explore", "labels.wasm", "--replay", "."]).expect(2);
    assert!(run.err.contains("test.json"), "{}", run.err);
}

/// Programs with a seeded error, one for each kind of error that is found, and what the report says.
const SEEDED: [(&str, &str); 10] = [
    ("division-by-zero", "integer division by zero"),
    ("double-free", "freed twice"),
    ("use-after-free-write", "that was freed"),
    ("heap-overflow-read", "beyond a block"),
    ("leak-overwritten", "never freed"),
    ("null-write", "null pointer"),
    ("stack-array-write", "beyond an object in the stack"),
    ("abort", "unreachable code"),
    ("sundry-assert", "assertion `"),
    ("call-signature", "of another type"),
];

/// Whether there is a compiler of C for WebAssembly; says that a test is skipped where there is none.
pub fn has_compiler(test: &str) -> bool {
    for needed in ["/usr/bin/clang-19", "/usr/bin/wasm-ld-19", "/usr/lib/wasm32-wasi/libc.a"] {
        if !Path::new(needed).exists() {
            skip(test, format_args!("there is no {needed}"));
            return false;
        }
    }
    true
}

#[test]
fn seeded_errors_are_found_and_repaired_programs_have_none() {
    if !has_compiler("seeded errors") {
        return;
    }
    let place = Place::with(&[]);
    for (name, expected) in SEEDED {
        for (name, code) in [(name.to_string(), 1), (format!("{name}-repaired"), 0)] {
            let source = repository(&format!("benches/explore/errors/{name}.c"));
            let source = source.to_str().expect("a path of text");
            place.run(&["cc", source, "-q", "-o", "program.wasm"]).expect(0);
            let run = place.run(&["explore", "program.wasm", "--stdin", "12"]).expect(code);
            assert_eq!(run.out.contains(expected), code == 1, "{name}: {}", run.out);
            assert!(!run.out.contains("error 2"), "each error is reported once, {name}: {}", run.out);
        }
    }
}

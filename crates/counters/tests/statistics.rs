//! Statistics of a real solver: the same for the same input, and printed at a limit.

mod common;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use common::{prepared, signal};
use sundry_counters::{CounterError, CounterProvider, Dialect, Statistics};
use tempfile::tempdir;

const EASY: &str = "(set-logic QF_LIA)(declare-const x Int)(declare-const y Int)
    (assert (and (> (+ x (* 3 y)) 10) (or (< x y) (= x (* 2 y)))))(check-sat)";
/// Two factors of a large number: no solver finds them in a second.
const HARD: &str = "(set-logic QF_BV)(declare-const x (_ BitVec 64))(declare-const y (_ BitVec 64))
    (assert (= (bvmul x y) #xfedcba9876543221))(assert (bvult #x0000000000000001 x))(assert (bvult x #x00000000ffffffff))
    (assert (bvult #x0000000000000001 y))(assert (bvult y #x00000000ffffffff))
    (assert (= (bvurem x #x000000000000001f) #x0000000000000007))(check-sat)";

#[test]
fn statistics_of_z3_are_steady() {
    // tools/oracles installs it.
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.venv/bin/z3");
    let folder = tempdir().expect("a folder");
    let statistics = Statistics::new(Dialect::Z3);
    let formula = |text: &str| {
        let path = folder.path().join("a.smt2");
        fs::write(&path, text).expect("a formula");
        path
    };
    let preparation = statistics.prepare(folder.path()).expect("a preparation");
    let run = |command: &mut Command| {
        let output = command.output().expect("it runs");
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
    };
    let easy = formula(EASY);
    let first =
        statistics.take(folder.path(), &run(prepared(&path, &preparation).arg(&easy))).expect("statistics");
    let again =
        statistics.take(folder.path(), &run(prepared(&path, &preparation).arg(&easy))).expect("statistics");
    assert_eq!(first, again);
    assert!(first.len() >= 5, "{first:?}");
    assert!(
        first.iter().any(|file| statistics.file_name(file.file).as_deref() == Some("num-checks")),
        "{first:?}"
    );

    let hard = formula(HARD);
    let mut command = prepared(&path, &preparation);
    let child = command.arg(&hard).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    thread::sleep(Duration::from_millis(700));
    signal(&child, preparation.farewell.expect("a signal"));
    let output = child.wait_with_output().expect("it ends");
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(statistics.take(folder.path(), &text).expect("statistics at a limit").len() >= 5, "{text}");
}

#[test]
fn output_without_statistics_has_no_counters() {
    let statistics = Statistics::new(Dialect::Plain);
    assert!(matches!(statistics.take(Path::new("."), "unsat\n"), Err(CounterError::Missing)));
    let counters = statistics.take(Path::new("."), "conflicts: 9\n").expect("a statistic");
    assert_eq!(
        counters[0].lines.iter().map(|counter| (counter.line, counter.count)).collect::<Vec<_>>(),
        [(0, 1), (1, 1), (2, 1), (3, 1)]
    );
}

//! Sampling at volume of several formulas at once.

use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::{Place, UNSATISFIABLE};
use crate::volume_resume::{FEW, WIDE, all_different, solutions};

fn several() -> Place {
    Place::with(&[
        ("set/bad.smt2", "(assert"),
        ("set/deep/few.smt2", FEW),
        ("set/none.smt2", UNSATISFIABLE),
        ("set/wide.smt2", WIDE),
    ])
}

#[test]
fn a_folder_is_sampled_whatever_single_formulas_do() {
    let folder = several();
    let arguments = ["sample", "set", "--strategy", "smtsampler", "-n", "90", "-t", "20", "-j", "2"];
    let files = ["-o", "out", "--record", "runs", "--summary", "sum.csv", "-f", "csv"];
    let run = folder.run(&[&arguments[..], &files].concat()).expect(2);
    assert!(run.err.contains("set/bad.smt2:1:8: error: "), "{}", run.err);
    assert!(run.err.contains("set/none.smt2: unsatisfiable: there is no solution\n"), "{}", run.err);
    assert!(run.err.contains("set/wide.smt2: 90 solutions in "), "{}", run.err);
    assert_eq!(folder.names("out"), ["deep", "wide.csv"]);
    for name in ["out/deep/few.csv", "out/wide.csv"] {
        let all = solutions(&folder.read(name), "csv");
        assert_eq!(all.len(), 90);
        all_different(&all);
    }
    let order = ["set/bad.smt2", "set/deep/few.smt2", "set/none.smt2", "set/wide.smt2"];
    let rows: Vec<&str> = run.out.lines().skip(1).take(4).collect();
    assert!(rows.iter().zip(order).all(|(row, name)| row.starts_with(name)), "{}", run.out);
    assert!(
        run.out.ends_with("\n4 formulas: 2 sampled, 1 unsatisfiable, 1 failed; 180 solutions\n"),
        "{}",
        run.out
    );
    let summary = folder.read("sum.csv");
    assert!(summary.starts_with("formula,strategy,seed,solutions,earlier,candidates,"), "{summary}");
    assert!(summary.lines().skip(1).zip(order).all(|(row, name)| row.starts_with(name)), "{summary}");
    let records = folder.read("runs");
    let field =
        |line: &str, name: &str| serde_json::from_str::<serde_json::Value>(line).expect("JSON")[name].clone();
    let statuses: Vec<serde_json::Value> = records.lines().map(|line| field(line, "status")).collect();
    assert_eq!(statuses, [2, 0, 1, 0]);
    // Nothing is left to do but what failed.
    let run = folder.run(&[&arguments[..], &files, &["--resume", "-v"]].concat()).expect(2);
    assert_eq!(run.err.matches("taken from the record").count(), 3, "{}", run.err);
    // The same solutions as alone.
    folder.run(&[
        "sample",
        "set/wide.smt2",
        "--strategy",
        "smtsampler",
        "-n",
        "90",
        "-f",
        "csv",
        "-o",
        "one",
    ]);
    assert_eq!(folder.read("one"), folder.read("out/wide.csv"));
    // Without -o, figures only.
    let run = folder.run(&[&arguments[..], &["--json"]].concat()).expect(2);
    assert_eq!(run.out.lines().count(), 4);
    assert_eq!(run.out.lines().next().map(|line| field(line, "status")), Some(2.into()));
}

#[test]
fn predicates_are_read_or_made_for_each_formula() {
    let folder = Place::with(&[("set/a.smt2", WIDE), ("set/b.smt2", WIDE), ("set/few.smt2", FEW)]);
    folder.write("p.smt2", "(define-fun low () Bool (bvult x #x10))\n");
    let arguments = ["sample", "set", "--strategy", "guided", "-n", "9", "-t", "20", "-o", "out"];
    let run = folder.run(&[&arguments[..], &["--predicates", "p.smt2"]].concat()).expect(2);
    assert!(run.err.contains("set/few.smt2: p.smt2:1:"), "{}", run.err);
    assert!(run.out.contains("3 formulas: 2 sampled, 1 failed; 18 solutions"), "{}", run.out);
    for source in ["--random-predicates", "--internal-predicates"] {
        let run = folder.run(&[&arguments[..], &[source, "3"]].concat()).expect(0);
        assert!(run.out.contains("3 formulas: 3 sampled; 27 solutions"), "{}", run.out);
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_batch_keeps_what_was_found() {
    use std::io::{BufRead, BufReader, Read};
    let folder = Place::with(&[("set/a.smt2", FEW), ("set/b.smt2", WIDE), ("set/c.smt2", WIDE)]);
    let options = ["sample", "set", "--strategy", "smtsampler", "-n", "96", "-j", "1", "-f", "csv"];
    let files = ["-o", "out", "--record", "runs"];
    folder.run(&[&options[..], &files].concat()).expect(0);
    let endless = ["sample", "set", "--strategy", "smtsampler", "-t", "3600", "-j", "1", "-f", "csv", "-v"];
    let arguments = [&endless[..], &files, &["--resume"]].concat();
    let mut command = Command::new(env!("CARGO_BIN_EXE_sundry"));
    command.args(&arguments).current_dir(folder.path(".")).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut messages = BufReader::new(child.stderr.take().expect("piped"));
    let mut err = String::new();
    while !err.contains("continues after 96 solutions") {
        assert!(messages.read_line(&mut err).expect("text") > 0, "ended early:\n{err}");
    }
    let status = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    assert!(status.expect("kill can be run").success());
    messages.read_to_string(&mut err).expect("text");
    let output = child.wait_with_output().expect("the program ends");
    let out = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{err}");
    assert!(err.contains("set/a.smt2: 96 solutions, 0 of them new, in "), "{err}");
    assert!(err.contains("; interrupted"), "{err}");
    assert_eq!(out.matches("interrupted before its turn").count(), 2, "{out}");
    assert_eq!(folder.read("runs").lines().count(), 3);
    assert_eq!(solutions(&folder.read("out/b.csv"), "csv").len(), 96);
    // What was cut is not taken from the record.
    let short = ["sample", "set", "--strategy", "smtsampler", "-t", "0.3", "-j", "1", "-f", "csv", "-v"];
    let run = folder.run(&[&short[..], &files, &["--resume"]].concat()).expect(0);
    assert!(!run.err.contains("taken from the record"), "{}", run.err);
    for name in ["out/a.csv", "out/b.csv", "out/c.csv"] {
        let all = solutions(&folder.read(name), "csv");
        assert!(all.len() >= 96, "{name}");
        all_different(&all);
    }
}

#[test]
fn a_batch_that_was_killed_goes_on() {
    let folder = Place::with(&[("set/a.smt2", WIDE), ("set/b.smt2", WIDE), ("set/c.smt2", UNSATISFIABLE)]);
    let files = ["-j", "1", "-o", "out", "--record", "runs", "--summary", "sum.csv", "-f", "csv"];
    let options = ["sample", "set", "--strategy", "smtsampler", "-n", "60000", "-t", "60", "--resume", "-v"];
    let arguments = [&options[..], &files].concat();
    let mut command = Command::new(env!("CARGO_BIN_EXE_sundry"));
    command.args(&arguments).current_dir(folder.path(".")).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the program starts");
    let start = Instant::now();
    while !folder.path("out/b.csv").exists() {
        assert!(start.elapsed() < Duration::from_secs(60), "the second formula is not begun");
        thread::sleep(Duration::from_millis(2));
    }
    child.kill().expect("killed");
    child.wait().expect("ended");
    assert_eq!(folder.read("runs").lines().count(), 1);
    let run = folder.run(&arguments).expect(1);
    assert!(run.err.contains("set/a.smt2: taken from the record\n"), "{}", run.err);
    assert_eq!(run.err.matches("taken from the record").count(), 1, "{}", run.err);
    assert!(run.err.contains("set/b.smt2: 60,000 solutions"), "{}", run.err);
    for (name, count) in [("out/a.csv", 60_000), ("out/b.csv", 60_000)] {
        let all = solutions(&folder.read(name), "csv");
        assert_eq!(all.len(), count, "{name}");
        all_different(&all);
    }
    assert_eq!((folder.read("runs").lines().count(), folder.read("sum.csv").lines().count()), (3, 4));
}

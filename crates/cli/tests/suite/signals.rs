//! Ctrl-C: the first asks for what there is, the second ends the program.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use sundry_testing::skipped::skip;

use crate::common::{HARD, Place, signal, start, wait_for};

#[test]
fn an_interrupt_prints_what_there_is() {
    let folder = Place::with(&[("f.smt2", HARD)]);
    let mut child = start(&folder, &["sample", "f.smt2", "--record", "run.json", "--verbose"]);
    let mut messages = BufReader::new(child.stderr.take().expect("piped"));
    let mut err = read_until(&mut messages, "1 solution");
    signal(&child, "-INT");
    messages.read_to_string(&mut err).expect("text");
    let output = child.wait_with_output().expect("the program ends");
    let out = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{err}");
    assert!(err.contains("; interrupted"), "{err}");
    assert!(out.contains("(define-fun found () Bool false)") && out.ends_with(")\n)\n"), "{out}");
    assert!(folder.read("run.json").contains("\"stopped_by\": \"interrupted\""));
}

/// Reads messages until one contains this.
fn read_until(messages: &mut impl BufRead, words: &str) -> String {
    let mut text = String::new();
    while !text.contains(words) {
        assert!(messages.read_line(&mut text).expect("text") > 0, "ended early:\n{text}");
    }
    text
}

#[test]
fn the_second_interrupt_ends_the_program() {
    // More than a pipe holds, so that the program waits for somebody to read it.
    let symbols: String = (0..5000).map(|i| format!("(declare-const a-name-{i} (_ BitVec 64))\n")).collect();
    let folder = Place::with(&[("f.smt2", &format!("{symbols}(assert (bvult a-name-1 a-name-2))\n"))]);
    let mut child = start(&folder, &["sample", "f.smt2", "-n", "1"]);
    let mut messages = BufReader::new(child.stderr.take().expect("piped"));
    read_until(&mut messages, "1 solution");
    signal(&child, "-INT");
    // Two that wait to be handled would be one.
    wait_for("the first one to be handled", || !has_pending_signals(child.id()));
    assert_eq!(child.try_wait().expect("a child"), None, "the first one does not end it");
    signal(&child, "-INT");
    let status = child.wait().expect("it ends");
    assert_eq!(status.signal(), Some(2), "{status}");
}

/// Whether signals to a process wait for a thread that handles them.
fn has_pending_signals(process: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("a process that runs");
    let pending = status.lines().find_map(|line| line.strip_prefix("ShdPnd:")).expect("the system says so");
    pending.trim().bytes().any(|digit| digit != b'0')
}

#[test]
fn a_signal_while_nothing_is_read_ends_the_program() {
    let folder = Place::new();
    let mut command = Command::new(env!("CARGO_BIN_EXE_sundry"));
    command.args(["sample", "-"]).current_dir(folder.path("."));
    let mut child = command.stdin(Stdio::piped()).spawn().expect("the program starts");
    thread::sleep(Duration::from_millis(300));
    // Not SIGINT: where the tests run in the background, programs inherit that it is ignored.
    signal(&child, "-TERM");
    wait_for("the end", || child.try_wait().expect("a child").is_some());
}

#[test]
fn a_kill_leaves_the_best_set_in_the_file() {
    let folder = Place::with(&[("f.smt2", HARD)]);
    let mut child = start(&folder, &["sample", "f.smt2", "-o", "models"]);
    wait_for("the first set", || folder.path("models").exists());
    child.kill().expect("killed");
    child.wait().expect("ended");
    let run = folder.run(&["coverage", "f.smt2", "models", "--strict"]).expect(0);
    assert!(run.out.contains("models#1"), "{}", run.out);
}

#[test]
fn an_interrupted_batch_keeps_what_is_finished() {
    let folder =
        Place::with(&[("set/a.smt2", crate::common::SMALL), ("set/b.smt2", HARD), ("set/c.smt2", HARD)]);
    let child =
        start(&folder, &["sample", "set", "-j", "1", "-o", "out", "--record", "runs", "--summary", "sum"]);
    wait_for("the second formula", || folder.path("out/b.models.smt2").exists());
    signal(&child, "-TERM");
    let output = child.wait_with_output().expect("the program ends");
    let out = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(out.contains("set/a.smt2") && out.contains("interrupted before its turn"), "{out}");
    assert_eq!(folder.read("runs").lines().count(), 3);
    assert_eq!(folder.read("sum").lines().count(), 4);
    let resumed = folder.run(&["sample", "set", "-t", "1", "--record", "runs", "--resume", "-v"]).expect(3);
    assert!(!resumed.err.contains("b.smt2: taken"), "{}", resumed.err);
}

#[test]
fn an_interrupted_campaign_goes_on() {
    campaign_goes_on_after("-INT");
}

/// The end of the terminal is an interrupt too.
#[test]
#[cfg(target_os = "linux")]
fn a_campaign_whose_terminal_is_closed_goes_on() {
    let status = fs::read_to_string("/proc/self/status").expect("Linux has it");
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).expect("a mask");
    if ignored.ends_with(['1', '3', '5', '7', '9', 'b', 'd', 'f']) {
        return skip("closed terminal", format_args!("SIGHUP is ignored here, as below nohup"));
    }
    campaign_goes_on_after("-HUP");
}

fn campaign_goes_on_after(signal_name: &str) {
    let seed = "(declare-const x (_ BitVec 4))\n(assert (bvult x #x9))\n(check-sat)\n";
    let slow = format!("sleep 0.1; exec '{}' solve \"$1\"\n", env!("CARGO_BIN_EXE_sundry"));
    let folder = Place::with(&[("f.smt2", seed), ("slow.sh", &slow)]);
    let solver = folder.script("slow.sh");
    let arguments = ["fuzz", "f.smt2", "--solver", &solver, "--mutants", "20", "-o", "found"];
    let mut child = start(&folder, &arguments);
    let journal = folder.path("found/journal.jsonl");
    let lines = || fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
    wait_for("the first turn", || lines() >= 2);
    signal(&child, signal_name);
    let mut err = String::new();
    child.stderr.take().expect("piped").read_to_string(&mut err).expect("text");
    assert_eq!(child.wait().expect("it ends").code(), Some(3), "{err}");
    assert!(err.contains("interrupted; the same command continues"), "{err}");
    let run = folder.run(&arguments).expect(0);
    assert!(
        run.err.contains("continuing the campaign of this folder where it stopped")
            && run.err.contains("no defect found"),
        "{}",
        run.err
    );
    let journal = folder.read("found/journal.jsonl");
    let last = journal.lines().last().expect("a line for each turn");
    assert!(last.starts_with("{\"seed\":0,\"mutant\":20,"), "{last}");
}

#[test]
fn a_campaign_that_has_only_begun_to_ask_its_solver_for_options_has_a_summary() {
    let seed = "(declare-const x (_ BitVec 4))\n(assert (bvult x #x9))\n(check-sat)\n";
    // Named like a solver that has options, and slow to answer when it is asked about them.
    let slow = format!(
        "#!/bin/sh\ncase $* in *=*|-p*) sleep 1 ;; esac; for last; do :; done; exec '{}' solve \"$last\"\n",
        env!("CARGO_BIN_EXE_sundry")
    );
    let folder = Place::with(&[("f.smt2", seed), ("z3", &slow)]);
    let solver = folder.path("z3");
    fs::set_permissions(&solver, fs::Permissions::from_mode(0o755)).expect("the file is ours");
    let solver = format!("'{}'", solver.display());
    let mut child = start(&folder, &["fuzz", "f.smt2", "--solver", &solver, "-o", "found"]);
    wait_for("the campaign to begin", || folder.path("found/journal.jsonl").exists());
    assert!(!folder.path("found/options.json").exists());
    signal(&child, "-INT");
    let mut err = String::new();
    child.stderr.take().expect("piped").read_to_string(&mut err).expect("text");
    assert_eq!(child.wait().expect("it ends").code(), Some(3), "{err}");
    assert!(folder.path("found/summary.json").exists(), "{err}");
}

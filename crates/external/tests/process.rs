//! Commands that end, and commands that do not.

use std::fs;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use sundry_external::{Farewell, Finished, Limits, StoppedBy, command_in, run};

fn limits(milliseconds: u64) -> Limits {
    Limits { wall: Duration::from_millis(milliseconds), ..Limits::default() }
}

/// Runs a line of shell in a folder of its own.
fn shell(line: &str, limits: &Limits) -> Finished {
    let folder = tempfile::tempdir().expect("a folder");
    run(&mut command_in("sh", ["-c", line], folder.path()), limits, &AtomicBool::new(false)).expect("a shell")
}

/// Whether a process runs; one that waits to be reaped does not.
fn is_alive(process: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, fields)| !fields.trim_start().starts_with('Z'))
}

#[test]
fn outputs_are_kept_apart_and_the_status_is_told() {
    let finished = shell("echo out; echo err >&2; exit 3", &limits(20_000));
    assert_eq!((&finished.output.text[..], &finished.errors.text[..]), ("out\n", "err\n"));
    assert_eq!((finished.status.code(), finished.stopped, finished.signal()), (Some(3), None, None));
    assert!(!finished.output.is_cut);
}

#[test]
fn a_missing_program_is_an_error() {
    assert!(run(&mut Command::new("/nonexistent/program"), &limits(1), &AtomicBool::new(false)).is_err());
}

#[test]
fn time_is_limited_even_for_those_who_ignore_signals() {
    let finished = shell("trap '' TERM INT HUP; echo begun; while :; do sleep 1; done", &limits(300));
    assert_eq!((finished.stopped, &finished.output.text[..]), (Some(StoppedBy::Wall), "begun\n"));
    assert_eq!(finished.signal(), None);
    assert!(finished.wall >= Duration::from_millis(300) && finished.wall < Duration::from_secs(5));
}

#[test]
fn helpers_die_with_the_command() {
    let begin = Instant::now();
    let ended = shell("sleep 30 & echo $!", &limits(20_000));
    assert_eq!(ended.stopped, None);
    let stopped = shell("sleep 30 & echo $!; wait", &limits(300));
    assert_eq!(stopped.stopped, Some(StoppedBy::Wall));
    for finished in [ended, stopped] {
        let helper = finished.output.text.trim();
        assert!(!helper.is_empty() && !is_alive(helper), "{helper} is alive");
    }
    assert!(begin.elapsed() < Duration::from_secs(20));
}

#[test]
fn what_was_printed_is_kept_though_a_stranger_holds_the_pipe() {
    let finished = shell("setsid sleep 5 & echo printed", &limits(20_000));
    assert_eq!((&finished.output.text[..], finished.stopped), ("printed\n", None));
    assert!(finished.wall < Duration::from_secs(4));
}

#[test]
fn memory_of_the_whole_group_is_limited() {
    let limits = Limits { memory: Some(100 << 20), ..limits(60_000) };
    let finished = shell("head -c 300000000 /dev/zero | tail -c 300000000 | sleep 60", &limits);
    assert_eq!(finished.stopped, Some(StoppedBy::Memory), "{finished:?}");
    assert!(finished.memory > 100 << 20);
}

#[test]
fn processor_time_is_limited() {
    let limits = Limits { processor: Some(Duration::from_millis(200)), ..limits(60_000) };
    let finished = shell("while :; do :; done", &limits);
    assert_eq!(finished.stopped, Some(StoppedBy::Processor));
    assert!(finished.processor >= Duration::from_millis(200));
}

#[test]
fn processor_time_of_short_runs_is_measured() {
    // Over before anybody looks at it.
    for line in ["exit 0", "true; true", "sh -c 'true; true'"] {
        let finished = shell(line, &limits(20_000));
        assert!(finished.processor > Duration::ZERO && finished.memory > 0, "{line}: {finished:?}");
        assert!(finished.processor <= finished.wall * 2 + Duration::from_millis(20), "{line}: {finished:?}");
    }
    // The processes that a command has reaped count as its own.
    let (one, many) = ("sh -c ':'", "for i in 1 2 3 4 5 6 7 8; do sh -c ':'; done");
    let [one, many] = [one, many].map(|line| shell(line, &limits(20_000)).processor);
    assert!(many > one, "{one:?} {many:?}");
}

#[test]
fn a_command_at_its_limit_may_say_farewell() {
    let farewell = Farewell { signal: 10, patience: Duration::from_secs(5) };
    let limits = Limits { farewell: Some(farewell), ..limits(200) };
    let finished = shell("trap 'echo counters; exit 3' USR1; while :; do sleep 0.01; done", &limits);
    assert_eq!((finished.output.text.as_str(), finished.stopped), ("counters\n", Some(StoppedBy::Wall)));
    assert!(finished.wall < Duration::from_secs(4), "{:?}", finished.wall);
    // Patience ends.
    let limits =
        Limits { farewell: Some(Farewell { patience: Duration::from_millis(50), ..farewell }), ..limits };
    let start = Instant::now();
    let finished = shell("trap '' USR1; while :; do sleep 0.01; done", &limits);
    assert!(finished.stopped == Some(StoppedBy::Wall) && start.elapsed() < Duration::from_secs(4));
    // A command that ends by itself gets no signal.
    assert_eq!(shell("trap 'echo counters' USR1; echo done", &limits).output.text, "done\n");
}

#[test]
fn files_are_limited() {
    let limits = Limits { file: Some(1 << 20), ..limits(20_000) };
    // The signal for files that grow too large is ignored, so that the write itself fails.
    // The limit holds from a moment after the start on.
    let finished = shell("trap '' XFSZ; sleep 0.5; head -c 5000000 /dev/zero > file; wc -c < file", &limits);
    assert_eq!(finished.output.text.trim(), (1 << 20).to_string());
}

#[test]
fn output_is_limited() {
    let limits = Limits { output: 1_000, ..limits(300) };
    let finished = shell("yes", &limits);
    assert!(finished.output.is_cut);
    assert_eq!(finished.output.text, "y\n".repeat(500));
}

#[test]
fn signals_are_told() {
    let finished = shell("kill -ABRT $$", &limits(20_000));
    assert_eq!((finished.signal(), finished.stopped), (Some(6), None));
}

#[test]
fn the_caller_can_interrupt() {
    let interrupted = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(100));
            interrupted.store(true, Ordering::Relaxed);
        });
        let finished =
            run(Command::new("sleep").arg("30"), &limits(30_000), &interrupted).expect("it starts");
        assert_eq!(finished.stopped, Some(StoppedBy::Interrupted));
    });
}

//! The log of phases: which there are, where it goes, and that nothing else changes.

use crate::common::{Place, SMALL};

/// The name of the innermost span whose end a line of the log reports. The line has the time, the level, the spans from the
/// outermost on with what they are about in braces, the module, and how long the span took.
fn ended(line: &str) -> Option<&str> {
    let (spans, _) = line.split_once(": close time.busy=")?;
    let (spans, _module) = spans.rsplit_once(": ")?;
    let last = spans.rsplit([':', ' ']).find(|part| part.chars().next().is_some_and(char::is_alphabetic))?;
    Some(last.split('{').next().unwrap_or(last))
}

#[test]
fn phases_are_logged_with_their_times() {
    let place = Place::with(&[("f.smt2", SMALL)]);
    let run = place.run(&["sample", "f.smt2", "--log", "debug", "-q"]).expect(0);
    let ended: Vec<&str> = run.err.lines().filter_map(ended).collect();
    for span in
        ["read", "formula", "sample", "assert", "rewrite", "circuit", "check", "first", "classify", "grow"]
    {
        assert!(ended.contains(&span), "{span}: {}", run.err);
    }
    for (options, span) in [
        (&["--strategy", "pan", "--candidates", "2"][..], "round"),
        (&["--strategy", "smtsampler", "-n", "5"], "epoch"),
        (&["--strategy", "all"], "walk"),
        (&["--strength", "2"], "compact"),
        (&["--strategy", "uniform", "-n", "2"], "draw"),
    ] {
        let run = place.run(&[&["sample", "f.smt2", "--log", "debug", "-q"], options].concat()).expect(0);
        assert!(run.err.lines().any(|line| self::ended(line) == Some(span)), "{span}: {}", run.err);
    }
}

#[test]
fn a_filter_chooses_crates() {
    let place = Place::with(&[("f.smt2", SMALL)]);
    let run = place.run(&["sample", "f.smt2", "--log", "sundry_solver=debug", "-q"]).expect(0);
    assert!(
        !run.err.is_empty() && run.err.lines().all(|line| line.contains(" sundry_solver::")),
        "{}",
        run.err
    );
    let run = place.run(&["sample", "f.smt2", "--log", "debug,sundry_solver=off", "-q"]).expect(0);
    assert!(run.err.contains(" sundry_sample::") && !run.err.contains(" sundry_solver::"), "{}", run.err);
    let run = place.run(&["sample", "f.smt2", "--log", "off", "-q"]).expect(0);
    assert_eq!(run.err, "");
}

#[test]
fn a_file_takes_the_log_at_its_end() {
    let place = Place::with(&[("f.smt2", SMALL), ("log", "before\n")]);
    let run = place.run(&["sample", "f.smt2", "--log", "info", "--log-file", "log", "-q"]).expect(0);
    assert_eq!(run.err, "");
    let log = place.read("log");
    assert!(log.starts_with("before\n") && log.contains("sample{method=\"cover\"}"), "{log}");
    let refused = place.run(&["sample", "f.smt2", "--log", "info", "--log-file", "no/log"]);
    assert!(refused.code != 0 && refused.err.contains("no/log"), "{}", refused.err);
}

#[test]
fn output_is_the_same_with_a_log_and_without() {
    let place = Place::with(&[("f.smt2", SMALL)]);
    for more in
        [&[][..], &["--strategy", "smtsampler", "-n", "5"], &["--strength", "2"], &["--strategy", "all"]]
    {
        let plain = place.run(&[&["sample", "f.smt2"], more].concat()).expect(0);
        let logged = [&["sample", "f.smt2", "--log", "trace", "--log-file", "log"], more].concat();
        assert_eq!(place.run(&logged).expect(0).out, plain.out);
    }
    place.run(&["sample", "f.smt2", "-q", "-o", "models"]).expect(0);
    for arguments in [&["coverage", "f.smt2", "models", "--decide"][..], &["solve", "f.smt2"]] {
        let plain = place.run(arguments).expect(0);
        let logged = place.run(&[arguments, &["--log", "trace", "--log-file", "log"]].concat()).expect(0);
        assert_eq!((logged.out, logged.err), (plain.out, plain.err));
    }
}

#[test]
fn other_filters_are_refused_with_the_words_there_are() {
    let place = Place::with(&[("f.smt2", SMALL)]);
    for (filter, expected) in [
        ("loud", "levels are off, error, warn, info, debug, trace"),
        ("z3=debug", "crates that do are sundry, sundry_cli, sundry_fuzz, sundry_sample, sundry_solver"),
    ] {
        let run = place.run(&["sample", "f.smt2", "--log", filter]).expect(2);
        assert!(run.err.contains(expected), "{}", run.err);
    }
    let run = place.run(&["sample", "f.smt2", "--log-file", "log"]).expect(2);
    assert!(run.err.contains("--log <"), "{}", run.err);
}

//! Campaigns of `sundry fuzz` among other things that happen on a machine: kills, other campaigns, wrong paths.
#![cfg(unix)]

use std::fs;
use std::process::{Child, Command, Stdio};

use crate::common::{Place, right, wait_for};

const SEED: &str = "\
(declare-const endless (_ BitVec 4))
(assert (bvult endless #x9))
(check-sat)
";

/// A place with a seed, and a solver that never ends once it gets that: neither itself, nor what it has started, of
/// which one has left the group and one has nothing in its environment. All their numbers are in a file.
fn place() -> (Place, String) {
    let place = Place::with(&[("f.smt2", SEED), ("tmp/other/file", "of somebody else")]);
    let numbers = place.path("numbers").display().to_string();
    let text = format!(
        "grep -q endless \"$1\" || exec {} \"$1\"\n\
         setsid sleep 300 & echo $! >> '{numbers}'\n\
         env -i sleep 300 & echo $! >> '{numbers}'\n\
         sh -c 'sleep 300 & echo $! >> \"$1\"; echo $$ >> \"$1\"; wait' sh '{numbers}' &\n\
         echo $$ >> '{numbers}'; wait\n",
        right()
    );
    place.write("endless.sh", text);
    let solver = place.script("endless.sh");
    (place, solver)
}

/// Starts a campaign, and waits until its solver runs.
fn begin(place: &Place, solver: &str) -> (Child, Vec<String>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sundry"));
    command.args(["fuzz", "f.smt2", "--solver", solver, "--solver-timeout", "250"]);
    command.current_dir(place.path(".")).env("TMPDIR", place.path("tmp"));
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts");
    let numbers = || -> Vec<String> {
        let text = fs::read_to_string(place.path("numbers")).unwrap_or_default();
        text.lines().map(String::from).collect()
    };
    wait_for("the solver", || numbers().len() == 5);
    let numbers = numbers();
    assert!(numbers.iter().all(|number| is_alive(number)), "{numbers:?}");
    (child, numbers)
}

/// Whether a process runs; one that waits to be reaped does not.
fn is_alive(process: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, fields)| !fields.trim_start().starts_with('Z'))
}

fn kill(process: &str) {
    let status = Command::new("kill").args(["-KILL", process]).status();
    assert!(status.expect("kill can be run").success());
}

#[test]
fn a_kill_ends_the_solver_and_leaves_no_folder() {
    let (place, solver) = place();
    let (mut child, numbers) = begin(&place, &solver);
    assert_eq!(place.names("tmp").len(), 2);
    child.kill().expect("killed");
    child.wait().expect("ended");
    wait_for("the end of the solver", || !numbers.iter().any(|number| is_alive(number)));
    wait_for("the end of the folder", || place.names("tmp") == ["other"]);
    assert_eq!(place.read("tmp/other/file"), "of somebody else");
}

#[test]
fn what_two_kills_have_left_is_removed_by_the_next_run() {
    let (place, solver) = place();
    let (mut child, numbers) = begin(&place, &solver);
    let id = child.id();
    let children = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).expect("the system tells");
    let name = |process: &str| fs::read_to_string(format!("/proc/{process}/comm")).unwrap_or_default();
    let guard = children.split_whitespace().find(|process| name(process) == "command-guard\n");
    kill(guard.expect("it is guarded"));
    child.kill().expect("killed");
    child.wait().expect("ended");
    assert_eq!(place.names("tmp").len(), 2);
    numbers.iter().for_each(|number| kill(number));
    let mut again = place.command(&["fuzz", "f.smt2", "--solver", &right(), "--mutants", "1", "-o", "again"]);
    again.env("TMPDIR", place.path("tmp")).assert().code(0);
    assert_eq!(place.names("tmp"), ["other"]);
}

#[test]
fn a_folder_has_one_campaign_at_a_time() {
    let (place, solver) = place();
    let (mut child, _) = begin(&place, &solver);
    let arguments = ["fuzz", "f.smt2", "--solver", &solver, "--solver-timeout", "250", "-t", "1"];
    let refused = place.run(&arguments).expect(2);
    let message = format!("error: findings is being written by process {}, for ", child.id());
    assert!(refused.err.starts_with(&message), "{}", refused.err);
    assert!(
        refused.err.contains("help: wait until it has ended, or choose another folder"),
        "{}",
        refused.err
    );
    child.kill().expect("killed");
    child.wait().expect("ended");
    // What a kill leaves behind holds nobody up, and is swept.
    let part = format!("findings/1-defect/.sundry-{}-5.part", child.id());
    place.write(&part, "half a report");
    place.run(&arguments).expect(3);
    assert!(!place.path(&part).exists());
}

#[test]
fn time_is_limited_while_solvers_are_asked_what_they_read() {
    let place = Place::with(&[("f.smt2", SEED), ("endless.sh", "sleep 250\n")]);
    let solver = place.script("endless.sh");
    let run =
        place.run(&["fuzz", "f.smt2", "--solver", &solver, "--solver-timeout", "200", "-t", "0.5"]).expect(3);
    assert!(run.err.contains("--timeout stopped the campaign before the solvers were probed"), "{}", run.err);
}

#[test]
fn seeds_that_are_not_there_are_told() {
    let place = Place::with(&[("seeds/f.smt2", SEED), ("broken.smt2", "(assert")]);
    let right = right();
    for (path, words) in [
        ("missing.smt2", "cannot read missing.smt2: No such file"),
        ("missing/", "cannot read missing/: No such file"),
        ("-", "standard input cannot be a seed"),
        ("missing*.smt2", "the pattern 'missing*.smt2' matches nothing"),
    ] {
        let run = place.run(&["fuzz", "seeds", path, "--solver", &right, "--mutants", "1"]).expect(2);
        assert!(run.err.contains(words) && !run.err.contains("no defect"), "{path}: {}", run.err);
        assert!(!place.path("findings").exists(), "{path}");
    }
    // One that is no formula is left out, but there has to be another.
    let run = place.run(&["fuzz", "broken.smt2", "--solver", &right]).expect(2);
    assert!(run.err.contains("broken.smt2: left out: "), "{}", run.err);
    assert!(
        run.err.contains("none of the seeds can be read") && !run.err.contains("no defect"),
        "{}",
        run.err
    );
}

#[test]
fn help_is_about_this_job() {
    let help = Place::new().run(&["fuzz", "--help"]).expect(0).out;
    assert!(
        help.contains("the same command continues the campaign") && help.contains("which mutants there are"),
        "{help}"
    );
    assert!(!help.contains("solutions") && !help.contains("sampled"), "{help}");
}

#[test]
fn a_file_is_no_folder_for_findings() {
    let place = Place::with(&[("f.smt2", SEED), ("file", "kept")]);
    for (option, words) in [
        (
            ["-o", "file"],
            "cannot write into file: it is not a folder\n  = help: a campaign writes to a folder",
        ),
        (["-o", "file/below"], "cannot write file/below: Not a directory"),
    ] {
        let run = place.run(&[&["fuzz", "f.smt2", "--solver", &right()][..], &option].concat()).expect(2);
        assert!(run.err.contains(words) && !run.err.contains("solutions"), "{}", run.err);
    }
    assert_eq!(place.read("file"), "kept");
}

//! Two processes with the same output: the second one is refused and says who writes it.

use std::process::Child;

use crate::common::{HARD, Place, SMALL, signal, start, wait_for};

fn place() -> Place {
    Place::with(&[("hard.smt2", HARD), ("f.smt2", SMALL), ("set/a.smt2", HARD), ("set/b.smt2", SMALL)])
}

/// Starts a run that goes on for long, and waits until it holds its lock.
fn hold(folder: &Place, arguments: &[&str], lock: &str) -> Child {
    let child = start(folder, arguments);
    let is_named = || std::fs::read_to_string(folder.path(lock)).is_ok_and(|text| text.ends_with('}'));
    wait_for("the lock", is_named);
    child
}

#[track_caller]
fn refused(folder: &Place, arguments: &[&str], name: &str, holder: &Child) {
    let run = folder.run(arguments).expect(2);
    let message = format!("error: {name} is being written by process {}, for ", holder.id());
    assert!(run.err.starts_with(&message), "{}", run.err);
    assert!(run.err.contains("sundry sample "), "{}", run.err);
    assert!(run.err.contains("\n  = help: wait until it has ended, or choose another f"), "{}", run.err);
    assert_eq!(run.out, "");
}

/// Ends a run politely, and checks that it has removed its lock.
fn end(folder: &Place, mut child: Child, locks: &[&str]) {
    signal(&child, "-TERM");
    child.wait().expect("it ends");
    for lock in locks {
        assert!(!folder.path(lock).exists(), "{lock} is left behind");
    }
}

#[test]
fn a_file_is_written_by_one_process() {
    let folder = place();
    for (option, path, lock) in [
        ("-o", "out", ".out.sundry-lock"),
        ("--record", "run.json", ".run.json.sundry-lock"),
        ("--summary", "sum.csv", ".sum.csv.sundry-lock"),
        ("--obligations", "claims", "claims/.sundry-lock"),
    ] {
        let child = hold(&folder, &["sample", "hard.smt2", option, path], lock);
        refused(&folder, &["sample", "f.smt2", option, path], path, &child);
        // Other outputs in the same folder are nobody's business.
        folder.run(&["sample", "f.smt2", "-o", "other"]).expect(0);
        end(&folder, child, &[lock]);
        folder.run(&["sample", "f.smt2", option, path]).expect(0);
        assert!(!folder.path(lock).exists(), "{lock} is left behind");
    }
    std::os::unix::fs::symlink("out", folder.path("link")).expect("link");
    let child = hold(&folder, &["sample", "hard.smt2", "-o", "link"], ".out.sundry-lock");
    refused(&folder, &["sample", "f.smt2", "-o", "./out"], "./out", &child);
    refused(&folder, &["sample", "f.smt2", "--strategy", "all", "-o", "link"], "link", &child);
    let run = folder.run(&["reduce", "f.smt2", "--check", "true", "-o", "out"]).expect(2);
    assert!(run.err.starts_with("error: out is being written by process "), "{}", run.err);
    end(&folder, child, &[".out.sundry-lock"]);
}

#[test]
fn a_folder_is_written_by_one_process() {
    let folder = place();
    let batch = ["sample", "set", "-o", "out", "-j", "1"];
    let child = hold(&folder, &batch, "out/.sundry-lock");
    refused(&folder, &["sample", "set", "-o", "out"], "out", &child);
    // Only one of the files in it.
    let lock = "out/.a.models.smt2.sundry-lock";
    wait_for("the first formula", || folder.path(lock).exists());
    let single = ["sample", "f.smt2", "-o", "out/a.models.smt2"];
    refused(&folder, &single, "out/a.models.smt2", &child);
    end(&folder, child, &["out/.sundry-lock", lock]);
    folder.run(&single).expect(0);
}

#[test]
fn a_killed_process_stops_nobody() {
    let folder = place();
    let lock = ".out.sundry-lock";
    let mut child = hold(&folder, &["sample", "hard.smt2", "-o", "out"], lock);
    child.kill().expect("killed");
    child.wait().expect("ended");
    folder.run(&["sample", "f.smt2", "-o", "out"]).expect(0);
    assert_eq!(folder.names("."), ["f.smt2", "hard.smt2", "out", "set"]);
}

/// Half of a file, below a folder of results, as a kill in the middle of writing leaves it.
#[test]
fn what_a_killed_process_was_writing_is_swept() {
    let folder = place();
    let mut child = hold(&folder, &["sample", "set", "-o", "out", "-j", "1"], "out/.sundry-lock");
    child.kill().expect("killed");
    child.wait().expect("ended");
    folder.write(&format!("out/deep/.sundry-{}-77.part", child.id()), "half");
    folder.write("out/deep/.sundry-1-77.part", "of another process");
    std::fs::remove_file(folder.path("set/a.smt2")).expect("removed");
    folder.run(&["sample", "set", "f.smt2", "-o", "out"]).expect(0);
    assert_eq!(folder.names("out/deep"), [".sundry-1-77.part"]);
}

#[test]
fn what_is_no_file_has_no_lock() {
    let folder = place();
    for output in ["/dev/null", "/dev/stdout"] {
        let mut child = start(&folder, &["sample", "hard.smt2", "-o", output]);
        folder.run(&["sample", "f.smt2", "-o", output]).expect(0);
        assert_eq!(child.try_wait().expect("a child"), None, "{output}: it ended by itself");
        end(&folder, child, &[]);
    }
    // A name that leaves no room for that of the lock.
    let long = "x".repeat(250);
    folder.run(&["sample", "f.smt2", "-o", &long]).expect(0);
    assert_eq!(folder.names("."), ["f.smt2", "hard.smt2", "set", &long]);
}

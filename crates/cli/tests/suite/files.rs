//! Where results go: refused before any work where that is hopeless, never half-written.

use crate::common::{Place, SMALL};

#[test]
fn outputs_that_cannot_be_written_are_refused_before_the_search() {
    let folder = Place::with(&[("f.smt2", SMALL), ("file", "kept"), ("dir/x", "")]);
    for option in ["-o", "--record", "--summary"] {
        for path in ["dir", "missing/out", "file/out"] {
            let run = folder.run(&["sample", "f.smt2", option, path]).expect(2);
            assert!(run.err.starts_with(&format!("error: cannot write {path}: ")), "{}", run.err);
            assert_eq!(run.out, "");
        }
    }
    assert_eq!(folder.names("."), ["dir", "f.smt2", "file"]);
}

#[test]
fn the_formula_is_never_overwritten() {
    let folder = Place::with(&[("f.smt2", SMALL)]);
    for output in ["f.smt2", "./f.smt2"] {
        for option in ["-o", "--record", "--summary"] {
            let run = folder.run(&["sample", "f.smt2", option, output]).expect(2);
            assert!(run.err.contains("is the formula itself"), "{}", run.err);
        }
    }
    assert_eq!(folder.read("f.smt2"), SMALL);
    let run = folder.run(&["sample", "f.smt2", "-o", "out", "--record", "out"]).expect(2);
    assert!(run.err.starts_with("error: two outputs would go to out"), "{}", run.err);
}

#[test]
fn a_file_gets_the_same_bytes_as_standard_output() {
    let folder = Place::with(&[("f.smt2", SMALL), ("models", "old content\n")]);
    let printed = folder.run(&["sample", "f.smt2"]).expect(0).out;
    let run = folder.run(&["sample", "f.smt2", "-o", "models"]).expect(0);
    assert_eq!(run.out, "");
    assert_eq!(folder.read("models"), printed);
    assert_eq!(folder.names("."), ["f.smt2", "models"], "no temporary file is left");
}

#[test]
fn a_dash_is_standard_output() {
    let folder = Place::with(&[("f.smt2", SMALL), ("m.cnf", "p cnf 1 1\n1 0\n")]);
    let printed = folder.run(&["sample", "f.smt2"]).expect(0).out;
    assert_eq!(folder.run(&["sample", "f.smt2", "-o", "-"]).expect(0).out, printed);
    let converted = folder.run(&["convert", "m.cnf"]).expect(0).out;
    assert_eq!(folder.run(&["convert", "m.cnf", "-o", "-"]).expect(0).out, converted);
    let run = folder.run(&["sample", "f.smt2", "--record", "-"]).expect(2);
    assert!(run.err.starts_with("error: cannot write this to standard output"), "{}", run.err);
    assert_eq!(folder.names("."), ["f.smt2", "m.cnf"], "no file has this name");
    folder.run(&["sample", "f.smt2", "-o", "./-"]).expect(0);
    assert_eq!(folder.read("-"), printed);
}

#[cfg(target_os = "linux")]
mod devices {
    use super::*;
    use std::fs::File;
    use std::process::{Command, Stdio};

    #[test]
    fn a_full_disk_is_a_limit() {
        let folder = Place::with(&[("f.smt2", SMALL)]);
        for option in ["-o", "--record", "--summary"] {
            let run = folder.run(&["sample", "f.smt2", option, "/dev/full"]).expect(3);
            assert!(run.err.contains("error: cannot write /dev/full: No space left"), "{}", run.err);
        }
    }

    /// A pipe that nobody reads.
    fn closed_pipe() -> Stdio {
        let mut reader = Command::new("true").stdin(Stdio::piped()).spawn().expect("a program that ends");
        let pipe = reader.stdin.take().expect("piped");
        reader.wait().expect("it ends");
        pipe.into()
    }

    fn with_output(folder: &Place, arguments: &[&str], output: Stdio) -> (Option<i32>, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sundry"));
        command.args(arguments).current_dir(folder.path("."));
        let child = command.stdout(output).stderr(Stdio::piped()).spawn().expect("the program starts");
        let output = child.wait_with_output().expect("the program ends");
        (output.status.code(), String::from_utf8(output.stderr).expect("text"))
    }

    #[test]
    fn standard_output_may_be_full_or_closed() {
        let folder = Place::with(&[("f.smt2", SMALL)]);
        folder.run(&["sample", "f.smt2", "-o", "models"]).expect(0);
        folder.write("m.uvl", "features\n\tA\n");
        let with_option = "  = help: with -o FILE the results go to a file\n";
        let without = "  = help: with '> FILE' the results go to a file\n";
        for (arguments, help) in [
            (&["sample", "f.smt2"][..], with_option),
            (&["sample", "f.smt2", "--strategy", "all"], with_option),
            (
                &["sample", "f.smt2", "--json", "--message-format", "text"],
                "  = help: with --record FILE the results",
            ),
            (&["sample", ".", "-t", "9"], "  = help: with --summary FILE the results"),
            (&["convert", "m.uvl"], with_option),
            (&["coverage", "f.smt2", "models"], without),
            (&["solve", "f.smt2"], without),
            (&["man"], without),
            (&["man", "solve"], without),
            (&["completions", "bash"], without),
        ] {
            let full = File::options().write(true).open("/dev/full").expect("device");
            let (code, message) = with_output(&folder, arguments, full.into());
            assert_eq!(code, Some(3), "{message}");
            assert!(message.contains("error: cannot write to standard output: No space left"), "{message}");
            assert!(message.contains(help), "{arguments:?}: {message}");

            let (code, message) = with_output(&folder, arguments, closed_pipe());
            assert_eq!(code, Some(3), "{message}");
            assert!(message.contains("error: the reader of standard output closed it"), "{message}");
            assert!(message.contains(help), "{arguments:?}: {message}");
        }
    }

    #[test]
    fn devices_stay_devices() {
        let folder = Place::with(&[("f.smt2", SMALL)]);
        folder.run(&["sample", "f.smt2", "-o", "/dev/null"]).expect(0);
        let printed = folder.run(&["sample", "f.smt2", "-o", "/dev/stdout"]).expect(0).out;
        assert_eq!(printed, folder.run(&["sample", "f.smt2"]).expect(0).out);
    }
}

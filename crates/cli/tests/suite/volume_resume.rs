//! Sampling at volume that goes on where it was cut.

use std::collections::HashSet;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::common::Place;

/// Many solutions, over everything that can be sampled: more than are found in a minute.
pub const WIDE: &str = "\
(set-logic QF_ABV)
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(declare-const |odd, name| (_ BitVec 8))
(declare-const m (Array (_ BitVec 8) (_ BitVec 8)))
(declare-fun f (Bool (_ BitVec 2)) (_ BitVec 8))
(assert (distinct x y))
(assert (= |odd, name| (bvadd x y)))
(assert (bvult (select m x) (select m y)))
(assert (= (f true ((_ extract 1 0) x)) (select m |odd, name|)))
(check-sat)
";

/// 6 functions for each of 16 arrays.
pub const FEW: &str = "\
(declare-fun f (Bool) (_ BitVec 2))
(declare-const m (Array (_ BitVec 1) (_ BitVec 2)))
(assert (bvult (f true) (f false)))
(assert (bvule (select m #b0) #b11))
(assert (bvule (select m #b1) #b11))
";

/// The solutions of a file, each of which has to be whole.
#[track_caller]
pub fn solutions(text: &str, format: &str) -> Vec<String> {
    if format == "smt2" {
        let all: Vec<String> = text.split_inclusive("\n)\n").map(str::to_string).collect();
        assert!(all.iter().all(|one| one.starts_with("(\n") && one.ends_with("\n)\n")), "torn");
        return all;
    }
    assert!(text.is_empty() || text.ends_with('\n'), "torn: {}", &text[text.len().saturating_sub(200)..]);
    text.lines().skip(usize::from(format == "csv")).map(str::to_string).collect()
}

#[track_caller]
pub fn all_different(solutions: &[String]) {
    assert_eq!(solutions.iter().collect::<HashSet<_>>().len(), solutions.len(), "a solution came twice");
}

/// A solution as a model, whatever its format.
fn model(solution: &str, format: &str) -> String {
    let values: Vec<String> = match format {
        "smt2" => return solution.to_string(),
        "jsonl" => {
            let object: serde_json::Value = serde_json::from_str(solution).expect("JSON");
            ["x", "y", "odd, name", "m", "f"].map(|name| object[name].as_str().expect("text").into()).to_vec()
        }
        _ => solution.split(',').map(str::to_string).collect(),
    };
    let [x, y, sum, m, f] = &values[..] else { panic!("five values: {solution}") };
    let body = f.strip_prefix("(lambda ((x!0 Bool) (x!1 (_ BitVec 2))) ").and_then(|f| f.strip_suffix(')'));
    let byte = "(_ BitVec 8)";
    format!(
        "((define-fun x () {byte} {x})(define-fun y () {byte} {y})(define-fun |odd, name| () {byte} {sum})\
         (define-fun m () (Array {byte} {byte}) {m})\
         (define-fun f ((x!0 Bool) (x!1 (_ BitVec 2))) {byte} {}))\n",
        body.expect("a function")
    )
}

/// Runs the program and kills it after some time.
fn run_and_kill(folder: &Place, arguments: &[&str], time: Duration) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sundry"));
    command.args(arguments).current_dir(folder.path(".")).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the program starts");
    thread::sleep(time);
    assert_eq!(child.try_wait().expect("a child"), None, "it ended by itself");
    child.kill().expect("killed");
    child.wait().expect("ended");
}

/// Kills a run again and again, each time after another time, and lets it go on.
fn survives_kills(format: &str, seed: u64) {
    let folder = Place::with(&[("f.smt2", WIDE)]);
    let arguments = ["sample", "f.smt2", "--strategy", "smtsampler", "-f", format, "-o", "out", "--resume"];
    let mut random = seed;
    let mut before = String::new();
    for _ in 0..7 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        run_and_kill(&folder, &arguments, Duration::from_millis(50 + (random >> 33) % 350));
        let mut text = std::fs::read_to_string(folder.path("out")).unwrap_or_default();
        let ending = if format == "smt2" { "\n)\n" } else { "\n" };
        let whole = before.rfind(ending).map_or(0, |position| position + ending.len());
        assert!(text.starts_with(&before[..whole]), "what was there before is not there any more");
        // As if the kill had come in the middle of a write, which is rare.
        if text.len() > before.len() + 1000 {
            text.truncate(text.len() - (random >> 20) as usize % 100);
            folder.write("out", &text);
        }
        before = text;
    }
    folder.run(&[&arguments[..], &["-t", "0.2"]].concat()).expect(0);
    let all = solutions(&folder.read("out"), format);
    assert!(all.len() > 1000, "only {} solutions", all.len());
    all_different(&all);
    let step = all.len() / 500;
    let models: String = all.iter().step_by(step).map(|one| model(one, format)).collect();
    folder.write("models", models);
    folder.run(&["coverage", "f.smt2", "models", "--strict"]).expect(0);
}

#[test]
fn models_survive_kills() {
    survives_kills("smt2", 1);
}

#[test]
fn json_lines_survive_kills() {
    survives_kills("jsonl", 2);
}

#[test]
fn rows_survive_kills() {
    survives_kills("csv", 3);
}

#[test]
fn solutions_of_earlier_runs_count_and_stay() {
    let folder = Place::with(&[("f.smt2", WIDE)]);
    for format in ["smt2", "jsonl", "csv"] {
        let arguments = ["sample", "f.smt2", "--strategy", "smtsampler", "-f", format, "-o", "out"];
        folder.run(&[&arguments[..], &["-n", "300"]].concat()).expect(0);
        let first = folder.read("out");
        let more = [&arguments[..], &["-n", "1000", "--resume", "--record", "r.json"]].concat();
        let run = folder.run(&more).expect(0);
        assert!(run.err.starts_with("f.smt2: 1,000 solutions, 700 of them new, in "), "{}", run.err);
        assert!(run.err.ends_with(" s, all different\n"), "{}", run.err);
        let second = folder.read("out");
        assert!(second.starts_with(&first));
        let all = solutions(&second, format);
        assert_eq!(all.len(), 1000);
        all_different(&all);
        let record: serde_json::Value = serde_json::from_str(&folder.read("r.json")).expect("JSON");
        assert_eq!((&record["solutions"], &record["earlier"]), (&1000.into(), &300.into()));
        // Enough is enough, and the same file and seed give the same solutions.
        let run = folder.run(&more).expect(0);
        assert!(run.err.contains("1,000 solutions, 0 of them new,"), "{}", run.err);
        assert_eq!(folder.read("out"), second);
        folder.write("out", &first);
        folder.run(&more).expect(0);
        assert_eq!(folder.read("out"), second);
        // Without --resume, the file is replaced.
        folder.run(&[&arguments[..], &["-n", "300"]].concat()).expect(0);
        assert_eq!(folder.read("out"), first);
    }
}

/// Equal arrays and functions have equal texts, so nothing is found again once everything was.
#[test]
fn what_was_found_is_never_written_again() {
    let folder = Place::with(&[("f.smt2", FEW)]);
    for format in ["smt2", "jsonl", "csv"] {
        let arguments = ["sample", "f.smt2", "--strategy", "smtsampler", "-f", format, "-o", "out", "-t"];
        for _ in 0..3 {
            folder.run(&[&arguments[..], &["0.3", "--resume"]].concat()).expect(0);
            let all = solutions(&folder.read("out"), format);
            assert_eq!(all.len(), 96, "{format}");
            all_different(&all);
        }
        std::fs::remove_file(folder.path("out")).expect("removed");
    }
}

#[test]
fn names_may_have_anything() {
    let formula = "(declare-sort |S\n) \"x,| 0)(declare-const |a\n)\n| |S\n) \"x,|)(declare-const b (_ BitVec 12))\n\
                   (declare-fun f (|S\n) \"x,|) Bool)(assert (=> (= b #x000) (f |a\n)\n|)))\n";
    let folder = Place::with(&[("f.smt2", formula)]);
    for format in ["smt2", "jsonl", "csv"] {
        let arguments =
            ["sample", "f.smt2", "--strategy", "smtsampler", "-f", format, "-o", "out", "--resume"];
        for (number, new) in [("50", "50 solutions in "), ("90", "90 solutions, 40 of them new, in ")] {
            let run = folder.run(&[&arguments[..], &["-n", number]].concat()).expect(0);
            assert!(run.err.starts_with(&format!("f.smt2: {new}")), "{}", run.err);
        }
        std::fs::remove_file(folder.path("out")).expect("removed");
    }
}

#[test]
fn a_last_solution_that_is_not_whole_is_cut_off() {
    let folder = Place::with(&[("f.smt2", WIDE)]);
    for format in ["smt2", "jsonl", "csv"] {
        let arguments =
            ["sample", "f.smt2", "--strategy", "smtsampler", "-f", format, "-o", "out", "-n", "20"];
        folder.run(&arguments).expect(0);
        let text = folder.read("out");
        for cut in [1, 2, 40] {
            folder.write("out", &text[..text.len() - cut]);
            let run = folder.run(&[&arguments[..], &["--resume"]].concat()).expect(0);
            assert!(
                run.err.starts_with("out: note: after 19 solutions, an incomplete solution"),
                "{}",
                run.err
            );
            let all = solutions(&folder.read("out"), format);
            assert_eq!(all.len(), 20);
            all_different(&all);
        }
        // Nothing but a part of the heading, or of the first solution.
        for length in [0, 1] {
            folder.write("out", &text[..length]);
            folder.run(&[&arguments[..], &["--resume"]].concat()).expect(0);
            assert_eq!(folder.read("out"), text);
        }
    }
}

#[test]
fn files_of_something_else_are_refused_and_kept() {
    let other = "(declare-const x (_ BitVec 9)) (declare-const y Bool) (assert (bvult x #b000011111))";
    let folder = Place::with(&[("f.smt2", WIDE), ("other.smt2", other), ("text", "Dear reader\n")]);
    fn arguments<'a>(formula: &'a str, format: &'a str, file: &'a str) -> [&'a str; 10] {
        ["sample", formula, "--strategy", "smtsampler", "-n", "9", "-f", format, "-o", file]
    }
    for format in ["smt2", "jsonl", "csv"] {
        folder.run(&arguments("other.smt2", format, &format!("other-{format}"))).expect(0);
        folder.run(&arguments("f.smt2", format, &format!("f-{format}"))).expect(0);
    }
    let broken = folder.read("f-csv").replacen("\n#x", "\n#x00,#x", 5);
    folder.write("broken-csv", &broken);
    for (format, file) in [
        ("csv", "f-jsonl"),
        ("csv", "f-smt2"),
        ("csv", "other-csv"),
        ("csv", "broken-csv"),
        ("jsonl", "f-smt2"),
        ("jsonl", "other-jsonl"),
        ("smt2", "f-csv"),
        ("smt2", "other-smt2"),
        ("smt2", "text"),
    ] {
        let before = folder.read(file);
        let run = folder.run(&[&arguments("f.smt2", format, file)[..], &["--resume"]].concat()).expect(2);
        assert!(run.err.starts_with(&format!("error: cannot continue {file}: ")), "{}", run.err);
        assert_eq!(folder.read(file), before);
    }
    #[cfg(unix)]
    folder.run(&[&arguments("f.smt2", "csv", "/dev/null")[..], &["--resume"]].concat()).expect(2);
    folder.run(&["sample", "f.smt2", "--resume", "-o", "f-smt2"]).expect(2);
}

#[test]
fn what_memory_has_no_room_for_is_said() {
    let folder = Place::with(&[("f.smt2", WIDE)]);
    let arguments = ["sample", "f.smt2", "--strategy", "smtsampler", "-f", "csv", "-o", "out", "--resume"];
    folder.run(&[&arguments[..], &["-n", "20000"]].concat()).expect(0);
    let run = folder.run(&[&arguments[..], &["-n", "20100", "--remembered", "1"]].concat()).expect(0);
    assert!(run.err.contains("20,100 solutions, 100 of them new"), "{}", run.err);
    assert!(run.err.contains("unique within a window of 6,553"), "{}", run.err);
}

//! `sundry reduce`, with small shell scripts as what is to be kept.
#![cfg(unix)]

use crate::common::Place;

const SCRIPT: &str = "\
(set-logic QF_BV)
(set-info :source |somewhere|)
(declare-const x (_ BitVec 32))
(declare-const y (_ BitVec 32))
(declare-fun f ((_ BitVec 32)) (_ BitVec 32))
(define-fun twice ((z (_ BitVec 32))) (_ BitVec 32) (bvadd z z))
(assert (and (bvult x y) (= (twice x) (bvmul (f y) (bvudiv x #x00000010)))))
(push 1)
(assert (or (bvugt x #x00000fff) (not (= y (f x)))))
(check-sat)
(pop 1)
(check-sat)
";

fn check(place: &Place, body: &str) -> String {
    place.write("check.sh", body);
    place.script("check.sh")
}

#[test]
fn what_the_check_needs_is_kept() {
    let place = Place::with(&[("script.smt2", SCRIPT)]);
    let check = check(&place, "grep -q bvudiv \"$1\" && grep -q check-sat \"$1\"\n");
    let run = place.run(&["reduce", "script.smt2", "--check", &check]).expect(0);
    // One application of the operator, as narrow as can be.
    assert_eq!(run.out, "(assert (= #b0 (bvudiv #b0 #b0)))\n(check-sat)\n");
    assert!(run.err.contains(" bytes left, "), "{}", run.err);
}

#[test]
fn exit_codes_and_output_are_kept() {
    let place = Place::with(&[("script.smt2", SCRIPT)]);
    let body = "grep -c 'check-sat' \"$1\"; grep -q push \"$1\" && exit 7; exit 0\n";
    let check = check(&place, body);
    let run = place.run(&["reduce", "script.smt2", "--check", &check, "-o", "small.smt2"]).expect(0);
    assert_eq!(run.out, "");
    assert_eq!(place.read("small.smt2"), "(push 1)\n(check-sat)\n(check-sat)\n");
}

#[test]
fn texts_to_match_count_alone() {
    let place = Place::with(&[("script.smt2", SCRIPT)]);
    let body = "wc -c < \"$1\"; grep -q bvmul \"$1\" && echo 'Fatal failure' >&2; exit 1\n";
    let check = check(&place, body);
    let arguments = ["reduce", "script.smt2", "--check", &check, "--match", "Fatal failure"];
    let run = place.run(&arguments).expect(0);
    assert!(run.out.contains("bvmul") && !run.out.contains("bvudiv"), "{}", run.out);
    let none = place.run(&["reduce", "script.smt2", "--check", &check, "--match", "other"]).expect(2);
    assert!(none.err.contains("--match"), "{}", none.err);
}

#[test]
fn texts_to_match_count_where_the_command_hangs() {
    let script = "(declare-const x (_ BitVec 4)) (assert (= (bvmul x x) x)) (check-sat)";
    let place = Place::with(&[("script.smt2", script)]);
    let body = "grep -q check-sat \"$1\" && echo 'Fatal failure'; grep -q bvmul \"$1\" && sleep 9; exit 0\n";
    let check = check(&place, body);
    let run = |text| {
        let arguments =
            ["reduce", "script.smt2", "--check", &check, "--check-timeout", "0.2", "--match", text];
        place.run(&arguments)
    };
    let hangs = run("Fatal failure").expect(0);
    assert!(hangs.out.contains("bvmul") && hangs.out.contains("check-sat"), "{}", hangs.out);
    assert!(run("other").expect(2).err.contains("--match"));
}

/// A command that runs when time is up is not waited for, at the first script nor at a later one.
#[test]
fn time_ends_the_command_that_runs() {
    let place = Place::with(&[("script.smt2", SCRIPT)]);
    let hangs = |condition: &str| check(&place, &format!("{condition} && sleep 100; exit 0\n"));
    let run = |check: &str| {
        let arguments = ["reduce", "script.smt2", "--check", check, "--check-timeout", "90", "-t", "1"];
        place.run(&arguments).expect(3)
    };
    let whole = run(&hangs("true"));
    assert!(whole.err.contains("stopped before the command finished on the whole script"), "{}", whole.err);
    assert_eq!(whole.out, "");
    let check = hangs("true");
    let slow = place.run(&["reduce", "script.smt2", "--slow", &check, "--check-timeout", "90", "-t", "1"]);
    let slow = slow.expect(3);
    assert!(slow.err.contains("stopped before the command finished on the whole script"), "{}", slow.err);
}

#[test]
fn limits_keep_the_smallest_so_far() {
    let place = Place::with(&[("script.smt2", SCRIPT)]);
    let check = check(&place, "sleep 0.2; grep -q bvudiv \"$1\"\n");
    let arguments = ["reduce", "script.smt2", "--check", &check, "--timeout", "1", "-o", "small.smt2"];
    let run = place.run(&arguments).expect(3);
    assert!(run.err.contains("stopped before it was finished"), "{}", run.err);
    assert!(place.read("small.smt2").contains("bvudiv"));
}

#[test]
fn bad_input_is_told() {
    let place = Place::with(&[("script.smt2", SCRIPT), ("broken.smt2", "(assert (")]);
    let broken = place.run(&["reduce", "broken.smt2", "--check", "true"]).expect(2);
    assert!(broken.err.contains("broken.smt2:1:"), "{}", broken.err);
    let missing = place.run(&["reduce", "script.smt2", "--check", "no-such-command"]).expect(2);
    assert!(missing.err.contains("'no-such-command' cannot be run"), "{}", missing.err);
    let quotes = place.run(&["reduce", "script.smt2", "--check", "sh 'a"]).expect(2);
    assert!(quotes.err.contains("--check: the command sh 'a has quotes"), "{}", quotes.err);
}

#[test]
fn what_is_not_known_is_reduced_as_a_tree() {
    let sets =
        "; sets of one solver\n(set-logic ALL) (declare-fun s () (Set Int)) (declare-fun t () (Set Int))
        (assert (set.subset s (set.union s t))) (assert (= s t)) (check-sat)\n";
    let place = Place::with(&[("sets.smt2", sets), ("script.smt2", SCRIPT)]);
    let run = place.run(&["reduce", "sets.smt2", "--check", "grep -q 'set.subset . (set.union'"]).expect(0);
    assert!(run.err.contains("sets.smt2:2: ") && run.err.contains("as a tree of expressions"), "{}", run.err);
    assert!(run.out.starts_with("(assert (set.subset ") && run.out.len() < 50, "{}", run.out);
    // The command counts the lines of the comment, which are gone when the script is printed again.
    let run = place.run(&["reduce", "script.smt2", "--check", "grep -c bv", "--tree"]).expect(0);
    assert!(run.out.len() < SCRIPT.len() && !run.err.contains("tree"), "{}{}", run.out, run.err);
    let run = place.run(&["reduce", "sets.smt2", "--check", "grep -c remark"]);
    assert_eq!(run.code, 0, "{}", run.err);
}

/// Takes time where a script multiplies, in the shell alone.
const SLOW: &str = "grep -q bvmul \"$1\" || exit 0\ni=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done\n";

#[test]
fn checks_at_the_same_time_make_no_difference() {
    let place = Place::with(&[("script.smt2", SCRIPT)]);
    // The later a script comes, the sooner it is decided.
    let body =
        "grep -q bvudiv \"$1\" && grep -q '(push' \"$1\" || exit 1; sleep 0.0$(($(wc -c < \"$1\") % 5))\n";
    let check = check(&place, body);
    let runs = ["1", "2", "8"].map(|jobs| {
        let run = place.run(&["reduce", "script.smt2", "--check", &check, "--jobs", jobs]).expect(0);
        (run.out, run.err.split(" tried").next().map(str::to_string))
    });
    assert_eq!(runs[0].0, "(assert (= #b0 (bvudiv #b0 #b0)))\n(push 1)\n");
    assert!(runs[0] == runs[1] && runs[0] == runs[2], "{runs:?}");
}

#[test]
fn what_is_slow_here_and_fast_there_stays_so() {
    let place = Place::with(&[("script.smt2", SCRIPT), ("slow.sh", SLOW)]);
    let slow = place.script("slow.sh");
    let common = ["reduce", "script.smt2", "--at-least", "0.1"];
    let run = |more: &[&str]| place.run(&[&common[..], more].concat());
    let alone = run(&["--slow", &slow]).expect(0);
    assert!(alone.out.contains("bvmul") && alone.out.len() < 40, "{}", alone.out);
    // What makes the other one end in another way is not fast.
    place.write("fast.sh", "grep -q check-sat \"$1\" || { echo '(error \"nothing asked\")'; }\n");
    let fast = place.script("fast.sh");
    let both = run(&["--slow", &slow, "--fast", &fast, "--factor", "2"]).expect(0);
    assert!(both.out.contains("bvmul") && both.out.contains("check-sat"), "{}", both.out);
}

#[test]
fn what_is_not_slow_is_told() {
    let place = Place::with(&[("script.smt2", SCRIPT), ("slow.sh", SLOW)]);
    let slow = place.script("slow.sh");
    let quick = place.run(&["reduce", "script.smt2", "--slow", "true"]).expect(2);
    assert!(quick.err.contains("0.00 s of processor time, less than --at-least 0.50 s"), "{}", quick.err);
    let same = ["reduce", "script.smt2", "--slow", &slow, "--fast", &slow, "--at-least", "0.1"];
    let same = place.run(&same).expect(2);
    assert!(same.err.contains("less than 5 times the"), "{}", same.err);
    let hangs =
        ["reduce", "script.smt2", "--slow", &slow, "--fast", "sh -c 'sleep 60'", "--check-timeout", "1"];
    let hangs = place.run(&hangs).expect(2);
    assert!(hangs.err.contains("the --fast command does not end"), "{}", hangs.err);
    for (arguments, message) in [
        (&["--check", "true", "--slow", "true"][..], "cannot be used with"),
        (&["--fast", "true"], "required"),
        (&["--slow", "true", "--factor", "1"], "expected a number greater than 1"),
        (&[], "required"),
    ] {
        let run = place.run(&[&["reduce", "script.smt2"], arguments].concat()).expect(2);
        assert!(run.err.contains(message), "{}", run.err);
    }
}

#[test]
fn a_kill_leaves_the_smallest_so_far_in_the_file() {
    let place = Place::with(&[("script.smt2", SCRIPT)]);
    let check = check(&place, "sleep 0.05; grep -q bvudiv \"$1\"\n");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_sundry"));
    command.args(["reduce", "script.smt2", "--check", &check, "-o", "small.smt2"]);
    let mut child = command.current_dir(place.path(".")).spawn().expect("the program starts");
    let start = std::time::Instant::now();
    let smallest = loop {
        let text = std::fs::read_to_string(place.path("small.smt2")).unwrap_or_default();
        if !text.is_empty() && text.len() < 300 {
            break text;
        }
        assert!(start.elapsed().as_secs() < 60, "nothing is written");
        std::thread::sleep(std::time::Duration::from_millis(5));
    };
    child.kill().expect("killed");
    child.wait().expect("it has ended");
    // Whatever came in between: a whole script that shows the same.
    let left = place.read("small.smt2");
    assert!(left.contains("bvudiv") && left.ends_with(")\n") && left.len() <= smallest.len(), "{left}");
    place.run(&["reduce", "small.smt2", "--check", "grep -q bvudiv"]).expect(0);
}

#[test]
fn commands_that_hang_print_without_end_or_fork_do_no_harm() {
    let place = Place::with(&[("script.smt2", SCRIPT)]);
    // Each misbehaves on most of the smaller scripts.
    for trouble in ["sleep 600", "yes", "sleep 600 & sleep 600 & exit 1"] {
        let check = check(&place, &format!("grep -q bvudiv \"$1\" && exit 0\n{trouble}\n"));
        let arguments = ["reduce", "script.smt2", "--check", &check, "--check-timeout", "0.3"];
        let run = place.run(&arguments).expect(0);
        assert!(run.out.contains("bvudiv") && run.out.len() < 60, "{trouble}: {}", run.out);
    }
}

#[test]
fn huge_scripts_begin_to_shrink_at_once() {
    use std::fmt::Write;
    let mut text = String::from("(declare-const x (_ BitVec 32))\n");
    for number in 0..60_000u32 {
        let _ = writeln!(text, "(assert (bvult (bvmul x #x{number:08x}) (bvadd x #x{:08x})))", number / 3);
    }
    text.push_str("(assert (= (bvudiv x #x00000010) x))\n(check-sat)\n");
    let place = Place::with(&[("script.smt2", &*text)]);
    let arguments = ["reduce", "script.smt2", "--check", "grep -q bvudiv"];
    let run = place.run(&arguments).expect(0);
    assert_eq!(run.out, "(assert (= (bvudiv #b0 #b0) #b0))\n");
}

//! `sundry fuzz` with solvers and seeds that do harm: it goes on, says what happened, and leaves nothing behind.
//!
//! The solvers are some lines of shell. They answer as `sundry solve` does, until a formula has the word `victim` in
//! it: what solvers are asked to find out what they read has not.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::common::{Place, Run, right};

const SEED: &str = "\
(set-logic QF_BV)
(declare-const victim (_ BitVec 4))
(declare-const y (_ BitVec 4))
(assert (bvult victim y))
(assert (or (= (bvadd victim y) #x9) (bvule y #x2)))
(check-sat)
";

/// A solver that does this with victims. Its script's file is `$1`.
fn solver(place: &Place, lines: &str) -> String {
    let text = format!("if grep -q victim \"$1\"; then\n{lines}\nelse exec {} \"$1\"; fi\n", right());
    place.write("solver.sh", text);
    place.script("solver.sh")
}

/// A solver that does this with every second victim, beginning with the first, and else answers right.
fn unsteady(place: &Place, lines: &str) -> String {
    let counter = place.path("counter").display().to_string();
    solver(
        place,
        &format!(
            "echo x >> '{counter}'\n\
             if [ $(($(wc -l < '{counter}') % 2)) = 1 ]; then\n{lines}\nelse exec {} \"$1\"; fi",
            right()
        ),
    )
}

/// Runs a campaign with a folder of its own for temporary files, of which nothing may be left.
#[track_caller]
fn fuzz(place: &Place, solver: &str, more: &[&str], code: i32) -> Run {
    place.write("tmp/.keep", "");
    let temporary = place.path("tmp");
    let _ = fs::remove_dir_all(place.path("findings"));
    let mut arguments = vec!["fuzz", "seeds", "--solver", solver, "-j", "2", "--verbose"];
    if !more.contains(&"--no-mutation") {
        arguments.extend(["--mutants", "3"]);
    }
    arguments.extend(more);
    let begin = Instant::now();
    let output = place.command(&arguments).env("TMPDIR", &temporary).output().expect("it starts");
    let run = Run {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).expect("text"),
        err: String::from_utf8(output.stderr).expect("text"),
    };
    let run = run.expect(code);
    assert!(!run.err.contains("panicked"), "{}", run.err);
    assert!(begin.elapsed() < Duration::from_secs(120), "{:?}: {}", begin.elapsed(), run.err);
    assert_eq!(place.names("tmp"), [".keep"], "{}", run.err);
    assert_eq!(processes_in(&temporary), [""; 0], "{}", run.err);
    run
}

/// The command lines of processes whose temporary files go to a folder or one below.
fn processes_in(folder: &Path) -> Vec<String> {
    let wanted = format!("TMPDIR={}", folder.display());
    let read = |path: &Path| String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).into_owned();
    let entries = fs::read_dir("/proc").expect("processes are told").flatten().map(|entry| entry.path());
    let is_below = |process: &std::path::PathBuf| {
        read(&process.join("environ")).split('\0').any(|variable| variable.starts_with(&wanted))
    };
    entries.filter(is_below).map(|process| read(&process.join("cmdline"))).collect()
}

fn seeded() -> Place {
    Place::with(&[("seeds/seed.smt2", SEED)])
}

#[test]
fn programs_that_cannot_be_run() {
    let place = seeded();
    let missing = fuzz(&place, "/nonexistent/solver", &[], 2);
    assert!(missing.err.contains("'/nonexistent/solver' cannot be used: No such file"), "{}", missing.err);
    place.write("text", "sat\n");
    let text = fuzz(&place, &format!("'{}'", place.path("text").display()), &[], 2);
    assert!(text.err.contains("cannot be used: Permission denied"), "{}", text.err);
    let folder = fuzz(&place, &format!("'{}'", place.path("seeds").display()), &[], 2);
    assert!(folder.err.contains("cannot be used"), "{}", folder.err);
}

#[test]
fn answers_that_are_none() {
    let place = seeded();
    for line in [
        r"printf '\377\000\001(\n'",
        "head -c 20000000 /dev/zero",
        "yes sat | head -c 20000000",
        "yes '(' | tr -d '\\n' | head -c 20000000",
        "echo '((('; echo sat",
        "echo '(error \"no\")'; echo unsat",
        "echo unsat; echo sat",
        "echo unsat; echo unsat",
        "echo SAT",
        "true",
        "exit 1",
    ] {
        let run = fuzz(&place, &solver(&place, line), &[], 0);
        assert!(
            run.err.contains("1 seed of which nobody knows whether it is satisfiable"),
            "{line}: {}",
            run.err
        );
        assert!(run.err.contains("no defect found"), "{line}: {}", run.err);
    }
}

#[test]
fn models_that_are_none() {
    let place = seeded();
    for line in [
        "echo sat; echo '((('",
        "echo sat; echo '(error \"no model\")'",
        "echo sat; exit 1",
        "echo sat; echo '(model nonsense)'",
        "echo sat; echo '((define-fun victim () Int 3))'",
        "echo sat; echo '((define-fun victim () (_ BitVec 4) #x1) (define-fun'",
        "echo sat; echo '((define-fun victim () (_ BitVec 4) victim))'",
        "echo sat; head -c 20000000 /dev/zero",
    ] {
        let run = fuzz(&place, &solver(&place, line), &["--reference", &right()], 0);
        assert!(run.err.contains("no defect found"), "{line}: {}", run.err);
        assert!(run.err.contains("sat, 3 mutants"), "{line}: {}", run.err);
    }
}

#[test]
fn solvers_that_do_not_end() {
    let place = seeded();
    for line in [
        "trap '' TERM INT HUP; while :; do sleep 1; done",
        "while :; do :; done",
        "kill -STOP $$",
        "sleep 100 & sleep 100 & wait",
        "exec sleep 100",
    ] {
        let run =
            fuzz(&place, &solver(&place, line), &["--solver-timeout", "0.5", "--solver-wall-time", "0.5"], 0);
        assert!(run.err.contains("1 seed of which nobody knows"), "{line}: {}", run.err);
    }
    let busy = solver(&place, "while :; do :; done");
    let run = fuzz(&place, &busy, &["--solver-timeout", "0.3", "--solver-wall-time", "60"], 0);
    assert!(run.err.contains("1 seed of which nobody knows"), "{}", run.err);
}

#[test]
fn solvers_that_leave_others_behind() {
    let place = seeded();
    for helper in [
        "sleep 100 &",
        "setsid sleep 100 &",
        "(setsid sh -c 'sleep 100 & sleep 100' &)",
        "(trap '' HUP; nohup setsid sleep 100 > /dev/null 2>&1 &)",
    ] {
        let line = format!("{helper}\nexec {} \"$1\"", right());
        let run = fuzz(&place, &solver(&place, &line), &[], 0);
        assert!(run.err.contains("seed.smt2: sat, 3 mutants"), "{helper}: {}", run.err);
    }
}

#[test]
fn solvers_that_take_too_much() {
    let place = seeded();
    let memory = "head -c 300000000 /dev/zero | tail -c 300000000 | sleep 100";
    let limits = ["--solver-memory", "100", "--solver-timeout", "60"];
    let run = fuzz(&place, &solver(&place, memory), &limits, 0);
    assert!(run.err.contains("1 seed of which nobody knows"), "{}", run.err);
    // A file of 300 MB, most of which is a hole.
    let file = "exec dd if=/dev/zero of=file bs=1 count=1 seek=300000000";
    let run = fuzz(&place, &solver(&place, file), &["--reference", &right()], 0);
    assert!(run.err.contains("no defect found"), "{}", run.err);
    let litter = format!("mkdir -p a/b; echo x > a/b/c; mktemp; mktemp -d; exec {} \"$1\"", right());
    let run = fuzz(&place, &solver(&place, &litter.replace("mktemp", "mktemp >&2")), &[], 0);
    assert!(run.err.contains("seed.smt2: sat, 3 mutants"), "{}", run.err);
}

#[test]
fn what_does_not_show_again_is_no_defect() {
    let place = seeded();
    for line in ["kill -SEGV $$", "echo unsat"] {
        let solver = unsteady(&place, line);
        let _ = fs::remove_file(place.path("counter"));
        let run = fuzz(&place, &solver, &["--reference", &right(), "--no-mutation"], 0);
        // One on the formula, and one on the script as it is written.
        assert!(run.err.contains("2 findings did not show again"), "{line}: {}", run.err);
        assert!(run.err.contains("no defect found"), "{line}: {}", run.err);
    }
    let solver = solver(&place, "kill -SEGV $$");
    let run = fuzz(&place, &solver, &["--reference", &right(), "--no-mutation"], 1);
    assert!(run.err.contains("crash: signal 11"), "{}", run.err);
    // That is what systems do where memory is short.
    let killed = self::solver(&place, "kill -KILL $$");
    let run = fuzz(&place, &killed, &["--reference", &right(), "--no-mutation"], 0);
    assert!(run.err.contains("no defect found"), "{}", run.err);
}

#[test]
fn solvers_that_remove_what_they_work_with() {
    let place = seeded();
    for line in ["rm -f \"$1\"", "rm -rf \"$(dirname \"$1\")\"", "rm -rf \"$PWD\"", "echo '(' > \"$1\""] {
        let line = format!("answer=$({} \"$1\")\n{line}\necho \"$answer\"", right());
        let run = fuzz(&place, &solver(&place, &line), &[], 0);
        assert!(run.err.contains("seed.smt2: sat, 3 mutants"), "{line}: {}", run.err);
    }
    let line = format!("rm '{}'; echo sat", place.path("solver.sh").display());
    let run = fuzz(&place, &solver(&place, &line), &[], 0);
    assert!(run.err.contains("3 of 3 without an answer"), "{}", run.err);
}

#[test]
fn no_place_for_temporary_files() {
    let place = seeded();
    place.write("file", "");
    for temporary in ["/nonexistent", &place.path("file").display().to_string()] {
        let mut command = place.command(&["fuzz", "seeds", "--solver", &right()]);
        let output = command.env("TMPDIR", temporary).output().expect("it starts");
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(3), "{errors}");
        assert!(errors.contains("cannot make a temporary folder"), "{errors}");
    }
}

#[test]
fn seeds_that_are_none() {
    let place = seeded();
    let deep = format!(
        "(declare-const p Bool)\n(declare-const q Bool)\n(assert {}(or p q){})\n",
        "(not ".repeat(100_000),
        ")".repeat(100_000)
    );
    place.write("seeds/deep.smt2", &deep);
    place.write("seeds/open.smt2", "(".repeat(100_000));
    place.write("seeds/empty.smt2", "");
    place.write("seeds/binary.smt2", [0xffu8, 0, 1, b'(', 0xfe]);
    place.write("seeds/text.smt2", "Dear solver,\nis there a model?\n");
    place.write("seeds/half.smt2", &SEED[..SEED.len() / 2]);
    place.write("seeds/unknown.smt2", format!("{SEED}(frobnicate 3)\n"));
    let run = fuzz(&place, &right(), &["--solver-timeout", "10"], 0);
    for (name, why) in [
        ("open", "left out: "),
        ("binary", "left out: "),
        ("text", "left out: "),
        ("half", "left out: "),
        // Others may know it.
        ("unknown", "sat, 3 mutants"),
        ("deep", "sat, 3 mutants"),
        ("seed", "sat, 3 mutants"),
    ] {
        assert!(run.err.contains(&format!("seeds/{name}.smt2: {why}")), "{name}: {}", run.err);
    }
    assert!(run.err.contains("4 seeds that cannot be read left out"), "{}", run.err);
}

#[test]
fn a_seed_of_ten_megabytes() {
    let place = Place::new();
    let mut seed = String::from("(declare-const p Bool)\n(declare-const x (_ BitVec 16))\n");
    for number in 0u32.. {
        if seed.len() > 10_000_000 {
            break;
        }
        seed += &format!("(assert (or p (= x (_ bv{} 16))))\n", number % 65_536);
    }
    place.write("seeds/large.smt2", seed);
    let run = fuzz(&place, &right(), &["--solver-timeout", "20"], 0);
    assert!(run.err.contains("no defect found"), "{}", run.err);
}

#[test]
fn patterns_name_seeds() {
    let place = seeded();
    place.write("more/a/unsat.smt2", "(declare-const x (_ BitVec 2))\n(assert (bvult x #b00))\n");
    let run = fuzz(&place, &right(), &["more/**/*.smt2"], 0);
    assert!(run.err.contains("2 seeds, "), "{}", run.err);
    let run = fuzz(&place, &right(), &["more/*.txt"], 2);
    assert!(run.err.contains("the pattern 'more/*.txt' matches nothing"), "{}", run.err);
}

#[test]
fn solvers_under_test_check_themselves_on_request() {
    let place = seeded();
    let log = place.path("log").display().to_string();
    let lines = format!(
        "echo \"$@\" >> '{log}'; for file; do :; done\n\
         case \"$*\" in *--bad*) echo '(error \"no such option\")';; *) exec {} \"$file\";; esac\n",
        right()
    );
    place.write("checking.sh", lines);
    place.write("profiles.toml", "[checking]\nprograms = ['sh']\nself_check = ['--check', '--bad']\n");
    let solver = place.script("checking.sh");
    let more = ["--profiles", "profiles.toml", "--self-check"];
    let run = fuzz(&place, &solver, &more, 0);
    assert!(run.err.contains("seed.smt2: sat, 3 mutants"), "{}", run.err);
    let calls = place.read("log");
    let last = calls.lines().last().expect("it was called");
    assert!(last.starts_with("--check /"), "{last}");
    fuzz(&place, &solver, &more[..2], 0);
    let calls = place.read("log");
    let last = calls.lines().last().expect("it was called");
    assert!(last.starts_with('/'), "{last}");
}

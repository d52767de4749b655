//! Probing of solvers that are short shell scripts.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use sundry_external::{
    Circumstances, Dialect, Escapes, Fault, Feature, Inquiry, Limits, Profiles, Reply, Respondent, Solver,
    Unusable, Verdict,
};
use tempfile::TempDir;

/// A program that reads lines like a solver: prints the words of `echo`, answers, forgets, and stops at unknown
/// input.
const AWK: &str = r#"
/^\(echo / { print substr($0, 7, length($0) - 7) }
/UNREAD/ { print "(error \"unknown: " $0 "\")"; exit 1 }
/^\(check-sat/ { print last ~ /not p/ ? "unsat" : "sat" }
/^\(get-/ { print "(something)" }
{ last = $0 }
"#;

/// A solver with these arguments in front of the script's file, and its folder. A file records the scripts that it
/// gets.
struct Fake {
    folder: TempDir,
    solver: Solver,
}

impl Fake {
    fn new(shell: &str, profile: &str) -> Fake {
        let folder = tempfile::tempdir().expect("a folder");
        let log = folder.path().join("log").display().to_string();
        let path = folder.path().join("fake.sh");
        let text = format!("for file; do :; done\n(echo started; cat \"$file\") >> '{log}'\n{shell}\n");
        fs::write(&path, text).expect("it is written");
        let mut profiles = Profiles::built_in();
        profiles.extend(&format!("[fake]\nprograms = ['sh']\n{profile}")).expect("a legal profile");
        let solver = Solver::new(&format!("sh '{}'", path.display()), &profiles).expect("a command");
        Fake { folder, solver }
    }

    /// One that reads lines, except those that match.
    fn reader(unread: &str, profile: &str) -> Fake {
        let fake = Fake::new("", profile);
        let program = fake.folder.path().join("program.awk");
        fs::write(&program, AWK.replace("UNREAD", unread)).expect("it is written");
        let path = fake.folder.path().join("fake.sh");
        let shell = fs::read_to_string(&path).expect("it is there");
        fs::write(&path, format!("{shell}exec awk -f '{}' \"$file\"\n", program.display())).expect("written");
        fake
    }

    fn limits() -> Limits {
        Limits { wall: Duration::from_secs(5), ..Limits::default() }
    }

    fn probed(&self) -> Result<Solver, Unusable> {
        let never = Arc::<AtomicBool>::default();
        let limits = Fake::limits();
        let circumstances = Circumstances::new(self.folder.path(), &limits, &never);
        self.solver.clone().probed(circumstances)
    }

    fn ask(&self, solver: &Solver, script: &str) -> Reply {
        let inquiry = Inquiry::parse(script).expect("a legal script");
        let (limits, never) = (Fake::limits(), Arc::<AtomicBool>::default());
        let circumstances = Circumstances::new(self.folder.path(), &limits, &never);
        solver.ask(&inquiry, circumstances).expect("it can be started")
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }
}

fn lacking(solver: &Solver) -> Vec<Feature> {
    solver.capabilities().lacking.keys().copied().collect()
}

#[test]
fn what_is_refused_is_lacking_and_not_asked_again() {
    let fake = Fake::reader("Int|declare-datatypes", "");
    let solver = fake.probed().expect("it answers");
    use Feature::*;
    let expected = [Integers, Sequences, Datatypes, Conversions, SignedConversions];
    assert_eq!(lacking(&solver), expected);
    // The trivial script, everything up to the integers, from there to the datatypes, the escapes; other spellings change nothing.
    assert!(fake.log().matches("started\n").count() <= 7, "{}", fake.log());
    let before = fake.log();
    let reply = fake.ask(&solver, "(declare-fun x () Int)\n(check-sat)\n");
    let Some(Fault::Unsupported(why)) = reply.fault else { panic!("{reply:?}") };
    assert!(why.starts_with("integers: unknown: (declare-fun x () Int)"), "{why}");
    assert_eq!(fake.log(), before);
    let reply = fake.ask(&solver, "(declare-fun x () Bool)\n(check-sat)\n");
    assert_eq!(reply.verdict(), Some(Verdict::Sat));
}

#[test]
fn a_solver_without_echo_is_asked_one_by_one() {
    let fake = Fake::new("grep -q 'str.in.re' \"$file\" && echo '(error \"none\")'; echo sat", "");
    let solver = fake.probed().expect("it answers");
    // The solver prints no models; the lack of models does not prevent other questions.
    assert_eq!(lacking(&solver), [Feature::RegularExpressions, Feature::Models]);
    let script = "(set-option :produce-models true)\n(check-sat)\n(get-model)\n";
    assert_eq!(fake.ask(&solver, script).verdict(), Some(Verdict::Sat));
    assert!(fake.log().ends_with("started\n(check-sat)\n"), "{}", fake.log());
}

#[test]
fn a_solver_that_does_not_reset_is_asked_one_by_one() {
    let fake = Fake::reader("reset\\)|Real", "");
    assert_eq!(lacking(&fake.probed().expect("it answers")), [Feature::Reals]);
}

#[test]
fn the_dialect_is_the_one_of_which_most_is_read() {
    let dialect = |unread| Fake::reader(unread, "").probed().expect("it answers").profile().dialect;
    assert_eq!(dialect("nothing"), Dialect::Current);
    assert_eq!(dialect("bv_to_int|int_to_bv"), Dialect::Former);
    assert_eq!(dialect("bv_to_int|int_to_bv|str.to_int|str.in_re"), Dialect::OlderStrings);
    let older = Fake::reader("bv_to_int|int_to_bv|str.to_int|str.in_re", "");
    assert_eq!(lacking(&older.probed().expect("it answers")), [Feature::SignedConversions]);
}

#[test]
fn a_build_says_which_escapes_it_means() {
    let escapes = |shell| Fake::new(shell, "").probed().expect("it answers").capabilities().escapes;
    assert_eq!(escapes("if grep -q x41 \"$file\"; then echo unsat; else echo sat; fi"), Escapes::Standard);
    assert_eq!(escapes("echo sat"), Escapes::Older);
    // One that does not know strings is not asked.
    let fake = Fake::reader("String", "");
    assert_eq!(fake.probed().expect("it answers").capabilities().escapes, Escapes::Standard);
    assert!(!fake.log().contains("x41"), "{}", fake.log());
}

#[test]
fn only_the_logics_by_name_are_known() {
    let fake = Fake::reader("set-logic ALL|Real", "");
    use Feature::*;
    let expected = [Reals, Sequences, Conversions, SignedConversions];
    assert_eq!(lacking(&fake.probed().expect("it answers")), expected);
}

#[test]
fn models_are_asked_for_in_the_words_of_the_profile() {
    let profile = "models = { option = '(set-option :models yes)', command = '(get-all)' }\n";
    let fake = Fake::reader("produce-models|get-model", profile);
    let solver = fake.probed().expect("it answers");
    assert_eq!(lacking(&solver), []);
    let reply = fake.ask(&solver, "(set-option :produce-models true)\n(check-sat)\n(get-model)\n");
    assert_eq!(reply.answers[0].behind, ["(something)"]);
}

#[test]
fn crashes_and_wrong_answers_are_left_to_tests() {
    let profile = "crash = ['Fatal failure']\nunsupported = ['Unimplemented']\n";
    let crashes = Fake::new("grep -q Int \"$file\" && kill -SEGV $$; echo sat", profile);
    assert_eq!(lacking(&crashes.probed().expect("it answers")), [Feature::Models]);
    let wrong = Fake::new("if grep -q Int \"$file\"; then echo unsat; else echo sat; fi", profile);
    assert_eq!(lacking(&wrong.probed().expect("it answers")), [Feature::Models]);
    // The message is a refusal.
    let line = "{ echo 'Fatal failure in f'; echo 'Unimplemented code'; kill -ABRT $$; } >&2";
    let refuses = Fake::new(&format!("grep -q Real \"$file\" && {line}; echo sat"), profile);
    assert_eq!(lacking(&refuses.probed().expect("it answers")), [Feature::Reals, Feature::Models]);
}

#[test]
fn a_slow_solver_is_not_waited_for_long() {
    let fake = Fake::new("grep -q QF_UF \"$file\" || sleep 20; echo sat", "");
    let begin = Instant::now();
    let limits = Limits { wall: Duration::from_secs(1), ..Limits::default() };
    let never = Arc::<AtomicBool>::default();
    let solver = fake
        .solver
        .clone()
        .probed(Circumstances::new(fake.folder.path(), &limits, &never))
        .expect("it answers");
    assert_eq!(lacking(&solver), []);
    assert!(begin.elapsed() < Duration::from_secs(15));
}

#[test]
fn solvers_of_no_use() {
    let missing = Solver::new("/nonexistent/solver", &Profiles::built_in()).expect("a command");
    let never = Arc::<AtomicBool>::default();
    let result = missing.probed(Circumstances::new(Path::new("/tmp"), &Limits::default(), &never));
    assert!(matches!(result, Err(Unusable::Start(_))), "{result:?}");
    let garbage = Fake::new("echo hello", "").probed().expect_err("no answer").to_string();
    assert_eq!(garbage, "to a trivial script it says: error: hello");
    let wrong = Fake::new("echo unsat", "").probed().expect_err("wrong").to_string();
    assert_eq!(wrong, "it says unsat of a formula that is one variable");
}

#[test]
fn a_solver_checks_itself_with_the_options_that_it_takes() {
    let profile = "self_check = ['--models', '--proofs', '--cores']\n";
    let fake = Fake::new("case \"$*\" in *--proofs*) echo '(error \"what?\")';; *) echo sat;; esac", profile);
    let never = Arc::<AtomicBool>::default();
    let limits = Fake::limits();
    let solver = fake
        .solver
        .clone()
        .with_self_checks(Circumstances::new(fake.folder.path(), &limits, &never))
        .expect("it starts");
    assert_eq!(solver.name, format!("{} --models --cores", fake.solver.name));
    assert_eq!(fake.ask(&solver, "(check-sat)\n").verdict(), Some(Verdict::Sat));
}

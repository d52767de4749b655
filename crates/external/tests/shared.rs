//! Processes that answer several scripts, of a solver that is a short shell script.

use std::fmt::Write;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use sundry_external::{
    Circumstances, Fault, Inquiry, Limits, Profiles, Reply, Respondent, SharedProcesses, Solver, Verdict,
};
use tempfile::TempDir;

/// A solver that says with each model how many scripts its process has answered. The names of constants make it crash, end,
/// refuse or never answer.
const SHELL: &str = r#"
echo "$$" >> LOG
number=1
answer() {
  while IFS= read -r line; do
    case "$line" in
      *hang*) while :; do :; done ;;
      *crash*) kill -SEGV "$$" ;;
      *error*) echo '(error "no")' ;;
      *leave*) echo sat; exit 0 ;;
      "(check-sat)") echo sat ;;
      "(get-model)") echo "(script $number)" ;;
      "(echo "*) text=${line#*\"}; echo "${text%\"*}" ;;
      "(reset)") number=$((number + 1)) ;;
    esac
  done
}
for word; do :; done
if [ "$word" = -in ]; then answer; else answer < "$word"; fi
"#;

struct Place {
    folder: TempDir,
    solver: Solver,
    limits: Limits,
}

impl Place {
    fn new() -> Place {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("fake.sh");
        let log = folder.path().join("log").display().to_string();
        fs::write(&path, SHELL.replace("LOG", &log)).expect("it is written");
        let mut profiles = Profiles::built_in();
        profiles.extend("[fake]\nprograms = ['sh']\ndialogue = ['-in']\n").expect("a legal profile");
        let solver = Solver::new(&format!("sh '{}'", path.display()), &profiles).expect("a command");
        let limits = Limits { wall: Duration::from_secs(10), ..Limits::default() };
        let place = Place { folder, solver, limits };
        let never = Arc::<AtomicBool>::default();
        let here = Circumstances::new(place.folder.path(), &place.limits, &never);
        let solver = place.solver.clone().probed(here).expect("it answers");
        assert!(solver.capabilities().answers_repeatedly);
        fs::write(place.folder.path().join("log"), "").expect("it is written");
        Place { solver, ..place }
    }

    fn processes(&self) -> SharedProcesses {
        SharedProcesses::new(self.folder.path())
    }

    /// The reply to a script with constants of these names.
    fn ask(&self, processes: Option<&SharedProcesses>, names: &[&str]) -> Reply {
        let declarations = names.iter().fold(String::new(), |mut text, name| {
            let _ = writeln!(text, "(declare-fun {name} () Bool)");
            text
        });
        let inquiry =
            Inquiry::parse(&format!("{declarations}(check-sat)\n(get-model)\n")).expect("a legal script");
        let never = Arc::<AtomicBool>::default();
        let here = Circumstances::new(self.folder.path(), &self.limits, &never).sharing(processes);
        self.solver.ask(&inquiry, here).expect("it can be started")
    }

    /// The numbers of the processes that were started.
    fn started(&self) -> Vec<i32> {
        let log = fs::read_to_string(self.folder.path().join("log")).expect("it is there");
        log.lines().map(|line| line.parse().expect("a number")).collect()
    }
}

/// The only model of a reply.
fn model(reply: &Reply) -> &str {
    assert_eq!((reply.verdict(), &reply.fault), (Some(Verdict::Sat), &None));
    &reply.answers()[0].behind[0]
}

#[test]
fn a_process_answers_one_script_after_another() {
    let place = Place::new();
    let processes = place.processes();
    for number in 1..=5 {
        assert_eq!(model(&place.ask(Some(&processes), &["p"])), format!("(script {number})"));
    }
    // Without shared processes, a solver starts for each.
    for _ in 0..2 {
        assert_eq!(model(&place.ask(None, &["p"])), "(script 1)");
    }
    assert_eq!(model(&place.ask(Some(&processes), &["p"])), "(script 6)");
    let started = place.started();
    assert_eq!(started.len(), 3);
    drop(processes);
    let is_alive = |number: i32| fs::exists(format!("/proc/{number}")).is_ok_and(|exists| exists);
    assert!(!started.into_iter().any(is_alive));
    assert!(!place.folder.path().join("shared").exists());
}

#[test]
fn a_process_that_a_limit_ends_has_a_successor() {
    let mut place = Place::new();
    let processes = place.processes();
    assert_eq!(model(&place.ask(Some(&processes), &["p"])), "(script 1)");
    place.limits.wall = Duration::from_millis(200);
    let reply = place.ask(Some(&processes), &["hang"]);
    assert_eq!((reply.fault, reply.answers.len()), (Some(Fault::Timeout), 0));
    place.limits.wall = Duration::from_secs(10);
    assert_eq!(model(&place.ask(Some(&processes), &["p"])), "(script 1)");
    // What takes long has all its time in a process of its own.
    place.limits.processor = Some(Duration::from_millis(500));
    let reply = place.ask(Some(&processes), &["hang"]);
    assert_eq!(reply.fault, Some(Fault::Timeout));
    assert!(reply.finished.processor >= Duration::from_millis(500));
    assert_eq!(place.started().len(), 3);
}

#[test]
fn a_process_that_ends_has_a_successor() {
    let place = Place::new();
    let processes = place.processes();
    let crash = place.ask(Some(&processes), &["crash"]);
    assert!(matches!(crash.fault, Some(Fault::Crash(_))), "{:?}", crash.fault);
    assert_eq!(model(&place.ask(Some(&processes), &["p"])), "(script 1)");
    assert_eq!(place.ask(Some(&processes), &["leave"]).verdict(), Some(Verdict::Sat));
    assert_eq!(model(&place.ask(Some(&processes), &["p"])), "(script 1)");
    assert_eq!(place.started().len(), 3);
}

#[test]
fn errors_count_only_in_a_process_with_nothing_else() {
    let place = Place::new();
    let processes = place.processes();
    assert_eq!(model(&place.ask(Some(&processes), &["p"])), "(script 1)");
    let reply = place.ask(Some(&processes), &["error"]);
    assert!(matches!(reply.fault, Some(Fault::Error(_))), "{:?}", reply.fault);
    assert_eq!(place.started().len(), 2);
}

#[test]
fn a_script_longer_than_a_pipe_arrives() {
    let mut place = Place::new();
    let processes = place.processes();
    let names: Vec<String> = (0..3_000).map(|number| format!("constant_{number}")).collect();
    let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
    assert_eq!(model(&place.ask(Some(&processes), &names)), "(script 1)");
    assert_eq!(model(&place.ask(Some(&processes), &["p"])), "(script 2)");
    // Nobody waits for a solver that does not read.
    names.insert(0, "hang");
    place.limits.wall = Duration::from_millis(200);
    assert_eq!(place.ask(Some(&processes), &names).fault, Some(Fault::Timeout));
    assert_eq!(place.started().len(), 1);
}

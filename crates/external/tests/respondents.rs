//! Respondents that wrap others: their additions, and that they forward the rest.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use sundry_counters::{Dialect, Statistics};
use sundry_external::{
    Answer, Cached, Capabilities, Circumstances, Counted, Fault, Finished, InProcess, Inquiry, Limits,
    Measured, Meter, Output, Profiles, Recorded, Reply, Respondent, Solver, Transcript, TranscriptError,
    Verdict,
};

/// Says `sat` to scripts with `p`, and is out of time for others; counts how often it is asked.
#[derive(Debug, Default)]
struct Counting {
    asked: AtomicUsize,
    capabilities: Capabilities,
}

impl Respondent for Counting {
    fn name(&self) -> &str {
        "counting"
    }

    fn family(&self) -> &str {
        "none"
    }

    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn ask(&self, inquiry: &Inquiry, _: Circumstances<'_>) -> io::Result<Reply> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let knows = inquiry.text.contains('p');
        let answer = Answer { verdict: Verdict::Sat, behind: vec!["(\n)".to_string()] };
        Ok(Reply {
            answers: if knows { vec![answer] } else { Vec::new() },
            error: None,
            executed: None,
            fault: (!knows).then_some(Fault::Timeout),
            finished: Finished { wall: Duration::from_millis(2), memory: 7, ..Finished::default() },
        })
    }
}

fn inquiry(name: &str) -> Inquiry {
    let text = format!("(declare-const {name} Bool)\n(assert {name})\n(check-sat)\n");
    Inquiry::parse(&text).expect("a legal script")
}

fn ask(respondent: &dyn Respondent, inquiry: &Inquiry) -> Reply {
    let (limits, interrupted) = (Limits::default(), Arc::<AtomicBool>::default());
    let circumstances = Circumstances::new(Path::new("."), &limits, &interrupted);
    respondent.ask(inquiry, circumstances).expect("it can be asked")
}

#[test]
fn answers_are_remembered_and_limits_are_not() {
    let counting = Arc::new(Counting::default());
    let cached = Cached::new(Arc::clone(&counting));
    let asked = || counting.asked.load(Ordering::Relaxed);
    let (known, hard) = (inquiry("p"), inquiry("x"));
    let first = ask(&cached, &known);
    let second = ask(&cached, &known);
    assert_eq!((first.verdict(), second.verdict(), asked()), (Some(Verdict::Sat), Some(Verdict::Sat), 1));
    assert_eq!(first.answers, second.answers);
    ask(&cached, &hard);
    assert_eq!((ask(&cached, &hard).fault, asked()), (Some(Fault::Timeout), 3));
    assert_eq!((cached.name(), cached.family()), ("counting", "none"));
}

#[test]
fn a_meter_adds_up_the_runs_of_all_that_share_it() {
    let meter = Arc::new(Meter::default());
    let [one, two] = [(); 2].map(|()| Measured::new(Counting::default(), Arc::clone(&meter)));
    // A remembered reply is not a run.
    let two = Cached::new(two);
    for respondent in [&one as &dyn Respondent, &two, &two] {
        ask(respondent, &inquiry("p"));
    }
    let reading = meter.read();
    assert_eq!((reading.runs, reading.wall, reading.memory), (2, Duration::from_millis(4), 7));
}

#[test]
fn a_transcript_replies_as_the_respondent_did() {
    let written = Arc::new(Mutex::new(Vec::new()));
    let recorded = Recorded::new(Counting::default(), Arc::clone(&written));
    let (known, hard, other) = (inquiry("p"), inquiry("x"), inquiry("q"));
    let replies = [ask(&recorded, &known), ask(&recorded, &hard)];
    let mut bytes = written.lock().expect("nobody panics").clone();
    // A kill has cut the last line.
    bytes.extend_from_slice(b"{\"respondent\": \"coun");
    let transcript = Transcript::read(bytes.as_slice()).expect("what is written is read");
    let replays: Vec<_> = transcript.respondents().collect();
    let [replay] = &replays[..] else { panic!("one respondent is in it, not {}", replays.len()) };
    for (inquiry, reply) in [&known, &hard].into_iter().zip(replies) {
        let again = ask(replay, inquiry);
        assert_eq!((again.answers, again.fault), (reply.answers, reply.fault));
        assert_eq!(again.finished.wall, reply.finished.wall);
    }
    assert!(matches!(ask(replay, &other).fault, Some(Fault::Unsupported(_))));
    assert_eq!(replay.name(), "counting");
    let broken = Transcript::read(&b"{}\n"[..]).expect_err("no line of a transcript");
    assert!(matches!(broken, TranscriptError::Line { number: 1, .. }), "{broken}");
}

/// Code that panics, prints without end, or answers, depending on the script.
#[derive(Debug)]
struct Code;

impl InProcess for Code {
    fn version(&self) -> String {
        "code 1".to_string()
    }

    fn run(&self, script: &str, circumstances: Circumstances<'_>) -> Finished {
        assert!(!script.contains("broken"), "lost count");
        let filler =
            if script.contains("long") { "é".repeat(circumstances.limits.output) } else { String::new() };
        let text = format!("sat\n(model)\n; {filler}");
        Finished { output: Output { text, is_cut: false }, ..Finished::default() }
    }
}

#[test]
fn code_of_this_process_is_read_as_a_program_is() {
    let profile = Profiles::built_in().get("sundry").cloned().expect("a profile");
    let solver = Solver::in_process("code", profile, Arc::new(Code)).with_arguments(&["--more".to_string()]);
    let reply = ask(&solver, &inquiry("p"));
    assert_eq!((solver.name(), reply.verdict(), &reply.fault), ("code", Some(Verdict::Sat), &None));
    assert_eq!(reply.answers[0].behind, ["(model)"]);
    assert!(reply.finished.wall > Duration::ZERO);
    let long = ask(&solver, &inquiry("long"));
    assert!(long.finished.output.is_cut && long.finished.output.text.len() <= Limits::default().output);
    // A defect ends the run and not the process.
    let broken = ask(&solver, &inquiry("broken"));
    assert_eq!(broken.fault, Some(Fault::Crash("panicked at: lost count".to_string())));
}

#[test]
fn the_work_of_a_solver_is_counted_where_somebody_wants_to_know() {
    // The options stand behind the program of the shell, and the file of the script behind them.
    let program = r#"sh -c 'echo sat; case "$1" in -st) echo "(:conflicts 5"; echo ":time 0.1)";; esac' sh"#;
    let solver = Solver::new(program, &Profiles::built_in()).expect("a command");
    let counted = Counted::new(solver, Arc::new(Statistics::new(Dialect::Z3)));
    let folder = tempfile::tempdir().expect("a folder");
    let (limits, interrupted) = (Limits::default(), Arc::<AtomicBool>::default());
    let circumstances = Circumstances::new(folder.path(), &limits, &interrupted);
    let ask = |inquiry: &Inquiry| counted.ask(inquiry, circumstances).expect("the shell is there");
    let plain = ask(&inquiry("p"));
    assert_eq!((plain.verdict(), plain.executed), (Some(Verdict::Sat), None));
    let reply = ask(&inquiry("p").counted());
    assert_eq!(reply.verdict(), Some(Verdict::Sat));
    assert!(reply.answers[0].behind.is_empty(), "statistics are no model: {:?}", reply.answers);
    // The sizes 1, 2 and 4 of one statistic; times do not count.
    assert_eq!(reply.executed.map(|places| places.len()), Some(3));
    assert_eq!(std::fs::read_dir(folder.path()).expect("it stays").count(), 0, "nothing is left");
}

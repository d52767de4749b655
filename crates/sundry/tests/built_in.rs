//! Our own solver as one of those that answer inquiries: it replies as its program does, within its limits.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sundry::{BUILT_IN, built_in_solver};
use sundry_external::{
    Circumstances, Fault, Feature, Inquiry, Limits, Reply, Respondent, Solver, StoppedBy, Verdict,
};
use sundry_fuzz::Judged;
use sundry_term::Control;

fn solver() -> Solver {
    built_in_solver(&Control::default())
}

/// A formula that takes much longer than any limit here: a product of two numbers that is a given prime.
const HARD: &str = "(declare-const x (_ BitVec 64)) (declare-const y (_ BitVec 64))
    (assert (bvult #x0000000000000001 x)) (assert (bvult #x0000000000000001 y))
    (assert (= (concat #x0000000000000000 #xffffffffffffffc5)
               (bvmul (concat #x0000000000000000 x) (concat #x0000000000000000 y)))) (check-sat)";

fn ask_within(respondent: &dyn Respondent, script: &str, limits: &Limits, is_interrupted: bool) -> Reply {
    let inquiry = Inquiry::parse(script).expect("a legal script");
    let interrupted = Arc::new(AtomicBool::new(is_interrupted));
    let here = Circumstances::new(Path::new("."), limits, &interrupted);
    respondent.ask(&inquiry, here).expect("it is in this process")
}

fn ask(respondent: &dyn Respondent, script: &str) -> Reply {
    ask_within(respondent, script, &Limits::default(), false)
}

#[test]
fn it_replies_to_each_check_with_what_stands_behind() {
    let script =
        "(set-option :produce-unsat-cores true) (declare-const x (_ BitVec 8)) (assert (bvult #x05 x))
        (check-sat) (get-model) (assert (! (bvult x #x03) :named small)) (check-sat) (get-unsat-core)";
    // The model and the core are those of the formula: the evaluator and the solver say so.
    let reply = ask(&Judged::new(solver(), Control::default()), script);
    let verdicts: Vec<Verdict> = reply.answers().iter().map(|answer| answer.verdict).collect();
    assert_eq!((verdicts, &reply.fault), (vec![Verdict::Sat, Verdict::Unsat], &None));
    assert!(reply.answers[0].behind[0].contains("(define-fun x () (_ BitVec 8)"), "{reply:?}");
    assert_eq!(reply.answers[1].behind, ["(small)"]);
    assert!(reply.finished.wall >= reply.finished.processor / 2, "{reply:?}");
}

#[test]
fn what_it_lacks_is_found_out_as_of_a_program() {
    let (limits, interrupted) = (Limits::default(), Arc::default());
    let here = Circumstances::new(Path::new("."), &limits, &interrupted);
    let probed = solver().probed(here).expect("it answers");
    let capabilities = probed.capabilities();
    assert_eq!((probed.name(), probed.family()), (BUILT_IN, "sundry"));
    assert!(capabilities.version.as_ref().is_some_and(|version| version.starts_with("sundry ")));
    let lacks = |feature| capabilities.lacking.contains_key(&feature);
    let read = [Feature::BitVectors, Feature::Arrays, Feature::Functions, Feature::Sorts, Feature::Levels];
    assert!(!read.into_iter().any(lacks), "{capabilities:?}");
    assert!(lacks(Feature::Strings) && lacks(Feature::Datatypes), "{capabilities:?}");
    // Whoever has not found that out gets the reason from the solver itself.
    let reply = ask(&solver(), "(declare-const s String) (assert (= s \"a\")) (check-sat)");
    assert!(matches!(reply.fault, Some(Fault::Unsupported(_))), "{reply:?}");
}

#[test]
fn it_keeps_the_limits_of_a_question() {
    let short = Duration::from_millis(200);
    let limits = Limits { wall: short, ..Limits::default() };
    let reply = ask_within(&solver(), HARD, &limits, false);
    assert_eq!((reply.fault, reply.answers.len()), (Some(Fault::Timeout), 1), "it says unknown");
    let limits = Limits { processor: Some(short), wall: Duration::from_secs(3600), ..Limits::default() };
    let reply = ask_within(&solver(), HARD, &limits, false);
    assert_eq!((reply.finished.stopped, reply.fault), (Some(StoppedBy::Processor), Some(Fault::Timeout)));
    assert!(reply.finished.processor >= short, "{:?}", reply.finished);
    let reply = ask_within(&solver(), HARD, &Limits::default(), true);
    assert_eq!(reply.fault, Some(Fault::Interrupted));
    let memory = Arc::new(AtomicBool::new(false));
    let solver = built_in_solver(&Control::default().with_memory(Arc::clone(&memory)));
    memory.store(true, Ordering::Relaxed);
    assert_eq!(ask(&solver, HARD).fault, Some(Fault::Memory));
}

#[test]
fn no_script_writes_files() {
    let script = "(set-option :regular-output-channel \"answers\") (check-sat)";
    let reply = ask(&solver(), script);
    assert!(matches!(&reply.fault, Some(Fault::Error(message)) if message.contains("answers")), "{reply:?}");
    let script = "(set-option :regular-output-channel \"stderr\") (check-sat)";
    let reply = ask(&solver(), script);
    assert_eq!((reply.answers.len(), reply.finished.errors.text.as_str()), (0, "sat\n"));
}

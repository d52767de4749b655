//! Seeds with theories that Sundry does not know: solvers that are wrong on purpose, and real ones.

use std::cell::RefCell;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use sundry_external::{
    Answer, Capabilities, Circumstances, Fault, Finished, Inquiry, Limits, Profiles, Reply, Respondent,
    Solver, Verdict,
};
use sundry_fuzz::{
    ApproximationBase, Asker, AskingStyle, Campaign, Context, Defect, Event, Evidence, Finding, LeftOut,
    MutationMethod, Partners, Seed, SeedPosition, SeedWork, Settings, SlowTime, Variation, Witness,
    begin_seed,
};
use sundry_smtlib::SourceText;
use sundry_term::Control;
use sundry_testing::oracle::Oracle;

const SETS: &str =
    "(set-logic ALL) (declare-const a (Set Int)) (declare-const b (Set Int)) (declare-const n Int)
    (assert (set.subset (set.union a b) b)) (assert (set.member n a)) (check-sat)";

/// The verdict on the text of a script with a model, or the reason for which there is none.
type Answering = fn(&str) -> Result<(Verdict, Option<&'static str>), Fault>;

/// A solver in this process, which knows a script by its text.
struct Fake {
    name: &'static str,
    capabilities: Capabilities,
    reply: Answering,
}

impl std::fmt::Debug for Fake {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl Respondent for Fake {
    fn name(&self) -> &str {
        self.name
    }

    fn family(&self) -> &str {
        "fake"
    }

    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn ask(&self, inquiry: &Inquiry, _: Circumstances<'_>) -> io::Result<Reply> {
        let (answers, fault) = match (self.reply)(&inquiry.text) {
            Ok((verdict, model)) => {
                let is_asked_for =
                    ["(get-model)", "(check-synth)"].iter().any(|command| inquiry.text.contains(command));
                let model = model.filter(|_| is_asked_for);
                (vec![Answer { verdict, behind: model.into_iter().map(String::from).collect() }], None)
            }
            Err(fault) => (Vec::new(), Some(fault)),
        };
        Ok(Reply { answers, error: None, fault, executed: None, finished: Finished::default() })
    }
}

fn fake(name: &'static str, reply: Answering) -> Arc<dyn Respondent> {
    Arc::new(Fake { name, capabilities: Capabilities::default(), reply })
}

struct NoPartners;

impl Partners for NoPartners {
    fn count(&self) -> usize {
        0
    }

    fn read(&self, _: usize, _: &Control) -> Option<SourceText> {
        None
    }
}

fn settings(mutants: usize) -> Settings {
    Settings {
        options: Variation::default(),
        shares_processes: false,
        time_classes: false,
        mutants,
        changes: 3,
        methods: vec![MutationMethod::Operators],
        approximation_base: ApproximationBase::Seed,
        forms: vec![AskingStyle::Plain],
        seed: 1,
        reduction: Duration::from_secs(20),
    }
}

/// Solvers under test, references and releases.
#[derive(Copy, Clone, Default)]
struct Cast<'a> {
    solvers: &'a [Arc<dyn Respondent>],
    references: &'a [Arc<dyn Respondent>],
    releases: &'a [Arc<dyn Respondent>],
}

/// Makes all mutants of a seed, after those that an earlier run has made, and returns the work with the findings.
fn run(
    text: &str,
    cast: Cast<'_>,
    settings: &Settings,
    earlier: Option<&SeedPosition>,
) -> (Box<dyn SeedWork>, Vec<Finding>) {
    let Cast { solvers, references, releases } = cast;
    let campaign = Campaign {
        solvers,
        references,
        releases,
        partners: &NoPartners,
        settings,
        slow_time: &SlowTime::default(),
    };
    let folder = tempfile::tempdir().expect("a folder");
    let limits = Limits { processor: Some(Duration::from_secs(3)), ..Limits::default() };
    let (interrupted, control) = (Arc::<AtomicBool>::default(), Control::default());
    let asker = Asker {
        folder: folder.path(),
        limits: &limits,
        interrupted: &interrupted,
        control: &control,
        processes: None,
    };
    let found = RefCell::new(Vec::new());
    let tell = |event: Event| {
        if let Event::Found(finding) = event {
            found.borrow_mut().push(*finding);
        }
    };
    let context = Context { campaign, asker, tell: &tell };
    let seed = Seed::read(&SourceText::new("seed", text), &control).expect("a script");
    let mut work = begin_seed(context, seed).expect("solvers answer");
    if let Some(position) = earlier {
        work.go_on_from(position, settings);
    }
    while !work.is_over(settings) {
        work.advance(context, 10).expect("solvers answer");
    }
    (work, found.into_inner())
}

#[test]
fn a_solver_that_others_refute_has_a_defect() {
    let wrong = |text: &str| match text.contains("set.minus") {
        true => Ok((Verdict::Unsat, None)),
        false => Ok((Verdict::Sat, None)),
    };
    let right = |_: &str| Ok((Verdict::Sat, Some("((define-fun n () Int 3))")));
    // A release that does not know sets says nothing.
    let older = |_: &str| Err(Fault::Unsupported("no sets".into()));
    let (solvers, references) = ([fake("new", wrong)], [fake("other", right)]);
    let releases = [fake("old", older), fake("new", wrong)];
    let cast = Cast { solvers: &solvers, references: &references, releases: &releases };
    let (work, found) = run(SETS, cast, &settings(60), None);
    assert_eq!((work.status(), work.is_tree()), (Some(Verdict::Sat), true));
    let finding = found.first().expect("some mutant has another operator");
    assert_eq!(finding.defect, Defect::WrongAnswer { right: Verdict::Sat });
    assert_eq!(finding.witness, Witness::Solvers(vec!["other".into()]));
    let reduction = finding.reduction.as_ref().expect("it is confirmed");
    // The fake is content with a word.
    assert!(reduction.script.ends_with("(assert set.minus)\n(check-sat)\n"), "{}", reduction.script);
    assert!(finding.changes.iter().any(|(_, to)| to.contains("set.minus")), "{:?}", finding.changes);
    let shown: Vec<String> =
        finding.releases.iter().map(|(name, shown)| format!("{name} {shown:?}")).collect();
    assert_eq!(shown, ["old Undecided", "new Yes"]);
}

#[test]
fn a_crash_needs_no_reference() {
    let crashing = |text: &str| match text.contains("set.inter") {
        true => Err(Fault::Crash("signal 11".into())),
        false => Ok((Verdict::Sat, None)),
    };
    let solvers = [fake("one", crashing)];
    let (_, found) = run(SETS, Cast { solvers: &solvers, ..Cast::default() }, &settings(60), None);
    let finding = found.first().expect("some mutant has another operator");
    assert_eq!((&finding.defect, &finding.witness), (&Defect::Crash("signal 11".into()), &Witness::Itself));
    assert!(finding.reduction.as_ref().is_some_and(|reduction| reduction.script.contains("set.inter")));
}

#[test]
fn a_solver_that_denies_its_own_model_has_a_defect() {
    // With `n` as a definition, there is no model any more.
    let contradicting = |text: &str| match text.contains("(define-fun n () Int 3)") {
        true => Ok((Verdict::Unsat, None)),
        false => Ok((Verdict::Sat, Some("((define-fun n () Int 3))"))),
    };
    let solvers = [fake("one", contradicting)];
    let (work, found) = run(SETS, Cast { solvers: &solvers, ..Cast::default() }, &settings(5), None);
    let finding = found.first().expect("the seed shows it");
    assert_eq!((&finding.defect, &finding.witness), (&Defect::InvalidModel, &Witness::OwnModel));
    assert!(finding.in_seed && finding.mutant == 0);
    let Some(Evidence::Model { script, answer, .. }) = &finding.evidence else { panic!("{finding:?}") };
    assert!(script.contains("(define-fun n () Int 3)") && *answer == Ok(Verdict::Unsat), "{script}");
    assert_eq!(work.left_out(&settings(5)), Some(LeftOut::Undecided), "a solver that is wrong takes no part");
}

#[test]
fn a_solver_that_denies_its_own_functions_has_a_defect() {
    const ASKED: &str = "(set-logic LIA) (synth-fun f ((x Int)) Int) (declare-var x Int)
        (constraint (> (f x) x)) (check-synth)";
    // With `f` as a definition, some value violates the constraint, if both are there.
    let contradicting = |text: &str| {
        let is_violated = ["(define-fun f", "(> (f x) x)"].iter().all(|part| text.contains(part));
        match text.contains("check-synth") || is_violated {
            true => Ok((Verdict::Sat, Some("((define-fun f ((x Int)) Int x))"))),
            false => Ok((Verdict::Unsat, None)),
        }
    };
    let solvers = [fake("one", contradicting)];
    let (_, found) = run(ASKED, Cast { solvers: &solvers, ..Cast::default() }, &settings(5), None);
    let finding = found.first().expect("the seed shows it");
    assert_eq!((&finding.defect, &finding.witness), (&Defect::InvalidModel, &Witness::OwnModel));
    let Some(Evidence::Model { script, answer, .. }) = &finding.evidence else { panic!("{finding:?}") };
    assert!(script.contains("(define-fun f ((x Int)) Int x)") && *answer == Ok(Verdict::Sat), "{script}");
    assert!(script.ends_with("(check-sat)\n") && script.contains("(not (and"), "{script}");
}

#[test]
fn a_contradiction_that_no_reference_decides_is_a_suspicion() {
    let one = |text: &str| match text.contains("set.minus") {
        true => Ok((Verdict::Unsat, None)),
        false => Ok((Verdict::Sat, None)),
    };
    let solvers = [fake("one", one), fake("two", |_| Ok((Verdict::Sat, None)))];
    let undecided = [fake("three", |_| Ok((Verdict::Unknown, None)))];
    for references in [&[][..], &undecided] {
        let cast = Cast { solvers: &solvers, references, releases: &[] };
        let (_, found) = run(SETS, cast, &settings(60), None);
        assert!(!found.is_empty());
        for finding in found {
            let is_suspicion = matches!(finding.witness, Witness::Opposed(_)) && finding.reduction.is_none();
            assert!(is_suspicion, "{finding:?}");
        }
    }
    // Where a reference decides, it decides for both.
    let right = [fake("three", |_| Ok((Verdict::Sat, None)))];
    let cast = Cast { solvers: &solvers, references: &right, releases: &[] };
    let (_, found) = run(SETS, cast, &settings(60), None);
    let is_right = |finding: &Finding| finding.solver == "one" && finding.reduction.is_some();
    assert!(!found.is_empty() && found.iter().all(is_right), "{found:?}");
}

#[test]
fn a_recorded_status_is_a_reason_for_suspicion() {
    let text = SETS.replace("(check-sat)", "(set-info :status unsat) (check-sat)");
    let solvers = [fake("one", |_| Ok((Verdict::Sat, None)))];
    let (_, found) = run(&text, Cast { solvers: &solvers, ..Cast::default() }, &settings(1), None);
    assert!(matches!(&found[..], [finding] if finding.witness == Witness::Recorded), "{found:?}");
}

#[test]
fn solvers_that_refuse_a_seed_take_no_part() {
    let unknown = |_: &str| Err(Fault::Unsupported("unknown sort 'Set'".into()));
    let (solvers, references) = ([fake("one", unknown)], [fake("two", |_| Ok((Verdict::Sat, None)))]);
    let cast = Cast { solvers: &solvers, references: &references, releases: &[] };
    let (mut work, found) = run(SETS, cast, &settings(20), None);
    assert_eq!((work.left_out(&settings(20)), work.last(), found.len()), (Some(LeftOut::Undecided), 0, 0));
    assert_eq!(work.tally().mutants, 0);
}

#[test]
fn a_campaign_goes_on_and_repeats_mutants() {
    let reply = |text: &str| match text.len() % 3 {
        0 => Ok((Verdict::Unsat, None)),
        1 => Ok((Verdict::Sat, None)),
        _ => Err(Fault::Error("it does not fit".into())),
    };
    let text = SETS.replace("(check-sat)", "(assert (set.subset a (set.singleton n))) (check-sat)");
    let solvers = [fake("one", reply)];
    let cast = Cast { solvers: &solvers, ..Cast::default() };
    let all = settings(40);
    let (mut whole, _) = run(&text, cast, &all, None);
    assert!(whole.tally().refused() > 0 && whole.tally().refused() < whole.tally().replies);
    let (half, _) = run(&text, cast, &settings(20), None);
    let position = SeedPosition {
        seed: 0,
        mutant: half.last(),
        seen: half.seen().clone(),
        novelty: half.novelty().clone(),
        overruns: Default::default(),
    };
    let (rest, _) = run(&text, cast, &all, Some(&position));
    assert_eq!((rest.last(), rest.novelty()), (whole.last(), whole.novelty()));
    let replayed = |number: usize| {
        let (mut again, _) = run(&text, cast, &settings(1), None);
        // The first mutant has been made: a new run makes all.
        assert_eq!(again.last(), 1);
        again.set_novelty(whole.novelty().clone());
        again.skip_to(number, &all)
    };
    assert_eq!(replayed(30), replayed(30));
    assert!(replayed(30).is_some_and(|script| script.contains("(check-sat)")));
}

/// The seeds of theories that Sundry does not know, with their recorded status.
fn own_seeds() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds/foreign");
    let files = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path());
    let mut seeds: Vec<(String, String)> =
        files.map(|path| (path.display().to_string(), fs::read_to_string(&path).expect("a text"))).collect();
    seeds.sort();
    seeds
}

#[test]
fn real_solvers_agree_with_the_status_of_our_seeds() {
    let solver = |command: &str| {
        let solver = Solver::new(command, &Profiles::built_in()).expect("a command");
        Arc::new(solver) as Arc<dyn Respondent>
    };
    let solvers = [Oracle::Cvc5, Oracle::Z3].map(|oracle| solver(&oracle.program().display().to_string()));
    let cast = Cast { solvers: &solvers, ..Cast::default() };
    let (seeds, mut asked, mut refused) = (own_seeds(), 0, 0);
    assert!(seeds.len() >= 20, "only {} seeds", seeds.len());
    for (name, text) in seeds {
        let (mut work, found) = run(&text, cast, &settings(4), None);
        assert!(work.is_tree(), "{name} has nothing that Sundry does not know");
        assert!(found.is_empty(), "{name}: {found:?}");
        assert_eq!(work.left_out(&settings(4)), None, "{name}: no solver decides it");
        let last = text.lines().rfind(|line| line.starts_with("(set-info :status ")).expect("a status");
        let status = work.status().expect("a status").to_string();
        assert_eq!(last, format!("(set-info :status {status})"), "{name}");
        asked += work.tally().replies;
        refused += work.tally().refused();
    }
    println!("{refused} of {asked} mutants refused");
    assert!(refused * 5 < asked, "{refused} of {asked} mutants do not fit");
}

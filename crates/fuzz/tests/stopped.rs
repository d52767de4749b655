//! A campaign that has to end reports only what it has examined, and loses nothing.
#![cfg(unix)]

use std::cell::RefCell;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use sundry_external::{Limits, Profiles, Respondent, Solver, Verdict};
use sundry_fuzz::{
    ApproximationBase, Asker, AskingStyle, Campaign, Context, Event, MutationMethod, Partners, Seed,
    Settings, SlowTime, Technique, Variation, begin_seed,
};
use sundry_smtlib::SourceText;
use sundry_term::Control;

struct NoPartners;

impl Partners for NoPartners {
    fn count(&self) -> usize {
        0
    }

    fn read(&self, _: usize, _: &Control) -> Option<SourceText> {
        None
    }
}

#[test]
fn what_there_is_no_time_to_judge_is_tried_again() {
    let folder = tempfile::tempdir().expect("a folder");
    // The solver is right about the seed, and wrong about everything else; no other solver confirms it.
    let script = folder.path().join("solver.sh");
    let seen = folder.path().join("seen");
    let text = format!("if [ -e '{0}' ]; then echo sat; else touch '{0}'; echo unsat; fi\n", seen.display());
    fs::write(&script, text).expect("written");
    let solver =
        Solver::new(&format!("sh '{}'", script.display()), &Profiles::built_in()).expect("a command");
    let settings = Settings {
        mutants: 5,
        changes: 2,
        methods: vec![MutationMethod::Approximation(Technique::Both)],
        approximation_base: ApproximationBase::Seed,
        forms: vec![AskingStyle::Plain],
        seed: 0,
        options: Variation::default(),
        shares_processes: false,
        time_classes: false,
        reduction: Duration::ZERO,
    };
    let solvers = [Arc::new(solver) as Arc<dyn Respondent>];
    let campaign = Campaign {
        solvers: &solvers,
        references: &[],
        releases: &[],
        partners: &NoPartners,
        settings: &settings,
        slow_time: &SlowTime::default(),
    };
    let text = "(declare-const x (_ BitVec 4)) (declare-const y (_ BitVec 4))
        (assert (bvult x y)) (assert (bvule y x)) (check-sat)";
    let seed = Seed::read(&SourceText::new("seed", text), &Control::default()).expect("a legal script");
    let (limits, never) = (Limits::default(), Arc::<AtomicBool>::default());
    let told = RefCell::new(Vec::new());
    let tell = |event: Event| told.borrow_mut().push(event);
    let work = folder.path().join("work");
    fs::create_dir(&work).expect("made");
    let asker =
        |control| Asker { folder: &work, limits: &limits, interrupted: &never, control, processes: None };
    let (unlimited, over) = (Control::default(), Control::default().with_deadline(Some(Instant::now())));
    let mut seed_run =
        begin_seed(Context { campaign, asker: asker(&unlimited), tell: &tell }, seed).expect("it runs");
    assert_eq!((seed_run.status(), seed_run.last()), (Some(Verdict::Unsat), 0));
    // The campaign also waits for the work that it had begun.
    while !over.with_grace().stopped() {
        std::thread::yield_now();
    }
    seed_run.advance(Context { campaign, asker: asker(&over), tell: &tell }, 1).expect("it runs");
    assert_eq!((seed_run.last(), told.borrow().len(), seed_run.tally().vanished), (0, 0, 0));
    seed_run.advance(Context { campaign, asker: asker(&unlimited), tell: &tell }, 1).expect("it runs");
    assert_eq!((seed_run.last(), told.borrow().len()), (1, 1));
    assert!(matches!(&told.borrow()[0], Event::Found(finding) if !finding.witness.confirms(&finding.defect)));
}

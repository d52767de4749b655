//! A campaign as a user's program would conduct it: with a solver in the process, and once more with the recorded
//! replies of that solver.

use std::collections::BTreeMap;
use std::io;
use std::num::NonZeroUsize;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use sundry_external::{
    Answer, Capabilities, Circumstances, Finished, Inquiry, Limits, Recorded, Reply, Respondent, Transcript,
    Verdict, panic_text,
};
use sundry_fuzz::{
    ApproximationBase, Asker, AskingStyle, Bugs, Campaign, Event, MutationMethod, Partners, Report, Schedule,
    Seed, Seeds, Settings, SlowTime, Technique, TurnOutcome, Variation, Work, Workplace, conduct,
};
use sundry_smtlib::SourceText;
use sundry_term::Control;

/// Two seeds, of which the second is not a script.
const SEEDS: [&str; 2] = [
    "(declare-const x (_ BitVec 4)) (declare-const y (_ BitVec 4))
     (assert (bvult x y)) (assert (bvule y x)) (check-sat)",
    "(assert x)",
];

struct Texts;

impl Partners for Texts {
    fn count(&self) -> usize {
        SEEDS.len()
    }

    fn read(&self, number: usize, _: &Control) -> Option<SourceText> {
        SEEDS.get(number).map(|text| SourceText::new("seed", *text))
    }
}

impl Seeds for Texts {
    type Error = String;

    fn seed(&self, number: usize, control: &Control) -> Result<Seed, String> {
        let source = SourceText::new("seed", SEEDS[number]);
        Seed::read(&source, control).map_err(|diagnostic| diagnostic.message)
    }
}

/// Says `unsat`, but `sat` without a model where a script compares with a sign: then it is wrong about some mutants.
#[derive(Debug, Default)]
struct Faulty(Capabilities);

impl Respondent for Faulty {
    fn name(&self) -> &str {
        "faulty"
    }

    fn family(&self) -> &str {
        "faulty"
    }

    fn capabilities(&self) -> &Capabilities {
        &self.0
    }

    fn ask(&self, inquiry: &Inquiry, _: Circumstances<'_>) -> io::Result<Reply> {
        let is_wrong = ["bvslt", "bvsle", "bvsgt", "bvsge"].iter().any(|name| inquiry.text.contains(name));
        let verdict = if is_wrong { Verdict::Sat } else { Verdict::Unsat };
        let answers = vec![Answer { verdict, behind: Vec::new() }];
        Ok(Reply { answers, error: None, fault: None, executed: None, finished: Finished::default() })
    }
}

/// The work needs no folder, because it writes no files.
struct Here<'a> {
    limits: &'a Limits,
    interrupted: &'a Arc<AtomicBool>,
    control: &'a Control,
}

impl Workplace for Here<'_> {
    type Error = String;

    fn with_asker(&self, work: &Work<'_>) -> Result<(), String> {
        let Here { limits, interrupted, control } = *self;
        work(Asker { folder: Path::new("."), limits, interrupted, control, processes: None })
            .expect("this solver answers");
        Ok(())
    }

    fn shield(&self, work: &mut dyn FnMut()) -> Result<(), String> {
        panic::catch_unwind(AssertUnwindSafe(work)).map_err(|payload| panic_text(&*payload).to_string())
    }
}

/// A solver that drives Sundry into a defect of its own.
#[derive(Debug, Default)]
struct Trap(Faulty);

impl Respondent for Trap {
    fn name(&self) -> &str {
        "trap"
    }

    fn family(&self) -> &str {
        self.0.family()
    }

    fn capabilities(&self) -> &Capabilities {
        self.0.capabilities()
    }

    fn ask(&self, inquiry: &Inquiry, circumstances: Circumstances<'_>) -> io::Result<Reply> {
        let reply = self.0.ask(inquiry, circumstances)?;
        assert!(reply.answers.iter().all(|answer| answer.verdict == Verdict::Unsat), "a trap");
        Ok(reply)
    }
}

/// The outcome of a campaign.
#[derive(Default, PartialEq, Eq, Debug)]
struct Outcome {
    /// The bugs, with the mutants that show them.
    bugs: Vec<(String, usize)>,
    /// The mutants of the first seed.
    mutants: usize,
    /// The report on the second seed.
    unreadable: String,
    /// The defects that ended the first seed, with the last mutant before each.
    broken: Vec<(usize, String)>,
}

fn run(solver: Arc<dyn Respondent>, threads: usize) -> Outcome {
    let settings = Settings {
        mutants: 200,
        changes: 2,
        methods: vec![MutationMethod::Approximation(Technique::Both)],
        approximation_base: ApproximationBase::Seed,
        forms: vec![AskingStyle::Plain],
        seed: 1,
        options: Variation::default(),
        shares_processes: false,
        time_classes: false,
        reduction: Duration::ZERO,
    };
    let solvers = [solver];
    let campaign = Campaign {
        solvers: &solvers,
        references: &[],
        releases: &[],
        partners: &Texts,
        settings: &settings,
        slow_time: &SlowTime::default(),
    };
    let (limits, interrupted, control) =
        (Limits::default(), Arc::<AtomicBool>::default(), Control::default());
    let here = Here { limits: &limits, interrupted: &interrupted, control: &control };
    let done = BTreeMap::new();
    let schedule = Schedule::new(&Texts, &done, NonZeroUsize::new(15));
    let (mut bugs, mut outcome) = (Bugs::default(), Outcome::default());
    let mut take = |report: Report<String>, _: bool| {
        match report {
            Report::Event(Event::Found(finding)) => {
                bugs.add(&finding, |_| Ok::<(), String>(()))?;
            }
            Report::Event(Event::Slow(_)) => {}
            Report::Turn(turn) => match turn.outcome {
                TurnOutcome::Unreadable(message) => outcome.unreadable = message,
                TurnOutcome::Broken { mutant, error } => outcome.broken.push((mutant, error)),
                TurnOutcome::Tested(tested) => outcome.mutants = tested.position.mutant,
            },
        }
        Ok(())
    };
    let conducted = conduct(campaign, &schedule, &here, threads, &control, &interrupted, &mut take);
    assert!(conducted.limit.is_none() && conducted.error.is_none());
    let ends_early = outcome.broken.is_empty();
    assert_eq!(schedule.is_cut_by_budget(), ends_early, "15 of 200 mutants are in the budget");
    outcome.bugs = bugs.sorted().iter().map(|bug| (bug.defect.clone(), bug.count)).collect();
    outcome
}

#[test]
fn a_campaign_is_conducted_and_repeated_from_its_transcript() {
    let written = Arc::new(Mutex::new(Vec::new()));
    let recorded = Recorded::new(Faulty::default(), Arc::clone(&written));
    let first = run(Arc::new(recorded), 1);
    let Outcome { bugs, mutants, unreadable, broken } = &first;
    assert!(broken.is_empty(), "{broken:?}");
    assert!(
        matches!(&bugs[..], [(defect, count)] if defect == "sat instead of unsat" && *count > 0),
        "{bugs:?}"
    );
    // Numbers of mutants that were not distinct are left out.
    assert!((15..200).contains(mutants), "{mutants}");
    assert_eq!(unreadable, "unknown symbol 'x'");
    let transcript =
        Transcript::read(written.lock().expect("nobody panics").as_slice()).expect("it is whole");
    let replay = transcript.respondents().next().expect("one respondent was asked");
    assert_eq!(run(Arc::new(replay), 2), first);
}

#[test]
fn a_defect_of_ours_costs_one_seed_and_not_the_campaign() {
    let outcome = run(Arc::new(Trap::default()), 1);
    let [(mutant, text)] = &outcome.broken[..] else { panic!("{outcome:?}") };
    assert!(*mutant > 0 && *mutant < 200, "{mutant}");
    assert_eq!(text, "a trap");
    assert_eq!(outcome.unreadable, "unknown symbol 'x'", "the other seed has its turn");
}

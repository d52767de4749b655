//! Breeding and following up by turns.
//!
//! Cases wait while solvers breed, and breeding waits while cases are followed up, which takes much longer than a generation. The
//! one that has taken less time so far goes on. Before the end of the time for a campaign, cases come first: the time that is left
//! goes to them as soon as it is too short for another generation. This decides when a case is followed up, but neither what is
//! bred nor the order of cases, so results do not depend on it.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use sundry_external::Respondent;
use sundry_fuzz::{
    ApproximationBase, Asker, Campaign as FuzzCampaign, Context, Event, Finding, Partners, Seed, Settings,
    SlowTime, Variation, begin_seed,
};
use sundry_smtlib::SourceText;
use sundry_term::{Control, TermStore};

use crate::campaign::breeding::Breeding;
use crate::campaign::cases::{Case, Status};
use crate::campaign::keeper::{Keeper, NotedRun, Stop};
use crate::campaign::state::State;
use crate::individual::Individual;
use crate::run::contest::{Contestant, Place};
use crate::run::runner::Workers;
use crate::triage::follow_up::{FollowUp, FollowedUp};

/// A whole campaign.
#[derive(Clone, Debug)]
pub struct Campaign {
    /// The way to breed.
    pub breeding: Breeding,
    /// The way to follow up what is slow, if it is to be followed up.
    pub follow_up: Option<FollowUp>,
    /// The last generation, if there is one.
    pub generations: Option<u64>,
    /// Seconds of processor time of solvers after which breeding ends, if there is such a limit: it does not depend on what else the
    /// machine does.
    pub solver_budget: Option<f64>,
    /// The number of findings after which the campaign ends, if there is one.
    pub findings: Option<usize>,
    /// The time at which somebody will stop the campaign, if that is known.
    pub deadline: Option<Instant>,
}

/// The end of a campaign that nobody stopped.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// The last generation was bred, and everything was followed up.
    Generations,
    /// Solvers have computed for as long as they may, and everything was followed up.
    Budget,
    /// There are as many findings as were wanted.
    Findings,
}

/// The result of following up one case.
enum Pursued {
    Slow(FollowedUp),
    /// The defects that the judge of `fuzz` sees in the answers.
    Judged(Vec<Finding>),
}

/// The inputs of a search are no partners of each other.
struct NoPartners;

impl Partners for NoPartners {
    fn count(&self) -> usize {
        0
    }

    fn read(&self, _: usize, _: &Control) -> Option<SourceText> {
        None
    }
}

impl Campaign {
    /// Continues a campaign from a state, with the runs that were noted since, or begins one with the inputs of `first` where the
    /// state has no population. The state is always the last that was kept.
    ///
    /// # Errors
    /// The work was stopped, a solver cannot be run, or something not be kept.
    pub fn run<K: Keeper>(
        &self,
        first: impl FnOnce() -> Result<(TermStore, Vec<Individual>), K::Error>,
        state: &mut State,
        noted: Vec<NotedRun>,
        workers: &Workers,
        keeper: &mut K,
    ) -> Result<End, Stop<K::Error>> {
        let mut noted = noted.into_iter().map(|run| (run.script, run.measured)).collect();
        if state.population.is_empty() {
            let (store, first) = first().map_err(Stop::Keeping)?;
            *state = self.breeding.begin(store, first, workers, keeper, &mut noted)?;
            keeper.generation(state);
        }
        loop {
            let found = state.cases.confirmed().count();
            if self.findings.is_some_and(|wanted| found >= wanted) {
                return Ok(End::Findings);
            }
            let bred = state.history.last().map_or(0.0, |last| last.seconds);
            let used = state.history.last().map_or(0.0, |last| last.solver_seconds);
            let is_over = self.solver_budget.is_some_and(|budget| used >= budget);
            let is_last = is_over || self.generations.is_some_and(|last| state.generation() >= last);
            let has_cases = self.follow_up.is_some() && state.cases.waiting().next().is_some();
            let is_short = self
                .deadline
                .is_some_and(|deadline| Instant::now() + state.last_generation_time() >= deadline);
            if has_cases && (is_last || is_short || state.seconds_of_triage <= bred) {
                self.follow_up(state, workers, keeper)?;
            } else if is_last {
                return Ok(if is_over { End::Budget } else { End::Generations });
            } else {
                *state = self.breeding.advance(state, workers, keeper, &mut noted)?;
                keeper.generation(state);
            }
        }
    }

    /// Follows up the oldest cases, one for each worker.
    fn follow_up<K: Keeper>(
        &self,
        state: &mut State,
        workers: &Workers,
        keeper: &mut K,
    ) -> Result<(), Stop<K::Error>> {
        let Some(follow_up) = &self.follow_up else { return Ok(()) };
        let start = Instant::now();
        let found = state.cases.confirmed().count();
        let wanted = self.findings.map_or(usize::MAX, |wanted| wanted.saturating_sub(found).max(1));
        let count = workers.folders.len().min(wanted);
        let numbers: Vec<usize> = state.cases.waiting().take(count).collect();
        let cases: Vec<Case> = numbers.iter().map(|&number| state.cases.0[number].clone()).collect();
        let task = |number: usize, place: Place<'_>| {
            let case = &cases[number];
            if case.is_contradiction {
                let judged = judge(follow_up, workers, case, place)?;
                return Ok((!place.is_interrupted()).then_some(Pursued::Judged(judged)));
            }
            Ok(follow_up.pursue(&workers.contest, case, place)?.map(Pursued::Slow))
        };
        let mut results: Vec<Option<Pursued>> = cases.iter().map(|_| None).collect();
        let all = workers.share(cases.len(), &task, &mut |number, pursued| {
            results[number] = Some(pursued);
            Ok::<(), Stop<K::Error>>(())
        })?;
        // In the order of cases: of two with one cause, the older one stands for both.
        for (number, pursued) in numbers.into_iter().zip(results) {
            let Some(pursued) = pursued else { continue };
            let status = match pursued {
                Pursued::Judged(findings) if findings.is_empty() => {
                    Status::Dropped("the judge of answers finds no defect".to_string())
                }
                Pursued::Judged(findings) => {
                    for finding in &findings {
                        keeper.defect(finding).map_err(Stop::Keeping)?;
                    }
                    Status::Defect
                }
                Pursued::Slow(FollowedUp::Dropped(reason)) => Status::Dropped(reason),
                Pursued::Slow(FollowedUp::Confirmed(finding)) => match state.cases.same_cause(&finding) {
                    Some(other) => Status::Same(other),
                    None => Status::Confirmed(finding),
                },
            };
            state.cases.0[number].status = status;
            keeper.followed_up(state, number).map_err(Stop::Keeping)?;
        }
        state.seconds_of_triage += start.elapsed().as_secs_f64();
        keeper.keep(state).map_err(Stop::Keeping)?;
        if all && !workers.interrupted.load(Ordering::Relaxed) { Ok(()) } else { Err(Stop::Interrupted) }
    }
}

/// The defects of the solvers under test that `fuzz` finds with an input, which goes through the same judge, reduction and
/// releases as its seeds.
fn judge(
    follow_up: &FollowUp,
    workers: &Workers,
    case: &Case,
    place: Place<'_>,
) -> std::io::Result<Vec<Finding>> {
    let control = Control::default();
    let source = SourceText::new(format!("input of generation {}", case.generation), case.script.clone());
    let seed = Seed::read(&source, &control).map_err(|error| std::io::Error::other(error.to_string()))?;
    let respondents = |all: &[Contestant]| -> std::io::Result<Vec<Arc<dyn Respondent>>> {
        all.iter().map(|it| Ok(Arc::new(it.prepared(place)?) as Arc<dyn Respondent>)).collect()
    };
    let (solvers, references) =
        (respondents(&workers.contest.targets)?, respondents(&workers.contest.references)?);
    let releases = respondents(&follow_up.releases)?;
    let settings = Settings {
        mutants: 0,
        changes: 1,
        methods: Vec::new(),
        approximation_base: ApproximationBase::Seed,
        forms: Vec::new(),
        seed: 0,
        options: Variation::default(),
        shares_processes: false,
        time_classes: false,
        reduction: follow_up.reduction,
    };
    let campaign = FuzzCampaign {
        solvers: &solvers,
        references: &references,
        releases: &releases,
        partners: &NoPartners,
        settings: &settings,
        slow_time: &SlowTime::default(),
    };
    let limits = workers.contest.limits.of_process(None);
    let asker = Asker {
        folder: place.folder,
        limits: &limits,
        interrupted: place.interrupted,
        control: &control,
        processes: None,
    };
    let found = std::sync::Mutex::new(Vec::new());
    let tell = |event| {
        if let Event::Found(finding) = event {
            found.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(*finding);
        }
    };
    begin_seed(Context { campaign, asker, tell: &tell }, seed)?;
    Ok(found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner))
}

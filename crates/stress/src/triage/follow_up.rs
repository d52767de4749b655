//! The follow-up of a case: is the input slow under a long limit, how small can it become, which releases are slow?

use std::io;
use std::sync::Arc;
use std::time::Duration;

use sundry_external::Inquiry;
use sundry_fuzz::{Subject, skeleton};
use sundry_smtlib::{SourceText, TheorySet, parse_script};
use sundry_term::TermStore;

use crate::campaign::cases::Case;
use crate::run::contest::{Contest, Contestant, Place, RunLimits};
use crate::run::effort::{Effort, Measure, Outcome};
use crate::run::measured::Measured;
use crate::triage::finding::{ReleaseEffort, SlowInput, Timed};

/// The factor from the memory of a run in the search to that of a confirmation, where memory is measured.
const MORE_MEMORY: u64 = 4;
/// The runs of a solver that ends by itself.
const RUNS: usize = 3;

/// The way to follow up.
#[derive(Clone, Debug)]
pub struct FollowUp {
    /// Releases of the solvers under test, the oldest first.
    pub releases: Vec<Contestant>,
    /// The processor time of the long limit.
    pub confirm: Duration,
    /// The least ratio of the effort of the solvers under test to that of the fastest reference.
    pub factor: f64,
    /// The time for reducing one input; nothing is reduced without any.
    pub reduction: Duration,
}

/// The result of following up a case.
#[derive(Clone, Debug)]
pub(crate) enum FollowedUp {
    /// The input is not slow enough, for this reason.
    Dropped(String),
    /// The input is slow.
    Confirmed(Box<SlowInput>),
}

/// The efforts of all solvers for one input.
#[derive(Clone)]
pub(super) struct Timings {
    pub(super) targets: Vec<Timed>,
    pub(super) references: Vec<Timed>,
}

impl Timings {
    /// All efforts in the middle.
    pub(super) fn medians(&self) -> Measured {
        let medians = |all: &[Timed]| all.iter().filter_map(Timed::median).cloned().collect();
        Measured {
            targets: medians(&self.targets),
            references: medians(&self.references),
            ..Measured::default()
        }
    }
}

impl FollowUp {
    /// Follows up a case with the solvers of a search; `None` if somebody stops the work.
    pub(crate) fn pursue(
        &self,
        contest: &Contest,
        case: &Case,
        place: Place<'_>,
    ) -> io::Result<Option<FollowedUp>> {
        // The stopwatches of the search do not measure this work.
        let contest = &Contest { stopwatches: Arc::default(), ..contest.clone() };
        let long = self.long(contest);
        let inquiry = Inquiry::parse(&case.script).map_err(|error| io::Error::other(error.to_string()))?;
        let whole = self.time_all(contest, &long, &inquiry, place)?;
        if place.is_interrupted() {
            return Ok(None);
        }
        if let Some(reason) = self.too_easy(contest, &whole.medians()) {
            return Ok(Some(FollowedUp::Dropped(reason)));
        }
        let reduced = match self.reduction.is_zero() {
            true => None,
            false => self.reduce(contest, &long, &case.script, &whole, place)?,
        };
        if place.is_interrupted() {
            return Ok(None);
        }
        let (smallest, reduced, timings) = match reduced {
            Some((inquiry, smaller, timings)) => (inquiry, Some(smaller), timings),
            None => (inquiry, None, whole.clone()),
        };
        let releases =
            self.ask_releases(&Contest { measure: long.measure, ..contest.clone() }, &smallest, place)?;
        let is_counted = contest.targets.iter().any(|target| target.counters.is_some());
        let executed = match is_counted {
            true => contest.run(&smallest, place)?.unwrap_or_default(),
            false => Measured::default(),
        };
        if place.is_interrupted() {
            return Ok(None);
        }
        Ok(Some(FollowedUp::Confirmed(Box::new(SlowInput {
            measure: long.measure,
            whole: whole.targets,
            whole_references: whole.references,
            reduced,
            targets: timings.targets,
            references: timings.references,
            releases,
            shape: shape(&smallest),
            executed: Measured { counters: executed.counters, ..Measured::default() },
        }))))
    }

    /// The same solvers under the long limit.
    fn long(&self, contest: &Contest) -> Contest {
        let measure = match contest.measure {
            Measure::Memory => Measure::Memory,
            Measure::Processor | Measure::Resource => Measure::Processor,
        };
        let memory = match measure {
            Measure::Memory => contest.limits.memory.saturating_mul(MORE_MEMORY),
            _ => contest.limits.memory,
        };
        let limits = RunLimits { processor: self.confirm, memory };
        Contest { measure, limits, ..contest.clone() }
    }

    /// Solvers under test with the long limit, references with that of the search.
    pub(super) fn time_all(
        &self,
        contest: &Contest,
        long: &Contest,
        inquiry: &Inquiry,
        place: Place<'_>,
    ) -> io::Result<Timings> {
        let short = Contest { measure: long.measure, ..contest.clone() };
        let time = |contest: &Contest, all: &[Contestant], least: f64| {
            let all = all.iter().map(|contestant| time(contest, contestant, least, inquiry, place));
            all.collect::<io::Result<_>>()
        };
        // The references first: they take little time, and an interruption in the long runs loses nothing.
        let references = time(&short, &contest.references, 0.0)?;
        Ok(Timings { targets: time(long, &contest.targets, Self::least(contest))?, references })
    }

    /// The reason for which an input is not slow enough, if there is one.
    pub(super) fn too_easy(&self, contest: &Contest, measured: &Measured) -> Option<String> {
        for effort in &measured.targets {
            if let Outcome::Failed(fault) = &effort.outcome {
                return Some(format!("the solver under test failed under the long limit: {fault}"));
            }
        }
        let (target, unit) = (measured.target(), self.long(contest).measure.unit());
        if target < Self::least(contest) {
            return Some(format!("the solver under test took {target:.2} {unit} when asked again"));
        }
        match measured.reference() {
            Some(reference) if reference * self.factor > target => Some(format!(
                "the solver under test took {target:.2} {unit}, less than {} times the {reference:.2} {unit} of the reference",
                self.factor
            )),
            None if !measured.references.is_empty() => Some("no reference decides it any more".to_string()),
            _ => None,
        }
    }

    /// The amount below which a solver under test is not slow.
    fn least(contest: &Contest) -> f64 {
        match contest.measure {
            Measure::Resource => 0.0,
            Measure::Processor | Measure::Memory => contest.limit_amount(),
        }
    }

    fn ask_releases(
        &self,
        contest: &Contest,
        inquiry: &Inquiry,
        place: Place<'_>,
    ) -> io::Result<Vec<ReleaseEffort>> {
        let ask = |release: &Contestant| {
            let reply = contest.ask(release, contest.limits, inquiry, place)?;
            let effort = contest.ceiling(release).effort(&reply);
            let is_slow = effort.outcome == Outcome::Limit;
            Ok(ReleaseEffort { release: release.solver.name.clone(), effort, is_slow })
        };
        self.releases.iter().map(ask).collect()
    }
}

/// The efforts of a solver: several if it ends by itself, and one if a limit stops it or it takes less than the least amount.
fn time(
    contest: &Contest,
    contestant: &Contestant,
    least: f64,
    inquiry: &Inquiry,
    place: Place<'_>,
) -> io::Result<Timed> {
    let mut runs: Vec<Effort> = Vec::new();
    let settles = |effort: &Effort| effort.is_stopped() || effort.amount < least;
    while runs.len() < RUNS && !runs.last().is_some_and(settles) && !place.is_interrupted() {
        let reply = contest.ask(contestant, contest.limits, inquiry, place)?;
        runs.push(contest.ceiling(contestant).effort(&reply));
    }
    runs.sort_by(|one, other| one.amount.total_cmp(&other.amount));
    Ok(Timed { solver: contestant.solver.name.clone(), runs })
}

/// The operators of an input, each once.
fn shape(inquiry: &Inquiry) -> String {
    let mut store = TermStore::new();
    let source = SourceText::new("input", inquiry.text.to_string());
    let script = parse_script(&mut store, &source, TheorySet::ALL);
    script.map_or_else(|_| String::new(), |script| skeleton(&store, &Subject::of_script(&script)))
}

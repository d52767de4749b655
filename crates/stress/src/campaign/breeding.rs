//! The main loop of a campaign.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sundry_evolve::{Evolution, Parameters};

use crate::campaign::cases::Suspicious;
use crate::campaign::fitness::Unfit;
use crate::campaign::history::{Generation, multiple};
use crate::campaign::keeper::{Keeper, Stop};
use crate::campaign::noted::{Noted, NotingRunner};
use crate::campaign::rising_limit::doublings_after;
use crate::campaign::state::State;
use crate::campaign::tally;
use crate::individual::{Individual, UnreadableInput};
use crate::run::measured::Measured;
use crate::run::runner::Workers;
use crate::search::{Scoring, Search};
use sundry_term::TermStore;

/// The way to breed.
#[derive(Clone, Debug)]
pub struct Breeding {
    /// The probabilities of crossover and mutation, and the crowding.
    pub parameters: Parameters,
    /// The way to score inputs.
    pub scoring: Scoring,
    /// The seed of all random choices.
    pub seed: u64,
    /// The least ratio of efforts, of the solvers under test to the fastest reference, for which a slow input is followed up.
    pub factor: f64,
    /// The number of times that the limit of runs may be doubled: once each time that most of the population reaches it.
    pub doublings: u32,
}

/// The beginning of the work on a generation.
struct Start {
    time: Instant,
    processor: Duration,
}

impl Start {
    fn now(workers: &Workers) -> Start {
        Start { time: Instant::now(), processor: workers.contest.meter.read().processor }
    }

    /// Processor time of solvers since then.
    fn solver_seconds(&self, workers: &Workers) -> f64 {
        workers.contest.meter.read().processor.saturating_sub(self.processor).as_secs_f64()
    }
}

type Bred<'a, K> = Evolution<Search<NotingRunner<'a, K>>>;

impl Breeding {
    /// Runs and scores the first generation.
    ///
    /// # Errors
    /// The work was stopped, a solver cannot be run, or something not be kept.
    pub fn begin<K: Keeper>(
        &self,
        store: TermStore,
        first: Vec<Individual>,
        workers: &Workers,
        keeper: &mut K,
        noted: &mut Noted,
    ) -> Result<State, Stop<K::Error>> {
        let start = Start::now(workers);
        let Some(place) = workers.place(0) else { return Err(Stop::Interrupted) };
        let unfit = |unfit: Option<Unfit>| unfit.map_or(Ok(()), |unfit| Err(Stop::Unfit(unfit)));
        unfit(workers.contest.check_measures(place)?)?;
        let runner = NotingRunner { workers, keeper, noted, news: Vec::new() };
        let search =
            Search::new(store, runner, self.scoring.clone(), Arc::clone(&workers.contest.stopwatches));
        let mut evolution = Evolution::new(search, first, self.parameters, self.seed)?;
        unfit(workers.contest.check_first(&evolution.problem().runner().news, place)?)?;
        self.finish_generation(State::default(), evolution, start, 0)
    }

    /// Breeds the next generation. The state before stays as it is when the work is stopped.
    ///
    /// # Errors
    /// The work was stopped, a solver cannot be run, or something not be kept.
    pub fn advance<K: Keeper>(
        &self,
        state: &State,
        workers: &Workers,
        keeper: &mut K,
        noted: &mut Noted,
    ) -> Result<State, Stop<K::Error>> {
        let start = Start::now(workers);
        let doublings = doublings_after(state, &workers.contest, self.doublings);
        let multiple = multiple(doublings);
        let workers = &workers.raised(multiple);
        let scoring = self.scoring.raised(multiple);
        let runner = NotingRunner { workers, keeper, noted, news: Vec::new() };
        let saved = state.population.clone();
        let damaged = |error: UnreadableInput| Stop::Damaged(error.to_string());
        let stopwatches = &workers.contest.stopwatches;
        let search = Search::new(TermStore::new(), runner, scoring, Arc::clone(stopwatches));
        let (search, population) =
            stopwatches.keeping.time(|| search.load(saved, &state.coverage.counters)).map_err(damaged)?;
        let mut evolution =
            Evolution::resume(search, population, state.generation(), self.parameters, self.seed);
        evolution.advance()?;
        let before = State { population: Vec::new(), coverage: Measured::default(), ..state.clone() };
        self.finish_generation(before, evolution, start, doublings)
    }

    /// Keeps a generation that has been scored.
    fn finish_generation<K: Keeper>(
        &self,
        before: State,
        evolution: Bred<'_, K>,
        start: Start,
        doublings: u32,
    ) -> Result<State, Stop<K::Error>> {
        let State { mut history, mut cases, mut targets, mut references, seconds_of_triage, .. } = before;
        let number = evolution.generation();
        let (search, population) = evolution.into_parts();
        let workers = search.runner().workers;
        let stopwatches = &workers.contest.stopwatches;
        let (saved, counters) =
            stopwatches.keeping.time(|| (search.save(&population), search.coverage().counters()));
        let mut figures = history.last().copied().unwrap_or_default();
        figures = Generation { number, doublings, total_lines: search.coverage().lines(), ..figures };
        figures.oversized += search.oversized();
        let size = population.len().max(1) as f64;
        let mean = |sum: f64| sum / size;
        let score =
            |member: &sundry_evolve::Member<Individual>| member.scores.first().copied().unwrap_or(0.0);
        figures.best_score = population.iter().map(score).fold(0.0, f64::max);
        figures.mean_score = mean(population.iter().map(score).sum());
        figures.stopped = saved.iter().filter(|member| member.measured.is_stopped()).count();
        figures.mean_lines = mean(saved.iter().map(|member| member.measured.lines() as f64).sum());
        let complexities = population.iter().filter_map(|member| search.complexity(&member.individual));
        figures.mean_complexity = mean(complexities.map(|complexity| complexity as f64).sum());
        let NotingRunner { keeper, news, .. } = search.into_runner();
        let limit = workers.contest.limit_amount();
        let suspicious = Suspicious { limit, easy: limit / self.factor };
        for (inquiry, measured) in news {
            figures.runs += 1;
            figures.easier_elsewhere += u64::from(measured.is_easier_elsewhere());
            figures.lost_counters += u64::from(measured.counters_lost);
            tally::add_all(&mut targets, &measured.targets);
            tally::add_all(&mut references, &measured.references);
            if measured.is_suspicious() {
                cases.add(&inquiry.text, &measured, number, true);
            }
            if suspicious.holds(&measured) {
                cases.add(&inquiry.text, &measured, number, false);
            }
        }
        figures.seconds += start.time.elapsed().as_secs_f64();
        figures.solver_seconds += start.solver_seconds(workers);
        figures.own_work += stopwatches.take();
        history.push(figures);
        let coverage = Measured { counters, ..Measured::default() };
        let state =
            State { population: saved, coverage, history, cases, targets, references, seconds_of_triage };
        // The figures of the next generation have this work.
        stopwatches.keeping.time(|| keeper.keep(&state)).map_err(Stop::Keeping)?;
        Ok(state)
    }
}

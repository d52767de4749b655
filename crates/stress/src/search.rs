//! Inputs as a problem of evolution: how they are run, scored, crossed and mutated.

use std::sync::Arc;

use rand::RngCore;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use sundry_counters::FileCounters;
use sundry_evolve::{Crowding, Member, Multiset, Problem, Scheme, Standing};
use sundry_external::Inquiry;
use sundry_smtlib::SourceText;
use sundry_term::TermStore;

use crate::breed::crossover::cross;
use crate::breed::mutators::mutate;
use crate::individual::{Individual, UnreadableInput};
use crate::objective::complexity::complexity;
use crate::objective::coverage::{CoverageMap, CoverageRules};
use crate::objective::time::{class_of_time, time_score};
use crate::own_work::Stopwatches;
use crate::run::measured::Measured;

/// Runs inputs on the solver under test and on the reference.
pub trait Runner {
    /// The reason why nothing can be run any more.
    type Stop;

    /// Runs inputs, several at a time if need be, and returns what they took in their order.
    ///
    /// # Errors
    /// A solver cannot be run, or somebody has stopped the search.
    fn run(&mut self, inputs: &[Inquiry]) -> Result<Vec<Measured>, Self::Stop>;
}

/// A choice of objectives, after the ablation study of the paper (section IV-B).
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub enum Variant {
    /// Time difference, coverage, complexity; crowding by traces.
    #[default]
    Default,
    /// The time of the solver under test alone instead of the difference; the rest as by default.
    OnlyTime,
    /// Without coverage.
    NoCoverage,
    /// Without complexity.
    NoComplexity,
    /// Crowding by scores.
    DefaultCrowding,
    /// StringFuzz, the baseline of the paper: the time of the solver under test is the only objective, generations are culled by it,
    /// and children are copies after random mutations ([`Scheme::Culling`]).
    ///
    /// The variant is our reimplementation, after its genetic fuzzer, which has no crossover. Its mutations add and remove assertions, change
    /// literals and exchange parts; here they are those of all variants, which the paper bases on them.
    StringFuzz,
    /// The same with the time difference as the only objective ("Runtime-Difference").
    StringFuzzDifference,
}

impl Variant {
    /// The measure of distances between inputs. Without counters there are no traces.
    pub fn crowding(self, has_counters: bool) -> Crowding {
        if self == Variant::DefaultCrowding || self.is_single() || !has_counters {
            Crowding::Classic
        } else {
            Crowding::Similarity
        }
    }

    /// The way from one generation to the next.
    pub fn scheme(self) -> Scheme {
        if self.is_single() { Scheme::Culling } else { Scheme::NonDominated }
    }

    /// Whether time is the only objective.
    fn is_single(self) -> bool {
        matches!(self, Variant::StringFuzz | Variant::StringFuzzDifference)
    }

    /// Whether coverage is an objective, where executions are counted.
    pub fn has_coverage(self) -> bool {
        self != Variant::NoCoverage && !self.is_single()
    }

    fn has_complexity(self) -> bool {
        self != Variant::NoComplexity && !self.is_single()
    }
}

impl Variant {
    /// The first objective. Without a reference that decides the input, nothing says that it is easy.
    fn time(self, measured: &Measured) -> f64 {
        let target = measured.target();
        match measured.reference() {
            Some(reference) if !matches!(self, Variant::OnlyTime | Variant::StringFuzz) => {
                time_score(target, reference)
            }
            _ => target,
        }
    }
}

/// The way to score inputs.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Scoring {
    /// The objectives.
    pub variant: Variant,
    /// Whether executions of lines are counted. If not, coverage is no objective.
    pub has_counters: bool,
    /// The version of the score of coverage.
    pub coverage: CoverageRules,
    /// Whether an input keeps the score of coverage that it had first. If not, parents are scored again against all that was
    /// executed since, as their offspring is.
    pub keeps_first_coverage: bool,
    /// The effort up to which differences are noise.
    pub noise: f64,
    /// Whether efforts are compared as they are. If not, those that hardly differ are equal ([`class_of_time`]).
    pub exact_times: bool,
    /// The effort above which an input is slow, and better than all that are not, whatever they execute and however small they are;
    /// without one, all compete, as in the paper.
    pub slow: Option<f64>,
    /// The logic that solvers are asked in; the smallest that fits without one.
    pub logic: Option<String>,
    /// The logic of inputs that are made up for new assertions ([`Mutator::AddAssertion`](crate::Mutator)); without one, new
    /// assertions are over what occurs.
    pub made_up: Option<String>,
    /// The largest complexity of a child. A larger one is given up for its parent.
    pub largest: Option<u64>,
}

/// An input that was run.
#[derive(Debug)]
struct Known {
    measured: Measured,
    trace: Multiset,
    complexity: u64,
    first_coverage: Option<u128>,
}

impl Known {
    fn new(
        store: &TermStore,
        individual: &Individual,
        measured: Measured,
        first_coverage: Option<u128>,
    ) -> Self {
        let (trace, complexity) = (trace(&measured.counters), complexity(store, &individual.assertions));
        Known { measured, trace, complexity, first_coverage }
    }
}

/// A member of a population as text and numbers, in which a search can be kept.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SavedMember {
    /// The input as a script.
    pub script: String,
    /// The scores of the input when it was last scored.
    pub scores: Vec<f64>,
    /// The number of its front, from 0.
    pub front: usize,
    /// The distance of the input from the others of its front; `None` if it is infinite.
    pub distance: Option<f64>,
    /// The efforts for the input, and what it executes.
    pub measured: Measured,
    /// The first score of its coverage.
    pub first_coverage: Option<u128>,
}

/// Inputs that are bred, with what is known of those that are alive.
#[derive(Debug)]
pub struct Search<R> {
    store: TermStore,
    runner: R,
    scoring: Scoring,
    map: CoverageMap,
    /// Children that were too large.
    oversized: u64,
    known: FxHashMap<Individual, Known>,
    stopwatches: Arc<Stopwatches>,
}

impl<R: Runner> Search<R> {
    /// A search whose inputs are in this store.
    pub fn new(store: TermStore, runner: R, scoring: Scoring, stopwatches: Arc<Stopwatches>) -> Self {
        Search {
            store,
            runner,
            scoring,
            map: CoverageMap::default(),
            oversized: 0,
            known: FxHashMap::default(),
            stopwatches,
        }
    }

    /// Takes up a population with what the search knew of it. A search that goes on and one that is resumed do the same, since both
    /// begin each generation here.
    ///
    /// # Errors
    /// A script cannot be read as an input.
    pub fn load(
        mut self,
        saved: Vec<SavedMember>,
        coverage: &[FileCounters],
    ) -> Result<(Self, Vec<Member<Individual>>), UnreadableInput> {
        self.map.add(coverage);
        let mut population = Vec::with_capacity(saved.len());
        for SavedMember { script, scores, front, distance, measured, first_coverage } in saved {
            let source = SourceText::new("population", script);
            let individual = Individual::read(&mut self.store, &source)?;
            let known = Known::new(&self.store, &individual, measured, first_coverage);
            self.known.insert(individual.clone(), known);
            let distance = distance.unwrap_or(f64::INFINITY);
            population.push(Member { individual, scores, front, distance });
        }
        Ok((self, population))
    }

    /// All that the search knows of a population, for [`Search::load`].
    pub fn save(&self, population: &[Member<Individual>]) -> Vec<SavedMember> {
        let save = |member: &Member<Individual>| {
            let known = self.known.get(&member.individual);
            SavedMember {
                script: self.inquiry(&member.individual).text.to_string(),
                scores: member.scores.clone(),
                front: member.front,
                distance: Some(member.distance).filter(|distance| distance.is_finite()),
                measured: known.map_or_else(Measured::default, |known| known.measured.clone()),
                first_coverage: known.and_then(|known| known.first_coverage),
            }
        };
        population.iter().map(save).collect()
    }

    /// The runner.
    pub fn into_runner(self) -> R {
        self.runner
    }

    /// The number of children that were given up because they were too large.
    pub fn oversized(&self) -> u64 {
        self.oversized
    }

    /// The child, or its parent if the child is too large.
    fn kept(&mut self, child: Individual, parent: &Individual) -> Individual {
        let is_too_large = |largest| complexity(&self.store, &child.assertions) > largest;
        if self.scoring.largest.is_some_and(is_too_large) {
            self.oversized += 1;
            return parent.clone();
        }
        child
    }

    /// The runner.
    pub fn runner(&self) -> &R {
        &self.runner
    }

    /// The store of all inputs.
    pub fn store(&self) -> &TermStore {
        &self.store
    }

    /// The lines that were executed in the runs so far.
    pub fn coverage(&self) -> &CoverageMap {
        &self.map
    }

    /// The complexity of an input, if the input is alive.
    pub fn complexity(&self, individual: &Individual) -> Option<u64> {
        self.known.get(individual).map(|known| known.complexity)
    }

    /// The efforts and lines of an input, if the input is alive.
    pub fn measured(&self, individual: &Individual) -> Option<&Measured> {
        self.known.get(individual).map(|known| &known.measured)
    }

    /// The script that solvers are asked about an input.
    pub fn inquiry(&self, individual: &Individual) -> Inquiry {
        individual.inquiry(&self.store, self.scoring.logic.as_deref())
    }

    /// Runs those inputs that were never run, each once.
    fn run_new(&mut self, individuals: &[Individual]) -> Result<(), R::Stop> {
        let mut new: Vec<&Individual> = Vec::new();
        for individual in individuals {
            if !self.known.contains_key(individual) && !new.contains(&individual) {
                new.push(individual);
            }
        }
        let inquiries: Vec<Inquiry> = new.iter().map(|individual| self.inquiry(individual)).collect();
        let measured = self.runner.run(&inquiries)?;
        for (individual, measured) in new.into_iter().zip(measured) {
            let known = self.stopwatches.scoring.time(|| Known::new(&self.store, individual, measured, None));
            self.known.insert(individual.clone(), known);
        }
        Ok(())
    }

    /// The objectives of an input that was run. Its coverage is scored against all runs before it, to which it is added.
    fn objectives(&mut self, individual: &Individual) -> Vec<f64> {
        let Search { scoring, map, known, .. } = self;
        let Some(known) = known.get_mut(individual) else { return Vec::new() };
        let counters = &known.measured.counters;
        let mut objectives = vec![scoring.variant.time(&known.measured)];
        if scoring.has_counters {
            // Where coverage is no objective, it is still what variants are compared by.
            let now = map.score_and_add(counters, scoring.coverage);
            let first = *known.first_coverage.get_or_insert(now);
            if scoring.variant.has_coverage() {
                objectives.push(if scoring.keeps_first_coverage { first } else { now } as f64);
            }
        }
        if scoring.variant.has_complexity() {
            objectives.push(-(known.complexity as f64));
        }
        objectives
    }
}

impl<R: Runner> Problem for Search<R> {
    type Individual = Individual;
    type Stop = R::Stop;

    /// Runs what is new, then scores all in their order: so the scores do not depend on which run ends first.
    fn score(&mut self, individuals: &[Individual]) -> Result<Vec<Vec<f64>>, R::Stop> {
        self.run_new(individuals)?;
        let alive: FxHashSet<&Individual> = individuals.iter().collect();
        self.known.retain(|individual, _| alive.contains(individual));
        let stopwatches = Arc::clone(&self.stopwatches);
        let objectives = |individual| self.objectives(individual);
        Ok(stopwatches.scoring.time(|| individuals.iter().map(objectives).collect()))
    }

    /// Efforts in classes; lines and nodes are exact. An input is feasible if the solver is slow on it: without this constraint, the
    /// smallest inputs there are, which nothing dominates, take the places of slow ones.
    fn standing(&self, scores: &[f64]) -> Standing {
        let Scoring { noise, exact_times, slow, .. } = self.scoring;
        let is_feasible = slow.is_none_or(|slow| scores.first().is_none_or(|&time| time > slow));
        let mut scores = scores.to_vec();
        if let Some(time) = scores.first_mut().filter(|_| !exact_times && noise > 0.0) {
            *time = class_of_time(*time, noise);
        }
        Standing { is_feasible, scores }
    }

    fn cross(
        &mut self,
        one: &Individual,
        other: &Individual,
        mut random: &mut dyn RngCore,
    ) -> (Individual, Individual) {
        let Search { store, stopwatches, .. } = self;
        let (first, second) = stopwatches.breeding.time(|| cross(store, one, other, &mut random));
        (self.kept(first, one), self.kept(second, other))
    }

    fn mutate(&mut self, individual: &Individual, mut random: &mut dyn RngCore) -> Individual {
        let Search { store, scoring, stopwatches, .. } = self;
        let made_up = scoring.made_up.as_deref();
        let mutant = stopwatches.breeding.time(|| mutate(store, individual, made_up, &mut random).1);
        self.kept(mutant, individual)
    }

    /// The similarity of what was executed.
    fn similarity(&mut self, one: &Individual, other: &Individual) -> f64 {
        match (self.known.get(one), self.known.get(other)) {
            (Some(one), Some(other)) => self.stopwatches.crowding.time(|| one.trace.similarity(&other.trace)),
            _ => 0.0,
        }
    }
}

/// Each line of each file as an element, as often as it was executed.
pub(crate) fn trace(counters: &[FileCounters]) -> Multiset {
    let lines = counters.iter().flat_map(|file| {
        let base = u64::from(file.file) << 32;
        file.lines.iter().map(move |counter| (base | u64::from(counter.line), counter.count))
    });
    lines.collect()
}

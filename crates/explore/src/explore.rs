//! Algorithm 1 of the paper: run, open branches, solve, and take partial solutions as further inputs.

mod memory;
mod results;
mod round;
mod runs;

use std::collections::VecDeque;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use rustc_hash::{FxHashMap, FxHashSet};
use sundry_term::Control;

use crate::clock::ProcessorTime;
use crate::crew::{Crew, Setup};
use crate::finding::Finding;
use crate::host::Ending;
use crate::input::{Input, Variables};
use crate::mutants::Mutants;
use crate::options::ExploreOptions;
use crate::patience::Patience;
use crate::question::{KnownAnswer, Observer};
use crate::run::{Run, RunEnd, Runner};
use crate::search::Frontier;
use crate::solve::{Knowledge, SolveStatistics};
use crate::symbolic::Terms;
use crate::trace::Edge;
use crate::tree::{OpenBranch, Tree};
use crate::waiting::{Waiting, WaitingInputs};

/// The origin of an input.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The user.
    Seed,
    /// Somebody else who looks for inputs of the program at the same time, such as a fuzzer.
    Imported,
    /// A solution of a path condition.
    Solution,
    /// A partial solution.
    Partial,
    /// Random changes of other inputs.
    Mutant,
    /// An input that shows an error, without what the error does not need.
    Shortened,
}

/// An input that was run, and what came of it.
pub struct Test<'e> {
    /// The number of the test, in the order of the runs.
    pub number: u64,
    /// The input.
    pub input: &'e Input,
    /// The origin of the input.
    pub origin: Origin,
    /// The run.
    pub run: &'e Run,
    /// Whether no test before took this path.
    pub is_new_path: bool,
    /// The number of edges of control flow that no test before took.
    pub new_edges: usize,
    /// Questions that had been put to the solver.
    pub questions: u64,
    /// The error, if the run ended in one.
    pub finding: Option<&'e Finding>,
    /// The variables, which give names and defaults to the input.
    pub variables: &'e Variables,
}

/// Counters of an exploration.
#[derive(Clone, Default, Debug)]
pub struct ExploreStatistics {
    /// Symbolic runs.
    pub tests: u64,
    /// Different paths.
    pub paths: u64,
    /// Open branches.
    pub open: usize,
    /// Edges of control flow that were taken.
    pub edges: usize,
    /// Plain runs of candidates.
    pub replays: u64,
    /// Plain runs of mutants.
    pub mutants: u64,
    /// Candidates that were dropped.
    pub dropped: u64,
    /// Runs that did not go where the solver said.
    pub diverged: u64,
    /// Solutions that were not run, since another run has taken their branch.
    pub overtaken: u64,
    /// Open branches that were given up, so that memory stays bounded.
    pub given_up: u64,
    /// Collections of what no open branch needs.
    pub collections: u64,
    /// The greatest memory that was counted.
    pub most_bytes: u64,
    /// Values that runs made concrete, by decisions whose other values are open branches.
    pub fixed: u64,
    /// Different errors.
    pub findings: usize,
    /// Counters of the solver.
    pub solve: SolveStatistics,
    /// The processor time that symbolic runs took, of all threads.
    pub time_of_runs: Duration,
    /// The processor time that plain runs took, of all threads.
    pub time_of_replays: Duration,
    /// The processor time that plain runs of mutants took.
    pub time_of_mutants: Duration,
    /// The processor time that questions took, of all threads.
    pub time_of_questions: Duration,
}

/// The reason why an exploration ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ExploreEnd {
    /// No branch is open: every path is known.
    Complete,
    /// No branch is open, but some could not be decided, or runs were cut short.
    Exhausted,
    /// The greatest number of paths was reached.
    Paths,
    /// The observer has enough.
    Enough,
    /// A person or the clock stopped it.
    Stopped,
}

/// An edge of control flow that tests took.
struct CoveredEdge {
    /// The number of these tests.
    tests: u64,
    /// The number of the first of them.
    first_test: u64,
}

/// An exploration of one program.
pub struct Explorer<'p> {
    runner: Runner<'p>,
    patience: Patience,
    options: ExploreOptions,
    control: Control,
    /// Terms, variables, and what questions have found out. Lanes of solvers have it while they work on a round.
    knowledge: Arc<Knowledge>,
    tree: Tree,
    frontier: Frontier<'p>,
    mutants: Mutants,
    /// Branches whose questions took too much work, with the work that they may take next time.
    put_off: VecDeque<(OpenBranch, u64)>,
    /// Inputs to be run, the set *T* of the paper.
    waiting: WaitingInputs,
    known_paths: FxHashSet<u64>,
    /// The edges of control flow that tests took.
    covered: FxHashMap<Edge, CoveredEdge>,
    /// The errors, by the findings that stand for them.
    findings: FxHashSet<Finding>,
    /// Answers of an earlier exploration, by branch.
    known_answers: FxHashMap<u64, KnownAnswer>,
    is_truncated: bool,
    /// The number of questions of the next round in each lane.
    questions_of_lane: usize,
    /// The memory from which on there is a collection.
    next_collection: u64,
    statistics: ExploreStatistics,
}

impl<'p> Explorer<'p> {
    /// An exploration that has run nothing.
    pub fn new(
        mut runner: Runner<'p>,
        variables: Variables,
        terms: Terms,
        options: ExploreOptions,
        control: &Control,
    ) -> Explorer<'p> {
        runner.most_decisions = options.most_depth;
        runner.options.status_matters = !options.bad_exits.is_empty();
        Explorer {
            frontier: Frontier::new(options.strategy, options.seed, runner.program),
            mutants: Mutants::new(runner.program, &options),
            patience: Patience::new(runner.most_steps),
            runner,
            next_collection: options.first_collection.min(options.most_bytes),
            options,
            control: control.clone(),
            knowledge: Arc::new(Knowledge::new(terms, variables)),
            tree: Tree::default(),
            put_off: VecDeque::new(),
            waiting: WaitingInputs::default(),
            known_paths: FxHashSet::default(),
            covered: FxHashMap::default(),
            findings: FxHashSet::default(),
            known_answers: FxHashMap::default(),
            is_truncated: false,
            questions_of_lane: 1,
            statistics: ExploreStatistics::default(),
        }
    }

    /// Adds an input to be run.
    pub fn add(&mut self, input: Input, origin: Origin) {
        self.waiting.add(input, origin);
    }

    /// Gives answers that an earlier exploration with the same program and options got, by branch. The exploration takes the way of the earlier one
    /// as far as they lead.
    pub fn remember(&mut self, answers: impl IntoIterator<Item = (u64, KnownAnswer)>) {
        self.known_answers.extend(answers);
    }

    /// Variables and their names.
    pub fn variables(&self) -> &Variables {
        &self.knowledge.variables
    }

    /// The knowledge, between two rounds.
    fn knowledge(&mut self) -> &mut Knowledge {
        Knowledge::between_rounds(&mut self.knowledge)
    }

    /// Runs inputs and opens branches until none is left or the control ends.
    pub fn explore(&mut self, observer: &mut dyn Observer) -> ExploreEnd {
        let setup = Setup {
            program: self.runner.program,
            world: self.runner.options.clone(),
            most_steps: self.runner.most_steps,
            solve: self.options.solve,
            lanes: self.options.lanes,
            seed: self.options.seed,
            control: self.control.clone(),
        };
        thread::scope(|scope| {
            let mut crew = Crew::start(scope, self.options.threads, &setup);
            loop {
                for input in observer.imports(&self.knowledge.variables) {
                    self.add(input, Origin::Imported);
                }
                if let Some(end) = self.run_waiting(&mut crew, observer) {
                    return end;
                }
                if let Some(mutant) = self.find_mutant() {
                    self.waiting.add_mutant(mutant);
                    continue;
                }
                let round = self.choose_round();
                if round.is_empty() {
                    let ExploreStatistics { given_up, solve, .. } = &self.statistics;
                    let has_gaps = self.is_truncated || solve.unknown > 0 || *given_up > 0;
                    if has_gaps && self.mutants.grant_last_turn() {
                        continue;
                    }
                    return if has_gaps { ExploreEnd::Exhausted } else { ExploreEnd::Complete };
                }
                self.ask(round, &mut crew, observer);
            }
        })
    }

    /// Runs the inputs that wait, unless something ends the exploration.
    fn run_waiting(&mut self, crew: &mut Crew<'p>, observer: &mut dyn Observer) -> Option<ExploreEnd> {
        loop {
            if self.options.filters_candidates {
                self.waiting
                    .replay_ahead(|inputs| crew.replay(inputs, self.patience.steps(), &self.knowledge));
            }
            let waiting = self.waiting.next();
            if self.control.stopped() {
                return Some(ExploreEnd::Stopped);
            }
            if observer.has_enough() {
                return Some(ExploreEnd::Enough);
            }
            let waiting = waiting?;
            if self.statistics.tests >= self.options.most_paths {
                return Some(ExploreEnd::Paths);
            }
            if self.is_worth_running(&waiting) {
                self.execute(&waiting, observer);
                self.bound_memory();
                observer.step(&|| self.statistics());
            }
        }
    }

    /// Whether a candidate takes a new path and brings a new branch, after a plain run.
    fn is_worth_running(&mut self, waiting: &Waiting) -> bool {
        if waiting.branch.is_some_and(|branch| self.tree.is_explored(branch)) {
            self.statistics.overtaken += 1;
            return false;
        }
        let Some(run) = &waiting.replayed else { return true };
        self.statistics.replays += 1;
        self.statistics.time_of_replays += run.time;
        let is_new = !self.known_paths.contains(&run.path)
            && run.counts.iter().any(|(edge, _)| !self.covered.contains_key(edge));
        self.statistics.dropped += u64::from(!is_new);
        if !is_new && run.steps < self.patience.steps() {
            self.mutants.note(&waiting.input, run.steps, None, run.counts.iter().copied());
        }
        is_new
    }

    fn execute(&mut self, waiting: &Waiting, observer: &mut dyn Observer) {
        let Waiting { input, origin, branch, .. } = waiting;
        let is_awaited = branch.is_some_and(|branch| self.tree.is_tried(branch));
        let start = ProcessorTime::now();
        let symbolic = self.run_with_terms(input);
        self.statistics.time_of_runs += start.elapsed();
        self.is_truncated |= symbolic.is_truncated;
        let run = symbolic.run;
        if run.end == RunEnd::Host(Ending::Interrupted) {
            return;
        }
        self.is_truncated |=
            matches!(run.end, RunEnd::Unsupported(_) | RunEnd::Host(Ending::MissingImport(_)));
        self.statistics.tests += 1;
        self.statistics.fixed += symbolic.fixed;
        let (opened, is_new_path) = self.tree.add(input, &symbolic.decisions);
        self.statistics.diverged += u64::from(is_awaited && !is_new_path);
        self.known_paths.insert(run.path);
        let mut new_edges = Vec::new();
        for &edge in &run.edges {
            let covered = self.covered.entry(edge).or_insert_with(|| {
                new_edges.push(edge);
                CoveredEdge { tests: 0, first_test: self.statistics.tests }
            });
            covered.tests += 1;
        }
        let finding = Finding::of(&run, &self.options.bad_exits, self.runner.program);
        self.mutants.note(input, run.steps, finding.as_ref(), self.runner.counts());
        // Mutants get no time in return for that of a run without an end.
        if run.end != RunEnd::Steps {
            self.mutants.note_test(*origin, !new_edges.is_empty(), is_new_path, run.steps);
        }
        self.frontier.cover(&new_edges);
        let Explorer { frontier, tree, knowledge, covered, .. } = self;
        let knowledge = Knowledge::between_rounds(knowledge);
        frontier.add(tree, &opened, &|edge| covered.contains_key(&edge), &mut |branch| {
            knowledge.cost_of(tree.condition(branch))
        });
        let is_new_finding = finding.as_ref().is_some_and(|finding| self.findings.insert(finding.error()));
        observer.test(&Test {
            number: self.statistics.tests,
            input,
            origin: *origin,
            run: &run,
            is_new_path,
            new_edges: new_edges.len(),
            questions: self.statistics.solve.questions,
            finding: finding.as_ref(),
            variables: &self.knowledge.variables,
        });
        if let Some(finding) = finding.filter(|_| is_new_finding) {
            self.shorten(&finding, input, run.overflow.is_some(), observer);
        }
    }
}

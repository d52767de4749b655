//! Algorithm 1 of the paper: run, open branches, solve, and take partial solutions as further inputs.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

use rustc_hash::{FxHashMap, FxHashSet};
use sundry_term::Control;

use crate::executed::{ExecutedCode, first_executions};
use crate::finding::Finding;
use crate::host::Ending;
use crate::input::{Input, Variables};
use crate::mutants::Mutants;
use crate::options::ExploreOptions;
use crate::question::{KnownAnswer, Observer, Question};
use crate::run::{Run, RunEnd, Runner};
use crate::search::Frontier;
use crate::shrink::shrunk;
use crate::solve::{Answer, SolveStatistics, Solver};
use crate::symbolic::Terms;
use crate::trace::Edge;
use crate::tree::{OpenBranch, Tree};

/// The origin of an input.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The user.
    Seed,
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
    /// Values that runs made concrete, by decisions whose other values are open branches.
    pub fixed: u64,
    /// Different errors.
    pub findings: usize,
    /// Counters of the solver.
    pub solve: SolveStatistics,
    /// The time that symbolic runs took.
    pub time_of_runs: Duration,
    /// The time that plain runs took.
    pub time_of_replays: Duration,
    /// The time that plain runs of mutants took.
    pub time_of_mutants: Duration,
    /// The time that questions took.
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
    /// A person or the clock stopped it.
    Stopped,
}

/// The work of the first question about a branch, in ticks of the SAT solver: about a tenth of a second. A question that takes more is put off until no other branch
/// is open, so that one hard question does not hold up everything else.
const FIRST_TICKS: u64 = 500_000;

/// The growth of that work, each time that a question is put off.
const GROWTH_OF_TICKS: u64 = 8;

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
    options: ExploreOptions,
    control: Control,
    /// Variables and their names.
    pub variables: Variables,
    terms: Terms,
    tree: Tree,
    frontier: Frontier<'p>,
    solver: Solver,
    mutants: Mutants,
    /// Branches whose questions took too much work, with the work that they may take next time.
    put_off: VecDeque<(OpenBranch, u64)>,
    /// Inputs to be run, the set *T* of the paper.
    waiting: VecDeque<(Input, Origin)>,
    known_inputs: FxHashSet<Input>,
    known_paths: FxHashSet<u64>,
    /// The edges of control flow that tests took.
    covered: FxHashMap<Edge, CoveredEdge>,
    findings: FxHashSet<Finding>,
    /// Answers of an earlier exploration, by branch.
    known_answers: FxHashMap<u64, KnownAnswer>,
    is_truncated: bool,
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
        Explorer {
            frontier: Frontier::new(options.strategy, options.seed, runner.program),
            solver: Solver::new(options.solve, options.seed, control),
            mutants: Mutants::new(runner.program, &options),
            runner,
            options,
            control: control.clone(),
            variables,
            terms,
            tree: Tree::default(),
            put_off: VecDeque::new(),
            waiting: VecDeque::new(),
            known_inputs: FxHashSet::default(),
            known_paths: FxHashSet::default(),
            covered: FxHashMap::default(),
            findings: FxHashSet::default(),
            known_answers: FxHashMap::default(),
            is_truncated: false,
            statistics: ExploreStatistics::default(),
        }
    }

    /// Adds an input to be run.
    pub fn add(&mut self, input: Input, origin: Origin) {
        if self.known_inputs.insert(input.clone()) {
            self.waiting.push_back((input, origin));
        }
    }

    /// Gives answers that an earlier exploration with the same program and options got, by branch. The exploration takes the way of the earlier one
    /// as far as they lead.
    pub fn remember(&mut self, answers: impl IntoIterator<Item = (u64, KnownAnswer)>) {
        self.known_answers.extend(answers);
    }

    /// Runs inputs and opens branches until none is left or the control ends.
    pub fn explore(&mut self, observer: &mut dyn Observer) -> ExploreEnd {
        loop {
            while let Some((input, origin)) = self.waiting.pop_front() {
                if self.control.stopped() {
                    return ExploreEnd::Stopped;
                }
                if self.statistics.tests >= self.options.most_paths {
                    return ExploreEnd::Paths;
                }
                if self.is_worth_running(&input, origin) {
                    self.execute(&input, origin, observer);
                    observer.step(&|| self.statistics());
                }
            }
            if self.control.stopped() {
                return ExploreEnd::Stopped;
            }
            if let Some(mutant) = self.find_mutant() {
                self.known_inputs.insert(mutant.clone());
                self.waiting.push_back((mutant, Origin::Mutant));
                continue;
            }
            let Some((branch, ticks)) = self.next_branch() else {
                let has_gaps = self.is_truncated || self.solver.statistics.unknown > 0;
                return if has_gaps { ExploreEnd::Exhausted } else { ExploreEnd::Complete };
            };
            let (answer, partials) = self.ask((branch, ticks), observer);
            self.tree.close(branch);
            if matches!(answer, Answer::Unknown) && ticks < self.options.solve.ticks {
                self.put_off.push_back((branch, ticks.saturating_mul(GROWTH_OF_TICKS)));
            }
            if let Answer::Solution(solution) = answer {
                // Even an input that was dropped before has to be run now, since the branch is reached by it.
                self.known_inputs.insert(solution.clone());
                self.waiting.push_back((solution, Origin::Solution));
            }
            for partial in partials {
                self.add(partial, Origin::Partial);
            }
            observer.step(&|| self.statistics());
        }
    }

    /// The next branch, and the work that the question about it may take: one that nobody has asked about, or else one that was put off.
    fn next_branch(&mut self) -> Option<(OpenBranch, u64)> {
        if let Some(branch) = self.frontier.next(&self.tree) {
            // The solver as a black box answers each question at once, or not at all.
            let first = if self.options.solve.is_incremental { FIRST_TICKS } else { u64::MAX };
            return Some((branch, first.min(self.options.solve.ticks)));
        }
        let (branch, ticks) = loop {
            let next = self.put_off.pop_front()?;
            if self.tree.is_tried(next.0) {
                break next;
            }
        };
        Some((branch, ticks.min(self.options.solve.ticks)))
    }

    /// The answer for a branch, with partial solutions.
    fn ask(
        &mut self,
        (branch, ticks): (OpenBranch, u64),
        observer: &mut dyn Observer,
    ) -> (Answer, Vec<Input>) {
        // A question that was put off is another one when it is asked again.
        let key = self.tree.key(branch).wrapping_add(ticks);
        let input = self.tree.input_to(branch).clone();
        if let Some(known) = self.known_answers.remove(&key)
            && let Some(answer) = known.apply(&input, &self.variables)
        {
            self.solver.count_known(&known, ticks);
            self.learn(&input, &answer);
            return answer;
        }
        let conditions = self.tree.path_condition(branch);
        let mut partials = Vec::new();
        let start = Instant::now();
        let answer =
            self.solver.ask(&conditions, (&input, ticks), &self.variables, &mut self.terms, &mut |partial| {
                partials.push(partial);
            });
        self.statistics.time_of_questions += start.elapsed();
        self.mutants.note_question(self.solver.take_work());
        // An answer that was cut short is none.
        if !(matches!(answer, Answer::Unknown) && self.control.stopped()) {
            let conditions = match observer.wants_conditions() {
                true => self.solver.asked(&self.variables, &mut self.terms),
                false => Vec::new(),
            };
            observer.question(&Question {
                number: self.solver.statistics.questions,
                branch: key,
                test: self.tree.run_to(branch),
                input: &input,
                was_asked: self.solver.was_asked(),
                conditions: &conditions,
                answer: &answer,
                partials: &partials,
                variables: &self.variables,
                store: &self.terms.store,
            });
        }
        let answer = (answer, partials);
        self.learn(&input, &answer);
        answer
    }

    /// Whether a candidate takes a new path and brings a new branch, after a plain run.
    fn is_worth_running(&mut self, input: &Input, origin: Origin) -> bool {
        if origin != Origin::Partial || !self.options.filters_candidates {
            return true;
        }
        self.statistics.replays += 1;
        let start = Instant::now();
        let run = self.runner.replay(input, &self.variables, false);
        self.statistics.time_of_replays += start.elapsed();
        let is_new = !self.known_paths.contains(&run.path)
            && run.edges.iter().any(|edge| !self.covered.contains_key(edge));
        self.statistics.dropped += u64::from(!is_new);
        if !is_new {
            self.mutants.note(input, &run, &self.runner);
        }
        is_new
    }

    /// Gives the mutants what an answer says of values that leave the path of an input.
    fn learn(&mut self, input: &Input, (answer, partials): &(Answer, Vec<Input>)) {
        let solution = match answer {
            Answer::Solution(solution) => Some(solution),
            _ => None,
        };
        for found in solution.into_iter().chain(partials) {
            self.mutants.learn(found.changes_from(input));
        }
    }

    /// Runs mutants as long as it is their turn, up to the first that takes a new edge or shows a new error.
    fn find_mutant(&mut self) -> Option<Input> {
        let start = Instant::now();
        let found = self.mutants.find(&mut self.runner, &self.variables, &self.control);
        self.statistics.time_of_mutants += start.elapsed();
        found
    }

    fn execute(&mut self, input: &Input, origin: Origin, observer: &mut dyn Observer) {
        let start = Instant::now();
        let symbolic = self.runner.execute(input, &mut self.variables, &mut self.terms);
        self.statistics.time_of_runs += start.elapsed();
        self.is_truncated |= symbolic.is_truncated;
        let run = symbolic.run;
        if run.end == RunEnd::Host(Ending::Interrupted) {
            return;
        }
        self.is_truncated |= matches!(run.end, RunEnd::Unsupported(_));
        self.statistics.tests += 1;
        self.statistics.fixed += symbolic.fixed;
        let (opened, is_new_path) = self.tree.add(input.clone(), &symbolic.decisions);
        self.statistics.diverged += u64::from(origin == Origin::Solution && !is_new_path);
        self.known_paths.insert(run.path);
        let mut new_edges = Vec::new();
        for &edge in &run.edges {
            let covered = self.covered.entry(edge).or_insert_with(|| {
                new_edges.push(edge);
                CoveredEdge { tests: 0, first_test: self.statistics.tests }
            });
            covered.tests += 1;
        }
        self.mutants.note(input, &run, &self.runner);
        self.mutants.note_test(origin, !new_edges.is_empty(), is_new_path, run.steps);
        self.frontier.cover(&new_edges);
        let Explorer { frontier, tree, solver, variables, terms, covered, .. } = self;
        frontier.add(tree, &opened, &|edge| covered.contains_key(&edge), &mut |branch| {
            solver.cost_of(tree.condition(branch), variables, terms)
        });
        let finding = Finding::of(&run, &self.options.bad_exits);
        let is_new_finding = finding.as_ref().is_some_and(|finding| self.findings.insert(finding.clone()));
        observer.test(&Test {
            number: self.statistics.tests,
            input,
            origin,
            run: &run,
            is_new_path,
            new_edges: new_edges.len(),
            questions: self.solver.statistics.questions,
            finding: finding.as_ref(),
            variables: &self.variables,
        });
        if let Some(finding) = finding.filter(|_| is_new_finding) {
            self.shorten(&finding, input, run.overflow.is_some(), observer);
        }
    }

    /// Looks for a shorter input with the error of an input. One whose path is new is run, and the observer receives any other.
    fn shorten(
        &mut self,
        finding: &Finding,
        input: &Input,
        is_beyond_object: bool,
        observer: &mut dyn Observer,
    ) {
        // Plain runs do not know the objects that an access means.
        if is_beyond_object {
            return;
        }
        let known = (finding, &self.options.bad_exits[..]);
        let Some((shorter, run)) = shrunk(&mut self.runner, known, input, &self.variables) else { return };
        if !self.known_paths.contains(&run.path) {
            self.add(shorter, Origin::Shortened);
            return;
        }
        observer.shortened(&Test {
            number: self.statistics.tests,
            input: &shorter,
            origin: Origin::Shortened,
            run: &run,
            is_new_path: false,
            new_edges: 0,
            questions: self.solver.statistics.questions,
            finding: Some(finding),
            variables: &self.variables,
        });
    }

    /// Counters so far.
    pub fn statistics(&self) -> ExploreStatistics {
        ExploreStatistics {
            paths: self.tree.paths(),
            open: self.frontier.len() + self.put_off.len(),
            edges: self.covered.len(),
            mutants: self.mutants.runs,
            findings: self.findings.len(),
            solve: self.solver.statistics,
            ..self.statistics.clone()
        }
    }

    /// The instructions that tests executed.
    pub fn executed(&self) -> ExecutedCode {
        let counts = self.covered.iter().map(|(&edge, covered)| (edge, covered.tests)).collect();
        ExecutedCode::new(self.runner.program, &counts)
    }

    /// For each instruction that a test executed, by offset in the code section, the number of the first such test.
    pub fn first_executions(&self) -> BTreeMap<u32, u64> {
        let first_tests = self.covered.iter().map(|(&edge, covered)| (edge, covered.first_test));
        first_executions(self.runner.program, first_tests)
    }
}

//! Asking for inputs: path conditions, their independent parts, and what is known from earlier answers.
//!
//! A solver has one engine for all its questions: every condition becomes a literal once, and a question is a set of assumptions (a path condition), so that what the engine has
//! learned on one path helps on others. Its terms are in a store of its own, so that solvers of other lanes work beside it. Only the part of a path condition that shares variables with the branch is asked (after EXE); everything else keeps the
//! values of the input that reaches the branch.

mod below;
mod circuits;
mod floats;
mod integers;
mod knowledge;
mod models;
mod neighbours;
mod procedure;
mod sets;
mod shortcuts;

use std::ops::AddAssign;
use std::time::Duration;

use rustc_hash::FxHashSet;
use sundry_solver::FloatMethod;
use sundry_term::{Control, Model, TermId};

use crate::clock::ProcessorTime;
use crate::input::{Input, VariableId};
use crate::question::{KnownAnswer, KnownKind};
use crate::symbolic::Terms;
use crate::transfer::Transfer;
pub use below::unknown_below;
use circuits::Circuits;
use floats::{Decided, Floats, Turns};
use integers::Integers;
pub use knowledge::Knowledge;
use models::{holds, with_model};
use procedure::{Receiver, Verdict};
use sets::ValueSets;

/// The answer for a branch.
pub enum Answer {
    /// An input that takes it.
    Solution(Input),
    /// No input does.
    Impossible,
    /// The solver has not found out.
    Unknown,
}

/// Options of questions.
#[derive(Copy, Clone, Debug)]
pub struct SolveOptions {
    /// The greatest number of partial solutions of a question; 0 asks for none.
    pub partials: usize,
    /// The greatest work that a question may take, in ticks of the SAT solver.
    pub ticks: u64,
    /// Whether independent parts are kept apart, earlier answers used, and one engine kept.
    pub is_incremental: bool,
    /// The way to decide conditions on floats.
    pub floats: FloatMethod,
    /// Whether conditions are read as conditions on integers first.
    pub reads_integers: bool,
}

impl Default for SolveOptions {
    /// Up to 64 partial solutions, some seconds of work, and all that speeds questions up.
    fn default() -> Self {
        SolveOptions {
            partials: 64,
            ticks: 300_000_000,
            is_incremental: true,
            floats: FloatMethod::Both,
            reads_integers: false,
        }
    }
}

/// Counters of a solver.
#[derive(Copy, Clone, Default, Debug)]
pub struct SolveStatistics {
    /// Questions put to the engine.
    pub questions: u64,
    /// Questions with a solution.
    pub solutions: u64,
    /// Questions without one.
    pub impossible: u64,
    /// Questions without an answer that were put off, to be asked again with more work.
    pub put_off: u64,
    /// Questions without an answer.
    pub unknown: u64,
    /// Questions that a change of a single variable answers, without the engine.
    pub neighbours: u64,
    /// Questions about a single variable, which its values answer without the engine.
    pub enumerated: u64,
    /// Branches refuted by the core of an earlier question.
    pub cores_reused: u64,
    /// Partial solutions.
    pub partials: u64,
    /// Questions about floats that the search had a part in.
    pub with_floats: u64,
    /// Questions that the search answered, before circuits did.
    pub optimised: u64,
    /// Questions that integers answered.
    pub of_integers: u64,
}

/// Instructions of a plain run that take as long as a tick of the SAT solver.
const INSTRUCTIONS_PER_TICK: u64 = 4;

impl AddAssign for SolveStatistics {
    fn add_assign(&mut self, other: SolveStatistics) {
        let SolveStatistics {
            questions,
            solutions,
            impossible,
            put_off,
            unknown,
            neighbours,
            enumerated,
            cores_reused,
            partials,
            with_floats,
            optimised,
            of_integers,
        } = other;
        self.questions += questions;
        self.solutions += solutions;
        self.impossible += impossible;
        self.put_off += put_off;
        self.unknown += unknown;
        self.neighbours += neighbours;
        self.enumerated += enumerated;
        self.cores_reused += cores_reused;
        self.partials += partials;
        self.with_floats += with_floats;
        self.optimised += optimised;
        self.of_integers += of_integers;
    }
}

impl SolveStatistics {
    /// Counts an answer that an earlier exploration got within this number of ticks, of those that a question may have at most.
    pub fn count_known(&mut self, known: &KnownAnswer, ticks: u64, most_ticks: u64) {
        self.partials += known.partials.len() as u64;
        let counter = match known.kind {
            KnownKind::Solution(_) => &mut self.solutions,
            KnownKind::Impossible => &mut self.impossible,
            KnownKind::Refuted => &mut self.cores_reused,
            KnownKind::Unknown if ticks < most_ticks => &mut self.put_off,
            KnownKind::Unknown => &mut self.unknown,
        };
        *counter += 1;
        self.questions += u64::from(known.kind != KnownKind::Refuted);
    }
}

/// The number of terms in the store of a solver from which on it begins anew where its engine does.
const MOST_TERMS: usize = 200_000;

/// A path condition to be asked about.
pub struct Task {
    /// The conditions, of which the input satisfies all but the last.
    pub conditions: Vec<TermId>,
    /// The input.
    pub input: Input,
    /// The greatest work.
    pub ticks: u64,
}

/// The reply to a task.
pub struct Reply {
    /// The answer.
    pub answer: Answer,
    /// The partial solutions.
    pub partials: Vec<Input>,
    /// Conditions that contradict one another, if the engine has found some.
    pub core: Option<Vec<TermId>>,
    /// The conditions that were asked for; none where an earlier core refutes the branch.
    pub asked: Vec<TermId>,
    /// Counters of this task.
    pub statistics: SolveStatistics,
    /// The work, in instructions of a plain run that take as long: the same on every machine.
    pub work: u64,
    /// The processor time.
    pub time: Duration,
}

/// Answers questions about path conditions.
pub struct Solver {
    options: SolveOptions,
    seed: u64,
    /// The terms of conditions, and those that procedures make of them.
    terms: Terms,
    /// The way of conditions into the store of this solver.
    transfer: Transfer,
    circuits: Circuits,
    floats: Floats,
    integers: Integers,
    sets: ValueSets,
    control: Control,
    statistics: SolveStatistics,
}

impl Solver {
    /// A solver that has been asked nothing. The seed is that of searches.
    pub fn new(options: SolveOptions, seed: u64, control: &Control) -> Solver {
        Solver {
            options,
            seed,
            terms: Terms::default(),
            transfer: Transfer::default(),
            circuits: Circuits::default(),
            floats: Floats::new(options.floats, seed),
            integers: Integers::default(),
            sets: ValueSets::default(),
            control: control.clone(),
            statistics: SolveStatistics::default(),
        }
    }

    /// Forgets all questions.
    pub fn forget(&mut self) {
        *self = Solver::new(self.options, self.seed, &self.control);
    }

    /// Replies to a task, whose conditions were prepared.
    pub fn reply(&mut self, task: &Task, knowledge: &Knowledge) -> Reply {
        let start = ProcessorTime::now();
        self.statistics = SolveStatistics::default();
        let part = match self.options.is_incremental {
            true => knowledge.dependent_part(&task.conditions),
            false => task.conditions.clone(),
        };
        let (mut partials, mut core) = (Vec::new(), None);
        let mut receive = |input| partials.push(input);
        let is_refuted = self.options.is_incremental && knowledge.is_refuted(&part);
        let answer = match is_refuted {
            true => {
                self.statistics.cores_reused += 1;
                Answer::Impossible
            }
            false => self.ask(&part, (&task.input, task.ticks), knowledge, &mut receive, &mut core),
        };
        let asked = if is_refuted { Vec::new() } else { part };
        let work = self.circuits.take_work().saturating_mul(INSTRUCTIONS_PER_TICK);
        Reply { answer, partials, core, asked, statistics: self.statistics, work, time: start.elapsed() }
    }

    /// Asks for an input that satisfies conditions within this number of ticks. Partial solutions go to `receive`.
    fn ask(
        &mut self,
        part: &[TermId],
        (input, ticks): (&Input, u64),
        knowledge: &Knowledge,
        receive: &mut dyn FnMut(Input),
        found_core: &mut Option<Vec<TermId>>,
    ) -> Answer {
        self.statistics.questions += 1;
        if self.options.is_incremental
            && let Some(answer) = self.enumerate(part, input, knowledge, receive)
        {
            self.statistics.enumerated += 1;
            match answer {
                Answer::Solution(_) => self.statistics.solutions += 1,
                _ => self.statistics.impossible += 1,
            }
            return answer;
        }
        if self.options.is_incremental
            && let Some(solution) = self.neighbour(part, input, knowledge, receive)
        {
            self.statistics.neighbours += 1;
            self.statistics.solutions += 1;
            return Answer::Solution(solution);
        }
        if self.terms.store.term_count() > MOST_TERMS && self.circuits.are_full() {
            let statistics = self.statistics;
            self.forget();
            self.statistics = statistics;
        }
        let variables = &knowledge.variables;
        let concerned: FxHashSet<VariableId> = knowledge.all_variables_of(part);
        let conditions = knowledge.with_bounds(part);
        let moved: Vec<TermId> = conditions
            .iter()
            .map(|&condition| self.transfer.term(condition, &knowledge.terms.store, &mut self.terms.store))
            .collect();
        let symbols: Vec<_> = concerned
            .iter()
            .filter_map(|&id| Some((id, self.transfer.moved_symbol(variables.variable(id).symbol)?)))
            .collect();
        let mut take = |model: Model| receive(with_model(input, &model, &symbols, variables));
        let mut partials = Receiver::new(self.options.partials, &mut take);
        let mut judge = |model: &Model| {
            let input = with_model(input, model, &symbols, variables);
            holds(&conditions, &input, &concerned, variables, &knowledge.terms)
        };
        let verdict = self.decide((&moved, ticks), &mut judge, &mut partials);
        self.statistics.partials += partials.taken as u64;
        match verdict {
            Verdict::Unknown | Verdict::Unreadable => {
                match ticks < self.options.ticks {
                    true => self.statistics.put_off += 1,
                    false => self.statistics.unknown += 1,
                }
                Answer::Unknown
            }
            Verdict::Model(model) => {
                self.statistics.solutions += 1;
                Answer::Solution(with_model(input, &model, &symbols, variables))
            }
            Verdict::Core(core) => {
                self.statistics.impossible += 1;
                if self.options.is_incremental {
                    let core: FxHashSet<TermId> = core.into_iter().collect();
                    // Bounds always hold.
                    let pairs = part.iter().zip(&moved);
                    let needed = pairs.filter(|(_, moved)| core.contains(moved));
                    *found_core = Some(needed.map(|(&condition, _)| condition).collect());
                }
                Answer::Impossible
            }
        }
    }

    /// The verdict on conditions in the store of this solver.
    fn decide(
        &mut self,
        (conditions, ticks): (&[TermId], u64),
        judge: &mut dyn FnMut(&Model) -> bool,
        partials: &mut Receiver<'_>,
    ) -> Verdict {
        if !self.options.is_incremental {
            self.circuits.forget();
        }
        let (control, terms) = (&self.control, &mut self.terms);
        if self.options.reads_integers {
            match self.integers.ask(conditions, ticks, terms, control, partials) {
                Verdict::Model(model) if judge(&model) => {
                    self.statistics.of_integers += 1;
                    return Verdict::Model(model);
                }
                Verdict::Core(core) => {
                    self.statistics.of_integers += 1;
                    return Verdict::Core(core);
                }
                Verdict::Model(_) | Verdict::Unknown | Verdict::Unreadable => {}
            }
        }
        if !self.floats.are_searched(conditions, terms) {
            return self.circuits.ask(conditions, ticks, terms, control, partials);
        }
        let is_short = ticks < self.options.ticks;
        let turns = Turns { conditions, ticks, is_short, control, judge };
        let Decided { verdict, by_search } = self.floats.decide(turns, &mut self.circuits, terms, partials);
        self.statistics.with_floats += 1;
        self.statistics.optimised += u64::from(by_search);
        verdict
    }
}

//! Asking for inputs: path conditions, their independent parts, and what is known from earlier answers.
//!
//! One engine serves the whole exploration: every condition becomes a literal once, and a question is a set of assumptions (a path condition), so that what the engine has
//! learned on one path helps on others. Only the part of a path condition that shares variables with the branch is asked (after EXE); everything else keeps the
//! values of the input that reaches the branch.

mod below;
mod circuits;
mod floats;
mod integers;
mod models;
mod neighbours;
mod procedure;
mod sets;
mod shortcuts;

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use sundry_solver::FloatMethod;
use sundry_term::{Control, Model, Op, TermId};

use crate::input::{Input, VariableId, Variables};
use crate::question::{KnownAnswer, KnownKind};
use crate::symbolic::Terms;
use below::{union, unknown_below};
use circuits::Circuits;
use floats::{Decided, Floats, Turns};
use integers::Integers;
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

/// Answers questions about path conditions.
pub struct Solver {
    options: SolveOptions,
    circuits: Circuits,
    floats: Floats,
    integers: Integers,
    variables_of: FxHashMap<TermId, Rc<[VariableId]>>,
    cores: FxHashMap<TermId, Vec<Vec<TermId>>>,
    sets: ValueSets,
    control: Control,
    /// The conditions of the last question; none where it was not put.
    asked: Vec<TermId>,
    /// Counters so far.
    pub statistics: SolveStatistics,
}

impl Solver {
    /// A solver that has been asked nothing. The seed is that of searches.
    pub fn new(options: SolveOptions, seed: u64, control: &Control) -> Solver {
        Solver {
            options,
            circuits: Circuits::default(),
            floats: Floats::new(options.floats, seed),
            integers: Integers::default(),
            variables_of: FxHashMap::default(),
            cores: FxHashMap::default(),
            sets: ValueSets::default(),
            control: control.clone(),
            asked: Vec::new(),
            statistics: SolveStatistics::default(),
        }
    }

    /// Asks for an input that satisfies conditions, of which `input` satisfies all but the last, within this number of ticks. Partial
    /// solutions go to `receive`.
    pub fn ask(
        &mut self,
        conditions: &[TermId],
        (input, ticks): (&Input, u64),
        variables: &Variables,
        terms: &mut Terms,
        receive: &mut dyn FnMut(Input),
    ) -> Answer {
        let (&goal, path) = conditions.split_last().expect("a branch has a condition");
        let part = if self.options.is_incremental {
            self.dependent_part(goal, path, variables, terms)
        } else {
            conditions.to_vec()
        };
        if self.options.is_incremental && self.is_refuted(goal, &part) {
            self.statistics.cores_reused += 1;
            self.asked.clear();
            return Answer::Impossible;
        }
        self.statistics.questions += 1;
        self.asked.clone_from(&part);
        if self.options.is_incremental
            && let Some(answer) = self.enumerate(&part, input, variables, terms, receive)
        {
            self.statistics.enumerated += 1;
            match answer {
                Answer::Solution(_) => self.statistics.solutions += 1,
                _ => self.statistics.impossible += 1,
            }
            return answer;
        }
        if self.options.is_incremental
            && let Some(solution) = self.neighbour(&part, input, variables, terms, receive)
        {
            self.statistics.neighbours += 1;
            self.statistics.solutions += 1;
            return Answer::Solution(solution);
        }
        let concerned: FxHashSet<VariableId> = part
            .iter()
            .flat_map(|&condition| self.variables_of(condition, variables, terms).to_vec())
            .collect();
        let mut take = |model| receive(with_model(input, &model, &concerned, variables));
        let mut partials = Receiver::new(self.options.partials, &mut take);
        let mut conditions = part;
        conditions.extend(length_bounds(&conditions, &self.variables_of, variables, terms));
        let mut judge = |terms: &Terms, model: &Model| {
            let input = with_model(input, model, &concerned, variables);
            holds(&conditions, &input, &concerned, variables, terms)
        };
        let verdict = self.decide((&conditions, ticks), &mut judge, terms, &mut partials);
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
                Answer::Solution(with_model(input, &model, &concerned, variables))
            }
            Verdict::Core(core) => {
                self.statistics.impossible += 1;
                if self.options.is_incremental {
                    self.remember(core);
                }
                Answer::Impossible
            }
        }
    }

    /// An estimate of the work of a question with this goal, which grows with the number of its variables: a logarithm.
    pub fn cost_of(&mut self, goal: TermId, variables: &Variables, terms: &Terms) -> u32 {
        (self.variables_of(goal, variables, terms).len() as u32 + 1).ilog2()
    }

    /// The work of questions since the last call, in instructions of a plain run that take as long.
    pub fn take_work(&mut self) -> u64 {
        self.circuits.take_work().saturating_mul(INSTRUCTIONS_PER_TICK)
    }

    /// Whether the last answer is that of a question, and not of an earlier core.
    pub fn was_asked(&self) -> bool {
        !self.asked.is_empty()
    }

    /// The conditions that were asked for last, with the bounds of lengths; none where an earlier core refuted the branch.
    pub fn asked(&mut self, variables: &Variables, terms: &mut Terms) -> Vec<TermId> {
        let asked = self.asked.clone();
        for &condition in &asked {
            self.variables_of(condition, variables, terms);
        }
        let bounds = length_bounds(&asked, &self.variables_of, variables, terms);
        asked.into_iter().chain(bounds).collect()
    }

    /// Counts an answer that an earlier exploration got within this number of ticks.
    pub fn count_known(&mut self, known: &KnownAnswer, ticks: u64) {
        self.statistics.partials += known.partials.len() as u64;
        let counter = match known.kind {
            KnownKind::Solution(_) => &mut self.statistics.solutions,
            KnownKind::Impossible => &mut self.statistics.impossible,
            KnownKind::Refuted => &mut self.statistics.cores_reused,
            KnownKind::Unknown if ticks < self.options.ticks => &mut self.statistics.put_off,
            KnownKind::Unknown => &mut self.statistics.unknown,
        };
        *counter += 1;
        self.statistics.questions += u64::from(known.kind != KnownKind::Refuted);
    }

    /// The verdict on conditions.
    fn decide(
        &mut self,
        (conditions, ticks): (&[TermId], u64),
        judge: &mut dyn FnMut(&Terms, &Model) -> bool,
        terms: &mut Terms,
        partials: &mut Receiver<'_>,
    ) -> Verdict {
        if !self.options.is_incremental {
            self.circuits.forget();
        }
        let control = &self.control;
        if self.options.reads_integers {
            match self.integers.ask(conditions, ticks, terms, control, partials) {
                Verdict::Model(model) if judge(terms, &model) => {
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

    /// The conditions that share variables with the goal, directly or by way of others, and the goal as the last.
    fn dependent_part(
        &mut self,
        goal: TermId,
        path: &[TermId],
        variables: &Variables,
        terms: &Terms,
    ) -> Vec<TermId> {
        let sets: Vec<_> =
            path.iter().map(|&condition| self.variables_of(condition, variables, terms)).collect();
        let mut conditions_of: FxHashMap<VariableId, Vec<usize>> = FxHashMap::default();
        for (number, set) in sets.iter().enumerate() {
            for &variable in set.iter() {
                conditions_of.entry(variable).or_default().push(number);
            }
        }
        let mut is_needed = vec![false; path.len()];
        let mut open: Vec<VariableId> = self.variables_of(goal, variables, terms).to_vec();
        while let Some(variable) = open.pop() {
            for number in conditions_of.remove(&variable).unwrap_or_default() {
                if !std::mem::replace(&mut is_needed[number], true) {
                    open.extend(sets[number].iter());
                }
            }
        }
        let mut seen = FxHashSet::default();
        let needed =
            path.iter().zip(is_needed).filter_map(|(&condition, is_needed)| is_needed.then_some(condition));
        let mut part: Vec<TermId> =
            needed.filter(|&condition| condition != goal && seen.insert(condition)).collect();
        part.push(goal);
        part
    }

    /// The variables in a condition, ascending.
    fn variables_of(&mut self, condition: TermId, variables: &Variables, terms: &Terms) -> Rc<[VariableId]> {
        if let Some(known) = self.variables_of.get(&condition) {
            return known.clone();
        }
        for term in unknown_below(&terms.store, condition, &self.variables_of) {
            let own = match terms.store.op(term) {
                Op::Apply(symbol) => variables.of_symbol(symbol),
                _ => None,
            };
            let arguments = terms.store.args(term).iter().map(|argument| self.variables_of[argument].clone());
            let sets: Vec<Rc<[VariableId]>> =
                arguments.chain(own.map(|variable| Rc::from([variable]))).collect();
            self.variables_of.insert(term, union(&sets));
        }
        self.variables_of[&condition].clone()
    }

    fn is_refuted(&self, goal: TermId, part: &[TermId]) -> bool {
        let Some(cores) = self.cores.get(&goal) else { return false };
        let part: FxHashSet<TermId> = part.iter().copied().collect();
        cores.iter().any(|core| core.iter().all(|condition| part.contains(condition)))
    }

    fn remember(&mut self, core: Vec<TermId>) {
        for &condition in &core {
            self.cores.entry(condition).or_default().push(core.clone());
        }
    }
}

/// The conditions that lengths are at most the capacities, for lengths in these conditions.
fn length_bounds(
    conditions: &[TermId],
    variables_of: &FxHashMap<TermId, Rc<[VariableId]>>,
    variables: &Variables,
    terms: &mut Terms,
) -> Vec<TermId> {
    let mut bounds = Vec::new();
    for source in variables.sources() {
        let Some(length) = source.length else { continue };
        let is_used = |condition: &TermId| {
            variables_of.get(condition).is_some_and(|set| set.binary_search(&length).is_ok())
        };
        if conditions.iter().any(is_used) {
            let capacity = terms.number(32, u64::from(source.capacity));
            let term = variables.variable(length).term;
            bounds.push(terms.apply(Op::BvUle, &[term, capacity]));
        }
    }
    bounds
}

//! Asking for inputs: path conditions, their independent parts, and what is known from earlier answers.
//!
//! One engine serves the whole exploration: every condition becomes a literal once, and a question is a set of assumptions (a path condition), so that what the engine has
//! learned on one path helps on others. Only the part of a path condition that shares variables with the branch is asked (after EXE); everything else keeps the
//! values of the input that reaches the branch.

mod sets;

use std::ops::ControlFlow;

use rustc_hash::{FxHashMap, FxHashSet};
use sundry_solver::{Checked, Engine, EngineOptions, Lit, Observer, Query};
use sundry_term::{Control, Model, Op, TermId};

use crate::input::{Input, VariableId, Variables};
use crate::question::{KnownAnswer, KnownKind};
use crate::symbolic::Terms;
use sets::{MOST_VALUES, ValueSets};

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
    /// The work that a question may take, in ticks of the SAT solver.
    pub ticks: u64,
    /// Whether independent parts are kept apart, earlier answers used, and one engine kept.
    pub is_incremental: bool,
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
    /// Questions without an answer.
    pub unknown: u64,
    /// Questions about a single variable, which its values answer without the engine.
    pub enumerated: u64,
    /// Branches refuted by the core of an earlier question.
    pub cores_reused: u64,
    /// Partial solutions.
    pub partials: u64,
    /// Engines started.
    pub engines: u64,
}

/// The greatest number of partial solutions of an enumeration: there is one for each selection of conditions, and most are of paths that are known.
const MOST_ENUMERATED: usize = 4;

/// Answers questions about path conditions.
pub struct Solver {
    options: SolveOptions,
    engine: Option<Engine>,
    literals: FxHashMap<TermId, Option<Lit>>,
    variables_of: FxHashMap<TermId, std::rc::Rc<[VariableId]>>,
    cores: FxHashMap<TermId, Vec<Vec<TermId>>>,
    sets: ValueSets,
    control: Control,
    /// The conditions of the last question; none where it was not put.
    asked: Vec<TermId>,
    /// Counters so far.
    pub statistics: SolveStatistics,
}

/// The number of nodes of a circuit from which on a new engine is started: each answer takes time for all of them.
const MOST_NODES: usize = 60_000;

/// The number of conditions from which on a new engine is started: the theory of arrays looks at the arrays of all of them.
const MOST_CONDITIONS: usize = 150;

impl Solver {
    /// A solver that has been asked nothing.
    pub fn new(options: SolveOptions, control: &Control) -> Solver {
        Solver {
            options,
            engine: None,
            literals: FxHashMap::default(),
            variables_of: FxHashMap::default(),
            cores: FxHashMap::default(),
            sets: ValueSets::default(),
            control: control.clone(),
            asked: Vec::new(),
            statistics: SolveStatistics::default(),
        }
    }

    /// Asks for an input that satisfies conditions, of which `input` satisfies all but the last. Partial solutions go to `receive`.
    pub fn ask(
        &mut self,
        conditions: &[TermId],
        input: &Input,
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
        let concerned: FxHashSet<VariableId> = part
            .iter()
            .flat_map(|&condition| self.variables_of(condition, variables, terms).to_vec())
            .collect();
        let answer = self.ask_engine(&part, variables, terms, &mut |model| {
            receive(with_model(input, &model, &concerned, variables));
        });
        match answer {
            None => {
                self.statistics.unknown += 1;
                Answer::Unknown
            }
            Some(Ok(model)) => {
                self.statistics.solutions += 1;
                Answer::Solution(with_model(input, &model, &concerned, variables))
            }
            Some(Err(core)) => {
                self.statistics.impossible += 1;
                if self.options.is_incremental {
                    self.remember(core);
                }
                Answer::Impossible
            }
        }
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

    /// Counts an answer that an earlier exploration got.
    pub fn count_known(&mut self, known: &KnownAnswer) {
        self.statistics.partials += known.partials.len() as u64;
        let counter = match known.kind {
            KnownKind::Solution(_) => &mut self.statistics.solutions,
            KnownKind::Impossible => &mut self.statistics.impossible,
            KnownKind::Refuted => &mut self.statistics.cores_reused,
            KnownKind::Unknown => &mut self.statistics.unknown,
        };
        *counter += 1;
        self.statistics.questions += u64::from(known.kind != KnownKind::Refuted);
    }

    /// The answer for conditions on one variable with a small number of values.
    fn enumerate(
        &mut self,
        part: &[TermId],
        input: &Input,
        variables: &Variables,
        terms: &Terms,
        receive: &mut dyn FnMut(Input),
    ) -> Option<Answer> {
        let &[variable] = &*self.variables_of(part[part.len() - 1], variables, terms) else { return None };
        if part.iter().any(|&condition| *self.variables_of(condition, variables, terms) != [variable]) {
            return None;
        }
        let symbol = variables.variable(variable).symbol;
        let count = variables.value_count(variable).filter(|&count| count <= MOST_VALUES)?;
        let most = self.options.partials.min(MOST_ENUMERATED);
        let found = self.sets.enumerate(part, (symbol, count), most, &terms.store)?;
        let with = |value| {
            let mut input = input.clone();
            input.set(variable, value);
            input
        };
        self.statistics.partials += found.partials.len() as u64;
        found.partials.into_iter().for_each(|value| receive(with(value)));
        Some(found.solution.map_or(Answer::Impossible, |value| Answer::Solution(with(value))))
    }

    /// The engine's answer: a model, or the conditions that contradict one another.
    fn ask_engine(
        &mut self,
        conditions: &[TermId],
        variables: &Variables,
        terms: &mut Terms,
        receive: &mut dyn FnMut(Model),
    ) -> Option<Result<Model, Vec<TermId>>> {
        let has_many_nodes = |engine: &Engine| engine.circuit().node_count() > MOST_NODES;
        let is_full =
            self.engine.as_ref().is_some_and(has_many_nodes) || self.literals.len() > MOST_CONDITIONS;
        if is_full || !self.options.is_incremental {
            self.engine = None;
            self.literals.clear();
        }
        if self.engine.is_none() {
            self.statistics.engines += 1;
        }
        let control = &self.control;
        let engine =
            self.engine.get_or_insert_with(|| Engine::new(&EngineOptions::for_many_calls(), control));
        let mut assumptions = Vec::new();
        let lengths = length_bounds(conditions, &self.variables_of, variables, terms);
        for &condition in conditions.iter().chain(&lengths) {
            let literal = match self.literals.get(&condition) {
                Some(&literal) => literal,
                None => {
                    let edge = engine.bits(&mut terms.store, condition).ok().map(|bits| bits[0]);
                    let literal = edge.map(|edge| engine.literal(edge));
                    self.literals.insert(condition, literal);
                    literal
                }
            };
            assumptions.push((literal?, condition));
        }
        let literals: Vec<Lit> = assumptions.iter().map(|&(literal, _)| literal).collect();
        let query = Query::assuming(&literals).within(self.options.ticks);
        let mut partials = 0;
        let most = self.options.partials;
        let checked = if most == 0 {
            engine.check(query)
        } else {
            let mut take = |partial: sundry_solver::PartialSolution| {
                partials += 1;
                receive(partial.model);
                if partials < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            };
            engine.check_and_report(query, Observer { store: &terms.store, most, receive: &mut take })
        };
        let answer = match checked {
            Checked::Sat(model) => Some(Ok(model.model(&terms.store))),
            Checked::Unsat(refutation) => {
                let needed = assumptions.iter().filter(|(literal, _)| refutation.needs(*literal));
                Some(Err(needed.map(|&(_, condition)| condition).collect()))
            }
            Checked::Unknown => None,
        };
        self.statistics.partials += partials as u64;
        answer
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
    fn variables_of(
        &mut self,
        condition: TermId,
        variables: &Variables,
        terms: &Terms,
    ) -> std::rc::Rc<[VariableId]> {
        if let Some(known) = self.variables_of.get(&condition) {
            return known.clone();
        }
        let found =
            terms.store.reachable(&[condition]).into_iter().filter_map(|term| match terms.store.op(term) {
                Op::Apply(symbol) => variables.of_symbol(symbol),
                _ => None,
            });
        let mut found: Vec<VariableId> = found.collect();
        found.sort_unstable();
        let found: std::rc::Rc<[VariableId]> = found.into();
        self.variables_of.insert(condition, found.clone());
        found
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
    variables_of: &FxHashMap<TermId, std::rc::Rc<[VariableId]>>,
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

/// An input with the values that a model gives these variables.
fn with_model(
    input: &Input,
    model: &Model,
    concerned: &FxHashSet<VariableId>,
    variables: &Variables,
) -> Input {
    let mut input = input.clone();
    for &id in concerned {
        let value =
            model.constant(variables.variable(id).symbol).and_then(|value| value.as_bit_vector()?.to_u64());
        if let Some(value) = value {
            input.set(id, value);
        }
    }
    input
}

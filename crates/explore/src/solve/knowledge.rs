//! The knowledge that all questions share: terms, which variables conditions are about, and cores of earlier answers.
//!
//! Questions only read it, so that several lanes can work on the questions of a round. Whatever they find out becomes known between two rounds, in the order of the
//! questions.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use sundry_term::{Op, TermId};

use super::below::{union, unknown_below};
use crate::input::{VariableId, Variables};
use crate::symbolic::Terms;

/// Terms, variables, and what is known about conditions.
pub struct Knowledge {
    /// The terms of runs.
    pub terms: Terms,
    /// The variables of the terms.
    pub variables: Variables,
    variables_of: FxHashMap<TermId, Arc<[VariableId]>>,
    /// Conditions that contradict one another, by each of them.
    cores: FxHashMap<TermId, Vec<Arc<[TermId]>>>,
    /// For lengths, the conditions that they are at most the capacities.
    bounds: Vec<(VariableId, TermId)>,
    /// The number of sources whose lengths have bounds.
    bounded_sources: usize,
    /// The number of collections, each of which gives terms other ids.
    pub generation: u64,
    /// The number of conditions in all cores.
    core_conditions: usize,
}

/// The memory of a condition of a core, and the entry that leads from the condition to the core.
const BYTES_OF_CORE_CONDITION: usize = 32;

impl Knowledge {
    /// Knowledge of variables.
    pub fn new(terms: Terms, variables: Variables) -> Knowledge {
        Knowledge {
            terms,
            variables,
            variables_of: FxHashMap::default(),
            cores: FxHashMap::default(),
            bounds: Vec::new(),
            bounded_sources: 0,
            generation: 0,
            core_conditions: 0,
        }
    }

    /// The knowledge of an exploration, to be changed between two rounds.
    ///
    /// # Panics
    /// A lane is at work and reads it.
    pub fn between_rounds(knowledge: &mut Arc<Knowledge>) -> &mut Knowledge {
        Arc::get_mut(knowledge).expect("no lane is at work")
    }

    /// Finds out all about conditions that a question about them needs.
    pub fn prepare(&mut self, conditions: &[TermId]) {
        for source in &self.variables.sources()[self.bounded_sources..] {
            if let Some(length) = source.length {
                let capacity = self.terms.number(32, u64::from(source.capacity));
                let term = self.variables.variable(length).term;
                self.bounds.push((length, self.terms.apply(Op::BvUle, &[term, capacity])));
            }
        }
        self.bounded_sources = self.variables.sources().len();
        for &condition in conditions {
            self.find_variables(condition);
        }
    }

    fn find_variables(&mut self, condition: TermId) {
        if self.variables_of.contains_key(&condition) {
            return;
        }
        let store = &self.terms.store;
        for term in unknown_below(store, condition, &self.variables_of) {
            let own = match store.op(term) {
                Op::Apply(symbol) => self.variables.of_symbol(symbol),
                _ => None,
            };
            let arguments = store.args(term).iter().map(|argument| self.variables_of[argument].clone());
            let sets: Vec<Arc<[VariableId]>> =
                arguments.chain(own.map(|variable| Arc::from([variable]))).collect();
            self.variables_of.insert(term, union(&sets));
        }
    }

    /// The variables in a condition that was prepared, ascending.
    pub fn variables_of(&self, condition: TermId) -> &[VariableId] {
        &self.variables_of[&condition]
    }

    /// An estimate of the work of a question with this goal, which grows with the number of its variables: a logarithm.
    pub fn cost_of(&mut self, goal: TermId) -> u32 {
        self.find_variables(goal);
        (self.variables_of[&goal].len() as u32 + 1).ilog2()
    }

    /// The variables in conditions that were prepared.
    pub fn all_variables_of(&self, conditions: &[TermId]) -> FxHashSet<VariableId> {
        conditions.iter().flat_map(|&condition| self.variables_of(condition)).copied().collect()
    }

    /// The conditions that share variables with the last one, directly or by way of others, and the last one.
    pub fn dependent_part(&self, conditions: &[TermId]) -> Vec<TermId> {
        let (&goal, path) = conditions.split_last().expect("a branch has a condition");
        let mut conditions_of: FxHashMap<VariableId, Vec<usize>> = FxHashMap::default();
        for (number, &condition) in path.iter().enumerate() {
            for &variable in self.variables_of(condition) {
                conditions_of.entry(variable).or_default().push(number);
            }
        }
        let mut is_needed = vec![false; path.len()];
        let mut open: Vec<VariableId> = self.variables_of(goal).to_vec();
        while let Some(variable) = open.pop() {
            for number in conditions_of.remove(&variable).unwrap_or_default() {
                if !std::mem::replace(&mut is_needed[number], true) {
                    open.extend(self.variables_of(path[number]));
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

    /// Whether conditions have those of a core among them, of which the last one is.
    pub fn is_refuted(&self, part: &[TermId]) -> bool {
        let Some(cores) = part.last().and_then(|goal| self.cores.get(goal)) else { return false };
        let part: FxHashSet<TermId> = part.iter().copied().collect();
        cores.iter().any(|core| core.iter().all(|condition| part.contains(condition)))
    }

    /// Remembers conditions that contradict one another.
    pub fn remember(&mut self, core: &[TermId]) {
        let core: Arc<[TermId]> = core.into();
        self.core_conditions += core.len();
        for &condition in core.iter() {
            self.cores.entry(condition).or_default().push(core.clone());
        }
    }

    /// Conditions that were prepared, and the bounds of the lengths in them.
    pub fn with_bounds(&self, conditions: &[TermId]) -> Vec<TermId> {
        let is_used = |length: &VariableId| {
            conditions.iter().any(|&condition| self.variables_of(condition).binary_search(length).is_ok())
        };
        let bounds = self.bounds.iter().filter(|(length, _)| is_used(length)).map(|&(_, bound)| bound);
        conditions.iter().copied().chain(bounds).collect()
    }

    /// The memory of terms and cores, about.
    pub fn bytes(&self) -> usize {
        self.terms.bytes() + self.core_conditions * BYTES_OF_CORE_CONDITION
    }

    /// Keeps these conditions, the terms in them, and cores of them only. Conditions get the ids that they have from now on.
    pub fn collect(&mut self, mut conditions: Vec<&mut TermId>) {
        let kept: Vec<TermId> =
            conditions.iter().map(|condition| **condition).chain(self.variables.terms()).collect();
        let transfer = self.terms.keep(&kept);
        self.variables.follow(&transfer);
        for condition in &mut conditions {
            **condition = transfer.moved(**condition).expect("all conditions were kept");
        }
        let cores = std::mem::take(&mut self.cores);
        let mut old: Vec<(TermId, Vec<Arc<[TermId]>>)> = cores.into_iter().collect();
        old.sort_unstable_by_key(|&(condition, _)| condition);
        self.core_conditions = 0;
        for (condition, cores) in old {
            // Each core is listed with all of its conditions, and moves with the first.
            for core in cores.iter().filter(|core| core.iter().min() == Some(&condition)) {
                let moved: Option<Vec<TermId>> = core.iter().map(|&it| transfer.moved(it)).collect();
                if let Some(moved) = moved {
                    self.remember(&moved);
                }
            }
        }
        self.variables_of = FxHashMap::default();
        self.bounds.clear();
        self.bounded_sources = 0;
        self.generation += 1;
    }
}

//! Questions to the solver: for a solution near a random assignment, and for solutions near it in which a bit differs.

use rand::Rng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashSet;
use sundry_coverage::Predicate;
use sundry_solver::{Checked, Edge, EngineOptions, Lit, Query, Verdict};
use sundry_term::{Control, Model, Op, SymbolId, TermId};

use super::Granularity;
use crate::error::SampleError;
use crate::formula_engine::FormulaEngine;
use crate::problem::Problem;

/// Effort for a solution near another one, beyond which the condition is left out.
const TICKS: u64 = 20_000_000;

/// The subject in which neighbours differ.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Subject {
    /// A bit of a constant.
    Bit(SymbolId, u32),
    /// A bit of a value read from an array or given by a function.
    Read,
    /// A predicate of the user, by position.
    Predicate(usize),
}

/// A subject in which neighbours differ, in the circuit.
struct Condition {
    subject: Subject,
    /// The number of its term: bits of the same constant, or of the same read, are one value.
    term: usize,
    edge: Edge,
    literal: Lit,
}

/// A way to differ from the last solution.
#[derive(Clone)]
pub(crate) enum Difference {
    /// Another value of one condition, by number.
    Condition(usize),
    /// The solution has at least one of these literals, which do not hold in the last solution.
    OneOf(Vec<Lit>),
}

/// The formula, and the conditions in which its solutions may differ.
pub(crate) struct Finder {
    pub(crate) formula: FormulaEngine,
    conditions: Vec<Condition>,
}

impl Finder {
    /// Asserts the formula. Neighbours differ in one of these predicates; without any, in one of the bits that may
    /// vary.
    pub(crate) fn new(
        problem: &Problem,
        predicates: &[Predicate],
        seed: u64,
        control: &Control,
    ) -> Result<Self, SampleError> {
        let mut formula = FormulaEngine::for_run(problem, seed, &EngineOptions::for_many_calls(), control)?;
        let store = formula.store();
        let is_input = |&term: &TermId| matches!(store.op(term), Op::Apply(_) | Op::Select);
        let terms: Vec<TermId> = match predicates {
            [] => store.reachable(&problem.assertions).into_iter().filter(is_input).collect(),
            _ => predicates.iter().map(|predicate| predicate.term).collect(),
        };
        let edges = formula.bits_of_all(&terms).map_err(|error| formula.not_ready(error))?;
        let mut conditions: Vec<Condition> = Vec::new();
        let mut seen = FxHashSet::default();
        for (number, (&term, edges)) in terms.iter().zip(&edges).enumerate() {
            for (bit, &edge) in (0..).zip(edges) {
                if edge.is_constant().is_none() && seen.insert(edge.regular()) {
                    let subject = match formula.store().constant_symbol(term) {
                        _ if !predicates.is_empty() => Subject::Predicate(number),
                        Some(symbol) => Subject::Bit(symbol, bit),
                        None => Subject::Read,
                    };
                    let literal = formula.engine_mut().literal(edge);
                    conditions.push(Condition { subject, term: number, edge, literal });
                }
            }
        }
        Ok(Finder { formula, conditions })
    }

    /// A solution that takes what it can from a random assignment. It is not the nearest one: what conflicts is given
    /// up in the order in which the search meets it.
    pub(crate) fn base(
        &mut self,
        granularity: Granularity,
        random: &mut ChaCha8Rng,
    ) -> Result<Model, Verdict> {
        match granularity {
            Granularity::Bit => {
                self.prefer_randomly(random);
                self.formula.find(Query::default())
            }
            Granularity::Gate => {
                self.formula.engine_mut().prefer_values(|_| random.random());
                self.formula.find(Query::default())
            }
            Granularity::Value => self.base_of_random_values(random),
        }
    }

    /// A solution in which as many constants and reads have the whole of a random value as can be had greedily.
    fn base_of_random_values(&mut self, random: &mut ChaCha8Rng) -> Result<Model, Verdict> {
        self.prefer_randomly(random);
        let mut guards = Vec::new();
        for bits in self.conditions.chunk_by(|left, right| left.term == right.term) {
            let guard = self.formula.new_literal();
            for bit in bits {
                self.formula.add_clause(&[!guard, bit.literal.negate_if(random.random())]);
            }
            guards.push(guard);
        }
        let answer = self.softly(&[], guards.clone(), None, random);
        guards.into_iter().for_each(|guard| self.formula.add_clause(&[!guard]));
        answer
    }

    /// A solution that takes what it can from a random value for each condition, and then from a random assignment.
    pub(crate) fn base_of_random_class(&mut self, random: &mut ChaCha8Rng) -> Result<Model, Verdict> {
        self.prefer_randomly(random);
        let class =
            self.conditions.iter().map(|condition| condition.literal.negate_if(random.random())).collect();
        match self.softly(&[], class, Some(TICKS), random) {
            Err(Verdict::Unknown) => self.base(Granularity::Bit, random),
            answer => answer,
        }
    }

    /// A solution in which all conditions have random values, if there is one.
    pub(crate) fn of_random_class(&mut self, random: &mut ChaCha8Rng) -> Result<Model, Verdict> {
        self.prefer_randomly(random);
        let class: Vec<Lit> =
            self.conditions.iter().map(|condition| condition.literal.negate_if(random.random())).collect();
        self.formula.find(Query::assuming(&class).within(TICKS))
    }

    fn prefer_randomly(&mut self, random: &mut ChaCha8Rng) {
        let engine = self.formula.engine_mut();
        let values: Vec<bool> = engine.circuit().inputs().iter().map(|_| random.random()).collect();
        engine.prefer_inputs(&values);
    }

    /// Decisions try the values of the last solution from now on. Its values of the conditions.
    pub(crate) fn stay_near(&mut self) -> Vec<bool> {
        let last = self.formula.last_model();
        let values = self.conditions.iter().map(|condition| last.value(condition.edge)).collect();
        let inputs = last.inputs();
        self.formula.engine_mut().prefer_inputs(&inputs);
        values
    }

    /// Ways to differ from the last solution, which has these values of the conditions, but in what is done already.
    pub(crate) fn differences(
        &self,
        granularity: Granularity,
        values: &[bool],
        done: &FxHashSet<Subject>,
    ) -> Vec<Difference> {
        match granularity {
            Granularity::Bit => {
                let is_open = |&number: &usize| !done.contains(&self.conditions[number].subject);
                (0..values.len()).filter(is_open).map(Difference::Condition).collect()
            }
            Granularity::Value => {
                let opposite = |(condition, &value): (&Condition, &bool)| {
                    (condition.term, condition.literal.negate_if(value))
                };
                let bits: Vec<(usize, Lit)> = self.conditions.iter().zip(values).map(opposite).collect();
                let of_one_term = bits.chunk_by(|left, right| left.0 == right.0);
                of_one_term
                    .map(|bits| Difference::OneOf(bits.iter().map(|&(_, literal)| literal).collect()))
                    .collect()
            }
            Granularity::Gate => {
                let (nodes, last) = (self.formula.engine().encoded(), self.formula.last_model());
                nodes
                    .map(|(edge, literal)| Difference::OneOf(vec![literal.negate_if(last.value(edge))]))
                    .collect()
            }
        }
    }

    /// Finds a solution near the last one, which has these values of the conditions, that differs from it in this way.
    /// For predicates, the values of the others are kept first, as far as possible.
    ///
    /// # Errors
    /// No such solution exists, or it is hard to find.
    pub(crate) fn neighbour(
        &mut self,
        difference: &Difference,
        values: &[bool],
        random: &mut ChaCha8Rng,
    ) -> Result<Model, Verdict> {
        let condition = match difference {
            Difference::Condition(number) => *number,
            Difference::OneOf(literals) => {
                let query = Query { at_least_one: literals, ..Query::default() };
                return self.formula.find(query.within(TICKS));
            }
        };
        let different = self.conditions[condition].literal.negate_if(values[condition]);
        let others = match self.conditions[condition].subject {
            Subject::Predicate(_) => (0..values.len())
                .filter(|&other| other != condition)
                .map(|other| self.conditions[other].literal.negate_if(!values[other]))
                .collect(),
            Subject::Bit(..) | Subject::Read => Vec::new(),
        };
        self.softly(&[different], others, Some(TICKS), random)
    }

    /// Finds a solution with all hard literals and some of the soft ones: of those in conflict with the rest, a random
    /// one is given up, again and again. The number left need not be maximal. Each question may take this number of
    /// ticks.
    fn softly(
        &mut self,
        hard: &[Lit],
        mut soft: Vec<Lit>,
        ticks: Option<u64>,
        random: &mut ChaCha8Rng,
    ) -> Result<Model, Verdict> {
        loop {
            let assumptions: Vec<Lit> = hard.iter().chain(&soft).copied().collect();
            let query = Query { ticks, ..Query::assuming(&assumptions) };
            let failed: Vec<usize> = match self.formula.check(query) {
                Checked::Sat(_) => return Ok(self.formula.read_last_model()),
                Checked::Unsat(refutation) => {
                    (0..soft.len()).filter(|&number| refutation.needs(soft[number])).collect()
                }
                Checked::Unknown => return Err(Verdict::Unknown),
            };
            match failed.choose(random) {
                Some(&number) => drop(soft.swap_remove(number)),
                None => return Err(Verdict::Unsat),
            }
        }
    }
}

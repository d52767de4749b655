//! Solutions that satisfy a formula for other reasons than a known one, found by a solver that knows the assertions only.
//!
//! Walks ([`polyhedra`](crate::polyhedra)) stay with the reasons for which a solution satisfies the formula: they move the times of a schedule, but never
//! change its order. A hop changes some of the decisions, at random, and lets the solver repair the rest. The engine is that of the first solution: it has
//! learned what makes the formula hard, has no circuits for bits of numbers, with which the same questions are hard, and stays near the last solution by itself. A hop takes
//! milliseconds where the first solution took a second.

use rand::Rng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use sundry_solver::{Edge, Lit, Query, Verdict};
use sundry_term::Model;

use crate::formula_engine::FormulaEngine;

/// Ticks of a hop, at least and at most.
const TICKS_OF_HOP: (u64, u64) = (20_000, 1_000_000);
/// Ticks of a hop for each that a hop which has led to a solution has taken in the mean.
const PATIENCE: u64 = 8;
/// Decisions that one hop changes, at most.
const MOST_CHANGES: usize = 64;

/// A decision of the formula: a bound of a number, a Boolean constant, or a bit of a word.
struct Decision {
    edge: Edge,
    literal: Lit,
    /// Whether hops may ask for false, and for true: not once this is known to be impossible, or too hard.
    allowed: [bool; 2],
    /// The solutions in which the decision was false, and those in which it was true.
    seen: [u32; 2],
}

/// Hops from one solution to another.
pub(crate) struct Hopper {
    formula: FormulaEngine,
    decisions: Vec<Decision>,
    /// The decisions in the last solution.
    last: Vec<bool>,
    /// Decisions that the next hop changes.
    changes: usize,
    /// The number of hops that have led to a solution, and their ticks.
    successful: (u64, u64),
}

/// The end of a hop.
pub(crate) enum Hop {
    /// A model, not judged yet.
    Model(Box<Model>),
    /// No solution was found with these changes; others may have one.
    Failed,
    /// There is nothing that a hop could change.
    Over,
}

impl Hopper {
    /// Hops from the solution that this engine has found. What it has learned on the way there makes hops easy.
    pub(crate) fn new(mut formula: FormulaEngine) -> Hopper {
        let engine = formula.engine_mut();
        let inputs: Vec<Edge> = engine.circuit().inputs().to_vec();
        // Inputs without a literal are in no clause. Asking for the literal tells the engine that questions assume it.
        let in_clauses =
            inputs.into_iter().filter(|&edge| engine.literal_of(edge).is_some()).collect::<Vec<_>>();
        let decision =
            |edge| Decision { edge, literal: engine.literal(edge), allowed: [true; 2], seen: [0; 2] };
        let decisions = in_clauses.into_iter().map(decision).collect();
        let mut hopper = Hopper { formula, decisions, last: Vec::new(), changes: 1, successful: (0, 0) };
        hopper.note_last();
        hopper
    }

    /// The engine, for other questions.
    pub(crate) fn into_formula(self) -> FormulaEngine {
        self.formula
    }

    /// The work of all hops so far, in ticks.
    pub(crate) fn work(&self) -> u64 {
        self.formula.engine().work()
    }

    /// Looks for a solution that differs from the last one in some decisions, those first that had few other values so far.
    pub(crate) fn hop(&mut self, random: &mut ChaCha8Rng) -> Hop {
        let changed = self.choose(random);
        if changed.is_empty() {
            return Hop::Over;
        }
        let wanted = |&number: &usize| self.decisions[number].literal.negate_if(self.last[number]);
        let assumptions: Vec<Lit> = changed.iter().map(wanted).collect();
        let engine = self.formula.engine();
        let (work, work_per_tick) = (engine.work(), engine.work_per_tick());
        let query = Query::assuming(&assumptions).within(self.patience());
        match self.formula.check(query).verdict() {
            Verdict::Sat => {
                self.note_last();
                let ticks = (self.work() - work) / work_per_tick;
                self.successful = (self.successful.0 + 1, self.successful.1 + ticks);
                self.changes = (2 * self.changes).min(MOST_CHANGES);
                Hop::Model(Box::new(self.formula.read_last_model()))
            }
            Verdict::Unsat | Verdict::Unknown => {
                if let [number] = changed[..] {
                    self.decisions[number].allowed[usize::from(!self.last[number])] = false;
                }
                self.changes = (self.changes / 2).max(1);
                Hop::Failed
            }
        }
    }

    /// Ticks for the next hop. A hop that takes far longer than most is given up for another.
    fn patience(&self) -> u64 {
        let (hops, ticks) = self.successful;
        let (least, most) = TICKS_OF_HOP;
        ticks.checked_div(hops).map_or(most, |mean| (PATIENCE * mean).clamp(least, most))
    }

    /// Decisions to change, by their numbers.
    fn choose(&self, random: &mut ChaCha8Rng) -> Vec<usize> {
        let other = |number: usize| usize::from(!self.last[number]);
        let mut possible: Vec<(u32, usize)> = (0..self.decisions.len())
            .filter(|&number| self.decisions[number].allowed[other(number)])
            .map(|number| (self.decisions[number].seen[other(number)], number))
            .collect();
        possible.shuffle(random);
        // Half of the hops go where nothing was seen yet.
        if random.random() {
            possible.sort_by_key(|&(seen, _)| seen);
        }
        possible.into_iter().take(self.changes).map(|(_, number)| number).collect()
    }

    /// Notes the decisions of the last model.
    fn note_last(&mut self) {
        let model = self.formula.last_model();
        self.last = self.decisions.iter().map(|decision| model.value(decision.edge)).collect();
        for (decision, &value) in self.decisions.iter_mut().zip(&self.last) {
            decision.seen[usize::from(value)] += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use dashu_int::IBig;
    use rand_chacha::rand_core::SeedableRng;
    use rustc_hash::FxHashSet;
    use sundry_solver::EngineOptions;
    use sundry_term::{ArithmeticOp, Control, Op, SortId, TermId, TermStore, Value};

    use super::*;
    use crate::problem::Problem;

    /// Tasks of three hours each that share a machine, within as many hours.
    fn schedule(tasks: usize, hours: i64) -> Problem {
        let mut store = TermStore::new();
        let number = |store: &mut TermStore, number: i64| store.constant(Value::Int(number.into()));
        let symbols: Vec<_> =
            (0..tasks).map(|task| store.declare(&format!("t{task}"), &[], SortId::INT)).collect();
        let starts: Vec<TermId> = symbols.iter().map(|&symbol| store.symbol_term(symbol)).collect();
        let three = number(&mut store, 3);
        let (first, last) = (number(&mut store, 0), number(&mut store, hours));
        let ends: Vec<TermId> = starts
            .iter()
            .map(|&start| store.make(Op::Arithmetic(ArithmeticOp::Add), &[start, three]))
            .collect();
        let mut assertions = Vec::new();
        for one in 0..tasks {
            assertions.push(store.make(Op::Arithmetic(ArithmeticOp::LessOrEqual), &[first, starts[one]]));
            assertions.push(store.make(Op::Arithmetic(ArithmeticOp::LessOrEqual), &[ends[one], last]));
            for other in 0..one {
                let before =
                    store.make(Op::Arithmetic(ArithmeticOp::LessOrEqual), &[ends[one], starts[other]]);
                let after =
                    store.make(Op::Arithmetic(ArithmeticOp::LessOrEqual), &[ends[other], starts[one]]);
                assertions.push(store.make(Op::Or, &[before, after]));
            }
        }
        Problem::new(store, assertions, symbols)
    }

    fn hopper(problem: &Problem) -> Hopper {
        let options = EngineOptions::for_many_calls();
        let Ok((_, finder)) =
            FormulaEngine::with_finder(problem, 0, &options, &Control::default(), &mut |_| {})
        else {
            panic!("the formula is small")
        };
        Hopper::new(finder.expect("there are integers"))
    }

    #[test]
    fn hops_reach_all_orders_of_tasks() {
        // Three tasks have to follow one another at once, so that walks from a solution lead nowhere.
        let problem = schedule(3, 9);
        let mut hopper = hopper(&problem);
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut orders: FxHashSet<Vec<IBig>> = FxHashSet::default();
        for _ in 0..200 {
            let Hop::Model(model) = hopper.hop(&mut random) else { continue };
            let solution = problem.judge(*model, &Control::default()).expect("models are right");
            let start = |&symbol| match solution.model.constant(symbol) {
                Some(Value::Int(start)) => start.clone(),
                other => panic!("an integer, not {other:?}"),
            };
            orders.insert(problem.symbols.iter().map(start).collect());
        }
        assert_eq!(orders.len(), 6);
    }

    #[test]
    fn hops_end_where_nothing_can_change() {
        let mut problem = schedule(2, 6);
        let (one, other) = (problem.symbols[0], problem.symbols[1]);
        let [one, other] = [one, other].map(|symbol| problem.store.symbol_term(symbol));
        problem.assertions.push(problem.store.make(Op::Arithmetic(ArithmeticOp::Less), &[one, other]));
        let problem = Problem::new(problem.store, problem.assertions, problem.symbols);
        let mut hopper = hopper(&problem);
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let hops = std::iter::repeat_with(|| hopper.hop(&mut random));
        let failed = hops.take(1000).take_while(|hop| !matches!(hop, Hop::Over)).count();
        assert!(failed < 1000, "every decision is tried once");
    }
}

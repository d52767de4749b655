//! Solutions near a solution, for formulas over integers and reals: everything that satisfies the formula for the same reasons is a
//! polyhedron ([`around`]), and walks in it ([`walk`]) find solutions far from one another in microseconds.
//!
//! MeGASampler (Peled, Rothenberg & Itzhaky, FM 2023) takes boxes instead of polyhedra, which are small where equations or narrow
//! cones relate the variables.

mod around;
mod directions;
mod form;
mod inward;
mod polyhedron;
mod reasons;
mod walk;

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashMap;
use sundry_linear::Rational;
use sundry_term::{Control, Evaluator, Model, SortId, SymbolId, TermId, Value};

use crate::problem::Problem;
use around::{polyhedron_around, rational};
use walk::Walk;

/// The constants of a formula that walks change.
pub(crate) struct Walker {
    /// All terms of the formula, in ascending order.
    terms: Vec<TermId>,
    /// The constants, and whether they are integers.
    symbols: Arc<[(SymbolId, bool)]>,
    variables: FxHashMap<SymbolId, u32>,
}

/// Solutions that a walk reaches, in an endless sequence.
pub(crate) struct Walking {
    /// The constants that change, and whether they are integers.
    symbols: Arc<[(SymbolId, bool)]>,
    model: Model,
    walk: Walk,
}

impl Walker {
    /// The walker of a formula; `None` where it has no numbers that can change.
    pub(crate) fn new(problem: &Problem) -> Option<Walker> {
        let number = |symbol: SymbolId| {
            let declared = problem.store.symbol(symbol);
            let is_number = matches!(declared.result, SortId::INT | SortId::REAL);
            (declared.arguments.is_empty() && is_number).then_some((symbol, declared.result == SortId::INT))
        };
        let symbols: Arc<[(SymbolId, bool)]> =
            problem.symbols.iter().filter_map(|&symbol| number(symbol)).collect();
        if symbols.is_empty() {
            return None;
        }
        let variables =
            symbols.iter().enumerate().map(|(index, &(symbol, _))| (symbol, index as u32)).collect();
        let terms = problem.store.reachable(&problem.assertions);
        Some(Walker { terms, symbols, variables })
    }

    /// A walk from a solution, which holds for reasons chosen at random. `None` where nothing can change, or the solution is hard to look at.
    pub(crate) fn walk_from(
        &self,
        problem: &Problem,
        solution: &Model,
        control: &Control,
        random: &mut ChaCha8Rng,
    ) -> Option<Walking> {
        let mut evaluator = Evaluator::with_control(&problem.store, solution, control);
        evaluator.evaluate(&problem.assertions).ok()?;
        let (store, assertions) = (&problem.store, &problem.assertions);
        let polyhedron =
            polyhedron_around(store, &self.terms, assertions, &self.variables, &evaluator, random)?;
        let start: Option<Vec<Rational>> =
            self.symbols.iter().map(|&(symbol, _)| rational(solution.constant(symbol)?)).collect();
        let integers = self.symbols.iter().map(|&(_, is_integer)| is_integer).collect();
        let walk = Walk::new(polyhedron, start?, integers, control)?;
        Some(Walking { symbols: self.symbols.clone(), model: solution.clone(), walk })
    }
}

impl Walking {
    /// The number of constants that change.
    pub(crate) fn variables(&self) -> usize {
        self.symbols.len()
    }

    /// A model far away, not judged yet.
    pub(crate) fn walk(&mut self, random: &mut ChaCha8Rng) -> Model {
        self.walk.walk(random);
        self.model()
    }

    /// A model one step away, not judged yet; `None` where there was no step.
    pub(crate) fn step(&mut self, random: &mut ChaCha8Rng) -> Option<Model> {
        self.walk.step(random)?;
        Some(self.model())
    }

    /// Takes the last step back.
    pub(crate) fn step_back(&mut self) {
        self.walk.step_back();
    }

    fn model(&self) -> Model {
        let mut model = self.model.clone();
        for (&(symbol, is_integer), value) in self.symbols.iter().zip(self.walk.now()) {
            let number = value.to_big();
            let value =
                if is_integer { Value::Int(number.numerator().clone()) } else { Value::Real(number.into()) };
            model.set_constant(symbol, value);
        }
        model
    }
}

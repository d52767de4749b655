//! First models of formulas over floating-point values by optimisation, in turns with circuits.
//!
//! Circuits of products and quotients are hopeless where the search takes an instant, and the other way round, so both take turns of
//! counted work, as in a session of the solver. The search goes first: it does not need the circuits, which may take long to
//! build. Where circuits are slow, its model leads all that follows, like one of the solver.

use sundry_solver::{Checked, FloatSearch, FloatStrategy, FloatTurns, JoinedFloats, Lit, Query, Verdict};
use sundry_term::{Control, Model, Op, Sort, Stopped, SymbolId, TermId, TermStore, Value};

use crate::formula_engine::{FirstModel, FormulaEngine};
use crate::problem::Problem;

/// Effort for carrying the values of a model through circuits, in which products are open.
const TICKS: u64 = 5_000_000;

/// Effort of circuits beyond which they are slow, and a model of the search is taken instead of theirs: about a second. Models of circuits
/// lead further searches better, since everything that was learned on the way there is known.
const TICKS_OF_CIRCUITS: u64 = 10_000_000;

/// A search for a first model, which takes turns with circuits.
pub(crate) struct FirstBySearch<'a> {
    problem: &'a Problem,
    control: Control,
    /// Whether the formula has integers or reals.
    has_numbers: bool,
    /// The search with its terms; none where the formula is not for it.
    search: Option<(FloatSearch, TermStore)>,
    turn: FloatTurns,
    found: Option<Model>,
}

impl<'a> FirstBySearch<'a> {
    /// The search of a problem, after its first turn.
    ///
    /// # Errors
    /// Time was up.
    pub(crate) fn new(problem: &'a Problem, seed: u64, control: &Control) -> Result<Self, Stopped> {
        let terms = problem.store.reachable_within(&problem.assertions, control)?;
        let sort = |&term: &TermId| problem.store.sort(problem.store.sort_of(term));
        let has_numbers = terms.iter().map(sort).any(|sort| matches!(sort, Sort::Int | Sort::Real));
        let has_floats = terms.iter().map(sort).any(|sort| matches!(sort, Sort::Float(_)));
        let search = match has_floats {
            true => {
                let mut store = problem.store.clone();
                let strategy = FloatStrategy::default();
                let search = FloatSearch::new(
                    &mut store,
                    &problem.assertions,
                    &mut JoinedFloats::default(),
                    strategy,
                    seed,
                    control,
                )?;
                search.map(|search| (search, store))
            }
            false => None,
        };
        let turn = FloatTurns { number: 0 };
        let mut first =
            FirstBySearch { problem, control: control.clone(), has_numbers, search, turn, found: None };
        first.take_turn()?;
        Ok(first)
    }

    /// Takes a turn, unless there is a model. A model that is rejected only shows that the processor rounds otherwise than the standard
    /// says.
    fn take_turn(&mut self) -> Result<(), Stopped> {
        if let (Some((search, store)), None) = (&mut self.search, &self.found) {
            let found = search.take_turn(store, self.turn, &self.control, None)?;
            self.found = found.filter(|model| self.problem.judge(model.clone(), &self.control).is_ok());
        }
        Ok(())
    }

    /// Whether the formula has integers or reals.
    pub(crate) fn has_numbers(&self) -> bool {
        self.has_numbers
    }

    /// The model that was found, judged already.
    pub(crate) fn found(&self) -> Option<&Model> {
        self.found.as_ref()
    }

    /// Looks for a model by circuits for this number of ticks, in turns with the search.
    pub(crate) fn find(&mut self, formula: &mut FormulaEngine, ticks: Option<u64>) -> Verdict {
        if self.search.is_none() {
            return formula.find_first(ticks);
        }
        let mut left = ticks.unwrap_or(u64::MAX);
        let mut used = 0;
        loop {
            if let Some(model) = &self.found {
                let quick = formula.find_first(Some(TICKS_OF_CIRCUITS.saturating_sub(used)));
                if quick != Verdict::Sat {
                    formula.start_at(self.problem, model);
                }
                return Verdict::Sat;
            }
            if left == 0 || self.control.stopped() {
                return Verdict::Unknown;
            }
            let of_turn = self.turn.ticks().min(left);
            let verdict = formula.find_first(Some(of_turn));
            if verdict != Verdict::Unknown || formula.engine().undecided().is_some() {
                return verdict;
            }
            left -= of_turn;
            used += of_turn;
            self.turn.number += 1;
            if self.take_turn().is_err() {
                return Verdict::Unknown;
            }
        }
    }
}

impl FormulaEngine {
    /// Makes a model of the assertions the first one, with the values that its constants give to the inputs of the circuit. Where these cannot be carried
    /// through in a moment, nothing is known of the inputs.
    fn start_at(&mut self, problem: &Problem, model: &Model) {
        let literals = self.values_of(&problem.symbols, model).unwrap_or_default();
        let query = Query { ticks: Some(TICKS), ..Query::assuming(&literals) };
        let inputs = match self.engine_mut().check(query) {
            Checked::Sat(found) => found.inputs(),
            Checked::Unsat(_) | Checked::Unknown => Vec::new(),
        };
        self.set_first(FirstModel { model: model.clone(), inputs });
    }

    /// The literals of the bits of constants in a model; none where circuits cannot be built.
    fn values_of(&mut self, symbols: &[SymbolId], model: &Model) -> Option<Vec<Lit>> {
        let store = self.store_mut();
        let mut terms: Vec<TermId> = Vec::new();
        for &symbol in symbols {
            let Some(value) = model.constant(symbol) else { continue };
            if !matches!(
                value,
                Value::Array(_) | Value::Uninterpreted { .. } | Value::Int(_) | Value::Real(_)
            ) {
                let (constant, value) = (store.symbol_term(symbol), store.constant(value.clone()));
                terms.push(store.make(Op::Equal, &[constant, value]));
            }
        }
        let edges = self.bits_of_all(&terms).ok()?;
        Some(edges.iter().map(|edges| self.engine_mut().literal(edges[0])).collect())
    }
}

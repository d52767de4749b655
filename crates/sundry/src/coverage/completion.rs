//! The search for parts of a model that rows leave open: the values of auxiliary constants, and the numbers of
//! elements.

use sundry_solver::{Answer, EngineOptions, Limits, Session, Tracking, UnknownReason};
use sundry_term::{Evaluator, Op, Sort, SortId, SymbolId, TermId, TermStore, Value};

use super::{Control, Model, Problem, Stopped};

/// Sorts for which numbers of elements are tried; with more, those of the rest are not limited.
const MOST_SORTS: usize = 6;

/// Completes the models of rows.
///
/// ```
/// use sundry::coverage::{Completion, Control, Model};
/// use sundry::{Format, Formula, Value};
///
/// // The first constant is visible, the second one is auxiliary, and they are equal.
/// let text = "c 1 p\nc 2$ helper\np cnf 2 2\n1 -2 0\n-1 2 0\n";
/// let formula = Formula::reader().format(Format::Dimacs).read(text)?;
/// let mut problem = formula.parts().problem.clone();
/// let [p, helper] = problem.symbols[..] else { panic!("there are two") };
/// let mut row = Model::new();
/// row.set_constant(p, Value::Bool(true));
/// let model = Completion::new(&problem).complete(&mut problem, row, &Control::default()).unwrap();
/// assert_eq!(model.constant(helper), Some(&Value::Bool(true)));
/// # Ok::<(), sundry::Error>(())
/// ```
pub struct Completion {
    auxiliary: Vec<SymbolId>,
    /// Knows the assertions, where there are auxiliary constants.
    session: Option<Session>,
    /// The declared sorts of which it may matter how many elements there are.
    sorts: Vec<SortId>,
}

impl Completion {
    /// Completes models of a problem.
    ///
    /// ```
    /// use sundry::Formula;
    /// use sundry::coverage::{Completion};
    ///
    /// let formula = Formula::parse("(declare-const p Bool) (assert p)")?;
    /// let problem = formula.parts().problem.clone();
    /// let completion = Completion::new(&problem);
    /// assert!(completion.is_idle());
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn new(problem: &Problem) -> Self {
        let is_auxiliary = |symbol: &&SymbolId| problem.roles.auxiliary.contains(symbol);
        let auxiliary: Vec<SymbolId> = problem.symbols.iter().filter(is_auxiliary).copied().collect();
        let session = (!auxiliary.is_empty()).then(|| {
            let mut session = Session::new(EngineOptions::default());
            for &assertion in &problem.assertions {
                session.assert(assertion, Tracking::Silent);
            }
            session
        });
        Completion { auxiliary, session, sorts: bounded_sorts(problem) }
    }

    /// Whether rows say all of a model.
    ///
    /// ```
    /// use sundry::coverage::Completion;
    /// use sundry::{Format, Formula};
    ///
    /// let text = "c 1 p\nc 2$ helper\np cnf 2 2\n1 -2 0\n-1 2 0\n";
    /// let formula = Formula::reader().format(Format::Dimacs).read(text)?;
    /// assert!(!Completion::new(&formula.parts().problem).is_idle());
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn is_idle(&self) -> bool {
        self.session.is_none() && self.sorts.is_empty()
    }

    /// The model with additions that make it satisfy the formula, if any do. The problem is the one that this was made
    /// for, or has further terms.
    ///
    /// # Errors
    /// The control has stopped the search.
    ///
    /// ```
    /// use sundry::Formula;
    /// use sundry::coverage::{Completion, Control, Model};
    ///
    /// let formula = Formula::parse("(declare-const p Bool) (assert p)")?;
    /// let mut problem = formula.parts().problem.clone();
    /// let mut completion = Completion::new(&problem);
    /// let model = completion.complete(&mut problem, Model::new(), &Control::default()).unwrap();
    /// assert_eq!(model, Model::new());
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn complete(
        &mut self,
        problem: &mut Problem,
        model: Model,
        control: &Control,
    ) -> Result<Model, Stopped> {
        let model = match &mut self.session {
            Some(session) => with_auxiliary(session, &self.auxiliary, &mut problem.store, model, control)?,
            None => model,
        };
        self.with_universes(problem, model, control)
    }

    /// Tries all declared sorts with more elements than can be listed, and with those alone that the model names.
    /// Other numbers make no difference: a formula distinguishes elements beyond the named ones only as a whole.
    fn with_universes(&self, problem: &Problem, model: Model, control: &Control) -> Result<Model, Stopped> {
        if self.sorts.is_empty() || !model.universes().is_empty() {
            return Ok(model);
        }
        for choice in 0..1u32 << self.sorts.len() {
            let mut candidate = model.clone();
            for (number, &sort) in self.sorts.iter().enumerate() {
                if choice >> number & 1 == 1 {
                    candidate.set_universe(sort, model.named_elements(sort).max(1));
                }
            }
            let mut evaluator = Evaluator::with_control(&problem.store, &candidate, control);
            if problem.satisfied(&mut evaluator)? {
                return Ok(candidate);
            }
        }
        Ok(model)
    }
}

/// The model with values of auxiliary constants under which the assertions hold, if there are any.
fn with_auxiliary(
    session: &mut Session,
    auxiliary: &[SymbolId],
    store: &mut TermStore,
    mut model: Model,
    control: &Control,
) -> Result<Model, Stopped> {
    let mut assumptions: Vec<TermId> = Vec::new();
    for (symbol, value) in model.constants() {
        // Models with auxiliary constants have Booleans only.
        let Value::Bool(value) = *value else { continue };
        let term = store.symbol_term(symbol);
        assumptions.push(if value { term } else { store.make(Op::Not, &[term]) });
    }
    match session.check(store, &assumptions, &Limits::new(control, None)) {
        Answer::Sat(found) => {
            for &symbol in auxiliary {
                if let Some(value) = found.constant(symbol) {
                    model.set_constant(symbol, value.clone());
                }
            }
            Ok(model)
        }
        Answer::Unknown(UnknownReason::Timeout | UnknownReason::Interrupted | UnknownReason::Memory) => {
            Err(control.reason())
        }
        Answer::Unsat(_) | Answer::Unknown(_) => Ok(model),
    }
}

/// The declared sorts of constants and functions, where the formula has arrays that are the same everywhere.
fn bounded_sorts(problem: &Problem) -> Vec<SortId> {
    let store = &problem.store;
    let reachable = store.reachable(&problem.assertions);
    if !reachable.iter().any(|&term| matches!(store.op(term), Op::ConstArray(_))) {
        return Vec::new();
    }
    let mut sorts = Vec::new();
    let mut open: Vec<SortId> = reachable.iter().map(|&term| store.sort_of(term)).collect();
    while let Some(sort) = open.pop() {
        match *store.sort(sort) {
            Sort::Array { index, element } => open.extend([index, element]),
            Sort::Uninterpreted { .. } if !sorts.contains(&sort) => sorts.push(sort),
            _ => {}
        }
    }
    sorts.sort_unstable();
    sorts.truncate(MOST_SORTS);
    sorts
}

//! A stack of assertions on top of the [`Engine`], whose assertions hold for ever.
//!
//! Levels that were never popped are asserted for ever, so that normalisation may use them; what
//! is above stands behind one activation literal per level, assumed at every check and given up
//! when the level is popped (Eén & Sörensson, "Temporal induction by incremental SAT solving",
//! BMC 2003). The first check has seen no pop and treats every open level as permanent: most scripts check once.
//! Starting a fresh engine for every check was rejected, since learned clauses and lemmas are lost with it; so was
//! keeping one engine for ever, since terms that no assertion uses any more cost their part of every assignment.
//! [`Session::prepare`] decides between the two.
//!
//! A model is handed out only after the evaluator has found every assertion and assumption true under it, as they were
//! asserted.

mod answer;
mod floats;
mod loaded;
mod partial;
mod preparation;
mod widths;

use sundry_circuit::BuildError;
use sundry_sat::{Limits, Lit};
use sundry_term::{EvaluationError, Evaluator, Model, TermId, TermStore, Value};

use crate::descent::{FloatMethod, FloatOptions, JoinedFloats};
use crate::engine::{Checked, EngineOptions, Observer, Query};
pub use answer::{Answer, Core, SessionStatistics, Tracking, UnknownReason};
use answer::{add, reason_of, stop_reason};
use loaded::{Loaded, core_of};
use partial::Judged;
pub use partial::{Partial, PartialReceiver};
use widths::WordTurns;

struct Assertion {
    term: TermId,
    tracking: Tracking,
}

/// A stack of assertions that can be asked for satisfiability at any height.
///
/// Terms belong to one store, which is handed to every check.
///
/// ```
/// use sundry_solver::{Answer, EngineOptions, Limits, Session, Tracking};
/// use sundry_term::TermStore;
///
/// let mut store = TermStore::new();
/// let p = store.declare("p", &[], sundry_term::SortId::BOOL);
/// let p = store.symbol_term(p);
/// let not_p = store.term(sundry_term::Op::Not, &[p])?;
///
/// let mut session = Session::new(EngineOptions::default());
/// session.assert(p, Tracking::Silent);
/// session.push();
/// session.assert(not_p, Tracking::Silent);
/// assert!(matches!(session.check(&mut store, &[], &Limits::default()), Answer::Unsat(_)));
/// session.pop();
/// assert!(matches!(session.check(&mut store, &[], &Limits::default()), Answer::Sat(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Session {
    options: EngineOptions,
    assertions: Vec<Assertion>,
    /// The number of assertions when each level was opened.
    levels: Vec<usize>,
    /// Levels up to this one have not been popped since the last engine was given up.
    proven: usize,
    loaded: Option<Loaded>,
    statistics: SessionStatistics,
    floats: FloatOptions,
    joined: JoinedFloats,
}

impl Session {
    /// A session without assertions.
    pub fn new(options: EngineOptions) -> Self {
        Session {
            options,
            assertions: Vec::new(),
            levels: Vec::new(),
            proven: usize::MAX,
            loaded: None,
            statistics: SessionStatistics::default(),
            floats: FloatOptions::circuit(),
            joined: JoinedFloats::default(),
        }
    }

    /// The session, with these options for formulas over floating-point values, which circuits alone decide otherwise.
    #[must_use]
    pub fn with_floats(self, floats: FloatOptions) -> Self {
        Session { floats, ..self }
    }

    /// Puts an assertion onto the stack, at the present level.
    pub fn assert(&mut self, term: TermId, tracking: Tracking) {
        self.assertions.push(Assertion { term, tracking });
    }

    /// Opens a level.
    pub fn push(&mut self) {
        self.levels.push(self.assertions.len());
    }

    /// Closes the innermost level and takes its assertions from the stack.
    ///
    /// # Panics
    /// When no level is open.
    pub fn pop(&mut self) {
        let length = self.levels.pop().expect("a level is open");
        self.shorten(length);
    }

    /// Takes all assertions from the stack and closes all levels.
    pub fn reset(&mut self) {
        self.levels.clear();
        self.shorten(0);
    }

    /// The number of open levels.
    pub fn level(&self) -> usize {
        self.levels.len()
    }

    /// The assertions on the stack, lowest first.
    pub fn assertions(&self) -> impl ExactSizeIterator<Item = TermId> {
        self.assertions.iter().map(|assertion| assertion.term)
    }

    /// Counters so far.
    pub fn statistics(&self) -> SessionStatistics {
        let mut statistics = self.statistics.clone();
        if let Some(loaded) = &self.loaded {
            add(&mut statistics.engine, &loaded.engine.statistics());
        }
        statistics
    }

    fn shorten(&mut self, length: usize) {
        self.assertions.truncate(length);
        let level = self.levels.len();
        let Some(loaded) = &mut self.loaded else {
            self.proven = self.proven.min(level);
            return;
        };
        if length < loaded.permanent_assertions {
            self.proven = level;
            self.unload();
            return;
        }
        loaded.permanent = loaded.permanent.min(level);
        loaded.passed = loaded.passed.min(length);
        loaded.named.retain(|&(position, _)| position < length);
        let kept = level - loaded.permanent;
        for activation in loaded.activations.drain(kept.min(loaded.activations.len())..) {
            loaded.engine.add_clause(&[!activation]);
        }
    }

    fn unload(&mut self) {
        if let Some(loaded) = self.loaded.take() {
            add(&mut self.statistics.engine, &loaded.engine.statistics());
        }
    }

    /// Whether the assertions and assumptions have a model. The deadline and stop flag of the
    /// limits hold for the whole check, the others for each search in it.
    ///
    /// # Panics
    /// When an assertion or assumption is not Boolean.
    pub fn check(&mut self, store: &mut TermStore, assumptions: &[TermId], limits: &Limits) -> Answer {
        self.answer(store, assumptions, limits, None)
    }

    /// [`check`](Self::check), which hands out up to so many different assignments that it passes on the way, each with the assertions
    /// that it satisfies.
    ///
    /// # Panics
    /// When an assertion or assumption is not Boolean.
    pub fn check_and_report(
        &mut self,
        store: &mut TermStore,
        assumptions: &[TermId],
        limits: &Limits,
        most: usize,
        receive: PartialReceiver<'_>,
    ) -> Answer {
        self.answer(store, assumptions, limits, Some((most, receive)))
    }

    fn answer(
        &mut self,
        store: &mut TermStore,
        assumptions: &[TermId],
        limits: &Limits,
        partials: Option<(usize, PartialReceiver<'_>)>,
    ) -> Answer {
        self.statistics.checks += 1;
        let judged = partials.map(|(most, receive)| {
            Judged::new(store, self.assertions().collect(), most, &limits.control, receive)
        });
        let checked = judged.transpose().map_err(BuildError::from).and_then(|mut judged| {
            if self.floats.method != FloatMethod::Circuit && store.has_floats() {
                self.take_turns(store, assumptions, limits, judged.as_mut())
            } else {
                self.try_check(store, assumptions, limits, judged.as_mut())
            }
        });
        match checked {
            Ok(answer) => answer,
            Err(error) => {
                // The engine knows a part of the stack only.
                self.unload();
                Answer::Unknown(reason_of(error, limits))
            }
        }
    }

    fn try_check(
        &mut self,
        store: &mut TermStore,
        assumptions: &[TermId],
        limits: &Limits,
        mut judged: Option<&mut Judged<'_>>,
    ) -> Result<Answer, BuildError> {
        self.prepare(store, assumptions, limits)?;
        let loaded = self.loaded.as_mut().expect("just prepared");
        let assumed = loaded.literals(store, assumptions)?;
        let mut literals: Vec<Lit> = loaded.activations.clone();
        literals.extend(loaded.named.iter().map(|&(_, literal)| literal));
        literals.extend(&assumed);
        let Limits { ticks, conflicts, .. } = *limits;
        // A limit on conflicts is one on a single search.
        let mut turns = WordTurns::new(loaded.engine.has_products() && conflicts.is_none(), ticks);
        loop {
            let is_last = turns.are_over();
            let query = Query { assumptions: &literals, at_least_one: &[], ticks: turns.ticks(), conflicts };
            let loaded = self.loaded.as_mut().expect("just prepared");
            let checked = match &mut judged {
                None => loaded.engine.check(query),
                Some(judged) => {
                    let (store, most): (&TermStore, _) = (store, judged.left());
                    let receive = &mut |partial| judged.take(store, partial);
                    loaded.engine.check_and_report(query, Observer { store, most, receive })
                }
            };
            let undecided = match checked {
                Checked::Unsat(refutation) => {
                    return Ok(Answer::Unsat(core_of(refutation, &loaded.named, &assumed)));
                }
                Checked::Sat(found) => {
                    let model = found.model(store);
                    return self.judge(store, model, assumptions, limits);
                }
                Checked::Unknown => loaded.engine.undecided(),
            };
            if let Some(reason) = stop_reason(limits) {
                return Ok(Answer::Unknown(reason));
            }
            if !is_last {
                let formula: Vec<TermId> = self.assertions().chain(assumptions.iter().copied()).collect();
                if let Some(model) = turns.search_in_words(store, &formula, &self.options, &limits.control) {
                    return self.judge(store, model, assumptions, limits);
                }
            }
            if is_last || turns.are_spent() || (turns.are_over() && undecided.is_some()) {
                let reason = undecided.map_or(UnknownReason::Budget, UnknownReason::Undecided);
                return Ok(Answer::Unknown(stop_reason(limits).unwrap_or(reason)));
            }
        }
    }

    /// Asks the evaluator about a model of the engine.
    fn judge(
        &self,
        store: &TermStore,
        model: Model,
        assumptions: &[TermId],
        limits: &Limits,
    ) -> Result<Answer, BuildError> {
        let roots: Vec<TermId> = self.assertions().chain(assumptions.iter().copied()).collect();
        let mut evaluator = Evaluator::with_control(store, &model, &limits.control.with_grace());
        let evaluated = match evaluator.evaluate(&roots) {
            Ok(()) => true,
            Err(EvaluationError::Stopped(_)) => return Err(BuildError::Stopped),
            Err(_) => false,
        };
        let is_true = |root: &TermId| evaluated && evaluator.value(*root) == Some(&Value::Bool(true));
        let wrong = roots.iter().find(|root| !is_true(root)).copied();
        Ok(match wrong {
            Some(wrong) => Answer::Unknown(UnknownReason::RejectedModel(wrong)),
            None => Answer::Sat(model),
        })
    }
}

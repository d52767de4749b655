//! Strategies of your own: an object that proposes solutions, one step at a time, for
//! [`Sampler::run_with`](crate::Sampler::run_with). The pipeline keeps the best set, measures it, and ends the run.
//!
//! The following strategy takes whatever the solver finds, as long as each solution has other values than those before it:
//!
//! ```
//! use sundry::Formula;
//! use sundry::strategy::{Finder, Step, Strategy};
//!
//! struct Whatever(Finder);
//!
//! impl Strategy for Whatever {
//!     fn step(&mut self, _: &mut dyn FnMut(usize)) -> Step {
//!         self.0.find_another()
//!     }
//! }
//!
//! let formula = Formula::parse("(declare-const x (_ BitVec 8)) (assert (bvult x #x40))")?;
//! let sampler = formula.sampler().max_solutions(10);
//! let samples = sampler.run_with(|problem, control| Whatever(Finder::new(problem, control)))?;
//! assert_eq!(samples.solutions.len(), 10);
//! // The strategy proves nothing impossible, so that x is at most 63 counts as a lack of coverage.
//! assert!(samples.coverage() < 1.0 && !samples.is_complete());
//! # Ok::<(), sundry::Error>(())
//! ```

use sundry_sample::Rejection;
use sundry_solver::{Answer, EngineOptions, Limits, Session, Tracking};
use sundry_term::{Op, TermId, TermStore};

pub use crate::below::control::Control;
pub use crate::below::results::{StopReason, Validity};
pub use crate::below::runs::{Preparation, Purpose};
pub use crate::below::steps::{Problem, Solution, Step, Strategy, WrongModel};

/// Finds solutions of a formula by an incremental solver, each judged by the evaluator.
///
/// ```
/// use sundry::strategy::{Finder, Step};
/// use sundry::{Control, Formula};
///
/// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
/// let mut finder = Finder::new(&formula.parts().problem, &Control::default());
/// assert!(matches!(finder.find_another(), Step::Found(_)));
/// # Ok::<(), sundry::Error>(())
/// ```
pub struct Finder {
    problem: Problem,
    /// The terms of the problem, with the same ids, and those that questions add.
    store: TermStore,
    session: Session,
    control: Control,
    has_found: bool,
}

impl Finder {
    /// A solver that holds the assertions of a problem.
    ///
    /// ```
    /// use sundry::strategy::{Finder, Step};
    /// use sundry::{Control, Formula};
    ///
    /// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
    /// let mut finder = Finder::new(&formula.parts().problem, &Control::default());
    /// assert!(matches!(finder.find(&[]), Step::Found(_)));
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn new(problem: &Problem, control: &Control) -> Finder {
        let mut session = Session::new(EngineOptions::default());
        problem.assertions.iter().for_each(|&assertion| session.assert(assertion, Tracking::Silent));
        let (problem, store) = (problem.clone(), problem.store.clone());
        Finder { problem, store, session, control: control.clone(), has_found: false }
    }

    /// The terms of the problem, to which terms for assumptions can be added.
    ///
    /// ```
    /// use sundry::strategy::{Finder, Step};
    /// use sundry::{Control, Formula};
    ///
    /// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
    /// let mut finder = Finder::new(&formula.parts().problem, &Control::default());
    /// let p = formula.constant("p").expect("it is declared");
    /// let p = finder.store().symbol_term(p);
    /// assert!(matches!(finder.find(&[p]), Step::Found(_)));
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn store(&mut self) -> &mut TermStore {
        &mut self.store
    }

    /// Finds a solution in which all assumptions hold, Boolean terms of the [store](Self::store). Where none exists,
    /// the step ends the run; a strategy may do something else instead.
    ///
    /// ```
    /// use sundry::strategy::{Finder, Step};
    /// use sundry::{Control, Formula};
    ///
    /// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
    /// let mut finder = Finder::new(&formula.parts().problem, &Control::default());
    /// let store = finder.store();
    /// let none = store.bool(false);
    /// assert!(matches!(finder.find(&[none]), Step::Stopped(sundry::StopReason::NothingNew)));
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn find(&mut self, assumptions: &[TermId]) -> Step {
        let limits = Limits::new(&self.control, None);
        match self.session.check(&mut self.store, assumptions, &limits) {
            Answer::Sat(model) => match self.problem.judge(model, &self.control) {
                Ok(solution) => {
                    self.has_found = true;
                    Step::Found(solution)
                }
                Err(Rejection::Wrong(wrong)) => Step::Failed(wrong),
                Err(Rejection::Unjudged(reason)) => Step::Stopped(reason.into()),
            },
            Answer::Unsat(_) if self.has_found || !assumptions.is_empty() => {
                Step::Stopped(StopReason::NothingNew)
            }
            Answer::Unsat(_) => Step::Stopped(StopReason::Unsatisfiable),
            Answer::Unknown(_) if self.control.stopped() => Step::Stopped(self.control.reason().into()),
            Answer::Unknown(_) => Step::Stopped(StopReason::Effort),
        }
    }

    /// A solution that differs from all those found by this function before, in the value of some constant.
    ///
    /// ```
    /// use sundry::strategy::{Finder, Step};
    /// use sundry::{Control, Formula};
    ///
    /// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
    /// let mut finder = Finder::new(&formula.parts().problem, &Control::default());
    /// let count = std::iter::from_fn(|| matches!(finder.find_another(), Step::Found(_)).then_some(())).count();
    /// assert_eq!(count, 3);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn find_another(&mut self) -> Step {
        let step = self.find(&[]);
        if let Step::Found(solution) = &step {
            let mut same = Vec::new();
            for &symbol in &self.problem.symbols {
                let Some(value) = solution.model.constant(symbol) else { continue };
                let constant = self.store.symbol_term(symbol);
                let value = self.store.value_term(self.store.symbol(symbol).result, value);
                same.push(self.store.make(Op::Equal, &[constant, value]));
            }
            let all = match same[..] {
                [] => self.store.bool(true),
                [only] => only,
                _ => self.store.make(Op::And, &same),
            };
            let differs = self.store.make(Op::Not, &[all]);
            self.session.assert(differs, Tracking::Silent);
        }
        step
    }
}

//! Partial solutions: assignments that a check has passed on its way, which nearly are solutions.

use sundry_smtlib::{Formula, print_model};
use sundry_solver::PartialOrigin;
use sundry_term::{SymbolId, TermId, TermStore};

use super::channels::Channels;

/// A partial solution of a check.
///
/// ```
/// use sundry::read::SourceText;
/// use sundry::script::{Channels, Interpreter, InterpreterOptions, Partial};
///
/// #[derive(Default)]
/// struct Partials(Vec<Partial>);
///
/// impl Channels for Partials {
///     fn partial_solutions(&self) -> usize {
///         10
///     }
///
///     fn partial(&mut self, partial: Partial) {
///         self.0.push(partial);
///     }
/// }
///
/// let text = "(declare-const x Int) (declare-const y Int) (assert (>= (+ x y) 2))
///             (assert (>= (- (* 2 y) x) 1)) (assert (>= (- (* 2 x) y) 0)) (check-sat)";
/// let mut interpreter = Interpreter::new(InterpreterOptions::default(), Partials::default());
/// let source = SourceText::new("script", text);
/// while interpreter.step(&source, true).is_some() {}
/// let first = &interpreter.channels().0[0];
/// assert_eq!((first.check, first.number, &first.satisfied[..]), (1, 1, &[2][..]));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Partial {
    /// The number of the check in the script, from 1.
    pub check: u64,
    /// The number of the partial solution in the check, from 1.
    pub number: usize,
    /// The place of the search at which it was met.
    pub origin: PartialOrigin,
    /// The numbers of the assertions that it satisfies, from 0, as the evaluator says: those on the stack, in their order.
    pub satisfied: Vec<usize>,
    /// The number of all assertions.
    pub assertions: usize,
    /// Values of all symbols in the assertions, in the words of `get-model`.
    pub model: String,
}

impl Partial {
    /// The theory that has refuted it, if one has.
    ///
    /// ```
    /// use sundry::read::SourceText;
    /// use sundry::script::{Channels, Interpreter, InterpreterOptions, Partial};
    ///
    /// #[derive(Default)]
    /// struct Partials(Vec<Partial>);
    ///
    /// impl Channels for Partials {
    ///     fn partial_solutions(&self) -> usize {
    ///         10
    ///     }
    ///
    ///     fn partial(&mut self, partial: Partial) {
    ///         self.0.push(partial);
    ///     }
    /// }
    ///
    /// let text = "(declare-const x Int) (declare-const y Int) (assert (>= (+ x y) 2))
    ///             (assert (>= (- (* 2 y) x) 1)) (assert (>= (- (* 2 x) y) 0)) (check-sat)";
    /// let mut interpreter = Interpreter::new(InterpreterOptions::default(), Partials::default());
    /// let source = SourceText::new("script", text);
    /// while interpreter.step(&source, true).is_some() {}
    /// let first = &interpreter.channels().0[0];
    /// // A point on the way, which no theory has refuted.
    /// assert_eq!(first.refuted_by(), None);
    /// ```
    pub fn refuted_by(&self) -> Option<&'static str> {
        match self.origin {
            PartialOrigin::Refuted(theory) => Some(theory),
            _ => None,
        }
    }
}

/// Hands out the partial solutions of a check.
pub(super) struct Partials<'c, C> {
    channels: &'c mut C,
    check: u64,
    number: usize,
    assertions: usize,
    /// The symbols in the assertions.
    symbols: Vec<SymbolId>,
}

impl<'c, C: Channels> Partials<'c, C> {
    pub(super) fn new(channels: &'c mut C, check: u64, store: &TermStore, assertions: Vec<TermId>) -> Self {
        let Formula { assertions, symbols, .. } = Formula::of_assertions(store, assertions);
        Partials { channels, check, number: 0, assertions: assertions.len(), symbols }
    }

    pub(super) fn receive(&mut self, store: &TermStore, partial: sundry_solver::Partial) {
        self.number += 1;
        self.channels.partial(Partial {
            check: self.check,
            number: self.number,
            origin: partial.origin,
            satisfied: partial.satisfied,
            assertions: self.assertions,
            model: print_model(store, &partial.model, &self.symbols),
        });
    }
}

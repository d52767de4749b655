//! Terms and their store, for those who work on the terms of a formula themselves.
//!
//! [`Formula::parts`](crate::Formula::parts) has the store of a formula, and strategies of your own make terms in one. Who
//! wants to build a formula uses a [`FormulaBuilder`](crate::FormulaBuilder), which needs nothing of this module: the store
//! takes ill-sorted terms for a defect, and the builder returns errors.
//!
//! ```
//! use sundry::Formula;
//! use sundry::term::Op;
//!
//! let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
//! let problem = &formula.parts().problem;
//! assert_eq!(problem.store.op(problem.assertions[0]), Op::Or);
//! # Ok::<(), sundry::Error>(())
//! ```

pub use crate::below::terms::{
    ArithmeticOp, EvaluationError, Evaluator, FloatOp, Op, Parser, Sort, SortDisplay, SortError, SortId,
    Span, Symbol, SymbolId, SymbolKind, TermId, TermStore, evaluate, print_model, print_term, print_value,
    quote_symbol,
};

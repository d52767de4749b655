//! Terms of SMT-LIB: sorts, a hash-consed store of terms, exact values, models, and the total
//! evaluator that judges every model. Nothing here knows a solver.

mod array;
mod bitvector;
mod evaluate;
mod model;
mod op;
mod print;
mod sort;
mod store;
mod substitute;
mod traverse;
mod typecheck;
mod value;

pub use array::ArrayValue;
pub use bitvector::BitVector;
pub use evaluate::{EvaluationError, Evaluator, evaluate};
pub use model::{FunctionValue, Model};
pub use op::{ConstantId, Op, SymbolId};
pub use print::{SortDisplay, quote_symbol};
pub use sort::{MAX_SORT_DEPTH, MAX_WIDTH, Sort, SortDeclaration, SortDeclarationId, SortId};
pub use store::{Symbol, SymbolKind, TermId, TermStore};
pub use substitute::substitute;
pub use typecheck::SortError;
pub use value::Value;

//! Terms of SMT-LIB: sorts, a hash-consed store of terms, exact values, models, and the total evaluator that judges
//! every model. This crate knows no solver.
//!
//! A [`TermStore`] owns everything that has an identity; [`TermId`], [`SortId`] and [`SymbolId`] are plain numbers
//! that have a meaning only together with their store. [`Value`]s and [`Model`]s are data of their own, which outlive
//! the store and may go to other threads.
//!
//! Deliberately absent: simplification (the store keeps terms as they are requested), reading and printing of
//! scripts, and scoping of names. No function recurses over terms; values recurse as deep as their sorts, which
//! [`MAX_SORT_DEPTH`] bounds.

mod arguments;
mod array;
mod bitvector;
mod canonical;
mod chosen;
mod control;
mod definition;
mod entity;
mod evaluate;
mod float;
mod model;
mod op;
mod print;
mod sort;
mod store;
mod string;
mod substitute;
mod theory;
mod theory_name;
mod theory_set;
mod traverse;
mod typecheck;
mod universe;
mod value;
mod words;

pub use array::ArrayValue;
pub use bitvector::BitVector;
pub use chosen::ChosenResults;
pub use control::{Control, LookObserver, Stopped};
pub use dashu_int::{IBig, UBig};
pub use dashu_ratio::RBig;
pub use definition::FunctionDefinition;
pub use evaluate::{
    EvaluationError, Evaluator, evaluate, evaluate_operator, evaluate_operator_within, evaluate_within,
};
pub use float::{Float, FloatFormat, MAX_EXPONENT_BITS, RoundingMode};
pub use model::{FunctionValue, Model};
pub use op::{BinderId, ConstantId, Op, SymbolId};
pub use print::{SortDisplay, quote_symbol};
pub use sort::{
    DatatypeId, MAX_SORT_DEPTH, MAX_SORT_PARTS, MAX_WIDTH, Sort, SortDeclaration, SortDeclarationId, SortId,
};
pub use store::{Symbol, SymbolKind, TermId, TermStore};
pub use string::{MAX_CODE_POINT, Regex, RegexKind, Text};
pub use substitute::substitute;
pub use theory::Open;
pub use theory::arithmetic::{ArithmeticOp, bits_of_integer, bits_of_real, twos_complement};
pub use theory::datatype::{
    Constructor, ConstructorId, Datatype, DatatypeDefinition, DatatypeOp, DatatypeValue, Field,
};
pub use theory::float::FloatOp;
pub use theory::sequence::{SequenceOp, SequenceValue};
pub use theory::string::StringOp;
pub use theory_name::TheoryName;
pub use theory_set::TheorySet;
pub use typecheck::SortError;
pub use universe::Universes;
pub use value::Value;

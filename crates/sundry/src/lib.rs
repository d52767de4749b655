//! Sundry turns logical constraints into tests.
//!
//! A [`Formula`] is read from SMT-LIB, or from a model of a configurable system in DIMACS, UVL or PICT. A [`Sampler`]
//! finds a small, diverse set of solutions that together exercise everything the formula leaves open, with a proof of
//! how much that is:
//!
//! ```
//! use sundry::Formula;
//!
//! let formula = Formula::parse(
//!     "(declare-const age (_ BitVec 8))
//!      (declare-const member Bool)
//!      (assert (=> member (bvuge age #x12)))",
//! )?;
//! let samples = formula.sampler().seed(7).run()?;
//! assert!(samples.is_complete());
//! for solution in &samples.solutions {
//!     println!("{solution}");
//! }
//! # Ok::<(), sundry::Error>(())
//! ```
//!
//! | to | use |
//! | --- | --- |
//! | read or build a formula | [`Formula::parse`], [`Formula::read_file`], [`Formula::reader`], [`Formula::builder`], [`Formula::extend`] |
//! | find solutions with any [`Strategy`] | [`Sampler::run`], [`Sampler::solutions`], [`Sampler::stream`], [`Sampler::observe`] |
//! | look at values | [`Solution::value`], [`Solution::texts`], [`value`] |
//! | write solutions and read them again | [`Solution::to_smtlib`], [`Formula::solution_reader`] |
//! | ask one question | [`Formula::solve`], [`Formula::solver`]; scripts: [`script`] |
//! | measure, and decide what can be covered | [`coverage::Measurement`], [`Formula::decide`], [`Formula::ast_bit_reader`] |
//! | make scripts smaller | [`reduce()`], [`try_reduce`] |
//! | work on many formulas, keep figures | [`batch`], [`record`] |
//! | stop work | [`Control`], [`Sampler::timeout`], [`Sampler::stop_flag`] |
//! | write a strategy, or work on terms | [`strategy`], [`term`] |
//!
//! Every solution has been accepted by an evaluator that shares no code with the solver. What stops a run early (a
//! time limit, an interruption) is not an error: the summary of the run says so, and the solutions found until then are
//! there. An [`Error`] says whose fault it is.
//!
//! No other crate is needed: types of the crates below that the functions here mention are re-exported. Those crates are for
//! people who build solvers: `sundry-term` (terms, values, the evaluator), `sundry-solver` (the incremental solver),
//! `sundry-sample` (the strategies).

mod assertions;
pub mod batch;
mod below;
mod builder;
#[cfg(feature = "respondent")]
mod built_in;
pub mod compression;
pub mod coverage;
mod error;
mod formula;
pub mod pipeline;
mod predicates;
pub mod read;
mod reader;
pub mod record;
#[cfg(feature = "reduce")]
mod reduce;
mod sampler;
mod samples;
pub mod script;
mod solution;
mod solution_reader;
mod solutions;
mod solver;
#[cfg(feature = "respondent")]
pub mod solvers;
mod sort;
pub mod strategy;
mod stream;
pub mod term;
pub mod value;

pub use assertions::{Assertion, AstBit, AstBitReader};
pub use below::control::{Control, LookObserver, Stopped};
pub use below::questions::{
    FloatMethod, FloatOptions, FloatStrategy, Partial, PartialOrigin, UnknownReason, Waypoint,
};
pub use below::results::{Covered, Possibilities, Possibility, StopReason, TupleCounts, Validity};
pub use below::sampling::{Effort, Granularity, Guidance, LEAST_TOLERANCE, MAX_STRENGTH, Over, PanOptions};
pub use below::texts::Format;
pub use below::values::{BitVector, Model, Value};
pub use builder::{FormulaBuilder, Function, Term};
#[cfg(feature = "respondent")]
pub use built_in::{BUILT_IN, built_in_solver};
pub use error::{Error, ErrorKind, Place};
pub use formula::Formula;
pub use read::Note;
pub use reader::FormulaReader;
#[cfg(feature = "reduce")]
pub use reduce::{ReduceError, Reduction, reduce, try_reduce};
pub use sampler::{Sampler, Strategy};
pub use samples::Samples;
pub use solution::Solution;
pub use solution_reader::SolutionReader;
pub use solutions::Solutions;
pub use solver::{Answer, Solver};
pub use sort::{Signature, Sort};
pub use stream::{Stream, Update, Waited};

/// The examples in the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// The examples in the chapter of the guide are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/src/rust.md")]
struct Chapter;

//! Values of terms over bit-vectors, arrays and functions under 64 models at once.
//!
//! Sampling by combination makes millions of candidates a second of which an evaluator has to say which are
//! models. Walking the terms costs far more than the arithmetic, so a [`Program`] is made of the terms once and
//! run for 64 models, the *lanes*, in one go: a Boolean term is a 64-bit mask, a bit-vector term a column of 64
//! words (several where it is wider than 64 bits), and most operators are a loop over a column that the compiler
//! turns into vector instructions. Like the evaluator in `sundry-term` it follows the definitions of the SMT-LIB
//! theories on the terms as written and shares nothing with a solver; the two are tested against each other.
//! Evaluating circuits 64 lanes at a time was rejected for judging: it would share the bit-blaster with the solver
//! whose models it judges, and is slower wherever there is arithmetic.
//!
//! Deliberately absent: arrays of arrays, and theories beyond those that the solver decides.

mod column;
mod compile;
mod integers;
mod limbs;
mod memory;
mod program;
mod run;
mod table;
mod word;

pub use column::{Column, LANES};
pub use limbs::{Content, limbs_of, value_of};
pub use memory::Memory;
pub use program::{CompileError, Program, Slot, Unsupported};
pub use table::Table;

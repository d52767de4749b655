//! Values of terms over bit-vectors, arrays and functions under 64 models at once.
//!
//! Sampling by combination makes millions of candidates a second, and an evaluator must decide which of them are
//! models. Walking the terms costs far more than the arithmetic, so terms are compiled once to a [`Program`] that
//! runs for 64 models together, the *lanes*: a Boolean term is a 64-bit mask, a bit-vector term a column of 64 words
//! (several if it is wider than 64 bits), and most operators are a loop over a column that the compiler turns into
//! vector instructions. Like the evaluator in `sundry-term`, a program follows the definitions of the SMT-LIB
//! theories on the terms as written and shares nothing with a solver; tests compare the two. Evaluating circuits 64
//! lanes at a time was rejected for judging: it would share the bit-blaster with the solver whose models it judges,
//! and is slower if there is arithmetic.
//! ```
//! use sundry_lanes::Program;
//! use sundry_term::{BitVector, Control, Model, Op, TermStore, Value};
//!
//! let mut store = TermStore::new();
//! let byte = store.bit_vec_sort(8).unwrap();
//! let symbol = store.declare("x", &[], byte);
//! let (x, bound) = (store.symbol_term(symbol), store.bit_vector(BitVector::from_u64(8, 10)));
//! let is_small = store.make(Op::BvUlt, &[x, bound]);
//!
//! let model = |number: u64| {
//!     let mut model = Model::new();
//!     model.set_constant(symbol, Value::BitVec(BitVector::from_u64(8, number)));
//!     model
//! };
//! let models = [9, 10, 0].map(model);
//! let program = Program::new(&store, &[is_small]).unwrap();
//! let mut memory = program.memory();
//! program.load(&store, &mut memory, &models.iter().collect::<Vec<_>>());
//! program.run(&store, &mut memory, &Control::default()).unwrap();
//! assert_eq!(memory.mask(program.roots()[0]) & 0b111, 0b101); // the first and the third
//! ```
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

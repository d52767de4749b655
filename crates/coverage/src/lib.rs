//! Coverage of a formula by a set of models: its AST-bits, or predicates of the user.
//!
//! An *AST-bit* is a bit of a Boolean or bit-vector node of the formula together with one of its two values; a model
//! covers it if the bit has that value. Source: section II of Lyu et al., "Towards Comprehensive Sampling of SMT
//! Solutions", after Dutra, Bachrach & Sen, "SMTSampler" (ICCAD 2018). Nodes are those of the assertions as written:
//! one per distinct term, including constants and declared symbols.
//!
//! ```
//! use sundry_coverage::{AstBits, Coverage, ModelBits};
//! use sundry_term::{Model, Op, SortId, TermStore, Value};
//!
//! let mut store = TermStore::new();
//! let [p, q] = ["p", "q"].map(|name| store.declare(name, &[], SortId::BOOL));
//! let arguments = [p, q].map(|symbol| store.symbol_term(symbol));
//! let assertion = store.make(Op::Or, &arguments);
//!
//! // Three nodes of one bit each have six AST-bits; that the assertion is false can never be covered.
//! let ast_bits = AstBits::new(&store, &[assertion]);
//! assert_eq!(ast_bits.total(), 6);
//! let mut coverage = Coverage::new(&ast_bits);
//! for (first, second) in [(true, false), (false, true)] {
//!     let mut model = Model::new();
//!     model.set_constant(p, Value::Bool(first));
//!     model.set_constant(q, Value::Bool(second));
//!     let (bits, satisfied) = ModelBits::evaluate(&store, &model, &[assertion], &ast_bits).unwrap();
//!     assert!(satisfied);
//!     coverage.add(&bits);
//! }
//! assert_eq!(coverage.covered(), 5);
//! ```

mod ast_bits;
mod bitset;
mod greedy;
mod measure;
mod predicates;
mod random;
mod wire;

pub use ast_bits::{AstBit, AstBits, INTEGER_BITS, MAXIMAL_INTEGER_BITS};
pub use bitset::BitSet;
pub use greedy::{Gains, greedy_beginning, greedy_order};
pub use measure::{Coverage, ModelBits};
pub use predicates::{Class, Predicate, PredicateCoverage};
pub use random::random_predicates;
pub use wire::{WireCoverage, WirePoints, WiresSeen};

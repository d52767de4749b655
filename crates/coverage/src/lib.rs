//! What a set of models exercised of a formula: its AST-bits, or predicates of the user.
//!
//! An *AST-bit* is a bit of a Boolean or bit-vector node of the formula together with one of its
//! two values; a model covers it when the bit has that value. Source: section II of Lyu et al.,
//! "Towards Comprehensive Sampling of SMT Solutions", after Dutra, Bachrach & Sen, "SMTSampler"
//! (ICCAD 2018). Nodes are those of the assertions as written: one per distinct term, constants
//! and declared symbols among them.

mod ast_bits;
mod bitset;
mod measure;
mod predicates;
mod random;

pub use ast_bits::{AstBit, AstBits};
pub use bitset::BitSet;
pub use measure::{Coverage, ModelBits};
pub use predicates::{Class, Predicate, PredicateCoverage};
pub use random::random_predicates;

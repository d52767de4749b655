//! Small inputs on which an SMT solver is slow and another one fast, bred by multi-objective evolution: MulStringFuzz (Ren, Fan,
//! Li, Zhou & Jiang, *Multi-Objective Evolutionary Algorithm for String SMT Solver Testing*, SANER 2022), for every theory.
//!
//! * [`time_score`], [`complexity`] and [`CoverageMap`]: the three objectives.

mod objective;

pub use objective::complexity::complexity;
pub use objective::coverage::{Counter, CoverageMap, CoverageRules, FileCounters};
pub use objective::time::time_score;

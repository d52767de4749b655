//! The truth of Sundry's answers, on random formulas and against independent judges.
//!
//! * [`differential`]: the solver's verdicts and models against z3, Bitwuzla and the evaluator.
//! * [`brute_force`]: samples of formulas with a small number of bits against the list of all their models.
//! * [`all_solutions`]: enumeration, and sampling that has found everything, against the same list.
//! * [`tuples`]: t-wise coverage against the same list.
//! * [`declared_sorts`]: formulas in which it matters how many elements there are, for every strategy.
//! * [`floats`]: floating point, over all operators and small formats.
//! * [`numbers`]: integers and reals, with arrays, functions, words of bits and products.
//! * [`listed`]: floats and bounded integers at volume and in tuples, against the list of all solutions.
//! * [`extensions`]: integers of bit-vectors, and operators beyond the standard.
//! * [`obligations`]: the claims of complete runs, confirmed by Bitwuzla.
//!
//! `cargo test -p sundry-testing --test truth` tries the first seeds of each. The whole campaign:
//!
//! ```text
//! SUNDRY_FORMULAS=25000 cargo test --release -p sundry-testing --test truth -- --nocapture --test-threads 1
//! ```
//!
//! `SUNDRY_FORMULAS` is how many random formulas the solver is asked about; samples are compared
//! for a tenth as many. `SUNDRY_FIRST_SEED` (0 unless given) is where seeds start. A failure prints
//! its seed and a shrunk formula; the seed alone with `SUNDRY_FORMULAS=1` repeats it.
//! The solvers come from `tools/oracles`.

mod all_solutions;
mod brute_force;
mod campaign;
mod case;
mod comparison;
mod declared_sorts;
mod differential;
mod engine_answers;
mod enumerate;
mod extensions;
mod finding;
mod floats;
mod listed;
mod numbers;
mod obligations;
mod oracle_answers;
mod set_cover;
mod shrink;
mod tuples;

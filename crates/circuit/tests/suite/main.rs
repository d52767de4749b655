//! Tests of the circuit as a whole.

mod blasting;
mod clauses;
mod common;
mod operators;
mod rewriting;

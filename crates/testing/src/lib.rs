//! Random formulas and independent solvers, for tests only.
//!
//! [`generate`] makes well-sorted formulas over every operator and models for them, from a seed.

pub mod generate;

//! Random formulas and independent solvers, for tests only.
//!
//! [`generate`] makes well-sorted formulas over every operator and models for them, from a seed.
//! [`oracle`] asks other solvers, as processes ([`process`]). What that needs (the solvers that `tools/oracles`
//! installs) no other crate needs outside of its tests.

pub mod generate;
pub mod oracle;
pub mod process;

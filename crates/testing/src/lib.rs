//! Random formulas and independent solvers, for tests only.
//!
//! [`generate`] makes well-sorted formulas over every operator and models for them, from a seed. [`ground`] makes
//! ground terms of every theory. [`oracle`] asks other solvers, as processes ([`process`]). What that needs (the
//! solvers that `tools/oracles` installs) no other crate needs outside of its tests. [`skipped`] is for tests over
//! formulas that are not part of the project.

pub mod bytes;
pub mod generate;
pub mod ground;
pub mod oracle;
pub mod process;
pub mod skipped;
